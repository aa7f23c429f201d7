"""Makes one board of a batch: its design, repaired on request, its figures and the bytes of its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import studio
from studio.base.errors import StudioError
from studio.base.parameters import declarations
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.batch.tasks import DESIGN, Batch, Task, inscribed
from studio.checks.finding import Checked, Severity
from studio.export.formats import LASER, PRINTER, Options
from studio.export.target import companions_as_bytes, sheets_as_bytes
from studio.fabricate.making import Made, made
from studio.fabricate.workshop import Material, usual_sheet
from studio.files.store import Saved, dumps
from studio.puzzles.abilities.ability import Distinguishable, Repairable
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.exchangeable import Exchangeable
from studio.puzzles.abilities.printable import Printable


@dataclass(frozen=True)
class Board:
    """Result of a task: figures for the table, files by name, and whether all requested files are there.

    `figures` are pieces, errors, warnings, the length in mm and the time in s of all cuts, and a note.
    """

    task: Task
    figures: Mapping[str, Any]
    files: Mapping[str, bytes]
    is_whole: bool


@dataclass
class _Work:
    """A board while it is made."""

    batch: Batch
    name: str
    saved: Saved
    figures: dict[str, Any] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)


def made_board(batch: Batch, task: Task, progress: Progress = SILENT) -> Board:
    """Make the board of a task, the same on every machine. Its note reports a failure.

    Raises StudioError if the batch comes from another version of the studio, and Cancelled.
    """
    if batch.version != studio.__version__:
        raise StudioError(
            tr(
                "A worker runs Puzzle Studio {own}, not {version}. Install the same version everywhere.",
                own=studio.__version__,
                version=batch.version,
            )
        )
    saved = batch.saved()
    work = _Work(batch, f"{batch.stem}-{task.serial}", saved)
    try:
        parameters = replace(saved.design.parameters, **dict(task.values))
        generated = saved.kind.generate(parameters, saved.design, progress.part(0.0, 0.2))
        work.saved = replace(saved, design=generated.design)
        if task.fields:
            work.saved = inscribed(work.saved, dict(task.fields))
        notes = _finished(work, progress.part(0.2, 1.0))
        is_whole = batch.force or not work.figures.get("errors")
    except StudioError as problem:
        notes, is_whole = [str(problem)], False
    work.figures["note"] = " ".join(notes)
    return Board(task, work.figures, work.files, is_whole)


def _finished(work: _Work, progress: Progress) -> list[str]:
    """Repair, check and write the design of a board; return notes."""
    kind, batch = work.saved.kind, work.batch
    notes: list[str] = []
    if batch.repair:
        mended = kind.need(Repairable).repair(work.saved.design, progress.part(0.0, 0.5))
        work.saved = replace(work.saved, design=mended.design)
        notes += mended.left
    if batch.clearance is not None:
        mended = kind.need(Distinguishable).unique(work.saved.design, batch.clearance, progress.part(0.3, 0.5))
        work.saved = replace(work.saved, design=mended.design)
        notes += mended.left
    design = work.saved.design
    data = dumps(kind, design)
    work.files[f"{work.name}{DESIGN}"] = data
    work.figures["sha256"] = sha256(data).hexdigest()
    shapes = kind.shape(design, None, progress.part(0.5, 0.6))
    checked = kind.check(design, shapes, None, progress.part(0.6, 0.7))
    notes += _judged(work, shapes, checked)
    if work.figures["errors"] and not batch.force:
        return notes
    return [*notes, *_written(work, shapes, progress.part(0.7, 1.0))]


def _judged(work: _Work, shapes: Any, checked: Checked) -> list[str]:
    """Count problems, those with the material included; return the first error."""
    errors = list(checked.errors)
    warnings = sum(finding.severity is Severity.WARNING for finding in checked.findings)
    kind = work.saved.kind
    cut, material = kind.able(Cuttable), work.batch.material
    if cut is not None:
        work.figures["pieces"] = cut.piece_count(shapes)
        thickness = cut.thickness(shapes)
        if thickness is not None and material is not None:
            misfit = thickness.problem(work.saved.design, kind.noun, tr("the material"), material.thickness)
            errors += [] if misfit is None else [misfit]
    work.figures |= {"errors": len(errors), "warnings": warnings}
    return [error.message for error in errors[:1]]


def _written(work: _Work, shapes: Any, progress: Progress) -> list[str]:
    """Write the files of a board, one after another; return notes about them."""
    kind, batch = work.saved.kind, work.batch
    cut, found, notes = kind.able(Cuttable), None, tuple[str, ...]()
    if cut is not None:
        found = _made(batch, cut, shapes, progress.part(0.0, 0.5))
        work.figures |= {"cut_mm": round(found.cut, 1), "seconds": round(found.seconds, 1)}
        notes = found.notes
    for suffix in batch.formats:
        if suffix in LASER.suffixes and found is not None:
            work.files |= _laser_files(work, suffix, found, progress.part(0.5, 1.0))
        elif suffix in PRINTER.suffixes:
            work.files |= _solid_files(work, suffix, shapes, progress.part(0.5, 1.0))
        elif suffix != DESIGN:
            writer = kind.need(Exchangeable).writer(suffix)
            options = writer.options(**_known(batch.options, writer.options))
            work.files[f"{work.name}{suffix}"] = writer.write(work.saved.design, options, progress.part(0.5, 1.0))
    return list(notes)


def _made(batch: Batch, cut: Cuttable[Any], shapes: Any, progress: Progress) -> Made:
    thickness = cut.thickness(shapes)
    material = batch.material or (Material() if thickness is None else usual_sheet(thickness.needed))
    drawing = cut.drawing(shapes)
    return made(drawing, batch.making, batch.machine, material, progress, tray=cut.tray(shapes))


def _laser_files(work: _Work, suffix: str, found: Made, progress: Progress) -> dict[str, bytes]:
    options = Options(**_known(work.batch.options, Options))
    target = Path(f"{work.name}{suffix}")
    sheets = sheets_as_bytes(
        found.sheets, target, options, beside=found.beside, tray=found.tray_sheets, force=work.batch.force,
        progress=progress,
    )  # fmt: skip
    files = {report.path.name: data for report, data in sheets}
    if suffix == next(one for one in work.batch.formats if one in LASER.suffixes):
        # Prints are the same for every format of the cuts.
        beside = companions_as_bytes(found.sheets, found.fronts, target, options, progress)
        files |= {path.name: data for path, data in beside.items()}
    return files


def _solid_files(work: _Work, suffix: str, shapes: Any, progress: Progress) -> dict[str, bytes]:
    from studio.export.printing import SolidOptions, solids_as_bytes

    solids = work.saved.kind.need(Printable).bodies(shapes, progress.part(0.0, 0.5))
    options = SolidOptions(format=suffix[1:])
    files = solids_as_bytes(solids, Path(), options, stem=work.name, progress=progress.part(0.5, 1.0))
    return {report.path.name: data for report, data in files}


def _known(options: Sequence[tuple[str, Any]], kind: type[Any]) -> dict[str, Any]:
    """Filter the options that a class of options has."""
    names = {known.name for known in declarations(kind)}
    return {name: value for name, value in options if name in names}
