"""Makes the boards of a batch: one from its task, or all that a folder lacks, with their table and the outcome.

A board is its design, repaired on request, its figures and the bytes of its files.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import studio
from studio.base.amounts import as_cell, many
from studio.base.atomic import Together, folders_for, write_bytes
from studio.base.errors import StudioError
from studio.base.folders import state_folder
from studio.base.json_files import read
from studio.base.parameters import Declaration, declarations, parsed
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.batch.tasks import DESIGN, RANGE, Batch, Row, Task, inscribed, read_rows, task_of, texts_of
from studio.checks.finding import Checked, Severity
from studio.exporting.formats import LASER, PRINTER, Options
from studio.exporting.laser_files import companions_as_bytes, sheets_as_bytes
from studio.fabricate.costs import Prices
from studio.fabricate.making import Made, made
from studio.fabricate.making import Making as SheetSettings
from studio.fabricate.recipes import recipe_of
from studio.fabricate.workshop import Machine, Material, run_of, usual_sheet
from studio.files.pictures import read_picture
from studio.files.store import Saved, digest, dumps
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.abilities.ability import Convertible, Distinguishable, Inscribable, Repairable
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.printable import Printable

if TYPE_CHECKING:
    from studio.geometry.planar.trays import Tray


@dataclass(frozen=True)
class Board:
    """Result of a task: figures for the table, files by name, and whether all requested files are there.

    `figures` are pieces, errors, warnings, the length in mm and the time in s of all cuts, the cost of a puzzle if
    there are prices, and a note.
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
    work, notes = _Work(batch, f"{batch.stem}-{task.serial}", saved), list[str]()
    try:
        parameters = replace(saved.design.parameters, **dict(task.values))
        generated = saved.kind.generate(parameters, saved.design, progress.part(0.0, 0.15))
        if task.edits:
            generated = saved.kind.edit(task.edits)(generated.design, progress.part(0.15, 0.2))
            if generated.dropped:
                notes.append(tr("Dropped edits that no longer fit: {dropped}.", dropped=", ".join(generated.dropped)))
        work.saved = replace(saved, design=generated.design)
        if task.fields:
            work.saved = inscribed(work.saved, dict(task.fields))
        notes += _finished(work, progress.part(0.2, 1.0))
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
        prices = Prices.of(batch.machine, _material(batch, cut, shapes), batch.pricing)
        if (cost := prices.cost_of(found, batch.making.copies)) is not None:
            work.figures["cost"] = cost.total
        notes = found.notes
    for suffix in batch.formats:
        if suffix in LASER.suffixes and found is not None:
            work.files |= _laser_files(work, suffix, found, progress.part(0.5, 1.0))
        elif suffix in PRINTER.suffixes:
            work.files |= _solid_files(work, suffix, shapes, progress.part(0.5, 1.0))
        elif suffix != DESIGN:
            writer = kind.need(Convertible).writer(suffix)
            options = writer.options(**_known(batch.options, writer.options))
            work.files[f"{work.name}{suffix}"] = writer.write(work.saved.design, options, progress.part(0.5, 1.0))
    return list(notes)


def _material(batch: Batch, cut: Cuttable[Any], shapes: Any) -> Material:
    thickness = cut.thickness(shapes)
    return batch.material or (Material() if thickness is None else usual_sheet(thickness.needed))


def _made(batch: Batch, cut: Cuttable[Any], shapes: Any, progress: Progress) -> Made:
    material, drawing = _material(batch, cut, shapes), cut.drawing(shapes)
    return made(drawing, batch.making, batch.machine, material, progress, tray=cut.tray(shapes))


def _laser_files(work: _Work, suffix: str, found: Made, progress: Progress) -> dict[str, bytes]:
    batch = work.batch
    run = run_of(batch.machine, batch.material or Material())
    options = Options(**_known(batch.options, Options), recipe=recipe_of(batch.machine), run=run)
    target = Path(f"{work.name}{suffix}")
    sheets = sheets_as_bytes(
        found.sheets, target, options, beside=found.beside, tray=found.tray_sheets, force=work.batch.force,
        progress=progress,
    )  # fmt: skip
    files = {report.path.name: data for report, data in sheets}
    if suffix == next(one for one in work.batch.formats if one in LASER.suffixes):
        # Prints are the same for every format of the cuts.
        beside = companions_as_bytes(found.sheets, found.fronts, target, options, progress, found.rests)
        files |= {path.name: data for path, data in beside.items()}
    return files


def _solid_files(work: _Work, suffix: str, shapes: Any, progress: Progress) -> dict[str, bytes]:
    from studio.exporting.writing import SolidOptions, solids_as_bytes

    solids = work.saved.kind.need(Printable).bodies(shapes, progress.part(0.0, 0.5))
    options = SolidOptions(format=suffix[1:])
    files = solids_as_bytes(solids, Path(), options, stem=work.name, progress=progress.part(0.5, 1.0))
    return {report.path.name: data for report, data in files}


def _known(options: Sequence[tuple[str, Any]], kind: type[Any]) -> dict[str, Any]:
    """Filter the options that a class of options has."""
    names = {known.name for known in declarations(kind)}
    return {name: value for name, value in options if name in names}


# Boards that share the sheets of one job: the same design with other pictures, texts and values

PICTURE, COPIES = "picture", "copies"
"""Columns of a table: the file of a picture, beside the table, and the number of copies."""
MOST_COPIES = 500
"""Limit for the boards of one job."""


def boards_of_table(saved: Saved, path: Path, progress: Progress, *, force: bool = False) -> tuple[Drawing, ...]:
    """Make the drawings of the boards that a table lists, each as often as its copies; equal ones are the same object.

    Its columns are those of a batch, PICTURE and COPIES; all boards have the seeds of the design. Raises StudioError,
    naming the line, for an invalid table and, unless `force`, for a board with errors.
    """
    kind, design = saved.kind, saved.design
    cut = kind.need(Cuttable)
    seeds = [one.name for one in declarations(type(design.parameters)) if one.type == "seed"]
    settings = {name: RANGE.join([str(getattr(design.parameters, name))] * 2) for name in seeds}
    rows = read_rows(path, kind.parameters, {}, texts_of(saved), (PICTURE, COPIES))
    counts = [_copies(row) for row in rows]
    if not 0 < sum(counts) <= MOST_COPIES:
        raise StudioError(
            tr("{file} lists {boards}; one job has 1 to {most}.", file=path.name, boards=many(sum(counts), "board"),
               most=MOST_COPIES)
        )  # fmt: skip
    drawings: list[Drawing] = []
    shapes = None
    for at, (row, count) in enumerate(zip(rows, counts, strict=True)):
        part = progress.part(at / len(rows), (at + 1) / len(rows))
        part.step(0.0, tr("Making boards"))
        own = {name: text for name, text in settings.items() if not row.cells.get(name)}
        task = task_of(saved, own, rows, at, len(rows))
        try:
            shapes = _shapes_of(saved, task, row, path, shapes, part, force=force)
        except StudioError as problem:
            raise row.refused(problem) from problem
        drawings += [cut.drawing(shapes)] * count
    return tuple(drawings)


def _copies(row: Row) -> int:
    known = Declaration(COPIES, COPIES, "integer", 1, "", "", 0, MOST_COPIES)
    try:
        return int(parsed(known, row.cells.get(COPIES) or "1"))
    except StudioError as problem:
        raise row.refused(problem) from problem


def _shapes_of(saved: Saved, task: Task, row: Row, path: Path, before: Any, progress: Progress, *, force: bool) -> Any:
    """Make the shapes of a table's row, given those of the row before; raises StudioError."""
    kind, design = saved.kind, saved.design
    parameters = replace(design.parameters, **dict(task.values))
    if parameters != design.parameters:
        design = kind.generate(parameters, design, progress.part(0.0, 0.2)).design
    if task.edits:
        design = kind.edit(task.edits)(design, progress.part(0.2, 0.3)).design
    if task.fields:
        design = inscribed(replace(saved, design=design), dict(task.fields)).design
    is_known = design is saved.design
    if row.cells.get(PICTURE):
        read = read_picture(path.parent / row.cells[PICTURE], 1, progress.part(0.3, 0.4))
        design = kind.need(Inscribable).pictured(design, read.data, read.media)
    shapes = kind.shape(design, before, progress.part(0.4, 0.6))
    if not (force or is_known):
        errors = kind.check(design, shapes, None, progress.part(0.6, 1.0)).errors
        if errors:
            raise StudioError(errors[0].message)
    return shapes


class TableOfCopies:
    """Copies that a table lists, made when first needed, in the thread that needs them."""

    def __init__(self, saved: Saved, path: Path, tray: Tray | None) -> None:
        self._saved, self._path, self._tray = saved, path, tray
        self._boards: tuple[Drawing, ...] = ()
        self._one_at_a_time = Lock()

    def make(
        self, _drawing: Drawing, making: SheetSettings, machine: Machine, material: Material, progress: Progress
    ) -> Made:
        """Make the sheets of all copies. Raises StudioError, naming the line, if the table is unusable."""
        with self._one_at_a_time:
            if not self._boards:
                self._boards = boards_of_table(self._saved, self._path, progress.part(0.0, 0.4), force=True)
        first, *more = self._boards
        on_bed = replace(making, page="bed")
        return made(first, on_bed, machine, material, progress.part(0.4, 1.0), tray=self._tray, more=more)


# The folder of a batch: the files of its boards, the table of their figures, and a record of each board.
# A record holds a hash of the board's inputs and of each of its files, so that a batch that was stopped or killed goes
# on with the boards that are missing, changed or outdated. It is written before the files: files on the disk either
# agree with it or are made again.

RECORDS = ".batch"
LARGEST = 2**20
"""Bytes of the largest record."""
COST = "cost"
"""The column of the costs of a puzzle, which is there if there are prices."""
FIGURES = ("pieces", "errors", "warnings", "cut_mm", "seconds", COST, "sha256", "note")
"""The columns of a table between the values of a board and the names of its files."""


@dataclass(frozen=True)
class Record:
    """Record of a board, or of the table: its task's key, its figures, and a hash of each of its files by name.

    `before` has the hashes of the files that these replaced.
    """

    key: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)
    is_whole: bool = False


NOTHING = Record()
"""The record of a board that was never made."""


class Folder:
    """The folder for the boards of a batch."""

    def __init__(self, path: Path, stem: str) -> None:
        self._path, self._stem = path, stem
        self._own = path / RECORDS

    @property
    def table(self) -> Path:
        """The table of figures."""
        return self._path / f"{self._stem}-boards.csv"

    def made(self) -> AbstractContextManager[None]:
        """Create the folder for a block, if necessary; an empty one is removed again.

        Raises StudioError if it cannot be created.
        """
        return folders_for([self.table, self._place()], 0)

    def is_done(self, batch: Batch, task: Task) -> bool:
        """True if a board is up to date: same inputs, and all its files whole."""
        known = self._record(task.serial)
        return known.key == task.key(batch) and all(
            _digest(self._path / name) == wanted for name, wanted in known.files.items()
        )

    def is_whole(self, task: Task) -> bool:
        """True if a finished board has all requested files."""
        return self._record(task.serial).is_whole

    def refuse_foreign(self, batch: Batch, tasks: Iterable[Task]) -> None:
        """Raise StudioError if boards would replace files that this batch has not written."""
        for task in tasks:
            known = self._record(task.serial)
            names = [f"{batch.stem}-{task.serial}{suffix}" for suffix in (DESIGN, *batch.formats)]
            self._refuse(known, [*names, *known.files])
        self._refuse(self._record(), [self.table.name])

    def _refuse(self, known: Record, names: Iterable[str]) -> None:
        for name in names:
            now = _digest(self._path / name)
            if now not in (None, known.files.get(name), known.before.get(name)):
                file = self._path / name
                raise StudioError(
                    tr("{file} was changed, or does not belong to this batch. Move it, or add --force.", file=file)
                )

    def put(self, batch: Batch, board: Board) -> tuple[Path, ...]:
        """Write a board, all of its files or none; return its older files that are left over.

        Raises StudioError, leaving older files untouched, if files cannot be written or would replace files that are
        not the batch's, such as an unexpected second sheet.
        """
        known = self._record(board.task.serial)
        if not batch.force:
            self._refuse(known, board.files)
        self._put(board.task.serial, Record(board.task.key(batch), board.figures, is_whole=board.is_whole), board.files)
        left = (self._path / name for name in known.files if name not in board.files)
        return tuple(path for path in left if os.path.exists(path))

    def _put(self, serial: str, record: Record, files: Mapping[str, bytes]) -> None:
        hashes = {name: digest(data) for name, data in files.items()}
        before = {name: now for name in files if (now := _digest(self._path / name)) is not None}
        kept = asdict(record) | {"files": hashes, "before": before}
        place = self._place(serial)
        is_new = not os.path.exists(place)
        write_bytes(place, json.dumps(kept, indent=1).encode())
        try:
            with Together(state_folder()) as asides:
                for name, data in files.items():
                    asides.add(self._path / name).write_bytes(data)
        except BaseException:
            if is_new and not any(os.path.exists(self._path / name) for name in files):
                with suppress(OSError):
                    place.unlink()
            raise

    def write_table(self, tasks: Sequence[Task]) -> list[dict[str, Any]]:
        """Write the figures of finished boards, if any, and return them; raises StudioError if that fails."""
        rows: list[dict[str, Any]] = []
        records = [self._record(task.serial) for task in tasks]
        has_costs = any(COST in known.figures for known in records)
        for task, known in zip(tasks, records, strict=True):
            figures = {name: known.figures.get(name) for name in FIGURES if name != COST or has_costs}
            shown = {name: text for name, text in task.shown if name not in figures}
            rows.append({"serial": task.serial, **shown, **figures, "files": list(known.files)})
        if rows:
            self._put("", NOTHING, {self.table.name: _as_csv(rows)})
        return rows

    def _record(self, serial: str = "") -> Record:
        """Read the record of a board, or of the table without a serial number."""
        try:
            kept = dict(read(self._place(serial), LARGEST))
            hashes = {name: {str(file): str(kept[name][file]) for file in kept[name]} for name in ("files", "before")}
            return Record(str(kept["key"]), dict(kept["figures"]), **hashes, is_whole=kept["is_whole"] is True)
        except (StudioError, KeyError, TypeError, ValueError):
            return NOTHING

    def _place(self, serial: str = "") -> Path:
        return self._own / (f"{self._stem}-{serial}.json" if serial else f"{self.table.stem}.json")


def _digest(path: Path) -> str | None:
    """Hash a file; None if it does not exist, empty if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError:
        return ""


def _as_csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    text = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = csv.writer(text, lineterminator="\n")
    table.writerow(map(_cell, names))
    table.writerows([_cell(row.get(name)) for name in names] for row in rows)
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    cell = " ".join(value) if isinstance(value, list) else "" if value is None else value
    return as_cell(cell) if isinstance(cell, str) else cell


Making = Callable[[Batch, Sequence[Task], Progress], Generator[Board]]
"""Makes the boards of some tasks, in any order."""


@dataclass(frozen=True)
class Outcome:
    """Outcome of a batch: table file, rows, and the number of boards that were up to date before.

    `faulty` are the serial numbers of boards that lack files, `left` older files of boards that are left over.
    """

    table: Path
    rows: Sequence[dict[str, Any]]
    kept: int
    faulty: tuple[str, ...]
    left: tuple[Path, ...]


def run(batch: Batch, tasks: Sequence[Task], path: Path, making: Making, progress: Progress) -> Outcome:
    """Make all boards missing in a folder, and its table; finished boards stay if this is stopped.

    Raises StudioError if foreign files would be replaced or a file cannot be written, and Cancelled.
    """
    folder = Folder(path, batch.stem)
    with folder.made():
        done = {task.serial for task in tasks if folder.is_done(batch, task)}
        missing = [task for task in tasks if task.serial not in done]
        if not batch.force:
            folder.refuse_foreign(batch, missing)
        kept, left = len(done), list[Path]()
        try:
            with closing(making(batch, missing, progress)) as boards:
                for board in boards:
                    left += folder.put(batch, board)
                    done.add(board.task.serial)
        except BaseException:
            # A board may have been written just before the stop.
            with suppress(StudioError):
                folder.write_table([task for task in tasks if task.serial in done or folder.is_done(batch, task)])
            raise
        rows = folder.write_table(tasks)
        faulty = tuple(task.serial for task in tasks if not folder.is_whole(task))
        return Outcome(folder.table, rows, kept, faulty, tuple(left))
