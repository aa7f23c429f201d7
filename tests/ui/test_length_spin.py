"""A box for a number reads what makers write, in every locale, and says why it does not take what it cannot."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from studio.base.parameters import declaration
from studio.puzzles.calendar.model import CalendarParameters
from studio.puzzles.jigsaw.model.design import JigsawParameters
from studio.ui.widgets.length_spin import NumberSpinBox, WholeSpinBox, shown

LARGEST_SEED = 2**31 - 1


class Desk(QWidget):
    """A box, another widget to go to, and a record of all that the box tells."""

    def __init__(self, box: NumberSpinBox) -> None:
        super().__init__()
        self.box = box
        self.other = QLineEdit()
        self.posted: list[tuple[str, Any]] = []
        column = QVBoxLayout(self)
        column.addWidget(box)
        column.addWidget(self.other)
        box.moved.connect(lambda value: self.posted.append(("moved", value)))
        box.settled.connect(lambda value, entry: self.posted.append((entry.name, value)))
        box.refused.connect(lambda sentence: self.posted.append(("refused", sentence)))


@pytest.fixture(params=["de_DE", "en_US", "fr_CH"])
def locale(request: pytest.FixtureRequest) -> Iterator[str]:
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield request.param
    QLocale.setDefault(before)


def desk(qtbot: QtBot, box: NumberSpinBox) -> Desk:
    made = Desk(box)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    box.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(box.hasFocus)
    return made


def width_desk(qtbot: QtBot) -> Desk:
    return desk(qtbot, NumberSpinBox(declaration(JigsawParameters, "width")))


def write(box: NumberSpinBox, text: str) -> None:
    box.selectAll()
    QTest.keyClicks(box, text)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("35.5", 35.5),
        ("35,5", 35.5),
        ("12.75", 12.75),
        ("12,75 mm", 12.75),
        ("1 1/2 in", 38.1),
        ("2 cm", 20.0),
        ('0.25"', 6.35),
        ("250", 250.0),
        ("7mm", 7.0),
    ],
)
def test_what_a_maker_writes_is_read_alike_in_every_locale(qtbot: QtBot, locale: str, text: str, value: float) -> None:
    at = width_desk(qtbot)
    write(at.box, text)
    QTest.keyClick(at.box, Qt.Key.Key_Return)
    assert at.box.value() == pytest.approx(value, abs=1e-9)
    assert at.posted == [("WRITTEN", pytest.approx(value, abs=1e-9))]


def test_a_value_is_shown_with_a_point_and_its_unit_in_every_locale(qtbot: QtBot, locale: str) -> None:
    box = NumberSpinBox(declaration(JigsawParameters, "width"))
    qtbot.addWidget(box)
    box.setValue(1234.5)
    assert box.text() == "1234.5 mm"


def test_values_are_shown_with_the_decimals_they_need() -> None:
    assert shown(300.0, "mm", 1) == "300.0 mm"
    assert shown(3.175, "mm", 1) == "3.175 mm"
    assert shown(0.1, "", 2) == "0.10"
    assert shown(12, "", 0) == "12"
    assert shown(-0.0, "mm", 1) == "0.0 mm"
    assert shown(-0.4, "mm", 1) == "-0.4 mm"


def test_half_written_text_changes_nothing(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    changes: list[float] = []
    at.box.valueChanged.connect(changes.append)
    write(at.box, "1/")
    assert (changes, at.posted, at.box.value()) == ([], [], 300.0)
    QTest.keyClicks(at.box, "2 in")
    assert (changes, at.posted, at.box.value()) == ([], [], 300.0)
    QTest.keyClick(at.box, Qt.Key.Key_Return)
    assert changes == [pytest.approx(12.7)]


def test_text_that_means_nothing_is_intermediate_and_refused_on_return(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    write(at.box, "wide")
    assert at.box.validate("wide", 0)[0] is QValidator.State.Intermediate
    QTest.keyClick(at.box, Qt.Key.Key_Return)
    assert at.posted == [("refused", "Width must be 5 to 10000 mm, not 'wide'.")]
    assert (at.box.value(), at.box.text()) == (300.0, "300.0 mm")


def test_a_value_out_of_bounds_is_refused_not_bent(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    write(at.box, "20000")
    at.other.setFocus()
    assert at.posted == [("refused", "Width must be 5 to 10000 mm, not 20000 mm.")]
    assert (at.box.value(), at.box.text()) == (300.0, "300.0 mm")


def test_going_through_a_box_keeps_all_its_decimals(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    at.box.setValue(25.4 / 64 + 10)
    assert at.box.text() == "10.397 mm"
    QTest.keyClick(at.box, Qt.Key.Key_Return)
    at.other.setFocus()
    assert at.box.value() == pytest.approx(10.396875, abs=1e-9)
    assert at.posted == []


def test_escape_brings_the_value_back(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    write(at.box, "77")
    QTest.keyClick(at.box, Qt.Key.Key_Escape)
    at.other.setFocus()
    assert (at.box.text(), at.posted) == ("300.0 mm", [])


def test_an_arrow_key_moves_while_it_is_held_and_settles_when_it_is_let_go(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    QTest.keyPress(at.box, Qt.Key.Key_Up)
    assert at.posted == [("moved", 305.0)]
    QTest.keyRelease(at.box, Qt.Key.Key_Up)
    assert at.posted == [("moved", 305.0), ("STEPPED", 305.0)]


def test_losing_the_focus_settles_a_held_key(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    QTest.keyPress(at.box, Qt.Key.Key_Up)
    at.other.setFocus()
    assert at.posted == [("moved", 305.0), ("STEPPED", 305.0)]


def test_an_arrow_takes_what_is_written_first(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    write(at.box, "100")
    QTest.keyClick(at.box, Qt.Key.Key_Down)
    assert at.posted == [("WRITTEN", 100.0), ("moved", 95.0), ("STEPPED", 95.0)]


def wheel(box: QWidget, notches: int) -> bool:
    centre = QPointF(box.rect().center())
    event = QWheelEvent(
        centre, box.mapToGlobal(centre), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(box, event)
    return event.isAccepted()


def test_the_wheel_steps_only_with_the_focus(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    assert wheel(at.box, 1)
    assert at.posted == [("STEPPED", 305.0)]
    at.other.setFocus()
    assert not wheel(at.box, 1)
    assert at.box.value() == 305.0


def test_a_step_beyond_the_bounds_tells_nothing(qtbot: QtBot) -> None:
    at = width_desk(qtbot)
    at.box.setValue(10000)
    QTest.keyClick(at.box, Qt.Key.Key_Up)
    assert at.posted == []


def test_steps_of_a_hundredth_stay_hundredths(qtbot: QtBot) -> None:
    at = desk(qtbot, NumberSpinBox(declaration(JigsawParameters, "perturbation")))
    for _ in range(3):
        QTest.keyClick(at.box, Qt.Key.Key_Up)
    assert at.box.value() == 0.19
    assert at.box.text() == "0.19"


def test_a_seed_takes_whole_numbers_only(qtbot: QtBot) -> None:
    at = desk(qtbot, WholeSpinBox(declaration(JigsawParameters, "seed")))
    write(at.box, str(LARGEST_SEED))
    QTest.keyClick(at.box, Qt.Key.Key_Return)
    assert at.box.value() == LARGEST_SEED
    assert type(at.box.value()) is int
    assert at.box.text() == str(LARGEST_SEED)
    write(at.box, "3.5")
    QTest.keyClick(at.box, Qt.Key.Key_Return)
    assert at.posted[-1] == ("refused", "Seed must be a whole number from 0 to 2147483647, not '3.5'.")
    assert at.box.value() == LARGEST_SEED


def test_other_units_may_be_written_or_left_out(qtbot: QtBot) -> None:
    at = desk(qtbot, NumberSpinBox(declaration(JigsawParameters, "least_area")))
    assert at.box.text() == "40 mm²"
    for text, value in (("50", 50.0), ("60 mm²", 60.0)):
        write(at.box, text)
        QTest.keyClick(at.box, Qt.Key.Key_Return)
        assert at.box.value() == value


def test_a_box_can_be_made_for_a_number_that_no_kind_declares(qtbot: QtBot) -> None:
    box = NumberSpinBox.undeclared("Kerf", minimum=0, maximum=1, step=0.01, unit="mm", help="What the beam takes away.")
    qtbot.addWidget(box)
    assert (box.accessibleName(), box.text(), box.toolTip()) == ("Kerf", "0.00 mm", "What the beam takes away.")


def test_a_step_from_0_goes_to_the_least_number_and_back(qtbot: QtBot) -> None:
    at = desk(qtbot, WholeSpinBox(declaration(CalendarParameters, "year")))
    at.box.stepBy(1)
    at.box.stepBy(1)
    at.box.stepBy(-2)
    assert at.posted == [("STEPPED", 1583), ("STEPPED", 1584), ("STEPPED", 0)]
