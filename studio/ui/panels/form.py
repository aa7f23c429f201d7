"""The form of a design's parameters, built from their declarations: groups of fields that answer while they are edited.

step: a change that ends in the history. gesture: steps that belong together and become one step of undo.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QEvent, QRandomGenerator, QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from studio.parameters import Declaration, ParameterError, declarations
from studio.ui.icons import icon
from studio.ui.length_spin import Entry, NumberSpinBox, WholeSpinBox, least_decimals, shown
from studio.ui.theme import GAP, MARGIN, heading_font
from studio.ui.widgets import (
    CONTROL_HEIGHT,
    GROUP_GAP,
    ROW_GAP,
    SIDE_BUTTON,
    SIDE_GAP,
    CalmComboBox,
    CalmSlider,
    TextLine,
    hint_label,
    quiet_button,
)

RARE_GROUPS = frozenset({"Variation", "Limits"})
MERGE_SECONDS = 1.0
"""Steps on one field that follow each other within this time are one gesture."""
LARGEST_ROLLED_SEED = 999_999
"""Rolled seeds stay short enough to be read out and written down."""
SLIDER_STEPS = 1000
MOST_SHOWN = 24
"""Letters of a text that the history repeats."""

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

V = TypeVar("V", bound="DataclassInstance")
Describe = Callable[[Any], dict[str, str]]
Linked = Callable[[Any, str, Any], Any]
Offers = Callable[[], Sequence[tuple[str, float]]]
"""Values of a parameter to choose from, each with its words; asked for whenever the menu opens."""


class KeepPieceSize(Enum):
    """Whether pieces keep their size when the board changes."""

    YES = auto()
    NO = auto()


class Field(QWidget):
    """The editor of one parameter; tells of values that move and values that are settled."""

    moved = Signal(object)
    settled = Signal(object, Entry)
    refused = Signal(str)

    def __init__(self, known: Declaration) -> None:
        super().__init__()
        self.known = known
        self.more: QToolButton | None = None
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(SIDE_GAP)

    def editor(self) -> QWidget:
        """The widget that has the focus when the field has it."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Show a value without telling of it."""
        raise NotImplementedError

    def offer(self, offers: Offers) -> None:
        """Put a button beside the editor that opens a menu of values."""
        menu, more = QMenu(self), quiet_button(f"Choose {self.known.title.lower()}")
        menu.aboutToShow.connect(lambda: self._fill(menu, offers))
        more.clicked.connect(lambda: menu.popup(more.mapToGlobal(more.rect().bottomLeft())))
        self.row.addWidget(more)
        self.more = more

    def _fill(self, menu: QMenu, offers: Offers) -> None:
        menu.clear()
        for words, value in offers():
            action = menu.addAction(words)
            action.triggered.connect(lambda _=False, value=value: self.settled.emit(value, Entry.WRITTEN))

    def _use(self, editor: QWidget, name: str) -> None:
        editor.setAccessibleName(name)
        editor.setAccessibleDescription(self.known.help)
        editor.setToolTip(tip(self.known))
        editor.setMinimumHeight(CONTROL_HEIGHT)


def tip(known: Declaration) -> str:
    """What a field's tool tip says: its meaning, then its bounds."""
    return known.help if known.type in ("flag", "choice") else f"{known.help}\n{known.bounds.capitalize()}"


class NumberField(Field):
    """A number, a whole number or a seed; a share has a slider, a seed a die."""

    def __init__(self, known: Declaration, name: str) -> None:
        super().__init__(known)
        kind = NumberSpinBox if known.type == "number" else WholeSpinBox
        self.box = kind(known)
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumWidth(60)
        self._use(self.box, name)
        self.slider: CalmSlider | None = None
        self.die: QToolButton | None = None
        if is_share(known):
            self._add_slider(name)
        self.row.addWidget(self.box, 1)
        if known.type == "seed":
            self._add_die()
        self.box.moved.connect(self._box_moved)
        self.box.settled.connect(self._box_settled)
        self.box.refused.connect(self.refused)

    def editor(self) -> QWidget:
        """The box."""
        return self.box

    def show_value(self, value: Any) -> None:
        """Show a value; a text that is being written stays where the value is the same."""
        if value != self.box.value():
            blocked = self.box.blockSignals(True)
            self.box.setValue(value)
            self.box.blockSignals(blocked)
        self._show_on_slider(value)

    def _add_slider(self, name: str) -> None:
        self.slider = CalmSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, SLIDER_STEPS)
        self.slider.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.slider.setAccessibleName(f"{name}, slider")
        self.slider.setToolTip(tip(self.known))
        self.slider.setMinimumWidth(36)
        self.slider.setFixedHeight(CONTROL_HEIGHT)
        self.slider.valueChanged.connect(self._slider_moved)
        self.slider.sliderReleased.connect(self._slider_released)
        self.row.addWidget(self.slider, 1)
        self.row.setSpacing(GAP)
        self.box.setButtonSymbols(NumberSpinBox.ButtonSymbols.NoButtons)
        self.box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.box.setFixedWidth(self.box.fontMetrics().horizontalAdvance("0.0000"))

    def _add_die(self) -> None:
        self.die = quiet_button("Roll another seed")
        self.die.clicked.connect(self._roll)
        self.row.addWidget(self.die)

    def _box_moved(self, value: float) -> None:
        self._show_on_slider(value)
        self.moved.emit(value)

    def _box_settled(self, value: float, entry: Entry) -> None:
        self._show_on_slider(value)
        self.settled.emit(value, entry)

    def _show_on_slider(self, value: float) -> None:
        if self.slider is None or self.slider.isSliderDown():
            return
        low, high = self.box.minimum(), self.box.maximum()
        blocked = self.slider.blockSignals(True)
        self.slider.setSingleStep(max(1, round(SLIDER_STEPS * self.box.singleStep() / (high - low))))
        self.slider.setPageStep(self.slider.singleStep() * 5)
        self.slider.setValue(round(SLIDER_STEPS * (value - low) / (high - low)))
        self.slider.blockSignals(blocked)

    def _slider_value(self) -> float:
        assert self.slider is not None
        low, high, step = self.box.minimum(), self.box.maximum(), self.box.singleStep()
        exact = (high - low) * self.slider.value() / SLIDER_STEPS
        return min(high, round(low + round(exact / step) * step, 6))

    def _slider_moved(self) -> None:
        assert self.slider is not None
        value = self._slider_value()
        if value == self.box.value():
            return
        self.show_value(value)
        if self.slider.isSliderDown():
            self.moved.emit(value)
        else:
            self.settled.emit(value, Entry.STEPPED)

    def _slider_released(self) -> None:
        self.settled.emit(self._slider_value(), Entry.WRITTEN)
        self._show_on_slider(self.box.value())

    def _roll(self) -> None:
        seed = QRandomGenerator.global_().bounded(LARGEST_ROLLED_SEED)
        value = seed + 1 if seed >= self.box.value() else seed
        self.show_value(value)
        self.settled.emit(value, Entry.WRITTEN)


class ChoiceField(Field):
    """One of a few values, by their words."""

    def __init__(self, known: Declaration, name: str) -> None:
        super().__init__(known)
        self.box = CalmComboBox()
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(4)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for one in known.choices:
            self.box.addItem(one.title, one.value)
        self._use(self.box, name)
        self.row.addWidget(self.box, 1)
        self.box.activated.connect(self._chosen)

    def editor(self) -> QWidget:
        """The list."""
        return self.box

    def show_value(self, value: Any) -> None:
        """Show the words of a value."""
        self.box.setCurrentIndex(self.box.findData(value))

    def _chosen(self) -> None:
        self.settled.emit(self.box.currentData(), Entry.STEPPED)


class FlagField(Field):
    """A yes or no; its box carries its own words."""

    def __init__(self, known: Declaration, name: str) -> None:
        super().__init__(known)
        self.box = QCheckBox(known.title)
        self._use(self.box, name)
        self.row.addWidget(self.box, 1)
        self.box.clicked.connect(self._clicked)

    def editor(self) -> QWidget:
        """The box."""
        return self.box

    def show_value(self, value: Any) -> None:
        """Show yes or no."""
        self.box.setChecked(value)

    def _clicked(self) -> None:
        self.settled.emit(self.box.isChecked(), Entry.WRITTEN)


class TextField(Field):
    """A line of text; the puzzle follows while it is written."""

    def __init__(self, known: Declaration, name: str) -> None:
        super().__init__(known)
        self.box = TextLine()
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.box.setMinimumWidth(60)
        self._use(self.box, name)
        self.row.addWidget(self.box, 1)
        self.box.written.connect(self._written)
        self.box.taken.connect(self._taken)

    def editor(self) -> QWidget:
        """The line."""
        return self.box

    def show_value(self, value: Any) -> None:
        """Show a text; one that is being written is shown already."""
        if value != self.box.text():
            self.box.show_text(value)

    def _written(self, text: str) -> None:
        self.moved.emit(text)

    def _taken(self, text: str) -> None:
        self.settled.emit(text, Entry.WRITTEN)


def is_share(known: Declaration) -> bool:
    """Whether a number has no unit and narrow bounds, so that a slider says more than its digits."""
    return known.type == "number" and not known.unit and (known.maximum or 0) - (known.minimum or 0) <= 1


def field_for(known: Declaration, name: str) -> Field:
    """The editor for a declaration; `name` is what a screen reader says."""
    if known.type == "choice":
        return ChoiceField(known, name)
    if known.type == "flag":
        return FlagField(known, name)
    if known.type == "text":
        return TextField(known, name)
    return NumberField(known, name)


class Row:
    """A field with its label, the button that resets it, and the sentence of a value that was refused."""

    def __init__(self, known: Declaration, name: str) -> None:
        self.known = known
        self.name = name
        self.field = field_for(known, name)
        self.label = QLabel("" if known.type == "flag" else known.title)
        self.label.setBuddy(self.field.editor())
        self.label.setToolTip(tip(known))
        self.reset = quiet_button(_reset_words(name, known))
        self.refusal = hint_label()
        self.refusal.setForegroundRole(QPalette.ColorRole.BrightText)

    def lay(self, grid: QGridLayout, words_column: int = 0) -> None:
        """Take the next line of a grid, and one for the refusal; flag and refusal start at `words_column`."""
        line = grid.rowCount()
        if self.known.type == "flag":
            grid.addWidget(self.field, line, words_column, 1, 2 - words_column)
        else:
            grid.addWidget(self.label, line, 0)
            grid.addWidget(self.field, line, 1)
        grid.addWidget(self.reset, line, 2)
        grid.setColumnMinimumWidth(2, SIDE_BUTTON)
        grid.addWidget(self.refusal, line + 1, words_column, 1, 3 - words_column)

    def show_value(self, value: Any) -> None:
        """Show a value and whether it can be reset."""
        self.field.show_value(value)
        self.reset.setVisible(value != self.known.default and self.field.editor().isEnabled())

    def set_default(self, default: Any) -> None:
        """Let the value be reset to another one than the declared."""
        self.known = replace(self.known, default=default)
        said = _reset_words(self.name, self.known)
        self.reset.setToolTip(said)
        self.reset.setAccessibleName(said)

    def rest(self, reason: str) -> None:
        """Switch the field off and say why to who asks; an empty reason switches it on again."""
        editor = self.field.editor()
        for part in (self.field, self.label):
            part.setEnabled(not reason)
            part.setToolTip(reason or tip(self.known))
        editor.setToolTip(reason or tip(self.known))
        editor.setAccessibleDescription(reason or self.known.help)

    def refuse(self, sentence: str) -> None:
        """Say under the field, and to a screen reader, why a value was not taken; an empty sentence takes it back."""
        if sentence == self.refusal.text():
            return
        self.refusal.setText(sentence)
        self.refusal.setVisible(bool(sentence))
        self.field.editor().setAccessibleDescription(sentence or self.known.help)
        if sentence:
            from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field.editor(), sentence))


def taken(rows: Mapping[str, Row], values: V, name: str, value: Any) -> V:
    """The values with one other value; where that cannot be, its row says why and the values stay."""
    for row in rows.values():
        row.refuse("")
    try:
        return replace(values, **{name: value})
    except ParameterError as problem:
        rows[problem.name].refuse(str(problem))
        return values


class Group(QWidget):
    """Fields under one title, which folds them."""

    def __init__(self, title: str, rows: Iterable[Row]) -> None:
        super().__init__()
        self.title = QToolButton()
        self.title.setText(title)
        if not title:
            self.title.hide()
        self.title.setAccessibleName(title)
        self.title.setAutoRaise(True)
        self.title.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.title.setIconSize(QSize(16, 16))
        self.title.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.title.setFont(heading_font(QApplication.font()))
        self.title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.body = QWidget()
        self.grid = QGridLayout(self.body)
        self.grid.setContentsMargins(SIDE_GAP, 0, 0, 0)
        self.grid.setHorizontalSpacing(SIDE_GAP)
        self.grid.setVerticalSpacing(ROW_GAP)
        self.grid.setColumnStretch(1, 1)
        for row in rows:
            row.lay(self.grid)
        self.hint = hint_label()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(ROW_GAP)
        box.addWidget(self.title)
        box.addWidget(self.body)
        self.is_folded = False
        self.title.clicked.connect(self.turn)

    def add_line(self, widget: QWidget) -> None:
        """Put something across the whole width below the fields."""
        self.grid.addWidget(widget, self.grid.rowCount(), 0, 1, 3)

    def align(self, label_width: int) -> None:
        """Let labels take the same width in every group."""
        self.grid.setColumnMinimumWidth(0, label_width)

    def describe(self, sentence: str) -> None:
        """Show a quiet sentence below the fields."""
        self.hint.setText(sentence)
        self.hint.setVisible(bool(sentence))

    def turn(self) -> None:
        """Fold where unfolded, unfold where folded."""
        self.is_folded = not self.is_folded
        self.body.setVisible(not self.is_folded)
        self.dress()

    def dress(self) -> None:
        """Take the arrow in the colours of the present theme."""
        self.title.setIcon(icon("folded" if self.is_folded else "unfolded"))
        self.title.setAccessibleDescription("folded" if self.is_folded else "unfolded")


class ParameterForm(QWidget):
    """The form of one kind's parameters.

    `previewed` brings parameters while a gesture runs; `edited` brings the words for the history, the parameters and
    a token at its end, the same token for steps that are to be undone together.
    """

    previewed = Signal(object)
    edited = Signal(str, object, object)

    def __init__(
        self,
        parameters: Any,
        *,
        describe: Describe | None = None,
        linked: Linked | None = None,
        offers: Mapping[str, Offers] | None = None,
        rare: frozenset[str] = RARE_GROUPS,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._parameters = parameters
        self._describe = describe
        self._linked = linked
        self._start: Any = None
        self._last: tuple[str, object, float, Any] | None = None
        known = declarations(type(parameters))
        self._rows = {one.name: Row(one, _full_title(one, known)) for one in known}
        for name, values in (offers or {}).items():
            self._rows[name].field.offer(values)
        self._groups = _groups(self._rows.values())
        self.keep_size: QCheckBox | None = None
        self._lay_out()
        for name, row in self._rows.items():
            self._listen(name, row)
        for title in rare & set(self._groups):
            self.fold(title)
        self._dress()
        self._show(parameters)

    def parameters(self) -> Any:
        """The parameters that the form shows."""
        return self._parameters

    def set_parameters(self, parameters: Any) -> None:
        """Show other parameters without telling of it."""
        if parameters is self._parameters:
            # What is said of them may depend on more than they.
            self._tell(parameters)
            return
        for row in self._rows.values():
            row.refuse("")
        self._parameters = parameters
        self._start = None
        self._show(parameters)

    def set_defaults(self, defaults: Any) -> None:
        """Let every field be reset to its value in other parameters than the declared."""
        for name, row in self._rows.items():
            row.set_default(getattr(defaults, name))
        self._show(self._parameters)

    def field(self, name: str) -> QWidget:
        """The editor of a parameter."""
        return self._rows[name].field.editor()

    def refusal(self, name: str) -> str:
        """The sentence under a field, empty where its value was taken."""
        return self._rows[name].refusal.text()

    def fold(self, group: str) -> None:
        """Hide the fields of a group."""
        if not self.is_folded(group):
            self._groups[group].turn()

    def unfold(self, group: str) -> None:
        """Show the fields of a group."""
        if self.is_folded(group):
            self._groups[group].turn()

    def is_folded(self, group: str) -> bool:
        """Whether the fields of a group are hidden."""
        return self._groups[group].is_folded

    def keep_piece_size(self) -> KeepPieceSize:
        """Whether a change of columns or size goes through the hook that keeps pieces as they are."""
        kept = self.keep_size is not None and self.keep_size.isChecked()
        return KeepPieceSize.YES if kept else KeepPieceSize.NO

    def set_keep_piece_size(self, keep: KeepPieceSize) -> None:
        """Check or uncheck the box that keeps pieces as they are."""
        if self.keep_size is not None:
            self.keep_size.setChecked(keep is KeepPieceSize.YES)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme and the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_groups"):
            self._dress()

    def _lay_out(self) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(MARGIN - SIDE_GAP, GAP, MARGIN - SIDE_GAP, MARGIN)
        column.setSpacing(GROUP_GAP)
        for group in self._groups.values():
            column.addWidget(group)
        column.addStretch(1)
        first = next(iter(self._groups.values()))
        if self._linked is not None:
            self.keep_size = QCheckBox("Keep piece size")
            self.keep_size.setToolTip("Columns and rows then change the board's size instead of the pieces'.")
            self.keep_size.setMinimumHeight(SIDE_BUTTON)
            first.add_line(self.keep_size)
        for group in self._groups.values():
            group.add_line(group.hint)
        widest = max(row.label.sizeHint().width() for row in self._rows.values())
        for group in self._groups.values():
            group.align(widest)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidget(page)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for ground in (self.scroll_area.viewport(), page):
            ground.setBackgroundRole(QPalette.ColorRole.AlternateBase)
            ground.setAutoFillBackground(True)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.scroll_area)
        self._order_tabs()

    def _order_tabs(self) -> None:
        stops: list[QWidget] = []
        for group in self._groups.values():
            stops.append(group.title)
            for row in self._rows.values():
                if row.known.group == group.title.text():
                    die = row.field.die if isinstance(row.field, NumberField) else None
                    beside = (row.field.editor(), die, row.field.more, row.reset)
                    stops += [stop for stop in beside if stop is not None]
            if self.keep_size is not None and group is next(iter(self._groups.values())):
                stops.append(self.keep_size)
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _listen(self, name: str, row: Row) -> None:
        row.field.moved.connect(lambda value: self._move(name, value))
        row.field.settled.connect(lambda value, entry: self._settle(name, value, entry))
        row.field.refused.connect(row.refuse)
        row.reset.clicked.connect(lambda: self._settle(name, row.known.default, Entry.WRITTEN))

    def _dress(self) -> None:
        for group in self._groups.values():
            group.dress()
        for row in self._rows.values():
            row.reset.setIcon(icon("reset"))
            if isinstance(row.field, NumberField) and row.field.die is not None:
                row.field.die.setIcon(icon("dice"))
            if row.field.more is not None:
                row.field.more.setIcon(icon("unfolded"))

    def _show(self, parameters: Any) -> None:
        for name, row in self._rows.items():
            row.show_value(getattr(parameters, name))
        self._tell(parameters)

    def _tell(self, parameters: Any) -> None:
        sentences = self._describe(parameters) if self._describe is not None else {}
        for title, group in self._groups.items():
            group.describe(sentences.get(title, ""))

    def _move(self, name: str, value: Any) -> None:
        if self._start is None:
            self._start = self._parameters
        changed = self._changed(self._start, name, value)
        if changed is not None:
            self._parameters = changed
            self._show(changed)
            self.previewed.emit(changed)

    def _settle(self, name: str, value: Any, entry: Entry) -> None:
        start = self._parameters if self._start is None else self._start
        previewed, self._start = self._start is not None, None
        changed = self._changed(start, name, value)
        if changed is None or (changed == start and not previewed):
            self._show(self._parameters)
            return
        token, origin = self._gesture(name, getattr(start, name), entry)
        for row in self._rows.values():
            row.refuse("")
        self._parameters = changed
        self._show(changed)
        self.edited.emit(self._words(name, origin, getattr(changed, name)), changed, token)

    def _changed(self, start: Any, name: str, value: Any) -> Any:
        """The parameters with one other value, or None, told under the field, where they cannot be."""
        row = self._rows[name]
        try:
            if self._linked is not None and self.keep_piece_size() is KeepPieceSize.YES:
                changed = self._linked(start, name, value)
            else:
                changed = replace(start, **{name: value})
        except ParameterError as problem:
            title = self._rows[problem.name].known.title if problem.name in self._rows else problem.name
            row.refuse(str(problem).replace(problem.name, title, 1))
            self._show(self._parameters)
            return None
        row.refuse("")
        return changed

    def _gesture(self, name: str, value: Any, entry: Entry) -> tuple[object, Any]:
        """The token of a step, and the value from which its gesture set out."""
        now = time.monotonic()
        last, token, origin = self._last, object(), value
        if entry is Entry.STEPPED and last is not None and last[0] == name and now - last[2] < MERGE_SECONDS:
            token, origin = last[1], last[3]
        self._last = (name, token, now, origin) if entry is Entry.STEPPED else None
        return token, origin

    def _words(self, name: str, before: Any, after: Any) -> str:
        known = self._rows[name].known
        title = _full_title(known, declarations(type(self._parameters)))
        if known.type == "flag":
            return f"{title} {words(known, after)}"
        return f"{title} {words(known, before)} → {words(known, after)}"


def _reset_words(name: str, known: Declaration) -> str:
    return f"Reset {name[0].lower()}{name[1:]} to {words(known, known.default)}"


def words(known: Declaration, value: Any) -> str:
    """A value as makers read it."""
    if known.type == "flag":
        return "on" if value else "off"
    if known.type == "choice":
        return next(one.title for one in known.choices if one.value == value)
    if known.type == "text":
        return f"“{value}”" if len(value) <= MOST_SHOWN else f"“{value[: MOST_SHOWN - 1]}…”"
    return shown(value, known.unit, least_decimals(known))


def _full_title(known: Declaration, others: Iterable[Declaration]) -> str:
    """A title that no other field shares: that of the group before it where two have the same."""
    alike = [one for one in others if one.title == known.title]
    return known.title if len(alike) == 1 else f"{known.group} {known.title.lower()}"


def _groups(rows: Iterable[Row]) -> dict[str, Group]:
    titled: dict[str, list[Row]] = {}
    for row in rows:
        titled.setdefault(row.known.group, []).append(row)
    return {title: Group(title, members) for title, members in titled.items()}
