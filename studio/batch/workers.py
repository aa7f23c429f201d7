"""Computes boards one after another, or side by side in processes of this machine."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, parent_process
from multiprocessing.synchronize import Event

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.threads import cores, work_beside_others
from studio.batch.boards import Board, made_board
from studio.batch.processes import interrupts_held, start_context
from studio.batch.tasks import Batch, Task

PACE = 0.2
"""Seconds after which a wait for boards looks whether it was cancelled."""
AHEAD = 2
"""Tasks that each worker is given at once, so that none waits for its next one."""
MOST_DEATHS = 3
"""After how many deaths of a worker in a row, no board made in between, a batch gives up."""

Work = Callable[[Batch, Task], Board]


def one_by_one(batch: Batch, tasks: Sequence[Task], progress: Progress) -> Generator[Board]:
    """The boards of some tasks, made in this process; raises Cancelled."""
    for at, task in enumerate(tasks):
        yield made_board(batch, task, progress.part(at / len(tasks), (at + 1) / len(tasks), _counted(at, tasks)))


def side_by_side(batch: Batch, tasks: Sequence[Task], progress: Progress, workers: int) -> Generator[Board]:
    """The boards of some tasks, made by several processes, as each is ready; raises Cancelled.

    A worker that dies, such as for want of memory, is replaced, and its boards are made again.
    """
    left = {task.serial: task for task in tasks}
    deaths = 0
    while left:
        try:
            with _pool(min(workers, len(left))) as pool:
                done = len(tasks) - len(left)
                part = progress.part(done / len(tasks), 1.0)
                for board in boards_from(pool, _made_here, batch, [*left.values()], AHEAD * workers, part):
                    del left[board.task.serial]
                    deaths = 0
                    yield board
        except (BrokenProcessPool, EOFError) as problem:
            deaths += 1
            if deaths == MOST_DEATHS:
                raise StudioError(
                    tr("A worker process was killed {count} times in a row. Try --workers 1.", count=deaths)
                ) from problem


def boards_from(
    executor: Executor, work: Work, batch: Batch, tasks: Sequence[Task], most: int, progress: Progress
) -> Generator[Board]:
    """The boards of some tasks, of which an executor has at most some at a time; raises Cancelled."""
    waiting, pending = deque(tasks), set[Future[Board]]()
    done = 0
    while waiting or pending:
        while waiting and len(pending) < most:
            pending.add(executor.submit(work, batch, waiting.popleft()))
        progress.step(done / len(tasks), _counted(done, tasks))
        finished, pending = wait(pending, PACE, FIRST_COMPLETED)
        for future in finished:
            done += 1
            yield future.result()


def _counted(done: int, tasks: Sequence[Task]) -> str:
    return tr("Board {number} of {count}", number=min(done + 1, len(tasks)), count=len(tasks))


# In the workers

_stopped: Event | None = None


class _Stoppable(Progress):
    """Heeds that the process which asks has been stopped."""

    def step(self, fraction: float, note: str = "") -> None:
        """Report progress; raises Cancelled once all workers are to stop."""
        if _stopped is not None and _stopped.is_set():
            self.cancel()
        super().step(fraction, note)


def _made_here(batch: Batch, task: Task) -> Board:
    return made_board(batch, task, _Stoppable())


def _begin(stopped: Event, keeps_all_busy: bool) -> None:
    global _stopped
    _stopped = stopped
    if keeps_all_busy:
        work_beside_others()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End at once when the process that asks was killed; nothing is lost, since workers write nothing."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


# In the process that asks


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes that stop what they do when the block ends."""
    context = start_context()
    stopped = context.Event()
    pool = ProcessPoolExecutor(workers, context, _begin, (stopped, workers >= cores()))
    try:
        with interrupts_held():
            # All processes are started by the first tasks.
            for _ in range(workers):
                pool.submit(os.getpid)
        yield pool
    finally:
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)
