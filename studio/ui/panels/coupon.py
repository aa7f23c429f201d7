"""The dialogs of the fit coupons: what to try, where the file goes, and afterwards which pair fitted.

For the laser a sheet tries kerfs, kept with the material; for the printer a plate tries gaps, kept with printer and
plastic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

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
from studio.export.format import Formats
from studio.export.formats import LASER, PRINTER
from studio.export.options import LaserOptions
from studio.export.profiles import Profile, profile
from studio.export.suited import refuse_pictures
from studio.fabricate.coupon import CouponOptions, around, coupon
from studio.fabricate.fits import GapOptions, keep_gap, on_bed, seen_from_above, usual_gap
from studio.fabricate.fits import around as around_gap
from studio.fabricate.workshop import (
    USUAL_PLASTIC,
    USUAL_PRINTER,
    keep,
    machines,
    materials,
    plastics,
    printers,
    with_kerf,
)
from studio.geometry.drawing import Drawing
from studio.geometry.joint import Joint
from studio.geometry.solid import Solid
from studio.parameters import declarations
from studio.progress import Progress
from studio.ui.icons import icon
from studio.ui.length_spin import Entry, shown
from studio.ui.panels.file_choice import FileChoice, FolderChooser, choose_folder, remembered
from studio.ui.panels.form import Row, taken
from studio.ui.panels.making_choice import USUAL_MACHINE, USUAL_MATERIAL, WorkshopBox
from studio.ui.panels.remark import Remark
from studio.ui.panels.sheets import SheetPages
from studio.ui.session.jobs import Jobs
from studio.ui.shell.preferences import Preferences
from studio.ui.theme import GAP, heading_font
from studio.ui.widgets import CONTROL_HEIGHT, GROUP_GAP, ROW_GAP, SIDE_BUTTON, SIDE_GAP, CalmComboBox, without_icons

EXPLAINED = (
    "Cut this small sheet once: a tongue of your own puzzle, made for several kerfs. The pair that goes together as you"
    " like it names the kerf to keep with the material."
)
GAPS_EXPLAINED = (
    "Print this small plate once: a joint of your own puzzle, made with several gaps. The pair that goes together as"
    " you like it names the gap to keep with printer and plastic; the form then offers it."
)
COUPON = "coupon"
PAUSE_MS = 200
"""How long nothing must change before the coupon is drawn."""
RIM = 20
COLUMN_GAP = 28
LEFT_WIDTH, RIGHT_WIDTH = 400, 360


Made = TypeVar("Made")
Joints = Callable[[Sequence[float], Progress], tuple[Solid, ...]]
"""Makes the blocks that try a puzzle's joints at some gaps in mm; may raise StudioError."""


class Plate(NamedTuple):
    """A coupon for the printer: its blocks on the bed, and how they are seen from above."""

    solids: tuple[Solid, ...]
    drawing: Drawing


class GapCouponRequest(NamedTuple):
    """What to write: a coupon's blocks on the bed, and where."""

    solids: tuple[Solid, ...]
    path: Path


class CouponRequest(NamedTuple):
    """What to write: a coupon, and where and how."""

    drawing: Drawing
    path: Path
    options: LaserOptions


@dataclass(frozen=True)
class Words:
    """What a coupon is for: the sentence above, the two boxes, the class of its options, a button, what it lies on."""

    explained: str
    boxes: tuple[str, str]
    options: type[Any]
    formats: Formats[Any, Any]
    keep: str
    noun: str


class TrialDialog(QDialog, Generic[Made]):
    """Makes a coupon to be written, and keeps the value that it showed."""

    words: Words

    def __init__(
        self,
        name: str,
        folder: Path,
        preferences: Preferences,
        jobs: Jobs,
        *,
        chooser: FolderChooser = choose_folder,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences, self._jobs = preferences, jobs
        self._made: Made | None = None
        self._refusal = ""
        self.setWindowTitle("Fit coupon")
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._make_fields(name, folder, chooser)
        self._lay_out()
        self._listen()
        self._options: Any = self.words.options()
        self._use_boxes()
        self._options = remembered(preferences.coupon_values(self.words.formats.key), self._options)
        self._show()

    # What differs between laser and printer

    def _offer(self) -> None:
        """Offer what both boxes have, with what was used last."""
        raise NotImplementedError

    def _usual(self) -> Any:
        """The options that are near to what is known to fit."""
        raise NotImplementedError

    def _present(self) -> float:
        """The value in mm that is known to fit."""
        raise NotImplementedError

    def _tried(self) -> tuple[float, ...]:
        """The values in mm that the coupon tries."""
        raise NotImplementedError

    def _work(self) -> Callable[[Progress], Made]:
        """Makes the coupon; runs in a thread of its own."""
        raise NotImplementedError

    def _pictured(self, made: Made) -> Drawing:
        """The coupon as it is shown."""
        raise NotImplementedError

    def _counted(self, made: Made) -> str:
        """What the coupon takes, in words."""
        raise NotImplementedError

    def _kept(self, value: float) -> str:
        """Keep a value and say so; raises StudioError where that cannot be done."""
        raise NotImplementedError

    def accept(self) -> None:
        """Remember the choices and close; stay where there is nothing that could be written."""
        if self._made is None or self._problem():
            return
        self.file.remember()
        for words, box in zip(self.words.boxes, (self.first, self.second), strict=True):
            self._preferences.set_workshop_key(words.lower(), box.chosen().key)
        self._preferences.set_coupon_values(
            {known.name: getattr(self._options, known.name) for known in declarations(self.words.options)},
            self.words.formats.key,
        )
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
        self.first, self.second = (WorkshopBox(words) for words in self.words.boxes)
        self._offer()
        self._rows = {each.name: Row(each, each.title) for each in declarations(self.words.options)}
        self.file = FileChoice(
            f"{name} coupon", folder, self._preferences, formats=self.words.formats, chooser=chooser
        )  # fmt: skip
        self.pages = SheetPages(self.words.noun)
        self.summary = QLabel()
        self.summary.setFont(heading_font(QApplication.font()))
        self.refused = Remark("error")
        self.fitting = CalmComboBox()
        self.fitting.setAccessibleName("Which pair fits?")
        self.fitting.setMinimumHeight(CONTROL_HEIGHT)
        self.keep = QPushButton(self.words.keep)
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
        for line, (words, box) in enumerate(zip(self.words.boxes, (self.first, self.second), strict=True)):
            label = QLabel(words)
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
        explained = QLabel(self.words.explained)
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
        self.first.activated.connect(self._use_boxes)
        self.second.activated.connect(self._use_second)
        for name, row in self._rows.items():
            row.field.settled.connect(lambda value, entry, name=name: self._set(name, value, entry))
            row.field.refused.connect(row.refuse)
            row.reset.clicked.connect(
                lambda _=False, row=row: self._set(row.known.name, row.known.default, Entry.WRITTEN)
            )
        self.file.changed.connect(self._judge)
        self.keep.clicked.connect(self._keep_it)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _use_second(self) -> None:
        """Make the coupon for another of the second box."""
        self._show()

    def _use_boxes(self) -> None:
        """Try what is near to what is known to fit."""
        self._options = self._usual()
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
        """Show the options and the values that follow from them, and draw the coupon soon."""
        for name, row in self._rows.items():
            row.show_value(getattr(self._options, name))
            row.reset.setIcon(icon("reset"))
        chosen = self.fitting.currentData()
        present, tried = self._present(), self._tried()
        self.fitting.clear()
        for value in tried:
            self.fitting.addItem(shown(value, "mm", 2), value)
        near = min(tried, key=lambda value: abs(value - present))
        self.fitting.setCurrentIndex(self.fitting.findData(chosen if chosen in tried else near))
        self._made, self._refusal = None, ""
        self._jobs.cancel(COUPON)
        self._pause.start()
        self._judge()

    def _draw(self) -> None:
        self._jobs.start(COUPON, self._work(), done=self._drawn, failed=self._failed)

    def _drawn(self, made: Made) -> None:
        self._made = made
        self._judge()

    def _failed(self, problem: StudioError) -> None:
        self._refusal = str(problem)
        self._judge()

    def _judge(self) -> None:
        """Say what stands in the way of the file, and let it be exported where nothing does."""
        made = self._made
        self.pages.picture.show_profile(self._profile())
        if made is not None or self._refusal:
            self.pages.show_sheets(() if made is None else (self._pictured(made),))
        self.pages.picture.fade(made is None)
        self.summary.setText(self._summary())
        self.refused.say(self._refusal)
        problem = self._problem()
        replaced = not problem and self.file.path().exists()
        self.file.say(problem, "A file of this name is there already; it will be replaced." if replaced else "")
        self.export.setEnabled(made is not None and not problem)

    def _profile(self) -> Profile:
        """The colours in which the coupon is shown."""
        return profile(LaserOptions().profile)

    def _problem(self) -> str:
        return self.file.problem()

    def _summary(self) -> str:
        if self._made is None:
            return "This coupon cannot be made." if self._refusal else "Drawing the coupon …"
        return f"{many(self._options.count, 'pair')}, {self._counted(self._made)}"

    def _keep_it(self) -> None:
        """Keep the chosen value."""
        try:
            said = self._kept(float(self.fitting.currentData()))
        except StudioError as problem:
            self.kept.say("")
            self.unkept.say(str(problem))
            return
        self.unkept.say("")
        self.kept.say(said)


class CouponDialog(TrialDialog[Drawing]):
    """Makes a coupon of a puzzle's joint to be written, and keeps the kerf that it showed."""

    words = Words(EXPLAINED, ("Material", "Machine"), CouponOptions, LASER, "Keep this kerf", "Sheet")

    def __init__(
        self,
        joint: Callable[[], Joint],
        name: str,
        folder: Path,
        preferences: Preferences,
        jobs: Jobs,
        **known: Any,
    ) -> None:
        self._joint = joint
        super().__init__(name, folder, preferences, jobs, **known)

    @property
    def material(self) -> WorkshopBox:
        """The box of materials."""
        return self.first

    @property
    def machine(self) -> WorkshopBox:
        """The box of machines."""
        return self.second

    def request(self) -> CouponRequest:
        """What the maker decided; only for a coupon that could be drawn."""
        assert self._made is not None
        return CouponRequest(self._made, self.file.path(), self.file.options())

    def _offer(self) -> None:
        known = self._preferences
        self.material.offer(materials(), known.workshop_key("material"), USUAL_MATERIAL)
        self.machine.offer(machines(), known.workshop_key("machine"), USUAL_MACHINE)

    def _usual(self) -> CouponOptions:
        return around(self.material.chosen().value)

    def _present(self) -> float:
        return float(self.material.chosen().value.kerf)

    def _tried(self) -> tuple[float, ...]:
        options: CouponOptions = self._options
        return options.kerfs

    def _work(self) -> Callable[[Progress], Drawing]:
        joint, options = self._joint, self._options
        material, machine = self.material.chosen(), self.machine.chosen().value

        def work(progress: Progress) -> Drawing:
            progress.step(0.0)
            return coupon(joint(), material, options, machine)

        return work

    def _pictured(self, made: Drawing) -> Drawing:
        return made

    def _counted(self, made: Drawing) -> str:
        return f"{metres(made.cut_length)} of line"

    def _profile(self) -> Profile:
        return profile(self.file.options().profile)

    def _problem(self) -> str:
        problem = super()._problem()
        if problem:
            return problem
        machine = self.machine.chosen()
        try:
            refuse_pictures(self.file.suffix(), machine.title, takes_pictures=machine.value.pictures)
        except StudioError as refusal:
            return str(refusal)
        return ""

    def _kept(self, value: float) -> str:
        named = self.material.chosen()
        keep(with_kerf(named, value))
        self.material.offer(materials(), named.key, USUAL_MATERIAL)
        return f"{named.title} has a kerf of {shown(value, 'mm', 2)} from now on."


class GapCouponDialog(TrialDialog[Plate]):
    """Makes a coupon of a puzzle's joints to be printed, and keeps the gap that it showed."""

    words = Words(
        GAPS_EXPLAINED, ("Plastic", "Printer"), GapOptions, PRINTER, "Keep this gap", "Plate"
    )  # fmt: skip

    def __init__(
        self, joints: Joints, name: str, folder: Path, preferences: Preferences, jobs: Jobs, **known: Any
    ) -> None:
        self._joints = joints
        super().__init__(name, folder, preferences, jobs, **known)

    @property
    def plastic(self) -> WorkshopBox:
        """The box of plastics."""
        return self.first

    @property
    def printer(self) -> WorkshopBox:
        """The box of printers."""
        return self.second

    def request(self) -> GapCouponRequest:
        """What the maker decided; only for a coupon that could be made."""
        assert self._made is not None
        return GapCouponRequest(self._made.solids, self.file.path())

    def _offer(self) -> None:
        known = self._preferences
        self.plastic.offer(plastics(), known.workshop_key("plastic"), USUAL_PLASTIC)
        self.printer.offer(printers(), known.workshop_key("printer"), USUAL_PRINTER)

    def _usual(self) -> GapOptions:
        return around_gap(self._present())

    def _present(self) -> float:
        return usual_gap(self.printer.chosen(), self.plastic.chosen())

    def _tried(self) -> tuple[float, ...]:
        options: GapOptions = self._options
        return options.gaps

    def _use_second(self) -> None:
        """Each printer has gaps of its own."""
        self._use_boxes()

    def _work(self) -> Callable[[Progress], Plate]:
        joints, gaps, printer = self._joints, self._tried(), self.printer.chosen().value

        def work(progress: Progress) -> Plate:
            solids = on_bed(joints(gaps, progress), printer)
            return Plate(solids, seen_from_above(solids))

        return work

    def _pictured(self, made: Plate) -> Drawing:
        return made.drawing

    def _counted(self, made: Plate) -> str:
        return f"{sum(solid.mesh.volume for solid in made.solids) / 1000:.1f} cm³ where it is solid"

    def _kept(self, value: float) -> str:
        printer, plastic = self.printer.chosen(), self.plastic.chosen()
        keep_gap(printer, plastic, value)
        return f"{plastic.title} on {printer.title} fits with a gap of {shown(value, 'mm', 2)} from now on."
