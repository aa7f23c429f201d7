"""The command for a batch: many boards like the one in the window, each with its own values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from studio.base.amounts import abridged, many
from studio.base.errors import StudioError
from studio.base.parameters import (
    Declaration,
    ParameterError,
    Validated,
    choice,
    declarations,
    flag,
    integer,
    number,
    remembered,
)
from studio.base.progress import Progress, cores
from studio.base.texts import tr
from studio.batch.boards import Outcome, run
from studio.batch.tasks import (
    MOST_BOARDS,
    MOST_CLEARANCE,
    Row,
    Task,
    as_text,
    batch_of,
    read_rows,
    task_of,
    tasks_of,
    texts_of,
)
from studio.batch.workers import one_by_one, side_by_side
from studio.exporting.formats import LASER
from studio.files.store import Saved
from studio.puzzles.abilities.ability import Distinguishable, Repairable
from studio.ui.panels.file_dialog import RIM
from studio.ui.panels.form import Manner, ParameterForm, full_title
from studio.ui.session.dialogs import WorkDialog
from studio.ui.widgets.controls import CalmComboBox, TextLine, heading, hint_label, push_button, quiet_button
from studio.ui.widgets.layout import REST, column, holding, row
from studio.ui.widgets.theme import GAP

if TYPE_CHECKING:
    from studio.ui.session.jobs import Client
    from studio.ui.session.session import Session


# The dialog of a batch: the number of boards, the varied parameters, and a table with a line for each board.


TITLE = tr("Batch")
USUAL = 10
"""Default number of boards."""
MOST_TRIED = 50
"""Number of first boards whose values are tried while the dialog is open, besides the last one's."""
MOST_VARIED = 6
"""Limit for parameters that vary at once."""
NAME_WIDTH, VALUES_WIDTH = 170, 190
EXAMPLES = {
    "number": tr("A range such as 0.1..0.3, or a list such as 0.1;0.2"),
    "integer": tr("A range such as 4..8, or a list such as 4;6;8"),
    "seed": tr("The first seed, or a range such as 7..7"),
    "flag": tr("A list such as true;false"),
    "text": tr("A text; {serial} and columns of the table are filled in"),
}
"""Hints for the field of a varied parameter, by its type."""


@dataclass(frozen=True)
class BatchOptions(Validated):
    """Options of a batch."""

    count: int = integer(USUAL, title="Boards", minimum=1, maximum=MOST_BOARDS,
        help="Number of boards, each with the next seed.")  # fmt: skip
    first: int = integer(1, title="First number", minimum=1, maximum=999_999,
        help="Serial number of the first board.")  # fmt: skip
    format: str = choice(LASER.suffixes[0][1:], {one.suffix[1:]: one.title for one in LASER.members}, title="Format",
        help="Format of the cut files; each board also gets its .puzzle file.")  # fmt: skip


@dataclass(frozen=True)
class RepairOptions(BatchOptions):
    """Options of a batch of a kind that can be repaired."""

    repair: bool = flag(True, title="Fix problems", help="Fix all problems of each board before exporting it.")


@dataclass(frozen=True)
class UniqueOptions(RepairOptions):
    """Options of a batch of a kind that can be repaired and made unique."""

    unique: bool = flag(False, title="Make pieces unique",
        help="Reshape tongues until each piece fits in one place only.")  # fmt: skip
    clearance: float = number(0.15, title="Clearance", minimum=0, maximum=MOST_CLEARANCE, step=0.01, unit="mm",
        help="Difference between two edges that keeps them from fitting; usually the kerf.")  # fmt: skip


@dataclass(frozen=True)
class BatchRequest:
    """The options, the settings of varied parameters by name, and the lines of a table."""

    options: BatchOptions
    settings: Mapping[str, str]
    rows: tuple[Row, ...] = ()

    def task(self, saved: Saved, at: int) -> Task:
        """Return the task of board `at`; raises StudioError for an impossible one."""
        return task_of(saved, self.settings, self.rows, at, self.options.count, self.options.first)


class Varied(QWidget):
    """A varied parameter: its name, its values, and a button that removes it."""

    changed = Signal()
    removed = Signal()

    def __init__(self, parameters: Any, name: str) -> None:
        super().__init__()
        self._parameters = parameters
        known = declarations(type(parameters))
        self._known = {one.name: one for one in known}
        self.parameter = CalmComboBox(tr("Parameter"))
        for one in known:
            self.parameter.addItem(full_title(one, known), one.name)
        self.parameter.setCurrentIndex(self.parameter.findData(name))
        self.parameter.setFixedWidth(NAME_WIDTH)
        self.values = TextLine()
        self.values.setAccessibleName(tr("Values"))
        self.values.setMinimumWidth(VALUES_WIDTH)
        self.remove: QToolButton = quiet_button(tr("Remove"), "remove")
        row(self.parameter, (self.values, 1), self.remove, of=self)
        self.parameter.currentIndexChanged.connect(self._show)
        self.values.taken.connect(lambda _text: self.changed.emit())
        self.remove.clicked.connect(self.removed.emit)
        self._show()

    @property
    def name(self) -> str:
        """The name of the parameter."""
        return str(self.parameter.currentData())

    def _show(self) -> None:
        known = self._known[self.name]
        self.values.show_text(as_text(getattr(self._parameters, self.name)))
        self.values.setToolTip(_example(known))
        self.changed.emit()


def _example(known: Declaration) -> str:
    if known.choices:
        return tr("A list such as {values}", values=";".join(one.value for one in known.choices[:3]))
    return EXAMPLES[known.type]


class BatchDialog(WorkDialog):
    """Asks for the shared options of a batch, and for the varied parameters."""

    def __init__(
        self, saved: Saved, options: BatchOptions, choose: Callable[[], Path | None], parent: QWidget | None = None
    ) -> None:
        super().__init__(TITLE, tr("Continue…"), parent)
        self._saved, self._choose = saved, choose
        known = declarations(saved.kind.parameters)
        self._titles = {one.name: full_title(one, known) for one in known}
        self._path: Path | None = None
        self._request = BatchRequest(options, {})
        self.form = ParameterForm(options, Manner.PLAIN, hidden=_hidden)
        self.varied: list[Varied] = []
        self._lines = column(gap=GAP)
        self.vary = push_button(tr("Vary a parameter"), tr("Give each board another value of a parameter"))
        self.table = QLabel()
        self.load = push_button(
            tr("Load table…"),
            tr(
                "A CSV file with a line for each board; its columns name parameters, fill in texts such as {name}, or "
                "have edits"
            ),
        )
        self.forget = quiet_button(tr("Remove the table"), "remove")
        self.preview = hint_label()
        column(
            self.form, GAP, heading(tr("Differences between boards")), holding(self._lines),
            row(self.vary, self.load, self.table, self.forget, REST), self.preview, self.problem, REST, GAP,
            self.buttons, of=self, margins=RIM,
        )  # fmt: skip
        self.form.previewed.connect(lambda _options: self._try())
        self.form.edited.connect(lambda _words, _options, _token: self._try())
        self.vary.clicked.connect(self._add)
        self.load.clicked.connect(self._load)
        self.forget.clicked.connect(self._forget)
        self._try()

    def request(self) -> BatchRequest:
        """Return the maker's request."""
        return self._request

    def accept(self) -> None:
        """Go on, unless the last input has a problem."""
        if self._try():
            super().accept()

    def use_table(self, path: Path) -> None:
        """Take a table with a line for each board."""
        self._path = path
        if self._try() or self._request.rows:
            self.form.set_parameters(replace(self.form.parameters(), count=len(self._request.rows)))
            self._try()

    def _load(self) -> None:
        path = self._choose()
        if path is not None:
            self.use_table(path)

    def _forget(self) -> None:
        self._path = None
        self._try()

    def _add(self) -> None:
        taken = {one.name for one in self.varied}
        names = [one.name for one in declarations(self._saved.kind.parameters)]
        line = Varied(self._saved.design.parameters, next(name for name in names if name not in taken))
        line.changed.connect(self._try)
        line.removed.connect(lambda: self._remove(line))
        self.varied.append(line)
        self._lines.addWidget(line)
        line.parameter.setFocus()
        self._try()

    def _remove(self, line: Varied) -> None:
        self.varied.remove(line)
        self._lines.removeWidget(line)
        line.deleteLater()
        self._try()

    def _try(self) -> bool:
        """Preview the boards, or show why they cannot be made; return whether they can."""
        self.vary.setEnabled(len(self.varied) < MOST_VARIED)
        self.table.setText("" if self._path is None else self._path.name)
        self.forget.setVisible(self._path is not None)
        try:
            self._request = self._asked()
            self._preview(self._shown())
            self.problem.say("")
        except StudioError as problem:
            self._preview("")
            self.problem.say(self._titled(problem))
            self.go.setEnabled(False)
            return False
        self.go.setEnabled(True)
        return True

    def _asked(self) -> BatchRequest:
        """Read the fields; raises StudioError for a repeated parameter or an unusable table."""
        settings: dict[str, str] = {}
        for one in self.varied:
            if one.name in settings:
                raise StudioError(tr("{parameter} appears twice.", parameter=one.parameter.currentText()))
            settings[one.name] = one.values.text()
        kind, texts = self._saved.kind, texts_of(self._saved)
        rows = () if self._path is None else read_rows(self._path, kind.parameters, settings, texts)
        return BatchRequest(self.form.parameters(), settings, rows)

    def _shown(self) -> str:
        """Return the values of the first and the last board in words; raises StudioError for an impossible board."""
        asked = self._request
        count = asked.options.count
        if asked.rows and count > len(asked.rows):
            raise StudioError(
                tr(
                    "The table has {lines} for {boards}.",
                    lines=many(len(asked.rows), "line"),
                    boards=many(count, "board"),
                )
            )
        tasks = [asked.task(self._saved, at) for at in range(min(count - 1, MOST_TRIED))]
        last = asked.task(self._saved, count - 1)
        return "\n".join(self._in_words(task) for task in (*tasks[:1], last))

    def _in_words(self, task: Task) -> str:
        values = ", ".join(f"{self._titles.get(name, name)} {text}" for name, text in task.shown)
        return tr("Board {serial}: {values}", serial=task.serial, values=values)

    def _titled(self, problem: StudioError) -> str:
        """Return a problem as a sentence, its parameter named as in the form instead of as in files."""
        sentence = str(problem)
        if isinstance(problem, ParameterError) and sentence.startswith(problem.name):
            return self._titles[problem.name] + sentence.removeprefix(problem.name)
        return sentence

    def _preview(self, sentence: str) -> None:
        self.preview.setText(sentence)
        self.preview.setVisible(bool(sentence))


def _hidden(options: BatchOptions) -> tuple[str, ...]:
    return ("clearance",) if isinstance(options, UniqueOptions) and not options.unique else ()


BATCH = "batch"
"""Key of its stored options."""
MOST_NAMED = 6
"""Number of boards without files up to which each is named."""


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
    """Return the options that a kind offers, as last chosen."""
    values, usual = session.preferences.export_values(BATCH), BatchOptions()
    if session.kind.able(Distinguishable):
        usual = UniqueOptions(clearance=session.preferences.kerf())
    elif session.kind.able(Repairable):
        usual = RepairOptions()
    return remembered(values, usual)


def _chosen(options: BatchOptions) -> dict[str, Any]:
    """Return the options to store: all but the clearance, which follows the kerf."""
    return {name: value for name, value in asdict(options).items() if name != "clearance"}


def _table(session: Session) -> Path | None:
    kinds = tr("Tables ({suffix})", suffix="*.csv *.tsv *.txt")
    return session.dialogs.open_path(session.folder, tr("Load table"), kinds)


def _made(saved: Saved, name: Path, asked: BatchRequest, folder: Path, progress: Progress) -> str:
    """Make the boards; return a sentence on them."""
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
