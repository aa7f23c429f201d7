"""What is written beside the files for the machine, of the same sheets: their artwork, to be printed or engraved.

A print shows artwork and registration marks at true size, and no cuts. It is the front of the sheet, also where that is
cut from the back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.cutouts import CUTOUT, cutouts, file_names, folder_of
from studio.export.formats.leaflet_pdf import LEAFLET_PDF
from studio.export.options import NOTHING, LaserOptions
from studio.export.paper import LeafletOptions
from studio.export.raster import RASTER, raster
from studio.export.sheets import sheet_paths
from studio.export.writing import Job
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.drawing import Path as Stroke
from studio.paper.leaflet import Area, Leaflet, Line, Mark, MarkGroup, Page, as_marks

_INK = "#000000"
_WIDTH = 0.25
_LARGEST_PAGE = 5080.0
"""200 inches in mm, the largest page that readers of PDF are asked to take."""
_FOLLOWED = 0.005


def companions(path: Path, count: int, options: LaserOptions) -> tuple[Path, ...]:
    """The files and the folder written beside the files of `count` sheets, whose common name is `path`."""
    paths = [_print_path(path)] if options.print_pdf else []
    folder = (folder_of(path),) if options.piece_pngs else ()
    return (*paths, *(_raster_paths(path, count) if options.raster_png else ()), *folder)


def _print_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}-print.pdf")


def _raster_paths(path: Path, count: int) -> tuple[Path, ...]:
    return sheet_paths(path.with_name(f"{path.stem}-raster.png"), count)


def jobs(sheets: Sequence[Drawing], fronts: Sequence[Drawing], path: Path, options: LaserOptions) -> list[Job]:
    """What is to be written beside the sheets, which may be seen from the back, unlike their fronts.

    Raises StudioError where there is no artwork, a page is too large, or a raster has too many pixels.
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
    """The artwork of each sheet on a page as large as the sheet, with its registration marks."""
    return Leaflet(title, tuple(map(_page, fronts)))


def _page(sheet: Drawing) -> Page:
    if max(sheet.width, sheet.height) > _LARGEST_PAGE:
        raise StudioError(
            tr(
                "A print of {width:g} × {height:g} mm exceeds the PDF limit of {largest:g} mm per side.",
                width=round(sheet.width, 1),
                height=round(sheet.height, 1),
                largest=_LARGEST_PAGE,
            )
        )
    marks = tuple(chain for chain in sheet.chains if chain.operation is Operation.MARK)
    lines = [_mark(stroke) for stroke in replace(sheet, chains=marks).paths()] if marks else []
    groups = (MarkGroup("Artwork", as_marks(sheet.artwork)), MarkGroup("Marks", tuple(lines)))
    return Page(sheet.width, sheet.height, groups)


def _mark(stroke: Stroke) -> Mark:
    """A mark in ink: a disc where the line is closed, which cameras find, else the line."""
    if not stroke.closed:
        return Line(stroke.points[[0, -1]], _INK, _WIDTH)
    return Area((_ring(stroke.points),), _INK)


def _ring(points: Floats) -> Floats:
    from studio.geometry.curves.strokes import Curves

    return np.asarray(Curves.of([points]).flattened(_FOLLOWED)[0][:-1])
