"""Handles of tongues, and the values after a pull at a handle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.styles import Handle, Style
from studio.puzzles.jigsaw.tongues.tongues import COLUMNS, PLACE, Frames


@dataclass(frozen=True, eq=False)
class Grip:
    """A single tongue, alone in its frames, and its style."""

    frames: Frames
    style: Style

    def on_board(self, u: float, v: float) -> tuple[float, float]:
        """Map a point of the frame to the board."""
        x, y = self.frames.point(np.array([u]), np.array([v]))[0].tolist()
        return x, y

    def in_frame(self, x: float, y: float) -> tuple[float, float]:
        """Map a place on the board to the frame."""
        u, v = self.frames.coordinates(np.array([[x, y]]))
        return float(u[0]), float(v[0])

    def handle(self, handle: Handle) -> tuple[float, float]:
        """Place of a handle on the board."""
        u, v = self.style.handles[handle].at(self.frames)
        return self.on_board(float(u[0]), float(v[0]))

    def pulled(self, handle: Handle, start: tuple[float, float], end: tuple[float, float]) -> float:
        """New value of the handle's quantity after a pull between two places on the board."""
        (u0, v0), (u, v) = self.in_frame(*start), self.in_frame(*end)
        change = self.style.handles[handle].pulled(self.frames, u - u0, v - v0)
        return float(self.frames.numbers[0, COLUMNS[handle.value]] + change[0])

    def slid(self, right: float, down: float) -> float:
        """Offset of the tongue after a move by some mm, projected on its edge."""
        (x, y), length = self.frames.along[0].tolist(), float(self.frames.length[0])
        return float(self.frames.numbers[0, PLACE] + (right * x + down * y) / length)


def grip(shapes: JigsawShapes, tongue: int) -> Grip:
    """Make the grip of a tongue."""
    return Grip(shapes.frames(np.array([tongue])), shapes.style_of(tongue))


def tips(shapes: JigsawShapes, tongues: Ints) -> Floats:
    """Places in mm of the size handles of tongues, shape (k, 2)."""
    places = np.empty((len(tongues), 2))
    for style, which in shapes.of_one_style(tongues):
        frames = shapes.frames(tongues[which])
        places[which] = frames.point(*style.handles[Handle.SIZE].at(frames))
    return places
