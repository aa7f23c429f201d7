"""The frame of dialogs that ask for work: they stay open until it has succeeded. Most of them write a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QLayout, QLineEdit, QPushButton, QWidget

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.line_only_machines import refuse_pictures
from studio.fabricate.workshop import Machine, Named
from studio.ui.panels.file_choice import FileChoice
from studio.ui.session.jobs import Client
from studio.ui.session.work_dialog import WorkDialog
from studio.ui.widgets.controls import wrapping
from studio.ui.widgets.layout import Item, column
from studio.ui.widgets.theme import GAP, title_font

RIM = 20
COLUMN_GAP = 28


class NameDialog(WorkDialog):
    """Asks for a name, until it can be kept."""

    def __init__(self, title: str, words: str, suggested: str, parent: QWidget | None) -> None:
        super().__init__(title, tr("Save"), parent)
        self.name = QLineEdit(suggested)
        self.name.setAccessibleName(words)
        self.name.selectAll()
        column(wrapping(words), self.name, self.problem, GAP, self.buttons, of=self, margins=RIM)

    def request(self) -> str:
        """The name, without blanks around it."""
        return self.name.text().strip()


def at_once(work: Callable[[Any], object]) -> Callable[[Any, Client], object]:
    """Work that takes no time, as `start` of a dialog; where it raises StudioError, it was refused."""

    def start(request: Any, client: Client) -> None:
        try:
            work(request)
        except StudioError as problem:
            client.refuse(str(problem))
        else:
            client.succeed()

    return start


class FileDialog(WorkDialog):
    """A dialog that says which file is to be written; it writes nothing itself."""

    def __init__(
        self, title: str, file: FileChoice, closing: QDialogButtonBox.StandardButton, parent: QWidget | None
    ) -> None:
        super().__init__(title, tr("Export"), parent, closing)
        self.file, self.export = file, self.go

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
        column(*head, GAP, (middle, 1), *foot, self.problem, self.state, GAP, self.buttons, of=self, margins=RIM)

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
