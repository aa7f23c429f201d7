"""Makers' own colour profiles: every format writes them, and a file that is none of them is one sentence."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studio.base.errors import StudioError
from studio.base.folders import own_folder
from studio.base.parameters import ParameterError, declaration, remembered
from studio.exporting.colour_profiles import (
    Profile,
    broken_profiles,
    forget_profile,
    keep_profile,
    nearest_aci,
    own_profiles,
    profile,
    profiles,
    shipped_profiles,
)
from studio.exporting.formats import LASER
from studio.exporting.options import LaserOptions
from studio.files.store import save
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from tests.test_cli import Studio

MOST_OWN = 50

COLOURS, NAMES = ("#102030", "#AA5500", "#00AAAA", "#C000C0"), ("BURN", "LINE", "CUT_A", "CUT_Z")


def own(key: str = "mine", title: str = "Mine", **changed: Any) -> Profile:
    like = profile("lightburn")
    layers = tuple(
        replace(layer, colour=colour, name=name, aci=nearest_aci(colour))
        for layer, colour, name in zip(like.layers, COLOURS, NAMES, strict=True)
    )
    return replace(like, key=key, title=title, layers=layers, **changed)


def file(name: str) -> Path:
    path = own_folder() / "profiles" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_an_own_profile_comes_back_and_is_offered_until_it_is_deleted() -> None:
    keep_profile(own(title="Für Zoë"))
    assert own_profiles() == (own(title="Für Zoë"),) and profile("mine") == own(title="Für Zoë")
    assert profiles() == (*shipped_profiles(), own(title="Für Zoë"))
    assert declaration(LaserOptions, "profile").choices[-1].title == "Für Zoë"
    assert remembered({"profile": "mine"}, LaserOptions()).profile == "mine"
    forget_profile("mine")
    assert own_profiles() == () and remembered({"profile": "mine"}, LaserOptions()).profile == "lightburn"
    with pytest.raises(ParameterError, match="profile must be lightburn"):
        LaserOptions(profile="mine")
    with pytest.raises(StudioError, match="Unknown profile"):
        profile("mine")


@pytest.mark.parametrize("suffix", [known.suffix for known in LASER.members])
def test_every_format_writes_an_own_profile_and_proves_it(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_profile(own())
    save(tmp_path / "a.puzzle", JIGSAW, JigsawDesign(JigsawParameters(columns=3, rows=2, width=60, height=40)))
    out = tmp_path / f"a{suffix}"
    studio = Studio(capsys)
    said = studio("export", tmp_path / "a.puzzle", "-o", out, "--profile", "mine")
    assert said.code == 0, said.err
    if suffix == ".svg":
        assert set(re.findall(r'stroke="(#\w+)"', out.read_text())) == {"#00AAAA", "#C000C0"}
    if suffix == ".dxf":
        assert b"CUT_A" in out.read_bytes() and b"CUT_INNER" not in out.read_bytes()
    listed = json.loads(studio("profiles", "--json").out)
    assert [one["key"] for one in listed if one["own"]] == ["mine"]


BAD: dict[str, Any] = {
    "empty": b"",
    "cut off": b'{"key": "bad", "title": "Mi',
    "a list": b"[]",
    "of a later version": {"sparkle": 1},
    "another key": {"key": "other"},
    "no colour": {"layers": []},
    "a wide line": {"stroke_width": 3},
    "two lines": {"title": "a\nb"},
    "a long title": {"title": "a" * 500},
    "binary": bytes(range(256)),
    "deep": b"[" * 60_000,
    "huge": b" " * 2**17,
}


@pytest.mark.parametrize("what", BAD)
def test_a_broken_profile_is_one_sentence_and_the_others_are_there(what: str) -> None:
    keep_profile(own("bad", "Bad"))
    path = file("bad.json")
    data = BAD[what]
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(json.loads(path.read_text()) | data).encode())
    before = path.read_bytes()
    keep_profile(own())
    assert [one.key for one in own_profiles()] == ["mine"]
    sentence = broken_profiles()["bad"]
    assert sentence.startswith("The profile bad.json cannot be used: ") and "\n" not in sentence
    assert sentence.count("bad.json") == 1 or what == "another key"
    with pytest.raises(StudioError, match=r"bad\.json"):
        profile("bad")
    assert path.read_bytes() == before
    forget_profile("bad")
    assert broken_profiles() == {}


def test_a_profile_that_would_hide_one_of_the_studio_or_cannot_be_seen_is_refused() -> None:
    layers = own().layers
    for made, words in (
        (own("lightburn"), "there is a profile of the studio"),
        (own(title="x" * 61), "more than 60"),
        (replace(own(), layers=(replace(layers[0], colour="#FFFFF0"), *layers[1:])), "too pale"),
        (replace(own(), layers=(replace(layers[0], name="DEFPOINTS"), *layers[1:])), "never cut"),
    ):
        with pytest.raises(StudioError, match=words):
            keep_profile(made)
    for key in ("../x", "A", ""):
        with pytest.raises(StudioError):
            forget_profile(key)
    assert not (own_folder() / "profiles").exists()


def test_more_files_than_can_be_offered_are_passed_over() -> None:
    keep_profile(own("n0"))
    data = json.loads(file("n0.json").read_text())
    for number in range(MOST_OWN + 10):
        file(f"n{number}.json").write_text(json.dumps(data | {"key": f"n{number}", "title": f"T{number}"}))
    assert len(own_profiles()) == MOST_OWN
