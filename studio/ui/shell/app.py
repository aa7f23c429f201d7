"""Starts the studio: one application, one window, and what happens if either fails."""

from __future__ import annotations

import atexit
import gc
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QDateTime,
    QLocale,
    QMessageLogContext,
    QSocketNotifier,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
    qVersion,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from studio import __version__
from studio.atomic import write_bytes
from studio.checks.finding import Severity
from studio.errors import StudioError
from studio.files import store
from studio.home import shipped, state_folder
from studio.puzzles.registry import KINDS, USUAL, kind
from studio.texts import tr
from studio.ui.session.document import Document
from studio.ui.session.jobs import GARBAGE
from studio.ui.session.recovery import Copy, Recovery, left_behind
from studio.ui.shell.notices import Action
from studio.ui.shell.preferences import Preferences
from studio.ui.shell.window import Window, theme_for
from studio.ui.theme import apply
from studio.units import show_in

REPORT = "error report"
OFFER_MS = 500
"""When, after the window has come up, work left behind is looked for."""
BY_SIGNAL = 128
"""What shells add to the number of the signal that ended a program."""


PLATFORM_GRUMBLE = "This plugin does not support propagateSizeHints()"
"""What the platform without a display says of every window; it can be ignored."""


def _pass_on(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    if message != PLATFORM_GRUMBLE:
        sys.stderr.write(f"{message}\n")


def make_application() -> QApplication:
    """The one QApplication, named so that settings find their place."""
    if QApplication.instance() is None:
        qInstallMessageHandler(_pass_on)
        # Qt still has something to say when Python is gone already.
        atexit.register(qInstallMessageHandler, None)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("puzzle-studio")
    app.setOrganizationName("puzzle-studio")
    app.setApplicationDisplayName("")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("puzzle-studio")
    app.setWindowIcon(QIcon(str(shipped("desktop") / "puzzle-studio.svg")))
    return app


def run(paths: list[Path]) -> int:
    """Open the window on the first of some files, or on a new jigsaw; returns the exit code."""
    app = make_application()
    preferences = Preferences()
    show_in(preferences.unit())
    apply(app, theme_for(preferences.theme_choice()))
    document, problem = _first_document(paths)
    desk = _Desk(preferences)
    window = desk.show(document)
    if problem:
        window.notices.post(problem, Severity.ERROR)
    elif document.path:
        preferences.add_recent_file(document.path)
    if paths[1:]:
        others = ", ".join(path.name for path in paths[1:])
        window.notices.post(
            tr("Opened {file}; not opened: {others} (one puzzle per window).", file=paths[0].name, others=others),
            Severity.WARNING,
        )
    QTimer.singleShot(0, _begin_to_collect)
    QTimer.singleShot(OFFER_MS, window, desk.offer_copies)
    _heed_signals(desk)
    code = app.exec()
    if code < BY_SIGNAL:
        desk.recovery.forget()
    return code


def _begin_to_collect() -> None:
    """Start collecting garbage, leaving out what exists already: modules and a window, which stay."""
    gc.freeze()
    GARBAGE.allow()


class _Desk:
    """Holds the window; a window is made for one kind of puzzle, so a design of another kind gets a new one."""

    def __init__(self, preferences: Preferences, copies: Path | None = None) -> None:
        self._preferences = preferences
        self._copies = copies or state_folder()
        self._has_told_unkept = False
        self.window: Window
        self.recovery: Recovery

    def show(self, document: Document) -> Window:
        """Show a document in a window of its own."""
        window = self.window = Window(document, self._preferences)
        recovery = self.recovery = Recovery(document, self._copies, window)
        recovery.failed.connect(self._report_unsaved)
        _report_crashes(window, recovery)
        window.outgrown.connect(self._replace)
        window.begun.connect(lambda kind: self._take_over(Document(kind, kind.example())))
        window.show()
        return window

    def _replace(self, saved: store.Saved, path: Path | None, is_saved: bool) -> None:
        """Show a design of another kind that was opened, imported or restored."""
        document = Document(saved.kind, saved.design, path, saved.digest)
        self._take_over(document)
        if not is_saved:
            document.history.resetClean()

    def _take_over(self, document: Document) -> None:
        """Put a window for a document in the place of this one, which has asked whether it may close."""
        old, copy = self.window, self.recovery
        self._preferences.set_window_layout(old.saveGeometry(), old.saveState())
        self.show(document)
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
            _offer(copy, len(copies) - 1),
            Severity.WARNING,
            Action(tr("Restore"), lambda: self._restore(copy)),
            Action(tr("Discard"), lambda: self._discard(copy)),
        )

    def _restore(self, copy: Copy) -> None:
        """Open a copy, here or in a window of its kind; it goes once what was restored has a copy of its own."""
        if self.window.filing.restore(copy) and self.recovery.write() is not None:
            with suppress(OSError):
                copy.discard()
                self.offer_copies()

    def _discard(self, copy: Copy) -> None:
        """Discard a copy, which can be undone while the notice is shown, and offer the next."""
        try:
            content = copy.content()
            copy.discard()
        except OSError as problem:
            self.window.notices.post(
                tr("Could not delete the backup: {reason}.", reason=problem.strerror), Severity.ERROR
            )
            return

        def bring_back() -> None:
            try:
                for path, data in content.items():
                    write_bytes(path, data)
            except StudioError as problem:
                self.window.notices.post(str(problem), Severity.ERROR)
            self.offer_copies()

        self.offer_copies()
        self.window.notices.post(tr("Unsaved changes discarded."), action=Action(tr("Undo"), bring_back))

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


def _offer(copy: Copy, more: int) -> str:
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


def _heed_signals(desk: _Desk) -> None:
    """End the window where the system or a terminal asks for it; Qt's loop hears of it through a pair of sockets."""
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    notifier = QSocketNotifier(receiver.fileno(), QSocketNotifier.Type.Read, QApplication.instance())
    # Any Python lets Python see to its signals; both sockets live as long as the slot.
    notifier.activated.connect(lambda: (receiver.recv(64), sender.fileno()))
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _frame: desk.end(number))


def _first_document(paths: list[Path]) -> tuple[Document, str]:
    """The first file as a document; a new design, and why, where it cannot be opened."""
    if not paths:
        return _fresh_document(), ""
    try:
        saved = store.load(paths[0])
    except StudioError as problem:
        return _fresh_document(), str(problem)
    return Document(saved.kind, saved.design, paths[0], saved.digest), ""


def _fresh_document() -> Document:
    """A new design of the usual kind."""
    usual = kind(USUAL)
    return Document(usual, usual.example())


def _report_crashes(window: Window, recovery: Recovery) -> None:
    """A bug writes the recovery copy first, and is then shown once, with a report to copy."""

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        # Wanted only here; a start need not wait for them.
        import platform
        import traceback

        copy = recovery.write()
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
