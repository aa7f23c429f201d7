"""Cut-outs: the outline of what lies under a click in a picture, such as a cat, corrected by strokes.

The picture is divided into superpixels: small regions of one colour that keep to its edges. A least cut separates those
inside from those outside, by the colours of both, by their ways from the strokes and from the rim, and by the edges
between them; then the pixels along the cut are decided anew, by the colours nearby.

Places are in widths of the picture from its upper left corner, as in a protected area.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Progress, kept
from studio.base.texts import tr
from studio.geometry.art.artwork import pixels_in
from studio.geometry.curves.strokes import Floats, Ints

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Singles = NDArray[np.float32]
Flags = NDArray[np.bool_]
Path = tuple[tuple[float, float], ...]
Box = tuple[float, float, float, float]

FINE, COARSE = 1200, 512
"""Most pixels of the longer side, for the outline and for superpixels."""
SUPERPIXELS = 2500
ROUNDS = 5
"""Rounds of moving the middles of superpixels, and of learning colours from the last cut."""
COMPACT = 10.0
"""Difference in colour that counts as much as the spacing of superpixels."""
COLOURS = 64
"""Colours of the palette in which inside and outside are described."""
ALIKE = 6.0
"""Difference in colour within which colours of the palette share."""
RARE = 0.02
"""Share of a colour that nothing tells of, so that a colour seen only inside is no proof."""
CALM = 0.15
"""Length of a step between superpixels of one colour, in typical differences of neighbours."""
SURE = 3.0
"""Largest logarithm of odds from colours, and from ways."""
BY_COLOUR, BY_WAY = 0.8, 0.5
"""Weights of the odds from colours and from ways."""
RIM = 0.5
"""Loss of odds at the rim of the picture."""
BESIDE_RIM = 60
"""Percentile of the ways from the strokes beyond which the rim is surely outside."""
EDGES, LEAST_EDGE = 2.0, 0.05
"""Weight of a border between alike colours, a pixel long, and of one along the strongest edges."""
STEPS, FINE_STEPS = 80, 50
"""Steps of a least cut among superpixels, and among pixels."""
CERTAIN = 1e6
BAND = 6
"""Distance in pixels within which the outline is decided anew."""
NEARBY = 24
"""Distance in coarse pixels of the colours that decide a pixel."""
NOISE = 9.0
"""Variance of the colours of a plain surface."""
KEPT = 1.0
"""Odds, as a logarithm, for what an earlier stroke left inside if the newest is inside, or outside."""
MOST_STROKES, MOST_PLACES = 60, 5_000
MOST_KNOWN = 200


@dataclass(frozen=True)
class Stroke:
    """A click or a path over what is inside a cut-out, or outside."""

    path: Path
    is_inside: bool = True


@dataclass(frozen=True)
class Marks:
    """What a maker says of a cut-out: strokes, the newest last, and a box around it.

    Raises ParameterError if there is neither a stroke inside nor a box.
    """

    strokes: tuple[Stroke, ...] = ()
    box: Box | None = None

    def __post_init__(self) -> None:
        if self.box is None and not any(stroke.is_inside for stroke in self.strokes):
            raise ParameterError("strokes", tr("Click what is to be cut out, or drag a box around it."))
        if len(self.strokes) > MOST_STROKES or sum(len(one.path) for one in self.strokes) > MOST_PLACES:
            words = tr("Use at most {strokes} strokes with {places:,} places in all.", strokes=MOST_STROKES,
                       places=MOST_PLACES)  # fmt: skip
            raise ParameterError("strokes", words)

    @property
    def before(self) -> Marks | None:
        """The marks without the last stroke; None if nothing would be inside."""
        strokes = self.strokes[:-1]
        has_inside = self.box is not None or any(stroke.is_inside for stroke in strokes)
        return Marks(strokes, self.box) if self.strokes and has_inside else None


@dataclass(frozen=True, eq=False)
class Network:
    """Nodes and the edges between them, shape (m, 2)."""

    count: int
    edges: Ints

    @cached_property
    def degrees(self) -> Ints:
        """Edges at each node."""
        return np.bincount(self.edges.ravel(), minlength=self.count)

    @cached_property
    def _inwards(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Beginnings and numbers of the edges both ways by their ends, the first of each end, and these ends."""
        begins, ends = np.concatenate([self.edges, self.edges[:, ::-1]]).T
        order = np.argsort(ends, kind="stable")
        first = np.flatnonzero(np.diff(ends[order], prepend=-1))
        return begins[order], order % len(self.edges), first, ends[order][first]

    def ways(self, lengths: Floats, starts: Floats) -> Floats:
        """Lengths of the shortest ways to every node, from nodes that have a length at the start; else infinite."""
        if not len(self.edges):
            return starts
        begins, numbers, first, ends = self._inwards
        lengths, found = lengths[numbers], starts.copy()
        for _ in range(self.count):
            shorter = np.minimum.reduceat(found[begins] + lengths, first)
            better = shorter < found[ends]
            if not better.any():
                break
            found[ends[better]] = shorter[better]
        return found

    def least_cut(self, costs: Floats, weights: Floats, start: Floats, steps: int) -> Floats:
        """Shares (n,) of nodes inside that cost least: costs of nodes inside, and weights of the edges cut.

        Nearly all are 0 or 1, since the relaxed problem has whole solutions. By a primal-dual method (Chambolle and
        Pock, 2011) with a step for each node (Pock and Chambolle, 2011).
        """
        first, second = (np.ascontiguousarray(each) for each in self.edges.T)
        usual = np.abs(costs[np.abs(costs) < CERTAIN / 2])
        size = max(float(usual.mean()), 1e-9) if len(usual) else 1.0
        pace = 1 / (size * np.maximum(self.degrees, 1))
        shares, ahead, flow, least = start, start, np.zeros(len(weights)), -weights
        for _ in range(steps):
            flow += size / 2 * (ahead.take(first) - ahead.take(second))
            np.minimum(np.maximum(flow, least, out=flow), weights, out=flow)
            away = np.bincount(first, flow, self.count) - np.bincount(second, flow, self.count)
            moved = np.minimum(np.maximum(shares - pace * (costs + away), 0.0), 1.0)
            shares, ahead = moved, 2 * moved - shares
        return shares


@dataclass(frozen=True, eq=False)
class Superpixels:
    """A picture, its colours in CIELAB fine (rows, columns, 3) and coarse, and the coarse one's superpixels."""

    fine: Singles
    coarse: Singles
    labels: Ints
    _known: dict[Marks, Flags] = field(default_factory=dict, init=False, repr=False)
    """Superpixels inside the latest cut-outs."""

    @cached_property
    def areas(self) -> Floats:
        """Pixels of every superpixel."""
        return np.bincount(self.labels.ravel()).astype(float)

    @cached_property
    def colours(self) -> Floats:
        """Mean colours, shape (k, 3)."""
        flat = self.labels.ravel()
        sums = [np.bincount(flat, self.coarse[..., at].ravel()) for at in range(3)]
        return np.stack(sums, 1) / self.areas[:, None]

    @cached_property
    def _borders(self) -> tuple[Ints, Ints]:
        count, sides = len(self.areas), _neighbours(self.labels)
        sides = np.sort(sides[sides[:, 0] != sides[:, 1]], axis=1)
        keys, lengths = np.unique(sides[:, 0] * count + sides[:, 1], return_counts=True)
        return np.stack([keys // count, keys % count], 1), lengths

    @cached_property
    def network(self) -> Network:
        """Superpixels that touch."""
        return Network(len(self.areas), self._borders[0])

    @cached_property
    def differences(self) -> Floats:
        """Differences in colour of superpixels that touch."""
        edges = self.network.edges
        return np.asarray(np.sqrt(((self.colours[edges[:, 0]] - self.colours[edges[:, 1]]) ** 2).sum(axis=1)))

    @cached_property
    def lengths(self) -> Floats:
        """Lengths of the steps between superpixels that touch: short within one colour."""
        typical = max(float(np.median(self.differences)) if len(self.differences) else 0.0, 0.1)
        return np.maximum(self.differences - typical, 0.0) + CALM * typical

    @cached_property
    def weights(self) -> Floats:
        """Costs of cutting between superpixels that touch."""
        squares = self.differences**2
        mean = max(float(squares.mean()) if len(squares) else 0.0, 1e-6)
        return np.asarray(EDGES * self._borders[1] * (LEAST_EDGE + np.exp(-squares / (2 * mean))))

    @cached_property
    def palette(self) -> Floats:
        """Shares of the palette's colours in every superpixel, shape (k, c)."""
        colours, areas = self.colours, self.areas
        chosen = [int(areas.argmax())]
        apart = ((colours - colours[chosen[0]]) ** 2).sum(axis=1)
        while len(chosen) < min(COLOURS, len(areas)):
            chosen.append(int((apart * areas).argmax()))
            apart = np.minimum(apart, ((colours - colours[chosen[-1]]) ** 2).sum(axis=1))
        means = colours[chosen]
        for _ in range(ROUNDS):
            nearest = _squares(colours, means).argmin(axis=1)
            total = np.bincount(nearest, areas, len(means))
            sums = np.stack([np.bincount(nearest, areas * colours[:, at], len(means)) for at in range(3)], 1)
            means = np.where(total[:, None] > 0, sums / np.maximum(total, 1)[:, None], means)
        squares = _squares(colours, means)
        shares = np.exp((squares.min(axis=1, keepdims=True) - squares) / (2 * ALIKE**2))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    @cached_property
    def is_at_rim(self) -> Flags:
        """True for superpixels at the rim of the picture."""
        found, labels = np.zeros(len(self.areas), bool), self.labels
        for side in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
            found[side] = True
        return found

    @cached_property
    def _moments(self) -> Floats:
        """One, the colour and its square, shape (rows, columns, 5)."""
        squares = (self.coarse.astype(float) ** 2).sum(axis=2, keepdims=True)
        return np.concatenate([np.ones_like(squares), self.coarse, squares], 2)

    @cached_property
    def _totals(self) -> Floats:
        return _summed(self._moments)

    def under(self, stroke: Stroke) -> Ints:
        """Superpixels under a stroke."""
        rows, columns = _pixels_under(stroke.path, self.labels.shape)
        return np.unique(self.labels[rows, columns])

    def cut_out(self, marks: Marks) -> Flags:
        """Fine pixels (rows, columns) inside a cut-out. Raise StudioError if all strokes inside miss the picture."""
        return self._refined(self._inside(marks)[self.labels], marks)

    def _inside(self, marks: Marks) -> Flags:
        """Superpixels inside a cut-out. A stroke hardly changes what the strokes before it left on its own side."""
        if (known := self._known.get(marks)) is not None:
            return known
        certain: Floats = np.zeros(len(self.areas))
        leaning: Floats = np.zeros(len(self.areas))
        if marks.box is not None:
            certain[self._beyond(marks.box)] = -1
        for stroke in marks.strokes:
            certain[self.under(stroke)] = 1 if stroke.is_inside else -1
        if marks.box is None and not (certain > 0).any():
            raise StudioError(tr("No stroke inside is on the picture."))
        if marks.before is not None:
            with suppress(StudioError):
                inside = self._inside(marks.before)
                leaning = np.asarray(KEPT * (inside if marks.strokes[-1].is_inside else inside - 1.0), float)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[marks] = self._decided(certain, leaning)
        return self._known[marks]

    def _beyond(self, box: Box) -> Ints:
        """Superpixels that reach over the sides of a box, or are beyond them."""
        columns = self.labels.shape[1]
        left, top, right, bottom = (round(each * columns) for each in box)
        covered = self.labels[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
        within = np.bincount(covered.ravel(), minlength=len(self.areas))
        return np.flatnonzero(within < self.areas / 2)

    def _decided(self, certain: Floats, leaning: Floats) -> Flags:
        """Superpixels inside, where `certain` is 1 for those surely inside and -1 for those surely outside.

        `leaning` is added to the logarithms of their odds to be inside.
        """
        network, scale = self.network, float(np.sqrt(self.areas.mean()))
        by_way = self._odds_of_ways(certain)
        costs, inside = -self.areas / scale * (by_way + leaning), certain >= 0
        shares = np.full(len(certain), 0.5)
        for left in reversed(range(ROUNDS)):
            if (certain > 0).any() or left < ROUNDS - 1:
                shares = network.least_cut(costs - CERTAIN * certain, self.weights, shares, STEPS)
                inside = self._joined(shares > 0.5, certain > 0)
            if not left or not inside.any() or inside.all():
                return inside
            within, beside = (self.areas * side @ self.palette for side in (inside, ~inside))
            within, beside = within / within.sum(), beside / beside.sum()
            odds = np.log((self.palette @ within + RARE) / (self.palette @ beside + RARE))
            odds = BY_COLOUR * np.clip(odds, -SURE, SURE) + BY_WAY * np.clip(by_way, -SURE, SURE)
            costs = -self.areas / scale * (odds + leaning)
        return inside

    def _odds_of_ways(self, certain: Floats) -> Floats:
        """Logarithms of the odds that superpixels are inside, by their ways from strokes and from outside."""
        inner = certain > 0
        if not inner.any():
            return np.zeros(len(certain))
        near = self.network.ways(self.lengths, np.where(inner, 0.0, np.inf))
        far = float(np.percentile(near, BESIDE_RIM))
        # The rim is outside, unless it is nearly as near to the strokes as the rest.
        starts = np.where(self.is_at_rim, np.maximum(far - near, 0.0), np.inf)
        starts = np.where(inner, np.inf, np.where(certain < 0, 0.0, starts))
        away = self.network.ways(self.lengths, starts)
        odds = np.log((away + 1e-6) / (near + 1e-6))
        return np.asarray(np.clip(odds, -SURE - 1, SURE + 1) - RIM * (self.is_at_rim & ~inner))

    def _joined(self, inside: Flags, inner: Flags) -> Flags:
        """The part of superpixels inside that is connected with those surely inside; else the largest part."""
        edges = self.network.edges
        network = Network(len(inside), edges[inside[edges].all(axis=1)])
        if (inner & inside).any():
            starts = np.where(inner & inside, 0.0, np.inf)
            return np.asarray(np.isfinite(network.ways(np.zeros(len(network.edges)), starts)))
        numbers = network.ways(
            np.zeros(len(network.edges)), np.where(inside, np.arange(len(inside), dtype=float), np.inf)
        )
        if not inside.any():
            return inside
        sizes = np.bincount(numbers[inside].astype(np.int64), self.areas[inside])
        return np.asarray(numbers == sizes.argmax())

    def _refined(self, coarse: Flags, marks: Marks) -> Flags:
        """Decide the pixels along an outline anew, by the colours nearby on both sides of it."""
        factor = self.factor
        found: Flags = np.zeros(self.fine.shape[:2], bool)
        rows, columns = (np.flatnonzero(coarse.any(axis=axis)) * factor for axis in (1, 0))
        if not len(rows):
            return found
        top, left = (max(int(at[0]) - 2 * BAND, 0) for at in (rows, columns))
        window = np.s_[top : int(rows[-1]) + factor + 2 * BAND, left : int(columns[-1]) + factor + 2 * BAND]
        whole = np.repeat(np.repeat(coarse, factor, axis=0), factor, axis=1)
        whole = whole[: len(found), : found.shape[1]][window]
        density = blurred(whole, BAND)
        band = (density > 0.002) & (density < 0.998)
        y, x = np.nonzero(band)
        if len(y):
            core = blurred(whole, BAND - 1)[band]
            certain = np.where(core > 0.998, 1, np.where(core < 0.002, -1, 0))
            numbers = np.full(found.shape, -1)
            numbers[window][band] = np.arange(len(y))
            for stroke in marks.strokes:
                under = numbers[_pixels_under(stroke.path, found.shape)]
                certain[under[under >= 0]] = 1 if stroke.is_inside else -1
            network = Network(len(y), _neighbours(numbers[window]))
            colours = self.fine[window][band]
            steps = ((colours[network.edges[:, 0]] - colours[network.edges[:, 1]]) ** 2).sum(axis=1)
            weights = EDGES * (LEAST_EDGE + np.exp(-steps / (2 * max(float(steps.mean()), 1e-6))))
            odds = self._odds_nearby(coarse, y + top, x + left, colours)
            costs = -np.clip(odds, -SURE, SURE) / 2 - CERTAIN * certain
            whole[band] = network.least_cut(costs, weights, whole[band].astype(float), FINE_STEPS) > 0.5
        found[window] = whole
        return found

    @property
    def factor(self) -> int:
        """Fine pixels along a coarse one."""
        return int(-(-self.fine.shape[1] // self.coarse.shape[1]))

    def _odds_nearby(self, inside: Flags, rows: Ints, columns: Ints, colours: Singles) -> Floats:
        """Logarithms of the odds that fine pixels are inside, by mean and variance of the colours on both sides."""
        inner = _summed(self._moments * inside[..., None])
        high, wide = inside.shape
        rows, columns = rows // self.factor, columns // self.factor
        low, left = np.maximum(rows - NEARBY, 0), np.maximum(columns - NEARBY, 0)
        up, right = np.minimum(rows + NEARBY + 1, high), np.minimum(columns + NEARBY + 1, wide)
        found = []
        for sums in (inner, self._totals - inner):
            total = sums[up, right] - sums[low, right] - sums[up, left] + sums[low, left]
            count = np.maximum(total[:, :1], 1.0)
            mean = total[:, 1:4] / count
            variance = np.maximum(total[:, 4] / count[:, 0] - (mean**2).sum(axis=1), 0.0) / 3 + NOISE
            away = ((colours - mean) ** 2).sum(axis=1)
            found.append(-away / (2 * variance) - 1.5 * np.log(variance))
        return np.asarray(found[0] - found[1])


@kept(2)
def superpixels_of(data: bytes, progress: Progress) -> Superpixels:
    """Divide a picture, given its bytes, into superpixels. Raise StudioError if it is broken."""
    pixels = pixels_in(data, FINE, progress)
    # Transparent pixels are white, as on the board.
    shades = pixels[..., :3].astype(np.uint16) * pixels[..., 3:] // 255 + (255 - pixels[..., 3:])
    fine = _lab(shades.astype(np.uint8))
    factor = -(-max(fine.shape[:2]) // COARSE)
    coarse = reduced(fine, factor)
    progress.step(0.5)
    return Superpixels(fine, coarse, _divided(coarse, SUPERPIXELS))


def outline_of(data: bytes, marks: Marks, progress: Progress) -> BaseGeometry:
    """Outline the cut-out that marks ask for, without holes. Raise StudioError if there is none.

    A part that no stroke touches is left out.
    """
    import shapely

    from studio.geometry.planar.polyomino import traced

    found = superpixels_of(data, progress.part(0.0, 0.6))
    inside = found.cut_out(marks)
    progress.step(0.9)
    parts = shapely.get_parts(traced(inside))
    parts = parts[~shapely.is_empty(parts)]
    if not len(parts):
        raise StudioError(tr("Nothing is outlined here. Click elsewhere, or drag a box around the subject."))
    parts = shapely.polygons(shapely.get_exterior_ring(parts))
    columns = inside.shape[1]
    places = [place for stroke in marks.strokes if stroke.is_inside for place in stroke.path]
    at = chosen_part(parts, np.array(places).reshape(-1, 2) * columns)
    return shapely.transform(parts[at], lambda points: points / columns)


def chosen_part(parts: Sequence[BaseGeometry], places: Floats) -> int:
    """Index of the part that holds most of some places (n, 2); of the largest such part."""
    import shapely

    counts = shapely.contains_xy(np.array(parts)[:, None], places[:, 0], places[:, 1]).sum(axis=1)
    return int(np.lexsort((shapely.area(parts), counts))[-1])


def _pixels_under(path: Path, shape: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Rows and columns of the pixels under a path."""
    rows, columns = shape[:2]
    places = np.array(path) * columns
    steps = np.maximum(np.abs(np.diff(places, axis=0)).max(axis=1, initial=0.0), 1.0).astype(np.int64) + 1
    dense = [places[:1]] + [
        one + (other - one) * np.linspace(0, 1, count)[:, None]
        for one, other, count in zip(places[:-1], places[1:], np.minimum(steps, 4 * FINE).tolist(), strict=True)
    ]
    x, y = np.floor(np.concatenate(dense)).T
    inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
    return y[inside].astype(np.int64), x[inside].astype(np.int64)


def _squares(colours: Floats, means: Floats) -> Floats:
    return np.asarray(((colours[:, None] - means) ** 2).sum(axis=2))


def _lab(pixels: NDArray[np.uint8]) -> Singles:
    """Colours in CIELAB of red, green and blue, shape (rows, columns, 3)."""
    levels = np.arange(256) / 255
    linear = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4).astype(np.float32)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    roots = np.cbrt(linear[pixels] @ (to_xyz / to_xyz.sum(axis=1, keepdims=True)).T.astype(np.float32))
    x, y, z = roots[..., 0], roots[..., 1], roots[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1).astype(np.float32)


def reduced(image: Singles, factor: int) -> Singles:
    """Mean colours of squares of pixels."""
    if factor == 1:
        return image
    rows, columns = image.shape[:2]
    padded = np.pad(image, ((0, -rows % factor), (0, -columns % factor), (0, 0)), mode="edge")
    high, wide = padded.shape[0] // factor, padded.shape[1] // factor
    return np.asarray(padded.reshape(high, factor, wide, factor, 3).mean(axis=(1, 3)), np.float32)


def _divided(image: Singles, count: int) -> Ints:
    """Superpixels (rows, columns) of an image (Achanta et al., "SLIC superpixels", 2012), about `count`.

    Every pixel of a cell of a grid is compared with the middles of that cell and of the eight around it.
    """
    rows, columns = image.shape[:2]
    side = max(2, round((rows * columns / count) ** 0.5))
    high, wide = -(-rows // side), -(-columns // side)
    padded = np.pad(image, ((0, high * side - rows), (0, wide * side - columns), (0, 0)), mode="edge")
    places = np.mgrid[: high * side, : wide * side].astype(np.float32) * (COMPACT / side)
    features = np.concatenate([padded.transpose(2, 0, 1), places])
    cells = np.ascontiguousarray(features.reshape(5, high, side, wide, side).transpose(0, 1, 3, 2, 4))
    cells = cells.reshape(5, high, wide, side * side)
    means, flat = cells.mean(axis=3), cells.reshape(5, -1)
    numbers = np.pad(np.arange(high * wide, dtype=np.int32).reshape(high, wide), 1, mode="edge")
    for _ in range(ROUNDS):
        around = np.pad(means, ((0, 0), (1, 1), (1, 1)), mode="edge")
        nearest = np.full(cells.shape[1:], np.inf, np.float32)
        labels = np.zeros(cells.shape[1:], np.int32)
        for down in range(3):
            for right in range(3):
                window = np.s_[down : down + high, right : right + wide]
                apart = np.zeros(cells.shape[1:], np.float32)
                for values, mean in zip(cells, around, strict=True):
                    away = values - mean[window][..., None]
                    away *= away
                    apart += away
                nearer = apart < nearest
                np.copyto(nearest, apart, where=nearer)
                np.copyto(labels, numbers[window][..., None], where=nearer)
        sizes = np.bincount(labels.ravel(), minlength=high * wide).reshape(high, wide)
        sums = np.stack([np.bincount(labels.ravel(), values, high * wide) for values in flat])
        means = np.where(sizes > 0, sums.reshape(5, high, wide) / np.maximum(sizes, 1), means).astype(np.float32)
    found = labels.reshape(high, wide, side, side).transpose(0, 2, 1, 3).reshape(high * side, wide * side)
    _, found = np.unique(found[:rows, :columns], return_inverse=True)
    return found.reshape(rows, columns)


def _neighbours(numbers: Ints) -> Ints:
    """Pairs (n, 2) of the numbers of pixels side by side; a number below 0 has none."""
    one = np.concatenate([numbers[:, :-1].ravel(), numbers[:-1].ravel()])
    other = np.concatenate([numbers[:, 1:].ravel(), numbers[1:].ravel()])
    both = (one >= 0) & (other >= 0)
    return np.stack([one[both], other[both]], 1)


def _summed(values: Floats) -> Floats:
    """Sums over all rows above and columns to the left, shape (rows + 1, columns + 1, …)."""
    return np.pad(values.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0), (0, 0)))


def blurred(values: Flags | Singles, reach: int) -> Singles:
    """Means, shape (rows, columns, …), over squares that reach so many pixels around each; shares of a mask."""
    found: Singles = values.astype(np.float32)
    side = 2 * reach + 1
    for axis in range(2):
        room = [(reach + 1, reach) if each == axis else (0, 0) for each in range(found.ndim)]
        sums = np.pad(found, room, mode="edge").cumsum(axis=axis, dtype=np.float32)
        size = found.shape[axis]
        found = np.asarray(
            (sums.take(range(side, side + size), axis) - sums.take(range(size), axis)) / side, np.float32
        )
    return found
