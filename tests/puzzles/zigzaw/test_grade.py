"""How hard a zigzaw is beside others like it."""

from dataclasses import replace

import pytest

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.puzzles.zigzaw import generate as generating
from studio.puzzles.zigzaw import grade
from studio.puzzles.zigzaw.generate import generate, proof
from studio.puzzles.zigzaw.grade import ZigzawGrade, at_share, easier, effort, graded, harder, scale
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters, matching, recoloured
from studio.puzzles.zigzaw.piece_forms import Cube


def generated(**parameters: object) -> ZigzawDesign:
    return generate(ZigzawParameters(**parameters), Progress())  # type: ignore[arg-type]


DESIGN = generated(columns=6, rows=6, triples=7, seed=1)


def test_the_grade_says_what_nodes_and_decoys_mean() -> None:
    found = graded(DESIGN, Progress())
    nodes = proof(DESIGN, Progress()).count.nodes
    open_ = sum(count > 0 for count in matching(DESIGN).decoys)
    assert found.effort == effort(DESIGN, Progress()) == nodes > 36 and open_ > 1
    tried = f"A solver tries {nodes} pieces for 36 places, {nodes / 36:.1f} for each (8.1 in the puzzle of 1982)"
    assert found.explanation.startswith(f"{tried}; more than one piece fits in {open_} places. ")
    assert len(found.efforts) == grade.MOST_SAMPLES and list(found.efforts) == sorted(found.efforts)
    ends = [ZigzawGrade(DESIGN, each, (50, 60, 70)).explanation for each in (40, 80)]
    assert ends[0].endswith("Of 3 similar puzzles, none need fewer.")
    assert ends[1].endswith("Of 3 similar puzzles, all need fewer.")
    plain = generated(columns=3, rows=3, difficulty="easy")
    assert "only one piece fits each place" in graded(plain, Progress()).explanation
    assert graded(plain, Progress()).effort == 9, "as many pieces as places"


def test_the_scale_is_that_of_all_puzzles_with_the_same_parameters() -> None:
    others = [generated(columns=6, rows=6, triples=7, seed=seed) for seed in (4, 5)]
    assert {scale(each, Progress()) for each in (DESIGN, *others)} == {scale(DESIGN, Progress())}
    plain = generated(columns=6, rows=6, difficulty="easy")
    assert scale(plain, Progress())[-1] < scale(DESIGN, Progress())[-1], "fewer cubes are harder"


def test_a_puzzle_edited_throughout_is_compared_with_generated_ones() -> None:
    own = replace(DESIGN, own=tuple(sorted(DESIGN.names)), numbers=tuple(range(1, 37)))
    assert scale(own, Progress()) == scale(DESIGN, Progress())
    with pytest.raises(StudioError, match="harder"):
        harder(own, Progress())


def test_harder_is_harder_and_easier_is_easier_and_each_is_proven() -> None:
    mine = effort(DESIGN, Progress())
    for found in (harder(DESIGN, Progress()), easier(DESIGN, Progress())):
        count = proof(found.design, Progress()).count
        assert count.solutions == 1 and count.complete and count.nodes == found.effort
        assert found.design.parameters.columns == 6 and found.lost == ""
    assert harder(DESIGN, Progress()).effort > mine > easier(DESIGN, Progress()).effort
    assert harder(DESIGN, Progress()) == harder(DESIGN, Progress()), "the same each time"


@pytest.mark.parametrize(("tries", "level"), [(81, "Easy"), (658, "Normal"), (3300, "Hard")])
def test_the_level_is_that_of_the_tries_for_each_place_whatever_it_is_compared_with(tries: int, level: str) -> None:
    assert {ZigzawGrade(generated(), tries, efforts).level for efforts in ((1, 2), (9000, 9001))} == {level}


def test_where_no_seed_is_harder_a_harder_level_is() -> None:
    plain = generated(columns=3, rows=3, difficulty="easy")
    found = harder(plain, Progress())
    assert found.effort > 9 and found.design.parameters.difficulty != "easy"
    with pytest.raises(StudioError, match="easier"):
        easier(plain, Progress())


def test_a_higher_share_is_never_easier() -> None:
    efforts = [at_share(DESIGN, share, Progress()).effort for share in (0.0, 0.5, 1.0)]
    assert efforts == sorted(efforts) and efforts[0] < efforts[-1]


def test_cubes_coloured_by_hand_stay_in_a_harder_puzzle() -> None:
    design = recoloured(DESIGN, [(Cube(0, 3), "T")], 2)
    found = harder(design, Progress()).design
    cube = design.names["0,3"]
    assert found.own == ("0,3",) and found.triples[cube] == design.triples[cube]
    assert found.parameters.seed != design.parameters.seed


def test_what_has_several_solutions_or_no_proof_is_not_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    p = ZigzawParameters(columns=5, rows=5, scheme="any", colours=4)
    alike = ZigzawDesign(p, (" ".join(["ABC"] * 7),) * 7)
    several = recoloured(alike, [(Cube(3, 3), "T")], 3)
    assert proof(several, Progress()).count.solutions == 2
    with pytest.raises(StudioError, match="several solutions"):
        graded(several, Progress())
    monkeypatch.setattr(generating, "PROOF_NODES", 10)
    with pytest.raises(StudioError, match="stopped after 10 pieces"):
        effort(DESIGN, Progress())


def test_a_grade_that_nobody_waits_for_ends() -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        graded(replace(DESIGN, parameters=replace(DESIGN.parameters, edge=7.0)), stopped)
