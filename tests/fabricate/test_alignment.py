"""Cuts that follow a print: offsets and photographs give a correction whose residue is honest, or are refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ezdxf.filemanagement import readfile
from PIL import Image

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.exporting.formats import Options
from studio.exporting.laser_files import write_all
from studio.fabricate.alignment import (
    LARGEST_ERROR,
    Alignment,
    aligned,
    corners_of,
    correction,
    marks_of,
    read_alignment,
    typed,
)
from studio.fabricate.making import Making, made
from studio.fabricate.target_photo import found_targets
from studio.fabricate.workshop import Machine, Material
from studio.files.pictures import grey_of
from studio.geometry.curves.strokes import Floats
from tests.fabricate.boards import jigsaw
from tests.fabricate.photographs import Printed, Shot, photographed, printed, random_print, random_shot

PHOTOGRAPHS = 300
CROSSES, TARGETS = Making(marks="crosses"), Making(marks="targets", mark_size=10.0)


class Sheets:
    """Sheets of three sizes, each printed when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[int, Printed] = {}

    def __getitem__(self, number: int) -> Printed:
        if number not in self._known:
            columns, rows, size = ((4, 3, 8.0), (10, 7, 10.0), (16, 12, 12.0))[number]
            self._known[number] = printed(self._folder, columns, rows, size)
        return self._known[number]


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Sheets:
    return Sheets(tmp_path_factory.mktemp("prints"))


def marks(sheet: Printed) -> dict[str, Floats]:
    return marks_of(sheet.made.sheets[0], sheet.making)


def tried(sheet: Printed, number: int) -> tuple[float, float] | None:
    """The true error of corrected cuts in mm and the one that is said, of a photograph; None if it is refused."""
    rng = np.random.default_rng(number)
    nominal, corners = marks(sheet), corners_of(sheet.made.sheets[0])
    matrix, shift = random_print(rng, np.array(sheet.size) / 2)
    picture = photographed(sheet, matrix, shift, random_shot(rng, np.array([*nominal.values()])))
    try:
        alignment = found_targets(picture.astype(np.float32), nominal, sheet.making.mark_size)
        found = correction(alignment, corners)
    except StudioError:
        return None
    return float(np.hypot(*(found.of(corners) - (corners @ matrix.T + shift)).T).max()), found.error


@pytest.mark.sampled(150)
@pytest.mark.parametrize("number", range(PHOTOGRAPHS))
def test_a_photograph_gives_cuts_within_015_mm_or_is_refused(sheets: Sheets, number: int) -> None:
    found = tried(sheets[number % 3], number)
    if found is not None:
        true, said = found
        assert true <= LARGEST_ERROR and said <= LARGEST_ERROR
        assert true <= 2.5 * said


@pytest.mark.thorough
def test_most_photographs_serve_and_their_error_is_honest(sheets: Sheets) -> None:
    found = [tried(sheets[number % 3], 1000 + number) for number in range(45)]
    kept = [pair for pair in found if pair is not None]
    assert len(kept) >= 0.6 * len(found)
    # Said is what 95 % are within; fewer of 45 by chance.
    assert sum(true <= said for true, said in kept) >= 0.9 * len(kept)


def test_the_print_is_told_from_the_slant_of_the_camera(sheets: Sheets) -> None:
    sheet = sheets[0]
    corners = corners_of(sheet.made.sheets[0])
    found = []
    for stretch in (0.996, 1.004):
        matrix = np.diag([stretch, 1.0])
        shift = np.array(sheet.size) / 2 @ (np.eye(2) - matrix.T) + (0.3, -0.2)
        picture = photographed(sheet, matrix, shift, Shot(tilt=30, towards=90, roll=95, pixels=(1500, 1125)))
        alignment = found_targets(picture.astype(np.float32), marks(sheet), sheet.making.mark_size)
        found.append(correction(alignment, corners).scale[0])
    assert found == pytest.approx([0.996, 1.004], abs=0.0005)


def test_a_photograph_without_burned_dots_is_refused(sheets: Sheets) -> None:
    bare = replace(sheets[0], burn=np.ones_like(sheets[0].burn))
    picture = photographed(bare, np.eye(2), np.zeros(2), Shot(pixels=(1500, 1125))).astype(np.float32)
    with pytest.raises(StudioError, match="burned dot"):
        found_targets(picture, marks(bare), bare.making.mark_size)


def test_a_picture_of_something_else_is_refused(sheets: Sheets) -> None:
    noise = np.random.default_rng(1).uniform(0, 255, (300, 400)).astype(np.float32)
    for picture in (noise, np.full((600, 800), 200, np.float32), np.zeros((3, 3), np.float32)):
        with pytest.raises(StudioError):
            found_targets(picture, marks(sheets[0]), sheets[0].making.mark_size)


def test_a_scan_tells_the_scale_of_the_print(sheets: Sheets, tmp_path: Path) -> None:
    sheet = replace(sheets[0], burn=np.ones_like(sheets[0].burn))
    wide, high = sheet.size
    turn, dpi, margin = np.radians(1.5), 200.0, 20.0
    # A flatbed sees every mm alike: the picture is the sheet itself, turned, stretched and resampled.
    pixels = np.mgrid[0 : round((high + 2 * margin) * dpi / 25.4), 0 : round((wide + 2 * margin) * dpi / 25.4)] + 0.5
    down, across = pixels * 25.4 / dpi - margin
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.diag([1.003, 0.998])
    x, y = np.tensordot(np.linalg.inv(matrix), np.stack([across, down]), 1)
    rows, columns = sheet.ink.shape
    inside = (x > 0) & (y > 0) & (x < wide) & (y < high)
    ink = sheet.ink[
        np.clip((y / high * rows).astype(int), 0, rows - 1), np.clip((x / wide * columns).astype(int), 0, columns - 1)
    ]
    Image.fromarray((255 * np.where(inside, ink, 0.6)).astype(np.uint8)).save(tmp_path / "scan.png")
    grey, share = grey_of(tmp_path / "scan.png", Progress())
    alignment = found_targets(grey, marks(sheet), sheet.making.mark_size, dpi * share)
    found = correction(alignment, corners_of(sheet.made.sheets[0]))
    assert found.scale == pytest.approx((1.003, 0.998), abs=0.0004)
    assert abs(found.turn) < 0.03
    # It keeps its middle: where the sheet is on the bed, a scan does not tell.
    middle = np.mean([*marks(sheet).values()], axis=0)
    assert found.of(middle[None])[0] == pytest.approx(middle, abs=0.01)


def board(making: Making = CROSSES, columns: int = 8) -> tuple[dict[str, Floats], Floats]:
    """The marks and the corners of a board's sheet."""
    sheet = made(jigsaw(columns, 6), making, Machine(), Material()).sheets[0]
    return marks_of(sheet, making), corners_of(sheet)


def offsets_of(nominal: Mapping[str, Floats], matrix: Floats, shift: Floats) -> dict[str, tuple[float, float]]:
    away = {name: place @ matrix.T + shift - place for name, place in nominal.items()}
    return {name: (float(each[0]), float(each[1])) for name, each in away.items()}


def test_four_offsets_give_the_affine_map_of_the_print() -> None:
    nominal, corners = board()
    matrix, shift = np.array([[1.004, 0.003], [-0.001, 0.997]]), np.array([0.8, -0.6])
    found = correction(typed(nominal, offsets_of(nominal, matrix, shift)), corners)
    assert found.of(corners) == pytest.approx(corners @ matrix.T + shift, abs=1e-9)
    assert found.residue == pytest.approx(0.0, abs=1e-9) and 0.05 < found.error < 0.25


def test_three_offsets_give_shift_turn_and_both_scales_with_a_residue() -> None:
    nominal, corners = board()
    turn = np.radians(1.2)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.diag([1.004, 0.997])
    offsets = offsets_of(nominal, matrix, np.array([0.8, -0.6]))
    del offsets["bottom-left"]
    found = correction(typed(nominal, offsets), corners)
    assert found.of(corners) == pytest.approx(corners @ matrix.T + (0.8, -0.6), abs=1e-6)
    offsets["top-right"] = (offsets["top-right"][0], offsets["top-right"][1] + 0.3)
    assert correction(typed(nominal, offsets), corners).residue > 0.02
    offsets["top-right"] = (offsets["top-right"][0], offsets["top-right"][1] + 2.0)
    with pytest.raises(StudioError, match="contradict"):
        correction(typed(nominal, offsets), corners)


def test_a_mark_of_eight_that_is_farther_off_than_the_others_explain_is_named() -> None:
    nominal, corners = board(TARGETS)
    assert len(nominal) == 8
    rng = np.random.default_rng(4)
    offsets = {name: (0.5 + rng.normal(0, 0.1), -0.2 + rng.normal(0, 0.1)) for name in nominal}
    assert 0.05 < correction(typed(nominal, offsets), corners).residue < 0.3
    offsets["right"] = (offsets["right"][0] + 1.5, offsets["right"][1])
    with pytest.raises(StudioError, match=r"The mark right is 1\.\d\d mm off"):
        correction(typed(nominal, offsets), corners)


def test_typed_offsets_are_as_honest_as_they_are_exact() -> None:
    nominal, corners = board(TARGETS)
    rng, inside = np.random.default_rng(9), 0
    for _ in range(200):
        matrix, shift = random_print(rng, np.array([100.0, 75.0]))
        exact = offsets_of(nominal, matrix, shift)
        read = {name: (x + rng.normal(0, 0.1), y + rng.normal(0, 0.1)) for name, (x, y) in exact.items()}
        found = correction(typed(nominal, read), corners)
        inside += float(np.hypot(*(found.of(corners) - (corners @ matrix.T + shift)).T).max()) <= found.error
    assert inside >= 0.92 * 200


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        (np.diag([1.03, 1.0]), r"\+3\.0 % off in size"),
        (np.array([[1.0, 0.02], [0.0, 1.0]]), "skewed"),
        (np.array([[np.cos(0.12), -np.sin(0.12)], [np.sin(0.12), np.cos(0.12)]]), "turned by 6.9°"),
    ],
)
def test_what_no_print_explains_is_refused(matrix: Floats, reason: str) -> None:
    nominal, corners = board()
    with pytest.raises(StudioError, match=reason):
        correction(typed(nominal, offsets_of(nominal, matrix, np.zeros(2))), corners)


def test_too_few_marks_or_all_on_a_line_are_refused() -> None:
    nominal, corners = board(TARGETS)
    for names in ((), ("left", "right"), ("top-left", "top", "top-right")):
        with pytest.raises(StudioError, match="at least 3 marks" if len(names) < 3 else "on one line"):
            correction(typed(nominal, dict.fromkeys(names, (0.1, 0.1))), corners)
    with pytest.raises(StudioError, match="no mark 'middle'"):
        typed(nominal, {"middle": (0.0, 0.0)})


def test_the_cut_file_follows_the_print_and_the_print_stays(tmp_path: Path, sheets: Sheets) -> None:
    sheet = sheets[0]
    matrix, shift = np.array([[1.003, -0.004], [0.004, 0.998]]), np.array([0.7, -0.4])
    nominal = marks(sheet)
    result = aligned(sheet.made, sheet.making, [typed(nominal, offsets_of(nominal, matrix, shift))])
    assert result.alignment.startswith("Aligned with the print by 8 marks") and not result.notes and not result.beside
    assert result.fronts == sheet.made.fronts
    for name, drawings in (("before", sheet.made.sheets), ("after", result.sheets)):
        (tmp_path / name).mkdir()
        write_all(drawings, tmp_path / name / "sheet.dxf", Options(print_pdf=True), fronts=result.fronts)
    before, after = (cut_corners(tmp_path / name / "sheet.dxf") for name in ("before", "after"))
    flip, high = np.array([1, -1]), np.array([0, sheet.size[1]])
    wanted = (before * flip + high) @ matrix.T + shift
    assert after * flip + high == pytest.approx(wanted, abs=0.02)
    prints = [(tmp_path / name / "sheet-print.pdf").read_bytes() for name in ("before", "after")]
    assert prints[0] == prints[1]


def cut_corners(path: Path) -> Floats:
    """The two ends of every cut of a file, as ezdxf reads it, in its order."""
    lines: Any = readfile(path).modelspace().query("*[layer=='CUT_INNER']")
    return np.array([[line.get_points("xy")[at] for at in (0, -1)] for line in lines]).reshape(-1, 2)


def test_cuts_that_would_leave_the_sheet_are_refused(sheets: Sheets) -> None:
    nominal = marks(sheets[0])
    far = typed(nominal, dict.fromkeys(nominal, (40.0, 0.0)))
    with pytest.raises(StudioError, match="would leave the sheet"):
        aligned(sheets[0].made, sheets[0].making, [far])


def test_an_alignment_is_kept_exactly_for_its_own_sheet_alone(tmp_path: Path, sheets: Sheets) -> None:
    nominal = marks(sheets[1])
    alignment = typed(nominal, {name: (0.25, -0.5) for name in nominal})
    (tmp_path / "a.json").write_text(alignment.text())
    again = read_alignment(tmp_path / "a.json")
    assert again.text() == alignment.text() and again.names == alignment.names
    with pytest.raises(StudioError, match="another sheet"):
        aligned(sheets[0].made, sheets[0].making, [again])
    with pytest.raises(StudioError, match="only 1 sheet"):
        aligned(sheets[1].made, sheets[1].making, [replace(again, sheet=2)])


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", "nonsense", '{"format": "puzzle-studio alignment", "version": 2}',
        '{"format": "puzzle-studio alignment", "version": 1, "sheet": 1, "source": "typed", "marks": []}',
        '{"format": "puzzle-studio alignment", "version": 1, "sheet": 0, "source": "typed", "marks": {}}',
        '{"format": "puzzle-studio alignment", "version": 1, "sheet": 1, "source": "guess", "marks": {}}',
        '{"format": "puzzle-studio alignment", "version": 1, "sheet": 1, "source": "typed", '
        '"marks": {"top": {"sheet": [0, 1e999], "print": [0, 0]}}}',
        '{"format": "puzzle-studio alignment", "version": 1, "sheet": 1, "source": "typed", '
        '"marks": {"no": {"sheet": [0, 0], "print": [0, 0]}}}',
    ],
)  # fmt: skip
def test_a_file_that_is_no_alignment_is_refused_by_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(StudioError, match=r"x\.json cannot be used"):
        read_alignment(tmp_path / "x.json")


def test_three_marks_without_all_numbers_are_an_alignment_of_no_marks() -> None:
    nominal, corners = board()
    with pytest.raises(StudioError, match="at least 3 marks, not 0"):
        correction(Alignment(nominal, {}), corners)
