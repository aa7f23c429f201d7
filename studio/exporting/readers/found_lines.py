"""A file with lines as it is read back, in the same form for all formats, and its comparison with a drawing.

Readers know nothing of writers: they state the layer of each line and the file's facts on that layer, and the proof
compares these with the drawing, line by line: it names the first that differs, how and where. They read no more than
our own files use and refuse the rest: a file that holds anything else is not ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from studio.base.texts import tr
from studio.exporting.colour_profiles import Layer, Profile
from studio.exporting.options import Unreadable
from studio.geometry.art.artwork import channels
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, offsets, paired, ranges
from studio.geometry.planar.drawing import Chain, Drawing, Operation

_SIZES = {"M": 2, "L": 2, "C": 6, "Z": 0}
_SAMPLED = 0.25
"""Share of the tolerance by which chords of sampled curves may stray."""
_SAMPLED_ARCS = 0.05
"""That share where both the curve and arcs are sampled."""


@dataclass(frozen=True)
class FoundLayer:
    """A layer as a file states it; None for facts that its format does not state.

    `colour` is red, green and blue from 0 to 1, `aci` a DXF colour number, `number` and `turn` are the place of a
    LightBurn layer in the palette and in the order of work, and `runs` is False if the machine skips the layer.
    """

    name: str
    colour: tuple[float, ...] | None = None
    aci: int | None = None
    number: int | None = None
    turn: int | None = None
    runs: bool | None = None


@dataclass(frozen=True, eq=False)
class FoundLine:
    """One line of a file, points in mm, y downwards; a closed line ends at its start.

    If `curved`, points are the 3k + 1 control points of k cubics, else the corners of a polyline. A polyline may have
    `bulges`, one for each step: tangents of a quarter of the angle of an arc, positive from the x to the y axis.
    """

    layer: FoundLayer
    points: Floats
    closed: bool
    curved: bool
    bulges: Floats | None = None

    def chords(self, tolerance: float) -> FoundLine:
        """Return a polyline with arcs as chords that stray by no more than `tolerance` mm; any other line as it is."""
        if self.bulges is None:
            return self
        points = arc_places(self.points, self.bulges, tolerance)[0]
        return FoundLine(self.layer, points, self.closed, curved=False)

    @property
    def length(self) -> float:
        """The true length in mm."""
        if self.curved:
            return float(Curves.from_strokes([self.points]).lengths[0])
        steps = np.hypot(*np.diff(self.points, axis=0).T)
        return float(steps.sum() if self.bulges is None else (steps * stretched(self.bulges)).sum())


def stretched(bulges: Floats) -> Floats:
    """Return the lengths of arcs by their chords."""
    half = 2 * np.arctan(bulges)
    return np.asarray(1 / np.sinc(half / np.pi))


def arc_places(points: Floats, bulges: Floats, tolerance: float) -> tuple[Floats, Ints]:
    """Return places along a polyline with arcs, its corners among them, and the number of the step to each.

    Chords from place to place stray by no more than `tolerance` mm; the first place counts to the first step.
    """
    corners = paired(points)
    way, half = np.diff(corners), 2 * np.arctan(bulges)
    # Half a chord of an arc is the radius times the sine of half its angle; a chord sinks by a quarter of it.
    radius = np.abs(way) / np.maximum(2 * np.abs(np.sin(half)), 1e-12)
    widest = np.arccos(np.clip(1 - tolerance / np.maximum(radius, tolerance), 0, 1 - 1e-12))
    counts = np.maximum(1, np.ceil(np.abs(half) / widest)).astype(np.int64)
    steps = np.arange(len(way)).repeat(counts)
    share = ranges(np.ones(len(counts), np.int64), counts) / counts.repeat(counts)
    angle = half[steps]
    # The chord to a place is seen at half the angle to it (Euclid, Elements III.20).
    along = share * np.sinc(share * angle / np.pi) / np.sinc(angle / np.pi)
    places = corners[steps] + way[steps] * along * np.exp(1j * angle * (share - 1))
    places[share == 1] = corners[1:]
    found = np.append(corners[:1], places).view(np.float64).reshape(-1, 2)
    return found, np.append([0], steps)


@dataclass(frozen=True, eq=False)
class FoundArea:
    """A filled area: its steps M, L and Z as one text, their points (n, 2) in mm, and its colour from 0 to 1."""

    steps: str
    points: Floats
    fill: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class FoundPicture:
    """A picture: left, top, width and height in mm, and its bytes: of its file, of its lines, or of pixels and mask.

    `lines` are columns, rows, bits of a number and numbers of a pixel if the bytes are packed lines of a PNG. `turn` is
    in degrees clockwise about its middle, `clip` the steps and points of its clip.
    """

    box: tuple[float, float, float, float]
    data: bytes
    mask: bytes = b""
    lines: tuple[int, ...] = ()
    turn: float = 0.0
    clip: tuple[str, Floats] | None = None


@dataclass(frozen=True, eq=False)
class Sheet:
    """The contents of a file: a page in mm, the lines in the order of the file, and the artwork below them.

    The artwork is None if the format leaves it out. `notes` are lines about the recipe by the names of layers, and
    about the whole sheet by the name of a remark; None if the format has no place for them.
    """

    width: float
    height: float
    lines: tuple[FoundLine, ...]
    artwork: tuple[FoundArea | FoundPicture, ...] | None = None
    notes: Mapping[str, str] | None = None


def unbroken(commands: list[str], numbers: Floats) -> tuple[Floats, bool]:
    """Return the control points of a line given by M, L, C and Z and their numbers, and whether it is closed.

    Straight steps become straight cubics. Raises Unreadable if it is not one unbroken line.
    """
    known = list(map(_SIZES.get, commands))
    if None in known:
        raise Unreadable(tr("a path has an unknown command or number"))
    sizes = np.array(known, np.int64)
    ends = np.cumsum(sizes)
    closed = commands[-1:] == ["Z"]
    drawn = commands[1 : len(commands) - closed]
    if commands[:1] != ["M"] or not drawn or {"M", "Z"} & set(drawn) or ends[-1] != len(numbers):
        raise Unreadable(tr("a path is not one continuous line"))
    corners = ends[: len(drawn) + 1, None] + (-2, -1)
    vertices = numbers[corners]
    curved = sizes[1 : len(drawn) + 1] == _SIZES["C"]
    controls = np.empty((len(drawn), 3, 2))
    controls[:, 2] = vertices[1:]
    arms = corners[1:][curved][:, :1] + (-4, -3, -2, -1)
    controls[curved, :2] = numbers[arms].reshape(-1, 2, 2)
    step = vertices[1:] - vertices[:-1]
    controls[~curved, 0] = (vertices[:-1] + step / 3)[~curved]
    controls[~curved, 1] = (vertices[1:] - step / 3)[~curved]
    points = np.concatenate([vertices[:1], controls.reshape(-1, 2)])
    if closed and (points[0] != points[-1]).any():
        raise Unreadable(tr("a closed path does not end where it starts"))
    return points, closed


@dataclass(frozen=True)
class Apart:
    """The worst point of a line in mm: its distance from its proper place, and that place."""

    distance: float
    place: tuple[float, float]

    @classmethod
    def from_distances(cls, distances: Floats, places: Floats) -> Apart:
        """Return the worst of some points (n, 2)."""
        at = int(distances.argmax())
        return cls(float(distances[at]), (float(places[at, 0]), float(places[at, 1])))


class _Span(NamedTuple):
    """The points of a line of a file along a stroke, given as its code, and the bulges between them."""

    line: int
    code: int
    points: Floats
    bulges: Floats | None


@dataclass(frozen=True, eq=False)
class Courses:
    """The courses of a drawing's chains, and the tolerances in mm for lines of a file.

    Each coordinate in a file is up to `rounding` off, and a polyline may stray by `tolerance`.
    """

    strokes: Curves
    rounding: float
    tolerance: float

    @property
    def exact(self) -> float:
        """Tolerance in mm of a point: the corner of the square of rounded numbers, and some noise."""
        return 2 * self.rounding

    def strays(self, lines: Sequence[FoundLine], chains: Sequence[Chain]) -> list[Apart | None]:
        """Return the worst point of each line that is not its chain, None for each line that is."""
        suspects: set[int] = set()
        spans: list[_Span] = []
        for number, (line, chain) in enumerate(zip(lines, chains, strict=True)):
            if line.curved:
                is_sure = _steps_apart(line.points, self.curve(chain), self.exact) <= self.exact
            else:
                is_sure = self._is_divided(line, chain, number, spans)
            if not is_sure:
                suspects.add(number)
        suspects |= self._straying(spans)
        return [
            self._measured(line, chain) if number in suspects else None
            for number, (line, chain) in enumerate(zip(lines, chains, strict=True))
        ]

    def stray(self, line: FoundLine, chain: Chain) -> Apart | None:
        """Return the worst point of a line that is not the chain, None if it is."""
        return self.strays([line], [chain])[0]

    def is_chain(self, line: FoundLine, chain: Chain) -> bool:
        """True if a line is a chain; most lines are ruled out by their ends."""
        ends = self.curve(chain)[[0, -1]]
        return bool(np.abs(line.points[[0, -1]] - ends).max() <= self.exact) and self.stray(line, chain) is None

    def curve(self, chain: Chain) -> Floats:
        """Return the control points (3k + 1, 2) of a chain."""
        return self.strokes.joined(chain.strokes, np.array([0, len(chain.strokes)])).points

    def _is_divided(self, line: FoundLine, chain: Chain, number: int, spans: list[_Span]) -> bool:
        """True if a polyline has the ends of all strokes in turn; `spans` gets the points of each stroke."""
        numbers, backwards = chain.strokes >> 1, (chain.strokes & 1).astype(bool)
        ends = self.strokes.ends[numbers]
        ends[backwards] = ends[backwards, ::-1]
        # Strokes shorter than a file's resolution have one point in it.
        is_short = self.strokes.lengths[numbers] <= self.exact
        points, bulges = line.points, line.bulges
        vertices, at, exact = points.tolist(), 0, self.exact
        if not _is_near(vertices[0], ends[0, 0].tolist(), exact):
            return False
        for code, end, short in zip(chain.strokes.tolist(), ends[:, 1].tolist(), is_short.tolist(), strict=True):
            begin = at
            at += not short
            while at < len(vertices) and not _is_near(vertices[at], end, exact):
                at += 1
            if at == len(vertices):
                return False
            spans.append(_Span(number, code, points[begin : at + 1], None if bulges is None else bulges[begin:at]))
        return at + 1 == len(vertices)

    def _straying(self, spans: list[_Span]) -> set[int]:
        import shapely

        bent = [span for span in spans if span.bulges is not None and len(span.bulges)]
        found = self._straying_arcs(bent) if bent else set()
        spans = [span for span in spans if span.bulges is None or not len(span.bulges)]
        if not spans:
            return found
        numbers = np.array([span.code >> 1 for span in spans])
        fine = self.strokes.chosen(numbers).flattened(_SAMPLED * self.tolerance)
        wanted = shapely.linestrings(fine.points, indices=fine.owners)
        some = [np.repeat(span.points, 2, axis=0) if len(span.points) == 1 else span.points for span in spans]
        owners = np.repeat(np.arange(len(some)), [len(points) for points in some])
        lines = shapely.linestrings(np.concatenate(some), indices=owners)
        strays = shapely.hausdorff_distance(lines, wanted) > self.tolerance + self.exact
        return found | {spans[at].line for at in np.flatnonzero(strays).tolist()}

    def _straying_arcs(self, spans: list[_Span]) -> set[int]:
        """Return the lines with arcs that are too far from their strokes, or whose strokes are too far from them.

        Places are compared with what is as far along, and its neighbours; so no distance is taken for less than it is.
        """
        codes = np.array([span.code for span in spans])
        fine = self.strokes.joined(codes, np.arange(len(codes) + 1)).flattened(_SAMPLED * self.tolerance)
        counts = np.array([len(span.points) for span in spans])
        arcs = Polylines(np.concatenate([span.points for span in spans]), offsets(counts))
        # A last bulge of 0 leads from each span to the next, and is never compared.
        bulges = np.concatenate([np.append(span.bulges, 0.0) for span in spans])  # type: ignore[arg-type]
        places, steps = arc_places(arcs.points, bulges[:-1], _SAMPLED * self.tolerance)
        owners = np.append(0, arcs.owners[steps[1:] + 1])
        on_arcs = Polylines(places, offsets(np.bincount(owners, minlength=len(spans))))
        there = _worst(fine, arcs, bulges)
        back = _worst(on_arcs, fine, np.zeros(len(fine.points))) - _SAMPLED * self.tolerance
        strays = np.maximum(there, back) > self.tolerance + self.exact
        return {spans[at].line for at in np.flatnonzero(strays).tolist()}

    def _measured(self, line: FoundLine, chain: Chain) -> Apart | None:
        """Return the worst point of a line, both ways along its whole length; None if it follows its chain."""
        import shapely

        curve, most = self.curve(chain), self.tolerance + self.exact
        followed = (_SAMPLED if line.bulges is None else _SAMPLED_ARCS) * most
        one = (
            Curves.from_strokes([line.points]).flattened(followed).points
            if line.curved
            else line.chords(followed).points
        )
        two = Curves.from_strokes([curve]).flattened(followed).points
        own = shapely.distance(shapely.points(one), shapely.linestrings(two))
        other = shapely.distance(shapely.points(two), shapely.linestrings(one))
        apart = Apart.from_distances(np.concatenate([own, other]), np.concatenate([one, two]))
        # A point that was moved along its line is farther from its own place than from the line.
        corners, wanted = shapely.multipoints(line.points), self.strokes.ends[chain.strokes >> 1].reshape(-1, 2)
        ends = Apart.from_distances(shapely.distance(shapely.points(wanted), corners), wanted)
        if apart.distance <= most and np.hypot(*(line.points[[0, -1]] - curve[[0, -1]]).T).max() <= self.exact:
            return None
        return ends if ends.distance > apart.distance else apart


def _worst(places: Polylines, arcs: Polylines, bulges: Floats) -> Floats:
    """Return the largest distance of each run of places from its run of arcs, or more.

    Each place is compared with the arc as far along in its run, and the arcs before and behind that one.
    """
    runs = places.owners
    ends = _along(arcs, stretched(bulges[:-1]))[1:] + arcs.owners[1:]
    at = np.searchsorted(ends, _along(places, np.ones(len(places.points) - 1)) + runs)
    apart = np.full(len(runs), np.inf)
    for by in (-1, 0, 1):
        step = np.clip(at + by, arcs.starts[runs], arcs.starts[runs + 1] - 2)
        apart = np.minimum(apart, _from_arc(places.points, arcs.points[step], arcs.points[step + 1], bulges[step]))
    return np.asarray(np.maximum.reduceat(apart, places.starts[:-1]))


def _along(lines: Polylines, stretch: Floats) -> Floats:
    """Return how far along its run each point is, from 0 to less than 1, by the stretch of the step to the next."""
    steps = np.append([0.0], np.hypot(*np.diff(lines.points, axis=0).T) * stretch)
    steps[lines.starts[:-1]] = 0
    long = np.cumsum(steps)
    begins, ends = long[lines.starts[:-1]][lines.owners], long[lines.starts[1:] - 1][lines.owners]
    return np.asarray((long - begins) / np.maximum(ends - begins, 1e-12) * 0.999)


def _from_arc(places: Floats, begins: Floats, ends: Floats, bulges: Floats) -> Floats:
    """Return the distance of each place (n, 2) from an arc or a line; infinite if the arc is over half a circle."""
    place, begin, end = paired(places), paired(begins), paired(ends)
    way, turn = end - begin, np.exp(2j * np.arctan(bulges))
    is_arc = np.abs(bulges) > 1e-7
    bulge = np.where(is_arc, bulges, 1.0)
    # The middle of the circle is on the axis of the chord (Euclid, Elements III.1).
    middle = begin + way * (0.5 + 0.25j * (1 - bulge**2) / bulge)
    on_circle = np.abs(np.abs(place - middle) - np.abs(begin - middle))
    on_line = np.abs(((place - begin) * way.conjugate()).imag) / np.maximum(np.abs(way), 1e-12)
    before = ((place - begin) * (way / turn).conjugate()).real < 0
    behind = ((place - end) * (way * turn).conjugate()).real > 0
    apart = np.where(is_arc, on_circle, on_line)
    apart = np.where(before, np.abs(place - begin), np.where(behind, np.abs(place - end), apart))
    return np.where(np.abs(bulges) > 1, np.inf, apart)


def _is_near(one: list[float], other: list[float], most: float) -> bool:
    return abs(one[0] - other[0]) <= most and abs(one[1] - other[1]) <= most


def _steps_apart(found: Floats, wanted: Floats, exact: float) -> float:
    """Bound in mm on the distance of two curves, by the control points of their cubics; infinite if unknown.

    A cubic is nowhere farther from another than the farthest of its control points.
    """
    here, there = _cubics(found), _cubics(wanted)
    if len(here) != len(there):
        here, there = (some[np.ptp(some, axis=1).max(axis=1) > 2 * exact] for some in (here, there))
    if len(here) != len(there):
        return np.inf
    if not len(here):
        return 0.0
    aside = np.hypot(*np.moveaxis(here - there, 2, 0))
    # Straight cubics are written as lines, whose control points are elsewhere on the same line.
    moved = np.flatnonzero((aside[:, 1:3] > exact).any(axis=1))
    aside[moved, 1:3] = _straight_apart(here[moved], there[moved], aside[moved, 1:3], exact)
    return float(aside.max())


def _cubics(points: Floats) -> Floats:
    return np.stack([points[0:-1:3], points[1::3], points[2::3], points[3::3]], 1)


def _straight_apart(here: Floats, there: Floats, aside: Floats, exact: float) -> Floats:
    """Return the distances of inner control points (n, 2) from the lines of straight cubics; others as given."""
    chord = here[:, 3] - here[:, 0]
    length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), exact)
    along = chord / length[:, None]

    def off(cubics: Floats) -> Floats:
        arms = cubics[:, 1:3] - here[:, :1]
        reach = (arms * along[:, None]).sum(axis=2)
        beside = np.abs(arms[..., 0] * along[:, None, 1] - arms[..., 1] * along[:, None, 0])
        return np.asarray(np.hypot(beside, np.maximum(0, np.maximum(-reach, reach - length[:, None]))))

    is_line = off(here).max(axis=1, initial=0) <= exact
    return np.asarray(np.where(is_line[:, None], off(there), aside))


# Tolerance of red, green and blue, from 0 to 1: less than a 255th.
_SHADE = 0.002
# Tolerance in mm of strokes for finding the nearest to a place.
_FOLLOWED = 0.05


class Naming:
    """Names the lines of a drawing by the pieces on either side."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing

    def told(self, chain: int, place: Sequence[float] | Floats, what: str) -> str:
        """Return a sentence on a faulty chain, with its name and the place in mm."""
        x, y = float(place[0]), float(place[1])
        line = self._name(chain, x, y)
        return tr("{line} near x {x:.1f}, y {y:.1f} mm {what}", line=line, x=x, y=y, what=what)

    def _name(self, chain: int, x: float, y: float) -> str:
        """Name a chain by the pieces at its stroke nearest to a place."""
        import shapely

        strokes, pieces = self._drawing.chains[chain].strokes >> 1, self._drawing.pieces
        lines = self._drawing.strokes.chosen(strokes).flattened(_FOLLOWED)
        apart = shapely.distance(shapely.linestrings(lines.points, indices=lines.owners), shapely.points(x, y))
        beside = pieces.owners[pieces.codes >> 1 == strokes[int(apart.argmin())]]
        names = [pieces.names[piece] for piece in dict.fromkeys(beside.tolist())]
        operation = self._drawing.chains[chain].operation
        if names:
            return tr("the line of piece {pieces}", pieces="–".join(names))
        return tr("line {number} ({operation})", number=chain + 1, operation=operation.value)


def refuse_other_lines(found: Sequence[FoundLine], drawing: Drawing, known: Profile, courses: Courses) -> None:
    """Raise Unreadable, naming line and place, if lines differ from a drawing's chains or their layers.

    Lines and chains are in the same order, so the first difference explains the fault.
    """
    chains = list(drawing.chains)
    both = min(len(found), len(chains))
    strays = courses.strays(found[:both], chains[:both])
    asked = {layer.operation: layer for layer in known.every}
    names = Naming(drawing)
    last_turn = -1
    for number, (line, chain, stray) in enumerate(zip(found, chains, strays, strict=False)):
        if stray is not None:
            raise Unreadable(_moved(number, found, chains, courses, names))
        place = line.points[len(line.points) // 2]
        wrong = _on_other_layer(line.layer, asked[chain.operation])
        if not wrong and chain.closed and not line.closed:
            wrong = tr("is not closed")
        if not wrong and line.layer.turn is not None and line.layer.turn < last_turn:
            wrong = tr("is on a layer that is worked too early")
        if wrong:
            raise Unreadable(names.told(number, place, wrong))
        last_turn = last_turn if line.layer.turn is None else line.layer.turn
    if len(found) < len(chains):
        raise Unreadable(names.told(both, _middle(courses, chains[both]), tr("is missing")))
    if len(found) > len(chains):
        raise Unreadable(_added(found[both], chains, courses, names))


def _on_other_layer(found: FoundLayer, asked: Layer) -> str:
    """Return the difference between a layer and the expected one; empty if there is no difference."""
    if found.name != asked.name:
        return tr("is on layer {layer} and should be on {wanted}", layer=found.name, wanted=asked.name)
    runs = asked.operation is not Operation.MARK
    if found.runs is not None and found.runs != runs:
        if runs:
            return tr("is on layer {layer}, which never runs", layer=asked.name)
        return tr("is on layer {layer}, which is cut and should be a tool layer", layer=asked.name)
    stated: list[tuple[Any, Any]] = [(found.aci, asked.aci), (found.number, asked.cut)]
    for is_value, wanted in stated:
        if is_value is not None and is_value != wanted:
            return tr(
                "is on layer {layer}, whose number is {number} and should be {wanted}",
                layer=asked.name,
                number=is_value,
                wanted=wanted,
            )
    shade = np.array(channels(asked.colour)) / 255
    if found.colour is not None and not np.allclose(found.colour, shade, rtol=0, atol=_SHADE):
        return tr("does not have the colour {colour} of layer {layer}", colour=asked.colour, layer=asked.name)
    return ""


def _moved(number: int, found: Sequence[FoundLine], chains: Sequence[Chain], courses: Courses, names: Naming) -> str:
    """Explain the first line that is not its chain: missing, surplus, reversed, out of order, or moved."""
    line, chain = found[number], chains[number]
    missing = names.told(number, _middle(courses, chain), tr("is missing"))
    if number + 1 < len(chains) and courses.is_chain(line, chains[number + 1]):
        return missing
    if number + 1 < len(found) and courses.is_chain(found[number + 1], chain):
        return _added(line, chains, courses, names)
    bulges = None if line.bulges is None else -line.bulges[::-1]
    turned = FoundLine(line.layer, line.points[::-1], line.closed, line.curved, bulges)
    if courses.is_chain(turned, chain):
        return names.told(number, line.points[0], tr("is cut in the other direction"))
    for other, candidate in enumerate(chains):
        if courses.is_chain(line, candidate):
            return names.told(other, _middle(courses, candidate), tr("is not in its place in the cutting order"))
    stray = courses.stray(line, chain)
    assert stray is not None
    return names.told(number, stray.place, tr("is moved by {distance:.2g} mm", distance=stray.distance))


def _added(line: FoundLine, chains: Sequence[Chain], courses: Courses, names: Naming) -> str:
    """Name the chain that a surplus line repeats, or its place if it repeats none."""
    place = line.points[len(line.points) // 2]
    for number, chain in enumerate(chains):
        if courses.is_chain(line, chain):
            return names.told(number, place, tr("is duplicated"))
    return tr("there is a line near x {x:.1f}, y {y:.1f} mm that the drawing does not have", x=place[0], y=place[1])


def _middle(courses: Courses, chain: Chain) -> Floats:
    curve = courses.curve(chain)
    return np.asarray(curve[len(curve) // 6 * 3])
