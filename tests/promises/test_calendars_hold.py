"""What a calendar puzzle says of itself is true of its drawing, its year and its board, whatever the labels are."""

from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files.store import load
from studio.puzzles.calendar.checks import summary
from studio.puzzles.calendar.edits import Side, spoken, with_board, with_label, with_labels_filled, with_side
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import DAY, MONTH, WEEKDAY, CalendarDesign, CalendarParameters, built_in
from studio.puzzles.calendar.year import Year, chart, date_mask, extremes
from studio.ui.kinds.calendar.extension import CalendarExtension
from tests.ui.stage import KindStage, staged

SAMPLES = Path(__file__).parents[2] / "resources" / "examples"


def shapes_of(design: CalendarDesign) -> CalendarShapes:
    found = CALENDAR.shape(design, None, SILENT)
    assert isinstance(found, CalendarShapes)
    return found


stage = staged(lambda folder: KindStage(folder, CALENDAR))


# Clearance


def test_the_gap_at_the_frame_is_one_and_a_half_times_the_clearance() -> None:
    """As the manual says: 0.3 mm at the frame for 0.2 mm, an opening wider by twice that, 11.8 mm of wood for 12."""
    design = CalendarDesign(CalendarParameters(play=0.2, frame=12.0, radius=0.0, notch=False))
    tray = shapes_of(design).tray
    opening = tray.frame.rings[1].corners
    assert np.ptp(opening[:, 0]) == pytest.approx(7 * 20.0 + 2 * 0.2)
    assert opening[:, 0].min() - tray.low[0] == pytest.approx(11.8)
    piece = shapely.Polygon(tray.pieces[0].rings[0].corners)
    cells = shapely.box(*shapely.bounds(shapely.buffer(piece, 0.1, join_style="mitre")))
    assert shapely.bounds(cells)[0] - shapely.bounds(piece)[0] == pytest.approx(-0.1), "half the clearance all round"
    assert dict(shapes_of(design).fit)["Clearance"].endswith("0.20 mm between pieces, 0.30 mm at the frame")


# The year


def test_list_and_year_name_the_same_hardest_and_easiest_date_of_a_weekday_board() -> None:
    board = built_in("weekday").board
    dice = np.random.default_rng(3)
    counts = np.where(date_mask(board), dice.integers(100, 9000, date_mask(board).shape), -1)
    year = Year(tuple(board.groups), counts, True, 1, 0.0)
    seen = chart(board, counts, {})
    hardest, easiest = seen.cells[seen.dates[0]], seen.cells[seen.dates[-1]]
    for told in (summary(board, year), extremes(seen)):
        assert f"{seen.least:,}" in told
        assert "asiest with its hardest weekday" in told, told
    day, month, weekday = (
        next(label.text for label in hardest if label.group == group) for group in (DAY, MONTH, WEEKDAY)
    )
    assert f"Hardest: {weekday} {day} {month} (" in summary(board, year)
    day, month = (next(label.text for label in easiest if label.group == group) for group in (DAY, MONTH))
    assert f"Easiest with its hardest weekday: {day} {month} (" in summary(board, year)


def test_words_on_a_board_of_two_dice_are_not_of_dates(stage: KindStage) -> None:
    stage.document.edit("Dice", with_board(CalendarDesign(), "dice"))
    stage.window.pipeline.finish()
    stage.settle()
    parts = stage.window.extension
    assert isinstance(parts, CalendarExtension)
    year, edit = parts.pages[2], parts.pages[4]
    for page in (year, edit):
        stage.window.show_view(page.name)
        page.finish()
        stage.settle()
    assert year.heading.text().startswith("36 combinations")  # type: ignore[attr-defined]
    assert "date" not in edit.standing.shown[2].words  # type: ignore[attr-defined]
    titles = [stage.window.drawer.tabText(at) for at in range(stage.window.drawer.count())]
    assert "Combinations" in titles and "Dates" not in titles
    heads = year.dates.model  # type: ignore[attr-defined]
    assert heads.headerData(0, heads_side()) == "Combination"
    assert "date" not in " ".join(finding.message for finding in stage.window.pipeline.findings or ())


def heads_side() -> object:
    from PySide6.QtCore import Qt

    return Qt.Orientation.Horizontal


def test_numbers_of_a_board_with_other_labels_vanish_and_those_of_an_edit_are_said_to_be_old(stage: KindStage) -> None:
    parts = stage.window.extension
    assert isinstance(parts, CalendarExtension)
    stage.window.show_view("year")
    year = parts.pages[2]
    year.finish()
    stage.settle()
    assert len(year.map.chart.dates) == 366  # type: ignore[attr-defined]
    stage.document.edit("Dice", with_board(CalendarDesign(), "dice"))
    assert len(year.map.chart.dates) == 0  # type: ignore[attr-defined]
    assert year.heading.text().startswith("Counting")  # type: ignore[attr-defined]
    stage.document.history.undo()
    year.finish()
    stage.settle()
    assert len(year.map.chart.dates) == 366  # type: ignore[attr-defined]
    stage.document.edit("Row", with_side(CalendarDesign(), Side.TOP))
    assert year.map.is_faded  # type: ignore[attr-defined]
    assert year.extremes.text().endswith("from before your last change.")  # type: ignore[attr-defined]


# Labels


def test_a_label_typed_into_a_thirteenth_cell_is_refused_in_words_of_the_board() -> None:
    design = with_labels_filled(with_side(CalendarDesign(), Side.BOTTOM), MONTH)
    free = next(name for name in design.layout.names if name not in design.layout.on)
    with pytest.raises(StudioError, match=r"^The group month already has all 12 labels; erase one first, or .*\.$"):
        with_label(design, free, MONTH, "Undecember")
    assert with_label(design, "A2", MONTH, "Brumaire").layout.on["A2"].text == "Brumaire"


def test_a_sample_in_another_language_says_so() -> None:
    german, french = (SAMPLES / f"{name}.puzzle" for name in ("puzzle-a-day-german-7x7", "calendrier-6x8"))
    languages = [spoken(load(path).design.layout) for path in (german, french)]
    assert languages == ["de", "fr"]
    readme = (SAMPLES.parents[1] / "README.md").read_text("utf-8")
    assert "with German months" in readme and "in French" in readme
