"""Clicks, strokes and keys on a slitherlink, as gestures without a window."""

from __future__ import annotations

import pytest

from studio.base.progress import SILENT
from studio.puzzles.slitherlink.game import CROSS, INSIDE, LINE, OUTSIDE
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.gestures import EDGE, Hand, places_of
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.puzzles.slitherlink.model import SlitherlinkParameters
from tests.puzzles.player import Player, ways
from tests.puzzles.slitherlink.test_any_grid import DROP

SMALL = generate(SlitherlinkParameters(columns=7, rows=7, seed=2), SILENT)
NET, PLACES = SMALL.parameters.net, places_of(SMALL.parameters)
EDGES = [(x, y) for x, y in PLACES.ends.mean(axis=1).tolist()]
CELLS = [(x, y) for x, y in PLACES.middles.tolist()]


class Drawer(Player):
    def stroke(self, *dots: int, key: str = "") -> None:
        self.drag(*((x, y) for x, y in PLACES.dots[list(dots)].tolist()), key=key)

    def walk(self, spot: int) -> None:
        self.keys(*ways(self.hand.spot, lambda one, arrow: PLACES.spots.beside(one, *arrow))[spot])
        assert self.hand.spot == spot and self.hand.by_keys


@pytest.fixture
def player() -> Drawer:
    return Drawer(SLITHERLINK, SMALL, Hand(len(EDGES)))


def test_clicks_draw_and_clear_lines_and_crosses(player: Drawer) -> None:
    for at, key, after in (
        (20, "", {20: LINE}), (21, "right", {20: LINE, 21: CROSS}), (21, "", {20: LINE, 21: LINE}),
        (20, "right", {20: CROSS, 21: LINE}), (21, "", {20: CROSS}), (20, "right", {}),
    ):  # fmt: skip
        player.drag(EDGES[at], key=key)
        assert {edge: state for edge, state in enumerate(player.game.edges) if state} == after
    player.drag((-0.8 * EDGE, -0.8 * EDGE))
    assert player.log.count == 6, "far from all edges nothing is meant"
    x, y = (PLACES.ends[30].mean(axis=0) + 0.3 * (PLACES.ends[30, 1] - PLACES.ends[30, 0])[::-1]).tolist()
    player.act("hover", (x, y))
    assert player.hand.edges == (30,) and player.hand.cursor == "point"
    player.drag((x, y))
    assert player.game.lines == (30,), "and beside one, it is"


def test_a_stroke_is_one_move_taken_back_by_going_back_and_cleared_by_another(player: Drawer) -> None:
    player.stroke(0, 1, 2, 3, 2)
    lines = player.game.lines
    assert len(lines) == 2 and player.log.count == 1
    player.stroke(0, 1, 2)
    assert not player.game.lines, "along lines alone it clears them"
    player.stroke(0, 1, 2, key="right")
    assert player.game.crosses == lines
    player.act("press", EDGES[5])
    assert player.act("cancel") and not player.act("cancel")
    player.act("release", EDGES[5])
    assert player.log.count == 3, "Escape gives a stroke up"


def test_a_stroke_straight_across_a_cell_goes_round_it_and_a_fast_one_through_all_dots(player: Drawer) -> None:
    player.stroke(*NET.dots[24][::2])
    assert len(player.game.lines) == 2 and set(player.game.lines) <= set(NET.edges[24])
    player.stroke(8, 15)
    assert len(player.game.lines) == 9


def test_cells_are_shaded_by_the_middle_button_and_with_shift(player: Drawer) -> None:
    for shade in (INSIDE, OUTSIDE, 0):
        player.act("press", CELLS[24], key="middle")
        assert player.game.shades[24] == shade
    player.drag(*CELLS[7:11], shift=True)
    assert [*player.game.shades[7:11]] == [INSIDE] * 4 and player.log.count == 4


def test_keys_draw_cross_clear_and_shade_to_the_end(player: Drawer) -> None:
    player.walk(20)
    for count, (key, state) in enumerate((("cross", CROSS), ("clear", 0), ("inside", 0)), 1):
        player.keys(key)
        assert player.game.edges[20] == state and player.log.count == min(count, 2), "an edge has no shade"
    player.walk(len(EDGES) + 16)
    for key, shade in (("inside", INSIDE), ("outside", OUTSIDE), ("outside", 0), ("space", INSIDE), ("clear", 0)):
        player.keys(key)
        assert player.game.shades[16] == shade
    player.keys("cross")
    assert player.log.count == 7, "a cell has no cross"
    for number, edge in enumerate(SMALL.line):
        assert not player.is_solved
        player.walk(edge)
        player.keys("space" if number % 2 else "enter")
    assert player.is_solved


@pytest.mark.parametrize("grid", ["square rectangle", "hexagon rectangle", "triangle rectangle", "voronoi heart",
                                  "rings ellipse", "bricks rectangle", "hand-cut arch", "square file"])  # fmt: skip
def test_every_edge_and_cell_of_any_grid_is_taken_by_mouse_and_arrows_and_a_stroke_keeps_to_its_dots(grid: str) -> None:
    grid, outline = grid.split()
    path = (DROP,) if outline == "file" else ()
    p = SlitherlinkParameters(grid=grid, outline=outline, columns=7, rows=7, seed=4, symmetry="none", path=path)
    design = generate(p, SILENT)
    places, net = places_of(design.parameters), design.parameters.net
    edges, cells = places.ends.mean(axis=1).tolist(), places.middles.tolist()
    assert [places.edge_at(x, y) for x, y in edges] == [*range(len(edges))]
    assert [places.cell_at(x, y) for x, y in cells] == [*range(len(cells))]
    assert len(ways(0, lambda one, arrow: places.spots.beside(one, *arrow))) == len(edges) + len(cells)
    player, loop = Player(SLITHERLINK, design, Hand()), net.loops(design.line)[0]
    half, dots = len(loop) // 2, [next(dot for dot in net.ends[loop[0]] if dot not in net.ends[loop[1]])]
    for edge in loop[:half]:
        dots.append(sum(net.ends[edge]) - dots[-1])
    player.drag(*((x, y) for x, y in places.dots[dots].tolist()))
    assert player.game.lines == tuple(sorted(loop[:half])), "a stroke goes through no dot beside it"
    for edge in loop[half:]:
        player.drag(tuple(edges[edge]))
    assert player.is_solved
