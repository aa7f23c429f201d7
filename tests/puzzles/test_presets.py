"""Presets: those of the studio are designs without a fault, makers' own come back as they were saved or are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from math import dist
from pathlib import Path
from typing import Any

import pytest

from studio.base.errors import StudioError
from studio.base.folders import own_folder
from studio.base.parameters import declarations
from studio.base.progress import SILENT
from studio.checks.finding import Severity
from studio.puzzles import registry
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.tongues.styles import TITLES
from studio.puzzles.presets import broken, forget, keep, preset, presets, shipped_presets
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.puzzles.slitherlink.model import SlitherlinkParameters
from tests.test_cli import Studio

MOST_OWN = 100

EVERY = [(key, one) for key in registry.KINDS for one in shipped_presets(registry.kind(key)) if one.key != "weekday"]
"""All but the board with weekdays, whose year takes eight seconds to count; the calendar's own tests do that."""


def own_file(name: str = "mine.json") -> Path:
    path = own_folder() / "presets" / "jigsaw" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("key", "chosen"), EVERY, ids=[f"{key}-{one.key}" for key, one in EVERY])
def test_a_preset_of_the_studio_is_a_design_without_errors_and_warnings(key: str, chosen: Any) -> None:
    kind = registry.kind(key)
    design = kind.generate(chosen.applied(kind.parameters()), None, SILENT).design
    found = kind.check(design, kind.shape(design, None, SILENT), None, SILENT).findings
    assert [finding.message for finding in found if finding.severity is not Severity.HINT] == []
    assert chosen.is_in(design.parameters)
    seeds = {known.name for known in declarations(kind.parameters) if known.type == "seed"}
    assert chosen.values and not seeds & set(chosen.values)


def test_every_kind_has_presets_with_titles_of_their_own() -> None:
    for kind in registry.kinds():
        titles = [one.title for one in shipped_presets(kind)]
        assert len(titles) >= 4 and len(set(titles)) == len(titles)


MIXTURES = ("portrait", "heirloom", "devious", "children")
SIZED = [one for one in shipped_presets(JIGSAW) if "width" in one.values]


@pytest.mark.parametrize("one", SIZED, ids=lambda one: one.key)
def test_a_board_has_the_size_and_the_pieces_that_its_title_says(one: Any) -> None:
    shapes = JIGSAW.shape(JigsawDesign(one.applied(JigsawParameters())), None, SILENT)
    count = int(one.title.replace(",", "").partition(" piece")[0].split()[-1])
    assert len(shapes.drawing.pieces) == count
    size = one.note.partition(" mm")[0].split(" × ")
    assert [one.values["width"], one.values["height"]] == [float(each) for each in size]


def test_mixtures_set_all_styles_shares_variation_and_limits_and_no_other_board_but_a_childs() -> None:
    groups = {"Tongues", "Variation", "Limits"}
    every = {known.name for known in declarations(JigsawParameters) if known.group in groups}
    board = {one.key for one in shipped_presets(JIGSAW) if one.key in MIXTURES and "width" in one.values}
    assert board == {"children"}
    for key in MIXTURES:
        assert every - {"layout_version", "mix_own"} <= {*preset(JIGSAW, key).values}


SIZES = ((6, 4, 150.0, 100.0), (12, 9, 297.0, 210.0), (20, 13, 420.0, 297.0))
FOR_CHILDREN = ((4, 3, 240.0, 180.0), (5, 4, 300.0, 240.0), (6, 4, 300.0, 200.0))


@pytest.mark.sampled(20)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", range(3))
@pytest.mark.parametrize("key", MIXTURES)
def test_a_mixture_is_cut_without_a_problem(key: str, size: int, seed: int) -> None:
    columns, rows, width, height = (FOR_CHILDREN if key == "children" else SIZES)[size]
    usual = JigsawParameters(seed=seed)
    values = {"columns": columns, "rows": rows, "width": width, "height": height}
    parameters = replace(preset(JIGSAW, key).applied(usual), **values)
    design = JigsawDesign(parameters)
    findings = JIGSAW.check(design, JIGSAW.shape(design, None, SILENT), None, SILENT).findings
    # At a split corner of any tricky border the wood may taper too slowly.
    corners = [(x, y) for x in (0.0, width) for y in (0.0, height)] if parameters.tricky_border else []
    assert [one.message for one in findings if all(dist(one.place, corner) > 2.0 for corner in corners)] == []


def test_a_preset_keeps_the_seed_and_the_edits_that_still_fit() -> None:
    design = JigsawDesign(JigsawParameters(seed=99), (CornerEdit("2,3", 0.1, 0.1), CornerEdit("9,3", 0.0, 0.1)))
    made = JIGSAW.generate(preset(JIGSAW, "a4").applied(design.parameters), design, SILENT)
    assert made.design.parameters.seed == 99 and made.design.corners == design.corners and made.dropped == ()
    small = JIGSAW.generate(preset(JIGSAW, "a6").applied(design.parameters), design, SILENT)
    assert len(small.dropped) == 1 and small.design.corners == design.corners[:1]


@pytest.mark.parametrize("key", registry.KINDS)
def test_an_own_preset_comes_back_as_it_was_saved_without_the_seed(key: str) -> None:
    kind = registry.kind(key)
    has_seed = any(known.name == "seed" for known in declarations(kind.parameters))
    other = shipped_presets(kind)[-1].applied(kind.parameters(seed=5) if has_seed else kind.parameters())
    made = keep(kind, "  Für Zoë ♥  ", other)
    assert made.title == "Für Zoë ♥" and presets(kind)[-1] == made == preset(kind, made.key)
    assert made.applied(other) == other and "seed" not in made.values
    again = keep(kind, "Für Zoë ♥", kind.parameters())
    assert again.key == made.key and [one for one in presets(kind) if one.own] == [again]
    forget(kind, made.key)
    assert [one for one in presets(kind) if one.own] == []


def test_what_needs_a_file_is_left_out_of_an_own_preset() -> None:
    ring = ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 1.0), (2.0, 2.0), (1.0, 2.0), (0.0, 0.0))
    made = keep(SLITHERLINK, "From a file", SlitherlinkParameters(outline="file", path=(ring,), columns=5))
    assert "outline" not in made.values and made.values["columns"] == 5


def test_a_preset_with_a_key_of_the_studio_s_never_hides_it() -> None:
    assert keep(JIGSAW, "A4", JigsawParameters()).key == "a4-2"
    own_file("a4.json").write_text(json.dumps({"title": "Mine", "values": {}}))
    assert preset(JIGSAW, "a3").title and "rename the file" in broken(JIGSAW)["a4"]


GOOD = {"title": "Mine", "note": "", "values": {"columns": 7}}
BAD: dict[str, bytes] = {
    "empty": b"",
    "cut off": json.dumps(GOOD).encode()[:-9],
    "a list": b"[1, 2]",
    "binary": bytes(range(256)),
    "no values": json.dumps({"title": "Mine"}).encode(),
    "values are a list": json.dumps(GOOD | {"values": [1]}).encode(),
    "of a later version": json.dumps(GOOD | {"values": {"sparkle": 3}}).encode(),
    "more than it knows": json.dumps(GOOD | {"script": "rm"}).encode(),
    "out of bounds": json.dumps(GOOD | {"values": {"columns": 10**9}}).encode(),
    "of another type": json.dumps(GOOD | {"values": {"columns": "7"}}).encode(),
    "not finite": b'{"title": "Mine", "values": {"width": 1e999}}',
    "twice": b'{"title": "Mine", "title": "Yours", "values": {}}',
    "a title of two lines": json.dumps(GOOD | {"title": "a\nb"}).encode(),
    "a long title": json.dumps(GOOD | {"title": "a" * 5000}).encode(),
    "a note that is none": json.dumps(GOOD | {"note": {}}).encode(),
    "what does not go together": json.dumps(
        GOOD | {"values": {"tongue_style": "mixed", **{f"mix_{key}": 0 for key in TITLES}}}
    ).encode(),
    "huge": b" " * 2**17,
    "deep": b"[" * 60_000,
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("what", BAD)
def test_a_broken_preset_is_one_sentence_and_the_others_are_there(what: str) -> None:
    own_file("good.json").write_text(json.dumps(GOOD))
    own_file("bad.json").write_bytes(BAD[what])
    assert [one.key for one in presets(JIGSAW) if one.own] == ["good"]
    sentence = broken(JIGSAW)["bad"]
    assert sentence.startswith("presets/jigsaw/bad.json cannot be used: ") and len(sentence) < 300
    assert "\n" not in sentence
    with pytest.raises(StudioError, match="cannot be used"):
        preset(JIGSAW, "bad")
    assert own_file("bad.json").read_bytes() == BAD[what]
    forget(JIGSAW, "bad")
    assert broken(JIGSAW) == {}


def test_no_key_leads_out_of_the_folder() -> None:
    for key in ("../machines/x", "a/b", "", ".", "A", "a" * 70):
        with pytest.raises(StudioError, match="A key must be"):
            forget(JIGSAW, key)


def test_there_is_an_end_to_own_presets() -> None:
    for number in range(MOST_OWN):
        own_file(f"n{number}.json").write_text(json.dumps(GOOD | {"title": f"Mine {number}"}))
    with pytest.raises(StudioError, match="delete one first"):
        keep(JIGSAW, "One more", JigsawParameters())
    assert keep(JIGSAW, "Mine 3", JigsawParameters()).key == "n3"


def test_the_command_line_begins_with_a_preset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    studio = Studio(capsys)
    assert studio("new", "jigsaw", "--preset", "a4", "--set", "columns=10", "-o", "a.puzzle").code == 0
    made = json.loads((tmp_path / "a.puzzle").read_text())["design"]["parameters"]
    assert (made["width"], made["height"], made["columns"], made["rows"]) == (297, 210, 10, 9)
    assert "Unknown preset 'a44'; choose from a6, a5" in studio.refuses("new", "jigsaw", "--preset", "a44", "-o", "-")
    keep(JIGSAW, "Mine", JigsawParameters(columns=3))
    own_file("bad.json").write_bytes(b"{")
    said = studio("presets", "jigsaw", "--json")
    listed = json.loads(said.out)
    assert [one["key"] for one in listed if one["own"]] == ["mine"] and "bad.json cannot be used" in said.err
    assert studio("presets", "jigsaw", "--delete", "mine").code == 0
    assert "Presets: a6, a5, a4" in studio("params", "jigsaw").out
    assert "cannot be used" in studio.refuses("new", "jigsaw", "--preset", "bad", "-o", "-")
