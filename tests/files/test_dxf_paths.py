"""DXF files are read as they are drawn: blocks, layers, splines, arcs, and files that are damaged or of other makers.

Each drawing has an area worked out by hand, and is compared with what ezdxf's own renderer draws of the same file.
"""

import io
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from math import cos, pi, radians, sin, sqrt, tan
from pathlib import Path

import numpy as np
import pytest
import shapely
from ezdxf.addons.drawing.frontend import Frontend
from ezdxf.addons.drawing.properties import RenderContext
from ezdxf.addons.drawing.recorder import PathRecord, PointsRecord, Recorder
from ezdxf.document import Drawing
from ezdxf.filemanagement import new
from ezdxf.layouts.blocklayout import BlockLayout
from ezdxf.layouts.layout import Modelspace
from ezdxf.math import Vec3

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files import dxf_paths
from studio.files.drawing_import import read_paths, read_silhouette
from studio.files.imported_paths import Reading
from studio.geometry.curves.joining import joined
from studio.geometry.curves.rings import Outlined
from studio.geometry.curves.strokes import Curves

SQUARE = [(0, 0), (40, 0), (40, 30), (0, 30)]
"""1,200 mm²."""


def written(tmp_path: Path, draw: Callable[[Modelspace, Drawing], object], version: str = "R2010") -> Path:
    document = new(version, units=4)
    draw(document.modelspace(), document)
    path = tmp_path / "drawing.dxf"
    document.saveas(path)
    return path


def read(path: Path, unit: str | None = None) -> Outlined:
    return read_paths(path, Reading(unit), SILENT)


def refused(path: Path) -> str:
    with pytest.raises(StudioError) as caught:
        read(path, "mm")
    return str(caught.value)


def area(found: Outlined) -> float:
    """The outline's area in mm² without its holes."""
    return float(Curves.from_strokes(list(found.rings)).flattened(1e-7).sweeps.sum())


def rendered(document: Drawing) -> float:
    """The area in mm² within the lines that ezdxf's renderer draws, counted by even and odd."""
    recorder = Recorder()
    Frontend(RenderContext(document), recorder).draw_layout(document.modelspace())
    lines = []
    for record, _properties in recorder.player().recordings():
        if isinstance(record, PathRecord):
            lines.append([(point.x, point.y) for point in record.path.flattening(0.005)])
        elif isinstance(record, PointsRecord):
            lines.append([(point.x, point.y) for point in record.points.vertices()])
    drawn = shapely.MultiLineString([line for line in lines if len(line) > 1])
    rings = shapely.get_parts(shapely.polygonize([shapely.node(shapely.set_precision(drawn, 1e-4))]))
    whole = shapely.union_all([shapely.Polygon(ring.exterior) for ring in rings])
    inside = sum(ring.area for ring in rings if shapely.contains_properly(whole, ring))
    return float(whole.area - inside)


def block(document: Drawing, name: str = "B", base: tuple[float, float] = (0, 0)) -> None:
    document.blocks.new(name, base_point=base).add_lwpolyline(SQUARE, close=True)


def of_block(content: Callable[[Drawing], object], **placed: object) -> Callable[[Modelspace, Drawing], None]:
    def draw(model: Modelspace, document: Drawing) -> None:
        content(document)
        model.add_blockref("B", (10, 10), dxfattribs=placed)

    return draw


def nested(document: Drawing) -> None:
    block(document, "A", (5, 5))
    document.blocks.new("B").add_blockref("A", (0, 0), dxfattribs={"rotation": 45, "xscale": 2, "yscale": 0.5})


def circled(document: Drawing) -> None:
    made = document.blocks.new("B")
    made.add_circle((0, 0), 20)
    made.add_circle((3, 0), 5)


def lines_and_arcs(document: Drawing) -> None:
    made = document.blocks.new("B")
    made.add_line((0, 0), (30, 0))
    made.add_line((30, 20), (0, 20))
    made.add_arc((30, 10), 10, -90, 90)
    made.add_arc((0, 10), 10, 90, 270)


def array(document: Drawing) -> None:
    made = document.blocks.new("B")
    made.add_line((0, 0), (10, 0))
    made.add_line((0, 30), (10, 30))
    document.modelspace().add_line((10, 10), (10, 40))
    document.modelspace().add_line((40, 10), (40, 40))


BLOCKS = {
    "as it is": (of_block(block), 1200),
    "scaled": (of_block(block, xscale=2, yscale=0.5), 1200),
    "mirrored": (of_block(block, xscale=-1.5), 1800),
    "turned": (of_block(block, rotation=33, yscale=3), 3600),
    "from behind": (of_block(block, extrusion=(0, 0, -1), rotation=20), 1200),
    "based elsewhere": (of_block(lambda document: block(document, base=(20, 10))), 1200),
    "nested": (of_block(nested, rotation=15), 1200),
    "circles made ellipses": (of_block(circled, xscale=0.5, rotation=10), (400 - 25) * pi / 2),
    "arcs made elliptical": (of_block(lines_and_arcs, xscale=2), 2 * (600 + 100 * pi)),
    "in a row": (of_block(array, column_count=3, column_spacing=10), 900),
}


def layered(state: str) -> Callable[[Modelspace, Drawing], None]:
    def draw(model: Modelspace, document: Drawing) -> None:
        layer = document.layers.add("Guide")
        model.add_lwpolyline(SQUARE, close=True)
        guide = {"layer": "GUIDE"}
        if state == "off":
            layer.off()
        elif state == "frozen":
            layer.freeze()
        elif state == "not plotted":
            layer.dxf.plot = 0
        elif state == "Defpoints":
            guide = {"layer": "Defpoints"}
        elif state == "invisible":
            guide = {"layer": "0", "invisible": 1}  # type: ignore[dict-item]
        model.add_circle((20, 15), 100, dxfattribs=guide)
        model.add_text("left out", dxfattribs=guide)

    return draw


def hidden_reference(model: Modelspace, document: Drawing) -> None:
    """What a block draws on other layers than 0 goes with a frozen layer of its reference."""
    document.layers.add("Guide").freeze()
    document.blocks.new("B").add_circle((0, 0), 99, dxfattribs={"layer": "Cut"})
    model.add_blockref("B", (0, 0), dxfattribs={"layer": "Guide"})
    model.add_lwpolyline(SQUARE, close=True)


def zero_in_reference(model: Modelspace, document: Drawing) -> None:
    """Layer 0 of a block is the layer of its reference, others stay."""
    document.layers.add("Guide").off()
    made = document.blocks.new("B")
    made.add_circle((0, 0), 99)
    made.add_lwpolyline(SQUARE, close=True, dxfattribs={"layer": "Cut"})
    model.add_blockref("B", (0, 0), dxfattribs={"layer": "Guide"})


def zero_off(model: Modelspace, document: Drawing) -> None:
    document.layers.get("0").off()
    document.blocks.new("B").add_lwpolyline(SQUARE, close=True)
    model.add_blockref("B", (0, 0), dxfattribs={"layer": "Cut"})
    model.add_circle((0, 0), 99)


def paper(model: Modelspace, document: Drawing) -> None:
    model.add_lwpolyline(SQUARE, close=True)
    document.layout("Layout1").add_circle((0, 0), 99)


LAYERS = {
    "off": (layered("off"), ("2 × layer GUIDE (off)",)),
    "frozen": (layered("frozen"), ("2 × layer GUIDE (frozen)",)),
    "not plotted": (layered("not plotted"), ("2 × layer GUIDE (not plotted)",)),
    "Defpoints": (layered("Defpoints"), ("2 × layer Defpoints (not plotted)",)),
    "invisible": (layered("invisible"), ("2 × invisible element",)),
    "reference on a frozen layer": (hidden_reference, ("1 × layer Guide (frozen)",)),
    "layer 0 in a block": (zero_in_reference, ("1 × layer Guide (off)",)),
    "layer 0 off, in a block of another": (zero_off, ("1 × layer 0 (off)",)),
    "paper space": (paper, ()),
}

CORNERS = [(0, 0), (30, 0), (45, 25), (30, 45), (-5, 40), (0, 0)]
CLOVER = [(cos(radians(at)) * 30, sin(radians(at)) * 30) for at in range(0, 360, 15)]


def rational(model: Modelspace, _document: Drawing) -> None:
    """A circle of radius 20, as a rational spline of quarter turns."""
    corners = [(20, 0), (20, 20), (0, 20), (-20, 20), (-20, 0), (-20, -20), (0, -20), (20, -20), (20, 0)]
    model.add_rational_spline(corners, [1, sqrt(0.5)] * 4 + [1], degree=2, knots=[0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4])


def rational_in_block(model: Modelspace, document: Drawing) -> None:
    made = document.blocks.new("B")
    rational(made, document)  # type: ignore[arg-type]
    model.add_blockref("B", (0, 0), dxfattribs={"xscale": 2, "rotation": 30})


def of_lines(degree: int) -> Callable[[Modelspace, Drawing], object]:
    return lambda model, _document: model.add_open_spline([*CORNERS[:-1], CORNERS[0]], degree=degree)


def with_tangents(model: Modelspace, _document: Drawing) -> None:
    spline = model.add_spline(CORNERS)
    spline.dxf.start_tangent, spline.dxf.end_tangent = (1, 0, 0), (0, -1, 0)


SPLINES: dict[str, tuple[Callable[[Modelspace, Drawing], object], float | None]] = {
    "through points": (lambda model, _document: model.add_spline(CORNERS), None),
    "through points of a circle": (lambda model, _document: model.add_spline([*CLOVER, CLOVER[0]]), 900 * pi),
    "through points with tangents": (with_tangents, None),
    "through points, R2000": (lambda model, _document: model.add_spline([*CLOVER, CLOVER[0]]), 900 * pi),
    "of degree 2": (of_lines(2), None),
    "of degree 3": (of_lines(3), None),
    "of degree 5": (of_lines(5), None),
    "closed": (lambda model, _document: model.add_spline().set_closed([Vec3(*point) for point in CLOVER]), None),
    "rational": (rational, 400 * pi),
    "rational in a block": (rational_in_block, 800 * pi),
}


def lens(bulge: float) -> Callable[[Modelspace, Drawing], object]:
    return lambda model, _document: model.add_lwpolyline([(0, 0, bulge), (40, 0, bulge)], format="xyb", close=True)


def segment(bulge: float, chord: float = 40.0) -> float:
    """The area in mm² between an arc and its chord."""
    angle = 4 * np.arctan(bulge)
    radius = chord / 2 / sin(angle / 2)
    return float(radius**2 / 2 * (angle - sin(angle)))


def old_polyline(model: Modelspace, _document: Drawing) -> None:
    model.add_polyline2d([(0, 0, 1), (40, 0, 0), (40, 30, 1), (0, 30, 0)], format="xyb", close=True)


def from_behind(model: Modelspace, _document: Drawing) -> None:
    points = [(0, 0, 1), (40, 0, 0), (40, 30, 1), (0, 30, 0)]
    model.add_lwpolyline(points, format="xyb", close=True, dxfattribs={"extrusion": (0, 0, -1), "elevation": 7})


def in_block(model: Modelspace, document: Drawing) -> None:
    lens(1.0)(document.blocks.new("B"), document)  # type: ignore[arg-type]
    model.add_blockref("B", (0, 0), dxfattribs={"xscale": 2, "yscale": -1, "rotation": 70})


def slot(model: Modelspace, _document: Drawing) -> None:
    model.add_lwpolyline(SQUARE, close=True)
    model.add_lwpolyline([(10, 10, 0), (30, 10, 1), (30, 20, 0), (10, 20, 1)], format="xyb", close=True)


BULGES = {
    "circle": (lens(1.0), 400 * pi),
    "lens": (lens(0.5), 2 * segment(0.5)),
    "thin lens": (lens(tan(radians(10))), 2 * segment(tan(radians(10)))),
    "long way round": (lens(3.0), 2 * segment(3.0)),
    "clockwise": (lens(-0.7), 2 * segment(0.7)),
    "bay and bow": (
        lambda model, _document: model.add_lwpolyline(
            [(0, 0, 0.3), (40, 0, 0), (40, 30, -0.3), (0, 30, 0)], format="xyb", close=True
        ),
        1200.0,
    ),
    "old polyline": (old_polyline, 1200 + 400 * pi),
    "from behind": (from_behind, 1200 + 400 * pi),
    "in a block": (in_block, 800 * pi),
    "hole": (slot, 1200 - 200 - 25 * pi),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_block_references_are_drawn_out(tmp_path: Path, name: str) -> None:
    draw, right = BLOCKS[name]
    path = written(tmp_path, draw)
    assert area(read(path)) == pytest.approx(right, rel=1e-4)
    assert area(read(path)) == pytest.approx(rendered(drawn(draw)), rel=0.01)


@pytest.mark.parametrize("name", LAYERS)
def test_what_a_drawing_does_not_show_is_left_out_and_said(tmp_path: Path, name: str) -> None:
    draw, hidden = LAYERS[name]
    found = read(written(tmp_path, draw))
    assert found.size == pytest.approx((40, 30)) and area(found) == pytest.approx(1200)
    assert found.notes == tuple(f"Left out, not shown in the drawing: {each}." for each in hidden)


@pytest.mark.parametrize("name", SPLINES)
def test_splines_are_followed(tmp_path: Path, name: str) -> None:
    draw, right = SPLINES[name]
    found = read(written(tmp_path, draw, "R2000" if "R2000" in name else "R2018"))
    assert area(found) == pytest.approx(rendered(drawn(draw)), rel=0.01)
    if right is not None:
        assert area(found) == pytest.approx(right, rel=1e-3)


@pytest.mark.parametrize("name", BULGES)
def test_bulges_are_arcs(tmp_path: Path, name: str) -> None:
    draw, right = BULGES[name]
    found = read(written(tmp_path, draw))
    assert area(found) == pytest.approx(right, rel=1e-4)
    assert area(found) == pytest.approx(rendered(drawn(draw)), rel=0.01)


BEHIND = {"extrusion": (0, 0, -1)}
"""The plane seen from behind: x grows to the left."""


def half_disc(made: BlockLayout) -> None:
    """Right of x = 5, seen from behind."""
    made.add_arc((-5, 5), 3, 90, 270, dxfattribs=BEHIND)
    made.add_line((5, 2), (5, 8))


def ellipse_from_behind(made: BlockLayout) -> None:
    made.add_ellipse((5, 5), (0, 4), ratio=0.5, dxfattribs=BEHIND)


def bulged(made: BlockLayout) -> None:
    """A disc of radius 3, of an arc of 90° and one of 270°."""
    quarter = tan(pi / 8)
    ends = [(-8, 5, quarter), (-5, 2, 1 / quarter)]
    made.add_lwpolyline(ends, format="xyb", close=True, dxfattribs=BEHIND)


def rounded(made: BlockLayout) -> None:
    """A disc of radius 20 / 4 as a rational spline, in a block of its own."""
    assert made.doc is not None
    rational(made.doc.blocks.new("R"), made.doc)  # type: ignore[arg-type]
    made.add_blockref("R", (5, 5), dxfattribs={"xscale": -0.25, "yscale": 0.25, "rotation": 77})


DEEP: dict[str, tuple[Callable[[BlockLayout], object], list[tuple[complex, float]]]] = {
    "circles": (
        lambda made: (made.add_circle((5, 5), 3), made.add_circle((20, 5), 2, dxfattribs=BEHIND)),
        [(5 + 5j, 9 * pi), (-20 + 5j, 4 * pi)],
    ),
    "arc": (half_disc, [(5 + 4 / pi + 5j, 9 * pi / 2)]),
    "ellipse": (ellipse_from_behind, [(5 + 5j, 8 * pi)]),
    "bulges": (bulged, [(5 + 5j, 9 * pi)]),
    "spline": (rounded, [(5 + 5j, 25 * pi)]),
}
"""What a block draws, with the centroid and area in mm² of each of its shapes."""


@pytest.mark.parametrize("name", DEEP)
def test_mirrored_arrays_of_turned_blocks_keep_every_curve_exact(tmp_path: Path, name: str) -> None:
    draw, shapes = DEEP[name]

    def nest(model: Modelspace, document: Drawing) -> None:
        draw(document.blocks.new("B"))
        document.blocks.new("C").add_blockref("B", (3, 3), dxfattribs={"rotation": 20})
        rows = {"row_count": 2, "row_spacing": 200, "column_count": 3, "column_spacing": 200}
        model.add_blockref("C", (1, 1), dxfattribs={"yscale": -1, "rotation": 45, **rows})

    strokes = dxf_paths.read(written(tmp_path, nest).read_bytes(), None, SILENT).strokes
    rings = joined(strokes, 1e-9, SILENT).rings
    turn = np.exp(1j * pi / 4)
    right = [
        (1 + 1j + turn * ((3 + 3j + np.exp(1j * pi / 9) * middle).conjugate() + 200 * (column + 1j * row)), area)
        for row, column in product(range(2), range(3))
        for middle, area in shapes
    ]
    assert len(rings) == len(right)
    for ring in rings:
        polygon = shapely.Polygon(Curves.from_strokes([ring]).flattened(1e-7).points)
        centre = complex(polygon.centroid.x, polygon.centroid.y)
        middle, area = min(right, key=lambda one: abs(one[0] - centre))
        assert abs(middle - centre) < 1e-6 and polygon.area == pytest.approx(area, rel=1e-6)


def drawn(draw: Callable[[Modelspace, Drawing], object]) -> Drawing:
    document = new(units=4)
    draw(document.modelspace(), document)
    return document


def plain(entities: str, head: str = "", tail: str = "0\nENDSEC\n0\nEOF\n") -> str:
    return f"{head}0\nSECTION\n2\nENTITIES\n{entities}{tail}"


RECTANGLE = "".join(
    f"0\nLINE\n8\n0\n10\n{x}\n20\n{y}\n11\n{u}\n21\n{v}\n"
    for (x, y), (u, v) in zip(SQUARE, [*SQUARE[1:], SQUARE[0]], strict=True)
)
POLYGON = "0\nLWPOLYLINE\n8\n0\n90\n4\n70\n1\n" + "".join(f"10\n{x}\n20\n{y}\n" for x, y in SQUARE)

OLD = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n0\nENDSEC\n"
WRONG = {
    "a number that is none": "0\nLINE\n10\n1,5\n20\n3\n11\n4\n21\n5\n",
    "a number that is not finite": "0\nARC\n10\n1\n20\nnan\n40\n9\n50\n0\n51\n9\n",
    "half a point": "0\nCIRCLE\n10\n1\n40\n9\n",
    "too few points": POLYGON.replace("\n4\n", "\n9\n", 1),
    "too few knots": "0\nSPLINE\n71\n3\n40\n0\n40\n1\n" + "10\n1\n20\n2\n" * 4,
    "a damaged vertex": "0\nPOLYLINE\n66\n1\n0\nVERTEX\n10\n1\n20\n2\n0\nVERTEX\n10\nx\n20\n2\n0\nSEQEND\n",
}
TEXTS = {
    "nothing but lines": (plain(RECTANGLE), ""),
    "a newer entity without a header": (plain(POLYGON), ""),
    "a newer entity in a file of R12": (plain(POLYGON, OLD), ""),
    "CR": (plain(RECTANGLE).replace("\n", "\r"), ""),
    "CR LF": (plain(RECTANGLE).replace("\n", "\r\n"), ""),
    "spaces and a comment": ("  999\nby hand\n" + plain(RECTANGLE).replace("\n", "  \n "), ""),
    "empty lines before and after": ("\n\n" + plain(RECTANGLE) + "\n\n\n", ""),
    "no EOF": (plain(RECTANGLE, tail="0\nENDSEC\n"), "The file ends early; check that nothing is missing."),
    "no ENDSEC": (plain(RECTANGLE, tail=""), "The file ends early; check that nothing is missing."),
    **{
        name: (plain(RECTANGLE + wrong), f"Left out, damaged: 1 × {wrong.split()[1]}.") for name, wrong in WRONG.items()
    },
    "a block that is not there": (
        plain(RECTANGLE + "0\nINSERT\n2\nNONE\n10\n1\n20\n2\n"), "Left out, not a path: 1 × missing block.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_plain_and_damaged_files_are_read(tmp_path: Path, name: str) -> None:
    text, note = TEXTS[name]
    path = tmp_path / "plain.dxf"
    path.write_bytes(text.encode())
    found = read(path, "mm")
    assert found.size == pytest.approx((40, 30)) and area(found) == pytest.approx(1200)
    assert found.notes == ((note,) if note else ())


@pytest.mark.parametrize("version", ["R12", "R2000", "R2007", "R2010", "R2013", "R2018"])
@pytest.mark.parametrize("mode", ["asc", "bin"])
def test_every_version_is_read_as_text_and_binary(tmp_path: Path, version: str, mode: str) -> None:
    document = new(version, units=4)
    model = document.modelspace()
    document.blocks.new("Ränder").add_circle((0, 0), 10)
    model.add_blockref("Ränder", (20, 15), dxfattribs={"layer": "Löcher"})
    model.add_polyline2d(SQUARE, close=True)
    path = tmp_path / "drawing.dxf"
    document.saveas(path, fmt=mode)
    found = read(path, "mm")
    assert found.size == pytest.approx((40, 30)) and area(found) == pytest.approx(1200 - 100 * pi)
    assert dxf_paths.read(path.read_bytes(), "mm", SILENT).layers == ["Löcher", "0"]


def test_a_board_in_a_block_is_as_large_as_its_block(tmp_path: Path) -> None:
    def draw(model: Modelspace, document: Drawing) -> None:
        document.blocks.new("B").add_lwpolyline([(0, 0), (100, 0), (100, 60), (0, 60)], close=True)
        model.add_blockref("B", (10, 10))

    found = read(written(tmp_path, draw))
    assert found.size == (100, 60) and found.notes == ()


def test_a_board_drawn_three_times_is_one(tmp_path: Path) -> None:
    """Twice as a closed polyline, and one side of it as a line."""

    def draw(model: Modelspace, _document: Drawing) -> None:
        for _ in range(2):
            model.add_lwpolyline([(0, 0), (150, 0), (150, 100), (0, 100)], close=True)
        model.add_line((0, 0), (150, 0))

    found = read(written(tmp_path, draw))
    assert found.size == (150, 100) and len(found.rings) == 1
    assert found.notes == ("Left out 2 paths: drawn twice.",)


def test_construction_lines_on_a_layer_that_is_off_are_not_cut(tmp_path: Path) -> None:
    def draw(model: Modelspace, document: Drawing) -> None:
        document.layers.add("CONSTR").off()
        model.add_lwpolyline([(0, 0), (150, 0), (150, 100), (0, 100)], close=True)
        corners = [(-20, -20), (170, -20), (170, 120), (-20, 120)]
        model.add_lwpolyline(corners, close=True, dxfattribs={"layer": "CONSTR"})

    found = read(written(tmp_path, draw))
    assert found.size == (150, 100)
    assert found.notes == ("Left out, not shown in the drawing: 1 × layer CONSTR (off).",)


def test_a_chosen_unit_wins_over_that_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, lambda model, _document: model.add_lwpolyline(SQUARE, close=True))
    assert read(path).size == pytest.approx((40, 30))
    assert read(path, "in").size == pytest.approx((1016, 762))
    assert read(path, "px72").size == pytest.approx((40 * 25.4 / 72, 30 * 25.4 / 72))


def test_a_file_without_paths_says_what_it_holds_and_how_to_make_paths_of_it(tmp_path: Path) -> None:
    def texts(model: Modelspace, _document: Drawing) -> None:
        model.add_text("cat")
        model.add_mtext("dog")

    sentence = "it contains no path, only 1 × MTEXT and 1 × TEXT. Convert text to paths in the program that drew it."
    assert sentence in refused(written(tmp_path, texts))

    def hidden(model: Modelspace, document: Drawing) -> None:
        document.layers.add("Cut").off()
        model.add_lwpolyline(SQUARE, close=True, dxfattribs={"layer": "Cut"})

    sentence = "it contains no path. Left out, not shown in the drawing: 1 × layer Cut (off)."
    assert sentence in refused(written(tmp_path, hidden))


def test_lines_in_space_are_read_where_they_are_level(tmp_path: Path) -> None:
    def draw(model: Modelspace, _document: Drawing) -> None:
        model.add_polyline3d([(x, y, 5) for x, y in SQUARE], close=True)
        model.add_polyline3d([(0, 0, 0), (30, 0, 10), (0, 30, 0)], close=True)
        with model.add_mesh().edit_data() as mesh:
            mesh.vertices, mesh.faces = [(0, 0, 0), (9, 0, 0), (9, 9, 0)], [(0, 1, 2)]

    found = read(written(tmp_path, draw))
    assert area(found) == pytest.approx(1200)
    assert found.notes == ("Left out, not a path: 1 × MESH and 1 × line out of the plane.",)


def bomb(document: Drawing, levels: int, copies: int) -> None:
    document.blocks.new("0").add_circle((0, 0), 5)
    for level in range(1, levels):
        made = document.blocks.new(str(level))
        for copy in range(copies):
            made.add_blockref(str(level - 1), (20 * copy, level))
    document.modelspace().add_blockref(str(levels - 1), (0, 0))


def within_itself(document: Drawing) -> None:
    block(document)
    document.blocks.get("B").add_blockref("B", (9, 9))
    document.modelspace().add_blockref("B", (0, 0))


def nothing_often(document: Drawing) -> None:
    """Arrays of a block without lines, each of 30,000 copies."""
    document.blocks.new("B").add_text("x")
    for at in range(9):
        rows = {"row_count": 300, "row_spacing": 1, "column_count": 100, "column_spacing": 1}
        document.modelspace().add_blockref("B", (at, 0), dxfattribs=rows)


def blocks_of_blocks(document: Drawing) -> None:
    """Blocks that are drawn nowhere but in one another, each below the bound."""
    rows = {"row_count": 190, "row_spacing": 1, "column_count": 200, "column_spacing": 1}
    block(document)
    for at in range(9):
        document.blocks.new(f"C{at}").add_blockref("B", (0, 0), dxfattribs=rows)
        document.modelspace().add_blockref(f"C{at}", (at, 0), dxfattribs={"layer": "far"})


def endless_array(document: Drawing) -> None:
    block(document)
    rows = {"row_count": 30_000, "row_spacing": 50, "column_count": 30_000, "column_spacing": 50}
    document.modelspace().add_blockref("B", (0, 0), dxfattribs=rows)


@pytest.mark.parametrize(
    ("draw", "sentence"),
    [
        (
            lambda document: bomb(document, 12, 10),
            "it has more than 1,000,000,000 points, with all copies (maximum 200,000).",
        ),
        (lambda document: bomb(document, 300, 1), "its blocks are nested more than 100 deep."),
        (within_itself, "its block B contains itself."),
        (nothing_often, "it has 270,009 elements, with all copies (maximum 40,000)."),
        (lambda document: bomb(document, 5, 20), "it has 2,560,000 points, with all copies (maximum 200,000)."),
        (blocks_of_blocks, "it has 1,368,000 points, with all copies (maximum 200,000)."),
        (endless_array, "it has more than 1,000,000,000 points, with all copies (maximum 200,000)."),
    ],
)
def test_blocks_that_would_fill_the_memory_are_refused(
    tmp_path: Path, draw: Callable[[Drawing], object], sentence: str
) -> None:
    assert sentence in refused(written(tmp_path, lambda _model, document: draw(document)))


def test_large_files_are_refused_before_they_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "large.dxf"
    path.write_text(plain("0\nPOINT\n10\n1\n20\n2\n" * 25_001))
    assert "it has 25,004 elements (maximum 25,000). Save only what is to be read." in refused(path)
    path.write_text(plain("0\nLWPOLYLINE\n" + "10\n1\n20\n2\n" * 250_000))
    assert "it has 500,005 values (maximum 500,000). Save only what is to be read." in refused(path)


def test_the_start_and_a_drawing_in_svg_do_not_load_ezdxf(tmp_path: Path) -> None:
    path = tmp_path / "drawing.svg"
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9mm" height="9mm"><circle r="25"/></svg>')
    program = f"""
import sys
from pathlib import Path
import studio.ui.shell.window
from studio.files.imported_paths import Reading
from studio.files.drawing_import import read_paths
from studio.base.progress import SILENT
read_paths(Path({str(path)!r}), Reading(), SILENT)
print("ezdxf" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"


UNITS = {
    1: 4, 2: 1 / 3, 3: 1 / 15840, 4: 101.6, 5: 10.16, 6: 0.1016, 8: 4e6, 9: 4000, 10: 1 / 9, 13: 101_600, 14: 1.016,
    20: 101.6 / 3.0856775814913673e19, 21: 1 / 3, 22: 4, 23: 1 / 9, 24: 1 / 15840,
}  # fmt: skip
"""Four inches in the units that $INSUNITS numbers."""


def stating(unit: int, side: float) -> bytes:
    """A square as a DXF file."""
    document = new()
    document.header["$INSUNITS"] = unit
    document.modelspace().add_lwpolyline([(0, 0), (side, 0), (side, side), (0, side)], close=True)
    written = io.StringIO()
    document.write(written)
    return written.getvalue().encode()


@pytest.mark.parametrize(("stated", "side"), UNITS.items())
def test_units_that_few_programs_state_are_read(stated: int, side: float) -> None:
    found = dxf_paths.read(stating(stated, side), None, SILENT)
    rel = 1e-5 if stated > 20 else 1e-12  # survey feet
    assert np.ptp(found.strokes[0], axis=0) == pytest.approx([101.6, 101.6], rel=rel)
    assert bool(found.stated) is (stated not in (1, 4, 5))


@pytest.mark.parametrize(
    ("stated", "side", "sentence"),
    [
        (0, 100, "it states no unit of length"),
        (25, 100, "it states no unit of length"),
        (3, 100, "too large. The file states its lengths in miles; choose another unit if they are not."),
        (13, 100, "The file states its lengths in microns; choose another unit if they are not."),
        (20, 100, "too large. The file states its lengths in parsecs; choose another unit if they are not."),
    ],
)
def test_a_drawing_of_a_wrong_unit_is_refused_with_that_unit(
    tmp_path: Path, stated: int, side: float, sentence: str
) -> None:
    path = tmp_path / "drawing.dxf"
    path.write_bytes(stating(stated, side))
    with pytest.raises(StudioError) as caught:
        read(path)
    assert sentence in str(caught.value)
    assert read(path, "mm").size == (100, 100) and read(path, "mm").notes == ()
    figure = read_silhouette(path, SILENT, 5_000, 0.1)
    assert figure.size == pytest.approx((100, 100)) and figure.notes == ()


def test_an_unusual_unit_is_said(tmp_path: Path) -> None:
    path = tmp_path / "drawing.dxf"
    path.write_bytes(stating(2, 1))
    found = read(path)
    assert found.size == pytest.approx((304.8, 304.8))
    assert found.notes == ("The file states its lengths in feet; choose another unit if they are not.",)
