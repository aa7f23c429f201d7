"""The fields of a form: an editor for each type of parameter, its row with label and reset, and why it was refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRandomGenerator, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from studio.base.parameters import Declaration
from studio.base.texts import tr, within
from studio.ui.session.extension import Offers
from studio.ui.widgets.controls import (
    SIDE_BUTTON,
    SIDE_GAP,
    CalmComboBox,
    CalmSlider,
    TextLine,
    control_height,
    quiet_button,
)
from studio.ui.widgets.layout import SidePanel, row
from studio.ui.widgets.length_spin import NumberSpinBox, ValueOrigin, WholeSpinBox, least_decimals, shown
from studio.ui.widgets.theme import GAP, current_theme, hint_font

STRIPE = 3
RIM = 6
LEAST, WIDEST = 120, 280
"""Width in pixels below which it goes below its field, and width of a sentence that fills a line."""
FOLLOWED = {QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.ParentChange}
LARGEST_ROLLED_SEED = 999_999
"""Rolled seeds stay short enough to be read out and written down."""
SLIDER_STEPS = 1000
RESETS = SIDE_GAP + SIDE_BUTTON
"""The width of the column of resets, with the gap before it."""
WIDEST_LABEL = 100
"""Pixels of a label in one line, in a panel."""
MOST_SHOWN = 24
"""Letters of a text that the history repeats."""


class Callout(QLabel):
    """Says why a value was refused; `leave` is called on Escape and when the mouse is pressed outside its panel."""

    def __init__(self, field: QWidget, leave: Callable[[], object]) -> None:
        super().__init__(_host(field))
        self._field, self._leave = field, leave
        self._followed: list[QWidget] = []
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setFont(hint_font(QApplication.font()))
        self.setForegroundRole(QPalette.ColorRole.BrightText)
        self.setContentsMargins(STRIPE + RIM, RIM, RIM, RIM)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, sentence: str) -> None:
        """Show another sentence, or none."""
        self.setText(sentence)
        for each in self._followed:
            each.removeEventFilter(self)
        self._followed = [self._field, *_up_to_host(self._field)] if sentence else []
        for each in self._followed:
            each.installEventFilter(self)
        self._hear_presses(False)
        if sentence:
            self._place()
            # Deferred: the press that took the focus from the field is yet to be handled.
            QTimer.singleShot(0, self, lambda: self._hear_presses(bool(self.text())))
        else:
            self.hide()

    def _hear_presses(self, on: bool) -> None:
        app = QApplication.instance()
        assert app is not None
        if on:
            app.installEventFilter(self)
        else:
            app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay beside the field; close on Escape, and when the mouse is pressed elsewhere."""
        if event.type() in FOLLOWED and watched in self._followed:
            self._place()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self._leave()
        elif event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            panel = _panel(self._field)
            if not panel.rect().contains(panel.mapFromGlobal(event.globalPosition().toPoint())):
                self._leave()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a panel with a thin rim and a red stripe, as notices do."""
        painter = QPainter(self)
        painter.setPen(current_theme().line)
        painter.setBrush(current_theme().panel)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.fillRect(QRect(0, 0, STRIPE, self.height()), current_theme().error)
        painter.end()
        super().paintEvent(event)

    def _place(self) -> None:
        """Move beside the field's panel, or below the field without room there; hide with the field."""
        field = self._field
        host = _host(field)
        if self.parentWidget() is not host:
            self.setParent(host)
        if not field.isVisible() or field.visibleRegion().isEmpty():
            self.hide()
            return
        panel = _panel(field)
        edge = panel.mapTo(host, QPoint(panel.width(), 0)).x() + GAP
        room = min(host.width() - edge - GAP, WIDEST)
        corner, centre = field.mapTo(host, QPoint(0, field.height())), field.mapTo(host, field.rect().center()).y()
        if room >= LEAST:
            size = self._size_within(room)
            place = QPoint(edge, centre - size.height() // 2)
        else:
            size = self._size_within(max(field.width(), LEAST))
            place = QPoint(min(corner.x(), host.width() - size.width()), corner.y() + 1)
        lowest = max(0, host.height() - size.height())
        self.setGeometry(QRect(QPoint(max(0, place.x()), min(max(0, place.y()), lowest)), size))
        self.show()
        self.raise_()

    def _size_within(self, room: int) -> QSize:
        self.ensurePolished()
        words = self.fontMetrics().horizontalAdvance(self.text()) + STRIPE + 2 * RIM + 2
        width = min(room, words)
        return QSize(width, self.heightForWidth(width))


def _up_to_host(field: QWidget) -> Iterator[QWidget]:
    host, part = _host(field), field
    while part is not host:
        parent = part.parentWidget()
        if parent is None:
            return
        part = parent
        yield part


def _host(field: QWidget) -> QWidget:
    """Return the page of a design, or the dialog, that a callout lies over."""
    part = field
    while not (isinstance(part, QMainWindow) or part.isWindow()):
        parent = part.parentWidget()
        if parent is None:
            break
        part = parent
    return part


def _panel(field: QWidget) -> QWidget:
    """Return the scrolling panel of a field; its parent elsewhere."""
    part = field.parentWidget()
    while part is not None and not isinstance(part, SidePanel):
        part = part.parentWidget()
    return part or field.parentWidget() or field


class Field(QWidget):
    """The editor of one parameter; `moved` and `settled` report its values."""

    moved = Signal(object)
    settled = Signal(object, ValueOrigin)
    refused = Signal(str)
    kept = Signal()
    """The text entered equals the present value."""

    def __init__(self, known: Declaration, name: str, editor: QWidget, show_value: Callable[[Any], None]) -> None:
        super().__init__()
        self.known, self.editor = known, editor
        self.show_value = show_value
        """Shows a value without a signal."""
        self.stops: list[QWidget] = [editor]
        """The widgets in tab order."""
        editor.setAccessibleName(name)
        editor.setAccessibleDescription(known.help)
        editor.setToolTip(tip(known))
        editor.setMinimumHeight(control_height())
        self.row = row((editor, 1), of=self, gap=SIDE_GAP)

    def show_mixed(self, is_mixed: bool) -> None:
        """Show that the selection has several values, or the value again."""
        match self.editor:
            case NumberSpinBox() as box:
                box.show_mixed(is_mixed)
            case QCheckBox() as box:
                box.setTristate(is_mixed)
                if is_mixed:
                    box.setCheckState(Qt.CheckState.PartiallyChecked)
            case QComboBox() as box if is_mixed:
                box.setCurrentIndex(-1)

    def offer(self, offers: Offers) -> None:
        """Add a button beside the editor that opens a menu of values."""
        menu, more = QMenu(self), quiet_button(tr("Choose {title}", title=within(self.known.title)), "unfolded")
        menu.aboutToShow.connect(lambda: self._fill(menu, offers))
        more.clicked.connect(lambda: menu.popup(more.mapToGlobal(more.rect().bottomLeft())))
        self.add_button(more)

    def _fill(self, menu: QMenu, offers: Offers) -> None:
        menu.clear()
        for words, value in offers():
            action = menu.addAction(words)
            action.triggered.connect(lambda _=False, value=value: self.settled.emit(value, ValueOrigin.WRITTEN))

    def add_button(self, button: QToolButton) -> None:
        """Add a button beside the editor."""
        self.row.addWidget(button)
        self.stops.append(button)


class NumberField(Field):
    """A number, a whole number or a seed, which has a die."""

    def __init__(self, known: Declaration, name: str) -> None:
        self.box = (NumberSpinBox if known.type == "number" else WholeSpinBox)(known)
        super().__init__(known, name, self.box, self._show)
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumHeight(max(control_height(), self.box.minimumSizeHint().height()))
        if known.type == "seed":
            die = quiet_button(tr("New random seed"), "dice")
            die.clicked.connect(self._roll)
            self.add_button(die)
        self.box.moved.connect(self.moved)
        self.box.settled.connect(self.settled)
        self.box.refused.connect(self.refused)
        self.box.kept.connect(self.kept)

    def _show(self, value: Any) -> None:
        """Show a value, without disturbing a text that means it already."""
        if value != self.box.value():
            with QSignalBlocker(self.box):
                self.box.setValue(value)

    def _roll(self) -> None:
        seed = QRandomGenerator.global_().bounded(LARGEST_ROLLED_SEED)
        value = seed + 1 if seed >= self.box.value() else seed
        self.show_value(value)
        self.settled.emit(value, ValueOrigin.WRITTEN)


class ShareField(NumberField):
    """A number between narrow bounds, with a slider."""

    def __init__(self, known: Declaration, name: str) -> None:
        self.slider = CalmSlider(Qt.Orientation.Horizontal)
        super().__init__(known, name)
        self.slider.setRange(0, SLIDER_STEPS)
        self.slider.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.slider.setAccessibleName(tr("{title}, slider", title=name))
        self.slider.setToolTip(tip(self.known))
        self.slider.setMinimumWidth(36)
        self.slider.setFixedHeight(control_height())
        self.slider.valueChanged.connect(self._slider_moved)
        self.slider.sliderReleased.connect(self._slider_released)
        self.row.insertWidget(0, self.slider, 1)
        self.row.setSpacing(GAP)
        self.box.setButtonSymbols(NumberSpinBox.ButtonSymbols.NoButtons)
        self.box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.box.setFixedWidth(self.box.fontMetrics().horizontalAdvance("0.0000"))
        for signal in (self.box.moved, self.box.settled):
            signal.connect(self._follow)

    def _show(self, value: Any) -> None:
        super()._show(value)
        self._follow(value)

    def _follow(self, value: float) -> None:
        """Move the slider to a value, unless it is being dragged."""
        if self.slider.isSliderDown():
            return
        low, high = self.known.limits
        with QSignalBlocker(self.slider):
            self.slider.setSingleStep(max(1, round(SLIDER_STEPS * self.box.singleStep() / (high - low))))
            self.slider.setPageStep(self.slider.singleStep() * 5)
            self.slider.setValue(round(SLIDER_STEPS * (value - low) / (high - low)))

    def _slider_value(self) -> float:
        (low, high), step = self.known.limits, self.box.singleStep()
        exact = (high - low) * self.slider.value() / SLIDER_STEPS
        return min(high, round(low + round(exact / step) * step, 6))

    def _slider_moved(self) -> None:
        value = self._slider_value()
        if value == self.box.value():
            return
        self.show_value(value)
        if self.slider.isSliderDown():
            self.moved.emit(value)
        else:
            self.settled.emit(value, ValueOrigin.STEPPED)

    def _slider_released(self) -> None:
        self.settled.emit(self._slider_value(), ValueOrigin.WRITTEN)
        self._follow(self.box.value())


def choice_field(known: Declaration, name: str) -> Field:
    """Make a choice of a few values, by their words."""
    box = CalmComboBox()
    field = Field(known, name, box, lambda value: box.setCurrentIndex(box.findData(value)))
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setPlaceholderText(tr("Several"))
    for one in known.choices:
        box.addItem(one.title, one.value)
    box.activated.connect(lambda _row: field.settled.emit(box.currentData(), ValueOrigin.STEPPED))
    return field


def flag_field(known: Declaration, name: str) -> Field:
    """Make a box to tick that carries its own words."""
    box = QCheckBox(known.title)
    field = Field(known, name, box, box.setChecked)
    box.clicked.connect(lambda on: field.settled.emit(on, ValueOrigin.WRITTEN))
    return field


def text_field(known: Declaration, name: str) -> Field:
    """Make a line of text; the puzzle follows while it is typed."""
    box = TextLine()
    field = Field(known, name, box, box.show_text)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.setMinimumWidth(60)
    box.written.connect(lambda text: field.moved.emit(text))
    box.taken.connect(lambda text: field.settled.emit(text, ValueOrigin.WRITTEN))
    return field


FIELDS: dict[str, Callable[[Declaration, str], Field]] = {
    "choice": choice_field, "flag": flag_field, "text": text_field
}  # fmt: skip
"""Editors by type; numbers have their own."""


class Row:
    """A field with its label, the button that resets it, and the sentence on a refused value.

    Screen readers read `name`. Field and button are made when they are placed, or asked for: most groups stay folded.
    """

    def __init__(self, known: Declaration, name: str) -> None:
        self.known = known
        self.name = name
        self.is_asked = True
        """True while the row is shown."""
        self.reason = ""
        self.label = QLabel("" if known.type == "flag" else known.title)
        self.label.setToolTip(tip(known))
        self.is_placed = False
        self._value: Any = known.default
        self._is_mixed = False
        self.refusal = ""
        """Why the value was refused; empty if it was not."""
        self._callout: Callout | None = None

    @cached_property
    def field(self) -> Field:
        """The editor of the parameter."""
        numbers = ShareField if is_share(self.known) else NumberField
        made = FIELDS.get(self.known.type, numbers)(self.known, self.name)
        self.label.setBuddy(made.editor)
        return made

    @cached_property
    def reset(self) -> QToolButton:
        """The button that resets the field."""
        return quiet_button(_reset_words(self.name, self.known), "reset")

    def narrow(self) -> None:
        """Break a long label into two lines."""
        if self.label.sizeHint().width() > WIDEST_LABEL:
            self.label.setText(self.known.title.replace(" ", "\n", 1))

    def place(self, grid: QGridLayout, words_column: int) -> None:
        """Take the next line of a grid, in which a flag starts at `words_column`."""
        line = grid.rowCount()
        if self.known.type == "flag":
            grid.addWidget(self.field, line, words_column, 1, 2 - words_column)
        else:
            grid.addWidget(self.label, line, 0)
            grid.addWidget(self.field, line, 1)
        grid.addWidget(self.reset, line, 2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if self.known.type == "seed":
            # The line below a seed is for its kept seeds.
            grid.setRowMinimumHeight(line + 1, 0)
            self._below = (grid, line + 1, words_column, 1, 3 - words_column)
        self.is_placed = True
        if self.reason:
            self._rest()
        if not self.is_asked:
            self.ask(False)
        self.show_value(self._value, is_mixed=self._is_mixed)

    def put_below(self, widget: QWidget) -> None:
        """Put something below the field of a seed."""
        grid, *place = self._below
        grid.addWidget(widget, *place)

    def show_value(self, value: Any, *, is_mixed: bool = False) -> None:
        """Show a value, or that there are several, and whether it can be reset."""
        self._value, self._is_mixed = value, is_mixed
        if self.is_placed:
            self.field.show_value(value)
            self.field.show_mixed(is_mixed)
            is_other = value != self.known.default or is_mixed
            self.reset.setVisible(self.is_asked and is_other and self.field.editor.isEnabled())

    def ask(self, asked: bool) -> None:
        """Show or hide the row; showing its value updates the reset button."""
        self.is_asked = asked
        if not self.is_placed:
            return
        if self.known.type != "flag":
            # A flag carries its own words: its label is in no layout, and would be a window.
            self.label.setVisible(asked)
        self.field.setVisible(asked)

    def set_default(self, default: Any) -> bool:
        """Set the value to which the field resets; return whether it changed."""
        if default == self.known.default:
            return False
        self.known = replace(self.known, default=default)
        self._offer_reset()
        return True

    def _offer_reset(self) -> None:
        if self.is_placed:
            said = _reset_words(self.name, self.known)
            self.reset.setToolTip(said)
            self.reset.setAccessibleName(said)

    def rest(self, reason: str) -> None:
        """Disable the field with a reason as its tool tip; an empty reason enables it."""
        if reason != self.reason:
            self.reason = reason
            self._rest()

    def _rest(self) -> None:
        if self.is_placed:
            for part in (self.field, self.label):
                part.setEnabled(not self.reason)
            self._explain()
            self.field.editor.setAccessibleDescription(self.reason or self.known.help)

    def show_unit(self) -> None:
        """Show bounds and default in the present unit."""
        self._offer_reset()
        self._explain()

    def _explain(self) -> None:
        for part in (self.label, *((self.field, self.field.editor) if self.is_placed else ())):
            part.setToolTip(self.reason or tip(self.known))

    def refuse(self, sentence: str) -> None:
        """Show beside the field, and tell a screen reader, why a value was refused; an empty sentence takes it back."""
        if sentence == self.refusal:
            return
        self.refusal = sentence
        if self._callout is None:
            self._callout = Callout(self.field, lambda: self.refuse(""))
        self._callout.say(sentence)
        self.field.editor.setAccessibleDescription(sentence or self.known.help)
        if sentence:
            from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field.editor, sentence))


def is_share(known: Declaration) -> bool:
    """True for a number without unit and with narrow bounds, for which a slider says more than digits."""
    low, high = known.limits
    return known.type == "number" and not known.unit and high - low <= 1


def tip(known: Declaration) -> str:
    """Return a field's tool tip: its meaning, then its bounds."""
    return known.help if known.type in ("flag", "choice") else f"{known.help}\n{known.bounds.capitalize()}"


def words(known: Declaration, value: Any) -> str:
    """Format a value for makers."""
    if known.type == "flag":
        return tr("on") if value else tr("off")
    if known.type == "choice":
        return next(one.title for one in known.choices if one.value == value)
    if known.type == "text":
        return f"“{value}”" if len(value) <= MOST_SHOWN else f"“{value[: MOST_SHOWN - 1]}…”"
    if not value and known.zero:
        return within(known.zero)
    return shown(value, known.unit, least_decimals(known))


def _reset_words(name: str, known: Declaration) -> str:
    return tr("Reset {title} to {value}", title=within(name), value=words(known, known.default))
