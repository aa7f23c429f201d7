"""Reads a maker's own tongue from an SVG drawing, or from JSON as in resources/tongues."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from studio.base.encode import decode
from studio.base.errors import StudioError
from studio.base.json_files import content, parsed
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr
from studio.files import svg_paths
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.tongues.profiles import LARGEST_FILE, LONGEST_TITLE, MOST_POINTS, Stored
from studio.puzzles.jigsaw.tongues.sketch import completed, rounded

LARGEST = 2**21
"""Bytes of the largest drawing that is read."""
PIXEL = "px"
"""Unit of drawings without one: only their form matters."""
FORGIVEN = np.radians(8.0)
"""The largest angle in a drawing that counts as smooth; profiles are stricter."""
SHORTEST = 0.01
"""The length in edges of a handle that is drawn on its knot."""
LEAST = 1e-6
"""The least distance in mm between the ends of a path."""


def read_tongue(path: Path, progress: Progress) -> Stored:
    """Read the profile in a file, with its neck; raises StudioError, with the file's name, if it holds none."""
    try:
        match path.suffix.lower():
            case ".svg":
                drawn = _smoothed(_upright(_open_path(svg_paths.read(content(path, LARGEST), PIXEL, progress).strokes)))
                title = "".join(filter(str.isprintable, path.stem))[:LONGEST_TITLE]
                stored = Stored(title, whole=rounded(drawn))
            case ".json":
                stored = decode(Stored, parsed(content(path, LARGEST_FILE)), "tongue", object)
            case _:
                suffixes = alternatives([".svg", ".json"])
                raise StudioError(tr("unknown file extension. Use {suffixes}.", suffixes=suffixes))
        return completed(stored)
    except StudioError as problem:
        raise StudioError(tr("Cannot import {name}: {problem}", name=path.name, problem=problem)) from problem


def _open_path(strokes: list[Floats]) -> Floats:
    found = [stroke for stroke in strokes if np.hypot(*(stroke[-1] - stroke[0])) > LEAST]
    if len(found) != 1:
        raise StudioError(
            tr("it has {count} open paths. Draw the tongue as one, from corner to corner.", count=len(found))
        )
    if len(found[0]) > MOST_POINTS:
        raise StudioError(
            tr("its path has {count:,} points (maximum {most}). Simplify it.", count=len(found[0]), most=MOST_POINTS)
        )
    if not np.isfinite(found[0]).all():
        raise StudioError(tr("its path has points that are not finite."))
    return found[0]


def _upright(path: Floats) -> Floats:
    """Turn a path in mm, y downwards, into a tongue upwards on an edge of length 1 from 0, 0 to 1, 0."""
    way = path[-1] - path[0]
    along = way / (way @ way)
    across = np.array([along[1], -along[0]])
    placed = np.stack([(path - path[0]) @ along, (path - path[0]) @ across], 1)
    if placed[:, 1].max() < -placed[:, 1].min():
        placed = ((1.0, 0.0) - placed)[::-1]
    placed[0], placed[-1] = (0.0, 0.0), (1.0, 0.0)
    return np.asarray(placed)


def _smoothed(points: Floats) -> Floats:
    """Return control points without the slight kinks of drawing programs, with handles moved off their knots."""
    for knot in range(3, len(points) - 1, 3):
        before, after = points[knot] - points[knot - 3 : knot][::-1], points[knot + 1 : knot + 4] - points[knot]
        into, out = _first(before), _first(after)
        way = into + out
        if into @ out > np.cos(FORGIVEN):
            way /= np.hypot(*way)
            points[knot - 1] = points[knot] - max(float(np.hypot(*before[0])), SHORTEST) * way
            points[knot + 1] = points[knot] + max(float(np.hypot(*after[0])), SHORTEST) * way
    return points


def _first(ways: Floats) -> Floats:
    """Return the direction of the first of some ways that has a length."""
    lengths = np.hypot(*ways.T)
    at = int((lengths > LEAST).argmax())
    return np.asarray(ways[at] / max(float(lengths[at]), LEAST))
