"""The figures of one jigsaw: added in a dialog, moved, rotated, mirrored, copied and removed, off the GUI thread.

Until a change is computed, the outline of the figure is shown at its new place. A dragged figure brings the cuts around
it along. The dialog asks for a figure by its picture, or for a line of letters, and shows it on the board.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from studio.base.errors import StudioError
from studio.base.parameters import declarations
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.imported_paths import Reading
from studio.geometry.curves.rings import is_framed
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.jigsaw.figures import figure_edits
from studio.puzzles.jigsaw.figures.letters import MOST_LETTERS, PLAIN, Lettering
from studio.puzzles.jigsaw.figures.silhouettes import Figure
from studio.puzzles.jigsaw.figures.whimsies import Pose, Setting, Whimsy, mirrored, posed_together, together
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.kind import Generated
from studio.ui.canvas import paths
from studio.ui.kinds.jigsaw.choosers import FigureChooser, FontChooser
from studio.ui.kinds.jigsaw.gestures import NUDGE_PAUSE, TURN
from studio.ui.kinds.jigsaw.selection import JigsawMarks, Selection, counted
from studio.ui.panels.drawing_import import DrawingImport, DrawingResult
from studio.ui.panels.file_dialog import RIM
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.session.derived import Derived
from studio.ui.session.dialogs import WorkDialog
from studio.ui.session.jobs import Jobs
from studio.ui.session.pipeline import InSight
from studio.ui.session.session import Session
from studio.ui.widgets.controls import Remark, hint_label
from studio.ui.widgets.layout import REST, column, holding, named, row, stack
from studio.ui.widgets.length_spin import NumberSpinBox, WholeSpinBox, shown
from studio.ui.widgets.theme import GAP, Painted, current_theme

if TYPE_CHECKING:
    from studio.ui.session.jobs import Client

PROPOSING = "proposing a figure"
PAUSE_MS = 150
"""The pause after the last change before the figure is placed."""
BOARD_SIZE = QSize(250, 170)
"""Pixels of the board's picture."""
PLACED = tr("Placed as near the centre of the board as it fits.")
CAP_HEIGHT = tr("Cap height")
FOLLOWING = "cuts around figures"
Poses = Mapping[str, Pose]


class FigureRequest(NamedTuple):
    """A figure of the studio by its key, or a figure from a file, or a text; its height in mm and its tongues.

    Without a height it has the usual height, or a smaller one that fits.
    """

    key: str
    text: str
    height: float | None
    tongues: int = 0
    drawn: Figure | None = None
    how: Lettering = PLAIN

    def figures(self, design: JigsawDesign, pose: Pose) -> list[Whimsy]:
        """The figures at a pose, not placed yet; raises StudioError for letters that cannot be cut."""
        if self.text:
            text = self.text.replace(figure_edits.LINE_BREAK, "\n")
            return figure_edits.new_letters(design, text, pose, self.tongues, self.how)
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
        words = str(problem)
        if tallest and (request.height or 0.0) > tallest:
            high = shown(tallest, "mm", 0)
            words = tr("“{text}” fits up to a cap height of {height}.", text=request.text, height=high)
            if not request.text:
                words = tr("This figure fits up to {height} high.", height=high)
        return Proposal(None, tuple(figures), _cuts(design), height, tallest, words)
    names = {one.name for one in figures}
    placed = tuple(one for one in made.design.whimsies if one.name in names)
    return Proposal(made, placed, _cuts(made.design), height, tallest)


def _cuts(design: JigsawDesign) -> QPainterPath:
    return paths.curved(shape(design, None, Progress()).drawing.strokes)


class LettersPage(QWidget):
    """The font of a text, and the other fields of letters."""

    changed = Signal()

    def __init__(self, jobs: Jobs, recent: Sequence[str], problem: Remark, text: Callable[[], str]) -> None:
        super().__init__()
        self._text = text
        self.chooser = FontChooser(jobs, recent, problem, bold=True)
        self.form = ParameterForm(Lettering(), Manner.PLAIN, hidden=self._hidden)
        row((self.chooser, 1), holding(column(self.form, REST)), of=self, gap=2 * GAP)
        self.chooser.changed.connect(self.changed)
        self.form.previewed.connect(lambda _how: self.changed.emit())
        self.form.edited.connect(lambda *_: self.changed.emit())

    @property
    def how(self) -> Lettering:
        """The lettering that is asked for."""
        how: Lettering = self.form.parameters()
        return replace(how, font=self.chooser.font_name)

    def show_text(self) -> None:
        """Follow another text."""
        self.chooser.fill()
        self.chooser.fonts.show_sample(self._text().partition(figure_edits.LINE_BREAK)[0])
        self.form.set_parameters(self.form.parameters())

    def _hidden(self, _how: Lettering) -> tuple[str, ...]:
        return ("font",) if figure_edits.LINE_BREAK in self._text() else ("font", "align", "line_spacing")


class FigureDialog(WorkDialog):
    """Pictures of the figures, or fonts and fields of letters; a line for a text, a height, and the result."""

    def __init__(
        self, design: JigsawDesign, jobs: Jobs, parent: QWidget | None = None, *, fonts: Sequence[str] = ()
    ) -> None:
        super().__init__(tr("Add figure"), tr("Add"), parent)
        self._design = design
        self._notes: dict[str, tuple[str, ...]] = {}
        self._is_own_height = False
        self.chooser = FigureChooser(self.problem)
        self.load = self.chooser.load
        self.load.refused.connect(self.adjust)
        self.text = QLineEdit()
        self.text.setMaxLength(2 * MOST_LETTERS)
        self.text.setPlaceholderText(tr("Optional, such as Anna / Maria"))
        self.text.setToolTip(tr("Letters to cut instead of a figure; “ / ” begins a new line"))
        self.letters = LettersPage(jobs, fonts, self.problem, self.text.text)
        self.height_box = NumberSpinBox.undeclared(
            tr("Height"), minimum=2, maximum=5000, step=1, unit="mm",
            help=tr("Height of the figure, or of capital letters, above and below which others may reach."),
        )  # fmt: skip
        self.height_box.setValue(figure_edits.usual_height(design))
        self.tongues_box = WholeSpinBox(next(one for one in declarations(Setting) if one.name == "tongues"))
        self.tongues_box.setValue(figure_edits.usual_tongues(design))
        self.board = BoardPicture(design)
        self.noted = hint_label(PLACED)
        self.noted.setWordWrap(True)
        self.answer = Derived[FigureRequest, Proposal](
            jobs, PROPOSING, partial(proposed, design), pause=PAUSE_MS, remembered=8, parent=self
        )
        self.height_label = QLabel(CAP_HEIGHT)
        self.height_label.setMinimumWidth(self.height_label.sizeHint().width())
        fields = named({tr("Letters"): self.text, tr("Tongues"): self.tongues_box}, down=GAP)
        fields.insertRow(1, self.height_label, self.height_box)
        self.height_label.setBuddy(self.height_box)
        self.pages = stack(self.chooser, self.letters)
        left = holding(column(fields, self.noted, self.problem, self.state, REST, gap=GAP))
        column(
            (holding(self.pages), 1), GAP, row((left, 1), self.board, gap=RIM), GAP, self.buttons,
            of=self, margins=RIM,
        )  # fmt: skip
        self.answer.changed.connect(self._show)
        self.chooser.pictures.itemDoubleClicked.connect(lambda _item: self.accept())
        self.chooser.changed.connect(self._ask)
        self.text.textChanged.connect(self._ask)
        self.letters.changed.connect(self._ask)
        self.height_box.valueChanged.connect(self._use_height)
        self.tongues_box.valueChanged.connect(self._ask)
        self._ask()

    def take(self, shape: Figure, notes: Sequence[str]) -> None:
        """Put a figure from a file first, and choose it."""
        self.load.go_on()
        self.text.clear()
        self._notes[self.chooser.take(shape)] = tuple(notes)
        self._show()
        self.adjust()

    def request(self) -> FigureRequest:
        """The figure or text that was asked for."""
        self.height_box.interpretText()
        self.tongues_box.interpretText()
        key = self.chooser.key
        text = self.text.text().strip()
        height = self.height_box.value() if self._is_own_height else None
        drawn = None if text else self.chooser.drawn.get(key)
        return FigureRequest(key, text, height, self.tongues_box.value(), drawn, self.letters.how if text else PLAIN)

    def accept(self) -> None:
        """Add the figure, unless it is known not to fit."""
        if self.request() != self.answer.question or self.answer.answer is None or self.answer.answer.made is not None:
            super().accept()

    def _use_height(self) -> None:
        """Keep an entered height, whatever is typed."""
        self._is_own_height = True
        self._ask()

    def _ask(self) -> None:
        is_text = bool(self.text.text().strip())
        self.pages.setCurrentIndex(int(is_text))
        for name in (self.height_label.setText, self.height_box.setAccessibleName):
            name(CAP_HEIGHT if is_text else tr("Height"))
        if is_text:
            self.letters.show_text()
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
            high = shown(known.tallest, "mm", 0)
            fits = tr("Fits up to a cap height of {height}.", height=high)
            notes.insert(1, fits if asked.text else tr("Fits up to {height} high.", height=high))
        self.noted.setText(" ".join(notes))
        self.problem.say(known.problem)
        self.go.setEnabled(not known.problem)
        self.board.show_proposal(known)


class BoardPicture(QWidget):
    """Small picture of the board with the new figures."""

    is_faded = Painted(False)
    """True while another proposal is on its way."""

    def __init__(self, design: JigsawDesign) -> None:
        super().__init__()
        self._size = (design.parameters.width, design.parameters.height)
        self._known: Proposal | None = None
        self.setFixedSize(BOARD_SIZE)
        self.setAccessibleName(tr("Preview on the board"))

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
        painter.setOpacity(0.5 if self.is_faded else 1.0)
        scale = min((self.width() - 2) / room.width(), (self.height() - 2) / room.height())
        painter.translate(self.rect().center())
        painter.scale(scale, scale)
        painter.translate(-room.center())
        painter.setPen(QPen(theme.quiet, 1.0 / scale))
        painter.drawPath(known.cuts)
        painter.fillPath(rings, theme.error if known.problem else theme.accent)


def _followed(poses: Poses, design: JigsawDesign, before: JigsawShapes, progress: Progress) -> InSight:
    made = figure_edits.with_figures_posed(design, poses, progress, is_exact=True)
    return InSight(made.design, shape(made.design, before, progress))


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
        session.changing.given_up.connect(self.let_go)
        self._drawings = DrawingImport(session, "figure", tr("Import figure"), _look, self)

    def ask(self) -> None:
        """Ask for a figure or a text, and put it on the board."""
        from studio.files.drawing_import import READERS, read_figure

        design: JigsawDesign = self._session.document.design
        fonts = self._session.preferences.recent_fonts()
        dialog = FigureDialog(design, self._session.jobs, self._session.dialogs.parent, fonts=fonts)
        dialog.letters.chooser.connect_to(self._session)
        dialog.load.connect_to(
            self._session, tr("Import figure"), tr("Drawings ({suffixes})", suffixes="*.svg *.dxf"),
            lambda path, failed: self._drawings.read(
                path, lambda seen: dialog.take(seen.result, seen.notes), failed=failed, over=dialog
            ),
        )  # fmt: skip

        folder = dialog.chooser.offer_folder(self._session, READERS, read_figure)

        def start(request: FigureRequest, client: Client) -> None:
            if request.how.font:
                self._session.preferences.add_recent_font(request.how.font)
            known = dialog.answer.answer if request == dialog.answer.question else None

            def added(now: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
                if known is not None and known.made is not None and now is design:
                    return known.made
                return request.added(now, progress)

            self._add(tr("Add letters") if request.text else tr("Add figure"), added, client)

        self._session.dialogs.carry_out(dialog, start)
        self._drawings.reading.cancel()
        folder.cancel()
        dialog.answer.cancel()
        dialog.chooser.offer_removed(self._session.notices)
        dialog.deleteLater()

    def cut_out(self, ring: Floats, tongues: int, lines: Sequence[Floats] = ()) -> None:
        """Make a figure of a closed ring of cubics and lines in it, in mm, in its place."""
        self._add(
            tr("Figure from picture"),
            lambda design, progress: figure_edits.with_figures_at(
                design, [figure_edits.new_cutout(design, ring, tongues, lines)], progress
            ),
        )

    def read(self, path: Path, place: tuple[float, float] | None) -> None:
        """Put the figure of a file on the board, as near to a place in mm or the middle as it fits."""

        def use(seen: DrawingResult) -> None:
            height = figure_edits.usual_height(self._session.document.design)
            self._add(
                tr("Add figure"),
                lambda design, progress: figure_edits.with_drawn_figure(
                    design, seen.result, height, progress, place=place
                ),
            )

        self._drawings.read(path, use)

    def _add(
        self, words: str, work: Callable[[JigsawDesign, Progress], Generated[JigsawDesign]],
        client: Client | None = None,
    ) -> None:  # fmt: skip
        self._forget()
        self._before = _names(self._session.document.design)
        self._session.changing.make(words, work, is_long=True, client=client)

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

    def nudge(self, right: float, down: float) -> None:
        """Move the selected figures by some mm; nudges in quick succession are one step of the history."""
        figures, now = self._figures, time.monotonic()
        names = frozenset(one.name for one in figures)
        token, before, last = self._nudged or (object(), frozenset(), 0.0)
        if names != before or now - last > NUDGE_PAUSE:
            token = object()
        poses = {one.name: replace(one.pose, x=one.pose.x + right, y=one.pose.y + down) for one in figures}
        self.pose(tr("Nudge {figures}", figures=counted(figures)), poses, token)
        self._nudged = token, names, now

    def turn(self, way: int) -> None:
        """Rotate the selected figures clockwise, or with -1 the other way; several about their common centre."""
        figures = self._figures
        around = together(figures)
        if around is not None:
            poses = posed_together(figures, around.pose.turned(way * TURN))
            self.pose(tr("Rotate {figures}", figures=counted(figures)), poses)

    def mirror(self) -> None:
        """Mirror the selected figures, several together."""
        figures = self._figures
        if figures:
            poses = dict(zip((one.name for one in figures), mirrored(figures), strict=True))
            self.pose(tr("Mirror {figures}", figures=counted(figures)), poses)

    def duplicate(self) -> None:
        """Add the same figures again, as near as they fit, and select them."""
        figures = self._figures
        if figures:
            names = tuple(one.name for one in figures)
            self._add(
                tr("Duplicate {figures}", figures=counted(figures)),
                lambda design, progress: figure_edits.with_figures_copied(design, names, progress),
            )

    def edit(self, words: str, poses: Mapping[str, Pose], values: Mapping[str, Any], token: object) -> None:
        """Give the selected figures other poses, or other values of fields such as `tongues`."""
        figures = self._figures
        changed = {name: value for name, value in values.items() if any(getattr(one, name) != value for one in figures)}
        if any(one.pose != poses.get(one.name, one.pose) for one in figures):
            self.pose(words, poses, token)
        elif changed:
            names = [one.name for one in figures]
            self._session.changing.make(
                words,
                lambda design, progress: figure_edits.with_figures_set(design, names, progress, **changed),
                gesture=token,
                is_long=True,
            )

    def arrange(self, words: str, way: str, kind: str) -> None:
        """Align, distribute or reorder the selected figures, which `kind` tells, in some way."""
        names = [one.name for one in self._figures]
        if kind == "order":
            self._session.changing.make(
                words, lambda design, progress: figure_edits.with_order(design, progress, names, way), is_long=True
            )
        else:
            change = figure_edits.aligned if kind == "align" else figure_edits.distributed
            self._session.changing.make(
                words,
                lambda design, progress: figure_edits.with_figures_posed(
                    design, change(design, names, way), progress, is_exact=True
                ),
                is_long=True,
            )

    def remove(self) -> None:
        """Remove the selected figures."""
        figures = self._selection.figures
        if figures:
            self._forget()
            names = tuple(one.name for one in figures)
            self._session.changing.make(
                tr("Remove {figures}", figures=counted(figures)),
                lambda design, progress: figure_edits.without_figures(design, names, progress),
                is_long=True,
            )

    @property
    def _figures(self) -> list[Whimsy]:
        """The selected figures, as they will be."""
        return [self._pending.get(one.name, one) for one in self._selection.figures]

    def pose(self, words: str, poses: Poses, token: object | None = None) -> None:
        """Move selected figures together to the nearest place where they fit; a place given in numbers is kept."""
        now = {one.name: one for one in self._figures}
        if not poses or not now.keys() >= poses.keys():
            self.let_go()
            return
        only_moved = all(replace(now[name].pose, x=pose.x, y=pose.y) == pose for name, pose in poses.items())
        self._stop_following()
        self._nudged, self._before = None, None
        self._pending = {name: replace(now[name], pose=pose) for name, pose in poses.items()}
        self._marks.show_ghost([*self._pending.values()])
        is_exact = token is not None and only_moved
        self._session.changing.make(
            words,
            lambda design, progress: figure_edits.with_figures_posed(design, poses, progress, is_exact=is_exact),
            gesture=token,
            is_long=True,
        )

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

    def let_go(self) -> None:
        """Put everything back; after a failed request the board may still show the dragged state."""
        self._forget()
        if self._session.pipeline.design is not self._session.document.design:
            self._session.document.abandon()

    def _forget(self) -> None:
        self._stop_following()
        self._pending, self._before, self._nudged = {}, None, None
        self._marks.show_ghost()


def _look(path: Path, reading: Reading, progress: Progress) -> DrawingResult:
    from studio.files.drawing_import import read_figure

    shape, notes = read_figure(path, progress, reading)
    return DrawingResult(shape, shape.rings, notes, is_framed=is_framed(shape.rings))


def _names(design: JigsawDesign) -> frozenset[str]:
    return frozenset(one.name for one in design.whimsies)
