"""The ability to be cut from a sheet, by a laser or a plotter, and the limits of a machine and a material.

Pieces must fit on the bed, and survive the kerf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from studio.base.amounts import many, thousands
from studio.base.parameters import ParameterError
from studio.base.texts import tr
from studio.checks.finding import Finding, Problem, Repair, Severity
from studio.geometry.curves.strokes import Floats, Ints
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
MARGIN = 5.0
"""Usual free margin in mm around a bed."""
BORNE = 0.3
"""Kerf in mm that the kinds' own checks already test."""
ROUNDING = 1e-6
"""Tolerance in mm by which a piece may be larger than the bed."""
BED = Problem("bed", Severity.WARNING, "A piece is larger than the bed",
    "Piece {piece} is {width:.0f} × {height:.0f} mm, "
    "larger than the usable bed of {machine} ({bed_width:g} × {bed_height:g} mm).",
    "Choose a larger machine or a smaller design; make a frame in parts")  # fmt: skip
USUAL_BED = replace(BED, severity=Severity.HINT)
"""Same problem while no machine is chosen."""
BURNT = Problem("kerf", Severity.WARNING, "The kerf burns through a piece",
    "Piece {piece} is only {width:.2f} mm wide here; the kerf of {material} ({kerf:g} mm) burns through it.",
    "Use a material with a narrower kerf, or make the tongue or the piece larger")  # fmt: skip
CLOSED = Problem("kerf", Severity.WARNING, "The kerf closes a gap in a piece",
    "A gap in piece {piece} is only {width:.2f} mm wide here; the kerf of {material} ({kerf:g} mm) closes it.",
    "Use a material with a narrower kerf, or make the tongue or the piece larger")  # fmt: skip


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
        title = tr("Set {setting} to {thickness:g} mm", setting=self.name, thickness=thickness)
        repair: Repair | None = Repair.at_once(title, lambda now: self.changed(now, thickness))
        try:
            self.changed(design, thickness)
        except ParameterError:
            repair = None
        return THICKNESS.finding(
            (0.0, 0.0),
            repair=repair,
            puzzle=puzzle,
            needed=self.needed,
            setting=self.name,
            material=material,
            thickness=thickness,
        )


@dataclass(frozen=True)
class Cuttable(Ability, Generic[S]):
    """Makes the drawing that is cut."""

    lacking: ClassVar[str] = tr("There is nothing to cut for {key} puzzles.")

    drawing: Callable[[S], Drawing]
    joint: Callable[[S], Joint]
    """Joint that a fit coupon tests; raises StudioError if the design has no joint."""
    has_edges: bool = True
    """True if its cuts follow straight edges, which a draft shows beside them."""
    thickness: Callable[[S], Thickness | None] = lambda _shapes: None
    """Thickness that the design needs, for a kind whose geometry depends on it."""
    left_out: Callable[[S], tuple[str, ...]] = lambda _shapes: ()
    """Sentences about parts of the design that cannot be cut from a sheet."""
    pieces: Callable[[S], int] | None = None
    """Number of cut parts that are pieces of the puzzle; None if all are."""
    asked: Callable[[S], int] = lambda _shapes: 0
    """Number of pieces that the maker asked for, for a kind that may only come near to it; 0 if none was given."""
    uncut: Callable[[S, bool], str] = lambda _shapes, _on_sheet: ""
    """Text with the count for a design that is not cut; "" for a design that is. The flag is True if the sheet is
    shown."""
    divided: Callable[[Any], Repair | None] = lambda _design: None
    """Divides the largest part of a design, such as a frame, for a bed that is too small for it."""
    tray: Callable[[S], Tray | None] = lambda _shapes: None
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


@dataclass(frozen=True)
class Limits:
    """Usable bed of a machine in mm, and kerf of a material in mm."""

    machine: str
    width: float
    height: float
    material: str = ""
    kerf: float = 0.0
    is_chosen: bool = True
    """False for the machine that is assumed until the maker chooses."""

    @classmethod
    def with_margin(cls, machine: str, width: float, height: float, margin: float = MARGIN, **others: Any) -> Limits:
        """Subtract a free margin all round from a bed of a width and height in mm."""
        return cls(machine, width - 2 * margin, height - 2 * margin, **others)

    def too_large(self, sizes: Floats) -> Ints:
        """Indices of the sizes in mm, shape (n, 2), that do not fit on the bed, turned or not."""
        bed = np.array(sorted((self.width, self.height)))
        return np.flatnonzero((np.sort(sizes, axis=1) > bed + ROUNDING).any(axis=1))


def sizes_of(drawing: Drawing) -> tuple[Floats, Floats]:
    """Width and height of every piece in mm, and its middle, each of shape (n, 2)."""
    pieces, lines = drawing.pieces, drawing.polylines
    first = lines.starts[:-1]
    low, high = np.minimum.reduceat(lines.points, first), np.maximum.reduceat(lines.points, first)
    strokes = pieces.codes >> 1
    least = np.minimum.reduceat(low[strokes], pieces.starts[:-1])
    most = np.maximum.reduceat(high[strokes], pieces.starts[:-1])
    return most - least, (most + least) / 2


def beyond(
    cut: Cuttable[Any], design: Any, shapes: Any, limits: Limits, shape: Callable[[Any], Any]
) -> tuple[Finding, ...]:
    """Find pieces that a machine cannot hold or that a material's kerf destroys.

    `shape` computes the shapes of a design, to test the fix that a kind offers.
    """
    drawing = cut.drawing(shapes)
    return (*_too_large(cut, design, drawing, limits, shape), *_burnt(drawing, limits))


def _too_large(
    cut: Cuttable[Any], design: Any, drawing: Drawing, limits: Limits, shape: Callable[[Any], Any]
) -> Iterator[Finding]:
    if not len(limits.too_large(np.array([[drawing.width, drawing.height]]))) or not len(drawing.pieces):
        return
    sizes, middles = sizes_of(drawing)
    large = limits.too_large(sizes).tolist()
    divided = cut.divided(design) if large else None
    if divided is not None:
        after, _ = sizes_of(cut.drawing(shape(divided.apply(design))))
        divided = divided if len(limits.too_large(after)) < len(large) else None
    for number in large:
        yield (BED if limits.is_chosen else USUAL_BED).finding(
            middles[number].tolist(),
            pieces=[number],
            repair=divided,
            piece=drawing.pieces.names[number],
            width=sizes[number, 0],
            height=sizes[number, 1],
            machine=limits.machine,
            bed_width=limits.width,
            bed_height=limits.height,
        )


def _burnt(drawing: Drawing, limits: Limits) -> Iterator[Finding]:
    if limits.kerf <= BORNE:
        return
    from studio.checks.pieces import flaws

    for flaw in flaws(drawing, np.arange(len(drawing.pieces)), limits.kerf, limits.kerf):
        if flaw.harm:
            yield (BURNT if flaw.harm < 0 else CLOSED).finding(
                flaw.place.tolist(),
                pieces=[flaw.piece],
                piece=drawing.pieces.names[flaw.piece],
                width=flaw.width,
                material=limits.material,
                kerf=limits.kerf,
                shortfall=1 - flaw.width / limits.kerf,
            )
