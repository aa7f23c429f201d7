"""Shapes of a calendar puzzle's design: base, frame and pieces to cut, tray and pieces to print."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import COLOURS
from studio.geometry.art.lettering import grooves
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Drawing, Operation, Path, closed_parts
from studio.geometry.planar.polyomino import levels, limited, turns
from studio.geometry.planar.trays import in_rows
from studio.geometry.solids.slab import Rim, terraced
from studio.geometry.solids.solid import UPRIGHT, Mesh, Solid, stacked
from studio.puzzles.abilities.printable import Seen
from studio.puzzles.calendar.check_problems import FRAME_OPEN
from studio.puzzles.calendar.game import turn_of
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters, colour_of, lying
from studio.puzzles.calendar.tray import Ring, Tray, TrayPart, grid, largest_chamfer, text_of, tray


@dataclass(frozen=True, eq=False)
class CalendarShapes:
    """A calendar puzzle's shapes: the drawing, and the parts in their places on the board.

    `origins` (p, 2) in mm are the corners of the board's first place, or of a piece's first square, in the drawing,
    for each of `tray.parts`, which are the drawing's pieces in their order.
    """

    design: CalendarDesign
    drawing: Drawing
    tray: Tray
    origins: Floats

    def place_of(self, cell: str) -> tuple[float, float]:
        """The middle of a cell of the base in the drawing, in mm."""
        board = self.design.layout
        row, column = board.places[cell]
        x, y = self.origins[0] + (np.array([column, row]) + 0.5) * self.design.parameters.cell
        return float(x), float(y)

    def middle_of(self, part: int) -> tuple[float, float]:
        """The middle of a part's bounds in the drawing, in mm."""
        corners = self.tray.parts[part].rings[0].corners
        x, y = self.origins[part] + (corners.min(axis=0) + corners.max(axis=0)) / 2
        return float(x), float(y)

    @property
    def fit(self) -> tuple[tuple[str, str], ...]:
        """Tray, clearance, labels and edges in words."""
        p, (low, high) = self.design.parameters, (self.tray.low, self.tray.high)
        width, depth = high[0] - low[0], high[1] - low[1]
        deep, wide = depth_of(p), pen_of(text_of(self.design).height)
        words = {
            "sunk": tr("Engraved {depth:.1f} mm deep, lines {width:.1f} mm wide", depth=deep, width=wide),
            "raised": tr("Embossed {height:.1f} mm high, lines {width:.1f} mm wide", height=deep, width=wide),
            "plain": tr("None"),
        }
        return (
            (
                tr("Tray"),
                tr(
                    "{width:g} × {depth:g} × {height:.1f} mm, floor {floor:g} mm",
                    width=width,
                    depth=depth,
                    height=top_of(p),
                    floor=p.base,
                ),
            ),
            (
                tr("Clearance"),
                tr("{play:.2f} mm between pieces, {rim:.2f} mm at the frame", play=p.play, rim=1.5 * p.play),
            ),
            (tr("Labels"), words[p.relief]),
            (
                tr("Pieces"),
                tr("{thickness:g} mm thick, {chamfer:g} mm chamfer", thickness=p.thickness, chamfer=p.chamfer),
            ),
        )

    @cached_property
    def bed(self) -> tuple[Solid, ...]:
        """The tray and the pieces as they are printed, side by side, each with its bottom at height 0."""
        solids = [Solid(TITLE, COLOURS[-2], tray_mesh(self.design, self.tray))]
        for part in self.tray.pieces:
            colour = COLOURS[self.design.set[part.piece].colour % len(COLOURS)]
            solids.append(Solid(part.name, colour, piece_mesh(part, self.design.parameters)))
        bounds = [solid.mesh.bounds for solid in solids]
        places = packed(np.array([(high - low)[:2] for low, high in bounds]))
        laid_out = []
        for solid, (low, _high), (right, up) in zip(solids, bounds, places.tolist(), strict=True):
            shift = np.array([right - low[0], up - low[1], 0.0])
            laid_out.append(replace(solid, mesh=solid.mesh.moved(np.eye(3), shift)))
        return tuple(laid_out)


def shape(design: CalendarDesign, before: CalendarShapes | None, progress: Progress) -> CalendarShapes:
    """The shapes of a design; an unchanged drawing is taken from `before`."""
    progress.step(0.0)
    if before is not None:
        if before.design == design:
            return before
        if _drawn(before.design) == _drawn(design):
            return CalendarShapes(design, before.drawing, before.tray, before.origins)
    # All parts side by side: base and frame, below them the pieces in rows of the same width.
    whole = tray(design)
    sizes = [part.rings[0].corners for part in whole.parts]
    lows = np.array([corners.min(axis=0) for corners in sizes])
    places, width, height = in_rows(np.array([corners.max(axis=0) for corners in sizes]) - lows)
    origins = places - lows
    rings = [[ring.stroke + origin for ring in part.rings] for part, origin in zip(whole.parts, origins, strict=True)]
    lines = [(Operation.ENGRAVE, letters) for letters in text_of(design).strokes.values()]
    if design.parameters.grid:
        lines.append((Operation.SCORE, straight(grid(design.layout, design.parameters.cell))))
    marks = [
        Path(operation, strokes[at] + origins[0], closed=False)
        for operation, strokes in lines
        for at in range(len(strokes))
    ]
    drawing = closed_parts((width, height), [part.name for part in whole.parts], rings, marks)
    return CalendarShapes(design, drawing, whole, origins)


def _drawn(design: CalendarDesign) -> object:
    """All that the drawing depends on."""
    p, board = design.parameters, design.layout
    pieces = tuple((piece.name, piece.rows) for piece in design.set)
    texts = tuple((label.name, label.text) for label in board.labels)
    return board.rows, texts, pieces, p.cell, p.frame, p.play, p.radius, p.corner, p.outline, p.text, p.grid, p.notch


# A calendar puzzle for the printer: a tray whose floor bears the labels, and pieces with chamfered edges.
# The drawing's y grows downwards; on the bed it grows upwards, so that labels are read from above. wall: the part
# around the opening. pen: the width in mm of a line on the floor.


TITLE = "Tray"
STEPS = 8
"""The number of chords in a quarter circle."""
PEN_SHARE = 0.12
"""The width of a line of a label, as a share of the height of its capitals."""
LEAST_PEN, MOST_PEN = 0.6, 1.2
"""The least and the greatest width in mm of a line of a label; a nozzle of 0.4 mm prints the least."""
RELIEF = 0.6
"""Depth of sunk labels and height of raised ones, in mm: three layers of 0.2 mm."""
SUNK_SHARE = 0.5
"""The share of the floor that sunk labels take at the most."""
CLEAR = 0.05
"""Least gap in mm between the wall and lines on the floor, so that they share no corner."""
SPACING = 4.0
"""Gap between the solids on the bed, in mm."""
WIDER = 1.02
"""Factor by which a bed without room for the solids grows until they fit."""
UP = np.array([1.0, -1.0])


def bodies(shapes: CalendarShapes, progress: Progress) -> tuple[Solid, ...]:
    """The tray and the pieces as they are printed."""
    progress.step(0.0)
    return shapes.bed


def packed(sizes: Floats) -> Floats:
    """Origins of boxes of some sizes (p, 2), SPACING mm apart, on a small bed that is about as deep as wide.

    The first, which is the largest, lies in the corner; the rest follow by size, each as near to the front as possible.
    """
    room = sizes + SPACING
    order = [0, *(1 + np.argsort(-room[1:].prod(axis=1), kind="stable")).tolist()]
    side = max(float(room.max()), float(np.sqrt(room.prod(axis=1).sum())))
    while True:
        places = _fronts(room, order, side)
        if float((places + room)[:, 1].max()) <= side:
            return places + SPACING
        side *= WIDER


def _fronts(room: Floats, order: list[int], side: float) -> Floats:
    """The places of boxes on a bed as wide as `side`, however deep it must be."""
    places, done = np.zeros_like(room), np.zeros(len(room), bool)
    for at in order:
        low, high = places[done], (places + room)[done]
        rights = np.array([0.0, *high[:, 0].tolist()])
        rights = rights[rights + room[at, 0] <= side + 1e-9]
        over = (low[:, 0] < rights[:, None] + room[at, 0] - 1e-9) & (high[:, 0] > rights[:, None] + 1e-9)
        ups = np.where(over, high[:, 1], 0.0).max(axis=1, initial=0.0)
        best = int(np.lexsort((rights, ups))[0])
        places[at] = rights[best], ups[best]
        done[at] = True
    return places


def depth_of(parameters: CalendarParameters) -> float:
    """Depth of labels in the floor or their height above it, in mm."""
    if parameters.relief == "plain":
        return 0.0
    return min(RELIEF, SUNK_SHARE * parameters.base) if parameters.relief == "sunk" else RELIEF


def pen_of(height: float) -> float:
    """Width in mm of the lines of capitals `height` mm tall."""
    return float(np.clip(PEN_SHARE * height, LEAST_PEN, MOST_PEN))


def top_of(parameters: CalendarParameters) -> float:
    """Height of the tray's wall in mm: level with the pieces, which rest on raised labels."""
    raised = depth_of(parameters) if parameters.relief == "raised" else 0.0
    return parameters.base + raised + parameters.thickness


def tray_mesh(design: CalendarDesign, tray: Tray) -> Mesh:
    """Floor and wall as one body, in their places around the board; the floor is at the height `base`.

    Raises StudioError if the outside of the tray cuts into an opening.
    """
    parameters = design.parameters
    base, top, depth = parameters.base, top_of(parameters), depth_of(parameters)
    rims = [Rim(_loop(ring, (0.0, 0.0))[0], top, 0.0) for ring in tray.base.rings]
    # Seen from the openings the rims of wood are followed the other way round.
    openings = [_loop(ring, (0.0, 0.0))[0, ::-1] for ring in _openings(tray)]
    outside = shapely.Polygon(rims[0].points)
    if not all(outside.contains(shapely.LinearRing(opening)) for opening in openings):
        raise StudioError(FRAME_OPEN.finding(outside.exterior.coords[0]).message)
    rims += [Rim(opening, base, top) for opening in openings]
    flat = base - depth if parameters.relief == "sunk" else base + depth
    rims += [Rim(line, flat, base) for line in (_lines(design, openings) if depth else ())]
    return terraced(rims)


def _openings(tray: Tray) -> list[Ring]:
    """The rim of every opening in frame and fillers, followed by the fillers in it."""
    rims = [ring for part in (tray.frame, *tray.fillers) for ring in part.rings[1:]]
    areas = shapely.polygons([shapely.linearrings(rim.corners) for rim in rims])
    standing: list[list[Ring]] = [[] for _ in rims]
    for filler in tray.fillers:
        around = np.flatnonzero(shapely.contains(areas, shapely.Polygon(filler.rings[0].corners)))
        standing[min(around, key=lambda at: float(areas[at].area))].append(filler.rings[0])
    return [ring for rim, fillers in zip(rims, standing, strict=True) for ring in (rim, *fillers)]


def _lines(design: CalendarDesign, openings: list[Floats]) -> tuple[Floats, ...]:
    """The rims of labels and of the lines between cells on the floor of the openings, y upwards."""
    parameters, text = design.parameters, text_of(design)
    pen = pen_of(text.height)
    strokes = [letters[at] for letters in text.strokes.values() for at in range(len(letters))]
    if parameters.grid:
        lines = grid(design.layout, parameters.cell, inner=True)
        # They end before the wall.
        short = pen * np.sign(lines[:, 1] - lines[:, 0])
        between = straight(np.stack([lines[:, 0] + short, lines[:, 1] - short], 1))
        strokes += [between[at] for at in range(len(between))]
    if not strokes:
        return ()
    floors = shapely.polygons([shapely.linearrings(opening) for opening in openings])
    is_floor = shapely.is_ccw(shapely.get_exterior_ring(floors))
    floor = shapely.difference(shapely.union_all(floors[is_floor]), shapely.union_all(floors[~is_floor]))
    return grooves(Curves.from_strokes([stroke * UP for stroke in strokes]), pen, shapely.buffer(floor, -CLEAR))


def piece_mesh(part: TrayPart, parameters: CalendarParameters) -> Mesh:
    """A piece, its upper face as it is drawn; both faces are alike, so that it may be flipped."""
    chamfer = min(parameters.chamfer, largest_chamfer(parameters))
    thickness = parameters.thickness
    if chamfer <= 0:
        return stacked([_loop(ring, (0.0, 0.0)) for ring in part.rings], np.array([0.0, thickness]))
    heights = np.array([0.0, chamfer, thickness - chamfer, thickness])
    return stacked([_loop(ring, (chamfer, 0.0, 0.0, chamfer)) for ring in part.rings], heights)


def _loop(ring: Ring, insets: tuple[float, ...]) -> Floats:
    """A ring at several insets (r, n, 2), y upwards; a curve stays where it is.

    Convex corners are wide enough for every inset to keep an arc. Hollow ones keep their radius, lest they touch a
    convex corner in them.
    """
    corners, radii = ring.corners[::-1] * UP, ring.radii[::-1]
    if ring.curve is not None:
        return np.array([corners for _inset in insets])
    most = max(insets)
    if most > 0:
        radii = np.where(turns(corners) > 0, np.maximum(radii, UPRIGHT * most), radii)
    return levels(corners, limited(corners, radii), insets, STEPS)


# A printed calendar puzzle in space.
#
# Pieces over the tray are the printed meshes, turned: a flipped piece is turned over.

LIFT, SPREAD = 1.5, 0.5
"""Lift of the pieces, in cells, and their spread, as a share of their distance from the middle."""
UNDER = 0.25
"""Extra lift of each next piece, in cells, so that no piece passes through another."""


TRAY = "#B4AD9F"
"""Colour of the tray, which shows the pieces' colours best."""


class Sight(NamedTuple):
    """Shapes in view, and for each piece the cells that it covers in a solution; empty without a solution."""

    shapes: CalendarShapes
    placed: tuple[int, ...] = ()


def seen(sight: Sight, progress: Progress) -> Seen:
    """The tray with its pieces in it, in the order of their first cells; side by side as printed without a solution."""
    shapes, placed = sight
    progress.step(0.0, tr("Building pieces"))
    tray, *parts = shapes.bed
    tray, colours = replace(tray, colour=TRAY), [piece.colour for piece in shapes.design.set]
    # The board's colours tell more pieces apart.
    pieces = [
        replace(solid, colour=colour_of(colours[part.piece]))
        for solid, part in zip(parts, shapes.tray.pieces, strict=True)
    ]
    printed = (tray, *pieces)
    if [part.piece for part in shapes.tray.pieces] != list(range(len(placed))):
        return Seen(printed, np.zeros((len(printed), 3)), printed, len(pieces))
    design = shapes.design
    cell, floor = design.parameters.cell, top_of(design.parameters) - design.parameters.thickness
    # The mesh of the tray begins at the corner of the bed; its own place is around the board.
    corner = np.array([shapes.tray.low[0], -shapes.tray.high[1], 0.0])
    home = tray.mesh.moved(np.eye(3), corner - tray.mesh.bounds[0])
    middle = (home.bounds[0] + home.bounds[1]) / 2
    solids, ways = [Solid(tray.name, tray.colour, home)], [np.zeros(3)]
    order = sorted(range(len(placed)), key=lambda piece: placed[piece] & -placed[piece])
    for at, number in enumerate(order):
        solid, cells = pieces[number], placed[number]
        mask, row, column = lying(design.layout, cells)
        low = np.array([column, -row - mask.shape[0]]) * cell
        high = low + np.array(mask.shape[::-1]) * cell
        mesh = turned(solid.mesh, turn_of(design.set[number].mask, mask), (low + high) / 2, floor)
        solids.append(Solid(solid.name, solid.colour, mesh))
        aside = SPREAD * ((low + high) / 2 - middle[:2])
        ways.append(np.array([*aside, (LIFT + UNDER * at) * cell]))
    progress.step(1.0)
    return Seen(tuple(solids), np.array(ways), printed, len(pieces))


def turned(mesh: Mesh, turn: str, middle: Floats, floor: float) -> Mesh:
    """A mesh after the turn of a move, such as `f90`: the middle of its box at a place (2,), its bottom at a height."""
    angle = -np.radians(float(turn.removeprefix("f")))
    turning = np.round([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    if turn.startswith("f"):
        turning = turning @ np.diag([-1.0, 1.0, -1.0])
    there = mesh.moved(turning, np.zeros(3))
    low, high = there.bounds
    return there.moved(np.eye(3), np.array([*(middle - (low + high)[:2] / 2), floor - low[2]]))
