"""Solids on as many plates as the bed of a printer needs for them.

plate: what is printed at once. What is printed onto a solid in another plastic stays on it.
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
"""Between two solids of a plate, in mm."""
SLACK = 1e-6

Plate = tuple[Solid, ...]


def plates(solids: Sequence[Solid], printer: Named[Printer]) -> tuple[Plate, ...]:
    """The solids as they lie where the bed takes them all at once, else in rows on several plates, in their order.

    Raises StudioError for solids that the bed does not take even alone.
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
    """Each solid with those that are printed onto it."""
    found: dict[str, list[Solid]] = {}
    for solid in solids:
        found.setdefault(solid.on or solid.name, []).append(solid)
    return [*found.values()]


def _is_across(group: Sequence[Solid], bed: Printer) -> bool:
    """Whether solids that the bed takes only fit onto it by a quarter of a turn."""
    width, depth, _ = size_of(group)
    return width > bed.bed_width + SLACK or depth > bed.bed_depth + SLACK


def _turned(group: Sequence[Solid]) -> list[Solid]:
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return [replace(solid, mesh=solid.mesh.moved(quarter, np.zeros(3))) for solid in group]


def _moved(group: Sequence[Solid], right: float, front: float) -> list[Solid]:
    """Solids moved together so that they begin at a place on the bed."""
    low = np.min([solid.mesh.bounds[0] for solid in group], axis=0)
    shift = np.array([right, front, 0.0]) - low
    return [replace(solid, mesh=solid.mesh.moved(np.eye(3), shift)) for solid in group]
