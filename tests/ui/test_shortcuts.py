"""Shortcuts can be changed: at once everywhere, never two for one key, and back to the usual ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from studio.puzzles.cube.kind import CUBE
from studio.ui.session.actions import Actions, Command, plain, usable_key
from studio.ui.session.preferences import Preferences
from studio.ui.shell.palette import Palette
from studio.ui.shell.shortcuts import ShortcutsDialog
from tests.depth import examples
from tests.ui.stage import KindStage, Stage, staged

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
COMMANDS = [
    Command("save", "Save", "&File", lambda: None, ("Ctrl+S",)),
    Command("redo", "Redo", "&Edit", lambda: None, ("Ctrl+Shift+Z", "Ctrl+Y")),
    Command("flip", "Flip", "&Tongue", lambda: None, ("F",), on_canvas=True),
    Command("roll", "Randomise", "&Tongue", lambda: None, ("R",), on_canvas=True),
    Command("turn", "Rotate", "&Game", lambda: None, ("R",), on_canvas=True),
    Command("picture", "Picture", "&Edit", lambda: None),
]
stage = staged(Stage)


def opened(stage: KindStage) -> ShortcutsDialog:
    stage.window.actions_["shortcuts"].trigger()
    stage.settle()
    (dialog,) = stage.window.findChildren(ShortcutsDialog)
    return dialog


def record(dialog: ShortcutsDialog, name: str, key: Qt.Key, modifier: Qt.KeyboardModifier = CONTROL) -> None:
    """Choose a command and press its new key."""
    dialog.choose(name)
    dialog.key.setFocus()
    QTest.keyClick(dialog.key, key, modifier)
    QApplication.processEvents()


def keys(stage: KindStage, name: str) -> list[str]:
    return [each.toString() for each in stage.window.actions_[name].shortcuts()]


def test_a_recorded_key_holds_at_once_in_menu_tip_palette_and_after_a_restart(stage: Stage, tmp_path: Path) -> None:
    dialog = opened(stage)
    record(dialog, "zoom_in", Qt.Key.Key_J)
    assert keys(stage, "zoom_in") == ["Ctrl+J"] and "(Ctrl+J)" in stage.window.actions_["zoom_in"].toolTip()
    dialog.close()
    assert stage.wait_for(lambda: not stage.window.findChildren(ShortcutsDialog))
    before = stage.window.canvas.view.zoom
    stage.window.activateWindow()
    assert QTest.qWaitForWindowActive(stage.window)
    QTest.keyClick(stage.window, Qt.Key.Key_J, CONTROL)
    assert stage.window.canvas.view.zoom > before
    stage.window.actions_["palette"].trigger()
    (palette,) = stage.window.findChildren(Palette)
    assert next(one.key for one in palette.model.elements if one.title == "Zoom in") == "Ctrl+J"
    palette.close()
    again = Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    assert again.shortcuts() == {"zoom_in": ("Ctrl+J",)}


def test_a_key_of_another_command_is_named_and_taken_only_on_request(stage: Stage) -> None:
    dialog = opened(stage)
    record(dialog, "zoom_in", Qt.Key.Key_S)
    assert dialog.remark.sentence.text() == "Ctrl+S is the shortcut of File ▸ Save." and dialog.take.isVisible()
    assert keys(stage, "zoom_in") == ["Ctrl+=", "Ctrl++"] and keys(stage, "save") == ["Ctrl+S"]
    dialog.take.click()
    assert keys(stage, "zoom_in") == ["Ctrl+S"] and keys(stage, "save") == [] and not dialog.take.isVisible()
    assert "(" not in stage.window.actions_["save"].toolTip()
    dialog.choose("zoom_in")
    dialog.reset.click()
    assert keys(stage, "zoom_in") == ["Ctrl+=", "Ctrl++"]
    dialog.choose("save")
    dialog.reset.click()
    assert keys(stage, "save") == ["Ctrl+S"] and stage.preferences.shortcuts() == {}


def test_a_key_can_be_taken_away_and_all_come_back(stage: Stage) -> None:
    usual = stage.window.actions_.shortcuts()
    dialog = opened(stage)
    dialog.choose("save")
    dialog.remove.click()
    record(dialog, "picture", Qt.Key.Key_F9, Qt.KeyboardModifier.NoModifier)
    assert keys(stage, "save") == [] and keys(stage, "picture") == ["F9"]
    assert [one.name for one in dialog.model.elements if not one.is_default] == ["save", "picture"]
    dialog.reset_all.click()
    assert stage.window.actions_.shortcuts() == usual and stage.preferences.shortcuts() == {}
    assert not dialog.reset_all.isEnabled()


@pytest.mark.parametrize(
    "key", [Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Home], ids=["space", "left", "home"]
)  # fmt: skip
def test_keys_that_move_about_are_refused_in_a_sentence(stage: Stage, key: Qt.Key) -> None:
    dialog = opened(stage)
    record(dialog, "save", key, Qt.KeyboardModifier.NoModifier)
    assert "cannot be a shortcut by itself" in dialog.remark.sentence.text() and keys(stage, "save") == ["Ctrl+S"]


def test_the_table_is_searched_by_words_and_keys(stage: Stage) -> None:
    dialog = opened(stage)
    for text, name in (("rand tongue", "randomise"), ("ctrl+f8", "fix_all")):
        dialog.search.setText(text)
        assert [one.title.casefold() for one in dialog.model.elements][:1] == [name.replace("_", " ")]
    dialog.search.setText("x" * 10_000)
    assert dialog.model.elements == () and dialog.chosen is None and not dialog.key.isEnabled()
    dialog.search.clear()
    assert len(dialog.model.elements) > 60


def test_other_windows_follow_at_once(stage: Stage, tmp_path: Path) -> None:
    other = KindStage(tmp_path, CUBE, is_ready=False)
    record(opened(stage), "zoom_in", Qt.Key.Key_J)
    assert keys(other, "zoom_in") == ["Ctrl+J"]
    other.close()


def test_nothing_moves_when_a_conflict_is_told(stage: Stage) -> None:
    dialog = opened(stage)
    QApplication.processEvents()
    labels = [label for label in dialog.findChildren(QLabel) if label.isVisible()]
    parts = (dialog.table, dialog.key, dialog.reset, dialog.buttons, *labels)
    before = [part.geometry() for part in parts]
    record(dialog, "zoom_in", Qt.Key.Key_S)
    QApplication.processEvents()
    assert dialog.remark.isVisible() and [part.geometry() for part in parts] == before


def in_force(own: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    parent = QObject()
    actions = Actions(parent, own)
    actions.add(COMMANDS)
    return {command.name: [key.toString() for key in actions[command.name].shortcuts()] for command in COMMANDS}


def test_an_own_key_is_taken_from_the_command_that_has_it_by_default(qapp: QApplication) -> None:
    assert in_force({}) == {
        "save": ["Ctrl+S"], "redo": ["Ctrl+Shift+Z", "Ctrl+Y"], "flip": ["F"], "roll": ["R"], "turn": ["R"],
        "picture": [],
    }  # fmt: skip
    assert in_force({"picture": ("ctrl+y",)})["redo"] == ["Ctrl+Shift+Z"]
    assert in_force({"flip": ("R",)}) == in_force({}) | {"flip": ["R"], "roll": []}, "at play R is another key"
    assert in_force({"nobody": ("Ctrl+S",)}) == in_force({})


@settings(max_examples=examples(60))
@given(
    st.dictionaries(
        st.sampled_from([*(command.name for command in COMMANDS), "nobody"]),
        st.lists(st.one_of(st.sampled_from(["Ctrl+S", "R", "F", "Ctrl+Y", "F9", "\0", "+", ","]), st.text(max_size=4)),
                 max_size=4).map(tuple),
    )
)  # fmt: skip
def test_no_two_commands_that_are_heard_together_share_a_key_whatever_is_stored(
    qapp: QApplication, own: dict[str, tuple[str, ...]]
) -> None:
    found = in_force(own)
    known = {command.name: command for command in COMMANDS}
    for one, keys_of_one in found.items():
        for other, keys_of_other in found.items():
            apart = {plain(known[each].menu) for each in (one, other)} == {"Tongue", "Game"}
            if one != other and not apart:
                assert not set(keys_of_one) & set(keys_of_other)
    for name in known:
        if name not in own:
            assert set(found[name]) <= {QKeySequence(key).toString() for key in known[name].keys}


@given(st.text(max_size=12))
def test_a_usable_key_is_one_key(qapp: QApplication, text: str) -> None:
    key = usable_key(text)
    assert key == "" or QKeySequence(key).count() == 1


def test_stored_shortcuts_of_another_form_are_passed_over(tmp_path: Path) -> None:
    stored = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    preferences = Preferences(stored)
    for text in ("{", "[]", "7", '{"save": "Ctrl+S"}', '{"save": [7, null, "", "' + "x" * 99 + '"]}', "[" * 9999):
        stored.setValue("shortcuts", text)
        assert preferences.shortcuts() in ({}, {"save": ()})
