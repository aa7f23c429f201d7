"""A start loads what its first sight needs, and nothing of the kinds and dialogs that are not in sight."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from studio.puzzles.registry import KINDS

ROOT = Path(__file__).resolve().parents[2]
MOST_AT_START, MOST_MODULES = 21, 101
"""Modules of the studio, packages not counted, that the start page, and the window of a jigsaw, may load; each one more
is waited for."""
PROGRAM = """
import gc, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
def shown(*_):
    QApplication.processEvents()
    print({told})
    return 128
QApplication.exec = shown
{start}
"""
MODULES = PROGRAM.format(
    told='*[name for name, found in sys.modules.items() if name[:7] == "studio." and not hasattr(found, "__path__")]',
    start="from studio.ui.shell.app import run; run([Path(name) for name in sys.argv[1:]])",
)
LIBRARIES = PROGRAM.format(
    told='*{name.partition(".")[0] for name in sys.modules}', start="from studio.__main__ import main; main()"
)
COMMANDS = PROGRAM.format(
    told='*[name for name in sys.modules if name.startswith("studio.cli.")]',
    start="from studio.__main__ import main; main()",
)
GARBAGE = PROGRAM.format(
    told="sys.modules['studio.ui.session.jobs'].GARBAGE.is_collected, gc.get_freeze_count() > 10_000",
    start="from studio.__main__ import main; main()",
)


AHEAD = PROGRAM.format(
    told="*(name for name in sys.modules if name.startswith('studio.'))",
    start="""
import time
from studio.puzzles.registry import KINDS
from studio.ui.shell import app
wanted = {"studio.ui.shell.window", *(f"studio.ui.kinds.{key}.extension" for key in KINDS)}
events = QApplication.processEvents
def until_loaded():
    end = time.monotonic() + 90
    while not wanted <= set(sys.modules) and time.monotonic() < end:
        events()
        time.sleep(0.01)
QApplication.processEvents = until_loaded
app.run([])
""",
)


def started(program: str, home: Path, *files: Path) -> list[str]:
    """What a program tells of a start when its window is first painted."""
    own = {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, files)],
        cwd=ROOT, env=os.environ | own, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return done.stdout.split()


def of_kinds(modules: list[str]) -> set[str]:
    """The kinds that have a module among some."""
    return {parts[-1] for name in modules if (parts := name.split(".")[:4])[:-1] == ["studio", "ui", "kinds"]} | {
        parts[-1] for name in modules if (parts := name.split(".")[:3])[:-1] == ["studio", "puzzles"]
    } & set(KINDS)


def test_a_start_loads_no_more_than_its_page_needs(tmp_path: Path) -> None:
    modules = started(MODULES, tmp_path)
    assert "studio.ui.shell.start" in modules and of_kinds(modules) == set()
    assert len(modules) <= MOST_AT_START
    assert not {"numpy", "shapely"} & set(started(LIBRARIES, tmp_path))


def test_what_windows_need_is_loaded_while_the_page_is_looked_at(tmp_path: Path) -> None:
    modules = set(started(AHEAD, tmp_path))
    assert {"studio.ui.shell.window", *(f"studio.ui.kinds.{key}.extension" for key in KINDS)} <= modules


def test_a_window_loads_no_more_than_its_first_sight_needs(tmp_path: Path) -> None:
    modules = started(MODULES, tmp_path, ROOT / "resources" / "examples" / "orchard-9x6.puzzle")
    assert "studio.ui.shell.window" in modules and of_kinds(modules) == {"jigsaw"}
    assert len(modules) <= MOST_MODULES
    panels = ("ui.panels.game_page", "ui.panels.export_dialog", "ui.panels.printer_export_dialog")
    for room in ("cli", "export", "paper", "ui.solid", *panels):
        assert [name for name in modules if f"{name}.".startswith(f"studio.{room}.")] == []


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_whoever_opens_a_file_waits_for_its_kind_alone(key: str, tmp_path: Path) -> None:
    examples = ROOT / "resources" / "examples"
    file = next(path for path in examples.glob("*.puzzle") if f'"kind": "{key}"' in path.read_text(encoding="utf-8"))
    assert of_kinds(started(MODULES, tmp_path, file)) == {key}


def test_garbage_is_collected_once_the_window_is_there_but_not_sought_among_what_stays(tmp_path: Path) -> None:
    assert started(GARBAGE, tmp_path) == ["True", "True"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("files", [[], ["brook-8x8.puzzle"]])
def test_a_window_waits_for_no_command(files: list[str], tmp_path: Path) -> None:
    modules = started(COMMANDS, tmp_path, *(ROOT / "resources" / "examples" / name for name in files))
    assert "studio.cli.terminal" in modules
    assert not {"studio.cli.desktop", "studio.cli.designs", "studio.cli.kinds.calendar"} & set(modules)
