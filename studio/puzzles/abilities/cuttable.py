"""The ability to be cut from a sheet, by a laser or a plotter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from studio.base.amounts import many, thousands
from studio.base.parameters import ParameterError
from studio.base.texts import tr
from studio.checks.finding import Finding, Problem, Repair, Severity
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.abilities.ability import Ability

if TYPE_CHECKING:
    from studio.geometry.planar.drawing import Joint
    from studio.geometry.planar.trays import Tray

S = TypeVar("S")
TOLERANCE = 0.1
"""Tolerance in mm between the thickness of a sheet and the thickness that a design needs."""
THICKNESS = Problem("thickness", Severity.ERROR, "The sheet thickness does not match the design",
    "This {puzzle} needs a {needed:g} mm sheet ({setting}); {material} is {thickness:g} mm thick.",
    "Choose another material, or let the fix change the design")  # fmt: skip
MOST_MOVED = 300
"""Most moved strokes at which a check can follow a drag; more would not fit in a frame."""


@dataclass(frozen=True)
class Thickness:
    """Thickness in mm that a design needs, and the parameter that sets it: its name in files and in sentences.

    `changed` changes a design to another thickness, or raises ParameterError if that is impossible.
    """

    needed: float
    parameter: str
    name: str
    changed: Callable[[Any, float], Any]

    def fits(self, thickness: float) -> bool:
        """True if a sheet of a thickness in mm fits."""
        return abs(thickness - self.needed) <= TOLERANCE + 1e-9

    def problem(self, design: Any, puzzle: str, material: str, thickness: float) -> Finding | None:
        """Report a material, by title and thickness, that does not fit a design, with a repair; None if it fits."""
        if self.fits(thickness):
            return None
        return THICKNESS.finding(
            (0.0, 0.0),
            repair=self._repair(design, thickness),
            puzzle=puzzle,
            needed=self.needed,
            setting=self.name,
            material=material,
            thickness=thickness,
        )

    def _repair(self, design: Any, thickness: float) -> Repair | None:
        try:
            self.changed(design, thickness)
        except ParameterError:
            return None
        title = tr("Set {setting} to {thickness:g} mm", setting=self.name, thickness=thickness)
        return Repair.at_once(title, lambda now: self.changed(now, thickness))


def _any_thickness(_shapes: object) -> None:
    """Accept a sheet of any thickness."""


def _no_tray(_shapes: object) -> None:
    """Add no tray."""


def _indivisible(_design: object) -> None:
    """Offer no division of a part."""


def _nothing(_shapes: object) -> tuple[str, ...]:
    return ()


def _unasked(_shapes: object) -> int:
    return 0


def _is_cut(_shapes: object, _on_sheet: bool) -> str:
    return ""


@dataclass(frozen=True)
class Cuttable(Ability, Generic[S]):
    """Makes the drawing that is cut."""

    lacking: ClassVar[str] = tr("There is nothing to cut for {key} puzzles.")

    drawing: Callable[[S], Drawing]
    joint: Callable[[S], Joint]
    """Joint that a fit coupon tests; raises StudioError if the design has no joint."""
    has_edges: bool = True
    """True if its cuts follow straight edges, which a draft shows beside them."""
    thickness: Callable[[S], Thickness | None] = _any_thickness
    """Thickness that the design needs, for a kind whose geometry depends on it."""
    left_out: Callable[[S], tuple[str, ...]] = _nothing
    """Sentences about parts of the design that cannot be cut from a sheet."""
    pieces: Callable[[S], int] | None = None
    """Number of cut parts that are pieces of the puzzle; None if all are."""
    asked: Callable[[S], int] = _unasked
    """Number of pieces that the maker asked for, for a kind that may only come near to it; 0 if none was given."""
    uncut: Callable[[S, bool], str] = _is_cut
    """Text with the count for a design that is not cut; "" for a design that is. The flag is True if the sheet is
    shown."""
    divided: Callable[[Any], Repair | None] = _indivisible
    """Divides the largest part of a design, such as a frame, for a bed that is too small for it."""
    tray: Callable[[S], Tray | None] = _no_tray
    """Tray that is cut in addition to the drawing, for a kind whose drawing is the puzzle alone."""

    def piece_count(self, shapes: S) -> int:
        """Count the cut parts that are pieces of the puzzle, not its tray, frame or board."""
        return len(self.drawing(shapes).pieces) if self.pieces is None else self.pieces(shapes)


class Drawn(Protocol):
    """Shapes with their drawing and design."""

    @property
    def design(self) -> Any:
        """Design of the shapes."""

    @property
    def drawing(self) -> Drawing:
        """Drawing that is cut."""


def parts_in_words(parts: int, pieces: int) -> str:
    """Format the number of parts, and of pieces among them: 72 pieces; 8 pieces and 2 other parts; 1 part."""
    if pieces == parts:
        return many(pieces, "piece")
    if pieces == 0:
        return many(parts, "part")
    return tr("{pieces} and {others}", pieces=many(pieces, "piece"), others=many(parts - pieces, "other part"))


def pieces_in_words(pieces: int, asked: int) -> str:
    """Format the number of pieces, and a different number asked for: 120 pieces; 117 pieces (120 asked for)."""
    said = many(pieces, "piece")
    return said if asked in (0, pieces) else tr("{pieces} ({asked} asked for)", pieces=said, asked=thousands(asked))


def moved_few_strokes(now: Drawn, then: Drawn) -> bool:
    """True if shapes have equal parameters and differ by so few strokes that their check fits in a frame."""
    if now.design.parameters != then.design.parameters:
        return False
    strokes, before = now.drawing.strokes, then.drawing.strokes
    return len(strokes) == len(before) and len(strokes.changed_since(before)) <= MOST_MOVED
