"""The command palette finds what can be done, set and looked at, and does it from the keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from studio import __version__
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.registry import KINDS
from studio.ui.kinds.jigsaw.extension import JigsawExtension
from studio.ui.shell.palette import Entry, Palette, matching, show_commands
from studio.ui.widgets.tables import CalmTable
from studio.ui.widgets.theme import current_theme
from tests.ui.stage import Stage, staged

CONTROL = Qt.KeyboardModifier.ControlModifier


def entry(title: str, place: str = "File") -> Entry:
    return Entry(title, place, "", lambda: None)


def titles(entries: Sequence[Entry]) -> list[str]:
    return [each.title for each in entries]


def test_the_best_match_comes_first() -> None:
    entries = [
        entry("Unfold all"),
        entry("Remove holding tabs"),
        entry("Fold"),
        entry("Board", "Folding"),
        entry("Cut"),
    ]
    assert titles(matching(entries, "fold")) == ["Fold", "Unfold all", "Board"]
    assert titles(matching(entries, "ho ta")) == ["Remove holding tabs"]
    assert titles(matching(entries, "  TABS hold ")) == ["Remove holding tabs"]
    assert matching(entries, "") == entries
    assert matching(entries, "fold x") == []


def test_words_of_the_help_find_what_has_another_title_after_all_others() -> None:
    own = Entry("Custom tongue…", "Edit", "", lambda: None, "Draw a tongue of your own")
    entries = [own, entry("Redraw"), entry("Drawing")]
    assert titles(matching(entries, "draw")) == ["Drawing", "Redraw", "Custom tongue…"]
    assert titles(matching(entries, "draw edit")) == ["Custom tongue…"]
    assert matching(entries, "raw own") == []


@given(st.lists(st.text(max_size=8), max_size=8), st.text(max_size=5))
def test_nothing_is_found_twice_and_what_is_found_has_every_word(names: list[str], text: str) -> None:
    entries = [entry(name, "") for name in names]
    found = matching(entries, text)
    assert len({id(each) for each in found}) == len(found)
    for each in entries:
        has_all = all(word in each.title.casefold() for word in text.casefold().split())
        assert (each in found) == has_all


def test_ten_thousand_letters_find_what_their_words_do() -> None:
    entries = [entry(name, "File") for name in ("Cut plan", "Plan the cut", "Fit coupon")]
    assert matching(entries, "plan cut " * 1200) == entries[:2]
    assert matching(entries, "cut" * 3500) == matching(entries, "(" * 10_000) == []
    assert matching(entries, " " * 10_000) == entries


stage = staged(
    lambda folder: Stage(
        folder, JigsawDesign(JigsawParameters(columns=5, rows=4, width=30, height=24, scale_limits=False))
    )
)


def opened(stage: Stage) -> Palette:
    stage.window.activateWindow()
    QTest.keyClick(stage.window, Qt.Key.Key_K, CONTROL)
    (palette,) = stage.window.findChildren(Palette)
    return palette


def test_a_command_is_found_by_letters_and_done_by_return(stage: Stage) -> None:
    palette = opened(stage)
    assert QApplication.focusWidget() is palette.line
    palette.line.clear()
    QTest.keyClicks(palette.line, "draft")
    before = stage.window.actions_["draft"].isChecked()
    assert palette.model.elements[0].title == "Draft"
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert stage.window.actions_["draft"].isChecked() != before
    assert not palette.isVisible()


def test_a_command_that_cannot_be_done_is_grey_behind_the_others_with_its_reason_and_does_nothing(stage: Stage) -> None:
    palette = opened(stage)
    QTest.keyClicks(palette.line, "undo")
    found = palette.model.elements
    assert [(one.title, one.reason) for one in found[:2]] == [
        ("Undo", "Nothing to undo"), ("Undo move", "Only in Play")
    ]  # fmt: skip
    shown = [palette.model.index(0, column) for column in range(3)]
    assert [index.data() for index in shown] == ["Undo", "Nothing to undo", "Ctrl+Z"]
    assert not any(index.flags() & Qt.ItemFlag.ItemIsEnabled for index in shown)
    assert shown[1].data(Qt.ItemDataRole.ForegroundRole) == current_theme().quiet, "a reason can be read"
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    place = palette.table.visualRect(shown[0]).center()
    QTest.mouseClick(palette.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert palette.isVisible()
    palette.line.setText("tongue")
    possible = [one.is_possible for one in palette.model.elements]
    assert possible == sorted(possible, reverse=True) and not all(possible)
    assert palette.table.currentIndex().row() == 0


def test_a_selection_makes_its_commands_possible(stage: Stage) -> None:
    extension = stage.window.extension
    assert isinstance(extension, JigsawExtension)
    extension.selection.select(tongues=[0])
    palette = opened(stage)
    QTest.keyClicks(palette.line, "flip")
    first = palette.model.elements[0]
    assert (first.title, first.is_possible, first.reason) == ("Flip tongue", True, "")


def test_a_field_that_is_switched_off_is_shown_with_its_reason(stage: Stage) -> None:
    palette = opened(stage)
    QTest.keyClicks(palette.line, "follow colours")
    assert [(one.title, one.reason) for one in palette.model.elements[:1]] == [
        ("Follow colours", "Add a picture first")
    ]


def test_a_table_is_brought_in_sight(stage: Stage) -> None:
    stage.window.docks[2].hide()
    palette = opened(stage)
    QTest.keyClicks(palette.line, "drop-out")
    assert (palette.model.elements[0].title, palette.model.elements[0].place) == ("Cut plan", "Table")
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert stage.window.docks[2].isVisible()
    assert stage.window.drawer.tabText(stage.window.drawer.currentIndex()) == "Cut plan"


def test_arrows_choose_a_parameter_and_its_field_gets_the_focus(stage: Stage) -> None:
    form = stage.window.form
    group = next(group for name, _, group, _ in form.asked() if name == "rows")
    form.fold(group)
    stage.window.docks[0].hide()
    palette = opened(stage)
    QTest.keyClicks(palette.line, "row")
    row = titles(palette.model.elements).index("Rows")
    for _ in range(row):
        QTest.keyClick(palette.line, Qt.Key.Key_Down)
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert stage.window.docks[0].isVisible() and not form.is_folded(group)
    assert form.field("rows").hasFocus()


def test_a_problem_is_gone_to(stage: Stage) -> None:
    stage.settle()
    problem = stage.window.findings.model.elements[-1]
    palette = opened(stage)
    QTest.keyClicks(palette.line, problem.message[:40])
    row = [each.title for each in palette.model.elements].index(problem.message)
    for _ in range(row):
        QTest.keyClick(palette.line, Qt.Key.Key_Down)
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert stage.window.findings.current is not None
    assert stage.window.findings.current.message == problem.message
    assert stage.window.drawer.currentWidget() is stage.window.findings


def test_ctrl_n_asks_which_kind(stage: Stage) -> None:
    begun: list[str] = []
    stage.window.filing.begun.connect(lambda kind: begun.append(kind.key))
    stage.window.activateWindow()
    QTest.keyClick(stage.window, Qt.Key.Key_N, CONTROL)
    (palette,) = stage.window.findChildren(Palette)
    assert titles(palette.model.elements)[0] == "Jigsaw" and len(palette.model.elements) == len(KINDS)
    QTest.keyClicks(palette.line, "cal")
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert begun == ["calendar"]


def test_what_is_nowhere_is_said_and_escape_closes(stage: Stage) -> None:
    palette = opened(stage)
    QTest.keyClicks(palette.line, "zzzz")
    assert not palette.model.elements
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()
    QTest.keyClick(palette.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_ten_thousand_letters_are_written_and_taken_back(stage: Stage) -> None:
    palette = opened(stage)
    QApplication.clipboard().setText("no such command " * 700)
    QTest.keyClick(palette.line, Qt.Key.Key_V, CONTROL)
    assert len(palette.line.text()) > 10_000 and palette.model.elements == ()
    QTest.keyClick(palette.line, Qt.Key.Key_A, CONTROL)
    QTest.keyClick(palette.line, Qt.Key.Key_Backspace)
    assert len(palette.model.elements) > 50
    QTest.keyClick(palette.line, Qt.Key.Key_Escape)


def test_the_editor_of_a_cell_and_a_palette_before_it_may_be_gone_by_then(stage: Stage) -> None:
    window = stage.window
    table = window.extension.tables[1][1]
    assert isinstance(table, CalmTable)
    window.drawer.setCurrentWidget(table)
    column = next(
        at for at in range(table.model().columnCount())
        if table.model().flags(table.model().index(0, at)) & Qt.ItemFlag.ItemIsEditable
    )  # fmt: skip
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, column))
    table.edit(table.model().index(0, column))
    editor = QApplication.focusWidget()
    assert isinstance(editor, QWidget) and editor is not table
    show_commands(window)
    first = QApplication.focusWidget()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    show_commands(window)
    second = QApplication.focusWidget()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert first is not None and second is not None and second is not first
    QTest.keyClick(second, Qt.Key.Key_Escape)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert window.findChildren(Palette) == []


def test_the_versions_are_copied(stage: Stage) -> None:
    stage.window.actions_["about"].trigger()
    (box,) = stage.window.findChildren(QMessageBox)
    (copy,) = [button for button in box.buttons() if button.text() == "Copy versions"]
    copy.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == f"Puzzle Studio {__version__}"
    assert [line.split()[0] for line in lines[1:3]] == ["Python", "Qt"]
    assert any(line.startswith("shapely ") for line in lines)
