"""Differences between two designs of one kind: their parameters, and the lines in only one of them.

Lines are compared as they lie on the board, not as they are named: a tongue that a new seed happens to give the same
shape is unchanged, and a border that is only divided elsewhere is, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.base.amounts import metres
from studio.base.errors import StudioError
from studio.base.parameters import declarations
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats
from studio.paper.leaflet import Area, Leaflet, Line, MarkGroup, Page, Words, box, shortened
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.kind import AnyKind

if TYPE_CHECKING:
    import shapely

FLATTENING = 0.02
"""The largest deviation in mm of the polylines by which lines are compared and drawn."""
NEAR = 0.05
"""Distance in mm within which two lines are the same: less than half a kerf."""
SHORTEST = 0.2
"""Length in mm below which parts are ignored, such as the place where a changed line leaves the old one."""
LONGEST = 400.0
"""The longer side in mm that the board has on the picture; a smaller board is drawn at its true size."""
MARGIN, SIZE, LEADING = 10.0, 4.0, 7.0
"""Margin around the board, height of the words below it, and distance of their lines, in mm."""
SAMPLE = 14.0
"""The length in mm of the sample of a line beside its words."""
DASHES = (1.6, 1.2)
KEPT, GONE, COME, INK, PAPER = "#9A9EA8", "#D55E00", "#0072B2", "#22242A", "#FFFFFF"
"""Vermilion and blue differ for colour-blind eyes too, and dashes differ from lines in print without colours."""
THIN, THICK = 0.25, 0.55
"""The widths of lines in mm."""


@dataclass(frozen=True)
class Setting:
    """A parameter with different values in two designs, in words."""

    name: str
    title: str
    before: str
    after: str


@dataclass(frozen=True, eq=False)
class Comparison:
    """Common and different parts of two designs.

    Lines are polylines (n, 2) in mm: `kept` of both designs, `gone` of the first alone, `come` of the second alone.
    `pieces` and `sizes` (width and height in mm) hold the first design's and the second's.
    """

    settings: tuple[Setting, ...]
    kept: tuple[Floats, ...]
    gone: tuple[Floats, ...]
    come: tuple[Floats, ...]
    pieces: tuple[int, int]
    sizes: tuple[tuple[float, float], tuple[float, float]]
    is_same: bool
    """True if the designs are equal, down to values that are not drawn."""

    @property
    def summary(self) -> tuple[str, ...]:
        """The differences in sentences, lines first."""
        if self.is_same:
            return (tr("No differences."),)
        lines = [
            tr("Removed: {gone}. Added: {come}. Unchanged: {kept}.", gone=_length(self.gone), come=_length(self.come),
               kept=_length(self.kept))
            if self.gone or self.come
            else tr("The lines are the same.")
        ]  # fmt: skip
        if self.pieces[0] != self.pieces[1]:
            lines.append(tr("Pieces: {before} → {after}", before=self.pieces[0], after=self.pieces[1]))
        lines += [f"{one.title}: {one.before} → {one.after}" for one in self.settings]
        if not (self.gone or self.come or self.settings):
            lines.append(tr("Only edits that are not drawn as lines differ."))
        return tuple(lines)

    def values(self) -> dict[str, Any]:
        """The same as one JSON value; lengths in mm."""
        return {
            "same": self.is_same,
            "removed": round(_total(self.gone), 3),
            "added": round(_total(self.come), 3),
            "unchanged": round(_total(self.kept), 3),
            "pieces": list(self.pieces),
            "parameters": {one.name: [one.before, one.after] for one in self.settings},
        }


def ensure_alike(one: AnyKind, other: AnyKind) -> None:
    """Raise StudioError for designs of different kinds."""
    if one is not other:
        raise StudioError(
            tr("A {one} cannot be compared with a {other}: choose two of a kind.", one=one.noun, other=other.noun)
        )


def names_of(one: Path, other: Path) -> tuple[str, str]:
    """Names of two files, with their folders if the names are equal."""
    return (one.name, other.name) if one.name != other.name else (str(one), str(other))


def compared(kind: AnyKind, before: Any, after: Any, progress: Progress) -> Comparison:
    """Compare two designs of a kind; raise StudioError for a kind without a drawing."""
    cut = kind.need(Cuttable)
    one = kind.shape(before, None, progress.part(0.0, 0.4))
    other = kind.shape(after, one, progress.part(0.4, 0.8))
    old, new = cut.drawing(one), cut.drawing(other)
    found = new.strokes.found_in(old.strokes)
    lost = np.delete(np.arange(len(old.strokes)), found[found >= 0])
    gone, come = _joined(old.strokes.chosen(lost)), _joined(new.strokes.chosen(np.flatnonzero(found < 0)))
    progress.step(0.9)
    still = _lines(new.strokes.chosen(np.flatnonzero(found >= 0)))
    return Comparison(
        _settings(before.parameters, after.parameters),
        (*still, *_parts(come, gone, is_beside=False)),
        _parts(gone, come, is_beside=True),
        _parts(come, gone, is_beside=True),
        (cut.piece_count(one), cut.piece_count(other)),
        ((old.width, old.height), (new.width, new.height)),
        before == after,
    )


def picture(found: Comparison, names: tuple[str, str]) -> Leaflet:
    """One page with the lines of both designs and a legend below; `names` are the designs' names."""
    width, height = (max(side) for side in zip(*found.sizes, strict=True))
    scale = min(1.0, LONGEST / max(width, height))
    across = max(width * scale, 120.0)
    groups = [
        MarkGroup(name, tuple(_line(line * scale + MARGIN, name) for line in lines))
        for name, lines in (("unchanged", found.kept), ("removed", found.gone), ("added", found.come))
        if lines
    ]
    words = [tr("In both"), tr("Only in {name}", name=names[0]), tr("Only in {name}", name=names[1])]
    foot = 2 * MARGIN + height * scale
    marks: list[Line | Words] = []
    for row, (name, text) in enumerate(zip(("unchanged", "removed", "added"), words, strict=True)):
        level = foot + row * LEADING
        marks.append(_line(np.array([(MARGIN, level - SIZE / 3), (MARGIN + SAMPLE, level - SIZE / 3)]), name))
        marks.append(_words(text, MARGIN + SAMPLE + 3, level, across + MARGIN))
    for row, text in enumerate(found.summary, len(words)):
        marks.append(_words(text, MARGIN, foot + row * LEADING + 3, across + MARGIN))
    size = (across + 2 * MARGIN, foot + (len(words) + len(found.summary)) * LEADING + 3)
    paper = MarkGroup("paper", (Area((box(0.0, 0.0, *size),), PAPER),))
    page = Page(*size, (paper, *groups, MarkGroup("legend", tuple(marks))))
    return Leaflet(tr("{before} and {after}", before=names[0], after=names[1]), (page,))


def _line(points: Floats, name: str) -> Line:
    colour, width, dashes = {
        "unchanged": (KEPT, THIN, ()), "removed": (GONE, THICK, DASHES), "added": (COME, THICK, ()),
    }[name]  # fmt: skip
    return Line(points, colour, width, dashes=dashes)


def _words(text: str, left: float, foot: float, right: float) -> Words:
    return Words(shortened(text, SIZE, right - left), (left, foot), SIZE, INK)


def _lines(strokes: Curves) -> list[Floats]:
    flat = strokes.flattened(FLATTENING)
    return [flat[at] for at in range(len(flat))]


def _joined(strokes: Curves) -> shapely.MultiLineString:
    import shapely

    return shapely.MultiLineString(_lines(strokes))


def _parts(lines: shapely.Geometry, others: shapely.Geometry, *, is_beside: bool) -> tuple[Floats, ...]:
    """The parts of lines beside other lines, or on them."""
    import shapely

    near = shapely.buffer(others, NEAR)
    parts = shapely.line_merge(shapely.difference(lines, near) if is_beside else shapely.intersection(lines, near))
    return tuple(shapely.get_coordinates(part) for part in shapely.get_parts(parts) if shapely.length(part) >= SHORTEST)


def _settings(before: Any, after: Any) -> tuple[Setting, ...]:
    known = ((each, getattr(before, each.name), getattr(after, each.name)) for each in declarations(type(before)))
    return tuple(
        Setting(each.name, each.title, each.formatted(one), each.formatted(other))
        for each, one, other in known
        if one != other
    )


def _total(lines: Sequence[Floats]) -> float:
    return float(sum(np.hypot(*np.diff(line, axis=0).T).sum() for line in lines))


def _length(lines: Sequence[Floats]) -> str:
    return metres(_total(lines))
