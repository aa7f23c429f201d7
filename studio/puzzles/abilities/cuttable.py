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
"""By how many mm a sheet may be thicker or thinner than a design needs, and still fit."""
THICKNESS = Problem("thickness", Severity.ERROR, "The sheet thickness does not match the design",
    "This {puzzle} needs a {needed:g} mm sheet ({setting}); {material} is {thickness:g} mm thick.",
    "Choose another material, or let the fix change the design")  # fmt: skip
MOST_MOVED = 300
"""Up to how many moved strokes a check can follow a drag; more would not fit in a frame."""


@dataclass(frozen=True)
class Thickness:
    """The thickness in mm that a design needs, and the parameter that sets it: its name in files and in sentences.

    `changed` makes a design of its kind for another thickness; it raises ParameterError for one that cannot be.
    """

    needed: float
    parameter: str
    name: str
    changed: Callable[[Any, float], Any]

    def fits(self, thickness: float) -> bool:
        """Whether a sheet of some thickness in mm will do."""
        return abs(thickness - self.needed) <= TOLERANCE + 1e-9

    def problem(self, design: Any, puzzle: str, material: str, thickness: float) -> Finding | None:
        """What is wrong with a material of some title and thickness for a design, with its repair; None if it fits."""
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
    """A sheet of any thickness will do."""


def _no_tray(_shapes: object) -> None:
    """Nothing is cut beside the drawing."""


def _indivisible(_design: object) -> None:
    """No part can be divided."""


def _nothing(_shapes: object) -> tuple[str, ...]:
    return ()


def _unasked(_shapes: object) -> int:
    return 0


def _is_cut(_shapes: object, _on_sheet: bool) -> str:
    return ""


@dataclass(frozen=True)
class Cuttable(Ability, Generic[S]):
    """A drawing of what is cut."""

    lacking: ClassVar[str] = tr("There is nothing to cut for {key} puzzles.")

    drawing: Callable[[S], Drawing]
    joint: Callable[[S], Joint]
    """The joint that a coupon tries; raises StudioError where the design has none."""
    has_edges: bool = True
    """Whether its cuts follow straight edges, which a draft shows beside them."""
    thickness: Callable[[S], Thickness | None] = _any_thickness
    """The thickness that the design needs, for a kind whose geometry depends on it."""
    left_out: Callable[[S], tuple[str, ...]] = _nothing
    """Sentences about what of the design cannot be cut from a sheet."""
    pieces: Callable[[S], int] | None = None
    """How many of the parts that are cut are pieces of the puzzle, where not all are."""
    asked: Callable[[S], int] = _unasked
    """How many pieces the maker asked for, for a kind that may come only near to it; 0 where nobody did."""
    uncut: Callable[[S, bool], str] = _is_cut
    """What there is to count of a design that is not cut, in words; empty for one that is. It is told whether the sheet
    is in sight."""
    divided: Callable[[Any], Repair | None] = _indivisible
    """Divides the largest part of a design, such as a frame, for a bed that is too small for it."""
    tray: Callable[[S], Tray | None] = _no_tray
    """The tray that is cut beside the drawing, for a kind whose drawing is the puzzle alone."""

    def piece_count(self, shapes: S) -> int:
        """How many of the parts that are cut are pieces of the puzzle, and not its tray, frame or board."""
        return len(self.drawing(shapes).pieces) if self.pieces is None else self.pieces(shapes)


class Drawn(Protocol):
    """Shapes with a drawing and the design that they are of."""

    @property
    def design(self) -> Any:
        """The design."""

    @property
    def drawing(self) -> Drawing:
        """What is cut."""


def parts_in_words(parts: int, pieces: int) -> str:
    """How many parts are cut, and how many of them are pieces: 72 pieces; 8 pieces and 2 other parts; 1 part."""
    if pieces == parts:
        return many(pieces, "piece")
    if pieces == 0:
        return many(parts, "part")
    return tr("{pieces} and {others}", pieces=many(pieces, "piece"), others=many(parts - pieces, "other part"))


def pieces_in_words(pieces: int, asked: int) -> str:
    """How many pieces are cut, beside another number that was asked for: 120 pieces; 117 pieces (120 asked for)."""
    said = many(pieces, "piece")
    return said if asked in (0, pieces) else tr("{pieces} ({asked} asked for)", pieces=said, asked=thousands(asked))


def moved_few_strokes(now: Drawn, then: Drawn) -> bool:
    """Whether shapes of the same parameters differ by so few strokes that their check fits in a frame."""
    if now.design.parameters != then.design.parameters:
        return False
    strokes, before = now.drawing.strokes, then.drawing.strokes
    return len(strokes) == len(before) and len(strokes.changed_since(before)) <= MOST_MOVED
