"""The start page: kinds to begin, samples and recent files to open, and work that was not saved.

It is there before anything of a puzzle is loaded, and so imports nothing of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMargins, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QEnterEvent,
    QFontMetrics,
    QImage,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QPixmap,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QScrollArea, QStyle, QVBoxLayout, QWidget

from studio.files import SUFFIX
from studio.home import shipped
from studio.lazy import lazy
from studio.puzzles.registry import KINDS
from studio.texts import tr, visible
from studio.ui.flow import Flow
from studio.ui.shell.thumbnails import GONE, Thumbnails, is_known, known
from studio.ui.theme import GAP, MARGIN, current_theme, heading_font, hint_font
from studio.ui.widgets import heading, hint_label, push_button

if TYPE_CHECKING:
    from studio.ui.session.recovery import Copy
    from studio.ui.shell.notices import NoticeBar
    from studio.ui.shell.preferences import Preferences
    from studio.ui.shell.unsaved_work import CopyRow

_show_help = lazy("studio.ui.shell.manual.window:show_help")
LEAST_SIZE = QSize(760, 520)
KIND_PICTURE = QSize(160, 108)
FILE_PICTURE = QSize(144, 96)
RADIUS = 6.0
LATER_MS = 300
"""When, after the page has come up, thumbnails are looked after."""


class Card(QAbstractButton):
    """A picture with a name below it, and a quiet sentence below that.

    What `read` gives is the picture until another is shown; it is asked when the card is first painted, since most of
    a long list is out of sight.
    """

    def __init__(
        self, room: QSize, title: str, words: str = "", tip: str = "", read: Callable[[], QImage | None] | None = None
    ) -> None:
        super().__init__()
        self._room, self._words, self._read = room, words, read
        self._picture: QPixmap | None = None
        self.is_gone = False
        self.setText(title)
        # A sign in a file's name that Qt would take for a mnemonic is none.
        self.setShortcut(QKeySequence())
        self.setAccessibleName(title)
        self.setAccessibleDescription(words)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedSize(self.sizeHint())

    def show_picture(self, image: QImage | None) -> None:
        """Show another picture, or none."""
        self._read = None
        self._picture = None if image is None else QPixmap.fromImage(image)
        self.update()

    @property
    def is_read(self) -> bool:
        """Whether its picture is known, if there is one."""
        return self._read is None

    def show_gone(self) -> None:
        """The file is not there any more."""
        self.is_gone = True
        self.setEnabled(False)
        self.update()

    def sizeHint(self) -> QSize:
        """The picture, the name, and room for the words."""
        inner = self._room.width()
        height = MARGIN + self._room.height() + GAP + self.fontMetrics().height() + MARGIN
        if self._words:
            height += 4 + self._words_box(inner).height()
        return QSize(inner + 2 * MARGIN, height)

    def _words_box(self, width: int) -> QRect:
        metrics = QFontMetrics(hint_font(self.font()))
        return metrics.boundingRect(0, 0, width, 10_000, Qt.TextFlag.TextWordWrap.value, self._words)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._read is not None:
            image, self._read = self._read(), None
            self._picture = None if image is None else QPixmap.fromImage(image)
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        area = self.rect().adjusted(1, 1, -1, -1)
        is_lit = self.isEnabled() and (self.underMouse() or self.hasFocus())
        painter.setPen(theme.accent if is_lit else theme.line)
        painter.setBrush(theme.panel)
        painter.drawRoundedRect(area, RADIUS, RADIUS)
        room = QRect(QPoint(MARGIN, MARGIN), self._room)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.canvas)
        painter.drawRoundedRect(room, RADIUS, RADIUS)
        if self._picture is not None:
            inner = room.adjusted(4, 4, -4, -4)
            size = self._picture.size().scaled(inner.size(), Qt.AspectRatioMode.KeepAspectRatio)
            painter.setOpacity(0.4 if self.is_gone else 1.0)
            where = QStyle.alignedRect(Qt.LayoutDirection.LeftToRight, Qt.AlignmentFlag.AlignCenter, size, inner)
            painter.drawPixmap(where, self._picture)
            painter.setOpacity(1.0)
        if self.is_gone:
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, tr("Not found"))
        self._write(painter, room)

    def _write(self, painter: QPainter, room: QRect) -> None:
        group = QPalette.ColorGroup.Normal if self.isEnabled() else QPalette.ColorGroup.Disabled
        painter.setPen(self.palette().color(group, QPalette.ColorRole.WindowText))
        if self._room == KIND_PICTURE:
            painter.setFont(heading_font(self.font()))
        height = painter.fontMetrics().height()
        line = QRect(MARGIN, room.bottom() + 1 + GAP, room.width(), height)
        text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if self._words:
            painter.setFont(hint_font(self.font()))
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            below = self._words_box(room.width()).translated(MARGIN, line.bottom() + 4)
            painter.drawText(below, Qt.TextFlag.TextWordWrap.value, self._words)


class StartPage(QWidget):
    """The page of the first tab, and what is there while no puzzle is open."""

    kind_chosen = Signal(str)
    file_chosen = Signal(object)
    """A file is to be opened: brings its path, or None where it is to be asked for."""
    files_dropped = Signal(object)
    """Files are to be opened, each in a tab of its own: brings their paths."""
    sample_chosen = Signal(object)
    """A sample is to be opened as a new puzzle: brings its path."""
    restore_wanted = Signal(object)
    """Unsaved work is to be opened: brings a list of copies."""
    discard_wanted = Signal(object)
    """Unsaved work is not wanted: brings its copy."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.preferences = preferences
        self._theme = "dark" if current_theme().is_dark else "light"
        self.cards: dict[Path, list[Card]] = {}
        self.copies: dict[Path, CopyRow] = {}
        """The rows of unsaved work."""
        self._recent = preferences.recent_files()
        self.setWindowTitle(tr("Puzzle Studio"))
        self.setMinimumSize(LEAST_SIZE)
        self.setAcceptDrops(True)
        self.recovered = QFrame()
        self.recovered.hide()
        self._rows = QVBoxLayout(self.recovered)
        self._rows.setContentsMargins(0, 0, 0, MARGIN)
        self.kinds = [self._kind_card(key) for key in KINDS]
        highest = max(card.height() for card in self.kinds)
        for card in self.kinds:
            card.setFixedHeight(highest)
        self._thumbnails = Thumbnails(self._theme, self)
        self._thumbnails.made.connect(self.show_picture)
        self._lay_out()
        for keys, act in (
            ("Ctrl+O", partial(self.file_chosen.emit, None)), ("Ctrl+Q", lambda: self.window().close()),
            ("F1", partial(_show_help, preferences)),
        ):  # fmt: skip
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    @property
    def is_current(self) -> bool:
        """Whether another page made now would show the same files in the same colours."""
        theme = "dark" if current_theme().is_dark else "light"
        return (self._recent, self._theme) == (self.preferences.recent_files(), theme)

    def _kind_card(self, key: str) -> Card:
        listed = KINDS[key]
        card = Card(KIND_PICTURE, listed.title, listed.summary)
        card.show_picture(QImage(str(shipped("start") / f"{key}-{self._theme}.png")))
        card.clicked.connect(partial(self.kind_chosen.emit, key))
        return card

    def _file_card(self, path: Path, title: str, chosen: Callable[[], None], tip: str) -> Card:
        card = Card(FILE_PICTURE, visible(title), tip=visible(tip), read=partial(known, path, self._theme))
        self.cards.setdefault(path, []).append(card)
        card.clicked.connect(chosen)
        return card

    def _lay_out(self) -> None:
        samples = sorted(shipped("examples").glob(f"*{SUFFIX}"))
        opening = push_button(tr("Open…"), tr("Open a puzzle file (Ctrl+O)"))
        opening.clicked.connect(partial(self.file_chosen.emit, None))
        files = [
            self._file_card(path, _named(path), partial(self.file_chosen.emit, path), str(path))
            for path in self._recent
        ]
        shown = [
            self._file_card(
                path, _titled(path), partial(self.sample_chosen.emit, path), tr("Open this sample as a new puzzle")
            )
            for path in samples
        ]
        left = QVBoxLayout()
        left.setSpacing(GAP)
        left.addWidget(self.recovered)
        left.addWidget(heading(tr("New puzzle")))
        left.addWidget(_flowing(self.kinds))
        head = QHBoxLayout()
        head.addWidget(heading(tr("Recent files")), 1)
        head.addWidget(opening)
        left.addSpacing(GAP)
        left.addLayout(head)
        nothing = tr("Files that you open or save are listed here. You can also drop a puzzle file on this window.")
        left.addWidget(_flowing(files) if files else hint_label(nothing))
        left.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(GAP)
        right.addWidget(heading(tr("Samples")))
        for card in shown:
            right.addWidget(card)
        right.addStretch(1)
        page, column = QWidget(), QWidget()
        page.setLayout(left)
        column.setLayout(right)
        for layout in (left, right):
            layout.setContentsMargins(2 * MARGIN, 2 * MARGIN, 2 * MARGIN, 2 * MARGIN)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        side = _scrolling(column)
        side.setFixedWidth(column.sizeHint().width() + side.verticalScrollBar().sizeHint().width() + 2)
        across.addWidget(_scrolling(page), 1)
        across.addWidget(side)

    @cached_property
    def notices(self) -> NoticeBar:
        """Where messages are posted."""
        from studio.ui.shell.notices import NoticeBar

        bar = NoticeBar()
        bar.lie_over(self)
        return bar

    def show_copies(self, copies: Sequence[Copy]) -> None:
        """List the copies of unsaved work."""
        while self._rows.count():
            item = self._rows.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.copies = {}
        self.recovered.setVisible(bool(copies))
        if not copies:
            return
        # Loaded where there is any.
        from studio.ui.shell.unsaved_work import CopyRow

        self._rows.addWidget(self._head_of_copies(copies))
        for copy in copies:
            row = self.copies[copy.path] = CopyRow(copy, known(copy.path, self._theme))
            row.restore_wanted.connect(lambda one: self.restore_wanted.emit([one]))
            row.discard_wanted.connect(self.discard_wanted)
            self._rows.addWidget(row)

    def _head_of_copies(self, copies: Sequence[Copy]) -> QWidget:
        head = QWidget()
        across = QHBoxLayout(head)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(heading(tr("Unsaved work")), 1)
        if len(copies) > 1:
            everything = push_button(tr("Restore all"), tr("Open each in a tab of its own"))
            everything.clicked.connect(lambda: self.restore_wanted.emit([*copies]))
            across.addWidget(everything)
        return head

    def _look_after_thumbnails(self) -> None:
        if self.isVisible():
            wanted = sorted(self.cards, key=lambda path: is_known(path, self._theme))
            self._thumbnails.ask([*self.copies, *wanted])

    def show_picture(self, path: Path, picture: QImage | str) -> None:
        """Show a file's picture on its cards, or that there is none."""
        if path in self.copies and isinstance(picture, QImage):
            self.copies[path].thumbnail.image = picture
        for card in self.cards.get(path, ()):
            if isinstance(picture, QImage):
                card.show_picture(picture)
            elif picture == GONE:
                card.show_gone()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = _dropped(event)
        if paths:
            event.acceptProposedAction()
            self.files_dropped.emit(paths)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            # Each time, since files may have been saved in the tabs meanwhile.
            QTimer.singleShot(LATER_MS, self, self._look_after_thumbnails)

    def closeEvent(self, event: QEvent) -> None:
        self._thumbnails.close()
        event.accept()


def _dropped(event: QDropEvent) -> list[Path]:
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return [path for path in paths if path.suffix.lower() == SUFFIX]


def _named(file: Path) -> str:
    """A file without its ending, where letters are left of its name."""
    return file.stem if file.stem.strip() else file.name


def _titled(sample: Path) -> str:
    """The name of a sample: `Bay 93` for bay-93.puzzle."""
    return sample.stem.replace("-", " ").capitalize()


def _flowing(cards: Iterable[Card]) -> QWidget:
    widget = QWidget()
    widget.setLayout(Flow(cards, MARGIN, MARGIN, QMargins(0, 0, 0, 0)))
    return widget


def _scrolling(widget: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area
