"""A game of a jigsaw: pieces scattered, moved, snapped together right and wrong, and taken apart again."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files import store
from studio.puzzles.abilities.playable import RESTART, Log, Playable
from studio.puzzles.jigsaw.fits.false_fits import false_fits
from studio.puzzles.jigsaw.game import by_text, hint, off_text, piece_text, position_text, wrong
from studio.puzzles.jigsaw.game_positions import (
    FREE,
    QUARTERS,
    TURNS,
    UPRIGHT,
    Cluster,
    Game,
    GameOptions,
    Part,
    PiecePose,
    placed,
    rotation,
    terms_of,
)
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.snapping import landing, misplaced
from tests.depth import examples

PLAYED: Playable[JigsawDesign, Game] = JIGSAW.need(Playable)
SMALL = JigsawDesign(JigsawParameters(width=100.0, height=75.0, columns=4, rows=3))
REGULAR = JigsawDesign(
    JigsawParameters(
        width=120.0, height=120.0, columns=4, rows=4, perturbation=0.0, vary_size=0.0, vary_place=0.0, vary_depth=0.0,
        vary_slant=0.0, vary_neck=0.0,
    )
)  # fmt: skip
"""Most of its edges fit one another."""
BOARDS = {
    "grid": SMALL,
    "rings": JigsawDesign(JigsawParameters(outline="ellipse", width=120.0, height=120.0, tiling="rings")),
    "wavy": JigsawDesign(JigsawParameters(width=90.0, height=90.0, columns=3, rows=3, border="wandering")),
    "straight": JigsawDesign(JigsawParameters(width=90.0, height=60.0, columns=3, rows=2, plain_share=1.0)),
    "merged": JigsawDesign(JigsawParameters(width=100.0, height=75.0, columns=4, rows=3), merged=("B1-B2", "C2-D2")),
}


def start(design: JigsawDesign = SMALL, *target: str) -> Game:
    return PLAYED.start(design, target)


def played(game: Game, *texts: str, design: JigsawDesign = SMALL) -> Game:
    for text in texts:
        game = PLAYED.move(design, game, text)
    return game


def at(game: Game, name: str, right: float = 0.0, down: float = 0.0) -> str:
    """The move that brings a piece to its place on the board, or beside it."""
    x, y = game.table.middle(game.table.numbers[name])
    return position_text(name, x + right, y + down)


def names(game: Game, piece: str) -> list[str]:
    """The pieces joined to one, and itself."""
    return [game.table.names[each] for each in game.cluster_of(game.table.numbers[piece]).members]


def lying(game: Game, piece: int) -> shapely.Polygon:
    """The outline of a piece where it lies, by shapely's own turning and shifting."""
    pose = game.cluster_of(piece).pose_of(piece)
    turned = shapely.affinity.rotate(game.table.halves.outlines[piece], pose.turn, origin=(0, 0))
    return shapely.affinity.translate(turned, pose.x, pose.y)


def hinted(design: JigsawDesign, game: Game) -> Game:
    while not PLAYED.done(design, game):
        game = PLAYED.move(design, game, hint(design, game, SILENT).move)
    return game


# The start


@pytest.mark.parametrize("rotation_", TURNS)
@pytest.mark.parametrize("board", BOARDS)
def test_scattered_pieces_lie_on_the_table_beside_one_another_and_beside_the_board(board: str, rotation_: str) -> None:
    game = start(BOARDS[board], f"rotation={rotation_}", "seed=5")
    left, top, width, height = game.table.box
    drawing = game.table.halves.shapes.drawing
    outlines = [lying(game, piece) for piece in range(len(game.table.names))]
    for outline, area in zip(outlines, drawing.piece_areas, strict=True):
        assert outline.area == pytest.approx(area, rel=1e-3)
        assert shapely.box(left, top, left + width, top + height).contains(outline)
        assert not shapely.box(0, 0, drawing.width, drawing.height).intersects(outline)
    tree = shapely.STRtree(outlines)
    one, other = tree.query(outlines, predicate="intersects")
    assert (one == other).all()
    assert game.count == game.singles == len(outlines)


def test_a_seed_scatters_the_pieces_in_one_way_and_another_seed_in_another() -> None:
    assert start() == start() != start(SMALL, "seed=2")
    assert start(SMALL, f"rotation={UPRIGHT}") == start()
    turns = {part.pose.turn for cluster in start(SMALL, f"rotation={QUARTERS}").clusters for part in cluster.parts}
    assert turns <= {0.0, 90.0, 180.0, 270.0} and len(turns) > 1


@pytest.mark.parametrize(
    "target",
    [("no cell",), ("seed=x",), ("speed=3",), ("seed=1", "seed=2"), ("clearance=9",), ("rotation=upside",), ("",)],
)
def test_what_are_no_terms_is_refused(target: tuple[str, ...]) -> None:
    with pytest.raises(StudioError, match=r"^[^\n]{1,200}\.$"):
        start(SMALL, *target)


def test_terms_are_the_target_that_they_are_read_from() -> None:
    assert GameOptions().target == () and terms_of(()) == GameOptions()
    terms = GameOptions(rotation=FREE, seed=12, clearance=0.2)
    assert terms_of(terms.target) == terms and terms.target == ("rotation=any", "seed=12", "clearance=0.2")


def test_a_single_piece_is_together_at_once() -> None:
    single = JigsawDesign(JigsawParameters(columns=1, rows=1))
    game = start(single)
    assert PLAYED.done(single, game) and not hint(single, game, SILENT).move
    assert names(played(game, "A1 20 20", design=single), "A1") == ["A1"]


# Poses


@given(
    one=st.tuples(st.floats(0, 360), st.floats(-500, 500), st.floats(-500, 500)),
    other=st.tuples(st.floats(0, 360), st.floats(-500, 500), st.floats(-500, 500)),
    point=st.tuples(st.floats(-500, 500), st.floats(-500, 500)),
)
def test_a_pose_after_another_moves_points_as_both_do(
    one: tuple[float, float, float], other: tuple[float, float, float], point: tuple[float, float]
) -> None:
    first, then = PiecePose(*one), PiecePose(*other)
    assert then.after(first).of(*point) == pytest.approx(then.of(*first.of(*point)), abs=1e-6)
    assert first.inverse.of(*first.of(*point)) == pytest.approx(point, abs=1e-6)
    assert placed(one[0], point, 3.0, 4.0).of(*point) == pytest.approx((3.0, 4.0), abs=1e-9)


def test_quarter_turns_are_exact() -> None:
    assert [rotation(90.0 * quarter) for quarter in range(5)] == [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)]


# Moves


def test_a_neighbour_that_comes_near_enough_snaps_exactly() -> None:
    game = played(start(), at(start(), "A1"))
    near = played(game, at(game, "B1", 2.0, -2.0))
    assert names(near, "B1") == ["A1", "B1"] and near.count == game.count - 1 and near.fooled == 0
    (part,) = near.cluster_of(0).parts
    assert part.pose == game.cluster_of(0).parts[0].pose
    far = played(game, at(game, "B1", 9.0))
    assert names(far, "B1") == ["B1"]
    assert names(played(game, at(game, "C3")), "C3") == ["C3"], "it touches nothing there"


def test_what_is_joined_moves_and_turns_together() -> None:
    game = start(SMALL, f"rotation={QUARTERS}")
    game = played(game, *(position_text(name, *game.table.middle(game.table.numbers[name]), 0.0) for name in
                          ("A1", "B1", "C1")))  # fmt: skip
    assert names(game, "A1") == ["A1", "B1", "C1"]
    before = [lying(game, piece) for piece in game.cluster_of(0).members]
    moved = played(game, "B1 40 60 90")
    after = [lying(moved, piece) for piece in moved.cluster_of(0).members]
    assert shapely.union_all(after).area == pytest.approx(shapely.union_all(before).area, rel=1e-9)
    bounds = shapely.union_all(after).bounds
    assert bounds[3] - bounds[1] > bounds[2] - bounds[0], "it is upright now"
    assert moved.cluster_of(0).pose_of(1).of(*moved.table.middle(1)) == pytest.approx((40, 60))


def test_a_piece_between_two_groups_joins_both() -> None:
    game = start()
    game = played(game, at(game, "A1"), at(game, "C1", 1.0, 1.0), at(game, "B1", -1.0))
    assert names(game, "B1") == ["A1", "B1", "C1"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Enter a move"), ("A1", "Enter a move"), ("A1 3", "Enter a move"), ("A1 3 4 5 6", "Enter a move"),
        ("A1 x 4", "Enter a move"), ("A1 B1 3 4", "Enter a move"), ("3 4", "Enter a move"), ("A1  3 4", "Enter a move"),
        ("A1 nan 4", "Enter a move"), ("A1 1e3 4", "Enter a move"), ("A1 by 3", "Enter a move"),
        ("Q9 3 4", "no piece 'Q9'"), ("A1 99999 0", "off the table"), ("A1 by 99999 0", "off the table"),
        ("A1 3 4 90", "do not turn"), ("A1 3 4 45", "by 90°"), ("A1 off 3 4", "not joined"), ("A1 by 0 0", "how far"),
    ],
)  # fmt: skip
def test_what_is_no_move_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        played(start(), text)


def test_a_piece_that_is_there_already_is_no_move() -> None:
    game = start()
    with pytest.raises(StudioError, match="already there"):
        played(game, piece_text(game, 3))


def test_several_move_together_and_do_not_snap() -> None:
    game = played(start(), at(start(), "A1", -30.0), at(start(), "B1", 30.0))
    moved = played(game, by_text(["B1", "C3"], -60.0, 0.0))
    for name in ("B1", "C3"):
        piece = game.table.numbers[name]
        was, now = (each.cluster_of(piece).pose_of(piece) for each in (game, moved))
        assert (now.x - was.x, now.y - was.y) == pytest.approx((-60.0, 0.0))
    assert moved.count == game.count


def test_a_piece_is_taken_off_and_what_it_held_comes_apart() -> None:
    game = start()
    game = played(game, at(game, "A1"), at(game, "B1"), at(game, "C1"))
    apart = played(game, off_text("B1", 60.0, 60.0))
    assert [names(apart, name) for name in ("A1", "B1", "C1")] == [["A1"], ["B1"], ["C1"]]
    assert apart.count == game.count + 2
    ring = played(game, at(game, "A2"), at(game, "B2"))
    assert names(played(ring, off_text("B1", 60.0, 70.0)), "A1") == ["A1", "A2", "B2"]
    assert names(played(ring, off_text("B1", 60.0, 70.0)), "C1") == ["C1"]


@pytest.mark.parametrize("rotation_", TURNS)
@pytest.mark.parametrize("board", BOARDS)
def test_hints_put_the_whole_board_together_in_its_place(board: str, rotation_: str) -> None:
    design = BOARDS[board]
    game = hinted(design, start(design, f"rotation={rotation_}"))
    (cluster,) = game.clusters
    assert cluster.size == len(game.table.names) and game.fooled == 0
    whole = shapely.union_all([lying(game, piece) for piece in cluster.members])
    assert whole.area == pytest.approx(game.table.halves.shapes.drawing.piece_areas.sum(), rel=1e-3)
    assert PLAYED.tally(design, game).startswith(f"{cluster.size} of {cluster.size} pieces joined")


# False fits


@cache
def fitting_pairs() -> list[tuple[int, int]]:
    """The pairs of halves of different cuts that are alike on the regular board, pieces upright."""
    halves = start(REGULAR).table.halves
    return [
        (one, other)
        for one in range(len(halves))
        for other in range(len(halves))
        if one // 2 != other // 2 and halves.pieces[one] != halves.pieces[other]
        and halves.ups[one] != halves.ups[other]
        and abs((halves.turns[one] - halves.turns[other] + 180) % 360 - 180) < 1
        and halves.is_alike(one, other, is_turned=False)
    ]  # fmt: skip


def laid_on(game: Game, one: int, other: int) -> str:
    """The move that lays one half of a cut on another one, both pieces upright."""
    halves = game.table.halves
    piece = int(halves.pieces[one])
    there = game.cluster_of(int(halves.pieces[other])).pose_of(int(halves.pieces[other]))
    by = np.array(there.of(*halves.middles[other].tolist())) - halves.middles[one]
    x, y = np.array(game.table.middle(piece)) + by
    return position_text(game.table.names[piece], float(x), float(y))


def test_pairs_of_halves_are_the_false_fits_of_the_board() -> None:
    shapes = shape(REGULAR, None, SILENT)
    fits = false_fits(shapes, GameOptions().clearance)
    halves = start(REGULAR).table.halves
    for row, count in enumerate(fits.others.tolist()):
        alike = {
            other
            for other in range(len(fits.edges))
            for is_turned in (False, True)
            if other != row and halves.is_alike(*(int(np.flatnonzero(halves.rows == each)[0]) for each in (row, other)),
                                                is_turned=is_turned)
        }  # fmt: skip
        assert len(alike) == count


def test_false_fits_snap_and_do_not_overlap() -> None:
    assert len(fitting_pairs()) > 20
    for one, other in fitting_pairs()[:40]:
        game = start(REGULAR)
        halves = game.table.halves
        piece, beside = int(halves.pieces[one]), int(halves.pieces[other])
        game = played(game, at(game, game.table.names[beside]), design=REGULAR)
        game = played(game, laid_on(game, one, other), design=REGULAR)
        assert game.fooled == 1 and {piece, beside} == {*game.cluster_of(piece).members}
        assert lying(game, piece).intersection(lying(game, beside)).area < 2 * 0.15 * 30
        assert wrong(game) and not PLAYED.done(REGULAR, game)
        assert not hint(REGULAR, game, SILENT).move, "what is wrong comes off first"


def test_an_edge_that_fits_nothing_does_not_snap() -> None:
    game = start(REGULAR)
    halves = game.table.halves
    pairs = {*fitting_pairs()}
    tried = 0
    for one in range(len(halves)):
        for other in range(len(halves)):
            is_level = abs((halves.turns[one] - halves.turns[other] + 180) % 360 - 180) < 1
            if one // 2 == other // 2 or halves.pieces[one] == halves.pieces[other] or (one, other) in pairs:
                continue
            if not is_level or tried > 40:
                continue
            tried += 1
            laid = played(game, laid_on(game, one, other), design=REGULAR)
            joined = laid.cluster_of(int(halves.pieces[one]))
            assert int(halves.pieces[other]) not in joined.members or laid.fooled == 0 or any(
                int(halves.pieces[mine]) in joined.members and int(halves.pieces[yours]) in joined.members
                for mine, yours in pairs
            )  # fmt: skip
    assert tried > 40


def test_a_false_fit_does_not_reach_into_a_third_piece() -> None:
    """In a gap between right pieces, only what overlaps none of them snaps."""
    game = start(REGULAR)
    around = [name for name in game.table.names if name != "B2"]
    for name in ("A2", "B1", "C2", "B3"):
        game = played(game, at(game, name), design=REGULAR)
    for name in ("A1", "C1", "A3", "C3"):
        game = played(game, at(game, name), design=REGULAR)
    ring = {game.table.numbers[name] for name in ("A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3")}
    assert {*game.cluster_of(0).members} == ring
    x, y = game.table.middle(game.table.numbers["B2"])
    for name in around:
        piece = game.table.numbers[name]
        if piece in ring:
            continue
        laid = played(game, position_text(name, x + 0.3, y + 0.3), design=REGULAR)
        if piece in laid.cluster_of(0).members:
            overlaps = [lying(laid, piece).intersection(lying(laid, each)).area for each in ring]
            assert max(overlaps) < 2.0 * (2 * 0.15 + 0.1) * 30


def test_swapped_pieces_are_told_when_all_is_joined_and_can_be_taken_off() -> None:
    edges = shape(REGULAR, None, SILENT).tiling
    straight = sorted(map(edges.edge_name, edges.graph.inner_edges.tolist()))
    design = replace(REGULAR, tongues=tuple(TongueEdit(name, plain=True, ruled=True) for name in straight))
    game = start(design)
    numbers = game.table.numbers
    sides = {name: game.table.middle(numbers[name]) for name in game.table.names}
    for name in game.table.names:
        if name not in ("B2", "C3"):
            game = played(game, position_text(name, *sides[name]), design=design)
    game = played(game, position_text("B2", *sides["C3"]), position_text("C3", *sides["B2"]), design=design)
    assert game.is_joined and game.fooled >= 2 and not PLAYED.done(design, game)
    assert [game.table.names[piece] for piece in wrong(game)] == ["B2", "C3"]
    assert PLAYED.tally(design, game) == "16 of 16 pieces joined, 2 in the wrong place"
    assert "B2 and C3" in hint(design, game, SILENT).words
    game = played(game, off_text("B2", -40.0, -40.0), off_text("C3", -40.0, 150.0), design=design)
    assert game.count == 3 and not wrong(game)
    game = played(game, position_text("B2", *sides["B2"]), position_text("C3", *sides["C3"]), design=design)
    assert PLAYED.done(design, game) and game.fooled >= 2


# Counted by hand: positions are what a search over all pairs finds


@given(data=st.data())
@settings(max_examples=examples(25))
def test_snapping_is_what_a_look_at_all_pairs_finds(data: st.DataObject) -> None:
    game = start(REGULAR)
    halves = game.table.halves
    one, other = data.draw(st.sampled_from([*fitting_pairs(), *((i, i ^ 1) for i in range(len(halves)))]))
    right, down = (data.draw(st.integers(-800, 800)) / 100 for _ in range(2))
    game = played(game, at(game, game.table.names[int(halves.pieces[other])]), design=REGULAR)
    piece = int(halves.pieces[one])
    _name, x, y = laid_on(game, one, other).split(" ")
    pose = placed(0.0, game.table.middle(piece), float(x) + right, float(y) + down)
    found = landing(game, Cluster((Part((piece,), pose),)))
    near = []
    for mine in np.flatnonzero(halves.pieces == piece).tolist():
        for yours in range(len(halves)):
            beside = int(halves.pieces[yours])
            if beside == piece:
                continue
            there = game.cluster_of(beside).pose_of(beside).of(*halves.middles[yours].tolist())
            gap = np.hypot(*np.subtract(pose.of(*halves.middles[mine].tolist()), there))
            fits = mine ^ 1 == yours or (mine, yours) in fitting_pairs()
            if fits and gap <= game.table.reach:
                near.append((gap, mine, yours))
    assert (found is not None) == bool(near)
    if found is not None:
        gap = next(gap for gap, mine, yours in near if (mine, yours) == (found.half, found.other))
        assert gap <= min(near)[0] + 0.25


# Saved games


def test_a_game_keeps_its_terms_in_its_file(tmp_path: Path) -> None:
    log: Log[Game] = PLAYED.begun(SMALL, ("rotation=quarters", "seed=3"))
    for _ in range(5):
        log = PLAYED.with_move(SMALL, log, hint(SMALL, log.game, SILENT).move)
    file = tmp_path / "mine.game"
    store.save_game(file, JIGSAW, SMALL, log)
    back = store.load_game(file, JIGSAW, SMALL)
    assert back.game == log.game and back.target == log.target and back.states == log.states
    other = JigsawDesign(replace(SMALL.parameters, seed=8))
    with pytest.raises(StudioError, match="another design"):
        store.load_game(file, JIGSAW, other)
    quieter = JigsawDesign(replace(SMALL.parameters, least_neck=3.0, thickness=5.0, tray=True, tray_rim=20.0))
    assert store.load_game(file, JIGSAW, quieter).states == log.states, (
        "limits, printing and a tray make no other pieces"
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"target": ["seed=-1"]}, "seed"), ({"target": ["rotation=any", "rotation=any"]}, "looks like seed=3"),
        ({"target": ["x" * 5000]}, "looks like seed=3"), ({"moves": ["A1 1 2", "Z99 1 2"]}, r"Move 2 .*no piece"),
        ({"moves": ["A1 1 2 3 4"]}, "Move 1"), ({"moves": ["A1 " + "9" * 5000 + " 2"]}, "Move 1"),
        ({"moves": [" ".join(["A1"] * 9000) + " by 1 2"]}, "Move 1|^$"),
    ],
)  # fmt: skip
def test_a_hostile_game_gets_a_sentence(change: dict[str, object], sentence: str) -> None:
    data = json.loads(store.dumps_game(JIGSAW, SMALL, PLAYED.begun(SMALL)))
    hostile = json.dumps(data | change | {"at": 0}).encode()
    try:
        store.loads_game(hostile, JIGSAW, SMALL)
    except StudioError as problem:
        import re

        assert re.search(sentence, str(problem)) and len(str(problem)) < 300
    else:
        assert "^$" in sentence


def test_a_long_game_shares_what_stays_the_same() -> None:
    design = JigsawDesign(JigsawParameters(width=500.0, height=500.0, columns=20, rows=20))
    log = PLAYED.begun(design)
    log = PLAYED.with_moves(design, log, [at(log.game, "A1"), "T20 -20 -20", "T20 -20 -30", RESTART])
    first, second, third = log.states[1:4]
    assert sum(row is other for row, other in zip(second.slots, third.slots, strict=True)) == len(third.slots) - 1
    assert first.table is second.table is log.states[4].table and log.states[4] == log.states[0]


def test_no_cluster_of_a_solved_board_is_misplaced() -> None:
    game = hinted(SMALL, start())
    assert misplaced(game, game.largest) == [] and PLAYED.done(SMALL, game)
