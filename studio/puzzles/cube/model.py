"""The design of a cube: its parameters and the edits made to it.

gap: the clearance between two neighbouring pieces, half of it taken from each. partition: which piece has which voxel.
Edges and voxels are named as in `studio/puzzles/cube/shell.py`, so that an edit outlives a change of size; an element
that the new box no longer has takes its edit with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import (
    LARGEST_SEED,
    Group,
    ParameterError,
    choice,
    flag,
    integer,
    later,
    line,
    number,
    seed,
    validate,
)
from studio.base.texts import alternatives, tr
from studio.geometry.curves.strokes import Floats
from studio.puzzles.cube.shell import FACES
from studio.puzzles.named_edits import Decision, changed, found, merged, refuse_beyond, refuse_disorder

LIMITS = Group("Limits", is_rare=True)
SMALLEST, LARGEST = 3, 12
"""Voxels along a side: a smaller box has no core, and a larger one only makes a puzzle more obvious."""
MOST_ATTEMPTS = 2**14
"""Most random boxes generated until one meets all options."""
MOST_ROLLS = 10**6
STIFF_SHARE = 0.04
"""The share of the unit from which a bump needs too much force to assemble."""
USUAL_SNAP = 0.4
"""Greatest reach in mm of a bump that a repair offers."""
COARSEST = 8
"""Fewest straight steps of a full circle."""
FLAT_LEFT = 0.02
"""Width in mm of the flat part of a wall around a socket."""
MOST_LETTERS = 240
"""The longest text: forty letters for each piece."""
PART = "|"
"""Separates the parts of a text that go to different pieces."""


@dataclass(frozen=True)
class CubeParameters:
    """The inputs of a cube; lengths in mm."""

    x: int = integer(4, title="X", minimum=SMALLEST, maximum=LARGEST, group="Box", help="Voxels from left to right.")
    y: int = integer(4, title="Y", minimum=SMALLEST, maximum=LARGEST, group="Box", help="Voxels from front to back.")
    z: int = integer(4, title="Z", minimum=SMALLEST, maximum=LARGEST, group="Box", help="Voxels from bottom to top.")
    unit: float = number(10.0, title="Voxel size", minimum=1.0, maximum=100.0, step=0.5, unit="mm", group="Box",
        help="Side length of a voxel: the pitch of the teeth.")  # fmt: skip
    thickness: float = later(number(0.0, title="Thickness", minimum=0.0, maximum=100.0, least=0.5, step=0.1, unit="mm",
        zero="Voxel size", group="Box",
        help="Thickness of the pieces, such as that of your sheets; 0 for the voxel size."))  # fmt: skip
    seed: int = seed(7, group="Random",
        help="Random seed. The same seed always gives the same puzzle.")  # fmt: skip
    unique: bool = flag(True, title="Unique solution", group="Random",
        help="Keep generating until there is exactly one solution.")  # fmt: skip
    distinct: bool = flag(True, title="All different", group="Random",
        help="Keep generating until all six pieces differ.")  # fmt: skip
    captured: bool = flag(True, title="Interlocked", group="Random",
        help="Keep generating until no piece can slide sideways; each can still be pulled straight out.")  # fmt: skip
    least_voxels: int = later(integer(0, title="Fewest voxels", minimum=0, maximum=LARGEST**2, zero="No limit",
        group="Random", help="Keep generating until every piece has at least this many voxels."))  # fmt: skip
    gap: float = number(0.2, title="Clearance", minimum=0.0, maximum=5.0, step=0.05, unit="mm", group="Fit",
        help="Clearance between pieces: 0.1 mm is tight, 0.2 mm normal, 0.4 mm too loose to hold.")  # fmt: skip
    snap: float = number(
        0.0, title="Snaps", minimum=0.0, maximum=2.0, step=0.1, unit="mm", zero="None", group="Fit",
        help="Height of the bumps that snap into sockets in the next piece; 0 for none.",
    )  # fmt: skip
    style: str = choice("plate", {"plate": "Smooth plates", "voxel": "Rounded voxels"}, title="Style", group="Shape",
        help="Smooth plates print in half the time; rounded voxels show the single cubes.")  # fmt: skip
    edge: str = choice("chamfer", {"chamfer": "Chamfered", "round": "Rounded"}, title="Plate edges", group="Shape",
        help="Chamfers print without support on any printer; rounded edges feel softer.")  # fmt: skip
    radius: float = number(0.8, title="Radius", minimum=0.0, maximum=50.0, step=0.1, unit="mm",
        zero="Sharp", group="Shape",
        help="Size of the chamfer or rounding, less than half the piece thickness; 0 for sharp edges.")  # fmt: skip
    segments: int = integer(32, title="Segments", minimum=COARSEST, maximum=128, group="Shape",
        help="Number of straight segments in a full circle.")  # fmt: skip
    inside: str = later(choice("nothing", {"nothing": "Nothing", "letters": "Letters A to F", "text": "Text"},
        title="Engraving", group="Inside",
        help="Engraves the inside of the pieces, visible only when the box is open."))  # fmt: skip
    text: str = later(line("", title="Text", longest=MOST_LETTERS, group="Inside",
        help="Text for the bottom piece; parts separated by | go to pieces A, B, C and so on."))  # fmt: skip
    text_height: float = later(number(0.0, title="Height", minimum=0.0, maximum=100.0, least=0.1, step=0.5, unit="mm",
        zero="Automatic", group="Inside",
        help="Cap height; 0 fits the text to each piece, up to 8 mm."))  # fmt: skip
    text_depth: float = later(number(0.6, title="Depth", minimum=0.1, maximum=20.0, step=0.1, unit="mm", group="Inside",
        help="Engraving depth in printed pieces; a laser only marks the lines."))  # fmt: skip
    least_wall: float = number(0.8, title="Minimum wall", minimum=0.0, maximum=20.0, step=0.1, unit="mm", group=LIMITS,
        help="Thinnest wall your printer can make: two nozzle widths.")  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse values out of bounds, and a text of too many parts or with a letter that cannot be drawn.

        Raises ParameterError with the name and the bounds.
        """
        validate(self)
        if self.thickness and self.gap >= self.thickness:
            raise ParameterError("gap", tr("gap must be less than the thickness of {thickness:g} mm, not {gap:g} mm.",
                thickness=self.thickness, gap=self.gap))  # fmt: skip
        if self.gap >= self.unit:
            raise ParameterError(
                "gap",
                tr(
                    "gap must be less than the voxel size of {unit:g} mm, not {gap:g} mm.", unit=self.unit, gap=self.gap
                ),
            )
        if not self.text:
            return
        from studio.geometry.art.lettering import width_of

        parts = self.text.count(PART) + 1
        if parts > len(FACES):
            raise ParameterError(
                "text",
                tr("text must have at most {most} parts, one per piece, not {count}.", most=len(FACES), count=parts),
            )
        try:
            width_of(self.text, 1.0)
        except StudioError as problem:
            raise ParameterError("text", tr("text cannot be engraved. {problem}", problem=problem)) from problem

    @property
    def size(self) -> tuple[int, int, int]:
        """Voxels along the three axes."""
        return self.x, self.y, self.z

    @property
    def plate(self) -> float:
        """Room of a piece across its face, in mm: the thickness of the plates."""
        return self.thickness or self.unit

    @property
    def narrowest(self) -> float:
        """The shortest side of a voxel in mm."""
        return min(self.plate, self.unit)

    @property
    def is_even(self) -> bool:
        """True if voxels are cubes."""
        return self.plate == self.unit

    @property
    def thick(self) -> float:
        """Thickness of the plates, in sides of a voxel."""
        return self.plate / self.unit

    @property
    def wall(self) -> float:
        """Shortest side of a voxel less the gap, in mm."""
        return self.narrowest - self.gap

    @property
    def largest_radius(self) -> float:
        """The largest radius in mm that leaves something flat between two roundings."""
        return round(0.45 * self.wall, 6)

    @property
    def largest_snap(self) -> float:
        """Greatest reach in mm of a bump that stays on the flat of its wall and off other bumps in its voxel."""
        from studio.geometry.solids.solid import UPRIGHT, socket

        flat = self.wall / 2 - UPRIGHT * min(self.radius, self.largest_radius) - FLAT_LEFT
        room = flat / socket(1.0, 0.0, COARSEST) - 2 * self.gap
        return round(max(0.0, min(room, self.wall / 5)), 6)

    @property
    def stiffest_snap(self) -> float:
        """Greatest reach in mm of a bump that can be pushed past the edge of a plate that hardly bends."""
        return STIFF_SHARE * self.narrowest


@dataclass(frozen=True)
class EdgeEdit(Decision):
    """The edits of one edge.

    `rolls` counts its randomisations; `locked_seed` and `locked_attempt` are the partition that it keeps.
    """

    rolls: int = 0
    locked_seed: int | None = None
    locked_attempt: int = 0

    def __post_init__(self) -> None:
        """Refuse values out of bounds: raises ParameterError."""
        refuse_beyond(self, rolls=MOST_ROLLS, locked_attempt=MOST_ATTEMPTS - 1, locked_seed=LARGEST_SEED)
        if self.locked_seed is None and self.locked_attempt:
            raise ParameterError("locked_attempt", tr("locked_attempt must be 0 unless a seed is locked."))


@dataclass(frozen=True)
class VoxelEdit:
    """A voxel of an edge or a corner, moved by the maker to one of the faces that meet there."""

    name: str
    face: str

    def __post_init__(self) -> None:
        """Refuse a face that does not meet there: raises ParameterError."""
        meeting = self.name.partition("/")[0].split("-")
        if self.face not in FACES or self.face not in meeting:
            named = [face for face in meeting if face in FACES]
            wanted = alternatives(named if len(named) == len(meeting) else FACES)
            raise ParameterError("face", tr("face must be {wanted}, not {face!r}.", wanted=wanted, face=self.face[:40]))


@dataclass(frozen=True)
class CubeDesign:
    """A cube as it is saved and undone: parameters and sparse edits, sorted by name."""

    parameters: CubeParameters = CubeParameters()
    edges: tuple[EdgeEdit, ...] = ()
    voxels: tuple[VoxelEdit, ...] = ()
    BY_NAME: ClassVar = ("edges", "voxels")
    """Edits that a file may have in any order."""

    def __post_init__(self) -> None:
        """Refuse two edits of one element: raises ParameterError."""
        refuse_disorder(self.edges)
        refuse_disorder(self.voxels)

    def edge(self, name: str) -> EdgeEdit:
        """The edit of an edge; a blank one if it has none."""
        return found(self.edges, name) or EdgeEdit(name)

    def voxel(self, name: str) -> VoxelEdit | None:
        """The edit of a voxel; None if it has none."""
        return found(self.voxels, name)

    def with_edges(self, edits: Iterable[EdgeEdit]) -> CubeDesign:
        """With other edits of edges; a blank one removes the edit."""
        return replace(self, edges=changed(self.edges, edits))

    def with_voxels(self, edits: Iterable[VoxelEdit]) -> CubeDesign:
        """With voxels given to other faces, unchecked; `edits.with_voxel` refuses impossible ones."""
        return replace(self, voxels=merged(self.voxels, edits))

    def without_voxels(self, names: Iterable[str]) -> CubeDesign:
        """With voxels back at their random owners."""
        return replace(self, voxels=merged(self.voxels, (), names))


# The voxels of a cube in mm: the first and the last layer are as thick as the plates.
#
# unit: the side of a voxel within a plate, which is the pitch of the teeth. thick: the thickness of the plates. Where
# both are alike all voxels are cubes. Otherwise the box is stretched or pressed in its outer layers, alike on all
# sides, so that the pieces go together in the same ways, and come out the same way, as those of cubes.


@dataclass(frozen=True)
class Grid:
    """The planes between the voxels of a box, along each of its axes."""

    unit: float
    thick: float

    @property
    def is_even(self) -> bool:
        """True if voxels are cubes."""
        return self.unit == self.thick

    def lines(self, count: int) -> Floats:
        """The places (count + 1,) in mm of the planes along an axis of some voxels.

        >>> Grid(10.0, 3.0).lines(4).tolist()
        [0.0, 3.0, 13.0, 23.0, 26.0]
        """
        if self.is_even:
            return np.asarray(np.arange(count + 1) * self.unit, np.float64)
        inner = self.thick + np.arange(count - 1) * self.unit
        return np.concatenate([[0.0], inner, [inner[-1] + self.thick]])

    def in_mm(self, places: Floats, counts: Sequence[int]) -> Floats:
        """Places (n, k) in voxels, along k axes of some counts of voxels, in mm."""
        if self.is_even:
            return np.asarray(places * self.unit)
        found = [
            np.interp(places[:, axis], np.arange(count + 1), self.lines(count)) for axis, count in enumerate(counts)
        ]
        return np.stack(found, 1)

    def size(self, counts: Sequence[int]) -> Floats:
        """Size in mm of a block of voxels, given their counts along axes, that spans the box from side to side."""
        return np.array([float(self.lines(count)[-1]) for count in counts])
