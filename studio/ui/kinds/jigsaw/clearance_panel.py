"""Grip of the selected tongue or figure and of all tongues of a board, measured off the GUI thread.

The whole board is measured while the table of tongues is in sight, and always once `measure` was called.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QWidget

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.session.derived import Derived
from studio.ui.session.session import Session
from studio.ui.widgets.controls import wrapping

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.fits.interlock import Grip

ONE, ALL = "interlock", "interlocks"
"""Lanes of work."""
PAUSE_MS = 300
"""Pause after the last change before a board is measured."""


class ClearanceRequest(NamedTuple):
    """A question for a tongue, a figure by its name, or the whole board; with the key of the material used last."""

    shapes: JigsawShapes
    material: str
    tongue: int = -1
    figure: str = ""


class Told(NamedTuple):
    """Grip of a tongue or a figure, in words."""

    tongue: int
    figure: str
    words: str


@dataclass(frozen=True, eq=False)
class Measured:
    """The grips of a board by its tongues, and the weakest in words."""

    grips: dict[int, Grip]
    words: str


class Gripping(QObject):
    """Keeps `one`, words for the selection, and `board` in step with settled shapes."""

    def __init__(self, session: Session, selection: Selection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._selection = session, selection
        self.one = Derived(session.jobs, ONE, _told, parent=self)
        self.board = Derived(session.jobs, ALL, _measured, pause=PAUSE_MS, watched=False, parent=self)
        self._settled = selection.shapes
        self.board.ask(ClearanceRequest(selection.shapes, self._material))
        selection.changed.connect(self._ask)

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow settled shapes."""
        self._settled = shapes
        self.board.ask(ClearanceRequest(shapes, self._material))
        self._ask()

    def watch_in(self, table: QWidget) -> None:
        """Measure the board whenever a table is in sight."""
        self.board.watch_in(table)

    def measure(self) -> None:
        """Measure the board from now on."""
        self.board.watch(self, watches=True)

    def grip_text(self) -> str:
        """Grip of the selected tongue or figure; after a change its last words, until the new ones are known."""
        asked, told = self.one.question, self.one.answer or self.one.last
        if asked is None or told is None or (told.tongue, told.figure) != (asked.tongue, asked.figure):
            return ""
        return told.words

    def weakest(self) -> str:
        """The weakest tongue, or the progress of the measurement; empty if none is under way."""
        if self.board.answer is not None:
            return self.board.answer.words
        return tr("Measuring tongues… {share:.0%}", share=self.board.share) if self.board.is_busy else ""

    def grip(self, tongue: int) -> Grip | None:
        """Grip of a tongue; None until it is measured."""
        return None if self.board.answer is None else self.board.answer.grips.get(tongue)

    def _ask(self) -> None:
        """Ask for the grip of the only selected tongue or figure."""
        selection, shapes = self._selection, self._settled
        if selection.shapes is not shapes:
            return
        figure = selection.figure
        if figure is not None:
            self.one.ask(ClearanceRequest(shapes, self._material, figure=figure.name))
        elif len(selection.tongues) == 1 and not selection.corners:
            (tongue,) = selection.tongues
            self.one.ask(None if shapes.plain[tongue] else ClearanceRequest(shapes, self._material, tongue))
        else:
            self.one.ask(None)

    @property
    def _material(self) -> str:
        return self._session.preferences.workshop_key("material")


def _kerf(asked: ClearanceRequest) -> float:
    """The kerf in mm; 0 if it is not known."""
    from studio.fabricate.workshop import USUAL, Material, one_of

    with suppress(StudioError):
        return one_of(Material, asked.material or USUAL[Material]).value.kerf
    return 0.0


def _told(asked: ClearanceRequest, progress: Progress) -> Told:
    from studio.puzzles.jigsaw.fits.interlock import figure_grip, figure_words, tongue_grip, tongue_words

    if asked.figure:
        words = figure_words(figure_grip(asked.shapes, asked.figure), _kerf(asked))
    else:
        words = tongue_words(tongue_grip(asked.shapes, asked.tongue), _kerf(asked))
    return Told(asked.tongue, asked.figure, words)


def _measured(asked: ClearanceRequest, progress: Progress) -> Measured:
    from studio.puzzles.jigsaw.fits.interlock import holds, weakest_words

    found = holds(asked.shapes, progress, figures=False)
    return Measured(found.by_tongue, weakest_words(found, _kerf(asked)))


def grip_label(answer: Derived[Any, Any], words: Callable[[], str]) -> QLabel:
    """A text that follows an answer, and is hidden while it is empty."""
    label = wrapping()
    label.hide()

    def follow() -> None:
        label.setText(words())
        label.setVisible(bool(label.text()))

    answer.changed.connect(follow)
    return label
