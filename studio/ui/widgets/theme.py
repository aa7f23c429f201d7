"""The studio's colours, type and icons: read from `resources/`, applied to the whole application at once.

A change of theme sets the palette, and Qt repaints every widget. Widgets name roles of the palette if one fits:
`PlaceholderText` is quiet text, `BrightText` is the red of a refused value, `Accent` is the accent.

Icons are drawn in one line weight on a 20 px grid, coloured from the theme when they are painted. In their files,
`currentColor` is the ink and `ground` the background shining through a filled shape.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QImage,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsItem,
    QLabel,
    QProxyStyle,
    QStyle,
    QStyleOption,
    QStyleOptionHeader,
    QTabBar,
    QToolBar,
    QWidget,
)

from studio.base.folders import shipped
from studio.base.texts import tr

T = TypeVar("T")
THEMES = shipped("themes")
TEXT_PIXELS = 13
LEAST_TEXT_PIXELS, LARGEST_TEXT_PIXELS = 11, 24

# Qt for Python takes a class name as str, though its own types ask for bytes.
CALM_VIEWS: tuple[Any, ...] = ("QAbstractItemView", "QMenu", "QMenuBar")
"""Widgets with large selections, for which a strong colour would shout."""

OUTLINED: tuple[Any, ...] = ("QAbstractSpinBox", "QLineEdit")
"""Fields for typing, which dark windows hide without an outline."""
FUSION_DARKER = 140
"""Percentage by which Fusion darkens a window's colour for its outlines."""

TAB_SHIFT = 2
"""Pixels by which Fusion lowers the name of a tab that is not chosen."""
GAP = 8
"""Pixels between two widgets side by side."""
MARGIN = 12
"""Pixels between a panel's rim and its content."""


@dataclass(frozen=True, eq=False)
class Theme:
    """All colours of the studio; `pieces` are tints that differ between neighbours."""

    name: str
    window: QColor
    panel: QColor
    canvas: QColor
    board: QColor
    board_edge: QColor
    field: QColor
    button: QColor
    text: QColor
    quiet: QColor
    disabled: QColor
    line: QColor
    accent: QColor
    link: QColor
    on_accent: QColor
    selection: QColor
    error: QColor
    warning: QColor
    hint: QColor
    done: QColor
    cut: QColor
    draft: QColor
    ring: QColor
    tip: QColor
    on_tip: QColor
    pieces: tuple[QColor, ...]

    @property
    def is_dark(self) -> bool:
        """True if text is lighter than its background."""
        return self.text.lightness() > self.window.lightness()


def read_theme(path: Path) -> Theme:
    """Read a theme from its file; raises ValueError for a missing or invalid colour."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    names = [field.name for field in fields(Theme)]
    if sorted(stored) != sorted(names):
        raise ValueError(tr("{name} must define the colours {names}", name=path.name, names=", ".join(names)))
    colours = {name: _colour(stored[name]) for name in names if name not in ("name", "pieces")}
    return Theme(name=stored["name"], pieces=tuple(map(_colour, stored["pieces"])), **colours)


def _colour(text: str) -> QColor:
    colour = QColor(text)
    if not colour.isValid():
        raise ValueError(tr("{text!r} is no colour", text=text))
    return colour


@cache
def light_theme() -> Theme:
    """Dark text on bright backgrounds."""
    return read_theme(THEMES / "light.json")


@cache
def dark_theme() -> Theme:
    """Bright text on dark backgrounds."""
    return read_theme(THEMES / "dark.json")


def system_theme() -> Theme:
    """Return the desktop's theme; the light one if that is unknown."""
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return dark_theme() if dark else light_theme()


def current_theme() -> Theme:
    """Return the theme applied last, for painting: read it anew each time."""
    return _applied or light_theme()


_applied: Theme | None = None


class StudioStyle(QProxyStyle):
    """Fusion with visible tick boxes on dark backgrounds, sort arrows that point up for rising values, and plain text.

    Of painting only `drawPrimitive` is overridden: Qt calls a style for everything it paints, and each Python call
    costs.
    """

    def polish(self, what: Any) -> Any:
        """Let labels show text as plain unless declared as mark-up: names come from files, and tool tips are labels."""
        if isinstance(what, QLabel) and what.textFormat() is Qt.TextFormat.AutoText:
            what.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(what)

    def drawPrimitive(
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        """Draw a tick box with a visible outline, and a sort arrow that points up for rising values."""
        if element is QStyle.PrimitiveElement.PE_IndicatorCheckBox:
            _draw_tick_box(option, painter)
        elif element is QStyle.PrimitiveElement.PE_IndicatorHeaderArrow and isinstance(option, QStyleOptionHeader):
            super().drawPrimitive(element, _turned(option), painter, widget)
        else:
            super().drawPrimitive(element, option, painter, widget)


class ToolStrip(QToolBar):
    """A tool bar as a plain background with a thin line below; Fusion's own lines glare in dark themes."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Window))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self.palette().color(QPalette.ColorRole.Mid))


class TabStrip(QTabBar):
    """Tabs with room for whole letters: Fusion lowers the names of inactive tabs, and cuts them off."""

    def tabSizeHint(self, index: int) -> QSize:
        """Add the shift of the name above and below."""
        return super().tabSizeHint(index) + QSize(0, 2 * TAB_SHIFT)


def _turned(option: QStyleOptionHeader) -> QStyleOptionHeader:
    """Return the head of a column with the opposite sort arrow."""
    turned, arrow = QStyleOptionHeader(option), QStyleOptionHeader.SortIndicator
    turned.sortIndicator = arrow.SortUp if option.sortIndicator == arrow.SortDown else arrow.SortDown
    return turned


def _draw_tick_box(option: QStyleOption, painter: QPainter) -> None:
    colour, role = option.palette.color, QPalette.ColorRole
    on = bool(option.state & QStyle.StateFlag.State_On)
    partly = bool(option.state & QStyle.StateFlag.State_NoChange)
    marked = on or partly
    lit = marked or bool(option.state & QStyle.StateFlag.State_HasFocus)
    ground = colour(role.Accent if marked else role.Base)
    box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(role.Accent if lit else role.PlaceholderText), 1))
    painter.setBrush(ground)
    painter.drawRoundedRect(box, 2, 2)
    if marked:
        painter.setPen(QPen(colour(role.HighlightedText), box.width() / 7))
        painter.drawPolyline(_tick(box) if on else _bar(box))
    painter.restore()


def _tick(box: QRectF) -> list[QPointF]:
    places = ((0.22, 0.52), (0.42, 0.72), (0.78, 0.28))
    return [QPointF(box.x() + right * box.width(), box.y() + down * box.height()) for right, down in places]


def _bar(box: QRectF) -> list[QPointF]:
    return [QPointF(box.x() + right * box.width(), box.center().y()) for right in (0.25, 0.75)]


def apply(app: QApplication, theme: Theme, font: QFont | None = None) -> None:
    """Set the application's style and palette, and `font` or the desktop's own in our size; repaint everything."""
    global _applied
    _applied = theme
    if not isinstance(app.style(), StudioStyle):
        app.setStyle(StudioStyle("Fusion"))
    app.setFont(screen_font() if font is None else font)
    app.setPalette(palette(theme))
    for views in CALM_VIEWS:
        app.setPalette(calm(palette(theme), theme), views)
    for written in OUTLINED:
        app.setPalette(outlined(palette(theme), theme), written)


def palette(theme: Theme) -> QPalette:
    """Return a palette with every role of every group set, so that none of the desktop's colours shows."""
    role = QPalette.ColorRole
    roles = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.field,
        role.AlternateBase: theme.panel,
        role.Text: theme.text,
        role.PlaceholderText: theme.quiet,
        role.Button: theme.button,
        role.ButtonText: theme.text,
        role.BrightText: theme.error,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Accent: theme.accent,
        role.Link: theme.link,
        role.LinkVisited: theme.link,
        role.ToolTipBase: theme.tip,
        role.ToolTipText: theme.on_tip,
        # The bevels of older styles are kept near the lines, so that frames stay thin and quiet.
        role.Light: theme.line if theme.is_dark else theme.panel,
        role.Midlight: theme.button if theme.is_dark else theme.panel,
        role.Mid: theme.line,
        role.Dark: theme.line.lighter(115) if theme.is_dark else theme.line.darker(115),
        role.Shadow: theme.board_edge,
    }
    made = QPalette()
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled):
        for name, colour in roles.items():
            made.setColor(group, name, colour)
    for name in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, name, theme.disabled)
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, theme.line)
    made.setColor(QPalette.ColorGroup.Disabled, role.Accent, theme.disabled)
    made.setColor(QPalette.ColorGroup.Disabled, role.Base, theme.window)
    return made


def calm(usual: QPalette, theme: Theme) -> QPalette:
    """Return a palette with a soft selection under text in its own colour, for lists with large selections."""
    made = QPalette(usual)
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
        made.setColor(group, QPalette.ColorRole.Highlight, theme.selection)
        made.setColor(group, QPalette.ColorRole.HighlightedText, theme.text)
    return made


def outlined(usual: QPalette, theme: Theme) -> QPalette:
    """Return a palette that makes Fusion's outlines of fields visible."""
    made = QPalette(usual)
    if theme.is_dark:
        made.setColor(QPalette.ColorRole.Window, theme.board_edge.lighter(FUSION_DARKER))
    return made


def screen_font() -> QFont:
    """Return the desktop's own typeface, never smaller than the studio's text size."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    return sized(font, max(TEXT_PIXELS, QFontInfo(font).pixelSize()))


def picture_font() -> QFont:
    """Return the typeface of rendered pictures: the same on every machine that has it, without hinting."""
    font = sized(QFont("DejaVu Sans"), TEXT_PIXELS)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def sized(font: QFont, pixels: int) -> QFont:
    """Return a font of a height in pixels, bounded to stay legible and fit."""
    made = QFont(font)
    made.setPixelSize(min(max(pixels, LEAST_TEXT_PIXELS), LARGEST_TEXT_PIXELS))
    return made


def hint_font(text: QFont) -> QFont:
    """Return the font of hints beside a text: a little smaller."""
    return sized(text, QFontInfo(text).pixelSize() - 1)


def heading_font(text: QFont) -> QFont:
    """Return the font of a group's heading: a little bolder, in the text's own size."""
    made = QFont(text)
    made.setWeight(QFont.Weight.DemiBold)
    return made


def title_font(text: QFont) -> QFont:
    """Return the font of the title of a dialog or page."""
    made = sized(text, QFontInfo(text).pixelSize() + 3)
    made.setWeight(QFont.Weight.Normal)
    return made


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of two colours, from 1 to 21, after WCAG 2.2 (relative luminance)."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(share: float) -> float:
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = map(linear, (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class Painted(Generic[T]):
    """An attribute of a widget or an item, with its first value; setting another one repaints it."""

    def __init__(self, value: T) -> None:
        self._first = value

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, shown: QWidget | QGraphicsItem, owner: type) -> T:
        value: T = shown.__dict__.get(self._name, self._first)
        return value

    def __set__(self, shown: QWidget | QGraphicsItem, value: T) -> None:
        if value != self.__get__(shown, type(shown)):
            shown.__dict__[self._name] = value
            shown.update()


# Icons

ICONS = shipped("icons")
GRID = 20
SIZES = (16, GRID)
"""In tool strips 20 px; in menus Fusion asks for 16."""
LARGEST_RATIO = 3
"""Device pixel ratio up to which icons are drawn afresh instead of being scaled."""
FADED = 0.38
"""Opacity of a disabled icon."""


def names() -> tuple[str, ...]:
    """Return the names of all icons, sorted."""
    return tuple(sorted(path.stem for path in ICONS.glob("*.svg")))


@cache
def icon(name: str) -> QIcon:
    """Return an icon that follows the theme; raises FileNotFoundError for a name missing in `names()`."""
    drawn(name, current_theme())
    return QIcon(_Themed(name))


def kind_icon(key: str) -> QIcon:
    """Return the icon of a kind of puzzle; an empty one if the kind has none."""
    name = f"kind-{key}"
    return icon(name) if name in names() else QIcon()


class _Themed(QIconEngine):
    """Draws an icon in the colours of the current theme."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def clone(self) -> QIconEngine:
        return _Themed(self._name)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        drawn(self._name, current_theme()).paint(painter, rect, Qt.AlignmentFlag.AlignCenter, mode, state)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return drawn(self._name, current_theme()).actualSize(size, mode, state)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        return drawn(self._name, current_theme()).pixmap(size, scale, mode, state)


class Sign(QLabel):
    """An icon that follows the theme, as large as the label."""

    name = Painted("")

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.name = name

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.name:
            icon(self.name).paint(QPainter(self), self.rect())


@cache
def drawn(name: str, theme: Theme, sharpest: int = 0) -> QIcon:
    """Draw an icon in the colours of a theme: ink, faded if disabled, the accent if switched on.

    It is drawn for every device pixel ratio up to `sharpest`, by default that of the sharpest screen.

    Error, warning, hint and done keep their own colour. Raises FileNotFoundError for a name missing in `names()`.
    """
    own = {"error": theme.error, "warning": theme.warning, "hint": theme.hint, "done": theme.done}.get(name)
    renderer = QSvgRenderer(_coloured(name, own or theme.text, theme.panel))
    made = QIcon()
    for size in SIZES:
        for ratio in range(1, (sharpest or _sharpest_screen()) + 1):
            image = _blank(size * ratio)
            painter = QPainter(image)
            renderer.render(painter, QRectF(image.rect()))
            painter.end()
            image.setDevicePixelRatio(ratio)
            made.addPixmap(QPixmap.fromImage(image), QIcon.Mode.Normal, QIcon.State.Off)
            made.addPixmap(QPixmap.fromImage(image), QIcon.Mode.Selected, QIcon.State.Off)
            made.addPixmap(QPixmap.fromImage(_faded(image)), QIcon.Mode.Disabled, QIcon.State.Off)
            if own is None:
                made.addPixmap(QPixmap.fromImage(_inked(image, theme.accent)), QIcon.Mode.Normal, QIcon.State.On)
    return made


def _sharpest_screen() -> int:
    app = QGuiApplication.instance()
    assert isinstance(app, QGuiApplication)
    return min(LARGEST_RATIO, math.ceil(app.devicePixelRatio()))


def _coloured(name: str, ink: QColor, ground: QColor) -> QByteArray:
    source = (ICONS / f"{name}.svg").read_text(encoding="utf-8")
    return QByteArray(source.replace("currentColor", ink.name()).replace("ground", ground.name()).encode())


def _blank(pixels: int) -> QImage:
    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _inked(drawn: QImage, ink: QColor) -> QImage:
    """Return the same shape in another colour."""
    image = drawn.copy()
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(QRectF(0, 0, image.width(), image.height()), ink)
    painter.end()
    return image


def _faded(drawn: QImage) -> QImage:
    image = _blank(drawn.width())
    image.setDevicePixelRatio(drawn.devicePixelRatio())
    painter = QPainter(image)
    painter.setOpacity(FADED)
    painter.drawImage(0, 0, drawn)
    painter.end()
    return image
