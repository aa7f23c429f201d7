"""Engravings: a line of text or a drawing on the face or the back of a board, engraved before anything is cut.

An engraving is 1 high, its middle at the origin: a text by the height of its capitals, a drawing by its own height.
Engravings on the back are mirrored, as seen through the board from its face.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError, Validated, checked, choice, declaration, line, number
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats, frozen
from studio.geometry.planar.drawing import Chain, Drawing, Operation
from studio.puzzles.jigsaw.figures.whimsies import Pose, free_names

if TYPE_CHECKING:
    from shapely import MultiLineString

    from studio.puzzles.jigsaw.model.design import JigsawDesign

NAME = re.compile("(text|drawing)[1-9][0-9]{0,3}")
LINE, OUTLINE = "line", "outline"
FONTS = {LINE: tr("Single line"), OUTLINE: tr("Outline")}
"""Fonts of a text: each line engraved once, or the outlines of letters."""
FACE, BACK = "face", "back"
SIDES = {FACE: tr("Face"), BACK: tr("Back")}
MOST_LETTERS = 200
MOST_POINTS = 60_000
"""Most control points of a drawing."""
MICROMETRES = 3
"""Decimals in mm to which two equal lines agree."""
DECIMALS = 7
"""Decimals of a drawing's curves, in its height."""

LEAST_WIDTH = 0.2
"""Least width of the box around an engraving, in its height: a single line has no width."""
OVERLAP = 1e-3
"""Share by which the outlines of overlapping letters are longer than their common one."""
FLATTENING = 0.1
"""Largest deviation in mm of the lines that are sought under the mouse."""

Paths = tuple[tuple[tuple[float, float], ...], ...]


@dataclass(frozen=True)
class Engraving:
    """A text, or the `paths` of a drawing, and its pose. Raises StudioError if it cannot be engraved.

    A text in a font of the maker, its `typeface`, has paths, too: a font that is missing later changes nothing.
    """

    name: str
    pose: Pose
    text: str = ""
    font: str = LINE
    paths: Paths = ()
    side: str = FACE
    typeface: str = ""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ParameterError(
                "name", tr("The name of an engraving must be like text1, not {name!r}.", name=self.name[:40])
            )
        if self.typeface and not (self.text and self.paths and self.font == OUTLINE):
            raise ParameterError("typeface", tr("{name} must have text, outline font and paths.", name=self.name))
        if not self.typeface and bool(self.text) == bool(self.paths):
            raise ParameterError("text", tr("{name} must have either a text or paths.", name=self.name))
        for field in ("font", "side", "typeface"):
            checked(declaration(EngravingSetting, field), getattr(self, field))
        if sum(map(len, self.paths)) > MOST_POINTS:
            raise ParameterError("paths", tr("paths must have at most {most} points.", most=MOST_POINTS))
        if any(len(path) < 4 or len(path) % 3 != 1 for path in self.paths):
            raise ParameterError("paths", tr("paths must have 3 n + 1 points for n curves."))
        _ = self.strokes

    @cached_property
    def strokes(self) -> Curves:
        """Curves, 1 high, about the origin."""
        if self.paths:
            return Curves.from_strokes([np.array(path, np.float64) for path in self.paths])
        return text_strokes(self.text, self.font)

    @cached_property
    def on_board(self) -> Curves:
        """Curves in mm on the board, as seen from the face."""
        pose = replace(self.pose, is_mirrored=self.pose.is_mirrored != (self.side == BACK))
        return Curves(frozen(pose.placed(self.strokes.points)), self.strokes.starts)

    @property
    def width(self) -> float:
        """Width about its middle, in its height."""
        return max(LEAST_WIDTH, 2 * float(np.abs(self.strokes.points[:, 0]).max()))

    def at(self, pose: Pose) -> Engraving:
        """Move to another pose; the curves are kept."""
        there = copy.copy(self)
        there.__dict__.update(pose=pose)
        for derived in ("on_board", "_lines"):
            there.__dict__.pop(derived, None)
        return there

    def reaches(self, x: float, y: float, distance: float) -> bool:
        """True if a line of it is within a distance in mm of a place on the board."""
        import shapely

        return bool(shapely.dwithin(self._lines, shapely.Point(x, y), distance))

    @cached_property
    def _lines(self) -> MultiLineString:
        import shapely

        lines = self.on_board.flattened(FLATTENING)
        return shapely.MultiLineString([lines[at] for at in range(len(lines))])

    @property
    def title(self) -> str:
        """Title in a list."""
        return tr("“{text}”", text=self.text) if self.text else tr("Drawing {number}", number=self.name[7:])


@dataclass(frozen=True)
class EngravingSetting(Validated):
    """Settings of an engraving. Raises ParameterError for values out of bounds."""

    text: str = line(
        "",
        title="Text",
        longest=MOST_LETTERS,
        help="One line of text. A batch fills in {serial} and columns of its table, such as {name}.",
    )
    font: str = choice(LINE, FONTS, title="Font",
        help="Single lines are engraved once; outlines can be filled in laser software.")  # fmt: skip
    typeface: str = line("", title="Family", longest=1000,
        help="Name of an installed font or path of a font file for outlines; built in by default.")  # fmt: skip
    side: str = choice(FACE, SIDES, title="Side",
        help="The back is shown mirrored and exported to a separate file.")  # fmt: skip
    height: float = number(10.0, title="Height", minimum=2.0, maximum=5000.0, step=1.0, unit="mm",
        help="Height of capitals, or of the drawing, before it is rotated.")  # fmt: skip
    x: float = number(0.0, title="X", minimum=-1000.0, maximum=11000.0, step=1.0, unit="mm",
        help="Distance of the centre from the left edge of the board.")  # fmt: skip
    y: float = number(0.0, title="Y", minimum=-1000.0, maximum=11000.0, step=1.0, unit="mm",
        help="Distance of the centre from the top edge of the board.")  # fmt: skip
    turn: float = number(0.0, title="Rotation", minimum=-360.0, maximum=360.0, step=5.0, unit="°",
        help="Clockwise rotation.")  # fmt: skip

    @classmethod
    def from_engraving(cls, engraving: Engraving) -> EngravingSetting:
        """Read the settings of an engraving."""
        pose = engraving.pose
        return cls(
            engraving.text, engraving.font, engraving.typeface, engraving.side, pose.height, pose.x, pose.y, pose.turn
        )  # fmt: skip

    def applied(self, engraving: Engraving) -> Engraving:
        """Apply these settings to an engraving. Raise StudioError for a text that cannot be engraved."""
        pose = replace(engraving.pose, x=self.x, y=self.y, height=self.height, turn=self.turn)
        if not engraving.text:
            return replace(engraving, pose=pose, side=self.side)
        typeface = self.typeface if self.font == OUTLINE else ""
        if (self.text, self.font, typeface) == (engraving.text, engraving.font, engraving.typeface):
            return replace(engraving, pose=pose, side=self.side)
        if not self.text.strip():
            raise StudioError(tr("Enter a text to engrave."))
        return of_text(engraving.name, self.text, pose, self.font, self.side, typeface)


def text_strokes(text: str, font: str, typeface: str = "") -> Curves:
    """Draw a line of text, its capitals 1 high, its middle at the origin. Raise StudioError if it cannot be typeset."""
    words = text.strip()
    if not words:
        raise StudioError(tr("Enter a text to engrave."))
    if len(words) > MOST_LETTERS:
        raise StudioError(tr("The text has {count} letters (maximum {most}).", count=len(words), most=MOST_LETTERS))
    if not words.isprintable():
        raise StudioError(tr("The text must be one line of printable letters."))
    from studio.geometry.art.lettering import lettered

    strokes = lettered(words, 1.0) if font == LINE else _outlines(words, typeface)
    if not len(strokes):
        raise StudioError(tr("Enter a text to engrave."))
    left, right = strokes.points[:, 0].min(), strokes.points[:, 0].max()
    return Curves(strokes.points - ((left + right) / 2, -0.5), strokes.starts)


def _outlines(text: str, typeface: str) -> Curves:
    from studio.paper.fonts import capitals, needs_shaping, spelled, typeset, unset
    from studio.puzzles.jigsaw.figures.letters import contours

    words = spelled(text)
    is_shaped = bool(typeface) or any(map(needs_shaping, words))
    try:
        if is_shaped:
            return Curves.from_strokes(text_outlines(text, typeface))
        reason = unset(words)
    except StudioError as problem:
        reason = str(problem).removesuffix(".")
    if reason:
        raise StudioError(tr("The text cannot be engraved: {reason}.", reason=reason))
    found = [
        contour / capitals() + (place / capitals(), 0.0)
        for run in typeset(words, bold=False).runs
        for glyph, place in zip(run.glyphs, run.places, strict=True)
        for contour in contours(run.font.outline(glyph))
    ]
    return Curves.from_strokes(found)


def text_outlines(words: str, font: str, *, bold: bool = False, is_united: bool = True) -> list[Floats]:
    """Outlines of a line of text in a font, control points (3k + 1, 2); raises StudioError if it cannot be set.

    Without a font it is a built-in one, `bold` or not. If `is_united`, letters that overlap, as those of joined scripts
    do, have one outline.
    """
    import shapely

    from studio.geometry.curves.rings import BAR_FLATTENING, ring_of
    from studio.paper.fonts import capitals
    from studio.paper.shaping import face_of, shaped
    from studio.puzzles.jigsaw.figures.letters import contours, glyph_region, touching

    face = face_of(font) if font else None
    line = shaped(words, face, bold)
    size = face.capitals if face is not None else capitals()
    drawn = [
        [contour / size + np.array((one.place / size, 0.0)) for contour in contours(one.outline)]
        for one in line.clusters
    ]
    if not is_united:
        return [contour for each in drawn for contour in each]
    drawn = [each for each in drawn if each]
    shapes = [glyph_region(each) for each in drawn]
    found: list[Floats] = []
    for group in touching(shapes):
        whole = shapely.union_all([shapes[at] for at in group])
        own = [contour for at in group for contour in drawn[at]]
        lines = Curves.from_strokes(own).flattened(BAR_FLATTENING)
        length = float(shapely.length(shapely.linestrings(lines.points, indices=lines.owners)).sum())
        if math.isclose(float(shapely.length(whole)), length, rel_tol=OVERLAP):
            found += own
        else:
            found += [
                ring_of(ring, 1.0) for part in shapely.get_parts(whole) for ring in (part.exterior, *part.interiors)
            ]
    return found


def of_text(name: str, text: str, pose: Pose, font: str, side: str, typeface: str = "") -> Engraving:
    """Make an engraving of a text; with a typeface, its outlines are kept. Raise StudioError if it cannot be set."""
    if not typeface:
        return Engraving(name, pose, text, font, side=side)
    strokes = text_strokes(text, font, typeface)
    return Engraving(name, pose, text, font, _rounded([strokes[at] for at in range(len(strokes))]), side, typeface)


def _rounded(strokes: Sequence[Floats]) -> Paths:
    """Curves as a file has them."""
    # Round all points at once: a drawing may have thousands of lines.
    points = ((x, y) for x, y in (np.round(np.concatenate([*strokes]), DECIMALS) + 0.0).tolist())
    return tuple(tuple(islice(points, len(one))) for one in strokes)


def of_drawing(name: str, strokes: Sequence[Floats], pose: Pose, side: str) -> Engraving:
    """Make an engraving of curves in mm, shape (3k + 1, 2), scaled to the height of its pose."""
    points = np.concatenate([*strokes])
    low, high = points.min(axis=0), points.max(axis=0)
    # A flat drawing gets the height of its pose as its width.
    size = float(high[1] - low[1]) or float(high[0] - low[0])
    paths = _rounded([(one - (low + high) / 2) / size for one in strokes])
    return Engraving(name, pose, paths=paths, side=side)


def free_name(engravings: Iterable[Engraving], stem: str) -> str:
    """Make a name for a new engraving."""
    return free_names((one.name for one in engravings if one.name.startswith(stem)), stem, 1)[0]


def inscribed(design: JigsawDesign, written: Callable[[str], str]) -> JigsawDesign:
    """Replace each engraved text by the result of `written`. Raise StudioError for a text that cannot be engraved."""

    def another(one: Engraving) -> Engraving:
        if not one.text:
            return one
        text = written(one.text)
        if not text.strip():
            raise StudioError(tr("{title} has nothing left to engrave.", title=one.title))
        return of_text(one.name, text, one.pose, one.font, one.side, one.typeface)

    return replace(design, engravings=tuple(map(another, design.engravings)))


def leaves(one: Engraving, drawing: Drawing, most: float) -> bool:
    """True if a line of an engraving is more than `most` mm beyond the board."""
    import shapely

    from studio.geometry.planar.regions import board_region

    board = shapely.buffer(board_region(drawing), most)
    shapely.prepare(board)
    lines = one.on_board.flattened(most)
    return not shapely.contains(board, shapely.linestrings(lines.points, indices=lines.owners)).all()


def with_engravings(drawing: Drawing, engravings: Sequence[Engraving]) -> Drawing:
    """Add engravings to a drawing, engraved before all cuts; its own strokes keep their numbers.

    Lines that leave the board, by its border or into a hole, are clipped to it; equal lines on the same side are
    engraved once.
    """
    if not engravings:
        return drawing
    from studio.geometry.planar.regions import board_region, within

    board = board_region(drawing)
    known: set[tuple[str, bytes]] = set()
    strokes, chains, first = [drawing.strokes], [], len(drawing.strokes)
    for one in engravings:
        curves = _new(within(one.on_board, board), one.side, known)
        tips = curves.ends
        closed = (tips[:, 0] == tips[:, 1]).all(axis=1).tolist()
        chains += [
            Chain(Operation.ENGRAVE, np.array([2 * (first + at)]), is_ring, is_on_back=one.side == BACK)
            for at, is_ring in enumerate(closed)
        ]
        strokes.append(curves)
        first += len(curves)
    return replace(drawing, strokes=Curves.gathered(strokes), chains=(*chains, *drawing.chains))


def _new(curves: Curves, side: str, known: set[tuple[str, bytes]]) -> Curves:
    """Choose the curves that are new on a side of the board, and remember them in `known`."""
    rounded = np.round(curves.points, MICROMETRES) + 0.0
    fresh = []
    for at in range(len(curves)):
        points = rounded[curves.starts[at] : curves.starts[at + 1]]
        key = side, min(points.tobytes(), points[::-1].tobytes())
        if key not in known:
            fresh.append(at)
            known.add(key)
    return curves if len(fresh) == len(curves) else curves.chosen(np.array(fresh, np.int64))
