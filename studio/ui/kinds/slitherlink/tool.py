"""The cells of a slitherlink: clicks and drags that change them, their selection, and the inspector that shows it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainterPath, QPen

from studio.base.amounts import many, share
from studio.base.errors import StudioError
from studio.base.texts import plural, tr, within
from studio.puzzles.slitherlink.checks import SlitherlinkChecked
from studio.puzzles.slitherlink.edits import flipped, is_locked, with_clues
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.gestures import cell_spots
from studio.puzzles.slitherlink.model import DIFFICULTIES, FEWEST, TRICKY, SlitherlinkDesign, cells_of
from studio.puzzles.slitherlink.steps import MOST_CELLS
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.paths import cosmetic
from studio.ui.canvas.view import ARROWS, Pointer, Tool
from studio.ui.kinds.slitherlink.overlay import CLUE_REACH, Overlay
from studio.ui.panels.inspector_pages import EVEN, FactsPage, FactsPanel
from studio.ui.session.document import Document
from studio.ui.widgets.controls import heading, hint_label, push_button
from studio.ui.widgets.theme import Theme


class CellSelection(QObject):
    """Cells of the shapes in sight, by number; canvas and inspector share it."""

    changed = Signal()

    def __init__(self, shapes: SlitherlinkShapes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shapes = shapes
        self.cells: frozenset[int] = frozenset()

    def show_shapes(self, shapes: SlitherlinkShapes) -> None:
        """Bring other shapes in sight; on the same grid cells stay selected."""
        before, self.shapes = self.shapes.design.parameters.form, shapes
        self.select(self.cells if before is shapes.design.parameters.form else ())

    def select(self, cells: Iterable[int] = ()) -> None:
        """Select just these."""
        chosen = frozenset(cells)
        if chosen != self.cells:
            self.cells = chosen
            self.changed.emit()

    def select_all(self) -> None:
        """Select every cell."""
        self.select(range(self.shapes.design.parameters.net.outside))

    def toggle(self, cell: int) -> None:
        """Toggle the selection of a cell."""
        self.select(self.cells ^ {cell})

    @property
    def title(self) -> str:
        """The selection, as a title."""
        if len(self.cells) == 1:
            return self.shapes.design.names_of(self.cells)[0]
        return many(len(self.cells), "cell")

    @property
    def status_text(self) -> str:
        """The selection, for the status bar."""
        return tr("{selection} selected", selection=self.title) if self.cells else tr("Nothing selected")


class SlitherlinkTool(Tool):
    """A click changes the cell or the clue under it; a drag does the same to every cell or clue that it crosses."""

    refused = Signal(str)
    painted = Signal(object)
    """Brings the cells of a shape, a frozenset."""

    def __init__(self, document: Document, canvas: Canvas, selection: CellSelection, overlay: Overlay) -> None:
        super().__init__(canvas)
        self._document, self._selection, self._overlay = document, selection, overlay
        self.is_painting = False
        self._gesture: object | None = None
        self._on_clue = self._wanted = False
        self._stroke: set[int] | None = None
        selection.changed.connect(self.show_selection)
        document.replaced.connect(lambda: selection.select())

    @property
    def _design(self) -> SlitherlinkDesign:
        design: SlitherlinkDesign = self._document.design
        return design

    @property
    def is_tried(self) -> bool:
        """True if the form only tries the board in sight, whose cells differ from the design's."""
        return self._selection.shapes.design.parameters.layout != self._design.parameters.layout

    def show_selection(self) -> None:
        """Draw the selection."""
        path = self._overlay.cells_path(sorted(self._selection.cells))
        self._overlay.chosen.show_path(path, lambda theme: cosmetic(theme.text, 2.0))

    def _under(self, pointer: Pointer) -> tuple[int | None, bool]:
        """Cell at the mouse, and True if the mouse is on its clue; None while another board is only tried."""
        shapes = self._selection.shapes
        cell = None if self.is_tried else shapes.cell_at(pointer.x, pointer.y)
        if cell is None or self.is_painting:
            return cell, False
        x, y = shapes.middle_of(cell)
        return cell, math.hypot(pointer.x - x, pointer.y - y) < CLUE_REACH * shapes.radius_of(cell)

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show the cell or the clue that a click would change."""
        cell, on_clue = self._under(pointer)
        path = QPainterPath()
        if cell is not None:
            path = self._overlay.clue_path(cell) if on_clue else self._overlay.cells_path([cell])
        self._overlay.hovered.show_path(path, _thin)
        return Qt.CursorShape.ArrowCursor if cell is None else Qt.CursorShape.PointingHandCursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._overlay.hovered.show_path(QPainterPath(), _thin)

    def pressed(self, pointer: Pointer) -> None:
        """Change the cell or the clue under the mouse; with Shift or Ctrl only toggle the cell in the selection."""
        cell, self._on_clue = self._under(pointer)
        self._gesture = None
        if cell is None:
            self._selection.select()
        elif pointer.shift or pointer.control:
            self._selection.toggle(cell)
        elif self.is_painting:
            shape = {*self._design.allowed} if self._design.shape else set[int]()
            self._wanted, self._stroke = cell not in shape, shape
            self._paint(cell)
        else:
            self._gesture = object()
            self._selection.select([cell])
            self._wanted = not cells_of(self._design.given if self._on_clue else self._design.inside)[cell]
            if not self._change(cell):
                self._gesture = None

    def dragged(self, pointer: Pointer) -> None:
        """Apply the stroke's change to the cell under the mouse."""
        cell, _ = self._under(pointer)
        if cell is None:
            return
        if self._stroke is not None:
            self._paint(cell)
        elif self._gesture is not None:
            now = cells_of(self._design.given if self._on_clue else self._design.inside)[cell]
            if now != self._wanted:
                self._change(cell, quietly=True)

    def released(self, pointer: Pointer) -> None:
        """The gesture is over."""
        self._gesture = None
        if self._stroke is not None:
            stroke, self._stroke = self._stroke, None
            self._overlay.show_stroke(None)
            self.painted.emit(frozenset(stroke))

    def double_clicked(self, pointer: Pointer) -> None:
        """A second quick click is a click like the first."""
        self.pressed(pointer)

    def _paint(self, cell: int) -> None:
        assert self._stroke is not None
        (self._stroke.add if self._wanted else self._stroke.discard)(cell)
        self._overlay.show_stroke(self._stroke)

    def _change(self, cell: int, *, quietly: bool = False) -> bool:
        """Add or remove a clue, or move a cell to the other side; returns whether that was possible."""
        name = self._design.names_of([cell])[0]
        try:
            if self._on_clue:
                words = tr("Add clue {cell}", cell=name) if self._wanted else tr("Remove clue {cell}", cell=name)
                design = with_clues(self._design, {cell: self._wanted})
            else:
                words = tr("Move {cell} inside", cell=name) if self._wanted else tr("Move {cell} outside", cell=name)
                design = flipped(self._design, cell)
        except StudioError as problem:
            if not quietly:
                self.refused.emit(str(problem))
            return False
        self._document.edit(words, design, gesture=self._gesture)
        return True

    def flip(self) -> None:
        """Move the selected cells to the other side, one after another where possible."""
        cells = sorted(self._selection.cells)
        self._gesture, self._on_clue = object(), False
        changed = 0
        for cell in cells:
            self._wanted = not cells_of(self._design.inside)[cell]
            changed += self._change(cell, quietly=changed > 0 or len(cells) > 1)
        if cells and not changed and len(cells) > 1:
            self.refused.emit(tr("None of the selected cells can switch sides without breaking the loop."))
        self._gesture = None

    def toggle_clues(self) -> None:
        """Add the selected clues, or remove them if all are given."""
        cells = sorted(self._selection.cells)
        wanted = not all(cell in self._design.clues for cell in cells)
        if cells:
            clues = many(len(cells), "clue") if len(cells) > 1 else tr("clue {cell}", cell=self._selection.title)
            words = tr("Add {clues}", clues=clues) if wanted else tr("Remove {clues}", clues=clues)
            self._document.edit(words, with_clues(self._design, dict.fromkeys(cells, wanted)))

    def menu_asked(self, pointer: Pointer) -> None:
        """Select the cell that the menu is about."""
        cell, _ = self._under(pointer)
        if cell is not None and cell not in self._selection.cells:
            self._selection.select([cell])
        super().menu_asked(pointer)

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrows go to the next cell, with Shift adding it to the selection."""
        step = ARROWS.get(Qt.Key(event.key()))
        if step is None:
            return False
        chosen, layout = self._selection.cells, self._selection.shapes.design.parameters.layout
        cell = cell_spots(layout).beside(max(chosen), *step) if chosen else 0
        more = chosen if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else frozenset[int]()
        self._selection.select({cell, *more})
        return True

    def cancelled(self) -> bool:
        """Escape: cancel a stroke, or clear the selection."""
        had = bool(self._selection.cells) or self._stroke is not None
        if self._stroke is not None:
            self.give_up_stroke()
        else:
            self._selection.select()
        return had

    def give_up_stroke(self) -> None:
        """Drop the stroke under way and restore the shape."""
        self._stroke = None
        self._overlay.show_stroke(None)


def _thin(theme: Theme) -> QPen:
    return cosmetic(theme.accent, 1.5)


# The inspector: the puzzle as a whole, or the selected cells


NOTHING = "\N{EN DASH}"


class SlitherlinkInspector(FactsPanel):
    """A page for the puzzle and one for cells."""

    def __init__(self, selection: CellSelection) -> None:
        super().__init__()
        self._selection = selection
        self._checked: SlitherlinkChecked | None = None
        self.flip, self.clue, self.lock = push_button(""), push_button(""), push_button("")
        self.reset = push_button(tr("Reset"))
        self.new_clues, self.paint = push_button(tr("Regenerate clues")), push_button(tr("Paint shape"))
        self.picture, self.clear = push_button(tr("Shape from picture…")), push_button(tr("Clear shape"))
        self.paint.setCheckable(True)
        hint = tr(
            "Click a cell to move it inside or outside the loop; click a clue to add or remove it. Drag to change "
            "several."
        )
        shape = hint_label(tr("Keeps the loop within a shape; an Outline loop follows its edge."))
        below = heading(tr("Shape")), shape, self.paint, self.picture, self.clear
        self._puzzle = self.add(FactsPage(self.new_clues, hint=hint, below=below, spaces=EVEN))
        hint = tr("Arrow keys select the next cell; Shift+arrow keys add it.")
        self._cells = self.add(FactsPage(self.flip, self.clue, self.lock, self.reset, hint=hint, spaces=EVEN))
        selection.changed.connect(self.follow)
        self.follow()

    def show_view(self, title: str, hint: str, *, is_board: bool) -> None:
        """Show title and help of a view in which the loop is sought; the puzzle if the title is empty."""
        self._puzzle.hint.setVisible(is_board)
        self.show_help(title, hint)

    def show_checked(self, checked: SlitherlinkChecked | None) -> None:
        """Show the facts about the solutions; None until they are known."""
        self._checked = checked
        self.follow()

    def describe(self) -> FactsPage:
        """Show the selected cells, or the puzzle."""
        design, cells = self._selection.shapes.design, sorted(self._selection.cells)
        if not cells:
            self._puzzle.show_facts(tr("Puzzle"), puzzle_facts(design, self._checked))
            self.clear.setEnabled(bool(design.shape))
            return self._puzzle
        self._cells.show_facts(self._selection.title, cell_facts(design, cells))
        inside = {cells_of(design.inside)[cell] for cell in cells}
        self.flip.setText(
            tr("Move outside") if inside == {True} else tr("Move inside") if inside == {False} else tr("Switch sides")
        )
        self.clue.setText(
            plural(len(cells), "Remove clue", "Remove clues")
            if all(cell in design.clues for cell in cells)
            else plural(len(cells), "Add clue", "Add clues")
        )
        self.lock.setText(tr("Unlock") if all(is_locked(design, cell) for cell in cells) else tr("Lock"))
        self.reset.setEnabled(_are_edited(design, cells))
        return self._cells


def puzzle_facts(design: SlitherlinkDesign, checked: SlitherlinkChecked | None) -> dict[str, str]:
    """Return the facts about a puzzle; those about its solutions once it is checked."""
    p, given = design.parameters, len(design.clues)
    count, area, edges = p.net.outside, sum(cells_of(design.inside)), len(design.line)
    line, inside = many(edges, "edge"), many(area, "cell")
    around = tr("{edges} around {cells}, {ratio:.2f} per cell", edges=line, cells=inside, ratio=edges / area)
    return {
        tr("Solutions"): _solutions(checked),
        tr("Difficulty"): _difficulty(design, checked),
        tr("Cells"): p.description,
        tr("Loop"): around,
        tr("Clues"): tr("{given} of {count} ({share})", given=given, count=count, share=share(given / count)),
        tr("Edited"): f"{many(len(design.own_cells), 'cell')}, {many(len(design.own_clues), 'clue')}",
    }


def _solutions(checked: SlitherlinkChecked | None) -> str:
    if checked is None:
        return tr("Checking…")
    if checked.second is not None:
        return tr("Several; a second one is dashed")
    return tr("One, proven") if checked.is_proven else tr("Not proven")


def _difficulty(design: SlitherlinkDesign, checked: SlitherlinkChecked | None) -> str:
    """Return the grade, or a bound on it: the check stops at the requested grade, or at its own limits."""
    p, work = design.parameters, checked.work if checked is not None else None
    if work is None:
        return NOTHING
    if work.is_solved or (p.difficulty == FEWEST and p.net.outside <= MOST_CELLS):
        return work.title
    below = TRICKY if p.difficulty == FEWEST else p.difficulty
    return tr("Harder than {difficulty}", difficulty=DIFFICULTIES[below].lower())


def cell_facts(design: SlitherlinkDesign, cells: Collection[int]) -> dict[str, str]:
    """Return the facts about some cells."""
    inside = {cells_of(design.inside)[cell] for cell in cells}
    given = {cell in design.clues for cell in cells}
    clue = tr("Mixed") if len(given) > 1 else tr("Given") if True in given else tr("Hidden")
    if len(cells) == 1:
        clue = f"{design.counts[next(iter(cells))]}, {within(clue)}"
    is_held = all(is_locked(design, cell) for cell in cells)
    return {
        tr("Side"): tr("Mixed") if len(inside) > 1 else tr("Inside") if True in inside else tr("Outside"),
        tr("Clue"): clue,
        tr("Edited"): tr("Locked") if is_held else tr("Yes") if _are_edited(design, cells) else tr("No"),
    }


def _are_edited(design: SlitherlinkDesign, cells: Collection[int]) -> bool:
    return any(name in {*design.own_cells, *design.own_clues} for name in design.names_of(cells))
