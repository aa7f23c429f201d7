"""No text that comes from a file, a name or a path is taken for mark-up."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolTip

from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.registry import kind
from tests.ui.stage import KindStage

NAME = "<img src=/nowhere/p>"


@pytest.mark.qt_log_ignore("This plugin does not support raise")
def test_a_name_with_mark_up_is_shown_as_it_is(qapp: QApplication, tmp_path: Path) -> None:
    design = CalendarDesign()
    pieces = (replace(design.set[0], name=NAME), *design.set[1:])
    stage = KindStage(tmp_path, kind("calendar"), replace(design, pieces=pieces))
    labels = [label for label in stage.window.findChildren(QLabel) if label.isVisible()]
    assert len(labels) > 20
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
    QToolTip.showText(QPoint(50, 50), NAME, stage.window)
    stage.settle()
    tips = [each for each in QApplication.topLevelWidgets() if isinstance(each, QLabel) and each.text() == NAME]
    assert [tip.textFormat() for tip in tips] == [Qt.TextFormat.PlainText]
    QToolTip.hideText()
    stage.close()


def test_only_our_own_messages_are_formatted(qapp: QApplication, tmp_path: Path) -> None:
    stage = KindStage(tmp_path, kind("jigsaw"))
    foreign = QMessageBox(stage.window)
    foreign.setText(NAME)
    foreign.setInformativeText(NAME)
    foreign.open()
    stage.settle()
    assert {label.textFormat() for label in foreign.findChildren(QLabel)} == {Qt.TextFormat.PlainText}
    foreign.close()
    stage.window.actions_["about"].trigger()
    stage.settle()
    box = next(box for box in stage.window.findChildren(QMessageBox) if box.windowTitle() == "About Puzzle Studio")
    label = box.findChild(QLabel, "qt_msgbox_label")
    assert isinstance(label, QLabel) and label.textFormat() is Qt.TextFormat.RichText
    box.close()
    stage.close()
