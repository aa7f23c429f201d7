"""The calendar puzzle as a kind of puzzle; what proves and draws it is loaded with the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from studio.checks.finding import Checked
from studio.geometry.joint import Inlay
from studio.geometry.shapes import Shapes
from studio.progress import Progress
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters
from studio.puzzles.calendar.problems import PROBLEMS
from studio.puzzles.kind import Dates, PuzzleKind
from studio.solving.solved import Solved, Tally

if TYPE_CHECKING:
    from studio.puzzles.calendar.geometry import CalendarShapes


def _generate(parameters: CalendarParameters, previous: CalendarDesign | None, progress: Progress) -> CalendarDesign:
    progress.step(0.0)
    if previous is None or previous.parameters.board != parameters.board:
        return CalendarDesign(parameters)
    return replace(previous, parameters=parameters)


def _shape(design: CalendarDesign, before: Shapes | None, progress: Progress) -> CalendarShapes:
    from studio.puzzles.calendar.geometry import shape

    return shape(design, before, progress)


def _check(design: CalendarDesign, shapes: Shapes, before: Checked | None, progress: Progress) -> Checked:
    from studio.puzzles.calendar.checks import check

    return check(design, shapes, before, progress)


def _verify(design: CalendarDesign) -> None:
    """Every design that can be read names only what is there."""


def _date(design: CalendarDesign, text: str) -> Sequence[str]:
    from studio.puzzles.calendar.questions import date_cells

    return date_cells(design, text)


def _labels(design: CalendarDesign, text: str) -> Sequence[str]:
    from studio.puzzles.calendar.questions import label_cells

    return label_cells(design, text)


def _solve(design: CalendarDesign, open_cells: Sequence[str], progress: Progress, *, most: int | None = None) -> Solved:
    from studio.puzzles.calendar.solve import count

    return count(design, open_cells, progress, most=most)


def _year(design: CalendarDesign, progress: Progress) -> Tally:
    from studio.puzzles.calendar.questions import tally

    return tally(design, progress)


def _joint(shapes: Shapes) -> Inlay:
    from studio.puzzles.calendar.joint import joint

    return joint(shapes)


CALENDAR = PuzzleKind(
    key="calendar",
    title="Calendar",
    summary="Pieces that cover the board but for a date, proven for every day of the year.",
    parameters=CalendarParameters,
    design=CalendarDesign,
    generate=_generate,
    shape=_shape,
    check=_check,
    problems=PROBLEMS,
    verify=_verify,
    joint=_joint,
    example=CalendarDesign,
    dates=Dates(_date, _labels, _solve, _year),
    checks_live=False,
)
