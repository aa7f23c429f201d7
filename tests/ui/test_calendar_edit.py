"""The calendar's editor in the window, by real mouse and key events: cells, labels, pieces, and how they stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from studio.puzzles.calendar import check_problems, edits
from studio.puzzles.calendar.edits import Side
from studio.puzzles.calendar.model import DAY, MONTH, Board, CalendarDesign, Piece
from studio.puzzles.calendar.set_search import form, named
from studio.ui.kinds.calendar.board_editor_parts import EditMode
from studio.ui.kinds.calendar.edit_view import DONE, HINT, WARNING, EditPage
from studio.ui.kinds.calendar.gallery import Chips
from studio.ui.kinds.calendar.piece_editor import DrawPad
from studio.ui.kinds.calendar.scene import SIDE
from studio.ui.widgets.theme import current_theme
from tests.ui.stage import staged
from tests.ui.test_calendar_view import CONTROL, NO_BUTTON, NO_KEY, SHIFT, CalendarStage

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
BLANK = CalendarDesign(board=Board(("....", "....")), pieces=(Piece("I4", ("####",)),))


class EditStage(CalendarStage):
    """A window that shows the editor."""

    def __init__(self, folder: Path, design: CalendarDesign | None = None) -> None:
        super().__init__(folder, design, view="edit")

    @property
    def page(self) -> EditPage:
        page = self.window.middle.shown
        assert isinstance(page, EditPage)
        return page

    @property
    def design(self) -> CalendarDesign:
        design = self.document.design
        assert isinstance(design, CalendarDesign)
        return design

    @property
    def steps(self) -> int:
        """Steps of undo."""
        return self.document.history.count()

    def undo(self) -> None:
        self.window.actions_["undo"].trigger()
        self.settle()

    def texts(self, group: str) -> list[str]:
        return [label.text for label in self.design.layout.groups.get(group, ())]

    # The board

    def place(self, row: int, column: int) -> QPoint:
        """Where the middle of a place of the grid is seen."""
        return self.page.editor.view.mapFromScene(QPointF((column + 0.5) * SIDE, (row + 0.5) * SIDE))

    def send(
        self,
        widget: QWidget,
        kind: QEvent.Type,
        place: QPoint,
        button: Qt.MouseButton,
        held: Qt.MouseButton,
        keys: Qt.KeyboardModifier,
    ) -> None:
        event = QMouseEvent(kind, QPointF(place), QPointF(widget.mapToGlobal(place)), button, held, keys)
        QApplication.sendEvent(widget, event)
        self.settle()

    def stroke(
        self, widget: QWidget, places: list[QPoint], button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY
    ) -> None:
        """Press at the first place, move through the others, and let go at the last."""
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        self.send(widget, QEvent.Type.MouseMove, places[0], NO_BUTTON, NO_BUTTON, keys)
        self.send(widget, QEvent.Type.MouseButtonPress, places[0], button, button, keys)
        for place in places[1:]:
            self.send(widget, QEvent.Type.MouseMove, place, NO_BUTTON, button, keys)
        self.send(widget, QEvent.Type.MouseButtonRelease, places[-1], button, NO_BUTTON, keys)

    def paint(
        self, *places: tuple[int, int], button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY
    ) -> None:
        """A stroke through places of the grid."""
        view = self.page.editor.view
        view.setFocus()
        self.stroke(view.viewport(), [self.place(*place) for place in places], button, keys)

    def click_cell(self, name: str) -> None:
        self.paint(self.design.layout.places[name])

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """A key to whatever has the focus."""
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key, keys)
        self.settle()

    def write(self, words: str) -> None:
        focused = QApplication.focusWidget()
        assert focused is not None
        for letter in words:
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(focused, QKeyEvent(kind, 0, NO_KEY, letter))
        self.settle()

    # The pieces

    def draw(self, *places: tuple[int, int], button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """A stroke through squares of the pad."""
        pad: DrawPad = self.page.pieces.pad
        self.stroke(pad, [pad.area(place).center().toPoint() for place in places], button, keys)

    def click_chip(self, chips: Chips, name: str) -> None:
        number = next(number for number, piece in enumerate(chips.pieces) if piece.name == name)
        chips.scrollTo(chips.index_of(number))
        self.stroke(chips.viewport(), [chips.visualRect(chips.index_of(number)).center()])

    def standing(self) -> list[tuple[str, str]]:
        return [(each.sign, each.words) for each in self.page.standing.shown]


stage = staged(EditStage)


@pytest.fixture
def blank(qapp: QApplication, tmp_path: Path) -> Iterator[EditStage]:
    """Two rows of four cells without labels."""
    made = EditStage(tmp_path, BLANK)
    yield made
    made.close()


def entry(menu: QMenu, *words: str) -> None:
    """Choose an entry of a menu, by way of its submenus."""
    for word in words:
        action = next(action for action in menu.actions() if action.text() == word)
        # Before PySide6 6.11.1 a submenu that `QAction.menu` gave goes with the last name for its action.
        below = [each for each in menu.findChildren(QMenu) if each.menuAction() == action]
        if below:
            menu = below[0]
        else:
            action.trigger()


# Cells


def test_a_click_beside_the_cells_makes_one_and_undo_takes_it_away(stage: EditStage) -> None:
    start = stage.design
    stage.paint((0, 6))
    assert len(stage.design.layout.names) == 44 and "G1" in stage.design.layout.indices
    assert stage.document.history.undoText() == "Add 1 cell"
    stage.undo()
    assert stage.design == start


def test_a_stroke_clears_a_run_of_cells_with_their_labels_as_one_step(stage: EditStage) -> None:
    start = stage.design
    stage.paint((0, 0), (0, 3))
    assert len(stage.design.layout.names) == 39 and stage.steps == 1
    assert stage.texts(MONTH) == ["May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    assert stage.document.history.undoText() == "Remove 4 cells"
    stage.undo()
    assert stage.design == start


@pytest.mark.parametrize(("button", "keys"), [(RIGHT, NO_KEY), (LEFT, SHIFT)])
def test_the_right_button_and_shift_clear_wherever_the_stroke_begins(
    stage: EditStage, button: Qt.MouseButton, keys: Qt.KeyboardModifier
) -> None:
    stage.paint((6, 3), (6, 1), button=button, keys=keys)
    assert stage.design.layout.rows[6] == ".######" and stage.steps == 1
    assert stage.texts(DAY)[-1] == "29"


def test_painting_above_and_left_of_the_board_moves_its_labels_along(stage: EditStage) -> None:
    stage.paint((1, -1), (-1, -1))
    board = stage.design.layout
    assert board.rows[0][0] == "." and len(board.rows) == 8 and len(board.rows[0]) == 8
    assert len(board.names) == 46 and board.on["B2"].text == "Jan"
    assert stage.page.editor.scene.tray.pos() == QPointF(0, 0), "the board begins at its place again"


def test_the_last_cell_cannot_be_cleared_and_why_is_told(blank: EditStage) -> None:
    blank.paint((0, 0), (0, 3), (1, 3), (1, 0))
    assert len(blank.design.layout.names) == 1 and blank.steps == 1
    assert blank.posted() == "A board needs at least one cell."


def test_escape_gives_a_stroke_up(stage: EditStage) -> None:
    start, view = stage.design, stage.page.editor.view
    port = view.viewport()
    view.setFocus()
    stage.send(port, QEvent.Type.MouseButtonPress, stage.place(0, 0), LEFT, LEFT, NO_KEY)
    stage.send(port, QEvent.Type.MouseMove, stage.place(3, 0), NO_BUTTON, LEFT, NO_KEY)
    assert len(stage.page.editor.scene.board.names) == 39, "it is shown while it is painted"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    stage.send(port, QEvent.Type.MouseButtonRelease, stage.place(3, 0), LEFT, NO_BUTTON, NO_KEY)
    assert stage.design == start and stage.steps == 0
    assert len(stage.page.editor.scene.board.names) == 43


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("side", "rows", "columns", "jan"),
    [(Side.TOP, 8, 7, "A2"), (Side.BOTTOM, 8, 7, "A1"), (Side.LEFT, 7, 8, "B1"), (Side.RIGHT, 7, 8, "A1")],
)
def test_the_handles_put_a_row_or_column_of_cells_to_a_side_and_take_it_away(
    stage: EditStage, side: Side, rows: int, columns: int, jan: str
) -> None:
    start = stage.design

    def click(adds: bool) -> None:
        editor = stage.page.editor
        handle = next(each for each in editor.handles if each.side is side and each.adds is adds)
        place = editor.view.mapFromScene(handle.pos()) + handle.middle.toPoint()
        assert editor.view.viewport().rect().contains(place), "it is in sight"
        stage.stroke(editor.view.viewport(), [place])

    click(adds=True)
    board = stage.design.layout
    assert board.mask.shape == (rows, columns) and board.on[jan].text == "Jan"
    line = {Side.TOP: board.mask[0], Side.BOTTOM: board.mask[-1], Side.LEFT: board.mask[:, 0]}
    assert line.get(side, board.mask[:, -1]).all(), "all of it are cells"
    click(adds=False)
    assert stage.design == start and stage.steps == 2


def test_the_form_says_that_a_board_changed_by_hand_is_the_makers_own(stage: EditStage) -> None:
    def said() -> list[str]:
        return [each.text() for each in stage.window.form.findChildren(QLabel) if "Custom" in each.text()]

    assert said() == []
    stage.stroke(stage.page.editor.view.viewport(), [stage.place(0, 0)])
    assert said() == ["Custom board; choosing another one replaces it."]
    stage.undo()
    assert said() == []


def test_start_from_brings_a_board_with_its_pieces(stage: EditStage) -> None:
    entry(stage.page.start.menu(), "With weekdays")
    assert len(stage.design.layout.names) == 50 and len(stage.design.set) == 10
    stage.undo()
    assert stage.design == CalendarDesign()


def test_an_empty_board_is_begun_with_and_its_labels_are_filled(stage: EditStage) -> None:
    entry(stage.page.start.menu(), "Empty board, 7 × 7")
    assert len(stage.design.layout.names) == 49 and not stage.design.layout.labels
    entry(stage.page.fill.menu(), "Months in", "Suomi")
    entry(stage.page.fill.menu(), "Days 1–31")
    board = stage.design.layout
    assert [board.on[name].text for name in board.names[:12]] == stage.texts(MONTH)
    assert [board.on[name].text for name in board.names[12:43]] == [str(day) for day in range(1, 32)]
    assert stage.standing()[1][0] == DONE and stage.steps == 3


def test_space_and_the_mouse_together_pan_and_change_nothing(stage: EditStage) -> None:
    view = stage.page.editor.view
    view.setFocus()
    before = view.mapToScene(QPoint(0, 0))
    QTest.keyPress(view, Qt.Key.Key_Space)
    stage.stroke(view.viewport(), [stage.place(2, 2), stage.place(4, 4)])
    QTest.keyRelease(view, Qt.Key.Key_Space)
    assert stage.steps == 0 and view.mapToScene(QPoint(0, 0)) != before


def test_a_board_cannot_grow_beyond_what_a_search_can_do(qapp: QApplication, tmp_path: Path) -> None:
    full = EditStage(tmp_path, CalendarDesign(board=Board(("." * 24,) * 24), pieces=(Piece("I1", ("#",)),)))
    full.page.editor.view.setFocus()
    full.key(Qt.Key.Key_Down, CONTROL)
    assert full.posted() == "A board can have at most 24 × 24 squares, not 25 × 24." and full.steps == 0
    full.close()


# Labels


def test_labels_are_typed_through_a_row(blank: EditStage) -> None:
    QTest.mouseClick(blank.page.modes[EditMode.LABELS], LEFT)
    blank.click_cell("A1")
    assert blank.page.editor.field.hasFocus()
    for number, words in enumerate(("Jan", "Feb", "Mär", "April")):
        blank.write(words)
        blank.key(Qt.Key.Key_Tab if number % 2 else Qt.Key.Key_Return)
    assert [(label.name, label.group, label.value, label.text) for label in blank.design.layout.labels] == [
        ("A1", MONTH, 1, "Jan"), ("B1", MONTH, 2, "Feb"), ("C1", MONTH, 3, "Mär"), ("D1", MONTH, 4, "April"),
    ]  # fmt: skip
    assert blank.steps == 4 and blank.extension.selection.cell == "A2", "and the next row is begun"
    blank.undo()
    assert "D1" not in blank.design.layout.on


def test_a_group_of_ones_own_and_the_number_of_a_label_are_chosen(blank: EditStage) -> None:
    blank.page.editor.view.setFocus()
    blank.key(Qt.Key.Key_L)
    blank.click_cell("A1")
    box = blank.page.group
    box.setFocus()
    written = box.lineEdit()
    assert written is not None
    written.selectAll()
    blank.write("season")
    blank.key(Qt.Key.Key_Return)
    assert blank.page.editor.field.hasFocus(), "then its label can be typed"
    blank.write("Spring")
    blank.key(Qt.Key.Key_Return)
    blank.write("Summer")
    blank.key(Qt.Key.Key_Return)
    assert [(label.name, label.value) for label in blank.design.layout.groups["season"]] == [("A1", 1), ("B1", 2)]
    blank.click_cell("B1")
    assert blank.page.value.value() == 2 and box.currentText() == "season"
    blank.page.value.setFocus()
    QTest.keyClick(blank.page.value, Qt.Key.Key_Up)
    assert blank.design.layout.on["B1"].value == 3 and blank.design.layout.on["B1"].text == "Summer"
    assert ("Missing labels of the group season: 2.") in blank.standing()[1][1]


def test_another_group_for_a_labelled_cell_is_an_edit(stage: EditStage) -> None:
    stage.page.editor.view.setFocus()
    stage.key(Qt.Key.Key_L)
    stage.click_cell("C7")
    stage.page.group.setFocus()
    stage.page.group.setCurrentIndex(2)
    stage.page.group.activated.emit(2)
    assert stage.design.layout.on["C7"].group == "weekday" and stage.design.layout.on["C7"].text == "31"


def test_escape_leaves_a_label_as_it_was_and_an_emptied_one_is_erased(stage: EditStage) -> None:
    stage.page.editor.view.setFocus()
    stage.key(Qt.Key.Key_L)
    stage.click_cell("A1")
    stage.write("Jänner")
    stage.key(Qt.Key.Key_Escape)
    assert stage.steps == 0 and stage.page.editor.view.hasFocus()
    stage.click_cell("A1")
    stage.key(Qt.Key.Key_Delete)
    stage.key(Qt.Key.Key_Return)
    assert "A1" not in stage.design.layout.on and stage.steps == 1
    assert stage.standing()[1] == (WARNING, "Missing months: Jan.")


def test_what_is_typed_is_kept_when_something_else_is_clicked(stage: EditStage) -> None:
    stage.page.editor.view.setFocus()
    stage.key(Qt.Key.Key_L)
    stage.click_cell("A1")
    stage.write("Jänner")
    stage.click_chip(stage.page.pieces.shelf, "U")
    assert stage.design.layout.on["A1"].text == "Jänner" and stage.steps == 1
    assert not stage.page.editor.field.isVisible()


def test_german_months_are_filled_in_place_and_onto_free_cells(stage: EditStage) -> None:
    cells = {label.value: label.name for label in stage.design.layout.groups[MONTH]}
    entry(stage.page.fill.menu(), "Months in", "Deutsch")
    words = ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"]
    assert stage.texts(MONTH) == words and stage.steps == 1
    assert {label.value: label.name for label in stage.design.layout.groups[MONTH]} == cells
    entry(stage.page.fill.menu(), "Weekdays in", "Deutsch")
    assert stage.posted() == "Too few free cells: the group weekday needs 7 more, but the board has only 0."
    assert stage.steps == 1


def test_the_eraser_takes_labels_and_leaves_cells(stage: EditStage) -> None:
    stage.page.editor.view.setFocus()
    stage.key(Qt.Key.Key_E)
    stage.paint((2, 0), (2, 6))
    assert stage.texts(DAY)[:2] == ["8", "9"] and len(stage.design.layout.names) == 43
    assert stage.document.history.undoText() == "Erase 7 labels" and stage.steps == 1
    assert stage.standing()[1] == (WARNING, "Missing days: 1 to 7.")


def test_labels_twice_are_signed_on_their_cells(stage: EditStage) -> None:
    stage.document.edit("Feb twice", edits.with_label(stage.design, "A1", MONTH, "Feb"))
    stage.settle()
    assert stage.standing()[1] == (WARNING, "Missing months: Jan. 2 cells are month 2: A1 and B1.")
    image = stage.page.editor.view.viewport().grab().toImage()
    ratio = image.devicePixelRatio()
    warning = current_theme().warning

    def amber(row: int, column: int) -> int:
        corner, side = stage.place(row, column), SIDE * stage.page.editor.view.zoom
        return sum(
            image.pixelColor(round((corner.x() + x) * ratio), round((corner.y() - y) * ratio)) == warning
            for x in range(round(side / 2))
            for y in range(round(side / 2))
        )

    assert amber(0, 0) > 0 and amber(0, 1) > 0 and amber(0, 2) == 0


# Pieces


def test_a_piece_is_drawn_and_changed(stage: EditStage) -> None:
    QTest.mouseClick(stage.page.pieces.new, LEFT)
    stage.draw((1, 1), (1, 3))
    assert len(stage.design.set) == 9 and stage.steps == 1
    drawn = stage.design.set[-1]
    assert drawn.rows == ("###",) and drawn.name == "I3" and stage.extension.selection.piece == 8
    stage.draw((2, 1))
    assert stage.design.set[-1].rows == ("###", "#..") and stage.steps == 2
    assert stage.design.set[-1].name == stage.page.pieces.name.text() == "L4", "its name follows its form"
    stage.draw((1, 2), (1, 3), keys=SHIFT)
    assert stage.design.set[-1].rows == ("#", "#")
    stage.undo()
    stage.undo()
    stage.undo()
    assert stage.design == CalendarDesign()


def test_a_piece_in_two_parts_is_told_at_once_and_may_stand(stage: EditStage) -> None:
    QTest.mouseClick(stage.page.pieces.new, LEFT)
    stage.draw((0, 0))
    stage.draw((3, 3))
    piece = stage.design.set[-1]
    words = f"Piece {piece.name} is in 2 parts; squares must join edge to edge."
    assert piece.area == 2 and stage.page.pieces.says.text() == words
    assert stage.page.pieces.shelf.has_fault(8)
    stage.window.pipeline.finish()
    assert words in [finding.message for finding in stage.window.findings.model.elements]


def test_escape_gives_a_drawing_up(stage: EditStage) -> None:
    QTest.mouseClick(stage.page.pieces.new, LEFT)
    pad = stage.page.pieces.pad
    place = pad.area((2, 2)).center().toPoint()
    stage.send(pad, QEvent.Type.MouseButtonPress, place, LEFT, LEFT, NO_KEY)
    assert len(stage.page.pieces.shelf.pieces) == 9, "it is shown while it is drawn"
    QTest.keyClick(pad, Qt.Key.Key_Escape)
    stage.send(pad, QEvent.Type.MouseButtonRelease, place, LEFT, NO_BUTTON, NO_KEY)
    assert stage.steps == 0 and not pad.squares and len(stage.page.pieces.shelf.pieces) == 8


def test_all_squares_of_a_piece_cannot_be_taken_away(stage: EditStage) -> None:
    stage.click_chip(stage.page.pieces.catalogue, "I1")
    square = next(iter(stage.page.pieces.pad.squares))
    stage.draw(square)
    assert stage.posted() == "A piece needs at least one square."
    assert stage.page.pieces.pad.squares == {square} and stage.steps == 1


def test_a_click_on_a_polyomino_adds_it(stage: EditStage) -> None:
    stage.click_chip(stage.page.pieces.catalogue, "W")
    added = stage.design.set[-1]
    assert added.name == "W" and form(added.mask) == form(named("W").mask) and stage.steps == 1
    assert stage.extension.selection.piece == 8
    assert stage.standing()[0] == (
        WARNING, "46 squares in 9 pieces; 41 needed (43 cells minus one month and one day): 5 over."
    )  # fmt: skip
    stage.click_chip(stage.page.pieces.catalogue, "W")
    assert stage.design.set[-1].name == "W 2", "a second one has a name of its own"


def test_a_piece_is_duplicated_renamed_recoloured_turned_flipped_and_removed(stage: EditStage) -> None:
    pieces = stage.page.pieces
    stage.click_chip(pieces.shelf, "L")
    rows = stage.design.set[1].rows
    QTest.mouseClick(pieces.copy, LEFT)
    assert stage.design.set[2].rows == rows and stage.extension.selection.piece == 2
    pieces.name.setFocus()
    pieces.name.selectAll()
    stage.write("Boot")
    stage.key(Qt.Key.Key_Return)
    assert stage.design.set[2].name == "Boot"
    swatches = pieces.swatches
    stage.stroke(swatches.viewport(), [swatches.visualRect(swatches.model().index(9, 0)).center()])
    assert stage.design.set[2].colour == 9
    QTest.mouseClick(pieces.turn, LEFT)
    turned = stage.design.set[2]
    assert (len(turned.rows), len(turned.rows[0])) == (len(rows[0]), len(rows))
    QTest.mouseClick(pieces.flip, LEFT)
    assert stage.design.set[2].rows == tuple(row[::-1] for row in turned.rows)
    QTest.mouseClick(pieces.remove, LEFT)
    assert stage.design == CalendarDesign() and stage.steps == 6
    for _ in range(6):
        stage.undo()
    assert stage.design == CalendarDesign()


def test_a_name_that_another_piece_has_is_refused(stage: EditStage) -> None:
    pieces = stage.page.pieces
    stage.click_chip(pieces.shelf, "L")
    pieces.name.setFocus()
    pieces.name.selectAll()
    stage.write("U")
    stage.key(Qt.Key.Key_Return)
    assert stage.posted() == "2 pieces are named U." and stage.steps == 0
    assert pieces.name.text() == "L"


def test_more_pieces_than_there_may_be_are_refused(qapp: QApplication, tmp_path: Path) -> None:
    many = EditStage(tmp_path, edits.with_pieces(BLANK, [Piece(f"p{number}", ("#",)) for number in range(64)]))
    many.click_chip(many.page.pieces.catalogue, "I2")
    assert many.posted() == "pieces must be at most 64, not 65." and many.steps == 0
    QTest.mouseClick(many.page.pieces.new, LEFT)
    many.draw((1, 1), (1, 2))
    assert many.steps == 0 and not many.page.pieces.pad.squares
    many.close()


def test_table_shelf_and_pad_show_one_selection(stage: EditStage) -> None:
    stage.click_chip(stage.page.pieces.shelf, "V")
    assert stage.extension.table.currentIndex().row() == stage.extension.selection.piece == stage.piece("V")
    stage.extension.table.selectRow(stage.piece("P"))
    stage.settle()
    assert stage.page.pieces.shelf.is_marked(stage.piece("P"))
    assert len(stage.page.pieces.pad.squares) == 5 and stage.page.pieces.name.text() == "P"


# How it stands


def test_a_puzzle_that_works_says_so(stage: EditStage) -> None:
    assert stage.wait_for(lambda: stage.standing()[2][0] == DONE, 60.0), stage.standing()
    assert stage.standing() == [
        (DONE, "41 squares in 8 pieces; 41 needed (43 cells minus one month and one day)."),
        (DONE, "12 months and 31 days, no gaps, no duplicates."),
        (DONE, "All 366 dates can be solved, with 24,405 solutions in total. "
               "Hardest: 6 Oct (7). Easiest: 25 Jan (216)."),
    ]  # fmt: skip


def test_an_edited_board_shows_its_findings_and_how_many_dates_are_left(stage: EditStage) -> None:
    stage.paint((0, 6))
    assert stage.standing()[0] == (
        WARNING, "41 squares in 8 pieces; 42 needed (44 cells minus one month and one day): 1 short."
    )  # fmt: skip
    assert stage.standing()[2] == (WARNING, "No date can be solved: the pieces are 1 square short.")
    stage.window.pipeline.finish()
    messages = [finding.message for finding in stage.window.findings.model.elements]
    assert "The pieces cover 41 squares; the board needs 42 (44 cells, 2 of them uncovered)." in messages
    stage.click_chip(stage.page.pieces.catalogue, "I1")
    assert stage.standing()[0][0] == DONE and stage.standing()[2][0] in (HINT, DONE, WARNING)
    assert stage.wait_for(lambda: " dates can be solved, with " in stage.standing()[2][1], 60.0), stage.standing()
    stage.undo()
    stage.undo()
    assert stage.standing()[0][0] == DONE


def test_a_board_without_labels_says_that_there_are_no_dates(blank: EditStage) -> None:
    assert blank.standing()[0] == (WARNING, "4 squares in 1 piece; 8 needed (8 cells): 4 short.")
    assert blank.standing()[1][0] == WARNING and blank.standing()[2][0] == HINT


# The keys alone


def test_a_board_and_a_piece_are_made_with_the_keys_alone(blank: EditStage) -> None:
    blank.page.editor.view.setFocus()
    blank.key(Qt.Key.Key_C)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Space):
        blank.key(key)
    assert blank.design.layout.rows == ("....", "....", ".###")
    blank.key(Qt.Key.Key_Up)
    blank.key(Qt.Key.Key_Return)
    assert blank.design.layout.rows == ("....", "#...", ".###")
    blank.key(Qt.Key.Key_Right, CONTROL)
    assert blank.design.layout.rows == (".....", "#....", ".###."), "a column more"
    blank.key(Qt.Key.Key_Right, CONTROL | SHIFT)
    blank.key(Qt.Key.Key_L)
    blank.key(Qt.Key.Key_Up)
    blank.key(Qt.Key.Key_Return)
    blank.write("Jan")
    blank.key(Qt.Key.Key_Return)
    blank.write("Feb")
    blank.key(Qt.Key.Key_Escape)
    assert blank.texts(MONTH) == ["Jan"], "what was given up is not kept"
    blank.key(Qt.Key.Key_Left)
    blank.key(Qt.Key.Key_Delete)
    assert blank.texts(MONTH) == []
    blank.key(Qt.Key.Key_N)
    assert blank.page.pieces.pad.hasFocus()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Space):
        blank.key(key)
    assert blank.design.set[-1].rows == ("##", ".#")
    blank.key(Qt.Key.Key_R)
    assert blank.design.set[-1].rows == (".#", "##")
    catalogue = blank.page.pieces.catalogue
    catalogue.setFocus()
    blank.key(Qt.Key.Key_Right)
    blank.key(Qt.Key.Key_Return)
    assert blank.design.set[-1].name == "I2"
    blank.key(Qt.Key.Key_Delete)
    assert len(blank.design.set) == 2
    count = blank.steps
    for _ in range(count):
        blank.key(Qt.Key.Key_Z, CONTROL)
    assert blank.design == BLANK


def test_a_finding_rings_its_cells_in_the_editor_and_leaves_it_in_sight(stage: EditStage) -> None:
    found = check_problems.ONE_UNSOLVED.finding((0.0, 0.0), cells=("A1", "C3"), date="date")
    stage.window.extension.show_finding(found)
    assert len(stage.page.editor.scene.faults) == 2
    rings = [mark.sceneBoundingRect().center() for mark in stage.page.editor.scene.faults]
    for ring, (row, column) in zip(rings, ((0, 0), (2, 2)), strict=True):
        assert (ring.x(), ring.y()) == pytest.approx(((column + 0.5) * SIDE, (row + 0.5) * SIDE), abs=1.0)
