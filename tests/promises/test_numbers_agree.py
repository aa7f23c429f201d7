"""Numbers are rounded one way, never read as a limit that they miss, and agree wherever they are shown."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox
from pytestqt.qtbot import QtBot

from studio.base.parameters import ParameterError, declaration, parsed
from studio.base.progress import SILENT
from studio.base.units import Against, figure
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.puzzles.abilities.cuttable import Cuttable, parts_in_words
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.kind import AnyKind
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.puzzles.zigzaw.kind import ZIGZAW
from studio.ui.kinds.cube.selection import facts
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from studio.ui.widgets.tables import CellLook, Column, SortedModel, sorted_table
from tests.ui.stage import KindStage


@pytest.mark.parametrize(
    ("value", "spec", "words"),
    [
        (298.45, ".1f", "298.5"), (0.25, ".1f", "0.3"), (0.35, ".1f", "0.4"), (2.675, ".2f", "2.68"),
        (-0.04, ".1f", "0.0"), (-0.25, ".1f", "-0.3"), (300.0, ".1f", "300.0"), (0.125, ".0%", "13 %"),
        (0.575, ".0%", "58 %"), (0.05, ".0%", "5 %"), (0.123, ".1%", "12.3 %"),
    ],
)  # fmt: skip
def test_a_number_is_rounded_half_up_as_on_paper(value: float, spec: str, words: str) -> None:
    assert figure(value, spec) == words


@given(st.floats(0.01, 1000.0), st.floats(0.01, 1000.0), st.sampled_from([".0f", ".1f", ".2f"]))
def test_a_number_never_reads_as_the_limit_that_it_misses(value: float, limit: float, spec: str) -> None:
    limit = round(limit, 2)
    read = float(format(Against(value, limit), spec))
    assert (read < limit, read > limit) == (value < limit, value > limit)
    assert abs(read - value) <= 0.5 * 10.0 ** -int(spec[1]) + 1e-4


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("kerf", "", "Enter 0 to 2 mm for kerf."), ("kerf", "  ", "Enter 0 to 2 mm for kerf."),
        ("kerf", "1e9", "kerf must be 0 to 2 mm, not 1e9."), ("kerf", "20 cm", "kerf must be 0 to 2 mm, not 20 cm."),
        ("kerf", "2,50", "kerf must be 0 to 2 mm, not 2,50."), ("kerf", "wide", "kerf must be 0 to 2 mm, not 'wide'."),
        ("copies", "", "Enter a whole number from 1 to 500 for copies."),
        ("copies", "1000", "copies must be a whole number from 1 to 500, not 1000."),
        ("lines", "", "Enter shared or separate for cut style."),
    ],
)  # fmt: skip
def test_an_entry_is_quoted_as_it_was_typed_and_an_empty_one_is_asked_for(name: str, text: str, sentence: str) -> None:
    with pytest.raises(ParameterError) as refused:
        parsed(declaration(Making, name), text)
    assert str(refused.value) == sentence


def arrow_of(image: QImage) -> bool:
    """Whether the arrow in the head of a column points up: its darkest rows widen downwards."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.array(grey.constBits()).reshape(grey.height(), grey.bytesPerLine())[:, : grey.width()].astype(int)
    right = pixels[:-3, -16:-3]
    dark = (np.abs(right - np.median(right)) > 40).sum(axis=1)
    rows = np.flatnonzero(dark)
    return bool(dark[rows[0]] < dark[rows[-1]])


def test_the_arrow_of_a_sorted_column_points_up_where_values_go_up(qtbot: QtBot) -> None:
    model = SortedModel[int]([Column("", str, CellLook.NUMBER)], [lambda number: number])
    table = sorted_table(model, "Numbers", [200])
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show()
    model.show_all([2, 3, 1])
    head = table.horizontalHeader()
    assert list(model.elements) == [1, 2, 3] and arrow_of(head.grab(head.rect().adjusted(0, 0, -100, 0)).toImage())
    place = head.rect().center()
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QApplication.processEvents()
    assert list(model.elements) == [3, 2, 1]
    assert not arrow_of(head.grab(head.rect().adjusted(0, 0, -100, 0)).toImage())


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path) -> Iterator[KindStage]:
    """A window on the usual jigsaw."""
    stage = KindStage(tmp_path, JIGSAW)
    yield stage
    stage.close()


def words_of(dialog: ExportDialog) -> tuple[str, str]:
    """The size and the counts at the head of an export."""
    return dialog.true_size.text(), dialog.counts.text()


def write(dialog: ExportDialog, name: str, text: str) -> None:
    editor = dialog.making.form.field(name)
    assert isinstance(editor, QAbstractSpinBox)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def choose(dialog: ExportDialog, name: str, value: str) -> None:
    (box,) = [one for one in dialog.findChildren(QComboBox) if one.accessibleName() == name]
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_the_head_of_an_export_says_what_its_sheets_and_its_file_have(stage: KindStage, tmp_path: Path) -> None:
    seen: list[tuple[str, str]] = []

    def driven(dialog: ExportDialog) -> ExportRequest | None:
        dialog.show()
        for lines in ("shared", "separate"):
            choose(dialog, "Cut style", lines)
            assert stage.wait_for(lambda: dialog.trial.outcome is not None)
            seen.append(words_of(dialog))
            made = dialog.trial.outcome.made if dialog.trial.outcome is not None else None
            assert made is not None
            assert f"{made.cut / 1000:.2f} m" in seen[-1][1], "the length beside it, from the same sheets"
            assert f"{sum(plan.drawing.cut_count for plan in made.plans)} cuts" in seen[-1][1]
        dialog.file.folder.setText(str(tmp_path))
        dialog.file.name.setText("board")
        QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
        return dialog.request()

    stage.answers.at_export = driven
    stage.window.actions_["export"].trigger()
    assert stage.wait_for(lambda: "Saved and verified" in stage.posted())
    assert seen[0] == ("300.0 × 150.0 mm", "Scale 1:1 · 72 pieces · 17 cuts · 5.95 m")
    size, counts = seen[1]
    assert size == "600.0 × 400.0 mm" and counts.startswith("Scale 1:1 · 72 pieces · 72 cuts · ")
    assert f"{size}, 72 pieces, 72 cuts" in stage.posted()


def test_the_next_export_begins_with_the_kerf_that_export_again_uses(stage: KindStage, tmp_path: Path) -> None:
    kerfs: list[tuple[float, int]] = []

    def driven(dialog: ExportDialog) -> ExportRequest | None:
        dialog.show()
        making = dialog.making.request().making
        kerfs.append((making.kerf, making.copies))
        write(dialog, "kerf", "0.2")
        dialog.file.folder.setText(str(tmp_path))
        dialog.file.name.setText("board")
        assert stage.wait_for(lambda: dialog.trial.outcome is not None)
        QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
        return dialog.request()

    stage.answers.at_export = driven
    for _ in range(2):
        stage.window.actions_["export"].trigger()
        assert stage.wait_for(lambda: not stage.window.session.writing.is_writing)
    assert kerfs == [(0.15, 1), (0.2, 1)]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (JIGSAW, "72 pieces"), (CUBE, "6 pieces"), (CALENDAR, "8 pieces and 2 other parts"),
        (ZIGZAW, "81 pieces and 1 other part"), (SLITHERLINK, "1 part"),
    ],
    ids=lambda value: getattr(value, "key", None),
)  # fmt: skip
def test_tray_frame_and_board_are_not_counted_as_pieces(kind: AnyKind, words: str) -> None:
    shapes, cut = kind.shape(kind.example(), None, SILENT), kind.need(Cuttable)
    assert parts_in_words(len(cut.drawing(shapes).pieces), cut.piece_count(shapes)) == words


def test_a_printed_cube_is_told_as_large_as_it_comes_out() -> None:
    shapes = CUBE.shape(CubeDesign(), None, SILENT)
    printed = np.concatenate([solid.mesh.vertices for solid in shapes.assembled])
    outer = " × ".join(f"{side:.1f}" for side in np.ptp(printed, axis=0).tolist())
    assert facts(shapes, None)["Size"] == f"{outer} mm" == "39.8 × 39.8 × 39.8 mm"


def test_what_is_left_after_the_kerf_never_reads_as_the_minimum(stage: KindStage) -> None:
    drawing = JIGSAW.need(Cuttable).drawing(stage.window.session.shapes)
    (plain,) = made(drawing, Making(), Machine(), Material(bridge=4.0)).notes or ("",)
    width = float(re.search(r"only ([0-9.]+) mm", plain)[1])  # type: ignore[index]
    (note,) = made(drawing, Making(), Machine(), Material(bridge=round(width + 0.02, 2))).notes
    left, minimum = map(float, re.findall(r"([0-9.]+) mm", note)[:2])
    assert left < minimum


def test_the_most_that_there_can_be_is_what_the_fix_sets() -> None:
    for radius, cell in ((3.0, 5.17), (9.0, 17.3), (40.0, 20.0)):
        design = CalendarDesign(CalendarParameters(radius=radius, cell=cell, chamfer=5.0))
        checked = CALENDAR.check(design, CALENDAR.shape(design, None, SILENT), None, SILENT)
        found = {one.kind: one for one in checked.findings if one.kind in ("radius", "chamfer")}
        assert set(found) == {"radius", "chamfer"}
        for one in found.values():
            assert one.repair is not None
            told = re.findall(r"([0-9.]+) mm", one.message)[-1]
            assert one.repair.title in (f"Set corner radius to {told} mm", f"Set chamfer to {told} mm")
