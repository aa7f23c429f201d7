"""Installs the studio's add-on for Rayforge, an open program for laser cutters, which then opens designs.

Rayforge looks for add-ons in a folder of its settings, a folder each. Ours has `resources/rayforge/` and a note with
the words that start this studio, as Rayforge's own Python has no package of the studio.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import studio
from studio.base.atomic import make_folder
from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.texts import tr

NAME, MANIFEST, NOTE = "puzzle_studio", "rayforge-addon.yaml", "studio.json"
SETTINGS = "RAYFORGE_CONFIG_DIR"
"""The variable that names Rayforge's folder of settings, if it is not the usual one."""
SANDBOXES = {"Flatpak": ".var/app/org.rayforge.rayforge", "Snap": "snap/rayforge"}
"""Folders in the home folder of a Rayforge that may start no other program."""


@dataclass(frozen=True)
class Installed:
    """The installed add-on: its folder, and whether it replaced an older one."""

    folder: Path
    is_update: bool

    @property
    def sentence(self) -> str:
        """A sentence that names the folder, and tells that Rayforge must be started again."""
        words = tr("Updated the add-on in {folder}.") if self.is_update else tr("Installed the add-on in {folder}.")
        told = words.format(folder=self.folder)
        return tr("{told} Rayforge opens .puzzle files once it is started again.", told=told)


def settings_folder() -> Path:
    """Rayforge's folder of settings, by its own rule; raises StudioError if Rayforge has not made it yet."""
    named = os.environ.get(SETTINGS, "")
    folder = Path(named) if named else _usual_folder()
    if os.path.isdir(folder):
        return folder
    for sandbox, place in SANDBOXES.items():
        if os.path.isdir(Path.home() / place):
            raise StudioError(
                tr(
                    "Rayforge from {sandbox} may not start other programs, such as the studio. Install it in another "
                    "way, or import SVG files.",
                    sandbox=sandbox,
                )
            )
    raise StudioError(
        tr("Rayforge was not found: there is no folder {folder}. Start Rayforge once, then try again.", folder=folder)
    )


def _usual_folder() -> Path:
    """The usual folder of Rayforge's settings, by the rule of platformdirs; raises StudioError without a home."""
    try:
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Application Support" / "rayforge"
        windows = sys.platform == "win32"
        named = os.environ.get("LOCALAPPDATA" if windows else "XDG_CONFIG_HOME", "").strip()
        if windows:
            return (Path(named) if named else Path.home() / "AppData" / "Local") / "rayforge" / "rayforge"
        return (Path(named) if named else Path.home() / ".config") / "rayforge"
    except RuntimeError as problem:
        raise StudioError(tr("No home folder was found.")) from problem


def install(machine: str = "", material: str = "") -> Installed:
    """Install the add-on or replace an older one, whole or not at all.

    Layers get the recipe of a machine and a material, if both are named by their keys. Raises StudioError if Rayforge
    is not found, something else has the add-on's name, or its folder cannot be written.
    """
    settings = settings_folder()
    target = settings / "addons" / NAME
    is_update = _is_ours(target)
    recipe = ["--machine", machine, "--material", material] if machine and material else []
    note = {"version": studio.__version__, "command": command_line(), "recipe": recipe}
    make_folder(target.parent)
    try:
        # Beside the folder of add-ons, in which Rayforge takes every folder for one.
        with tempfile.TemporaryDirectory(dir=settings, prefix=f".{NAME}-", ignore_cleanup_errors=True) as aside:
            fresh, old = Path(aside, "new"), Path(aside, "old")
            shutil.copytree(shipped("rayforge"), fresh, ignore=shutil.ignore_patterns("__pycache__"))
            (fresh / NOTE).write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")
            if is_update:
                target.rename(old)
            try:
                fresh.rename(target)
            except OSError:
                if is_update:
                    old.rename(target)
                raise
    except OSError as problem:
        raise StudioError(
            tr("Could not write {folder}: {reason}.", folder=target, reason=problem.strerror or problem)
        ) from problem
    return Installed(target, is_update)


def remove() -> Path | None:
    """Delete the add-on and return its folder; None if there is none. Raises StudioError if that fails."""
    target = settings_folder() / "addons" / NAME
    if not _is_ours(target):
        return None
    try:
        shutil.rmtree(target)
    except OSError as problem:
        raise StudioError(
            tr("Could not remove {file}: {reason}.", file=target, reason=problem.strerror or problem)
        ) from problem
    return target


def _is_ours(target: Path) -> bool:
    """True for our add-on, False for nothing; raises StudioError for anything else of this name."""
    if not os.path.lexists(target):
        return False
    try:
        is_ours = not target.is_symlink() and f"name: {NAME}" in (target / MANIFEST).read_text("utf-8").splitlines()
    except (OSError, ValueError):
        is_ours = False
    if not is_ours:
        raise StudioError(tr("{folder} is not the studio's add-on; move it away, then try again.", folder=target))
    return True


def command_line() -> Sequence[str]:
    """The words that run a command of this very studio: its program, or this Python and the place of a checkout."""
    program = Path(sys.executable).parent / f"puzzle-studio{'.exe' if sys.platform == 'win32' else ''}"
    if os.path.isfile(program):
        return [str(program)]
    root = str(Path(studio.__file__).resolve().parents[1])
    start = f"import sys; sys.path.insert(0, {root!r}); from studio.__main__ import main; sys.exit(main())"
    return [sys.executable, "-c", start]
