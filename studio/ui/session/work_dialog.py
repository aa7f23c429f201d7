"""Dialogs that start work and stay open until it has succeeded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QPushButton, QWidget

from studio.base.amounts import share
from studio.base.texts import tr
from studio.ui.session.jobs import Client
from studio.ui.widgets.controls import without_icons
from studio.ui.widgets.layout import resize_on_screen
from studio.ui.widgets.remark import Remark

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
        resize_on_screen(self, self.size().expandedTo(self.sizeHint()))

    def _end(self) -> None:
        self._cancel = None
        self._late.stop()
        self.state.say("")
        for one in self._resting:
            one.setEnabled(True)
        self._resting = []
