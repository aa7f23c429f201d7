"""Whatever a name or a text holds is shown as it is: never as mark-up, never obeyed by a terminal, escaped in files."""

import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from studio.base.errors import StudioError
from studio.base.parameters import declarations
from studio.base.progress import SILENT
from studio.base.texts import visible
from studio.cli import main
from studio.cli.terminal import plain
from studio.exporting.laser_files import write
from studio.files.store import dumps, loads, save
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.printable import PaperPrintable
from studio.puzzles.calendar.model import Board, CalendarDesign, CalendarParameters, Label, Piece
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kind, kinds
from studio.puzzles.slitherlink.book import BookOptions
from studio.puzzles.zigzaw.model import Paint
from tests.ui.stage import KindStage

TEXTS = {
    "mark-up": "<b>&amp;<img src=/x>]]>\"'",
    "right to left": "עברית عربى שלום",
    "combining marks": "e\u0301\u0323\u0302\u0308" * 4,
    "braces": "{0}{name!r}%s%d\\n{{}}",
    "escape sequences": "\x1b[31mred\x1b]0;x\x07\x9b2J",
    "turned round": "a\u202egnp.exe\u2066\u200b",
    "lines and tabs": "a\nb\tc\rd\0e",
    "half a pair": "\ud800\udcff",
}
EVERY_TEXT = pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))


def small(one: AnyKind, **values: Any) -> Any:
    """A small design of a kind."""
    sizes = {"jigsaw": {"columns": 2, "rows": 2}, "zigzaw": {"columns": 3, "rows": 3}, "cube": {"x": 3, "y": 3, "z": 3}}
    sizes["slitherlink"] = {"columns": 5, "rows": 5}
    return one.generate(one.parameters(**sizes.get(one.key, {}), **values), None, SILENT).design


def labelled(text: str) -> CalendarDesign:
    """A board of two cells whose label, group and piece are called so."""
    board = Board(("..",), (Label("A1", text, 1, text),))
    return CalendarDesign(CalendarParameters(), board, (Piece(text, ("#",)),))


def with_text(one: AnyKind, name: str, text: str) -> tuple[AnyKind, Any]:
    """A small design of a kind with a text."""
    return one, small(one, **{name: text})


def fields() -> list[tuple[str, Callable[[str], Any]]]:
    """All that takes a text, by name, and what it makes of one."""
    found: list[tuple[str, Callable[[str], Any]]] = [
        (f"{one.key} {known.name}", partial(with_text, one, known.name))
        for one in kinds()
        for known in declarations(one.parameters)
        if known.type == "text"
    ]
    calendar, zigzaw = kind("calendar"), kind("zigzaw")
    found.append(("calendar labels, groups and pieces", lambda text: (calendar, labelled(text))))
    paints = tuple(Paint(f"colour {at}", f"#0000{at:02X}") for at in range(5))
    found.append(
        ("zigzaw colours", lambda text: (zigzaw, replace(small(zigzaw), paints=(Paint(text, "#FF0000"), *paints))))
    )
    return found


EVERY_FIELD = pytest.mark.parametrize(("field", "make"), fields(), ids=[name for name, _make in fields()])


def is_clean(text: str) -> bool:
    """Whether a terminal would show all of it and obey none of it."""
    return all(each.isprintable() or each == "\n" for each in text)


@EVERY_TEXT
@EVERY_FIELD
def test_a_text_in_any_field_is_kept_as_it_is_or_refused_in_a_visible_sentence(
    field: str, make: Callable[[str], Any], text: str, tmp_path: Path
) -> None:
    text = text[:24].strip()
    try:
        one, design = make(text)
    except StudioError as problem:
        assert str(problem).endswith(".") and is_clean(str(problem)), field
        assert not text.isprintable() or field == "cube text", "what can be shown is taken, unless it is to be drawn"
        return
    assert text.isprintable()
    assert loads(dumps(one, design)).design == design
    shapes = one.shape(design, None, SILENT)
    for found in one.check(design, shapes, None, SILENT).findings:
        assert is_clean(found.message)
    write(one.need(Cuttable).drawing(shapes), tmp_path / "a.svg", force=True)
    ids = [node.get("id", "") for node in ET.parse(tmp_path / "a.svg").iter()]
    assert len(ids) > 3 and not any("{" in node.tag.split("}")[-1] for node in ET.parse(tmp_path / "a.svg").iter())
    pages = one.able(PaperPrintable)
    if pages is not None:
        assert pages.lay_out(shapes, text, (210.0, 297.0), SILENT).pages


@EVERY_TEXT
def test_the_title_of_a_book_is_one_line_that_can_be_seen(text: str) -> None:
    if text.isprintable():
        assert BookOptions(title=text).title == text
    else:
        with pytest.raises(StudioError, match=r"^title must be .*\.$") as told:
            BookOptions(title=text)
        assert is_clean(str(told.value))


@pytest.mark.sampled(3)
@EVERY_TEXT
def test_the_command_line_prints_no_escape_sequence_of_a_file_name(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = text.replace("/", "").replace("\0", "").replace("\ud800", "")
    design = tmp_path / f"{name}.puzzle"
    save(design, kind("slitherlink"), small(kind("slitherlink")))
    for suffix in (".svg", ".dxf", ".lbrn2"):
        assert main(["export", str(design), "-o", str(tmp_path / f"{name}{suffix}")]) == 0
    assert main(["check", str(design)]) == 0
    assert main(["check", str(design) + "?"]) == 2
    assert main([f"--{name}"]) == 2
    told = capsys.readouterr()
    assert is_clean(told.out) and is_clean(told.err)
    for line in name.split("\n"):
        assert visible(line) in told.out, "it is shown"
    assert plain(sys.stdout) is sys.stdout, "the streams are as they were"


@pytest.mark.sampled(3)
@EVERY_TEXT
def test_the_window_shows_control_characters_of_a_file_name(qapp: QApplication, text: str, tmp_path: Path) -> None:
    name = text.replace("/", "").replace("\0", "").replace("\ud800", "").replace("\udcff", "")
    path = tmp_path / f"{name}x.puzzle"
    save(path, kind("slitherlink"), SMALL)
    stage = KindStage(tmp_path, kind("slitherlink"), SMALL)
    assert stage.window.filing.open(path)
    stage.window.notices.post(f"{name} was opened.")
    stage.settle()
    assert visible(f"{name}x") in stage.window.windowTitle()
    shown = [each.text() for each in stage.window.findChildren(QLabel) if each.isVisible()]
    assert visible(f"{name} was opened.") in shown
    assert all(map(is_clean, shown)) and is_clean(stage.window.windowTitle())
    stage.close()


SMALL = small(kind("slitherlink"))


def test_a_visible_text_stays_what_it_is_and_escapes_the_rest() -> None:
    assert visible("Ä <b> עברית e\u0301 ✓") == "Ä <b> עברית e\u0301 ✓"
    assert visible("\x1b[0m\n\u202e\udcff") == "\\x1b[0m\\n\\u202e\\udcff"
