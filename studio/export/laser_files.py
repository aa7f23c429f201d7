"""Writes drawings for a machine, a file for each sheet, in the format of the file extension."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from studio.base.atomic import folders_for
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.export.companions import engraved, jobs
from studio.export.formats import LASER
from studio.export.options import LaserOptions
from studio.export.proof import SheetReport
from studio.export.writers.path_segments import ready
from studio.export.writing import Job, all_written, as_bytes, beside_path, sheet_paths, tray_paths
from studio.geometry.curves.strokes import distinct
from studio.geometry.planar.drawing import Drawing, beyond

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
    progress: Progress = SILENT,
) -> tuple[SheetReport, ...]:
    """Write every sheet to a file of its own, with its companions, all or none; report on each file.

    One sheet takes the name `path`, several take NAME-1, NAME-2 and so on; drawings `beside` the sheet of a number have
    a word behind that name, and are reported after all sheets; the sheets of a `tray`, NAME-tray, are reported last.
    Each file must enclose as many parts as the drawing has pieces, unless `force` accepts another number. `fronts` are
    the sheets seen from the front, for sheets mirrored to be cut from the back. Raises StudioError if a file cannot be
    written or does not read back as the drawing, and Cancelled; older files are then untouched.
    """
    known = LASER.of(Path(path))
    asked = options or known.options()
    more = jobs(drawings, drawings if fronts is None else fronts, Path(path), asked)
    sheets = [
        Job(known, target, thing, asked) for target, thing in _prepared(drawings, Path(path), asked, beside, tray)
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
    prepared = _prepared(drawings, path, options, beside, tray)
    return as_bytes(LASER.of(path), prepared, options, progress, force=force)


def companions_as_bytes(
    drawings: Sequence[Drawing],
    fronts: Sequence[Drawing],
    path: Path,
    options: LaserOptions,
    progress: Progress = SILENT,
) -> dict[Path, bytes]:
    """Return the bytes that `write_all` would write beside the sheets, by file; raises StudioError."""
    found: dict[Path, bytes] = {}
    for job in jobs(drawings, fronts, path, options):
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
