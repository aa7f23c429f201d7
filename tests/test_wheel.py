"""What is installed works away from the checkout: no file is missing in a wheel, and the program runs from it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from ezdxf.filemanagement import readfile

from studio import __version__

ROOT = Path(__file__).parents[1]
SOURCES = ("studio", "resources", "docs", "pyproject.toml", "setup.py", "README.md", "LICENSE")
SUITED = 77
"""The first setuptools that reads the licence as pyproject.toml has it, and makes wheels itself."""
PICTURE = r"!\[[^]]*\]\(([^)]+)\)"
MADE = "from setuptools.build_meta import build_wheel; build_wheel('../out')"


def run(folder: Path, *command: str, path: str = "") -> str:
    """What Python says, away from the checkout, which it finds nowhere."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    known |= {"PYTHONPATH": path} if path else {}
    done = subprocess.run([sys.executable, *command], cwd=folder, env=known, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that a wheel puts into site-packages.

    Where setuptools is older than what the wheel asks for, it is what goes into the wheel, before it is packed.
    """
    folder = tmp_path_factory.mktemp("wheel")
    sources, out = folder / "sources", folder / "out"
    for name in SOURCES:
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, sources / name)
    try:
        known = version("setuptools")
    except PackageNotFoundError:
        pytest.skip("setuptools is not installed")
    if int(known.partition(".")[0]) >= SUITED:
        run(sources, "-c", MADE)
        (wheel,) = out.glob("*.whl")
        zipfile.ZipFile(wheel).extractall(out / "site")
    else:
        project = (sources / "pyproject.toml").read_text(encoding="utf-8")
        lines = [line for line in project.splitlines() if not line.startswith("license")]
        (sources / "pyproject.toml").write_text("\n".join(lines), encoding="utf-8")
        run(sources, "setup.py", "-q", "build_py", "--build-lib", str(out / "site"))
    shutil.rmtree(sources)
    return out / "site"


def files(folder: Path) -> set[str]:
    return {str(one.relative_to(folder)) for one in folder.rglob("*.*") if "__pycache__" not in one.parts}


def test_every_file_of_the_studio_goes_along_and_nothing_else(installed: Path) -> None:
    assert [one.name for one in installed.iterdir() if one.suffix != ".dist-info"] == ["studio"]
    for name in ("resources", "docs/manual"):
        assert files(installed / "studio" / name) == files(ROOT / name)
    manual = installed / "studio" / "docs" / "manual"
    pictures = [manual / each for page in manual.glob("*.md") for each in re.findall(PICTURE, page.read_text("utf-8"))]
    assert pictures and all(each.is_file() for each in pictures)
    brought = {one for one in files(installed / "studio") if not one.startswith(("resources", "docs"))}
    assert brought == files(ROOT / "studio")


def test_what_was_installed_makes_and_exports_a_puzzle(installed: Path, tmp_path: Path) -> None:
    at = str(installed)
    assert run(tmp_path, "-c", "import studio; print(studio.__file__)", path=at).startswith(at)
    assert __version__ in run(tmp_path, "-m", "studio", "--version", path=at)
    run(tmp_path, "-m", "studio", "new", "jigsaw", "--preset", "a6", "-o", "mine.puzzle", path=at)
    run(tmp_path, "-m", "studio", "export", "mine.puzzle", "-o", "mine.dxf", path=at)
    assert len(readfile(tmp_path / "mine.dxf").modelspace()) > 5


def test_what_was_installed_has_a_window(installed: Path, tmp_path: Path) -> None:
    at = str(installed)
    example = min((installed / "studio" / "resources" / "examples").glob("*.puzzle"))
    run(tmp_path, "-m", "studio", "picture", str(example), "-o", "mine.png", "--window", path=at)
    assert (tmp_path / "mine.png").stat().st_size > 10_000
