"""Recipes are edited in one table for a machine and a material; nothing is kept before OK."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from studio.base.folders import own_folder
from studio.exporting.readers.lightburn import read_library
from studio.exporting.writers.lightburn import library
from studio.fabricate.recipes import own_recipes, resolved
from studio.fabricate.workshop import Machine, Material, Named, every, one_of, own_keys
from studio.geometry.planar.drawing import WORKS, LibraryEntry, Recipe, Setting
from studio.ui.panels.recipes import ROWS
from studio.ui.panels.workshop import WorkshopDialog, WorkshopList
from tests.ui.measuring import cut_off

Open = Callable[..., WorkshopDialog]
CO2, PLY = "co2-600x400", "plywood-3"


@pytest.fixture
def show(qtbot: QtBot, tmp_path: Path) -> Iterator[Open]:
    owner = QWidget()
    qtbot.addWidget(owner)
    opened: list[WorkshopDialog] = []

    def shown(machine: str = CO2, material: str = PLY, file: Path | None = None) -> WorkshopDialog:
        dialog = WorkshopDialog(machine, material, owner, choose=(lambda _: file, lambda _: file))
        dialog.show()
        opened.append(dialog)
        qtbot.waitUntil(dialog.isActiveWindow)
        bar = dialog.sides.tabBar()
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
        assert dialog.recipe.isVisible()
        return dialog

    yield shown
    for dialog in opened:
        dialog.reject()


def press(dialog: WorkshopDialog, button: QWidget | None = None) -> None:
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    QTest.mouseClick(button or ok, Qt.MouseButton.LeftButton)


def pick(shelf: WorkshopList, title: str) -> None:
    (item,) = shelf.list.findItems(title, Qt.MatchFlag.MatchExactly)
    QTest.mouseClick(shelf.list.viewport(), Qt.MouseButton.LeftButton, pos=shelf.list.visualItemRect(item).center())


def place(dialog: WorkshopDialog, work: str, name: str) -> QPoint:
    table = dialog.recipe.table
    return table.visualRect(table.model().index(ROWS.index(name), 1 + WORKS.index(work))).center()


def click(dialog: WorkshopDialog, work: str, name: str) -> None:
    table = dialog.recipe.table
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place(dialog, work, name))


def enter(dialog: WorkshopDialog, work: str, name: str, text: str) -> None:
    """Double-click a cell and type a value."""
    table = dialog.recipe.table
    click(dialog, work, name)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place(dialog, work, name))
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    # Qt carries the entry out afterwards.
    QApplication.processEvents()


def tick(dialog: WorkshopDialog, work: str, name: str) -> None:
    table = dialog.recipe.table
    rect = table.visualRect(table.model().index(ROWS.index(name), 1 + WORKS.index(work)))
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(rect.left() + 10, rect.center().y()))


def text(dialog: WorkshopDialog, work: str, name: str) -> str:
    model = dialog.recipe.model
    return str(model.data(model.index(ROWS.index(name), 1 + WORKS.index(work))))


def recipe(machine: str = CO2, material: str = PLY) -> Recipe:
    found = resolved(one_of(Machine, machine), one_of(Material, material))
    return Recipe() if found is None else found.recipe


def test_the_table_shows_the_recipe_of_the_chosen_machine_and_material(show: Open) -> None:
    dialog = show()
    assert [text(dialog, work, "speed") for work in WORKS] == ["15", "100", "100", "100", "250"]
    assert (text(dialog, "cut", "kerf"), text(dialog, "raster", "dpi")) == ("Material", "254")
    assert dialog.recipe.heading.text() == "Birch plywood 3 mm on CO2 laser 60 W, 600 × 400 mm"
    pick(dialog.materials, "MDF 3 mm")
    assert text(dialog, "cut", "speed") == "10"
    pick(dialog.machines, "Diode laser 10 W, 400 × 400 mm")
    assert (text(dialog, "cut", "speed"), text(dialog, "cut", "passes")) == ("4", "2")
    pick(dialog.materials, "Cork 3 mm")
    assert text(dialog, "cut", "speed") == "–"
    QApplication.processEvents()
    assert not cut_off(dialog)


def test_every_value_is_entered_by_mouse_and_keys_and_kept_at_ok(show: Open) -> None:
    dialog = show(material="cork-3")
    values = {"power_max": "62.5", "power_min": "41", "speed": "13.5", "passes": "2", "focus": "-1.5", "note": "Lens 2"}
    for work in WORKS:
        for name, value in values.items():
            enter(dialog, work, name, value)
        tick(dialog, work, "air")
    enter(dialog, "cut", "kerf", "0.17")
    enter(dialog, "raster", "dpi", "318")
    assert text(dialog, "raster", "interval") == "0.07987"
    assert own_recipes(CO2) == {}, "nothing is kept before OK"
    press(dialog)
    one = Setting(power_max=62.5, power_min=41, speed=13.5, passes=2, air=True, focus=-1.5, note="Lens 2")
    found = recipe(material="cork-3")
    assert (found.score, found.engrave, found.mark) == (one, one, one)
    assert found.cut == Setting(**{**vars(one), "kerf": 0.17})
    assert found.raster is not None and found.raster.dpi == pytest.approx(318, abs=0.01)


def test_a_value_is_inherited_again_by_the_delete_key_or_the_button(show: Open) -> None:
    dialog = show()
    enter(dialog, "cut", "speed", "12")
    enter(dialog, "score", "speed", "80")
    click(dialog, "cut", "speed")
    assert dialog.recipe.source.text() == "Speed for cut: set here. Delete inherits it again."
    QTest.keyClick(dialog.recipe.table, Qt.Key.Key_Delete)
    assert text(dialog, "cut", "speed") == "15"
    assert dialog.recipe.source.text() == "Speed for cut: from CO2, 60 W."
    assert not dialog.recipe.inherit.isEnabled()
    click(dialog, "score", "speed")
    press(dialog, dialog.recipe.inherit)
    assert text(dialog, "score", "speed") == "100"
    press(dialog)
    assert own_recipes(CO2) == {} and not (own_folder() / "recipes" / f"{CO2}.json").exists()


def test_values_for_all_materials_are_inherited_by_each(show: Open) -> None:
    dialog = show()
    box = dialog.recipe.for_all
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    enter(dialog, "cut", "focus", "-1")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert text(dialog, "cut", "focus") == "-1"
    click(dialog, "cut", "focus")
    assert dialog.recipe.source.text() == "Focus for cut: from All materials."
    press(dialog)
    assert [one.cut.focus for key in (PLY, "mdf-3") if (one := recipe(material=key)).cut] == [-1, -1]


def test_cancel_keeps_no_recipe(show: Open) -> None:
    dialog = show()
    enter(dialog, "cut", "speed", "12")
    press(dialog, dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel))
    assert own_recipes(CO2) == {}


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [("power_max", "101", "Max power must be 0 to 100 %, not"), ("speed", "fast", "Speed"),
     ("passes", "0", "Passes must"),
     ("dpi", "0", "Enter a number for Resolution, dpi."), ("interval", "9", "Line interval must")],
)  # fmt: skip
def test_a_value_that_no_machine_has_is_refused_at_the_table(show: Open, name: str, value: str, sentence: str) -> None:
    dialog = show()
    before = text(dialog, "raster", name)
    enter(dialog, "raster", name, value)
    assert dialog.recipe.refusal.text().startswith(sentence)
    assert text(dialog, "raster", name) == before
    enter(dialog, "raster", "speed", "200")
    assert not dialog.recipe.refusal.isVisible()


def test_what_counts_for_other_work_alone_cannot_be_entered(show: Open) -> None:
    dialog = show()
    model = dialog.recipe.model
    for work, name in (("score", "kerf"), ("cut", "interval"), ("engrave", "dpi")):
        cell = model.index(ROWS.index(name), 1 + WORKS.index(work))
        assert not cell.flags() & Qt.ItemFlag.ItemIsEditable and cell.data() is None


def test_a_library_is_read_into_new_materials_and_written_again(show: Open, tmp_path: Path) -> None:
    path = tmp_path / "shop.clb"
    entries = [
        LibraryEntry("Walnut", 2.5, "cut", Setting(power_max=72, power_min=60, speed=11, air=True, kerf=0.18)),
        LibraryEntry("MDF 3 mm", 3.0, "raster", Setting(power_max=22, speed=280, interval=0.08)),
    ]
    path.write_bytes(library("Shop", entries))
    dialog = show(file=path)
    press(dialog, dialog.recipe.read)
    assert dialog.recipe.told.sentence.text() == "Read 2 settings for 2 materials, 1 new."
    pick(dialog.materials, "Walnut 2.5 mm (custom)")
    assert (text(dialog, "cut", "speed"), text(dialog, "cut", "kerf")) == ("11", "0.18")
    assert not own_keys(Material)
    press(dialog, dialog.recipe.write)
    written, problems = read_library(path.read_bytes())
    assert problems == () and LibraryEntry("Walnut 2.5 mm", 2.5, "cut", entries[0].setting) in written
    assert entries[1] in written and len(written) == 21
    press(dialog)
    (walnut,) = [one for one in every(Material) if one.own]
    assert (walnut.title, walnut.value.thickness) == ("Walnut 2.5 mm", 2.5)
    assert recipe(material=walnut.key).cut == entries[0].setting


def test_a_file_that_is_no_library_is_told(show: Open, tmp_path: Path) -> None:
    path = tmp_path / "shop.clb"
    path.write_text("a note")
    dialog = show(file=path)
    press(dialog, dialog.recipe.read)
    assert dialog.recipe.told.sentence.text().startswith("shop.clb cannot be read: This is not a LightBurn library")


def test_the_recipes_of_a_deleted_machine_and_material_go_with_it(show: Open) -> None:
    from studio.fabricate.recipes import keep_values
    from studio.fabricate.workshop import keep

    keep(Named("felt", "Felt", Material(thickness=2)))
    keep(Named("old", "Old", Machine()))
    for machine, material in (("old", PLY), (CO2, "felt"), (CO2, PLY)):
        keep_values(machine, material, {"cut": {"power_max": 10.0, "speed": 5.0}})
    dialog = show("old", "felt")
    QTest.mouseClick(dialog.sides.tabBar(), Qt.MouseButton.LeftButton, pos=dialog.sides.tabBar().tabRect(0).center())
    for shelf, title in ((dialog.machines, "Old (custom)"), (dialog.materials, "Felt (custom)")):
        pick(shelf, title)
        press(dialog, dialog.remove)
    press(dialog)
    assert own_recipes("old") == {}
    assert own_recipes(CO2) == {PLY: {"cut": {"power_max": 10.0, "speed": 5.0}}}


def test_a_file_of_recipes_that_cannot_be_used_is_told_and_never_written_over(show: Open) -> None:
    folder = own_folder() / "recipes"
    folder.mkdir(parents=True)
    (folder / f"{CO2}.json").write_text("{")
    dialog = show()
    assert f"recipes/{CO2}.json cannot be used" in dialog.unreadable.sentence.text()
    model = dialog.recipe.model
    assert not model.flags(model.index(0, 1)) & Qt.ItemFlag.ItemIsEditable and not dialog.recipe.read.isEnabled()
    press(dialog)
    assert (folder / f"{CO2}.json").read_text() == "{"
