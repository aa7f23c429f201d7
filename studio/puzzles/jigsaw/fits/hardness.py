"""Difficulty of a jigsaw, stated as facts, and the pieces that are interchangeable."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from studio.base.amounts import abridged, many, share, thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.fits.false_fits import Fits, fits_words
from studio.puzzles.jigsaw.fits.likeness import never
from studio.puzzles.jigsaw.tongues.tongues import SIDE

MOST_COMPARED = 100_000
"""Most pairs of pieces, times rotations, that are compared; a nearly regular board has millions."""
MOST_NAMED = 6
"""Most pairs of pieces that are named."""
BORDER, STRAIGHT, OUT, IN = range(4)
"""Types of a piece's side: on the border, straight, knob outwards, knob inwards."""


@dataclass(frozen=True)
class Reading:
    """Facts about a board at a clearance.

    `shapes` is the number of different edges, `wrong` the wrong fits to expect for a piece, `swaps` are the pairs of
    interchangeable pieces; more may exist unless `all_compared`.
    """

    pieces: int
    border: int
    edges: int
    straight: int
    shapes: int
    wrong: float
    swaps: tuple[tuple[str, str], ...]
    all_compared: bool
    fits: Fits

    @property
    def sentences(self) -> list[str]:
        """Facts as sentences."""
        swaps = abridged([f"{one}, {other}" for one, other in self.swaps], MOST_NAMED)
        if self.swaps:
            whole = (
                tr("Interchangeable: {pairs} ({names}).", pairs=many(len(self.swaps), "pair of pieces"), names=swaps)
                if self.all_compared
                else tr(
                    "Interchangeable: at least {pairs} ({names}).",
                    pairs=many(len(self.swaps), "pair of pieces"),
                    names=swaps,
                )
            )
        else:
            whole = (
                tr("No two pieces are interchangeable.")
                if self.all_compared
                else tr("Too many similar pieces to list the interchangeable ones.")
            )
        return [
            f"{fits_words(self.fits)}.",
            tr("Expected wrong fits per piece: {wrong:.2f}.", wrong=self.wrong),
            whole,
            tr(
                "{pieces}, {border} ({share}) at the border. {edges}, {straight} straight, in {shapes}.",
                pieces=many(self.pieces, "piece"), border=thousands(self.border),
                share=share(self.border / max(self.pieces, 1)), edges=many(self.edges, "inner edge"),
                straight=thousands(self.straight), shapes=many(self.shapes, "shape"),
            ),
        ]  # fmt: skip


def reading(found: Fits, progress: Progress) -> Reading:
    """Collect the facts about a board whose false fits are known."""
    shapes = found.known.shapes
    drawing = shapes.drawing
    swaps, all_compared = _swaps(found, progress)
    return Reading(
        pieces=len(drawing.pieces),
        border=len(shapes.tiling.border_faces),
        edges=len(found.edges),
        straight=int(shapes.plain[found.edges].sum()),
        shapes=int(np.count_nonzero(found.known.kinds.amounts)),
        wrong=2.0 * float(found.others.sum()) / max(len(drawing.pieces), 1),
        swaps=swaps,
        all_compared=all_compared,
        fits=found,
    )


class _Piece(NamedTuple):
    """A piece with the types and edges of its sides, and the distances between its corners in mm."""

    face: int
    sides: tuple[int, ...]
    edges: tuple[int, ...]
    spans: Floats


def _swaps(found: Fits, progress: Progress) -> tuple[tuple[tuple[str, str], ...], bool]:
    """Find interchangeable pairs of pieces, which fit by all their edges; also return whether all were compared."""
    shapes = found.known.shapes
    kind_of = dict(zip(found.edges.tolist(), found.known.kinds.of.tolist(), strict=True))
    ways = []
    groups = defaultdict(list)
    for piece in _candidates(found):
        groups[len(piece.sides)].append(piece)
    budget = MOST_COMPARED
    for number, pieces in groups.items():
        for one, other in combinations(pieces, 2):
            budget -= number
            if budget < 0:
                break
            for turn in range(number):
                turned = other.sides[turn:] + other.sides[:turn]
                spans = np.roll(other.spans, (-turn, -turn), (0, 1))
                if turned == one.sides and np.abs(spans - one.spans).max() <= 2 * found.clearance:
                    edges = other.edges[turn:] + other.edges[:turn]
                    pairs = [
                        (kind_of[here], kind_of[there])
                        for here, there, side in zip(one.edges, edges, turned, strict=True)
                        if side != BORDER
                    ]
                    ways.append((one.face, other.face, pairs))
    wanted = sorted({(min(pair), max(pair)) for *_faces, pairs in ways for pair in pairs if pair[0] != pair[1]})
    alike: set[tuple[int, int]] = set()
    if wanted:
        here, there = np.array(wanted).T
        for one_kinds, other_kinds, _distances in found.known.kinds.likeness.alike(
            iter([(0.0, here, there)]), progress, never
        ):
            alike |= {*zip(one_kinds.tolist(), other_kinds.tolist(), strict=True)}
    name = shapes.tiling.piece_name
    swaps = {
        (one, other)
        for one, other, pairs in ways
        if all(here == there or (min(here, there), max(here, there)) in alike for here, there in pairs)
    }
    return tuple((name(one), name(other)) for one, other in sorted(swaps)), budget >= 0


def _candidates(found: Fits) -> list[_Piece]:
    """Choose the pieces whose inner edges all have false fits."""
    shapes = found.known.shapes
    graph = shapes.tiling.graph
    ambiguous = {*found.edges[found.others > 0].tolist()}
    pieces = []
    for face in range(graph.face_count):
        codes = graph.codes[graph.starts[face] : graph.starts[face + 1]].tolist()
        edges = [code >> 1 for code in codes]
        inner = [edge for edge in edges if not graph.is_rim(edge)]
        # A piece beside a figure follows the figure's outline, as no other piece does.
        is_beside_figure = any(graph.is_rim(edge) and not shapes.tiling.on_border[edge] for edge in edges)
        if not inner or is_beside_figure or not ambiguous.issuperset(inner):
            continue
        sides = []
        for edge in edges:
            if graph.is_rim(edge):
                sides.append(BORDER)
            elif shapes.plain[edge]:
                sides.append(STRAIGHT)
            else:
                into = int(graph.sides[edge, 0 if shapes.tongues[edge, SIDE] > 0 else 1])
                sides.append(IN if into == face else OUT)
        corners = shapes.corners[[graph.edges[code >> 1][code & 1] for code in codes]]
        spans = np.hypot(*np.moveaxis(corners[:, None] - corners, 2, 0))
        pieces.append(_Piece(face, tuple(sides), tuple(edges), spans))
    return pieces
