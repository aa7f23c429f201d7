"""What can be wrong with a slitherlink: every problem with its words."""

from studio.checks.finding import Problem, Severity, problems_of


def _not_as_asked(found: str, wanted: str) -> str:
    if found:
        return f"The puzzle is {found}, not {wanted} as asked."
    return f"The puzzle is harder than asked: the rules of a puzzle that is {wanted} do not finish it."


# fmt: off
AMBIGUOUS = Problem("ambiguous", Severity.WARNING, "The puzzle has a second solution",
    "Another loop satisfies the clues too; they differ in {count} cells around {name}.",
    "The repair beside the list, which gives the clues that decide")
UNDECIDABLE = Problem("twin", Severity.WARNING, "Two loops have the same clues",
    "Another loop has the same clue in every cell; they differ around {name}.",
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
    "{count} cells of the shape, around {name}, are outside the loop: one loop cannot go around them all.",
    "Joining the parts of the shape, and filling its holes")
# fmt: on

PROBLEMS = problems_of(globals())
