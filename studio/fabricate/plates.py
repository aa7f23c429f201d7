"""Lay out solids on as few plates as their order and the printer's bed allow.

plate: the solids printed at once. Solids printed onto another in a second plastic stay on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from studio.base.errors import StudioError
from studio.fabricate.fits import size_of, too_large
from studio.fabricate.workshop import Named, Printer
from studio.geometry.solids.solid import Solid

SPACING = 3.0
"""Distance in mm between two solids of a plate."""
SLACK = 1e-6

Plate = tuple[Solid, ...]


def plates(solids: Sequence[Solid], printer: Named[Printer]) -> tuple[Plate, ...]:
    """Return solids in place if they fit on the bed together, otherwise in rows on several plates, in order.

    Raise StudioError for a solid that does not fit on the bed even alone.
    """
    bed = printer.value
    width, depth, height = size_of(solids)
    if width <= bed.bed_width + SLACK and depth <= bed.bed_depth + SLACK and height <= bed.bed_height + SLACK:
        return (tuple(solids),)
    groups = _together(solids)
    for group in groups:
        if problem := too_large(group, printer):
            raise StudioError(problem)
    groups = [_turned(group) if _is_across(group, bed) else group for group in groups]
    found: list[list[Solid]] = []
    right = front = row = 0.0
    for group in groups:
        across, along, _ = size_of(group)
        if right and right + across > bed.bed_width + SLACK:
            right, front, row = 0.0, front + row + SPACING, 0.0
        if not found or front + along > bed.bed_depth + SLACK:
            found.append([])
            right = front = row = 0.0
        found[-1] += _moved(group, right, front)
        right, row = right + across + SPACING, max(row, along)
    return tuple(map(tuple, found))


def _together(solids: Iterable[Solid]) -> list[list[Solid]]:
    """Group each solid with the solids printed onto it."""
    found: dict[str, list[Solid]] = {}
    for solid in solids:
        found.setdefault(solid.on or solid.name, []).append(solid)
    return [*found.values()]


def _is_across(group: Sequence[Solid], bed: Printer) -> bool:
    """True if solids fit on the bed only after a quarter turn."""
    width, depth, _ = size_of(group)
    return width > bed.bed_width + SLACK or depth > bed.bed_depth + SLACK


def _turned(group: Sequence[Solid]) -> list[Solid]:
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return [replace(solid, mesh=solid.mesh.moved(quarter, np.zeros(3))) for solid in group]


def _moved(group: Sequence[Solid], right: float, front: float) -> list[Solid]:
    """Move solids together so that they begin at a place on the bed."""
    low = np.min([solid.mesh.bounds[0] for solid in group], axis=0)
    shift = np.array([right, front, 0.0]) - low
    return [replace(solid, mesh=solid.mesh.moved(np.eye(3), shift)) for solid in group]
