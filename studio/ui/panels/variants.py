"""Compares designs off the GUI thread: variants of one side by side, and the changes between a file and the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.files.store import load
from studio.paper.leaflet import Leaflet
from studio.puzzles import comparison
from studio.puzzles.kind import AnyKind
from studio.puzzles.variants import Axis, Variant, around, axis_from, picture, text_of, titles, variable, varied
from studio.ui.canvas.paths import curved
from studio.ui.panels.file_dialog import RIM
from studio.ui.panels.previews import PagesPanel
from studio.ui.session.derived import Derived
from studio.ui.session.jobs import Jobs
from studio.ui.session.opening import FileReading
from studio.ui.session.session import Session
from studio.ui.widgets.controls import CalmComboBox, Remark, hint_label, without_icons
from studio.ui.widgets.layout import REST, column, room_on_screen, row
from studio.ui.widgets.theme import GAP, MARGIN, current_theme

LANE = "variants"
PAUSE_MS = 250
SIZE = 960, 660
LEAST = QSize(120, 96)
FIRST = ("tongue_size", "perturbation")
"""Initial parameters for a jigsaw; other kinds begin with their first ones."""
PICTURES = ("PNG (*.png)", "SVG (*.svg)", "PDF (*.pdf)")


class VariantsRequest(NamedTuple):
    """The design and the axes."""

    kind: AnyKind
    design: Any
    axes: tuple[Axis, ...]


class VariantButton(QAbstractButton):
    """A variant: its drawing, its values, and its problems."""

    def __init__(self, variant: Variant, lines: Sequence[str]) -> None:
        super().__init__()
        self.variant = variant
        self._lines = (*lines, variant.verdict)
        self.title = ", ".join(lines)
        self._path = None if variant.drawing is None else curved(variant.drawing.strokes)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setEnabled(variant.design is not None)
        self.setAccessibleName(", ".join(self._lines))
        self.setToolTip(variant.refusal)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(LEAST)

    def sizeHint(self) -> QSize:
        return LEAST

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self.isChecked() or self.hasFocus():
            painter.setPen(QPen(theme.accent, 2 if self.isChecked() else 1))
            painter.drawRoundedRect(whole, 3, 3)
        line = self.fontMetrics().lineSpacing()
        room = whole.adjusted(GAP, GAP, -GAP, -GAP - line * len(self._lines))
        drawing = self.variant.drawing
        if drawing is not None and self._path is not None:
            zoom = min(room.width() / drawing.width, room.height() / drawing.height)
            painter.save()
            painter.translate(room.center())
            painter.scale(zoom, zoom)
            painter.translate(-drawing.width / 2, -drawing.height / 2)
            painter.fillRect(QRectF(0, 0, drawing.width, drawing.height), theme.board)
            pen = QPen(theme.cut, 1)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawPath(self._path)
            painter.restore()
        is_bad = bool(self.variant.errors or self.variant.refusal)
        for at, words in enumerate(self._lines):
            is_verdict = at == len(self._lines) - 1
            painter.setPen((theme.error if is_bad else theme.quiet) if is_verdict else theme.text)
            place = QRectF(whole.left(), room.bottom() + at * line + GAP / 2, whole.width(), line)
            told = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, round(place.width() - GAP))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, told)


class AxisBox(QWidget):
    """The choice of a parameter to vary, and of its values."""

    def __init__(self, kind: AnyKind, design: Any, title: str, *, is_optional: bool) -> None:
        super().__init__()
        self._kind, self._design = kind, design
        self._known = {each.name: each for each in variable(kind, design)}
        self.choice = CalmComboBox(title, tr("The parameter that is varied"))
        if is_optional:
            self.choice.addItem(tr("None"), "")
        for each in self._known.values():
            self.choice.addItem(f"{each.group}: {each.title}" if each.group else each.title, each.name)
        self.values = QLineEdit()
        self.values.setAccessibleName(tr("Values of {title}", title=title))
        self.values.setToolTip(tr("Up to 5 values with commas"))
        label = QLabel(title)
        label.setBuddy(self.choice)
        row(label, self.choice, (self.values, 1), of=self)
        self.choice.currentIndexChanged.connect(self._fill)

    def choose(self, name: str) -> None:
        """Vary a parameter, with values near its present one."""
        self.choice.setCurrentIndex(max(0, self.choice.findData(name)))
        self._fill()

    def _fill(self) -> None:
        known = self._known.get(self.choice.currentData())
        self.values.setEnabled(known is not None)
        self.values.setText(
            "" if known is None else text_of(around(known, getattr(self._design.parameters, known.name)))
        )

    @property
    def axis(self) -> Axis | None:
        """Return the axis, or None; raises StudioError for impossible values."""
        name = self.choice.currentData()
        return axis_from(self._kind, name, self.values.text()) if name else None


class VariantsDialog(QDialog):
    """Two parameters and a grid of variants; the chosen one replaces the design."""

    def __init__(
        self, kind: AnyKind, design: Any, jobs: Jobs, save: Callable[[Leaflet], object], parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Variants"))
        self._kind, self._design = kind, design
        self._shown: VariantsRequest | None = None
        self.cells: list[VariantButton] = []
        """The variants, row by row."""
        self.across = AxisBox(kind, design, tr("Across"), is_optional=False)
        self.down = AxisBox(kind, design, tr("Down"), is_optional=True)
        self.answer = Derived(jobs, LANE, _varied, key=lambda asked: asked.axes, pause=PAUSE_MS, parent=self)
        self.remark = Remark("error")
        self.state = hint_label()
        self._grid = QGridLayout()
        self._grid.setSpacing(GAP)
        cells = QWidget()
        cells.setLayout(self._grid)
        self.buttons = without_icons(QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel))
        self.use = self.buttons.addButton(tr("&Use variant"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save = self.buttons.addButton(tr("&Save picture…"), QDialogButtonBox.ButtonRole.ActionRole)
        lay = column if room_on_screen(self).width() < SIZE[0] else row
        column(lay((self.across, 1), (self.down, 1), gap=MARGIN), GAP, (cells, 1), self.remark, row(self.state, REST),
               self.buttons, of=self, margins=RIM)  # fmt: skip
        names = [each.name for each in variable(kind, design)]
        first = FIRST if set(FIRST) <= set(names) else (*names[:2], "")
        self.across.choose(first[0])
        self.down.choose(first[1])
        for box in (self.across, self.down):
            box.values.textChanged.connect(lambda _text: self._ask())
        self.answer.changed.connect(self._show)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.save.clicked.connect(lambda: save(self.picture()))
        self.resize(*SIZE)
        self._ask()

    @property
    def chosen(self) -> VariantButton | None:
        """The chosen variant."""
        return next((each for each in self.cells if each.isChecked()), None)

    def request(self) -> Any:
        """Return the design of the chosen variant."""
        return None if self.chosen is None else self.chosen.variant.design

    def picture(self) -> Leaflet:
        """Return the variants in sight as one page."""
        asked, rows = self._shown, self.answer.answer
        if asked is None or rows is None:
            raise StudioError(tr("There are no variants yet."))
        return picture(asked.kind, rows, asked.axes, tr("Variants"))

    def _ask(self) -> None:
        try:
            axes = tuple(axis for axis in (self.across.axis, self.down.axis) if axis is not None)
            asked = VariantsRequest(self._kind, self._design, axes)
            self.remark.say("")
        except StudioError as problem:
            self.remark.say(str(problem))
            return
        self.answer.ask(asked)
        self._show()

    def _show(self) -> None:
        rows, asked = self.answer.answer, self.answer.question
        is_known = rows is not None
        if self.answer.problem:
            self.remark.say(self.answer.problem)
        self.state.setText("" if is_known else tr("Drawing the variants… {share:.0%}", share=self.answer.share))
        self.save.setEnabled(is_known)
        if rows is not None and asked is not None and asked is not self._shown:
            self._shown = asked
            self._fill(rows, [titles(asked.kind, axis) for axis in asked.axes])
        self._follow()

    def _fill(self, rows: Sequence[Sequence[Variant]], named: Sequence[Sequence[str]]) -> None:
        for cell in self.cells:
            self._grid.removeWidget(cell)
            cell.hide()
            cell.deleteLater()
        self.cells = []
        for down, line in enumerate(rows):
            for across, one in enumerate(line):
                lines = [named[0][across], *(named[1][down : down + 1] if len(named) > 1 else ())]
                cell = VariantButton(one, lines)
                cell.setChecked(one.design == self._design)
                cell.toggled.connect(lambda _on: self._follow())
                self._grid.addWidget(cell, down, across)
                QWidget.setTabOrder(self.cells[-1] if self.cells else self.down.values, cell)
                self.cells.append(cell)

    def _follow(self) -> None:
        chosen = self.chosen
        self.use.setEnabled(chosen is not None and chosen.variant.design != self._design)


def _varied(asked: VariantsRequest, progress: Progress) -> tuple[tuple[Variant, ...], ...]:
    return varied(asked.kind, asked.design, asked.axes, progress)


# Changes between a file and the design in the window

COMPARISON_SIZE = 920, 660


class ComparisonDialog(QDialog):
    """The picture of both, zoomed by the wheel, and a button that saves it."""

    def __init__(self, picture: Leaflet, save: Callable[[], object], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Changes"))
        self.panel = PagesPanel(tr("Changes"))
        self.panel.show_leaflet(picture)
        buttons = without_icons(QDialogButtonBox(QDialogButtonBox.StandardButton.Close))
        self.save = buttons.addButton(tr("&Save picture…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.save.clicked.connect(lambda: save())
        buttons.rejected.connect(self.reject)
        column((self.panel, 1), GAP, buttons, of=self, margins=RIM)
        self.resize(*COMPARISON_SIZE)


class Comparing(QObject):
    """Shows the changes since a file, and variants of the design to choose from."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._reading = FileReading(session, "comparison", self)

    def choose(self) -> None:
        """Ask for the file to compare with."""
        here = self._session.document.path
        folder = self._session.preferences.folder("open", Path.home()) if here is None else here.parent
        path = self._session.dialogs.open_path(folder, tr("Compare with"))
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Show the changes since a file."""
        document = self._session.document
        kind, design = document.kind, document.design
        names = comparison.names_of(path, document.path or Path(document.title))
        if document.is_modified or document.path is None:
            names = names[0], tr("the open design")

        def work(progress: Progress) -> Leaflet:
            saved = load(path)
            comparison.ensure_alike(saved.kind, kind)
            return comparison.picture(comparison.compared(kind, saved.design, design, progress), names)

        self._reading.read(path, work, done=self._show)

    def vary(self) -> None:
        """Show variants of the design; choosing one is a step of the history."""
        session = self._session
        document = session.document
        before = document.design
        dialog = VariantsDialog(document.kind, before, session.jobs, self._save, session.dialogs.parent)
        design = session.dialogs.ask(dialog)
        words = "" if dialog.chosen is None else dialog.chosen.title
        # Pending work and known results go with the dialog.
        dialog.answer.ask(None)
        dialog.deleteLater()
        if design is not None and design != before and document.design is before:
            document.edit(tr("Use variant {values}", values=words), design)

    def _show(self, found: Leaflet) -> None:
        dialog = ComparisonDialog(found, lambda: self._save(found), self._session.dialogs.parent)
        self._session.dialogs.show(dialog)
        dialog.deleteLater()

    def _save(self, found: Leaflet) -> None:
        """Save the picture; report failure as a notice."""
        preferences = self._session.preferences
        suggested = preferences.folder("picture", Path.home()) / tr("comparison.png")
        path = self._session.dialogs.file_path(tr("Save picture"), suggested, PICTURES)
        if path is None:
            return
        try:
            from studio.files.rasters import write_picture

            write_picture(found, path)
        except StudioError as problem:
            self._session.notices.post(str(problem), Severity.ERROR)
            return
        preferences.set_folder("picture", path.absolute().parent)
        self._session.notices.post(tr("Wrote {out}.", out=path), passes=True)
