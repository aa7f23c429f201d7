"""Starts the studio: one application, and its window with the start page and the open designs.

The start page loads nothing of the puzzles; the modules of their window are loaded when one is chosen.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QMessageLogContext, QSocketNotifier, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QCursor, QIcon
from PySide6.QtWidgets import QApplication

from studio import DESKTOP_ID, __version__
from studio.base.errors import StudioError
from studio.base.folders import shipped, state_folder
from studio.base.progress import lazy
from studio.base.texts import tr
from studio.base.units import show_in
from studio.files import SUFFIX
from studio.puzzles.registry import KINDS, USUAL, kind, own_module
from studio.ui.session.jobs import GARBAGE
from studio.ui.session.preferences import Preferences, theme_for
from studio.ui.widgets.theme import apply

if TYPE_CHECKING:
    from studio.base.progress import Progress
    from studio.base.units import Unit
    from studio.ui.session.notices import NoticeBar
    from studio.ui.session.opening import Opened, Opener
    from studio.ui.session.preferences import ThemeChoice
    from studio.ui.session.recovery import Copy
    from studio.ui.shell.open_documents import OpenDocuments
    from studio.ui.shell.start import StartPage
    from studio.ui.shell.tabs import Shell
    from studio.ui.shell.window import Window

_watch_keys = lazy("studio.ui.shell.shortcuts:LatinKeys")
HEED_MS = 50
"""Delay after the start page appears until signals are heeded: before, there is nothing to lose."""
KEYS_MS = 1000
"""Delay after the window appears until keys of layouts without Latin letters are understood."""
OFFER_MS = 500
"""Delay after a design's window appears until unsaved work is looked for."""
AT_START = 2.0
"""Seconds that a start waits for its file, before it shows the start page meanwhile."""
SOON_MS = 800
"""Delay after the start page appears until the modules of a design's window are loaded ahead of a click."""
BY_SIGNAL = 128
"""Exit code of a program ended by a signal, less the signal's number."""
TURN_SECONDS = 0.001
"""Seconds a thread may hold Python while a frame waits, which needs it a hundred times: 5 ms would delay it."""
PLATFORM_GRUMBLE = "This plugin does not support propagateSizeHints()"
"""Warning of the platform without a display about every window; harmless."""


def _pass_on(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    if message != PLATFORM_GRUMBLE:
        sys.stderr.write(f"{message}\n")


def make_application() -> QApplication:
    """Return the one QApplication, named so that settings find their place."""
    if QApplication.instance() is None:
        qInstallMessageHandler(_pass_on)
        # Qt may still log messages after Python has ended.
        atexit.register(qInstallMessageHandler, None)
        sys.setswitchinterval(TURN_SECONDS)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("puzzle-studio")
    app.setOrganizationName("puzzle-studio")
    app.setApplicationDisplayName("")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(DESKTOP_ID)
    app.setWindowIcon(QIcon(str(shipped("desktop") / f"{DESKTOP_ID}.svg")))
    return app


def run(paths: list[Path]) -> int:
    """Open the window on some files, or on the start page without any; return the exit code."""
    app = make_application()
    preferences = Preferences()
    show_in(preferences.unit())
    apply(app, theme_for(preferences.theme_choice()))
    house = _House(preferences)
    if paths:
        house.open(paths)
        _heed_signals(house)
    else:
        house.start()
        QTimer.singleShot(HEED_MS, app, lambda: _heed_signals(house))
    QTimer.singleShot(0, _begin_to_collect)
    QTimer.singleShot(KEYS_MS, app, partial(_watch_keys, app))
    code = app.exec()
    if code < BY_SIGNAL and house.desk is not None:
        house.desk.forget_copies()
    return code


def _begin_to_collect() -> None:
    """Start collecting garbage, except existing objects: modules and a window, which stay."""

    gc.freeze()
    GARBAGE.allow()


def _load_windows(progress: Progress) -> None:
    """Load the modules of the window, then each kind's; shaping its example loads the libraries."""
    import_module("studio.ui.shell.open_documents")
    for key in KINDS:
        progress.step(0.0)
        found = kind(key)
        found.shape(found.example(), None, progress)
        own_module(key, "studio.ui.kinds", "extension")


class _House:
    """The window with its tabs: the start page, and the desk with the open designs."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        preferences.lost.connect(self._warn)
        self._copies = state_folder()
        self._is_ending = False
        self.page: StartPage | None = None
        self.desk: OpenDocuments | None = None
        """The open designs; None before the first."""

    @cached_property
    def shell(self) -> Shell:
        """The window, hidden until there is something to see in it."""
        from studio.ui.shell.tabs import Shell

        if self.desk is None:
            sys.excepthook = self._report
        return Shell(self._preferences, lambda _page: self._made_page())

    def start(self) -> None:
        """Show the start page."""
        self.shell.show_start()
        self.shell.show()
        # A lambda, not a method: Qt would not keep the house of a window that is closed before.
        QTimer.singleShot(SOON_MS, self.shell, lambda: self._opener.jobs.start("loading", _load_windows))

    def _made_page(self) -> StartPage:
        """Return an up-to-date start page: a new one if files were opened or saved meanwhile."""
        from studio.ui.shell.start import StartPage

        page = self.page
        if page is None or not page.is_current:
            page = self.page = StartPage(self._preferences)
            page.kind_chosen.connect(self._begin)
            page.file_chosen.connect(self._open)
            page.files_dropped.connect(self._take_files)
            page.text_brought.connect(self._take_text)
            page.image_brought.connect(lambda data: self._begin(USUAL).extension.take_image(data))
            page.import_wanted.connect(self._import)
            page.theme_chosen.connect(self._choose_theme)
            page.unit_chosen.connect(self._choose_unit)
            page.sample_chosen.connect(self._open_sample)
            page.restore_wanted.connect(lambda copies: self._have_desk().restore(copies, self._opener))
            page.discard_wanted.connect(self._discard)
        self._list_copies()
        return page

    def open(self, paths: list[Path]) -> None:
        """Show files, each in a tab; the start page while the first takes long, or if none can be opened."""
        self._open_file(paths[0], partial(self._look_around, paths), AT_START)

    def open_all(self, paths: list[Path], before: tuple[Path, ...] = ()) -> None:
        """Open files one after the other, each in a tab behind the tab of the last one `before`."""
        if paths:
            first, *others = paths
            self._open_file(first, partial(self.open_all, others, (*before, first)), before=before)

    def _look_around(self, paths: list[Path]) -> None:
        """Open the other files after the first, and offer unsaved work."""
        self.open_all(paths[1:], (paths[0],))
        if self.desk is not None and self.desk.windows:
            QTimer.singleShot(OFFER_MS, self.desk.window, self.desk.offer_copies)

    @cached_property
    def _opener(self) -> Opener:
        from studio.ui.session.jobs import Jobs
        from studio.ui.session.opening import Opener

        jobs = Jobs()
        make_application().aboutToQuit.connect(jobs.close)
        return Opener(jobs, self._notices)

    def _notices(self) -> NoticeBar:
        """Return the notices of the tab in sight; without a tab, show the start page and return its own."""
        if self.desk is not None and self.shell.page is not None:
            return self.desk.window.notices
        if self.page is None:
            self.start()
        assert self.page is not None
        return self.page.notices

    def _warn(self, sentence: str) -> None:
        from studio.checks.finding import Severity

        self._notices().post(sentence, Severity.WARNING)

    def _have_desk(self) -> OpenDocuments:
        from studio.ui.shell.open_documents import OpenDocuments

        if self.desk is None:
            self.desk = OpenDocuments(self._preferences, self._copies, self.shell)
            self.desk.files_dropped = self.open_all
        return self.desk

    def _begin(self, key: str) -> Window:
        from studio.ui.session.document import Document

        self._opener.give_up()
        chosen = kind(key)
        return self._have_desk().show(Document(chosen, chosen.example()))

    def _open(self, path: Path | None) -> None:
        if path is None:
            from studio.ui.session.dialogs import Dialogs

            path = Dialogs(self.shell).open_path(self._preferences.folder("open", Path.home()))
            if path is None:
                return
        self._open_file(path)

    def _import(self) -> None:
        from studio.ui.session.dialogs import Dialogs

        paths = Dialogs(self.shell).import_paths(self._preferences.folder("import", Path.home()))
        if paths:
            self._preferences.set_folder("import", paths[0].absolute().parent)
            self._read(paths)

    def _read(self, paths: list[Path]) -> None:
        from studio.files.store import import_files

        self._opener.read(paths[0].name, partial(import_files, paths, None), self._show_read)

    def _show_read(self, found: Opened) -> None:
        """Show an imported design, which has no file yet."""
        self._have_desk().open(found, None, is_saved=False, is_shown=self._is_awaited)

    def _take_files(self, paths: list[Path]) -> None:
        """Open dropped files: puzzles, pictures and drawings for a jigsaw, and files of other programs."""
        from studio.files.store import imported_suffixes

        puzzles = [path for path in paths if path.suffix.lower() == SUFFIX]
        others = [path for path in paths if path not in puzzles]
        self.open_all(puzzles)
        if not others:
            return
        usual = own_module(USUAL, "studio.ui.kinds", "extension")
        assert usual is not None
        if others[0].suffix.lower() in usual.EXTENSION.droppable:
            window = self._begin(USUAL)
            window.extension.drop(others[0], QCursor.pos())
        elif others[0].suffix.lower() in imported_suffixes() or not puzzles:
            self._read(others)

    def _take_text(self, text: str) -> None:
        from studio.checks.finding import Severity
        from studio.files.store import import_text, is_text
        from studio.ui.shell.filing import NOTHING_TO_PASTE

        if is_text(text):
            self._opener.read(tr("the text"), partial(import_text, text, None), self._show_read)
        else:
            self._notices().post(NOTHING_TO_PASTE, Severity.WARNING)

    def _choose_theme(self, choice: ThemeChoice) -> None:
        from studio.ui.shell.menus import take_theme

        take_theme(self._preferences, choice)
        self._follow_choices()
        # The page's pictures are made for a theme.
        self.shell.show_start()

    def _choose_unit(self, unit: Unit) -> None:
        from studio.ui.shell.menus import take_unit

        take_unit(self._preferences, unit)
        self._follow_choices()

    def _follow_choices(self) -> None:
        for window in [] if self.desk is None else self.desk.windows:
            window.follow_choices()

    def _open_file(
        self, path: Path, then: Callable[[], object] = lambda: None, patience: float | None = None,
        before: Sequence[Path] = (),
    ) -> None:  # fmt: skip
        """Open a file in a tab of its own, or show the tab where it is open; report failure as a notice.

        `then` is called after either. The tab comes behind the tab of the last open file of `before`.
        """
        from studio.checks.finding import Severity

        def opened(found: Opened) -> None:
            self._preferences.add_recent_file(path)
            self._preferences.set_folder("open", path.absolute().parent)
            desk = self._have_desk()
            desk.open(found, path, is_saved=True, place=desk.place_behind(before), is_shown=self._is_awaited)
            then()

        def failed(problem: StudioError) -> None:
            self._preferences.forget_recent_file(path)
            self._notices().post(str(problem), Severity.ERROR)
            then()

        if self.desk is not None and self.desk.show_file(path):
            then()
        else:
            self._opener.open(path, opened, failed, patience)

    @property
    def _is_awaited(self) -> bool:
        """True if an opened file may come in sight: a maker at work in a tab is not taken away from it."""
        return self.desk is None or self.shell.page is None

    def _open_sample(self, path: Path) -> None:
        self._opener.open(
            path, lambda found: self._have_desk().open(found, None, is_saved=True, is_shown=self._is_awaited)
        )

    def _list_copies(self) -> None:
        """List unsaved work; without any, load nothing for it."""
        assert self.page is not None
        names: list[str] = []
        with suppress(OSError):
            names = os.listdir(self._copies) if self._copies is not None else []
        if not any(name.endswith(SUFFIX) for name in names):
            self.page.show_copies([])
            return
        from studio.ui.session.recovery import left_behind

        self.page.show_copies(left_behind(self._copies))

    def _discard(self, copy: Copy) -> None:
        from studio.ui.shell.unsaved_work import discard

        assert self.page is not None
        discard(copy, self.page.notices, self._list_copies)

    def _report(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Show a bug on the start page like all others; a desk reports its own."""
        from studio.ui.shell.open_documents import report_crashes

        if self.page is None:
            sys.__excepthook__(kind, error, trace)
        else:
            report_crashes(self.shell)
            sys.excepthook(kind, error, trace)

    def end(self, number: int) -> None:
        """End without a question, as the system requests; once, since a second request may find windows gone."""
        if self._is_ending:
            return
        self._is_ending = True
        if self.desk is not None:
            self.desk.end(number)
        else:
            QApplication.exit(BY_SIGNAL + number)


def _heed_signals(house: _House) -> None:
    """End the window if the system or a terminal requests it; Qt's loop is woken through a pair of sockets."""
    import socket

    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    notifier = QSocketNotifier(receiver.fileno(), QSocketNotifier.Type.Read, QApplication.instance())
    # Running any Python code lets Python handle its signals; both sockets live as long as the slot.
    notifier.activated.connect(lambda: (receiver.recv(64), sender.fileno()))
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _frame: house.end(number))
