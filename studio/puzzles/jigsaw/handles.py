"""Where a tongue can be taken hold of, and what a pull at it means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from studio.geometry.curves import Floats, Ints
from studio.puzzles.jigsaw.geometry import DEPTH, KNOB_UNITS, PLACE, SIDE, SIZE, SLANT, JigsawShapes, frame


class Handle(Enum):
    """What a handle changes."""

    PLACE = "place"
    SIZE = "size"
    SLANT = "slant"


HEAD = 0.9
"""How high on the knob, as a share of it, the slant's handle sits."""
LEAN = 0.75
"""How much of its slant a classic head leans at the height of that handle."""


@dataclass(frozen=True)
class Grip:
    """One tongue in its frame: origin and unit vectors on the board, length and room in mm, and its numbers."""

    origin: tuple[float, float]
    along: tuple[float, float]
    across: tuple[float, float]
    length: float
    room: float
    size: float
    place: float
    depth: float
    slant: float
    is_classic: bool

    def on_board(self, u: float, v: float) -> tuple[float, float]:
        """The place on the board of a point of the frame."""
        return (
            self.origin[0] + u * self.along[0] + v * self.across[0],
            self.origin[1] + u * self.along[1] + v * self.across[1],
        )

    def in_frame(self, x: float, y: float) -> tuple[float, float]:
        """The point of the frame at a place on the board."""
        dx, dy = x - self.origin[0], y - self.origin[1]
        return dx * self.along[0] + dy * self.along[1], dx * self.across[0] + dy * self.across[1]

    def handle(self, handle: Handle) -> tuple[float, float]:
        """Where on the board a handle sits."""
        middle, tip = (0.5 + self.place) * self.length, (self.size + self.depth) * self.room
        if handle is Handle.PLACE:
            return self.on_board(middle, 0.0)
        if handle is Handle.SIZE:
            return self.on_board(middle - (LEAN if self.is_classic else 0.0) * self.slant * self.room, tip)
        if self.is_classic:
            beside = 2.6 * self.size / KNOB_UNITS * self.room
            return self.on_board(middle + beside - LEAN * self.slant * self.room, HEAD * tip)
        tilt, arm = 2.0 * self.slant, 0.3 * self.length
        return self.on_board(middle + arm * math.cos(tilt), tip + arm * math.sin(tilt))

    def slid(self, right: float, down: float) -> float:
        """The place of the tongue after it was moved by some mm, as far as these lie along its edge."""
        return self.place + (right * self.along[0] + down * self.along[1]) / self.length

    def pulled(self, handle: Handle, start: tuple[float, float], end: tuple[float, float]) -> float:
        """The new value of what a handle changes after a pull from one place on the board to another."""
        u0, v0 = self.in_frame(*start)
        u, v = self.in_frame(*end)
        if handle is Handle.PLACE:
            return self.place + (u - u0) / self.length
        if handle is Handle.SIZE:
            return self.size + (v - v0) / self.room
        if self.is_classic:
            return self.slant - (u - u0) / (LEAN * self.room)
        return self.slant + (v - v0) / (0.6 * self.length)


def tips(shapes: JigsawShapes, tongues: Ints) -> Floats:
    """The places (k, 2) in mm of the handles for the size of many tongues."""
    numbers = shapes.tongues[tongues]
    ends = shapes.corners[shapes.tiling.graph.edges[tongues]]
    axes = frame(ends, numbers[:, SIDE], shapes.tiling.across[tongues])
    lean = LEAN if shapes.design.parameters.tongue_style == "classic" else 0.0
    middle = (0.5 + numbers[:, PLACE]) * axes.length - lean * numbers[:, SLANT] * axes.room
    return axes.point(middle, (numbers[:, SIZE] + numbers[:, DEPTH]) * axes.room)


def grip(shapes: JigsawShapes, tongue: int) -> Grip:
    """A tongue as it can be taken hold of."""
    chosen = np.array([tongue])
    numbers = shapes.tongues[tongue]
    axes = frame(
        shapes.corners[shapes.tiling.graph.edges[chosen]], shapes.tongues[chosen, SIDE], shapes.tiling.across[chosen]
    )
    origin, along, across = (tuple(part[0].tolist()) for part in (axes.origin, axes.along, axes.across))
    return Grip(
        origin=origin,
        along=along,
        across=across,
        length=float(axes.length[0]),
        room=float(axes.room[0]),
        size=float(numbers[SIZE]),
        place=float(numbers[PLACE]),
        depth=float(numbers[DEPTH]),
        slant=float(numbers[SLANT]),
        is_classic=shapes.design.parameters.tongue_style == "classic",
    )
