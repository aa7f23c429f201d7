"""The cube in the window, by real mouse and key events: turned, taken apart, picked, hidden, edited, undone."""

from __future__ import annotations

import time
import weakref
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton, QWidget

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.fabricate.gaps_and_plates import keep_gap
from studio.fabricate.workshop import Plastic, Printer, one_of
from studio.puzzles.cube import check_problems
from studio.puzzles.cube.edits import with_voxel
from studio.puzzles.cube.geometry import TITLES, CubeShapes
from studio.puzzles.cube.grade import graded
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign, CubeParameters, VoxelEdit
from studio.puzzles.cube.shell import FACES
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.registry import kinds
from studio.ui.abilities.cuttable import CutExtension
from studio.ui.kinds.cube.extension import CubeExtension
from studio.ui.panels.coupon import CouponDialog, CouponRequest, Plate
from studio.ui.panels.fields import Field
from studio.ui.panels.printer_export_dialog import PrintDialog, PrintRequest
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences, ThemeChoice
from studio.ui.shell import open_documents as shell
from studio.ui.shell.open_documents import OpenDocuments
from studio.ui.shell.shortcuts import ShortcutsDialog
from studio.ui.solid.gl import GlRenderer
from studio.ui.solid.renderer import NoRenderer, PainterRenderer, Renderer
from studio.ui.solid.scene import BodyLook
from studio.ui.solid.view import SolidView
from studio.ui.widgets.theme import dark_theme
from tests.ui.stage import KindStage, paint_solids, staged

NO_BUTTON, LEFT, MIDDLE = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
FRONT, TOP = 2, 5


class CubeStage(KindStage):
    """One window on a cube, shown and checked, its solids by OpenGL if the test is about them."""

    def __init__(
        self, folder: Path, design: CubeDesign | None = None, *, view: str = "", by_opengl: bool = False
    ) -> None:
        # The window grades the cube: with the scale of its size known, no thread is at that beside every test.
        graded(CubeDesign(), SILENT)
        with pytest.MonkeyPatch.context() as patch:
            if not by_opengl:
                paint_solids(patch)
            super().__init__(folder, CUBE, design, view=view)

    @property
    def extension(self) -> CubeExtension:
        assert isinstance(self.window.extension, CubeExtension)
        return self.window.extension

    @property
    def view(self) -> SolidView:
        return self.extension.panel.view

    @property
    def shapes(self) -> CubeShapes:
        assert isinstance(self.window.pipeline.shapes, CubeShapes)
        return self.window.pipeline.shapes

    def owner(self, voxel: str) -> int:
        """The piece that has a voxel."""
        return int(self.shapes.partition.owners[self.shapes.partition.shell.indices[voxel]])

    def at(self, x: float, y: float, z: float, piece: int | None = None) -> QPoint:
        """Where a place of the box in mm is seen; with a piece, where it is when that has moved."""
        place = np.array([[x, y, z]])
        if piece is not None:
            place = place + next(each.shift for each in self.view.scene.placed if each.number == piece)
        size = (float(self.view.width()), float(self.view.height()))
        right, down, _ = self.view.camera.project(place, size)[0].tolist()
        return QPoint(round(right), round(down))

    @property
    def target(self) -> QWidget:
        return self.view

    def drag_by(self, start: QPoint, by: QPoint, button: Qt.MouseButton = LEFT) -> None:
        self.mouse(QEvent.Type.MouseButtonPress, start, button, button)
        for step in range(1, 5):
            self.move(start + by * step / 4, button=button)
        self.release(start + by, button=button)

    def key(self, key: Qt.Key) -> None:
        """A key on the view, shortcuts and all."""
        self.view.setFocus()
        QTest.keyClick(self.view, key)
        self.settle()


def can_have(stage: CubeStage, face: int, voxel: str) -> bool:
    """Whether a voxel that another piece has can be given to a face."""
    if stage.owner(voxel) == face:
        return False
    try:
        with_voxel(stage.document.design, voxel, FACES[face])
    except StudioError:
        return False
    return True


stage = staged(CubeStage)
by_opengl = staged(lambda folder: CubeStage(folder, by_opengl=True))


def test_a_cube_is_turned_taken_apart_picked_edited_and_undone(by_opengl: CubeStage) -> None:
    stage = by_opengl
    view, camera = stage.view, stage.view.camera
    before = view.grab().toImage()
    stage.drag_by(QPoint(20, 20), QPoint(60, -25))
    assert view.camera.yaw == pytest.approx(camera.yaw - 24) and view.camera.pitch == pytest.approx(camera.pitch - 10)
    assert view.grab().toImage() != before
    stage.key(Qt.Key.Key_1)
    assert (view.camera.yaw, view.camera.pitch) == (-90.0, 0.0)

    assert not stage.view.scene.has_letters, "together the pieces look as they are printed"
    stage.extension.panel.slider.setValue(1000)
    assert stage.view.scene.has_letters
    stage.settle()
    assert {round(float(np.linalg.norm(each.shift)), 1) for each in view.scene.placed} == {14.3}
    stage.extension.panel.slider.setValue(0)
    stage.settle()

    stage.click(stage.at(20, 0, 20))
    assert stage.extension.selection.piece == FRONT and "C, front" in stage.window.status.selected.text()
    edge = next(name for name in stage.shapes.partition.shell.names[:24] if can_have(stage, FRONT, name))
    x, _, z = (np.array(stage.shapes.partition.shell.places[stage.shapes.partition.shell.indices[edge]]) + 0.5) * 10
    spot = stage.at(x, 0, z)
    stage.hover(spot)
    assert view.cursor().shape() is Qt.CursorShape.PointingHandCursor
    assert view.toolTip().endswith(f"Shift+click to move {edge} to C")
    stage.mouse(QEvent.Type.MouseMove, spot, keys=SHIFT)
    assert view.cursor().shape() is Qt.CursorShape.CrossCursor and view.toolTip() == f"Move {edge} to C"
    stage.click(spot, SHIFT)
    assert stage.owner(edge) == FRONT
    assert stage.document.design.voxels == (VoxelEdit(edge, "front"),)
    assert stage.document.history.count() == 1 and stage.document.history.undoText() == f"Move {edge} to C"
    assert view.at(QPointF(spot))[0] == FRONT, "the piece has grown under the mouse"
    stage.window.actions_["undo"].trigger()
    assert stage.owner(edge) != FRONT and not stage.document.design.voxels
    stage.window.actions_["redo"].trigger()
    assert stage.owner(edge) == FRONT


def test_a_plain_click_selects_a_neighbour_and_moves_a_voxel_only_with_the_tool(stage: CubeStage) -> None:
    stage.key(Qt.Key.Key_1)
    edge = next(name for name in stage.shapes.partition.shell.names[:24] if can_have(stage, FRONT, name))
    owner, box = stage.owner(edge), stage.shapes.partition.shell
    x, _, z = (np.array(box.places[box.indices[edge]]) + 0.5) * 10
    spot = stage.at(x, 0, z)
    stage.click(stage.at(20, 0, 20))
    stage.click(spot)
    assert stage.extension.selection.piece == owner and stage.document.history.count() == 0
    stage.click(stage.at(20, 0, 20))
    stage.hover(spot)
    for key, shape in ((QEvent.Type.KeyPress, Qt.CursorShape.CrossCursor),
                       (QEvent.Type.KeyRelease, Qt.CursorShape.PointingHandCursor)):  # fmt: skip
        QApplication.sendEvent(stage.view, QKeyEvent(key, Qt.Key.Key_Shift, Qt.KeyboardModifier.NoModifier))
        assert stage.view.cursor().shape() is shape and (stage.view.mark is None) == (key is QEvent.Type.KeyRelease)
    stage.key(Qt.Key.Key_M)
    assert stage.window.actions_["move_voxels"].isChecked()
    assert "Click moves voxels" in stage.window.status.selected.text()
    stage.hover(spot)
    assert stage.view.cursor().shape() is Qt.CursorShape.CrossCursor
    stage.click(spot)
    assert stage.owner(edge) == FRONT and stage.document.history.count() == 1
    stage.key(Qt.Key.Key_M)
    stage.window.actions_["undo"].trigger()
    stage.click(spot)
    assert stage.owner(edge) == owner == stage.extension.selection.piece


def test_what_would_cut_a_piece_in_two_is_told_and_changes_nothing(stage: CubeStage) -> None:
    box = stage.shapes.partition.shell
    refused = None
    for voxel, name in enumerate(box.names):
        for face in box.choices(voxel):
            if face != stage.owner(name):
                try:
                    with_voxel(stage.document.design, name, FACES[face])
                except StudioError as problem:
                    refused = refused or (voxel, face, str(problem))
    assert refused is not None, "this cube has a voxel that cannot be given away"
    voxel, face, reason = refused
    stage.extension.selection.select([face])
    owner = int(stage.shapes.partition.owners[voxel])
    place = (np.array(box.places[voxel]) + 0.5) * 10 + stage.extension.panel.view.body(owner).way * 5
    stage.extension._click(owner, place, SHIFT)
    notice = stage.window.notices.notice()
    assert notice is not None and notice.sentence == reason and "cut off" in reason
    assert stage.document.history.count() == 0


def test_a_click_on_a_core_selects_and_one_beside_the_box_selects_nothing(stage: CubeStage) -> None:
    stage.key(Qt.Key.Key_7)
    stage.click(stage.at(20, 20, 40))
    assert stage.extension.selection.piece == TOP
    assert [index.row() for index in stage.extension.table.selectionModel().selectedRows()] == [TOP]
    stage.click(stage.at(20, 0, 20))
    assert stage.extension.selection.piece == FRONT and stage.extension.page.shown.title.text() == "Piece C, front"
    assert stage.document.history.count() == 0
    stage.click(QPoint(5, 5))
    assert stage.extension.selection.piece is None and stage.extension.page.shown.title.text() == "The whole box"
    stage.extension.table.selectRow(TOP)
    assert stage.extension.selection.piece == TOP
    stage.key(Qt.Key.Key_Escape)
    assert stage.extension.selection.piece is None


def test_pieces_are_hidden_shown_alone_dimmed_and_shown_again_by_keys(stage: CubeStage) -> None:
    stage.key(Qt.Key.Key_1)
    assert not stage.window.actions_["hide"].isEnabled()
    middle = stage.at(20, 0, 20)
    stage.click(middle)
    stage.key(Qt.Key.Key_H)
    assert stage.view.at(QPointF(stage.at(20, 0, 20)))[0] == 3, "behind the front one sees the back from inside"
    assert stage.extension.selection.piece is None and "1 hidden" in stage.window.status.selected.text()
    stage.extension.table.selectRow(0)
    stage.key(Qt.Key.Key_I)
    assert [each.number for each in stage.view.scene.placed] == [0]
    stage.key(Qt.Key.Key_D)
    stage.key(Qt.Key.Key_A)
    assert len(stage.view.scene.placed) == 6 and not stage.window.actions_["show_all"].isEnabled()
    stage.key(Qt.Key.Key_D)
    looks = {each.number: each.look for each in stage.view.scene.placed}
    assert looks[0] is BodyLook.SELECTED and {looks[face] for face in range(1, 6)} == {BodyLook.DIMMED}
    stage.key(Qt.Key.Key_D)
    assert BodyLook.DIMMED not in {each.look for each in stage.view.scene.placed}
    model = stage.extension.table.elements
    model.setData(model.index(4, 4), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert {each.number for each in stage.view.scene.placed} == {0, 1, 2, 3, 5}
    for piece in range(6):
        stage.extension.selection.set_shown(piece, shown=False)
    stage.view.grab()
    assert not stage.view.scene.placed


def test_the_wheel_zooms_at_the_mouse_and_the_middle_button_and_space_pan(stage: CubeStage) -> None:
    stage.key(Qt.Key.Key_1)
    place = stage.at(30, 0, 30)
    # The front lies nearer than the target, so it drifts a little.
    span = stage.view.camera.span
    stage.wheel(place, 3)
    assert stage.view.camera.span == pytest.approx(span / 1.15**3)
    assert (stage.at(30, 0, 30) - place).manhattanLength() <= 12
    before = stage.at(30, 20, 30)
    stage.drag_by(QPoint(200, 200), QPoint(40, 30), MIDDLE)
    assert (stage.at(30, 20, 30) - before - QPoint(40, 30)).manhattanLength() <= 2
    QApplication.sendEvent(
        stage.view, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier)
    )
    yaw = stage.view.camera.yaw
    stage.drag_by(QPoint(200, 200), QPoint(-40, -30))
    QApplication.sendEvent(
        stage.view, QKeyEvent(QEvent.Type.KeyRelease, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier)
    )
    assert (stage.at(30, 20, 30) - before).manhattanLength() <= 3 and stage.view.camera.yaw == yaw
    stage.window.actions_["fit"].trigger()
    assert stage.view.camera.span == pytest.approx(span)
    stage.key(Qt.Key.Key_Left)
    assert stage.view.camera.yaw == pytest.approx(-80.0)


def test_pieces_under_the_mouse_light_up_and_nothing_does_when_it_leaves(stage: CubeStage) -> None:
    stage.key(Qt.Key.Key_1)
    stage.hover(stage.at(20, 0, 20))
    assert [each.number for each in stage.view.scene.placed if each.look is BodyLook.HOVERED] == [FRONT]
    QApplication.sendEvent(stage.view, QEvent(QEvent.Type.Leave))
    assert not [each for each in stage.view.scene.placed if each.look is BodyLook.HOVERED]


def test_the_menu_offers_what_can_be_done_with_a_piece(stage: CubeStage, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _place: shown.append([each.text() for each in menu.actions()]))
    stage.key(Qt.Key.Key_1)
    place = stage.at(20, 0, 20)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, stage.view.mapToGlobal(place))
    QApplication.sendEvent(stage.view, event)
    assert stage.extension.selection.piece == FRONT, "the menu is about the piece under the mouse"
    assert {"Hide piece", "Isolate piece", "Fade others"} <= set(shown[0])
    assert "Show all" not in shown[0], "nothing is hidden"


def test_the_pieces_go_together_one_by_one(stage: CubeStage) -> None:
    panel = stage.extension.panel
    stage.key(Qt.Key.Key_P)
    assert panel.player.is_playing and stage.wait_for(lambda: 0 < panel.slider.value() < 990)
    panel.player.toggle()
    assert not panel.player.is_playing
    for share in (0.0, 0.5, 1.0):
        panel.player.seek_share(share)
        stage.view.grab()
        gone = [float(np.linalg.norm(each.shift)) for each in stage.view.scene.placed]
        assert sum(length > 0.01 for length in gone) == round(6 * (1 - share))
    assert panel.slider.value() == 0


def test_drafts_are_shown_while_it_moves_and_the_final_picture_at_rest(by_opengl: CubeStage) -> None:
    stage, view = by_opengl, by_opengl.view
    assert stage.wait_for(lambda: not view.is_moving)
    final = view.grab().toImage()
    stage.key(Qt.Key.Key_Right)
    stage.key(Qt.Key.Key_Left)
    assert view.is_moving
    draft = view.grab().toImage()
    assert stage.wait_for(lambda: not view.is_moving)
    again = view.grab().toImage()
    assert again == final and draft != final


def test_the_export_button_asks_whether_a_cube_goes_to_the_printer_or_to_the_laser(stage: CubeStage) -> None:
    (button,) = (each for each in stage.window.findChildren(QToolButton) if each.text() == "Export")
    assert button.popupMode() is QToolButton.ToolButtonPopupMode.InstantPopup
    assert [each.text() for each in button.menu().actions()] == ["Export for the printer…", "Export for the laser…"]


def test_ctrl_and_a_number_show_one_of_the_views(stage: CubeStage) -> None:
    for key, name in ((Qt.Key.Key_4, "drawing"), (Qt.Key.Key_3, "net"), (Qt.Key.Key_1, "model")):
        QTest.keyClick(stage.window, key, Qt.KeyboardModifier.ControlModifier)
        stage.settle()
        assert stage.window.actions_[f"view_{name}"].isChecked()
    assert stage.window.middle.shown is stage.extension.panel


def test_the_strip_switches_between_model_plate_and_drawing(stage: CubeStage) -> None:
    window, camera = stage.window, stage.view.camera
    window.actions_["view_plate"].trigger()
    assert stage.view.scene.plate is not None and window.middle.shown is stage.extension.panel
    assert min(each.body.mesh.bounds[0][2] for each in stage.view.scene.placed) == pytest.approx(0.0)
    stage.click(QPoint(stage.view.width() // 2, stage.view.height() // 2))
    assert not stage.extension.panel.film.isVisible()
    window.actions_["view_drawing"].trigger()
    assert window.canvas.isVisible() and not stage.extension.panel.isVisible()
    assert window.actions_["draft"].isEnabled()
    span = window.canvas.view.zoom
    window.actions_["zoom_in"].trigger()
    assert window.canvas.view.zoom == pytest.approx(1.25 * span)
    window.actions_["view_model"].trigger()
    assert stage.extension.panel.isVisible() and stage.view.scene.plate is None
    assert stage.view.camera.yaw == camera.yaw and not window.actions_["draft"].isEnabled()
    window.actions_["zoom_in"].trigger()
    assert stage.view.camera.span == pytest.approx(camera.span / 1.25, rel=0.01)


def test_a_changed_parameter_is_seen_while_it_is_edited(stage: CubeStage) -> None:
    before = stage.view.scene.corners.max(axis=0)
    stage.window.form.preview(CubeParameters(x=6))
    assert stage.view.scene.corners.max(axis=0) == pytest.approx([before[0] + 20, *before[1:]])
    stage.document.abandon()
    assert stage.view.scene.corners.max(axis=0) == pytest.approx(before)
    stage.window.form.edit("Change style", CubeParameters(style="voxel", segments=8), None)
    assert stage.wait_for(lambda: not stage.view.is_moving)
    assert not stage.view.grab().toImage().isNull()


def test_a_finding_selects_its_piece_and_hand_edits_are_taken_back(stage: CubeStage) -> None:
    stage.window.findings.chosen.emit(check_problems.SYMMETRIC.finding((1, 1), pieces=(3,), piece="Back", ways=2))
    assert stage.extension.selection.piece == 3
    box = stage.shapes.partition.shell
    name = next(name for name in box.names[:24] if can_have(stage, 3, name))
    stage.extension._give(box.indices[name])
    assert stage.window.actions_["reset"].isEnabled() and "1 voxel" in stage.extension.page.shown.facts["Edited"]
    stage.window.actions_["reset"].trigger()
    assert not stage.document.design.voxels and stage.document.history.count() == 2


def test_the_view_follows_the_theme(stage: CubeStage) -> None:
    stage.window.choose_theme(ThemeChoice.DARK)
    stage.settle()
    image = stage.view.grab().toImage()
    assert image.pixelColor(2, 2) == dark_theme().canvas


def test_the_keys_tell_what_the_mouse_does_to_a_cube(stage: CubeStage) -> None:
    stage.window.actions_["shortcuts"].trigger()
    (dialog,) = stage.window.findChildren(ShortcutsDialog)
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "orbit" in said and "nudge" not in said
    assert any(one.keys == ("Ctrl+4",) for one in dialog.model.elements)
    dialog.close()


def test_without_opengl_one_line_is_told_and_the_painter_takes_over(qapp: QApplication) -> None:
    from studio.base.progress import Progress
    from studio.puzzles.cube.geometry import shape
    from studio.ui.kinds.cube.extension import assembled

    def no_card() -> Renderer:
        raise NoRenderer("libEGL is not installed")

    view = SolidView((no_card, PainterRenderer))
    announced: list[str] = []
    view.announced.connect(announced.append)
    view.resize(400, 300)
    view.show_bodies(assembled(shape(CubeDesign(), None, Progress())))
    view.fit()
    view.show()
    QTest.qWait(20)
    view.grab()
    QTest.qWait(20)
    (sentence,) = announced
    assert "OpenGL" in sentence and "libEGL is not installed" in sentence
    assert isinstance(view.renderer, PainterRenderer) and view.at(QPointF(200, 150))[0] is not None
    view.close()
    view.deleteLater()


def test_a_closed_window_gives_its_context_back(qapp: QApplication, tmp_path: Path) -> None:
    renderers = []
    for _ in range(2):
        stage = CubeStage(tmp_path, by_opengl=True)
        stage.view.grab()
        held = stage.view.renderer
        if not isinstance(held, GlRenderer):
            pytest.skip("no OpenGL here")
        renderers.append(held)
        stage.close()
    assert all(each.is_released for each in renderers)
    gone = [weakref.ref(each) for each in renderers]
    del held, stage
    renderers.clear()
    import gc

    gc.collect()
    assert [each() for each in gone] == [None] * 2


def test_new_offers_every_kind_and_a_jigsaw_after_a_cube_and_back_works(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(shell, "state_folder", lambda: tmp_path / "state")
    monkeypatch.setattr(QApplication.instance(), "quitOnLastWindowClosed", lambda: False, raising=False)
    desk = OpenDocuments(Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)))
    first = desk.show(Document(JIGSAW, JIGSAW.example()))
    (menu,) = [each for each in first.findChildren(QMenu) if each.title() == "New"]
    assert [each.text() for each in menu.actions()] == [f"New {kind.title.lower()}" for kind in kinds()]
    first.actions_["new_cube"].trigger()
    cube = desk.window
    assert cube is not first and cube.document.kind is CUBE and not cube.document.is_modified
    cube.grab()
    assert isinstance(cube.extension, CubeExtension)
    cube.actions_["new_jigsaw"].trigger()
    assert desk.window.document.kind is JIGSAW and desk.window.middle.shown is desk.window.canvas
    assert desk.windows[:2] == [first, cube] and desk.shell.close()
    desk.shell.deleteLater()


@pytest.mark.parametrize("files", [["box.3mf"], ["box.stl"], [f"box-{face}.stl" for face in FACES]])
def test_a_cube_goes_to_the_printer_from_its_window(stage: CubeStage, tmp_path: Path, files: list[str]) -> None:
    def answer(dialog: PrintDialog) -> PrintRequest:
        dialog.file.name.setText("box")
        dialog.file.folder.setText(str(tmp_path))
        suffix = "-….stl" if len(files) > 1 else Path(files[0]).suffix
        dialog.file.format.setCurrentIndex(dialog.file.format.findData(suffix))
        assert dialog.export.isEnabled()
        return dialog.request()

    stage.answers.on_printing = answer
    stage.window.actions_["print"].trigger()
    assert stage.wait_for((tmp_path / files[-1]).exists, 20)
    while stage.window.session.writing.is_writing:
        QApplication.processEvents()
        time.sleep(0.005)
    stage.settle()
    notice = stage.window.notices.notice()
    assert notice is not None and ", 6 parts, " in notice.sentence
    assert all((tmp_path / name).stat().st_size > 1000 for name in files)


def test_a_cube_that_will_not_hold_is_not_printed(qapp: QApplication, tmp_path: Path) -> None:
    loose = CubeStage(tmp_path, CubeDesign(CubeParameters(gap=4.0)))
    announced: list[str] = []

    def answer(dialog: PrintDialog) -> None:
        assert not dialog.export.isEnabled()
        announced.append(dialog.error.sentence.text())

    try:
        loose.answers.on_printing = answer
        loose.window.actions_["print"].trigger()
        assert loose.wait_for(lambda: bool(announced))
        assert announced == [
            "Fix the errors before exporting. First error: 4 mm clearance is 40 % of a voxel; the pieces will not hold "
            "together."
        ]
        assert not loose.window.session.writing.is_writing
    finally:
        loose.close()


def test_the_cut_plan_brings_the_drawing_in_sight(stage: CubeStage) -> None:
    assert stage.window.middle.shown is not stage.window.canvas
    planning = stage.window.find_extension(CutExtension).planning
    stage.window.drawer.setCurrentWidget(planning)
    assert stage.wait_for(lambda: planning.plan is not None, 20)
    panel = planning.panel
    assert panel is not None and panel.player.is_shown
    assert stage.window.middle.shown is stage.window.canvas
    stage.window.show_view("model")
    panel.player.play()
    assert stage.window.middle.shown is stage.window.canvas, "it does not play unseen"
    panel.player.pause()


def test_a_gap_is_chosen_from_those_that_fitted_and_undone_in_one_step(stage: CubeStage) -> None:
    keep_gap(one_of(Printer, "usual-220"), one_of(Plastic, "petg"), 0.27)
    field = stage.window.form.field("gap").parentWidget()
    assert isinstance(field, Field)
    (menu,) = field.findChildren(QMenu)
    menu.aboutToShow.emit()
    (fits,) = [action for action in menu.actions() if action.text().startswith("Saved for PETG on ")]
    count = stage.window.document.history.count()
    fits.trigger()
    assert stage.window.document.design.parameters.gap == 0.27
    assert stage.window.document.history.count() == count + 1
    stage.window.document.history.undo()
    assert stage.window.document.design.parameters.gap == 0.2


def test_a_coupon_of_its_joints_is_printed_from_the_window(stage: CubeStage, tmp_path: Path) -> None:
    def answer(dialog: CouponDialog[Plate]) -> CouponRequest[Plate]:
        assert stage.wait_for(dialog.export.isEnabled, 20)
        return dialog.request()._replace(path=tmp_path / "fit.3mf")

    stage.answers.on_coupon = answer
    stage.window.actions_["gap_coupon"].trigger()
    while stage.window.session.writing.is_writing:
        QApplication.processEvents()
        time.sleep(0.005)
    stage.settle()
    notice = stage.window.notices.notice()
    assert notice is not None and "Saved and verified: fit.3mf, 10 parts, " in notice.sentence


def test_a_text_shows_on_the_model_while_it_is_written(stage: CubeStage) -> None:
    stage.window.document.edit(
        "Text", CubeDesign(CubeParameters(inside="text"))
    )  # fmt: skip
    editor = stage.window.form.field("text")

    def triangles() -> int:
        return sum(len(placed.body.mesh.triangles) for placed in stage.view.scene.placed)

    before = triangles()
    editor.setFocus()
    QTest.keyClicks(editor, "Anna")
    until = time.monotonic() + 20
    while triangles() < before + 300:
        assert time.monotonic() < until
        QApplication.processEvents()
        time.sleep(0.005)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert stage.window.document.design.parameters.text == "Anna"
    assert stage.window.document.history.undoText() == "Text “” → “Anna”"


def test_a_problem_of_a_cube_is_placed_by_its_pieces(stage: CubeStage) -> None:
    places = {
        finding.message: stage.window.extension.place_of(finding) for finding in stage.window.pipeline.findings or ()
    }
    titles = {*TITLES}
    assert places and all({*place.split(", ")} <= titles | {"Whole box"} for place in places.values())
