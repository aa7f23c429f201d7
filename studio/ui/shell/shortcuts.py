"""The dialog of keyboard shortcuts: all commands of the window with their keys, and a field to record another one.

Changes apply at once, in every open window, and are stored in the preferences. Keyboards without Latin letters are
understood, too.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QHeaderView, QKeySequenceEdit, QLineEdit, QWidget

from studio.base.texts import tr
from studio.ui.session.actions import Actions, Shortcut, usable_key
from studio.ui.session.preferences import Preferences
from studio.ui.widgets.controls import Remark, control_height, hint_label, push_button, without_icons
from studio.ui.widgets.layout import REST, column, labelled, resize_on_screen, row
from studio.ui.widgets.tables import CalmTable, Column, ElementModel
from studio.ui.widgets.theme import GAP, MARGIN

if TYPE_CHECKING:
    from studio.ui.shell.window import Window

SIZE = QSize(620, 600)
RIM = MARGIN + GAP


def show_keys(window: Window, mouse: str) -> None:
    """Open the shortcuts of a window, with a sentence on the mouse."""
    dialog = ShortcutsDialog(window, mouse)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


class ShortcutsDialog(QDialog):
    """A table of commands; the key of the chosen one is recorded below it."""

    def __init__(self, window: Window, mouse: str) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self._actions: Actions = window.actions_
        self._preferences: Preferences = window.preferences
        self._wanted = ""
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a command or a key"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.search.setClearButtonEnabled(True)
        self.model = ElementModel[Shortcut]([
            Column(tr("Menu"), lambda one: one.menu),
            Column(tr("Command"), lambda one: one.title),
            Column(tr("Shortcut"), lambda one: ", ".join(one.keys)),
            Column(tr("Changed"), lambda one: "" if one.is_default else tr("changed")),
        ])  # fmt: skip
        self.table = CalmTable(self.model, tr("Shortcuts"))
        self.table.setSelectionMode(CalmTable.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.key = QKeySequenceEdit()
        self.key.setMaximumSequenceLength(1)
        self.key.setMinimumHeight(control_height())
        self.key.setAccessibleName(tr("New shortcut"))
        self.remove = push_button(tr("Remove"), tr("Leave this command without a shortcut"))
        self.reset = push_button(tr("Reset"), tr("Give this command its usual keys again"))
        self.reset_all = push_button(tr("Reset all"), tr("Give every command its usual keys again"))
        self.remark = Remark("warning")
        self.take = push_button(tr("Assign anyway"), tr("Take the key from the other command"))
        self.buttons = without_icons(QDialogButtonBox(QDialogButtonBox.StandardButton.Close))
        close = self.buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        self._lay_out(mouse)
        self._listen()
        self._show()

    @property
    def chosen(self) -> Shortcut | None:
        """The command in the current row."""
        at = self.table.currentIndex().row()
        return self.model.elements[at] if 0 <= at < len(self.model.elements) else None

    def choose(self, name: str) -> None:
        """Make a command's row current."""
        names = [one.name for one in self.model.elements]
        self.table.setCurrentIndex(self.model.index(names.index(name), 2))

    def _lay_out(self, mouse: str) -> None:
        words, field = labelled(tr("New shortcut"), self.key)
        said = row((self.remark, 1), self.take)
        column(
            self.search, (self.table, 1), row(words, (field, 1), self.remove, self.reset, self.reset_all), said,
            hint_label(mouse), row(REST, self.buttons), of=self, margins=RIM,
        )  # fmt: skip
        for each in (self.remark, self.take):
            # The message keeps its room, so that nothing moves under the mouse.
            policy = each.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            each.setSizePolicy(policy)
            each.hide()
        resize_on_screen(self, SIZE)

    def _listen(self) -> None:
        self.search.textChanged.connect(lambda _text: self._show())
        self.table.selectionModel().currentRowChanged.connect(lambda _now, _before: self._follow())
        self.table.activated_row.connect(lambda _row: self.key.setFocus())
        self.table.doubleClicked.connect(lambda _index: self.key.setFocus())
        self.key.keySequenceChanged.connect(self._record)
        self.remove.clicked.connect(lambda: self._assign(""))
        self.reset.clicked.connect(self._reset)
        self.reset_all.clicked.connect(lambda: self._keep({}))
        self.take.clicked.connect(lambda: self._assign(self._wanted))
        self.buttons.rejected.connect(self.reject)

    def _show(self) -> None:
        """List the commands that contain every word of the search, and keep the current one if it is among them."""
        now, words = self.chosen, self.search.text().casefold().split()
        listed = [
            one for one in self._actions.shortcuts()
            if all(word in f"{one.menu} {one.title} {' '.join(one.keys)}".casefold() for word in words)
        ]  # fmt: skip
        self.model.show_elements(listed)
        names = [one.name for one in listed]
        if listed:
            self.choose(now.name if now is not None and now.name in names else names[0])
        self._follow()

    def _follow(self) -> None:
        """Show the key of the chosen command."""
        chosen = self.chosen
        self._refuse("")
        self.key.blockSignals(True)
        self.key.setKeySequence(QKeySequence(chosen.keys[0] if chosen is not None and chosen.keys else ""))
        self.key.blockSignals(False)
        self.key.setEnabled(chosen is not None)
        self.remove.setEnabled(chosen is not None and bool(chosen.keys))
        self.reset.setEnabled(chosen is not None and not chosen.is_default)
        self.reset_all.setEnabled(bool(self._preferences.shortcuts()))

    def _record(self, sequence: QKeySequence) -> None:
        chosen = self.chosen
        if chosen is None or sequence.isEmpty():
            # The field is cleared whenever a key is pressed in it.
            return
        written = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        key = usable_key(written)
        if not key:
            self._refuse(
                tr("{key} moves through panels and boards, so it cannot be a shortcut by itself.", key=written)
            )
            return
        holder = self._actions.holder(chosen.name, key)
        if holder is None:
            self._assign(key)
            return
        self._wanted = key
        said = tr("{key} is the shortcut of {menu} ▸ {title}.", key=key, menu=holder.menu, title=holder.title)
        self._refuse(said, can_take=True)

    def _refuse(self, sentence: str, *, can_take: bool = False) -> None:
        self.remark.say(sentence)
        self.take.setVisible(can_take)

    def _assign(self, key: str) -> None:
        """Give the chosen command a key, or none; another command loses it if the maker had assigned it."""
        chosen = self.chosen
        if chosen is None or (chosen.keys[:1] == (key,) and len(chosen.keys) == 1):
            return
        own = dict(self._preferences.shortcuts())
        holder = self._actions.holder(chosen.name, key) if key else None
        if holder is not None:
            own[holder.name] = tuple(one for one in holder.keys if usable_key(one) != key)
        own[chosen.name] = (key,) if key else ()
        self._keep(own)

    def _reset(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        own = {name: keys for name, keys in self._preferences.shortcuts().items() if name != chosen.name}
        self._keep(own)

    def _keep(self, own: dict[str, tuple[str, ...]]) -> None:
        """Store the maker's keys, and apply them in every open window."""
        self._preferences.set_shortcuts(own)
        for widget in QApplication.allWidgets():
            actions = getattr(widget, "actions_", None)
            if isinstance(actions, Actions):
                actions.follow(own)
        self._show()


# Shortcuts on keyboards without Latin letters: a key means the letter in its place on a US keyboard.
# Qt finds such a key's letter in the other layouts of the system, and has none if Cyrillic or Greek is the only one.
# Text fields receive the typed text as before. The layout itself cannot be queried: the last letter reveals its script.


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
