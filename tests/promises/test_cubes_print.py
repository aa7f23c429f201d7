"""A cube of any lengths can be printed, and its files are sound."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from studio.checks.solid import flaw
from studio.export.printing import write_solids
from studio.parameters import declaration, parsed
from studio.progress import UNTOLD
from studio.puzzles.cube.geometry import CubeShapes, shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters

UNITS = ("1/3 in", "1/7 in", "5/16 in", "3.33333", "7.777777", "12.041979594298189", "28.700217088143823")
FORMS: tuple[dict[str, Any], ...] = (
    {"style": "plate", "edge": "chamfer"},
    {"style": "plate", "edge": "round", "snap": 0.1},
    {"style": "voxel"},
    {"style": "voxel", "snap": 0.1, "inside": "letters"},
)


def made(**parameters: Any) -> CubeShapes:
    return shape(CubeDesign(CubeParameters(**parameters)), None, UNTOLD)


@pytest.mark.parametrize("unit", UNITS)
def test_a_cube_of_any_unit_has_sound_solids(unit: str) -> None:
    side = float(parsed(declaration(CubeParameters, "unit"), unit))
    for number, (form, gap, radius) in enumerate(
        product(FORMS, (0.0, 0.2 / 3, 0.05), (0.13 * side / 3, 1 / 3, 0.0004))
    ):
        found = made(unit=side, gap=gap * side / 3, radius=radius, segments=8 * (1 + number % 3), seed=number, **form)
        assert [flaw(solid.mesh) for solid in found.bed] == [""] * 6


@pytest.mark.parametrize("suffix", [".stl", ".3mf"])
def test_a_cube_of_a_third_of_an_inch_is_written(suffix: str, tmp_path: Path) -> None:
    side = float(parsed(declaration(CubeParameters, "unit"), "1/3 in"))
    (report,) = write_solids(made(unit=side, style="voxel", segments=16).bed, tmp_path / f"cube{suffix}")
    assert report.parts == 6
