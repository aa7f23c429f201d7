"""The design search in the window, by real mouse and key events: wished for, started, stopped, used, undone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.base.progress import Progress
from studio.puzzles.calendar.edits import with_places
from studio.puzzles.calendar.model import Piece, built_in, dates
from studio.puzzles.calendar.set_search import form, named, polyominoes
from studio.puzzles.calendar.solve import solutions
from studio.ui.kinds.calendar.set_search_view import LEAST, PIECES, SEARCHING, UNEVEN, SearchPage
from tests.ui.stage import staged
from tests.ui.test_calendar_view import counted_before
from tests.ui.test_calendar_year import YearStage

LEFT = Qt.MouseButton.LeftButton


class SearchStage(YearStage):
    """A window that shows the design search."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, counted_before(), view="search")

    @property
    def search(self) -> SearchPage:
        page = self.window.middle.shown
        assert isinstance(page, SearchPage)
        return page

    def says(self, words: str) -> bool:
        """Wait until the sentence above the table has some words."""
        return self.wait_for(lambda: words in self.search.said.text())

    def click_piece(self, name: str) -> None:
        """Click the first piece of a name in the gallery."""
        gallery = self.search.gallery
        number = next(number for number, piece in enumerate(gallery.pieces) if piece.name == name)
        gallery.scrollTo(gallery.index_of(number))
        place = QPointF(gallery.visualRect(gallery.index_of(number)).center())
        screen = QPointF(gallery.viewport().mapToGlobal(place.toPoint()))
        for kind in (QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            event = QMouseEvent(kind, place, screen, LEFT, LEFT, Qt.KeyboardModifier.NoModifier)
            QApplication.sendEvent(gallery.viewport(), event)
        self.settle()

    def only(self, *names: str) -> None:
        """Tick just these pieces in the gallery."""
        for piece in self.search.gallery.ticked:
            self.click_piece(piece.name)
        for name in names:
            self.click_piece(name)


def forms(pieces: Iterable[Piece]) -> set[bytes]:
    """What pieces are, however they are turned and called."""
    return {form(piece.mask) for piece in pieces}


def rank(page: SearchPage, key: str) -> None:
    """Choose a rank from its list with the keys."""
    page.rank.setFocus()
    while page.rank.currentData() != key:
        QTest.keyClick(page.rank, Qt.Key.Key_Down)


stage = staged(SearchStage)


def test_the_wish_begins_with_what_the_puzzle_has(stage: SearchStage) -> None:
    page = stage.search
    assert [size for size, box in page.sizes.items() if box.isChecked()] == [5]
    assert [piece.name for piece in page.gallery.ticked] == ["O"]
    assert stage.says("792 sets to check, each of 41 squares.")
    assert page.begin.isEnabled() and page.begin.text() == "Start"


def test_sets_are_found_and_using_one_is_one_step_of_undo(stage: SearchStage) -> None:
    # Many must-haves leave few sets to look at, the puzzle's own among them.
    stage.only("O", "L", "N", "P", "U", "V", "Y")
    assert stage.says("6 sets to check"), stage.search.said.text()
    page, start = stage.search, stage.document.design
    QTest.mouseClick(page.begin, LEFT)
    assert stage.wait_for(lambda: page.hunt.is_done) and stage.says("6 sets checked; ")
    own, rows = forms(start.set), list(page.model.elements)
    assert own in [forms(found.pieces) for found in rows], "the article's own set is one"
    assert [found.year.least for found in rows] == sorted((found.year.least for found in rows), reverse=True)
    row = next(row for row, found in enumerate(rows) if forms(found.pieces) != own)
    place = page.table.visualRect(page.model.index(row, LEAST)).center()
    QTest.mouseClick(page.table.viewport(), LEFT, pos=place)
    QTest.mouseClick(page.take, LEFT)
    design = stage.document.design
    assert forms(design.set) == forms(rows[row].pieces) != own
    assert stage.document.history.count() == 1
    for day in list(dates(design.layout))[::24]:
        assert len(solutions(design, [label.name for label in day], Progress(), most=1).found) == 1
    stage.document.history.undo()
    assert stage.document.design == start and page.model.rowCount() == len(rows)
    QTest.mouseDClick(page.table.viewport(), LEFT, pos=place)
    assert stage.document.design == design and stage.document.history.count() == 1
    rank(page, "even")
    shown = [float(page.model.index(row, UNEVEN).data()) for row in range(len(rows))]
    assert len(shown) > 1 and shown == sorted(shown)
    image = page.table.viewport().grab(page.table.visualRect(page.model.index(0, PIECES))).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert len(colours) > 8, "each piece is drawn in a colour of its own"


def test_results_come_while_it_runs_and_stay_when_it_is_stopped_and_goes_on(stage: SearchStage) -> None:
    page = stage.search
    assert stage.says("792 sets to check")
    QTest.mouseClick(page.begin, LEFT)
    assert page.begin.text() == "Stop"
    assert stage.wait_for(lambda: page.model.rowCount() > 0)
    assert stage.window.jobs.is_busy(SEARCHING), "they do not wait for the end"
    assert " of 792 sets checked; " in page.said.text()
    QTest.mouseClick(page.begin, LEFT)
    tried, rows = page.hunt.tried, page.model.rowCount()
    assert page.begin.text() == "Continue" and page.said.text().endswith("stopped.") and rows > 0
    QTest.mouseClick(page.begin, LEFT)
    assert stage.wait_for(lambda: page.hunt.tried > tried)
    assert page.model.rowCount() >= rows
    names = [found.number for found in page.hunt.found]
    assert len(names) == len(set(names)), "no set comes twice"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("must", "sizes", "sentence"),
    [
        (("6-2", "6-3", "6-4", "6-5", "6-6", "6-7", "6-8"), (),
         "The required pieces have 42 squares, more than the 41 to cover."),
        (("O",), (), "Choose the allowed sizes: 35 squares are left to cover."),
        ((), (5,), "No set of these pieces covers exactly 41 squares; allow more sizes, other pieces or more of"
                   " each shape."),
    ],
)  # fmt: skip
def test_wishes_that_cannot_be_met_are_told_at_once(
    stage: SearchStage, must: tuple[str, ...], sizes: tuple[int, ...], sentence: str
) -> None:
    page = stage.search
    stage.only(*must)
    for size, box in page.sizes.items():
        if box.isChecked() != (size in sizes):
            QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))
    assert stage.says(sentence), page.said.text()
    assert not page.begin.isEnabled() and not stage.window.jobs.is_busy(SEARCHING)


def test_another_board_ends_the_search_and_begins_a_wish_of_its_own(stage: SearchStage) -> None:
    assert stage.says("792 sets to check")
    page = stage.search
    QTest.mouseClick(page.begin, LEFT)
    assert stage.wait_for(lambda: page.hunt.tried > 0)
    stage.document.edit("One cell less", with_places(stage.document.design, [(2, 0)], False))
    assert not stage.window.jobs.is_busy(SEARCHING) and page.model.rowCount() == 0
    assert stage.says("covers exactly 40 squares")


def test_space_ticks_a_piece_and_arrows_go_to_the_next(stage: SearchStage) -> None:
    gallery = stage.search.gallery
    gallery.setFocus()
    before = forms(gallery.ticked)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Space):
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(gallery, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier))
    after = forms(gallery.ticked)
    assert after - before == {form(built_in("article").pieces[1].mask)}
    assert gallery.accessibleDescription() == "L, 5 squares, required"


def test_the_gallery_has_every_polyomino_of_three_to_six_squares(stage: SearchStage) -> None:
    shown = forms(piece for section in stage.search.gallery.sections[1:] for piece in section.pieces)
    assert len(shown) == 2 + 5 + 12 + 35
    assert form(named("6-1").mask) in shown and len(polyominoes(6)) == 35


def test_the_search_ends_with_its_window(qapp: QApplication, tmp_path: Path) -> None:
    stage = SearchStage(tmp_path)
    assert stage.says("792 sets to check")
    page = stage.search
    QTest.mouseClick(page.begin, LEFT)
    assert stage.wait_for(lambda: page.hunt.tried > 0)
    stage.close()
    assert not page.hunt.is_busy
