"""The dialog of keyboard shortcuts: all commands of the window with their keys, and a field to record another one.

Changes apply at once, in every open window, and are stored in the preferences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QHeaderView, QKeySequenceEdit, QLineEdit

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
