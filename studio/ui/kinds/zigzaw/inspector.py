"""The inspector of a zigzaw, and the faces selected on its board."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QFormLayout, QLabel, QToolButton, QWidget

from studio.base.amounts import extent, many, metres, thousands
from studio.base.colours import is_bright, mixed
from studio.base.texts import tr, within
from studio.puzzles.zigzaw.board import layout, numbers
from studio.puzzles.zigzaw.bodies import FACE_TITLES, FACES
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.model import LETTERS, Face, Paint, cube_name, is_place
from studio.ui.widgets.controls import heading, hint_label, push_button, wrapping
from studio.ui.widgets.layout import REST, Item, Pages, SidePanel, column, grid, holding, named, scrolled
from studio.ui.widgets.theme import GAP, MARGIN

# The selected faces on the board of a zigzaw, by cube and face


class FaceSelection(QObject):
    """Faces of the shapes in sight; canvas and inspector share it."""

    changed = Signal()

    def __init__(self, shapes: ZigzawShapes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shapes = shapes
        self.faces: frozenset[Face] = frozenset()

    def show_shapes(self, shapes: ZigzawShapes) -> None:
        """Bring other shapes in sight; faces that still exist stay selected."""
        self.shapes = shapes
        self.select(face for face in self.faces if face[0] in shapes.design.triples)

    def select(self, faces: Iterable[Face] = ()) -> None:
        """Select just these."""
        chosen = frozenset(faces)
        if chosen != self.faces:
            self.faces = chosen
            self.changed.emit()

    def toggle(self, face: Face) -> None:
        """Toggle the selection of a face."""
        self.select(self.faces ^ {face})

    @property
    def title(self) -> str:
        """The selection, as a title."""
        if len(self.faces) == 1:
            ((cube, face),) = self.faces
            return f"{cube_name(self.shapes.design.parameters, cube)}, {FACE_TITLES[face]}"
        return many(len(self.faces), "face")

    @property
    def status_text(self) -> str:
        """The selection, for the status bar."""
        return tr("{selection} selected", selection=self.title) if self.faces else tr("Nothing selected")


SWATCH = 20
COLUMNS = 6
KEYS = 9
"""Paints that a digit chooses."""


class Swatches(QWidget):
    """A button for each paint; one of them may be ticked."""

    chosen = Signal(int)

    def __init__(self, words: str, count: int = len(LETTERS), *, has_keys: bool = False) -> None:
        super().__init__()
        self.buttons = [QToolButton() for _ in range(count)]
        self._words, self._has_keys = words, has_keys
        lines = [self.buttons[at : at + COLUMNS] for at in range(0, count, COLUMNS)]
        made = grid(*lines, across=GAP // 2, down=GAP // 2)
        made.setColumnStretch(COLUMNS, 1)
        self.setLayout(made)
        for paint, button in enumerate(self.buttons):
            button.setIconSize(QSize(SWATCH, SWATCH))
            button.setAutoRaise(True)
            button.clicked.connect(lambda _on=False, paint=paint: self.chosen.emit(paint))

    def show_paints(self, paints: tuple[Paint, ...], ticked: int | None) -> None:
        """Show these paints, one of them ticked."""
        for paint, button in enumerate(self.buttons):
            button.setVisible(paint < len(paints))
            if paint < len(paints):
                name = paints[paint].name
                button.setIcon(_swatch(paints[paint].colour))
                key = f" (Alt+{paint + 1})" if self._has_keys and paint < KEYS else ""
                button.setToolTip(f"{self._words.format(name=name.lower())}{key}")
                button.setAccessibleName(name)
                button.setCheckable(ticked is not None)
                button.setChecked(paint == ticked)


def _swatch(colour: str) -> QIcon:
    picture = QPixmap(SWATCH, SWATCH)
    picture.fill(QColor(colour))
    painter = QPainter(picture)
    # A dark colour has a light rim: both are seen on dark and on light ground.
    painter.setPen(QColor(colour).darker(150) if is_bright(colour) else QColor(mixed(colour, "#FFFFFF", 0.3)))
    painter.drawRect(0, 0, SWATCH - 1, SWATCH - 1)
    painter.end()
    return QIcon(picture)


class ZigzawInspector(SidePanel):
    """A page for the board and one for faces; the selection chooses the page."""

    def __init__(self, selection: FaceSelection) -> None:
        super().__init__()
        self._selection = selection
        self._pages = Pages()
        scrolled(self._pages, self)
        self.faces = Swatches(tr("Set colour to {name}"), has_keys=True)
        self.palette_ = Swatches(tr("Change {name}"))
        self.reset = push_button(tr("Reset"))
        self.plain_palette = push_button(tr("Use built-in palette"))
        self.choose_picture = push_button(tr("Choose picture…"))
        self.remove_picture = push_button(tr("Remove picture"))
        self._title = heading()
        self._facts: dict[str, QLabel] = {
            name: wrapping() for name in (tr("Size"), tr("Pieces"), tr("Cut length"), tr("Edited"))
        }
        self._face_facts: dict[str, QLabel] = {name: wrapping() for name in (tr("Cube"), tr("Piece"), tr("Colours"))}
        self._picture = wrapping()
        self._pages.addWidget(holding(column(*self._board_page(), REST, margins=MARGIN)))
        self._pages.addWidget(holding(column(*self._face_page(), REST, margins=MARGIN)))
        self._view_title, self._view_hint = heading(), hint_label(" ")
        self._pages.addWidget(holding(column(self._view_title, self._view_hint, REST, margins=MARGIN)))
        selection.changed.connect(self.follow)

    def _board_page(self) -> list[Item]:
        self._hint = hint_label(tr("Click a face to select it, double-click for the next colour."))
        return [
            heading(tr("Board")), _form(self._facts), self._hint,
            heading(tr("Palette")), self.palette_, self.plain_palette,
            heading(tr("Picture")), self._picture, self.choose_picture, self.remove_picture,
        ]  # fmt: skip

    def _face_page(self) -> list[Item]:
        hint = hint_label(
            tr("Arrow keys select the next cube, Alt+arrow keys the next face. Shift+click selects more.")
        )
        return [self._title, _form(self._face_facts), self.faces, self.reset, hint]

    def show_view(self, title: str, hint: str, *, is_board: bool) -> None:
        """Show title and help of a view in which pieces are sought; the board if the title is empty."""
        self._view_title.setText(title)
        self._view_hint.setText(hint)
        self._hint.setVisible(is_board)
        self.follow()

    def connect_to(self, **actions: Callable[[], object]) -> None:
        """Connect the buttons to their actions: reset, plain_palette, choose_picture and remove_picture."""
        for name, action in actions.items():
            getattr(self, name).clicked.connect(lambda _on=False, action=action: action())

    def follow(self) -> None:
        """Show the present state of the selection; hide the board while it is played or solved."""
        if self._view_title.text():
            self._pages.setCurrentIndex(2)
        elif self._selection.faces:
            self._show_faces()
        else:
            self._show_board()

    def _show_board(self) -> None:
        design, drawing = self._selection.shapes.design, self._selection.shapes.drawing
        p = design.parameters
        self._facts[tr("Size")].setText(extent(drawing.width, drawing.height))
        self._facts[tr("Pieces")].setText(
            tr("{count}, {shape} shape", count=thousands(p.columns * p.rows), shape=within(design.body.title))
        )
        self._facts[tr("Cut length")].setText(metres(drawing.cut_length))
        self._facts[tr("Edited")].setText(many(len(design.own), "cube"))
        self.palette_.show_paints(design.palette[: p.paint_count], None)
        self.plain_palette.setVisible(design.paints is not None)
        self.remove_picture.setVisible(design.picture is not None)
        words = (
            tr("The tops of the cubes show your picture.")
            if design.picture
            else tr("Show a picture on the tops of the cubes.")
        )
        self._picture.setText(words)
        self._pages.setCurrentIndex(0)

    def _show_faces(self) -> None:
        design, faces = self._selection.shapes.design, self._selection.faces
        p = design.parameters
        letters = {design.triples[cube][FACES.index(face)] for cube, face in faces}
        ticked = LETTERS.find(next(iter(letters))) if len(letters) == 1 else -1
        self._title.setText(self._selection.title[:1].upper() + self._selection.title[1:])
        self.faces.show_paints(design.palette[: p.paint_count], ticked)
        cubes = sorted({cube for cube, _face in faces})
        names = [cube_name(p, cube) for cube in cubes]
        self._face_facts[tr("Cube")].setText(names[0] if len(names) == 1 else many(len(names), "cube"))
        colours = sorted({_named(design.palette, letter) for letter in letters})
        self._face_facts[tr("Colours")].setText(", ".join(colours))
        places, shuffled = layout(p).places, numbers(design)
        piece = tr("Several")
        if len(cubes) == 1:
            piece = (
                tr("No. {number}", number=shuffled[places.index(cubes[0])])
                if is_place(p, cubes[0])
                else tr("None (border)")
            )
        self._face_facts[tr("Piece")].setText(piece)
        self.reset.setEnabled(bool(set(names) & set(design.own)))
        self._pages.setCurrentIndex(1)


def _form(widgets: dict[str, QLabel]) -> QFormLayout:
    return named(widgets, across=GAP, down=GAP)


def _named(paints: tuple[Paint, ...], letter: str) -> str:
    at = LETTERS.find(letter)
    return paints[at].name if at >= 0 else "unknown"
