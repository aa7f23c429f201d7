"""Generated zigzaws: proven by a plain solver without tables, the same for the same seed, kept where edited."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.puzzles.zigzaw.generate import (
    _recoloured,
    carry,
    generate,
    proof,
    scheme_triples,
    triples_of,
    twins,
    unique,
)
from studio.puzzles.zigzaw.geometry import shape
from studio.puzzles.zigzaw.model import (
    LETTERS,
    Photo,
    ZigzawDesign,
    ZigzawParameters,
    colours,
    layout,
    matching,
    numbers,
    recoloured,
)
from studio.puzzles.zigzaw.piece_forms import Cube
from studio.solving.edges import UNKNOWN, Matching


def generated(**parameters: object) -> ZigzawDesign:
    return generate(ZigzawParameters(**parameters), Progress())  # type: ignore[arg-type]


def plainly_counted(known: Matching) -> int:
    """Solutions by recursion over the places, every piece held against every side; alike pieces are tried once."""

    def placed(place: int, board: dict[int, int], left: list[tuple[int, ...]]) -> int:
        if place == len(known.slots):
            return 1
        total = 0
        for piece in dict.fromkeys(left):
            shown = dict(zip(known.slots[place], piece, strict=True))
            if all(board.get(side, colour) == colour for side, colour in shown.items()):
                rest = list(left)
                rest.remove(piece)
                total += placed(place + 1, board | shown, rest)
        return total

    given = {side: colour for side, colour in enumerate(known.given) if colour != UNKNOWN}
    return placed(0, given, list(known.pieces))


def test_a_real_cube_allows_24_triples_each_a_turn_of_one() -> None:
    triples = scheme_triples(ZigzawParameters())
    assert len(set(triples)) == 24
    # White on top, green at the left and red at the right, as on the cubes that are sold, and turned about the corner.
    assert {"AEC", "ECA", "CAE"} <= set(triples) and "ACE" not in triples
    opposite = dict(zip("ABCDEF", "BADCFE", strict=True))
    assert all(opposite[one] not in triple for triple in triples for one in triple)
    assert {tuple(sorted(triple)) for triple in triples}.__len__() == 8, "a cube has eight corners"


@pytest.mark.sampled(5)
@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(40))
def test_a_generated_design_has_one_solution_which_a_plain_solver_confirms(seed: int) -> None:
    size = (3, 9)[seed % 2], (4, 5, 9)[seed % 3]
    design = generated(columns=size[0], rows=size[1], seed=seed, scheme="any" if seed % 4 == 3 else "real")
    assert plainly_counted(matching(design)) == 1
    assert proof(design, Progress()).count.solutions == 1 and not list(twins(design))


def test_the_border_alone_and_the_pieces_decide_every_face() -> None:
    design = generated(seed=2)
    known = matching(design)
    shown = {side for sides in known.slots for side in sides}
    assert {side for side, colour in enumerate(known.given) if colour != UNKNOWN} == set(
        layout(design.parameters).border
    )
    assert shown | set(layout(design.parameters).border) == set(range(len(colours(design))))


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("difficulty", "least", "most"), [("easy", 1.0, 1.5), ("normal", 4.0, 16.0), ("hard", 13.0, 80.0)]
)
@pytest.mark.parametrize("seed", range(4))
def test_a_difficulty_is_so_many_pieces_tried_for_each_place(
    difficulty: str, least: float, most: float, seed: int
) -> None:
    """The puzzle of 1982 has 81 different pieces, one solution, and needs 658 tries: 8.1 for each place."""
    design = generated(difficulty=difficulty, seed=seed)
    count = proof(design, Progress()).count
    assert count.solutions == 1 and count.complete and not list(twins(design))
    assert least <= count.nodes / 81 <= most


def test_a_number_of_different_cubes_goes_before_the_difficulty() -> None:
    assert generated(difficulty="hard", triples=9).cubes == generated(difficulty="easy", triples=9).cubes


def test_a_limit_on_triples_is_kept_and_makes_the_search_longer() -> None:
    few, all_of_them = generated(triples=6, seed=5), generated(seed=5, difficulty="easy")
    assert len(set(" ".join(few.cubes).split())) <= 6 and len(triples_of(few.parameters)) == 6
    assert proof(few, Progress()).count.nodes > proof(all_of_them, Progress()).count.nodes


def test_another_column_leaves_the_cubes_as_they_were() -> None:
    small, large = (generated(columns=columns, seed=4, difficulty="easy") for columns in (8, 9))
    same = [small.triples[cube] == large.triples[cube] for cube in small.triples]
    assert sum(same) >= len(same) - 4, "but for those that were drawn again"


def test_cubes_that_were_coloured_by_hand_outlive_another_seed_and_what_has_no_place_is_named() -> None:
    design = recoloured(recoloured(generated(), [(Cube(4, 3), "T")], 1), [(Cube(9, 9), "L")], 2)
    other = carry(ZigzawParameters(seed=77), design, Progress())
    assert other.dropped == () and other.design.own == ("C4", "I9")
    for name in other.design.own:
        cube = design.names[name]
        assert other.design.triples[cube] == design.triples[cube]
    assert other.design.cubes != design.cubes
    smaller = carry(ZigzawParameters(columns=6), design, Progress())
    assert smaller.dropped == ("I9",) and smaller.design.own == ("C4",)


def test_what_does_not_colour_changes_no_cube() -> None:
    design = generated(seed=6)
    for values in ({"edge": 12.0}, {"border": 20.0}, {"palette": "safe"}):
        after = carry(replace(design.parameters, **values), design, Progress()).design
        assert after.cubes == design.cubes


def test_the_repair_of_two_solutions_recolours_as_few_cubes_as_one() -> None:
    parameters = ZigzawParameters(scheme="any", colours=4)
    design = ZigzawDesign(parameters, (" ".join(["ABC"] * 11),) * 11)
    design = recoloured(design, [(Cube(4, 3), "T")], LETTERS.index("D"))
    assert proof(design, Progress()).count.solutions == 2
    mended = unique(design)
    after = proof(mended, Progress()).count
    assert (after.solutions, after.complete) == (1, True)
    assert sum(design.triples[cube] != mended.triples[cube] for cube in design.triples) == 1


def test_a_repair_that_can_prove_nothing_says_so() -> None:
    design = generated(triples=4, seed=1)
    assert not proof(design, Progress()).count.complete
    with pytest.raises(StudioError, match=r"^Recolouring a few cubes does not make .*; try another seed\.$"):
        unique(design)


def test_numbers_are_shuffled_and_each_there_once() -> None:
    found = numbers(generated())
    assert sorted(found.tolist()) == list(range(1, 82)) and found.tolist() != sorted(found.tolist())


@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (9, 9), (6, 11)])
def test_pieces_tile_the_hole_of_the_frame_by_shapely(columns: int, rows: int) -> None:
    design = generated(columns=columns, rows=rows)
    drawing = shape(design, None, Progress()).drawing
    rings = drawing.rings(drawing.polylines)
    polygons = shapely.polygons([shapely.linearrings(rings[number]) for number in range(len(rings))])
    pieces, whole, hole = polygons[:-2], polygons[-2], polygons[-1]
    assert len(pieces) == columns * rows
    # A rhombus of edge e and 60° has e² √3/2.
    assert np.allclose(shapely.area(pieces), 27 * 8.9**2 * np.sqrt(3) / 2)
    assert shapely.union_all(pieces).area == pytest.approx(shapely.area(pieces).sum()), "pieces do not overlap"
    assert shapely.symmetric_difference(shapely.union_all(pieces), hole).area < 1e-6, "nor leave a hole"
    assert whole.area == pytest.approx(drawing.width * drawing.height)


def test_a_board_all_by_hand_keeps_its_colours_and_numbers_through_another_seed_and_its_unknown_border() -> None:
    design = generated(columns=4, rows=4)
    every = {cube: triple for cube, triple in design.triples.items()} | {next(iter(design.triples)): "A.."}
    own = replace(design.with_triples(every, edited=True), numbers=tuple(range(16, 0, -1)))
    after = carry(replace(own.parameters, seed=99), own, Progress())
    assert after.dropped == () and after.design == replace(own, parameters=after.design.parameters)
    smaller = carry(replace(own.parameters, columns=3), own, Progress())
    assert smaller.design.numbers == () and len(smaller.dropped) > 0


def test_a_repair_tries_cubes_that_were_coloured_by_hand_last_and_keeps_the_tops_of_a_picture() -> None:
    design = recoloured(generated(columns=4, rows=4), [(Cube(1, 1), "T")], 2)
    cubes = [design.names[name] for name in ("A1", "B2", "C3")]
    tried = [
        next(cube for cube in cubes if other.triples[cube] != design.triples[cube])
        for other in _recoloured(design, cubes)
    ]
    assert tried.index(cubes[0]) == len(tried) - tried.count(cubes[0]) > 0
    pictured = replace(design, picture=Photo(b"any"))
    others = list(_recoloured(pictured, cubes))
    assert others and all(other.triples[cube][0] == design.triples[cube][0] for other in others for cube in cubes)
