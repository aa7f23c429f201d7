"""Drawings of other programs in the window: read off the GUI thread, with options, as outlines, figures or engravings.

A plain drawing, of one layer and with a unit, is taken as it is; its notes offer the options afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from studio.base.amounts import extent, many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.imported_paths import OFFERED, Reading, UnitMissing
from studio.geometry.curves.joining import WIDEST_GAP
from studio.geometry.curves.rings import Closing, is_framed
from studio.geometry.curves.strokes import Curves, Floats
from studio.ui.panels.file_dialog import RIM
from studio.ui.session.jobs import Jobs
from studio.ui.session.notices import Action
from studio.ui.session.opening import FileReading
from studio.ui.session.session import Session
from studio.ui.widgets.controls import CalmComboBox, Remark, hint_label, without_icons, wrapping
from studio.ui.widgets.layout import REST, column, fit_on_screen, holding, named, row
from studio.ui.widgets.length_spin import NumberSpinBox
from studio.ui.widgets.theme import GAP, current_theme

DRAWING = "drawing"
"""Purpose whose folder the dialogs for drawings share."""
SKETCH_PIXELS = 1000
"""Pixels of the longer side of a picture that shows every line of a drawing."""
MOST_SKETCHED = 10_000
"""Limit for the lines painted of a drawing; of more, evenly chosen ones."""
GRAINS = (1, 2, 4)
"""Coarseness of a sketch in pixels; the first with no more than MOST_SKETCHED lines is taken."""


class FileButton(QPushButton):
    """A dialog's button that asks for a file and has it read; a remark has the reason why a file is refused."""

    refused = Signal()

    def __init__(self, words: str, tip: str, problem: Remark) -> None:
        super().__init__(words)
        self.setToolTip(tip)
        self.setAutoDefault(False)
        self._words, self._problem = words, problem

    def connect_to(
        self, session: Session, title: str, filters: str,
        read: Callable[[Path, Callable[[StudioError], bool]], None], purpose: str = DRAWING,
    ) -> None:  # fmt: skip
        """Have `read` read the chosen files; `go_on` ends it, or the function that it is given for a problem."""

        def choose() -> None:
            path = session.ask_file(purpose, title, filters)
            if path is not None:
                self._problem.say("")
                self.setText(tr("Reading…"))
                self.setEnabled(False)
                read(path, self._refuse)

        self.clicked.connect(choose)

    def go_on(self) -> None:
        """Offer to ask for another file."""
        self.setText(self._words)
        self.setEnabled(True)

    def _refuse(self, problem: StudioError) -> bool:
        self.go_on()
        self._problem.say(str(problem))
        self.refused.emit()
        return True


@dataclass(frozen=True, eq=False)
class DrawingResult:
    """Result of a drawing: strokes (3k + 1, 2) to show, notes, and its size in mm if that matters."""

    result: Any
    strokes: Sequence[Floats]
    notes: tuple[str, ...] = ()
    size: tuple[float, float] | None = None
    is_framed: bool = False


@dataclass(frozen=True, eq=False)
class Looked:
    """A drawing read with given options: its result or the problem, a sketch, and the lines on each layer."""

    reading: Reading
    seen: DrawingResult | None
    problem: str
    sketch: Floats
    layers: Mapping[str, int]
    is_unit_missing: bool = False

    @property
    def is_plain(self) -> bool:
        """True if the drawing leaves nothing to choose."""
        return self.seen is not None and len(self.layers) < 2


Look = Callable[[Path, Reading, Progress], DrawingResult]
"""Reads a file with given options; raises StudioError if that has no result."""


def look_at(path: Path, reading: Reading, look: Look, progress: Progress) -> Looked:
    """Read a drawing with given options; raises StudioError for a file without lines, which no option helps."""
    from studio.files.drawing_import import each_read_once, read_drawing

    seen, problem, is_unit_missing = None, "", False
    with each_read_once():
        drawn = read_drawing(path, reading.unit, progress.part(0.0, 0.4))
        try:
            seen = look(path, reading, progress.part(0.4, 1.0))
        except UnitMissing:
            is_unit_missing = True
        except StudioError as failure:
            problem = str(failure)
    chosen = {layer.casefold() for layer in reading.layers}
    shown = seen.strokes if seen else [
        stroke
        for stroke, layer in zip(drawn.strokes, drawn.layers, strict=True)
        if not chosen or layer.casefold() in chosen
    ]  # fmt: skip
    return Looked(reading, seen, problem, sketched(shown), Counter(drawn.layers), is_unit_missing)


def sketched(strokes: Sequence[Floats]) -> Floats:
    """Return straight lines (n, 2, 2) in mm that look like strokes at SKETCH_PIXELS; at most MOST_SKETCHED.

    Strokes that are not finite are left out. Runs off the GUI thread, which could not paint all lines of a large
    drawing in time.
    """
    finite = [stroke for stroke in strokes if len(stroke) > 1 and np.isfinite(stroke).all()]
    if not finite:
        return np.zeros((0, 2, 2))
    whole = np.concatenate(finite)
    low = whole.min(axis=0)
    pixel = max(float((whole - low).max()), 1e-9) / SKETCH_PIXELS
    curves = Curves.from_strokes(finite)
    for grain in GRAINS:
        lines = _lines(curves, low, grain * pixel)
        if len(lines) <= MOST_SKETCHED:
            break
    return np.asarray(lines[:: max(1, -(-len(lines) // MOST_SKETCHED))] * grain * pixel + low)


def _lines(curves: Curves, low: Floats, pixel: float) -> Floats:
    """Return distinct straight lines (n, 2, 2) between whole pixels, counted from `low`."""
    flat = curves.flattened(pixel)
    places = np.round((flat.points - low) / pixel).astype(np.int64)
    lines = np.stack([places[:-1], places[1:]], 1)[flat.owners[:-1] == flat.owners[1:]]
    lines = lines[(lines[:, 0] != lines[:, 1]).any(axis=1)].reshape(-1, 4)
    # Each line as one number: numpy sorts these without blocking other threads.
    _, first = np.unique(lines @ (2 * SKETCH_PIXELS) ** np.arange(4), return_index=True)
    return np.asarray(lines[first].reshape(-1, 2, 2), float)


class DrawingImport(QObject):
    """Imports drawings into one design."""

    def __init__(
        self, session: Session, lane: str, title: str, look: Look, parent: QObject, *, engraves: bool = False
    ) -> None:
        """`lane` is the lane of the jobs, `title` the title of the options; some layers may be engraved."""
        super().__init__(parent)
        self._session, self._title, self._look, self._engraves = session, title, look, engraves
        self.reading = FileReading(session, lane, self)

    def read(
        self,
        path: Path,
        use: Callable[[DrawingResult], object],
        failed: Callable[[StudioError], bool] = lambda _problem: False,
        over: QWidget | None = None,
    ) -> None:
        """Read a file and use its result; `over` is the calling dialog, `failed` deals with problems."""

        def decide(looked: Looked) -> None:
            if looked.is_plain and looked.seen is not None:
                self._finish(looked.seen, path, use, over)
            elif (left := self._ask(looked, path, use, over)) is not None and not failed(StudioError(left)) and left:
                self._session.notices.refuse(left)

        self.reading.read(
            path, lambda progress: look_at(path, Reading(), self._look, progress), done=decide, failed=failed
        )

    def _ask(
        self, looked: Looked, path: Path, use: Callable[[DrawingResult], object], over: QWidget | None
    ) -> str | None:
        """Show the options of a drawing, and use it; return the remaining problem if it is not used."""
        preferences = self._session.preferences
        if looked.is_unit_missing:
            looked = replace(looked, reading=replace(looked.reading, unit=preferences.drawing_unit()))
        dialog = DrawingDialog(
            self._session.jobs, self._title, path, looked, self._look, over or self._session.dialogs.parent,
            engraves=self._engraves,
        )  # fmt: skip
        chosen = self._session.dialogs.ask(dialog)
        dialog.finish()
        dialog.deleteLater()
        if chosen is None or chosen.seen is None:
            return dialog.request().problem
        if chosen.reading.unit is not None:
            preferences.set_drawing_unit(chosen.reading.unit)
        use(chosen.seen)
        return None

    def _finish(
        self, seen: DrawingResult, path: Path, use: Callable[[DrawingResult], object], over: QWidget | None
    ) -> None:
        # Posted before the use, so that a refusal of the use stays in sight.
        if seen.notes and over is None:
            without = replace(Reading().closing, keeps_frame=False)
            again = replace(Reading(), closing=without)
            frame = Action(tr("Leave out the frame"), lambda: self._again(path, again, use))
            options = Action(tr("Options…"), lambda: self._again(path, None, use))
            self._session.notices.post(" ".join(seen.notes), action=frame if seen.is_framed else options)
        use(seen)

    def _again(self, path: Path, reading: Reading | None, use: Callable[[DrawingResult], object]) -> None:
        """Read a file with other options, or ask for them."""

        def decide(looked: Looked) -> None:
            if reading is not None and looked.seen is not None:
                self._session.notices.post(" ".join(looked.seen.notes), passes=True)
                use(looked.seen)
            else:
                self._ask(looked, path, use, None)

        work = reading or Reading()
        self.reading.read(path, lambda progress: look_at(path, work, self._look, progress), done=decide)


# The options of a drawing that is imported: its unit and layers, gaps, welding and frame, with a picture of it.


LANE = "drawing options"
PAUSE_MS = 150
"""Delay after a change before the drawing is read again."""
PICTURE = QSize(380, 300)
LAYER_LINES = 5
MOST_LAYERS, LONGEST_NAME = 500, 60
"""Limits for the layers listed by themselves, and for the letters of their names."""
NAMES = Qt.ItemDataRole.UserRole
UNITS = {
    "mm": tr("mm"),
    "cm": tr("cm"),
    "in": tr("inches"),
    "pt": tr("points (1/72 in)"),
    "px72": tr("pixels, 72 an inch (Illustrator)"),
    "px90": tr("pixels, 90 an inch (Inkscape before 0.92)"),
    "px96": tr("pixels, 96 an inch (web)"),
}


class DrawingDialog(QDialog):
    """Shows the result of a drawing, and reads it again with every changed option."""

    def __init__(
        self, jobs: Jobs, title: str, path: Path, looked: Looked, look: Look, parent: QWidget | None = None,
        *, engraves: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setWindowTitle(title)
        self._jobs, self._path, self._look, self._looked = jobs, path, look, looked
        self.picture = DrawingPicture()
        self.unit = CalmComboBox()
        if not looked.is_unit_missing:
            self.unit.addItem(tr("As in the file"), None)
        for unit in OFFERED:
            self.unit.addItem(UNITS[unit], unit)
        self.unit.setCurrentIndex(max(0, self.unit.findData(looked.reading.unit)))
        self.unit.setToolTip(tr("Unit of lengths in the drawing, in place of the one that the file states"))
        self.layers = _layers(looked.layers)
        self.gap = NumberSpinBox.undeclared(
            tr("Close gaps"), minimum=0, maximum=WIDEST_GAP, step=0.05, unit="mm",
            help=tr("Ends of lines that are no further apart are joined."),
        )  # fmt: skip
        self.gap.setValue(looked.reading.closing.gap)
        self.welds = QCheckBox(tr("Weld overlapping paths"))
        self.welds.setToolTip(tr("Unite paths that overlap into one outline"))
        self.leaves_frame = QCheckBox(tr("Leave out the frame"))
        self.leaves_frame.setToolTip(tr("Leave out the rectangle around everything else"))
        self.engraves = QCheckBox(tr("Engrave the other layers"))
        self.engraves.setToolTip(tr("Engrave the lines on layers that are not chosen, in their places"))
        self.engraves.setVisible(engraves and self.layers.count() > 1)
        if engraves:
            self.welds.hide()
            self.leaves_frame.hide()
        self.size_label, self.notes, self.problem = wrapping(), hint_label(), Remark("error")
        self.buttons = QDialogButtonBox()
        self.use = self.buttons.addButton(tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.use.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        without_icons(self.buttons)
        fields = {tr("Unit"): self.unit, tr("Close gaps"): self.gap}
        if self.layers.count() > 1:
            fields[tr("Layers")] = self.layers
        form = holding(
            column(
                named(fields, down=GAP),
                self.engraves,
                self.welds,
                self.leaves_frame,
                GAP,
                self.size_label,
                self.notes,
                REST,
                gap=GAP,
            )
        )
        column(row((self.picture, 1), form, gap=RIM), self.problem, GAP, self.buttons, of=self, margins=RIM)
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._read)
        for changed in (
            self.unit.currentIndexChanged, self.gap.valueChanged, self.layers.itemChanged, self.welds.toggled,
            self.leaves_frame.toggled, self.engraves.toggled,
        ):  # fmt: skip
            changed.connect(self._wait)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._show(looked)
        if looked.is_unit_missing:
            self._read()

    def request(self) -> Looked:
        """Return the drawing as last read."""
        return self._looked

    def finish(self) -> None:
        """Stop reading."""
        self._timer.stop()
        self._jobs.cancel(LANE)

    def reading(self) -> Reading:
        """Return the chosen options of reading."""
        items = [self.layers.item(at) for at in range(self.layers.count())]
        checked = [item for item in items if item.checkState() == Qt.CheckState.Checked]
        chosen = tuple(name for item in checked for name in item.data(NAMES))
        closing = Closing(self.gap.value(), self.welds.isChecked(), not self.leaves_frame.isChecked())
        rest = tuple(name for item in items if item not in checked for name in item.data(NAMES))
        return Reading(
            self.unit.currentData(), chosen if rest else (), closing, rest if self.engraves.isChecked() else ()
        )

    def _wait(self) -> None:
        """Read the drawing again after a pause."""
        self.use.setEnabled(False)
        self._timer.start()

    def _read(self) -> None:
        reading, path, look = self.reading(), self._path, self._look
        if self.layers.count() > 1 and not any(
            self.layers.item(at).checkState() == Qt.CheckState.Checked for at in range(self.layers.count())
        ):
            self._show_problem(tr("Choose at least one layer."))
            return
        self.use.setEnabled(False)
        self._jobs.start(
            LANE, lambda progress: look_at(path, reading, look, progress), done=self._show,
            failed=lambda problem: self._show_problem(str(problem)),
        )  # fmt: skip

    def _show(self, looked: Looked) -> None:
        self._looked = looked
        if looked.seen is None:
            self.picture.show_sketch(looked.sketch, is_faint=True)
            self._show_problem(looked.problem or tr("The file does not state its unit. Choose it here."))
            return
        self.picture.show_sketch(looked.sketch, is_faint=False)
        size = looked.seen.size
        self._say("" if size is None else tr("Size: {size}", size=extent(*size)), looked.seen.notes, "")
        self.use.setEnabled(True)
        self.use.setDefault(True)

    def _show_problem(self, sentence: str) -> None:
        self._say("", (), sentence)
        self.use.setEnabled(False)

    def _say(self, size: str, notes: Sequence[str], problem: str) -> None:
        self.size_label.setText(size)
        self.size_label.setVisible(bool(size))
        self.notes.setText(" ".join(notes))
        self.notes.setVisible(bool(notes))
        self.problem.say(problem)
        if self.isVisible():
            fit_on_screen(self)


class DrawingPicture(QWidget):
    """Lines centred in their room, as large as it allows."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Drawing"))
        self.setMinimumSize(PICTURE / 2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._lines, self._frame, self._is_faint = list[QLineF](), QRectF(), False

    def sizeHint(self) -> QSize:
        return PICTURE

    def show_sketch(self, lines: Floats, *, is_faint: bool) -> None:
        """Show other lines (n, 2, 2); faint ones are not ready for use."""
        self._lines = [QLineF(*line) for line in lines.reshape(-1, 4).tolist()]
        corners = lines.reshape(-1, 2)
        low, high = (corners.min(axis=0), corners.max(axis=0)) if len(corners) else (np.zeros(2), np.zeros(2))
        self._frame, self._is_faint = QRectF(*low.tolist(), *(high - low).tolist()), is_faint
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.canvas)
        side = max(self._frame.width() / self.width(), self._frame.height() / self.height())
        if side > 0:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(self.width() / 2, self.height() / 2)
            painter.scale(0.92 / side, 0.92 / side)
            painter.translate(-self._frame.center())
            pen = QPen(theme.quiet if self._is_faint else theme.text, 1.5)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawLines(self._lines)
        painter.end()


def _layers(layers: Mapping[str, int]) -> QListWidget:
    """List the layers of a drawing, each with its number of lines and a box; the smallest of many in one."""
    shown = QListWidget()
    shown.setAccessibleName(tr("Layers"))
    shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    by_size = sorted(layers, key=lambda name: -layers[name])
    lines = [(name[:LONGEST_NAME] or tr("Without a layer"), [name]) for name in sorted(by_size[:MOST_LAYERS])]
    if rest := by_size[MOST_LAYERS:]:
        lines.append((tr("{layers} more", layers=many(len(rest), "layer")), rest))
    for words, names in lines:
        item = QListWidgetItem(f"{words} ({many(sum(layers[name] for name in names), 'line')})")
        item.setToolTip(item.text())
        item.setData(NAMES, names)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked)
        shown.addItem(item)
    rows = min(max(shown.count(), 2), LAYER_LINES)
    shown.setFixedHeight(rows * shown.sizeHintForRow(0) + 2 * shown.frameWidth() + GAP)
    return shown


# The outline of a board from a file

READING = "outline"
DRAWINGS = tr("Drawings ({suffixes})", suffixes="*.svg *.dxf")


class OutlineImport(QObject):
    """Imports outlines into one design."""

    def __init__(self, session: Session, change: Callable[..., Any], parent: QObject | None = None) -> None:
        """`change` makes a new design from a design, rings and their size in mm, with a Progress."""
        super().__init__(parent)
        self._session, self._change = session, change
        self._drawings = DrawingImport(session, READING, tr("Import outline"), _look, self)

    def choose(self) -> None:
        """Ask for a drawing whose closed path becomes the board's outline."""
        path = self._session.ask_file(DRAWING, tr("Import outline"), DRAWINGS)
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Take the outline from a file."""
        self._drawings.read(path, self._use)

    def _use(self, seen: DrawingResult) -> None:
        found = seen.result
        self._session.changing.make(
            tr("Import outline"), lambda design, progress: self._change(design, found.rings, found.size, progress)
        )


def _look(path: Path, reading: Reading, progress: Progress) -> DrawingResult:
    from studio.files.drawing_import import read_paths

    found = read_paths(path, reading, progress)
    return DrawingResult(found, found.rings, found.notes, found.size, is_framed(found.rings))
