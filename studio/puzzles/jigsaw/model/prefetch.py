"""Division of boards around their figures in another process, because it is the slowest step of showing them."""

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
"""Windows around figures, and their divisions."""


@dataclass(frozen=True)
class Ahead:
    """A board with its figures at their future poses, and the names of the moved figures."""

    board: Board
    names: tuple[str, ...]

    @staticmethod
    def from_design(design: JigsawDesign, poses: Mapping[str, Pose]) -> Ahead:
        """Move figures of a design to new poses, and keep only what its tiling depends on."""
        posed = [replace(one, pose=poses.get(one.name, one.pose)) for one in design.whimsies]
        whimsies = tuple(sorted(posed, key=attrgetter("name")))
        return Ahead(Board.from_design(replace(design, whimsies=whimsies)), tuple(poses))


def windows_ahead(ahead: Ahead) -> Windows:
    """Divide the windows around the moved figures; figures that do not fit are skipped, and reported when shown."""
    windows: Windows = []
    # The names of merged cuts are resolved on the board without merged pieces, so that board is needed, too.
    for merged in sorted({ahead.board.merged, ()}):
        with suppress(StudioError):
            windows += windows_around(replace(ahead.board, merged=merged), ahead.names)
    return windows
