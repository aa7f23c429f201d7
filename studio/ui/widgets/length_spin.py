"""Boxes for numbers that read what makers type: `3.5`, `3,5 mm`, `1/8 in`, `0.25"`, in every locale alike.

Qt's own spin boxes take the locale's thousands mark out of a text, and so make 35 mm of 3.5 in a German locale.
Here a text is read by `studio.base.parameters`, shown with a decimal point, and refused in a sentence if it is
meaningless or out of bounds; the last good value then stays.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto

from PySide6.QtCore import QEvent, QLocale, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QDoubleSpinBox, QLineEdit, QStyle, QStyleOptionSpinBox

from studio.base.parameters import Declaration, ParameterError, parse_number, parsed
from studio.base.texts import tr
from studio.base.units import shown_as

KEPT_DECIMALS = 9
"""Decimals kept of a value, so that 1/64 in stays exact; fewer are shown."""
MOST_SHOWN_DECIMALS = 3
LONGEST, LONGEST_WHOLE = "0000.000 mm", "000000"
"""The longest texts that boxes have room for; longer ones, such as of seeds, are scrolled."""
CURSOR_ROOM = 6
STEPPING_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class ValueOrigin(Enum):
    """Origin of a value: typed as text, or reached in steps of one gesture."""

    WRITTEN = auto()
    STEPPED = auto()


def shown(value: float, unit: str, least_decimals: int) -> str:
    """Format a number for makers: a decimal point, no thousands marks, the unit behind it, which may be inches."""
    factor, unit = shown_as(unit)
    if factor != 1.0:
        value, least_decimals = value / factor, MOST_SHOWN_DECIMALS
    text = f"{value:.{MOST_SHOWN_DECIMALS if factor == 1.0 else MOST_SHOWN_DECIMALS + 1}f}"
    whole, _, decimals = text.partition(".")
    decimals = decimals.rstrip("0").ljust(least_decimals, "0")
    if not whole.strip("-0") and not decimals.strip("0"):
        whole = "0"
    number = f"{whole}.{decimals}" if decimals else whole
    return f"{number} {unit}" if unit else number


def least_decimals(known: Declaration) -> int:
    """Return the decimals always shown of a declared number: those of its step, and at least one for millimetres."""
    if known.type != "number" or known.step is None:
        return 0
    of_step = len(f"{known.step:.{MOST_SHOWN_DECIMALS}f}".rstrip("0").partition(".")[2])
    return max(of_step, 1 if known.is_length else 0)


def take_what_is_written() -> None:
    """Have the field with a text being typed take it, as if the maker had left it for a moment."""
    field = QApplication.focusWidget()
    if isinstance(field, QAbstractSpinBox | QLineEdit):
        field.clearFocus()
        if field.isVisible():
            field.setFocus()


def is_undo(event: QEvent) -> bool:
    """True if a key press means undo or redo in the focused field."""
    if event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) or not isinstance(event, QKeyEvent):
        return False
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


def in_shown_unit(text: str) -> str:
    """Return a length as typed, with the unit shown if it has none."""
    _factor, unit = shown_as("mm")
    return f"{text} {unit}" if text.strip()[-1:].isdigit() else text


def _step(known: Declaration) -> float:
    """Return the size of a step: for inches a power of ten, such as a hundredth or a tenth, whichever is nearest."""
    step = float(known.step or 1)
    factor, _unit = shown_as(known.unit)
    if factor == 1.0:
        return step
    return factor * 10.0 ** round(math.log10(step / factor))


class NumberSpinBox(QDoubleSpinBox):
    """A box for one declared number.

    `moved` comes at each step while a key or a button is held, `settled` when it is released, at each step of the
    wheel, and when a text was taken; `refused` brings the sentence on a refused text, and `kept` comes when the
    text equals the present value. Qt's `valueChanged` comes with each of the steps and once for a text.
    """

    moved = Signal(object)
    settled = Signal(object, ValueOrigin)
    refused = Signal(str)
    kept = Signal()

    def __init__(self, known: Declaration) -> None:
        super().__init__()
        self._known, self._titled = known, replace(known, name=known.title)
        self._held = False
        self._moved = False
        self._is_mixed = False
        self.setLocale(QLocale.c())
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setDecimals(KEPT_DECIMALS if known.type == "number" else 0)
        self.setRange(*known.limits)
        self.setSingleStep(_step(known))
        self.setValue(known.default)
        self.setAccessibleName(known.title)
        self.setToolTip(known.help)

    @classmethod
    def undeclared(
        cls, title: str, *, minimum: float, maximum: float, step: float, unit: str = "", help: str = ""
    ) -> NumberSpinBox:  # fmt: skip
        """Make a box for a number that no kind declares."""
        known = Declaration(
            name=title, title=title, type="number", default=minimum, minimum=minimum, maximum=maximum, step=step,
            unit=unit, choices=(), help=help, group="",
        )  # fmt: skip
        return cls(known)

    def minimumSizeHint(self) -> QSize:
        """Wide enough for both bounds in the unit shown, as far as these are no longer than usual lengths."""
        self.ensurePolished()
        texts = (*map(self.textFromValue, self._known.limits), self.text())
        wide = self.fontMetrics().horizontalAdvance
        most = LONGEST if self._known.type == "number" else LONGEST_WHOLE
        room = min(max(map(wide, texts)), wide(most)) + CURSOR_ROOM
        option = QStyleOptionSpinBox()
        self.initStyleOption(option)
        least = QSize(room, self.lineEdit().minimumSizeHint().height())
        return self.style().sizeFromContents(QStyle.ContentsType.CT_SpinBox, option, least, self)

    def show_unit(self) -> None:
        """Show the value in the present unit."""
        self.setSingleStep(_step(self._known))
        self._show_value()
        self.updateGeometry()

    def show_mixed(self, is_mixed: bool) -> None:
        """Show that the selection has several values, which a new one replaces, or the value again."""
        if is_mixed != self._is_mixed:
            self._is_mixed = is_mixed
            self.lineEdit().setText(self.textFromValue(super().value()))

    def textFromValue(self, value: float) -> str:
        """Return the value with its unit, or the word for 0 or for several values."""
        if self._is_mixed:
            return tr("Several")
        if not value and self._known.zero:
            return self._known.zero
        return shown(value, self._known.unit, least_decimals(self._known))

    def valueFromText(self, text: str) -> float:
        """Return the meaning of a text; the present value for its own text, so that nothing is rounded."""
        if text == self.textFromValue(super().value()):
            return super().value()
        try:
            return float(self._read(text))
        except ParameterError:
            return super().value()

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Allow typing any text; accept only a value in bounds."""
        try:
            if not self._is_mixed or self._has_new_text():
                self._read(text)
        except ParameterError:
            return QValidator.State.Intermediate, text, position
        return QValidator.State.Acceptable, text, position

    def fixup(self, text: str) -> str:
        """Say why a text is refused; Qt then restores the last good value by itself."""
        try:
            self._read(text)
        except ParameterError as problem:
            self.refused.emit(str(problem))
        return text

    def stepBy(self, steps: int) -> None:
        """Step, after taking a typed text; emit it at once unless a key or a button is held."""
        self._take_text()
        before = super().value()
        super().stepBy(steps)
        if 0 < super().value() < self._known.least:
            with QSignalBlocker(self):
                self.setValue(self._known.least if steps > 0 else 0)
        if super().value() == before:
            return
        if self._held:
            self._moved = True
            self.moved.emit(self.value())
        else:
            self.settled.emit(self.value(), ValueOrigin.STEPPED)

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the studio unless something is being typed."""
        if is_undo(event) and not self._has_new_text():
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hold the value while a stepping key is down; Return takes the text, Escape restores the old one."""
        if event.key() == Qt.Key.Key_Escape and self._has_new_text():
            self._show_value()
            event.accept()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take_text()
            self.selectAll()
            event.accept()
            return
        if event.key() in STEPPING_KEYS:
            self._held = True
        super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Settle the value when a stepping key is released."""
        super().keyReleaseEvent(event)
        if event.key() in STEPPING_KEYS and not event.isAutoRepeat():
            self._let_go()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Hold the value while one of the arrows is down."""
        self._held = event.button() == Qt.MouseButton.LeftButton
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Settle the value when the arrow is released."""
        super().mouseReleaseEvent(event)
        self._let_go()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step only with focus; else the wheel scrolls the panel."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the whole text, unit included, so that typing replaces it."""
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            QTimer.singleShot(0, self, self.selectAll)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take a typed text, and settle a held value."""
        self._take_text()
        super().focusOutEvent(event)
        self._let_go()

    def changeEvent(self, event: QEvent) -> None:
        """Settle a held value when the box is disabled."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self._let_go()

    def _read(self, text: str) -> float:
        """Return the meaning of a text; raises ParameterError."""
        known = self._titled
        if known.zero and text.strip().casefold() == known.zero.casefold():
            return 0.0
        factor, unit = shown_as(known.unit)
        if known.is_length and known.type == "number":
            text = in_shown_unit(text)
        elif unit:
            text = text.strip().removesuffix(known.unit).strip().removesuffix(unit)
            if factor != 1.0:
                with suppress(ValueError):
                    text = repr(parse_number(text) * factor)
        value: float = parsed(known, text)
        return value

    def _has_new_text(self) -> bool:
        return self.lineEdit().text() != self.textFromValue(super().value())

    def _show_value(self) -> None:
        self.lineEdit().setText(self.textFromValue(super().value()))
        self.selectAll()

    def _take_text(self) -> None:
        if not self._has_new_text():
            if self.lineEdit().isModified():
                self.lineEdit().setModified(False)
                self.kept.emit()
            return
        before, is_good, was_mixed = super().value(), self.hasAcceptableInput(), self._is_mixed
        self.interpretText()
        self._is_mixed = was_mixed and not is_good
        # Set again, so that the field forgets its edits: Ctrl+Z now means the studio's history.
        self._show_value()
        if super().value() != before or (was_mixed and is_good):
            self.settled.emit(self.value(), ValueOrigin.WRITTEN)
        elif is_good:
            self.kept.emit()

    def _let_go(self) -> None:
        self._held = False
        if self._moved:
            self._moved = False
            self.settled.emit(self.value(), ValueOrigin.STEPPED)


class WholeSpinBox(NumberSpinBox):
    """A box for one declared whole number or seed."""

    def value(self) -> int:
        """Return the whole number."""
        return round(super().value())
