"""The problems of calendar puzzles and their texts."""

from studio.base.amounts import many
from studio.base.texts import tr
from studio.checks.finding import Problem, Severity, problems_of


def _areas(area: int, covered: int, places: int, groups: int) -> str:
    cells = many(places, "cell")
    return tr(
        "The pieces cover {squares}; the board needs {needed} ({cells}).",
        squares=many(area, "square"),
        needed=covered,
        cells=tr("{cells}, {count} of them uncovered", cells=cells, count=groups) if groups else cells,
    )


# fmt: off
NO_LABELS = Problem("labels", Severity.ERROR, "The board has no labels",
    "The board has no labels, so every cell is covered and there is nothing to solve.",
    "Use the fix in the list, or add labels in Edit")
GAP = Problem("gap", Severity.ERROR, "A label is missing",
    "Missing {labels}: {lacking}.", "Use the fix in the list, or add the label in Edit")
DOUBLE = Problem("double", Severity.ERROR, "A label appears twice",
    "{count} cells are {group} {value}: {places}.", "Use the fix in the list, or change a label in Edit")
ALIKE = Problem("text", Severity.WARNING, "Labels share a text",
    "{count} {labels} share the text {text}: {places}.", "Change one of the texts")
LETTER = Problem("letter", Severity.ERROR, "A label cannot be engraved",
    "{text} on {cell} cannot be engraved. {reason}", "Use other letters")
AREA = Problem("area", Severity.ERROR, "The pieces do not match the board's area",
    _areas, "Add, remove or change pieces; `Find pieces` suggests sets")
PARTS = Problem("parts", Severity.ERROR, "A piece is in several parts",
    "Piece {piece} is in {count} parts; squares must join edge to edge.", "Redraw it")
CORNERS = Problem("parts", Severity.ERROR, "A piece is joined only at corners",
    "Piece {piece} is joined only at corners; squares must join edge to edge.", "Redraw it")
HOLE = Problem("hole", Severity.ERROR, "A piece has a hole",
    "Piece {piece} has a hole and cannot be cut as one outline.", "Redraw it")
PINCHED = Problem("hole", Severity.ERROR, "A piece encloses a hole at a corner",
    "Piece {piece} encloses a hole at a corner and cannot be cut as one outline.", "Redraw it")
FITS_NOWHERE = Problem("unused", Severity.ERROR, "A piece fits nowhere on the board",
    "Piece {piece} fits nowhere on the board.", "Redraw or replace it")
UNUSABLE = Problem("unused", Severity.ERROR, "A piece can never be used",
    "Piece {piece} can never be used: every placement covers a whole group of labels.", "Redraw or replace it")
TWINS = Problem("twins", Severity.HINT, "Pieces are identical",
    "{names} are identical; swapping them does not count as another solution.", "Change one of them for more variety")
NO_DATE = Problem("unsolved", Severity.ERROR, "No day exists in any month of the board",
    "No day on the board exists in any of its months, so there is nothing to solve.", "Change the labels")
NONE_SOLVED = Problem("unsolved", Severity.ERROR, "No date has a solution",
    "None of the {dates} has a solution.", "Look for other pieces in `Find pieces`")
ONE_UNSOLVED = Problem("unsolved", Severity.ERROR, "The only date has no solution",
    "The only {date} has no solution.", "Look for other pieces in `Find pieces`")
UNSOLVED = Problem("unsolved", Severity.WARNING, "Some dates have no solution",
    "No solution for {count} of {all_dates}: {dates}.", "Look for other pieces in `Find pieces`")
SINGLE = Problem("single", Severity.HINT, "A date has exactly one solution",
    "Exactly one solution for {count} of {all_dates}: {dates}.", "None needed; some makers want just that")
UNPROVEN = Problem("unproven", Severity.WARNING, "The search ended before every date was verified",
    "Too large to verify every date: {solutions} found before the search ended, for {counted} of {total} {dates}.",
    "Use a smaller board or fewer pieces; individual dates can still be solved")
TOO_LARGE = Problem("unproven", Severity.WARNING, "The board is too large to verify every date",
    "Too large to verify every date within {steps} steps. Individual dates can still be solved.",
    "Use a smaller board or fewer pieces; individual dates can still be solved")
CROWD = Problem("unproven", Severity.WARNING, "The board has too many groups or combinations of labels",
    "{reason} Individual dates can still be solved.", "Use fewer labels")
HARD_TO_READ = Problem("height", Severity.WARNING, "Labels are too small to read",
    "Labels are only {height:.1f} mm tall; use at least {least:g} mm.",
    "Use larger cells or shorter texts")
LONG = Problem("height", Severity.WARNING, "A long label makes all labels too small to read",
    "Labels are only {height:.1f} mm tall, so that {text!r} fits cell {cell}; use at least {least:g} mm.",
    "Use larger cells or shorter texts")
SHORTER = Problem("height", Severity.HINT, "Labels are smaller than set",
    "Labels are {height:.1f} mm tall instead of {asked:g} mm, so that the longest fits its cell.",
    "Use larger cells or shorter texts")
RADIUS = Problem("radius", Severity.ERROR, "The corner radius is too large",
    "A corner radius of {radius:g} mm is too large for the cells; the maximum is {most:.1f} mm.",
    "Reduce the corner radius")
PLAY = Problem("play", Severity.WARNING, "The clearance is too large",
    "{play:g} mm clearance is over 10 % of a cell; pieces will shift and cover labels.", "Reduce the clearance")
CHAMFER = Problem("chamfer", Severity.ERROR, "The chamfer is too large",
    "A chamfer of {chamfer:g} mm is too large for a printed piece; the maximum is {most:.1f} mm.", "Reduce the chamfer")
FRAME_OPEN = Problem("frame", Severity.ERROR, "The outer radius cuts into the opening",
    "The frame's outer radius cuts into its opening.", "Widen the frame or reduce the outer radius")
FRAME_APART = Problem("frame", Severity.ERROR, "The frame breaks where two cells touch diagonally",
    "The frame has no material where two cells touch diagonally; with some clearance the openings merge.",
    "Add some clearance")
FRAME_THIN = Problem("frame", Severity.WARNING, "The frame is too narrow",
    "The frame is only {wood:.1f} mm wide at its narrowest point.", "Widen the frame or reduce the outer radius")
# fmt: on

PROBLEMS = problems_of(globals())
