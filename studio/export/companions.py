"""Files written beside those for the machine: the artwork of the same sheets, to be printed or engraved.

A print shows artwork and registration marks at true size, and no cuts. It is the front of the sheet, also of one that
is cut from the back.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from pathlib import Path

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.format import Format, unread
from studio.export.formats import LEAFLET_PDF
from studio.export.options import NOTHING, LaserOptions, LeafletOptions, NoOptions
from studio.export.raster import RASTER, RasterReport, raster
from studio.export.writers.artwork_painter import INCH, Bytes, painted
from studio.export.writing import Job, sheet_paths
from studio.geometry.art import artwork_transform
from studio.geometry.art.artwork import MOST_PIXELS, Region
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.drawing import Path as Stroke
from studio.geometry.planar.regions import as_polygons
from studio.paper.leaflet import Area, Leaflet, Line, Mark, MarkGroup, Page, as_marks

# Each piece by itself as a PNG at true size: its part of the artwork, transparent all round.


MOST_IN_ALL = 8 * MOST_PIXELS
"""Limit for the pixels of all pieces together."""
FOLLOWED = 0.01
"""Tolerance in mm of the outlines."""
_FORBIDDEN = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
_FAST = 1


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


_INK = "#000000"
_WIDTH = 0.25
_LARGEST_PAGE = 5080.0
"""200 inches in mm, the largest page that PDF readers must accept."""
_FOLLOWED = 0.005


def companions(path: Path, count: int, options: LaserOptions) -> tuple[Path, ...]:
    """List the files and the folder written beside the files of `count` sheets with the common name `path`."""
    paths = [_print_path(path)] if options.print_pdf else []
    folder = (folder_of(path),) if options.piece_pngs else ()
    return (*paths, *(_raster_paths(path, count) if options.raster_png else ()), *folder)


def _print_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}-print.pdf")


def _raster_paths(path: Path, count: int) -> tuple[Path, ...]:
    return sheet_paths(path.with_name(f"{path.stem}-raster.png"), count)


def jobs(sheets: Sequence[Drawing], fronts: Sequence[Drawing], path: Path, options: LaserOptions) -> list[Job]:
    """List the files to write beside the sheets; `sheets` may be seen from the back, `fronts` never.

    Raises StudioError if there is no artwork, a page is too large, or a raster has too many pixels.
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
    return Area((_ring(stroke.points),), _INK)


def _ring(points: Floats) -> Floats:
    from studio.geometry.curves.strokes import Curves

    return np.asarray(Curves.from_strokes([points]).flattened(_FOLLOWED)[0][:-1])
