"""The command that puts a picture on a zigzaw: the tops of its cubes become pixels."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.texts import tr
from studio.cli.arguments import FILE, OUT_OR_SELF, REPLACE, Command, argument
from studio.cli.designs import Rewriting, design_of
from studio.cli.terminal import ExitCode, waiting
from studio.geometry.art.artwork import MOST_BYTES

FAR = 0.15
"""Mean colour difference at which a picture is hard to recognise."""


def _mosaic(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.zigzaw.colours import distance
    from studio.puzzles.zigzaw.generate import with_picture
    from studio.puzzles.zigzaw.model import LETTERS, Photo, ZigzawDesign

    rewriting = Rewriting.from_arguments(arguments)
    before: ZigzawDesign = design_of(rewriting.saved, "zigzaw")
    try:
        photo = Photo(content(Path(arguments.picture), MOST_BYTES))
    except StudioError as problem:
        raise StudioError(
            tr("{picture} cannot be used: {problem}", picture=arguments.picture, problem=problem)
        ) from problem
    with waiting() as progress:
        design = with_picture(before, photo, progress)
    code = rewriting.put(design)
    if arguments.out != "-":
        apart, most = distance(design), len(LETTERS)
        words = tr(
            "Mean colour difference from the picture, sides included: {distance:.3f} (black to white = 1).",
            distance=apart,
        )
        if apart > FAR and design.parameters.paint_count < most:
            words += " " + tr("More colours come nearer: scheme=any and colours={most}.", most=most)
        print(words)
    return code


COMMANDS: dict[str, Command] = {
    "mosaic": Command(
        _mosaic,
        tr("show a picture on the tops of a zigzaw's cubes"),
        FILE,
        argument("picture", metavar="PICTURE", help=tr("PNG or JPEG file")),
        OUT_OR_SELF,
        REPLACE,
        description=tr(
            "Show a picture on the tops of a zigzaw's cubes, one cube per pixel; with dither=false each top gets "
            "the nearest colour. Any three colours (scheme=any) make a unique solution easier to find than real "
            "cubes."
        ),
    )
}
