"""The command `desktop`: the studio among a desktop's applications."""

import configparser
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from studio.cli import desktop, main

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="no XDG desktop")
FILES = {
    "applications/puzzle-studio.desktop", "mime/packages/puzzle-studio.xml",
    "icons/hicolor/scalable/apps/puzzle-studio.svg",
    "icons/hicolor/scalable/mimetypes/application-x-puzzle-studio.svg",
}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


def written(folder: Path) -> set[str]:
    """Our files; desktops keep caches of their own beside them."""
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*puzzle-studio*")
        if "x-puzzle-studio.xml" not in path.name
    }


def words(command: str) -> list[str]:
    """The words of an `Exec` key, read as its specification says: the text's escapes first, then the quotes."""
    text = command.replace("\\\\", "\\")
    return [
        re.sub(r"\\(.)", r"\1", quoted) if quoted else plain
        for quoted, plain in re.findall(r'"((?:\\.|[^"\\])*)"|(\S+)', text)
    ]


def test_the_studio_is_added_and_removed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["desktop"]) == 0
    assert "Added Puzzle Studio" in capsys.readouterr().out
    assert written(data) == FILES
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(data / "applications" / "puzzle-studio.desktop", encoding="utf-8")
    told = entry["Desktop Entry"]
    mime = ElementTree.parse(data / "mime" / "packages" / "puzzle-studio.xml").getroot()
    (kind,) = mime
    assert told["MimeType"] == f"{kind.get('type')};"
    assert [glob.get("pattern") for glob in kind.iter() if glob.tag.endswith("glob")] == ["*.puzzle"]
    assert main(["desktop", "--remove"]) == 0 == main(["desktop", "--remove"])
    assert written(data) == set()


def test_the_entry_starts_this_studio(data: Path) -> None:
    assert main(["desktop"]) == 0
    text = (data / "applications" / "puzzle-studio.desktop").read_text(encoding="utf-8")
    (command,) = re.findall(r"^Exec=(.*)$", text, flags=re.MULTILINE)
    *start, file = words(command)
    assert file == "%f" and start == desktop.starting()
    ended = subprocess.run([*start[:2], "--help"], capture_output=True, text=True, timeout=60, env=os.environ)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("path", ["/a b/python", '/q"uote', "/back\\slash", "/dollar$HOME/`x`", "/per%cent"])
def test_paths_are_quoted(path: str) -> None:
    line = desktop.entry("Exec=puzzle-studio %F\n", [path, "run"]).strip()
    assert words(line.removeprefix("Exec=").removesuffix(" %f").replace("%%", "%")) == [path, "run"]


def test_a_folder_that_cannot_be_written_is_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.write_text("a file")
    assert main(["desktop"]) == 2
    told = capsys.readouterr().err
    assert str(data) in told and "\n" not in told.strip()
