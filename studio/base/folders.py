"""The folders in which what is makers' own, and what is under way, is kept, for window and command line alike."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from studio.base.errors import StudioError
from studio.base.texts import tr


def own_folder() -> Path:
    """Where all that is makers' own is kept; raises StudioError where the system names no home folder."""
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
    """Where copies of unsaved work are kept, and notes of what is being written; None where there is no home folder."""
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
    """A folder of the data that comes with the studio."""
    return _folder("resources") / name


def manual_folder() -> Path:
    """The folder of the manual's pages."""
    return _folder("docs") / "manual"


def _folder(name: str) -> Path:
    """A folder that comes with the studio: in a wheel inside the package, in a checkout beside it."""
    package = Path(__file__).resolve().parents[1]
    inside = package / name
    return inside if os.path.isdir(inside) else package.parent / name
