"""Reads the colours of a zigzaw's pieces and border off pictures of them, and reports doubtful readings.

Colours are compared in OKLab, where equal distances look alike. box: the part of a picture that the piece fills. The
colour of a limb is the median of small patches in the middles of its stickers; its paint is the nearest of a palette.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import Pixels
from studio.geometry.curves.strokes import Floats
from studio.puzzles.zigzaw.colours import GROUND, of_paints, oklab, to_hex
from studio.puzzles.zigzaw.generate import Loose, side_words
from studio.puzzles.zigzaw.model import CUBE_COLOURS, MOST, PALETTES, Paint, ZigzawParameters, layout, palette
from studio.puzzles.zigzaw.piece_forms import (
    BODIES,
    DIVISION,
    FACES,
    HALF,
    STEPS,
    STICKERS,
    Body,
    Point,
    Sticker,
    body,
    extent,
)
from studio.solving.edges import UNKNOWN

Bools = NDArray[np.bool_]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture, in pixels."""

FAR = 0.14
"""The distance from its paint beyond which a colour is doubtful; red and orange of the usual palette are 0.19 apart."""
NEAR = 0.6
"""The share of the distance to the second paint beyond which the first is doubtful."""
ROUGH = 0.12
"""Greatest distance of a limb's stickers from its colour."""
SEEN = 0.5
"""The share of a limb's samples that must be opaque."""
LEAST_EDGE = 4.0
"""Pixels along the edge of a sticker."""
_PATCH = 0.2
"""Half the side of a patch, in edges of a sticker."""
_UNLIKE, _MOST_UNLIKE = 20.0, 60.0
"""Least distance, of 255, of a piece's pixels from the background; the second for noisy pictures."""
_BARE = 0.05
"""Greatest distance of a face without a sticker from the studio's ground."""
_SMALLEST = 8
"""Pixels along the side of a picture in which a background is looked for."""
_SOLID = 0.9
"""The share of places inside and outside an outline at which a picture must have the piece, and nothing."""
_ASPECT = 0.03
"""Greatest difference between the logarithms of two ratios of width to height."""


@dataclass(frozen=True)
class Reading:
    """Reading of a limb, or of a face of the border: its paint or UNKNOWN, the second best, and their certainty.

    `distance` and `margin` are in OKLab: the distance of the colour from the paint, and how much farther the second is.
    `rough` is the distance of its worst sticker from the colour, `seen` the share of opaque samples.
    """

    paint: int
    second: int = UNKNOWN
    colour: str = ""
    distance: float = 0.0
    margin: float = 1.0
    rough: float = 0.0
    seen: float = 1.0
    is_chosen: bool = False
    """True if the maker chose the paint."""

    @property
    def doubt(self) -> str:
        """The reason for doubt, in few words; empty for a sure reading."""
        if self.is_chosen:
            return ""
        if self.paint == UNKNOWN or self.seen < SEEN:
            return tr("is not visible")
        if self.distance > FAR:
            return tr("matches no colour")
        if self.distance > NEAR * (self.distance + self.margin):
            return tr("is between two colours")
        return tr("is uneven") if self.rough > ROUGH else ""


@dataclass(frozen=True, eq=False)
class PieceReading:
    """A piece: its number in the name of its file, its picture, the box of the piece in that, and its limbs."""

    name: str
    pixels: Pixels
    box: Box
    limbs: tuple[Reading, ...]


class Spot(NamedTuple):
    """The place of a reading: the limb of a piece, counted from 0, or a side of the border."""

    piece: int
    part: int


BORDER = -1
"""The number of the border, in place of a piece's."""


@dataclass(frozen=True, eq=False)
class Readings:
    """All that was read, ready to be corrected; `border` has a reading for each side that the frame shows."""

    columns: int
    rows: int
    body: str
    paints: tuple[Paint, ...]
    pieces: tuple[PieceReading, ...]
    border: Mapping[int, Reading]
    border_pixels: Pixels
    border_box: Box

    @property
    def parameters(self) -> ZigzawParameters:
        """The size and body of the board."""
        return ZigzawParameters(columns=self.columns, rows=self.rows, body=self.body)

    def at(self, spot: Spot) -> Reading:
        """The reading at a spot."""
        return self.border[spot.part] if spot.piece == BORDER else self.pieces[spot.piece].limbs[spot.part]

    def spots(self, piece: int) -> list[Spot]:
        """The spots of a piece, or of the border."""
        parts = self.border if piece == BORDER else range(len(self.pieces[piece].limbs))
        return [Spot(piece, part) for part in parts]

    @cached_property
    def every_spot(self) -> list[Spot]:
        """The spots of the border, then of the pieces."""
        return [spot for piece in range(BORDER, len(self.pieces)) for spot in self.spots(piece)]

    @cached_property
    def doubtful(self) -> list[Spot]:
        """The spots whose readings are in doubt."""
        return [spot for spot in self.every_spot if self.at(spot).doubt]

    @property
    def is_whole(self) -> bool:
        """True if every limb has a colour, sure or not."""
        return all(one.paint != UNKNOWN for piece in self.pieces for one in piece.limbs)

    def with_paint(self, spot: Spot, paint: int) -> Readings:
        """The readings with the paint that a maker chose for a spot."""
        chosen = replace(self.at(spot), paint=paint, is_chosen=True)
        if spot.piece == BORDER:
            return replace(self, border={**self.border, spot.part: chosen})
        old = self.pieces[spot.piece]
        limbs = (*old.limbs[: spot.part], chosen, *old.limbs[spot.part + 1 :])
        pieces = (*self.pieces[: spot.piece], replace(old, limbs=limbs), *self.pieces[spot.piece + 1 :])
        return replace(self, pieces=pieces)

    def words_at(self, spot: Spot) -> str:
        """The reading at a spot, in words."""
        reading = self.at(spot)
        if spot.piece == BORDER:
            name = side_words(self.parameters, spot.part).removeprefix("the ")
        else:
            name = tr(
                "{limb} of {name}",
                limb=words_of(body(self.body).limbs[spot.part].name),
                name=self.pieces[spot.piece].name,
            )
        if reading.paint == UNKNOWN:
            return f"{name} {reading.doubt}"
        paint = self.paints[reading.paint].name
        if not reading.doubt:
            return (
                tr("{spot} is {paint} (your choice)", spot=name, paint=paint)
                if reading.is_chosen
                else tr("{spot} is {paint} (read {colour})", spot=name, paint=paint, colour=reading.colour)
            )
        if reading.second != UNKNOWN:
            paint = tr("{paint}, perhaps {second}", paint=paint, second=self.paints[reading.second].name)
        return tr(
            "{spot} {doubt} (read {colour}: {paint})",
            spot=name,
            doubt=reading.doubt,
            colour=reading.colour,
            paint=paint,
        )

    def doubts(self) -> Iterator[str]:
        """The doubtful readings in words, pieces first."""
        return (self.words_at(spot) for spot in sorted(self.doubtful, key=lambda spot: spot.piece == BORDER))

    def loose(self) -> Loose:
        """The pieces as they were read; raises StudioError for a limb that could not be."""
        for spot in self.every_spot:
            if spot.piece != BORDER and self.at(spot).paint == UNKNOWN:
                raise StudioError(tr("the {spot}.", spot=self.words_at(spot)))
        pieces = tuple(tuple(reading.paint for reading in piece.limbs) for piece in self.pieces)
        border = {side: reading.paint for side, reading in self.border.items() if reading.paint != UNKNOWN}
        return Loose(self.columns, self.rows, self.body, self.paints, pieces, border)


def words_of(limb: str) -> str:
    """A limb as sentences call it: `left arm`."""
    return limb.replace("_", " ")


def read_pictures(pieces: Iterable[tuple[str, Pixels]], border: Pixels, progress: Progress) -> Readings:
    """Read pictures of pieces, each with its name, and of the border; raise StudioError for other pictures."""
    seen = []
    for name, pixels in pieces:
        progress.step(0.0, tr("Examining {name}", name=name))
        seen.append(_Seen.from_picture(name, pixels).cropped)
    form = _form_of(seen)
    known = body(form)
    whole = _Seen.from_picture(tr("the border"), border)
    columns, rows, low, high = _size_of(len(seen), whole.box)
    samples: list[_Samples] = []
    points = {limb.name: np.array([_middle(one, STEPS[limb.step]) for one in limb.stickers]) for limb in known.limbs}
    low_piece, high_piece = _bounds(known)
    for at, piece in enumerate(seen):
        progress.step(0.9 * at / len(seen), tr("Reading the pieces"))
        grid = _Grid(piece.box, low_piece, high_piece)
        if grid.edge < LEAST_EDGE:
            words = tr(
                "{name} is too small: its stickers are {edge:.1f} pixels wide and need at least {least:g}.",
                name=piece.name,
                edge=grid.edge,
                least=LEAST_EDGE,
            )
            raise StudioError(words)
        samples += [_sampled(piece.pixels, grid, points[limb.name]) for limb in known.limbs]
    progress.step(0.95, tr("Reading the border"))
    frame = _Grid(whole.box, low, high)
    sides = _border_points(ZigzawParameters(columns=columns, rows=rows, body=form))
    samples += [_sampled(border, frame, at) for at in sides.values()]
    paints, found = _painted(samples)
    count = len(known.limbs)
    read = tuple(
        PieceReading(piece.name, piece.pixels, piece.box, tuple(found[count * at : count * (at + 1)]))
        for at, piece in enumerate(seen)
    )
    of_border = dict(zip(sides, found[count * len(seen) :], strict=True))
    # Faces that the picture cuts off, or that have no sticker, as in an imported puzzle with a partly unknown border,
    # stay unknown, which is no reason for doubt.
    for side, one in list(of_border.items()):
        off = of_paints([Paint("colour", one.colour), Paint("ground", GROUND)]) if one.paint != UNKNOWN else None
        if off is None or (one.distance > FAR / 2 and np.linalg.norm(off[0] - off[1]) < _BARE):
            del of_border[side]
    return Readings(columns, rows, form, paints, read, of_border, border, whole.box)


# Places of stickers in a picture


@dataclass(frozen=True, eq=False)
class _Seen:
    """A picture, the pixels of its subject, and their box: left, top, right and bottom."""

    name: str
    pixels: Pixels
    there: Bools
    box: Box

    @classmethod
    def from_picture(cls, name: str, pixels: Pixels) -> _Seen:
        """Find the subject of a picture; single pixels do not count."""
        there = _foreground(pixels)
        columns, rows = np.flatnonzero(there.sum(axis=0) > 1), np.flatnonzero(there.sum(axis=1) > 1)
        if not len(columns) or not len(rows):
            raise StudioError(tr("{name} is not visible in its picture.", name=name))
        return cls(name, pixels, there, (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1))

    @property
    def cropped(self) -> _Seen:
        """The box alone, so that photographs with much around the pieces take no room."""
        left, top, right, bottom = self.box
        pixels = np.ascontiguousarray(self.pixels[top:bottom, left:right])
        there = np.ascontiguousarray(self.there[top:bottom, left:right])
        return _Seen(self.name, pixels, there, (0, 0, right - left, bottom - top))


@dataclass(frozen=True)
class _Grid:
    """Lattice points in a picture: a box of pixels spans two of them."""

    box: Box
    low: Floats
    high: Floats

    @property
    def scale(self) -> Floats:
        """Pixels to a lattice unit."""
        left, top, right, bottom = self.box
        return np.asarray(np.array([right - left, bottom - top]) / (self.high - self.low))

    @property
    def edge(self) -> float:
        """Pixels along the edge of a sticker."""
        return float(np.min(self.scale / (DIVISION, HALF)))

    def at(self, points: Floats) -> Floats:
        """Pixels of lattice points (…, 2)."""
        return np.asarray((points - self.low) * self.scale + self.box[:2])


def _foreground(pixels: Pixels) -> Bools:
    """Mask of the pixels of the subject: opaque ones or, if all are opaque, the ones unlike the corners."""
    opaque = pixels[..., 3] > 127
    if not opaque.all() or min(opaque.shape) < _SMALLEST:
        return np.asarray(opaque)
    smooth = _smoothed(pixels[..., :3])
    near = max(2, min(smooth.shape[:2]) // 40)
    ends = slice(near), slice(-near, None)
    corners = np.array([smooth[rows, columns].reshape(-1, 3) for rows in ends for columns in ends])
    middles = np.median(corners, axis=1)
    ground = np.median(middles, axis=0)
    if np.linalg.norm(middles - ground, axis=1).max() > _MOST_UNLIKE:
        return np.asarray(opaque)
    noise = float(np.median(np.linalg.norm(corners - middles[:, None], axis=2)))
    there = np.linalg.norm(smooth - ground, axis=2) > min(max(_UNLIKE, 6 * noise), _MOST_UNLIKE)
    # Smoothing has made it a pixel larger all round.
    padded = np.pad(there, 1)
    return np.asarray(there & padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:])


def _smoothed(colours: Pixels) -> Floats:
    """The mean of every pixel and its eight neighbours."""
    padded = np.pad(colours.astype(float), ((1, 1), (1, 1), (0, 0)), "edge")
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    return np.asarray((rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 9)


def _bounds(known: Body) -> tuple[Floats, Floats]:
    outline = np.array(known.outline, float)
    return outline.min(axis=0), outline.max(axis=0)


def _aspect(low: Floats, high: Floats) -> float:
    """The width of a part of the lattice to its height."""
    width, height = (high - low) * (DIVISION, HALF)
    return float(width / height)


def _form_of(pieces: Sequence[_Seen]) -> str:
    """The body that most pictures show; raises StudioError for a picture that does not."""
    shares = {name: [_likeness(body(name), piece) for piece in pieces] for name in BODIES}
    form = max(shares, key=lambda name: float(np.median(shares[name])))
    for piece, share in zip(pieces, shares[form], strict=True):
        if share < _SOLID:
            title, (left, top, right, bottom) = BODIES[form].lower(), piece.box
            raise StudioError(
                tr(
                    "{name} does not look like a {title} in its picture ({width} × {height} pixels). Show the whole "
                    "piece, alone and upright.",
                    name=piece.name,
                    title=title,
                    width=right - left,
                    height=bottom - top,
                )
            )
    return form


def _likeness(known: Body, piece: _Seen) -> float:
    """The share of sticker places in and around a body that agree with a picture; 0 for a box of another form."""
    low, high = _bounds(known)
    left, top, right, bottom = box = piece.box
    if abs(log((right - left) / (bottom - top) / _aspect(low, high))) > 2 * _ASPECT:
        return 0.0
    points, inside = _places(known)
    at = np.floor(_Grid(box, low, high).at(points)).astype(int)
    known_at = (at >= box[:2]).all(axis=1) & (at < box[2:]).all(axis=1)
    found, inside = piece.there[at[known_at, 1], at[known_at, 0]], inside[known_at]
    if (piece.pixels[..., 3] > 127).all():
        # A white sticker on white paper looks like the paper.
        return float((~found[~inside]).mean())
    return float((found == inside).mean())


@lru_cache(16)
def _places(known: Body) -> tuple[Floats, Bools]:
    """The middles of all stickers of a cube and its neighbours (n, 2), and whether they belong to the body."""
    own = {(sticker, limb.step) for limb in known.limbs for sticker in limb.stickers}
    every = [(sticker, step) for step in STEPS for sticker in STICKERS]
    points = np.array([_middle(sticker, STEPS[step]) for sticker, step in every])
    return points, np.array([one in own for one in every])


def _middle(sticker: Sticker, origin: Point) -> Floats:
    return np.asarray(np.mean(sticker.corners, axis=0) + origin)


def _size_of(count: int, box: Box) -> tuple[int, int, Floats, Floats]:
    """Columns and rows of `count` pieces whose border fills a box, and the lattice points at the box's corners."""
    left, top, right, bottom = box
    seen = (right - left) / (bottom - top)
    found = []
    for columns in range(3, MOST + 1):
        rows, rest = divmod(count, columns)
        if rest or not 3 <= rows <= MOST:
            continue
        # The whole border, or cut off straight through the middle of the outermost cubes.
        cut = np.array([0.0, 5.0]), np.array([6.0 * (columns + 2), 9.0 * rows + 18])
        for low, high in (extent(columns, rows), cut):
            found.append((abs(log(seen / _aspect(low, high))), columns, rows, low, high))
    if not found:
        words = tr(
            "{count} pieces do not fill a board of 3 to {most} columns and rows. Is a picture missing?",
            count=count,
            most=MOST,
        )
        raise StudioError(words)
    off, columns, rows, low, high = min(found, key=lambda one: one[:3])
    if off > _ASPECT:
        words = tr(
            "the border ({width} × {height} pixels) does not match {count} pieces. Crop its picture to the cubes.",
            width=right - left,
            height=bottom - top,
            count=count,
        )
        raise StudioError(words)
    return columns, rows, low, high


def _border_points(parameters: ZigzawParameters) -> dict[int, Floats]:
    """The middles of the stickers (n, 2) of each side that the frame has."""
    found: dict[int, list[Floats]] = {}
    for number, (cube, owners) in enumerate(layout(parameters).stickers.items()):
        for sticker, owner in owners.items():
            if owner == UNKNOWN:
                side = 3 * number + FACES.index(sticker.face)
                found.setdefault(side, []).append(_middle(sticker, cube.origin))
    return {side: np.array(found[side]) for side in sorted(found)}


# The colours of limbs and faces


@dataclass(frozen=True)
class _Samples:
    """The colour of a limb in OKLab, the distance of its worst sticker from it, and the share of opaque samples."""

    colour: Floats
    rough: float
    seen: float


def _sampled(pixels: Pixels, grid: _Grid, middles: Floats) -> _Samples:
    """The colour at stickers with some middles (n, 2): the median of the medians of a patch each."""
    reach = max(1, round(_PATCH * grid.edge))
    steps = np.arange(-reach, reach + 1)
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    at = np.floor(grid.at(middles))[:, None, :].astype(int) + offsets
    within = ((at >= 0) & (at < (pixels.shape[1], pixels.shape[0]))).all(axis=2)
    at = np.clip(at, 0, (pixels.shape[1] - 1, pixels.shape[0] - 1))
    values = pixels[at[..., 1], at[..., 0]]
    opaque = within & (values[..., 3] > 127)
    seen = float(opaque.mean())
    if seen == 0.0:
        return _Samples(np.zeros(3), 0.0, 0.0)
    lab = oklab(values[..., :3] / 255)
    of_stickers = np.array(
        [np.median(one[there], axis=0) for one, there in zip(lab, opaque, strict=True) if there.any()]
    )
    colour = np.median(of_stickers, axis=0)
    return _Samples(colour, float(np.linalg.norm(of_stickers - colour, axis=1).max()), seen)


def _painted(samples: Sequence[_Samples]) -> tuple[tuple[Paint, ...], list[Reading]]:
    """The palette that suits the samples best, and a reading for each of them."""
    seen = np.array([one.colour for one in samples if one.seen >= SEEN]).reshape(-1, 3)
    best: tuple[float, tuple[Paint, ...], Floats] | None = None
    for name in PALETTES:
        for count in (CUBE_COLOURS, len(palette(name))):
            paints = palette(name)[:count]
            centres = of_paints(paints)
            off = np.linalg.norm(seen[:, None] - centres, axis=2).min(axis=1, initial=1.0)
            # More colours are nearer to anything: they must be worth it.
            cost = float(np.minimum(off, 2 * FAR).mean()) + 0.004 * (count - CUBE_COLOURS) if len(seen) else 0.0
            if best is None or cost < best[0]:
                best = cost, paints, centres
    assert best is not None
    _, paints, centres = best
    # The colours of paints in the picture: the median of the samples next to each, if it is near the paint.
    apart = np.linalg.norm(centres[:, None] - centres, axis=2) + 9 * np.eye(len(centres))
    nearest = np.linalg.norm(seen[:, None] - centres, axis=2).argmin(axis=1)
    moved = centres.copy()
    for number in range(len(centres)):
        members = seen[nearest == number]
        if len(members) > 2:
            middle = np.median(members, axis=0)
            if np.linalg.norm(middle - centres[number]) < apart[number].min() / 2:
                moved[number] = middle
    return paints, [_reading(one, moved) for one in samples]


def _reading(sample: _Samples, centres: Floats) -> Reading:
    if sample.seen < SEEN:
        return Reading(UNKNOWN, seen=sample.seen)
    off = np.linalg.norm(centres - sample.colour, axis=1)
    first, second = np.argsort(off, kind="stable")[:2].tolist()
    return Reading(
        first,
        second,
        to_hex(sample.colour),
        float(off[first]),
        float(off[second] - off[first]),
        sample.rough,
        sample.seen,
    )
