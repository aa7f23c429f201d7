#!/usr/bin/env python3
"""Set up Puzzle Studio, open it, test it, measure it: one file that needs nothing but Python.

    python3 go.py run [FILE]            open the studio, on an example when no FILE is named
    python3 go.py setup                 only make everything ready
    python3 go.py test [pytest words]   format, lint, types, walls, tests
    python3 go.py test --all [pytest words]   the same, but thoroughly: many more examples, long walks
    python3 go.py test --lowest [pytest words]   the tests with the lowest versions that pyproject.toml allows
    python3 go.py bench [--json] [NAME...]   what must be fast, beside its goal and a peer
    python3 go.py pictures [--tables]   make the pictures and tables of docs/ anew, or the tables alone
    python3 go.py texts [--pot] [PATH...]   list every text that makers read, or write a template for gettext
    python3 go.py house                 show the figures that the house is held to
    python3 go.py lock [--upgrade]      write requirements.lock anew from pyproject.toml
    python3 go.py package               build wheel and sdist in dist/, and try the wheel in a bare environment

The first call makes the folder .venv with everything the studio needs in it; nothing is installed
elsewhere, except that on Debian and Ubuntu, as root, system libraries that are missing are fetched with
apt-get. Anybody else is told the command. Without a display, `run` writes the drawing and a picture of the
window to the folder out/.
"""

import sys

if sys.version_info < (3, 11):
    sys.stderr.write("Puzzle Studio needs Python 3.11 or newer; this is {}.{}.\n".format(*sys.version_info))
    sys.exit(2)

import contextlib
import ctypes
import hashlib
import importlib
import importlib.util
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
IN_VENV = "Scripts/python.exe" if os.name == "nt" else "bin/python"
PYTHON = VENV / IN_VENV
LOWEST = ROOT / ".venv-lowest"
STAMP = VENV / ".stamp"
BYTECODE = VENV / "bytecode"  # of the studio and its tests, which start some hundred processes
MARK = "puzzle-studio.pth"  # in the environments that go.py makes: names the project's folder
PROJECT = ROOT / "pyproject.toml"
LOCK = ROOT / "requirements.lock"
SAMPLE = ROOT / "resources" / "examples" / "meadow-12x6.puzzle"

# What Qt loads from the system, and the Debian package that brings it. Qt ends the whole process when one of
# a window's libraries is missing, so they are looked for first.
QT_LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
}
WINDOW_LIBRARIES = {
    "xcb": {
        "libxcb-cursor.so.0": "libxcb-cursor0",
        "libxcb-icccm.so.4": "libxcb-icccm4",
        "libxcb-keysyms.so.1": "libxcb-keysyms1",
        "libxcb-shape.so.0": "libxcb-shape0",
        "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    },
    "wayland": {"libwayland-cursor.so.0": "libwayland-cursor0"},
}
# Later releases of Debian and Ubuntu call a few packages after their 64-bit time.
BEFORE_T64 = {"bookworm", "jammy", "kinetic", "lunar", "mantic"}
RENAMED_T64 = {"libglib2.0-0": "libglib2.0-0t64"}

STAGE_SECONDS = 2700.0
BENCH_SECONDS = 900.0  # for one file of benchmarks
MOST_PROCESSES = 8  # that run tests side by side
NOTHING_COLLECTED = 5  # pytest's exit code

Missing = Mapping[str, str]
"""What is missing, each with the Debian package that brings it."""


class Refusal(Exception):
    """What stands in the way, in words for the maker; go.py then ends with exit code 2."""


def say(text: str) -> None:
    """Tell the maker how it goes, on standard error: standard output is for results."""
    print(text, file=sys.stderr, flush=True)


# The machine


class Machine(NamedTuple):
    """What this machine lets set-up do."""

    root: bool
    apt: bool
    codename: str  # of the Debian or Ubuntu release: "bookworm"


def this_machine() -> Machine:
    """Return what is known of the machine go.py runs on."""
    release = Path("/etc/os-release")
    text = release.read_text(encoding="utf-8") if release.is_file() else ""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return Machine(is_root, shutil.which("apt-get") is not None, release_codename(text))


def release_codename(os_release: str) -> str:
    """Return the codename in an os-release text, for a derivative that of its Ubuntu or Debian; or ""."""
    values = dict(line.split("=", 1) for line in os_release.splitlines() if "=" in line)
    names = (values.get(key) for key in ("UBUNTU_CODENAME", "DEBIAN_CODENAME", "VERSION_CODENAME"))
    return next((name.strip("\"'") for name in names if name), "")


def missing_libraries(libraries: Missing) -> dict[str, str]:
    """Return those of the libraries that do not load, tried in a process of their own."""
    probe = (
        "import ctypes, sys\nfor name in sys.argv[1:]:\n    try: ctypes.CDLL(name)\n    except OSError: print(name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", probe, *libraries],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    return {name: libraries[name] for name in done.stdout.split()}


def missing_venv() -> dict[str, str]:
    """Return what Python lacks to make a virtual environment; Debian packs that part by itself."""
    importlib.invalidate_caches()
    if importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        return {}
    return {"Python's ensurepip": "python{}.{}-venv".format(*sys.version_info)}


def missing_x_tools() -> dict[str, str]:
    """Return what the tests on X miss: the server, and the hand on its mouse and keys."""
    packages = {"Xvfb": "xvfb", "xdotool": "xdotool"}
    return {program: package for program, package in packages.items() if shutil.which(program) is None}


def packages_for(missing: Missing, machine: Machine) -> list[str]:
    """Return the names of the packages, as this release calls them, that bring what is missing."""
    renamed = {} if machine.codename in BEFORE_T64 else RENAMED_T64
    return sorted({renamed.get(package, package) for package in missing.values()})


def what_to_install(missing: Missing, machine: Machine) -> str:
    """Return the sentence, with the command where it is known, that helps when something is missing."""
    if not machine.apt:
        return "The studio needs these parts of the system, which are missing: " + ", ".join(missing) + "."
    command = "apt-get install -y --no-install-recommends " + " ".join(packages_for(missing, machine))
    return "Parts of the system are missing. Install them once, then try again:\n  sudo " + command


def apt_install(packages: Sequence[str]) -> None:
    """Install Debian packages; renew apt's lists first if they are empty, and once if the first try fails."""
    say("Installing " + " ".join(packages) + " ...")
    known = subprocess.call(["apt-cache", "show", *packages], **silent()) == 0
    if known and apt_get("install", *packages):
        return
    apt_get("update")
    apt_get("install", *packages)


def apt_get(verb: str, *packages: str) -> bool:
    """Run apt-get so that it asks nothing; return whether it succeeded."""
    options = ["-q", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"]
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    command = ["apt-get", verb, *options, *packages]
    return subprocess.call(command, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr) == 0


def silent() -> dict[str, Any]:
    """Return the words for subprocess that keep a program from reading or printing."""
    return dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)


def provide(
    find: Callable[[], Missing], machine: Machine, install: Callable[[Sequence[str]], None] = apt_install
) -> None:
    """Install what `find` misses where that is allowed; raise a Refusal if something is still missing."""
    missing = find()
    if missing and machine.root and machine.apt:
        install(packages_for(missing, machine))
        missing = find()
    if missing:
        raise Refusal(what_to_install(missing, machine))


# The display


def open_displays(
    environment: Mapping[str, str],
    platform: str = sys.platform,
    x_answers: Callable[[str], bool] | None = None,
    wayland_answers: Callable[[Path], bool] | None = None,
) -> list[str]:
    """Return Qt's names for the displays that can show a window here, or an empty list."""
    wanted = re.split("[;:]", environment.get("QT_QPA_PLATFORM", ""))[0]
    if wanted in ("offscreen", "minimal"):
        return []
    if not platform.startswith("linux"):
        return ["native"]
    if wanted and wanted not in WINDOW_LIBRARIES:
        return [wanted]
    found = []
    wayland = environment.get("WAYLAND_DISPLAY", "")
    socket_path = Path(environment.get("XDG_RUNTIME_DIR", ""), wayland)
    if wayland and (wayland_answers or socket_answers)(socket_path):
        found.append("wayland")
    if environment.get("DISPLAY") and (x_answers or x_server_answers)(environment["DISPLAY"]):
        found.append("xcb")
    return [name for name in found if wanted in ("", name)]


def socket_answers(path: Path) -> bool:
    """Return whether somebody listens at a Unix socket."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(2)
        try:
            client.connect(str(path))
        except OSError:
            return False
    return True


def x_server_answers(display: str) -> bool:
    """Return whether the X server lets us in: a stale DISPLAY and a missing permission both say no.

    Asked through libxcb, as Qt does. Where that library is not yet there the answer is yes, so that a
    window's libraries are the next thing to be looked for.
    """
    probe = (
        "import ctypes, sys\n"
        "try: xcb = ctypes.CDLL('libxcb.so.1')\n"
        "except OSError: sys.exit(0)\n"
        "xcb.xcb_connect.restype = ctypes.c_void_p\n"
        "connection = ctypes.c_void_p(xcb.xcb_connect(sys.argv[1].encode(), None))\n"
        "sys.exit(xcb.xcb_connection_has_error(connection) != 0)\n"
    )
    command = [sys.executable, "-I", "-S", "-c", probe, display]
    try:
        return subprocess.call(command, timeout=5, **silent()) == 0
    except subprocess.TimeoutExpired:
        return False


@contextlib.contextmanager
def virtual_display() -> Iterator[str]:
    """Start an X server without a screen on a free display, yield its name, and stop it in any case."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writer], preexec_fn=end_with_parent, **silent())
    try:
        os.close(writer)
        ready, _, _ = select.select([reader], [], [], 30)
        number = os.read(reader, 16).decode().strip() if ready else ""
        if not number:
            raise Refusal("Xvfb did not start, so nothing could be tested on a real X server.")
        yield ":" + number
    finally:
        os.close(reader)
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def end_with_parent() -> None:
    """Ask Linux to end this process when go.py is killed without a chance to do it itself."""
    set_parent_death_signal = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(set_parent_death_signal, int(signal.SIGTERM))


# Setting up


def set_up(displays: Sequence[str] = (), machine: Machine | None = None) -> None:
    """Make everything ready that the studio needs to run, and on these displays to show its window."""
    machine = machine or this_machine()
    if sys.platform.startswith("linux"):
        needed = dict(QT_LIBRARIES)
        for display in displays:
            needed.update(WINDOW_LIBRARIES[display])
        provide(lambda: missing_libraries(needed), machine)
    if is_fresh():
        return
    provide(missing_venv, machine)
    with only_one_at_a_time():
        if not is_fresh():
            build_environment()


def stamp() -> str:
    """Return what the environment in .venv depends on: the lock, this Python and where the project lies."""
    parts = [LOCK.read_bytes(), sys.version.encode(), os.fsencode(sys.base_prefix), os.fsencode(ROOT)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_fresh() -> bool:
    """Return whether .venv was finished, and from the present lock."""
    return PYTHON.exists() and STAMP.is_file() and STAMP.read_text(encoding="ascii") == stamp()


def build_environment() -> None:
    """Make .venv from nothing; its stamp is written last, so an unfinished set-up never counts as finished."""
    refuse_foreign(VENV)
    say("Setting up in .venv; this happens once and takes a minute or two ...")
    begun = time.monotonic()
    fill(VENV, ["--require-hashes", "-r", str(LOCK)])
    STAMP.write_text(stamp(), encoding="ascii")
    say(f"Ready after {time.monotonic() - begun:.0f} s.")


def refuse_foreign(folder: Path) -> None:
    """Raise a Refusal if replacing an environment would remove what this go.py did not make, or is running on."""
    name = folder.name
    if folder.is_symlink():
        raise Refusal(f"{name} is a link to {folder.resolve()}, which is left alone. Remove the link and try again.")
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if Path(sys.prefix).resolve() == folder.resolve():
        raise Refusal(f"This Python is the one in {name}, which has to be renewed. Use another: python3 go.py …")
    owner = owner_of(folder)
    if owner is None:
        raise Refusal(f"{name} was not made by go.py and is left alone. Rename or remove it and try again.")
    if owner != str(ROOT):
        raise Refusal(f"{name} was made for the folder {owner} and is left alone. Rename or remove it and try again.")


def owner_of(folder: Path) -> str | None:
    """Return the project folder that an environment of go.py was made for; None for any other folder."""
    for site in (*folder.glob("lib/python3*/site-packages"), folder / "Lib" / "site-packages"):
        if (site / MARK).is_file():
            return (site / MARK).read_text().rstrip("\n")
    return None


def fill(folder: Path, wanted: Sequence[str]) -> None:
    """Make a virtual environment that finds the studio and has what these words name to pip.

    It is built aside and then takes the folder's place, so programs that run on the old one keep it until the new one
    is complete, and a failure leaves the old one as it was.
    """
    refuse_foreign(folder)
    with tempfile.TemporaryDirectory(prefix=f"{folder.name}-", dir=ROOT) as name:
        made, old = Path(name) / "new", Path(name) / "old"
        make_venv(made)
        pip(made / IN_VENV, "install", "-q", "--no-input", "--only-binary", ":all:", *wanted)
        site = Path(sysconfig.get_path("purelib", "venv", {"base": str(made), "platbase": str(made)}))
        # Python reads .pth files in the locale's encoding, which is what write_text takes by default.
        (site / MARK).write_text(f"{ROOT}\n")
        rename_within(made, folder)
        try:
            if folder.exists():
                folder.rename(old)
            made.rename(folder)
        except OSError as problem:
            if old.exists():
                old.rename(folder)
            raise Refusal(f"{folder.name} could not be replaced ({problem}). Close the studio and try again.") from None


def rename_within(made: Path, folder: Path) -> None:
    """Have the scripts of an environment name the folder that it will be in, in place of the one it was made in."""
    for script in [made / "pyvenv.cfg", *(made / IN_VENV).parent.iterdir()]:
        if script.is_file() and not script.is_symlink():
            data = script.read_bytes()
            # Not in the starters of Windows, whose length is part of them; nothing here calls those.
            if b"\0" not in data:
                script.write_bytes(data.replace(os.fsencode(made), os.fsencode(folder)))


def floors() -> list[str]:
    """Return everything that pyproject.toml names at the lowest version that it allows: `numpy==2.0`."""
    import tomllib

    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [floor(each) for each in [*project["dependencies"], *(each for extra in extras for each in extra)]]


def floor(requirement: str) -> str:
    """Return a requirement with its lowest version alone; raise a Refusal if it names none."""
    found = re.fullmatch(r"([\w.-]+)>=([\w.]+)[^;]*(;.*)?", requirement)
    if found is None:
        raise Refusal(f"pyproject.toml does not say from which version on it takes {requirement}.")
    name, version, marker = found.groups(default="")
    return f"{name}=={version}{marker}"


def make_venv(folder: Path) -> None:
    """Make an empty virtual environment with pip in it."""
    command = [sys.executable, "-m", "venv", str(folder)]
    if subprocess.call(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=clean_environment()):
        raise Refusal(f"Python could not make the virtual environment {folder}; the reason stands above.")


def pip(python: Path, *words: str) -> None:
    """Run the pip of a virtual environment."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *words]
    if subprocess.call(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=clean_environment()):
        raise Refusal("Not all parts could be fetched; the reason stands above. Trying again does no harm.")


@contextlib.contextmanager
def only_one_at_a_time() -> Iterator[None]:
    """Hold the set-up for this process; a second go.py waits here until the first is done."""
    try:
        import fcntl
    except ImportError:  # Windows has none; there two makers at one keyboard are not worth a second way
        yield
        return
    with open(ROOT / ".venv.lock", "w", encoding="ascii") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("Another go.py is setting up; waiting for it ...")
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def clean_environment(**more: str) -> dict[str, str]:
    """Return the environment for our Python, without what would show it other modules, and with `more`."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return {**kept, **more}


def with_bytecode() -> dict[str, str]:
    """Return variables with which Python keeps compiled modules in BYTECODE, whatever PYTHONDONTWRITEBYTECODE says."""
    return {"PYTHONPYCACHEPREFIX": str(BYTECODE), "PYTHONDONTWRITEBYTECODE": ""}


# The commands


def run(words: Sequence[str]) -> int:
    """Open the studio on a file or the example; without a display write what it makes to out/."""
    if len(words) > 1 or any(word.startswith("-") for word in words):
        raise Refusal("`run` takes one file at most: python3 go.py run [FILE]")
    file = Path(words[0]) if words else SAMPLE
    if not file.is_file():
        raise Refusal(f"There is no file {file}.")
    displays = open_displays(os.environ)
    set_up([name for name in displays if name in WINDOW_LIBRARIES])
    if displays:
        return studio(str(file))
    say("There is no display here, so the studio writes the drawing and a picture of its window instead.")
    return write_without_window(file)


def setup(words: Sequence[str]) -> int:
    """Only make everything ready."""
    if words:
        raise Refusal("`setup` takes no further words: python3 go.py setup")
    set_up()
    return 0


def studio(*words: str, **environment: str) -> int:
    """Run the studio's own command line and return its exit code."""
    # -P: a folder that is called studio and happens to be the current one is not ours.
    return subprocess.call([str(PYTHON), "-P", "-m", "studio", *words], env=clean_environment(**environment))


def write_without_window(file: Path) -> int:
    """Write the drawing as DXF and SVG and the window as PNG, name the files, return the exit code."""
    folder = ROOT / "out"
    folder.mkdir(exist_ok=True)
    for command, suffix in (("export", ".dxf"), ("export", ".svg"), ("picture", ".png")):
        target = folder / (file.stem + suffix)
        shown = ["--window"] if command == "picture" else []
        code = studio(command, str(file), *shown, "-o", str(target), QT_QPA_PLATFORM="offscreen")
        if code:
            return code
        print(target.relative_to(ROOT) if Path.cwd() == ROOT else target, flush=True)
    return 0


class Stage(NamedTuple):
    """One part of the tests, and how it went: passed, FAILED, EMPTY or SKIPPED."""

    name: str
    result: str
    seconds: float


def test(words: Sequence[str]) -> int:
    """Run every check there is, also after one failed; return 0 if all of them passed.

    With --lowest only the tests are run: what format, lint and types find depends on the tools' versions. With --all
    the tests are thorough.
    """
    machine = this_machine()
    set_up((), machine)
    depth = THOROUGH if words[:1] == ["--all"] else QUICK
    words = words[1:] if depth is THOROUGH else words
    if words[:1] == ["--lowest"]:
        say("Setting up in .venv-lowest ...")
        fill(LOWEST, floors())
        return summary(tests(LOWEST / IN_VENV, words[1:], machine, QUICK), may_be_empty=bool(words[1:]))
    tools = PYTHON.parent
    folders = [name for name in ("studio", "tests", "benchmarks", "docs", "go.py") if (ROOT / name).exists()]
    stages = [
        stage("format", [str(tools / "ruff"), "format", "--check", *folders]),
        stage("lint", [str(tools / "ruff"), "check", *folders]),
        stage("types", [str(tools / "mypy")]),
        stage("walls", [str(tools / "lint-imports"), "--no-cache"]),
        *tests(PYTHON, words, machine, depth),
    ]
    return summary(stages, may_be_empty=bool(words))


class Depth(NamedTuple):
    """Depth of the tests: their marks, hypothesis' profile, and the most seconds of one test and of all."""

    marked: str
    profile: str
    test_seconds: float
    seconds: float


QUICK = Depth("not x11 and not thorough", "quick", 300.0, STAGE_SECONDS)
THOROUGH = Depth("not x11", "thorough", 7200.0, 36000.0)


def tests(python: Path, words: Sequence[str], machine: Machine, depth: Depth) -> list[Stage]:
    """Run all tests, or those that the words pick, without a display and on an X server."""
    longest = ["-o", f"faulthandler_timeout={depth.test_seconds}"]
    command = [*pytest_command(python, depth.marked), *longest, *side_by_side(words)]
    shown = {"QT_QPA_PLATFORM": "offscreen", "HYPOTHESIS_PROFILE": depth.profile}
    tested = stage("tests", command, shown | with_bytecode(), depth.seconds)
    return [tested, test_on_x(python, words, machine)]


def pytest_command(python: Path, marked: str) -> list[str]:
    """Return the command that runs the tests with these marks."""
    return [str(python), "-m", "pytest", "-q", "-m", marked]


def side_by_side(words: Sequence[str]) -> list[str]:
    """Return the words for pytest that spread all tests over the processors; the caller's own run one by one."""
    return [*words] or ["-n", str(min(os.cpu_count() or 1, MOST_PROCESSES)), "--dist", "worksteal"]


def test_on_x(python: Path, words: Sequence[str], machine: Machine) -> Stage:
    """Run the tests that need a real X server on one that is started for them."""
    name = "tests on X"
    try:
        if not sys.platform.startswith("linux"):
            raise Refusal("Xvfb is only used on Linux.")
        provide(lambda: {**missing_x_tools(), **missing_libraries(WINDOW_LIBRARIES["xcb"])}, machine)
        with virtual_display() as display:
            command = [*pytest_command(python, "x11"), *words]
            shown = {"DISPLAY": display, "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": "xcb"}
            return stage(name, command, shown | with_bytecode())
    except Refusal as why:
        say(f"\n!! {name}: SKIPPED, nothing was tried on a real X server.\n{why}")
        return Stage(name, "SKIPPED", 0.0)


def stage(
    name: str, command: Sequence[str], environment: Mapping[str, str] = {}, seconds: float = STAGE_SECONDS
) -> Stage:
    """Run one part of the tests, print how it went and how long it took, and return that."""
    print(f"\n-- {name}", flush=True)
    begun = time.monotonic()
    try:
        code = subprocess.call(
            command, cwd=ROOT, env=clean_environment(**environment), stdin=subprocess.DEVNULL, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        print(f"Stopped after {seconds:.0f} s.", flush=True)
        code = 1
    empty = code == NOTHING_COLLECTED and "pytest" in command
    result = "passed" if code == 0 else "EMPTY" if empty else "FAILED"
    done = Stage(name, result, time.monotonic() - begun)
    print(f"{name}: {result} in {done.seconds:.1f} s", flush=True)
    return done


def summary(stages: Sequence[Stage], *, may_be_empty: bool) -> int:
    """Print how every stage went; return 0 if all did well.

    A stage without any test is a failure, except that with pytest words of the caller's one of the two
    test stages may well be empty.
    """
    print("\n" + table([(s.name, s.result, f"{s.seconds:.1f} s") for s in stages]), flush=True)
    results = [s.result for s in stages]
    tolerated = 1 if may_be_empty else 0
    return int("FAILED" in results or results.count("EMPTY") > tolerated)


class Measurement(NamedTuple):
    """One thing measured: the goal is the most that is allowed; the peer another program's value."""

    name: str
    value: float
    unit: str
    goal: float | None
    peer: str | None
    peer_value: float | None

    @property
    def is_missed(self) -> bool:
        """Whether the value is above its goal."""
        return self.goal is not None and self.value > self.goal

    @property
    def ratio(self) -> float | None:
        """How many times the peer's value; on a slow machine the goal may be missed, but this stays as it was."""
        return self.value / self.peer_value if self.peer_value else None


def bench(words: Sequence[str]) -> int:
    """Run the benchmarks, all or those named; print a table or, with --json, one list; return 1 if a goal is missed."""
    as_json = "--json" in words
    names = [word for word in words if word != "--json"]
    scripts = bench_scripts(names)
    set_up()
    rows, failed = [], False
    for script in scripts:
        say(f"{script.stem} ...")
        try:
            rows += measure(script)
        except Refusal as why:
            say(str(why))
            failed = True
    if as_json:
        print(json.dumps([row._asdict() for row in rows], indent=1))
    else:
        print(bench_table(rows))
    return 2 if failed else int(any(row.is_missed for row in rows))


def bench_scripts(names: Sequence[str]) -> list[Path]:
    """Return the benchmark files of these subjects, or of every subject when none is named."""
    there = {path.stem.removeprefix("bench_"): path for path in ROOT.glob("benchmarks/bench_*.py")}
    for name in names:
        if name not in there:
            raise Refusal(f"There is no benchmark {name}; there is: " + ", ".join(sorted(there)) + ".")
    return [there[name] for name in sorted(names or there)]


def measure(script: Path) -> list[Measurement]:
    """Run one benchmark file and return what it measured; raise a Refusal if it fails, or has not ended in time."""
    try:
        done = subprocess.run(
            [str(PYTHON), str(script), "--json"],
            cwd=ROOT,
            # Before what is installed, among which a package may be called "tests", too.
            env=clean_environment(QT_QPA_PLATFORM="offscreen", PYTHONPATH=str(ROOT)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            timeout=BENCH_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Refusal(f"{script.name} was stopped: it had not ended after {BENCH_SECONDS:.0f} s.") from None
    if done.returncode:
        raise Refusal(f"{script.name} ended with exit code {done.returncode}.")
    try:
        return [Measurement(*(row[field] for field in Measurement._fields)) for row in json.loads(done.stdout)]
    except (ValueError, TypeError, KeyError):
        fields = ", ".join(Measurement._fields)
        raise Refusal(f"{script.name} did not print one JSON list of objects with {fields}.") from None


def bench_table(rows: Iterable[Measurement]) -> str:
    """Return measurements as an aligned table."""
    cells = [("what", "value", "goal", "ok?", "ratio", "to its peer", "of")]
    for row in rows:
        held = "" if row.goal is None else "NO" if row.is_missed else "yes"
        goal, peer_value = quantity(row.goal, row.unit), quantity(row.peer_value, row.unit)
        value, ratio = quantity(row.value, row.unit), quantity(row.ratio, "×")
        cells.append((row.name, value, goal, held, ratio, row.peer or "", peer_value))
    return table(cells)


def quantity(value: float | None, unit: str) -> str:
    """Return a value with its unit in three to four digits, or nothing for no value."""
    if value is None:
        return ""
    digits = f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{digits} {unit}".strip()


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of words as lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(lines)


def pictures(words: Sequence[str]) -> int:
    """Make the pictures of docs/ and the tables of its manual anew, so that they show what the studio is now."""
    if [*words] not in ([], ["--tables"]):
        raise Refusal("`pictures` takes no further words but --tables: python3 go.py pictures [--tables]")
    set_up()
    return subprocess.call(
        [str(PYTHON), "-m", "docs.make", *words], cwd=ROOT, env=clean_environment(QT_QPA_PLATFORM="offscreen")
    )


def texts(words: Sequence[str]) -> int:
    """List every text that makers read, or those of files whose paths begin as the words do."""
    return subprocess.call([sys.executable, "-P", str(ROOT / "docs" / "texts.py"), *words], cwd=ROOT)


def house(words: Sequence[str]) -> int:
    """Show how many files, lines and circles of imports there are, beside the bounds that tests/test_walls.py holds."""
    if words:
        raise Refusal("`house` takes no further words: python3 go.py house")
    return subprocess.call([sys.executable, "-P", str(ROOT / "docs" / "house.py")], cwd=ROOT)


def lock(words: Sequence[str]) -> int:
    """Write requirements.lock anew with uv: for all systems and Pythons, with hashes, without addresses.

    Versions that still fit stay, unless --upgrade asks for the newest.
    """
    if set(words) - {"--upgrade"}:
        raise Refusal("`lock` takes nothing but --upgrade: python3 go.py lock [--upgrade]")
    provide(missing_venv, this_machine())
    with tempfile.TemporaryDirectory() as name:
        tools, target = Path(name) / "tools", Path(name) / LOCK.name
        make_venv(tools)
        python = tools / PYTHON.relative_to(VENV)
        pip(python, "install", "-q", "--no-input", "uv")
        if LOCK.exists():
            shutil.copy(LOCK, target)
        command = [str(python), "-m", "uv", "pip", "compile", str(ROOT / "pyproject.toml"), "--all-extras"]
        command += ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-header"]
        command += ["--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "-q", "-o", str(target)]
        if subprocess.call([*command, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL):
            raise Refusal("uv found no set of versions that fits; the reason stands above.")
        text = target.read_text(encoding="utf-8")
    refuse_addresses(text)
    LOCK.write_text(text, encoding="utf-8", newline="\n")
    return 0


def refuse_addresses(text: str) -> None:
    """Raise a Refusal if a lock's text names a place of the network or the disk."""
    for line in text.splitlines():
        if not re.fullmatch(r"[\w.-]+==[\w.!+-]+( ;[^/]*)?( \\)?|    --hash=sha256:[0-9a-f]{64}( \\)?", line):
            raise Refusal(f"The lock is left as it was, because this line would not be the same elsewhere: {line}")


def package(words: Sequence[str]) -> int:
    """Build a wheel and a source archive in dist/, and let the wheel test itself in a bare environment.

    The wheel carries the time of the last commit, so that the same sources give the same bytes.
    """
    if words:
        raise Refusal("`package` takes no further words: python3 go.py package")
    provide(lambda: missing_venv() | missing_libraries(QT_LIBRARIES), this_machine())
    when = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    environment = clean_environment() | {"SOURCE_DATE_EPOCH": when.stdout.strip() or "315532800"}
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        tools, bare, out = Path(name) / "tools", Path(name) / "bare", Path(name) / "out"
        make_venv(tools)
        pip(tools / IN_VENV, "install", "-q", "--no-input", "build")
        if subprocess.call([str(tools / IN_VENV), "-m", "build", "-q", "--outdir", str(out)], cwd=ROOT, env=environment,
                           stdin=subprocess.DEVNULL, stdout=sys.stderr):  # fmt: skip
            raise Refusal("The packages could not be built; the reason stands above.")
        (wheel,) = out.glob("*.whl")
        make_venv(bare)
        pip(bare / IN_VENV, "install", "-q", "--no-input", str(wheel))
        program = bare / ("Scripts/puzzle-studio.exe" if os.name == "nt" else "bin/puzzle-studio")
        code = subprocess.call([str(program), "--self-test"], cwd=name, env=clean_environment())
        if code:
            return code
        unpacked = sum(path.stat().st_size for path in bare.rglob("*") if path.is_file() and not path.is_symlink())
        (ROOT / "dist").mkdir(exist_ok=True)
        for path in sorted(out.iterdir()):
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            shutil.copy(path, ROOT / "dist" / path.name)
            print(f"dist/{path.name}: {path.stat().st_size / 1e6:.1f} MB, sha256 {digest}")
        print(f"Installed with all it needs: {unpacked / 1e6:.0f} MB.")
    return 0


COMMANDS = {
    "run": run, "setup": setup, "test": test, "bench": bench, "pictures": pictures, "texts": texts, "house": house,
    "lock": lock, "package": package,
}  # fmt: skip


def main(words: Sequence[str]) -> int:
    """Do what the words on the command line ask for and return the exit code."""
    if not words or words[0] not in COMMANDS:
        asked_for = words[:1] in (["help"], ["-h"], ["--help"])
        print(__doc__, file=sys.stdout if asked_for else sys.stderr)
        return 0 if asked_for else 2
    # So that ending go.py from outside also ends what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return COMMANDS[words[0]](words[1:])
    except Refusal as why:
        say(str(why))
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
