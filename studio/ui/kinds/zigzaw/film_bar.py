"""The controls of a film: a chart of its depth to be dragged along, the ways to its ends, the speed, the counts."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOptionSlider, QWidget

from studio.base.amounts import many, thousands
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.solving.film import Film
from studio.ui.canvas.cutting import blended
from studio.ui.kinds.zigzaw.player import SPEEDS, USUAL_SPEED, FilmPlayer
from studio.ui.panels.player_bar import TICKS, TimeLine
from studio.ui.panels.step_bar import StepBar
from studio.ui.widgets.controls import control_height
from studio.ui.widgets.elided_label import Saying
from studio.ui.widgets.layout import REST, column, row
from studio.ui.widgets.theme import GAP, Painted, Theme, current_theme

CHART_HEIGHT = 44
BAR_SIZE = QSize(96, 8)
WORDS = (
    tr("Go to start (Ctrl+Home)"),
    tr("Previous step (B)"),
    tr("Next step (S)"),
    tr("Go to solution, then to the end (Ctrl+End)"),
)
MOST_MARKED = 200
"""Solutions that are marked on the chart."""


def outline_of(depths: Ints, columns: int) -> Ints:
    """The greatest depth in each of at most `columns` equal parts of a film."""
    starts = np.linspace(0, len(depths), min(columns, len(depths)), endpoint=False).astype(np.int64)
    return np.maximum.reduceat(depths, starts)


class DepthLine(TimeLine):
    """A time line on a chart: how many pieces are on the board after each step, and where the solutions are."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(CHART_HEIGHT)
        self.setAccessibleName(tr("Pieces on the board at each step of the search"))
        self.setToolTip(
            tr("Pieces on the board after each step. Drag or use the arrow keys to move through the search.")
        )
        self._film: Film | None = None
        self._chart: QPixmap | None = None

    def show_film(self, film: Film | None) -> None:
        """Show another film, or none."""
        if film is not self._film:
            self._film, self._chart = film, None
            self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._chart = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._chart = None

    @property
    def _track(self) -> QRectF:
        """Where the middle of the slider's handle can be, and the height of the chart."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderHandle
        half = self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self).width() / 2
        return QRectF(half, 3, max(self.width() - 2 * half, 1), self.height() - 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, track = current_theme(), self._track
        if self._chart is None:
            # Its outline has a corner for each pixel, which would be much to paint in every frame.
            self._chart = self._painted(theme, track)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._chart)
        if self.hasFocus():
            painter.setPen(QPen(theme.accent, 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if self._film is not None:
            x = round(track.left() + track.width() * self.sliderPosition() / TICKS)
            painter.fillRect(x - 1, 1, 2, self.height() - 2, theme.text)

    def _painted(self, theme: Theme, track: QRectF) -> QPixmap:
        ratio, film = self.devicePixelRatioF(), self._film
        chart = QPixmap(self.size() * ratio)
        chart.setDevicePixelRatio(ratio)
        chart.fill(theme.field)
        painter = QPainter(chart)
        painter.setPen(QPen(theme.line, 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if film is not None and len(film):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(blended(theme.field, theme.accent, 0.35))
            painter.drawPolygon(self._outline(film, track))
            for end in film.ends[:MOST_MARKED]:
                x = track.left() + track.width() * end / len(film)
                painter.fillRect(QRectF(x - 1, track.top(), 2, track.height()), theme.done)
        painter.end()
        return chart

    def _outline(self, film: Film, track: QRectF) -> QPolygonF:
        heights = outline_of(film.depths, round(track.width())) / max(len(film.matching.slots), 1)
        across = track.left() + track.width() * np.arange(len(heights)) / max(len(heights) - 1, 1)
        points = [
            QPointF(x, track.bottom() - track.height() * share)
            for x, share in zip(across.tolist(), heights.tolist(), strict=True)
        ]
        return QPolygonF([QPointF(track.left(), track.bottom()), *points, QPointF(track.right(), track.bottom())])


class FilledBar(QWidget):
    """A bar that is filled to a share."""

    share = Painted(0.0)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setFixedHeight(BAR_SIZE.height())
        self.setMinimumWidth(BAR_SIZE.width() // 2)
        self.setMaximumWidth(BAR_SIZE.width())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), theme.line)
        painter.fillRect(0, 0, round(self.share * self.width()), self.height(), theme.accent)


class FilmBar(StepBar):
    """The controls of a player of films, with the counts of the search."""

    def __init__(self, player: FilmPlayer) -> None:
        line = DepthLine()
        speed = tr("Playback speed"), tr("Playback speed of the search"), SPEEDS, USUAL_SPEED
        super().__init__(player, WORDS, line, speed)
        self._films, self._chart = player, line
        self.filled = FilledBar(tr("Pieces on the board"))
        self.placed = QLabel()
        self.verdict, self.words = Saying(), Saying()
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.verdict.setMinimumHeight(control_height() - 4)
        said = row((self.verdict, 1), (self.words, 1))
        controls = row(*self.buttons, GAP, (self.speed, 1), self.speed.label, REST, self.filled, self.placed)
        column(said, self.line, controls, of=self, gap=4)
        self.follow()

    def say(self, words: str) -> None:
        """Say what is seen."""
        if words != self.verdict.text():
            self.verdict.setText(words)

    def follow(self) -> None:
        """Show the step that the player is at."""
        super().follow()
        player, film = self._films, self._films.film
        self._chart.show_film(film)
        if film is None:
            for label in (self.words, self.placed):
                label.setText("")
            self.filled.share = 0.0
            return
        frame, places = film.at(player.at), len(film.matching.slots)
        self.filled.share = frame.depth / places
        self.placed.setText(tr("{placed} of {count} pieces", placed=frame.depth, count=places))
        steps = tr("Step {number} of {count}", number=thousands(frame.steps), count=thousands(len(film)))
        self.words.setText(
            tr(
                "{step} · {pieces} tried · {tests}",
                step=steps,
                pieces=many(frame.tried, "piece"),
                tests=many(frame.tests, "test"),
            )
        )
