"""The tab of the cut plan: built when first shown, it keeps plan and player in step with the board.

If a tray is cut beside the board, its sheet can be chosen, with the plan that an export takes.

Costs are computed only while they are shown. An edit takes the sheet off the canvas at once; new numbers come when the
board has been at rest for a moment, and the player comes back when it is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Finding, errors_of
from studio.geometry.planar.drawing import Drawing
from studio.ui.canvas.canvas import Canvas
from studio.ui.session.derived import Derived
from studio.ui.session.jobs import Jobs
from studio.ui.widgets.layout import column

if TYPE_CHECKING:
    from studio.fabricate.costs import Pricing
    from studio.fabricate.job_log import Job
    from studio.fabricate.plan import Plan, Strategy
    from studio.fabricate.tabs import TabRule
    from studio.fabricate.workshop import Machine, Material, Named
    from studio.geometry.planar.trays import Tray
    from studio.ui.panels.plan_panel import PlanPanel

PLANNING = "planning"
PAUSE_MS = 300
"""Delay after the last change before the cuts are planned; the check of the board goes first."""
SHEETS = 2
"""Number of sheets whose plans are remembered: board and tray."""
NO_TABS = "none"
"""Value of `Making.tabs` without holding tabs."""
DEFAULT_MACHINE = tr("a hobby laser")


class Planning(QWidget):
    """Plans the cuts of the window's board, for one machine."""

    chosen = Signal(object)
    """A strategy was chosen for display and export: brings it."""
    appeared = Signal()
    """The sheet is to be shown, on the canvas."""
    planned = Signal()
    """The figures have changed."""
    opened = Signal()
    """The tab is about to be shown for the first time."""
    times_wanted = Signal()
    """The maker wants to say how long a job took."""

    def __init__(self, canvas: Canvas, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._machine: Machine | None = None
        self._tabs: TabRule | None = None
        self._title = DEFAULT_MACHINE
        self._drawing: Drawing | None = None
        self._tray: Tray | None = None
        self._is_on_tray = False
        self.plan: Plan | None = None
        """The plan of the present board by the chosen strategy; None if none is known."""
        self._preferred, self._has_errors = "", False
        self._totals, self._error = "", 0.0
        self._is_watched = False  # whether the sheet comes onto the canvas as soon as there is a plan
        self.panel: PlanPanel | None = None
        self._plans = Derived(jobs, PLANNING, _planned, pause=PAUSE_MS, remembered=SHEETS, watched=False, parent=self)
        self._plans.changed.connect(self._follow)
        canvas.view.began.connect(self._clear_canvas)

    @property
    def suits_best(self) -> bool:
        """True if the strategy shown is the one that suits the drawing best, the default."""
        return self.panel is not None and self.panel.plan is self.panel.model.element(0)

    @property
    def is_on_tray(self) -> bool:
        """True if the sheet in sight is the tray's."""
        return self._is_on_tray and self._tray is not None

    def prefer(self, strategy: str) -> None:
        """Begin with a strategy of this name; without one, or if it does not apply, with the one that suits best."""
        self._preferred = strategy

    def show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        """Mark the numbers as doubtful if the board has errors."""
        has_errors = bool(errors_of(findings or ()))
        if findings is not None and has_errors != self._has_errors:
            self._has_errors = has_errors
            self._describe()

    def set_machine(self, title: str, machine: Machine) -> None:
        """Plan for another machine; `title` names it in a sentence."""
        known, self._title, self._machine = self._machine, title, machine
        self._describe()
        if known != machine:
            self._outdate()
            self._ask()

    def set_tabs(self, tabs: TabRule | None) -> None:
        """Plan with holding tabs, or without."""
        if tabs != self._tabs:
            self._tabs = tabs
            self._outdate()
            self._ask()

    def show_drawing(self, drawing: Drawing, settled: bool, tray: Tray | None = None) -> None:
        """Follow the drawing and its tray; an unsettled one is being edited."""
        if drawing is not self._drawing or tray is not self._tray:
            self._drawing, self._tray = drawing, tray
            if self.panel is not None:
                self.panel.show_sheets(has_tray=tray is not None, is_on_tray=self.is_on_tray)
            self._outdate()
        self._ask(settled=settled)

    def show_totals(self, sentence: str, error: float = 0.0) -> None:
        """Show the totals of all sheets, and times with their relative error, 0 if it is unknown."""
        self._totals, self._error = sentence, error
        self._describe()

    def _describe(self) -> None:
        if self.panel is not None:
            self.panel.describe(self._title, self._totals, has_errors=self._has_errors, error=self._error)

    def finish(self) -> None:
        """Plan at once, without a thread; for pictures and tests."""
        self._plans.finish()

    def showEvent(self, event: QShowEvent) -> None:
        """Compute the plan, if it is unknown, and show its sheet."""
        super().showEvent(event)
        if event.spontaneous():
            return
        if self.panel is None:
            self._build()
        self._is_watched = True
        if self.plan is not None:
            self._show_sheet()
        self._plans.watch(self, watches=True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop planning, and give the canvas back to the board."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._plans.watch(self, watches=False)
            self._plans.cancel()
            self._clear_canvas()

    def _build(self) -> None:
        self.opened.emit()
        from studio.fabricate.plan import Strategy
        from studio.ui.panels.plan_panel import PlanPanel, PlanPlayer

        self.panel = PlanPanel(PlanPlayer(self._canvas, self))
        self.panel.player.appeared.connect(self.appeared)
        self.panel.took.clicked.connect(self.times_wanted)
        self._describe()
        self.panel.show_sheets(has_tray=self._tray is not None, is_on_tray=self.is_on_tray)
        self.panel.turned.connect(self._turn_to)
        for strategy in Strategy:
            if strategy.value == self._preferred:
                self.panel.prefer(strategy)
        self.panel.chosen.connect(self._choose)
        self.panel.cancelled.connect(self._cancel)
        self.panel.wanted.connect(self._plans.again)
        self.panel.table.clicked.connect(lambda _index: self._show_sheet())
        column(self.panel, of=self)
        self.setFocusProxy(self.panel.table)

    def _outdate(self) -> None:
        """Drop the plan, as it is no longer the board's."""
        self._is_watched, self.plan = False, None
        self._clear_plan()

    def _clear_plan(self) -> None:
        if self.panel is not None:
            self.panel.player.show_plan(None)
            self.panel.show_waiting()

    def _turn_to(self, tray: bool) -> None:
        """Show the sheet of the tray, or the board's again."""
        if tray != self._is_on_tray:
            self._is_on_tray = tray
            self._clear_plan()
            self._is_watched = True
            self._ask()

    def _show_sheet(self) -> None:
        if self.panel is not None:
            self.panel.player.show()

    def _clear_canvas(self) -> None:
        self._is_watched = False
        if self.panel is not None:
            self.panel.player.hide()

    def _ask(self, *, settled: bool = True) -> None:
        if self._drawing is not None:
            sheet = self._tray if self._is_on_tray and self._tray is not None else self._drawing
            self._plans.ask((sheet, self._machine, self._tabs), settled=settled)

    def _cancel(self) -> None:
        self._plans.cancel()
        if self.panel is not None:
            self.panel.show_cancelled()

    def _follow(self) -> None:
        plans, is_watched = self._plans, self._is_watched
        if self.panel is None:
            return
        if plans.answer is not None:
            self.panel.show_plans(plans.answer)
            self.planned.emit()
            if not is_watched:
                self._clear_canvas()
        elif plans.problem:
            self.panel.show_problem(plans.problem)
        elif plans.is_busy:
            self.panel.show_progress(plans.share)

    def _choose(self, strategy: Strategy) -> None:
        """Show another plan, from its beginning."""
        from studio.fabricate.plan import Playback

        if self.panel is not None and self.panel.plan is not None:
            self.panel.player.show_plan(Playback(self.panel.plan), is_elsewhere=self.is_on_tray)
            self.panel.player.show()
            if not self.is_on_tray:
                self.plan = self.panel.plan
                self.chosen.emit(strategy)


def _planned(asked: tuple[Drawing | Tray, Machine | None, TabRule | None], progress: Progress) -> tuple[Plan, ...]:
    from studio.fabricate.plan import plan, plans
    from studio.fabricate.workshop import Machine

    sheet, machine, tabs = asked
    if isinstance(sheet, Drawing):
        return plans(sheet, machine or Machine(), progress, tabs)
    return (plan(sheet.drawing, machine or Machine(), None, progress, tabs),)


# The time of the drawing in sight


@dataclass(frozen=True)
class TrayFigures:
    """Figures of a tray: parts, length of cuts in mm, cutting time in s."""

    parts: int = 0
    cut: float = 0.0
    seconds: float = 0.0


NO_TRAY = TrayFigures()


@dataclass(frozen=True)
class Timed:
    """Cutting time of a drawing in s, and the figures of its tray."""

    seconds: float
    tray: TrayFigures


def timed(asked: tuple[Drawing, Tray | None, Machine], progress: Progress) -> Timed:
    """Time a drawing and its tray."""
    # Imported for the first drawing that has been at rest for a while.
    from studio.fabricate.plan import seconds_for

    drawing, tray, machine = asked
    seconds = seconds_for(drawing, machine, progress)
    if tray is None:
        return Timed(seconds, NO_TRAY)
    beside = tray.drawing
    return Timed(seconds, TrayFigures(len(tray.parts), beside.cut_length, seconds_for(beside, machine, progress)))


def jobs_in_sight(
    title: str, drawing: Drawing, tray: Tray | None, machine: Machine | None, thickness: float, progress: Progress
) -> tuple[Job, ...]:
    """Jobs of a drawing, of its tray and of both, by their default plans, in a sheet of a thickness in mm."""
    from datetime import date

    from studio.fabricate.job_log import jobs_of
    from studio.fabricate.plan import plan
    from studio.fabricate.workshop import Machine

    run = machine or Machine()
    sheets = [plan(each, run, None, progress).drawing for each in (drawing, *([] if tray is None else [tray.drawing]))]
    return jobs_of(title, date.today().isoformat(), sheets, run, thickness)


class Rates:
    """The relative error of estimated times, 0 if it is unknown, and all prices."""

    def __init__(self) -> None:
        self.error = 0.0
        self._material: Material | None = None
        self._pricing: Pricing | None = None

    def learn(self, machine: Named[Machine] | None, material: Named[Material] | None) -> bool:
        """Read those of a machine and of a material; return whether they changed."""
        from studio.fabricate.costs import pricing
        from studio.fabricate.job_log import known_spread

        before = self.error, self._pricing, self._material
        self.error, self._pricing = known_spread(machine), pricing()
        self._material = None if material is None else material.value
        return before != (self.error, self._pricing, self._material)

    def cost(self, machine: Machine | None, sheets: Sequence[Drawing], seconds: float) -> str:
        """Cost in words of a puzzle of some sheets that take some seconds; empty without prices."""
        if machine is None or self._pricing is None:
            return ""
        from studio.fabricate.costs import Prices, area_of
        from studio.fabricate.workshop import Material

        prices = Prices.of(machine, self._material or Material(), self._pricing)
        cost = prices.cost(area_of(sheets), seconds) if prices.any else None
        return "" if cost is None else cost.in_words


def stored_tabs(making: Mapping[str, Any]) -> TabRule | None:
    """The holding tabs of the last export, whose stored values are given."""
    if making.get("tabs", NO_TABS) == NO_TABS:
        return None
    # Imported only for tabs, so that a start need not wait.
    from studio.base.parameters import remembered
    from studio.fabricate.making import Making

    with suppress(StudioError):
        return remembered(making, Making()).tab_rule
    return None
