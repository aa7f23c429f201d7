"""Bodies: unions of stickers that tile like the cubes, and refusals of those that do not."""

from dataclasses import replace

import pytest
import shapely

from studio.base.encode import decode
from studio.base.errors import StudioError
from studio.base.json_files import read
from studio.puzzles.zigzaw.piece_forms import BODIES, FOLDER, STEPS, STICKERS, Named, Stored, body, body_of

LARGEST_FILE = 2**16

every_body = pytest.mark.parametrize("name", BODIES)


def stored(name: str) -> Stored:
    return decode(Stored, read(FOLDER / f"{name}.json", LARGEST_FILE), name, object)


def test_the_table_has_every_file_and_its_title() -> None:
    assert {path.stem: stored(path.stem).title for path in FOLDER.glob("*.json")} == BODIES


@every_body
def test_a_body_has_every_sticker_of_a_cube_once(name: str) -> None:
    stickers = [sticker for limb in body(name).limbs for sticker in limb.stickers]
    assert sorted(stickers) == sorted(STICKERS) and len(stickers) == 27


@every_body
def test_copies_at_all_steps_overlap_by_nothing_and_leave_no_hole(name: str) -> None:
    one = shapely.Polygon(body(name).outline)
    assert one.is_valid and one.area == 27 * 2, "a sticker has two lattice units"
    copies = [
        shapely.transform(one, lambda points, shift=(6 * a + 3 * b, 9 * b): points + shift)
        for a in range(-3, 4)
        for b in range(-3, 4)
    ]
    whole = shapely.union_all(copies)
    assert whole.area == 49 * one.area, "nothing overlaps"
    assert isinstance(whole, shapely.Polygon) and not whole.interiors, "no hole is left"


def test_the_frog_is_as_tall_and_wide_and_long_round_as_the_one_of_1982() -> None:
    frog = body("frog")
    (low_x, low_y), (high_x, high_y) = (
        map(min, zip(*frog.outline, strict=True)),
        map(max, zip(*frog.outline, strict=True)),
    )
    assert (high_x - low_x, high_y - low_y) == (9, 14) and len(frog.outline) == 40
    sizes = {limb.name: len(limb.stickers) for limb in frog.limbs}
    assert sizes == {
        "body": 9, "left_side": 4, "right_side": 4, "left_leg": 3, "right_leg": 3, "left_arm": 2, "right_arm": 2,
    }  # fmt: skip
    assert {limb.step for limb in frog.limbs} <= set(STEPS)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (replace(stored("frog"), outline=stored("frog").outline[:-1]), "does not follow sticker edges"),
        (replace(stored("frog"), outline=((3, 3.5), (0, 5), (0, 6), (3, 4.5))), "has sticker .* times"),
        (replace(stored("frog"), limbs=stored("frog").limbs[1:]), "needs a different name for each of its limbs"),
        (
            replace(stored("frog"), limbs=(*stored("frog").limbs[:-1], Named("body", "R W"))),
            "needs a different name for each",
        ),
    ],
)  # fmt: skip
def test_what_is_no_body_is_refused_in_a_sentence(changed: Stored, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        body_of(changed)
