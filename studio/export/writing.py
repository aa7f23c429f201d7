"""Writes files, whole or not at all: written aside, read back, compared with the thing, then renamed.

A file that does not read back as the thing never takes its name: an older file there stays.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from studio.base.amounts import abridged
from studio.base.atomic import Together, ensure_place
from studio.base.errors import StudioError
from studio.base.folders import state_folder
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.export.format import AnyFormat, Format, Found, Thing, Unreadable
from studio.export.formats import PAPER
from studio.export.options import LeafletOptions
from studio.export.proof import LeafletReport
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
    """Return the file of every sheet: `path` itself for one, NAME-1, NAME-2 and so on for more."""
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
