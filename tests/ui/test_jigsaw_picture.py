"""The picture of a jigsaw in the window: chosen, dropped, moved, scaled, turned, set in numbers, dimmed and removed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLabel, QWidget

from studio.geometry.art.artwork import PNG, Picture
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.board_picture import FIT, BoardPicture, setting_of
from studio.puzzles.jigsaw.tongues.tongues import FOLLOWING, PLAIN
from studio.ui.abilities.cuttable import DECODING
from studio.ui.canvas.ink import decoded_sizes
from studio.ui.kinds.jigsaw.picture import Paged
from tests.files.test_pictures import pdf_of
from tests.ui.stage import NO_KEY, Stage, dropping

DIMMED = 0.35


def photograph(colour: str = "orange", columns: int = 40, rows: int = 20) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (columns, rows), colour).save(file, "PNG")
    return file.getvalue()


class PictureStage(Stage):
    """A window on a jigsaw of 300 × 150 mm."""

    def do(self, name: str) -> None:
        self.window.actions_[name].trigger()
        self.wait()

    def wait(self) -> None:
        """Wait for a picture that is read."""
        assert self.wait_for(lambda: not self.window.session.jobs.is_busy("picture"))
        self.settle()

    @property
    def picture(self) -> BoardPicture:
        found = self.design.picture
        assert found is not None
        return found

    @property
    def is_adjusting(self) -> bool:
        return bool(self.extension.picturing.is_adjusting)

    def pull(self, start: QPoint, by: QPoint, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        self.drag(start, start + by, keys)

    def handle(self, number: int) -> QPoint:
        place = self.extension.picturing.tool.frame.handles[number].pos()
        return self.at(place.x(), place.y())


@pytest.fixture
def empty(qapp: QApplication, tmp_path: Path) -> Iterator[PictureStage]:
    (tmp_path / "cat.png").write_bytes(photograph())
    stage = PictureStage(tmp_path)
    yield stage
    stage.close()


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[PictureStage]:
    stage = PictureStage(tmp_path, JigsawDesign(picture=BoardPicture(photograph(), PNG, FIT, 0.5)))
    stage.do("adjust_picture")
    yield stage
    stage.close()


def test_a_picture_is_chosen_shown_adjusted_and_removed_and_all_is_undone(empty: PictureStage, tmp_path: Path) -> None:
    stage = empty
    assert not any(stage.window.actions_[name].isEnabled() for name in ("adjust_picture", "remove_picture"))
    stage.answers.open = tmp_path / "cat.png"
    stage.do("picture")
    assert stage.picture == BoardPicture(photograph(), PNG) and stage.is_adjusting
    (shown,) = stage.shapes.drawing.artwork
    assert isinstance(shown, Picture) and shown.box == (0.0, 0.0, 300.0, 150.0)
    assert stage.window.document.history.undoText() == "Add picture"
    stage.do("remove_picture")
    assert stage.design.picture is None and not stage.is_adjusting and not stage.shapes.drawing.artwork
    for _ in range(2):
        stage.window.document.history.undo()
    stage.settle()
    assert stage.design == JigsawDesign()


def test_a_picture_that_cannot_be_used_is_refused_in_a_sentence(empty: PictureStage, tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(photograph()[:-40])
    empty.answers.open = tmp_path / "bad.png"
    empty.do("picture")
    assert empty.design == JigsawDesign()
    assert "Cannot use bad.png: it is damaged or truncated." in empty.posted()


def test_a_board_is_seen_before_its_picture_which_comes_once_it_is_decoded(empty: PictureStage) -> None:
    stage, data = empty, photograph("purple", 1200, 600)

    def colour() -> QColor:
        stage.settle()
        middle = stage.at(163.0, 88.0)
        return stage.window.canvas.view.viewport().grab().toImage().pixelColor(middle)

    stage.window.document.edit("Add picture", JigsawDesign(picture=BoardPicture(data, PNG)))
    # A thread decodes it, perhaps before the next line; it is heard of no sooner than Qt's loop goes on.
    assert stage.window.session.jobs.is_busy(DECODING)
    assert stage.wait_for(lambda: not stage.window.session.jobs.is_busy(DECODING))
    assert decoded_sizes(data) is not None and colour().name() == QColor("purple").name()


def test_a_damaged_picture_of_an_opened_board_is_a_problem_and_leaves_the_rest(empty: PictureStage) -> None:
    stage, data = empty, photograph("purple", 1200, 600)
    broken = data[: len(data) // 2]
    stage.window.document.edit("Open", JigsawDesign(picture=BoardPicture(broken, PNG)))

    def found() -> list[str] | None:
        findings = stage.window.pipeline.findings
        return None if findings is None else [each.problem.key for each in findings]

    # What another picture brings is found in a thread as well.
    assert found() is None
    assert stage.wait_for(lambda: found() == ["picture"])
    assert stage.wait_for(lambda: not stage.window.session.jobs.is_busy(DECODING))


def dropped(stage: PictureStage, path: Path) -> bool:
    """Drop a file on the window; returns whether it was taken."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    left, none = Qt.MouseButton.LeftButton, NO_KEY
    entering = QDragEnterEvent(QPoint(50, 50), Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(stage.window, entering)
    if not entering.isAccepted():
        return False
    QApplication.sendEvent(stage.window, QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data, left, none))
    stage.wait()
    return True


def pasted(stage: PictureStage, data: QMimeData) -> None:
    """Paste what another program has copied."""
    QGuiApplication.clipboard().setMimeData(data)
    stage.do("paste")


def test_a_copied_picture_is_pasted_under_the_cuts_and_undone(empty: PictureStage, tmp_path: Path) -> None:
    stage, copied = empty, QMimeData()
    copied.setData("image/png", photograph("red"))
    copied.setImageData(QImage(3, 3, QImage.Format.Format_RGB32))  # as browsers do, beside the file
    pasted(stage, copied)
    assert stage.picture == BoardPicture(photograph("red"), PNG) and stage.is_adjusting
    stage.window.document.history.undo()
    assert stage.design.picture is None
    shot, pixels = QImage(60, 30, QImage.Format.Format_RGB32), QMimeData()
    shot.fill(QColor("purple"))
    pixels.setImageData(shot)
    pasted(stage, pixels)
    found = Image.open(io.BytesIO(stage.picture.data)).convert("RGB")
    assert found.size == (60, 30) and found.getpixel((30, 15)) == (128, 0, 128)
    file = QMimeData()
    file.setUrls([QUrl.fromLocalFile(str(tmp_path / "cat.png"))])
    pasted(stage, file)
    assert stage.picture.data == photograph()
    assert stage.window.document.history.undoText() == "Replace picture"


def test_a_damaged_picture_on_the_clipboard_is_refused_in_a_sentence(empty: PictureStage) -> None:
    copied = QMimeData()
    copied.setData("image/png", photograph()[:-40])
    copied.setImageData(QImage(3, 3, QImage.Format.Format_RGB32))
    pasted(empty, copied)
    assert empty.design == JigsawDesign()
    assert "Cannot use the clipboard: it is damaged or truncated." in empty.posted()


def test_a_picture_that_qt_cannot_unpack_is_refused_in_a_sentence(empty: PictureStage) -> None:
    copied = QMimeData()
    copied.setImageData(QImage())
    empty.extension.take_image(copied)
    empty.wait()
    assert empty.design == JigsawDesign()
    assert empty.posted() == "Cannot use the clipboard: it is not a picture, or it is too large."


@dropping
def test_a_picture_without_a_file_is_dropped_on_the_window(empty: PictureStage) -> None:
    data, left = QMimeData(), Qt.MouseButton.LeftButton
    data.setImageData(QImage(20, 10, QImage.Format.Format_RGB32))
    entering = QDragEnterEvent(QPoint(50, 50), Qt.DropAction.CopyAction, data, left, NO_KEY)
    QApplication.sendEvent(empty.window, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(empty.window, QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data, left, NO_KEY))
    empty.wait()
    assert empty.picture.size == (20, 10)


@dropping
def test_a_picture_dropped_on_the_window_is_taken_and_another_file_is_not(empty: PictureStage, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no picture")
    assert not dropped(empty, tmp_path / "notes.txt")
    assert dropped(empty, tmp_path / "cat.png") and empty.picture.data == photograph()
    # Another one takes its place.
    empty.extension.picturing.turn(1)
    (tmp_path / "dog.PNG").write_bytes(photograph("blue"))
    assert dropped(empty, tmp_path / "dog.PNG")
    assert empty.picture == BoardPicture(photograph("blue"), PNG, turn=90.0)


def test_the_mouse_moves_scales_and_turns_the_picture(stage: PictureStage) -> None:
    zoom = stage.window.canvas.view.zoom
    stage.pull(stage.at(150, 75), QPoint(60, -30))
    assert stage.picture.right * 300 == pytest.approx(60 / zoom, abs=0.01)
    assert stage.picture.down * 150 == pytest.approx(-30 / zoom, abs=0.01)
    history = stage.window.document.history
    assert history.undoText() == "Move picture" and history.count() == 1
    still = stage.picture.kept(300, 150).corners[0]
    stage.pull(stage.handle(2), QPoint(30, 15))
    assert stage.picture.scale == pytest.approx(0.5 + 30 / zoom / 300, rel=0.05)
    assert np.allclose(stage.picture.kept(300, 150).corners[0], still, atol=0.01)
    large = stage.picture.kept(300, 150).box
    stage.pull(stage.handle(4), QPoint(120, 40), Qt.KeyboardModifier.ShiftModifier)
    assert stage.picture.turn % 15 == 0 and stage.picture.turn > 0
    assert np.allclose(stage.picture.kept(300, 150).box, large, atol=0.01), (
        "turned about its middle, as large as before"
    )
    assert history.undoText() == "Rotate picture" and history.count() == 3


def test_escape_gives_up_a_drag_then_the_picture(stage: PictureStage) -> None:
    before = stage.design
    stage.press(stage.at(150, 75))
    stage.move(stage.at(170, 75))
    assert stage.shapes.design != before
    stage.key(Qt.Key.Key_Escape)
    assert stage.design is before and stage.shapes.design == before and stage.is_adjusting
    stage.release(stage.at(170, 75))
    stage.key(Qt.Key.Key_Escape)
    assert stage.design is before and not stage.is_adjusting
    stage.click(stage.at(150, 75))
    assert stage.extension.selection, "and the mouse selects again"


def test_arrow_keys_nudge_the_picture_as_one_step(stage: PictureStage) -> None:
    for _ in range(3):
        stage.key(Qt.Key.Key_Right)
    stage.key(Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    setting = setting_of(stage.picture, (300.0, 150.0))
    assert (setting.right, setting.down) == (3.0, 10.0)
    assert stage.window.document.history.count() == 1


def enter(editor: QWidget, text: str) -> None:
    """Type a number into a field."""
    assert isinstance(editor, QAbstractSpinBox)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def test_the_inspector_sets_numbers_and_says_how_fine_the_picture_is(stage: PictureStage) -> None:
    panel = stage.extension.picturing.panel
    assert panel is not None and "40 × 20 pixels, 7 dpi: coarse in print" in panel.about.text()
    enter(panel.form.field("scale"), "80")
    enter(panel.form.field("left_crop"), "25")
    assert (stage.picture.scale, stage.picture.crop) == (0.8, (0.25, 0.0, 0.0, 0.0))
    enter(panel.form.field("right_crop"), "90")
    assert stage.picture.crop == (0.25, 0.0, 0.0, 0.0) and "must leave at least 5 %" in stage.posted()
    panel.buttons[1].click()
    assert stage.picture.turn == 90.0
    panel.buttons[3].click()
    assert stage.design.picture is None


def test_a_selection_or_another_puzzle_ends_adjusting(stage: PictureStage) -> None:
    stage.extension.selection.select(tongues=[20])
    assert not stage.is_adjusting
    stage.do("adjust_picture")
    assert stage.is_adjusting and not stage.extension.selection
    stage.window.document.open(stage.window.document.kind, JigsawDesign(), None)
    stage.settle()
    assert not stage.is_adjusting


def test_dimming_is_how_the_picture_is_seen_and_no_change(stage: PictureStage) -> None:
    layer = stage.window.canvas.drawing
    before = stage.design
    assert layer.artwork.opacity() == 1.0
    stage.do("dim_picture")
    assert layer.artwork.opacity() == DIMMED and stage.design is before
    stage.do("dim_picture")
    assert layer.artwork.opacity() == 1.0


def test_cuts_follow_colours_once_there_is_a_picture(empty: PictureStage, tmp_path: Path) -> None:
    stage, form = empty, empty.window.form
    assert not form.field("follow_colours").isEnabled()
    halves = Image.new("RGB", (600, 300), "white")
    halves.paste("black", (0, 0, 312, 300))
    halves.save(tmp_path / "cat.png")
    stage.answers.open = tmp_path / "cat.png"
    stage.do("picture")
    stage.key(Qt.Key.Key_Escape)
    assert form.field("follow_colours").isEnabled()
    before = stage.shapes.drawing.strokes
    stage.extension.edit(
        "Follow", lambda design: replace(design, parameters=replace(design.parameters, follow_colours=1.0))
    )
    stage.settle()
    middle = [each for each in stage.shapes.corners if abs(each[0] - 156) < 1]
    assert len(middle) >= 4 and len(stage.shapes.drawing.strokes.changed_since(before))
    edge = int(np.flatnonzero(stage.shapes.tongues[:, PLAIN] == FOLLOWING)[0])
    stage.extension.selection.select(tongues=[edge])
    stage.settle()
    assert "Follows a line of the picture, no tongue." in [
        each.text() for each in stage.window.findChildren(QLabel) if each.isVisible()
    ]
    stage.window.actions_["flip"].trigger()
    assert not stage.shapes.plain[edge]


def test_another_page_of_a_pdf_takes_the_place_of_the_first(stage: PictureStage, tmp_path: Path) -> None:
    file = tmp_path / "pages.pdf"
    file.write_bytes(pdf_of(3))
    stage.extension.picturing.read(file)
    stage.wait()
    panel = stage.extension.picturing.panel
    assert panel is not None and panel.pages.isVisible() and panel.page.currentText() == "1 of 3"
    stage.document.edit("Scale", stage.design.with_picture(replace(stage.picture, scale=0.5)))
    first = stage.picture
    panel.page.setCurrentIndex(2)
    panel.page.activated.emit(2)
    stage.wait()
    assert stage.picture.data != first.data and replace(stage.picture, data=first.data) == first
    assert panel.page.currentText() == "3 of 3" and stage.is_adjusting
    stage.do("undo")
    assert stage.picture == first and not panel.pages.isVisible()
    (tmp_path / "one.png").write_bytes(photograph())
    stage.extension.picturing.read(tmp_path / "one.png")
    stage.wait()
    assert not panel.pages.isVisible()
    file.unlink()
    stage.extension.picturing.paged = Paged(file, 1, 3, stage.picture.data)
    stage.extension.picturing.choose_page(2)
    stage.wait()
    notice = stage.window.notices.notice()
    assert notice is not None and "pages.pdf" in notice.sentence
