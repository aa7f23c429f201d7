"""A maker's preferences, kept between two days: folders, recent files, choices, the window's layout.

An unusable stored value is ignored: settings are edited outside, cut short by a full disk, and written by newer
versions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar, assert_never

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QObject, QSettings, QStandardPaths, Signal

from studio.base.atomic import why_not
from studio.base.errors import StudioError
from studio.base.parameters import LARGEST_SEED
from studio.base.texts import tr
from studio.base.units import Unit
from studio.ui.widgets.theme import Theme, dark_theme, light_theme, system_theme

MOST_FONTS = 6
MOST_RECENT = 30
MOST_PROGRAMS = 6
LAYOUT_VERSION = 1
"""Rises when docks or tool bars change so that an old layout no longer fits."""
_COUPONS = {"export": "making/coupon", "print": "print/coupon", "card": "making/card"}
"""Keys of the options of fit coupons and test cards, by purpose."""
MOST_SEEDS = 24
"""Limit for the kept seeds of one design."""
MOST_DESIGNS = 200
"""Limit for the designs of one kind with remembered seeds."""
LONGEST_KEY, MOST_KEYS = 40, 4
"""Limits for the letters of a key such as `Ctrl+Shift+Z`, and for the keys of one command."""
MOST_CHARACTERS = 100_000
"""A stored text longer than this was not written by the studio."""


T = TypeVar("T")


class ThemeChoice(Enum):
    """The maker's choice of theme."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


def _own_settings() -> QSettings:
    """Return the settings of the application's user; with a pipe in place of their file, Qt would wait for ever."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation))
    maker, program = QCoreApplication.organizationName(), QCoreApplication.applicationName()
    for path in (folder / maker / f"{program}.conf", folder / f"{maker}.conf"):
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            # Without a file, these last as long as the window.
            return QSettings(str(path / path.name), QSettings.Format.IniFormat)
    return QSettings()


class Preferences(QObject):
    """Typed access to settings, by default those of the application's user."""

    lost = Signal(str)
    """Saving failed for the first time: brings the sentence."""

    def __init__(self, settings: QSettings | None = None) -> None:
        super().__init__()
        self._settings = _own_settings() if settings is None else settings
        self._is_lost = False
        self._settings.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Save changes when Qt would, since Qt does not report failure."""
        if event.type() == QEvent.Type.UpdateRequest:
            self.save()
        return super().eventFilter(watched, event)

    def recent_files(self) -> tuple[Path, ...]:
        """Return the files opened or saved last, newest first."""
        stored = self._read("recent", list)
        paths = [Path(one) for one in stored or () if isinstance(one, str) and one and "\0" not in one]
        return tuple(dict.fromkeys(paths))[:MOST_RECENT]

    def add_recent_file(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        path = path.absolute()
        self._write_recent([path, *(one for one in self.recent_files() if one != path)])

    def forget_recent_file(self, path: Path) -> None:
        """Remove a file from the recent ones."""
        self._write_recent([one for one in self.recent_files() if one not in (path, path.absolute())])

    def recent_fonts(self) -> tuple[str, ...]:
        """Return the fonts used last for letters, newest first: names, or paths of files."""
        stored = self._read("fonts", list) or ()
        return tuple(dict.fromkeys(one for one in stored if isinstance(one, str) and one))[:MOST_FONTS]

    def add_recent_font(self, font: str) -> None:
        """Put a font first among the recent ones."""
        self._write("fonts", [font, *(one for one in self.recent_fonts() if one != font)][:MOST_FONTS])

    def folder(self, purpose: str, otherwise: Path) -> Path:
        """Return the folder last used for a purpose such as `open` or `export`; `otherwise` if it is gone."""
        stored = self._read(f"folders/{purpose}", str)
        if not stored or "\0" in stored:
            return otherwise
        return Path(stored) if os.path.isdir(stored) else otherwise

    def export_folder(self, purpose: str, beside: Path) -> Path:
        """Return the export folder of a purpose for designs in the folder `beside`.

        That is `beside`, unless the last export from there went elsewhere; for the home folder, the last one used.
        """
        if beside != Path.home() and self._read(f"folders/{purpose} of", str) != str(beside.absolute()):
            return beside
        return self.folder(purpose, beside)

    def set_export_folder(self, purpose: str, folder: Path, beside: Path) -> None:
        """Remember the folder of a purpose, for designs that are in a folder."""
        self.set_folder(purpose, folder)
        self._write(f"folders/{purpose} of", str(beside.absolute()))

    def set_folder(self, purpose: str, folder: Path) -> None:
        """Remember the folder of a purpose."""
        self._write(f"folders/{purpose}", str(folder.absolute()))

    def programs(self, suffix: str) -> tuple[Path, ...]:
        """Return the maker's programs for files of a suffix such as `.svg`, newest first, without missing ones."""
        stored = self._read(f"programs/{suffix.lstrip('.')}", list) or ()
        paths = [Path(one) for one in stored if isinstance(one, str) and one and "\0" not in one]
        return tuple(path for path in paths[:MOST_PROGRAMS] if os.path.exists(path))

    def add_program(self, suffix: str, path: Path) -> None:
        """Put a program first among those of a suffix."""
        others = [one for one in self.programs(suffix) if one != path]
        self._write(f"programs/{suffix.lstrip('.')}", [str(one) for one in (path, *others)][:MOST_PROGRAMS])

    def export_values(self, suffix: str) -> dict[str, Any]:
        """Return the options last used for a suffix such as `.svg`, by name and unchecked; empty at first."""
        return self._read(f"export/{suffix.lstrip('.')}", dict) or {}

    def set_export_values(self, suffix: str, values: Mapping[str, Any]) -> None:
        """Remember the options of a suffix."""
        self._write(f"export/{suffix.lstrip('.')}", dict(values))

    def export_suffix(self, purpose: str = "export") -> str:
        """Return the suffix of the last export for a purpose, such as `.svg`; empty at first."""
        return self._read(f"{purpose}/last", str) or ""

    def set_export_suffix(self, suffix: str, purpose: str = "export") -> None:
        """Remember the suffix of the last export for a purpose."""
        self._write(f"{purpose}/last", suffix)

    def making_values(self) -> dict[str, Any]:
        """Return the choices last made for sheets, by name and unchecked; empty at first."""
        return self._read("making/values", dict) or {}

    def set_making_values(self, values: Mapping[str, Any]) -> None:
        """Remember the choices made for sheets."""
        self._write("making/values", dict(values))

    def coupon_values(self, purpose: str = "export") -> dict[str, Any]:
        """Return the options of the last fit coupon for a purpose, by name and unchecked; empty at first."""
        return self._read(_COUPONS[purpose], dict) or {}

    def set_coupon_values(self, values: Mapping[str, Any], purpose: str = "export") -> None:
        """Remember the options of a fit coupon for a purpose."""
        self._write(_COUPONS[purpose], dict(values))

    def workshop_key(self, what: str) -> str:
        """Return the key of the `machine`, `material`, `printer` or `plastic` used last; empty at first."""
        return self._read(f"making/{what}", str) or ""

    def set_workshop_key(self, what: str, key: str) -> None:
        """Remember the `machine`, `material`, `printer` or `plastic` used last."""
        self._write(f"making/{what}", key)

    def kerf(self) -> float:
        """Return the kerf in mm of the last material; of the usual one if that is unknown."""
        from studio.fabricate.workshop import USUAL, Material, one_of

        try:
            return one_of(Material, self.workshop_key("material") or USUAL[Material]).value.kerf
        except StudioError:
            return Material().kerf

    def theme_choice(self) -> ThemeChoice:
        """Return the chosen theme; the desktop's at first."""
        stored = self._read("theme", str)
        return next((one for one in ThemeChoice if one.value == stored), ThemeChoice.SYSTEM)

    def set_theme_choice(self, choice: ThemeChoice) -> None:
        """Remember a choice of theme."""
        self._write("theme", choice.value)

    def unit(self) -> Unit:
        """Return the unit for lengths; millimetres at first."""
        stored = self._read("unit", str)
        return next((one for one in Unit if one.value == stored), Unit.MILLIMETRES)

    def set_unit(self, unit: Unit) -> None:
        """Remember a choice of unit."""
        self._write("unit", unit.value)

    def drawing_unit(self) -> str:
        """Return the unit last chosen for a drawing without one."""
        return self._read("drawings/unit", str) or "mm"

    def set_drawing_unit(self, unit: str) -> None:
        """Remember the unit of such drawings."""
        self._write("drawings/unit", unit)

    def window_layout(self) -> tuple[QByteArray, QByteArray] | None:
        """Return the window's geometry and state as Qt packs them; None without one of this version."""
        geometry, state = self._settings.value("window/geometry"), self._settings.value("window/state")
        if self._read("window/version", int) != LAYOUT_VERSION:
            return None
        if not isinstance(geometry, QByteArray) or not isinstance(state, QByteArray):
            return None
        return geometry, state

    def set_window_layout(self, geometry: QByteArray, state: QByteArray) -> None:
        """Remember the window's geometry and state."""
        self._write("window/version", LAYOUT_VERSION)
        self._settings.setValue("window/geometry", geometry)
        self._settings.setValue("window/state", state)

    def forget_window_layout(self) -> None:
        """Reset the layout of the next window."""
        self._settings.remove("window")

    def geometry(self, name: str) -> QByteArray | None:
        """Return the geometry of another window, as Qt packs it; None at first."""
        stored = self._settings.value(f"geometry/{name}")
        return stored if isinstance(stored, QByteArray) else None

    def set_geometry(self, name: str, geometry: QByteArray) -> None:
        """Remember the geometry of another window."""
        self._settings.setValue(f"geometry/{name}", geometry)

    def switch(self, name: str, otherwise: bool) -> bool:
        """True if a switch such as `canvas/fill` is on; `otherwise` if it is not stored."""
        stored = self._read(f"switches/{name}", bool)
        return otherwise if stored is None else stored

    def set_switch(self, name: str, on: bool) -> None:
        """Remember a switch."""
        self._write(f"switches/{name}", on)

    def kept_seeds(self, kind: str, path: Path | None) -> tuple[int, ...]:
        """Return the seeds kept for a design of a kind, oldest first; designs without a file share theirs."""
        return _seeds((self._read(f"seeds/{kind}", dict) or {}).get(_design_key(path)))

    def set_kept_seeds(self, kind: str, path: Path | None, seeds: Iterable[int]) -> None:
        """Remember the seeds kept for a design; the least recently used designs are forgotten."""
        stored = self._read(f"seeds/{kind}", dict) or {}
        stored.pop(_design_key(path), None)
        kept = _seeds(list(seeds))
        if kept:
            stored[_design_key(path)] = list(kept)
        while len(stored) > MOST_DESIGNS or len(json.dumps(stored)) > MOST_CHARACTERS:
            del stored[next(iter(stored))]
        self._write(f"seeds/{kind}", stored)

    def shortcuts(self) -> dict[str, tuple[str, ...]]:
        """Return the maker's own keys by command, without invalid ones."""
        stored = self._read("shortcuts", dict) or {}
        return {
            name: tuple(key for key in keys if isinstance(key, str) and 0 < len(key) <= LONGEST_KEY)[:MOST_KEYS]
            for name, keys in stored.items()
            if isinstance(keys, list)
        }

    def set_shortcuts(self, shortcuts: Mapping[str, Sequence[str]]) -> None:
        """Remember the maker's own keys."""
        self._write("shortcuts", {name: list(keys) for name, keys in shortcuts.items()})

    def save(self) -> None:
        """Write to disk now rather than some time later."""
        self._settings.sync()
        if self._settings.status() == QSettings.Status.AccessError and not self._is_lost:
            self._is_lost = True
            path = Path(self._settings.fileName())
            reason = why_not(path, MOST_CHARACTERS) or tr("it cannot be written to")
            self.lost.emit(
                tr("Your preferences could not be saved to {file}: {reason}.", file=path.name, reason=reason)
            )

    def _write_recent(self, paths: list[Path]) -> None:
        self._write("recent", [str(path) for path in paths[:MOST_RECENT]])

    def _read(self, key: str, kind: type[T]) -> T | None:
        stored = self._settings.value(key)
        if not isinstance(stored, str) or len(stored) > MOST_CHARACTERS:
            return None
        try:
            value = json.loads(stored)
        except (ValueError, RecursionError):
            return None
        return value if type(value) is kind else None

    def _write(self, key: str, value: Any) -> None:
        self._settings.setValue(key, json.dumps(value))


def _design_key(path: Path | None) -> str:
    return "" if path is None else str(path.absolute())


def _seeds(stored: object) -> tuple[int, ...]:
    """Return the seeds among stored values, each once."""
    values = stored if isinstance(stored, list) else []
    good = (one for one in values if type(one) is int and 0 <= one <= LARGEST_SEED)
    return tuple(dict.fromkeys(good))[:MOST_SEEDS]


def theme_for(choice: ThemeChoice) -> Theme:
    """Return the theme of a choice; the desktop's for SYSTEM."""
    match choice:
        case ThemeChoice.LIGHT:
            return light_theme()
        case ThemeChoice.DARK:
            return dark_theme()
        case ThemeChoice.SYSTEM:
            return system_theme()
        case _:
            assert_never(choice)
