import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from ezdxf.document import Drawing as Document
from ezdxf.entities.dxfentity import DXFEntity
from ezdxf.entities.lwpolyline import LWPolyline
from ezdxf.entities.polyline import Polyline
from ezdxf.entities.spline import Spline
from ezdxf.filemanagement import readfile
from ezdxf.path import make_path

from studio.exporting.colour_profiles import profile
from studio.exporting.formats import Options
from studio.exporting.options import DxfOptions
from studio.exporting.writers.dxf import dxf
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Drawing

Grid = Callable[..., Drawing]
VARIANTS = [
    Options(),
    Options(version="R12"),
    Options(curves="polyline"),
    Options(version="R12", curves="polyline"),
    Options(curves="spline"),
    Options(close=True),
    Options(version="R12", close=True),
    Options(tolerance=0.2, profile="workshop"),
]
ROOT = Path(__file__).resolve().parents[3]


def opened(drawing: Drawing, options: DxfOptions, folder: Path) -> Document:
    path = folder / "puzzle.dxf"
    path.write_bytes(dxf(drawing, options))
    return readfile(path)


def lines_in(document: Document) -> list[Floats]:
    """The lines of a file, arcs and splines as ezdxf divides them."""
    lines = []
    for entity in document.modelspace():
        if isinstance(entity, Spline):
            lines.append(np.array([(p.x, p.y) for p in entity.flattening(0.002)]))
            continue
        assert isinstance(entity, LWPolyline | Polyline)
        if entity.has_arc:
            lines.append(np.array([(p.x, p.y) for p in make_path(entity).flattening(0.001)]))
            continue
        points = vertices_of(entity)
        closed = entity.closed if isinstance(entity, LWPolyline) else entity.is_closed
        lines.append(np.concatenate([points, points[:1]]) if closed else points)
    return lines


def vertices_of(entity: DXFEntity) -> Floats:
    assert isinstance(entity, LWPolyline | Polyline)
    if isinstance(entity, LWPolyline):
        return np.array(list(entity.get_points("xy")))
    return np.array([(p.x, p.y) for p in entity.points()])


def bulges_of(entity: DXFEntity) -> Floats:
    """The bulges of a polyline, one a vertex."""
    assert isinstance(entity, LWPolyline | Polyline)
    if isinstance(entity, LWPolyline):
        return np.array(list(entity.get_points("b")))[:, 0]
    return np.array([vertex.dxf.get("bulge", 0.0) for vertex in entity.vertices])


@pytest.mark.parametrize("options", VARIANTS, ids=repr)
def test_ezdxf_finds_nothing_to_mend_and_the_pieces_enclosed(grid: Grid, options: DxfOptions, tmp_path: Path) -> None:
    document = opened(grid(4, 3), options, tmp_path)
    audit = document.audit()
    assert (audit.errors, audit.fixes) == ([], [])
    noded = shapely.unary_union([shapely.linestrings(np.round(line, 4)) for line in lines_in(document)])
    assert len(shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))) == 12


@pytest.mark.parametrize("options", VARIANTS, ids=repr)
def test_lines_are_as_long_as_the_cut(grid: Grid, options: DxfOptions, tmp_path: Path) -> None:
    drawing = grid(4, 3)
    lines = lines_in(opened(drawing, options, tmp_path))
    assert len(lines) == len(drawing.chains)
    length = sum(shapely.length(shapely.linestrings(line)) for line in lines)
    assert length == pytest.approx(drawing.cut_length, rel=0.003 if options.tolerance < 0.1 else 0.03)


def test_r2000_says_that_its_unit_is_the_millimetre_and_how_large_the_page_is(grid: Grid, tmp_path: Path) -> None:
    document = opened(grid(4, 3), Options(), tmp_path)
    assert document.dxfversion == "AC1015"
    assert (document.header["$INSUNITS"], document.header["$MEASUREMENT"]) == (4, 1)
    assert document.header["$PSVPSCALE"] == 1.0, "LibreCAD prints a blank page at 0"
    assert tuple(document.header["$EXTMIN"]) == (0, 0, 0)
    assert tuple(document.header["$EXTMAX"]) == (80, 60, 0)


def test_r12_has_the_header_of_r12(grid: Grid, tmp_path: Path) -> None:
    data = dxf(grid(4, 3), Options(version="R12"))
    document = opened(grid(4, 3), Options(version="R12"), tmp_path)
    assert document.dxfversion == "AC1009"
    assert b"AC1009" in data and b"INSUNITS" not in data and b"LWPOLYLINE" not in data
    assert tuple(document.header["$EXTMAX"]) == (80, 60, 0)


@pytest.mark.parametrize("key", ["lightburn", "single", "workshop"])
@pytest.mark.parametrize("version", ["R2000", "R12"])
def test_entities_take_their_colour_from_their_layer(grid: Grid, key: str, version: str, tmp_path: Path) -> None:
    document = opened(grid(3, 3), Options(profile=key, version=version), tmp_path)
    known = profile(key)
    used = [entity.dxf.layer for entity in document.modelspace()]
    assert used == ["CUT_INNER"] * 4 + ["CUT_BORDER"]
    for layer in known.layers[2:]:
        assert document.layers.get(layer.name).dxf.color == layer.aci
    assert all(entity.dxf.get("color", 256) == 256 for entity in document.modelspace())
    assert "ENGRAVE" not in document.layers


def test_y_points_up_from_the_lower_left_corner(grid: Grid, tmp_path: Path) -> None:
    drawing = grid(3, 2)
    border = lines_in(opened(drawing, Options(), tmp_path))[-1]
    assert border[0].tolist() == [0, 40] and border.min() == 0
    assert border.max(axis=0).tolist() == [60, 40]


@pytest.mark.parametrize("version", ["R2000", "R12"])
def test_the_first_point_is_repeated_only_on_request(grid: Grid, version: str, tmp_path: Path) -> None:
    def border(close: bool) -> tuple[bool, Floats]:
        entity = list(opened(grid(2, 2), Options(version=version, close=close), tmp_path).modelspace())[-1]
        if isinstance(entity, LWPolyline):
            return entity.closed, np.array(list(entity.get_points("xy")))
        assert isinstance(entity, Polyline)
        return entity.is_closed, np.array([(p.x, p.y) for p in entity.points()])

    closed, points = border(close=False)
    assert closed and len(points) == len(np.unique(points, axis=0)) == 8
    closed, points = border(close=True)
    assert closed and len(points) == 9 and (points[0] == points[-1]).all()


def test_splines_have_the_very_control_points_of_the_drawing(grid: Grid, tmp_path: Path) -> None:
    drawing = grid(4, 3)
    splines = list(opened(drawing, Options(curves="spline"), tmp_path).modelspace())
    for spline, path in zip(splines, drawing.paths(), strict=True):
        assert isinstance(spline, Spline)
        assert (spline.dxf.degree, spline.dxf.flags) == (3, 8)
        wanted = path.points * (1, -1) + (0, drawing.height)
        np.testing.assert_allclose(np.array(spline.control_points)[:, :2], wanted, atol=0.5001e-4)
        cubics = (len(wanted) - 1) // 3
        knots = [0.0, *np.repeat(np.arange(cubics + 1), 3), cubics]
        assert list(spline.knots) == knots
        middle = spline.construction_tool().point(0.5)
        bezier = np.array([1, 3, 3, 1]) / 8 @ wanted[:4]
        assert (middle.x, middle.y) == pytest.approx(tuple(bezier), abs=1e-4)


@pytest.mark.parametrize("options", [Options(), Options(version="R12"), Options(curves="polyline")], ids=repr)
def test_junctions_are_vertices_of_every_chain_that_passes(grid: Grid, options: DxfOptions, tmp_path: Path) -> None:
    drawing = grid(4, 3)
    document = opened(drawing, options, tmp_path)
    vertices = [set(map(tuple, vertices_of(entity).tolist())) for entity in document.modelspace()]
    rows, columns, border = vertices[:2], vertices[2:5], vertices[5]
    assert all(len(row & column) == 1 for row in rows for column in columns)
    assert all(len(line & border) == 2 for line in rows + columns)


@pytest.mark.parametrize("version", ["R2000", "R12"])
def test_arcs_are_few_and_follow_the_curves_as_ezdxf_reads_them(grid: Grid, version: str, tmp_path: Path) -> None:
    drawing = grid(4, 3)
    entities = list(opened(drawing, Options(version=version), tmp_path).modelspace())
    lines = lines_in(opened(drawing, Options(version=version), tmp_path))
    for line, path in zip(lines, drawing.paths(), strict=True):
        wanted = Curves.from_strokes([path.points * (1, -1) + (0, drawing.height)]).flattened(0.0005).points
        apart = shapely.hausdorff_distance(shapely.linestrings(line), shapely.linestrings(wanted))
        assert apart <= 0.01 + 0.0015
    finer = list(opened(drawing, Options(version=version, curves="polyline"), tmp_path).modelspace())
    assert sum(len(bulges_of(one)) for one in entities) < 0.33 * sum(len(bulges_of(one)) for one in finer)
    assert all(np.abs(bulges_of(one)).max() > 0.01 for one in entities[:5])
    assert not bulges_of(entities[5]).any(), "the border is straight"


def test_ends_that_agree_but_for_noise_are_one_point(grid: Grid, tmp_path: Path) -> None:
    drawing = grid(4, 4)
    points = drawing.strokes.points.copy()
    ends = np.unique(np.concatenate([drawing.strokes.starts[:-1], drawing.strokes.starts[1:] - 1]))
    points[ends] = np.round(points[ends], 4) + 0.00005
    points[ends] += np.random.default_rng(5).uniform(-1e-9, 1e-9, (len(ends), 2))
    noisy = replace(drawing, strokes=Curves(points, drawing.strokes.starts), width=81, height=81)
    lines = lines_in(opened(noisy, Options(), tmp_path))
    noded = shapely.unary_union([shapely.linestrings(line) for line in lines])
    assert len(shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))) == 16


@pytest.mark.sampled(2)
@pytest.mark.parametrize("options", VARIANTS, ids=repr)
def test_two_processes_write_the_same_bytes(grid: Grid, options: DxfOptions) -> None:
    program = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, {str(Path(__file__).parents[1])!r}]
from conftest import grid
from studio.exporting.formats import Options
from studio.exporting.writers.dxf import dxf
from studio.exporting.options import DxfOptions
sys.stdout.buffer.write(dxf(grid(3, 2), {options!r}))
"""
    environment = {**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, timeout=60)
    assert done.stderr == b""
    assert done.stdout == dxf(grid(3, 2), options)
