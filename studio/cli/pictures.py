"""The commands that show something: pictures, and the window itself."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.cli import qt
from studio.cli.arguments import FILE, REPLACE_WORK, Command, argument, as_number, refuse_work
from studio.cli.terminal import ExitCode
from studio.files.store import load
from studio.puzzles.abilities.cuttable import Cuttable

LARGEST_PICTURE = 16384
"""Pixels along a side of the largest picture; image readers refuse larger ones."""
MOST_MEGAPIXELS = 100
"""Largest picture in megapixels, which takes a gigabyte to paint."""


def _picture(arguments: argparse.Namespace) -> ExitCode:
    out = Path(arguments.out)
    if out.suffix.lower() != ".png":
        raise StudioError(tr("Pictures are PNG files: {out} must end in .png.", out=arguments.out))
    size, scale = _pixels(arguments.size, arguments.scale)
    if arguments.moment is not None and not arguments.window:
        raise StudioError(tr("--moment needs --window: it chooses a point in the cut plan or in a view's animation."))
    for name in ("view", "date"):
        if getattr(arguments, name) is not None and not arguments.window:
            raise StudioError(tr("--{name} needs --window.", name=name))
    refuse_work([out], force=arguments.force)
    saved = load(Path(arguments.file))
    if not arguments.window and saved.kind.able(Cuttable) is None:
        raise StudioError(
            tr("{reason} Add --window for a picture of the window.", reason=Cuttable.lacking.format(key=saved.kind.key))
        )
    with qt():
        from studio.ui.shell.screenshot import save_picture
    save_picture(
        saved, Path(arguments.file), out, window=arguments.window, theme=arguments.theme, size=size, scale=scale,
        share=arguments.moment, view=arguments.view, date=arguments.date,
    )  # fmt: skip
    print(tr("Wrote {out}.", out=arguments.out))
    return ExitCode.DONE


def _pixels(size: str, scale: str) -> tuple[tuple[int, int], float]:
    """Width and height of a picture and the pixels for each; raises StudioError if they are out of bounds."""
    match = re.fullmatch(r"([0-9]{1,5})[xX×]([0-9]{1,5})", size)
    if match is None:
        raise StudioError(tr("--size must be width x height in pixels, such as 1440x900, not {size!r}.", size=size))
    width, height = int(match[1]), int(match[2])
    factor = float(scale) if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", scale) else 0.0
    if not 0.25 <= factor <= 8:
        raise StudioError(tr("--scale must be a number from 0.25 to 8, not {scale!r}.", scale=scale))
    if not (min(width, height) >= 16 and max(width, height) * factor <= LARGEST_PICTURE):
        raise StudioError(
            tr(
                "--size {size} at --scale {scale} must give 16 to {largest} pixels per side.",
                size=size,
                scale=scale,
                largest=LARGEST_PICTURE,
            )
        )
    megapixels = width * height * factor**2 / 1e6
    if megapixels > MOST_MEGAPIXELS:
        raise StudioError(
            tr(
                "--size {size} at --scale {scale} would be {megapixels:.0f} megapixels (maximum {most}).",
                size=size,
                scale=scale,
                megapixels=megapixels,
                most=MOST_MEGAPIXELS,
            )
        )
    return (width, height), factor


COMMANDS: dict[str, Command] = {
    "picture": Command(
        _picture,
        tr("save a picture of a design or of the window as PNG"),
        FILE,
        argument("-o", dest="out", metavar="OUT.png", required=True),
        argument("--window", action="store_true", help=tr("show the whole window, not just the drawing")),
        REPLACE_WORK,
        argument(
            "--moment",
            metavar="SHARE",
            type=as_number("--moment", 1),
            help=tr("a point in the cut plan or in the view's animation, 0 to 1"),
        ),
        argument("--view", metavar="VIEW", help=tr("the view to show, such as a cube's net")),
        argument("--date", metavar="DATE", help=tr("the calendar date to show, such as 10-06 (default: today)")),
        argument("--theme", choices=("light", "dark"), default="light"),
        argument("--size", metavar="WxH", default="1440x900", help=tr("size in pixels (default: 1440x900)")),
        argument("--scale", metavar="N", default="1", help=tr("scale factor (default: 1)")),
    )
}
