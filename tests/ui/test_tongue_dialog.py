"""A custom tongue drawn with real mouse and key events: dragged, undone, imported, applied, and undone on the board."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.files.drawing_import import read_tongue
from studio.puzzles.jigsaw.tongues.profiles import FOLDER, OWN_TONGUES, Stored, own_profile, profile
from studio.puzzles.jigsaw.tongues.sketch import started
from studio.puzzles.jigsaw.tongues.styles import STYLES
from studio.ui.kinds.jigsaw.tongue_dialog import TongueDialog
from studio.ui.session.opening import FileReading
from tests.ui.stage import Stage, staged

LEFT = Qt.MouseButton.LeftButton
SHOULDER, NECK, HEAD, TOP = 3, 6, 9, 12
"""Control points of a ribbon tongue."""
stage = staged(Stage)


def draw(stage: Stage, act: Callable[[TongueDialog], object], *, applies: bool = True) -> None:
    """Open the dialog by its command, and do in it what a maker does."""

    def answer(dialog: TongueDialog) -> Stored | None:
        dialog.resize(dialog.sizeHint())
        dialog.show()
        QTest.qWaitForWindowExposed(dialog)
        act(dialog)
        is_able = dialog.apply.isEnabled()
        dialog.hide()
        assert is_able or not applies
        return dialog.request() if applies else None

    stage.answers.on_tongue = answer
    stage.window.actions_["tongue"].trigger()
    stage.settle()


def drag(dialog: TongueDialog, point: int, right: int, down: int) -> None:
    """Drag a control point by some pixels."""
    view, begin = dialog.view, dialog.view.place(point).toPoint()
    QTest.mousePress(view, LEFT, pos=begin)
    for share in (0.5, 1.0):
        QTest.mouseMove(view, begin + QPoint(round(share * right), round(share * down)))
    QTest.mouseRelease(view, LEFT, pos=begin + QPoint(right, down))


def test_a_tongue_is_drawn_applied_and_undone(stage: Stage) -> None:
    before, strokes = stage.design, stage.shapes.drawing.strokes
    shown = []

    def act(dialog: TongueDialog) -> None:
        assert dialog.chooser.pictures.currentItem().text() == "Ribbon cut" and dialog.symmetric.isChecked()
        drag(dialog, HEAD, -30, -20)
        shown.append(dialog.view.sketch.points)
        assert dialog.view.chosen == HEAD and dialog.remove.isEnabled()

    draw(stage, act)
    assert stage.design.parameters.tongue_style == "own" and stage.design.profile is not None
    ribbon, mine = profile("ribbon").points, own_profile(stage.design.profile).points
    assert mine == pytest.approx(shown[0], abs=1e-4)
    assert mine[HEAD, 0] < ribbon[HEAD, 0] - 0.03 and mine[-1 - HEAD, 0] > ribbon[-1 - HEAD, 0] + 0.03
    assert len(stage.shapes.drawing.strokes.changed_since(strokes)) == len(stage.shapes.tiling.graph.inner_edges)
    assert stage.document.history.undoText() == "Change custom tongue"
    stage.document.history.undo()
    stage.settle()
    assert stage.design == before and np.array_equal(stage.shapes.drawing.strokes.points, strokes.points)


def test_each_step_in_the_dialog_is_undone_and_made_again(stage: Stage) -> None:
    def act(dialog: TongueDialog) -> None:
        steps = [dialog.view.sketch]
        drag(dialog, NECK, 15, 0)
        steps.append(dialog.view.sketch)
        QTest.mouseClick(dialog.symmetric, LEFT, pos=QPoint(8, dialog.symmetric.height() // 2))
        steps.append(dialog.view.sketch)
        drag(dialog, HEAD + 1, 0, -12)
        steps.append(dialog.view.sketch)
        assert not steps[-1].is_symmetric and not dialog.symmetric.isChecked()
        for sketch in steps[-2::-1]:
            QTest.keyClick(dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            assert dialog.view.sketch is sketch
        assert dialog.symmetric.isChecked()
        assert dialog.chooser.pictures.currentItem().text() == "Ribbon cut", "the style is chosen again"
        QTest.keyClick(dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert dialog.view.sketch is steps[0]
        dialog.redo()
        dialog.redo()
        assert dialog.view.sketch is steps[2]

    before = stage.design
    draw(stage, act, applies=False)
    assert stage.design == before


def test_points_are_added_nudged_and_removed(stage: Stage) -> None:
    def act(dialog: TongueDialog) -> None:
        view = dialog.view
        one, two = view.sketch.points[3:5], view.sketch.points[5:7]
        x, y = (0.125 * one[0] + 0.375 * one[1] + 0.375 * two[0] + 0.125 * two[1]).tolist()
        QTest.mouseDClick(view, LEFT, pos=view.place(SHOULDER).toPoint())
        assert view.sketch.last == 8, "a point is there already"
        QTest.mouseDClick(view, LEFT, pos=view.shown.map(QPointF(x, y)).toPoint())
        assert view.sketch.last == 10 and view.knot == 2
        before = view.sketch.points[6].copy()
        QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
        assert view.sketch.points[6] - before == pytest.approx((0, 0.02))
        QTest.keyClick(view, Qt.Key.Key_Delete)
        assert view.sketch.last == 8 and view.chosen is None and not dialog.remove.isEnabled()
        QTest.mouseClick(dialog.add, LEFT)
        assert view.sketch.last == 10

    draw(stage, act)


def test_what_crosses_itself_or_has_no_neck_cannot_be_applied(stage: Stage) -> None:
    def act(dialog: TongueDialog) -> None:
        drag(dialog, HEAD, 260, 0)
        assert dialog.problem.sentence.text() == "The custom tongue crosses itself."
        assert not dialog.apply.isEnabled() and dialog.preview.is_stale
        dialog.undo()
        assert dialog.apply.isEnabled() and not dialog.preview.is_stale and dialog.problem.isHidden()
        dialog.chooser.pictures.setFocus()
        QTest.keyClicks(dialog.chooser.pictures, "wav")
        assert (
            dialog.chooser.pictures.currentItem().text() == "Wave" and "has no neck" in dialog.problem.sentence.text()
        )
        assert not dialog.apply.isEnabled()

    draw(stage, act, applies=False)


def test_a_tongue_is_imported_and_changed_again_later(stage: Stage, tmp_path: Path) -> None:
    def load(dialog: TongueDialog) -> None:
        stage.answers.open = tmp_path / "no.json"
        QTest.mouseClick(dialog.load, LEFT)
        assert stage.wait_for(dialog.load.isEnabled)
        assert "Cannot import no.json" in dialog.problem.sentence.text()
        stage.answers.open = FOLDER / "earlet.json"
        QTest.mouseClick(dialog.load, LEFT)
        assert stage.wait_for(dialog.load.isEnabled)
        assert dialog.problem.isHidden()

    draw(stage, load)
    assert stage.design.profile is not None
    assert own_profile(stage.design.profile).points[2:-2] == pytest.approx(profile("earlet").points[2:-2], abs=1e-4)
    count = stage.document.history.count()
    shown = []
    draw(stage, lambda dialog: shown.append(dialog.chooser.pictures.currentItem().text()))
    assert shown == ["Earlet"]
    assert stage.document.history.count() == count, "nothing was changed"


def test_a_tongue_is_read_off_the_gui_thread_and_given_up_with_the_dialog(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "comb.svg"
    lines = "".join(f'<path d="M{at} 1V99"/>' for at in range(5_000))
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{lines}</svg>', encoding="utf-8")
    called_here: set[object] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            called_here.add(frame.f_code)

    def load(dialog: TongueDialog) -> None:
        stage.answers.open = path
        QTest.mouseClick(dialog.load, LEFT)
        assert dialog.load.text() == "Reading…" and not dialog.load.isEnabled()
        assert stage.wait_for(dialog.load.isEnabled)
        assert "it has 5000 open paths" in dialog.problem.sentence.text() and dialog.load.text() == "Import…"
        QTest.mouseClick(dialog.load, LEFT)

    sys.setprofile(note)
    try:
        draw(stage, load, applies=False)
    finally:
        sys.setprofile(None)
    assert FileReading.read.__code__ in called_here and read_tongue.__code__ not in called_here
    assert not stage.window.jobs.is_busy("tongue") and stage.posted() == ""


def test_a_tongue_is_kept_in_the_library_and_used_in_every_puzzle(stage: Stage) -> None:
    def shown(dialog: TongueDialog) -> list[str]:
        pictures = dialog.chooser.pictures
        items = [pictures.item(at) for at in range(pictures.count())]
        return [item.text() for item in items if not item.isHidden()]

    def keep(dialog: TongueDialog) -> None:
        chooser, before = dialog.chooser, shown(dialog)
        assert not chooser.keep.isEnabled() and before[0] == "Ribbon cut"
        drag(dialog, HEAD, 260, 0)
        assert shown(dialog) == ["Custom", *before] and not chooser.keep.isEnabled(), "it crosses itself"
        dialog.undo()
        drag(dialog, HEAD, -30, -20)
        assert shown(dialog) == ["Custom", *before] and chooser.keep.isEnabled()
        chooser.title.selectAll()
        QTest.keyClicks(chooser.title, "Acorn\r")
        QTest.keyClicks(chooser.tags, "woods, Anna")
        assert dialog.isVisible() and shown(dialog) == ["Acorn", *before]
        QTest.mouseClick(chooser.keep, LEFT)
        assert chooser.remove.isEnabled() and not chooser.keep.isEnabled()
        drag(dialog, TOP, 0, 30)
        assert shown(dialog) == ["Custom", "Acorn", *before], "the library keeps the tongue as it was"

    draw(stage, keep, applies=False)
    (kept,), problems = OWN_TONGUES.items()
    assert (kept.key, kept.item.title, kept.tags, problems) == ("acorn", "Acorn", ("woods", "Anna"), ())
    assert own_profile(kept.item).points[HEAD, 0] < profile("ribbon").points[HEAD, 0] - 0.03

    def use(dialog: TongueDialog) -> None:
        chooser = dialog.chooser
        QTest.keyClicks(chooser.search, "anna")
        assert shown(dialog) == ["Acorn"] and chooser.tags.text() == "woods, Anna"
        assert dialog.request() == kept.item
        chooser.title.selectAll()
        QTest.keyClicks(chooser.title, "Hazel\r")
        assert OWN_TONGUES.named("acorn").item.title == "Hazel"

    draw(stage, use)
    design = stage.design
    assert design.profile == replace(kept.item, title="Hazel") and design.parameters.tongue_style == "own"

    def remove(dialog: TongueDialog) -> None:
        chooser = dialog.chooser
        assert shown(dialog)[:2] == ["Hazel", "Hazel"], "that of the puzzle, and that of the library"
        chooser.pictures.setCurrentRow(1)
        QTest.mouseClick(chooser.remove, LEFT)
        assert OWN_TONGUES.items() == ((), ()) and shown(dialog)[:2] == ["Hazel", "Ribbon cut"]
        assert chooser.key == "ribbon", "the next in the list"
        dialog.undo()
        assert shown(dialog)[0] == "Custom", "undo draws it again"
        assert dialog.request() == replace(kept.item, title="Custom")
        notice = chooser.notices.notice()
        assert notice is not None and notice.action is not None
        notice.action.do()
        assert OWN_TONGUES.named("hazel").tags == ("woods", "Anna") and shown(dialog)[:2] == ["Hazel", "Custom"]
        assert dialog.request() == replace(kept.item, title="Hazel")

    draw(stage, remove, applies=False)
    assert stage.design == design, "the puzzle holds its tongue"


def test_custom_is_a_style_for_single_tongues_once_there_is_one(stage: Stage) -> None:
    box = stage.extension.inspector.style_box  # type: ignore[union-attr]
    stage.click(stage.tongue("C3-C4"))
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_C)
    stage.settle()
    assert stage.design.tongue("C3-C4").style == "classic", "custom is skipped while there is no profile"
    stage.document.edit("Profile", replace(stage.design, profile=started(STYLES[0]).stored()))
    stage.settle()
    QTest.qWait(QApplication.keyboardInputInterval() + 100)
    QTest.keyClicks(box, "cus")
    stage.settle()
    assert stage.design.tongue("C3-C4").style == "own"
