"""A printed calendar puzzle in space: the pieces in the tray as one solution places them, and raised above it.

What lies over the tray is the mesh that is printed, turned: a flipped piece is turned over.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.solid import Mesh, Solid
from studio.puzzles.abilities.printable import Seen
from studio.puzzles.calendar.colours import colour_of
from studio.puzzles.calendar.game import turn_of
from studio.puzzles.calendar.geometry import CalendarShapes, top_of
from studio.puzzles.calendar.model import lying

LIFT, SPREAD = 1.5, 0.5
"""How high pieces are raised, in cells, and how far they move apart, as a share of their way from the middle."""
UNDER = 0.25
"""How much higher each next piece is raised, in cells, so that none passes through another."""


TRAY = "#B4AD9F"
"""The colour of the tray, in which those of the pieces are seen best."""


class Sight(NamedTuple):
    """What is looked at: shapes, and for each piece the cells that it covers in a solution; empty without one."""

    shapes: CalendarShapes
    placed: tuple[int, ...] = ()


def seen(sight: Sight, progress: Progress) -> Seen:
    """The tray with its pieces in it, in the order of their first cells; side by side as printed without a solution."""
    shapes, placed = sight
    progress.step(0.0, tr("Building pieces"))
    tray, *parts = shapes.bed
    tray, colours = replace(tray, colour=TRAY), [piece.colour for piece in shapes.design.set]
    # More pieces can be told apart in these colours, which are those of the board.
    pieces = [
        replace(solid, colour=colour_of(colours[part.piece]))
        for solid, part in zip(parts, shapes.tray.pieces, strict=True)
    ]
    printed = (tray, *pieces)
    if [part.piece for part in shapes.tray.pieces] != list(range(len(placed))):
        return Seen(printed, np.zeros((len(printed), 3)), printed, len(pieces))
    design = shapes.design
    cell, floor = design.parameters.cell, top_of(design.parameters) - design.parameters.thickness
    # The mesh of the tray begins at the corner of the bed; its own place is around the board.
    corner = np.array([shapes.tray.low[0], -shapes.tray.high[1], 0.0])
    home = tray.mesh.moved(np.eye(3), corner - tray.mesh.bounds[0])
    middle = (home.bounds[0] + home.bounds[1]) / 2
    solids, ways = [Solid(tray.name, tray.colour, home)], [np.zeros(3)]
    order = sorted(range(len(placed)), key=lambda piece: placed[piece] & -placed[piece])
    for at, number in enumerate(order):
        solid, cells = pieces[number], placed[number]
        mask, row, column = lying(design.layout, cells)
        low = np.array([column, -row - mask.shape[0]]) * cell
        high = low + np.array(mask.shape[::-1]) * cell
        mesh = turned(solid.mesh, turn_of(design.set[number].mask, mask), (low + high) / 2, floor)
        solids.append(Solid(solid.name, solid.colour, mesh))
        aside = SPREAD * ((low + high) / 2 - middle[:2])
        ways.append(np.array([*aside, (LIFT + UNDER * at) * cell]))
    progress.step(1.0)
    return Seen(tuple(solids), np.array(ways), printed, len(pieces))


def turned(mesh: Mesh, turn: str, middle: Floats, floor: float) -> Mesh:
    """A mesh after the turn of a move, such as `f90`: the middle of its box at a place (2,), its bottom at a height."""
    angle = -np.radians(float(turn.removeprefix("f")))
    turning = np.round([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    if turn.startswith("f"):
        turning = turning @ np.diag([-1.0, 1.0, -1.0])
    there = mesh.moved(turning, np.zeros(3))
    low, high = there.bounds
    return there.moved(np.eye(3), np.array([*(middle - (low + high)[:2] / 2), floor - low[2]]))
