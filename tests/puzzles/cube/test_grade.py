"""How hard a cube is beside others of its size."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.puzzles.cube import edits, grade
from studio.puzzles.cube.checks import given, made_unique
from studio.puzzles.cube.grade import CubeGrade, at_share, easier, effort, graded, harder
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import shell
from studio.puzzles.cube.solve import solved

DESIGN = CubeDesign(CubeParameters(seed=12))
SAMPLES = 60


def several() -> CubeDesign:
    """A cube that the hand gave more than one solution: all its edges are straight."""
    box = shell(4, 4, 4)
    owners = partitioned(DESIGN).owners.copy()
    inner = box.edge_of >= 0
    owners[inner] = box.faces[inner, (37 >> box.edge_of[inner]) & 1]
    beside = owners[box.neighbours]
    owners[box.corners] = beside[:, 0]
    return given(DESIGN, owners)


SEVERAL = several()


def test_the_share_is_how_many_of_the_scale_are_easier() -> None:
    found = graded(DESIGN, Progress(), SAMPLES)
    assert found.effort == effort(DESIGN, Progress())
    assert found.share == sum(each < found.effort for each in found.efforts) / len(found.efforts)
    assert found.alike == pytest.approx(sum(each == found.effort for each in found.efforts) / len(found.efforts))
    assert list(found.efforts) == sorted(found.efforts) and len(found.efforts) == SAMPLES
    assert found.explanation == (
        f"An exhaustive search visits {found.effort} partial assemblies; {found.share:.0%}".replace("%", " %")
        + " of 60 cubes of 4 × 4 × 4 need fewer."
    )


def test_the_scale_is_the_same_for_all_cubes_that_are_compared() -> None:
    other = replace(DESIGN, parameters=replace(DESIGN.parameters, seed=99, gap=0.3, style="voxel"))
    assert graded(other, Progress(), SAMPLES).efforts == graded(DESIGN, Progress(), SAMPLES).efforts
    efforts = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    levels = [CubeGrade(DESIGN, effort, efforts).level for effort in efforts]
    assert levels[0] == "Among the easiest" and levels[-1] == "Among the hardest" and len(set(levels)) == 5
    assert CubeGrade(DESIGN, 6, (6,) * 10).level == "As hard as all others of its size"
    assert CubeGrade(DESIGN, 0, efforts).explanation.endswith("none of 10 cubes of 4 × 4 × 4 need fewer.")
    assert CubeGrade(DESIGN, 11, efforts).explanation.endswith("all of 10 cubes of 4 × 4 × 4 need fewer.")


def test_a_higher_share_is_never_easier_and_each_cube_is_as_demanded() -> None:
    found = [at_share(DESIGN, share, Progress(), SAMPLES) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    efforts = [each.effort for each in found]
    assert efforts == sorted(efforts) and efforts[0] < efforts[-1]
    for each in found:
        partition = partitioned(each.design)
        assert solved(partition.shell, partition.shell.masks(partition.owners), Progress()).solutions == 1
        assert effort(each.design, Progress()) == each.effort


def test_harder_is_harder_and_easier_is_easier() -> None:
    middle = at_share(DESIGN, 0.5, Progress(), SAMPLES).design
    assert harder(middle, Progress(), SAMPLES).effort > effort(middle, Progress())
    assert easier(middle, Progress(), SAMPLES).effort < effort(middle, Progress())
    assert harder(middle, Progress(), SAMPLES) == harder(middle, Progress(), SAMPLES)


def test_where_nothing_is_easier_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grade, "MOST_TRIES", 50)
    large = CubeDesign(CubeParameters(x=12, y=12, z=12))
    assert set(graded(large, Progress(), 12).efforts) == {6}, "each piece of so large a box has one place"
    with pytest.raises(StudioError, match="Tried 50 similar puzzles; none is easier"):
        easier(large, Progress(), 12)


@pytest.mark.parametrize(
    ("design", "sentence"),
    [(CubeDesign(CubeParameters(unique=False)), "switched on"), (SEVERAL, r"This cube has \d+ solutions")],
)
def test_a_cube_with_several_solutions_is_not_compared(design: CubeDesign, sentence: str) -> None:
    for look in (graded, harder, easier):
        with pytest.raises(StudioError, match=sentence):
            look(design, Progress(), SAMPLES)


def test_what_the_hand_did_and_is_lost_is_named_and_what_is_locked_is_kept() -> None:
    edited = edits.with_edges_rolled(DESIGN, ["left-top"])
    for name in ("front-top/1", "back-left/1", "back-bottom/2"):
        with suppress(StudioError):
            edited = edits.with_voxel_turned(edited, name)
    edited = edits.with_edges_locked(edited, ["front-top"], True)
    if solved(shell(4, 4, 4), shell(4, 4, 4).masks(partitioned(edited).owners), Progress()).solutions != 1:
        edited = made_unique(edited)
    found = harder(edited, Progress(), 20)
    kept = [voxel for voxel in edited.voxels if voxel.name.startswith("front-top/")]
    gone = len(edited.voxels) - len(kept)
    assert gone and list(found.design.voxels) == kept
    assert found.lost == f"{gone} edited voxel{'s' * (gone > 1)} and 1 randomised edge"
    assert graded(edited, Progress(), 20).lost == "" and harder(DESIGN, Progress(), 20).lost == ""
    assert found.design.parameters == replace(edited.parameters, seed=found.design.parameters.seed)


def test_locked_edges_stay_as_they_are() -> None:
    locked = edits.with_edges_locked(DESIGN, ["front-top"], True)
    found = harder(locked, Progress(), 20).design
    on_edge = [at for name, at in partitioned(DESIGN).shell.indices.items() if name.startswith("front-top/")]
    assert (partitioned(found).owners[on_edge] == partitioned(DESIGN).owners[on_edge]).all()
    assert np.any(partitioned(found).owners != partitioned(DESIGN).owners)


def test_a_cube_that_is_not_all_that_was_wished_for_is_not_offered_as_a_harder_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grade, "MOST_TRIES", 40)
    design = CubeDesign(CubeParameters(x=3, y=3, z=3))
    locked = edits.with_edges_locked(design, list(partitioned(design).shell.edge_names)[:4], True)
    assert partitioned(locked).met
    # Cubes with these edges that are harder have pieces that slide out.
    with pytest.raises(StudioError, match="Tried 40 similar puzzles; none is harder"):
        harder(locked, Progress(), 10)


def test_a_search_that_nobody_waits_for_ends() -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        graded(DESIGN, stopped, SAMPLES)
