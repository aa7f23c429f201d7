"""Whimsies: figures placed on a board to become pieces, the frames around them, and the poses after a pull.

pose: position, height before rotation, and rotation of a figure. A shipped figure is stored by its key, a letter or a
maker's figure by its curves.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import chain, count, pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

from studio.base.parameters import ParameterError, Validated, choice, declaration, flag, integer, number
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, frozen

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.figures.silhouettes import Figure

SIGN = "sign"
"""Name of a character that is neither a letter nor a digit."""
NAME = re.compile(rf"[a-z]{{1,20}}[1-9][0-9]{{0,3}}|([^\W_]|{SIGN})(_[1-9][0-9]{{0,3}})?")
"""Names of figures, `cat1`, and of letters, `A` and `A_2`; other pieces are never named so."""
MOST_POINTS = 20_000
"""Most control points of a maker's figure."""
SMALLEST, LARGEST = 5.0, 5000.0
"""Bounds of the height in mm that a frame gives a figure; a figure that is smaller already may stay so."""
FARTHEST = (-1000.0, 11000.0)
"""Bounds of a position in mm."""
DECIMALS = 1
"""Decimals of pulled heights in mm and rotations in degrees."""
PLACES = 6
"""Decimals of poses that figures get from a common frame."""
SNAP = 15.0
"""Steps in degrees to which a rotation can snap."""
AS_FIT = 8
"""Most tongues of a figure, which stands for as many as fit."""
INSIDE, STICKS_OUT, CUT_OFF = "inside", "sticks-out", "cut-off"
"""Ways of a figure at the border: keep away from it, stick out of the board, be cut off."""
AT_BORDER = {INSIDE: tr("Keep inside"), STICKS_OUT: tr("Stick out"), CUT_OFF: tr("Cut off")}
MOST_LEVEL = 1000
"""Most figures in front of each other."""
_TOUCHES = tr("Lets the figure touch and overlap others; they share a cut there, and the one in front stays whole.")
_BORDER = tr(
    "What happens where the figure reaches the border: it keeps a wall, sticks out of the board, or is cut off there."
)
_BOX = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True)
class Pose(Validated):
    """Position, size and rotation of a figure on the board. Raises ParameterError for values out of bounds."""

    x: float = number(0.0, title="X", minimum=-1000.0, maximum=11000.0, step=1.0, unit="mm",
        help="Distance of the figure's centre from the left edge of the board.")  # fmt: skip
    y: float = number(0.0, title="Y", minimum=-1000.0, maximum=11000.0, step=1.0, unit="mm",
        help="Distance of the figure's centre from the top edge of the board.")  # fmt: skip
    height: float = number(40.0, title="Height", minimum=2.0, maximum=5000.0, step=1.0, unit="mm",
        help="Height of the figure before it is rotated.")  # fmt: skip
    turn: float = number(0.0, title="Rotation", minimum=-360.0, maximum=360.0, step=5.0, unit="°",
        help="Clockwise rotation of the figure.")  # fmt: skip
    is_mirrored: bool = flag(False, title="Mirror", help="Mirrors the figure left to right before it is rotated.")

    def turned(self, degrees: float) -> Pose:
        """Rotate the pose clockwise; the rotation stays between -180° and 180°."""
        return replace(self, turn=180.0 - (180.0 - self.turn - degrees) % 360.0)

    def placed(self, points: Floats) -> Floats:
        """Map points of a figure 1 high to mm on the board, shape (n, 2)."""
        angle = np.radians(self.turn)
        across, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        sign = -1.0 if self.is_mirrored else 1.0
        return np.asarray(self.height * (sign * points[:, :1] * across + points[:, 1:] * down) + (self.x, self.y))


@dataclass(frozen=True)
class Setting(Pose):
    """Settings of a figure. Raises ParameterError for values out of bounds."""

    tongues: int = integer(0, title="Tongues", minimum=0, maximum=AS_FIT,
        help="Tongues between the figure and the pieces around it: 8 is as many as fit; with 0 its shape alone "
        "holds it.")  # fmt: skip
    touches: bool = flag(False, title="Share cuts", help=_TOUCHES)
    border: str = choice(INSIDE, AT_BORDER, title="At the border", help=_BORDER)

    @property
    def pose(self) -> Pose:
        """Pose alone."""
        return Pose(**{field.name: getattr(self, field.name) for field in fields(Pose)})


@dataclass(frozen=True)
class CommonSetting(Validated):
    """Settings of several figures together. Raises ParameterError for values out of bounds."""

    x: float = number(0.0, title="X", minimum=-1000.0, maximum=11000.0, step=1.0, unit="mm",
        help="Distance of the selection's centre from the left edge of the board.")  # fmt: skip
    y: float = number(0.0, title="Y", minimum=-1000.0, maximum=11000.0, step=1.0, unit="mm",
        help="Distance of the selection's centre from the top edge of the board.")  # fmt: skip
    height: float = number(40.0, title="Height", minimum=2.0, maximum=5000.0, step=1.0, unit="mm",
        help="Height of the whole selection; its centre stays.")  # fmt: skip
    turn: float = number(0.0, title="Rotate by", minimum=-360.0, maximum=360.0, step=5.0, unit="°",
        help="Rotates the selection clockwise about its centre.")  # fmt: skip
    is_mirrored: bool = flag(False, title="Mirror", help="Mirrors the selection left to right.")
    tongues: int = integer(0, title="Tongues", minimum=0, maximum=AS_FIT,
        help="Tongues between each figure and the pieces around it: 8 is as many as fit; with 0 its shape alone "
        "holds it.")  # fmt: skip
    touches: bool = flag(False, title="Share cuts", help=_TOUCHES)
    border: str = choice(INSIDE, AT_BORDER, title="At the border", help=_BORDER)

    @property
    def pose(self) -> Pose:
        """Pose of their common frame."""
        return Pose(**{field.name: getattr(self, field.name) for field in fields(Pose)})


@dataclass(frozen=True)
class Whimsy:
    """A figure on the board: the key `figure` of a shipped figure, or `title`, `rings` and `lines` of another, 1 high.

    `tongues` is the number of tongues that join it to the pieces around: AS_FIT, or 0 if its shape alone holds it. With
    `touches` it may share cuts with other figures; the one with the greater `level` is in front. `border` says what
    happens where it reaches the border.
    Raises StudioError for an unknown figure, and for rings that are not a silhouette.
    """

    name: str
    figure: str = ""
    pose: Pose = Pose()
    title: str = ""
    rings: tuple[tuple[tuple[float, float], ...], ...] = ()
    tongues: int = 0
    lines: tuple[tuple[tuple[float, float], ...], ...] = ()
    touches: bool = False
    border: str = INSIDE
    level: int = 0

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ParameterError(
                "name", tr("The name of a figure must be like fish1 or A, not {name!r}.", name=self.name[:40])
            )
        if bool(self.figure) == bool(self.rings):
            raise ParameterError("figure", tr("{name} must be a figure's key or have rings.", name=self.name[:40]))
        if self.lines and not self.rings:
            raise ParameterError("lines", tr("{name} has lines without rings.", name=self.name[:40]))
        if not -MOST_LEVEL <= self.level <= MOST_LEVEL:
            raise ParameterError("level", tr("level must be {low} to {most}.", low=-MOST_LEVEL, most=MOST_LEVEL))
        if sum(map(len, (*self.rings, *self.lines))) > MOST_POINTS:
            raise ParameterError("rings", tr("rings must have at most {most} points.", most=MOST_POINTS))
        _ = self.setting
        _ = self.shape

    @property
    def shape(self) -> Figure:
        """Silhouette, 1 high."""
        from studio.puzzles.jigsaw.figures.silhouettes import figure

        return figure(self.figure) if self.figure else _own(self.title, self.rings, self.lines)

    @property
    def width(self) -> float:
        """Width in units of its height."""
        return self.shape.width

    @property
    def setting(self) -> Setting:
        """Pose, number of tongues, and what happens at other figures and at the border."""
        return Setting(**vars(self.pose), tongues=self.tongues, touches=self.touches, border=self.border)

    def on_board(self) -> tuple[Floats, ...]:
        """Outline, clockwise on the screen, then holes, anticlockwise; control points in mm, shape (3k + 1, 2)."""
        return _on_board(self.shape, self.pose)

    def lines_on_board(self) -> tuple[Floats, ...]:
        """Cuts within it; control points in mm, shape (3k + 1, 2)."""
        return tuple(self.pose.placed(line) for line in self.shape.lines)

    def posed(self, **values: float | bool) -> Whimsy:
        """Change values of the pose."""
        return replace(self, pose=replace(self.pose, **values))  # type: ignore[arg-type]


@lru_cache(256)
def _own(
    title: str, rings: tuple[tuple[tuple[float, float], ...], ...], lines: tuple[tuple[tuple[float, float], ...], ...]
) -> Figure:
    from studio.puzzles.jigsaw.figures.silhouettes import Stored, plain_figure

    return plain_figure(Stored(title, rings, lines))


@lru_cache(256)
def _on_board(shape: Figure, pose: Pose) -> tuple[Floats, ...]:
    rings = (pose.placed(ring) for ring in shape.rings)
    return tuple(frozen(ring[::-1].copy() if pose.is_mirrored else ring) for ring in rings)


def free_names(taken: Iterable[str], stem: str, count: int) -> list[str]:
    """Make names for new figures: the stem and the next numbers."""
    numbers = [int(name.removeprefix(stem)) for name in taken if name.removeprefix(stem).isdecimal()]
    first = max(numbers, default=0) + 1
    return [f"{stem}{number}" for number in range(first, first + count)]


def letter_names(taken: Iterable[str], letters: Iterable[str]) -> list[str]:
    """Make names for new letters: the letter itself, or the first of several, with a number from the second on.

    Names differ in more than case, because files are named after pieces.

    >>> letter_names(["A"], "Anna &")
    ['A_2', 'n', 'n_2', 'a_3', 'sign']
    """
    known = {name.casefold() for name in taken}
    names = []
    for letter in letters:
        if not letter.isspace():
            names.append(_free_letter(known, letter))
            known.add(names[-1].casefold())
    return names


def copy_name(taken: Iterable[str], name: str) -> str:
    """Make a name for a copy of a figure."""
    stem, mark, _number = name.partition("_")
    if mark or not name[-1].isdecimal() or len(name) == 1:
        return _free_letter({each.casefold() for each in taken}, stem)
    return free_names(taken, name.rstrip("0123456789"), 1)[0]


def _free_letter(known: Collection[str], letter: str) -> str:
    letters = unicodedata.normalize("NFC", letter)
    stem = SIGN if letters == SIGN else next((each for each in letters if each.isalnum()), SIGN)
    names = chain([stem], (f"{stem}_{number}" for number in count(2)))
    return next(name for name in names if name.casefold() not in known)


def stem_of(title: str, otherwise: str = "figure", least: int = 1) -> str:
    """Stem of names for a title: its letters from a to z, or another stem if it has too few of them."""
    letters = "".join(re.findall("[a-z]", title.lower()))[:20]
    return letters if len(letters) >= least else otherwise


def of_figure(name: str, shape: Figure, pose: Pose) -> Whimsy:
    """Make a whimsy that stores the curves of its figure."""
    rings, lines = (
        tuple(tuple((float(x), float(y)) for x, y in curve) for curve in curves)
        for curves in (shape.rings, shape.lines)
    )
    return Whimsy(name, "", pose, shape.title, rings, lines=lines)


class Posed(Protocol):
    """A figure or an engraving, or several in a common frame."""

    @property
    def pose(self) -> Pose:
        """Pose on the board."""

    @property
    def width(self) -> float:
        """Width of the frame in units of its height."""


@dataclass(frozen=True)
class Together:
    """Several figures or engravings in a common upright frame."""

    pose: Pose
    width: float


def together(figures: Sequence[Posed]) -> Posed | None:
    """Common frame of figures; a single figure is its own. None without figures."""
    if len(figures) < 2:
        return figures[0] if figures else None
    corners = np.concatenate([frame(one) for one in figures])
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    least, _most = declaration(Pose, "height").limits
    low, high = FARTHEST
    x, y = np.clip([(left + right) / 2, (top + bottom) / 2], low, high).tolist()
    height = max(bottom - top, least)
    return Together(Pose(x=x, y=y, height=min(height, LARGEST)), (right - left) / height)


def carried(poses: Sequence[Pose], before: Pose, after: Pose) -> list[Pose]:
    """Mirror, move, scale and rotate poses with their common frame; scale only as far as the limits of each allow."""
    least, most = declaration(Pose, "height").limits
    heights = [pose.height for pose in poses]
    share = min(max(after.height / before.height, least / min(heights)), most / max(heights))
    angle = math.radians(after.turn - before.turn)
    across, along = share * math.cos(angle), share * math.sin(angle)
    low, high = FARTHEST
    found = []
    for pose in poses:
        right, down = pose.x - before.x, pose.y - before.y
        if after.is_mirrored != before.is_mirrored:
            right, pose = -right, replace(pose, turn=-pose.turn, is_mirrored=not pose.is_mirrored)
        x = min(max(after.x + across * right - along * down, low), high)
        y = min(max(after.y + along * right + across * down, low), high)
        height = min(max(share * pose.height, least), most)
        found.append(replace(pose, x=x, y=y, height=height).turned(after.turn - before.turn))
    return found


def posed_together(figures: Sequence[Whimsy], pose: Pose) -> dict[str, Pose]:
    """Poses of figures, by name, after their common frame gets a new pose; a single figure gets just that."""
    if len(figures) == 1:
        return {figures[0].name: pose}
    around = together(figures)
    if around is None:
        return {}
    moved = _tidy(carried([one.pose for one in figures], around.pose, pose))
    return dict(zip((one.name for one in figures), moved, strict=True))


def _tidy(poses: Iterable[Pose]) -> list[Pose]:
    """Round the numbers of poses."""
    return [
        replace(one, x=round(one.x, PLACES), y=round(one.y, PLACES), height=round(one.height, PLACES),
                turn=round(one.turn, PLACES))
        for one in poses
    ]  # fmt: skip


def mirrored(figures: Sequence[Posed]) -> list[Pose]:
    """Mirror poses left to right: a single figure or engraving in its own frame, several about their middle."""
    around = together(figures)
    if around is None:
        return []
    if len(figures) == 1:
        return [replace(around.pose, is_mirrored=not around.pose.is_mirrored)]
    return _tidy(carried([one.pose for one in figures], around.pose, replace(around.pose, is_mirrored=True)))


def is_across(figure: Posed, x: float, y: float) -> bool:
    """True if a place on the board is left of the middle of a frame, in the frame's own rotation."""
    angle = math.radians(figure.pose.turn)
    return (x - figure.pose.x) * math.cos(angle) + (y - figure.pose.y) * math.sin(angle) < 0


def frame(figure: Posed) -> Floats:
    """Corners of a figure's frame in mm, clockwise from its own upper left, shape (4, 2)."""
    return replace(figure.pose, is_mirrored=False).placed(_BOX * [figure.width, 1.0])


def frames(figure: Posed, x: float, y: float) -> bool:
    """True if a place on the board is within the frame of a figure."""
    angle = math.radians(figure.pose.turn)
    right, down = x - figure.pose.x, y - figure.pose.y
    across, along = right * math.cos(angle) + down * math.sin(angle), down * math.cos(angle) - right * math.sin(angle)
    height = figure.pose.height
    return abs(across) <= height * figure.width / 2 and abs(along) <= height / 2


def shifted(pose: Pose, right: float, down: float) -> Pose:
    """Move a pose by some mm, within FARTHEST."""
    low, high = FARTHEST
    return replace(pose, x=min(max(pose.x + right, low), high), y=min(max(pose.y + down, low), high))


def snapped(
    moved: Floats, others: Sequence[tuple[Floats, Floats]], size: tuple[float, float], reach: float
) -> tuple[list[float], list[tuple[int, float]]]:
    """Shift in mm, right and down, that brings a box in line with others, to equal gaps, or to the centre of a board.

    Boxes are least and greatest x and y; the board's `size` is in mm. The shift is 0 along an axis without a line
    within `reach`. Also return the lines that are met: each its axis and its place on it.
    """
    shift, lines = [0.0, 0.0], list[tuple[int, float]]()
    for axis in (0, 1):
        low, high = float(moved[0][axis]), float(moved[1][axis])
        middle = (low + high) / 2
        spans = [(float(one[0][axis]), float(one[1][axis])) for one in others]
        found = [(size[axis] / 2 - middle, size[axis] / 2)]
        for begin, end in spans:
            found += [(line - own, line) for line in (begin, end) for own in (low, high)]
            found.append(((begin + end) / 2 - middle, (begin + end) / 2))
        beside = [
            span for span, one in zip(spans, others, strict=True)
            if one[0][1 - axis] < moved[1][1 - axis] and one[1][1 - axis] > moved[0][1 - axis]
        ]  # fmt: skip
        for (_, end), (begin, last) in pairwise(sorted(beside)):
            gap = begin - end
            if gap > 0:
                found += [(last + gap - low, last + gap), (min(beside)[0] - gap - high, min(beside)[0] - gap)]
                found.append(((end + begin) / 2 - middle, (end + begin) / 2))
        way, line = min(found, key=lambda each: abs(each[0]))
        if abs(way) <= reach:
            shift[axis] = way
            lines.append((axis, line))
    return shift, lines


def scaled(figure: Posed, corner: int, right: float, down: float) -> Pose:
    """Scale by pulling a corner of the frame some mm; the opposite corner stays."""
    pose, corners = figure.pose, frame(figure)
    still = corners[corner - 2]
    diagonal = corners[corner] - still
    share = 1.0 + float((right, down) @ diagonal) / float(diagonal @ diagonal)
    least = min(SMALLEST, pose.height)
    height = min(max(round(pose.height * share, DECIMALS), least), LARGEST)
    low, high = FARTHEST
    x, y = np.clip(still + diagonal / 2 * (height / pose.height), low, high).tolist()
    return replace(pose, x=x, y=y, height=height)


def rotated(pose: Pose, begin: tuple[float, float], end: tuple[float, float], *, snaps: bool) -> Pose:
    """Rotate a pose about its middle by a pull between two places on the board; `snaps` rounds to steps of 15°."""
    first, last = (math.atan2(y - pose.y, x - pose.x) for x, y in (begin, end))
    turn = pose.turn + math.degrees(last - first)
    turn = SNAP * round(turn / SNAP) if snaps else round(turn, DECIMALS)
    return pose.turned(turn - pose.turn)
