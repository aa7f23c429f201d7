import re
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import shapely

from studio.exporting.colour_profiles import profiles, shipped_profiles
from studio.exporting.formats import LIGHTBURN, Options
from studio.exporting.options import LightburnOptions, Unreadable
from studio.exporting.writers.lightburn import lightburn
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces
from tests.export.proofs import proven

Grid = Callable[..., Drawing]
NONE = Pieces(np.empty(0, np.int64), np.zeros(1, np.int64), ())


def root_of(drawing: Drawing, options: LightburnOptions | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(lightburn(drawing, options or Options()))


def sampled(shape: ElementTree.Element, count: int = 60) -> Floats:
    """Points along a shape, read with none of our own code: the handle c0 leaves a vertex, c1 arrives at it."""
    vertices = []
    for text in shape.findtext("VertList", "")[1:].split("V"):
        x, y = re.split("c", text)[0].split()
        handles = dict(re.findall(r"(c[01][xy])(-?[0-9.]+)", text))
        place = (float(x), float(y))
        vertices.append(
            (place, *((float(handles[f"{c}x"]), float(handles[f"{c}y"])) if f"{c}y" in handles else None
                      for c in ("c0", "c1")))
        )  # fmt: skip
    t = np.linspace(0, 1, count)[:, None]
    points: list[Floats] = []
    for kind, here, there in re.findall(r"([LB])(\d+) (\d+)", shape.findtext("PrimList", "")):
        (a, leaving, _), (d, _, arriving) = vertices[int(here)], vertices[int(there)]
        if kind == "L":
            points.append(np.array([a, d]))
            continue
        assert leaving is not None and arriving is not None
        p, b, c, q = map(np.array, (a, leaving, arriving, d))
        points.append((1 - t) ** 3 * p + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * q)
    return np.concatenate(points)


def lines_in(root: ElementTree.Element) -> list[Floats]:
    return [sampled(shape) for shape in root.findall("Shape")]


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 2), (5, 3)])
def test_the_shapes_of_a_project_enclose_the_pieces(grid: Grid, columns: int, rows: int) -> None:
    lines = [shapely.linestrings(line) for line in lines_in(root_of(grid(columns, rows)))]
    noded = shapely.unary_union(lines)
    assert len(shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))) == columns * rows


def test_shapes_stand_in_cutting_order_and_follow_the_chains_with_y_upwards(grid: Grid) -> None:
    drawing = grid(4, 3)
    lines = lines_in(root_of(drawing))
    assert len(lines) == len(drawing.chains)
    for line, path in zip(lines, drawing.paths(), strict=True):
        np.testing.assert_allclose(line[0], path.points[0] * (1, -1) + (0, 60), atol=0.0006)
        np.testing.assert_allclose(line[-1], path.points[-1] * (1, -1) + (0, 60), atol=0.0006)
        length = np.hypot(*np.diff(line, axis=0).T).sum()
        assert length == pytest.approx(Curves.from_strokes([path.points]).lengths[0], rel=1e-3)


def test_a_square_is_four_lines_that_come_back_to_the_first_corner() -> None:
    rim = np.array([(0, 0), (20, 0), (20, 20), (0, 20), (0, 0)], float)
    strokes = straight(np.stack([rim[:-1], rim[1:]], 1))
    square = Drawing(20, 20, strokes, (Chain(Operation.BORDER, np.arange(0, 8, 2), closed=True),), NONE)
    (shape,) = root_of(square).findall("Shape")
    assert shape.findtext("VertList") == "V0 20c0x1c1x1V20 20c0x1c1x1V20 0c0x1c1x1V0 0c0x1c1x1"
    assert shape.findtext("PrimList") == "L0 1L1 2L2 3L3 0"
    assert (shape.get("Type"), shape.get("CutIndex"), shape.findtext("XForm")) == ("Path", "1", "1 0 0 1 0 0")


def test_an_open_curve_ends_at_its_last_vertex_and_a_closed_one_has_both_handles_at_its_first() -> None:
    bow = np.array([(0, 10), (2, 0), (8, 0), (10, 10), (8, 20), (2, 20), (0, 10)], float)
    chains = (Chain(Operation.INNER, np.array([0])), Chain(Operation.BORDER, np.array([0, 2]), closed=True))
    drawing = Drawing(10, 20, Curves.from_strokes([bow[:4], bow[3:]]), chains, NONE)
    half, whole = root_of(drawing).findall("Shape")
    assert half.findtext("VertList") == "V0 10c0x2c0y20c1x1V10 10c0x1c1x8c1y20"
    assert half.findtext("PrimList") == "B0 1"
    assert whole.findtext("VertList") == "V0 10c0x2c0y20c1x2c1y0V10 10c0x8c0y0c1x8c1y20"
    assert whole.findtext("PrimList") == "B0 1B1 0"


@pytest.mark.parametrize("known", shipped_profiles(), ids=lambda known: known.key)
def test_every_operation_is_a_layer_and_the_border_has_the_last_turn(grid: Grid, known: object) -> None:
    key = next(one for one in profiles() if one is known).key
    drawing = grid(2, 2)
    scored = Chain(Operation.SCORE, drawing.chains[0].strokes)
    drawing = replace(drawing, chains=(*drawing.chains, scored))
    root = root_of(drawing, Options(profile=key))
    layers = [{child.tag: child.get("Value") for child in setting} for setting in root.findall("CutSetting")]
    assert [layer["name"] for layer in layers] == ["SCORE", "CUT_INNER", "CUT_BORDER"]
    assert [int(layer["priority"] or "") for layer in layers] == [1, 2, 3]
    cuts = {layer["index"]: layer["name"] for layer in layers}
    used = [cuts[shape.get("CutIndex", "")] for shape in root.findall("Shape")]
    assert used == ["SCORE", "CUT_INNER", "CUT_INNER", "CUT_BORDER"]


def test_speed_and_power_are_left_to_lightburn_and_the_note_says_so(grid: Grid) -> None:
    root = root_of(replace(grid(3, 2), width=60.25))
    assert {child.tag for child in root.iter("CutSetting") for child in child} == {"index", "name", "priority"}
    (note,) = root.findall("Notes")
    assert note.get("ShowOnLoad") == "1"
    assert (note.get("Notes") or "").startswith("60.25 x 40 mm. Speed and power are LightBurn's defaults")


def test_no_two_shapes_share_a_list(grid: Grid) -> None:
    shapes = root_of(grid(4, 4)).findall("Shape")
    assert len({shape.get("VertID") for shape in shapes}) == len({shape.get("PrimID") for shape in shapes}) == 7


def test_the_order_of_the_cuts_is_kept_on_request_only(grid: Grid) -> None:
    kept = root_of(grid(2, 2)).find("UIPrefs")
    assert kept is not None
    values = {child.tag: child.get("Value") for child in kept}
    assert values["Optimize_ByLayer"] == "0"
    assert values["Optimize_ReduceTravel"] == values["Optimize_InnerToOuter"] == values["Optimize_AllowReverse"] == "0"
    assert root_of(grid(2, 2), Options(keep_order=False)).find("UIPrefs") is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'FormatVersion="1"', b'FormatVersion="0"', "not an LBRN2 project"),
        (b'MirrorY="False"', b'MirrorY="True"', "axes are mirrored"),
        (b"60 x 60 mm", b"60 x 60 cm", "size in millimetres"),
        (b"60 x 60 mm", b"61 x 60 mm", "page is 61"),
        (b'<index Value="2"/>', b'<index Value="7"/>', "an unexpected Path on layer 2"),
        (b'<CutSetting type="Cut">', b'<CutSetting type="Scan">', "its layer 2 is of the type Scan"),
        (b'<priority Value="3"/>', b'<priority Value="0"/>', "on a layer that is worked too early"),
        (b'<priority Value="3"/>', b'<priority Value="last"/>', "not a LightBurn project"),
        (b'VertID="1"', b'VertID="0"', "share one vertex list"),
        (b'PrimID="1"', b'PrimID="0"', "share one vertex list"),
        (b'Type="Path"', b'Type="Rect"', "an unexpected Rect"),
        (b'CutIndex="2"', b'CutIndex="8"', "on layer 8"),
        (b"<XForm>1 0", b"<XForm>2 0", "is transformed"),
        (b"<VertList>V", b"<VertList>W", "not one continuous line"),
        (b"B1 2", b"B1 3", "not one continuous line"),
        (b"B0 1", b"", "not one continuous line"),
        (b"L0 1", b"B0 1", "lacks a control point"),
        (b"B1 2", b"L1 2", "line of piece .* is moved by"),
        (b"c0x", b"c0x1", "line of piece .* is moved by"),
        (b"</LightBurnProject>", b"", "not a LightBurn project"),
    ],
)
def test_a_project_that_is_not_ours_is_refused(grid: Grid, old: bytes, new: bytes, words: str) -> None:
    drawing = grid(3, 3)
    data = lightburn(drawing, Options())
    assert proven(LIGHTBURN, data, drawing, Options()).faces == 9 and old in data
    with pytest.raises(Unreadable, match=words):
        proven(LIGHTBURN, data.replace(old, new, 1), drawing, Options())
