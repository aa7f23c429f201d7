"""Runs a batch: makes the missing boards in a folder, and its table, and reports the outcome."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from studio.base.atomic import Together, folders_for, write_bytes
from studio.base.errors import StudioError
from studio.base.folders import state_folder
from studio.base.json_files import read
from studio.base.progress import Progress
from studio.base.texts import as_cell, tr
from studio.batch.boards import Board
from studio.batch.tasks import DESIGN, Batch, Task
from studio.files.store import digest

# The folder of a batch: the files of its boards, the table of their figures, and a record of each board.
# A record holds a hash of the board's inputs and of each of its files, so that a batch that was stopped or killed goes
# on with the boards that are missing, changed or outdated. It is written before the files: files on the disk either
# agree with it or are made again.


RECORDS = ".batch"
LARGEST = 2**20
"""Bytes of the largest record."""
FIGURES = ("pieces", "errors", "warnings", "cut_mm", "seconds", "sha256", "note")
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
        for task in tasks:
            known = self._record(task.serial)
            figures = {name: known.figures.get(name) for name in FIGURES}
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
