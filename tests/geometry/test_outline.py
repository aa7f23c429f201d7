"""Corners slide on the outline: nearest places, strokes that follow it, and what is held on the board."""

from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.geometry.board.outline import Bow, Outline, Stretch, outline_of, rounded_rectangle
from studio.geometry.curves.strokes import Curves, Floats
from tests.depth import examples
from tests.geometry.nets import circle, ring_of

HEART = np.array([
    (50, 30), (50, 10), (85, 0), (95, 20), (105, 45), (70, 75), (50, 95), (30, 75), (-5, 45), (5, 20), (15, 0),
    (50, 10), (50, 30),
], float)  # fmt: skip
SQUARE = ring_of([(0, 0), (90, 0), (90, 90), (0, 90)])
OUTLINES = {
    "circle": outline_of([circle(40, (40, 40))]),
    "heart": outline_of([HEART]),
    "a square with a round hole": outline_of([SQUARE, circle(20, (45, 45))[::-1]]),
    "rectangle": rounded_rectangle(90, 60, 0),
    "rounded rectangle": rounded_rectangle(90, 60, 12),
    "stadium": rounded_rectangle(90, 60, 30),
}  # fmt: skip
outlines = pytest.mark.parametrize("outline", OUTLINES.values(), ids=OUTLINES)


def line(points: Floats) -> shapely.LineString:
    """Return control points as a fine line."""
    return shapely.linestrings(Curves.from_strokes([points]).flattened(1e-4).points)


def along(stretch: Stretch) -> Floats:
    """Return places all along a stretch."""
    last = float(len(stretch.points) // 3) if isinstance(stretch, Bow) else 90.0
    return stretch.at(np.unique(stretch.stations(stretch.at(np.linspace(0, last, 33)), np.zeros(2))))


@outlines
def test_an_outline_encloses_its_board(outline: Outline) -> None:
    known = {"circle": np.pi * 40**2, "rectangle": 5400, "rounded rectangle": 5400 - (4 - np.pi) * 144,
             "stadium": 5400 - (4 - np.pi) * 900, "a square with a round hole": 8100 - np.pi * 400}  # fmt: skip
    name = next(name for name, one in OUTLINES.items() if one is outline)
    if name in known:
        assert outline.region.area == pytest.approx(known[name], rel=1e-3)
    assert outline.region.is_valid and outline.region.bounds == pytest.approx(
        [*outline.box[0], *outline.box[1]], abs=0.02
    )


@outlines
def test_what_a_stretch_calls_inwards_leads_into_the_board(outline: Outline) -> None:
    for stretch in outline.stretches:
        places = along(stretch)[1:-1]
        inside = shapely.points(places + 0.5 * stretch.inward(places))
        assert shapely.contains(outline.region, inside).mean() > 0.9


@given(st.sampled_from(["circle", "heart"]), st.floats(-20, 120), st.floats(-20, 120))
def test_the_nearest_place_is_as_near_as_a_fine_line_has_one(name: str, x: float, y: float) -> None:
    outline = OUTLINES[name]
    for stretch in outline.stretches:
        assert isinstance(stretch, Bow)
        gap = float(np.hypot(*(stretch.nearest(np.array([[x, y]])) - [x, y])[0]))
        assert gap == pytest.approx(line(stretch.points).distance(shapely.Point(x, y)), abs=0.02)


@outlines
@settings(max_examples=examples(30, 500))
@given(st.floats(-30, 130), st.floats(-30, 130))
def test_a_place_is_held_on_the_board(outline: Outline, x: float, y: float) -> None:
    held = shapely.Point(outline.held(np.array([[x, y]]))[0])
    wanted = shapely.Point(x, y)
    assert outline.region.distance(held) < 1e-9
    if outline.region.contains(wanted):
        assert held == wanted
    else:
        # Nearest to the box first, and from there to the board.
        assert held.distance(wanted) <= 2 * outline.region.distance(wanted) + 1e-6


@pytest.mark.parametrize("name", ["circle", "heart", "a square with a round hole"])
def test_strokes_between_neighbours_cover_a_ring_once(name: str) -> None:
    outline = OUTLINES[name]
    length = 0.0
    for stretch in outline.stretches:
        assert isinstance(stretch, Bow)
        places = along(stretch)
        ends = [*pairwise(places)]
        if stretch.is_closed:
            ends.append((places[-1], places[0]))
        for first, second in ends:
            pair = np.stack([first, second])[None]
            (drawn,) = stretch.strokes(pair, pair, waves=False)
            assert drawn[0].tolist() == first.tolist() and drawn[-1].tolist() == second.tolist()
            assert (
                shapely.hausdorff_distance(line(drawn), line(stretch.points).intersection(line(drawn).buffer(0.01)))
                < 0.1
            )
            length += line(drawn).length
    assert length == pytest.approx(sum(line(outline.rings[at]).length for at in range(len(outline.rings))), rel=1e-4)


def test_a_corner_that_slides_past_its_neighbour_is_drawn_backwards_and_not_all_the_way_round() -> None:
    (stretch,) = OUTLINES["circle"].stretches
    pair, homes = stretch.at(np.array([0.5, 0.4]))[None], stretch.at(np.array([0.3, 0.6]))[None]
    (drawn,) = stretch.strokes(pair, homes, waves=False)
    assert line(drawn).length == pytest.approx(0.1 * 40 * np.pi / 2, rel=0.05)


def test_strokes_are_the_same_alone_and_among_others() -> None:
    for outline in OUTLINES.values():
        for stretch in outline.stretches:
            places = stretch.at(np.sort(np.random.default_rng(3).uniform(0.05, 0.95, 6)))
            pairs = np.stack([places[:-1], places[1:]], 1)
            for waves in (False, True):
                together = stretch.strokes(pairs, pairs, waves=waves)
                alone = [stretch.strokes(pair[None], pair[None], waves=waves)[0] for pair in pairs]
                assert [drawn.tolist() for drawn in together] == [drawn.tolist() for drawn in alone]


def test_a_wave_runs_inside_the_outline_from_one_depth_to_the_other_without_a_bend() -> None:
    (stretch,) = OUTLINES["circle"].stretches
    stations = np.array([0.3, 2.2])
    pair = stretch.at(stations, np.array([1.0, 4.0]))[None]
    (drawn,) = stretch.strokes(pair, stretch.at(stations)[None], waves=True)
    gaps = 40 - np.hypot(*(shapely.get_coordinates(line(drawn)) - 40).T)
    assert gaps[0] == pytest.approx(1.0, abs=0.02) and gaps[-1] == pytest.approx(4.0, abs=0.02)
    assert gaps.min() > 0.9 and gaps.max() < 4.1
    before, after = drawn[3:-1:3] - drawn[2:-2:3], drawn[4::3] - drawn[3:-1:3]
    turns = (before * after).sum(axis=1) / (np.hypot(*before.T) * np.hypot(*after.T))
    assert turns.min() > np.cos(np.radians(1))


def test_an_outline_is_divided_where_it_bends() -> None:
    assert [len(OUTLINES[name].stretches) for name in ("circle", "heart", "a square with a round hole")] == [1, 2, 5]
    assert sorted(OUTLINES["heart"].bends.tolist()) == [[50.0, 30.0], [50.0, 95.0]]


@pytest.mark.parametrize(
    ("rings", "said"),
    [
        ([ring_of([(0, 0), (40, 40), (40, 0), (0, 40)])], r"crosses itself at 20\.00, 20\.00 mm"),
        ([ring_of([(0, 0), (40, 0), (40, 40), (0, 40)]), circle(9, (40, 20))], "crosses itself at "),
        (
            [ring_of([(0, 0), (40, 0), (40, 40), (0, 40)])[:-3]],
            r"starts at 0\.00, 0\.00 mm and ends at 0\.00, 40\.00 mm",
        ),
    ],
)
def test_an_outline_that_is_open_or_crosses_itself_is_refused_with_the_place(rings: list[Floats], said: str) -> None:
    with pytest.raises(StudioError, match=said):
        outline_of(rings)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("waves", [False, True])
@pytest.mark.parametrize("name", ["rounded rectangle", "stadium", "rectangle"])
def test_a_side_is_drawn_between_any_two_of_its_places_and_the_same_backwards(name: str, waves: bool) -> None:
    side = OUTLINES[name].stretches[0]
    stations = np.unique(side.stations(np.linspace((0.0, 0.0), (90.0, 0.0), 31), np.zeros(2)))
    # The ends of the roundings are where a part of the side is empty.
    stations = np.unique(np.concatenate([stations, [12.0, 30.0, 60.0, 78.0]]))
    for depth in (0.0, 3.0):
        places = side.at(stations, depth)
        for first in places:
            for second in places:
                pairs = np.stack([[first, second], [second, first]])
                drawn, back = side.strokes(pairs, pairs, waves=waves)
                assert len(drawn) >= 4 and len(drawn) % 3 == 1
                assert (drawn[0] == first).all() and (drawn[-1] == second).all()
                assert np.allclose(back[::-1], drawn)
