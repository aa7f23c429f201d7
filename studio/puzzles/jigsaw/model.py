"""What a maker decides about a jigsaw: its parameters, and what was changed by hand.

corner: a point where cuts meet. tongue: the cut between two pieces, with a knob or plain. piece: what the cuts
leave. Corners and tongues are named by their tiling (`3,2` and `C4-D4`), so that an edit outlives a change of
parameters; an element that the new board no longer has takes its edit with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from studio.parameters import LARGEST_SEED, Group, ParameterError, choice, flag, integer, number, seed, validate
from studio.puzzles.jigsaw.styles import STYLES, Style
from studio.puzzles.named import Decision, changed, found, merged, refuse_beyond, refuse_disorder
from studio.texts import tr

LARGEST_SHIFT = 200.0
"""How many cells an edit may carry a corner from its home; more cannot lie on any board."""
ROUNDEST = 1.5
"""The largest radius of the board's corners, in cells: cuts that stray then still meet the border in order."""
VARIATION, LIMITS = Group("Variation", is_rare=True), Group("Limits", is_rare=True)
BOUNDS = {"size": (0.02, 0.6), "place": (-0.35, 0.35), "slant": (-0.3, 0.3)}
"""Of the numbers of a tongue that are set by hand."""


@dataclass(frozen=True)
class JigsawParameters:
    """The inputs of a jigsaw; lengths in mm, shares of a tongue's length or of a cell where there is no unit."""

    columns: int = integer(12, title="Columns", minimum=1, maximum=200, group="Board",
        help="Pieces from left to right.")  # fmt: skip
    rows: int = integer(6, title="Rows", minimum=1, maximum=200, group="Board", help="Pieces from top to bottom.")
    width: float = number(300.0, title="Width", minimum=5.0, maximum=10000.0, step=5.0, unit="mm", group="Board",
        help="Width of the whole board.")  # fmt: skip
    height: float = number(150.0, title="Height", minimum=5.0, maximum=10000.0, step=5.0, unit="mm", group="Board",
        help="Height of the whole board.")  # fmt: skip
    corner_radius: float = number(0.0, title="Rounded corners", minimum=0.0, maximum=1000.0, step=1.0, unit="mm",
        group="Board", help="Radius of the board's four corners; 0 leaves them sharp.")  # fmt: skip
    border: str = choice("straight", {"straight": "Straight", "wandering": "Wandering"}, title="Border", group="Board",
        help="A wandering border waves inwards, so that even the frame must be searched for.")  # fmt: skip
    perturbation: float = number(0.12, title="Perturbation", minimum=0.0, maximum=0.45, step=0.01, group="Grid",
        help="How far corners stray from the grid, as a share of a cell.")  # fmt: skip
    seed: int = seed(7, group="Grid", help="All chance follows from this number: the same seed gives the same puzzle.")
    tongue_style: str = choice(STYLES[0].key, {style.key: style.title for style in STYLES}, title="Style",
        group="Tongues", help=f"{'; '.join(style.look for style in STYLES)}.")  # fmt: skip
    tongue_size: float = number(0.22, title="Size", minimum=0.05, maximum=0.5, step=0.01, group="Tongues",
        help="How far a tongue reaches into its neighbour, as a share of its length.")  # fmt: skip
    plain_share: float = number(0.0, title="Plain edges", minimum=0.0, maximum=1.0, step=0.05, group="Tongues",
        help="The share of edges that get no tongue at all.")  # fmt: skip
    smooth_joints: bool = flag(True, title="Smooth joints", group="Tongues",
        help=f"{'; '.join(style.joint for style in STYLES)}.")  # fmt: skip
    vary_size: float = number(0.15, title="Size", minimum=0.0, maximum=0.6, step=0.01, group=VARIATION,
        help="How much tongues differ in size, as a share of the size.")  # fmt: skip
    vary_place: float = number(0.06, title="Place", minimum=0.0, maximum=0.2, step=0.01, group=VARIATION,
        help="How far tongues stray from the middle of their edge, as a share of its length.")  # fmt: skip
    vary_depth: float = number(0.02, title="Depth", minimum=0.0, maximum=0.1, step=0.01, group=VARIATION,
        help="How much deeper or shallower whole tongues sit, as a share of the edge.")  # fmt: skip
    vary_slant: float = number(0.04, title="Slant", minimum=0.0, maximum=0.2, step=0.01, group=VARIATION,
        help="How far heads lean to one side, as a share of the edge.")  # fmt: skip
    vary_neck: float = number(0.12, title="Neck", minimum=0.0, maximum=0.5, step=0.01, group=VARIATION,
        help="How much necks differ in width, as a share of the width.")  # fmt: skip
    least_bridge: float = number(1.0, title="Least bridge", minimum=0.0, maximum=50.0, step=0.1, unit="mm",
        group=LIMITS, help="Two cuts nearer than this leave wood that breaks or burns.")  # fmt: skip
    least_neck: float = number(1.5, title="Least neck", minimum=0.0, maximum=50.0, step=0.1, unit="mm", group=LIMITS,
        help="A tongue whose neck is narrower than this snaps off.")  # fmt: skip
    least_area: float = number(40.0, title="Least piece", minimum=0.0, maximum=10000.0, step=5.0, unit="mm²",
        group=LIMITS, help="A piece smaller than this falls through the bed.")  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse values out of bounds: raises ParameterError with the name and the bounds."""
        validate(self)
        largest = min(ROUNDEST * min(self.cell), self.width / 2, self.height / 2)
        if self.corner_radius > largest:
            raise ParameterError(
                "corner_radius",
                tr(
                    "corner_radius must be at most {largest:.4g} mm on this board, not {corner_radius:g}: a rounded "
                    "corner may not reach past the first cuts.",
                    largest=largest,
                    corner_radius=self.corner_radius,
                ),
            )

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of an unperturbed piece in mm."""
        return self.width / self.columns, self.height / self.rows

    @property
    def style(self) -> Style:
        """The style of the tongues."""
        return next(style for style in STYLES if style.key == self.tongue_style)


def _bounded(owner: Any, name: str, low: float, high: float) -> None:
    value = getattr(owner, name)
    if value is None:
        return
    if type(value) is bool or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ParameterError(
            name,
            tr(
                "{name} must be {low:g} to {high:g}, not {value}.", name=name, low=low, high=high, value=str(value)[:40]
            ),
        )
    object.__setattr__(owner, name, float(value))


@dataclass(frozen=True)
class CornerEdit:
    """A corner moved by hand: how many cells it lies to the right of and below its home."""

    name: str
    right: float
    down: float

    def __post_init__(self) -> None:
        """Refuse what no board can hold: raises ParameterError."""
        _bounded(self, "right", -LARGEST_SHIFT, LARGEST_SHIFT)
        _bounded(self, "down", -LARGEST_SHIFT, LARGEST_SHIFT)


@dataclass(frozen=True)
class TongueEdit(Decision):
    """What was decided by hand of one tongue; None leaves it to chance.

    `side` is 1 for a knob to the right of its direction and -1 for one to the left; `size`, `place` and `slant` are
    shares as in the parameters. `rolls` counts how often it was re-rolled; `locked_seed` is the seed it keeps.
    """

    side: int | None = None
    plain: bool | None = None
    size: float | None = None
    place: float | None = None
    slant: float | None = None
    rolls: int = 0
    locked_seed: int | None = None

    def __post_init__(self) -> None:
        """Refuse values out of bounds: raises ParameterError."""
        for name, (low, high) in BOUNDS.items():
            _bounded(self, name, low, high)
        if self.side not in (None, -1, 1) or type(self.side) is bool:
            raise ParameterError("side", tr("side must be 1 or -1, not {side}.", side=str(self.side)[:40]))
        refuse_beyond(self, rolls=10**6, locked_seed=LARGEST_SEED)


@dataclass(frozen=True)
class JigsawDesign:
    """A jigsaw as it is saved and undone: parameters and sparse hand edits, sorted by name."""

    parameters: JigsawParameters = JigsawParameters()
    corners: tuple[CornerEdit, ...] = ()
    tongues: tuple[TongueEdit, ...] = ()

    def __post_init__(self) -> None:
        """Refuse two edits of one element: raises ParameterError."""
        refuse_disorder(self.corners)
        refuse_disorder(self.tongues)

    def tongue(self, name: str) -> TongueEdit:
        """What was decided by hand of a tongue; a blank edit where nothing was."""
        return found(self.tongues, name) or TongueEdit(name)

    def corner(self, name: str) -> CornerEdit | None:
        """How a corner was moved by hand, or None where it was not."""
        return found(self.corners, name)

    def with_corners(self, places: Mapping[str, tuple[float, float]]) -> JigsawDesign:
        """With corners so many cells right of and below their homes."""
        return replace(self, corners=merged(self.corners, (CornerEdit(n, *at) for n, at in places.items())))

    def without_corners(self, names: Iterable[str]) -> JigsawDesign:
        """With corners back where the parameters put them."""
        return replace(self, corners=merged(self.corners, (), names))

    def with_tongues(self, edits: Iterable[TongueEdit]) -> JigsawDesign:
        """With other edits of tongues; a blank one takes the edit away."""
        return replace(self, tongues=changed(self.tongues, edits))
