"""Questions to the user, and dialogs that start work and stay open until it has succeeded."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QColorDialog,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QMessageBox,
    QPushButton,
    QWidget,
)

from studio.base.amounts import share
from studio.base.texts import tr, visible
from studio.files import SUFFIX
from studio.ui.session.jobs import Client
from studio.ui.widgets.controls import Remark, with_mnemonics, without_icons
from studio.ui.widgets.layout import fit_on_screen

# Dialogs that start work and stay open until it has succeeded

PATIENCE_MS = 300
"""Work that takes longer is reported."""


CANCEL, CLOSE = QDialogButtonBox.StandardButton.Cancel, QDialogButtonBox.StandardButton.Close


class WorkDialog(QDialog):
    """Starts work when it is accepted, and closes once that has succeeded; shows refusals.

    Subclasses lay out `problem`, `state` and `buttons`, and return the work to do from `request`.
    """

    def __init__(
        self, title: str, verb: str, parent: QWidget | None, closing: QDialogButtonBox.StandardButton = CANCEL
    ) -> None:
        """`verb` labels the button that starts the work."""
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
        """Return the request for the work."""
        raise NotImplementedError

    @property
    def is_working(self) -> bool:
        """Return whether the work is under way."""
        return self._cancel is not None

    def accept(self) -> None:
        """Start the work, or end if there is none to start."""
        if self.is_working:
            return
        if self.start is None:
            super().accept()
        else:
            self.problem.say("")
            self.start(self.request(), self)

    def reject(self) -> None:
        """Stop the running work; without any, close."""
        if self._cancel is not None:
            self._cancel()
        else:
            super().reject()

    def wait(self, cancel: Callable[[], object]) -> None:
        """Disable everything but Cancel until the work ends."""
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
        """Show the progress of work that takes long."""
        if self.is_working and not self._late.isActive():
            self.state.say(tr("Working on it… {done}", done=share(done)))

    def refuse(self, sentence: str) -> None:
        """Show why the work failed; all entries stay."""
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
        """Make room for the present content."""
        fit_on_screen(self)

    def _end(self) -> None:
        self._cancel = None
        self._late.stop()
        self.state.say("")
        for one in self._resting:
            one.setEnabled(True)
        self._resting = []
        # A dialog makes Cancel its default while the other buttons are disabled.
        self.go.setDefault(True)


R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")
FileMode = QFileDialog.FileMode
FILTER = tr("Puzzles (*{suffix})", suffix=SUFFIX)


class Unsaved(Enum):
    """Decision about unsaved changes."""

    SAVE = auto()
    DISCARD = auto()
    CANCEL = auto()


class Changed(Enum):
    """Decision about a file changed by another program."""

    REPLACE = auto()
    SAVE_AS = auto()
    CANCEL = auto()


class Asking(Protocol[R_co]):
    """A dialog that ends in a request."""

    def exec(self) -> int:
        """Ask; return whether it was accepted."""

    def request(self) -> R_co:
        """Return the request."""


class Dialogs:
    """The questions, asked in the desktop's own dialogs; in the studio's own, F1 calls `help`."""

    def __init__(self, parent: QWidget | None, help: Callable[[], object] | None = None) -> None:
        self.parent = parent
        self._help = help

    def open_path(self, folder: Path, title: str = tr("Open puzzle"), kinds: str = FILTER) -> Path | None:
        """Ask for a file to open; `kinds` is a filter such as `Games (*.game)`."""
        chosen, _ = self._files(title, folder, kinds, FileMode.ExistingFile)
        return chosen[0] if chosen else None

    def import_paths(self, folder: Path) -> list[Path]:
        """Ask for files of other formats to read a puzzle from."""
        from studio.files.store import imported_suffixes

        suffixes = sorted(imported_suffixes())
        kinds = tr("Puzzles in other formats ({suffix})", suffix=" ".join(f"*{suffix}" for suffix in suffixes))
        return self._files(tr("Import puzzle"), folder, kinds, FileMode.ExistingFiles)[0]

    def save_path(self, suggested: Path) -> Path | None:
        """Ask for a file to save to; a missing suffix is added."""
        chosen, _ = self._files(tr("Save puzzle"), suggested, FILTER, FileMode.AnyFile)
        if not chosen:
            return None
        path = chosen[0]
        if path.suffix.lower() == SUFFIX:
            return path
        return self._named(path.with_name(path.name + SUFFIX))

    def file_path(self, title: str, suggested: Path, filters: Sequence[str]) -> Path | None:
        """Ask for a file to write; a missing extension is taken from the filter, `PDF (*.pdf)`."""
        chosen, words = self._files(title, suggested, ";;".join(filters), FileMode.AnyFile)
        if not chosen:
            return None
        path = chosen[0]
        if path.suffix:
            return path
        return self._named(path.with_suffix(words.partition("*")[2].rstrip(")") or suggested.suffix))

    def folder_path(self, title: str, suggested: Path) -> Path | None:
        """Ask for a folder to write to."""
        chosen, _ = self._files(title, suggested, "", FileMode.Directory)
        return chosen[0] if chosen else None

    def _files(self, title: str, place: Path, kinds: str, mode: QFileDialog.FileMode) -> tuple[list[Path], str]:
        """Return the chosen paths, none if cancelled, and the chosen filter; AnyFile is for a file to be written."""
        dialog = QFileDialog(self.parent, title, str(place), kinds)
        dialog.setFileMode(mode)
        if mode is FileMode.AnyFile:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.selectFile(place.name)
        elif mode is FileMode.Directory:
            dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        chosen = dialog.selectedFiles() if _run(dialog) else []
        return [Path(path) for path in chosen], dialog.selectedNameFilter()

    def _named(self, path: Path) -> Path | None:
        """Return a path with its extension added, after asking about a file of that name."""
        if not os.path.exists(path):
            return path
        words = tr("{name} already exists. Replace it?", name=path.name)
        answer = QMessageBox.question(self.parent, tr("Replace file"), words)
        return path if answer == QMessageBox.StandardButton.Yes else None

    def choice(self, title: str, words: str, values: Sequence[str]) -> str | None:
        """Ask for one of some values, the first preselected; None if cancelled."""
        chosen, is_chosen = QInputDialog.getItem(self.parent, title, words, [*values], 0, False)
        return chosen if is_chosen else None

    def colour(self, title: str, now: QColor) -> QColor | None:
        """Ask for a colour; None if cancelled."""
        dialog = QColorDialog(now, self.parent)
        dialog.setWindowTitle(title)
        return dialog.selectedColor() if _run(dialog) else None

    def unsaved(self, title: str) -> Unsaved:
        """Ask about unsaved changes of a design."""
        return self._unsaved(tr("Unsaved changes"), tr("Save changes to “{title}”?", title=title))

    def unsaved_game(self, title: str) -> Unsaved:
        """Ask about unsaved moves of a game."""
        return self._unsaved(tr("Unsaved game"), tr("Save your game of “{title}”?", title=title), tr("Save game"))

    def changed(self, name: str) -> Changed:
        """Ask about saving to a file that another program has changed meanwhile."""
        box = QMessageBox(self.parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(tr("File changed on disk"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(tr("“{name}” was changed by another program since you opened or saved it. Replace it?", name=name))
        replace = box.addButton(tr("Replace"), QMessageBox.ButtonRole.DestructiveRole)
        save_as = box.addButton(tr("Save as…"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(save_as)
        _mark(box)
        box.exec()
        chosen = box.clickedButton()
        return Changed.REPLACE if chosen is replace else Changed.SAVE_AS if chosen is save_as else Changed.CANCEL

    def _unsaved(self, title: str, words: str, save: str = "") -> Unsaved:
        box = QMessageBox(self.parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(visible(title))
        box.setText(visible(words))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        if save:
            box.button(buttons.Save).setText(save)
        _mark(box)
        known = {buttons.Save.value: Unsaved.SAVE, buttons.Discard.value: Unsaved.DISCARD}
        return known.get(box.exec(), Unsaved.CANCEL)

    def ask(self, dialog: Asking[R]) -> R | None:
        """Return the request of a dialog; None if it is cancelled."""
        self._prepare(dialog)
        return dialog.request() if dialog.exec() else None

    def carry_out(self, dialog: WorkDialog, start: Callable[[Any, Client], object]) -> None:
        """Ask, and start the work of each request; the dialog stays open until work has succeeded."""
        self._prepare(dialog)
        dialog.start = start
        dialog.exec()

    def show(self, dialog: QDialog) -> None:
        """Show a dialog that makes its changes at once, until it is closed."""
        self._prepare(dialog)
        dialog.exec()

    def _prepare(self, dialog: object) -> None:
        """Fit a dialog to the screen; it blocks its own window alone, so that F1 can show the manual beside it."""
        if isinstance(dialog, QDialog):
            fit_on_screen(dialog)
        if self._help is not None and isinstance(dialog, QDialog) and dialog.parentWidget() is not None:
            dialog.setWindowModality(Qt.WindowModality.WindowModal)
            QShortcut(QKeySequence("F1"), dialog).activated.connect(self._help)


def _run(dialog: QDialog) -> int:
    """Show one of Qt's own dialogs, bounded by the screen, until it is closed; return whether it was accepted."""
    fit_on_screen(dialog)
    answer = dialog.exec()
    dialog.deleteLater()
    return answer


def _mark(box: QMessageBox) -> None:
    """Give each button of a question its own mnemonic."""
    buttons = box.buttons()
    titles = (button.text().replace("&", "") for button in buttons)
    for button, title in zip(buttons, with_mnemonics(titles), strict=True):
        button.setText(title)
