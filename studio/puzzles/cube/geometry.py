"""Shapes of a cube's design: six outlines to cut from a sheet, and six solids, laid out or put together.

pose: position and rotation of a piece. Each piece is made lying flat, its outside down on the bed, and turned from
there into its face. The drawing shows it from outside, or from inside if it is engraved, since a laser engraves the
upper side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np

from studio.base.amounts import listed
from studio.base.chance import uniform
from studio.base.parameters import declarations
from studio.base.progress import Progress
from studio.base.texts import tr, within
from studio.geometry.art.artwork import COLOURS
from studio.geometry.art.lettering import Room, fitted, grooves, laid
from studio.geometry.curves.strokes import Floats, closed_through, through
from studio.geometry.planar.drawing import Drawing, Operation, Path, Seam, closed_parts
from studio.geometry.planar.polyomino import outline
from studio.geometry.solids.rounded_voxels import voxel_facets, voxels
from studio.geometry.solids.slab import label
from studio.geometry.solids.solid import (
    UPRIGHT,
    Mesh,
    Snap,
    Solid,
    engraved,
    laid_out,
    plate,
    plate_facets,
    steps_of,
    with_snaps,
)
from studio.puzzles.abilities.cuttable import Thickness
from studio.puzzles.cube.engravings import Engraving, depth, engravings, pen, texts
from studio.puzzles.cube.model import COARSEST, CubeDesign, CubeParameters, Grid
from studio.puzzles.cube.partition import Partition, partitioned
from studio.puzzles.cube.shell import AXES, FACES, Mask

TITLES = tuple(face.capitalize() for face in FACES)
COLUMNS = 3
ORDER = (0, 2, 4, 1, 3, 5)
"""The faces in the order of their places on sheet and bed: left, front, bottom, and the opposite ones below."""
Core = tuple[int, int, int, int]
"""Corners of the engraved part of a piece, in voxels."""
MOST_FACETS = 1_000_000
"""Most triangles of the six pieces; a printer's plate never needs as many."""
SEEN_FACETS = 75_000
"""Most triangles of the pieces on the screen."""
QUICK_FACETS = 45_000
"""Most triangles computed while a window waits."""
KEPT_FACETS = 1_500_000
"""Most triangles in the cache of computed pieces."""
STEP = 4
FINE = 4
"""Digits of a mm to which the lengths of solids are rounded, so that faces in one plane meet exactly."""
SPACING = 5.0
"""Gap between the pieces on sheet and bed, in mm."""


@dataclass(frozen=True, eq=False)
class CubeShapes:
    """A cube's shapes: the drawing, the partition of its voxels, and derived solids.

    `origins` (6, 2) mm are the corners of the faces' places in the drawing.
    """

    design: CubeDesign
    drawing: Drawing
    partition: Partition
    masks: tuple[Mask, ...]
    origins: Floats

    @cached_property
    def meshes(self) -> tuple[Mesh, ...]:
        """The six pieces, each lying flat as made, its outside down."""
        return tuple(_mesh(recipe) for recipe in self._recipes)

    def made(self, progress: Progress) -> CubeShapes:
        """These shapes once their meshes are known, which may take a while; raises Cancelled."""
        for face, recipe in enumerate(self._recipes):
            progress.step(face / len(FACES), tr("Making {piece}", piece=TITLES[face]))
            _mesh(recipe)
        progress.step(1.0)
        assert self.meshes
        return self

    @property
    def is_quick(self) -> bool:
        """True if most of it is cached, so that little is left to compute."""
        return sum(recipe.facets for recipe in self._recipes if recipe not in KEPT) <= QUICK_FACETS

    @property
    def is_ready(self) -> bool:
        """True if the meshes are known, or so quickly made that a window can wait for them."""
        return "meshes" in self.__dict__ or self.is_quick

    @cached_property
    def seen(self) -> CubeShapes:
        """The same with the most segments that a screen can show smoothly."""
        return self._with(segments=self.finest(SEEN_FACETS))

    @cached_property
    def rough(self) -> CubeShapes:
        """The same with sharp edges and nothing on them, which takes no time to make."""
        return self._with(style="plate", radius=0.0, snap=0.0, inside="nothing")

    def _with(self, **values: Any) -> CubeShapes:
        parameters = replace(self.design.parameters, **values)
        if parameters == self.design.parameters:
            return self
        return replace(self, design=replace(self.design, parameters=parameters))

    @cached_property
    def facets(self) -> int:
        """Approximate number of the pieces' triangles with the wanted segments."""
        return self._facets(self.design.parameters.segments)

    def finest(self, most: int) -> int:
        """The most segments, up to the wanted number, with which the pieces have at most `most` triangles."""
        asked = self.design.parameters.segments
        steps = range(asked, COARSEST, -STEP)
        return next((segments for segments in steps if self._facets(segments) <= most), min(asked, COARSEST))

    def _facets(self, segments: int) -> int:
        form = replace(Form.from_parameters(self.design.parameters), segments=segments)
        return sum(_facets(mask, form, len(snaps)) for mask, snaps in zip(self.masks, self.snaps, strict=True))

    @cached_property
    def _recipes(self) -> tuple[_Recipe, ...]:
        """All that each of the six pieces is made of."""
        form = replace(Form.from_parameters(self.design.parameters), segments=self.finest(MOST_FACETS))
        return tuple(
            _Recipe(mask.tobytes(), (mask.shape[0], mask.shape[1]), form, snaps, text)
            for mask, snaps, text in zip(self.masks, self.snaps, self.engravings, strict=True)
        )

    @cached_property
    def engravings(self) -> tuple[Engraving | None, ...]:
        """The engraving inside each of the six pieces; None for a piece without one."""
        return engravings(self.design.parameters)

    @cached_property
    def snaps(self) -> tuple[tuple[Snap, ...], ...]:
        """The bumps and sockets of each of the six pieces, as it was made; empty without the parameter."""
        if self.design.parameters.snap <= 0:
            return ((),) * 6
        return _snaps(self.partition, self.design.parameters)

    @cached_property
    def bed(self) -> tuple[Solid, ...]:
        """The six pieces as they are printed, side by side."""
        return laid_out([Solid(TITLES[face], COLOURS[face], self.meshes[face]) for face in ORDER], COLUMNS, SPACING)

    @cached_property
    def assembled(self) -> tuple[Solid, ...]:
        """The six pieces assembled; the box lies from the origin to its size in mm."""
        size, grid = self.design.parameters.size, Form.from_parameters(self.design.parameters).grid
        solids = []
        for face, mesh in enumerate(self.meshes):
            turn, shift = pose(face, size, grid)
            solids.append(Solid(TITLES[face], COLOURS[face], mesh.moved(turn, shift)))
        return tuple(solids)

    @property
    def fit(self) -> tuple[tuple[str, str], ...]:
        """Box, gap, snaps, form and engraving in words."""
        parameters = self.design.parameters
        chosen = {known.name: known for known in declarations(CubeParameters)}

        def title(name: str) -> str:
            return next(one.title for one in chosen[name].choices if one.value == getattr(parameters, name))

        shape = (
            tr(
                "{style}, {edge}, {radius:g} mm",
                style=title("style"),
                edge=within(title("edge")),
                radius=parameters.radius,
            )
            if parameters.style == "plate"
            else tr("{style}, {radius:g} mm", style=title("style"), radius=parameters.radius)
        )
        snap = tr("{snap:g} mm", snap=parameters.snap) if parameters.snap else tr("None")
        written = f"“{parameters.text.strip()}”" if parameters.inside == "text" and parameters.text.strip() else ""
        return (
            (
                tr("Box"),
                tr("{size} voxels of {unit:g} mm", size=" × ".join(map(str, parameters.size)), unit=parameters.unit),
            ),
            *([(tr("Thickness"), tr("{thickness:g} mm", thickness=parameters.plate))] if parameters.thickness else []),
            (tr("Clearance"), tr("{gap:.2f} mm per joint", gap=parameters.gap)),
            (tr("Snaps"), snap),
            (tr("Shape"), shape),
            (tr("Engraving"), written or title("inside")),
        )

    def place_of(self, voxel: int) -> tuple[float, float]:
        """The middle of an open voxel in the drawing in mm, in the piece that has it."""
        face = int(self.partition.owners[voxel])
        middle = np.argwhere(self.partition.shell.layouts[face] == voxel).astype(np.float64) + 0.5
        parameters = self.design.parameters
        seen = _seen(middle, self.masks[face], parameters)
        x, y = (self.origins[face] + Form.drawn(parameters).in_mm(seen, self.masks[face].shape)[0]).tolist()
        return x, y

    def middle_of(self, face: int) -> tuple[float, float]:
        """The middle of a piece's place in the drawing in mm."""
        x, y = self.origins[face] + Form.drawn(self.design.parameters).size(self.masks[face].shape) / 2
        return float(x), float(y)


def pose(face: int, size: tuple[int, int, int], grid: Grid) -> tuple[Floats, Floats]:
    """The rotation (3, 3) and the shift (3,) in mm that put a flat piece into its face."""
    one, other = AXES[face]
    axis = face // 2
    turn = np.zeros((3, 3))
    turn[one, 0] = turn[other, 1] = 1.0
    turn[axis, 2] = -1.0 if face % 2 else 1.0
    shift = np.zeros(3)
    shift[axis] = grid.size(size)[axis] if face % 2 else 0.0
    return turn, shift


def bodies(shapes: CubeShapes, progress: Progress) -> tuple[Solid, ...]:
    """The six pieces as they are printed; raises Cancelled."""
    return shapes.made(progress).bed


def shape(design: CubeDesign, before: CubeShapes | None, progress: Progress) -> CubeShapes:
    """The shapes of a design; of `before`, the outlines of pieces that did not change."""
    progress.step(0.0)
    if before is not None and before.design == design:
        return before
    partition = partitioned(design, progress)
    masks = partition.masks
    if before is not None:
        old, new = before.design.parameters, design.parameters
        is_drawn_alike = (
            (old.size, old.unit, old.plate) == (new.size, new.unit, new.plate)
            and all(bool((one == other).all()) for one, other in zip(before.masks, masks, strict=True))
            and before.engravings == engravings(new)
        )
        if is_drawn_alike:
            return CubeShapes(design, before.drawing, partition, masks, before.origins)
    drawing, origins = _drawing(design.parameters, masks)
    return CubeShapes(design, drawing, partition, masks, origins)


def _drawing(parameters: CubeParameters, masks: tuple[Mask, ...]) -> tuple[Drawing, Floats]:
    """The six outlines side by side on a sheet, and the corners (6, 2) in mm of the faces' places.

    They have the size of their voxels: the gap is for printing, and a laser's clearance belongs to the sheet.
    """
    grid = Form.drawn(parameters)
    sizes = np.array([grid.size(mask.shape) for mask in masks])
    rows = [ORDER[:COLUMNS], ORDER[COLUMNS:]]
    origins = np.empty((6, 2))
    top = SPACING
    for row in rows:
        left = SPACING
        for column, face in enumerate(row):
            origins[face] = left, top
            left += max(sizes[each[column], 0] for each in rows) + SPACING
        top += max(sizes[face, 1] for face in row) + SPACING
    rings = []
    for face, mask in enumerate(masks):
        corners = grid.in_mm(_seen(outline(mask).corners.astype(np.float64), mask, parameters), mask.shape)
        rings.append([closed_through(origins[face] + corners)])
    marks = []
    for text in engravings(parameters):
        # The pen leaves room for the beam's burn.
        strokes = text.strokes(text.pen) if text is not None else None
        if text is not None and strokes is not None:
            middle = origins[text.face] + sizes[text.face] / 2
            letters = [strokes[at] * (1.0, -1.0) + middle for at in range(len(strokes))]
            marks += [Path(Operation.ENGRAVE, letter, closed=False) for letter in letters]
    drawing = closed_parts((float(left), float(top)), TITLES, rings, marks)
    lines, outlines = drawing.chains[: len(marks)], drawing.chains[len(marks) :]
    return replace(drawing, chains=(*lines, *(outlines[face] for face in ORDER))), origins


def _seen(places: Floats, mask: Mask, parameters: CubeParameters) -> Floats:
    """Places (n, 2) on a piece, in voxels, as the drawing shows them; corners in the order in which it follows them."""
    if not any(texts(parameters)):
        return places
    mirrored = np.column_stack([places[:, 0], mask.shape[1] - places[:, 1]])
    return mirrored[::-1]


def _snaps(partition: Partition, parameters: CubeParameters) -> tuple[tuple[Snap, ...], ...]:
    """At most one bump with its socket at each edge: between two voxels side by side along it, one of either piece.

    Such a joint is at right angles to both ways out, so that a bump there holds either piece.
    """
    box, owners, grid = partition.shell, partition.owners, Form.from_parameters(parameters).grid
    numbers = np.arange(len(box.edge_names))
    which, turned = (uniform(parameters.seed, numbers, what) for what in ("snap", "bump"))
    found: list[list[Snap]] = [[] for _ in FACES]
    for edge in numbers.tolist():
        one, other = (FACES.index(name) for name in box.edge_names[edge].split("-"))
        row = box.along_edge(edge)
        joints = [
            pair for pair in pairwise(row) if {int(owners[pair[0]]), int(owners[pair[1]])} == {one, other}
        ]  # fmt: skip
        if not joints:
            continue
        joint = joints[int(which[edge] * len(joints))]
        for face in (one, other):
            mine, next_ = sorted(joint, key=lambda voxel, face=face: owners[voxel] != face)  # type: ignore[misc]
            layout = box.layouts[face]
            here, there = np.argwhere(layout == mine)[0], np.argwhere(layout == next_)[0]
            x, y = grid.in_mm((here + there + 1)[None] / 2, layout.shape)[0].tolist()
            right, up = (there - here).tolist()
            is_bump = (face == one) == (turned[edge] < 0.5)
            found[face].append(Snap((x, y, grid.thick / 2), (float(right), float(up), 0.0), is_bump))
    return tuple(tuple(each) for each in found)


@dataclass(frozen=True)
class Form:
    """The parameters that decide the look of a piece."""

    unit: float
    thick: float
    gap: float
    style: str
    edge: str
    radius: float
    segments: int
    snap: float

    @property
    def grid(self) -> Grid:
        """The grid of its voxels."""
        return Grid(self.unit, self.thick)

    @staticmethod
    def drawn(parameters: CubeParameters) -> Grid:
        """The grid of voxels in the drawing, whose lengths are not rounded."""
        return Grid(parameters.unit, parameters.plate)

    @classmethod
    def from_parameters(cls, parameters: CubeParameters) -> Form:
        """The form that parameters ask for."""
        # A radius or a snap that is too large is an error; the shape has the largest possible one.
        radius = min(parameters.radius, parameters.largest_radius)
        # Rounded voxels are cubes; otherwise there are plates in their place, which is an error, too.
        style = parameters.style if parameters.is_even else "plate"
        edge = parameters.edge if style == "plate" else ""
        snap = min(parameters.snap, parameters.largest_snap)
        lengths = (parameters.unit, parameters.plate, parameters.gap, radius, snap)
        unit, thick, gap, radius, snap = (round(length, FINE) for length in lengths)
        return cls(unit, thick, gap, style, edge, radius, parameters.segments, snap)


@dataclass(frozen=True)
class _Recipe:
    """Recipe of a piece lying flat: its mask as bytes and their shape, its form, its snaps and its text."""

    data: bytes
    size: tuple[int, int]
    form: Form
    snaps: tuple[Snap, ...]
    text: Engraving | None = None

    @property
    def mask(self) -> Mask:
        return np.frombuffer(self.data, bool).reshape(self.size)

    @property
    def facets(self) -> int:
        return _facets(self.mask, self.form, len(self.snaps))


class _Kept:
    """The meshes made last, up to a total number of triangles, since an edit changes two pieces of six."""

    def __init__(self, most: int) -> None:
        self._most, self._meshes, self._lock = most, dict[_Recipe, Mesh](), Lock()

    def __contains__(self, recipe: _Recipe) -> bool:
        return recipe in self._meshes

    def forget(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._meshes.clear()

    def get(self, recipe: _Recipe) -> Mesh | None:
        """The mesh of a recipe; None if it is not cached."""
        return self._meshes.get(recipe)

    def keep(self, recipe: _Recipe, mesh: Mesh) -> None:
        """Cache a mesh, and drop the oldest ones."""
        with self._lock:
            self._meshes[recipe] = mesh
            while len(self._meshes) > 1 and sum(len(one.triangles) for one in self._meshes.values()) > self._most:
                del self._meshes[next(iter(self._meshes))]


KEPT = _Kept(KEPT_FACETS)


def _facets(mask: Mask, form: Form, snaps: int) -> int:
    """Approximate number of a piece's triangles without its text, rather too high than too low."""
    steps = steps_of(form.radius, form.segments)
    if form.style == "voxel" and steps:
        plain = voxel_facets(int(mask.sum()), steps)
    else:
        plain = plate_facets(mask, steps, rounded=form.edge == "round")
    return plain + snaps * form.segments * (form.segments // 2 + 1)


def _mesh(recipe: _Recipe) -> Mesh:
    """A piece lying flat with its text."""
    kept = KEPT.get(recipe)
    if kept is None:
        form, text, (rows, columns) = recipe.form, recipe.text, recipe.size
        rims = text.rims if text is not None else ()
        kept = _plain(recipe.mask, form, recipe.snaps, (1, 1, rows - 1, columns - 1) if rims else None)
        if text is not None and rims:
            # The core is in the middle of the piece.
            middle = form.grid.size((rows, columns)) / 2
            kept = engraved(kept, [rim + middle for rim in rims], text.depth)
        KEPT.keep(recipe, kept)
    return kept


def _plain(mask: Mask, form: Form, snaps: tuple[Snap, ...], core: Core | None) -> Mesh:
    """A piece lying flat, with a flat over its core if one is named."""
    if form.style == "voxel":
        plain = voxels(mask, form.unit, form.gap, form.radius, form.segments, core)
    else:
        grid, narrowest = form.grid, min(form.unit, form.thick)
        lines = None if grid.is_even else (grid.lines(mask.shape[0]), grid.lines(mask.shape[1]))
        top = None if grid.is_even else form.thick - form.gap / 2
        plain = plate(mask, narrowest, form.gap, form.radius, form.segments, rounded=form.edge == "round", lines=lines,
                      top=top)  # fmt: skip
    return with_snaps(plain, snaps, form.snap, form.gap, form.segments)


# Joints of a cube: the coupon that tries them, and the thickness of the sheet that fits them.
#
# Every pair is a thin slice with a slot as wide as a voxel, and one with the tooth that goes into it, with the edges of
# the cube's pieces. If the cube has snaps, a tooth has a bump and a slot the socket for it. So a coupon takes little of
# the plastic and the time of a cube.


SLOT = np.array([[True, True], [True, False], [True, True]])
TOOTH = np.array([[True, False], [True, True], [True, False]])
"""Both blocks of a pair from left to right: the body along the front, and the mating parts behind it."""
TALLEST = 3.2
"""Largest height of a label in mm."""
MOST_RADIUS = 1.0
"""Largest radius of edges in mm: more would need thicker slices and leaves the fit unchanged."""
PRONG, REACH, FLAT = 4.0, 6.0, 1.4
"""In mm: width of a slot's sides, its depth, and the least flat part of a wall."""


def joints(design: CubeDesign, gaps: Sequence[float], progress: Progress) -> tuple[Solid, ...]:
    """Two blocks for each gap in mm, each lying flat at the origin.

    Raises StudioError for an impossible gap, and Cancelled.
    """
    blocks = []
    for number, gap in enumerate(gaps):
        progress.step(number / len(gaps), tr("Making the {clearance} mm pair", clearance=label(gap)))
        radius = min(design.parameters.radius, MOST_RADIUS)
        parameters = replace(design.parameters, gap=gap, radius=radius, inside="nothing", text="")
        for side, mask in (("a", SLOT), ("b", TOOTH)):
            mesh = _block(parameters, mask, label(gap))
            blocks.append(Solid(f"{label(gap)} {side}", COLOURS[number % len(COLOURS)], mesh))
    progress.step(1.0)
    return tuple(blocks)


def _block(parameters: CubeParameters, mask: Mask, text: str) -> Mesh:
    form, stroke = Form.from_parameters(parameters), pen(parameters)
    margin = form.gap / 2 + form.radius + max(parameters.least_wall, stroke)
    prong = max(PRONG, form.gap + 2 * UPRIGHT * form.radius + FLAT)
    body, reach = TALLEST + 2 * margin, max(REACH, 2 * UPRIGHT * form.radius + 2 * (form.snap + 2 * form.gap) + FLAT)
    lines = np.cumsum([0.0, prong, form.unit, prong]), np.cumsum([0.0, body, reach])
    # A snap needs a wall that is flat all around it.
    flat = max(FLAT, 3 * (form.snap + 2 * form.gap) if form.snap else 0.0)
    top = min(form.thick - form.gap / 2, form.gap / 2 + 2 * form.radius + flat)
    rounded = form.edge == "round" or form.style == "voxel"
    mesh = plate(mask, form.unit, form.gap, form.radius, form.segments, rounded=rounded, lines=lines, top=top)
    if form.snap:
        is_bump = bool(mask[1, 1])
        # A tooth goes into its slot turned by half a turn, so its right side meets the slot's left one.
        place = (float(lines[0][2 if is_bump else 1]), body + reach / 2, (top + form.gap / 2) / 2)
        mesh = with_snaps(mesh, [Snap(place, (1.0, 0.0, 0.0), is_bump)], form.snap, form.gap, form.segments)
    room = Room(float(lines[0][-1]) - 2 * margin, body - 2 * margin)
    strokes = laid(text, fitted(text, room, stroke, TALLEST), room, stroke)
    if strokes is None:
        return mesh
    # In a drawing y grows downwards, on the bed it grows away from us.
    middle = np.array([lines[0][-1] / 2, body / 2])
    rims = [(rim * (1.0, -1.0))[::-1] + middle for rim in grooves(strokes, stroke)]
    return engraved(mesh, rims, min(depth(parameters), top / 3))


# The joint of a cube's plates: two teeth and their slots, as wide as the design's voxels and as deep as a plate.


TEETH = np.array([(0, 0), (0, 1), (1, 1), (1, 0), (2, 0), (2, 1), (3, 1), (3, 0)], np.float64)
"""The corners of a seam with two teeth, in voxels."""


def joint(shapes: CubeShapes) -> Seam:
    """Two teeth; their clearance is that of the material, as it is of the pieces that are cut."""
    return Seam(through(TEETH * (shapes.design.parameters.unit, shapes.design.parameters.plate)))


# The cube cut from a sheet: the thickness of the sheet, and features of printed pieces alone


def thickness(shapes: CubeShapes) -> Thickness:
    """The thickness of the plates: a finger of one piece fills the depth of its neighbour.

    A sheet of another thickness sets the voxel size if voxels are cubes, else the thickness of the plates alone.
    """
    p = shapes.design.parameters
    name, title = ("thickness", tr("thickness")) if p.thickness else ("unit", tr("voxel size"))

    def resized(design: CubeDesign, size: float) -> CubeDesign:
        """Radius and snaps shrink with the plates or voxels as far as they must; raises ParameterError."""
        old = design.parameters
        changed = replace(old, thickness=size) if p.thickness else replace(old, unit=size)
        changed = replace(changed, radius=min(changed.radius, changed.largest_radius))
        return replace(design, parameters=replace(changed, snap=min(changed.snap, changed.largest_snap)))

    return Thickness(p.thickness or p.unit, name, title, resized)


def left_out(shapes: CubeShapes) -> tuple[str, ...]:
    """Snaps, rounded voxels and the edges of plates, as far as the design has them."""
    p = shapes.design.parameters
    lacking = [tr("snaps")] if p.snap > 0 else []
    if p.style == "voxel":
        lacking.append(tr("rounded voxels"))
    elif p.radius > 0:
        lacking.append(tr("chamfered edges") if p.edge == "chamfer" else tr("rounded edges"))
    if not lacking:
        return ()
    return (tr("Laser-cut pieces have square edges: {lacking} are for printing only.", lacking=listed(lacking)),)
