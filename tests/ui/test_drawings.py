"""The options of an imported drawing: a picture of what is read, its layers, unit, gaps, welding and frame."""

import gc
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
from ezdxf.filemanagement import new
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QMenu, QStyle, QStyleOptionButton

from studio.geometry.curves.strokes import through
from studio.puzzles.jigsaw.picture.masks import area_on_board
from studio.ui.panels.drawing_import import DrawingDialog, Looked, sketched
from tests.ui.stage import Stage, dropping, staged

MOST_SKETCHED = 10_000

PAGE = 'xmlns="http://www.w3.org/2000/svg" width="200mm" height="100mm" viewBox="0 0 200 100"'
LEFT = Qt.MouseButton.LeftButton
stage = staged(Stage)


def svg(tmp_path: Path, inside: str) -> Path:
    path = tmp_path / "drawing.svg"
    path.write_text(f"<svg {PAGE}>{inside}</svg>", encoding="utf-8")
    return path


def click(box: QCheckBox) -> None:
    """Click the mark of a check box."""
    option = QStyleOptionButton()
    box.initStyleOption(option)
    mark = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    QTest.mouseClick(box, LEFT, pos=mark.center())


def shown(stage: Stage, act: Callable[[DrawingDialog], object]) -> Callable[[DrawingDialog], Looked]:
    """An answer that opens the dialog, does something with it, and waits until it can be used."""

    def answer(dialog: DrawingDialog) -> Looked:
        dialog.show()
        assert QTest.qWaitForWindowExposed(dialog)
        act(dialog)
        assert stage.wait_for(dialog.use.isEnabled)
        QTest.mouseClick(dialog.use, LEFT)
        return dialog.request()

    return answer


def size(stage: Stage) -> tuple[float, float]:
    return stage.design.parameters.width, stage.design.parameters.height


def test_a_plain_drawing_is_taken_at_once_and_its_hole_said(stage: Stage, tmp_path: Path) -> None:
    path = svg(tmp_path, '<path d="M10 10H190V90H10Z"/><circle cx="50" cy="50" r="20"/>')
    stage.extension.outlining.read(path)
    assert stage.wait_for(lambda: size(stage) == (180.0, 80.0))
    notice = stage.window.session.notices.notice()
    assert notice is not None and notice.sentence == "The board has 1 hole."
    assert notice.action is not None and notice.action.title == "Leave out the frame"


def test_the_frame_is_left_out_from_the_notice(stage: Stage, tmp_path: Path) -> None:
    stage.extension.outlining.read(svg(tmp_path, '<rect width="200" height="100"/><circle cx="90" cy="50" r="40"/>'))
    assert stage.wait_for(lambda: size(stage) == (200.0, 100.0))
    notice = stage.window.session.notices.notice()
    assert notice is not None and notice.action is not None
    notice.action.do()
    assert stage.wait_for(lambda: size(stage) == (80.0, 80.0))
    assert "Left out the frame of 200.0 × 100.0 mm." in stage.posted()


def test_open_ends_are_shown_and_closed_by_a_wider_gap(stage: Stage, tmp_path: Path) -> None:
    problems: list[str] = []

    def widen(dialog: DrawingDialog) -> None:
        problems.append(dialog.problem.sentence.text())
        assert not dialog.use.isEnabled()
        dialog.gap.setFocus()
        dialog.gap.selectAll()
        QTest.keyClicks(dialog.gap, "0.1")
        QTest.keyClick(dialog.gap, Qt.Key.Key_Tab)
        assert stage.wait_for(lambda: "Closed 2 gaps" in dialog.notes.text()) and dialog.notes.isVisible()
        assert dialog.use.isDefault()

    stage.answers.on_drawing = shown(stage, widen)
    stage.extension.outlining.read(svg(tmp_path, '<path d="M10 10H190V90"/><path d="M190.08 90H10V10.08"/>'))
    assert stage.wait_for(lambda: abs(size(stage)[0] - 180) < 0.1)
    assert "The next end is 0.08 mm away; gaps up to 0.05 mm are closed." in problems[0]


def test_overlapping_paths_are_welded(stage: Stage, tmp_path: Path) -> None:
    def weld(dialog: DrawingDialog) -> None:
        assert "Weld them or move them apart." in dialog.problem.sentence.text()
        click(dialog.welds)
        assert stage.wait_for(lambda: dialog.size_label.text() == "Size: 110.0 × 80.0 mm")

    stage.answers.on_drawing = shown(stage, weld)
    stage.extension.outlining.read(svg(tmp_path, '<circle cx="50" cy="50" r="40"/><circle cx="80" cy="50" r="40"/>'))
    assert stage.wait_for(lambda: size(stage) == (110.0, 80.0))


def test_layers_are_chosen_with_the_mouse(stage: Stage, tmp_path: Path) -> None:
    document = new(units=4)
    model = document.modelspace()
    model.add_lwpolyline([(0, 0), (120, 0), (120, 90), (0, 90)], close=True, dxfattribs={"layer": "Cut"})
    model.add_line((-20, 10), (140, 20), dxfattribs={"layer": "Fold"})
    path = tmp_path / "layers.dxf"
    document.saveas(path)

    def choose(dialog: DrawingDialog) -> None:
        named = [dialog.layers.item(at).text() for at in range(dialog.layers.count())]
        assert named == ["Cut (1 line)", "Fold (1 line)"]
        where = dialog.layers.visualItemRect(dialog.layers.item(1))
        QTest.mouseClick(dialog.layers.viewport(), LEFT, pos=QPoint(where.left() + 10, where.center().y()))
        assert dialog.layers.item(1).checkState() == Qt.CheckState.Unchecked
        assert stage.wait_for(lambda: dialog.size_label.text() == "Size: 120.0 × 90.0 mm")

    stage.answers.on_drawing = shown(stage, choose)
    stage.extension.outlining.read(path)
    assert stage.wait_for(lambda: size(stage) == (120.0, 90.0))


def test_cancelling_changes_nothing_and_says_what_was_wrong(stage: Stage, tmp_path: Path) -> None:
    before = stage.bytes
    stage.extension.outlining.read(svg(tmp_path, '<path d="M0 0H90V80"/>'))
    assert stage.wait_for(lambda: "1 path is not closed" in stage.posted())
    assert stage.bytes == before


def test_what_other_options_have_solved_is_not_said_again(stage: Stage, tmp_path: Path) -> None:
    before, refused = stage.bytes, list[str]()

    def cancel(dialog: DrawingDialog) -> None:
        refused.append(dialog.request().problem)
        dialog.show()
        assert dialog.minimumSizeHint().width() < 632, "the width of a small screen"
        dialog.gap.setValue(1)
        assert stage.wait_for(dialog.use.isEnabled)
        dialog.close()

    stage.answers.on_drawing = cancel
    stage.extension.outlining.read(svg(tmp_path, '<path d="M0 0H90V80H0V0.5"/>'))
    assert stage.wait_for(lambda: bool(refused))
    stage.settle()
    assert "not closed" in refused[0] and stage.posted() == "" and stage.bytes == before


def test_a_protected_area_is_read_with_the_same_options(stage: Stage, tmp_path: Path) -> None:
    inside = '<rect width="200" height="100"/><path d="M20 20H60V60H20Z"/><path d="M60 20H90V60H60Z"/>'
    stage.extension.masking.read(svg(tmp_path, inside))
    assert stage.wait_for(lambda: stage.design.mask is not None)
    area = area_on_board(stage.design.mask, stage.design.picture, stage.design.size)
    assert shapely.area(area) == pytest.approx(200 * 100 - 40 * 40 - 30 * 40, rel=1e-3)


def dropped(stage: Stage, path: Path) -> QMenu:
    """The menu for a file that is dropped on the canvas."""
    data, copy, keys = QMimeData(), Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    data.setUrls([QUrl.fromLocalFile(str(path))])
    at = stage.target.mapTo(stage.window, QPoint(100, 100))
    QApplication.sendEvent(stage.window, QDragEnterEvent(at, copy, data, LEFT, keys))
    QApplication.sendEvent(stage.window, QDropEvent(QPointF(at), copy, data, LEFT, keys))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


MANY = {
    "figure": "".join(f'<path stroke="#{at:06x}" d="M{at % 150} {at // 150}h.5"/>' for at in range(12_000)),
    "outline": "<path d='M" + " ".join(f"{at * 7919 % 200} {at * 104729 % 97}" for at in range(150_000)) + "'/>",
}
"""Drawings with a layer for each of very many lines, and with very long lines all over each other."""


@pytest.mark.thorough
@pytest.mark.sampled(2)
@dropping
@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("use", MANY)
def test_a_dropped_drawing_never_keeps_the_window_waiting(stage: Stage, tmp_path: Path, use: str) -> None:
    beats: list[float] = []
    problems: list[str] = []

    def look(dialog: DrawingDialog) -> None:
        dialog.show()
        assert QTest.qWaitForWindowExposed(dialog)
        QTest.qWait(30)
        problems.append(dialog.problem.sentence.text())
        assert dialog.layers.count() < 600

    stage.answers.on_drawing = look
    action = next(one for one in dropped(stage, svg(tmp_path, MANY[use])).actions() if use in one.text())
    # The time of this thread, which other programs do not lengthen.
    # What other tests have left behind is not this window's garbage.
    gc.freeze()
    heart = QTimer(interval=10)
    heart.timeout.connect(lambda: beats.append(time.thread_time()))
    beats.append(time.thread_time())
    heart.start()
    began = time.process_time()
    action.trigger()
    assert stage.wait_for(lambda: bool(problems))
    heart.stop()
    gc.unfreeze()
    beats.append(time.thread_time())
    assert problems[0] and time.process_time() - began > 0.4
    assert max(later - earlier for earlier, later in pairwise(beats)) < 0.3


@dropping
@pytest.mark.qt_log_ignore("This plugin does not support")
def test_reading_a_dropped_drawing_is_cancelled_and_leaves_nothing(stage: Stage, tmp_path: Path) -> None:
    jobs, before = stage.window.session.jobs, stage.design
    menu = dropped(stage, svg(tmp_path, MANY["figure"]))
    next(one for one in menu.actions() if "outline" in one.text()).trigger()
    assert stage.wait_for(lambda: "Reading drawing.svg…" in stage.posted())
    notice = stage.window.session.notices.notice()
    assert notice is not None and notice.action is not None and notice.action.title == "Cancel"
    notice.action.do()
    assert not jobs.is_busy("outline") and stage.wait_for(lambda: not jobs._alive)
    assert stage.design is before and stage.window.session.notices.notice() is None


def test_a_sketch_of_a_drawing_holds_all_it_shows_in_few_lines() -> None:
    square = np.array([[0, 0], [30, 0], [60, 0], [90, 0], [90, 30], [90, 60], [90, 90]], float)
    lines = sketched([square, square, square + 0.001, np.array([[np.nan, 0.0], [1.0, 1.0]])])
    assert lines.ravel() == pytest.approx([0, 0, 90, 0, 90, 0, 90, 90], abs=0.1)
    many = [through(np.array([[0.0, at], [100.0, at + 0.5]])) for at in np.linspace(0, 100, 50_000)]
    many += [through(np.array([[at, 0.0], [at + 0.5, 100.0]])) for at in np.linspace(0, 100, 50_000)]
    assert 500 < len(sketched(many)) <= MOST_SKETCHED


def test_a_sketch_of_many_small_rings_leaves_none_of_them_open() -> None:
    turns = np.linspace(0.0, 2 * np.pi, 17)[:, None] % (2 * np.pi)
    corners = np.hstack([np.cos(turns), np.sin(turns)])
    rings = [through(corners + np.array([4 * (at % 50), 4 * (at // 50)])) for at in range(700)]
    ends = sketched(rings).reshape(-1, 2)
    assert 700 * 16 > MOST_SKETCHED >= len(ends) / 2
    _, met = np.unique(np.round(ends, 6), axis=0, return_counts=True)
    assert (met >= 2).all()
