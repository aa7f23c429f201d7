"""Positions of a jigsaw game, and its options: how pieces are scattered and turned.

half: one of the two sides of a cut between two pieces, the side of one of them. part: joined pieces that are right
beside each other, as they are on the board. cluster: all pieces that are joined, of several parts where one of them
is a false fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import Validated, choice, declaration, number, parsed, seed
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, frozen

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.play.snapping import Halves


# What a game of a jigsaw is played for

UPRIGHT, QUARTERS, FREE = "none", "quarters", "any"
TURNS = {UPRIGHT: tr("No rotation"), QUARTERS: tr("Quarter turns"), FREE: tr("Any angle")}
LARGEST_CLEARANCE = 2.0
"""In mm."""
LONGEST_SHOWN = 40
"""Letters of a refused target that a sentence repeats."""


@dataclass(frozen=True)
class Terms(Validated):
    """What can be chosen for a game."""

    rotation: str = choice(UPRIGHT, TURNS, title="Rotation", help="How pieces are turned when they are scattered.")
    seed: int = seed(1, help="Random seed of the scatter. The same seed always scatters the pieces the same way.")
    clearance: float = number(0.15, title="Clearance", minimum=0.0, maximum=LARGEST_CLEARANCE, step=0.05, unit="mm",
        help="Edges that differ by no more than this are false fits: they snap, too.")  # fmt: skip

    @property
    def target(self) -> tuple[str, ...]:
        """These terms as the target of a game: those that differ from the default."""
        names = [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        return tuple(f"{name}={getattr(self, name)}" for name in names)


def target_of(texts: Sequence[str]) -> tuple[str, ...]:
    """The target that texts name, as it is kept with a game; raises StudioError for texts that name none."""
    return terms_of(texts).target


def terms_of(target: Sequence[str]) -> Terms:
    """The terms that a target names; raises StudioError for texts that name none."""
    values = {}
    for text in target:
        name, is_named, value = text.partition("=")
        if not is_named or name in values:
            raise StudioError(tr("A setting of a game looks like seed=3, not {text!r}.", text=text[:LONGEST_SHOWN]))
        known = declaration(Terms, name[:LONGEST_SHOWN])
        values[known.name] = parsed(known, value)
    return Terms(**values)


ROW = 64
"""Clusters that are kept together: a move makes the rows that it touches again, and shares the others."""
SAME = 1e-6
"""Degrees and mm within which two poses are the same."""


class Pose(NamedTuple):
    """Where a piece or part is: turned clockwise about the board's origin by degrees, then moved by mm."""

    turn: float
    x: float
    y: float

    def of(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the board comes to be."""
        cosine, sine = rotation(self.turn)
        return cosine * x - sine * y + self.x, sine * x + cosine * y + self.y

    def after(self, first: Pose) -> Pose:
        """This pose of what already has another one."""
        return Pose((self.turn + first.turn) % 360.0, *self.of(first.x, first.y))

    @property
    def inverse(self) -> Pose:
        """What takes it back."""
        cosine, sine = rotation(-self.turn)
        return Pose(-self.turn % 360.0, -cosine * self.x + sine * self.y, -sine * self.x - cosine * self.y)

    def is_near(self, other: Pose, within: float = 0.1) -> bool:
        """Whether both are one pose within some mm and degrees."""
        gap = abs(bent(self.turn - other.turn))
        return max(gap, abs(self.x - other.x), abs(self.y - other.y)) < within


def rotation(turn: float) -> tuple[float, float]:
    """Cosine and sine of an angle in degrees, exact for quarter turns."""
    quarters, rest = divmod(turn % 360.0, 90.0)
    if rest == 0.0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarters) % 4]
    return math.cos(math.radians(turn)), math.sin(math.radians(turn))


def bent(turn: float) -> float:
    """An angle in degrees from -180 up to 180."""
    return (turn + 180.0) % 360.0 - 180.0


def placed(turn: float, middle: tuple[float, float], x: float, y: float) -> Pose:
    """The pose of what is turned, its middle at a place of the table."""
    across, down = Pose(turn, 0.0, 0.0).of(*middle)
    return Pose(turn % 360.0, x - across, y - down)


class Part(NamedTuple):
    """Pieces by their numbers, ascending, and their common pose."""

    members: tuple[int, ...]
    pose: Pose


@dataclass(frozen=True)
class Cluster:
    """Joined pieces, in parts of different poses, the part with the first piece first."""

    parts: tuple[Part, ...]

    @staticmethod
    def of(parts: Iterable[Part]) -> Cluster:
        """A cluster of parts, those of the same pose made one."""
        merged: list[Part] = []
        for part in parts:
            at = next((at for at, other in enumerate(merged) if other.pose.is_near(part.pose, SAME)), None)
            if at is None:
                merged.append(part)
            else:
                merged[at] = Part(tuple(sorted(merged[at].members + part.members)), merged[at].pose)
        return Cluster(tuple(sorted(merged)))

    @property
    def leader(self) -> int:
        """Its first piece, by which it is known."""
        return self.parts[0].members[0]

    @property
    def members(self) -> tuple[int, ...]:
        """All of its pieces."""
        if len(self.parts) == 1:
            return self.parts[0].members
        return tuple(sorted(piece for part in self.parts for piece in part.members))

    @property
    def size(self) -> int:
        """The number of its pieces."""
        return sum(len(part.members) for part in self.parts)

    def pose_of(self, piece: int) -> Pose:
        """Where one of its pieces is."""
        return next(part.pose for part in self.parts if piece in part.members)

    def moved(self, motion: Pose) -> Cluster:
        """The cluster moved as a whole."""
        return Cluster(tuple(Part(part.members, motion.after(part.pose)) for part in self.parts))

    def taken(self, piece: int, pose: Pose) -> Cluster:
        """The cluster moved so that one of its pieces has a pose."""
        before = self.pose_of(piece)
        motion = pose.after(before.inverse)
        return Cluster(
            tuple(Part(part.members, pose if part.pose == before else motion.after(part.pose)) for part in self.parts)
        )


@dataclass(frozen=True, eq=False)
class Table:
    """What stays the same in a game: the terms, the pieces' names, middles (n, 2) and halves, and the table's box.

    A piece that has the pose 0, 0, 0 is where it is on the board, which is in the middle of the table. `reach` is how
    near in mm edges must be to snap.
    """

    terms: Terms
    names: tuple[str, ...]
    middles: Floats
    halves: Halves
    box: tuple[float, float, float, float]
    """Left, top, width and height in mm."""
    reach: float

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The pieces by their names."""
        return {name: piece for piece, name in enumerate(self.names)}

    @cached_property
    def _latest(self) -> list[tuple[Game, Places]]:
        return []

    def places(self, game: Game) -> Places:
        """The poses and clusters of all pieces; those of the last position are remembered."""
        known = self._latest[0] if self._latest else None
        if known is None or known[0] is not game:
            found = Places.of(len(self.names), game.clusters)
            self.remember(game, found)
            return found
        return known[1]

    def remember(self, game: Game, places: Places) -> None:
        """Keep what is known of a position, as the next move is likely to start from it."""
        self._latest[:] = [(game, places)]

    def middle(self, piece: int) -> tuple[float, float]:
        """The middle of a piece on the board."""
        x, y = self.middles[piece].tolist()
        return x, y


class Places(NamedTuple):
    """The poses (n, 3) of all pieces, and the leader (n,) of the cluster of each."""

    poses: Floats
    leaders: Ints

    @staticmethod
    def of(count: int, clusters: Iterable[Cluster]) -> Places:
        """Those of the pieces of all clusters."""
        return Places(np.zeros((count, 3)), np.zeros(count, np.int64)).changed(clusters)

    def changed(self, clusters: Iterable[Cluster]) -> Places:
        """With other clusters in the place of those that had their pieces."""
        poses, leaders = self.poses.copy(), self.leaders.copy()
        for cluster in clusters:
            for part in cluster.parts:
                members = part.members[0] if len(part.members) == 1 else list(part.members)
                poses[members] = part.pose
                leaders[members] = cluster.leader
        return Places(frozen(poses), frozen(leaders))

    def spots(self, pieces: Ints, points: Floats) -> Floats:
        """Where points (k, 2) of pieces (k,) on the board come to be on the table."""
        turn, x, y = self.poses[pieces].T
        angle = np.radians(turn)
        cosine, sine = np.cos(angle), np.sin(angle)
        across, down = points.T
        return np.stack([cosine * across - sine * down + x, sine * across + cosine * down + y], 1)


Slots = tuple[tuple[Cluster | None, ...], ...]


@dataclass(frozen=True)
class Game:
    """A position: the clusters, each in the slot of its leader, and how many false fits there have been so far."""

    slots: Slots
    count: int
    """The number of clusters."""
    fooled: int
    table: Table = field(compare=False, repr=False)

    @staticmethod
    def of(table: Table, clusters: Iterable[Cluster]) -> Game:
        """A position of clusters that have every piece once."""
        known = {cluster.leader: cluster for cluster in clusters}
        flat = [known.get(piece) for piece in range(len(table.names))]
        rows = tuple(tuple(flat[at : at + ROW]) for at in range(0, len(flat), ROW))
        return Game(rows, len(known), 0, table)

    @property
    def clusters(self) -> Iterator[Cluster]:
        """The clusters in the order of their leaders."""
        return (cluster for row in self.slots for cluster in row if cluster is not None)

    @property
    def singles(self) -> int:
        """The number of pieces that are joined to no other."""
        return sum(cluster.size == 1 for cluster in self.clusters)

    @property
    def is_joined(self) -> bool:
        """Whether all pieces are one cluster."""
        return self.count == 1

    @property
    def largest(self) -> Cluster:
        """The cluster with the most pieces, the first of several."""
        return max(self.clusters, key=lambda cluster: (cluster.size, -cluster.leader))

    def at(self, leader: int) -> Cluster:
        """A cluster by its leader."""
        cluster = self.slots[leader // ROW][leader % ROW]
        assert cluster is not None
        return cluster

    def cluster_of(self, piece: int) -> Cluster:
        """The cluster of a piece."""
        return self.at(int(self.table.places(self).leaders[piece]))

    def changed(self, gone: Iterable[int], come: Iterable[Cluster], fooled: int = 0) -> Game:
        """With clusters in the place of others, known by their leaders, and some more false fits."""
        come = tuple(come)
        fresh: Mapping[int, Cluster | None] = dict.fromkeys(gone) | {cluster.leader: cluster for cluster in come}
        rows = list(self.slots)
        for at in {leader // ROW for leader in fresh}:
            row = list(rows[at])
            for leader, cluster in fresh.items():
                if leader // ROW == at:
                    row[leader % ROW] = cluster
            rows[at] = tuple(row)
        count = self.count + sum((cluster is not None) - self._has(leader) for leader, cluster in fresh.items())
        after = Game(tuple(rows), count, self.fooled + fooled, self.table)
        self.table.remember(after, self.table.places(self).changed(come))
        return after

    def _has(self, leader: int) -> bool:
        return self.slots[leader // ROW][leader % ROW] is not None
