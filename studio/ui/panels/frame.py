"""The frame of dialogs that ask for work: they stay open until it has succeeded. Most of them write a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QLabel, QLayout, QLineEdit, QPushButton, QWidget

from studio.base.amounts import share
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.line_only_machines import refuse_pictures
from studio.fabricate.workshop import Machine, Named
from studio.ui.panels.file_choice import FileChoice
from studio.ui.session.jobs import Client
from studio.ui.widgets.controls import without_icons, wrapping
from studio.ui.widgets.layout import Item, column
from studio.ui.widgets.remark import Remark
from studio.ui.widgets.theme import GAP, title_font

RIM = 20
COLUMN_GAP = 28
PATIENCE_MS = 300
"""Work that takes longer is reported."""

CANCEL, CLOSE = QDialogButtonBox.StandardButton.Cancel, QDialogButtonBox.StandardButton.Close


class WorkDialog(QDialog):
    """Starts work when it is accepted, and closes once that has succeeded; a refusal is shown in it.

    Subclasses lay out `problem`, `state` and `buttons`, and return from `request` the work to do.
    """

    def __init__(
        self, title: str, verb: str, parent: QWidget | None, closing: QDialogButtonBox.StandardButton = CANCEL
    ) -> None:
        """`verb` is on the button that starts the work."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.problem, self.state = Remark("error"), Remark("hint")
        self.buttons = QDialogButtonBox()
        self.go: QPushButton = self.buttons.addButton(verb, QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setDefault(True)
        self.buttons.addButton(closing)
        without_icons(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.start: Callable[[Any, Client], object] | None = None
        """Starts the work of a request; without it the dialog only asks."""
        self._cancel: Callable[[], object] | None = None
        self._resting: list[QWidget] = []
        self._focused: QWidget | None = None
        self._late = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._late.timeout.connect(lambda: self.follow(0.0))

    def request(self) -> Any:
        """The work that is asked for."""
        raise NotImplementedError

    @property
    def is_working(self) -> bool:
        """Return whether the work is under way."""
        return self._cancel is not None

    def accept(self) -> None:
        """Start the work, or end where nobody does any."""
        if self.is_working:
            return
        if self.start is None:
            super().accept()
        else:
            self.problem.say("")
            self.start(self.request(), self)

    def reject(self) -> None:
        """Stop the work that is under way; without any, close."""
        if self._cancel is not None:
            self._cancel()
        else:
            super().reject()

    def wait(self, cancel: Callable[[], object]) -> None:
        """Let nothing but Cancel be pressed until the work ends."""
        self._cancel = cancel
        self._focused = QApplication.focusWidget()
        alone = Qt.FindChildOption.FindDirectChildrenOnly
        inside = [one for one in self.findChildren(QWidget, options=alone) if one not in (self.buttons, self.state)]
        kept = self.buttons.buttons()
        starters = [one for one in kept if self.buttons.buttonRole(one) is not QDialogButtonBox.ButtonRole.RejectRole]
        self._resting = [one for one in (*inside, *starters) if one.isEnabled()]
        for one in self._resting:
            one.setEnabled(False)
        self._late.start()

    def follow(self, done: float) -> None:
        """Show how far the work is, once it takes long."""
        if self.is_working and not self._late.isActive():
            self.state.say(tr("Working on it… {done}", done=share(done)))

    def refuse(self, sentence: str) -> None:
        """Show why the work failed; everything is as it was entered."""
        self._end()
        self.problem.say(sentence)
        self.adjust()
        if self._focused is not None:
            self._focused.setFocus()

    def succeed(self) -> None:
        """Close."""
        self._end()
        super().accept()

    def adjust(self) -> None:
        """Make room for what is shown now."""
        self.resize(self.size().expandedTo(self.sizeHint()))

    def _end(self) -> None:
        self._cancel = None
        self._late.stop()
        self.state.say("")
        for one in self._resting:
            one.setEnabled(True)
        self._resting = []


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
