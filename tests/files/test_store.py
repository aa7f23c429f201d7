"""Puzzle files: what is saved comes back, and whatever is no puzzle is refused in one sentence."""

import json
import os
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.parameters import declarations
from studio.files import store
from studio.files.store import dumps, load, loads, save
from studio.geometry.board.board_spec import DRAWN, FROM_FILE
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import BOUNDS, CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.tiling import tiling_of
from studio.puzzles.jigsaw.tongues.styles import OWN, STYLES
from studio.puzzles.jigsaw.tongues.tongues import BALANCES, SHAPE
from studio.puzzles.registry import kinds

LARGEST_SHIFT = 200.0

EDITED = JigsawDesign(
    JigsawParameters(columns=4, rows=3),
    (CornerEdit("1,1", 0.1, -0.25), CornerEdit("2,1", 0.0, 0.125)),
    (TongueEdit("A1-B1", side=-1), TongueEdit("B2-C2", size=0.3, rolls=2, locked_seed=7)),
)


FEW = {"columns": 12, "rows": 12, "pieces": 100}
"""Largest values in these tests."""


def parameter(known: Any) -> st.SearchStrategy[Any]:
    if known.type == "choice":
        from_files = (FROM_FILE, DRAWN, OWN)
        return st.sampled_from([choice.value for choice in known.choices if choice.value not in from_files])
    if known.type == "flag":
        return st.booleans()
    if known.type == "number" and known.least:
        return st.just(0.0) | st.floats(known.least, known.maximum)
    if known.type == "number":
        return st.floats(known.minimum, known.maximum)
    if known.type == "text":
        return st.text(st.characters(categories=["L", "N", "P"]), max_size=int(known.maximum))
    return st.integers(known.minimum, min(known.maximum, FEW.get(known.name, known.maximum)))


def within(bounds: tuple[float, float]) -> st.SearchStrategy[float | None]:
    return st.none() | st.floats(*bounds)


@st.composite
def designs(draw: st.DrawFn) -> JigsawDesign:
    values = {known.name: draw(parameter(known)) for known in declarations(JigsawParameters)}
    values["flow"] = {"lines": "wave"}.get(values["flow"], values["flow"])
    sharp = JigsawParameters(**values | {"corner_radius": 0.0, "mix_ribbon": 1, "mix_own": 0})
    parameters = replace(sharp, corner_radius=draw(st.floats(0.0, 0.1)) * min(sharp.cell))
    cuts = sorted(tiling_of(JigsawDesign(parameters)).edge_indices)
    merged = tuple(sorted(draw(st.sets(st.sampled_from(cuts), max_size=3)))) if cuts else ()
    tiling = tiling_of(JigsawDesign(parameters, merged=merged))
    some = [
        sorted(draw(st.sets(st.sampled_from(sorted(names)), max_size=5)) if names else ())
        for names in (tiling.corner_indices, tiling.edge_indices)
    ]
    shift = st.floats(-LARGEST_SHIFT, LARGEST_SHIFT)
    corners = tuple(CornerEdit(name, draw(shift), draw(shift)) for name in some[0])
    tongues = tuple(
        TongueEdit(
            name,
            draw(st.sampled_from([None, -1, 1])),
            draw(st.none() | st.booleans()),
            draw(within(BOUNDS["size"])),
            draw(within(BOUNDS["place"])),
            draw(within(BOUNDS["slant"])),
            draw(st.integers(0, 10**6)),
            draw(st.none() | st.integers(0, 2**31 - 1)),
            **{part: draw(within(BOUNDS[part])) for part in SHAPE | BALANCES},
            style=draw(st.sampled_from([None, *(style.key for style in STYLES)])),
            ruled=draw(st.booleans()),
        )
        for name in some[1]
    )
    return JigsawDesign(parameters, corners, tongues, merged)


@given(designs())
def test_what_is_saved_comes_back_and_is_saved_as_the_same_bytes(design: JigsawDesign) -> None:
    data = dumps(JIGSAW, design)
    saved = loads(data)
    assert (saved.kind, saved.design) == (JIGSAW, design)
    assert dumps(saved.kind, saved.design) == data


def test_a_file_is_text_with_sorted_fields_and_one_element_a_line() -> None:
    text = dumps(JIGSAW, EDITED).decode()
    assert text.endswith("}\n") and not text.endswith("\n\n")
    content = json.loads(text)
    assert {name: content[name] for name in ("format", "version", "kind")} == {
        "format": "puzzle-studio",
        "version": 1,
        "kind": "jigsaw",
    }
    assert json.dumps(content) == json.dumps(json.loads(text), sort_keys=True)
    lines = text.splitlines()
    assert '      {"down": -0.25, "name": "1,1", "right": 0.1},' in lines
    assert '      {"locked_seed": 7, "name": "B2-C2", "rolls": 2, "size": 0.3}' in lines
    assert '      "perturbation": 0.16,' in lines


def test_one_edit_changes_one_line() -> None:
    before = dumps(JIGSAW, EDITED).decode().splitlines()
    after = dumps(JIGSAW, EDITED.with_corners({"1,1": (0.2, -0.25)})).decode().splitlines()
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


def test_every_parameter_is_in_the_file() -> None:
    content = json.loads(dumps(JIGSAW, JigsawDesign()))
    assert set(content["design"]) == {"parameters"}
    first = {known.name for known in declarations(JigsawParameters) if not known.is_later}
    # Without these a file is of before, and means something else.
    assert set(content["design"]["parameters"]) == first | {"exact", "strong_necks", "scale_limits", "layout_version"}


def test_a_saved_file_opens_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "Größe 1.puzzle"
    save(path, JIGSAW, EDITED)
    assert load(path).design == EDITED
    save(path, JIGSAW, JigsawDesign())
    assert load(path).design == JigsawDesign()
    assert [path.name for path in tmp_path.iterdir()] == ["Größe 1.puzzle"]


def test_a_byte_order_mark_and_another_layout_do_no_harm() -> None:
    data = dumps(JIGSAW, EDITED)
    assert loads(b"\xef\xbb\xbf" + data).design == EDITED
    assert loads(json.dumps(json.loads(data)).encode()).design == EDITED
    assert loads(data.replace(b"\n", b"\r\n")).design == EDITED


def refusal(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(StudioError) as told:
        load(path)
    assert path.read_bytes() == data
    sentence = str(told.value)
    assert sentence.startswith(f"Cannot open {path.name}: ")
    assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 250
    return sentence.removeprefix(f"Cannot open {path.name}: ")


def test_a_file_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    data = dumps(JIGSAW, EDITED)
    told = [refusal(tmp_path / "cut.puzzle", data[:length]) for length in range(len(data) - 1)]
    assert told[0] == "it is empty."
    assert sum("incomplete" in sentence for sentence in told) > len(told) / 2


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(StudioError):
        loads(data)


def test_a_file_with_a_few_bytes_changed_is_a_puzzle_or_refused() -> None:
    data, chance = dumps(JIGSAW, EDITED), random.Random(7)
    refused = 0
    for _ in range(2000):
        broken = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        try:
            saved = loads(bytes(broken))
        except StudioError as problem:
            refused += 1
            assert "\n" not in str(problem)
        else:
            assert loads(dumps(saved.kind, saved.design)) == saved
    assert refused > 1000


def changed(path: tuple[str | int, ...], value: Any) -> bytes:
    content = json.loads(dumps(JIGSAW, EDITED))
    place = content
    for step in path[:-1]:
        place = place[step]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(content).encode()


INPUTS = ("design", "parameters")
KINDS_THERE_ARE = ", ".join(kind.key for kind in kinds())


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("format",), "other", "it is not a Puzzle Studio file."),
        (("format",), KeyError, "it is not a Puzzle Studio file."),
        (("version",), 2, "it was saved by a newer version of Puzzle Studio (file version 2)."),
        (("version",), 0, "version must be 1, not 0."),
        (("version",), True, "version must be 1, not true."),
        (("version",), "1", "version must be 1, not '1'."),
        (("version",), 1.0, "version must be 1, not 1.0."),
        (("version",), float("nan"), "version must be 1, not NaN."),
        (("kind",), "cube-of-doom", f"Unknown kind of puzzle 'cube-of-doom'; choose from {KINDS_THERE_ARE}."),
        (("kind",), 5, "kind must be a text, not 5."),
        (("kind",), KeyError, "kind is missing."),
        (("design",), KeyError, "design is missing."),
        (("more",), 1, "more is unknown."),
        (("design",), [], "design must be an object, not a list."),
        (("design", "extra"), 1, "design.extra is unknown."),
        (("design", "parameters"), KeyError, "design.parameters is missing."),
        ((*INPUTS, "columns"), KeyError, "design.parameters.columns is missing."),
        ((*INPUTS, "x"), 1, "design.parameters.x is unknown."),
        ((*INPUTS, "columns"), 10**6, "design.parameters.columns must be a whole number from 1 to 200, not 1000000."),
        ((*INPUTS, "columns"), 4.0, "design.parameters.columns must be a whole number, not 4.0."),
        ((*INPUTS, "width"), float("nan"), "design.parameters.width must be a number, not NaN."),
        ((*INPUTS, "width"), float("inf"), "design.parameters.width must be a number, not an infinite number."),
        ((*INPUTS, "width"), 1e300, "design.parameters.width must be 5 to 10000 mm, not 1e+300."),
        ((*INPUTS, "border"), "spiky", "design.parameters.border must be straight or wandering, not 'spiky'."),
        (("design", "corners", 1, "right"), "2", "design.corners[1].right must be a number, not '2'."),
        (("design", "corners", 1, "right"), 1e9, "design.corners[1].right must be -200 to 200, not 1000000000.0."),
        (("design", "corners", 1, "right"), KeyError, "design.corners[1].right is missing."),
        (("design", "tongues", 0, "side"), 2, "design.tongues[0].side must be 1 or -1, not 2."),
        (("design", "tongues", 0, "plain"), 1, "design.tongues[0].plain must be true or false, not 1."),
        (("design", "corners", 1, "name"), "1,1", "design: 1,1 is edited twice."),
    ],
)
def test_a_misfit_is_told_with_its_place(
    tmp_path: Path, path: tuple[str | int, ...], value: Any, sentence: str
) -> None:
    assert refusal(tmp_path / "a.puzzle", changed(path, value)) == sentence


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("design", "corners", 1, "name"), "9,9"),
        (("design", "corners", 1, "name"), "x"),
        (("design", "tongues", 1, "name"), "Z9-Z10"),
        (("design", "tongues", 1, "name"), "B9"),
    ],
)
def test_an_edit_that_names_no_element_is_refused_by_its_name(
    tmp_path: Path, path: tuple[str | int, ...], name: str
) -> None:
    assert repr(name) in refusal(tmp_path / "a.puzzle", changed(path, name))


@pytest.mark.parametrize("sample", ["orchard-9x6", "sweetheart-56", "stronghold-5x5x5", "calendrier-6x8"])
def test_edits_of_a_file_may_be_in_any_order(sample: str, tmp_path: Path) -> None:
    data = (shipped("examples") / f"{sample}.puzzle").read_bytes()
    content = json.loads(data)
    design, turned = content["design"], 0
    names = getattr(type(loads(data).design), "BY_NAME", ())
    for edits in (*(design.get(name) for name in names), (design.get("board") or {}).get("labels")):
        if edits is not None:
            turned += len(edits)
            edits.reverse()
    path = tmp_path / "turned.puzzle"
    path.write_text(json.dumps(content), encoding="utf-8")
    saved = load(path)
    assert turned > 1
    assert dumps(saved.kind, saved.design) == data


@pytest.mark.parametrize("number", [b"1e999", b"-1e999", b"NaN", b"-Infinity", b"9" * 5000, b"-" + b"9" * 5000])
def test_numbers_that_no_design_can_hold_are_refused_with_their_place(tmp_path: Path, number: bytes) -> None:
    data = dumps(JIGSAW, EDITED)
    for name in (b"width", b"columns", b"seed"):
        start = data.index(b'"' + name + b'": ') + len(name) + 4
        end = min(data.find(mark, start) for mark in (b",", b"\n") if data.find(mark, start) > 0)
        told = refusal(tmp_path / "a.puzzle", data[:start] + number + data[end:])
        assert told.startswith(f"design.parameters.{name.decode()} must be ")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (b'"rows": 3', b'"rows": 3, "rows": 4', "design.parameters.rows appears twice."),
        (b'"name": "1,1"', b'"name": "1,1", "name": "1,2"', "design.corners[0].name appears twice."),
        (b'"version": 1', b'"version": 1, "version": 2', "'version' appears twice."),
    ],
)
def test_a_field_that_is_there_twice_is_refused(tmp_path: Path, old: bytes, new: bytes, sentence: str) -> None:
    data = dumps(JIGSAW, EDITED)
    assert data.count(old) == 1
    assert refusal(tmp_path / "a.puzzle", data.replace(old, new)) == sentence


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xff\xfe{\0}\0", "it is not UTF-8 text."),
        (b"\0" * 100, "it is not a Puzzle Studio file (not JSON at line 1, column 1)."),
        (b"PK\x03\x04", "it is not a Puzzle Studio file (not JSON at line 1, column 1)."),
        (b" \n\t ", "it is empty."),
        (b"[]", "it is not a Puzzle Studio file."),
        (b"null", "it is not a Puzzle Studio file."),
        (b'"puzzle-studio"', "it is not a Puzzle Studio file."),
        (b"[" * 200_000, "it is nested too deeply."),
        (b'{"a":' * 200_000, "it is nested too deeply."),
    ],
)
def test_what_is_no_puzzle_file_is_refused(tmp_path: Path, data: bytes, sentence: str) -> None:
    assert refusal(tmp_path / "a.puzzle", data) == sentence


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.puzzle"
    with path.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(StudioError, match=r"^Cannot open huge\.puzzle: it is larger than 64 MB\.$"):
        load(path)


@pytest.mark.skipif(os.name == "nt", reason="needs the devices and pipes of POSIX")
def test_devices_and_pipes_are_not_even_opened(tmp_path: Path) -> None:
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(StudioError, match="a device or a pipe"):
            load(path)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    for path, why in (
        (tmp_path / "none.puzzle", "there is no such file"),
        (tmp_path, "it is a folder"),
        (tmp_path / ("n" * 300), "the file name is too long"),
        (tmp_path / "a\0b", "the file name is not valid"),
    ):
        with pytest.raises(StudioError) as told:
            load(path)
        assert str(told.value) == f"Cannot open {path.name}: {why}."


def test_the_largest_board_with_everything_edited_is_small_enough() -> None:
    element = len(
        '      {"locked_seed": 1234567890, "name": "GR199-GR200", "place": -0.1234567890123456, "plain": false,'
    )
    element += len('"rolls": 1000000, "side": -1, "size": 0.1234567890123456, "slant": -0.1234567890123456},\n')
    corner = len('      {"down": -0.1234567890123456, "name": "200,200", "right": -0.1234567890123456},\n')
    assert 2 * 200 * 200 * element + 201 * 201 * corner < store.LARGEST
