"""Patterns that other programs made are read, counted and cut: restated ones, and those of programs that are here."""

from __future__ import annotations

import shutil
import subprocess
from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.progress import SILENT
from studio.exporting.laser_files import write
from studio.fabricate.plan import Strategy, plan
from studio.fabricate.workshop import Machine
from studio.files.drawing_import import read_cuts
from studio.files.imported_paths import Reading
from studio.geometry.curves.strokes import split_at_knots, through
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.drawn_boards import with_drawn_cuts
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from tests.puzzles.jigsaw.patterns import PATTERNS, Pattern, edge, joined, line, page

INKSCAPE = shutil.which("inkscape")
PAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="200mm" height="150mm" viewBox="0 0 200 150"></svg>'
PIXEL = 25.4 / 96
GRIDS = {
    "grid_cartesian": (
        "x_divs=4 y_divs=3 dx=30 dy=30 dx_unit=mm dy_unit=mm x_subdivs=1 y_subdivs=1 x_subsubdivs=1 y_subsubdivs=1",
        12, (120.0, 90.0), 120.0 * 90.0,
    ),
    # Rings of 20 pixels; spokes begin at the first ring, but for four.
    "grid_polar": (
        "r_divs=3 dr=20 r_subdivs=1 a_divs=12 a_divs_cent=4 a_subdivs=1 a_subdivs_cent=1 c_dot_dia=0 a_labels=none",
        28, (120 * PIXEL, 120 * PIXEL), pi * (60 * PIXEL) ** 2,
    ),
    "grid_isometric": (
        "x_divs=3 y_divs=3 dx=30 subdivs=1 subsubdivs=1",
        78, (180 * PIXEL, 120 * sqrt(3) * PIXEL), 180 * 120 * sqrt(3) * PIXEL**2,
    ),
}  # fmt: skip
"""Options of Inkscape's extensions, and the pieces, size and area in mm of the boards that they draw."""
STAR = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
    'width="120mm" height="120mm" viewBox="0 0 120 120"><defs><inkscape:path-effect effect="copy_rotate" id="six" '
    'starting_point="60,0" origin="60,60" is_visible="true" lpeversion="1.2" method="normal" num_copies="6" '
    'starting_angle="0" rotation_angle="60" gap="-0.01" copies_to_360="true"/></defs>'
    '<circle cx="60" cy="60" r="50" fill="none" stroke="#000"/><path inkscape:path-effect="#six" '
    'inkscape:original-d="M 60,60 C 70,50 50,30 60,10" fill="none" stroke="#000"/></svg>'
)


def read(path: Path, unit: str | None = None) -> tuple[JigsawShapes, tuple[str, ...]]:
    drawn, notes = read_cuts(path, JigsawDesign(), SILENT, Reading(unit))
    return shape(drawn, None, SILENT), notes


def areas(shapes: JigsawShapes) -> list[float]:
    drawing = shapes.drawing
    return sorted(shapely.area(pieces_as_polygons(drawing, drawing.strokes.flattened(0.001))).tolist())


def assert_cut(shapes: JigsawShapes, pieces: int, folder: Path) -> None:
    """Assert a number of pieces in the file of a board without errors, loose lines, or loose cuts in its plan."""
    checked = JIGSAW.check(shapes.design, shapes, None, SILENT)
    assert not checked.errors and not shapes.design.loose
    planned = plan(shapes.drawing, Machine(), Strategy.RELEASE_AWARE)
    assert planned.loose_cuts == 0
    assert write(planned.drawing, folder / "board.svg").pieces == pieces
    assert len(read(folder / "board.svg")[0].drawing.pieces) == pieces


@pytest.mark.parametrize("name", PATTERNS)
def test_boards_of_other_programs_are_read_counted_and_cut(name: str, tmp_path: Path) -> None:
    pattern: Pattern = PATTERNS[name]()
    path = tmp_path / f"{name}.svg"
    path.write_text(pattern.text, encoding="utf-8")
    shapes, notes = read(path, pattern.unit)
    assert len(shapes.drawing.pieces) == pattern.pieces
    assert shapes.design.size == pytest.approx(pattern.size, abs=0.01)
    assert sum(areas(shapes)) == pytest.approx(pattern.area, rel=3e-5)
    assert len({*shapes.tiling.piece_names}) == pattern.pieces
    assert (f"Left out {pattern.repeated} lines drawn twice" in " ".join(notes)) == (pattern.repeated > 0)
    assert_cut(shapes, pattern.pieces, tmp_path)


@pytest.mark.skipif(not INKSCAPE, reason="Inkscape is not installed")
@pytest.mark.parametrize("name", GRIDS)
def test_grids_of_inkscape_are_read_counted_and_cut(name: str, tmp_path: Path) -> None:
    options, pieces, size, area = GRIDS[name]
    page, path = tmp_path / "page.svg", tmp_path / "grid.svg"
    page.write_text(PAGE)
    extended(name, page, path, options)
    shapes, _ = read(path)
    assert len(shapes.drawing.pieces) == pieces and shapes.design.size == pytest.approx(size, abs=0.01)
    assert sum(areas(shapes)) == pytest.approx(area, rel=1e-4)
    assert_cut(shapes, pieces, tmp_path)


@pytest.mark.skipif(not INKSCAPE, reason="Inkscape is not installed")
def test_a_path_effect_of_inkscape_is_read_counted_and_cut(tmp_path: Path) -> None:
    drawing, path = tmp_path / "effect.svg", tmp_path / "star.svg"
    drawing.write_text(STAR)
    actions = f"select-all;object-to-path;export-plain-svg;export-filename:{path};export-do"
    subprocess.run([str(INKSCAPE), f"--actions={actions}", drawing], check=True, capture_output=True, timeout=120)
    shapes, _ = read(path)
    assert areas(shapes) == pytest.approx([2500 * pi / 6] * 6, rel=1e-4)
    assert_cut(shapes, 6, tmp_path)


@pytest.mark.skipif(not INKSCAPE, reason="Inkscape is not installed")
@pytest.mark.parametrize("release", ["dxf_outlines", "dxf12_outlines"])
def test_a_board_that_inkscape_saved_as_dxf_is_the_same_board(release: str, tmp_path: Path) -> None:
    parameters = JigsawParameters(width=160.0, height=120.0, columns=5, rows=4, seed=3, tiling="voronoi")
    before = shape(JigsawDesign(parameters), None, SILENT)
    svg, path = tmp_path / "board.svg", tmp_path / "board.dxf"
    write(plan(before.drawing, Machine(), Strategy.RELEASE_AWARE).drawing, svg)
    extended(release, svg, path, "units=mm unit_from_document=false" if release == "dxf_outlines" else "")
    after, notes = read(path)
    # Old DXF holds lines for curves.
    assert not notes and areas(after) == pytest.approx(areas(before), abs=0.01 if release == "dxf_outlines" else 1.0)
    assert_cut(after, 20, tmp_path)


def extended(name: str, source: Path, path: Path, options: str) -> None:
    """Run an extension of Inkscape on a file, with the Python that it runs them with."""
    folder = subprocess.run([str(INKSCAPE), "--system-data-directory"], check=True, capture_output=True, text=True)
    script = Path(folder.stdout.strip()) / "extensions" / f"{name}.py"
    given = [f"--{option}" for option in options.split()]
    subprocess.run(
        ["/usr/bin/python3", script, *given, f"--output={path}", source], check=True, capture_output=True, timeout=120
    )


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_an_edge_drawn_twice_is_one_curve_in_however_many_parts(parts: int, tmp_path: Path) -> None:
    """The second drawing runs the other way, is rounded, and has nodes of its own."""
    shared = joined([edge(at, (40.0, 20.0 * at), (40.0, 20.0 * at + 20)) for at in range(3)])
    again = shared[::-1] + np.random.default_rng(parts).uniform(-1e-4, 1e-4, shared.shape)
    if parts > 1:
        again = joined(split_at_knots(again, [at + share / parts for at in range(9) for share in range(parts)][1:]))
    left = joined([line((40, 0), (0, 0), (0, 60), (40, 60)), again])
    right = joined([shared, line((40, 60), (80, 60), (80, 0), (40, 0))])
    path = tmp_path / "twice.svg"
    path.write_text(page([left, right], 80.0, 60.0))
    shapes, notes = read(path)
    assert len(shapes.drawing.pieces) == 2 and sum(areas(shapes)) == pytest.approx(4800.0, abs=0.01)
    assert any("drawn twice" in note for note in notes)
    (cut,) = shapes.design.cuts
    assert len(cut.curve) <= len(again)


@pytest.mark.parametrize("strays", [0.0005, 0.002, 0.008, 0.015])
def test_spokes_that_stray_from_their_hub_and_rim_by_less_than_the_tolerance_meet(strays: float) -> None:
    """Some end short, others beyond the hub, crossing each other there."""
    for seed in range(15):
        random = np.random.default_rng(seed)
        count = int(random.integers(3, 7))
        lines = [line((0, 0), (100, 0), (100, 100), (0, 100), (0, 0))]
        for turn in (np.arange(count) * 2 * pi / count + random.uniform(-0.3, 0.3, count)).tolist():
            way = np.array([np.cos(turn), np.sin(turn)])
            far = 50 / abs(way).max() + random.uniform(-strays, strays)
            near = way * random.uniform(-strays, strays) + random.uniform(-strays, strays, 2) / 2
            lines.append(through(50 + np.stack([near, far * way])))
        drawn, _ = with_drawn_cuts(JigsawDesign(), lines, 0.05)
        assert len(shape(drawn, None, SILENT).drawing.pieces) == count and not drawn.loose
