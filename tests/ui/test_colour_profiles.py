"""Colour profiles in the window: a copy is changed, kept at OK and offered by the next export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from studio.base.folders import own_folder
from studio.exporting.colour_profiles import broken_profiles, own_profiles, profile
from studio.ui.panels.colour_profiles import ProfilesDialog
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from tests.ui.stage import Stage, staged

stage = staged(Stage)


def edit(stage: Stage, act: Callable[[ProfilesDialog], object]) -> None:
    """Open the dialog from the menu and do something in it."""

    def look(dialog: ProfilesDialog) -> None:
        dialog.show()
        act(dialog)

    stage.answers.on_profiles = look
    stage.window.actions_["profiles"].trigger()
    stage.settle()


def copy_with_colour(dialog: ProfilesDialog) -> None:
    dialog.list.setCurrentRow(0)
    dialog.copy.click()
    QTest.keyClicks(dialog.title, "My laser")
    dialog.rows[2].colour.click()
    dialog.rows[2].name.selectAll()
    QTest.keyClicks(dialog.rows[2].name, "inner parts")


def ok(dialog: ProfilesDialog) -> None:
    QTest.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)


def test_a_copy_is_changed_kept_and_offered_by_the_next_export(stage: Stage, tmp_path: Path) -> None:
    stage.answers.on_colour = QColor("#008080")

    def act(dialog: ProfilesDialog) -> None:
        assert not dialog.rows[0].name.isEnabled() and not dialog.remove.isEnabled()
        seen = dialog.rows[1].colour.icon().pixmap(8, 8, QIcon.Mode.Disabled).toImage().pixelColor(4, 4)
        assert seen.name() == dialog.rows[1].colour.text().lower(), "what cannot be changed has its colour, too"
        copy_with_colour(dialog)
        assert own_profiles() == (), "nothing is written before OK"
        ok(dialog)

    edit(stage, act)
    (own,) = own_profiles()
    assert (own.title, own.layers[2].name, own.layers[2].colour) == ("My laser", "INNER_PARTS", "#008080")
    assert own.layers[3] == profile("lightburn").layers[3]

    offered: list[str] = []

    def export(dialog: ExportDialog) -> ExportRequest | None:
        box = dialog.file.form.field("profile")
        offered.extend(box.itemText(row) for row in range(box.count()))  # type: ignore[attr-defined]
        return None

    stage.answers.at_export = export
    stage.window.actions_["export"].trigger()
    stage.settle()
    assert offered[-1] == "My laser"


def test_cancel_keeps_nothing_and_delete_takes_it_from_the_disk(stage: Stage) -> None:
    stage.answers.on_colour = None

    def copy_and(end: Callable[[ProfilesDialog], object]) -> None:
        def act(dialog: ProfilesDialog) -> None:
            copy_with_colour(dialog)
            end(dialog)

        edit(stage, act)

    copy_and(ProfilesDialog.reject)
    assert own_profiles() == ()
    copy_and(ok)
    (own,) = own_profiles()

    def delete(dialog: ProfilesDialog) -> None:
        dialog.list.setCurrentRow(dialog.list.count() - 1)
        assert dialog.chosen == own and dialog.remove.isEnabled()
        dialog.remove.click()
        assert own_profiles() == (own,)
        ok(dialog)

    edit(stage, delete)
    assert own_profiles() == ()


def test_what_makes_no_profile_is_said_and_cannot_be_kept(stage: Stage) -> None:
    def act(dialog: ProfilesDialog) -> None:
        dialog.copy.click()
        enter = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
        first = dialog.rows[0]
        for text, words in (("", "capitals"), ("a-b", "capitals"), ("SCORE", "same name"), ("DEFPOINTS", "never cut")):
            first.name.selectAll()
            QTest.keyClick(first.name, Qt.Key.Key_Delete)
            QTest.keyClicks(first.name, text)
            assert words in dialog.remark.sentence.text() and not enter.isEnabled() and not dialog.list.isEnabled()
        first.name.selectAll()
        QTest.keyClicks(first.name, "burn")
        assert not dialog.remark.isVisible() and enter.isEnabled()
        dialog.rows[1].cut.setValue(dialog.rows[0].cut.value())
        assert "same LightBurn layer" in dialog.remark.sentence.text()
        dialog.rows[1].cut.setValue(9)
        dialog.title.setText("LightBurn")
        dialog.title.textEdited.emit("LightBurn")
        assert "Two profiles are named LightBurn" in dialog.remark.sentence.text()
        dialog.remove.click()
        assert enter.isEnabled()
        dialog.reject()

    edit(stage, act)
    assert own_profiles() == ()


def test_a_file_that_is_none_is_told_and_left_alone(stage: Stage) -> None:
    folder = own_folder() / "profiles"
    folder.mkdir(parents=True)
    (folder / "lightburn-copy.json").write_text("{")

    def act(dialog: ProfilesDialog) -> None:
        assert "lightburn-copy.json cannot be used" in dialog.unreadable.sentence.text()
        dialog.list.setCurrentRow(0)
        dialog.copy.click()
        ok(dialog)

    edit(stage, act)
    assert [one.key for one in own_profiles()] == ["lightburn-copy-2"]
    assert list(broken_profiles()) == ["lightburn-copy"] and (folder / "lightburn-copy.json").read_text() == "{"
