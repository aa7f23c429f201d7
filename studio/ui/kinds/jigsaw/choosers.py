"""The pages of the dialog for figures: figures by their pictures, with the maker's library, and the fonts of letters,
each with a sample of the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import (
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.figures.figure_edits import LINE_BREAK
from studio.puzzles.jigsaw.figures.letters import Lettering
from studio.puzzles.jigsaw.figures.silhouettes import THEMES, Figure, OwnFigure, discard, figure, keep, keys, library
from studio.puzzles.jigsaw.picture.engravings import text_outlines
from studio.ui.canvas import paths
from studio.ui.panels.drawing_import import FileButton
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.session.jobs import Jobs
from studio.ui.session.session import Session
from studio.ui.widgets.controls import CalmComboBox, Remark, push_button
from studio.ui.widgets.layout import REST, column, holding, row
from studio.ui.widgets.theme import GAP, current_theme

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
            lambda path, _failed: self.take(path),
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


class LettersPage(QWidget):
    """The font of a text, and the other fields of letters."""

    changed = Signal()

    def __init__(self, jobs: Jobs, recent: Sequence[str], problem: Remark, text: Callable[[], str]) -> None:
        super().__init__()
        self._text = text
        self.chooser = FontChooser(jobs, recent, problem, bold=True)
        self.form = ParameterForm(Lettering(), Manner.PLAIN, hidden=self._hidden)
        row((self.chooser, 1), holding(column(self.form, REST)), of=self, gap=2 * GAP)
        self.chooser.changed.connect(self.changed)
        self.form.previewed.connect(lambda _how: self.changed.emit())
        self.form.edited.connect(lambda *_: self.changed.emit())

    @property
    def how(self) -> Lettering:
        """The lettering that is asked for."""
        how: Lettering = self.form.parameters()
        return replace(how, font=self.chooser.font_name)

    def show_text(self) -> None:
        """Follow another text."""
        self.chooser.fill()
        self.chooser.fonts.show_sample(self._text().partition(LINE_BREAK)[0])
        self.form.set_parameters(self.form.parameters())

    def _hidden(self, _how: Lettering) -> tuple[str, ...]:
        return ("font",) if LINE_BREAK in self._text() else ("font", "align", "line_spacing")


def _title(font: str) -> str:
    return Path(font).name if Path(font).suffix else font


class FigureChooser(QWidget):
    """Figures by their pictures: of a theme, found by words, from files, and of the maker's own library."""

    changed = Signal()
    """Another figure is chosen."""

    def __init__(self, problem: Remark) -> None:
        super().__init__()
        self._problem = problem
        self.drawn: dict[str, Figure] = {}
        """Figures of the library and from files, by their keys here."""
        self._own: dict[str, OwnFigure] = {}
        self.load = FileButton(tr("Import…"), tr("Take a closed path from an SVG or DXF file as a figure"), problem)
        self.pictures = _Pictures()
        self.theme = CalmComboBox(tr("Theme"), tr("Show the figures of one theme, or of your library"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search figures"))
        self.search.setClearButtonEnabled(True)
        self.tags = QLineEdit()
        self.tags.setPlaceholderText(tr("Tags, such as Anna, pets"))
        self.tags.setToolTip(tr("Words by which a search finds the figure, with commas between them"))
        self.keep = push_button(tr("Keep"), "")
        for key in keys():
            self._add(key, figure(key))
        own, problems = library()
        for one in reversed(own):
            self._add_own(one)
        if problems:
            problem.say(" ".join(problems[:MOST_TOLD]))
        self._list_themes()
        self.pictures.setCurrentRow(len(own))
        below = row(self.theme, (self.search, 1), self.load), row((self.tags, 1), self.keep)
        column((self.pictures, 1), *below, of=self)
        self.theme.currentTextChanged.connect(self._filter)
        self.search.textChanged.connect(self._filter)
        self.pictures.currentItemChanged.connect(self._follow)
        self.keep.clicked.connect(self._keep_or_discard)
        self.tags.editingFinished.connect(self._tag)
        self._follow()

    @property
    def key(self) -> str:
        """The key of the chosen figure: its own, or the one in `drawn`."""
        chosen: str = self.pictures.currentItem().data(KEY)
        return chosen

    def take(self, shape: Figure) -> str:
        """Put a figure from a file first, and choose it; return its key."""
        key = f"file {len(self.drawn) + 1}"
        self.drawn[key] = shape
        self.theme.setCurrentIndex(0)
        self.search.clear()
        self._add(key, shape, 0)
        self.pictures.setCurrentRow(0)
        self.pictures.scrollToTop()
        return key

    def choose(self, key: str) -> None:
        """Choose a figure by its key."""
        for item in self._items:
            if item.data(KEY) == key:
                self.pictures.setCurrentItem(item)

    @property
    def _items(self) -> list[QListWidgetItem]:
        return [self.pictures.item(at) for at in range(self.pictures.count())]

    def _add(self, key: str, shown: Figure, at: int | None = None) -> None:
        item = QListWidgetItem(_picture(shown, self.pictures.devicePixelRatioF()), shown.title)
        item.setData(KEY, key)
        self.pictures.insertItem(self.pictures.count() if at is None else at, item)

    def _add_own(self, one: OwnFigure) -> str:
        key = f"own {one.key}"
        self.drawn[key], self._own[key] = one.figure, one
        self._add(key, one.figure, 0)
        return key

    def _list_themes(self) -> None:
        """List the themes, with the library once it has a figure."""
        chosen = self.theme.currentText()
        self.theme.blockSignals(True)
        self.theme.clear()
        self.theme.addItems([tr("All themes"), *([LIBRARY] if self._own else []), *THEMES])
        self.theme.setCurrentIndex(max(0, self.theme.findText(chosen)))
        self.theme.blockSignals(False)

    def _filter(self) -> None:
        """Show the figures of the theme that the search finds; a chosen one that is hidden gives way to the first."""
        theme, words = self.theme.currentText(), self.search.text().casefold().split()
        themes: dict[str, str] = {}
        for name, members in THEMES.items():
            for key in members:
                themes[key] = f"{themes.get(key, '')} {name}"
        items = self._items
        for item in items:
            key, own = item.data(KEY), self._own.get(item.data(KEY))
            held = " ".join([item.text(), themes.get(key, ""), *(own.tags if own is not None else ())]).casefold()
            of_theme = key in THEMES[theme] if theme in THEMES else theme != LIBRARY or own is not None
            item.setHidden(not (of_theme and all(word in held for word in words)))
        shown = [item for item in items if not item.isHidden()]
        if self.pictures.currentItem().isHidden() and shown:
            self.pictures.setCurrentItem(shown[0])
        self.pictures.scrollToItem(self.pictures.currentItem())

    def _follow(self) -> None:
        """Offer what the chosen figure allows."""
        own = self._own.get(self.key)
        self.keep.setText(tr("Keep in library") if own is None else tr("Remove from library"))
        self.keep.setToolTip(tr("Figures of your library are here in every puzzle"))
        self.keep.setEnabled(self.key in self.drawn)
        self.tags.setEnabled(self.key in self.drawn)
        self.tags.setText("" if own is None else ", ".join(own.tags))
        self.changed.emit()

    def _keep_or_discard(self) -> None:
        key, item = self.key, self.pictures.currentItem()
        try:
            if key in self._own:
                discard(self._own.pop(key).key)
            else:
                kept = keep(self.drawn[key], self.tags.text().split(","))
        except StudioError as problem:
            self._problem.say(str(problem))
            return
        if key.startswith("own "):
            # It may still be added to this puzzle.
            item.setData(KEY, f"file {key}")
            self.drawn[f"file {key}"] = self.drawn.pop(key)
        else:
            named = f"own {kept.key}"
            item.setData(KEY, named)
            self._own[named], self.drawn[named] = kept, self.drawn[key]
        self._list_themes()
        self._follow()

    def _tag(self) -> None:
        own = self._own.get(self.key)
        tags = self.tags.text().split(",")
        if own is not None and [tag.strip() for tag in tags if tag.strip()] != [*own.tags]:
            try:
                self._own[self.key] = keep(own.figure, tags)
            except StudioError as problem:
                self._problem.say(str(problem))


class _Pictures(QListWidget):
    """Figures in a grid of ACROSS by DOWN at best, and LEAST_ACROSS by one at least."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Figures"))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setIconSize(QSize(PICTURE, PICTURE))
        self.setGridSize(CELL)

    def sizeHint(self) -> QSize:
        return self._around(ACROSS, DOWN)

    def minimumSizeHint(self) -> QSize:
        return self._around(LEAST_ACROSS, 1)

    def _around(self, across: int, down: int) -> QSize:
        rim = 2 * self.frameWidth() + GAP
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(across * CELL.width() + rim + bar, down * CELL.height() + rim)


def _picture(silhouette: Figure, scale: float) -> QIcon:
    """A figure's silhouette in the middle of its room."""
    theme = current_theme()
    picture = QPixmap(QSize(PICTURE, PICTURE) * scale)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(PICTURE / 2, PICTURE / 2)
    size = (PICTURE - GAP) / max(1.0, silhouette.width)
    painter.scale(size, size)
    painter.fillPath(paths.curved(Curves.from_strokes(list(silhouette.rings))), theme.text)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.strokePath(paths.curved(Curves.from_strokes(list(silhouette.lines))), QPen(theme.text, 1.0 / size))
    painter.end()
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon
