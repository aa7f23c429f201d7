"""A zigzaw for the printer: pieces and frame with a clearance between them, and on them thin stickers in their colours.

The drawing's y grows downwards; on the bed it grows upwards. Pieces are laid out in the order of their numbers, which
says nothing of their places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil, sqrt

import numpy as np
import shapely

from studio.base.amounts import extent
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import COLOURS
from studio.geometry.planar.drawing import Inlay
from studio.geometry.planar.regions import pieces_as_polygons
from studio.geometry.solids.slab import extruded, label, pair
from studio.geometry.solids.solid import Mesh, Solid
from studio.puzzles.zigzaw.colours import GROUND
from studio.puzzles.zigzaw.geometry import (
    FOLLOWED,
    GRID,
    ZigzawShapes,
    on_frame,
    on_limbs,
    outline,
    outline_of,
    plain,
    room,
    within,
)
from studio.puzzles.zigzaw.model import FRONT, LETTERS, ZigzawDesign, ZigzawParameters, layout, numbers

MOST_EDGE = 3.5
"""The longest edge in mm of a sticker of a coupon's pieces."""
NO_PLAY = 1e-9
"""Clearance in mm that is none."""
SPACING = 3.0
"""The spacing on the bed in mm."""


def bodies(shapes: ZigzawShapes, progress: Progress) -> tuple[Solid, ...]:
    """The frame, and beside it the pieces, each followed by its stickers."""
    progress.step(0.0)
    return _bodies(shapes.design)


def fit(shapes: ZigzawShapes) -> tuple[tuple[str, str], ...]:
    """Clearance, heights and stickers in words."""
    p = shapes.design.parameters
    return (
        (
            tr("Pieces"),
            tr("{thickness:g} mm thick, stickers {sticker:g} mm high", thickness=p.thickness, sticker=p.sticker),
        ),
        (tr("Clearance"), tr("{play:.2f} mm between pieces, and between pieces and frame", play=p.play)),
        (tr("Frame"), extent(shapes.drawing.width, shapes.drawing.height, decimals=0)),
        (tr("Colours"), tr("Stickers are separate parts: assign a filament to each colour")),
    )


def joints(design: ZigzawDesign, gaps: Sequence[float], progress: Progress) -> tuple[Solid, ...]:
    """A piece and a block with an opening for it, for each clearance in mm; raises Cancelled."""
    # The fit depends on the clearance alone, not on the size of a piece.
    p = replace(design.parameters, edge=min(design.parameters.edge, MOST_EDGE))
    piece = outline(p)
    left, top, right, bottom = (p.edge * np.array(room(p.body))).tolist()
    found = []
    for number, gap in enumerate(gaps):
        progress.step(number / len(gaps), tr("Making the {clearance:.2f} mm pair", clearance=gap))
        inlay, opening = (shapely.buffer(piece, side * gap / 2, join_style="mitre") for side in (-1, 1))
        meshes = pair(inlay, opening, (left, top, right, bottom), p.thickness, label(gap))
        for name, mesh in zip("ab", meshes, strict=True):
            found.append(Solid(f"{label(gap)} {name}", COLOURS[number % len(COLOURS)], mesh))
    progress.step(1.0)
    return tuple(found)


@lru_cache(2)
def _bodies(design: ZigzawDesign) -> tuple[Solid, ...]:
    """Frames in the front, behind them rows of pieces about as wide."""
    found: list[Solid] = []
    wide = behind = 0.0
    for some in (list(_frames(design)), list(_pieces(design))):
        # The width and the depth in mm that the largest body takes on the bed.
        cell = np.max([np.subtract(*solids[0].mesh.bounds[::-1])[:2] for solids in some], axis=0) + SPACING
        columns = max(1, int(wide // cell[0])) if wide else ceil(sqrt(len(some)))
        for number, solids in enumerate(some):
            row, column = divmod(number, columns)
            shift = np.array([column * cell[0], behind + row * cell[1], 0.0]) - solids[0].mesh.bounds[0]
            found += [replace(solid, mesh=solid.mesh.moved(np.eye(3), shift)) for solid in solids]
        wide, behind = columns * cell[0], ceil(len(some) / columns) * float(cell[1])
    return tuple(found)


def _pieces(design: ZigzawDesign) -> Iterator[list[Solid]]:
    """Every piece and its stickers, in the order of their numbers, as if its cube were at the origin."""
    p, known = design.parameters, numbers(design)
    mesh = extruded(_smaller(outline(p), p), 0.0, p.thickness, GRID)
    stickers = [(one.limb, one.name, _sticker(one.area, p)) for one in on_limbs(p, p.play)]
    shown, letters = layout(p).slots, "".join(design.triples.values())
    for place in np.argsort(known).tolist():
        name = tr("Piece {number}", number=known[place])
        yield [
            Solid(name, GROUND, mesh),
            *(
                Solid(f"{name} {own}", _colour(design, letters[shown[place][limb]]), sticker, name)
                for limb, own, sticker in stickers
            ),
        ]


def _smaller(area: shapely.Geometry, p: ZigzawParameters) -> shapely.Geometry:
    """Take half the clearance off all round, unless it is so small that shapely would leave nothing at all."""
    return area if p.play < NO_PLAY else shapely.buffer(area, -p.play / 2, join_style="mitre")


def _frames(design: ZigzawDesign) -> Iterator[list[Solid]]:
    """The frame or each of its parts with its stickers."""
    p = design.parameters
    drawing, origin = plain(replace(p, side=FRONT))
    faces = list(on_frame(design))
    polygons = pieces_as_polygons(drawing, drawing.strokes.flattened(FOLLOWED))
    for name, polygon in list(zip(drawing.pieces.names, polygons, strict=True))[p.columns * p.rows :]:
        whole = shapely.transform(polygon, lambda points: points - origin)
        mesh = extruded(_smaller(whole, p), 0.0, p.thickness, GRID)
        stickers = [
            Solid(f"{name} {part}", _colour(design, letter), _sticker(area, p), name)
            for own, letter, face in faces
            for part, area in within(own, face, whole, p.edge, p.play)
        ]
        yield [Solid(name, GROUND, mesh), *stickers]


def _sticker(area: shapely.Polygon, parameters: ZigzawParameters) -> Mesh:
    return extruded(area, parameters.thickness, parameters.thickness + parameters.sticker, GRID)


def _colour(design: ZigzawDesign, letter: str) -> str:
    return design.palette[LETTERS.index(letter)].colour


# The joint of a zigzaw: a piece, and an opening just like it.


def joint(shapes: ZigzawShapes) -> Inlay:
    """A piece and the opening between its neighbours, which share all its lines."""
    p = shapes.design.parameters
    part = outline_of(p)
    left, top, right, bottom = (p.edge * np.array(room(p.body))).tolist()
    return Inlay(part, part[::-1], (left, top, right, bottom))
