"""The command that puts a picture on a zigzaw: the tops of its cubes become pixels."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.cli.designs import put
from studio.cli.waiting import waiting
from studio.cli.words import FILE, Command, ExitCode, word
from studio.errors import StudioError
from studio.files.store import Saved, load
from studio.geometry.artwork import MOST_BYTES
from studio.stored import content


def _mosaic(words: argparse.Namespace) -> ExitCode:
    from studio.puzzles.zigzaw.deal import with_picture
    from studio.puzzles.zigzaw.model import Photo, ZigzawDesign
    from studio.puzzles.zigzaw.mosaic import distance

    saved = load(Path(words.file))
    if not isinstance(saved.design, ZigzawDesign):
        raise StudioError(f"Pictures go on the kind zigzaw alone, not on {saved.kind.key}.")
    try:
        photo = Photo(content(Path(words.picture), MOST_BYTES))
    except StudioError as problem:
        raise StudioError(f"{words.picture} cannot be used: {problem}") from problem
    with waiting() as progress:
        design = with_picture(saved.design, photo, progress)
    code = put(Saved(saved.kind, design), words.file if words.out is None else words.out)
    if words.out != "-":
        print(f"The tops are {distance(design):.3f} from the picture on average, where black is 1 from white.")
    return code


COMMANDS: dict[str, Command] = {
    "mosaic": Command(
        _mosaic,
        "show a picture on the tops of a zigzaw's cubes",
        FILE,
        word("picture", metavar="PICTURE", help="a PNG or a JPEG"),
        word("-o", dest="out", metavar="FILE", help="- for standard output; without it FILE itself"),
        description="Show a picture on the tops of a zigzaw's cubes, a cube for each pixel; with dither=false each top "
        "has the nearest colour. Any three colours (scheme=any) leave it more room for one solution than a real cube.",
    )
}
