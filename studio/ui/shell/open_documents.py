"""Holds the open designs, each in a tab of the studio's window, with the copies of their unsaved work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import Qt, QTimer, qVersion
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from studio import __version__
from studio.base.errors import StudioError
from studio.base.folders import state_folder
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.files import store
from studio.puzzles.abilities.playable import Log
from studio.ui.session.document import Document
from studio.ui.session.games import VIEW
from studio.ui.session.notices import Action
from studio.ui.session.opening import Opened, Opener
from studio.ui.session.pipeline import InSight
from studio.ui.session.preferences import Preferences
from studio.ui.session.recovery import Copy, Recovery, left_behind
from studio.ui.shell.tabs import Shell
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import kind_icon

REPORT = "error report"
BY_SIGNAL = 128
"""Exit code of a program ended by a signal, less the signal's number."""


class OpenDocuments:
    """Holds the open designs, each in a tab with a copy of its unsaved work."""

    def __init__(self, preferences: Preferences, copies: Path | None = None, shell: Shell | None = None) -> None:
        self._preferences = preferences
        self._copies = copies or state_folder()
        self._has_told_unkept = False
        self.shell = shell or Shell(preferences)
        self.shell.leave = self.leave
        self._kept: dict[QWidget, tuple[Window, Recovery]] = {}
        self._last: Window | None = None
        self.files_dropped: Callable[[list[Path]], object] = lambda paths: None
        """Opens files, each in a tab of its own."""
        # Lambdas, since Qt would not keep the desk for its methods.
        self.shell.closing.connect(lambda page: self.close(self._kept[page][0]))
        self.shell.turned.connect(lambda: self._turned())
        self.shell.returned.connect(lambda: self._look_at_file())

    @property
    def windows(self) -> list[Window]:
        """The open designs, in the order of their tabs."""
        return [self._kept[page][0] for page in self.shell.pages]

    @property
    def window(self) -> Window:
        """The design in sight, or the last one in sight; there must be one."""
        assert self._last is not None
        return self._last

    @property
    def recovery(self) -> Recovery:
        """The keeper of unsaved work of that design."""
        return self._kept[self.window][1]

    def show(
        self, document: Document, sight: InSight | None = None, place: int | None = None, *, is_shown: bool = True,
        instead: Window | None = None,
    ) -> Window:  # fmt: skip
        """Open a document in a tab of its own, behind the one in sight or at a place, and show it.

        `sight` is the known result for its design, `instead` a design that closes in its favour.
        """
        if self.shell.page is not None:
            self.window.keep_layout()
        untitled = [each.document for each in self.windows if each is not instead and each.document.path is None]
        taken = {each.number for each in untitled if each.kind is document.kind}
        document.number = next(number for number in count(1) if number not in taken)
        window = Window(document, self._preferences, sight=sight)
        session = window.session
        recovery = Recovery(document, self._copies, window, session.games, window.facts, session.jobs)
        self._kept[window] = window, recovery
        recovery.failed.connect(lambda sentence: self._report_unsaved(window, sentence))
        report_crashes(self.shell, self._backed_up)
        window.filing.opened.connect(lambda found, path, is_saved: self._opened(window, found, path, is_saved))
        window.filing.begun.connect(lambda kind: self.show(Document(kind, kind.example())))
        window.files_dropped.connect(lambda paths: self.files_dropped(paths))
        window.renamed.connect(lambda: self._rename(window))
        window.chosen.connect(lambda: self._follow_choices(window))
        window.home_wanted.connect(self.shell.show_start)
        window.stepped.connect(self.shell.step)
        # Deferred, since the calling action belongs to the closing tab.
        window.closing.connect(lambda: QTimer.singleShot(0, window, lambda: self.close(window)))
        window.quit_wanted.connect(lambda: QTimer.singleShot(0, self.shell, self.shell.close))
        window.filing.show_open = self.show_file
        window.filing.is_open_elsewhere = lambda path: self._find(path) not in (None, window)
        self.shell.add(window, kind_icon(document.kind.key), place, is_shown=is_shown)
        self._rename(window)
        self.shell.show()
        return window

    # Tabs

    def _rename(self, window: Window) -> None:
        document = window.document
        self.shell.rename(window, document.title, str(document.path or document.title))

    def _turned(self) -> None:
        page = self.shell.page
        if page is not None:
            self._last = self._kept[page][0]
            self._look_at_file()

    def _look_at_file(self) -> None:
        page = self.shell.page
        if page is not None:
            self._kept[page][0].filing.watch.look_soon()

    def _follow_choices(self, chosen_in: Window) -> None:
        for window in self.windows:
            if window is not chosen_in:
                window.follow_choices()

    def _find(self, path: Path) -> Window | None:
        place = _place(path)
        return next((each for each in self.windows if each.document.path and _place(each.document.path) == place), None)

    def place_behind(self, paths: Sequence[Path]) -> int | None:
        """Return the tab index behind the last open file of some; None if none is open."""
        opened = [window for window in map(self._find, paths) if window is not None]
        return self.windows.index(opened[-1]) + 1 if opened else None

    def show_file(self, path: Path) -> bool:
        """Show the tab of a file, if it is open; return whether it is."""
        window = self._find(path)
        if window is not None:
            self.shell.show_page(window)
        return window is not None

    def open(self, found: Opened, path: Path | None, *, is_saved: bool, place: int | None = None,
             is_shown: bool = True, instead: Window | None = None) -> None:  # fmt: skip
        """Open a design in a tab of its own, with changes unless it is saved at its path."""
        if is_saved and path is not None and self.show_file(path):
            return
        document = Document(found.saved.kind, found.saved.design, path, found.saved.digest if path else "")
        document.name = found.saved.name
        window = self.show(document, found.sight, place, is_shown=is_shown, instead=instead)
        if found.saved.notes:
            window.notices.post(" ".join(found.saved.notes), Severity.WARNING)
        if not is_saved:
            document.history.resetClean()

    def _opened(self, window: Window, found: Opened, path: Path | None, is_saved: bool) -> None:
        """Open a requested design in a tab; an untouched new design makes room for it."""
        is_current = self.shell.page is window
        if window.filing.is_untouched and not window.session.writing.is_writing:
            place = self.windows.index(window)
            self.open(found, path, is_saved=is_saved, place=place, is_shown=is_current, instead=window)
            QTimer.singleShot(0, window, lambda: self.close(window))
        else:
            # A maker who has gone on to another tab stays there.
            self.open(found, path, is_saved=is_saved, place=self.windows.index(window) + 1, is_shown=is_current)

    def close(self, window: Window) -> bool:
        """Close a design, after asking about unsaved changes; return whether it is closed."""
        if window not in self._kept:
            return True
        if window.would_ask:
            self.shell.show_page(window)
        if not window.may_close():
            return False
        if self.shell.page is window:
            window.keep_layout()
        self.shell.remove(window)
        window.give_up()
        self._kept.pop(window)[1].forget()
        if self._last is window:
            self._last = None
        window.deleteLater()
        # Lambdas connected to the document would keep it alive.
        window.document.deleteLater()
        return True

    def leave(self) -> bool:
        """Close all designs, after asking about each with unsaved work; return whether all could be closed."""
        windows = self.windows
        if self.shell.page is not None:
            windows.sort(key=lambda each: each is not self.window)
            self.window.keep_layout()
        for window in windows:
            if window.would_ask:
                self.shell.show_page(window)
            if not window.may_close():
                return False
        for window in windows:
            window.give_up()
            self._kept[window][1].forget()
        return True

    # Unsaved work

    def _backed_up(self) -> bool:
        """Write the copies of all unsaved work now; return whether every one is written."""
        wanted = [recovery for _window, recovery in self._kept.values() if recovery.is_wanted]
        return all([recovery.write() is not None for recovery in wanted])

    def restore(self, copies: Sequence[Copy], opener: Opener, instead: Window | None = None) -> None:
        """Open copies one after the other, each in a tab of its own, then offer further unsaved work.

        `instead` is a design whose place the first may take, if it is untouched.
        """
        copy, *others = copies
        games: list[Log[Any]] | StudioError = []

        def load(path: Path, progress: Progress) -> store.Saved:
            nonlocal games
            saved = store.load(path)
            try:
                games = copy.games(saved.kind, saved.design, progress)
            except StudioError as problem:
                games = problem
            return saved

        def opened(found: Opened) -> None:
            makes_room = instead is not None and instead.filing.is_untouched
            is_moved = self._bring_back(copy, found, games, instead if makes_room else None)
            if makes_room and instead is not None:
                self.close(instead)
            if others:
                self.restore(others, opener)
            elif is_moved:
                self.offer_copies()

        def failed(problem: StudioError) -> None:
            opener.report(problem)
            if others:
                self.restore(others, opener)

        name = tr("unsaved work") if copy.file is None else copy.file.name
        opener.open(copy.path, opened, failed, name=name, load=load)

    def _bring_back(
        self, copy: Copy, found: Opened, games: list[Log[Any]] | StudioError, instead: Window | None
    ) -> bool:
        """Show the content of a copy, which is discarded once the work has a new one; return whether it is."""
        document = Document(found.saved.kind, found.saved.design, copy.file, copy.digest)
        window = self.show(document, found.sight, instead=instead)
        recovery = self._kept[window][1]
        recovery.edits_before = copy.edits
        if copy.is_modified:
            document.history.resetClean()
        if isinstance(games, StudioError):
            window.notices.post(tr("The unsaved game could not be restored: {problem}", problem=games), Severity.ERROR)
            return False
        if games:
            window.session.need_games().restore(games)
            window.show_view(VIEW)
        if recovery.write() is None:
            return False
        with suppress(OSError):
            copy.discard()
            return True
        return False

    def offer_copies(self) -> None:
        """Offer the newest copy of unsaved work; the next follows when this one is dealt with."""
        copies = left_behind(self._copies)
        if not copies:
            return
        # Loaded only if needed.
        from studio.ui.shell.unsaved_work import changes, details, discard, offer

        copy, window = copies[0], self.window
        window.notices.post(
            offer(copy, len(copies) - 1),
            Severity.WARNING,
            Action(tr("Restore"), lambda: self.restore([copy], window.filing.opener, window)),
            Action(tr("Discard"), lambda: discard(copy, self.window.notices, self.offer_copies)),
            details="\n".join(filter(None, (details(copy), changes(copy)))),
        )

    def _report_unsaved(self, window: Window, sentence: str) -> None:
        """Warn once that unsaved work cannot be backed up, however many designs are open."""
        if not self._has_told_unkept:
            self._has_told_unkept = True
            window.notices.post(sentence, Severity.WARNING)

    def end(self, number: int) -> None:
        """End without a question, as the system requests: the next start offers the copies of unsaved work."""
        for _window, recovery in self._kept.values():
            if recovery.is_wanted:
                recovery.write()
            recovery.let_go()
        for window, _recovery in self._kept.values():
            window.jobs.close()
            # Clearing a history emits signals, and the window may be gone by then.
            window.document.history.blockSignals(True)
        QApplication.exit(BY_SIGNAL + number)

    def forget_copies(self) -> None:
        """Delete the copies: everything is saved or given up."""
        for _window, recovery in self._kept.values():
            recovery.forget()


def _place(path: Path) -> Path:
    """Resolve the links of a path as far as possible."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


def report_crashes(window: QWidget, back_up: Callable[[], bool] = lambda: False) -> None:
    """On a bug, back up unsaved work, then show it once, with a report to copy.

    `back_up` returns whether that succeeded.
    """

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        # Imported here so that a start need not wait for them.
        import platform
        import traceback

        is_kept = back_up()
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
        box.setText(tr("Unexpected error. Your work is backed up.") if is_kept else tr("Unexpected error."))
        box.setDetailedText(f"{facts}, {platform.platform()}\n\n{text}")
        box.open()

    sys.excepthook = report
