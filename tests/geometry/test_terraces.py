"""Bodies with flats at several heights: closed, and as large as prisms joined by a library that is not ours."""

import manifold3d
import numpy as np
import pytest

from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.slab import Rim, terraced
from studio.geometry.solids.solid import body, flaw


def circle(radius: float, middle: tuple[float, float] = (0.0, 0.0), corners: int = 12) -> Floats:
    angles = np.linspace(0.0, 2 * np.pi, corners, endpoint=False)
    return np.asarray(np.round(np.stack([np.cos(angles), np.sin(angles)], 1) * radius + np.array(middle), 4))


def prism(radius: float, low: float, high: float, middle: tuple[float, float] = (0.0, 0.0)) -> manifold3d.Manifold:
    drawn = manifold3d.CrossSection([circle(radius, middle)])
    return drawn.extrude(high - low).translate([0.0, 0.0, low])


def test_a_tray_with_an_island_and_a_groove_in_its_floor_is_what_prisms_make() -> None:
    rims = [
        Rim(circle(20.0), 6.0, 0.0),
        # The floor of the ring between the wall and the island, and a groove in it that has land within.
        Rim(circle(15.0), 2.0, 6.0),
        Rim(circle(5.0), 8.0, 2.0),
        Rim(circle(3.0, (10.0, 0.0)), 1.0, 2.0),
        Rim(circle(1.0, (10.0, 0.0))[::-1], 1.0, 2.0),
        # Seen the other way round, what is on the left is on the right.
        Rim(circle(2.0, (-10.0, 0.0))[::-1], 2.0, 3.0),
        # A hole through all.
        Rim(circle(1.0)[::-1], 8.0, 0.0),
    ]
    mesh = terraced(rims)
    expected = prism(20, 0, 6) - prism(15, 2, 7) + prism(5, 0, 8) - prism(3, 1, 7, (10, 0)) + prism(1, 0, 2, (10, 0))
    expected = expected + prism(2, 0, 3, (-10, 0)) - prism(1, -1, 9)
    assert flaw(mesh) == ""
    assert mesh.volume == pytest.approx(expected.volume(), rel=1e-9)
    assert (body(mesh) - expected).volume() == pytest.approx(0.0, abs=1e-3)
    heights = np.unique(np.round(mesh.vertices[:, 2], 6))
    assert heights.tolist() == [0.0, 1.0, 2.0, 3.0, 6.0, 8.0]


def test_a_rim_followed_the_wrong_way_round_is_refused() -> None:
    with pytest.raises(ValueError, match="outline"):
        terraced([Rim(circle(20.0)[::-1], 6.0, 0.0)])
