"""Icons are all there, drawn afresh for every screen, and take their colours from the theme."""

import re

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage
from PySide6.QtWidgets import QApplication, QToolButton

from studio.puzzles.registry import KINDS
from studio.ui.widgets.theme import ICONS, SIZES, apply, dark_theme, drawn, icon, light_theme, names, picture_font

LARGEST_RATIO = 3

NEEDED = {
    "select", "flip", "move", "measure", "undo", "redo", "draft", "final", "fit", "zoom-in", "zoom-out", "export",
    "open", "save", "new", "dice", "lock", "unlock", "plain", "reset", "error", "warning", "hint", "search", "theme",
    "fill", "history", "close", "folded", "unfolded", "previous", "next", "play", "pause", "to-start", "to-end",
    "turn", "turn-over", "step", "bulb", "done", "add", "copy", "remove", "cells", "label", "erase", "crop", "keep",
    "tick", "try", "section", "home", *(f"kind-{key}" for key in KINDS),
}  # fmt: skip
OWN_COLOUR = {"error", "warning", "hint", "done"}


def image(name: str, *, dark: bool = False, size: int = 20, ratio: float = 1.0, mode: QIcon.Mode = QIcon.Mode.Normal,
          state: QIcon.State = QIcon.State.Off) -> QImage:  # fmt: skip
    theme = dark_theme() if dark else light_theme()
    return drawn(name, theme, LARGEST_RATIO).pixmap(QSize(size, size), ratio, mode, state).toImage()


def inked(shown: QImage) -> list[QColor]:
    places = [(x, y) for x in range(shown.width()) for y in range(shown.height())]
    return [colour for x, y in places if (colour := shown.pixelColor(x, y)).alpha() > 240]


def test_every_icon_is_there() -> None:
    assert set(names()) == NEEDED


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_an_icon_has_one_line_weight_and_no_colour_of_its_own(name: str) -> None:
    drawing = (ICONS / f"{name}.svg").read_text(encoding="utf-8")
    assert 'viewBox="0 0 20 20"' in drawing
    assert set(re.findall(r'stroke-width="([\d.]+)"', drawing)) <= {"1.5", "1.75"}
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', drawing)) <= {"none", "currentColor", "ground"}


@pytest.mark.sampled(5)
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
    shown = image("save", size=size, ratio=float(ratio))
    assert (shown.width(), shown.devicePixelRatio()) == (size * ratio, ratio)


def test_ink_is_the_colour_of_the_text_and_errors_are_red(qapp: QApplication) -> None:
    assert light_theme().text in inked(image("theme", ratio=3.0))
    assert light_theme().accent in inked(image("theme", ratio=3.0, state=QIcon.State.On))
    assert light_theme().error in inked(image("error", ratio=3.0))


def test_an_icon_is_drawn_once(qapp: QApplication) -> None:
    assert drawn("undo", light_theme()) is drawn("undo", light_theme())


def test_a_button_shows_its_icon_in_the_theme_that_was_applied_last(qapp: QApplication) -> None:
    button = QToolButton()
    button.setIcon(icon("theme"))
    button.setIconSize(QSize(20, 20))
    shown = {}
    for theme in (light_theme(), dark_theme()):
        apply(qapp, theme, picture_font())
        size, ratio = QSize(20, 20), button.devicePixelRatioF()
        assert icon("theme").pixmap(size, ratio).toImage() == drawn("theme", theme).pixmap(size, ratio).toImage()
        shown[theme.name] = button.grab().toImage()
    assert inked(shown["light"]) != inked(shown["dark"])


def test_an_unknown_icon_is_told(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError):
        icon("teapot")
