"""The calendar puzzle in the window, by real mouse and key events: dates, solutions, the search, and a game."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QToolButton, QWidget

from studio.base.progress import SILENT, Progress
from studio.files import store
from studio.geometry.curves.strokes import Floats
from studio.puzzles.calendar import check_problems
from studio.puzzles.calendar.edits import with_label
from studio.puzzles.calendar.game import placed_text
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import PALETTE, TITLES, Board, CalendarDesign, CalendarParameters, Label, Piece, bits
from studio.puzzles.calendar.questions import remember
from studio.puzzles.calendar.solve import completed, solutions, steps, twins
from studio.puzzles.calendar.year import Year, year
from studio.ui.canvas.view import CanvasView
from studio.ui.kinds.calendar import views
from studio.ui.kinds.calendar.extension import CalendarExtension, SpacePage
from studio.ui.kinds.calendar.play import PlayPage, dock
from studio.ui.kinds.calendar.scene import INK, SIDE, PieceState, heart, path_of, tint
from studio.ui.kinds.calendar.solutions import SolutionsPage
from studio.ui.kinds.calendar.views import ChosenDate
from studio.ui.session.preferences import ThemeChoice
from studio.ui.solid.page import SolidsPage
from studio.ui.widgets.theme import contrast, dark_theme, light_theme
from tests.puzzles.calendar.test_real_year import SMALL
from tests.ui.stage import KindStage, paint_solids, staged

NO_BUTTON, LEFT = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
NO_KEY, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier,
)  # fmt: skip
UNFLIPPED = CalendarDesign(CalendarParameters(reflections=False))
PROTAN = np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]])
DEUTAN = np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]])
"""How linear RGB looks without red or green receptors (Machado, Oliveira and Fernandes 2009)."""
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: QColor, seen: Floats) -> Floats:
    """A colour in CIELAB (1976, D65), as some eyes see it."""
    rgb = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    x, y, z = XYZ @ np.clip(seen @ linear, 0, 1) / [0.9505, 1.0, 1.089]
    bent = [np.cbrt(each) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z)]
    return np.array([116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])])


@cache
def new_year() -> Year:
    """The counts of a new puzzle."""
    return year(CalendarDesign(), SILENT)


def counted_before() -> CalendarDesign:
    """A new puzzle whose year is on disk already: counting it takes as long as opening the window."""
    remember(CalendarDesign(), new_year())
    return CalendarDesign()


class CalendarStage(KindStage):
    """One window on a calendar puzzle, shown and checked."""

    def __init__(self, folder: Path, design: CalendarDesign | None = None, *, view: str = "") -> None:
        super().__init__(folder, CALENDAR, design or counted_before(), view=view)

    @property
    def extension(self) -> CalendarExtension:
        assert isinstance(self.window.extension, CalendarExtension)
        return self.window.extension

    @property
    def board(self) -> SolutionsPage:
        return cast(SolutionsPage, self.extension.pages[0])

    @property
    def play(self) -> PlayPage:
        return cast(PlayPage, self.extension.pages[1])

    @property
    def view(self) -> CanvasView:
        """The view that is in sight."""
        shown = self.board if self.board.isVisible() else self.play
        return shown.view

    @property
    def target(self) -> QWidget:
        return self.view.viewport()

    def choose(self, group: str, text: str, box: QComboBox | None = None) -> None:
        """Choose a label in its list by the keyboard."""
        box = box or self.board.date_bar.boxes[group]
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Home)
        while box.currentText() != text:
            before = box.currentIndex()
            QTest.keyClick(box, Qt.Key.Key_Down)
            assert box.currentIndex() != before, f"{text} is not in the list"
        self.settle()

    def solved(self) -> None:
        """Wait until the date is solved."""
        assert self.wait_for(lambda: self.extension.answers.answer is not None)

    def show_date(self, text: str) -> None:
        """Have a date solved."""
        self.extension.show_date(text)
        self.settle()
        self.solved()

    def sixth_of_october(self) -> None:
        self.show_date("10-06")

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """A key on the board, shortcuts and all."""
        self.view.setFocus()
        QTest.keyClick(self.view, key, keys)
        self.settle()

    def cell(self, name: str) -> QPoint:
        """Where the middle of a cell is seen."""
        board = self.board.scene.board
        row, column = np.argwhere(board.mask)[board.indices[name]].tolist()
        return self.at(row + 0.5, column + 0.5)

    def at(self, row: float, column: float) -> QPoint:
        """Where a place of the board, in cells, is seen."""
        return self.view.mapFromScene(QPointF(column * SIDE, row * SIDE))

    def square(self, piece: int, row: int, column: int) -> QPoint:
        """Where a square of a piece is seen in the game."""
        item = self.play.scene.items_[piece]
        return self.view.mapFromScene(item.mapToScene((column + 0.5) * SIDE, (row + 0.5) * SIDE))

    def piece(self, name: str) -> int:
        design = self.document.design
        assert isinstance(design, CalendarDesign)
        return [piece.name for piece in design.set].index(name)

    def shown(self) -> int:
        """The cells that are covered in the view of the board, each once."""
        scene, cells = self.board.scene, 0
        for item in scene.items_:
            if item.isVisible():
                own = bits(scene.board, item.mask, round(item.y() / SIDE), round(item.x() / SIDE))
                assert own and not own & cells
                cells |= own
        return cells


stage = staged(CalendarStage)


def game_of_october(folder: Path) -> CalendarStage:
    """The game of 6 October in sight."""
    stage = CalendarStage(folder, view="play")
    stage.sixth_of_october()
    return stage


game = staged(game_of_october)


# Dates


def test_a_new_window_shows_a_solution_of_today(stage: CalendarStage) -> None:
    today = date.today()
    assert stage.extension.date.labels["month"].value == today.month
    assert stage.extension.date.labels["day"].value == today.day
    stage.solved()
    everything = (1 << len(stage.board.scene.board.names)) - 1
    for name in stage.extension.date.open_cells:
        everything &= ~(1 << stage.board.scene.board.indices[name])
    assert stage.shown() == everything


def test_6_october_has_seven_solutions_and_the_keys_go_through_them(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    assert stage.board.result.text().startswith("7 solutions for 6 Oct (")
    seen = []
    for number in range(7):
        assert stage.board.browser.place.text() == f"{number + 1} of 7"
        seen.append(tuple((item.pos().x(), item.pos().y(), item.mask.tobytes()) for item in stage.board.scene.items_))
        stage.key(Qt.Key.Key_N)
    assert len(set(seen)) == 7
    assert stage.board.browser.place.text() == "1 of 7", "after the last comes the first"
    stage.key(Qt.Key.Key_N, SHIFT)
    assert stage.board.browser.slider.value() == 6
    stage.key(Qt.Key.Key_Left)
    assert stage.board.browser.slider.value() == 5
    assert stage.window.extension.status_text == "Solution 6 of 7 for 6 Oct"


def test_the_first_cell_that_differs_from_the_solution_before_is_ringed(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    scene, answer = stage.board.scene, stage.extension.answers.answer
    assert answer is not None and not scene.mark.isVisible()
    places = np.argwhere(scene.board.mask)
    for number in range(1, 7):
        stage.key(Qt.Key.Key_Right)
        before, now = answer.solutions.found[number - 1 : number + 1].tolist()
        first = next(cell for cell, (one, other) in enumerate(zip(before, now, strict=True)) if one != other)
        assert scene.mark.isVisible()
        assert (scene.mark.y() / SIDE, scene.mark.x() / SIDE) == tuple(places[first])


def test_a_twin_is_told_with_the_number_of_the_solution_that_it_is_a_twin_of(stage: CalendarStage) -> None:
    stage.show_date("11-05")
    found = stage.extension.answers.answer
    assert found is not None and len(found) == 178
    assert stage.wait_for(lambda: not stage.window.jobs.is_busy(views.TWINNING))
    known = twins(stage.board.scene.board, found.solutions.found)
    twin = next(number for number in range(178) if known[number] != number)
    stage.board.browser.slider.setValue(twin)
    assert stage.board.browser.remark.text().startswith(f"Variant of solution {known[twin] + 1}: one region rotated or")
    alone = next(number for number in range(1, 178) if known[number] == number)
    stage.board.browser.slider.setValue(alone)
    assert "ariant" not in stage.board.browser.remark.text()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rows", [("...", "..."), (".",), ("." * 24,) * 24])
def test_solutions_of_a_board_never_lie_on_another(
    stage: CalendarStage, monkeypatch: pytest.MonkeyPatch, rows: tuple[str, ...]
) -> None:
    problems: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *problem: problems.append(problem))
    stage.solved()
    stage.key(Qt.Key.Key_N)
    other = CalendarDesign(board=Board(rows), pieces=CalendarDesign().set)
    stage.document.edit("Another board", other)
    stage.window.pipeline.finish()
    stage.settle()
    assert stage.board.scene.board == other.layout and stage.shown() == 0 and not stage.board.scene.mark.isVisible()
    stage.solved()
    assert stage.board.result.text().startswith("No solution for the whole board: the pieces have 41 squares for ")
    assert not problems


@pytest.mark.thorough
def test_another_built_in_board_shows_its_own_solution(stage: CalendarStage, monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *problem: problems.append(problem))
    stage.solved()
    for name in ("dice", "heart", "article"):
        stage.document.edit(name, CalendarDesign(CalendarParameters(board=name)))
        stage.window.pipeline.finish()
        stage.solved()
        assert stage.shown().bit_count() == CalendarDesign(CalendarParameters(board=name)).area
    assert not problems


def test_another_text_on_a_label_is_told_and_leaves_the_solution_in_sight(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    stage.key(Qt.Key.Key_N)
    october = next(label.name for label in stage.board.scene.board.labels if label.text == "Oct")
    stage.document.edit("Another text", with_label(stage.document.design, october, "month", "Okt"))
    stage.window.pipeline.finish()
    stage.settle()
    assert stage.board.result.text().startswith("7 solutions for 6 Okt (")
    assert stage.board.browser.place.text() == "2 of 7"


def test_29_february_is_offered_and_30_is_not(stage: CalendarStage) -> None:
    stage.choose("month", "Jan")
    stage.choose("day", "30")
    stage.choose("month", "Feb")
    box = stage.board.date_bar.boxes["day"]
    assert [box.itemText(row) for row in range(box.count())] == [str(day) for day in range(1, 30)]
    assert box.currentText() == "29", "the month's last day stands in for one that it does not have"
    stage.choose("month", "Apr")
    assert box.count() == 30
    stage.solved()
    assert stage.extension.date.date_text == "29 Apr"


def test_a_click_on_a_cell_that_nothing_covers_chooses_its_label(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    stage.key(Qt.Key.Key_S)
    stage.key(Qt.Key.Key_S)
    stage.click(stage.cell("C7"))
    assert stage.extension.date.date_text == "31 Oct"
    assert stage.extension.selection.cell == "C7"
    assert stage.extension.panel.shown.facts == {"Label": "31", "Group": "day", "Number": "31"}


def test_a_double_click_on_a_piece_chooses_the_label_below_it(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    stage.double_click(stage.cell("A1"))
    assert stage.extension.date.date_text == "6 Jan"
    stage.solved()
    assert len(stage.extension.answers.answer or ()) > 7


def test_a_day_that_the_month_does_not_have_is_refused_in_a_sentence(stage: CalendarStage) -> None:
    stage.show_date("02-05")
    stage.double_click(stage.cell("B7"))
    assert stage.posted() == "30 Feb does not exist."
    assert stage.extension.date.date_text == "5 Feb"


def test_in_a_real_year_the_weekday_follows_the_date_and_another_one_is_refused(
    qapp: QApplication, tmp_path: Path
) -> None:
    stage = CalendarStage(tmp_path, SMALL)
    stage.choose("day", "2")
    stage.choose("month", "Jan")
    boxes = stage.board.date_bar.boxes
    assert stage.extension.date.date_text == "Fri 2 Jan" and boxes["weekday"].count() == 1
    stage.choose("day", "1")
    stage.solved()
    assert stage.extension.date.date_text == "Thu 1 Jan"
    stage.extension.pages[0].choose_cell("D2")
    assert stage.posted() == "1 Jan 2026 is a Thursday."
    stage.window.show_view("play")
    stage.settle()
    stage.document.edit("Set year", replace(SMALL, parameters=CalendarParameters(year=2027)))
    stage.settle()
    assert stage.extension.date.date_text == "Fri 1 Jan" and stage.extension.games.target == ("A1", "C1", "C2")
    stage.document.edit("Set year", SMALL.in_any_year)
    stage.settle()
    assert boxes["weekday"].count() == 5
    stage.close()


def test_letters_find_a_month_in_its_list_instead_of_acting_on_the_board(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    box = stage.board.date_bar.boxes["month"]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_N)
    stage.settle()
    assert box.currentText() == "Nov" and stage.board.browser.number == 0


def test_the_moment_is_today_where_the_board_has_it_and_each_group_has_its_own(qapp: QApplication) -> None:
    weekday = CalendarDesign(CalendarParameters(board="weekday")).layout
    chosen = ChosenDate(weekday, today=lambda: date(2026, 11, 21))
    assert chosen.date_text == "Sat 21 Nov"
    assert list(chosen.labels) == ["month", "day", "weekday"]
    short = replace(weekday, labels=tuple(label for label in weekday.labels if label.group != "month"))
    chosen.show_board(short)
    assert chosen.date_text == "Sat 21"
    own = replace(weekday, labels=(Label("A1", "egg", 1, "Ei"), Label("B1", "egg", 2, "Ovo")))
    chosen.show_board(own)
    assert chosen.date_text == "Ei"


def test_a_board_without_labels_is_covered_whole(qapp: QApplication, tmp_path: Path) -> None:
    plain = replace(CalendarDesign().layout, labels=())
    stage = CalendarStage(tmp_path, replace(CalendarDesign(), board=plain))
    stage.solved()
    words = stage.board.result.text()
    stage.close()
    assert words.startswith("No solution for the whole board")


# Solutions


def test_the_last_of_many_dates_in_a_row_is_the_one_that_is_answered(stage: CalendarStage) -> None:
    groups = stage.board.scene.board.groups
    for day in range(31):
        stage.extension.date.choose(groups["day"][day], groups["month"][9])
    stage.extension.date.choose(groups["day"][5])
    stage.solved()
    assert stage.board.result.text().startswith("7 solutions for 6 Oct")


def test_pieces_that_leave_too_much_open_have_no_solution_and_that_is_told_calmly(
    qapp: QApplication, tmp_path: Path
) -> None:
    stage = CalendarStage(tmp_path, replace(CalendarDesign(), pieces=CalendarDesign().set[1:]))
    stage.sixth_of_october()
    words, lying = stage.board.result.text(), stage.shown()
    enabled = stage.board.browser.next.isEnabled()
    stage.close()
    assert words == "No solution for 6 Oct: the pieces have 35 squares for 41 cells." and lying == 0 and not enabled


def test_a_count_that_was_cut_short_says_at_least(stage: CalendarStage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST_SOLUTIONS", 5)
    stage.sixth_of_october()
    assert stage.board.result.text().startswith("At least 5 solutions for 6 Oct")
    assert stage.board.browser.place.text() == "1 of at least 5"


def test_a_design_without_reflections_has_its_own_solutions(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    stage.document.edit("No flips", UNFLIPPED)
    assert stage.wait_for(lambda: not stage.window.jobs.is_busy(views.SOLVING))
    expected = solutions(UNFLIPPED, stage.extension.date.open_cells, Progress())
    answer = stage.extension.answers.answer
    assert answer is not None and len(answer) == len(expected.found) < 7


def test_a_search_without_end_can_be_given_up_and_asked_again(qapp: QApplication, tmp_path: Path) -> None:
    pieces = tuple(Piece(f"P{number}", ("##.", "###"), number % 10) for number in range(28))
    square = Board(("." * 12,) * 12)
    stage = CalendarStage(tmp_path, CalendarDesign(board=square, pieces=(*pieces, Piece("I4", ("####",)))))
    assert stage.wait_for(lambda: stage.extension.answers.is_waiting)
    assert stage.board.result.text().startswith("Solving the whole board…") and stage.board.browser.cancel.isVisible()
    stage.board.browser.cancel.click()
    assert not stage.window.jobs.is_busy(views.SOLVING)
    assert stage.board.result.text() == "Search cancelled." and not stage.board.browser.cancel.isVisible()
    stage.document.edit("The article's", CalendarDesign())
    stage.solved()
    stage.close()


# The search


def test_the_search_finds_as_much_as_the_solver_step_by_step(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    player = stage.board.player
    stage.board.search_bar.speed.setValue(stage.board.search_bar.speed.maximum())
    stage.key(Qt.Key.Key_P)
    assert player.is_playing
    assert stage.wait_for(lambda: player.is_at_end, 60.0)
    placed = [step for step in steps(stage.board.design, stage.extension.date.open_cells) if step.placed]
    assert (player.tried, player.solutions) == (len(placed), 7)
    assert player.placed == {} and not player.is_playing
    assert "7 solutions found · search complete" in stage.board.search_bar.words.text()


def test_the_search_shows_what_lies_and_stops_at_solutions(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    player = stage.board.player
    stage.board.search_bar.stops.click()
    stage.board.search_bar.speed.setValue(stage.board.search_bar.speed.maximum())
    stage.board.search_bar.play.click()
    assert stage.wait_for(lambda: not player.is_playing)
    stage.settle()
    answer = stage.extension.answers.answer
    assert answer is not None and player.solutions == 1
    assert player.placed in [answer.lying(number) for number in range(7)]
    assert stage.shown() == sum(player.placed.values())
    stage.key(Qt.Key.Key_S)
    assert len(player.placed) == len(answer.lying(0)) - 1, "the next step takes the last piece up"
    stage.key(Qt.Key.Key_Escape)
    assert not player.is_begun and stage.shown() == sum(answer.lying(0).values())


@pytest.mark.thorough
def test_a_slow_search_makes_few_steps_and_a_fast_one_thousands_a_frame(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    player = stage.board.player
    player.go_to(1)
    assert player.at == len(player.placed) == 1
    player.go_to(3001)
    assert player.at == 3001 and player.tried > 1000


def test_another_date_ends_the_search_that_is_played(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    stage.key(Qt.Key.Key_P)
    stage.choose("day", "7")
    assert not stage.board.player.is_playing and not stage.board.player.is_begun


def test_pieces_of_another_shape_end_the_search_and_another_colour_changes_nothing_else(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    stage.key(Qt.Key.Key_Right)
    lay, pieces = stage.shown(), stage.board.design.set
    recoloured = (replace(pieces[0], colour=8, name="Big"), *pieces[1:])
    stage.document.edit("Colour", replace(stage.board.design, pieces=recoloured))
    stage.settle()
    assert stage.shown() == lay and stage.board.browser.number == 1
    stage.key(Qt.Key.Key_S)
    stage.key(Qt.Key.Key_S)
    stage.document.edit("Colour", replace(stage.board.design, pieces=pieces))
    stage.settle()
    assert stage.board.player.tried == 2 and stage.shown() == sum(stage.board.player.placed.values())
    stage.document.edit("One less", replace(stage.board.design, pieces=pieces[1:]))
    stage.settle()
    assert not stage.board.player.is_begun


# Play


def test_a_piece_that_is_dragged_slips_into_the_nearest_place(game: CalendarStage) -> None:
    piece = game.piece("O")
    start = game.square(piece, 0, 0)
    assert game.play.scene.items_[piece].scale() == 1.0, "beside the board it is as large as on it"
    game.press(start)
    game.move(start + QPoint(-20, 0))
    game.move(game.at(0.7, 0.3))
    assert game.play.ghost.isVisible() and game.play.ghost.state is PieceState.GHOST
    assert game.play.scene.items_[piece].state is PieceState.IN_HAND
    game.release(game.at(0.7, 0.3))
    assert game.play.game.placed == {piece: bits(game.play.scene.board, game.play.game.masks[piece], 0, 0)}
    item = game.play.scene.items_[piece]
    assert (item.x(), item.y(), item.scale()) == (0.0, 0.0, 1.0) and not game.play.ghost.isVisible()
    assert game.play.page.tally.text() == "1 of 8 pieces placed · 1 move"
    assert game.document.history.count() == 0, "playing is no edit of the design"


def test_where_flipping_is_not_allowed_f_says_so(qapp: QApplication, tmp_path: Path) -> None:
    stage = CalendarStage(tmp_path, UNFLIPPED)
    stage.window.show_view("play")
    stage.click(stage.square(stage.piece("L"), 1, 0))
    before = stage.play.game.masks
    stage.key(Qt.Key.Key_F)
    sentence, after = stage.posted(), stage.play.game.masks
    stage.close()
    assert "cannot be flipped" in sentence and before is after


def test_ctrl_z_takes_back_a_move_and_leaves_the_design_alone(game: CalendarStage) -> None:
    game.document.edit("Cell", CalendarDesign(CalendarParameters(cell=25.0)))
    game.settle()
    o, v = game.piece("O"), game.piece("V")
    game.drag(game.square(o, 0, 0), game.at(3.5, 0.5))
    game.drag(game.square(v, 2, 0), game.at(5.5, 4.5))
    for left in ({o}, set[int]()):
        game.key(Qt.Key.Key_Z, CONTROL)
        assert set(game.play.game.placed) == left
    game.key(Qt.Key.Key_Z, CONTROL)
    assert game.play.page.says.text() == "Nothing to undo."
    assert game.document.history.index() == 1, "the edit of the design is still there"
    game.key(Qt.Key.Key_Z, CONTROL | SHIFT)
    assert set(game.play.game.placed) == {o}


def test_hints_lead_to_a_solution_and_solved_is_told(game: CalendarStage) -> None:
    for count in range(1, 9):
        game.key(Qt.Key.Key_H)
        assert game.wait_for(lambda count=count: len(game.play.game.placed) == count)  # type: ignore[misc]
    answer = game.extension.answers.answer
    assert answer is not None
    assert dict(game.play.game.placed) in [answer.lying(number) for number in range(7)]
    assert game.play.games.is_solved
    assert game.play.page.says.text() == "Solved: 6 Oct. One of 7 solutions."
    assert game.play.page.tally.text() == "8 of 8 pieces placed · 8 moves · 8 hints"
    game.key(Qt.Key.Key_Backspace, CONTROL)
    assert not game.play.game.placed and game.play.page.says.text() == ""
    assert game.play.page.tally.text() == "0 of 8 pieces placed · 0 moves", "who starts again counts again"
    game.key(Qt.Key.Key_H)
    assert game.wait_for(lambda: len(game.play.game.placed) == 1)
    assert game.play.page.tally.text() == "1 of 8 pieces placed · 1 move · 1 hint"
    game.key(Qt.Key.Key_Z, CONTROL)
    game.key(Qt.Key.Key_Z, CONTROL)
    assert game.play.games.is_solved and "8 moves" in game.play.page.tally.text(), (
        "and starting again can be taken back"
    )


def test_a_hint_agrees_with_what_lies_or_names_what_must_be_taken_up(game: CalendarStage) -> None:
    answer = game.extension.answers.answer
    assert answer is not None
    right = answer.lying(3)
    z = game.piece("Z")
    game.play.games.move(placed_text(game.play.design, z, right[z]))
    game.key(Qt.Key.Key_H)
    assert game.wait_for(lambda: len(game.play.game.placed) == 2)
    assert dict(game.play.game.placed).items() <= right.items() or any(
        dict(game.play.game.placed).items() <= answer.lying(number).items() for number in range(7)
    )
    game.key(Qt.Key.Key_Backspace, CONTROL)
    o, design = game.piece("O"), game.play.design
    game.drag(game.square(o, 0, 0), game.at(3.5, 2.5))
    placed = dict(game.play.game.placed)
    assert list(placed) == [o]
    assert completed(design, game.extension.date.open_cells, placed, Progress()) is None, "this leads nowhere"
    game.key(Qt.Key.Key_H)
    assert game.wait_for(lambda: game.play.page.says.text().startswith("No solution fits"))
    assert game.play.page.says.text() == "No solution fits the placed pieces. Remove piece O."
    assert dict(game.play.game.placed) == placed and game.extension.selection.piece == o


@pytest.mark.thorough
def test_games_of_other_dates_and_pieces_that_can_stay_are_remembered(game: CalendarStage) -> None:
    o = game.piece("O")
    game.drag(game.square(o, 0, 0), game.at(4.5, 0.5))
    game.choose("day", "7", game.play.date_bar.boxes["day"])
    assert not game.play.game.placed
    game.choose("day", "6", game.play.date_bar.boxes["day"])
    assert set(game.play.game.placed) == {o}
    pieces = game.play.design.set
    game.document.edit("Without Z", replace(game.play.design, pieces=pieces[:-1]))
    game.settle()
    assert set(game.play.game.placed) == {o} and len(game.play.game.masks) == 7
    game.document.edit("Another board", CalendarDesign(CalendarParameters(board="weekday")))
    game.settle()
    assert not game.play.game.placed and len(game.play.scene.items_) == 10


def test_another_text_on_a_label_is_shown_and_leaves_the_game_alone(game: CalendarStage) -> None:
    o, design = game.piece("O"), game.play.design
    game.drag(game.square(o, 0, 0), game.at(4.5, 0.5))
    labels = tuple(replace(label, text="Okt") if label.text == "Oct" else label for label in design.layout.labels)
    game.document.edit("Text", replace(design, board=replace(design.layout, labels=labels)))
    game.settle()
    assert set(game.play.game.placed) == {o} and game.play.games.log.at == 1
    assert game.extension.date.date_text == "6 Okt"
    assert game.play.date_bar.boxes["month"].currentText() == "Okt"
    assert len(game.extension.answers.answer or ()) == 7, "it need not be solved again"


def test_the_dock_keeps_pieces_apart_and_off_the_board(qapp: QApplication) -> None:
    design = CalendarDesign()
    sides = [max(piece.mask.shape) for piece in design.set]
    rows, columns = design.layout.mask.shape
    for aspect in (0.4, 0.8, 1.0, 1.6, 3.0):
        made = dock((rows, columns), sides, aspect)
        reach = [side * SIDE / 2 for side in sides]
        for one, (middle, half) in enumerate(zip(made.middles, reach, strict=True)):
            assert made.room.adjusted(half, half, -half, -half).contains(middle)
            beside = middle.x() - half > columns * SIDE or middle.y() - half > rows * SIDE
            assert beside, "no piece lies on the board, however it is turned"
            for other in range(one):
                apart = middle - made.middles[other]
                assert max(abs(apart.x()), abs(apart.y())) > half + reach[other]
        assert (made.room.width() > made.room.height()) == (aspect >= 1.0)


# All of it


def test_in_a_low_window_the_inspector_scrolls_and_cuts_no_words_off(stage: CalendarStage) -> None:
    inspector = stage.extension.panel
    for height in (800, 480):
        stage.window.resize(1000, height)
        stage.settle()
        page = inspector.widget()
        assert page is not None
        for label in page.findChildren(QLabel):
            if label.isVisible() and label.wordWrap():
                assert label.height() >= label.heightForWidth(label.width()), label.text()
    assert inspector.verticalScrollBar().maximum() > 0, "what does not fit is scrolled to"
    assert page is not None and page.height() > inspector.viewport().height()


def test_the_table_and_the_inspector_know_the_pieces(stage: CalendarStage) -> None:
    stage.extension.table.selectRow(stage.piece("O"))
    stage.settle()
    assert stage.extension.selection.piece == stage.piece("O")
    facts = {"Squares": "6", "Colour": "blue", "Orientations": "2", "Placements": "48"}
    assert stage.extension.panel.shown.facts == facts
    model = stage.extension.table.elements
    counts = [int(model.data(model.index(row, 4))) for row in range(model.rowCount())]
    assert sum(counts) == 961, "as was counted outside the studio"
    stage.solved()
    assert stage.board.scene.items_[stage.piece("O")].state is PieceState.SELECTED
    stage.window.extension.show_finding(check_problems.TWINS.finding((0.0, 0.0), pieces=(1, 2), names="Two"))
    assert stage.extension.selection.piece == 1
    stage.key(Qt.Key.Key_Escape)
    assert stage.extension.panel.shown.facts["Uncovered cells"] == "2, one per group"


def test_a_finding_rings_its_cells_on_the_board_and_chooses_its_date(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    stage.document.edit("Jan twice", with_label(stage.document.design, "B1", "month", "Jan"))
    stage.window.pipeline.finish()
    stage.window.show_view("year")
    findings = stage.window.findings
    assert stage.wait_for(lambda: any(finding.kind == "double" for finding in findings.model.elements))
    row = next(row for row, each in enumerate(findings.model.elements) if each.kind == "double")
    QTest.mouseClick(
        findings.table.viewport(), LEFT, NO_KEY, findings.table.visualRect(findings.model.index(row, 0)).center()
    )
    stage.settle()
    assert stage.board.isVisible(), "the board comes in sight"
    scene = stage.board.scene
    assert {scene.cell_at(mark.x() + 1, mark.y() + 1) for mark in scene.faults} == {"A1", "B1"}
    area = stage.view.mapFromScene(QPointF(SIDE, SIDE)) - stage.view.mapFromScene(QPointF(0, 0))
    edge = stage.view.mapFromScene(QPointF(0, 0)) + QPoint(round(area.x() * 0.12), area.y() // 2)
    line = stage.view.grab().toImage().pixelColor(edge)
    assert line.red() > line.blue() + 60, "a red ring, above the piece that lies there"
    stage.key(Qt.Key.Key_Escape)
    assert not scene.faults
    at = stage.document.design.layout
    cells = tuple(next(label.name for label in at.labels if label.text == text) for text in ("Dec", "24"))
    stage.window.extension.show_finding(check_problems.ONE_UNSOLVED.finding((0.0, 0.0), cells=cells, date="date"))
    assert stage.extension.date.date_text == "24 Dec"
    assert {scene.cell_at(mark.x() + 1, mark.y() + 1) for mark in scene.faults} == set(cells)
    stage.choose("day", "25")
    assert not scene.faults, "another date is no finding's"


def test_commands_are_listed_with_their_keys_and_act_in_their_own_view(stage: CalendarStage) -> None:
    stage.solved()
    listed = {words: keys for _menu, words, keys in stage.window.actions_.with_keys()}
    assert listed["Next solution"] == "N" and listed["Rotate piece"] == "R" and listed["Hint"] == "H"
    own = [each.name for each in stage.play.commands + stage.board.commands]
    assert not stage.window.actions_["hint"].isEnabled()
    stage.window.show_view("play")
    for name in own:
        assert stage.window.actions_[name].isEnabled() == (name in {each.name for each in stage.play.commands})
    stage.window.actions_["hint"].trigger()
    assert stage.wait_for(lambda: len(stage.play.game.placed) == 1)
    stage.window.show_view("drawing")
    assert not any(stage.window.actions_[name].isEnabled() for name in [*own, "today"])


def test_keys_act_in_the_view_that_was_just_chosen(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    strip = {button.text(): button for button in stage.window.findChildren(QToolButton)}
    for view, key, done in (
        ("Play", Qt.Key.Key_H, lambda: len(stage.play.game.placed) == 1),
        ("Board", Qt.Key.Key_N, lambda: stage.board.browser.number == 1),
        ("Play", Qt.Key.Key_Z, lambda: not stage.play.game.placed),
    ):
        QTest.mouseClick(strip[view], LEFT)
        stage.settle()
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key)
        assert stage.wait_for(done)


def test_a_drag_paints_the_piece_that_moves_and_no_other(game: CalendarStage) -> None:
    o = game.piece("O")
    game.press(game.square(o, 0, 0))
    game.move(game.at(5.5, 1.5))
    game.move(game.at(4.5, 0.5))
    game.view.grab()
    before = [item.painted for item in game.play.scene.items_]
    for step in range(10):
        game.move(game.at(4.5, 0.5 + step / 10))
    after = [item.painted for item in game.play.scene.items_]
    assert [number for number, count in enumerate(after) if count > before[number]] == [o]
    game.release(game.at(3.5, 1.5))


def test_every_colour_has_a_name_and_dark_letters_can_be_read_on_it(qapp: QApplication) -> None:
    assert len(set(PALETTE)) == len(set(TITLES)) == len(PALETTE) == len(TITLES)
    for number in range(len(PALETTE)):
        for theme in (light_theme(), dark_theme()):
            assert contrast(INK, tint(number, theme)) >= 4.5


def test_nobody_confuses_two_colours(qapp: QApplication) -> None:
    for seen, least in ((np.eye(3), 29.0), (PROTAN, 13.0), (DEUTAN, 13.0)):
        places = np.array([lab(QColor(colour), seen) for colour in PALETTE])
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(len(PALETTE), 1)]
        assert apart.min() >= least, "two colours differ by this in CIELAB, as such eyes see them"


def test_a_piece_with_a_hole_or_in_two_parts_is_still_drawn(qapp: QApplication) -> None:
    ring = np.ones((3, 3), bool)
    ring[1, 1] = False
    path = path_of(ring)
    assert not path.contains(QPointF(1.5 * SIDE, 1.5 * SIDE)) and path.contains(QPointF(SIDE, SIDE / 2))
    apart = path_of(np.array([[True, False, True]]))
    assert [apart.contains(QPointF((column + 0.5) * SIDE, SIDE / 2)) for column in range(3)] == [True, False, True]
    assert all(path.contains(QPointF((column + 0.5) * SIDE, (row + 0.5) * SIDE)) for row, column in np.argwhere(ring))
    row, column = heart(ring)
    assert path.contains(QPointF((column + 0.5) * SIDE, (row + 0.5) * SIDE)) or (row % 1, column % 1) != (0, 0)


@pytest.mark.thorough
def test_a_change_of_theme_reaches_the_pieces(stage: CalendarStage) -> None:
    stage.sixth_of_october()
    place = stage.cell("A1") + QPoint(10, 14)
    light = QColor(stage.view.grab().toImage().pixel(place))
    stage.window.choose_theme(ThemeChoice.DARK)
    stage.settle()
    dark = QColor(stage.view.grab().toImage().pixel(place))
    assert dark.lightness() < light.lightness()


@pytest.mark.thorough
def test_a_window_that_is_closed_in_mid_search_leaves_nothing_behind(qapp: QApplication, tmp_path: Path) -> None:
    gone = []
    for _ in range(2):
        stage = CalendarStage(tmp_path, CalendarDesign(CalendarParameters(board="weekday")))
        stage.key(Qt.Key.Key_P)
        gone.append(stage.board.player)
        stage.close()
    assert not any(shiboken6.isValid(each) for each in gone)


ODD = {
    "one cell": CalendarDesign(board=Board((".",)), pieces=(Piece("I", ("#",)),)),
    "a piece larger than the board": CalendarDesign(board=Board(("..",)), pieces=(Piece("I", ("#####",) * 5),)),
    "two parts, a ring, twins": CalendarDesign(
        pieces=(Piece("two", ("#.#",)), Piece("ring", ("###", "#.#", "###")), Piece("A", ("##",)), Piece("A2", ("##",)))
    ),
    "largest": CalendarDesign(
        board=Board(("." * 24,) * 24, (Label("A1", "month", 1, "Jan"), Label("B2", "day", 31, "31"))),
        pieces=(Piece("a name of many letters", ("#" * 24,)),),
    ),
    "labels twice": CalendarDesign(
        board=Board(("....",), (Label("A1", "day", 1, "1"), Label("B1", "day", 1, "1"), Label("C1", "own", 9, "x"))),
        pieces=(Piece("I", ("##",)),),
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ODD)
def test_no_design_is_too_odd_to_be_looked_at_and_played_with(qapp: QApplication, tmp_path: Path, name: str) -> None:
    stage = CalendarStage(tmp_path, ODD[name])
    assert stage.wait_for(lambda: stage.extension.answers.answer is not None or bool(stage.extension.answers.problem))
    for key in (Qt.Key.Key_N, Qt.Key.Key_Left, Qt.Key.Key_S, Qt.Key.Key_P, Qt.Key.Key_T, Qt.Key.Key_Escape):
        stage.key(key)
    assert stage.board.result.text() and stage.view.grab().width() > 100
    stage.window.show_view("play")
    for key in (
        Qt.Key.Key_R, Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_F, Qt.Key.Key_Down, Qt.Key.Key_Return,
        Qt.Key.Key_Escape, Qt.Key.Key_H, Qt.Key.Key_Z, Qt.Key.Key_Z, Qt.Key.Key_Backspace,
    ):  # fmt: skip
        stage.key(key)
    assert stage.wait_for(lambda: stage.play.page.says.text() != "Thinking…")
    assert stage.play.page.tally.text() and stage.view.grab().width() > 100
    stage.close()


# Pictures


def test_the_tray_is_seen_in_space_with_one_solution_after_the_other(
    stage: CalendarStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    paint_solids(monkeypatch)
    page = stage.extension.pages[-1]
    assert isinstance(page, SpacePage) and page.solids is None, "nothing is loaded before it is looked at"
    stage.sixth_of_october()
    stage.window.show_view("space")
    solids = page.solids
    assert solids is not None and stage.wait_for(lambda: solids.bodies.answer is not None)
    places = [placed_in(solids)]
    assert solids.shown.itemText(0) == "Board, 8 pieces" and solids.panel.place.text() == "Solution 1 of 7"
    for _ in range(7):
        before = solids.bodies.answer
        QTest.mouseClick(solids.panel.next, LEFT)
        assert stage.wait_for(lambda before=before: solids.bodies.answer not in (None, before))
        places.append(placed_in(solids))
    assert places[0] == places[7] and len(set(places)) == 7 and page.number == 0
    stage.choose("day", "5", page.date_bar.boxes["day"])
    assert stage.wait_for(lambda: solids.panel.place.text() == "Solution 1 of 13")


def placed_in(solids: SolidsPage) -> tuple[tuple[str, float, float], ...]:
    bodies = [placed.body for placed in solids.panel.view.scene.placed]
    return tuple(sorted((one.name, *np.round(one.mesh.bounds[0][:2], 2).tolist()) for one in bodies))


def picture(folder: Path, *options: str) -> str:
    """Make a picture of a new calendar puzzle; returns what is said on standard error."""
    source = folder / "new.puzzle"
    store.save(source, CALENDAR, CalendarDesign())
    command = [sys.executable, "-m", "studio", "picture", str(source), "-o", str(folder / "out.png"), *options]
    root = Path(__file__).parents[2]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=root, check=False).stderr


@pytest.mark.thorough
def test_pictures_show_a_date_the_search_and_a_game_and_are_the_same_each_time(tmp_path: Path) -> None:
    seen = set()
    for view, moment in (("board", ""), ("board", "0.3"), ("play", "0.5")):
        options = ["--window", "--date", "10-06", "--view", view, *(["--moment", moment] if moment else [])]
        made = []
        for _ in range(2):
            assert picture(tmp_path, *options) == ""
            made.append((tmp_path / "out.png").read_bytes())
        assert made[0] == made[1]
        seen.add(made[0])
    assert len(seen) == 3


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--window", "--date", "02-30"], "02-30 does not exist."),
        (["--window", "--date", "13-01"], "13-01 does not exist."),
        (["--window", "--date", "tomorrow"], "--date must be month and day, such as 10-06"),
        (["--date", "10-06"], "needs --window"),
    ],
)
def test_a_date_that_the_board_does_not_have_is_refused_in_a_sentence(
    tmp_path: Path, options: list[str], words: str
) -> None:
    said = picture(tmp_path, *options)
    assert words in said and said.count("\n") == 1
    assert not (tmp_path / "out.png").exists()
