"""Check the outlines of pieces: outlines that no export can write, or none with its kerf or clearance."""

from __future__ import annotations

import math

import numpy as np

from studio.base.lazy import lazy
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Finding, Repair
from studio.geometry.curves.strokes import Ints, paired
from studio.puzzles.jigsaw.checks import problems
from studio.puzzles.jigsaw.checks.remedies import merging, shapes_after, straight
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.tightness import LOST

_nudged = lazy("studio.puzzles.jigsaw.repair.repair:nudged")
CROSSED = (
    problems.CROSSING,
    problems.ON_FIGURE,
    problems.BORDER,
    problems.BORDER_LOOP,
    problems.LOOP,
    problems.FIGURE_LOOP,
)
"""Problems that may change the number of pieces."""
THIN = (problems.BRIDGE, problems.NECK, problems.PRINTED_NECK, problems.FIGURE_THIN, problems.FIGURE_NOTCH)
"""Problems of places with too little wood."""
USUAL_BEAM, WIDEST_BEAM = 0.15, 0.3
"""Kerfs in mm that every piece without errors bears, and every piece without findings."""
SHARP = math.radians(40.0)
"""Angle in radians below which a corner of a piece is sharp."""
NEARBY = 3.0
"""Distance in mm within which a known finding explains a thin place."""


def of_outlines(shapes: JigsawShapes, faces: Ints, known: list[Finding]) -> list[Finding]:
    """Find pieces that no export can write, or none with its kerf or clearance, unless a `known` finding says so.

    A known finding counts if all its strokes bound the piece: then it is dropped only when the piece is checked again.
    """
    p, pieces = shapes.limits, shapes.drawing.pieces
    printed = p.play + 2 * p.chamfer
    wood = max(WIDEST_BEAM, printed + 2 * LOST if printed else 0.0)
    # If the maker's limits are lower, thinner places are the maker's choice.
    faces = _doubtful(shapes, faces)
    if not len(faces):
        return []
    from studio.checks.pieces import flaws

    findings = []
    for flaw in flaws(shapes.drawing, faces, wood, WIDEST_BEAM):
        around = set((pieces.codes[pieces.starts[flaw.piece] : pieces.starts[flaw.piece + 1]] >> 1).tolist())
        said = THIN if flaw.harm else CROSSED
        if any(
            one.problem in said and around.issuperset(one.strokes)
            and (not flaw.harm or math.dist(one.place, flaw.place.tolist()) < NEARBY)
            for one in known
        ):  # fmt: skip
            continue
        is_severed = flaw.harm < 0 and flaw.width < USUAL_BEAM and flaw.is_harmed_by(-USUAL_BEAM / 2)
        problem, least = problems.PIECE_NECK, wood
        if not flaw.harm:
            problem = problems.TOUCHING
        elif flaw.harm > 0:
            problem, least = problems.PIECE_GAP, WIDEST_BEAM
        elif is_severed and not _is_made_thin(shapes, flaw.piece):
            problem, least = problems.PIECE_SEVERED, USUAL_BEAM
        findings.append(
            problem.finding(
                flaw.place.tolist(),
                pieces=[flaw.piece],
                repair=_parting(shapes, flaw.piece) if is_severed or not flaw.harm else None,
                piece=pieces.names[flaw.piece],
                shortfall=1 - flaw.width / least,
                width=flaw.width,
                least=least,
            )
        )
    return findings


def _doubtful(shapes: JigsawShapes, faces: Ints) -> Ints:
    """Choose the pieces that may be thin elsewhere than at a wall between two cuts or the neck of a tongue.

    Such a piece has holes, two stretches of border or figures, a corner visited twice, or a sharp corner.
    """
    graph, pieces = shapes.tiling.graph, shapes.drawing.pieces.chosen(faces)
    edges, backwards = pieces.codes >> 1, pieces.codes & 1
    begins, ends = graph.edges[edges, backwards], graph.edges[edges, 1 - backwards]
    found = np.bincount(pieces.owners, (graph.sides[edges] < 0).any(axis=1), len(faces)) > 1
    found[np.searchsorted(pieces.starts, pieces.holes, side="right") - 1] = True
    came = np.sort(pieces.owners * (graph.edges.max() + 1) + begins)
    found[came[1:][came[1:] == came[:-1]] // (graph.edges.max() + 1)] = True
    ways = paired(shapes.corners[ends] - shapes.corners[begins])
    after = np.arange(1, len(ways) + 1)
    after[pieces.starts[1:] - 1] = pieces.starts[:-1]
    found[pieces.owners[np.abs(np.angle(ways[after] * ways.conj())) > np.pi - SHARP]] = True
    return np.asarray(faces[found])


def _is_made_thin(shapes: JigsawShapes, face: int) -> bool:
    """True if the tiling makes a piece thin: no figure bounds it, and straight cuts between home corners keep it so."""
    from studio.checks.pieces import flaws

    pieces = shapes.drawing.pieces
    around = np.unique(pieces.codes[pieces.starts[face] : pieces.starts[face + 1]] >> 1).tolist()
    if any(stroke in shapes.tiling.figure_of for stroke in around):
        return False
    inner = [stroke for stroke in around if not shapes.tiling.graph.is_rim(stroke)]
    plain = shapes_after(shapes, straight(shapes, inner, to_home=True))
    return bool(flaws(plain.drawing, np.array([face]), USUAL_BEAM, 0.0))


def _parting(shapes: JigsawShapes, face: int) -> Repair | None:
    """Repair that moves the figures around a piece, or merges it with a neighbour on a board without figures."""
    if not shapes.design.whimsies:
        return merging(shapes, face)

    def apply(design: JigsawDesign, progress: Progress) -> JigsawDesign:
        moved: JigsawDesign = _nudged(design, progress)
        return moved

    return Repair(tr("Move figure"), apply)
