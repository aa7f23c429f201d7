"""Positions of a jigsaw game, and its options: scatter, rotation and clearance.

half: either side of a cut between two pieces, which belongs to the piece there. part: pieces joined correctly, as they
are on the board. cluster: all pieces joined to each other, in several parts if a join is a false fit.
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
    from studio.puzzles.jigsaw.snapping import Halves


# Options of a game

UPRIGHT, QUARTERS, FREE = "none", "quarters", "any"
TURNS = {UPRIGHT: tr("No rotation"), QUARTERS: tr("Quarter turns"), FREE: tr("Any angle")}
LARGEST_CLEARANCE = 2.0
"""Largest clearance in mm."""
LONGEST_SHOWN = 40
"""Most letters of a refused target in an error message."""


@dataclass(frozen=True)
class GameOptions(Validated):
    """Options of a game."""

    rotation: str = choice(UPRIGHT, TURNS, title="Rotation", help="How pieces are turned when they are scattered.")
    seed: int = seed(1, help="Random seed of the scatter. The same seed always scatters the pieces the same way.")
    clearance: float = number(0.15, title="Clearance", minimum=0.0, maximum=LARGEST_CLEARANCE, step=0.05, unit="mm",
        help="Edges that differ by no more than this are false fits: they snap, too.")  # fmt: skip

    @property
    def target(self) -> tuple[str, ...]:
        """Target of a game with these terms: every term that differs from its default."""
        names = [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        return tuple(f"{name}={getattr(self, name)}" for name in names)


def target_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Normalise a target as it is stored with a game. Raise StudioError for invalid texts."""
    return terms_of(texts).target


def terms_of(target: Sequence[str]) -> GameOptions:
    """Parse the terms of a target. Raise StudioError for invalid texts."""
    values = {}
    for text in target:
        name, is_named, value = text.partition("=")
        if not is_named or name in values:
            raise StudioError(tr("A setting of a game looks like seed=3, not {text!r}.", text=text[:LONGEST_SHOWN]))
        known = declaration(GameOptions, name[:LONGEST_SHOWN])
        values[known.name] = parsed(known, value)
    return GameOptions(**values)


ROW = 64
"""Clusters in a row: a move copies the rows that it touches, and shares all others."""
SAME = 1e-6
"""Difference in degrees and mm below which two poses are the same."""


class PiecePose(NamedTuple):
    """Pose of a piece or part: turned clockwise about the board's origin by degrees, then moved by mm."""

    turn: float
    x: float
    y: float

    def of(self, x: float, y: float) -> tuple[float, float]:
        """Apply the pose to a point of the board."""
        cosine, sine = rotation(self.turn)
        return cosine * x - sine * y + self.x, sine * x + cosine * y + self.y

    def after(self, first: PiecePose) -> PiecePose:
        """Compose this pose with a pose applied before it."""
        return PiecePose((self.turn + first.turn) % 360.0, *self.of(first.x, first.y))

    @property
    def inverse(self) -> PiecePose:
        """Pose that undoes this pose."""
        cosine, sine = rotation(-self.turn)
        return PiecePose(-self.turn % 360.0, -cosine * self.x + sine * self.y, -sine * self.x - cosine * self.y)

    def is_near(self, other: PiecePose, within: float = 0.1) -> bool:
        """True if both poses agree within some mm and degrees."""
        gap = abs(bent(self.turn - other.turn))
        return max(gap, abs(self.x - other.x), abs(self.y - other.y)) < within


def rotation(turn: float) -> tuple[float, float]:
    """Cosine and sine of an angle in degrees, exact for quarter turns."""
    quarters, rest = divmod(turn % 360.0, 90.0)
    if rest == 0.0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarters) % 4]
    return math.cos(math.radians(turn)), math.sin(math.radians(turn))


def bent(turn: float) -> float:
    """Normalise an angle in degrees to -180 up to 180."""
    return (turn + 180.0) % 360.0 - 180.0


def placed(turn: float, middle: tuple[float, float], x: float, y: float) -> PiecePose:
    """Pose with a rotation that moves a middle on the board to a place on the table."""
    across, down = PiecePose(turn, 0.0, 0.0).of(*middle)
    return PiecePose(turn % 360.0, x - across, y - down)


class Part(NamedTuple):
    """Pieces by number, ascending, and their common pose."""

    members: tuple[int, ...]
    pose: PiecePose


@dataclass(frozen=True)
class Cluster:
    """Joined pieces, in parts of different poses; the part with the first piece comes first."""

    parts: tuple[Part, ...]

    @staticmethod
    def from_parts(parts: Iterable[Part]) -> Cluster:
        """Make a cluster of parts, merging parts of the same pose."""
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
        """First piece, which identifies the cluster."""
        return self.parts[0].members[0]

    @property
    def members(self) -> tuple[int, ...]:
        """All pieces."""
        if len(self.parts) == 1:
            return self.parts[0].members
        return tuple(sorted(piece for part in self.parts for piece in part.members))

    @property
    def size(self) -> int:
        """Number of pieces."""
        return sum(len(part.members) for part in self.parts)

    def pose_of(self, piece: int) -> PiecePose:
        """Pose of a piece in the cluster."""
        return next(part.pose for part in self.parts if piece in part.members)

    def moved(self, motion: PiecePose) -> Cluster:
        """Move the cluster as a whole."""
        return Cluster(tuple(Part(part.members, motion.after(part.pose)) for part in self.parts))

    def taken(self, piece: int, pose: PiecePose) -> Cluster:
        """Move the cluster so that a piece of it gets a pose."""
        before = self.pose_of(piece)
        motion = pose.after(before.inverse)
        return Cluster(
            tuple(Part(part.members, pose if part.pose == before else motion.after(part.pose)) for part in self.parts)
        )


@dataclass(frozen=True, eq=False)
class Table:
    """Constants of a game: terms, the pieces' names, middles, shape (n, 2), and halves, and the table's box.

    A piece of pose 0, 0, 0 is in its place on the board, which is in the middle of the table. `reach` is the distance
    in mm within which edges snap.
    """

    terms: GameOptions
    names: tuple[str, ...]
    middles: Floats
    halves: Halves
    box: tuple[float, float, float, float]
    """Left, top, width and height in mm."""
    reach: float

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Pieces by name."""
        return {name: piece for piece, name in enumerate(self.names)}

    @cached_property
    def _latest(self) -> list[tuple[Game, Places]]:
        return []

    def places(self, game: Game) -> Places:
        """Poses and clusters of all pieces, cached for the last position."""
        known = self._latest[0] if self._latest else None
        if known is None or known[0] is not game:
            found = Places.from_clusters(len(self.names), game.clusters)
            self.remember(game, found)
            return found
        return known[1]

    def remember(self, game: Game, places: Places) -> None:
        """Cache the places of a position, because the next move probably starts from it."""
        self._latest[:] = [(game, places)]

    def middle(self, piece: int) -> tuple[float, float]:
        """Middle of a piece on the board."""
        x, y = self.middles[piece].tolist()
        return x, y


class Places(NamedTuple):
    """Poses of all pieces, shape (n, 3), and the leaders of their clusters, shape (n,)."""

    poses: Floats
    leaders: Ints

    @staticmethod
    def from_clusters(count: int, clusters: Iterable[Cluster]) -> Places:
        """Collect the places of all clusters' pieces."""
        return Places(np.zeros((count, 3)), np.zeros(count, np.int64)).changed(clusters)

    def changed(self, clusters: Iterable[Cluster]) -> Places:
        """Replace clusters by new clusters of the same pieces."""
        poses, leaders = self.poses.copy(), self.leaders.copy()
        for cluster in clusters:
            for part in cluster.parts:
                members = part.members[0] if len(part.members) == 1 else list(part.members)
                poses[members] = part.pose
                leaders[members] = cluster.leader
        return Places(frozen(poses), frozen(leaders))

    def spots(self, pieces: Ints, points: Floats) -> Floats:
        """Map points of pieces, shapes (k, 2) and (k,), from the board to the table."""
        turn, x, y = self.poses[pieces].T
        angle = np.radians(turn)
        cosine, sine = np.cos(angle), np.sin(angle)
        across, down = points.T
        return np.stack([cosine * across - sine * down + x, sine * across + cosine * down + y], 1)


Slots = tuple[tuple[Cluster | None, ...], ...]


@dataclass(frozen=True)
class Game:
    """A position: the clusters, each in the slot of its leader, and the number of false fits so far."""

    slots: Slots
    count: int
    """Number of clusters."""
    fooled: int
    table: Table = field(compare=False, repr=False)

    @staticmethod
    def from_table(table: Table, clusters: Iterable[Cluster]) -> Game:
        """Make a position of clusters that hold every piece once."""
        known = {cluster.leader: cluster for cluster in clusters}
        flat = [known.get(piece) for piece in range(len(table.names))]
        rows = tuple(tuple(flat[at : at + ROW]) for at in range(0, len(flat), ROW))
        return Game(rows, len(known), 0, table)

    @property
    def clusters(self) -> Iterator[Cluster]:
        """Clusters in the order of their leaders."""
        return (cluster for row in self.slots for cluster in row if cluster is not None)

    @property
    def singles(self) -> int:
        """Number of loose pieces."""
        return sum(cluster.size == 1 for cluster in self.clusters)

    @property
    def is_joined(self) -> bool:
        """True if all pieces form a single cluster."""
        return self.count == 1

    @property
    def largest(self) -> Cluster:
        """Cluster with the most pieces; the first of equals."""
        return max(self.clusters, key=lambda cluster: (cluster.size, -cluster.leader))

    def at(self, leader: int) -> Cluster:
        """Cluster with a leader."""
        cluster = self.slots[leader // ROW][leader % ROW]
        assert cluster is not None
        return cluster

    def cluster_of(self, piece: int) -> Cluster:
        """Cluster of a piece."""
        return self.at(int(self.table.places(self).leaders[piece]))

    def changed(self, gone: Iterable[int], come: Iterable[Cluster], fooled: int = 0) -> Game:
        """Replace clusters, given by their leaders, by new clusters, and count more false fits."""
        come = tuple(come)
        fresh: Mapping[int, Cluster | None] = dict.fromkeys(gone) | {cluster.leader: cluster for cluster in come}
        rows = list(self.slots)
        for at in {leader // ROW for leader in fresh}:
            row = list(rows[at])
            for leader, cluster in fresh.items():
                if leader // ROW == at:
                    row[leader % ROW] = cluster
            rows[at] = tuple(row)
        count = self.count + sum(
            (cluster is not None) - (self.slots[leader // ROW][leader % ROW] is not None)
            for leader, cluster in fresh.items()
        )
        after = Game(tuple(rows), count, self.fooled + fooled, self.table)
        self.table.remember(after, self.table.places(self).changed(come))
        return after
