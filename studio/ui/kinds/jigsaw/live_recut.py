"""The cuts that follow a dragged figure, as quickly as the machine allows.

Where a set of cuts takes no longer than a frame it comes with each move of the mouse. Elsewhere it follows beside the
window, for the newest place of the figure. In a long drag a process of its own divides the board, which is most of the
work, while the window shapes and shows the cuts of the place before.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.threads import cores
from studio.batch.companion import Companion, CompanionGone
from studio.puzzles.jigsaw.figures import posing
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.divided_boards import remember
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.prefetch import Ahead, Windows, windows_ahead
from studio.ui.session.pipeline import InSight
from studio.ui.session.session import Session

FOLLOWING, AHEAD = "cuts around figures", "windows around figures"
AT_ONCE = 0.02
"""Cuts that take no more seconds than this come with each move of the mouse, which leaves time to paint them; others
follow beside the window."""
MEMORY = 0.7
"""The share of earlier moves in the usual time that cuts take."""
PATIENCE = 3
"""After how many sets of cuts in one drag that take longer a process is begun for them."""
KEPT_MS = 60_000
"""How long that process is kept for the next drag."""
NEXT_MOVE = 0.1
"""Seconds for which the next move of the mouse is waited for without asking the window, which may be busy."""
Poses = Mapping[str, Pose]


@dataclass(frozen=True, eq=False)
class _Followed:
    """A board with figures where the mouse had them, and for how many seconds a core was needed for it."""

    poses: Poses
    sight: InSight
    seconds: float


class _Wanted:
    """Where the mouse has figures, until something is done about it, perhaps by a thread."""

    def __init__(self, poses: Poses | None = None) -> None:
        self._poses = poses
        self._changed = threading.Condition()

    def put(self, poses: Poses) -> None:
        """Want another place instead."""
        with self._changed:
            self._poses = poses
            self._changed.notify()

    def take(self, patience: float = 0.0) -> Poses | None:
        """The place that is wanted, which is then none any more; None where there is none for some seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._poses is not None, patience)
            poses, self._poses = self._poses, None
        return poses

    def give_back(self, poses: Poses) -> None:
        """Want a place that was taken again, unless another one is wanted meanwhile."""
        with self._changed:
            self._poses = self._poses or poses

    def __bool__(self) -> bool:
        return self._poses is not None


class Following(QObject):
    """Brings the cuts along with dragged figures."""

    _answered = Signal(object, object, object)
    """Queued from a thread: what it divides a board for, where the figures were, and the windows of the board then, or
    None where there is no process any more to divide it."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.at_once = AT_ONCE
        # Where there is one core, two processes would only take turns.
        self.patience = PATIENCE if cores() > 1 else math.inf
        self.is_helped = False
        """Whether a process divides the board."""
        self._is_called = False
        """Whether it was begun, though it may not be ready yet."""
        self._wanted = _Wanted()
        """Every drag has its own."""
        self._divided: Poses | None = None
        """Where they were when the board was divided last, until its cuts are shaped."""
        self._usual: float | None = None
        self._slow = 0
        self._answered.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(KEPT_MS)
        self._rest.timeout.connect(self.dismiss)

    def follow(self, poses: Poses) -> None:
        """Bring the cuts along; where these take long, not for every move of the mouse."""
        self._wanted.put(poses)
        self._go_on()

    def stop(self) -> None:
        """Show nothing any more of what is under way."""
        self._wanted = _Wanted()
        self._divided, self._usual, self._slow = None, None, 0
        self._session.jobs.cancel(FOLLOWING)
        self._session.jobs.cancel(AHEAD)

    def dismiss(self) -> None:
        """Do without the process until the next long drag."""
        jobs = self._session.jobs
        if jobs.is_busy(AHEAD) or jobs.companion.is_asked:
            self._rest.start()
            return
        self.is_helped, self._is_called, self._slow = False, False, 0
        jobs.companion.close()

    def _go_on(self, _problem: StudioError | None = None) -> None:
        """Do what can be done now: the companion with the newest place, the window with one that is divided."""
        jobs = self._session.jobs
        if self.is_helped and self._wanted and not jobs.is_busy(AHEAD):
            self._ask(self._wanted)
        if jobs.is_busy(FOLLOWING):
            return
        if self._divided is not None:
            poses, self._divided = self._divided, None
            self._shape(poses)
        elif not self.is_helped and (wanted := self._wanted.take()) is not None:
            self._shape(wanted)

    def _ask(self, wanted: _Wanted) -> None:
        """Start asking the companion for every new place of the figures."""
        jobs = self._session.jobs
        self._is_called = True
        answered = partial(self._answered.emit, wanted)
        work = partial(_asked, jobs.companion, self._session.document.design, wanted, answered)
        jobs.start(AHEAD, work, done=lambda _: self._go_on(), failed=self._go_on)
        self._rest.start()

    def _take(self, wanted: _Wanted, poses: Poses, windows: Windows | None) -> None:
        """Know how a board is divided, and shape it, unless nobody drags its figures there any more."""
        self.is_helped = windows is not None
        if windows is None:
            # The window can do without a process that does not last.
            self._is_called, self.patience = False, math.inf
            wanted.give_back(poses)
        else:
            for near, patch in windows:
                remember(near, patch)
            if wanted is self._wanted:
                self._divided = poses
        self._go_on()

    def _shape(self, poses: Poses) -> None:
        work = partial(_followed, poses, self._session.document.design, self._session.pipeline.shapes)
        if self._usual is None or self._usual > self.at_once:
            self._session.jobs.start(FOLLOWING, work, done=self._show, failed=self._go_on)
            return
        with suppress(StudioError):
            self._show(work(Progress()))

    def _show(self, followed: _Followed) -> None:
        seconds = followed.seconds
        self._usual = seconds if self._usual is None else MEMORY * self._usual + (1 - MEMORY) * seconds
        self._slow += self._usual > self.at_once
        if self._slow >= self.patience and not self._is_called:
            # Its first answer, when all is loaded there, comes too late to be shown.
            self._ask(_Wanted(followed.poses))
        self._session.pipeline.preview(followed.sight)
        self._go_on()


def _asked(
    companion: Companion,
    design: JigsawDesign,
    wanted: _Wanted,
    answered: Callable[[Poses, Windows | None], None],
    _progress: Progress,
) -> None:
    """Ask the companion to divide a board for each place that is wanted, until none is for a while, as after a drag."""

    def hear(poses: Poses, answer: Future[Windows]) -> None:
        if not answer.cancelled():
            # Whatever goes wrong there goes wrong here, too, when the window does it, which says so.
            answered(poses, None if answer.exception() else answer.result())

    while (poses := wanted.take(NEXT_MOVE)) is not None:
        try:
            companion.ask(windows_ahead, Ahead.of(design, poses)).add_done_callback(partial(hear, poses))
        except CompanionGone:
            answered(poses, None)
            return


def _followed(poses: Poses, design: JigsawDesign, before: JigsawShapes, progress: Progress) -> _Followed:
    began = time.thread_time()
    made = posing.with_figures_posed(design, poses, progress, is_exact=True)
    sight = InSight(made.design, shape(made.design, before, progress))
    return _Followed(poses, sight, time.thread_time() - began)
