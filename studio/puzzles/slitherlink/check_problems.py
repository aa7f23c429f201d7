"""The problems of a slitherlink, with their texts."""

from studio.base.texts import tr
from studio.checks.finding import Problem, Severity, problems_of


def _not_as_asked(found: str, wanted: str) -> str:
    if found:
        return tr("The puzzle is {found}, not {wanted}.", found=found, wanted=wanted)
    return tr("The puzzle is harder than {wanted}: the rules of that level do not solve it.", wanted=wanted)


# fmt: off
AMBIGUOUS = Problem("ambiguous", Severity.WARNING, "The puzzle has a second solution",
    "Another loop also satisfies the clues; it differs in {where}.",
    "Add the deciding clues with the button beside the list")
UNDECIDABLE = Problem("twin", Severity.WARNING, "Two loops have the same clues",
    "Another loop has the same clue in every cell; it differs in {where}.",
    "Change the loop there")
UNPROVEN = Problem("unproven", Severity.WARNING, "The solution is not proven unique",
    "Not proven unique in {steps} search steps: there may be a second solution.",
    "Add clues or use a smaller grid")
ASYMMETRIC = Problem("symmetry", Severity.HINT, "The grid does not allow this symmetry",
    "{board} allow no {symmetry} symmetry, so clues were removed one by one.",
    "Change the columns, rows or symmetry")
UNLIKE = Problem("difficulty", Severity.HINT, "The difficulty was not met", _not_as_asked,
    "Try another difficulty or seed; if you edited clues, add some to make it easier or remove some to make it harder")
CROWDED = Problem("clues", Severity.HINT, "More than half the cells have a clue",
    "{given} of {total} cells have a clue; easy puzzles should have at most half.",
    "Try another seed, loop or symmetry, or a larger board")
STRAIGHT = Problem("ratio", Severity.HINT, "The perimeter ratio was not reached",
    "The loop has {ratio:.2f} edges per cell inside, not {wanted:g}; it cannot be folded any further.",
    "Lower the perimeter ratio or the minimum area")
SPLIT = Problem("shape", Severity.HINT, "The loop does not fill the shape",
    "The loop cannot enclose the whole shape; it leaves out {where}.",
    "Join the parts of the shape and fill its holes")
OUTSIDE = Problem("shape", Severity.HINT, "The loop leaves the shape",
    "The loop leaves the shape in {where}, because edited cells keep their side.", "Reset those cells")
HOLES_MEET = Problem("holes", Severity.ERROR, "Holes overlap",
    "{hole:.1f} mm holes overlap with a cell edge of {edge:g} mm.",
    "Increase the cell edge or use thinner pegs")
HOLES_CLOSE = Problem("holes", Severity.WARNING, "Holes are too close together",
    "Only {left:.1f} mm of wood is left between two holes.", "Increase the cell edge or use thinner pegs")
SLOT = Problem("slot", Severity.ERROR, "Slots are too short for their sticks",
    "A slot is only {left:.1f} mm long; a stick needs {least:g} mm.",
    "Increase the cell edge, or use a thinner sheet or wall")
WALL = Problem("wall", Severity.WARNING, "The wood between slots is thin",
    "A {wall:g} mm wall between two slots breaks easily; use at least {least:g} mm.", "Increase the minimum wall")
RIM_OPEN = Problem("rim", Severity.ERROR, "Holes or slots reach the edge of the board",
    "The {openings} reach the edge of the board.", "Widen the border or reduce the corner radius")
RIM_THIN = Problem("rim", Severity.WARNING, "The rim is thin",
    "Only {left:.1f} mm of wood is left between the {openings} and the edge of the board; leave at least {least:g} mm.",
    "Widen the border or reduce the corner radius")
SMALL_CLUES = Problem("clue", Severity.WARNING, "Clues are too small to read",
    "Clues {height:.1f} mm tall are hard to read; use at least {least:g} mm.", "Enlarge the cells")
LARGE_CLUES = Problem("clue", Severity.WARNING, "Clues are too large for their cells",
    "Clues {height:g} mm tall reach {limit}; the maximum is {most:.1f} mm.", "Reduce the clue height or set it to 0")
CLUES_MEET = Problem("clue", Severity.ERROR, "Clues overlap",
    "Clues {height:g} mm tall overlap: a cell is only {most:.1f} mm wide.", "Reduce the clue height or set it to 0")
# fmt: on

PROBLEMS = problems_of(globals())
