"""Bodies, the common form of a zigzaw's pieces, from resources/bodies/: unions of stickers that tile like the cubes.

limb: the stickers of a piece that belong to one face of one cube, and so have one colour.
A file has a `title`, the `outline` as corners [x, y] (x in divisions of √3/2 sticker edges, y in edges, downwards), and
`limbs`: for each its name, and the face and the cube it belongs to (`L NW` is the upper left neighbour's left face).
It may have `eyes`: the middles [x, y] of the eyes of a figure on its back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import gcd

from studio.base.encode import decode
from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.json_files import read
from studio.base.texts import tr
from studio.puzzles.zigzaw.lattice import STEPS, STICKERS, Point, Sticker

FOLDER = shipped("bodies")
LARGEST_FILE = 2**16
BODIES = {"frog": tr("Frog"), "lizard": tr("Lizard"), "crab": tr("Crab"), "beetle": tr("Beetle")}
"""The bodies in resources/bodies/ and their titles."""


@dataclass(frozen=True)
class Limb:
    """A limb: its name, the face that it shows, of the cube at a step from the piece's own, and its stickers."""

    name: str
    face: str
    step: str
    stickers: tuple[Sticker, ...]


@dataclass(frozen=True)
class Body:
    """The form of a piece: its outline as lattice points, a unit edge from each to the next; and its limbs."""

    title: str
    outline: tuple[Point, ...]
    limbs: tuple[Limb, ...]
    eyes: tuple[tuple[float, float], ...] = ()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of every limb by its name."""
        return {limb.name: number for number, limb in enumerate(self.limbs)}


@dataclass(frozen=True)
class Named:
    """A limb in a file: its name, and the face and the step that it belongs to, `L NW`."""

    name: str
    shows: str


@dataclass(frozen=True)
class Stored:
    """A body as a file has it."""

    title: str
    outline: tuple[tuple[float, float], ...]
    limbs: tuple[Named, ...]
    eyes: tuple[tuple[float, float], ...] = ()


@cache
def body(name: str) -> Body:
    """A body from resources/bodies/; raises StudioError if it does not tile."""
    return body_of(decode(Stored, read(FOLDER / f"{name}.json", LARGEST_FILE), f"{name}.json", object))


def body_of(stored: Stored) -> Body:
    """Build the body with an outline; raise StudioError if it is no union of stickers, does not tile or has no name."""
    outline = _edges(stored.outline)
    inside = {
        (sticker, step): None
        for step, shift in STEPS.items()
        for sticker in STICKERS
        if _is_inside(outline, [(x + shift[0], y + shift[1]) for x, y in sticker.corners])
    }
    # Twice the area in lattice units; a sticker has 2 of them.
    doubled = sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairwise([*outline, outline[0]]))
    if 2 * len(inside) != abs(doubled) // 2:
        words = tr(
            "The body {title} is not made of whole stickers of its own cube and the six neighbours.", title=stored.title
        )
        raise StudioError(words)
    times = Counter(sticker for sticker, _step in inside)
    for sticker in STICKERS:
        if times[sticker] != 1:
            which = f"{sticker.face}{sticker.along}{sticker.aside}"
            words = tr(
                "The body {title} has sticker {sticker} {count} times; it must have each exactly once.",
                title=stored.title,
                sticker=which,
                count=times[sticker],
            )
            raise StudioError(words)
    found: dict[tuple[str, str], list[Sticker]] = {}
    for sticker, step in inside:
        found.setdefault((sticker.face, step), []).append(sticker)
    names = {(limb.shows[:1], limb.shows[2:]): limb.name for limb in stored.limbs}
    if set(names) != set(found) or len(set(names.values())) != len(stored.limbs):
        limbs = ", ".join(f"{face} {step}".strip() for face, step in found)
        words = tr(
            "The body {title} needs a different name for each of its limbs: {limbs}.", title=stored.title, limbs=limbs
        )
        raise StudioError(words)
    parts = tuple(Limb(name, face, step, tuple(found[face, step])) for (face, step), name in names.items())
    return Body(stored.title, outline, parts, stored.eyes)


def _edges(corners: Sequence[tuple[float, float]]) -> tuple[Point, ...]:
    """The lattice points along an outline."""
    points = [(round(x), round(2 * y)) for x, y in corners]
    result: list[Point] = []
    for (x, y), (to_x, to_y) in pairwise([*points, points[0]]):
        dx, dy = to_x - x, to_y - y
        count = abs(dy) // 2 if dx == 0 else gcd(dx, dy)
        if count == 0 or (abs(dx // count), abs(dy // count)) not in ((1, 1), (0, 2)):
            words = tr(
                "The line from {x:g}, {y:g} to {to_x:g}, {to_y:g} does not follow sticker edges.",
                x=x,
                y=y / 2,
                to_x=to_x,
                to_y=to_y / 2,
            )
            raise StudioError(words)
        result += [(x + dx // count * part, y + dy // count * part) for part in range(count)]
    if len(set(result)) != len(result):
        raise StudioError(tr("The outline touches itself."))
    return tuple(result)


def _is_inside(outline: Sequence[Point], corners: Sequence[Point]) -> bool:
    """True if the middle of a sticker, which lies on no edge, is within the outline."""
    x, y = sum(x for x, _ in corners) / 4 + 0.01, sum(y for _, y in corners) / 4
    crossed = False
    for (ax, ay), (bx, by) in pairwise([*outline, outline[0]]):
        if (ax > x) != (bx > x) and y < ay + (by - ay) * (x - ax) / (bx - ax):
            crossed = not crossed
    return crossed
