"""Inches on the screen: every field, table and sentence follows at once, and the design stays as it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTableView

from studio.base.units import Unit, show_in
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.widgets.length_spin import NumberSpinBox
from tests.ui.stage import Stage


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path, JigsawDesign(JigsawParameters(columns=4, rows=3, width=254.0, height=127.0)))
    stage.settle()
    yield stage
    stage.close()
    show_in(Unit.MILLIMETRES)


def box(stage: Stage, title: str) -> NumberSpinBox:
    (found,) = [each for each in stage.window.form.findChildren(NumberSpinBox) if each.accessibleName() == title]
    return found


def test_inches_are_shown_everywhere_at_once(stage: Stage) -> None:
    before = stage.bytes
    stage.window.choose_unit(Unit.INCHES)
    stage.settle()
    assert box(stage, "Width").text() == "10.000 in"
    assert "in" in box(stage, "Width").toolTip().splitlines()[-1].split()
    (pieces,) = (table for title, table in stage.window.extension.tables if title == "Pieces")
    assert isinstance(pieces, QTableView)
    headings = [pieces.model().headerData(number, Qt.Orientation.Horizontal) for number in range(4)]
    assert headings[1:] == ["Area in²", "Width in", "Height in"]
    assert "2.500 × 1.667 in" in stage.extension.describe(stage.design.parameters)["Pieces"]
    assert stage.bytes == before
    stage.window.choose_unit(Unit.MILLIMETRES)
    assert box(stage, "Width").text() == "254.0 mm"
    assert stage.bytes == before


def test_a_number_without_a_unit_means_inches_where_inches_are_shown(stage: Stage) -> None:
    stage.window.choose_unit(Unit.INCHES)
    width = box(stage, "Width")
    width.setFocus()
    width.selectAll()
    QTest.keyClicks(width, "6")
    QTest.keyClick(width, Qt.Key.Key_Return)
    assert stage.design.parameters.width == pytest.approx(152.4)
    width.selectAll()
    QTest.keyClicks(width, "254 mm")
    QTest.keyClick(width, Qt.Key.Key_Return)
    assert stage.design.parameters.width == pytest.approx(254.0)
    QTest.keyClick(width, Qt.Key.Key_Up)
    QApplication.processEvents()
    assert stage.design.parameters.width == pytest.approx(254.0 + 2.54)


def test_the_choice_is_in_the_menu_and_is_remembered(stage: Stage) -> None:
    (menu,) = (each for each in stage.window.menuBar().findChildren(QMenu) if each.title() == "Units")
    assert [each.text() for each in menu.actions()] == ["Millimetres", "Inches"]
    menu.actions()[1].trigger()
    assert stage.window.preferences.unit() is Unit.INCHES
