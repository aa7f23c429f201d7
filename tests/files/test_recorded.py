"""What files and drawings were once, to the byte: 200 recorded puzzle files, and the SVG and DXF of square boards.

`record.py` made them and says when they may be made again.
"""

import json
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from studio.files.store import dumps, loads
from tests.depth import THOROUGH
from tests.files.record import COUNTS, DRAWN, FORMATS, RECORDED, Entry, drawn, read, write

SAMPLES = sorted((Path(__file__).parents[2] / "resources" / "examples").glob("*.puzzle"))
ENTRIES = read(RECORDED)
SQUARE = [entry for entry in ENTRIES if entry.hashes]
each_format = pytest.mark.parametrize("suffix", FORMATS)


def saved_again(data: bytes) -> bytes:
    saved = loads(data)
    return dumps(saved.kind, saved.design)


def jigsaws(entries: list[Entry]) -> list[dict[str, Any]]:
    return [json.loads(entry.text)["design"] for entry in entries if entry.name.startswith("jigsaw")]


def test_the_record_has_every_kind_of_file() -> None:
    assert Counter(json.loads(entry.text)["kind"] for entry in ENTRIES) == COUNTS
    assert len({entry.text for entry in ENTRIES}) == len(ENTRIES) == 200
    assert len(SQUARE) == DRAWN and all(set(entry.hashes) == set(FORMATS) for entry in SQUARE)


@pytest.mark.parametrize("entries", [ENTRIES, SQUARE], ids=["all", "drawn"])
def test_the_recorded_jigsaws_have_every_style_border_joint_and_edit(entries: list[Entry]) -> None:
    texts = "".join(entry.text for entry in entries)
    for style, border, smooth in product(("classic", "article"), ("straight", "wandering"), (True, False)):
        wanted = {"tongue_style": style, "border": border, "smooth_joints": smooth}
        parameters = [design["parameters"] for design in jigsaws(entries)]
        rounded = {one["corner_radius"] > 0 for one in parameters if wanted.items() <= one.items()}
        assert rounded == {True, False}
    for field in ("right", "down", "side", "plain", "size", "place", "slant", "rolls", "locked_seed"):
        assert f'"{field}": ' in texts


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_a_sample_is_saved_as_the_bytes_it_was_read_from(sample: Path) -> None:
    assert saved_again(sample.read_bytes()) == sample.read_bytes()


def test_a_recorded_file_is_saved_as_the_bytes_it_was_read_from() -> None:
    assert [entry.name for entry in ENTRIES if saved_again(entry.text.encode()) != entry.text.encode()] == []


def test_the_comparison_notices_another_way_to_write_a_number() -> None:
    text = ENTRIES[0].text
    other = text.replace('"corner_radius": 0.0', '"corner_radius": 0').encode()
    assert other != text.encode() and saved_again(other) == text.encode()


def test_a_record_is_written_as_it_is_read(tmp_path: Path) -> None:
    write(tmp_path / "again.txt", ENTRIES)
    assert (tmp_path / "again.txt").read_text("utf-8") == RECORDED.read_text("utf-8")


@each_format
def test_a_square_board_is_drawn_as_it_was(suffix: str, tmp_path: Path) -> None:
    # Every style, border, joint and corner is there once in 16; the large boards are among the first.
    some = SQUARE if THOROUGH else SQUARE[16:32]
    known = {entry.name: entry.hashes[suffix] for entry in some}
    found = drawn(some, suffix, tmp_path)
    assert [name for name in known if found[name] != known[name]] == []


@each_format
def test_the_comparison_notices_one_digit(suffix: str, tmp_path: Path) -> None:
    entry = min((entry for entry in SQUARE if '"right": ' in entry.text), key=lambda entry: len(entry.text))
    design = json.loads(entry.text)
    moved = next(corner for corner in design["design"]["corners"] if corner["right"])
    moved["right"] = round(moved["right"] + 0.001, 6)
    changed = replace(entry, text=json.dumps(design))
    assert saved_again(changed.text.encode()) != entry.text.encode()
    assert drawn([changed], suffix, tmp_path)[entry.name] != entry.hashes[suffix]
