"""The same design with one or two of its parameters apart, side by side: each variant drawn and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.parameters import Declaration, checked, declaration, declarations, parsed, written
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.geometry.planar.drawing import Drawing
from studio.paper.leaflet import Anchor, Area, Leaflet, Line, Mark, MarkGroup, Page, Words, box, capitals, shortened
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.kind import AnyKind

STEPS = 12.0
"""Divisor of a number's range, or of three times its value if that is less, for the step of variants."""
MOST = 5
"""Values along a side: of more, each picture would be too small to judge."""
CELL, GAP, MARGIN, SIZE = 80.0, 8.0, 10.0, 3.6
"""Layout in mm: longer side of a variant, gap, margin, and height of words."""
INK, QUIET, BAD, PAPER, THIN = "#22242A", "#6B6F78", "#C8321E", "#FFFFFF", 0.2


@dataclass(frozen=True)
class Axis:
    """A parameter and its values to try, the design's own perhaps among them."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Variant:
    """A design with other values. If `refusal` says why there is none, there is no drawing, either."""

    values: tuple[Any, ...]
    design: Any = None
    drawing: Drawing | None = None
    errors: int = 0
    warnings: int = 0
    refusal: str = ""

    @property
    def verdict(self) -> str:
        """Result of the check, in a few words."""
        if self.refusal:
            return self.refusal
        if self.errors:
            return many(self.errors, "error")
        return many(self.warnings, "warning") if self.warnings else tr("No problems")


def variable(kind: AnyKind, design: Any) -> tuple[Declaration, ...]:
    """The parameters that can be varied: all but texts and parameters with a single value."""
    known = declarations(kind.parameters)
    return tuple(each for each in known if len(around(each, getattr(design.parameters, each.name)).values) > 1)


def around(known: Declaration, value: Any) -> Axis:
    """A parameter and values near its own: neighbours of a choice, or a number one step less and one step more."""
    if known.type == "text":
        return Axis(known.name, (value,))
    if known.type == "flag":
        return Axis(known.name, (False, True))
    if known.type == "choice":
        values = [each.value for each in known.choices]
        at = values.index(value)
        first = min(max(at - 1, 0), max(len(values) - 3, 0))
        return Axis(known.name, tuple(values[first : first + 3]))
    if known.type == "seed":
        return Axis(known.name, _within(known, [value, value + 1, value + 2]))
    # Step of a varied number: a share of its range or of itself, in whole steps of its field.
    low, high = known.limits
    unit = known.step or (1.0 if known.type == "integer" else 0.01)
    if known.type == "integer":
        unit = max(1.0, round(unit))
    wanted = min((high - low) / STEPS, abs(value) * 3 / STEPS if value else 5 * unit)
    step = max(1, round(wanted / unit)) * unit
    return Axis(known.name, _within(known, [value - step, value, value + step]))


def _within(known: Declaration, values: Sequence[float]) -> tuple[Any, ...]:
    """Values in bounds, each once, ascending."""
    low, high = known.limits
    kept = sorted({min(max(round(each, 6), low), high) for each in values})
    if known.least:
        kept = [each for each in kept if each == 0 or each >= known.least]
    return tuple(each if known.type == "number" else int(each) for each in kept)


def ensure_axes(kind: AnyKind, axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """The axes with checked values; raises StudioError for values that cannot be, too many of them, or a name twice."""
    known = {each.name: each for each in declarations(kind.parameters)}
    if not 1 <= len(axes) <= 2 or len({axis.name for axis in axes}) < len(axes):
        raise StudioError(tr("Choose one parameter to vary, or two different ones."))
    for axis in axes:
        if not 1 <= len(axis.values) <= MOST:
            raise StudioError(tr("{name} takes up to {most} values side by side.", name=axis.name, most=MOST))
    return tuple(Axis(axis.name, tuple(checked(known[axis.name], value) for value in axis.values)) for axis in axes)


def varied(kind: AnyKind, design: Any, axes: Sequence[Axis], progress: Progress) -> tuple[tuple[Variant, ...], ...]:
    """Rows of variants: the first axis across, the second down; raises StudioError for axes that cannot be."""
    across, *rest = ensure_axes(kind, axes)
    rows = [(value,) for value in rest[0].values] if rest else [()]
    names, total = [axis.name for axis in (across, *rest)], len(rows) * len(across.values)
    made = []
    for at, row in enumerate(rows):
        line = []
        for column, value in enumerate(across.values):
            done = at * len(across.values) + column
            part = progress.part(done / total, (done + 1) / total)
            line.append(_variant(kind, design, dict(zip(names, (value, *row), strict=True)), part))
        made.append(tuple(line))
    return tuple(made)


def _variant(kind: AnyKind, design: Any, values: dict[str, Any], progress: Progress) -> Variant:
    progress.step(0.0)
    try:
        parameters = replace(design.parameters, **values)
        made = kind.generate(parameters, design, progress.part(0.0, 0.3)).design
        shapes = kind.shape(made, None, progress.part(0.3, 0.7))
        found = kind.check(made, shapes, None, progress.part(0.7, 1.0)).findings
    except StudioError as problem:
        return Variant(tuple(values.values()), refusal=str(problem))
    severities = [one.severity for one in found]
    return Variant(tuple(values.values()), made, kind.need(Cuttable).drawing(shapes),
                   severities.count(Severity.ERROR), severities.count(Severity.WARNING))  # fmt: skip


def axis_from(kind: AnyKind, name: str, text: str) -> Axis:
    """The values of a parameter in a text with commas; raises StudioError for values that cannot be.

    If commas are decimal marks, as in `0,2, 0,3` or `0,2; 0,3`, a blank or a semicolon separates the values.
    """
    known = declaration(kind.parameters, name)
    mark = next((each for each in (";", ", ") if each in text), ",")
    values = [each.strip() for each in text.split(mark) if each.strip(" ,")]
    if not values:
        raise StudioError(tr("{title} needs values with commas, such as {example}.", title=known.title,
                             example=text_of(around(known, known.default))))  # fmt: skip
    return Axis(name, tuple(parsed(known, value) for value in values))


def text_of(axis: Axis) -> str:
    """The values of an axis in a text with commas, as they are written on the command line."""
    return ", ".join(map(written, axis.values))


def titles(kind: AnyKind, axis: Axis) -> tuple[str, ...]:
    """Titles of an axis's variants: the parameter and each of its values."""
    known = next(each for each in declarations(kind.parameters) if each.name == axis.name)
    return tuple(f"{known.title}: {known.formatted(value)}" for value in axis.values)


def picture(kind: AnyKind, rows: Sequence[Sequence[Variant]], axes: Sequence[Axis], title: str) -> Leaflet:
    """One page with all variants at one scale, named and counted below each."""
    drawings = [one.drawing for row in rows for one in row if one.drawing is not None]
    longest = max((max(one.width, one.height) for one in drawings), default=1.0)
    scale, below = CELL / longest, 3 * SIZE * 1.5
    height = max((one.height * scale for one in drawings), default=CELL)
    words = [titles(kind, axis) for axis in axes]
    groups = []
    for down, row in enumerate(rows):
        for across, one in enumerate(row):
            corner = (MARGIN + across * (CELL + GAP), MARGIN + down * (height + below + GAP))
            lines = [words[0][across], *(words[1][down : down + 1] if len(words) > 1 else ()), one.verdict]
            marks: list[Mark] = [
                *_drawn(one, corner, scale),
                *_told(lines, corner, height, is_bad=bool(one.errors or one.refusal)),
            ]
            groups.append(MarkGroup(f"variant-{down + 1}-{across + 1}", tuple(marks)))
    size = (2 * MARGIN + len(rows[0]) * (CELL + GAP) - GAP, 2 * MARGIN + len(rows) * (height + below + GAP) - GAP)
    paper = MarkGroup("paper", (Area((box(0.0, 0.0, *size),), PAPER),))
    return Leaflet(title, (Page(*size, (paper, *groups)),))


def _drawn(one: Variant, corner: tuple[float, float], scale: float) -> list[Line]:
    if one.drawing is None:
        return []
    strokes = one.drawing.strokes
    shift = [corner[0] + (CELL - one.drawing.width * scale) / 2, corner[1]]
    return [Line(strokes[at] * scale + shift, INK, THIN, curved=True) for at in range(len(strokes))]


def _told(lines: Sequence[str], corner: tuple[float, float], height: float, *, is_bad: bool) -> list[Words]:
    middle, foot = corner[0] + CELL / 2, corner[1] + height + SIZE / 2 + capitals(SIZE)
    colours = [INK] * (len(lines) - 1) + [BAD if is_bad else QUIET]
    return [
        Words(shortened(text, SIZE, CELL), (middle, foot + row * SIZE * 1.5), SIZE, colour, Anchor.MIDDLE)
        for row, (text, colour) in enumerate(zip(lines, colours, strict=True))
    ]
