"""Figures from drawings: the form of a closed path and its holes, whatever its unit and size, or a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files.drawing_import import read_figure
from studio.files.store import dumps, loads
from studio.puzzles.jigsaw.figures.figure_edits import with_drawn_figure
from studio.puzzles.jigsaw.figures.whimsies import stem_of
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape

SVG = '<svg xmlns="http://www.w3.org/2000/svg" {size}viewBox="0 0 {box} {box}">{drawn}</svg>'
FRAME = '<path d="M0,0 H{0} V{1} H0 Z M{2},{2} V{3} H{3} V{2} Z"/>'


def frame(tall: float) -> str:
    """A rectangle twice as wide as high with a square hole of a fifth of its height."""
    return FRAME.format(2 * tall, tall, 0.4 * tall, 0.6 * tall)


def drawing(folder: Path, drawn: str, name: str = "frame.svg", size: str = "", box: float = 100) -> Path:
    path = folder / name
    path.write_text(SVG.format(size=size, box=box, drawn=drawn), encoding="utf-8")
    return path


@pytest.mark.parametrize("tall", [0.02, 3.0, 40.0, 5000.0])
@pytest.mark.parametrize("size", ["", 'width="10cm" height="10cm" '], ids=["no unit", "cm"])
def test_only_the_form_of_a_drawing_matters(tmp_path: Path, tall: float, size: str) -> None:
    made, _notes = read_figure(drawing(tmp_path, frame(tall), size=size), SILENT)
    assert made.title == "frame" and len(made.rings) == 2
    assert made.width == pytest.approx(2.0, abs=1e-6) and made.area == pytest.approx(2.0 - 0.04, abs=1e-6)
    assert made.rings[0].mean(axis=0) == pytest.approx([0.0, 0.0], abs=0.3)


def test_an_island_in_a_hole_is_joined_by_a_bar_and_it_is_said(tmp_path: Path) -> None:
    rings = "".join(f'<circle cx="60" cy="60" r="{radius}"/>' for radius in (50, 35, 20))
    made, notes = read_figure(drawing(tmp_path, rings), SILENT)
    bar = 0.12 * 15 / 100  # 0.12 of the height wide, over a gap of 15 of 100
    assert len(made.rings) == 2 and notes == ("Joined by bars: 1 separate part.",)
    assert made.area == pytest.approx(np.pi * (0.5**2 - 0.35**2 + 0.2**2) + bar, abs=2e-3)


def test_a_dot_is_joined_to_its_stem_as_in_a_text_and_what_is_far_off_is_not(tmp_path: Path) -> None:
    stem = '<rect width="20" height="60" y="30"/>'
    made, _notes = read_figure(drawing(tmp_path, stem + '<rect width="20" height="15"/>'), SILENT)
    assert len(made.rings) == 1
    assert made.area == pytest.approx((20 * 60 + 20 * 15 + 15 * 0.12 * 90) / 90**2, abs=2e-3)
    with pytest.raises(StudioError, match="2 outlines side by side"):
        read_figure(drawing(tmp_path, stem + '<rect width="20" height="60" y="30" x="60"/>', "far.svg"), SILENT)


def test_holes_of_an_island_stay_and_rings_that_cross_are_refused(tmp_path: Path) -> None:
    rings = [f'<circle cx="60" cy="60" r="{radius}"/>' for radius in (50, 38, 26, 13)]
    made, _notes = read_figure(drawing(tmp_path, "".join(rings)), SILENT)
    assert len(made.rings) == 3, "the gap around the island, which a bar crosses, and the hole in it"
    with pytest.raises(StudioError, match="two paths cross or touch"):
        read_figure(drawing(tmp_path, "".join(rings) + '<circle cx="90" cy="60" r="15"/>', "cross.svg"), SILENT)


def test_a_dxf_file_is_not_upside_down(tmp_path: Path) -> None:
    path = tmp_path / "roof.dxf"
    corners = [(0, 0), (10, 0), (10, 5), (5, 9), (0, 5)]
    points = "".join(f"10\n{x}\n20\n{y}\n" for x, y in corners)
    path.write_text(f"0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n90\n5\n70\n1\n{points}0\nENDSEC\n0\nEOF\n")
    made, _notes = read_figure(path, SILENT)
    top = made.rings[0][np.argmin(made.rings[0][:, 1])]
    assert top == pytest.approx([0.0, -0.5], abs=1e-6)


@pytest.mark.parametrize(
    ("drawn", "sentence"),
    [
        ('<path d="M0,0 H50 V50"/>', "1 path is not closed"),
        ('<path d="M0,0 L50,50 V0 L0,50 Z"/>', "a path crosses itself"),
        ("", "it contains no path"),
        ('<path d="M0,0 H50 Z"/>', "enclose no area"),
        ('<rect width="20" height="30"/><rect x="50" width="20" height="30"/>', "side by side"),
        (f'<path d="M0,0 {" ".join(f"L{at},{50 + at % 7}" for at in range(1, 60))} Z', "not a valid SVG file"),
    ],
    ids=["open", "crossing", "empty", "flat", "two", "cut off"],
)
def test_a_drawing_that_is_no_silhouette_is_refused_by_name(tmp_path: Path, drawn: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=f"Cannot import frame.svg: .*{sentence}"):
        read_figure(drawing(tmp_path, drawn), SILENT)


def test_what_could_read_other_files_is_refused_and_so_are_other_formats(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    path.write_text('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>')
    with pytest.raises(StudioError, match="it declares entities"):
        read_figure(path, SILENT)
    with pytest.raises(StudioError, match="unknown file extension"):
        read_figure(tmp_path / "x.png", SILENT)


def test_a_figure_with_a_hundred_thousand_points_is_simplified_and_it_is_said(tmp_path: Path) -> None:
    turn = np.linspace(0.0, 2 * np.pi, 100_000, endpoint=False)
    radius = 45 + 4 * np.cos(5 * turn)
    places = np.stack([50 + radius * np.cos(turn), 50 + radius * np.sin(turn)], 1)
    words = " ".join(f"{x:.4f},{y:.4f}" for x, y in places.tolist())
    made, notes = read_figure(drawing(tmp_path, f'<polygon points="{words}"/>', size='width="100mm" '), SILENT)
    assert len(made.rings[0]) < 500 and notes and notes[0].startswith("Simplified 100,000 points")
    (x, y), (to_x, to_y) = places.T, np.roll(places, -1, axis=0).T
    flat = 0.5 * float((x * to_y - to_x * y).sum())
    assert made.area == pytest.approx(flat / np.ptp(places[:, 1]) ** 2, rel=1e-3)


def test_a_figure_from_a_file_becomes_a_piece_and_is_kept_in_the_puzzle(tmp_path: Path) -> None:
    drawn, _notes = read_figure(drawing(tmp_path, frame(30.0), "Ünser Frame 2.svg"), SILENT)
    design = with_drawn_figure(JigsawDesign(), drawn, 30.0, SILENT, tongues=2).design
    design = with_drawn_figure(design, drawn, 30.0, SILENT).design
    pieces = shape(design, None, SILENT).drawing
    assert pieces.pieces.names[-2:] == ("nserframe1", "nserframe2")
    assert pieces.piece_areas[-1] == pytest.approx(30.0**2 * drawn.area, rel=1e-6)
    data = dumps(JIGSAW, design)
    assert loads(data).design == design and dumps(JIGSAW, loads(data).design) == data


@pytest.mark.parametrize(
    ("title", "stem"), [("Fish", "fish"), ("2026", "figure"), ("ß", "figure"), ("a" * 30, "a" * 20)]
)
def test_names_of_figures_are_made_of_the_letters_of_their_title(title: str, stem: str) -> None:
    assert stem_of(title) == stem
