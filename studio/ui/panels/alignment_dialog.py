"""The dialog that measures where the marks of a printed sheet are, before its cuts are exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QSizePolicy, QSpinBox, QWidget

from studio.base.errors import StudioError
from studio.base.parameters import remembered
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.exporting.colour_profiles import profile
from studio.exporting.options import LaserOptions
from studio.fabricate.alignment import (
    TITLES,
    Alignment,
    Correction,
    Marks,
    aligned,
    corners_of,
    corrected,
    correction,
    marks_of,
    read_alignment,
    typed,
)
from studio.fabricate.making import Made, Making
from studio.fabricate.recipes import equipped
from studio.fabricate.workshop import Machine, Material
from studio.files.pictures import FORMATS
from studio.geometry.planar.drawing import Drawing
from studio.ui.panels.export_dialog import Subject
from studio.ui.panels.file_dialog import COLUMN_GAP, RIM, large_words
from studio.ui.panels.making_choice import OF_MATERIAL, OF_THIS_TIME, Make, MakingRequest, stored_making
from studio.ui.panels.previews import SheetPages
from studio.ui.panels.workshop import WorkshopBox
from studio.ui.session.derived import Derived
from studio.ui.session.dialogs import WorkDialog
from studio.ui.session.jobs import Jobs
from studio.ui.session.preferences import Preferences
from studio.ui.session.session import Session
from studio.ui.widgets.controls import GROUP_GAP, CalmComboBox, Remark, hint_label, push_button, wrapping
from studio.ui.widgets.layout import REST, column, labelled, room_on_screen, row
from studio.ui.widgets.tables import NOWHERE, CalmTable, Index
from studio.ui.widgets.theme import GAP

EXPLAINED = tr(
    "Printers stretch a page a little, and no sheet lies exactly in its place. Export the sheet with targets, a print "
    "and a marks file; lay the print on the bed, burn the marks file at low power, then measure without moving it."
)
OFFSETS = tr("How far each printed mark is from the burned one, to the right and down; leave out what you cannot see.")
FARTHEST = 100.0
"""Limit for the offset of a mark in mm."""
NO_SCAN, MOST_DPI = 0, 4800
MAKING, READING = "sheets to align", "reading a photograph"
LEFT_WIDTH, RIGHT_WIDTH, TABLE_HEIGHT = 430, 300, 250
MARK, RIGHT, DOWN, RESIDUE = range(4)
HEADS = (tr("Mark"), tr("Right, mm"), tr("Down, mm"), tr("Residue, mm"))
NOTHING = "–"
PICTURES = tr("Pictures ({suffix})", suffix=" ".join(f"*{suffix}" for suffix in FORMATS))
ChoosePicture = Callable[[], Path | None]


class MarksModel(QAbstractTableModel):
    """The marks of a sheet, their offsets in mm as typed or found, and the residues of their correction."""

    entered = Signal()
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self.offsets: dict[str, list[float | None]] = {}
        self._residues: Mapping[str, float] = {}
        self.can_change = True

    def show(self, names: tuple[str, ...], offsets: Mapping[str, tuple[float, float]]) -> None:
        """Show the marks of a sheet, and the offsets of some."""
        self.beginResetModel()
        self._names, self._residues = names, {}
        self.offsets = {name: [*offsets.get(name, (None, None))] for name in names}
        self.endResetModel()

    def show_residues(self, residues: Mapping[str, float]) -> None:
        """Show residues in mm by mark."""
        self._residues = residues
        if self._names:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._names) - 1, RESIDUE))

    @property
    def known(self) -> dict[str, tuple[float, float]]:
        """The complete offsets: those with both numbers."""
        pairs = {name: (right, down) for name, (right, down) in self.offsets.items()}
        return {name: (right, down) for name, (right, down) in pairs.items() if right is not None and down is not None}

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        name, at = self._names[index.row()], index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole and at != MARK:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return None
        if at == MARK:
            return TITLES[name].capitalize()
        value = self._residues.get(name) if at == RESIDUE else self.offsets[name][at - 1]
        if value is None:
            return NOTHING if role == Qt.ItemDataRole.DisplayRole else ""
        return f"{value:.2f}"

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        text, found = str(value).strip().replace(",", "."), None
        if text and text != NOTHING:
            try:
                found = float(text.removesuffix("mm"))
            except ValueError:
                found = FARTHEST + 1
            if not isfinite(found) or abs(found) > FARTHEST:
                self.refused.emit(tr("Enter an offset from −{most:g} to {most:g} mm.", most=FARTHEST))
                return False
        self.offsets[self._names[index.row()]][index.column() - 1] = found
        self.dataChanged.emit(index, index)
        self.entered.emit()
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() in (RIGHT, DOWN) and self.can_change else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


class MarksTable(CalmTable):
    """The table of marks: cells are selected one by one, and typed into."""

    def __init__(self, model: MarksModel) -> None:
        super().__init__(model, tr("Marks"), [110, 96, 96, 110])
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        self.setMinimumSize(LEFT_WIDTH, TABLE_HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The Return key that ends an entry comes here, too.
        if self.state() != QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)


@dataclass(frozen=True, eq=False)
class Measured:
    """What was measured of a sheet, and the correction that follows, or the sentence on why there is none."""

    alignment: Alignment
    correction: Correction | None = None
    problem: str = ""


class AlignmentDialog(WorkDialog):
    """Asks for the offsets of marks, or finds them in a picture; its request are the alignments of all sheets."""

    def __init__(
        self,
        subject: Subject,
        preferences: Preferences,
        make: Make,
        jobs: Jobs,
        choose: ChoosePicture,
        before: tuple[Alignment, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        """`choose` asks for a picture; `before` are alignments measured earlier."""
        super().__init__(tr("Line up with a print"), tr("Export…"), parent)
        self._subject, self._make, self._jobs, self._choose = subject, make, jobs, choose
        self._request = _last_request(subject, preferences)
        self._measured: dict[int, Measured] = {}
        self._before = before
        self.model = MarksModel()
        self.table = MarksTable(self.model)
        self.read = push_button(tr("Read picture…"), tr("Find printed and burned targets in a photograph or scan"))
        self.clear = push_button(tr("Clear"), tr("Forget what was measured of this sheet"))
        self.dpi = QSpinBox()
        self.dpi.setRange(NO_SCAN, MOST_DPI)
        self.dpi.setSpecialValueText(tr("Photograph"))
        self.dpi.setSuffix(" dpi")
        self.dpi.setToolTip(tr("Resolution of a scan, for a print without burned marks"))
        self.pages = SheetPages()
        self.pages.setMinimumWidth(RIGHT_WIDTH)
        last: Any = preferences.export_values(preferences.export_suffix())
        self.pages.picture.show_profile(profile(str(last.get("profile", LaserOptions.profile))))
        self.size_label = large_words(subject.size(None))
        self.outcome, self.refusal = Remark("hint"), Remark("error")
        self.sheets = Derived(jobs, MAKING, self._made, parent=self)
        self._lay_out()
        self.sheets.changed.connect(self._learn)
        self.model.entered.connect(self._enter)
        self.model.refused.connect(self.refusal.say)
        self.read.clicked.connect(self._read)
        self.clear.clicked.connect(self._clear)
        for button in (self.pages.back, self.pages.on):
            button.clicked.connect(self._show_sheet)
        self.sheets.ask(self._request)
        self._learn()

    def _lay_out(self) -> None:
        explained = wrapping(EXPLAINED)
        scan, dpi = labelled(tr("Picture is a"), self.dpi)
        tools = row(self.read, scan, dpi, REST, self.clear)
        left = column(hint_label(OFFSETS), (self.table, 1), tools, GAP, self.outcome, self.refusal)
        is_narrow = room_on_screen(self).width() < LEFT_WIDTH + RIGHT_WIDTH + COLUMN_GAP + 2 * RIM
        tall = QSizePolicy.Policy.Fixed if is_narrow else QSizePolicy.Policy.Expanding
        self.pages.setSizePolicy(QSizePolicy.Policy.Expanding, tall)
        middle = (
            column(left, self.pages, gap=GROUP_GAP) if is_narrow else row((left, 1), (self.pages, 1), gap=COLUMN_GAP)
        )
        column(self.size_label, explained, GAP, (middle, 1), self.problem, self.state, GAP, self.buttons, of=self,
               margins=RIM)  # fmt: skip

    def request(self) -> tuple[Alignment, ...]:
        """Return the alignments that were measured."""
        found = (self._measured[number] for number in sorted(self._measured))
        return tuple(each.alignment for each in found if each.correction is not None)

    def accept(self) -> None:
        """Close if there is something to correct and nothing wrong."""
        if self.go.isEnabled():
            super().accept()

    def done(self, result: int) -> None:
        """Close, and stop all work."""
        self.sheets.cancel()
        self._jobs.cancel(READING)
        super().done(result)

    def _made(self, request: MakingRequest, progress: Progress) -> Made:
        return self._make(self._subject.drawing, request.making, request.machine, request.material, progress)

    @property
    def _sheet(self) -> Drawing | None:
        made = self.sheets.answer
        return None if made is None else made.sheets[self.pages.page]

    def _learn(self) -> None:
        """Show the sheets once they are made, with what was measured of them before."""
        made = self.sheets.answer
        if made is not None and not self._measured:
            self.pages.show_sheets(made.sheets)
            self.size_label.setText(self._subject.size(made))
            for each in self._before:
                if each.sheet <= len(made.sheets) and _is_of(each, made.sheets[each.sheet - 1], self._request.making):
                    self._measured[each.sheet - 1] = _judged(each, made.sheets[each.sheet - 1])
        self._show_sheet()

    def _marks(self) -> Marks:
        """The marks of the sheet in sight; empty while it is unknown, or if it has none."""
        sheet = self._sheet
        if sheet is None:
            return {}
        try:
            return marks_of(sheet, self._request.making)
        except StudioError:
            return {}

    def _show_sheet(self) -> None:
        """Show the marks of the sheet in sight, and what was measured of them."""
        marks, known = self._marks(), self._measured.get(self.pages.page)
        found = {} if known is None or known.alignment.source == "scan" else {
            name: tuple((place - marks[name]).round(4).tolist()) for name, place in known.alignment.found.items()
        }  # fmt: skip
        self.model.show(tuple(marks), found)
        self._judge()

    def _enter(self) -> None:
        """Take typed offsets; without any, nothing is measured."""
        marks, offsets = self._marks(), self.model.known
        sheet = self._sheet
        self._measured.pop(self.pages.page, None)
        if sheet is not None and offsets:
            self._measured[self.pages.page] = _judged(typed(marks, offsets, self.pages.page + 1), sheet)
        self._judge()

    def _clear(self) -> None:
        self._measured.pop(self.pages.page, None)
        self._show_sheet()

    def _read(self) -> None:
        """Find the marks in a picture."""
        path, sheet = self._choose(), self._sheet
        if path is None or sheet is None:
            return
        self.refusal.say("")
        self.wait(self._stop)
        dpi = float(self.dpi.value()) or None
        work = partial(_found, path, sheet, self._request.making, dpi, self.pages.page + 1)
        self._jobs.start(
            READING, work, done=self._take, failed=lambda problem: self.refuse(str(problem)),
            progressed=lambda done, _note: self.follow(done),
        )  # fmt: skip

    def _stop(self) -> None:
        self._jobs.cancel(READING)
        self.refuse("")

    def _take(self, measured: Measured) -> None:
        self._end()
        self._measured[measured.alignment.sheet - 1] = measured
        self._show_sheet()

    def _judge(self) -> None:
        """Say what the measured marks amount to, and show the corrected sheet."""
        made, known, marks = self.sheets.answer, self._measured.get(self.pages.page), self._marks()
        found = None if known is None else known.correction
        refusal = self.sheets.problem or ("" if known is None else known.problem)
        if made is not None and not marks:
            try:
                marks_of(made.sheets[self.pages.page], self._request.making)
            except StudioError as problem:
                refusal = str(problem)
        self.outcome.say("" if found is None else found.facts())
        self.refusal.say(refusal)
        self.model.show_residues({} if found is None else found.residues)
        self.read.setEnabled(bool(marks) and not self.is_working)
        self.clear.setEnabled(known is not None and not self.is_working)
        if made is not None:
            shown = [_shown(sheet, self._measured.get(number)) for number, sheet in enumerate(made.sheets)]
            self.pages.show_sheets(shown)
        self.go.setEnabled(bool(self.request()) and not self.is_working
                           and not any(each.problem for each in self._measured.values()))  # fmt: skip
        self.adjust()


def _last_request(subject: Subject, preferences: Preferences) -> MakingRequest:
    """The making, machine and material of the last export."""
    boxes = WorkshopBox(Machine, preferences), WorkshopBox(Material, preferences)
    machine, material = equipped(boxes[0].chosen(), boxes[1].chosen())
    values = stored_making(preferences, has_artwork=bool(subject.drawing.artwork))
    values |= {name: getattr(material, name) for name in OF_MATERIAL}
    if subject.before is not None:
        values |= {name: getattr(subject.before.making, name) for name in OF_THIS_TIME}
    return MakingRequest(remembered(values, Making()), machine, material)


def _is_of(alignment: Alignment, sheet: Drawing, making: Making) -> bool:
    """True if an alignment has the marks of a sheet."""
    try:
        marks = marks_of(sheet, making)
    except StudioError:
        return False
    return all(name in marks and (abs(marks[name] - alignment.nominal[name]) < 0.01).all() for name in alignment.names)


def _judged(alignment: Alignment, sheet: Drawing) -> Measured:
    """The correction of a sheet, or why there is none."""
    try:
        found = correction(alignment, corners_of(sheet))
        corrected(sheet, found)
    except StudioError as problem:
        return Measured(alignment, problem=str(problem))
    return Measured(alignment, found)


def _shown(sheet: Drawing, measured: Measured | None) -> Drawing:
    return sheet if measured is None or measured.correction is None else corrected(sheet, measured.correction)


def _found(path: Path, sheet: Drawing, making: Making, dpi: float | None, number: int, progress: Progress) -> Measured:
    from studio.fabricate.target_photo import in_picture
    from studio.files.pictures import grey_of

    grey, share = grey_of(path, progress.part(0.0, 0.3))
    marks, resolution = marks_of(sheet, making), None if dpi is None else share * dpi
    return _judged(in_picture(grey, marks, making, resolution, number, progress.part(0.3, 1.0)), sheet)


class AlignmentBox(CalmComboBox):
    """The choice of a print to line up with: none, the one measured last, or a file's; `changed` reports it."""

    changed = Signal()

    def __init__(self, measured: tuple[Alignment, ...], choose: Callable[[], Path | None]) -> None:
        super().__init__(tr("Line up"), tr("Move the cuts to where the print of the sheet was measured"))
        self._measured, self._choose = measured, choose
        self._filed: tuple[Alignment, ...] = ()
        self.alignments: tuple[Alignment, ...] = ()
        """The chosen alignments, none to leave the cuts where they are."""
        self.problem = ""
        """Why the chosen file cannot be used, in a sentence; empty if it can."""
        self._chosen = "none"
        self._offer()
        self.activated.connect(self._pick)

    def _offer(self, file: str = "") -> None:
        """Offer all choices and the file that is used; the file is chosen if there is one."""
        with QSignalBlocker(self):
            self.clear()
            self.addItem(tr("Not with a print"), "none")
            if self._measured:
                self.addItem(tr("With the print measured last"), "measured")
            if file:
                self.addItem(tr("With the print in {file}", file=file), "file")
            self.addItem(tr("With a measured print in a file…"), "ask")
            self.setCurrentIndex(self.findData("file") if file else 0)

    def _pick(self) -> None:
        chosen = self.currentData()
        if chosen == "ask":
            path = self._choose()
            if path is None:
                self.setCurrentIndex(self.findData(self._chosen))
                return
            self._use(path)
        else:
            self.problem = ""
            self.alignments = {"measured": self._measured, "file": self._filed}.get(chosen, ())
        self._chosen = self.currentData()
        self.changed.emit()

    def _use(self, path: Path) -> None:
        """Line up as a file says; with nothing, and a problem, if it cannot be read."""
        self.alignments, self.problem = (), ""
        try:
            self.alignments = self._filed = (read_alignment(path),)
        except StudioError as problem:
            self.problem = str(problem)
        self._offer("" if self.problem else path.name)


def make_aligned(
    make: Make, alignments: tuple[Alignment, ...], drawing: Drawing, making: Making, machine: Machine,
    material: Material, progress: Progress,
) -> Made:  # fmt: skip
    """Make sheets, aligned with their print; raises StudioError."""
    return aligned(make(drawing, making, machine, material, progress), making, alignments)


def ask_to_line_up(
    session: Session, subject: Subject, make: Make, before: tuple[Alignment, ...]
) -> tuple[Alignment, ...] | None:
    """Ask for the marks of the open design's print; None if that is cancelled."""

    def choose() -> Path | None:
        return session.dialogs.open_path(session.folder, tr("Photograph or scan"), PICTURES)

    dialog = AlignmentDialog(subject, session.preferences, make, session.jobs, choose, before, session.dialogs.parent)
    found = session.dialogs.ask(dialog)
    dialog.deleteLater()
    return found
