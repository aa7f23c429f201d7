"""Pure computations off the GUI thread; in each lane only the newest is heard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal, Slot

from studio.progress import Cancelled, Progress


def _unheard(_fraction: float, _note: str) -> None:
    return None


class _Messages(QObject):
    progressed = Signal(object, float, str)
    ended = Signal(object, object, object)


class _Job(QRunnable):
    """One computation; its answer, or the error in its stead, travels by a queued signal."""

    def __init__(
        self,
        lane: str,
        work: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        told: Callable[[float, str], None],
    ) -> None:
        super().__init__()
        self.setAutoDelete(False)
        self.lane, self.work, self.done, self.failed, self.told = lane, work, done, failed, told
        self.messages = _Messages()
        self.progress = Progress(lambda fraction, note: self.messages.progressed.emit(self, fraction, note))

    def run(self) -> None:
        answer, error = None, None
        try:
            answer = self.work(self.progress)
        except Cancelled:
            pass
        except Exception as failure:
            error = failure
        self.messages.ended.emit(self, answer, error)


class Jobs(QObject):
    """Starts work in named lanes and brings answers back to the GUI thread."""

    began = Signal(str)
    """A lane has something under way."""
    ended = Signal(str)
    """A lane has nothing under way any more."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._newest: dict[str, _Job] = {}
        self._alive: set[_Job] = set()

    def start(
        self,
        lane: str,
        work: Callable[[Progress], Any],
        *,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        told: Callable[[float, str], None] = _unheard,
    ) -> None:
        """Start work; an older job in the same lane is cancelled and never heard again."""
        self.cancel(lane)
        job = _Job(lane, work, done, failed, told)
        job.messages.progressed.connect(self._progressed, Qt.ConnectionType.QueuedConnection)
        job.messages.ended.connect(self._ended, Qt.ConnectionType.QueuedConnection)
        self._newest[lane] = job
        self._alive.add(job)
        self.began.emit(lane)
        self._pool.start(job)

    def is_busy(self, lane: str) -> bool:
        """Whether a lane has something under way."""
        return lane in self._newest

    def cancel(self, lane: str) -> None:
        """Stop listening to a lane and ask its job to stop."""
        job = self._newest.pop(lane, None)
        if job is not None:
            job.progress.cancel()
            self.ended.emit(lane)

    def close(self) -> None:
        """Cancel everything and wait until no thread is left."""
        for lane in list(self._newest):
            self.cancel(lane)
        self._pool.waitForDone()

    @Slot(object, float, str)
    def _progressed(self, job: _Job, fraction: float, note: str) -> None:
        if self._newest.get(job.lane) is job:
            job.told(fraction, note)

    @Slot(object, object, object)
    def _ended(self, job: _Job, answer: Any, error: Exception | None) -> None:
        self._alive.discard(job)
        if self._newest.get(job.lane) is not job:
            return
        del self._newest[job.lane]
        self.ended.emit(job.lane)
        if error is None:
            job.done(answer)
        else:
            job.failed(error)
