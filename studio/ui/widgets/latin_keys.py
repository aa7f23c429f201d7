"""Shortcuts on keyboards without Latin letters: a key means the letter in its place on a US keyboard.

Qt finds such a key's letter in the other layouts of the system, and has none if Cyrillic or Greek is the only one.
Text fields receive the typed text as before. The layout itself cannot be queried: the last letter reveals its script.
"""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import QEvent, QLocale, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

PLATFORMS = {"xcb", "wayland"}
"""Platforms with X's scan codes; Windows and macOS find the letter by themselves."""
_ROWS = {10: "1234567890-=", 24: "qwertyuiop[]", 38: "asdfghjkl;'`", 51: "\\zxcvbnm,./"}
"""Scan code of a key, and the signs on it and on the keys behind it."""
_PLACES = {first + at: sign for first, signs in _ROWS.items() for at, sign in enumerate(signs)}
_WITH_SHIFT = str.maketrans("1234567890-=[];'`\\,./", '!@#$%^&*()_+{}:"~|<>?')
_CHORD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def is_foreign(key: int) -> bool | None:
    """True if a key's sign belongs to a script other than Latin; None for digits, punctuation and keys like F1."""
    sign = chr(key) if 0x20 < key <= 0xFFFF else ""
    if sign.isascii():
        return False if sign.isalpha() else None
    return None if unicodedata.category(sign)[0] not in "LMN" else not unicodedata.name(sign, "").startswith("LATIN")


def latin(key: int, scan: int, *, shift: bool, foreign_layout: bool = False) -> str:
    """Return the sign in a key's place on a US keyboard; empty for a key that keeps its own sign.

    Greek and Hebrew layouts have punctuation in a few letters' places, as Dvorak has: only ``foreign_layout`` shows
    that such a key means the letter.
    """
    found = _PLACES.get(scan, "")
    foreign = is_foreign(key)
    is_letters_place = foreign is None and 0x20 < key < 0x7F and found.isalpha()
    if not (foreign or (foreign_layout and is_letters_place)):
        return ""
    return found.translate(_WITH_SHIFT).upper() if shift else found


class LatinKeys(QObject):
    """Translates the keys sent to the focused widget."""

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__(app)
        script = QLocale.system().script()
        self._foreign_layout = script not in {QLocale.Script.LatinScript, QLocale.Script.AnyScript}
        # A filter of the whole application would slow down every event.
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
        foreign = is_foreign(event.key())
        if foreign is not None and event.nativeScanCode():  # keys sent below have no scan code
            self._foreign_layout = foreign
        is_chord = bool(event.modifiers() & _CHORD)
        if not is_chord and watched.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled):
            return False
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        sign = latin(event.key(), event.nativeScanCode(), shift=is_shifted, foreign_layout=self._foreign_layout)
        if sign:
            text = "" if is_chord else sign
            # Qt's only public way to look a key up among shortcuts and mnemonics, like a real key press.
            from PySide6.QtTest import QTest

            QTest.simulateEvent(watched, True, ord(sign.upper()), event.modifiers(), text, event.isAutoRepeat(), 0)
        return bool(sign)
