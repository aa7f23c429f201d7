"""The fit coupon is shown before it is written, and the kerf that it showed is kept with the material."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from studio.base.folders import own_folder
from studio.base.progress import Progress
from studio.fabricate.coupon import CouponOptions, kerfs_around
from studio.fabricate.gaps_and_plates import remembered
from studio.fabricate.workshop import Machine, Material, Named, Printer, every, keep, one_of, own_keys
from studio.geometry.planar.drawing import Drawing, Joint
from studio.puzzles.cube.geometry import joints
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.model.printed_solids import joint
from studio.ui.panels.coupon import CouponDialog, Plate, gap_coupon, kerf_coupon
from studio.ui.session.jobs import Jobs
from studio.ui.session.preferences import Preferences

Open = Callable[..., CouponDialog[Drawing]]
USUAL = JigsawParameters()


def joint_of(parameters: JigsawParameters) -> Callable[[], Joint]:
    return partial(joint, shape(JigsawDesign(parameters), None, Progress()))


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(QSettings(str(tmp_path / "studio.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def show(qtbot: QtBot, tmp_path: Path, preferences: Preferences) -> Iterator[Open]:
    jobs, owner = Jobs(), QWidget()
    qtbot.addWidget(owner)
    opened: list[CouponDialog[Drawing]] = []

    def shown(parameters: JigsawParameters = USUAL) -> CouponDialog[Drawing]:
        dialog = CouponDialog(kerf_coupon(joint_of(parameters)), "Forest", tmp_path, preferences, jobs, parent=owner)
        dialog.show()
        opened.append(dialog)
        return dialog

    yield shown
    for dialog in opened:
        dialog.reject()
    jobs.close()


def drawn(dialog: CouponDialog[Any], seconds: float = 20.0) -> None:
    """Wait until the coupon is drawn, or refused."""
    until = time.monotonic() + seconds
    while "Drawing coupon" in dialog.summary.text() and time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.002)
    assert "Drawing coupon" not in dialog.summary.text()


def write(dialog: CouponDialog[Any], name: str, text: str) -> None:
    editor = dialog.form.field(name)
    assert isinstance(editor, QAbstractSpinBox)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def choose(box: QComboBox, value: object) -> None:
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def kerfs(dialog: CouponDialog[Any]) -> list[float]:
    return [dialog.fitting.itemData(row) for row in range(dialog.fitting.count())]


def texts(dialog: CouponDialog[Any]) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def test_the_coupon_is_explained_and_shown(show: Open) -> None:
    dialog = show()
    assert "Cut this test sheet once" in texts(dialog)
    assert not dialog.export.isEnabled(), "there is nothing to write yet"
    drawn(dialog)
    assert "7 pairs" in texts(dialog) and "Sheet of" in texts(dialog)
    assert len(dialog.request().made.pieces) == 14
    assert dialog.export.isEnabled()


def test_kerfs_around_that_of_the_material_are_offered(show: Open) -> None:
    dialog = show()
    assert kerfs(dialog) == list(kerfs_around(one_of(Material, "plywood-3").value).kerfs)
    assert dialog.fitting.currentData() == one_of(Material, "plywood-3").value.kerf
    choose(dialog.first, "acrylic-3")
    assert kerfs(dialog) == list(kerfs_around(one_of(Material, "acrylic-3").value).kerfs)


def test_other_kerfs_are_tried_as_they_are_asked_for(show: Open) -> None:
    dialog = show()
    for name, text in (("first", "0.1"), ("step", "0.02"), ("count", "3")):
        write(dialog, name, text)
    assert kerfs(dialog) == [0.1, 0.12, 0.14]
    drawn(dialog)
    names = dialog.request().made.pieces.names
    assert {name.split()[0] for name in names} == {"0.10", "0.12", "0.14"}


def test_the_pair_that_fits_is_kept_with_the_material(show: Open) -> None:
    dialog = show()
    choose(dialog.fitting, 0.2)
    QTest.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
    kept = one_of(Material, "plywood-3")
    assert kept.own and kept.value.kerf == 0.2
    assert f"Kerf of {kept.title} set to 0.20 mm." in texts(dialog)
    assert dialog.isVisible() and dialog.first.currentText() == f"{kept.title} (custom)"
    assert dialog.fitting.currentData() == 0.2, "what was cut is still what is asked about"


def test_a_kerf_that_cannot_be_kept_is_told(show: Open) -> None:
    own_folder().parent.mkdir(parents=True, exist_ok=True)
    own_folder().write_text("a file where the folder should be", encoding="utf-8")
    dialog = show()
    QTest.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
    assert dialog.unkept.isVisible() and dialog.unkept.sentence.text()
    assert not dialog.kept.isVisible()


def test_a_drawing_without_a_tongue_has_no_coupon(show: Open) -> None:
    dialog = show(JigsawParameters(plain_share=1.0))
    drawn(dialog)
    assert "the puzzle has no tongue between two pieces" in texts(dialog)
    assert not dialog.export.isEnabled()
    dialog.accept()
    assert dialog.isVisible()


def test_a_coupon_too_large_for_the_bed_is_refused(show: Open) -> None:
    keep(Named("tiny", "Tiny", Machine(bed_width=30, bed_height=30)))
    dialog = show()
    choose(dialog.second, "tiny")
    drawn(dialog)
    assert "Even one pair (" in texts(dialog) and not dialog.export.isEnabled()
    choose(dialog.second, every(Machine)[0].key)
    drawn(dialog)
    assert "Use fewer pairs" not in texts(dialog) and dialog.export.isEnabled()


def test_what_was_cut_is_asked_about_the_next_time(qtbot: QtBot, show: Open, tmp_path: Path) -> None:
    keep(Named("felt", "Felt", Material(kerf=0.3)))
    first = show()
    choose(first.first, "felt")
    for name, text in (("first", "0.2"), ("count", "4")):
        write(first, name, text)
    drawn(first)
    with qtbot.waitSignal(first.accepted):
        QTest.mouseClick(first.export, Qt.MouseButton.LeftButton)
    again = show()
    assert again.first.chosen().key == "felt"
    assert kerfs(again) == list(CouponOptions(0.2, 0.05, 4).kerfs)
    assert first.request().path == tmp_path / "Forest coupon.svg"


def test_closing_keeps_and_writes_nothing(qtbot: QtBot, show: Open, preferences: Preferences) -> None:
    dialog = show()
    with qtbot.waitSignal(dialog.rejected):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not own_keys(Material) and preferences.coupon_values() == {}


# For the printer


@pytest.fixture
def show_gaps(qtbot: QtBot, tmp_path: Path, preferences: Preferences) -> Iterator[Callable[..., CouponDialog[Plate]]]:
    jobs, owner = Jobs(), QWidget()
    qtbot.addWidget(owner)
    opened: list[CouponDialog[Plate]] = []

    def shown(**parameters: float) -> CouponDialog[Plate]:
        made = partial(joints, CubeDesign(CubeParameters(**parameters)))  # type: ignore[arg-type]
        dialog = CouponDialog(gap_coupon(made), "Box", tmp_path, preferences, jobs, parent=owner)
        dialog.show()
        opened.append(dialog)
        return dialog

    yield shown
    for dialog in opened:
        dialog.reject()
    jobs.close()


def test_a_coupon_for_the_printer_is_shown_before_it_is_written(show_gaps: Callable[..., CouponDialog[Plate]]) -> None:
    dialog = show_gaps()
    assert not dialog.export.isEnabled(), "there is nothing to write yet"
    drawn(dialog)
    said = texts(dialog)
    assert "Print this test plate once" in said and "5 pairs, " in said and "Plate of" in said
    assert [solid.name for solid in dialog.request().made.solids][:2] == ["0.10 a", "0.10 b"]
    assert dialog.file.suffix() == ".3mf" and dialog.file.format.count() == 2 and dialog.export.isEnabled()


def test_the_gap_that_fits_is_kept_with_printer_and_plastic_and_tried_around_the_next_time(
    show_gaps: Callable[..., CouponDialog[Plate]],
) -> None:
    dialog = show_gaps()
    choose(dialog.first, "petg")
    choose(dialog.second, "small-180")
    choose(dialog.fitting, 0.35)
    QTest.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
    assert remembered() == {("small-180", "petg"): 0.35}
    assert "Saved: 0.35 mm clearance for PETG on Generic 180 × 180 mm." in texts(dialog)
    choose(dialog.second, "usual-220")
    assert kerfs(dialog)[0] == 0.15
    choose(dialog.second, "small-180")
    assert kerfs(dialog) == [0.25, 0.3, 0.35, 0.4, 0.45] and dialog.fitting.currentData() == 0.35


def test_a_coupon_too_large_for_the_printer_is_refused_and_one_of_tiny_voxels_is_not(
    show_gaps: Callable[..., CouponDialog[Plate]],
) -> None:
    keep(Named("tiny", "Tiny", Printer(bed_width=40, bed_depth=40)))
    dialog = show_gaps()
    choose(dialog.second, "tiny")
    drawn(dialog)
    assert "Use fewer pairs" in texts(dialog) and not dialog.export.isEnabled()
    small = show_gaps(unit=1.0, gap=0.05)
    drawn(small)
    assert "5 pairs, 1 g, " in texts(small) and small.export.isEnabled()


def test_a_coupon_for_the_printer_is_remembered_apart_from_that_for_the_laser(
    qtbot: QtBot, show_gaps: Callable[..., CouponDialog[Plate]], preferences: Preferences
) -> None:
    dialog = show_gaps()
    write(dialog, "count", "3")
    drawn(dialog)
    with qtbot.waitSignal(dialog.accepted):
        QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
    assert preferences.coupon_values() == {} and preferences.coupon_values("print")["count"] == 3
    assert len(kerfs(show_gaps())) == 3
