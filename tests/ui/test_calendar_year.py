"""The year in the window, by real mouse and key events: counted, pointed at, chosen, edited, remembered."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from studio.base.amounts import many, thousands
from studio.puzzles.calendar import solve
from studio.puzzles.calendar import year as year_
from studio.puzzles.calendar.edits import with_label, with_piece_drawn, with_pieces, without_labels
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters, Piece
from studio.puzzles.calendar.year import in_words
from studio.ui.kinds.calendar.extension import CalendarExtension
from studio.ui.kinds.calendar.views import COUNTING
from studio.ui.kinds.calendar.year import YearPage
from studio.ui.session.preferences import ThemeChoice
from tests.ui.stage import KindStage, staged
from tests.ui.test_calendar_view import counted_before

OCTOBER_6, JANUARY_25 = (9, 5), (0, 24)


class YearStage(KindStage):
    """A window that shows the year of a design."""

    def __init__(self, folder: Path, design: CalendarDesign | None = None, *, view: str = "year") -> None:
        super().__init__(folder, CALENDAR, design, is_ready=False, view=view)

    @property
    def extension(self) -> CalendarExtension:
        assert isinstance(self.window.extension, CalendarExtension)
        return self.window.extension

    @property
    def page(self) -> YearPage:
        page = self.window.middle.shown
        assert isinstance(page, YearPage)
        return page

    def counted(self) -> bool:
        return self.wait_for(lambda: self.page.counting.answer is not None)

    @property
    def target(self) -> QWidget:
        return next(page for page in self.extension.pages if isinstance(page, YearPage)).map.viewport()

    def cell(self, date: tuple[int, int]) -> QRectF:
        """Where a date is in the map's viewport."""
        shown = self.page.map
        return QRectF(shown.visualRect(shown.model().index(*date)))

    def at(self, date: tuple[int, int]) -> QPoint:
        """Where the middle of a date is seen."""
        return self.cell(date).center().toPoint()

    def point(self, date: tuple[int, int]) -> None:
        self.hover(self.at(date))

    def choose(self, date: tuple[int, int]) -> None:
        self.click(self.at(date))

    def open(self, date: tuple[int, int]) -> None:
        self.double_click(self.at(date))

    def key(self, widget: QWidget, key: Qt.Key) -> None:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier))
        self.settle()

    @property
    def chosen(self) -> str:
        return in_words(self.extension.date.date)


stage = staged(lambda folder: YearStage(folder, counted_before()))


def test_the_map_says_7_at_the_6_of_october_and_names_the_ends_of_the_year(stage: YearStage) -> None:
    assert stage.counted()
    chart = stage.page.map.chart
    assert chart is not None and int(chart.counts[OCTOBER_6]) == 7
    assert stage.page.extremes.text() == "Hardest: 6 October (7 solutions). Easiest: 25 January (216)."
    assert stage.page.heading.text() == "366 dates, 24,405 solutions in total"
    assert (1, 29) not in chart.cells and (1, 28) in chart.cells, "29 February is a date, 30 February is none"


def test_pointing_at_a_date_tells_its_count_and_its_rank(stage: YearStage) -> None:
    assert stage.counted()
    stage.point(OCTOBER_6)
    assert stage.page.reading.text() == "6 October: 7 solutions, the hardest of 366."
    stage.point(JANUARY_25)
    assert stage.page.reading.text() == "25 January: 216 solutions, the easiest of 366."
    stage.point((3, 5))
    assert stage.page.reading.text() == "6 April: 8 solutions, rank 2 of 366."


def test_a_click_chooses_a_date_and_a_double_click_shows_it_on_the_board(stage: YearStage) -> None:
    assert stage.counted()
    page = stage.page
    stage.choose(OCTOBER_6)
    assert stage.chosen == "6 October" and stage.page is page
    stage.open(JANUARY_25)
    assert stage.chosen == "25 January"
    assert stage.window.middle.shown is stage.extension.pages[0]


def test_arrows_go_from_date_to_date_over_what_is_none_and_enter_opens(stage: YearStage) -> None:
    assert stage.counted()
    shown = stage.page.map
    stage.choose((0, 28))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        stage.key(shown, key)
    assert shown.place == (2, 29), "below 30 January comes 30 March"
    stage.key(shown, Qt.Key.Key_Return)
    assert stage.chosen == "30 March"
    assert stage.window.middle.shown is stage.extension.pages[0]


def test_the_signs_of_the_hardest_and_easiest_dates_are_drawn_not_only_coloured(stage: YearStage) -> None:
    assert stage.counted()
    image = stage.page.map.viewport().grab().toImage()
    for place, corner in ((OCTOBER_6, "left"), (JANUARY_25, "right")):
        area = stage.cell(place)
        ground = image.pixelColor((area.center() + QPointF(0, area.height() / 2 - 3)).toPoint())
        sign = area.topLeft() + QPointF(4, 4) if corner == "left" else area.topRight() + QPointF(-3.5, 4)
        assert image.pixelColor(sign.toPoint()) != ground


def test_an_edit_leaves_the_old_map_pale_until_the_new_counts_come(stage: YearStage) -> None:
    assert stage.counted()
    page, before = stage.page, stage.page.counting.last
    edited = with_pieces(stage.document.design, (*stage.document.design.set[:-1], Piece("W", ("#..", "##.", ".##"))))
    stage.document.edit("Another piece", edited)
    assert page.counting.answer is None and page.counting.is_busy
    assert page.map.chart is not None and int(page.map.chart.counts[OCTOBER_6]) == 7
    assert page.heading.text().startswith("Counting…") and "before your last change" in page.extremes.text()
    assert not page.copy.isEnabled() and page.stop.isVisible()
    assert stage.counted()
    assert page.counting.last is not before and not page.stop.isVisible() and page.copy.isEnabled()


@pytest.mark.thorough
def test_a_pale_map_chooses_what_the_board_still_has(stage: YearStage) -> None:
    assert stage.counted()
    stage.choose(JANUARY_25)
    board = stage.document.design.layout
    october, first = (next(label.name for label in board.labels if label.text == text) for text in ("Oct", "1"))
    moved = with_label(with_label(stage.document.design, first, "month", "Oct"), october, "day", "1")
    stage.document.edit("Move Oct", moved)
    assert stage.page.counting.answer is None
    stage.choose(OCTOBER_6)
    assert stage.chosen == "6 October" and stage.extension.date.labels["month"].name == first
    assert stage.counted()
    stage.document.edit("Take Oct away", without_labels(stage.document.design, [first]))
    assert stage.page.counting.answer is None
    stage.choose((9, 6))
    assert stage.extension.date.labels["day"].value == 7
    assert set(stage.extension.date.open_cells) <= set(stage.document.design.layout.on)
    assert stage.counted()


@pytest.mark.thorough
def test_of_edits_that_follow_fast_only_the_newest_is_shown(stage: YearStage) -> None:
    from studio.base.progress import Progress
    from studio.puzzles.calendar.year import question, year

    assert stage.counted()
    start = stage.document.design
    shown: list[tuple[str, str]] = []

    def look() -> None:
        found, asked = stage.page.counting.answer, stage.page.counting.question
        if found is not None and asked is not None:
            shown.append((found.question, question(asked.design)))

    stage.page.counting.changed.connect(look)
    for last in (Piece("W", ("#..", "##.", ".##")), Piece("T", ("###", ".#.", ".#.")), Piece("I", ("#####",))):
        stage.document.preview(with_pieces(start, (*start.set[:-1], last)))
        stage.settle()
    newest = with_pieces(start, (*start.set[:-1], Piece("F", (".##", "##.", ".#."))))
    stage.document.edit("Another piece", newest)
    assert stage.counted()
    assert shown and all(found == asked for found, asked in shown), "the counts of the pieces before were given up"
    known = stage.page.counting.last
    assert known is not None and known.question == question(newest)
    assert (known.counts == year(newest, Progress()).counts).all()


def test_undo_shows_the_counts_from_before_without_a_search(stage: YearStage) -> None:
    assert stage.counted()
    start = stage.document.design
    stage.document.edit("Another piece", with_piece_drawn(start, start.set[0].name, start.set[0].squares - {(0, 0)}))
    assert stage.counted()
    began: list[str] = []
    stage.window.jobs.began.connect(began.append)
    stage.document.history.undo()
    assert stage.page.counting.answer is not None and not stage.window.jobs.is_busy(COUNTING)
    assert COUNTING not in began and int(stage.page.map.chart.counts[OCTOBER_6]) == 7


def test_counting_can_be_stopped_and_taken_up_again(stage: YearStage) -> None:
    page = stage.page
    assert page.counting.is_busy or page.counting.answer is not None
    start = stage.document.design
    stage.document.edit("Another piece", with_pieces(start, start.set[:-1]))
    QTest.mouseClick(page.stop, Qt.MouseButton.LeftButton)
    assert page.heading.text() == "Counting stopped." and page.again.isVisible()
    QTest.mouseClick(page.again, Qt.MouseButton.LeftButton)
    assert stage.counted() and not page.again.isVisible()


def test_nothing_is_counted_while_nobody_looks(qapp: QApplication, tmp_path: Path) -> None:
    stage = YearStage(tmp_path)
    page, answers = stage.page, stage.extension.answers
    assert stage.counted()
    stage.window.jobs.finish()
    assert answers.answer is not None and answers.twins.answer is None
    stage.window.show_view("board")
    assert stage.wait_for(lambda: answers.twins.answer is not None)
    start = stage.document.design
    stage.document.edit("Another piece", with_piece_drawn(start, start.set[0].name, start.set[0].squares - {(0, 0)}))
    stage.settle()
    assert not page.counting.is_busy and page.counting.answer is None
    stage.window.drawer.setCurrentWidget(page.dates)
    assert page.counting.is_busy, "the list of dates is looked at"
    stage.close()


def test_a_puzzle_solved_before_shows_its_year_at_once_and_searches_nothing(qapp: QApplication, tmp_path: Path) -> None:
    first = YearStage(tmp_path)
    assert first.counted()
    first.close()
    again = YearStage(tmp_path)
    page = again.page
    assert page.counting.answer is not None and not page.counting.is_busy
    page.counting.watch(again, watches=True)
    assert not page.counting.is_under_way
    assert "6 October (7 solutions)" in page.extremes.text()
    again.close()


def test_the_list_of_dates_is_sorted_by_its_heads_and_opens_a_date(stage: YearStage) -> None:
    assert stage.counted()
    dates = stage.page.dates
    stage.window.drawer.setCurrentWidget(dates)
    stage.settle()
    table = dates.table
    rows = [table.model().index(row, 0).data() for row in range(3)]
    assert rows == ["6 October", "6 April", "6 July"]
    head = table.horizontalHeader()
    place = QPointF(head.sectionViewportPosition(0) + 20, head.height() / 2).toPoint()
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert table.model().index(0, 0).data() in ("1 January", "31 December")
    stage.key(table, Qt.Key.Key_Home)
    table.setCurrentIndex(table.model().index(0, 0))
    stage.key(table, Qt.Key.Key_Return)
    assert stage.chosen == table.model().index(0, 0).data()
    assert stage.window.middle.shown is stage.extension.pages[0]


def test_the_table_is_copied_as_lines_with_tabs(stage: YearStage) -> None:
    assert stage.counted()
    QTest.mouseClick(stage.page.copy, Qt.MouseButton.LeftButton)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 367 and lines[1].split("\t") == ["Oct", "6", "7", "1"]
    assert stage.page.reading.text() == "Copied 366 dates."


def test_pieces_with_too_few_squares_are_told_beside_an_empty_year(stage: YearStage) -> None:
    start = stage.document.design
    stage.document.edit("One piece less", with_pieces(start, start.set[1:]))
    assert stage.counted()
    assert stage.page.extremes.text() == ("No date has a solution. The pieces cover 35 squares, but 41 are needed.")


def test_a_year_that_was_not_counted_to_its_end_says_at_least(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(year_, "MOST_STATES_AT_ONCE", 1000)
    monkeypatch.setattr(solve, "MOST_STATES_A_DATE", 1000)
    monkeypatch.setattr(year_, "MOST_NODES", 366 * 100)
    stage = YearStage(tmp_path, CalendarDesign(CalendarParameters(reflections=False)))
    assert stage.counted()
    page = stage.page
    known = page.counting.last
    assert known is not None and not known.complete and known.least == 0 < known.most
    assert page.heading.text() == f"366 dates, at least {many(known.total, 'solution')} in total"
    assert f"at least {thousands(known.most)}" in page.extremes.text()
    (easy, *_), (none, *_) = ([(month, day) for month, day in known.having(amount)] for amount in (known.most, 0))
    stage.point(easy)
    assert f": at least {many(known.most, 'solution')}, the easiest of 366." in page.reading.text()
    stage.point(none)
    assert page.reading.text().endswith(": no solution so far.")
    shown = page.dates.model
    words = {shown.data(shown.index(row, 1)) for row in range(shown.rowCount())}
    assert all(word.startswith("≥ ") for word in words) and f"≥ {thousands(known.most)}" in words
    stage.close()


def test_the_window_closes_while_it_counts(qapp: QApplication, tmp_path: Path) -> None:
    stage = YearStage(tmp_path, CalendarDesign(CalendarParameters(board="weekday")))
    counting = stage.page.counting
    assert counting.is_busy
    stage.close()
    assert not counting.is_busy and counting.answer is None


def test_the_map_is_drawn_dark_too(stage: YearStage) -> None:
    assert stage.counted()
    light = stage.page.map.grab().toImage()
    stage.window.choose_theme(ThemeChoice.DARK)
    assert stage.page.map.grab().toImage() != light


def test_what_was_passed_through_under_the_hand_is_kept_once_the_hand_settles_on_it(stage: YearStage) -> None:
    from studio.puzzles.calendar.questions import remembered

    assert stage.counted()
    start = stage.document.design
    other = with_pieces(start, (*start.set[:-1], Piece("W", ("#..", "##.", ".##"))))
    stage.document.preview(other)
    assert stage.counted() and remembered(other) is None
    stage.document.abandon()
    stage.document.edit("Another piece", other)
    assert stage.page.counting.answer is not None
    stage.window.jobs.finish()
    assert remembered(other) is not None


def test_an_edit_is_answered_before_its_year_is_counted_and_the_findings_come_after(stage: YearStage) -> None:
    stage.window.jobs.finish()
    start = stage.document.design
    # As many strokes and parameters as before: such an edit of another kind is checked at once.
    other = with_pieces(start, (*start.set[:-1], Piece("Y2", start.set[-2].rows)))
    stage.document.edit("A piece twice", other)
    assert stage.window.pipeline.findings is None, "nothing was counted on the way"
    assert stage.wait_for(lambda: stage.window.pipeline.findings is not None)
    assert stage.counted()
