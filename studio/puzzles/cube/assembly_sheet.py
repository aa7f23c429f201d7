"""The unfolded box of a cube, and the sheet that shows the six steps of its assembly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from studio.base.amounts import many
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import COLOURS, is_bright, mixed
from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.geometry.planar.polyomino import outlines
from studio.geometry.solids.projections import BlockSide, Sight, paper, seen
from studio.paper.leaflet import (
    Anchor,
    Area,
    Leaflet,
    Line,
    Mark,
    MarkGroup,
    Page,
    Words,
    box,
    capitals,
    centred,
    shortened,
    width_of,
    wrapped,
)
from studio.puzzles.cube.assembly_steps import AssemblyStep, own_way
from studio.puzzles.cube.checks import held
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.model import Grid
from studio.puzzles.cube.shell import FACES, LETTERS, NOBODY, Owners, shell
from studio.puzzles.cube.solve import solved
from studio.solving.assembly import Count

# The box unfolded: a cross of its six faces, seen from outside, and the places of each voxel in it.
#
# Left, front, right and back are in a row, the top above the front and the bottom below it. cell: the side of a voxel
# that lies in a face. A voxel of an edge appears in two cells, one of a corner in three; along a fold the two lie side
# by side. Places are in voxels from the upper left corner, to the right and down.

# For each face its axes to the right and down, each with 1 if its numbers grow that way and -1 if they fall.
_WAYS = (
    ((1, -1), (2, -1)),
    ((1, 1), (2, -1)),
    ((0, 1), (2, -1)),
    ((0, -1), (2, -1)),
    ((0, 1), (1, 1)),
    ((0, 1), (1, -1)),
)
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.int64)


@dataclass(frozen=True, eq=False)
class Net:
    """The cells of a box of x × y × z voxels.

    `faces` (c,) is the face of each cell, `places` (c, 2) its column and row, `voxels` (c,) its open voxel, NOBODY for
    the core, and `spots` (c, 3) the place of its voxel in the box. `sides` (6, 4) are left, top, width and height of
    each face; `folds` (5, 2, 2) the ends of the folding lines.
    """

    size: tuple[int, int]
    faces: Ints
    places: Ints
    voxels: Ints
    spots: Ints
    sides: Ints
    folds: Ints
    _numbers: Ints

    def at(self, column: int, row: int) -> int | None:
        """The cell at a place of the cross, None beside it."""
        columns, rows = self.size
        if not (0 <= column < columns and 0 <= row < rows):
            return None
        cell = int(self._numbers[column, row])
        return None if cell == NOBODY else cell

    def appearances(self, voxel: int) -> Ints:
        """The cells in which an open voxel appears."""
        return np.flatnonzero(self.voxels == voxel)

    def owners(self, owners: Owners) -> Ints:
        """The piece that has each cell (c,), for the owners (v,) of the open voxels."""
        return np.where(self.voxels == NOBODY, self.faces, owners[self.voxels])

    def regions(self, owners: Owners) -> tuple[tuple[Ints, ...], ...]:
        """The outlines (m, 2) of all that each of the six pieces has; holes go round the other way."""
        has = self.owners(owners)
        return tuple(outlines(self.tiles(np.flatnonzero(has == piece))) for piece in range(6))

    def tiles(self, cells: Ints) -> Ints:
        """The corners (n, 4, 2) of some cells (n,)."""
        return np.asarray(self.places[cells][:, None] + _SQUARE)

    @property
    def middles(self) -> Floats:
        """The middles (6, 2) of the faces, and so of their cores."""
        return self.sides[:, :2] + self.sides[:, 2:] / 2


@cache
def net(x: int, y: int, z: int) -> Net:
    """The net of a box, each side at least 3 voxels."""
    box = shell(x, y, z)
    corners = np.array([[0, y], [y + x, y], [y, y], [2 * y + x, y], [y, y + z], [y, 0]])
    faces, places, voxels, spots, sides = [], [], [], [], []
    for face, layout in enumerate(box.layouts):
        spot = box.spots(face, np.moveaxis(np.indices(layout.shape), 0, -1))
        ways = _WAYS[face]
        spans = [box.size[axis] for axis, _ in ways]
        place = np.stack([
            spot[..., axis] if way > 0 else span - 1 - spot[..., axis]
            for (axis, way), span in zip(ways, spans, strict=True)
        ], 2)  # fmt: skip
        faces.append(np.full(layout.size, face))
        places.append((corners[face] + place).reshape(-1, 2))
        voxels.append(layout.ravel())
        spots.append(spot.reshape(-1, 3))
        sides.append([*corners[face].tolist(), *spans])
    size = (2 * (x + y), 2 * y + z)
    numbers = np.full(size, NOBODY, np.int64)
    everywhere = np.concatenate(places)
    numbers[everywhere[:, 0], everywhere[:, 1]] = np.arange(len(everywhere))
    upright = [[[at, y], [at, y + z]] for at in (y, y + x, 2 * y + x)]
    level = [[[y, at], [y + x, at]] for at in (y, y + z)]
    arrays = (np.concatenate(faces), everywhere, np.concatenate(voxels), np.concatenate(spots), sides, upright + level)
    faces_, places_, voxels_, spots_, sides_, folds_ = (frozen(np.array(each, np.int64)) for each in arrays)
    return Net(size, faces_, places_, voxels_, spots_, sides_, folds_, frozen(numbers))


INK, QUIET = "#1D1F24", "#5C6068"
MARGIN = 14.0
HEAD = 27.0
"""Height of the title in mm."""
NET_SHARE = 0.31
"""Largest share of the height for the net."""
GAP = 9.0
"""Gap between head, net and steps, in mm."""
COLUMNS, ROWS = 3, 2
AWAY = 0.4
"""Distance of a piece from its place, in longest sides of the box; two voxels at least."""
CAPTION, ROUND = 11.0, 10.0
"""Height of a step's caption and margin around its drawing, in mm."""
TITLE, TEXT, NUMBER = 7.4, 3.5, 6.2
"""The sizes of letters in mm."""
LARGEST_UNIT = 8.0
"""Largest side in mm of a drawn voxel."""
LETTER, SMALL_LETTER, NET_LETTER = 5.0, 0.7, 8.0
"""Height of letters: on pieces in mm, on pieces in voxels if the first would be hidden, in the net in mm."""
ARROW_HEAD, ARROW_AWAY = 2.6, 2.8
"""Length of an arrow's head in mm, and its distance from the path of its piece."""
THIN, FOLD, RIM, BOLD = 0.12, 0.2, 0.3, 0.5
"""The widths of lines in mm: ends of flats, folds, ends of pieces, and arrows."""
DASHES = (1.1, 0.9)
_SHADES = {BlockSide.RIGHT: ("#000000", 0.16), BlockSide.FRONT: ("#FFFFFF", 0.0), BlockSide.TOP: ("#FFFFFF", 0.3)}
_NOTE = (tr("Net of the box, outside view."), tr("Fold along the dashed lines."))
_PLACED = 0.45
"""Share of white in the colours of pieces that are already placed."""


def assembly_sheet(shapes: CubeShapes, name: str, size: tuple[float, float], progress: Progress) -> Leaflet:
    """The sheet of a cube called `name`, on paper of a width and a height in mm."""
    progress.step(0.0, tr("Counting solutions"))
    thick = shapes.design.parameters.thick
    known = solved(shapes.partition.shell, shapes.masks, progress.part(0.0, 0.6), thick=thick)
    progress.step(0.6, tr("Drawing the steps"))
    width, height = size
    room = _Room(MARGIN, MARGIN + HEAD, width - 2 * MARGIN, NET_SHARE * height)
    unfolded = net(*shapes.partition.shell.size)
    unit = min(room.width / unfolded.size[0], room.height / unfolded.size[1], LARGEST_UNIT)
    drawn = _Unfolded(shapes, unfolded, unit, (width - unit * unfolded.size[0]) / 2, room.top)
    top = room.top + unit * unfolded.size[1] + GAP
    groups = [
        MarkGroup("title", tuple(_title(shapes, known, name, room.width))),
        MarkGroup("net", tuple(drawn.marks())),
    ]
    groups.append(MarkGroup("pieces", tuple(_legend(shapes, drawn, width - MARGIN))))
    groups += _steps(shapes, _Room(MARGIN, top, room.width, height - MARGIN - top))
    return Leaflet(tr("{name}: assembly sheet", name=name), (Page(width, height, tuple(groups)),))


def proof_of(known: Count) -> str:
    """The number of solutions and its proof, in a sentence."""
    solutions, nodes = many(known.solutions, "solution"), many(known.nodes, "node")
    if not known.complete:
        return tr("At least {solutions}; this is one of them.", solutions=solutions)
    if known.solutions == 1:
        return tr("Unique solution (exhaustive search, {nodes}).", nodes=nodes)
    return tr("{solutions} (exhaustive search, {nodes}). This is one of them.", solutions=solutions, nodes=nodes)


@dataclass(frozen=True)
class _Room:
    """A rectangle of the page in mm."""

    left: float
    top: float
    width: float
    height: float


def _title(shapes: CubeShapes, known: Count, name: str, width: float) -> list[Mark]:
    parameters = shapes.design.parameters
    voxels = " × ".join(map(str, parameters.size))
    lengths = " × ".join(f"{side:g}" for side in Grid(parameters.unit, parameters.plate).size(parameters.size))
    facts = tr("Six pieces, {voxels} voxels, {size} mm, seed {seed}", voxels=voxels, size=lengths, seed=parameters.seed)
    if shapes.design.voxels or shapes.design.edges:
        facts = tr("{facts}, edited", facts=facts)
    base = MARGIN + capitals(TITLE)
    proven = f"{proof_of(known)} {held(shapes)}".strip()
    lines = (*wrapped(facts, TEXT, width), *wrapped(proven, TEXT, width))
    return [
        Words(shortened(name, TITLE, width, bold=True), (MARGIN, base), TITLE, INK, bold=True),
        *(Words(line, (MARGIN, base + 6.2 + 5.0 * place), TEXT, QUIET) for place, line in enumerate(lines)),
    ]


def _ink_on(colour: str) -> str:
    return INK if is_bright(colour) else "#FFFFFF"


# The net


@dataclass(frozen=True, eq=False)
class _Unfolded:
    """The net in its place on the page; a voxel is `unit` mm large."""

    shapes: CubeShapes
    net: Net
    unit: float
    left: float
    top: float

    def marks(self) -> list[Mark]:
        """Pieces filled, cells by thin lines, folds dashed, pieces outlined, letters in the cores."""
        regions = self.net.regions(self.shapes.partition.owners)
        loops = [tuple(self._on_page(loop.astype(float)) for loop in region) for region in regions]
        marks: list[Mark] = [Area(some, colour) for some, colour in zip(loops, COLOURS, strict=True)]
        marks += self._grid()
        marks += [Line(self._on_page(fold.astype(float)), INK, FOLD, dashes=DASHES) for fold in self.net.folds]
        marks += [Line(loop, INK, RIM, closed=True) for some in loops for loop in some]
        for face, middle in enumerate(self._on_page(self.net.middles)):
            core = min(self.net.sides[face, 2:]) - 2
            size = min(NET_LETTER, 0.95 * core * self.unit)
            marks.append(centred(LETTERS[face], middle, size, _ink_on(COLOURS[face]), bold=True))
        return marks

    def _grid(self) -> list[Mark]:
        """The thin lines between the voxels of one piece on the rim of a face."""
        has = self.net.owners(self.shapes.partition.owners)
        marks: list[Mark] = []
        for cell in np.flatnonzero(self.net.voxels != NOBODY).tolist():
            column, row = self.net.places[cell].tolist()
            for next_, ends in (
                (self.net.at(column + 1, row), [[column + 1, row], [column + 1, row + 1]]),
                (self.net.at(column, row + 1), [[column, row + 1], [column + 1, row + 1]]),
            ):
                if next_ is None or self.net.faces[next_] != self.net.faces[cell] or has[next_] != has[cell]:
                    continue
                shade = mixed(COLOURS[int(has[cell])], INK, 0.3)
                marks.append(Line(self._on_page(np.array(ends, float)), shade, THIN))
        return marks

    def _on_page(self, places: Floats) -> Floats:
        return np.asarray(np.array([self.left, self.top]) + self.unit * places)


def _legend(shapes: CubeShapes, drawn: _Unfolded, right: float) -> list[Mark]:
    """The pieces' letters and names, in the empty corner of the cross."""
    x, y, _ = shapes.partition.shell.size
    chip, row, column = 3.6, 5.0, 26.0
    left = max(drawn.left + drawn.unit * (x + y) + 6.0, right - 2 * column)
    marks: list[Mark] = []
    for face in range(6):
        at, top = left + column * (face % 2), drawn.top + row * (face // 2)
        marks.append(Area((box(at, top, chip, chip),), COLOURS[face], INK, THIN))
        marks.append(Words(f"{LETTERS[face]} {FACES[face]}", (at + chip + 1.6, top + 3.0), TEXT, INK))
    bottom = drawn.top + drawn.unit * drawn.net.size[1]
    for line, text in enumerate(reversed(_NOTE)):
        marks.append(Words(text, (right, bottom - 5.0 * line), TEXT, QUIET, Anchor.END))
    return marks


# The steps


@dataclass(frozen=True, eq=False)
class _Step:
    """One step as drawn: the box's size, the incoming piece, the pieces in place, and its distance in voxels."""

    size: tuple[int, int, int]
    face: int
    there: tuple[int, ...]
    words: str
    out: Ints
    sight: Sight


def _steps(shapes: CubeShapes, room: _Room) -> list[MarkGroup]:
    order = own_way(shapes.partition.shell, shapes.masks).steps
    steps = [_step(shapes, order[: number + 1]) for number in range(len(order))]
    gutter = 5.0
    width, height = (room.width - (COLUMNS - 1) * gutter) / COLUMNS, (room.height - (ROWS - 1) * gutter) / ROWS
    extents = np.array([np.ptp(_extent(step), axis=0) for step in steps]).max(axis=0)
    unit = min((width - ROUND) / extents[0], (height - CAPTION - ROUND) / extents[1], LARGEST_UNIT)
    groups = []
    for number, step in enumerate(steps):
        row, column = divmod(number, COLUMNS)
        place = _Room(room.left + column * (width + gutter), room.top + row * (height + gutter), width, height)
        groups.append(MarkGroup(f"step-{number + 1}", tuple(_drawn(shapes, number, step, place, unit))))
    return groups


def _step(shapes: CubeShapes, order: Sequence[AssemblyStep]) -> _Step:
    """The pieces in place before a step, and its own piece still outside."""
    box, step = shapes.partition.shell, order[-1]
    out = (0 if len(order) == 1 else max(2, round(AWAY * max(box.size)))) * step.way
    cells, bodies = [], []
    for each in order:
        spots = box.spots(each.piece, np.argwhere(shapes.masks[each.piece]))
        if each is step:
            spots = spots + out
        cells.append(spots)
        bodies.append(np.full(len(spots), each.piece))
    sight = seen(np.concatenate(cells), np.concatenate(bodies))
    return _Step(
        box.size, step.piece, tuple(each.piece for each in order), step.instruction(len(order) - 1), out, sight
    )


def _extent(step: _Step) -> Floats:
    """Bounding box of the visible pieces, in voxels on paper, shape (2, 2)."""
    points = np.concatenate([loop for _, loops in step.sight.bodies for loop in loops])
    return np.array([points.min(axis=0), points.max(axis=0)])


def _drawn(shapes: CubeShapes, number: int, step: _Step, room: _Room, unit: float) -> list[Mark]:
    low, high = _extent(step)
    middle = np.array([room.left + room.width / 2, room.top + CAPTION + (room.height - CAPTION) / 2])
    shift = middle - unit * (low + high) / 2

    def on_page(places: Floats) -> Floats:
        return np.asarray(shift + unit * places)

    marks: list[Mark] = [
        Words(str(number + 1), (room.left, room.top + capitals(NUMBER)), NUMBER, INK, bold=True),
        Words(
            step.words,
            (room.left + width_of(str(number + 1), NUMBER, bold=True) + 2.0, room.top + capitals(NUMBER)),
            TEXT, INK,
        ),
    ]  # fmt: skip
    for flat in step.sight.flats:
        colour = _shade(step, flat.body, flat.side)
        marks.append(Area(tuple(map(on_page, flat.loops)), colour, mixed(colour, INK, 0.6), THIN))
    marks += [
        Line(on_page(loop), INK, RIM, closed=True) for _, loops in step.sight.bodies for loop in loops
    ]  # fmt: skip
    for face in step.there:
        core = min(shapes.partition.shell.layouts[face].shape) - 2
        sizes = (min(LETTER, 0.9 * core * unit), min(LETTER, SMALL_LETTER * unit))
        found = next((one for size in sizes if (one := _letter_place(shapes, step, face, size / unit))), None)
        if found is not None:
            side, place, size = found
            ways = np.array([side.across, side.down])
            ink = _ink_on(_shade(step, face, side))
            marks.append(centred(LETTERS[face], on_page(place[None])[0], size * unit, ink, bold=True, turn=ways))
    if step.out.any():
        shaft, head = _arrow(step, on_page)
        marks += [Line(shaft, INK, BOLD), Area((head,), INK)]
    return marks


def _shade(step: _Step, face: int, side: BlockSide) -> str:
    colour = mixed(COLOURS[face], *_SHADES[side])
    return colour if face == step.face else mixed(colour, "#FFFFFF", _PLACED)


def _letter_place(shapes: CubeShapes, step: _Step, face: int, letter: float) -> tuple[BlockSide, Floats, float] | None:
    """Return the side of a piece that shows its letter, the place on paper, and the letter's size in voxels.

    The place is the nearest to the middle of the core that hides no part of the letter; None if there is none.
    """
    side = (BlockSide.RIGHT, BlockSide.FRONT, BlockSide.TOP)[face // 2]
    box = shapes.partition.shell
    core = np.argwhere(box.layouts[face] == NOBODY)
    middle = (core.min(axis=0) + core.max(axis=0)) / 2
    order = core[np.lexsort((core[:, 1], core[:, 0], np.abs(core - middle).sum(axis=1)))]
    away = step.out if face == step.face else 0
    for at in [middle, *order.astype(float)]:
        under = core[np.abs(core - at).max(axis=1) < 0.5 + capitals(letter) / 2]
        if all(step.sight.shows(face, spot, side) for spot in box.spots(face, under) + away):
            spot = box.spots(face, at) + away + 0.5
            spot[face // 2] += -0.5 if side is BlockSide.FRONT else 0.5
            return side, paper(spot[None])[0], letter
    return None


def _arrow(step: _Step, on_page: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
    """The shaft (2, 2) and the head (3, 2) of an arrow in mm, beside the way of a piece and as long."""
    ends = np.array([np.zeros(3), step.size])
    at = step.face % 2 * (step.size[step.face // 2] - 1)
    ends[:, step.face // 2] = at, at + 1
    corners = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i, j, k in np.ndindex(2, 2, 2)])
    before, after = (on_page(paper(corners + away)) for away in (step.out, 0))
    way = (after - before)[0] / np.linalg.norm((after - before)[0])
    aside = np.array([-way[1], way[0]]) * (-1 if way[1] < 0 else 1)
    reach = before @ aside
    outer = np.flatnonzero(reach > reach.max() - 1e-6)
    # The leading corner among the outermost corners beside the way.
    corner = outer[np.argmax(before[outer] @ way)]
    tail, tip = (places[corner] + ARROW_AWAY * aside for places in (before, after))
    neck, half = tip - ARROW_HEAD * way, 0.42 * ARROW_HEAD * aside
    return np.array([tail, neck]), np.array([tip, neck + half, neck - half])
