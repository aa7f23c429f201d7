"""Files of other forms are read for the kind that has such, from files and folders, and named where they are not."""

from pathlib import Path

import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files.store import import_files, import_text, imported_suffixes, is_text, sources_of
from studio.puzzles.registry import kind
from studio.puzzles.zigzaw.interchange import write
from studio.puzzles.zigzaw.kind import JsonOptions
from studio.puzzles.zigzaw.model import ZigzawDesign

LONGEST_TEXT = 2**20
MOST_FILES = 2000

ZIGZAW = kind("zigzaw")


def exported(path: Path) -> ZigzawDesign:
    design: ZigzawDesign = ZIGZAW.generate(ZIGZAW.parameters(columns=4, rows=4), None, SILENT).design
    path.write_bytes(write(design, JsonOptions(), SILENT))
    return design


def test_the_kind_is_found_by_the_suffix(tmp_path: Path) -> None:
    design = exported(tmp_path / "a.JSON")
    saved = import_files([tmp_path / "a.JSON"], None, SILENT)
    assert saved.kind is ZIGZAW and saved.design.cubes == design.cubes
    assert import_files([tmp_path / "a.JSON"], ZIGZAW, SILENT) == saved


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.json", b"frogs", "^Cannot import a.json: it is not a Puzzle Studio file .not JSON at line 1, column 1..$"),
        ("a.doc", b"frogs", r"^Cannot import a.doc: unknown file extension\. Use .*\.json.*\.$"),
        ("none.json", None, "^Cannot import none.json: there is no such file.$"),
    ],
)
def test_what_cannot_be_imported_is_named(tmp_path: Path, name: str, data: bytes | None, sentence: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(StudioError, match=sentence):
        import_files([tmp_path / name], None, SILENT)


def test_several_files_are_counted_in_place_of_a_name(tmp_path: Path) -> None:
    for name in ("1.png", "2.png"):
        (tmp_path / name).write_bytes(b"no picture")
    with pytest.raises(StudioError, match=r"^Cannot import 2 files: the picture of the border is missing"):
        import_files([tmp_path / "1.png", tmp_path / "2.png"], ZIGZAW, SILENT)


def test_a_kind_without_other_forms_says_so(tmp_path: Path) -> None:
    exported(tmp_path / "a.json")
    with pytest.raises(StudioError, match=r"^Cannot import a.json: .*jigsaw.*only \.puzzle\.$"):
        import_files([tmp_path / "a.json"], kind("jigsaw"), SILENT)


def test_a_folder_is_its_files_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("p 10.json", "p 9.json", ".hidden", "border.json"):
        (tmp_path / name).write_bytes(b"{}")
    assert [source.name for source in sources_of([tmp_path])] == ["border.json", "p 9.json", "p 10.json"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(StudioError, match=r"^Cannot import empty: the folder is empty\.$"):
        import_files([tmp_path / "empty"], None, SILENT)
    with pytest.raises(StudioError, match=rf"\(maximum {MOST_FILES} per puzzle\)"):
        sources_of([tmp_path / "border.json"] * (MOST_FILES + 1))
    (tmp_path / "border.json").chmod(0o600)
    with pytest.raises(StudioError, match=r"^gone.png: there is no such file\.$"):
        sources_of([tmp_path / "border.json", tmp_path / "gone.png"])


def test_the_suffixes_are_those_of_all_readers() -> None:
    assert ".json" in imported_suffixes() and len(set(imported_suffixes())) == len(imported_suffixes())


def test_a_text_by_itself_is_read_for_the_kind_that_knows_it() -> None:
    text = " 3x3t0:d4d\n"
    assert is_text(text) and not is_text("frogs")
    saved = import_text(text, None, SILENT)
    assert saved.kind is kind("slitherlink") and import_text(text, saved.kind, SILENT) == saved
    with pytest.raises(StudioError, match=r"^Cannot import 3x3t0:d4d: it is not a puzzle in text form\.$"):
        import_text(text, ZIGZAW, SILENT)
    with pytest.raises(StudioError, match=r"^Cannot import frogs: it is not a puzzle in text form\.$"):
        import_text("frogs", None, SILENT)
    with pytest.raises(StudioError, match=r"^Cannot import https://puzz.link/p\?slit…: its clues fill 1 cell, but 3"):
        import_text("https://puzz.link/p?slither/3/3/3", None, SILENT)


def test_a_text_that_is_too_long_for_any_puzzle_is_not_looked_at() -> None:
    rows = "3 . 2 1\n" * 4
    assert is_text(rows)
    assert not is_text(rows + "\n" * LONGEST_TEXT)
