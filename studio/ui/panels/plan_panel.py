"""The panel of the cut plan: the cost of each cutting order in a table, beside the player of the chosen one, which
shows the machine's time on the canvas."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum, auto
from math import isfinite

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from studio.base.amounts import estimate, many, metres
from studio.base.texts import tr
from studio.exporting.colour_profiles import profiles
from studio.fabricate.plan import UNTOUCHED, Plan, Playback, Strategy
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.cutting import SINK_SECONDS, CuttingScene
from studio.ui.widgets.controls import ROW_GAP, CalmComboBox, control_height, hint_label, invitation, push_button
from studio.ui.widgets.layout import REST, column, holding, row, stack
from studio.ui.widgets.player import Player, PlayerBar, TimeLine
from studio.ui.widgets.tables import CalmTable, CellLook, Column, ElementModel
from studio.ui.widgets.theme import GAP, MARGIN

DOUBTFUL = tr("This board has errors.")
DOUBTFUL_HELP = tr("Overlapping cuts make these figures unreliable.")
SIDE_WIDTH = 235
TRAY_ROW = 1
"""Row of the tray in the list of sheets."""
INVITATION = tr("Cutting orders will be listed here.")
EXPLAINED = {
    Strategy.SNAKE: tr("Rows, then columns, border last."),
    Strategy.LOW_SAG: tr("Rows, then columns from the middle out, to reduce sagging."),
    Strategy.RELEASE_AWARE: tr("No cuts in loose parts, then the shortest travel."),
    Strategy.SINGLY: tr("Holes before outlines, nearest piece next."),
    Strategy.AS_DRAWN: tr("Lines in the order of the drawing."),
}
SPEEDS = (1, 5, 20, 100, 500)


def _figure(title: str, value: Callable[[Plan], str], help: str) -> Column[Plan]:
    return Column(title, value, CellLook.NUMBER, help=help, tip=lambda _plan: "")


FIGURES: tuple[Column[Plan], ...] = (
    Column(tr("Cut order"), lambda plan: plan.strategy.title,
           help=tr("Select one to play it and to use it for exports."),
           tip=lambda plan: EXPLAINED[plan.strategy]),
    _figure(tr("Travel"), lambda plan: metres(plan.travel), tr("Distance moved with the laser off.")),
    _figure(tr("vs. best"), lambda plan: f"{plan.ratio:.2f}" if isfinite(plan.ratio) else "–",
            tr("Travel relative to the shortest possible; 1.00 is optimal.")),
    _figure(tr("Laser-off"), lambda plan: f"{plan.pen_ups}",
            tr("Number of laser-off moves; each takes time and may leave a mark.")),
    _figure(tr("Cuts"), lambda plan: f"{len(plan.drawing.chains)} ({plan.least_chains})",
            tr("Number of continuous cuts; in brackets the fewest possible.")),
    _figure(tr("Tabs"), lambda plan: f"{plan.tab_count}" if plan.tab_count else "–",
            tr("Holding tabs; switch them on when you export.")),
    Column(tr("Loose cuts"), lambda plan: f"{plan.loose_cuts}", CellLook.NUMBER,
           sign=lambda plan: _warned(plan, "warning"),
           help=tr("Cuts through parts that are already loose and may have shifted. Should be 0."),
           spoken=lambda plan: _warned(plan, tr("{count}, warning", count=plan.loose_cuts)),
           tip=lambda plan: _warned(plan, _loose(plan))),
    _figure(tr("Drop-out"), lambda plan: f"{plan.largest_freed}",
            tr("Largest group of pieces released at once.")),
    _figure(tr("Overhang"), lambda plan: f"{plan.reach}",
            tr("Longest unsupported overhang, in pieces.")),
)  # fmt: skip
WIDTHS = (96, 62, 64, 66, 82, 46, 76, 66, 68, 74)


def _warned(plan: Plan, words: str) -> str:
    return words if plan.loose_cuts else ""


def _loose(plan: Plan) -> str:
    return tr("Warning: {cuts} in loose parts.", cuts=many(plan.loose_cuts, "cut"))


class PlanState(Enum):
    """State of the figures shown."""

    WAITING = auto()
    PLANNING = auto()
    CANCELLED = auto()
    PLANNED = auto()


class PlanTable(CalmTable):
    """The table of plans; it leaves Space to the player."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            event.ignore()
        else:
            super().keyPressEvent(event)


class PlanPanel(QWidget):
    """The figures, the player, and the progress of planning."""

    chosen = Signal(object)
    """A row was chosen: brings its Strategy, for the player and the export."""
    cancelled = Signal()
    """Planning is to stop."""
    wanted = Signal()
    """Planning is to begin again."""
    turned = Signal(bool)
    """Another sheet is to be shown: brings True for the tray's, False for the board's."""

    def __init__(self, player: PlanPlayer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._error = 0.0
        time = _figure(tr("Time"), lambda plan: estimate(plan.seconds, self._error),
                       tr("Estimated from the machine's speeds and acceleration."))  # fmt: skip
        self.model = ElementModel((*FIGURES, time))
        self._strategy: Strategy | None = None
        self.table = PlanTable(self.model, tr("Cut plan"), WIDTHS)
        self.table.setSelectionMode(CalmTable.SelectionMode.SingleSelection)
        head = self.table.horizontalHeader()
        head.setStretchLastSection(False)
        self._words = invitation()
        self.sheet = CalmComboBox(tr("Sheet"), tr("Sheet that is listed and played."))
        self.sheet.addItems([tr("Board"), tr("Tray")])
        self.player, self.bar = player, PlanBar(player, self.sheet)
        self._machine = hint_label()
        self._machine.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        # One line however long the title: a second would push the canvas up.
        self._machine.setFixedHeight(2 * self._machine.fontMetrics().lineSpacing())

        self.progress = QLabel()
        self.cancel = push_button(tr("Cancel"), tr("Stop planning; the board stays as it is"))
        self.took = push_button(tr("How long did it take?…"), tr("Log the time of a job, so that estimates come true"))
        self.again = push_button(tr("Plan the cuts"), tr("Compare cutting orders for the current board"))
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._choose())
        self.sheet.activated.connect(lambda row: self.turned.emit(row == TRAY_ROW))
        self.cancel.clicked.connect(self.cancelled)
        self.again.clicked.connect(self.wanted)
        self.show_waiting()

    def _lay_out(self) -> None:
        self._stack = stack(self._words, self.table)
        line = row((self._machine, 1), (self.progress, 1), self.cancel, self.again)
        side = holding(
            column(self.bar, line, row(self.took, REST), REST, gap=ROW_GAP, margins=(0, ROW_GAP, 0, ROW_GAP))
        )
        side.setFixedWidth(SIDE_WIDTH)
        row((self._stack, 1), side, of=self, gap=MARGIN, margins=(0, 0, MARGIN, 0))

    @property
    def plan(self) -> Plan | None:
        """The plan in the current row."""
        row = self.table.currentIndex().row()
        return self.model.elements[row] if 0 <= row < len(self.model.elements) else None

    def prefer(self, strategy: Strategy) -> None:
        """Make a strategy current as soon as there are plans."""
        self._strategy = strategy

    def show_sheets(self, *, has_tray: bool, is_on_tray: bool) -> None:
        """Offer the choice of sheets."""
        self.sheet.setVisible(has_tray)
        self.sheet.setCurrentIndex(TRAY_ROW if is_on_tray else 0)

    def describe(self, machine: str, totals: str, *, has_errors: bool, error: float = 0.0) -> None:
        """Show the totals of all sheets and the machine of the times; with errors, that the figures are unreliable.

        `error` is the relative error of times, 0 if it is unknown.
        """
        if error != self._error:
            self._error = error
            self.model.show_elements([*self.model.elements])
            self._fit_times()
        times = " ".join(filter(None, (totals, tr("Times for {machine}.", machine=machine) if machine else "")))
        self._machine.setText(DOUBTFUL if has_errors else times)
        self._machine.setToolTip(f"{DOUBTFUL_HELP} {times}" if has_errors else times)

    def show_plans(self, plans: tuple[Plan, ...]) -> None:
        """Show the numbers of plans; the last chosen strategy stays current, else the first is."""
        strategy = self._strategy
        self.model.show_elements(list(plans))
        kept = [row for row, plan in enumerate(plans) if plan.strategy is strategy]
        self._fit_times()
        self._report(PlanState.PLANNED)
        self.table.setCurrentIndex(self.model.index(kept[0] if kept else 0, 0))

    def _fit_times(self) -> None:
        """Make room for times with their errors."""
        last = len(FIGURES)
        width = max(WIDTHS[last], self.table.sizeHintForColumn(last) + GAP)
        self.table.horizontalHeader().resizeSection(last, width)

    def show_waiting(self) -> None:
        """Show that the plan is out of date and a new one has not begun."""
        self._report(PlanState.WAITING)

    def show_progress(self, fraction: float) -> None:
        """Show the progress of planning."""
        self.progress.setText(tr("Planning… {done:.0%}", done=fraction))
        self._report(PlanState.PLANNING)

    def show_cancelled(self) -> None:
        """Show that there is no plan, and offer planning."""
        self._report(PlanState.CANCELLED)

    def show_problem(self, sentence: str) -> None:
        """Show why the board cannot be planned."""
        self.model.show_elements([])
        self._report(PlanState.CANCELLED)
        self._words.setText(sentence)

    def _report(self, state: PlanState) -> None:
        """Keep old figures, greyed, until new ones are known."""
        self.table.setEnabled(state is PlanState.PLANNED)
        self._machine.setVisible(state in (PlanState.PLANNED, PlanState.WAITING) and bool(self._machine.text()))
        self.progress.setVisible(state is PlanState.PLANNING)
        self.cancel.setVisible(state is PlanState.PLANNING)
        self.again.setVisible(state is PlanState.CANCELLED)
        self._words.setText(INVITATION)
        self._stack.setCurrentWidget(self.table if self.model.elements else self._words)

    def _choose(self) -> None:
        plan = self.plan
        if plan is not None:
            if self.sheet.currentIndex() != TRAY_ROW:
                self._strategy = plan.strategy
            self.chosen.emit(plan.strategy)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Play or pause with Space, unless a button has the focus."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.bar.play.click()
        else:
            super().keyPressEvent(event)


class PlanPlayer(Player):
    """Plays one plan at a time, in seconds of machine time, on a canvas that has nothing of it before `show`."""

    appeared = Signal()
    """Asks to bring the sheet on the canvas in sight."""

    def __init__(self, canvas: Canvas, parent: QObject | None = None) -> None:
        super().__init__(None, parent)
        self._view = canvas.view
        colours = {layer.operation: QColor(layer.colour) for layer in profiles()[0].layers}
        self.scene = CuttingScene(colours, self)
        self.playback: Playback | None = None
        self.snapshot = UNTOUCHED
        self.is_shown = False
        """True if the canvas shows the sheet being cut instead of the board."""
        self._sheet: QRectF | None = None

    @property
    def is_busy(self) -> bool:
        """True while the head or a sinking piece moves."""
        return self._timer.isActive()

    def show_plan(self, playback: Playback | None, *, is_elsewhere: bool = False) -> None:
        """Take another plan, at its beginning; None has nothing to show.

        A sheet elsewhere is no part of the board: it is fitted into view.
        """
        self.pause()
        sheet = None
        if playback is not None and is_elsewhere:
            sheet = QRectF(0, 0, playback.plan.drawing.width, playback.plan.drawing.height)
        if playback is None or sheet != self._sheet:
            self.hide()
        self._sheet = sheet
        self.playback = playback
        self.snapshot = UNTOUCHED
        if playback is not None:
            self.scene.show_plan(playback)
        self.count = playback.seconds if playback is not None else 0.0
        self.go_to(0.0)

    def show(self) -> None:
        """Put the sheet on the canvas instead of the board."""
        if self.playback is None:
            return
        self.appeared.emit()
        if not self.is_shown:
            self.is_shown = True
            self._view.show_scene(self.scene, self._sheet)

    def hide(self) -> None:
        """Stop, and give the canvas back to the board."""
        self.pause()
        self._timer.stop()
        if self.is_shown:
            self.is_shown = False
            self._view.show_scene(None)
            self.scene.sheet.forget()

    def play(self) -> None:
        """Play the sheet on the canvas; from the end it begins again."""
        self.show()
        super().play()

    def pause(self) -> None:
        """Pause; pieces that are falling go on falling."""
        is_busy = self.is_busy
        super().pause()
        if is_busy:
            self._run()

    def seek(self, at: float) -> None:
        """Show the sheet at another time; what plays goes on from there."""
        if self.playback is not None:
            self.show()
            self.go_to(at)
            self._run()

    def rest(self) -> None:
        """Pause, with no piece falling; for pictures, which must not depend on the clock."""
        self.pause()
        self.scene.sheet.advance_sinking(time.monotonic() + SINK_SECONDS)
        self._timer.stop()

    def go_to(self, at: float) -> None:
        """Show the sheet at a time."""
        if self.playback is not None:
            self.snapshot = self.playback.at(at)
            self.scene.show_snapshot(self.snapshot, time.monotonic())
        super().go_to(at)

    def advance(self, seconds: float) -> None:
        """Play some seconds of real time, and let pieces sink."""
        if self.is_playing:
            super().advance(seconds)
        if not self.scene.sheet.advance_sinking(time.monotonic()) and not self.is_playing:
            self._timer.stop()


def clock(seconds: float) -> str:
    """Format a time as 4:07, or 1:04:07 from an hour on."""
    whole = int(seconds)
    minutes = f"{whole % 3600 // 60}" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02}"
    return f"{minutes}:{whole % 60:02}"


class PlanBar(PlayerBar):
    """The controls of a player of plans, with a widget beside its clock."""

    def __init__(self, player: PlanPlayer, beside: QWidget) -> None:
        line = TimeLine(tr("Progress of the machine. Drag, or use the arrow keys."))
        super().__init__(player, tr("Space"), (tr("Go to start"), tr("Go to end")), line)
        self.clock = QLabel()
        self.clock.setToolTip(tr("Elapsed and total machine time."))
        self.speed = CalmComboBox(tr("Playback speed"), tr("Playback speed relative to the machine."))
        self.speed.setFixedHeight(control_height())
        self.speed.addItem(tr("Fit to {seconds:.0f} s", seconds=player.whole_seconds), None)
        for speed in SPEEDS:
            self.speed.addItem(f"\N{MULTIPLICATION SIGN} {speed}", float(speed))
        self.speed.currentIndexChanged.connect(lambda _row: setattr(player, "speed", self.speed.currentData()))
        buttons = row(self.start, self.play, self.end, GAP, (self.speed, 1), gap=2)
        column(buttons, line, row((self.clock, 1), beside), of=self, gap=ROW_GAP)
        self.follow()

    def follow(self) -> None:
        """Show the player's time."""
        super().follow()
        elapsed, total = clock(self.player.at), clock(self.player.count)
        self.clock.setText(tr("{elapsed} of {total}", elapsed=elapsed, total=total) if self.player.count else "")
