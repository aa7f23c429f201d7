"""The form of a parameters class, built from its declarations: groups of fields that answer while they are edited.

step: a change that ends in the history. gesture: steps that belong together and become one step of undo.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QCheckBox, QSizePolicy, QToolButton, QWidget

from studio.base.parameters import Declaration, ParameterError, declarations
from studio.base.texts import tr, within
from studio.ui.panels.fields import RESETS, Row, words
from studio.ui.session.extension import Linked, Offers
from studio.ui.widgets.controls import GROUP_GAP, ROW_GAP, SIDE_BUTTON, SIDE_GAP, heading, hint_label
from studio.ui.widgets.layout import REST, Item, SidePanel, column, grid, holding, labelled, row, scrolled
from studio.ui.widgets.length_spin import ValueOrigin
from studio.ui.widgets.theme import GAP, MARGIN, heading_font, icon

MERGE_SECONDS = 1.0
"""Seconds between steps on one field within which they are one gesture."""

Describe = Callable[[Any], Mapping[str, str]]


class Manner(Enum):
    """The look of a form's groups: folding in a scrolling panel, under headings, or all as one."""

    PANEL = auto()
    HEADINGS = auto()
    PLAIN = auto()


class FoldingTitle(QToolButton):
    """The title of a group, which folds its fields."""

    unfolding = Signal()
    """The fields are about to be shown."""

    def __init__(self, title: str, body: QWidget, is_folded: bool = False) -> None:
        super().__init__()
        self._body = body
        self.is_folded = is_folded
        self.setText(title)
        self.setAccessibleName(title)
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(QSize(16, 16))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFont(heading_font(QApplication.font()))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: self.fold(not self.is_folded))
        self.fold(is_folded)

    def fold(self, folded: bool) -> None:
        """Hide the fields or show them."""
        if not folded:
            self.unfolding.emit()
        self.is_folded = folded
        # Without a parent it would open as a window of its own, and take the focus.
        is_alone = self._body.parent() is None
        self._body.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, is_alone)
        self._body.setVisible(not folded)
        self._body.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, False)
        self.setIcon(icon("folded" if folded else "unfolded"))
        self.setAccessibleDescription("folded" if folded else "unfolded")


class FieldGroup(QWidget):
    """Fields under a title, or without one; those of a group that opens folded are placed when it is unfolded."""

    placed = Signal()

    def __init__(self, title: str, rows: Sequence[Row], lead: Mapping[str, QWidget], manner: Manner) -> None:
        super().__init__()
        is_panel = manner is Manner.PANEL
        self.rows = rows
        self.is_rare = bool(rows) and all(each.known.is_rare for each in rows)
        self.labels = [each.label for each in rows]
        self._is_asked = True
        self.is_placed = False
        self._sentence = ""
        self._words_column = 0 if is_panel else 1
        # Without fields there is no column for resets, which would leave a gap beside the lines below.
        self._columns = 3 if rows else 2
        # Columns hold their own gaps: Qt leaves out the one before a column whose widgets are all hidden.
        self._grid = grid(across=0, down=ROW_GAP)
        below = GROUP_GAP if is_panel and self.is_rare else 0
        self._grid.setContentsMargins(SIDE_GAP if is_panel else 0, 0, 0, below)
        self._grid.setColumnStretch(1, 1)
        body = holding(self._grid)
        self.title: FoldingTitle | None = None
        if is_panel and title:
            self.title = FoldingTitle(title, body, self.is_rare)
            self.title.unfolding.connect(self.place)
        plain = heading(title) if manner is Manner.HEADINGS and len(rows) > 1 else None
        self._head = row(gap=SIDE_GAP) if self.title is None else row((self.title, 1), gap=SIDE_GAP)
        parts = (None if self.title is None else self._head, plain, body)
        column(*(part for part in parts if part is not None), of=self, gap=ROW_GAP)
        if rows or manner is Manner.HEADINGS:
            # As much room without fields as other groups have for their resets.
            self._grid.setColumnMinimumWidth(2, RESETS)
        if is_panel:
            for each in rows:
                each.narrow()
        self._hint = hint_label()
        for name, field in lead.items():
            self._add(name, field)
        if self.title is None or not self.title.is_folded:
            self.place()

    def place(self) -> None:
        """Place the fields, once."""
        if not self.is_placed:
            self.is_placed = True
            for each in self.rows:
                each.place(self._grid, self._words_column)
            self.describe(self._sentence)
            self.placed.emit()

    def add(self, name: str, field: QWidget, *beside: QWidget) -> None:
        """Add a field that is no parameter's below the others, after its name and with widgets beside it."""
        self.place()
        self._add(name, field, *beside)

    def _add(self, name: str, field: QWidget, *beside: QWidget) -> None:
        label, _field = labelled(name, field)
        self.labels.append(label)
        line = self._grid.rowCount()
        self._grid.addWidget(label, line, 0)
        self._grid.addLayout(row((field, 1), *beside, gap=SIDE_GAP), line, 1)

    def add_to_title(self, widget: QWidget) -> None:
        """Add a widget beside the title, at its right end."""
        self._head.addWidget(widget)

    def add_line(self, widget: QWidget) -> None:
        """Add a widget below the fields, as wide as they and their words."""
        self.place()
        self._grid.addWidget(widget, self._grid.rowCount(), self._words_column, 1, self._columns - self._words_column)

    def align(self, label_width: int) -> None:
        """Give labels the same width in every group."""
        self._grid.setColumnMinimumWidth(0, label_width + SIDE_GAP)

    def show_asked(self) -> None:
        """Hide a group, with its heading, if none of its fields is shown."""
        is_asked = not self.rows or any(each.is_asked for each in self.rows)
        if is_asked != self._is_asked:
            self._is_asked = is_asked
            self.setVisible(is_asked)

    def describe(self, sentence: str) -> None:
        """Show a quiet sentence below the fields."""
        self._sentence = sentence
        if not self.is_placed:
            return
        if self._hint.parent() is None and sentence:
            self.add_line(self._hint)
        self._hint.setText(sentence)
        self._hint.setVisible(bool(sentence))


class ParameterForm(QWidget):
    """The form of one kind of parameters.

    `previewed` brings parameters while a gesture runs; `edited` brings the words for the history, the parameters and
    a token at its end, the same token for steps to be undone together. `describe` returns sentences for groups,
    `idle` the reasons for disabled fields, `hidden` parameters of other choices, `seen` the parameters whose values
    the fields show; `lead` are fields of another kind that come first.
    """

    previewed = Signal(object)
    edited = Signal(str, object, object)

    def __init__(
        self,
        parameters: Any,
        manner: Manner = Manner.PANEL,
        *,
        describe: Describe = lambda _parameters: {},
        idle: Describe = lambda _parameters: {},
        hidden: Callable[[Any], Collection[str]] = lambda _parameters: (),
        seen: Callable[[Any], Any] = lambda parameters: parameters,
        linked: Linked | None = None,
        offers: Mapping[str, Offers] | None = None,
        lead: Mapping[str, QWidget] | None = None,
    ) -> None:
        super().__init__()
        self._parameters = parameters
        self._manner, self._linked = manner, linked
        self._describe, self._idle, self._hidden, self._seen = describe, idle, hidden, seen
        self._away: set[str] = set()
        self.mixed: set[str] = set()
        """Names of the parameters shown as several values, until they are edited."""
        self._start: Any = None
        self._latest: tuple[str, object, float, Any] | None = None
        known = declarations(type(parameters))
        self._rows = {one.name: Row(one, full_title(one, known)) for one in known}
        self._offers = offers or {}
        self.groups = _groups(self._rows.values(), lead or {}, manner)
        self.link: QCheckBox | None = None
        if linked is not None and linked.title:
            self.link = QCheckBox(linked.title)
            self.link.setToolTip(linked.help)
            self.link.setMinimumHeight(SIDE_BUTTON)
            self.groups.get(linked.group, self._first).add_line(self.link)
        self._lay_out()
        for group in self.groups.values():
            if group.is_placed:
                self._listen(group)
            else:
                group.placed.connect(partial(self._listen, group))
        self._show(parameters)

    @property
    def _first(self) -> FieldGroup:
        return next(iter(self.groups.values()))

    @property
    def _last(self) -> FieldGroup:
        return list(self.groups.values())[-1]

    def parameters(self) -> Any:
        """Return the parameters shown."""
        return self._parameters

    def describe(self) -> None:
        """Update the sentences on the parameters, for `describe` functions that depend on more than these."""
        self._report(self._parameters)

    def show_unit(self) -> None:
        """Show bounds and defaults in the present unit."""
        for each in self._rows.values():
            each.show_unit()
        self._report(self._parameters)

    def set_parameters(self, parameters: Any, defaults: Any = None, mixed: Iterable[str] = ()) -> None:
        """Show other parameters without a signal, and forget refusals.

        Every field can be reset to its value in `defaults`; without these, to its former default. `mixed` are
        parameters of which the selection has several values.
        """
        self.forget_refusals()
        self.mixed = {*mixed}
        # Before the values are shown: a button that appears for a moment would lay out the whole panel twice.
        other = [each for name, each in self._rows.items() if defaults and each.set_default(getattr(defaults, name))]
        if parameters is self._parameters and not other:
            # Their sentences and effects may depend on more than the parameters.
            self._rest(parameters)
            self._report(parameters)
            return
        self._parameters = parameters
        self._start = None
        self._show(parameters)

    def ask_only(self, names: Iterable[str]) -> None:
        """Show the fields of these parameters alone."""
        asked = set(names)
        for name, each in self._rows.items():
            each.ask(name in asked)
        for group in self.groups.values():
            group.show_asked()
        self._show(self._parameters)

    def field(self, name: str) -> QWidget:
        """Return the editor of a parameter."""
        return self._placed(name).field.editor

    def row_of(self, name: str) -> Row | None:
        """Return the row of a parameter; None if there is no such parameter."""
        return self._placed(name) if name in self._rows else None

    def _placed(self, name: str) -> Row:
        found = self._rows[name]
        next(group for group in self.groups.values() if found in group.rows).place()
        return found

    def asked(self) -> list[tuple[str, str, str, str]]:
        """Return name, title, group and help of each parameter whose field is shown and enabled."""
        return [
            (name, each.name, each.known.group, each.known.help)
            for name, each in self._rows.items()
            if each.is_asked and not each.reason and self.isEnabled()
        ]

    def resting(self) -> list[tuple[str, str, str, str, str]]:
        """Return name, title, group and help of each parameter whose field is disabled, and the reason."""
        return [
            (name, each.name, each.known.group, each.known.help, each.reason)
            for name, each in self._rows.items()
            if each.is_asked and each.reason
        ]

    def choices_of(self, name: str) -> list[str]:
        """Return the words for the values of a choice; empty for other parameters."""
        return [choice.title for choice in self._rows[name].known.choices]

    def asked_at(self, widget: QWidget) -> Declaration | None:
        """Return the parameter whose field contains a widget."""
        placed = (each for each in self._rows.values() if each.is_placed)
        fields = (each for each in placed if each.field is widget or each.field.isAncestorOf(widget))
        return next((each.known for each in fields), None)

    def go_to(self, name: str) -> None:
        """Focus a field, its group unfolded and in sight."""
        each = self._rows[name]
        self.fold(each.known.group, folded=False)
        each.field.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if self._manner is Manner.PANEL:
            self.scroll_area.ensureWidgetVisible(each.field)

    def refusal(self, name: str) -> str:
        """Return the sentence beside a field, empty if its value was taken."""
        return self._rows[name].refusal

    def fold(self, group: str, folded: bool = True) -> None:
        """Hide or show the fields of a group with a title."""
        title = self.groups[group].title
        if title is not None:
            title.fold(folded)

    def is_folded(self, group: str) -> bool:
        """True if the fields of a group are hidden."""
        title = self.groups[group].title
        return title is not None and title.is_folded

    def add(self, name: str, field: QWidget, *beside: QWidget) -> None:
        """Add a field that is no parameter's below the last group, after its name and with widgets beside it."""
        self._last.add(name, field, *beside)
        self.align(self.label_width)

    def add_line(self, widget: QWidget) -> None:
        """Add a widget below the last group, as wide as its fields."""
        self._last.add_line(widget)

    def add_to_title(self, button: QWidget) -> None:
        """Add a button beside the title of the first group, at the top of the panel."""
        self._first.add_to_title(button)
        if self._first.title is not None:
            QWidget.setTabOrder(self._first.title, button)

    @property
    def label_width(self) -> int:
        """The width of the labels, to align fields above and below."""
        labels = [label for group in self.groups.values() for label in group.labels]
        return max(label.sizeHint().width() for label in labels) + (0 if self._manner is Manner.PANEL else SIDE_GAP)

    def align(self, label_width: int) -> None:
        """Give labels the same width in every group."""
        for group in self.groups.values():
            group.align(label_width)

    def _lay_out(self) -> None:
        self.align(self.label_width)
        if self._manner is not Manner.PANEL:
            column(*self.groups.values(), of=self, gap=GROUP_GAP)
            return
        # Titles of rarely opened groups are close together.
        items: list[Item] = []
        before: FieldGroup | None = None
        for group in self.groups.values():
            if before is not None and not (before.is_rare and group.is_rare):
                items.append(GROUP_GAP)
            items.append(group)
            before = group
        margins = (MARGIN - SIDE_GAP, GAP, MARGIN - SIDE_GAP, ROW_GAP)
        page = holding(column(*items, REST, gap=0, margins=margins))
        self.scroll_area = scrolled(page, SidePanel())
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for ground in (self.scroll_area.viewport(), page):
            ground.setBackgroundRole(QPalette.ColorRole.AlternateBase)
            ground.setAutoFillBackground(True)
        column(self.scroll_area, of=self, gap=0)

    def _listen(self, group: FieldGroup) -> None:
        for each in group.rows:
            self._listen_to(each.known.name, each)
        if self._manner is not Manner.PANEL:
            return
        stops: list[QWidget] = []
        for known in self.groups.values():
            stops += [known.title] if known.title is not None else []
            for each in known.rows if known.is_placed else ():
                stops += [*each.field.stops, each.reset]
            if self.link is not None and known is self._first:
                stops.append(self.link)
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _listen_to(self, name: str, each: Row) -> None:
        each.field.moved.connect(lambda value: self._move(name, value))
        each.field.settled.connect(lambda value, entry: self._settle(name, value, entry))
        each.field.refused.connect(partial(self._refuse, each))
        each.field.kept.connect(lambda: each.refuse(""))
        each.reset.clicked.connect(lambda: self._settle(name, each.known.default, ValueOrigin.WRITTEN))
        if name in self._offers:
            each.field.offer(self._offers[name])

    def forget_refusals(self) -> None:
        """Take back all sentences on refused values."""
        for each in self._rows.values():
            each.refuse("")

    def _refuse(self, row: Row, sentence: str) -> None:
        """Say why a value was refused, in place of a sentence beside another field."""
        if row.refusal != sentence:
            self.forget_refusals()
        row.refuse(sentence)

    def _show(self, parameters: Any) -> None:
        self._rest(parameters)
        seen = self._seen(parameters)
        for name, each in self._rows.items():
            each.show_value(getattr(seen, name), is_mixed=name in self.mixed)
        self._report(parameters)

    def _rest(self, parameters: Any) -> None:
        """Disable the fields without effect, and hide those of another choice."""
        idle, hidden = self._idle(parameters), {*self._hidden(parameters)}
        for name, each in self._rows.items():
            each.rest(idle.get(name, ""))
        for name in hidden ^ self._away:
            self._rows[name].ask(name not in hidden)
        if hidden != self._away:
            for group in self.groups.values():
                group.show_asked()
        if self.link is not None and self._linked is not None and self._linked.names:
            self.link.setVisible(not hidden.issuperset(self._linked.names))
        self._away = hidden

    def _report(self, parameters: Any) -> None:
        sentences = self._describe(parameters)
        for title, group in self.groups.items():
            group.describe(sentences.get(title, ""))

    def _move(self, name: str, value: Any) -> None:
        if self._start is None:
            self._start = self._parameters
        changed = self._changed(self._start, name, value)
        if changed is not None:
            self.mixed.discard(name)
            self._parameters = changed
            self._show(changed)
            self.previewed.emit(changed)

    def _settle(self, name: str, value: Any, entry: ValueOrigin) -> None:
        start = self._parameters if self._start is None else self._start
        previewed, self._start = self._start is not None, None
        changed = self._changed(start, name, value)
        is_mixed = name in self.mixed
        if changed is None or (changed == start and not previewed and not is_mixed):
            self._show(self._parameters)
            return
        token, origin = self._gesture(name, getattr(start, name), entry)
        self.forget_refusals()
        self.mixed.discard(name)
        self._parameters = changed
        self._show(changed)
        after = getattr(changed, name)
        self.edited.emit(self._words(name, after if is_mixed else origin, after), changed, token)

    def _changed(self, start: Any, name: str, value: Any) -> Any:
        """Return the parameters with one other value; None, with a message beside the field, if they are refused."""
        edited = self._rows[name]
        try:
            if self._linked is not None and (self.link is None or self.link.isChecked()):
                changed = self._linked.change(start, name, value)
            else:
                changed = replace(start, **{name: value})
        except ParameterError as problem:
            title = self._rows[problem.name].known.title if problem.name in self._rows else problem.name
            self._refuse(edited, str(problem).replace(problem.name, title, 1))
            self._show(self._parameters)
            return None
        edited.refuse("")
        return changed

    def _gesture(self, name: str, value: Any, entry: ValueOrigin) -> tuple[object, Any]:
        """Return the token of a step, and the value at which its gesture began."""
        now = time.monotonic()
        last, token, origin = self._latest, object(), value
        if entry is ValueOrigin.STEPPED and last is not None and last[0] == name and now - last[2] < MERGE_SECONDS:
            token, origin = last[1], last[3]
        self._latest = (name, token, now, origin) if entry is ValueOrigin.STEPPED else None
        return token, origin

    def _words(self, name: str, before: Any, after: Any) -> str:
        title, known = self._rows[name].name, self._rows[name].known
        said = words(known, after)
        return (
            f"{title} {said}" if known.type == "flag" or before == after else f"{title} {words(known, before)} → {said}"
        )


def full_title(known: Declaration, others: Iterable[Declaration]) -> str:
    """Return a title shared by no other field, with its group in front if necessary."""
    alike = [one for one in others if one.title == known.title]
    return known.title if len(alike) == 1 else tr("{group} {title}", group=known.group, title=within(known.title))


def _groups(rows: Iterable[Row], lead: Mapping[str, QWidget], manner: Manner) -> dict[str, FieldGroup]:
    titled: dict[str, list[Row]] = {"": []} if lead or manner is Manner.PLAIN else {}
    for each in rows:
        titled.setdefault("" if manner is Manner.PLAIN else each.known.group, []).append(each)
    return {title: FieldGroup(title, members, {} if title else lead, manner) for title, members in titled.items()}
