"""The inspector of a slitherlink: the puzzle as a whole, or the selected cells."""

from __future__ import annotations

from collections.abc import Collection

from studio.base.amounts import many, share
from studio.base.texts import plural, tr, within
from studio.puzzles.slitherlink.checks import SlitherlinkChecked
from studio.puzzles.slitherlink.edits import is_locked
from studio.puzzles.slitherlink.model import DIFFICULTIES, FEWEST, TRICKY, SlitherlinkDesign, cells_of
from studio.puzzles.slitherlink.steps import MOST_CELLS
from studio.ui.kinds.slitherlink.tool import CellSelection
from studio.ui.panels.inspector_pages import EVEN, FactsPage, FactsPanel
from studio.ui.widgets.controls import heading, hint_label, push_button

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
