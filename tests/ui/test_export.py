"""The export dialog says how large the puzzle is, offers what the format has, and remembers what was chosen."""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from studio.base.amounts import duration
from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.exporting.formats import LASER, Options, refuse_pictures
from studio.exporting.options import EXACT, NO_UNIT, ONE_PAGE
from studio.fabricate.cutting_time import raster_seconds
from studio.fabricate.making import Made, Making, made
from studio.fabricate.recipes import equipped
from studio.fabricate.tabs import with_engraving
from studio.fabricate.workshop import Machine, Material, Named, every, keep, one_of
from studio.files.store import dumps
from studio.geometry.art.artwork import Region
from studio.geometry.curves.strokes import Curves, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.registry import kind
from studio.ui.panels.export_dialog import ORDER_HINT, ExportDialog, ShowWorkshop, Subject
from studio.ui.panels.file_dialog import FolderChooser
from studio.ui.panels.making_choice import ALWAYS_BED, AT_TABS, NO_BED, NO_PLAY, NO_WASTE, Make
from studio.ui.panels.workshop import WorkshopDialog
from studio.ui.session.jobs import FAULT, Jobs
from studio.ui.session.preferences import Preferences
from tests.ui.measuring import cut_off
from tests.ui.standin import plain

RIM = 8

Open = Callable[..., ExportDialog]


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    kind = JIGSAW
    shaped: Drawing = kind.shape(kind.example(), None, Progress()).drawing
    return shaped


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(QSettings(str(tmp_path / "studio.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def show(qtbot: QtBot, tmp_path: Path, preferences: Preferences, drawing: Drawing) -> Iterator[Open]:
    jobs, owner, opened = Jobs(), QWidget(), []
    qtbot.addWidget(owner)

    def shown(
        errors: int = 0, name: str = "Forest.puzzle", chooser: FolderChooser | None = None, make: Make = plain,
        subject: Drawing = drawing, show_workshop: ShowWorkshop = lambda dialog: None, room: QSize | None = None,
    ) -> ExportDialog:  # fmt: skip
        asked = chooser or (lambda parent, start: None)
        # It has an owner, so that Python's collector, which may run in a thread that makes sheets, does not delete it.
        dialog = ExportDialog(
            Subject(subject, errors), name, tmp_path, preferences, make, jobs, chooser=asked,
            show_workshop=show_workshop, room=room, parent=owner,
        )  # fmt: skip
        dialog.show()
        opened.append(dialog)
        return dialog

    yield shown
    for dialog in opened:
        dialog.reject()
    jobs.close()


class Gate:
    """Makes plainly, but only once it is let; counts how often it was given up."""

    def __init__(self) -> None:
        self.entered, self.free, self.cancelled = Event(), Event(), 0

    def __call__(
        self, drawing: Drawing, making: Making, machine: Machine, material: Material, progress: Progress
    ) -> Made:
        self.entered.set()
        while not self.free.wait(0.005):
            try:
                progress.step(0.1)
            except Cancelled:
                self.cancelled += 1
                raise
        return plain(drawing, making, machine, material, progress)


def done(dialog: ExportDialog, seconds: float = 20.0) -> None:
    """Wait until both ways are known."""
    until = time.monotonic() + seconds
    while (dialog.trial.outcome is None or dialog.trial.other is None) and time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.002)
    assert dialog.trial.outcome is not None and dialog.trial.other is not None


def write(dialog: ExportDialog, name: str, text: str) -> None:
    editor = dialog.making.form.field(name)
    assert isinstance(editor, QAbstractSpinBox)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def texts(dialog: QDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def choose(dialog: ExportDialog, name: str, value: str) -> None:
    (box,) = [one for one in dialog.findChildren(QComboBox) if one.accessibleName() == name]
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_the_dialog_says_how_large_the_puzzle_is_and_what_is_cut(show: Open) -> None:
    words = texts(show())
    assert "300.0 × 150.0 mm" in words
    assert "Scale 1:1 · 72 pieces · 17 cuts · 5.95 m" in words
    assert ORDER_HINT in words


def test_a_single_cut_is_told_in_the_singular(show: Open, drawing: Drawing) -> None:
    pieces = Pieces(np.array([0]), np.array([0, 1]), ("A1",))
    square = straight(np.array([[[0, 0], [20, 0]], [[20, 0], [20, 20]], [[20, 20], [0, 20]], [[0, 20], [0, 0]]], float))
    rim = Chain(Operation.BORDER, np.array([0, 2, 4, 6]), closed=True)
    assert "Scale 1:1 · 1 piece · 1 cut · 80 mm" in texts(show(subject=Drawing(20, 20, square, (rim,), pieces)))


def test_the_request_is_the_file_next_to_the_others_and_what_came_of_it(
    show: Open, tmp_path: Path, drawing: Drawing
) -> None:
    dialog = show()
    done(dialog)
    request = dialog.request()
    assert request[:3] == (tmp_path / "Forest.svg", Options(), False)
    assert (request.machine, request.material) == (
        equipped(one_of(Machine, "co2-600x400"), one_of(Material, "plywood-3"))[0],
        one_of(Material, "plywood-3").value,
    )
    assert request.making == Making(kerf=request.material.kerf, play=request.material.play)
    assert request.made is not None and request.made.cut == pytest.approx(drawing.cut_length)


def test_a_name_with_an_ending_gets_no_second_one(show: Open, tmp_path: Path) -> None:
    dialog = show()
    dialog.file.name.setText("Sea.svg")
    assert dialog.request().path == tmp_path / "Sea.svg"
    choose(dialog, "Format", ".dxf")
    assert dialog.request().path == tmp_path / "Sea.dxf"


@pytest.mark.parametrize(
    ("written", "name", "ending"),
    [("Sea.dxf", "Sea", ".dxf"), ("Sea.svg.DXF", "Sea", ".dxf"), ("Sea.svg", "Sea", ".svg"), ("S.t", "S.t", ".svg")],
)
def test_a_written_ending_chooses_the_format(show: Open, tmp_path: Path, written: str, name: str, ending: str) -> None:
    dialog = show()
    dialog.file.name.selectAll()
    QTest.keyClicks(dialog.file.name, written)
    QTest.keyClick(dialog.file.name, Qt.Key.Key_Return)
    assert (dialog.file.name.text(), dialog.file.suffix(), dialog.file.ending.text()) == (name, ending, ending)
    assert dialog.file.path() == tmp_path / f"{name}{ending}"


def test_dxf_options_are_shown_for_dxf_only(show: Open) -> None:
    dialog = show()
    assert "DXF version" not in texts(dialog)
    choose(dialog, "Format", ".dxf")
    assert "DXF version" in texts(dialog)


def test_no_part_of_the_dialog_is_a_window_of_its_own(show: Open) -> None:
    """Such a window would outlive the dialog, and the studio would not end with its last window."""
    dialog = show()
    choose(dialog, "Format", ".dxf")
    assert [window for window in QApplication.topLevelWidgets() if window.isVisible()] == [dialog]


def test_dxf_without_a_unit_says_so(show: Open) -> None:
    dialog = show()
    choose(dialog, "Format", ".dxf")
    assert NO_UNIT not in texts(dialog)
    choose(dialog, "DXF version", "R12")
    assert NO_UNIT in texts(dialog)
    assert dialog.request().options == Options(version="R12")


def test_options_that_do_not_go_together_are_refused_where_they_are(show: Open) -> None:
    dialog = show()
    choose(dialog, "Format", ".dxf")
    choose(dialog, "DXF version", "R12")
    choose(dialog, "DXF curves", "spline")
    assert "DXF R12 has no splines; choose arcs or lines, or DXF R2000." in texts(dialog)
    assert dialog.request().options == Options(version="R12")
    choose(dialog, "DXF version", "R2000")
    assert "no splines" not in texts(dialog)


def test_with_errors_the_dialog_warns_and_the_button_says_anyway(show: Open) -> None:
    assert show().export.text() == "Export"
    dialog = show(errors=2)
    assert "2 errors: the puzzle will not work as designed." in texts(dialog)
    assert dialog.export.text() == "Export anyway"
    assert dialog.request().force


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Enter a file name."),
        ("  ", "Enter a file name."),
        ("a/b", "A file name cannot contain a slash"),
        ("..", "A file name cannot contain a slash"),
        ("x" * 4000, "This file name is too long."),
    ],
)
def test_a_name_that_cannot_be_is_told_and_not_exported(show: Open, name: str, sentence: str) -> None:
    dialog = show()
    dialog.file.name.setText(name)
    assert sentence in texts(dialog)
    assert not dialog.export.isEnabled()
    dialog.accept()
    assert dialog.isVisible()


def test_a_name_that_leaves_no_room_for_the_numbers_of_sheets_is_refused(show: Open) -> None:
    dialog = show()
    dialog.file.name.setText("x" * 250)
    done(dialog)
    assert dialog.export.isEnabled()
    write(dialog, "copies", "3")
    done(dialog)
    assert "This file name is too long." in texts(dialog) and not dialog.export.isEnabled()
    dialog.file.name.setText("x" * 200)
    assert dialog.export.isEnabled()


def test_a_folder_that_is_not_there_is_told(show: Open, tmp_path: Path) -> None:
    dialog = show()
    dialog.file.folder.setText(str(tmp_path / "nowhere"))
    assert "This folder does not exist." in texts(dialog)
    assert not dialog.export.isEnabled()


def test_a_file_that_will_be_replaced_is_told(show: Open, tmp_path: Path) -> None:
    (tmp_path / "Forest.svg").touch()
    dialog = show()
    assert "This will replace an existing file." in texts(dialog) and dialog.export.text() == "Replace"
    dialog.file.name.setText("Sea")
    assert "This will replace an existing file." not in texts(dialog) and dialog.export.text() == "Export"
    assert show(errors=1).export.text() == "Replace anyway"


def test_a_design_is_not_replaced_whatever_it_is_called(show: Open, tmp_path: Path) -> None:
    dialog = show()
    (tmp_path / "mine.svg").write_bytes(dumps(JIGSAW, JigsawDesign()))
    dialog.file.name.setText("mine")
    assert dialog.file.problem_words.text() == "mine.svg is a design or a saved game. Choose another name."
    assert not dialog.export.isEnabled()
    dialog.file.name.setText("other")
    assert dialog.export.isEnabled()


def test_a_design_in_the_place_of_a_sheet_is_not_replaced(show: Open, tmp_path: Path) -> None:
    dialog = show()
    write(dialog, "copies", "3")
    done(dialog)
    (tmp_path / "mine-2.svg").write_bytes(dumps(JIGSAW, JigsawDesign()))
    dialog.file.name.setText("mine")
    assert "mine-2.svg is a design" in dialog.file.problem_words.text()
    assert not dialog.export.isEnabled()


def test_browsing_takes_the_folder_or_leaves_it(qtbot: QtBot, show: Open, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    answers: list[Path | None] = [None, inner]
    asked: list[Path] = []

    def chooser(parent: QWidget, start: Path) -> Path | None:
        asked.append(start)
        return answers.pop(0)

    dialog = show(chooser=chooser)
    for expected in (tmp_path, inner):
        QTest.mouseClick(dialog.file.browse, Qt.MouseButton.LeftButton)
        assert dialog.request().path.parent == expected
    assert asked == [tmp_path, tmp_path]


def test_folder_format_and_options_are_remembered(
    qtbot: QtBot, show: Open, preferences: Preferences, tmp_path: Path
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    first = show()
    choose(first, "Format", ".dxf")
    choose(first, "DXF curves", "spline")
    choose(first, "Profile", "workshop")
    first.file.folder.setText(str(inner))
    with qtbot.waitSignal(first.accepted):
        QTest.mouseClick(first.export, Qt.MouseButton.LeftButton)
    again = show()
    assert again.request()[:3] == (inner / "Forest.dxf", Options(profile="workshop", curves="spline"), False)


def test_cancelling_remembers_nothing(show: Open, preferences: Preferences) -> None:
    dialog = show()
    choose(dialog, "Format", ".dxf")
    dialog.reject()
    assert preferences.export_suffix() == ""


def test_remembered_options_that_no_longer_can_be_are_passed_over(show: Open, preferences: Preferences) -> None:
    preferences.set_export_suffix(".dxf")
    preferences.set_export_values(
        ".dxf", {"version": "R12", "curves": "spline", "tolerance": 1e9, "profile": [], "close": True, "x": 1}
    )
    assert show().request().options == Options(version="R12", close=True)


def test_the_sheets_are_laid_out_and_counted_and_both_ways_are_priced(show: Open) -> None:
    dialog = show()
    assert "Laying out sheets…" in texts(dialog)
    done(dialog)
    assert "1 sheet, 100 % used" in texts(dialog)
    assert (
        dialog.outcome.costs.accessibleName() == "Single line: 5.95 m, 6 min 37 s; Separate outlines: 11.90 m, 13 min"
    )
    assert "Sheet of 300.0 × 150.0 mm" in texts(dialog)


def test_several_sheets_are_paged_through(show: Open) -> None:
    dialog = show()
    write(dialog, "copies", "3")
    done(dialog)
    pages = dialog.outcome.pages
    assert "3 sheets" in texts(dialog) and "Sheet 1 of 3, 600.0 × 400.0 mm" in texts(dialog)
    assert "One file per sheet: Forest-1.svg … Forest-3.svg." in texts(dialog)
    for expected in (1, 2, 2):
        QTest.mouseClick(pages.on, Qt.MouseButton.LeftButton)
        assert pages.page == expected
    QTest.keyClick(pages.back, Qt.Key.Key_Space)
    assert "Sheet 2 of 3" in texts(dialog)
    write(dialog, "copies", "1")
    done(dialog)
    assert pages.page == 0 and not pages.on.isVisible()


def test_several_copies_go_to_the_bed_where_there_is_room_for_them(show: Open) -> None:
    dialog = show()
    assert dialog.request().making.page == "board"
    write(dialog, "copies", "2")
    assert dialog.request().making.page == "bed"


def test_both_ways_of_several_copies_are_priced(show: Open) -> None:
    dialog = show(make=made)
    choose(dialog, "Cut style", "separate")
    write(dialog, "copies", "2")
    done(dialog)
    assert "not possible" not in dialog.outcome.costs.accessibleName()


def test_machines_and_materials_changed_on_the_way_are_offered_at_once(show: Open) -> None:
    def change(dialog: WorkshopDialog) -> None:
        keep(Named("felt", "Felt", Material(kerf=0.07)))
        keep(Named("galvo", "Galvo", Machine(bed_width=110, bed_height=110)))

    dialog = show(show_workshop=change)
    choose(dialog, "Material", "mdf-3")
    QTest.mouseClick(dialog.workshop, Qt.MouseButton.LeftButton)
    assert dialog.making.material.chosen().key == "mdf-3", "what was chosen stays"
    choose(dialog, "Material", "felt")
    choose(dialog, "Machine", "galvo")
    assert dialog.request().making.kerf == 0.07
    assert dialog.request().machine.bed_width == 110


def test_files_of_several_sheets_that_will_be_replaced_are_counted(show: Open, tmp_path: Path) -> None:
    (tmp_path / "Forest-2.svg").touch()
    dialog = show()
    write(dialog, "copies", "2")
    done(dialog)
    assert "Forest-1.svg … Forest-2.svg. This will replace 1 existing file." in texts(dialog)


def test_fields_that_do_not_matter_rest_and_say_why(show: Open) -> None:
    dialog = show()
    resting = {"play": NO_PLAY, "margin": NO_BED, "spacing": NO_BED, "lead_in": NO_WASTE, "overcut": NO_WASTE}
    for name, reason in resting.items():
        editor = dialog.making.form.field(name)
        assert not editor.isEnabled() and reason == editor.toolTip() == editor.accessibleDescription()
    choose(dialog, "Cut style", "separate")
    assert all(dialog.making.form.field(name).isEnabled() for name in resting)
    assert dialog.making.form.field("kerf").isEnabled(), "a kerf too wide for a neck is refused either way"
    page = dialog.making.form.field("page")
    assert not page.isEnabled() and page.toolTip() == ALWAYS_BED
    choose(dialog, "Tabs", "piece")
    lead_in = dialog.making.form.field("lead_in")
    assert not lead_in.isEnabled() and lead_in.toolTip() == AT_TABS
    choose(dialog, "Cut style", "shared")
    choose(dialog, "Sheet", "bed")
    assert dialog.making.form.field("margin").isEnabled() and not dialog.making.form.field("play").isEnabled()


def test_an_overcut_is_asked_for_once_there_is_a_lead_in_and_both_reach_the_sheets(show: Open) -> None:
    dialog = show(make=made)
    choose(dialog, "Cut style", "separate")
    form = dialog.making.form
    assert not form.field("overcut").isVisible()
    write(dialog, "lead_in", "1.5")
    assert form.field("overcut").isVisible()
    write(dialog, "overcut", "0.5")
    done(dialog)
    asked = dialog.request().making
    assert (asked.lead_in, asked.overcut) == (1.5, 0.5)
    assert dialog.trial.outcome is not None and dialog.trial.outcome.made is not None
    (sheet,) = dialog.trial.outcome.made.sheets
    assert all(chain.overcut for chain in sheet.chains) and len(sheet.chains) == len(sheet.pieces)


def test_options_that_a_format_does_not_use_now_rest_and_say_why(show: Open) -> None:
    dialog = show()
    choose(dialog, "Format", ".pdf")
    for name in ("paper", "paper_margin", "overlap"):
        editor = dialog.file.form.field(name)
        assert not editor.isEnabled() and editor.toolTip() == editor.accessibleDescription() == ONE_PAGE
    choose(dialog, "Pages", "tiled")
    assert all(dialog.file.form.field(name).isEnabled() for name in ("paper", "paper_margin", "overlap"))
    choose(dialog, "Format", ".dxf")
    assert dialog.file.form.field("tolerance").isEnabled()
    choose(dialog, "DXF curves", "spline")
    tolerance = dialog.file.form.field("tolerance")
    assert not tolerance.isEnabled() and tolerance.toolTip() == EXACT


@pytest.mark.parametrize(
    ("size", "fits"), [((600.0, 400.0), True), ((400.0, 600.0), True), ((601.0, 300.0), False), ((450.0, 401.0), False)]
)
def test_a_sheet_larger_than_the_bed_is_told(
    show: Open, drawing: Drawing, size: tuple[float, float], fits: bool
) -> None:
    dialog = show(subject=replace(drawing, width=size[0], height=size[1]))
    done(dialog)
    assert ("larger than the machine bed (600 × 400 mm)" in texts(dialog)) is not fits
    assert dialog.export.isEnabled(), "somebody may cut it elsewhere"
    choose(dialog, "Machine", "co2-1016x610")
    done(dialog)
    assert "larger than the machine bed" not in texts(dialog)


def test_kerf_and_play_come_from_the_material_and_go_back_to_it(show: Open) -> None:
    dialog = show()
    choose(dialog, "Cut style", "separate")
    other = next(one for one in every(Material) if one.value.kerf != dialog.request().material.kerf)
    choose(dialog, "Material", other.key)
    assert (dialog.request().making.kerf, dialog.request().making.play) == (other.value.kerf, other.value.play)
    write(dialog, "kerf", "0.31")
    assert dialog.request().making.kerf == 0.31
    (reset,) = [one for one in dialog.findChildren(QToolButton) if one.accessibleName().startswith("Reset kerf")]
    assert reset.accessibleName() == f"Reset kerf to {other.value.kerf:.2f} mm"
    QTest.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert dialog.request().making.kerf == other.value.kerf


def test_how_the_pieces_will_lie_is_said(show: Open) -> None:
    dialog = show()
    kerf = one_of(Material, "plywood-3").value.kerf
    assert f"Gap between pieces: {kerf:.2f} mm (the kerf)." in texts(dialog)
    choose(dialog, "Cut style", "separate")
    fits = (("0.1", "Gap between pieces: 0.10 mm."), ("0", "No clearance."), ("-0.05", "Press fit, 0.05 mm."))
    for play, sentence in fits:
        write(dialog, "play", play)
        assert sentence in texts(dialog)


def test_a_making_that_cannot_be_is_refused_in_a_sentence(show: Open, drawing: Drawing) -> None:
    dialog = show(subject=replace(drawing, width=90_000.0))
    choose(dialog, "Sheet", "bed")
    done(dialog)
    assert "The board is 90000 mm wide and the bed only" in texts(dialog)
    assert not dialog.export.isEnabled()
    dialog.accept()
    assert dialog.isVisible()
    choose(dialog, "Sheet", "board")
    done(dialog)
    assert "The board is 90000 mm wide" not in texts(dialog) and dialog.export.isEnabled()
    assert "Separate outlines: not possible" in dialog.outcome.costs.accessibleName()


def test_what_the_maker_must_know_is_told(show: Open) -> None:
    dialog = show()
    choose(dialog, "Cut style", "separate")
    write(dialog, "kerf", "0.4")
    done(dialog)
    assert "A kerf of 0.4 mm is wide." in texts(dialog)


def test_an_export_waits_for_the_sheets_and_then_closes(qtbot: QtBot, show: Open) -> None:
    gate = Gate()
    dialog = show(make=gate)
    qtbot.waitUntil(lambda: gate.entered.is_set())
    QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
    assert dialog.isVisible() and not dialog.export.isEnabled()
    assert "The file will be written when the layout is finished." in texts(dialog)
    with qtbot.waitSignal(dialog.accepted):
        gate.free.set()
    assert dialog.request().made is not None


def test_a_wait_for_the_sheets_can_be_given_up(qtbot: QtBot, show: Open, preferences: Preferences) -> None:
    gate = Gate()
    dialog = show(make=gate)
    QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(dialog.rejected):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    gate.free.set()
    assert preferences.export_suffix() == ""


def test_a_change_gives_up_what_is_being_laid_out(qtbot: QtBot, show: Open) -> None:
    gate = Gate()
    dialog = show(make=gate)
    qtbot.waitUntil(lambda: gate.entered.is_set())
    QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
    write(dialog, "copies", "2")
    qtbot.waitUntil(lambda: gate.cancelled == 1)
    gate.free.set()
    done(dialog)
    assert dialog.isVisible() and "2 sheets" in texts(dialog), "what was agreed to was another export"


def test_a_fault_in_the_making_is_reported_and_not_exported(show: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, _error, _trace: faults.append(kind))

    def faulty(*_: object) -> Made:
        raise ZeroDivisionError

    dialog = show(make=faulty)
    done(dialog)
    assert faults[:1] == [ZeroDivisionError]
    assert not dialog.export.isEnabled() and FAULT in texts(dialog)


def test_the_other_way_once_chosen_is_known_at_once(show: Open) -> None:
    dialog = show()
    done(dialog)
    choose(dialog, "Cut style", "separate")
    assert dialog.trial.outcome is not None
    assert "Laying out" not in texts(dialog)


def test_the_making_is_remembered_but_for_what_belongs_to_this_time(
    qtbot: QtBot, show: Open, preferences: Preferences
) -> None:
    first = show()
    choose(first, "Cut style", "separate")
    choose(first, "Material", every(Material)[-1].key)
    choose(first, "Machine", every(Machine)[-1].key)
    for name, text in (("copies", "3"), ("kerf", "0.33"), ("margin", "7")):
        write(first, name, text)
    done(first)
    with qtbot.waitSignal(first.accepted):
        QTest.mouseClick(first.export, Qt.MouseButton.LeftButton)
    request = show().making.request()
    last = every(Material)[-1].value
    assert request.making == Making(lines="separate", margin=7.0, kerf=last.kerf, play=last.play)
    assert (request.machine, request.material) == (every(Machine)[-1].value, last)


def test_a_remembered_making_that_no_longer_can_be_is_passed_over(show: Open, preferences: Preferences) -> None:
    preferences.set_workshop_key("machine", "sold")
    preferences.set_making_values({"lines": "woven", "margin": -4, "mirror": True, "kerf": 1.9, "copies": 40})
    request = show().making.request()
    usual = one_of(Material, "plywood-3").value
    assert request.making == Making(mirror=True, kerf=usual.kerf, play=usual.play)
    assert request.machine == equipped(one_of(Machine, "co2-600x400"), one_of(Material, "plywood-3"))[0]


def test_a_picture_is_refused_where_the_machine_takes_only_lines(show: Open) -> None:
    keep(Named("old-one", "The old one", Machine(pictures=False)))
    taking = {one.value.pictures: one for one in every(Machine)}
    dialog = show()
    choose(dialog, "Format", ".png")
    choose(dialog, "Machine", taking[False].key)
    assert ORDER_HINT not in texts(dialog), "a picture has no order"
    assert f"{taking[False].title} cannot engrave pictures (PNG)." in texts(dialog)
    assert not dialog.export.isEnabled()
    choose(dialog, "Machine", taking[True].key)
    assert "cannot engrave pictures" not in texts(dialog) and dialog.export.isEnabled()


def test_only_pictures_are_refused_and_only_by_machines_that_take_none() -> None:
    for suffix in (one.suffix for one in LASER.members if not one.is_picture):
        refuse_pictures(suffix, "The old one", takes_pictures=False)
    refuse_pictures(".png", "The new one", takes_pictures=True)
    with pytest.raises(StudioError, match="The old one cannot engrave pictures"):
        refuse_pictures(".PNG", "The old one", takes_pictures=False)


def test_the_lines_of_the_sheets_have_the_colours_of_the_profile(show: Open) -> None:
    dialog = show()
    done(dialog)

    def hues() -> tuple[bool, bool]:
        """Whether something strongly red and something strongly blue is seen."""
        image = dialog.outcome.pages.picture.grab().toImage()
        places = [(x, y) for x in range(0, image.width()) for y in range(0, image.height())]
        colours = [image.pixelColor(x, y) for x, y in places]
        return any(one.red() > one.blue() + 120 for one in colours), any(
            one.blue() > one.red() + 120 for one in colours
        )

    assert hues() == (True, True)
    choose(dialog, "Profile", "single")
    assert hues() == (True, False)


def test_the_tab_key_goes_through_the_whole_dialog(qtbot: QtBot, show: Open) -> None:
    dialog = show()
    choose(dialog, "Cut style", "separate")
    done(dialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    stops: list[QWidget] = []
    at = dialog.focusWidget()
    while at is not None and at not in stops and len(stops) < 60:
        stops.append(at)
        QTest.keyClick(at, Qt.Key.Key_Tab)
        at = dialog.focusWidget()
    first = next(number for number, stop in enumerate(stops) if stop.accessibleName() == "Format")
    stops = stops[first:] + stops[:first]
    names = [stop.accessibleName() for stop in stops if not isinstance(stop, QPushButton)]
    assert all(names), "a screen reader has a name for every stop"
    for name in (
        "Format",
        "File name",
        "Folder",
        "Machine",
        "Material",
        "Cut style",
        "Kerf",
        "Clearance",
        "Copies",
        "Margin",
    ):
        assert name in names
    assert names.index("Format") < names.index("Machine") < names.index("Kerf") < names.index("Cut order")
    assert dialog.export in stops


def test_the_dialog_fits_a_small_screen(show: Open) -> None:
    dialog = show(room=QSize(1240, 740))
    choose(dialog, "Format", ".dxf")
    choose(dialog, "Cut style", "separate")
    done(dialog)
    wanted = dialog.whole_size()
    assert wanted.width() <= 1240 and wanted.height() <= 740


def test_on_a_narrower_screen_the_preview_stays_in_sight_while_the_fields_scroll(show: Open) -> None:
    room = QSize(976, 652)
    dialog = show(room=room, make=made)
    choose(dialog, "Cut style", "separate")
    done(dialog)
    assert dialog.size().boundedTo(room) == dialog.size()
    file, making = (part.mapTo(dialog, QPoint()) for part in (dialog.file, dialog.making))
    assert making.x() == file.x() and making.y() > file.y()
    fields = (dialog.file.format, dialog.file.name, dialog.making.machine, dialog.making.form.field("kerf"))
    assert len({field.mapTo(dialog, QPoint()).x() for field in fields}) == 1
    QApplication.processEvents()
    assert not cut_off(dialog)
    before, bar = dialog.outcome.mapTo(dialog, QPoint()), dialog._area.verticalScrollBar()
    assert bar.maximum() > 0
    bar.setValue(bar.maximum())
    assert dialog.outcome.mapTo(dialog, QPoint()) == before and dialog.making.mapTo(dialog, QPoint()) != making
    # Why there is nothing to export is seen without scrolling.
    choose(dialog, "Sheet", "board")
    choose(dialog, "Cut order", "snake")
    done(dialog)
    assert not dialog.export.isEnabled() and "Zigzag needs rows and columns" in dialog.refusal.sentence.text()
    assert dialog.refusal.visibleRegion().boundingRect() == dialog.refusal.rect()
    QApplication.processEvents()
    assert dialog.size().boundedTo(room) == dialog.size() and not cut_off(dialog)


def pictured(drawing: Drawing) -> Drawing:
    """The drawing with a grey square under it."""
    square = np.array([(10.0, 10.0), (60, 10), (60, 60), (10, 60)])
    return replace(drawing, artwork=(Region((square,), "#808080"),))


def tick(dialog: ExportDialog, words: str) -> None:
    (box,) = [one for one in dialog.findChildren(QCheckBox) if one.text() == words and one.isVisible()]
    box.click()


def test_artwork_is_printed_and_engraved_beside_the_file(show: Open, drawing: Drawing, tmp_path: Path) -> None:
    dialog = show(subject=pictured(drawing), make=made)
    choose(dialog, "Marks", "circles")
    tick(dialog, "Print PDF")
    tick(dialog, "Greyscale artwork")
    done(dialog)
    request = dialog.request()
    assert request.making.marks == "circles" and request.options.print_pdf and request.options.raster
    assert request.made is not None and request.made.plans[0].drawing.chains[-1].operation is Operation.MARK
    (tmp_path / "Forest-print.pdf").touch()
    request.path.touch()
    dialog.file.changed.emit()
    assert "This will replace 2 existing files." in texts(dialog)


def test_the_preview_shows_the_artwork_and_how_long_it_takes_to_engrave(show: Open, drawing: Drawing) -> None:
    dialog = show(subject=pictured(drawing), make=made)
    done(dialog)
    picture = dialog.outcome.pages.picture
    image, ratio = picture.grab().toImage(), picture.devicePixelRatioF()
    scale = min((picture.width() - 2 * RIM) / drawing.width, (picture.height() - 2 * RIM) / drawing.height)
    left, top = (picture.width() - scale * drawing.width) / 2, (picture.height() - scale * drawing.height) / 2

    def grey(x: float, y: float) -> float:
        """The share of pixels of artwork around a place in mm; lines may cross it."""
        at = QPointF(left + x * scale, top + y * scale) * ratio
        around = [image.pixelColor(int(at.x()) + dx, int(at.y()) + dy) for dx in range(-4, 5) for dy in range(-4, 5)]
        return sum(colour.name() == "#808080" for colour in around) / len(around)

    assert grey(35, 35) > 0.5 and grey(drawing.width - 35, drawing.height - 35) == 0
    assert not dialog.outcome.engraving.isVisible()
    tick(dialog, "Greyscale artwork")
    done(dialog)
    request = dialog.request()
    seconds = raster_seconds(50.0, 50.0, request.options.raster_dpi, request.machine)
    assert dialog.outcome.engraving.isVisible() and duration(seconds) in dialog.outcome.engraving.text()


def test_engraving_can_have_a_file_of_its_own_whose_name_is_said(show: Open, drawing: Drawing) -> None:
    text = Curves.from_strokes([np.array([(20.0, 20.0), (24, 30), (28, 30), (32, 20)])])
    dialog = show(subject=with_engraving(drawing, [text]), make=made)
    assert "Engraving goes to" not in texts(dialog)
    choose(dialog, "Engraving", "file")
    done(dialog)
    assert "Engraving goes to Forest-engraving.svg." in texts(dialog)
    request = dialog.request()
    assert request.made is not None and [word for _, word, _ in request.made.beside] == ["engraving"]
    bare = show()
    assert not bare.making.form.field("engraving_file").isVisible()


def test_greyscale_is_not_offered_for_a_format_of_lines_alone(show: Open, drawing: Drawing) -> None:
    dialog = show(subject=pictured(drawing))
    tick(dialog, "Greyscale artwork")
    choose(dialog, "Format", ".dxf")
    assert not dialog.request().options.raster
    assert all(box.text() != "Greyscale artwork" or not box.isVisible() for box in dialog.findChildren(QCheckBox))


def test_what_was_chosen_for_a_print_waits_for_the_next_artwork(show: Open, drawing: Drawing) -> None:
    first = show(subject=pictured(drawing))
    choose(first, "Marks", "crosses")
    tick(first, "Print PDF")
    done(first)
    first.accept()
    plain_one = show()
    assert plain_one.request().making.marks == "none" and not plain_one.request().options.print_pdf
    assert not plain_one.making.form.field("marks").isVisible()
    done(plain_one)
    plain_one.accept()
    assert show(subject=pictured(drawing)).request().making.marks == "crosses"


def test_cut_styles_of_pieces_that_share_no_line_say_that_both_are_compensated(show: Open) -> None:
    calendar = kind("calendar")
    dialog = show(subject=calendar.shape(calendar.example(), None, Progress()).drawing)
    styles = dialog.making.form.field("lines")
    assert isinstance(styles, QComboBox)
    words = [styles.itemText(at) for at in range(styles.count())]
    assert words == ["In place (kerf-compensated)", "Rearranged (kerf-compensated)"]
    assert dialog.outcome.costs.accessibleName().startswith("In place: ")
    fit = "Pieces come out at nominal size; kerf is compensated."
    assert fit in [label.text() for label in dialog.making.findChildren(QLabel)]


def test_on_the_smallest_screen_all_of_it_scrolls_above_the_buttons(show: Open) -> None:
    room = QSize(592, 352)
    dialog = show(room=room)
    dialog.show()
    assert dialog.size().boundedTo(room) == dialog.size()
    assert dialog.rect().contains(dialog.export.geometry().translated(dialog.buttons.pos()))
    assert dialog._area.isAncestorOf(dialog.outcome) and not dialog._area.horizontalScrollBar().isVisible()
