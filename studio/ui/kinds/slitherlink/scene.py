"""The board of a game as a scene: one item that repaints its changed parts, and lines that highlight targets.

Lengths are in units of the scene: the edge of a cell is EDGE long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

from studio.geometry.board.grids import SQUARE
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.slitherlink.game import (
    BLANK,
    CROSS,
    INSIDE,
    LINE,
    OUTSIDE,
    UNKNOWN,
    Bools,
    Game,
    clue_states,
    connected,
    known_sides,
    ruled_out,
)
from studio.puzzles.slitherlink.gestures import EDGE, places_of
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from studio.ui.canvas.cutting import blended
from studio.ui.widgets.theme import Painted, Theme, current_theme

NOTHING, GREY, CROSSED, DERIVED, DRAWN = range(5)
"""Forms of an edge: not painted, undecided, crossed out, crossed out by itself, with a line."""
FORM, TRIED, WRONG, HUE = 7, 8, 16, 32
"""Bits of an edge's number: its form, a mark for a trial, a mark for a mistake, the colour of its line."""
HUES = 6
PLAIN, SATISFIED, CONTRADICTED = range(3)
"""Forms of a clue."""
WON = 3
"""Shade of a cell inside the finished loop, in addition to the shades of the game."""


@dataclass(frozen=True)
class Options:
    """Display options in addition to lines and crosses."""

    marks_clues: bool = True
    """Satisfied clues are dimmed, contradicted ones marked."""
    greys: bool = True
    """Edges are grey until they are ruled out, and then gone; otherwise crosses mark ruled-out edges."""
    derives: bool = False
    """Edges that clues and dots rule out are crossed out by themselves."""
    shades: bool = False
    """Cells are shaded as the lines imply."""
    colours: bool = False
    """Connected lines have a colour of their own."""


@dataclass(frozen=True, eq=False)
class Look:
    """A number for every edge, every cell, and every given clue."""

    edges: Ints
    cells: Ints
    clues: Ints


class Hues:
    """Colours of connected lines; a growing line keeps its own, and if two join, the longer line's stays."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def follow(self, groups: Sequence[Sequence[int]]) -> dict[int, int]:
        """The colour of every line, from 1."""
        found: dict[int, int] = {}
        used: Counter[int] = Counter()
        fresh = []
        for group in groups:
            known = Counter(self._known[edge] for edge in group if edge in self._known)
            if not known:
                fresh.append(group)
                continue
            hue = known.most_common(1)[0][0]
            used[hue] += 1
            found |= dict.fromkeys(group, hue)
        for group in fresh:
            hue = min(range(1, HUES + 1), key=lambda each: (used[each], each))
            used[hue] += 1
            found |= dict.fromkeys(group, hue)
        self._known = found
        return found


def look_of(
    design: SlitherlinkDesign, game: Game, options: Options, hues: Hues, wrong: Collection[int], *, is_won: bool
) -> Look:
    """Look of a position, with some edges marked as wrong."""
    lines = game.states == LINE
    if is_won:
        edges, inside = np.where(lines, DRAWN, NOTHING), design.parameters.net.enclosed(game.lines)
        return Look(edges, np.where(inside, WON, BLANK), np.full(len(design.clues), PLAIN))
    edges = np.where(lines, DRAWN, GREY if options.greys else NOTHING)
    if options.derives:
        edges[ruled_out(design, game)] = NOTHING if options.greys else DERIVED
    edges[game.states == CROSS] = NOTHING if options.greys else CROSSED
    marked = np.zeros(len(edges), bool)
    marked[[*wrong]] = True
    edges[(marked | game.tried) & (game.states == CROSS)] = CROSSED
    edges[game.tried & (game.states != UNKNOWN)] |= TRIED
    edges[marked] |= WRONG
    if options.colours:
        for edge, hue in hues.follow(connected(design, game.lines)).items():
            edges[edge] += hue * HUE
    clues = np.zeros(len(design.clues), np.int64)
    if options.marks_clues:
        states = clue_states(design, game)
        clues[states.satisfied] = SATISFIED
        clues[states.contradicted] = CONTRADICTED
    cells = np.frombuffer(game.shades, np.uint8).astype(np.int64)
    if options.shades:
        deduced = np.frombuffer(known_sides(design, game, ruled_out(design, game)), np.uint8)
        cells = np.where(cells == BLANK, deduced, cells)
    return Look(edges, cells, clues)


RIM = 0.6 * EDGE
ROUNDING = 4.0
BOARD_Z, LIT_Z = 0.0, 1.0
LINE_WIDTH, GREY_WIDTH, DOT, ARM = 0.13 * EDGE, 0.06 * EDGE, 0.13 * EDGE, 0.11 * EDGE
"""The widths of lines, of edges that are open and of dots, and half the width of a cross."""
LEAST_LINE, LEAST_GREY, LEAST_DOT, LEAST_ARM = 2.0, 1.0, 2.0, 1.6
"""The same in pixels, at least."""
DIGIT, MOST_DIGIT = 1.2, 0.75 * EDGE
"""Height of a clue's letters, as a share of the radius of the circle in its cell, and at most."""
FAINT = 0.16
"""Contrast of an edge that is not grey, on boards whose dots alone do not show where it is."""
NARROW = 1.15
"""Boards whose circles' diameter times this is less than the length of an edge have finer lines."""
LEAST_DIGIT = 5
"""Smaller clues, in pixels, are left out."""
BRIGHT_HUES = "#0072B2", "#C24E00", "#007D5A", "#B0477F", "#7A5CC7", "#8A6A00"
DARK_HUES = "#56B4E9", "#F0924A", "#2CC49A", "#EE9CCB", "#B9A3FF", "#E3C23D"
"""The colours of connected lines on bright and on dark boards, after Okabe and Ito."""


class BoardItem(QGraphicsItem):
    """Cells, clues, dots, lines and crosses; `painted` counts the edges painted so far."""

    is_done = Painted(False)

    def __init__(self, design: SlitherlinkDesign) -> None:
        super().__init__()
        self.setZValue(BOARD_Z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        form = design.parameters.form
        self.painted = 0
        places = places_of(design.parameters)
        self.corners, self.middles, self.ends = places.dots, places.middles, places.ends
        self._radius = EDGE * form.circle
        self._tall = np.minimum(DIGIT * EDGE * np.minimum(form.circles, form.circle), MOST_DIGIT)
        self._is_square = form.layout.is_regular and form.layout.form == SQUARE
        self._fine = min(1.0, NARROW * 2 * self._radius / EDGE)
        self._needs_lines = form.layout.needs_lines
        self._edges = [QLineF(*one, *other) for one, other in self.ends.tolist()]
        self._dots = [QPointF(x, y) for x, y in self.corners.tolist()]
        self._cells = [QPolygonF([QPointF(*self.corners[dot].tolist()) for dot in cell]) for cell in form.cells]
        self._reach = max(
            float(np.hypot(*(self.corners[[*cell]] - middle).T).max())
            for cell, middle in zip(form.cells, self.middles, strict=True)
        )
        self._longest = float(np.hypot(*(self.ends[:, 1] - self.ends[:, 0]).T).max())
        self._clues, self._counts = np.array([*design.clues], np.int64), np.array([*design.clues.values()], np.int64)
        width, height = (EDGE * np.array(form.size)).tolist()
        self._bounds = QRectF(0, 0, width, height).adjusted(-RIM, -RIM, RIM, RIM)
        self._digits: dict[tuple[str, str, int, float], QPixmap] = {}
        self.look = Look(
            np.full(len(self.ends), GREY), np.zeros(len(self._cells), np.int64), np.zeros(len(self._clues), np.int64)
        )

    def boundingRect(self) -> QRectF:
        return self._bounds

    def show_look(self, look: Look) -> None:
        """Show another position; only its changes are repainted."""
        before, self.look = self.look, look
        cells = np.union1d(np.flatnonzero(before.cells != look.cells), self._clues[before.clues != look.clues])
        for points in (
            self.ends[before.edges != look.edges].reshape(-1, 2),
            np.concatenate([self.middles[cells] - self._reach, self.middles[cells] + self._reach]),
        ):
            if len(points):
                low, high = points.min(axis=0) - LINE_WIDTH, points.max(axis=0) + LINE_WIDTH
                self.update(QRectF(QPointF(*low.tolist()), QPointF(*high.tolist())))

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme, pixel = current_theme(), 1 / painter.worldTransform().m11()
        part = option.exposedRect
        painter.setPen(QPen(theme.done, 3 * pixel) if self.is_done else QPen(theme.board_edge, pixel))
        painter.setBrush(theme.board)
        painter.drawRoundedRect(self._bounds.adjusted(2, 2, -2, -2), ROUNDING, ROUNDING)
        self._paint_cells(painter, theme, _near(self.middles, part, self._reach))
        seen = _near(self.ends.mean(axis=1), part, self._longest)
        self.painted += int(seen.sum())
        forms = self.look.edges & FORM
        if self._needs_lines:
            painter.setPen(_pen(blended(theme.board, theme.quiet, FAINT), LEAST_GREY * pixel))
            painter.drawLines(self._of(seen & (forms != GREY) & (forms != DRAWN)))
        painter.setPen(_pen(blended(theme.board, theme.quiet, 0.42), max(self._fine * GREY_WIDTH, LEAST_GREY * pixel)))
        painter.drawLines(self._of(seen & (forms == GREY)))
        painter.setPen(_pen(blended(theme.board, theme.text, 0.75), max(self._fine * DOT, LEAST_DOT * pixel)))
        painter.drawPoints([*compress(self._dots, _near(self.corners, part, EDGE).tolist())])
        crossed = seen & ((forms == CROSSED) | (forms == DERIVED))
        for code in np.unique(self.look.edges[crossed]).tolist():
            colour = theme.error if code & WRONG else theme.accent if code & TRIED else theme.quiet
            colour = blended(theme.board, theme.quiet, 0.75) if code & FORM == DERIVED else colour
            painter.setPen(_pen(colour, max(0.35 * self._fine * ARM, pixel)))
            middles = self.ends[crossed & (self.look.edges == code)].mean(axis=1)
            painter.drawLines(_crosses(middles, max(self._fine * ARM, LEAST_ARM * pixel)))
        self._paint_lines(painter, theme, pixel, seen & (forms == DRAWN))
        self._paint_clues(painter, theme, part)

    def _of(self, edges: Bools) -> list[QLineF]:
        return [*compress(self._edges, edges.tolist())]

    def _paint_cells(self, painter: QPainter, theme: Theme, seen: Bools) -> None:
        fills = {INSIDE: theme.pieces[0], OUTSIDE: theme.pieces[1], WON: blended(theme.board, theme.done, 0.28)}
        painter.setPen(Qt.PenStyle.NoPen)
        for value, colour in fills.items():
            cells = [*compress(self._cells, (seen & (self.look.cells == value)).tolist())]
            if not cells:
                continue
            painter.setBrush(colour)
            if self._is_square:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
                painter.drawRects([cell.boundingRect() for cell in cells])
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                continue
            path = QPainterPath()
            for cell in cells:
                path.addPolygon(cell)
                path.closeSubpath()
            painter.drawPath(path)

    def _paint_lines(self, painter: QPainter, theme: Theme, pixel: float, seen: Bools) -> None:
        width = max(self._fine * LINE_WIDTH, LEAST_LINE * pixel)
        hues = DARK_HUES if theme.is_dark else BRIGHT_HUES
        codes = np.unique(self.look.edges[seen]).tolist()
        for code in codes:
            lines, hue = self._of(seen & (self.look.edges == code)), code // HUE
            colour = QColor(hues[hue - 1]) if hue else theme.accent if code & TRIED else theme.text
            if code & WRONG:
                painter.setPen(_pen(blended(theme.board, theme.error, 0.45), 2.6 * width))
                painter.drawLines(lines)
            painter.setPen(_pen(theme.error if code & WRONG else colour, width))
            painter.drawLines(lines)
        for code in (code for code in codes if code & TRIED):
            painter.setPen(_pen(theme.board, 0.4 * width))
            painter.drawLines(self._of(seen & (self.look.edges == code)))

    def _paint_clues(self, painter: QPainter, theme: Theme, part: QRectF) -> None:
        world = painter.worldTransform()
        heights = np.round(self._tall[self._clues] * world.m11()).astype(np.int64)
        ratio = painter.device().devicePixelRatioF()
        colours = {PLAIN: theme.text, SATISFIED: blended(theme.text, theme.board, 0.52), CONTRADICTED: theme.error}
        seen = _near(self.middles[self._clues], part, self._reach)
        seen &= heights >= LEAST_DIGIT
        kinds = len(colours) * self._counts + self.look.clues
        sides = np.round(2 * heights * ratio)[:, None]
        places = self.middles[self._clues] * (world.m11(), world.m22()) + (world.dx(), world.dy())
        places = np.round(places * ratio - sides / 2) / ratio  # whole pixels, where pictures are sharp
        painter.save()
        painter.resetTransform()
        for kind, pixels in np.unique(np.stack([kinds[seen], heights[seen]], 1), axis=0).tolist():
            count, state = divmod(kind, len(colours))
            picture = self._digit(str(count), colours[state], pixels, ratio, rings=state == CONTRADICTED)
            for x, y in places[seen & (kinds == kind) & (heights == pixels)].tolist():
                painter.drawPixmap(QPointF(x, y), picture)
        painter.restore()

    def _digit(self, text: str, colour: QColor, pixels: int, ratio: float, *, rings: bool) -> QPixmap:
        """A clue as a picture, which is much faster to paint than letters; a contradicted one has a ring."""
        key = text, colour.name(), pixels, ratio
        found = self._digits.get(key)
        if found is not None:
            return found
        side = 2 * pixels
        found = QPixmap(round(side * ratio), round(side * ratio))
        found.setDevicePixelRatio(ratio)
        found.fill(Qt.GlobalColor.transparent)
        painter = QPainter(found)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(QApplication.font())
        font.setPixelSize(pixels)
        painter.setFont(font)
        painter.setPen(QPen(colour, max(1.0, pixels / 12)))
        painter.drawText(QRectF(0, 0, side, side), Qt.AlignmentFlag.AlignCenter, text)
        if rings:
            painter.drawEllipse(QPointF(side / 2, side / 2), 0.68 * pixels, 0.68 * pixels)
        painter.end()
        if len(self._digits) > 200:
            self._digits.clear()
        self._digits[key] = found
        return found


class LitItem(QGraphicsItem):
    """Highlights targets: edges as broad lines, cells by their outlines, dots by rings."""

    def __init__(self, role: str, width: float, opacity: float) -> None:
        super().__init__()
        self.setZValue(LIT_Z)
        self._role, self._width, self._opacity = role, width, opacity
        self._path = QPainterPath()
        self.hide()

    def show_path(self, path: QPainterPath) -> None:
        """Light a path; an empty path lights nothing."""
        self.setVisible(not path.isEmpty())
        if not path.isEmpty():  # Qt would repaint all between the origin, where an empty path is, and the next
            self.prepareGeometryChange()
            self._path = path

    @property
    def path(self) -> QPainterPath:
        """The lit path; empty while hidden."""
        return self._path if self.isVisible() else QPainterPath()

    def boundingRect(self) -> QRectF:
        return self._path.boundingRect().adjusted(-EDGE, -EDGE, EDGE, EDGE)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        colour = QColor(getattr(current_theme(), self._role))
        colour.setAlphaF(self._opacity)
        painter.setPen(_pen(colour, max(self._width, 2.0 / painter.worldTransform().m11())))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._path)


class TableScene(QGraphicsScene):
    """The board of one design at a time."""

    def __init__(self, design: SlitherlinkDesign) -> None:
        super().__init__()
        self.show_design(design)

    def show_design(self, design: SlitherlinkDesign) -> None:
        """Show the empty board of a design."""
        self.clear()
        self.design, self.net = design, design.parameters.net
        self.board = BoardItem(design)
        self.hint = LitItem("accent", 0.08 * EDGE, 0.9)
        self.wanted = LitItem("accent", 0.26 * EDGE, 0.55)
        self.hover = LitItem("accent", 0.26 * EDGE, 0.35)
        self.cursor = LitItem("accent", 0.08 * EDGE, 1.0)
        for item in (self.board, self.hint, self.wanted, self.hover, self.cursor):
            self.addItem(item)

    # Paths to be lit

    def outline(self, cell: int, share: float = 1.0) -> QPainterPath:
        """A cell's outline, drawn in by a share."""
        middle = self.board.middles[cell]
        corners = middle + share * (self.board.corners[list(self.net.dots[cell])] - middle)
        path = QPainterPath()
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners.tolist()]))
        path.closeSubpath()
        return path

    def along(self, edges: Iterable[int]) -> QPainterPath:
        """A path along edges."""
        path = QPainterPath()
        for (x, y), (right, below) in self.board.ends[[*edges]].tolist():
            path.moveTo(x, y)
            path.lineTo(right, below)
        return path

    def around_edge(self, edge: int) -> QPainterPath:
        """A capsule around an edge."""
        (x, y), (right, below) = self.board.ends[edge].tolist()
        length = float(np.hypot(right - x, below - y))
        across = QPointF(y - below, right - x) * (0.2 * EDGE / length)
        start, end = QPointF(x, y), QPointF(right, below)
        short = (end - start) * 0.1
        ring = [start + short + across, end - short + across, end - short - across, start + short - across]
        path = QPainterPath()
        path.addPolygon(QPolygonF(ring))
        path.closeSubpath()
        return path

    def marks(self, names: Iterable[str], crosses: Iterable[int] = ()) -> QPainterPath:
        """Rings and outlines around named edges, cells and dots; and crosses on some edges."""
        form, path = self.design.parameters.form, QPainterPath()
        dots = {name: dot for dot, name in enumerate(form.dot_names)}
        for name in names:
            if name in form.line_numbers:
                path.addPath(self.around_edge(form.line_numbers[name]))
            elif name in form.numbers:
                path.addPath(self.outline(form.numbers[name], 0.82))
            elif name in dots:
                path.addEllipse(QPointF(*self.board.corners[dots[name]].tolist()), 0.24 * EDGE, 0.24 * EDGE)
        for line in _crosses(self.board.ends[[*crosses]].mean(axis=1), ARM) if crosses else ():
            path.moveTo(line.p1())
            path.lineTo(line.p2())
        return path


def _pen(colour: QColor, width: float) -> QPen:
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def _crosses(middles: Floats, arm: float) -> list[QLineF]:
    return [QLineF(x - arm, y - rise, x + arm, y + rise) for x, y in middles.tolist() for rise in (arm, -arm)]


def _near(points: Floats, part: QRectF, reach: float) -> Bools:
    """Mask of the points in a part or within `reach` of it."""
    low = part.left() - reach, part.top() - reach
    high = part.right() + reach, part.bottom() + reach
    return np.asarray(((points >= low) & (points <= high)).all(axis=1))
