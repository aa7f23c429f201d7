"""The palette finds entries of submenus, and everything under the words that makers and other programs have for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from studio.base.parameters import declarations
from studio.base.units import Unit
from studio.puzzles.registry import KINDS, kind
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.palette import COMMANDS, MENUS, PARAMETERS, TABLES, Entry, Palette, matching, show_commands, table
from studio.ui.shell.window import Window
from tests.ui.stage import destroy

FIRST = 9
"""Lines that are in sight without scrolling, at least."""
WORDS = {
    "jigsaw": {
        "dark": "Theme: Dark", "night mode": "Theme: Dark", "theme": "Theme: System", "appearance": "Theme: Light",
        "inch": "Units: Inches", "imperial": "Units: Inches", "mm": "Units: Millimetres",
        "metric": "Units: Millimetres",
        "whimsy": "Add figure…", "whimsies": "Add figure…", "silhouette": "Add figure…", "initials": "Add figure…",
        "font": "Add figure…", "text": "Engrave…", "logo": "Engrave…", "knob": "Tongues size",
        "tab size": "Tongues size",
        "tab": "Style", "nub": "Style", "knob shape": "Style", "interlock": "Style", "photo": "Picture…",
        "image": "Picture…", "jpg": "Picture…", "burn": "Fit coupon for the laser…",
        "kerf test": "Fit coupon for the laser…",
        "calibrate": "Fit coupon for the laser…", "bridge": "Minimum wall", "holding tab": "Export for the laser…",
        "registration": "Export for the laser…", "lightburn": "Export for the laser…", "dxf": "Export for the laser…",
        "glowforge": "Export for the laser…", "gcode": "Export for the laser…", "nesting": "Export for the laser…",
        "stl": "Export for the printer…", "3mf": "Export for the printer…", "slicer": "Export for the printer…",
        "plywood": "Machines and materials…", "settings": "Machines and materials…", "power": "Machines and materials…",
        "layers": "Colour profiles…", "csv": "Batch…", "bulk": "Batch…", "voronoi": "Tiling", "honeycomb": "Tiling",
        "hexagons": "Tiling", "circle": "Outline", "piece count": "Pieces", "how many pieces": "Pieces",
        "shuffle": "Seed", "randomize": "Seed", "wobble": "Irregularity",
        "face": "Protect area", "keep out": "Protect area", "custom knob": "Custom tongue…", "fillet": "Corner radius",
        "rounded corner": "Corner radius", "false fits": "Show false fits", "lookalike": "Show false fits",
        "3d": "3-D", "solve": "Play", "zoom to fit": "Fit to window", "1:1": "Actual size",
        "hotkeys": "Keyboard shortcuts…",
        "help": "Manual", "tutorial": "Manual", "welcome": "Start page", "exit": "Quit", "load": "Open…",
        "tray": "Tray", "backing board": "Tray", "panel": "Inspector", "lost panel": "Reset layout",
        "heart": "Outline", "svg": "Import outline…", "diff": "Compare with…", "happy cube": "New cube",
        "loopy": "New slitherlink", "thin neck": "Minimum neck", "sliver": "Minimum piece", "guides": "Draft",
        "version": "About Puzzle Studio", "gallery": "Variants…", "undo": "Undo", "flip": "Flip tongue",
        "repair": "Fix all…", "toolpath": "Cut plan", "time": "Cut plan", "cost": "Cut plan", "drop-out": "Cut plan",
        "waste": "Export for the laser…", "reverse": "Engrave…", "poster": "Export for the laser…",
        "trace": "Follow colours", "animal": "Add figure…", "photo crop": "Adjust picture", "autosave": "Start page",
        "backup": "Start page",
        "recover": "Start page",
    },
    "cube": {
        "burrtools": "Export BurrTools puzzle…", "tolerance": "Clearance", "snap": "Snaps", "bevel": "Plate edges",
        "x-ray": "Section", "build plate": "Plate", "unfold": "Net", "instructions": "Assembly sheet…",
        "one solution": "Unique solution", "more difficult": "Find a harder cube",
    },
    "calendar": {
        "dragonfjord": "Board", "leap year": "Year", "thumb hole": "Finger notch", "mirror": "Flipped pieces",
        "polyomino": "Edit", "statistics": "Heat map", "font size": "Label height", "turn over": "Flipped pieces",
    },
    "zigzaw": {
        "registration": "Registration marks", "fiducials": "Registration marks", "color blind": "Palette",
        "photo": "Choose picture…", "backtracking": "Solver", "animal": "Piece",
        "decal": "Sticker height",
    },
    "slitherlink": {
        "fences": "New slitherlink", "level": "Difficulty", "dowel": "Board", "digit size": "Clue height",
        "answer": "Show solution", "puzz.link": "Export text…", "print on demand": "Puzzle book…",
        "trace": "Shape from picture…",
        "explanation": "Steps",
    },
}  # fmt: skip


def opened(key: str, folder: Path) -> Window:
    preferences = Preferences(QSettings(str(folder / f"{key}.ini"), QSettings.Format.IniFormat))
    preferences.add_recent_file(folder / "boat.puzzle")
    window = Window(Document(kind(key), kind(key).example()), preferences)
    window.show()
    window.finish()
    return window


def offered(window: Window) -> list[Entry]:
    """What the palette of a window offers."""
    show_commands(window)
    palette = window.findChild(Palette)
    assert palette is not None
    entries = list(palette._entries)
    palette.close()
    return entries


@pytest.fixture(params=KINDS)
def window(request: pytest.FixtureRequest, qapp: QApplication, tmp_path: Path) -> Iterator[Window]:
    made = opened(request.param, tmp_path)
    yield made
    made.document.history.setClean()
    destroy(made)


@pytest.mark.sampled(5)
def test_words_of_makers_find_what_they_mean(window: Window) -> None:
    entries, missed = offered(window), []
    for words, title in WORDS[window.document.kind.key].items():
        found = [entry.title for entry in matching(entries, words)][:FIRST]
        if title not in found:
            missed.append((words, title, found))
    assert missed == []


@pytest.mark.sampled(5)
def test_every_action_of_menus_and_submenus_is_found_by_its_title(window: Window) -> None:
    entries = offered(window)

    def actions(menu: QMenu) -> Iterator[tuple[QMenu, QAction]]:
        for action in menu.actions():
            below = action.menu()
            if isinstance(below, QMenu):
                yield from actions(below)
            elif not action.isSeparator() and action.isEnabled():
                yield menu, action

    menus = [menu for top in window.menuBar().actions() if isinstance(menu := top.menu(), QMenu)]
    missed = []
    for menu in menus:
        for holder, action in actions(menu):
            title = action.text().replace("&", "")
            found = [entry.title for entry in matching(entries, title)][: 2 * FIRST]
            if title != "Command palette…" and not any(one.endswith(title) for one in found):
                missed.append((holder.title(), title, found))
    assert missed == []
    assert "Open recently used: boat.puzzle" in [entry.title for entry in matching(entries, "boat")]


@pytest.mark.sampled(5)
def test_an_entry_of_a_submenu_does_what_it_says(window: Window) -> None:
    (inches,) = (entry for entry in offered(window) if entry.title == "Units: Inches")
    (back,) = (entry for entry in offered(window) if entry.title == "Units: Millimetres")
    inches.do()
    try:
        assert window.preferences.unit() is Unit.INCHES
    finally:
        back.do()
    (design,) = (entry for entry in offered(window) if (entry.title, entry.place) == ("Design", "View"))
    design.do()
    assert window.docks[0].isHidden()


def test_all_names_in_the_table_are_names_and_no_word_is_there_twice(qapp: QApplication, tmp_path: Path) -> None:
    commands, parameters, tables = set[str](), set[str](), set[str]()
    for key in KINDS:
        window = opened(key, tmp_path)
        named = [each.objectName() for each in window.actions_.of(lambda _command: True)]
        asked = [each.name for each in declarations(kind(key).parameters)]
        commands.update([*named, *(f"{key}/{name}" for name in named)])
        parameters.update([*asked, *(f"{key}/{name}" for name in asked)])
        menus = {menu.title().replace("&", "") for menu in window.menuBar().findChildren(QMenu)} | {
            menu.title().replace("&", "") for menu in window.findChildren(QMenu)
        }
        assert {*table()[MENUS]} <= menus
        tables.update(window.drawer.tabText(at) for at in range(window.drawer.count()))
        destroy(window)
    assert {*table()[COMMANDS]} <= commands and {*table()[PARAMETERS]} <= parameters
    assert {name for name in table()[TABLES] if not any(shown.startswith(name) for shown in tables)} == set()
    for group in table().values():
        for name, words in group.items():
            assert words and len({*words}) == len(words), name
