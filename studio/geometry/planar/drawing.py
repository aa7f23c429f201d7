"""A flat drawing: the strokes to cut, the chains that the head follows, and the resulting pieces.

chain: strokes cut in one go, pen down once. operation: the machine's process along a chain. ring: a closed way along
strokes, round a piece or round a hole in it. recipe: how a machine works a material, as a setting for
each kind of work. work: what the beam does to the sheet. Lines are cut, scored, engraved or marked, pictures are
engraved as a raster.
The canvas draws the very strokes that exporters write.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from studio.base.parameters import Validated, declarations, flag, integer, line, number
from studio.base.texts import tr
from studio.base.units import MM_PER_INCH
from studio.geometry.art.artwork import Picture, Region
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, frozen, offsets, ranges, totals

AREA_TOLERANCE = 0.02
"""The largest deviation in mm of the polylines that measure areas."""


class Operation(Enum):
    """The machine's process along a chain; machines run them in this order.

    A mark locates a print on the bed and is not cut at all.
    """

    ENGRAVE = "engrave"
    SCORE = "score"
    INNER = "inner cut"
    BORDER = "border cut"
    MARK = "mark"


CUTS = (Operation.INNER, Operation.BORDER)
"""The operations that go through the wood."""


@dataclass(frozen=True)
class Run:
    """How a machine runs a drawing: speeds in mm/s, titles for the maker, and width and height of the bed in mm.

    An unknown title is empty, an unknown bed None; `note` is a sentence for files that take notes.
    """

    machine: str = ""
    material: str = ""
    cut_speed: float = 15.0
    score_speed: float = 100.0
    engrave_speed: float = 100.0
    rapid_speed: float = 200.0
    bed: tuple[float, float] | None = None
    note: str = ""

    def speed(self, operation: Operation) -> float:
        """Return the speed in mm/s along the chains of an operation."""
        known = {Operation.ENGRAVE: self.engrave_speed, Operation.SCORE: self.score_speed}
        return known.get(operation, self.cut_speed)


NO_HOLES = frozen(np.empty(0, np.int64))
"""No holes, for pieces."""
NO_TABS = frozen(np.empty(0, np.int64))
"""No tabs, for a drawing."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Strokes joined end to end: code 2i is stroke i forwards, 2i + 1 backwards."""

    operation: Operation
    strokes: Ints
    closed: bool = False
    bounds_void: bool = False
    """True for the outline of a hole or a figure, whose strokes are not edges with tongues."""
    is_on_back: bool = False
    """True if engraved on the back; its strokes are as seen through the board from the face."""
    overcut: int = 0
    """Number of last strokes that cut the first ones of a loop again."""


class ChainsLater(Sequence[Chain]):
    """Chains made at their first use, which drawings that follow a drag never have."""

    def __init__(self, make: Callable[[], Iterable[Chain]]) -> None:
        self._make = make

    @cached_property
    def _all(self) -> tuple[Chain, ...]:
        return tuple(self._make())

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Chain]:
        return iter(self._all)

    @overload
    def __getitem__(self, at: int) -> Chain: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Chain]: ...

    def __getitem__(self, at: int | slice) -> Chain | Sequence[Chain]:
        return self._all[at]


def is_one_ring(ends: Ints) -> bool:
    """True if strokes from corner to corner (k, 2) make a single ring that passes each of its corners once."""
    at: dict[int, list[int]] = {}
    for one, two in ends.tolist():
        at.setdefault(one, []).append(two)
        at.setdefault(two, []).append(one)
    if not at or any(len(others) != 2 or others[0] == others[1] for others in at.values()):
        return False
    first = next(iter(at))
    before, here, length = first, at[first][0], 1
    while here != first:
        one, two = at[here]
        before, here, length = here, two if one == before else one, length + 1
    return length == len(at)


def in_order(chains: Iterable[Chain]) -> tuple[Chain, ...]:
    """Sort chains by the order of their operations, keeping the order within each."""
    order = list(Operation)
    return tuple(sorted(chains, key=lambda chain: order.index(chain.operation)))


@dataclass(frozen=True, eq=False)
class Path:
    """A chain as one curve: control points (3k + 1, 2) in mm; a closed path ends where it starts."""

    operation: Operation
    points: Floats
    closed: bool
    is_on_back: bool = False


@dataclass(frozen=True, eq=False)
class Pieces:
    """The pieces that the strokes enclose: piece i follows `codes[starts[i]:starts[i + 1]]` round its outline.

    A piece may have holes: its outline comes first, then each hole, followed the other way round. `holes` has the
    indices in `codes` at which holes begin, ascending.
    """

    codes: Ints
    starts: Ints
    names: tuple[str, ...]
    holes: Ints = field(default_factory=lambda: NO_HOLES)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def owners(self) -> Ints:
        """The piece of every entry of `codes`."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def rings(self) -> Ints:
        """Indices in `codes` at which rings begin, outlines and holes, and the end of the last."""
        return self.starts if not len(self.holes) else np.sort(np.concatenate([self.starts, self.holes]))

    @cached_property
    def ring_owners(self) -> Ints:
        """The piece of every ring."""
        return np.searchsorted(self.starts, self.rings[:-1], side="right") - 1

    @cached_property
    def outer(self) -> Pieces:
        """The pieces with their outlines alone."""
        if not len(self.holes):
            return self
        outlines = np.searchsorted(self.rings, self.starts[:-1])
        counts = np.diff(self.rings)[outlines]
        return Pieces(self.codes[ranges(self.starts[:-1], counts)], offsets(counts), self.names)

    @cached_property
    def rims(self) -> frozenset[int]:
        """The rims of the board: strokes followed by a single outline, if any pieces share lines."""
        times = np.bincount(self.codes >> 1)
        outer = np.bincount(self.outer.codes >> 1, minlength=len(times))
        shares = len(times) > 0 and times.max() > 1
        return frozenset(np.flatnonzero((times == 1) & (outer == 1)).tolist() if shares else ())

    @cached_property
    def following(self) -> Ints:
        """The code after each in its ring."""
        after = np.roll(self.codes, -1)
        after[self.rings[1:] - 1] = self.codes[self.rings[:-1]]
        return after

    def areas(self, sweeps: Floats) -> Floats:
        """The area in mm² of every piece, from the strokes' sweeps; negative if turned inside out."""
        swept = sweeps[self.codes >> 1] * np.where(self.codes & 1, -1.0, 1.0)
        return totals(self.owners, swept, len(self))

    def chosen(self, pieces: Ints) -> Pieces:
        """Select pieces, in the order given."""
        begins = self.starts[pieces]
        counts = self.starts[pieces + 1] - begins
        at = offsets(counts)
        holes = [
            self.holes[(self.holes >= begin) & (self.holes < begin + count)] - begin + first
            for begin, count, first in zip(begins.tolist(), counts.tolist(), at.tolist(), strict=False)
            if len(self.holes)
        ]
        names = tuple(self.names[piece] for piece in pieces.tolist())
        return Pieces(self.codes[ranges(begins, counts)], at, names, np.concatenate([NO_HOLES, *holes]))


@dataclass(frozen=True, eq=False)
class Drawing:
    """A drawing on a board of `width` × `height` mm; the origin is the top left corner, y grows downwards.

    `artwork` is under the lines, lowest first; formats for lines only leave it out. `tabs` are the strokes of outlines
    that stay uncut and hold the pieces.
    """

    width: float
    height: float
    strokes: Curves
    chains: Sequence[Chain]
    pieces: Pieces
    artwork: tuple[Region | Picture, ...] = ()
    tabs: Ints = field(default_factory=lambda: NO_TABS)

    def paths(self) -> Iterator[Path]:
        """Yield each chain as one curve, in cutting order."""
        starts = offsets(np.array([len(chain.strokes) for chain in self.chains], np.int64))
        codes = np.concatenate([chain.strokes for chain in self.chains])
        joined = self.strokes.joined(codes, starts)
        for at, chain in enumerate(self.chains):
            yield Path(chain.operation, joined[at], chain.closed, chain.is_on_back)

    def with_pieces(self, pieces: Ints) -> Drawing:
        """Keep some of the pieces, and cut nothing but their outlines; strokes keep their numbers.

        A chain is parted where a stroke of it is no longer cut.
        """
        chosen = self.pieces.chosen(pieces)
        is_cut = np.ones(len(self.strokes), bool)
        is_cut[self.pieces.codes >> 1] = False
        is_cut[chosen.codes >> 1] = True
        chains: list[Chain] = []
        for chain in self.chains:
            kept = is_cut[chain.strokes >> 1]
            if kept.all():
                chains.append(chain)
                continue
            codes, stays = chain.strokes, kept
            if chain.closed:
                # Begin after a gap, so that no part is cut in two.
                first = int(np.flatnonzero(~kept)[0]) + 1
                codes, stays = np.roll(codes, -first), np.roll(kept, -first)
            parts = np.split(codes, np.flatnonzero(np.diff(stays)) + 1)
            chains += [replace(chain, strokes=part, closed=False) for part in parts if is_cut[part[0] >> 1]]
        return replace(self, chains=tuple(chains), pieces=chosen)

    @cached_property
    def cut_length(self) -> float:
        """The length in mm of all cuts through the wood, without engraved and scored lines."""
        cuts = [chain.strokes for chain in self.chains if chain.operation in CUTS]
        return float(self.strokes.lengths[np.concatenate(cuts) >> 1].sum()) if cuts else 0.0

    @property
    def cut_count(self) -> int:
        """Number of chains that go through the wood."""
        return sum(chain.operation in CUTS for chain in self.chains)

    @cached_property
    def polylines(self) -> Polylines:
        """The strokes within AREA_TOLERANCE."""
        return self.strokes.flattened(AREA_TOLERANCE)

    @cached_property
    def piece_areas(self) -> Floats:
        """The area in mm² of every piece, to better than 0.1 %."""
        return self.areas(self.polylines.sweeps)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the page, in mm."""
        return self.width / 2, self.height / 2

    def areas(self, sweeps: Floats) -> Floats:
        """The area in mm² of every piece, from its strokes' sweeps; negative if turned inside out."""
        return self.pieces.areas(sweeps)

    @cached_property
    def followed_once(self) -> NDArray[np.bool_]:
        """Mask of strokes that bound only one piece."""
        return np.asarray(np.bincount(self.pieces.codes >> 1, minlength=len(self.strokes)) == 1)

    def on_pieces(self) -> tuple[Chain, ...]:
        """The chains that bound no piece but lie on some: engravings, scores, and open inner cuts."""
        bounds = np.bincount(self.pieces.codes >> 1, minlength=len(self.strokes)) > 0
        return tuple(
            chain
            for chain in self.chains
            if chain.operation not in CUTS
            or (chain.operation is Operation.INNER and not chain.closed and not bounds[chain.strokes >> 1].any())
        )

    @cached_property
    def shares_lines(self) -> bool:
        """True if two pieces share a stroke; otherwise each has its own outline."""
        strokes = np.sort(self.pieces.codes >> 1)
        return bool((strokes[1:] == strokes[:-1]).any())

    def outlines(self, polylines: Polylines) -> Polylines:
        """The closed outlines of the pieces, without holes, from the strokes' polylines."""
        return polylines.joined(self.pieces.outer.codes, self.pieces.outer.starts)

    @property
    def open_holes(self) -> Curves:
        """The rims, as closed curves, of holes in pieces that share no line with another piece."""
        pieces = self.pieces
        counts = np.diff(pieces.rings)[np.searchsorted(pieces.rings, pieces.holes)]
        alone = self.followed_once[pieces.codes[ranges(pieces.holes, counts)] >> 1]
        is_open = totals(np.repeat(np.arange(len(counts)), counts), alone, len(counts)) == counts
        begins, counts = pieces.holes[is_open], counts[is_open]
        return self.strokes.joined(pieces.codes[ranges(begins, counts)], offsets(counts))

    def rings(self, polylines: Polylines) -> Polylines:
        """All closed rings of the pieces, outlines and holes, from the strokes' polylines."""
        return polylines.joined(self.pieces.codes, self.pieces.rings)


NO_DRAWING = Drawing(
    1.0, 1.0, Curves.from_strokes([]), (), Pieces(frozen(np.empty(0, np.int64)), frozen(np.zeros(1, np.int64)), ())
)
"""An empty board."""


def beyond(points: Floats, width: float, height: float) -> float:
    """Largest distance in mm of points (n, 2) beyond a page; negative if all are on it."""
    # Axis by axis, which numpy searches ten times as fast as rows of two.
    x, y = points[:, 0], points[:, 1]
    return float(max(-x.min(), -y.min(), x.max() - width, y.max() - height))


# A drawing of closed parts: pieces without shared lines, each with its outline and holes as strokes of their own.


def closed_parts(
    size: tuple[float, float],
    names: Sequence[str],
    rings: Sequence[Sequence[Floats]],
    marks: Sequence[Path] = (),
    inner: Collection[int] = (),
) -> Drawing:
    """Make a drawing, `size` mm wide and high, of named parts and of marks on them that are not cut through.

    `rings` has the closed curves (3k + 1, 2) in mm of every part: the outline, followed clockwise on the screen, and
    then its holes, the other way. Marks are engraved or scored before holes, and holes cut before outlines. The
    outlines of `inner` parts, by their numbers, are inner cuts like holes, each after its own holes.
    """
    strokes: list[Floats] = []
    chains: list[Chain] = []
    begins: list[int] = []
    holes: list[int] = []
    for which, part in enumerate(rings):
        outline = _chain(Operation.INNER if which in inner else Operation.BORDER, len(strokes), closed=True)
        for at, ring in enumerate(part):
            (holes if at else begins).append(len(strokes))
            if at:
                chains.append(_chain(Operation.INNER, len(strokes), closed=True))
            strokes.append(ring)
        chains.append(outline)
    count = len(strokes)
    for mark in marks:
        chains.append(replace(_chain(mark.operation, len(strokes), closed=mark.closed), is_on_back=mark.is_on_back))
        strokes.append(mark.points)
    pieces = Pieces(2 * np.arange(count), np.array([*begins, count]), tuple(names), np.array(holes, np.int64))
    return Drawing(*size, Curves.from_strokes(strokes), in_order(chains), pieces)


def _chain(operation: Operation, stroke: int, *, closed: bool) -> Chain:
    return Chain(operation, np.array([2 * stroke]), closed)


# Joints of two flat parts: along a seam, or one part within a hole of the other


@dataclass(frozen=True, eq=False)
class Seam:
    """A joint along one line: control points (3k + 1, 2) in mm from (0, 0) to (length, 0), most of it below y = 0."""

    line: Floats


@dataclass(frozen=True, eq=False)
class Inlay:
    """A part within the hole of another: closed curves (3k + 1, 2) in mm, both in their final place.

    The outline runs clockwise on the screen, the hole the other way. `room` is a rectangle within the part: left, top,
    right and bottom in mm.
    """

    outline: Floats
    hole: Floats
    room: tuple[float, float, float, float]


Joint = Seam | Inlay
"""Joints that a fit coupon can try."""


def nearest_point(points: Floats, x: float, y: float, reach: float) -> int | None:
    """The index of the nearest of points (n, 2) within `reach` mm, or None."""
    if not len(points):
        return None
    squares = (points[:, 0] - x) ** 2 + (points[:, 1] - y) ** 2
    best = int(squares.argmin())
    return best if squares[best] <= reach * reach else None


# Recipes

LONGEST_NOTE = 200
"""Most characters of a note."""


@dataclass(frozen=True)
class Setting(Validated):
    """Setting of a machine for one kind of work. Raises ParameterError for a value out of bounds."""

    power_max: float = number(100.0, title="Max power", minimum=0, maximum=100, step=1, unit="%",
        help="Power at full speed.")  # fmt: skip
    power_min: float = number(0.0, title="Min power", minimum=0, maximum=100, step=1, unit="%",
        help="Power in corners, where the head slows down.")  # fmt: skip
    speed: float = number(10.0, title="Speed", minimum=0.1, maximum=5000, step=1, unit="mm/s",
        help="Head speed of each pass.")  # fmt: skip
    passes: int = integer(1, title="Passes", minimum=1, maximum=50, help="How often each line is run.")
    air: bool = flag(False, title="Air assist", help="Air assist on.")
    kerf: float = number(0.0, title="Kerf", minimum=0, maximum=2, step=0.01, unit="mm", zero=tr("Material"),
        help="Width of the cut; 0 means the material's.")  # fmt: skip
    focus: float = number(0.0, title="Focus", minimum=-50, maximum=50, step=0.1, unit="mm",
        help="Z offset from the usual focus.")  # fmt: skip
    interval: float = number(0.1, title="Line interval", minimum=0.01, maximum=5, step=0.01, unit="mm",
        help="Distance between two lines of a raster; 0.1 mm is 254 dpi.")  # fmt: skip
    note: str = line("", title="Note", longest=LONGEST_NOTE, help="A note to yourself, written to files.")

    @property
    def dpi(self) -> float:
        """Raster lines per inch."""
        return MM_PER_INCH / self.interval

    @property
    def pace(self) -> float:
        """Speed in mm/s over all passes, without the way back to their starts."""
        return self.speed / self.passes


FIELDS = tuple(known.name for known in declarations(Setting))
"""Names of a setting's values, in the order of tables."""
CUT, SCORE, ENGRAVE, MARK, RASTER = WORKS = ("cut", "score", "engrave", "mark", "raster")
"""Kinds of work, in the order of tables."""
TITLES = {CUT: tr("Cut"), SCORE: tr("Score"), ENGRAVE: tr("Engrave"), MARK: tr("Mark"), RASTER: tr("Raster")}
WORK_OF = {
    Operation.INNER: CUT, Operation.BORDER: CUT, Operation.SCORE: SCORE, Operation.ENGRAVE: ENGRAVE,
    Operation.MARK: MARK,
}  # fmt: skip
"""The work that each operation of a drawing is."""


@dataclass(frozen=True)
class Recipe:
    """Settings of a machine for a material; None for work that has none."""

    cut: Setting | None = None
    score: Setting | None = None
    engrave: Setting | None = None
    mark: Setting | None = None
    raster: Setting | None = None

    def setting(self, work: str) -> Setting | None:
        """Return the setting for a kind of work, one of WORKS."""
        found: Setting | None = getattr(self, work)
        return found

    def of(self, operation: Operation) -> Setting | None:
        """Return the setting for an operation of a drawing."""
        return self.setting(WORK_OF[operation])

    @property
    def is_empty(self) -> bool:
        """True if it has no setting at all."""
        return all(getattr(self, each.name) is None for each in fields(self))


NO_RECIPE = Recipe()
"""A recipe without settings."""


@dataclass(frozen=True)
class LibraryEntry:
    """A setting in a library of another program: name of the material, thickness in mm or None, work and setting."""

    material: str
    thickness: float | None
    work: str
    setting: Setting


def summary(setting: Setting, work: str) -> str:
    """Describe a setting in one line of ASCII text, with every value that is not at its default.

    >>> summary(Setting(power_max=65.0, speed=15.0, air=True, note="Test first"), "cut")
    '65 %, 15 mm/s, 1 pass, air. Test first'
    """
    power = f"{setting.power_max:g} %"
    if setting.power_min:
        power = f"{setting.power_min:g} to {power}"
    parts = [power, f"{setting.speed:g} mm/s", "1 pass" if setting.passes == 1 else f"{setting.passes} passes"]
    if setting.air:
        parts.append("air")
    if setting.kerf:
        parts.append(f"kerf {setting.kerf:g} mm")
    if setting.focus:
        parts.append(f"focus {setting.focus:+g} mm")
    if work == RASTER:
        parts.append(f"interval {setting.interval:g} mm ({setting.dpi:.0f} dpi)")
    return ", ".join(parts) + (f". {setting.note}" if setting.note else "")
