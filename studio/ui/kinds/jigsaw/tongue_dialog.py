"""The dialog in which a maker draws a tongue, next to six pieces with it, and copies of a tongue's shape.

A shape is copied through the system's clipboard, so that it can be pasted in another window too.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QMimeData, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QShortcut,
    QTransform,
)
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QSizePolicy, QWidget

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.files.drawing_import import TONGUE_SUFFIXES, read_tongue
from studio.geometry.board.board_spec import NO_FLOW
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.regions import tints
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.tongues.profiles import OWN_TONGUES, Stored, profile_of
from studio.puzzles.jigsaw.tongues.sketch import TITLE, Sketch, sketch_of, started
from studio.puzzles.jigsaw.tongues.styles import OWN, STYLES
from studio.ui.canvas import paths
from studio.ui.canvas.paths import cosmetic
from studio.ui.canvas.view import ARROWS
from studio.ui.kinds.jigsaw.choosers import KEY, LibraryChooser, Pictures, icon_of
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.panels.drawing_import import FileButton
from studio.ui.panels.file_dialog import RIM
from studio.ui.session.document import Document
from studio.ui.session.opening import FileReading
from studio.ui.session.session import Session
from studio.ui.widgets.controls import Remark, heading, hint_label, push_button, without_icons
from studio.ui.widgets.layout import REST, column, row
from studio.ui.widgets.theme import GAP, current_theme

LARGE, LEAST, SMALL = QSize(600, 440), QSize(270, 200), QSize(312, 212)
WIDE, BELOW, ABOVE = 1.12, 0.18, 0.5
"""The visible part of the board, in lengths of the edge."""
KNOT, HANDLE = 9, 7
"""Width in pixels of knots and handles."""
CATCH = 10
"""Catch radius of the mouse, in pixels."""
ON_CURVE = 8
"""Distance from the curve, in pixels, within which a double-click adds a point."""
NUDGE, COARSE = 0.002, 0.02
"""Step of an arrow key, alone and with Shift, in lengths of the edge."""

LEAST_SIDE, LARGEST_SIDE = 2.5, 3000.0
"""The sides in mm of the pieces of a preview."""
TONGUES_ACROSS = 8
BODY, ASIDE = 0.15, 0.15
"""Height of the piece below a tongue in its picture, and width left out on either side, in lengths of the edge."""
FORMAT = "application/x-puzzle-studio-tongue"


class SketchView(QWidget):
    """The enlarged sketch; a drag emits each intermediate sketch, and ends as one step."""

    changed = Signal(object)
    """Another sketch is in sight: brings it."""
    settled = Signal()
    """A change has ended."""

    def __init__(self, sketch: Sketch) -> None:
        super().__init__()
        self.setAccessibleName(tr("Tongue"))
        self.setMinimumSize(LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.sketch = sketch
        self.chosen: int | None = None
        self._held: int | None = None
        self._grip = QPointF()

    def sizeHint(self) -> QSize:
        """Size in the dialog if the screen has room."""
        return LARGE

    def show_sketch(self, sketch: Sketch) -> None:
        """Show another sketch without a signal."""
        if self.chosen is not None and self.chosen not in sketch.movable:
            self.chosen = None
        self.sketch = sketch
        self.update()

    @property
    def knot(self) -> int | None:
        """The selected point, or the point of the selected handle."""
        return None if self.chosen is None else (self.chosen + 1) // 3

    def place(self, point: int) -> QPointF:
        """Place of a control point in the widget."""
        return self.shown.map(QPointF(*self.sketch.points[point].tolist()))

    @property
    def shown(self) -> QTransform:
        """From lengths of the edge, upwards, to pixels."""
        scale = min(self.width() / WIDE, self.height() / (BELOW + ABOVE))
        below = (self.height() - scale * (BELOW + ABOVE)) / 2 + scale * ABOVE
        return QTransform(scale, 0, 0, -scale, (self.width() - scale) / 2, below)

    def add_point(self) -> None:
        """Add a point after the selected one, or else on the first curve of the head."""
        last = self.sketch.last
        knot = self.knot
        cubic = min(last - 1, knot) if knot is not None else (last - 1) // 2
        self._take(self.sketch.with_knot(cubic, 0.5))
        self.settled.emit()

    def remove_point(self) -> None:
        """Remove the selected point."""
        if self.knot is None:
            return
        self.chosen, sketch = None, self.sketch.without_knot(self.knot)
        self._take(sketch)
        self.settled.emit()

    def _take(self, sketch: Sketch) -> None:
        self.show_sketch(sketch)
        self.changed.emit(sketch)

    def _under(self, place: QPointF) -> int | None:
        """The nearest control point within reach; points come before handles."""
        near: list[tuple[bool, float, int]] = []
        for point in self.sketch.movable:
            offset = self.place(point) - place
            distance = math.hypot(offset.x(), offset.y())
            if distance <= CATCH:
                near.append((point % 3 != 0, distance, point))
        return min(near)[2] if near else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the control point under the mouse."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.chosen = self._held = self._under(event.position())
        if self._held is not None:
            self._grip = self.place(self._held) - event.position()
        self.update()
        self.changed.emit(self.sketch)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag it."""
        if self._held is None:
            is_over = self._under(event.position()) is not None
            self.setCursor(Qt.CursorShape.SizeAllCursor if is_over else Qt.CursorShape.ArrowCursor)
            return
        at = self.shown.inverted()[0].map(event.position() + self._grip)
        self._take(self.sketch.moved(self._held, at.x(), at.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let it go."""
        if event.button() == Qt.MouseButton.LeftButton and self._held is not None:
            self._held = None
            self.settled.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Add a point to the curve under the mouse."""
        at = self.shown.inverted()[0].map(event.position())
        cubic, share, gap = self.sketch.nearest(at.x(), at.y())
        if self._under(event.position()) is None and gap * self.shown.m11() <= ON_CURVE:
            self._take(self.sketch.with_knot(cubic, share))
            self.chosen = self._under(event.position())
            self.settled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys move the selected point or handle; Delete removes the point."""
        arrow = ARROWS.get(Qt.Key(event.key()))
        if self.chosen is not None and arrow is not None:
            step = COARSE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else NUDGE
            x, y = self.sketch.points[self.chosen].tolist()
            self._take(self.sketch.moved(self.chosen, x + step * arrow[1], y - step * arrow[0]))
            self.settled.emit()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.chosen is not None:
            self.remove_point()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the two pieces that the tongue joins, the points, and their handles."""
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.pieces[0])
        painter.drawRect(ground)
        # The piece with the tongue is below the curve.
        piece = self._curve
        for x, y in ((2.0, 0.0), (2.0, -2.0), (-1.0, -2.0), (-1.0, 0.0)):
            piece.lineTo(x, y)
        painter.save()
        painter.setClipRect(self.rect())
        painter.setBrush(theme.pieces[1])
        painter.drawPath(self.shown.map(piece))
        painter.restore()
        painter.setPen(cosmetic(theme.draft, 1.0, Qt.PenStyle.DashLine))
        painter.drawLine(self.place(0), self.place(len(self.sketch.points) - 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(cosmetic(theme.cut, 2.0))
        painter.drawPath(self.shown.map(self._curve))
        knots = range(1, self.sketch.last)
        for knot in knots:
            painter.setPen(cosmetic(theme.accent, 1.5 if knot == self.knot else 1.0))
            for arm in (3 * knot - 1, 3 * knot + 1):
                painter.drawLine(self.place(3 * knot), self.place(arm))
        painter.setPen(QPen(theme.accent, 1.5))
        for knot in knots:
            for point, size in ((3 * knot - 1, HANDLE), (3 * knot + 1, HANDLE), (3 * knot, KNOT)):
                box = QRectF(-size / 2, -size / 2, size, size).translated(self.place(point))
                painter.setBrush(theme.accent if point == self.chosen else theme.board)
                (painter.drawRect if point == 3 * knot else painter.drawEllipse)(box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(cosmetic(theme.accent if self.hasFocus() else theme.line, 1.0))
        painter.drawRect(ground)
        painter.end()

    @property
    def _curve(self) -> QPainterPath:
        return paths.curved(Curves.from_strokes([self.sketch.points]))


class NeighboursView(QWidget):
    """Six pieces with the board's parameters and a profile, on an even grid; the last valid one stays in sight."""

    def __init__(self, design: JigsawDesign) -> None:
        super().__init__()
        self.setAccessibleName(tr("Preview"))
        self.setMinimumSize(SMALL / 2)
        self.setMaximumSize(SMALL)
        across, down = design.parameters.cell
        # Pieces of any size look alike; a board of six must be within a board's bounds.
        side = min(max(math.sqrt(across * down), LEAST_SIDE), LARGEST_SIDE)
        numbers = replace(
            design.parameters, tongue_style=OWN, outline="rectangle", tiling="grid", corner_radius=0.0, pieces=0,
            columns=3, rows=2, width=3 * side, height=2 * side, tricky_border=False, plain_share=0.0,
            perturbation=0.0, flow=NO_FLOW, noodles=0.0, split_corners=0.0, false_edges=0.0,
            false_corners=0.0, hidden_border=0.0,
        )  # fmt: skip
        self._numbers = numbers
        self.is_stale = False
        self._pieces: list[tuple[QPainterPath, int]] = []

    def sizeHint(self) -> QSize:
        """The largest size."""
        return SMALL

    def show_profile(self, stored: Stored | None) -> None:
        """Show pieces with a profile; without one the pieces in sight fade."""
        self.is_stale = stored is None
        if stored is not None:
            drawing = shape(JigsawDesign(self._numbers, profile=stored), None, SILENT).drawing
            of_pieces = tints(drawing.pieces, len(current_theme().pieces)).tolist()
            self._pieces = [
                (paths.curved(drawing.strokes.joined(one.codes, one.starts)), tint)
                for at, tint in enumerate(of_pieces)
                for one in [drawing.pieces.chosen(np.array([at]))]
            ]
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pieces in the tints of the canvas."""
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(0.35 if self.is_stale else 1.0)
        width, height = self._numbers.width, self._numbers.height
        scale = min((self.width() - GAP) / width, (self.height() - GAP) / height)
        painter.translate((self.width() - scale * width) / 2, (self.height() - scale * height) / 2)
        painter.scale(scale, scale)
        painter.setPen(cosmetic(theme.cut, 1.2))
        for path, tint in self._pieces:
            painter.setBrush(theme.pieces[tint])
            painter.drawPath(path)
        painter.end()


class TongueChooser(LibraryChooser[Stored]):
    """Tongues to start from: the puzzle's own, those of files and of the maker's own library, and the styles.

    What is drawn is a tongue of its own, first in the list, once it differs from the chosen one.
    """

    def __init__(self, profile: Stored | None, usual: str, problem: Remark) -> None:
        super().__init__(OWN_TONGUES, problem, Pictures(tr("Start from"), TONGUES_ACROSS, 1))
        self.pictures.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._sketches: dict[str, Sketch] = {}
        self.search.setPlaceholderText(tr("Search tongues"))
        column(self.pictures, row((self.search, 1), self.load_folder, (self.fields(), 3)), of=self)
        self.fill(self._add_styles, usual)
        if profile is not None:
            self.take(profile)

    def _drop(self, key: str) -> None:
        self._sketches.pop(key, None)
        super()._drop(key)

    def _add_styles(self) -> None:
        for style in (one for one in STYLES if one.knobs == 1):
            self._sketches[style.key] = started(style)
            self._add(style.key, style.title, self._drawing(self._sketches[style.key]))

    def _picture(self, item: Stored) -> QIcon:
        return self._drawing(sketch_of(profile_of(item).points))

    def _drawing(self, sketch: Sketch) -> QIcon:
        piece = paths.curved(Curves.from_strokes([sketch.points * (1, -1)]))
        for x, y in ((1.0, BODY), (0.0, BODY)):
            piece.lineTo(x, y)
        piece.closeSubpath()
        return icon_of(self.pictures, piece, piece.boundingRect().adjusted(ASIDE, 0.0, -ASIDE, 0.0))

    @property
    def sketch(self) -> Sketch:
        """Sketch of the chosen tongue; the same object each time."""
        key = self.key
        if key not in self._sketches:
            self._sketches[key] = sketch_of(profile_of(self.drawn[key]).points)
        return self._sketches[key]

    @property
    def name(self) -> str:
        """Title of the profile that is made of the chosen tongue."""
        return self.drawn[self.key].title if self.key in self.drawn else TITLE

    def show_drawn(self, sketch: Sketch, stored: Stored | None) -> None:
        """Choose the tongue that a sketch is of, or else show it as the one drawn; without a profile it cannot be
        kept."""
        key = next((key for key, one in self._sketches.items() if one is sketch), "")
        self.blockSignals(True)
        if key:
            self.choose(key)
        else:
            self._draw(sketch, stored)
        self.blockSignals(False)

    def _draw(self, sketch: Sketch, stored: Stored | None) -> None:
        """Show a sketch in the item of the drawing, made anew once the last one is in the library."""
        item = next((item for item in self._items if item.data(KEY) == self._drawn_key), None)
        if item is None or self._drawn_key in self._own:
            self._drawn_key = f"drawing {next(self.numbers)}"
            self._add(self._drawn_key, TITLE, self._drawing(sketch), 0)
            item = self.pictures.item(0)
        item.setIcon(self._drawing(sketch))
        self._sketches[self._drawn_key] = sketch
        self.drawn.pop(self._drawn_key, None)
        if stored is not None:
            self.drawn[self._drawn_key] = replace(stored, title=item.text())
        self.search.clear()
        self.pictures.setCurrentItem(item)
        self._follow()

    _drawn_key = ""


class TongueDialog(QDialog):
    """A sketch with its own undo; it can be applied while it is a tongue that locks."""

    def __init__(self, design: JigsawDesign, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Custom tongue"))
        self._past: list[Sketch] = []
        self._future: list[Sketch] = []
        self._stored: Stored | None = None
        locking = [style.key for style in STYLES if style.size_widens_neck]
        usual = next((key for key in design.parameters.style_keys if key in locking), locking[0])
        self.problem = Remark("error")
        self.chooser = TongueChooser(design.profile, usual, self.problem)
        self.view = SketchView(self.chooser.sketch)
        self._kept = self.view.sketch
        self.preview = NeighboursView(design)
        self.symmetric = QCheckBox(tr("Symmetric"))
        self.symmetric.setToolTip(tr("Mirrors every change to the other side"))
        self.add = push_button(tr("Add point"), tr("Add a point after the selected one"))
        self.remove = push_button(tr("Remove point"), tr("Remove the selected point"))
        self.load = FileButton(tr("Import…"), tr("Read the tongue from an SVG or JSON file"), self.problem)
        self.buttons = QDialogButtonBox()
        self.apply = self.buttons.addButton(tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.apply.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        without_icons(self.buttons)
        hint = hint_label(
            tr(
                "Drag points and handles. Double-click the curve to add a point; Del removes the selected one. Arrow "
                "keys move it, Ctrl+Z undoes."
            )
        )
        side = column(
            heading(tr("Preview")), self.preview, GAP, self.symmetric,
            row(self.add, self.remove, self.load, REST), GAP, hint, REST, self.problem,
        )  # fmt: skip
        column(
            (row((self.view, 1), side, gap=RIM), 1), GAP, heading(tr("Start from")), self.chooser, GAP, self.buttons,
            of=self, margins=RIM,
        )  # fmt: skip
        self._connect()
        self._show()
        self.view.setFocus()

    def _connect(self) -> None:
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.view.changed.connect(lambda _sketch: self._show())
        self.view.settled.connect(self._keep)
        self.chooser.changed.connect(self._begin)
        self.symmetric.clicked.connect(
            lambda on: self._put(self.view.sketch.mirrored() if on else self.view.sketch.freed())
        )
        self.add.clicked.connect(self.view.add_point)
        self.remove.clicked.connect(self.view.remove_point)
        QShortcut(QKeySequence.StandardKey.Undo, self, self.undo)
        QShortcut(QKeySequence.StandardKey.Redo, self, self.redo)

    def _begin(self) -> None:
        """Draw the chosen tongue."""
        if self.chooser.sketch is not self.view.sketch:
            self._put(self.chooser.sketch)

    def _put(self, sketch: Sketch) -> None:
        """Show another sketch as one step."""
        self.view.show_sketch(sketch)
        self._show()
        self._keep()

    def _keep(self) -> None:
        """End a step."""
        if self.view.sketch is not self._kept:
            self._past.append(self._kept)
            self._future.clear()
            self._kept = self.view.sketch
            self.chooser.show_drawn(self._kept, self._stored)

    def undo(self) -> None:
        """Undo the last step."""
        self._step(self._past, self._future)

    def redo(self) -> None:
        """Redo a step that was undone."""
        self._step(self._future, self._past)

    def _step(self, source: list[Sketch], target: list[Sketch]) -> None:
        if source:
            target.append(self._kept)
            self._kept = source.pop()
            self.view.show_sketch(self._kept)
            self._show()
            self.chooser.show_drawn(self._kept, self._stored)

    def take(self, stored: Stored) -> None:
        """Show the tongue of a file."""
        self.load.go_on()
        self.chooser.take(stored)

    def _show(self) -> None:
        """Show the pieces with this sketch, or the reason why it is not a tongue."""
        try:
            self._stored, problem = self.view.sketch.stored(), ""
        except StudioError as found:
            self._stored, problem = None, str(found)
        self.problem.say(problem)
        self.preview.show_profile(self._stored)
        self.apply.setEnabled(self._stored is not None)
        self.symmetric.setChecked(self.view.sketch.is_symmetric)
        knot = self.view.knot
        self.remove.setEnabled(knot is not None and self.view.sketch.can_remove(knot))

    def request(self) -> Stored:
        """The profile that was drawn."""
        return replace(self.view.sketch.stored(), title=self.chooser.name)


def imported_tongues(session: Session, dialog: TongueDialog) -> FileReading:
    """Ask for the files of a dialog, and read them."""
    reading = FileReading(session, "tongue", dialog)
    dialog.load.connect_to(
        session, tr("Import tongue"), tr("Tongues ({suffixes})", suffixes="*.svg *.json"),
        lambda path, failed: reading.read(path, partial(read_tongue, path), dialog.take, failed),
    )  # fmt: skip
    return reading


def asked_tongue(session: Session) -> Stored | None:
    """Ask for a tongue of the maker's own; None if it is left as it was."""
    dialog = TongueDialog(session.document.design, session.dialogs.parent)
    reading = imported_tongues(session, dialog)
    folder = dialog.chooser.offer_folder(
        session, TONGUE_SUFFIXES, lambda path, progress: (read_tongue(path, progress), ())
    )
    stored = session.dialogs.ask(dialog)
    reading.cancel()
    folder.cancel()
    dialog.chooser.offer_removed(session.notices)
    dialog.deleteLater()
    return None if stored == session.document.design.profile else stored


class ShapeCopying(QObject):
    """Copies from and pastes to the selected tongues of one document."""

    changed = Signal()
    """The clipboard has changed."""
    refused = Signal(str)
    """Brings the reason why nothing can be copied or pasted."""

    def __init__(self, document: Document, selection: Selection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self._holds_shape: bool | None = None
        QGuiApplication.clipboard().dataChanged.connect(self._forget)

    @property
    def can_paste(self) -> bool:
        """True if the clipboard holds a shape; it is looked up once a tongue is selected."""
        if self._holds_shape is None and self._selection.tongues:
            held = _held()
            self._holds_shape = held is not None and held.hasFormat(FORMAT)
        return bool(self._holds_shape)

    def _forget(self) -> None:
        self._holds_shape = None
        self.changed.emit()

    def copy(self) -> None:
        """Copy the shape of the selected tongue."""
        from studio.puzzles.jigsaw.tongues.values import as_bytes, shape_of

        shapes, (tongue,) = self._selection.shapes, self._selection.tongues
        if shapes.plain[tongue]:
            self.refused.emit(tr("A straight edge has no tongue to copy."))
            return
        data = QMimeData()
        data.setData(FORMAT, as_bytes(shape_of(shapes, tongue)))
        QGuiApplication.clipboard().setMimeData(data)

    def paste(self) -> None:
        """Give the selected tongues the copied shape."""
        from studio.puzzles.jigsaw.tongues.values import from_bytes

        tongues = sorted(self._selection.tongues)
        if not tongues:
            self.refused.emit(tr("Select the tongues to paste the shape onto."))
            return
        held = _held()
        try:
            copied = from_bytes(b"" if held is None else bytes(held.data(FORMAT).data()))
            design = edits.with_tongues_alike(self._selection.shapes, tongues, copied)
        except StudioError as problem:
            self.refused.emit(str(problem))
            return
        words = tr("Paste shape of {tongues}", tongues=many(len(tongues), "tongue"))
        self._document.edit(words, design)


def _held() -> QMimeData | None:
    """The clipboard's data; None if it is empty, contrary to Qt's declaration."""
    return QGuiApplication.clipboard().mimeData()
