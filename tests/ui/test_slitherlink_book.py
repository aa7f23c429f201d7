"""A book of slitherlinks is asked for in the File menu, written in the background, and can be given up."""

from pathlib import Path
from typing import Any

from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox

from studio.base.progress import SILENT
from studio.puzzles.registry import kind
from studio.puzzles.slitherlink.book import BookOptions
from studio.ui.panels.making_choice import OptionsDialog
from tests.ui.stage import KindStage, staged

SLITHERLINK = kind("slitherlink")
PARAMETERS = SLITHERLINK.parameters(grid="hexagon", columns=4, rows=5)
stage = staged(lambda folder: KindStage(folder, SLITHERLINK, SLITHERLINK.generate(PARAMETERS, None, SILENT).design))


def sentence(stage: KindStage) -> str:
    notice = stage.window.notices.notice()
    return "" if notice is None else notice.sentence


def test_a_book_has_puzzles_like_the_one_in_the_window(stage: KindStage, tmp_path: Path) -> None:
    def filled(dialog: OptionsDialog) -> Any:
        count, level = dialog.form.field("count"), dialog.form.field("hardest")
        assert isinstance(count, QAbstractSpinBox) and isinstance(level, QComboBox)
        dialog.show()
        count.setFocus()
        count.selectAll()
        QTest.keyClicks(count, "3")
        QTest.keyClick(count, Qt.Key.Key_Return)
        level.setFocus()
        QTest.keyClick(level, Qt.Key.Key_Up)
        request = dialog.request()
        dialog.hide()
        return request

    stage.answers.on_options = filled
    stage.answers.save = tmp_path / "book.pdf"
    stage.window.actions_["book"].trigger()
    assert stage.wait_for(lambda: sentence(stage).startswith("Saved: book.pdf, 3 puzzles on 4 pages"))
    texts = [page.extract_text() for page in PdfReader(tmp_path / "book.pdf").pages]
    assert "3 puzzles of 4 × 5 hexagons, from easy to tricky" in texts[0]


def test_a_book_can_be_given_up_and_is_then_not_there(stage: KindStage, tmp_path: Path) -> None:
    stage.answers.on_options = lambda dialog: BookOptions(count=500)
    stage.answers.save = tmp_path / "book.pdf"
    stage.window.actions_["book"].trigger()
    assert stage.wait_for(lambda: sentence(stage).endswith(" %"))
    notice = stage.window.notices.notice()
    assert notice is not None and notice.action is not None and notice.action.title == "Cancel"
    notice.action.do()
    assert sentence(stage) == "Export cancelled; book.pdf was not written."
    assert stage.wait_for(lambda: not stage.window.session.writing.is_writing)
    assert not (tmp_path / "book.pdf").exists()


def test_nothing_is_written_without_options_or_a_place(stage: KindStage) -> None:
    stage.answers.on_options = lambda dialog: None
    stage.window.actions_["book"].trigger()
    stage.answers.on_options = lambda dialog: dialog.request()
    stage.answers.save = None
    stage.window.actions_["book"].trigger()
    assert not stage.window.session.writing.is_writing
