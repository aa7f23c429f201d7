"""The slitherlink's views, tables and commands, put together for one window."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.texts import tr
from studio.geometry.art.artwork import MOST_BYTES
from studio.geometry.board.board_spec import POLYGON, RECTANGLE
from studio.puzzles.slitherlink import edits
from studio.puzzles.slitherlink.checks import SlitherlinkChecked
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.model import FOLDED, PEGS, PLAIN, STICKS, SlitherlinkDesign, SlitherlinkParameters
from studio.ui.kinds.slitherlink.overlay import Overlay
from studio.ui.kinds.slitherlink.play import PlayPage
from studio.ui.kinds.slitherlink.steps import StepsPage
from studio.ui.kinds.slitherlink.tool import CellSelection, SlitherlinkInspector, SlitherlinkTool
from studio.ui.session.actions import Command, within
from studio.ui.session.extension import Extension, View
from studio.ui.session.games import VIEW as PLAY
from studio.ui.session.session import Session
from studio.ui.session.writing import save_leaflet, usual_paper

if TYPE_CHECKING:
    from studio.puzzles.slitherlink.book import BookOptions
    from studio.ui.panels.drawing_import import OutlineImport


# Editing the solved board of a slitherlink: tool, inspector and commands, put together for one window.


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
        session.pipeline.findings_changed.connect(self._show_checked)
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
                    tr("Move the selected cells to the other side of the loop"), on_canvas=True,
                    needs=tr("Select cells")),
            Command("toggle_clues", tr("Add or remove clues"), menu, self.tool.toggle_clues, ("G",), "",
                    tr("Add the clues of the selected cells, or remove them"), on_canvas=True,
                    needs=tr("Select cells")),
            Command("lock_cells", tr("Lock or unlock cells"), menu, self.lock, ("L",), "lock",
                    tr("Lock the selected cells and clues against regenerating, or unlock them"),
                    on_canvas=True, strip="loop", needs=tr("Select cells")),
            Command("reset_cells", tr("Reset cells"), menu, self.reset, ("Backspace", "Del"), "reset",
                    tr("Discard your edits of the selected cells"), on_canvas=True, strip="loop",
                    needs=tr("Select edited cells")),
            Command("new_clues", tr("Regenerate clues"), menu, self.new_clues, (), "",
                    tr("Choose new clues for this loop; locked ones are kept"), begins=True),
            Command("paint_shape", tr("Paint shape"), menu, self.paint, ("P",), "",
                    tr("Paint the cells the loop may enclose"), is_switch=True, on_canvas=True, begins=True),
            Command("shape_from_picture", tr("Shape from picture…"), menu, self.choose_picture, (), "",
                    tr("Trace the outline of a picture as the loop")),
            Command("clear_shape", tr("Clear shape"), menu, self.clear_shape, (), "",
                    tr("Let the loop use the whole board"), needs=tr("No shape to clear")),
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
        """Availability of the commands, by name."""
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
        """Follow the shapes; on another board a stroke is dropped."""
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
        """Lock the selected cells, or unlock them if all are locked."""
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
        """Choose new clues for the loop."""
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
        """Brings outlines from files; loaded on first use."""
        from studio.ui.panels.drawing_import import OutlineImport

        return OutlineImport(self._extension.session, edits.with_board, self._extension)

    def choose_outline(self) -> None:
        """Ask for a drawing whose closed path becomes the outline of the cells."""
        self.outlining.choose()

    def choose_picture(self) -> None:
        """Ask for a picture whose outline the loop will be."""
        path = self._extension.session.ask_file("picture", tr("Shape from picture"), PICTURES)
        if path is not None:
            self.use_picture(path)

    def use_picture(self, path: Path) -> None:
        """Make the loop the outline of a picture's subject."""
        try:
            shape = edits.silhouette_of(self._design, content(path, MOST_BYTES))
        except StudioError as problem:
            self._extension.refused.emit(tr("{name} cannot be used: {problem}", name=path.name, problem=problem))
        else:
            self._extension.work(tr("Shape from picture"), edits.with_outline, shape)


# The command that makes a book of puzzles like the one in the window.


TITLE = tr("Puzzle book")


class Booking:
    """Asks for the options of a book, and writes it in the background."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.commands = [
            Command("book", f"{TITLE}…", "&File", self.ask, (), "",
                    tr("Make a book of puzzles with these parameters, solutions at the back")),
        ]  # fmt: skip

    def ask(self) -> None:
        """Ask for options and a file name, and write the book."""
        from studio.puzzles.slitherlink.book import BookOptions, book_of
        from studio.ui.panels.making_choice import ask_for_options

        session = self._session
        p: SlitherlinkParameters = session.document.design.parameters
        options = ask_for_options(session, TITLE, BookOptions(paper=usual_paper().paper), "book")
        if options is None:
            return
        puzzles = many(options.count, "puzzle")
        save_leaflet(session, TITLE, _file_name(options), partial(book_of, p, options), options.paper, puzzles)


def _file_name(options: BookOptions) -> str:
    """The title as a file's name."""
    name = "".join(letter if letter.isalnum() or letter in " -_" else " " for letter in options.title)
    return " ".join(name.split()) or TITLE


STEPS_HINT = tr("Play the steps or go through them one by one; each says which rule it follows.")


class SlitherlinkExtension(Extension[SlitherlinkShapes]):
    """The slitherlink in one window."""

    context_menus = ("&Loop",)
    canvas_menus = ("&Loop", "&Edit", "&View")
    mouse = tr(
        "Wheel: zoom. Middle-drag or Space+drag: pan. Click a cell to move it inside or outside the loop, a clue to "
        "add or remove it; drag to change several. Shift+click selects. Arrow keys select the next cell. {hint}",
        hint=PlayPage.hint,
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        canvas = session.canvas
        self.editing = Editing(self)
        self.inspector = self.editing.inspector
        self.play = PlayPage(session)
        self.steps = StepsPage(session)
        self._seen: QObject = canvas
        self.views = [
            View("board", tr("Board"), canvas, partial(self._see, canvas), canvas.view.fit, canvas.view.zoom_by),
            self.play.entry(partial(self._see, self.play)),
            self.steps.entry(partial(self._see, self.steps)),
        ]
        own = (
            within("board", self.editing.commands), within(PLAY, self.play.commands),
            within("steps", self.steps.commands),
        )  # fmt: skip
        self.commands = [command for some in own for command in some] + Booking(session).commands
        self.play.reworded.connect(self.changed)
        session.pipeline.shapes_changed.connect(self.show_shapes)

    @property
    def status_text(self) -> str:
        """The selection on the board, or the progress of the game in sight."""
        if self._seen is self.play:
            return self.play.status_text
        return self.editing.selection.status_text if self._seen is self.session.canvas else ""

    def possible(self) -> dict[str, bool]:
        """Commands that selection, design and game allow."""
        return self.editing.possible() | self.play.possible()

    def idle(self, parameters: SlitherlinkParameters) -> dict[str, str]:
        """Parameters without effect on this loop or board, each with the reason."""
        p, found = parameters, dict[str, str]()
        if p.loop != FOLDED:
            found |= dict.fromkeys(("ratio", "area"), tr("Only for folded loops."))
        if p.board != PEGS:
            found["peg"] = tr("Only for boards with holes.")
        if p.board != STICKS:
            found |= dict.fromkeys(("thickness", "wall", "stick", "spares"), tr("Only for boards with slots."))
        if p.outline != RECTANGLE:
            found["corner"] = tr("Only for rectangles: other boards follow their outline.")
        if p.board == PLAIN:
            found["play"] = tr("Only for boards with holes or slots.")
        return found

    def hidden(self, parameters: SlitherlinkParameters) -> set[str]:
        """Fields of other outlines."""
        return set() if parameters.outline == POLYGON else {"sides"}

    def put_away(self) -> None:
        """Another view is in sight."""
        self._see(self)

    def show_shapes(self, shapes: SlitherlinkShapes, settled: bool) -> None:
        """Follow the shapes."""
        self.editing.show_shapes(shapes)
        self.play.show_design(shapes.design, settled=settled)
        self.steps.show_design(shapes.design, settled=settled)

    def pause(self) -> None:
        """Pause the steps."""
        self.steps.player.pause()

    def _see(self, seen: QObject) -> None:
        self._seen = seen
        if seen is not self.session.canvas:
            self.editing.paint(False)
        watched: dict[QObject, tuple[str, str]] = {
            self.play: (tr("Play"), PlayPage.hint),
            self.steps: (tr("Steps"), STEPS_HINT),
        }
        self.editing.inspector.show_view(*watched.get(seen, ("", "")), is_board=seen is self.session.canvas)
        if isinstance(seen, PlayPage | StepsPage):
            seen.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()


EXTENSION = SlitherlinkExtension
