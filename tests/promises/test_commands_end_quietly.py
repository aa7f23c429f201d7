"""Closed streams, an early Ctrl-C and a talkative Qt end no command with a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs the shell and signals of POSIX")


def in_shell(words: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the studio in a shell, which may close its streams."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"} | more
    command = ["sh", "-c", f'exec "{sys.executable}" -m studio {words}']
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize(
    "closed",
    [pytest.param(">&-", marks=pytest.mark.thorough), pytest.param("2>&-", marks=pytest.mark.thorough), "<&- >&- 2>&-"],
)
def test_with_closed_streams_files_are_written_and_hold_nothing_foreign(tmp_path: Path, closed: str) -> None:
    for words, name in (
        ("new jigsaw -o a.puzzle", "a.puzzle"),
        ("export a.puzzle -o a.svg", "a.svg"),
        ("picture a.puzzle -o a.png", "a.png"),
    ):
        done = in_shell(f"{words} {closed}", tmp_path)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        assert b"Wrote" not in (tmp_path / name).read_bytes()
    for each in (closed, "2>&-"):
        done = in_shell(f"check none.puzzle --json {each}", tmp_path)
        assert (done.returncode, done.stdout) == (2, "") and "Traceback" not in done.stderr


INTERRUPTED = """
import os, signal, sys
from studio.__main__ import main
def listen(event, words):
    if event == "import" and words[0] == MODULE:
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(listen)
sys.argv = ["studio", "new", "jigsaw", "-o", "-"]
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["studio.cli", "json", "numpy", "studio.puzzles.registry"])
def test_ctrl_c_while_packages_are_loaded_is_answered_in_a_word(tmp_path: Path, module: str) -> None:
    program = INTERRUPTED.replace("MODULE", repr(module))
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, "", "Stopped.\n")


@pytest.mark.thorough
def test_qt_may_say_what_it_likes_to_the_end(tmp_path: Path) -> None:
    assert in_shell("new jigsaw -o a.puzzle", tmp_path).returncode == 0
    done = in_shell("picture a.puzzle -o a.png", tmp_path, QT_LOGGING_RULES="*=true")
    assert done.returncode == 0 and (tmp_path / "a.png").exists()
