"""What a kind of puzzle is: a table of pure functions from which window, command line and files follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from studio.checks.finding import Checked, Problem
from studio.geometry.joint import Joint
from studio.geometry.leaflet import Leaflet
from studio.geometry.shapes import Shapes
from studio.progress import Progress
from studio.solving.solved import Solved, Tally

if TYPE_CHECKING:
    from studio.geometry.solid import Solid

P = TypeVar("P")
D = TypeVar("D")
D_contra = TypeVar("D_contra", contravariant=True)


class Solve(Protocol[D_contra]):
    """Counts the solutions of a design; symmetric ones count once."""

    def __call__(self, design: D_contra, progress: Progress, *, most: int | None = None) -> Solved:
        """What is known of the solutions; of more than `most`, only that there are so many."""


class LayOut(Protocol[D_contra]):
    """Lays out the paper that goes with a design."""

    def __call__(
        self, design: D_contra, shapes: Shapes, name: str, size: tuple[float, float], progress: Progress
    ) -> Leaflet:
        """The leaflet of a design called `name`, on paper of a width and a height in mm."""


@dataclass(frozen=True)
class Enclosed(Generic[D_contra]):
    """The paper that goes into the box with a puzzle: what it is called, and how it is laid out."""

    title: str
    lay_out: LayOut[D_contra]


class Graded(Protocol):
    """How hard a design is beside others like it."""

    @property
    def design(self) -> Any:
        """The design that it speaks of."""

    @property
    def effort(self) -> int:
        """The steps that the search for all its solutions takes."""

    @property
    def efforts(self) -> tuple[int, ...]:
        """The efforts of the others, sorted."""

    @property
    def share(self) -> float:
        """The share (0 to 1) of the others that are easier."""

    @property
    def alike(self) -> float:
        """The share (0 to 1) of the others that are neither easier nor harder."""

    @property
    def level(self) -> str:
        """About how hard it is, in few words."""

    @property
    def words(self) -> str:
        """What the numbers mean, in a sentence."""

    @property
    def lost(self) -> str:
        """What was done by hand to the design that it comes from and is not in it, in words; else empty."""


@dataclass(frozen=True)
class Grades(Generic[D]):
    """Tells how hard a design is, and finds a harder or an easier one; all raise StudioError where that cannot be.

    `at_share` finds one than which about a share (0 to 1) of the others is easier.
    """

    graded: Callable[[D, Progress], Graded]
    harder: Callable[[D, Progress], Graded]
    easier: Callable[[D, Progress], Graded]
    at_share: Callable[[D, float, Progress], Graded]


class SolveOpen(Protocol[D_contra]):
    """Counts the solutions of a design that leave just some cells, by their names, open."""

    def __call__(
        self, design: D_contra, open_cells: Sequence[str], progress: Progress, *, most: int | None = None
    ) -> Solved:
        """As `Solve`, for these cells."""


@dataclass(frozen=True)
class Dates(Generic[D]):
    """What a kind offers whose designs are another puzzle for every date, or whatever its labels name.

    `date` and `labels` tell which cells stay open by the words for a date (`10-06`) or for labels (`Jan,6`), and raise
    StudioError for words that name nothing; no words at all do so where there is something to choose.
    """

    date: Callable[[D, str], Sequence[str]]
    labels: Callable[[D, str], Sequence[str]]
    solve: SolveOpen[D]
    year: Callable[[D, Progress], Tally]


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
    problems: tuple[Problem, ...] = ()
    """All that its check can find."""
    solve: Solve[D] | None = None
    """None for a kind of puzzle whose solution is its design, or which has `dates`."""
    dates: Dates[D] | None = None
    """None for a kind of puzzle that is one puzzle and not one for every date."""
    leaflet: Enclosed[D] | None = None
    """None for a kind of puzzle that needs no paper."""
    grades: Grades[D] | None = None
    """None for a kind of puzzle whose designs are not compared."""
    joints: Callable[[D, Sequence[float], Progress], tuple[Solid, ...]] | None = None
    """Blocks that try the design's joints at several gaps in mm, a pair for each; None for what is not printed."""
    joint: Callable[[Shapes], Joint] | None = None
    """The joint that a laser's coupon tries, StudioError where the design has none; None for what is not cut."""
    checks_live: bool = True
    """Whether the check of a small change fits in a frame; where it does not, it is only made in the background."""


AnyKind = PuzzleKind[Any, Any]
