"""Printed zigzaws: sound bodies that keep their clearance, with a sticker for every limb in its colour."""

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from studio.base.progress import Cancelled, Progress
from studio.geometry.solids.solid import Solid, flaw
from studio.puzzles.zigzaw.colours import GROUND
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.geometry import ZigzawShapes, shape
from studio.puzzles.zigzaw.model import ZigzawParameters, matching, numbers
from studio.puzzles.zigzaw.piece_forms import BODIES
from studio.puzzles.zigzaw.printed_solids import bodies, fit, joints


@cache
def shapes(**changes: Any) -> ZigzawShapes:
    design = generate(ZigzawParameters(columns=4, rows=3, body=changes.get("body", "frog")), Progress())
    return shape(replace(design, parameters=replace(design.parameters, **changes)), None, Progress())


def volumes(found: tuple[Solid, ...]) -> dict[str, float]:
    return {solid.name: solid.mesh.volume for solid in found if not solid.on}


@pytest.mark.sampled(3)
@pytest.mark.sampled(2)
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("changes", [{}, {"frame": "four", "radius": 1.0}, {"side": "back", "play": 0.0}])
def test_all_bodies_can_be_printed_and_stand_on_the_bed_or_on_another(body: str, changes: dict[str, Any]) -> None:
    found = bodies(shapes(body=body, **changes), Progress())
    tops = {solid.name: solid.mesh.bounds for solid in found}
    for solid in found:
        assert flaw(solid.mesh) == ""
        low, high = solid.mesh.bounds
        if solid.on:
            below, above = tops[solid.on]
            assert low[2] == above[2] == pytest.approx(4.0) and high[2] == pytest.approx(4.6)
            assert (low[:2] > below[:2]).all() and (high[:2] < above[:2]).all()
        else:
            assert low[2] == 0 and solid.colour == GROUND


def test_what_is_laid_on_the_bed_lies_apart() -> None:
    parts = [solid.mesh.bounds for solid in bodies(shapes(frame="four"), Progress()) if not solid.on]
    for number, (low, high) in enumerate(parts):
        for other_low, other_high in parts[:number]:
            assert (low[:2] >= other_high[:2] + 1).any() or (other_low[:2] >= high[:2] + 1).any()


def test_every_piece_has_its_number_and_the_colours_of_its_limbs() -> None:
    known = shapes()
    design = known.design
    shown: dict[str, Counter[str]] = {}
    for solid in bodies(known, Progress()):
        if solid.on.startswith("Piece"):
            shown.setdefault(solid.on, Counter())[solid.colour] += 1
    for number, limbs in zip(numbers(design).tolist(), matching(design).pieces, strict=True):
        assert shown[f"Piece {number}"] == Counter(design.palette[paint].colour for paint in limbs)


def test_the_clearance_is_taken_from_the_sides() -> None:
    tight, loose = (volumes(bodies(shapes(play=play), Progress())) for play in (0.0, 0.4))
    drawn = shapes().drawing
    areas = dict(zip(drawn.pieces.names, drawn.piece_areas.tolist(), strict=True))
    assert tight["Frame"] == pytest.approx(4.0 * areas["Frame"], rel=1e-5)
    assert tight["Piece 1"] == pytest.approx(4.0 * areas["A1"], rel=1e-5)
    edge, around = 8.9, 40 * 8.9
    assert loose["Piece 1"] == pytest.approx(4.0 * (areas["A1"] - 0.2 * around), abs=4 * edge)


def test_how_it_fits_is_said_in_words() -> None:
    words = dict(fit(shapes(play=0.25, thickness=5.0)))
    assert words["Clearance"].startswith("0.25 mm") and words["Pieces"].startswith("5 mm thick")


def test_joints_are_a_block_and_a_piece_with_the_clearance_between_them() -> None:
    found = joints(shapes().design, (0.1, 0.3), Progress())
    assert [solid.name for solid in found] == ["0.10 a", "0.10 b", "0.30 a", "0.30 b"]
    assert all(flaw(solid.mesh) == "" for solid in found)
    assert all(np.allclose(solid.mesh.bounds[0], 0) for solid in found)
    for one, other in ((0, 2), (1, 3)):
        assert found[one].mesh.volume > found[other].mesh.volume
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        joints(shapes().design, (0.1,), stopped)
