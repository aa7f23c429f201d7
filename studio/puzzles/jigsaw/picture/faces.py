"""Frontal faces found in a jigsaw's picture, so that cuts go round their eyes and mouths.

rule: one weak classifier, which compares nine blocks of pixels, three in a row, with the middle one. stage: rules whose
sum a window must reach; a cascade of stages drops most windows early. hit: a window that passes all stages. crop: the
surroundings of a likely face, in some sizes and also mirrored; a true face has many hits in both, other places few.

Sources: P. Viola and M. Jones, Rapid Object Detection using a Boosted Cascade of Simple Features (2001); L. Zhang and
others, Face Detection Based on Multi-Block LBP Representation (2007). The cascade in resources/faces is OpenCV's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.json_files import read
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import pixels_in, resized, turned
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.picture.board_picture import QUARTER, BoardPicture
from studio.puzzles.jigsaw.picture.masks import Placement, area_on_board, changed, ensure_steerable

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from studio.puzzles.jigsaw.model.design import JigsawDesign

Grey = NDArray[np.uint8]

LARGEST_FILE = 2**16
MOST_PIXELS = 640
"""Pixels along the longer side of the picture in which faces are sought; the smallest face has 24."""
LUMINANCE = (0.299, 0.587, 0.114)
"""Parts of red, green and blue in grey (ITU-R BT.601)."""
GROWTH, STEP = 1.1, 2
"""Ratio of the sizes at which faces are sought, and the distance of the windows tried, in pixels."""
AROUND = 0.3
"""Part of a face's size that its crop has on each side."""
SIZES = 1.04 ** np.arange(-6, 7)
"""Sizes of a face in its crops, in those of a window."""
LEAST_HITS = 18
"""Hits in the crops of a face, and as many in the mirrored ones."""
EYES, MOUTH = ((0.31, 0.40), (0.69, 0.40)), (0.5, 0.78)
"""Middles of the eyes and of the mouth, in sizes of the window that shows the face."""
EYE_REACH, MOUTH_REACH = (0.14, 0.09), (0.21, 0.095)
"""Half the widths and heights of the ellipses around them."""
ROUND = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
"""Directions of the corners of an ellipse."""
ROUNDING = 1e-5
"""By how much a sum may miss the least one of its stage."""
SAME = 0.01
"""Distance in mm from the uncut area up to which a place is in it already."""
NEIGHBOURS = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
"""Row and column of the outer blocks, in the order of the bits of a pattern, the highest first."""


@dataclass(frozen=True)
class Rule:
    """One rule: the upper left block in pixels of a window, and what each pattern counts, shape (256,)."""

    column: int
    row: int
    width: int
    height: int
    votes: Floats


@dataclass(frozen=True)
class Stage:
    """The least sum of some rules."""

    least: float
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Cascade:
    """Side of a window in pixels, and the stages."""

    side: int
    stages: tuple[Stage, ...]


@cache
def frontal() -> Cascade:
    """Read the cascade for frontal faces from resources/faces.

    A rule in the file is its block, the patterns that count as its first value as bits, and the values of both sorts.
    """
    stored = read(shipped("faces") / "frontal.json", LARGEST_FILE)
    stages = []
    for stage in stored["stages"]:
        rules = []
        for column, row, width, height, patterns, first, second in stage["rules"]:
            is_first = np.unpackbits(np.frombuffer(bytes.fromhex(patterns), np.uint8), bitorder="little")
            rules.append(Rule(column, row, width, height, np.where(is_first, first, second)))
        stages.append(Stage(stage["least"] - ROUNDING, tuple(rules)))
    return Cascade(stored["side"], tuple(stages))


def _hits(pictures: Sequence[Grey], step: int, progress: Progress) -> Ints:
    """Hits in some pictures, tried every `step` pixels: index of the picture, column and row, shape (n, 3)."""
    cascade = frontal()
    tables, places, start = list[Ints](), list[Ints](), 0
    for index, picture in enumerate(pictures):
        rows, columns = picture.shape
        table = np.zeros((rows + 1, columns + 1), np.int32)
        table[1:, 1:] = picture.cumsum(0, dtype=np.int32).cumsum(1, dtype=np.int32)
        down, right = np.mgrid[0 : rows - cascade.side + 1 : step, 0 : columns - cascade.side + 1 : step].reshape(2, -1)
        at = start + down * (columns + 1) + right
        places.append(np.stack([np.full_like(at, index), right, down, at, np.full_like(at, columns + 1)]))
        tables.append(table.ravel())
        start += table.size
    sums, found = np.concatenate(tables), np.concatenate(places, axis=1)
    for number, stage in enumerate(cascade.stages):
        progress.step(number / len(cascade.stages))
        total = sum(_votes(rule, sums, found[3], found[4]) for rule in stage.rules)
        found = found[:, total >= stage.least]
    return found[:3].T


def _votes(rule: Rule, sums: Ints, at: Ints, stride: Ints) -> Floats:
    """What a rule counts for windows at places `at` in tables of sums with rows of `stride`, shape (n,)."""
    lines = [at + (rule.row + down * rule.height) * stride + rule.column for down in range(4)]
    corners = [[sums[line + right * rule.width] for right in range(4)] for line in lines]
    bands = [[low - high for high, low in zip(*pair, strict=True)] for pair in pairwise(corners)]
    blocks = [[right - left for left, right in pairwise(band)] for band in bands]
    pattern = np.zeros(len(at), np.uint8)
    for row, column in NEIGHBOURS:
        pattern = pattern << 1 | (blocks[row][column] >= blocks[1][1])
    return rule.votes[pattern]


def boxes_in(grey: Grey, progress: Progress) -> Floats:
    """Boxes around the faces in a picture: left, top and side in pixels, shape (n, 3), the surest first."""
    side, (high, wide) = frontal().side, grey.shape
    if min(high, wide) < side:
        return np.zeros((0, 3))
    sizes = GROWTH ** np.arange(int(np.log(min(high, wide) / side) / np.log(GROWTH)) + 1)
    levels = [resized(grey, round(wide / size), round(high / size)) for size in sizes.tolist()]
    index, column, row = _hits(levels, STEP, progress.part(0.0, 0.7)).T
    likely = np.stack([column, row, np.full(len(row), side)], 1) * sizes[index, None]
    found = np.zeros((0, 3))
    for box in _sure(grey, likely, progress.part(0.7, 1.0)):
        if (np.abs(found[:, :2] + found[:, 2:] / 2 - box[:2] - box[2] / 2).max(axis=1) > found[:, 2] / 2).all():
            found = np.vstack([found, box])
    return found


def _sure(grey: Grey, likely: Floats, progress: Progress) -> Floats:
    """Mean boxes of the hits around likely faces, the most hits first; faces without enough of them are left out."""
    side, margin = frontal().side, int(2 * AROUND * likely[:, 2].max(initial=0.0)) + 1
    padded = np.pad(grey, margin, mode="edge")
    corners, extents = likely[:, :2] - AROUND * likely[:, 2:], (1 + 2 * AROUND) * likely[:, 2]
    pixels = np.round((1 + 2 * AROUND) * side * SIZES).astype(np.int64)
    crops = list[Grey]()
    for (left, top), extent in zip((corners + margin).tolist(), extents.tolist(), strict=True):
        for count in pixels.tolist():
            crop = resized(padded, count, count, (left, top, left + extent, top + extent))
            crops += [crop, np.ascontiguousarray(crop[:, ::-1])]
    if not crops:
        return likely
    index, column, row = _hits(crops, 1, progress).T
    face, count, is_mirrored = index // (2 * len(pixels)), pixels[index // 2 % len(pixels)], index % 2 == 1
    column = np.where(is_mirrored, count - side - column, column)
    hits = np.stack([column, row, np.full(len(row), side)], 1) * (extents[face] / count)[:, None]
    hits[:, :2] += corners[face]
    counts = [np.bincount(face[is_mirrored == way], minlength=len(likely)) for way in (False, True)]
    votes = np.minimum(*counts)
    order = np.argsort(-votes, kind="stable")
    means = [hits[face == one].mean(axis=0) for one in order[votes[order] >= LEAST_HITS].tolist()]
    return np.array(means).reshape(-1, 3)


def eyes_and_mouths(picture: BoardPicture, progress: Progress) -> list[BaseGeometry]:
    """Find the faces in a picture, upright as it is turned on the board: the eyes and the mouth of each.

    Their unit is the width of the picture, as a mask's. Raise StudioError if the picture is broken.
    """
    import shapely

    try:
        pixels = pixels_in(picture.data, MOST_PIXELS, progress)
    except StudioError as problem:
        raise StudioError(tr("The picture cannot be used: {problem}", problem=problem)) from problem
    # Transparent pixels are white, as on the board.
    shades = pixels[..., :3] * (pixels[..., 3:] / 255) + (255 - pixels[..., 3:])
    turns = round(picture.turn / QUARTER)
    grey = np.ascontiguousarray(np.rot90((shades @ LUMINANCE).round().astype(np.uint8), -turns))
    columns, middle, own = pixels.shape[1], np.array(grey.shape[::-1]) / 2, np.array(pixels.shape[1::-1]) / 2
    found = []
    for left, top, side in boxes_in(grey, progress).tolist():
        parts = []
        for at, reach in (*((eye, EYE_REACH) for eye in EYES), (MOUTH, MOUTH_REACH)):
            ring = (left, top) + side * (np.array(at) + reach * np.stack([np.cos(ROUND), np.sin(ROUND)], 1))
            parts.append(shapely.Polygon((turned(ring - middle, -QUARTER * turns) + own) / columns))
        found.append(shapely.MultiPolygon(parts))
    return found


def with_faces_whole(design: JigsawDesign, progress: Progress) -> tuple[JigsawDesign, int]:
    """Add the eyes and mouths of the faces on a board to its uncut area; also return how many faces there are.

    Raise StudioError if the board has no picture, or its cuts ignore the uncut area.
    """
    import shapely

    ensure_steerable(design)
    picture, size = design.picture, design.size
    if picture is None:
        raise StudioError(tr("Add a picture first."))
    placed = Placement.from_picture(picture, size)
    board = shapely.intersection(shapely.box(0.0, 0.0, *size), shapely.Polygon(picture.kept(*size).corners))
    faces = [shapely.transform(face, placed.on_board) for face in eyes_and_mouths(picture, progress)]
    shown = [part for face in faces if not shapely.is_empty(part := shapely.intersection(face, board))]
    new = shapely.difference(shapely.union_all(shown), area_on_board(design.uncut, picture, size).buffer(SAME))
    if not shapely.is_empty(new):
        design = replace(design, uncut=changed(design.uncut, shapely.union_all(shown), picture, size))
    return design, len(shown)
