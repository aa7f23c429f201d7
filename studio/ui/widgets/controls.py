"""Small widgets for panels: quiet buttons, headings, hints, remarks, elided labels, sliders, mnemonics."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QKeyEvent, QPainter, QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QWidget,
)

from studio.ui.widgets.layout import row
from studio.ui.widgets.length_spin import is_undo
from studio.ui.widgets.theme import MARGIN, Sign, heading_font, hint_font, icon

ROW_GAP = 6
GROUP_GAP = 12
SIDE_GAP = 4
SIDE_BUTTON = 20
LEAST_HEIGHT, LINE_RIMS = 24, 8
LARGE_BUTTON = 28


def control_height() -> int:
    """Return the height of a field in pixels: a line of text and the field's rims."""
    return max(LEAST_HEIGHT, QFontMetrics(QApplication.font()).lineSpacing() + LINE_RIMS)


class CalmComboBox(QComboBox):
    """A choice that the wheel changes only with focus; text too long for it ends in dots."""

    def __init__(self, name: str = "", tip: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as Qt does, but elide text that would be cut off in the middle of a letter."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width() - 2
        words = option.currentText or self.placeholderText()
        option.currentText = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def showPopup(self) -> None:
        """Show the choices, in a list as wide as the widest of them."""
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + view.verticalScrollBar().sizeHint().width())
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step through the choices with focus, else let the panel scroll."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class CalmSlider(QSlider):
    """A slider that the wheel moves only with focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move with focus, else let the panel scroll."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class TextLine(QLineEdit):
    """A text field with the studio's undo and redo until something new is typed; Escape restores the old text.

    `written` brings each text while it is typed, `taken` the final one on leaving or Return.
    """

    written = Signal(str)
    taken = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._kept = ""
        self._is_written = False
        self.textEdited.connect(self._write)
        self.editingFinished.connect(self._take)

    def show_text(self, text: str) -> None:
        """Show another text, which Escape restores, unless it is part of the text being typed."""
        if text == self.text():
            return
        self.setText(text)
        if not self._is_written:
            self._kept = text
            self.setCursorPosition(0)

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the studio unless something is being typed."""
        if is_undo(event) and not self._is_written:
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Restore the old text on Escape."""
        if event.key() == Qt.Key.Key_Escape and self._is_written:
            self.setText(self._kept)
            self._take()
            event.accept()
            return
        super().keyPressEvent(event)

    def _write(self, text: str) -> None:
        self._is_written = True
        self.written.emit(text)

    def _take(self) -> None:
        if self._is_written:
            self._is_written, self._kept = False, self.text()
            self.taken.emit(self._kept)


class QuietLine(QLineEdit):
    """A line whose Enter ends an edit, and does not press the dialog's button."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep Enter from the dialog."""
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


def quiet_button(words: str, icon_name: str = "") -> QToolButton:
    """Make a small flat button without a frame; its action is its tool tip."""
    button = QToolButton()
    if icon_name:
        button.setIcon(icon(icon_name))
    button.setAutoRaise(True)
    button.setIconSize(QSize(16, 16))
    button.setFixedSize(SIDE_BUTTON, SIDE_BUTTON)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolTip(words)
    button.setAccessibleName(words)
    return button


def large_button(words: str, icon_name: str = "") -> QToolButton:
    """Make a flat button for an icon of the tool strip's size."""
    button = quiet_button(words, icon_name)
    button.setIconSize(QSize(20, 20))
    button.setFixedSize(LARGE_BUTTON, LARGE_BUTTON)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


def menu_button(words: str, tip: str, fill: Callable[[QMenu], object]) -> QToolButton:
    """Make a flat button with words that opens a menu, filled whenever it opens."""
    button = QToolButton()
    button.setText(words)
    button.setToolTip(tip)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    menu = QMenu(button)
    menu.setToolTipsVisible(True)

    def renew() -> None:
        menu.clear()
        fill(menu)

    def show() -> None:
        # A menu filled while open would lose the entries in sight.
        if not menu.isVisible():
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    menu.aboutToShow.connect(renew)
    button.setMenu(menu)
    # A button that opens it by itself would block for an answer, and all work with it.
    button.clicked.connect(show)
    return button


def push_button(words: str, tip: str = "") -> QPushButton:
    """Make a button with words, never a dialog's default; its action is its tool tip."""
    button = QPushButton(words)
    button.setAutoDefault(False)
    button.setToolTip(tip)
    return button


def tick(box: QCheckBox, ticked: int, of: int) -> None:
    """Tick a box if all of some things are, partly if only some are."""
    state = Qt.CheckState
    box.setTristate(0 < ticked < of)
    box.setCheckState(state.PartiallyChecked if 0 < ticked < of else state.Checked if ticked else state.Unchecked)


def wrapping(words: str = "") -> QLabel:
    """Make a label that wraps its text."""
    label = QLabel(words)
    label.setWordWrap(True)
    return label


def relabel(button: QToolButton, words: str, icon_name: str) -> None:
    """Give a button another action, `Pause (Space)`, and its icon."""
    button.setToolTip(words)
    button.setAccessibleName(words.split(" (")[0])
    button.setIcon(icon(icon_name))


def heading(words: str = "") -> QLabel:
    """Make the heading of a group."""
    label = QLabel(words)
    label.setFont(heading_font(QApplication.font()))
    return label


def invitation(words: str = "") -> QLabel:
    """Make a quiet sentence for the middle of an empty place."""
    label = wrapping(words)
    label.setMargin(MARGIN)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    return label


def without_icons(buttons: QDialogButtonBox) -> QDialogButtonBox:
    """Remove the icons that some desktops put on the buttons of a dialog."""
    for button in buttons.buttons():
        button.setIcon(QIcon())
    return buttons


def hint_label(words: str = "") -> QLabel:
    """Make a quiet sentence in the smaller size that wraps; hidden while it is empty."""
    label = wrapping(words)
    label.setFont(hint_font(QApplication.font()))
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    if not words:
        label.hide()
    return label


class Strip(QWidget):
    """A plain background with a thin line above, the counterpart of the tool strip."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Window))
        painter.fillRect(0, 0, self.width(), 1, self.palette().color(QPalette.ColorRole.Mid))


# Texts that adapt to their room

LEAST_WIDTH = 24
LONG_WORD = 10
"""Letters lost at the end of a line where a word wraps."""


class ElidedLabel(QLabel):
    """One line, or two smaller ones for a longer text; a text cut short is the tool tip as a whole."""

    def __init__(
        self, words: str = "", parent: QWidget | None = None, *, wraps: bool = False, grows: bool = True
    ) -> None:
        """Without `grows`, it takes the room of its text and no more."""
        super().__init__(words, parent)
        self._wraps = wraps
        wish = QSizePolicy.Policy.Ignored if grows else QSizePolicy.Policy.Maximum
        self.setSizePolicy(wish, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Allow any width."""
        return QSize(LEAST_WIDTH, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, flags = QPainter(self), self.alignment() | Qt.AlignmentFlag.AlignVCenter
        room, full = self.width(), self.text()
        if self._wraps and self.fontMetrics().horizontalAdvance(full) > room:
            small = hint_font(QApplication.font())
            small.setWeight(QFont.Weight.Normal)  # which a painter else takes from the label's own font
            painter.setFont(small)
            # Lines break between words, so two lines hold less than twice one.
            room, flags = (
                2 * room - painter.fontMetrics().averageCharWidth() * LONG_WORD,
                flags | Qt.TextFlag.TextWordWrap,
            )
        words = painter.fontMetrics().elidedText(full, Qt.TextElideMode.ElideRight, room)
        self.setToolTip(full if words != full else "")
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), flags, words)


# A sentence with the icon of its severity, so that colour is never the only sign

ICON = 20


class Remark(QWidget):
    """One sentence; hidden while it is empty."""

    def __init__(self, icon_name: str, sentence: str = "") -> None:
        super().__init__()
        sign = Sign(icon_name)
        sign.setFixedSize(ICON, ICON)
        self.sentence = wrapping()
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        row(sign, (self.sentence, 1), of=self).setAlignment(sign, Qt.AlignmentFlag.AlignTop)
        if sentence:
            self.say(sentence)
        else:
            self.hide()

    def say(self, sentence: str) -> None:
        """Show another sentence, or none."""
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)
        # A widget without a parent would open as a window.
        if self.parent() is not None:
            self.setVisible(bool(sentence))


# Mnemonics: a letter of its own for each title of a menu or a row of buttons


def with_mnemonics(titles: Iterable[str]) -> list[str]:
    """Return the titles of a menu, each with `&` before a letter of its own, preferably of its first word.

    A title goes without only if other titles need all its letters and have no alternative (an augmenting path, Kuhn
    1955).
    """
    marked = list(titles)
    places = [_letters(title) for title in marked]
    chosen: dict[str, int] = {}

    def find(number: int, tried: set[str]) -> bool:
        for letter in places[number]:
            if letter not in tried:
                tried.add(letter)
                if letter not in chosen or find(chosen[letter], tried):
                    chosen[letter] = number
                    return True
        return False

    for number, letters in enumerate(places):
        free = next((letter for letter in letters if letter not in chosen), None)
        if free is not None:
            chosen[free] = number
        else:
            find(number, set())
    for letter, number in chosen.items():
        at = places[number][letter]
        marked[number] = f"{marked[number][:at]}&{marked[number][at:]}"
    return marked


def _letters(title: str) -> dict[str, int]:
    """Return the first place of each letter of a title, initials of words before all others."""
    places = [at for at, letter in enumerate(title) if letter.isalnum()]
    begins = [at for at in places if not at or not title[at - 1].isalnum()]
    found: dict[str, int] = {}
    for at in (*begins, *places):
        found.setdefault(title[at].casefold(), at)
    return found
