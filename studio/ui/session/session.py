"""Shared parts of one window, as one value; and changes of the design that may take a while.

A change is made at once if it is quick, else off the GUI thread, with Cancel. The design stays as it is until the
change is known; another change meanwhile ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from studio.base.amounts import abridged, share
from studio.base.errors import StudioError
from studio.base.progress import Brief, Cancelled, Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.puzzles.kind import AnyKind, Generated
from studio.ui.canvas.canvas import Canvas
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.document import Document
from studio.ui.session.games import Games
from studio.ui.session.jobs import Client, Jobs
from studio.ui.session.notices import Action, NoticeBar
from studio.ui.session.pipeline import InSight, Pipeline
from studio.ui.session.preferences import Preferences
from studio.ui.session.writing import Writing

SOON = 0.1
"""Seconds that a change may take while the window waits for it."""
CHANGING = "changing"
StepName = str | Callable[[Any], str]
Work = Callable[[Any, Progress], Any]
"""Returns a design, or a `Generated` with the dropped edits."""
MOST_NAMED = 6
"""Limit for the dropped edits named in a notice."""


@dataclass(frozen=True, eq=False)
class _Seen:
    """A changed design, with its shapes."""

    made: Generated[Any]
    sight: InSight


class Changing(QObject):
    """Makes changes of one document."""

    given_up = Signal()
    """A change was cancelled or refused: the design is as it was."""

    def __init__(
        self, document: Document, jobs: Jobs, notices: NoticeBar, pipeline: Pipeline, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._jobs, self._notices, self._pipeline = document, jobs, notices, pipeline
        self._base: Any = None
        self._client: Client | None = None
        self._under_way = ""
        self._is_step = False
        self._cancel = Action(tr("Cancel"), self.cancel)
        document.settled.connect(self._outdate)
        document.replaced.connect(self._outdate)

    @property
    def is_under_way(self) -> bool:
        """True while a change is being computed."""
        return self._jobs.is_busy(CHANGING)

    def preview(self, work: Work) -> None:
        """Show the outcome of a change if it is known soon."""
        try:
            self._document.preview(_made(work(self._document.design, Brief(SOON))).design)
        except (Cancelled, StudioError):
            # The change is shown or refused when it is made.
            return

    def make(
        self, words: StepName, work: Work, *, gesture: object | None = None, is_long: bool = False,
        client: Client | None = None,
    ) -> None:  # fmt: skip
        """Change the design as one step that can be undone; `words` name it, or name it from the new design.

        If `work` raises StudioError, that is shown and nothing changes. Dropped edits are named. Work that `is_long`
        runs in a thread at once. A client hears of progress and refusals in place of the notice bar.
        """
        self._stop()
        self._client = client
        if client is not None:
            client.wait(self.cancel)
        # A change named after its outcome has a general name meanwhile.
        self._under_way = words if isinstance(words, str) else tr("Changing the puzzle")
        try:
            if is_long:
                raise Cancelled
            changed = self._seen(work, self._document.design, Brief(SOON))
        except Cancelled:
            if not is_long:
                self._report()
            self._is_step = True
            self._compute(partial(self._seen, work), lambda changed: self._edit(words, changed, gesture))
        except StudioError as problem:
            self._refuse(problem)
        else:
            self._edit(words, changed, gesture)

    def look(self, words: str, work: Work, take: Callable[[Any], object]) -> None:
        """Compute something from the design in a thread, and pass it to `take`; the design stays as it is."""
        self._stop()
        self._under_way, self._is_step = words, False
        self._compute(work, take)

    def _seen(self, work: Work, design: Any, progress: Progress) -> _Seen:
        """Compute a change and its shapes, so that the window need not wait for them."""
        made = _made(work(design, progress.part(0.0, 0.8)))
        return _Seen(made, self._pipeline.sight_of(made.design, progress.part(0.8, 1.0)))

    def _compute(self, work: Work, take: Callable[[Any], object]) -> None:
        def done(found: Any) -> None:
            self._base = None
            self._notices.withdraw(self._cancel)
            take(found)

        self._base = design = self._document.design
        self._jobs.start(
            CHANGING, lambda progress: work(design, progress), done=done, failed=self._refuse, progressed=self._go_on
        )

    def undo(self) -> None:
        """Undo the newest step: the change under way, which is given up, or else the last of the history."""
        if self.is_under_way and self._is_step:
            self.cancel()
        else:
            self._document.history.undo()

    def cancel(self) -> None:
        """Give the change up; the design stays as it is."""
        if self.is_under_way:
            self._stop()
            self._notices.withdraw(self._cancel)
            self.given_up.emit()

    def _stop(self, sentence: str = "") -> None:
        self._base = None
        self._jobs.cancel(CHANGING)
        client, self._client = self._client, None
        if client is not None:
            client.refuse(sentence)
        elif sentence:
            self._notices.post(sentence)

    def _report(self) -> None:
        if self._client is None:
            self._notices.post(tr("{work}…", work=self._under_way), action=self._cancel)

    def _go_on(self, done: float, _note: str) -> None:
        if self._client is not None:
            self._client.follow(done)
            return
        if self._notices.notice() is None:
            # Notices disappear by themselves, but Cancel must stay in reach as long as the work lasts.
            self._report()
        self._notices.follow(self._cancel, tr("{work}… {done}", work=self._under_way, done=share(done)))

    def _edit(self, words: StepName, changed: _Seen, gesture: object | None) -> None:
        made = changed.made
        client, self._client = self._client, None
        self._pipeline.expect(changed.sight)
        self._document.edit(words if isinstance(words, str) else words(made.design), made.design, gesture=gesture)
        if made.dropped:
            lost = abridged(made.dropped, MOST_NAMED)
            self._notices.post(
                tr("Edits that no longer fit were dropped: {lost}. Undo restores them.", lost=lost),
                Severity.WARNING,
                Action(tr("Undo"), partial(self._document.take_back, made.design)),
                passes=True,
            )
        if client is not None:
            client.succeed()

    def _refuse(self, problem: StudioError) -> None:
        self._base = None
        self._notices.withdraw(self._cancel)
        client, self._client = self._client, None
        if client is not None:
            client.refuse(str(problem))
        else:
            self._notices.refuse(str(problem))
        self.given_up.emit()

    def _outdate(self, _design: object = None) -> None:
        """Drop pending work, since the design has changed."""
        if self._base is not None and self._document.design is not self._base:
            self._stop(tr("The puzzle has changed, so the earlier change was cancelled."))


def _made(changed: Any) -> Generated[Any]:
    return changed if isinstance(changed, Generated) else Generated(changed)


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
