"""Loose lines of a board of drawn cuts, which part no piece, and those cut as details: edits and findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from studio.base.amounts import listed
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.checks.finding import Finding, Repair
from studio.geometry.board.board_spec import DRAWN, path_of
from studio.geometry.board.drawn import AHEAD, ASIDE, ATTACHED, SNAP, ahead, extended, multilines, recognised
from studio.geometry.curves.strokes import Floats, Ints, among, split_at_knots
from studio.geometry.planar.arrangement import SAME, knots_near
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.drawn_boards import BoardDrawing
from studio.puzzles.jigsaw.model.drawn_cuts import splitting
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import lost_edits, without_lost_edits
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import indices_of

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
