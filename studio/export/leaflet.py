"""Writes leaflets, paper that goes with a puzzle, in the format that the file's ending says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from studio.base.atomic import ensure_place
from studio.base.progress import SILENT, Progress
from studio.export.formats import PAPER
from studio.export.paper import LeafletOptions, LeafletReport
from studio.export.writing import sheet_paths, written
from studio.paper.leaflet import Leaflet, ensure_writable


def ensure_target(path: Path | str) -> None:
    """Raise StudioError where no leaflet can be written, before a long computation of one."""
    target = Path(path)
    ensure_place(target if PAPER.of(target).is_book else sheet_paths(target, 2)[0])


def write_leaflet(leaflet: Leaflet, path: Path | str, progress: Progress = SILENT) -> tuple[LeafletReport, ...]:
    """Write a leaflet in the format of a file's suffix, and report what was read back.

    Where a file of the format holds one page, several become NAME-1, NAME-2 and so on. Raises StudioError where a file
    cannot be written or does not read back, where no font has a letter, and where a picture is broken; what was there
    before is then untouched.
    """
    ensure_writable(leaflet)
    target = Path(path)
    known = PAPER.of(target)
    books = [leaflet] if known.is_book else [replace(leaflet, pages=(page,)) for page in leaflet.pages]
    files = list(zip(sheet_paths(target, len(books)), books, strict=True))
    return written(known, files, LeafletOptions(), progress)
