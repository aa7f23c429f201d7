"""The frame of dialogs that start work: they stay open until it has succeeded. Most of them write a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QDialogButtonBox,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from studio.base.errors import StudioError
from studio.base.parameters import declarations, remembered
from studio.base.texts import tr
from studio.exporting.formats import FORMATS, LASER, refuse_pictures
from studio.exporting.options import AnyFormat, Formats
from studio.fabricate.workshop import Machine, Named
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.session.dialogs import Dialogs, WorkDialog
from studio.ui.session.jobs import Client
from studio.ui.session.preferences import Preferences
from studio.ui.session.writing import unwritable
from studio.ui.widgets.controls import CalmComboBox, control_height, hint_label, wrapping
from studio.ui.widgets.layout import REST, Item, column, holding, room_on_screen, row
from studio.ui.widgets.theme import GAP, icon, title_font

# The column for a file to be written: format, profile, options of the format, name and folder.


BROWSE_WIDTH = 28
LINES_SAID = 2

FolderChooser = Callable[[QWidget, Path], Path | None]


def choose_folder(parent: QWidget, start: Path) -> Path | None:
    """Ask for a folder in the desktop's dialog; None if cancelled."""
    return Dialogs(parent).folder_path(tr("Export to folder"), start)


class FileChoice(QWidget):
    """The file to be written, and its folder; `changed` reports every change."""

    changed = Signal()

    def __init__(
        self,
        name: str,
        folder: Path,
        preferences: Preferences,
        *,
        formats: Formats[Any, Any] = LASER,
        apart: bool = False,
        without: Collection[str] = (),
        chooser: FolderChooser = choose_folder,
    ) -> None:
        """`without` are the names of options to be left out."""
        super().__init__()
        self._preferences, self._formats = preferences, formats
        self._endings = dict(_endings(formats, apart))
        self._without = {known.name for known in declarations(formats.options)} & set(without)
        self._chooser = chooser
        self._beside = folder
        self._make_fields(name, preferences.export_folder(formats.key, folder))
        self.form.add(tr("File name"), self.name, self.ending)
        self.form.add(tr("Folder"), self.folder, self.browse)
        # The sentences on the name keep their room, so that nothing below moves.
        said = holding(column(self.problem_words, self.hint_words, REST, gap=0))
        said.setMinimumHeight(LINES_SAID * self.hint_words.fontMetrics().lineSpacing())
        self.form.add_line(said)
        column(self.form, of=self)
        self.format.currentIndexChanged.connect(self._use_format)
        for edited in (self.form.edited, self.name.textChanged, self.folder.textChanged):
            edited.connect(lambda *_: self.changed.emit())
        self.name.editingFinished.connect(self._use_ending)
        self.browse.clicked.connect(self._browse)
        self._use_format()

    def suffix(self) -> str:
        """Return the extension of the chosen format."""
        return str(self.format.currentData())

    @property
    def known(self) -> AnyFormat:
        """The chosen format."""
        return self._endings[self.suffix()][0]

    @property
    def is_apart(self) -> bool:
        """True if each piece gets a file of its own."""
        return self.suffix() != self.known.suffix

    def options(self) -> Any:
        """Return the chosen options of the format; unused ones have their defaults."""
        chosen = self.form.parameters()
        return replace(chosen, **{name: getattr(type(chosen)(), name) for name in self._unused})

    @property
    def _unused(self) -> set[str]:
        """The options without meaning here, or for the chosen format."""
        return self._without | set(self.known.without)

    def stem(self) -> str:
        """Return the name without its extension."""
        return _stem(self.name.text().strip())

    def path(self) -> Path:
        """Return the file."""
        return Path(self.folder.text()) / (self.stem() + self.suffix())

    def problem(self) -> str:
        """Return why the file is impossible, in a sentence; empty if it is possible."""
        name = self.name.text().strip()
        if not name:
            return tr("Enter a file name.")
        if name in (".", "..") or "/" in name or "\\" in name:
            return tr("A file name cannot contain a slash; choose the folder below.")
        if not os.path.isdir(self.folder.text().strip()):
            return tr("This folder does not exist.")
        if os.path.isdir(self.path()):
            return tr("A folder with this name already exists.")
        return unwritable([self.path()])

    def remember(self) -> None:
        """Store folder, format and options for the next time."""
        suffix, options = self.suffix(), self.options()
        values = {known.name: getattr(options, known.name) for known in declarations(type(options))}
        self._preferences.set_export_folder(self._formats.key, Path(self.folder.text()), self._beside)
        self._preferences.set_export_suffix(suffix, self._formats.key)
        if values:
            self._preferences.set_export_values(suffix, values)

    def say(self, problem: str, hint: str) -> None:
        """Show under the name why the file cannot be written, or a hint on existing files."""
        for label, words in ((self.problem_words, problem), (self.hint_words, hint)):
            label.setText(words)
            label.setVisible(bool(words))

    def _make_fields(self, name: str, folder: Path) -> None:
        self.format = CalmComboBox()
        for suffix, (_known, words) in self._endings.items():
            self.format.addItem(words, suffix)
        last = self._preferences.export_suffix(self._formats.key)
        self.format.setCurrentIndex(max(0, self.format.findData(last)))
        self.format.setSizeAdjustPolicy(CalmComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.format.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        options, lead = self._formats.options(), {tr("Format"): self.format}
        self.form = ParameterForm(options, Manner.PLAIN, idle=lambda chosen: chosen.idle(), lead=lead)
        self.name, self.ending, self.folder = QLineEdit(_stem(name)), QLabel(), QLineEdit(str(folder))
        self.browse = QToolButton()
        self.browse.setIcon(icon("open"))
        self.browse.setToolTip(tr("Choose folder"))
        self.browse.setAccessibleName(tr("Choose folder"))
        self.browse.setFixedWidth(BROWSE_WIDTH)
        for field, words in ((self.format, tr("Format")), (self.name, tr("File name")), (self.folder, tr("Folder"))):
            field.setAccessibleName(words)
            field.setMinimumHeight(control_height())
        self.problem_words, self.hint_words = hint_label(), hint_label()
        self.problem_words.setForegroundRole(QPalette.ColorRole.BrightText)

    def _use_ending(self) -> None:
        """Choose the format of an extension typed into the name, and move it out of the name."""
        written = self.name.text().strip()
        stem = _stem(written)
        ending = Path(written).suffix.lower() if stem != written else ""
        if ending in self._endings and ending != self.known.suffix:
            self.format.setCurrentIndex(self.format.findData(ending))
        if ending:
            self.name.setText(stem)

    def _use_format(self) -> None:
        """Load the options last used for the format, and show the options that it has."""
        suffix = self.suffix()
        self.ending.setText(suffix)
        self.form.set_parameters(remembered(self._preferences.export_values(suffix), self._formats.options()))
        self.form.ask_only(known.name for known in declarations(self.known.options) if known.name not in self._unused)
        self.changed.emit()

    def _browse(self) -> None:
        chosen = self._chooser(self, Path(self.folder.text()))
        if chosen is not None:
            self.folder.setText(str(chosen))


def _stem(name: str) -> str:
    """Return a name without the extensions of a puzzle or a format."""
    for ending in (".puzzle", *(known.suffix for known in FORMATS)):
        if name.lower().endswith(ending) and len(name) > len(ending):
            return _stem(name[: -len(ending)])
    return name


def _endings(formats: Formats[Any, Any], apart: bool) -> Iterator[tuple[str, tuple[AnyFormat, str]]]:
    """Yield the choices: the extension that is shown and remembered, the format, and its words."""
    for known in formats.members:
        yield known.suffix, (known, known.title)
        if apart and known.apart:
            yield f"-…{known.suffix}", (known, known.apart)


RIM = 20
COLUMN_GAP = 28


class NameDialog(WorkDialog):
    """Asks for a name until it can be kept."""

    def __init__(self, title: str, words: str, suggested: str, parent: QWidget | None) -> None:
        super().__init__(title, tr("Save"), parent)
        self.name = QLineEdit(suggested)
        self.name.setAccessibleName(words)
        self.name.selectAll()
        column(wrapping(words), self.name, self.problem, GAP, self.buttons, of=self, margins=RIM)

    def request(self) -> str:
        """Return the name, without blanks around it."""
        return self.name.text().strip()


def at_once(work: Callable[[Any], object]) -> Callable[[Any, Client], object]:
    """Work that takes no time, as `start` of a dialog; a StudioError counts as its refusal."""

    def start(request: Any, client: Client) -> None:
        try:
            work(request)
        except StudioError as problem:
            client.refuse(str(problem))
        else:
            client.succeed()

    return start


class FileDialog(WorkDialog):
    """A dialog about a file to be written; it writes nothing itself."""

    def __init__(
        self, title: str, file: FileChoice, closing: QDialogButtonBox.StandardButton, parent: QWidget | None
    ) -> None:
        super().__init__(title, tr("Export"), parent, closing)
        self.file, self.export = file, self.go

    def event(self, event: QEvent) -> bool:
        """Make room for the options and sentences of another format."""
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.adjust()
        return is_done

    def name_export(self, *, replaces: bool, is_forced: bool = False) -> None:
        """Label the export button, saying whether it replaces files or ignores errors."""
        if replaces:
            self.export.setText(tr("Replace anyway") if is_forced else tr("Replace"))
        else:
            self.export.setText(tr("Export anyway") if is_forced else tr("Export"))

    def add_button(self, words: str) -> QPushButton:
        """Add a button at the other side."""
        button: QPushButton = self.buttons.addButton(words, QDialogButtonBox.ButtonRole.ResetRole)
        button.setAutoDefault(False)
        return button

    def lay_out(self, head: Sequence[Item], middle: QWidget | QLayout, foot: Sequence[Item] = ()) -> None:
        """Lay out the parts above, the part that takes the room, and the parts below."""
        column(*head, GAP, (middle, 1), *foot, self.problem, self.state, GAP, self.buttons, of=self, margins=RIM)

    def beside(self, left: Item, right: Item, width: int) -> QBoxLayout:
        """Return two items side by side, or stacked if the screen is narrower than their width in pixels."""
        is_narrow = room_on_screen(self).width() < width + COLUMN_GAP + 2 * RIM
        return column(left, right, gap=GAP) if is_narrow else row(left, right, gap=COLUMN_GAP)

    def begin_with_name(self) -> None:
        """Select the name, to be overwritten at once."""
        self.file.name.setFocus()
        self.file.name.selectAll()


def large_words(words: str) -> QLabel:
    """Return the subject of a dialog, in the size of a title."""
    label = QLabel(words)
    label.setFont(title_font(QApplication.font()))
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def refused_by(machine: Named[Machine], suffix: str) -> str:
    """Return why a machine does not read files with an extension, in a sentence; empty if it does."""
    try:
        refuse_pictures(suffix, machine.title, takes_pictures=machine.value.pictures)
    except StudioError as refusal:
        return str(refusal)
    return ""
