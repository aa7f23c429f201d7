"""The dialog that asks where and how a puzzle goes to the laser cutter, and says how large it will be.

It writes nothing itself: who opened it takes its `request()` when it is accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from studio.export.options import Options
from studio.parameters import ParameterError, declarations
from studio.ui.icons import icon
from studio.ui.length_spin import Entry
from studio.ui.panels.form import CONTROL_HEIGHT, CalmComboBox, Row, hint_label
from studio.ui.preferences import Preferences
from studio.ui.theme import GAP, title_font, worn_theme

FORMATS = {
    ".svg": "SVG, for laser software and drawing programs",
    ".dxf": "DXF, for CAD and older laser software",
    ".pdf": "PDF, for services and for paper",
    ".png": "PNG, a picture at true size",
    ".lbrn2": "LightBurn project",
}
ORDER_HINT = (
    "The file is in cutting order, the border last. In the laser software, switch path optimisation off or let it"
    " order by layer."
)
NO_UNIT_HINT = "DXF R12 cannot say its unit: choose millimetres when you open it."
FIELD_WIDTH = 400
RIM = 20
ICON = 20

FolderChooser = Callable[[QWidget, Path], Path | None]


@dataclass(frozen=True)
class Facts:
    """What is known of the file before it is written: size and length in mm, counts, and how many errors stand."""

    width: float
    height: float
    pieces: int
    cuts: int
    cut_length: float
    errors: int = 0


class Request(NamedTuple):
    """Where to write, how, and whether to write although the puzzle has errors."""

    path: Path
    options: Options
    force: bool


def choose_folder(parent: QWidget, start: Path) -> Path | None:
    """Ask for a folder in the desktop's dialog; None where the maker thinks better of it."""
    chosen = QFileDialog.getExistingDirectory(parent, "Export to folder", str(start))
    return Path(chosen) if chosen else None


class Remark(QWidget):
    """A sentence with the icon of its severity."""

    def __init__(self, icon_name: str, sentence: str = "") -> None:
        super().__init__()
        self._icon_name = icon_name
        self._icon = QLabel()
        self._icon.setFixedSize(ICON, ICON)
        self.sentence = QLabel(sentence)
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.sentence, 1)
        self._dress()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "sentence"):
            self._dress()

    def _dress(self) -> None:
        drawn = icon(self._icon_name, worn_theme())
        self._icon.setPixmap(drawn.pixmap(QSize(ICON, ICON), self.devicePixelRatioF()))


class ExportDialog(QDialog):
    """Format, profile, options, file and folder for one export; remembers them when it is accepted."""

    def __init__(
        self,
        facts: Facts,
        name: str,
        folder: Path,
        preferences: Preferences,
        *,
        chooser: FolderChooser = choose_folder,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._facts = facts
        self._preferences = preferences
        self._chooser = chooser
        self._options = Options()
        self.setWindowTitle("Export")
        self._make_fields(name, preferences.folder("export", folder))
        self._make_words()
        self._lay_out()
        self._listen()
        self._use_format()
        self.name.setFocus()
        self.name.selectAll()

    def request(self) -> Request:
        """What the maker decided."""
        return Request(self._path(), self._options, self._facts.errors > 0)

    def accept(self) -> None:
        """Remember folder, format and options, and close; stay where the file cannot be."""
        if self._problem():
            return
        suffix = self.suffix()
        self._preferences.set_folder("export", Path(self.folder.text()))
        self._preferences.set_export_suffix(suffix)
        self._preferences.set_export_values(suffix, _values(self._options))
        super().accept()

    def suffix(self) -> str:
        """The ending of the chosen format."""
        return str(self.format.currentData())

    def _make_fields(self, name: str, folder: Path) -> None:
        self.format = CalmComboBox()
        for suffix, words in FORMATS.items():
            self.format.addItem(words, suffix)
        self.format.setCurrentIndex(max(0, self.format.findData(self._preferences.export_suffix())))
        self._rows = {known.name: Row(known, known.title) for known in declarations(Options)}
        self.name = QLineEdit(_stem(name))
        self.ending = QLabel()
        self.folder = QLineEdit(str(folder))
        self.browse = QPushButton("Browse…")
        self.browse.setAutoDefault(False)
        self.browse.setAccessibleName("Browse for a folder")
        for field, words in ((self.format, "Format"), (self.name, "File name"), (self.folder, "Folder")):
            field.setAccessibleName(words)
            field.setMinimumHeight(CONTROL_HEIGHT)
        self.buttons = QDialogButtonBox()
        words = "Export anyway" if self._facts.errors else "Export"
        self.export = self.buttons.addButton(words, QDialogButtonBox.ButtonRole.AcceptRole)
        self.export.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)

    def _make_words(self) -> None:
        facts = self._facts
        self.true_size = QLabel(f"{facts.width:.1f} × {facts.height:.1f} mm")
        strong = title_font(QApplication.font())
        strong.setWeight(QFont.Weight.Normal)
        self.true_size.setFont(strong)
        self.true_size.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.counts = hint_label(f"True size, in {_counts(facts)}.")
        self.order = hint_label(ORDER_HINT)
        self.no_unit = Remark("hint", NO_UNIT_HINT)
        self.errors = Remark("warning", _warning(facts.errors))
        self.problem = hint_label()
        self.problem.setForegroundRole(QPalette.ColorRole.BrightText)
        self.replaces = hint_label("A file of this name is there already; it will be replaced.")

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(GAP)
        grid.setColumnMinimumWidth(1, FIELD_WIDTH)
        self._add(grid, "Format", self.format)
        for row in self._rows.values():
            row.lay(grid, words_column=1)
        self._add(grid, "File name", self.name, self.ending)
        self._add(grid, "Folder", self.folder, self.browse)
        for words in (self.problem, self.replaces):
            grid.addWidget(words, grid.rowCount(), 1, 1, 2)
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        line.setForegroundRole(QPalette.ColorRole.Mid)
        line.setFrameShadow(QFrame.Shadow.Plain)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(RIM, RIM, RIM, RIM)
        whole.setSpacing(GAP)
        whole.addWidget(self.true_size)
        whole.addWidget(self.counts)
        whole.addSpacing(GAP)
        whole.addLayout(grid)
        whole.addSpacing(GAP)
        whole.addWidget(line)
        whole.addSpacing(GAP)
        for remark in (self.errors, self.no_unit, self.order):
            whole.addWidget(remark)
        whole.addSpacing(GAP)
        whole.addWidget(self.buttons)
        whole.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        self.errors.setVisible(self._facts.errors > 0)

    def _add(self, grid: QGridLayout, words: str, field: QWidget, beside: QWidget | None = None) -> None:
        label = QLabel(words)
        label.setBuddy(field)
        line = grid.rowCount()
        grid.addWidget(label, line, 0)
        grid.addWidget(field, line, 1)
        if beside is not None:
            grid.addWidget(beside, line, 2)

    def _listen(self) -> None:
        self.format.currentIndexChanged.connect(self._use_format)
        for name, row in self._rows.items():
            row.field.settled.connect(lambda value, entry, name=name: self._set(name, value, entry))
            row.field.refused.connect(row.refuse)
            row.reset.clicked.connect(lambda _=False, name=name: self._reset(name))
        self.name.textChanged.connect(self._judge)
        self.folder.textChanged.connect(self._judge)
        self.browse.clicked.connect(self._browse)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _use_format(self) -> None:
        """Take the options last used for the format, and show those that it has."""
        suffix = self.suffix()
        self.ending.setText(suffix)
        self._options = _remembered(self._preferences.export_values(suffix))
        self._show()

    def _set(self, name: str, value: Any, entry: Entry) -> None:
        del entry
        for row in self._rows.values():
            row.refuse("")
        try:
            self._options = replace(self._options, **{name: value})
        except ParameterError as problem:
            self._rows[problem.name].refuse(str(problem))
        self._show()

    def _reset(self, name: str) -> None:
        self._set(name, self._rows[name].known.default, Entry.WRITTEN)

    def _show(self) -> None:
        group = self.suffix().lstrip(".").upper()
        theme = worn_theme()
        for name, row in self._rows.items():
            belongs = row.known.group in ("", group)
            row.show_value(getattr(self._options, name))
            row.reset.setIcon(icon("reset", theme))
            if row.known.type != "flag":
                # A flag carries its own words: the label beside it has no place, and would be a window.
                row.label.setVisible(belongs)
            row.field.setVisible(belongs)
            row.reset.setVisible(belongs and row.reset.isVisibleTo(self))
            row.refusal.setVisible(belongs and bool(row.refusal.text()))
        self.no_unit.setVisible(group == "DXF" and self._options.version == "R12")
        self._judge()

    def _browse(self) -> None:
        chosen = self._chooser(self, Path(self.folder.text()))
        if chosen is not None:
            self.folder.setText(str(chosen))

    def _judge(self) -> None:
        problem = self._problem()
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.export.setEnabled(not problem)
        self.replaces.setVisible(not problem and self._path().exists())

    def _problem(self) -> str:
        """Why the file cannot be there, in a sentence; empty where it can."""
        name = self.name.text().strip()
        if not name:
            return "The file needs a name."
        if name in (".", "..") or any(sign in name for sign in "/\\\0"):
            return "A file name cannot have a slash in it; choose the folder below it."
        try:
            if not self.folder.text().strip() or not Path(self.folder.text()).is_dir():
                return "There is no such folder."
            if self._path().is_dir():
                return "A folder has this name."
        except (OSError, ValueError):
            return "The system cannot use this name."
        return ""

    def _path(self) -> Path:
        return Path(self.folder.text()) / (_stem(self.name.text().strip()) + self.suffix())


def _stem(name: str) -> str:
    """A name without the ending of a puzzle or of a format."""
    for ending in (".puzzle", *FORMATS):
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def _counts(facts: Facts) -> str:
    def many(count: int, one: str) -> str:
        return f"{count:,}".replace(",", "\N{NARROW NO-BREAK SPACE}") + f" {one}" + ("" if count == 1 else "s")

    length = f"{facts.cut_length / 1000:.2f} m" if facts.cut_length >= 1000 else f"{facts.cut_length:.0f} mm"
    return f"{many(facts.pieces, 'piece')} from {many(facts.cuts, 'cut')}, {length} of line"


def _warning(errors: int) -> str:
    what = "1 error stands" if errors == 1 else f"{errors} errors stand"
    return f"{what} in the findings: the puzzle will not come apart as it should."


def _remembered(values: dict[str, Any]) -> Options:
    """The options that stored values still make; each that cannot be is its default."""
    options = Options()
    for known in declarations(Options):
        if known.name in values:
            try:
                options = replace(options, **{known.name: values[known.name]})
            except ParameterError:
                continue
    return options


def _values(options: Options) -> dict[str, Any]:
    return {known.name: getattr(options, known.name) for known in declarations(Options)}
