"""What can be wrong with a zigzaw: every problem with its words."""

from studio.checks.finding import Problem, Severity, problems_of

# fmt: off
AMBIGUOUS = Problem("ambiguous", Severity.WARNING, "The puzzle has more than one solution",
    "The puzzle has more than one solution: {count} pieces around {name} can be swapped.",
    "The repair beside the list recolours as few cubes as it can")
UNPROVEN = Problem("unproven", Severity.WARNING, "The search is too long for a proof",
    "After {nodes} pieces tried the search was stopped: the puzzle may have more than one solution.",
    "More different cubes, or another seed")
ALIKE = Problem("colours", Severity.WARNING, "Two colours look alike",
    "{names} look alike on the pieces, so there may be more than one solution.",
    "Another colour for one of them")
TWINS = Problem("twins", Severity.HINT, "Pieces are the same",
    "{names} are the same piece, so it does not matter which of them lies where.",
    "More different cubes, or another colour for one of them")
THIN = Problem("thin", Severity.WARNING, "The limbs are thin",
    "The limbs of a piece are {width:.1f} mm wide and may break; {least:.1f} mm is safer.",
    "A longer sticker edge, or a tougher material")
THIN_RIM = Problem("rim", Severity.WARNING, "The frame is narrow where it is parted",
    "Only {width:.1f} mm are left between a cut through the frame and its edge; {least:.1f} mm is safer.",
    "A wider border, or a frame in one piece")
SMALL_MARKS = Problem("marks", Severity.HINT, "The registration marks are small",
    "The registration marks are only {size:.1f} mm large, since the border is {border:.1f} mm wide.",
    "A wider border")
SMALL_NUMBERS = Problem("numbers", Severity.WARNING, "The numbers on the back are too small to read",
    "The numbers on the back are {height:.1f} mm tall and hard to read; {least:.1f} mm is better.",
    "A longer sticker edge, or a figure instead of the numbers")
# fmt: on

PROBLEMS = problems_of(globals())
