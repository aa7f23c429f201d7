"""`align` and `export --correct`: a print is measured, and the cut file follows it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from studio.files.store import save
from studio.puzzles.jigsaw.kind import JIGSAW
from tests.fabricate.photographs import Shot, photographed, printed
from tests.test_cli import FINE, Studio

CORNERS = ("top-left", "top-right", "bottom-right", "bottom-left")
CROSSES = ("--set", "marks=crosses")


@pytest.fixture
def studio(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "fine.puzzle", JIGSAW, FINE)
    return Studio(capsys)


def offsets(*names: str, right: float = 0.4, down: float = -0.2) -> list[str]:
    return [word for name in names for word in ("--offset", f"{name}={right},{down}")]


def test_typed_offsets_move_the_cuts_and_are_reported(studio: Studio, tmp_path: Path) -> None:
    said = studio("align", "fine.puzzle", *CROSSES, *offsets(*CORNERS), "-o", "a.json", "--json")
    value = json.loads(said.out)
    assert said.code == 0 and value["source"] == "typed" and value["residue_mm"] == 0.0
    assert set(value["residues_mm"]) == set(CORNERS) and 0 < value["error_mm"] < 0.3
    studio("export", "fine.puzzle", *CROSSES, "-o", "plain.gcode")
    said = studio("export", "fine.puzzle", *CROSSES, "--correct", "a.json", "-o", "moved.gcode")
    assert said.code == 0 and "Aligned with the print by 4 marks" in said.out
    plain, moved = (first_move(tmp_path / name) for name in ("plain.gcode", "moved.gcode"))
    assert moved - plain == pytest.approx(np.array([0.4, 0.2]), abs=0.011)
    assert "Aligned with the print" in (tmp_path / "moved.gcode").read_text()


def first_move(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    words = next(line for line in path.read_text().splitlines() if line.startswith("G0 ")).split()
    return np.array([float(words[1][1:]), float(words[2][1:])])


def test_a_marks_file_is_written_beside_the_sheet(studio: Studio, tmp_path: Path) -> None:
    said = studio("export", "fine.puzzle", "--set", "marks=targets", "--set", "marks_file=true", "-o", "b.svg")
    assert said.code == 0 and "b-marks.svg: marks to burn" in said.out
    assert (tmp_path / "b-marks.svg").exists()


def test_a_photograph_is_measured_and_another_puzzle_is_refused(studio: Studio, tmp_path: Path) -> None:
    sheet = printed(tmp_path, 4, 3, 8.0)
    picture = photographed(sheet, np.eye(2), np.array([0.5, 0.25]), Shot(pixels=(1500, 1125), tilt=15))
    Image.fromarray(picture).save(tmp_path / "photo.jpg", quality=92)
    words = ("--set", "marks=targets", "--set", "mark_size=8", "--set", "bleed=2")
    size = ("--set", "columns=4", "--set", "rows=3", "--set", "width=100", "--set", "height=75")
    studio("new", "jigsaw", *size, "-o", "p.puzzle")
    said = studio("align", "p.puzzle", *words, "--photo", "photo.jpg", "-o", "a.json", "--json")
    value = json.loads(said.out)
    assert value["source"] == "photo" and value["residue_mm"] < 0.03 and value["error_mm"] <= 0.15
    found = json.loads((tmp_path / "a.json").read_text())["marks"]
    away = [np.subtract(each["print"], each["sheet"]) for each in found.values()]
    assert np.abs(np.array(away) - (0.5, 0.25)).max() < 0.03
    assert "another sheet" in studio.refuses("export", "fine.puzzle", *words, "--correct", "a.json", "-o", "x.svg")
    assert not (tmp_path / "x.svg").exists()


def test_bad_requests_are_refused_in_a_sentence_and_write_nothing(studio: Studio, tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    align = ("align", "fine.puzzle", "-o", "a.json")
    assert "no registration marks" in studio.refuses(*align, *offsets(*CORNERS))
    assert "either --photo" in studio.refuses(*align, *CROSSES)
    assert "either --photo" in studio.refuses(*align, *CROSSES, *offsets("top-left"), "--photo", "text.jpg")
    assert "at least 3 marks" in studio.refuses(*align, *CROSSES, *offsets("top-left"))
    assert "no mark 'top'" in studio.refuses(*align, *CROSSES, *offsets("top"))
    assert "Use --offset" in studio.refuses(*align, *CROSSES, "--offset", "top-left=much")
    assert "Only targets" in studio.refuses(*align, *CROSSES, "--photo", photo(tmp_path))
    assert "not a picture" in studio.refuses(*align, "--set", "marks=targets", "--photo", "text.jpg")
    assert "no sheet 2" in studio.refuses(*align, *CROSSES, "--sheet", "2", *offsets(*CORNERS))
    assert not (tmp_path / "a.json").exists()
    studio(*align, *CROSSES, *offsets(*CORNERS))
    export = ("export", "fine.puzzle", *CROSSES, "--correct", "a.json", "-o", "x.svg")
    assert "engraved artwork" in studio.refuses(*export, "--set", "raster=true")
    assert "cannot be used" in studio.refuses("export", "fine.puzzle", "--correct", "text.jpg", "-o", "x.svg")
    assert not (tmp_path / "x.svg").exists()


def photo(folder: Path) -> str:
    Image.new("L", (80, 60), 200).save(folder / "grey.jpg")
    return "grey.jpg"
