"""What the documents say is so: links lead somewhere, commands run, tables and examples are those of the program."""

import json
import os
import re
import shlex
import struct
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from PIL import Image, ImageSequence
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

import go
from docs import make, rooms, wood
from docs.scenes import DIALOG, SCENES, SIZE
from studio.base.progress import SILENT, Progress
from studio.cli import main
from studio.files.store import load
from studio.puzzles.jigsaw.tongues.styles import STYLES
from studio.puzzles.registry import kinds
from tests.depth import THOROUGH
from tests.ui.stage import KindStage, Stage

PAGES = [go.ROOT / "README.md", *sorted((go.ROOT / "docs").rglob("*.md"))]
INDEX = make.MANUAL / "index.md"
EXAMPLES = sorted((go.ROOT / "resources" / "examples").glob("*.puzzle"))
LARGEST_PICTURE = 250_000
MOST_PICTURES = 5_000_000
SMALLER = (
    {}
    if THOROUGH
    else {
        "columns=30": "columns=8",
        "rows=20": "rows=6",
        "edge=20": "edge=10",
        "copies=4": "copies=2",
        "4": "2",
        "8": "2",
    }
)
"""Sizes in the commands shown, and the smaller ones of quick runs."""
DRAWING = """
import json, sys
from studio.cli import main
sys.exit(max(main(words) for words in json.loads(sys.argv[1])))
"""
SHORT = 40
"""A paragraph of so few letters, such as a comment around a table, may be there twice."""


def named(path: Path) -> str:
    """What a test calls a file."""
    return path.name


def manual() -> str:
    """All pages of the manual, one after another."""
    return "\n".join(make.manual().values())


def prose(page: Path) -> str:
    """The text of a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """What a link can point to within a page: its headings, as they are spelt in addresses."""
    headings = re.findall(r"^#+ (.+)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def shown_commands(page: Path) -> Iterator[list[str]]:
    """The words of every command that a page shows in a block, Python's own name left out."""
    for block in re.findall(r"^```sh\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words:
                assert words[0] == "python3", line
                yield words[1:]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]*)\)", prose(page))
    assert links
    for link in links:
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_file_that_is_named_exists(page: Path) -> None:
    paths = re.findall(r"`((?:studio|tests|docs|resources|benchmarks)/[\w./-]*|[\w/]+/\w+\.py)`", prose(page))
    assert [path for path in paths if not any((go.ROOT / room / path).exists() for room in ("", "studio"))] == []


def test_the_pages_are_linked_from_the_first_and_those_of_the_manual_from_its_index() -> None:
    first, contents = PAGES[0].read_text(encoding="utf-8"), INDEX.read_text(encoding="utf-8")
    of_manual = [page for page in make.manual() if page != INDEX]
    others = [page for page in PAGES[1:] if page not in of_manual]
    assert [page.name for page in others if f"]({page.relative_to(go.ROOT).as_posix()})" not in first] == []
    assert [page.name for page in of_manual if f"]({page.name})" not in contents] == []


def test_every_kind_has_a_page_of_the_manual() -> None:
    assert {kind.key for kind in kinds()} <= {page.stem for page in make.manual()}


def test_no_text_of_the_manual_is_there_twice() -> None:
    parts = [part for text in make.manual().values() for part in text.split("\n\n") if len(part) > SHORT]
    assert [part for part in parts if parts.count(part) > 1] == []


@pytest.mark.parametrize("page", [*PAGES[:1], make.MANUAL / "command-line.md"], ids=named)
def test_every_command_shown_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for example in EXAMPLES:
        (tmp_path / example.name).write_bytes(example.read_bytes())
    monkeypatch.chdir(tmp_path)
    commands = list(shown_commands(page))
    assert commands
    pictures = []
    for shown in commands:
        words = [SMALLER.get(word, word) for word in shown]
        if words[0] == "go.py":
            assert words[1] in go.COMMANDS, words
            continue
        assert words[:2] == ["-m", "studio"], words
        if words[2] == "picture":
            pictures.append(words[2:])
        else:
            assert main(words[2:]) == 0, (words, capsys.readouterr().err)
    # A picture dresses the program that draws it; all are drawn at the end, in another.
    program = [sys.executable, "-c", DRAWING, json.dumps(pictures)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout.count("Wrote ") == len(pictures), done.stderr


def test_the_scripts_for_python_do_what_they_say(tmp_path: Path) -> None:
    page = (make.MANUAL / "python.md").read_text(encoding="utf-8")
    scripts = re.findall(r"^```python\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)
    words = [sys.executable, "-c", "\n".join(scripts)]
    done = subprocess.run(
        words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(go.ROOT)}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    said = re.search(
        r"^\[\]\n0 loose cuts, \d+ min\nboard\.svg: 48 pieces, [\d.]+ m of cuts$", done.stdout, re.MULTILINE
    )
    assert said is not None and done.stdout.endswith("6 parts\n"), done.stdout
    assert all(f"{kind.key}: {kind.summary}" in done.stdout for kind in kinds())
    saved = load(tmp_path / "board.puzzle")
    assert saved.design.parameters.tiling == "hexagons" and (tmp_path / "board.svg").stat().st_size > 10_000


def test_the_manual_tells_of_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    commands = re.findall(r"^    (\w+) +\w", capsys.readouterr().out, flags=re.MULTILINE)
    page = (make.MANUAL / "command-line.md").read_text(encoding="utf-8")
    assert len(commands) >= 7
    assert [name for name in commands if not re.search(rf"^\| `{name}[ `]", page, flags=re.MULTILINE)] == []


def test_every_go_command_stands_in_its_help() -> None:
    assert go.__doc__
    assert [name for name in go.COMMANDS if f"go.py {name}" not in go.__doc__] == []


def test_the_tables_of_the_manual_are_those_of_the_program(qapp: QApplication) -> None:
    known = make.tables(make.window_keys(), make.PLANNED if THOROUGH else make.PLANNED[:1])
    for page, whole in make.manual().items():
        text = whole if THOROUGH else re.sub(r"^\| [36]0 × .*\n", "", whole, flags=re.MULTILINE)
        assert text == make.with_tables(text, known), f"{page.name}: `python3 go.py pictures` makes the tables anew"
    assert sorted(re.findall(r"<!-- table: (.+) -->", manual())) == sorted(known)


def test_the_manual_tells_of_every_style_of_tongues() -> None:
    page = (make.MANUAL / "jigsaw.md").read_text(encoding="utf-8")
    assert [style.key for style in STYLES if style.look not in page] == []


def test_the_manual_says_which_keys_want_the_canvas(qapp: QApplication, tmp_path: Path) -> None:
    page = (make.MANUAL / "window.md").read_text(encoding="utf-8")
    match = re.search(r"The keys of the Tongue menu, (.*?) only work while", page, flags=re.DOTALL)
    assert match
    told = set(re.findall(r"`(.+?)`", match[1]))
    stage = Stage(tmp_path)
    try:
        actions = stage.window.actions_
        elsewhere = [*actions.of_menu("Tongue"), *actions.of_menu("Game")]
        on_canvas = [
            action
            for action in stage.window.findChildren(QAction)
            if action.shortcutContext() is Qt.ShortcutContext.WidgetWithChildrenShortcut and action not in elsewhere
        ]
        assert {key.toString() for action in on_canvas for key in action.shortcuts()} == told
    finally:
        stage.close()


def test_every_menu_that_the_manual_names_is_there(qapp: QApplication, tmp_path: Path) -> None:
    """On the page of a kind what its own window has; elsewhere what that of any kind has."""
    menus: dict[str, set[str]] = {}
    for kind in kinds():
        stage = KindStage(tmp_path, kind, is_ready=False)
        for menu in stage.window.menuBar().actions():
            entries = menu.menu().actions()  # type: ignore[attr-defined]
            menus.setdefault(kind.key, set()).update(f"{menu.text()} ▸ {entry.text()}" for entry in entries)
        stage.close()
    known = {key: {re.sub("&|…$", "", name) for name in names} for key, names in menus.items()}
    for page in PAGES:
        named = {name.removesuffix("…") for name in re.findall(r"`(\w+ ▸ [^`]+)`", prose(page))}
        assert named - known.get(page.stem, set.union(*known.values())) == set(), page.name
    assert len(set.union(*known.values())) > 100


def test_the_layers_described_are_those_that_are_kept() -> None:
    settings = tomllib.loads((go.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    text = (go.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert "```\n" + "\n".join(layers) + "\n```" in text


def test_the_picture_of_the_rooms_is_made_of_the_contract_and_names_modules_that_are_there() -> None:
    assert rooms.TARGET.read_text(encoding="utf-8") == rooms.drawing()
    for _, steps in rooms.WAYS.values():
        for room, words in steps:
            module = re.split("[:,]", words)[0]
            found = {path.with_suffix("") for path in (go.ROOT / "studio" / room).rglob("*")}
            assert any(path.as_posix().endswith(f"/{module}") for path in found), words


@pytest.mark.parametrize("picture", make.SHOWN, ids=lambda picture: picture.name)
def test_pictures_are_there_and_small(picture: make.Picture) -> None:
    data = (make.PICTURES / f"{picture.name}.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) < LARGEST_PICTURE
    assert struct.unpack(">II", data[16:24]) == make.SIZE


@pytest.mark.parametrize("name", [name for name, _scene, _theme in SCENES])
def test_pictures_of_what_was_done_are_there_and_small(name: str) -> None:
    data = (make.PICTURES / f"{name}.png").read_bytes()
    assert len(data) < LARGEST_PICTURE and struct.unpack(">II", data[16:24]) in (SIZE, DIALOG)


def test_every_picture_is_on_a_page_and_all_of_them_are_not_heavy() -> None:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    pictures = sorted(make.PICTURES.iterdir())
    assert [path.name for path in pictures if f"pictures/{path.name})" not in pages] == []
    assert sum(path.stat().st_size for path in pictures) < MOST_PICTURES


def test_no_picture_lies_about_unmade() -> None:
    of_scenes = {name for name, _scene, _theme in SCENES}
    assert {path.stem for path in make.PICTURES.iterdir()} == {picture.name for picture in make.SHOWN} | of_scenes | {
        make.COUPON,
        make.TONGUES,
        make.BOARDS,
        make.IDEAS,
        make.FIGURES,
        make.PAGE,
        make.FILM,
        rooms.TARGET.stem,
        wood.MIXTURES,
        wood.SHEET,
    }


def test_the_animation_is_short_and_small_and_opens_the_readme() -> None:
    path = make.PICTURES / f"{make.FILM}.webp"
    assert path.stat().st_size < 2_000_000
    with Image.open(path) as film:
        assert film.n_frames > 60  # type: ignore[attr-defined]
        milliseconds = 0
        for frame in ImageSequence.Iterator(film):
            frame.load()
            milliseconds += frame.info["duration"]
    assert 5_000 < milliseconds < 20_000
    readme = (go.ROOT / "README.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^]]*\]\(docs/pictures/([^)]*)\)", readme)
    assert pictures[:2] == [f"{make.PAGE}.png", path.name]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_an_example_has_no_problem(path: Path) -> None:
    saved = load(path)
    shapes = saved.kind.shape(saved.design, None, Progress())
    assert saved.kind.check(saved.design, shapes, None, Progress()).findings == ()


def test_there_are_examples_of_every_kind_all_shaped_by_hand() -> None:
    assert {load(path).kind for path in EXAMPLES} == set(kinds())
    for path in EXAMPLES:
        saved = load(path)
        if getattr(saved.design, "cuts", ()):
            continue  # A drawing is by hand; its parameters alone make no board.
        made = saved.kind.generate(saved.design.parameters, None, SILENT).design
        assert saved.design != made or len(fields(made)) == 1, "whatever can be edited is"
