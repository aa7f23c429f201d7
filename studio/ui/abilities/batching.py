"""The command that makes many boards like the one in the window, of which each differs."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.base.amounts import abridged, many
from studio.base.parameters import remembered
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.threads import cores
from studio.batch.runs import Outcome, run
from studio.batch.tasks import batch_of, tasks_of
from studio.batch.workers import one_by_one, side_by_side
from studio.files.store import Saved
from studio.puzzles.abilities.ability import Distinguishable, Repairable
from studio.ui.abilities.batchdialog import BatchDialog, BatchOptions, BatchRequest, RepairOptions, UniqueOptions

if TYPE_CHECKING:
    from studio.ui.session.jobs import Client
    from studio.ui.session.session import Session

BATCH = "batch"
"""The name under which its options are remembered."""
MOST_NAMED = 6
"""Boards without files that are named one by one."""


def ask_for_boards(session: Session) -> None:
    """Ask for the options of a batch and its folder, and make the boards."""
    saved = Saved(session.kind, session.document.design)
    dialog = BatchDialog(saved, _usual(session), partial(_table, session), session.dialogs.parent)

    def start(asked: BatchRequest, client: Client) -> None:
        session.preferences.set_export_values(BATCH, _chosen(asked.options))
        folder = session.dialogs.folder_path(tr("Folder for the boards"), session.folder)
        if folder is None:
            client.refuse("")
            return
        name = Path(f"{session.document.title}.puzzle")
        # It may take hours, so the dialog does not wait for it.
        client.succeed()
        session.writing.write(
            folder / name.with_name(f"{name.stem}-boards.csv"),
            partial(_made, saved, name, asked, folder),
            cancelled=tr("Batch stopped. The same batch in the same folder continues it."),
        )

    session.dialogs.carry_out(dialog, start)
    dialog.deleteLater()


def _usual(session: Session) -> BatchOptions:
    """The options that a kind offers, as they were chosen the last time."""
    values, usual = session.preferences.export_values(BATCH), BatchOptions()
    if session.kind.able(Distinguishable):
        usual = UniqueOptions(clearance=session.preferences.kerf())
    elif session.kind.able(Repairable):
        usual = RepairOptions()
    return remembered(values, usual)


def _chosen(options: BatchOptions) -> dict[str, Any]:
    """What is remembered: all but the clearance, which follows the kerf."""
    return {name: value for name, value in asdict(options).items() if name != "clearance"}


def _table(session: Session) -> Path | None:
    kinds = tr("Tables ({suffix})", suffix="*.csv *.tsv *.txt")
    return session.dialogs.open_path(session.folder, tr("Load table"), kinds)


def _made(saved: Saved, name: Path, asked: BatchRequest, folder: Path, progress: Progress) -> str:
    """Make the boards; returns what was made, in a sentence."""
    options = asked.options
    batch = batch_of(
        saved,
        name,
        formats=(f".{options.format}",),
        repair=isinstance(options, RepairOptions) and options.repair,
        clearance=options.clearance if isinstance(options, UniqueOptions) and options.unique else None,
    )
    tasks = tasks_of(saved, asked.settings, asked.rows, options.count, options.first)
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
