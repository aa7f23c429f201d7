"""The problems of calendar puzzles and their texts."""

from studio.amounts import many
from studio.checks.finding import Problem, Severity, problems_of
from studio.texts import tr


def _areas(area: int, covered: int, places: int, groups: int) -> str:
    open_ = tr(", {groups} of them uncovered", groups=groups) if groups else ""
    return tr(
        "The pieces cover {squares}; the board needs {covered} ({cells}{open}).",
        squares=many(area, "square"),
        covered=covered,
        cells=many(places, "cell"),
        open=open_,
    )


# fmt: off
NO_LABELS = Problem("labels", Severity.ERROR, "The board has no labels",
    "The board has no labels, so every cell is covered and there is nothing to solve.",
    "The fix in the list, or the editor")
GAP = Problem("gap", Severity.ERROR, "A label is missing",
    "Missing {labels}: {lacking}.", "The fix in the list, or the editor")
DOUBLE = Problem("double", Severity.ERROR, "A label appears twice",
    "{count} cells are {label} {value}: {names}.", "The fix in the list, or the editor")
ALIKE = Problem("text", Severity.WARNING, "Labels share a text",
    "{count} {labels} share the text {text}: {names}.", "Another text")
LETTER = Problem("letter", Severity.ERROR, "A label cannot be engraved",
    "{text} on {cell} cannot be engraved: {why}", "Another letter")
AREA = Problem("area", Severity.ERROR, "The pieces do not match the board's area",
    _areas, "Other pieces, or more or fewer of them")
PARTS = Problem("parts", Severity.ERROR, "A piece is in several parts",
    "Piece {piece} is in {count} parts; squares must join edge to edge.", "Redraw it")
CORNERS = Problem("parts", Severity.ERROR, "A piece is joined only at corners",
    "Piece {piece} is joined only at corners; squares must join edge to edge.", "Redraw it")
HOLE = Problem("hole", Severity.ERROR, "A piece has a hole",
    "Piece {piece} has a hole and cannot be cut as one outline.", "Redraw it")
PINCHED = Problem("hole", Severity.ERROR, "A piece encloses a hole at a corner",
    "Piece {piece} encloses a hole at a corner and cannot be cut as one outline.", "Redraw it")
FITS_NOWHERE = Problem("unused", Severity.ERROR, "A piece fits nowhere on the board",
    "Piece {piece} fits nowhere on the board.", "Another piece")
UNUSABLE = Problem("unused", Severity.ERROR, "A piece can never be used",
    "Piece {piece} can never be used: every placement covers a whole group of labels.", "Another piece")
TWINS = Problem("twins", Severity.HINT, "Pieces are identical",
    "{names} are identical; swapping them does not count as another solution.", "A different piece adds variety")
NO_DATE = Problem("unsolved", Severity.ERROR, "No day exists in any month of the board",
    "No day on the board exists in any of its months, so there is nothing to solve.", "Other labels")
NONE_SOLVED = Problem("unsolved", Severity.ERROR, "No date has a solution",
    "None of the {count} has a solution.", "`Find pieces`")
ONE_UNSOLVED = Problem("unsolved", Severity.ERROR, "The only date has no solution",
    "The only {day} has no solution.", "`Find pieces`")
UNSOLVED = Problem("unsolved", Severity.WARNING, "Some dates have no solution",
    "{some} of {every} {days} {have} no solution: {dates}.", "`Find pieces`")
SINGLE = Problem("single", Severity.HINT, "A date has exactly one solution",
    "{some} of {every} {days} {have} exactly one solution: {dates}.", "Nothing; it may be intended")
UNPROVEN = Problem("unproven", Severity.WARNING, "The search ended before every date was verified",
    "Too large to verify every date: {solutions} found before the search ended, for {some} of {every} {days}.",
    "Individual dates can still be solved")
TOO_LARGE = Problem("unproven", Severity.WARNING, "The board is too large to verify every date",
    "Too large to verify every date within {steps} steps. Individual dates can still be solved.",
    "Individual dates can still be solved")
CROWD = Problem("unproven", Severity.WARNING, "The board has too many groups or combinations of labels",
    "{why} Individual dates can still be solved.", "Fewer labels")
HARD_TO_READ = Problem("height", Severity.WARNING, "Labels are too small to read",
    "Labels are only {height:.1f} mm tall{why}; below {least:g} mm they are hard to read.",
    "Larger cells, or shorter texts")
SHORTER = Problem("height", Severity.HINT, "Labels are smaller than set",
    "Labels are {height:.1f} mm tall instead of {asked:g} mm, so that the longest fits its cell.",
    "Larger cells, or shorter texts")
RADIUS = Problem("radius", Severity.ERROR, "The corner radius is too large",
    "A corner radius of {radius:g} mm is too large for the cells; the maximum is {most:.1f} mm.", "A smaller radius")
PLAY = Problem("play", Severity.WARNING, "The clearance is too large",
    "{play:g} mm clearance is over 10 % of a cell; pieces will shift and cover labels.", "Less clearance")
CHAMFER = Problem("chamfer", Severity.ERROR, "The chamfer is too large",
    "A chamfer of {chamfer:g} mm is too large for a printed piece; the maximum is {most:.1f} mm.", "A smaller chamfer")
FRAME_OPEN = Problem("frame", Severity.ERROR, "The outer radius cuts into the opening",
    "The frame's outer radius cuts into its opening.", "A wider frame, or a smaller outer radius")
FRAME_APART = Problem("frame", Severity.ERROR, "The frame breaks where two cells touch diagonally",
    "The frame has no material where two cells touch diagonally; with some clearance the openings merge.",
    "Some clearance")
FRAME_THIN = Problem("frame", Severity.WARNING, "The frame is too narrow",
    "The frame is only {wood:.1f} mm wide at its narrowest point.", "A wider frame, or a smaller outer radius")
# fmt: on

PROBLEMS = problems_of(globals())
