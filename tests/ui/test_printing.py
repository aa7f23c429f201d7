"""The dialog for the printer shows what is printed, says what stands in the way, and asks for nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from studio.base.amounts import many
from studio.base.progress import Progress
from studio.exporting.writing import write_plates, write_solids
from studio.fabricate.gaps_and_plates import keep_gap
from studio.fabricate.workshop import Named, Plastic, Printer, keep, one_of
from studio.puzzles.cube.geometry import shape
from studio.puzzles.cube.model import CubeDesign
from studio.ui.panels.printer_export_dialog import PrintDialog, PrintJob
from studio.ui.panels.workshop import WorkshopDialog
from studio.ui.session.preferences import Preferences

SHAPES = shape(CubeDesign(), None, Progress())
Open = Callable[..., PrintDialog]
EACH = "-….stl"
"""The ending that is shown for a file for each piece."""


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(QSettings(str(tmp_path / "studio.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def show(qtbot: QtBot, tmp_path: Path, preferences: Preferences) -> Iterator[Open]:
    # A dialog without a parent, let go by its test, may else be swept up while it is painted.
    kept: list[PrintDialog] = []

    def shown(error: str = "", show_workshop: Callable[[WorkshopDialog], object] = WorkshopDialog.exec) -> PrintDialog:
        printed = PrintJob(SHAPES.bed, SHAPES.fit, SHAPES.design.parameters.gap, error)
        folder = tmp_path / "out"
        folder.mkdir(exist_ok=True)
        dialog = PrintDialog(printed, "Box", folder, preferences, show_workshop=show_workshop)
        qtbot.addWidget(dialog)
        kept.append(dialog)
        dialog.show()
        return dialog

    yield shown


def choose(box: QComboBox, value: object) -> None:
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def texts(dialog: PrintDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def test_what_is_printed_is_summed_up(show: Open) -> None:
    said = texts(show())
    triangles = sum(len(solid.mesh.triangles) for solid in SHAPES.bed)
    assert f"6 pieces side by side · {many(triangles, 'triangle')}" in said
    volume = sum(solid.mesh.volume for solid in SHAPES.bed) / 1000
    assert f"{volume:.1f} cm³, {volume * 1.24:.0f} g of PLA at 100 % infill" in said
    for words in ("4 × 4 × 4 voxels of 10 mm", "0.20 mm per joint", "Smooth plates, chamfered, 0.8 mm"):
        assert words in said


def test_one_file_is_asked_for_and_remembered(qtbot: QtBot, show: Open, tmp_path: Path) -> None:
    dialog = show()
    choose(dialog.file.format, ".stl")
    assert dialog.request().target == tmp_path / "out" / "Box.stl"
    choose(dialog.printer, "small-180")
    with qtbot.waitSignal(dialog.accepted):
        QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
    again = show()
    assert again.file.suffix() == ".stl" and again.printer.chosen().key == "small-180"


def test_a_file_for_each_piece_goes_into_the_folder_and_those_there_are_replaced_knowingly(
    show: Open, tmp_path: Path
) -> None:
    dialog = show()
    choose(dialog.file.format, EACH)
    assert "One file per piece: Box-left.stl … Box-top.stl." in texts(dialog)
    assert dialog.export.text() == "Export"
    request = dialog.request()
    reports = write_solids(SHAPES.bed, request.target, request.options, stem=request.stem)
    assert len(reports) == 6 and {report.path.parent for report in reports} == {tmp_path / "out"}
    (tmp_path / "out" / "Box-left.stl").unlink()
    again = show()
    choose(again.file.format, EACH)
    assert "This will replace 5 existing files." in texts(again) and again.export.text() == "Replace"
    again.file.name.setText("Other")
    assert again.export.text() == "Export"


def test_a_file_that_is_there_is_replaced_knowingly(show: Open, tmp_path: Path) -> None:
    show()
    (tmp_path / "out" / "Box.3mf").write_bytes(b"before")
    dialog = show()
    assert "will replace an existing file" in texts(dialog) and dialog.export.text() == "Replace"


def test_pieces_that_need_several_plates_are_split_where_that_is_asked_for(show: Open, tmp_path: Path) -> None:
    keep(Named("narrow", "Narrow", Printer(bed_width=60, bed_depth=100)))
    dialog = show()
    assert dialog.split.isHidden()
    choose(dialog.printer, "narrow")
    assert dialog.split.isVisible() and dialog.split.text() == "Split into 3 plates"
    assert "Print them in several batches" in texts(dialog) and dialog.request().plates == ()
    dialog.split.setChecked(True)
    assert "One file per plate: Box-1.3mf … Box-3.3mf." in texts(dialog) and "batches" not in texts(dialog)
    request = dialog.request()
    assert [len(plate) for plate in request.plates] == [2, 2, 2]
    dialog.accept()
    again = show()
    assert again.split.isVisible() and again.split.isChecked(), "as it was chosen last"
    reports = write_plates(request.plates, request.target)
    assert [report.path.name for report in reports] == ["Box-1.3mf", "Box-2.3mf", "Box-3.3mf"]
    assert sum(report.volume for report in reports) == pytest.approx(sum(solid.mesh.volume for solid in SHAPES.bed))
    choose(dialog.file.format, EACH)
    assert dialog.split.isHidden() and dialog.request().plates == ()


def test_pieces_larger_than_the_bed_are_told(show: Open) -> None:
    keep(Named("tiny", "Tiny", Printer(bed_width=35, bed_depth=35, bed_height=20)))
    keep(Named("narrow", "Narrow", Printer(bed_width=60, bed_depth=60)))
    dialog = show()
    assert not dialog.large.isVisible()
    choose(dialog.printer, "tiny")
    assert "Too large for Tiny (35 × 35 × 20 mm): " in texts(dialog) and dialog.export.isEnabled()
    choose(dialog.printer, "narrow")
    assert "more than the bed of Narrow. Print them in several batches." in texts(dialog)


def test_another_gap_than_the_one_that_fitted_is_told(show: Open) -> None:
    keep_gap(one_of(Printer, "usual-220"), one_of(Plastic, "pla"), 0.3)
    dialog = show()
    fitted = "0.30 mm clearance fits PLA on Generic 220 × 220 mm; this puzzle has 0.20 mm."
    assert fitted in texts(dialog)
    choose(dialog.plastic, "petg")
    assert "mm clearance fits" not in texts(dialog)


def test_errors_among_the_findings_stop_it(show: Open) -> None:
    dialog = show("A radius of 9 mm does not fit.")
    assert "Fix the errors before exporting. First error: A radius of 9 mm does not fit." in texts(dialog)
    assert not dialog.export.isEnabled()
    dialog.accept()
    assert dialog.isVisible()


@pytest.mark.parametrize(("name", "sentence"), [("", "Enter a file name."), ("a/b", "cannot contain a slash")])
def test_a_name_that_cannot_be_is_refused(name: str, sentence: str, show: Open) -> None:
    dialog = show()
    dialog.file.name.setText(name)
    assert sentence in texts(dialog) and not dialog.export.isEnabled()


def test_printers_are_changed_from_here_and_offered_as_they_are_then(show: Open) -> None:
    def copies(dialog: WorkshopDialog) -> None:
        assert dialog.tabs.currentIndex() == 1 and dialog.shelf is dialog.printers
        QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
        dialog.accept()

    dialog = show(show_workshop=copies)
    QTest.mouseClick(dialog.workshop, Qt.MouseButton.LeftButton)
    assert dialog.printer.chosen().title == "Generic 220 × 220 mm (copy)"
