"""The zigzaw's views, tables and commands, put together for one window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainterPath, QPen

from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.texts import tr
from studio.geometry.art.artwork import MOST_BYTES
from studio.puzzles.zigzaw.generate import with_paints, with_picture, without_edits
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.model import (
    BACK,
    REAL,
    Face,
    Photo,
    ZigzawDesign,
    ZigzawParameters,
    cube_name,
    next_paint,
    recoloured,
    repainted,
)
from studio.puzzles.zigzaw.piece_forms import FACES
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.marks import HIGHLIGHT_Z
from studio.ui.canvas.paths import PathItem, cosmetic, polygon
from studio.ui.canvas.view import Pointer, Tool
from studio.ui.kinds.zigzaw.inspector import FaceSelection, ZigzawInspector
from studio.ui.kinds.zigzaw.picture_readings import Importing
from studio.ui.kinds.zigzaw.play import PlayPage
from studio.ui.kinds.zigzaw.solver import SolverPage
from studio.ui.session.actions import Command, within
from studio.ui.session.document import Document
from studio.ui.session.extension import Extension, View
from studio.ui.session.games import VIEW as PLAY
from studio.ui.session.session import Session
from studio.ui.widgets.theme import Theme

STEPPED = {
    Qt.Key.Key_Left: ("W", "W"), Qt.Key.Key_Right: ("E", "E"), Qt.Key.Key_Up: ("NW", "NE"),
    Qt.Key.Key_Down: ("SW", "SE"),
}  # fmt: skip
"""Directions of the arrow keys from a cube of an even row, and of an odd one, so that they keep to a column."""
MIRRORED = {Qt.Key.Key_Left: Qt.Key.Key_Right, Qt.Key.Key_Right: Qt.Key.Key_Left}


class ZigzawTool(Tool):
    """Selects faces by clicks and arrows; digits with Alt and a double click recolour them."""

    refused = Signal(str)

    def __init__(self, document: Document, canvas: Canvas, selection: FaceSelection) -> None:
        super().__init__(canvas)
        self._document, self._selection = document, selection
        self._hovered, self._chosen = PathItem(HIGHLIGHT_Z - 0.5), PathItem(HIGHLIGHT_Z)
        for item in (self._hovered, self._chosen):
            canvas.scene.addItem(item)
        selection.changed.connect(self.show_selection)
        document.replaced.connect(lambda: selection.select())

    def show_selection(self) -> None:
        """Draw the selection."""
        self._chosen.show_path(self._path(self._selection.faces), lambda theme: cosmetic(theme.accent, 3.0))

    def _path(self, faces: Iterable[Face]) -> QPainterPath:
        path = QPainterPath()
        for cube, face in faces:
            path.addPolygon(polygon(self._selection.shapes.face_outline(cube, face)))
            path.closeSubpath()
        return path

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show the face that a click would take."""
        face = self._selection.shapes.face_at(pointer.x, pointer.y)
        self._hovered.show_path(self._path([] if face is None else [face]), _thin)
        return Qt.CursorShape.ArrowCursor if face is None else Qt.CursorShape.PointingHandCursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._hovered.show_path(QPainterPath(), _thin)

    def pressed(self, pointer: Pointer) -> None:
        """Select the face under the mouse; with Shift or Ctrl toggle it in the selection."""
        face = self._selection.shapes.face_at(pointer.x, pointer.y)
        if face is not None and (pointer.shift or pointer.control):
            self._selection.toggle(face)
        else:
            self._selection.select([] if face is None else [face])

    def menu_asked(self, pointer: Pointer) -> None:
        """Select the face for the menu."""
        face = self._selection.shapes.face_at(pointer.x, pointer.y)
        if face is not None and face not in self._selection.faces:
            self._selection.select([face])
        super().menu_asked(pointer)

    def double_clicked(self, pointer: Pointer) -> None:
        """Give the face under the mouse the next colour."""
        face = self._selection.shapes.face_at(pointer.x, pointer.y)
        if face is not None:
            self._selection.select([face])
            self.next_colour()

    def next_colour(self) -> None:
        """Give the selected faces the colour after that of the first face."""
        faces = self._sorted()
        if faces:
            self.recolour(next_paint(self._selection.shapes.design, faces[0]))

    def recolour(self, paint: int) -> None:
        """Give the selected faces one colour."""
        design: ZigzawDesign = self._document.design
        faces = self._sorted()
        if not faces or paint >= len(design.palette):
            return
        try:
            other = recoloured(design, faces, paint)
        except StudioError as problem:
            self.refused.emit(str(problem))
        else:
            self._document.edit(
                tr("Colour {faces} {colour}", faces=self._selection.title, colour=design.palette[paint].name.lower()),
                other,
            )

    def _sorted(self) -> list[Face]:
        return sorted(self._selection.faces, key=lambda face: (face[0], FACES.index(face[1])))

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Alt with a digit recolours; arrows go to the next cube, with Alt to the next face."""
        key, alt = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and Qt.Key.Key_1 <= key <= Qt.Key.Key_9 and self._selection.faces:
            self.recolour(key - Qt.Key.Key_1)
            return True
        if key not in STEPPED:
            return False
        faces = self._sorted()
        cube, face = faces[0] if faces else (next(iter(self._selection.shapes.design.triples)), "T")
        if alt:
            by = -1 if key in (Qt.Key.Key_Left, Qt.Key.Key_Up) else 1
            face = FACES[(FACES.index(face) + by) % len(FACES)]
        elif faces:
            if self._selection.shapes.design.parameters.side == BACK:
                key = MIRRORED.get(key, key)
            cube = cube.beside(STEPPED[key][cube.row % 2])
        if cube in self._selection.shapes.design.triples:
            self._selection.select([(cube, face)])
        return True

    def cancelled(self) -> bool:
        """Escape: select nothing."""
        had = bool(self._selection.faces)
        self._selection.select()
        return had


def _thin(theme: Theme) -> QPen:
    return cosmetic(theme.accent, 1.5)


PICTURES = tr("Pictures (*.png *.jpg *.jpeg)")


class Colouring:
    """The colours of one zigzaw in one window."""

    def __init__(self, extension: Extension[ZigzawShapes]) -> None:
        session = extension.session
        self._extension = extension
        self.selection = FaceSelection(extension.shapes, extension)
        self.tool = ZigzawTool(session.document, session.canvas, self.selection)
        self.inspector = ZigzawInspector(self.selection)
        self.tool.refused.connect(extension.refused)
        self.tool.menu_wanted.connect(extension.menu_wanted)
        self.selection.changed.connect(extension.changed)
        session.canvas.view.tool = self.tool
        self.inspector.faces.chosen.connect(self.tool.recolour)
        self.inspector.palette_.chosen.connect(self.change_paint)
        self.inspector.connect_to(
            reset=self.reset, plain_palette=self.use_built_in, choose_picture=self.choose_picture,
            remove_picture=self.remove_picture,
        )  # fmt: skip
        menu = "&Colours"
        self.commands = [
            Command("next_colour", tr("Next colour"), menu, self.tool.next_colour, ("N",), "next",
                  tr("Change the selected faces to the next colour"), on_canvas=True, strip="colour",
                  needs=tr("Select a face")),
            Command("reset_cubes", tr("Reset cubes"), menu, self.reset, ("Backspace", "Del"), "reset",
                  tr("Discard your colours of the selected cubes"), on_canvas=True, strip="colour",
                  needs=tr("Select recoloured cubes")),
            Command("choose_picture", tr("Choose picture…"), menu, self.choose_picture),
            Command("remove_picture", tr("Remove picture"), menu, self.remove_picture,
                    needs=tr("Choose a picture first")),
            Command("built_in_palette", tr("Use built-in palette"), menu, self.use_built_in,
                    needs=tr("Already in use")),
        ]  # fmt: skip

    @property
    def _design(self) -> ZigzawDesign:
        design: ZigzawDesign = self._extension.session.document.design
        return design

    def possible(self) -> dict[str, bool]:
        """Availability of the commands, by name."""
        design = self._design
        names = {cube_name(design.parameters, cube) for cube, _face in self.selection.faces}
        return {
            "next_colour": bool(self.selection.faces),
            "reset_cubes": bool(names & set(design.own)),
            "remove_picture": design.picture is not None,
            "built_in_palette": design.paints is not None,
        }

    def show_shapes(self, shapes: ZigzawShapes) -> None:
        """Follow the shapes."""
        self.selection.show_shapes(shapes)
        self.tool.show_selection()
        self.inspector.follow()

    def reset(self) -> None:
        """Undo the recolouring of the selected cubes."""
        p = self._design.parameters
        names = {cube_name(p, cube) for cube, _face in self.selection.faces} & set(self._design.own)
        if names:
            self._extension.work(tr("Reset cubes"), without_edits, names)

    def change_paint(self, paint: int) -> None:
        """Ask for another colour for a paint."""
        known = self._design.palette[paint]
        chosen = self._extension.session.dialogs.colour(
            tr("Colour for {colour}", colour=known.name.lower()), QColor(known.colour)
        )
        if chosen is not None and chosen.name().upper() != known.colour:
            paints = repainted(self._design, paint, chosen.name().upper())
            self._extension.work(tr("Change {colour}", colour=known.name.lower()), with_paints, paints)

    def use_built_in(self) -> None:
        """Return to the palette chosen in the form."""
        if self._design.paints is not None:
            self._extension.work(tr("Use built-in palette"), with_paints, None)

    def choose_picture(self) -> None:
        """Ask for a picture for the tops."""
        path = self._extension.session.ask_file("picture", tr("Choose picture"), PICTURES)
        if path is not None:
            self.use_picture(path)

    def use_picture(self, path: Path) -> None:
        """Put a picture from a file on the tops of the cubes."""
        try:
            photo = Photo(content(path, MOST_BYTES))
        except StudioError as problem:
            self._extension.refused.emit(tr("{name} cannot be used: {problem}", name=path.name, problem=problem))
        else:
            self._extension.work(tr("Add picture"), with_picture, photo)

    def remove_picture(self) -> None:
        """Colour the tops at random again."""
        if self._design.picture is not None:
            self._extension.work(tr("Remove picture"), with_picture, None)


SOLVER_HINT = tr("Drag along the chart to see any step of the search.")


class ZigzawExtension(Extension[ZigzawShapes]):
    """All that the window has of the zigzaw."""

    context_menus = canvas_menus = ("&Colours",)
    mouse = tr(
        "Wheel: zoom. Middle-drag or Space+drag: pan. Click a face to select it, double-click for the next colour. "
        "Alt+1 to Alt+9 colour it; arrow keys select the next cube, Alt+arrow keys the next face. In Solver, drag "
        "along the chart to see any step of the search. {hint}",
        hint=PlayPage.hint,
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        canvas = session.canvas
        self.colouring = Colouring(self)
        self.inspector = self.colouring.inspector
        self.solver = SolverPage(session)
        self.importing = Importing(self)
        self.play = PlayPage(session.need_games(), session.document.design)
        self._seen: QObject = canvas
        self.views = [
            View("board", tr("Board"), canvas, partial(self._see, canvas), canvas.view.fit, canvas.view.zoom_by),
            self.play.entry(partial(self._see, self.play)),
            self.solver.entry(partial(self._see, self.solver)),
            self.importing.entry(partial(self._see, self.importing.page)),
        ]
        own = (
            within("board", self.colouring.commands), within(PLAY, self.play.commands),
            within("solver", self.solver.commands),
        )  # fmt: skip
        self.commands = [command for some in own for command in some]
        self.play.reworded.connect(self.changed)
        session.pipeline.shapes_changed.connect(self.show_shapes)

    def review(self, paths: Sequence[Path]) -> bool:
        """Read pictures and show the readings."""
        return self.importing.review(paths)

    @property
    def status_text(self) -> str:
        """The selection on the board, or the progress of the game in sight."""
        if self._seen is self.play:
            return self.play.status_text
        return self.colouring.selection.status_text if self._seen is self.session.canvas else ""

    def possible(self) -> dict[str, bool]:
        """Commands that selection and design allow."""
        return self.colouring.possible()

    def idle(self, parameters: ZigzawParameters) -> dict[str, str]:
        """Parameters without effect for real cubes or without a picture, each with the reason."""
        found = {}
        if parameters.scheme == REAL:
            found["colours"] = tr("A real cube has six colours.")
        if self.session.document.design.picture is None:
            found["dither"] = tr("Only for cubes with a picture.")
        return found

    def put_away(self) -> None:
        """Another view is in sight."""
        self._see(self)

    def show_shapes(self, shapes: ZigzawShapes, settled: bool) -> None:
        """Follow the shapes."""
        self.colouring.show_shapes(shapes)
        self.solver.show_design(shapes.design, settled=settled)
        self.play.show_design(shapes.design, settled=settled)

    def pause(self) -> None:
        """Pause the solver."""
        self.solver.player.pause()

    def _see(self, seen: QObject) -> None:
        self._seen = seen
        watched: dict[QObject, tuple[str, str]] = {
            self.play: (tr("Play"), PlayPage.hint),
            self.solver: (tr("Solver"), SOLVER_HINT),
        }
        self.colouring.inspector.show_view(*watched.get(seen, ("", "")), is_board=seen is self.session.canvas)
        if isinstance(seen, SolverPage | PlayPage):
            seen.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()


EXTENSION = ZigzawExtension
