"""A book has its puzzles in order of difficulty, each with one solution, which is at the back under the same number."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import SILENT, Cancelled, Progress
from studio.exporting.options import PAPERS as EVERY_PAPER
from studio.exporting.writing import write_leaflet
from studio.geometry.board.grids import GRIDS
from studio.paper.leaflet import Leaflet, Line, Page, Words, capitals
from studio.puzzles.slitherlink.book import HINTS, PAPERS, BookOptions, BookPuzzle, book, book_of, puzzles_of
from studio.puzzles.slitherlink.model import GRADES, SlitherlinkParameters
from studio.puzzles.slitherlink.paper import FAINT, INK
from studio.puzzles.slitherlink.steps import work
from studio.solving.loops import solutions

BOTTOM = 20.0
HEAD = 9.0
MOST_ON_A_PAGE = 12
SMALLEST = 1.1
TOP = 16.0

A4, A5, LETTER = (210.0, 297.0), (148.0, 210.0), (215.9, 279.4)
SMALL = SlitherlinkParameters(columns=5, rows=4)


def made(options: BookOptions, p: SlitherlinkParameters = SMALL) -> tuple[list[BookPuzzle], Leaflet]:
    puzzles = puzzles_of(p, options, SILENT)
    return puzzles, book(puzzles, options, A4, SILENT)


def lines_of(page: Page, name: str) -> list[Line]:
    return [mark for group in page.groups if group.name == name for mark in group.marks if isinstance(mark, Line)]


def words_of(page: Page) -> list[str]:
    return [mark.text for group in page.groups for mark in group.marks if isinstance(mark, Words)]


def test_difficulty_rises_evenly_and_every_puzzle_has_one_solution() -> None:
    options = BookOptions(count=8, easiest="easy", hardest="hard")
    puzzles = puzzles_of(SlitherlinkParameters(columns=8, rows=8), options, SILENT)
    assert [one.level for one in puzzles] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [one.grade for one in puzzles[::2]] == list(GRADES.values())
    assert sorted(one.effort for one in puzzles) == [one.effort for one in puzzles]
    assert len({one.design.inside for one in puzzles}) == 8
    for one in puzzles:
        assert work(one.design.parameters.net, one.design.clues).level == one.level
        count = solutions(one.design.parameters.net, one.design.clues, SILENT, most=2)[1]
        assert count.solutions == 1 and count.complete


def test_the_seed_decides_and_puzzles_of_other_seeds_differ() -> None:
    one, again, other = (puzzles_of(SMALL, BookOptions(count=3, seed=seed), SILENT) for seed in (4, 4, 5))
    assert one == again and not {each.design.inside for each in one} & {each.design.inside for each in other}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", GRIDS)
def test_pages_are_title_rules_puzzles_and_solutions_in_turn(form: str) -> None:
    options = BookOptions(count=5, per_page=2, title="Five loops")
    puzzles, leaflet = made(options, SlitherlinkParameters(grid=form, columns=5, rows=4))
    assert [page.groups[0].name for page in leaflet.pages] == ["title", "how", *["puzzles"] * 3, "solutions"]
    assert "Five loops" in words_of(leaflet.pages[0]) and "How to play" in words_of(leaflet.pages[1])
    assert [words_of(page)[-1] for page in leaflet.pages[1:]] == ["2", "3", "4", "5", "6"]
    shown = [word for page in leaflet.pages[2:5] for word in words_of(page)[:-1]]
    wanted = []
    for number, one in enumerate(puzzles, 1):
        wanted += [str(number), one.grade, *map(str, one.design.clues.values())]
    assert shown == wanted
    loops = [line for line in lines_of(leaflet.pages[5], "solutions") if line.closed]
    assert len(loops) == 5
    for one, loop in zip(puzzles, loops, strict=True):
        p, line = one.design.parameters, one.design.line
        first = np.array(p.form.points)[list({dot for edge in line for dot in p.net.ends[edge]})] * p.form.unit
        scale = np.ptp(loop.points, axis=0) / np.ptp(first, axis=0)
        assert len(loop.points) == len(line) and abs(scale[0] - scale[1]) < 1e-9
        here = {tuple(place) for place in np.round((loop.points - loop.points.min(axis=0)) / scale[0], 3).tolist()}
        assert here == {tuple(place) for place in np.round(first - first.min(axis=0), 3).tolist()}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("per_page", range(1, MOST_ON_A_PAGE + 1))
@pytest.mark.parametrize("size", [A4, LETTER])
def test_puzzles_of_a_page_are_alike_apart_and_within_the_margins(per_page: int, size: tuple[float, float]) -> None:
    options = BookOptions(count=per_page + 1, per_page=per_page)
    leaflet = book(puzzles_of(SMALL, options, SILENT), options, size, SILENT)
    for page in leaflet.pages[2:]:
        for group in page.groups:
            for mark in group.marks:
                assert isinstance(mark, Words | Line)
                points = np.array([mark.place]) if isinstance(mark, Words) else np.asarray(mark.points)
                assert points.min() > 9 and (points < np.array(size) - 9).all()
    dots = [np.array([line.points.mean(axis=0) for line in lines_of(page, "puzzles")]) for page in leaflet.pages[2:4]]
    boards = dots[0].reshape(-1, 30, 2)
    assert len(boards) == per_page
    low, high = boards.min(axis=1), boards.max(axis=1)
    assert np.ptp(high - low, axis=0).max() < 1e-9
    for one in range(per_page):
        for other in range(one):
            assert (low[one] > high[other] + 5).any() or (low[other] > high[one] + 5).any()
    # The page after is bound on the other side.
    shift = dots[1][:30] - boards[0]
    assert np.ptp(shift, axis=0).max() < 1e-9 and abs(abs(shift[0, 0]) - 5) < 1e-9


def test_a_book_of_24_reads_back_with_its_numbers(tmp_path: Path) -> None:
    options = BookOptions()
    puzzles, leaflet = made(options, SlitherlinkParameters())
    (report,) = write_leaflet(leaflet, tmp_path / "book.pdf")
    texts = [page.extract_text().split() for page in PdfReader(tmp_path / "book.pdf").pages]
    assert report.pages == len(texts) == 10
    assert {*map(str, range(1, 25))} <= {*texts[8], *texts[9]} and texts[8][0] == texts[9][0] == "Solutions"
    assert [text.count("Easy") for text in texts[2:8]] == [4, 2, 0, 0, 0, 0]
    assert sum(text.count("3") for text in texts[2:8]) >= sum(
        list(one.design.clues.values()).count(3) for one in puzzles
    )


def boards_on(page: Page, name: str, dots: int) -> np.ndarray:
    """The corners of the boards on a page, shape (n, 2, 2) in mm: lowest and highest dot."""
    places = np.array(
        [line.points.mean(axis=0) for line in lines_of(page, name) if line.colour == INK and not line.closed]
    )
    boards = places.reshape(-1, dots, 2)
    return np.stack([boards.min(axis=1), boards.max(axis=1)], 1)


@pytest.mark.parametrize("size", [A4, A5, LETTER])
def test_rows_are_as_far_apart_as_columns_and_in_the_middle_of_the_page(size: tuple[float, float]) -> None:
    p = SlitherlinkParameters(columns=6, rows=6)
    leaflet = book(puzzles_of(p, BookOptions(count=4), SILENT), BookOptions(count=4), size, SILENT)
    boards = boards_on(leaflet.pages[2], "puzzles", 49)
    across = boards[1, 0, 0] - boards[0, 1, 0]
    down = boards[2, 0, 1] - HEAD - boards[0, 1, 1]
    assert abs(across - down) < 1e-6 and across >= 14 - 1e-6
    above, below = boards[0, 0, 1] - HEAD - TOP, size[1] - BOTTOM - boards[2, 1, 1]
    assert abs(above - below) < 1e-6


@pytest.mark.parametrize("count", [1, 2, 6, 12, 20])
def test_solutions_are_as_large_as_their_pages_allow(count: int) -> None:
    options = BookOptions(count=count, easiest="normal", hardest="normal")
    p = SlitherlinkParameters(columns=6, rows=6)
    leaflet = book([*puzzles_of(p, replace(options, count=1), SILENT)] * count, options, A4, SILENT)
    solved = [page for page in leaflet.pages if page.groups[0].name == "solutions"]
    boards = boards_on(solved[0], "solutions", 49)
    width, height = boards[:, 1].max(axis=0) - boards[:, 0].min(axis=0)
    edge = (boards[0, 1, 0] - boards[0, 0, 0]) / 6
    room = A4[0] - 35, A4[1] - TOP - BOTTOM - 8 - 7
    assert width > 0.98 * room[0] or height + 5.5 > 0.98 * room[1] or edge > 21.9, (
        "to the margins, or the largest cells"
    )


def test_mixed_cells_come_in_turn_and_rise_in_difficulty() -> None:
    options = BookOptions(count=9, cells="regular", hardest="tricky")
    puzzles, leaflet = made(options, SlitherlinkParameters(columns=7, rows=6))
    assert [one.level for one in puzzles] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert [one.design.parameters.grid for one in puzzles] == ["square", "hexagon", "triangle"] * 3
    faint = [line for page in leaflet.pages[2:5] for line in lines_of(page, "puzzles") if line.colour == FAINT]
    assert len(faint) == sum(
        len(one.design.parameters.form.edges) for one in puzzles if one.design.parameters.grid != "square"
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [A4, A5, LETTER])
@pytest.mark.parametrize("cells", ["own", "regular", "every"])
def test_how_to_play_has_an_example_of_each_kind_of_cells_with_its_solution(
    cells: str, size: tuple[float, float]
) -> None:
    options = BookOptions(count=8, cells=cells, easiest="easy", hardest="easy")
    puzzles = puzzles_of(SMALL, options, SILENT)
    page = book(puzzles, options, size, SILENT).pages[1]
    grids = [*dict.fromkeys(one.design.parameters.grid for one in puzzles)]
    loops = [line.points for line in lines_of(page, "how") if line.closed]
    assert len(loops) == len(grids)
    words = words_of(page)
    if cells == "own":
        assert "A puzzle" in words and "The solution" in words
    else:
        assert [word for word in words if word in GRIDS.values()] == [GRIDS[grid] for grid in grids]
    boxes = [np.array([loop.min(axis=0), loop.max(axis=0)]) for loop in loops]
    for at, (low, high) in enumerate(boxes):
        assert all((low > other[1] + 5).any() or (other[0] > high + 5).any() for other in boxes[:at])
        assert (high - low > 15).all()
    digits = [mark.size for group in page.groups for mark in group.marks
              if isinstance(mark, Words) and mark.text.isdigit()]  # fmt: skip
    assert capitals(min(digits)) >= SMALLEST, "large enough to be read"
    points = np.concatenate([line.points for line in lines_of(page, "how")])
    assert points.min() > 14.9 and (points < np.array(size) - 14.9).all()
    assert (points[:, 1] < size[1] - BOTTOM + 1e-6).all(), "above the page number"


def test_the_first_lines_of_squares_are_shown_where_a_book_has_squares_and_room_for_them() -> None:
    def heading(cells: str, grid: str, size: tuple[float, float]) -> list[str]:
        options = BookOptions(count=7, cells=cells, easiest="easy", hardest="easy")
        puzzles = puzzles_of(replace(SMALL, grid=grid), options, SILENT)
        return [word for word in words_of(book(puzzles, options, size, SILENT).pages[1]) if "Getting" in word]

    assert heading("own", "square", A4) == heading("own", "square", A5) == ["Getting started"]
    assert heading("regular", "hexagon", A4) == ["Getting started with squares"]
    assert heading("own", "hexagon", A4) == heading("every", "square", A5) == []


def test_clues_that_nobody_can_read_are_refused() -> None:
    options = BookOptions(count=1, per_page=12)
    p = SlitherlinkParameters(columns=60, rows=60)
    with pytest.raises(StudioError, match=r"^With 12 puzzles per page the clues are too small to read: put fewer"):
        book_of(p, options, A4, SILENT)
    with pytest.raises(StudioError, match=r"^The clues are too small to read: use larger paper or fewer cells\.$"):
        book_of(p, BookOptions(count=1, per_page=1), (105.0, 148.0), SILENT)


def test_a_book_cannot_grow_easier() -> None:
    with pytest.raises(ParameterError, match=r"^The difficulty cannot fall from hard to easy\.$"):
        BookOptions(easiest="hard", hardest="easy")
    assert BookOptions(easiest="tricky", hardest="tricky").levels == ["tricky"]


def test_difficulties_are_as_many_of_each_or_the_ends() -> None:
    assert BookOptions(count=5).wanted() == ["easy", "easy", "normal", "tricky", "hard"]
    assert BookOptions(count=3).wanted() == ["easy", "normal", "hard"]
    assert BookOptions(count=1, easiest="normal").wanted() == ["normal"]


def test_papers_are_those_that_files_are_written_for() -> None:
    assert set(PAPERS) <= set(EVERY_PAPER)


def test_making_a_book_can_be_stopped_and_tells_how_far_it_is() -> None:
    told: list[tuple[float, str]] = []
    puzzles_of(SMALL, BookOptions(count=3), Progress(lambda share, note: told.append((share, note))))
    assert "Puzzle 3 of 3" in {note for _, note in told} and all(0 <= share <= 1 for share, _ in told)
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        puzzles_of(SMALL, BookOptions(count=3), stopped)


def test_where_to_begin_shows_what_every_longer_loop_has() -> None:
    p = SlitherlinkParameters(columns=3, rows=3)
    numbers = {frozenset(pair): one for one, pair in enumerate(p.net.ends)}
    for clues, lines, crosses, _ in HINTS:
        on, off = ({numbers[frozenset(pair)] for pair in pairs} for pairs in (lines, crosses))
        found, count = solutions(p.net, clues, SILENT, most=10_000)
        # The loop around two 3s side by side is all there is of it: no puzzle has it.
        longer = [{*line} for line in found if len(line) > 6]
        assert count.complete and longer and all(on <= line and not off & line for line in longer)
