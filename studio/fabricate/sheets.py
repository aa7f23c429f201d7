"""Lay out pieces or whole boards on the machine's bed, on as many sheets as needed.

bed: the area that the head reaches. margin: the free border along the bed's sides. part: the pieces of a board too
large for the bed that are cut from one sheet. skyline: the depth to which a sheet is taken, column by column of its
width; the next piece goes to the place where its upper rim lies closest against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.base.amounts import extent, many
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.fabricate.contours import Contours, loops
from studio.fabricate.cut_network import groups
from studio.fabricate.kerf import Cutouts, clipped
from studio.fabricate.nesting import (
    OUTLINE_TOLERANCE,
    WIDEST,
    Guest,
    Nest,
    Place,
    are_apart,
    guests,
    refuse_larger,
    with_guests,
)
from studio.fabricate.squeezing import squeezed
from studio.fabricate.workshop import ROUNDING, Bed, fits
from studio.geometry.art import artwork_transform
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, distinct, offsets
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Path, Pieces, closed_parts, in_order
from studio.geometry.planar.regions import FreeArea, pieces_as_polygons, quartered

FOLLOWED = 0.001
"""Largest deviation in mm of the polylines that show if outlines leave their sheet."""
STEP = 0.05
"""Step in mm by which a sheet grows."""


@dataclass(frozen=True, eq=False)
class SheetLayout:
    """Sheets as large as the bed, each with its cuts in chains by operation, inner cuts before outlines.

    `use` is the share of the bed's area that the pieces of each sheet cover; `notes` are sentences for the maker. From
    the second copy on, a piece's name includes the copy's number: "C4 (2)".
    """

    sheets: tuple[Drawing, ...]
    use: tuple[float, ...]
    notes: tuple[str, ...]


def nested_pieces(
    cutouts: Cutouts,
    bed: Bed,
    copies: int = 1,
    progress: Progress = SILENT,
    *,
    in_waste: bool = False,
    block: str = WIDEST,
    squeeze: int = 0,
) -> SheetLayout:
    """Nest separate pieces on sheets, each in the quarter turn that packs best, with its holes and engraving; with
    `in_waste` also inside the holes of others.

    The last sheet is given a `block`, and at most `squeeze` seconds to take less of it, if not 0.

    Pieces keep the bed's spacing and margins. Raise StudioError for a piece larger than the sheet, and without copies.
    """
    _refuse_no_copies(copies)
    if not len(cutouts):
        return SheetLayout((), (), ())
    starts = np.searchsorted(cutouts.owners, np.arange(len(cutouts) + 1))
    lines = cutouts.rings.flattened(OUTLINE_TOLERANCE)
    polygons = shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners))
    outlines = polygons[starts[:-1]]
    for name, (left, top, right, bottom) in zip(cutouts.names, shapely.bounds(outlines).tolist(), strict=True):
        refuse_larger(name, (right - left, bottom - top), bed)
    nest = Nest.from_polygons(outlines, bed, block)
    within: dict[int, Guest] = {}
    if in_waste:
        owners = cutouts.owners.tolist()
        inner = sorted(set(range(len(owners))) - set(starts[:-1].tolist()))
        holes = [(owners[ring], polygons[ring]) for ring in inner]
        within = guests(list(outlines), holes, bed.spacing, progress.part(0.0, 0.5))
    most = None if bed.area is None else 1
    loose = nest.packed(copies, progress.part(0.5, 0.7) if in_waste else progress.part(0.0, 0.4), within, most)
    notes: tuple[str, ...] = ()
    if squeeze:
        loose, notes = squeezed(outlines, loose, bed, block, squeeze, progress.part(0.7 if in_waste else 0.4, 1.0))
    places = with_guests(loose, within)
    progress.step(1.0)
    areas = np.bincount(cutouts.owners, lines.sweeps, minlength=len(cutouts))
    if bed.area is not None and len(places) < copies * len(cutouts):
        raise _too_small(places, areas, copies, bed.area)
    sheets, use = [], []
    for sheet in range(1 + max(place.sheet for place in places)):
        laid = [place for place in places if place.sheet == sheet]
        sheets.append(_sheet_of_pieces(cutouts, starts, laid, bed))
        use.append(float(sum(areas[place.piece] for place in laid)) / bed.surface)
    if bed.area is not None and not are_apart(pieces_as_polygons(sheets[0], sheets[0].polylines), bed):
        raise AssertionError("pieces lie apart within a free area")
    return SheetLayout(tuple(sheets), tuple(use), notes)


def _too_small(places: list[Place], areas: NDArray[Any], copies: int, area: FreeArea) -> StudioError:
    """Return the refusal of a free area without room for all pieces."""
    lacking = copies * float(areas.sum()) - sum(float(areas[place.piece]) for place in places)
    return StudioError(
        tr(
            "Only {count} of {pieces} fit {area}; {lacking:.0f} cm² of pieces are left over. Choose a larger sheet.",
            count=len(places),
            pieces=many(copies * len(areas), "piece"),
            area=area.title,
            lacking=max(lacking / 100, 1.0),
        )
    )


def in_place(cutouts: Cutouts, drawing: Drawing) -> Drawing:
    """Place separate pieces on a sheet as large as the drawing, enlarged all round if they reach beyond it."""
    starts = np.searchsorted(cutouts.owners, np.arange(len(cutouts) + 1))
    points, size = cutouts.rings.flattened(FOLLOWED).points, np.array([drawing.width, drawing.height])
    beyond = float(np.maximum(-points, points - size).max(initial=0.0))
    more = float(np.ceil(beyond / STEP) * STEP)
    places = [Place(piece, 1, 0, 0, more, more) for piece in range(len(cutouts))]
    bed = Bed(drawing.width + 2 * more, drawing.height + 2 * more, 0.0, 0.0)
    return replace(
        _sheet_of_pieces(cutouts, starts, places, bed), artwork=artwork_transform.moved(drawing.artwork, more, more)
    )


def grown(drawing: Drawing) -> Drawing:
    """Enlarge a board's page where its border lies beyond it, as round a figure that sticks out."""
    edges = [chain.strokes >> 1 for chain in drawing.chains if chain.operation is Operation.BORDER]
    if not edges:
        return drawing
    points = drawing.strokes.chosen(distinct(np.concatenate(edges))).flattened(FOLLOWED).points
    before, behind = -points.min(axis=0), points.max(axis=0) - (drawing.width, drawing.height)
    (left, up), (right, down) = (np.where(away > FOLLOWED, np.ceil(away / STEP) * STEP, 0.0).tolist()
                                 for away in (before, behind))  # fmt: skip
    if not any((left, up, right, down)):
        return drawing
    return replace(
        drawing,
        width=drawing.width + left + right,
        height=drawing.height + up + down,
        strokes=Curves(drawing.strokes.points + np.array([left, up]), drawing.strokes.starts),
        artwork=artwork_transform.moved(drawing.artwork, left, up),
    )


def gathered(several: Sequence[Cutouts]) -> Cutouts:
    """Put the pieces of several boards together; from the second board on, names include the board's number."""
    firsts = offsets(np.array([len(each) for each in several], np.int64)).tolist()
    has_engraving = any(each.engraved for each in several)
    return Cutouts(
        Curves.gathered([each.rings for each in several]),
        np.concatenate([each.owners + first for each, first in zip(several, firsts, strict=False)]),
        tuple(_name(name, number) for number, each in enumerate(several, 1) for name in each.names),
        tuple(lines for each in several for lines in each.engraved or ((),) * len(each)) if has_engraving else (),
        frozenset(piece + first for each, first in zip(several, firsts, strict=False) for piece in each.inner),
    )


def nested_boards(
    drawing: Drawing, bed: Bed, copies: int = 1, progress: Progress = SILENT, *, more: Sequence[Drawing] = ()
) -> SheetLayout:
    """Lay out whole boards, and perhaps `more`, on sheets, several per sheet if they fit, turned if more fit that way.

    A board that is too large is split along its cuts into few connected parts, but never on a free area. Raise
    StudioError for a piece larger than the sheet, a free area without room, and without copies.
    """
    _refuse_no_copies(copies)
    progress.step(0.0, tr("Laying out boards"))
    if bed.area is not None:
        sheet = _boards_in_area([drawing, *more] * copies, bed, bed.area, progress)
        return SheetLayout((sheet,), (Contours(sheet).covered / bed.surface,), ())
    notes: list[str] = []
    split: dict[int, list[Drawing]] = {}
    for one in (drawing, *more):
        if id(one) in split:
            continue
        split[id(one)] = parts = [one] if fits((one.width, one.height), bed) else _split(one, bed, progress)
        if len(parts) > 1:
            notes.append(
                tr(
                    "The board ({width:g} × {height:g} mm) exceeds the usable bed ({usable_width:g} × "
                    "{usable_height:g} mm) and is split along cut lines into {parts} parts.",
                    width=one.width,
                    height=one.height,
                    usable_width=bed.inside[0],
                    usable_height=bed.inside[1],
                    parts=len(parts),
                )
            )
    wanted = [drawing, *more] * copies
    boards = [_copied(part, number) for number, one in enumerate(wanted, 1) for part in split[id(one)]]
    sheets = _boards_on_sheets(boards, bed)
    use = tuple(Contours(sheet).covered / bed.surface for sheet in sheets)
    return SheetLayout(sheets, use, tuple(dict.fromkeys(notes)))


def mirrored(drawing: Drawing) -> Drawing:
    """Mirror a drawing for cutting face down: x becomes width - x; outlines still run clockwise on the screen."""
    points = drawing.strokes.points * (-1.0, 1.0) + (drawing.width, 0.0)
    pieces = drawing.pieces
    rings = pieces.rings
    backwards = np.repeat(rings[1:] - 1 + rings[:-1], np.diff(rings)) - np.arange(len(pieces.codes))
    turned = replace(pieces, codes=pieces.codes[backwards] ^ 1)
    artwork = artwork_transform.mirrored(drawing.artwork, drawing.width)
    return replace(drawing, strokes=Curves(points, drawing.strokes.starts), pieces=turned, artwork=artwork)


def _refuse_no_copies(copies: int) -> None:
    if copies < 1:
        raise StudioError(tr("The number of copies must be at least 1, not {copies}.", copies=copies))


def _name(name: str, copy: int) -> str:
    return name if copy == 1 else f"{name} ({copy})"


# Separate pieces


def _sheet_of_pieces(cutouts: Cutouts, starts: Ints, places: list[Place], bed: Bed) -> Drawing:
    rings, marks = [], []
    for place in places:
        shift = np.array([place.right, place.down])
        own = range(int(starts[place.piece]), int(starts[place.piece + 1]))
        rings.append([quartered(cutouts.rings[ring], place.quarters) + shift for ring in own])
        for line in cutouts.engraved[place.piece] if cutouts.engraved else ():
            marks.append(replace(line, points=quartered(line.points, place.quarters) + shift))
    names = [_name(cutouts.names[place.piece], place.copy) for place in places]
    inner = [at for at, place in enumerate(places) if place.in_waste or place.piece in cutouts.inner]
    return closed_parts((bed.width, bed.height), names, rings, marks, inner)


# Whole boards


def _copied(board: Drawing, copy: int) -> Drawing:
    """Add the copy's number to a board's piece names."""
    names = tuple(_name(name, copy) for name in board.pieces.names)
    return replace(board, pieces=replace(board.pieces, names=names))


def _boards_on_sheets(boards: list[Drawing], bed: Bed) -> tuple[Drawing, ...]:
    """Lay out boards in rows, the highest first, each turned so that more of its size fit on a sheet."""
    upright = [_upright(board, bed) for board in boards]
    order = sorted(range(len(boards)), key=lambda at: -upright[at].height)
    width, height = bed.inside
    sheets: list[list[Drawing]] = []
    right = down = row = np.inf
    for at in order:
        board = upright[at]
        if right + board.width > width + ROUNDING:
            right, down, row = 0.0, down + row, 0.0
        if down + board.height > height + ROUNDING:
            sheets.append([])
            right = down = row = 0.0
        way = np.array([bed.margin + right, bed.margin + down])
        strokes = Curves(board.strokes.points + way, board.strokes.starts)
        artwork = artwork_transform.moved(board.artwork, *way.tolist())
        sheets[-1].append(replace(board, strokes=strokes, artwork=artwork))
        right += board.width + bed.spacing
        row = max(row, board.height + bed.spacing)
    return tuple(_together(sheet, bed) for sheet in sheets)


def _boards_in_area(boards: Sequence[Drawing], bed: Bed, area: FreeArea, progress: Progress) -> Drawing:
    """Lay out boards in a free area; raise StudioError if they do not all fit."""
    wholes = []
    for board in boards:
        outlines = board.outlines(board.strokes.flattened(OUTLINE_TOLERANCE))
        shape = shapely.union_all(shapely.polygons(shapely.linearrings(outlines.points, indices=outlines.owners)))
        wholes.append(shape if isinstance(shape, shapely.Polygon) else shapely.convex_hull(shape))
    places = Nest.from_polygons(np.array(wholes, object), bed).packed(1, progress, most_sheets=1)
    if len(places) < len(boards):
        said = tr("The board ({size}) does not fit {area} in any orientation.", area=area.title,
                  size=extent(boards[0].width, boards[0].height))  # fmt: skip
        if places:
            said = tr("Only {count} of {boards} fit {area}.", count=len(places), boards=many(len(boards), "board"),
                      area=area.title)  # fmt: skip
        raise StudioError(tr("{problem} Choose a larger sheet, or separate outlines.", problem=said))
    laid = []
    for place in places:
        board = boards[place.piece]
        one = _copied(board, place.piece + 1)
        artwork, size = one.artwork, (board.width, board.height)
        for _ in range(place.quarters):
            artwork, size = artwork_transform.turned(artwork, size[1]), size[::-1]
        corner = [(0.0, 0.0), (board.height, 0.0), (board.width, board.height), (0.0, board.width)][place.quarters]
        artwork = artwork_transform.moved(artwork, place.right - corner[0], place.down - corner[1])
        points = quartered(one.strokes.points, place.quarters) + np.array([place.right, place.down])
        laid.append(replace(one, strokes=Curves(points, one.strokes.starts), artwork=artwork))
    return _together(laid, bed)


def _upright(board: Drawing, bed: Bed) -> Drawing:
    """Turn a board by a quarter if more of its size then fit on a sheet."""

    def count(width: float, height: float) -> int:
        along, across = ((room + bed.spacing + ROUNDING) / (size + bed.spacing)
                         for room, size in zip(bed.inside, (width, height), strict=True))  # fmt: skip
        return int(along) * int(across)

    if count(board.height, board.width) <= count(board.width, board.height):
        return board
    points = quartered(board.strokes.points, 1) + np.array([board.height, 0.0])
    artwork = artwork_transform.turned(board.artwork, board.height)
    strokes = Curves(points, board.strokes.starts)
    return Drawing(board.height, board.width, strokes, board.chains, board.pieces, artwork)


def _together(boards: list[Drawing], bed: Bed) -> Drawing:
    """Join boards, side by side, to a single drawing."""
    before = offsets(np.array([len(board.strokes) for board in boards], np.int64)).tolist()
    strokes = Curves.gathered([board.strokes for board in boards])
    chains = in_order(
        replace(chain, strokes=chain.strokes + 2 * first)
        for board, first in zip(boards, before[:-1], strict=True)
        for chain in board.chains
    )
    codes = [board.pieces.codes + 2 * first for board, first in zip(boards, before[:-1], strict=True)]
    counts = np.concatenate([np.diff(board.pieces.starts) for board in boards])
    at = offsets(np.array([len(board.pieces.codes) for board in boards], np.int64)).tolist()
    holes = np.concatenate([board.pieces.holes + first for board, first in zip(boards, at[:-1], strict=True)])
    names = tuple(name for board in boards for name in board.pieces.names)
    pieces = Pieces(np.concatenate(codes), offsets(counts), names, holes)
    artwork = artwork_transform.joined([board.artwork for board in boards])
    return Drawing(bed.width, bed.height, strokes, chains, pieces, artwork)


# Boards larger than the bed


def _split(drawing: Drawing, bed: Bed, progress: Progress) -> list[Drawing]:
    """Split a board into few connected parts that fit on the bed."""
    lines = drawing.strokes.flattened(OUTLINE_TOLERANCE)
    outlines = drawing.outlines(lines)
    low = np.minimum.reduceat(outlines.points, outlines.starts[:-1])
    high = np.maximum.reduceat(outlines.points, outlines.starts[:-1])
    for name, size in zip(drawing.pieces.names, (high - low).tolist(), strict=True):
        refuse_larger(name, (size[0], size[1]), bed)
    # Pairs of pieces that share a stroke.
    pieces = drawing.pieces
    order = np.argsort(pieces.codes >> 1, kind="stable")
    strokes, owners = (pieces.codes >> 1)[order], pieces.owners[order]
    same = np.flatnonzero(strokes[1:] == strokes[:-1])
    touching = np.stack([owners[same], owners[same + 1]], 1)
    middles = (low + high) / 2
    most = [max(2, 2 * int(np.ceil(size / min(bed.inside)))) for size in (drawing.width, drawing.height)]
    grids = sorted(product(range(1, most[0] + 1), range(1, most[1] + 1)), key=lambda grid: (grid[0] * grid[1], grid))
    best = np.arange(len(drawing.pieces))
    for number, (columns, rows) in enumerate(grids):
        if columns * rows > best.max():
            break
        progress.step(number / len(grids), tr("Splitting the board"))
        fields = _shared_out(middles, columns, rows)
        within = touching[fields[touching[:, 0]] == fields[touching[:, 1]]]
        tried = np.asarray(np.unique(groups(len(fields), within), return_inverse=True)[1])
        if tried.max() < best.max() and all(
            fits(_size(low, high, tried == group), bed) for group in range(int(tried.max()) + 1)
        ):
            best = tried
    drawing, around = _shared(drawing, best, lines)
    return [_part(drawing, best == group, around == group, bed.bleed) for group in range(int(best.max()) + 1)]


def _shared(drawing: Drawing, groups: Ints, lines: Polylines) -> tuple[Drawing, Ints]:
    """Divide the engraving of a drawing among groups of pieces; also return the group of each stroke that bounds no
    piece, -1 for other strokes.

    A line that runs from one group to another becomes a polyline on each; parts on no group are dropped.
    """
    within = _within(drawing, lines)
    around = np.where(within >= 0, groups[within], -1)
    if not (on_pieces := {*map(id, drawing.on_pieces())}):
        return drawing, around
    polygons = pieces_as_polygons(drawing, lines)
    areas = np.array([shapely.union_all(polygons[groups == group]) for group in range(int(groups.max()) + 1)], object)
    shapely.prepare(areas)
    count = len(drawing.strokes)
    added: list[Path] = []
    owners: list[int] = []
    chains: list[Chain] = []
    for chain in drawing.chains:
        parted = []
        for code in chain.strokes.tolist() if id(chain) in on_pieces else ():
            line = Path(chain.operation, drawing.strokes[code >> 1][:: -1 if code & 1 else 1], False, chain.is_on_back)
            string = shapely.linestrings(lines[code >> 1])
            crossed = np.flatnonzero(shapely.intersects(areas, string)).tolist()
            whole = [group for group in crossed if areas[group].contains(string)]
            if whole:
                around[code >> 1] = whole[0]
                continue
            parted.append(code >> 1)
            for group in crossed:
                parts = clipped(line, string, areas[group])
                first = count + len(added)
                chains += [
                    replace(chain, strokes=np.array([2 * (first + at)]), closed=False) for at in range(len(parts))
                ]
                owners += [group] * len(parts)
                added += parts
        chains += _runs(chain, ~np.isin(np.arange(count), parted)) if parted else [chain]
    strokes = (
        Curves.gathered([drawing.strokes, Curves.from_strokes([part.points for part in added])])
        if added
        else drawing.strokes
    )
    around = np.concatenate([around, np.array(owners, np.int64)])
    return replace(drawing, strokes=strokes, chains=tuple(chains)), around


def _within(drawing: Drawing, lines: Polylines) -> Ints:
    """Piece around each stroke that bounds no piece, -1 for other strokes."""
    result = np.full(len(drawing.strokes), -1)
    loose = np.flatnonzero(np.bincount(drawing.pieces.codes >> 1, minlength=len(result)) == 0)
    if len(loose):
        tree = shapely.STRtree(pieces_as_polygons(drawing, lines))
        result[loose] = tree.nearest(shapely.points(drawing.strokes.points[drawing.strokes.starts[loose]]))
    return result


def _size(low: Floats, high: Floats, chosen: NDArray[np.bool_]) -> tuple[float, float]:
    width, height = (high[chosen].max(axis=0) - low[chosen].min(axis=0)).tolist()
    return width, height


def _shared_out(middles: Floats, columns: int, rows: int) -> Ints:
    """Field of every piece, in an even grid of columns and rows over the pieces' middles."""
    fields = []
    for axis, count in ((0, columns), (1, rows)):
        low, high = middles[:, axis].min(), middles[:, axis].max()
        share = (middles[:, axis] - low) / max(high - low, ROUNDING)
        fields.append(np.minimum((share * count).astype(np.int64), count - 1))
    return np.asarray(fields[1] * columns + fields[0])


def _part(drawing: Drawing, chosen: NDArray[np.bool_], loose: NDArray[np.bool_], bleed: float) -> Drawing:
    """Make a board of some pieces, bordered by the strokes that no two of them share.

    `loose` marks the strokes on these pieces that bound no piece.
    """
    pieces = drawing.pieces
    which = np.flatnonzero(chosen)
    own = pieces.chosen(which)
    codes, groups = own.codes, own.owners
    sided = np.bincount(codes >> 1, minlength=len(drawing.strokes))
    outer = sided[codes >> 1] == 1
    rings = loops(drawing.strokes, codes[outer], groups[outer], np.zeros(int(outer.sum()), np.int64))
    kept = (sided == 2) | loose
    chains = [run for chain in drawing.chains for run in _runs(chain, kept)]
    along = drawing.strokes.joined(rings.codes, rings.starts).flattened(OUTLINE_TOLERANCE).sweeps
    for ring in np.argsort(along).tolist():
        operation = Operation.BORDER if along[ring] > 0 else Operation.INNER
        chains.append(Chain(operation, rings.codes[rings.starts[ring] : rings.starts[ring + 1]], closed=True))
    part = _renumbered(drawing, chains, own)
    if not drawing.artwork:
        return part
    # The first used stroke shows how far the part was moved.
    shift = part.strokes.points[0] - drawing.strokes.points[drawing.strokes.starts[_used(chains)[0]]]
    shape = shapely.union_all(pieces_as_polygons(replace(drawing, pieces=own), drawing.polylines))
    (artwork,) = artwork_transform.parts(drawing.artwork, np.array([shapely.buffer(shape, bleed)], object))
    return replace(part, artwork=artwork_transform.moved(artwork, *shift.tolist()))


def _used(chains: list[Chain]) -> Ints:
    """Strokes of chains, ascending."""
    return np.unique(np.concatenate([chain.strokes for chain in chains]) >> 1)


def _runs(chain: Chain, kept: NDArray[np.bool_]) -> list[Chain]:
    """Stretches of a chain whose strokes are kept."""
    mask = kept[chain.strokes >> 1]
    if mask.all():
        return [chain]
    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0))
    return [
        replace(chain, strokes=chain.strokes[begin:end], closed=False) for begin, end in edges.reshape(-1, 2).tolist()
    ]


def _renumbered(drawing: Drawing, chains: list[Chain], pieces: Pieces) -> Drawing:
    """Make a drawing of the strokes of some chains alone, moved into its corner."""
    used = _used(chains)
    number = np.zeros(len(drawing.strokes), np.int64)
    number[used] = np.arange(len(used))

    def renamed(codes: Ints) -> Ints:
        return np.asarray(2 * number[codes >> 1] + (codes & 1))

    strokes = drawing.strokes.chosen(used)
    lines = strokes.flattened(OUTLINE_TOLERANCE).points
    low, size = lines.min(axis=0), np.ptp(lines, axis=0)
    return Drawing(
        float(size[0]),
        float(size[1]),
        Curves(strokes.points - low, strokes.starts),
        tuple(replace(chain, strokes=renamed(chain.strokes)) for chain in chains),
        replace(pieces, codes=renamed(pieces.codes)),
    )
