"""The process that draws thumbnails: `python -m studio.ui.shell.thumbnailer`, a line of JSON in and one out.

Its first line says that it is ready.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QSettings
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QApplication

from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files.store import load
from studio.ui.session.preferences import Preferences
from studio.ui.shell.app import make_application
from studio.ui.shell.screenshot import picture_of_view
from studio.ui.shell.thumbnails import FAILED, GONE, READY, SIZE, STAMP, Seeded, place, stamp, tidy
from studio.ui.widgets.theme import apply, dark_theme, light_theme, picture_font

NICE = 10
"""Niceness, so that the window goes first."""


def drawn(path: Path, theme: str, preferences: Preferences, seed: int | None = None) -> str:
    """Draw the thumbnail of a file, unless it is up to date; return `made`, GONE or FAILED.

    `seed` replaces the design's own.
    """
    target = place(path if seed is None else Seeded(path, seed), theme)
    if target is None:
        return FAILED
    try:
        wanted = stamp(path)
    except (OSError, ValueError):
        return GONE
    if QImage(str(target)).text(STAMP) == wanted:
        with suppress(OSError):
            os.utime(target)
        return "made"
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply(app, dark_theme() if theme == "dark" else light_theme(), picture_font())
    try:
        saved = load(path)
        design = saved.design
        if seed is not None:
            design = saved.kind.generate(replace(design.parameters, seed=seed), design, SILENT).design
        image = picture_of_view(saved.kind, design, SIZE, preferences)
        image.setText(STAMP, wanted)
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        QImageWriter(buffer, b"png").write(image)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, bytes(buffer.data().data()))
    except (StudioError, OSError):
        return FAILED
    return "made"


def main() -> None:
    """Answer until the input ends."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    app = make_application()
    app.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory() as folder:
        preferences = Preferences(QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat))
        print(json.dumps({"state": READY}), flush=True)
        for line in sys.stdin:
            question = json.loads(line)
            path, seed = question["path"], question.get("seed")
            state = drawn(Path(path), question["theme"], preferences, seed)
            print(json.dumps({"path": path, "seed": seed, "state": state}), flush=True)
    tidy()


if __name__ == "__main__":
    main()
