"""The start page: kinds to begin, samples and recent files to open, and unsaved work.

It is shown before any puzzle module is loaded, and so imports none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMargins, QMimeData, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QEnterEvent,
    QFontMetrics,
    QGuiApplication,
    QImage,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QPixmap,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMenuBar,
    QScrollArea,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from studio.base.folders import shipped
from studio.base.progress import lazy
from studio.base.texts import tr, visible
from studio.files import SUFFIX
from studio.puzzles.registry import KINDS
from studio.ui.shell.thumbnails import GONE, Thumbnails, is_known, known
from studio.ui.widgets.controls import heading, hint_label, push_button
from studio.ui.widgets.layout import Flow
from studio.ui.widgets.theme import GAP, MARGIN, current_theme, heading_font, hint_font

if TYPE_CHECKING:
    from studio.ui.session.notices import NoticeBar
    from studio.ui.session.preferences import Preferences
    from studio.ui.session.recovery import Copy
    from studio.ui.shell.unsaved_work import CopyRow


# A card of the start page: a picture with a name, which opens the file or kind shown.


RADIUS = 6.0


class Card(QAbstractButton):
    """A picture with a name below it, and a quiet sentence below that.

    `read` returns the first picture; it is called when the card is first painted, since most of a long list is out of
    sight.
    """

    def __init__(
        self, room: QSize, title: str, words: str = "", tip: str = "", read: Callable[[], QImage | None] | None = None,
        *, is_large: bool = False,
    ) -> None:  # fmt: skip
        """`room` is the picture's size; a large card has its name in the size of a heading."""
        super().__init__()
        self._room, self._words, self._read, self._is_large = room, words, read, is_large
        self._picture: QPixmap | None = None
        self.is_gone = False
        self.setText(title)
        # An ampersand in a file's name must not become a mnemonic.
        self.setShortcut(QKeySequence())
        self.setAccessibleName(title)
        self.setAccessibleDescription(words)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedSize(self.sizeHint())

    def set_room(self, room: QSize) -> None:
        """Resize the picture, and the card with it."""
        self._room = room
        self.setFixedSize(self.sizeHint())
        self.update()

    def show_picture(self, image: QImage | None) -> None:
        """Show another picture, or none."""
        self._read = None
        self._picture = None if image is None else QPixmap.fromImage(image)
        self.update()

    @property
    def is_read(self) -> bool:
        """True once `read` needs no call any more."""
        return self._read is None

    def show_gone(self) -> None:
        """Show that the file is gone."""
        self.is_gone = True
        self.setEnabled(False)
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the picture, the name and the words."""
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
        group = QPalette.ColorGroup.Normal if self.isEnabled() else QPalette.ColorGroup.Disabled
        painter.setPen(self.palette().color(group, QPalette.ColorRole.WindowText))
        if self._is_large:
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


_do = lazy("studio.ui.shell.palette:do")
_fill = lazy("studio.ui.shell.palette:fill")

LEAST_SIZE = QSize(600, 320)
KIND_PICTURE = QSize(160, 108)
FILE_PICTURE = QSize(144, 96)
NARROWEST = 112
"""Least width in pixels of a kind's picture, so that all kinds fit into one row."""
SIDE_BY_SIDE, ROOMY = 1500, 2200
"""Widths from which samples stand beside the rest, and from which all pictures are larger."""
LARGER = 1.5
LATER_MS = 300
"""Delay after the page appears until thumbnails are checked."""
MENUS = tr("&File"), tr("&View"), tr("&Help")
KEYS = {
    "open": ("Ctrl+O",), "paste": ("Ctrl+V",), "quit": ("Ctrl+Q",), "palette": ("Ctrl+K", "Ctrl+Shift+P"),
    "manual": ("F1",),
}  # fmt: skip
"""Default keys of commands."""


class StartPage(QWidget):
    """The page of the first tab."""

    kind_chosen = Signal(str)
    file_chosen = Signal(object)
    """A file is to be opened: brings its path, or None to ask for one."""
    import_wanted = Signal()
    """Files of other programs are to be asked for, and read."""
    files_dropped = Signal(object)
    """Files are to be opened, each in a tab of its own: brings their paths."""
    text_brought = Signal(str)
    """A text was dropped or pasted that may be a puzzle."""
    image_brought = Signal(object)
    """A picture was dropped or pasted: brings the QMimeData with it."""
    sample_chosen = Signal(object)
    """A sample is to be opened as a new puzzle: brings its path."""
    restore_wanted = Signal(object)
    """Unsaved work is to be opened: brings a list of copies."""
    discard_wanted = Signal(object)
    """Unsaved work is not wanted: brings its copy."""
    theme_chosen = Signal(object)
    """Brings a ThemeChoice."""
    unit_chosen = Signal(object)
    """Brings a Unit."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.preferences = preferences
        self._theme = current_theme().name
        self.cards: dict[Path, list[Card]] = {}
        self.copies: dict[Path, CopyRow] = {}
        """The rows of unsaved work."""
        self.recent = preferences.recent_files()
        self.samples = _samples(self._theme)
        self.setWindowTitle(tr("Puzzle Studio"))
        self.setMinimumSize(LEAST_SIZE)
        self.setAcceptDrops(True)
        self.recovered = QFrame()
        self.recovered.hide()
        self._rows = QVBoxLayout(self.recovered)
        self._rows.setContentsMargins(0, 0, 0, MARGIN)
        self.kinds = [self._kind_card(key) for key in KINDS]
        self._thumbnails = Thumbnails(self._theme, self)
        self._thumbnails.made.connect(self.show_picture)
        self._lay_out()
        own = self.preferences.shortcuts()
        for name, usual in KEYS.items():
            for keys in own.get(name, usual):
                QShortcut(QKeySequence(keys), self).activated.connect(partial(_do, self, name))
        bar = QMenuBar()
        for title in MENUS:
            menu = bar.addMenu(title)
            # Its content is loaded when it opens.
            menu.aboutToShow.connect(partial(_fill, self, menu, title))
        layout = self.layout()
        assert layout is not None
        layout.setMenuBar(bar)

    @property
    def is_current(self) -> bool:
        """True if a new page would show the same files in the same colours."""
        return (self.recent, self._theme) == (self.preferences.recent_files(), current_theme().name)

    # Structure

    def _kind_card(self, key: str) -> Card:
        listed = KINDS[key]
        card = Card(KIND_PICTURE, listed.title, listed.summary, is_large=True)
        card.show_picture(QImage(str(shipped("start") / f"{key}-{self._theme}.png")))
        card.clicked.connect(partial(self.kind_chosen.emit, key))
        return card

    def _file_card(self, path: Path) -> Card:
        card = Card(
            FILE_PICTURE,
            visible(path.stem if path.stem.strip() else path.name),
            tip=visible(str(path)),
            read=partial(known, path, self._theme),
        )
        card.clicked.connect(partial(self.file_chosen.emit, path))
        self.cards.setdefault(path, []).append(card)
        return card

    def _sample_card(self, path: Path, kind: str) -> Card:
        picture = shipped("start") / "samples" / kind / f"{path.stem}-{self._theme}.png"
        tip = tr("Open this sample as a new puzzle")
        card = Card(FILE_PICTURE, titled(path), KINDS[kind].title, tip, lambda: QImage(str(picture)))
        card.clicked.connect(partial(self.sample_chosen.emit, path))
        return card

    def _lay_out(self) -> None:
        opening = push_button(tr("Open…"), tr("Open a puzzle file (Ctrl+O)"))
        opening.clicked.connect(partial(self.file_chosen.emit, None))
        self._of_files = [self._file_card(path) for path in self.recent]
        self.shown_samples = {path: self._sample_card(path, kind) for path, kind in self.samples.items()}
        head = QHBoxLayout()
        head.addWidget(heading(tr("Recent files")), 1)
        head.addWidget(opening)
        nothing = tr(
            "Files that you open or save are listed here. You can also drop a puzzle, a picture or a drawing on this "
            "window, or paste a game ID."
        )
        left, right = QVBoxLayout(), QVBoxLayout()
        left.addWidget(self.recovered)
        left.addWidget(heading(tr("New puzzle")))
        left.addWidget(_flowing(self.kinds))
        left.addSpacing(GAP)
        left.addLayout(head)
        left.addWidget(_flowing(self._of_files) if self._of_files else hint_label(nothing))
        right.addWidget(heading(tr("Samples")))
        right.addWidget(_flowing(self.shown_samples.values()))
        page = QWidget()
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom, page)
        self._halves.setContentsMargins(2 * MARGIN, 2 * MARGIN, 2 * MARGIN, 2 * MARGIN)
        self._halves.setSpacing(2 * MARGIN)
        for half in (left, right):
            half.setSpacing(GAP)
            half.addStretch(1)
            self._halves.addLayout(half)
        self._area = area = QScrollArea()
        area.setWidget(page)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.addWidget(self._area)
        self._arrange()

    def _arrange(self) -> None:
        """Fit the cards to the width: all kinds in a row, and samples beside them if there is room."""
        bar = self._area.verticalScrollBar().sizeHint().width()
        width = self.width() - bar - 4 * MARGIN
        is_wide, scale = self.width() >= SIDE_BY_SIDE, LARGER if self.width() >= ROOMY else 1.0
        share = (width - (len(self.kinds) - 1) * MARGIN) // len(self.kinds) - 2 * MARGIN
        most = KIND_PICTURE.width() * (scale if is_wide else LARGER)
        across = max(min(round(most), share), NARROWEST)
        for card in self.kinds:
            card.set_room(QSize(across, across * KIND_PICTURE.height() // KIND_PICTURE.width()))
        highest = max(card.height() for card in self.kinds)
        for card in self.kinds:
            card.setFixedHeight(highest)
        row = len(self.kinds) * (across + 2 * MARGIN) + (len(self.kinds) - 1) * MARGIN
        left, right = (row, width - 2 * MARGIN - row) if is_wide else (width, width)
        for cards, room in ((self._of_files, left), (self.shown_samples.values(), right)):
            for card in cards:
                card.set_room(_filling(FILE_PICTURE * scale, room))
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._halves.setDirection(beside if is_wide else below)
        self._halves.setStretch(0, left if is_wide else 0)
        self._halves.setStretch(1, right if is_wide else 1)

    # Commands

    def paste(self) -> None:
        """Open the clipboard's content, as if it were dropped."""
        data = QGuiApplication.clipboard().mimeData()
        if data is None or not self._take(data):
            self.text_brought.emit("")

    def _take(self, data: QMimeData) -> bool:
        """Have dropped or pasted data opened; return whether any can be."""
        paths = _files(data)
        if paths:
            self.files_dropped.emit(paths)
        elif data.hasImage():
            self.image_brought.emit(data)
        elif data.hasText():
            self.text_brought.emit(data.text())
        return bool(paths) or data.hasImage() or data.hasText()

    @cached_property
    def notices(self) -> NoticeBar:
        """The bar for messages."""
        from studio.ui.session.notices import NoticeBar

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
        # Loaded only if needed.
        from studio.ui.shell.unsaved_work import CopyRow

        head = QWidget()
        across = QHBoxLayout(head)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(heading(tr("Unsaved work")), 1)
        if len(copies) > 1:
            everything = push_button(tr("Restore all"), tr("Open each in a tab of its own"))
            everything.clicked.connect(lambda: self.restore_wanted.emit([*copies]))
            across.addWidget(everything)
        self._rows.addWidget(head)
        for copy in copies:
            row = self.copies[copy.path] = CopyRow(copy, known(copy.path, self._theme))
            row.restore_wanted.connect(lambda one: self.restore_wanted.emit([one]))
            row.discard_wanted.connect(self.discard_wanted)
            self._rows.addWidget(row)

    # Pictures

    def _look_after_thumbnails(self) -> None:
        if self.isVisible():
            wanted = sorted(self.cards, key=lambda path: is_known(path, self._theme))
            self._thumbnails.ask([*self.copies, *wanted])

    def show_picture(self, path: Path, picture: QImage | str) -> None:
        """Show a file's picture on its cards, or its absence."""
        if path in self.copies and isinstance(picture, QImage):
            self.copies[path].thumbnail.image = picture
        for card in self.cards.get(path, ()):
            if isinstance(picture, QImage):
                card.show_picture(picture)
            elif picture == GONE:
                card.show_gone()

    # Drops and pastes

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        data = event.mimeData()
        if _files(data) or data.hasImage() or data.hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if self._take(event.mimeData()):
            event.acceptProposedAction()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            # Each time, since files may have been saved in the tabs meanwhile.
            QTimer.singleShot(LATER_MS, self, self._look_after_thumbnails)

    def closeEvent(self, event: QEvent) -> None:
        self._thumbnails.close()
        event.accept()


def _files(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _samples(theme: str) -> dict[Path, str]:
    """Return the samples and their kinds, in the order of the kinds; they are known by their pictures' folders."""
    examples, found = shipped("examples"), {}
    for kind in KINDS:
        pictures = sorted((shipped("start") / "samples" / kind).glob(f"*-{theme}.png"))
        found.update({examples / f"{one.stem.removesuffix(f'-{theme}')}{SUFFIX}": kind for one in pictures})
    return found


def titled(sample: Path) -> str:
    """Return the name of a sample: `Bay 93` for bay-93.puzzle."""
    return sample.stem.replace("-", " ").capitalize()


def _filling(picture: QSize, width: int) -> QSize:
    """Return the picture size, at least `picture`, at which as many cards as fit fill a width."""
    least = picture.width() + 2 * MARGIN
    count = max((width + MARGIN) // (least + MARGIN), 1)
    across = (width - (count - 1) * MARGIN) // count - 2 * MARGIN
    return QSize(across, across * picture.height() // picture.width())


def _flowing(cards: Iterable[Card]) -> QWidget:
    widget = QWidget()
    widget.setLayout(Flow(cards, MARGIN, MARGIN, QMargins(0, 0, 0, 0)))
    return widget
