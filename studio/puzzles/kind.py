"""What a kind of puzzle is: a table of pure functions from which window, command line and files follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from studio.checks.finding import Checked
from studio.geometry.shapes import Shapes
from studio.progress import Progress
from studio.solving.solved import Solved

if TYPE_CHECKING:
    from studio.geometry.solid import Solid

P = TypeVar("P")
D = TypeVar("D")
D_contra = TypeVar("D_contra", contravariant=True)


class Solve(Protocol[D_contra]):
    """Counts the solutions of a design; symmetric ones count once."""

    def __call__(self, design: D_contra, progress: Progress, *, most: int | None = None) -> Solved:
        """What is known of the solutions; of more than `most`, only that there are so many."""


@dataclass(frozen=True)
class PuzzleKind(Generic[P, D]):
    """A kind of puzzle, as a table of pure functions.

    A design is a frozen dataclass with a field `parameters` and, beside it, the hand edits. `generate` takes the
    previous design so that hand edits survive. `shape` and `check` may take their answer for a similar design, of
    which they keep all that did not change: this is what makes a drag cheap.
    """

    key: str
    title: str
    summary: str
    parameters: type[P]
    design: type[D]
    generate: Callable[[P, D | None, Progress], D]
    shape: Callable[[D, Shapes | None, Progress], Shapes]
    check: Callable[[D, Shapes, Checked | None, Progress], Checked]
    verify: Callable[[D], None]
    """Raises StudioError for a design, read from a file, whose edits name no element."""
    example: Callable[[], D]
    solve: Solve[D] | None = None
    """None for a kind of puzzle whose solution is its design."""
    joints: Callable[[D, Sequence[float]], tuple[Solid, ...]] | None = None
    """Blocks that try the design's joints at several gaps in mm, a pair for each; None for what is not printed."""


AnyKind = PuzzleKind[Any, Any]
