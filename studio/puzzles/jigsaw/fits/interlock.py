"""Interlock of a jigsaw's pieces: the clearance at which they can be slid apart in the plane.

Any piece can be lifted out. Wood past the corners of a tongue belongs to other cuts, and is ignored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr, within
from studio.geometry.curves.strokes import Curves, Floats, Ints
from studio.geometry.planar.polyomino import ERROR, MOST, release
from studio.puzzles.jigsaw.model.geometry import JigsawShapes

FLATTENING = 0.003
"""Largest deviation in mm of the flattened lines."""
BEYOND = 2.0
"""Depth in mm of the wood behind a tongue and behind its socket."""
FREE = ERROR
"""Clearance in mm below which pieces that come apart do not interlock."""
DECIMALS = 6
"""Decimals of the coordinates in mm that identify a tongue."""
REMEMBERED = 8192
"""Number of tongues whose clearance is cached."""


@dataclass(frozen=True)
class Grip:
    """Grip between two pieces: the name of their tongue or of the other piece, and the clearance in mm at which they
    come apart; None if it exceeds MOST.
    """

    name: str
    clearance: float | None

    @property
    def least(self) -> float:
        """Clearance in mm, at most MOST."""
        return MOST if self.clearance is None else self.clearance

    @property
    def is_free(self) -> bool:
        """True if the pieces come apart without clearance."""
        return self.clearance is not None and self.clearance < FREE

    def is_loose(self, kerf: float) -> bool:
        """True if the pieces come apart once a laser has removed a kerf in mm."""
        return self.is_free or self.least < kerf


@dataclass(frozen=True)
class FigureGrip:
    """Grips between a figure and the pieces around it, each named after the other piece; none if it is left open."""

    name: str
    grips: tuple[Grip, ...]
    is_hole: bool = False


@dataclass(frozen=True)
class Holds:
    """Grips of all tongues, by number, and of figures."""

    by_tongue: dict[int, Grip]
    figures: tuple[FigureGrip, ...]

    @property
    def tongues(self) -> tuple[Grip, ...]:
        """Grips of all tongues, in the order of the board."""
        return tuple(self.by_tongue.values())

    @property
    def weakest(self) -> Grip | None:
        """Grip of the tongue that comes out first; None on a board without tongues."""
        return min(self.tongues, key=lambda grip: grip.least, default=None)


def holds(shapes: JigsawShapes, progress: Progress = SILENT, *, figures: bool = True) -> Holds:
    """Measure the grips of all tongues of a board, and of its figures if wanted."""
    inner = shapes.joined_edges
    tongues = inner[~shapes.plain[inner]].tolist()
    grips = {}
    for at, tongue in enumerate(tongues):
        progress.step(at / len(tongues))
        grips[tongue] = tongue_grip(shapes, tongue)
    names = dict.fromkeys(one.name for one in shapes.tiling.fillings) if figures else {}
    return Holds(grips, tuple(figure_grip(shapes, name) for name in names))


def is_beside_hole(shapes: JigsawShapes, tongue: int) -> bool:
    """True if a piece on either side of a tongue is left open, so that it holds nothing."""
    tiling = shapes.tiling
    if tongue < len(tiling.edge_keys):
        pieces = {tiling.piece_at(2 * tongue), tiling.piece_at(2 * tongue + 1)}
    else:
        figure, _knob = tiling.figure_tongues[tongue - len(tiling.edge_keys)]
        pieces = {one.piece for one in tiling.fillings if one.name == figure}
    return not pieces.isdisjoint(shapes.design.dropped)


def tongue_grip(shapes: JigsawShapes, tongue: int) -> Grip:
    """Measure the grip of a tongue; a straight edge holds nothing."""
    name = shapes.tiling.tongue_name(tongue)
    if shapes.plain[tongue]:
        return Grip(name, 0.0)
    points = shapes.curve(tongue)
    return Grip(name, _of_stroke(np.round(points - points[0], DECIMALS).tobytes()))


@lru_cache(REMEMBERED)
def _of_stroke(data: bytes) -> float | None:
    """Clearance in mm at which a stroke, given by the bytes of its control points, comes apart."""
    import shapely

    line = Curves.from_strokes([np.frombuffer(data).reshape(-1, 2)]).flattened(FLATTENING)[0]
    way = line[-1] - line[0]
    normal = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
    heights = line @ normal
    rims = heights.min() - BEYOND, heights.max() + BEYOND
    one, other = (
        shapely.make_valid(shapely.polygons(np.concatenate([line, line[[-1, 0]] + rim * normal]))) for rim in rims
    )
    return release(one, other, line)


def figure_grip(shapes: JigsawShapes, name: str, progress: Progress = SILENT) -> FigureGrip:
    """Measure the grips between a figure and each piece around it. Raise StudioError if the figure is not cut."""
    import shapely

    from studio.geometry.planar.regions import pieces_as_polygons

    fillings = [one for one in shapes.tiling.fillings if one.name == name]
    if not fillings:
        raise StudioError(tr("Figure {figure} is not cut.", figure=name))
    dropped = {*shapes.design.dropped}
    fillings = [one for one in fillings if one.piece not in dropped]
    if not fillings:
        return FigureGrip(name, (), is_hole=True)
    contacts = _contacts(shapes, np.concatenate([one.codes for one in fillings]))
    contacts = {face: line for face, line in contacts.items() if shapes.tiling.piece_name(face) not in dropped}
    lines, names = shapes.drawing.polylines, shapes.drawing.pieces.names
    pieces = [*(names.index(one.piece) for one in fillings), *contacts]
    some = replace(shapes.drawing, pieces=shapes.drawing.pieces.chosen(np.array(pieces)))
    polygons = pieces_as_polygons(some, lines)
    figure, around = polygons[0], polygons[len(fillings) :]
    if len(fillings) > 1:
        figure = shapely.union_all(polygons[: len(fillings)])
    grips: list[Grip] = []
    for (face, contact), piece in zip(contacts.items(), around, strict=True):
        progress.step(len(grips) / len(around))
        grips.append(Grip(shapes.tiling.piece_name(face), release(piece, figure, contact)))
    return FigureGrip(name, tuple(grips))


def _contacts(shapes: JigsawShapes, codes: Ints) -> dict[int, Floats]:
    """Faces around a figure with some half-edges, in order, with the points of the line that each shares with it, shape
    (n, 2)."""
    sides, lines = shapes.tiling.graph.sides, shapes.drawing.polylines
    codes = codes[sides[codes >> 1].max(axis=1) >= 0]
    faces = [int(sides[code >> 1].max()) for code in codes.tolist()]
    # The ring may begin in the middle of the line shared with a piece.
    begin = next((at for at in range(len(faces)) if faces[at] != faces[at - 1]), 0)
    contacts: dict[int, list[Floats]] = {}
    for at in [*range(begin, len(faces)), *range(begin)]:
        code = int(codes[at])
        line = lines[code >> 1]
        contacts.setdefault(faces[at], []).append(line[::-1] if code & 1 else line)
    return {face: np.concatenate(parts) for face, parts in contacts.items()}


def tongue_words(grip: Grip, kerf: float = 0.0) -> str:
    """Describe the grip of a tongue; `kerf` is that of the cut in mm, 0 if unknown."""
    if grip.is_free:
        return tr("Does not interlock")
    if grip.clearance is None:
        return tr("Interlocks, even with {most:.1f} mm clearance", most=MOST)
    if grip.is_loose(kerf):
        return tr(
            "Loose: pulls out at {clearance:.2f} mm clearance, less than the kerf of {kerf:.2f} mm",
            clearance=grip.clearance, kerf=kerf,
        )  # fmt: skip
    return tr("Pulls out at {clearance:.2f} mm clearance", clearance=grip.clearance)


def figure_words(figure: FigureGrip, kerf: float = 0.0) -> str:
    """Describe the grips between a figure and its neighbours; `kerf` as in `tongue_words`."""
    if figure.is_hole:
        return tr("Left open: a hole, not a piece")
    count = len(figure.grips)
    held = sum(not grip.is_loose(kerf) for grip in figure.grips)
    if not held:
        return tr("Lifts out; interlocks with no neighbour")
    if held == count:
        return tr("Lifts out; interlocks with all neighbours")
    return tr("Lifts out; interlocks with {held} of {neighbours}", held=held, neighbours=many(count, "neighbour"))


def weakest_words(found: Holds, kerf: float = 0.0) -> str:
    """Describe the tongue that comes out first."""
    weakest = found.weakest
    if weakest is None:
        return tr("No tongues")
    if weakest.clearance is None:
        return tr("All tongues interlock, even with {most:.1f} mm clearance", most=MOST)
    return tr("Weakest tongue {tongue}: {words}", tongue=weakest.name, words=within(tongue_words(weakest, kerf)))
