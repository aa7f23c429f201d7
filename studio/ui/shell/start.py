"""The start page: kinds to begin, samples and recent files to open, and work that was not saved.

It is there before anything of a puzzle is loaded, and so imports nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMargins, QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QMenuBar, QScrollArea, QVBoxLayout, QWidget

from studio.base.folders import shipped
from studio.base.lazy import lazy
from studio.base.texts import tr, visible
from studio.files import SUFFIX
from studio.puzzles.registry import KINDS
from studio.ui.shell.card import Card
from studio.ui.shell.thumbnails import GONE, Thumbnails, is_known, known
from studio.ui.widgets.controls import heading, hint_label, push_button
from studio.ui.widgets.theme import GAP, MARGIN, current_theme
from studio.ui.widgets.wrapping_row import Flow

if TYPE_CHECKING:
    from studio.ui.session.notices import NoticeBar
    from studio.ui.session.preferences import Preferences
    from studio.ui.session.recovery import Copy
    from studio.ui.shell.unsaved_work import CopyRow

_do = lazy("studio.ui.shell.start_menus:do")
_fill = lazy("studio.ui.shell.start_menus:fill")
LEAST_SIZE = QSize(760, 520)
KIND_PICTURE = QSize(160, 108)
FILE_PICTURE = QSize(144, 96)
NARROWEST = 112
"""Pixels of a kind's picture that gives way so that all kinds stand in one row."""
SIDE_BY_SIDE, ROOMY = 1500, 2200
"""Widths from which samples are beside the rest, and from which all pictures are larger."""
LARGER = 1.5
LATER_MS = 300
"""When, after the page has come up, thumbnails are looked after."""
MENUS = tr("&File"), tr("&View"), tr("&Help")
KEYS = {
    "open": ("Ctrl+O",), "paste": ("Ctrl+V",), "quit": ("Ctrl+Q",), "palette": ("Ctrl+K", "Ctrl+Shift+P"),
    "manual": ("F1",),
}  # fmt: skip
"""What can be done by a key, unless the maker has given it others."""


class StartPage(QWidget):
    """The page of the first tab, and what is there while no puzzle is open."""

    kind_chosen = Signal(str)
    file_chosen = Signal(object)
    """A file is to be opened: brings its path, or None where it is to be asked for."""
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
        self._theme = "dark" if current_theme().is_dark else "light"
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
        self._offer_commands()

    @property
    def is_current(self) -> bool:
        """Whether another page made now would show the same files in the same colours."""
        theme = "dark" if current_theme().is_dark else "light"
        return (self.recent, self._theme) == (self.preferences.recent_files(), theme)

    # What is where

    def _kind_card(self, key: str) -> Card:
        listed = KINDS[key]
        card = Card(KIND_PICTURE, listed.title, listed.summary, is_large=True)
        card.show_picture(QImage(str(shipped("start") / f"{key}-{self._theme}.png")))
        card.clicked.connect(partial(self.kind_chosen.emit, key))
        return card

    def _file_card(self, path: Path) -> Card:
        card = Card(FILE_PICTURE, visible(_named(path)), tip=visible(str(path)), read=partial(known, path, self._theme))
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
        self._area = _scrolling(page)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.addWidget(self._area)
        self._arrange()

    def _arrange(self) -> None:
        """Fit the cards to the width: all kinds in a row, and samples beside them where there is room."""
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

    # What can be done

    def _offer_commands(self) -> None:
        own = self.preferences.shortcuts()
        for name, usual in KEYS.items():
            for keys in own.get(name, usual):
                QShortcut(QKeySequence(keys), self).activated.connect(partial(_do, self, name))
        bar = QMenuBar()
        for title in MENUS:
            menu = bar.addMenu(title)
            # What fills it is loaded when it opens.
            menu.aboutToShow.connect(partial(_fill, self, menu, title))
        layout = self.layout()
        assert layout is not None
        layout.setMenuBar(bar)

    def paste(self) -> None:
        """Open what is on the clipboard, as if it were dropped."""
        data = QGuiApplication.clipboard().mimeData()
        if data is None or not self._take(data):
            self.text_brought.emit("")

    def _take(self, data: QMimeData) -> bool:
        """Have what is dropped or pasted opened; returns whether there is anything to open."""
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
        """Where messages are posted."""
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

    # Pictures

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

    # What comes from outside

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
    """The samples and their kinds, in the order of these; they are known by their pictures' folders."""
    examples, found = shipped("examples"), {}
    for kind in KINDS:
        pictures = sorted((shipped("start") / "samples" / kind).glob(f"*-{theme}.png"))
        found.update({examples / f"{one.stem.removesuffix(f'-{theme}')}{SUFFIX}": kind for one in pictures})
    return found


def _named(file: Path) -> str:
    """A file without its ending, where letters are left of its name."""
    return file.stem if file.stem.strip() else file.name


def titled(sample: Path) -> str:
    """The name of a sample: `Bay 93` for bay-93.puzzle."""
    return sample.stem.replace("-", " ").capitalize()


def _filling(picture: QSize, width: int) -> QSize:
    """A picture at least so large that as many cards as have room fill a width."""
    least = picture.width() + 2 * MARGIN
    count = max((width + MARGIN) // (least + MARGIN), 1)
    across = (width - (count - 1) * MARGIN) // count - 2 * MARGIN
    return QSize(across, across * picture.height() // picture.width())


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
