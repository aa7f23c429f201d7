"""Holding tabs: where they are, what they hold, and that every file has them as gaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.exporting.formats import LASER
from studio.exporting.laser_files import write
from studio.exporting.options import Unreadable
from studio.exporting.writers.path_segments import ready
from studio.fabricate.cut_network import Network
from studio.fabricate.making import Making, made
from studio.fabricate.plan import Playback, plan, plans
from studio.fabricate.tabs import TabRule, Tabs, tabs_for, with_tabs
from studio.fabricate.workshop import Machine, Material
from studio.geometry.curves.strokes import Curves, Floats, split_at, through
from studio.geometry.planar.drawing import CUTS, Drawing
from tests.depth import examples
from tests.fabricate import boards

CLEAR = 1.0
LEAST_CUT = 0.3

Jigsaw = Callable[..., Drawing]
Lying = Callable[..., Drawing]
Contour = Callable[..., Floats]
FINE = 0.002


def tabs_round(drawing: Drawing) -> dict[str, int]:
    """How many tabs each piece has, counted along its outline."""
    tabs = set(drawing.tabs.tolist())
    pieces = drawing.pieces
    return {
        name: sum(code >> 1 in tabs for code in pieces.codes[begin:end].tolist())
        for name, begin, end in zip(pieces.names, pieces.starts[:-1], pieces.starts[1:], strict=True)
    }


def hangs_together(drawing: Drawing) -> bool:
    """Whether sheet and pieces are one where all that is cut is taken away: looked at as areas, not as a network."""
    lines = drawing.strokes.flattened(FINE)
    cuts = [lines[code >> 1] for chain in drawing.chains if chain.operation in CUTS for code in chain.strokes.tolist()]
    sheet = shapely.box(-20, -20, drawing.width + 20, drawing.height + 20)
    burnt = shapely.buffer(shapely.multilinestrings([shapely.linestrings(cut) for cut in cuts]), 0.05, cap_style="flat")
    parts = shapely.get_parts(shapely.difference(sheet, burnt))
    return int((shapely.area(parts) > 1).sum()) == 1


def test_every_piece_of_shared_lines_keeps_tabs_and_hangs_on_the_sheet(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(6, 4)
    for count in (1, 2, 4):
        found = plan(drawing, Machine(), None, tabs=TabRule(0.8, count))
        assert min(tabs_round(found.drawing).values()) >= count
        assert found.held == 24 and found.loose_cuts == 0 and found.largest_freed == 0
        assert hangs_together(found.drawing)
        assert drawing.cut_length - found.cut == pytest.approx(0.8 * found.tab_count, rel=1e-3)
    assert not hangs_together(plan(drawing, Machine()).drawing)


def test_one_tab_a_piece_is_as_few_as_can_hold_them_all(jigsaw: Jigsaw) -> None:
    assert plan(jigsaw(7, 5), Machine(), None, tabs=TabRule(0.5)).tab_count == 35


def test_a_board_whose_tabs_are_taken_away_is_whole_again(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(4, 3)
    held = plan(drawing, Machine(), None, tabs=TabRule(0.5, 2)).drawing
    assert held.piece_areas == pytest.approx(drawing.piece_areas, rel=1e-4)
    assert held.strokes.lengths.sum() == pytest.approx(drawing.strokes.lengths.sum(), rel=1e-6)
    lengths = held.strokes.lengths[held.tabs]
    assert lengths == pytest.approx(0.5, rel=2e-3)


def test_separate_outlines_have_their_tabs_evenly_round_them(lying: Lying, round_contour: Contour) -> None:
    found = plan(lying([round_contour(50, 50, 30)]), Machine(), None, tabs=TabRule(1.0, 4)).drawing
    ends = found.strokes.ends[found.tabs].mean(axis=1) - (50, 50)
    angles = np.sort(np.degrees(np.arctan2(ends[:, 1], ends[:, 0])) % 360)
    assert np.diff(np.append(angles, angles[0] + 360)) == pytest.approx([90] * 4, abs=4)
    assert len(found.chains) == 4 and not any(chain.closed for chain in found.chains)


def test_tabs_keep_off_corners_and_tight_curves(lying: Lying) -> None:
    square = through(np.array([(10.0, 10.0), (50, 10), (50, 50), (10, 50), (10, 10)]))
    found = plan(lying([square]), Machine(), None, tabs=TabRule(1.0, 7)).drawing
    ends = found.strokes.ends[found.tabs].reshape(-1, 2)
    corners = np.array([(10.0, 10.0), (50, 10), (50, 50), (10, 50)])
    apart = np.hypot(*np.moveaxis(ends[:, None] - corners, 2, 0))
    assert len(found.tabs) == 7 and apart.min() >= CLEAR - 1e-6


def test_tabs_along_each_cut_are_as_far_apart_as_asked(lying: Lying) -> None:
    long = through(np.array([(10.0, 10.0), (190, 10), (190, 90), (10, 90), (10, 10)]))
    found = plan(lying([long]), Machine(), None, tabs=TabRule(1.0, 1, 40.0))
    assert found.tab_count == round(2 * (180 + 80) / 40)


def test_a_piece_within_a_hole_is_held_too() -> None:
    board = boards.squares([(100.0, 100.0)], 80.0)
    board = boards.with_strokes(board, boards.ring(120, 120, 20), board.chains[0].operation, "inside", closed=True)
    found = plan(board, Machine(), None, tabs=TabRule(1.0))
    assert found.held == 2 and min(tabs_round(found.drawing).values()) == 1


def test_a_tab_wider_than_every_edge_is_refused_with_the_widest_that_fits(lying: Lying, contour: Contour) -> None:
    small = lying([contour([(10, 10), (16, 10), (16, 16), (10, 16)])])
    assert plan(small, Machine(), None, tabs=TabRule(5.0)).tab_count == 1
    with pytest.raises(StudioError, match=r"A 8 mm tab does not fit any edge of piece P1; the widest .* is 5\.3 mm\."):
        plan(small, Machine(), None, tabs=TabRule(8.0))


def test_too_many_tabs_for_a_piece_are_told(lying: Lying, contour: Contour) -> None:
    small = lying([contour([(10, 10), (16, 10), (16, 16), (10, 16)])])
    found = plan(small, Machine(), None, tabs=TabRule(2.0, 20))
    assert found.notes == ("There is room for fewer than 20 tabs on P1.",) and 1 < found.tab_count < 20


def test_a_kerf_that_burns_tabs_away_is_refused(jigsaw: Jigsaw) -> None:
    with pytest.raises(StudioError, match=r"A kerf of 0\.3 mm burns 0\.2 mm tabs away"):
        made(jigsaw(2, 2), Making(tabs="piece", tab_width=0.2, kerf=0.3), Machine(), Material())


@pytest.mark.parametrize("lines", ["shared", "separate"])
@pytest.mark.parametrize("suffix", [one.suffix for one in LASER.members])
def test_every_file_has_the_gaps_and_its_proof_counts_them(
    jigsaw: Jigsaw, tmp_path: Path, suffix: str, lines: str
) -> None:
    making = Making(lines=lines, tabs="piece", tab_width=1.0)
    result = made(jigsaw(3, 2), making, Machine(150, 100), Material())
    for number, each in enumerate(result.plans):
        report = write(each.drawing, tmp_path / f"sheet{number}{suffix}")
        assert report.tabs == each.tab_count > 0
        assert report.faces == report.pieces == len(each.drawing.pieces)
        assert report.cut_length == pytest.approx(each.cut, rel=5e-3)


def test_a_file_whose_tab_is_cut_through_is_found_out(jigsaw: Jigsaw) -> None:
    known = LASER.of(Path("a.svg"))
    held = ready(plan(jigsaw(3, 2), Machine(), None, tabs=TabRule(1.0)).drawing)
    options = known.options()
    whole = known.read(known.write(held, options), options)
    assert known.prove(whole, held, options, known.rounding).tabs == len(held.tabs)
    # The proof of another drawing, whose tabs are elsewhere.
    other = ready(plan(jigsaw(3, 2), Machine(), None, tabs=TabRule(1.2)).drawing)
    with pytest.raises(Unreadable):
        known.prove(whole, other, options, known.rounding)
    moved = replace(held, tabs=np.array([int(held.chains[0].strokes[0]) >> 1]))
    with pytest.raises(Unreadable, match="is cut through"):
        known.prove(whole, moved, options, known.rounding)


def test_all_orders_have_the_same_tabs_and_none_lets_a_piece_fall(jigsaw: Jigsaw) -> None:
    found = plans(jigsaw(5, 4), Machine(), tabs=TabRule(0.5, 2))
    assert len(found) == 4 and len({one.tab_count for one in found}) == 1
    for one in found:
        assert one.travel >= one.lower_bound - 1e-6 and one.held == 20
        playback = Playback(one)
        assert playback.at(playback.seconds).fallen == 0


@settings(max_examples=examples(25))
@given(
    columns=st.integers(1, 4),
    rows=st.integers(1, 4),
    cell=st.floats(8.0, 40.0),
    width=st.floats(0.1, 3.0),
    count=st.integers(1, 4),
    spacing=st.sampled_from([0.0, 15.0, 60.0]),
)
def test_whatever_the_board_each_piece_is_held(
    columns: int, rows: int, cell: float, width: float, count: int, spacing: float
) -> None:
    drawing = replace_size(boards.jigsaw(columns, rows), cell / 25)
    network = Network.from_drawing(drawing)
    tabs = tabs_for(network, TabRule(width, count, spacing))
    held = with_tabs(drawing, tabs)
    assert len(held.tabs) == len(tabs)
    assert_apart(tabs)
    least = 1 if spacing or tabs.notes else count
    assert min(tabs_round(held).values()) >= least
    assert plan(held, Machine(), None).held == columns * rows


def replace_size(drawing: Drawing, factor: float) -> Drawing:
    """A drawing of another size."""
    strokes = Curves(drawing.strokes.points * factor, drawing.strokes.starts)
    return replace(drawing, width=drawing.width * factor, height=drawing.height * factor, strokes=strokes)


def assert_apart(tabs: Tabs) -> None:
    for stroke in np.unique(tabs.strokes).tolist():
        steps = np.diff(tabs.places[tabs.strokes == stroke])
        assert (steps >= tabs.width + LEAST_CUT - 1e-9).all()


@settings(max_examples=examples(20, 500))
@given(st.lists(st.floats(0.001, 0.999), min_size=1, max_size=6, unique=True), st.integers(0, 10**6))
def test_a_stroke_is_split_where_asked_and_its_parts_are_the_same_curve(shares: list[float], seed: int) -> None:
    points = np.random.default_rng(seed).uniform(0, 40, (10, 2))
    whole = Curves.from_strokes([points])
    fine = whole.flattened(1e-4)
    length = float(fine.lengths[0])
    wanted = np.sort(np.array(shares)) * length
    parts = split_at(points, wanted)
    assert [part[0].tolist() for part in parts[1:]] == [part[-1].tolist() for part in parts[:-1]]
    assert parts[0][0].tolist() == points[0].tolist() and parts[-1][-1].tolist() == points[-1].tolist()
    lengths = Curves.from_strokes(parts).flattened(1e-4).lengths
    assert np.cumsum(lengths)[:-1] == pytest.approx(wanted, abs=2e-3 * length)
    lines = Curves.from_strokes(parts).flattened(1e-4)
    joined = shapely.multilinestrings([shapely.linestrings(lines[part]) for part in range(len(lines))])
    assert shapely.hausdorff_distance(shapely.linestrings(fine.points), joined) < 0.02


@pytest.mark.parametrize("width", [0.3, 0.5, 2.0])
@pytest.mark.parametrize("rule", [{"count": 50}, {"count": 1, "spacing": 1.0}])
def test_three_tenths_of_a_millimetre_are_cut_between_a_tab_and_every_corner_and_tab(
    contour: Contour, lying: Lying, width: float, rule: dict[str, float]
) -> None:
    # One stroke round a square of 9 mm: its corners are 9, 18 and 27 mm along it, and its own ends 0 and 36 mm.
    drawing = lying([contour([(10, 10), (19, 10), (19, 19), (10, 19)])])
    tabs = tabs_for(Network.from_drawing(drawing), TabRule(width, **rule))  # type: ignore[arg-type]
    assert len(tabs) >= 4
    low, high = tabs.places - width / 2, tabs.places + width / 2
    for corner in (0.0, 9.0, 18.0, 27.0, 36.0):
        assert ((corner <= low - 0.2999) | (corner >= high + 0.2999)).all()
    assert (low[1:] - high[:-1] >= 0.2999).all()
    # The cuts that are left are as long as the rounds less the tabs.
    assert with_tabs(drawing, tabs).cut_length == pytest.approx(36.0 - width * len(tabs), abs=1e-3)
