"""Icons are all there, drawn afresh for every screen, and take their colours from the theme."""

import re

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage
from PySide6.QtWidgets import QApplication

from studio.ui.icons import ICONS, LARGEST_RATIO, SIZES, icon, names
from studio.ui.theme import dark_theme, light_theme

NEEDED = {
    "select", "flip", "move", "measure", "undo", "redo", "draft", "final", "fit", "zoom-in", "zoom-out", "export",
    "open", "save", "new", "dice", "lock", "unlock", "plain", "reset", "error", "warning", "hint", "search", "theme",
    "fill", "history", "close", "folded", "unfolded", "previous", "next", "play", "pause", "to-start", "to-end",
    "turn", "turn-over", "step", "bulb", "done", "add", "copy", "remove", "cells", "label", "erase", "crop",
}  # fmt: skip
OWN_COLOUR = {"error", "warning", "hint", "done"}


def image(name: str, *, dark: bool = False, size: int = 20, ratio: float = 1.0, mode: QIcon.Mode = QIcon.Mode.Normal,
          state: QIcon.State = QIcon.State.Off) -> QImage:  # fmt: skip
    theme = dark_theme() if dark else light_theme()
    return icon(name, theme, LARGEST_RATIO).pixmap(QSize(size, size), ratio, mode, state).toImage()


def inked(drawn: QImage) -> list[QColor]:
    places = [(x, y) for x in range(drawn.width()) for y in range(drawn.height())]
    return [colour for x, y in places if (colour := drawn.pixelColor(x, y)).alpha() > 240]


def test_every_icon_is_there() -> None:
    assert set(names()) == NEEDED


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_an_icon_has_one_line_weight_and_no_colour_of_its_own(name: str) -> None:
    drawing = (ICONS / f"{name}.svg").read_text(encoding="utf-8")
    assert 'viewBox="0 0 20 20"' in drawing
    assert set(re.findall(r'stroke-width="([\d.]+)"', drawing)) <= {"1.5", "1.75"}
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', drawing)) <= {"none", "currentColor", "ground"}


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_an_icon_is_drawn_and_differs_between_themes_and_states(qapp: QApplication, name: str) -> None:
    plain = image(name)
    assert inked(plain)
    assert plain != image(name, dark=True)
    assert plain != image(name, mode=QIcon.Mode.Disabled)
    assert (plain == image(name, state=QIcon.State.On)) == (name in OWN_COLOUR)


@pytest.mark.parametrize("ratio", range(1, LARGEST_RATIO + 1))
@pytest.mark.parametrize("size", SIZES)
def test_an_icon_is_sharp_on_every_screen(qapp: QApplication, size: int, ratio: int) -> None:
    drawn = image("save", size=size, ratio=float(ratio))
    assert (drawn.width(), drawn.devicePixelRatio()) == (size * ratio, ratio)


def test_ink_is_the_colour_of_the_text_and_errors_are_red(qapp: QApplication) -> None:
    assert light_theme().text in inked(image("theme", ratio=3.0))
    assert light_theme().accent in inked(image("theme", ratio=3.0, state=QIcon.State.On))
    assert light_theme().error in inked(image("error", ratio=3.0))


def test_an_icon_is_drawn_once(qapp: QApplication) -> None:
    assert icon("undo", light_theme()) is icon("undo", light_theme())


def test_an_unknown_icon_is_told(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError):
        icon("teapot", light_theme())
