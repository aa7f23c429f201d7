"""The drawing on the scene: static tiles, and above them the few strokes that are being dragged.

tile: the strokes or pieces of one square of the board, painted as one path. live: what differs from the tiles
while a gesture runs. One item a tongue would cost seconds on a large board; one item for all, a frame a move.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPixmapCache
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

from studio.geometry.art.artwork import Picture
from studio.geometry.curves.strokes import Curves, Floats, Ints, among, distinct, ranges
from studio.geometry.planar.drawing import CUTS, NO_DRAWING, Drawing, Operation
from studio.ui.canvas import paths
from studio.ui.canvas.paths import (
    Fill,
    Halo,
    PathItem,
    Pen,
    around,
    cut_pen,
    draft_pen,
    engraved_pen,
    halo_pen,
    paper_pen,
    zoom_of,
)
from studio.ui.widgets.theme import Theme, current_theme, light_theme

if TYPE_CHECKING:
    from studio.ui.canvas.ink import ArtworkItem

PIECES_A_TILE = 36
LARGEST_KEPT = 600
"""Longest side in pixels of a tile whose pixels are kept over a picture; few larger tiles are in view at once."""
KEPT_KB = 192 * 1024
"""Memory for the pixels of all tiles in view: a 4K screen and the tiles at its rim."""
AT_ONCE = 3000
"""Approximate number of strokes or pieces tiled per turn of the event loop; a large board takes several turns."""
LEAST_CELL_PIXELS = 36
"""Draft lines nearer than this on the screen are left out: they would be a grey haze."""
ROOM_AROUND = 0.05
"""The margin around the board that is painted with it, as a fraction of its width."""
SHADE_PIXELS = 5
"""Width of the shadow and soft edge around an outline."""
DIMMED = 0.35
"""Opacity of artwork that is shown faintly."""
BOARD_Z, FILL_Z, ART_Z, ENGRAVED_Z, DRAFT_Z, CUT_Z = range(6)


class WoodItem(QGraphicsItem):
    """The sheet of wood: the board's own outline, a soft edge and a shadow."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(BOARD_Z)
        self._outline = QPainterPath()
        self._bounds = QRectF()
        self.is_paper = False
        """True if the sheet is white in a dark theme too, as under artwork."""

    def show_board(self, outline: QPainterPath, within: QRectF | None = None) -> None:
        """Show another outline; with `within`, only that part has changed and is repainted."""
        self._outline = outline
        room = outline.boundingRect()
        margin = ROOM_AROUND * max(room.width(), 1.0)
        if within is not None and self._bounds.contains(
            room.adjusted(-margin / 2, -margin / 2, margin / 2, margin / 2)
        ):
            shade = SHADE_PIXELS / max(zoom_of(self), 1e-9)
            self.update(within.adjusted(-shade, -shade, shade, shade))
            return
        self.prepareGeometryChange()
        self._bounds = room.adjusted(-margin, -margin, margin, margin)
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme = current_theme()
        pixel = 1.0 / max(painter.worldTransform().m11(), 1e-9)
        shade = QColor(0, 0, 0, 22 if not theme.is_dark else 70)
        for step in (1, 2, 3):
            painter.fillPath(self._outline.translated(0, step * pixel), shade)
        painter.fillPath(self._outline, light_theme().board if self.is_paper else theme.board)


@dataclass(eq=False)
class _Tile:
    """One square of the board."""

    members: Ints
    items: tuple[PathItem, ...] = ()
    """Cuts, draft and, if any, engraved lines; empty until first painted."""
    hidden: frozenset[int] = frozenset()


@dataclass(eq=False)
class _FillTile:
    members: Ints
    item: PathItem


class DrawingLayer:
    """Shows a drawing on a scene and keeps it in step with as little painting as the change asks for."""

    def __init__(self, scene: QGraphicsScene) -> None:
        self._scene = scene
        self._board = WoodItem()
        self._live = PathItem(CUT_Z)
        self._live_draft = PathItem(DRAFT_Z)
        self._live_fill = PathItem(FILL_Z)
        for item in (self._board, self._live, self._live_draft, self._live_fill):
            scene.addItem(item)
        self.drawing = self._tiled = NO_DRAWING
        self._tiles: list[_Tile] = []
        self._fill_tiles: list[_FillTile] = []
        self._waiting: list[_Tile] = []
        self._waiting_fill: list[_FillTile] = []
        self._is_going_on = False
        self._tile_of = np.empty(0, np.int64)
        self._fill_tile_of = np.empty(0, np.int64)
        self._lifted = self._above = np.empty(0, np.int64)
        self._is_rim = np.empty(0, bool)
        self._is_engraved = np.empty(0, bool)
        self._colours = np.empty(0, np.int64)
        self._moved_border = QRectF()
        self.is_draft = True
        self.is_filled = False
        self.is_dimmed = False
        self.waits_for_pictures = True
        """True if pictures are decoded before they are shown; if not, the caller decodes them in a thread."""
        self._has_paper = True
        self._has_picture = self._keeps_pixels = False

    def leave_paper_out(self) -> None:
        """Let artwork lie on the board instead of paper, which is white in a dark theme too."""
        self._has_paper = False
        self._redraw()

    def _is_on_paper(self, drawing: Drawing) -> bool:
        return self._has_paper and bool(drawing.artwork)

    @cached_property
    def artwork(self) -> ArtworkItem:
        """The artwork under the cuts; made with the first drawing that has any."""
        from studio.ui.canvas.ink import ArtworkItem

        item = ArtworkItem(ART_Z, waits=self.waits_for_pictures)
        item.setOpacity(DIMMED if self.is_dimmed else 1.0)
        self._scene.addItem(item)
        return item

    @property
    def rebuilt(self) -> int:
        """Number of paths made since the layer was created, for tests."""
        items: list[PathItem] = [self._live, self._live_draft, self._live_fill]
        items += [item for tile in self._tiles for item in tile.items]
        items += [tile.item for tile in self._fill_tiles]
        return sum(item.rebuilt for item in items)

    @property
    def _pen(self) -> Pen:
        return paper_pen if self._board.is_paper else cut_pen

    @property
    def _halo(self) -> Halo | None:
        return halo_pen if self._has_picture else None

    def show_zoom(self, zoom: float) -> None:
        """Take the zoom in pixels a mm: over a picture, tiles that are not too large are kept as pixels.

        Cuts with halos take three times as long to paint, and a frame that pans or moves the picture exposes many.
        """
        keeps = self._has_picture and zoom * _side(self._tiled) <= LARGEST_KEPT
        if keeps != self._keeps_pixels:
            self._keeps_pixels = keeps
            if keeps:
                QPixmapCache.setCacheLimit(max(KEPT_KB, QPixmapCache.cacheLimit()))
            for tile in self._tiles:
                self._keep_pixels(tile)

    def _keep_pixels(self, tile: _Tile) -> None:
        """Cache the painted pixels of a tile until paths or zoom change, or paint its paths whenever exposed."""
        modes = QGraphicsItem.CacheMode
        for item in tile.items:
            item.setCacheMode(modes.DeviceCoordinateCache if self._keeps_pixels else modes.NoCache)

    def show_draft(self, draft: bool) -> None:
        """Show or hide the straight edges under the tongues."""
        self.is_draft = draft
        for tile in self._tiles:
            for item in tile.items[1:2]:
                item.setVisible(draft)
        self._live_draft.setVisible(draft)
        if draft:
            self._show_live(self._above)

    def repaint_artwork(self) -> None:
        """Repaint artwork after one of its pictures was decoded."""
        if "artwork" in self.__dict__:
            self.artwork.update()

    def show_dimmed(self, dimmed: bool) -> None:
        """Show artwork faintly, or in its true colours."""
        self.is_dimmed = dimmed
        if "artwork" in self.__dict__:
            self.artwork.setOpacity(DIMMED if dimmed else 1.0)

    def show_fill(self, filled: bool, colours: Ints) -> None:
        """Show or hide the pieces' tints; `colours` numbers the tint of every piece."""
        self.is_filled, self._colours = filled, colours
        self._tile_fill()

    def show(self, drawing: Drawing, settled: bool) -> None:
        """Show a drawing; a settled one goes into the tiles, strokes moved by a gesture stay above them."""
        before, self.drawing = self.drawing, drawing
        if drawing.artwork or "artwork" in self.__dict__:
            self.artwork.show_artwork(drawing.artwork)
        tiled = self._tiled
        is_alike = self._has_tiled_strokes and self._is_on_paper(drawing) == self._board.is_paper
        if not is_alike or not len(drawing.strokes):
            if settled or not self._show_other():
                self._redraw()
            return
        changed = drawing.strokes.changed_since(tiled.strokes)
        if len(changed) > len(drawing.strokes) // 4:
            self._redraw()
            return
        if settled:
            self._lift(np.empty(0, np.int64), drawing, distinct(np.concatenate([changed, self._lifted])))
        elif before is not drawing:
            # If nothing differs any more, all lifted strokes go back.
            touched = changed[~among(changed, self._lifted)] if len(changed) else self._lifted
            self._lift(changed, tiled, touched)

    def _redraw(self) -> None:
        drawing = self.drawing
        self._board.is_paper = self._is_on_paper(drawing)
        self._has_picture = any(isinstance(each, Picture) for each in drawing.artwork)
        for tile in self._tiles:
            for item in tile.items:
                self._scene.removeItem(item)
        self._tiles, self._moved_border = [], QRectF()
        self._lifted = self._above = np.empty(0, np.int64)
        for item in (self._live, self._live_draft, self._live_fill):
            item.fill_paths([])
        self._tiled = drawing
        self._board.show_board(outline(drawing))
        strokes = drawing.strokes
        self._is_rim = _rims(drawing)
        self._is_engraved = np.zeros(len(strokes), bool)
        for chain in drawing.chains:
            self._is_engraved[chain.strokes >> 1] = chain.operation not in CUTS
        middles = 0.5 * (strokes.points[strokes.starts[:-1]] + strokes.points[strokes.starts[1:] - 1])
        groups, self._tile_of = _grouped(middles, drawing)
        self._tiles = [_Tile(members) for members in groups]
        self._waiting = self._tiles[::-1]
        self.show_zoom(zoom_of(self._board))
        self._tile_fill()

    @property
    def is_whole(self) -> bool:
        """True if the whole drawing is in tiles."""
        return not self._waiting and not self._waiting_fill

    def finish(self) -> None:
        """Put the rest into tiles at once; for pictures and tests."""
        while not self.is_whole:
            self._paint_some()

    def _go_on(self) -> None:
        """Put the next strokes into tiles, and more in the next turn of the event loop."""
        self._is_going_on = False
        self._paint_some()
        if not self.is_whole:
            self._is_going_on = True
            QTimer.singleShot(0, self._scene, self._go_on)

    def _paint_some(self) -> None:
        count = 0
        while self._waiting and count < AT_ONCE:
            tile = self._waiting.pop()
            self._paint_tile(tile)
            count += len(tile.members)
        while self._waiting_fill and count < AT_ONCE:
            fill = self._waiting_fill.pop()
            fill.item.fill_paths(self._tinted(fill.members, self._tiled))
            count += len(fill.members)

    def _paint_tile(self, tile: _Tile, within: QRectF | None = None) -> None:
        """Give a tile the paths of its strokes; with `within`, only that part of a painted tile has changed."""
        strokes = self._tiled.strokes
        shown = tile.members
        if tile.hidden:
            shown = shown[~np.isin(shown, list(tile.hidden))]
        if not tile.items:
            heights = [CUT_Z, DRAFT_Z] + [ENGRAVED_Z] * bool(self._is_engraved[tile.members].any())
            tile.items = tuple(PathItem(z) for z in heights)
            tile.items[1].setVisible(self.is_draft)
            self._keep_pixels(tile)
            for item in reversed(tile.items):
                self._scene.addItem(item)
        cut, draft, *others = tile.items
        for item in others:
            engraved = self._is_engraved[shown]
            # A paler pen would be lost on a picture.
            pen = paper_pen if self._has_picture else engraved_pen
            item.show_path(paths.curved(strokes.chosen(shown[engraved])), pen, halo=self._halo, within=within)
            cut.show_path(paths.curved(strokes.chosen(shown[~engraved])), self._pen, halo=self._halo, within=within)
        if not others:
            cut.show_path(paths.curved(strokes.chosen(shown)), self._pen, halo=self._halo, within=within)
        drawn = self._inner(shown)
        make, bounds = partial(paths.chords, strokes, drawn), _box(strokes, drawn)
        draft.show_later(make, bounds, draft_pen, self._draft_zoom(), within)

    def _inner(self, strokes: Ints) -> Ints:
        """The strokes that are not on the border, whose straight lines would only lie on or cut across it."""
        return strokes[~self._is_rim[strokes]]

    def _draft_zoom(self) -> float:
        area = self.drawing.width * self.drawing.height / max(1, len(self.drawing.pieces))
        return float(LEAST_CELL_PIXELS / np.sqrt(area))

    def _lift(self, lifted: Ints, tiled: Drawing, touched: Ints) -> None:
        """Take strokes out of the tiles and draw them above; repaint the tiles that gained or lost one."""
        is_same, self._tiled = tiled is self._tiled, tiled
        self._lifted = lifted if not len(lifted) else distinct(np.concatenate([lifted, self._lifted]))
        hidden = self._above = self._lifted
        self._repaint(touched, is_same=is_same)
        rim = touched[self._is_rim[touched]]
        if len(rim):
            self._moved_border = self._moved_border.united(around(tiled.strokes.chosen(rim).points))
        self._show_live(hidden)
        if not self.is_filled or not len(touched) or not self._fill_tiles:
            return
        self.finish()
        faces = self._faces_at(self._lifted)
        for number in distinct(self._fill_tile_of[self._faces_at(touched)]).tolist():
            tile = self._fill_tiles[number]
            shown = tile.members[~np.isin(tile.members, faces)]
            tile.item.fill_paths(self._tinted(shown, self._tiled))

    def _repaint(self, touched: Ints, *, is_same: bool) -> None:
        """Repaint the tiles of `touched` strokes without lifted ones; if the strokes are the same, only around them."""
        # A tile that still waits is painted twice.
        hidden = self._lifted
        for number in distinct(self._tile_of[touched]).tolist():
            tile = self._tiles[number]
            tile.hidden = frozenset(hidden[self._tile_of[hidden] == number].tolist())
            own = touched[self._tile_of[touched] == number]
            self._paint_tile(tile, around(self._tiled.strokes.chosen(own).points) if is_same else None)

    @property
    def _has_tiled_strokes(self) -> bool:
        """True if the drawing has exactly the strokes of the tiles, perhaps moved."""
        drawing, tiled = self.drawing, self._tiled
        return drawing.pieces.codes is tiled.pieces.codes and len(drawing.strokes) == len(tiled.strokes)

    def _show_other(self) -> bool:
        """Show a drawing of other strokes: shared strokes stay in the tiles, new ones lie above them.

        Returns False if too few are shared, if pieces are filled, or if only one of both drawings lies on paper.
        """
        drawing, tiled = self.drawing, self._tiled
        if self.is_filled or self._is_on_paper(drawing) != self._board.is_paper:
            return False
        known = drawing.strokes.found_in(tiled.strokes)
        above = np.flatnonzero(known < 0)
        is_gone = np.ones(len(tiled.strokes) + 1, bool)
        is_gone[known] = False
        lifted = np.flatnonzero(is_gone[:-1])
        if len(lifted) > len(tiled.strokes) // 4 or len(above) > len(tiled.strokes) // 4:
            return False
        touched = np.setxor1d(lifted, self._lifted)
        self._lifted, self._above = lifted, above
        self._repaint(touched, is_same=True)
        moved = around(tiled.strokes.chosen(lifted[_borders(tiled)[lifted]]).points)
        self._moved_border = self._moved_border.united(moved)
        self._show_live(above)
        return True

    def _show_live(self, lifted: Ints) -> None:
        """Draw the strokes being dragged, and the board itself if its border is among them."""
        self._live.show_path(paths.curved(self.drawing.strokes.chosen(lifted)), self._pen, halo=self._halo)
        if self.is_draft:
            above = self._above
            drafted = self._inner(above) if above is self._lifted else above[~_rims(self.drawing)[above]]
            self._live_draft.show_path(paths.chords(self.drawing.strokes, drafted), draft_pen, self._draft_zoom())
        if self.is_filled:
            self._live_fill.fill_paths(self._tinted(self._faces_at(lifted), self.drawing))
        is_rim = self._is_rim if self._has_tiled_strokes else _borders(self.drawing)
        rim = lifted[is_rim[lifted]]
        if not self._moved_border.isNull() or len(rim):
            now = around(self.drawing.strokes.chosen(rim).points)
            self._board.show_board(outline(self.drawing), self._moved_border.united(now))
            self._moved_border = now

    def _faces_at(self, strokes: Ints) -> Ints:
        pieces = self.drawing.pieces
        return distinct(pieces.owners[np.isin(pieces.codes >> 1, strokes)])

    def _tile_fill(self) -> None:
        for tile in self._fill_tiles:
            self._scene.removeItem(tile.item)
        self._fill_tiles, self._waiting_fill = [], []
        drawing = self._tiled
        if not self.is_filled or len(self._colours) != len(drawing.pieces):
            self._live_fill.fill_paths([])
            self._start()
            return
        strokes, pieces = drawing.strokes, drawing.pieces
        begins = strokes.points[strokes.starts[pieces.codes[pieces.starts[:-1]] >> 1]]
        groups, self._fill_tile_of = _grouped(begins, drawing)
        for members in groups:
            tile = _FillTile(members, PathItem(FILL_Z))
            self._fill_tiles.append(tile)
            self._scene.addItem(tile.item)
        self._waiting_fill = self._fill_tiles[::-1]
        self._start()

    def _start(self) -> None:
        """Put the first strokes into tiles now."""
        if self._is_going_on:
            self._paint_some()
        else:
            self._go_on()

    def _tinted(self, faces: Ints, drawing: Drawing) -> list[tuple[QPainterPath, Fill]]:
        pieces = drawing.pieces
        result: list[tuple[QPainterPath, Fill]] = []
        for tint in distinct(self._colours[faces]).tolist():
            same = faces[self._colours[faces] == tint]
            if len(same):
                rings = same
                if len(pieces.holes):
                    rings = np.flatnonzero(np.isin(pieces.ring_owners, same))
                sizes = pieces.rings[rings + 1] - pieces.rings[rings]
                codes = pieces.codes[ranges(pieces.rings[rings], sizes)]
                outlines = drawing.strokes.joined(codes, np.concatenate([[0], np.cumsum(sizes)]))
                result.append((paths.curved(outlines), partial(_tint, tint)))
        return result


def _tint(number: int, theme: Theme) -> QColor:
    return theme.pieces[number]


def outline(drawing: Drawing) -> QPainterPath:
    """The board's own outline: its border and the rims of its holes; without a border, its rectangle."""
    rims = drawing.pieces.rims
    border = [
        chain
        for chain in drawing.chains
        if chain.closed and (chain.operation is Operation.BORDER or rims.issuperset((chain.strokes >> 1).tolist()))
    ]
    line = QPainterPath()
    for path in replace(drawing, chains=tuple(border)).paths() if border else ():
        line.addPath(paths.curved(Curves.from_strokes([path.points])))
    if not border:
        line.addRect(0, 0, drawing.width, drawing.height)
    line.addPath(paths.curved(drawing.open_holes))
    return line


def _box(strokes: Curves, chosen: Ints) -> QRectF:
    """Bounding rectangle of the ends of chosen strokes; null if empty."""
    return around(strokes.points[np.concatenate([strokes.starts[:-1][chosen], strokes.starts[1:][chosen] - 1])])


def _borders(drawing: Drawing) -> NDArray[np.bool_]:
    """Mask of the strokes with a piece on one side only."""
    return np.asarray(np.bincount(drawing.pieces.codes >> 1, minlength=len(drawing.strokes)) == 1)


def _rims(drawing: Drawing) -> NDArray[np.bool_]:
    """Mask of the strokes without a draft: the border, holes, figures, letters and other lines."""
    mask = np.zeros(len(drawing.strokes), bool)
    for chain in drawing.chains:
        if chain.operation is not Operation.INNER or chain.bounds_void:
            mask[chain.strokes >> 1] = True
    return mask


def _side(drawing: Drawing) -> float:
    """The side of a tile in mm."""
    return float(np.sqrt(PIECES_A_TILE * drawing.width * drawing.height / max(1, len(drawing.pieces))))


def _grouped(places: Floats, drawing: Drawing) -> tuple[list[Ints], Ints]:
    """Members of every tile, and tile of every member, by their places (n, 2)."""
    column, row = np.floor(np.clip(places, 0, None) / _side(drawing)).astype(np.int64).T
    square = row * 100_000 + column
    order = np.argsort(square, kind="stable")
    begins = np.flatnonzero(np.diff(square[order])) + 1
    tile = np.empty(len(order), np.int64)
    tile[order] = np.searchsorted(begins, np.arange(len(order)), side="right")
    return np.split(order, begins), tile
