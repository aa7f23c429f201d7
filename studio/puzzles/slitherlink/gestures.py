"""Gestures on a slitherlink at play: clicks, strokes along the dots and keys become moves.

Places are in units of the scene: the edge of a cell is EDGE long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import ceil

import numpy as np

from studio.geometry.board.grids import Layout, grid
from studio.geometry.curves.strokes import Floats
from studio.puzzles.abilities.playable import ARROWS, Gesture, Reply
from studio.puzzles.slitherlink.game import BLANK, CROSS, INSIDE, LINE, OUTSIDE, UNKNOWN, Game, text_of
from studio.puzzles.slitherlink.geometry import cell_at
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters
from studio.solving.loops import Net

WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Steps down and across."""
NEAR = 2.5
"""Search radius for spots that the arrows would pass by, in edges."""
Step = tuple[int, int, int]
"""A spot, and a step from it down and across."""
EDGE = 20.0
REACH = 0.45 * EDGE
"""Catch radius of an edge."""
CATCH, CATCH_SHARE = 0.36 * EDGE, 0.4
"""Catch radius of a dot for strokes, also bounded by a share of the way to the nearest edge that does not end there."""
STEP = 0.2 * EDGE
"""Distance between two places of a stroke at which it looks for a dot."""
NEXT_SHADE = {BLANK: INSIDE, INSIDE: OUTSIDE, OUTSIDE: BLANK}
SHADES = {"inside": INSIDE, "outside": OUTSIDE}


@dataclass(frozen=True, eq=False)
class Spots:
    """Places of edges and cells for the keys to go through, edges first.

    With `edge`, the length of an edge, no spot is passed by: a spot that no step leads to is put on the way to another.
    """

    places: Floats
    edges: int
    edge: float | None = None

    @property
    def is_ready(self) -> bool:
        """True if all steps are known; otherwise the first step takes half a second on a large board."""
        return self.edge is None or "_detours" in self.__dict__

    def prepare(self) -> None:
        """Find all steps that do not lead to the nearest spot."""
        _ = self._detours

    def beside(self, spot: int, down: int, across: int) -> int:
        """The nearest spot in a direction; the same one at the rim."""
        known = self._detours.get((spot, down, across))
        if known is not None:
            return known
        cost = _costs(self.places - self.places[spot], down, across)
        found = int(np.argmin(cost))
        return found if np.isfinite(cost[found]) else spot

    @cached_property
    def _detours(self) -> dict[Step, int]:
        """Steps that do not lead to the nearest spot."""
        if self.edge is None:
            return {}
        table, detours = _steps(self.places, NEAR * self.edge), dict[Step, int]()
        while True:
            reached = _reached(table)
            missed = sorted({*range(len(self.places))} - {*reached})
            steps = [(spot, _step_to(self.places, reached, spot)) for spot in missed]
            found = [(spot, step) for spot, step in steps if step is not None]
            if not found:
                return detours
            for spot, (before, down, across) in found:
                after = table.get((before, down, across))
                detours[before, down, across] = table[before, down, across] = spot
                if after is not None:
                    detours[spot, down, across] = table[spot, down, across] = after


@lru_cache(maxsize=4)
def cell_spots(layout: Layout) -> Spots:
    """Spots of a layout's cells, without its edges."""
    return Spots(grid(layout).middles(1.0), 0, None if layout.is_regular else 1.0)


def _costs(away: Floats, down: int, across: int) -> Floats:
    """Cost (n,) of steps `away` (n, 2) in a direction: length plus twice the offset; infinite too far to a side."""
    along = away[:, 0] * across + away[:, 1] * down
    aside = np.abs(away[:, 0] * down - away[:, 1] * across)
    return np.asarray(np.round(np.where((along > 0.1) & (aside <= 1.8 * along), along + 2 * aside, np.inf), 6))


def _steps(places: Floats, near: float) -> dict[Step, int]:
    """The nearest place in every direction, within `near`."""
    import shapely

    points = shapely.points(places)
    here, there = shapely.STRtree(points).query(points, predicate="dwithin", distance=near)
    order = np.lexsort((there, here))
    here, there = here[order], there[order]
    begins = np.flatnonzero(np.diff(here, prepend=-1) > 0)
    away = places[there] - places[here]
    table: dict[Step, int] = {}
    for down, across in WAYS:
        cost = _costs(away, down, across)
        least = np.minimum.reduceat(cost, begins)
        best = np.flatnonzero(np.isfinite(cost) & (cost == np.repeat(least, np.diff(begins, append=len(cost)))))
        first = best[np.diff(here[best], prepend=-1) > 0]
        for spot, nearest in zip(here[first].tolist(), there[first].tolist(), strict=True):
            table[spot, down, across] = nearest
    return table


def _reached(table: Mapping[Step, int]) -> list[int]:
    """Spots that can be reached from the first by steps."""
    reached, todo = {0}, [0]
    while todo:
        here = todo.pop()
        for down, across in WAYS:
            other = table.get((here, down, across))
            if other is not None and other not in reached:
                reached.add(other)
                todo.append(other)
    return sorted(reached)


def _step_to(places: Floats, reached: list[int], spot: int) -> Step | None:
    """The cheapest step to a spot from a reached spot."""
    best: tuple[float, Step] | None = None
    for down, across in WAYS:
        cost = _costs(places[spot] - places[reached], down, across)
        at = int(np.argmin(cost))
        if np.isfinite(cost[at]) and (best is None or cost[at] < best[0]):
            best = float(cost[at]), (reached[at], down, across)
    return None if best is None else best[1]


@dataclass(frozen=True, eq=False)
class BoardPlaces:
    """Places on a board: dots (n, 2), middles of cells (c, 2), ends of edges (m, 2, 2), and places of the keys."""

    net: Net
    dots: Floats
    middles: Floats
    ends: Floats
    catches: Floats
    """Catch radii (n,) of the dots."""
    spots: Spots

    def edge_at(self, x: float, y: float) -> int | None:
        """The edge nearest to a place, or None if none is near."""
        place = np.array([x, y])
        start, way = self.ends[:, 0], self.ends[:, 1] - self.ends[:, 0]
        share = np.clip(((place - start) * way).sum(axis=1) / (way**2).sum(axis=1), 0, 1)
        foot = start + share[:, None] * way
        # Near a dot several edges are equally near; their middles decide.
        far = np.hypot(*(place - foot).T) + 0.05 * np.hypot(*(place - start - way / 2).T)
        found = int(np.argmin(far))
        return found if far[found] <= REACH + 0.05 * EDGE else None

    def dot_at(self, x: float, y: float) -> int | None:
        """The dot that a stroke passes at a place, or None if no dot is near."""
        far = np.hypot(self.dots[:, 0] - x, self.dots[:, 1] - y)
        found = int(np.argmin(far))
        return found if far[found] <= self.catches[found] else None

    def cell_at(self, x: float, y: float) -> int | None:
        """The cell around a place."""
        return cell_at(self.net, self.dots, self.middles, x, y)


def places_of(p: SlitherlinkParameters) -> BoardPlaces:
    """Return the places on the board of a slitherlink."""
    return _places(p.layout, p.net)


@lru_cache(maxsize=4)
def _places(layout: Layout, net: Net) -> BoardPlaces:
    form = grid(layout)
    dots, middles = form.corners(EDGE), form.middles(EDGE)
    ends = dots[form.edges]
    spots = Spots(np.concatenate([ends.mean(axis=1), middles]), len(ends), None if layout.is_regular else EDGE)
    return BoardPlaces(net, dots, middles, ends, np.minimum(CATCH, CATCH_SHARE * EDGE * form.clearances), spots)


@dataclass(frozen=True)
class Stroke:
    """A way along the dots; going back shortens it."""

    value: int
    """State that the stroke gives its edges: LINE or CROSS."""
    here: tuple[float, float]
    edge: int | None
    """The edge on which it began."""
    dots: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()

    def to(self, places: BoardPlaces, x: float, y: float) -> Stroke:
        """Go on to a place, through all dots between."""
        start, end, stroke = np.array(self.here), np.array([x, y]), self
        steps = max(1, ceil(np.hypot(*(end - start)) / STEP))
        for step in range(1, steps + 1):
            dot = places.dot_at(*(start + (end - start) * step / steps).tolist())
            if dot is not None:
                stroke = stroke._through(places, dot)
        return replace(stroke, here=(x, y))

    def _through(self, places: BoardPlaces, dot: int) -> Stroke:
        net = places.net
        if not self.dots:
            first = self.edge is not None and dot in net.ends[self.edge]
            return replace(self, dots=(sum(net.ends[self.edge or 0]) - dot if first else dot,))._through(places, dot)
        last = self.dots[-1]
        if dot == last:
            return self
        if dot in self.dots[-2:-1]:
            return replace(self, dots=self.dots[:-1], edges=self.edges[:-1])
        edge = next((edge for edge in net.stars[last] if dot in net.ends[edge]), None)
        if edge is not None:
            return replace(self, dots=(*self.dots, dot), edges=(*self.edges, edge))
        # Straight across a cell: through the dot nearest to the way.
        beside, other = ([sum(net.ends[edge]) - one for edge in net.stars[one]] for one in (dot, last))
        middle = (places.dots[dot] + places.dots[last]) / 2
        near = [each for each in beside if each in other]
        through = min(near, key=lambda each: float(np.hypot(*(places.dots[each] - middle))), default=None)
        return self if through is None else self._through(places, through)._through(places, dot)


@dataclass(frozen=True)
class Hand:
    """Place of the keys, an edge or a cell numbered after the edges; the mouse's stroke; and whatever is lit."""

    spot: int = 0
    by_keys: bool = True
    """True while the keys' cursor is shown."""
    edges: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    """Edges and cells that a click or the stroke would change."""
    stroke: Stroke | None = None
    shades: Mapping[int, int] = field(default_factory=dict)
    """Shade of every cell that a drag with Shift goes over."""

    @property
    def cursor(self) -> str:
        """Look of the mouse."""
        return "point" if self.edges or self.cells else ""


def interpret(design: SlitherlinkDesign, game: Game, hand: Hand, gesture: Gesture) -> Reply[Hand]:
    """Answer a gesture."""
    places, x, y = places_of(design.parameters), gesture.x, gesture.y
    free = replace(hand, edges=(), cells=(), stroke=None, shades={})

    def play(edges: Mapping[int, int], shades: Mapping[int, int]) -> Reply[Hand]:
        edges = {edge: value for edge, value in edges.items() if game.edges[edge] != value}
        shades = {cell: value for cell, value in shades.items() if game.shades[cell] != value}
        return Reply(free, text_of(design, edges, shades))

    def drawn(edges: tuple[int, ...], value: int) -> Reply[Hand]:
        """Draw edges, or clear them if all are drawn already."""
        clears = all(game.edges[edge] == value for edge in edges)
        return play(dict.fromkeys(edges, UNKNOWN if clears else value), {})

    match gesture.what, gesture.key:
        case "hover", _:
            edge, cell = (None, places.cell_at(x, y)) if gesture.shift else (places.edge_at(x, y), None)
            lit = replace(hand, edges=() if edge is None else (edge,), cells=() if cell is None else (cell,))
            return Reply(replace(lit, by_keys=False))
        case "press", "middle":
            cell = places.cell_at(x, y)
            return replace(play({}, {} if cell is None else {cell: NEXT_SHADE[game.shades[cell]]}), hand=hand)
        case "press", button:
            hand = replace(hand, by_keys=False)
            if button == "right" or not gesture.shift:
                dot, value = places.dot_at(x, y), CROSS if button == "right" else LINE
                dots = () if dot is None else (dot,)
                return Reply(replace(hand, stroke=Stroke(value, (x, y), places.edge_at(x, y), dots)))
            cell = places.cell_at(x, y)
            return Reply(hand if cell is None else replace(hand, shades={cell: NEXT_SHADE[game.shades[cell]]}))
        case "drag", _ if hand.stroke is not None:
            stroke = hand.stroke.to(places, x, y)
            return Reply(replace(hand, stroke=stroke, edges=stroke.edges, cells=()))
        case "drag", _ if hand.shades and (cell := places.cell_at(x, y)) is not None:
            shades = {**hand.shades, cell: next(iter(hand.shades.values()))}
            return Reply(replace(hand, shades=shades, edges=(), cells=tuple(shades)))
        case "release", _:
            if hand.stroke is None:
                return play({}, hand.shades)
            clicked = () if hand.stroke.edge is None else (hand.stroke.edge,)
            return drawn(hand.stroke.edges or clicked, hand.stroke.value)
        case "leave", _:
            return Reply(replace(hand, edges=(), cells=()))
        case "cancel", _:
            return Reply(free, is_used=hand.stroke is not None or bool(hand.shades))
        case "key", arrow if arrow in ARROWS:
            return Reply(
                replace(hand, spot=places.spots.beside(hand.spot, *ARROWS[arrow]), by_keys=True, edges=(), cells=())
            )
        case "key", key:
            edge, cell = (hand.spot, None) if hand.spot < len(places.ends) else (None, hand.spot - len(places.ends))
            reply = Reply(hand, is_used=key in ("space", "enter"))
            if edge is not None and key in ("space", "enter", "cross"):
                reply = drawn((edge,), CROSS if key == "cross" else LINE)
            elif edge is not None and key == "clear":
                reply = play({edge: UNKNOWN}, {})
            elif cell is not None and key in ("space", "enter"):
                reply = play({}, {cell: NEXT_SHADE[game.shades[cell]]})
            elif cell is not None and key == "clear":
                reply = play({}, {cell: BLANK})
            elif cell is not None and key in SHADES:
                reply = play({}, {cell: BLANK if game.shades[cell] == SHADES[key] else SHADES[key]})
            return replace(reply, hand=hand)
    return Reply(hand, is_used=False)
