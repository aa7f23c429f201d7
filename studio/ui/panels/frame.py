"""The frame of the dialogs that write a file, and what such dialogs share."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QLabel, QLayout, QPushButton, QWidget

from studio.errors import StudioError
from studio.export.suited import refuse_pictures
from studio.fabricate.workshop import Machine, Named
from studio.texts import tr
from studio.ui.layout import Item, column
from studio.ui.panels.file_choice import FileChoice
from studio.ui.theme import GAP, title_font
from studio.ui.widgets import without_icons

RIM = 20
COLUMN_GAP = 28

CANCEL, CLOSE = QDialogButtonBox.StandardButton.Cancel, QDialogButtonBox.StandardButton.Close


class FileDialog(QDialog):
    """A dialog that says which file is to be written; it writes nothing itself."""

    def __init__(
        self, title: str, file: FileChoice, closing: QDialogButtonBox.StandardButton, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.file = file
        self.buttons = QDialogButtonBox()
        self.export: QPushButton = self.buttons.addButton(tr("Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.export.setDefault(True)
        self.buttons.addButton(closing)
        without_icons(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def event(self, event: QEvent) -> bool:
        """Make room for what another format has to choose, and for what is said of it."""
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.resize(self.size().expandedTo(self.sizeHint()))
        return is_done

    def name_export(self, *, replaces: bool, is_forced: bool = False) -> None:
        """Let the button that writes say whether it replaces files, and whether it does so in spite of errors."""
        if replaces:
            self.export.setText(tr("Replace anyway") if is_forced else tr("Replace"))
        else:
            self.export.setText(tr("Export anyway") if is_forced else tr("Export"))

    def add_button(self, words: str) -> QPushButton:
        """Put a button to the other side."""
        button: QPushButton = self.buttons.addButton(words, QDialogButtonBox.ButtonRole.ResetRole)
        button.setAutoDefault(False)
        return button

    def lay_out(self, head: Sequence[Item], middle: QWidget | QLayout, foot: Sequence[Item] = ()) -> None:
        """Lay out what is above, what takes the room, and what is below it."""
        column(*head, GAP, (middle, 1), *foot, GAP, self.buttons, of=self, margins=RIM)

    def begin_with_name(self) -> None:
        """Let the name be written over at once."""
        self.file.name.setFocus()
        self.file.name.selectAll()


def large_words(words: str) -> QLabel:
    """What a dialog is about, in the size of a title."""
    label = QLabel(words)
    label.setFont(title_font(QApplication.font()))
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def refused_by(machine: Named[Machine], suffix: str) -> str:
    """Why a machine does not take files of an ending, in a sentence; empty where it does."""
    try:
        refuse_pictures(suffix, machine.title, takes_pictures=machine.value.pictures)
    except StudioError as refusal:
        return str(refusal)
    return ""
