"""Solids on plates: all of them once, in their order, apart from each other and within the bed."""

from itertools import combinations

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.fabricate.gaps_and_plates import plates
from studio.fabricate.workshop import Named, Printer
from studio.geometry.solids.slab import slab
from studio.geometry.solids.solid import Solid

PLATE_SPACING = 3.0


def box(name: str, width: float, depth: float, at: tuple[float, float] = (0.0, 0.0), *, on: str = "") -> Solid:
    low = 2.0 if on else 0.0
    area = shapely.box(*at, at[0] + width, at[1] + depth)
    return Solid(name, "#E69F00", slab(area, low, low + 2.0, 0.0), on)


def printer(width: float, depth: float, height: float = 100.0) -> Named[Printer]:
    return Named("mine", "My printer", Printer(bed_width=width, bed_depth=depth, bed_height=height))


def test_what_fits_at_once_stays_as_it_lies() -> None:
    solids = (box("A", 40, 30), box("B", 40, 30, (60.0, 0.0)))
    assert plates(solids, printer(100, 30)) == (solids,)


@pytest.mark.parametrize("bed", [(50.0, 40.0), (90.0, 90.0), (45.0, 200.0)])
def test_every_solid_is_on_one_plate_within_the_bed_and_apart_from_others(bed: tuple[float, float]) -> None:
    solids = [box(f"P{at}", 10.0 + 3 * (at % 5), 12.0 + 2 * (at % 7), (30.0 * at, 0.0)) for at in range(25)]
    found = plates(solids, printer(*bed))
    assert [solid.name for plate in found for solid in plate] == [solid.name for solid in solids]
    assert len(found) > 1
    for plate in found:
        for solid in plate:
            low, high = solid.mesh.bounds
            assert (low > -1e-6).all() and (high[:2] <= np.array(bed) + 1e-6).all()
        for one, other in combinations(plate, 2):
            (low, high), (there_low, there_high) = one.mesh.bounds, other.mesh.bounds
            gaps = np.maximum(low - there_high, there_low - high)[:2]
            assert gaps.max() >= PLATE_SPACING - 1e-6


def test_what_is_printed_onto_a_solid_stays_on_it() -> None:
    solids = [one for at in range(6) for one in (
        box(f"P{at}", 20, 20, (25.0 * at, 7.0)), box(f"S{at}", 8, 8, (25.0 * at + 5, 10.0), on=f"P{at}"))]  # fmt: skip
    for plate in plates(solids, printer(45, 25)):
        known = {solid.name: solid.mesh.bounds[0] for solid in plate}
        for solid in plate:
            if solid.on:
                assert np.allclose(known[solid.name] - known[solid.on], (5.0, 3.0, 2.0))


def test_a_solid_that_only_fits_turned_is_turned_and_one_that_never_does_is_named() -> None:
    (first, second) = plates([box("A", 30, 60), box("B", 30, 60, (40.0, 0.0))], printer(70, 40))
    for (solid,) in (first, second):
        assert np.allclose(solid.mesh.bounds[1][:2], (60, 30)) and solid.mesh.volume == pytest.approx(3600.0)
    with pytest.raises(StudioError, match=r"^Too large for My printer .*: B\.$"):
        plates([box("A", 30, 30), box("B", 90, 30, (40.0, 0.0))], printer(70, 40))
    with pytest.raises(StudioError, match="Too large for My printer"):
        plates([box("A", 30, 30)], printer(25, 25))
