"""A slitherlink on paper: dots and clues as large as a page allows, and its loop on the page after."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.board.board_spec import BRICKS
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE, Layout
from studio.geometry.curves.strokes import Floats
from studio.paper.leaflet import (
    Anchor,
    Leaflet,
    Line,
    Mark,
    MarkGroup,
    Page,
    Words,
    capitals,
    centred,
    shortened,
    width_of,
    wrapped,
)
from studio.puzzles.slitherlink.generate import proof
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.slitherlink.steps import work
from studio.solving.loops import Net

INK, QUIET, FAINT = "#1D1F24", "#6B6F78", "#B9BDC6"
MARGIN = 16.0
HEADING, TEXT = 6.4, 3.8
"""The sizes of letters in mm."""
LEADING = 1.5
"""Distance of lines of words, as a share of their size."""
LARGEST = 11.0
"""The radius in mm of the circle in a cell at most."""
DOT, THINNEST_DOT = 0.1, 0.16
"""The radius of a dot as a share of that of the circle in a cell, and in mm at least."""
LINE = 0.22
"""The width of a line as a share of the same."""
FAINT_LINE = 0.05
"""The width of the line along an edge of cells other than squares, as a share of the same."""
SPECK = 0.02
"""Length in mm of the line whose round ends make a dot."""
CROSS, CROSS_LINE = 0.2, 0.07
"""Reach of a cross from the middle of an edge, and width of its lines, as shares of the same."""
TALL, TALL_IN_TRIANGLE = 0.95, 1.15
"""Height of a clue, as a share of the radius of the circle in its cell; the second in regular triangles."""
ABOVE = 0.3
"""The share of a page's spare height that goes above the puzzle."""
ACROSS = 1.15
"""Least gain in size for which a page is turned."""
_COUNTS = {SQUARE: tr("four"), HEXAGON: tr("six"), TRIANGLE: tr("three"), BRICKS: tr("six")}


def how(layout: Layout | None) -> str:
    """The rules, in words that fit the cells of a layout; in general words without one."""
    rule = tr("Connect dots to form a single closed loop that never crosses or touches itself.")
    clue = (
        tr("Each number says how many of the {sides} sides of its cell belong to the loop.", sides=_COUNTS[layout.form])
        if layout is not None and layout.is_regular
        else tr("Each number says how many sides of its cell belong to the loop.")
    )
    return f"{rule} {clue}"


def pages(shapes: SlitherlinkShapes, name: str, size: tuple[float, float], progress: Progress) -> Leaflet:
    """A slitherlink called `name` and its solution on paper of a width and a height in mm."""
    progress.step(0.0, tr("Laying out the puzzle"))
    design = shapes.design
    upright, across = (_room(paper, design.parameters.layout) for paper in (size, size[::-1]))
    if _edge(design.parameters, across) > ACROSS * _edge(design.parameters, upright):
        size = size[::-1]
    done = work(design.parameters.net, design.clues, progress=progress.part(0.0, 0.5))
    grade = done.title if done.is_solved else ""
    count, remark = proof(design, progress.part(0.5, 1.0)), ""
    if count.solutions > 1:
        remark = tr("This is not the only solution.")
    elif not count.complete:
        remark = tr("This is not proven to be the only solution.")
    words = how(design.parameters.layout)
    return Leaflet(
        name,
        (
            _page(design, (name, grade, words), size, is_solved=False),
            _page(design, (tr("{name}: solution", name=name), grade, remark), size, is_solved=True),
        ),
    )


def _room(size: tuple[float, float], layout: Layout) -> tuple[float, float]:
    """The width and height in mm that a page of its own leaves a puzzle."""
    width = size[0] - 2 * MARGIN
    head = HEADING + LEADING * TEXT * (len(wrapped(how(layout), TEXT, width)) + 1.5)
    return width, size[1] - 2 * MARGIN - head


def _page(
    design: SlitherlinkDesign, texts: tuple[str, str, str], size: tuple[float, float], *, is_solved: bool
) -> Page:
    """A page with a title, a grade, a few words and the board."""
    title, grade, text = texts
    p = design.parameters
    room = _room(size, p.layout)
    edge = _edge(p, room)
    wide, tall = p.form.size
    top = size[1] - MARGIN - room[1] + ABOVE * (room[1] - edge * tall)
    foot = MARGIN + capitals(HEADING)
    left = room[0] - width_of(grade, HEADING) - HEADING
    words = [Words(shortened(title, HEADING, left, bold=True), (MARGIN, foot), HEADING, INK, bold=True)]
    if grade:
        words.append(Words(grade, (size[0] - MARGIN, foot), HEADING, QUIET, Anchor.END))
    if text:
        lines = wrapped(text, TEXT, room[0])
        words += [Words(line, (MARGIN, foot + LEADING * TEXT * (at + 1.3)), TEXT, QUIET)
                  for at, line in enumerate(lines)]  # fmt: skip
    place = ((size[0] - edge * wide) / 2, top)
    board = board_of(design, place, edge, is_solved=is_solved)
    return Page(*size, (MarkGroup("title", tuple(words)), MarkGroup("solution" if is_solved else "puzzle", board)))


# Boards


def _edge(p: SlitherlinkParameters, room: tuple[float, float]) -> float:
    """The length in mm of a cell's edge with all cells as large as a room allows, within reason."""
    wide, tall = p.form.size
    return min(room[0] / wide, room[1] / tall, LARGEST / p.form.circle)


def letters_of(p: SlitherlinkParameters, edge: float) -> Floats:
    """The size in mm of the clue of every cell (f,), with an edge in mm; the same in all but small cells."""
    share = TALL_IN_TRIANGLE if p.grid == TRIANGLE and p.layout.is_regular else TALL
    return np.asarray(share * np.minimum(p.form.circles, p.form.circle) * edge / capitals(1.0))


def board_of(
    design: SlitherlinkDesign, place: tuple[float, float], edge: float, *, is_solved: bool
) -> tuple[Mark, ...]:
    """A puzzle whose upper left is at a place, cells with an edge in mm, perhaps with its loop."""
    return figure(design.parameters, design.clues, place, edge, loop=design.line if is_solved else ())


def figure(
    p: SlitherlinkParameters,
    clues: Mapping[int, int],
    place: tuple[float, float],
    edge: float,
    *,
    loop: Collection[int] = (),
    lines: Collection[int] = (),
    crosses: Collection[int] = (),
) -> tuple[Mark, ...]:
    """Dots and clues, with a loop around, single lines and crosses on edges; cells have an edge in mm."""
    dots, middles = (points + np.array(place) for points in (p.form.corners(edge), p.form.middles(edge)))
    inner = edge * p.form.circle
    marks: list[Mark] = []
    speck, thick = np.array([(-SPECK / 2, 0.0), (SPECK / 2, 0.0)]), 2 * max(DOT * inner, THINNEST_DOT)
    if p.layout.needs_lines:
        marks += [Line(dots[ends], FAINT, FAINT_LINE * inner) for ends in p.form.edges]
    marks += [Line(dot + speck, INK, thick) for dot in dots]
    sizes = letters_of(p, edge).tolist()
    colour = QUIET if loop else INK
    marks += [centred(str(count), middles[cell], sizes[cell], colour) for cell, count in clues.items()]
    marks += [Line(dots[ring], INK, LINE * inner, closed=True) for ring in _rings(p.net, loop)]
    marks += [Line(dots[list(p.net.ends[one])], INK, LINE * inner) for one in lines]
    for one in crosses:
        middle, arm = dots[list(p.net.ends[one])].mean(axis=0), CROSS * inner
        for way in ((1.0, 1.0), (1.0, -1.0)):
            marks.append(Line(np.array([middle - arm * np.array(way), middle + arm * np.array(way)]), QUIET,
                              CROSS_LINE * inner))  # fmt: skip
    return tuple(marks)


def loop_alone(design: SlitherlinkDesign, place: tuple[float, float], edge: float) -> tuple[Mark, ...]:
    """The loop of a puzzle as an ornament."""
    p = design.parameters
    dots = p.form.corners(edge) + np.array(place)
    return tuple(Line(dots[ring], INK, LINE * edge * p.form.circle, closed=True) for ring in _rings(p.net, design.line))


def _rings(net: Net, line: Collection[int]) -> list[list[int]]:
    """The dots of closed loops in turn."""
    return [
        [next(dot for dot in net.ends[one] if dot in net.ends[other]) for one, other in pairwise([*loop, loop[0]])]
        for loop in net.loops(line)
    ]
