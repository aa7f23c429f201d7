"""Text as figures: letters as pieces, or a name as one joined piece, in the studio's bold font or any other.

Letters that touch are a single piece, as those of joined scripts, and the dot of i is joined to its stem. The wood in
the counters of A or O stays joined to the wood around through a slot where the letter is thinnest, as in a stencil;
or it falls out, is kept in the letter by a bridge, or the counter is filled.

Lengths are in heights of capitals, y downwards from the foot of a line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import Validated, choice, line, number
from studio.base.texts import tr
from studio.geometry.curves.rings import BAR_FLATTENING as FLATTENING
from studio.geometry.curves.rings import Outlined, bar, box, in_one_piece, ring_of
from studio.geometry.curves.strokes import Curves, Floats
from studio.paper.fonts import Command, capitals, needs_shaping, spelled, typeset, unset
from studio.puzzles.jigsaw.figures.silhouettes import BAR, LEAST_PART, Figure, silhouette
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy, of_figure

if TYPE_CHECKING:
    import shapely

MOST_LETTERS = 60
MOST_LINES = 8
SLOT = 1.1 * LEAST_PART
"""Width of a slot into a counter."""
CENTRED = 1.5
"""Factor by which a slot in the middle may be longer than the shortest."""
LEVEL = 2.5
"""Factor by which a level slot may be longer than the shortest, in letters that touch."""
SPACING = 0.08
"""Room added between two letters, so that wood is left between them."""
LEAST_WIDTH = 0.5 * LEAST_PART
"""Least width of any part or notch of a letter; half of it is the radius of corners."""
WEB, WIDER = 0.6, (2.0, 3.0, 4.0)
"""Radius of what fills gaps, in least widths, and factors that make the fillings wider until they last."""
LEAST_WEB, LOST_WEB = 1e-4, 0.3
"""Area of a filling from which on it must last, and the share of it that may be too thin."""
QUARTER = 16
"""Chords per quarter circle."""
PITCH = 1.5
"""Distance of the feet of two lines."""
TOUCH = 0.005
"""Distance below which two letters touch."""
SLIT, LEAST_ISLAND = 0.05, 0.01
"""Width of the slit around a counter that a bridge holds, and least area of that counter."""
GROWTHS = (0.0, 0.01, 0.02, 0.03, 0.04)
"""Thickenings tried for a letter that is thinner than the least width."""
LOST = 0.015
"""Share of a letter that may be thinner than the least width and is left out."""
SMOOTH = 0.05
"""Longest part of a line that is bent along an arc."""
BLOCK = 0.7
"""Share of letters that do not touch from which on a line is one of block letters."""
TIGHTEST = 0.3
"""Least radius of an arc."""
LINKS = (0.5, 0.15, 0.85)
"""Places of the links between two lines, as fractions of the width that both have; a single link is at the first."""

PIECES, JOINED, ON_BAR = "pieces", "joined", "bar"
MODES = {PIECES: tr("Single pieces"), JOINED: tr("One piece"), ON_BAR: tr("One piece on a bar")}
SLOTTED, OPEN, BRIDGED, FILLED = "slot", "open", "bridge", "filled"
COUNTERS = {SLOTTED: tr("Slot"), OPEN: tr("Cut out"), BRIDGED: tr("Bridge"), FILLED: tr("Filled")}
LEFT, MIDDLE, RIGHT = "left", "middle", "right"
ALIGNMENTS = {LEFT: tr("Left"), MIDDLE: tr("Centre"), RIGHT: tr("Right")}


@dataclass(frozen=True)
class Lettering(Validated):
    """How a text becomes pieces. Raises ParameterError for values out of bounds."""

    font: str = line("", title="Font", longest=1000,
        help="Name of an installed font or path of a font file; without one, the built-in bold font.")  # fmt: skip
    mode: str = choice(PIECES, MODES, title="Cut as",
        help="One piece joins letters where they touch, others by short links or a bar along their feet.")  # fmt: skip
    counters: str = choice(SLOTTED, COUNTERS, title="Counters",
        help="Inside of letters such as O: joined to the board by a slot, cut out, held in the letter by a bridge, "
        "or filled.")  # fmt: skip
    align: str = choice(MIDDLE, ALIGNMENTS, title="Alignment", help="Alignment of several lines.")
    spacing: float = number(0.0, title="Letter spacing", minimum=-30.0, maximum=200.0, step=2.0, unit="%",
        help="Room added between letters, in percent of the height of capitals; joined scripts get none.")  # fmt: skip
    line_spacing: float = number(100.0, title="Line spacing", minimum=50.0, maximum=300.0, step=5.0, unit="%",
        help="Distance of lines, in percent of the usual distance.")  # fmt: skip
    arc: float = number(0.0, title="Arc", minimum=-330.0, maximum=330.0, step=10.0, unit="°",
        help="Angle that the text spans on an arc: positive bends it upwards, negative downwards.")  # fmt: skip
    weight: float = number(0.0, title="Thicken", minimum=0.0, maximum=15.0, step=1.0, unit="%",
        help="Thickens all strokes on both sides, in percent of the height of capitals.")  # fmt: skip


PLAIN = Lettering()


@dataclass(frozen=True, eq=False)
class Letter:
    """A letter, or several in one piece, as a figure; middle and height from the middle of the text."""

    figure: Figure
    x: float
    y: float
    height: float
    turn: float = 0.0
    """Clockwise rotation in degrees."""


@dataclass(frozen=True, eq=False)
class _Glyphs:
    """Letters that touch, in the order in which they are read; their shape is at `place` on their line."""

    text: str
    shape: shapely.Geometry
    place: float
    count: int = 1
    """Number of letters, or clusters of characters."""
    is_joined: bool = False
    """True in a script of joined letters."""


@dataclass(frozen=True, eq=False)
class _Row:
    """A line of text: its letters from left to right, and how far each is moved from its place."""

    glyphs: tuple[_Glyphs, ...]
    middle: float
    """Middle of the line."""
    more: Floats
    """Shifts to the right, which make room between letters."""
    down: float = 0.0

    @property
    def half(self) -> float:
        """Half its width."""
        return self.middle + float(self.more[-1] - self.more[0]) / 2

    @property
    def shapes(self) -> list[shapely.Geometry]:
        """Shapes of its letters in their places."""
        return [
            _shifted(one.shape, one.place - self.middle + more, self.down)
            for one, more in zip(self.glyphs, self.more.tolist(), strict=True)
        ]


@lru_cache(16)
def letters_as_figures(text: str, how: Lettering = PLAIN) -> tuple[Letter, ...]:
    """Turn a text into pieces. Raise StudioError for text that cannot be cut.

    The capitals of a single line reach from -0.5 to 0.5; several lines, and text on an arc, have their middle at 0, 0.
    """
    lines = [words for words in map(str.strip, text.splitlines()) if spelled(words).strip()]
    count = sum(len(spelled(words)) for words in lines)
    if not lines:
        raise StudioError(tr("Enter a name or word for the figures."))
    if count > MOST_LETTERS:
        raise StudioError(tr("The text has {count} letters (maximum {most}).", count=count, most=MOST_LETTERS))
    if len(lines) > MOST_LINES:
        raise StudioError(tr("The text has {count} lines (maximum {most}).", count=len(lines), most=MOST_LINES))
    rows = _laid([_row(words, how) for words in lines], how)
    bend = _Bend.from_angle(how.arc, rows) if how.arc else None
    if how.mode == PIECES:
        letters = [one for row in rows for one in _pieces(row, bend, how)]
    else:
        whole, joints = (bend.bent(each) if bend else each for each in _joined(rows, how))
        is_script = any(one.count > 1 for row in rows for one in row.glyphs)
        letters = [_letter(" ".join(lines), whole, how, LEVEL * is_script, joints)]
    if len(rows) == 1 and bend is None:
        return tuple(replace(one, y=one.y + 0.5) for one in letters)
    low = np.min([(one.x, one.y - one.height / 2) for one in letters], 0)
    high = np.max([(one.x, one.y + one.height / 2) for one in letters], 0)
    x, y = ((low + high) / 2).tolist()
    return tuple(replace(one, x=one.x - x, y=one.y - y) for one in letters)


def lettered(names: Sequence[str], text: str, pose: Pose, how: Lettering = PLAIN) -> tuple[Whimsy, ...]:
    """Turn the pieces of a text into whimsies called by `names`; the pose holds for the text, its height for capitals.

    Raise StudioError for text that cannot be cut, and ValueError if names and pieces differ in number.
    """
    letters = letters_as_figures(text, how)
    middles = pose.placed(np.array([(one.x, one.y) for one in letters]))
    return tuple(
        of_figure(
            name, one.figure, replace(_turned(pose, one.turn), x=float(x), y=float(y), height=pose.height * one.height)
        )
        for name, one, (x, y) in zip(names, letters, middles.tolist(), strict=True)
    )


def _turned(pose: Pose, turn: float) -> Pose:
    return pose.turned(-turn if pose.is_mirrored else turn) if turn else pose


def _row(words: str, how: Lettering) -> _Row:
    """Set a line; letters that touch are together, all others as far apart as wood needs."""
    text = spelled(words).strip()
    is_plain = not how.font and not how.spacing and not any(map(needs_shaping, text))
    if is_plain:
        reason = unset(text)
        if reason:
            raise StudioError(tr("The text cannot be cut: {reason}.", reason=reason))
        setting = typeset(text, bold=True)
        glyphs = [
            _Glyphs(letter, _filled(run.font.outline(glyph), capitals()), place / capitals())
            for run in setting.runs
            for letter, glyph, place in zip(run.letters, run.glyphs, run.places, strict=True)
            if letter.strip()
        ]
        width = setting.width / capitals()
    else:
        glyphs, width = _shaped(words, how)
    if not glyphs:
        raise StudioError(tr("Enter a name or word for the figures."))
    count = len(glyphs)
    if how.mode != PIECES:
        return _Row(tuple(glyphs), width / 2, np.zeros(count))
    more: Floats = SPACING * (np.arange(count, dtype=np.float64) - (count - 1) / 2)
    if not is_plain:
        far = np.cumsum(_crowded(glyphs))
        more = more + far - far[-1] / 2
    return _Row(tuple(glyphs), width / 2, more)


def _shaped(words: str, how: Lettering) -> tuple[list[_Glyphs], float]:
    """Shape a line; returns its letters and its width."""
    import shapely

    from studio.paper.shaping import face_of, shaped

    try:
        face = face_of(how.font) if how.font else None
        line = shaped(words, face)
    except StudioError as problem:
        raise StudioError(tr("The text cannot be cut: {reason}.", reason=str(problem).removesuffix("."))) from problem
    size = face.capitals if face is not None else capitals()
    clusters, shapes, places, at = [], [], [], 0.0
    for one in line.clusters:
        shape = _filled(one.outline, size)
        if not shapely.is_empty(shape):
            clusters.append(one)
            shapes.append(shape)
            places.append(one.place / size + at)
        at += 0.0 if one.is_joined else how.spacing / 100
    there = [_shifted(shape, place) for shape, place in zip(shapes, places, strict=True)]
    found = []
    for group in touching(there):
        first = group[0]
        whole = shapely.union_all([_shifted(there[each], -places[first]) for each in group])
        letters = "".join(clusters[each].text for each in sorted(group, key=lambda each: clusters[each].at))
        is_joined = any(clusters[each].is_joined for each in group)
        found.append(_Glyphs(letters, whole, places[first], len(group), is_joined))
    return found, line.width / size + max(0.0, at - how.spacing / 100)


def touching(shapes: Sequence[shapely.Geometry]) -> list[list[int]]:
    """Group shapes that touch, each group and all groups from left to right."""
    import shapely

    group = np.arange(len(shapes))
    pairs = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=TOUCH).T if shapes else []
    for one, other in pairs:
        group[group == max(group[one], group[other])] = min(group[one], group[other])
    return [np.flatnonzero(group == each).tolist() for each in np.unique(group)]


def _crowded(glyphs: Sequence[_Glyphs]) -> list[float]:
    """Shifts to the right that each letter needs beyond the usual room to be as far as that from the one before."""
    import shapely

    shifts = [0.0]
    for before, one in pairwise(glyphs):
        there = _shifted(one.shape, one.place - before.place + SPACING)
        shift = 0.0
        while (short := SPACING - float(shapely.distance(before.shape, _shifted(there, shift)))) > TOUCH:
            shift += short
        shifts.append(shift)
    return shifts


def _laid(rows: Sequence[_Row], how: Lettering) -> list[_Row]:
    """Align lines and put each below the one before; lines of single pieces are apart as far as wood needs."""
    import shapely

    if len(rows) == 1:
        return [*rows]
    widest = max(row.half for row in rows)
    side = {LEFT: -1.0, MIDDLE: 0.0, RIGHT: 1.0}[how.align]
    laid: list[_Row] = []
    for row in rows:
        moved = replace(row, more=row.more + side * (widest - row.half))
        if laid:
            moved = replace(moved, down=laid[-1].down + PITCH * how.line_spacing / 100)
        above = shapely.union_all([shape for each in laid for shape in each.shapes])
        while laid and how.mode == PIECES:
            short = SPACING - float(shapely.distance(above, shapely.union_all(moved.shapes)))
            if short <= TOUCH:
                break
            moved = replace(moved, down=moved.down + max(short, SPACING / 2))
        laid.append(moved)
    middle = laid[-1].down / 2
    return [replace(row, down=row.down - middle) for row in laid]


@dataclass(frozen=True)
class _Bend:
    """The arc of a text: the radius at which letters keep their width, the height of that line, and its side."""

    radius: float
    level: float
    side: float
    """1 for an arc whose middle is below the text, -1 for one above."""

    @classmethod
    def from_angle(cls, angle: float, rows: Sequence[_Row]) -> _Bend:
        """Bend a text over an angle in degrees; raises StudioError if it is too tight."""
        import shapely

        bounds = shapely.total_bounds([shape for row in rows for shape in row.shapes])
        width = 2 * max(row.half for row in rows)
        side = math.copysign(1.0, angle)
        # Where letters come closest they are as far apart as on a straight line: at the feet, or at the tops.
        level = rows[-1].down if side > 0 else rows[0].down - 1.0
        radius = width / math.radians(abs(angle))
        inner = radius - side * ((bounds[3] if side > 0 else bounds[1]) - level)
        if min(inner, radius) < TIGHTEST:
            raise StudioError(tr("The text does not fit on so tight an arc. Use a smaller angle."))
        return cls(radius, level, side)

    def placed(self, points: Floats) -> Floats:
        """Map points of a straight text, shape (n, 2), to the arc."""
        far = self.radius - self.side * (points[:, 1] - self.level)
        angle = points[:, 0] / self.radius
        return np.stack([far * np.sin(angle), self.side * (self.radius - far * np.cos(angle)) + self.level], 1)

    def bent(self, shape: shapely.Geometry) -> shapely.Geometry:
        """Bend a shape with its lines."""
        import shapely

        return shapely.buffer(shapely.transform(shapely.segmentize(shape, SMOOTH), self.placed), 0)


def _pieces(row: _Row, bend: _Bend | None, how: Lettering) -> Iterator[Letter]:
    """The letters of a line as pieces; on an arc a letter is rotated, and several in one piece are bent."""
    for one, shape, more in zip(row.glyphs, row.shapes, row.more.tolist(), strict=True):
        if bend is not None and one.count > 1:
            yield _letter(one.text, bend.bent(shape), how, LEVEL)
            continue
        made = _letter(one.text, one.shape, how, LEVEL * (one.count > 1))
        x, y = made.x + one.place - row.middle + more, made.y + row.down
        turn = 0.0
        if bend is not None:
            turn = math.degrees(bend.side * x / bend.radius)
            ((x, y),) = bend.placed(np.array([(x, y)])).tolist()
        yield replace(made, x=x, y=y, turn=turn)


def _joined(rows: Sequence[_Row], how: Lettering) -> tuple[shapely.Geometry, shapely.Geometry]:
    """Join all letters: by links where words or letters are nearest, or by a bar along the feet of block letters.

    Return the whole, and what was added.
    """
    import shapely

    whole = shapely.union_all([])
    for row in rows:
        line = shapely.union_all([in_one_piece(shape, BAR) for shape in row.shapes])
        apart = len(row.glyphs) / sum(one.count for one in row.glyphs)
        is_block = len(row.glyphs) > 1 and apart > BLOCK and not any(one.is_joined for one in row.glyphs)
        if is_block or how.mode == ON_BAR:
            left, _, right, _ = shapely.bounds(line).tolist()
            line = shapely.union(line, shapely.box(left, row.down - BAR / 4, right, row.down + BAR))
        line = in_one_piece(line, BAR)
        # Of several links all but one would be cut by slots.
        places = LINKS if how.counters in (OPEN, FILLED) else LINKS[:1]
        whole = line if shapely.is_empty(whole) else _linked(whole, line, places)
    return whole, shapely.difference(whole, shapely.union_all([shape for row in rows for shape in row.shapes]))


def _linked(above: shapely.Geometry, below: shapely.Geometry, places: Sequence[float]) -> shapely.Geometry:
    """Join two lines by upright links at places, fractions of the width that both have."""
    import shapely

    (left, top, right, _), (first, _, last, bottom) = shapely.bounds(above).tolist(), shapely.bounds(below).tolist()
    left, right = max(left, first), min(right, last)
    links = []
    for share in places:
        x = left + share * (right - left)
        upright = shapely.LineString([(x, top - 1.0), (x, bottom + 1.0)])
        ends = [shapely.bounds(shapely.intersection(upright, one)).tolist() for one in (above, below)]
        if not np.isnan(ends).any() and ends[0][3] < ends[1][1]:
            links.append(shapely.box(x - BAR / 2, ends[0][3] - BAR / 4, x + BAR / 2, ends[1][1] + BAR / 4))
    return in_one_piece(shapely.union_all([above, below, *links]), BAR)


def _letter(
    title: str, shape: shapely.Geometry, how: Lettering, levels: float, joints: shapely.Geometry | None = None
) -> Letter:
    """Make a letter of a shape, at its place; `levels` and `joints` are those of slots."""
    import shapely

    shape = shapely.orient_polygons(_as_one(title, shape, how, levels, joints), exterior_cw=False)
    points = ring_of(shapely.get_exterior_ring(shape), 1.0)
    holes = [ring_of(shapely.get_interior_ring(shape, at), 1.0) for at in range(len(shape.interiors))]
    low, high = box(points)
    (x, y), height = ((low + high) / 2).tolist(), float((high - low)[1])
    return Letter(silhouette(title, Outlined((points, *holes))), x, y, height)


def _filled(outline: tuple[Command, ...], size: float) -> shapely.Geometry:
    """Region of a glyph whose capitals are `size` high."""
    return glyph_region([contour / size for contour in contours(outline)])


def glyph_region(strokes: list[Floats]) -> shapely.Geometry:
    """Region of a glyph: contours that turn as the largest fill, the others cut out.

    Large contours go first, because whatever lies in a hole is smaller than the hole.
    """
    import shapely

    shape = shapely.union_all([])
    if not strokes:
        return shape
    lines = Curves.from_strokes(strokes).flattened(FLATTENING)
    parts = shapely.buffer(shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners)), 0)
    order = np.argsort(-shapely.area(parts), kind="stable").tolist()
    for at in order:
        put = shapely.union if lines.sweeps[at] * lines.sweeps[order[0]] > 0 else shapely.difference
        shape = put(shape, parts[at])
    return shape


def contours(outline: tuple[Command, ...]) -> Iterator[Floats]:
    """Closed contours of a glyph; control points, shape (3k + 1, 2)."""
    points: list[Floats] = []
    for command, numbers in outline:
        given = np.array(numbers).reshape(-1, 2)
        if command == "M":
            points = [given]
        elif command == "C":
            points.append(given)
        elif command == "Q":
            begin = points[-1][-1]
            points.append(np.stack([(begin + 2 * given[0]) / 3, (given[1] + 2 * given[0]) / 3, given[1]]))
        else:
            begin, end = points[-1][-1], points[0][0] if command == "Z" else given[0]
            if (begin != end).any():
                points.append(np.stack([(2 * begin + end) / 3, (begin + 2 * end) / 3, end]))
            if command == "Z" and len(points) > 1:
                yield np.concatenate(points)


def _as_one(
    title: str, shape: shapely.Geometry, how: Lettering, levels: float, joints: shapely.Geometry | None
) -> shapely.Polygon:
    """Join the parts of a region by bars, treat its counters, and round its corners.

    What is too thin for wood in another font than the studio's is thickened as little as needed.
    """
    import shapely

    whole = in_one_piece(shape, BAR)
    for growth in GROWTHS:
        more = growth + how.weight / 100
        grown = shapely.buffer(whole, more, quad_segs=QUARTER) if more else whole
        webbed = _webbed(grown) if how.font else grown
        if shapely.get_type_id(webbed) != shapely.GeometryType.POLYGON or shapely.is_empty(webbed):
            continue
        cut = _COUNTERS[how.counters](webbed, joints, levels)
        rounded = _rounded(cut)
        if shapely.get_type_id(rounded) == shapely.GeometryType.POLYGON and not shapely.is_empty(rounded):
            gone = [shapely.difference(grown, webbed), shapely.difference(cut, rounded)] if how.font else []
            if float(shapely.area(gone).sum()) <= LOST * shapely.area(cut):
                is_whole = how.counters in (SLOTTED, FILLED) and len(rounded.interiors)
                return _filled_up(rounded) if is_whole else rounded
    raise StudioError(
        tr("“{text}” is too thin in this font to be cut. Thicken it, or choose a bolder font.", text=title)
    )


def _rounded(shape: shapely.Geometry) -> shapely.Geometry:
    """Close narrow notches, then leave out thin parts."""
    import shapely

    for radius in (LEAST_WIDTH / 2, -LEAST_WIDTH, LEAST_WIDTH / 2):
        shape = shapely.buffer(shape, radius, quad_segs=QUARTER)
    return shape


def _webbed(shape: shapely.Geometry) -> shapely.Geometry:
    """Fill gaps between strokes that are too narrow for wood, so widely that the fillings last; round all corners."""
    import shapely

    radius = WEB * LEAST_WIDTH
    for wider in WIDER:
        closed = _buffered(_buffered(shape, radius), -radius)
        opened = _buffered(_buffered(closed, -radius), radius)
        webs = shapely.get_parts(shapely.difference(closed, shape))
        lost = shapely.area(shapely.difference(webs, opened))
        webs = webs[(lost > LEAST_WEB) & (lost > LOST_WEB * shapely.area(webs))]
        if not len(webs):
            break
        around = shapely.union_all(_buffered(webs, 2 * wider * radius))
        filled = _buffered(_buffered(shape, wider * radius), -wider * radius)
        shape = shapely.union(shape, shapely.intersection(filled, around))
    for distance in (radius, -2 * radius, radius):
        shape = shapely.buffer(shape, distance, quad_segs=QUARTER)
    return shape


def _buffered(shape: Any, distance: float) -> Any:
    """Offset a region or an array of regions roughly: with fewer corners."""
    import shapely

    return shapely.simplify(shapely.buffer(shape, distance, quad_segs=QUARTER // 2), 2 * FLATTENING)


def _slotted(shape: shapely.Geometry, joints: shapely.Geometry | None, levels: float) -> shapely.Geometry:
    """Connect the holes of a region to the outside by slots, if possible not through its joints.

    A level slot may be longer than the shortest by a factor `levels`.
    """
    import shapely

    kept = None if joints is None else shapely.buffer(joints, SLOT / 2)
    while shapely.get_num_interior_rings(shape):
        holes = _holes(shape)
        rim = shapely.get_exterior_ring(shape)
        free = rim if kept is None else shapely.difference(rim, kept)
        rim = rim if shapely.is_empty(free) else free
        # The hole nearest to the rim first: the others may then open into it.
        hole = holes[int(shapely.distance(holes, rim).argmin())]
        open_one = shapely.difference(shape, _slot(hole, rim, levels))
        is_whole = shapely.get_type_id(open_one) == shapely.GeometryType.POLYGON
        # A counter is filled if its slot would cut the letter in two.
        shape = open_one if is_whole else shapely.union(shape, hole)
    return shape


def _slot(hole: shapely.Geometry, rim: shapely.Geometry, levels: float) -> shapely.Polygon:
    """A slot from a hole to a rim."""
    import shapely

    left, top, right, bottom = shapely.bounds(hole).tolist()
    line = shapely.LineString([(left - 1.0, (top + bottom) / 2), (right + 1.0, (top + bottom) / 2)])
    begin, end = shapely.intersection(line, hole), shapely.intersection(line, rim)
    # A bowl that is open at its side is still read as one, unlike one that is open at its top or foot.
    if not shapely.is_empty(end) and shapely.distance(begin, end) < levels * shapely.distance(hole, rim):
        return bar(begin, end, SLOT)
    return bar(hole, rim, SLOT, CENTRED)


def _bridged(shape: shapely.Geometry, joints: shapely.Geometry | None, levels: float) -> shapely.Geometry:
    """Keep the counters of a region, each in a groove but for a bridge, and slot spaces; small counters are open."""
    import shapely

    holes = _holes(shape)
    counters = [one for one in holes if joints is None or shapely.distance(one, joints) > TOUCH]
    whole = shapely.union_all([shape, *counters])
    whole = _slotted(whole, joints, levels) if len(counters) < len(holes) else whole
    for counter in counters:
        island = shapely.buffer(counter, -SLIT, quad_segs=QUARTER)
        if shapely.get_type_id(island) == shapely.GeometryType.POLYGON and shapely.area(island) >= LEAST_ISLAND:
            counter = shapely.difference(counter, shapely.union(island, bar(island, shape, BAR)))
        whole = shapely.difference(whole, counter)
    return whole


def _holes(shape: shapely.Geometry) -> list[shapely.Geometry]:
    """Holes of a region as polygons."""
    import shapely

    return [shapely.polygons(shapely.get_interior_ring(shape, at)) for at in range(len(shape.interiors))]


def _filled_up(shape: shapely.Geometry, *_how: object) -> shapely.Geometry:
    import shapely

    return shapely.polygons(shapely.get_exterior_ring(shape))


_COUNTERS: dict[str, Callable[[shapely.Geometry, shapely.Geometry | None, float], shapely.Geometry]] = {
    SLOTTED: _slotted, OPEN: lambda shape, *_how: shape, BRIDGED: _bridged, FILLED: _filled_up,
}  # fmt: skip


def _shifted(shape: shapely.Geometry, right: float, down: float = 0.0) -> shapely.Geometry:
    import shapely

    return shapely.transform(shape, lambda at: at + np.array((right, down)))
