"""The booklet of a calendar is seen in the window, and written with options from the File menu."""

from pathlib import Path

import pytest
from pypdf import PdfReader

from studio.puzzles.calendar.booklet import CHOSEN, BookletOptions
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters
from studio.ui.abilities.printable import PagesExtension
from tests.ui.stage import KindStage, staged

stage = staged(lambda folder: KindStage(folder, CALENDAR, CalendarDesign(CalendarParameters(board="dice"))))


def sentence(stage: KindStage) -> str:
    notice = stage.window.notices.notice()
    return "" if notice is None else notice.sentence


def test_the_booklet_is_seen_in_the_window(stage: KindStage) -> None:
    stage.window.show_view("pages")
    (pages,) = (each for each in stage.window.added if isinstance(each, PagesExtension))
    pages.finish()
    assert pages.panel.message == "" and pages.panel.page == 0
    pages.panel.turn(1)
    assert pages.panel.page == 1, "hints follow the rules"


@pytest.mark.thorough
def test_a_booklet_with_options_has_what_was_chosen(stage: KindStage, tmp_path: Path) -> None:
    stage.answers.save = tmp_path / "booklet.pdf"
    stage.document.edit("Classic", CalendarDesign())
    stage.settle()
    stage.answers.on_options = lambda dialog: BookletOptions(hints=False, solutions=CHOSEN, dates="10-06, 4-6")
    stage.window.actions_["booklet"].trigger()
    assert stage.wait_for(lambda: sentence(stage).startswith("Saved: booklet.pdf, 3 pages"))
    texts = [page.extract_text() for page in PdfReader(tmp_path / "booklet.pdf").pages]
    assert "Cover the board" in texts[0] and "6 Oct: 7" in texts[1] and "6 Apr: 8" in texts[2]


def test_dates_that_are_none_are_refused_and_nothing_is_written(stage: KindStage, tmp_path: Path) -> None:
    stage.answers.on_options = lambda dialog: BookletOptions(solutions=CHOSEN)
    stage.answers.save = tmp_path / "booklet.pdf"
    stage.window.actions_["booklet"].trigger()
    assert stage.wait_for(lambda: sentence(stage).startswith("Enter the dates whose solutions are to be shown"))
    assert not (tmp_path / "booklet.pdf").exists()
