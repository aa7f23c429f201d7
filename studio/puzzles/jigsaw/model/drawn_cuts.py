"""Cuts that a maker draws on a board, or redraws, and their splitting where they cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Repair
from studio.geometry.board.board_spec import DRAWN, path_of
from studio.geometry.board.drawn import SNAP, multilines, recognised, with_line
from studio.geometry.curves.strokes import Curves, Floats, through
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.drawn_boards import BoardDrawing, converted
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.strokes import moved
from studio.puzzles.jigsaw.model.tiling import lost_edits, verify
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import indices_of


def with_cut(design: JigsawDesign, progress: Progress, line: Floats) -> Generated[JigsawDesign]:
    """Draw a cut (3k + 1, 2) in mm, between other cuts or the border; another tiling, or figures, are converted first.

    The pieces that it crosses are divided; edits of cuts that it meets become part of them. Raise StudioError if it
    crosses itself, does not end on cuts, leaves the board, or divides no piece.
    """
    return cut_along(design, progress, line)[0]


def cut_along(design: JigsawDesign, progress: Progress, line: Floats) -> tuple[Generated[JigsawDesign], list[str]]:
    """Draw a cut like `with_cut`; also return the names of its straight edges."""
    refuse_loop(line)
    board = BoardDrawing(shape(design, None, progress.part(0.0, 0.2)))
    line = board.on_drawing(line)
    if not board.is_drawn and len(board.shapes.drawing.pieces) > 1:
        board = BoardDrawing(shape(converted(design, progress.part(0.2, 0.5)), None, progress.part(0.5, 0.6)))
    found = with_line(board.earlier, line, board.loose, progress.part(0.6, 1.0))
    import shapely

    string = multilines([line])
    straight = []
    for cut in found.cuts:
        chord = shapely.linestrings([cut.curve[0], cut.curve[-1]])
        places = shapely.points(cut.curve)
        if max(shapely.distance(string, places).max(), shapely.distance(chord, places).max()) <= SNAP:
            straight.append(cut.name)
    return board.divided(found), straight


def with_straight_cut(
    design: JigsawDesign, progress: Progress, places: Sequence[tuple[float, float]]
) -> Generated[JigsawDesign]:
    """Draw a cut of straight lines through places in mm, like `with_cut`."""
    return with_cut(design, progress, through(_several(places)))


def with_smooth_cut(
    design: JigsawDesign, progress: Progress, places: Sequence[tuple[float, float]]
) -> Generated[JigsawDesign]:
    """Draw a smooth cut through places in mm, like `with_cut`."""
    return with_cut(design, progress, smooth(_several(places)))


def refuse_loop(curve: Floats) -> None:
    """Raise StudioError if a cut (3k + 1, 2) in mm crosses itself."""
    from studio.checks import cut_crossings

    _, places = cut_crossings.self_crossings(cut_crossings.cuts(Curves.from_strokes([curve])))
    if len(places):
        x, y = places[0].tolist()
        raise StudioError(tr("The cut crosses itself at {x:.1f}, {y:.1f} mm.", x=x, y=y))


def _several(places: Sequence[tuple[float, float]]) -> Floats:
    if len(places) < 2:
        raise StudioError(tr("A cut needs two places or more."))
    return np.array(places, float)


def is_whole(shapes: JigsawShapes, edge: int) -> bool:
    """True if an edge is a drawn cut that no figure divides."""
    if shapes.is_of_figure(edge) or shapes.design.parameters.tiling != DRAWN:
        return False
    name, ends = shapes.tiling.edge_name(edge), shapes.tiling.graph.edges[edge].tolist()
    known = {cut.name: cut.ends for cut in shapes.design.cuts}
    return known.get(name) == tuple(map(shapes.tiling.corner_name, ends))


def redrawn(design: JigsawDesign, progress: Progress, name: str, places: Sequence[tuple[float, float]]) -> JigsawDesign:
    """Lead an edge smoothly through places in mm, between the same corners, like `with_edge_redrawn`."""
    shapes = shape(design, None, progress)
    (edge,) = indices_of(shapes.tiling.edge_indices, [name])
    first, last = shapes.corners[shapes.tiling.graph.edges[edge]]
    return with_edge_redrawn(design, progress, name=name, curve=smooth(np.array([first, *places, last])))


def with_edge_redrawn(design: JigsawDesign, progress: Progress, *, name: str, curve: Floats) -> JigsawDesign:
    """Give an edge another curve (3k + 1, 2) in mm; another tiling, or a figure that divides it, is converted first.

    Raise StudioError for a curve that crosses itself, or leaves a corner on the far side of another cut there.
    """
    refuse_loop(curve)
    shapes = shape(design, None, progress)
    (edge,) = indices_of(shapes.tiling.edge_indices, [name])
    if not is_whole(shapes, edge):
        board = BoardDrawing(shapes)
        shapes = shape(converted(design, progress), None, progress)
        curve = BoardDrawing(shapes).on_board(board.on_drawing(curve))
        (edge,) = indices_of(shapes.tiling.edge_indices, [name])
    made = with_curves(shapes, {edge: curve})
    try:
        verify(made)
    except StudioError:
        raise StudioError(
            tr("{edge} would leave a corner on the far side of another cut. Lead it between its neighbours.", edge=name)
        ) from None
    return made


def smooth(points: Floats) -> Floats:
    """Control points (3n - 2, 2) of a smooth stroke through points (n, 2): a centripetal Catmull-Rom spline."""
    steps = np.maximum(np.hypot(*np.diff(points, axis=0).T), SNAP) ** 0.5
    slopes = np.diff(points, axis=0) / steps[:, None]
    share = (steps[1:] / (steps[1:] + steps[:-1]))[:, None]
    inner = share * slopes[:-1] + (1 - share) * slopes[1:]
    # At the ends the curve bends evenly.
    first = 1.5 * slopes[0] - 0.5 * inner[0] if len(inner) else slopes[0]
    last = 1.5 * slopes[-1] - 0.5 * inner[-1] if len(inner) else slopes[-1]
    ways = np.stack([first, *inner, last])
    before, after = points[:-1] + ways[:-1] * steps[:, None] / 3, points[1:] - ways[1:] * steps[:, None] / 3
    between = np.stack([points[:-1], before, after], 1).reshape(-1, 2)
    return np.concatenate([between, points[-1:]])


def with_curves(shapes: JigsawShapes, curves: Mapping[int, Floats]) -> JigsawDesign:
    """Give edges of a board of drawn cuts other curves (3k + 1, 2) in mm between the same corners.

    Their tongues and mirrorings are dropped. What crosses others is left to the checks.
    """
    design, tiling = shapes.design, shapes.tiling
    board = BoardDrawing(shapes)
    made = {cut.name: cut for cut in design.cuts}
    for edge, curve in curves.items():
        name = tiling.edge_name(edge)
        homes, owners = tiling.homes[tiling.graph.edges[edge]], np.zeros(len(curve), np.int64)
        home = moved(curve, owners, curve[None, [0, -1]], homes[None], np.zeros(1, bool))
        made[name] = replace(made[name], curve=path_of([board.on_drawing(home)])[0])
    cuts = tuple(made[cut.name] for cut in design.cuts)
    names = [tiling.edge_name(edge) for edge in curves]
    drawn = (replace(design.tongue(name), side=None, plain=None, ruled=False, style=None) for name in names)
    return replace(design, cuts=cuts).with_tongues(drawn)


def with_crossings_split(design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    """Divide a board of drawn cuts where its cuts cross: every crossing becomes a corner, with new pieces.

    Raise StudioError if a cut crosses the border.
    """
    if design.parameters.tiling != DRAWN:
        raise StudioError(tr("The board has no drawn cuts. Convert it to drawn cuts first."))
    board = BoardDrawing(shape(converted(design) if design.whimsies else design, None, progress.part(0.0, 0.3)))
    found = recognised(board.loose, SNAP, board.earlier, progress.part(0.3, 1.0))
    if not board.earlier.has_outline(found.path):
        raise StudioError(tr("A cut crosses the border. Move it inside first."))
    return board.divided(found)


def splitting() -> Repair:
    """The fix of cuts that cross on a board of drawn cuts."""
    return Repair(
        tr("Split at the crossing"), lambda design, progress: with_crossings_split(design, progress).design, lost_edits
    )
