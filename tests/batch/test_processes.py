"""What is begun for a batch before its command is understood."""

import os
from importlib import import_module
from pathlib import Path

import pytest

from studio.batch.workers import IMPORTED, OF_A_KIND, kind_in, may_need_workers
from studio.files.store import save
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kinds


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.key)
def test_a_file_says_its_kind_at_its_end(kind: AnyKind, tmp_path: Path) -> None:
    save(tmp_path / "mine.puzzle", kind, kind.example())
    assert kind_in(str(tmp_path / "mine.puzzle")) == kind.key


def test_other_arguments_say_no_kind_and_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("serial,name\n1,Ann\n")
    (tmp_path / "empty.puzzle").touch()
    os.mkfifo(tmp_path / "pipe")
    for name in ("names.csv", "empty.puzzle", "pipe", "missing.puzzle", "."):
        assert kind_in(str(tmp_path / name)) is None
    assert kind_in("--set\0") is None


def test_what_a_server_imports_is_there() -> None:
    for name in (*IMPORTED, *(each.format(kind="jigsaw") for each in OF_A_KIND)):
        assert import_module(name).__name__ == name


def test_workers_are_begun_for_commands_that_may_need_them() -> None:
    assert may_need_workers(["mine.puzzle", "--count", "9", "-o", "boards"])
    assert may_need_workers(["mine.puzzle", "--count", "1", "--workers", "2"])
    for alone in (["--help"], ["--workers", "1"], ["--workers=1"], ["--cluster", "tcp://a:1"], ["--cluster=tcp://a:1"]):
        assert not may_need_workers(["mine.puzzle", *alone])
