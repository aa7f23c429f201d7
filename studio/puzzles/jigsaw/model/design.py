"""Design of a jigsaw: parameters and edits.

corner: a point where cuts meet. tongue: the cut between two pieces, perhaps a straight edge. piece: an area that the
cuts enclose. The tiling names corners and tongues (`3,2` and `C4-D4`), so that edits are kept when parameters change;
an edit of an element that the new board lacks is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from studio.base.errors import StudioError
from studio.base.parameters import (
    LARGEST_SEED,
    Group,
    ParameterError,
    choice,
    flag,
    integer,
    later,
    number,
    seed,
    validate,
)
from studio.base.texts import alternatives, tr
from studio.geometry.board.board_spec import (
    ARCH,
    BRICKS,
    DRAWN,
    ELLIPSE,
    FLOWS,
    FROM_FILE,
    GRID,
    HEART,
    HEXAGONS,
    MOST_DRAWN,
    NO_FLOW,
    OUTLINES,
    POLYGON,
    RECTANGLE,
    RINGS,
    TILINGS,
    TRIANGLES,
    VORONOI,
    DrawnCut,
    LooseLine,
    Ring,
    Way,
    refuse_no_flow_lines,
    refuse_no_path,
)
from studio.puzzles.jigsaw.figures.whimsies import Whimsy
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.picture.engravings import Engraving
from studio.puzzles.jigsaw.picture.masks import MOST_LINES, FollowedLine, Mask, lines_rebound, rebound
from studio.puzzles.jigsaw.tongues.profiles import Stored, own_profile
from studio.puzzles.jigsaw.tongues.styles import MIXED, OWN, STYLES, TITLES, WEIGHTED, Style, shaped_parts, styles_with
from studio.puzzles.named_edits import Decision, changed, found, merged, refuse_beyond, refuse_disorder

LARGEST_SHIFT = 200.0
"""Largest distance in cells by which an edit may move a corner; more would leave any board."""
ROUNDEST = 1.5
"""Largest radius of the board's corners, in cells: irregular cuts then still meet the border in order."""
VARIATION, LIMITS = Group("Variation", is_rare=True), Group("Limits", is_rare=True)
PRINTING, TRAY = Group("Printing", is_rare=True), Group("Tray", is_rare=True)
ASSEMBLED, SPREAD = "assembled", "spread"
"""Layouts of printed pieces."""
DARK, LIGHT = "dark", "light"
"""Areas of the picture that a relief raises."""
FOLLOWS, BOX = "outline", "rectangle"
"""Outsides of a tray."""
KEEPS_OUTLINE = tr("Drawn cuts keep their outline. Choose another tiling first.")
NO_LID, PLAIN_LID, RECESSED = "none", "plain", "recess"
"""Lids of a tray."""
BOUNDS = {
    "size": (0.02, 0.6), "place": (-0.35, 0.35), "slant": (-0.3, 0.3), "head": (0.6, 1.5), "neck": (0.5, 1.6),
    "shoulder": (0.0, 2.5), "fullness": (0.6, 1.3), "head_balance": (-0.4, 0.4), "neck_balance": (-0.4, 0.4),
    "shoulder_balance": (-1.0, 1.0), "fullness_balance": (-0.3, 0.3),
}  # fmt: skip
"""Bounds of a tongue's editable values."""
BALANCES = ("head_balance", "neck_balance", "shoulder_balance", "fullness_balance")
"""Values by which the two sides of a tongue differ."""

EVEN = {HEXAGONS: 2 / 3**0.5, TRIANGLES: 1 / 3**0.5}
"""Width of an even cell divided by its height, if not 1."""
SHARES = {ELLIPSE: math.pi / 4, POLYGON: 0.75, HEART: 0.66, ARCH: 0.87}
"""Approximate share of its box that an outline fills."""
MOST_ACROSS = 200
"""Most columns, and most rows."""
COUNTS = 4.0
"""Weight of the number of pieces against their proportions when columns and rows are chosen."""
NEWEST_LAYOUT = 6
"""Newest version of the rules by which cuts are laid out; a file keeps the version that it was made with."""
LONGEST = 1.4
"""Largest ratio of a piece's sides at which columns and rows are chosen for an exact number of pieces."""
HALVED = (BRICKS, HEXAGONS)
"""Tilings in which every other row has an additional piece, because two of its pieces are halves."""


TONGUE_STYLES = TITLES | {MIXED: tr("Mixed")}
HEAVIEST = 10
"""Greatest weight of a style."""


def _weight(usual: int, style: str) -> Any:
    return later(integer(usual, title=TITLES[style], minimum=0, maximum=HEAVIEST, group="Tongues",
        help="Weight of this style among mixed tongues; 0 leaves it out."))  # fmt: skip


@dataclass(frozen=True)
class JigsawParameters:
    """Inputs of a jigsaw; lengths in mm, values without a unit as fractions of an edge's length or of a cell."""

    outline: str = later(choice(RECTANGLE, OUTLINES, title="Outline", group="Board",
        help="Shape of the board."))  # fmt: skip
    sides: int = later(integer(6, title="Sides", minimum=3, maximum=24, group="Board",
        help="Number of sides of a polygon."))  # fmt: skip
    width: float = number(300.0, title="Width", minimum=5.0, maximum=10000.0, step=5.0, unit="mm", group="Board",
        help="Width of the whole board.")  # fmt: skip
    height: float = number(150.0, title="Height", minimum=5.0, maximum=10000.0, step=5.0, unit="mm", group="Board",
        help="Height of the whole board.")  # fmt: skip
    corner_radius: float = number(0.0, title="Corner radius", minimum=0.0, maximum=1000.0, step=1.0, unit="mm",
        group="Board", help="Radius of the board's four corners; 0 keeps them square.")  # fmt: skip
    tiling: str = later(choice(GRID, TILINGS, title="Tiling", group="Pieces",
        help="How the board is divided into pieces."))  # fmt: skip
    columns: int = integer(12, title="Columns", minimum=1, maximum=200, group="Pieces",
        help="Number of pieces across.")  # fmt: skip
    rows: int = integer(6, title="Rows", minimum=1, maximum=200, group="Pieces", help="Number of pieces down.")
    pieces: int = later(integer(0, title="Pieces", minimum=0, maximum=40000, zero="Not set",
        group="Pieces",
        help="Number of pieces to aim for; 0 uses columns and rows."))  # fmt: skip
    exact: bool = later(flag(True, title="Exact number", group="Pieces",
        help="Makes exactly this number, figures included: a few pieces are merged where it shows least."),
        before=False)  # fmt: skip
    middle_piece: bool = later(flag(True, title="Middle piece", group="Pieces",
        help="Puts a single piece in the middle of the rings."))  # fmt: skip
    seed: int = seed(7, group="Pieces", help="Random seed. The same seed always gives the same puzzle.")
    tongue_style: str = choice(STYLES[0].key, TONGUE_STYLES, title="Style", group="Tongues",
        help=f"{'; '.join(style.look for style in STYLES)}; custom: yours; mixed: several, by weight.")  # fmt: skip
    mix_ribbon: int = _weight(4, "ribbon")
    mix_heirloom: int = _weight(2, "heirloom")
    mix_earlet: int = _weight(2, "earlet")
    mix_ball: int = _weight(3, "ball")
    mix_classic: int = _weight(0, "classic")
    mix_dovetail: int = _weight(0, "dovetail")
    mix_heart: int = _weight(0, "heart")
    mix_article: int = _weight(0, "article")
    mix_wave: int = _weight(0, "wave")
    mix_own: int = _weight(0, "own")
    tongue_size: float = number(0.27, title="Size", minimum=0.05, maximum=0.5, step=0.01, group="Tongues",
        help="Height of a tongue, as a fraction of its edge length.")  # fmt: skip
    perturbation: float = number(0.16, title="Irregularity", minimum=0.0, maximum=0.45, step=0.01, group=VARIATION,
        help="Irregularity of the grid, as a fraction of a cell; 0 is regular.")  # fmt: skip
    flow: str = later(choice(NO_FLOW, FLOWS, title="Flow", group=VARIATION,
        help="Bends the rows of pieces, by the seed or along the flow lines that you draw."))  # fmt: skip
    flow_strength: float = later(number(0.7, title="Flow strength", minimum=0.05, maximum=1.0, step=0.05,
        group=VARIATION, help="How far rows bend; at 1 pieces are up to 1.8 times larger or smaller."))  # fmt: skip
    noodles: float = later(number(0.0, title="Noodles", minimum=0.0, maximum=0.25, step=0.05, group=VARIATION,
        help="Fraction of inner pieces that are long strips, two or three usual ones in a row."))  # fmt: skip
    border: str = choice("straight", {"straight": "Straight", "wandering": "Wavy"}, title="Border", group=VARIATION,
        help="A wavy border makes edge pieces harder to spot.")  # fmt: skip
    tricky_border: bool = later(flag(False, title="Tricky border", group=VARIATION,
        help="Splits each corner between two pieces and gives some inner pieces a straight side."))  # fmt: skip
    split_corners: float = later(number(0.0, title="Split corners", minimum=0.0, maximum=1.0, step=0.25,
        group=VARIATION, help="Fraction of the board's corners that two pieces share."))  # fmt: skip
    false_edges: float = later(number(0.0, title="False edges", minimum=0.0, maximum=1.0, step=0.05,
        group=VARIATION, help="Fraction of inner edges, or of those along colours, that look like the border's."),
    )  # fmt: skip
    false_corners: float = later(number(0.0, title="False corners", minimum=0.0, maximum=1.0, step=0.05,
        group=VARIATION, help="Fraction of inner pieces with a straight corner like the board's."))  # fmt: skip
    hidden_border: float = later(number(0.0, title="Hidden border", minimum=0.0, maximum=1.0, step=0.05,
        group=VARIATION, help="Fraction of edges between border pieces that only inner pieces hold."))  # fmt: skip
    vary_size: float = number(0.12, title="Size", minimum=0.0, maximum=0.6, step=0.01, group=VARIATION,
        help="Variation of tongue size, as a fraction of the size.")  # fmt: skip
    vary_place: float = number(0.05, title="Offset", minimum=0.0, maximum=0.2, step=0.01, group=VARIATION,
        help="Variation of tongue position along the edge, as a fraction of its length.")  # fmt: skip
    vary_depth: float = number(0.02, title="Shift", minimum=0.0, maximum=0.1, step=0.01, group=VARIATION,
        help="Sideways shift of the whole cut line, as a fraction of the edge length.")  # fmt: skip
    vary_slant: float = number(0.05, title="Slant", minimum=0.0, maximum=0.2, step=0.01, group=VARIATION,
        help="Lean of tongues to one side, as a fraction of the edge length.")  # fmt: skip
    vary_neck: float = number(0.12, title="Neck", minimum=0.0, maximum=0.5, step=0.01, group=VARIATION,
        help="Variation of neck width, as a fraction of the width.")  # fmt: skip
    head_width: float = later(number(1.0, title="Head width", minimum=0.6, maximum=1.5, step=0.05, group=VARIATION,
        help="Width of the head, as a multiple of the style's."))  # fmt: skip
    neck_width: float = later(number(1.0, title="Neck width", minimum=0.5, maximum=1.6, step=0.05, group=VARIATION,
        help="Width of the neck, as a multiple of the style's."))  # fmt: skip
    shoulder: float = later(number(1.0, title="Shoulder", minimum=0.0, maximum=2.5, step=0.1, group=VARIATION,
        help="Depth of the dips beside the neck, as a multiple of the style's."))  # fmt: skip
    fullness: float = later(number(1.0, title="Fullness", minimum=0.6, maximum=1.3, step=0.05, group=VARIATION,
        help="Fullness of the head, as a multiple of the style's: lower is pointed, higher square."))  # fmt: skip
    vary_flanks: float = later(number(0.0, title="Asymmetry", minimum=0.0, maximum=0.3, step=0.01, group=VARIATION,
        help="Difference between the two sides of a tongue, as a fraction of each part."))  # fmt: skip
    plain_share: float = number(0.0, title="Straight edges", minimum=0.0, maximum=1.0, step=0.05, group=VARIATION,
        help="Fraction of edges without a tongue.")  # fmt: skip
    figural_share: float = later(number(0.0, title="Figural knobs", minimum=0.0, maximum=1.0, step=0.05,
        group=VARIATION, help="Fraction of tongues that are hearts, stars, leaves and other figures."))  # fmt: skip
    double_share: float = later(number(0.0, title="Double knobs", minimum=0.0, maximum=1.0, step=0.05,
        group=VARIATION, help="Fraction of long edges, of 16 mm or more, with two knobs."))  # fmt: skip
    earlet_share: float = later(number(0.0, title="Earlets", minimum=0.0, maximum=1.0, step=0.05,
        group=VARIATION, help="Fraction of tongues with a small nub on either side of the head."))  # fmt: skip
    follow_colours: float = later(number(0.0, title="Follow colours", minimum=0.0, maximum=1.0, step=0.05,
        group=VARIATION, help="Leads cuts along lines of the picture; edges on lines have few tongues."))  # fmt: skip
    smooth_joints: bool = flag(True, title="Smooth corners", group=VARIATION,
        help="Carries cut lines through corners without a kink; flat-top tongues keep theirs.")  # fmt: skip
    strong_necks: bool = later(flag(True, title="Strong necks", group=VARIATION,
        help="Widens necks that are thin for pieces of this size; edges too short for a strong one stay straight."),
        before=False)  # fmt: skip
    layout_version: int = later(integer(NEWEST_LAYOUT, title="Layout version", minimum=1, maximum=NEWEST_LAYOUT,
        group=VARIATION, help="Version of the rules that lay out cuts; a file keeps the version it was made with."),
        before=1)  # fmt: skip
    scale_limits: bool = later(flag(True, title="Scale with pieces", group=LIMITS,
        help="Lowers limits and the chamfer, left at their defaults, to what small pieces can meet."),
        before=False)  # fmt: skip
    least_bridge: float = number(1.0, title="Minimum wall", minimum=0.0, maximum=50.0, step=0.1, unit="mm",
        group=LIMITS, help="Warn if two cuts are closer than this: the wood may break or char.")  # fmt: skip
    least_neck: float = number(1.5, title="Minimum neck", minimum=0.0, maximum=50.0, step=0.1, unit="mm", group=LIMITS,
        help="Warn if a neck is narrower than this: it may snap.")  # fmt: skip
    least_area: float = number(40.0, title="Minimum piece", minimum=0.0, maximum=10000.0, step=5.0, unit="mm²",
        group=LIMITS, help="Warn if a piece is smaller than this: it may fall through the bed.")  # fmt: skip
    least_radius: float = later(number(0.2, title="Minimum radius", minimum=0.0, maximum=10.0, step=0.05, unit="mm",
        group=LIMITS, help="Warn if a curve is tighter than this: the laser slows down and may char the wood.",
    ))  # fmt: skip

    thickness: float = later(number(3.0, title="Thickness", minimum=1.0, maximum=30.0, step=0.5, unit="mm",
        group=PRINTING, help="Thickness of printed pieces."))  # fmt: skip
    play: float = later(number(0.2, title="Clearance", minimum=0.0, maximum=2.0, step=0.05, unit="mm", group=PRINTING,
        help="Clearance between printed pieces."))  # fmt: skip
    chamfer: float = later(number(0.3, title="Chamfer", minimum=0.0, maximum=0.4, step=0.1, unit="mm", least=0.05,
        group=PRINTING, help="Chamfers the top and bottom edges, so that the first layer does not bulge."))  # fmt: skip
    bed: str = later(choice(SPREAD, {SPREAD: "Spread apart", ASSEMBLED: "Assembled"}, title="Layout", group=PRINTING,
        help="Lays printed pieces out spread apart, or assembled with only the clearance between them."))  # fmt: skip
    line_width: float = later(number(0.4, title="Line width", minimum=0.0, maximum=2.0, step=0.05, unit="mm",
        zero="Off", group=PRINTING,
        help="Warn if a printed neck is narrower than this, the nozzle's width; 0 does not warn.",
    ))  # fmt: skip
    relief: float = later(number(0.0, title="Relief height", minimum=0.0, maximum=10.0, step=0.2, unit="mm", least=0.1,
        zero="None", group=PRINTING,
        help="Raises the picture above printed pieces by up to this height; 0 leaves them flat.",
    ))  # fmt: skip
    relief_raised: str = later(choice(DARK, {DARK: "Dark areas", LIGHT: "Light areas"}, title="Raised",
        group=PRINTING, help="Raises dark areas as in a lithophane, or light areas as in a bas-relief."))  # fmt: skip
    relief_grid: float = later(number(0.4, title="Relief detail", minimum=0.2, maximum=5.0, step=0.1, unit="mm",
        group=PRINTING, help="Grid spacing of the relief; finer than the nozzle is not printed."))  # fmt: skip

    tray: bool = later(flag(False, title="Tray", group=TRAY,
        help="Adds a base and a frame around the puzzle, exported beside it."))  # fmt: skip
    tray_clearance: float = later(number(0.5, title="Clearance", minimum=0.0, maximum=5.0, step=0.1, unit="mm",
        group=TRAY, help="Gap between puzzle and frame all round, as cut."))  # fmt: skip
    tray_rim: float = later(number(15.0, title="Rim width", minimum=2.0, maximum=200.0, step=1.0, unit="mm",
        group=TRAY, help="Width of the frame around the puzzle."))  # fmt: skip
    tray_form: str = later(choice(FOLLOWS, {FOLLOWS: "Follows the board", BOX: "Rectangle"}, title="Outside",
        group=TRAY, help="Outer shape of the tray."))  # fmt: skip
    tray_corner: float = later(number(10.0, title="Outer radius", minimum=0.0, maximum=200.0, step=1.0, unit="mm",
        group=TRAY, help="Rounds the corners of the outside; 0 keeps them sharp."))  # fmt: skip
    tray_notches: int = later(integer(2, title="Finger notches", minimum=0, maximum=12, group=TRAY,
        help="Number of round notches in the frame for lifting the puzzle, spread evenly."))  # fmt: skip
    tray_notch: float = later(number(9.0, title="Notch radius", minimum=2.0, maximum=100.0, step=0.5, unit="mm",
        group=TRAY, help="How far a notch reaches into the frame."))  # fmt: skip
    tray_lid: str = later(choice(NO_LID, {NO_LID: "None", PLAIN_LID: "Plain", RECESSED: "With picture recess"},
        title="Lid", group=TRAY,
        help="A lid with a rim around the tray; a recess as large as the puzzle holds a picture.",
    ))  # fmt: skip

    def __post_init__(self) -> None:
        """Raise ParameterError, with the name and the bounds, for values out of bounds."""
        validate(self)
        if not self.style_keys:
            raise ParameterError(
                "tongue_style", tr("Mixed tongues need a style whose weight is above 0; all weights are 0.")
            )
        largest = min(ROUNDEST * min(self.cell), self.width / 2, self.height / 2)
        if self.outline == RECTANGLE and self.corner_radius > largest:
            raise ParameterError(
                "corner_radius",
                tr(
                    "corner_radius must be at most {largest:.4g} mm on this board, not {radius:g}: the arc would reach "
                    "past the first cuts.", largest=largest, radius=self.corner_radius,
                ),
            )  # fmt: skip

    def layout(self, share: float = 1.0) -> tuple[int, int]:
        """Columns and rows; `share` is the part of its box that the outline fills, for a wished number of pieces."""
        if not self.pieces:
            return self.columns, self.rows
        even = EVEN.get(self.tiling, 1.0) * self.height / self.width
        if self.exact and self.is_countable:
            return _exact(self.pieces, even, self.tiling in HALVED)
        return _layout(self.pieces / share, even)

    @property
    def is_countable(self) -> bool:
        """True if the number of pieces follows from columns and rows alone; elsewhere the outline or chance decides."""
        return self.outline == RECTANGLE and self.tiling in (GRID, VORONOI, *HALVED) and not self.noodles

    @property
    def can_count(self) -> bool:
        """True if pieces can be merged for an exact number."""
        return self.layout_version > 1 and self.tiling != DRAWN

    @property
    def is_counted(self) -> bool:
        """True if the board is made to have exactly the wished number of pieces."""
        return self.exact and self.pieces > 0 and self.can_count

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of an unperturbed piece in mm."""
        columns, rows = self.layout(SHARES.get(self.outline, 1.0))
        return self.width / columns, self.height / rows

    @property
    def weights(self) -> dict[str, int]:
        """Weights of the styles among mixed tongues, by key."""
        return {key: getattr(self, f"mix_{key}") for key in WEIGHTED}

    @property
    def special_shares(self) -> tuple[float, float, float]:
        """Shares of tongues with earlets, double knobs and figural knobs."""
        return self.earlet_share, self.double_share, self.figural_share

    @property
    def style_keys(self) -> tuple[str, ...]:
        """Keys of the styles of tongues without edits."""
        if self.tongue_style != MIXED:
            return (self.tongue_style,)
        return tuple(key for key, weight in self.weights.items() if weight)

    @property
    def shaped_parts(self) -> frozenset[str]:
        """Parts of a tongue that can be scaled in any of these styles."""
        return shaped_parts(self.style_keys)


@lru_cache(maxsize=64)
def _layout(wanted: float, even: float) -> tuple[int, int]:
    """Choose columns and rows for nearly a wished number of pieces, nearly as high as wide."""
    usual = math.sqrt(wanted / even)

    def misfit(layout: tuple[int, int]) -> float:
        columns, rows = layout
        return COUNTS * abs(columns * rows / wanted - 1) + abs(math.log(columns / rows * even))

    across = range(min(MOST_ACROSS, max(1, int(usual / 1.5))), min(MOST_ACROSS, int(1.5 * usual) + 1) + 1)
    layouts = [(columns, min(MOST_ACROSS, max(1, round(wanted / columns)))) for columns in across]
    return min(layouts, key=misfit)


@lru_cache(maxsize=64)
def _exact(wanted: int, even: float, is_halved: bool) -> tuple[int, int]:
    """Choose columns and rows for exactly a wished number of pieces, as square as possible, or the best compromise if
    all such pieces are too long."""

    def misfit(layout: tuple[int, int]) -> tuple[bool, float]:
        columns, rows = layout
        # Pieces too wide are as good as pieces too high by the same ratio; rounding keeps both equal.
        count, longer = columns * rows + is_halved * (rows // 2), round(abs(math.log(columns / rows * even)), 9)
        is_good = count == wanted and longer <= math.log(LONGEST)
        return not is_good, COUNTS * abs(count / wanted - 1) + longer

    across = range(1, min(MOST_ACROSS, wanted) + 1)
    layouts = ((columns, round(wanted / (columns + is_halved / 2))) for columns in across)
    return min(((columns, min(MOST_ACROSS, max(1, rows))) for columns, rows in layouts), key=misfit)


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
    """A moved corner: its offset in cells, to the right of and below its regular place."""

    name: str
    right: float
    down: float

    def __post_init__(self) -> None:
        """Raise ParameterError for offsets out of bounds."""
        _bounded(self, "right", -LARGEST_SHIFT, LARGEST_SHIFT)
        _bounded(self, "down", -LARGEST_SHIFT, LARGEST_SHIFT)


@dataclass(frozen=True)
class TongueEdit(Decision):
    """Edits of a tongue; None leaves a value to the seed.

    `side` is 1 for a tongue to the right of its direction and -1 to the left; `size`, `place` and `slant` are fractions
    as in the parameters; `head`, `neck`, `shoulder` and `fullness` are multiples of the style's.
    A balance is the fraction by which a part is larger on the side of the second corner, and smaller on the other.
    `style` is the key of its own style. `ruled` makes it a straight line, even if its ends would bend.
    `rolls` is the number of times it was randomised; `locked_seed` is the seed it keeps.
    """

    side: int | None = None
    plain: bool | None = None
    size: float | None = None
    place: float | None = None
    slant: float | None = None
    rolls: int = 0
    locked_seed: int | None = None
    head: float | None = None
    neck: float | None = None
    shoulder: float | None = None
    fullness: float | None = None
    head_balance: float | None = None
    neck_balance: float | None = None
    shoulder_balance: float | None = None
    fullness_balance: float | None = None
    style: str | None = None
    ruled: bool = False

    def __post_init__(self) -> None:
        """Raise ParameterError for values out of bounds."""
        for name, (low, high) in BOUNDS.items():
            _bounded(self, name, low, high)
        if self.side not in (None, -1, 1) or type(self.side) is bool:
            raise ParameterError("side", tr("side must be 1 or -1, not {side}.", side=str(self.side)[:40]))
        if self.style is not None and self.style not in TITLES:
            raise ParameterError(
                "style",
                tr("style must be {styles}, not {style}.", styles=alternatives(TITLES), style=str(self.style)[:40]),
            )
        refuse_beyond(self, rolls=10**6, locked_seed=LARGEST_SEED)

    @property
    def mirrored(self) -> TongueEdit:
        """Edit for the same tongue of the mirrored figure: its two sides change places."""
        values: dict[str, Any] = {name: getattr(self, name) for name in ("place", "slant", *BALANCES)}
        other: dict[str, Any] = {name: -value or 0.0 for name, value in values.items() if value is not None}
        return replace(self, **other)

    @property
    def is_only_kept(self) -> bool:
        """True if no value is edited: the tongue was at most randomised or locked."""
        return replace(self, rolls=0, locked_seed=None) == TongueEdit(self.name)


@dataclass(frozen=True)
class JigsawDesign:
    """A jigsaw as saved and undone: parameters and sparse edits, sorted by name.

    `merged` names the omitted cuts, which merge the pieces on either side, and `dropped` the pieces left open. `path`
    is the outline from a file, rings from the origin in mm, stretched to the board's width and height; `cuts` are drawn
    within it, and `loose` lines part nothing. `whimsies` are figures on the board. `profile` is the maker's custom
    tongue. `picture` is under the cuts. `engravings` are texts and drawings on the face or back. `mask` is the
    protected area, which tongues and corners keep clear of, `uncut` an area without cuts; cuts follow `lines`, and rows
    run along `flow_lines`.
    """

    parameters: JigsawParameters = JigsawParameters()
    corners: tuple[CornerEdit, ...] = ()
    tongues: tuple[TongueEdit, ...] = ()
    merged: tuple[str, ...] = ()
    path: tuple[Ring, ...] = ()
    dropped: tuple[str, ...] = ()
    cuts: tuple[DrawnCut, ...] = ()
    loose: tuple[LooseLine, ...] = ()
    whimsies: tuple[Whimsy, ...] = ()
    profile: Stored | None = None
    picture: BoardPicture | None = None
    engravings: tuple[Engraving, ...] = ()
    mask: Mask | None = None
    flow_lines: tuple[Way, ...] = ()
    uncut: Mask | None = None
    lines: tuple[FollowedLine, ...] = ()
    BY_NAME: ClassVar = ("corners", "tongues", "merged", "cuts", "loose", "whimsies", "engravings")
    """Edits that a file may hold in any order."""

    def __post_init__(self) -> None:
        """Raise ParameterError for two edits of an element, an invalid outline, and missing profiles and pictures."""
        refuse_disorder(self.corners)
        refuse_disorder(self.tongues)
        refuse_disorder(self.whimsies)
        refuse_disorder(self.engravings)
        if [*self.merged] != sorted({*self.merged}):
            raise ParameterError("merged", tr("merged must be sorted, each cut once."))
        if [*self.dropped] != sorted({*self.dropped}):
            raise ParameterError("dropped", tr("dropped must be sorted, each piece once."))
        refuse_no_path(self.parameters.outline, self.path)
        refuse_no_flow_lines(self.parameters.flow, self.flow_lines)
        refuse_disorder(self.cuts)
        refuse_disorder(self.loose)
        curves = [*(cut.curve for cut in self.cuts), *(line.curve for line in self.loose)]
        if sum(map(len, curves)) > MOST_DRAWN:
            raise ParameterError("cuts", tr("cuts must have at most {most} points.", most=MOST_DRAWN))
        if self.parameters.tiling == DRAWN and not self.cuts:
            raise ParameterError("tiling", tr("Import cuts from an SVG or DXF file first."))
        if self.parameters.tiling == DRAWN and self.parameters.outline != FROM_FILE:
            raise ParameterError("outline", KEEPS_OUTLINE)
        if self.profile is not None:
            own_profile(self.profile)
        elif OWN in self.parameters.style_keys:
            raise ParameterError("tongue_style", tr("Draw or import a custom tongue first."))
        if len(self.lines) > MOST_LINES:
            raise ParameterError("lines", tr("lines must be at most {most}.", most=MOST_LINES))
        for name, each in (("mask", self.mask), ("uncut", self.uncut), *(("lines", line) for line in self.lines)):
            if each is not None and each.on_picture and self.picture is None:
                raise ParameterError(name, tr("{name} belongs to a picture, but there is none.", name=name))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the board in mm."""
        return self.parameters.width, self.parameters.height

    def with_picture(self, picture: BoardPicture | None) -> JigsawDesign:
        """Replace or remove the picture; painted areas and lines keep their places when a picture comes or goes."""
        mask, uncut = (rebound(each, self.picture, picture, self.size) for each in (self.mask, self.uncut))
        lines = lines_rebound(self.lines, self.picture, picture, self.size)
        return replace(self, picture=picture, mask=mask, uncut=uncut, lines=lines)

    @property
    def styles(self) -> tuple[Style, ...]:
        """Styles of tongues, by number."""
        return styles_with(self.profile)

    def with_profile(self, profile: Stored) -> JigsawDesign:
        """Replace the custom profile; use it for all tongues unless some use it already."""
        is_used = OWN in self.parameters.style_keys or any(edit.style == OWN for edit in self.tongues)
        parameters = self.parameters if is_used else replace(self.parameters, tongue_style=OWN)
        return replace(self, parameters=parameters, profile=profile)

    def with_engraving(self, engraving: Engraving) -> JigsawDesign:
        """Add an engraving, or replace the engraving of its name."""
        return self.with_engravings((engraving,))

    def with_engravings(self, engravings: Iterable[Engraving]) -> JigsawDesign:
        """Add engravings, or replace the engravings of their names."""
        return replace(self, engravings=merged(self.engravings, tuple(engravings)))

    def without_engraving(self, name: str) -> JigsawDesign:
        """Remove an engraving. Raise StudioError if its name is unknown."""
        if found(self.engravings, name) is None:
            raise StudioError(tr("There is no engraving {name} on the board.", name=name[:40]))
        return replace(self, engravings=merged(self.engravings, (), (name,)))

    def tongue(self, name: str) -> TongueEdit:
        """Edit of a tongue; blank if the tongue is not edited."""
        return found(self.tongues, name) or TongueEdit(name)

    def corner(self, name: str) -> CornerEdit | None:
        """Edit of a corner, or None if it was not moved."""
        return found(self.corners, name)

    def with_corners(self, places: Mapping[str, tuple[float, float]]) -> JigsawDesign:
        """Move corners by offsets in cells, right and down."""
        return replace(self, corners=merged(self.corners, (CornerEdit(n, *at) for n, at in places.items())))

    def without_corners(self, names: Iterable[str]) -> JigsawDesign:
        """Reset corners."""
        return replace(self, corners=merged(self.corners, (), names))

    def with_cuts(self, merged: Iterable[str] = (), parted: Iterable[str] = ()) -> JigsawDesign:
        """Omit the cuts `merged`, and restore the cuts `parted`."""
        return replace(self, merged=tuple(sorted({*self.merged, *merged} - {*parted})))

    def with_drop_outs(self, dropped: Iterable[str] = (), restored: Iterable[str] = ()) -> JigsawDesign:
        """Leave the pieces `dropped` open, and cut the pieces `restored` again."""
        return replace(self, dropped=tuple(sorted({*self.dropped, *dropped} - {*restored})))

    def with_tongues(self, edits: Iterable[TongueEdit]) -> JigsawDesign:
        """Replace edits of tongues; a blank edit resets its tongue."""
        return replace(self, tongues=changed(self.tongues, edits))


TRAY_FIELDS = (
    "tray_clearance", "tray_rim", "tray_form", "tray_corner", "tray_notches", "tray_notch", "tray_lid",
)  # fmt: skip
"""Parameters of a tray."""


def idle_parameters(parameters: JigsawParameters) -> set[str]:
    """Names of the parameters without effect, such as sides of a rectangle, or weights if tongues are not mixed."""
    needed = {
        "corner_radius": parameters.outline == RECTANGLE,
        "sides": parameters.outline == POLYGON,
        "middle_piece": parameters.tiling == RINGS,
        "exact": parameters.pieces > 0 and (parameters.is_countable or parameters.can_count),
        **dict.fromkeys(("columns", "rows", "pieces", "flow", "noodles"), parameters.tiling != DRAWN),
        "flow_strength": parameters.flow != NO_FLOW and parameters.tiling != DRAWN,
        "relief_raised": parameters.relief > 0,
        "relief_grid": parameters.relief > 0,
    }
    weights = {f"mix_{key}": parameters.tongue_style == MIXED for key in parameters.weights}
    needed |= dict.fromkeys(TRAY_FIELDS, parameters.tray)
    needed["tray_notch"] = parameters.tray and parameters.tray_notches > 0
    return {name for name, is_needed in (needed | weights).items() if not is_needed}
