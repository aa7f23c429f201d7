"""Pictures of a drawing or of the whole window, made without a display; the same input gives the same pixels."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from studio.atomic import write_bytes
from studio.errors import StudioError
from studio.puzzles.kind import AnyKind


def save_picture(
    kind: AnyKind,
    design: Any,
    path: Path,
    *,
    window: bool,
    theme: str,
    size: tuple[int, int],
    scale: float,
    moment: float | None = None,
) -> None:
    """Save a PNG of `size` logical pixels, `scale` times as many real ones; raises StudioError where it cannot be.

    With a `moment`, the share of the cutting time that has passed, it shows the cut plan, and the sheet then.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = f"{scale:g}"

    from PySide6.QtCore import QBuffer, QEvent, QIODevice, QSettings
    from PySide6.QtWidgets import QApplication, QWidget

    from studio.ui.app import make_application
    from studio.ui.document import Document
    from studio.ui.preferences import Preferences
    from studio.ui.theme import apply, dark_theme, light_theme, picture_font
    from studio.ui.window import Window

    app = make_application()
    worn = dark_theme() if theme == "dark" else light_theme()
    apply(app, worn, picture_font())
    with tempfile.TemporaryDirectory() as folder:
        preferences = Preferences(QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat))
        document = Document(kind, design)
        shown = Window(document, preferences, worn)
        shown.show_switches()
        if window:
            shown.resize(*size)
            target: QWidget = shown
        else:
            shown.actions_["draft"].setChecked(False)
            shown.canvas.setParent(None)
            target = shown.canvas.view
            target.setParent(None)
            target.resize(*size)
        target.show()
        shown.pipeline.finish()
        for _ in range(3):
            QApplication.processEvents()
        # A view may still be at work: a year that is being counted, a moment that is being solved.
        shown.jobs.finish()
        if moment is not None:
            shown.show_plan_at(moment)
            QApplication.processEvents()
        shown.canvas.view.fit()
        QApplication.processEvents()
        image = target.grab()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        if not image.save(buffer, "PNG"):
            raise StudioError(f"{path} could not be written: the picture is too large.")
        target.close()
        shown.close()
        shown.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    write_bytes(path, bytes(buffer.data().data()))
