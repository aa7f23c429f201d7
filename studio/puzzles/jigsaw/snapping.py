"""Snapping of pieces in a game: right neighbours, and false fits.

Two halves of cuts are laid on each other by the middle and the direction of the line between their ends. They are right
if they belong to the same cut; otherwise a false fit, if their profiles are alike within the game's clearance and the
pieces that they bring along do not overlap. A right half is not preferred to a clearly nearer false fit.
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
from studio.puzzles.jigsaw.game_positions import Cluster, Game, Part, PiecePose, Places, Table
from studio.puzzles.jigsaw.model.geometry import JigsawShapes

MOST_TURNED = 15.0
"""Angle in degrees between two edges above which they do not snap."""
COARSE = 0.25
"""Difference of distances in mm below which the right edge snaps first, not the slightly nearer one."""
SLACK = 0.1
"""Overlap in mm allowed in addition to twice the clearance, because pieces may be held by a single edge."""
OVERLAP = 0.2
"""Overlap in mm² below which two pieces still fit."""
CONTACT = 0.3
"""Distance in mm, in addition to twice the clearance, within which edges of joined pieces touch."""
AT_ONCE = 2**20
"""Pairs of halves compared at once."""


@dataclass(frozen=True, eq=False)
class Halves:
    """Halves of the cuts between two pieces, two by two: half i belongs to the same cut as half i ^ 1.

    `middles`, shape (h, 2), and `turns` in degrees belong to the line between a cut's ends, on the board. `ups` marks
    halves above that line, where the knobs are. `rows` holds the indices of cuts among the inner edges, -1 for cuts
    around a figure, which have no false fits. Shape (h,) if not given.
    """

    pieces: Ints
    middles: Floats
    turns: Floats
    ups: NDArray[np.bool_]
    rows: Ints
    shapes: JigsawShapes
    clearance: float
    known: dict[tuple[int, int, bool], bool] = field(default_factory=dict)
    """Cache: True if two inner edges are alike, the second turned by 180° or not."""

    @staticmethod
    def from_shapes(shapes: JigsawShapes, clearance: float) -> Halves:
        """Collect the halves of a board."""
        pieces = shapes.drawing.pieces
        order = np.argsort(pieces.codes, kind="stable")
        codes, owners = pieces.codes[order], pieces.owners[order]
        first = np.flatnonzero((codes[:-1] & 1 == 0) & (codes[1:] == codes[:-1] + 1) & (owners[1:] != owners[:-1]))
        cuts = codes[first] >> 1
        inner = np.sort(shapes.tiling.inner_edges)
        at = np.searchsorted(inner, cuts)
        rows = np.where(np.isin(cuts, inner), at, -1)
        frame = frames(shapes, inner[np.maximum(rows, 0)]) if len(inner) else None
        ends = shapes.drawing.strokes.ends[cuts]
        along, is_turned = ends[:, 1] - ends[:, 0], np.zeros(len(cuts), bool)
        if frame is not None:
            along = np.where(rows[:, None] >= 0, frame.along, along)
            is_turned = frame.is_turned & (rows >= 0)
        turns = np.degrees(np.arctan2(along[:, 1], along[:, 0])) + np.where(is_turned, 180.0, 0.0)
        # The piece that follows a stroke forwards is on the side of growing y if x grows along the stroke.
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
        """Pieces on the other side of every half, shape (h,)."""
        return frozen(self.pieces.reshape(-1, 2)[:, ::-1].ravel())

    @cached_property
    def plain(self) -> NDArray[np.bool_]:
        """Mask of the halves of inner edges without a knob, shape (h,)."""
        inner = np.sort(self.shapes.tiling.inner_edges)
        plain = np.append(self.shapes.plain[inner], False)
        return frozen(plain[self.rows])

    @cached_property
    def _likeness(self) -> Likeness:
        inner = np.sort(self.shapes.tiling.inner_edges)
        return Likeness.from_strokes(profiles(self.shapes, inner), self.shapes.plain[inner], self.clearance)

    def is_alike(self, one: int, other: int, *, is_turned: bool) -> bool:
        """True if the halves of two cuts can be mistaken for each other."""
        low, high = sorted((int(self.rows[one]), int(self.rows[other])))
        if low < 0:
            return False
        key = low, high, is_turned
        if key not in self.known:
            self.known[key] = self._likeness.are_alike(low, high, is_turned=is_turned)
        return self.known[key]

    @cached_property
    def outlines(self) -> NDArray[np.object_]:
        """Pieces as polygons on the board, shape (n,)."""
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
        """Inset in mm of outlines before they are tested for overlap."""
        return 2 * self.clearance + SLACK + AREA_TOLERANCE


class Snap(NamedTuple):
    """A half that snaps to another, and the new pose of its piece."""

    half: int
    other: int
    pose: PiecePose
    is_turned: bool
    """True if a cut must be turned by 180° to be alike the other."""

    @property
    def is_right(self) -> bool:
        """True if both halves belong to the same cut."""
        return self.half ^ 1 == self.other

    def back(self, halves: Halves, places: Places) -> Snap:
        """Reverse the snap: the other half moves."""
        pose = _pose(halves, places, self.other, self.half, self.is_turned)
        return Snap(self.other, self.half, pose, self.is_turned)


def landing(game: Game, cluster: Cluster) -> Snap | None:
    """Find the snap of a cluster at the poses of `cluster`, which may differ from the position's; None if free."""
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
    """Snap a moved cluster to others until nothing more fits nearby."""
    piece, is_first = leader, True
    while True:
        cluster = game.cluster_of(piece)
        snap = landing(game, cluster)
        if snap is None:
            return game
        halves = game.table.halves
        other = game.cluster_of(int(halves.pieces[snap.other]))
        if not is_first and other.size < cluster.size:
            # The moved cluster stays where it snapped, and the smaller cluster comes.
            snap = snap.back(halves, game.table.places(game))
            cluster, other = other, cluster
        moved = cluster.taken(int(halves.pieces[snap.half]), snap.pose)
        joined = Cluster.from_parts((*other.parts, *moved.parts))
        game = game.changed((other.leader, cluster.leader), (joined,), fooled=not snap.is_right)
        is_first = False


def _near(table: Table, places: Places, leader: int) -> Iterator[tuple[int, int, bool]]:
    """Yield a cluster's half, another near enough to snap, and True if it is turned by 180°; nearest pairs first."""
    halves = table.halves
    owners = places.leaders[halves.pieces]
    # Joined pieces in different parts are not right neighbours, although they may be in each other's place.
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
    """Choose the pairs of halves that face each other: distance in steps, is_false, both halves, is_turned."""
    ways = [places.poses[halves.pieces[each], 0] + halves.turns[each] for each in (mine, theirs)]
    off = (ways[0] - ways[1] + 180.0) % 360.0 - 180.0
    is_opposite = halves.ups[mine] != halves.ups[theirs]
    is_even = halves.plain[mine] | halves.plain[theirs]
    straight = is_opposite & (np.abs(off) <= MOST_TURNED)
    turned = ~is_opposite & is_even & (np.abs(off) >= 180.0 - MOST_TURNED)
    # A right neighbour stays right even if its edge is turned.
    steps = np.floor(gaps / COARSE)
    found = []
    for which, is_turned in ((straight, False), (turned, True)):
        some = np.flatnonzero(which)
        is_false = mine[some] ^ 1 != theirs[some]
        columns = (steps[some], is_false, mine[some], theirs[some])
        found += [(*row, is_turned) for row in zip(*(each.tolist() for each in columns), strict=True)]
    return found


def _pose(halves: Halves, places: Places, one: int, other: int, is_turned: bool) -> PiecePose:
    """Pose of the piece of half `one` at which it fits half `other`."""
    there = PiecePose(*places.poses[halves.pieces[other]].tolist())
    if one ^ 1 == other:
        return there
    turn = there.turn + float(halves.turns[other] - halves.turns[one]) + (180.0 if is_turned else 0.0)
    x, y = there.of(*halves.middles[other].tolist())
    across, down = PiecePose(turn, 0.0, 0.0).of(*halves.middles[one].tolist())
    return PiecePose(turn % 360.0, x - across, y - down)


def _overlaps(game: Game, cluster: Cluster, snap: Snap) -> bool:
    """True if pieces of a cluster, once snapped, would overlap pieces of the cluster that it snaps to."""
    import shapely

    halves = game.table.halves
    moved = cluster.taken(int(halves.pieces[snap.half]), snap.pose)
    other = game.cluster_of(int(halves.pieces[snap.other]))
    if len(Cluster.from_parts((*moved.parts, *other.parts)).parts) == 1:
        return False
    here, there = (_laid(halves, each.parts) for each in (moved, other))
    here = shapely.buffer(here, -halves.slack, join_style="mitre")
    tree = shapely.STRtree(there)
    one, two = tree.query(here, predicate="intersects")
    return bool((shapely.area(shapely.intersection(here[one], there[two])) > OVERLAP).any())


def _laid(halves: Halves, parts: Sequence[Part]) -> NDArray[np.object_]:
    """Outlines of the pieces of parts, on the table."""
    import shapely

    found = []
    for members, pose in parts:
        across, down = (np.array(PiecePose(pose.turn, 0.0, 0.0).of(*axis)) for axis in ((1.0, 0.0), (0.0, 1.0)))
        matrix, shift = np.stack([across, down]), np.array([pose.x, pose.y])
        found.append(
            shapely.transform(halves.outlines[list(members)], lambda points, m=matrix, s=shift: points @ m + s)
        )
    return np.concatenate(found)


# Joined clusters


def components(game: Game, cluster: Cluster, pieces: Sequence[int]) -> list[list[int]]:
    """Group some pieces of a cluster by contact."""
    return _grouped(pieces, _touching(game, cluster, only_right=False))


def misplaced(game: Game, cluster: Cluster) -> list[int]:
    """Find the pieces of a cluster that do not belong to its largest correct group."""
    if len(cluster.parts) == 1:
        return []
    pairs = [*_touching(game, cluster, only_right=True)]
    pairs += [(part.members[0], piece) for part in cluster.parts for piece in part.members[1:]]
    groups = _grouped(cluster.members, pairs)
    right = max(groups, key=len)
    return sorted(piece for group in groups if group is not right for piece in group)


def _touching(game: Game, cluster: Cluster, *, only_right: bool) -> list[tuple[int, int]]:
    """Find pairs of pieces of a cluster that touch along a cut, right or by a false fit."""
    halves, places = game.table.halves, game.table.places(game)
    mine = np.flatnonzero(places.leaders[halves.pieces] == cluster.leader)
    spots = places.spots(halves.pieces[mine], halves.middles[mine])
    reach = 2 * halves.clearance + CONTACT
    # Sorted by a coordinate, near spots are among the next few.
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
    """Group pieces so that both pieces of a pair are together."""
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
