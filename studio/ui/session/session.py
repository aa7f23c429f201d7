"""Shared parts of one window, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.puzzles.kind import AnyKind
from studio.ui.canvas.canvas import Canvas
from studio.ui.session.background_edit import Changing
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.document import Document
from studio.ui.session.games import Games
from studio.ui.session.jobs import Jobs
from studio.ui.session.notices import NoticeBar
from studio.ui.session.pipeline import Pipeline
from studio.ui.session.preferences import Preferences
from studio.ui.session.writing import Writing


@dataclass(frozen=True, eq=False)
class Session:
    """A document at work: its shapes and findings, the canvas, work off the GUI thread, and notices."""

    document: Document
    preferences: Preferences
    jobs: Jobs
    pipeline: Pipeline
    canvas: Canvas
    notices: NoticeBar
    dialogs: Dialogs
    writing: Writing
    changing: Changing
    games: Games | None
    """The games; None for a kind that cannot be played."""

    def need_games(self) -> Games:
        """Return the games; raises StudioError for a kind that cannot be played."""
        if self.games is None:
            raise StudioError(tr("A {kind} cannot be played.", kind=self.kind.noun))
        return self.games

    @property
    def kind(self) -> AnyKind:
        """The kind of puzzle."""
        return self.document.kind

    @property
    def shapes(self) -> Any:
        """The shapes in sight; during a drag those of the dragged design."""
        return self.pipeline.shapes

    def ask_file(self, purpose: str, title: str, kinds: str) -> Path | None:
        """Ask for a file, or without `kinds` a folder, in the folder last used for a purpose such as `picture`."""
        last = self.preferences.folder(purpose, Path.home())
        path = self.dialogs.open_path(last, title, kinds) if kinds else self.dialogs.folder_path(title, last)
        if path is not None:
            self.preferences.set_folder(purpose, path.absolute().parent if kinds else path)
        return path

    @property
    def folder(self) -> Path:
        """The folder of the document; the user's own without a file."""
        path = self.document.path
        return path.absolute().parent if path else Path.home()
