"""The solutions of a cube paged through in space, and the film of its assembly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.base.progress import SILENT
from studio.puzzles.cube.assembly_steps import ways_of
from studio.puzzles.cube.edits import with_voxel_turned
from studio.puzzles.cube.geometry import shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.ui.kinds.cube.extension import assembled, in_way
from tests.solids import overlap
from tests.ui.test_cube_view import CubeStage

SEVERAL = CubeDesign(CubeParameters(3, 3, 3, seed=4, unique=False, distinct=False, captured=False))
KEY = Qt.Key


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[CubeStage]:
    made = CubeStage(tmp_path, SEVERAL)
    made.extension.finish()
    made.settle()
    yield made
    made.close()


def voxels(stage: CubeStage) -> list[set[tuple[int, ...]]]:
    """The voxels that the bodies in sight fill, piece by piece."""
    bodies = [stage.view.body(piece) for piece in range(6)]
    for body in bodies:
        low, high = body.cells[:, 0].min(axis=0), body.cells[:, 1].max(axis=0)
        assert (body.mesh.bounds[0] >= low - 1e-6).all() and (body.mesh.bounds[1] <= high + 1e-6).all()
    return [{tuple(spot) for spot in np.rint(body.cells[:, 0] / 10).astype(int).tolist()} for body in bodies]


def test_every_solution_is_shown_once_and_then_the_first_again(stage: CubeStage) -> None:
    panel, ways = stage.extension.panel, stage.extension.ways
    first, answer = voxels(stage), ways.answer
    assert answer is not None and panel.place.text() == f"Solution 1 of {len(answer)}" and not panel.place.isHidden()
    seen = {frozenset(map(frozenset, first))}
    for number in range(2, len(answer) + 1):
        stage.key(KEY.Key_N)
        assert panel.place.text() == f"Solution {number} of {len(answer)}"
        found = voxels(stage)
        assert set().union(*found) == set().union(*first) and sum(map(len, found)) == 26
        seen.add(frozenset(map(frozenset, found)))
    assert len(seen) == len(answer) and ways.answer is answer
    stage.key(KEY.Key_N)
    assert voxels(stage) == first
    QTest.mouseClick(panel.former, Qt.MouseButton.LeftButton)
    assert panel.place.text() == f"Solution {len(answer)} of {len(answer)}"


def test_pieces_at_home_are_the_same_bodies_in_every_solution(stage: CubeStage) -> None:
    answer = stage.extension.ways.answer
    assert answer is not None
    own = [stage.view.body(piece) for piece in range(6)]
    kept = 0
    for number in range(1, 6):
        stage.extension.turn_way(1)
        for piece, pose in enumerate(answer.way(number).poses):
            body = stage.view.body(piece)
            assert (body.mesh is own[piece].mesh) == pose.is_still
            kept += body is own[piece]
    assert kept > 0


def test_an_edit_shows_the_cube_itself_again(stage: CubeStage) -> None:
    extension = stage.extension
    stage.key(KEY.Key_N)
    chosen = next(
        name for name in stage.shapes.partition.shell.names if with_voxel_turned(SEVERAL, name) != SEVERAL
    )  # fmt: skip
    # In another solution a voxel has other neighbours, so that none is offered.
    extension.selection.select((0,))
    place = extension.panel.view.body(1).cells[0].mean(axis=0)
    assert extension._offered(1, place) is None
    extension.edit("Turn", with_voxel_turned, chosen)
    extension.finish()
    stage.settle()
    assert extension.panel.place.text().startswith("Solution 1 of ") or extension.panel.place.isHidden()
    assert all((stage.view.body(piece).way != 0).sum() == 1 for piece in range(6))


def test_a_cube_with_one_solution_has_nothing_to_page_through(qapp: QApplication, tmp_path: Path) -> None:
    stage = CubeStage(tmp_path)
    try:
        stage.extension.finish()
        stage.settle()
        assert stage.extension.panel.place.isHidden() and stage.extension.panel.next.isHidden()
        assert not stage.window.actions_["next_solution"].isEnabled()
        before = stage.view.body(0)
        stage.extension.turn_way(1)
        assert stage.view.body(0) is before
    finally:
        stage.close()


def out(stage: CubeStage) -> int:
    stage.view.grab()
    return sum(float(np.linalg.norm(each.shift)) > 0.01 for each in stage.view.scene.placed)


@pytest.mark.thorough
def test_the_film_goes_step_by_step_and_back(stage: CubeStage) -> None:
    panel, view = stage.extension.panel, stage.view
    stage.key(KEY.Key_S)
    assert out(stage) == 6 and view.caption.startswith("Step 1 of 6: Start with ") and view.arrow is not None
    for done in range(1, 4):
        stage.key(KEY.Key_S)
        assert stage.wait_for(lambda: not panel.player.is_playing)
        assert out(stage) == 6 - done and view.caption.startswith(f"Step {done + 1} of 6: Push in ")
    moving = view.arrow
    stage.key(KEY.Key_B)
    assert out(stage) == 4 and view.arrow != moving
    stage.key(KEY.Key_P)
    assert panel.player.is_playing and stage.wait_for(lambda: out(stage) < 4)
    stage.key(KEY.Key_P)
    assert not panel.player.is_playing and 0 < out(stage) < 4 and view.caption
    stage.key(KEY.Key_P)
    assert stage.wait_for(lambda: not panel.player.is_playing)
    assert out(stage) == 0 and view.caption == "" and view.arrow is None
    stage.key(KEY.Key_B)
    assert out(stage) == 1
    panel.slider.setValue(500)
    assert out(stage) == 6 and view.caption == "" and view.arrow is None


def test_the_arrow_is_painted_beside_the_piece_and_gone_with_the_film(stage: CubeStage) -> None:
    view, panel = stage.view, stage.extension.panel
    panel.player.seek_share(0.5)
    view.picture.finish()
    with_arrow = view.grab().toImage()
    view.arrow = None
    assert view.grab().toImage() != with_arrow
    for side in ("1", "5", "7"):
        stage.key(getattr(KEY, f"Key_{side}"))
        panel.player.seek_share(0.5)
        assert not view.grab().isNull()


def test_another_solution_ends_the_film_of_the_one_before(stage: CubeStage) -> None:
    panel = stage.extension.panel
    panel.player.seek_share(0.5)
    assert out(stage) == 3
    stage.key(KEY.Key_N)
    assert panel.place.text().startswith("Solution 2 ")
    assert out(stage) == 0 and stage.view.caption == ""


@pytest.mark.parametrize("thickness", [4.0, 15.0], ids=["thin", "thick"])
@pytest.mark.parametrize("seed", [1, 3])
def test_plates_of_another_thickness_go_together_in_every_solution(seed: int, thickness: float) -> None:
    size = (3, 3, 3)
    plain = CubeParameters(
        *size, seed=seed, unique=False, distinct=False, captured=False, radius=0.2, thickness=thickness
    )
    made = shape(CubeDesign(plain), None, SILENT)
    own, found = assembled(made), ways_of(made.partition.shell, made.partition.owners, SILENT, even=False)
    assert len(found) > 1
    wanted = np.array([2 * thickness + (count - 2) * plain.unit - plain.gap for count in size])
    for number in range(min(len(found), 8)):
        bodies = [body.mesh for body in in_way(own, found.way(number), made)]
        assert all(overlap(one, other) == pytest.approx(0.0, abs=1e-9) for one, other in combinations(bodies, 2))
        ends = np.array([mesh.bounds for mesh in bodies])
        assert ends[:, 1].max(axis=0) - ends[:, 0].min(axis=0) == pytest.approx(wanted, abs=2e-3), number
