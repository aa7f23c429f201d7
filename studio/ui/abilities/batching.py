"""The command that makes many boards like the one in the window, each with the next seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.amounts import abridged, many
from studio.batch.processes import cores
from studio.batch.runs import Outcome, run
from studio.batch.tasks import batch_of, tasks_of
from studio.batch.values import MOST_BOARDS
from studio.batch.workers import one_by_one, side_by_side
from studio.export.formats import LASER
from studio.files.store import Saved
from studio.parameters import Validated, choice, flag, integer
from studio.progress import Progress
from studio.texts import tr
from studio.ui.panels.options import OptionsDialog

if TYPE_CHECKING:
    from studio.ui.session.session import Session

TITLE = tr("Batch")
MOST_NAMED = 6
"""Boards without files that are named one by one."""
USUAL = 10
"""Boards that are made unless another number is asked for."""


@dataclass(frozen=True)
class BatchOptions(Validated):
    """What is asked of a batch."""

    count: int = integer(USUAL, title="Boards", minimum=1, maximum=MOST_BOARDS,
        help="Number of boards, each with the next seed.")  # fmt: skip
    first: int = integer(1, title="First number", minimum=1, maximum=999_999,
        help="Serial number of the first board.")  # fmt: skip
    format: str = choice(LASER.suffixes[0][1:], {one.suffix[1:]: one.title for one in LASER.members}, title="Format",
        help="Format of the cut files; each board also gets its .puzzle file.")  # fmt: skip


@dataclass(frozen=True)
class RepairOptions(BatchOptions):
    """What is asked of a batch of a kind that can be repaired."""

    repair: bool = flag(True, title="Fix problems", help="Fix all problems of each board before exporting it.")


def ask_for_boards(session: Session) -> None:
    """Ask for the options of a batch and its folder, and make the boards."""
    options: Any = BatchOptions() if session.kind.repair is None else RepairOptions()
    dialog = OptionsDialog(TITLE, options, session.dialogs.parent)
    options = session.dialogs.ask(dialog)
    dialog.deleteLater()
    folder = None if options is None else session.dialogs.folder_path(tr("Folder for the boards"), session.folder)
    if folder is None:
        return
    saved = Saved(session.kind, session.document.design)
    name = Path(f"{session.document.title}.puzzle")
    session.writing.write(
        folder / name.with_name(f"{name.stem}-boards.csv"),
        partial(_made, saved, name, options, folder),
        cancelled=tr("Batch stopped. The same batch in the same folder continues it."),
    )


def _made(saved: Saved, name: Path, options: Any, folder: Path, progress: Progress) -> str:
    """Make the boards; returns what was made, in a sentence."""
    batch = batch_of(saved, name, formats=(f".{options.format}",), repair=getattr(options, "repair", False))
    tasks = tasks_of(saved, {}, (), options.count, options.first)
    workers = min(cores(), options.count)
    making = one_by_one if workers == 1 else partial(side_by_side, workers=workers)
    return _in_words(run(batch, tasks, folder, making, progress), folder)


def _in_words(outcome: Outcome, folder: Path) -> str:
    boards = many(len(outcome.rows), "board")
    if not outcome.faulty:
        return tr("Saved and verified: {boards} in {folder}.", boards=boards, folder=folder.name)
    return tr(
        "Saved {boards} in {folder}; not exported because of errors: {names}.",
        boards=boards,
        folder=folder.name,
        names=abridged(outcome.faulty, MOST_NAMED),
    )
