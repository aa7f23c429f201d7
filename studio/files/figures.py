"""Reads a maker's own figure, the silhouette of a piece, from an SVG or DXF file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from studio.base.progress import Progress
from studio.files.foreign import Reading
from studio.files.paths import READING, read_silhouette
from studio.geometry.curves.strokes import frozen
from studio.puzzles.jigsaw.figures.whimsies import BAR, Figure, silhouette

LONGEST_TITLE = 40
MOST_POINTS = 5_000
"""Control points of a figure that is read: the time that its place on a board takes grows with their square."""
DECIMALS = 7
"""Of its curves, in its height."""


def read_figure(path: Path, progress: Progress, reading: Reading = READING) -> tuple[Figure, tuple[str, ...]]:
    """The figure that a file draws, called after it, and notes for the maker; raises StudioError where it draws none.

    It is a closed path with closed paths for its holes. Only its form matters: its height is chosen on the board.
    """
    drawn = read_silhouette(path, progress, MOST_POINTS, BAR, reading)
    made = silhouette("".join(filter(str.isprintable, path.stem))[:LONGEST_TITLE], drawn)
    return Figure(made.title, tuple(frozen(np.round(ring, DECIMALS)) for ring in made.rings)), drawn.notes
