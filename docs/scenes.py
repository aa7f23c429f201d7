"""Pictures of the window in which something was done: commands chosen, dialogs opened, several designs in tabs.

Each is a function in `SCENES`, which is given a studio to work in and returns what is seen.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from PySide6.QtCore import QEvent, QSettings
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit

from studio.files.store import Saved, load
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.kinds.cube.extension import CubeExtension
from studio.ui.kinds.jigsaw.extension import JigsawExtension
from studio.ui.panels.variants import ComparisonDialog, VariantsDialog
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.document import Document
from studio.ui.session.extension import ShowsDates
from studio.ui.session.preferences import Preferences
from studio.ui.shell.palette import Palette, show_commands
from studio.ui.shell.screenshot import in_tabs, rest
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, dark_theme, light_theme, picture_font

EXAMPLES = Path(__file__).resolve().parent.parent / "resources" / "examples"
SIZE = (1280, 800)
DIALOG = (960, 640)
LONGEST = 60.0
"""Seconds that a picture waits for what is worked out in it."""


def settle(is_done: Callable[[], bool] = lambda: True) -> None:
    """Let the window do what it has put off, until something is done."""
    end = monotonic() + LONGEST
    for _ in range(3):
        QApplication.processEvents()
    while not is_done():
        assert monotonic() < end, "nothing came"
        QApplication.processEvents()
        sleep(0.005)
    for _ in range(3):
        QApplication.processEvents()


class Photographer(Dialogs):
    """Answers dialogs with a picture of them, and cancels."""

    picture: QImage | None = None

    def _take(self, dialog: QDialog, is_done: Callable[[], bool]) -> None:
        dialog.show()
        dialog.resize(*DIALOG)
        settle(is_done)
        self.picture = dialog.grab().toImage()
        dialog.hide()

    def ask(self, dialog: Any) -> Any:
        """Take a picture of the variants, one of them chosen."""
        assert isinstance(dialog, VariantsDialog)
        settle(lambda: bool(dialog.cells))
        dialog.cells[len(dialog.cells) // 2 + 1].setChecked(True)
        self._take(dialog, lambda: True)

    def show(self, dialog: QDialog) -> None:
        """Take a picture of a comparison."""
        assert isinstance(dialog, ComparisonDialog)
        self._take(dialog, lambda: True)


class Studio:
    """The studio's window with some designs in tabs, in a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.dialogs = Photographer(None)
        self.preferences = Preferences(QSettings(str(home / "settings.ini"), QSettings.Format.IniFormat))

    def open(self, *saved: tuple[Saved, Path | None]) -> Window:
        """Open designs in tabs; returns the window of the last of them."""
        self.windows = [
            Window(Document(one.kind, one.design, path, one.digest), self.preferences, self.dialogs)
            for one, path in saved
        ]
        self.shell = in_tabs(self.windows, self.preferences)
        self.shell.resize(*SIZE)
        self.shell.show()
        window = self.windows[-1]
        window.finish()
        rest(window, None)
        settle()
        window.canvas.view.fit()
        settle()
        return window

    def open_example(self, name: str) -> Window:
        """Open one of the samples."""
        return self.open(example(name))

    def picture(self) -> QImage:
        """What is seen now."""
        settle()
        return self.shell.grab().toImage()

    def close(self) -> None:
        """Give all up."""
        self.shell.close()
        for window in self.windows:
            window.give_up()
            window.deleteLater()
        self.shell.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@contextmanager
def studio() -> Iterator[Studio]:
    """A studio that is closed at the end."""
    with tempfile.TemporaryDirectory() as home:
        made = Studio(Path(home))
        try:
            yield made
        finally:
            made.close()


def example(name: str) -> tuple[Saved, Path]:
    """One of the samples, as it is opened from its file."""
    path = EXAMPLES / f"{name}.puzzle"
    return load(path), path


def jigsaw(settings: Mapping[str, Any]) -> tuple[Saved, None]:
    """A new jigsaw."""
    return Saved(JIGSAW, JigsawDesign(JigsawParameters(**settings))), None


# Scenes


def tabs(made: Studio) -> QImage:
    """Several designs; one of them has unsaved changes."""
    names = ("sweetheart-56", "stronghold-5x5x5", "puzzle-a-day-german-7x7", "cobbles-108")
    window = made.open(*map(example, names))
    first = made.windows[0]
    first.document.history.resetClean()
    made.shell.rename(first, first.document.title, "")
    window.show_view("play")
    rest(window, 0.5)
    return made.picture()


def palette(made: Studio) -> QImage:
    """The palette, a few letters written."""
    window = made.open_example("bay-93")
    show_commands(window)
    (over,) = window.findChildren(Palette)
    over.findChildren(QLineEdit)[0].setText("size")
    return made.picture()


def fixes(made: Studio) -> QImage:
    """What `Fix all…` proposes."""
    window = made.open(jigsaw({"perturbation": 0.42, "tongue_size": 0.36, "layout_version": 1}))
    extension = window.extension
    assert isinstance(extension, JigsawExtension)
    window.actions_["fix_all"].trigger()
    settle(lambda: extension.repairing.proposal is not None)
    window.canvas.view.fit()
    return made.picture()


def false_fits(made: Studio) -> QImage:
    """A board whose tongues are much alike, with its false fits shown."""
    alike = {
        "tongue_style": "article", "perturbation": 0.03, "vary_size": 0.06, "vary_place": 0.02, "vary_slant": 0.02,
        "vary_depth": 0.0, "vary_neck": 0.02,
    }  # fmt: skip
    window = made.open(jigsaw(alike))
    extension = window.extension
    assert isinstance(extension, JigsawExtension)
    window.actions_["show_fits"].trigger()
    extension.fitting.answer.finish()
    settle()
    window.canvas.view.fit()
    return made.picture()


def variants(made: Studio) -> QImage:
    """The variants of a jigsaw."""
    window = made.open(jigsaw({"columns": 6, "rows": 4, "width": 180.0, "height": 120.0, "seed": 5}))
    window.actions_["variants"].trigger()
    assert made.dialogs.picture is not None
    return made.dialogs.picture


def comparison(made: Studio) -> QImage:
    """What changed between a sample and the same without its edits, with round corners."""
    saved, path = example("meadow-12x6")
    design = JigsawDesign(replace(saved.design.parameters, corner_radius=16.0))
    window = made.open((Saved(saved.kind, design), None))
    window.comparing.read(path)
    settle(lambda: made.dialogs.picture is not None)
    assert made.dialogs.picture is not None
    return made.dialogs.picture


def cutout(made: Studio) -> QImage:
    """A cat outlined by a click and a stroke along its tail, with two inner lines chosen, before it is a figure."""
    saved, _path = example("tabby-47")
    window = made.open((Saved(saved.kind, replace(saved.design, whimsies=(), tongues=())), None))
    extension = window.extension
    assert isinstance(extension, JigsawExtension)
    window.actions_["cut_out"].trigger()
    tool = extension.cutting_out.tool
    tool.marked.emit([(150.0, 114.0)], True)
    tool.marked.emit([(228.0, 93.0), (237.0, 78.0), (240.0, 60.0), (234.0, 42.0)], True)
    settle(lambda: extension.cutting_out.ring is not None)
    for line in (0, 2):
        tool.switched.emit(line)
    return made.picture()


def section(made: Studio) -> QImage:
    """A cube cut open, with its dimensions."""
    window = made.open_example("stronghold-5x5x5")
    cube = window.extension
    assert isinstance(cube, CubeExtension)
    cube.panel.cut.setChecked(True)
    cube.panel.measure.setChecked(True)
    rest(window, None)
    return made.picture()


def booklet(made: Studio) -> QImage:
    """The first pages of a calendar's booklet."""
    window = made.open_example("puzzle-a-day-german-7x7")
    window.show_view("pages")
    rest(window, None)
    assert isinstance(window.extension, ShowsDates)
    window.extension.show_date("10-06")
    rest(window, None)
    return made.picture()


SCENES: Sequence[tuple[str, Callable[[Studio], QImage], str]] = (
    ("tabs", tabs, "dark"),
    ("palette", palette, "light"),
    ("fixes", fixes, "light"),
    ("false-fits", false_fits, "light"),
    ("variants", variants, "light"),
    ("comparison", comparison, "light"),
    ("cutout", cutout, "light"),
    ("section", section, "light"),
    ("booklet", booklet, "light"),
)
"""Every picture of this kind: its name, how it comes about, and its theme."""


def draw(name: str, scene: Callable[[Studio], QImage], theme: str, folder: Path) -> Path:
    """Make one picture in a folder and return its file."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply(app, dark_theme() if theme == "dark" else light_theme(), picture_font())
    app.setCursorFlashTime(0)
    target = folder / f"{name}.png"
    with studio() as made:
        scene(made).save(str(target))
    return target
