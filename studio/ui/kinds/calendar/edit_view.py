"""The view that edits board and pieces, and shows at once whether they match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QSpinBox, QToolButton

from studio.base.amounts import listed, many, share
from studio.base.texts import tr, within
from studio.puzzles.calendar.checks import balance, label_troubles, piece_trouble, plural, summary
from studio.puzzles.calendar.edits import (
    ENGLISH,
    Side,
    languages,
    with_board,
    with_board_cropped,
    with_empty_board,
    with_labels_filled,
)
from studio.puzzles.calendar.model import (
    BOARDS,
    CELL,
    DAY,
    LARGEST_VALUE,
    LONGEST_SIDE,
    MONTH,
    WEEKDAY,
    CalendarDesign,
    noun_of,
)
from studio.ui.kinds.calendar.board_editor import BoardEditor
from studio.ui.kinds.calendar.board_editor_parts import ADDING, REMOVING, EditMode
from studio.ui.kinds.calendar.piece_editor import PieceEditor
from studio.ui.kinds.calendar.views import BaseCalendarExtension, CanvasPage, Counting, LabelBox
from studio.ui.session.actions import Command
from studio.ui.widgets.controls import ElidedLabel, Strip, control_height, large_button, push_button
from studio.ui.widgets.layout import REST, column, grid, labelled, row
from studio.ui.widgets.theme import GAP, MARGIN, Sign

SIGN = QSize(16, 16)
DONE, WARNING, HINT = "done", "warning", "hint"
SIGNS = {DONE: tr("OK"), WARNING: tr("Needs fixing"), HINT: tr("Not checked yet")}
"""The icons and their texts."""


@dataclass(frozen=True)
class Standing:
    """One sentence and the icon of its sign."""

    sign: str
    words: str


def of_areas(design: CalendarDesign) -> Standing:
    """Balance of the areas, or, if they match, the pieces that cannot be cut."""
    troubles = [words for words in map(piece_trouble, design.set) if words]
    fits = design.area == design.layout.covered
    if fits and troubles:
        return Standing(WARNING, " ".join(troubles))
    return Standing(DONE if fits else WARNING, balance(design))


def of_labels(design: CalendarDesign) -> Standing:
    """Gaps and duplicates among the labels."""
    troubles = label_troubles(design.layout)
    if troubles:
        return Standing(WARNING, " ".join(troubles))
    there = listed(f"{len(labels)} {plural(group)}" for group, labels in design.layout.groups.items())
    return Standing(DONE, tr("{labels}, no gaps, no duplicates.", labels=there))


def of_year(design: CalendarDesign, counting: Counting) -> Standing:
    """The number of dates that can be solved, once it is known."""
    if not design.layout.groups:
        return Standing(HINT, tr("Without labels there is nothing to solve."))
    if design.area != design.layout.covered:
        lacking = design.layout.covered - design.area
        date, squares = noun_of(design.layout.groups).one, many(abs(lacking), "square")
        return Standing(
            WARNING,
            tr("No {date} can be solved: the pieces are {squares} short.", date=date, squares=squares)
            if lacking > 0
            else tr("No {date} can be solved: the pieces are {squares} over.", date=date, squares=squares),
        )
    if counting.problem:
        return Standing(HINT, counting.problem)
    year = counting.answer
    if year is None or counting.question is None or counting.question.design.layout != design.layout:
        date = noun_of(design.layout.groups).one
        return Standing(HINT, tr("Counting solutions of every {date}… {share}", date=date, share=share(counting.share)))
    is_well = year.complete and year.least > 0
    return Standing(DONE if is_well else WARNING, summary(design.layout, year))


class StandingBar(Strip):
    """Three lines, each with its sign; the third follows as soon as the year is counted."""

    def __init__(self, counting: Counting) -> None:
        super().__init__()
        self._counting = counting
        self._design: CalendarDesign | None = None
        self._plain: list[Standing] = []
        self.signs = [Sign() for _ in range(3)]
        self.lines = [ElidedLabel() for _ in range(3)]
        self.shown: list[Standing] = []
        """The lines shown; tests read them."""
        for sign in self.signs:
            sign.setFixedSize(SIGN)
        made = grid(*zip(self.signs, self.lines, strict=True), down=GAP // 2)
        made.setContentsMargins(MARGIN, GAP, MARGIN, GAP)
        self.setLayout(made)
        counting.changed.connect(self.follow)
        counting.watch_in(self)

    def show_design(self, design: CalendarDesign) -> None:
        """Show the status of another design."""
        if design != self._design or not self._plain:
            self._design, self._plain = design, [of_areas(design), of_labels(design)]
        self.follow()

    def follow(self) -> None:
        """Show the current status."""
        design = self._design
        if design is None or not self.isVisible():
            return
        self.shown = [*self._plain, of_year(design, self._counting)]
        for sign, line, known in zip(self.signs, self.lines, self.shown, strict=True):
            sign.name = known.sign
            sign.setAccessibleName(SIGNS[known.sign])
            sign.setToolTip(SIGNS[known.sign])
            line.setText(known.words)
            line.setAccessibleName(f"{SIGNS[known.sign]}: {known.words}")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.follow()


MODES = {EditMode.CELLS: ("cells", "C"), EditMode.LABELS: ("label", "L"), EditMode.ERASER: ("erase", "E")}
"""The icon and the key of every mode."""
TIPS = {
    EditMode.CELLS: tr("Drag to paint cells; Shift+drag, right-drag or starting on a cell erases"),
    EditMode.LABELS: tr("Edit labels: click a cell, Enter goes to the next"),
    EditMode.ERASER: tr("Erase labels"),
}
GROUPS = {MONTH: tr("Months"), DAY: tr("Days"), WEEKDAY: tr("Weekdays")}
ARROW = {Side.TOP: "Up", Side.BOTTOM: "Down", Side.LEFT: "Left", Side.RIGHT: "Right"}
GROUP_WIDTH = 116
EMPTY = 7
"""Rows and columns of an empty board."""


class EditPage(CanvasPage):
    """The board at the left, the pieces at the right, and their status below."""

    name = "edit"
    title = tr("Edit")
    hint = tr(
        "Drag to paint cells, Shift+drag or right-drag to erase. L edits labels; Enter and Tab go to the next cell. "
        "Keyboard: arrow keys move, Space or Enter acts. Draw a piece on the right or click one to add it."
    )

    piece_hint = tr(
        "Drag on the grid to change its squares. R rotates and F flips it, Ctrl+D duplicates it, Del removes it."
    )
    cell_hint = tr("L then Enter edits the label, Del erases it, C then Space removes the cell.")

    edits = True
    marks = True

    def __init__(self, desk: BaseCalendarExtension) -> None:
        super().__init__(desk)
        self.editor = BoardEditor(desk, self)
        self.pieces = PieceEditor(desk)
        self.standing = StandingBar(desk.counting)
        self.view, self.tool = self.editor.view, self.editor
        self.modes: dict[EditMode, QToolButton] = {}
        self.group, self._written, self.value = LabelBox(), QLineEdit(), QSpinBox()
        tip = tr("Put all labels of a group on free cells, or translate existing ones")
        self.fill = push_button(tr("Fill in labels"), tip)
        self.start = push_button(tr("Start from"), tr("Start from a built-in board and its pieces"))
        self.crop = large_button(tr("Crop the board: remove empty rows and columns around it"), "crop")
        self._lay_out()
        fill = QMenu(self)
        for group, words in ((MONTH, tr("Months in")), (WEEKDAY, tr("Weekdays in"))):
            menu = fill.addMenu(words)
            for key, language in languages().items():
                menu.addAction(language.title, partial(self.fill_labels, group, key))
        fill.addAction(tr("Days 1–31"), partial(self.fill_labels, DAY, ENGLISH))
        self.fill.setMenu(fill)
        start = QMenu(self)
        for name, title in BOARDS.items():
            words = tr("Start from {board}", board=title)
            start.addAction(title, partial(desk.edit, words, with_board, name))
        start.addSeparator()
        empty = partial(desk.edit, tr("Start from an empty board"), with_empty_board, EMPTY, EMPTY)
        start.addAction(tr("Empty board, {size} × {size}", size=EMPTY), empty)
        self.start.setMenu(start)
        self.commands = self._commands()
        self.setFocusProxy(self.editor.view)
        self.editor.changed.connect(self._follow)
        desk.selection.changed.connect(self._follow)
        self.group.activated.connect(self._choose_group)
        self._written.returnPressed.connect(self._choose_group)
        self.value.valueChanged.connect(self.editor.field.choose_value)
        self.crop.clicked.connect(self._crop)

    def _commands(self) -> list[Command]:
        modes = [
            Command(f"hand_{mode.name.lower()}", mode.value, "&Board", partial(self.editor.take, mode), (key,), name,
                    TIPS[mode], on_canvas=True)
            for mode, (name, key) in MODES.items()
        ]  # fmt: skip
        sides = []
        for side in Side:
            sides += [
                Command(f"add_{side.value}", ADDING[side], "&Board",
                        partial(self.editor.change_side, side, adds=True), (f"Ctrl+{ARROW[side]}",), on_canvas=True),
                Command(f"cut_{side.value}", REMOVING[side], "&Board",
                        partial(self.editor.change_side, side, adds=False), (f"Ctrl+Shift+{ARROW[side]}",),
                        on_canvas=True),
            ]  # fmt: skip
        pieces = self.pieces
        return [
            *modes, *sides,
            Command("crop", tr("Crop board"), "&Board", self._crop, (), "crop", begins=True),
            Command("new_piece", tr("Draw new piece"), "&Piece", pieces.begin_new, ("N",), "add", on_canvas=True,
                    begins=True),
            Command("turn_form", tr("Rotate piece"), "&Piece", pieces.turn_form, ("R",), "turn", on_canvas=True,
                    needs=tr("Select a piece")),
            Command("flip_form", tr("Flip piece"), "&Piece", pieces.flip_form, ("F",), "turn-over",
                    on_canvas=True, needs=tr("Select a piece")),
            Command("copy_piece", tr("Duplicate piece"), "&Piece", pieces.duplicate, ("Ctrl+D",), "copy",
                    on_canvas=True, needs=tr("Select a piece")),
            Command("remove", tr("Remove"), "&Piece", self._remove, ("Del",), "remove",
                    tr("Remove the selected piece, or the label of the selected cell"), on_canvas=True,
                    needs=tr("Select a piece or label")),
        ]  # fmt: skip

    def _lay_out(self) -> None:
        for mode, (name, key) in MODES.items():
            button = self.modes[mode] = large_button(f"{TIPS[mode]} ({key})", name)
            button.setAccessibleName(mode.value)
            button.setCheckable(True)
            button.clicked.connect(lambda _checked=False, mode=mode: self.editor.take(mode))
        self.group.setLineEdit(self._written)
        self.group.setInsertPolicy(LabelBox.InsertPolicy.NoInsert)
        self.group.setAccessibleName(tr("Label group"))
        self.group.setToolTip(tr("Group of the labels you type; type a name for a custom group"))
        self.group.setFixedWidth(GROUP_WIDTH)
        self.value.setRange(1, LONGEST_SIDE**2)
        self.value.setKeyboardTracking(False)
        self.value.setAccessibleName(tr("Label number"))
        self.value.setToolTip(tr("Number of the label in its group; January and Monday are 1"))
        for control in (self.fill, self.start, self.group, self.value):
            control.setFixedHeight(control_height())
        self._labelling = (*labelled(tr("Group"), self.group), *labelled(tr("Number"), self.value))
        above = row(
            *self.modes.values(), self.crop, GAP, *self._labelling, REST, self.fill, self.start,
            gap=GAP // 2, margins=(MARGIN, GAP // 2, MARGIN, GAP // 2),
        )  # fmt: skip
        middle = row((self.editor.view, 1), self.pieces, gap=0)
        column(above, (middle, 1), self.standing, of=self, gap=0)

    # Called by the window

    @property
    def status_text(self) -> str:
        """The place that the keys act on."""
        cell = self.desk.selection.cell
        label = self.design.layout.on.get(cell or "")
        if cell is None or cell not in self.design.layout.indices:
            return ""
        if label is None:
            return tr("Cell {cell}", cell=cell)
        return tr("Cell {cell}: {label}", cell=cell, label=f"{label.text}, {label.group} {label.value}")

    def possible(self) -> dict[str, bool]:
        """Pieces must be selected to be turned, cells to have their label removed."""
        there = self.pieces.piece is not None
        known = dict.fromkeys(("turn_form", "flip_form", "copy_piece"), there)
        return known | {"remove": there or self.editor.field.label is not None}

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Follow the design."""
        self.editor.show_design(design, settled=settled)
        self.pieces.show_design(design, settled=settled)
        self.standing.show_design(design)
        if settled:
            self._follow()

    def mark(self, names: Sequence[str]) -> None:
        """Ring the cells that a finding is about, until the board is another."""
        self.editor.scene.show_faults(names)

    # Actions

    def fill_labels(self, group: str, language: str) -> None:
        """Put all labels of a group on the board, in a language."""
        labels, tongue = within(GROUPS[group]), languages()[language].title
        title = (
            tr("Fill in {labels}", labels=labels)
            if group == DAY
            else tr("Fill in {labels} in {language}", labels=labels, language=tongue)
        )
        self.desk.edit(title, with_labels_filled, group, language)

    def _crop(self) -> None:
        self.desk.edit(tr("Crop board"), with_board_cropped)

    def _remove(self) -> None:
        if self.pieces.piece is not None:
            self.pieces.take_away()
        else:
            self.editor.erase()

    def _choose_group(self) -> None:
        words = self.group.currentText().strip()
        known = {title: group for group, title in GROUPS.items()}
        if words:
            self.editor.field.choose_group(known.get(words, words))
        self._follow()

    # Display

    def _follow(self) -> None:
        """Show the mode, and the group and number of the selected or next label."""
        editor, design = self.editor, self.design
        for mode, button in self.modes.items():
            button.setChecked(mode is editor.mode)
        for widget in self._labelling:
            widget.setVisible(editor.mode is EditMode.LABELS)
        own = [group for group in design.layout.groups if group not in GROUPS]
        titles = [*GROUPS.values(), *own]
        if editor.field.group not in GROUPS and editor.field.group not in own:
            titles.append(editor.field.group)
        if [self.group.itemText(row) for row in range(self.group.count())] != titles:
            self.group.clear()
            self.group.addItems(titles)
        self.group.setCurrentIndex(titles.index(GROUPS.get(editor.field.shown_group, editor.field.shown_group)))
        with QSignalBlocker(self.value):
            self.value.setMaximum(LARGEST_VALUE.get(editor.field.shown_group, LONGEST_SIDE**2))
            self.value.setValue(editor.field.value)
        rows, columns = self.design.layout.rows, tuple(zip(*self.design.layout.rows, strict=True))
        self.crop.setEnabled(not all(CELL in line for line in (rows[0], rows[-1], columns[0], columns[-1])))
