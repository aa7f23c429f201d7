"""The fit coupon: one of the drawing's own tongues at several kerfs, to be cut once and tried by hand.

Every pair is a block with the tongue (a) and one with its socket (b), with outlines moved as far outwards as a kerf of
the value engraved on them would need. The pair that goes together as wanted names the kerf to keep with the material.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from studio.errors import StudioError
from studio.fabricate.kerf import cutouts
from studio.fabricate.workshop import Machine, Material, Named
from studio.geometry.curves import Curves, Floats, Ints, distinct, straight
from studio.geometry.drawing import Chain, Drawing, Operation, Pieces
from studio.geometry.lettering import lettered, width_of
from studio.parameters import integer, number, validate

FLATTENING = 0.02
"""How far in mm a polyline may lie from a stroke whose bulge it measures."""
LEAST_BULGE = 0.1
"""A stroke that strays less than this share of the way between its ends is no tongue."""
LABEL_HEIGHT = 3.0
HEADING_HEIGHT = 4.0
CLEARANCE = 2.5
"""How much wood in mm stays around a label at least."""
FLANK = 3.0
"""How far in mm a block reaches beyond the ends of its tongue at least."""
SPACING = 3.0
"""What lies in mm between two blocks, and between a block and the edge of the sheet."""
_TAIL = 1 / 3
"""How far letters reach below their baseline, as a share of the height of capitals."""


@dataclass(frozen=True)
class CouponOptions:
    """The kerfs to try; raises ParameterError for values that no coupon can have."""

    first: float = number(
        0.0, title="First kerf", minimum=0, maximum=2, step=0.01, unit="mm",
        help="The kerf for which the first pair is made.",
    )  # fmt: skip
    step: float = number(
        0.05, title="Step", minimum=0.005, maximum=0.5, step=0.01, unit="mm",
        help="How much each pair's kerf is above that of the pair before.",
    )  # fmt: skip
    count: int = integer(7, title="Pairs", minimum=1, maximum=40, help="How many pairs are cut.")

    def __post_init__(self) -> None:
        validate(self)

    @property
    def kerfs(self) -> tuple[float, ...]:
        """The kerf of every pair in mm, to the three places that its label can show."""
        return tuple(round(self.first + at * self.step, 3) for at in range(self.count))


def around(material: Material) -> CouponOptions:
    """Options with the material's present kerf in the middle, or as near to it as kerfs from zero on allow."""
    usual = CouponOptions()
    first = max(0.0, round(material.kerf - usual.step * (usual.count // 2), 3))
    return CouponOptions(first=first)


def coupon(drawing: Drawing, material: Named[Material], options: CouponOptions, machine: Machine) -> Drawing:
    """A sheet, as small as may be, of blocks with the median tongue of a drawing at every kerf of the options.

    Labels are engraved first, then each block is cut on its own. Raises StudioError where the drawing has no tongue,
    where it bears no such offset, where the bed cannot hold the sheet, or where the material's title has a character
    that the single-line font lacks.
    """
    pair = _pair(_median_tongue(drawing), max(width_of(_label(kerf, "a"), LABEL_HEIGHT) for kerf in options.kerfs))
    blocks = [block for kerf in options.kerfs for block in _blocks(pair, kerf, material.value.play)]
    heading = f"{material.title}: kerf in mm"
    return _laid_out(blocks, heading, machine)


def _median_tongue(drawing: Drawing) -> Floats:
    """The control points of the tongue that is the median by length."""
    pieces = drawing.pieces
    beside = distinct((pieces.codes >> 1) * len(pieces) + pieces.owners) // max(len(pieces), 1)
    shared = np.bincount(beside, minlength=len(drawing.strokes)) == 2
    lines = drawing.strokes.flattened(FLATTENING)
    tongues = [stroke for stroke in np.flatnonzero(shared).tolist() if _bulges(lines[stroke])]
    if not tongues:
        raise StudioError("The drawing has no tongue between two pieces, of which a fit coupon could be made.")
    lengths = drawing.strokes.lengths[tongues]
    return drawing.strokes[tongues[int(np.argsort(lengths, kind="stable")[(len(tongues) - 1) // 2])]]


def _bulges(line: Floats) -> bool:
    way = line[-1] - line[0]
    length = float(np.hypot(*way))
    if length == 0:
        return False
    away = (line - line[0]) @ np.array([-way[1], way[0]]) / length
    return bool(np.abs(away).max() > LEAST_BULGE * length)


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two blocks that share a tongue, above (piece 0) and below it, and where their labels stand in the middle."""

    drawing: Drawing
    label_middles: tuple[tuple[float, float], tuple[float, float]]


def _pair(tongue: Floats, label_width: float) -> _Pair:
    """A tongue as the seam between two blocks; it hangs from the upper one."""
    seam = _hanging(tongue)
    line = Curves.of([seam]).flattened(FLATTENING).points
    (left, top), (right, bottom) = np.minimum(line.min(axis=0), 0), line.max(axis=0)
    wider = max(0.0, label_width + 2 * CLEARANCE - (right - left + 2 * FLANK)) / 2
    left, right = left - FLANK - wider, right + FLANK + wider
    band = LABEL_HEIGHT + 2 * CLEARANCE
    upper, lower = top - band, bottom + band
    begin, end = seam[0], seam[-1]
    strokes = [
        _polygonal([(left, 0.0), begin]),
        seam,
        _polygonal([end, (right, 0.0)]),
        _polygonal([(left, 0.0), (left, upper), (right, upper), (right, 0.0)]),
        _polygonal([(right, 0.0), (right, lower), (left, lower), (left, 0.0)]),
    ]
    pieces = Pieces(np.array([6, 5, 3, 1, 0, 2, 4, 8]), np.array([0, 4, 8]), ("a", "b"))
    middle = (left + right) / 2
    middles = (middle, upper + CLEARANCE + LABEL_HEIGHT), (middle, lower - CLEARANCE)
    return _Pair(Drawing(right - left, lower - upper, Curves.of(strokes), (), pieces), middles)


def _hanging(tongue: Floats) -> Floats:
    """A tongue turned so that its ends lie on y = 0, the first at the origin, and most of it below them."""
    way = tongue[-1] - tongue[0]
    length = float(np.hypot(*way))
    along = way / length
    turned: Floats = (tongue - tongue[0]) @ np.array([[along[0], -along[1]], [along[1], along[0]]])
    turned[0], turned[-1] = (0.0, 0.0), (length, 0.0)
    heights = Curves.of([turned]).flattened(FLATTENING).points[:, 1]
    if -heights.min() > heights.max():
        turned = np.array([length, 0.0]) - turned[::-1]
        turned[0], turned[-1] = (0.0, 0.0), (length, 0.0)
    return turned


def _polygonal(points: list[tuple[float, float] | Floats]) -> Floats:
    """The control points of one stroke of straight cubics through some points."""
    corners = np.array(points, np.float64)
    lines = straight(np.stack([corners[:-1], corners[1:]], 1)).points.reshape(-1, 4, 2)
    return np.concatenate([lines[0, :1], lines[:, 1:].reshape(-1, 2)])


@dataclass(frozen=True, eq=False)
class _Block:
    """One block, its outline and letters moved so that it begins at the origin; `size` is its width and height."""

    name: str
    outline: Floats
    letters: Curves
    size: Floats

    def at(self, place: Floats) -> tuple[Floats, list[Floats]]:
        """The outline and the letters' strokes, moved to a place on the sheet."""
        return self.outline + place, [letter + place for letter in _each(self.letters)]


def _each(strokes: Curves) -> list[Floats]:
    return [strokes[at] for at in range(len(strokes))]


def _label(kerf: float, side: str) -> str:
    shown = f"{kerf:.3f}"
    return f"{shown.removesuffix('0')} {side}"


def _blocks(pair: _Pair, kerf: float, play: float) -> list[_Block]:
    """The two blocks of a pair for one kerf, as they are when pieces are cut singly at this kerf and play."""
    names = (_label(kerf, "a"), _label(kerf, "b"))
    own = pair.drawing
    named = Drawing(own.width, own.height, own.strokes, (), Pieces(own.pieces.codes, own.pieces.starts, names))
    rings = cutouts(named, (kerf - play) / 2).rings
    lines = rings.flattened(FLATTENING)
    blocks = []
    for side, name in enumerate(names):
        x, y = pair.label_middles[side]
        letters = lettered(name, LABEL_HEIGHT)
        corner = lines[side].min(axis=0)
        shift = np.array([x - width_of(name, LABEL_HEIGHT) / 2, y]) - corner
        blocks.append(
            _Block(
                name,
                rings[side] - corner,
                Curves(letters.points + shift, letters.starts),
                lines[side].max(axis=0) - corner,
            )
        )
    return blocks


def _laid_out(blocks: list[_Block], heading: str, machine: Machine) -> Drawing:
    """The sheet: the heading, and under it the pairs in rows, b below a."""
    sizes = np.stack([block.size for block in blocks]).reshape(-1, 2, 2)
    cell = np.array([sizes[:, :, 0].max(), sizes[:, 0, 1].max() + SPACING + sizes[:, 1, 1].max()])
    # A long title on a narrow bed is written smaller.
    tall = min(HEADING_HEIGHT, (machine.bed_width - 2 * SPACING) / width_of(heading, 1.0))
    head = tall * (1 + _TAIL) + SPACING
    columns, size = _smallest(len(sizes), cell, np.array([width_of(heading, tall), head]), machine)
    words = lettered(heading, tall)
    words = Curves(words.points + np.array([SPACING, SPACING + tall]), words.starts)
    letters = _each(words)
    outlines = []
    for at, block in enumerate(blocks):
        row, column = divmod(at // 2, columns)
        place = np.array([SPACING, SPACING + head]) + (cell + SPACING) * np.array([column, row])
        if at % 2:
            place[1] += sizes[:, 0, 1].max() + SPACING
        outline, label = block.at(place)
        outlines.append(outline)
        letters += label
    return _sheet(size, letters, outlines, tuple(block.name for block in blocks))


def _smallest(pairs: int, cell: Floats, head: Floats, machine: Machine) -> tuple[int, Floats]:
    """The number of columns, and the size of the sheet, by which it takes the least area of the bed."""
    sheets = []
    for columns in range(1, pairs + 1):
        width, height = np.array([columns, ceil(pairs / columns)]) * (cell + SPACING) + SPACING
        sheets.append((max(width, min(head[0] + 2 * SPACING, machine.bed_width)), height + head[1], columns))
    fitting = [sheet for sheet in sheets if sheet[0] <= machine.bed_width and sheet[1] <= machine.bed_height]
    least = min(fitting or sheets, key=lambda sheet: (round(sheet[0] * sheet[1], 6), sheet[2]))
    if not fitting:
        pair = cell + 2 * SPACING + np.array([0.0, head[1]])
        alone = pair[0] <= machine.bed_width and pair[1] <= machine.bed_height
        raise StudioError(
            f"The coupon needs {least[0]:.0f} × {least[1]:.0f} mm and the bed has "
            f"{machine.bed_width:g} × {machine.bed_height:g} mm; "
            + ("take fewer pairs." if alone else f"one pair alone takes {pair[0]:.0f} × {pair[1]:.0f} mm.")
        )
    return least[2], np.array(least[:2])


def _sheet(size: Floats, letters: list[Floats], outlines: list[Floats], names: tuple[str, ...]) -> Drawing:
    """The drawing of all that is engraved, and after it all that is cut."""
    engraved = [Chain(Operation.ENGRAVE, _code(at)) for at in range(len(letters))]
    cuts = [Chain(Operation.BORDER, _code(len(letters) + at), closed=True) for at in range(len(outlines))]
    codes = 2 * (len(letters) + np.arange(len(outlines)))
    pieces = Pieces(codes, np.arange(len(outlines) + 1), names)
    return Drawing(float(size[0]), float(size[1]), Curves.of(letters + outlines), (*engraved, *cuts), pieces)


def _code(stroke: int) -> Ints:
    return np.array([2 * stroke], np.int64)
