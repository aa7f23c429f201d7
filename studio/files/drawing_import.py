"""Imports an outline with its holes, a silhouette, lines or a tongue from a drawing, and protected areas.

A protected area is the dark or opaque parts of a picture, or the closed paths of a drawing. Tongues are SVG, or JSON
as in resources/tongues.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from studio.base.amounts import many
from studio.base.encode import Item, Kept, Library, decode
from studio.base.errors import StudioError
from studio.base.json_files import content, parsed
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr
from studio.files import dxf_paths, svg_paths
from studio.files.imported_paths import Found, Reading, UnitMissing, counted, nothing_drawn
from studio.files.pictures import FORMATS, read_picture
from studio.geometry.art.artwork import pixels_in
from studio.geometry.curves.joining import joined, welded
from studio.geometry.curves.offsetting import ensure_few_crossings, segments
from studio.geometry.curves.rings import AS_DRAWN, Outlined, box, ensure_few_points, outlined, without_frame
from studio.geometry.curves.strokes import Curves, Floats, frozen
from studio.geometry.planar.polyomino import traced
from studio.geometry.planar.regions import FreeArea
from studio.puzzles.jigsaw.figures.silhouettes import BAR, Figure, silhouette
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.drawn_boards import with_drawn_cuts
from studio.puzzles.jigsaw.picture.engravings import FACE, Engraving, free_name, of_drawing
from studio.puzzles.jigsaw.picture.masks import MOST_LINES as MOST_FOLLOWED
from studio.puzzles.jigsaw.picture.masks import MOST_POINTS, FollowedLine, Placement, Size, filled, of_area
from studio.puzzles.jigsaw.tongues import profiles
from studio.puzzles.jigsaw.tongues.profiles import LARGEST_FILE, Stored
from studio.puzzles.jigsaw.tongues.sketch import completed, rounded

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from studio.puzzles.jigsaw.model.design import JigsawDesign
    from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
    from studio.puzzles.jigsaw.picture.masks import Mask

LARGEST = 64 * 2**20
"""Bytes of the largest file that is read."""
LEAST = 5.0
"""The least width and height in mm of an outline."""
SCALED_BELOW, SCALED_ABOVE, USUAL_HEIGHT = 20.0, 2000.0, 100.0
"""Heights in mm between which a silhouette keeps its size, and the height that others are scaled to."""
MOST_LINES = 200
"""Limit for the open paths that are lines of a figure; more are an outline that is not closed."""
MOST_CURVES = 2_500
"""Limit for the curves of a board's outline with its holes: each may cross every line of the tiling."""
FARTHEST = 1e6
"""The largest coordinate in mm."""
READING = Reading()
"""Reads a drawing as it is."""
_KNOWN: ContextVar[dict[tuple[Path, str | None], Found | UnitMissing] | None] = ContextVar("_KNOWN", default=None)
READERS = {".svg": svg_paths.read, ".dxf": dxf_paths.read}
"""Readers of paths by file extension."""
SUFFIXES = (*FORMATS, *READERS)
MOST_CELLS = 512
"""Cells along the longer side of an area read from a picture."""
DARK = 128
"""Brightness below which a pixel is protected, of 255; in transparent pictures, the opacity above which."""
FLATNESS = 0.01
"""Largest distance in mm of polygons from the curves of a drawing: masks are kept in hundredths of a mm."""
TONGUE_SUFFIXES = (".svg", ".json")
LARGEST_TONGUE = 2**21
"""Bytes of the largest drawing that is read."""
PIXEL = "px"
"""Unit of drawings without one: only their form matters."""
FORGIVEN = np.radians(8.0)
"""The largest angle in a drawing that counts as smooth; profiles are stricter."""
SHORTEST = 0.01
"""The length in edges of a handle that is drawn on its knot."""
LEAST_SPAN = 1e-6
"""The least distance in mm between the ends of a path."""


def read_paths(path: Path, reading: Reading, progress: Progress, *, least: float = LEAST) -> Outlined:
    """Read the outline and holes in an SVG or DXF file, in mm.

    Raises UnitMissing if there is no unit, and StudioError, with the file's name, for anything but one outline of
    closed paths, at least `least` mm wide and high.
    """
    with _named(path):
        found, is_upwards = _found(path, reading, progress)
        joining = progress.part(0.5, 1.0, tr("Join paths"))
        with _stating_unit(found):
            one = outlined(found.strokes, least, joining, reading.closing, is_upwards=is_upwards)
        curves = sum(len(ring) // 3 for ring in one.rings)
        if curves > MOST_CURVES:
            words = tr(
                "its outline has {curves:,} curves (maximum {most:,}). Simplify the drawing.",
                curves=curves,
                most=MOST_CURVES,
            )
            raise StudioError(words)
    holes = [tr("The board has {holes}.", holes=many(len(one.rings) - 1, "hole"))] if one.rings[1:] else []
    return replace(one, notes=(*holes, *one.notes, *_notes(found)))


def read_silhouette(
    path: Path, progress: Progress, most: int, bar: float, reading: Reading = READING, *, has_lines: bool = False
) -> Outlined:
    """Read the outline and holes in an SVG or DXF file of any size and unit, scaling tiny and huge drawings.

    Parts inside holes and separate parts are joined by bars as wide as a `bar` of the height. Raises StudioError, with
    the file's name, for anything but closed paths, and open ones within them if it `has_lines`, with at most `most`
    control points.
    """
    with _named(path):
        found, is_upwards = _in_any_unit(path, reading, progress)
        places = np.concatenate([stroke[:, 1] for stroke in found.strokes] or [np.zeros(1)])
        tall = float(np.ptp(places)) if np.isfinite(places).all() else 0.0
        scale = USUAL_HEIGHT / tall if tall and not SCALED_BELOW <= tall <= SCALED_ABOVE else 1.0
        strokes = [stroke * scale for stroke in found.strokes]
        joining = progress.part(0.5, 1.0, tr("Join paths"))
        parts = joined(strokes, reading.closing.gap, progress.part(0.4, 0.5)) if has_lines else None
        lines = parts.open if parts is not None and parts.rings and len(parts.open) <= MOST_LINES else []
        if parts is not None and lines:
            strokes = parts.rings
        one = outlined(strokes, 0.0, joining, reading.closing, is_upwards=is_upwards, bar=bar)
        if lines:
            way = np.array([1.0, -1.0 if is_upwards else 1.0])
            low, _ = box(way * max(strokes, key=lambda ring: float(np.ptp(ring, axis=0).prod())))
            one = replace(one, lines=tuple(way * line - low for line in lines))
        ensure_few_points(sum(map(len, (*one.rings, *one.lines))), most)
    return replace(one, notes=(*one.notes, *_notes(replace(found, stated=""))))


def read_lines(
    path: Path, progress: Progress, most: int, reading: Reading = READING
) -> tuple[list[Floats], tuple[str, ...]]:
    """Read all lines in an SVG or DXF file, closed or open, in mm, y downwards, and notes for the maker.

    A missing unit means mm. Raises StudioError, with the file's name, for a file without lines, or with more than
    `most` control points.
    """
    with _named(path):
        found, is_upwards = _in_any_unit(path, reading, progress)
        way = np.array([1.0, -1.0 if is_upwards else 1.0])
        strokes = [stroke * way for stroke in found.strokes if len(stroke) > 1 and (stroke != stroke[0]).any()]
        if not strokes:
            raise StudioError(tr("it draws no lines."))
        with _stating_unit(found):
            if not (np.abs(np.concatenate(strokes)) < FARTHEST).all():
                raise StudioError(tr("it has an invalid point or one beyond {largest:g} mm.", largest=FARTHEST))
        closing, joining = reading.closing, progress.part(0.5, 1.0, tr("Join paths"))
        notes: list[str] = []
        if closing != AS_DRAWN:
            parts = joined(strokes, closing.gap, joining)
            rings, notes = parts.rings, parts.notes()
            if not closing.keeps_frame:
                rings, said = without_frame(rings)
                notes += said
            strokes = [*(welded(rings) if closing.welds and rings else rings), *parts.open]
        ensure_few_points(sum(map(len, strokes)), most)
    return strokes, (*notes, *_notes(found))


def read_cuts(
    path: Path, design: JigsawDesign, progress: Progress, reading: Reading = READING
) -> tuple[JigsawDesign, tuple[str, ...]]:
    """Give a board the outline and the cuts that an SVG or DXF file draws, and return notes for the maker.

    Lines on engraved layers become an engraving in their place. A missing unit means mm. Raises StudioError, with the
    file's name, for anything but one board of closed pieces.
    """
    with _named(path):
        whole = replace(reading, layers=(), engraved=())
        found, is_upwards = _in_any_unit(path, whole, progress.part(0.0, 0.3))
        if is_upwards:
            found = replace(found, strokes=[stroke * (1.0, -1.0) for stroke in found.strokes])
        strokes = reading.of_cuts(found).chosen(found).strokes
        with _stating_unit(found):
            if not (np.abs(np.concatenate(found.strokes)) < FARTHEST).all():
                raise StudioError(tr("it has an invalid point or one beyond {largest:g} mm.", largest=FARTHEST))
            drawn, notes = with_drawn_cuts(design, strokes, reading.closing.gap, progress.part(0.3, 1.0))
        if reading.engraved:
            marks = reading.of_engraved.chosen(found).strokes
            drawn = drawn.with_engraving(_engraved(marks, drawn))
    return drawn, (*notes, *_notes(found))


def _engraved(strokes: list[Floats], design: JigsawDesign) -> Engraving:
    """An engraving of lines in their place on a board from the same drawing."""
    points, (left, top) = np.concatenate(strokes), np.array(design.path[0]).min(axis=0)
    low, high = points.min(axis=0), points.max(axis=0)
    (x, y), (width, height) = ((low + high) / 2 - (left, top)).tolist(), (high - low).tolist()
    pose = Pose(x, y, height or width)
    return of_drawing(free_name(design.engravings, "drawing"), strokes, pose, FACE)


def read_drawing(path: Path, unit: str | None, progress: Progress) -> Found:
    """Read everything that an SVG or DXF file draws, y downwards, in mm if there is no unit; for a picture of it.

    Raises StudioError, with the file's name, for a file without lines.
    """
    with _named(path):
        found, is_upwards = _in_any_unit(path, Reading(unit), progress)
    turned = [stroke * (1.0, -1.0) for stroke in found.strokes] if is_upwards else found.strokes
    return replace(found, strokes=turned)


@contextmanager
def each_read_once() -> Iterator[None]:
    """Within the block, read each file once per unit, however often it is requested."""
    known = _KNOWN.set({})
    try:
        yield
    finally:
        _KNOWN.reset(known)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the file in errors about it."""
    try:
        yield
    except StudioError as problem:
        sentence = tr("Cannot import {name}: {problem}", name=path.name, problem=problem)
        raise type(problem)(sentence) from problem


@contextmanager
def _stating_unit(found: Found) -> Iterator[None]:
    """End errors about sizes with the sentence about an unusual unit of the file."""
    try:
        yield
    except StudioError as problem:
        raise StudioError(f"{problem} {found.stated}".rstrip()) from problem


def _in_any_unit(path: Path, reading: Reading, progress: Progress) -> tuple[Found, bool]:
    """Read a file like `_found`, in mm if it states no unit."""
    try:
        return _found(path, reading, progress)
    except UnitMissing:
        return _found(path, replace(reading, unit="mm"), progress)


def _found(path: Path, reading: Reading, progress: Progress) -> tuple[Found, bool]:
    """Read the paths on the chosen layers of a file, and return whether its y grows upwards."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise StudioError(tr("unknown file extension. Use {suffixes}.", suffixes=alternatives(READERS)))
    known, asked = _KNOWN.get(), (path, reading.unit)
    found = known.get(asked) if known is not None else None
    if found is None:
        data = content(path, LARGEST)
        if not data.strip():
            raise StudioError(tr("it is empty."))
        try:
            found = reader(data, reading.unit, progress.part(0.0, 0.5, tr("Read paths")))
        except UnitMissing as problem:
            found = problem
        if known is not None:
            known[asked] = found
    if isinstance(found, UnitMissing):
        raise found
    if not found.strokes:
        raise nothing_drawn(found)
    return reading.chosen(found), reader is dxf_paths.read


def _notes(found: Found) -> list[str]:
    """Return sentences about the unit and the elements left out."""
    left_out = [tr("Left out, not a path: {named}.", named=counted(found.left_out))] if found.left_out else []
    return [*filter(None, [found.stated]), *left_out, *found.notes]


# Reads a maker's own figure, the silhouette of a piece, from an SVG or DXF file

LONGEST_TITLE = 40
FIGURE_POINTS = 5_000
"""Limit for a figure's control points: the time to place it on a board grows with their square."""
DECIMALS = 7
"""Decimals of a figure's curves, in units of its height."""


def read_figure(path: Path, progress: Progress, reading: Reading = READING) -> tuple[Figure, tuple[str, ...]]:
    """Read a figure named after its file, and notes for the maker; raises StudioError if the file draws none.

    A figure is a closed path with closed paths for its holes; open paths within it are cuts. Only its form matters: its
    height is chosen on the board.
    """
    drawn = read_silhouette(path, progress, FIGURE_POINTS, BAR, reading, has_lines=True)
    with _named(path):
        made = silhouette("".join(filter(str.isprintable, path.stem))[:LONGEST_TITLE], drawn)
    rings, lines = (tuple(frozen(np.round(each, DECIMALS)) for each in some) for some in (made.rings, made.lines))
    return Figure(made.title, rings, lines), drawn.notes


@dataclass(frozen=True)
class ReadArea:
    """An area from a file in mm on the board, and sentences about parts left out."""

    area: BaseGeometry = field(repr=False)
    notes: tuple[str, ...] = ()


def read_mask(
    path: Path,
    picture: BoardPicture | None,
    size: Size,
    progress: Progress,
    reading: Reading = READING,
    *,
    inverts: bool = False,
) -> tuple[Mask, tuple[str, ...]]:
    """Read the protected area in a file, for a board of some size in mm with or without a picture, and notes.

    A picture is laid over the whole picture of the board, or over the board; a drawing is in mm on the board. Inverted,
    the rest is protected. Raises StudioError, with the file's name, if the file holds no area or is too large.
    """
    import shapely

    if path.suffix.lower() not in SUFFIXES:
        words = tr(
            "Cannot use {name}: unknown file extension. Use {suffixes}.",
            name=path.name,
            suffixes=alternatives(SUFFIXES),
        )
        raise StudioError(words)
    is_drawing = path.suffix.lower() in READERS
    if not is_drawing and reading != READING:
        raise StudioError(tr("Cannot use {name}: a picture has no paths to choose or join.", name=path.name))
    found = _of_drawing(path, reading, progress) if is_drawing else _of_picture(path, picture, size, progress)
    area, board = found.area, shapely.box(0.0, 0.0, *size)
    if inverts:
        area = shapely.difference(board, area)
    try:
        mask = of_area(area, picture, size) if shapely.intersects(area, board) else None
    except StudioError as problem:
        raise StudioError(tr("Cannot use {name}: {problem}", name=path.name, problem=problem)) from problem
    if mask is None:
        raise StudioError(tr("Cannot use {name}: it has nothing to protect on the board.", name=path.name))
    return mask, found.notes


def read_followed(
    path: Path,
    picture: BoardPicture | None,
    size: Size,
    strength: float,
    progress: Progress,
    reading: Reading = READING,
) -> tuple[tuple[FollowedLine, ...], tuple[str, ...]]:
    """Read lines in mm that the cuts of a board are to follow from an SVG or DXF file, and notes for the maker.

    Raises StudioError, with the file's name, if the file has no lines on the board, or too many.
    """
    import shapely

    if path.suffix.lower() not in READERS:
        raise StudioError(tr("Cannot use {name}: lines need a drawing in SVG or DXF.", name=path.name))
    strokes, notes = read_lines(path, progress, MOST_POINTS, reading)
    lines, board = Curves.from_strokes(strokes).flattened(FLATNESS), shapely.box(0.0, 0.0, *size)
    ways = [way for way in map(lines.__getitem__, range(len(lines))) if shapely.LineString(way).intersects(board)]
    found = [FollowedLine.from_path(way, strength, picture, size) for way in ways]
    kept = tuple(line for line in found if line is not None)
    if not kept:
        raise StudioError(tr("Cannot use {name}: it has no line on the board.", name=path.name))
    if len(kept) > MOST_FOLLOWED:
        words = tr("Cannot use {name}: it has {count} lines (maximum {most}).", name=path.name, count=len(kept),
            most=MOST_FOLLOWED)  # fmt: skip
        raise StudioError(words)
    return kept, notes


def _of_picture(path: Path, picture: BoardPicture | None, size: Size, progress: Progress) -> ReadArea:
    import shapely

    read = read_picture(path, 1, progress.part(0.0, 0.5))
    pixels = pixels_in(read.data, MOST_CELLS)
    opacity = pixels[..., 3]
    # In whole numbers, so that every processor finds the same cells.
    light = (pixels[..., :3].astype(np.int64) * np.array([299, 587, 114])).sum(axis=2) // 1000
    cells = opacity >= DARK if (opacity < DARK).any() else light < DARK
    progress.step(0.7)
    try:
        area = traced(cells)
    except StudioError as problem:
        raise StudioError(tr("Cannot use {name}: {problem}", name=path.name, problem=problem)) from problem
    rows, columns = cells.shape

    across, down = picture.box(*size)[2:] if picture else size
    placed = Placement.from_picture(picture, size)

    def laid(points: Floats) -> Floats:
        return placed.on_board(points * (across / columns, down / rows) / placed.scale)

    return ReadArea(shapely.transform(area, laid), read.notes)


def _of_drawing(path: Path, reading: Reading, progress: Progress) -> ReadArea:
    strokes, notes = read_lines(path, progress.part(0.0, 0.5), MOST_POINTS, reading)
    found = joined(strokes, reading.closing.gap, progress.part(0.5, 1.0))
    if not found.rings:
        raise StudioError(tr("Cannot use {name}: it has no closed path.", name=path.name))
    notes = (*notes, *found.notes())
    if found.open:
        notes = (*notes, tr("Left out, not closed: {paths}.", paths=many(len(found.open), "path")))
    lines = Curves.from_strokes(found.rings).flattened(FLATNESS)
    try:
        ensure_few_crossings(*segments(lines))
        return ReadArea(filled(lines[at] for at in range(len(lines))), notes)
    except StudioError as problem:
        raise StudioError(tr("Cannot use {name}: {problem}", name=path.name, problem=problem)) from problem


def read_free_area(path: Path, progress: Progress, reading: Reading = READING) -> FreeArea:
    """Read the free area of a sheet: closed outlines in an SVG or DXF file, with the outlines of used parts in them.

    The sheet is as large as the page of an SVG, or just holds the area if that leaves the page. Raises StudioError,
    with the file's name, if the file draws no area.
    """
    import shapely

    with each_read_once():
        area = _of_drawing(path, reading, progress).area
        page = _in_any_unit(path, reading, progress)[0].page or (0.0, 0.0)
    area = shapely.union_all([part for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon)])
    if area.is_empty:
        raise StudioError(tr("Cannot use {name}: its outlines enclose nothing.", name=path.name))
    low = np.minimum(area.bounds[:2], 0.0)
    area = shapely.transform(area, lambda points: points - low)
    right, down = area.bounds[2:]
    fits = not low.any() and right <= page[0] + LEAST_SPAN and down <= page[1] + LEAST_SPAN
    return FreeArea.from_shape(area, page if fits else (float(right), float(down)), path.name)


Read = Callable[[Path, Progress], tuple[Item, tuple[str, ...]]]
"""Reads an item and notes for the maker from a file; raises StudioError."""


def drawings_in(folder: Path, suffixes: Collection[str]) -> list[Path]:
    """List the files of a folder with some suffixes; raises StudioError if there is none."""
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix.lower() in suffixes)
    except OSError as problem:
        raise StudioError(tr("Cannot read {path}: {reason}.", path=folder, reason=problem.strerror)) from problem
    if not found:
        raise StudioError(tr("There is no drawing in {path}.", path=folder))
    return found


def kept_from(
    folder: Path, suffixes: Collection[str], read: Read[Item], library: Library[Item], progress: Progress
) -> tuple[list[Kept[Item]], list[str]]:
    """Keep the drawings in a folder in a library; also return notes, and why some cannot be read."""
    kept, notes = list[Kept[Item]](), list[str]()
    paths = drawings_in(folder, suffixes)
    for at, path in enumerate(paths):
        try:
            item, said = read(path, progress.part(at / len(paths), (at + 1) / len(paths)))
            kept.append(library.keep(item))
            notes += said
        except StudioError as problem:
            notes.append(str(problem))
    return kept, notes


def read_tongue(path: Path, progress: Progress) -> Stored:
    """Read the profile in a file, with its neck; raises StudioError, with the file's name, if it holds none."""
    try:
        match path.suffix.lower():
            case ".svg":
                drawn = _smoothed(
                    _upright(_open_path(svg_paths.read(content(path, LARGEST_TONGUE), PIXEL, progress).strokes))
                )
                title = "".join(filter(str.isprintable, path.stem))[: profiles.LONGEST_TITLE]
                stored = Stored(title, whole=rounded(drawn))
            case ".json":
                stored = decode(Stored, parsed(content(path, LARGEST_FILE)), "tongue", object)
            case _:
                suffixes = alternatives(TONGUE_SUFFIXES)
                raise StudioError(tr("unknown file extension. Use {suffixes}.", suffixes=suffixes))
        return completed(stored)
    except StudioError as problem:
        raise StudioError(tr("Cannot import {name}: {problem}", name=path.name, problem=problem)) from problem


def _open_path(strokes: list[Floats]) -> Floats:
    found = [stroke for stroke in strokes if np.hypot(*(stroke[-1] - stroke[0])) > LEAST_SPAN]
    if len(found) != 1:
        raise StudioError(
            tr("it has {count} open paths. Draw the tongue as one, from corner to corner.", count=len(found))
        )
    if len(found[0]) > profiles.MOST_POINTS:
        raise StudioError(
            tr(
                "its path has {count:,} points (maximum {most}). Simplify it.",
                count=len(found[0]),
                most=profiles.MOST_POINTS,
            )
        )
    if not np.isfinite(found[0]).all():
        raise StudioError(tr("its path has points that are not finite."))
    return found[0]


def _upright(path: Floats) -> Floats:
    """Turn a path in mm, y downwards, into a tongue upwards on an edge of length 1 from 0, 0 to 1, 0."""
    way = path[-1] - path[0]
    along = way / (way @ way)
    across = np.array([along[1], -along[0]])
    placed = np.stack([(path - path[0]) @ along, (path - path[0]) @ across], 1)
    if placed[:, 1].max() < -placed[:, 1].min():
        placed = ((1.0, 0.0) - placed)[::-1]
    placed[0], placed[-1] = (0.0, 0.0), (1.0, 0.0)
    return np.asarray(placed)


def _smoothed(points: Floats) -> Floats:
    """Return control points without the slight kinks of drawing programs, with handles moved off their knots."""
    for knot in range(3, len(points) - 1, 3):
        before, after = points[knot] - points[knot - 3 : knot][::-1], points[knot + 1 : knot + 4] - points[knot]
        into, out = _first(before), _first(after)
        way = into + out
        if into @ out > np.cos(FORGIVEN):
            way /= np.hypot(*way)
            points[knot - 1] = points[knot] - max(float(np.hypot(*before[0])), SHORTEST) * way
            points[knot + 1] = points[knot] + max(float(np.hypot(*after[0])), SHORTEST) * way
    return points


def _first(ways: Floats) -> Floats:
    """Return the direction of the first of some ways that has a length."""
    lengths = np.hypot(*ways.T)
    at = int((lengths > LEAST_SPAN).argmax())
    return np.asarray(ways[at] / max(float(lengths[at]), LEAST_SPAN))
