"""Fit coupons for laser and printer, the gap found for each printer and plastic, and the plates of printed pieces.

A laser's coupon is a joint of the puzzle at several kerfs, to be cut once and tested: pairs of blocks that fit, such as
a tongue (a) and its socket (b), with outlines offset for the kerf engraved on them. The pair with the best fit shows
the kerf to keep with the material; likewise the gap of printed pieces. Found gaps are kept in a file beside the maker's
printers and plastics, shared by window and command line. plate: the solids printed at once. Solids printed onto another
in a second plastic stay on it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from studio.base.amounts import listed
from studio.base.errors import StudioError
from studio.base.folders import own_folder, write_own
from studio.base.json_files import read
from studio.base.parameters import Validated, checked, declaration, integer, number
from studio.base.texts import tr
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.workshop import LARGEST, Machine, Material, Named, Plastic, Printer, every
from studio.geometry.art.lettering import lettered, width_of
from studio.geometry.curves.strokes import Curves, Floats, closed_through, through
from studio.geometry.planar.drawing import Drawing, Inlay, Joint, Operation, Path, Pieces, Seam, closed_parts
from studio.geometry.solids.solid import Solid, laid_out, section, size_laid_out

FILE = "gaps.json"
SPACING = 5.0
"""Distance in mm between two blocks of a coupon on the bed."""
FLOW = 20.0
"""Plastic that a usual printer extrudes in mm³/s, per mm² of its nozzle's width squared."""
BELOW = 0.25
"""Depth in mm below the top at which solids are sectioned for the view from above."""
PRESETS = ((tr("Tight"), 0.1), (tr("Normal"), 0.2), (tr("Loose"), 0.3))
"""Gaps in mm offered for all printers and plastics."""
QUARTER = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""A quarter turn on the bed."""
PLATE_SPACING = 3.0
"""Distance in mm between two solids of a plate."""
SLACK = 1e-6

Plate = tuple[Solid, ...]
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
class GapOptions(Validated):
    """Gaps to test. Raises ParameterError for values out of bounds."""

    first: float = number(0.1, title="First clearance", minimum=0, maximum=2, step=0.05, unit="mm",
        help="Clearance of the first pair.")  # fmt: skip
    step: float = number(0.05, title="Step", minimum=0.01, maximum=0.5, step=0.01, unit="mm",
        help="Clearance increase from pair to pair.")  # fmt: skip
    count: int = integer(5, title="Pairs", minimum=1, maximum=20, help="Number of pairs to print.")

    @property
    def gaps(self) -> tuple[float, ...]:
        """Gap of every pair in mm."""
        return tuple(round(self.first + at * self.step, 3) for at in range(self.count))


def around(gap: float) -> GapOptions:
    """Make options with a gap in the middle, as far as gaps stay above 0."""
    usual = GapOptions()
    return GapOptions(first=max(usual.step, round(gap - usual.step * (usual.count // 2), 3)))


def usual_gap(printer: Named[Printer], plastic: Named[Plastic]) -> float:
    """Saved gap in mm for printer and plastic, or the plastic's usual gap."""
    kept = remembered().get((printer.key, plastic.key))
    return plastic.value.gap if kept is None else kept


def remembered() -> dict[tuple[str, str], float]:
    """Saved gaps in mm, by the keys of printer and plastic; empty if the file cannot be used."""
    return _stored()[0]


def trouble() -> str:
    """Sentence about a problem of the file of gaps, or ""."""
    return _stored()[1]


def _stored() -> tuple[dict[tuple[str, str], float], str]:
    """Read the usable gaps, and a sentence about a gap that cannot be used, or ""."""
    found: dict[tuple[str, str], float] = {}
    try:
        path = own_folder() / FILE
    except StudioError:
        return found, ""
    if not os.path.exists(path):
        return found, ""
    try:
        stored = read(path, LARGEST)
    except StudioError as problem:
        return found, tr("The clearances in {path} cannot be used: {problem}", path=path, problem=problem)
    if not isinstance(stored, dict) or not all(isinstance(some, dict) for some in stored.values()):
        return found, tr(
            "The clearances in {path} cannot be used: they must be listed by printer and plastic.", path=path
        )
    bad = ""
    for printer, some in stored.items():
        for plastic, gap in some.items():
            if _is_gap(gap):
                found[printer, plastic] = float(gap)
            else:
                bad = tr(
                    "The clearance of {plastic} on {printer} in {path} cannot be used: it is {gap}.",
                    plastic=plastic,
                    printer=printer,
                    path=path,
                    gap=str(gap)[:40],
                )
    return found, bad


def keep_gap(printer: Named[Printer], plastic: Named[Plastic], gap: float) -> None:
    """Save the gap in mm that fitted. Raise StudioError if it is out of bounds or cannot be saved.

    A file with unreadable gaps is refused, too, because saving would lose them.
    """
    checked(declaration(Plastic, "gap"), gap)
    before, bad = _stored()
    if bad:
        raise StudioError(
            tr("{problem} Fix or delete that file first, so that your other clearances are not lost.", problem=bad)
        )
    stored: dict[str, dict[str, float]] = {}
    for (one, other), known in sorted((before | {(printer.key, plastic.key): gap}).items()):
        stored.setdefault(one, {})[other] = known
    write_own(own_folder() / FILE, stored)


def gaps_to_choose() -> tuple[tuple[str, float], ...]:
    """Gaps in mm with labels: tight, normal and loose, and saved gaps by plastic and printer."""
    known = [(tr("{fit}, {gap:.2f} mm", fit=title, gap=gap), gap) for title, gap in PRESETS]
    printers = {one.key: one.title for one in every(Printer)}
    plastics = {one.key: one.title for one in every(Plastic)}
    for (printer, plastic), gap in sorted(remembered().items()):
        words = tr(
            "Saved for {plastic} on {printer}, {gap:.2f} mm",
            plastic=plastics.get(plastic, plastic),
            printer=printers.get(printer, printer),
            gap=gap,
        )
        known.append((words, gap))
    return tuple(known)


def _is_gap(value: object) -> bool:
    try:
        checked(declaration(Plastic, "gap"), value)
    except StudioError:
        return False
    return True


def weight_of(solids: Sequence[Solid], plastic: Plastic) -> float:
    """Weight of solids in g if printed without hollows."""
    return sum(solid.mesh.volume for solid in solids) / 1000 * plastic.density


def seconds_of(solids: Sequence[Solid], printer: Printer) -> float:
    """Approximate print time of solids in s."""
    return sum(solid.mesh.volume for solid in solids) / (FLOW * printer.nozzle**2)


def on_bed(blocks: Sequence[Solid], printer: Printer) -> tuple[Solid, ...]:
    """Lay out the blocks of a coupon on as little of the bed as possible, pairs next to each other if they can be.

    Raise StudioError if they do not fit on the bed.
    """
    layouts = []
    for columns in range(1, len(blocks) + 1):
        width, depth = size_laid_out(blocks, columns, SPACING)
        layouts.append((columns % 2, width * depth, width, depth, columns))
    fitting = [one for one in layouts if one[2] <= printer.bed_width and one[3] <= printer.bed_depth]
    *_, width, depth, columns = min(fitting or layouts, key=lambda one: one[:2])
    if not fitting:
        raise StudioError(
            tr(
                "The coupon ({width:.0f} × {depth:.0f} mm) is too large for the bed ({bed_width:g} × {bed_depth:g} "
                "mm). Use fewer pairs.",
                width=width,
                depth=depth,
                bed_width=printer.bed_width,
                bed_depth=printer.bed_depth,
            )
        )
    return laid_out(blocks, columns, SPACING)


def seen_from_above(solids: Sequence[Solid]) -> Drawing:
    """Draw solids on the bed from above: their rims just below the top, so that grooves show."""
    width, depth, _ = size_of(solids)
    low = np.min([solid.mesh.bounds[0] for solid in solids], axis=0)
    borders: list[list[Floats]] = []
    inner: list[Path] = []
    for solid in solids:
        rims = section(solid.mesh, float(solid.mesh.bounds[1][2]) - BELOW)
        around = max(rims, key=lambda rim: float(np.ptp(rim, axis=0).prod()))
        for rim in rims:
            x, y = (rim - low[:2]).T
            line = closed_through(np.column_stack([x, depth - y])[::-1])
            if rim is around:
                borders.append([line])
            else:
                inner.append(Path(Operation.ENGRAVE, line, closed=True))
    return closed_parts((width, depth), [str(at + 1) for at in range(len(borders))], borders, inner)


def size_of(solids: Sequence[Solid]) -> tuple[float, float, float]:
    """Width, depth and height in mm of the box around solids."""
    low, high = zip(*(solid.mesh.bounds for solid in solids), strict=True)
    width, depth, height = (np.max(high, axis=0) - np.min(low, axis=0)).tolist()
    return width, depth, height


def too_large(solids: Sequence[Solid], printer: Named[Printer]) -> str:
    """Sentence that names solids too large for the printer, or says that all do not fit at once; "" if they fit."""
    value = printer.value
    bed = sorted((value.bed_width, value.bed_depth))

    def fits(some: Sequence[Solid]) -> bool:
        width, depth, height = size_of(some)
        return height <= value.bed_height and all(
            side <= most for side, most in zip(sorted((width, depth)), bed, strict=True)
        )

    large = [solid.name for solid in solids if not fits([solid])]
    if large:
        return tr(
            "Too large for {printer} ({width:g} × {depth:g} × {height:g} mm): {pieces}.",
            pieces=listed(large),
            width=value.bed_width,
            depth=value.bed_depth,
            height=value.bed_height,
            printer=printer.title,
        )
    if not fits(solids):
        width, depth, _ = size_of(solids)
        return tr(
            "Side by side, the pieces need {width:.0f} × {depth:.0f} mm, more than the bed of {printer}. Print them in "
            "several batches.",
            width=width,
            depth=depth,
            printer=printer.title,
        )
    return ""


def plates(solids: Sequence[Solid], printer: Named[Printer]) -> tuple[Plate, ...]:
    """Return solids in place if they fit on the bed together, otherwise in rows on several plates, in order.

    Raise StudioError for a solid that does not fit on the bed even alone.
    """
    bed = printer.value
    width, depth, height = size_of(solids)
    if width <= bed.bed_width + SLACK and depth <= bed.bed_depth + SLACK and height <= bed.bed_height + SLACK:
        return (tuple(solids),)
    # Solids stay together with the solids printed onto them.
    groups: dict[str, list[Solid]] = {}
    for solid in solids:
        groups.setdefault(solid.on or solid.name, []).append(solid)
    found: list[list[Solid]] = []
    right = front = row = 0.0
    for group in groups.values():
        if problem := too_large(group, printer):
            raise StudioError(problem)
        across, along, _ = size_of(group)
        if across > bed.bed_width + SLACK or along > bed.bed_depth + SLACK:
            group = [replace(solid, mesh=solid.mesh.moved(QUARTER, np.zeros(3))) for solid in group]
            across, along, _ = size_of(group)
        if right and right + across > bed.bed_width + SLACK:
            right, front, row = 0.0, front + row + PLATE_SPACING, 0.0
        if not found or front + along > bed.bed_depth + SLACK:
            found.append([])
            right = front = row = 0.0
        # Move solids together so that they begin at a place on the bed.
        low = np.min([solid.mesh.bounds[0] for solid in group], axis=0)
        shift = np.array([right, front, 0.0]) - low
        moved = [replace(solid, mesh=solid.mesh.moved(np.eye(3), shift)) for solid in group]
        found[-1] += moved
        right, row = right + across + PLATE_SPACING, max(row, along)
    return tuple(map(tuple, found))


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
