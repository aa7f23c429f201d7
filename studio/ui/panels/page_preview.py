"""Pages as they will be printed, with their words as outlines of the same fonts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QLabel, QStyleOptionGraphicsItem, QWidget

from studio.base.amounts import many
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.paper.fonts import spelled
from studio.paper.leaflet import Leaflet, Page, Words
from studio.ui.canvas.ink import painted
from studio.ui.canvas.view import CanvasView
from studio.ui.session.session import Session
from studio.ui.widgets.controls import invitation, quiet_button
from studio.ui.widgets.layout import REST, column, row, stack
from studio.ui.widgets.theme import GAP, MARGIN, current_theme

if TYPE_CHECKING:
    from studio.export.options import LeafletOptions

PAPER = QColor("#FFFFFF")


class PageItem(QGraphicsItem):
    """A page on the scene, in mm; paper is white in every theme."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._size = QRectF(0, 0, page.width, page.height)
        self._marks = [painted(mark) for group in page.groups for mark in group.marks]

    def boundingRect(self) -> QRectF:
        return self._size.adjusted(-1, -1, 1, 1)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        rim = QPen(current_theme().board_edge)
        rim.setCosmetic(True)
        painter.setPen(rim)
        painter.setBrush(PAPER)
        painter.drawRect(self._size)
        painter.setClipRect(self._size)
        for mark in self._marks:
            mark.paint(painter)


class PagesPanel(QWidget):
    """The pages of a leaflet, one at a time; below them its number, if there are several."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._leaflet: Leaflet | None = None
        self.page = 0
        """The page in sight, counted from 0."""
        self._scene = QGraphicsScene(self)
        self.view = CanvasView(self._scene)
        self.view.setAccessibleName(title)
        self._message = invitation()
        self._before = quiet_button(tr("Previous page"), "previous")
        self._after = quiet_button(tr("Next page"), "next")
        self._reading = QLabel()
        self._strip = QWidget()
        row(REST, self._before, self._reading, self._after, REST, of=self._strip, gap=GAP, margins=MARGIN // 2)
        self._middle = stack(self.view, self._message)
        column((self._middle, 1), self._strip, of=self, gap=0)
        self._before.clicked.connect(lambda: self.turn(-1))
        self._after.clicked.connect(lambda: self.turn(1))
        self.setFocusProxy(self.view)
        self.show_message("")

    @property
    def message(self) -> str:
        """The message in place of pages; empty while they are in sight."""
        return "" if self._leaflet is not None else self._message.text()

    def show_leaflet(self, leaflet: Leaflet) -> None:
        """Show pages, from the page that was in sight."""
        self._leaflet = leaflet
        self._middle.setCurrentWidget(self.view)
        self.turn(0)

    def show_message(self, sentence: str) -> None:
        """Show a sentence in place of the pages."""
        self._leaflet = None
        self._scene.clear()
        self._message.setText(sentence)
        self._middle.setCurrentWidget(self._message)
        self._strip.hide()

    def turn(self, by: int) -> None:
        """Turn some pages on or back, no further than the first or last."""
        if self._leaflet is None:
            return
        pages = self._leaflet.pages
        self.page = min(max(self.page + by, 0), len(pages) - 1)
        page = pages[self.page]
        self._scene.clear()
        self._scene.addItem(PageItem(page))
        self.view.show_board(page.width, page.height)
        self._strip.setVisible(len(pages) > 1)
        self._reading.setText(tr("Page {page} of {pages}", page=self.page + 1, pages=len(pages)))
        self._before.setEnabled(self.page > 0)
        self._after.setEnabled(self.page < len(pages) - 1)
        lines = (mark.text for group in page.groups for mark in group.marks if isinstance(mark, Words))
        self.view.setAccessibleDescription("\n".join([self._reading.text(), *map(spelled, lines)]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn the pages with the usual keys."""
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        if event.key() in steps:
            self.turn(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


def usual_paper() -> LeafletOptions:
    """Return the usual paper of the desktop's region."""
    from studio.export.options import LeafletOptions

    american = QLocale.system().measurementSystem() is QLocale.MeasurementSystem.ImperialUSSystem
    return LeafletOptions(paper="Letter" if american else "A4")


def save_leaflet(
    session: Session,
    title: str,
    name: str,
    lay_out: Callable[[tuple[float, float], Progress], Leaflet],
    paper: str,
    contents: str = "",
) -> None:
    """Ask for a file, and write a leaflet to it in the background; a notice tells its contents, if given, and pages."""
    from studio.export.formats import PAPER

    filters = [f"{known.title} (*{known.suffix})" for known in PAPER.members]
    path = session.dialogs.file_path(title, session.folder / f"{name}.pdf", filters)
    if path is not None:
        session.writing.write(path, partial(_written, lay_out, paper, contents, path))


def _written(
    lay_out: Callable[[tuple[float, float], Progress], Leaflet],
    paper: str,
    contents: str,
    path: Path,
    progress: Progress,
) -> str:
    from studio.export.options import LeafletOptions
    from studio.export.writing import ensure_target, write_leaflet

    ensure_target(path)
    leaflet = lay_out(LeafletOptions(paper=paper).size, progress.part(0.0, 0.7))
    reports = write_leaflet(leaflet, path, progress.part(0.7, 1.0))
    pages = many(sum(report.pages for report in reports), "page")
    if contents:
        pages = tr("{contents} on {pages}", contents=contents, pages=pages)
    return tr("Saved: {file}, {pages} of {paper}.", file=reports[0].path.name, pages=pages, paper=paper)
