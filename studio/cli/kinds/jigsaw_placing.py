"""The commands that place something on a jigsaw: figures, each a piece of its own, and engravings."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from studio.base.amounts import abridged, many
from studio.base.errors import StudioError
from studio.base.parameters import parse_length
from studio.base.texts import tr
from studio.cli.arguments import FILE, OUT_OR_SELF, REPLACE, Command, ExitCode, argument, print_error, waiting
from studio.cli.designs import MOST_LISTED, Rewriting
from studio.cli.drawings import READING, reading_of, refuse_reading
from studio.puzzles.jigsaw.model.design import JigsawDesign

if TYPE_CHECKING:
    from studio.base.progress import Progress
    from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy

MOST_TONGUES = 8


def _jigsaw(rewriting: Rewriting) -> JigsawDesign:
    """The jigsaw in a file; raises StudioError for another kind."""
    design, kind = rewriting.saved.design, rewriting.saved.kind.key
    if not isinstance(design, JigsawDesign):
        raise StudioError(tr("Only a jigsaw has figures and engravings; this is a {kind} puzzle.", kind=kind))
    return design


def _figure(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.figures.posing import with_added, without_figures
    from studio.puzzles.jigsaw.repair.nudging import new_problems

    rewriting = Rewriting.from_arguments(arguments)
    design = _jigsaw(rewriting)
    if sum(one is not None for one in (arguments.figure, arguments.text, arguments.remove)) != 1:
        raise StudioError(tr("Use one of a figure, --text or --remove."))
    if not Path(arguments.figure or "").suffix:
        refuse_reading(arguments)
    with waiting() as progress:
        if arguments.remove is not None:
            made = without_figures(design, [arguments.remove], progress)
        else:
            figures = _asked(arguments, design, progress.part(0.0, 0.3))
            is_near = arguments.x is not None or arguments.y is not None
            made = with_added(design, figures, progress.part(0.3, 1.0), is_near=is_near)
    if made.dropped:
        print_error(tr("Dropped edits that no longer fit: {dropped}.", dropped=abridged(made.dropped, MOST_LISTED)))
    rewriting.put(made.design)
    before = {one.name for one in design.whimsies}
    for one in made.design.whimsies if rewriting.out != "-" else ():
        if one.name not in before:
            print(tr("Added {figure} at {x:.1f}, {y:.1f} mm.", figure=one.name, x=one.pose.x, y=one.pose.y))
    count = new_problems(design, made.design) if arguments.remove is None else 0
    if count:
        print_error(
            tr("{problems} there; `repair` looks for a better place nearby.", problems=many(count, "new problem"))
        )
    return ExitCode.DONE


def _asked(arguments: argparse.Namespace, design: JigsawDesign, progress: Progress) -> list[Whimsy]:
    """The figures that a command names, at the wanted places."""
    from studio.puzzles.jigsaw.figures.posing import new_drawn_figure, new_figure, new_height, new_letters

    height = _number(arguments.height, "--height", 2.0, 5000.0)
    pose, tongues = replace(_pose(arguments, design), is_mirrored=arguments.mirror), _tongues(arguments.tongues)
    if arguments.text is not None:
        make = partial(new_letters, design, arguments.text, tongues=tongues)
    elif not Path(arguments.figure).suffix:
        make = partial(new_figure, design, arguments.figure, tongues=tongues)
    else:
        from studio.files.paths import read_figure

        shape, notes = read_figure(Path(arguments.figure), progress, reading_of(arguments))
        for note in notes:
            print_error(note)
        make = partial(new_drawn_figure, design, shape, tongues=tongues)
    turned = lambda middle: make(pose=replace(middle, turn=pose.turn, is_mirrored=pose.is_mirrored))  # noqa: E731
    return make(pose=replace(pose, height=new_height(design, turned) if height is None else height))


def _tongues(text: str | None) -> int:
    """Wanted number of a figure's tongues, 0 by default; raises StudioError for anything but a possible number."""
    if text is None:
        return 0
    if text.strip() not in [str(count) for count in range(MOST_TONGUES + 1)]:
        raise StudioError(
            tr("--tongues must be a whole number from 0 to {most}, not {text!r}.", most=MOST_TONGUES, text=text[:40])
        )
    return int(text)


def _pose(arguments: argparse.Namespace, design: JigsawDesign) -> Pose:
    """The pose that the options ask for, with the usual height."""
    from studio.puzzles.jigsaw.figures.whimsies import Pose

    across, down = design.parameters.width, design.parameters.height
    x, y = (_at(text, side, name) for text, side, name in ((arguments.x, across, "--x"), (arguments.y, down, "--y")))
    return Pose(x=x, y=y, turn=_number(arguments.turn, "--turn", -360.0, 360.0) or 0.0)


def _engrave(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.picture.engravings import MOST_POINTS, Engraving, free_name, of_drawing

    rewriting = Rewriting.from_arguments(arguments)
    design = _jigsaw(rewriting)
    if sum(one is not None for one in (arguments.drawing, arguments.text, arguments.remove)) != 1:
        raise StudioError(tr("Use one of --text, --remove or a drawing."))
    if arguments.drawing is None:
        refuse_reading(arguments)
    if arguments.remove is not None:
        return rewriting.put(design.without_engraving(arguments.remove))
    down = design.parameters.height
    height = _number(arguments.height, "--height", 2.0, 5000.0)
    pose = _pose(arguments, design)
    if arguments.text is not None:
        if not arguments.text.strip():
            raise StudioError(tr("Enter a text to engrave."))
        height = min(10.0, down / 2) if height is None else height
        name = free_name(design.engravings, "text")
        made = Engraving(name, replace(pose, height=height), arguments.text, arguments.font, side=arguments.side)
        return rewriting.put(design.with_engraving(made))
    from studio.files.paths import read_lines

    with waiting() as progress:
        strokes, notes = read_lines(Path(arguments.drawing), progress, MOST_POINTS, reading_of(arguments))
    for note in notes:
        print_error(note)
    if height is None:
        own = float(np.ptp(np.concatenate(strokes)[:, 1]))
        height = min(max(own, 2.0), max(down / 2, 2.0))
    name = free_name(design.engravings, "drawing")
    return rewriting.put(design.with_engraving(of_drawing(name, strokes, replace(pose, height=height), arguments.side)))


def _at(text: str | None, side: float, option: str) -> float:
    """A place in mm, given in mm or as a percentage of a side of the board; the middle by default."""
    if text is None:
        return side / 2
    if text.strip().endswith("%"):
        share = _number(text.strip()[:-1], option, -1000.0, 1000.0)
        return side * (share or 0.0) / 100
    return _number(text, option, -1000.0, 11000.0) or 0.0


def _number(text: str | None, option: str, low: float, high: float) -> float | None:
    """The number after an option, None without it; raises StudioError for a number out of bounds."""
    if text is None:
        return None
    try:
        value = parse_length(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise StudioError(
            tr("{option} must be {low:g} to {high:g}, not {text!r}.", option=option, low=low, high=high, text=text[:40])
        )
    return value


PLACE = (
    argument("--x", metavar="X", help=tr("centre in mm from the left, or in percent (default: 50%%)")),
    argument("--y", metavar="Y", help=tr("centre in mm from the top, or in percent (default: 50%%)")),
    argument("--turn", metavar="DEGREES", help=tr("clockwise rotation")),
)

PLACING: dict[str, Command] = {
    "figure": Command(
        _figure,
        tr("add figures to a jigsaw, each cut as one piece"),
        FILE,
        argument(
            "figure", metavar="FIGURE", nargs="?", help=tr("a built-in figure such as cat, or an SVG or DXF file")
        ),
        argument("--text", metavar="TEXT", help=tr("letters instead of a figure, one piece each")),
        argument("--height", metavar="MM", help=tr("height of the figure, or of the capital letters")),
        *PLACE,
        argument("--mirror", action="store_true", help=tr("mirror left to right, before it is rotated")),
        argument("--tongues", metavar="N", help=tr("tongues into the pieces around each figure, 0 (default) to 8")),
        argument("--remove", metavar="NAME", help=tr("remove a figure, such as cat1")),
        *READING,
        OUT_OR_SELF,
        REPLACE,
        description=tr(
            "Add a figure to a jigsaw, or a line of letters, each cut as one piece. FIGURE is a built-in figure such "
            "as cat (an unknown name lists them all), or an SVG or DXF file with a closed path, which may have holes. "
            "Figures go to the nearest place that has room."
        ),
    ),
    "engrave": Command(
        _engrave,
        tr("engrave a text or a drawing on the face or the back of a jigsaw"),
        FILE,
        argument("drawing", metavar="DRAWING", nargs="?", help=tr("SVG or DXF file whose lines are engraved")),
        argument("--text", metavar="TEXT", help=tr("one line of text")),
        argument("--font", metavar="FONT", default="line", help=tr("line (default, single strokes) or outline")),
        argument("--height", metavar="MM", help=tr("height of capitals or of the drawing")),
        *PLACE,
        argument("--side", metavar="SIDE", default="face", help=tr("face (default) or back")),
        argument("--remove", metavar="NAME", help=tr("remove an engraving, such as text1")),
        *READING,
        OUT_OR_SELF,
        REPLACE,
        description=tr(
            "Engrave a line of text, or the lines of an SVG or DXF file, before anything is cut. What is on the back "
            "is exported to a separate file, NAME-back, mirrored with the board."
        ),
    ),
}
