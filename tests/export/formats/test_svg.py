import re
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.exporting.colour_profiles import profiles, shipped_profiles
from studio.exporting.formats import Options
from studio.exporting.writers.svg import svg
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces

Grid = Callable[..., Drawing]
SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"


def groups(data: bytes) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(data).iter(f"{SVG}g"))


def sampled(data: str, count: int = 60) -> Floats:
    """Points along path data, read with none of our own code."""
    points: list[Floats] = []
    t = np.linspace(0, 1, count)[1:, None]
    for command, rest in re.findall("([MLCZ])([^MLCZ]*)", data):
        p = np.array(rest.split(), float).reshape(-1, 2)
        if command == "C":
            a = points[-1][-1]
            points.append((1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * p[0] + 3 * t**2 * (1 - t) * p[1] + t**3 * p[2])
            points[-1][-1] = p[2]
        elif command != "Z":
            points.append(p)
    return np.concatenate(points)


def lines_in(data: bytes) -> list[Floats]:
    return [sampled(path.get("d", "")) for path in ElementTree.fromstring(data).iter(f"{SVG}path")]


def faces_in(data: bytes) -> int:
    noded = shapely.unary_union([shapely.linestrings(line) for line in lines_in(data)])
    return len(shapely.get_parts(shapely.polygonize(shapely.get_parts(noded))))


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 2), (5, 3)])
def test_the_paths_of_a_file_enclose_the_pieces(grid: Grid, columns: int, rows: int) -> None:
    assert faces_in(svg(grid(columns, rows), Options())) == columns * rows


def test_the_paths_are_as_long_as_the_cut(grid: Grid) -> None:
    drawing = grid(4, 3)
    length = sum(shapely.length(shapely.linestrings(line)) for line in lines_in(svg(drawing, Options())))
    assert length == pytest.approx(drawing.cut_length, rel=1e-3)


def test_one_unit_is_one_millimetre(grid: Grid) -> None:
    root = ElementTree.fromstring(svg(replace(grid(3, 2), width=60.25), Options()))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("60.25mm", "40mm", "0 0 60.25 40")


@pytest.mark.parametrize("known", shipped_profiles(), ids=lambda known: known.key)
def test_layers_stand_in_machining_order_in_the_colours_of_the_profile(grid: Grid, known: object) -> None:
    drawing = grid(2, 2)
    label = straight(np.array([[(5, 5), (8, 5)], [(5, 9), (8, 9)]], float))
    count = len(drawing.strokes)
    strokes = Curves.from_strokes([drawing.strokes[i] for i in range(count)] + [label[0], label[1]])
    extra = (Chain(Operation.SCORE, np.array([2 * count])), Chain(Operation.ENGRAVE, np.array([2 * count + 2])))
    drawing = replace(drawing, strokes=strokes, chains=(*drawing.chains[::-1], *extra))
    profile = next(one for one in profiles() if one is known)
    found = groups(svg(drawing, Options(profile=profile.key)))
    assert [group.get("id") for group in found] == ["ENGRAVE", "SCORE", "CUT_INNER", "CUT_BORDER"]
    assert [group.get(f"{INKSCAPE}label") for group in found] == ["1 engrave", "2 score", "3 inner cut", "4 border cut"]
    for group, layer in zip(found, profile.layers, strict=True):
        assert group.get(f"{INKSCAPE}groupmode") == "layer"
        for path in group:
            assert (path.get("fill"), path.get("stroke")) == ("none", layer.colour)
            assert path.get("stroke-width") == str(profile.stroke_width)
            style = f"fill:none;stroke:{layer.colour};stroke-width:{profile.stroke_width}"
            assert path.get("style") == style


def test_one_chain_is_one_path_that_every_importer_can_follow(grid: Grid) -> None:
    drawing = grid(4, 3)
    data = svg(drawing, Options())
    paths = [path.get("d", "") for path in ElementTree.fromstring(data).iter(f"{SVG}path")]
    assert len(paths) == len(drawing.chains)
    for path, chain in zip(paths, drawing.chains, strict=True):
        assert re.fullmatch(r"M[^MZ]*Z?", path) and set(re.findall("[A-Za-z]", path)) <= set("MCLZ")
        assert path.endswith("Z") == chain.closed
        assert all(re.fullmatch(r"-?[0-9]+(\.[0-9]{1,4})?", number) for number in re.findall(r"[-0-9.e]+", path))
    assert b"transform" not in data and data.startswith(b"<?xml") and b"\r" not in data


def test_only_exactly_straight_cubics_become_lines(grid: Grid) -> None:
    paths = [path.get("d", "") for path in ElementTree.fromstring(svg(grid(3, 3), Options())).iter(f"{SVG}path")]
    assert all("L" not in path and path.count("C") == 9 for path in paths[:-1])
    assert "C" not in paths[-1] and paths[-1].count("L") == 12


def test_a_straight_cubic_that_turns_back_stays_a_cubic() -> None:
    stroke = np.array([(0, 0), (20, 0), (-5, 0), (10, 0)], float)
    chain = Chain(Operation.INNER, np.array([0]))
    none = Pieces(np.empty(0, np.int64), np.zeros(1, np.int64), ())
    drawing = Drawing(20, 20, Curves.from_strokes([stroke]), (chain,), none)
    assert b"C20 0 -5 0 10 0" in svg(drawing, Options())


def test_ends_that_agree_but_for_noise_are_rounded_alike(grid: Grid) -> None:
    # Corners lie where rounding to micrometres is decided by the last bit, and every stroke computes them anew.
    drawing = grid(4, 4)
    points = drawing.strokes.points.copy()
    ends = np.unique(np.concatenate([drawing.strokes.starts[:-1], drawing.strokes.starts[1:] - 1]))
    halves = np.round(points[ends], 3) + 0.0005
    points[ends] = halves + np.random.default_rng(5).uniform(-1e-9, 1e-9, halves.shape)
    noisy = replace(drawing, strokes=Curves(points, drawing.strokes.starts), width=81, height=81)
    assert len(np.unique(np.round(points[ends], 3), axis=0)) > 25
    assert faces_in(svg(noisy, Options())) == 16


def test_steps_that_vanish_in_rounding_are_left_out() -> None:
    short = np.array([(0, 0), (1e-5, 0), (2e-5, 0), (3e-5, 0), (4, 0), (7, 1), (9, 9)], float)
    chain = Chain(Operation.INNER, np.array([0]))
    none = Pieces(np.empty(0, np.int64), np.zeros(1, np.int64), ())
    drawing = Drawing(20, 20, Curves.from_strokes([short]), (chain,), none)
    assert b'd="M0 0C4 0 7 1 9 9"' in svg(drawing, Options())


def test_a_drawing_without_lines_is_refused(grid: Grid) -> None:
    with pytest.raises(StudioError, match="no lines to cut"):
        svg(replace(grid(2, 2), chains=()), Options())


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), 1e9])
def test_a_point_that_lies_nowhere_is_refused(grid: Grid, wrong: float) -> None:
    drawing = grid(2, 2)
    points = drawing.strokes.points.copy()
    points[3, 1] = wrong
    with pytest.raises(StudioError, match="invalid point"):
        svg(replace(drawing, strokes=Curves(points, drawing.strokes.starts)), Options())


@pytest.mark.parametrize("width", [0.0, -1.0, float("nan"), float("inf"), 1e6])
def test_a_page_without_a_size_is_refused(grid: Grid, width: float) -> None:
    with pytest.raises(StudioError, match="page"):
        svg(replace(grid(2, 2), width=width), Options())
