"""Pictures of a drawing or of the whole window, made without a display; the same input gives the same pixels."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.puzzles.abilities.gradable_solvable import Gradable
from studio.puzzles.kind import AnyKind

if TYPE_CHECKING:
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

    from studio.files.store import Saved
    from studio.ui.session.preferences import Preferences
    from studio.ui.shell.tabs import Shell
    from studio.ui.shell.window import Window


LARGER = 3
"""Scale at which a small picture is drawn before it is trimmed."""
NICE = 10
"""Niceness of the process that draws thumbnails, so that the window goes first."""
RIM = 0.03
"""Margin that trimming leaves, as a share of the longer side."""


def save_picture(
    saved: Saved,
    source: Path,
    path: Path,
    *,
    window: bool,
    theme: str,
    size: tuple[int, int],
    scale: float,
    share: float | None = None,
    view: str | None = None,
    date: str | None = None,
) -> None:
    """Save a PNG of `size` logical pixels, `scale` times as many real ones; raises StudioError if that fails.

    `source` is the design's file, which names its tab in a picture of the whole window. `view` names one of the kind's
    views, `date`, `10-06` or `10-06-tue`, a date of a calendar. `share` is the elapsed share of the view's animation; a
    view without one shows the cut plan, and the sheet at that share of the cutting time.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = f"{scale:g}"

    from PySide6.QtCore import QBuffer, QEvent, QIODevice
    from PySide6.QtWidgets import QApplication

    from studio.ui.session.document import Document
    from studio.ui.shell.app import make_application
    from studio.ui.shell.window import Window
    from studio.ui.widgets.theme import apply, dark_theme, light_theme, picture_font

    app = make_application()
    apply(app, dark_theme() if theme == "dark" else light_theme(), picture_font())
    with _own_preferences() as preferences:
        kind = saved.kind
        shown = Window(Document(kind, saved.design, source, saved.digest), preferences)
        if view is not None:
            _show_view(shown, kind, view)
        players = [shown.middle.seen.seek, *(each.player for each in shown.added)]
        if share is not None and not any(player is not None for player in players):
            _give_up(shown)
            raise StudioError(tr("This view of a {kind} has no animation: omit --moment.", kind=kind.key))
        target = in_tabs([shown], preferences) if window else _drawing_of(shown)
        target.resize(*size)
        target.show()
        shown.finish()
        for _ in range(3):
            QApplication.processEvents()
        if date is not None:
            _show_date(shown, kind, date)
        rest(shown, share)
        QApplication.processEvents()
        shown.canvas.view.fit()
        QApplication.processEvents()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        is_written = target.grab().save(buffer, "PNG")
        target.close()
        _give_up(shown)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if not is_written:
        raise StudioError(tr("Could not write {file}: the picture is too large.", file=path))
    write_bytes(path, bytes(buffer.data().data()))


@contextmanager
def _own_preferences() -> Iterator[Preferences]:
    """Yield preferences that last for the work alone."""
    from PySide6.QtCore import QSettings

    from studio.ui.session.preferences import Preferences

    with tempfile.TemporaryDirectory() as folder:
        yield Preferences(QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat))


def rest(window: Window, share: float | None) -> None:
    """Finish the work of the view in sight, and show its animation after a share of it, or else the cut plan's."""
    seen = window.middle.seen
    if seen.finish is not None:
        seen.finish()
    if share is None:
        return
    if seen.seek is not None:
        seen.seek(share)
        return
    for each in window.added:
        if each.player is not None:
            window.drawer.setCurrentWidget(each.player)
            each.seek(share)


def in_tabs(windows: Sequence[Window], preferences: Preferences) -> Shell:
    """Return the studio's window with some designs in tabs, the last in sight; for pictures."""
    from studio.ui.shell.tabs import Shell
    from studio.ui.widgets.theme import kind_icon

    shell = Shell(preferences)
    for window in windows:
        document = window.document
        shell.add(window, kind_icon(document.kind.key))
        shell.rename(window, document.title, document.title)
    return shell


def picture_of_view(
    kind: AnyKind, design: Any, size: QSize, preferences: Preferences, date: str | None = None
) -> QImage:
    """Draw a design as its kind's first view shows it, without controls and marks, as large as `size` allows.

    There must be an application. A kind that has dates shows `date`, today's at first.
    """
    from PySide6.QtCore import QEvent, QSize, Qt
    from PySide6.QtWidgets import QApplication

    from studio.ui.session.document import Document
    from studio.ui.session.extension import ShowsDates
    from studio.ui.shell.window import Window

    shown = Window(Document(kind, design), preferences)
    # A white sheet would outshine the dark cards around it.
    shown.canvas.drawing.leave_paper_out()
    if "fill" in shown.actions_:
        # A puzzle to be solved on paper shows its own marks and no tints.
        shown.actions_["fill"].setChecked(kind.able(Gradable) is None)
    target = _bare_view(shown)
    target.resize(size * LARGER)
    target.show()
    shown.finish()
    if date is not None and isinstance(shown.extension, ShowsDates):
        shown.extension.show_date(date)
    rest(shown, None)
    for _ in range(3):
        QApplication.processEvents()
    target.fit()
    QApplication.processEvents()
    image = _trimmed(target.grab().toImage())
    target.close()
    _give_up(shown)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    most = size * image.devicePixelRatio()
    room = QSize(most.width(), most.height())
    return image.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)


def _bare_view(window: Window) -> Any:
    """Return the widget of a window's first view, as a window of its own, without rulers and marks."""
    from PySide6.QtWidgets import QGraphicsView

    if window.middle.views[0].widget is window.canvas:
        return _drawing_of(window)
    page = window.middle.views[0].widget
    flat = page.findChildren(QGraphicsView)
    if flat:
        flat[0].setParent(None)
        return flat[0]
    from studio.ui.solid.view import SolidView

    solid = page.findChildren(SolidView)[0]
    solid.badges = ()
    solid.cube.setFixedSize(0, 0)
    solid.setParent(None)
    return solid


def _trimmed(image: QImage) -> QImage:
    """Crop a picture to its content, with a small margin."""
    import numpy as np
    from PySide6.QtGui import QImage

    whole = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(whole.constBits(), np.uint32).reshape(whole.height(), -1)[:, : whole.width()]
    rows, columns = np.nonzero(pixels != pixels[0, 0])
    if not len(rows):
        return image
    rim = RIM * max(int(np.ptp(rows)), int(np.ptp(columns)))
    low, high = max(int(rows.min() - rim), 0), min(int(rows.max() + rim), len(pixels) - 1)
    left, right = max(int(columns.min() - rim), 0), min(int(columns.max() + rim), whole.width() - 1)
    return image.copy(left, low, right - left + 1, high - low + 1)


def _drawing_of(window: Window) -> QWidget:
    """Return the view of a window's design alone, without editing marks."""
    window.canvas.show_alone()
    window.canvas.setParent(None)
    view = window.canvas.view
    view.setParent(None)
    return view


def _show_view(window: Window, kind: AnyKind, view: str) -> None:
    """Show one of a kind's views; if it is missing, give the window up and raise StudioError."""
    names = [each.name for each in window.middle.views]
    if view in names and len(names) > 1:
        window.show_view(view)
        return
    _give_up(window)
    if len(names) == 1:
        raise StudioError(tr("A {kind} has only one view: omit --view.", kind=kind.key))
    raise StudioError(tr("Unknown view {view!r}; choose from {names}.", names=", ".join(names), view=view[:40]))


def _show_date(window: Window, kind: AnyKind, date: str) -> None:
    """Show a date; if the kind or the puzzle has none, give the window up and raise StudioError."""
    from studio.ui.session.extension import ShowsDates

    try:
        if not isinstance(window.extension, ShowsDates):
            raise StudioError(tr("A {kind} has no dates: omit --date.", kind=kind.key))
        window.extension.show_date(date)
    except StudioError:
        _give_up(window)
        raise


def _give_up(window: Window) -> None:
    window.give_up()
    window.deleteLater()


# The process that draws thumbnails: `python -m studio.ui.shell.screenshot`


def drawn(path: Path, theme: str, preferences: Preferences, seed: int | None = None) -> str:
    """Draw the thumbnail of a file, unless it is up to date; return `made`, GONE or FAILED.

    `seed` replaces the design's own.
    """
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QImage, QImageWriter
    from PySide6.QtWidgets import QApplication

    from studio.files.store import load
    from studio.ui.shell.thumbnails import FAILED, GONE, SIZE, STAMP, Seeded, place, stamp
    from studio.ui.widgets.theme import apply, dark_theme, light_theme, picture_font

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
    """Draw thumbnails, a line of JSON in and one out, until the input ends; the first line says that it is ready."""
    from studio.ui.shell.app import make_application
    from studio.ui.shell.thumbnails import READY, tidy

    if hasattr(os, "nice"):
        os.nice(NICE)
    app = make_application()
    app.setQuitOnLastWindowClosed(False)
    with _own_preferences() as preferences:
        print(json.dumps({"state": READY}), flush=True)
        for line in sys.stdin:
            question = json.loads(line)
            path, seed = question["path"], question.get("seed")
            state = drawn(Path(path), question["theme"], preferences, seed)
            print(json.dumps({"path": path, "seed": seed, "state": state}), flush=True)
    tidy()


if __name__ == "__main__":
    main()
