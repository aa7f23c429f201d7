"""The repairs that a check offers: a tongue smaller, larger, straight or upright, a piece merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from studio.base.lazy import lazy
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Repair
from studio.puzzles.jigsaw.model.design import BOUNDS, JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.tongues import FOLLOWING, PLACE, PLAIN, SIZE, SLANT, STRAIGHT

_carefully = lazy("studio.puzzles.jigsaw.repair.fix_one:carefully")
_merged = lazy("studio.puzzles.jigsaw.repair.fix_one:merged")
SHRINK = 0.8
"""The factor by which repairs shrink a tongue."""


def _repair(title: str, changes: Mapping[str, Mapping[str, float]]) -> Repair | None:
    """Sets values of the named tongues; None where there is nothing to change."""
    if not changes:
        return None

    def apply(design: JigsawDesign, progress: Progress) -> JigsawDesign:
        edits = (replace(design.tongue(name), **numbers) for name, numbers in changes.items())  # type: ignore[arg-type]
        changed: JigsawDesign = _carefully(design, design.with_tongues(edits), changes, progress)
        return changed

    return Repair(title, apply)


def _resizing(shapes: JigsawShapes, title: str, factor: float, strokes: list[int]) -> Repair | None:
    """Makes some tongues larger or smaller, within their bounds."""
    low, high = BOUNDS["size"]
    changes = {}
    for stroke in strokes:
        size = float(shapes.tongues[stroke, SIZE])
        other = min(max(factor * size, low), high)
        if other != size and shapes.tongues[stroke, PLAIN] <= 0.5:
            changes[shapes.tiling.edge_name(stroke)] = {"size": other}
    return _repair(title, changes)


def shrinking(shapes: JigsawShapes, strokes: list[int]) -> Repair | None:
    """Makes tongues smaller, or where there are none, edges that follow the picture straight."""
    following = [each for each in strokes if shapes.tongues[each, PLAIN] == FOLLOWING]
    if following and (shapes.tongues[strokes, PLAIN] > 0.5).all():
        return _repair(tr("Make straight"), {shapes.tiling.edge_name(each): {"plain": True} for each in following})
    return _resizing(shapes, tr("Make smaller"), SHRINK, strokes)


def ruling(shapes: JigsawShapes, strokes: list[int]) -> Repair | None:
    """Makes edges that have no tongues but bend straight lines."""
    bent = [each for each in strokes if 0.5 < shapes.tongues[each, PLAIN] < STRAIGHT]
    return _repair(tr("Make straight"), {shapes.tiling.edge_name(each): {"ruled": True} for each in bent})


def growing(shapes: JigsawShapes, stroke: int, factor: float) -> Repair | None:
    """Makes a tongue larger by a factor or a little more, up to twice as large."""
    return _resizing(shapes, tr("Make larger"), min(factor * 1.02, 2.0), [stroke])


def straightening(shapes: JigsawShapes, stroke: int) -> Repair | None:
    """Centres a tongue upright; one that already is crosses itself only where it is too flat, and grows."""
    if shapes.tongues[stroke, [PLACE, SLANT]].any():
        return _repair(tr("Reset offset and slant"), {shapes.tiling.edge_name(stroke): {"place": 0.0, "slant": 0.0}})
    return growing(shapes, stroke, 1 / SHRINK)


def merging(shapes: JigsawShapes, face: int) -> Repair | None:
    """Merges a piece with a neighbour, that with which it shares most first; None where it has none but figures."""
    tiling, pieces = shapes.tiling, shapes.drawing.pieces
    around = pieces.codes[pieces.starts[face] : pieces.starts[face + 1]] >> 1
    inner = around[(tiling.graph.sides[around] >= 0).all(axis=1)]
    if face >= tiling.graph.face_count or not len(inner):
        return None
    beyond = tiling.graph.sides[inner].sum(axis=1) - face
    # Of these strokes alone: a piece that gets too small under the mouse must not measure the whole board.
    shared = np.bincount(beyond, shapes.drawing.strokes.chosen(inner).lengths)
    others = [int(other) for other in np.argsort(-shared, kind="stable") if shared[other]]
    cuts = [[tiling.edge_name(cut) for cut in inner[beyond == other].tolist()] for other in others]

    def apply(design: JigsawDesign, progress: Progress) -> JigsawDesign:
        changed: JigsawDesign = _merged(design, cuts, progress)
        return changed

    return Repair(tr("Merge with neighbour"), apply)
