"""The page of a slitherlink has its dots and clues, and the page after its loop, as large as the paper allows."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader

from studio.base.progress import SILENT
from studio.exporting.writing import write_leaflet
from studio.geometry.board.grids import GRIDS, Layout
from studio.paper.leaflet import Leaflet, Line, MarkGroup, Words
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.geometry import shape
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.slitherlink.paper import FAINT, INK, how, pages

MARGIN = 16.0

A4 = (210.0, 297.0)


def laid_out(design: SlitherlinkDesign, name: str = "brook", size: tuple[float, float] = A4) -> Leaflet:
    return pages(shape(design, None, SILENT), name, size, SILENT)


def group(leaflet: Leaflet, page: int, name: str) -> MarkGroup:
    return next(each for each in leaflet.pages[page].groups if each.name == name)


def loops_in(marks: MarkGroup) -> list[Line]:
    return [mark for mark in marks.marks if isinstance(mark, Line) and mark.closed]


@pytest.mark.parametrize("form", GRIDS)
def test_a_puzzle_has_its_dots_and_clues_and_the_solution_its_loop(form: str) -> None:
    design = generate(SlitherlinkParameters(grid=form, columns=7, rows=6), SILENT)
    leaflet = laid_out(design)
    puzzle, solution = group(leaflet, 0, "puzzle"), group(leaflet, 1, "solution")
    p = design.parameters
    for marks in (puzzle, solution):
        assert [int(mark.text) for mark in marks.marks if isinstance(mark, Words)] == list(design.clues.values())
        dots = [mark for mark in marks.marks if isinstance(mark, Line) and not mark.closed and mark.colour == INK]
        assert len(dots) == len(p.form.points)
        edges = [mark for mark in marks.marks if isinstance(mark, Line) and mark.colour == FAINT]
        assert len(edges) == (0 if form == "square" else len(p.form.edges)), "dots alone show only squares"
    assert loops_in(puzzle) == []
    (loop,) = loops_in(solution)
    lengths = np.hypot(*(np.roll(loop.points, -1, axis=0) - loop.points).T)
    assert len(lengths) == len(design.line) and (np.ptp(lengths) < 1e-9) == p.layout.is_regular
    places = np.array(
        [line.points.mean(axis=0) for line in puzzle.marks if isinstance(line, Line) and line.colour == INK]
    )
    middles = (loop.points + np.roll(loop.points, -1, axis=0)) / 2
    ends = places[np.array(p.net.ends)].mean(axis=1)
    nearest = ((middles[:, None] - ends) ** 2).sum(axis=2).argmin(axis=1)
    assert sorted(nearest.tolist()) == list(design.line)


@pytest.mark.parametrize(
    ("columns", "rows", "is_across"), [(10, 10, False), (60, 60, False), (40, 5, True), (3, 60, False)]
)
def test_a_puzzle_is_within_the_margins_and_wide_ones_turn_the_page(columns: int, rows: int, is_across: bool) -> None:
    p = SlitherlinkParameters(columns=columns, rows=rows, loop="folded", ratio=0.2)
    inside = ("#" + "." * (columns - 1),) + ("." * columns,) * (rows - 1)
    design = SlitherlinkDesign(p, inside, ("#" * columns,) * rows)
    leaflet = laid_out(design)
    for page, name in zip(leaflet.pages, ("puzzle", "solution"), strict=True):
        assert (page.width, page.height) == (A4[::-1] if is_across else A4)
        marks = next(each for each in page.groups if each.name == name).marks
        points = np.concatenate([mark.points for mark in marks if isinstance(mark, Line)])
        assert points.min() > MARGIN - 1 and points[:, 0].max() < page.width - MARGIN + 1
        assert points[:, 1].max() < page.height - MARGIN + 1


def test_what_is_written_reads_back_with_the_name_the_rule_and_the_clues(tmp_path: Path) -> None:
    design = generate(SlitherlinkParameters(grid="triangle"), SILENT)
    (report,) = write_leaflet(laid_out(design, "Ötztal & more"), tmp_path / "a.pdf")
    assert report.pages == 2
    one, other = (page.extract_text() for page in PdfReader(tmp_path / "a.pdf").pages)
    assert "Ötztal & more" in one and "Normal" in one
    assert " ".join(one.split()).startswith("Ötztal & more Normal " + how(Layout("triangle", 9, 9)))
    assert "Ötztal & more: solution" in other and "Draw" not in other
    clues = "".join(map(str, design.clues.values()))
    assert "".join(one.split()).endswith(clues) and "".join(other.split()).endswith(clues)
    reports = write_leaflet(laid_out(design), tmp_path / "a.svg")
    assert [report.path.name for report in reports] == ["a-1.svg", "a-2.svg"]


def test_a_long_name_leaves_room_for_the_grade() -> None:
    design = generate(SlitherlinkParameters(), SILENT)
    title, grade, *_ = group(laid_out(design, "brook " * 40), 0, "title").marks
    assert isinstance(title, Words) and title.text.endswith("…") and isinstance(grade, Words) and grade.text == "Normal"


def test_a_solution_that_is_not_the_only_one_says_so() -> None:
    design = generate(SlitherlinkParameters(columns=4, rows=4), SILENT)
    many = dataclasses.replace(design, given=("#...", "....", "....", "...."))
    for one, is_said in ((design, False), (many, True)):
        texts = [
            [mark.text for mark in page.groups[0].marks if isinstance(mark, Words)] for page in laid_out(one).pages
        ]
        assert (
            "This is not the only solution." in texts[1]
        ) == is_said and "This is not the only solution." not in texts[0]
