"""Patterns of cuts as other programs write them, restated as data: read, counted, planned and cut."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
from ezdxf.filemanagement import new

from studio.base.progress import SILENT
from studio.exporting.laser_files import write
from studio.fabricate.plan import Strategy, plan
from studio.fabricate.workshop import Machine
from studio.files.drawing_import import read_cuts
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape

CELL = 20.0
Place = tuple[float, float]


def svg(body: str, width: float = 120.0, height: float = 80.0, unit: str = "mm", scale: float = 1.0) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}{unit}" height="{height}{unit}" fill="none" '
        f'stroke="#000" viewBox="0 0 {width * scale:g} {height * scale:g}">{body}</svg>'
    )


def knob(begin: Place, end: Place, side: int) -> str:
    """A tongue of two arcs and a neck, as `a` commands relative to the edge's middle."""
    (x, y), (right, down) = begin, ((end[0] - begin[0]) / CELL, (end[1] - begin[1]) / CELL)
    across, along = (-down * side, right * side), (right, down)

    def at(u: float, v: float) -> str:
        return f"{x + CELL * (u * along[0] + v * across[0]):.3f} {y + CELL * (u * along[1] + v * across[1]):.3f}"

    sweep = 1 if side > 0 else 0
    return f"M{at(0, 0)}L{at(0.42, 0)}L{at(0.4, 0.08)}A3 3 0 1 {1 - sweep} {at(0.6, 0.08)}L{at(0.58, 0)}L{at(1, 0)}"


def edge_by_edge(tmp: Path) -> Path:
    """A path for each edge, with arcs, and a rectangle as the border; six by four pieces."""
    parts = ['<rect width="120" height="80"/>']
    for column in range(6):
        for row in range(4):
            x, y = CELL * column, CELL * row
            side = 1 if (3 * column + 5 * row) % 2 else -1
            parts += [f'<path d="{knob((x, y + CELL), (x + CELL, y + CELL), side)}"/>'] * (row < 3)
            parts += [f'<path d="{knob((x + CELL, y), (x + CELL, y + CELL), -side)}"/>'] * (column < 5)
    return written(tmp / "edges.svg", svg("".join(parts)))


def piece_by_piece(tmp: Path) -> Path:
    """A closed polygon for each piece, so that every inner cut is there twice; six by four pieces, moved by a group."""
    random = np.random.default_rng(3)
    spots = np.stack(np.meshgrid(np.arange(7.0), np.arange(5.0)), 2) * CELL
    spots[1:-1, 1:-1] += random.uniform(-4, 4, spots[1:-1, 1:-1].shape)
    corners = [(0, 0), (0, 1), (1, 1), (1, 0)]
    cells = [
        " ".join("{:.2f},{:.2f}".format(*spots[row + down, column + right]) for down, right in corners)
        for row in range(4)
        for column in range(6)
    ]
    return written(tmp / "pieces.svg", svg("".join(f'<polygon points="{cell}"/>' for cell in cells)))


def illustrator(tmp: Path) -> Path:
    """Points of 1/72 inch, styles by class, whole rows and columns of cubics and a border of four lines; 6 × 4."""
    points, lines = 72 / 25.4, []
    for count, other, turned in ((3, 6, False), (5, 4, True)):
        for at in range(1, count + 1):
            way = np.linspace(0, other * CELL, 3 * other + 1)
            off = CELL * at + np.where(np.arange(len(way)) % 3 == 0, 0.0, np.where(np.arange(len(way)) % 6 < 3, 5, -5))
            spots = np.stack([way, off] if not turned else [off, way], 1) * points
            head, rest = spots[0], spots[1:].reshape(-1, 3, 2)
            lines.append("M{:.2f},{:.2f}".format(*head) + "".join(
                "C" + ",".join(f"{x:.2f},{y:.2f}" for x, y in each) for each in rest.tolist()))  # fmt: skip
    w, h = 120 * points, 80 * points
    rim = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h), (0.0, 0.0)]
    sides = [
        f'<line class="b" x1="{a:.2f}" y1="{b:.2f}" x2="{c:.2f}" y2="{d:.2f}"/>' for (a, b), (c, d) in pairwise(rim)
    ]
    body = "<style>.a,.b{fill:none;stroke:#231f20;stroke-miterlimit:10}</style><g id='Layer_1'>"
    body += "".join(f'<path class="a" d="{line}"/>' for line in lines) + "".join(sides) + "</g>"
    return written(tmp / "illustrator.svg", svg(body, 120, 80, "mm", points))


def hexagons(tmp: Path) -> Path:
    """Seven hexagons as closed paths with a transform each: one in the middle and six around."""
    side = 12.0
    angles = np.pi / 3 * np.arange(6) + np.pi / 6
    cell = "M" + "L".join(f"{side * np.cos(a):.4f} {side * np.sin(a):.4f}" for a in angles.tolist()) + "Z"
    apart = side * np.sqrt(3)
    middles = [(0.0, 0.0), *((apart * np.cos(a), apart * np.sin(a)) for a in (np.pi / 3 * np.arange(6)).tolist())]
    body = f'<defs><path id="cell" d="{cell}"/></defs>' + "".join(
        f'<use href="#cell" transform="translate({50 + x:.4f} {50 + y:.4f})"/>' for x, y in middles
    )
    return written(tmp / "hexagons.svg", svg(body, 100, 100))


def rings(tmp: Path) -> Path:
    """Three circles and eight rays, which begin at the inner circle: 1 + 2 × 8 pieces."""
    body = "".join(f'<circle cx="50" cy="50" r="{radius}"/>' for radius in (15, 30, 45)) + "".join(
        f'<line x1="{50 + 15 * np.cos(a):.4f}" y1="{50 + 15 * np.sin(a):.4f}" x2="{50 + 45 * np.cos(a):.4f}" '
        f'y2="{50 + 45 * np.sin(a):.4f}"/>'
        for a in (np.pi / 4 * np.arange(8)).tolist()
    )
    return written(tmp / "rings.svg", svg(body, 100, 100))


def voronoi(tmp: Path) -> Path:
    """The edges of a Voronoi diagram with one decimal, clipped to a circle of a hundred corners."""
    random = np.random.default_rng(8)
    spots = shapely.multipoints(random.uniform(10, 90, (20, 2)))
    disc = shapely.buffer(shapely.Point(50, 50), 40, quad_segs=25)
    cells = shapely.intersection(shapely.get_parts(shapely.voronoi_polygons(spots, extend_to=disc)), disc)
    body = "".join(
        '<polygon points="' + " ".join(f"{x:.3f},{y:.3f}" for x, y in shapely.get_coordinates(cell)[:-1]) + '"/>'
        for cell in cells
    )
    path = written(tmp / "voronoi.svg", svg(body, 100, 100))
    COUNTS["voronoi"] = len(cells)
    return path


def r12(tmp: Path) -> Path:
    """A DXF of LINE entities alone, exploded, of an early version without units: five by three pieces."""
    document = new("R12")
    space = document.modelspace()
    for at in range(4):
        for column in range(5):
            space.add_line((column * CELL, at * CELL), ((column + 1) * CELL, at * CELL))
    for at in range(6):
        for row in range(3):
            space.add_line((at * CELL, row * CELL), (at * CELL, (row + 1) * CELL))
    document.saveas(tmp / "r12.dxf")
    return tmp / "r12.dxf"


def arcs_and_splines(tmp: Path) -> Path:
    """A DXF with a circle as the border, a spline across it, an arc that crosses this, and a line: five pieces."""
    document = new("R2010", units=4)
    space = document.modelspace()
    space.add_circle((50, 50), 40)
    space.add_spline(fit_points=[(10, 50), (30, 62), (50, 50), (70, 38), (90, 50)], degree=3)
    space.add_arc((10, 90), 40, 270, 360)
    space.add_line((50, 10), (50, 50))
    document.saveas(tmp / "curves.dxf")
    return tmp / "curves.dxf"


def overshooting(tmp: Path) -> Path:
    """A grid drawn by hand in a drawing program: lines run past the border by up to 0.04 mm, or end short of it."""
    random = np.random.default_rng(5)
    body = '<rect x="0" y="0" width="120" height="80"/>'
    for at in range(1, 6):
        a, b = random.uniform(-0.04, 0.04, 2)
        body += f'<path d="M{CELL * at} {a:.3f}V{80 + b:.3f}"/>'
    for at in range(1, 4):
        a, b = random.uniform(-0.04, 0.04, 2)
        body += f'<path d="M{a:.3f} {CELL * at}H{120 + b:.3f}"/>'
    return written(tmp / "hand.svg", svg(body))


def noodles(tmp: Path) -> Path:
    """Two waves of many short lines across a rectangle, which cross each other; counted by shapely."""
    x = np.linspace(0, 100, 300)
    waves = [np.round(np.stack([x, 40 + 25 * each(x / 8)], 1), 3) for each in (np.sin, np.cos)]
    body = '<rect width="100" height="80"/>' + "".join(
        '<polyline points="' + " ".join(f"{u:.3f},{v:.3f}" for u, v in wave.tolist()) + '"/>' for wave in waves
    )
    lines = shapely.union_all([*map(shapely.linestrings, waves), shapely.box(0, 0, 100, 80).exterior])
    COUNTS["noodles"] = len(shapely.get_parts(shapely.polygonize(shapely.get_parts(lines))))
    return written(tmp / "noodles.svg", svg(body, 100, 80))


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


COUNTS = {
    "edge_by_edge": 24, "piece_by_piece": 24, "illustrator": 24, "hexagons": 7, "rings": 17, "r12": 15,
    "arcs_and_splines": 5, "overshooting": 24,
}  # fmt: skip
PROGRAMS: list[Callable[[Path], Path]] = [
    edge_by_edge, piece_by_piece, illustrator, hexagons, rings, voronoi, r12, arcs_and_splines, overshooting, noodles,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_patterns_of_other_programs_are_read_counted_and_cut(program: Callable[[Path], Path], tmp_path: Path) -> None:
    path = program(tmp_path)
    drawn, notes = read_cuts(path, JigsawDesign(), SILENT)
    shapes = shape(drawn, None, SILENT)
    assert len(shapes.drawing.pieces) == COUNTS[program.__name__] and not drawn.loose
    assert all(each.startswith(("Closed ", "Left out ")) for each in notes)
    checked = JIGSAW.check(drawn, shapes, None, SILENT)
    planned = plan(shapes.whole, Machine(), Strategy.RELEASE_AWARE)
    assert not checked.errors and planned.loose_cuts == 0
    assert write(planned.drawing, tmp_path / "board.svg").pieces == COUNTS[program.__name__]
