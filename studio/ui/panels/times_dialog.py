"""The dialog that asks how long a job took: the log of a machine, its fit, and the figures that it suggests.

Jobs that were exported wait to be logged; the puzzle in sight can be logged, too. Every change is saved at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from studio.base.amounts import estimate, many, parsed_time, share, stopwatch
from studio.base.errors import StudioError
from studio.base.parameters import declaration
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate import job_log
from studio.fabricate.job_log import FITTED, Fit, Job, JobLog
from studio.fabricate.workshop import Machine, Named
from studio.ui.panels.workshop import WorkshopBox
from studio.ui.session.derived import Derived
from studio.ui.session.jobs import Jobs
from studio.ui.session.preferences import Preferences
from studio.ui.session.session import Session
from studio.ui.widgets.controls import (
    CalmComboBox,
    Remark,
    control_height,
    heading,
    hint_label,
    push_button,
    without_icons,
    wrapping,
)
from studio.ui.widgets.layout import REST, column, labelled, row
from studio.ui.widgets.tables import CalmTable, CellLook, Column, ElementModel
from studio.ui.widgets.theme import GAP

SIZE = QSize(920, 640)
RIM = 20
FIGURE_ROWS = len(FITTED) + 1
TIME_WIDTH = 120
WIDTHS = (48, 88, 150, 74, 82)
FIGURE_WIDTHS = (150, 120, 120)
FIGURES_WIDTH = 400
EXPLAINED = tr("Note how long jobs take on your machine, and estimates come true. Three different jobs are enough.")
LANES = "fit of times", "job of the puzzle"

Current = Callable[[Progress], Sequence[Job]]
"""Makes the jobs of the puzzle in sight."""


class TimesDialog(QDialog):
    """Logs jobs of a machine, and shows the figures that agree with them."""

    def __init__(self, preferences: Preferences, jobs: Jobs, current: Current, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("How long did it take?"))
        self._preferences = preferences
        self.log = JobLog()
        self._offered: tuple[Job, ...] = ()
        self.machine = WorkshopBox(Machine, preferences)
        self.job = CalmComboBox(tr("Job"), tr("The puzzle in sight, or one exported before."))
        self.job.setMinimumHeight(control_height())
        self.time = QLineEdit()
        self.time.setPlaceholderText(tr("12:30"))
        self.time.setAccessibleName(tr("Time taken"))
        self.time.setToolTip(tr("Minutes and seconds, or hours, minutes and seconds: 12:30, 1:02:09"))
        self.time.setFixedWidth(TIME_WIDTH)
        self.time.setMinimumHeight(control_height())
        self.expected = wrapping()
        self.add = push_button(tr("Log time"), tr("Add the job to the log"))
        self.add.setDefault(True)
        self.model = ElementModel[int](self._columns())
        self.table = CalmTable(self.model, tr("Logged jobs"), WIDTHS)
        self.table.setSelectionMode(CalmTable.SelectionMode.SingleSelection)
        self.remove = push_button(tr("Remove"), tr("Remove the selected job from the log"))
        self.found: Fit | None = None
        self.figures = ElementModel[str](self._figure_columns())
        self.figures.show_elements([*FITTED])
        self.figure_table = CalmTable(self.figures, tr("Figures of the machine"), FIGURE_WIDTHS)
        self.figure_table.setSelectionMode(CalmTable.SelectionMode.NoSelection)
        height = self.figure_table.verticalHeader().defaultSectionSize()
        self.figure_table.setFixedSize(FIGURES_WIDTH, FIGURE_ROWS * height + GAP)
        self.verdict = wrapping()
        # As high as any sentence, so that the button below stays in its place.
        self.verdict.setMinimumHeight(2 * self.verdict.fontMetrics().lineSpacing())
        self.adopt = push_button(tr("Use these figures"), tr("Save the fitted figures for the machine"))
        for button in (self.remove, self.adopt):
            button.setAutoDefault(False)
        self.problem = Remark("error")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        without_icons(self.buttons)
        close = self.buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setAutoDefault(False)
        self.fits = Derived(jobs, LANES[0], _fitted, parent=self)
        self._current: Derived[Current, tuple[Job, ...]] = Derived(jobs, LANES[1], _made, parent=self)
        self._lay_out()
        self._listen()
        self._use_machine()
        self._current.ask(current)
        self.time.setFocus()

    @property
    def named(self) -> Named[Machine]:
        """The chosen machine."""
        return self.machine.chosen()

    def done(self, result: int) -> None:
        """Close, and stop all work."""
        self.fits.cancel()
        self._current.cancel()
        super().done(result)

    def _lay_out(self) -> None:
        asked = row(*labelled(tr("Time taken"), self.time), GAP, (self.expected, 1), self.add)
        machine, job = (labelled(words, box) for words, box in ((tr("Machine"), self.machine), (tr("Job"), self.job)))
        chosen = row(machine[0], (machine[1], 1), 2 * GAP, job[0], (job[1], 1))
        below = row(self.remove, REST)
        fitted = row(self.figure_table, 2 * GAP, (column(self.verdict, row(self.adopt, REST), REST), 1))
        column(
            hint_label(EXPLAINED), chosen, asked, self.problem, GAP, heading(tr("Logged jobs")), (self.table, 1), below,
            GAP, heading(tr("Fit")), fitted, GAP, self.buttons, of=self, margins=RIM,
        )  # fmt: skip
        self.resize(SIZE)

    def _listen(self) -> None:
        self.machine.activated.connect(self._use_machine)
        self.job.currentIndexChanged.connect(lambda _row: self._choose())
        self.time.textChanged.connect(lambda _text: self._judge())
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.adopt.clicked.connect(self._adopt)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._judge())
        self.model.refused.connect(self.problem.say)
        self.fits.changed.connect(self._show_fit)
        self._current.changed.connect(self._offer)
        self.buttons.rejected.connect(self.reject)

    def _columns(self) -> tuple[Column[int], ...]:
        return (
            Column(tr("Use"), lambda at: not self.log.jobs[at].is_left_out, CellLook.TICK, edit=self._count,
                   help=tr("Count this job in the fit.")),
            Column(tr("Date"), lambda at: self.log.jobs[at].day),
            Column(tr("Job"), lambda at: self.log.jobs[at].title, tip=lambda at: self.log.jobs[at].title),
            Column(tr("Took"), lambda at: stopwatch(self.log.jobs[at].seconds), CellLook.NUMBER),
            Column(tr("Estimate"), self._estimate, CellLook.NUMBER,
                   help=tr("Estimate with the present figures of the machine.")),
            Column(tr("Remark"), self._remark, sign=lambda at: "warning" if self._remark(at) else "",
                   tip=self._remark),
        )  # fmt: skip

    def _figure_columns(self) -> tuple[Column[str], ...]:
        def written(machine: Machine | None, name: str) -> str:
            return "–" if machine is None else declaration(Machine, name).formatted(getattr(machine, name))

        return (
            Column(tr("Figure"), lambda name: declaration(Machine, name).title,
                   tip=lambda name: declaration(Machine, name).help),
            Column(tr("Now"), lambda name: written(self.named.value, name), CellLook.NUMBER),
            Column(tr("Fitted"), lambda name: written(None if self.found is None else self.found.machine, name),
                   CellLook.NUMBER, help=tr("What the jobs do not depend on stays as it is.")),
        )  # fmt: skip

    def _estimate(self, at: int) -> str:
        return stopwatch(self.log.jobs[at].expected(self.named.value))

    def _remark(self, at: int) -> str:
        return "" if self.found is None else self.found.doubts.get(at, "")

    def _use_machine(self) -> None:
        """Show the log of the chosen machine."""
        self.problem.say("")
        self.log, self.found = JobLog(), None
        try:
            self.log = job_log.log_of(self.named.key)
        except StudioError as problem:
            self.problem.say(str(problem))
        self._show_log()
        self._offer()

    def _offer(self) -> None:
        """Offer the jobs that wait, and those of the puzzle in sight."""
        before = self.job.currentText()
        own = self._current.answer or ()
        self._offered = (*self.log.waiting, *own)
        self.job.clear()
        self.job.addItems([tr("{title} ({day})", title=job.title, day=job.day) for job in self.log.waiting])
        self.job.addItems([tr("{title} (open)", title=job.title) for job in own])
        self.job.setCurrentIndex(max(self.job.findText(before), 0))
        self._choose()

    def _choose(self) -> None:
        """Offer the time that LightBurn took for the chosen job, if it was heard."""
        job = self._chosen
        if job is not None and job.heard:
            self.time.setText(stopwatch(job.heard))
        self._judge()

    @property
    def _chosen(self) -> Job | None:
        at = self.job.currentIndex()
        return self._offered[at] if 0 <= at < len(self._offered) else None

    def _judge(self) -> None:
        """Say what is expected of the chosen job, and enable what is possible."""
        job, machine = self._chosen, self.named.value
        words = ""
        if job is not None:
            error = job_log.spread(self.log, machine)
            words = tr("estimated {time}", time=estimate(job.expected(machine), error))
            if job.heard:
                words = tr("{words}; LightBurn took {time}", words=words, time=stopwatch(job.heard))
        self.expected.setText(words)
        self.add.setEnabled(job is not None and bool(parsed_time(self.time.text())))
        self.remove.setEnabled(bool(self.table.selectionModel().selectedRows()))
        found = self.found
        self.adopt.setEnabled(found is not None and found.machine != machine)

    def _add(self) -> None:
        job, seconds = self._chosen, parsed_time(self.time.text())
        if job is None or not seconds:
            return
        try:
            logged = replace(job, seconds=seconds, heard=0.0)
        except StudioError as problem:
            self.problem.say(str(problem))
            return
        if self._keep(self.log.with_job(logged)):
            self.machine.remember()
            self.time.clear()
            self._offer()

    def _remove(self) -> None:
        rows = self.table.selectionModel().selectedRows()
        if rows:
            self._keep(self.log.without(rows[0].row()))

    def _count(self, at: int, counts: bool) -> None:
        self._keep(self.log.leaving_out(at, not counts))

    def _keep(self, log: JobLog) -> bool:
        """Save the log, or say why that fails."""
        try:
            job_log.keep(self.named.key, log)
        except StudioError as problem:
            self.problem.say(str(problem))
            return False
        self.problem.say("")
        self.log = log
        self._show_log()
        return True

    def _adopt(self) -> None:
        if self.found is None:
            return
        try:
            fitted = job_log.adopt(self.named, self.found)
        except StudioError as problem:
            self.problem.say(str(problem))
            return
        self.machine.offer(fitted.key)
        self.machine.remember()
        self._use_machine()

    def _show_log(self) -> None:
        if self.fits.question != (self.log, self.named.value):
            self.found = None
        self.model.show_elements([])
        self.model.show_elements([*range(len(self.log.jobs))])
        self.fits.ask((self.log, self.named.value))
        self._show_fit()

    def _show_fit(self) -> None:
        self.found = self.fits.answer
        for model in (self.model, self.figures):
            model.show_elements([*model.elements])
        found, jobs = self.found, self.log.jobs
        if not jobs:
            words = tr("No job is logged yet.")
        elif found is None:
            words = "" if self.fits.is_under_way else tr("No job is counted.")
        else:
            counted = sum(not job.is_left_out for job in jobs) - len(found.doubts)
            words = tr(
                "From {jobs}: estimates are off by about {now} now, by {then} with the fitted figures.",
                jobs=many(counted, "job"), now=share(job_log.spread(self.log, self.named.value)),
                then=share(found.spread),
            )  # fmt: skip
        self.verdict.setText(words)
        self._judge()


def _fitted(question: tuple[JobLog, Machine], _progress: Progress) -> Fit | None:
    return job_log.fit(*question)


def _made(current: Current, progress: Progress) -> tuple[Job, ...]:
    return tuple(current(progress))


def ask_for_times(session: Session, current: Current) -> None:
    """Ask how long jobs took; `current` makes those of the puzzle in sight."""
    dialog = TimesDialog(session.preferences, session.jobs, current, session.dialogs.parent)
    session.dialogs.show(dialog)
    dialog.deleteLater()
