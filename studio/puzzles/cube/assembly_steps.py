"""The steps of assembling a cube: the poses that bring its pieces into place, for every way to put them together.

way: the place of every piece, up to turning and mirroring the whole box. pose: a rotation and a shift that bring a
piece there from its own place in the box. step: a piece goes straight in, along one axis, past all present pieces.

Flat pieces flip, so a way may need some with their outside in. The chosen image of a way has the fewest such pieces,
and then the most pieces at their own places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import permutations, product

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints, frozen
from studio.puzzles.cube.shell import ASSEMBLY, FACES, LETTERS, NOBODY, CubeShell, Mask, Owners
from studio.puzzles.cube.solve import Spots, found_ways, kind_of, turns_of
from studio.solving.assembly import Count

MOST_WAYS = 1000
"""Ways that are listed; a cube with more is no riddle."""
OFF = 6
"""The side of a piece that is on no face."""
_FROM = (
    tr("from the left"),
    tr("from the right"),
    tr("from the front"),
    tr("from the back"),
    tr("from below"),
    tr("from above"),
)
OUTWARDS = frozen(np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], np.int64))
"""The direction out of the box at each face."""


@dataclass(frozen=True, eq=False)
class Pose:
    """Motion of a piece from its own place to another: its voxels v, by their middles, go to turn · v + shift."""

    turn: Ints
    shift: Ints

    @property
    def is_still(self) -> bool:
        """True if the piece stays in place."""
        return bool((self.turn == np.eye(3)).all()) and not self.shift.any()


@dataclass(frozen=True, eq=False)
class AssemblyStep:
    """A piece that goes in; `way` (3,) points out of the box, so it comes the other way."""

    piece: int
    way: Ints
    is_home: bool = True
    """True if the piece is on its own face."""

    @property
    def side(self) -> int:
        """The number of the face that the piece comes from."""
        return next(face for face, way in enumerate(OUTWARDS) if (way == self.way).all())

    def instruction(self, number: int) -> str:
        """Instruction for this step; the first step has the number 0."""
        letter = LETTERS[self.piece]
        if number == 0 and self.is_home:
            return tr("Start with {letter}, the {face}.", letter=letter, face=FACES[self.piece])
        if number == 0:
            return tr("Start with {letter}.", letter=letter)
        return tr("Push in {letter} {direction}.", letter=letter, direction=_FROM[self.side])


@dataclass(frozen=True, eq=False)
class Way:
    """One way: the voxels (k, 3) of every piece in place, the poses that bring them there, and the assembly's steps.

    There are fewer steps than pieces if some block each other and cannot go in one at a time.
    """

    places: tuple[Ints, ...]
    poses: tuple[Pose, ...]
    steps: tuple[AssemblyStep, ...]


@dataclass(frozen=True, eq=False)
class Ways:
    """All ways that were found of a box, its own first."""

    shell: CubeShell
    masks: tuple[Mask, ...]
    others: tuple[tuple[Spots, ...], ...]
    count: Count
    even: bool = True

    def __len__(self) -> int:
        return 1 + len(self.others)

    @cached_property
    def _own(self) -> tuple[Ints, ...]:
        return own_places(self.shell, self.masks)

    @cached_property
    def _movers(self) -> tuple[_Mover, ...]:
        both = zip(self._own, self.masks, strict=True)
        return tuple(
            _Mover(self.shell.size, places, mask, face, even=self.even) for face, (places, mask) in enumerate(both)
        )

    def way(self, number: int) -> Way:
        """One of the ways; 0 is the box's own."""
        size, own = self.shell.size, self._own
        if number == 0:
            return own_way(self.shell, self.masks)
        poses = _posed(self._movers, self.others[number - 1], size)
        places = tuple(spots @ pose.turn.T + pose.shift for spots, pose in zip(own, poses, strict=True))
        return Way(places, poses, steps_of(size, places))


def ways_of(box: CubeShell, owners: Owners, progress: Progress, *, most: int = MOST_WAYS, even: bool = True) -> Ways:
    """The ways of a box, up to `most`; raises Cancelled.

    Unless voxels are `even`, these are the ways on the grid, and there may be more.
    """
    masks = box.masks(owners)
    found, count = found_ways(box, masks, progress, most=most, even=even)
    own = [Spots(kind_of(mask, even=even), places) for mask, places in zip(masks, own_places(box, masks), strict=True)]
    images = [_images(one.places, box.size)[0] for one in own]
    known = {
        frozenset((one.kind, codes[image].tobytes()) for one, codes in zip(own, images, strict=True))
        for image in range(len(images[0]))
    }
    others = tuple(
        tuple(one)
        for one in found
        if frozenset((each.kind, _sorted(each.places).tobytes()) for each in one) not in known
    )
    # If the search ended early, it may have missed the box's own way.
    return Ways(box, masks, others[: most - 1], replace(count, complete=count.complete and even), even)


def own_way(box: CubeShell, masks: Sequence[Mask]) -> Way:
    """The way of a box itself, every piece at home."""
    places = own_places(box, masks)
    return Way(places, (_still(),) * len(places), steps_of(box.size, places))


def own_places(box: CubeShell, masks: Sequence[Mask]) -> tuple[Ints, ...]:
    """The voxels (k, 3) of every piece in its own place, in the order of the voxels of its mask."""
    return tuple(box.spots(face, np.argwhere(mask)) for face, mask in enumerate(masks))


def steps_of(size: tuple[int, int, int], places: Sequence[Ints]) -> tuple[AssemblyStep, ...]:
    """The steps of assembling pieces in given places, each a piece that goes straight in.

    They are found backwards: a piece comes out if nothing is before it. Taking one away never blocks another, so all
    that can come out do, in any order. Of several the top goes first, and the bottom last.
    """
    box = np.full(size, NOBODY, np.int64)
    for piece, spots in enumerate(places):
        box[tuple(spots.T)] = piece
    sides = [_side(size, spots) for spots in places]
    ranks = {side: rank for rank, side in enumerate((*reversed(ASSEMBLY), OFF))}
    left = sorted(range(len(places)), key=lambda piece: ranks[sides[piece]])
    out: list[AssemblyStep] = []
    while left:
        found = next((step for piece in left if (step := _way_out(box, piece, sides[piece])) is not None), None)
        if found is None:
            break
        out.append(found)
        left.remove(found.piece)
        box[box == found.piece] = NOBODY
    return tuple(reversed(out))


def _way_out(box: Ints, piece: int, side: int) -> AssemblyStep | None:
    """Return the step that takes a piece out, by its own face if possible; None if every direction is blocked."""
    for face in sorted(range(6), key=lambda each: (each != side, each != 5)):
        lines = np.moveaxis(box if face % 2 == 0 else np.flip(box, face // 2), face // 2, 0)
        own = lines == piece
        behind = np.logical_or.accumulate((lines != NOBODY) & ~own, axis=0)
        if not (own & behind).any():
            return AssemblyStep(piece, OUTWARDS[face], side == piece)
    return None


def _side(size: tuple[int, int, int], spots: Ints) -> int:
    """Face whose layer holds all voxels of a piece, the first of two for a strip along an edge; OFF without one."""
    sides = [
        face for face in range(6)
        if (spots[:, face // 2] == (size[face // 2] - 1) * (face % 2)).all()
    ]  # fmt: skip
    return sides[0] if sides else OFF


# Finding the pose of each piece


_WEIGHTS = np.array([16384, 128, 1])
"""Turn a voxel into one number, in the order of its coordinates; turned pieces may have negative numbers."""


def _still() -> Pose:
    return Pose(np.eye(3, dtype=np.int64), np.zeros(3, np.int64))


def _sorted(places: Ints) -> Ints:
    """The same numbers for the same voxels (…, k, 3), in whatever order they are."""
    return np.sort(places @ _WEIGHTS, axis=-1)


def _images(places: Ints, size: tuple[int, int, int]) -> tuple[Ints, Ints]:
    """Images of voxels under the box's turns and mirrorings: their numbers (g, k), and the lowest corner (g, 3)."""
    moved = _turns_and_shifts(size)
    images = np.einsum("gij,kj->gki", moved[0], places) + moved[1][:, None]
    return _sorted(images), images.min(axis=1)


@cache
def _turns_and_shifts(size: tuple[int, int, int]) -> tuple[Ints, Ints]:
    """The box's turns and mirrorings of its voxels: (g, 3, 3) and (g, 3)."""
    turns = np.rint(np.array(turns_of(size))).astype(np.int64)
    ends = np.array(size) - 1
    return frozen(turns), frozen((ends - turns @ ends) // 2)


@cache
def _rotations() -> tuple[Ints, ...]:
    """The 24 rotations of space, the identity first."""
    found = [
        np.eye(3, dtype=np.int64)[list(order)] * np.array(signs)[:, None]
        for order in permutations(range(3)) for signs in product((1, -1), repeat=3)
    ]  # fmt: skip
    return tuple(frozen(turn) for turn in found if round(float(np.linalg.det(turn))) == 1)


class _Mover:
    """A piece with all its orientations, so that a pose is found by looking it up."""

    def __init__(self, size: tuple[int, int, int], places: Ints, mask: Mask, face: int, *, even: bool) -> None:
        self.size, self.places, self.kind = size, places, kind_of(mask, even=even)
        layer = np.array([(0, 0, 0), size]) - (np.zeros(3, int), np.ones(3, int))
        layer[:, face // 2] = (size[face // 2] - 1) * (face % 2)
        self._layer = None if even else layer
        self.home = _sorted(places).tobytes()
        self._turns: dict[bytes, list[tuple[Ints, int, int]]] = {}
        for turn in sorted(_rotations(), key=lambda one: -int(np.trace(one))):
            turned = places @ turn.T
            way = (turn @ OUTWARDS[face]).tolist()
            axis = next(each for each in range(3) if way[each])
            form = _sorted(turned - turned.min(axis=0)).tobytes()
            self._turns.setdefault(form, []).append((turn, axis, way[axis]))

    def turn(self, form: bytes, low: list[int]) -> tuple[bool, Ints]:
        """Return whether the piece must be inside out with this form and lowest corner, and the least turn there."""
        turns = [each for each in self._turns[form] if self._keeps_rows(each[0], np.array(low))]
        for turn, axis, way in turns:
            # Within the box its outside faces anywhere.
            last = self.size[axis] - 1
            if 0 < low[axis] < last or (low[axis] == 0) == (way < 0):
                return False, turn
        return True, turns[0][0]

    def _keeps_rows(self, turn: Ints, low: Ints) -> bool:
        """True if the outer rows of its face stay outer rows there, or all rows have the same width."""
        if self._layer is None:
            return True
        there = self._layer @ turn.T + self.pose(turn, low).shift
        return bool((there >= 0).all() and (there < self.size).all())

    def pose(self, turn: Ints, low: Ints) -> Pose:
        """The pose of this turn, with its lowest corner at `low`."""
        return Pose(turn, low - (self.places @ turn.T).min(axis=0))


def _posed(movers: Sequence[_Mover], way: Sequence[Spots], size: tuple[int, int, int]) -> tuple[Pose, ...]:
    """The poses in the image of a way with the fewest pieces inside out and then the fewest away from home.

    A piece at home stays there, even if an identical one could take its place.
    """
    images = [_images(one.places, size) for one in way]
    best: tuple[int, int] | None = None
    chosen: list[tuple[Ints, Ints] | None] = []
    for image in range(len(images[0][0])):
        left: dict[bytes, list[tuple[Ints, Ints]]] = {}
        for one, (codes, lows) in zip(way, images, strict=True):
            left.setdefault(one.kind, []).append((codes[image], lows[image]))
        away = [mover for mover in movers if not _stays(mover, left[mover.kind])]
        turned = {id(mover): _taken(mover, left[mover.kind]) for mover in away}
        rank = sum(inside_out for inside_out, _, _ in turned.values()), len(away)
        if best is None or rank < best:
            best = rank
            chosen = [turned[id(mover)][1:] if id(mover) in turned else None for mover in movers]
    return tuple(
        _still() if one is None else mover.pose(*one) for mover, one in zip(movers, chosen, strict=True)
    )  # fmt: skip


def _stays(mover: _Mover, left: list[tuple[Ints, Ints]]) -> bool:
    """Return whether a piece is at home in one of the places left for its kind, and take that place."""
    for number, (codes, _) in enumerate(left):
        if codes.tobytes() == mover.home:
            del left[number]
            return True
    return False


def _taken(mover: _Mover, left: list[tuple[Ints, Ints]]) -> tuple[bool, Ints, Ints]:
    """Take the first place left for a piece: whether it is inside out there, its turn and its lowest corner."""
    codes, low = left.pop(0)
    inside_out, turn = mover.turn((codes - low @ _WEIGHTS).tobytes(), low.tolist())
    return inside_out, turn, low
