"""The inspector of a slitherlink: the puzzle as a whole, or the selected cells."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel

from studio.base.amounts import many, share
from studio.base.texts import plural, tr, within
from studio.puzzles.slitherlink.checks import SlitherlinkChecked
from studio.puzzles.slitherlink.edits import is_locked
from studio.puzzles.slitherlink.model import DIFFICULTIES, FEWEST, TRICKY, cells_of
from studio.puzzles.slitherlink.steps import MOST_CELLS
from studio.ui.kinds.slitherlink.overlay import CellSelection
from studio.ui.widgets.controls import heading, hint_label, push_button, wrapping
from studio.ui.widgets.layout import REST, Item, Pages, SidePanel, column, holding, named, scrolled
from studio.ui.widgets.theme import GAP, MARGIN

FACTS = (tr("Solutions"), tr("Difficulty"), tr("Cells"), tr("Loop"), tr("Clues"), tr("Edited"))
NOTHING = "\N{EN DASH}"


class SlitherlinkInspector(SidePanel):
    """A page for the puzzle and one for cells; the selection chooses the page."""

    def __init__(self, selection: CellSelection) -> None:
        super().__init__()
        self._selection = selection
        self._checked: SlitherlinkChecked | None = None
        self._pages = Pages()
        scrolled(self._pages, self)
        self.flip, self.clue, self.lock = push_button(""), push_button(""), push_button("")
        self.reset = push_button(tr("Reset"))
        self.new_clues, self.paint = push_button(tr("Regenerate clues")), push_button(tr("Paint shape"))
        self.picture, self.clear = push_button(tr("Shape from picture…")), push_button(tr("Clear shape"))
        self.paint.setCheckable(True)
        self._title = heading()
        self.facts: dict[str, QLabel] = {name: wrapping() for name in FACTS}
        self._cell_facts: dict[str, QLabel] = {name: wrapping() for name in (tr("Side"), tr("Clue"), tr("Edited"))}
        self._pages.addWidget(holding(column(*self._puzzle_page(), REST, margins=MARGIN)))
        self._pages.addWidget(holding(column(*self._cell_page(), REST, margins=MARGIN)))
        self._view_title, self._view_hint = heading(), hint_label(" ")
        self._pages.addWidget(holding(column(self._view_title, self._view_hint, REST, margins=MARGIN)))
        selection.changed.connect(self.follow)

    def minimumSizeHint(self) -> QSize:
        """Size with enough width for the words and the buttons next to the scroll bar."""
        width = self._pages.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def _puzzle_page(self) -> list[Item]:
        self._hint = hint_label(
            tr(
                "Click a cell to move it inside or outside the loop; click a clue to add or remove it. Drag to "
                "change several."
            )
        )
        shape = hint_label(tr("Keeps the loop within a shape; an Outline loop follows its edge."))
        return [
            heading(tr("Puzzle")), named(self.facts, across=GAP, down=GAP), self.new_clues, self._hint,
            heading(tr("Shape")), shape, self.paint, self.picture, self.clear,
        ]  # fmt: skip

    def _cell_page(self) -> list[Item]:
        hint = hint_label(tr("Arrow keys select the next cell; Shift+arrow keys add it."))
        facts = named(self._cell_facts, across=GAP, down=GAP)
        return [self._title, facts, self.flip, self.clue, self.lock, self.reset, hint]

    def connect_to(self, **actions: Callable[[], object]) -> None:
        """Connect the buttons to their actions: flip, clue, lock, reset, new_clues, paint, picture and clear."""
        for name, action in actions.items():
            getattr(self, name).clicked.connect(lambda _on=False, action=action: action())

    def show_view(self, title: str, hint: str, *, is_board: bool) -> None:
        """Show title and help of a view in which the loop is sought; the puzzle if the title is empty."""
        self._view_title.setText(title)
        self._view_hint.setText(hint)
        self._hint.setVisible(is_board)
        self.follow()

    def show_checked(self, checked: SlitherlinkChecked | None) -> None:
        """Show the facts about the solutions; None until they are known."""
        self._checked = checked
        self.follow()

    def follow(self) -> None:
        """Show the present state of the selection; hide the puzzle while it is played or solved."""
        if self._view_title.text():
            self._pages.setCurrentIndex(2)
        elif self._selection.cells:
            self._show_cells()
        else:
            self._show_puzzle()

    def _show_puzzle(self) -> None:
        design = self._selection.shapes.design
        p = design.parameters
        count, area = p.net.outside, sum(cells_of(design.inside))
        self.facts[tr("Solutions")].setText(self._solutions)
        self.facts[tr("Difficulty")].setText(self._difficulty)
        self.facts[tr("Cells")].setText(p.description)
        ratio = len(design.line) / area
        self.facts[tr("Loop")].setText(
            tr(
                "{edges} around {cells}, {ratio:.2f} per cell",
                edges=many(len(design.line), "edge"),
                cells=many(area, "cell"),
                ratio=ratio,
            )
        )
        self.facts[tr("Clues")].setText(
            tr(
                "{given} of {count} ({share})",
                given=len(design.clues),
                count=count,
                share=share(len(design.clues) / count),
            )
        )
        own = [many(len(design.own_cells), "cell"), many(len(design.own_clues), "clue")]
        self.facts[tr("Edited")].setText(", ".join(own))
        self.clear.setEnabled(bool(design.shape))
        self._pages.setCurrentIndex(0)

    @property
    def _solutions(self) -> str:
        known = self._checked
        if known is None:
            return tr("Checking…")
        if known.second is not None:
            return tr("Several; a second one is dashed")
        return tr("One, proven") if known.is_proven else tr("Not proven")

    @property
    def _difficulty(self) -> str:
        """The grade, or a bound on it: the check stops at the requested grade, or at its own limits."""
        work = self._checked.work if self._checked is not None else None
        if work is None:
            return NOTHING
        p = self._selection.shapes.design.parameters
        if work.is_solved or (p.difficulty == FEWEST and p.net.outside <= MOST_CELLS):
            return work.title
        below = TRICKY if p.difficulty == FEWEST else p.difficulty
        return tr("Harder than {difficulty}", difficulty=DIFFICULTIES[below].lower())

    def _show_cells(self) -> None:
        design, cells = self._selection.shapes.design, sorted(self._selection.cells)
        inside = {cells_of(design.inside)[cell] for cell in cells}
        given = {cell in design.clues for cell in cells}
        own = [name for name in design.names_of(cells) if name in {*design.own_cells, *design.own_clues}]
        is_held = all(is_locked(design, cell) for cell in cells)
        alone = cells[0] if len(cells) == 1 else None
        self._title.setText(self._selection.title)
        self._cell_facts[tr("Side")].setText(
            tr("Mixed") if len(inside) > 1 else tr("Inside") if True in inside else tr("Outside")
        )
        words = tr("Mixed") if len(given) > 1 else tr("Given") if True in given else tr("Hidden")
        self._cell_facts[tr("Clue")].setText(words if alone is None else f"{design.counts[alone]}, {within(words)}")
        self._cell_facts[tr("Edited")].setText(tr("Locked") if is_held else tr("Yes") if own else tr("No"))
        self.flip.setText(
            tr("Move outside") if inside == {True} else tr("Move inside") if inside == {False} else tr("Switch sides")
        )
        self.clue.setText(
            plural(len(cells), "Remove clue", "Remove clues")
            if given == {True}
            else plural(len(cells), "Add clue", "Add clues")
        )
        self.lock.setText(tr("Unlock") if is_held else tr("Lock"))
        self.reset.setEnabled(bool(own))
        self._pages.setCurrentIndex(1)
