"""Edits of a slitherlink: what would not be one loop is refused with its reason, and locks hold."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.puzzles.slitherlink import edits
from studio.puzzles.slitherlink.generate import carry, generate
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters, cells_of


def board(*rows: str) -> SlitherlinkDesign:
    """A board with a loop round some cells and all clues given."""
    p = SlitherlinkParameters(columns=len(rows[0]), rows=len(rows))
    return SlitherlinkDesign(p, rows, ("#" * len(rows[0]),) * len(rows))


@pytest.mark.parametrize(
    ("rows", "cell", "words"),
    [
        (("#..", "...", "..."), 0, "A1 cannot switch sides: it is the only cell inside the loop."),
        (("#..", "...", "..."), 8, "C3 cannot switch sides: there would be 2 loops."),
        (("#..", "...", "..."), 4, "B2 cannot switch sides: the loop would touch itself at dot 1,1."),
        (("###", "###", "###"), 4, "B2 cannot switch sides: there would be 2 loops."),
        (("###", "...", "..."), 1, "B1 cannot switch sides: there would be 2 loops."),
    ],
)
def test_what_is_not_one_loop_is_refused_with_its_reason(rows: tuple[str, ...], cell: int, words: str) -> None:
    with pytest.raises(StudioError) as problem:
        edits.flipped(board(*rows), cell)
    assert str(problem.value) == words


def test_every_cell_of_a_generated_loop_flips_to_one_loop_or_says_why_not() -> None:
    design = generate(SlitherlinkParameters(columns=7, rows=7), SILENT)
    flips = 0
    for cell in range(49):
        try:
            other = edits.flipped(design, cell)
        except StudioError as problem:
            assert str(problem).endswith(".")
        else:
            flips += 1
            assert other.own_cells == (design.parameters.form.names[cell],)
            assert edits.flipped(other, cell).inside == design.inside
    assert 5 < flips < 49


def test_clues_follow_the_loop_and_are_given_or_hidden() -> None:
    design = board("##.", "...", "...")
    assert [design.clues[cell] for cell in (0, 1, 2, 3)] == [3, 3, 1, 1]
    other = edits.with_clues(edits.flipped(design, 2), {0: False, 1: True})
    assert 0 not in other.clues and other.clues[1] == 2
    assert other.own_clues == ("A1",), "the clue that was given already is not edited"


def test_locked_cells_outlive_another_seed_and_reset_ones_do_not() -> None:
    design = generate(SlitherlinkParameters(), SILENT)
    held = edits.locked(design, range(20), True)
    assert all(edits.is_locked(held, cell) for cell in range(20)) and not edits.is_locked(held, 20)
    other = carry(replace(design.parameters, seed=8), held, SILENT).design
    kept = [cell for cell in range(20) if edits.is_locked(other, cell)]
    assert kept and all(cells_of(other.inside)[cell] == cells_of(design.inside)[cell] for cell in kept)
    assert edits.reset(held, range(20), SILENT).design == design


def test_edited_cells_that_a_shape_leaves_no_way_to_are_named() -> None:
    design = generate(SlitherlinkParameters(), SILENT)
    inside = next(cell for cell, is_in in enumerate(cells_of(design.inside)) if is_in)
    held = edits.locked(design, [inside], True)
    shaped = edits.with_shape(held, [88, 89, 98], SILENT)
    assert shaped.dropped == held.own_cells and shaped.design.own_cells == ()
    assert edits.reset(held, [inside], SILENT).dropped == ()


def test_a_painted_shape_holds_the_loop_and_none_sets_it_free() -> None:
    design = generate(SlitherlinkParameters(columns=8, rows=8), SILENT)
    shape = [8 * row + column for row in range(2, 6) for column in range(2, 6)]
    shaped = edits.with_shape(design, shape, SILENT).design
    assert {cell for cell, is_in in enumerate(cells_of(shaped.inside)) if is_in} <= {*shape}
    assert edits.with_shape(shaped, [], SILENT).design == design


def picture(mode: str, ground: object, ink: object) -> bytes:
    """A disc in the middle of a picture."""
    y, x = np.mgrid[:120, :120]
    image = Image.new(mode, (120, 120), ground)  # type: ignore[arg-type]
    image.paste(ink, mask=Image.fromarray((np.hypot(x - 60, y - 60) < 40).astype(np.uint8) * 255))  # type: ignore[arg-type]
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


@pytest.mark.parametrize(
    ("mode", "ground", "ink"),
    [("L", 255, 0), ("L", 20, 200), ("RGB", (200, 30, 30), (30, 30, 200)), ("RGBA", (0, 0, 0, 0), (0, 0, 0, 255))],
    ids=["dark on light", "light on dark", "colours", "on nothing"],
)
def test_the_loop_is_the_outline_of_what_a_picture_shows(mode: str, ground: object, ink: object) -> None:
    for form in ("square", "hexagon"):
        design = generate(SlitherlinkParameters(grid=form, columns=12, rows=12), SILENT)
        shown = edits.with_outline(design, edits.silhouette_of(design, picture(mode, ground, ink)), SILENT).design
        p = shown.parameters
        places = p.form.middles(1.0)
        size = p.form.corners(1.0).max(axis=0)
        radius = min(size) / 3
        away = np.hypot(*(places - size / 2).T)
        inside = np.array(cells_of(shown.inside))
        assert p.loop == "outline" and inside[away < radius - 1].all() and not inside[away > radius + 1].any()


def test_a_picture_in_which_nothing_stands_out_is_refused() -> None:
    design = generate(SlitherlinkParameters(columns=5, rows=5), SILENT)
    for data, words in ((picture("L", 128, 128), "nothing in it stands out"), (b"no picture", "not a PNG, JPEG")):
        with pytest.raises(StudioError, match=words):
            edits.silhouette_of(design, data)
