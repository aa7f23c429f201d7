"""A page of the manual: in the theme's colours, pictures as wide as there is room, words marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QImage,
    QImageReader,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit

from studio.base.manual_search import Passage, anchor_of
from studio.ui.widgets.theme import MARGIN, current_theme, hint_font, sized

MOST_MARKED = 500
"""Limit for marks of a word; more make a page full of marks."""
LINE_HEIGHT = 135.0
"""Percent of the usual line."""
LARGER = {1: 9, 2: 4, 3: 1}
"""Pixels by which a heading of each level is larger than the text."""
ABOVE, BELOW = {1: 4, 2: 26, 3: 18}, 8
"""Pixels above a heading of each level, and below all paragraphs."""
PICTURE = "\ufffc"
"""The character that stands for a picture in a document's text."""
WIDEST = 860
"""Pixels of the longest line of text that is easy to read."""


class ManualBrowser(QTextBrowser):
    """Shows one page; reports clicks on links and leaves following them to others."""

    page_wanted = Signal(str)
    """A link was clicked: brings its address, as written in the page."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.anchorClicked.connect(lambda url: self.page_wanted.emit(url.toString()))
        self._folder = Path()
        self._markdown = ""
        self._pictures: dict[str, QImage] = {}
        self._anchors: dict[str, int] = {}
        self._words: Sequence[str] = ()
        self._is_rendering = False

    @property
    def anchors(self) -> tuple[str, ...]:
        """The sections of the page, by their anchors."""
        return tuple(self._anchors)

    def show_page(self, markdown: str, folder: Path) -> None:
        """Show a page whose pictures are found from a folder."""
        self._folder, self._markdown = folder, markdown
        self._pictures = {}
        self._render()

    def go_to(self, anchor: str) -> None:
        """Scroll to a section; to the top if it is missing."""
        self._scroll_to(self._anchors.get(anchor, 0))

    def point_at(self, passage: Passage, words: Sequence[str]) -> bool:
        """Scroll to a passage and mark its words on the whole page; return whether the passage was found."""
        self.mark(words)
        block = self._block_of(passage, words)
        if block is None:
            self.go_to(passage.section.anchor)
            return False
        text, cursor = block.text().casefold(), QTextCursor(block)
        start, word = min(((at, word) for word in words if (at := text.find(word)) >= 0), default=(0, ""))
        cursor.setPosition(block.position() + start)
        cursor.setPosition(block.position() + start + len(word), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self._scroll_to(block.position(), self.viewport().height() // 3)
        return True

    def mark(self, words: Sequence[str]) -> None:
        """Mark every place with the words; without words, unmark all."""
        self._words = tuple(words)
        theme = current_theme()
        look = QTextCharFormat()
        look.setBackground(theme.selection)
        look.setForeground(theme.text)
        marked: list[QTextEdit.ExtraSelection] = []
        for word in self._words:
            cursor = self.document().find(word)
            while not cursor.isNull() and len(marked) < MOST_MARKED:
                one = QTextEdit.ExtraSelection()
                one.cursor, one.format = cursor, look
                marked.append(one)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(marked)

    @property
    def section(self) -> str:
        """The anchor of the section at the top of the visible part."""
        top = self.cursorForPosition(QPoint(0, MARGIN)).position()
        above = [anchor for anchor, place in self._anchors.items() if place <= top]
        return above[-1] if above else ""

    # Appearance

    def _render(self) -> None:
        scrolled = self.verticalScrollBar().value()
        self._is_rendering = True
        self.setMarkdown(self._markdown)
        self.document().setDocumentMargin(2 * MARGIN)
        self._style()
        self._is_rendering = False
        self._fit_pictures()
        self.mark(self._words)
        self.verticalScrollBar().setValue(scrolled)

    def _style(self) -> None:
        theme, usual = current_theme(), self.font()
        document = self.document()
        document.setDefaultFont(usual)
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        self._anchors = {}
        for block in _blocks(document):
            cursor.setPosition(block.position())
            table = cursor.currentTable()
            level = block.blockFormat().headingLevel()
            if level:
                self._anchors[anchor_of(block.text())] = block.position()
                _as_heading(cursor, level, usual)
            elif table is not None:
                font = hint_font(usual)
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                letters = QTextCharFormat()
                letters.setProperty(QTextCharFormat.Property.FontPixelSize, font.pixelSize())
                cursor.mergeCharFormat(letters)
            else:
                is_picture = block.text() == PICTURE
                look = QTextBlockFormat()
                if not is_picture:
                    look.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
                look.setBottomMargin(2 * BELOW if is_picture else BELOW)
                cursor.mergeBlockFormat(look)
            _tint_code(block, cursor, theme.window)
        for table in [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]:
            _as_table(table, theme.line, theme.window)
        cursor.endEditBlock()

    def _fit_pictures(self) -> None:
        """Fit every picture to the width of the page, or to its own if smaller, in pixels of the screen."""
        ratio = self.devicePixelRatioF()
        room = min(self.viewport().width() - 4 * MARGIN, WIDEST)
        frame = self.document().rootFrame().frameFormat()
        frame.setRightMargin(max(2 * MARGIN, self.viewport().width() - 2 * MARGIN - room))
        self.document().rootFrame().setFrameFormat(frame)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for place, shown in list(_pictures(self.document())):
            name = shown.name()
            image = self._pictures.get(name)
            if image is None:
                image = self._pictures[name] = QImageReader(str(self._folder / name)).read()
            if image.isNull():
                continue
            width = max(1, min(image.width(), room))
            size = QSize(round(width * ratio), round(width * ratio * image.height() / image.width()))
            fitted = image.scaled(
                size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            fitted.setDevicePixelRatio(ratio)
            self.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), fitted)
            shown.setWidth(width)
            shown.setHeight(round(width * image.height() / image.width()))
            cursor.setPosition(place)
            cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(shown)
        cursor.endEditBlock()

    def loadResource(self, kind: int, url: QUrl | str) -> object:
        """Load nothing: the pictures of a page are put in beforehand."""
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and not self._is_rendering:
            self._fit_pictures()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and self._markdown:
            self._render()

    # Structure

    def _scroll_to(self, position: int, above: int = MARGIN) -> None:
        block = self.document().findBlock(position)
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(round(top) - above if position else 0)

    def _block_of(self, passage: Passage, words: Sequence[str]) -> QTextBlock | None:
        """Return the block that shows a passage: of a row, the cell with the first of the words."""
        cells = [cell for cell in passage.cells if any(word in cell.casefold() for word in words)]
        sought = (cells or [cell for cell in passage.cells if cell] or [""])[0]
        row = list(filter(None, passage.cells))
        start = self._anchors.get(passage.section.anchor, 0)
        for block in _blocks(self.document(), self.document().findBlock(start)):
            if _read(block) == sought and (len(row) < 2 or _row_of(block) == row):
                return block
        return None


def _read(block: QTextBlock) -> str:
    """Return the text of a block without its pictures."""
    return block.text().replace(PICTURE, "").replace("\u2028", " ").strip()


def _row_of(block: QTextBlock) -> list[str]:
    """Return the row of the table around a block, cell by cell, without empty ones."""
    table = QTextCursor(block).currentTable()
    if table is None:
        return []
    line = table.cellAt(block.position()).row()
    cells = (table.cellAt(line, place) for place in range(table.columns()))
    # The first cell after a block of code begins with an empty line.
    ends = ((cell.firstCursorPosition().block(), cell.lastCursorPosition().block()) for cell in cells)
    return [text for first, last in ends if (text := _read(first) or _read(last))]


def _blocks(document: QTextDocument, start: QTextBlock | None = None) -> Iterator[QTextBlock]:
    block = document.begin() if start is None else start
    while block.isValid():
        yield block
        block = block.next()


def _pictures(document: QTextDocument) -> Iterator[tuple[int, QTextImageFormat]]:
    """Return the places of all pictures, and their formats."""
    for block in _blocks(document):
        parts = block.begin()
        while not parts.atEnd():
            part = parts.fragment()
            if part.charFormat().isImageFormat():
                yield part.position(), part.charFormat().toImageFormat()
            parts += 1


def _as_heading(cursor: QTextCursor, level: int, usual: QFont) -> None:
    look = QTextBlockFormat()
    look.setTopMargin(ABOVE.get(level, ABOVE[3]))
    look.setBottomMargin(BELOW)
    cursor.mergeBlockFormat(look)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    font = sized(usual, usual.pixelSize() + LARGER.get(level, 0))
    font.setWeight(QFont.Weight.DemiBold)
    letters = QTextCharFormat()
    letters.setFont(font)
    cursor.setCharFormat(letters)


def _tint_code(block: QTextBlock, cursor: QTextCursor, ground: QColor) -> None:
    """Give names of commands and files a background."""
    parts = block.begin()
    spans = []
    while not parts.atEnd():
        part = parts.fragment()
        if part.charFormat().fontFixedPitch():
            spans.append((part.position(), part.length()))
        parts += 1
    look = QTextCharFormat()
    look.setBackground(QBrush(ground))
    for start, length in spans:
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)


def _as_table(table: QTextTable, line: QColor, ground: QColor) -> None:
    look = table.format()
    look.setBorder(1)
    look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    look.setBorderBrush(QBrush(line))
    look.setBorderCollapse(True)
    look.setCellPadding(5)
    look.setCellSpacing(0)
    look.setTopMargin(4)
    look.setBottomMargin(2 * MARGIN)
    look.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table.setFormat(look)
    for place in range(table.columns()):
        cell = table.cellAt(0, place)
        head = cell.format()
        head.setBackground(QBrush(ground))
        cell.setFormat(head)
