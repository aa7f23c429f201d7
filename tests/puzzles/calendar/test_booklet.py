"""The booklet: rules, a hint for each date that is part of the solution at the back, all solutions of some dates."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.cli import main
from studio.paper.leaflet import Area, Leaflet, Words
from studio.puzzles.calendar.booklet import CHOSEN, NONE, BookletOptions, booklet
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters, colour_of, dates, said
from studio.puzzles.calendar.questions import date_cells
from studio.puzzles.calendar.solve import count, first_found
from tests.puzzles.calendar.test_real_year import SMALL

A4 = (210.0, 297.0)
ARTICLE = CalendarDesign()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def made(design: CalendarDesign, **options: object) -> Leaflet:
    return booklet(design, "My year", A4, BookletOptions(**options), Progress())  # type: ignore[arg-type]


def words(leaflet: Leaflet, name: str) -> list[str]:
    groups = [group for page in leaflet.pages for group in page.groups if group.name == name]
    return [mark.text for group in groups for mark in group.marks if isinstance(mark, Words)]


def coloured(leaflet: Leaflet, name: str, fills: set[str]) -> list[tuple[int, Area]]:
    """Areas of some fills with the page that they are on."""
    return [
        (number, mark)
        for number, page in enumerate(leaflet.pages)
        for group in page.groups
        if group.name == name
        for mark in group.marks
        if isinstance(mark, Area) and mark.fill in fills
    ]


def test_the_booklet_has_rules_and_a_hint_and_a_solution_for_each_date() -> None:
    found = made(ARTICLE)
    every = [said(date) for date in dates(ARTICLE.layout)]
    rules = " ".join(words(found, "rules"))
    assert rules.startswith("My year Cover the board with the 8 pieces and leave one month and one day uncovered.")
    assert "Hardest: 6 Oct (7)." in rules and {piece.name for piece in ARTICLE.set} <= set(words(found, "rules"))
    for group in ("hints", "solutions"):
        shown = words(found, group)
        assert [text for text in shown if text in set(every)] == every
        assert shown[shown.index("6 Oct") + 1] == "7", "the number of solutions"
    pieces = {colour_of(piece.colour) for piece in ARTICLE.set}
    assert len(coloured(found, "hints", pieces)) == 366 and len(coloured(found, "solutions", pieces)) == 366 * 8
    assert {mark.fill for _, mark in coloured(found, "hints", pieces)} == pieces, "each piece is hinted at"
    # All that is printed is on the page.
    marks = [mark for page in found.pages for part in page.groups for mark in part.marks]
    points = np.concatenate([ring for mark in marks if isinstance(mark, Area) for ring in mark.rings])
    assert (points >= 0).all() and (points <= A4).all()


def test_pieces_of_a_solution_cover_all_but_the_open_cells() -> None:
    found = made(SMALL, hints=False)
    fills = {colour_of(piece.colour) for piece in SMALL.set}
    boards = [mark for _, mark in coloured(found, "solutions", {"#ECECE8"})]
    pieces = [shapely.Polygon(mark.rings[0]) for _, mark in coloured(found, "solutions", fills)]
    open_cells = [shapely.Polygon(mark.rings[0]) for _, mark in coloured(found, "solutions", {"#1D1F24"})]
    shown = 0
    for board in (shapely.Polygon(mark.rings[0]) for mark in boards):
        within = [piece for piece in pieces if board.buffer(1e-6).contains(piece)]
        free = [cell for cell in open_cells if board.buffer(1e-6).contains(cell)]
        assert len(free) == 3
        if within:
            shown += 1
            assert sum(part.area for part in [*within, *free]) == pytest.approx(board.area)
            assert shapely.union_all([*within, *free]).area == pytest.approx(board.area)
    assert len(boards) == 3 and shown == words(found, "solutions").count("1") + words(found, "solutions").count("2")


def test_all_solutions_of_chosen_dates_are_shown() -> None:
    found = made(ARTICLE, hints=False, solutions=CHOSEN, dates="10-06, 4-6")
    assert len(words(found, "6-oct")) == 1 + 7 + 7 * 8 and "6 Apr: 8 solutions" in words(found, "6-apr")
    assert not words(found, "hints") and not words(found, "solutions")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"solutions": CHOSEN}, "Enter the dates whose solutions are to be shown"),
        ({"solutions": CHOSEN, "dates": "02-30"}, "02-30 does not exist."),
        ({"solutions": CHOSEN, "dates": ", ".join(f"01-{day}" for day in range(1, 32))}, "more than 2,000 solutions"),
    ],
    ids=["none", "unknown", "many"],
)
def test_dates_that_cannot_be_shown_are_refused_in_a_sentence(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        made(ARTICLE, hints=False, **options)


def test_a_board_with_weekdays_needs_a_real_year() -> None:
    design = CalendarDesign(CalendarParameters(board="weekday"))
    with pytest.raises(StudioError, match="2,562 dates, more than the 400 of a booklet"):
        made(design)
    real = replace(SMALL, parameters=CalendarParameters(year=2026))
    assert "The dates and weekdays are those of 2026." in words(made(real, solutions=NONE), "rules")


@pytest.mark.parametrize("board", ["article", "heart"])
def test_a_first_solution_is_one_wherever_there_are_some(board: str) -> None:
    design = CalendarDesign(CalendarParameters(board=board))
    for text in ("1-1", "2-29", "10-6", "7-2"):
        open_cells = date_cells(design, text)
        found = first_found(design, open_cells, Progress())
        assert found is not None and sorted(found) == list(range(len(design.set)))
        covered = sum(found.values()) | sum(1 << design.layout.indices[name] for name in open_cells)
        assert covered == (1 << len(design.layout.names)) - 1
        assert sum(cells.bit_count() for cells in found.values()) == design.area
    without = CalendarDesign(pieces=ARTICLE.set[:-1])
    assert first_found(without, date_cells(without, "1-1"), Progress()) is None
    small = [label.name for label in next(dates(SMALL.layout, 2026))]
    assert (first_found(SMALL, small, Progress()) is None) == (count(SMALL, small, Progress()).solutions == 0)


def test_each_page_written_is_named_and_dates_only_go_with_their_solutions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = str(tmp_path / "year.puzzle"), str(tmp_path / "b.svg")
    assert main(["new", "calendar", "-o", path]) == 0
    words = ["booklet", path, "-o", out, "--set", "dates=10-06", "--set", "hints=no"]
    for solutions in ("each", "none"):
        assert main([*words, "--set", f"solutions={solutions}"]) == 2
        assert f"cannot be combined with --set solutions={solutions}" in capsys.readouterr().err
    capsys.readouterr()
    assert main(words) == 0
    written = capsys.readouterr().out.splitlines()
    assert written == [f"Wrote {tmp_path / f'b-{page}.svg'}: 1 page of A4." for page in (1, 2)]
    assert sorted(each.name for each in tmp_path.glob("b*")) == ["b-1.svg", "b-2.svg"]
