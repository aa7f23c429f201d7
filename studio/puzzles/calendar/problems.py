"""What can be wrong with a calendar puzzle: every problem with its words."""

from studio.amounts import many
from studio.checks.finding import Problem, Severity, problems_of
from studio.texts import tr


def _areas(area: int, covered: int, places: int, groups: int) -> str:
    open_ = (
        tr(", {groups} of which {word} open", groups=groups, word="stays" if groups == 1 else "stay") if groups else ""
    )
    return tr(
        "The pieces have {squares}, the board needs {covered}: it has {cells}{open}.",
        squares=many(area, "square"),
        covered=covered,
        cells=many(places, "cell"),
        open=open_,
    )


# fmt: off
NO_LABELS = Problem("labels", Severity.ERROR, "The board has no labels",
    "The board has no labels, so no cell stays open and there is nothing to solve.",
    "The repair beside the list, or the editor")
GAP = Problem("gap", Severity.ERROR, "A group lacks a label",
    "The {labels} lack {lacking}.", "The repair beside the list, or the editor")
DOUBLE = Problem("double", Severity.ERROR, "A group has a label twice",
    "The {label} {value} is on {count} cells: {names}.", "The repair beside the list, or the editor")
ALIKE = Problem("text", Severity.WARNING, "Labels of a group read alike",
    "{count} {labels} read {text}: {names}.", "Another text")
LETTER = Problem("letter", Severity.ERROR, "A label has a letter that cannot be engraved",
    "{text} on {cell} cannot be engraved: {why}", "Another letter")
AREA = Problem("area", Severity.ERROR, "The pieces have more or fewer squares than the board needs",
    _areas, "A piece more, or other pieces")
PARTS = Problem("parts", Severity.ERROR, "A piece is in several parts",
    "{piece} is in {count} parts; the squares of a piece meet at their sides.", "Draw it otherwise")
CORNERS = Problem("parts", Severity.ERROR, "A piece hangs together by corners only",
    "{piece} hangs together by corners only; the squares of a piece meet at their sides.", "Draw it otherwise")
HOLE = Problem("hole", Severity.ERROR, "A piece has a hole",
    "{piece} has a hole and cannot be cut in one outline.", "Draw it otherwise")
PINCHED = Problem("hole", Severity.ERROR, "A piece closes round a hole at a corner",
    "{piece} closes round a hole at a corner and cannot be cut in one outline.", "Draw it otherwise")
FITS_NOWHERE = Problem("unused", Severity.ERROR, "A piece fits nowhere on the board",
    "{piece} fits nowhere on the board.", "Another piece")
UNUSABLE = Problem("unused", Severity.ERROR, "A piece covers all labels of a group wherever it lies",
    "{piece} can never be used: wherever it lies, no label of some group stays open.", "Another piece")
TWINS = Problem("twins", Severity.HINT, "Pieces are the same",
    "{names} are the same piece; swapping them is no other solution.", "Another piece makes the puzzle richer")
NO_DATE = Problem("unsolved", Severity.ERROR, "No day of the board is one of its months",
    "No day of the board is one of its months, so there is nothing to solve.", "Other labels")
NONE_SOLVED = Problem("unsolved", Severity.ERROR, "No date has a solution",
    "None of the {count} has a solution.", "`Find pieces`")
ONE_UNSOLVED = Problem("unsolved", Severity.ERROR, "The only date has no solution",
    "The only {day} has no solution.", "`Find pieces`")
UNSOLVED = Problem("unsolved", Severity.WARNING, "Some dates have no solution",
    "{some} of {every} {days} {have} no solution: {dates}.", "`Find pieces`")
SINGLE = Problem("single", Severity.HINT, "A date has exactly one solution",
    "{some} of {every} {days} {have} exactly one solution: {dates}.", "Nothing: some makers want just that")
UNPROVEN = Problem("unproven", Severity.WARNING, "The board is too large for its year to be counted",
    "The board is too large to be proven: {solutions} were found before the search ended, for {some} of {every} "
    "{days}.",
    "Single dates can still be solved")
TOO_LARGE = Problem("unproven", Severity.WARNING, "The year takes too many steps to be counted by a check",
    "The board is too large to be proven: its year takes more than {steps} steps to count. Single dates can still be "
    "solved.",
    "Single dates can still be solved")
CROWD = Problem("unproven", Severity.WARNING, "The board has too many groups or combinations of labels",
    "{why} Single dates can still be solved.", "Fewer labels")
HARD_TO_READ = Problem("height", Severity.WARNING, "Labels are too small to read",
    "Labels are {height:.1f} mm tall{why}; below {least:g} mm they are hard to read.", "Larger cells, or shorter texts")
SHORTER = Problem("height", Severity.HINT, "Labels are not as tall as asked",
    "Labels are {height:.1f} mm tall, not {asked:g} mm: the longest would leave its cell.",
    "Larger cells, or shorter texts")
RADIUS = Problem("radius", Severity.ERROR, "Round corners take more than half a cell",
    "Corners with a radius of {radius:g} mm take more than half a cell; {most:.1f} mm is the most.", "A smaller radius")
PLAY = Problem("play", Severity.WARNING, "The play is so large that pieces hide labels",
    "A play of {play:g} mm is more than a tenth of a cell: pieces wander and hide labels.", "Less play")
CHAMFER = Problem("chamfer", Severity.ERROR, "A chamfer leaves too little of a printed piece",
    "A chamfer of {chamfer:g} mm leaves too little of a printed piece; {most:.1f} mm is the most.", "A smaller chamfer")
FRAME_OPEN = Problem("frame", Severity.ERROR, "The frame's outer corners reach into its opening",
    "The frame's outer corners reach into its opening.", "A wider frame, or smaller corners")
FRAME_APART = Problem("frame", Severity.ERROR, "The frame has no wood where two cells touch at their corners",
    "The frame has no wood where two cells touch at their corners; with some play they open to each other.",
    "Some play")
FRAME_THIN = Problem("frame", Severity.WARNING, "The frame is too narrow at its narrowest",
    "The frame is only {wood:.1f} mm wide at its narrowest.", "A wider frame, or smaller corners")
# fmt: on

PROBLEMS = problems_of(globals())
