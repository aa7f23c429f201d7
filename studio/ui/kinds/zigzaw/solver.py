"""The view of the solver: the search for all solutions as a film, by one of several strategies."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QGraphicsScene, QLabel, QSizePolicy, QStyle, QStyleOptionSlider, QWidget

from studio.base.amounts import many, thousands
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.zigzaw.grade import STRATEGIES
from studio.puzzles.zigzaw.model import ZigzawDesign, matching
from studio.solving.edges import UNKNOWN, Film, Strategy, record
from studio.ui.canvas.cutting import blended
from studio.ui.canvas.view import CanvasView, Tool
from studio.ui.kinds.zigzaw.scene import Ground, Pieces
from studio.ui.session.actions import Command
from studio.ui.session.derived import Derived
from studio.ui.session.extension import View
from studio.ui.session.session import Session
from studio.ui.widgets.controls import CalmComboBox, ElidedLabel, Strip, control_height
from studio.ui.widgets.layout import REST, column, row
from studio.ui.widgets.player import TICKS, StepBar, StepPlayer, TimeLine
from studio.ui.widgets.theme import GAP, MARGIN, Painted, Theme, current_theme

SPEEDS = (1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000)
"""Steps a second."""
USUAL_SPEED = 4


class FilmPlayer(StepPlayer):
    """Plays one film at a time."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self.film: Film | None = None

    def show_film(self, film: Film | None) -> None:
        """Take another film, at its beginning, or none."""
        self.pause()
        self.film = film
        self.load(0 if film is None else len(film))

    @property
    def stop(self) -> int:
        """The next solution, or the end."""
        return self.count if self.film is None else self.film.stop_after(self.at)

    def go_to_end(self) -> None:
        """Go to the first solution; from there on to the end."""
        first = self.count if self.film is None else self.film.stop_after(0)
        self.seek(first if self.at < first else self.count)


CHART_HEIGHT = 44
BAR_SIZE = QSize(96, 8)
WORDS = (
    tr("Go to start (Ctrl+Home)"), tr("Previous step (B)"), tr("Next step (S)"),
    tr("Go to solution, then to the end (Ctrl+End)"),
)  # fmt: skip
MOST_MARKED = 200
"""Solutions that are marked on the chart."""


def outline_of(depths: Ints, columns: int) -> Ints:
    """The greatest depth in each of at most `columns` equal parts of a film."""
    starts = np.linspace(0, len(depths), min(columns, len(depths)), endpoint=False).astype(np.int64)
    return np.maximum.reduceat(depths, starts)


class DepthLine(TimeLine):
    """A time line on a chart: the number of pieces on the board after each step, and the solutions."""

    def __init__(self) -> None:
        super().__init__(
            tr("Pieces on the board after each step. Drag or use the arrow keys to move through the search.")
        )
        self.setFixedHeight(CHART_HEIGHT)
        self.setAccessibleName(tr("Pieces on the board at each step of the search"))
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

    def paintEvent(self, event: QPaintEvent) -> None:
        # The track is the range of the middle of the slider's handle, and as high as the chart.
        option, part = QStyleOptionSlider(), QStyle.SubControl.SC_SliderHandle
        self.initStyleOption(option)
        half = self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self).width() / 2
        theme, track = current_theme(), QRectF(half, 3, max(self.width() - 2 * half, 1), self.height() - 6)
        if self._chart is None:
            # Its outline has a corner for each pixel, which is much to paint in every frame.
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
            heights = outline_of(film.depths, round(track.width())) / max(len(film.matching.slots), 1)
            across = track.left() + track.width() * np.arange(len(heights)) / max(len(heights) - 1, 1)
            top = (track.bottom() - track.height() * heights).tolist()
            points = [QPointF(x, y) for x, y in zip(across.tolist(), top, strict=True)]
            ends = QPointF(track.left(), track.bottom()), QPointF(track.right(), track.bottom())
            painter.drawPolygon(QPolygonF([ends[0], *points, ends[1]]))
            for end in film.ends[:MOST_MARKED]:
                x = track.left() + track.width() * end / len(film)
                painter.fillRect(QRectF(x - 1, track.top(), 2, track.height()), theme.done)
        painter.end()
        return chart


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
        self.verdict, self.words = ElidedLabel(), ElidedLabel()
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.verdict.setMinimumHeight(control_height() - 4)
        said = row((self.verdict, 1), (self.words, 1))
        controls = row(*self.buttons, GAP, (self.speed, 1), self.speed.label, REST, self.filled, self.placed)
        column(said, self.line, controls, of=self, gap=4)
        self.follow()

    def say(self, words: str) -> None:
        """Show a verdict, if it is new."""
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
        pieces, tests = many(frame.tried, "piece"), many(frame.tests, "test")
        self.words.setText(tr("{step} · {pieces} tried · {tests}", step=steps, pieces=pieces, tests=tests))


FILMING = "filming"
PAUSE_MS, PATIENCE_MS = 300, 200
REMEMBERED = 3


@dataclass(frozen=True, eq=False)
class FilmRequest:
    """Request to film a search."""

    design: ZigzawDesign
    strategy: Strategy


def colours_key(design: ZigzawDesign) -> tuple[Hashable, ...]:
    """Inputs shared by all searches of a design, as a key."""
    return design.cubes, design.parameters.body


def _look(design: ZigzawDesign) -> Hashable:
    """Inputs of the board's look, as a key."""
    return *colours_key(design), design.palette


class SolverPage(QWidget):
    """The board as the search leaves it at one moment, and the controls of the film."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.scene = QGraphicsScene()
        self.ground: Ground | None = None
        self.pieces: Pieces | None = None
        self.view = CanvasView(self.scene)
        self.view.tool = Tool(self)
        self.view.setAccessibleName(tr("Solver"))
        self.view.setAccessibleDescription(tr("Search for all solutions; play it with the buttons below."))
        self.player = FilmPlayer(self)
        self.bar = FilmBar(self.player)
        self.strategy = CalmComboBox(tr("Strategy"), tr("Order in which places are filled, and how pieces are found"))
        self.strategy.setMinimumHeight(control_height())
        for strategy, (title, _how) in STRATEGIES.items():
            self.strategy.addItem(title, strategy)
        self.decoys = QCheckBox(tr("Decoys"))
        self.decoys.setToolTip(tr("Show how many wrong pieces fit each empty place if all before it are right"))
        self.how = ElidedLabel()
        self.films = Derived[FilmRequest, Film](
            session.jobs, FILMING,
            lambda asked, progress: record(matching(asked.design), asked.strategy, progress),
            key=lambda asked: (*colours_key(asked.design), asked.strategy),
            pause=PAUSE_MS, patience=PATIENCE_MS, remembered=REMEMBERED, watched=False, parent=self,
        )  # fmt: skip
        self.films.watch_in(self)
        self._design: ZigzawDesign | None = None
        self._shown: Hashable = None
        """Key of the look of the board in sight."""
        self.setFocusProxy(self.view)
        self._lay_out()
        self.strategy.currentIndexChanged.connect(lambda _row: self._ask(settled=True))
        self.decoys.toggled.connect(self._show_decoys)
        self.films.changed.connect(self._take)
        self.player.moved.connect(self._show)
        self.player.switched.connect(lambda _playing: self._show())
        player = self.player
        self.commands = [
            Command("film_play", tr("Play the search"), "&Solver", player.toggle, ("P",), "play",
                    tr("Play or pause the search"), on_canvas=True),
            Command("film_step", tr("Next step"), "&Solver", player.step, ("S",), "step",
                    tr("Place or remove one piece as the search does"), on_canvas=True),
            Command("film_back", tr("Previous step"), "&Solver", lambda: player.step(-1), ("B",), "previous",
                    tr("Go back one step"), on_canvas=True),
            Command("film_start", tr("Go to start"), "&Solver", lambda: player.go_to(0), ("Ctrl+Home",), "to-start",
                    tr("Go back to the empty board"), on_canvas=True),
            Command("film_end", tr("Go to solution"), "&Solver", player.go_to_end, ("Ctrl+End",), "to-end",
                    tr("Go to the solution, then to the end of the search"), on_canvas=True),
        ]  # fmt: skip

    def _lay_out(self) -> None:
        below = Strip()
        margins = (MARGIN, GAP // 2, MARGIN, GAP // 2)
        above = row(self.strategy, (self.how, 1), self.decoys, margins=margins)
        column(self.bar, of=below, margins=(MARGIN, 6, MARGIN, 4))
        column(above, (self.view, 1), below, of=self, gap=0)

    # Called by the window

    def entry(self, choose: Callable[[], object]) -> View:
        """The page as a view of the window, which calls `choose` when it comes in sight."""
        view = self.view
        return View(
            "solver", tr("Solver"), self, choose, view.fit, view.zoom_by, self.films.finish, self.player.seek_share
        )

    def show_design(self, design: ZigzawDesign, *, settled: bool) -> None:
        """Follow the design; another puzzle has another film. The board is made when it comes in sight."""
        self._design = design
        if self.isVisible():
            self._show_board()
        self._ask(settled=settled)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_board()

    # Display

    def _show_board(self) -> None:
        """Make the board of the design, unless it is there."""
        design = self._design
        if design is not None and _look(design) != self._shown:
            self._shown = _look(design)
            self.scene.clear()
            self.ground, self.pieces = Ground(design), Pieces(design, matching(design).sorts)
            self.scene.addItem(self.ground)
            self.scene.addItem(self.pieces)
            box = self.ground.boundingRect()
            self.view.show_board(box.width(), box.height(), box.left(), box.top())
            self._show_decoys(self.decoys.isChecked())
            self._show()

    def _ask(self, *, settled: bool) -> None:
        strategy: Strategy = self.strategy.currentData()
        self.how.setText(STRATEGIES[strategy][1])
        if self._design is not None:
            self.films.ask(FilmRequest(self._design, strategy), settled=settled)
            self._take()

    def _take(self) -> None:
        """Show another film once it is recorded; until then nothing is played."""
        if self.films.answer is not self.player.film:
            self.player.show_film(self.films.answer)
        else:
            self._say()

    def _show(self) -> None:
        pieces, film = self.pieces, self.player.film
        if pieces is not None and self._design is not None and self._shown == _look(self._design):
            empty = np.full(len(pieces.board), UNKNOWN)
            pieces.show_board(empty if film is None else film.board(self.player.at))
            pieces.last = film.at(self.player.at).last if film is not None and self.player.is_slow else None
        self._say()

    def _say(self) -> None:
        film, at = self.player.film, self.player.at
        if film is None:
            words = tr("Recording the search…") if self.films.is_waiting else ""
        elif self.player.is_at_end:
            words = film.verdict
        elif at in film.ends:
            words = tr("Solution found. Play on to see the rest of the search.")
        else:
            words = tr("Searching…") if at else tr("Play the search, or drag along its chart.")
        self.bar.say(words)

    def _show_decoys(self, shown: bool) -> None:
        if self.ground is not None and self._design is not None:
            self.ground.decoys = matching(self._design).decoys if shown else ()
