"""A game of a zigzaw: pieces change places, wrong ones are named, hints keep what lies in some solution."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.puzzles.zigzaw.game import (
    NONE,
    Game,
    carry,
    contacts_of,
    done,
    essentials,
    fitting,
    hint,
    is_solved,
    mismatches,
    moved,
    off_text,
    pieces_of,
    placed_text,
    sketch,
    start,
    tally,
    tray,
)
from studio.puzzles.zigzaw.generate import generate, twins
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters, layout, matching, numbers
from studio.puzzles.zigzaw.piece_forms import BODIES, Cube
from studio.solving.edges import UNKNOWN, solutions


def generated(**parameters: object) -> ZigzawDesign:
    return generate(ZigzawParameters(**parameters), Progress())  # type: ignore[arg-type]


SMALL = generated(columns=4, rows=4, seed=3)


def solved(design: ZigzawDesign) -> Game:
    return Game(tuple(pieces_of(design).own.tolist()))


def played(design: ZigzawDesign, *texts: str) -> Game:
    game = start(design, ())
    for text in texts:
        game = moved(design, game, text)
    return game


def plain_mismatches(design: ZigzawDesign, game: Game) -> set[int]:
    """The sides that show two colours, piece by piece."""
    puzzle = matching(design)
    found: dict[int, set[int]] = {}
    own = dict(zip(numbers(design).tolist(), puzzle.pieces, strict=True))
    for side, colour in enumerate(puzzle.given):
        if colour != UNKNOWN:
            found.setdefault(side, set()).add(colour)
    for piece, sides in zip(game.placed, puzzle.slots, strict=True):
        for side, colour in zip(sides, own.get(piece, ()), strict=False):
            found.setdefault(side, set()).add(colour)
    return {side for side, colours in found.items() if len(colours) > 1}


def test_a_piece_from_the_tray_sends_the_one_that_lay_there_back() -> None:
    game = played(SMALL, "3 B2", "7 B2")
    assert game.place_of(7) == pieces_of(SMALL).places["B2"] and game.place_of(3) is None and game.count == 1


def test_two_pieces_on_the_board_change_places() -> None:
    game = played(SMALL, "3 B2", "7 C4", "3 C4")
    places = pieces_of(SMALL).places
    assert (game.place_of(3), game.place_of(7)) == (places["C4"], places["B2"])
    assert moved(SMALL, game, "3 B2") == played(SMALL, "3 B2", "7 C4")
    assert tray(moved(SMALL, game, off_text(3))) == tuple(piece for piece in range(1, 17) if piece != 7)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("17 C4", "There is no piece '17': pieces are numbered from 1 to 16."),
        ("0 C4", "There is no piece '0': pieces are numbered from 1 to 16."),
        ("03 C4", "There is no piece '03': pieces are numbered from 1 to 16."),
        ("3 E1", "The board has no place 'E1'."),
        ("3 c4", "The board has no place 'c4'."),
        ("3  C4", "The board has no place ' C4'."),
        ("3 B2", "Piece 3 is already there."),
        ("4 off", "Piece 4 is not on the board."),
        ("3", "Enter a move as piece and place, like '17 C4', or as '17 off'."),
    ],
)
def test_a_text_that_is_no_move_here_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(StudioError) as caught:
        moved(SMALL, played(SMALL, "3 B2"), text)
    assert str(caught.value) == sentence


def test_every_side_must_show_one_colour_the_lower_border_too() -> None:
    whole = solved(SMALL)
    assert done(SMALL, whole) and not done(SMALL, start(SMALL, ()))
    names = pieces_of(SMALL).names
    for place, piece in enumerate(whole.placed):
        assert not done(SMALL, whole.without(piece))
        for other in range(place + 1, 16):
            swapped = moved(SMALL, whole, placed_text(SMALL, piece, other))
            assert done(SMALL, swapped) == (not plain_mismatches(SMALL, swapped)), (names[place], names[other])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("seed", range(3))
def test_mismatches_are_those_of_a_plain_look_at_every_side_and_stand_on_its_face(body: str, seed: int) -> None:
    design = generated(columns=5, rows=4, seed=seed, body=body)
    pieces, contacts = pieces_of(design), contacts_of(design.parameters)
    order = np.random.default_rng(seed).permutation(20) + 1
    game = Game(tuple((order * (order % 3 > 0)).tolist()))
    seen = mismatches(contacts, pieces, game)
    assert set(contacts.sides[seen].tolist()) == plain_mismatches(design, game)
    assert not mismatches(contacts, pieces, solved(design)).any()
    cubes = list(design.triples)
    for side, spot in zip(contacts.sides.tolist(), contacts.spots.tolist(), strict=True):
        x, y = cubes[side // 3].origin
        hexagon = shapely.Polygon([(6, 4), (9, 7), (9, 13), (6, 16), (3, 13), (3, 7)])
        assert hexagon.covers(shapely.Point(spot[0] - x, spot[1] - y))


def test_what_fits_a_place_is_what_makes_no_mismatch_there() -> None:
    pieces = pieces_of(SMALL)
    game = played(SMALL, *(placed_text(SMALL, piece, place) for place, piece in enumerate(pieces.own[:6].tolist())))
    place = 6
    fits = fitting(pieces, game, place)
    for piece in tray(game):
        tried = moved(SMALL, game, placed_text(SMALL, piece, place))
        assert fits[piece] == (not plain_mismatches(SMALL, tried))
    assert fits[pieces.own[place]] and not fits[NONE]


def test_a_hint_names_wrong_pieces_first_and_then_lays_right_ones_to_the_end() -> None:
    own = pieces_of(SMALL).own.tolist()
    game = played(SMALL, placed_text(SMALL, own[0], 1), placed_text(SMALL, own[5], 5))
    said = hint(SMALL, game, Progress())
    assert said.pieces == (str(own[0]),) and not said.move
    assert said.words == f"Piece {own[0]} on B1 is in the wrong place."
    game = moved(SMALL, game, off_text(own[0]))
    while not done(SMALL, game):
        said = hint(SMALL, game, Progress())
        game = moved(SMALL, game, said.move)
    assert game == solved(SMALL) and hint(SMALL, game, Progress()).move == ""


def test_wrong_pieces_beyond_four_are_counted() -> None:
    own = pieces_of(SMALL).own.tolist()
    game = Game((*own[1:7], own[0], *[NONE] * 9))
    said = hint(SMALL, game, Progress())
    assert len(said.pieces) == 7 and said.words.endswith(" and 3 more are in the wrong place.")


def test_a_first_hint_is_about_a_place_that_few_pieces_fit() -> None:
    pieces = pieces_of(SMALL)
    game = start(SMALL, ())
    said = hint(SMALL, game, Progress())
    place = pieces.places[said.move.split(" ")[1]]
    counts = [int(fitting(pieces, game, each).sum()) for each in range(16)]
    assert counts[place] == min(counts)


def test_twins_may_lie_either_way_round() -> None:
    cubes = tuple(" ".join(["AEC"] * 6) if row < 4 else text for row, text in enumerate(SMALL.cubes))
    design = replace(SMALL, cubes=cubes)
    assert list(twins(design)), "cubes in the same colours make pieces that are alike"
    pieces, whole = pieces_of(design), solved(design)
    one, other = next(each for each in pieces.matching.members if len(each) > 1)[:2]
    swapped = moved(design, whole, placed_text(design, whole.placed[one], other))
    assert swapped != whole and done(design, swapped)
    assert hint(design, swapped.without(swapped.placed[5]), Progress()).move


def ambiguous() -> tuple[ZigzawDesign, Game]:
    """A design with several solutions, and one that is not its own."""
    for seed in range(60):
        p = ZigzawParameters(columns=4, rows=4, seed=seed, scheme="any", colours=3)
        design = generate(p, Progress())
        cubes = tuple(" ".join(["ABC"] * 6) if row < 3 else text for row, text in enumerate(design.cubes))
        design = replace(design, cubes=cubes)
        pieces = pieces_of(design)
        for found in solutions(pieces.matching, Progress(), most=16, nodes=10_000).found:
            if found != tuple(pieces.sorts[pieces.own].tolist()):
                left = {sort: list(members) for sort, members in enumerate(pieces.matching.members)}
                return design, Game(tuple(int(pieces.own[left[sort].pop()]) for sort in found))
    raise AssertionError("no seed has two solutions")


def test_with_several_solutions_the_one_that_keeps_what_lies_counts() -> None:
    design, other = ambiguous()
    assert is_solved(pieces_of(design), other)
    own = pieces_of(design).own.tolist()
    differs = next(
        place
        for place, piece in enumerate(other.placed)
        if pieces_of(design).sorts[piece] != pieces_of(design).sorts[own[place]]
    )
    game = other.without(other.placed[(differs + 1) % 16])
    said = hint(design, game, Progress())
    assert said.move and done(design, moved(design, game, said.move))


def test_a_position_is_told_in_numbers_and_lines() -> None:
    game = played(SMALL, "3 A1", "12 B2")
    assert tally(SMALL, game) == "2 of 16 pieces placed"
    assert sketch(SMALL, game).splitlines() == [" 3  .  .  .", "  . 12  .  .", " .  .  .  .", "  .  .  .  ."]


def test_pieces_stay_when_a_cube_is_recoloured_and_go_with_another_seed() -> None:
    game = played(SMALL, "3 A1", "12 B2")
    recoloured = SMALL.with_triples({Cube(2, 2): "AEC"}, edited=True)
    assert list(carry(SMALL, game, recoloured)) == ["3 A1", "12 B2"]
    assert list(carry(SMALL, game, generated(columns=4, rows=4, seed=4))) == []
    assert list(carry(SMALL, game, generated(columns=5, rows=4, seed=3))) == []


def test_only_what_makes_another_puzzle_makes_another_game() -> None:
    p = SMALL.parameters
    same = replace(SMALL, parameters=replace(p, palette="pastel", edge=12.0, border=20.0))
    assert essentials(same) == essentials(SMALL)
    assert essentials(replace(SMALL, numbers=tuple(range(1, 17)))) != essentials(SMALL)
    assert essentials(generated(columns=4, rows=4, seed=4)) != essentials(SMALL)


def test_the_largest_board_answers_at_once() -> None:
    design = generated(columns=40, rows=40, seed=1)
    places = layout(design.parameters).places
    game = played(design, "1 A1", "1600 AN40")
    assert game.count == 2 and len(game.placed) == len(places)
    assert len(mismatches(contacts_of(design.parameters), pieces_of(design), game)) > 1600
