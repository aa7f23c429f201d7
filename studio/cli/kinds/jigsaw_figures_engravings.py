"""The commands that place something on a jigsaw: figures, each a piece of its own, and engravings."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from studio.base.amounts import abridged, many
from studio.base.errors import StudioError
from studio.base.lazy import named
from studio.base.parameters import declaration, parsed
from studio.base.texts import tr
from studio.cli.arguments import FILE, OUT_OR_SELF, REPLACE, Argument, Command, argument, given, option
from studio.cli.designs import MOST_LISTED, Rewriting, design_of
from studio.cli.drawings import READING, reading_of, refuse_reading
from studio.cli.terminal import ExitCode, print_error, waiting
from studio.puzzles.jigsaw.model.design import JigsawDesign

if TYPE_CHECKING:
    from studio.base.progress import Progress
    from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy


def _figure(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.figures.figure_edits import with_added, without_figures
    from studio.puzzles.jigsaw.repair import new_problems

    rewriting = Rewriting.from_arguments(arguments)
    design: JigsawDesign = design_of(rewriting.saved, "jigsaw")
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
    from studio.puzzles.jigsaw.figures.figure_edits import new_drawn_figure, new_figure, new_height, new_letters

    pose, tongues = _pose(arguments, design), arguments.tongues or 0
    if arguments.text is not None:
        make = partial(new_letters, design, arguments.text, tongues=tongues)
    elif not Path(arguments.figure).suffix:
        make = partial(new_figure, design, arguments.figure, tongues=tongues)
    else:
        from studio.files.drawing_import import read_figure

        shape, notes = read_figure(Path(arguments.figure), progress, reading_of(arguments))
        for note in notes:
            print_error(note)
        make = partial(new_drawn_figure, design, shape, tongues=tongues)
    turned = lambda middle: make(pose=replace(middle, turn=pose.turn, is_mirrored=pose.is_mirrored))  # noqa: E731
    return make(pose=pose if arguments.height else replace(pose, height=new_height(design, turned)))


def _pose(arguments: argparse.Namespace, design: JigsawDesign) -> Pose:
    """The pose that the options ask for: in the middle of the board and with the usual height by default."""
    from studio.puzzles.jigsaw.figures.whimsies import Pose

    x, y = (
        side / 2 if at is None else side * at[0] / 100 + at[1]
        for at, side in zip((arguments.x, arguments.y), design.size, strict=True)
    )
    return Pose(**given(arguments, Pose) | {"x": x, "y": y})


def _engrave(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.picture.engravings import FACE, LINE, MOST_POINTS, Engraving, free_name, of_drawing

    rewriting = Rewriting.from_arguments(arguments)
    design: JigsawDesign = design_of(rewriting.saved, "jigsaw")
    if sum(one is not None for one in (arguments.drawing, arguments.text, arguments.remove)) != 1:
        raise StudioError(tr("Use one of --text, --remove or a drawing."))
    if arguments.drawing is None:
        refuse_reading(arguments)
    if arguments.remove is not None:
        return rewriting.put(design.without_engraving(arguments.remove))
    down = design.parameters.height
    height, pose = arguments.height, _pose(arguments, design)
    font, side = arguments.font or LINE, arguments.side or FACE
    if arguments.text is not None:
        if not arguments.text.strip():
            raise StudioError(tr("Enter a text to engrave."))
        height = min(10.0, down / 2) if height is None else height
        name = free_name(design.engravings, "text")
        made = Engraving(name, replace(pose, height=height), arguments.text, font, side=side)
        return rewriting.put(design.with_engraving(made))
    from studio.files.drawing_import import read_lines

    with waiting() as progress:
        strokes, notes = read_lines(Path(arguments.drawing), progress, MOST_POINTS, reading_of(arguments))
    for note in notes:
        print_error(note)
    if height is None:
        own = float(np.ptp(np.concatenate(strokes)[:, 1]))
        height = min(max(own, 2.0), max(down / 2, 2.0))
    name = free_name(design.engravings, "drawing")
    return rewriting.put(design.with_engraving(of_drawing(name, strokes, replace(pose, height=height), side)))


POSE = "studio.puzzles.jigsaw.figures.whimsies:Pose"
ENGRAVING = "studio.puzzles.jigsaw.picture.engravings:EngravingSetting"


def _place(name: str, help: str) -> Argument:
    """The option for a place, in mm or as a percentage of a side of the board."""

    def read(text: str) -> tuple[float, float]:
        known = replace(declaration(named(POSE), name), name=f"--{name}", title=f"--{name}")
        place = parsed(known, text.strip().removesuffix("%"))
        return (place, 0.0) if text.strip().endswith("%") else (0.0, place)

    return argument(f"--{name}", metavar=name.upper(), type=read, help=help)


PLACE = (
    _place("x", tr("centre in mm from the left, or in percent (default: 50%%)")),
    _place("y", tr("centre in mm from the top, or in percent (default: 50%%)")),
    option(POSE, "turn", metavar="DEGREES", help=tr("clockwise rotation")),
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
        option(POSE, "height", help=tr("height of the figure, or of the capital letters")),
        *PLACE,
        option(POSE, "is_mirrored", "--mirror"),
        option(
            "studio.puzzles.jigsaw.figures.whimsies:Setting",
            "tongues",
            help=tr("tongues into the pieces around each figure, 0 (default) to 8"),
        ),
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
        option(ENGRAVING, "font"),
        option(POSE, "height", help=tr("height of capitals or of the drawing")),
        *PLACE,
        option(ENGRAVING, "side"),
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
