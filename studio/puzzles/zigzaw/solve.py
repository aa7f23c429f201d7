"""How many ways there are to place the pieces of a zigzaw."""

from __future__ import annotations

from collections.abc import Sequence

from studio.base.progress import Progress
from studio.puzzles.zigzaw.board import matching
from studio.puzzles.zigzaw.model import ZigzawDesign
from studio.solving.edges import proven
from studio.solving.solved import Count

MOST_NODES = 1_000_000
"""Pieces placed before a count ends with `at least`; that takes half a minute."""


def count(design: ZigzawDesign, _target: Sequence[str], progress: Progress, *, most: int | None = None) -> Count:
    """The number of solutions; swapping identical pieces makes no other one. The design itself is one."""
    return proven(matching(design), progress, most=most, nodes=MOST_NODES).count.of_solved
