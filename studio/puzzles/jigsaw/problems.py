"""What can be wrong with a jigsaw: every problem with its words."""

from studio.checks.finding import Problem, Severity, problems_of

# fmt: off
CROSSING = Problem("crossing", Severity.ERROR, "Two tongues cross or touch",
    "The tongues {tongues} cross. Make them smaller or flip one.",
    "Make them smaller, flip one, move the corner between them")
LOOP = Problem("self-crossing", Severity.ERROR, "A tongue crosses itself",
    "The tongue {tongues} crosses itself. Straighten it.", "Straighten it: place and slant to 0")
BORDER = Problem("border", Severity.ERROR, "A tongue runs into the border",
    "The tongue {tongues} runs into the border. Make it smaller or flip it.", "A smaller tongue or a flipped one")
BORDER_LOOP = Problem("border", Severity.ERROR, "The border runs over itself",
    "The border runs back over itself. Move its corners apart.", "Corners moved apart")
COUNT = Problem("count", Severity.ERROR,
    "The cuts do not make as many pieces as they should; marked in the middle of the board, since it has no place of "
    "its own",
    "The cuts make {found} whole pieces instead of {expected}. Mend the crossings first.",
    "Mend the crossings first")
LOST_PIECE = Problem("piece", Severity.ERROR, "Nothing is left of a piece",
    "The piece {piece} has only {area:.1f} mm²; the least piece is {least:g} mm².", "Move its corners apart")
SMALL_PIECE = Problem("piece", Severity.WARNING, "A piece is smaller than the least piece",
    LOST_PIECE.says, LOST_PIECE.helps)
BRIDGE = Problem("bridge", Severity.WARNING, "Two cuts are nearer than the least bridge",
    "Only {gap} mm of wood is left between {between}; the least bridge is {least:g} mm.",
    "Smaller tongues, or a lower limit if your wood bears it")
NECK = Problem("neck", Severity.WARNING, "A neck is narrower than the least neck",
    "The neck of {tongue} is {width} mm wide; the least neck is {least:g} mm. {advice}",
    "A larger tongue, larger pieces, less variation of the neck")
# fmt: on

PROBLEMS = problems_of(globals())
