"""A start loads what its first sight needs, and nothing of the kinds and dialogs that are not in sight."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from studio.puzzles.registry import KINDS

ROOT = Path(__file__).resolve().parents[2]
MOST_MODULES = 114
"""Modules of the studio that a start on a new jigsaw may load; each one more is waited for at every start."""
PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from studio.ui.shell import app
def shown(*_):
    QApplication.processEvents()
    print(*[name for name in sys.modules if name.partition(".")[0] == "studio"])
    return app.BY_SIGNAL
QApplication.exec = shown
app.run([Path(name) for name in sys.argv[1:]])
"""


def loaded(home: Path, *files: Path) -> list[str]:
    """The modules of the studio that are loaded when a window is first painted."""
    environment = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(home),
        "XDG_STATE_HOME": str(home),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, files)],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return done.stdout.split()


def of_kinds(modules: list[str]) -> set[str]:
    """The kinds that have a module among some."""
    return {parts[-1] for name in modules if (parts := name.split(".")[:4])[:-1] == ["studio", "ui", "kinds"]} | {
        parts[-1] for name in modules if (parts := name.split(".")[:3])[:-1] == ["studio", "puzzles"]
    } & set(KINDS)


def test_a_start_loads_no_more_than_its_first_sight_needs(tmp_path: Path) -> None:
    modules = loaded(tmp_path)
    assert "studio.ui.shell.window" in modules and of_kinds(modules) == {"jigsaw"}
    assert len(modules) <= MOST_MODULES
    for room in (
        "cli",
        "export",
        "paper",
        "ui.solid",
        "ui.abilities.played",
        "ui.abilities.printed",
        "ui.panels.export",
    ):
        assert [name for name in modules if f"{name}.".startswith(f"studio.{room}.")] == []


@pytest.mark.parametrize("key", KINDS)
def test_whoever_opens_a_file_waits_for_its_kind_alone(key: str, tmp_path: Path) -> None:
    examples = ROOT / "resources" / "examples"
    file = next(path for path in examples.glob("*.puzzle") if f'"kind": "{key}"' in path.read_text(encoding="utf-8"))
    assert of_kinds(loaded(tmp_path, file)) == {key}
