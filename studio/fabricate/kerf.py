"""Kerf and fit: pieces with separate outlines, offset by half the width that the beam burns away.

kerf: the width of the line that the beam burns. play: the clearance between two assembled pieces. offset: the distance
by which an outline moves outwards; with (kerf - play) / 2 the cut piece is the drawn piece less half the play. neck:
the narrowest place of a piece. Corners stay sharp (mitred): the beam passes a corner's tip at half a kerf either way,
but a round join would be an arc of 0.1 mm, which laser programs destroy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import shapely

from studio.base.amounts import abridged
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress, threads
from studio.base.texts import tr
from studio.base.units import Against
from studio.checks.pieces import lie_side_by_side
from studio.fabricate.contours import Contours, Flags, Flattened, beside
from studio.geometry.art.artwork_transform import Artwork, extended, joined, moved, parts
from studio.geometry.curves.fitting import fitted
from studio.geometry.curves.offsetting import apart, buffered, harmed, harms, refuse_harmed, width_at
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, frozen, offsets, through
from studio.geometry.planar.drawing import Drawing, Path, closed_parts
from studio.geometry.planar.regions import Polygons, as_polygons, parts_within, shifted, spread

TOLERANCE = 0.01
"""Largest error in mm of an offset outline: a fifteenth of a laser's kerf."""
FIT_TOLERANCE = 0.6 * TOLERANCE
"""Share in mm of this error allowed to the curves fitted through the points of offset polylines."""
CORNER = 0.001
"""Product in mm² of the offset and the deviation of these polylines' chords from the curves. Points are exact; chords
show only at inner corners, where two are cut short, and more with a larger offset: with this product the error stays
below TOLERANCE there."""
PROVEN = TOLERANCE + 0.01
"""Largest proven error in mm anywhere along an offset outline; outlines with a larger error are refused."""
FOLLOWED = 0.004
"""Largest deviation in mm from their curves of the polylines used for this proof."""
MEASURED = 0.001
"""Largest deviation in mm of the outlines of pieces that are spread apart."""
PROVEN_AT_ONCE = 130
"""Number of pieces proven in a batch, so that its arrays stay in a processor's cache."""
LEAST_CHORD_TOLERANCE, MOST_CHORD_TOLERANCE = 0.002, 0.004
"""Bounds in mm of the chords' tolerance."""
SLOT, SLOT_CHORD = -0.5, 2e-4
"""Cosine of a turn below which it is the tip of a slot in an offset outline, and the chords' tolerance in mm then."""
STRETCHED = 3.0
"""Factor by which the offset may increase a chord's deviation from its curve, if it widens a tight curve."""
SMOOTH = np.radians(30.0)
"""Turn in radians below which a polyline counts as a curve."""
MOST_MITRED = 0.2
"""Twice the squared cosine of half the sharpest turn whose offset corner is sought."""
FOUND_AGAIN = 1e-4
"""Distance in mm within which an offset point is found at its expected place."""
PIECES_AT_ONCE = 650
"""Number of pieces in a batch: about 200 ms on two cores; with fewer, the overhead of each batch shows."""
MEASURED_AT_ONCE = 2600
"""Number of pieces whose outlines are in memory at once while necks are sought."""

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Cutouts:
    """Pieces with separate outlines, still at their places on the board.

    `rings` has a closed stroke for each ring: outlines run clockwise on the screen as pieces do, holes anticlockwise.
    `owners` is the piece of every ring, ascending; its outline comes before its holes. `engraved` holds the lines on
    each piece that do not go through the wood; empty if no piece has any. `inner` holds the numbers of pieces whose
    outlines do not touch the border of the board.
    """

    rings: Curves
    owners: Ints
    names: tuple[str, ...]
    engraved: tuple[tuple[Path, ...], ...] = ()
    inner: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, eq=False)
class Neck:
    """A piece with a neck that the kerf burns through; `harm` is an offset in mm that shows it."""

    piece: str
    polygon: shapely.Polygon
    harm: float

    @cached_property
    def width(self) -> float:
        """Width of the neck in mm, computed on demand because few of a thousand necks are reported."""
        return width_at(self.polygon, self.harm)


def cutouts(contours: Contours, offset: float, progress: Progress = SILENT) -> Cutouts:
    """Offset the outlines of pieces by `offset` mm, outwards if positive.

    Holes move the other way: the pieces' own, and holes around a piece inside another, or along a closed cut that
    bounds no piece. With an offset of 0 the rings are the drawing's own curves. Engraved and scored lines stay on their
    piece, split if they cross several; any other line that bounds no piece is dropped. Raise StudioError, naming the
    first piece, if an outline is open, inside out or crosses itself, or a piece would vanish, fall apart, close upon
    itself or lose a hole.

    >>> from studio.geometry.planar.drawing import closed_parts
    >>> from studio.geometry.curves.strokes import closed_through
    >>> square = closed_through(np.array([[1.0, 1.0], [11.0, 1.0], [11.0, 11.0], [1.0, 11.0]]))
    >>> contours = Contours(closed_parts((12.0, 12.0), ["A"], [[square]]))
    >>> cutouts(contours, 0.1).rings.points.max(axis=0).round(3).tolist()
    [11.1, 11.1]
    """
    drawing, chord = contours.drawing, _chord_tolerance(offset)
    if offset > 0 and lie_side_by_side(drawing):
        return _side_by_side(contours, offset, progress)
    board = contours.flattened(chord, progress.part(0.0, 0.3))
    owners, names = board.rings.owners, drawing.pieces.names
    engraved = _engraved(drawing, board.polygons, chord)
    inner = _inner(drawing, board.rings.codes)
    if offset == 0:
        rings = drawing.strokes.joined(board.rings.codes, board.rings.starts)
        return Cutouts(rings, frozen(owners), names, engraved, inner)
    shares = _shares(len(names))

    def moved(share: tuple[int, int]) -> Curves:
        return _moved(contours, share, offset, chord)

    parts = _by_two(moved, shares, progress.part(0.3, 1.0), tr("Offsetting outlines"))
    return Cutouts(Curves.gathered(parts), frozen(owners), names, engraved, inner)


def _side_by_side(contours: Contours, offset: float, progress: Progress) -> Cutouts:
    """Offset outlines of pieces side by side curve by curve, and as polylines only if that fails."""
    drawing, chord = contours.drawing, _chord_tolerance(offset)
    names = drawing.pieces.names
    progress.step(0.0, tr("Following outlines"))
    contours.refuse_broken()
    progress.step(0.3, tr("Moving outlines"))
    rings, found = beside(drawing, offset, FIT_TOLERANCE, chord)
    sound = _proven(contours, rings, np.flatnonzero(found), offset, progress.part(0.3, 0.6))
    rings = rings.chosen(np.flatnonzero(sound))
    found[found] = sound
    others = np.flatnonzero(~found)
    if len(others):
        rest = replace(drawing, pieces=drawing.pieces.chosen(others), chains=())
        lines = Contours(rest)
        lines.flattened(chord, progress.part(0.6, 0.7))
        moved = [_moved(lines, share, offset, chord) for share in _shares(len(others))]
        order = np.argsort(np.concatenate([np.flatnonzero(found), others]))
        rings = Curves.gathered([rings, *moved]).chosen(order)
    engraved = _engraved(drawing, contours.polygons, chord)
    progress.step(1.0)
    inner = _inner(drawing, drawing.pieces.codes)
    return Cutouts(rings, frozen(np.arange(len(names))), names, engraved, inner)


def _inner(drawing: Drawing, codes: Ints) -> frozenset[int]:
    """Pieces whose outlines have another ring of the codes along every stroke."""
    outer = drawing.pieces.outer
    sides = np.bincount(codes >> 1, minlength=len(drawing.strokes))[outer.codes >> 1]
    return frozenset(range(len(outer))) - frozenset(outer.owners[sides < 2].tolist())


def _proven(contours: Contours, rings: Curves, pieces: Ints, offset: float, progress: Progress) -> Flags:
    """Mask of the outlines proven to be the offset, in mm, of the outlines of pieces without holes, all along."""

    def proven(share: tuple[int, int]) -> Flags:
        some = pieces[slice(*share)]
        part = Contours(replace(contours.drawing, pieces=contours.drawing.pieces.chosen(some), chains=()))
        before = part.flattened(FOLLOWED, Progress()).polygons
        exact = buffered(before, offset)
        sound = ~harmed(before, exact)
        at = np.flatnonzero(sound)
        sound[at] = _strays(rings.chosen(share[0] + at), _lines(exact[at])) <= PROVEN
        return np.asarray(sound)

    parts = _by_two(proven, _shares(len(pieces), PROVEN_AT_ONCE), progress, tr("Proving outlines"))
    return np.concatenate([np.empty(0, bool), *parts])


def _strays(outlines: Curves, exact: Polylines) -> Floats:
    """Largest deviations in mm of outlines from the exact polylines, at most FOLLOWED off."""
    return apart(outlines.flattened(FOLLOWED), exact)[0] + 2 * FOLLOWED


def _lines(polygons: Polygons) -> Polylines:
    """All rings of polygons in order, outlines clockwise on the screen."""
    rings = shapely.get_rings(shapely.orient_polygons(polygons))
    points, owners = shapely.get_coordinates(rings, return_index=True)
    return Polylines(points, offsets(np.bincount(owners, minlength=len(rings))))


def _engraved(drawing: Drawing, polygons: Polygons, chord: float) -> tuple[tuple[Path, ...], ...]:
    """Lines on each piece that bound none; lines on no piece are dropped."""
    chains = drawing.on_pieces()
    if not chains:
        return ()
    lines = list(replace(drawing, chains=chains).paths())
    seen = Curves.from_strokes([line.points for line in lines]).flattened(chord)
    strings = [shapely.linestrings(seen[number]) for number in range(len(lines))]
    which, bearers = shapely.STRtree(polygons).query(strings, predicate="intersects")
    found: list[list[Path]] = [[] for _ in polygons]
    for number, piece in sorted(zip(which.tolist(), bearers.tolist(), strict=True)):
        found[piece] += clipped(lines[number], strings[number], polygons[piece])
    return tuple(map(tuple, found))


def clipped(line: Path, string: shapely.LineString, area: shapely.Geometry) -> list[Path]:
    """Clip a line to an area: the line itself if inside, otherwise polylines."""
    if area.contains(string):
        return [line]
    return [Path(line.operation, part, closed=False, is_on_back=line.is_on_back) for part in parts_within(string, area)]


def too_narrow(contours: Contours, kerf: float, progress: Progress = SILENT) -> tuple[Neck, ...]:
    """Find pieces that a beam as wide as `kerf` mm burns through or away if each line is cut once.

    Raise StudioError as `cutouts` does for broken outlines.
    """
    if kerf <= 0:
        return ()
    drawing = contours.drawing
    if not lie_side_by_side(drawing):
        return _burnt(contours, kerf, progress)
    contours.refuse_broken()
    unsure = np.flatnonzero(contours.may_be_narrow(kerf))
    found: list[Neck] = []
    # Work on a few pieces at a time: at this fineness the outlines of a large board fill gigabytes.
    groups = np.array_split(unsure, -(-len(unsure) // MEASURED_AT_ONCE)) if len(unsure) else []
    for number, group in enumerate(groups):
        part = Contours(replace(drawing, pieces=drawing.pieces.chosen(group)))
        found += _burnt(part, kerf, progress.part(number / len(groups), (number + 1) / len(groups)))
    return tuple(found)


def narrow_notes(
    contours: Contours, kerf: float, lost: float, bridge: float, progress: Progress = SILENT
) -> tuple[str, ...]:
    """Return notes on necks left thinner than `bridge` mm by cuts that take `lost` mm.

    Raise StudioError for necks that a `kerf` in mm of shared lines burns away; it is 0 for separate outlines.
    """
    try:
        thin = too_narrow(contours, lost + bridge, progress)
        # A separate check: with a wide bridge, a whole head may be swallowed, and its neck with it.
        gone = too_narrow(contours, kerf, progress)
    except StudioError:
        # Outlines that cross have no neck to measure. The findings of the board report them, and a maker who forces
        # the file has read these.
        return ()
    if gone:
        words = tr(
            "A kerf of {kerf:g} mm burns through {pieces}; the neck of {piece} is only {width:.2f} mm wide.",
            kerf=kerf,
            pieces=some_pieces([neck.piece for neck in gone]),
            piece=gone[0].piece,
            width=Against(gone[0].width, kerf),
        )
        raise StudioError(words)
    if not thin:
        return ()
    note = tr(
        "After cutting, {piece} has only {width:.2f} mm of material left (minimum {least:g} mm).",
        piece=thin[0].piece,
        width=Against(max(thin[0].width - lost, 0.0), bridge),
        least=bridge,
    )
    others = [neck.piece for neck in thin[1:]]
    return (tr("{note} Also {pieces}.", note=note, pieces=some_pieces(others)) if others else note,)


def some_pieces(names: list[str], most: int = 3) -> str:
    """Name pieces, at most the first few."""
    if len(names) == 1:
        return tr("piece {name}", name=names[0])
    return tr("pieces {names}", names=abridged(names, most))


def _burnt(contours: Contours, kerf: float, progress: Progress) -> tuple[Neck, ...]:
    """Find pieces with a neck below `kerf` mm by offsetting the outlines of all."""
    inwards = -kerf / 2
    # The outlines do not depend on the kerf, so that a wider kerf burns through whatever a narrow one does.
    board = contours.flattened(LEAST_CHORD_TOLERANCE, progress.part(0.0, 0.5))
    names = contours.drawing.pieces.names

    def necks(share: tuple[int, int]) -> list[Neck]:
        polygons = board.polygons[slice(*share)]
        harm = harms(polygons, buffered(polygons, inwards), inwards)
        return [Neck(names[share[0] + at], polygons[at], float(harm[at])) for at in np.flatnonzero(harm).tolist()]

    found = _by_two(necks, _shares(len(names)), progress.part(0.5, 1.0), tr("Checking for narrow necks"))
    return tuple(neck for some in found for neck in some)


def _chord_tolerance(offset: float) -> float:
    """Largest deviation in mm of chords from curves for an offset."""
    return float(np.clip(CORNER / max(abs(offset), CORNER), LEAST_CHORD_TOLERANCE, MOST_CHORD_TOLERANCE))


def _moved(contours: Contours, share: tuple[int, int], offset: float, chord: float) -> Curves:
    """Offset the contours of the pieces of a share. Raise StudioError if the offset destroys a piece.

    At the tip of a slot two offset curves meet at a small angle: small errors of chords there move the tip far.
    """
    board, names = contours.flattened(chord, SILENT).part(*share), contours.drawing.pieces.names[slice(*share)]
    after = buffered(board.polygons, offset)
    if harmed(board.polygons, after).any():
        refuse_harmed(board.polygons, after, names, offset)
    lines = _lines(after)
    there = _found_again(board.lines, lines, offset)
    _refuse_swallowed(board, after, there < 0, names, offset)
    into, out = _ways(lines)
    if (into * out).sum(axis=1).min(initial=1.0) < SLOT:
        chord = min(chord, SLOT_CHORD)
        board = contours.flattened(chord, SILENT).part(*share)
        lines = _lines(buffered(board.polygons, offset))
        there = _found_again(board.lines, lines, offset)
    knots = np.zeros(len(lines.points), bool)
    knots[there[board.knots & (there >= 0)]] = True
    outlines = fitted(_unmitred(lines, offset), FIT_TOLERANCE, STRETCHED * chord, knots)
    # A line that the cubics do not follow, as beside the tip of a slot, stays one of chords.
    off = np.flatnonzero(_strays(outlines, lines) > PROVEN)
    chords = Curves.from_strokes([through(lines[at]) for at in off.tolist()])
    return outlines.replaced(off, chords) if len(off) else outlines


def _refuse_swallowed(board: Flattened, after: Polygons, lost: Flags, names: tuple[str, ...], offset: float) -> None:
    """Raise StudioError for the first piece that lost a head; `lost` marks points missing after the offset.

    A swallowed head takes many points with it, so without two lost neighbours no head was swallowed. Points that lead
    up to a corner do not count, nor do two corners with only such points between.
    """
    leading = board.leading
    led = np.append(leading[1:], False) | np.append(False, leading[:-1])
    first, last = board.lines.starts[:-1], board.lines.starts[1:] - 1
    led[first] = led[last] = led[first] | led[last]
    seen = np.flatnonzero(~leading)
    one, two = seen[:-1], seen[1:]
    both = lost[one] & lost[two] & ~(led[one] & led[two]) & (board.lines.owners[one] == board.lines.owners[two])
    unsure = np.unique(board.rings.owners[board.lines.owners[seen[:-1][both]]])
    refuse_harmed(board.polygons[unsure], after[unsure], tuple(names[at] for at in unsure.tolist()), offset)


def _unmitred(rings: Polylines, offset: float) -> Polylines:
    """Move the points of offset contours back to `offset` mm from the curve; mitred corners of a polyline lie farther.

    A corner that turns by θ lies offset / cos(θ / 2) away. True corners stay: they turn by more than SMOOTH.
    """
    into, out = _ways(rings)
    both = into + out
    cosine = np.hypot(both[:, 0], both[:, 1]) / 2
    back = np.where(cosine > np.cos(SMOOTH / 2), offset * (1 - cosine) / np.maximum(cosine, 0.5) ** 2 / 2, 0.0)
    moved = rings.points + back[:, None] * np.stack([-both[:, 1], both[:, 0]], 1)
    moved[rings.starts[1:] - 1] = moved[rings.starts[:-1]]
    return Polylines(moved, rings.starts)


def _found_again(lines: Polylines, moved: Polylines, offset: float) -> Ints:
    """Index among the offset contours' points of each point of the contours, -1 if it vanished.

    An offset point is the intersection of the offset sides beside it. GEOS drops points of nearly straight contours,
    and points that would lie inside.
    """
    into, out = _ways(lines)
    both = into + out
    mitre = both / np.maximum(1 + (into * out).sum(axis=1), MOST_MITRED)[:, None]
    goals = lines.points + offset * np.stack([mitre[:, 1], -mitre[:, 0]], 1)
    found = np.full(len(goals), -1)
    for shift in (0.0, 0.5):
        steps = (np.rint(points / FOUND_AGAIN + shift).astype(np.int64) for points in (goals, moved.points))
        here, there = ((step[:, 0] << 32) + step[:, 1] for step in steps)
        order = np.argsort(there, kind="stable")
        at = np.minimum(np.searchsorted(there, here, sorter=order), len(order) - 1)
        found = np.where((found < 0) & (there[order[at]] == here), order[at], found)
    return found


def _ways(rings: Polylines) -> tuple[Floats, Floats]:
    """Unit vectors along which rings arrive at each point and leave it."""
    points, first, last = rings.points, rings.starts[:-1], rings.starts[1:] - 1
    out = np.zeros_like(points)
    out[:-1] = points[1:] - points[:-1]
    out[last] = out[first]
    out /= np.maximum(np.hypot(out[:, 0], out[:, 1]), 1e-300)[:, None]
    into = np.roll(out, 1, axis=0)
    into[first] = out[last - 1]
    return into, out


def _shares(count: int, at_once: int = PIECES_AT_ONCE) -> list[tuple[int, int]]:
    """Split pieces into batches, each from a first up to an end."""
    return [(first, min(first + at_once, count)) for first in range(0, count, at_once)]


def _by_two(
    work: Callable[[tuple[int, int]], Result], shares: list[tuple[int, int]], progress: Progress, note: str
) -> list[Result]:
    """Do the work on all shares, in order, on two threads: shapely and numpy release the interpreter."""
    results = []
    with threads(2) as pool:
        try:
            for number, result in enumerate(pool.map(work, shares)):
                progress.step((number + 1) / len(shares), note)
                results.append(result)
        finally:
            pool.shutdown(cancel_futures=True)
    return results


# Separate pieces spread apart in their places, with their engraving and artwork.


def spread_pieces(
    cutouts: Cutouts, artwork: Artwork, distance: float, bleed: float = 0.0, progress: Progress = SILENT
) -> Drawing:
    """Spread separate pieces apart in their places by a distance in mm, on a sheet that just holds them.

    Each takes along its engraving and its part of the artwork, which reaches up to `bleed` mm past the piece, but at
    most half the distance.
    """
    starts = np.searchsorted(cutouts.owners, np.arange(len(cutouts) + 1)).tolist()
    pieces = as_polygons(cutouts.rings.flattened(MEASURED), cutouts.owners)
    shifts = spread(pieces, distance, progress.part(0.0, 0.7))
    shifts -= shapely.bounds(shifted(pieces, shifts))[:, :2].min(axis=0)
    width, height = shapely.bounds(shifted(pieces, shifts))[:, 2:].max(axis=0).tolist()
    rings = [
        [cutouts.rings[ring] + shift for ring in range(first, last)]
        for first, last, shift in zip(starts[:-1], starts[1:], shifts, strict=True)
    ]
    marks = [
        replace(line, points=line.points + shift)
        for lines, shift in zip(cutouts.engraved, shifts, strict=False)
        for line in lines
    ]
    sheet = closed_parts((width, height), cutouts.names, rings, marks, cutouts.inner)
    if not artwork:
        return sheet
    shapes = pieces
    if bleed > 0:
        artwork = extended(artwork, shapely.union_all(pieces), bleed)
        shapes = shapely.buffer(pieces, min(bleed, distance / 2))
    own = parts(artwork, shapes, progress.part(0.7, 1.0))
    carried = tuple(moved(part, *shift) for part, shift in zip(own, shifts.tolist(), strict=True))
    return replace(sheet, artwork=joined(carried))
