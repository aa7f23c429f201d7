"""Shortcuts on keyboards without Latin letters: a key means what is on its place of a US keyboard.

Qt finds such a key's letter in the other layouts that are set up, and has none where Cyrillic or Greek is the only one.
Text fields receive what is written as before.
"""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

PLATFORMS = {"xcb", "wayland"}
"""Where scan codes are X's; Windows and macOS find the letter by themselves."""
_ROWS = {10: "1234567890-=", 24: "qwertyuiop[]", 38: "asdfghjkl;'`", 51: "\\zxcvbnm,./"}
"""Scan code of a key, and what is on it and on those behind."""
_PLACES = {first + at: sign for first, signs in _ROWS.items() for at, sign in enumerate(signs)}
_WITH_SHIFT = str.maketrans("1234567890-=[];'`\\,./", '!@#$%^&*()_+{}:"~|<>?')
_CHORD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def latin(key: int, scan: int, *, shift: bool) -> str:
    """The sign on a key's place of a US keyboard; empty for a key that has a Latin letter, or none at all."""
    sign = chr(key) if 0x80 <= key <= 0xFFFF else ""
    is_foreign = unicodedata.category(sign)[0] in "LMN" if sign else False
    if not is_foreign or unicodedata.name(sign, "").startswith("LATIN"):
        return ""
    found = _PLACES.get(scan, "")
    return found.translate(_WITH_SHIFT).upper() if shift else found


class LatinKeys(QObject):
    """Translates the keys that reach what has the focus."""

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__(app)
        # Not a filter of the whole application, which would slow down every event.
        app.focusObjectChanged.connect(self._follow)
        self._follow(app.focusObject())

    def _follow(self, focus: QObject | None) -> None:
        if focus is not None:
            # It stays there; installed again, it is still one.
            focus.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Send a key by its Latin name, unless it is text."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if not isinstance(watched, QWidget) or QGuiApplication.platformName() not in PLATFORMS:
            return False
        is_chord = bool(event.modifiers() & _CHORD)
        if not is_chord and watched.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled):
            return False
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        sign = latin(event.key(), event.nativeScanCode(), shift=is_shifted)
        if sign:
            _press(watched, event, sign, "" if is_chord else sign)
        return bool(sign)


def _press(widget: QWidget, event: QKeyEvent, sign: str, text: str) -> None:
    # Qt's only public way to have a key looked up among shortcuts and mnemonics, as one that was really pressed.
    from PySide6.QtTest import QTest

    QTest.simulateEvent(widget, True, ord(sign.upper()), event.modifiers(), text, event.isAutoRepeat(), 0)
