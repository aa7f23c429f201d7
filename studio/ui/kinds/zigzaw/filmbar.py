"""The controls of a film: a chart of its depth to be dragged along, the ways to its ends, the speed, the counts."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QLabel, QStyle, QStyleOptionSlider, QWidget

from studio.amounts import many, thousands
from studio.geometry.curves import Ints
from studio.solving.film import Film
from studio.ui.canvas.cutting import blended
from studio.ui.kinds.zigzaw.player import SPEEDS, USUAL_SPEED, FilmPlayer
from studio.ui.layout import REST, column, row
from studio.ui.painted import Painted
from studio.ui.panels.player import TICKS, TimeLine
from studio.ui.saying import Saying
from studio.ui.speed import SpeedSlider
from studio.ui.theme import GAP, Theme, current_theme
from studio.ui.widgets import CONTROL_HEIGHT, large_button, relabel

CHART_HEIGHT = 44
BAR_SIZE = QSize(96, 8)
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
        self.setAccessibleName("Pieces on the board over the steps of the search")
        self.setToolTip("Pieces on the board after each step. Drag along it, or press an arrow key.")
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
        self.setFixedSize(BAR_SIZE)
        self.setAccessibleName(name)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), theme.line)
        painter.fillRect(0, 0, round(self.share * self.width()), self.height(), theme.accent)


class FilmBar(QWidget):
    """The controls of one player."""

    def __init__(self, player: FilmPlayer) -> None:
        super().__init__()
        self._player = player
        self.start = large_button("To the start (Ctrl+Home)", "to-start")
        self.back, self.on = large_button("One step back (B)", "previous"), large_button("One step (S)", "step")
        self.play = large_button("Play (P)")
        self.end = large_button("To the solution, then to the end (Ctrl+End)", "to-end")
        self.line = DepthLine()
        self.filled = FilledBar("Pieces on the board")
        self.laid = QLabel()
        self.verdict, self.words = Saying(), Saying()
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.verdict.setMinimumHeight(CONTROL_HEIGHT - 4)
        tip = "How fast the film is played"
        self.speed = SpeedSlider("Speed of the film", tip, SPEEDS, USUAL_SPEED, self._choose_speed)
        buttons = (self.start, self.back, self.play, self.on, self.end)
        said = row((self.verdict, 1), (self.words, 1))
        controls = row(*buttons, GAP, (self.speed, 1), self.speed.label, REST, self.filled, self.laid)
        column(said, self.line, controls, of=self, gap=4)
        self.start.clicked.connect(partial(self._go_to, 0))
        self.back.clicked.connect(lambda: player.step(-1))
        self.play.clicked.connect(player.toggle)
        self.on.clicked.connect(lambda: player.step(1))
        self.end.clicked.connect(player.run)
        self.line.sliderPressed.connect(player.pause)
        self.line.valueChanged.connect(self._scrub)
        player.moved.connect(self.follow)
        player.switched.connect(self._name_play)
        self._name_play(False)
        self.follow()

    def _name_play(self, playing: bool) -> None:
        relabel(self.play, *(("Pause (P)", "pause") if playing else ("Play (P)", "play")))

    def say(self, words: str) -> None:
        """Say what is seen."""
        if words != self.verdict.text():
            self.verdict.setText(words)

    def follow(self) -> None:
        """Show the moment of the player."""
        player, film = self._player, self._player.film
        self.setEnabled(film is not None)
        self.line.show_film(film)
        self.start.setEnabled(player.at > 0)
        self.back.setEnabled(player.at > 0)
        self.on.setEnabled(not player.is_at_end)
        self.end.setEnabled(not player.is_at_end)
        if film is None:
            for label in (self.words, self.laid):
                label.setText("")
            self.filled.share = 0.0
            return
        moment, places = film.at(player.at), len(film.matching.slots)
        self.filled.share = moment.depth / places
        self.laid.setText(f"{moment.depth} of {places} pieces")
        steps = f"Step {thousands(moment.steps)} of {thousands(len(film))}"
        self.words.setText(f"{steps} · {many(moment.tried, 'piece')} tried · {many(moment.tests, 'test')}")
        if not self.line.isSliderDown():
            with QSignalBlocker(self.line):
                self.line.setValue(round(TICKS * player.at / max(len(film), 1)))

    def _scrub(self, tick: int) -> None:
        film = self._player.film
        if film is not None:
            self._go_to(round(len(film) * tick / TICKS))

    def _go_to(self, at: int) -> None:
        self._player.pause()
        self._player.go_to(at)

    def _choose_speed(self, speed: float | None) -> None:
        self._player.speed = float(speed or SPEEDS[-1])
