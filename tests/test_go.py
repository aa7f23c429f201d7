"""go.py tells a maker what is missing, sees whether a window can be shown, and shows what was measured."""

import json
import os
import re
import socket
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path

import pytest

import go
from tests.depth import THOROUGH

BOOKWORM = go.Machine(root=False, apt=True, codename="bookworm")
NOBLE = go.Machine(root=False, apt=True, codename="noble")
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux for its libraries")


def call(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return what happens when a maker types these words."""
    return subprocess.run(
        [sys.executable, str(go.ROOT / "go.py"), *words],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_missing_libraries_are_named_in_one_command() -> None:
    missing = {"libGL.so.1": "libgl1", "libEGL.so.1": "libegl1"}
    last_line = go.what_to_install(missing, BOOKWORM).splitlines()[-1]
    assert last_line.strip() == "sudo apt-get install -y --no-install-recommends libegl1 libgl1"


def test_a_package_is_called_as_the_release_calls_it() -> None:
    missing = {"libglib-2.0.so.0": "libglib2.0-0"}
    assert go.packages_for(missing, BOOKWORM) == ["libglib2.0-0"]
    assert go.packages_for(missing, NOBLE) == ["libglib2.0-0t64"]


def test_without_apt_the_libraries_themselves_are_named() -> None:
    elsewhere = go.Machine(root=True, apt=False, codename="")
    sentence = go.what_to_install(go.QT_LIBRARIES, elsewhere)
    assert "apt-get" not in sentence
    assert all(name in sentence for name in go.QT_LIBRARIES)


@pytest.mark.parametrize(
    ("os_release", "codename"),
    [
        ('NAME="Debian GNU/Linux"\nVERSION_CODENAME=bookworm\n', "bookworm"),
        ("VERSION_CODENAME=wilma\nUBUNTU_CODENAME=noble\n", "noble"),
        ('VERSION_CODENAME="gigi"\nDEBIAN_CODENAME="trixie"\n', "trixie"),
        ("NAME=Fedora\n", ""),
    ],
)
def test_a_derivative_goes_by_the_release_it_is_made_from(os_release: str, codename: str) -> None:
    assert go.release_codename(os_release) == codename


def test_who_may_not_install_is_told_the_command() -> None:
    with pytest.raises(go.Refusal, match=r"sudo apt-get install .* libgl1$"):
        go.provide(lambda: {"libGL.so.1": "libgl1"}, BOOKWORM)


def test_root_installs_what_is_missing_and_goes_on() -> None:
    installed: list[str] = []
    go.provide(lambda: {} if installed else {"libGL.so.1": "libgl1"}, BOOKWORM._replace(root=True), installed.extend)
    assert installed == ["libgl1"]


def test_a_part_that_stays_missing_after_installing_stops_the_set_up() -> None:
    attempts: list[Sequence[str]] = []
    with pytest.raises(go.Refusal, match="libgl1"):
        go.provide(lambda: {"libGL.so.1": "libgl1"}, BOOKWORM._replace(root=True), attempts.append)
    assert attempts == [["libgl1"]]


@ON_LINUX
def test_only_a_library_that_does_not_load_is_missing() -> None:
    libraries = {"libc.so.6": "libc6", "libno-such-thing.so.7": "no-such-package"}
    assert go.missing_libraries(libraries) == {"libno-such-thing.so.7": "no-such-package"}


@pytest.mark.parametrize(
    ("environment", "displays"),
    [
        ({}, []),
        ({"DISPLAY": ":0"}, ["xcb"]),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, ["wayland", "xcb"]),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0", "QT_QPA_PLATFORM": "xcb"}, ["xcb"]),
        ({"WAYLAND_DISPLAY": "wayland-0", "QT_QPA_PLATFORM": "xcb"}, []),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, []),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "minimal:fontengine=freetype"}, []),
        ({"QT_QPA_PLATFORM": "vnc:size=800x600"}, ["vnc"]),
    ],
)
def test_displays_on_linux(environment: dict[str, str], displays: list[str]) -> None:
    found = go.open_displays(environment, "linux", x_answers=lambda _: True, wayland_answers=lambda _: True)
    assert found == displays


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_always_have_a_display_unless_told_otherwise(platform: str) -> None:
    assert go.open_displays({}, platform) == ["native"]
    assert go.open_displays({"QT_QPA_PLATFORM": "offscreen"}, platform) == []


@ON_LINUX
def test_a_display_nobody_serves_is_none(tmp_path: Path) -> None:
    stale = {"DISPLAY": ":987", "WAYLAND_DISPLAY": "gone", "XDG_RUNTIME_DIR": str(tmp_path)}
    assert go.open_displays(stale) == []


@ON_LINUX
def test_a_wayland_socket_that_listens_is_a_display(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        assert go.open_displays({"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)}) == ["wayland"]


@pytest.mark.x11
def test_the_x_server_of_the_tests_is_a_display() -> None:
    assert go.open_displays({"DISPLAY": os.environ["DISPLAY"]}) == ["xcb"]


def test_columns_of_a_table_are_aligned() -> None:
    assert go.table([("a", "bb", "c"), ("aaaa", "", "cc")]) == "a     bb  c\naaaa      cc"


def test_measurements_stand_beside_their_goal_and_peer() -> None:
    rows = [
        go.Measurement("first paint", 212.34, "ms", 300.0, "another program", 1234.5),
        go.Measurement("drag", 1.26, "ms", 1.0, None, None),
        go.Measurement("memory", 80, "MB", None, None, None),
    ]
    lines = [re.split(r" {2,}", line) for line in go.bench_table(rows).splitlines()]
    assert lines[1] == ["first paint", "212 ms", "300 ms", "yes", "0.172 ×", "another program", "1234 ms"]
    assert lines[2] == ["drag", "1.26 ms", "1 ms", "NO"]
    assert lines[3] == ["memory", "80 MB"]


def benchmark(folder: Path, value: float, goal: float | None) -> Path:
    """Return a benchmark file whose one figure has a floor of 4 ms."""
    row = {"name": "drag", "value": value, "unit": "ms", "goal": goal, "peer": "floor: nothing", "peer_value": 4.0}
    path = folder / "bench_drag.py"
    path.write_text(f"print({json.dumps([row])!r})\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("goal", "code"), [(8.0, 0), (7.9, 1), (None, 0)])
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_missed_goal_is_told_by_the_exit_code(
    words: Sequence[str],
    goal: float | None,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = benchmark(tmp_path, 8.0, goal)
    monkeypatch.setattr(go, "bench_scripts", lambda names: [path])
    monkeypatch.setattr(go, "set_up", lambda: None)
    monkeypatch.setattr(go, "PYTHON", Path(sys.executable))
    assert go.bench(words) == code
    assert words or "2 ×" in capsys.readouterr().out


def test_benchmarks_find_the_projects_own_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = benchmark(tmp_path, 8.0, None)
    path.write_text("from tests.classic import classic\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(go, "PYTHON", Path(sys.executable))
    assert [row.name for row in go.measure(path)] == ["drag"]


def test_a_benchmark_that_does_not_end_is_stopped_and_named_and_the_others_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting = tmp_path / "bench_waiting.py"
    waiting.write_text("import time\ntime.sleep(60)\n", encoding="utf-8")
    path = benchmark(tmp_path, 8.0, None)
    monkeypatch.setattr(go, "bench_scripts", lambda names: [waiting, path])
    monkeypatch.setattr(go, "set_up", lambda: None)
    monkeypatch.setattr(go, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(go, "BENCH_SECONDS", 2.0)
    assert go.bench([]) == 2
    told = capsys.readouterr()
    assert "bench_waiting.py was stopped: it had not ended after 2 s." in told.err
    assert "drag" in told.out


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project folder that go.py takes for its own."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.setattr(go, "ROOT", folder)
    return folder


def environment(folder: Path, owner: Path) -> Path:
    """Return a file of a maker's in an environment that go.py made for a project folder."""
    site = folder / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    (site / go.MARK).write_text(f"{owner}\n")
    precious = folder / "precious.txt"
    precious.write_text("mine")
    return precious


def test_an_environment_behind_a_link_is_left_alone(project: Path, tmp_path: Path) -> None:
    precious = environment(tmp_path / "shared", project)
    (project / ".venv").symlink_to(tmp_path / "shared")
    with pytest.raises(go.Refusal, match=r"\.venv is a link to .*shared, which is left alone"):
        go.fill(project / ".venv", [])
    assert precious.read_text() == "mine"


@pytest.mark.parametrize("is_made_by_go", [True, False])
def test_an_environment_of_another_folder_is_left_alone(project: Path, tmp_path: Path, is_made_by_go: bool) -> None:
    precious = environment(project / ".venv", tmp_path / "elsewhere")
    if not is_made_by_go:
        next(project.rglob(go.MARK)).unlink()
    refusal = "was made for the folder .*elsewhere" if is_made_by_go else "was not made by go.py"
    with pytest.raises(go.Refusal, match=refusal):
        go.fill(project / ".venv", [])
    assert precious.read_text() == "mine"


def test_the_environment_of_the_running_python_is_left_alone(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    precious = environment(project / ".venv", project)
    monkeypatch.setattr(sys, "prefix", str(project / ".venv"))
    with pytest.raises(go.Refusal, match="Use another"):
        go.fill(project / ".venv", [])
    assert precious.read_text() == "mine"


def test_a_set_up_that_fails_leaves_the_environment_as_it_was(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In quick runs the pip that fails is one that was never there, which takes no time to put in."""
    precious = environment(project / ".venv", project)
    if not THOROUGH:
        monkeypatch.setattr(go, "make_venv", partial(venv.create, symlinks=True))
    with pytest.raises(go.Refusal, match="Not all parts could be fetched"):
        go.fill(project / ".venv", ["-r", str(project / "missing.txt")])
    assert precious.read_text() == "mine"
    assert [path.name for path in project.iterdir()] == [".venv"]


def test_a_new_environment_takes_the_place_of_an_old_one(project: Path) -> None:
    precious = environment(project / ".venv", project)
    nothing = project / "nothing.txt"
    nothing.touch()
    go.fill(project / ".venv", ["-r", str(nothing)])
    assert not precious.exists()
    assert {path.name for path in project.iterdir()} == {".venv", "nothing.txt"}
    pip = subprocess.run([project / ".venv" / "bin" / "pip", "--version"], capture_output=True, text=True)
    assert str(project / ".venv") in pip.stdout, pip.stderr


def test_texts_need_no_environment(tmp_path: Path) -> None:
    for name in ("studio", "resources", "docs"):
        (tmp_path / name).symlink_to(go.ROOT / name)
    (tmp_path / "go.py").write_bytes((go.ROOT / "go.py").read_bytes())
    done = subprocess.run(
        [sys.executable, str(tmp_path / "go.py"), "texts", "studio/cli"], capture_output=True, text=True
    )
    assert done.returncode == 0 and len(done.stdout.splitlines()) > 100, done.stderr
    assert not (tmp_path / ".venv").exists()


def test_one_empty_stage_is_a_failure_unless_tests_were_picked() -> None:
    stages = [go.Stage("tests", "passed", 1.0), go.Stage("tests on X", "EMPTY", 1.0)]
    assert go.summary(stages, may_be_empty=False) == 1
    assert go.summary(stages, may_be_empty=True) == 0
    assert go.summary([stages[1], stages[1]], may_be_empty=True) == 1


def test_a_failed_stage_fails_the_whole_and_a_skipped_one_does_not() -> None:
    passed, failed, skipped = (go.Stage("x", result, 0.0) for result in ("passed", "FAILED", "SKIPPED"))
    assert go.summary([failed, passed], may_be_empty=False) == 1
    assert go.summary([passed, skipped], may_be_empty=False) == 0


@pytest.mark.parametrize("words", [(), ("fly",)])
def test_an_unknown_command_shows_the_usage(words: Sequence[str]) -> None:
    done = call(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "python3 go.py run [FILE]" in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("run", "no-such.puzzle"), "There is no file no-such.puzzle.\n"),
        (("run", "a.puzzle", "b.puzzle"), "`run` takes one file at most: python3 go.py run [FILE]\n"),
        (("setup", "now"), "`setup` takes no further words: python3 go.py setup\n"),
        (("lock", "--newest"), "`lock` takes nothing but --upgrade: python3 go.py lock [--upgrade]\n"),
    ],
)
def test_a_request_that_cannot_be_met_gets_one_sentence(words: Sequence[str], sentence: str) -> None:
    done = call(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)


def test_an_unknown_benchmark_is_named() -> None:
    with pytest.raises(go.Refusal, match="There is no benchmark no-such-thing"):
        go.bench_scripts(["no-such-thing"])


def test_everything_that_the_project_names_has_a_lowest_version() -> None:
    project = tomllib.loads(go.PROJECT.read_text(encoding="utf-8"))["project"]
    named = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    assert [go.floor(each).split("==")[0] for each in named] == [each.split(">=")[0] for each in named]
    assert go.floors() == [go.floor(each) for each in named]


def test_a_floor_keeps_the_pythons_that_it_is_for_and_no_upper_bound() -> None:
    assert go.floor("numpy>=2.0") == "numpy==2.0"
    assert go.floor("Qt>=6.8,<6.12; python_version < '3.12'") == "Qt==6.8; python_version < '3.12'"
    for vague in ("numpy", "numpy==2.0", "numpy<3"):
        with pytest.raises(go.Refusal, match=f"from which version on it takes {vague}"):
            go.floor(vague)


def test_the_lock_holds_everything_the_project_names_and_no_address() -> None:
    text = go.LOCK.read_text(encoding="utf-8")
    go.refuse_addresses(text)
    project = tomllib.loads((go.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    locked = set(re.findall(r"^([\w.-]+)==", text, flags=re.MULTILINE))
    assert {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in named} <= locked


@pytest.mark.parametrize(
    "line", ["--index-url https:" + "//example.invalid/simple", "tool @ file:" + "///tmp/tool.whl", "-e ."]
)
def test_a_lock_with_an_address_is_refused(line: str) -> None:
    with pytest.raises(go.Refusal, match="the same elsewhere"):
        go.refuse_addresses(f"shapely==2.2.0 \\\n{line}\n")
