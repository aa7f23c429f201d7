"""The column that asks what file is to be written: format, profile, what the format has to choose, name and folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from studio.export.format import Format, Formats
from studio.export.formats import FORMATS, LASER
from studio.parameters import ParameterError, declarations
from studio.ui.icons import icon
from studio.ui.length_spin import Entry
from studio.ui.panels.form import Row, taken
from studio.ui.shell.preferences import Preferences
from studio.ui.widgets import CONTROL_HEIGHT, ROW_GAP, SIDE_GAP, CalmComboBox, hint_label

BROWSE_WIDTH = 28

FolderChooser = Callable[[QWidget, Path], Path | None]


def choose_folder(parent: QWidget, start: Path) -> Path | None:
    """Ask for a folder in the desktop's dialog; None where the maker thinks better of it."""
    chosen = QFileDialog.getExistingDirectory(parent, "Export to folder", str(start))
    return Path(chosen) if chosen else None


class FileChoice(QWidget):
    """What file is to be written, and where; `changed` tells of every change."""

    changed = Signal()

    def __init__(
        self,
        name: str,
        folder: Path,
        preferences: Preferences,
        *,
        formats: Formats[Any, Any] = LASER,
        apart: bool = False,
        chooser: FolderChooser = choose_folder,
    ) -> None:
        super().__init__()
        self._preferences, self._formats = preferences, formats
        self._endings = dict(_endings(formats, apart))
        self._chooser = chooser
        self._options: Any = formats.options()
        self._make_fields(name, preferences.folder(formats.key, folder))
        self._lay_out()
        self._listen()
        self._use_format()

    @property
    def label_width(self) -> int:
        """How wide the labels stand before the fields, for whoever has fields above or below."""
        own = (label.sizeHint().width() for label in self._labels)
        return max(*own, *(row.label.sizeHint().width() for row in self._rows.values())) + SIDE_GAP

    def suffix(self) -> str:
        """The ending of the chosen format."""
        return str(self.format.currentData())

    @property
    def known(self) -> Format[Any, Any, Any, Any]:
        """The chosen format."""
        return self._endings[self.suffix()][0]

    @property
    def is_apart(self) -> bool:
        """Whether each piece gets a file of its own."""
        return self.suffix() != self.known.suffix

    def editor(self, name: str) -> QWidget:
        """The widget in which one option of the format is chosen or written."""
        return self._rows[name].field.editor()

    def options(self) -> Any:
        """What was chosen for the format."""
        return self._options

    def stem(self) -> str:
        """The name without its ending."""
        return _stem(self.name.text().strip())

    def path(self) -> Path:
        """Where the file goes."""
        return Path(self.folder.text()) / (self.stem() + self.suffix())

    def problem(self) -> str:
        """Why the file cannot be there, in a sentence; empty where it can."""
        name = self.name.text().strip()
        if not name:
            return "The file needs a name."
        if name in (".", "..") or any(sign in name for sign in "/\\\0"):
            return "A file name cannot have a slash in it; choose the folder below it."
        try:
            if not self.folder.text().strip() or not Path(self.folder.text()).is_dir():
                return "There is no such folder."
            if self.path().is_dir():
                return "A folder has this name."
        except (OSError, ValueError):
            return "The system cannot use this name."
        return ""

    def remember(self) -> None:
        """Begin with this folder, format and these options the next time."""
        suffix = self.suffix()
        self._preferences.set_folder(self._formats.key, Path(self.folder.text()))
        self._preferences.set_export_suffix(suffix, self._formats.key)
        if self._rows:
            self._preferences.set_export_values(suffix, _values(self._options))

    def say(self, problem: str, hint: str) -> None:
        """Show under the name why the file cannot be written, or what will become of one that is there."""
        for label, words in ((self.problem_words, problem), (self.hint_words, hint)):
            label.setText(words)
            label.setVisible(bool(words))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "browse"):
            self._dress()

    def _make_fields(self, name: str, folder: Path) -> None:
        self.format = CalmComboBox()
        for suffix, (_, words) in self._endings.items():
            self.format.addItem(words, suffix)
        last = self._preferences.export_suffix(self._formats.key)
        self.format.setCurrentIndex(max(0, self.format.findData(last)))
        self.format.setSizeAdjustPolicy(CalmComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.format.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows = {known.name: Row(known, known.title) for known in declarations(self._formats.options)}
        self._labels: list[QLabel] = []
        self.name = QLineEdit(_stem(name))
        self.ending = QLabel()
        self.folder = QLineEdit(str(folder))
        self.browse = QToolButton()
        self.browse.setToolTip("Browse for a folder")
        self.browse.setAccessibleName("Browse for a folder")
        self.browse.setFixedWidth(BROWSE_WIDTH)
        for field, words in ((self.format, "Format"), (self.name, "File name"), (self.folder, "Folder")):
            field.setAccessibleName(words)
            field.setMinimumHeight(CONTROL_HEIGHT)
        self.problem_words, self.hint_words = hint_label(), hint_label()
        self.problem_words.setForegroundRole(QPalette.ColorRole.BrightText)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SIDE_GAP)
        grid.setVerticalSpacing(ROW_GAP)
        grid.setColumnStretch(1, 1)
        self._add(grid, "Format", self.format)
        for row in self._rows.values():
            row.lay(grid, words_column=1)
        self._add(grid, "File name", self.name, self.ending)
        self._add(grid, "Folder", self.folder, self.browse)
        # Options have a column more, for their reset; without them it would leave a gap beside what stands below.
        for words in (self.problem_words, self.hint_words):
            grid.addWidget(words, grid.rowCount(), 1, 1, 2 if self._rows else 1)
        grid.setColumnMinimumWidth(0, self.label_width)

    def _add(self, grid: QGridLayout, words: str, field: QWidget, beside: QWidget | None = None) -> None:
        label = QLabel(words)
        self._labels.append(label)
        label.setBuddy(field)
        line = grid.rowCount()
        grid.addWidget(label, line, 0)
        if beside is None:
            grid.addWidget(field, line, 1)
            return
        both = QHBoxLayout()
        both.setSpacing(SIDE_GAP)
        both.addWidget(field, 1)
        both.addWidget(beside)
        grid.addLayout(both, line, 1)

    def _listen(self) -> None:
        self.format.currentIndexChanged.connect(self._use_format)
        for name, row in self._rows.items():
            row.field.settled.connect(lambda value, entry, name=name: self._set(name, value, entry))
            row.field.refused.connect(row.refuse)
            row.reset.clicked.connect(lambda _=False, name=name: self._reset(name))
        self.name.textChanged.connect(self.changed)
        self.folder.textChanged.connect(self.changed)
        self.browse.clicked.connect(self._browse)

    def _use_format(self) -> None:
        """Take the options last used for the format, and show those that it has."""
        suffix = self.suffix()
        self.ending.setText(suffix)
        if self._rows:
            self._options = remembered(self._preferences.export_values(suffix), self._formats.options())
        self._show()

    def _set(self, name: str, value: Any, entry: Entry) -> None:
        del entry
        self._options = taken(self._rows, self._options, name, value)
        self._show()

    def _reset(self, name: str) -> None:
        self._set(name, self._rows[name].known.default, Entry.WRITTEN)

    def _show(self) -> None:
        own = {known.name for known in declarations(self.known.options)}
        idle = self._options.idle()
        for name, row in self._rows.items():
            belongs = name in own
            row.rest(idle.get(name, ""))
            row.show_value(getattr(self._options, name))
            if row.known.type != "flag":
                # A flag carries its own words: the label beside it has no place, and would be a window.
                row.label.setVisible(belongs)
            row.field.setVisible(belongs)
            row.reset.setVisible(belongs and row.reset.isVisibleTo(self))
            row.refusal.setVisible(belongs and bool(row.refusal.text()))
        self._dress()
        self.changed.emit()

    def _dress(self) -> None:
        self.browse.setIcon(icon("open"))
        for row in self._rows.values():
            row.reset.setIcon(icon("reset"))

    def _browse(self) -> None:
        chosen = self._chooser(self, Path(self.folder.text()))
        if chosen is not None:
            self.folder.setText(str(chosen))


def _stem(name: str) -> str:
    """A name without the ending of a puzzle or of a format."""
    for ending in (".puzzle", *(known.suffix for known in FORMATS)):
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def _endings(formats: Formats[Any, Any], apart: bool) -> Iterator[tuple[str, tuple[Format[Any, Any, Any, Any], str]]]:
    """What can be chosen: the ending that is shown and remembered, the format, and its words."""
    for known in formats.members:
        yield known.suffix, (known, known.title)
        if apart and known.apart:
            yield f"-…{known.suffix}", (known, known.apart)


def remembered(values: dict[str, Any], usual: Any) -> Any:
    """The options that stored values still make; each that cannot be is the usual one."""
    options = usual
    for known in declarations(type(usual)):
        if known.name in values:
            try:
                options = replace(options, **{known.name: values[known.name]})
            except ParameterError:
                continue
    return options


def _values(options: Any) -> dict[str, Any]:
    return {known.name: getattr(options, known.name) for known in declarations(type(options))}
