"""Edits are typed in the window as on the command line: one step, undone to the byte, refused in a sentence."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from studio.base.progress import SILENT
from studio.files.store import dumps
from studio.puzzles.abilities.ability import Editable
from studio.puzzles.registry import kind
from studio.ui.abilities.editable import EditDialog
from studio.ui.session.jobs import Client
from tests.edits import EDITS, REFUSED
from tests.puzzles.latin import LATIN
from tests.ui.stage import KindStage


@pytest.fixture(params=EDITS)
def stage(qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[KindStage]:
    made = KindStage(tmp_path, kind(request.param))
    yield made
    made.close()


def edit(stage: KindStage, text: str) -> None:
    stage.answers.on_edit = text
    stage.window.actions_["edit_text"].trigger()
    assert stage.wait_for(lambda: not stage.window.session.changing.is_under_way)


def test_typed_edits_are_one_step_and_undo_restores_the_bytes(stage: KindStage) -> None:
    one, before, history = stage.document.kind, stage.bytes, stage.document.history
    design, texts = stage.document.design, EDITS[stage.document.kind.key]
    edit(stage, texts[0])
    assert stage.bytes == dumps(one, one.edit(texts[0])(design, SILENT).design) != before
    assert (history.count(), history.undoText()) == (1, texts[0])
    edit(stage, "; ".join(texts))
    assert history.count() == 2 and history.undoText()[:60] == "; ".join(texts)[:60]
    history.undo()
    history.undo()
    assert stage.bytes == before


def test_typed_edits_that_cannot_be_are_refused_and_leave_no_step(stage: KindStage) -> None:
    before = stage.bytes
    for text, sentence in REFUSED[stage.document.kind.key]:
        edit(stage, text)
        assert stage.posted().startswith(sentence) and stage.bytes == before and not stage.document.history.count()


def test_the_dialog_completes_the_words_of_a_form_and_keeps_a_refused_text(qtbot: QtBot) -> None:
    dialog = EditDialog(kind("zigzaw").need(Editable).forms)
    qtbot.addWidget(dialog)
    dialog.start = lambda text, client: client.refuse(f"Not {text}.")
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.line.hasFocus)
    for typed, meant in (("Co", "Colour "), ("us", "use built-in palette"), ("reset N", "reset N"), ("ch", "change ")):
        dialog.line.clear()
        QTest.keyClicks(dialog.line, typed)
        assert dialog.line.text() == meant
    QTest.keyClick(dialog.line, Qt.Key.Key_End)
    QTest.keyClicks(dialog.line, "red")
    QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    assert dialog.isVisible() and dialog.problem.sentence.text() == "Not change red." and dialog.line.text()


def test_return_tries_a_corrected_text_again_where_the_work_was_refused(qtbot: QtBot) -> None:
    dialog = EditDialog(kind("zigzaw").need(Editable).forms)
    qtbot.addWidget(dialog)
    tried: list[str] = []

    def start(text: str, client: Client) -> None:
        tried.append(text)
        client.wait(lambda: None)
        client.refuse(f"Not {text}.")

    dialog.start = start
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.line.hasFocus)
    for text in ("dance A1", "dance A2"):
        dialog.line.clear()
        QTest.keyClicks(dialog.line, text)
        QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    assert tried == ["dance A1", "dance A2"] and dialog.isVisible()


def test_a_kind_without_edits_as_texts_has_no_such_command(qtbot: QtBot, tmp_path: Path) -> None:
    stage = KindStage(tmp_path, LATIN)
    assert "edit_text" not in stage.window.actions_
    stage.close()
