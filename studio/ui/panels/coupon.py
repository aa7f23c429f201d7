"""The dialog of the fit coupon: which kerfs to try, where the sheet goes, and afterwards which pair fitted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from studio.amounts import many, metres
from studio.errors import StudioError
from studio.export.options import Options
from studio.export.profiles import profile
from studio.export.suited import refuse_pictures
from studio.fabricate.coupon import CouponOptions, around, coupon
from studio.fabricate.workshop import keep, machines, materials, with_kerf
from studio.geometry.drawing import Drawing
from studio.parameters import ParameterError, declarations
from studio.progress import Progress
from studio.ui.icons import icon
from studio.ui.jobs import Jobs
from studio.ui.length_spin import Entry, shown
from studio.ui.panels.file_choice import FileChoice, FolderChooser, choose_folder
from studio.ui.panels.form import (
    CONTROL_HEIGHT,
    GROUP_GAP,
    ROW_GAP,
    SIDE_BUTTON,
    SIDE_GAP,
    CalmComboBox,
    Row,
    taken,
    without_icons,
)
from studio.ui.panels.making_choice import USUAL_MACHINE, USUAL_MATERIAL, WorkshopBox
from studio.ui.panels.remark import Remark
from studio.ui.panels.sheets import SheetPages
from studio.ui.preferences import Preferences
from studio.ui.theme import GAP, heading_font, worn_theme

EXPLAINED = (
    "Cut this small sheet once: a tongue of your own puzzle, made for several kerfs. The pair that goes together as you"
    " like it names the kerf to keep with the material."
)
COUPON = "coupon"
PAUSE_MS = 200
"""How long nothing must change before the coupon is drawn."""
RIM = 20
COLUMN_GAP = 28
LEFT_WIDTH, RIGHT_WIDTH = 400, 360


class CouponRequest(NamedTuple):
    """What to write: a coupon, and where and how."""

    drawing: Drawing
    path: Path
    options: Options


class CouponDialog(QDialog):
    """Makes a coupon of a drawing's tongue to be written, and keeps the kerf that it showed."""

    def __init__(
        self,
        drawing: Drawing,
        name: str,
        folder: Path,
        preferences: Preferences,
        jobs: Jobs,
        *,
        crashed: Callable[[Exception], None] | None = None,
        chooser: FolderChooser = choose_folder,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._puzzle, self._preferences, self._jobs, self._crashed = drawing, preferences, jobs, crashed
        self._drawing: Drawing | None = None
        self._refusal = ""
        self.setWindowTitle("Fit coupon")
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._make_fields(name, folder, chooser)
        self._lay_out()
        self._listen()
        self._options = CouponOptions()
        self._use_material()
        self._options = _remembered(preferences.coupon_values(), self._options)
        self._show()

    def request(self) -> CouponRequest:
        """What the maker decided; only for a coupon that could be drawn."""
        assert self._drawing is not None
        return CouponRequest(self._drawing, self.file.path(), self.file.options())

    def accept(self) -> None:
        """Remember the choices and close; stay where there is nothing that could be written."""
        if self._drawing is None or self._problem():
            return
        self.file.remember()
        self._preferences.set_workshop_key("machine", self.machine.chosen().key)
        self._preferences.set_workshop_key("material", self.material.chosen().key)
        self._preferences.set_coupon_values({
            known.name: getattr(self._options, known.name) for known in declarations(CouponOptions)
        })  # fmt: skip
        super().accept()

    def done(self, result: int) -> None:
        """Close, and draw nothing any more."""
        self.stop()
        super().done(result)

    def stop(self) -> None:
        """Draw nothing any more."""
        self._pause.stop()
        self._jobs.cancel(COUPON)

    def editor(self, name: str) -> QWidget:
        """The editor of an option."""
        return self._rows[name].field.editor()

    def _make_fields(self, name: str, folder: Path, chooser: FolderChooser) -> None:
        known = self._preferences
        self.material, self.machine = WorkshopBox("Material"), WorkshopBox("Machine")
        self.material.offer(materials(), known.workshop_key("material"), USUAL_MATERIAL)
        self.machine.offer(machines(), known.workshop_key("machine"), USUAL_MACHINE)
        self._rows = {each.name: Row(each, each.title) for each in declarations(CouponOptions)}
        self.file = FileChoice(f"{name} coupon", folder, known, chooser=chooser)
        self.pages = SheetPages()
        self.summary = QLabel()
        self.summary.setFont(heading_font(QApplication.font()))
        self.refused = Remark("error")
        self.fitting = CalmComboBox()
        self.fitting.setAccessibleName("Which pair fits?")
        self.fitting.setMinimumHeight(CONTROL_HEIGHT)
        self.keep = QPushButton("Keep this kerf")
        self.keep.setAutoDefault(False)
        self.kept = Remark("hint")
        self.unkept = Remark("error")
        self.buttons = QDialogButtonBox()
        self.export: QPushButton = self.buttons.addButton("Export", QDialogButtonBox.ButtonRole.AcceptRole)
        self.export.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        without_icons(self.buttons)

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(GROUP_GAP)
        grid = QGridLayout()
        grid.setHorizontalSpacing(SIDE_GAP)
        grid.setVerticalSpacing(ROW_GAP)
        grid.setColumnStretch(1, 1)
        labels = QLabel("Material"), QLabel("Machine")
        for line, (label, box) in enumerate(zip(labels, (self.material, self.machine), strict=True)):
            label.setBuddy(box)
            grid.addWidget(label, line, 0)
            grid.addWidget(box, line, 1)
        for row in self._rows.values():
            row.lay(grid, words_column=1)
        grid.setColumnMinimumWidth(0, self.file.label_width)
        grid.setColumnMinimumWidth(2, SIDE_BUTTON)
        left.addLayout(grid)
        left.addWidget(self.file)
        left.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(GAP)
        right.addWidget(self.pages, 1)
        right.addWidget(self.summary)
        right.addWidget(self.refused)
        self.pages.setMinimumWidth(RIGHT_WIDTH)
        self.file.setFixedWidth(LEFT_WIDTH)
        columns = QHBoxLayout()
        columns.setSpacing(COLUMN_GAP)
        columns.addLayout(left)
        columns.addLayout(right, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(RIM, RIM, RIM, RIM)
        whole.setSpacing(GAP)
        explained = QLabel(EXPLAINED)
        explained.setWordWrap(True)
        whole.addWidget(explained)
        whole.addSpacing(GAP)
        whole.addLayout(columns, 1)
        whole.addSpacing(GAP)
        whole.addWidget(self._line())
        whole.addLayout(self._answer())
        for remark in (self.kept, self.unkept):
            whole.addWidget(remark)
        whole.addSpacing(GAP)
        whole.addWidget(self.buttons)

    def _line(self) -> QFrame:
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        line.setFrameShadow(QFrame.Shadow.Plain)
        line.setForegroundRole(line.foregroundRole().Mid)
        return line

    def _answer(self) -> QHBoxLayout:
        """The question that the coupon answers when it is cut."""
        answer = QHBoxLayout()
        answer.setSpacing(GAP)
        words = QLabel("Which pair fits?")
        words.setFont(heading_font(QApplication.font()))
        words.setBuddy(self.fitting)
        for widget in (words, self.fitting, self.keep):
            answer.addWidget(widget)
        answer.addStretch(1)
        return answer

    def _listen(self) -> None:
        self._pause.timeout.connect(self._draw)
        self.material.activated.connect(self._use_material)
        self.machine.activated.connect(self._show)
        for name, row in self._rows.items():
            row.field.settled.connect(lambda value, entry, name=name: self._set(name, value, entry))
            row.field.refused.connect(row.refuse)
            row.reset.clicked.connect(
                lambda _=False, row=row: self._set(row.known.name, row.known.default, Entry.WRITTEN)
            )
        self.file.changed.connect(self._judge)
        self.keep.clicked.connect(self._keep)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _use_material(self) -> None:
        """Try kerfs around that of the material."""
        self._options = around(self.material.chosen().value)
        for name, row in self._rows.items():
            row.set_default(getattr(self._options, name))
            row.refuse("")
        self.kept.say("")
        self.unkept.say("")
        self._show()

    def _set(self, name: str, value: Any, entry: Entry) -> None:
        del entry
        self._options = taken(self._rows, self._options, name, value)
        self._show()

    def _show(self) -> None:
        """Show the options and the kerfs that follow from them, and draw the coupon soon."""
        for name, row in self._rows.items():
            row.show_value(getattr(self._options, name))
            row.reset.setIcon(icon("reset", worn_theme()))
        chosen = self.fitting.currentData()
        present = self.material.chosen().value.kerf
        self.fitting.clear()
        for kerf in self._options.kerfs:
            self.fitting.addItem(shown(kerf, "mm", 2), kerf)
        near = min(self._options.kerfs, key=lambda kerf: abs(kerf - present))
        self.fitting.setCurrentIndex(self.fitting.findData(chosen if chosen in self._options.kerfs else near))
        self._drawing, self._refusal = None, ""
        self._jobs.cancel(COUPON)
        self._pause.start()
        self._judge()

    def _draw(self) -> None:
        puzzle, options = self._puzzle, self._options
        material, machine = self.material.chosen(), self.machine.chosen().value

        def work(progress: Progress) -> Drawing:
            progress.step(0.0)
            return coupon(puzzle, material, options, machine)

        self._jobs.start(COUPON, work, done=self._drawn, failed=self._failed)

    def _drawn(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._judge()

    def _failed(self, problem: Exception) -> None:
        self._refusal = str(problem) if isinstance(problem, StudioError) else "The coupon could not be drawn."
        self._judge()
        if not isinstance(problem, StudioError) and self._crashed is not None:
            self._crashed(problem)

    def _judge(self) -> None:
        """Say what stands in the way of the file, and let it be exported where nothing does."""
        drawing = self._drawing
        self.pages.picture.show_profile(profile(self.file.options().profile))
        if drawing is not None or self._refusal:
            self.pages.show_sheets(() if drawing is None else (drawing,))
        self.pages.picture.fade(drawing is None)
        self.summary.setText(_summary(drawing, self._options, self._refusal))
        self.refused.say(self._refusal)
        problem = self._problem()
        replaced = not problem and self.file.path().exists()
        self.file.say(problem, "A file of this name is there already; it will be replaced." if replaced else "")
        self.export.setEnabled(drawing is not None and not problem)

    def _problem(self) -> str:
        problem = self.file.problem()
        if problem:
            return problem
        machine = self.machine.chosen()
        try:
            refuse_pictures(self.file.suffix(), machine.title, takes_pictures=machine.value.pictures)
        except StudioError as refusal:
            return str(refusal)
        return ""

    def _keep(self) -> None:
        """Keep the chosen kerf with the material."""
        named, kerf = self.material.chosen(), float(self.fitting.currentData())
        try:
            keep(with_kerf(named, kerf))
        except StudioError as problem:
            self.kept.say("")
            self.unkept.say(str(problem))
            return
        self.material.offer(materials(), named.key, USUAL_MATERIAL)
        self.unkept.say("")
        self.kept.say(f"{named.title} has a kerf of {shown(kerf, 'mm', 2)} from now on.")


def _summary(drawing: Drawing | None, options: CouponOptions, refusal: str) -> str:
    if drawing is None:
        return "This coupon cannot be made." if refusal else "Drawing the coupon …"
    return f"{many(options.count, 'pair')}, {metres(drawing.cut_length)} of line"


def _remembered(values: dict[str, Any], usual: CouponOptions) -> CouponOptions:
    """The options that stored values still make; each that cannot be is the usual one."""
    options = usual
    for known in declarations(CouponOptions):
        if known.name in values:
            try:
                options = replace(options, **{known.name: values[known.name]})
            except ParameterError:
                continue
    return options
