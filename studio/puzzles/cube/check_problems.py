"""The problems of a cube, each with its words."""

from studio.base.amounts import many
from studio.base.texts import tr
from studio.checks.finding import Problem, Severity, problems_of


def _ways(solutions: int, complete: bool) -> str:
    count = many(solutions, "solution")
    if complete:
        return tr("The cube has {solutions}.", solutions=count)
    return tr("The cube has at least {solutions}; the search stopped early.", solutions=count)


# fmt: off
SOLUTIONS = Problem("solutions", Severity.WARNING, "The cube has several solutions",
    _ways, "Use `Make unique`, which changes as few voxels as possible")
TWINS = Problem("twins", Severity.WARNING, "Pieces are identical",
    "{names} are identical.", "Use `Make pieces different`")
SLIDE = Problem("slide", Severity.WARNING, "A piece can slide out sideways",
    "{piece} is not interlocked: it can slide out sideways.", "Use `Interlock`")
SMALL = Problem("small", Severity.HINT, "A piece has too few voxels",
    lambda piece, count, least: tr("{piece} has only {voxels} (minimum {least}).",
        piece=piece, voxels=many(count, "voxel"), least=least),
    "Use `Make larger`, or set the fewest voxels")
SYMMETRIC = Problem("symmetric", Severity.HINT, "A piece is symmetrical",
    "{piece} looks the same in {ways} of 8 orientations, which makes it easier to place.", "Try another seed")
NECK = Problem("neck", Severity.HINT, "A corner is joined by a single thin neck",
    "Corner {corner} is joined to {piece} by a single neck of {thick:g} mm.",
    "Move it to a face that holds it on two sides")
WIDE_GAP = Problem("gap", Severity.ERROR, "The clearance is too large for the pieces to hold",
    "{gap:g} mm clearance is {share} of {side}; the pieces will not hold together.",
    "Set a normal clearance, such as 0.2 mm")
NO_GAP = Problem("gap", Severity.WARNING, "There is no clearance",
    "Without clearance the pieces do not fit together.", "Set a normal clearance, such as 0.2 mm")
STYLE = Problem("style", Severity.ERROR, "Rounded voxels need cubes",
    "Rounded voxels of {unit:g} mm cannot be {thick:g} mm thick.",
    "Use smooth plates, or set the thickness to 0")
RADIUS = Problem("radius", Severity.ERROR, "The edge radius is too large",
    "A radius of {radius:g} mm is too large; the maximum is {largest:g} mm.", "Reduce the radius")
SNAP = Problem("snap", Severity.ERROR, "Snaps are too large for the walls",
    "Snaps of {snap:g} mm are too large for the walls; the maximum is {largest:g} mm.", "Reduce the snaps")
STIFF_SNAP = Problem("snap", Severity.WARNING, "Snaps are too high to push in",
    "Snaps of {snap:g} mm are too high to push in; for {parts} the maximum is {most:g} mm.",
    "Reduce the snaps")
NO_SNAP = Problem("snap", Severity.WARNING, "A piece has no snap",
    "{piece} has no snap: none of its joints has room for one.", "Try another seed")
FACETS = Problem("facets", Severity.ERROR, "Too many segments make files too large",
    "{segments} segments make about {count} triangles; the maximum is {most}. Use {finest} segments or fewer.",
    "Use fewer segments, a smaller box or smooth plates")
WALL = Problem("wall", Severity.WARNING, "A piece is thinner than the minimum wall",
    "Pieces are only {thick:g} mm thick where two voxels meet (minimum {least:g} mm).",
    "Reduce the radius of rounded voxels; otherwise use larger voxels")
NO_TEXT = Problem("text", Severity.HINT, "There is no text to engrave",
    "Engraving is set to Text, but the text is empty.", "Enter a text")
TALL_TEXT = Problem("text", Severity.ERROR, "A text is too tall for its piece",
    "“{text}” is too large for {piece} at {height:g} mm; the maximum is {room:g} mm.", "Shrink the letters")
LONG_TEXT = Problem("text", Severity.ERROR, "A text is too long for its piece",
    "“{text}” is too long for {piece}: even at {least:g} mm only the first {count} of {letters} letters fit.",
    "Spread it over the pieces, or use larger voxels")
NO_ROOM = Problem("text", Severity.ERROR, "A piece has no room for a letter",
    "{piece} is too small for “{text}”: even at {least:g} mm the first letter does not fit.",
    "Use larger voxels or no engraving")
SMALL_TEXT = Problem("text", Severity.WARNING, "Letters are too small to read",
    "Letters of {height:g} mm run together because strokes are {pen:g} mm wide; use at least {least:g} mm.",
    "Use taller letters")
UNUSED = Problem("unused", Severity.WARNING, "A text is not engraved",
    "“{text}” is not engraved: Engraving is not set to Text.", "Use `Engrave the text`, or delete the text")
DEEP_TEXT = Problem("depth", Severity.ERROR, "Letters leave less than the minimum wall",
    "Letters {depth:g} mm deep leave only {left:g} mm of a piece (minimum {wall:g} mm).", "Reduce the depth")
DEEPEST_TEXT = Problem("depth", Severity.ERROR, "Letters cut almost through a piece",
    "Letters {depth:g} mm deep leave only {left:g} mm of a piece; the maximum depth is {room:g} mm.",
    "Reduce the depth")
STRAY = Problem("stray", Severity.WARNING, "An edit has no effect",
    "You moved corner {corner} to {face}, but no neighbouring voxel belongs to that piece any more.",
    "Remove the edit")
WISH = Problem("wish", Severity.HINT, "Not all options could be met",
    "No cube with this seed meets all options; a unique solution is kept where possible.", "Try another seed")
# fmt: on

PROBLEMS = problems_of(globals())
