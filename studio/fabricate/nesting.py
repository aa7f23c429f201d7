"""Nest pieces on sheets, in quarter turns: against a skyline around whatever is used up, and inside holes.

skyline: the depth to which a sheet is taken, column by column of its width; the next piece goes to the place where its
lower rim lies highest. ground: the room of a sheet for pieces, with what is used up in it. block: the part of the last
sheet that its pieces take; what is left of the sheet depends on its width.

host: a piece with a hole. guest: a piece cut from such a hole, before the waste falls out. Its places are tried on
squares of a fine raster: a guest takes all squares near it, so that the spacing holds between any two parts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np
import shapely
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.base.units import Against
from studio.fabricate.workshop import ROUNDING, Bed, fits
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.regions import Polygons, quartered

OUTLINE_TOLERANCE = 0.002
"""Largest deviation in mm from outlines of the polylines that keep parts apart."""
COLUMN = 0.5
"""Least width in mm of a skyline's columns."""
COLUMNS = 1500
"""Most columns of a skyline; on a wide bed the columns are wider."""
OPEN_SHEETS = 3
"""Number of last sheets on which a piece is tried; earlier sheets are full except for small gaps."""
WIDEST, REST, SMALL = "wide", "rest", "small"
"""Blocks: over the sheet's whole width; leaving the largest rectangle; taking the smallest rectangle."""
BLOCK_WIDTHS = tuple(share / 12 for share in range(2, 12))
"""Shares of a sheet's width that blocks are tried with, besides the whole."""
MOST_SQUARED = 700
"""Most pieces on the last sheet with which several blocks are tried."""
PROVEN = 0.02
"""Length in mm up to which pieces may come closer than asked: the deviation of arcs around them."""
REST_SQUARES = 160
"""Squares along the longer side of a sheet, on which its largest free rectangle is found."""


def refuse_larger(name: str, size: tuple[float, float], bed: Bed) -> None:
    """Raise StudioError for a piece that is too large in any orientation."""
    if not fits(size, bed):
        raise StudioError(
            tr(
                "Piece {name} ({width:.1f} × {height:.1f} mm) is larger than the usable bed ({usable_width:g} × "
                "{usable_height:g} mm). Choose a larger machine, a smaller design or, for a frame, one in parts.",
                name=name,
                width=Against(size[0], bed.inside[0]),
                height=Against(size[1], bed.inside[1]),
                usable_width=bed.inside[0],
                usable_height=bed.inside[1],
            )
        )


@dataclass(frozen=True)
class Place:
    """Placement of a copy of a piece: its sheet, its quarter turns, and its subsequent shift in mm.

    A piece `in_waste` is cut before the waste falls out of its host.
    """

    piece: int
    copy: int
    sheet: int
    quarters: int
    right: float
    down: float
    in_waste: bool = False


@dataclass(frozen=True, eq=False)
class _Shape:
    """A turned piece with half the spacing around it: its size, and its rims column by column, in mm from its top.

    `low` is the corner of its box after the piece is turned about the origin of the drawing, shape (2,).
    """

    low: Floats
    width: float
    height: float
    upper: Floats
    lower: Floats


@dataclass(frozen=True, eq=False)
class _Ground:
    """Room of a sheet: its corner and size in mm, half the spacing wider than the room for pieces themselves.

    `top` is the empty skyline, shape (columns,); `used` are stretches of columns below it that no piece may touch, from
    and to a depth in mm, shape (columns, most, 2), infinite where a column has fewer.
    """

    corner: tuple[float, float]
    size: tuple[float, float]
    column: float
    top: Floats
    used: Floats

    @classmethod
    def from_bed(cls, bed: Bed, column: float, reach: float) -> _Ground:
        """Compute the room on a bed, or in its free area."""
        if bed.area is None:
            size = bed.inside[0] + 2 * reach, bed.inside[1] + 2 * reach
            count = int(np.ceil(size[0] / column))
            return cls((bed.margin - reach, bed.margin - reach), size, column, np.zeros(count), np.empty((count, 0, 2)))
        inside = bed.area.inside(bed.margin)
        room = shapely.buffer(inside, reach)
        # Narrow notches that the widening closed stay used up.
        closed = shapely.difference(shapely.buffer(room, -reach), inside)
        room = shapely.difference(room, shapely.buffer(closed, reach + ROUNDING)) if closed.area > 0 else room
        left, top, right, bottom = room.bounds
        count = int(np.ceil((right - left) / column))
        stretches = _stretches(shapely.difference(shapely.box(left - column, top, right + 2 * column, bottom), room),
                               left, top, column, count)  # fmt: skip
        skyline = np.zeros(count)
        for at, own in enumerate(stretches):
            if own and own[0][0] <= ROUNDING:
                skyline[at] = own.pop(0)[1]
        used = np.full((count, max(map(len, stretches), default=0), 2), np.inf)
        for at, own in enumerate(stretches):
            if own:
                used[at, : len(own)] = own
        return cls((left, top), (right - left, bottom - top), column, skyline, used)

    def narrowed(self, share: float) -> _Ground:
        """Keep a share of its columns, from the left."""
        count = max(1, round(len(self.top) * share))
        width = min(self.size[0], count * self.column)
        return replace(self, size=(width, self.size[1]), top=self.top[:count], used=self.used[:count])

    def spot(self, skyline: Floats, shape: _Shape) -> tuple[float, int, float]:
        """Find the best place: its cost, infinite without a place, its first column, and its depth in mm.

        The cost is the mean depth of the piece's lower rim.
        """
        last = int(np.floor((self.size[0] - shape.width + ROUNDING) / self.column))
        room = self.size[1] - shape.height + ROUNDING
        if last < 0 or room < 0:
            return np.inf, 0, 0.0
        windows = sliding_window_view(skyline, len(shape.upper))[: last + 1]
        down = np.maximum((windows - shape.upper).max(axis=1), 0.0)
        while True:
            at = int(down.argmin())
            if down[at] > room:
                return np.inf, 0, 0.0
            deeper = self._past_used(at, float(down[at]), shape)
            if deeper <= down[at]:
                return float(down[at] + shape.lower.mean()), at, float(down[at])
            down[at] = deeper

    def _past_used(self, at: int, down: float, shape: _Shape) -> float:
        """Depth below the used stretches that a shape at a column and depth touches; its own depth if it is free."""
        if not self.used.shape[1]:
            return down
        own = self.used[at : at + len(shape.upper)]
        touched = (down + shape.upper[:, None] < own[..., 1]) & (down + shape.lower[:, None] > own[..., 0])
        if not touched.any():
            return down
        return float((own[..., 1] - shape.upper[:, None])[touched].max())

    def free(self, skyline: Floats) -> NDArray[np.bool_]:
        """Squares of the sheet below a skyline that are free, shape (rows, columns)."""
        step = max(self.size) / REST_SQUARES
        rows = max(1, int(self.size[1] / step))
        per = max(1, round(step / self.column))
        depths = (np.arange(rows) * step)[:, None]
        found = []
        for first in range(0, len(skyline), per):
            own = self.used[first : first + per].reshape(-1, 2)
            blocked = ((depths < own[:, 1]) & (depths + step > own[:, 0])).any(axis=1)
            found.append(~blocked & (depths[:, 0] >= skyline[first : first + per].max()))
        return np.stack(found, 1)


def _stretches(used: shapely.Geometry, left: float, top: float, column: float, count: int) -> list[list[list[float]]]:
    """Stretches of depth that an area takes in each column, ascending and apart."""
    found: list[list[list[float]]] = []
    _, low, _, high = used.bounds if not used.is_empty else (0, 0, 0, 0)
    group = 32
    for first in range(0, count, group):
        strip = shapely.clip_by_rect(used, left + (first - 1) * column, low, left + (first + group + 1) * column, high)
        for at in range(first, min(first + group, count)):
            part = shapely.clip_by_rect(strip, left + at * column, low, left + (at + 1) * column, high)
            boxes = shapely.bounds(shapely.get_parts(part))[:, [1, 3]] - top
            own: list[list[float]] = []
            for begin, end in sorted(boxes[np.isfinite(boxes).all(axis=1)].tolist()):
                if end - begin <= ROUNDING:
                    continue
                if own and begin <= own[-1][1]:
                    own[-1][1] = max(own[-1][1], end)
                else:
                    own.append([begin, end])
            found.append(own)
    return found


@dataclass(frozen=True, eq=False)
class Nest:
    """Pieces to pack: each piece's shapes by quarter turns, in a frame enlarged by half the spacing."""

    shapes: list[list[_Shape]]
    order: Ints
    ground: _Ground
    block: str = WIDEST

    @classmethod
    def from_polygons(cls, polygons: Polygons, bed: Bed, block: str = WIDEST) -> Nest:
        """Compute the shapes of outlines, to be placed largest first."""
        column = max(COLUMN, bed.width / COLUMNS)
        low, high = np.hsplit(shapely.bounds(polygons), 2)
        # Rims are sampled every half column; a quarter column more keeps the curves between the samples apart.
        reach = bed.spacing / 2 + column / 4 + OUTLINE_TOLERANCE
        rims = shapely.segmentize(shapely.get_exterior_ring(shapely.buffer(polygons, reach)), column / 2)
        boxes = np.stack([low - reach, high + reach], 1)
        shapes = [
            [_shape(quartered(rim, quarters), quartered(box, quarters), column) for quarters in range(4)]
            for rim, box in zip(map(shapely.get_coordinates, rims), boxes, strict=True)
        ]
        order = np.argsort(-(high - low).prod(axis=1), kind="stable")
        return cls(shapes, order, _Ground.from_bed(bed, column, reach), block)

    def packed(
        self, copies: int, progress: Progress, left_out: Collection[int] = (), most_sheets: int | None = None
    ) -> list[Place]:
        """Place all copies of all pieces but some left out.

        With at most `most_sheets`, pieces without room are left out as well.
        """
        loose = [piece for piece in self.order.tolist() if piece not in left_out]
        wanted = list(product(loose, range(1, copies + 1)))
        places, skylines = self._filled(wanted, self.ground, progress.part(0.0, 0.6), most_sheets)
        if places and self.block != WIDEST:
            last = max(place.sheet for place in places)
            own = [(place.piece, place.copy) for place in places if place.sheet == last]
            best = self._block(own, skylines[last], progress.part(0.6, 1.0))
            if best is not None:
                places = [place for place in places if place.sheet != last]
                places += [replace(place, sheet=last) for place in best]
        progress.step(1.0)
        return places

    def _filled(
        self, wanted: Sequence[tuple[int, int]], ground: _Ground, progress: Progress, most_sheets: int | None
    ) -> tuple[list[Place], list[Floats]]:
        """Place pieces in order, each best on the first of the last sheets with room; return also the skylines."""
        places: list[Place] = []
        skylines: list[Floats] = []
        for number, (piece, copy) in enumerate(wanted):
            if number % 50 == 0:
                progress.step(number / len(wanted), tr("Nesting pieces"))
            for sheet in range(max(0, len(skylines) - OPEN_SHEETS), len(skylines) + 1):
                if sheet == len(skylines):
                    if sheet == most_sheets:
                        break
                    skylines.append(ground.top.copy())
                tried = [ground.spot(skylines[sheet], shape) for shape in self.shapes[piece]]
                quarters = min(range(4), key=lambda turn: tried[turn][0])
                cost, at, down = tried[quarters]
                if np.isfinite(cost):
                    shape = self.shapes[piece][quarters]
                    skylines[sheet][at : at + len(shape.lower)] = down + shape.lower
                    right = at * ground.column - shape.low[0] + ground.corner[0]
                    down += ground.corner[1] - shape.low[1]
                    places.append(Place(piece, copy, sheet, quarters, float(right), float(down)))
                    break
        return places, skylines

    def _block(self, own: Sequence[tuple[int, int]], skyline: Floats, progress: Progress) -> list[Place] | None:
        """Find the better block of a sheet's pieces among several widths; None if the whole width is best."""
        if len(own) > MOST_SQUARED:
            return None
        measure = _rest if self.block == REST else _small
        best, found = measure(self.ground, skyline), None
        for number, share in enumerate(BLOCK_WIDTHS):
            part = progress.part(number / len(BLOCK_WIDTHS), (number + 1) / len(BLOCK_WIDTHS))
            ground = self.ground.narrowed(share)
            if any(min(shape.width for shape in self.shapes[piece]) > ground.size[0] for piece, _ in own):
                continue
            places, skylines = self._filled(own, ground, part, 1)
            if len(places) < len(own):
                continue
            whole = self.ground.top.copy()
            whole[: len(ground.top)] = skylines[0]
            value = measure(self.ground, whole)
            if value > best:
                best, found = value, places
        return found


def are_apart(pieces: Polygons, bed: Bed) -> bool:
    """True if pieces on a sheet keep the bed's spacing and lie within its margins, up to PROVEN."""
    room = shapely.box(*np.repeat(bed.margin, 2), bed.width - bed.margin, bed.height - bed.margin)
    if bed.area is not None:
        room = bed.area.inside(bed.margin)
    room = shapely.buffer(room, PROVEN, join_style="mitre")
    shapely.prepare(room)
    if not shapely.contains(room, pieces).all():
        return False
    tree, least = shapely.STRtree(pieces), bed.spacing - PROVEN
    at, other = tree.query(pieces, predicate="dwithin", distance=max(least, 0.0))
    one, two = at[at < other], other[at < other]
    if least > 0:
        return not len(one)
    return bool((shapely.area(shapely.intersection(pieces[one], pieces[two])) <= PROVEN).all())


def _small(ground: _Ground, skyline: Floats) -> float:
    """The area of the rectangle around a block in mm², negative."""
    taken = np.flatnonzero(skyline > ground.top)
    if not len(taken):
        return 0.0
    return -float((taken[-1] + 1 - taken[0]) * ground.column * (skyline[taken].max() - ground.top[taken].min()))


def _rest(ground: _Ground, skyline: Floats) -> float:
    """The share of the largest free rectangle in a sheet."""
    free = ground.free(skyline)
    return largest_rectangle(free) / free.size


def largest_rectangle(free: NDArray[np.bool_]) -> int:
    """Squares of the largest rectangle of free squares, by histograms above each row."""
    best = 0
    heights = np.zeros(free.shape[1], np.int64)
    for row in free:
        heights = np.where(row, heights + 1, 0)
        open_: list[tuple[int, int]] = []
        for at, height in enumerate([*heights.tolist(), 0]):
            begin = at
            while open_ and open_[-1][1] >= height:
                begin, above = open_.pop()
                best = max(best, (at - begin) * above)
            open_.append((begin, height))
    return best


def _shape(rim: Floats, box: Floats, column: float) -> _Shape:
    """Make a shape from points along its rim and two corners of the box around it, shape (2, 2)."""
    low = box.min(axis=0)
    points = rim - low
    width, height = np.ptp(box, axis=0).tolist()
    count = max(1, int(np.ceil(width / column - ROUNDING)))
    upper, lower = np.full(count, height), np.zeros(count)
    for aside in (-column / 4, column / 4):
        columns = np.clip(((points[:, 0] + aside) / column).astype(np.int64), 0, count - 1)
        np.minimum.at(upper, columns, points[:, 1])
        np.maximum.at(lower, columns, points[:, 1])
    return _Shape(low, width, height, upper, lower)


# Pieces inside the holes of other pieces, such as the opening of a frame

FINEST, MOST_SQUARES = 0.5, 480
"""Least side of a square in mm, and most squares across a hole."""
HALF = 0.75
"""Distance of a square's corner from its middle, in sides, rounded up."""
BAND = 3
"""Width in squares of the band around a guest in which contact with taken squares counts."""
MOST_TRIED = 400
"""Most guests tried in a hole, largest first."""

FEW = 40
"""Number of pieces up to which several orders are tried."""
RANKS: tuple[Callable[[shapely.Polygon], float], ...] = (
    lambda outline: float(outline.area),
    lambda outline: float(outline.length),
    lambda outline: float(outline.envelope.area),
)
"""Keys of orders: area, length of the outline, or area of the box; largest first."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Guest:
    """A piece in a hole: its host, its quarter turns about the origin, and its subsequent shift in mm on the board."""

    host: int
    quarters: int
    right: float
    down: float


@dataclass(eq=False)
class _Room:
    """Free room in a hole: squares of a side in mm from a corner, shape (2,); `taken` by guests or outside the hole."""

    host: int
    corner: Floats
    side: float
    taken: Mask
    spectrum: NDArray[np.complex128] = field(init=False)

    def __post_init__(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Recompute the spectrum of taken squares."""
        self.spectrum = np.fft.rfft2(self.taken.astype(np.float64))

    def spot(self, squares: Mask, band: Mask) -> tuple[float, int, int] | None:
        """Find the free place whose band is taken most: the share taken, the row and the column; None if no place."""
        rows, columns = np.array(self.taken.shape) - squares.shape
        if rows < 0 or columns < 0:
            return None
        blocked, touched = (self._overlaps(mask)[: rows + 1, : columns + 1] for mask in (squares, band))
        touch = np.where(blocked < 0.5, np.round(touched), -1.0)
        row, column = np.unravel_index(int(touch.argmax()), touch.shape)
        return None if touch[row, column] < 0 else (float(touch[row, column] / band.sum()), int(row), int(column))

    def _overlaps(self, mask: Mask) -> Floats:
        """Number of taken squares under a mask at every place, by correlation."""
        held = np.fft.rfft2(mask.astype(np.float64), s=self.taken.shape)
        return np.asarray(np.fft.irfft2(self.spectrum * held.conj(), s=self.taken.shape))


def with_guests(places: Sequence[Place], guests: Mapping[int, Guest]) -> list[Place]:
    """Place guests with every copy of their hosts; they come first."""
    invited = []
    for piece, guest in guests.items():
        for host in (place for place in places if place.piece == guest.host):
            ((right, down),) = quartered(np.array([[guest.right, guest.down]]), host.quarters).tolist()
            quarters = (guest.quarters + host.quarters) % 4
            invited.append(Place(piece, host.copy, host.sheet, quarters, host.right + right, host.down + down, True))
    return [*invited, *places]


def guests(
    outlines: Sequence[shapely.Polygon],
    holes: Sequence[tuple[int, shapely.Polygon]],
    spacing: float,
    progress: Progress = SILENT,
) -> dict[int, Guest]:
    """Place pieces in the holes of other pieces, each in the quarter turn with the most contact.

    `outlines` holds all pieces without their holes; `holes` holds pairs of a piece's number and a hole.
    """
    found: dict[int, Guest] = {}
    hosts = {host for host, _ in holes}
    for number, (host, hole) in enumerate(sorted(holes, key=lambda one: -one[1].area)):
        left = [each for each in range(len(outlines)) if each not in hosts and each not in found]
        best: dict[int, Guest] = {}
        for at, rank in enumerate(RANKS if len(left) <= FEW else RANKS[:1]):
            part = progress.part((number + at / len(RANKS)) / len(holes), (number + 1) / len(holes))
            order = sorted(left, key=lambda piece, rank=rank: (-rank(outlines[piece]), piece))  # type: ignore[misc]
            tried = _filled_hole(_room_in(host, hole, spacing), outlines, order, spacing, part)
            best = max((best, tried), key=lambda some: sum(outlines[piece].area for piece in some))
        found |= best
    return found


def _filled_hole(
    room: _Room | None, outlines: Sequence[shapely.Polygon], order: Sequence[int], spacing: float, progress: Progress
) -> dict[int, Guest]:
    """Fill a hole with guests in an order, each at its best place."""
    found: dict[int, Guest] = {}
    if room is None:
        return found
    free = float((~room.taken).sum()) * room.side**2
    for piece in order[:MOST_TRIED]:
        progress.step(0.0, tr("Nesting pieces"))
        if outlines[piece].area < free:
            guest = _guest_at(room, outlines[piece], spacing)
            if guest is not None:
                found[piece] = guest
                free -= float(outlines[piece].area)
    return found


def _room_in(host: int, hole: shapely.Polygon, spacing: float) -> _Room | None:
    left, top, right, bottom = hole.bounds
    side = max(FINEST, max(right - left, bottom - top) / MOST_SQUARES)
    inside = shapely.buffer(hole, -spacing / 2 - HALF * side)
    if inside.is_empty:
        return None
    corner = np.array([left, top]) - BAND * side
    rows, columns = (int(length / side) + 1 + 2 * BAND for length in (bottom - top, right - left))
    return _Room(host, corner, side, ~_squares_within(inside, corner, side, (rows, columns)))


def _guest_at(room: _Room, outline: shapely.Polygon, spacing: float) -> Guest | None:
    """Place an outline in the quarter turn and place with the most contact, and take its squares; None if no place."""
    best: tuple[float, int, Floats, Mask, int, int] | None = None
    points = shapely.get_coordinates(outline)
    for quarters in range(4):
        area = shapely.buffer(shapely.Polygon(points), spacing / 2 + HALF * room.side)
        points = np.stack([-points[:, 1], points[:, 0]], 1)
        low, high = np.array(area.bounds[:2]) - BAND * room.side, np.array(area.bounds[2:])
        columns, rows = (np.ceil((high - low) / room.side).astype(int) + BAND).tolist()
        squares = _squares_within(area, low, room.side, (rows, columns))
        band = _squares_within(shapely.buffer(area, BAND * room.side), low, room.side, (rows, columns)) & ~squares
        spot = room.spot(squares, band)
        if spot is not None and (best is None or spot[0] > best[0]):
            best = spot[0], quarters, low, squares, spot[1], spot[2]
    if best is None:
        return None
    _, quarters, low, squares, row, column = best
    room.taken[row : row + squares.shape[0], column : column + squares.shape[1]] |= squares
    room.refresh()
    right, down = (room.corner + np.array([column, row]) * room.side - low).tolist()
    return Guest(room.host, quarters, right, down)


def _squares_within(area: shapely.Geometry, low: Floats, side: float, shape: tuple[int, int]) -> Mask:
    """Mask of the raster's squares, shape (rows, columns), with their middle in an area."""
    shapely.prepare(area)
    x = low[0] + (np.arange(shape[1]) + 0.5) * side
    y = low[1] + (np.arange(shape[0]) + 0.5) * side
    return np.asarray(shapely.contains_xy(area, *np.meshgrid(x, y)))
