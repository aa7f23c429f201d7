"""What a terminal shows of long work."""

import io
import os
import pty
import sys

import pytest

from studio.cli import terminal as module
from studio.cli.terminal import waiting


def seen_on_a_terminal(monkeypatch: pytest.MonkeyPatch, steps: list[tuple[float, str]]) -> str:
    reader, writer = pty.openpty()
    with open(writer, "w", encoding="utf-8", closefd=True) as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with waiting() as progress:
            for share, note in steps:
                progress.step(share, note)
        terminal.write("end")
        terminal.flush()
        return read_to_the_end(reader)


def read_to_the_end(reader: int) -> str:
    """What was written to a terminal until the word end; it comes in parts."""
    seen = b""
    while not seen.endswith(b"end"):
        seen += os.read(reader, 65536)
    os.close(reader)
    return seen.decode()


def test_a_terminal_is_told_how_far_long_work_is_and_keeps_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    monkeypatch.setattr(module, "PACE", 0.0)
    seen = seen_on_a_terminal(monkeypatch, [(0.25, "Writing"), (0.5, "n" * 500)])
    first, second, last = (each for each in seen.split("\r\x1b[K") if each)
    assert first == " 25%  Writing"
    assert second.startswith(" 50%  nnn") and len(second) < 80
    assert last == "end"


def test_short_work_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert seen_on_a_terminal(monkeypatch, [(0.1, "Writing"), (0.9, "Saving")]) == "end"


def test_a_file_or_a_pipe_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    text = io.StringIO()
    monkeypatch.setattr(sys, "stderr", text)
    with waiting() as progress:
        progress.step(0.5, "Writing")
    assert text.getvalue() == ""


def test_what_is_said_meanwhile_stands_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    reader, writer = pty.openpty()
    with open(writer, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with waiting() as progress:
            progress.step(0.5, "Looking")
            progress.say("One is found.")
        terminal.write("end")
        terminal.flush()
        seen = read_to_the_end(reader)
    assert seen.endswith("Looking\r\x1b[Kend") and seen.count("\x1b[K") == 2
    assert capsys.readouterr().out == "One is found.\n"
