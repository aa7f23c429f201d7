"""Height fields: triangles that cover an area once, whose surface is where the heights say."""

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st

from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.slab import Relief, field, slab, snapped
from studio.geometry.solids.solid import body, flaw
from tests.depth import examples

corners = st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 12), st.integers(1, 12))


def doubled_areas(points: Floats, triangles: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> Floats:
    a, b, c = points[triangles].transpose(1, 0, 2)
    return np.asarray((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])


@given(st.lists(corners, min_size=1, max_size=6), st.sampled_from([0.3, 0.7, 1.0, 5.0, 40.0]), st.floats(0, 3))
@example([(0, 0, 7, 4)], 1.0, 0.5)
@example([(10, 12, 1, 7), (18, 15, 9, 2)], 0.3, 2.0)
@settings(max_examples=examples(60))
def test_triangles_cover_any_area_once(boxes: list[tuple[int, ...]], step: float, turn: float) -> None:
    whole = shapely.union_all([shapely.box(x, y, x + w, y + h) for x, y, w, h in boxes])
    turned = shapely.affinity.rotate(whole.buffer(0.2), turn, use_radians=True)
    area = shapely.orient_polygons(snapped(shapely.segmentize(turned, step)))
    rings = [shapely.get_coordinates(ring)[:-1] for ring in shapely.get_rings(shapely.get_parts(area))]
    nodes, triangles = field(area, rings, step)
    points = np.concatenate([*rings, nodes])
    sizes = doubled_areas(points, triangles)
    assert (sizes > 0).all() and sizes.sum() / 2 == pytest.approx(area.area, rel=1e-9)
    assert {*triangles.ravel().tolist()} == {*range(len(points))}


@pytest.mark.parametrize("chamfer", [0.0, 0.3])
def test_a_slab_whose_outline_turns_back_on_itself_is_sound(chamfer: float) -> None:
    needle = [(9.988, 10.024), (9.976, 10.048), (9.977, 10.046), (9.956, 10.064)]
    area = shapely.Polygon([(0, 0), (20, 0), (20, 20), *needle, (0, 20)])
    mesh = slab(area, 0.0, 3.0, chamfer)
    assert flaw(mesh) == "" and mesh.volume == pytest.approx(3.0 * area.area, rel=1e-6 if not chamfer else 0.02)


@pytest.mark.parametrize("chamfer", [0.0, 0.05, 0.4])
def test_a_slab_with_a_relief_is_sound_and_as_high_as_it_says(chamfer: float) -> None:
    area = shapely.difference(shapely.box(0, 0, 20, 12), shapely.Point(7, 6).buffer(2.5))
    slope = Relief(0.5, lambda places: 0.1 * places[:, 0])
    mesh = slab(snapped(area), 0.0, 2.0, chamfer, slope)
    assert flaw(mesh) == "" and body(mesh).volume() == pytest.approx(mesh.volume)
    high = mesh.vertices[mesh.vertices[:, 2] > 2.0 + 1e-4]
    assert high[:, 2] == pytest.approx(2.0 + 0.1 * high[:, 0], abs=1e-4)
    assert len(high) > 40 * 24 * 0.8
    if not chamfer:
        # A plane over the area is exact, whatever the triangles: area times its height at the centroid.
        assert mesh.volume == pytest.approx(area.area * (2.0 + 0.1 * area.centroid.x), rel=1e-4)


def test_what_is_too_narrow_for_a_square_is_covered_by_the_band_alone() -> None:
    mesh = slab(shapely.box(0, 0, 30, 0.7), 0.0, 2.0, 0.1, Relief(0.4, lambda places: 1.0 + 0.0 * places[:, 0]))
    assert flaw(mesh) == "" and mesh.bounds[1][2] == pytest.approx(3.0)
    # Narrower than both chamfers there is no flat that could be raised.
    ridge = slab(shapely.box(0, 0, 30, 0.7), 0.0, 2.0, 0.4, Relief(0.4, lambda places: 1.0 + 0.0 * places[:, 0]))
    assert flaw(ridge) == "" and ridge.bounds[1][2] < 2.0
