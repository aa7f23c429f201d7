"""Whatever ends the studio, and whoever else writes, the work of a maker is kept or its loss is asked about."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from studio.atomic import replacing, tidy
from studio.progress import Progress
from studio.puzzles.calendar import known
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.year import year

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs the signals, locks and pipes of POSIX")

KILLED_WRITERS = """
import json, os, random, signal, sys
from pathlib import Path
from studio.cli import main
from studio.export.options import LaserOptions
from studio.export.target import write_all
from studio.progress import Progress
from studio.puzzles.jigsaw.geometry import shape
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters

folder, moments = Path(sys.argv[1]), int(sys.argv[2])
designs = (JigsawDesign(JigsawParameters(columns=2, rows=2, seed=seed)) for seed in (1, 2))
old, new = (shape(design, None, Progress()).drawing for design in designs)
sheets = [folder / f"board-{number}.svg" for number in range(1, 5)]

def write(drawing):
    write_all([drawing] * len(sheets), folder / "board.svg", LaserOptions())

def content():
    return [sheet.read_bytes() for sheet in sheets]

def killed_at(moment):
    # What a process asks of the system is heard before it is done: the first ask that is not answered is its last.
    asked = 0
    def listen(event, _words):
        nonlocal asked
        asked += event.startswith(("open", "os.", "fcntl."))
        if asked > moment:
            os.kill(os.getpid(), signal.SIGKILL)
    child = os.fork()
    if child == 0:
        sys.addaudithook(listen)
        write(new)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0

write(new); after = content()
write(old); before = content()
last = 0
while killed_at(last):
    last += 7
    write(old)
write(old)
seen = {"killed": 0, "old": 0, "new": 0, "mixed": 0, "mixed_before_the_next_start": 0}
for moment in sorted(random.Random(5).choices(range(last), k=moments)):
    seen["killed"] += killed_at(moment)
    seen["mixed_before_the_next_start"] += content() not in (before, after)
    assert main(["kinds", "--json"]) == 0
    now = content()
    seen["old" if now == before else "new" if now == after else "mixed"] += 1
    write(old)
seen["names"] = sorted(os.listdir(folder))
print("\\n" + json.dumps(seen))
"""


def ran(program: str, *words: str | Path, **more: str) -> str:
    """What a program prints that runs by itself."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"} | more
    command = [sys.executable, "-c", program, *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@POSIX
def test_several_sheets_are_all_of_one_export_wherever_their_writer_is_killed(tmp_path: Path) -> None:
    seen = json.loads(ran(KILLED_WRITERS, tmp_path, "50").splitlines()[-1])
    assert seen["killed"] == 50 and seen["mixed"] == 0, seen
    assert seen["old"] and seen["new"], "some were killed before all sheets were ready, and some behind"
    assert seen["mixed_before_the_next_start"], "some were killed while sheets took their places"
    assert seen["names"] == [f"board-{number}.svg" for number in range(1, 5)]


UNFINISHED = """
import os, signal, sys
from pathlib import Path
from studio.atomic import replacing
with replacing(Path(sys.argv[1])) as aside:
    aside.write_bytes(b"half")
    print(aside.name, flush=True)
    sys.stdin.read() if sys.argv[2] == "wait" else os.kill(os.getpid(), signal.SIGKILL)
"""


@POSIX
def test_what_a_dead_writer_left_unfinished_is_swept_away_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-c", UNFINISHED, str(tmp_path / "a.svg")]
    subprocess.run([*command, "die"], stdout=subprocess.PIPE, cwd=ROOT, timeout=60, check=False)
    (left,) = tmp_path.iterdir()
    assert left.read_bytes() == b"half"
    alive = subprocess.Popen([*command, "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert alive.stdout is not None
    mine, living = tmp_path / ".notes-0123abcd.svg", alive.stdout.readline().strip()
    mine.write_bytes(b"mine")
    with replacing(tmp_path / "b.svg") as aside:
        assert {path.name for path in tmp_path.iterdir()} == {living, mine.name, aside.name}
        tidy(tmp_path)
        assert aside.exists(), "nobody sweeps away what is still being written"
    alive.communicate("")
    assert {path.name for path in tmp_path.iterdir()} == {"a.svg", "b.svg", mine.name}


def test_a_remembered_year_that_was_edited_or_counted_by_another_version_is_not_believed() -> None:
    design = CalendarDesign()
    known.remember(design, year(design, Progress()))
    folder = known.folder()
    assert folder is not None and known.remembered(design) is not None
    (file,) = folder.iterdir()
    content = json.loads(file.read_text())
    edited = json.loads(file.read_text())
    edited["counts"][0][0] += 1
    older = content | {"solver": content["solver"] - 1}
    for spoilt in (edited, older | {"sum": known.sum_of(older)}):
        file.write_text(json.dumps(spoilt))
        assert known.remembered(design) is None
    file.write_text(json.dumps(content))
    assert known.remembered(design) is not None


@POSIX
def test_a_pipe_in_place_of_a_remembered_year_holds_nothing_up() -> None:
    design = CalendarDesign()
    found = year(design, Progress())
    known.remember(design, found)
    folder = known.folder()
    assert folder is not None
    (file,) = folder.iterdir()
    file.unlink()
    os.mkfifo(file)
    assert known.remembered(design) is None
    known.remember(design, found)
    assert file.is_fifo(), "what is no file of ours is left alone"
