"""Cuts that a maker draws: new ones, redrawn edges, and loose lines, which part no piece or are cut as details."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from studio.base.amounts import listed
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.checks.finding import Finding, Repair
from studio.geometry.board.board_spec import DRAWN, path_of
from studio.geometry.board.drawn import AHEAD, ASIDE, ATTACHED, SNAP, ahead, extended, multilines, recognised, with_line
from studio.geometry.curves.strokes import Curves, Floats, Ints, among, split_at_knots, through
from studio.geometry.planar.arrangement import SAME, knots_near
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.drawn_boards import BoardDrawing, converted
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.strokes import moved
from studio.puzzles.jigsaw.model.tiling import lost_edits, verify, without_lost_edits
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


STUB = 1.0
"""Length in mm up to which a line from a cut is the end of one that was drawn too long."""
SPARE = 1.1
"""Factor for the least wall that is left between a shortened detail and another cut."""


def with_lines_extended(design: JigsawDesign, progress: Progress, names: Sequence[str] = ()) -> Generated[JigsawDesign]:
    """Lead the free ends of loose lines, or of all that are not cut, straight to the next cut, so that they part
    pieces; a named line without a cut within AHEAD goes as far as it must. Figures stay, with their edits.

    Raise StudioError if no cut lies ahead of any of them.
    """
    chosen = _chosen(design, names)
    if not chosen:
        return Generated(design)
    bare = without_lost_edits(replace(design, whimsies=()), SILENT).design
    board = BoardDrawing(shape(bare, None, progress.part(0.0, 0.5)))
    lines, is_led = board.loose, False
    for one in chosen:
        others = [*board.earlier.lines, *(line for other, line in enumerate(lines) if other != one)]
        led = extended(lines[one], others)
        if names and len(led) == len(lines[one]):
            led = extended(lines[one], others, float(np.hypot(*np.ptp(np.concatenate(others), axis=0))))
        lines[one], is_led = led, is_led or len(led) > len(lines[one])
    if not is_led:
        raise StudioError(tr("No cut lies ahead of {lines}.", lines=listed(design.loose[one].name for one in chosen)))
    made = board.divided(recognised(lines, SNAP, board.earlier, progress.part(0.5, 1.0))).design
    known = {edit.name for edit in bare.tongues}
    made = made.with_tongues(edit for edit in design.tongues if edit.name not in known)
    made = made.with_drop_outs({*design.dropped} - {*bare.dropped})
    again = without_lost_edits(replace(made, whimsies=design.whimsies), SILENT).design
    return Generated(again, lost_edits(design, again))


def with_details(design: JigsawDesign, _progress: Progress, names: Sequence[str] = ()) -> JigsawDesign:
    """Cut loose lines, or all, as they are: as details that end inside pieces."""
    chosen = _chosen(design, names)
    return replace(
        design,
        loose=tuple(replace(one, is_detail=one.is_detail or at in chosen) for at, one in enumerate(design.loose)),
    )


def without_lines(design: JigsawDesign, _progress: Progress, names: Sequence[str] = ()) -> JigsawDesign:
    """Remove loose lines, or all that are not cut."""
    chosen = _chosen(design, names)
    return replace(design, loose=tuple(one for at, one in enumerate(design.loose) if at not in chosen))


def with_details_shortened(design: JigsawDesign, progress: Progress, names: Sequence[str] = ()) -> JigsawDesign:
    """Shorten details, or all, to their longest part that keeps the least wall to other cuts; one without such a part
    is removed."""
    import shapely

    shapes = shape(design, None, progress)
    board, details, least = BoardDrawing(shapes), shapes.tiling.drawn_details.tolist(), shapes.limits.least_bridge
    indices_of(dict.fromkeys((one.name for one in design.loose if one.is_detail), 0), names)
    made = {one.name: one for one in design.loose}
    for stroke in details:
        name, line = shapes.tiling.edge_name(stroke), shapes.drawing.strokes[stroke]
        near = [shapes.drawing.strokes[other] for other in _beside(shapes, stroke)]
        if (names and name not in names) or not near:
            continue
        string, others = multilines([line]), multilines(near)
        # A detail may begin on another cut.
        joined = [place for place in shapely.points(line[[0, -1]]) if shapely.distance(others, place) <= ATTACHED]
        wall = shapely.difference(
            shapely.buffer(others, SPARE * least), shapely.union_all(shapely.buffer(joined, 2 * least))
        )
        parts = shapely.get_parts(shapely.line_merge(shapely.difference(string, wall)))
        longest = parts[shapely.length(parts).argmax()] if len(parts) else None
        if longest is None or longest.is_empty:
            del made[name]
            continue
        around = np.sort(knots_near(line, shapely.get_coordinates(longest)[[0, -1]])[0])
        knots = [knot for knot in around.tolist() if SAME < knot < (len(line) - 1) // 3 - SAME]
        ends = [0.0, *knots, (len(line) - 1) / 3]
        middle = float(knots_near(line, shapely.get_coordinates(longest.interpolate(0.5, normalized=True)))[0][0])
        at = int(np.searchsorted(ends, middle)) - 1
        (curve,) = path_of([board.on_drawing(split_at_knots(line, knots)[max(at, 0)])])
        made[name] = replace(made[name], curve=curve)
    return replace(design, loose=tuple(made.values()))


def _chosen(design: JigsawDesign, names: Sequence[str]) -> list[int]:
    """Loose lines by name; without names all that are not cut. Raise StudioError for an unknown name."""
    known = {one.name: at for at, one in enumerate(design.loose)}
    return [*indices_of(known, names)] if names else [at for at, one in enumerate(design.loose) if not one.is_detail]


def loose_on_board(shapes: JigsawShapes) -> dict[str, Floats]:
    """The lines of a board of drawn cuts that are not cut by name, (3k + 1, 2) in mm."""
    if shapes.design.parameters.tiling != DRAWN:
        return {}
    board = BoardDrawing(shapes)
    return {one.name: board.on_board(np.array(one.curve)) for one in shapes.design.loose if not one.is_detail}


def loose_at(shapes: JigsawShapes, x: float, y: float, reach: float) -> str:
    """Name of the nearest line that is not cut within some mm of a place, or empty."""
    import shapely

    lines = loose_on_board(shapes)
    gaps = {shapely.distance(multilines([line]), shapely.Point(x, y)): name for name, line in lines.items()}
    least = min(gaps, default=np.inf)
    return gaps[least] if least <= reach else ""


def loose_findings(shapes: JigsawShapes) -> list[Finding]:
    """Report every loose line that is not cut at its free end, or in its middle, with fixes."""
    import shapely

    lines = loose_on_board(shapes)
    findings = []
    for name, line in lines.items():
        others = [other for other in lines.values() if other is not line]
        beside = multilines([*_near(shapes, line), *others])
        free = []
        for end in (0, -1):
            met = ahead(line, end, beside)
            gap = np.inf if met is None else float(np.hypot(*(met - line[end])))
            free += [(gap, end)] if gap > ATTACHED else []
        names = [name]
        extending, removing = _extending(names), _removing(names)
        detailing = Repair(tr("Cut as a detail"), partial(with_details, names=names))
        gap, end = min(free, default=(0.0, 0))
        repairs, length = [detailing, removing], float(multilines([line]).length)
        if not free:
            problem, place = check_problems.LOOSE_BRIDGE, line[3 * (len(line) // 6)]
        elif len(free) == 1 and length <= STUB:
            problem, place, gap = check_problems.LOOSE_OVER, line[end], length
            repairs = [removing, detailing, extending]
        elif gap == np.inf:
            problem, place = check_problems.LOOSE_FAR, line[end]
            # Within the board some cut, or the border, lies ahead.
            repairs += [extending] if shapely.contains(shapes.tiling.outline.region, shapely.Point(place)) else []
        else:
            problem, place = check_problems.LOOSE_END, line[end]
            repairs = [extending, *repairs]
        far = tr("more than {far:g} mm from the next cut", far=AHEAD)
        where = far if extending in repairs else tr("outside the board")
        usual, *rest = repairs
        findings.append(problem.finding(place, cells=names, repair=usual, others=rest, line=name, gap=gap, where=where))
    return findings


def detail_findings(shapes: JigsawShapes, pairs: Ints) -> list[Finding]:
    """Report details that cross other cuts, or leave less than the least wall beside them, among pairs (k, 2) of cuts.

    Where a detail begins on the other cut, the wall is measured further on.
    """
    import shapely

    lines, least, details = shapes.drawing.polylines, shapes.limits.least_bridge, shapes.tiling.drawn_details.tolist()
    findings = []
    for pair in pairs[among(pairs.ravel(), shapes.tiling.drawn_details).reshape(-1, 2).any(axis=1)].tolist():
        stroke, other = sorted(pair, key=lambda each: each not in details)
        string, beside = shapely.LineString(lines[stroke]), shapely.LineString(lines[other])
        ends = shapely.points(lines[stroke][[0, -1]])
        joined = shapely.union_all(shapely.buffer(ends[shapely.distance(beside, ends) <= ATTACHED], 2 * least))
        rest = shapely.difference(string, joined)
        gap = float(shapely.distance(beside, rest)) if not rest.is_empty else least
        if gap >= least:
            continue
        place = shapely.get_coordinates(shapely.shortest_line(beside, rest))[0]
        names = [shapes.tiling.edge_name(each) for each in pair if each in details]
        repairs = [Repair(tr("Shorten the detail"), partial(with_details_shortened, names=names[:1]))]
        if not gap:
            repairs.append(splitting())
        elif float(np.hypot(*(lines[stroke][[0, -1]] - place).T).min()) < 2 * least:
            repairs.append(_extending(names[:1]))
        problem = check_problems.DETAIL_CLOSE if gap else check_problems.DETAIL_CROSSES
        findings.append(problem.finding(
            place, strokes=pair, cells=names, repair=repairs[0], others=[*repairs[1:], _removing(names[:1])],
            line=names[0], gap=gap, least=least, shortfall=1 - gap / least,
        ))  # fmt: skip
    return findings


def _extending(names: Sequence[str]) -> Repair:
    return Repair(tr("Extend to the next cut"), partial(_extended, names=names), lost_edits)


def _removing(names: Sequence[str]) -> Repair:
    return Repair(tr("Remove the line"), partial(without_lines, names=names))


def _beside(shapes: JigsawShapes, stroke: int) -> list[int]:
    """Other strokes whose boxes are within twice the least wall of a stroke's."""
    boxes, margin = shapes.picker.boxes, 2 * shapes.limits.least_bridge
    low, high = boxes[stroke, :2] - margin, boxes[stroke, 2:] + margin
    near = (boxes[:, :2] <= high).all(axis=1) & (boxes[:, 2:] >= low).all(axis=1)
    return [other for other in np.flatnonzero(near).tolist() if other != stroke]


def _extended(design: JigsawDesign, progress: Progress, names: Sequence[str]) -> JigsawDesign:
    return with_lines_extended(design, progress, names).design


def _near(shapes: JigsawShapes, line: Floats) -> list[Floats]:
    """Strokes of a board near the ends of a line."""
    boxes, strokes, reach = shapes.picker.boxes, shapes.drawing.strokes, ASIDE * (AHEAD + SNAP)
    near = np.zeros(len(boxes), bool)
    for place in line[[0, -1]]:
        near |= (boxes[:, :2] <= place + reach).all(axis=1) & (boxes[:, 2:] >= place - reach).all(axis=1)
    return [strokes[at] for at in np.flatnonzero(near).tolist()]
