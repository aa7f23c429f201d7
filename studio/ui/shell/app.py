"""Starts the studio: one application, one window, and what happens if either fails."""

from __future__ import annotations

import atexit
import sys
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QDateTime,
    QLocale,
    QMessageLogContext,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
    qVersion,
)
from PySide6.QtWidgets import QApplication, QMessageBox

from studio import __version__
from studio.atomic import write_bytes
from studio.checks.finding import Severity
from studio.errors import StudioError
from studio.files import store
from studio.puzzles.registry import USUAL
from studio.texts import tr
from studio.ui.session.document import Document
from studio.ui.session.recovery import Recovery, left_behind, state_folder
from studio.ui.shell.notices import Action
from studio.ui.shell.preferences import Preferences
from studio.ui.shell.window import Window, theme_for
from studio.ui.theme import apply
from studio.units import show_in

REPORT = tr("error report")
OFFER_MS = 500
"""When, after the window has come up, work left behind is looked for."""


PLATFORM_GRUMBLE = tr("This plugin does not support propagateSizeHints()")
"""What the platform without a display says of every window; it means nothing to anybody."""


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
        window.notices.tell(problem, Severity.ERROR)
    elif document.path:
        preferences.add_recent_file(document.path)
    if paths[1:]:
        others = ", ".join(path.name for path in paths[1:])
        window.notices.tell(
            tr("Opened {name}; not opened: {others} (one puzzle per window).", name=paths[0].name, others=others),
            Severity.WARNING,
        )
    QTimer.singleShot(OFFER_MS, window, desk.offer_copies)
    code = app.exec()
    desk.recovery.forget()
    return code


class _Desk:
    """Holds the window; a window is made for one kind of puzzle, so a design of another kind gets a new one."""

    def __init__(self, preferences: Preferences, copies: Path | None = None) -> None:
        self._preferences = preferences
        self._copies = copies or state_folder()
        self.window: Window
        self.recovery: Recovery

    def show(self, document: Document) -> Window:
        """Show a document in a window of its own."""
        window = self.window = Window(document, self._preferences)
        recovery = self.recovery = Recovery(document, self._copies, window)
        _report_crashes(window, recovery)
        window.outgrown.connect(self._replace)
        window.begun.connect(lambda kind: self._take_over(Document(kind, kind.example())))
        window.show()
        return window

    def _replace(self, saved: store.Saved, path: Path | None) -> None:
        """Show a design of another kind that was opened or, without a path, restored."""
        document = Document(saved.kind, saved.design, path)
        self._take_over(document)
        if path is None:
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
        """Offer the newest copy of unsaved work that a studio left behind."""
        copies = left_behind(self._copies)
        if not copies:
            return
        copy = copies[0]
        when = QLocale().toString(
            QDateTime.fromSecsSinceEpoch(int(copy.stat().st_mtime)), QLocale.FormatType.ShortFormat
        )  # fmt: skip
        more = tr(" (the newest of {copies})", copies=len(copies)) if len(copies) > 1 else ""
        self.window.notices.tell(
            tr(
                "Work of {when} that was not saved when the studio last ended is still there{more}.",
                when=when,
                more=more,
            ),
            Severity.WARNING,
            Action(tr("Restore"), lambda: self._restore(copy)),
            Action(tr("Discard"), lambda: self._discard(copy)),
        )

    def _restore(self, copy: Path) -> None:
        """Open a copy, here or in a window of its kind; it goes once what was restored has a copy of its own."""
        if self.window.filing.restore(copy) and self.recovery.write() is not None:
            copy.unlink(missing_ok=True)

    def _discard(self, copy: Path) -> None:
        """Throw a copy away, which can be taken back as long as it is told, and offer the next."""
        try:
            data = copy.read_bytes()
            copy.unlink()
        except OSError as problem:
            self.window.notices.tell(
                tr("Could not discard the copy: {strerror}.", strerror=problem.strerror), Severity.ERROR
            )
            return

        def bring_back() -> None:
            write_bytes(copy, data)
            self.offer_copies()

        self.offer_copies()
        self.window.notices.tell(tr("Unsaved changes discarded."), action=Action(tr("Undo"), bring_back))


def _first_document(paths: list[Path]) -> tuple[Document, str]:
    """The first file as a document; a new design, and why, where it cannot be opened."""
    if not paths:
        return Document(USUAL, USUAL.example()), ""
    try:
        saved = store.load(paths[0])
    except StudioError as problem:
        return Document(USUAL, USUAL.example()), str(problem)
    return Document(saved.kind, saved.design, paths[0]), ""


def _report_crashes(window: Window, recovery: Recovery) -> None:
    """A bug writes the recovery copy first, and is then told once, with a report to copy."""

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
            "Puzzle Studio {version}, Qt {qversion}, Python {python_version}",
            version=__version__,
            qversion=qVersion(),
            python_version=platform.python_version(),
        )
        box = QMessageBox(window)
        box.setObjectName(REPORT)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Critical)
        box.setWindowTitle(tr("Something went wrong"))
        kept = tr(" Your work is saved in a recovery copy.") if copy else ""
        box.setText(tr("Unexpected error.{kept}", kept=kept))
        box.setDetailedText(f"{facts}, {platform.platform()}\n\n{text}")
        box.open()

    sys.excepthook = report
