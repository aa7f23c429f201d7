"""Writes solids for a 3-D printer: all in one file with the format of its extension, or into a folder.

Every mesh is checked twice: before writing, and as read back from the file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import choice
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.export.formats import PRINTER
from studio.export.options import NoOptions
from studio.export.proof import SolidReport, refuse_flawed
from studio.export.writing import as_bytes, written
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.solid import Solid


@dataclass(frozen=True)
class SolidOptions(NoOptions):
    """Options of files with solids; raises ParameterError for invalid values."""

    format: str = choice(PRINTER.suffixes[0].lstrip("."),
        {one.suffix.lstrip("."): one.apart or one.title for one in PRINTER.members}, title="Format",
        help="File format when exporting to a folder; otherwise the file extension decides.")  # fmt: skip


def write_solids(
    solids: Sequence[Solid],
    target: Path | str,
    options: SolidOptions | None = None,
    *,
    stem: str = "puzzle",
    progress: Progress = SILENT,
) -> tuple[SolidReport, ...]:
    """Write solids to a file in the format of its suffix, or into a folder, and report on the files read back.

    A folder gets `stem.3mf`, or for STL a file `stem-name.stl` for each solid. Raises StudioError, leaving all older
    files untouched, if a solid cannot be printed, or a file cannot be written or does not read back. Raises Cancelled.
    """
    files = _files(solids, Path(target), options or SolidOptions(), stem)
    _check(solids, progress.part(0.0, 0.3))
    return written(PRINTER.of(files[0][0]), files, NoOptions(), progress.part(0.3, 1.0))


def solids_as_bytes(
    solids: Sequence[Solid], folder: Path, options: SolidOptions, *, stem: str, progress: Progress = SILENT
) -> tuple[tuple[SolidReport, bytes], ...]:
    """Report on each file that `write_solids` would write into a folder, with its bytes."""
    files = _files(solids, folder, options, stem)
    _check(solids, progress.part(0.0, 0.3))
    return as_bytes(PRINTER.of(files[0][0]), files, NoOptions(), progress.part(0.3, 1.0))


def _check(solids: Sequence[Solid], progress: Progress) -> None:
    """Raise StudioError for the first solid that cannot be printed."""
    for number, solid in enumerate(solids):
        progress.step(number / len(solids), tr("Checking {name}", name=solid.name))
        refuse_flawed(solid.name, solid.mesh)


def write_plates(
    plates: Sequence[Sequence[Solid]], target: Path, progress: Progress = SILENT
) -> tuple[SolidReport, ...]:
    """Write every plate to a file of its own, all or none, and report on them; a single plate goes to the target.

    Raises StudioError as `write_solids` does, and Cancelled.
    """
    known = PRINTER.of(target)
    for number, plate in enumerate(plates):
        progress.step(0.3 * number / len(plates), tr("Checking plate {number}", number=number + 1))
        for solid in plate:
            refuse_flawed(solid.name, solid.mesh)
    files = list(zip(plate_paths(target, len(plates)), plates, strict=True))
    return written(known, files, NoOptions(), progress.part(0.3, 1.0))


def plate_paths(target: Path, count: int) -> list[Path]:
    """Return the file of every plate: `box-1.3mf` and `box-2.3mf` for `box.3mf`; a single plate takes `box.3mf`."""
    if count == 1:
        return [target]
    return [target.with_name(f"{target.stem}-{number}{target.suffix}") for number in range(1, count + 1)]


def solid_paths(solids: Sequence[Solid], target: Path, options: SolidOptions, stem: str) -> list[Path]:
    """List the files that `write_solids` would write; raises StudioError if there are none."""
    return [path for path, _ in _files(solids, target, options, stem)]


def _files(
    solids: Sequence[Solid], target: Path, options: SolidOptions, stem: str
) -> list[tuple[Path, Sequence[Solid]]]:
    """Pair each file to be written with its solids."""
    if not solids:
        raise StudioError(tr("Nothing to print: this puzzle is flat."))
    if target.suffix and not os.path.isdir(target):
        PRINTER.of(target)
        return [(target, solids)]
    known = PRINTER.of(target / f"{stem}.{options.format}")
    if not known.apart:
        return [(target / f"{stem}{known.suffix}", solids)]
    names = _file_names([solid.name for solid in solids])
    begins = {solid.name: solid.mesh.bounds[0] for solid in solids}
    return [
        (target / f"{stem}-{name}{known.suffix}", [_at_origin(solid, begins[solid.on or solid.name])])
        for name, solid in zip(names, solids, strict=True)
    ]


def _file_names(names: Sequence[str]) -> list[str]:
    """Return a distinct name for the file of each solid, of small letters, digits and hyphens."""
    found: list[str] = []
    for name in names:
        plain = "".join(letter if letter.isalnum() else "-" for letter in name.lower()).strip("-") or "part"
        number = 1
        while (again := plain if number == 1 else f"{plain}-{number}") in found:
            number += 1
        found.append(again)
    return found


def _at_origin(solid: Solid, begin: Floats) -> Solid:
    """Return a solid for a file of its own, moved so that it, or the solid it is printed onto, begins at the origin."""
    return Solid(solid.name, solid.colour, solid.mesh.moved(np.eye(3), -begin))
