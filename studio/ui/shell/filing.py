"""Opening and saving from the window, and changes of the file by other programs; notices report failures."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import Brief, Cancelled, Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.files import SUFFIX, store
from studio.files.store import digest_of
from studio.puzzles.abilities.playable import Log
from studio.puzzles.kind import AnyKind
from studio.ui.session.actions import Command
from studio.ui.session.dialogs import Changed, Unsaved
from studio.ui.session.document import Document
from studio.ui.session.extension import Extension
from studio.ui.session.games import VIEW, Games
from studio.ui.session.notices import Action
from studio.ui.session.opening import SOON, FileReading, Opened, Opener
from studio.ui.session.session import Session
from studio.ui.session.writing import unwritable
from studio.ui.widgets.length_spin import take_what_is_written

# Changes of the file by other programs

SETTLE_MS = 200
"""Delay before a check: programs that write a file replace it in several steps."""


class Watch(QObject):
    """Watches the file of one document; `look` finds changes that the system does not report."""

    changed = Signal()
    """The file's content differs from the last one read or written here."""
    gone = Signal()
    """The file was moved or deleted."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._told: str | None = document.digest
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self.look)
        self._watcher.fileChanged.connect(lambda _path: self._timer.start())
        document.renamed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        """Forget earlier reports: the document was opened or saved."""
        self._told = self._document.digest
        watched = self._watcher.files()
        if watched:
            self._watcher.removePaths(watched)
        self._watch()

    def _watch(self) -> None:
        path = self._document.path
        if path is not None and str(path) not in self._watcher.files() and os.path.isfile(path):
            self._watcher.addPath(str(path))

    def look_soon(self) -> None:
        """Look in a moment, after the pending repaint."""
        self._timer.start()

    def look(self) -> None:
        """Compare the file with its last known content, and report each change once."""
        path = self._document.path
        if path is None or not self._document.digest:
            return
        # A replaced file is a new one, whose changes the system would not report.
        self._watch()
        now = digest_of(path)
        if now == self._told:
            return
        self._told = now
        if now is None:
            self.gone.emit()
        elif now != self._document.digest:
            self.changed.emit()


NOTHING_TO_PASTE = tr(
    "There is no puzzle on the clipboard. Copy a Loopy game ID, a puzz.link address or rows of clues first."
)


class Filing(QObject):
    """Opens and saves the document."""

    opened = Signal(object, object, bool)
    """A design was opened for a tab of its own: brings an Opened, its path or None, and whether it is saved."""
    begun = Signal(object)
    """A new design is wanted: brings its kind."""

    def __init__(
        self, session: Session, review: Callable[[Sequence[Path]], bool], parent: QObject | None = None
    ) -> None:
        """`review` previews files before their import if need be, and returns whether it did."""
        super().__init__(parent)
        self._review = review
        self._session = session
        self._document, self._preferences = session.document, session.preferences
        self._notices, self._dialogs = session.notices, session.dialogs
        self.show_open: Callable[[Path], bool] = lambda _path: False
        """Shows the tab of a file, if it is open; returns whether it is."""
        self.is_open_elsewhere: Callable[[Path], bool] = lambda _path: False
        """True if a file is open in another tab."""
        self.opener = Opener(session.jobs, lambda: session.notices, self)
        self._reload = Action(tr("Reload"), self.reload)
        self._save_again = Action(tr("Save"), self.save)
        self._elsewhere = Action(tr("Save as…"), self.save_as)
        self.watch = Watch(session.document, self)
        self.watch.changed.connect(self._report_changed)
        self.watch.gone.connect(self._report_gone)
        session.document.renamed.connect(self._withdraw)

    def _report_changed(self) -> None:
        self._withdraw()
        path = self._document.path
        name = "" if path is None else path.name
        if self._document.is_modified:
            sentence = tr("{file} was changed by another program, and you have unsaved changes.", file=name)
        else:
            sentence = tr("{file} was changed by another program.", file=name)
        self._notices.post(sentence, Severity.WARNING, self._reload)

    def _report_gone(self) -> None:
        """Mark the design as unsaved: the window alone has it now, so closing has to ask."""
        self._withdraw()
        path = self._document.path
        name = "" if path is None else path.name
        self._document.history.resetClean()
        self._notices.post(tr("{file} was moved or deleted.", file=name), Severity.WARNING, self._save_again)

    def _withdraw(self) -> None:
        """Withdraw notices about the file, outdated since the document was saved or opened."""
        for action in (self._reload, self._save_again, self._elsewhere):
            self._notices.withdraw(action)

    def may_close(self) -> bool:
        """Return whether the design may close, after asking about unsaved changes of it and of its games."""
        take_what_is_written()
        if self._document.is_modified:
            answer = self._dialogs.unsaved(self._document.title)
            if not (self.save() if answer is Unsaved.SAVE else answer is Unsaved.DISCARD):
                return False
        games = self._session.games
        return games is None or all(self._may_leave(games, target) for target in games.unsaved)

    def _may_leave(self, games: Games, target: tuple[str, ...]) -> bool:
        if target != games.target:
            games.turn_to(target)
        answer = self._dialogs.unsaved_game(self._document.title)
        return save_game(self._session) if answer is Unsaved.SAVE else answer is Unsaved.DISCARD

    @property
    def would_lose(self) -> bool:
        """True if closing the design without a question would lose something."""
        games = self._session.games
        return self._document.is_modified or bool(games is not None and games.unsaved)

    @property
    def is_untouched(self) -> bool:
        """True for a new design without edits, whose place another may take."""
        document = self._document
        return document.path is None and not document.history.count() and not self.would_lose

    def new(self, kind: AnyKind) -> None:
        """Begin a new design of a kind, in a tab of its own."""
        take_what_is_written()
        self.opener.give_up()
        self.begun.emit(kind)

    def open(self, path: Path | None = None) -> bool:
        """Open a file, asking for one without `path`, or show its tab; return whether it is open now."""
        if path is None:
            usual = self._preferences.folder("open", Path.home())
            path = self._dialogs.open_path(self._session.folder if self._document.path else usual)
            if path is None:
                return False
        if self.show_open(path):
            return True
        place, are_open = path, []

        def opened(found: Opened) -> None:
            self._bring(found, place, is_saved=True)
            are_open.append(True)

        def failed(problem: StudioError) -> None:
            self._preferences.forget_recent_file(place)
            self._notices.post(str(problem), Severity.ERROR)

        self.opener.open(place, opened, failed)
        return any(are_open)

    def import_files(self) -> None:
        """Ask for files of other formats, and open their puzzle as an unsaved design."""
        paths = self._dialogs.import_paths(self._preferences.folder("import", Path.home()))
        if not paths:
            return
        self._preferences.set_folder("import", paths[0].absolute().parent)
        if self._review(paths):
            return
        from studio.files.store import import_files

        self._read(paths[0].name, partial(import_files, paths, None))

    def paste(self) -> None:
        """Read a puzzle from the text on the clipboard."""
        from studio.files.store import import_text, is_text

        text = QGuiApplication.clipboard().text()
        if is_text(text):
            self._read(tr("the clipboard"), partial(import_text, text, None))
        else:
            self._notices.post(NOTHING_TO_PASTE, Severity.WARNING)

    def _read(self, name: str, read: Callable[[Progress], store.Saved]) -> None:
        """Read a puzzle in the background, and open it as an unsaved design."""
        self.opener.read(name, read, lambda found: self._bring(found, None))

    def bring(self, design: object) -> None:
        """Open a design of the window's kind as an untitled one with changes."""
        saved = store.Saved(self._document.kind, design)
        self.opener.look_at(saved, tr("the puzzle"), lambda found: self._bring(found, None))

    def _bring(self, found: Opened, path: Path | None, *, is_saved: bool = False) -> None:
        """Open a design in a tab of its own, with changes unless it is saved at a path.

        The new tab inherits neither selection nor scroll position nor turn.
        """
        take_what_is_written()
        self.opener.give_up()
        if path is not None and is_saved:
            self._remember(path)
        self.opened.emit(found, path, is_saved)

    def reload(self) -> None:
        """Read the file again after another program changed it; undo brings the previous design back.

        If it holds another kind of puzzle now, that opens in a tab of its own, and this tab loses its file.
        """
        path = self._document.path
        if path is None:
            return

        def opened(found: Opened) -> None:
            if path != self._document.path:
                return
            if found.saved.kind is self._document.kind:
                self._session.pipeline.expect(found.sight)
                self._document.reload(found.saved.design, found.saved.digest)
            else:
                self._document.lose_file()
                self._bring(found, path, is_saved=True)

        self.opener.open(path, opened)

    def save(self) -> bool:
        """Save to the design's file, or ask for one; return whether it is saved."""
        return self._save(self._document.path) if self._document.path else self.save_as()

    def save_as(self) -> bool:
        """Ask for a file and save; return whether it is saved."""
        folder = self._preferences.folder("open", Path.home())
        suggested = self._document.path or folder / f"{self._document.title}{SUFFIX}"
        path = self._dialogs.save_path(suggested)
        return path is not None and self._save(path)

    def _save(self, path: Path) -> bool:
        if path != self._document.path and self.is_open_elsewhere(path):
            self._notices.post(
                tr("{file} is open in another tab. Choose another name.", file=path.name), Severity.WARNING
            )
            return False
        if path == self._document.path and self._is_changed_on_disk(path):
            answer = self._dialogs.changed(path.name)
            if answer is not Changed.REPLACE:
                return answer is Changed.SAVE_AS and self.save_as()
        try:
            digest = store.save(path, self._document.kind, self._document.design)
        except StudioError as problem:
            self._notices.withdraw(self._elsewhere)
            self._notices.post(str(problem), Severity.ERROR, self._elsewhere)
            return False
        self._document.saved_as(path, digest)
        self._remember(path)
        return True

    def _is_changed_on_disk(self, path: Path) -> bool:
        """True if the document's file holds neither the content last read or written nor the one to be saved."""
        now = store.digest_of(path)
        if now in (None, self._document.digest):
            return False
        return now != store.digest(store.dumps(self._document.kind, self._document.design))

    def _remember(self, path: Path) -> None:
        self._preferences.add_recent_file(path)
        self._preferences.set_folder("open", path.absolute().parent)


def save_game(session: Session) -> bool:
    """Ask for a file and save the present game; return whether it is saved."""
    games = session.need_games()
    suggested = session.folder / f"{session.document.title}{store.GAME_SUFFIX}"
    path = session.dialogs.file_path(tr("Save game"), suggested, [tr("Games (*{suffix})", suffix=store.GAME_SUFFIX)])
    if path is None:
        return False
    refusal = "" if path.suffix.lower() == store.GAME_SUFFIX else unwritable([path])
    if refusal:
        session.notices.post(refusal, Severity.WARNING)
        return False
    try:
        store.save_game(path, session.kind, games.design, games.record)
    except StudioError as problem:
        session.notices.post(str(problem), Severity.ERROR)
        return False
    games.mark_saved()
    session.notices.post(tr("Saved {file}: {moves}.", file=path.name, moves=many(games.log.at, "move")))
    return True


class GameFiling(Extension[Any]):
    """Opens and saves games, for a kind that is played; loads their readers and writers late."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._games = session.need_games()
        self._reading = FileReading(session, "game", self)
        self.commands = [
            Command("open_game", tr("Open game…"), "&File", self._open, (), "",
                    tr("Continue a saved game of this puzzle")),
            Command("save_game", tr("Save game…"), "&File", self._save, (), "",
                    tr("Save the game to continue later")),
        ]  # fmt: skip

    def _save(self) -> None:
        self._games.catch_up()
        save_game(self.session)

    def _open(self) -> None:
        session, games = self.session, self._games
        path = session.dialogs.open_path(
            session.folder, tr("Open game"), tr("Games (*{suffix})", suffix=store.GAME_SUFFIX)
        )
        if path is None:
            return
        games.catch_up()
        design = games.design
        read = partial(store.load_game, path, session.kind, design)
        self._reading.cancel()
        try:
            self._show(path, read(Brief(SOON)))
        except Cancelled:
            # Every move is made again.
            self._reading.read(path, read, partial(self._show_later, path, design), self._refuse)
        except StudioError as problem:
            self._refuse(problem)

    def _refuse(self, problem: StudioError) -> bool:
        self.session.notices.post(str(problem), Severity.ERROR)
        return True

    def _show_later(self, path: Path, design: object, log: Log[Any]) -> None:
        self._games.catch_up()
        if self._games.design == design:
            self._show(path, log)
        else:
            sentence = tr("{file} was not opened: the puzzle has changed meanwhile.", file=path.name)
            self.session.notices.post(sentence, Severity.WARNING)

    def _show(self, path: Path, log: Log[Any]) -> None:
        session, games = self.session, self._games
        self.view_wanted.emit(VIEW)
        back = Action(tr("Return to the previous game"), games.reopen) if games.open(log) else None
        session.notices.post(tr("Opened {file}: {moves}.", file=path.name, moves=many(log.at, "move")), action=back)
