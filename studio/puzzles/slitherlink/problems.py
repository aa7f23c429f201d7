"""What can be wrong with a slitherlink: every problem with its words."""

from studio.checks.finding import Problem, Severity, problems_of
from studio.texts import tr


def _not_as_asked(found: str, wanted: str) -> str:
    if found:
        return tr("The puzzle is {found}, not {wanted} as asked.", found=found, wanted=wanted)
    return tr(
        "The puzzle is harder than asked: the rules of a puzzle that is {wanted} do not finish it.", wanted=wanted
    )


# fmt: off
AMBIGUOUS = Problem("ambiguous", Severity.WARNING, "The puzzle has a second solution",
    "Another loop satisfies the clues too; they differ in {where}.",
    "The repair beside the list, which gives the clues that decide")
UNDECIDABLE = Problem("twin", Severity.WARNING, "Two loops have the same clues",
    "Another loop has the same clue in every cell; they differ in {where}.",
    "Changing the loop there")
UNPROVEN = Problem("unproven", Severity.WARNING, "The proof takes too long",
    "Not proven in {steps} steps of the search: the puzzle may have a second solution.",
    "More clues, or a smaller grid")
ASYMMETRIC = Problem("symmetry", Severity.HINT, "The grid has no such symmetry",
    "{rows} rows of {columns} {form} have no {symmetry} symmetry, so clues were removed one by one.",
    "Another number of columns or rows, or another symmetry")
UNLIKE = Problem("difficulty", Severity.HINT, "The puzzle is not as hard as asked", _not_as_asked,
    "Another difficulty or seed; where clues were edited, more of them for an easier puzzle, fewer for a harder one")
STRAIGHT = Problem("ratio", Severity.HINT, "The loop is not as crumpled as asked",
    "The loop has {ratio:.2f} edges for each cell inside, not {wanted:g}: no more cells can be folded in.",
    "A lower length to area, or a smaller minimum area")
SPLIT = Problem("shape", Severity.HINT, "The loop does not fill the shape",
    "The loop cannot go around the whole shape: it leaves out {where}.",
    "Joining the parts of the shape, and filling its holes")
OUTSIDE = Problem("shape", Severity.HINT, "The loop leaves the shape",
    "The loop leaves the shape in {where}: edited cells keep their side.", "Resetting those cells")
HOLES_MEET = Problem("holes", Severity.ERROR, "Holes run into each other",
    "Holes of {hole:.1f} mm run into each other where cells have an edge of {edge:g} mm.",
    "A larger cell edge, or thinner pegs")
HOLES_CLOSE = Problem("holes", Severity.WARNING, "Holes are close to each other",
    "Only {left:.1f} mm of wood are left between two holes.", "A larger cell edge, or thinner pegs")
SLOT = Problem("slot", Severity.ERROR, "Slots are too short for their sticks",
    "Between the walls at its ends a slot has {left:.1f} mm; a stick needs {least:g} mm.",
    "A larger cell edge, a thinner sheet, or a thinner wall")
WALL = Problem("wall", Severity.WARNING, "The wood between slots is thin",
    "A wall of {wall:g} mm between two slots breaks easily; leave {least:g} mm.", "A thicker wall")
RIM_OPEN = Problem("rim", Severity.ERROR, "Holes or slots reach the rim",
    "The {what} reach the rim of the board.", "A wider border, or a smaller corner radius")
RIM_THIN = Problem("rim", Severity.WARNING, "The rim is thin",
    "Only {left:.1f} mm of wood are left between the {what} and the rim; leave {least:g} mm.",
    "A wider border, or a smaller corner radius")
SMALL_CLUES = Problem("clue", Severity.WARNING, "Clues are too small to read",
    "Clues are {height:.1f} mm tall; below {least:g} mm they are hard to read.", "Larger cells")
LARGE_CLUES = Problem("clue", Severity.WARNING, "Clues are too large for their cells",
    "Clues {height:g} mm tall reach {reached}; {most:.1f} mm is the most.", "A smaller clue height, or 0")
CLUES_MEET = Problem("clue", Severity.ERROR, "Clues are taller than their cells and run into one another",
    "Clues {height:g} mm tall run into one another: a cell is {most:.1f} mm wide.", "A smaller clue height, or 0")
# fmt: on

PROBLEMS = problems_of(globals())
