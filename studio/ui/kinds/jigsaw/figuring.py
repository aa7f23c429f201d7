"""The figures of one jigsaw: asked for, moved, rotated, mirrored and removed, worked out off the GUI thread.

Until a change is known the outline of the figure is shown where it was asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from studio.progress import Progress
from studio.puzzles.jigsaw import posing
from studio.puzzles.jigsaw.model import JigsawDesign
from studio.puzzles.jigsaw.whimsies import Pose, Whimsy
from studio.texts import tr
from studio.ui.kinds.jigsaw.marks import JigsawMarks
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.session.session import Session

TURN = 15.0
"""Degrees that a figure is rotated by with one key."""
NUDGE_PAUSE = 1.0
"""Seconds after which another nudge is another step of the history."""


class Figuring(QObject):
    """Changes figures; one that is asked for while another is worked out sets out from that."""

    def __init__(
        self, session: Session, selection: Selection, marks: JigsawMarks, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._selection, self._marks = session, selection, marks
        self._pending: Whimsy | None = None
        self._before: frozenset[str] | None = None
        self._nudged: tuple[object, str, float] | None = None
        session.document.settled.connect(self._settle)
        session.changing.given_up.connect(self._forget)

    def ask(self) -> None:
        """Ask for a figure or a text, and put it on the board."""
        from studio.ui.kinds.jigsaw.figuredialog import FigureDialog

        design: JigsawDesign = self._session.document.design
        dialog = FigureDialog(posing.usual_height(design), self._session.dialogs.parent)
        request = self._session.dialogs.ask(dialog)
        dialog.deleteLater()
        if request is None:
            return
        if request.text:
            self._add(tr("Add letters"), partial(_with_text, request.text, request.height))
        else:
            self._add(tr("Add figure"), partial(_with_figure, request.key, request.height))

    def _add(self, words: str, work: Callable[[JigsawDesign, Progress], JigsawDesign]) -> None:
        self._forget()
        self._before = _names(self._session.document.design)
        self._session.changing.make(words, work, is_long=True)

    def move(self, pose: Pose) -> None:
        """Drop the selected figure: it goes to the nearest place where it fits."""
        self._pose(tr("Move figure"), pose)

    def nudge(self, right: float, down: float) -> None:
        """Move the selected figure by some mm; nudges in quick succession are one step of the history."""
        figure, now = self._figure, time.monotonic()
        if figure is None:
            return
        token, name, last = self._nudged or (object(), "", 0.0)
        if name != figure.name or now - last > NUDGE_PAUSE:
            token = object()
        pose = replace(figure.pose, x=figure.pose.x + right, y=figure.pose.y + down)
        self._pose(tr("Nudge figure"), pose, token)
        self._nudged = token, figure.name, now

    def turn(self, way: int) -> None:
        """Rotate the selected figure clockwise, or with -1 the other way."""
        if self._figure is not None:
            self._pose(tr("Rotate figure"), posing.turned(self._figure.pose, way * TURN))

    def mirror(self) -> None:
        """Mirror the selected figure."""
        if self._figure is not None:
            pose = self._figure.pose
            self._pose(tr("Mirror figure"), replace(pose, is_mirrored=not pose.is_mirrored))

    def edit(self, words: str, pose: Pose, token: object) -> None:
        """Give the selected figure another pose."""
        self._pose(words, pose, token)

    def remove(self) -> None:
        """Remove the selected figure."""
        figure = self._selection.figure
        if figure is not None:
            self._forget()
            self._session.changing.make(tr("Remove figure"), partial(_without, figure.name), is_long=True)

    @property
    def _figure(self) -> Whimsy | None:
        """The selected figure, as it will be."""
        figure = self._selection.figure
        if figure is not None and self._pending is not None and figure.name == self._pending.name:
            return self._pending
        return figure

    def _pose(self, words: str, pose: Pose, token: object | None = None) -> None:
        """Change the pose; where only its place is given in numbers, it is exactly that."""
        figure, now = self._selection.figure, self._figure
        if figure is None or now is None:
            return
        is_exact = token is not None and replace(now.pose, x=pose.x, y=pose.y) == pose
        self._nudged, self._before = None, None
        self._pending = replace(figure, pose=pose)
        self._marks.show_ghost(self._pending)
        work = partial(_posed, figure.name, pose, is_exact)
        self._session.changing.make(words, work, gesture=token, is_long=True)

    def _settle(self, design: JigsawDesign) -> None:
        """Select what was added; any other change outdates what was asked for."""
        before, nudged = self._before, self._nudged
        asked = self._pending
        self._forget()
        if asked is not None and asked in design.whimsies:
            self._nudged = nudged
        if before is not None:
            added = sorted(_names(design) - before)
            if added:
                self._selection.select_figure(added[0])

    def _forget(self) -> None:
        self._pending = self._before = self._nudged = None
        self._marks.show_ghost(None)


def _names(design: JigsawDesign) -> frozenset[str]:
    return frozenset(one.name for one in design.whimsies)


def _with_figure(key: str, height: float, design: JigsawDesign, progress: Progress) -> JigsawDesign:
    return posing.with_figure(design, key, height, progress)


def _with_text(text: str, height: float, design: JigsawDesign, progress: Progress) -> JigsawDesign:
    return posing.with_text(design, text, height, progress)


def _posed(name: str, pose: Pose, is_exact: bool, design: JigsawDesign, progress: Progress) -> JigsawDesign:
    return posing.with_figure_posed(design, name, pose, progress, is_exact=is_exact)


def _without(name: str, design: JigsawDesign, progress: Progress) -> JigsawDesign:
    return posing.without_figure(design, name, progress)
