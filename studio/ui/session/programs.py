"""Programs that open written files: the desktop's own, installed ones that makers use, and any other."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from studio.base.texts import tr, visible
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.notices import NoticeBar
from studio.ui.session.preferences import Preferences

KNOWN: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("LightBurn", ("LightBurn", "lightburn"), (".lbrn2", ".svg", ".dxf", ".pdf")),
    ("Inkscape", ("inkscape",), (".svg", ".pdf", ".dxf", ".png")),
    ("LibreCAD", ("librecad",), (".dxf",)),
    ("QCAD", ("qcad",), (".dxf",)),
    ("FreeCAD", ("freecad", "FreeCAD"), (".dxf", ".svg", ".stl", ".3mf")),
    ("PrusaSlicer", ("prusa-slicer", "PrusaSlicer"), (".stl", ".3mf")),
    ("OrcaSlicer", ("orca-slicer", "OrcaSlicer"), (".stl", ".3mf")),
    ("Bambu Studio", ("bambu-studio", "BambuStudio"), (".stl", ".3mf")),
    ("Cura", ("cura", "UltiMaker-Cura"), (".stl", ".3mf")),
    ("GIMP", ("gimp",), (".png",)),
)
"""Programs that makers use: name, possible commands, and extensions of their files."""
APPLICATIONS = Path("/Applications")


@dataclass(frozen=True)
class Program:
    """A program by its name, and the words of the command before the file."""

    title: str
    command: tuple[str, ...]


def installed(suffix: str) -> list[Program]:
    """Return the known programs for files of a suffix that are installed."""
    found = []
    for title, names, suffixes in KNOWN:
        if suffix.lower() in suffixes:
            bundle = APPLICATIONS / f"{title}.app"
            command = next(filter(None, map(shutil.which, names)), None)
            if command is not None:
                found.append(Program(title, (command,)))
            elif sys.platform == "darwin" and os.path.exists(bundle):
                found.append(of_path(bundle))
    return found


def of_path(path: Path) -> Program:
    """Return a program chosen by its file."""
    return Program(path.stem, ("open", "-a", str(path)) if path.suffix == ".app" else (str(path),))


class OpenWith(QObject):
    """Asks for a program to open a file with, and starts it."""

    def __init__(
        self, preferences: Preferences, dialogs: Dialogs, notices: NoticeBar, by_desktop: Callable[[Path], object]
    ) -> None:
        """`by_desktop` opens a file in the desktop's program for it."""
        super().__init__(notices)
        self._preferences, self._dialogs, self._notices, self._by_desktop = preferences, dialogs, notices, by_desktop

    def offer(self, path: Path) -> None:
        """Show a menu of programs at the mouse."""
        menu = QMenu(self._notices)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Default program"), partial(self._by_desktop, path))
        known = installed(path.suffix)
        own = [of_path(each) for each in self._preferences.programs(path.suffix)]
        for program in [*known, *(each for each in own if each.command not in [one.command for one in known])]:
            menu.addAction(visible(program.title).replace("&", "&&"), partial(self._start, program, path))
        menu.addSeparator()
        menu.addAction(tr("Other program…"), partial(self._choose, path))
        menu.popup(QCursor.pos())

    def _choose(self, path: Path) -> None:
        """Ask for a program, and remember it for such files."""
        chosen = self._dialogs.open_path(_programs(), tr("Choose program"), tr("All files ({suffixes})", suffixes="*"))
        if chosen is None:
            return
        if chosen.suffix != ".app" and not (os.path.isfile(chosen) and os.access(chosen, os.X_OK)):
            self._notices.refuse(tr("{file} is not a program.", file=chosen.name))
            return
        if self._start(of_path(chosen), path):
            self._preferences.add_program(path.suffix, chosen)

    def _start(self, program: Program, path: Path) -> bool:
        command, *words = program.command
        started = bool(QProcess.startDetached(command, [*words, str(path.absolute())])[0])
        if not started:
            self._notices.refuse(tr("{program} could not be started.", program=program.title))
        return started


def _programs() -> Path:
    places = {"darwin": APPLICATIONS, "win32": Path("C:/Program Files")}
    return places.get(sys.platform, Path("/usr/bin"))
