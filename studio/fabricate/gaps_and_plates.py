"""The gap found for each printer and plastic by a printed coupon, and the plates of printed pieces.

Found gaps are kept in a file beside the maker's printers and plastics, shared by window and command line. plate: the
solids printed at once. Solids printed onto another in a second plastic stay on it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from studio.base.amounts import listed
from studio.base.errors import StudioError
from studio.base.folders import own_folder, write_own
from studio.base.json_files import read
from studio.base.parameters import Validated, checked, declaration, integer, number
from studio.base.texts import tr
from studio.fabricate.workshop import LARGEST, Named, Plastic, Printer, every
from studio.geometry.curves.strokes import Floats, closed_through
from studio.geometry.planar.drawing import Drawing, Operation, Path, closed_parts
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
