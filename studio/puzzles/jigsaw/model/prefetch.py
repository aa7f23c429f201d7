"""Boards divided around their figures in another process than the one that shows them: what takes longest there."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import attrgetter

from studio.base.errors import StudioError
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.divided_boards import Near, Patch, windows_around
from studio.puzzles.jigsaw.model.tiling import Board

Windows = list[tuple[Near, Patch | None]]
"""Windows around figures, as they are divided."""


@dataclass(frozen=True)
class Ahead:
    """A board whose figures are where they are to be, and the names of those that were moved."""

    board: Board
    names: tuple[str, ...]

    @staticmethod
    def of(design: JigsawDesign, poses: Mapping[str, Pose]) -> Ahead:
        """The board of a design whose figures have other poses, without all that makes no difference to its tiling."""
        posed = [replace(one, pose=poses.get(one.name, one.pose)) for one in design.whimsies]
        whimsies = tuple(sorted(posed, key=attrgetter("name")))
        return Ahead(Board.of(replace(design, whimsies=whimsies)), tuple(poses))


def windows_ahead(ahead: Ahead) -> Windows:
    """The windows around those figures; none where they fit nowhere, which who shows the board finds out, too."""
    windows: Windows = []
    # Which pieces are merged is only known on the board without merged ones.
    for merged in sorted({ahead.board.merged, ()}):
        with suppress(StudioError):
            windows += windows_around(replace(ahead.board, merged=merged), ahead.names)
    return windows
