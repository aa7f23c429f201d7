"""Writes files, whole or not at all: written aside, read back, compared with the thing, then renamed.

A file that does not read back as the thing never takes its name: an older file there stays. Solids for a 3-D printer go
into one file with the format of its extension, or into a folder; their meshes are checked before writing as well.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from studio.base.amounts import abridged
from studio.base.atomic import Together, ensure_place
from studio.base.errors import StudioError
from studio.base.folders import state_folder
from studio.base.parameters import choice
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.exporting.formats import PAPER, PRINTER
from studio.exporting.options import AnyFormat, Format, Found, LeafletOptions, NoOptions, Thing, Unreadable
from studio.exporting.proof import LeafletReport, SolidReport, refuse_flawed
from studio.geometry.solids.solid import Solid
from studio.paper.leaflet import Leaflet, ensure_writable


def written(
    known: Format[Thing, Any, Any, Found],
    files: Sequence[tuple[Path, Thing]],
    options: Any,
    progress: Progress,
    *,
    force: bool = False,
) -> tuple[Found, ...]:
    """Write every thing to its file, all or none, and report on each file; see `all_written`."""
    return all_written([Job(known, path, thing, options) for path, thing in files], progress, force=force)


class Job(NamedTuple):
    """A thing to be written to a file in a format, with its options."""

    known: AnyFormat
    path: Path
    thing: Any
    options: Any


def all_written(jobs: Sequence[Job], progress: Progress, *, force: bool = False) -> tuple[Any, ...]:
    """Write every thing to its file, all or none, and report on each file.

    `force` accepts files that are correct but useless. Raises StudioError if a file cannot be written or does not read
    back as the thing, and Cancelled; all older files are then untouched.
    """
    shares = np.linspace(0.0, 1.0, len(jobs) + 1).tolist()
    reports = []
    with Together(state_folder()) as asides:
        for number, (known, path, thing, options) in enumerate(jobs):
            part = progress.part(shares[number], shares[number + 1])
            part.step(0.0, tr("Writing {name}", name=path.name))
            data = known.write(thing, options)
            aside = asides.add(path)
            part.step(0.4, tr("Saving"))
            aside.write_bytes(data)
            part.step(0.5, tr("Reading back"))
            reports.append(_proven(known, path, thing, aside.read_bytes(), options, part, force=force))
        progress.step(1.0)
    return tuple(reports)


def as_bytes(
    known: Format[Thing, Any, Any, Found],
    files: Sequence[tuple[Path, Thing]],
    options: Any,
    progress: Progress,
    *,
    force: bool = False,
) -> tuple[tuple[Found, bytes], ...]:
    """Report on files as `written` does, with their bytes, for writing them later; errors are the same."""
    shares = np.linspace(0.0, 1.0, len(files) + 1).tolist()
    found = []
    for number, (path, thing) in enumerate(files):
        part = progress.part(shares[number], shares[number + 1])
        part.step(0.0, tr("Writing {name}", name=path.name))
        data = known.write(thing, options)
        part.step(0.5, tr("Reading back"))
        found.append((_proven(known, path, thing, data, options, part, force=force), data))
    return tuple(found)


def _proven(
    known: Format[Thing, Any, Any, Found],
    path: Path,
    thing: Thing,
    data: bytes,
    options: Any,
    progress: Progress,
    *,
    force: bool,
) -> Found:
    """Report on the bytes of a file; raises StudioError if they are not the thing, or useless and not forced."""
    try:
        read = known.read(data, options)
        progress.step(0.7, tr("Verifying"))
        report = known.prove(read, thing, options, known.rounding)
        if report.problem and not force:
            raise Unreadable(report.problem)
    except Unreadable as problem:
        raise StudioError(
            tr("{path} was not written. Verification failed: {problem}.", path=path, problem=problem)
        ) from problem
    return replace(report, path=path, bytes=len(data))


# Names of the files of several sheets

TRAY = "tray"
"""Suffix to the file name for the sheets of a tray."""


def sheet_paths(path: Path, count: int) -> tuple[Path, ...]:
    """Return the file of every sheet or plate: `path` itself for one, NAME-1, NAME-2 and so on for more."""
    if count == 1:
        return (path,)
    return tuple(path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, count + 1))


def beside_path(sheet: Path, word: str) -> Path:
    """Return the file of a sheet's companion: the sheet's name with a word behind it."""
    return sheet.with_name(f"{sheet.stem}-{word}{sheet.suffix}")


def tray_paths(path: Path, count: int) -> tuple[Path, ...]:
    """Return the files of a tray's sheets, named after the puzzle's file."""
    return sheet_paths(beside_path(path, TRAY), count) if count else ()


def left_over(path: Path, count: int) -> tuple[Path, ...]:
    """Return files that look like sheets of an older export beside those of `count` sheets."""
    paths = [] if count == 1 else [path]
    number = 1 if count == 1 else count + 1
    while os.path.exists(sheet := path.with_name(f"{path.stem}-{number}{path.suffix}")):
        paths.append(sheet)
        number += 1
    return tuple(old for old in paths if os.path.exists(old))


def warned_of(old: tuple[Path, ...]) -> str:
    """Return a warning about sheets of an older export; empty if there are none."""
    if not old:
        return ""
    files = abridged([one.name for one in old], 3)
    return tr("Left over from an earlier export: {files}. Delete what you no longer need.", files=files)


# Leaflets


def ensure_target(path: Path | str) -> None:
    """Raise StudioError if no leaflet can be written, before a long computation of one."""
    target = Path(path)
    ensure_place(target if PAPER.of(target).is_book else sheet_paths(target, 2)[0])


def write_leaflet(leaflet: Leaflet, path: Path | str, progress: Progress = SILENT) -> tuple[LeafletReport, ...]:
    """Write a leaflet in the format of a file's suffix, and report on the files read back.

    In a format of single pages, several become NAME-1, NAME-2 and so on. Raises StudioError, leaving older files
    untouched, if a file cannot be written or does not read back, if no font has a letter, or if a picture is broken.
    """
    ensure_writable(leaflet)
    target = Path(path)
    known = PAPER.of(target)
    books = [leaflet] if known.is_book else [replace(leaflet, pages=(page,)) for page in leaflet.pages]
    files = list(zip(sheet_paths(target, len(books)), books, strict=True))
    return written(known, files, LeafletOptions(), progress)


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
    files = list(zip(sheet_paths(target, len(plates)), plates, strict=True))
    return written(known, files, NoOptions(), progress.part(0.3, 1.0))


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
    files: list[tuple[Path, Sequence[Solid]]] = []
    for name, solid in zip(names, solids, strict=True):
        # A solid, or the one that it is printed onto, begins at the origin.
        mesh = solid.mesh.moved(np.eye(3), -begins[solid.on or solid.name])
        files.append((target / f"{stem}-{name}{known.suffix}", [Solid(solid.name, solid.colour, mesh)]))
    return files


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
