"""The window of the manual: contents and search at its left, the page at its right, links between pages."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QHideEvent, QKeyEvent, QKeySequence, QMouseEvent, QPalette, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from studio.base.errors import StudioError
from studio.base.folders import manual_folder
from studio.base.manual_search import INDEX, Hit, Manual, around, found, read, words
from studio.base.texts import tr
from studio.ui.panels.form import ParameterForm
from studio.ui.session.preferences import Preferences
from studio.ui.shell.manual_browser import ManualBrowser
from studio.ui.widgets.controls import hint_label, invitation, large_button
from studio.ui.widgets.layout import bring_on_screen, column, holding, resize_on_screen, row, stack
from studio.ui.widgets.theme import GAP, MARGIN

# Places in the manual for the focused widget

USUAL = "window.md"
PANELS = {
    "BatchDialog": "command-line.md#many-boards",
    "ComparisonDialog": "window.md#files",
    "CouponDialog": "laser.md#kerf-and-fit",
    "EngraveDialog": "jigsaw.md#engravings",
    "ExportDialog": "laser.md#export",
    "FigureDialog": "jigsaw.md#figures",
    "FindingsPanel": "{kind}.md#problems",
    "FitsPage": "jigsaw.md#false-fits",
    "Palette": "window.md#command-palette",
    "Planning": "laser.md#cut-plan",
    "PrintDialog": "printer.md#export",
    "ProfilesDialog": "laser.md#profiles-and-options",
    "QUndoView": "window.md#panels",
    "ShortcutsDialog": "window.md#keyboard-shortcuts",
    "StartPage": "window.md#the-start-page",
    "TechniquesPage": "{kind}.md#difficulty",
    "TongueDialog": "jigsaw.md#tongues",
    "VariantsDialog": "window.md#parameters",
    "WorkshopDialog": "laser.md#machines-and-materials",
}
"""Places in the manual, by the class of a panel or dialog."""
FORM = "{kind}.md#parameters"
"""Place for the parts of a form other than fields."""
VIEWS = {
    "calendar/edit": "calendar.md#board-and-pieces",
    "calendar/board": "calendar.md#views",
    "calendar/pages": "calendar.md#the-booklet",
    "calendar/search": "calendar.md#views",
    "calendar/year": "calendar.md#views",
    "cube/model": "cube.md#the-model",
    "cube/net": "cube.md#the-net",
    "cube/pages": "cube.md#assembly-sheet",
    "cube/plate": "printer.md#export",
    "drawing": "laser.md",
    "jigsaw/board": "jigsaw.md#editing",
    "play": "{kind}.md#playing",
    "slitherlink/board": "slitherlink.md#loop-and-clues",
    "slitherlink/pages": "slitherlink.md#on-paper",
    "slitherlink/steps": "slitherlink.md#steps",
    "space": "printer.md#printing-a-jigsaw",
    "zigzaw/board": "zigzaw.md#colours",
    "zigzaw/import": "zigzaw.md#import-and-export",
    "zigzaw/pages": "zigzaw.md#answer-sheet",
    "zigzaw/solver": "zigzaw.md#solver",
}
"""Places by the name of a view, of one kind or of all."""
TOPICS = {
    "jigsaw/engraving": "jigsaw.md#engravings",
    "jigsaw/figure": "jigsaw.md#figures",
    "jigsaw/flow": "jigsaw.md#flow",
    "jigsaw/mask": "jigsaw.md#protected-areas",
    "jigsaw/pen": "jigsaw.md#drawn-cuts",
    "jigsaw/cutout": "jigsaw.md#figures-from-the-picture",
    "jigsaw/picture": "jigsaw.md#pictures",
    "jigsaw/tongue": "jigsaw.md#shaping-tongues",
}
"""Places by topic: the thing selected or edited in an extension."""


def place_of(
    manual: Manual, widget: QWidget | None, kind: str = "", view: str = "", topic: str = ""
) -> tuple[str, str]:
    """Return the place for a focused widget in a view of a kind, and the line to point at, "" without one.

    A parameter comes first, then the nearest panel or dialog, then the topic, then the view.
    """
    part, in_form = widget, False
    while part is not None:
        in_form |= isinstance(part, ParameterForm)
        declared = part.asked_at(widget) if isinstance(part, ParameterForm) and widget is not None else None
        row = None if declared is None else manual.parameter(f"{kind}.md", declared)
        if row is not None:
            return row
        for known in type(part).__mro__:
            if known.__name__ in PANELS:
                return _existing(manual, PANELS[known.__name__], kind), ""
        part = part.parentWidget()
    if in_form:
        return _existing(manual, FORM, kind), ""
    place = TOPICS.get(f"{kind}/{topic}") or VIEWS.get(f"{kind}/{view}") or VIEWS.get(view) or "{kind}.md"
    return _existing(manual, place, kind), ""


def _existing(manual: Manual, place: str, kind: str) -> str:
    """Put the kind into a place; without that section, the top of its page, and last the usual page."""
    place = place.format(kind=kind)
    page = place.partition("#")[0]
    return next((one for one in (place, page) if manual.has(one)), USUAL)


NAME = "manual"
FIRST_SIZE = QSize(1040, 760)
LEAST_SIZE = QSize(560, 360)
SIDE_WIDTH = 290
MOST_FOUND = 300
"""Limit for passages in the list; a longer list calls for another word."""
_PLACE = Qt.ItemDataRole.UserRole
_OUTSIDE = re.compile(r"(https?|mailto):")
_MOVING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class ManualWindow(QWidget):
    """All pages of the manual, beside the window of a puzzle."""

    def __init__(self, folder: Path, preferences: Preferences) -> None:
        super().__init__()
        self.setWindowTitle(tr("Manual — Puzzle Studio"))
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self._preferences = preferences
        self.trouble = ""
        try:
            self.manual = read(folder)
        except StudioError as problem:
            self.manual, self.trouble = Manual(folder, ()), str(problem)
        self.page = ""
        """The name of the page in sight."""
        self._past: list[tuple[str, int]] = []
        self._coming: list[tuple[str, int]] = []
        self._lay_out()
        self.back.clicked.connect(self.go_back)
        self.forward.clicked.connect(self.go_forward)
        self.line.textChanged.connect(self._seek)
        self.line.returnPressed.connect(self._show_next)
        self.results.itemClicked.connect(self._show_found)
        for chosen in (self.contents.itemClicked, self.contents.itemActivated):
            chosen.connect(lambda item, _column: self.go_to(item.data(0, _PLACE)))
        self.browser.page_wanted.connect(self.follow)
        for keys, do in (
            (QKeySequence.StandardKey.Back, self.go_back), (QKeySequence.StandardKey.Forward, self.go_forward),
            (QKeySequence.StandardKey.Find, self._ask), (QKeySequence.StandardKey.Cancel, self._leave),
        ):  # fmt: skip
            QShortcut(QKeySequence(keys), self, do)
        self.setMinimumSize(LEAST_SIZE)
        resize_on_screen(self, FIRST_SIZE)
        geometry = preferences.geometry(NAME)
        if geometry is not None:
            self.restoreGeometry(geometry)
            bring_on_screen(self)

    def _lay_out(self) -> None:
        self.back, self.forward = (
            large_button(tr("Back (Alt+Left)"), "previous"),
            large_button(tr("Forward (Alt+Right)"), "next"),
        )
        self.line = QLineEdit()
        self.line.setPlaceholderText(tr("Search the manual"))
        self.line.setAccessibleName(tr("Search the manual"))
        self.line.setClearButtonEnabled(True)
        self.line.installEventFilter(self)
        self.contents = QTreeWidget()
        self.contents.setHeaderHidden(True)
        self.contents.setAccessibleName(tr("Contents"))
        self.contents.setFrameShape(QFrame.Shape.NoFrame)
        for page in self.manual.pages:
            item = _listed(QTreeWidgetItem(self.contents), page.title, page.name)
            for section in page.sections[1:]:
                if section.level == 2:
                    _listed(QTreeWidgetItem(item), section.title, f"{page.name}#{section.anchor}")
        self.results = QListWidget()
        self.results.setAccessibleName(tr("Search results"))
        self.results.setFrameShape(QFrame.Shape.NoFrame)
        self.results.setWordWrap(True)
        self.results.setSpacing(2)
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for view in (self.contents, self.results):
            view.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.counted = hint_label()
        listed = holding(column(self.counted, (self.results, 1), gap=GAP // 2))
        self._left = stack(self.contents, listed, invitation(tr("Nothing found. Try another word.")))
        side = holding(
            column(
                row(self.back, self.forward, (self.line, 1), gap=GAP // 2), (holding(self._left), 1),
                margins=(MARGIN, MARGIN, GAP, MARGIN),
            )
        )  # fmt: skip
        self.browser = ManualBrowser()
        self.browser.setAccessibleName(tr("Page"))
        split = QSplitter()
        split.setChildrenCollapsible(False)
        split.addWidget(side)
        split.addWidget(self.browser)
        split.setStretchFactor(1, 1)
        split.setSizes([SIDE_WIDTH, FIRST_SIZE.width() - SIDE_WIDTH])
        column((split, 1), of=self, gap=0)

    # Navigation

    def go_to(self, place: str, row: str = "") -> None:
        """Show a place such as `laser.md#sheets`, and point at a row of a table there; report a missing one."""
        name, _, anchor = place.partition("#")
        if self.page:
            self._past.append((self.page, self.browser.verticalScrollBar().value()))
            self._coming.clear()
        self._open(name)
        self.browser.go_to(anchor)
        passages = self.manual.page(name).passages if row and self.manual.has(name) else ()
        for passage in passages:
            if passage.text == row:
                self.browser.point_at(passage, [passage.cells[0].casefold()])
        self._show_where(name, anchor)

    def follow(self, address: str) -> None:
        """Follow a link of the page in sight; links out of the manual open in the browser."""
        if _OUTSIDE.match(address):
            QDesktopServices.openUrl(QUrl(address))
        elif address.startswith("#"):
            self.go_to(f"{self.page}{address}")
        else:
            self.go_to(address)

    def go_back(self) -> None:
        """Show the place before this one."""
        self._travel(self._past, self._coming)

    def go_forward(self) -> None:
        """Show the place left by going back."""
        self._travel(self._coming, self._past)

    def _travel(self, here: list[tuple[str, int]], there: list[tuple[str, int]]) -> None:
        if here:
            there.append((self.page, self.browser.verticalScrollBar().value()))
            name, scrolled = here.pop()
            self._open(name)
            self.browser.verticalScrollBar().setValue(scrolled)
            self._show_where(name, self.browser.section)

    def _open(self, name: str) -> None:
        """Show a page from its top, or the reason why it cannot be shown."""
        if name != self.page:
            self.browser.show_page(self._text_of(name), self.manual.folder)
        self.page = name

    def _text_of(self, name: str) -> str:
        """Return the Markdown of a page, also outside the manual; a sentence if it is missing."""
        if self.trouble:
            return self.trouble
        try:
            return self.manual.page(name).markdown
        except StudioError as problem:
            beside = self.manual.folder / name
            try:
                return beside.read_text(encoding="utf-8") if beside.suffix == ".md" else str(problem)
            except (OSError, UnicodeDecodeError):
                return str(problem)

    def _show_where(self, name: str, anchor: str) -> None:
        """Unfold the page in the contents, and enable the possible actions."""
        self.back.setEnabled(bool(self._past))
        self.forward.setEnabled(bool(self._coming))
        for page in filter(None, map(self.contents.topLevelItem, range(self.contents.topLevelItemCount()))):
            is_here = page.data(0, _PLACE) == name
            page.setExpanded(is_here)
            if is_here:
                inside = filter(None, map(page.child, range(page.childCount())))
                place = f"{name}#{anchor}"
                self.contents.setCurrentItem(next((one for one in inside if one.data(0, _PLACE) == place), page))

    # Search

    def _ask(self) -> None:
        self.line.setFocus()
        self.line.selectAll()

    def _leave(self) -> None:
        if self.line.text():
            self.line.clear()
        else:
            self.close()

    def _seek(self, text: str) -> None:
        hits = found(self.manual, text)
        sought = words(text)
        self.results.clear()
        for hit in hits[:MOST_FOUND]:
            passage = hit.passage
            where = " ▸ ".join(dict.fromkeys((hit.page.title, passage.section.title)))
            is_heading = passage.cells == (passage.section.title,)
            line = where if is_heading else f"{where}\n{around(passage.text, sought)}"
            item = QListWidgetItem(line, self.results)
            item.setData(_PLACE, hit)
        self.counted.setText(_counted(len(hits)))
        self._left.setCurrentIndex(0 if not sought else 1 if hits else 2)
        self._shown: QListWidgetItem | None = None
        self.results.setCurrentRow(0 if hits else -1)
        if not sought:
            self.browser.mark(())

    def _show_next(self) -> None:
        """Show the chosen place, or the next one if that is in sight already."""
        if self.results.count() and words(self.line.text()):
            if self._shown is self.results.currentItem():
                self.results.setCurrentRow((self.results.currentRow() + 1) % self.results.count())
            self._show_found(self.results.currentItem())

    def _show_found(self, item: QListWidgetItem) -> None:
        hit: Hit = item.data(_PLACE)
        self._shown = item
        self.go_to(f"{hit.page.name}#{hit.passage.section.anchor}")
        self.browser.point_at(hit.passage, words(self.line.text()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let keys that move in a list choose a place while the letters go into the line."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in _MOVING:
            self.results.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go back and forward with the mouse's own buttons."""
        if event.button() is Qt.MouseButton.BackButton:
            self.go_back()
        elif event.button() is Qt.MouseButton.ForwardButton:
            self.go_forward()

    def hideEvent(self, event: QHideEvent) -> None:
        self._preferences.set_geometry(NAME, self.saveGeometry())


def _listed(item: QTreeWidgetItem, title: str, place: str) -> QTreeWidgetItem:
    item.setText(0, title)
    item.setData(0, _PLACE, place)
    return item


def _counted(count: int) -> str:
    if count > MOST_FOUND:
        return tr("{count} results, the first {shown} shown", count=count, shown=MOST_FOUND)
    return tr("1 result") if count == 1 else tr("{count} results", count=count)


_windows: list[ManualWindow] = []
"""The application's one window, once it was opened."""


def show_manual(preferences: Preferences, place: str = INDEX, row: str = "") -> ManualWindow:
    """Show a place of the manual, in the open window or a new one."""
    if not _windows:
        _windows.append(ManualWindow(manual_folder(), preferences))
    window = _windows[0]
    window.go_to(place, row)
    window.show()
    window.activateWindow()
    return window


def show_help(preferences: Preferences, kind: str = "", view: str = "", topic: str = "") -> ManualWindow:
    """Show the place for the focused widget."""
    focus = QApplication.focusWidget() or QApplication.activeWindow()
    try:
        manual = read(manual_folder())
    except StudioError:
        return show_manual(preferences)
    return show_manual(preferences, *place_of(manual, focus, kind, view, topic))


def close_manual() -> None:
    """Close the window of the manual for good."""
    while _windows:
        window = _windows.pop()
        window.close()
        window.deleteLater()


def sections(preferences: Preferences) -> list[tuple[str, str, partial[ManualWindow]]]:
    """Return title, page title and opener of every section; empty if the manual is missing."""
    try:
        manual = read(manual_folder())
    except StudioError:
        return []
    return [
        (section.title, page.title, partial(show_manual, preferences, f"{page.name}#{section.anchor}"))
        for page in manual.pages[1:]
        for section in page.sections
    ]
