"""The command that puts the studio among a desktop's applications, so that a double click opens a design."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.texts import tr
from studio.cli.arguments import Command, argument
from studio.cli.terminal import ExitCode

ENTRY = "applications/puzzle-studio.desktop"
PLACES = {
    "puzzle-studio.desktop": ENTRY,
    "puzzle-studio.xml": "mime/packages/puzzle-studio.xml",
    "puzzle-studio.svg": "icons/hicolor/scalable/apps/puzzle-studio.svg",
    "application-x-puzzle-studio.svg": "icons/hicolor/scalable/mimetypes/application-x-puzzle-studio.svg",
}
"""Places of the files of `resources/desktop/` in a folder of shared data."""
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


COMMANDS: dict[str, Command] = {
    "desktop": Command(
        _desktop,
        tr("open .puzzle files with the studio: adds it to your desktop's applications"),
        argument("--remove", action="store_true", help=tr("remove it again")),
        description=tr(
            "Add Puzzle Studio and its icon to the applications of a Linux or BSD desktop, for your account only, and "
            "open .puzzle files with it."
        ),
    )
}
