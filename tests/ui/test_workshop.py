"""Machines and materials are looked at, changed, copied and taken back; nothing is kept before OK."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QDialogButtonBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from studio.base.folders import own_folder
from studio.fabricate.workshop import Machine, Material, Named, every, keep, one_of, own_keys, presets
from studio.ui.panels.workshop import WorkshopDialog, WorkshopList

OK, CANCEL = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel
Open = Callable[..., WorkshopDialog]


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Open]:
    owner = QWidget()
    qtbot.addWidget(owner)
    opened: list[WorkshopDialog] = []

    def shown(machine: str = "", material: str = "") -> WorkshopDialog:
        dialog = WorkshopDialog(machine, material, owner)
        dialog.show()
        opened.append(dialog)
        qtbot.waitUntil(dialog.isActiveWindow)
        return dialog

    yield shown
    for dialog in opened:
        dialog.reject()


def press(dialog: WorkshopDialog, button: QDialogButtonBox.StandardButton) -> None:
    QTest.mouseClick(dialog.buttons.button(button), Qt.MouseButton.LeftButton)


def pick(shelf: WorkshopList, row: int) -> None:
    item = shelf.list.item(row)
    QTest.mouseClick(
        shelf.list.viewport(), Qt.MouseButton.LeftButton, pos=shelf.list.visualItemRect(item).center()
    )  # fmt: skip


def write(dialog: WorkshopDialog, name: str, text: str) -> None:
    editor = dialog.form.field(name)
    assert isinstance(editor, QAbstractSpinBox)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def call(dialog: WorkshopDialog, title: str) -> None:
    dialog.title.setFocus()
    dialog.title.selectAll()
    QTest.keyClick(dialog.title, Qt.Key.Key_Delete)
    QTest.keyClicks(dialog.title, title)


def rows(shelf: WorkshopList) -> list[str]:
    return [shelf.list.item(row).text() for row in range(shelf.list.count())]


def texts(dialog: WorkshopDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def test_everything_there_is_stands_on_two_lists(show: Open) -> None:
    keep(Named("old-one", "The old one", Machine(bed_width=310)))
    dialog = show()
    assert rows(dialog.machines) == [one.title for one in presets(Machine)] + ["The old one (custom)"]
    assert rows(dialog.materials) == [one.title for one in presets(Material)]


def test_it_opens_on_what_is_in_use(show: Open) -> None:
    dialog = show("diode-400x400", "mdf-3")
    assert dialog.title.text() == one_of(Machine, "diode-400x400").title
    assert dialog.form.parameters() == one_of(Machine, "diode-400x400").value
    assert dialog.materials.current.key == "mdf-3"
    assert show("sold", "burnt").machines.current.key == every(Machine)[0].key


def test_a_row_shows_its_figures(show: Open) -> None:
    dialog = show()
    pick(dialog.machines, 2)
    assert dialog.form.parameters() == every(Machine)[2].value
    pick(dialog.materials, 1)
    assert dialog.form.parameters() == every(Material)[1].value
    assert dialog.title.text() == every(Material)[1].title
    pick(dialog.machines, 2)
    assert dialog.title.text() == every(Machine)[2].title, "the row that was current is shown again"


def test_rows_are_walked_with_the_arrow_keys(show: Open) -> None:
    dialog = show()
    dialog.materials.list.setFocus()
    QTest.keyClick(dialog.materials.list, Qt.Key.Key_Down)
    assert dialog.title.text() == every(Material)[1].title


def test_a_changed_preset_becomes_the_makers_own_at_ok(qtbot: QtBot, show: Open) -> None:
    dialog = show("co2-600x400")
    write(dialog, "cut_speed", "12")
    assert f"{one_of(Machine, 'co2-600x400').title} (custom)" in rows(dialog.machines)
    assert not own_keys(Machine), "nothing is kept before OK"
    with qtbot.waitSignal(dialog.accepted):
        press(dialog, OK)
    assert one_of(Machine, "co2-600x400").value.cut_speed == 12 and one_of(Machine, "co2-600x400").own


def test_cancel_keeps_nothing(qtbot: QtBot, show: Open) -> None:
    dialog = show("co2-600x400")
    write(dialog, "cut_speed", "12")
    QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(dialog.rejected):
        press(dialog, CANCEL)
    assert not own_keys(Machine)


def test_what_is_changed_there_and_back_is_a_preset_again(show: Open) -> None:
    dialog = show("co2-600x400")
    write(dialog, "cut_speed", "12")
    write(dialog, "cut_speed", "15")
    assert not any("(custom)" in row for row in rows(dialog.machines))
    press(dialog, OK)
    assert not own_keys(Machine)


def test_an_own_one_over_a_preset_is_reset_to_it(show: Open) -> None:
    like = one_of(Machine, "co2-600x400")
    keep(Named("co2-600x400", "Mine", Machine(cut_speed=3.0)))
    dialog = show("co2-600x400")
    assert dialog.remove.text() == "Restore default"
    QTest.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    assert dialog.title.text() == like.title and not dialog.remove.isEnabled()
    press(dialog, OK)
    assert not own_keys(Machine) and one_of(Machine, "co2-600x400") == like


def test_an_own_one_is_deleted(show: Open) -> None:
    keep(Named("felt", "Felt", Material(thickness=2)))
    dialog = show("", "felt")
    pick(dialog.materials, dialog.materials.list.count() - 1)
    assert dialog.remove.text() == "Delete"
    QTest.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    assert "Felt (custom)" not in rows(dialog.materials)
    press(dialog, OK)
    assert not own_keys(Material)


def test_a_copy_is_named_changed_and_kept(show: Open) -> None:
    dialog = show("", "plywood-3")
    pick(dialog.materials, rows(dialog.materials).index(one_of(Material, "plywood-3").title))
    QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert dialog.title.hasFocus() and dialog.title.selectedText() == f"{one_of(Material, 'plywood-3').title} (copy)"
    call(dialog, "Lime, 4 mm")
    write(dialog, "thickness", "4")
    press(dialog, OK)
    (own,) = [one for one in every(Material) if one.own]
    assert (own.title, own.value) == ("Lime, 4 mm", Material(thickness=4.0))
    assert one_of(Material, "plywood-3").own is False


def test_two_copies_have_keys_and_titles_of_their_own(show: Open) -> None:
    dialog = show("co2-600x400")
    for _ in range(2):
        dialog.machines.choose("co2-600x400")
        QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    press(dialog, OK)
    titles = [one.title for one in every(Machine) if one.own]
    assert len(titles) == len(set(titles)) == 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("", "Machines: every entry needs a name."),
        ("  ", "Machines: every entry needs a name."),
        ("Twin", "Machines: two entries are named Twin. Rename one."),
    ],
)
def test_a_title_that_cannot_be_is_refused(show: Open, title: str, sentence: str) -> None:
    keep(Named("twin", "Twin", Machine()))
    dialog = show("co2-600x400")
    call(dialog, title)
    assert sentence in texts(dialog)
    assert not dialog.buttons.button(OK).isEnabled()
    dialog.accept()
    assert dialog.isVisible()
    call(dialog, "Another")
    assert dialog.buttons.button(OK).isEnabled()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["0", "-4"])
def test_a_speed_of_nothing_or_less_is_refused_at_its_field(show: Open, text: str) -> None:
    dialog = show("co2-600x400")
    write(dialog, "cut_speed", text)
    assert dialog.form.refusal("cut_speed").startswith("Cutting must be 0.1 to 3000")
    assert dialog.machines.current.value == one_of(Machine, "co2-600x400").value


def test_a_figure_is_reset_to_that_of_the_preset(show: Open) -> None:
    dialog = show("diode-400x400")
    usual = one_of(Machine, "diode-400x400").value
    write(dialog, "rapid_speed", "77")
    (reset,) = [
        one for one in dialog.form.findChildren(QWidget) if one.accessibleName().startswith("Reset travel to")
    ]  # fmt: skip
    assert f"{usual.rapid_speed:g} mm/s" in reset.accessibleName()
    QTest.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert dialog.form.parameters().rapid_speed == usual.rapid_speed


def test_a_file_of_ones_own_that_cannot_be_read_is_told_and_not_written_over(show: Open) -> None:
    folder = own_folder() / "machines"
    folder.mkdir(parents=True)
    broken = folder / "co2-laser-60-w-600-400-mm-copy.json"
    broken.write_text("{", encoding="utf-8")
    dialog = show("co2-600x400")
    assert (
        "co2-laser-60-w-600-400-mm-copy.json cannot be used: the file is incomplete (ends at line 1, column 2)."
        in texts(dialog)
    )
    QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    press(dialog, OK)
    assert broken.read_text(encoding="utf-8") == "{"
    assert len(own_keys(Machine)) == 2


def test_what_cannot_be_kept_is_told_and_the_dialog_stays(show: Open) -> None:
    own_folder().parent.mkdir(parents=True, exist_ok=True)
    own_folder().write_text("a file where the folder should be", encoding="utf-8")
    dialog = show("co2-600x400")
    write(dialog, "cut_speed", "12")
    press(dialog, OK)
    assert dialog.isVisible() and dialog.failure.isVisible() and dialog.failure.sentence.text()


def test_every_stop_of_the_tab_key_has_a_name(show: Open) -> None:
    dialog = show()
    stops: list[QWidget] = []
    at = dialog.focusWidget()
    while at is not None and at not in stops and len(stops) < 40:
        stops.append(at)
        QTest.keyClick(at, Qt.Key.Key_Tab)
        at = dialog.focusWidget()
    names = [stop.accessibleName() for stop in stops if stop not in dialog.findChildren(type(dialog.copy))]
    assert all(names)
    assert {"Machines", "Materials", "Name", "Bed width", "Raster engraving"} <= set(names)
    assert {dialog.copy, dialog.buttons.button(OK)} <= set(stops)
