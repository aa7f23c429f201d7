"""Choosers of figures and other items of a maker's library by their pictures, and of the fonts of letters, each with a
sample of the text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from studio.base.amounts import many
from studio.base.encode import Kept, Library, Titled
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.figures.silhouettes import OWN_FIGURES, THEMES, Figure, figure, keys
from studio.puzzles.jigsaw.picture.engravings import text_outlines
from studio.puzzles.jigsaw.tongues.profiles import LONGEST_TITLE
from studio.ui.canvas import paths
from studio.ui.panels.drawing_import import FileButton
from studio.ui.session.jobs import Jobs
from studio.ui.session.notices import Action, NoticeBar
from studio.ui.session.opening import FileReading
from studio.ui.session.session import Session
from studio.ui.widgets.controls import CalmComboBox, QuietLine, Remark, push_button
from studio.ui.widgets.layout import column, labelled, row
from studio.ui.widgets.theme import GAP, current_theme

if TYPE_CHECKING:
    from studio.files.drawing_import import Read

PICTURE = 56
"""Size of the room for a figure's picture, in pixels."""
CELL = QSize(100, 88)
ACROSS, DOWN, LEAST_ACROSS = 6, 3, 4
LIBRARY, MOST_TOLD = tr("My figures"), 3
"""The theme of the library, and the limit for files that are named because they cannot be read."""
KEY = FONT = Qt.ItemDataRole.UserRole
BUILT_IN = {True: tr("Built-in bold"), False: tr("Built-in")}
FINDING, SAMPLING = "finding fonts", "samples of fonts"
ROW, CAPITALS, NAME_SHARE = 30, 13.0, 0.48
"""Height of a row and of capitals in it, in pixels, and the share of its width for the name."""
LEAST_WIDTH = 320
"""Pixels of the list of fonts."""
MOST_SAMPLED, LONGEST_SAMPLE = 8, 14
"""Samples that are made together, and letters of one."""
USUAL_SAMPLE = tr("Anna")
Index = QModelIndex | QPersistentModelIndex
T = TypeVar("T", bound=Titled)


def _names(_progress: Progress) -> tuple[str, ...]:
    from studio.paper.shaping import installed

    return tuple(one.name for one in installed())


def _samples(fonts: Sequence[str], text: str, bold: bool, progress: Progress) -> dict[str, QPainterPath | None]:
    """Draw a text in some fonts, its capitals 1 high; None for a font that lacks a letter or cannot be read."""
    found: dict[str, QPainterPath | None] = {}
    for at, font in enumerate(fonts):
        progress.step(at / len(fonts))
        try:
            outlines = text_outlines(text, font, bold=bold, is_united=False)
        except StudioError:
            found[font] = None
            continue
        path = paths.curved(Curves.from_strokes(outlines)) if outlines else QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        found[font] = path
    return found


class FontList(QListWidget):
    """All fonts, each with its name and a sample; the samples of rows in sight are drawn in the background."""

    def __init__(self, jobs: Jobs, bold: bool) -> None:
        super().__init__()
        self._jobs, self._bold, self._sample = jobs, bold, USUAL_SAMPLE
        self._known: dict[str, QPainterPath | None] = {}
        self._wanted: dict[str, None] = {}
        self.setAccessibleName(tr("Fonts"))
        self.setItemDelegate(_SampleDelegate(self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_sample(self, text: str) -> None:
        """Draw another text in all fonts."""
        text = text.strip()[:LONGEST_SAMPLE] or USUAL_SAMPLE
        if text != self._sample:
            self._sample = text
            self._known.clear()
            self._wanted.clear()
            self._jobs.cancel(SAMPLING)
            self.viewport().update()

    def sample(self, font: str) -> QPainterPath | None:
        """Return the sample of a font; None while it is not drawn, or cannot be."""
        if font not in self._known:
            self._wanted[font] = None
            self._draw_more()
        return self._known.get(font)

    def lacks(self, font: str) -> bool:
        """True if a font is known to lack a letter of the text."""
        return font in self._known and self._known[font] is None

    def _draw_more(self) -> None:
        if self._wanted and not self._jobs.is_busy(SAMPLING):
            # The rows painted last are those in sight.
            fonts = [*self._wanted][-MOST_SAMPLED:]
            for font in fonts:
                del self._wanted[font]
            self._jobs.start(SAMPLING, partial(_samples, fonts, self._sample, self._bold), done=self._take)

    def _take(self, found: dict[str, QPainterPath | None]) -> None:
        self._known |= found
        self.viewport().update()
        self._draw_more()


class _SampleDelegate(QStyledItemDelegate):
    """Draws the name of a font and its sample."""

    def __init__(self, fonts: FontList) -> None:
        super().__init__(fonts)
        self._fonts = fonts

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, area, font = current_theme(), QRectF(option.rect), index.data(FONT)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        sample = self._fonts.sample(font)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_chosen:
            painter.fillRect(area, theme.selection)
        names = area.adjusted(GAP, 0.0, -area.width() * (1 - NAME_SHARE), 0.0)
        painter.setPen(theme.quiet if self._fonts.lacks(font) else theme.text)
        words = option.fontMetrics.elidedText(index.data(), Qt.TextElideMode.ElideRight, int(names.width()) - GAP)
        painter.drawText(names, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        if sample is not None:
            room = area.adjusted(names.width() + GAP, 0.0, -GAP, 0.0)
            box = sample.boundingRect()
            scale = min(CAPITALS, (room.width() - GAP) / max(box.width(), 1e-3), (ROW - 2.0) / max(box.height(), 1e-3))
            painter.setClipRect(room)
            painter.translate(room.left(), room.center().y() - scale * box.center().y())
            painter.scale(scale, scale)
            painter.translate(-box.left(), 0.0)
            painter.fillPath(sample, theme.text)
        painter.restore()


class FontChooser(QWidget):
    """A searchable list of the built-in font, those used last, and all others; fonts of files can be added."""

    changed = Signal()

    def __init__(self, jobs: Jobs, recent: Sequence[str], problem: Remark, *, bold: bool) -> None:
        super().__init__()
        self._jobs, self._recent = jobs, tuple(recent)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search fonts"))
        self.search.setAccessibleName(tr("Search fonts"))
        self.search.setClearButtonEnabled(True)
        self.fonts = FontList(jobs, bold)
        self.fonts.setMinimumWidth(LEAST_WIDTH)
        self.load = FileButton(tr("Font file…"), tr("Use a TrueType or OpenType font from a file"), problem)
        column(row((self.search, 1), self.load), (self.fonts, 1), of=self)
        self._insert([("", BUILT_IN[bold]), *((font, _title(font)) for font in self._recent)])
        self.fonts.setCurrentRow(0)
        self.search.textChanged.connect(self._filter)
        self.fonts.currentItemChanged.connect(lambda *_: self.changed.emit())
        self._is_filled = False

    @property
    def font_name(self) -> str:
        """Name of the chosen font or path of its file; empty for the built-in one."""
        item = self.fonts.currentItem()
        name: str = item.data(FONT) if item is not None else ""
        return name

    def fill(self) -> None:
        """List the installed fonts, which are looked for in the background."""
        if not self._is_filled:
            self._is_filled = True
            self._jobs.start(FINDING, _names, done=self._take)

    def connect_to(self, session: Session) -> None:
        """Have the button ask for the file of a font."""
        self.load.connect_to(
            session, tr("Font file"), tr("Fonts ({suffixes})", suffixes="*.ttf *.otf *.ttc *.otc"),
            lambda path, _failed: self.take(path), "font",
        )  # fmt: skip

    def show_font(self, font: str, sample: str) -> None:
        """Show the font of a text without a signal."""
        self.fill()
        self.fonts.show_sample(sample)
        if font != self.font_name:
            self.blockSignals(True)
            self.choose(font)
            self.blockSignals(False)

    def take(self, path: Path) -> None:
        """Choose the font of a file."""
        self.load.go_on()
        self.choose(str(path))

    def choose(self, font: str) -> None:
        """Choose a font by its name or the path of its file."""
        for at in range(self.fonts.count()):
            if self.fonts.item(at).data(FONT) == font:
                break
        else:
            at = 1
            self._insert([(font, _title(font))], at)
        self.search.clear()
        self.fonts.setCurrentRow(at)
        self.fonts.scrollToItem(self.fonts.item(at))

    def _take(self, names: Sequence[str]) -> None:
        known = {self.fonts.item(at).data(FONT) for at in range(self.fonts.count())}
        self._insert([(name, name) for name in names if name not in known])
        self._filter()

    def _insert(self, fonts: Sequence[tuple[str, str]], at: int | None = None) -> None:
        for font, title in fonts:
            item = QListWidgetItem(title)
            item.setData(FONT, font)
            item.setToolTip(font or tr("DejaVu Sans, which comes with the studio"))
            self.fonts.insertItem(self.fonts.count() if at is None else at, item)

    def _filter(self) -> None:
        words = self.search.text().casefold().split()
        for at in range(self.fonts.count()):
            item = self.fonts.item(at)
            item.setHidden(not all(word in item.text().casefold() for word in words))


def _title(font: str) -> str:
    return Path(font).name if Path(font).suffix else font


class LibraryChooser(QWidget, Generic[T]):
    """Items by their pictures, found by words: built in, from files, and of the maker's own library."""

    changed = Signal()
    """Another item is chosen, or the chosen one has another title."""

    def __init__(self, library: Library[T], problem: Remark, pictures: Pictures) -> None:
        super().__init__()
        self._library, self._problem, self.pictures = library, problem, pictures
        self.drawn: dict[str, T] = {}
        """Items of the library and from files, by their keys here."""
        self._own: dict[str, Kept[T]] = {}
        self.numbers = count(1)
        """For the keys of items that are not in the library."""
        self.search, self.title, self.tags = QuietLine(), QuietLine(), QuietLine()
        self.search.setClearButtonEnabled(True)
        self.title.setAccessibleName(tr("Name"))
        self.title.setMaxLength(LONGEST_TITLE)
        self.tags.setPlaceholderText(tr("Such as Anna, pets"))
        self.tags.setAccessibleName(tr("Tags"))
        self.tags.setToolTip(tr("Words by which a search finds it, with commas between them"))
        self.keep = push_button(tr("Keep in library"), tr("Your library is here in every puzzle"))
        self.remove = push_button(tr("Remove"), tr("Remove it from your library"))
        words = tr("Keep all drawings of a folder in your library")
        self.load_folder = FileButton(tr("Import folder…"), words, problem)
        self.removed: list[Kept[T]] = []
        """Items that can be put back."""
        self.notices = NoticeBar()
        self.notices.lie_over(self)

    def fields(self) -> QHBoxLayout:
        """Lay out name and tags, each behind its label, and the buttons of the library."""
        (name, title), (words, tags) = labelled(tr("Name"), self.title), labelled(tr("Tags"), self.tags)
        return row(name, (title, 1), words, (tags, 1), self.keep, 2 * GAP, self.remove)

    def fill(self, add_built_in: Callable[[], object], chosen: str = "") -> None:
        """List the library, then the built-in items, and choose one, by default the first of these."""
        own, problems = self._library.items()
        for one in sorted(own, key=lambda one: one.item.title.casefold()):
            self._show_own(one)
        add_built_in()
        if problems:
            self._problem.say(" ".join(problems[:MOST_TOLD]))
        self.pictures.setCurrentRow(len(own))
        self.choose(chosen)
        self.search.textChanged.connect(self._filter)
        self.pictures.currentItemChanged.connect(self._follow)
        # Only an item chosen afterwards can be removed next, so that a double click removes one.
        self.pictures.itemPressed.connect(lambda: self.remove.setEnabled(self.key in self._own))
        self.keep.clicked.connect(self._keep)
        self.remove.clicked.connect(self._remove)
        self.tags.editingFinished.connect(self._tag)
        self.title.textEdited.connect(lambda title: self.pictures.currentItem().setText(title))
        self.title.editingFinished.connect(self._rename)
        self._follow()

    def offer_folder(self, session: Session, suffixes: Collection[str], read: Read[T]) -> FileReading:
        """Have the button ask for a folder, and keep the drawings in it."""
        from studio.files.drawing_import import kept_from

        reading = FileReading(session, f"folder of {self._library.folder}", self)
        self.load_folder.connect_to(
            session, tr("Import folder"), "",
            lambda path, failed: reading.read(
                path, partial(kept_from, path, suffixes, read, self._library), self._show_kept, failed
            ),
        )  # fmt: skip
        return reading

    def _show_kept(self, found: tuple[list[Kept[T]], list[str]]) -> None:
        kept, notes = found
        self.load_folder.go_on()
        known = {own.key for own in self._own.values()}
        added = [one for one in kept if one.key not in known]
        for one in added:
            self._show_own(one, 0)
        self.search.clear()
        self._filter()
        self.pictures.setCurrentRow(0 if added else self.pictures.currentRow())
        words = tr("Kept {items} in your library.", items=many(len(kept), self._library.sort))
        severity = Severity.WARNING if notes else Severity.HINT
        self.notices.post(" ".join([words, *notes[:MOST_TOLD]]), severity)

    @property
    def key(self) -> str:
        """The key of the chosen item: its own, or the one in `drawn`."""
        chosen: str = self.pictures.currentItem().data(KEY)
        return chosen

    def take(self, item: T) -> str:
        """Put an item from a file first, and choose it; return its key."""
        key = f"file {next(self.numbers)}"
        self.drawn[key] = item
        self._add(key, item.title, self._picture(item), 0)
        self.search.clear()
        self.pictures.setCurrentRow(0)
        self.pictures.scrollToTop()
        return key

    def choose(self, key: str) -> None:
        """Choose an item by its key."""
        for item in self._items:
            if item.data(KEY) == key:
                self.pictures.setCurrentItem(item)

    @property
    def _items(self) -> list[QListWidgetItem]:
        return [self.pictures.item(at) for at in range(self.pictures.count())]

    def _add(self, key: str, title: str, picture: QIcon, at: int | None = None) -> None:
        item = QListWidgetItem(picture, title)
        item.setData(KEY, key)
        item.setSizeHint(CELL - QSize(GAP, 0))
        self.pictures.insertItem(self.pictures.count() if at is None else at, item)

    def _show_own(self, one: Kept[T], at: int | None = None) -> None:
        key = f"own {one.key}"
        self.drawn[key], self._own[key] = one.item, one
        self._add(key, one.item.title, self._picture(one.item), at)

    def _picture(self, item: T) -> QIcon:
        raise NotImplementedError

    def _words(self, key: str) -> str:
        """Further words by which a search finds an item."""
        return " ".join(self._own[key].tags) if key in self._own else ""

    def _is_shown(self, _key: str) -> bool:
        """True if an item that the search finds is shown."""
        return True

    def _filter(self) -> None:
        """Show the items that the search finds; a chosen one that is hidden gives way to the first."""
        words = self.search.text().casefold().split()
        items = self._items
        for item in items:
            held = f"{item.text()} {self._words(item.data(KEY))}".casefold()
            item.setHidden(not (self._is_shown(item.data(KEY)) and all(word in held for word in words)))
        shown = [item for item in items if not item.isHidden()]
        if self.pictures.currentItem().isHidden() and shown:
            self.pictures.setCurrentItem(shown[0])
        self.pictures.scrollToItem(self.pictures.currentItem())

    def _follow(self) -> None:
        """Offer what the chosen item allows."""
        own = self._own.get(self.key)
        self.title.setText(self.pictures.currentItem().text())
        self.tags.setText("" if own is None else ", ".join(own.tags))
        for field in (self.title, self.tags):
            field.setEnabled(self.key in self.drawn)
        self.keep.setEnabled(self.key in self.drawn and own is None)
        self.remove.setEnabled(own is not None)
        self.changed.emit()

    def _keep(self) -> None:
        with self._reporting():
            self._own[self.key] = self._library.keep(self.drawn[self.key], self.tags.text().split(","))
            self._filter()
            self._follow()

    def _remove(self) -> None:
        """Remove the chosen item from the library and from the list, with a notice that puts it back."""
        key = self.key
        with self._reporting():
            own = self._own[key]
            self._library.discard(own.key)
            self.removed.append(own)
            self._drop(key)
            self._filter()
            self.remove.setEnabled(False)
            back = Action(tr("Put back"), partial(self._put_back, own))
            self.notices.post(_removed_text([own]), action=back, asks=True)

    def _drop(self, key: str) -> None:
        del self._own[key], self.drawn[key]
        self.pictures.takeItem(next(at for at, item in enumerate(self._items) if item.data(KEY) == key))

    def _put_back(self, own: Kept[T]) -> None:
        with self._reporting():
            self._show_own(self._library.keep(own.item, own.tags), 0)
            self.removed.remove(own)
            self.search.clear()
            self._filter()
            self.pictures.setCurrentRow(0)

    def offer_removed(self, notices: NoticeBar) -> None:
        """Offer in the window to put back what was removed, once the dialog is closed."""
        library, removed = self._library, tuple(self.removed)

        def put_back() -> None:
            try:
                for own in removed:
                    library.keep(own.item, own.tags)
            except StudioError as problem:
                notices.refuse(str(problem))

        if removed:
            notices.post(_removed_text(removed), action=Action(tr("Put back"), put_back))

    def _tag(self) -> None:
        own = self._own.get(self.key)
        tags = self.tags.text().split(",")
        if own is not None and [tag.strip() for tag in tags if tag.strip()] != [*own.tags]:
            with self._reporting():
                self._own[self.key] = self._library.keep(own.item, tags)

    def _rename(self) -> None:
        title, item = " ".join(self.title.text().split()), self.pictures.currentItem()
        if self.key not in self.drawn:
            return
        before = self.drawn[self.key].title
        item.setText(before)
        if not title:
            self.title.setText(before)
        elif title != before:
            with self._reporting():
                own = Kept("", self.drawn[self.key]) if self.key not in self._own else self._own[self.key]
                renamed = self._library.renamed(own, title)
                if own.key:
                    self._own[self.key] = renamed
                self.drawn[self.key] = renamed.item
                item.setText(title)
                self.changed.emit()

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Report an error instead of raising it."""
        try:
            yield
        except StudioError as problem:
            self._problem.say(str(problem))


def _removed_text(removed: Sequence[Kept[T]]) -> str:
    titles = ", ".join(tr("“{title}”", title=one.item.title) for one in removed[:MOST_TOLD])
    more = "" if len(removed) <= MOST_TOLD else tr(" and {count} more", count=len(removed) - MOST_TOLD)
    return tr("Removed {titles}{more} from your library.", titles=titles, more=more)


class FigureChooser(LibraryChooser[Figure]):
    """Figures: of a theme, from files, and of the maker's own library."""

    def __init__(self, problem: Remark) -> None:
        super().__init__(OWN_FIGURES, problem, Pictures(tr("Figures"), ACROSS, DOWN))
        self.load = FileButton(tr("Import…"), tr("Take a closed path from an SVG or DXF file as a figure"), problem)
        self.theme = CalmComboBox(tr("Theme"), tr("Show the figures of one theme, or of your library"))
        self.search.setPlaceholderText(tr("Search figures"))
        self._themes: dict[str, str] = {}
        for name, members in THEMES.items():
            for key in members:
                self._themes[key] = f"{self._themes.get(key, '')} {name}"
        below = row(self.theme, (self.search, 1), self.load, self.load_folder), self.fields()
        column((self.pictures, 1), *below, of=self)
        self.fill(self._add_figures)
        self._list_themes()
        self.theme.currentTextChanged.connect(self._filter)

    def _add_figures(self) -> None:
        for key in sorted(keys(), key=lambda key: figure(key).title.casefold()):
            self._add(key, figure(key).title, self._picture(figure(key)))

    def take(self, item: Figure) -> str:
        """Put a figure from a file first, and choose it; return its key."""
        self.theme.setCurrentIndex(0)
        return super().take(item)

    def _picture(self, item: Figure) -> QIcon:
        outline, lines = (paths.curved(Curves.from_strokes([*some])) for some in (item.rings, item.lines))
        return icon_of(self.pictures, outline, outline.boundingRect(), lines)

    def _words(self, key: str) -> str:
        return f"{super()._words(key)} {self._themes.get(key, '')}"

    def _is_shown(self, key: str) -> bool:
        theme = self.theme.currentText()
        return key in THEMES[theme] if theme in THEMES else theme != LIBRARY or key in self._own

    def _list_themes(self) -> None:
        """List the themes, with the library once it has a figure."""
        chosen = self.theme.currentText()
        self.theme.blockSignals(True)
        self.theme.clear()
        self.theme.addItems([tr("All themes"), *([LIBRARY] if self._own else []), *THEMES])
        self.theme.setCurrentIndex(max(0, self.theme.findText(chosen)))
        self.theme.blockSignals(False)

    def _filter(self) -> None:
        self._list_themes()
        super()._filter()


class Pictures(QListWidget):
    """Pictures in a grid of some across by some down at best, and LEAST_ACROSS by one at least."""

    def __init__(self, name: str, across: int, down: int) -> None:
        super().__init__()
        self._across, self._down = across, down
        self.setAccessibleName(name)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setIconSize(QSize(PICTURE, PICTURE))
        self.setGridSize(CELL)

    def sizeHint(self) -> QSize:
        return self._around(self._across, self._down)

    def minimumSizeHint(self) -> QSize:
        return self._around(LEAST_ACROSS, 1)

    def _around(self, across: int, down: int) -> QSize:
        rim = 2 * self.frameWidth() + GAP
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(across * CELL.width() + rim + bar, down * CELL.height() + rim)


def icon_of(of: QWidget, filled: QPainterPath, around: QRectF, cut: QPainterPath | None = None) -> QIcon:
    """A filled path with cuts, the box around it in the middle of a picture's room."""
    theme, scale = current_theme(), of.devicePixelRatioF()
    picture = QPixmap(QSize(PICTURE, PICTURE) * scale)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(PICTURE / 2, PICTURE / 2)
    size = (PICTURE - GAP) / max(around.width(), around.height())
    painter.scale(size, size)
    painter.translate(-around.center())
    painter.fillPath(filled, theme.text)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.strokePath(cut or QPainterPath(), QPen(theme.text, 1.0 / size))
    painter.end()
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon
