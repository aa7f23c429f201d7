"""A fault of a writer is caught by the proof of its format, which names the line and the place."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import SILENT
from studio.exporting.formats import (
    DXF,
    GCODE,
    LASER,
    LEAFLET_PDF,
    LEAFLET_SVG,
    LIGHTBURN,
    PDF,
    PNG,
    STL,
    SVG,
    THREEMF,
    Options,
)
from studio.exporting.laser_files import write
from studio.exporting.options import AnyFormat, LeafletOptions, Unreadable
from studio.exporting.readers.svg import read_svg
from studio.exporting.writers.path_segments import ready
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, closed_parts
from studio.geometry.solids.solid import Mesh, Solid
from studio.paper.leaflet import Leaflet, MarkGroup, Page, Words
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from tests.export.proofs import proven

Grid = Callable[..., Drawing]
LINES: list[tuple[AnyFormat, dict[str, Any]]] = [
    *((known, {}) for known in LASER.members), (DXF, {"version": "R12"}), (DXF, {"curves": "polyline"}),
    (DXF, {"curves": "spline"}),
    (PDF, {"pages": "tiled"}), (PNG, {"dpi": 600, "line_width": 0.1}),
]  # fmt: skip
every_format = pytest.mark.parametrize(
    ("known", "chosen"), LINES, ids=["-".join([known.name, *map(str, chosen.values())]) for known, chosen in LINES]
)


def options(**chosen: Any) -> Any:
    return Options(**chosen)


def marked(drawing: Drawing) -> Drawing:
    """A drawing with two registration marks."""
    marks = straight(np.array([[(x, 5.0), (x + 2.0, 5.0)] for x in (5.0, 52.0)]))
    first = len(drawing.strokes)
    chains = [Chain(Operation.MARK, np.array([2 * (first + number)])) for number in range(2)]
    strokes = Curves.gathered([drawing.strokes, marks])
    return ready(replace(drawing, strokes=strokes, chains=(*drawing.chains, *chains)))


def moved(drawing: Drawing, stroke: int, by: tuple[float, float]) -> Drawing:
    """A drawing with the end of a stroke moved, and with it all ends at the same place."""
    points = drawing.strokes.points.copy()
    at = drawing.strokes[stroke][-1]
    points[(np.abs(points - at) < 1e-9).all(axis=1)] += by
    return replace(drawing, strokes=Curves(points, drawing.strokes.starts))


def refused(known: AnyFormat, wrong: Drawing, right: Drawing, chosen: Any) -> str:
    """Why the proof refuses a file of the wrong drawing for the right one."""
    with pytest.raises(Unreadable) as caught:
        proven(known, known.write(wrong, chosen), right, chosen)
    return str(caught.value)


def named(told: str) -> tuple[str, float, float]:
    """The pieces and the place that a refusal names."""
    found = re.search(r"line of piece (\S+) near x (-?[0-9.]+), y (-?[0-9.]+) mm", told)
    assert found is not None, told
    return found[1], float(found[2]), float(found[3])


@pytest.mark.sampled(4)
@every_format
@pytest.mark.parametrize("by", [(0.2, 0.0), (0.0, -0.2), (0.15, 0.13)])
def test_a_point_moved_by_a_fifth_of_a_millimetre_is_caught(
    grid: Grid, known: AnyFormat, chosen: dict[str, Any], by: tuple[float, float]
) -> None:
    drawing, asked = ready(grid(4, 3)), options(**chosen)
    # The corner of the pieces 1/1, 2/1, 1/2 and 2/2.
    ends = drawing.strokes.ends[:, 1]
    stroke = int(np.hypot(*(ends - 20).T).argmin())
    told = refused(known, moved(drawing, stroke, by), drawing, asked)
    found = re.search(r"near x ([0-9.]+), y ([0-9.]+) mm", told)
    assert found is not None, told
    x, y = float(found[1]), float(found[2])
    # In a picture the first place that differs is told, which may be anywhere along the cubics that end at the corner.
    assert np.hypot(x - ends[stroke, 0], y - ends[stroke, 1]) < (12 if known is PNG else 1), told
    if known is not PNG:
        assert named(told) and re.search(r"is moved by 0\.2", told)


@pytest.mark.sampled(5)
@every_format
@pytest.mark.parametrize("chain", range(5))
def test_a_line_left_out_is_caught(grid: Grid, known: AnyFormat, chosen: dict[str, Any], chain: int) -> None:
    drawing, asked = ready(grid(3, 3)), options(**chosen)
    fewer = replace(drawing, chains=(*drawing.chains[:chain], *drawing.chains[chain + 1 :]))
    told = refused(known, fewer, drawing, asked)
    pieces, x, y = named(told)
    assert 0 <= x <= 60 and 0 <= y <= 60 and set(pieces.split("–")) <= set(drawing.pieces.names)
    assert told.endswith("is not visible" if known is PNG else "is missing")


@pytest.mark.sampled(2)
@every_format
def test_a_line_written_twice_is_caught(grid: Grid, known: AnyFormat, chosen: dict[str, Any]) -> None:
    drawing, asked = ready(grid(3, 3)), options(**chosen)
    if known is PNG:
        return  # a picture of a line drawn twice is the picture of the line
    told = refused(known, replace(drawing, chains=(drawing.chains[0], *drawing.chains)), drawing, asked)
    assert named(told)[0] == "1/1–1/2" or named(told)[0].startswith("2/1")
    assert told.endswith("has 2 passes" if known is GCODE else "is duplicated")


@every_format
def test_a_kerf_of_the_wrong_sign_is_caught(grid: Grid, known: AnyFormat, chosen: dict[str, Any]) -> None:
    """Outlines of separate pieces are moved outwards by half a kerf; inwards, each is 0.2 mm from where it must be."""
    board, asked = ready(grid(2, 1)), options(**chosen)
    right, wrong = (outlined(board, half) for half in (0.1, -0.1))
    told = refused(known, wrong, right, asked)
    if known is PNG:
        assert re.search(r"near x [0-9.]+, y [0-9.]+ mm", told)
    else:
        assert named(told)[0] in board.pieces.names and re.search(r"is moved by 0\.[23]", told)


def outlined(board: Drawing, half: float) -> Drawing:
    """The pieces of a board as outlines of their own, each moved outwards by half a kerf in mm, on a larger sheet."""
    apart = cutouts(Contours(board), half)
    rings = [[apart.rings[ring] + np.array([10 * int(apart.owners[ring]), 0]) + 5] for ring in range(len(apart.rings))]
    return ready(closed_parts((board.width + 30, board.height + 10), list(apart.names), rings))


def test_separate_outlines_are_written_outside_the_pieces(tmp_path: Path) -> None:
    """The whole way from a design to a file: each piece is as large as shapely's own offset by half the kerf."""
    drawing = shape(JigsawDesign(JigsawParameters(columns=4, rows=3, width=80, height=60)), None, SILENT).whole
    pieces = shapely.polygons([shapely.linearrings(ring) for ring in outlines_of(drawing)])
    for kerf in (0.2, 0.0):
        making = Making(lines="separate", kerf=kerf)
        (plan,) = made(drawing, making, Machine(), Material()).plans
        path = tmp_path / f"kerf-{kerf}.svg"
        assert write(plan.drawing, path).pieces == 12
        lines = read_svg(path.read_bytes(), options()).lines
        cut = [Curves.from_strokes([line.points]).flattened(0.002).points for line in lines]
        areas = sorted(shapely.area(shapely.polygons([shapely.linearrings(ring) for ring in cut])))
        assert areas == pytest.approx(
            sorted(shapely.area(shapely.buffer(pieces, kerf / 2, join_style="mitre"))), rel=2e-3
        )
    assert sorted(shapely.area(pieces)) == pytest.approx(areas, rel=1e-3)


def outlines_of(drawing: Drawing) -> list[Floats]:
    outlines = drawing.outlines(drawing.strokes.flattened(0.002))
    return [outlines[number] for number in range(len(outlines))]


INCHES: dict[AnyFormat, tuple[bytes, bytes]] = {
    SVG: (b'mm"', b'in"'), DXF: (b"$INSUNITS\n 70\n4", b"$INSUNITS\n 70\n1"),
    LIGHTBURN: (b"60 x 60 mm", b"60 x 60 in"), PDF: (b"2.8346456693", b"72.0000000000"),
}  # fmt: skip


@pytest.mark.parametrize("known", INCHES, ids=lambda known: known.name)
def test_a_file_in_inches_is_caught(grid: Grid, known: AnyFormat) -> None:
    drawing, asked = ready(grid(3, 3)), options()
    data = known.write(drawing, asked)
    assert INCHES[known][0] in data
    with pytest.raises(Unreadable):
        proven(known, data.replace(*INCHES[known]), drawing, asked)
    scaled = replace(drawing, strokes=Curves(drawing.strokes.points / 25.4, drawing.strokes.starts))
    assert named(refused(known, scaled, drawing, asked))


@pytest.mark.parametrize(
    ("known", "old", "new", "words"),
    [
        # The first is the fault of a writer that calls every layer a cut: registration marks would be burned.
        (LIGHTBURN, b'type="Tool"', b'type="Cut"', "is on layer MARKS, which is cut and should be a tool layer"),
        (LIGHTBURN, b'"30"', b'"9"', "is on layer MARKS, whose number is 9 and should be 30"),
        (LIGHTBURN, b'type="Cut"><index Value="1"', b'type="Tool"><index Value="1"', "CUT_BORDER, which never runs"),
        (SVG, b'id="MARKS"', b'id="CUT_BORDER"', "is on layer CUT_BORDER and should be on MARKS"),
        (SVG, b"#F36926", b"#FF0000", "does not have the colour #F36926 of layer MARKS"),
        (DXF, b"  8\nMARKS\n", b"  8\nCUT_BORDER\n", "is on layer CUT_BORDER and should be on MARKS"),
        (DXF, b"\nMARKS\n 70\n0\n 62\n30\n", b"\nMARKS\n 70\n0\n 62\n1\n", "whose number is 1 and should be 30"),
        (PDF, b"(MARKS)", b"(CUTXY)", "is on layer CUTXY and should be on MARKS"),
    ],
)
def test_a_wrong_kind_of_layer_is_caught(grid: Grid, known: AnyFormat, old: bytes, new: bytes, words: str) -> None:
    drawing, asked = marked(grid(3, 3)), options()
    data = known.write(drawing, asked)
    assert proven(known, data, drawing, asked).faces == 9 and old in data
    with pytest.raises(Unreadable, match=words) as caught:
        proven(known, data.replace(old, new), drawing, asked)
    assert re.search(r"^(line 6 \(mark\)|the line of piece \S+) near x [0-9.]+, y [0-9.]+ mm ", str(caught.value))


@pytest.mark.parametrize(
    ("known", "chosen", "old", "new", "words"),
    [
        (SVG, {}, b'inkscape:groupmode="layer" inkscape:label="5 mark"', b'inkscape:label="5 mark"', "not a layer"),
        (LIGHTBURN, {}, b'<Optimize_ReduceTravel Value="0"/>', b'<Optimize_ReduceTravel Value="1"/>', "another order"),
        (LIGHTBURN, {}, b'<Optimize_AllowReverse Value="0"/>', b"", "another order"),
        (PDF, {}, b"/OCGs [3 0 R ", b"/OCGs [4 0 R ", "a layer is off or not listed"),
        (PDF, {}, b"/ON [3 0 R", b"/OFF[3 0 R", "a layer is off or not listed"),
        (DXF, {}, b"\n 70\n0\n 10\n", b"\n 70\n0\n 42\n0.5\n 10\n", "bulge belongs to no point"),
        (DXF, {}, b"\n 70\n1\n 10\n0\n 20\n60\n", b"\n 70\n1\n 10\n0\n 20\n60\n 42\n0.5\n", "is moved by"),
        (DXF, {}, b"AcDbEntity\n  8\n", b"AcDbEntity\n 60\n1\n  8\n", r"unexpected property \(code 60\)"),
        (DXF, {}, b"\n 90\n2\n", b"\n 90\n3\n", "another number of points"),
        (DXF, {}, b"\n  6\nContinuous\n370\n-3\n", b"\n  6\nDASHED\n370\n-3\n", "off, dashed or not declared"),
        (DXF, {}, b"\n  6\nContinuous\n370\n-3\n", b"\n290\n0\n  6\nContinuous\n370\n-3\n", "off, dashed"),
        (
            DXF,
            {"version": "R12"},
            b"\nVERTEX\n  8\nMARKS\n",
            b"\nVERTEX\n  8\nMARKS\n 42\n0.5\n",
            "bulge belongs to no point",
        ),
        (DXF, {"version": "R12"}, b"\n 30\n0.0\n  0\nSEQEND", b"\n 30\n2.0\n  0\nSEQEND", r"\(code 30\)"),
        (DXF, {"curves": "spline"}, b"\n230\n1.0\n", b"\n230\n-1.0\n", r"unexpected value \(code 230\)"),
        (DXF, {"curves": "spline"}, b"\n 71\n3\n", b"\n 71\n2\n", r"unexpected value \(code 71\)"),
        (DXF, {"curves": "spline"}, b"\n 40\n1.0\n", b"\n 40\n0.5\n", "other knots"),
    ],
)
def test_a_line_that_machines_would_cut_otherwise_is_caught(
    grid: Grid, known: AnyFormat, chosen: dict[str, Any], old: bytes, new: bytes, words: str
) -> None:
    """The points are right, and yet another line would be burned, or in another order."""
    drawing, asked = marked(grid(3, 3)), options(**chosen)
    data = known.write(drawing, asked)
    assert proven(known, data, drawing, asked).faces == 9 and old in data
    with pytest.raises(Unreadable, match=words):
        proven(known, data.replace(old, new), drawing, asked)


CLUES = Leaflet(
    "Clues",
    (Page(100, 120, (MarkGroup("all", tuple(Words(text, (20, 20), 5, "#22242A") for text in ("3", "2", "0 1"))),)),),
)


@pytest.mark.parametrize("change", ["another letter", "an outline moved", "an outline cut short"])
def test_a_wrong_letter_in_an_svg_leaflet_is_caught(change: str) -> None:
    """The label still says the right words, as a screen reader has them; the paper would show others."""
    data = LEAFLET_SVG.write(CLUES, LeafletOptions())
    assert proven(LEAFLET_SVG, data, CLUES, LeafletOptions()).pages == 1
    first = re.search(rb'id="glyph-1" d="M([0-9.]+) [^"]*?(Q[^QLZ"]*)', data)
    assert first is not None
    wrong = {
        "another letter": data.replace(b'"#glyph-1"', b'"#glyph-2"'),
        "an outline moved": data.replace(b'd="M' + first[1], b'd="M%.1f' % (float(first[1]) + 40), 1),
        "an outline cut short": data.replace(first[2], b"", 1),
    }[change]
    assert wrong != data
    with pytest.raises(Unreadable, match="something in all differs"):
        proven(LEAFLET_SVG, wrong, CLUES, LeafletOptions())


def test_a_wrong_letter_in_a_pdf_leaflet_is_caught() -> None:
    """The codes still stand for the right letters; the table of their glyphs has two of them swapped."""
    data = LEAFLET_PDF.write(CLUES, LeafletOptions())
    assert proven(LEAFLET_PDF, data, CLUES, LeafletOptions()).pages == 1
    streams = re.findall(rb"FlateDecode/Length \d+>>\nstream\n(.*?)\nendstream", data, re.DOTALL)
    # Of the codes 0 to 5: none, a blank, and the four digits.
    (table,) = [packed for packed in streams if len(zlib.decompress(packed)) == 12]
    glyphs = zlib.decompress(table)
    swapped = zlib.compress(glyphs[:4] + glyphs[6:8] + glyphs[4:6] + glyphs[8:])
    assert len(swapped) == len(table)
    with pytest.raises(Unreadable, match="something in all differs"):
        proven(LEAFLET_PDF, data.replace(table, swapped), CLUES, LeafletOptions())


@pytest.mark.parametrize(
    ("part", "old", "new", "words"),
    [
        ("3D/3dmodel.model", b'type="model"', b'type="other"', "an object is not printed"),
        ("[Content_Types].xml", b"3dmodel+xml", b"3dmodel", "does not name its model"),
        ("_rels/.rels", b"2013/01/3dmodel", b"2015/01/3dmodel", "does not name its model"),
    ],
)
def test_a_package_whose_model_slicers_would_not_print_is_caught(part: str, old: bytes, new: bytes, words: str) -> None:
    solids, changed = blocks(), io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(THREEMF.write(solids, THREEMF.options()))) as before,
        zipfile.ZipFile(changed, "w") as after,
    ):
        assert old in before.read(part)
        for name in before.namelist():
            data = before.read(name)
            after.writestr(name, data.replace(old, new) if name == part else data)
    with pytest.raises(Unreadable, match=words):
        proven(THREEMF, changed.getvalue(), solids, THREEMF.options())


SOLIDS = pytest.mark.parametrize("known", [STL, THREEMF], ids=lambda known: known.name)


def blocks() -> tuple[Solid, ...]:
    """Two boxes of 10 × 20 × 3 mm side by side."""
    corners = np.array([(x, y, z) for x in (0.0, 10.0) for y in (0.0, 20.0) for z in (0.0, 3.0)])
    sides = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
             (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]  # fmt: skip
    box = Mesh(corners, np.array(sides))
    return Solid("A1", "#C89664", box), Solid("B1", "#5C8CC8", box.moved(np.eye(3), np.array([15.0, 0.0, 0.0])))


def nudged(solids: tuple[Solid, ...], factor: float = 1.0, by: float = 0.0) -> tuple[Solid, ...]:
    """Solids scaled, and the corner of the second that is farthest off moved."""
    first, second = (replace(solid, mesh=Mesh(factor * solid.mesh.vertices, solid.mesh.triangles)) for solid in solids)
    vertices = second.mesh.vertices.copy()
    vertices[-1, 0] += by
    return first, replace(second, mesh=Mesh(vertices, second.mesh.triangles))


def holed(solid: Solid) -> Solid:
    return replace(solid, mesh=Mesh(solid.mesh.vertices, solid.mesh.triangles[1:]))


@SOLIDS
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda solids: nudged(solids, by=0.2), r"B1 is moved by 0\.2 mm near x 25\.0, y 20\.0, z 3\.0 mm"),
        (lambda solids: nudged(solids, factor=1 / 25.4), "A1 is moved by"),
        (lambda solids: solids[:1], "B1"),
        (lambda solids: (solids[0], holed(solids[1])), "B1"),
    ],
    ids=["corner", "inches", "solid", "triangle"],
)  # fmt: skip
def test_a_fault_in_a_file_of_solids_is_caught(known: AnyFormat, wrong: Callable[..., Any], words: str) -> None:
    solids, asked = blocks(), known.options()
    assert proven(known, known.write(solids, asked), solids, asked).parts == 2
    with pytest.raises(Unreadable, match=words):
        proven(known, known.write(wrong(solids), asked), solids, asked)
