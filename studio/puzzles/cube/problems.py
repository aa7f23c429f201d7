"""What can be wrong with a cube: every problem with its words."""

from studio.checks.finding import Problem, Severity, problems_of
from studio.texts import tr


def _ways(solutions: int, complete: bool) -> str:
    ways = tr("{solutions} way{word}", solutions=solutions, word="" if solutions == 1 else "s")
    if not complete:
        ways = tr("at least {ways}; the search ended before it had seen all", ways=ways)
    return tr("The pieces go together in {ways}.", ways=ways)


# fmt: off
SOLUTIONS = Problem("solutions", Severity.WARNING, "The pieces go together in several ways",
    _ways, "`Make unique` changes the fewest voxels")
TWINS = Problem("twins", Severity.WARNING, "Pieces are the same",
    "{names} are the same piece.", "`Make different`")
SLIDE = Problem("slide", Severity.WARNING, "A piece can slide out sideways",
    "{piece} can slide out sideways: nothing of its neighbours holds it on one side.", "`Hold it`")
SYMMETRIC = Problem("symmetric", Severity.HINT, "A piece looks the same in several ways",
    "{piece} looks the same in {ways} of its 8 ways to lie, which makes it easier to place.", "Another seed")
NECK = Problem("neck", Severity.HINT, "A corner hangs on a single thin neck",
    "The corner {corner} hangs on {piece} by a single neck of {thick:g} mm.", "Give it to a face that holds it twice")
WIDE_GAP = Problem("gap", Severity.ERROR, "The gap is so wide that the pieces do not hold one another",
    "A gap of {gap:g} mm eats {share:.0%} of each voxel; the pieces will not hold one another.", "A gap that is usual")
NO_GAP = Problem("gap", Severity.WARNING, "There is no gap",
    "Without a gap the pieces do not go together.", "A gap that is usual")
RADIUS = Problem("radius", Severity.ERROR, "The radius is larger than what the gap leaves of a voxel has room for",
    "A radius of {radius:g} mm does not fit: the pieces have room for {largest:g} mm.", "The largest radius that fits")
SNAP = Problem("snap", Severity.ERROR, "Snaps are larger than the walls have room for",
    "Snaps of {snap:g} mm do not fit: the walls have room for {largest:g} mm.", "Smaller snaps")
STIFF_SNAP = Problem("snap", Severity.WARNING, "Snaps are too deep to push in",
    "Snaps of {snap:g} mm are too deep to push in by hand: voxels of {unit:g} mm give way by {most:g} mm at most.",
    "Smaller snaps")
NO_SNAP = Problem("snap", Severity.WARNING, "A piece has no snap",
    "{piece} has no snap, because none of its edges has a joint that could hold one.", "Another seed")
FACETS = Problem("facets", Severity.ERROR, "The roundings are so fine that files would be too large",
    "{segments} segments make about {count} triangles, and {most} are the most that can be printed. Choose up to "
    "{finest} segments.",
    "Fewer segments, a smaller box or smooth plates")
WALL = Problem("wall", Severity.WARNING, "A piece is thinner than the least wall",
    "Where two voxels meet the piece is only {thick:g} mm thick; the least wall is {least:g} mm.",
    "A smaller radius between rounded voxels, else larger voxels")
NO_TEXT = Problem("text", Severity.HINT, "No text is written to engrave",
    "A text is to be engraved inside, but none is written.", "Write one")
TALL_TEXT = Problem("text", Severity.ERROR, "A text is too tall for its piece",
    "“{text}” does not fit inside {piece} {height:g} mm tall: there is room for {room:g} mm.", "Shrink the letters")
LONG_TEXT = Problem("text", Severity.ERROR, "A text is too long for its piece, however small",
    "“{text}” does not fit inside {piece}, not even {least:g} mm tall; the first {count} of its {letters} letters "
    "would.",
    "Spread it over the pieces, or a larger unit")
NO_ROOM = Problem("text", Severity.ERROR, "A piece has no room for a letter",
    "“{text}” does not fit inside {piece}, not even {least:g} mm tall; not even its first letter does.",
    "Larger voxels, or engrave nothing")
SMALL_TEXT = Problem("text", Severity.WARNING, "Letters are so small that they run together",
    "Letters {height:g} mm tall run together, as their strokes are {pen:g} mm wide; from {least:g} mm on they are "
    "read.",
    "Taller letters")
UNUSED = Problem("unused", Severity.WARNING, "A text is written, but it is not what is engraved",
    "“{text}” is written, but it is not what is engraved inside.", "`Engrave the text`")
DEEP_TEXT = Problem("depth", Severity.ERROR, "Letters are so deep that they leave less than the least wall",
    "Letters {depth:g} mm deep leave {left:g} mm of a piece; the least wall is {wall:g} mm.", "Less depth")
DEEPEST_TEXT = Problem("depth", Severity.ERROR, "Letters are so deep that they leave next to nothing",
    "Letters {depth:g} mm deep leave {left:g} mm of a piece; they may take {room:g} mm.", "Less depth")
STRAY = Problem("stray", Severity.WARNING, "An edit by hand has lost its place",
    "The corner {corner} was given to {face} by hand, but now no voxel beside it is of that piece.",
    "Take the edit away")
WISH = Problem("wish", Severity.HINT, "No deal was all that was wished for",
    "No deal was found that is all that was wished for; this one has one solution if that can be had.", "Another seed")
# fmt: on

PROBLEMS = problems_of(globals())
