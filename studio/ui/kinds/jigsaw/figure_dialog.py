"""The dialog that asks for a figure by its picture, or for a line of letters, and shows it on the board meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QLineEdit, QListView, QListWidget, QListWidgetItem, QWidget

from studio.base.errors import StudioError
from studio.base.parameters import declarations
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.figures import figure_edits
from studio.puzzles.jigsaw.figures.catalogue import Figure, figure, keys
from studio.puzzles.jigsaw.figures.letters import MOST_LETTERS
from studio.puzzles.jigsaw.figures.whimsies import Pose, Setting, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.kind import Generated
from studio.ui.canvas import paths
from studio.ui.panels.frame import RIM
from studio.ui.session.derived import Derived
from studio.ui.session.dialogs import WorkDialog
from studio.ui.session.jobs import Jobs
from studio.ui.widgets.controls import hint_label, push_button
from studio.ui.widgets.layout import REST, column, holding, named, row
from studio.ui.widgets.length_spin import NumberSpinBox, WholeSpinBox, shown
from studio.ui.widgets.theme import GAP, current_theme

PICTURE = 56
"""Size of the room for a figure's picture, in pixels."""
CELL = QSize(100, 88)
ACROSS, DOWN, LEAST_ACROSS = 6, 3, 4
KEY = Qt.ItemDataRole.UserRole
IMPORT = tr("Import…")
PROPOSING = "proposing a figure"
PAUSE_MS = 150
"""The pause after the last change before the figure is placed."""
BOARD_SIZE = QSize(250, 170)
"""Pixels of the board's picture."""
PLACED = tr("Placed as near the centre of the board as it fits.")


class FigureRequest(NamedTuple):
    """A figure of the studio by its key, or a figure from a file, or a text; its height in mm and its tongues.

    Without a height it has the usual height, or a smaller one that fits.
    """

    key: str
    text: str
    height: float | None
    tongues: int = 0
    drawn: Figure | None = None

    def figures(self, design: JigsawDesign, pose: Pose) -> list[Whimsy]:
        """The figures at a pose, not placed yet; raises StudioError for letters that cannot be cut."""
        if self.text:
            return figure_edits.new_letters(design, self.text, pose, self.tongues)
        if self.drawn is not None:
            return figure_edits.new_drawn_figure(design, self.drawn, pose, self.tongues)
        return figure_edits.new_figure(design, self.key, pose, self.tongues)

    def added(self, design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
        """The design with the figures; raises StudioError if there is no room for them."""
        height = self.height or figure_edits.new_height(design, partial(self.figures, design))
        return figure_edits.with_added(design, self.figures(design, figure_edits.middle(design, height)), progress)


@dataclass(frozen=True, eq=False)
class Proposal:
    """Result of a request: the changed design, or the reason for its refusal."""

    made: Generated[JigsawDesign] | None
    figures: tuple[Whimsy, ...]
    """The new figures in their places; in the middle of the board if there is no room."""
    cuts: QPainterPath
    height: float
    """In mm, of the figures."""
    tallest: float
    """Largest height at which they fit, in mm."""
    problem: str = ""


def proposed(design: JigsawDesign, request: FigureRequest, progress: Progress) -> Proposal:
    """Try a request; raises StudioError for letters that cannot be cut."""
    make = partial(request.figures, design)
    tallest = figure_edits.tallest(design, make)
    height = request.height or figure_edits.new_height(design, make)
    figures = make(figure_edits.middle(design, height))
    try:
        made = figure_edits.with_added(design, figures, progress.part(0.1, 0.9))
    except StudioError as problem:
        return Proposal(None, tuple(figures), _cuts(design), height, tallest, _refusal(problem, request, tallest))
    names = {one.name for one in figures}
    placed = tuple(one for one in made.design.whimsies if one.name in names)
    return Proposal(made, placed, _cuts(made.design), height, tallest)


def _refusal(problem: StudioError, request: FigureRequest, tallest: float) -> str:
    """Why there is no room, with the remedy."""
    if not tallest or (request.height or 0.0) <= tallest:
        return str(problem)
    subject = tr("“{text}”", text=request.text) if request.text else tr("This figure")
    return tr("{subject} fits up to {height} high.", subject=subject, height=shown(tallest, "mm", 0))


def _cuts(design: JigsawDesign) -> QPainterPath:
    return paths.curved(shape(design, None, Progress()).drawing.strokes)


class FigureDialog(WorkDialog):
    """Pictures of the figures, figures from files, a line for a text, a height, and the result."""

    file_wanted = Signal()
    """Asks for a file with a figure; `read` shows the progress, `take` or `refuse_file` ends it."""

    def __init__(self, design: JigsawDesign, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(tr("Add figure"), tr("Add"), parent)
        self._design = design
        self._drawn: dict[str, Figure] = {}
        self._notes: dict[str, tuple[str, ...]] = {}
        self._is_own_height = False
        self.load = push_button(IMPORT, tr("Take a closed path from an SVG or DXF file as a figure"))
        self.load.setAutoDefault(False)
        self.load.clicked.connect(self.file_wanted)
        listed = _Pictures()
        listed.setAccessibleName(tr("Figures"))
        listed.setViewMode(QListView.ViewMode.IconMode)
        listed.setMovement(QListView.Movement.Static)
        listed.setResizeMode(QListView.ResizeMode.Adjust)
        listed.setIconSize(QSize(PICTURE, PICTURE))
        listed.setGridSize(CELL)
        for key in keys():
            item = QListWidgetItem(_picture(figure(key), listed.devicePixelRatioF()), figure(key).title)
            item.setData(KEY, key)
            listed.addItem(item)
        listed.setCurrentRow(0)
        self.pictures = listed
        self.text = QLineEdit()
        self.text.setMaxLength(MOST_LETTERS)
        self.text.setPlaceholderText(tr("Optional, such as a name"))
        self.text.setToolTip(tr("Letters to cut instead of a figure, one piece each"))
        self.height_box = NumberSpinBox.undeclared(
            tr("Height"), minimum=2, maximum=5000, step=1, unit="mm",
            help=tr("Height of the figure, or of the capital letters."),
        )  # fmt: skip
        self.height_box.setValue(figure_edits.usual_height(design))
        self.tongues_box = WholeSpinBox(next(one for one in declarations(Setting) if one.name == "tongues"))
        self.board = BoardPicture(design)
        self.noted = hint_label(PLACED)
        self.noted.setWordWrap(True)
        self.answer = Derived[FigureRequest, Proposal](
            jobs, PROPOSING, partial(proposed, design), pause=PAUSE_MS, remembered=8, parent=self
        )
        self._lay_out()
        self.answer.changed.connect(self._show)
        self.pictures.itemDoubleClicked.connect(lambda _item: self.accept())
        self.pictures.currentItemChanged.connect(lambda *_: self._ask())
        self.text.textChanged.connect(self._ask)
        self.height_box.valueChanged.connect(self._use_height)
        self.tongues_box.valueChanged.connect(self._ask)
        self._ask()

    def _lay_out(self) -> None:
        fields = named(
            {tr("Letters"): self.text, tr("Height"): self.height_box, tr("Tongues"): self.tongues_box}, down=GAP
        )
        left = holding(column(fields, self.noted, self.problem, self.state, REST, gap=GAP))
        column(
            (self.pictures, 1), row(self.load, REST), GAP, row((left, 1), self.board, gap=RIM), GAP, self.buttons,
            of=self, margins=RIM,
        )  # fmt: skip

    def read(self) -> None:
        """Show that a file is being read."""
        self.problem.say("")
        self.load.setText(tr("Reading…"))
        self.load.setEnabled(False)

    def refuse_file(self, sentence: str) -> None:
        """Show why a file has no figure."""
        self._go_on()
        self.problem.say(sentence)
        self.adjust()

    def _go_on(self) -> None:
        self.load.setText(IMPORT)
        self.load.setEnabled(True)

    def take(self, shape: Figure, notes: Sequence[str]) -> None:
        """Put a figure from a file first, and choose it."""
        self._go_on()
        self.text.clear()
        key = f"file {len(self._drawn) + 1}"
        self._drawn[key], self._notes[key] = shape, tuple(notes)
        item = QListWidgetItem(_picture(shape, self.pictures.devicePixelRatioF()), shape.title)
        item.setData(KEY, key)
        self.pictures.insertItem(0, item)
        self.pictures.setCurrentItem(item)
        self.pictures.scrollToTop()
        self._show()
        self.adjust()

    def choose(self, key: str) -> None:
        """Choose a figure by its key."""
        for at in range(self.pictures.count()):
            if self.pictures.item(at).data(KEY) == key:
                self.pictures.setCurrentRow(at)

    def request(self) -> FigureRequest:
        """The figure or text that was asked for."""
        self.height_box.interpretText()
        self.tongues_box.interpretText()
        key: str = self.pictures.currentItem().data(KEY)
        text = self.text.text().strip()
        height = self.height_box.value() if self._is_own_height else None
        return FigureRequest(key, text, height, self.tongues_box.value(), None if text else self._drawn.get(key))

    def accept(self) -> None:
        """Add the figure, unless it is known not to fit."""
        if self.request() != self.answer.question or self.answer.answer is None or self.answer.answer.made is not None:
            super().accept()

    def _use_height(self) -> None:
        """Keep an entered height, whatever is typed."""
        self._is_own_height = True
        self._ask()

    def _ask(self) -> None:
        self.pictures.setEnabled(not self.text.text().strip())
        self.answer.ask(self.request())
        self._show()

    def _show(self) -> None:
        """Show the result of the request; until it is known, the last result."""
        known, asked = self.answer.answer, self.request()
        notes = [PLACED, *(() if asked.text else self._notes.get(asked.key, ()))]
        self.board.is_faded = known is None
        if known is None:
            if self.answer.problem:
                self.problem.say(self.answer.problem)
            self.noted.setText(" ".join(notes))
            self.go.setEnabled(not self.answer.problem)
            return
        if not self._is_own_height:
            self.height_box.blockSignals(True)
            self.height_box.setValue(known.height)
            self.height_box.blockSignals(False)
        if known.tallest and not known.problem:
            notes.insert(1, tr("Fits up to {height} high.", height=shown(known.tallest, "mm", 0)))
        self.noted.setText(" ".join(notes))
        self.problem.say(known.problem)
        self.go.setEnabled(not known.problem)
        self.board.show_proposal(known)


class BoardPicture(QWidget):
    """Small picture of the board with the new figures."""

    def __init__(self, design: JigsawDesign) -> None:
        super().__init__()
        self._size = (design.parameters.width, design.parameters.height)
        self._known: Proposal | None = None
        self._is_faded = False
        self.setFixedSize(BOARD_SIZE)
        self.setAccessibleName(tr("Preview on the board"))

    @property
    def is_faded(self) -> bool:
        """Return whether another proposal is on its way."""
        return self._is_faded

    @is_faded.setter
    def is_faded(self, on: bool) -> None:
        """Fade the picture, or show it fully."""
        self._is_faded = on
        self.update()

    def show_proposal(self, known: Proposal) -> None:
        """Show the cuts and the new figures."""
        self._known = known
        self.setToolTip(known.problem)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._known is None:
            return
        theme, known = current_theme(), self._known
        rings = paths.curved(Curves.from_strokes([ring for one in known.figures for ring in one.on_board()]))
        room = QRectF(0.0, 0.0, *self._size).united(rings.boundingRect() if known.problem else QRectF())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(0.5 if self._is_faded else 1.0)
        scale = min((self.width() - 2) / room.width(), (self.height() - 2) / room.height())
        painter.translate(self.rect().center())
        painter.scale(scale, scale)
        painter.translate(-room.center())
        painter.setPen(QPen(theme.quiet, 1.0 / scale))
        painter.drawPath(known.cuts)
        painter.fillPath(rings, theme.error if known.problem else theme.accent)


class _Pictures(QListWidget):
    """Figures in a grid of ACROSS by DOWN at best, and LEAST_ACROSS by one at least."""

    def sizeHint(self) -> QSize:
        return self._around(ACROSS, DOWN)

    def minimumSizeHint(self) -> QSize:
        return self._around(LEAST_ACROSS, 1)

    def _around(self, across: int, down: int) -> QSize:
        rim = 2 * self.frameWidth() + GAP
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(across * CELL.width() + rim + bar, down * CELL.height() + rim)


def _picture(silhouette: Figure, scale: float) -> QIcon:
    """A figure's silhouette in the middle of its room."""
    theme = current_theme()
    picture = QPixmap(QSize(PICTURE, PICTURE) * scale)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(PICTURE / 2, PICTURE / 2)
    size = (PICTURE - GAP) / max(1.0, silhouette.width)
    painter.scale(size, size)
    painter.fillPath(paths.curved(Curves.from_strokes(list(silhouette.rings))), theme.text)
    painter.end()
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon
