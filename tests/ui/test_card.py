"""From a new material over the test card to its recipe and the export, with the mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QWidget

from studio.checks.finding import Severity
from studio.fabricate.coupon import CardOptions, card_around
from studio.fabricate.recipes import resolved
from studio.fabricate.workshop import Machine, Material, every, one_of
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.panels.coupon import CouponDialog, CouponRequest
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from studio.ui.panels.workshop import WorkshopDialog
from tests.ui.measuring import cut_off
from tests.ui.stage import Stage, staged

stage = staged(lambda folder: Stage(folder, JigsawDesign(JigsawParameters(columns=3, rows=2, width=75, height=50))))
LEFT = Qt.MouseButton.LeftButton


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT)


def write(editor: QWidget | None, text: str) -> None:
    assert isinstance(editor, QAbstractSpinBox)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def add_material(dialog: WorkshopDialog) -> None:
    dialog.show()
    shelf = dialog.materials.list
    QTest.mouseClick(shelf.viewport(), LEFT, pos=shelf.visualItemRect(shelf.item(0)).center())
    click(dialog.copy)
    dialog.title.selectAll()
    QTest.keyClicks(dialog.title, "Lime 4 mm")
    write(dialog.form.field("thickness"), "4")
    click(dialog.buttons.button(dialog.buttons.StandardButton.Ok))


def pick(box: Any, key: str) -> None:
    box.setCurrentIndex(box.findData(key))
    box.activated.emit(box.currentIndex())


def test_the_way_of_a_maker_from_a_new_material_to_an_export_with_its_recipe(stage: Stage, tmp_path: Path) -> None:
    stage.answers.on_workshop = add_material
    stage.window.actions_["workshop"].trigger()
    (lime,) = [one for one in every(Material) if one.own]
    assert (lime.title, lime.value.thickness) == ("Lime 4 mm", 4.0)
    machine = one_of(Machine, "co2-600x400")
    assert resolved(machine, lime) is None

    def test_it(dialog: CouponDialog[Any]) -> CouponRequest[Any]:
        dialog.show()
        pick(dialog.first, lime.key)
        for name, text in (("power_first", "40"), ("power_last", "80"), ("speed_first", "6"), ("speed_last", "14")):
            write(dialog.form.field(name), text)
        assert stage.wait_for(lambda: dialog.export.isEnabled())
        assert dialog.windowTitle() == "Test card" and "25 squares" in dialog.summary.text()
        QApplication.processEvents()
        assert not cut_off(dialog)
        request = dialog.request()
        picture, (x, y) = dialog.pages.picture, request.made.middles[13].tolist()
        QTest.mouseClick(picture, LEFT, pos=picture.shown_at(x, y).toPoint())
        assert dialog.fitting.currentText() == "70 %, 10 mm/s"
        assert picture.marked is not None and picture.marked.center().toTuple() == (x, y)
        QTest.mouseClick(picture, LEFT, pos=picture.shown_at(1, 1).toPoint())
        assert dialog.fitting.currentText() == "70 %, 10 mm/s", "beside the squares nothing is chosen"
        click(dialog.keep)
        assert dialog.kept.sentence.text() == "Recipe of Lime 4 mm on CO2 laser 60 W, 600 × 400 mm, cut: 70 %, 10 mm/s."
        return request._replace(path=tmp_path / "card.lbrn2")

    stage.answers.on_coupon = test_it
    stage.window.actions_["card"].trigger()
    assert stage.wait_for(lambda: (tmp_path / "card.lbrn2").exists())
    stage.settle()
    assert len(ElementTree.parse(tmp_path / "card.lbrn2").getroot().findall("CutSetting")) == 26
    found = resolved(machine, lime)
    assert found is not None and found.recipe.cut is not None
    assert (found.recipe.cut.power_max, found.recipe.cut.speed) == (70, 10)

    def export_it(dialog: ExportDialog) -> ExportRequest:
        dialog.show()
        pick(dialog.making.material, lime.key)
        assert stage.wait_for(lambda: dialog.trial.outcome is not None)
        return dialog.request()._replace(path=tmp_path / "board.lbrn2")

    stage.answers.at_export = export_it
    stage.window.actions_["export"].trigger()
    assert stage.wait_for(lambda: (tmp_path / "board.lbrn2").exists())
    stage.settle()
    for layer in ElementTree.parse(tmp_path / "board.lbrn2").getroot().findall("CutSetting"):
        values = {child.tag: child.get("Value", "") for child in layer}
        assert (values["maxPower"], values["speed"], values["numPasses"]) == ("70", "10", "1")


def test_a_card_in_g_code_names_its_machine_and_asks_for_no_power_of_cuts(stage: Stage, tmp_path: Path) -> None:
    def choose(dialog: CouponDialog[Any]) -> CouponRequest[Any]:
        dialog.show()
        assert stage.wait_for(lambda: dialog.export.isEnabled())
        pick(dialog.file.format, ".gcode")
        QApplication.processEvents()
        form = dialog.file.form
        assert [form.field(name).isVisible() for name in ("max_power", "cut_power", "rest")] == [True, False, False]
        return dialog.request()._replace(path=tmp_path / "card.gcode")

    stage.answers.on_coupon = choose
    stage.window.actions_["card"].trigger()
    assert stage.wait_for(lambda: (tmp_path / "card.gcode").exists())
    stage.settle()
    head = (tmp_path / "card.gcode").read_text(encoding="ascii").splitlines()[:6]
    assert head[2].startswith("; machine: CO2 laser 60 W") and head[3] == "; material: Birch plywood 3 mm"


def test_another_work_is_tried_around_its_own_recipe(stage: Stage) -> None:
    seen: list[CardOptions] = []

    def look(dialog: CouponDialog[Any]) -> None:
        dialog.show()
        for work in ("engrave", "raster", "cut"):
            field = dialog.form.field("work")
            pick(field, work)
            seen.append(dialog.form.parameters())
        assert dialog.fitting.currentText() == "65 %, 15 mm/s"

    stage.answers.on_coupon = look
    stage.window.actions_["card"].trigger()
    recipe = resolved(one_of(Machine, "co2-600x400"), one_of(Material, "plywood-3"))
    assert recipe is not None
    assert seen == [card_around(recipe.recipe, work) for work in ("engrave", "raster", "cut")]


def test_the_add_on_for_rayforge_is_installed_by_the_menu(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "rayforge"
    monkeypatch.setenv("RAYFORGE_CONFIG_DIR", str(settings))
    stage.window.actions_["rayforge"].trigger()
    notice = stage.window.notices.notice()
    assert notice is not None and notice.severity is Severity.ERROR and "Start Rayforge once" in notice.sentence
    settings.mkdir()
    stage.window.actions_["rayforge"].trigger()
    notice = stage.window.notices.notice()
    assert notice is not None and notice.severity is Severity.HINT
    assert f"Installed the add-on in {settings / 'addons' / 'puzzle_studio'}." in notice.sentence
    assert (settings / "addons" / "puzzle_studio" / "studio.json").is_file()
