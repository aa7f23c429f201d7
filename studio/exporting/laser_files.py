"""Writes drawings for a machine, a file for each sheet, and the artwork of the same sheets beside them.

The format is that of the file extension. rest: what the pieces leave of a sheet. Artwork is printed or engraved.
raster: the artwork of a sheet as one greyscale picture, as a laser engraves it: black burns most, white not at all. A
print shows artwork and registration marks at true size, and no cuts; it is the front of the sheet, also of one that is
cut from the back.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor
from pathlib import Path

import numpy as np

from studio.base.atomic import folders_for
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.exporting.formats import LASER, LEAFLET_PDF
from studio.exporting.options import NOTHING, AnyFormat, Format, LaserOptions, LeafletOptions, NoOptions, Report, unread
from studio.exporting.proof import SheetReport
from studio.exporting.writers.path_segments import ready
from studio.exporting.writers.png import INCH, Bytes, painted
from studio.exporting.writing import Job, all_written, as_bytes, beside_path, sheet_paths, tray_paths
from studio.geometry.art import artwork_transform
from studio.geometry.art.artwork import MOST_PIXELS, PNG, Picture, Region
from studio.geometry.curves.strokes import Floats, distinct
from studio.geometry.planar.drawing import Drawing, Operation, beyond
from studio.geometry.planar.drawing import Path as Stroke
from studio.geometry.planar.regions import FreeArea, as_polygons
from studio.paper.leaflet import Area, Leaflet, Line, Mark, MarkGroup, Page, as_marks

# Luminance weights of red, green and blue (Rec. 601, as in pillow).
_BRIGHT = np.array([0.299, 0.587, 0.114], np.float32)
MOST_IN_ALL = 8 * MOST_PIXELS
"""Limit for the pixels of all pieces together."""
_FORBIDDEN = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
_FAST = 1


@dataclass(frozen=True, eq=False)
class Raster:
    """Shades (rows, columns), from 0 for black to 255 for white, and their number per inch."""

    shades: Bytes
    dpi: int

    @property
    def png(self) -> bytes:
        """The shades as a PNG that states its resolution."""
        from PIL import Image

        packed = io.BytesIO()
        Image.fromarray(self.shades).save(packed, "PNG", dpi=(self.dpi, self.dpi))
        return packed.getvalue()


@dataclass(frozen=True, kw_only=True)
class RasterReport(Report):
    """Findings from a file with a raster: its columns and rows, and its size in mm."""

    pixels: tuple[int, int]
    width: float
    height: float


def engraved(drawing: Drawing, options: LaserOptions) -> Drawing:
    """Return the drawing with its artwork as a greyscale picture if requested; raises StudioError as `raster`."""
    if not (options.raster and drawing.artwork):
        return drawing
    left, top, right, bottom = _box(drawing)
    step = INCH / options.raster_dpi
    # Whole pixels of the sheet, so that the shades of this picture are those of the sheet's.
    first, last = (floor(left / step), floor(top / step)), (ceil(right / step), ceil(bottom / step))
    size = last[0] - first[0], last[1] - first[1]
    if min(size) <= 0:
        return replace(drawing, artwork=())
    shades = _shades(artwork_transform.moved(drawing.artwork, -first[0] * step, -first[1] * step), size, options)
    box = (first[0] * step, first[1] * step, size[0] * step, size[1] * step)
    return replace(drawing, artwork=(Picture(Raster(shades, options.raster_dpi).png, PNG, box),))


def raster(drawing: Drawing, options: LaserOptions) -> Raster:
    """Paint the artwork of a whole sheet; raises StudioError for more pixels than fit into a picture."""
    step = INCH / options.raster_dpi
    size = max(1, round(drawing.width / step)), max(1, round(drawing.height / step))
    return Raster(_shades(drawing.artwork, size, options), options.raster_dpi)


def engraved_size(drawing: Drawing) -> tuple[float, float]:
    """Return the width and height in mm of the artwork on a sheet."""
    if not drawing.artwork:
        return 0.0, 0.0
    left, top, right, bottom = _box(drawing)
    return max(0.0, right - left), max(0.0, bottom - top)


def _box(drawing: Drawing) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the artwork's visible part on the sheet."""
    points = [
        each.corners if isinstance(each, Picture) else np.concatenate(each.rings)
        for each in drawing.artwork
        if isinstance(each, Picture) or each.rings
    ]
    low = np.min([each.min(axis=0) for each in points], axis=0, initial=np.inf)
    high = np.max([each.max(axis=0) for each in points], axis=0, initial=-np.inf)
    (left, top), (right, bottom) = np.maximum(low, 0.0), np.minimum(high, (drawing.width, drawing.height))
    return float(left), float(top), float(right), float(bottom)


def _shades(artwork: tuple[Region | Picture, ...], size: tuple[int, int], options: LaserOptions) -> Bytes:
    columns, rows = size
    if columns * rows > MOST_PIXELS:
        most = floor(options.raster_dpi * (MOST_PIXELS / (columns * rows)) ** 0.5)
        raise StudioError(
            tr(
                "At {dpi} dpi the raster has {columns} × {rows} pixels (maximum {most} megapixels). "
                "Lower it to {lower} dpi.",
                dpi=options.raster_dpi,
                columns=columns,
                rows=rows,
                most=MOST_PIXELS // 10**6,
                lower=most,
            )
        )
    return np.concatenate([_grey(band, options) for band in painted(artwork, options.raster_dpi, size)])


def _grey(pixels: Bytes, options: LaserOptions) -> Bytes:
    """Return the engraved shade of each pixel; transparent pixels stay white."""
    covered = pixels[..., 3] / np.float32(255)
    bright = np.clip(pixels[..., :3] @ _BRIGHT / 255, 0, 1)
    bright = (1 - bright if options.invert else bright) ** options.gamma
    return np.asarray(np.rint(255 * (1 - covered * (1 - bright))).astype(np.uint8))


def _raster_reported(_data: bytes, found: Raster, _options: NoOptions, _rounding: float) -> RasterReport:
    rows, columns = found.shades.shape
    step = INCH / found.dpi
    return RasterReport(pixels=(columns, rows), width=columns * step, height=rows * step)


RASTER = Format(
    ".png", tr("PNG for engraving"), tr("the artwork in greyscale"), NoOptions, 0.0, lambda found, _options: found.png,
    unread, _raster_reported, is_picture=True,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Cutout:
    """A piece: its rings in mm from its upper left corner, its artwork, its size in mm, and pixels per inch."""

    rings: tuple[Floats, ...]
    artwork: artwork_transform.Artwork
    size: tuple[float, float]
    dpi: int

    @property
    def pixels(self) -> tuple[int, int]:
        """Columns and rows."""
        width, height = (max(1, ceil(side * self.dpi / INCH)) for side in self.size)
        return width, height

    def painted(self) -> Bytes:
        """Paint red, green, blue and opacity of its pixels; raises StudioError."""
        found = np.concatenate(list(painted(self.artwork, self.dpi, self.pixels)))
        covered = np.concatenate(list(painted((Region(self.rings, "#000000"),), self.dpi, self.pixels)))
        # Artwork that ends at the rim already covers no more of its pixels than the piece does.
        found[..., 3] = np.minimum(found[..., 3], covered[..., 3])
        return found


def cutouts(sheet: Drawing, dpi: int) -> tuple[Cutout, ...]:
    """Return the pieces of a sheet in their order; raises StudioError for too many pixels, before any is painted."""
    import shapely

    pieces = sheet.pieces
    rings = sheet.rings(sheet.strokes.flattened(FOLLOWED))
    owners = pieces.ring_owners
    starts = np.searchsorted(owners, np.arange(len(pieces) + 1)).tolist()
    own = [[rings[ring] for ring in range(first, last)] for first, last in pairwise(starts)]
    boxes = np.array([np.concatenate([each[0].min(axis=0), each[0].max(axis=0)]) for each in own])
    sizes = boxes[:, 2:] - boxes[:, :2]
    counts = np.ceil(sizes * dpi / INCH).prod(axis=1)
    most = max(float(counts.max(initial=0)) / MOST_PIXELS, float(counts.sum()) / MOST_IN_ALL)
    if most > 1:
        words = tr(
            "At {dpi} dpi the pieces have {count} megapixels in all. Lower the resolution to {lower} dpi.",
            dpi=dpi,
            count=ceil(float(counts.sum()) / 1e6),
            lower=int(dpi / most**0.5 * 0.99),
        )
        raise StudioError(words)
    # With less than a pixel round each piece, so that its rim is of the artwork's colour.
    shapes = shapely.buffer(shapely.make_valid(as_polygons(rings, owners)), INCH / dpi)
    found = []
    for artwork, part, box, size in zip(
        artwork_transform.parts(sheet.artwork, shapes), own, boxes, sizes.tolist(), strict=True
    ):
        left, top = box[:2].tolist()
        closed = tuple(ring[:-1] - box[:2] for ring in part)
        found.append(Cutout(closed, artwork_transform.moved(artwork, -left, -top), (size[0], size[1]), dpi))
    return tuple(found)


def file_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return a file name for each piece, all distinct even without regard to case."""
    taken: set[str] = set()
    found = []
    for name in names:
        plain = _FORBIDDEN.sub("_", name).strip(" .") or "_"
        again, number = plain, 2
        while again.lower() in taken:
            again, number = f"{plain}-{number}", number + 1
        taken.add(again.lower())
        found.append(f"{again}.png")
    return tuple(found)


def folder_of(path: Path) -> Path:
    """Return the folder for the pieces beside a file."""
    return path.with_name(f"{path.stem}-pieces")


def _written(found: Cutout, _options: NoOptions) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(found.painted()).save(stream, "PNG", dpi=(found.dpi, found.dpi), compress_level=_FAST)
    return stream.getvalue()


def _reported(_data: bytes, found: Cutout, _options: NoOptions, _rounding: float) -> RasterReport:
    columns, rows = found.pixels
    step = INCH / found.dpi
    return RasterReport(pixels=(columns, rows), width=columns * step, height=rows * step)


CUTOUT = Format(
    ".png", tr("PNG of a piece"), tr("a piece with its artwork"), NoOptions, 0.0, _written, unread, _reported,
    is_picture=True,
)  # fmt: skip


REST: AnyFormat = Format(
    ".svg", tr("Rest of the sheet"), tr("what is left of a sheet"), NoOptions, 0.0, lambda found, _options: found.svg,
    unread, lambda _data, _found, _options, _rounding: Report(), is_picture=True,
)  # fmt: skip
_INK = "#000000"
_WIDTH = 0.25
_LARGEST_PAGE = 5080.0
"""200 inches in mm, the largest page that PDF readers must accept."""
_FOLLOWED = 0.005


def companions(path: Path, count: int, options: LaserOptions) -> tuple[Path, ...]:
    """List the files and the folder written beside the files of `count` sheets with the common name `path`."""
    paths = [_print_path(path)] if options.print_pdf else []
    folder = (folder_of(path),) if options.piece_pngs else ()
    rests = _rest_paths(path, count) if options.rest else ()
    return (*paths, *(_raster_paths(path, count) if options.raster_png else ()), *rests, *folder)


def _print_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}-print.pdf")


def _raster_paths(path: Path, count: int) -> tuple[Path, ...]:
    return sheet_paths(path.with_name(f"{path.stem}-raster.png"), count)


def _rest_paths(path: Path, count: int) -> tuple[Path, ...]:
    return sheet_paths(path.with_name(f"{path.stem}-rest.svg"), count)


Rests = Callable[[], Sequence[FreeArea]]
"""Computes what is left of every sheet; raises StudioError if that is unknown."""


def no_rests() -> Sequence[FreeArea]:
    """Raise StudioError: what is left of the sheets is unknown."""
    raise StudioError(tr("What is left of these sheets is unknown."))


def jobs(
    sheets: Sequence[Drawing], fronts: Sequence[Drawing], path: Path, options: LaserOptions, rests: Rests = no_rests
) -> list[Job]:
    """List the files to write beside the sheets; `sheets` may be seen from the back, `fronts` never.

    Raises StudioError if there is no artwork, a page is too large, a raster has too many pixels, or nothing is left of
    a sheet whose rest is to be written.
    """
    if any((options.print_pdf, options.raster_png, options.raster, options.piece_pngs)) and not any(
        sheet.artwork for sheet in sheets
    ):
        raise StudioError(tr("The sheets have no artwork to print or engrave."))
    found: list[Job] = []
    if options.print_pdf:
        found.append(Job(LEAFLET_PDF, _print_path(path), printed(fronts, path.stem), LeafletOptions()))
    if options.raster_png:
        places = _raster_paths(path, len(sheets))
        found += [Job(RASTER, one, raster(sheet, options), NOTHING) for one, sheet in zip(places, sheets, strict=True)]
    if options.rest:
        for place, left in zip(_rest_paths(path, len(sheets)), rests(), strict=True):
            if left.is_empty:
                raise StudioError(tr("Nothing of use is left for {file}; export without the rest.", file=place.name))
            found.append(Job(REST, place, left, NOTHING))
    if options.piece_pngs:
        pieces = [piece for front in fronts for piece in cutouts(front, options.raster_dpi)]
        names = file_names([name for front in fronts for name in front.pieces.names])
        folder = folder_of(path)
        found += [Job(CUTOUT, folder / name, piece, NOTHING) for name, piece in zip(names, pieces, strict=True)]
    return found


def printed(fronts: Sequence[Drawing], title: str) -> Leaflet:
    """Lay out the artwork of each sheet on a page as large as the sheet, with its registration marks."""
    return Leaflet(title, tuple(map(_page, fronts)))


def _page(sheet: Drawing) -> Page:
    if max(sheet.width, sheet.height) > _LARGEST_PAGE:
        words = tr(
            "A print of {width:g} × {height:g} mm exceeds the PDF limit of {largest:g} mm per side.",
            width=round(sheet.width, 1),
            height=round(sheet.height, 1),
            largest=_LARGEST_PAGE,
        )
        raise StudioError(words)
    marks = tuple(chain for chain in sheet.chains if chain.operation is Operation.MARK)
    lines = [_mark(stroke) for stroke in replace(sheet, chains=marks).paths()] if marks else []
    groups = (MarkGroup("Artwork", as_marks(sheet.artwork)), MarkGroup("Marks", tuple(lines)))
    return Page(sheet.width, sheet.height, groups)


def _mark(stroke: Stroke) -> Mark:
    """Return a mark in ink: a disc for a closed line, which cameras find, else the line."""
    if not stroke.closed:
        return Line(stroke.points[[0, -1]], _INK, _WIDTH)
    from studio.geometry.curves.strokes import Curves

    ring = np.asarray(Curves.from_strokes([stroke.points]).flattened(_FOLLOWED)[0][:-1])
    return Area((ring,), _INK)


FOLLOWED = 0.01
"""Tolerance in mm of the polylines checked before writing."""


def write(
    drawing: Drawing,
    path: Path | str,
    options: LaserOptions | None = None,
    *,
    force: bool = False,
    progress: Progress = SILENT,
) -> SheetReport:
    """Write one drawing to the file `path`, and report on it; errors are as in `write_all`."""
    return write_all((drawing,), path, options, force=force, progress=progress)[0]


def write_all(
    drawings: Sequence[Drawing],
    path: Path | str,
    options: LaserOptions | None = None,
    *,
    beside: Sequence[tuple[int, str, Drawing]] = (),
    tray: Sequence[Drawing] = (),
    force: bool = False,
    fronts: Sequence[Drawing] | None = None,
    rests: Rests = no_rests,
    progress: Progress = SILENT,
) -> tuple[SheetReport, ...]:
    """Write every sheet to a file of its own, with its companions, all or none; report on each file.

    One sheet takes the name `path`, several take NAME-1, NAME-2 and so on; drawings `beside` the sheet of a number have
    a word behind that name, and are reported after all sheets; the sheets of a `tray`, NAME-tray, are reported last.
    Each file must enclose as many parts as the drawing has pieces, unless `force` accepts another number. `fronts` are
    the sheets seen from the front, for sheets mirrored to be cut from the back; `rests` computes what is left of them,
    if the options ask for it. Raises StudioError if a file cannot be
    written or does not read back as the drawing, and Cancelled; older files are then untouched.
    """
    known = LASER.of(Path(path))
    asked = options or known.options()
    more = jobs(drawings, drawings if fronts is None else fronts, Path(path), asked, rests)
    prepared, alone = _prepared(drawings, Path(path), asked, beside, tray), _unaligned(asked)
    count = len(prepared) - len(tray)
    sheets = [
        Job(known, target, thing, asked if number < count else alone) for number, (target, thing) in enumerate(prepared)
    ]
    with folders_for([job.path for job in more], len(sheets) + len(more)):
        return all_written([*sheets, *more], progress, force=force)[: len(sheets)]


def sheets_as_bytes(
    drawings: Sequence[Drawing],
    path: Path,
    options: LaserOptions,
    *,
    beside: Sequence[tuple[int, str, Drawing]] = (),
    tray: Sequence[Drawing] = (),
    force: bool = False,
    progress: Progress = SILENT,
) -> tuple[tuple[SheetReport, bytes], ...]:
    """Report on each file that `write_all` would write for the sheets, with its bytes."""
    known, prepared = LASER.of(path), _prepared(drawings, path, options, beside, tray)
    count = len(prepared) - len(tray)
    sheets = as_bytes(known, prepared[:count], options, progress.part(0.0, count / len(prepared)), force=force)
    last = progress.part(count / len(prepared), 1.0)
    return (*sheets, *as_bytes(known, prepared[count:], _unaligned(options), last, force=force))


def _unaligned(options: LaserOptions) -> LaserOptions:
    """Options for a tray, which does not follow a print when the sheets do."""
    return replace(options, run=replace(options.run, note=""))


def companions_as_bytes(
    drawings: Sequence[Drawing],
    fronts: Sequence[Drawing],
    path: Path,
    options: LaserOptions,
    progress: Progress = SILENT,
    rests: Rests = no_rests,
) -> dict[Path, bytes]:
    """Return the bytes that `write_all` would write beside the sheets, by file; raises StudioError."""
    found: dict[Path, bytes] = {}
    for job in jobs(drawings, fronts, path, options, rests):
        ((_, data),) = as_bytes(job.known, [(job.path, job.thing)], job.options, progress)
        found[job.path] = data
    return found


def _prepared(
    drawings: Sequence[Drawing],
    path: Path,
    options: LaserOptions,
    beside: Sequence[tuple[int, str, Drawing]],
    tray: Sequence[Drawing],
) -> list[tuple[Path, Drawing]]:
    """Pair each file with its drawing, those beside and of the tray included; raises StudioError."""
    known = LASER.of(path)
    if options.raster and "raster" in known.without:
        raise StudioError(
            tr("{format} files hold lines alone; for engraving, write a PNG as well (raster_png).", format=known.name)
        )
    targets = sheet_paths(path, len(drawings))
    targets += tuple(beside_path(targets[number], word) for number, word, _ in beside)
    targets += tray_paths(path, len(tray))
    drawings = (*drawings, *(drawing for _, _, drawing in beside), *tray)
    for drawing, target in zip(drawings, targets, strict=True):
        _refuse_outside(drawing, target)
    return [(target, engraved(ready(drawing), options)) for target, drawing in zip(targets, drawings, strict=True)]


def _refuse_outside(drawing: Drawing, target: Path) -> None:
    """Raise StudioError if a line leaves the page: a laser would cut beside the sheet."""
    if not drawing.chains:
        return
    strokes = drawing.strokes.chosen(distinct(np.concatenate([chain.strokes for chain in drawing.chains]) >> 1))
    # A curve never leaves the hull of its control points, which settles most pages without flattening.
    if beyond(strokes.points, drawing.width, drawing.height) <= FOLLOWED:
        return
    excess = beyond(strokes.flattened(FOLLOWED).points, drawing.width, drawing.height)
    if excess > FOLLOWED:
        raise StudioError(
            tr(
                "{path} was not written: a cut runs off the board by {excess:.2f} mm. Fix the problems at the "
                "border first.",
                path=target,
                excess=excess,
            )
        )
