"""The form answers while it is edited, ends each gesture in one step, and says why a value is not taken."""

import time
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QIcon, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QSlider,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from studio.base.parameters import declarations
from studio.puzzles.jigsaw.model.design import JigsawParameters, idle_parameters
from studio.puzzles.registry import KINDS, kind
from studio.ui.kinds.jigsaw.extension import JigsawExtension
from studio.ui.panels.fields import Field, words
from studio.ui.panels.form import ParameterForm
from studio.ui.widgets.length_spin import NumberSpinBox
from studio.ui.widgets.theme import apply, dark_theme, picture_font


class Told:
    """All that a form told, in order."""

    def __init__(self, form: ParameterForm) -> None:
        self.previewed: list[JigsawParameters] = []
        self.words: list[str] = []
        self.edited: list[JigsawParameters] = []
        self.tokens: list[object] = []
        form.previewed.connect(self.previewed.append)
        form.edited.connect(self._edited)

    def _edited(self, words: str, parameters: Any, token: object) -> None:
        self.words.append(words)
        self.edited.append(parameters)
        self.tokens.append(token)


def described(parameters: JigsawParameters) -> dict[str, str]:
    across, down = parameters.cell
    return {"Board": f"{parameters.columns * parameters.rows} pieces of about {across:.1f} × {down:.1f} mm"}


def shown_form(qtbot: QtBot, parameters: JigsawParameters | None = None) -> ParameterForm:
    form = ParameterForm(
        parameters or JigsawParameters(), describe=described, hidden=idle_parameters, linked=JigsawExtension.linked
    )
    qtbot.addWidget(form)
    form.resize(264, 590)
    form.show()
    qtbot.waitUntil(form.isActiveWindow)
    for group in form.groups.values():
        group.place()
    return form


def box(form: ParameterForm, name: str) -> NumberSpinBox:
    editor = form.field(name)
    assert isinstance(editor, NumberSpinBox)
    editor.setFocus(Qt.FocusReason.TabFocusReason)
    return editor


def keep_pieces(form: ParameterForm) -> None:
    assert form.link is not None and form.link.text() == "Keep piece size"
    form.link.setChecked(True)


def write(editor: NumberSpinBox, text: str) -> None:
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def button(form: ParameterForm, words: str) -> QToolButton:
    (found,) = [one for one in form.findChildren(QToolButton) if one.accessibleName() == words]
    return found


def wheel(widget: QWidget, notches: int) -> None:
    centre = QPointF(widget.rect().center())
    event = QWheelEvent(
        centre, widget.mapToGlobal(centre), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def labels(form: ParameterForm) -> list[str]:
    return [label.text() for label in form.findChildren(QLabel) if label.isVisible() and label.text()]


def test_the_first_groups_need_no_scroll_bar_in_a_small_window(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    last = form.field("tongue_size")
    bottom = last.mapTo(form, QPoint(0, last.height())).y()
    assert bottom <= 560
    qtbot.waitUntil(lambda: form.scroll_area.verticalScrollBar().maximum() == 0)
    page = form.scroll_area.widget()
    assert page is not None
    assert page.minimumSizeHint().width() <= 264


def test_every_editor_has_a_name_a_tool_tip_and_its_turn(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    editors = [form.field(known.name) for known in declarations(JigsawParameters)]
    names = [editor.accessibleName() for editor in editors]
    assert all(names) and len(set(names)) == len(names)
    assert {"Tongues size", "Variation size"} <= set(names)
    assert all(known.help in form.field(known.name).toolTip() for known in declarations(JigsawParameters))
    turns: list[QWidget] = []
    at = form.field("outline")
    for _ in range(400):
        turns.append(at)
        following = at.nextInFocusChain()
        assert following is not None
        at = following
    places = [turns.index(editor) for editor in editors]
    assert places == sorted(places)


def test_a_label_leads_to_its_field(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    buddies = {label.text(): label.buddy() for label in form.findChildren(QLabel) if label.buddy()}
    assert buddies["Columns"] is form.field("columns")


def test_rare_groups_are_folded_and_open_by_mouse_and_by_key(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    assert [form.is_folded(title) for title in ("Board", "Pieces", "Tongues", "Variation", "Limits")] == [
        False, False, False, True, True,
    ]  # fmt: skip
    assert not form.field("vary_size").isVisible()
    QTest.mouseClick(button(form, "Variation"), Qt.MouseButton.LeftButton)
    assert form.field("vary_size").isVisible()
    assert button(form, "Variation").accessibleDescription() == "unfolded"
    button(form, "Limits").setFocus()
    QTest.keyClick(button(form, "Limits"), Qt.Key.Key_Space)
    assert form.field("least_neck").isVisible()
    form.fold("Limits")
    assert form.is_folded("Limits")


def test_a_written_value_is_one_step_with_words_for_the_history(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    told = Told(form)
    write(box(form, "columns"), "13")
    assert told.words == ["Columns 12 → 13"]
    assert told.edited == [JigsawParameters(columns=13)]
    assert told.previewed == []
    assert form.parameters() is told.edited[0]
    write(box(form, "width"), "32 cm")
    assert told.words[1:] == ["Width 300.0 mm → 320.0 mm"]
    assert told.tokens[0] is not told.tokens[1]


@pytest.mark.parametrize("name", ["de_DE", "en_US"])
def test_a_decimal_comma_and_a_decimal_point_mean_the_same_everywhere(qtbot: QtBot, name: str) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(name))
    try:
        form = shown_form(qtbot)
        told = Told(form)
        write(box(form, "width"), "350.5")
        write(box(form, "height"), "170,5")
    finally:
        QLocale.setDefault(before)
    assert told.edited[-1] == JigsawParameters(width=350.5, height=170.5)


def test_a_held_arrow_previews_and_ends_in_one_step(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    told = Told(form)
    columns = box(form, "columns")
    QTest.keyPress(columns, Qt.Key.Key_Up)
    columns.stepBy(1)
    assert [one.columns for one in told.previewed] == [13, 14]
    assert told.edited == []
    QTest.keyRelease(columns, Qt.Key.Key_Up)
    assert (told.words, told.edited) == (["Columns 12 → 14"], [JigsawParameters(columns=14)])


def test_steps_that_follow_each_other_on_one_field_are_one_gesture(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    form = shown_form(qtbot)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    told = Told(form)
    columns = box(form, "columns")
    for pause in (0.0, 0.4, 0.9, 1.5):
        now[0] += pause
        wheel(columns, 1)
    first, second, third, late = told.tokens
    assert first is second is third is not late
    assert told.words == ["Columns 12 → 13", "Columns 12 → 14", "Columns 12 → 15", "Columns 15 → 16"]
    QTest.keyClick(box(form, "rows"), Qt.Key.Key_Up)
    QTest.keyClick(box(form, "columns"), Qt.Key.Key_Up)
    assert len({*map(id, told.tokens[-3:])}) == 3


def test_a_slider_previews_while_it_is_dragged_and_ends_in_one_step(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    told = Told(form)
    (slider,) = [one for one in form.findChildren(QSlider) if one.accessibleName() == "Irregularity, slider"]
    slider.setSliderDown(True)
    for value in (500, 800, 1000):
        slider.setSliderPosition(value)
    assert [one.perturbation for one in told.previewed] == [0.23, 0.36, 0.45] or [
        one.perturbation for one in told.previewed
    ] == [0.22, 0.36, 0.45]
    assert box(form, "perturbation").value() == 0.45
    assert told.edited == []
    slider.setSliderDown(False)
    assert (told.words, told.edited) == (["Irregularity 0.16 → 0.45"], [JigsawParameters(perturbation=0.45)])


def test_other_parameters_are_shown_without_a_word(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    told = Told(form)
    other = JigsawParameters(columns=20, border="wandering", smooth_joints=False, perturbation=0.3, seed=99)
    form.set_parameters(other)
    assert (told.edited, told.previewed) == ([], [])
    border, smooth = form.field("border"), form.field("smooth_joints")
    assert isinstance(border, QComboBox) and isinstance(smooth, QCheckBox)
    assert (box(form, "columns").value(), border.currentText(), smooth.isChecked()) == (20, "Wavy", False)
    assert (box(form, "perturbation").text(), box(form, "seed").value()) == ("0.30", 99)
    assert form.parameters() is other


def test_showing_the_previewed_parameters_does_not_disturb_a_gesture(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    form.previewed.connect(form.set_parameters)
    form.edited.connect(lambda words, parameters, token: form.set_parameters(parameters))
    told = Told(form)
    columns = box(form, "columns")
    QTest.keyPress(columns, Qt.Key.Key_Up)
    columns.stepBy(3)
    QTest.keyRelease(columns, Qt.Key.Key_Up)
    assert told.words == ["Columns 12 → 16"]


def test_text_that_is_being_written_survives_a_change_elsewhere(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    width = box(form, "width")
    width.selectAll()
    QTest.keyClicks(width, "1/")
    form.set_parameters(JigsawParameters(seed=8))
    assert width.lineEdit().text() == "1/"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "sentence"),
    [("three", "Width must be 5 to 10000 mm, not 'three'."), ("99999", "Width must be 5 to 10000 mm, not 99999 mm.")],
)
def test_a_refused_value_says_why_and_leaves_the_design_alone(qtbot: QtBot, text: str, sentence: str) -> None:
    form = shown_form(qtbot)
    told = Told(form)
    width = box(form, "width")
    write(width, text)
    assert form.refusal("width") == sentence
    assert sentence in labels(form)
    assert width.accessibleDescription() == sentence
    assert (told.edited, form.parameters(), width.text()) == ([], JigsawParameters(), "300.0 mm")
    write(width, "310")
    assert form.refusal("width") == ""
    assert sentence not in labels(form)
    write(width, text)
    write(box(form, "height"), "160")
    assert sentence not in labels(form), "what was refused a while ago is no news"


@pytest.mark.parametrize("text", ["300", "300.0 mm", "30 cm"])
def test_a_message_goes_when_the_old_value_is_written_again_and_not_when_the_field_is_left(
    qtbot: QtBot, text: str
) -> None:
    form = shown_form(qtbot)
    told, width = Told(form), box(form, "width")
    write(width, "99999")
    box(form, "height").setFocus(Qt.FocusReason.TabFocusReason)
    assert form.refusal("width")
    width.setFocus(Qt.FocusReason.TabFocusReason)
    width.selectAll()
    QTest.keyClicks(width, text)
    QTest.keyClick(width, Qt.Key.Key_Return)
    assert form.refusal("width") == "" and told.edited == []


class Laid(QObject):
    """How often parts of a form come, go, or are laid out again."""

    def __init__(self, form: ParameterForm) -> None:
        super().__init__(form)
        self.count = 0
        QApplication.processEvents()
        for one in (form, *form.findChildren(QWidget)):
            one.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() in {QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize, QEvent.Type.Move}
        return False


def test_values_that_change_with_their_defaults_lay_out_nothing(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    laid = Laid(form)
    for width in (301.0, 302.0, 302.0):
        other = JigsawParameters(width=width)
        form.set_parameters(other, other)
        QApplication.processEvents()
    assert laid.count == 0 and box(form, "width").value() == 302.0
    row = form.row_of("width")
    assert row is not None and not row.reset.isVisible() and row.reset.toolTip() == "Reset width to 302.0 mm"
    form.set_parameters(form.parameters(), JigsawParameters())
    QApplication.processEvents()
    assert laid.count > 0 and row.reset.isVisible() and row.reset.toolTip() == "Reset width to 300.0 mm"


def test_a_reset_button_stands_where_a_value_is_not_the_default(qtbot: QtBot) -> None:
    form = shown_form(qtbot, JigsawParameters(columns=9))
    told = Told(form)
    reset = button(form, "Reset columns to 12")
    assert reset.isVisible()
    assert not button(form, "Reset rows to 6").isVisible()
    QTest.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert told.words == ["Columns 9 → 12"]
    assert form.parameters() == JigsawParameters()
    assert not reset.isVisible()


def test_a_die_rolls_another_seed(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    told = Told(form)
    for _ in range(20):
        QTest.mouseClick(button(form, "New random seed"), Qt.MouseButton.LeftButton)
    seeds = [7, *(one.seed for one in told.edited)]
    assert len(told.edited) == 20
    assert all(before != after for before, after in pairwise(seeds))
    assert len(set(map(id, told.tokens))) == 20


def test_choices_and_flags_are_steps_too(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    told = Told(form)
    border, smooth = form.field("border"), form.field("smooth_joints")
    assert isinstance(border, QComboBox) and isinstance(smooth, QCheckBox)
    border.setFocus()
    QTest.keyClick(border, Qt.Key.Key_Down)
    smooth.setFocus()
    QTest.keyClick(smooth, Qt.Key.Key_Space)
    assert told.words == ["Border Straight → Wavy", "Smooth corners off"]
    assert told.edited[-1] == JigsawParameters(border="wandering", smooth_joints=False)


def test_the_wheel_changes_nothing_on_its_way_over_the_form(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    told = Told(form)
    form.field("columns").setFocus()
    for name in ("rows", "width", "border", "tongue_style", "seed"):
        wheel(form.field(name), -1)
    for slider in form.findChildren(QSlider):
        wheel(slider, -1)
    assert told.edited == []


def test_the_hint_follows_the_parameters(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    assert "72 pieces of about 25.0 × 25.0 mm" in labels(form)
    write(box(form, "columns"), "24")
    assert "144 pieces of about 12.5 × 25.0 mm" in labels(form)


def test_pieces_keep_their_size_when_asked_to(qtbot: QtBot) -> None:
    form = shown_form(qtbot)
    told = Told(form)
    keep_pieces(form)
    columns = box(form, "columns")
    QTest.keyPress(columns, Qt.Key.Key_Up)
    columns.stepBy(1)
    QTest.keyRelease(columns, Qt.Key.Key_Up)
    assert told.edited == [JigsawParameters(columns=14, width=350.0)]
    assert box(form, "width").value() == 350.0


def test_a_board_that_keeps_its_piece_size_is_checked_as_it_will_be(qtbot: QtBot) -> None:
    form = shown_form(qtbot, JigsawParameters(columns=6, rows=3, width=150.0, height=75.0, corner_radius=37.5))
    told = Told(form)
    write(box(form, "columns"), "7")
    assert form.refusal("columns").startswith("Corner radius must be at most 32.14 mm")
    keep_pieces(form)
    write(box(form, "columns"), "7")
    assert form.refusal("columns") == ""
    assert told.edited == [JigsawParameters(columns=7, rows=3, width=175.0, height=75.0, corner_radius=37.5)]


def test_a_linked_value_out_of_bounds_is_refused_at_the_edited_field(qtbot: QtBot) -> None:
    form = shown_form(qtbot, JigsawParameters(width=9000.0, columns=12))
    keep_pieces(form)
    told = Told(form)
    write(box(form, "columns"), "24")
    assert form.refusal("columns") == "Width must be 5 to 10000 mm, not 18000."
    assert (told.edited, box(form, "columns").value()) == ([], 12)


def test_without_a_hook_there_is_no_box_for_the_piece_size(qtbot: QtBot) -> None:
    form = ParameterForm(JigsawParameters())
    qtbot.addWidget(form)
    for group in form.groups:
        form.fold(group, folded=False)
    assert [one.text() for one in form.findChildren(QCheckBox)] == [
        "Exact number", "Middle piece", "Tricky border", "Smooth corners", "Strong necks", "Scale with pieces", "Tray",
    ]  # fmt: skip


def test_fields_of_a_folded_group_are_made_when_it_is_unfolded_and_show_what_came_meanwhile(qtbot: QtBot) -> None:
    def no_tray(parameters: JigsawParameters) -> dict[str, str]:
        return {"tray_rim": "No tray."} if parameters.rows == 3 else {}

    form = ParameterForm(JigsawParameters(), idle=no_tray)
    qtbot.addWidget(form)
    form.show()
    rare = {one.name for one in declarations(JigsawParameters) if one.is_rare}

    def made() -> set[str]:
        return {one.known.name for one in form.findChildren(Field)} & rare

    assert len(rare) > 30 and not made()
    form.set_parameters(replace(JigsawParameters(), rows=3, least_neck=2.5))
    assert not made()
    form.fold("Limits", folded=False)
    assert "least_neck" in made() and "tray_rim" not in made()
    row, other = form.row_of("least_neck"), form.row_of("tray_rim")
    assert row is not None and other is not None
    assert (box(form, "least_neck").value(), row.reset.isVisible()) == (2.5, True)
    assert (form.field("tray_rim").isEnabled(), form.field("tray_rim").toolTip()) == (False, "No tray.")


def test_icons_follow_the_theme(qtbot: QtBot, qapp: QApplication) -> None:
    form = shown_form(qtbot)
    die = button(form, "New random seed")
    before = die.icon().pixmap(20, 20, QIcon.Mode.Normal).toImage()
    apply(qapp, dark_theme(), picture_font())
    qtbot.waitUntil(lambda: die.icon().pixmap(20, 20, QIcon.Mode.Normal).toImage() != before)


def cube_form(qtbot: QtBot) -> tuple[ParameterForm, QLineEdit]:
    from studio.puzzles.cube.model import CubeParameters

    form = ParameterForm(CubeParameters(inside="text"))
    qtbot.addWidget(form)
    form.resize(264, 590)
    form.show()
    qtbot.waitUntil(form.isActiveWindow)
    editor = form.field("text")
    assert isinstance(editor, QLineEdit)
    editor.setFocus(Qt.FocusReason.TabFocusReason)
    return form, editor


def test_a_text_is_shown_while_it_is_written_and_becomes_one_step(qtbot: QtBot) -> None:
    form, editor = cube_form(qtbot)
    told = Told(form)
    QTest.keyClicks(editor, "Anna")
    assert [each.text for each in told.previewed] == ["A", "An", "Ann", "Anna"] and told.words == []  # type: ignore[attr-defined]
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert told.words == ["Text “” → “Anna”"] and form.parameters().text == "Anna"
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert len(told.words) == 1, "nothing new was written"
    QTest.mouseClick(button(form, "Reset text to “”"), Qt.MouseButton.LeftButton)
    assert editor.text() == "" and told.words[-1] == "Text “Anna” → “”"


def test_escape_brings_the_old_text_back_without_a_step(qtbot: QtBot) -> None:
    form, editor = cube_form(qtbot)
    told = Told(form)
    QTest.keyClicks(editor, "Anna")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert editor.text() == "" and form.parameters().text == ""
    assert told.edited[-1].text == ""  # type: ignore[attr-defined]


def test_a_letter_that_cannot_be_engraved_is_told_under_the_text_and_the_rest_stays(qtbot: QtBot) -> None:
    form, editor = cube_form(qtbot)
    QTest.keyClicks(editor, "An")
    QApplication.clipboard().setText("☺")
    editor.paste()
    assert form.refusal("text") == "Text cannot be engraved. The single-line font has no ☺."
    assert editor.text() == "An"
    QTest.keyClicks(editor, "na")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert form.refusal("text") == "" and form.parameters().text == "Anna"


def test_undo_is_the_studios_where_no_text_is_being_written(qtbot: QtBot) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    form, editor = cube_form(qtbot)

    def is_the_fields() -> bool:
        event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        event.ignore()
        QApplication.sendEvent(editor, event)
        return event.isAccepted()

    assert not is_the_fields()
    QTest.keyClicks(editor, "A")
    assert is_the_fields()
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert not is_the_fields()
    form.set_parameters(replace(form.parameters(), text="Berta"))
    assert editor.text() == "Berta" and not is_the_fields()


def test_values_to_choose_from_are_taken_at_a_click_as_one_step(qtbot: QtBot) -> None:
    form = ParameterForm(JigsawParameters(), offers={"width": lambda: [("Small, 200 mm", 200.0), ("Large", 400.0)]})
    qtbot.addWidget(form)
    form.show()
    told = Told(form)
    assert button(form, "Choose width").isVisible()
    # The offscreen platform can open no menu.
    (menu,) = [one for one in form.findChildren(QMenu) if isinstance(one.parent(), Field)]
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == ["Small, 200 mm", "Large"]
    menu.actions()[1].trigger()
    assert form.parameters().width == 400.0 and len(told.words) == 1 and told.previewed == []


@pytest.mark.parametrize("key", KINDS)
def test_a_zero_that_is_none_or_automatic_is_shown_as_its_word(qtbot: QtBot, key: str) -> None:
    form = ParameterForm(kind(key).parameters())
    qtbot.addWidget(form)
    worded = [one for one in declarations(kind(key).parameters) if one.zero]
    assert worded and all(one.minimum == 0 for one in worded)
    for one in worded:
        editor = box(form, one.name)
        for text in ("0", one.zero, one.zero.upper()):
            editor.setValue(one.limits[1])
            assert editor.text()[0].isdigit()
            write(editor, text)
            assert (editor.text(), editor.value()) == (one.zero, 0)
        assert words(one, 0).casefold() == one.zero.casefold() and words(one, one.limits[1])[0].isdigit()
