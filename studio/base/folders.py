"""Folders of the studio and of the user, and the JSON files kept in them."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from studio.base.atomic import make_folder, write_bytes
from studio.base.errors import StudioError
from studio.base.texts import tr


def own_folder() -> Path:
    """Folder of all user files; raises StudioError if the system names no home folder."""
    try:
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Application Support" / "puzzle-studio"
        windows = sys.platform == "win32"
        named = os.environ.get("APPDATA" if windows else "XDG_CONFIG_HOME", "")
        # The XDG specification has programs pass over a path that is not absolute.
        if Path(named).is_absolute():
            return Path(named) / "puzzle-studio"
        return Path.home().joinpath(*(("AppData", "Roaming") if windows else (".config",)), "puzzle-studio")
    except RuntimeError as problem:
        raise StudioError(
            tr("Your own machines and materials are not available: no home folder was found.")
        ) from problem


def state_folder() -> Path | None:
    """Folder of recovery copies and of notes on unfinished writes; None without a home folder."""
    try:
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Preferences" / "State" / "puzzle-studio"
        windows = sys.platform == "win32"
        named = os.environ.get("LOCALAPPDATA" if windows else "XDG_STATE_HOME", "")
        base = Path(named) if Path(named).is_absolute() else None
        if windows:
            return (base or Path.home() / "AppData" / "Local") / "State" / "puzzle-studio"
        return (base or Path.home() / ".local" / "state") / "puzzle-studio"
    except RuntimeError:
        return None


def shipped(name: str) -> Path:
    """A folder of the data shipped with the studio."""
    return _folder("resources") / name


def manual_folder() -> Path:
    """The folder of the manual's pages."""
    return _folder("docs") / "manual"


def _folder(name: str) -> Path:
    """A shipped folder: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / name
    return inside if os.path.isdir(inside) else package.parent / name


# User files: one JSON file per item, named after its title

SUFFIX = ".json"
_KEY_LETTERS = 50
"""Longest part of a title that its key keeps, in letters; a number may follow."""


def own_path(folder: str, key: str) -> Path:
    """Path of the user file with a key in a folder; raises StudioError without a home folder."""
    return own_folder() / folder / f"{key}{SUFFIX}"


def own_files(folder: str) -> list[Path]:
    """Return the user files in a folder, sorted by name, without unfinished files, whose names begin with a dot."""
    return [path for path in sorted((own_folder() / folder).glob(f"*{SUFFIX}")) if not path.name.startswith(".")]


def refuse_key(key: object) -> None:
    """Raise StudioError unless a key is lower-case words or digits joined by hyphens, such as `plywood-3`."""
    if not isinstance(key, str) or not re.fullmatch(r"(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*", key):
        raise StudioError(tr("A key must be lower-case words or digits joined by hyphens, not {key!r}.", key=key))


def refuse_title(title: object) -> None:
    """Raise StudioError unless a title is one line of text."""
    if not isinstance(title, str) or not title.strip() or not title.isprintable():
        raise StudioError(tr("The title must be one line of text, not {title!r}.", title=title))


def key_of(title: str, taken: Collection[str], otherwise: str) -> str:
    """Make an untaken key from a title; a title without a Latin letter or digit gives `otherwise`.

    >>> key_of("My board", [], "preset"), key_of("My board!", ["my-board"], "preset")
    ('my-board', 'my-board-2')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", title.lower())[:_KEY_LETTERS].strip("-")
    return fresh(plain or otherwise, taken, "-")


def fresh(wanted: str, taken: Collection[str], joint: str) -> str:
    """Return the wanted name, with a number after it if it is taken."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}{joint}{number}", number + 1
    return name


def write_own(path: Path, content: Any) -> None:
    """Write a user file as JSON, making its folder; raises StudioError if either fails."""
    make_folder(path.parent, with_parents=True)
    write_bytes(path, (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode("utf-8"))


def delete_own(path: Path) -> None:
    """Delete a user file; raises StudioError if it is missing or cannot be deleted."""
    try:
        path.unlink()
    except FileNotFoundError:
        raise StudioError(tr("There is no custom version of {key!r} to delete.", key=path.stem)) from None
    except OSError as problem:
        raise StudioError(tr("Could not delete {path}: {reason}.", path=path, reason=problem.strerror)) from problem
