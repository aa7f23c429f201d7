"""From a drawing to the sheets that go to the machine: lines shared or pieces apart, laid out, in cutting order.

shared lines: neighbours are parted by one cut, and the gap between them is the kerf. separate pieces: each has an
outline of its own, so that the kerf is made up for, and every line is cut twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from studio.fabricate.plan import Plan
from studio.parameters import choice, flag, integer, number, validate

USUAL = "usual"


@dataclass(frozen=True)
class Making:
    """How a drawing is made; raises ParameterError for a value that cannot be."""

    lines: str = choice(
        "shared", {"shared": "Shared: each line cut once", "separate": "Separate: each piece an outline of its own"},
        title="Lines", group="Fit",
        help="Shared lines leave a gap as wide as the kerf; separate pieces fit as you want and take twice the cut.",
    )  # fmt: skip
    kerf: float = number(
        0.15, title="Kerf", minimum=0, maximum=2, step=0.01, unit="mm", group="Fit",
        help="How wide a line the beam burns away; a fit coupon measures it.",
    )  # fmt: skip
    play: float = number(
        0.0, title="Play", minimum=-0.5, maximum=1, step=0.01, unit="mm", group="Fit",
        help="The gap wanted between two separate pieces that lie together; below zero they press.",
    )  # fmt: skip
    page: str = choice(
        "board", {"board": "As large as the board", "bed": "The machine's bed"}, title="Sheet", group="Sheets",
        help="Boards too large for the bed are split along cut lines; separate pieces are always laid on the bed.",
    )  # fmt: skip
    copies: int = integer(
        1, title="Copies", minimum=1, maximum=500, group="Sheets", help="How many of the puzzle are laid on sheets.",
    )  # fmt: skip
    margin: float = number(
        5.0, title="Margin", minimum=0, maximum=200, step=1, unit="mm", group="Sheets",
        help="What stays free along the rim of every sheet.",
    )  # fmt: skip
    spacing: float = number(
        2.0, title="Spacing", minimum=0, maximum=100, step=0.5, unit="mm", group="Sheets",
        help="What stays free between two parts on a sheet.",
    )  # fmt: skip
    mirror: bool = flag(
        False, title="Mirror, to cut face down", group="Sheets",
        help="The beam's narrow side then lies on the picture, where the kerf is hardly seen.",
    )  # fmt: skip
    labels: bool = flag(
        False, title="Engrave the pieces' names", group="Sheets",
        help="In single strokes, so that the laser draws them once.",
    )  # fmt: skip
    strategy: str = choice(
        USUAL,
        {
            USUAL: "What suits the drawing", "snake": "Snake", "low-sag": "Low sag",
            "release-aware": "Release-aware", "as-drawn": "As drawn",
        },
        title="Cutting order", group="Order", help="The cut plan shows what each of them costs.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, eq=False)
class Made:
    """A plan for every sheet, the share of each sheet that pieces cover, and what the maker must know."""

    plans: tuple[Plan, ...]
    use: tuple[float, ...]
    notes: tuple[str, ...]

    @cached_property
    def cut(self) -> float:
        """The length in mm of all that is cut."""
        return sum(plan.cut for plan in self.plans)

    @cached_property
    def seconds(self) -> float:
        """How long the machine takes for all sheets, the changing of sheets not counted."""
        return sum(plan.seconds for plan in self.plans)
