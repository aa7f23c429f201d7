"""Design of a slitherlink: the grid, the loop and the given clues.

cell: a face of the grid that can have a clue, called by column and row, `C4`. inside: cells that the loop encloses.
clue: the number of a cell's edges on the loop; it follows from the loop, and is given or hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

from studio.base.parameters import Group, ParameterError, Validated, choice, integer, later, number, seed, undeclared
from studio.base.texts import tr
from studio.geometry.board.board_spec import (
    ARCH,
    BRICKS,
    ELLIPSE,
    FROM_FILE,
    HAND_CUT,
    HEART,
    OUTLINES,
    POLYGON,
    RECTANGLE,
    RINGS,
    SEEDED,
    VORONOI,
    Ring,
    refuse_no_path,
)
from studio.geometry.board.grids import GRIDS, HEXAGON, SQUARE, TRIANGLE, Grid, Layout, grid
from studio.solving.loops import LoopEdges, Net, net

LEAST, MOST = 3, 60
IN, OUT = "#", "."
"""Letter for a cell that is inside the loop, given or painted, and letter for any other."""
WINDING, FOLDED, OUTLINE = "winding", "folded", "outline"
LOOPS = {WINDING: tr("Winding"), FOLDED: tr("Folded"), OUTLINE: tr("Outline")}
EASY, NORMAL, TRICKY, HARD, FEWEST = "easy", "normal", "tricky", "hard", "fewest"
GRADES = {EASY: tr("Easy"), NORMAL: tr("Normal"), TRICKY: tr("Tricky"), HARD: tr("Hard")}
"""Difficulties, the easiest first, and their titles."""
DIFFICULTIES = {**GRADES, FEWEST: tr("Fewest clues")}
NO_SYMMETRY, HALF_TURN, MIRROR, QUARTER_TURN = "none", "half", "mirror", "quarter"
SYMMETRIES = {
    NO_SYMMETRY: tr("None"),
    HALF_TURN: tr("Half-turn"),
    MIRROR: tr("Mirror"),
    QUARTER_TURN: tr("Quarter-turn"),
}
PLAIN, PEGS, STICKS = "plain", "pegs", "sticks"
BOARDS = {PLAIN: tr("Engraved"), PEGS: tr("Holes for pegs"), STICKS: tr("Slots for sticks")}
"""Makings of a board, and their titles."""
CELLS = {
    SQUARE: tr("squares"), HEXAGON: tr("hexagons"), TRIANGLE: tr("triangles"), BRICKS: tr("bricks"),
    VORONOI: tr("Voronoi cells"), RINGS: tr("ring cells"), HAND_CUT: tr("hand-cut cells"),
}  # fmt: skip
WITHIN = {ELLIPSE: tr("an ellipse"), POLYGON: tr("a polygon"), HEART: tr("a heart"), ARCH: tr("an arch"),
          FROM_FILE: tr("an imported outline")}  # fmt: skip
"""Outlines, within a sentence about cells."""
MAKING = Group("Fabrication", is_rare=True)


@dataclass(frozen=True)
class SlitherlinkParameters(Validated):
    """The inputs of a slitherlink; lengths in mm."""

    grid: str = choice(SQUARE, GRIDS, title="Cells", group="Board", help="Shape of the cells.")
    columns: int = integer(10, title="Columns", minimum=LEAST, maximum=MOST, group="Board", help="Cells per row.")
    rows: int = integer(10, title="Rows", minimum=LEAST, maximum=MOST, group="Board", help="Number of rows.")
    outline: str = later(choice(RECTANGLE, OUTLINES, title="Outline", group="Board",
        help="Shape of the whole grid."))  # fmt: skip
    sides: int = later(integer(6, title="Sides", minimum=3, maximum=24, group="Board",
        help="Number of sides of a polygon."))  # fmt: skip
    seed: int = seed(1, group="Board", help="Random seed. The same seed always gives the same puzzle.")
    loop: str = choice(WINDING, LOOPS, title="Loop", group="Loop",
        help="Winding: long, many turns. Folded: folded in from the border. Outline: traces the shape.")  # fmt: skip
    ratio: float = number(1.8, title="Perimeter ratio", minimum=0.2, maximum=4.0, step=0.1, group="Loop",
        help="Loop edges per enclosed cell: a higher ratio folds the loop more.")  # fmt: skip
    area: float = number(0.5, title="Minimum area", minimum=0.1, maximum=1.0, step=0.05, group="Loop",
        help="Minimum fraction of the cells that a folded loop encloses.")  # fmt: skip
    difficulty: str = choice(NORMAL, DIFFICULTIES, title="Difficulty", group="Clues",
        help="Rules that solving needs. Fewest clues: as few as possible, at any difficulty.")  # fmt: skip
    symmetry: str = choice(HALF_TURN, SYMMETRIES, title="Symmetry", group="Clues",
        help="Symmetry of the clue pattern.")  # fmt: skip
    edge: float = number(12.0, title="Cell edge", minimum=3.0, maximum=100.0, step=0.5, unit="mm", group="Size",
        help="Edge length of a cell; about the average where edges differ.")  # fmt: skip
    border: float = number(10.0, title="Border", minimum=2.0, maximum=200.0, step=1.0, unit="mm", group="Size",
        help="Width of the blank rim around the cells.")  # fmt: skip
    board: str = choice(PLAIN, BOARDS, title="Board", group=MAKING,
        help="Dots for a pen, a hole for a peg at every dot, or a slot for a stick on every edge.")  # fmt: skip
    clue: float = number(0.0, title="Clue height", minimum=0.0, maximum=60.0, least=0.1, step=0.5, unit="mm",
        zero="Automatic", group=MAKING, help="Height of the digits; 0 = as large as the cells allow.")  # fmt: skip
    corner: float = number(4.0, title="Corner radius", minimum=0.0, maximum=100.0, step=0.5, unit="mm", group=MAKING,
        help="Radius of the corners of a rectangular board.")  # fmt: skip
    peg: float = number(4.0, title="Peg diameter", minimum=1.0, maximum=30.0, step=0.5, unit="mm", group=MAKING,
        help="Diameter of the dowels used as pegs.")  # fmt: skip
    play: float = number(0.1, title="Clearance", minimum=-0.3, maximum=1.0, step=0.05, unit="mm", group=MAKING,
        help="Clearance between peg or stick and board; negative for a press fit.")  # fmt: skip
    thickness: float = number(3.0, title="Thickness", minimum=1.0, maximum=20.0, step=0.1, unit="mm", group=MAKING,
        help="Measured sheet thickness, which sets the width of the slots.")  # fmt: skip
    wall: float = number(2.0, title="Minimum wall", minimum=0.5, maximum=20.0, step=0.1, unit="mm", group=MAKING,
        help="Minimum wood between two slots that meet at a dot.")  # fmt: skip
    stick: float = number(8.0, title="Stick height", minimum=2.0, maximum=60.0, step=0.5, unit="mm", group=MAKING,
        help="Height of the sticks above the board.")  # fmt: skip
    spares: int = integer(10, title="Spare sticks", minimum=0, maximum=500, group=MAKING,
        help="Sticks to cut beyond those the loop needs.")  # fmt: skip
    path: tuple[Ring, ...] = undeclared(())
    """The outline from a file, a ring from the origin in mm, stretched to the size that the cells give it."""

    def __post_init__(self) -> None:
        """Refuse values out of bounds, no outline, and sticks for edges of many lengths: raises ParameterError."""
        super().__post_init__()
        refuse_no_path(self.outline, self.path)
        if len(self.path) > 1:
            raise ParameterError("path", tr("path must be one ring without holes."))
        if self.board == STICKS and not self.layout.is_regular:
            raise ParameterError(
                "board",
                tr(
                    "Sticks need edges of equal length: use a rectangle of squares, hexagons, triangles or bricks, or "
                    "a board with holes for pegs."
                ),
            )

    @property
    def description(self) -> str:
        """Number, form and outline of the cells: `10 × 10 squares`, `87 Voronoi cells in a heart`."""
        return self.about if self.layout.is_regular else f"{len(self.form.cells)} {self.about}"

    @property
    def about(self) -> str:
        """The same whatever the seed: `10 × 10 squares`, `Voronoi cells in a heart`."""
        if self.layout.is_regular:
            return tr("{columns} × {rows} {cells}", columns=self.columns, rows=self.rows, cells=CELLS[self.grid])
        if self.outline == RECTANGLE:
            return CELLS[self.grid]
        return tr("{cells} in {outline}", cells=CELLS[self.grid], outline=WITHIN[self.outline])

    @cached_property
    def layout(self) -> Layout:
        """The input of the cells; irrelevant parameters have defaults, so that equal grids have equal layouts."""
        usual = SlitherlinkParameters
        sides = self.sides if self.outline == POLYGON else usual.sides
        number = self.seed if self.grid in SEEDED else 0
        path = self.path if self.outline == FROM_FILE else ()
        return Layout(self.grid, self.columns, self.rows, self.outline, sides, number, path)

    @property
    def form(self) -> Grid:
        """The cells; raises StudioError if the outline leaves no room for them."""
        return grid(self.layout)

    @property
    def net(self) -> Net:
        """The cells as searches see them."""
        return _net(self.layout)


@lru_cache(maxsize=16)
def _net(layout: Layout) -> Net:
    cells = grid(layout)
    return net(cells.cells, [(one, other) for one, other in cells.edges.tolist()])


@dataclass(frozen=True)
class SlitherlinkDesign:
    """A slitherlink as saved and undone.

    `inside` and `given` have a text for each row, of the enclosed cells and of the given clues. Whatever else changes,
    the cells in `own_cells` keep their side of the loop, and clues of the cells in `own_clues` stay given or hidden;
    both are sorted. `shape` is the room for the inside, painted or from a picture, or empty for everywhere.
    """

    parameters: SlitherlinkParameters
    inside: tuple[str, ...]
    given: tuple[str, ...]
    own_cells: tuple[str, ...] = ()
    own_clues: tuple[str, ...] = ()
    shape: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ParameterError for rows that do not fit the grid, or that do not make one loop."""
        p = self.parameters
        _refuse_rows("inside", self.inside, p)
        _refuse_rows("given", self.given, p)
        if self.shape:
            _refuse_rows("shape", self.shape, p)
        for name in ("own_cells", "own_clues"):
            own = getattr(self, name)
            if list(own) != sorted(set(own)) or not set(own) <= p.form.numbers.keys():
                raise ParameterError(
                    name, tr("{name} must list cells of the grid, sorted, without duplicates.", name=name)
                )
        if not p.net.is_even(self.line) or len(p.net.loops(self.line)) != 1:
            raise ParameterError("inside", tr("The cells inside must be enclosed by a single loop."))

    @cached_property
    def line(self) -> LoopEdges:
        """The edges of the loop, ascending."""
        return tuple(self.parameters.net.line(cells_of(self.inside)))

    @cached_property
    def counts(self) -> list[int]:
        """Number of edges of the loop around every cell."""
        return self.parameters.net.counts(self.line)

    @cached_property
    def clues(self) -> dict[int, int]:
        """The given clues, by cell."""
        return {cell: self.counts[cell] for cell, is_given in enumerate(cells_of(self.given)) if is_given}

    @cached_property
    def allowed(self) -> tuple[int, ...]:
        """The cells that may be inside."""
        count = self.parameters.net.outside
        if not self.shape:
            return tuple(range(count))
        return tuple(cell for cell, is_in in enumerate(cells_of(self.shape)) if is_in)

    def with_inside(self, cells: Sequence[bool], changed: Collection[int]) -> SlitherlinkDesign:
        """The design with another inside, in which the maker changed some cells; raises ParameterError."""
        own = {*self.own_cells, *self.names_of(changed)}
        return replace(self, inside=rows_of(self.parameters, cells), own_cells=tuple(sorted(own)))

    def with_given(self, changes: dict[int, bool]) -> SlitherlinkDesign:
        """The design with some clues added or removed by the maker."""
        given = cells_of(self.given)
        for cell, is_given in changes.items():
            given[cell] = is_given
        own = {*self.own_clues, *self.names_of(changes)}
        return replace(self, given=rows_of(self.parameters, given), own_clues=tuple(sorted(own)))

    def place_of(self, cells: Sequence[int]) -> str:
        """The place of cells, in words: the name of a single cell, or their number around the first."""
        first = self.names_of(cells[:1])[0]
        return first if len(cells) == 1 else tr("{count} cells around {cell}", count=len(cells), cell=first)

    def apart(self, other: LoopEdges) -> list[int]:
        """The cells that are on opposite sides of this loop and another."""
        theirs = self.parameters.net.enclosed(other)
        return [cell for cell, is_in in enumerate(cells_of(self.inside)) if is_in != theirs[cell]]

    def names_of(self, cells: Iterable[int]) -> list[str]:
        """The names of cells."""
        names = self.parameters.form.names
        return [names[cell] for cell in cells]


@dataclass(frozen=True)
class Loop:
    """A loop: the places (x, y) of its dots in turn, in edges of a cell from the top left, and the cells inside."""

    dots: tuple[tuple[float, float], ...]
    inside: tuple[str, ...]


def loop_of(design: SlitherlinkDesign, _target: object, _progress: object) -> Loop:
    """The loop of a design, which its clues always allow."""
    p = design.parameters
    ways = [p.net.ends[edge] for edge in p.net.loops(design.line)[0]]
    # Each edge begins at the dot that it shares with the one before.
    dots = [next(iter({*one} & {*other})) for one, other in zip([ways[-1], *ways[:-1]], ways, strict=True)]
    places = p.form.corners(1.0)[dots].round(6).tolist()
    inside = [cell for cell, is_in in enumerate(cells_of(design.inside)) if is_in]
    return Loop(tuple((x, y) for x, y in places), tuple(design.names_of(inside)))


def _refuse_rows(name: str, rows: tuple[str, ...], parameters: SlitherlinkParameters) -> None:
    counts = parameters.form.counts
    if len(rows) != len(counts):
        raise ParameterError(
            name, tr("{name} must have {rows} rows, not {count}.", name=name, rows=len(counts), count=len(rows))
        )
    for row, (text, columns) in enumerate(zip(rows, counts, strict=True)):
        if len(text) != columns or not {*text} <= {IN, OUT}:
            problem = tr(
                "{name}[{row}] must have {columns} characters, each '{inside}' or '{outside}'.",
                name=name,
                row=row,
                columns=columns,
                inside=IN,
                outside=OUT,
            )
            raise ParameterError(name, problem)


def cells_of(rows: Sequence[str]) -> list[bool]:
    """Return for each cell whether it is in, from the texts of rows."""
    return [letter == IN for row in rows for letter in row]


def rows_of(parameters: SlitherlinkParameters, cells: Sequence[bool]) -> tuple[str, ...]:
    """The texts of rows, from a flag for each cell; further flags are ignored."""
    ends = accumulate(parameters.form.counts, initial=0)
    return tuple("".join(IN if is_in else OUT for is_in in cells[low:high]) for low, high in pairwise(ends))
