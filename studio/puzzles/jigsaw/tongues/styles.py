"""Styles of tongues: a style is a single value, and a value added to STYLES is a new style.

handle: a point that the mouse grabs to change a value of a tongue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from studio.base.chance import uniform
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, distinct
from studio.puzzles.jigsaw.tongues.tongues import (
    DEPTH,
    INWARDS,
    NECK,
    NECK_BALANCE,
    PLACE,
    SHAPE,
    SHORTEST,
    SIDE,
    SIZE,
    SLANT,
    STYLE,
    Frames,
    framed,
)

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.tongues.profiles import Profile, Stored


STRETCH = 1.25
"""Most room of a tongue that heeds its neighbours, in lengths of its edge; wider heads would reach its corners."""


class Handle(Enum):
    """Value of a tongue that a handle changes, by its name in an edit."""

    PLACE = "place"
    SIZE = "size"
    SLANT = "slant"
    HEAD = "head"
    NECK = "neck"


@dataclass(frozen=True)
class Hold:
    """A handle: its place, u and v in mm, each of shape (k,), and the change of its value by a pull in mm."""

    at: Callable[[Frames], tuple[Floats, Floats]]
    pulled: Callable[[Frames, float, float], Floats]


@dataclass(frozen=True)
class Style:
    """A style of tongues; `look` describes it in the form.

    `bend` is the share of the bend of an edge's ends that its tongues take. `curve` draws tongues: from their frames
    and the unit directions at their first and second corner, shape (k, 2), it makes the control points of n cubics
    each, shape (k, 3n + 1, 2). `leans` is 1 if a positive slant moves heads along their edges, else -1. `shape` names
    the parts of the outline that can be scaled. `size` multiplies the board's size of tongues. `stretch` is the most
    room of a tongue in lengths of its edge: neighbours may leave a short edge more. `knobs` is the number of knobs on
    an edge, each with the same number of cubics.
    """

    key: str
    title: str
    look: str
    is_smooth: bool
    bend: float
    size_widens_neck: bool
    size_rounds_bends: bool
    heeds_neighbours: bool
    curve: Callable[[Frames, Floats, Floats], Floats]
    handles: Mapping[Handle, Hold]
    leans: int = 1
    shape: frozenset[str] = frozenset({"neck"})
    size: float = 1.0
    stretch: float = 1.0
    knobs: int = 1

    @property
    def parts(self) -> frozenset[str]:
        """Values of a tongue that change its curve, by name in an edit."""
        balances = {f"{part}_balance" for part in self.shape}
        return self.shape | balances | {handle.value for handle in self.handles}


SMALL_HANDLES = (Handle.HEAD, Handle.NECK)
"""Handles shown only if a tongue is large on the screen."""
ON_EDGE = Hold(lambda frames: (frames.middle, np.zeros_like(frames.length)), lambda frames, u, v: u / frames.length)
"""Handle that moves a tongue of any style along its edge."""
KNOB_UNITS = 2.5
"""Height of a classic tongue in units of half its neck's control width."""
HEAD = 0.9
"""Height of the slant handle, as a fraction of a classic tongue's."""
LEAN = 0.75
"""Lean of a classic head at the height of that handle, as a fraction of its slant."""


def _classic(frames: Frames, leaving: Floats, reaching: Floats) -> Floats:
    """Draw three cubics, smoothly joined: up to the neck, around the head, back. Shape (k, 10, 2)."""
    numbers, middle, point = frames.numbers, frames.middle, frames.point
    unit = numbers[:, SIZE] / KNOB_UNITS * frames.room
    lift = numbers[:, DEPTH] * frames.room
    lean = numbers[:, SLANT] * frames.room
    balance = numbers[:, NECK_BALANCE]
    left, right = numbers[:, NECK] * (1 - balance), numbers[:, NECK] * (1 + balance)
    handle = 0.2 * frames.length[:, None]
    first, second = frames.ends[:, 0], frames.ends[:, 1]
    points = [
        first,
        first + leaving * handle,
        point(middle - left * unit + (2.0 - left) * unit + lean, lift - unit),
        point(middle - left * unit, lift + unit),
        point(middle - left * unit - (2.0 - left) * unit - lean, lift + 3 * unit),
        point(middle + right * unit + (2.0 - right) * unit - lean, lift + 3 * unit),
        point(middle + right * unit, lift + unit),
        point(middle + right * unit - (2.0 - right) * unit + lean, lift - unit),
        second - reaching * handle,
        second,
    ]
    return np.stack(points, 1)


def _classic_tip(frames: Frames) -> tuple[Floats, Floats]:
    return frames.middle - LEAN * frames.numbers[:, SLANT] * frames.room, frames.tip


def _classic_neck(frames: Frames) -> tuple[Floats, Floats]:
    unit = frames.numbers[:, SIZE] / KNOB_UNITS * frames.room
    right = frames.numbers[:, NECK] * (1 + frames.numbers[:, NECK_BALANCE])
    return frames.middle + right * unit, frames.numbers[:, DEPTH] * frames.room + unit


def _classic_necked(frames: Frames, u: float, v: float) -> Floats:
    unit = frames.numbers[:, SIZE] / KNOB_UNITS * frames.room
    return np.asarray(u / (unit * (1 + frames.numbers[:, NECK_BALANCE])))


def _beside_head(frames: Frames) -> tuple[Floats, Floats]:
    beside = 2.6 * frames.numbers[:, SIZE] / KNOB_UNITS * frames.room
    return frames.middle + beside - LEAN * frames.numbers[:, SLANT] * frames.room, HEAD * frames.tip


CLASSIC = Style(
    key="classic",
    title=tr("Classic"),
    look=tr("classic: round tongue with a neck"),
    is_smooth=True,
    bend=1.0,
    size_widens_neck=True,
    size_rounds_bends=True,
    heeds_neighbours=False,
    curve=_classic,
    handles={
        Handle.PLACE: ON_EDGE,
        Handle.SIZE: Hold(_classic_tip, lambda frames, u, v: v / frames.room),
        Handle.SLANT: Hold(_beside_head, lambda frames, u, v: -u / (LEAN * frames.room)),
        Handle.NECK: Hold(_classic_neck, _classic_necked),
    },
    leans=-1,
)


def _article(frames: Frames, leaving: Floats, reaching: Floats) -> Floats:
    """Draw two cubics, mirrored about the tip, with the article's handles of 0.8 and 0.4 edges. Shape (k, 7, 2)."""
    tip = frames.point(frames.middle, frames.tip)
    tilt = 2.0 * frames.numbers[:, SLANT]
    swing = (np.cos(tilt)[:, None] * frames.along + np.sin(tilt)[:, None] * frames.across) * frames.length[:, None]
    neck, balance = frames.numbers[:, NECK], frames.numbers[:, NECK_BALANCE]
    left, right = (
        (0.8 + 0.2 * (1.0 - neck * (1 + side * balance)))[:, None] * frames.length[:, None] for side in (-1, 1)
    )
    first, second = frames.ends[:, 0], frames.ends[:, 1]
    points = [
        first,
        first + leaving * left,
        tip - 0.4 * swing,
        tip,
        tip + 0.4 * swing,
        second - reaching * right,
        second,
    ]
    return np.stack(points, 1)


def _on_swing(frames: Frames) -> tuple[Floats, Floats]:
    tilt, arm = 2.0 * frames.numbers[:, SLANT], 0.3 * frames.length
    return frames.middle + arm * np.cos(tilt), frames.tip + arm * np.sin(tilt)


ARTICLE = Style(
    key="article",
    title=tr("Flat-top"),
    look=tr("flat-top: wide, flat tongue"),
    # Its handles are four times as long as classic handles: a larger turn makes tongues cross themselves.
    is_smooth=False,
    bend=0.25,
    # Its neck is as wide as its edge is long.
    size_widens_neck=False,
    size_rounds_bends=True,
    heeds_neighbours=False,
    curve=_article,
    handles={
        Handle.PLACE: ON_EDGE,
        Handle.SIZE: Hold(lambda frames: (frames.middle, frames.tip), lambda frames, u, v: v / frames.room),
        Handle.SLANT: Hold(_on_swing, lambda frames, u, v: v / (0.6 * frames.length)),
    },
)


def _shipped(
    key: str, title: str, look: str, *, locks: bool = True, size: float = 1.0, stretch: float = STRETCH
) -> Style:
    """Make a style whose tongues follow a profile from resources/tongues/."""

    def shipped() -> Profile:
        from studio.puzzles.jigsaw.tongues.profiles import profile

        return profile(key)

    return replace(_profiled(key, title, look, shipped, locks=locks), size=size, stretch=stretch)


def _profiled(key: str, title: str, look: str, profile: Callable[[], Profile], *, locks: bool) -> Style:
    """Make a style whose tongues follow a profile, which is read when the first tongue is drawn."""
    return Style(
        key=key,
        title=title,
        look=look,
        is_smooth=True,
        bend=1.0,
        size_widens_neck=locks,
        size_rounds_bends=locks,
        heeds_neighbours=True,
        curve=lambda frames, leaving, reaching: profile().curve(frames, leaving, reaching),
        handles={
            **_of_parts(profile, locks=locks),
            Handle.PLACE: ON_EDGE,
            Handle.SIZE: Hold(lambda frames: profile().at_tip(frames), lambda frames, u, v: v / frames.room),
            Handle.SLANT: Hold(
                lambda frames: profile().beside_head(frames), lambda frames, u, v: profile().slanted(frames, u)
            ),
        },
        shape=frozenset(SHAPE if locks else ()),
        stretch=STRETCH,
    )


def _of_parts(profile: Callable[[], Profile], *, locks: bool) -> dict[Handle, Hold]:
    """Handles for the parts of a profile; empty without a neck."""
    if not locks:
        return {}
    return {
        Handle.HEAD: Hold(lambda frames: profile().at_cheek(frames), lambda frames, u, v: profile().headed(frames, u)),
        Handle.NECK: Hold(
            lambda frames: profile().beside_neck(frames), lambda frames, u, v: profile().necked(frames, u)
        ),
    }


def _doubled(key: str, title: str, look: str, base: Style, second: float) -> Style:
    """Make a style with a knob of `base` on either half of an edge; the second points to side `second` of the first."""

    def half(frames: Frames, end: int) -> Frames:
        middle = frames.ends.mean(axis=1)
        ends = np.stack([frames.ends[:, 0], middle] if end == 0 else [middle, frames.ends[:, 1]], 1)
        numbers = frames.numbers.copy()
        numbers[:, PLACE] += INWARDS if end == 0 else -INWARDS
        numbers[:, SIDE] *= 1.0 if end == 0 else second
        return framed(ends, numbers, frames.room / 2, 1.0)

    def curve(frames: Frames, leaving: Floats, reaching: Floats) -> Floats:
        first = base.curve(half(frames, 0), leaving, frames.along)
        last = base.curve(half(frames, 1), frames.along, reaching)
        # One gentle line runs between the shoulders, without dips of its own.
        one, other = first[:, -4], last[:, 3]
        middle, way = (one + other + 2 * first[:, -1]) / 4, (other - one) / 6
        first[:, -3:] = np.stack([_reached(one, first[:, -3], middle), middle - way, middle], 1)
        last[:, 1:3] = np.stack([middle + way, _reached(other, last[:, 2], middle)], 1)
        return np.concatenate([first, last[:, 1:]], 1)

    def held(hold: Hold) -> Hold:
        return Hold(lambda frames: hold.at(half(frames, 0)), lambda frames, u, v: hold.pulled(half(frames, 0), u, v))

    handles = {handle: held(hold) for handle, hold in base.handles.items()}
    return replace(base, key=key, title=title, look=look, curve=curve, handles=handles, size=1.1, knobs=2)


def _reached(knots: Floats, handles: Floats, ends: Floats) -> Floats:
    """Handles of knots, all of shape (k, 2), in their directions, as long as a third of the way to `ends`."""
    ways, reach = handles - knots, np.hypot(*(ends - knots).T) / 3
    return np.asarray(knots + ways * (reach / np.maximum(np.hypot(*ways.T), SHORTEST))[:, None])


_RIBBON = _shipped("ribbon", tr("Ribbon cut"), tr("Ribbon cut: full head, dipped shoulders"))
STYLES = (
    _RIBBON,
    _shipped("heirloom", tr("Heirloom"), tr("heirloom: wide head, slim neck, deep shoulders")),
    _shipped("earlet", tr("Earlet"), tr("earlet: tall and slim")),
    _shipped("ball", tr("Ball"), tr("ball: round head, slim neck")),
    CLASSIC,
    _shipped("dovetail", tr("Dovetail"), tr("dovetail: straight flanks, flat top")),
    _shipped("heart", tr("Heart"), tr("heart: two lobes")),
    ARTICLE,
    _shipped("wave", tr("Wave"), tr("wave: gentle hump that does not lock"), locks=False),
    _shipped("star", tr("Star"), tr("star: five points"), size=1.3),
    _shipped("leaf", tr("Leaf"), tr("leaf: bent tip"), size=1.2),
    _shipped("paw", tr("Paw"), tr("paw: four toes"), size=1.18),
    _shipped("ring", tr("Ring"), tr("ring: open, around a ball of the other piece"), size=1.08),
    _shipped("drop", tr("Drop"), tr("drop: round with a tip"), size=1.3),
    _shipped("arrow", tr("Arrow"), tr("arrow: two barbs"), size=1.28),
    _shipped("fish", tr("Fish"), tr("fish: fins at the neck"), size=1.3),
    _shipped("crown", tr("Crown"), tr("crown: three points"), size=1.05),
    _shipped("clover", tr("Clover"), tr("clover: three leaves"), size=1.3),
    _doubled("double", tr("Double"), tr("double: two knobs to one side"), _RIBBON, 1.0),
    _doubled("opposed", tr("Opposed"), tr("opposed: a knob to either side"), _RIBBON, -1.0),
    _shipped("eared", tr("With earlets"), tr("with earlets: a small nub on either side of the head"), stretch=1.0),
)
"""All styles by number; the first is a new board's."""
FIGURAL = ("heart", "star", "leaf", "paw", "ring", "drop", "arrow", "fish", "crown", "clover")
"""Keys of the styles of figural knobs."""
DOUBLE = ("double", "opposed")
"""Keys of the styles of double knobs."""
EARED = ("eared",)
"""Keys of the styles with earlets."""
MIXED = "mixed"
"""Key for a random style of every tongue, by weights."""
OWN = "own"
"""Key of the style of a maker's profile, for designs that have a profile."""
TITLES = {style.key: style.title for style in STYLES} | {OWN: tr("Custom")}
"""Titles of all styles that a tongue can have, by key."""
STYLE_NUMBERS = {key: number for number, key in enumerate(TITLES)}
"""Numbers of styles, by key."""
WEIGHTED = [key for key in TITLES if key == "heart" or key not in {*FIGURAL, *DOUBLE, *EARED}]
"""Keys of styles that are mixed by weight; all others are mixed in by a share of all edges."""
SIZES = np.array([*(style.size for style in STYLES), 1.0])
"""Sizes of styles as multiples of the board's, by number."""
REACHES = np.where(np.array([*(style.knobs for style in STYLES), 1]) == 2, 0.5, np.minimum(SIZES, 1.1))
"""Heights of tongues of each style against usual ones with the same room, by number."""
TWO_KNOBS = 16.0
"""Least length in mm of an edge on which chance puts two knobs."""
UPRIGHT = 0.5
"""Offset and slant of figural knobs, double knobs and earlets, as a fraction of usual tongues'."""
LONG = 0.9
"""Least length of such an edge, as a fraction of a usual piece."""


@lru_cache(maxsize=8)
def styles_with(stored: Stored | None) -> tuple[Style, ...]:
    """Styles by number; a maker's profile, if any, is the last."""
    if stored is None:
        return STYLES
    from studio.puzzles.jigsaw.tongues.profiles import profile_of

    own = profile_of(stored)
    return (*STYLES, _profiled(OWN, TITLES[OWN], tr("custom: drawn or imported"), lambda: own, locks=True))


def of_one_style(styles: Sequence[Style], numbers: Floats) -> Iterator[tuple[Style, Ints]]:
    """Yield each style with the indices of the tongues that have it, given the tongues' style numbers, shape (k,)."""
    if len(numbers) and (numbers == numbers[0]).all():
        yield styles[int(numbers[0])], np.arange(len(numbers))
        return
    for number in distinct(numbers.astype(np.int64)).tolist():
        yield styles[number], np.flatnonzero(numbers == number)


def shaped_parts(keys: Iterable[str]) -> frozenset[str]:
    """Parts of the outline that can be scaled in any of the styles, given by key."""
    return frozenset(part for key in keys for part in (SHAPE if key == OWN else STYLES[STYLE_NUMBERS[key]].shape))


def style_numbers(style: str, weights: Mapping[str, int], seeds: Ints, keys: Ints) -> Floats | float:
    """Numbers of the styles of tongues before edits: the same for all, or by chance for each, shape (k,).

    A tongue gets the style whose turn comes first, and more weight makes turns come sooner: a changed weight gives its
    style to more tongues or fewer, and all other tongues stay.
    """
    if style != MIXED:
        return STYLE_NUMBERS[style]
    turns = np.full((len(STYLE_NUMBERS), len(keys)), np.inf)
    for key, weight in weights.items():
        if weight:
            turns[STYLE_NUMBERS[key]] = -np.log1p(-uniform(seeds, keys, f"style {key}")) / weight
    return np.asarray(turns.argmin(axis=0), float)


def add_special(
    table: Floats, shares: tuple[float, float, float], seeds: Ints, keys: Ints, lengths: Floats, piece: Floats
) -> None:
    """Give tongues in their table, shape (k, 17), earlets, double knobs and figural knobs, each for its share of edges.

    Double knobs are for long edges alone: `lengths` of edges, shape (k,), and the size of a usual piece, shape (2,),
    are in mm. A changed share changes only tongues that get or lose such a knob.
    """
    special, anywhere = np.zeros(len(keys), bool), np.ones(len(keys), bool)
    are_long = lengths >= max(TWO_KNOBS, LONG * float(np.sqrt(piece.prod())))
    for name, styles, able, share in (
        ("eared", EARED, anywhere, shares[0]),
        ("double", DOUBLE, are_long, shares[1]),
        ("figural", FIGURAL, anywhere, shares[2]),
    ):
        if share:
            chosen = np.array([STYLE_NUMBERS[key] for key in styles], float)
            which = (uniform(seeds, keys, f"{name} style") * len(styles)).astype(np.int64)
            has_one = (uniform(seeds, keys, name) < share) & able
            table[has_one, STYLE] = chosen[which[has_one]]
            special |= has_one
    table[special, PLACE] *= UPRIGHT
    table[special, SLANT] *= UPRIGHT
