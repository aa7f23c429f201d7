"""The cut plan in the window: the numbers side by side, and the player; with real events."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QToolButton, QWidget

from studio.base.amounts import duration, metres
from studio.exporting.colour_profiles import profiles
from studio.fabricate.cutting_time import seconds_of
from studio.fabricate.plan import Playback, Strategy, plan, plans, possible
from studio.fabricate.workshop import Machine
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.canvas.cutting import legible
from studio.ui.panels.plan_panel import EXPLAINED, FIGURES, PlanPanel, PlanPlayer, clock
from studio.ui.panels.plan_tab import PLANNING
from studio.ui.session.preferences import ThemeChoice
from studio.ui.widgets.tables import ElementModel
from studio.ui.widgets.theme import contrast, dark_theme, light_theme
from tests.classic import classic
from tests.depth import THOROUGH
from tests.ui.stage import Stage, staged

LEAST_CONTRAST = 3.0
SINK_SECONDS = 0.8
TICKS = 10_000

SMALL = classic(columns=6, rows=4, width=150, height=100)
STRAIGHT = replace(SMALL, columns=20, rows=2, plain_share=1.0, perturbation=0.0)
LARGE = classic(columns=60, rows=40, width=1500, height=1000)
LONG = LARGE if THOROUGH else replace(LARGE, columns=24, rows=16, width=600.0, height=400.0)
"""A board whose planning takes so long that it can be cancelled."""
stage = staged(lambda folder: Stage(folder, JigsawDesign(SMALL)))


def click_tab(stage: Stage, title: str) -> None:
    """Choose a tab of the drawer with the mouse."""
    bar = stage.window.drawer.tabBar()
    number = next(number for number in range(bar.count()) if bar.tabText(number).startswith(title))
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(number).center())
    stage.settle()


def look(stage: Stage) -> None:
    """Choose the tab of the cut plan, and wait until the cuts are planned."""
    click_tab(stage, "Cut plan")
    assert stage.wait_for(lambda: stage.planning.plan is not None)


def panel(stage: Stage) -> PlanPanel:
    shown = stage.planning.panel
    assert shown is not None
    return shown


def player(stage: Stage) -> PlanPlayer:
    return panel(stage).player


def seconds(stage: Stage) -> float:
    snapshot = player(stage).snapshot
    assert snapshot is not None
    return snapshot.seconds


def whole(stage: Stage) -> float:
    playback = player(stage).playback
    assert playback is not None
    return playback.seconds


def canvas_image(stage: Stage) -> QImage:
    stage.settle()
    return stage.window.canvas.view.grab().toImage()


def click_row(stage: Stage, row: int) -> None:
    table = panel(stage).table
    place = table.visualRect(panel(stage).model.index(row, 1)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    stage.settle()


# The numbers


def test_the_tab_costs_nothing_before_it_is_looked_at(stage: Stage) -> None:
    assert stage.planning.panel is None
    look(stage)
    assert stage.planning.panel is not None


def test_choosing_the_tab_shows_the_numbers_of_every_strategy(stage: Stage) -> None:
    look(stage)
    drawing = stage.shapes.drawing
    model = panel(stage).model
    assert tuple(one.strategy for one in model.elements) == possible(drawing)
    known = plan(drawing, Machine(), Strategy.SNAKE)
    row = possible(drawing).index(Strategy.SNAKE)
    said = {figure.title: model.index(row, column).data() for column, figure in enumerate(model.columns)}
    assert said["Cut order"] == "Zigzag"
    assert said["Travel"] == metres(known.travel)
    assert said["vs. best"] == f"{known.ratio:.2f}"
    assert said["Laser-off"] == str(known.pen_ups)
    assert said["Cuts"] == f"{len(known.drawing.chains)} ({known.least_chains})"
    assert (said["Loose cuts"], said["Drop-out"], said["Overhang"]) == (
        str(known.loose_cuts), str(known.largest_freed), str(known.reach),
    )  # fmt: skip
    assert said["Time"] == duration(known.seconds)


def test_every_strategy_has_a_name_and_every_head_a_sentence(stage: Stage) -> None:
    assert set(EXPLAINED) == set(Strategy)
    look(stage)
    model = panel(stage).model
    tips = [model.headerData(number, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) for number in
            range(model.columnCount())]  # fmt: skip
    assert all(tip.endswith(".") for tip in tips)
    assert len(set(tips)) == len(model.columns) == len(FIGURES) + 1


def test_all_numbers_and_controls_are_in_sight_at_first_size(stage: Stage) -> None:
    look(stage)
    shown = panel(stage)
    assert shown.table.horizontalScrollBar().maximum() == 0
    assert shown.table.verticalScrollBar().maximum() == 0
    controls = [*shown.bar.findChildren(QToolButton), shown.bar.line, shown.bar.speed, shown.bar.clock]
    assert len(controls) == 6
    for control in controls:
        rectangle = QRect(control.mapTo(shown, QPoint()), control.size())
        assert shown.rect().contains(rectangle), control.accessibleName()


def test_loose_cuts_are_a_warning_in_shape_and_words(stage: Stage) -> None:
    known = plan(stage.shapes.drawing, Machine())
    model = ElementModel(FIGURES)
    model.show_elements([replace(known, loose_cuts=0), replace(known, loose_cuts=2)])
    loose = [figure.title for figure in FIGURES].index("Loose cuts")
    none, some = model.index(0, loose), model.index(1, loose)
    assert none.data(Qt.ItemDataRole.DecorationRole) is None
    assert not some.data(Qt.ItemDataRole.DecorationRole).isNull()
    assert some.data() == "2"
    assert some.data(Qt.ItemDataRole.AccessibleTextRole) == "2, warning"
    assert some.data(Qt.ItemDataRole.ToolTipRole).startswith("Warning: 2 cuts in loose parts")


@pytest.mark.parametrize(
    ("time_", "words"),
    [(0.4, "0 s"), (50, "50 s"), (60, "1 min"), (280, "4 min 40 s"), (599.7, "10 min"), (2580, "43 min"),
     (3580, "1 h"), (4320, "1 h 12 min")],
)  # fmt: skip
def test_a_time_is_told_as_exactly_as_anybody_would(time_: float, words: str) -> None:
    assert duration(time_) == words


@pytest.mark.parametrize(("time_", "words"), [(0, "0:00"), (67.9, "1:07"), (3599, "59:59"), (3847, "1:04:07")])
def test_the_clock_counts_minutes_and_hours(time_: float, words: str) -> None:
    assert clock(time_) == words


def test_another_machine_has_other_times(stage: Stage) -> None:
    look(stage)
    before = whole(stage)
    stage.planning.set_machine("a slow laser", Machine(cut_speed=5.0))
    assert stage.planning.plan is None
    look(stage)
    assert whole(stage) > 2 * before


# The sheet on the canvas


def test_the_sheet_comes_with_the_tab_and_goes_without_leaving_anything(stage: Stage) -> None:
    stage.window.actions_["fit"].trigger()
    before = canvas_image(stage)
    look(stage)
    assert canvas_image(stage) != before
    QTest.mouseClick(panel(stage).bar.end, Qt.MouseButton.LeftButton)
    stage.wheel(QPoint(200, 200), 2)
    stage.window.actions_["fit"].trigger()
    click_tab(stage, "Problems")
    assert not player(stage).is_shown
    assert canvas_image(stage) == before


def test_the_sheet_lies_where_the_board_lay(stage: Stage) -> None:
    view = stage.window.canvas.view
    stage.wheel(QPoint(200, 150), 3)
    place = view.mapToScene(QPoint(120, 90))
    look(stage)
    assert view.mapToScene(QPoint(120, 90)) == place
    stage.press(QPoint(120, 90), button=Qt.MouseButton.MiddleButton)
    stage.move(QPoint(150, 80), button=Qt.MouseButton.MiddleButton)
    stage.release(QPoint(150, 80), button=Qt.MouseButton.MiddleButton)
    assert player(stage).is_shown, "panning is no gesture of the tool"
    panned = view.mapToScene(QPoint(150, 80))
    assert (panned.x(), panned.y()) == pytest.approx((place.x(), place.y()), abs=1e-6)
    click_tab(stage, "Problems")
    assert view.mapToScene(QPoint(150, 80)) == panned


@pytest.mark.parametrize("design", [SMALL, STRAIGHT], ids=["tongues", "straight"])
def test_a_line_is_quiet_until_it_is_cut_and_then_in_its_colour(
    qapp: QApplication, tmp_path: Path, design: JigsawParameters
) -> None:
    stage = Stage(tmp_path, JigsawDesign(design))
    look(stage)
    made = player(stage)
    assert made.playback is not None
    lines = stage.shapes.drawing.strokes.flattened(0.1)
    middles = [
        stage.at(*(line[len(line) // 2] if len(line) > 2 else line.mean(axis=0)).tolist())
        for line in (lines[int(code) >> 1] for code in made.playback.codes)
    ]

    def in_colour() -> list[bool]:
        image = canvas_image(stage)
        return [
            any(
                max(colour.red(), colour.blue()) - colour.green() > 100
                for x in range(-2, 3)
                for y in range(-2, 3)
                if (colour := image.pixelColor(place.x() + x, place.y() + y)).isValid()
            )
            for place in middles
        ]

    for share in (0.0, 0.3, 1.0, 0.6):
        made.seek(share * whole(stage))
        cut = made.playback.at(share * whole(stage)).cut
        seen = in_colour()
        assert seen[:cut] == [True] * cut
        assert not any(seen[cut + 1 :])
    stage.close()


@pytest.mark.parametrize("theme", [light_theme(), dark_theme()], ids=lambda theme: str(theme.name))
def test_the_colours_of_every_profile_can_be_told_from_the_board(theme: object) -> None:
    ground = light_theme().board if theme is light_theme() else dark_theme().board
    for profile in profiles():
        for layer in profile.layers:
            assert contrast(legible(QColor(layer.colour), ground), ground) >= LEAST_CONTRAST
    assert legible(QColor("#FF0000"), light_theme().board) == QColor("#FF0000"), "what is legible stays as it is"


def test_the_sheet_follows_the_theme(stage: Stage) -> None:
    look(stage)
    stage.window.choose_theme(ThemeChoice.DARK)
    image = canvas_image(stage)
    assert image.pixelColor(2, 2) == dark_theme().canvas
    board = stage.at(12.0, 12.0)
    ground = image.pixelColor(board)
    assert contrast(ground, dark_theme().board) < 1.2


def test_pieces_sink_and_are_gone(stage: Stage) -> None:
    look(stage)
    made = player(stage)
    assert made.playback is not None
    piece = int(made.playback.falls[0])
    fall = float(made.playback.plan.timeline.freed[piece])
    outline = stage.shapes.drawing.outlines(stage.shapes.drawing.strokes.flattened(0.1))[piece]
    middle = stage.at(*outline.mean(axis=0).tolist())
    made.seek(fall - 0.001)
    assert canvas_image(stage).pixelColor(middle) == light_theme().board
    made.seek(fall)
    sinking = canvas_image(stage).pixelColor(middle)
    assert contrast(sinking, light_theme().board) < contrast(light_theme().canvas, light_theme().board)
    assert stage.wait_for(lambda: not made.is_busy, 2 * SINK_SECONDS + 1), "what sinks comes to rest by itself"
    assert canvas_image(stage).pixelColor(middle) == light_theme().canvas
    made.seek(fall - 0.001)
    assert canvas_image(stage).pixelColor(middle) == light_theme().board


def test_a_picture_of_a_moment_does_not_depend_on_how_it_was_reached(stage: Stage) -> None:
    look(stage)
    made = player(stage)
    pictures = []
    for way in ((0.4,), (0.39, 0.4), (1.0, 0.2, 0.4)):
        made.seek(0.0)
        for share in way:
            made.seek(share * whole(stage))
            stage.settle()
        made.rest()
        assert not made.is_busy
        pictures.append(canvas_image(stage))
    assert pictures[0] == pictures[1] == pictures[2]


def test_playing_on_paints_only_what_is_new(stage: Stage) -> None:
    look(stage)
    made, sheet = player(stage), player(stage).scene.sheet
    assert made.playback is not None
    made.seek(0.3 * whole(stage))
    stage.settle()
    for share in (0.31, 0.5, 0.51, 0.9):
        before, was = sheet.painted, made.playback.at(seconds(stage))
        made.seek(share * whole(stage))
        stage.settle()
        now = made.playback.at(share * whole(stage))
        assert sheet.painted - before == now.cut - was.cut + now.fallen - was.fallen
    made.hide()
    made.show()
    stage.settle()
    assert sheet.painted >= before


# The player


def test_space_plays_and_pauses_from_the_panel_but_not_from_the_canvas(stage: Stage) -> None:
    look(stage)
    stage.window.activateWindow()
    panel(stage).table.setFocus()
    QTest.keyClick(panel(stage).table, Qt.Key.Key_Space)
    assert player(stage).is_playing
    assert panel(stage).bar.play.accessibleName() == "Pause"
    assert stage.wait_for(lambda: seconds(stage) > 0)
    QTest.keyClick(panel(stage).bar.line, Qt.Key.Key_Space)
    assert not player(stage).is_playing
    assert panel(stage).bar.play.accessibleName() == "Play"
    stage.key(Qt.Key.Key_Space)
    assert not player(stage).is_playing
    QTest.keyClick(panel(stage).bar.play, Qt.Key.Key_Space)
    assert player(stage).is_playing, "the button is pressed once, not twice"
    player(stage).pause()


def test_the_time_line_is_clicked_dragged_and_moved_by_keys(stage: Stage) -> None:
    look(stage)
    line = panel(stage).bar.line
    middle = QPoint(line.width() // 2, line.height() // 2)
    QTest.mousePress(line, Qt.MouseButton.LeftButton, pos=middle)
    assert seconds(stage) == pytest.approx(0.5 * whole(stage), rel=0.01)
    QTest.mouseMove(line, middle + QPoint(60, 0))
    dragged = seconds(stage)
    assert 0.6 * whole(stage) < dragged < whole(stage)
    QTest.mouseMove(line, middle - QPoint(60, 0))
    assert 0 < seconds(stage) < 0.4 * whole(stage), "back is as well as on"
    QTest.mouseRelease(line, Qt.MouseButton.LeftButton, pos=middle - QPoint(60, 0))
    here = seconds(stage)
    QTest.keyClick(line, Qt.Key.Key_Right)
    assert seconds(stage) == pytest.approx(here + whole(stage) / 200, rel=0.01)
    QTest.keyClick(line, Qt.Key.Key_End)
    assert seconds(stage) == whole(stage)
    QTest.keyClick(line, Qt.Key.Key_Home)
    assert seconds(stage) == 0.0


def test_pressing_the_time_line_stops_the_player(stage: Stage) -> None:
    look(stage)
    player(stage).play()
    line = panel(stage).bar.line
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(line.width() // 3, 4))
    assert not player(stage).is_playing


def test_the_clock_and_the_line_follow_the_player(stage: Stage) -> None:
    look(stage)
    bar = panel(stage).bar
    player(stage).seek(0.25 * whole(stage))
    assert bar.line.value() == pytest.approx(0.25 * TICKS, abs=1)
    assert bar.clock.text() == f"{clock(0.25 * whole(stage))} of {clock(whole(stage))}"
    QTest.mouseClick(bar.end, Qt.MouseButton.LeftButton)
    assert bar.clock.text() == f"{clock(whole(stage))} of {clock(whole(stage))}"
    QTest.mouseClick(bar.start, Qt.MouseButton.LeftButton)
    assert seconds(stage) == 0.0


def test_the_speed_is_chosen_and_the_whole_takes_half_a_minute_unasked(stage: Stage) -> None:
    look(stage)
    made, speed = player(stage), panel(stage).bar.speed
    made.play()
    made.seek(0.0)
    made.advance(1.0)
    assert seconds(stage) == pytest.approx(whole(stage) / made.whole_seconds, rel=1e-6)
    speed.setFocus()
    QTest.keyClick(speed, Qt.Key.Key_Down)
    QTest.keyClick(speed, Qt.Key.Key_Down)
    made.seek(0.0)
    made.advance(2.0)
    assert seconds(stage) == pytest.approx(10.0, rel=1e-6)
    made.pause()


def test_it_stands_still_while_a_dialog_is_open(stage: Stage) -> None:
    look(stage)
    made = player(stage)
    made.play()
    assert stage.wait_for(lambda: seconds(stage) > 0.0), "it plays"
    dialog = QDialog(stage.window)
    dialog.open()
    assert stage.wait_for(lambda: not made.is_playing, 5.0)
    there = seconds(stage)
    assert there < whole(stage), "it did not come to its end by itself"
    dialog.reject()
    made.play()
    assert stage.wait_for(lambda: seconds(stage) > there), "it goes on from there"


def test_the_status_bar_says_amounts_as_the_plan_does(qapp: QApplication, tmp_path: Path) -> None:
    made = Stage(tmp_path, JigsawDesign(LARGE))
    try:
        said = made.window.status.numbers.text()
        assert said.startswith("2,400 pieces · ")
        made.cutting.use_machine()
        made.cutting.finish()
        drawing = made.shapes.drawing
        seconds = plan(drawing, Machine(), Strategy.AS_DRAWN).seconds
        assert seconds == seconds_of(drawing, Machine()) > drawing.cut_length / Machine().cut_speed
        said = made.window.status.numbers.text()
        assert f"at 15 mm/s · about {duration(seconds)}" in said
    finally:
        made.close()


def test_the_times_of_the_status_bar_are_those_of_the_machine(stage: Stage) -> None:
    stage.preferences.set_workshop_key("machine", "diode-400x400")
    stage.cutting.use_machine()
    assert "at 4 mm/s" in stage.window.status.numbers.text()
    stage.cutting.finish()
    before = stage.window.status.numbers.text()
    look(stage)
    best = stage.cutting.planning.plan
    assert best is not None and f"at 4 mm/s · about {duration(best.seconds)}" in before
    assert stage.window.status.numbers.text() == before
    assert "Diode laser" in panel(stage)._machine.toolTip()


def test_a_board_with_errors_says_so_beside_its_numbers(stage: Stage) -> None:
    look(stage)
    assert "errors" not in panel(stage)._machine.text()
    stage.document.edit("Wild", JigsawDesign(replace(SMALL, perturbation=0.45, tongue_size=0.5, layout_version=1)))
    stage.window.pipeline.finish()
    assert "This board has errors" in panel(stage)._machine.text()
    stage.document.history.undo()
    stage.window.pipeline.finish()
    assert "errors" not in panel(stage)._machine.text()


def test_it_stops_at_the_end_and_begins_anew(stage: Stage) -> None:
    look(stage)
    made = player(stage)
    made.play()
    made.seek(0.99 * whole(stage))
    made.advance(made.whole_seconds)
    assert (made.is_playing, seconds(stage)) == (False, whole(stage))
    made.play()
    assert made.is_playing
    assert seconds(stage) < 0.5 * whole(stage)
    made.pause()


def test_a_row_chosen_is_the_plan_that_is_shown(stage: Stage) -> None:
    look(stage)
    heard: list[Strategy] = []
    stage.planning.chosen.connect(heard.append)
    player(stage).seek(5.0)
    click_row(stage, 1)
    second = possible(stage.shapes.drawing)[1]
    assert heard == [second]
    shown = stage.planning.plan
    assert shown is not None
    assert shown.strategy is second
    playback = player(stage).playback
    assert isinstance(playback, Playback)
    assert playback.plan is shown
    assert seconds(stage) == 0.0
    QTest.keyClick(panel(stage).table, Qt.Key.Key_Up)
    assert heard == [second, possible(stage.shapes.drawing)[0]]


def test_every_control_is_reached_by_the_tab_key_and_has_a_name(stage: Stage) -> None:
    look(stage)
    stage.window.activateWindow()
    assert QTest.qWaitForWindowActive(stage.window)
    shown = panel(stage)
    shown.table.setFocus()
    stops: list[QWidget] = []
    for _ in range(6):
        at = QApplication.focusWidget()
        assert at is not None
        stops.append(at)
        QTest.keyClick(at, Qt.Key.Key_Tab)
    bar = shown.bar
    assert stops == [shown.table, bar.start, bar.play, bar.end, bar.speed, bar.line]
    assert all(stop.accessibleName() for stop in stops)
    assert all(stop.toolTip() for stop in stops[1:])


# In step with the board


def test_a_gesture_on_the_canvas_has_the_board(stage: Stage) -> None:
    look(stage)
    player(stage).play()
    start = stage.corner("3,2")
    stage.press(start)
    assert not player(stage).is_shown
    assert not player(stage).is_playing
    assert stage.window.canvas.view.scene() is stage.window.canvas.scene
    stage.move(start + QPoint(12, 8))
    stage.release(start + QPoint(12, 8))
    assert [edit.name for edit in stage.design.corners] == ["3,2"]


def test_a_click_on_the_board_leaves_the_plan_as_it_is(stage: Stage) -> None:
    look(stage)
    stage.click(stage.tongue("C2-C3"))
    assert not player(stage).is_shown
    assert stage.planning.plan is not None
    click_row(stage, 0)
    assert player(stage).is_shown, "a click on the row brings the sheet back"


def test_an_edit_makes_the_plan_stale_and_new_numbers_come(stage: Stage) -> None:
    look(stage)
    old = stage.planning.plan
    assert old is not None
    start = stage.corner("3,2")
    stage.drag(start, start + QPoint(14, 9))
    assert stage.planning.plan is None
    assert not panel(stage).table.isEnabled(), "old numbers stay in sight, greyed"
    assert panel(stage).model.rowCount() > 0
    assert not panel(stage).bar.isEnabled()
    assert stage.wait_for(lambda: stage.planning.plan is not None)
    new = stage.planning.plan
    assert new is not None
    assert new.cut == pytest.approx(stage.shapes.drawing.cut_length)
    assert new.cut != pytest.approx(old.cut, rel=1e-9)
    assert panel(stage).table.isEnabled()
    assert not player(stage).is_shown, "the board stays in sight until the player is used"
    QTest.mouseClick(panel(stage).bar.play, Qt.MouseButton.LeftButton)
    assert player(stage).is_shown
    player(stage).pause()


def test_the_strategy_chosen_survives_an_edit(stage: Stage) -> None:
    look(stage)
    click_row(stage, 1)
    start = stage.corner("3,2")
    stage.drag(start, start + QPoint(14, 9))
    assert stage.wait_for(lambda: stage.planning.plan is not None)
    again = stage.planning.plan
    assert again is not None
    assert again.strategy is possible(stage.shapes.drawing)[1]


def test_nothing_is_planned_where_nobody_looks(stage: Stage) -> None:
    look(stage)
    click_tab(stage, "Problems")
    start = stage.corner("3,2")
    stage.drag(start, start + QPoint(14, 9))
    began: list[str] = []
    stage.window.jobs.began.connect(began.append)
    assert not stage.wait_for(lambda: PLANNING in began, 0.8)
    look(stage)
    shown = stage.planning.plan
    assert shown is not None
    assert shown.cut == pytest.approx(stage.shapes.drawing.cut_length)


def test_the_planning_is_cancelled_and_begun_again(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path, JigsawDesign(LONG))
    click_tab(stage, "Cut plan")
    shown = panel(stage)
    assert shown.progress.text().startswith("Planning")
    QTest.mouseClick(shown.cancel, Qt.MouseButton.LeftButton)
    assert not stage.window.jobs.is_busy(PLANNING)
    assert not stage.wait_for(lambda: stage.planning.plan is not None, 0.5)
    assert not shown.cancel.isVisible()
    QTest.mouseClick(shown.again, Qt.MouseButton.LeftButton)
    assert stage.wait_for(lambda: stage.planning.plan is not None)
    assert not shown.again.isVisible()
    stage.close()


def test_a_window_that_is_closed_while_it_plans_is_gone_at_once(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path, JigsawDesign(LONG))
    click_tab(stage, "Cut plan")
    assert stage.window.jobs.is_busy(PLANNING)
    begin = time.monotonic()
    assert stage.window.close()
    assert time.monotonic() - begin < 5.0
    assert not stage.window.isVisible()
    stage.close()


def test_a_plan_known_here_and_now_is_the_one_that_comes_by_itself(stage: Stage) -> None:
    click_tab(stage, "Cut plan")
    stage.planning.finish()
    shown = stage.planning.plan
    assert shown is not None
    known = plans(stage.shapes.drawing, Machine())[0]
    assert (shown.strategy, shown.travel, shown.seconds) == (known.strategy, known.travel, known.seconds)


def test_the_order_that_was_chosen_is_the_one_an_export_begins_with(stage: Stage, tmp_path: Path) -> None:
    look(stage)
    assert stage.preferences.making_values().get("strategy", "usual") == "usual"
    table = panel(stage).table
    row = next(number for number, plan in enumerate(panel(stage).model.elements) if plan.strategy is Strategy.LOW_SAG)
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(panel(stage).model.index(row, 0)).center()
    )
    assert stage.preferences.making_values()["strategy"] == "low-sag"
    assert stage.window.close()
    again = Stage(tmp_path, JigsawDesign(SMALL))
    try:
        look(again)
        shown = panel(again).plan
        assert shown is not None and shown.strategy is Strategy.LOW_SAG
        QTest.keyClick(panel(again).table, Qt.Key.Key_Home)
        QTest.keyClick(panel(again).table, Qt.Key.Key_Up)
        assert again.preferences.making_values()["strategy"] == "usual"
    finally:
        again.close()
