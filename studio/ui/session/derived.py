"""An answer kept in step with a question, computed off the GUI thread and remembered by key."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.ui.session.jobs import Jobs

Q = TypeVar("Q")
T = TypeVar("T")


def _itself(question: Any) -> Hashable:
    key: Hashable = question
    return key


class Memory(Generic[T]):
    """The last `most` answers by key; several users with the same questions may share one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[Hashable, T] = {}

    def keep(self, key: Hashable, answer: T) -> None:
        """Keep an answer; beyond `most`, forget the one kept longest."""
        self._known.pop(key, None)
        self._known[key] = answer
        while len(self._known) > self._most:
            del self._known[next(iter(self._known))]

    def recall(self, key: Hashable) -> T | None:
        """Return the answer of a key, if it is kept."""
        return self._known.get(key)

    def forget(self, key: Hashable) -> None:
        """Forget the answer of a key."""
        self._known.pop(key, None)


class Derived(QObject, Generic[Q, T]):
    """The answer to the newest question; questions of one key have one answer.

    A new question waits for `pause` ms without another one, then `work` runs in a thread; after `patience` ms
    `is_waiting` is set. Remembered answers come at once. With `watched=False`, work waits for a watcher.
    """

    changed = Signal()
    """The answer has changed, has failed, or has progressed visibly."""

    def __init__(
        self,
        jobs: Jobs,
        lane: str,
        work: Callable[[Q, Progress], T],
        *,
        key: Callable[[Q], Hashable] = _itself,
        pause: int = 0,
        patience: int = 0,
        remembered: int | Memory[T] = 1,
        watched: bool = True,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._lane, self._work, self._key_of = jobs, lane, work, key
        self._known = Memory[T](remembered) if isinstance(remembered, int) else remembered
        self._key: Hashable = None
        self._always, self._watchers = watched, set[object]()
        self.question: Q | None = None
        self.answer: T | None = None
        """The answer to the question; None while it is unknown."""
        self.last: T | None = None
        """The last known answer, perhaps to an older question."""
        self.problem = ""
        """Sentence on why there will be no answer."""
        self.is_waiting = False
        """True if the answer takes so long that the window should say so."""
        self.share, self.note = 0.0, ""
        self._pause = QTimer(self, singleShot=True, interval=pause)
        self._pause.timeout.connect(self._begin)
        self._patience = QTimer(self, singleShot=True, interval=patience)
        self._patience.timeout.connect(self._wait)

    @property
    def is_busy(self) -> bool:
        """True while the answer is being computed."""
        return self._jobs.is_busy(self._lane)

    @property
    def is_under_way(self) -> bool:
        """True if the answer is being computed or soon will be."""
        return self.is_busy or self._pause.isActive()

    def ask(self, question: Q | None, *, settled: bool = True) -> None:
        """Take another question, or none; an unsettled one, as during a drag, is only noted."""
        key = None if question is None else self._key_of(question)
        is_alike, self.question, self._key = key == self._key, question, key
        if not is_alike:
            self._jobs.cancel(self._lane)
            self._pause.stop()
            self._patience.stop()
            self.answer, self.problem, self.share, self.note = None, "", 0.0, ""
            if question is None:
                self._rest()
                self.changed.emit()
            elif (known := self._recall(question)) is not None:
                self._learned(key, known)
        if settled and self._is_wanted:
            self._expect(self._pause.interval())

    def watch(self, who: object, *, watches: bool) -> None:
        """Register a watcher of the answers, or remove it; without watchers no work is begun."""
        (self._watchers.add if watches else self._watchers.discard)(who)
        if not self._watchers and not self._always:
            self._pause.stop()
        elif self._is_wanted:
            self._expect(0)

    def watch_in(self, widget: QWidget) -> None:
        """Register a widget as a watcher while it is visible."""
        widget.installEventFilter(self)

    def eventFilter(self, widget: QObject, event: QEvent) -> bool:
        """Follow the visibility of a watching widget."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide) and not event.spontaneous():
            self.watch(widget, watches=event.type() is QEvent.Type.Show)
        return super().eventFilter(widget, event)

    def again(self) -> None:
        """Compute the answer again, though it was cancelled, refused or known."""
        if self.question is not None:
            self._known.forget(self._key)
            self.answer, self.problem, self.share = None, "", 0.0
            self._expect(0)
            self.changed.emit()

    def cancel(self, problem: str = "") -> None:
        """Give up a pending answer; with a reason it stays unknown until another question."""
        if self.answer is None:
            self._rest()
            self._jobs.cancel(self._lane)
            self.problem = problem
            self.changed.emit()

    def finish(self) -> None:
        """Compute the answer at once, without a thread; for pictures and tests."""
        if self.question is None or self.answer is not None:
            return
        self._jobs.cancel(self._lane)
        try:
            self._learned(self._key, self._work(self.question, Progress()))
        except StudioError as problem:
            self._refused(problem)

    def learn(self, question: Q, answer: T) -> None:
        """Take a question and its answer from elsewhere."""
        self._jobs.cancel(self._lane)
        self.question, self._key, self.problem = question, self._key_of(question), ""
        self._learned(self._key, answer)

    def _recall(self, question: Q) -> T | None:
        """Return an answer that needs no work; subclasses may look elsewhere, too."""
        return self._known.recall(self._key_of(question))

    @property
    def _is_wanted(self) -> bool:
        known = self.question is None or self.answer is not None or self.problem
        return bool(self._always or self._watchers) and not known and not self.is_busy

    def _expect(self, pause: int) -> None:
        if not self.is_waiting and not self._patience.isActive():
            if self._patience.interval():
                self._patience.start()
            else:
                self._wait()
        if pause:
            self._pause.start()
        else:
            self._begin()

    def _begin(self) -> None:
        self._pause.stop()
        question, key = self.question, self._key
        if question is not None:
            self._jobs.start(
                self._lane,
                lambda progress: self._work(question, progress),
                done=partial(self._learned, key),
                failed=self._refused,
                progressed=self._progressed,
            )
            if self.is_waiting:
                self.changed.emit()

    def _wait(self) -> None:
        self.is_waiting = True
        self.changed.emit()

    def _progressed(self, share: float, note: str) -> None:
        self.share, self.note = share, note
        if self.is_waiting:
            self.changed.emit()

    def _learned(self, key: Hashable, answer: T) -> None:
        self._known.keep(key, answer)
        self.answer = self.last = answer
        self._rest()
        self.changed.emit()

    def _refused(self, problem: StudioError) -> None:
        self.problem = str(problem)
        self._rest()
        self.changed.emit()

    def _rest(self) -> None:
        """Stop waiting."""
        self._pause.stop()
        self._patience.stop()
        self.is_waiting = False
