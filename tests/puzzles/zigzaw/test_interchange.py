"""A zigzaw in JSON comes back with the same pieces; whatever is wrong with one is told in a sentence that names it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.puzzles.abilities.ability import Source
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.interchange import read, write
from studio.puzzles.zigzaw.kind import JsonOptions
from studio.puzzles.zigzaw.model import Paint, ZigzawDesign, ZigzawParameters, count, layout, matching, numbers, side_of
from studio.puzzles.zigzaw.piece_forms import Cube
from studio.solving.edges import UNKNOWN

LARGEST = 4 * 2**20

SCHEMA = Path(studio.__file__).parents[1] / "resources" / "schemas" / "zigzaw.json"


def generated(**parameters: object) -> ZigzawDesign:
    return generate(ZigzawParameters(**parameters), SILENT)  # type: ignore[arg-type]


SMALL = generated(columns=4, rows=3, seed=5)


def written(design: ZigzawDesign, solution: bool = False) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(write(design, JsonOptions(solution), SILENT))
    return value


def back(value: object) -> ZigzawDesign:
    return read([Source("some.json", json.dumps(value).encode())], SILENT)


def by_number(design: ZigzawDesign) -> dict[int, tuple[str, ...]]:
    """The names of the colours of each piece's limbs, by its number."""
    names = [paint.name for paint in design.palette]
    pieces = (tuple(names[paint] for paint in piece) for piece in matching(design).pieces)
    return dict(zip(numbers(design).tolist(), pieces, strict=True))


def ring_form(design: ZigzawDesign) -> dict[str, Any]:
    """The other form of JSON: the border as cells around the pieces, each with the limbs that can be seen of it."""
    p, known, names = design.parameters, matching(design), [paint.name.lower() for paint in design.palette]
    border = []
    for cube in (cube for cube in design.triples if cube not in layout(p).places):
        cell: dict[str, Any] = {"row": cube.row, "col": cube.column}
        for limb in design.body.limbs:
            beside = cube.beside(limb.step)
            is_on = 0 <= beside.row < p.rows + 2 and 0 <= beside.column < p.columns + 2
            paint = known.given[side_of(p.columns + 2, beside, limb.face)] if is_on else UNKNOWN
            # Off the board something is seen of cubes that nobody needs.
            cell[limb.name] = names[paint] if paint != UNKNOWN else None if is_on else names[0]
        border.append(cell)
    pieces = [
        {"id": number - 1} | dict(zip((limb.name for limb in design.body.limbs), map(str.lower, piece), strict=True))
        for number, piece in sorted(by_number(design).items())
    ]
    return {"source": "a test", "colours": names[:6], "rows": p.rows, "cols": p.columns, "pieces": pieces,
            "border": border}  # fmt: skip


@pytest.mark.parametrize("solution", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_pieces_come_back_with_their_numbers_and_the_same_text(seed: int, solution: bool) -> None:
    design = generated(columns=5 + seed, rows=4, seed=seed, scheme=("real", "any")[seed % 2], palette="safe")
    data = write(design, JsonOptions(solution), SILENT)
    again = read([Source("some.json", data)], SILENT)
    assert by_number(again) == by_number(design)
    assert again.palette == design.palette and again.parameters.scheme == design.parameters.scheme
    assert write(again, JsonOptions(solution), SILENT) == data
    assert ("solution" in json.loads(data)) is solution


def test_the_order_of_the_pieces_says_nothing_of_their_places() -> None:
    places = [place for row in written(SMALL, solution=True)["solution"] for place in row]
    assert sorted(places) == list(range(1, 13)) != places
    assert [piece["number"] for piece in written(SMALL)["pieces"]] == list(range(1, 13))


def test_an_own_palette_comes_back() -> None:
    paints = tuple(Paint(f"Tone {number}", f"#1030{number}0") for number in range(6))
    design = ZigzawDesign(SMALL.parameters, SMALL.cubes, paints=paints)
    again = back(written(design))
    assert again.paints == paints and by_number(again) == by_number(design)


def test_what_is_written_is_as_the_schema_says() -> None:
    schema, value = json.loads(SCHEMA.read_text(encoding="utf-8")), written(SMALL, solution=True)
    assert set(schema["required"]) <= set(value) == set(schema["properties"])
    for name, is_a in (("colours", dict), ("pieces", dict), ("border", dict), ("solution", list)):
        items = schema["properties"][name]["items"]
        items = items.get("oneOf", [items])[-1]
        for one in value[name]:
            assert isinstance(one, is_a)
            if isinstance(one, dict):
                assert set(items["required"]) <= set(one)
                known = items["additionalProperties"] or set(one) <= set(items["properties"])
                assert known
    assert all(re.match(schema["properties"]["border"]["items"]["properties"]["cube"]["pattern"], one["cube"])
               for one in value["border"])  # fmt: skip


def test_the_form_with_a_ring_of_cells_is_read_and_has_one_solution() -> None:
    design = generated(columns=6, rows=5, seed=9, scheme="any")
    again = back(ring_form(design))
    assert by_number(again) == by_number(design)
    known = count(again, (), Progress())
    assert (known.solutions, known.complete) == (1, True)
    assert known.nodes == count(design, (), Progress()).nodes


def test_border_faces_that_are_not_known_stay_unpainted() -> None:
    value = written(SMALL)
    value["border"] = [cube | {"top": None} for cube in value["border"]]
    for cube in value["border"]:
        del cube["top"]
    again = back(value)
    assert "." in " ".join(again.cubes) and by_number(again) == by_number(SMALL)


def without(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda value: value.pop(name)


def set_limb(number: int, limb: str, colour: object) -> Callable[[dict[str, Any]], object]:
    return lambda value: value["pieces"][number - 1].__setitem__(limb, colour)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (without("pieces"), "pieces is missing."),
        (without("columns"), "columns is missing."),
        (lambda v: v.update(version=2), "version must be 1, not 2."),
        (lambda v: v.update(format="jigsaw"), "format must be 'zigzaw', not 'jigsaw'."),
        (lambda v: v.update(columns=41), "columns must be a whole number from 3 to 40, not 41."),
        (lambda v: v.update(rows="3"), "rows must be a whole number from 3 to 40, not '3'."),
        (lambda v: v.update(body="cow"), r"body must be .*frog.*, not 'cow'."),
        (lambda v: v.update(more=1), "more is unknown."),
        (lambda v: v.update(pieces={}), "pieces must be a list, not an object."),
        (lambda v: v["pieces"][6].pop("left_arm"), "piece 7 has no left_arm."),
        (lambda v: v["pieces"][6].update(tail="Red"), "piece 7.tail is unknown."),
        (set_limb(3, "left_leg", "Mauve"), "piece 3 has 'Mauve' as its left_leg; the colours are .*"),
        (set_limb(3, "body", 4), "piece 3 has 4 as its body; the colours are .*"),
        (set_limb(3, "number", 5), "two pieces have the number 5."),
        (set_limb(3, "number", 30), "the pieces must be numbered 1 to 12; one has number 30."),
        (set_limb(3, "number", None), r"pieces\[2\] needs a whole number as its number."),
        (lambda v: v["pieces"].pop(), "the board needs 12 pieces, not 11."),
        (lambda v: v.update(colours=["Red", "White"]), "there must be 3 to 12 colours, not 2."),
        (lambda v: v.update(colours=["Red", "White", "Mauve"]), r"colours\[2\]: unknown colour .Mauve.\. .*"),
        (lambda v: v["colours"][1].update(colour="#12345"), r"colours\[1\].colour must be written like #1A2B3C.*"),
        (lambda v: v["colours"][1].update(name="white"), "two colours are named 'white'."),
        (lambda v: v["border"][0].update(cube="Z9"), r"border\[0\]: the board has no cube 'Z9'."),
        (lambda v: v["border"].append({"cube": "B2", "top": "Red"}), "the border does not show the top .* B2."),
        (lambda v: v["border"].append(v["border"][0] | {"top": "Mauve"}), "the cube 0,0 has 'Mauve' as its top; .*"),
        (lambda v: v["solution"][0].reverse(), "its solution has piece .* at .*, where the .* must be .*, not .*."),
        (lambda v: v["solution"].pop(), "solution must be a list of 3 rows."),
        (lambda v: v["solution"][0].pop(), r"solution\[0\] must be a list of 4 whole numbers."),
        (lambda v: v["solution"][0].__setitem__(0, 99), "solution must list each piece from 1 to 12 exactly once."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_sentence(spoil: Callable[[dict[str, Any]], object], sentence: str) -> None:
    value = written(SMALL, solution=True)
    spoil(value)
    with pytest.raises(StudioError) as told:
        back(value)
    assert re.fullmatch(sentence, str(told.value)), str(told.value)


def test_a_border_that_does_not_close_is_refused_in_both_forms() -> None:
    value = written(SMALL)
    first = next(cube for cube in value["border"] if "left" in cube)
    value["border"].append({"cube": first["cube"], "left": "Red" if first["left"] != "Red" else "Blue"})
    with pytest.raises(
        StudioError, match=r"^the border contradicts itself: the left of the cube .* is \w+ in border\[\d+\]"
    ):
        back(value)
    ring = ring_form(SMALL)
    cell = next(one for one in ring["border"] if (one["row"], one["col"]) == (4, 2))
    cell["left_arm"] = next(name for name in ring["colours"] if name != cell["left_arm"])
    beside = Cube(4, 2).beside("NE")
    with pytest.raises(
        StudioError, match=rf"^the border contradicts itself: the left of .*in .* of the cell 4,2|{beside.row}"
    ):
        back(ring)


def test_pieces_that_do_not_fit_together_are_refused_with_how_far_they_came() -> None:
    value = written(SMALL)
    limbs = value["pieces"][4]
    limbs["right_arm"] = next(one["name"] for one in value["colours"] if one["name"] != limbs["right_arm"])
    with pytest.raises(StudioError, match=r"^its pieces do not fit together .*: at most \d+ of 12 can be placed\.$"):
        back(value)


def test_a_search_that_outruns_its_limit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.puzzles.zigzaw.generate.MOST_NODES", 5)
    with pytest.raises(StudioError, match=r"^no solution found after 5 pieces tried\.$"):
        back(written(SMALL))
    assert by_number(back(written(SMALL, solution=True))) == by_number(SMALL), "what is said need not be sought"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is empty."),
        (b"\x89PNG\r\n", "it is not UTF-8 text."),
        (b'{"format": "zigzaw", ', r"the file is incomplete \(ends at line 1, .*"),
        (b"frogs", r"it is not a Puzzle Studio file \(not JSON at line 1, .*"),
        (b"[1]", "it is not a zigzaw: pieces or border are missing."),
        (b'{"pieces": []}', "it is not a zigzaw: pieces or border are missing."),
        (b'{"format": 1, "format": 2}', "'format' appears twice."),
        (b"[" * 100_000, "it is nested too deeply."),
        (b" " * (LARGEST + 1), "it is larger than 4 MB."),
        (b'{"pieces": [], "border": []}', "rows is missing."),
    ],
)
def test_what_is_no_zigzaw_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(StudioError) as told:
        read([Source("some.json", data)], SILENT)
    assert re.fullmatch(sentence, str(told.value)), str(told.value)


def test_cells_of_a_ring_are_read_with_care() -> None:
    for change, sentence in (
        ({"row": 9}, r"border\[0\] is off the board, at 9, 0."),
        ({"body": "mauve"}, r"the border cell 0,0 has 'mauve' as its body; .*"),
    ):
        value = ring_form(SMALL)
        value["border"][0].update(change)
        with pytest.raises(StudioError, match=sentence):
            back(value)
    value = ring_form(SMALL)
    del value["border"][1]["left_leg"]
    with pytest.raises(StudioError, match=r"border\[1\].left_leg is missing\."):
        back(value)
