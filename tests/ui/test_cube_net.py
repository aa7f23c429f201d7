"""The net in the window, by real mouse and key events: pieces selected, voxels given and given on, undone, refused."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from studio.base.errors import StudioError
from studio.geometry.art.artwork import COLOURS
from studio.puzzles.cube.assembly_sheet import Net
from studio.puzzles.cube.edits import with_edges_locked, with_voxel, with_voxel_turned
from studio.puzzles.cube.model import CubeDesign, CubeParameters, VoxelEdit
from studio.puzzles.cube.shell import FACES, LETTERS, NOBODY
from studio.ui.canvas.view import CanvasView
from studio.ui.kinds.cube.net import HINT, NetPanel
from studio.ui.session.preferences import ThemeChoice
from studio.ui.widgets.theme import dark_theme, light_theme
from tests.ui.stage import staged
from tests.ui.test_cube_view import LEFT, MIDDLE, NO_BUTTON, SHIFT, CubeStage

FRONT, TOP = 2, 5
NO_KEY = Qt.KeyboardModifier.NoModifier


class NetStage(CubeStage):
    """One window on a cube that shows its net."""

    def __init__(self, folder: Path, design: CubeDesign | None = None) -> None:
        super().__init__(folder, design, view="net")

    @property
    def panel(self) -> NetPanel:
        return self.extension.net

    @property
    def canvas(self) -> CanvasView:
        return self.panel.view

    @property
    def net(self) -> Net:
        return self.panel.item.net

    def spot(self, cell: int) -> QPoint:
        """The middle of a cell on the view."""
        x, y = ((self.net.places[cell] + 0.5) * self.panel.item.unit).tolist()
        return self.canvas.mapFromScene(QPointF(x, y))

    def core(self, face: int) -> QPoint:
        """A place in the core of a face."""
        return self.spot(int(np.flatnonzero((self.net.voxels == NOBODY) & (self.net.faces == face))[0]))

    def cell_of(self, name: str, at: int = 0) -> int:
        """One of the cells in which a voxel appears."""
        return int(self.net.appearances(self.shapes.partition.shell.indices[name])[at])

    def voxel(self, name: str, at: int = 0) -> QPoint:
        """The middle of one of the cells in which a voxel appears."""
        return self.spot(self.cell_of(name, at))

    @property
    def target(self) -> QWidget:
        return self.canvas.viewport()

    def key(self, key: Qt.Key) -> None:
        self.canvas.setFocus()
        QTest.keyClick(self.canvas, key)
        self.settle()

    def colour_at(self, place: QPoint) -> str:
        image = self.canvas.viewport().grab().toImage()
        ratio = image.devicePixelRatio()
        return image.pixelColor(round(place.x() * ratio), round(place.y() * ratio)).name().upper()

    def beside(self, cell: int) -> QPoint:
        """A place within a cell, off its middle, where no mark is."""
        return self.spot(cell) + QPoint(10, 10)


stage = staged(NetStage)


def can_be_had(stage: NetStage, face: int, *, by_force: bool = False) -> list[str]:
    """The voxels that another piece has and a face could have; with `by_force` those that it is refused."""
    partition = stage.shapes.partition
    found = []
    for voxel, name in enumerate(partition.shell.names):
        if face in partition.shell.choices(voxel) and int(partition.owners[voxel]) != face:
            try:
                with_voxel(stage.document.design, name, FACES[face])
            except StudioError:
                if by_force:
                    found.append(name)
            else:
                if not by_force:
                    found.append(name)
    return found


def test_the_net_is_a_view_of_its_own_and_every_cell_wears_its_piece(stage: NetStage) -> None:
    titles = [view.title for view in stage.extension.views]
    assert titles == ["Model", "Plate", "Net", "Drawing"]
    assert stage.window.middle.shown is stage.panel and stage.panel.isVisible()
    has = stage.net.owners(stage.shapes.partition.owners)
    for cell in range(len(has)):
        if stage.net.voxels[cell] != NOBODY:
            assert stage.colour_at(stage.beside(cell)) == COLOURS[has[cell]].upper()


def test_a_click_on_a_core_selects_and_table_model_and_inspector_follow(stage: NetStage) -> None:
    stage.click(stage.core(FRONT))
    assert stage.extension.selection.piece == FRONT and stage.extension.page.shown.title.text() == "Piece C, front"
    assert [index.row() for index in stage.extension.table.selectionModel().selectedRows()] == [FRONT]
    stage.extension.table.selectRow(TOP)
    assert stage.extension.selection.piece == TOP
    stage.click(QPoint(4, 4))
    assert stage.extension.selection.piece is None and stage.document.history.count() == 0


def test_with_a_piece_selected_a_click_gives_it_a_voxel_that_can_be_undone(stage: NetStage) -> None:
    stage.click(stage.core(FRONT))
    for at in (0, 1):
        name = can_be_had(stage, FRONT)[0]
        before, count = stage.document.design, stage.document.history.count()
        stage.hover(stage.voxel(name, at))
        assert stage.canvas.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
        assert stage.panel.item.toolTip().endswith(f"; Shift+click to move {name} to C")
        stage.move(stage.voxel(name, at), SHIFT, NO_BUTTON)
        assert stage.canvas.viewport().cursor().shape() is Qt.CursorShape.CrossCursor
        assert stage.panel.item.toolTip() == f"Move {name} to C" == stage.panel.reading.text()
        stage.click(stage.voxel(name, at), SHIFT)
        assert stage.owner(name) == FRONT and stage.extension.selection.piece == FRONT
        assert stage.document.history.count() == count + 1
        assert stage.document.history.undoText() == f"Move {name} to C"
        stage.window.actions_["undo"].trigger()
        assert stage.document.design == before and stage.owner(name) != FRONT
        stage.window.actions_["redo"].trigger()
        assert stage.owner(name) == FRONT


def test_what_would_cut_a_piece_in_two_says_so_before_and_is_refused(stage: NetStage) -> None:
    face, name = next((face, name) for face in range(6) for name in can_be_had(stage, face, by_force=True))
    with pytest.raises(StudioError) as reason:
        with_voxel(stage.document.design, name, FACES[face])
    stage.extension.selection.select([face])
    stage.window.actions_["move_voxels"].trigger()
    stage.hover(stage.voxel(name))
    assert stage.canvas.viewport().cursor().shape() is Qt.CursorShape.ForbiddenCursor
    assert stage.panel.item.toolTip() == str(reason.value)
    stage.click(stage.voxel(name))
    notice = stage.window.notices.notice()
    assert notice is not None and notice.sentence == str(reason.value)
    assert stage.document.history.count() == 0 and stage.extension.selection.piece == face


def test_a_voxel_that_the_selected_piece_cannot_have_selects_its_own(stage: NetStage) -> None:
    stage.extension.selection.select([TOP])
    name = next(name for name in stage.shapes.partition.shell.names if "top" not in name)
    owner = stage.owner(name)
    stage.hover(stage.voxel(name))
    assert stage.panel.item.toolTip().startswith(f"Select {LETTERS[owner]}, ")
    stage.click(stage.voxel(name))
    assert stage.extension.selection.piece == owner and stage.document.history.count() == 0


def test_a_plain_click_selects_the_piece_of_a_voxel_whatever_is_selected(stage: NetStage) -> None:
    stage.extension.selection.select([FRONT])
    name = can_be_had(stage, FRONT)[0]
    owner = stage.owner(name)
    stage.click(stage.voxel(name))
    assert stage.extension.selection.piece == owner == stage.owner(name) and stage.document.history.count() == 0


def test_a_double_click_gives_a_voxel_to_the_next_piece(stage: NetStage) -> None:
    name = "left-front/1"
    other = with_voxel_turned(stage.document.design, name)
    stage.double_click(stage.voxel(name))
    assert stage.document.design == other and stage.document.history.count() == 1
    assert stage.document.history.undoText() == f"Move {name} to {LETTERS[stage.owner(name)]}"


def test_a_double_click_whose_first_click_has_given_a_voxel_gives_it_no_further(stage: NetStage) -> None:
    stage.extension.selection.select([FRONT])
    stage.window.actions_["move_voxels"].trigger()
    name = can_be_had(stage, FRONT)[0]
    stage.double_click(stage.voxel(name))
    assert stage.owner(name) == FRONT and stage.document.history.count() == 1


def test_every_appearance_of_a_voxel_lights_up_under_the_mouse(stage: NetStage) -> None:
    name = "left-front-top"
    before = stage.canvas.viewport().grab().toImage()
    stage.hover(stage.voxel(name))
    after = stage.canvas.viewport().grab().toImage()
    half = round(stage.panel.item.unit * stage.canvas.zoom / 2)
    for at in range(3):
        rims = [stage.voxel(name, at) + QPoint(*by) for by in ((half, 0), (-half, 0), (0, half), (0, -half))]
        assert sum(before.pixelColor(rim) != after.pixelColor(rim) for rim in rims) >= 2
    assert stage.panel.item.together(stage.cell_of(name)).tolist() == sorted(stage.cell_of(name, at) for at in range(3))
    QApplication.sendEvent(stage.canvas, QEvent(QEvent.Type.Leave))
    assert stage.panel.reading.text() == HINT and stage.canvas.viewport().grab().toImage() == before


def test_arrows_move_a_cursor_over_voxels_and_enter_gives(stage: NetStage) -> None:
    item = stage.panel.item
    stage.key(Qt.Key.Key_Right)
    assert item.stop is not None and stage.net.voxels[item.stop] != NOBODY
    start = item.stop
    stage.key(Qt.Key.Key_Down)
    name = stage.shapes.partition.shell.names[int(stage.net.voxels[item.stop])]
    owner = stage.owner(name)
    told = stage.panel.reading.text()
    assert item.stop != start and told.startswith(f"{name} belongs to {LETTERS[owner]}; Enter moves it to ")
    stage.key(Qt.Key.Key_Return)
    assert LETTERS[stage.owner(name)] == told[-1] != LETTERS[owner] and stage.document.history.count() == 1
    stage.key(Qt.Key.Key_Right)
    assert stage.net.voxels[item.stop] == NOBODY
    stage.key(Qt.Key.Key_Return)
    chosen = stage.extension.selection.piece
    assert chosen == stage.net.faces[item.stop]
    stage.key(Qt.Key.Key_Right)
    assert stage.net.voxels[item.stop] != NOBODY, "a core is one stop"
    stage.key(Qt.Key.Key_Escape)
    assert stage.extension.selection.piece is None and item.stop is None


def test_the_cursor_reaches_every_voxel(stage: NetStage) -> None:
    reached: set[int] = set()
    stage.key(Qt.Key.Key_Right)
    assert stage.panel.item.stop is not None
    waiting = [stage.panel.item.stop]
    while waiting:
        cell = waiting.pop()
        if cell in reached:
            continue
        reached.add(cell)
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            stage.panel.item.stop = cell
            next_ = stage.panel.tool._next(right, down)
            assert next_ is not None
            waiting.append(next_)
    assert set(np.flatnonzero(stage.net.voxels != NOBODY).tolist()) <= reached
    assert {int(face) for face in stage.net.faces[[cell for cell in reached if stage.net.voxels[cell] == NOBODY]]} == {
        *range(6)
    }


def test_what_the_cursor_is_on_is_told_to_screen_readers(stage: NetStage) -> None:
    stage.key(Qt.Key.Key_Right)
    assert stage.canvas.accessibleDescription() == stage.panel.reading.text()
    assert " belongs to " in stage.panel.reading.text()


def test_a_voxel_that_no_other_piece_can_have_says_so(stage: NetStage) -> None:
    partition = stage.shapes.partition
    for name in partition.shell.names:
        with suppress(StudioError):
            with_voxel_turned(stage.document.design, name)
            continue
        stage.hover(stage.voxel(name))
        owner = LETTERS[stage.owner(name)]
        assert stage.panel.item.toolTip().startswith(f"Select {owner}, ")
        assert stage.panel.item.toolTip().endswith(f"; {name} cannot belong to any other piece")
        stage.double_click(stage.voxel(name))
        assert stage.document.history.count() == 0 and stage.window.notices.notice() is not None
        return
    pytest.fail("every voxel of this cube can be given away")


def test_hand_edits_have_dots_and_locked_edges_padlocks_wherever_they_appear(stage: NetStage, tmp_path: Path) -> None:
    assert stage.panel.item.given() == [] and stage.panel.item.locks() == []
    assert not any(widget.isVisible() for widget in stage.panel._legend)
    name = can_be_had(stage, FRONT)[0]
    design = with_voxel(stage.document.design, name, "front")
    design = with_edges_locked(design, ["front-top", "left-back"], True)
    stage.document.edit("Give and lock", design)
    stage.settle()
    item = stage.panel.item
    assert item.given() == stage.net.appearances(stage.shapes.partition.shell.indices[name]).tolist()
    assert item.locks() == [(0.0, 60.0), (60.0, 40.0), (160.0, 60.0)], "on the fold once, on open rims twice"
    assert all(widget.isVisible() for widget in stage.panel._legend)


def test_padlocks_stand_on_the_right_rim_of_a_box_of_three_voxels(qapp: QApplication, tmp_path: Path) -> None:
    stage = NetStage(
        tmp_path, with_edges_locked(CubeDesign(CubeParameters(x=3, y=3, z=3)), ["back-top", "left-top"], True)
    )
    try:
        assert stage.panel.item.locks() == [(15.0, 30.0), (30.0, 15.0), (45.0, 0.0), (105.0, 30.0)]
    finally:
        stage.close()


def test_hidden_and_dimmed_pieces_are_so_in_the_net_too(stage: NetStage) -> None:
    has = stage.net.owners(stage.shapes.partition.owners)
    cell = int(np.flatnonzero((has == FRONT) & (stage.net.voxels != NOBODY))[0])
    stage.extension.selection.set_shown(FRONT, shown=False)
    assert stage.colour_at(stage.beside(cell)) == light_theme().board.name().upper()
    stage.extension.selection.show_all()
    stage.extension.selection.select([TOP])
    stage.extension.selection.dim_others()
    assert stage.colour_at(stage.beside(cell)) not in (COLOURS[FRONT].upper(), "#FFFFFF")


def test_the_wheel_zooms_at_the_mouse_the_middle_button_pans_and_fit_shows_all(stage: NetStage) -> None:
    zoom, place = stage.canvas.zoom, stage.core(FRONT)
    event = QWheelEvent(
        QPointF(place), QPointF(stage.canvas.viewport().mapToGlobal(place)), QPoint(), QPoint(0, 240), NO_BUTTON,
        NO_KEY, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(stage.canvas.viewport(), event)
    assert stage.canvas.zoom == pytest.approx(zoom * 1.15**2) and (stage.core(FRONT) - place).manhattanLength() <= 3
    before = stage.core(FRONT)
    stage.press(place, button=MIDDLE)
    stage.move(place + QPoint(30, 20), button=MIDDLE)
    stage.release(place + QPoint(30, 20), button=MIDDLE)
    assert (stage.core(FRONT) - before - QPoint(30, 20)).manhattanLength() <= 2
    stage.window.actions_["fit"].trigger()
    assert stage.canvas.zoom == pytest.approx(zoom)
    stage.window.actions_["zoom_in"].trigger()
    assert stage.canvas.zoom == pytest.approx(1.25 * zoom)


def test_a_changed_size_is_shown_whole(stage: NetStage) -> None:
    stage.window.form.edit("Change X", CubeParameters(x=12, y=5, z=3), None)
    stage.settle()
    assert stage.panel.item.size == (340.0, 130.0)
    seen = stage.canvas.mapToScene(stage.canvas.viewport().rect()).boundingRect()
    assert seen.contains(0, 0) and seen.contains(340, 130)


def test_what_only_turns_the_model_is_out_of_reach_while_it_is_not_seen(stage: NetStage) -> None:
    actions = stage.window.actions_
    assert not actions["from_front"].isEnabled() and not actions["assemble"].isEnabled()
    actions["view_model"].trigger()
    assert actions["from_front"].isEnabled() and actions["assemble"].isEnabled()
    actions["view_drawing"].trigger()
    assert not actions["from_front"].isEnabled()


def test_keys_of_pieces_and_the_menu_work_in_the_net(stage: NetStage, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _place: shown.append([each.text() for each in menu.actions()]))
    viewport, place = stage.canvas.viewport(), stage.core(TOP)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, event)
    assert {"Hide piece", "Isolate piece"} <= set(shown[0]) and stage.extension.selection.piece == TOP
    stage.key(Qt.Key.Key_H)
    assert TOP in stage.extension.selection.hidden
    stage.key(Qt.Key.Key_A)
    assert not stage.extension.selection.hidden


def test_an_edit_of_the_box_under_the_cursor_leaves_no_stale_cell(stage: NetStage) -> None:
    stage.window.form.edit("Change", CubeParameters(x=12, y=12, z=12), None)
    stage.settle()
    for _ in range(12):
        stage.key(Qt.Key.Key_Down)
    stage.window.form.edit("Change", CubeParameters(x=3, y=3, z=3), None)
    stage.settle()
    assert stage.panel.item.stop is None
    stage.key(Qt.Key.Key_Left)
    stage.key(Qt.Key.Key_Return)
    assert stage.panel.item.stop is not None and stage.panel.item.stop < len(stage.net.faces)


def test_the_net_follows_the_theme(stage: NetStage) -> None:
    stage.window.choose_theme(ThemeChoice.DARK)
    assert stage.colour_at(QPoint(3, 3)) == dark_theme().canvas.name().upper()


def test_an_edge_is_selected_with_ctrl_shown_wherever_it_appears_and_locked(stage: NetStage) -> None:
    name = "left-back/1"
    before = stage.canvas.viewport().grab().toImage()
    viewport, place = stage.canvas.viewport(), stage.voxel(name)
    held = Qt.KeyboardModifier.ControlModifier
    for kind, buttons in ((QEvent.Type.MouseButtonPress, LEFT), (QEvent.Type.MouseButtonRelease, NO_BUTTON)):
        event = QMouseEvent(kind, QPointF(place), QPointF(viewport.mapToGlobal(place)), LEFT, buttons, held)
        QApplication.sendEvent(viewport, event)
    stage.settle()
    edge = stage.shapes.partition.shell.edge_names.index("left-back")
    assert stage.extension.selection.edges == {edge} and stage.document.history.count() == 0
    after = stage.canvas.viewport().grab().toImage()
    half = round(stage.panel.item.unit * stage.canvas.zoom / 2)
    for at in (0, 1):
        rims = [stage.voxel(name, at) + QPoint(by, 0) for by in (half, -half)]
        assert all(before.pixelColor(rim) != after.pixelColor(rim) for rim in rims)
    stage.key(Qt.Key.Key_L)
    assert stage.panel.item.locks() == [(0.0, 60.0), (160.0, 60.0)]
    stage.key(Qt.Key.Key_Escape)
    assert not stage.extension.selection.edges


def test_a_press_that_leaves_its_cell_does_nothing(stage: NetStage) -> None:
    start, end = stage.core(FRONT), stage.core(TOP)
    stage.press(start)
    stage.move(end)
    stage.release(end)
    assert stage.extension.selection.piece is None and stage.document.history.count() == 0


@pytest.mark.parametrize("name", ["box.pdf", "box.svg"])
def test_the_assembly_sheet_is_written_from_the_file_menu(stage: NetStage, tmp_path: Path, name: str) -> None:
    action = stage.window.actions_["leaflet"]
    assert action.text() == "Assembly sheet…" and action in stage.window.actions_.of_menu("File")
    stage.answers.save = tmp_path / name
    action.trigger()
    assert stage.wait_for(lambda: (tmp_path / name).exists() and not stage.window.session.writing.is_writing)
    stage.settle()
    notice = stage.window.notices.notice()
    assert notice is not None and notice.sentence.startswith(f"Saved: {name}, 1 page of ")


def test_a_cube_with_an_error_gets_no_assembly_sheet(qapp: QApplication, tmp_path: Path) -> None:
    loose = NetStage(tmp_path, CubeDesign(CubeParameters(gap=4.0)))
    try:
        loose.answers.save = tmp_path / "box.pdf"
        loose.window.actions_["leaflet"].trigger()
        notice = loose.window.notices.notice()
        assert (
            notice is not None
            and "Fix the errors before saving the leaflet" in notice.sentence
            and not (tmp_path / "box.pdf").exists()
        )
    finally:
        loose.close()


def test_a_voxel_given_by_hand_that_has_lost_its_place_has_no_dot(qapp: QApplication, tmp_path: Path) -> None:
    for seed in range(40):
        design = CubeDesign(CubeParameters(seed=seed), voxels=(VoxelEdit("right-front-top", "top"),))
        stage = NetStage(tmp_path, design)
        ignored = bool(stage.shapes.partition.ignored)
        dots = stage.panel.item.given()
        stage.close()
        if ignored:
            assert dots == []
            return
        assert len(dots) == 3
    pytest.fail("no seed takes the edit's place away")


def test_closing_leaves_no_panel_behind(qapp: QApplication, tmp_path: Path) -> None:
    stage = NetStage(tmp_path)
    stage.key(Qt.Key.Key_Right)
    stage.document.edit("Change", replace(stage.document.design, parameters=CubeParameters(x=5)))
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_F5, NO_KEY)
    QApplication.sendEvent(stage.canvas, event)
    assert not event.isAccepted()
    stage.close()
    assert stage.document.design.parameters.x == 5
