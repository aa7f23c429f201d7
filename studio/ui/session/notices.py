"""Notices over the upper right corner of a page: one sentence at a time, never in the way of work.

The newest is shown, as the answer to the maker's last action. Only information disappears by itself. A refusal stays
until it is closed or something else is done; other errors and warnings wait behind newer notices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from studio.base.texts import tr, visible
from studio.checks.finding import Severity
from studio.ui.widgets.layout import REST, row
from studio.ui.widgets.theme import GAP, MARGIN, Sign, current_theme, hint_font, icon

SHOWN_MS = 6000
MOST_WAITING = 4
WIDEST = 560
"""Pixels of a notice whose sentence fills a line."""
NARROWEST = 220
"""Least pixels of a sentence beside its buttons; with less, the buttons go below."""
ICON = 20
STRIPE = 3
ICONS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "hint"}
WORDS = {Severity.ERROR: tr("Error"), Severity.WARNING: tr("Warning"), Severity.HINT: tr("Information")}


@dataclass(frozen=True)
class Action:
    """An action offered by a notice, and the words on its button."""

    title: str
    do: Callable[[], object]


@dataclass(frozen=True)
class Notice:
    """One sentence for the maker; `Severity.HINT` is plain information.

    `passes` marks a notice that the next action outdates, `asks` one that wants an answer.
    """

    sentence: str
    severity: Severity = Severity.HINT
    action: Action | None = None
    other: Action | None = None
    passes: bool = False
    asks: bool = False
    details: str = ""
    """Details, shown as a tool tip of the sentence."""

    @property
    def stays(self) -> bool:
        """True if it waits to be closed."""
        return self.asks or self.severity is not Severity.HINT


class NoticeBar(QWidget):
    """Shows notices one at a time, and hides itself without any; `changed` brings the one shown or None.

    It lies over its page and moves nothing, so that no button slips away from under the mouse.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: QWidget | None = None
        self._shown: Notice | None = None
        self._waiting: list[Notice] = []
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self.close_notice)
        self._lay_out()
        self.hide()

    def lie_over(self, page: QWidget) -> None:
        """Take the upper right corner of a page, at any size."""
        self._page = page
        self.setParent(page)
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the corner when the page changes its size."""
        if watched is self._page and event.type() == QEvent.Type.Resize:
            self._keep_corner()
        return super().eventFilter(watched, event)

    def post(
        self,
        sentence: str,
        severity: Severity = Severity.HINT,
        action: Action | None = None,
        other: Action | None = None,
        passes: bool = False,
        asks: bool = False,
        details: str = "",
    ) -> None:
        """Show a sentence at once; an error or warning shown now waits behind it.

        A notice that `passes` is dropped by the next one. One that `asks` stays until it is answered or closed.
        """
        if self._shown is not None and self._shown.stays and not self._shown.passes:
            self._waiting.insert(0, self._shown)
        self._waiting = [one for one in self._waiting if (one.sentence, one.severity) != (sentence, severity)]
        # Beyond the limit, drop the oldest of the least severe notices.
        if len(self._waiting) > MOST_WAITING:
            least = max(one.severity for one in self._waiting)
            self._waiting.remove(next(one for one in reversed(self._waiting) if one.severity is least))
        self._show(Notice(sentence, severity, action, other, passes, asks, details))

    def refuse(self, sentence: str) -> None:
        """Say why something was not done, until it is closed or something else is done."""
        self.post(sentence, Severity.WARNING, passes=True)

    def go_on(self) -> None:
        """Drop the notice if the next action outdates it."""
        if self._shown is not None and self._shown.passes and self._shown.stays:
            self.close_notice()

    def follow(self, action: Action, sentence: str) -> None:
        """Change the sentence of the notice with an action, if it is shown, and restart its time."""
        if self._shown is not None and self._shown.action is action and self._shown.sentence != sentence:
            self._shown = replace(self._shown, sentence=sentence)
            self._sentence.setText(visible(sentence))
            self._keep_corner()
            self._count_down()

    def withdraw(self, what: Action | str) -> None:
        """Remove the notice with an action or a sentence, shown or waiting."""
        self._waiting = [one for one in self._waiting if what not in (one.action, one.sentence)]
        if self._shown is not None and what in (self._shown.action, self._shown.sentence):
            self.close_notice()
        elif self._shown is not None:
            self._count()

    def notice(self) -> Notice | None:
        """Return the notice shown."""
        return self._shown

    def waiting(self) -> tuple[Notice, ...]:
        """Return the notices behind it, the newest first."""
        return tuple(self._waiting)

    def close_notice(self) -> None:
        """Close the notice and show the next."""
        self._timer.stop()
        if self._waiting:
            self._show(self._waiting.pop(0))
            return
        self._shown = None
        self.hide()
        self.changed.emit(None)

    def clear(self) -> None:
        """Remove every notice."""
        self._waiting.clear()
        self.close_notice()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stop the time while the maker reads."""
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Restart the time."""
        super().leaveEvent(event)
        self._count_down()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a panel with a thin rim and a stripe in the colour of the severity."""
        theme = current_theme()
        painter = QPainter(self)
        painter.setPen(theme.line)
        painter.setBrush(theme.panel)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if self._shown is not None:
            stripe = {Severity.ERROR: theme.error, Severity.WARNING: theme.warning, Severity.HINT: theme.hint}
            painter.fillRect(QRect(0, 0, STRIPE, self.height()), stripe[self._shown.severity])

    def _lay_out(self) -> None:
        self._icon = Sign()
        self._icon.setFixedSize(ICON, ICON)
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._sentence.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._more = QLabel()
        self._more.setFont(hint_font(self.font()))
        self._more.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._act, self._other = QPushButton(), QPushButton()
        for button, which in ((self._act, "action"), (self._other, "other")):
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._do, which))
        self._close = QToolButton()
        self._close.setAutoRaise(True)
        self._close.setIconSize(QSize(16, 16))
        self._close.setIcon(icon("close"))
        self._close.setToolTip(tr("Close this notice"))
        self._close.setAccessibleName(tr("Close this notice"))
        self._close.clicked.connect(self.close_notice)
        self._lines = row((self._sentence, 1), row(self._more, self._act, self._other, REST))
        row(self._icon, (self._lines, 1), self._close, of=self, margins=(MARGIN + STRIPE, 6, GAP, 7))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _show(self, notice: Notice) -> None:
        self._timer.stop()
        self._shown = notice
        self._sentence.setText(visible(notice.sentence))
        self._sentence.setToolTip(notice.details)
        self._icon.name = ICONS[notice.severity]
        self.setAccessibleName(f"{WORDS[notice.severity]}: {notice.sentence}")
        for button, action in ((self._act, notice.action), (self._other, notice.other)):
            button.setVisible(action is not None)
            if action is not None:
                button.setText(action.title)
        self._count()
        self._keep_corner()
        self.show()
        self.update()
        self._count_down()
        # Imported with the first notice: its many enums cost a start 30 ms.
        from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent

        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))
        spoken = QAccessibleAnnouncementEvent(self, self.accessibleName())
        if notice.stays:
            spoken.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(spoken)
        self.changed.emit(notice)

    def _keep_corner(self) -> None:
        if self._page is None:
            return
        self.ensurePolished()
        layout = self.layout()
        assert layout is not None
        self._lines.setDirection(QBoxLayout.Direction.LeftToRight)
        layout.activate()
        words = self._sentence.fontMetrics().horizontalAdvance(self._sentence.text()) + GAP
        beside = layout.totalSizeHint().width() - self._sentence.sizeHint().width()
        width = min(beside + words, WIDEST, self._page.width() - 2 * MARGIN)
        if width - beside < min(words, NARROWEST):
            self._lines.setDirection(QBoxLayout.Direction.TopToBottom)
        height = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()
        self.setGeometry(self._page.width() - width - MARGIN, MARGIN, width, height)
        self.raise_()

    def _count(self) -> None:
        self._more.setText(tr("{count} more", count=len(self._waiting)))
        self._more.setVisible(bool(self._waiting))

    def _count_down(self) -> None:
        if self._shown is not None and not self._shown.stays and not self.underMouse():
            self._timer.start()

    def _do(self, which: str) -> None:
        action: Action | None = getattr(self._shown, which, None)
        self.close_notice()
        if action is not None:
            action.do()
