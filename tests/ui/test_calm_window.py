"""The window keeps calm: nothing moves under the mouse, messages go with their cause, and a file opens afresh."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLineEdit,
    QMessageBox,
    QTableView,
    QWidget,
)

from studio.base.progress import SILENT
from studio.checks.finding import Severity
from studio.files import store
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import KINDS, kind, kinds
from studio.ui.panels import export_dialog, file_dialog
from studio.ui.panels.fields import Callout
from studio.ui.panels.file_dialog import FileChoice
from studio.ui.session.dialogs import Changed, Dialogs, Unsaved
from studio.ui.shell.palette import Palette
from studio.ui.shell.screenshot import rest
from studio.ui.shell.window import Window
from studio.ui.widgets import layout
from tests.promises.test_monkey import SMALL
from tests.ui.stage import KindStage
from tests.ui.test_open_tabs import Studio, studio, wait_for

__all__ = ["studio"]
FIELDS = QComboBox, QAbstractSpinBox, QLineEdit, QCheckBox
LEFT = Qt.MouseButton.LeftButton
SMALLEST_SCREEN = QSize(1024, 700)
TITLE_BAR = 30
LEAST_ROWS = 5


@pytest.fixture
def open_stage(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[..., KindStage]]:
    """Opens windows on a small design of a kind, of the size of a small screen."""
    stages: list[KindStage] = []

    def made(key: str, size: QSize = SMALLEST_SCREEN) -> KindStage:
        stages.append(KindStage(tmp_path, kind(key), small(kind(key)), size=size.toTuple()))
        return stages[-1]

    yield made
    for one in stages:
        one.close()


def small(one: AnyKind) -> Any:
    return one.generate(replace(one.example().parameters, **SMALL[one.key]), None, SILENT).design


def places(window: QWidget, *over: QWidget) -> dict[QWidget, QRect]:
    """Where every visible widget of a window is once layouts have come to rest, but for what lies over it."""
    for _ in range(10):
        QTest.qWait(1)
    seen = (one for one in window.findChildren(QWidget) if one.isVisible() and not one.isWindow())
    hidden = {each for part in over for each in (part, *part.findChildren(QWidget))}
    return {
        one: QRect(one.mapTo(window, QPoint()), one.size())
        for one in seen
        if one not in hidden and not isinstance(one, Callout)
    }


def write(field: QWidget, text: str) -> None:
    """Write a text into a field in place of its own."""
    field.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def callouts(window: QWidget) -> list[Callout]:
    return [one for one in window.findChildren(Callout) if one.isVisible()]


# Nothing moves under the mouse


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", KINDS)
def test_notices_and_red_messages_move_nothing_under_the_mouse(open_stage: Callable[..., KindStage], key: str) -> None:
    window = open_stage(key).window
    for group in window.form.groups:
        window.form.fold(group, folded=False)
    # What is still worked out, such as a grade, may be more lines of text.
    window.finish()
    rest(window, None)
    # Figures in the status bar come and go while plans are worked out.
    over = window.notices, window.statusBar()
    before = places(window, *over)
    for severity in Severity:
        window.notices.post("word " * 40, severity)
        assert window.notices.isVisible() and places(window, *over) == before
    window.notices.clear()
    assert places(window, *over) == before
    numbers = [name for name, *_ in window.form.asked() if window.form.field(name).inherits("QAbstractSpinBox")]
    for name in numbers[:6]:
        window.form.scroll_area.ensureWidgetVisible(window.form.field(name))
        before = places(window, *over)
        write(window.form.field(name), "a lot")
        (said,) = callouts(window)
        assert places(window, *over) == before and said.text() == window.form.refusal(name)
        assert not said.geometry().intersects(before[window.form.scroll_area]), "it lies beside the form"
        assert window.rect().contains(said.geometry())
        write(window.form.field(name), window.form.field(name).text())  # type: ignore[attr-defined]
        assert places(window, *over) == before and not callouts(window)


def test_a_message_in_a_dialog_moves_no_field_either(
    open_stage: Callable[..., KindStage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_dialog, "_screen", lambda: SMALLEST_SCREEN - QSize(48, 48))
    stage = open_stage("cube")

    def look(dialog: Any) -> None:
        dialog.show()
        assert stage.wait_for(lambda: dialog.export.isEnabled())
        before = fields(dialog)
        for name, said in (("a/b", "A file name cannot contain a slash; choose the folder below."), ("sea", "")):
            dialog.file.name.setText(name)
            assert dialog.file.problem_words.text() == said and fields(dialog) == before
        if isinstance(dialog, export_dialog.ExportDialog):
            assert dialog.misfit.isVisible()
            dialog.misfit.say("")
            dialog.fix_button.hide()
            assert fields(dialog) == before
        dialog.close()

    def fields(dialog: QWidget) -> dict[QWidget, QRect]:
        return {one: place for one, place in places(dialog).items() if isinstance(one, FIELDS)}

    stage.answers.at_export = look
    stage.answers.on_printing = look
    for name in ("export", "print"):
        stage.window.actions_[name].trigger()
        stage.settle()


# Messages go with their cause


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", KINDS)
def test_a_red_message_goes_with_its_cause(studio: Studio, key: str) -> None:
    window = studio.add(kind(key), small(kind(key)))
    form = window.form
    name = next(name for name, *_ in form.asked() if form.field(name).inherits("QAbstractSpinBox"))
    field: Any = form.field(name)
    causes: list[Callable[[], object]] = [
        lambda: write(field, field.text()),
        lambda: write(field, str(field.value())),
        lambda: window.document.open(window.document.kind, window.document.design, None),
        lambda: window.form.set_parameters(window.document.design.parameters),
        lambda: QTest.mouseClick(window.drawer, LEFT, pos=window.drawer.rect().center()),
    ]
    for gone in causes:
        write(field, "a lot")
        assert form.refusal(name) and field.accessibleDescription() == form.refusal(name)
        (said,) = callouts(window)
        QApplication.processEvents()
        gone()
        assert not form.refusal(name) and not said.isVisible() and "a lot" not in field.accessibleDescription()
    write(field, "a lot")
    window.actions_[f"new_{key}"].trigger()
    fresh = studio.ready(studio.desk.window)
    assert fresh is not window and not callouts(fresh) and not any(each.isVisible() for each in callouts(studio.shell))
    assert not fresh.form.refusal(name)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", KINDS)
def test_one_message_at_a_time_lies_beside_the_form_and_keys_alone_are_enough(studio: Studio, key: str) -> None:
    window = studio.add(kind(key), small(kind(key)))
    form = window.form
    some = [name for name, *_ in form.asked() if form.field(name).inherits("QAbstractSpinBox")]
    first, second = [name for name in some if not form.field(name).visibleRegion().isEmpty()][:2]
    write(form.field(first), "a lot")
    write(form.field(second), "a lot")
    (said,) = callouts(window)
    assert said.text() == form.refusal(second) and not form.refusal(first)
    QApplication.processEvents()
    QTest.keyClick(form.field(second), Qt.Key.Key_Escape)
    assert not callouts(window) and not form.refusal(second)
    write(form.field(first), "a lot")
    assert len(callouts(window)) == 1
    window.show_view(next(view.name for view in window.middle.views if view.widget is not window.middle.shown))
    assert not callouts(window) and not form.refusal(first)


# Each file in a window of its own, all of it in sight


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_nothing_of_the_design_before_is_left_when_a_file_is_opened(studio: Studio, tmp_path: Path, key: str) -> None:
    one = kind(key)
    path = tmp_path / "mine.puzzle"
    store.save(path, one, small(one))
    before = studio.add(one)
    before.show_view(before.middle.views[-1].name)
    before.canvas.view.zoom_by(4)
    for table in before.drawer.findChildren(QTableView):
        before.drawer.setCurrentWidget(table)
        table.selectAll()
        table.scrollToBottom()
    before.canvas.view.setFocus()
    assert before.filing.open(path) or studio.desk.window is not before
    opened = studio.ready(studio.desk.window)
    opened.finish()
    store.save(tmp_path / "other.puzzle", one, small(one))
    studio.house._begin(key)
    fresh = studio.ready(studio.desk.window)
    fresh.filing.open(tmp_path / "other.puzzle")
    fresh = studio.ready(studio.desk.window)
    fresh.finish()
    assert state(opened) == state(fresh)
    assert opened.document.path == path and wait_for(lambda: len(studio.desk.windows) == 2)


def state(window: Window) -> dict[str, object]:
    """What a maker sees besides the design: the view and its cut-out, what is selected, how far tables are scrolled."""
    view = window.canvas.view
    centre = view.mapToScene(view.viewport().rect().center())
    found: dict[str, object] = {
        "view": window.middle.seen.name, "words": window.extension.status_text, "tab": window.drawer.currentIndex(),
        "zoom": round(view.zoom, 3), "centre": (round(centre.x()), round(centre.y())),
    }  # fmt: skip
    for number, table in enumerate(window.drawer.findChildren(QTableView)):
        chosen = table.selectionModel().selectedRows()
        found[f"table {number}"] = (table.verticalScrollBar().value(), len(chosen), table.currentIndex().row())
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", ["slitherlink", "zigzaw"])
def test_panels_are_as_wide_as_what_the_next_kind_has_in_them(studio: Studio, first: str) -> None:
    studio.shell.resize(SMALLEST_SCREEN)
    before = studio.add(kind(first), small(kind(first)))
    before.resizeDocks(before.docks[:2], [1, 1], Qt.Orientation.Horizontal)
    before.resizeDocks(before.docks[2:], [1], Qt.Orientation.Vertical)
    for one in kinds():
        window = studio.add(one, small(one))
        for dock in window.docks[:2]:
            panel: Any = dock.widget()
            # Docks glide to their places.
            assert wait_for(lambda panel=panel: panel.width() >= panel.minimumSizeHint().width(), 5.0), (  # type: ignore[misc]
                one.key, dock.windowTitle(), panel.width(), panel.minimumSizeHint().width()
            )  # fmt: skip
        assert window.form.scroll_area.horizontalScrollBar().maximum() == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", KINDS)
def test_tables_open_at_their_first_row_and_show_enough_of_them(open_stage: Callable[..., KindStage], key: str) -> None:
    stage = open_stage(key, QSize(1280, 800))
    window = stage.window
    window.finish()
    seen = 0
    for number in range(window.drawer.count()):
        window.drawer.setCurrentIndex(number)
        stage.settle()
        for table in window.drawer.findChildren(QTableView):
            if table.isVisible() and table.model().rowCount():
                seen += 1
                assert table.verticalScrollBar().value() == 0
                rows = table.viewport().height() // table.rowHeight(0)
                assert rows >= min(LEAST_ROWS, table.model().rowCount()), window.drawer.tabText(number)
    assert seen


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_in_the_smallest_window_most_of_the_width_is_the_canvas(open_stage: Callable[..., KindStage], key: str) -> None:
    window = open_stage(key, QSize(632, 364)).window
    assert wait_for(lambda: window.middle.width() > window.width() / 2), (window.middle.width(), window.width())
    for number in range(window.drawer.count()):
        window.drawer.setCurrentIndex(number)
        assert window.drawer.minimumSizeHint().width() < window.width() / 2, window.drawer.tabText(number)


def test_on_a_small_screen_most_of_the_height_is_the_canvas(open_stage: Callable[..., KindStage]) -> None:
    heights = []
    for size in (SMALLEST_SCREEN, QSize(1280, 800)):
        window = open_stage("slitherlink", size).window
        heights.append((window.docks[2].height(), window.middle.height()))
        window.dock_layout.reset()
        QApplication.processEvents()
        assert window.docks[2].height() == heights[-1][0]
    (low, beside), (high, _) = heights
    assert low < high and beside > 1.7 * low


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_every_dialog_fits_a_small_screen(
    open_stage: Callable[..., KindStage], monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    room = SMALLEST_SCREEN - QSize(0, TITLE_BAR)
    monkeypatch.setattr(export_dialog, "_screen", lambda: SMALLEST_SCREEN - QSize(48, 48))
    for module in (file_dialog, layout):
        monkeypatch.setattr(module, "room_on_screen", lambda _window: QRect(QPoint(), room))
    stage = open_stage(key)
    seen: list[str] = []

    def look(dialog: QDialog) -> None:
        layout.fit_on_screen(dialog)
        dialog.show()
        stage.settle()
        seen.append(type(dialog).__name__)
        size = dialog.size().expandedTo(dialog.minimumSizeHint())
        assert size.boundedTo(room) == size, f"{seen[-1]} wants {size.toTuple()}"
        dialog.close()

    monkeypatch.setattr(type(stage.answers), "ask", lambda _answers, dialog: look(dialog))
    monkeypatch.setattr(type(stage.answers), "show", lambda _answers, dialog: look(dialog))
    for command, action in stage.window.actions_.in_menus:
        if action.isEnabled() and command.title.endswith("…") and command.name not in OTHERWISE:
            action.trigger()
            stage.settle()
    wanted = {"PrintDialog"} if "print" in stage.window.actions_ else set()
    wanted |= {"ExportDialog", "CouponDialog", "WorkshopDialog", "BatchDialog", "VariantsDialog"}
    assert stage.wait_for(lambda: wanted <= {*seen}), seen
    for open_one in stage.window.findChildren(QDialog):
        open_one.close()


OTHERWISE = {"palette", "new"}
"""Commands that open no dialog but a list over the page."""


# Everything is at hand


def test_every_kind_and_sample_is_at_hand_and_files_are_where_the_design_is(studio: Studio, tmp_path: Path) -> None:
    shelf, elsewhere = tmp_path / "shelf", tmp_path / "elsewhere"
    shelf.mkdir()
    elsewhere.mkdir()
    page: Any = studio.house.page
    assert [one.isVisible() for one in page.kinds] == [True] * len(KINDS)
    samples = [
        each for each in page.findChildren(QAbstractButton) if each.toolTip() == "Open this sample as a new puzzle"
    ]
    assert len(samples) >= len(KINDS)
    window = studio.add(kind("jigsaw"), small(kind("jigsaw")))
    studio.key(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    (asked,) = window.findChildren(Palette)
    titles = [asked.model.index(row, 0).data() for row in range(asked.model.rowCount())]
    assert {listed.title for listed in KINDS.values()} <= {str(title) for title in titles}
    asked.close()
    assert {action.text() for action in window.actions_.of_menu("&Help")} >= {"Manual", "Keyboard shortcuts…"}
    assert len(window.actions_.of_menu("&Help")) > 2
    QTest.mouseClick(studio.shell._adding, LEFT)
    assert studio.shell.page is None and studio.house.page is not None and studio.house.page.isVisible()
    studio.shell.show_page(window)
    offered: list[Path] = []
    dialogs = window.session.dialogs
    dialogs.open_path = lambda folder, *_: offered.append(folder)  # type: ignore[method-assign]
    assert window.filing._save(shelf / "mine.puzzle")
    other = studio.add(kind("jigsaw"), small(kind("jigsaw")))
    assert other.filing._save(elsewhere / "other.puzzle")
    studio.shell.show_page(window)
    window.filing.open()
    assert offered == [shelf], "not where something else was saved last"
    assert export_folder(window, studio) == shelf
    window.preferences.set_export_folder("export", elsewhere, elsewhere)
    assert export_folder(window, studio) == shelf, "what was chosen for another design's folder"
    window.preferences.set_export_folder("export", elsewhere, shelf)
    assert export_folder(window, studio) == elsewhere, "what was chosen for this one"
    (shelf / "mine.svg").write_text("<svg/>")
    window.session.writing.write(shelf / "mine.svg", lambda _progress: "Exported and verified mine.svg.")
    assert wait_for(lambda: window.notices.notice() is not None and "verified" in window.notices.accessibleName())
    notice = window.notices.notice()
    assert notice is not None and notice.details == str(shelf / "mine.svg")
    shown = [each.text() for each in window.notices.findChildren(QAbstractButton) if each.isVisible()]
    assert "Show in folder" in shown and "Open with…" in shown


def export_folder(window: Window, studio: Studio) -> Path:
    """The folder that the dialog of exports for the laser begins with."""
    return FileChoice("mine", window.session.folder, window.preferences).path().parent


# Letters and endings


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_menus_and_the_question_about_unsaved_work_are_answered_by_letters(
    open_stage: Callable[..., KindStage], key: str
) -> None:
    stage = open_stage(key)
    menus = [action for action in stage.window.menuBar().actions()]
    letters = [action.text()[action.text().index("&") + 1].casefold() for action in menus]
    assert len({*letters}) == len(letters)
    for action in menus:
        menu: Any = action.menu()
        menu.aboutToShow.emit()
        titles = [entry.text() for entry in menu.actions() if not entry.isSeparator()]
        marks = [title[title.index("&") + 1].casefold() for title in titles if "&" in title]
        assert len(marks) == len({*marks})
        for title in (title for title in titles if "&" not in title):
            assert {each for each in title.casefold() if each.isalnum()} <= {*marks}, "no letter of it was left"
        menu.aboutToHide.emit()
    for letter, meant in (
        (Qt.Key.Key_S, Unsaved.SAVE),
        (Qt.Key.Key_D, Unsaved.DISCARD),
        (Qt.Key.Key_C, Unsaved.CANCEL),
    ):
        QTimer.singleShot(0, stage.window, lambda letter=letter: press(stage, letter))
        assert Dialogs(stage.window).unsaved("sea") is meant
    QTimer.singleShot(0, stage.window, lambda: press(stage, Qt.Key.Key_R))
    assert Dialogs(stage.window).changed("sea") is Changed.REPLACE


def press(stage: KindStage, letter: Qt.Key) -> None:
    """Press Alt and a letter in the question that is asked."""
    (box,) = (each for each in stage.window.findChildren(QMessageBox) if each.isVisible())
    # What no letter answers would be asked for ever.
    QTimer.singleShot(5000, box, box.reject)
    assert stage.wait_for(box.isActiveWindow)
    QTest.keyClick(box, letter, Qt.KeyboardModifier.AltModifier)


def test_an_ending_chooses_the_format_and_an_existing_file_is_replaced_by_name(
    open_stage: Callable[..., KindStage], tmp_path: Path
) -> None:
    stage = open_stage("cube")
    for ending in (".svg", ".dxf", ".3mf", ".stl"):
        (tmp_path / f"boat{ending}").write_bytes(b"old")
    seen: list[str] = []

    def look(dialog: Any, first: str, last: str) -> None:
        dialog.show()
        dialog.activateWindow()
        assert stage.wait_for(dialog.isActiveWindow)
        file = dialog.file
        file.folder.setText(str(tmp_path))
        file.format.setCurrentIndex(file.format.findData(first))
        file.name.setFocus()
        file.name.selectAll()
        QTest.keyClicks(file.name, f"boat{first}{last}")
        QTest.keyClick(file.name, Qt.Key.Key_Tab)
        assert (file.name.text(), file.suffix(), file.path()) == ("boat", last, tmp_path / f"boat{last}")
        assert "replace" in file.hint_words.text()
        seen.append(dialog.export.text())
        file.name.setText("new")
        assert not file.hint_words.text()
        seen.append(dialog.export.text())
        dialog.close()

    stage.answers.at_export = lambda dialog: look(dialog, ".svg", ".dxf")
    stage.answers.on_printing = lambda dialog: look(dialog, ".3mf", ".stl")
    for name in ("export", "print"):
        stage.window.actions_[name].trigger()
        stage.settle()
    assert stage.wait_for(lambda: len(seen) == 4)
    assert [words.removesuffix(" anyway") for words in seen] == ["Replace", "Export"] * 2
