"""Changes of the design that may take a while: at once where they are quick, else off the GUI thread, with Cancel.

The design stays as it is until the change is known; another change meanwhile ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from studio.base.amounts import abridged, share
from studio.base.errors import StudioError
from studio.base.progress import Brief, Cancelled, Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.puzzles.kind import Generated
from studio.ui.session.document import Document
from studio.ui.session.jobs import Client, Jobs
from studio.ui.session.notices import Action, NoticeBar
from studio.ui.session.pipeline import InSight, Pipeline

SOON = 0.1
"""Seconds that a change may take while the window waits for it."""
CHANGING = "changing"
StepName = str | Callable[[Any], str]
Work = Callable[[Any, Progress], Any]
"""Gives a design, or one as `Generated` with the edits that found no place in it."""
MOST_NAMED = 6
"""Dropped edits that are named one by one."""


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
        self._cancel = Action(tr("Cancel"), self.cancel)
        document.settled.connect(self._outdate)
        document.replaced.connect(self._outdate)

    @property
    def is_under_way(self) -> bool:
        """Whether a change is being worked out."""
        return self._jobs.is_busy(CHANGING)

    def preview(self, work: Work) -> None:
        """Show what a change comes to, if that is known soon."""
        try:
            self._document.preview(_made(work(self._document.design, Brief(SOON))).design)
        except (Cancelled, StudioError):
            # It is seen, or refused, once it is made.
            return

    def make(
        self, words: StepName, work: Work, *, gesture: object | None = None, is_long: bool = False,
        client: Client | None = None,
    ) -> None:  # fmt: skip
        """Change the design as one step that can be undone; `words` name it, or are made of what came of it.

        Where `work` raises StudioError, that is shown and nothing changes. Edits that it drops are named. What is long
        is never waited for. A client hears of progress and refusals in place of the notice bar.
        """
        self._stop()
        self._client = client
        if client is not None:
            client.wait(self.cancel)
        design = self._document.design
        if is_long:
            self._name(words)
            self._start(words, work, gesture)
            return
        try:
            changed = self._seen(work, design, Brief(SOON))
        except Cancelled:
            self._name(words)
            self._report()
            self._start(words, work, gesture)
        except StudioError as problem:
            self._refuse(problem)
        else:
            self._edit(words, changed, gesture)

    def look(self, words: str, work: Work, take: Callable[[Any], object]) -> None:
        """Work something out of the design, and bring what came of it; the design stays as it is."""
        self._stop()
        self._name(words)
        self._compute(work, partial(self._bring, take))

    def _start(self, words: StepName, work: Work, gesture: object | None) -> None:
        self._compute(partial(self._seen, work), partial(self._take, words, gesture))

    def _seen(self, work: Work, design: Any, progress: Progress) -> _Seen:
        """What a change comes to, and its shapes, so that the window need not wait for them."""
        made = _made(work(design, progress.part(0.0, 0.8)))
        return _Seen(made, self._pipeline.sight_of(made.design, progress.part(0.8, 1.0)))

    def _compute(self, work: Work, done: Callable[[Any], None]) -> None:
        self._base = design = self._document.design
        self._jobs.start(
            CHANGING, lambda progress: work(design, progress), done=done, failed=self._refuse, progressed=self._go_on
        )

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

    def _name(self, words: StepName) -> None:
        """Remember what is being worked out; what has its name of what comes of it is a change."""
        self._under_way = words if isinstance(words, str) else tr("Changing the puzzle")

    def _report(self) -> None:
        if self._client is None:
            self._notices.post(tr("{work}…", work=self._under_way), action=self._cancel)

    def _go_on(self, done: float, _note: str) -> None:
        if self._client is not None:
            self._client.follow(done)
            return
        if self._notices.notice() is None:
            # A notice goes by itself, but there must be a way to cancel as long as it takes.
            self._report()
        self._notices.follow(self._cancel, tr("{work}… {done}", work=self._under_way, done=share(done)))

    def _bring(self, take: Callable[[Any], object], found: Any) -> None:
        self._base = None
        self._notices.withdraw(self._cancel)
        take(found)

    def _take(self, words: StepName, gesture: object | None, changed: _Seen) -> None:
        self._base = None
        self._notices.withdraw(self._cancel)
        self._edit(words, changed, gesture)

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
                Action(tr("Undo"), partial(self._take_back, made.design)),
                passes=True,
            )
        if client is not None:
            client.succeed()

    def _take_back(self, design: object) -> None:
        if self._document.design is design:
            self._document.history.undo()

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
        """The design is another one: what is worked out is no longer asked for."""
        if self._base is not None and self._document.design is not self._base:
            self._stop(tr("The puzzle has changed, so the earlier change was cancelled."))


def _made(changed: Any) -> Generated[Any]:
    return changed if isinstance(changed, Generated) else Generated(changed)
