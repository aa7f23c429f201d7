"""What is said of a calendar puzzle before it is cut."""

from dataclasses import replace
from typing import Any

import pytest

from studio.base.amounts import cell_name
from studio.base.progress import Cancelled, Progress
from studio.checks.finding import Finding, Severity
from studio.puzzles.calendar import edits
from studio.puzzles.calendar.checks import (
    CalendarChecked,
    balance,
    label_troubles,
    piece_trouble,
    summary,
    troubled_cells,
)
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import DAY, MONTH, Board, CalendarDesign, CalendarParameters, Label, Piece

PLAIN = CalendarDesign()
RING = [(row, column) for row in range(3) for column in range(3) if (row, column) != (1, 1)]


def checked(design: CalendarDesign, before: CalendarChecked | None = None) -> CalendarChecked:
    shapes = CALENDAR.shape(design, None, Progress())
    answer = CALENDAR.check(design, shapes, before, Progress())
    assert isinstance(answer, CalendarChecked)
    assert all(name in design.layout.indices for finding in answer.findings for name in finding.cells)
    return answer


def found(design: CalendarDesign) -> dict[str, Finding]:
    """The first finding of every kind."""
    return {finding.kind: finding for finding in reversed(checked(design).findings)}


@pytest.mark.parametrize("board", ["article", "heart"])
def test_a_built_in_board_has_no_findings(board: str) -> None:
    answer = checked(CalendarDesign(CalendarParameters(board=board)))
    assert answer.findings == () and answer.year is not None and answer.year.least > 1


def test_the_year_is_told_in_a_sentence() -> None:
    known = checked(PLAIN).year
    assert known is not None
    assert summary(PLAIN.layout, known) == (
        "All 366 dates can be solved, with 24,405 solutions in total. Hardest: 6 Oct (7). Easiest: 25 Jan (216)."
    )


def test_combinations_with_a_single_solution_are_named() -> None:
    only = found(CalendarDesign(CalendarParameters(board="dice")))
    assert set(only) == {"single"} and only["single"].severity is Severity.HINT
    assert only["single"].message == "Exactly one solution for 4 of 36 combinations: 2 III, 4 I, 4 V and 6 III."


def test_areas_that_do_not_add_up_are_told_with_their_numbers() -> None:
    areas = found(edits.with_piece(PLAIN, [(0, 0), (0, 1)]))["area"]
    assert areas.severity is Severity.ERROR
    assert areas.message == (
        "The pieces cover 43 squares; the board needs 41 (43 cells, 2 of them uncovered)."
    )  # fmt: skip
    assert checked(edits.without_piece(PLAIN, "L")).year is None
    assert found(CalendarDesign(pieces=()))["area"].message.startswith("The pieces cover 0 squares; the board needs 41")


def test_months_and_days_that_lack_are_named_and_filled_at_a_click() -> None:
    german = edits.with_labels_filled(PLAIN, MONTH, "de")
    gaps = edits.without_labels(german, ["C1", "D4", "E4", "F4", "G6"])
    messages = [finding.message for finding in checked(gaps).findings if finding.kind == "gap"]
    assert messages == ["Missing months: Mär.", "Missing days: 11 to 13 and 28."]
    repaired = gaps
    for finding in checked(gaps).findings:
        if finding.kind == "gap":
            assert finding.repair is not None and finding.severity is Severity.ERROR
            repaired = finding.repair.apply(repaired)
    assert sorted(label.value for label in repaired.layout.groups[DAY]) == list(range(1, 32))
    assert edits.with_labels_filled(repaired, MONTH, "de") == repaired
    assert "gap" not in found(repaired)


def test_a_group_of_ones_own_has_no_gap_where_it_counts_on() -> None:
    dice = CalendarDesign(CalendarParameters(board="dice"))
    board = dice.layout
    assert "gap" not in found(edits.without_labels(dice, [board.groups["first die"][-1].name]))
    gap = found(edits.without_labels(dice, [board.groups["first die"][2].name]))["gap"]
    assert gap.message == "Missing labels of the group first die: 3."


def test_a_value_or_a_text_twice_is_told_with_its_cells() -> None:
    twice = edits.with_label(PLAIN, "B1", MONTH, "Jan", 1)
    double = found(twice)["double"]
    assert double.message == "2 cells are month 1: A1 and B1." and double.repair is not None
    assert double.cells == ("A1", "B1")
    assert "B1" not in double.repair.apply(twice).layout.on
    same = found(edits.with_label(PLAIN, "B1", MONTH, "Jan", 2))["text"]
    assert same.message == "2 months share the text Jan: A1 and B1." and same.severity is Severity.WARNING


def test_a_letter_that_cannot_be_engraved_is_named() -> None:
    letter = found(edits.with_label(PLAIN, "A1", MONTH, "一月", 1))["letter"]
    assert letter.message == "一月 on A1 cannot be engraved. The single-line font has no 一."


def test_a_board_without_labels_is_nothing_to_solve() -> None:
    blank = CalendarDesign(board=Board((".......",) * 7))
    labels = found(blank)["labels"]
    assert labels.severity is Severity.ERROR and labels.repair is not None
    assert found(labels.repair.apply(blank)).keys() == {"area"}


@pytest.mark.parametrize(
    ("squares", "kind", "sentence"),
    [
        ([(0, 0), (0, 1), (0, 3)], "parts", "Piece 3 is in 2 parts; squares must join edge to edge."),
        ([(0, 0), (1, 1)], "parts", "Piece 2 is joined only at corners; squares must join edge to edge."),
        (RING, "hole", "Piece 8 has a hole and cannot be cut as one outline."),
        (
            [(0, 0), (0, 1), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)],
            "hole",
            "Piece 7-1 encloses a hole at a corner and cannot be cut as one outline.",
        ),
        ([(0, column) for column in range(8)], "unused", "Piece 8 fits nowhere on the board."),
    ],
)
def test_a_piece_that_cannot_be_cut_or_laid_is_named(squares: list[tuple[int, int]], kind: str, sentence: str) -> None:
    piece = found(edits.with_piece(PLAIN, squares))[kind]
    assert piece.severity is Severity.ERROR
    assert piece.message.split(maxsplit=2)[2] == sentence.split(maxsplit=2)[2]


def test_a_piece_that_always_covers_a_whole_group_can_never_be_used() -> None:
    labels = (Label("A1", "side", 1, "left"), Label("B1", "side", 2, "right"))
    tight = CalendarDesign(board=Board(("..",), labels), pieces=(Piece("I2", ("##",)),))
    assert found(tight)["unused"].message == (
        "Piece I2 can never be used: every placement covers a whole group of labels."
    )  # fmt: skip


def test_twins_are_told_and_one_goes_at_a_click() -> None:
    doubled = edits.with_piece_duplicated(PLAIN, "L")
    twins = found(doubled)["twins"]
    assert twins.severity is Severity.HINT and twins.repair is not None
    assert twins.message == "L and L 2 are identical; swapping them does not count as another solution."
    assert twins.repair.title == "Remove L 2" and twins.repair.apply(doubled) == PLAIN


def test_a_mirrored_piece_is_a_twin_just_where_pieces_may_be_flipped() -> None:
    doubled = edits.with_piece_flipped(edits.with_piece_duplicated(PLAIN, "L"), "L 2")
    assert "twins" in found(doubled)
    assert "twins" not in found(CalendarDesign(CalendarParameters(reflections=False), pieces=doubled.set))


def test_dates_without_a_solution_are_counted_and_named() -> None:
    design = edits.with_piece_drawn(PLAIN, "V", [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)])
    answer = checked(design)
    assert answer.year is not None
    (unsolved,) = (finding for finding in answer.findings if finding.kind == "unsolved")
    count = len(answer.year.having(0))
    assert unsolved.severity is Severity.WARNING and count > 8
    assert unsolved.message.startswith(f"No solution for {count} of 366 dates: ")
    assert unsolved.message.endswith(f" and {count - 7} more.")
    tee = CalendarDesign(board=Board(("..#", "...")), pieces=(Piece("T4", ("###", ".#.")),))
    none = found(edits.with_label(tee, "B1", "side", "left", 1))["unsolved"]
    assert none.severity is Severity.ERROR and none.message == "The only combination has no solution."


def test_a_board_that_takes_too_many_steps_is_told_to_be_too_large_and_a_check_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("studio.puzzles.calendar.year.MOST_STATES_AT_ONCE", 100)
    monkeypatch.setattr("studio.puzzles.calendar.checks.MOST_STATES", 1000)
    large = CalendarDesign(CalendarParameters(board="weekday"))
    answer = checked(large)
    assert answer.year is None and [finding.kind for finding in answer.findings] == ["unproven"]
    assert answer.findings[0].message == (
        "Too large to verify every date within 1,000 steps. Individual dates can still be solved."
    )
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        CALENDAR.check(large, CALENDAR.shape(large, None, Progress()), None, stopped)


def test_a_board_with_too_many_combinations_is_told_to_be_unproven() -> None:
    names = [cell_name(column, row) for row in range(6) for column in range(6)]
    labels = sorted(
        (Label(name, f"group {at}", 1, "1") for at, name in enumerate(names[:20])), key=lambda one: one.name
    )
    crowd = CalendarDesign(board=Board(("." * 6,) * 6, tuple(labels)), pieces=(Piece("bar", ("####",) * 4),))
    assert found(crowd)["unproven"].message == (
        "The labels form 20 groups; a year can be counted for at most 16. Individual dates can still be solved."
    )


def test_the_year_before_is_kept_while_board_and_pieces_stay() -> None:
    before = checked(PLAIN)
    renamed = edits.with_colour(edits.with_labels_filled(PLAIN, MONTH, "fr"), "L", 20)
    assert checked(renamed, before).year is before.year
    fewer = edits.with_places(PLAIN, [(0, 0)], False)
    assert checked(fewer, before).year is not before.year


def test_a_year_that_was_counted_is_not_counted_again() -> None:
    """Only the first check has to look at partial boards; the second reads the answer from the disk."""
    first, second = checked(PLAIN), checked(PLAIN)
    assert first.year is not None and second.year is not None
    assert second.year.seconds == first.year.seconds and second.year.total == 24405


@pytest.mark.parametrize(
    ("design", "sentence"),
    [
        (CalendarDesign(), "41 squares in 8 pieces; 41 needed (43 cells minus one month and one day)."),
        (edits.with_places(CalendarDesign(), [(0, 6)], True),
         "41 squares in 8 pieces; 42 needed (44 cells minus one month and one day): 1 short."),
        (edits.with_piece(CalendarDesign(), [(0, 0), (0, 1)]),
         "43 squares in 9 pieces; 41 needed (43 cells minus one month and one day): 2 over."),
        (CalendarDesign(board=Board((".",)), pieces=(Piece("I1", ("#",)),)),
         "1 square in 1 piece; 1 needed (1 cell)."),
    ],
)  # fmt: skip
def test_an_editor_reads_whether_the_areas_add_up(design: CalendarDesign, sentence: str) -> None:
    assert balance(design) == sentence


def test_an_editor_reads_what_is_wrong_with_labels_and_pieces_without_a_check() -> None:
    board = edits.with_label(CalendarDesign(), "C1", MONTH, "Feb").layout
    assert label_troubles(board) == ("Missing months: Mar.", "2 cells are month 2: B1 and C1.")
    assert troubled_cells(board) == {"B1", "C1"}
    assert label_troubles(CalendarDesign().layout) == () and not troubled_cells(CalendarDesign().layout)
    assert piece_trouble(Piece("I2", ("##",))) == ""
    assert piece_trouble(Piece("two", ("#.#",))) == "Piece two is in 2 parts; squares must join edge to edge."


def test_what_cannot_be_made_well_is_among_the_findings() -> None:
    design = replace(PLAIN, parameters=replace(PLAIN.parameters, radius=15.0, frame=3.0, corner=40.0))
    kinds = found(design)
    assert kinds["radius"].severity is Severity.ERROR and kinds["frame"].severity is Severity.ERROR
    assert "height" in found(replace(PLAIN, parameters=replace(PLAIN.parameters, cell=6.0, radius=0.0)))


@pytest.mark.parametrize(("name", "length"), [("radius", 15.0), ("chamfer", 4.0)])
def test_a_length_that_is_too_large_is_mended_at_a_click(name: str, length: float) -> None:
    change: dict[str, Any] = {name: length}
    design = replace(PLAIN, parameters=replace(PLAIN.parameters, **change))
    repair = found(design)[name].repair
    assert repair is not None
    mended = repair.apply(design)
    assert name not in found(mended) and 0 < getattr(mended.parameters, name) < length
    title = {"radius": "corner radius", "chamfer": "chamfer"}[name]
    assert repair.title == f"Set {title} to {getattr(mended.parameters, name):.1f} mm"


def test_a_set_without_any_piece_is_told_and_no_failure() -> None:
    kinds = found(replace(PLAIN, pieces=(), parameters=replace(PLAIN.parameters, radius=15.0)))
    assert kinds["area"].severity is Severity.ERROR and kinds["radius"].severity is Severity.ERROR
