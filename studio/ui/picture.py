"""Pictures of a drawing or of the whole window, made without a display; the same input gives the same pixels."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.atomic import write_bytes
from studio.errors import StudioError
from studio.puzzles.kind import AnyKind

if TYPE_CHECKING:
    from studio.ui.window import Window


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
    view: str | None = None,
    date: str | None = None,
) -> None:
    """Save a PNG of `size` logical pixels, `scale` times as many real ones; raises StudioError where it cannot be.

    With a `view` it shows that of the kind's views, with a `date`, `10-06` or `10-06-tue`, that of a calendar. With a
    `moment` it shows what the view plays when that share of it has passed; a view that plays nothing shows the cut
    plan, and the sheet when that share of the cutting time has passed.
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
        if view is not None:
            _show_view(shown, kind, view)
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
        if date is not None:
            _choose_date(shown, kind, date)
        shown.rest(moment)
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


def _show_view(window: Window, kind: AnyKind, view: str) -> None:
    """Show one of a kind's views; raises StudioError, and gives the window up, where there is no such view."""
    names = [each.name for each in window.parts.views]
    if view in names:
        window.show_view(view)
        return
    _give_up(window)
    if not names:
        raise StudioError(f"There is one view alone of the kind {kind.key}; leave --view out.")
    raise StudioError(f"--view must be {' or '.join(names)}, not {view[:40]!r}.")


def _choose_date(window: Window, kind: AnyKind, date: str) -> None:
    """Show a date; raises StudioError, and gives the window up, where the kind has none or the puzzle not this one."""
    from studio.ui.kinds.parts import Dated

    try:
        if not isinstance(window.parts, Dated):
            raise StudioError(f"--date chooses the date of a calendar; the kind {kind.key} has none.")
        window.parts.choose_date(date)
    except StudioError:
        _give_up(window)
        raise


def _give_up(window: Window) -> None:
    window.close()
    window.deleteLater()
