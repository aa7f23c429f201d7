"""Editing the solved board of a slitherlink: tool, inspector and commands, put together for one window."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.texts import tr
from studio.geometry.art.artwork import MOST_BYTES
from studio.puzzles.slitherlink import edits
from studio.puzzles.slitherlink.checks import SlitherlinkChecked
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from studio.ui.kinds.slitherlink.inspector import SlitherlinkInspector
from studio.ui.kinds.slitherlink.overlay import Overlay
from studio.ui.kinds.slitherlink.selection import CellSelection
from studio.ui.kinds.slitherlink.tool import SlitherlinkTool
from studio.ui.session.commands import Command
from studio.ui.session.extension import Extension

if TYPE_CHECKING:
    from studio.ui.panels.outline_import import OutlineImport

PICTURES = tr("Pictures (*.png *.jpg *.jpeg *.gif)")


class Editing:
    """The loop, the clues and the shape of one slitherlink in one window."""

    def __init__(self, extension: Extension[SlitherlinkShapes]) -> None:
        session = extension.session
        self._extension = extension
        self.selection = CellSelection(extension.shapes, extension)
        self.overlay = Overlay(session.canvas)
        self.tool = SlitherlinkTool(session.document, session.canvas, self.selection, self.overlay)
        self.inspector = SlitherlinkInspector(self.selection)
        self.tool.refused.connect(extension.refused)
        self.tool.menu_wanted.connect(extension.menu_wanted)
        self.tool.painted.connect(self.use_shape)
        self.selection.changed.connect(extension.changed)
        session.canvas.view.tool = self.tool
        session.pipeline.checked.connect(self._show_checked)
        self.inspector.connect_to(
            flip=self.tool.flip, clue=self.tool.toggle_clues, lock=self.lock, reset=self.reset,
            new_clues=self.new_clues, paint=lambda: self.paint(not self.tool.is_painting), picture=self.choose_picture,
            clear=self.clear_shape,
        )  # fmt: skip
        menu = "&Loop"
        self.commands = [
            Command("outline", tr("Import outline…"), "&Edit", self.choose_outline, (), "",
                    tr("Fill a closed path from an SVG or DXF file with the cells")),
            Command("flip", tr("Switch sides"), menu, self.tool.flip, ("I",), "",
                    tr("Move the selected cells to the other side of the loop"), on_canvas=True),
            Command("toggle_clues", tr("Add or remove clues"), menu, self.tool.toggle_clues, ("G",), "",
                    tr("Add the clues of the selected cells, or remove them"), on_canvas=True),
            Command("lock_cells", tr("Lock or unlock cells"), menu, self.lock, ("L",), "lock",
                    tr("Lock the selected cells and clues against regenerating, or unlock them"),
                    on_canvas=True, strip="loop"),
            Command("reset_cells", tr("Reset cells"), menu, self.reset, ("Backspace", "Del"), "reset",
                    tr("Discard your edits of the selected cells"), on_canvas=True, strip="loop"),
            Command("new_clues", tr("Regenerate clues"), menu, self.new_clues, (), "",
                    tr("Choose new clues for this loop; locked ones are kept"), begins=True),
            Command("paint_shape", tr("Paint shape"), menu, self.paint, ("P",), "",
                    tr("Paint the cells the loop may enclose"), is_switch=True, on_canvas=True, begins=True),
            Command("shape_from_picture", tr("Shape from picture…"), menu, self.choose_picture, (), "",
                    tr("Trace the outline of a picture as the loop")),
            Command("clear_shape", tr("Clear shape"), menu, self.clear_shape, (), "",
                    tr("Let the loop use the whole board")),
            Command("select_all", tr("Select all cells"), "&Edit", self.selection.select_all, ("Ctrl+A",), "select",
                    on_canvas=True, in_context=True),
            Command("show_solution", tr("Show solution"), "&View", self.overlay.show_solved, ("S",), "",
                    tr("Show the loop and the hidden clues"), is_switch=True, is_on=True, on_canvas=True),
        ]  # fmt: skip

    @property
    def _design(self) -> SlitherlinkDesign:
        design: SlitherlinkDesign = self._extension.session.document.design
        return design

    def possible(self) -> dict[str, bool]:
        """Which of the commands make sense now."""
        some = bool(self.selection.cells) and not self.tool.is_tried
        design = self.selection.shapes.design
        names = {*design.names_of(self.selection.cells)}
        return {
            "flip": some,
            "toggle_clues": some,
            "lock_cells": some,
            "reset_cells": some and bool(names & {*design.own_cells, *design.own_clues}),
            "clear_shape": bool(design.shape),
        }

    def show_shapes(self, shapes: SlitherlinkShapes) -> None:
        """Follow the shapes; a stroke has no place on another board."""
        if shapes.design.parameters.layout != self.selection.shapes.design.parameters.layout:
            self.tool.give_up_stroke()
        self.selection.show_shapes(shapes)
        self.overlay.show_shapes(shapes)
        self.tool.show_selection()
        self._show_checked(None)

    def _show_checked(self, _findings: object) -> None:
        known = self._extension.session.pipeline.answer
        checked = known if isinstance(known, SlitherlinkChecked) else None
        self.overlay.show_second(None if checked is None else checked.second)
        self.inspector.show_checked(checked)

    def lock(self) -> None:
        """Lock the selected cells, or unlock them where all are locked."""
        cells = sorted(self.selection.cells)
        if cells:
            is_on = not all(edits.is_locked(self._design, cell) for cell in cells)
            title = self.selection.title
            words = tr("Lock {cells}", cells=title) if is_on else tr("Unlock {cells}", cells=title)
            self._extension.edit(words, edits.locked, cells, is_on)

    def reset(self) -> None:
        """Undo the edits of the selected cells."""
        cells = sorted(self.selection.cells)
        if cells:
            self._extension.work(tr("Reset {cells}", cells=self.selection.title), edits.reset, cells)

    def new_clues(self) -> None:
        """Choose other clues for the loop."""
        self._extension.work(tr("Regenerate clues"), edits.with_new_clues)

    def paint(self, is_on: bool) -> None:
        """Begin or end painting the shape."""
        self.tool.is_painting = is_on
        self.inspector.paint.setChecked(is_on)

    def use_shape(self, cells: frozenset[int]) -> None:
        """Keep the loop in a shape that was painted."""
        self._extension.work(tr("Paint shape"), edits.with_shape, cells)

    def clear_shape(self) -> None:
        """Let the loop go everywhere."""
        self._extension.work(tr("Clear shape"), edits.with_shape, ())

    @cached_property
    def outlining(self) -> OutlineImport:
        """Brings outlines from files; loaded when the first one is asked for."""
        from studio.ui.panels.outline_import import OutlineImport

        return OutlineImport(self._extension.session, edits.with_board, self._extension)

    def choose_outline(self) -> None:
        """Ask for a drawing whose closed path is to be the outline of the cells."""
        self.outlining.choose()

    def choose_picture(self) -> None:
        """Ask for a picture whose outline the loop will be."""
        path = self._extension.session.dialogs.open_path(Path.cwd(), tr("Shape from picture"), PICTURES)
        if path is not None:
            self.use_picture(path)

    def use_picture(self, path: Path) -> None:
        """Make the loop the outline of what a picture shows."""
        try:
            shape = edits.silhouette_of(self._design, content(path, MOST_BYTES))
        except StudioError as problem:
            self._extension.refused.emit(tr("{name} cannot be used: {problem}", name=path.name, problem=problem))
        else:
            self._extension.work(tr("Shape from picture"), edits.with_outline, shape)
