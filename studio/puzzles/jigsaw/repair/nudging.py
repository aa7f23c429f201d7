"""Nudge figures: new ones to a spot without problems, others if no change of the cuts around them helps."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import product

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.checks.finding import Finding, Severity, errors_of
from studio.puzzles.jigsaw.checks import problems
from studio.puzzles.jigsaw.figures.posing import whimsy_named, with_figures_at, with_figures_posed
from studio.puzzles.jigsaw.figures.whimsies import Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.repair.search import Board, searched
from studio.puzzles.kind import Generated

NUDGES = (0.04, 0.08, 0.16, 0.3)
"""Distances by which a figure is moved, in cells."""
SPOTS = (0.08, 0.2)
"""Distances for new figures, and for several that move together, in cells."""
WAYS = 8
"""Number of directions in which it is moved."""
NEAR = 0.5
"""Distance in cells from a figure within which it may be the cause of a problem."""
MOST_IN_VAIN = 2
"""Number of figures in a row moved in vain after which warnings are given up."""
OWN = (problems.FIGURE_THIN, problems.FIGURE_NOTCH, problems.FIGURE_TONGUES)
"""Problems of a figure's form, independent of its place."""
SEARCHED = 3
"""Number of best places of a figure at which the cuts around it are changed, too."""


def settled(design: JigsawDesign, figures: Sequence[Whimsy], progress: Progress) -> Generated[JigsawDesign]:
    """Add figures, moved together to the nearest spot where they cause no problem, or to the spot with the fewest.

    `design` is the design without them. Raise StudioError if they cannot be cut at their poses.
    """
    best = with_figures_at(design, figures, progress.part(0.0, 0.2))
    board = Board.from_design(best.design, SILENT)
    if not board.needs:
        return best
    known = {_key(finding) for finding, _, _ in Board.from_design(design, SILENT).needs}
    least, cell = _new_cost(board, known), float(board.shapes.tiling.scale.min())
    for at, (share, way) in enumerate(product(SPOTS, range(WAYS))):
        if not least:
            break
        progress.step(0.2 + 0.8 * at / (len(SPOTS) * WAYS))
        right, down = _step(share * cell, way)
        try:
            made = with_figures_at(design, [one.posed(**_moved(one, right, down)) for one in figures], SILENT)
        except StudioError:
            continue
        cost = _new_cost(Board.from_design(made.design, SILENT), known)
        if cost < least:
            best, least = made, cost
    return best


def new_problems(before: JigsawDesign, after: JigsawDesign) -> int:
    """Count the problems that additional figures cause."""
    known = {_key(finding) for finding, _, _ in Board.from_design(before, SILENT).needs}
    return sum(_key(finding) not in known for finding, _, _ in Board.from_design(after, SILENT).needs)


def _new_cost(board: Board, known: Collection[tuple[str, float, float]]) -> float:
    """Weight of all problems, except known problems and problems of a figure's form."""
    new = ((finding.problem, weight) for finding, weight, _ in board.needs if _key(finding) not in known)
    return sum(weight for problem, weight in new if problem not in OWN)


def _key(finding: Finding) -> tuple[str, float, float]:
    """Key of a problem: its kind and place to 0.1 mm, unchanged by figures added elsewhere."""
    return finding.kind, round(finding.place[0], 1), round(finding.place[1], 1)


def _step(away: float, way: int) -> tuple[float, float]:
    """Step in mm, rounded so that letters that share it stay in line."""
    return round(away * math.cos(math.tau * way / WAYS), 2), round(away * math.sin(math.tau * way / WAYS), 2)


def _moved(one: Whimsy, right: float, down: float) -> dict[str, float]:
    return {"x": one.pose.x + right, "y": one.pose.y + down}


def with_figures_nudged(board: Board, progress: Progress) -> Board:
    """Move figures with problems beside them to places with the fewest, changing the cuts around them.

    Figures near each other, such as the letters of a name, move together if that is enough.
    """
    names, in_vain = _concerned(board), 0
    for at, name in enumerate(names):
        if in_vain >= MOST_IN_VAIN and not errors_of(board.checked.findings):
            break
        cost = board.cost
        part = progress.part(at / len(names), (at + 1) / len(names))
        group = _group(board, name)
        if len(group) > 1 and name in _concerned(board):
            board = min([board, _nudged(board, group, SPOTS, part.part(0.0, 0.4))], key=_rank)
        if name in _concerned(board):
            board = min([board, _nudged(board, [name], NUDGES, part.part(0.4, 1.0))], key=_rank)
        in_vain = in_vain + 1 if board.cost == cost else 0
    return board


def nudged(design: JigsawDesign, progress: Progress) -> JigsawDesign:
    """Move figures beside errors a little to reduce the errors. Raise StudioError if that does not help."""
    before = Board.from_design(design, progress.part(0.0, 0.2))
    after = with_figures_nudged(before, progress.part(0.2, 1.0))
    if _rank(after)[0] >= _rank(before)[0]:
        raise StudioError(tr("No place nearby has room for the figure. Move it, or use Fix all… instead."))
    return after.design


def _rank(board: Board) -> tuple[int, float]:
    return len(errors_of(board.checked.findings)), board.cost


def _concerned(board: Board) -> list[str]:
    """Names of the figures with problems beside them, or errors in cuts that end on them."""
    import shapely

    tiling = board.shapes.tiling
    places = shapely.multipoints(np.array([each.place for each, _, _ in board.needs]).reshape(-1, 2))
    near = NEAR * float(tiling.scale.min())
    wrong = {cut for each, _, cuts in board.needs if each.severity is Severity.ERROR for cut in cuts}
    ends = tiling.graph.edges[sorted(wrong)]
    met = {one.name for one in tiling.fillings if np.isin(ends, tiling.graph.edges[one.codes >> 1]).any()}
    return [
        one.name
        for one in board.design.whimsies
        if one.name in met or shapely.dwithin(shapely.polygons(one.on_board()[0][::3]), places, near)
    ]


def _group(board: Board, name: str) -> list[str]:
    """Names of a figure and of all figures in a chain of near figures with it."""
    import shapely

    names = [one.name for one in board.design.whimsies]
    areas = shapely.polygons([shapely.linearrings(one.on_board()[0][::3]) for one in board.design.whimsies])
    near = NEAR * float(board.shapes.tiling.scale.min())
    found, left = [name], [name]
    while left:
        beside = shapely.dwithin(areas[names.index(left.pop())], areas, near)
        fresh = [each for each, is_near in zip(names, beside.tolist(), strict=True) if is_near and each not in found]
        found += fresh
        left += fresh
    return found


def _nudged(board: Board, names: Sequence[str], shares: Sequence[float], progress: Progress) -> Board:
    """Find the best board with figures moved together: the nearest without problems beside them, or a repaired one."""
    trials: list[Board] = []
    for at, share in enumerate(shares):
        trials += _around(board, names, share, progress.part(0.7 * at / len(shares), 0.7 * (at + 1) / len(shares)))
        best = min(trials, key=_rank, default=board)
        if _rank(best) < _rank(board) and not {*names} & {*_concerned(best)}:
            return best
    if not errors_of(board.checked.findings):
        return min([board, *trials], key=_rank)
    found = [board]
    for at, trial in enumerate(sorted(trials, key=_rank)[:SEARCHED]):
        found.append(searched(trial, progress.part(0.7 + 0.3 * at / SEARCHED, 0.7 + 0.3 * (at + 1) / SEARCHED)))
        if not {*names} & {*_concerned(found[-1])}:
            break
    return min(found, key=_rank)


def _around(board: Board, names: Sequence[str], share: float, progress: Progress) -> list[Board]:
    """Boards with figures moved in all directions by a fraction of a cell."""
    away, boards = share * float(board.shapes.tiling.scale.min()), []
    figures = [whimsy_named(board.design, name) for name in names]
    for way in range(WAYS):
        progress.step(way / WAYS, tr("Moving figure {figure}", figure=names[0]))
        poses = {one.name: one.posed(**_moved(one, *_step(away, way))).pose for one in figures}
        try:
            design = with_figures_posed(board.design, poses, SILENT, is_exact=True).design
        except StudioError:
            continue
        boards.append(Board.from_design(design, SILENT))
    return boards
