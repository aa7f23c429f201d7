"""What holds for the whole house and no import contract in pyproject.toml can see."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.house import circles, measured

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
    "pydyf",
    "PIL",
    "pysat",
)
NAMED_BY_QT = {"data", "event", "flags", "index", "paint", "parent", "redo", "shape", "undo"}

# The words are put together here so that this file does not name such a host itself.
REGISTRY = re.compile(
    rb"(?i)\b(?:[\w-]+\.)*"
    rb"(?:(?:pypi|python" + rb"hosted|anaconda|npmjs)|(?:artifactory|nexus|devpi|registry)(?:\.[\w-]+)+)"
    rb"\.(?:org|com|io|net|dev|cloud)\b"
    rb"|(?:index|find)[-_](?:url|links)[\s=\"']+[a-z]+:" + rb"//"
)


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level name of everything that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


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
    users = [path.relative_to(STUDIO) for path in MODULES if {"PySide6", "shiboken6"} & set(imported(path))]
    assert [path for path in users if path.parts[0] != "ui"] == []


def test_ezdxf_is_imported_by_the_dxf_writer_and_the_reader_of_drawings_alone() -> None:
    users = {str(path.relative_to(STUDIO)) for path in MODULES if "ezdxf" in set(imported(path))}
    assert users <= {"export/writers/dxf.py", "files/dxf_paths.py"}


def test_every_module_opens_with_a_sentence() -> None:
    assert [path for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))] == []


def test_no_docstring_runs_on_into_the_next() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if node.value.value.startswith("…") or node.value.value.rstrip().endswith(" …")
    ]
    assert found == []


def test_every_method_of_the_window_that_qt_did_not_name_says_what_it_does() -> None:
    silent = [
        f"{path.relative_to(STUDIO)}:{method.lineno} {method.name}"
        for path in MODULES
        if path.relative_to(STUDIO).parts[0] == "ui"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        for method in node.body
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_")
        if method.name.islower() and method.name not in NAMED_BY_QT and not ast.get_docstring(method)
    ]
    assert silent == []


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
    asked = [
        f"{path.relative_to(STUDIO)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args
        if node.func.attr in {"exists", "is_dir", "is_file"}
    ]
    assert asked == []


def test_the_house_grows_no_further_than_its_bounds() -> None:
    assert [f"{each.title}: {each.now:g} > {each.most:g}" for each in measured() if not each.is_held] == []


def test_circles_are_found_and_ways_without_return_are_none() -> None:
    graph = {"a": {"b", "d"}, "b": {"c"}, "c": {"a"}, "d": {"e"}, "e": set(), "f": {"f"}}
    assert circles(graph) == [["a", "b", "c"]]
