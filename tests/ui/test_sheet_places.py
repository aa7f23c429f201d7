"""Sheets of an export: cut from an offcut, zoomed, and their parts moved with the mouse."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from studio.base.progress import Progress
from studio.fabricate.making import made
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from studio.ui.panels.export_dialog import ExportDialog, Subject
from studio.ui.session.jobs import Jobs
from studio.ui.session.preferences import Preferences
from tests.classic import classic

Open = Callable[[], ExportDialog]


@pytest.fixture
def show(qtbot: QtBot, tmp_path: Path) -> Iterator[Open]:
    jobs, owner, opened = Jobs(), QWidget(), []
    qtbot.addWidget(owner)
    preferences = Preferences(QSettings(str(tmp_path / "studio.ini"), QSettings.Format.IniFormat))
    drawing = shape(JigsawDesign(classic(columns=4, rows=3, width=100, height=75)), None, Progress()).drawing

    def shown() -> ExportDialog:
        dialog = ExportDialog(Subject(drawing), "Forest", tmp_path, preferences, made, jobs, room=QSize(1300, 860),
                              parent=owner)  # fmt: skip
        dialog.show()
        opened.append(dialog)
        return dialog

    yield shown
    for dialog in opened:
        dialog.reject()
    jobs.close()


def done(dialog: ExportDialog, seconds: float = 20.0) -> None:
    """Wait until both ways are known."""
    until = time.monotonic() + seconds
    while (dialog.trial.outcome is None or dialog.trial.other is None) and time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.002)
    assert dialog.trial.outcome is not None and dialog.trial.other is not None


def piece_at(dialog: ExportDialog, name: str) -> QPoint:
    """Where a piece lies on the preview, in pixels."""
    sheet = sheet_of(dialog)
    place = pieces_as_polygons(sheet, sheet.polylines)[sheet.pieces.names.index(name)].representative_point()
    return dialog.outcome.pages.picture.shown_at(place.x, place.y).toPoint()


def boxes_of(sheet: Drawing) -> dict[str, tuple[float, ...]]:
    pieces = pieces_as_polygons(sheet, sheet.polylines)
    return {name: piece.bounds for name, piece in zip(sheet.pieces.names, pieces, strict=True)}


def drag_on(picture: QWidget, begin: QPoint, end: QPoint) -> None:
    QTest.mousePress(picture, Qt.MouseButton.LeftButton, pos=begin)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(picture, begin + (end - begin) * share)
    QTest.mouseRelease(picture, Qt.MouseButton.LeftButton, pos=end)


def apart(dialog: ExportDialog) -> Drawing:
    """Separate outlines on the bed, as they are now."""
    dialog.making.form.set_parameters(replace(dialog.making.form.parameters(), lines="separate"))
    dialog.making.changed.emit()
    done(dialog)
    return sheet_of(dialog)


def sheet_of(dialog: ExportDialog) -> Drawing:
    assert dialog.trial.outcome is not None and dialog.trial.outcome.made is not None
    return dialog.trial.outcome.made.sheets[0]


def test_a_part_is_dragged_to_another_place_and_only_it_moves(show: Open) -> None:
    dialog = show()
    before = apart(dialog)
    name = before.pieces.names[-1]
    here = piece_at(dialog, name)
    corner = dialog.outcome.pages.picture.shown_at(before.width - 30, before.height - 30).toPoint()
    drag_on(dialog.outcome.pages.picture, here, corner)
    done(dialog)
    after = sheet_of(dialog)
    boxes = [boxes_of(each) for each in (before, after)]
    assert {key for key in boxes[0] if boxes[0][key] != pytest.approx(boxes[1][key], abs=1e-6)} == {name}
    assert boxes[1][name][0] > before.width - 60 and boxes[1][name][1] > before.height - 60
    assert dialog.export.isEnabled() and dialog.outcome.pages.reset.isVisible()
    # The keys turn the same part again; undoing all moves brings the layout back.
    QTest.keyClick(dialog.outcome.pages.picture, Qt.Key.Key_R)
    done(dialog)
    assert dialog.request().making.moves[0].quarters == 1
    dialog.outcome.pages.reset.click()
    done(dialog)
    assert np.array_equal(sheet_of(dialog).strokes.points, before.strokes.points)
    assert not dialog.outcome.pages.reset.isVisible()


def test_parts_that_overlap_are_named_and_refuse_the_export(show: Open) -> None:
    dialog = show()
    before = apart(dialog)
    one, two = before.pieces.names[:2]
    drag_on(dialog.outcome.pages.picture, piece_at(dialog, one), piece_at(dialog, two))
    done(dialog)
    assert "overlap or leave the sheet" in dialog.refusal.sentence.text()
    assert not dialog.export.isEnabled()
    dialog.accept()
    assert dialog.isVisible()
    dialog.making.form.set_parameters(replace(dialog.making.form.parameters(), kerf=0.2))
    dialog.making.changed.emit()
    done(dialog)
    assert dialog.export.isEnabled() and dialog.request().making.moves == ()


def test_the_wheel_zooms_at_the_mouse_and_a_button_shows_the_whole_sheet(show: Open) -> None:
    dialog = show()
    apart(dialog)
    picture = dialog.outcome.pages.picture
    place = QPointF(120, 90)
    before = picture.shown_at(0, 0), picture.shown_at(100, 0)
    for _ in range(4):
        wheel = QWheelEvent(place, picture.mapToGlobal(place), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
                            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
        QApplication.sendEvent(picture, wheel)
    scale = (before[1].x() - before[0].x()) / 100
    under = (place - before[0]) / scale
    assert picture.zoom == pytest.approx(1.25**4)
    assert (picture.shown_at(under.x(), under.y()) - place).manhattanLength() < 1e-6
    assert dialog.outcome.pages.whole.isVisible()
    dialog.outcome.pages.whole.click()
    assert picture.zoom == 1.0 and picture.shown_at(0, 0) == before[0]
    assert not dialog.outcome.pages.whole.isVisible()


def test_an_offcut_becomes_the_sheet_and_a_bad_one_is_refused(show: Open, tmp_path: Path) -> None:
    dialog = show()
    good, bad = tmp_path / "offcut.svg", tmp_path / "bad.svg"
    size = 'width="900mm" height="700mm" viewBox="0 0 900 700"'
    good.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}><path d="M0,0 H900 V700 H0 Z"/></svg>')
    bad.write_text("<svg")
    dialog.making.offcut.use(good)
    done(dialog)
    assert (sheet_of(dialog).width, sheet_of(dialog).height) == (900, 700)
    assert dialog.making.offcut.currentText() == "offcut.svg"
    dialog.making.offcut.use(bad)
    done(dialog)
    assert "bad.svg" in dialog.making.no_offcut.sentence.text() and dialog.making.offcut.currentText() == "New sheet"
    # Offcuts used last are offered again, as long as their files exist.
    assert [dialog.making.offcut.itemText(at) for at in range(dialog.making.offcut.count())][1] == "offcut.svg"
    good.unlink()
    dialog.making.offcut.use(None)
    assert dialog.making.offcut.count() == 2
