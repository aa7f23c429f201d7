"""False fits of a jigsaw: inner edges so alike that a piece fits in another's place.

Two edges are laid on each other by the middle and the direction of the lines between their ends, knob into hole and
pieces face up; they are a false fit if neither curve leaves the other by more than the clearance (Hausdorff).
An edge without a knob is tried both ways round.

Edges with the same profile are of the same kind, and kinds are compared. After a change only the changed kinds are
compared with all others: their old fits are subtracted from the counts, their new fits are added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice, pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import abridged, many, share, thousands
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen, offsets
from studio.puzzles.jigsaw.fits.likeness import DECIMALS, Likeness, never
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.necks_and_bends import narrow_necks
from studio.puzzles.jigsaw.tongues.tongues import SIDE

LARGEST = 2.0
"""Largest clearance in mm."""
WORST = 20
"""Number of closest pairs named by default."""
KEPT = 64
"""Least number of closest pairs of kinds to keep, so that the next change may remove some."""
SHORTEST = 1e-9
"""Distance in mm between its ends below which an edge has no direction."""
MANY_CHANGED = 0.2
"""Share of changed edges above which all edges are compared again."""
MOST_COMPARED = 100_000
"""Most pairs of pieces, times rotations, that are compared; a nearly regular board has millions."""
MOST_NAMED = 6
"""Most pairs of pieces that are named."""
BORDER, STRAIGHT, OUT, IN = range(4)
"""Types of a piece's side: on the border, straight, knob outwards, knob inwards."""


@dataclass(frozen=True)
class FalseFit:
    """Names of two inner edges that can be mistaken for each other, and their distance in mm."""

    one: str
    other: str
    distance: float


@dataclass(frozen=True, eq=False)
class Fits:
    """False fits of a board at a clearance in mm: its inner `edges`, and the number of false fits of each in `others`.

    `partners` holds the closest other edge, or -1, and `distances` its distance in mm, exact to 0.01 mm. All four have
    the shape (k,). `worst` names the closest pairs.
    """

    clearance: float
    edges: Ints
    others: Ints
    partners: Ints
    distances: Floats
    worst: tuple[FalseFit, ...]
    known: Known = field(repr=False)
    """State from which the answer for the next, similar board starts."""

    @property
    def pairs(self) -> int:
        """Number of false fits."""
        return int(self.others.sum()) // 2

    @property
    def ambiguous(self) -> int:
        """Number of edges with a false fit."""
        return int(np.count_nonzero(self.others))

    @property
    def share(self) -> float:
        """Share of edges with a false fit; 0 on a board without inner edges."""
        return self.ambiguous / max(len(self.edges), 1)


class Known(NamedTuple):
    """Compared shapes, the kinds of their edges, and the likeness of these kinds."""

    shapes: JigsawShapes
    kinds: Kinds
    alike: Alike


class Kinds(NamedTuple):
    """Profiles of a board's kinds, the kind of every edge, shape (k,), the number of edges of each kind, and kinds by
    the bytes of their profiles; a kind without edges is free for another profile."""

    likeness: Likeness
    of: Ints
    amounts: Ints
    numbers: dict[bytes, int]


class Alike(NamedTuple):
    """False fits of each kind: their number, the closest kind, or -1, and its distance in mm. Shapes (k,).

    `closest` holds all pairs of kinds closer than `limit` mm.
    """

    others: Ints
    partners: Ints
    nearest: Floats
    closest: dict[tuple[int, int], float]
    limit: float


def false_fits(
    shapes: JigsawShapes, clearance: float, progress: Progress = SILENT, most: int = WORST, before: Fits | None = None
) -> Fits:
    """Find the false fits of a board at a clearance in mm, and up to `most` of the closest pairs.

    The answer `before` for a similar board saves most of the work. Raise StudioError for a clearance out of bounds, or
    larger than a neck.
    """
    if not 0.0 <= clearance <= LARGEST:
        raise StudioError(
            tr("The clearance must be from 0 to {most:g} mm, not {clearance:g} mm.", most=LARGEST, clearance=clearance)
        )
    edges = shapes.joined_edges
    known = None
    if before is not None and before.clearance == clearance and _is_alike(before.known.shapes, shapes):
        known = _changed(before, shapes, edges, most, progress)
    return _answer(known or _compared(shapes, edges, clearance, most, progress), edges, clearance, most)


def _is_alike(one: JigsawShapes, other: JigsawShapes) -> bool:
    """True if two boards have the same edges."""
    return one.tiling is other.tiling and one.design.dropped == other.design.dropped


def fits_words(found: Fits) -> str:
    """Describe the false fits of a board."""
    if not len(found.edges):
        return tr("No inner edges")
    if not found.ambiguous:
        return tr("No false fits at {clearance:.2f} mm clearance", clearance=found.clearance)
    return tr(
        "{pairs} at {clearance:.2f} mm clearance: {ambiguous} of {edges} ({share}) could be mistaken for another",
        pairs=many(found.pairs, "false fit"), clearance=found.clearance, ambiguous=thousands(found.ambiguous),
        edges=many(len(found.edges), "inner edge"), share=share(found.share),
    )  # fmt: skip


def _compared(shapes: JigsawShapes, edges: Ints, clearance: float, most: int, progress: Progress) -> Known:
    """Compare all edges with each other."""
    _refuse_narrow_necks(shapes, edges, clearance)
    strokes, plain = profiles(shapes, edges), shapes.plain[edges]
    numbers: dict[bytes, int] = {}
    of = np.array([numbers.setdefault(key, len(numbers)) for key in _keys(strokes, plain)], np.int64)
    first = np.unique(of, return_index=True)[1]
    likeness = Likeness.from_strokes(strokes.chosen(first), plain[first], clearance)
    kinds = Kinds(likeness, of, np.bincount(of, minlength=len(first)), numbers)
    found = _Finding.blank(kinds.amounts, most)
    for one, other, distances in likeness.alike(likeness.pairs(), progress, found.matters):
        found.count(kinds.amounts, one, other)
        found.keep(one, other, distances)
    return Known(shapes, kinds, found.done())


def _changed(before: Fits, shapes: JigsawShapes, edges: Ints, most: int, progress: Progress) -> Known | None:
    """Compare the changed edges again; None if comparing all edges is cheaper or the closest pairs ran out."""
    known = before.known
    is_changed = shapes.plain != known.shapes.plain
    is_changed[shapes.drawing.strokes.changed_since(known.shapes.drawing.strokes)] = True
    at = np.flatnonzero(is_changed[edges])
    if not len(at) or len(at) > MANY_CHANGED * len(edges):
        return None if len(at) else known._replace(shapes=shapes)
    _refuse_narrow_necks(shapes, edges[at], before.clearance)
    kinds, new = _renumbered(known.kinds, at, profiles(shapes, edges[at]), shapes.plain[edges[at]])
    old = known.kinds.likeness
    amounts = np.zeros(len(kinds.amounts), np.int64)
    amounts[: len(known.kinds.amounts)] = known.kinds.amounts
    found = _Finding.from_likeness(known.alike, len(amounts), most)

    # Kinds that stay: update their amounts, or remove them.
    gains = kinds.amounts - amounts
    gains[new] = -amounts[new]
    touched = np.flatnonzero(gains)
    found.others[touched] += gains[touched]
    # Most kinds resembled no other, so nothing is subtracted for them.
    fitting = np.flatnonzero(known.alike.others >= known.kinds.amounts)
    fitting = fitting[gains[fitting] != 0]
    for one, other, _distances in old.alike(old.pairs_of(fitting), progress.part(0.0, 0.4), never):
        found.count(gains, one, other)
    lost = np.zeros(len(amounts), bool)
    lost[new] = True
    lost[kinds.amounts == 0] = True
    widowed = found.drop(lost)

    # New kinds, and kinds that lost their closest kind.
    found.others[new] = kinds.amounts[new] - 1
    likeness = kinds.likeness
    for one, other, distances in likeness.alike(likeness.pairs_of(new), progress.part(0.4, 0.8), found.matters):
        alive = (kinds.amounts[one] > 0) & (kinds.amounts[other] > 0)
        one, other = one[alive], other[alive]
        found.count(kinds.amounts, one, other)
        found.keep(one, other, distances[alive])
    for one, other, distances in likeness.alike(likeness.pairs_of(widowed), progress.part(0.8, 1.0), found.matters):
        alive = (kinds.amounts[one] > 0) & (kinds.amounts[other] > 0)
        found.keep(one[alive], other[alive], distances[alive])
    return Known(shapes, kinds, found.done()) if found.is_enough(kinds.amounts) else None


def _renumbered(kinds: Kinds, at: Ints, strokes: Curves, plain: NDArray[np.bool_]) -> tuple[Kinds, Ints]:
    """Give the edges at some places new profiles; return all kinds, and the new kinds."""
    amounts = kinds.amounts.copy()
    np.subtract.at(amounts, kinds.of[at], 1)
    keys = _keys(strokes, plain)
    wanted = {*keys}
    numbers = {key: kind for key, kind in kinds.numbers.items() if amounts[kind] or key in wanted}
    taken = {*numbers.values()}
    free = iter([kind for kind in np.flatnonzero(amounts == 0).tolist() if kind not in taken])
    last = len(amounts)
    sources: dict[int, int] = {}
    for place, key in enumerate(keys):
        if key not in numbers:
            numbers[key] = next(free, last)
            last += numbers[key] == last
            sources[numbers[key]] = place
    of = kinds.of.copy()
    of[at] = [numbers[key] for key in keys]
    new, places = (np.array([*each], np.int64) for each in (sources.keys(), sources.values()))
    made = Likeness.from_strokes(strokes.chosen(places), plain[places], kinds.likeness.clearance)
    likeness = kinds.likeness.replaced(new, made)
    return Kinds(likeness, of, np.bincount(of, minlength=last), numbers), new


@dataclass(eq=False)
class _Finding:
    """Likeness of kinds while it is collected; see `Alike`."""

    others: Ints
    partners: Ints
    nearest: Floats
    closest: dict[tuple[int, int], float]
    limit: float
    most: int

    @classmethod
    def blank(cls, amounts: Ints, most: int) -> _Finding:
        """Start before any kinds are compared."""
        return cls(amounts - 1, np.full(len(amounts), -1), np.full(len(amounts), np.inf), {}, np.inf, most)

    @classmethod
    def from_likeness(cls, alike: Alike, count: int, most: int) -> _Finding:
        """Start from known likeness, with room for new kinds."""
        more = cls.blank(np.ones(count, np.int64), most)
        known = slice(len(alike.others))
        more.others[known], more.partners[known], more.nearest[known] = alike.others, alike.partners, alike.nearest
        more.closest, more.limit = dict(alike.closest), alike.limit
        return more

    def done(self) -> Alike:
        """Freeze the result."""
        return Alike(frozen(self.others), frozen(self.partners), frozen(self.nearest), self.closest, self.limit)

    def count(self, amounts: Ints, one: Ints, other: Ints) -> None:
        """Add amounts for pairs of kinds that are alike, each pair once."""
        for here, there in ((one, other), (other, one)):
            self.others += np.bincount(here, amounts[there], len(self.others)).astype(np.int64)

    def keep(self, one: Ints, other: Ints, distances: Floats) -> None:
        """Keep the closest pairs, and the closest kind of each kind; distances that did not matter are NaN."""
        is_known = ~np.isnan(distances)
        one, other, distances = one[is_known], other[is_known], distances[is_known]
        both = np.concatenate([one, other])
        partners, doubled = np.concatenate([other, one]), np.concatenate([distances, distances])
        order = np.lexsort((partners, doubled, both))
        first = order[np.diff(both[order], prepend=-1) > 0]
        kind, partner, distance = both[first], partners[first], doubled[first]
        is_closer = (distance < self.nearest[kind]) | (
            (distance == self.nearest[kind]) & (partner < self.partners[kind])
        )
        self.nearest[kind[is_closer]], self.partners[kind[is_closer]] = distance[is_closer], partner[is_closer]

        kept = max(self.most, KEPT)
        near = np.flatnonzero(distances < self.limit)
        if len(near) > 2 * kept:
            near = near[np.argpartition(distances[near], 2 * kept)[: 2 * kept + 1]]
            self.limit = min(self.limit, float(distances[near].max()))
        for here, there, distance in zip(*(each[near].tolist() for each in (one, other, distances)), strict=True):
            self.closest[min(here, there), max(here, there)] = distance
        if len(self.closest) > 2 * kept:
            self.limit = min(self.limit, sorted(self.closest.values())[kept])
        self.closest = {pair: distance for pair, distance in self.closest.items() if distance < self.limit}

    def matters(self, one: Ints, other: Ints, least: Floats) -> NDArray[np.bool_]:
        """True for pairs that may be among the closest, given their least distances."""
        return np.asarray((least <= self.nearest[one]) | (least <= self.nearest[other]) | (least < self.limit))

    def drop(self, lost: NDArray[np.bool_]) -> Ints:
        """Forget the lost kinds; return the kinds whose closest kind is lost."""
        self.closest = {
            pair: distance for pair, distance in self.closest.items() if not (lost[pair[0]] or lost[pair[1]])
        }
        is_widowed = (self.partners >= 0) & lost[self.partners]
        self.partners[is_widowed | lost], self.nearest[is_widowed | lost] = -1, np.inf
        return np.flatnonzero(is_widowed & ~lost)

    def is_enough(self, amounts: Ints) -> bool:
        """True if enough of the closest pairs are known."""
        inside = int((amounts * (amounts - 1) // 2).sum())
        between = sum(int(amounts[one] * amounts[other]) for one, other in self.closest)
        return self.limit == np.inf or inside + between >= self.most


def _answer(known: Known, edges: Ints, clearance: float, most: int) -> Fits:
    """Translate the likeness of kinds to their edges."""
    kinds, alike = known.kinds, known.alike
    members = _members(kinds)
    # Edges of the same kind are closest to each other; otherwise the first edge of the closest kind is named.
    first = np.array([some[0] if some else -1 for some in members] + [-1], np.int64)
    second = np.array([some[1] if len(some) > 1 else -1 for some in members] + [-1], np.int64)
    own = np.where(first[kinds.of] == np.arange(len(edges)), second[kinds.of], first[kinds.of])
    has_own = kinds.amounts[kinds.of] > 1
    at = np.where(has_own, own, first[alike.partners[kinds.of]])
    partners = np.where(at >= 0, np.append(edges, -1)[at], -1)
    distances = np.where(has_own, 0.0, alike.nearest[kinds.of])
    worst = tuple(islice(_named(known.shapes, edges, members, alike), most))
    return Fits(clearance, edges, frozen(alike.others[kinds.of]), frozen(partners), frozen(distances), worst, known)


def _members(kinds: Kinds) -> list[list[int]]:
    """Indices of the edges of every kind."""
    order = np.argsort(kinds.of, kind="stable").tolist()
    return [order[begin:end] for begin, end in pairwise(offsets(kinds.amounts).tolist())]


def _named(shapes: JigsawShapes, edges: Ints, members: list[list[int]], alike: Alike) -> Iterator[FalseFit]:
    """Yield the closest false fits, closest first; ties in the order of their edges."""
    name = shapes.tiling.edge_name

    def fit(one: int, other: int, distance: float) -> FalseFit:
        here, there = sorted((int(edges[one]), int(edges[other])))
        return FalseFit(name(here), name(there), distance)

    for same in sorted(some for some in members if len(some) > 1):
        yield from (fit(one, other, 0.0) for one, other in combinations(same, 2))
    between: list[tuple[float, list[int], list[int]]] = []
    for (one, other), distance in alike.closest.items():
        here, there = sorted((members[one], members[other]))
        between.append((distance, here, there))
    for distance, here, there in sorted(between):
        yield from (fit(one, other, distance) for one, other in product(here, there))


def _refuse_narrow_necks(shapes: JigsawShapes, edges: Ints, clearance: float) -> None:
    knobbed = edges[~shapes.plain[edges]]
    for style, which in shapes.of_one_style(knobbed):
        alike = knobbed[which]
        narrow, widths, _places = narrow_necks(shapes.drawing.strokes.chosen(alike), clearance, style.knobs)
        if len(narrow):
            at = int(widths.argmin())
            raise StudioError(
                tr(
                    "The clearance of {clearance:.2f} mm is larger than the neck of tongue {tongue}, {width:.2f} mm.",
                    clearance=clearance,
                    tongue=shapes.tiling.edge_name(int(alike[narrow[at]])),
                    width=float(widths[at]),
                )
            )


class EdgeFrames(NamedTuple):
    """Frames of inner edges: `middles` between their ends in mm and unit directions `along` from end to end, shape
    (k, 2); `is_turned` marks edges rotated by 180°, so that knobs are up and all edges run from left to right, shape
    (k,)."""

    middles: Floats
    along: Floats
    is_turned: NDArray[np.bool_]


def frames(shapes: JigsawShapes, edges: Ints) -> EdgeFrames:
    """Frames of inner edges."""
    ends = shapes.drawing.strokes.ends[edges]
    way = ends[:, 1] - ends[:, 0]
    length = np.hypot(way[:, 0], way[:, 1])
    along = np.where(length[:, None] < SHORTEST, [1.0, 0.0], way / np.maximum(length, SHORTEST)[:, None])
    across = np.stack([-along[:, 1], along[:, 0]], 1)
    return EdgeFrames(ends.mean(axis=1), along, (shapes.frames(edges).across * across).sum(axis=1) < 0)


def profiles(shapes: JigsawShapes, edges: Ints) -> Curves:
    """Profiles of inner edges: their strokes in mm, in their frames."""
    strokes = shapes.drawing.strokes.chosen(edges)
    frame = frames(shapes, edges)
    x, y = frame.along.T
    across = np.stack([-y, x], 1)
    offset = strokes.points - frame.middles[strokes.owners]
    x, y = ((offset * axis[strokes.owners]).sum(axis=1) for axis in (frame.along, across))
    points = np.stack([x, y], 1)
    turned = frame.is_turned[strokes.owners]
    back = (strokes.starts[:-1] + strokes.starts[1:] - 1)[strokes.owners] - np.arange(len(points))
    points = np.where(turned[:, None], -points[back], points)
    return Curves(np.round(points, DECIMALS) + 0.0, strokes.starts)


def _keys(strokes: Curves, plain: NDArray[np.bool_]) -> list[bytes]:
    """Make keys, equal for equal profiles."""
    runs = pairwise(strokes.starts.tolist())
    return [
        strokes.points[begin:end].tobytes() + bytes([is_plain])
        for (begin, end), is_plain in zip(runs, plain.tolist(), strict=True)
    ]


# Difficulty, stated as facts, and the pieces that are interchangeable


@dataclass(frozen=True)
class Reading:
    """Facts about a board at a clearance.

    `shapes` is the number of different edges, `wrong` the wrong fits to expect for a piece, `swaps` are the pairs of
    interchangeable pieces; more may exist unless `all_compared`.
    """

    pieces: int
    border: int
    edges: int
    straight: int
    shapes: int
    wrong: float
    swaps: tuple[tuple[str, str], ...]
    all_compared: bool
    fits: Fits

    @property
    def sentences(self) -> list[str]:
        """Facts as sentences."""
        swaps = abridged([f"{one}, {other}" for one, other in self.swaps], MOST_NAMED)
        if self.swaps:
            whole = (
                tr("Interchangeable: {pairs} ({names}).", pairs=many(len(self.swaps), "pair of pieces"), names=swaps)
                if self.all_compared
                else tr(
                    "Interchangeable: at least {pairs} ({names}).",
                    pairs=many(len(self.swaps), "pair of pieces"),
                    names=swaps,
                )
            )
        else:
            whole = (
                tr("No two pieces are interchangeable.")
                if self.all_compared
                else tr("Too many similar pieces to list the interchangeable ones.")
            )
        return [
            f"{fits_words(self.fits)}.",
            tr("Expected wrong fits per piece: {wrong:.2f}.", wrong=self.wrong),
            whole,
            tr(
                "{pieces}, {border} ({share}) at the border. {edges}, {straight} straight, in {shapes}.",
                pieces=many(self.pieces, "piece"), border=thousands(self.border),
                share=share(self.border / max(self.pieces, 1)), edges=many(self.edges, "inner edge"),
                straight=thousands(self.straight), shapes=many(self.shapes, "shape"),
            ),
        ]  # fmt: skip


def reading(found: Fits, progress: Progress) -> Reading:
    """Collect the facts about a board whose false fits are known."""
    shapes = found.known.shapes
    drawing = shapes.made.drawing
    swaps, all_compared = _swaps(found, progress)
    return Reading(
        pieces=len(drawing.pieces),
        border=len(shapes.tiling.border_faces),
        edges=len(found.edges),
        straight=int(shapes.plain[found.edges].sum()),
        shapes=int(np.count_nonzero(found.known.kinds.amounts)),
        wrong=2.0 * float(found.others.sum()) / max(len(drawing.pieces), 1),
        swaps=swaps,
        all_compared=all_compared,
        fits=found,
    )


class _Piece(NamedTuple):
    """A piece with the types and edges of its sides, and the distances between its corners in mm."""

    face: int
    sides: tuple[int, ...]
    edges: tuple[int, ...]
    spans: Floats


def _swaps(found: Fits, progress: Progress) -> tuple[tuple[tuple[str, str], ...], bool]:
    """Find interchangeable pairs of pieces, which fit by all their edges; also return whether all were compared."""
    shapes = found.known.shapes
    kind_of = dict(zip(found.edges.tolist(), found.known.kinds.of.tolist(), strict=True))
    ways = []
    groups = defaultdict(list)
    for piece in _candidates(found):
        groups[len(piece.sides)].append(piece)
    budget = MOST_COMPARED
    for number, pieces in groups.items():
        for one, other in combinations(pieces, 2):
            budget -= number
            if budget < 0:
                break
            for turn in range(number):
                turned = other.sides[turn:] + other.sides[:turn]
                spans = np.roll(other.spans, (-turn, -turn), (0, 1))
                if turned == one.sides and np.abs(spans - one.spans).max() <= 2 * found.clearance:
                    edges = other.edges[turn:] + other.edges[:turn]
                    pairs = [
                        (kind_of[here], kind_of[there])
                        for here, there, side in zip(one.edges, edges, turned, strict=True)
                        if side != BORDER
                    ]
                    ways.append((one.face, other.face, pairs))
    wanted = sorted({(min(pair), max(pair)) for *_faces, pairs in ways for pair in pairs if pair[0] != pair[1]})
    alike: set[tuple[int, int]] = set()
    if wanted:
        here, there = np.array(wanted).T
        for one_kinds, other_kinds, _distances in found.known.kinds.likeness.alike(
            iter([(0.0, here, there)]), progress, never
        ):
            alike |= {*zip(one_kinds.tolist(), other_kinds.tolist(), strict=True)}
    name = shapes.tiling.piece_name
    swaps = {
        (one, other)
        for one, other, pairs in ways
        if all(here == there or (min(here, there), max(here, there)) in alike for here, there in pairs)
    }
    return tuple((name(one), name(other)) for one, other in sorted(swaps)), budget >= 0


def _candidates(found: Fits) -> list[_Piece]:
    """Choose the pieces whose inner edges all have false fits."""
    shapes = found.known.shapes
    graph = shapes.tiling.graph
    ambiguous = {*found.edges[found.others > 0].tolist()}
    pieces = []
    for face in range(graph.face_count):
        codes = graph.codes[graph.starts[face] : graph.starts[face + 1]].tolist()
        edges = [code >> 1 for code in codes]
        inner = [edge for edge in edges if not graph.is_rim(edge)]
        # A piece beside a figure follows the figure's outline, as no other piece does.
        is_beside_figure = any(graph.is_rim(edge) and not shapes.tiling.on_border[edge] for edge in edges)
        if not inner or is_beside_figure or not ambiguous.issuperset(inner):
            continue
        sides = []
        for edge in edges:
            if graph.is_rim(edge):
                sides.append(BORDER)
            elif shapes.plain[edge]:
                sides.append(STRAIGHT)
            else:
                into = int(graph.sides[edge, 0 if shapes.tongues[edge, SIDE] > 0 else 1])
                sides.append(IN if into == face else OUT)
        corners = shapes.corners[[graph.edges[code >> 1][code & 1] for code in codes]]
        spans = np.hypot(*np.moveaxis(corners[:, None] - corners, 2, 0))
        pieces.append(_Piece(face, tuple(sides), tuple(edges), spans))
    return pieces
