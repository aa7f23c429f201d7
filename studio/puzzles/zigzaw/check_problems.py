"""The problems of a zigzaw, each with its words."""

from studio.checks.finding import Problem, Severity, problems_of

# fmt: off
AMBIGUOUS = Problem("ambiguous", Severity.WARNING, "The puzzle has more than one solution",
    "More than one solution: {count} pieces around {name} can be swapped.",
    "Recolour as few cubes as possible with the button beside the list")
UNPROVEN = Problem("unproven", Severity.WARNING, "The solution is not proven unique",
    "Search stopped after {nodes} pieces tried: there may be more than one solution.",
    "Use more different cubes or another seed")
ALIKE = Problem("colours", Severity.WARNING, "Two colours look alike",
    "{names} look alike on the pieces, so there may be more than one solution.",
    "Change one of the colours")
TWINS = Problem("twins", Severity.HINT, "Pieces are identical",
    "{names} have identical pieces, which can be swapped.",
    "Use more different cubes, or recolour one of them")
THIN = Problem("thin", Severity.WARNING, "The limbs are thin",
    "Limbs only {width:.1f} mm wide may break; use at least {least:.1f} mm.",
    "Increase the sticker edge or use a tougher material")
THIN_RIM = Problem("rim", Severity.WARNING, "The frame is narrow at a joint",
    "Only {width:.1f} mm is left between a joint of the frame and its edge; leave at least {least:.1f} mm.",
    "Widen the border or use a one-piece frame")
SMALL_MARKS = Problem("marks", Severity.HINT, "The registration marks are small",
    "The border of {border:.1f} mm leaves room for registration marks of only {size:.1f} mm.",
    "Widen the border")
SMALL_NUMBERS = Problem("numbers", Severity.WARNING, "The numbers on the back are too small to read",
    "Numbers {height:.1f} mm tall on the back are hard to read; use at least {least:.1f} mm.",
    "Increase the sticker edge or engrave a figure instead")
# fmt: on

PROBLEMS = problems_of(globals())
