"""Edits of a jigsaw of drawn cuts: a board from a drawing, conversion of any board, and cuts added or redrawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.checks.finding import Finding, Repair
from studio.geometry.board.board_spec import DRAWN, FROM_FILE, PATH_DECIMALS, DrawnCut, LooseLine, path_of
from studio.geometry.board.drawn import (
    AHEAD,
    ATTACHED,
    SNAP,
    Earlier,
    Recognised,
    ahead,
    extended,
    multilines,
    recognised,
    with_line,
)
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Floats, Ints, among, split_at_knots, through
from studio.geometry.planar.arrangement import SAME, knots_near, places_at
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.strokes import moved
from studio.puzzles.jigsaw.model.tiling import lost_edits, verify, without_lost_edits
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import indices_of

if TYPE_CHECKING:
    from studio.geometry.planar.arrangement import Arrangement

LEAST_BOARD = 5.0
"""The least width and height in mm of a board from a drawing."""
MEET = 1e-4
"""Distance in mm within which ends of a board's own cuts meet."""
FLAT = 0.01
"""Largest distance in mm of the polylines that tell in which piece a place is from its outline."""
SPARE = 1.1
"""Factor for the least wall that is left between a shortened detail and another cut."""
MOST_TOLD = 3
"""Limit for the places named in a note."""


def with_drawn_cuts(
    design: JigsawDesign, lines: Sequence[Floats], tolerance: float, progress: Progress = SILENT
) -> tuple[JigsawDesign, tuple[str, ...]]:
    """Give a board the outline and the cuts of lines (3k + 1, 2) in mm, with ends joined within a tolerance in mm.

    Edits of the earlier cuts are dropped. Also return sentences about what was mended or left out. Raise StudioError if
    the lines enclose no pieces, or more than one board.
    """
    found = recognised(lines, tolerance, None, progress)
    base = replace(design, corners=(), tongues=(), merged=(), dropped=(), whimsies=(), loose=())
    drawn = _designed(base, found, np.ones(2))
    verify(drawn)
    return drawn, _notes(found.arrangement, np.array(found.path[0]).min(axis=0), tolerance)


def converted(design: JigsawDesign, progress: Progress = SILENT) -> JigsawDesign:
    """Turn a board of any tiling into a drawn one that is cut exactly as it is; pieces keep their names.

    Its figures become pieces and details, its moved corners and shaped tongues part of the curves.
    """
    board = _Board(shape(design, None, progress.part(0.0, 0.3)))
    if len(board.shapes.drawing.pieces) < 2:
        raise StudioError(tr("The board is a single piece, without a cut to convert."))
    # Drawn cuts end on their outline to the micrometre, others exactly.
    meet = SNAP if board.is_drawn else MEET
    found = recognised([*board.figures, *board.loose], meet, board.earlier, progress.part(0.3, 1.0))
    base = replace(design, corners=(), tongues=(), merged=(), whimsies=(), loose=board.lines)
    return _designed(base, found, board.factors)


def is_all_drawn(design: JigsawDesign) -> bool:
    """True for a board of drawn cuts without figures."""
    return design.parameters.tiling == DRAWN and not design.whimsies


def is_whole(shapes: JigsawShapes, edge: int) -> bool:
    """True if an edge is a drawn cut that no figure divides."""
    if shapes.is_of_figure(edge) or shapes.design.parameters.tiling != DRAWN:
        return False
    name, ends = shapes.tiling.edge_name(edge), shapes.tiling.graph.edges[edge].tolist()
    known = {cut.name: cut.ends for cut in shapes.design.cuts}
    return known.get(name) == tuple(map(shapes.tiling.corner_name, ends))


def with_cut(
    design: JigsawDesign, progress: Progress, line: Floats, *, has_tongues: bool = False
) -> Generated[JigsawDesign]:
    """Draw a cut (3k + 1, 2) in mm, between other cuts or the border; another tiling, or figures, are converted first.

    The pieces that it crosses are divided; edits of cuts that it meets become part of them. Its straight edges may get
    tongues. Raise StudioError if it does not end on cuts, leaves the board, or divides no piece.
    """
    board = _Board(shape(design, None, progress.part(0.0, 0.2)))
    if not board.is_drawn and len(board.shapes.drawing.pieces) > 1:
        board = _Board(shape(converted(design, progress.part(0.2, 0.5)), None, progress.part(0.5, 0.6)))
    found = with_line(board.earlier, board.on_drawing(line), board.loose, progress.part(0.6, 1.0))
    made = board.divided(found)
    if not has_tongues:
        return made
    import shapely

    string = multilines([board.on_drawing(line)])
    chosen = []
    for cut in found.cuts:
        chord = shapely.linestrings([cut.curve[0], cut.curve[-1]])
        places = shapely.points(cut.curve)
        if max(shapely.distance(string, places).max(), shapely.distance(chord, places).max()) <= SNAP:
            chosen.append(TongueEdit(cut.name, plain=False))
    return replace(made, design=made.design.with_tongues(chosen))


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


def _several(places: Sequence[tuple[float, float]]) -> Floats:
    if len(places) < 2:
        raise StudioError(tr("A cut needs two places or more."))
    return np.array(places, float)


def redrawn(design: JigsawDesign, progress: Progress, name: str, places: Sequence[tuple[float, float]]) -> JigsawDesign:
    """Lead an edge smoothly through places in mm, between the same corners, like `with_edge_redrawn`."""
    shapes = shape(design, None, progress)
    (edge,) = indices_of(shapes.tiling.edge_indices, [name])
    first, last = shapes.corners[shapes.tiling.graph.edges[edge]]
    return with_edge_redrawn(design, progress, name=name, curve=smooth(np.array([first, *places, last])))


def with_edge_redrawn(design: JigsawDesign, progress: Progress, *, name: str, curve: Floats) -> JigsawDesign:
    """Give an edge another curve (3k + 1, 2) in mm; another tiling, or a figure that divides it, is converted first.

    Raise StudioError for a curve that leaves a corner on the far side of another cut there.
    """
    shapes = shape(design, None, progress)
    (edge,) = indices_of(shapes.tiling.edge_indices, [name])
    if not is_whole(shapes, edge):
        shapes = shape(converted(design, progress), None, progress)
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


def with_lines_extended(design: JigsawDesign, progress: Progress, names: Sequence[str] = ()) -> Generated[JigsawDesign]:
    """Lead the free ends of loose lines, or of all that are not cut, straight to the next cut, so that they part
    pieces; a named line without a cut within AHEAD goes as far as it must."""
    chosen = _chosen(design, names)
    if not chosen:
        return Generated(design)
    board = _Board(shape(replace(design, whimsies=()), None, progress.part(0.0, 0.5)))
    lines = board.loose
    for one in chosen:
        others = [*board.earlier.lines, *(line for other, line in enumerate(lines) if other != one)]
        led = extended(lines[one], others)
        if names and len(led) == len(lines[one]):
            led = extended(lines[one], others, float(np.hypot(*np.ptp(np.concatenate(others), axis=0))))
        lines[one] = led
    made = board.divided(recognised(lines, SNAP, board.earlier, progress.part(0.5, 1.0)))
    again = without_lost_edits(replace(made.design, whimsies=design.whimsies), SILENT)
    return replace(again, dropped=(*made.dropped, *again.dropped))


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
    board, details, least = _Board(shapes), shapes.tiling.drawn_details.tolist(), shapes.limits.least_bridge
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


def with_crossings_split(design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    """Divide a board of drawn cuts where its cuts cross: every crossing becomes a corner, with new pieces.

    Raise StudioError if a cut crosses the border.
    """
    if design.parameters.tiling != DRAWN:
        raise StudioError(tr("The board has no drawn cuts. Convert it to drawn cuts first."))
    board = _Board(shape(converted(design) if design.whimsies else design, None, progress.part(0.0, 0.3)))
    found = recognised(board.loose, SNAP, board.earlier, progress.part(0.3, 1.0))
    if not board.earlier.has_outline(found.path):
        raise StudioError(tr("A cut crosses the border. Move it inside first."))
    return board.divided(found)


def _chosen(design: JigsawDesign, names: Sequence[str]) -> list[int]:
    """Loose lines by name; without names all that are not cut. Raise StudioError for an unknown name."""
    known = {one.name: at for at, one in enumerate(design.loose)}
    return [*indices_of(known, names)] if names else [at for at, one in enumerate(design.loose) if not one.is_detail]


def loose_on_board(shapes: JigsawShapes) -> list[Floats]:
    """The lines of a board of drawn cuts that are not cut, (3k + 1, 2) in mm."""
    if shapes.design.parameters.tiling != DRAWN:
        return []
    board = _Board(shapes)
    return [board.on_board(np.array(one.curve)) for one in shapes.design.loose if not one.is_detail]


def loose_findings(shapes: JigsawShapes) -> list[Finding]:
    """Report every loose line that is not cut at its free end, or in its middle, with fixes."""
    import shapely

    lines = loose_on_board(shapes)
    findings = []
    for one, line in zip((one for one in shapes.design.loose if not one.is_detail), lines, strict=True):
        others = [other for other in lines if other is not line]
        beside = multilines([*_near(shapes, line), *others])
        free = []
        for end in (0, -1):
            met = ahead(line, end, beside)
            gap = np.inf if met is None else float(np.hypot(*(met - line[end])))
            free += [(gap, end)] if gap > ATTACHED else []
        names = [one.name]
        extending, removing = _extending(names), _removing(names)
        detailing = Repair(tr("Cut as a detail"), partial(with_details, names=names))
        gap, end = min(free, default=(0.0, 0))
        repairs = [detailing, removing]
        if not free:
            problem, place = check_problems.LOOSE_BRIDGE, line[3 * (len(line) // 6)]
        elif gap == np.inf:
            problem, place = check_problems.LOOSE_FAR, line[end]
            # Within the board some cut, or the border, lies ahead.
            repairs += [extending] if shapely.contains(shapes.tiling.outline.region, shapely.Point(place)) else []
        else:
            problem, place = check_problems.LOOSE_END, line[end]
            repairs = [extending, *repairs]
        usual, *rest = repairs
        findings.append(problem.finding(place, cells=names, repair=usual, others=rest, line=one.name, gap=gap))
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


def splitting() -> Repair:
    """The fix of cuts that cross on a board of drawn cuts."""
    return Repair(
        tr("Split at the crossing"), lambda design, progress: with_crossings_split(design, progress).design, lost_edits
    )


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
    boxes, strokes = shapes.picker.boxes, shapes.drawing.strokes
    near = np.zeros(len(boxes), bool)
    for place in line[[0, -1]]:
        near |= (boxes[:, :2] <= place + AHEAD).all(axis=1) & (boxes[:, 2:] >= place - AHEAD).all(axis=1)
    return [strokes[at] for at in np.flatnonzero(near).tolist()]


def with_curves(shapes: JigsawShapes, curves: Mapping[int, Floats]) -> JigsawDesign:
    """Give edges of a board of drawn cuts other curves (3k + 1, 2) in mm between the same corners.

    Their tongues and mirrorings are dropped. What crosses others is left to the checks.
    """
    design, tiling = shapes.design, shapes.tiling
    board = _Board(shapes)
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


class _Board:
    """A board that is about to be divided again, as the lines of a drawing."""

    def __init__(self, shapes: JigsawShapes) -> None:
        self.shapes = shapes
        self._low, self.factors = np.zeros(2), np.ones(2)
        design = shapes.design
        self.is_drawn = is_all_drawn(design)
        if design.parameters.tiling == DRAWN:
            self._low, high = box(np.array(design.path[0]))
            self.factors = np.array(design.size) / (high - self._low)

    @property
    def loose(self) -> list[Floats]:
        """The loose lines, and details of figures, as curves."""
        return [np.array(one.curve) for one in self.lines]

    @cached_property
    def lines(self) -> tuple[LooseLine, ...]:
        """The loose lines in the drawing, and details of figures."""
        tiling, strokes = self.shapes.tiling, self.shapes.drawing.strokes
        design = self.shapes.design
        known = design.loose if design.parameters.tiling == DRAWN else ()
        taken = {one.name for one in known}
        free = (name for number in count(1) if (name := f"line{number}") not in taken)
        details = sorted(tiling.details - {*tiling.drawn_details.tolist()})
        curves = path_of([self.on_drawing(strokes[edge]) for edge in details])
        return (*known, *(LooseLine(name, curve, is_detail=True) for name, curve in zip(free, curves, strict=False)))

    @property
    def figures(self) -> list[Floats]:
        """The outlines of figures, an edge each."""
        tiling, strokes = self.shapes.tiling, self.shapes.drawing.strokes
        others = {*tiling.graph.inner_edges.tolist(), *tiling.details}
        edges = np.setdiff1d(np.flatnonzero(~tiling.on_border), [*others])
        return [self.on_drawing(strokes[edge]) for edge in edges.tolist()]

    @cached_property
    def earlier(self) -> Earlier:
        """The cuts as they are now, with their names."""
        tiling, drawing, design = self.shapes.tiling, self.shapes.drawing, self.shapes.design
        cuts = []
        for edge in tiling.graph.inner_edges.tolist():
            first, last = (
                tiling.corner_name(corner) if self.is_drawn else str(corner + 1)
                for corner in tiling.graph.edges[edge].tolist()
            )
            right, left = map(tiling.piece_name, tiling.graph.sides[edge].tolist())
            (curve,) = path_of([self.on_drawing(drawing.strokes[edge])])
            cuts.append(DrawnCut(tiling.edge_name(edge), (first, last), (right, left), curve))
        path = design.path
        if not self.is_drawn:
            rings = [ring for ring in (*tiling.rims, *tiling.voids) if tiling.on_border[ring >> 1].all()]
            curves = [drawing.strokes.joined(ring, np.array([0, len(ring)]))[0] for ring in rings]
            path = path_of([self.on_drawing(curve) for curve in curves])
        return Earlier(cuts, path, self._pieces_at)

    def on_drawing(self, points: Floats) -> Floats:
        """Places (k, 2) in the drawing of places in mm on the board."""
        return points / self.factors + self._low

    def on_board(self, points: Floats) -> Floats:
        """Places (k, 2) in mm on the board of places in the drawing."""
        return (points - self._low) * self.factors

    def _pieces_at(self, points: Floats) -> list[str]:
        import shapely

        from studio.geometry.planar.regions import pieces_as_polygons

        drawing = self.shapes.drawing
        tree = shapely.STRtree(pieces_as_polygons(drawing, drawing.strokes.flattened(FLAT)))
        places = shapely.points(self.on_board(points))
        at, piece = tree.query(places, predicate="within")
        inside = dict(zip(at.tolist(), piece.tolist(), strict=True))
        return [drawing.pieces.names[inside[number]] if number in inside else "" for number in range(len(points))]

    def divided(self, found: Recognised) -> Generated[JigsawDesign]:
        """The board as it was found again: elements that are as they were keep their edits."""
        design, earlier = self.shapes.design, {cut.name: cut for cut in self.earlier.cuts}
        before = {cut.name: cut for cut in design.cuts} if self.is_drawn else {}
        same = {cut.name for cut in found.cuts if earlier.get(cut.name) == cut}
        ends = {cut.name: {*cut.ends} for cut in found.cuts}
        shifted = {corner for pair in ends.values() for corner in pair}
        if not design.parameters.perturbation:
            shifted &= {edit.name for edit in design.corners}
        # A moved corner that a new cut reaches stays where it is, with all cuts there, and so on along moved corners.
        kept, fixed = same & before.keys(), {corner for name in ends.keys() - same for corner in ends[name]} & shifted
        while reached := {name for name in kept if ends[name] & fixed}:
            kept -= reached
            fixed |= {corner for name in reached for corner in ends[name]} & shifted
        cuts = [replace(before[cut.name], pieces=cut.pieces) if cut.name in kept else cut for cut in found.cuts]
        indices = self.shapes.tiling.edge_indices
        mirrored = {name for name in same - kept if name in indices and self.shapes.drawn[indices[name]]}
        tongues = [replace(edit, side=None) if edit.name in mirrored else edit
                   for edit in design.tongues if edit.name in same]  # fmt: skip
        corners = {corner for pair in ends.values() for corner in pair} - fixed
        # Corners are moved in units of the usual piece.
        usual = (found.count / max(len({piece for cut in before.values() for piece in cut.pieces}), 1)) ** 0.5
        shifts = [replace(edit, right=edit.right * usual, down=edit.down * usual)
                  for edit in design.corners if edit.name in corners]  # fmt: skip
        base = replace(
            design, merged=(), corners=tuple(shifts), tongues=tuple(edit for edit in tongues if not edit.is_blank)
        )
        has_outline = self.is_drawn and self.earlier.has_outline(found.path)
        found = replace(found, cuts=tuple(cuts), path=design.path if has_outline else found.path)
        made = _designed(base, found, self.factors)
        return Generated(made, lost_edits(replace(design, merged=()), made))


def _designed(base: JigsawDesign, found: Recognised, factors: Floats) -> JigsawDesign:
    """The design of a board that was found in a drawing, stretched by some factors."""
    low, high = box(np.array(found.path[0]))
    width, height = np.round((high - low) * factors, PATH_DECIMALS).tolist()
    if min(width, height) < LEAST_BOARD:
        raise StudioError(tr("it is {width:.1f} × {height:.1f} mm (minimum {least:g} mm).", width=width, height=height,
                             least=LEAST_BOARD))  # fmt: skip
    if not found.cuts:
        raise StudioError(tr("its lines make a single piece; import it as an outline."))
    # Columns and rows tell the size of a piece, and divide the board if it gets another tiling.
    usual = JigsawParameters(width=width, height=height, pieces=found.count, exact=False)
    columns, rows = usual.layout()
    parameters = replace(
        base.parameters, tiling=DRAWN, outline=FROM_FILE, width=width, height=height, perturbation=0.0,
        border=usual.border, tricky_border=False, follow_colours=0.0, corner_radius=0.0,
        columns=columns, rows=rows, pieces=0,
    )  # fmt: skip
    pieces = {piece for cut in found.cuts for piece in cut.pieces}
    dropped = tuple(name for name in base.dropped if name in pieces)
    return replace(
        base, parameters=parameters, path=found.path, cuts=found.cuts, loose=_loose(base, found), dropped=dropped
    )


def _loose(base: JigsawDesign, found: Recognised) -> tuple[LooseLine, ...]:
    """Name the lines that part nothing; known ones keep their names, and parts of details are details."""
    import shapely

    known = {one.curve: one for one in base.loose}
    details = [np.array(one.curve) for one in base.loose if one.is_detail]
    beside = multilines(details) if details else shapely.MultiLineString()
    curves = [path_of([one.curve])[0] for one in found.arrangement.loose]
    taken = {known[curve].name for curve in curves if curve in known}
    free = (name for number in count(1) if (name := f"line{number}") not in taken)
    lines = {}
    for curve in curves:
        if curve[0] != curve[-1] or len(curve) > 4:
            middle = shapely.points(places_at(np.array(curve), np.array([len(curve) / 6]))[0])
            is_detail = bool(shapely.distance(beside, middle) <= SNAP)
            lines[curve] = known.get(curve) or LooseLine(next(free), curve, is_detail)
    return tuple(sorted(lines.values(), key=attrgetter("name")))


def _notes(found: Arrangement, low: Floats, tolerance: float) -> tuple[str, ...]:
    """Sentences on what was mended in a drawing, with places on the board, whose corner is at `low`."""
    notes = []
    if len(found.gaps):
        gaps, largest = many(len(found.gaps), "gap"), float(found.gaps.max())
        notes.append(tr("Closed {gaps}, the largest {largest:.2f} mm wide.", gaps=gaps, largest=largest))
    if len(found.doubled):
        named = [f"{x:.1f}, {y:.1f} mm" for x, y in (found.doubled - low)[:MOST_TOLD].tolist()]
        places = "; ".join([*named, "…"] if len(found.doubled) > MOST_TOLD else named)
        lines = many(len(found.doubled), "line")
        notes.append(tr("Left out {lines} drawn twice: {places}.", lines=lines, places=places))
    if found.loose:
        lines = many(len(found.loose), "line")
        notes.append(tr("Left uncut, with gaps above {tolerance:g} mm: {lines}, listed with the problems.",
                        tolerance=tolerance, lines=lines))  # fmt: skip
    return tuple(notes)
