"""Keys without a Latin letter mean what is on their places of a US keyboard, except where text is written."""

# ruff: noqa: RUF001 - letters that look alike are what this is about

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget

from studio.ui.shell import shortcuts
from studio.ui.shell.shortcuts import LatinKeys, latin

NO_KEY, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier,
)  # fmt: skip
K, Z, BRACKET = 45, 52, 34
"""Scan codes."""


@pytest.mark.parametrize(
    ("letter", "scan", "shift", "sign"),
    [
        ("Л", K, False, "k"), ("Л", K, True, "K"), ("Κ", K, False, "k"), ("ل", 43, False, "h"), ("ל", K, False, "k"),
        ("Х", BRACKET, False, "["), ("Х", BRACKET, True, "{"), ("Я", Z, False, "z"), ("Ж", 47, True, ":"),
        ("١", 10, False, "1"), ("ก", 40, False, "d"),
        # Keys that have a Latin letter or sign keep it, wherever they are: Dvorak, German, French, Vietnamese.
        ("T", K, False, ""), ("Ö", 47, False, ""), ("É", 11, False, ""), ("Ữ", 34, False, ""), ("§", 49, False, ""),
        # Not on a US keyboard.
        ("Л", 133, False, ""),
    ],
)  # fmt: skip
def test_a_foreign_letter_means_the_sign_on_its_place(letter: str, scan: int, shift: bool, sign: str) -> None:
    assert latin(ord(letter), scan, shift=shift) == sign


@pytest.mark.parametrize(
    ("sign", "scan", "shift", "meant"),
    [(";", 24, False, "q"), (":", 24, True, "Q"), ("/", 24, False, "q"), ("'", 25, False, "w"), (";", 47, False, ""),
     ("3", 12, False, ""), ("q", 24, False, "")],
)  # fmt: skip
def test_punctuation_on_a_letters_place_means_the_letter_on_a_foreign_layout_only(
    sign: str, scan: int, shift: bool, meant: str
) -> None:
    assert latin(ord(sign), scan, shift=shift, foreign_layout=True) == meant
    assert latin(ord(sign), scan, shift=shift) == "", "Dvorak has Latin letters"


@pytest.mark.parametrize("key", [Qt.Key.Key_F1, Qt.Key.Key_Left, Qt.Key.Key_Dead_Acute, Qt.Key.Key_Return])
def test_keys_that_write_nothing_are_left_alone(key: Qt.Key) -> None:
    assert latin(key.value, K, shift=False) == ""


class Desk:
    """A window with a button and a text field, and shortcuts of both kinds."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.window, self.button, self.field = QWidget(), QPushButton("Button"), QLineEdit()
        down = QVBoxLayout(self.window)
        down.addWidget(self.button)
        down.addWidget(self.field)
        for keys, on in (("Ctrl+K", self.window), ("Ctrl+Shift+K", self.window), ("K", self.button)):
            shortcut = QShortcut(QKeySequence(keys), on)
            shortcut.setContext(
                Qt.ShortcutContext.WindowShortcut if on is self.window else Qt.ShortcutContext.WidgetShortcut
            )
            shortcut.activated.connect(lambda keys=keys: self.heard.append(keys))
        self.window.show()
        self.window.activateWindow()
        assert QTest.qWaitForWindowActive(self.window)

    def press(self, letter: str, scan: int, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """Send a key as a window system with one layout does: no shortcut was found for it."""
        focus = QApplication.focusWidget()
        assert focus is not None
        text = "" if keys & CONTROL else letter.lower()
        QApplication.sendEvent(focus, QKeyEvent(QEvent.Type.KeyPress, ord(letter), keys, scan, 0, 0, text))


@pytest.fixture
def desk(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(shortcuts, "PLATFORMS", {QApplication.platformName()})
    filter_ = LatinKeys(qapp)
    made = Desk()
    yield made
    made.window.close()
    made.window.deleteLater()
    qapp.focusObjectChanged.disconnect(filter_._follow)
    filter_.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_shortcuts_of_both_kinds_are_heard(desk: Desk) -> None:
    desk.button.setFocus()
    desk.press("Л", K, CONTROL)
    desk.press("Л", K, CONTROL | SHIFT)
    desk.press("Л", K)
    assert desk.heard == ["Ctrl+K", "Ctrl+Shift+K", "K"]


def test_the_letters_of_a_layout_tell_its_script(desk: Desk) -> None:
    desk.button.setFocus()
    quits = QShortcut(QKeySequence("Ctrl+Q"), desk.window)
    quits.activated.connect(lambda: desk.heard.append("Ctrl+Q"))
    desk.press("Κ", K)
    desk.press(";", 24, CONTROL)
    assert desk.heard == ["K", "Ctrl+Q"]
    desk.press("J", K)
    desk.press(";", 24, CONTROL)
    assert desk.heard == ["K", "Ctrl+Q"], "the layout was switched to a Latin one"


def test_a_field_receives_letters_and_its_chords_and_the_window_its_own(desk: Desk) -> None:
    desk.field.setFocus()
    desk.press("Л", K)
    desk.press("Я", Z)
    assert desk.field.text() == "ля" and desk.heard == []
    desk.press("Ф", 38, CONTROL)
    assert desk.field.selectedText() == "ля", "Ctrl+A"
    desk.press("Л", K, CONTROL)
    assert desk.heard == ["Ctrl+K"] and desk.field.text() == "ля"


def test_the_field_that_had_the_focus_may_go(desk: Desk) -> None:
    gone = QLineEdit()
    desk.window.layout().addWidget(gone)  # type: ignore[union-attr]
    gone.setFocus()
    gone.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    desk.button.setFocus()
    desk.press("Л", K)
    assert desk.heard == ["K"]
