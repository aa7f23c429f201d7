"""Editing the colours of a zigzaw: faces, palette and picture, with the tool, inspector and commands."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QColor

from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.texts import tr
from studio.geometry.art.artwork import MOST_BYTES
from studio.puzzles.zigzaw.edits import repainted
from studio.puzzles.zigzaw.generate import with_paints, with_picture, without_edits
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.model import Photo, ZigzawDesign, cube_name
from studio.ui.kinds.zigzaw.inspector import ZigzawInspector
from studio.ui.kinds.zigzaw.selection import FaceSelection
from studio.ui.kinds.zigzaw.tool import ZigzawTool
from studio.ui.session.commands import Command
from studio.ui.session.extension import Extension

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
                  tr("Change the selected faces to the next colour"), on_canvas=True, strip="colour"),
            Command("reset_cubes", tr("Reset cubes"), menu, self.reset, ("Backspace", "Del"), "reset",
                  tr("Discard your colours of the selected cubes"), on_canvas=True, strip="colour"),
            Command("choose_picture", tr("Choose picture…"), menu, self.choose_picture),
            Command("remove_picture", tr("Remove picture"), menu, self.remove_picture),
            Command("built_in_palette", tr("Use built-in palette"), menu, self.use_built_in),
        ]  # fmt: skip

    @property
    def _design(self) -> ZigzawDesign:
        design: ZigzawDesign = self._extension.session.document.design
        return design

    def possible(self) -> dict[str, bool]:
        """Which of the commands make sense now."""
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
        """Go back to the palette that the form names."""
        if self._design.paints is not None:
            self._extension.work(tr("Use built-in palette"), with_paints, None)

    def choose_picture(self) -> None:
        """Ask for a picture for the tops."""
        path = self._extension.session.dialogs.open_path(Path.cwd(), tr("Choose picture"), PICTURES)
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
