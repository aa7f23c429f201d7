"""The cube's edges and its grade in the window: picked, listed, re-rolled, locked; harder and easier ones found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from studio.base.progress import Progress
from studio.checks.finding import Severity
from studio.puzzles.cube.grade import graded
from studio.puzzles.cube.model import CubeDesign, CubeParameters, VoxelEdit
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import shell
from studio.ui.kinds.cube.selection import STAYS
from studio.ui.session.preferences import ThemeChoice
from studio.ui.solid.renderer import PainterRenderer
from studio.ui.solid.scene import pixels_in
from studio.ui.widgets.theme import light_theme
from tests.ui.stage import staged
from tests.ui.test_cube_view import CubeStage

LEFT, NO_BUTTON = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
NAMES = shell(4, 4, 4).edge_names
TOP = NAMES.index("front-top")
stage = staged(CubeStage)
by_opengl = staged(lambda folder: CubeStage(folder, by_opengl=True))


def click(stage: CubeStage, place: QPoint, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.ControlModifier) -> None:
    """A click with a key held, Ctrl by default."""
    screen = QPointF(stage.view.mapToGlobal(place))
    for kind, held in ((QEvent.Type.MouseButtonPress, LEFT), (QEvent.Type.MouseButtonRelease, NO_BUTTON)):
        QApplication.sendEvent(stage.view, QMouseEvent(kind, QPointF(place), screen, LEFT, held, keys))
    stage.settle()


def owners(stage: CubeStage, edge: int) -> list[int]:
    """To whom the voxels of an edge belong."""
    partition = stage.shapes.partition
    return [int(face) for face in partition.owners[partition.shell.edge_of == edge]]


def test_ctrl_click_selects_edges_for_view_table_and_inspector(stage: CubeStage) -> None:
    extension = stage.extension
    stage.key(Qt.Key.Key_7)
    plain = stage.view.grab().toImage()
    spot = stage.at(15, 2, 40)
    stage.hover(spot)
    assert stage.view.toolTip() == "Edge front-top: Ctrl+click to select"
    click(stage, spot)
    assert extension.selection.edges == {TOP} and extension.selection.piece is None
    assert [index.row() for index in extension.edges.table.selectionModel().selectedRows()] == [TOP]
    assert extension.page.shown.title.text() == "Edge front-top" and extension.page.shown.facts["Voxels"] == "2"
    assert len(extension.edges.cells) == 2 and stage.view.grab().toImage() != plain
    other = stage.at(40, 2, 15)
    click(stage, other)
    assert {NAMES[edge] for edge in extension.selection.edges} == {"front-top", "right-front"}
    assert extension.page.shown.title.text() == "2 edges" and "2 edges selected" in stage.window.status.selected.text()
    click(stage, spot)
    assert {NAMES[edge] for edge in extension.selection.edges} == {"right-front"}
    click(stage, stage.at(20, 0, 20))
    assert len(extension.selection.edges) == 1, "the middle of a face is no edge"
    stage.key(Qt.Key.Key_Escape)
    assert not extension.selection.edges and extension.page.shown.title.text() == "The whole box"
    assert stage.window.document.history.count() == 0
    extension.edges.table.selectRow(TOP)
    assert extension.selection.edges == {TOP} and stage.window.actions_["roll"].isEnabled()


def test_what_is_tinted_of_a_selected_edge_is_seen_and_what_is_hidden_gets_broken_lines(by_opengl: CubeStage) -> None:
    stage = by_opengl
    stage.key(Qt.Key.Key_1)
    stage.view.picture.finish()
    plain = pixels_in(stage.view.grab().toImage())

    def changed() -> int:
        stage.view.picture.finish()
        return int((pixels_in(stage.view.grab().toImage()) != plain).any(axis=2).sum())

    stage.extension.selection.select_edges([TOP])
    before = changed()
    stage.extension.selection.select_edges([NAMES.index("back-top")])
    behind = changed()
    assert 0 < behind < before / 3, "from the front the back is told by lines alone"
    stage.window.choose_theme(ThemeChoice.DARK)
    assert not stage.view.grab().toImage().isNull()


def test_r_randomises_an_edge_as_one_step_and_l_keeps_it(stage: CubeStage) -> None:
    stage.extension.selection.select_edges([TOP])
    was = owners(stage, TOP)
    others = [owners(stage, edge) for edge in range(12) if edge != TOP]
    stage.key(Qt.Key.Key_R)
    assert owners(stage, TOP) != was and [owners(stage, edge) for edge in range(12) if edge != TOP] == others
    assert stage.document.history.count() == 1
    assert stage.document.history.undoText() == "Randomise edge front-top"
    rolled = owners(stage, TOP)
    stage.key(Qt.Key.Key_L)
    assert stage.document.design.edge("front-top").locked_seed == 7
    assert stage.extension.page.locked.checkState() is Qt.CheckState.Checked
    stage.key(Qt.Key.Key_R)
    notice = stage.window.notices.notice()
    assert notice is not None and notice.sentence == STAYS and stage.document.history.count() == 2
    stage.window.form.edit("Change seed", CubeParameters(seed=99), None)
    assert owners(stage, TOP) == rolled
    QTest.mouseClick(stage.extension.page.locked, LEFT, pos=QPoint(8, 8))
    assert stage.document.design.edge("front-top").locked_seed is None
    assert stage.document.history.undoText() == "Unlock edge front-top"
    QTest.mouseClick(stage.extension.page.roll, LEFT)
    QTest.mouseClick(stage.extension.page.reset, LEFT)
    assert not stage.document.design.edges and not stage.extension.page.reset.isEnabled()
    for _ in range(6):
        stage.window.actions_["undo"].trigger()
    assert stage.document.design == CubeDesign() and owners(stage, TOP) == was


def test_a_locked_edge_wears_a_padlock_where_it_is_seen_and_backspace_gives_it_back(by_opengl: CubeStage) -> None:
    stage = by_opengl
    stage.key(Qt.Key.Key_1)
    stage.view.picture.finish()
    plain = stage.view.grab().toImage()
    stage.extension.selection.select_edges([NAMES.index("back-top")])
    stage.key(Qt.Key.Key_L)
    stage.extension.selection.select()
    stage.view.picture.finish()
    assert stage.view.grab().toImage() == plain, "the back is not seen from the front"
    stage.extension.selection.select_edges([TOP])
    stage.key(Qt.Key.Key_L)
    assert stage.extension.page.shown.title.text() == "Edge front-top"
    stage.extension.selection.select()
    stage.view.picture.finish()
    locked = stage.view.grab().toImage()
    (badge,) = [each for each in stage.extension.edges.badges if stage.view.body(each.number).name in ("Front", "Top")]
    middle = stage.view.body(badge.number).cells[badge.cell].mean(axis=0)
    spot = stage.at(middle[0], 0, middle[2])
    assert locked != plain and locked.pixelColor(spot + QPoint(8, 0)) == light_theme().panel
    assert stage.extension.page.shown.facts["Edited"] == "0 voxels, 2 edges"
    stage.extension.selection.select_edges([TOP, NAMES.index("back-top")])
    stage.key(Qt.Key.Key_Backspace)
    assert not stage.document.design.edges and stage.document.history.undoText() == "Reset 2 edges"


def test_the_table_tells_of_the_edges_and_locks_them(stage: CubeStage) -> None:
    sheet = stage.extension.edges.table.elements
    assert sheet.rowCount() == 12
    text = [str(sheet.data(sheet.index(TOP, column))) for column in (0, 1, 3, 5)]
    assert text == ["front-top", "2", "0", "0 voxels"]
    letters = sheet.data(sheet.index(TOP, 2)).split()
    assert letters == ["ABCDEF"[face] for face in owners(stage, TOP)]
    sheet.setData(sheet.index(TOP, 4), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    assert stage.document.history.undoText() == "Lock edge front-top"
    assert Qt.CheckState(sheet.data(sheet.index(TOP, 4), Qt.ItemDataRole.CheckStateRole)) is Qt.CheckState.Checked
    face = "top" if owners(stage, TOP)[0] == 2 else "front"
    stage.document.edit("Give", stage.document.design.with_voxels([VoxelEdit("front-top/1", face)]))
    assert sheet.data(sheet.index(TOP, 5)) == "1 voxel"


def test_the_menu_is_about_the_edge_under_the_mouse(stage: CubeStage, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _place: shown.append([each.text() for each in menu.actions()]))
    stage.key(Qt.Key.Key_1)
    stage.click(stage.at(20, 0, 20))
    place = stage.at(15, 0, 38)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, stage.view.mapToGlobal(place))
    QApplication.sendEvent(stage.view, event)
    assert stage.extension.selection.edges == {TOP} and stage.extension.selection.piece == 2, "the piece stays selected"
    assert {"Randomise edge", "Lock edge", "Hide piece"} <= set(shown[0])
    assert "Reset edge" not in shown[0], "it has no edits"
    assert stage.window.actions_["roll"].isEnabled() and not stage.window.actions_["reset_edge"].isEnabled()


def test_all_edges_are_selected_and_rolled_but_locked_ones(stage: CubeStage) -> None:
    stage.extension.selection.select_edges([TOP])
    stage.key(Qt.Key.Key_L)
    stage.view.setFocus()
    stage.window.actions_["select_all"].trigger()
    assert len(stage.extension.selection.edges) == 12
    was = owners(stage, TOP)
    stage.key(Qt.Key.Key_R)
    assert stage.document.history.undoText() == "Randomise 12 edges" and owners(stage, TOP) == was
    assert len(stage.document.design.edges) == 12
    assert stage.extension.page.locked.checkState() is Qt.CheckState.PartiallyChecked


# How hard it is


def test_the_inspector_grades_the_cube_beside_other_work(stage: CubeStage) -> None:
    page = stage.graded.page
    assert stage.wait_for(lambda: stage.graded.grade.answer is not None)
    expected = graded(CubeDesign(), Progress())
    assert (page.level.text(), page.words.text()) == (expected.level, expected.explanation)
    assert page.scale.accessibleDescription() == f"{expected.level}. {expected.explanation}"
    stage.window.form.edit("Change gap", CubeParameters(gap=0.3), None)
    assert page.words.text() == expected.explanation, "a gap makes a cube neither harder nor easier"
    stage.window.form.edit("Change seed", CubeParameters(seed=5), None)
    assert page.level.text() == "Rating difficulty…" and not page.scale.accessibleDescription()
    stage.settle()
    places = [page.harder.geometry(), page.scale.geometry()]
    assert stage.wait_for(lambda: page.words.text() == graded(stage.document.design, Progress()).explanation)
    stage.window.form.edit("Change wishes", CubeParameters(unique=False), None)
    assert stage.wait_for(lambda: bool(stage.graded.grade.problem))
    assert "can be rated" in page.words.text() and not page.harder.isEnabled()
    assert page.level.text() == "Not rated" and not page.scale.accessibleDescription()
    stage.settle()
    assert [page.harder.geometry(), page.scale.geometry()] == places, "nothing moves under the mouse"


def test_a_harder_cube_is_found_as_one_step_and_nothing_is_lost_silently(qapp: QApplication, tmp_path: Path) -> None:
    base = CubeDesign()
    partition = partitioned(base)
    inner = next(name for name in partition.shell.names if name.endswith("/1"))
    stage = CubeStage(tmp_path, CubeDesign(edges=base.edges))
    try:
        from studio.puzzles.cube.edits import with_edges_rolled

        rolled = with_edges_rolled(base, [inner.partition("/")[0]])
        stage.document.edit("Re-roll", rolled)
        before = graded(rolled, Progress())
        QTest.mouseClick(stage.graded.page.harder, LEFT)
        assert stage.graded.done is not None and stage.graded.page.cancel.isVisible()
        notice = stage.window.notices.notice()
        assert notice is not None and notice.sentence == "Searching for a harder cube…" and notice.action is not None
        assert stage.wait_for(lambda: stage.graded.done is None)
        found = stage.document.design
        assert found.parameters.seed != 7 and found == CubeDesign(CubeParameters(seed=found.parameters.seed))
        assert graded(found, Progress()).effort > before.effort
        assert stage.document.history.count() == 2
        assert stage.document.history.undoText() == "Find a harder cube, without 1 randomised edge"
        notice = stage.window.notices.notice()
        assert notice is not None and notice.severity is Severity.WARNING and notice.action is not None
        assert (
            "Edits that do not fit the new seed were dropped: 1 randomised edge. Undo restores them." in notice.sentence
        )
        notice.action.do()
        assert stage.document.design == rolled
        stage.window.actions_["easier"].trigger()
        assert stage.wait_for(lambda: stage.graded.done is None)
        assert graded(stage.document.design, Progress()).effort < before.effort
    finally:
        stage.close()


def test_a_search_is_cancelled_by_hand_and_by_any_other_edit(qapp: QApplication, tmp_path: Path) -> None:
    stage = CubeStage(tmp_path, CubeDesign(CubeParameters(x=3, y=3, z=3)))
    try:
        stage.window.actions_["harder"].trigger()
        assert stage.graded.done is not None
        stage.window.notices.close_notice()
        assert stage.wait_for(lambda: stage.window.notices.notice() is not None), "there is always a way to cancel"
        QTest.mouseClick(stage.graded.page.cancel, LEFT)
        notice = stage.window.notices.notice()
        assert notice is not None and notice.sentence == "Search stopped; the cube is unchanged."
        assert stage.document.history.count() == 0 and stage.graded.page.harder.isVisible()
        stage.window.actions_["easier"].trigger()
        stage.window.form.edit("Change seed", CubeParameters(x=3, y=3, z=3, seed=8), None)
        # A change that takes longer than a tenth of a second comes from a thread.
        assert stage.wait_for(lambda: stage.document.history.count() == 1)
        assert stage.graded.done is None
        notice = stage.window.notices.notice()
        assert notice is not None and "The cube has changed, so the search was stopped." in notice.sentence
        assert stage.document.history.count() == 1
    finally:
        stage.close()


def test_a_search_ends_when_a_slider_is_drawn_and_outlives_the_checks_of_its_own_cube(
    qapp: QApplication, tmp_path: Path
) -> None:
    stage = CubeStage(tmp_path, CubeDesign(CubeParameters(x=3, y=3, z=3)))
    try:
        stage.window.form.edit("Change seed", CubeParameters(x=3, y=3, z=3, seed=8), None)
        stage.window.actions_["harder"].trigger()
        stage.settle()
        assert stage.graded.done is not None, "the cube that is checked is the one it is looked for"
        stage.window.form.preview(CubeParameters(x=3, y=3, z=3, seed=8, gap=0.3))
        assert stage.wait_for(lambda: stage.graded.done is None, 2)
        notice = stage.window.notices.notice()
        assert notice is not None and "The cube has changed, so the search was stopped." in notice.sentence
        assert stage.document.design.parameters.seed == 8
    finally:
        stage.close()


@pytest.mark.thorough
def test_a_cube_than_which_none_is_easier_says_so(qapp: QApplication, tmp_path: Path) -> None:
    stage = CubeStage(tmp_path, CubeDesign(CubeParameters(x=9, y=9, z=9)))
    try:
        stage.graded.grade.finish()
        assert stage.graded.grade.answer is not None and stage.graded.grade.answer.effort == 6
        stage.window.actions_["easier"].trigger()
        assert stage.wait_for(lambda: stage.graded.done is None, 40)
        notice = stage.window.notices.notice()
        assert notice is not None and notice.sentence == "Tried 400 similar puzzles; none is easier."
        assert stage.document.history.count() == 0
    finally:
        stage.close()


def test_a_cube_without_findings_is_said_to_be_proven(qapp: QApplication, tmp_path: Path) -> None:
    from studio.files.store import load

    example = Path(__file__).resolve().parents[2] / "resources" / "examples" / "stronghold-5x5x5.puzzle"
    stage = CubeStage(tmp_path, load(example).design)
    try:
        words = stage.window.findings._empty
        assert words.isVisible() and words.text().startswith("No problems found: unique solution, interlocked, ")
        assert np.array(stage.window.pipeline.findings).size == 0
    finally:
        stage.close()


def test_a_computer_without_opengl_is_told_so_in_one_line_and_its_window_works(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import moderngl

    def refuse(**_known: object) -> object:
        raise Exception("cannot open shared object file:\nlibEGL.so.1 is missing\n")

    monkeypatch.setattr(moderngl, "create_context", refuse)
    stage = CubeStage(tmp_path, by_opengl=True)
    try:
        assert stage.wait_for(lambda: stage.window.notices.notice() is not None)
        assert isinstance(stage.view.renderer, PainterRenderer)
        notice = stage.window.notices.notice()
        assert notice is not None and notice.severity is Severity.WARNING and "\n" not in notice.sentence
        assert notice.sentence.startswith("OpenGL is not available: simplified 3-D view")
        assert "libEGL.so.1 is missing" in notice.sentence
        stage.window.notices.close_notice()
        stage.key(Qt.Key.Key_7)
        plain = stage.view.grab().toImage()
        click(stage, stage.at(15, 2, 40))
        assert stage.extension.selection.edges == {TOP} and stage.view.grab().toImage() != plain
        stage.click(stage.at(20, 0, 20))
        assert stage.extension.selection.piece == 2
        stage.key(Qt.Key.Key_Right)
        stage.window.actions_["view_plate"].trigger()
        stage.settle()
        assert stage.window.notices.notice() is None, "it is told once"
    finally:
        stage.close()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [(12, 12, 12), (3, 3, 12), (3, 12, 12)])
def test_the_largest_and_the_narrowest_boxes_are_checked_and_edited_in_the_window(
    qapp: QApplication, tmp_path: Path, size: tuple[int, int, int]
) -> None:
    x, y, z = size
    parameters = CubeParameters(x=x, y=y, z=z, unique=False, distinct=False, captured=False)
    stage = CubeStage(tmp_path, CubeDesign(parameters))
    try:
        assert stage.window.pipeline.findings is not None
        box = shell(*size)
        every = [VoxelEdit(name, name.split("-")[0]) for name in box.names if "/" in name]
        stage.document.edit("Give all", stage.document.design.with_voxels(sorted(every, key=lambda each: each.name)))
        assert stage.wait_for(lambda: stage.window.pipeline.findings is not None)
        assert {owner for edge in range(12) for owner in owners(stage, edge)} == {0, 1, 2, 3}
        stage.window.actions_["select_all"].trigger()
        stage.key(Qt.Key.Key_R)
        assert not stage.document.design.voxels and stage.document.history.count() == 2
        assert not stage.view.grab().isNull()
    finally:
        stage.close()
