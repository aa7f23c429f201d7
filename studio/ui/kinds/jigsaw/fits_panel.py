"""False fits of a jigsaw's pieces: a table, a heat map on the canvas, and reshaped tongues.

The board is compared off the GUI thread, and only while the table or the heat map is in sight.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.units import length
from studio.checks.finding import Severity
from studio.geometry.curves.strokes import Ints
from studio.puzzles.jigsaw.fits.false_fits import Fits, Reading, false_fits, reading
from studio.puzzles.jigsaw.fits.tongue_reshaping import Reshaped, made_devious, made_unique
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.ui.canvas import paths
from studio.ui.canvas.marks import HIGHLIGHT_Z
from studio.ui.canvas.paths import PathItem, cosmetic
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.panels.tables import CellLook, Column, TiedTable
from studio.ui.session.derived import Derived
from studio.ui.session.session import Session
from studio.ui.widgets.controls import wrapping
from studio.ui.widgets.layout import column
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

    def make_table(self, page: QWidget) -> FitsTable:
        """The table of ambiguous edges, on its page."""
        return FitsTable(self.answer, self._selection, page)

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
        def made(design: JigsawDesign, progress: Progress) -> Reshaped:
            return work(design, progress=progress)

        self._session.changing.look(title, made, partial(self._take, title))

    def _take(self, title: str, found: Reshaped) -> None:
        if found.tongues:
            self._session.document.edit(title, found.design)
        words = found.sentences if found.tongues or found.left else [tr("Every piece already fits in one place only.")]
        self._session.notices.post(" ".join(words), Severity.WARNING if found.left else Severity.HINT, passes=True)

    def _show(self) -> None:
        known = self.answer.answer
        shown = self._is_hot and known is not None and known.fits.known.shapes is self._shapes
        self.legend.setVisible(self._is_hot)
        for level, item in enumerate(self.heat):
            item.setVisible(shown)
            if shown and known is not None:
                item.show_path(
                    paths.curved(self._shapes.drawing.strokes.chosen(_of_level(known.fits, level))),
                    partial(heat_pen, level),
                )


def _of_level(found: Fits, level: int) -> Ints:
    """The edges of one colour."""
    least = LEVELS[level][0]
    below = LEVELS[level + 1][0] if level + 1 < len(LEVELS) else np.inf
    return np.asarray(found.edges[(found.others >= least) & (found.others < below)])


def heat_colour(level: int, theme: Theme) -> QColor:
    """Colour of an edge by the level of its false fits."""
    return QColor((DARK if theme.is_dark else LIGHT)[level])


def heat_pen(level: int, theme: Theme) -> QPen:
    """Pen in the heat colour."""
    return cosmetic(heat_colour(level, theme), WIDTHS[level])


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
        self.table = TiedTable(
            tr("False fits"), self._columns(), lambda: selection.tongues, self._select, selection.changed
        )
        page.setLayout(column(self.words, self.table))
        answer.changed.connect(self._show)
        answer.watch_in(page)
        answer.watch(page, watches=page.isVisible())
        self._show()

    def _columns(self) -> list[Column[int]]:
        return [
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
