"""The figures of one jigsaw: added, moved, rotated, mirrored, copied and removed, computed off the GUI thread.

Until a change is computed, the outline of the figure is shown at its new place. A dragged figure brings the cuts
around it along.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from studio.base.errors import StudioError
from studio.base.progress import Progress, cores
from studio.base.texts import tr
from studio.batch.companion import Companion, CompanionGone
from studio.files.foreign import Reading
from studio.geometry.curves.rings import is_framed
from studio.puzzles.jigsaw.figures import posing
from studio.puzzles.jigsaw.figures.frames import mirrored, posed_together, together
from studio.puzzles.jigsaw.figures.whimsies import Pose, Setting, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.divided_boards import Ahead, Windows, remember, windows_ahead
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.kind import Generated
from studio.ui.kinds.jigsaw.marks import JigsawMarks
from studio.ui.kinds.jigsaw.selection import Selection, counted
from studio.ui.panels.drawing_import import DrawingImport, Seen
from studio.ui.session.pipeline import InSight
from studio.ui.session.session import Session

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.figures.catalogue import Figure
    from studio.ui.kinds.jigsaw.figure_dialog import FigureDialog, FigureRequest
    from studio.ui.session.jobs import Client


# The cuts that follow a dragged figure, as quickly as the machine allows.
# A set of cuts that takes no longer than a frame comes with each move of the mouse. A slower one follows in the
# background, for the newest place of the figure. In a long drag a process of its own divides the board, which is most
# of the work, while the window shapes and shows the cuts of the place before.


FOLLOWING, AHEAD = "cuts around figures", "windows around figures"
AT_ONCE = 0.02
"""Cuts that take at most this many seconds come with each move of the mouse, which leaves time to paint them; slower
ones follow in the background."""
MEMORY = 0.7
"""Weight of earlier moves in the usual time of the cuts."""
PATIENCE = 3
"""Number of slower sets of cuts in one drag after which a process is started for them."""
KEPT_MS = 60_000
"""Time for which that process is kept for the next drag."""
NEXT_MOVE = 0.1
"""Seconds for which the thread waits for the next move of the mouse before it asks the window, which may be busy."""
Poses = Mapping[str, Pose]


@dataclass(frozen=True, eq=False)
class _Followed:
    """A board with the figures where the mouse had them, and the seconds of one core that it took."""

    poses: Poses
    sight: InSight
    seconds: float


class _Wanted:
    """Places where the mouse has put figures, until they are processed, perhaps by a thread."""

    def __init__(self, poses: Poses | None = None) -> None:
        self._poses = poses
        self._changed = threading.Condition()

    def put(self, poses: Poses) -> None:
        """Want another place instead."""
        with self._changed:
            self._poses = poses
            self._changed.notify()

    def take(self, patience: float = 0.0) -> Poses | None:
        """Take the wanted place out, waiting up to `patience` seconds for it; None if none comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._poses is not None, patience)
            poses, self._poses = self._poses, None
        return poses

    def give_back(self, poses: Poses) -> None:
        """Put a taken place back, unless a newer one is wanted."""
        with self._changed:
            self._poses = self._poses or poses

    def __bool__(self) -> bool:
        return self._poses is not None


class Following(QObject):
    """Brings the cuts along with dragged figures."""

    _answered = Signal(object, object, object)
    """Queued from a thread: the wanted places of its drag, the poses divided for, and the windows of the board, or None
    if the process is gone."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.at_once = AT_ONCE
        # On a single core, two processes would only take turns.
        self.patience = PATIENCE if cores() > 1 else math.inf
        self.is_helped = False
        """True while a process divides the board."""
        self._is_called = False
        """True once the process was started, even if it is not ready yet."""
        self._wanted = _Wanted()
        """Every drag has its own."""
        self._divided: Poses | None = None
        """Places of the figures at the last division of the board, until its cuts are shaped."""
        self._usual: float | None = None
        self._slow = 0
        self._answered.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(KEPT_MS)
        self._rest.timeout.connect(self.dismiss)

    def follow(self, poses: Poses) -> None:
        """Bring the cuts along; slow cuts do not follow every move of the mouse."""
        self._wanted.put(poses)
        self._go_on()

    def stop(self) -> None:
        """Drop all work under way."""
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
        """Start the next work: the companion divides for the newest place, the window shapes the last divided one."""
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
        """Take a division of the board and shape it, unless the drag is over."""
        self.is_helped = windows is not None
        if windows is None:
            # The window can do without a process that has died.
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
            # Its first answer, after loading everything, comes too late to be shown.
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
    """Ask the companion to divide a board for each wanted place, until none comes for a while, as after a drag."""

    def hear(poses: Poses, answer: Future[Windows]) -> None:
        if not answer.cancelled():
            # Any fault there also occurs when the window does the work, and is reported then.
            answered(poses, None if answer.exception() else answer.result())

    while (poses := wanted.take(NEXT_MOVE)) is not None:
        try:
            companion.ask(windows_ahead, Ahead.from_design(design, poses)).add_done_callback(partial(hear, poses))
        except CompanionGone:
            answered(poses, None)
            return


def _followed(poses: Poses, design: JigsawDesign, before: JigsawShapes, progress: Progress) -> _Followed:
    began = time.thread_time()
    made = posing.with_figures_posed(design, poses, progress, is_exact=True)
    sight = InSight(made.design, shape(made.design, before, progress))
    return _Followed(poses, sight, time.thread_time() - began)


TURN = 15.0
"""Degrees by which a key rotates a figure."""
NUDGE_PAUSE = 1.0
"""Seconds after which another nudge is another step of the history."""


class Figuring(QObject):
    """Changes figures; a change asked for during another starts from that one's result."""

    def __init__(
        self, session: Session, selection: Selection, marks: JigsawMarks, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._selection, self._marks = session, selection, marks
        self._pending: dict[str, Whimsy] = {}
        self._before: frozenset[str] | None = None
        self._nudged: tuple[object, frozenset[str], float] | None = None
        session.document.settled.connect(self._settle)
        session.changing.given_up.connect(self._give_up)
        self.following = Following(session, self)
        self._drawings = DrawingImport(session, "figure", tr("Import figure"), _look, self)

    def ask(self) -> None:
        """Ask for a figure or a text, and put it on the board."""
        from studio.ui.kinds.jigsaw.figure_dialog import FigureDialog

        design: JigsawDesign = self._session.document.design
        dialog = FigureDialog(design, self._session.jobs, self._session.dialogs.parent)
        dialog.file_wanted.connect(lambda: self._read_for(dialog))

        def start(request: FigureRequest, client: Client) -> None:
            known = dialog.answer.answer if request == dialog.answer.question else None

            def added(now: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
                if known is not None and known.made is not None and now is design:
                    return known.made
                return request.added(now, progress)

            self._add(tr("Add letters") if request.text else tr("Add figure"), added, client)

        self._session.dialogs.carry_out(dialog, start)
        self._drawings.reading.cancel()
        dialog.answer.cancel()
        dialog.deleteLater()

    def read(self, path: Path, place: tuple[float, float] | None) -> None:
        """Put the figure of a file on the board, as near to a place in mm or the middle as it fits."""

        def use(seen: Seen) -> None:
            height = posing.usual_height(self._session.document.design)
            self._add(tr("Add figure"), partial(_with_drawn, seen.result, height, place))

        self._drawings.read(path, use)

    def _read_for(self, dialog: FigureDialog) -> None:
        """Ask for a file, and hand its figure to the dialog."""
        filters = tr("Drawings ({suffixes})", suffixes="*.svg *.dxf")
        path = self._session.dialogs.open_path(Path.cwd(), tr("Import figure"), filters)
        if path is None:
            return

        def failed(problem: StudioError) -> bool:
            dialog.refuse_file(str(problem))
            return True

        dialog.read()
        self._drawings.read(path, lambda seen: dialog.take(seen.result, seen.notes), failed=failed, over=dialog)

    def _add(
        self, words: str, work: Callable[[JigsawDesign, Progress], Generated[JigsawDesign]],
        client: Client | None = None,
    ) -> None:  # fmt: skip
        self._forget()
        self._before = _names(self._session.document.design)
        self._session.changing.make(words, work, is_long=True, client=client)

    def pose(self, words: str, poses: Mapping[str, Pose]) -> None:
        """Drop selected figures: they move together to the nearest place where they fit."""
        self._pose(words, poses)

    def let_go(self) -> None:
        """Put everything back."""
        self._give_up()

    def nudge(self, right: float, down: float) -> None:
        """Move the selected figures by some mm; nudges in quick succession are one step of the history."""
        figures, now = self._figures, time.monotonic()
        names = frozenset(one.name for one in figures)
        token, before, last = self._nudged or (object(), frozenset(), 0.0)
        if names != before or now - last > NUDGE_PAUSE:
            token = object()
        poses = {one.name: replace(one.pose, x=one.pose.x + right, y=one.pose.y + down) for one in figures}
        self._pose(tr("Nudge {figures}", figures=counted(figures)), poses, token)
        self._nudged = token, names, now

    def turn(self, way: int) -> None:
        """Rotate the selected figures clockwise, or with -1 the other way; several about their common centre."""
        figures = self._figures
        if len(figures) > 1:
            poses = self._together(figures, lambda pose: pose.turned(way * TURN))
        else:
            poses = {one.name: one.pose.turned(way * TURN) for one in figures}
        if poses:
            self._pose(tr("Rotate {figures}", figures=counted(figures)), poses)

    def mirror(self) -> None:
        """Mirror the selected figures, several together."""
        figures = self._figures
        if figures:
            poses = dict(zip((one.name for one in figures), mirrored(figures), strict=True))
            self._pose(tr("Mirror {figures}", figures=counted(figures)), poses)

    def duplicate(self) -> None:
        """Add the same figures again, as near as they fit, and select them."""
        figures = self._figures
        if figures:
            names = tuple(one.name for one in figures)
            self._add(tr("Duplicate {figures}", figures=counted(figures)), partial(_copied, names))

    def _together(self, figures: list[Whimsy], change: Callable[[Pose], Pose]) -> dict[str, Pose]:
        """Poses of figures after a change of their common frame."""
        around = together(figures)
        return {} if around is None else posed_together(figures, change(around.pose))

    def edit_together(self, words: str, poses: Mapping[str, Pose], tongues: int, token: object) -> None:
        """Give the selected figures other poses, or another number of tongues each."""
        names = [one.name for one in self._figures]
        if poses:
            self._pose(words, poses, token)
        elif names:
            work = partial(_with_tongues, names, tongues)
            self._session.changing.make(words, work, gesture=token, is_long=True)

    def edit(self, words: str, setting: Setting, token: object) -> None:
        """Give the selected figure another pose, or another number of tongues."""
        for one in self._figures:
            if setting.pose != one.pose:
                self._pose(words, {one.name: setting.pose}, token)
            elif setting.tongues != one.tongues:
                work = partial(_with_tongues, [one.name], setting.tongues)
                self._session.changing.make(words, work, gesture=token, is_long=True)

    def remove(self) -> None:
        """Remove the selected figures."""
        figures = self._selection.figures
        if figures:
            self._forget()
            words = tr("Remove {figures}", figures=counted(figures))
            work = partial(_without, tuple(one.name for one in figures))
            self._session.changing.make(words, work, is_long=True)

    @property
    def _figures(self) -> list[Whimsy]:
        """The selected figures, as they will be."""
        return [self._pending.get(one.name, one) for one in self._selection.figures]

    def _pose(self, words: str, poses: Mapping[str, Pose], token: object | None = None) -> None:
        """Change poses; if only their places are given in numbers, they are kept exactly."""
        now = {one.name: one for one in self._figures}
        if not poses or not now.keys() >= poses.keys():
            self._give_up()
            return
        only_moved = all(replace(now[name].pose, x=pose.x, y=pose.y) == pose for name, pose in poses.items())
        self.following.stop()
        self._nudged, self._before = None, None
        self._pending = {name: replace(now[name], pose=pose) for name, pose in poses.items()}
        self._marks.show_ghost([*self._pending.values()])
        work = partial(_posed, poses, token is not None and only_moved)
        self._session.changing.make(words, work, gesture=token, is_long=True)

    def _settle(self, design: JigsawDesign) -> None:
        """Select added figures; any other change outdates the request."""
        before, nudged = self._before, self._nudged
        asked = self._pending.values()
        self._forget()
        if asked and design.whimsies and {*asked} <= {*design.whimsies}:
            self._nudged = nudged
        if before is not None:
            added = sorted(_names(design) - before)
            if added:
                self._selection.select_figures(added)

    def _give_up(self) -> None:
        """Give a failed request up; the board may still show the dragged state."""
        self._forget()
        if self._session.pipeline.design is not self._session.document.design:
            self._session.document.abandon()

    def _forget(self) -> None:
        self.following.stop()
        self._pending, self._before, self._nudged = {}, None, None
        self._marks.show_ghost()


def _look(path: Path, reading: Reading, progress: Progress) -> Seen:
    from studio.files.paths import read_figure

    shape, notes = read_figure(path, progress, reading)
    return Seen(shape, shape.rings, notes, is_framed=is_framed(shape.rings))


def _names(design: JigsawDesign) -> frozenset[str]:
    return frozenset(one.name for one in design.whimsies)


def _with_drawn(
    shape: Figure, height: float, place: tuple[float, float] | None, design: JigsawDesign, progress: Progress
) -> Generated[JigsawDesign]:
    return posing.with_drawn_figure(design, shape, height, progress, place=place)


def _with_tongues(names: list[str], tongues: int, design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    return posing.with_tongues_of_figures(design, names, tongues, progress)


def _copied(names: tuple[str, ...], design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    return posing.with_figures_copied(design, names, progress)


def _posed(
    poses: Mapping[str, Pose], is_exact: bool, design: JigsawDesign, progress: Progress
) -> Generated[JigsawDesign]:
    return posing.with_figures_posed(design, poses, progress, is_exact=is_exact)


def _without(names: tuple[str, ...], design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    return posing.without_figures(design, names, progress)
