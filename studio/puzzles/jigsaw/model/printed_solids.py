"""A jigsaw for the 3-D printer: pieces with clearance and chamfered edges, and its picture as a relief.

The drawing's y grows downwards; on the bed it grows upwards. Spread apart, pieces keep their arrangement, and figures
within another piece lie beside all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from studio.base.amounts import abridged, extent, many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.units import filled
from studio.geometry.art.artwork import COLOURS, Picture, turned
from studio.geometry.curves.fitting import Flags
from studio.geometry.curves.offsetting import buffered, harms, refuse_crossed, refuse_harmed
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Seam
from studio.geometry.planar.polyomino import Mask
from studio.geometry.planar.regions import Polygons, pieces_as_polygons, shifted, spread, tints
from studio.geometry.solids.slab import UP, Relief, label, pair, slab, snapped
from studio.geometry.solids.solid import Solid
from studio.puzzles.abilities.printable import Seen
from studio.puzzles.jigsaw.model.design import ASSEMBLED, DARK, JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape

# The joint of a jigsaw: its median tongue

SIDE_FLATTENING = 0.02
"""Largest deviation in mm of the polyline that decides a tongue's side."""


def joint(shapes: JigsawShapes) -> Seam:
    """Find the tongue of median length. Raise StudioError on a board without tongues."""
    inner = shapes.tiling.inner_edges
    tongues = inner[~shapes.plain[inner]]
    if not len(tongues):
        raise StudioError(tr("No fit coupon: the puzzle has no tongue between two pieces."))
    strokes = shapes.drawing.strokes
    by_length = np.argsort(strokes.lengths[tongues], kind="stable")
    tongue = strokes[int(tongues[by_length[(len(tongues) - 1) // 2]])]
    # Its ends are on y = 0, the first at the origin, and most of it is below them.
    way = tongue[-1] - tongue[0]
    length = float(np.hypot(*way))
    along = way / length
    turned: Floats = (tongue - tongue[0]) @ np.array([[along[0], -along[1]], [along[1], along[0]]])
    turned[0], turned[-1] = (0.0, 0.0), (length, 0.0)
    heights = Curves.from_strokes([turned]).flattened(SIDE_FLATTENING).points[:, 1]
    if -heights.min() > heights.max():
        turned = np.array([length, 0.0]) - turned[::-1]
        turned[0], turned[-1] = (0.0, 0.0), (length, 0.0)
    return Seam(turned)


# The picture of a jigsaw as a relief on its printed pieces: light or dark areas are higher.
#
# lightness: the picture's grey level, from 0 for black to 1 for white; transparent areas are white.

MOST_TRIANGLES = 1_500_000
"""Approximate maximum of all reliefs together, without walls and bottoms; the grid of a larger board is coarser."""
BANDS = 1.25
"""Triangles of a relief divided by the triangles of its grid: bands along outlines add some."""


def relief(shapes: JigsawShapes, area: float, most: int = MOST_TRIANGLES) -> Relief | None:
    """Make the relief of a board whose pieces have a total area in mm², y upwards; None if the relief height is 0.

    Its grid is coarse enough for about `most` triangles. Raise StudioError for a board without a picture.
    """
    p, picture = shapes.design.parameters, shapes.design.picture
    if not p.relief:
        return None
    if picture is None:
        raise StudioError(tr("The relief needs a picture: load one, or set its height to 0."))
    width, height = shapes.drawing.width, shapes.drawing.height
    step = grid(shapes, area, most)
    field = _Lightness.from_picture(picture.on_board(width, height), picture.crop, step)

    def heights(places: Floats) -> Floats:
        light, shown = field.at(places * (1.0, -1.0))
        return np.where(shown, p.relief * (1.0 - light if p.relief_raised == DARK else light), 0.0)

    return Relief(step, heights)


def grid(shapes: JigsawShapes, area: float, most: int = MOST_TRIANGLES) -> float:
    """Grid spacing in mm of a relief over an area in mm²: the chosen spacing, or coarser to limit the triangles."""
    return float(max(shapes.design.parameters.relief_grid, (2 * BANDS * area / most) ** 0.5))


@dataclass(frozen=True, eq=False)
class _Lightness:
    """Lightness of a picture, shape (rows, columns); the picture is turned about the middle of its box in mm."""

    values: Floats
    picture: Picture
    crop: tuple[float, float, float, float]

    @classmethod
    def from_picture(cls, picture: Picture, crop: tuple[float, float, float, float], step: float) -> _Lightness:
        """Read a picture, with pixels not much finer than a step in mm. Raise StudioError if it is broken."""
        return cls(picture.lightness(step), picture, crop)

    def at(self, places: Floats) -> tuple[Floats, Mask]:
        """Lightness at places in mm, y downwards, shape (n, 2), and mask of the places on the picture."""
        width, height = self.picture.box[2:]
        shares = turned(places - np.array(self.picture.middle), -self.picture.turn) / (width, height) + 0.5
        left, top, right, bottom = self.crop
        shown = np.all((shares >= (left, top)) & (shares <= (1 - right, 1 - bottom)), axis=1)
        rows, columns = self.values.shape
        spots = np.clip(shares * (columns, rows) - 0.5, 0.0, np.array([columns, rows]) - 1.0)
        across, down = np.minimum(spots.astype(np.int64), np.maximum(np.array([columns, rows]) - 2, 0)).T
        right_one, lower = np.minimum(across + 1, columns - 1), np.minimum(down + 1, rows - 1)
        right_share, low_share = (spots - np.stack([across, down], 1)).T
        upper = self.values[down, across] * (1 - right_share) + self.values[down, right_one] * right_share
        under = self.values[lower, across] * (1 - right_share) + self.values[lower, right_one] * right_share
        return upper * (1 - low_share) + under * low_share, np.asarray(shown)


SPACING = 3.0
"""Spacing in mm of pieces that are spread apart."""
MOST_EDGE = 14.0
"""Longest edge in mm of a coupon's tongue."""
GRIP = 0.5
"""Depth of the part that carries a coupon's tongue, as a fraction of the tongue's edge."""
FLATTENING = 0.03
"""Largest deviation in mm of outlines, which neighbours share; far less than the width of a line of plastic."""
PLASTER = "#B4AD9F"
"""Colour of a relief in the view."""
MOST_SEEN = 150_000
"""Approximate maximum of triangles of a relief in the view."""
MOST_NAMED = 4
"""Most pieces too thin to print that are named."""
MANY, ROUGH = 150, 0.15
"""Number of pieces above which the view drops chamfers, and the deviation in mm of their outlines."""


def bodies(shapes: JigsawShapes, progress: Progress) -> tuple[Solid, ...]:
    """Make the printed pieces. Raise StudioError if they cannot be printed, or Cancelled."""
    progress.step(0.0, tr("Offsetting outlines"))
    shapes = shapes.made
    areas, p = _areas(shapes), shapes.limits
    raised = relief(shapes, float(shapely.area(areas).sum()))
    is_spread = p.bed != ASSEMBLED
    shifts = _spread(areas, progress.part(0.0, 0.3)) if is_spread else _to_corner(areas, np.zeros((len(areas), 2)))
    return _extruded(shapes, areas, shifts, np.full(len(areas), p.chamfer), raised, progress.part(0.3, 1.0))


def seen(shapes: JigsawShapes, progress: Progress) -> Seen:
    """Make the pieces for the view, in their places, simplified if many, with their shifts when spread apart.

    Pieces that clearance or chamfer would destroy are shown as drawn, and named in a note. Raise Cancelled.
    """
    progress.step(0.0, tr("Offsetting outlines"))
    shapes = shapes.made
    (areas, thin), p = _areas_seen(shapes), shapes.limits
    together = _to_corner(areas, np.zeros((len(areas), 2)))
    apart = _spread(areas, progress.part(0.0, 0.5))
    raised = relief(shapes, float(shapely.area(areas).sum()), MOST_SEEN)
    is_large = len(areas) > MANY
    # Simplified separately, neighbours come closer than the printed clearance, so only the view uses these.
    rough = snapped(shapely.simplify(areas, ROUGH)) if is_large else areas
    chamfers = np.where(thin | is_large, 0.0, p.chamfer)
    solids = _extruded(shapes, rough, together, chamfers, raised, progress.part(0.5, 1.0))
    if raised is not None:
        # Six colours would hide the light and shade that make a relief visible.
        solids = tuple(replace(one, colour=PLASTER) for one in solids)
    ways = np.column_stack([apart - together, np.zeros(len(areas))])
    note, names = "", [shapes.drawing.pieces.names[at] for at in np.flatnonzero(thin)]
    if names:
        named = tr("Piece {name} is") if len(names) == 1 else tr("Pieces {name} are")
        named = filled(named, {"name": abridged(names, MOST_NAMED)})
        note = tr("{pieces} too thin to print, shown as drawn.", pieces=named)
    if p.bed == ASSEMBLED:
        return Seen(solids, ways, solids, note=note)
    moved = zip(solids, ways, strict=True)
    printed = tuple(replace(one, mesh=one.mesh.moved(np.eye(3), way)) for one, way in moved)
    return Seen(solids, ways, printed, note=note)


def _spread(areas: Polygons, progress: Progress) -> Floats:
    """Shifts that spread pieces apart, beginning at the corner of the bed, shape (n, 2)."""
    return _to_corner(areas, spread(areas, SPACING, progress))


def _to_corner(areas: Polygons, shifts: Floats) -> Floats:
    """Adjust shifts of pieces, shape (n, 2), so that they begin at the corner of the bed."""
    return np.asarray(shifts - shapely.total_bounds(shifted(areas, shifts))[:2])


def _extruded(
    shapes: JigsawShapes, areas: Polygons, shifts: Floats, chamfers: Floats, raised: Relief | None, progress: Progress
) -> tuple[Solid, ...]:
    """Extrude pieces to solids, each with a shift in mm, shape (n, 2), and a chamfer in mm."""
    p, pieces = shapes.limits, shapes.drawing.pieces
    colours = tints(pieces, len(COLOURS)).tolist()
    found = []
    each = zip(areas, shifts.tolist(), chamfers.tolist(), strict=True)
    for number, (area, shift, chamfer) in enumerate(each):
        progress.step(number / len(areas), tr("Extruding pieces"))
        mesh = slab(area, 0.0, p.thickness, chamfer, raised).moved(np.eye(3), np.array([*shift, 0.0]))
        found.append(Solid(pieces.names[number], COLOURS[colours[number]], mesh))
    progress.step(1.0)
    return tuple(found)


def fit(shapes: JigsawShapes) -> tuple[tuple[str, str], ...]:
    """Describe thickness, chamfer, relief, clearance and size."""
    p, drawing = shapes.limits, shapes.drawing
    pieces = tr("{thickness:g} mm thick, {chamfer:g} mm chamfer", thickness=p.thickness, chamfer=p.chamfer)
    lines = ((tr("Relief"), _relief_words(shapes)),) if p.relief and shapes.design.picture is not None else ()
    return (
        (tr("Pieces"), pieces if p.chamfer else tr("{thickness:g} mm thick", thickness=p.thickness)),
        *lines,
        (tr("Clearance"), tr("{play:.2f} mm between pieces", play=p.play)),
        (tr("Assembled"), extent(drawing.width, drawing.height, decimals=0)),
    )


def _relief_words(shapes: JigsawShapes) -> str:
    p, drawing = shapes.design.parameters, shapes.drawing
    step = grid(shapes, float(shapely.area(pieces_as_polygons(drawing, drawing.strokes.flattened(1.0))).sum()))
    high = tr("up to {height:g} mm high, grid of {step:.2g} mm", height=p.relief, step=step)
    if step <= p.relief_grid:
        return high
    most = many(MOST_TRIANGLES, "triangle")
    return tr(
        "{high} (coarser than {asked:g} mm to keep the relief below {most})", high=high, asked=p.relief_grid, most=most
    )


def joints(design: JigsawDesign, gaps: Sequence[float], progress: Progress) -> tuple[Solid, ...]:
    """Make a block with a socket and the median tongue, for each clearance in mm.

    Raise StudioError if the design has no tongue, or its tongue is too narrow, and Cancelled.
    """
    curve = joint(shape(design, None, progress)).line
    # The fit depends on the clearance alone, not on the size of the tongue.
    line = Curves.from_strokes([curve * min(1.0, MOST_EDGE / float(curve[-1, 0]))]).flattened(FLATTENING).points
    length = float(line[-1, 0])
    depth = GRIP * length
    piece = shapely.Polygon([*line.tolist(), (length, -depth), (0.0, -depth)])
    found = []
    for number, gap in enumerate(gaps):
        progress.step(number / len(gaps), tr("Making the {clearance} mm pair", clearance=label(gap)))
        part, opening = (buffered(np.array([piece], object), side * gap / 2)[0] for side in (-1, 1))
        if part.geom_type != "Polygon" or not piece.is_valid:
            raise StudioError(tr("No fit coupon: the tongue is too narrow for a clearance of {gap:g} mm.", gap=gap))
        meshes = pair(part, opening, (gap, -depth + gap, length - gap, -gap), design.parameters.thickness, label(gap))
        for name, mesh in zip("ab", meshes, strict=True):
            found.append(Solid(f"{label(gap)} {name}", COLOURS[number % len(COLOURS)], mesh))
    progress.step(1.0)
    return tuple(found)


def _areas(shapes: JigsawShapes) -> Polygons:
    """Inset the pieces by half the clearance, y upwards. Raise StudioError if clearance or chamfer destroys a piece."""
    p, names, drawn = shapes.limits, shapes.drawing.pieces.names, _drawn(shapes)
    refuse_crossed(drawn, names)
    inset = p.play / 2 + p.chamfer
    if inset > 0:
        try:
            refuse_harmed(drawn, buffered(drawn, -inset), names, -inset)
        except StudioError as problem:
            advice = tr("Reduce the clearance or the chamfer, or make the piece larger.")
            raise StudioError(f"{problem} {advice}") from None
    return np.asarray(snapped(buffered(drawn, -p.play / 2) if p.play else drawn))


def _areas_seen(shapes: JigsawShapes) -> tuple[Polygons, Flags]:
    """Inset the pieces by half the clearance, y upwards, except pieces that clearance or chamfer would destroy; also
    return a mask of these."""
    p, drawn = shapes.limits, _drawn(shapes)
    thin = ~shapely.is_valid(drawn)
    drawn[thin] = [max(shapely.get_parts(shapely.make_valid(one)), key=shapely.area) for one in drawn[thin]]
    inset = p.play / 2 + p.chamfer
    if inset > 0:
        thin |= harms(drawn, buffered(drawn, -inset), -inset) != 0
    if p.play:
        drawn[~thin] = buffered(drawn[~thin], -p.play / 2)
    return np.asarray(snapped(drawn)), thin


def _drawn(shapes: JigsawShapes) -> Polygons:
    """Pieces as drawn, y upwards."""
    drawing = shapes.drawing
    drawn = pieces_as_polygons(drawing, drawing.strokes.flattened(FLATTENING))
    return np.asarray(shapely.transform(drawn, lambda points: points * UP))
