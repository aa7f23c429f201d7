"""The commands for other programs to open designs, the test of an installation, and pictures of the window."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from studio import DESKTOP_ID, __version__
from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.texts import tr
from studio.cli import qt
from studio.cli.arguments import FILE, REPLACE_WORK, Command, argument, as_number, refuse_work
from studio.cli.terminal import ExitCode, print_error
from studio.cli.workshop import MACHINE, MATERIAL
from studio.files.store import load
from studio.puzzles.abilities.cuttable import Cuttable

ENTRY = f"applications/{DESKTOP_ID}.desktop"
PLACES = {
    f"{DESKTOP_ID}.desktop": ENTRY,
    f"{DESKTOP_ID}.metainfo.xml": f"metainfo/{DESKTOP_ID}.metainfo.xml",
    f"{DESKTOP_ID}.xml": f"mime/packages/{DESKTOP_ID}.xml",
    f"{DESKTOP_ID}.svg": f"icons/hicolor/scalable/apps/{DESKTOP_ID}.svg",
    "application-x-puzzle-studio.svg": "icons/hicolor/scalable/mimetypes/application-x-puzzle-studio.svg",
}
"""Places of the files of `resources/desktop/` in a folder of shared data."""
FORMER = (
    "applications/puzzle-studio.desktop", "mime/packages/puzzle-studio.xml",
    "icons/hicolor/scalable/apps/puzzle-studio.svg",
)  # fmt: skip
"""Places of files that earlier versions left there."""
REFRESHED = {"update-desktop-database": "applications", "update-mime-database": "mime"}
"""The programs that let desktops know, and the folder that each of them reads."""
PATIENCE = 60
"""Most seconds that such a program may run."""


def data_folder(environment: Mapping[str, str]) -> Path:
    """The folder of a person's shared data, as the XDG specification says; raises StudioError on other systems."""
    if sys.platform in ("win32", "darwin"):
        raise StudioError(
            tr("`desktop` is for Linux and BSD desktops. On this system, use Open With on a .puzzle file.")
        )
    named = environment.get("XDG_DATA_HOME", "")
    if Path(named).is_absolute():
        return Path(named)
    try:
        return Path.home() / ".local" / "share"
    except RuntimeError as problem:
        raise StudioError(tr("No home folder was found.")) from problem


def starting() -> list[str]:
    """The words that start this very studio: its command, or `go.py` of a checkout."""
    root = Path(__file__).resolve().parents[2]
    if os.path.isfile(root / "go.py"):
        return [getattr(sys, "_base_executable", sys.executable), str(root / "go.py"), "run"]
    command = shutil.which("puzzle-studio", path=str(Path(sys.executable).parent)) or shutil.which("puzzle-studio")
    return [command] if command else [sys.executable, "-m", "studio"]


def quoted(word: str) -> str:
    """A word as the key `Exec` of a desktop entry wants it, whose texts are escaped once more."""
    inner = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word)
    return f'"{inner}"'.replace("\\", "\\\\").replace("%", "%%")


def entry(text: str, words: list[str]) -> str:
    """The desktop entry with the words that start the studio."""
    command = " ".join(map(quoted, words))
    return "".join(f"Exec={command} %f\n" if line.startswith("Exec=") else line for line in text.splitlines(True))


def _desktop(arguments: argparse.Namespace) -> ExitCode:
    folder = data_folder(os.environ)
    source = shipped("desktop")
    for place in FORMER:
        _remove(folder / place)
    for name, place in PLACES.items():
        target = folder / place
        if arguments.remove:
            _remove(target)
            continue
        data = (source / name).read_bytes()
        if place == ENTRY:
            data = entry(data.decode("utf-8"), starting()).encode("utf-8")
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, data)
    _refresh(folder)
    if arguments.remove:
        print(tr("Removed Puzzle Studio from {folder}.", folder=folder))
    else:
        print(tr("Added Puzzle Studio to {folder}: .puzzle files now open with it.", folder=folder))
    return ExitCode.DONE


def _remove(target: Path) -> None:
    try:
        target.unlink(missing_ok=True)
    except OSError as problem:
        raise StudioError(tr("Could not remove {file}: {reason}.", file=target, reason=problem.strerror)) from problem


def _refresh(folder: Path) -> None:
    """Let running desktops know at once; one without these programs finds out at the next login."""
    for program, part in REFRESHED.items():
        found = shutil.which(program)
        if found and os.path.isdir(folder / part):
            nothing = subprocess.DEVNULL
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run([found, str(folder / part)], stdin=nothing, stdout=nothing, stderr=nothing,
                    check=False, timeout=PATIENCE)  # fmt: skip


# The command for Rayforge


def _rayforge(arguments: argparse.Namespace) -> ExitCode:
    from studio.connect import rayforge

    if arguments.remove:
        folder = rayforge.remove()
        if folder is None:
            print_error(tr("Rayforge does not have the add-on."))
            return ExitCode.NO
        print(tr("Removed the add-on from {folder}.", folder=folder.parent))
        return ExitCode.DONE
    if (arguments.machine is None) != (arguments.material is None):
        raise StudioError(tr("A recipe needs both --machine and --material."))
    keys = () if arguments.machine is None else (arguments.machine.key, arguments.material.key)
    print(rayforge.install(*keys).sentence)
    return ExitCode.DONE


# The test of an installation


TRIED: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "jigsaw": ({"pieces": 24}, ("dxf", "svg", "pdf", "lbrn2", "gcode", "plt", "png", "3mf")),
    "cube": ({}, ("3mf", "stl")),
    "calendar": ({}, ("dxf",)),
    "zigzaw": ({"columns": 3, "rows": 3}, ("svg",)),
    "slitherlink": ({"columns": 6, "rows": 6}, ("svg",)),
}
"""Parameters of each kind, for a small puzzle, and the files that are written of it, which are read back and proven."""


def self_test() -> ExitCode:
    """Try that an installation is complete: make each kind, save it and open it again, export it, open its window.

    Says a line for each; the exit code is 1 if any failed. Writes to a temporary folder alone.
    """
    from studio import api

    code = ExitCode.DONE
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, (values, formats) in TRIED.items():
            try:
                puzzle, file = api.new(kind, **values), folder / f"{kind}.puzzle"
                api.save(file, puzzle)
                if api.load(file) != puzzle or api.check(puzzle).errors:
                    raise StudioError(tr("the puzzle is not as it was made."))
                for format in formats:
                    api.export(puzzle, folder / f"{kind}.{format}")
                picture = folder / f"{kind}-window.png"
                with qt():
                    from studio.ui.shell.screenshot import save_picture
                save_picture(puzzle, file, picture, window=True, theme="light", size=(1280, 800), scale=1.0)
                if picture.read_bytes()[:4] != b"\x89PNG":
                    raise StudioError(tr("its window was not drawn."))
                written = ", ".join(formats)
                print(tr("{kind}: made, saved, exported ({formats}), shown.", kind=puzzle.kind.title, formats=written))
            except Exception as problem:
                # Whatever an installation lacks, the other kinds are tried, too.
                code = ExitCode.NO
                print_error(tr("{kind} failed: {problem}", kind=kind, problem=problem or type(problem).__name__))
    print(tr("Puzzle Studio {version} works.", version=__version__) if code is ExitCode.DONE
          else tr("Puzzle Studio {version} does not work.", version=__version__))  # fmt: skip
    return code


# The command that saves pictures


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
    "desktop": Command(
        _desktop,
        tr("open .puzzle files with the studio: adds it to your desktop's applications"),
        argument("--remove", action="store_true", help=tr("remove it again")),
        description=tr(
            "Add Puzzle Studio and its icon to the applications of a Linux or BSD desktop, for your account only, and "
            "open .puzzle files with it."
        ),
    ),
    "rayforge": Command(
        _rayforge,
        tr("install the add-on with which Rayforge opens .puzzle files"),
        argument("--remove", action="store_true", help=tr("remove it again")),
        MACHINE,
        MATERIAL,
        description=tr(
            "Install the studio's add-on for Rayforge, or update it. With a machine and a material, the layers that "
            "Rayforge makes get their recipe."
        ),
    ),
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
    ),
}
