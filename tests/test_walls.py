"""What holds for the whole house and no import contract in pyproject.toml can see."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from docs.house import circles, measured, statements
from studio.puzzles import registry

ROOT = Path(__file__).resolve().parent.parent
STUDIO = ROOT / "studio"
MODULES = sorted(STUDIO.rglob("*.py"))
HEAVY = (
    "PySide6",
    "ezdxf",
    "shapely",
    "numpy",
    "stl",
    "ortools",
    "manifold3d",
    "moderngl",
    "fontTools",
    "uharfbuzz",
    "pydyf",
    "PIL",
    "pysat",
)
QUESTION = re.compile(r"\.(exists|is_dir|is_file)\(")
NAMED_BY_QT = {"data", "event", "flags", "index", "paint", "parent", "redo", "shape", "undo"}

# The words are put together here so that this file does not name such a host itself.
REGISTRY = re.compile(
    rb"(?i)\b(?:[\w-]+\.)*"
    rb"(?:(?:pypi|python" + rb"hosted|anaconda|npmjs)|(?:artifactory|nexus|devpi|registry)(?:\.[\w-]+)+)"
    rb"\.(?:org|com|io|net|dev|cloud)\b"
    rb"|(?:index|find)[-_](?:url|links)[\s=\"']+[a-z]+:" + rb"//"
)


class Source:
    """Facts of a module that the walls ask for, from one walk: the trees of all modules would fill memory."""

    def __init__(self, path: Path) -> None:
        self.name = path.relative_to(STUDIO).as_posix()
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        self.has_docstring = ast.get_docstring(tree) is not None
        self.imports: set[str] = set()
        self.running_on: list[int] = []
        self.silent: list[str] = []
        self.asked: list[int] = []
        for node in ast.walk(tree) if QUESTION.search(text) else statements(tree):
            self._look_at(node)

    def _look_at(self, node: ast.AST) -> None:
        match node:
            case ast.Import():
                self.imports |= {alias.name.partition(".")[0] for alias in node.names}
            case ast.ImportFrom(module=str(module), level=0):
                self.imports.add(module.partition(".")[0])
            case ast.Expr(value=ast.Constant(value=str(words))):
                if words.startswith("…") or words.rstrip().endswith(" …"):
                    self.running_on.append(node.lineno)
            case ast.ClassDef() if not node.name.startswith("_"):
                methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
                named = [each for each in methods if each.name.islower() and not each.name.startswith("_")]
                self.silent += [f"{each.lineno} {each.name}" for each in named if not ast.get_docstring(each)]
            case ast.Call(func=ast.Attribute(attr="exists" | "is_dir" | "is_file"), args=[]):
                self.asked.append(node.lineno)


@cache
def sources() -> tuple[Source, ...]:
    """Every module of the studio."""
    return tuple(map(Source, MODULES))


def python(program: str) -> str:
    """Return what a program prints in a fresh Python that turns every warning into an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def shared_files() -> list[Path]:
    """Return the files that git carries or would, by its ignore list, take up; none outside a checkout."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


@pytest.mark.skipif(
    not (ROOT / ".git").exists() or shutil.which("git") is None, reason="only git knows which files are shared"
)
def test_no_file_names_the_host_of_a_package_registry() -> None:
    files = shared_files()
    texts = {path: data for path in files if b"\0" not in (data := path.read_bytes())}
    assert texts
    assert [path for path, data in texts.items() if REGISTRY.search(data)] == []


@pytest.mark.parametrize(
    "text",
    [
        "https:" + "//files.python" + "hosted.org/packages/x.whl",
        "see test.py" + "pi.org for it",
        "https:" + "//registry.npm" + "js.org/x",
        "--index-" + "url=http:" + "//10.0.0.1/simple",
    ],
)
def test_a_host_of_a_package_registry_would_be_seen(text: str) -> None:
    assert REGISTRY.search(text.encode())


def test_only_the_window_imports_qt() -> None:
    users = [each.name for each in sources() if {"PySide6", "shiboken6"} & each.imports]
    assert users and [name for name in users if not name.startswith("ui/")] == []


def test_ezdxf_is_imported_by_the_dxf_writer_and_the_reader_of_drawings_alone() -> None:
    users = {each.name for each in sources() if "ezdxf" in each.imports}
    assert users == {"exporting/writers/dxf.py", "files/dxf_paths.py"}


def test_every_module_opens_with_a_sentence() -> None:
    assert [each.name for each in sources() if not each.has_docstring] == []


def test_no_docstring_runs_on_into_the_next() -> None:
    assert [f"{each.name}:{line}" for each in sources() for line in each.running_on] == []


def test_every_method_of_the_window_that_qt_did_not_name_says_what_it_does() -> None:
    silent = [f"{each.name}:{method}" for each in sources() if each.name.startswith("ui/") for method in each.silent]
    assert [method for method in silent if method.split()[-1] not in NAMED_BY_QT] == []


def test_every_module_is_named_after_what_it_is_about() -> None:
    empty_names = {"utils", "util", "core", "common", "helpers", "helper", "manager", "misc"}
    named = [path for path in MODULES if empty_names & set(path.relative_to(STUDIO).with_suffix("").parts)]
    assert named == []


def test_importing_the_studio_does_nothing() -> None:
    program = """
import os, sys, threading
sys.dont_write_bytecode = True
written = []
def watch(event, details):
    if event == "open" and details[1] not in ("r", "rb", None):
        written.append(details[0])
sys.addaudithook(watch)
environment, path, before = dict(os.environ), list(sys.path), set(sys.modules)
import studio
assert os.environ == environment and sys.path == path
assert threading.active_count() == 1 and written == [], written
packages = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(packages - sys.stdlib_module_names))
"""
    assert python(program) == "studio\n"


@pytest.mark.parametrize("module", ["studio", "studio.cli"])
def test_heavy_libraries_wait_until_they_are_used(module: str) -> None:
    heavy = HEAVY if module == "studio" else tuple(name for name in HEAVY if name != "numpy")
    assert python(f"import sys, {module}\nprint(*sorted(set({heavy!r}) & set(sys.modules)))") == "\n"


def test_qt_calls_that_return_nothing_leave_none_alone() -> None:
    # PySide6 6.12.0 on Python 3.11 takes one reference away at each call, until the interpreter dies.
    program = """
import sys
from PySide6.QtGui import QPen
pen = QPen()
pen.setWidthF(1.0)
before = sys.getrefcount(None)
for _ in range(1000):
    pen.setWidthF(2.0)
print(before - sys.getrefcount(None) < 100)
"""
    assert python(program) == "True\n"


def test_no_question_about_a_path_raises() -> None:
    """Path.exists and its like raise OSError for a name that is too long or a closed folder; os.path says False."""
    assert [f"{each.name}:{line}" for each in sources() for line in each.asked] == []


def test_every_kind_is_in_the_contracts_by_which_kinds_do_not_know_each_other() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    apart = [{*each["modules"]} for each in contracts if each["type"] == "independence"]
    windows = {f"studio.ui.kinds.{path.name}" for path in (STUDIO / "ui" / "kinds").iterdir() if path.is_dir()}
    assert {f"studio.puzzles.{key}" for key in registry.KINDS} in apart
    assert windows - {"studio.ui.kinds.__pycache__"} in apart


def test_the_house_grows_no_further_than_its_bounds() -> None:
    assert [f"{each.title}: {each.now:g} > {each.most:g}" for each in measured() if not each.is_held] == []


def test_circles_are_found_and_ways_without_return_are_none() -> None:
    graph = {"a": {"b", "d"}, "b": {"c"}, "c": {"a"}, "d": {"e"}, "e": set(), "f": {"f"}}
    assert circles(graph) == [["a", "b", "c"]]
