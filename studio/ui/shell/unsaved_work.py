"""Unsaved work of an earlier studio: its row on the start page, its dates in words, and restoring it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStyle, QVBoxLayout, QWidget

from studio.base.amounts import many
from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.texts import tr, visible
from studio.checks.finding import Severity
from studio.puzzles.registry import KINDS
from studio.ui.session.notices import Action, NoticeBar
from studio.ui.session.recovery import Copy
from studio.ui.widgets.controls import heading, hint_label, push_button
from studio.ui.widgets.theme import GAP, MARGIN, Painted, current_theme

# Dates and times in words: as the maker's system writes them, and how long ago they were

ISO = "yyyy-MM-dd HH:mm"
_AGO = ((60, 60, "minute"), (3600, 24, "hour"), (86_400, 14, "day"))
"""Seconds of a unit, the number below which it is used, and its name."""


def date_and_time(seconds: float, locale: QLocale | None = None) -> str:
    """A moment, in seconds since the epoch: 28/11/2026 23:34; 2026-11-28 23:34 if the system names no language.

    Years have four digits.
    """
    locale = locale or QLocale()
    form = ISO
    if locale.language() is not QLocale.Language.C:
        form = locale.dateTimeFormat(QLocale.FormatType.ShortFormat)
        form = form if "yyyy" in form else form.replace("yy", "yyyy")
    return locale.toString(QDateTime.fromSecsSinceEpoch(int(seconds)), form)


def ago(seconds: float, now: float) -> str:
    """Return the time from a moment to `now`, both in seconds since the epoch: 5 minutes ago; empty after two weeks."""
    passed = now - seconds
    if passed < 60:
        return tr("just now") if passed >= 0 else ""
    for size, most, name in _AGO:
        if passed < size * most:
            return tr("{time} ago", time=many(int(passed // size), name))
    return ""


PICTURE = QSize(96, 64)
RADIUS = 4.0


def title(copy: Copy) -> str:
    """Return the name of its file, or a title for work without a file."""
    if copy.file is not None:
        return copy.file.name
    return tr("Untitled {kind}", kind=KINDS[copy.kind].noun if copy.kind in KINDS else tr("puzzle"))


def details(copy: Copy) -> str:
    """Kind, size and pieces: Jigsaw · 300.0 × 150.0 mm, 72 pieces."""
    kind = KINDS[copy.kind].title if copy.kind in KINDS else ""
    return " · ".join(filter(None, (kind, copy.facts)))


def changes(copy: Copy) -> str:
    """Return the unsaved changes: 3 edits since the last save, the last: Flip tongue C4-D4; a game of 12 moves."""
    words = []
    if copy.edits:
        edits = many(copy.edits, "edit")
        words.append(edits if copy.file is None else tr("{edits} since the last save", edits=edits))
        if copy.last:
            words[-1] += tr(", the last: {edit}", edit=copy.last)
    if copy.moves:
        words.append(tr("a game of {moves}", moves=many(copy.moves, "move")))
    sentence = "; ".join(words)
    return sentence[:1].upper() + sentence[1:]


def when(copy: Copy, now: float) -> str:
    """Return the time of the last change: 5 minutes ago (2026-11-28 23:34)."""
    moment, passed = date_and_time(copy.seconds), ago(copy.seconds, now)
    return f"{passed} ({moment})" if passed else moment


def offer(copy: Copy, more: int = 0) -> str:
    """Return a sentence that offers a copy, and counts the others."""
    kind = KINDS[copy.kind].noun if copy.kind in KINDS else tr("puzzle")
    moment = date_and_time(copy.seconds)
    if not copy.is_modified:
        sentence = tr("An unsaved game of {title} ({kind}) from {when} can be restored.", title=title(copy), kind=kind,
                      when=moment)  # fmt: skip
    elif copy.file is not None:
        sentence = tr("Unsaved changes to {file} ({kind}) from {when} can be restored.", file=copy.file.name,
                      kind=kind, when=moment)  # fmt: skip
    else:
        sentence = tr("An unsaved {kind} from {when} can be restored.", kind=kind, when=moment)
    if not more:
        return sentence
    return tr("{sentence} {count} more will be offered next.", sentence=sentence, count=more)


def discard(copy: Copy, notices: NoticeBar, then: Callable[[], None]) -> None:
    """Discard a copy, undoable while the notice is shown; `then` updates the list of copies."""
    try:
        content = copy.content()
        copy.discard()
    except OSError as problem:
        notices.post(tr("Could not delete the backup: {reason}.", reason=problem.strerror), Severity.ERROR)
        return

    def bring_back() -> None:
        try:
            for path, data in content.items():
                write_bytes(path, data)
        except StudioError as problem:
            notices.post(str(problem), Severity.ERROR)
        then()

    then()
    notices.post(tr("Unsaved changes discarded."), action=Action(tr("Undo"), bring_back))


class Thumbnail(QWidget):
    """A small picture on the canvas's background, empty at first."""

    image: Painted[QImage | None] = Painted(None)

    def __init__(self, image: QImage | None) -> None:
        super().__init__()
        self.setFixedSize(PICTURE)
        self.image = image

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().canvas)
        painter.drawRoundedRect(self.rect(), RADIUS, RADIUS)
        if self.image is not None:
            inner = self.rect().adjusted(3, 3, -3, -3)
            size = self.image.size().scaled(inner.size(), Qt.AspectRatioMode.KeepAspectRatio)
            where = QStyle.alignedRect(Qt.LayoutDirection.LeftToRight, Qt.AlignmentFlag.AlignCenter, size, inner)
            painter.drawImage(where, self.image)


class CopyRow(QWidget):
    """A copy in the list of the start page: picture, title, unsaved changes, and two buttons."""

    restore_wanted = Signal(object)
    discard_wanted = Signal(object)

    def __init__(self, copy: Copy, image: QImage | None) -> None:
        super().__init__()
        self.thumbnail = Thumbnail(image)
        name = heading(visible(title(copy)))
        name.setTextFormat(Qt.TextFormat.PlainText)
        said = (details(copy), changes(copy), tr("Changed {when}", when=when(copy, time.time())))
        lines = [visible(each) for each in said if each]
        below = hint_label("\n".join(lines))
        below.setTextFormat(Qt.TextFormat.PlainText)
        place: Path | None = copy.file
        self.setToolTip("" if place is None else visible(str(place)))
        self.setAccessibleName(f"{title(copy)}: {', '.join(lines)}")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addWidget(name)
        words.addWidget(below)
        words.addStretch(1)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, GAP)
        across.setSpacing(MARGIN)
        across.addWidget(self.thumbnail)
        across.addLayout(words, 1)
        for words_, signal in ((tr("Restore"), self.restore_wanted), (tr("Discard"), self.discard_wanted)):
            button = push_button(words_)
            button.clicked.connect(partial(signal.emit, copy))
            across.addWidget(button)
