"""Distances from an area are those that shapely measures, to the bit, and those of plain arithmetic."""

import numpy as np
import pytest
import shapely

from studio.geometry.curves.offsetting import Distances
from studio.geometry.curves.strokes import Floats

CHANCE = np.random.default_rng(3)


def star(count: int, middle: tuple[float, float] = (0.0, 0.0)) -> Floats:
    """A closed line with a number of corners around a middle, at chance distances from it."""
    angles = 2 * np.pi * np.arange(count) / count
    corners = CHANCE.uniform(4.0, 30.0, count)[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1) + middle
    return np.concatenate([corners, corners[:1]])


AREAS = {
    "triangle": shapely.polygons(star(3)),
    "star": shapely.polygons(star(200)),
    "with a hole": shapely.polygons(star(90), [1e-2 * star(40)]),
    "in two parts": shapely.multipolygons([shapely.polygons(star(60)), shapely.polygons(star(61, (90.0, 10.0)))]),
}


def plain(area: shapely.Polygon, places: Floats) -> Floats:
    """Of all lines of the outline the least distance; 0 within."""
    gaps = np.full(len(places), np.inf)
    for ring in shapely.get_parts(shapely.boundary(area)):
        points = shapely.get_coordinates(ring)
        begins, ways = points[:-1], np.diff(points, axis=0)
        off = places[:, None] - begins
        share = np.clip((off * ways).sum(axis=2) / (ways**2).sum(axis=1), 0.0, 1.0)
        gaps = np.minimum(gaps, np.hypot(*np.moveaxis(off - share[..., None] * ways, 2, 0)).min(axis=1))
    return np.where(shapely.contains_xy(area, *places.T), 0.0, gaps)


@pytest.mark.parametrize("name", AREAS)
def test_distances_from_an_area_are_the_same_as_to_all_of_its_outline(name: str) -> None:
    area = AREAS[name]
    corners = shapely.get_coordinates(area)
    places = np.concatenate([CHANCE.uniform(-60.0, 120.0, (800, 2)), corners, (corners[1:] + corners[:-1]) / 2])
    gaps = Distances(area).of(places)
    assert (gaps == shapely.distance(area, shapely.points(places))).all()
    assert np.abs(gaps - plain(area, places)).max() < 1e-9
    some = Distances(area).of(places, 5.0)
    assert (some[gaps <= 5.0] == gaps[gaps <= 5.0]).all()
    assert (some[gaps > 5.0] > 5.0).all()
    assert np.isinf(some).any()
    assert not len(Distances(area).of(places[:0]))
