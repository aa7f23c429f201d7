"""Lengths on the screen: in millimetres or inches, and in millimetres in every file."""

import threading
from collections.abc import Iterator

import pytest

from studio.base import units
from studio.base.amounts import extent, metres
from studio.base.parameters import declaration
from studio.base.texts import tr
from studio.base.units import Against, Unit, in_millimetres, length, show_in
from studio.checks.finding import Problem, Repair, Severity
from studio.puzzles.cube.model import CubeParameters
from studio.puzzles.jigsaw.model.design import JigsawParameters


@pytest.fixture
def inches() -> Iterator[None]:
    show_in(Unit.INCHES)
    yield
    show_in(Unit.MILLIMETRES)


def test_without_a_choice_lengths_are_in_millimetres() -> None:
    assert tr("{width:.1f} × {height:g} mm", width=25.4, height=300) == "25.4 × 300 mm"
    assert extent(300, 150) == "300.0 × 150.0 mm"
    assert metres(5360) == "5.36 m"


@pytest.mark.usefixtures("inches")
def test_lengths_in_a_sentence_are_said_in_inches() -> None:
    assert tr("{width:.1f} × {height:g} mm", width=25.4, height=254) == "1.000 × 10.000 in"
    assert tr("at {speed:g} mm/s", speed=15) == "at 0.591 in/s"
    assert tr("{area:.1f} mm² of {count}", area=645.16, count=7) == "1.000 in² of 7"
    assert tr("Only {gap} mm, minimum {least:g} mm; {piece}", gap="0.84", least=1.0, piece="C4") == (
        "Only 0.0331 in, minimum 0.0394 in; C4"
    )
    assert tr("{lengths} mm, {mass} g, {letters} mmm", lengths="40 × 40", mass=3, letters="{}") == (
        "1.575 × 1.575 in, 3 g, {} mmm"
    )
    assert tr("{gap:.1f} mm of {least:g} mm", gap=Against(0.999, 1.0), least=1.0) == "0.0393 in of 0.0394 in"
    assert extent(254.0, 127.0) == "10.000 × 5.000 in"
    assert (metres(254), metres(3048)) == ("10.0 in", "10.0 ft")
    assert length(645.16, metric="mm²") == "1.000"


@pytest.mark.usefixtures("inches")
def test_problems_repairs_and_bounds_are_said_in_inches() -> None:
    problem = Problem("thin", Severity.HINT, "Thin", "Only {wide:g} mm wide", "")
    assert problem.finding((0, 0), wide=25.4).message == "Only 1.000 in wide"
    assert Repair.setting("Make it {wide:.1f} mm", wide=2.54).title == "Make it 0.100 in"
    assert declaration(JigsawParameters, "corner_radius").bounds.endswith(" in")
    assert declaration(CubeParameters, "text_height").bounds == "0, or 0.0039 to 3.937 in"


@pytest.mark.usefixtures("inches")
def test_what_goes_into_a_file_stays_in_millimetres_while_the_screen_shows_inches() -> None:
    seen = []
    with in_millimetres():
        thread = threading.Thread(target=lambda: seen.append(units.unit()))
        thread.start()
        thread.join()
        assert tr("{width:.1f} mm", width=25.4) == "25.4 mm"
    assert seen == [Unit.INCHES]
    assert units.unit() is Unit.INCHES
