"""Every finding of a cube is provoked, and every repair mends what it promises and nothing else."""

from dataclasses import replace
from typing import Any

import pytest

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.checks.finding import Finding, Severity
from studio.puzzles.cube import checks, edits
from studio.puzzles.cube.checks import _of_solutions, check
from studio.puzzles.cube.geometry import shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters, EdgeEdit, VoxelEdit
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import captured, signature
from studio.puzzles.cube.solve import solved
from studio.solving.assembly import Count
from tests.depth import examples

PLAIN: dict[str, Any] = {"unique": False, "distinct": False, "captured": False}


def findings(design: CubeDesign) -> tuple[Finding, ...]:
    return check(design, shape(design, None, Progress()), None, Progress()).findings


def of_kind(design: CubeDesign, kind: str) -> list[Finding]:
    return [finding for finding in findings(design) if finding.kind == kind]


def mended(design: CubeDesign, kind: str) -> CubeDesign:
    repair = of_kind(design, kind)[0].repair
    assert repair is not None and repair.title
    after = repair.apply(design)
    assert isinstance(after, CubeDesign)
    return after


def first(kind: str, **wishes: Any) -> CubeDesign:
    """The first unedited cube in which a problem is found."""
    designs = (CubeDesign(CubeParameters(seed=seed, **(PLAIN | wishes))) for seed in range(200))
    return next(design for design in designs if of_kind(design, kind))


def changes(before: CubeDesign, after: CubeDesign) -> int:
    """How many voxels belong to another face."""
    return int((partitioned(before).owners != partitioned(after).owners).sum())


def test_a_box_as_demanded_has_no_warning() -> None:
    for seed in range(20):
        assert {found.severity for found in findings(CubeDesign(CubeParameters(seed=seed)))} <= {Severity.HINT}


def test_several_solutions_are_told_and_the_fewest_voxels_make_it_one() -> None:
    design = first("solutions")
    (found,) = of_kind(design, "solutions")
    count = solved(partitioned(design).shell, shape(design, None, Progress()).masks, Progress()).solutions
    assert count > 1 and found.message == f"The cube has {count} solutions."
    after = mended(design, "solutions")
    assert not of_kind(after, "solutions")
    fewest = changes(design, after)
    assert fewest == len(after.voxels) >= 1
    # No fewer would do: brute force over all boxes that differ in one voxel less, with no new fault.
    before = partitioned(design)
    faults = checks.faults(before.shell.masks(before.owners), 0)
    for changed, owners in checks._changed(before):
        if len(changed) >= fewest:
            break
        masks = before.shell.masks(owners)
        spoilt = checks.faults(masks, 0).new_since(faults)
        assert spoilt or solved(before.shell, masks, Progress()).solutions > 1


def test_a_search_that_was_cut_short_is_no_proof() -> None:
    shapes = shape(CubeDesign(), None, Progress())
    assert list(_of_solutions(shapes, Count(1, True, 9, 0.0))) == []
    for count, words in ((1, "1 solution"), (10_000, "10,000 solutions")):
        (found,) = _of_solutions(shapes, Count(count, False, 9, 0.0))
        assert found.message == f"The cube has at least {words}; the search stopped early."


def test_making_unique_spoils_nothing_else() -> None:
    mended_ones = 0
    for seed in range(40):
        design = CubeDesign(CubeParameters(seed=seed, unique=False))
        if of_kind(design, "solutions"):
            after = mended(design, "solutions")
            assert not {"twins", "slide", "solutions"} & {found.kind for found in findings(after)}
            mended_ones += 1
    assert mended_ones >= 3


def test_a_unique_cube_is_made_unique_by_nothing() -> None:
    assert checks.made_unique(CubeDesign()) == CubeDesign()


def test_twins_are_told_and_made_different() -> None:
    design = first("twins", unique=True)
    (found,) = of_kind(design, "twins")
    masks = shape(design, None, Progress()).masks
    assert len({signature(masks[face]) for face in found.pieces}) == 1 and len(found.pieces) > 1
    after = mended(design, "twins")
    assert not of_kind(after, "twins") and not of_kind(after, "solutions")


def test_a_piece_of_one_voxel_is_told_and_made_larger() -> None:
    design = CubeDesign(CubeParameters(3, 3, 3, seed=1))
    found = of_kind(design, "small")
    masks = shape(design, None, Progress()).masks
    assert [each.pieces for each in found] == [(face,) for face in range(6) if masks[face].sum() == 1] != []
    assert found[0].message.endswith("has only 1 voxel (minimum 2).")
    assert not of_kind(mended(design, "small"), "small")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("size", "least"), [((3, 3, 3), 3), ((4, 4, 4), 8), ((3, 4, 5), 7)])
@pytest.mark.parametrize("seed", range(4))
def test_every_piece_has_as_many_voxels_as_are_asked_for(size: tuple[int, int, int], least: int, seed: int) -> None:
    design = CubeDesign(CubeParameters(*size, seed=seed, least_voxels=least))
    masks = shape(design, None, Progress()).masks
    assert min(mask.sum() for mask in masks) >= least
    assert not of_kind(design, "small")


def test_a_size_that_no_piece_can_have_is_left_and_that_is_said() -> None:
    design = CubeDesign(CubeParameters(3, 3, 3, least_voxels=9))
    assert len(of_kind(design, "small")) == 6 and of_kind(design, "wish")


def test_a_piece_that_slides_is_told_and_held() -> None:
    design = first("slide", unique=True, distinct=True)
    masks = shape(design, None, Progress()).masks
    found = of_kind(design, "slide")
    assert [each.pieces for each in found] == [(face,) for face in range(6) if not captured(masks[face])]
    after = mended(design, "slide")
    assert len(of_kind(after, "slide")) < len(found)
    assert not of_kind(after, "twins") and not of_kind(after, "solutions")


def test_a_symmetric_piece_is_hinted_at() -> None:
    (hint, *_) = of_kind(first("symmetric"), "symmetric")
    assert hint.severity is Severity.HINT and "looks the same in" in hint.message


def test_a_corner_on_a_single_neck_is_hinted_at_and_can_be_strengthened() -> None:
    designs = (CubeDesign(CubeParameters(seed=seed, unit=4.0)) for seed in range(50))
    design = next(each for each in designs if any(found.repair for found in of_kind(each, "neck")))
    partition = partitioned(design)
    box, owners = partition.shell, partition.owners
    necks = [
        corner
        for corner in range(8)
        if (owners[box.neighbours[corner]] == owners[box.corners.start + corner]).sum() == 1
    ]
    hints = of_kind(design, "neck")
    assert len(hints) == len(necks)
    hint = next(found for found in hints if found.repair)
    assert hint.repair is not None
    after = hint.repair.apply(design)
    assert len(of_kind(after, "neck")) == len(necks) - 1
    assert not {"solutions", "twins", "slide"} & {found.kind for found in findings(after)}


def test_a_gap_that_eats_the_material_is_an_error_and_none_at_all_a_warning() -> None:
    for gap, severity in ((3.0, Severity.ERROR), (0.0, Severity.WARNING)):
        design = CubeDesign(CubeParameters(gap=gap))
        (found,) = of_kind(design, "gap")
        assert found.severity is severity
        assert not of_kind(mended(design, "gap"), "gap")
    assert not of_kind(CubeDesign(CubeParameters(gap=2.0)), "gap")


@pytest.mark.parametrize("style", ["plate", "voxel"])
def test_a_radius_that_does_not_fit_is_an_error_with_the_largest_as_its_repair(style: str) -> None:
    design = CubeDesign(CubeParameters(radius=5.5, style=style))
    (found,) = of_kind(design, "radius")
    assert found.severity is Severity.ERROR
    assert found.message == "A radius of 5.5 mm is too large; the maximum is 4.41 mm."
    after = mended(design, "radius")
    assert after.parameters.radius == 4.41 and not of_kind(after, "radius")


def test_walls_thinner_than_the_printers_least_are_told_in_both_styles() -> None:
    thin_plate = CubeDesign(CubeParameters(unit=1.0, gap=0.2, radius=0.1, least_wall=0.9))
    assert of_kind(thin_plate, "wall")[0].message == (
        "Pieces are only 0.8 mm thick where two voxels meet (minimum 0.9 mm)."
    )
    thin_neck = CubeDesign(CubeParameters(style="voxel", radius=4.4, least_wall=1.5))
    assert "only 1 mm thick" in of_kind(thin_neck, "wall")[0].message
    assert not of_kind(mended(thin_neck, "wall"), "wall")
    assert not of_kind(CubeDesign(CubeParameters(radius=4.4, least_wall=1.5)), "wall")


def test_snaps_that_do_not_fit_are_an_error_and_a_piece_without_one_is_told() -> None:
    design = CubeDesign(CubeParameters(unit=5.0, snap=1.5))
    (found,) = of_kind(design, "snap")
    assert found.severity is Severity.ERROR
    assert found.message == "Snaps of 1.5 mm are too large for the walls; the maximum is 0.6 mm."
    after = mended(design, "snap")
    assert after.parameters.snap == 0.2
    assert all(each.severity is Severity.WARNING for each in of_kind(after, "snap"))
    told = 0
    for seed in range(30):
        shapes = shape(CubeDesign(CubeParameters(x=3, y=3, z=3, seed=seed, snap=0.4, **PLAIN)), None, Progress())
        bare = [face for face, snaps in enumerate(shapes.snaps) if not snaps]
        assert sorted(each.pieces for each in of_kind(shapes.design, "snap")) == [(face,) for face in bare]
        told += len(bare)
    assert told > 0
    assert not of_kind(CubeDesign(), "snap")


def test_an_edit_that_lost_its_footing_is_told_and_can_be_taken_away() -> None:
    edits_ = (VoxelEdit("left-front-bottom", "left"),)
    designs = (CubeDesign(CubeParameters(seed=seed), voxels=edits_) for seed in range(200))
    design = next(each for each in designs if partitioned(each).ignored)
    assert "You moved corner left-front-bottom to left" in of_kind(design, "stray")[0].message
    assert mended(design, "stray") == replace(design, voxels=())


def test_wishes_that_cannot_be_met_are_told_and_soon() -> None:
    """All edges locked, so that eight corners are all that chance has left to make one solution with."""
    names = sorted(partitioned(CubeDesign()).shell.edge_names)
    small = CubeParameters(x=3, y=3, z=3, seed=99)
    told = 0
    for seed in range(1, examples(3, 8)):
        design = CubeDesign(small, edges=tuple(EdgeEdit(name, locked_seed=seed) for name in names))
        hints = of_kind(design, "wish")
        assert [hint.severity for hint in hints] == [Severity.HINT] * (not partitioned(design).met)
        told += len(hints)
    assert told > 0
    assert not of_kind(CubeDesign(small), "wish")


def test_a_repair_that_finds_nothing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_CHANGES", 0)
    with pytest.raises(StudioError, match="No change of up to 0 voxels gives a unique solution"):
        checks.made_unique(first("solutions"))


def test_a_repair_that_nobody_waits_for_ends() -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        checks.made_unique(first("solutions"), stopped)


def test_a_hand_edit_that_makes_a_second_solution_is_found() -> None:
    told = 0
    design = CubeDesign()
    for name in partitioned(design).shell.names:
        try:
            after = edits.with_voxel_turned(design, name)
        except StudioError:
            continue
        masks = shape(after, None, Progress()).masks
        count = solved(partitioned(after).shell, masks, Progress()).solutions
        assert bool(of_kind(after, "solutions")) == (count != 1)
        told += count != 1
    assert told > 0
