"""Whatever ends the studio, and whoever else writes, the work of a maker is kept or its loss is asked about."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from studio.base.atomic import replacing, tidy
from studio.base.errors import StudioError
from studio.base.folders import own_folder
from studio.base.progress import Progress
from studio.fabricate.workshop import Machine, Material, one_of, plural
from studio.files import store
from studio.paper import fonts
from studio.puzzles.calendar import questions
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.year import year
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.session.dialogs import Changed
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.session.recovery import Recovery, left_behind
from studio.ui.shell.open_documents import OpenDocuments
from tests.depth import THOROUGH, examples
from tests.ui.stage import KindStage, Stage

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs the signals, locks and pipes of POSIX")

WRITERS = """
import json, os, signal, sys
from pathlib import Path
from studio.cli import main
from studio.exporting.options import LaserOptions
from studio.exporting.laser_files import write_all
from studio.base.progress import Progress
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters

folder, moments, step = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
designs = (JigsawDesign(JigsawParameters(columns=2, rows=2, seed=seed)) for seed in (1, 2))
old, new = (shape(design, None, Progress()).drawing for design in designs)
sheets = [folder / f"board-{number}.svg" for number in range(1, 5)]

def write(drawing):
    write_all([drawing] * len(sheets), folder / "board.svg", LaserOptions())

def content():
    return [sheet.read_bytes() for sheet in sheets]

def ended_at(moment, signal_number):
    # What a process asks of the system is heard before it is done: the first ask that is not answered is its last.
    asked = 0
    def listen(event, _words):
        nonlocal asked
        is_one = event.startswith(("open", "os.", "fcntl."))
        asked += is_one
        if is_one and asked == moment + 1:
            os.kill(os.getpid(), signal_number)
    child = os.fork()
    if child == 0:
        sys.addaudithook(listen)
        write(new)
        os._exit(asked)
    return child

write(new); after = content()
write(old); before = content()
"""

KILLED_WRITERS = """
def killed_at(moment):
    return os.waitstatus_to_exitcode(os.waitpid(ended_at(moment, signal.SIGKILL), 0)[1])

last = killed_at(1_000)
write(old)
seen = {"tried": 0, "killed": 0, "old": 0, "new": 0, "mixed": 0, "mixed_before_the_next_start": 0, "unfinished": 0}
for moment in range(0, last, max(1, last // moments)):
    seen["tried"] += 1
    seen["killed"] += killed_at(moment) == -signal.SIGKILL
    seen["mixed_before_the_next_start"] += content() not in (before, after)
    assert main(["kinds", "--json"]) == 0
    now = content()
    seen["old" if now == before else "new" if now == after else "mixed"] += 1
    seen["unfinished"] += len(os.listdir(folder)) - len(sheets)
    write(old)
seen["names"] = sorted(os.listdir(folder))
print("\\n" + json.dumps(seen))
"""

TWO_WRITERS = """
other, last = 0, ""
def go_on(event, _words):
    # A lock that is asked for twice is the other's; from Python 3.13 on a pause between is heard, too.
    global last
    if event == "time.sleep":
        return
    if other and event == last == "fcntl.flock":
        os.kill(other, signal.SIGCONT)
    last = event
sys.addaudithook(go_on)
seen = {"old": 0, "new": 0, "mixed": 0}
moment, is_over = 0, False
while not is_over:
    other = ended_at(moment, signal.SIGSTOP)
    is_over = os.WIFEXITED(os.waitpid(other, os.WUNTRACED)[1])
    moment += step
    try:
        write(old)
    finally:
        if not is_over:
            os.kill(other, signal.SIGCONT)
            os.waitpid(other, 0)
    now, other = content(), 0
    seen["old" if now == before else "new" if now == after else "mixed"] += 1
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


@pytest.mark.thorough
@POSIX
def test_several_sheets_are_all_of_one_export_wherever_their_writer_is_killed(tmp_path: Path) -> None:
    seen = json.loads(ran(WRITERS + KILLED_WRITERS, tmp_path, "100" if THOROUGH else "20", "1").splitlines()[-1])
    assert seen["killed"] == seen["tried"] >= 20 and seen["mixed"] == seen["unfinished"] == 0, seen
    assert seen["old"] and seen["new"], "some were killed before all sheets were ready, and some behind"
    assert seen["mixed_before_the_next_start"], "some were killed while sheets took their places"
    assert seen["names"] == [f"board-{number}.svg" for number in range(1, 5)]


@pytest.mark.thorough
@POSIX
def test_several_sheets_are_all_of_one_export_wherever_another_writes_them_too(tmp_path: Path) -> None:
    seen = json.loads(ran(WRITERS + TWO_WRITERS, tmp_path, "0", "1" if THOROUGH else "4").splitlines()[-1])
    assert seen["old"] and seen["new"] and not seen["mixed"], seen
    assert seen["names"] == [f"board-{number}.svg" for number in range(1, 5)]


UNFINISHED = """
import os, signal, sys
from pathlib import Path
from studio.base.atomic import replacing
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
    questions.remember(design, year(design, Progress()))
    folder = questions.folder()
    assert folder is not None and questions.remembered(design) is not None
    (file,) = folder.iterdir()
    content = json.loads(file.read_text())
    edited = json.loads(file.read_text())
    edited["counts"][0][0] += 1
    older = content | {"solver": content["solver"] - 1}
    for spoilt in (edited, older | {"sum": questions.sum_of(older)}):
        file.write_text(json.dumps(spoilt))
        assert questions.remembered(design) is None
    file.write_text(json.dumps(content))
    assert questions.remembered(design) is not None


@POSIX
def test_a_pipe_in_place_of_a_remembered_year_holds_nothing_up() -> None:
    design = CalendarDesign()
    found = year(design, Progress())
    questions.remember(design, found)
    folder = questions.folder()
    assert folder is not None
    (file,) = folder.iterdir()
    file.unlink()
    os.mkfifo(file)
    assert questions.remembered(design) is None
    questions.remember(design, found)
    assert file.is_fifo(), "what is no file of ours is left alone"


SMALL = JigsawParameters(columns=3, rows=2)


def jigsaw(seed: int) -> JigsawDesign:
    return JigsawDesign(JigsawParameters(columns=3, rows=2, seed=seed))


@pytest.fixture
def stages(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[], Stage]]:
    """Windows on the file `boat.puzzle`, as if each were a studio of its own."""
    made: list[Stage] = []
    path = tmp_path / "boat.puzzle"
    store.save(path, JIGSAW, jigsaw(0))

    def another() -> Stage:
        folder = tmp_path / f"settings-{len(made)}"
        folder.mkdir()
        made.append(Stage(folder, jigsaw(0)))
        assert made[-1].window.filing.open(path)
        return made[-1]

    yield another
    for stage in made:
        stage.close()


def change(stage: KindStage, seed: int) -> None:
    stage.document.edit("Seed", jigsaw(seed))


def press(owner: Stage, words: str) -> None:
    """Click the button of the shown notice with these words."""
    buttons = owner.window.notices.findChildren(QPushButton)
    (button,) = (each for each in buttons if each.text() == words and each.isVisibleTo(owner.window))
    button.click()


def test_a_second_window_asks_before_it_replaces_the_first_ones_work(
    stages: Callable[[], Stage], tmp_path: Path
) -> None:
    path = tmp_path / "boat.puzzle"
    first, second = stages(), stages()
    change(first, 1)
    change(second, 2)
    assert first.window.filing.save() and first.answers.changed_names == []
    assert not second.window.filing.save(), "nobody agreed to replace it"
    assert second.answers.changed_names == ["boat.puzzle"] and store.load(path).design == jigsaw(1)
    second.answers.on_changed, second.answers.save = Changed.SAVE_AS, tmp_path / "mine.puzzle"
    assert second.window.filing.save()
    assert (store.load(path).design, store.load(tmp_path / "mine.puzzle").design) == (jigsaw(1), jigsaw(2))
    change(first, 3)
    assert first.window.filing.save() and first.answers.changed_names == [], "its own file it may replace"
    path.write_bytes(b"anything")
    change(first, 4)
    first.answers.on_changed = Changed.REPLACE
    assert first.window.filing.save() and store.load(path).design == jigsaw(4)


@pytest.mark.thorough
def test_two_who_save_one_file_in_turn_a_hundred_times_are_asked_each_time_and_lose_nothing(
    stages: Callable[[], Stage], tmp_path: Path
) -> None:
    path = tmp_path / "boat.puzzle"
    window = stages()
    kept = [jigsaw(0)]
    for turn in range(1, 101):
        # The other one is no window: a program that writes whatever it likes.
        store.save(path, JIGSAW, jigsaw(2 * turn))
        window.document.edit("Seed", jigsaw(2 * turn + 1))
        assert not window.window.filing.save()
        kept.append(store.load(path).design)
        window.window.filing.reload()
        window.document.history.undo()
        assert window.design == jigsaw(2 * turn + 1), "what was in the window comes back"
        window.document.history.redo()
    assert len(window.answers.changed_names) == 100
    assert kept == [jigsaw(2 * turn) for turn in range(101)]


SAVING_WINDOW = """
import json, sys
from dataclasses import replace
from pathlib import Path
from studio.files import store
from studio.ui.session.dialogs import Changed
from studio.ui.shell.app import make_application
application = make_application()
from tests.ui.stage import Stage
path, folder = map(Path, sys.argv[1:])
loaded = store.load(path)
stage = Stage(folder, loaded.design)
assert stage.window.filing.open(path)
print("ready", flush=True)
for line in sys.stdin:
    mine = replace(stage.design, parameters=replace(stage.design.parameters, seed=int(line)))
    stage.document.edit("Seed", mine)
    stage.answers.on_changed = Changed.CANCEL
    refused = not stage.window.filing.save()
    theirs = store.load(path).design.parameters.seed
    seen, saved = theirs, True
    if refused:
        stage.window.filing.reload()
        seen = stage.design.parameters.seed
        stage.document.history.undo()
        stage.answers.on_changed = Changed.REPLACE
        saved = stage.window.filing.save()
    print(json.dumps([refused, theirs, seen, saved, stage.design.parameters.seed, len(stage.answers.changed_names)]),
          flush=True)
stage.close()
"""


@pytest.mark.thorough
def test_two_processes_that_save_one_file_in_turn_are_asked_each_time_and_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "boat.puzzle"
    store.save(path, JIGSAW, jigsaw(0))
    environment = os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    windows = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        command = [sys.executable, "-c", SAVING_WINDOW, str(path), str(tmp_path / name)]
        windows.append(
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
            )
        )
    try:
        assert [window.stdout.readline() for window in windows if window.stdout] == ["ready\n"] * 2
        for turn in range(1, examples(6, 100) + 1):
            window = windows[turn % 2]
            assert window.stdin is not None and window.stdout is not None
            window.stdin.write(f"{turn}\n")
            window.stdin.flush()
            refused, theirs, seen, saved, mine, asked = json.loads(window.stdout.readline())
            # Before the first turn nobody has saved, and there is nothing to ask about.
            assert refused == (turn > 1) and theirs == seen == max(turn - 1, 1)
            assert saved and mine == turn == store.load(path).design.parameters.seed
            assert asked >= turn // 2
    finally:
        for window in windows:
            window.communicate("", timeout=60)
    assert [window.returncode for window in windows] == [0, 0]


def test_a_change_on_disk_is_noticed_and_can_be_taken_over_and_undone(
    stages: Callable[[], Stage], tmp_path: Path
) -> None:
    path, stage = tmp_path / "boat.puzzle", stages()
    change(stage, 1)
    store.save(path, JIGSAW, jigsaw(7))
    assert stage.wait_for(lambda: "boat.puzzle was changed by another program" in stage.posted())
    press(stage, "Reload")
    assert stage.design == jigsaw(7) and not stage.window.isWindowModified() and stage.posted() == ""
    stage.document.history.undo()
    assert stage.design == jigsaw(1) and stage.window.isWindowModified()
    path.unlink()
    stage.window.filing.watch.look()
    assert stage.posted() == "boat.puzzle was moved or deleted."
    press(stage, "Save")
    assert store.load(path).design == jigsaw(1) and stage.posted() == ""


def test_a_file_that_is_deleted_is_asked_about_before_its_window_closes(
    stages: Callable[[], Stage], tmp_path: Path
) -> None:
    stage = stages()
    (tmp_path / "boat.puzzle").unlink()
    stage.window.filing.watch.look()
    assert not stage.window.close() and stage.answers.asked == 1


@pytest.fixture
def desk(qapp: QApplication, tmp_path: Path) -> Iterator[OpenDocuments]:
    made = OpenDocuments(
        Preferences(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)), tmp_path / "state"
    )
    made.show(Document(JIGSAW, jigsaw(0)))
    yield made
    for window in made.windows:
        window.give_up()
    assert made.shell.close()
    made.shell.deleteLater()


def left(folder: Path, name: str, seconds: int, file: Path | None = None, lock: bytes | None = None) -> Path:
    """A copy of unsaved work of a studio that has ended."""
    folder.mkdir(exist_ok=True)
    document = Document(JIGSAW, jigsaw(0), file, "" if file is None else store.digest_of(file) or "")
    document.edit("Seed", jigsaw(seconds))
    recovery = Recovery(document, folder)
    recovery._path = folder / f"{name}.puzzle"
    assert recovery.write() is not None
    recovery.let_go()
    document.deleteLater()
    os.utime(folder / f"{name}.puzzle", (seconds, seconds))
    if lock is not None:
        (folder / f"{name}.lock").write_bytes(lock)
    return folder / f"{name}.puzzle"


def offered(desk: OpenDocuments) -> str:
    notice = desk.window.notices.notice()
    return "" if notice is None else notice.sentence


def take(desk: OpenDocuments, words: str) -> None:
    notice = desk.window.notices.notice()
    assert notice is not None
    (action,) = (each for each in (notice.action, notice.other) if each is not None and each.title == words)
    desk.window.notices.close_notice()
    action.do()


@pytest.mark.parametrize("lock", [b"", b"\xff\xfe", b"1234\npuzzle-studio\nanother-computer\n"])
def test_a_copy_beside_a_lock_that_nobody_here_holds_is_offered(
    desk: OpenDocuments, tmp_path: Path, lock: bytes
) -> None:
    left(tmp_path / "state", "a", 5, lock=lock)
    desk.offer_copies()
    take(desk, "Restore")
    assert desk.window.document.design == jigsaw(5)
    assert list(tmp_path.glob("state/a.*")) == [], "its lock goes with it"


def test_unfinished_and_empty_copies_are_not_offered(desk: OpenDocuments, tmp_path: Path) -> None:
    left(tmp_path / "state", "good", 5)
    for name in (".good-0123abcd.puzzle", "empty.puzzle"):
        (tmp_path / "state" / name).write_bytes(b"")
    (tmp_path / "state" / "folder.puzzle").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "state" / "pipe.puzzle")
        os.mkfifo(tmp_path / "state" / "good.lock")
        (tmp_path / "state" / "link.puzzle").symlink_to(tmp_path / "nowhere")
    assert [copy.path.name for copy in left_behind(tmp_path / "state")] == ["good.puzzle"]


def test_a_restored_copy_keeps_its_files_name_and_asks_before_it_replaces_newer_work(
    desk: OpenDocuments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "boat.puzzle"
    store.save(file, JIGSAW, jigsaw(0))
    left(tmp_path / "state", "a", 5, file)
    desk.offer_copies()
    assert offered(desk).startswith("Unsaved changes to boat.puzzle (jigsaw) from ")
    take(desk, "Restore")
    document, filing = desk.window.document, desk.window.filing
    assert document.path == file and document.title == "boat" and desk.window.isWindowModified()
    asked: list[str] = []

    def cancel(name: str) -> Changed:
        asked.append(name)
        return Changed.CANCEL

    monkeypatch.setattr(filing._dialogs, "changed", cancel)
    store.save(file, JIGSAW, jigsaw(9))
    assert not filing.save() and asked == ["boat.puzzle"] and store.load(file).design == jigsaw(9)
    store.save(file, JIGSAW, jigsaw(0))
    assert filing.save() and store.load(file).design == jigsaw(5) and asked == ["boat.puzzle"]


def test_every_copy_is_offered_one_after_the_other(desk: OpenDocuments, tmp_path: Path) -> None:
    for name, seconds in (("a", 5), ("b", 6), ("c", 7)):
        left(tmp_path / "state", name, seconds)
    desk.offer_copies()
    seen = []
    for more in (2, 1, 0):
        assert (f"{more} more" in offered(desk)) == (more > 0)
        take(desk, "Restore")
        seen.append(desk.window.document.design.parameters.seed)
        desk.window.document.history.setClean()
    assert seen == [7, 6, 5] and offered(desk) == ""


HOMELESS = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.session.document import Document
from studio.ui.shell import app
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.ui.shell.open_documents import OpenDocuments
from studio.ui.session.preferences import Preferences
faults = []
application = app.make_application()
document = Document(JIGSAW, JIGSAW.example())
desk = OpenDocuments(Preferences())
window = desk.show(document)
sys.excepthook = lambda *fault: faults.append(fault)
told = []
window.notices.changed.connect(lambda notice: told.append(notice.sentence) if notice else None)
desk.offer_copies()
for seed in (1, 2, 3):
    document.edit("Seed", JigsawDesign(JigsawParameters(columns=3, rows=2, seed=seed)))
    desk.recovery.write()
while document.history.canUndo():
    document.history.undo()
document.edit("Seed", JigsawDesign(JigsawParameters(columns=3, rows=2, seed=4)))
window.filing._save(Path(sys.argv[1]))
document.history.setClean()
window.close()
desk.recovery.forget()
print(len(faults), [sentence for sentence in told if "backed up" in sentence])
"""


@POSIX
@pytest.mark.sampled(2)
@pytest.mark.parametrize("home", [os.devnull, "link"])
def test_where_no_copies_can_be_kept_that_is_said_once_and_nothing_fails(tmp_path: Path, home: str) -> None:
    named = {"HOME": home, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": ""}
    if home == "link":
        (tmp_path / "state").mkdir()
        (tmp_path / "state" / "puzzle-studio").symlink_to(tmp_path / "nowhere" / "below")
        named = {"XDG_STATE_HOME": str(tmp_path / "state")}
    told = ran(HOMELESS, tmp_path / "kept.puzzle", **named).splitlines()[-1]
    assert told.startswith("0 ['Unsaved work is not backed up: ") and told.count("backed up") == 1
    assert (tmp_path / "kept.puzzle").exists()


ENDED = """
import os, signal, sys
from studio import __main__ as program
number, place = getattr(signal, sys.argv[1]), sys.argv[2]
def listen(event, words):
    if event == "open" and str(words[0]).startswith(f"{place}/.board"):
        os.kill(os.getpid(), number)
sys.addaudithook(listen)
sys.argv = ["studio", "export", sys.argv[3], "-o", f"{place}/board.svg"]
sys.exit(program.main())
"""


@POSIX
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_whatever_ends_a_command_nothing_unfinished_stays_behind(tmp_path: Path, name: str) -> None:
    design, out = tmp_path / "a.puzzle", tmp_path / "out"
    store.save(design, JIGSAW, JigsawDesign(SMALL))
    out.mkdir()
    command = [sys.executable, "-c", ENDED, name, str(out), str(design)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (128 + getattr(signal, name), "Stopped.\n")
    assert list(out.iterdir()) == []


ENDED_WINDOW = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.shell import app
from studio.ui.shell.open_documents import OpenDocuments
show = OpenDocuments.show
def shown(desk, document, *where, **more):
    window = show(desk, document, *where, **more)
    def work():
        document.edit("Seed", JigsawDesign(JigsawParameters(columns=3, rows=2, seed=5)))
        os.kill(os.getpid(), getattr(signal, sys.argv[2]))
    QTimer.singleShot(0, window, work)
    return window
OpenDocuments.show = shown
sys.exit(app.run([Path(sys.argv[1])]))
"""


@POSIX
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_window_that_the_system_ends_leaves_its_work_for_the_next_start(tmp_path: Path, name: str) -> None:
    design = tmp_path / "a.puzzle"
    store.save(design, JIGSAW, JigsawDesign(SMALL))
    environment = os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", ENDED_WINDOW, str(design), name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (128 + getattr(signal, name), "")
    (copy,) = left_behind(tmp_path / "puzzle-studio")
    assert store.load(copy.path).design == jigsaw(5) and copy.file == design


PIPED = """
import sys
from PySide6.QtCore import QByteArray
from studio.ui.shell import app
from studio.ui.session.preferences import Preferences, ThemeChoice
application = app.make_application()
preferences = Preferences()
preferences.set_theme_choice(ThemeChoice.DARK)
preferences.set_window_layout(QByteArray(b"a"), QByteArray(b"b"))
preferences.forget_window_layout()
preferences.save()
print(preferences.theme_choice().value, preferences.window_layout())
"""


@POSIX
@pytest.mark.sampled(2)
@pytest.mark.parametrize("folder", ["puzzle-studio/puzzle-studio.conf", "puzzle-studio.conf"])
def test_a_pipe_in_place_of_the_settings_holds_nothing_up(tmp_path: Path, folder: str) -> None:
    pipe = tmp_path / folder
    pipe.parent.mkdir(exist_ok=True)
    os.mkfifo(pipe)
    assert ran(PIPED, XDG_CONFIG_HOME=str(tmp_path)).splitlines()[-1] == "dark None"
    assert pipe.is_fifo()


@POSIX
def test_pipes_among_a_makers_own_files_are_named_and_hold_nothing_up() -> None:
    fonts.own_fonts().mkdir(parents=True)
    os.mkfifo(fonts.own_fonts() / "own.ttf")
    with pytest.raises(
        StudioError, match=r"^The font own\.ttf cannot be used: it is .*a device or a pipe, not a file\.$"
    ):
        fonts._read(fonts.own_fonts() / "own.ttf")
    for kind in (Machine, Material):
        place = own_folder() / plural(kind)
        place.mkdir(parents=True)
        os.mkfifo(place / "mine.json")
        with pytest.raises(StudioError, match=r"it is .*a device or a pipe"):
            one_of(kind, "mine")
