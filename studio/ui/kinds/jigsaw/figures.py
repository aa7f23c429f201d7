"""The figures of one jigsaw: added, moved, rotated, mirrored, copied and removed, computed off the GUI thread.

Until a change is computed, the outline of the figure is shown at its new place. A dragged figure brings the cuts
around it along.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.foreign_drawings import Reading
from studio.geometry.curves.rings import is_framed
from studio.puzzles.jigsaw.figures import figure_edits
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy, mirrored, posed_together, together
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.kind import Generated
from studio.ui.kinds.jigsaw.marks import JigsawMarks
from studio.ui.kinds.jigsaw.selection import Selection, counted
from studio.ui.panels.drawing_import import DrawingImport, DrawingResult
from studio.ui.session.pipeline import InSight
from studio.ui.session.session import Session

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.figures.catalogue import Figure
    from studio.ui.kinds.jigsaw.figure_dialog import FigureDialog, FigureRequest
    from studio.ui.session.jobs import Client


FOLLOWING = "cuts around figures"
Poses = Mapping[str, Pose]


def _followed(poses: Poses, design: JigsawDesign, before: JigsawShapes, progress: Progress) -> InSight:
    made = figure_edits.with_figures_posed(design, poses, progress, is_exact=True)
    return InSight(made.design, shape(made.design, before, progress))


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
        self._dragged: Poses | None = None
        """Newest poses of dragged figures, until their cuts are computed."""
        session.document.settled.connect(self._settle)
        session.changing.given_up.connect(self._give_up)
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

        def use(seen: DrawingResult) -> None:
            height = figure_edits.usual_height(self._session.document.design)
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

    def follow(self, poses: Poses) -> None:
        """Bring the cuts along with dragged figures: one set after another, each around the newest place."""
        self._dragged = poses
        if not self._session.jobs.is_busy(FOLLOWING):
            self._follow_on()

    def _follow_on(self, _problem: StudioError | None = None) -> None:
        if self._dragged is not None:
            work = partial(_followed, self._dragged, self._session.document.design, self._session.pipeline.shapes)
            self._dragged = None
            self._session.jobs.start(FOLLOWING, work, done=self._show, failed=self._follow_on)

    def _show(self, followed: InSight) -> None:
        self._session.pipeline.preview(followed)
        self._follow_on()

    def _stop_following(self) -> None:
        self._dragged = None
        self._session.jobs.cancel(FOLLOWING)

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
        around = together(figures)
        if around is not None:
            poses = posed_together(figures, around.pose.turned(way * TURN))
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

    def edit(self, words: str, poses: Mapping[str, Pose], tongues: int, token: object) -> None:
        """Give the selected figures other poses, or another number of tongues each."""
        figures = self._figures
        if any(one.pose != poses.get(one.name, one.pose) for one in figures):
            self._pose(words, poses, token)
        elif any(one.tongues != tongues for one in figures):
            work = partial(_with_tongues, [one.name for one in figures], tongues)
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
        self._stop_following()
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
        self._stop_following()
        self._pending, self._before, self._nudged = {}, None, None
        self._marks.show_ghost()


def _look(path: Path, reading: Reading, progress: Progress) -> DrawingResult:
    from studio.files.drawing_reader import read_figure

    shape, notes = read_figure(path, progress, reading)
    return DrawingResult(shape, shape.rings, notes, is_framed=is_framed(shape.rings))


def _names(design: JigsawDesign) -> frozenset[str]:
    return frozenset(one.name for one in design.whimsies)


def _with_drawn(
    shape: Figure, height: float, place: tuple[float, float] | None, design: JigsawDesign, progress: Progress
) -> Generated[JigsawDesign]:
    return figure_edits.with_drawn_figure(design, shape, height, progress, place=place)


def _with_tongues(names: list[str], tongues: int, design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    return figure_edits.with_tongues_of_figures(design, names, tongues, progress)


def _copied(names: tuple[str, ...], design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    return figure_edits.with_figures_copied(design, names, progress)


def _posed(
    poses: Mapping[str, Pose], is_exact: bool, design: JigsawDesign, progress: Progress
) -> Generated[JigsawDesign]:
    return figure_edits.with_figures_posed(design, poses, progress, is_exact=is_exact)


def _without(names: tuple[str, ...], design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    return figure_edits.without_figures(design, names, progress)
