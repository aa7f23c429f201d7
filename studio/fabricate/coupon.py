"""Fit coupons for the laser: a joint of the puzzle at several kerfs, to be cut once and tested.

A coupon is pairs of blocks that fit, such as a tongue (a) and its socket (b), with outlines offset for the kerf
engraved on them. The pair with the best fit shows the kerf to keep with the material.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import Validated, integer, number
from studio.base.texts import tr
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.workshop import Machine, Material, Named
from studio.geometry.art.lettering import lettered, width_of
from studio.geometry.curves.strokes import Curves, Floats, closed_through, through
from studio.geometry.planar.drawing import Drawing, Inlay, Joint, Operation, Path, Pieces, Seam, closed_parts

FLATTENING = 0.02
"""Largest deviation in mm of a polyline from a measured curve."""
LABEL_HEIGHT = 3.0
LEAST_LABEL = 1.0
"""Least height in mm of readable letters."""
HEADING_HEIGHT = 4.0
CLEARANCE = 2.5
"""Least wood in mm around a label."""
FLANK = 3.0
"""Least distance in mm by which a block reaches beyond its joint."""
BLOCK_SPACING = 3.0
"""Distance in mm between two blocks, and between a block and the edge of the sheet."""
_TAIL = 1 / 3
"""Depth of letters below their baseline, as a fraction of the height of capitals."""


@dataclass(frozen=True)
class CouponOptions(Validated):
    """Kerfs to test. Raises ParameterError for values out of bounds."""

    first: float = number(0.0, title="First kerf", minimum=0, maximum=2, step=0.01, unit="mm",
        help="Kerf of the first pair.")  # fmt: skip
    step: float = number(0.05, title="Step", minimum=0.005, maximum=0.5, step=0.01, unit="mm",
        help="Kerf increase from pair to pair.")  # fmt: skip
    count: int = integer(7, title="Pairs", minimum=1, maximum=40, help="Number of pairs to cut.")

    @property
    def kerfs(self) -> tuple[float, ...]:
        """Kerf of every pair in mm, to the three decimals that its label can show."""
        return tuple(round(self.first + at * self.step, 3) for at in range(self.count))


def kerfs_around(material: Material) -> CouponOptions:
    """Make options with the material's present kerf in the middle, as far as kerfs stay at least 0."""
    usual = CouponOptions()
    return CouponOptions(first=max(0.0, round(material.kerf - usual.step * (usual.count // 2), 3)))


def coupon(joint: Joint, material: Named[Material], options: CouponOptions, machine: Machine) -> Drawing:
    """Lay out the smallest sheet of pairs of blocks with a joint at every kerf of the options.

    Labels are engraved first, then each block is cut separately. Raise StudioError if the joint does not survive an
    offset or has no room for a label, if the sheet is too large for the bed, or if the material's title has a character
    that the single-line font lacks.
    """
    width = max(width_of(_label(kerf, "a"), 1.0) for kerf in options.kerfs)
    pair = _seamed(joint, width) if isinstance(joint, Seam) else _inlaid(joint, width)
    blocks = [block for kerf in options.kerfs for block in _blocks(pair, kerf, material.value.play)]
    heading = tr("{material}: kerf in mm", material=material.title)
    return _laid_out(blocks, heading, machine)


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two blocks that fit together, and for each the middle of its label's baseline and the label's height, in mm."""

    drawing: Drawing
    labels: tuple[tuple[float, float, float], tuple[float, float, float]]


def _seamed(seam: Seam, label: float) -> _Pair:
    """Make two blocks, one above the other, that meet along a seam; `label` is the width of a label over its height."""
    line = Curves.from_strokes([seam.line]).flattened(FLATTENING).points
    (left, top), (right, bottom) = np.minimum(line.min(axis=0), 0), line.max(axis=0)
    wider = max(0.0, label * LABEL_HEIGHT + 2 * CLEARANCE - (right - left + 2 * FLANK)) / 2
    left, right = left - FLANK - wider, right + FLANK + wider
    band = LABEL_HEIGHT + 2 * CLEARANCE
    upper, lower = top - band, bottom + band
    begin, end = seam.line[0], seam.line[-1]
    strokes = [
        _along((left, 0.0), begin),
        seam.line,
        _along(end, (right, 0.0)),
        _along((left, 0.0), (left, upper), (right, upper), (right, 0.0)),
        _along((right, 0.0), (right, lower), (left, lower), (left, 0.0)),
    ]
    pieces = Pieces(np.array([6, 5, 3, 1, 0, 2, 4, 8]), np.array([0, 4, 8]), ("a", "b"))
    middle = (left + right) / 2
    labels = (middle, upper + CLEARANCE + LABEL_HEIGHT, LABEL_HEIGHT), (middle, lower - CLEARANCE, LABEL_HEIGHT)
    return _Pair(Drawing(right - left, lower - upper, Curves.from_strokes(strokes), (), pieces), labels)


def _along(*points: tuple[float, float] | Floats) -> Floats:
    return through(np.array(points, np.float64))


def _inlaid(inlay: Inlay, label: float) -> _Pair:
    """Make a part, and a block with a hole for it and its label below; `label` as for seams."""
    (left, top), (right, bottom) = inlay.hole.min(axis=0), inlay.hole.max(axis=0)
    wider = max(0.0, label * LABEL_HEIGHT + 2 * CLEARANCE - (right - left + 2 * FLANK)) / 2
    left, right = left - FLANK - wider, right + FLANK + wider
    top, bottom = top - FLANK, bottom + LABEL_HEIGHT + 2 * CLEARANCE
    rim = closed_through(np.array([(left, top), (right, top), (right, bottom), (left, bottom)]))
    parts = closed_parts((right - left, bottom - top), ("a", "b"), [[inlay.outline], [rim, inlay.hole]])
    begin, upper, end, lower = inlay.room
    tall = min(LABEL_HEIGHT, (end - begin) / label, lower - upper)
    if tall < LEAST_LABEL:
        raise StudioError(tr("The smallest piece is too small for a {height:g} mm label.", height=LEAST_LABEL))
    own = (begin + end) / 2, (upper + lower + tall) / 2, tall
    return _Pair(parts, (own, ((left + right) / 2, bottom - CLEARANCE, LABEL_HEIGHT)))


@dataclass(frozen=True, eq=False)
class _Block:
    """A block, its rings and letters moved so that it begins at the origin; `size` is its width and height."""

    name: str
    rings: list[Floats]
    letters: Curves
    size: Floats


def _each(strokes: Curves, shift: Floats) -> list[Floats]:
    return [strokes[at] + shift for at in range(len(strokes))]


def _label(kerf: float, side: str) -> str:
    shown = f"{kerf:.3f}"
    return f"{shown.removesuffix('0')} {side}"


def _blocks(pair: _Pair, kerf: float, play: float) -> list[_Block]:
    """Make the two blocks of a pair as separate pieces, offset for a kerf and the play."""
    own = pair.drawing
    named = replace(own, pieces=replace(own.pieces, names=(_label(kerf, "a"), _label(kerf, "b"))))
    cut = cutouts(Contours(named), (kerf - play) / 2)
    lines = cut.rings.flattened(FLATTENING)
    blocks = []
    for side, name in enumerate(cut.names):
        x, y, tall = pair.labels[side]
        rings = np.flatnonzero(cut.owners == side).tolist()
        corner, end = lines[rings[0]].min(axis=0), lines[rings[0]].max(axis=0)
        letters = lettered(name, tall)
        shift = np.array([x - width_of(name, tall) / 2, y]) - corner
        outlines = [cut.rings[ring] - corner for ring in rings]
        blocks.append(_Block(name, outlines, Curves(letters.points + shift, letters.starts), end - corner))
    return blocks


def _laid_out(blocks: list[_Block], heading: str, machine: Machine) -> Drawing:
    """Lay out the sheet: the heading, and under it the pairs in rows, b below a."""
    sizes = np.stack([block.size for block in blocks]).reshape(-1, 2, 2)
    cell = np.array([sizes[:, :, 0].max(), sizes[:, 0, 1].max() + BLOCK_SPACING + sizes[:, 1, 1].max()])
    # Shrink a long title on a narrow bed.
    tall = min(HEADING_HEIGHT, (machine.bed_width - 2 * BLOCK_SPACING) / width_of(heading, 1.0))
    head = tall * (1 + _TAIL) + BLOCK_SPACING
    columns, size = _smallest(len(sizes), cell, np.array([width_of(heading, tall), head]), machine)
    letters = _each(lettered(heading, tall), np.array([BLOCK_SPACING, BLOCK_SPACING + tall]))
    rings = []
    for at, block in enumerate(blocks):
        row, column = divmod(at // 2, columns)
        place = np.array([BLOCK_SPACING, BLOCK_SPACING + head]) + (cell + BLOCK_SPACING) * np.array([column, row])
        if at % 2:
            place[1] += sizes[:, 0, 1].max() + BLOCK_SPACING
        rings.append([ring + place for ring in block.rings])
        letters += _each(block.letters, place)
    marks = [Path(Operation.ENGRAVE, letter, closed=False) for letter in letters]
    return closed_parts((float(size[0]), float(size[1])), [block.name for block in blocks], rings, marks)


def _smallest(pairs: int, cell: Floats, head: Floats, machine: Machine) -> tuple[int, Floats]:
    """Choose the number of columns for the least area of the sheet; also return its size."""
    sheets = []
    for columns in range(1, pairs + 1):
        width, height = np.array([columns, ceil(pairs / columns)]) * (cell + BLOCK_SPACING) + BLOCK_SPACING
        sheets.append((max(width, min(head[0] + 2 * BLOCK_SPACING, machine.bed_width)), height + head[1], columns))
    fitting = [sheet for sheet in sheets if sheet[0] <= machine.bed_width and sheet[1] <= machine.bed_height]
    least = min(fitting or sheets, key=lambda sheet: (round(sheet[0] * sheet[1], 6), sheet[2]))
    if not fitting:
        pair = cell + 2 * BLOCK_SPACING + np.array([0.0, head[1]])
        alone = pair[0] <= machine.bed_width and pair[1] <= machine.bed_height
        bed = {"bed_width": machine.bed_width, "bed_height": machine.bed_height}
        if not alone:
            raise StudioError(
                tr(
                    "Even one pair ({width:.0f} × {height:.0f} mm) is too large for the bed ({bed_width:g} × "
                    "{bed_height:g} mm).",
                    width=pair[0],
                    height=pair[1],
                    **bed,
                )
            )
        raise StudioError(
            tr(
                "The coupon ({width:.0f} × {height:.0f} mm) is too large for the bed ({bed_width:g} × "
                "{bed_height:g} mm). Use fewer pairs.",
                width=least[0],
                height=least[1],
                **bed,
            )
        )
    return least[2], np.array(least[:2])
