"""Figures moved a little, where no change of the cuts around them leaves a board without errors."""

from __future__ import annotations

import math
from dataclasses import replace

from studio.checks.finding import errors_of
from studio.errors import StudioError
from studio.progress import SILENT, Progress
from studio.puzzles.jigsaw.posing import whimsy_named, with_figures_posed
from studio.puzzles.jigsaw.search import Board, searched
from studio.texts import tr

NUDGES = (0.04, 0.08, 0.16, 0.3)
"""How far a figure is moved, in cells."""
WAYS = 8
"""In how many directions it is moved."""
NEAR = 0.5
"""Errors nearer to a figure than this, in cells, may be due to it."""
SEARCHED = 3
"""For how many places of a figure the cuts around it are changed, too."""


def with_figures_nudged(board: Board, progress: Progress) -> Board:
    """The board with figures that have errors beside them where there are fewest, and the cuts around them changed."""
    names = _concerned(board)
    for at, name in enumerate(names):
        best = _nudged(board, name, progress.part(at / len(names), (at + 1) / len(names)))
        board = min([board, best], key=_rank)
        if not _errors(board):
            break
    return board


def _errors(board: Board) -> int:
    return len(errors_of(board.checked.findings))


def _rank(board: Board) -> tuple[int, float]:
    return _errors(board), board.cost


def _concerned(board: Board) -> list[str]:
    """The names of the figures that have errors beside them."""
    import shapely

    places = shapely.multipoints([each.place for each in errors_of(board.checked.findings)])
    near = NEAR * float(board.shapes.tiling.scale.min())
    return [
        one.name
        for one in board.design.whimsies
        if shapely.dwithin(shapely.polygons(one.on_board()[0][::3]), places, near)
    ]


def _nudged(board: Board, name: str, progress: Progress) -> Board:
    """The best board with one figure elsewhere: the nearest without errors, or one whose cuts could be repaired."""
    trials = []
    for at, share in enumerate(NUDGES):
        trials += _around(board, name, share, progress.part(0.7 * at / len(NUDGES), 0.7 * (at + 1) / len(NUDGES)))
        best = min(trials, key=_rank, default=board)
        if not _errors(best):
            return best
    found = [board]
    for at, trial in enumerate(sorted(trials, key=_rank)[:SEARCHED]):
        found.append(searched(trial, progress.part(0.7 + 0.3 * at / SEARCHED, 0.7 + 0.3 * (at + 1) / SEARCHED)))
        if not _errors(found[-1]):
            break
    return min(found, key=_rank)


def _around(board: Board, name: str, share: float, progress: Progress) -> list[Board]:
    """Boards with one figure in all directions from where it is, as far as a share of a cell."""
    pose, away = whimsy_named(board.design, name).pose, share * float(board.shapes.tiling.scale.min())
    boards = []
    for way in range(WAYS):
        progress.step(way / WAYS, tr("Moving figure {figure}", figure=name))
        right, down = away * math.cos(math.tau * way / WAYS), away * math.sin(math.tau * way / WAYS)
        moved = replace(pose, x=round(pose.x + right, 2), y=round(pose.y + down, 2))
        try:
            design = with_figures_posed(board.design, {name: moved}, SILENT, is_exact=True).design
        except StudioError:
            continue
        boards.append(Board.of(design, SILENT))
    return boards
