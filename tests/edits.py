"""Edits as texts: for every kind one of each form, in order, and some that are refused, with their sentences."""

EDITS = {
    "jigsaw": [
        "corner 2,1 to 61.5, 3.2 cm", "pin 1,1 3,1", "unpin 1,1", "flip A1-A2 B1-B2", "straighten C1-C2",
        "randomise A2-A3", "keep A1-B1", "lock A1-A2", "unlock A1-A2", "reset C1-C2", "merge D1-D2", "split D1-D2",
        "drop B2 C1", "restore C1", "figure heart at 100,60 high 20 turned 30°", "figure star at 40,40 high 20",
        "figure moon at 200,90 high 20",
        "letters Jo / ab font DejaVu Sans Bold as joined arc 40° at 150,90 high 12 turned 5°",
        "place heart1 at 98,60 high 22mm", "share heart1", "unshare heart1", "border cut-off of heart1", "front star1",
        "back star1", "raise moon1", "lower moon1", "align centre of heart1",
        "distribute across of heart1 moon1 star1", "remove heart1 moon1 star1 joab1",
        "flow 30,90 90,40 160,45 / 200,120 290,100", "flow", "update", "convert",
        "cut 12,0 12mm,12 0,1.2cm", "curve 0,60 12,66 16,58 0,48", "redraw A1-B1 through 31,12",
        "node A1-B1 at 30.6,6", "unnode A1-B1 at 31,12", "extend", "detail", "trim", "shorten",
        "divide",
    ],
    "cube": ["voxel left-top/2 to top", "randomise left-top", "lock left-top", "unlock left-top", "reset left-top"],
    "calendar": ["rotate L", "flip L", "duplicate L", "rename L to Q;;", "remove L 2"],
    "slitherlink": ["flip A1", "show A1 B1", "hide A1", "lock A1", "unlock A1", "reset A1"],
    "zigzaw": [
        "Colour TOP of A1 0,3 to white", "reset A1", "change white to #fefefe", "use built-in palette",
        "remove picture",
    ],
}  # fmt: skip

NEEDS_PICTURE = {"cutout"}
"""Verbs of edits that a fresh design refuses, for want of a picture."""

REFUSED = {
    "jigsaw": [
        ("", "Unknown edit ''; choose from corner, pin, "),
        (" ;;; ", "Unknown edit ';'; choose from corner, pin, "),
        ("bend A1-B1", "Unknown edit 'bend'; choose from corner, pin,"),
        ("😀" * 999, f"Unknown edit '{'😀' * 60}'; choose from corner, pin,"),
        ("flip", "'flip' must have the form `flip NAMES`."),
        ("flip A1-A2\nflip A1-A2", "'flip A1-A2\\nflip A1-A2' must have the form `flip NAMES`."),
        ("flip \x1b[31mA1", "'flip \\x1b[31mA1' is not possible: There is no \\x1b[31mA1 on the board."),
        ("flip a1-a2", "'flip a1-a2' is not possible: There is no a1-a2 on the board."),
        ("pin 0,0", "'pin 0,0' is not possible: There is no 0,0 on the board."),
        ("merge A1 L6", "'merge A1 L6' is not possible: There is no A1 on the board."),
        ("split A1-A2", "'split A1-A2' is not possible: There is no A1-A2 on the board."),
        *((f"corner 1,1 to {place}", f"'corner 1,1 to {place}' must have the form `corner NAME to X,Y`.")
          for place in ("here", "10,5,60", "nan,60", "inf,60", "1e999,60", "10kg,60", "\uff11\uff10,60", "1/0,60")),
        ("corner 1,1 to 999,60", "'corner 1,1 to 999,60' is not possible: The nearest place that it reaches is "),
        ("corner 1,1 to 1e308,-1e308", "'corner 1,1 to 1e308,-1e308' is not possible: The nearest place "),
        ("figure heart high 20 at 50,50", "'figure heart high 20 at 50,50' must have the form `figure FIGURE [at X,Y]"),
        ("figure heart turned 2cm", "'figure heart turned 2cm' must have the form `figure FIGURE [at X,Y]"),
        ("figure heart high 0", "'figure heart high 0' is not possible: height must be 2 to 5000 mm, not 0."),
        ("figure heart at 1e300,1", "'figure heart at 1e300,1' is not possible: x must be -1000 to 11000 mm"),
        ("figure ../heart", "'figure ../heart' is not possible: Unknown figure '../heart'; choose from heart,"),
        ("flow 10,10", "'flow 10,10' is not possible: A flow line needs two places or more."),
        ("flow 10,10 20,-1", "'flow 10,10 20,-1' is not possible: Flow lines must be on the board."),
        ("flow 10,10 / 20", "'flow 10,10 / 20' must have the form `flow [STROKES]`."),
        ("cutout", "'cutout' is not possible: Add a picture first."),
        ("cutout 10,10 / 20", "'cutout 10,10 / 20' must have the form `cutout [STROKES] [without OTHERS] [in BOX] "),
        ("cutout in 1,1 2,2 3,3", "'cutout in 1,1 2,2 3,3' must have the form `cutout [STROKES] "),
        ("letters", "'letters' must have the form `letters TEXT [font FONT] [as MODE] [arc ANGLE] [at X,Y] "),
        ("letters Jo as poem", "'letters Jo as poem' is not possible: mode must be pieces, joined or bar, not 'poem'."),
        ("letters Jo font Nowhere", "'letters Jo font Nowhere' is not possible: The text cannot be cut: There is no "),
        ("flip C1-C2; flip A1-Z9", "'flip A1-Z9' is not possible: There is no A1-Z9 on the board."),
        ("flip " + "A" * 9999, f"'flip {'A' * 75}'… is not possible: There is no {'A' * 40} on the board."),
    ],
    "cube": [
        ("voxel left-top/2 to bottom", "'voxel left-top/2 to bottom' is not possible: Voxel left-top/2 can belong to "),
        ("voxel left-top/1e9 to top", "'voxel left-top/1e9 to top' is not possible: There is no voxel "),
        ("lock nowhere", "'lock nowhere' is not possible: There is no edge 'nowhere'; "),
    ],
    "calendar": [
        ("rotate", "'rotate' must have the form `rotate NAME`."),
        ("rotate QQ", "'rotate QQ' is not possible: Unknown piece 'QQ'; choose from "),
        ("rename L to \u200b", "'rename L to \\u200b' is not possible: name must be printable"),
        ("rename L to N", "'rename L to N' is not possible: 2 pieces are named N."),
        (";".join(["duplicate L"] * 99), "'duplicate L' is not possible: pieces must be at most 64, not 65."),
    ],
    "slitherlink": [("flip A1 B1", "'flip A1 B1' is not possible: There is no A1 B1 on the board.")],
    "zigzaw": [
        ("colour bottom of A1 to red", "'colour bottom of A1 to red' is not possible: Unknown face 'bottom'; choose "),
        ("colour top of 99,0 to red", "'colour top of 99,0 to red' is not possible: There is no 99,0 on the board."),
        ("colour top of A1 to mauve", "'colour top of A1 to mauve' is not possible: Unknown colour 'mauve'; choose "),
        ("reset Z99", "'reset Z99' is not possible: There is no Z99 on the board."),
        ("change red to blue", "'change red to blue' must have the form `change COLOUR to #RRGGBB`."),
        ("change red to #12345", "'change red to #12345' is not possible: colour must be written like #1A2B3C, not "),
        ("use", "'use' must have the form `use built-in palette`."),
    ],
}  # fmt: skip
