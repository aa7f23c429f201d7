"""Whatever becomes of a file, it opens or is refused in one clear sentence."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from studio.base.errors import StudioError
from studio.files import store
from studio.puzzles.registry import kinds
from tests.puzzles.test_every_kind import edited

MUTATIONS = 400
"""Of each of the five kinds, 2,000 in all."""
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 10**400, 1e308, -0.0, float("nan"), "", "<img src=x>", "\u202e\u0301", [], [[]], {}, {"name": 1},
)  # fmt: skip


def of_bytes(data: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, left out, doubled, or all behind them cut off."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(4):
            case 0:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del changed[at : at + chance.randint(1, 40)]
            case 2:
                changed[at:at] = changed[at : at + chance.randint(1, 40)]
            case _:
                changed = changed[: max(at, 1)]
    return bytes(changed)


def of_values(data: bytes, chance: random.Random) -> bytes:
    """Well-formed JSON in which a value somewhere is another, gone, or called otherwise."""
    value = json.loads(data)
    place: Any = value
    while True:
        keys: list[Any] = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = chance.choice(keys)
        if isinstance(place[key], dict | list) and place[key] and chance.random() < 0.8:
            place = place[key]
            continue
        match chance.randrange(3):
            case 0:
                place[key] = chance.choice(ODD)
            case 1:
                del place[key]
            case _ if isinstance(place, dict):
                place[chance.choice(["", "nobody", "name", "seed"])] = place.pop(key)
            case _:
                place.append(place[key])
        return json.dumps(value).encode()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mutate", [of_bytes, of_values])
@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: str(kind.key))
def test_a_changed_file_opens_or_is_refused_in_one_sentence(
    kind: Any, mutate: Callable[[bytes, random.Random], bytes], tmp_path: Path
) -> None:
    chance = random.Random(f"{kind.key} {mutate.__name__}")
    seeds = [store.dumps(kind, design) for design in (kind.example(), edited(kind))]
    path = tmp_path / "a.puzzle"
    refused = 0
    for number in range(MUTATIONS // 2):
        path.write_bytes(mutate(seeds[number % 2], chance))
        try:
            saved = store.load(path)
        except StudioError as problem:
            refused += 1
            sentence = str(problem)
            assert sentence.startswith("Cannot open a.puzzle: ") and sentence.endswith("."), sentence
            assert sentence.isprintable() and len(sentence) < 400, sentence
            assert not any(word in sentence for word in ("Error", "Traceback", "<class", "object at 0x")), sentence
        else:
            again = store.dumps(saved.kind, saved.design)
            assert store.dumps(saved.kind, store.loads(again).design) == again
    assert refused > MUTATIONS // 4
