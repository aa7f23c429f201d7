"""Runs a batch: makes the boards that are missing in a folder, and its table, and tells what came of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.batch.boards import Board
from studio.batch.folder import Folder
from studio.batch.tasks import Batch, Task

Making = Callable[[Batch, Sequence[Task], Progress], Generator[Board]]
"""Makes the boards of some tasks, in any order."""


@dataclass(frozen=True)
class Outcome:
    """The folder's table and its rows, how many boards were there before, and what is worth a note.

    `faulty` are the serial numbers of boards that lack files, `left` older files of boards that are left over.
    """

    table: Path
    rows: Sequence[dict[str, Any]]
    kept: int
    faulty: tuple[str, ...]
    left: tuple[Path, ...]


def run(batch: Batch, tasks: Sequence[Task], path: Path, making: Making, progress: Progress) -> Outcome:
    """Make all boards that are not in a folder yet, and its table; what is there when this is stopped stays.

    Raises StudioError where files would be replaced that are not the batch's, or cannot be written, and Cancelled.
    """
    folder = Folder(path, batch.stem)
    folder.make()
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
        # It may have been stopped while a board took its place.
        with suppress(StudioError):
            folder.write_table([task for task in tasks if task.serial in done or folder.is_done(batch, task)])
        raise
    rows = folder.write_table(tasks)
    faulty = tuple(task.serial for task in tasks if not folder.is_whole(task))
    return Outcome(folder.table, rows, kept, faulty, tuple(left))
