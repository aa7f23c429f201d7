"""How hard a cube is beside others of its size."""

import numpy as np
import pytest

from studio.progress import Cancelled, Progress
from studio.puzzles.cube import edits
from studio.puzzles.cube.deal import dealt
from studio.puzzles.cube.grade import at_share, easier, effort, graded, harder
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.solve import solved

DESIGN = CubeDesign(CubeParameters(seed=12))
SAMPLES = 60


def test_the_share_is_how_many_of_the_sample_are_easier() -> None:
    found = graded(DESIGN, Progress(), SAMPLES)
    assert found.effort == effort(DESIGN, Progress())
    assert 0 <= found.share <= 1
    assert found.words == (
        f"{found.effort} partial assemblies are tried until all solutions are known: harder than "
        f"{found.share:.0%} of 60 cubes of 4 × 4 × 4."
    )


def test_a_higher_share_is_never_easier_and_each_cube_is_as_demanded() -> None:
    found = [at_share(DESIGN, share, Progress(), SAMPLES) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    efforts = [each.effort for each in found]
    assert efforts == sorted(efforts) and efforts[0] < efforts[-1]
    for each in found:
        deal = dealt(each.design)
        assert solved(deal.shell, deal.shell.masks(deal.owners), Progress()).solutions == 1
        assert effort(each.design, Progress()) == each.effort


def test_harder_is_harder_and_easier_is_easier() -> None:
    middle = at_share(DESIGN, 0.5, Progress(), SAMPLES).design
    assert harder(middle, Progress(), SAMPLES).effort > effort(middle, Progress())
    assert easier(middle, Progress(), SAMPLES).effort < effort(middle, Progress())
    assert harder(middle, Progress(), SAMPLES) == harder(middle, Progress(), SAMPLES)


def test_locked_edges_stay_as_they_are() -> None:
    locked = edits.with_edges_locked(DESIGN, ["front-top"], True)
    found = harder(locked, Progress(), 20).design
    on_edge = [at for name, at in dealt(DESIGN).shell.indices.items() if name.startswith("front-top/")]
    assert (dealt(found).owners[on_edge] == dealt(DESIGN).owners[on_edge]).all()
    assert np.any(dealt(found).owners != dealt(DESIGN).owners)


def test_a_search_that_nobody_waits_for_ends() -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        graded(DESIGN, stopped, SAMPLES)
