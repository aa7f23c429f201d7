"""Letters in the dialog for figures: a list of all fonts, each with a sample of the text, and the fields of letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import (
    QLineEdit,
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
from studio.puzzles.jigsaw.picture.engravings import text_outlines
from studio.ui.canvas import paths
from studio.ui.panels.drawing_import import FileButton
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.session.jobs import Jobs
from studio.ui.session.session import Session
from studio.ui.widgets.controls import Remark
from studio.ui.widgets.layout import REST, column, holding, row
from studio.ui.widgets.theme import GAP, current_theme

FONT = Qt.ItemDataRole.UserRole
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
