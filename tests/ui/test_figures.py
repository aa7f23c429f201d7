"""Figures on a jigsaw in the window, by real mouse and key events: added, dragged, rotated, edited and removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QMenu, QPushButton

from studio.base.progress import SILENT
from studio.checks.finding import Severity
from studio.geometry.curves.rings import box
from studio.geometry.planar.regions import pieces_as_polygons
from studio.paper.fonts import FOLDER
from studio.puzzles.jigsaw.figures.figure_edits import usual_height, with_figures_copied
from studio.puzzles.jigsaw.figures.silhouettes import OWN_FIGURES, figure, keys
from studio.puzzles.jigsaw.figures.whimsies import INSIDE, STICKS_OUT, CommonSetting, Pose, Setting, Whimsy
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.tongues.styles import Handle
from studio.puzzles.jigsaw.tongues.tongues import SIDE
from studio.puzzles.jigsaw.tongues.values import grip
from studio.ui.kinds.jigsaw.choosers import FigureChooser
from studio.ui.kinds.jigsaw.figures import FOLLOWING, FigureDialog, FigureRequest, Proposal
from studio.ui.session.jobs import Client
from studio.ui.widgets.length_spin import WholeSpinBox
from tests.ui.painted import Painted
from tests.ui.stage import Stage, dropping, staged

CAT = Whimsy("cat1", "cat", Pose(x=100.0, y=75.0, height=40.0))
FISH = Whimsy("fish1", "fish", Pose(x=200.0, y=75.0, height=30.0))


class FigureStage(Stage):
    """A window on a jigsaw with figures."""

    def do(self, name: str) -> None:
        """Trigger a command, and wait for what comes of it."""
        self.window.actions_[name].trigger()
        self.wait()

    def wait(self) -> None:
        """Wait for a change that is worked out."""
        assert self.wait_for(lambda: not self.window.session.changing.is_under_way)
        self.settle()

    def catch_up(self, x: float) -> None:
        """Wait until the cuts are where the cat was dragged to."""
        assert self.wait_for(lambda: abs(self.shapes.design.whimsies[0].pose.x - x) < 1.0)

    def answer(self, fill: Callable[[FigureDialog], None]) -> None:
        """Fill in the dialog as a maker would, and accept it."""

        def filled(dialog: FigureDialog) -> FigureRequest:
            fill(dialog)
            return dialog.request()

        self.answers.on_figure = filled

    @property
    def names(self) -> list[str]:
        """The figures that are pieces."""
        return [one.name for one in self.shapes.tiling.fillings]

    @property
    def selected(self) -> str:
        figure = self.extension.selection.figure
        return "" if figure is None else figure.name

    def pose(self, name: str = "cat1") -> Pose:
        return next(one.pose for one in self.design.whimsies if one.name == name)

    def middle(self, name: str = "cat1") -> QPoint:
        return self.at(self.pose(name).x, self.pose(name).y)


empty = staged(FigureStage)


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[FigureStage]:
    stage = FigureStage(tmp_path, JigsawDesign(whimsies=(CAT,)))
    stage.click(stage.middle())
    yield stage
    stage.close()


def test_a_figure_is_added_dragged_across_cuts_rotated_and_both_undone(empty: FigureStage) -> None:
    stage = empty
    stage.answer(lambda dialog: dialog.chooser.choose("fish"))
    stage.do("add_figure")
    assert (stage.names, stage.selected) == (["fish1"], "fish1")
    assert stage.extension.status_text == "1 figure selected"
    assert stage.document.history.undoText() == "Add figure"
    added = stage.pose("fish1")
    stage.drag(stage.middle("fish1"), stage.at(added.x + 60, added.y + 20))
    stage.wait()
    moved = stage.pose("fish1")
    assert (moved.x, moved.y) == pytest.approx((added.x + 60, added.y + 20), abs=1.0)
    assert (stage.selected, stage.names) == ("fish1", ["fish1"])
    stage.do("turn_figure_right")
    assert stage.pose("fish1").turn == 15.0
    assert [stage.document.history.text(at) for at in range(3)] == ["Add figure", "Move figure", "Rotate figure"]
    stage.do("undo")
    stage.do("undo")
    assert stage.pose("fish1") == added and stage.selected == "fish1"


def test_letters_are_added_in_a_line(empty: FigureStage) -> None:
    def fill(dialog: FigureDialog) -> None:
        QTest.keyClicks(dialog.text, "Oak")
        dialog.height_box.setValue(30.0)
        assert not dialog.chooser.isVisibleTo(dialog)

    empty.answer(fill)
    empty.do("add_figure")
    assert empty.names == ["O", "a", "k"]
    assert empty.document.history.undoText() == "Add letters"


def test_the_figures_of_one_theme_are_shown_and_one_of_them_chosen(empty: FigureStage) -> None:
    def fill(dialog: FigureDialog) -> None:
        def shown() -> list[str]:
            items = [dialog.chooser.pictures.item(at) for at in range(dialog.chooser.pictures.count())]
            return [item.text() for item in items if not item.isHidden()]

        dialog.chooser.choose("whale")
        everything = shown()
        QTest.keyClicks(dialog.chooser.theme, "Sea")
        assert dialog.chooser.theme.currentText() == "Sea"
        assert {"Anchor", "Crab", "Whale"} <= {*shown()} and "Cat" not in shown()
        assert dialog.chooser.pictures.currentItem().text() == "Whale"
        dialog.chooser.theme.setCurrentText("Birth")
        assert shown() == ["Bottle", "Pram", "Rocking horse", "Stork", "Teddy"]
        assert dialog.chooser.pictures.currentItem().text() == "Bottle"
        dialog.chooser.theme.setCurrentIndex(0)
        assert shown() == everything and dialog.chooser.pictures.currentItem().text() == "Bottle"

    empty.answer(fill)
    empty.do("add_figure")
    assert empty.names == ["bottle1"]


def test_a_figure_is_imported_from_a_drawing_and_a_bad_one_is_told(empty: FigureStage, tmp_path: Path) -> None:
    stage = empty
    drawing = tmp_path / "Leaf 7.svg"
    drawing.write_text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0,0 H50 V50"/></svg>')
    said = []

    def fill(dialog: FigureDialog) -> None:
        stage.answers.open = drawing
        dialog.load.click()
        assert stage.wait_for(dialog.load.isEnabled)
        said.append(dialog.problem.sentence.text())
        drawing.write_text('<svg xmlns="http://www.w3.org/2000/svg"><circle cx="9" cy="9" r="8"/></svg>')
        dialog.load.click()
        assert not dialog.load.isEnabled() and stage.wait_for(dialog.load.isEnabled)
        said.append(dialog.problem.sentence.text())
        assert stage.answers.asked_in == tmp_path, "the folder last used"
        assert [dialog.chooser.pictures.item(at).text() for at in (0, 1)] == ["Leaf 7", "Acorn"]
        dialog.height_box.setValue(40.0)

    stage.answer(fill)
    stage.do("add_figure")
    assert said[0].startswith("Cannot import Leaf 7.svg: 1 path is not closed") and said[1] == ""
    assert (stage.names, stage.selected) == (["leaf1"], "leaf1")
    hole = shapely.Polygon(stage.shapes.tiling.outline.region.interiors[0])
    assert hole.area == pytest.approx(np.pi * 20.0**2, rel=2e-3)
    stage.do("undo")
    assert stage.names == []


def test_a_name_has_the_height_that_fits_and_is_shown_on_the_board_while_it_is_typed(empty: FigureStage) -> None:
    stage, seen = empty, list[Pose]()

    def known(dialog: FigureDialog) -> Proposal:
        assert stage.wait_for(lambda: dialog.answer.answer is not None)
        assert dialog.answer.answer is not None
        return dialog.answer.answer

    def fill(dialog: FigureDialog) -> None:
        assert known(dialog).height == dialog.height_box.value() == usual_height(stage.design)
        assert dialog.height_label.text() == dialog.height_box.accessibleName() == "Height"
        QTest.keyClicks(dialog.text, "WALKER")
        assert dialog.height_label.text() == dialog.height_box.accessibleName() == "Cap height"
        fits = known(dialog)
        assert dialog.height_box.value() == fits.height == fits.tallest < usual_height(stage.design)
        rings = np.concatenate([ring for one in fits.figures for ring in one.on_board()])
        assert rings.min() > 0.0 and (rings.max(0) < (stage.design.parameters.width, 150.0)).all()
        dialog.height_box.setValue(fits.tallest + 1.0)
        assert known(dialog).made is None and not dialog.go.isEnabled()
        assert dialog.problem.sentence.text() == f"“WALKER” fits up to a cap height of {fits.tallest:g} mm."
        dialog.height_box.setValue(fits.tallest)
        seen.extend(one.pose for one in known(dialog).figures)

    stage.answer(fill)
    stage.do("add_figure")
    assert [one.pose for one in stage.design.whimsies] == seen, "the picture is what is placed"


def test_the_dialog_stays_open_until_its_work_has_succeeded(empty: FigureStage) -> None:
    stage, cancelled, started = empty, list[int](), list[FigureRequest]()
    dialog = FigureDialog(stage.design, stage.window.jobs)

    def start(request: FigureRequest, client: Client) -> None:
        started.append(request)
        client.wait(lambda: cancelled.append(1))

    dialog.start = start
    dialog.show()
    QTest.keyClicks(dialog.text, "Oak")
    QTest.keyClick(dialog.text, Qt.Key.Key_Return)
    assert started[0].text == "Oak" and dialog.isVisible() and dialog.is_working
    assert not dialog.text.isEnabled() and not dialog.go.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert cancelled == [1] and dialog.isVisible()
    dialog.refuse("There is no room for this figure on the board. Make it smaller.")
    assert (dialog.text.text(), dialog.text.isEnabled(), dialog.isVisible()) == ("Oak", True, True)
    assert dialog.problem.sentence.text().startswith("There is no room")
    dialog.accept()
    dialog.succeed()
    assert not dialog.isVisible() and len(started) == 2
    dialog.answer.cancel()
    dialog.deleteLater()


def test_an_impossible_figure_gives_its_sentence_and_loses_nothing(stage: FigureStage) -> None:
    before = stage.bytes
    stage.answer(lambda dialog: dialog.height_box.setValue(900.0))
    stage.do("add_figure")
    assert stage.posted() == "There is no room for this figure on the board. Make it smaller."
    form = stage.extension.inspector.figure.form  # type: ignore[union-attr]
    form.edited.emit("Height", Setting(x=100.0, y=75.0, height=400.0), object())
    stage.wait()
    assert stage.posted() == "There is no room for figure cat1 nearby. Make it smaller."
    assert (stage.bytes, stage.selected, stage.document.history.count()) == (before, "cat1", 0)
    assert not stage.extension.tool.marks.ghost.isVisible()
    assert form.parameters() == CAT.setting


def test_the_cuts_follow_a_dragged_figure_and_escape_puts_them_back(stage: FigureStage) -> None:
    ghost, layer = stage.extension.tool.marks.ghost, stage.window.canvas.drawing
    design, before = stage.design, stage.window.canvas.view.grab().toImage()
    stage.press(stage.middle())
    stage.move(stage.at(150.0, 75.0))
    assert ghost.isVisible() and ghost.pos().x() == pytest.approx(50.0, abs=1.0)
    stage.catch_up(150.0)
    assert layer.drawing is stage.shapes.drawing and stage.names == ["cat1"]
    assert (stage.design, stage.document.history.count()) == (design, 0)
    stage.key(Qt.Key.Key_Escape)
    stage.release(stage.at(150.0, 75.0))
    stage.wait()
    assert (stage.pose(), ghost.isVisible(), stage.selected) == (CAT.pose, False, "cat1")
    assert stage.window.canvas.view.grab().toImage() == before


def test_what_a_drag_shows_is_what_a_release_makes_as_one_step(stage: FigureStage) -> None:
    stage.press(stage.middle())
    for x in (104.0, 118.0, 137.0, 160.0):
        stage.move(stage.at(x, 70.0))
    stage.catch_up(160.0)
    shown = stage.shapes
    stage.release(stage.at(160.0, 70.0))
    stage.wait()
    assert stage.design.whimsies == shown.design.whimsies and stage.document.history.count() == 1
    assert stage.shapes.tiling.piece_names == shown.tiling.piece_names
    assert np.array_equal(stage.shapes.drawing.strokes.points, shown.drawing.strokes.points)
    stage.do("undo")
    assert stage.pose() == CAT.pose


def test_cuts_are_divided_in_a_thread_one_set_after_another_for_the_newest_place(stage: FigureStage) -> None:
    begun: list[str] = []
    stage.press(stage.middle())
    stage.window.session.jobs.began.connect(begun.append)
    for x in (104.0, 118.0, 137.0, 160.0):
        stage.mouse(QEvent.Type.MouseMove, stage.at(x, 70.0), Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton)
    assert stage.extension.tool.marks.ghost.pos().x() == pytest.approx(60.0, abs=1.0)
    stage.catch_up(160.0)
    assert begun.count(FOLLOWING) == 2, "the first place and the newest"


@pytest.mark.thorough
@pytest.mark.parametrize("draft", [False, True])
def test_a_dragged_figure_paints_only_its_surroundings(qapp: QApplication, tmp_path: Path, draft: bool) -> None:
    parameters = JigsawParameters(tiling="voronoi", exact=False, pieces=400, width=600.0, height=400.0)
    cat = replace(CAT, pose=Pose(x=300.0, y=200.0, height=60.0))
    stage = FigureStage(tmp_path, JigsawDesign(parameters, whimsies=(cat,)))
    stage.window.canvas.drawing.show_draft(draft)
    painted = Painted(stage.target)
    stage.press(stage.at(300.0, 210.0))
    for step in range(12):
        stage.move(stage.at(310.0 + 4.0 * step, 218.0 + 3.0 * (step % 5)))
        stage.catch_up(310.0 + 4.0 * step)
        if step == 1:
            painted.largest()
    part = painted.largest()
    assert 0.02 < part < 0.2
    stage.move(stage.at(420.0, 140.0))
    stage.catch_up(420.0)
    assert not painted.is_stale
    stage.release(stage.at(420.0, 140.0))
    stage.wait()
    assert not painted.is_stale
    stage.close()


def test_a_drag_paints_as_if_the_board_had_been_drawn_at_once(stage: FigureStage) -> None:
    stage.press(stage.middle())
    for x in (110.0, 131.0, 152.0):
        stage.move(stage.at(x, 80.0))
    stage.catch_up(152.0)
    layer, view = stage.window.canvas.drawing, stage.window.canvas.view
    lifted = view.grab().toImage()
    layer._redraw()
    redrawn = view.grab().toImage()
    assert _differing(lifted, redrawn) < 20


def _differing(one: QImage, other: QImage) -> int:
    """How many pixels differ by more than a shade."""
    pixels = [
        np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB888).constBits(), np.uint8).astype(int)
        for image in (one, other)
    ]
    return int((np.abs(pixels[0] - pixels[1]) > 64).sum())


def test_where_a_dragged_figure_does_not_fit_only_its_outline_goes_on(stage: FigureStage) -> None:
    stage.press(stage.middle())
    stage.move(stage.at(120.0, 75.0))
    stage.catch_up(120.0)
    shown = stage.shapes
    stage.move(stage.at(120.0, 148.0))
    QTest.qWait(600)
    assert stage.shapes is shown and stage.extension.tool.marks.ghost.pos().y() == pytest.approx(73.0, abs=1.0)
    stage.key(Qt.Key.Key_Escape)
    assert stage.shapes.design == stage.design


def test_a_dragged_figure_leaves_other_figures_and_edits_alone(tmp_path: Path, qapp: QApplication) -> None:
    stage = FigureStage(tmp_path, JigsawDesign(corners=(CornerEdit("1,1", 0.1, 0.1),), whimsies=(CAT, FISH)))
    stage.click(stage.middle())
    stage.drag(stage.middle(), stage.at(120.0, 80.0))
    stage.wait()
    assert stage.pose("fish1") == FISH.pose and stage.names == ["cat1", "fish1"]
    assert [edit.name for edit in stage.design.corners] == ["1,1"]
    stage.close()


def test_a_figure_dropped_over_the_border_goes_inside(stage: FigureStage) -> None:
    stage.drag(stage.middle(), stage.at(100.0, 148.0))
    stage.wait()
    assert stage.names == ["cat1"] and 120.0 < stage.pose().y < 130.0


def test_quick_nudges_are_one_step(stage: FigureStage) -> None:
    for _ in range(3):
        stage.key(Qt.Key.Key_Right)
    stage.key(Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    stage.wait()
    assert (stage.pose().x, stage.pose().y) == (103.0, 85.0)
    stage.do("undo")
    assert stage.pose() == CAT.pose


def test_commands_are_for_a_selected_figure(stage: FigureStage) -> None:
    actions = stage.window.actions_
    assert actions["remove_figure"].isEnabled() and not actions["reset"].isEnabled()
    stage.do("mirror_figure")
    assert stage.pose().is_mirrored
    QTest.keyClick(stage.window.canvas.view, Qt.Key.Key_Delete)
    stage.wait()
    assert (stage.design.whimsies, stage.document.history.undoText()) == ((), "Remove figure")
    assert not actions["turn_figure_left"].isEnabled()
    stage.do("undo")
    assert stage.names == ["cat1"]


def test_the_inspector_shows_and_changes_the_pose(stage: FigureStage) -> None:
    form = stage.extension.inspector.figure.form  # type: ignore[union-attr]
    field = form.field("height")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "50")
    QTest.keyClick(field, Qt.Key.Key_Return)
    stage.wait()
    assert stage.pose().height == 50.0
    assert stage.document.history.undoText() == "Height 40.0 mm → 50.0 mm"


@pytest.mark.thorough
def test_no_draft_is_drawn_through_a_figure(stage: FigureStage) -> None:
    canvas, (x, y) = stage.window.canvas, (CAT.pose.x, CAT.pose.y)
    shown = [canvas.view.grab().toImage()]
    canvas.show_draft(not canvas.drawing.is_draft)
    shown.append(canvas.view.grab().toImage())
    grid = np.mgrid[x - 20 : x + 20 : 0.5, y - 20 : y + 20 : 0.5].reshape(2, -1).T
    apart = np.hypot(*(grid[:, None] - stage.shapes.corners).transpose(2, 0, 1)).min(axis=1) > 4.0
    inside = [at for at in grid[apart].tolist() if stage.extension.selection.figure_at(*at) == "cat1"]
    assert len(inside) > 500
    with_draft, without = ([image.pixel(stage.at(*at)) for at in inside] for image in shown)
    assert with_draft == without


def test_a_selected_figure_with_a_hole_is_tinted_evenly(tmp_path: Path, qapp: QApplication) -> None:
    ring = Whimsy("key1", "key", Pose(x=150.0, y=75.0, height=110.0, turn=15.0))
    stage = FigureStage(tmp_path, JigsawDesign(whimsies=(ring,)))
    stage.extension.selection.select_figures(["key1"])
    stage.settle()
    drawing = stage.shapes.drawing
    (within,) = shapely.buffer(pieces_as_polygons(drawing, drawing.polylines)[-1:], -2.0)
    low_x, low_y, high_x, high_y = shapely.bounds(within).tolist()
    image = stage.window.canvas.view.viewport().grab().toImage()
    places = [(x, y) for x in np.arange(low_x, high_x, 0.5) for y in np.arange(low_y, high_y, 0.5)]
    inside = [place for place in places if shapely.contains_xy(within, *place)]
    colours = {image.pixelColor(stage.at(*place) * image.devicePixelRatio()).name() for place in inside}
    stage.close()
    assert len(inside) > 1000 and len(colours) == 1


def test_a_problem_of_a_figure_selects_it(tmp_path: Path, qapp: QApplication) -> None:
    stage = FigureStage(tmp_path, JigsawDesign(whimsies=(CAT.posed(height=12.0),)))
    stage.window.pipeline.finish()
    finding = next(one for one in stage.window.findings.model.elements if one.cells == ("cat1",))
    stage.window.findings.chosen.emit(finding)
    assert stage.selected == "cat1"
    stage.close()


class TwoFigureStage(FigureStage):
    """A window on a jigsaw with two figures."""

    def press_key(self, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.window.activateWindow()
        self.window.canvas.view.setFocus()
        QTest.keyClick(self.window.canvas.view, key, keys)
        self.settle()

    def handle(self, number: int) -> QPoint:
        """Where a handle of the frame is on the canvas."""
        item = self.extension.tool.marks.frame.handles[number]
        assert item.isVisible()
        return self.window.canvas.view.mapFromScene(item.pos())

    def off(self, place: QPoint, right: float, down: float) -> QPoint:
        """A place some mm from another."""
        zoom = self.window.canvas.view.zoom
        return place + QPoint(round(right * zoom), round(down * zoom))

    @property
    def chosen(self) -> list[str]:
        return [one.name for one in self.extension.selection.figures]


@pytest.fixture
def two(qapp: QApplication, tmp_path: Path) -> Iterator[TwoFigureStage]:
    stage = TwoFigureStage(tmp_path, JigsawDesign(whimsies=(CAT, FISH)))
    stage.click(stage.middle())
    yield stage
    stage.close()


def test_a_corner_of_the_frame_scales_a_figure_about_the_opposite_corner(two: TwoFigureStage) -> None:
    stage, still = two, two.handle(0)
    stage.drag(stage.handle(2), stage.off(stage.handle(2), -8, -14))
    stage.wait()
    pose = stage.pose()
    assert 25.0 < pose.height < 35.0 and (pose.turn, pose.is_mirrored) == (0.0, False)
    moved = stage.handle(0) - still
    assert max(abs(moved.x()), abs(moved.y())) <= 3
    assert stage.document.history.undoText() == "Scale figure" and stage.document.history.count() == 1
    stage.do("undo")
    assert stage.pose() == CAT.pose and stage.selected == "cat1"


def test_a_figure_is_not_scaled_below_a_sensible_size(two: TwoFigureStage) -> None:
    two.drag(two.handle(2), two.off(two.handle(2), -120, -120))
    two.wait()
    assert two.pose().height == 5.0
    assert not two.extension.tool.marks.frame.handles[0].isVisible()


def test_the_knob_rotates_a_figure_and_shift_holds_it_to_steps(two: TwoFigureStage) -> None:
    stage, shift = two, Qt.KeyboardModifier.ShiftModifier
    stage.drag(stage.handle(4), stage.off(stage.middle(), 30, -21))
    stage.wait()
    assert stage.pose().turn == pytest.approx(55.0, abs=2.0)
    assert (stage.pose().x, stage.pose().y, stage.pose().height) == (100.0, 75.0, 40.0)
    stage.drag(stage.handle(4), stage.off(stage.middle(), 30, -3), shift)
    stage.wait()
    assert stage.pose().turn == 90.0
    assert [stage.document.history.text(at) for at in range(2)] == ["Rotate figure", "Rotate figure"]


def test_a_click_on_the_mirror_handle_mirrors_a_figure_and_so_does_a_drag_across(two: TwoFigureStage) -> None:
    stage = two
    stage.hover(stage.handle(5))
    assert stage.target.cursor().shape() == Qt.CursorShape.PointingHandCursor
    stage.click(stage.handle(5))
    stage.wait()
    assert stage.pose() == replace(CAT.pose, is_mirrored=True)
    stage.drag(stage.handle(5), stage.off(stage.middle(), -12, 3))
    stage.wait()
    assert stage.pose() == CAT.pose and stage.selected == "cat1"
    assert [stage.document.history.text(at) for at in range(2)] == ["Mirror figure", "Mirror figure"]
    stage.drag(stage.handle(5), stage.off(stage.middle(), 4, 3))
    stage.wait()
    assert (stage.pose(), stage.document.history.count()) == (CAT.pose, 2), "a drag that stays on its side is none"


def test_two_figures_are_mirrored_about_their_middle(two: TwoFigureStage) -> None:
    stage = two
    stage.click(stage.middle("fish1"), Qt.KeyboardModifier.ShiftModifier)
    before = stage.extension.selection.posed
    stage.click(stage.handle(5))
    stage.wait()
    assert stage.pose("cat1").is_mirrored and stage.pose("fish1").is_mirrored
    assert (stage.pose("cat1").x > stage.pose("fish1").x) != (CAT.pose.x > FISH.pose.x)
    after = stage.extension.selection.posed
    assert before is not None and after is not None
    assert (after.pose.x, after.pose.y) == pytest.approx((before.pose.x, before.pose.y), abs=1e-3)


def test_the_frame_follows_the_outline_and_escape_brings_it_back(two: TwoFigureStage) -> None:
    stage, ghost, before = two, two.extension.tool.marks.ghost, two.handle(2)
    assert stage.target.cursor().shape() == Qt.CursorShape.SizeAllCursor
    stage.hover(before)
    assert stage.target.cursor().shape() == Qt.CursorShape.SizeFDiagCursor
    stage.press(before)
    stage.move(stage.off(before, 10, 14))
    assert ghost.isVisible() and stage.handle(2) != before
    stage.key(Qt.Key.Key_Escape)
    stage.release(stage.off(before, 10, 14))
    assert not ghost.isVisible() and stage.handle(2) == before
    assert (stage.pose(), stage.document.history.count()) == (CAT.pose, 0)
    stage.window.canvas.view.zoom_by(2.0)
    away = stage.handle(4) - (stage.handle(0) + stage.handle(1)) / 2
    assert abs(away.x()) <= 1 and away.y() == pytest.approx(-26, abs=1)


def test_several_figures_are_dragged_together_as_one_step(two: TwoFigureStage) -> None:
    stage = two
    stage.click(stage.middle("fish1"), Qt.KeyboardModifier.ShiftModifier)
    assert stage.chosen == ["cat1", "fish1"] and stage.extension.status_text == "2 figures selected"
    assert stage.extension.tool.marks.frame.handles[0].isVisible()
    stage.drag(stage.middle("fish1"), stage.at(215.0, 85.0))
    stage.wait()
    moves = [(stage.pose(one.name).x - one.pose.x, stage.pose(one.name).y - one.pose.y) for one in (CAT, FISH)]
    assert moves[0] == pytest.approx(moves[1]) and moves[0] == pytest.approx((15.0, 10.0), abs=1.0)
    assert stage.document.history.undoText() == "Move 2 figures" and stage.chosen == ["cat1", "fish1"]
    stage.do("undo")
    assert (stage.pose("cat1"), stage.pose("fish1")) == (CAT.pose, FISH.pose)
    stage.click(stage.middle("fish1"), Qt.KeyboardModifier.ControlModifier)
    assert stage.chosen == ["cat1"]


def test_all_figures_are_selected_nudged_and_removed(two: TwoFigureStage) -> None:
    stage, control = two, Qt.KeyboardModifier.ControlModifier
    stage.press_key(Qt.Key.Key_A, control)
    assert stage.chosen == ["cat1", "fish1"] and not stage.extension.selection.tongues
    stage.press_key(Qt.Key.Key_Right)
    stage.press_key(Qt.Key.Key_Right)
    stage.wait()
    assert (stage.pose("cat1").x, stage.pose("fish1").x) == (102.0, 202.0)
    assert stage.document.history.count() == 1 and stage.document.history.undoText() == "Nudge 2 figures"
    stage.click(stage.middle("fish1"))
    assert stage.chosen == ["fish1"]
    stage.press_key(Qt.Key.Key_A, control)
    stage.press_key(Qt.Key.Key_Delete)
    stage.wait()
    assert stage.design.whimsies == () and stage.document.history.undoText() == "Remove 2 figures"
    stage.press_key(Qt.Key.Key_A, control)
    assert stage.extension.selection.tongues


def test_selected_figures_are_duplicated_by_a_key_beside_them_and_the_copies_are_selected(two: TwoFigureStage) -> None:
    stage, control = two, Qt.KeyboardModifier.ControlModifier
    stage.press_key(Qt.Key.Key_D, control)
    stage.wait()
    assert stage.names == ["cat1", "cat2", "fish1"] and stage.chosen == ["cat2"]
    assert stage.document.history.undoText() == "Duplicate figure"
    assert stage.pose("cat2") == replace(CAT.pose, x=stage.pose("cat2").x, y=stage.pose("cat2").y)
    stage.do("undo")
    assert stage.names == ["cat1", "fish1"]
    stage.press_key(Qt.Key.Key_Escape)
    assert not stage.window.actions_["duplicate_figure"].isEnabled()


def test_a_box_selects_the_figures_inside_it(two: TwoFigureStage) -> None:
    stage = two
    stage.press_key(Qt.Key.Key_Escape)
    stage.drag(stage.at(165.0, -8.0), stage.at(240.0, 158.0))
    assert stage.chosen == ["fish1"]
    stage.drag(stage.at(-8.0, -8.0), stage.at(308.0, 158.0))
    assert stage.chosen == ["cat1", "fish1"]
    stage.drag(stage.middle("cat1"), stage.at(108.0, 75.0))
    stage.wait()
    assert stage.document.history.undoText() == "Move 2 figures"


def test_a_tongue_of_a_figure_is_clicked_flipped_pulled_and_keeps_its_edits_when_the_figure_is_dragged(
    qapp: QApplication, tmp_path: Path
) -> None:
    star = Whimsy("star1", "star", Pose(x=150.0, y=75.0, height=60.0), tongues=4)
    stage = FigureStage(tmp_path, JigsawDesign(whimsies=(star,)))
    tongue = stage.shapes.tiling.tongue_indices["star1.2"]

    def tip() -> QPoint:
        item = stage.extension.tool.marks.handles[Handle.SIZE]
        assert item.isVisible()
        return stage.at(item.pos().x(), item.pos().y())

    curve = stage.shapes.curve(tongue)
    place = stage.at(*curve[3 * (len(curve) // 6)].tolist())
    stage.click(place)
    assert stage.extension.selection.tongues == {tongue}
    assert stage.extension.status_text == "1 tongue selected"
    before = stage.shapes.tongues[tongue].copy()
    stage.double_click(place)
    assert stage.design.tongue("star1.2").side == -before[SIDE]
    assert stage.document.history.undoText() == "Flip 1 tongue"
    stage.drag(tip(), stage.at(*foot(stage, tongue)) + (tip() - stage.at(*foot(stage, tongue))) * 2)
    assert stage.document.history.undoText() == "Resize 1 tongue"
    assert stage.design.tongue("star1.2").size is not None
    edits = stage.design.tongues
    stage.click(stage.middle("star1"))
    assert stage.selected == "star1"
    stage.drag(stage.middle("star1"), stage.at(160.0, 80.0))
    stage.wait()
    assert stage.pose("star1").x == pytest.approx(160.0, abs=1.0) and stage.design.tongues == edits
    stage.do("undo")
    stage.do("undo")
    stage.do("undo")
    assert stage.design.tongues == () and stage.pose("star1") == star.pose
    stage.close()


def foot(stage: FigureStage, tongue: int) -> tuple[float, float]:
    """The middle of the foot of a figure's tongue."""
    x, y = grip(stage.shapes, tongue).frames.ends[0].mean(axis=0).tolist()
    return x, y


def test_figures_selected_together_are_scaled_rotated_and_mirrored_about_their_common_centre(
    qapp: QApplication, tmp_path: Path
) -> None:
    fish = Whimsy("fish1", "fish", Pose(x=190.0, y=75.0, height=30.0))
    stage = FigureStage(tmp_path, JigsawDesign(whimsies=(CAT, fish)))
    stage.click(stage.middle("cat1"))
    stage.click(stage.middle("fish1"), Qt.KeyboardModifier.ShiftModifier)
    assert stage.extension.status_text == "2 figures selected"
    together = stage.extension.selection.posed
    assert together is not None
    frame = stage.extension.tool.marks.frame

    def handle(number: int) -> QPoint:
        item = frame.handles[number]
        assert item.isVisible()
        return stage.at(item.pos().x(), item.pos().y())

    away = stage.pose("fish1").x - stage.pose("cat1").x
    stage.drag(handle(2), handle(2) + QPoint(26, 10))
    stage.wait()
    assert stage.document.history.undoText() == "Scale 2 figures"
    share = stage.pose("cat1").height / 40.0
    assert share > 1.05 and stage.pose("fish1").height == pytest.approx(30.0 * share)
    assert stage.pose("fish1").x - stage.pose("cat1").x == pytest.approx(share * away)
    stage.do("undo")
    stage.do("turn_figure_right")
    assert stage.document.history.undoText() == "Rotate 2 figures"
    assert {stage.pose(name).turn for name in ("cat1", "fish1")} == {15.0}
    assert stage.pose("cat1").y < 75.0 < stage.pose("fish1").y
    stage.do("undo")
    stage.drag(handle(4), handle(4) + QPoint(40, 10))
    stage.wait()
    assert stage.pose("cat1").turn == stage.pose("fish1").turn > 5.0
    stage.do("undo")
    stage.do("mirror_figure")
    assert stage.pose("cat1").is_mirrored and stage.pose("cat1").x > stage.pose("fish1").x
    stage.do("undo")
    stage.drag(stage.middle("fish1"), stage.middle("fish1") + QPoint(30, 12))
    stage.wait()
    assert stage.document.history.undoText() == "Move 2 figures"
    assert stage.pose("fish1").x - stage.pose("cat1").x == pytest.approx(away)
    stage.do("undo")
    assert (stage.pose("cat1"), stage.pose("fish1")) == (CAT.pose, fish.pose)
    form = stage.extension.inspector.figures.form  # type: ignore[union-attr]
    assert form.parameters() == CommonSetting(together.pose.x, together.pose.y, together.pose.height)
    form.edited.emit("Change height", replace(form.parameters(), height=together.pose.height * 0.8), None)
    stage.wait()
    assert stage.pose("cat1").height == pytest.approx(32.0)
    form.edited.emit("Change tongues", replace(form.parameters(), tongues=2), None)
    stage.wait()
    assert [one.tongues for one in stage.design.whimsies] == [2, 2]
    stage.close()


def dropped(stage: FigureStage, path: Path, place: QPoint) -> QMenu | None:
    """The menu that is shown for a file that was dropped at a place on the canvas."""
    data, left, keys = QMimeData(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, window = Qt.DropAction.CopyAction, stage.window
    at = stage.target.mapTo(window, place)
    entering = QDragEnterEvent(at, copy, data, left, keys)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(at), copy, data, left, keys))
    menu = QApplication.activePopupWidget()
    return menu if isinstance(menu, QMenu) else None


LOZENGE = '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="60mm" viewBox="0 0 40 60"><path d="{}"/></svg>'


@dropping
@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_dropped_drawing_becomes_a_figure_where_it_was_dropped(qapp: QApplication, tmp_path: Path) -> None:
    stage = FigureStage(tmp_path, JigsawDesign())
    file = tmp_path / "lozenge.svg"
    file.write_text(LOZENGE.format("M20 0 L40 30 L20 60 L0 30 Z"))
    menu = dropped(stage, file, stage.at(210.0, 60.0))
    assert menu is not None
    assert [action.text() for action in menu.actions()] == [
        "Add as &figure", "Use as &outline", "Use as &cuts", "Use as &picture",
    ]  # fmt: skip
    menu.actions()[0].trigger()
    menu.close()
    assert stage.wait_for(lambda: bool(stage.design.whimsies))
    (figure,) = stage.design.whimsies
    assert figure.name == "lozenge1" and (figure.pose.x, figure.pose.y) == pytest.approx((210.0, 60.0), abs=1.0)
    assert figure.width == pytest.approx(40 / 60) and stage.document.history.undoText() == "Add figure"
    stage.close()


@dropping
@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize(("use", "is_used"), [
    (1, lambda design: design.parameters.outline == "file"), (2, lambda design: len(design.cuts) == 1),
    (3, lambda design: design.picture is not None),
], ids=["outline", "cuts", "picture"])  # fmt: skip
def test_a_dropped_drawing_becomes_the_outline_the_cuts_or_the_picture(
    qapp: QApplication, tmp_path: Path, use: int, is_used: Callable[[JigsawDesign], bool]
) -> None:
    stage = FigureStage(tmp_path, JigsawDesign())
    file = tmp_path / "lozenge.svg"
    file.write_text(LOZENGE.format("M20 0 L40 30 L20 60 L0 30 Z" + " M0 30 L40 30" * (use == 2)))
    menu = dropped(stage, file, stage.at(100.0, 60.0))
    assert menu is not None and not is_used(stage.design)
    menu.actions()[use].trigger()
    menu.close()
    assert stage.wait_for(lambda: is_used(stage.design)) and stage.document.history.count() == 1
    stage.close()


@dropping
@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_dropped_drawing_without_a_closed_path_is_refused_and_no_choice_changes_nothing(
    qapp: QApplication, tmp_path: Path
) -> None:
    stage = FigureStage(tmp_path, JigsawDesign())
    file = tmp_path / "line.dxf"
    file.write_text("0\nSECTION\n2\nENTITIES\n0\nLINE\n10\n0\n20\n0\n11\n5\n21\n5\n0\nENDSEC\n0\nEOF\n")
    menu = dropped(stage, file, stage.at(100.0, 60.0))
    assert menu is not None
    assert [action.text() for action in menu.actions()] == ["Add as &figure", "Use as &outline", "Use as &cuts"]
    menu.close()
    stage.wait()
    assert stage.document.history.count() == 0 and not stage.posted()
    menu = dropped(stage, file, stage.at(100.0, 60.0))
    assert menu is not None
    menu.actions()[0].trigger()
    menu.close()
    assert stage.wait_for(lambda: bool(stage.posted()))
    assert stage.design == JigsawDesign() and "line.dxf" in stage.posted()
    stage.close()


def test_a_copy_leaves_more_than_a_wall_to_its_original(qapp: QApplication, tmp_path: Path) -> None:
    made = with_figures_copied(JigsawDesign(whimsies=(CAT,)), ["cat1"], SILENT).design
    first, second = (shapely.Polygon(one.on_board()[0][::3]) for one in made.whimsies)
    parameters = made.parameters
    assert first.distance(second) > 0.25 * min(parameters.cell) - 0.1 > parameters.least_bridge


def test_letters_have_a_font_that_is_searched_for_and_remembered(empty: FigureStage, tmp_path: Path) -> None:
    stage, font = empty, tmp_path / "own.ttf"
    font.write_bytes((FOLDER / "DejaVuSans.ttf").read_bytes())

    def fill(dialog: FigureDialog) -> None:
        chooser, fonts = dialog.letters.chooser, dialog.letters.chooser.fonts
        QTest.keyClicks(dialog.text, "Jo / Al")
        assert dialog.letters.isVisibleTo(dialog) and not dialog.chooser.pictures.isVisibleTo(dialog)
        assert stage.wait_for(lambda: fonts.count() > 2)
        QTest.keyClicks(chooser.search, "sans dejavu bold")
        shown = [fonts.item(at).text() for at in range(fonts.count()) if not fonts.item(at).isHidden()]
        assert "DejaVu Sans Bold" in shown and all("Bold" in each for each in shown)
        chooser.take(font)
        assert (chooser.font_name, chooser.search.text()) == (str(font), "")
        assert stage.wait_for(lambda: fonts.sample(str(font)) is not None)
        modes = dialog.letters.form.field("mode")
        assert isinstance(modes, QComboBox)
        modes.setCurrentIndex(1)
        modes.activated.emit(1)
        assert dialog.letters.how.mode == "joined"
        dialog.height_box.setValue(20.0)
        assert stage.wait_for(lambda: dialog.answer.answer is not None and dialog.answer.answer.height == 20.0)
        dialog.text.setText("")
        assert dialog.chooser.pictures.isVisibleTo(dialog)
        dialog.text.setText("Jo / Al")

    stage.answer(fill)
    stage.do("add_figure")
    assert stage.names == ["joal1"] and stage.selected == "joal1"
    assert stage.window.session.preferences.recent_fonts() == (str(font),)
    stage.do("undo")
    assert stage.names == []


def test_a_font_that_lacks_a_letter_is_dimmed_and_refused_in_the_dialog(empty: FigureStage) -> None:
    dialog = FigureDialog(empty.design, empty.window.jobs, fonts=["DejaVu Sans", "gone.ttf"])
    dialog.show()
    dialog.text.setText("नम")
    fonts = dialog.letters.chooser.fonts
    assert empty.wait_for(lambda: fonts.lacks("DejaVu Sans") and fonts.lacks("gone.ttf") and fonts.lacks(""))
    assert empty.wait_for(lambda: bool(dialog.answer.problem)) and not dialog.go.isEnabled()
    assert dialog.problem.sentence.text().startswith("The text cannot be cut: no font has “न”")
    dialog.letters.chooser.choose("gone.ttf")
    assert empty.wait_for(lambda: "gone.ttf cannot be used" in dialog.problem.sentence.text())
    dialog.letters.chooser.choose("")
    dialog.text.setText("Al")
    assert empty.wait_for(lambda: dialog.go.isEnabled() and dialog.answer.answer is not None)
    dialog.answer.cancel()
    dialog.deleteLater()


HEARTS = (
    Whimsy("heart1", "heart", Pose(x=60.0, y=75.0, height=40.0)),
    Whimsy("heart2", "heart", Pose(x=240.0, y=79.0, height=40.0)),
)


def test_a_figure_that_may_touch_is_dragged_onto_another_and_comes_to_the_front(
    qapp: QApplication, tmp_path: Path
) -> None:
    design = JigsawDesign(JigsawParameters(width=300.0, height=150.0, columns=12, rows=6), whimsies=HEARTS)
    stage = FigureStage(tmp_path, design)
    stage.press(stage.at(60.0, 75.0))
    stage.release(stage.at(60.0, 75.0))
    form = stage.extension._inspector.figure.form
    form.edited.emit("Share cuts", replace(form.parameters(), touches=True), None)
    stage.wait()
    stage.press(stage.at(60.0, 75.0))
    for x in (120.0, 180.0, 211.0):
        stage.move(stage.at(x, 75.0))
    stage.release(stage.at(211.0, 75.0))
    stage.wait()
    one, other = stage.window.session.document.design.whimsies
    assert one.touches and one.pose.x == pytest.approx(211.0, abs=2.0) and not other.touches
    # It snaps to the middle of the other, four millimetres further down.
    assert one.pose.y == pytest.approx(75.0, abs=2.0)
    assert {"heart1", "heart2"} == {*stage.names}

    def area(name: str) -> float:
        drawing = stage.shapes.drawing
        return float(drawing.piece_areas[drawing.pieces.names.index(name)])

    assert area("heart2") < 0.95 * area("heart1")
    stage.extension.selection.select_figures(["heart2"])
    stage.do("order_front")
    assert area("heart1") < 0.95 * area("heart2")
    stage.do("undo")
    stage.extension.selection.select_figures(["heart1", "heart2"])
    stage.do("align_top")
    assert np.ptp([box(one.on_board()[0])[0][1] for one in stage.window.session.document.design.whimsies]) < 1e-4
    assert not stage.window.actions_["distribute_across"].isEnabled()
    stage.close()


def test_values_that_selected_figures_do_not_share_are_shown_as_several(qapp: QApplication, tmp_path: Path) -> None:
    hearts = replace(HEARTS[0], touches=True, border=STICKS_OUT, tongues=2), HEARTS[1]
    parameters = JigsawParameters(width=300.0, height=150.0, columns=12, rows=6)
    stage = FigureStage(tmp_path, JigsawDesign(parameters, whimsies=hearts))
    stage.extension.selection.select_figures(["heart1", "heart2"])
    form = stage.extension._inspector.figures.form
    touches, border, tongues = form.field("touches"), form.field("border"), form.field("tongues")
    assert isinstance(touches, QCheckBox) and isinstance(border, QComboBox) and isinstance(tongues, WholeSpinBox)

    def enter(name: str, text: str) -> None:
        line = form.field(name)
        line.setFocus()
        QTest.keySequence(line, "Ctrl+A")
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)
        stage.wait()

    def shown() -> tuple[object, ...]:
        return touches.checkState(), border.currentText(), tongues.text()

    several = Qt.CheckState.PartiallyChecked, "", "Several"
    assert shown() == several and border.placeholderText() == "Several"
    enter("x", "151")
    assert [(one.touches, one.border, one.tongues) for one in stage.design.whimsies] == [
        (True, STICKS_OUT, 2), (False, INSIDE, 0)
    ], "only what was entered is changed"  # fmt: skip
    assert shown() == several
    touches.click()
    stage.wait()
    assert [one.touches for one in stage.design.whimsies] == [True, True]
    assert shown() == (Qt.CheckState.Checked, *several[1:]) and not touches.isTristate()
    border.setFocus()
    QTest.keyClick(border, Qt.Key.Key_Down)
    stage.wait()
    assert [one.border for one in stage.design.whimsies] == [INSIDE, INSIDE] and border.currentText() == "Keep inside"
    enter("tongues", "2")
    assert [one.tongues for one in stage.design.whimsies] == [2, 2] and tongues.text() == "2"
    assert stage.document.history.undoText() == "Tongues 2"
    for _ in range(4):
        stage.do("undo")
    assert stage.design.whimsies == hearts and shown() == several
    stage.close()


def test_a_dragged_figure_snaps_to_the_centre_and_with_ctrl_it_does_not(qapp: QApplication, tmp_path: Path) -> None:
    design = JigsawDesign(JigsawParameters(width=300.0, height=150.0, columns=12, rows=6), whimsies=HEARTS[:1])
    stage, seen = FigureStage(tmp_path, design), list[dict[str, Pose]]()
    stage.extension.tool.figures_dragged.connect(seen.append)
    for modifier, snaps in ((Qt.KeyboardModifier.NoModifier, True), (Qt.KeyboardModifier.ControlModifier, False)):
        stage.press(stage.at(60.0, 75.0))
        for x in (100.0, 150.6):
            stage.move(stage.at(x, 60.0), modifier)
        low, high = box(replace(HEARTS[0], pose=seen[-1]["heart1"]).on_board()[0])
        assert (abs(float(low[0] + high[0]) / 2 - 150.0) < 1e-6) == snaps
        stage.key(Qt.Key.Key_Escape)
        stage.release(stage.at(150.6, 60.0))
    stage.close()


def test_a_figure_is_kept_in_the_library_with_tags_and_found_in_every_puzzle(empty: FigureStage) -> None:
    shape, jobs = replace(figure("cat"), title="Tom"), empty.window.jobs

    def shown(chooser: FigureChooser) -> list[str]:
        items = [chooser.pictures.item(at) for at in range(chooser.pictures.count())]
        return [item.text() for item in items if not item.isHidden()]

    first = FigureDialog(empty.design, jobs)
    first.show()
    assert not first.chooser.keep.isEnabled() and first.chooser.theme.findText("My figures") < 0
    assert shown(first.chooser) == sorted(shown(first.chooser), key=str.casefold)
    first.chooser.theme.setCurrentText("Sea")
    assert shown(first.chooser)[-3:] == ["Starfish", "Turtle", "Whale"] and shown(first.chooser)[6] == "Sailing boat"
    first.chooser.theme.setCurrentIndex(0)
    first.take(shape, ())
    QTest.keyClicks(first.chooser.tags, "pets, Anna")
    QTest.mouseClick(first.chooser.keep, Qt.MouseButton.LeftButton)
    assert not first.chooser.keep.isEnabled() and first.request().drawn is not None
    first.answer.cancel()
    first.deleteLater()
    other = FigureDialog(empty.design, jobs)
    other.show()
    chooser = other.chooser
    assert shown(chooser)[0] == "Tom" and len(shown(chooser)) == len(keys()) + 1
    chooser.theme.setCurrentText("My figures")
    assert shown(chooser) == ["Tom"] and chooser.tags.text() == "pets, Anna"
    buddies = {label.text(): label.buddy() for label in chooser.findChildren(QLabel) if label.buddy()}
    assert buddies == {"Name": chooser.title, "Tags": chooser.tags}
    chooser.title.setFocus()
    QTest.keyClicks(chooser.title, " Cat")
    assert shown(chooser) == ["Tom Cat"] and OWN_FIGURES.named("tom").item.title == "Tom", "it is still typed"
    QTest.keyClick(chooser.title, Qt.Key.Key_Return)
    assert OWN_FIGURES.named("tom").item.title == "Tom Cat"
    chooser.title.clear()
    QTest.keyClick(chooser.title, Qt.Key.Key_Return)
    assert shown(chooser) == ["Tom Cat"] and chooser.title.text() == "Tom Cat"
    chooser.title.setText("Tom")
    QTest.keyClick(chooser.title, Qt.Key.Key_Return)
    chooser.theme.setCurrentIndex(0)
    QTest.keyClicks(chooser.search, "anna")
    assert shown(chooser) == ["Tom"] and other.request().drawn is not None
    chooser.search.setText("sea horse")
    assert shown(chooser) == ["Seahorse"] and other.request().key == "seahorse"
    chooser.search.setText("no such thing")
    assert shown(chooser) == [] and other.request().key == "seahorse"
    other.answer.cancel()
    other.deleteLater()


def test_all_drawings_of_a_folder_are_kept_and_the_others_named(empty: FigureStage, tmp_path: Path) -> None:
    folder = tmp_path / "drawings"
    folder.mkdir()
    for name, form in (("Ball", '<circle cx="9" cy="9" r="8"/>'), ("Box", '<path d="M0 0H9V9H0Z"/>'),
                       ("Bow", '<path d="M0,0 H50 V50"/>')):  # fmt: skip
        (folder / f"{name}.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{form}</svg>')

    def fill(dialog: FigureDialog) -> None:
        dialog.show()
        chooser = dialog.chooser
        for asked in range(2):
            empty.answers.folder = folder
            chooser.load_folder.click()
            assert not chooser.load_folder.isEnabled() and empty.wait_for(chooser.load_folder.isEnabled)
            listed = [chooser.pictures.item(at).text() for at in range(3)]
            assert sorted(listed[:2]) == ["Ball", "Box"] and listed[2] == "Acorn", f"each once, {asked}"
        notice = chooser.notices.notice()
        assert notice is not None and notice.severity is Severity.WARNING
        assert notice.sentence.startswith("Kept 2 figures in your library. Cannot import Bow.svg: 1 path is not closed")
        empty.answers.folder = tmp_path / "nowhere"
        chooser.load_folder.click()
        assert empty.wait_for(chooser.load_folder.isEnabled)
        assert dialog.problem.sentence.text() == f"Cannot read {tmp_path / 'nowhere'}: No such file or directory."
        dialog.hide()

    empty.answer(fill)
    empty.do("add_figure")
    assert [one.item.title for one in OWN_FIGURES.items()[0]] == ["Ball", "Box"]


def test_a_figure_removed_from_the_library_leaves_the_list_and_can_be_put_back(empty: FigureStage) -> None:
    left = Qt.MouseButton.LeftButton
    for title in ("Tom", "Tim"):
        OWN_FIGURES.keep(replace(figure("cat"), title=title), ["pets"])

    def titles(chooser: FigureChooser) -> list[str]:
        return [chooser.pictures.item(at).text() for at in range(2)]

    def kept() -> list[tuple[str, tuple[str, ...]]]:
        return [(one.item.title, one.tags) for one in OWN_FIGURES.items()[0]]

    def remove(dialog: FigureDialog) -> None:
        dialog.show()
        chooser = dialog.chooser
        dialog.take(replace(figure("fish"), title="Flo"), ())
        QTest.mouseClick(chooser.keep, left)
        QTest.mouseDClick(chooser.keep, left)
        assert [title for title, _ in kept()] == ["Flo", "Tim", "Tom"], "a second click on Keep changes nothing"
        chooser.pictures.setCurrentRow(2)
        QTest.mouseClick(chooser.remove, left)
        QTest.mouseClick(chooser.remove, left)
        assert [title for title, _ in kept()] == ["Flo", "Tim"] and titles(chooser) == ["Flo", "Tim"]
        notice = chooser.notices.notice()
        assert notice is not None and notice.sentence == "Removed “Tom” from your library."
        (back,) = (button for button in chooser.notices.findChildren(QPushButton) if button.isVisible())
        QTest.mouseClick(back, left)
        assert kept()[2] == ("Tom", ("pets",)) and titles(chooser) == ["Tom", "Flo"]
        assert chooser.tags.text() == "pets" and dialog.request().drawn is not None
        for name in ("Tom", "Flo"):
            (item,) = chooser.pictures.findItems(name, Qt.MatchFlag.MatchExactly)
            spot = chooser.pictures.visualItemRect(item).center()
            QTest.mouseClick(chooser.pictures.viewport(), left, pos=spot)
            QTest.mouseClick(chooser.remove, left)
        assert [title for title, _ in kept()] == ["Tim"] and titles(chooser) == ["Tim", figure(keys()[0]).title]
        chooser.pictures.setCurrentRow(1)
        dialog.hide()

    empty.answer(remove)
    empty.do("add_figure")
    notice = empty.window.notices.notice()
    assert notice is not None and notice.sentence == "Removed “Tom”, “Flo” from your library."
    assert notice.action is not None
    notice.action.do()
    assert kept() == [("Flo", ()), ("Tim", ("pets",)), ("Tom", ("pets",))]
