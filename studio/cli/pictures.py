"""The commands that show something: pictures, and the window itself."""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from studio.cli.words import FILE, Command, ExitCode, number_of, word
from studio.errors import StudioError
from studio.files.store import load
from studio.puzzles.abilities.cut import Cut
from studio.texts import tr

LARGEST_PICTURE = 16384
"""Pixels along a side of the largest picture; image readers refuse larger ones."""


def _picture(words: argparse.Namespace) -> ExitCode:
    out = Path(words.out)
    if out.suffix.lower() != ".png":
        raise StudioError(tr("A picture is a PNG file; {out} must end in .png.", out=words.out))
    size, scale = _pixels(words.size, words.scale)
    moment = number_of(words.moment, "--moment", 1)
    if moment is not None and not words.window:
        raise StudioError(tr("--moment shows the cut plan, or what a view plays, of the window; add --window."))
    if words.view is not None and not words.window:
        raise StudioError(tr("--view chooses a view of the window; add --window."))
    if words.date is not None and not words.window:
        raise StudioError(tr("--date chooses the date that the window shows; add --window."))
    saved = load(Path(words.file))
    if not words.window and saved.kind.able(Cut) is None:
        raise StudioError(
            tr("{lacking} Add --window for a picture of the window.", lacking=Cut.lacking.format(key=saved.kind.key))
        )
    with _qt():
        from studio.ui.shell.picture import save_picture
    save_picture(
        saved.kind, saved.design, out, window=words.window, theme=words.theme, size=size, scale=scale, moment=moment,
        view=words.view, date=words.date,
    )  # fmt: skip
    print(tr("{out} is written.", out=words.out))
    return ExitCode.DONE


def _pixels(size: str, scale: str) -> tuple[tuple[int, int], float]:
    """Width and height of a picture and the pixels for each; raises StudioError where they are out of bounds."""
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
                "--size {size} at --scale {scale} must give from 16 to {largest_picture} pixels a side.",
                size=size,
                scale=scale,
                largest_picture=LARGEST_PICTURE,
            )
        )
    return (width, height), factor


def open_window(files: Sequence[str]) -> int:
    """Open the window on some files."""
    with _qt():
        from studio.ui.shell.app import run
    return run([Path(file) for file in files])


@contextlib.contextmanager
def _qt() -> Iterator[None]:
    """Say in a sentence what Qt lacks on this computer, such as a library of the system."""
    try:
        yield
    except ModuleNotFoundError:
        raise
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] not in ("PySide6", "shiboken6"):
            raise
        raise StudioError(
            tr("Qt cannot be loaded ({problem}); `python3 go.py setup` tells how to mend it.", problem=problem)
        ) from problem


COMMANDS: dict[str, Command] = {
    "picture": Command(
        _picture,
        tr("draw a design, or the whole window, into a PNG file"),
        FILE,
        word("-o", dest="out", metavar="OUT.png", required=True),
        word("--window", action="store_true", help=tr("the whole window, not only the drawing")),
        word(
            "--moment",
            metavar="SHARE",
            help=tr(
                "show the cut plan with this share of the cutting time passed, 0 to 1; of a view that plays something "
                "itself, such as a calendar's search, what it shows after this share"
            ),
        ),
        word("--view", metavar="VIEW", help=tr("which view of the window to show, such as a cube's net")),
        word("--date", metavar="DATE", help=tr("the date of a calendar to show, as in 10-06; today without")),
        word("--theme", choices=("light", "dark"), default="light"),
        word("--size", metavar="WxH", default="1440x900", help=tr("in pixels (default 1440x900)")),
        word("--scale", metavar="N", default="1", help=tr("pixels for each of them (default 1)")),
    )
}
