"""Boards of drawn cuts: found in a drawing, converted from any board, and divided again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.board.board_spec import DRAWN, FROM_FILE, PATH_DECIMALS, DrawnCut, LooseLine, path_of
from studio.geometry.board.drawn import SNAP, Earlier, Recognised, multilines, recognised
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.arrangement import places_at
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import lost_edits, verify
from studio.puzzles.kind import Generated

if TYPE_CHECKING:
    from studio.geometry.planar.arrangement import Arrangement

LEAST_BOARD = 5.0
"""The least width and height in mm of a board from a drawing."""
MEET = 1e-4
"""Distance in mm within which ends of a board's own cuts meet."""
FLAT = 0.01
"""Largest distance in mm of the polylines that tell in which piece a place is from its outline."""
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
    return drawn, _notes(found.arrangement, np.array(found.path[0]).min(axis=0))


def converted(design: JigsawDesign, progress: Progress = SILENT) -> JigsawDesign:
    """Turn a board of any tiling into a drawn one that is cut exactly as it is; pieces keep their names.

    Its figures become pieces and details, its moved corners and shaped tongues part of the curves.
    """
    board = BoardDrawing(shape(design, None, progress.part(0.0, 0.3)))
    if len(board.shapes.drawing.pieces) < 2:
        raise StudioError(tr("The board is a single piece, without a cut to convert."))
    # Drawn cuts end on their outline to the micrometre, others exactly.
    meet = SNAP if board.is_drawn else MEET
    found = recognised([*board.figures, *board.loose], meet, board.earlier, progress.part(0.3, 1.0))
    base = replace(design, corners=(), tongues=(), merged=(), whimsies=(), loose=board.lines)
    made = _designed(base, found, board.factors)
    right, down = (-board.on_board(box(np.array(found.path[0]))[0])).tolist()
    return (
        made if max(abs(right), abs(down)) <= SNAP and made.size == design.size else _adorned(made, design, right, down)
    )


def _adorned(made: JigsawDesign, design: JigsawDesign, right: float, down: float) -> JigsawDesign:
    """Give a board that a figure has enlarged the picture, the engravings and the protected area of a design where they
    are on it, moved by some mm."""
    from studio.puzzles.jigsaw.picture.masks import area_on_board, of_area

    engravings = tuple(
        one.at(replace(one.pose, x=one.pose.x + right, y=one.pose.y + down)) for one in design.engravings
    )
    picture, mask = design.picture, design.mask
    if picture is not None:
        picture = picture.on_other_board(design.size, made.size, (right, down))
    elif mask is not None:
        import shapely

        step = np.array([right, down])
        area = shapely.transform(area_on_board(mask, None, design.size), lambda points: points + step)
        mask = of_area(area, None, made.size)
    return replace(made, engravings=engravings, picture=picture, mask=mask)


def is_all_drawn(design: JigsawDesign) -> bool:
    """True for a board of drawn cuts without figures."""
    return design.parameters.tiling == DRAWN and not design.whimsies


class BoardDrawing:
    """A board as the lines of a drawing, to be divided again."""

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
        added = (LooseLine(name, curve, is_detail=True) for name, curve in zip(free, curves, strict=False))
        return tuple(sorted((*known, *added), key=attrgetter("name")))

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
            holes = [ring for ring in tiling.voids if tiling.on_border[ring >> 1].all()]
            rings = [*tiling.borders, *holes]
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
        border=usual.border, tricky_border=False, split_corners=0.0, false_edges=0.0, false_corners=0.0,
        hidden_border=0.0, follow_colours=0.0, corner_radius=0.0, columns=columns, rows=rows, pieces=0,
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
    curves = path_of(found.arrangement.loose)
    taken = {known[curve].name for curve in curves if curve in known}
    free = (name for number in count(1) if (name := f"line{number}") not in taken)
    lines = {}
    for curve in curves:
        if curve[0] != curve[-1] or len(curve) > 4:
            middle = shapely.points(places_at(np.array(curve), np.array([len(curve) / 6]))[0])
            is_detail = bool(shapely.distance(beside, middle) <= SNAP)
            lines[curve] = known.get(curve) or LooseLine(next(free), curve, is_detail)
    return tuple(sorted(lines.values(), key=attrgetter("name")))


def _notes(found: Arrangement, low: Floats) -> tuple[str, ...]:
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
        notes.append(tr("Left uncut, parting no piece: {lines}, listed with the problems.", lines=lines))
    return tuple(notes)
