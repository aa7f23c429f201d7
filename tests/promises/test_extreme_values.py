"""What a form admits can be made: a value is refused with its bounds, found by a check, or written and read back."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.parameters import Declaration, ParameterError, declarations
from studio.base.progress import SILENT
from studio.exporting.formats import LASER
from studio.exporting.laser_files import write_all
from studio.exporting.writing import write_solids
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.puzzles.abilities.cuttable import Cuttable, Limits, beyond
from studio.puzzles.abilities.printable import Printable
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kind, kinds
from tests.depth import THOROUGH, examples

TINY = (5e-324, 1e-320, 1e-100, 1e-16, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
LARGEST_PDF = 5080.0
"""Millimetres of the longest side of a page in PDF: 200 inches."""
MOST = 4
"""Columns, rows and voxels along a side at the most: what is looked for does not depend on their number."""
LARGE = Machine(bed_width=5000.0, bed_height=5000.0)


def values(known: Declaration) -> st.SearchStrategy[Any]:
    """Values that a form admits, those near the bounds and the default first."""
    low, high = known.limits
    if known.type == "flag":
        return st.booleans()
    if known.type == "choice":
        return st.sampled_from([choice.value for choice in known.choices])
    if known.type == "text":
        return st.sampled_from(["", "W", "Anna", "a | é", "'"])
    if known.type in ("integer", "seed"):
        return st.integers(int(low), int(min(high, max(low, MOST))))
    ends = [low, high, *(low + tiny for tiny in TINY), *(tiny for tiny in TINY if low < 0), known.default + 1e-9]
    return st.sampled_from([end for end in ends if low <= end <= high]) | st.floats(low, high)


def few(one: AnyKind) -> st.SearchStrategy[dict[str, Any]]:
    """Up to four parameters of a small design with other values than usual."""
    known = {each.name: each for each in declarations(one.parameters)}
    small = {each.name: max(int(each.limits[0]), MOST) for each in known.values() if each.type == "integer"}
    drawn = st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=4, unique=True)
    return drawn.flatmap(lambda names: st.fixed_dictionaries({name: values(known[name]) for name in names})).map(
        lambda asked: {name: value for name, value in small.items() if known[name].limits[1] <= 500} | asked
    )


def is_made(one: AnyKind, asked: dict[str, Any], folder: Path) -> bool:
    """Whether a design with these parameters is written and read back; False for one that a sentence refuses."""
    try:
        design = one.generate(one.parameters(**asked), None, SILENT).design
    except ParameterError as problem:
        assert str(problem).endswith(".") and "\n" not in str(problem)
        return False
    shapes = one.shape(design, None, SILENT)
    checked = one.check(design, shapes, None, SILENT)
    if checked.errors:
        return False
    cut, printed = one.need(Cuttable), one.able(Printable)
    limits = Limits.with_margin("Large", LARGE.bed_width, LARGE.bed_height)
    too_large = beyond(cut, design, shapes, limits, lambda other: one.shape(other, None, SILENT))
    try:
        for kerf, lines in product((0.15, 0.3) if THOROUGH else (0.15,), ("shared", "separate")):
            making = Making(lines=lines, kerf=kerf)
            sheets = made(cut.drawing(shapes), making, LARGE, Material(), SILENT, tray=cut.tray(shapes))
            for suffix in [one.suffix for one in LASER.members if not one.is_picture][: None if THOROUGH else 2]:
                drawn = (*sheets.sheets, *sheets.tray_sheets)
                if suffix == ".pdf" and any(max(each.width, each.height) > LARGEST_PDF for each in drawn):
                    with pytest.raises(StudioError, match="exceeds the PDF limit"):
                        write_all(sheets.sheets, folder / f"board{suffix}", tray=sheets.tray_sheets)
                    continue
                write_all(sheets.sheets, folder / f"board{suffix}", beside=sheets.beside, tray=sheets.tray_sheets)
        if THOROUGH and printed is not None:
            write_solids(printed.bodies(shapes, SILENT), folder / "board.3mf")
    except StudioError as problem:
        assert checked.findings or too_large, f"no finding, yet: {problem}"
        return False
    return True


@pytest.mark.thorough
@pytest.mark.parametrize("one", kinds(), ids=lambda one: one.key)
def test_every_value_that_a_form_admits_is_made_or_refused_in_a_sentence(one: AnyKind, tmp_path: Path) -> None:
    done: list[bool] = []

    @given(asked=few(one))
    @settings(max_examples=examples(6, 200), database=None, suppress_health_check=list(HealthCheck))
    def sweep(asked: dict[str, Any]) -> None:
        done.append(is_made(one, asked, tmp_path))

    sweep()
    assert any(done), "something was made"


@pytest.mark.parametrize("tiny", TINY[:-1])
def test_a_height_that_no_letter_has_is_refused_with_the_bounds(tiny: float) -> None:
    heights = {"calendar": "text", "cube": "text_height", "slitherlink": "clue"}
    for one in kinds():
        if one.key in heights:
            name = heights[one.key]
            with pytest.raises(ParameterError, match=rf"^{name} must be 0, or 0\.1 to \d+ mm, not .*\.$"):
                one.parameters(**{name: tiny})
            assert getattr(one.parameters(**{name: 0.1}), name) == 0.1


@pytest.mark.parametrize(
    ("key", "asked"),
    [
        ("calendar", {"cell": 5.0005}),
        ("jigsaw", {"columns": 9, "rows": 1, "perturbation": 1e-16, "tongue_style": "article"}),
        ("jigsaw", {"columns": 2, "rows": 2, "corner_radius": 5e-324, "border": "wandering"}),
        ("zigzaw", {"columns": 8, "rows": 3, "radius": 0.001, "finish": "plain"}),
    ],
    ids=["sharp bends", "curves that stand still", "no radius to speak of", "bends that vanish"],
)
def test_lines_shorter_than_a_polyline_strays_are_written(key: str, asked: dict[str, Any], tmp_path: Path) -> None:
    assert is_made(kind(key), asked, tmp_path)
