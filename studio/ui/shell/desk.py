"""Holds the window of a design, with the copies of unsaved work; a window is made for one kind of puzzle."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QDateTime, QLocale, Qt, qVersion
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from studio import __version__
from studio.atomic import write_bytes
from studio.checks.finding import Severity
from studio.errors import StudioError
from studio.home import state_folder
from studio.puzzles.registry import KINDS
from studio.texts import tr
from studio.ui.session.document import Document
from studio.ui.session.opening import Opened
from studio.ui.session.pipeline import InSight
from studio.ui.session.recovery import Copy, Recovery, left_behind
from studio.ui.shell.notices import Action, NoticeBar
from studio.ui.shell.preferences import Preferences
from studio.ui.shell.window import Window

REPORT = "error report"
BY_SIGNAL = 128
"""What shells add to the number of the signal that ended a program."""


class Desk:
    """Holds the window; a window is made for one kind of puzzle, so a design of another kind gets a new one."""

    def __init__(
        self, preferences: Preferences, copies: Path | None = None, go_home: Callable[[], None] | None = None
    ) -> None:
        self._preferences, self._go_home = preferences, go_home
        self._copies = copies or state_folder()
        self._has_told_unkept = False
        self.window: Window
        self.recovery: Recovery

    def show(self, document: Document, sight: InSight | None = None) -> Window:
        """Show a document in a window of its own; `sight` is what is known of its design already."""
        window = self.window = Window(document, self._preferences, sight=sight)
        recovery = self.recovery = Recovery(document, self._copies, window)
        recovery.failed.connect(self._report_unsaved)
        report_crashes(window, recovery)
        window.outgrown.connect(self._replace)
        window.begun.connect(lambda kind: self._take_over(Document(kind, kind.example())))
        window.home_wanted.connect(self._leave)
        window.show()
        return window

    def _leave(self) -> None:
        """Give the window up for the start page, where nothing unsaved is lost."""
        if self.window.session.writing.is_writing:
            self.window.notices.post(tr("Export in progress; please wait."), Severity.WARNING)
            return
        if self._go_home is None or not self.window.filing.may_close():
            return
        self._preferences.set_window_layout(self.window.saveGeometry(), self.window.saveState())
        self._go_home()
        self.recovery.forget()
        self.window.give_up()
        self.window.deleteLater()

    def restore(self, copy: Copy, found: Opened) -> None:
        """Show what was found in a copy, which goes once the work has one of its own."""
        document = Document(found.saved.kind, found.saved.design, copy.file, copy.digest)
        self.show(document, found.sight)
        document.history.resetClean()
        if self.recovery.write() is not None:
            with suppress(OSError):
                copy.discard()
        self.offer_copies()

    def _replace(self, found: Opened, path: Path | None, is_saved: bool) -> None:
        """Show a design of another kind that was opened, imported or restored."""
        document = Document(found.saved.kind, found.saved.design, path, found.saved.digest)
        self._take_over(document, found.sight)
        if not is_saved:
            document.history.resetClean()

    def _take_over(self, document: Document, sight: InSight | None = None) -> None:
        """Put a window for a document in the place of this one, which has asked whether it may close."""
        old, copy = self.window, self.recovery
        self._preferences.set_window_layout(old.saveGeometry(), old.saveState())
        self.show(document, sight)
        copy.forget()
        old.give_up()
        old.deleteLater()

    def offer_copies(self) -> None:
        """Offer the newest copy of unsaved work that a studio left behind; the next follows when it is dealt with."""
        copies = left_behind(self._copies)
        if not copies:
            return
        copy = copies[0]
        self.window.notices.post(
            offer(copy, len(copies) - 1),
            Severity.WARNING,
            Action(tr("Restore"), lambda: self._restore(copy)),
            Action(tr("Discard"), lambda: self._discard(copy)),
        )

    def _restore(self, copy: Copy) -> None:
        """Open a copy, here or in a window of its kind; it goes once what was restored has a copy of its own."""

        def restored() -> None:
            if self.recovery.write() is not None:
                with suppress(OSError):
                    copy.discard()
                    self.offer_copies()

        self.window.filing.restore(copy, restored)

    def _discard(self, copy: Copy) -> None:
        """Discard a copy, which can be undone while the notice is shown, and offer the next."""
        discard(copy, self.window.notices, self.offer_copies)

    def _report_unsaved(self, sentence: str) -> None:
        """Say that there are no copies of unsaved work, once however many windows follow each other."""
        if not self._has_told_unkept:
            self._has_told_unkept = True
            self.window.notices.post(sentence, Severity.WARNING)

    def end(self, number: int) -> None:
        """End at the system's request, without a question: unsaved work stays as a copy that the next start offers."""
        if self.window.document.is_modified:
            self.recovery.write()
        self.recovery.let_go()
        self.window.jobs.close()
        # A history that is cleared still signals it, and the window may be gone by then.
        self.window.document.history.blockSignals(True)
        QApplication.exit(BY_SIGNAL + number)


def discard(copy: Copy, notices: NoticeBar, then: Callable[[], None]) -> None:
    """Discard a copy, which can be undone while the notice is shown; `then` lists those that there are."""
    try:
        content = copy.content()
        copy.discard()
    except OSError as problem:
        notices.post(tr("Could not delete the backup: {reason}.", reason=problem.strerror), Severity.ERROR)
        return

    def bring_back() -> None:
        try:
            for path, data in content.items():
                write_bytes(path, data)
        except StudioError as problem:
            notices.post(str(problem), Severity.ERROR)
        then()

    then()
    notices.post(tr("Unsaved changes discarded."), action=Action(tr("Undo"), bring_back))


def offer(copy: Copy, more: int = 0) -> str:
    """What is said of a copy, and of how many others there are."""
    when = QLocale().toString(QDateTime.fromSecsSinceEpoch(int(copy.seconds)), QLocale.FormatType.ShortFormat)
    kind = KINDS[copy.kind].noun if copy.kind in KINDS else tr("puzzle")
    if copy.file is not None:
        sentence = tr("Unsaved changes to {file} ({kind}) from {when} can be restored.", file=copy.file.name,
                      kind=kind, when=when)  # fmt: skip
    else:
        sentence = tr("An unsaved {kind} from {when} can be restored.", kind=kind, when=when)
    if not more:
        return sentence
    return tr("{sentence} {count} more will be offered next.", sentence=sentence, count=more)


def report_crashes(window: QWidget, recovery: Recovery | None) -> None:
    """A bug writes the recovery copy first, and is then shown once, with a report to copy."""

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        # Wanted only here; a start need not wait for them.
        import platform
        import traceback

        copy = None if recovery is None else recovery.write()
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        if window.findChild(QMessageBox, REPORT) is not None:
            # One fault may come back with every repaint.
            return
        facts = tr(
            "Puzzle Studio {version}, Qt {qt}, Python {python}",
            version=__version__,
            qt=qVersion(),
            python=platform.python_version(),
        )
        box = QMessageBox(window)
        box.setObjectName(REPORT)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Critical)
        box.setWindowTitle(tr("Something went wrong"))
        box.setText(tr("Unexpected error. Your work is backed up.") if copy else tr("Unexpected error."))
        box.setDetailedText(f"{facts}, {platform.platform()}\n\n{text}")
        box.open()

    sys.excepthook = report
