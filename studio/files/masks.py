"""Reads protected areas: the dark or opaque parts of a picture, or the closed paths of a drawing."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr
from studio.files.foreign import Reading
from studio.files.paths import READERS, READING, read_lines
from studio.files.pictures import FORMATS, read_picture
from studio.geometry.art.artwork import pixels_in
from studio.geometry.curves.closeness import ensure_few_crossings, segments
from studio.geometry.curves.joining import joined
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.polyomino import traced
from studio.puzzles.jigsaw.picture.masks import MOST_POINTS, Placement, Size, filled, of_area

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
    from studio.puzzles.jigsaw.picture.masks import Mask

SUFFIXES = (*FORMATS, *READERS)
MOST_CELLS = 512
"""Cells along the longer side of an area read from a picture."""
DARK = 128
"""Brightness below which a pixel is protected, of 255; in transparent pictures, the opacity above which."""
FLATNESS = 0.01
"""Largest distance in mm of polygons from the curves of a drawing: masks are kept in hundredths of a mm."""


@dataclass(frozen=True)
class ReadArea:
    """An area from a file in mm on the board, and sentences about parts left out."""

    area: BaseGeometry = field(repr=False)
    notes: tuple[str, ...] = ()


def read_mask(
    path: Path,
    picture: BoardPicture | None,
    size: Size,
    progress: Progress,
    reading: Reading = READING,
    *,
    inverts: bool = False,
) -> tuple[Mask, tuple[str, ...]]:
    """Read the protected area in a file, for a board of some size in mm with or without a picture, and notes.

    A picture is laid over the whole picture of the board, or over the board; a drawing is in mm on the board. Inverted,
    the rest is protected. Raises StudioError, with the file's name, if the file holds no area or is too large.
    """
    import shapely

    if path.suffix.lower() not in SUFFIXES:
        words = tr(
            "Cannot use {name}: unknown file extension. Use {suffixes}.",
            name=path.name,
            suffixes=alternatives(SUFFIXES),
        )
        raise StudioError(words)
    is_drawing = path.suffix.lower() in READERS
    if not is_drawing and reading != READING:
        raise StudioError(tr("Cannot use {name}: a picture has no paths to choose or join.", name=path.name))
    found = _of_drawing(path, reading, progress) if is_drawing else _of_picture(path, picture, size, progress)
    area, board = found.area, shapely.box(0.0, 0.0, *size)
    if inverts:
        area = shapely.difference(board, area)
    try:
        mask = of_area(area, picture, size) if shapely.intersects(area, board) else None
    except StudioError as problem:
        raise StudioError(tr("Cannot use {name}: {problem}", name=path.name, problem=problem)) from problem
    if mask is None:
        raise StudioError(tr("Cannot use {name}: it has nothing to protect on the board.", name=path.name))
    return mask, found.notes


def _of_picture(path: Path, picture: BoardPicture | None, size: Size, progress: Progress) -> ReadArea:
    import shapely

    read = read_picture(path, 1, progress.part(0.0, 0.5))
    pixels = pixels_in(read.data, MOST_CELLS)
    opacity = pixels[..., 3]
    # In whole numbers, so that every processor finds the same cells.
    light = (pixels[..., :3].astype(np.int64) * np.array([299, 587, 114])).sum(axis=2) // 1000
    cells = opacity >= DARK if (opacity < DARK).any() else light < DARK
    progress.step(0.7)
    try:
        area = traced(cells)
    except StudioError as problem:
        raise StudioError(tr("Cannot use {name}: {problem}", name=path.name, problem=problem)) from problem
    rows, columns = cells.shape

    across, down = picture.box(*size)[2:] if picture else size
    placed = Placement.from_picture(picture, size)

    def laid(points: Floats) -> Floats:
        return placed.on_board(points * (across / columns, down / rows) / placed.scale)

    return ReadArea(shapely.transform(area, laid), read.notes)


def _of_drawing(path: Path, reading: Reading, progress: Progress) -> ReadArea:
    strokes, notes = read_lines(path, progress.part(0.0, 0.5), MOST_POINTS, reading)
    found = joined(strokes, reading.closing.gap, progress.part(0.5, 1.0))
    if not found.rings:
        raise StudioError(tr("Cannot use {name}: it has no closed path.", name=path.name))
    notes = (*notes, *found.notes())
    if found.open:
        notes = (*notes, tr("Left out, not closed: {paths}.", paths=many(len(found.open), "path")))
    lines = Curves.from_strokes(found.rings).flattened(FLATNESS)
    try:
        ensure_few_crossings(*segments(lines))
        return ReadArea(filled(lines[at] for at in range(len(lines))), notes)
    except StudioError as problem:
        raise StudioError(tr("Cannot use {name}: {problem}", name=path.name, problem=problem)) from problem
