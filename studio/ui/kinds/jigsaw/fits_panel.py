"""Proposals for a whole jigsaw: its false fits as a table and a heat map, reshaped tongues, and repairs of all
problems.

The board is compared off the GUI thread, and only while the table or the heat map is in sight. A repair is shown over
the board first, and made when the maker agrees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.units import length
from studio.checks.finding import Severity
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.fits.false_fits import Fits, Reading, false_fits, reading
from studio.puzzles.jigsaw.fits.tongue_reshaping import Reshaped, made_devious, made_unique
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.repair import Repaired, repaired
from studio.ui.canvas import paths
from studio.ui.canvas.marks import HIGHLIGHT_Z
from studio.ui.canvas.paths import PathItem, cosmetic
from studio.ui.kinds.jigsaw.selection import Selection, thick_pen
from studio.ui.session.derived import Derived
from studio.ui.session.notices import Action
from studio.ui.session.session import Session
from studio.ui.widgets.controls import wrapping
from studio.ui.widgets.layout import column
from studio.ui.widgets.tables import CellLook, Column, TiedTable
from studio.ui.widgets.theme import Theme, current_theme

LANE = "fits"
PAUSE_MS, PATIENCE_MS = 300, 500
"""Pause after the last change before a board is compared, and before its progress is shown."""
LEVELS = ((1, "1"), (2, "2–5"), (6, "6–20"), (21, "> 20"))
"""Least number of false fits for each colour of an edge, and its text in the legend."""
LIGHT = ("#C98A00", "#D6455B", "#8A1C7C", "#2B0A5A")
DARK = ("#B0399A", "#EE6A5A", "#FDB35C", "#FCFDBF")
"""Heat on a white board and on a dark one: each step is further from the board in lightness, too."""
WIDTHS = (2.0, 2.6, 3.2, 3.8)
"""Line widths in pixels, so that colour is not the only sign."""
MARGIN, SWATCH, ROW = 8, 18, 18
"""Sizes of the legend, in pixels."""
MOST_SELECTED = 3
"""Most selected rows of the table that select their partners, too."""


class FitsRequest(NamedTuple):
    """A board and the clearance in mm; the fits of the board before save most of the work."""

    shapes: JigsawShapes
    clearance: float
    before: Fits | None


def _compared(asked: FitsRequest, progress: Progress) -> Reading:
    found = false_fits(asked.shapes, asked.clearance, progress.part(0.0, 0.9), before=asked.before)
    return reading(found, progress.part(0.9, 1.0))


class Fitting(QObject):
    """Keeps false fits in step with settled shapes, while they are in sight."""

    def __init__(self, session: Session, selection: Selection, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._selection = session, selection
        self.answer = Derived[FitsRequest, Reading](
            session.jobs, LANE, _compared, key=lambda asked: (asked.shapes, asked.clearance), pause=PAUSE_MS,
            patience=PATIENCE_MS, watched=False, parent=self,
        )  # fmt: skip
        self.heat = [PathItem(HIGHLIGHT_Z - 1.0 + level / 10) for level in range(len(LEVELS))]
        for item in self.heat:
            item.hide()
            session.canvas.scene.addItem(item)
        self.legend = Legend(session.canvas.view.viewport())
        self._is_hot = False
        self._shapes = selection.shapes
        self.answer.changed.connect(self._show)
        self.show_shapes(selection.shapes)

    @property
    def clearance(self) -> float:
        """The kerf in mm of the material used last."""
        return self._session.preferences.kerf()

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow shapes that have settled."""
        self._shapes = shapes
        last = self.answer.last
        self.answer.ask(FitsRequest(shapes, self.clearance, None if last is None else last.fits))

    def show_heat(self, on: bool) -> None:
        """Show the heat map, or put it away."""
        self._is_hot = on
        self.answer.watch(self, watches=on)
        self._show()

    def make_unique(self) -> None:
        """Reshape tongues until every piece fits in one place only."""
        self._reshape(tr("Make pieces unique"), partial(made_unique, clearance=self.clearance))

    def make_devious(self) -> None:
        """Make the selected tongues, or any, near-copies of each other."""
        chosen = self._selection.tongues
        names = (
            [self._selection.shapes.tiling.tongue_name(tongue) for tongue in sorted(chosen)] if len(chosen) > 1 else []
        )
        self._reshape(tr("Make pieces devious"), partial(made_devious, clearance=self.clearance, names=names))

    def _reshape(self, title: str, work: Callable[..., Reshaped]) -> None:
        def take(found: Reshaped) -> None:
            if found.tongues:
                self._session.document.edit(title, found.design)
            is_done = not (found.tongues or found.left)
            words = [tr("Every piece already fits in one place only.")] if is_done else found.sentences
            self._session.notices.post(" ".join(words), Severity.WARNING if found.left else Severity.HINT, passes=True)

        self._session.changing.look(title, lambda design, progress: work(design, progress=progress), take)

    def _show(self) -> None:
        known = self.answer.answer
        shown = self._is_hot and known is not None and known.fits.known.shapes is self._shapes
        self.legend.setVisible(self._is_hot)
        for level, item in enumerate(self.heat):
            item.setVisible(shown)
            if shown and known is not None:
                found, least = known.fits, LEVELS[level][0]
                below = LEVELS[level + 1][0] if level + 1 < len(LEVELS) else np.inf
                edges = found.edges[(found.others >= least) & (found.others < below)]
                item.show_path(paths.curved(self._shapes.drawing.strokes.chosen(edges)), partial(heat_pen, level))


def heat_pen(level: int, theme: Theme) -> QPen:
    """Pen of an edge by the level of its false fits."""
    return cosmetic(QColor((DARK if theme.is_dark else LIGHT)[level]), WIDTHS[level])


class Legend(QWidget):
    """Key to the colours of the heat map, in one line in the upper left corner of the canvas."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("False fits per edge"))
        self.hide()
        metrics = self.fontMetrics()
        self._title = metrics.horizontalAdvance(self.accessibleName()) + 2 * MARGIN
        self._step = SWATCH + MARGIN // 2 + metrics.horizontalAdvance(max((each for _, each in LEVELS), key=len))
        self._step += 2 * MARGIN
        self.resize(MARGIN + self._title + len(LEVELS) * self._step, max(ROW, metrics.height()) + MARGIN)
        self.move(MARGIN, MARGIN)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw title, lines and numbers."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.line)
        painter.setBrush(theme.panel)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(theme.text)
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRectF(MARGIN, 0, self._title, self.height()), left, self.accessibleName())
        middle = self.height() / 2
        for level, (_least, words) in enumerate(LEVELS):
            at = MARGIN + self._title + level * self._step
            painter.setPen(heat_pen(level, theme))
            painter.drawLine(QPointF(at, middle), QPointF(at + SWATCH, middle))
            painter.setPen(theme.text)
            painter.drawText(QRectF(at + SWATCH + MARGIN / 2, 0, self._step, self.height()), left, words)
        painter.end()


class FitsTable(QObject):
    """Edges with false fits, and above them the facts about the board."""

    def __init__(self, answer: Derived[FitsRequest, Reading], selection: Selection, page: QWidget) -> None:
        super().__init__(page)
        self._answer, self._selection = answer, selection
        self._at: dict[int, int] = {}
        self.words = wrapping()
        self.words.setContentsMargins(12, 8, 12, 4)
        columns: list[Column[int]] = [
            Column(tr("Edge"), lambda edge: self._name(edge), help=tr("The two pieces it separates.")),
            Column(
                tr("False fits"), lambda edge: str(self._fits.others[self._at[edge]]), CellLook.NUMBER,
                help=tr("Number of other edges it could be mistaken for."),
            ),
            Column(
                tr("Closest"), lambda edge: self._name(int(self._fits.partners[self._at[edge]])),
                help=tr("The edge most like it; selecting the row selects both."),
            ),
            Column(
                tr("Difference"), lambda edge: length(float(self._fits.distances[self._at[edge]]), 3), CellLook.NUMBER,
                help=tr("Largest distance between the two edges when one is laid on the other."), metric="mm",
            ),
        ]  # fmt: skip
        self.table = TiedTable(tr("False fits"), columns, lambda: selection.tongues, self._select, selection.changed)
        page.setLayout(column(self.words, self.table))
        answer.changed.connect(self._show)
        answer.watch_in(page)
        answer.watch(page, watches=page.isVisible())
        self._show()

    @property
    def _fits(self) -> Fits:
        known = self._answer.answer or self._answer.last
        assert known is not None
        return known.fits

    def _name(self, edge: int) -> str:
        return self._fits.known.shapes.tiling.edge_name(edge)

    def _select(self, rows: frozenset[int]) -> None:
        partners = {int(self._fits.partners[self._at[edge]]) for edge in rows} if len(rows) <= MOST_SELECTED else set()
        self._selection.select(tongues=rows | partners)

    def _show(self) -> None:
        known = self._answer.answer
        if known is None:
            if self._answer.problem:
                self.words.setText(self._answer.problem)
            elif self._answer.is_waiting:
                self.words.setText(tr("Comparing edges… {share:.0%}", share=self._answer.share))
            if self._answer.question is not None:
                self.table.elements.show_elements([])
            return
        found = known.fits
        self.words.setText(" ".join(known.sentences))
        self._at = {edge: at for at, edge in enumerate(found.edges.tolist())}
        wrong = np.flatnonzero(found.others)
        order = wrong[np.lexsort((found.distances[wrong], -found.others[wrong]))]
        self.table.elements.show_elements(found.edges[order].tolist())


@dataclass(frozen=True, eq=False)
class Proposal:
    """A repaired design, and its changed cuts."""

    found: Repaired
    cuts: Curves


def proposed(design: JigsawDesign, progress: Progress) -> Proposal:
    """The design repaired, and its changed cuts."""
    found = repaired(design, progress.part(0.0, 0.95))
    before = shape(design, None, progress.part(0.95, 1.0))
    after = shape(found.design, before, progress).drawing.strokes
    # A figure elsewhere makes another board, with the same cuts away from it.
    known = set(_rounded(before.drawing.strokes))
    changed = [at for at, stroke in enumerate(_rounded(after)) if stroke not in known]
    return Proposal(found, after.chosen(np.array(changed, np.int64)))


def _rounded(strokes: Curves) -> list[bytes]:
    """Strokes rounded to a thousandth of a mm and in either direction, for comparison."""
    points = np.round(strokes.points, 3) + 0.0
    runs = (points[begin:end] for begin, end in pairwise(strokes.starts.tolist()))
    return [min(run.tobytes(), run[::-1].tobytes()) for run in runs]


class Repairing(QObject):
    """Proposes a repair over the board, and makes it or not."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.proposal: Proposal | None = None
        self._apply: Action | None = None
        self._discard = Action(tr("Discard"), self.discard)
        self.ghost = PathItem(HIGHLIGHT_Z + 0.6)
        self.ghost.hide()
        session.canvas.scene.addItem(self.ghost)
        session.document.settled.connect(self.discard)
        session.document.replaced.connect(self.discard)
        session.notices.changed.connect(self._follow)

    def start(self) -> None:
        """Look for a repair of all problems."""
        self.discard()
        self._session.changing.look(tr("Fix all"), proposed, self._propose)

    def discard(self, _design: object = None) -> None:
        """Leave the board as it is."""
        self.proposal = None
        self.ghost.hide()
        if self._apply is not None:
            self._session.notices.withdraw(self._apply)
            self._apply = None

    def _propose(self, proposal: Proposal) -> None:
        words = " ".join(proposal.found.sentences)
        if not proposal.found.is_change:
            self._session.notices.post(words)
            return
        self.proposal = proposal
        make = partial(self._session.document.edit, tr("Fix all problems"), proposal.found.design)
        self._apply = Action(tr("Apply"), make)
        self.ghost.show_path(paths.curved(proposal.cuts), thick_pen)
        self.ghost.show()
        self._session.notices.post(
            proposal.found.summary, action=self._apply, other=self._discard, asks=True, details=words
        )

    def _follow(self, _notice: object) -> None:
        notices = self._session.notices
        if self.proposal is not None and not any(
            one is not None and one.action is self._apply for one in (notices.notice(), *notices.waiting())
        ):
            # The notice was closed without an answer.
            self.discard()
