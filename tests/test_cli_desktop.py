"""The command `desktop`: the studio among a desktop's applications."""

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from studio import DESKTOP_ID, __version__
from studio.base.folders import shipped
from studio.cli import desktop, main
from studio.puzzles import registry

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="no XDG desktop")
FILES = {
    f"applications/{DESKTOP_ID}.desktop", f"mime/packages/{DESKTOP_ID}.xml", f"metainfo/{DESKTOP_ID}.metainfo.xml",
    f"icons/hicolor/scalable/apps/{DESKTOP_ID}.svg",
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
        for path in folder.rglob("*")
        if re.search("puzzle-?studio", path.name, re.IGNORECASE) and "x-puzzle-studio.xml" not in path.name
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
    entry.read(data / "applications" / f"{DESKTOP_ID}.desktop", encoding="utf-8")
    told = entry["Desktop Entry"]
    mime = ElementTree.parse(data / "mime" / "packages" / f"{DESKTOP_ID}.xml").getroot()
    (kind,) = mime
    assert told["MimeType"] == f"{kind.get('type')};"
    assert [glob.get("pattern") for glob in kind.iter() if glob.tag.endswith("glob")] == ["*.puzzle"]
    assert main(["desktop", "--remove"]) == 0 == main(["desktop", "--remove"])
    assert written(data) == set()


def test_the_entry_starts_this_studio(data: Path) -> None:
    assert main(["desktop"]) == 0
    text = (data / "applications" / f"{DESKTOP_ID}.desktop").read_text(encoding="utf-8")
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


def test_files_of_earlier_versions_are_taken_away(data: Path) -> None:
    for place in desktop.FORMER:
        (data / place).parent.mkdir(parents=True, exist_ok=True)
        (data / place).write_text("old")
    assert main(["desktop"]) == 0
    assert written(data) == FILES


def test_software_centres_read_of_this_version_and_its_files(tmp_path: Path) -> None:
    source = shipped("desktop")
    told = ElementTree.parse(source / f"{DESKTOP_ID}.metainfo.xml").getroot()
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(source / f"{DESKTOP_ID}.desktop", encoding="utf-8")
    assert told.findtext("id") == DESKTOP_ID == entry["Desktop Entry"]["Icon"]
    assert (
        told.findtext("launchable") == f"{DESKTOP_ID}.desktop"
        and told.findtext("summary") == entry["Desktop Entry"]["Comment"]
    )
    assert told.findtext("provides/mediatype") == entry["Desktop Entry"]["MimeType"].strip(";")
    newest = told.find("releases/release")
    assert newest is not None and newest.get("version") == __version__
    for program, file in (
        ("appstreamcli", f"{DESKTOP_ID}.metainfo.xml"),
        ("desktop-file-validate", f"{DESKTOP_ID}.desktop"),
    ):
        if shutil.which(program):
            words = [program, *(["validate", "--no-net"] if program == "appstreamcli" else []), str(source / file)]
            done = subprocess.run(words, capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, done.stdout


def test_an_installation_tests_itself(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    program = [sys.executable, "-m", "studio", "--self-test"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 1 + len(desktop.TRIED) and {*desktop.TRIED} == {*registry.KINDS}
    assert lines[-1] == f"Puzzle Studio {__version__} works."


def test_a_broken_installation_says_what_failed_and_tries_the_rest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desktop, "TRIED", {"jigsaw": ({"pieces": 6}, ("none",)), "cube": ({"x": 99}, ())})
    assert main(["--self-test"]) == 1
    out, err = capsys.readouterr()
    assert "jigsaw failed: " in err and "cube failed: x must be" in err and "does not work" in out
