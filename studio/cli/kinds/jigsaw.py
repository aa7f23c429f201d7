"""The commands of jigsaws: figures, engravings, repair, interlock and fits of pieces, pictures and a custom tongue."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.base.amounts import abridged, listed, many
from studio.base.errors import StudioError
from studio.base.parameters import declaration, parsed
from studio.base.progress import named
from studio.base.texts import tr
from studio.cli.arguments import (
    FILE,
    JSON,
    OUT_OR_SELF,
    REPLACE,
    Argument,
    Command,
    argument,
    as_number,
    counted,
    given,
    option,
)
from studio.cli.designs import MOST_LISTED, Rewriting, design_of
from studio.cli.drawings import MASK, READING, reading_of, refuse_reading
from studio.cli.terminal import ExitCode, answered, print_error, waiting
from studio.files.store import load
from studio.geometry.planar.polyomino import MOST
from studio.puzzles.jigsaw.fits.interlock import Grip, Holds, figure_words, holds, tongue_words, weakest_words
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape

if TYPE_CHECKING:
    from studio.base.progress import Progress
    from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
    from studio.puzzles.jigsaw.repair import Repaired


def _figure(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.figures.figure_edits import with_added, without_figures
    from studio.puzzles.jigsaw.repair import new_problems

    rewriting = Rewriting.from_arguments(arguments)
    design: JigsawDesign = design_of(rewriting.saved, "jigsaw")
    if sum(one is not None for one in (arguments.figure, arguments.text, arguments.remove)) != 1:
        raise StudioError(tr("Use one of a figure, --text or --remove."))
    if not Path(arguments.figure or "").suffix:
        refuse_reading(arguments)
    if arguments.text is None:
        _refuse_lettering(arguments)
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


def _refuse_lettering(arguments: argparse.Namespace) -> None:
    """Raise StudioError for an option of letters without a text."""
    from studio.puzzles.jigsaw.figures.letters import Lettering

    for name in given(arguments, Lettering):
        raise StudioError(tr("{option} is for letters; give a --text.", option=arguments.flags[name]))


def _asked(arguments: argparse.Namespace, design: JigsawDesign, progress: Progress) -> list[Whimsy]:
    """The figures that a command names, at the wanted places."""
    from studio.puzzles.jigsaw.figures.figure_edits import (
        new_drawn_figure,
        new_figure,
        new_height,
        new_letters,
        usual_tongues,
    )

    pose, tongues = _pose(arguments, design), arguments.tongues
    tongues = usual_tongues(design) if tongues is None else tongues
    if arguments.text is not None:
        from studio.puzzles.jigsaw.figures.letters import Lettering

        text, how = arguments.text.replace("\\n", "\n"), Lettering(**given(arguments, Lettering))
        make = partial(new_letters, design, text, tongues=tongues, how=how)
    elif not Path(arguments.figure).suffix:
        from studio.puzzles.jigsaw.figures.silhouettes import OWN_FIGURES, keys

        own = {one.key: one.item for one in OWN_FIGURES.items()[0]} if arguments.figure not in keys() else {}
        if arguments.figure in own:
            make = partial(new_drawn_figure, design, own[arguments.figure], tongues=tongues)
        else:
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
    from studio.puzzles.jigsaw.picture.engravings import (
        FACE,
        LINE,
        MOST_POINTS,
        OUTLINE,
        free_name,
        of_drawing,
        of_text,
    )

    rewriting = Rewriting.from_arguments(arguments)
    design: JigsawDesign = design_of(rewriting.saved, "jigsaw")
    if sum(one is not None for one in (arguments.drawing, arguments.text, arguments.remove)) != 1:
        raise StudioError(tr("Use one of --text, --remove or a drawing."))
    if arguments.drawing is None:
        refuse_reading(arguments)
    typeface = arguments.typeface or ""
    font, side = arguments.font or (OUTLINE if typeface else LINE), arguments.side or FACE
    if typeface and (arguments.text is None or font != OUTLINE):
        raise StudioError(tr("--typeface is for a --text in outlines."))
    if arguments.remove is not None:
        return rewriting.put(design.without_engraving(arguments.remove))
    down = design.parameters.height
    height, pose = arguments.height, _pose(arguments, design)
    if arguments.text is not None:
        if not arguments.text.strip():
            raise StudioError(tr("Enter a text to engrave."))
        height = min(10.0, down / 2) if height is None else height
        name = free_name(design.engravings, "text")
        made = of_text(name, arguments.text, replace(pose, height=height), font, side, typeface)
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


LETTERING = "studio.puzzles.jigsaw.figures.letters:Lettering"
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


def _interlock(arguments: argparse.Namespace) -> ExitCode:
    kerf = arguments.kerf
    design: JigsawDesign = design_of(load(Path(arguments.file)), "jigsaw")
    with waiting() as progress:
        shapes = shape(design, None, progress.part(0.0, 0.1))
        found = holds(shapes, progress.part(0.1, 1.0))
    answered(arguments, _as_json(found), *_lines(found, kerf))
    return ExitCode.NO if any(grip.is_loose(kerf) for grip in found.tongues) else ExitCode.DONE


def _lines(found: Holds, kerf: float) -> list[str]:
    named = [(grip.name, tongue_words(grip, kerf)) for grip in found.tongues]
    named += [(figure.name, figure_words(figure, kerf)) for figure in found.figures]
    named += [
        (f"{figure.name} {grip.name}", tongue_words(grip, kerf)) for figure in found.figures for grip in figure.grips
    ]
    width = max((len(name) for name, _ in named), default=0)
    return [*(f"{name:{width}}  {words}" for name, words in named), weakest_words(found, kerf)]


def _as_json(found: Holds) -> dict[str, Any]:
    """Clearances in mm, null above `most`."""
    return {
        "most": MOST,
        "tongues": _clearances(found.tongues),
        "figures": {figure.name: _clearances(figure.grips) for figure in found.figures},
    }


def _clearances(grips: tuple[Grip, ...]) -> dict[str, float | None]:
    return {grip.name: None if grip.clearance is None else round(grip.clearance, 3) for grip in grips}


def _fits(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.fits.false_fits import false_fits, reading

    clearance = _clearance(arguments)
    design: JigsawDesign = design_of(load(Path(arguments.file)), "jigsaw")
    with waiting() as progress:
        shapes = shape(design, None, progress.part(0.0, 0.3))
        found = false_fits(shapes, clearance, progress.part(0.3, 0.9))
        read = reading(found, progress.part(0.9, 1.0))
    closest = [(f"{fit.one}, {fit.other}", tr("{distance:.3f} mm", distance=fit.distance)) for fit in found.worst]
    width = max((len(names) for names, _ in closest), default=0)
    value = {
        "clearance": found.clearance,
        "edges": len(found.edges),
        "pairs": found.pairs,
        "ambiguous": found.ambiguous,
        "share": round(found.share, 4),
        "worst": [[fit.one, fit.other, round(fit.distance, 3)] for fit in found.worst],
        **{name: getattr(read, name) for name in ("pieces", "border", "straight", "shapes")},
        "wrong": round(read.wrong, 3),
        "swaps": [list(pair) for pair in read.swaps],
        "all_swaps": read.all_compared,
    }
    return answered(arguments, value, *read.sentences, *(f"{names:{width}}  {apart}" for names, apart in closest))


def _clearance(arguments: argparse.Namespace) -> float:
    """The clearance in mm that was asked for, or the kerf of the usual material."""
    from studio.fabricate.workshop import USUAL, Material, one_of

    return one_of(Material, USUAL[Material]).value.kerf if arguments.clearance is None else arguments.clearance


def _unique(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.fits.tongue_reshaping import made_devious, made_unique

    clearance = _clearance(arguments)
    rewriting = Rewriting.from_arguments(arguments)
    design: JigsawDesign = design_of(rewriting.saved, "jigsaw")
    with waiting() as progress:
        found = (made_devious if arguments.devious else made_unique)(design, clearance, progress)
    rewriting.put(found.design, says=not arguments.json)
    if rewriting.out != "-":
        sides = {
            when: {"pairs": fits.pairs, "ambiguous": fits.ambiguous, "share": round(fits.share, 4)}
            for when, fits in (("before", found.before), ("after", found.after))
        }
        value = {"clearance": clearance, **sides, "tongues": list(found.tongues), "left": list(found.left)}
        answered(arguments, value, *found.sentences)
    if arguments.devious:
        return ExitCode.DONE if found.after.pairs > found.before.pairs else ExitCode.NO
    return ExitCode.NO if found.after.pairs else ExitCode.DONE


def _tongue(arguments: argparse.Namespace) -> ExitCode:
    from studio.files.drawing_import import read_tongue
    from studio.puzzles.jigsaw.tongues.profiles import OWN_TONGUES

    rewriting = Rewriting.from_arguments(arguments)
    design: JigsawDesign = design_of(rewriting.saved, "jigsaw")
    if not Path(arguments.tongue).suffix:
        return rewriting.put(design.with_profile(OWN_TONGUES.named(arguments.tongue).item))
    with waiting() as progress:
        profile = read_tongue(Path(arguments.tongue), progress)
    return rewriting.put(design.with_profile(profile))


def _photo(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.picture.board_picture import BoardPicture, PictureSetting

    rewriting = Rewriting.from_arguments(arguments)
    design: JigsawDesign = design_of(rewriting.saved, "jigsaw")
    picture = design.picture
    if arguments.remove:
        if arguments.picture or picture is None:
            raise StudioError(tr("There is no picture to remove.") if picture is None else _EITHER)
        return rewriting.put(design.with_picture(None))
    if arguments.picture:
        from studio.files.pictures import read_picture

        with waiting() as progress:
            found = read_picture(Path(arguments.picture), arguments.page or 1, progress)
        for note in found.notes:
            print_error(note)
        picture = BoardPicture(found.data, found.media)
    if picture is None:
        raise StudioError(tr("This jigsaw has no picture yet; name a file with one."))
    place = given(arguments, PictureSetting)
    for name, whole in zip(("scale", "right", "down"), (100, *design.size), strict=True):
        if name in place:
            place[name] /= whole
    if arguments.crop is not None:
        place["crop"] = arguments.crop
    return rewriting.put(design.with_picture(replace(picture, **place)))


_EITHER = tr("Either name a picture or use --remove.")


def _cropped(text: str) -> tuple[float, ...]:
    """Shares from percentages: one for all sides, or left, top, right and bottom."""
    parts = [as_number("--crop", 100, "%")(part) for part in text.split(",")]
    if len(parts) not in (1, 4):
        raise StudioError(tr("--crop must be one percentage, or four: left,top,right,bottom."))
    return tuple(part / 100 for part in (parts if len(parts) == 4 else parts * 4))


def _repair(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.repair import repaired

    rewriting = Rewriting.from_arguments(arguments)
    design: JigsawDesign = design_of(rewriting.saved, "jigsaw")
    if arguments.reroll:
        return _reroll(arguments, rewriting, design)
    with waiting() as progress:
        found = repaired(design, progress)
    rewriting.put(found.design, says=not arguments.json)
    if rewriting.out != "-":
        answered(arguments, _values(found), *found.sentences)
    return ExitCode.NO if found.after.errors else ExitCode.DONE


def _reroll(arguments: argparse.Namespace, rewriting: Rewriting, design: JigsawDesign) -> ExitCode:
    from studio.puzzles.jigsaw.repair_search import rerolled

    with waiting() as progress:
        made = rerolled(design, progress)
    rewriting.put(made.design, says=not arguments.json)
    if rewriting.out == "-":
        return ExitCode.DONE
    seed = made.design.parameters.seed
    dropped = [tr("Dropped edits that no longer fit: {lost}.", lost=listed(made.dropped))] if made.dropped else []
    return answered(
        arguments,
        {"seed": seed, "dropped": list(made.dropped)},
        tr("Seed {seed} needs no repair.", seed=seed),
        *dropped,
    )


def _values(found: Repaired) -> dict[str, Any]:
    """Lengths in mm."""
    names = ("tongues", "corners", "figures", "lines", "locked", "tray", "dropped")
    return {
        "before": {"errors": found.before.errors, "warnings": found.before.warnings},
        "after": {"errors": found.after.errors, "warnings": found.after.warnings},
        **{name: list(getattr(found, name)) for name in names},
        "moved": {"mean": round(found.mean, 3), "largest": round(found.largest, 3)},
        "left": list(found.left),
    }


PICTURE = "studio.puzzles.jigsaw.picture.board_picture:PictureSetting"
CLEARANCE = option(
    "studio.puzzles.jigsaw.game_positions:GameOptions",
    "clearance",
    help=tr("edges that differ by no more than this are a false fit (default: the kerf of 3 mm plywood)"),
)

COMMANDS: dict[str, Command] = {
    "figure": Command(
        _figure,
        tr("add figures to a jigsaw, each cut as one piece"),
        FILE,
        argument(
            "figure",
            metavar="FIGURE",
            nargs="?",
            help=tr("a figure such as cat, one of your library, or an SVG or DXF file"),
        ),
        argument("--text", metavar="TEXT", help=tr("letters instead of a figure; \\n begins a new line")),
        option(LETTERING, "font", metavar="FONT"),
        option(LETTERING, "mode", "--joined", value="joined", help=tr("the whole text as one piece")),
        option(LETTERING, "mode", "--bar", value="bar", help=tr("the whole text as one piece on a bar")),
        *(option(LETTERING, name) for name in ("counters", "align", "spacing", "line_spacing", "weight")),
        option(LETTERING, "arc", metavar="DEGREES"),
        option(POSE, "height", help=tr("height of the figure, or of the capital letters")),
        *PLACE,
        option(POSE, "is_mirrored", "--mirror"),
        option(
            "studio.puzzles.jigsaw.figures.whimsies:Setting",
            "tongues",
            help=tr("tongues into the pieces around each figure, 0 to 8; 8, the default, is as many as fit"),
        ),
        argument("--remove", metavar="NAME", help=tr("remove a figure, such as cat1")),
        *READING,
        OUT_OR_SELF,
        REPLACE,
        description=tr(
            "Add a figure to a jigsaw, or letters in any font, each cut as one piece. FIGURE is a built-in figure such "
            "as cat (the manual shows them all), one of your library, or an SVG or DXF file with a closed path, which "
            "may have holes. Figures go to the nearest place that has room."
        ),
    ),
    "engrave": Command(
        _engrave,
        tr("engrave a text or a drawing on the face or the back of a jigsaw"),
        FILE,
        argument("drawing", metavar="DRAWING", nargs="?", help=tr("SVG or DXF file whose lines are engraved")),
        argument("--text", metavar="TEXT", help=tr("one line of text")),
        option(ENGRAVING, "font"),
        option(ENGRAVING, "typeface", metavar="FONT"),
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
    "repair": Command(
        _repair,
        tr("fix all problems of a jigsaw with a few small changes; exit code 1 if errors remain"),
        FILE,
        OUT_OR_SELF,
        argument("--reroll", action="store_true", help=tr("take the next seed that needs no repair instead")),
        REPLACE,
        JSON,
        description=tr(
            "Change as few tongues and corners as possible, as little as possible, until nothing overlaps and every "
            "limit is met. Locked tongues change last. If a limit cannot be met, the value that can be is stated. "
            "Lengths in --json are in mm."
        ),
    ),
    "fits": Command(
        _fits,
        tr("count the false fits of a jigsaw: pairs of edges too alike to tell apart"),
        FILE,
        CLEARANCE,
        JSON,
        description=tr(
            "Compare all inner edges of a jigsaw, tongue into socket, with the pieces face up. Two edges are a false "
            "fit if they differ by no more than the clearance. Distances in --json are in mm."
        ),
    ),
    "unique": Command(
        _unique,
        tr("reshape tongues of a jigsaw until every piece fits in one place only; exit code 1 if false fits remain"),
        FILE,
        OUT_OR_SELF,
        CLEARANCE,
        argument("--devious", action="store_true", help=tr("make tongues near-copies of one another instead")),
        REPLACE,
        JSON,
        description=tr(
            "Reshape the tongues that could be mistaken for one another, as little as possible, until no two inner "
            "edges are a false fit. Locked tongues and straight edges stay. No error or warning is added; false fits "
            "that remain are counted, with the reason. With --devious unlocked tongues become near-copies instead."
        ),
    ),
    "interlock": Command(
        _interlock,
        tr("list the clearance at which each tongue of a jigsaw pulls out; exit code 1 if any is loose"),
        FILE,
        argument(
            "--kerf",
            metavar="MM",
            type=as_number("--kerf", MOST, "mm"),
            default=0.0,
            help=tr("tongues that pull out at less than this are loose"),
        ),
        JSON,
        description=tr(
            "List the clearance at which each tongue of a jigsaw can be slid out of its socket, and each figure off "
            "its neighbours. With --json clearances are in mm; null means that the pieces interlock even at the "
            "largest clearance tried."
        ),
    ),
    "photo": Command(
        _photo,
        tr("put a picture under the cuts of a jigsaw, move or remove it"),
        FILE,
        argument(
            "picture",
            metavar="PICTURE",
            nargs="?",
            help=tr("PNG, JPEG, WebP, SVG or PDF file; without one, the current picture is moved"),
        ),
        counted("--page", tr("page of a PDF file (default: 1)")),
        option(PICTURE, "place", is_kept=True),
        option(PICTURE, "scale", metavar="PERCENT", is_kept=True),
        option(PICTURE, "right", is_kept=True),
        option(PICTURE, "down", is_kept=True),
        option(PICTURE, "turn", metavar="DEGREES", is_kept=True),
        argument(
            "--crop",
            metavar="PERCENT",
            type=_cropped,
            help=tr("part to cut off at all sides, or left,top,right,bottom"),
        ),
        argument("--remove", action="store_true", help=tr("remove the picture")),
        OUT_OR_SELF,
        REPLACE,
        description=tr(
            "Put a picture under the cuts of a jigsaw. It is kept in the puzzle file and follows the size of the "
            "board. Pictures of more than 25 megapixels are scaled down, colour profiles become sRGB, and the "
            "rotation set by a camera is applied."
        ),
    ),
    "mask": MASK,
    "tongue": Command(
        _tongue,
        tr("take a jigsaw's custom tongue from a drawing or your library"),
        FILE,
        argument("tongue", metavar="TONGUE", help=tr("SVG or JSON file with one tongue, or one of your library")),
        OUT_OR_SELF,
        REPLACE,
        description=tr(
            "Give a jigsaw a custom tongue from an SVG file with one open path, from one corner of the edge to the "
            "other, smooth and with a neck, from a JSON file like those of the built-in tongues, or from your library "
            "by its key. All tongues get the style `own`, unless some already have it."
        ),
    ),
}
