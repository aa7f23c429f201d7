"""Which pieces of a game snap together: right neighbours, and false fits.

Two halves of a cut are laid on each other by the middle and the direction of the line between their ends. They are
right where they are of one cut; else a false fit, where their profiles are alike within the clearance of the game and
the pieces that they bring along do not overlap. Which of two that are near is right plays no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.geometry.planar.drawing import AREA_TOLERANCE
from studio.puzzles.jigsaw.fits.false_fits import frames, profiles
from studio.puzzles.jigsaw.fits.likeness import Likeness
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.play.game import Cluster, Game, Part, Places, Pose, Table

MOST_TURNED = 15.0
"""In degrees: edges that are turned by more against each other do not snap."""
COARSE = 0.25
"""In mm: of two edges that are as near but for this the right one snaps, else chance would decide."""
SLACK = 0.1
"""In mm: what pieces may overlap by besides twice the clearance, where they are held by one edge alone."""
OVERLAP = 0.2
"""In mm²: two pieces that overlap by less still fit."""
CONTACT = 0.3
"""In mm, besides twice the clearance: how near edges of joined pieces are that touch."""
AT_ONCE = 2**20
"""Pairs of halves that are looked at at once."""


@dataclass(frozen=True, eq=False)
class Halves:
    """The halves of the cuts between two pieces, two by two: half i belongs to the same cut as half i ^ 1.

    `pieces` (h,), `middles` (h, 2) and the `turns` (h,) in degrees of the line between its ends, on the board. `ups`
    (h,) say which are above that line, where the knobs are. `rows` (h,) are the cuts among the inner edges, -1 for
    those round a figure, which nothing else fits.
    """

    pieces: Ints
    middles: Floats
    turns: Floats
    ups: NDArray[np.bool_]
    rows: Ints
    shapes: JigsawShapes
    clearance: float
    known: dict[tuple[int, int, bool], bool] = field(default_factory=dict)
    """Which pairs of inner edges are alike, one turned by 180° or not, as far as that was asked."""

    @staticmethod
    def of(shapes: JigsawShapes, clearance: float) -> Halves:
        """The halves of a board."""
        pieces = shapes.drawing.pieces
        order = np.argsort(pieces.codes, kind="stable")
        codes, owners = pieces.codes[order], pieces.owners[order]
        first = np.flatnonzero((codes[:-1] & 1 == 0) & (codes[1:] == codes[:-1] + 1) & (owners[1:] != owners[:-1]))
        cuts = codes[first] >> 1
        inner = np.sort(shapes.tiling.graph.inner_edges)
        at = np.searchsorted(inner, cuts)
        rows = np.where(np.isin(cuts, inner), at, -1)
        frame = frames(shapes, inner[np.maximum(rows, 0)]) if len(inner) else None
        ends = shapes.drawing.strokes.ends[cuts]
        along, is_turned = ends[:, 1] - ends[:, 0], np.zeros(len(cuts), bool)
        if frame is not None:
            along = np.where(rows[:, None] >= 0, frame.along, along)
            is_turned = frame.is_turned & (rows >= 0)
        turns = np.degrees(np.arctan2(along[:, 1], along[:, 0])) + np.where(is_turned, 180.0, 0.0)
        # The piece that follows a stroke forwards is on the side to which y grows where x grows along it.
        return Halves(
            frozen(owners[np.stack([first, first + 1], 1).ravel()]),
            frozen(np.repeat(ends.mean(axis=1), 2, axis=0)),
            frozen(np.repeat(turns, 2)),
            frozen(np.stack([~is_turned, is_turned], 1).ravel()),
            frozen(np.repeat(rows, 2)),
            shapes,
            clearance,
        )

    def __len__(self) -> int:
        return len(self.pieces)

    @cached_property
    def mates(self) -> Ints:
        """The pieces (h,) on the other side of every half."""
        return frozen(self.pieces.reshape(-1, 2)[:, ::-1].ravel())

    @cached_property
    def plain(self) -> NDArray[np.bool_]:
        """Which halves (h,) are of an inner edge without a knob."""
        inner = np.sort(self.shapes.tiling.graph.inner_edges)
        plain = np.append(self.shapes.plain[inner], False)
        return frozen(plain[self.rows])

    @cached_property
    def _likeness(self) -> Likeness:
        inner = np.sort(self.shapes.tiling.graph.inner_edges)
        return Likeness.of(profiles(self.shapes, inner), self.shapes.plain[inner], self.clearance)

    def is_alike(self, one: int, other: int, *, is_turned: bool) -> bool:
        """Whether the halves of two cuts can be taken for each other."""
        low, high = sorted((int(self.rows[one]), int(self.rows[other])))
        if low < 0:
            return False
        key = low, high, is_turned
        if key not in self.known:
            self.known[key] = self._likeness.are_alike(low, high, is_turned=is_turned)
        return self.known[key]

    @cached_property
    def outlines(self) -> NDArray[np.object_]:
        """The pieces (n,) as polygons, on the board."""
        import shapely

        drawing = self.shapes.drawing
        rings = drawing.rings(drawing.polylines)
        found = []
        at = np.searchsorted(drawing.pieces.ring_owners, np.arange(len(drawing.pieces) + 1)).tolist()
        for begin, end in pairwise(at):
            outer, *holes = (rings[ring] for ring in range(begin, end))
            found.append(shapely.Polygon(outer, holes))
        result: NDArray[np.object_] = shapely.make_valid(np.array(found, object))
        return result

    @property
    def slack(self) -> float:
        """By how much in mm outlines shrink before it is asked whether they overlap."""
        return 2 * self.clearance + SLACK + AREA_TOLERANCE


class Snap(NamedTuple):
    """A half that comes to fit another one, and the pose of its piece then."""

    half: int
    other: int
    pose: Pose
    is_turned: bool
    """Whether one of the cuts is turned by 180° to be alike the other."""

    @property
    def is_right(self) -> bool:
        """Whether both are of one cut."""
        return self.half ^ 1 == self.other

    def back(self, halves: Halves, places: Places) -> Snap:
        """The same, but that the other half comes."""
        pose = _pose(halves, places, self.other, self.half, self.is_turned)
        return Snap(self.other, self.half, pose, self.is_turned)


def landing(game: Game, cluster: Cluster) -> Snap | None:
    """Where a cluster snaps that is where `cluster` has it, whatever the position says; None where nothing is near."""
    table, leader = game.table, cluster.leader
    places = table.places(game).changed((cluster,))
    for one, other, is_turned in _near(table, places, leader):
        is_right = one ^ 1 == other
        if not is_right and not table.halves.is_alike(one, other, is_turned=is_turned):
            continue
        snap = Snap(one, other, _pose(table.halves, places, one, other, is_turned), is_turned)
        if not _overlaps(game, cluster, snap):
            return snap
    return None


def settled(game: Game, leader: int) -> Game:
    """The position after a cluster was moved: it joins what it fits, and so does what is near it then."""
    piece, is_first = leader, True
    while True:
        cluster = game.cluster_of(piece)
        snap = landing(game, cluster)
        if snap is None:
            return game
        halves = game.table.halves
        other = game.cluster_of(int(halves.pieces[snap.other]))
        if not is_first and other.size < cluster.size:
            # What was moved stays where it snapped, and the smaller one comes.
            snap = snap.back(halves, game.table.places(game))
            cluster, other = other, cluster
        moved = cluster.taken(int(halves.pieces[snap.half]), snap.pose)
        joined = Cluster.of((*other.parts, *moved.parts))
        game = game.changed((other.leader, cluster.leader), (joined,), fooled=not snap.is_right)
        is_first = False


def _near(table: Table, places: Places, leader: int) -> Iterator[tuple[int, int, bool]]:
    """Halves of a cluster and others that are near enough to snap, whether one is turned by 180°; the nearest first."""
    halves = table.halves
    owners = places.leaders[halves.pieces]
    # Of joined pieces those in another part are not beside each other, though they may be in each other's place.
    is_open = owners != places.leaders[halves.mates]
    is_open |= (places.poses[halves.pieces] != places.poses[halves.mates]).any(axis=1)
    mine = np.flatnonzero(is_open & (owners == leader))
    if not len(mine):
        return
    spots = places.spots(halves.pieces[mine], halves.middles[mine])
    theirs = np.flatnonzero(is_open & (owners != leader))
    others = places.spots(halves.pieces[theirs], halves.middles[theirs])
    low, high = spots.min(axis=0) - table.reach, spots.max(axis=0) + table.reach
    inside = ((others >= low) & (others <= high)).all(axis=1)
    theirs, others = theirs[inside], others[inside]
    found: list[tuple[float, bool, int, int, bool]] = []
    step = max(AT_ONCE // max(len(theirs), 1), 1)
    for begin in range(0, len(mine), step):
        gaps = np.hypot(*np.moveaxis(spots[begin : begin + step, None] - others, 2, 0))
        at, to = np.nonzero(gaps <= table.reach)
        found += _facing(halves, places, mine[begin + at], theirs[to], gaps[at, to])
    for _gap, _is_false, one, other, is_turned in sorted(found):
        yield one, other, is_turned


def _facing(
    halves: Halves, places: Places, mine: Ints, theirs: Ints, gaps: Floats
) -> list[tuple[float, bool, int, int, bool]]:
    """Those of some pairs of halves that face each other: how near, in steps, whether false, the pair, and the way."""
    ways = [places.poses[halves.pieces[each], 0] + halves.turns[each] for each in (mine, theirs)]
    off = (ways[0] - ways[1] + 180.0) % 360.0 - 180.0
    is_opposite = halves.ups[mine] != halves.ups[theirs]
    is_even = halves.plain[mine] | halves.plain[theirs]
    straight = is_opposite & (np.abs(off) <= MOST_TURNED)
    turned = ~is_opposite & is_even & (np.abs(off) >= 180.0 - MOST_TURNED)
    # A right neighbour is right whichever way its own edge is seen.
    steps = np.floor(gaps / COARSE)
    found = []
    for which, is_turned in ((straight, False), (turned, True)):
        some = np.flatnonzero(which)
        is_false = mine[some] ^ 1 != theirs[some]
        columns = (steps[some], is_false, mine[some], theirs[some])
        found += [(*row, is_turned) for row in zip(*(each.tolist() for each in columns), strict=True)]
    return found


def _pose(halves: Halves, places: Places, one: int, other: int, is_turned: bool) -> Pose:
    """The pose with which the piece of one half fits the other half."""
    there = Pose(*places.poses[halves.pieces[other]].tolist())
    if one ^ 1 == other:
        return there
    turn = there.turn + float(halves.turns[other] - halves.turns[one]) + (180.0 if is_turned else 0.0)
    x, y = there.of(*halves.middles[other].tolist())
    across, down = Pose(turn, 0.0, 0.0).of(*halves.middles[one].tolist())
    return Pose(turn % 360.0, x - across, y - down)


def _overlaps(game: Game, cluster: Cluster, snap: Snap) -> bool:
    """Whether pieces of a cluster that has snapped would overlap others of the cluster that it snaps to."""
    import shapely

    halves = game.table.halves
    moved = cluster.taken(int(halves.pieces[snap.half]), snap.pose)
    other = game.cluster_of(int(halves.pieces[snap.other]))
    if len(Cluster.of((*moved.parts, *other.parts)).parts) == 1:
        return False
    here, there = (_laid(halves, each.parts) for each in (moved, other))
    here = shapely.buffer(here, -halves.slack, join_style="mitre")
    tree = shapely.STRtree(there)
    one, two = tree.query(here, predicate="intersects")
    return bool((shapely.area(shapely.intersection(here[one], there[two])) > OVERLAP).any())


def _laid(halves: Halves, parts: Sequence[Part]) -> NDArray[np.object_]:
    """The outlines of the pieces of parts, where they are."""
    import shapely

    found = []
    for members, pose in parts:
        across, down = (np.array(Pose(pose.turn, 0.0, 0.0).of(*axis)) for axis in ((1.0, 0.0), (0.0, 1.0)))
        matrix, shift = np.stack([across, down]), np.array([pose.x, pose.y])
        found.append(
            shapely.transform(halves.outlines[list(members)], lambda points, m=matrix, s=shift: points @ m + s)
        )
    return np.concatenate(found)


# Clusters that have come together


def components(game: Game, cluster: Cluster, pieces: Sequence[int]) -> list[list[int]]:
    """Some pieces of a cluster in groups that hold together."""
    return _grouped(pieces, _touching(game, cluster, only_right=False))


def misplaced(game: Game, cluster: Cluster) -> list[int]:
    """The pieces of a cluster that are not where they belong beside most of the others."""
    if len(cluster.parts) == 1:
        return []
    pairs = [*_touching(game, cluster, only_right=True)]
    pairs += [(part.members[0], piece) for part in cluster.parts for piece in part.members[1:]]
    groups = _grouped(cluster.members, pairs)
    right = max(groups, key=len)
    return sorted(piece for group in groups if group is not right for piece in group)


def _touching(game: Game, cluster: Cluster, *, only_right: bool) -> list[tuple[int, int]]:
    """The pairs of pieces of a cluster that touch along a cut, as it is or by a false fit."""
    halves, places = game.table.halves, game.table.places(game)
    mine = np.flatnonzero(places.leaders[halves.pieces] == cluster.leader)
    spots = places.spots(halves.pieces[mine], halves.middles[mine])
    reach = 2 * halves.clearance + CONTACT
    # Sorted by one coordinate, what is near is among the next few.
    order = np.argsort(spots[:, 0], kind="stable")
    mine, spots = mine[order], spots[order]
    ends = np.searchsorted(spots[:, 0], spots[:, 0] + reach, side="right")
    pairs = []
    for at, end in enumerate(ends.tolist()):
        for to in range(at + 1, end):
            one, other = int(mine[at]), int(mine[to])
            is_right = one ^ 1 == other
            if (only_right and not is_right) or abs(spots[at, 1] - spots[to, 1]) > reach:
                continue
            if halves.pieces[one] != halves.pieces[other]:
                pairs.append((int(halves.pieces[one]), int(halves.pieces[other])))
    return pairs


def _grouped(pieces: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Pieces in groups, those of a pair together."""
    beside: dict[int, list[int]] = {piece: [] for piece in pieces}
    for one, other in pairs:
        if one in beside and other in beside:
            beside[one].append(other)
            beside[other].append(one)
    groups, seen = [], set[int]()
    for piece in pieces:
        if piece in seen:
            continue
        group, waiting = [], [piece]
        seen.add(piece)
        while waiting:
            group.append(here := waiting.pop())
            fresh = [each for each in beside[here] if each not in seen]
            seen.update(fresh)
            waiting += fresh
        groups.append(sorted(group))
    return groups
