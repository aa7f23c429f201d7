"""The inspector of a zigzaw, and the faces selected on its board."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QToolButton, QWidget

from studio.base.amounts import extent, many, metres, thousands
from studio.base.texts import tr, within
from studio.geometry.art.artwork import is_bright, mixed
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.model import LETTERS, Face, Paint, ZigzawDesign, cube_name, is_place, layout, numbers
from studio.puzzles.zigzaw.piece_forms import FACE_TITLES, FACES
from studio.ui.panels.inspector_pages import EVEN, FactsPage, FactsPanel
from studio.ui.widgets.controls import heading, push_button, wrapping
from studio.ui.widgets.layout import grid
from studio.ui.widgets.theme import GAP


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

    def __init__(self, words: str, *, has_keys: bool = False) -> None:
        super().__init__()
        self.buttons = [QToolButton() for _ in LETTERS]
        self._words, self._has_keys = words, has_keys
        lines = [self.buttons[at : at + COLUMNS] for at in range(0, len(LETTERS), COLUMNS)]
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
                colour = QColor(paints[paint].colour)
                picture = QPixmap(SWATCH, SWATCH)
                picture.fill(colour)
                painter = QPainter(picture)
                # A dark colour has a light rim: both are seen on dark and on light ground.
                light = QColor(mixed(paints[paint].colour, "#FFFFFF", 0.3))
                painter.setPen(colour.darker(150) if is_bright(paints[paint].colour) else light)
                painter.drawRect(0, 0, SWATCH - 1, SWATCH - 1)
                painter.end()
                button.setIcon(QIcon(picture))
                key = f" (Alt+{paint + 1})" if self._has_keys and paint < KEYS else ""
                button.setToolTip(f"{self._words.format(name=name.lower())}{key}")
                button.setAccessibleName(name)
                button.setCheckable(ticked is not None)
                button.setChecked(paint == ticked)


class ZigzawInspector(FactsPanel):
    """A page for the board and one for faces."""

    def __init__(self, selection: FaceSelection) -> None:
        super().__init__()
        self._selection = selection
        self.faces = Swatches(tr("Set colour to {name}"), has_keys=True)
        self.palette_ = Swatches(tr("Change {name}"))
        self.reset = push_button(tr("Reset"))
        self.plain_palette = push_button(tr("Use built-in palette"))
        self.choose_picture = push_button(tr("Choose picture…"))
        self.remove_picture = push_button(tr("Remove picture"))
        self._picture = wrapping()
        palette = heading(tr("Palette")), self.palette_, self.plain_palette
        picture = heading(tr("Picture")), self._picture, self.choose_picture, self.remove_picture
        hint = tr("Click a face to select it, double-click for the next colour.")
        self._board = self.add(FactsPage(hint=hint, below=(*palette, *picture), spaces=EVEN))
        hint = tr("Arrow keys select the next cube, Alt+arrow keys the next face. Shift+click selects more.")
        self._faces = self.add(FactsPage(self.faces, self.reset, hint=hint, spaces=EVEN))
        selection.changed.connect(self.follow)
        self.follow()

    def show_view(self, title: str, hint: str, *, is_board: bool) -> None:
        """Show title and help of a view in which pieces are sought; the board if the title is empty."""
        self._board.hint.setVisible(is_board)
        self.show_help(title, hint)

    def describe(self) -> FactsPage:
        """Show the selected faces, or the board."""
        design, faces = self._selection.shapes.design, self._selection.faces
        paints = design.palette[: design.parameters.paint_count]
        if faces:
            letters = letters_of(design, faces)
            self._faces.show_facts(self._selection.title, face_facts(design, faces))
            self.faces.show_paints(paints, LETTERS.find(letters[0]) if len(letters) == 1 else -1)
            self.reset.setEnabled(any(cube_name(design.parameters, cube) in design.own for cube, _face in faces))
            return self._faces
        drawing, size = self._selection.shapes.drawing, design.parameters.columns * design.parameters.rows
        facts = {
            tr("Size"): extent(drawing.width, drawing.height),
            tr("Pieces"): tr("{count}, {shape} shape", count=thousands(size), shape=within(design.body.title)),
            tr("Cut length"): metres(drawing.cut_length),
            tr("Edited"): many(len(design.own), "cube"),
        }
        self._board.show_facts(tr("Board"), facts)
        self.palette_.show_paints(paints, None)
        self.plain_palette.setVisible(design.paints is not None)
        self.remove_picture.setVisible(design.picture is not None)
        self._picture.setText(
            tr("The tops of the cubes show your picture.")
            if design.picture
            else tr("Show a picture on the tops of the cubes.")
        )
        return self._board


def face_facts(design: ZigzawDesign, faces: Collection[Face]) -> dict[str, str]:
    """Return the facts about some faces."""
    p, cubes = design.parameters, sorted({cube for cube, _face in faces})
    name, piece = many(len(cubes), "cube"), tr("Several")
    if len(cubes) == 1:
        name, piece = cube_name(p, cubes[0]), tr("None (border)")
        if is_place(p, cubes[0]):
            piece = tr("No. {number}", number=numbers(design)[layout(p).places.index(cubes[0])])
    paints = {letter: paint.name for letter, paint in zip(LETTERS, design.palette, strict=False)}
    colours = sorted({paints.get(letter, "unknown") for letter in letters_of(design, faces)})
    return {tr("Cube"): name, tr("Piece"): piece, tr("Colours"): ", ".join(colours)}


def letters_of(design: ZigzawDesign, faces: Collection[Face]) -> list[str]:
    """Return the letters of the paints on some faces, each once."""
    return sorted({design.triples[cube][FACES.index(face)] for cube, face in faces})
