"""The command that puts a picture on a zigzaw: the tops of its cubes become pixels."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.cli.arguments import FILE, Command, ExitCode, argument
from studio.cli.designs import put
from studio.cli.keeping import REPLACE, refuse_changed, refuse_existing
from studio.cli.waiting import waiting
from studio.errors import StudioError
from studio.files.store import Saved, load
from studio.geometry.artwork import MOST_BYTES
from studio.stored import content
from studio.texts import tr


def _mosaic(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.zigzaw.generate import with_picture
    from studio.puzzles.zigzaw.model import Photo, ZigzawDesign
    from studio.puzzles.zigzaw.mosaic import distance

    out = arguments.file if arguments.out is None else arguments.out
    refuse_existing(out, force=arguments.force, own=arguments.file)
    saved = load(Path(arguments.file))
    if not isinstance(saved.design, ZigzawDesign):
        raise StudioError(tr("Only a zigzaw can show a picture; this is a {kind} puzzle.", kind=saved.kind.key))
    try:
        photo = Photo(content(Path(arguments.picture), MOST_BYTES))
    except StudioError as problem:
        raise StudioError(
            tr("{picture} cannot be used: {problem}", picture=arguments.picture, problem=problem)
        ) from problem
    with waiting() as progress:
        design = with_picture(saved.design, photo, progress)
    refuse_changed(arguments.file, out, saved, force=arguments.force)
    code = put(Saved(saved.kind, design), out)
    if arguments.out != "-":
        print(
            tr(
                "Mean colour difference from the picture: {distance:.3f} (black to white = 1).",
                distance=distance(design),
            )
        )
    return code


COMMANDS: dict[str, Command] = {
    "mosaic": Command(
        _mosaic,
        tr("show a picture on the tops of a zigzaw's cubes"),
        FILE,
        argument("picture", metavar="PICTURE", help=tr("PNG or JPEG file")),
        argument(
            "-o", dest="out", metavar="FILE", help=tr("the file to write; - for standard output (default: FILE itself)")
        ),
        REPLACE,
        description=tr(
            "Show a picture on the tops of a zigzaw's cubes, one cube per pixel; with dither=false each top gets "
            "the nearest colour. Any three colours (scheme=any) make a unique solution easier to find than real "
            "cubes."
        ),
    )
}
