"""What a file looks like, to the byte, where every byte is ours; the version is PROGRAM in the files that are right.

R2000 is left out, since its tables change with the version of ezdxf; so are PDF, whose frame is pydyf's, and PNG, which
is packed by whichever zlib there is.
"""

from pathlib import Path

import numpy as np
import pytest

from studio import PROGRAM
from studio.exporting.formats import LASER, Options
from studio.geometry.curves.strokes import Curves, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces

GOLDEN = Path(__file__).parent / "golden"
each_file = pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.iterdir()))


def tiny(bulge: float = 3.0) -> Drawing:
    """Two by two pieces on 40 × 30 mm, each inner edge one wiggle; 8 border strokes clockwise, then 4 inner ones."""
    rim = np.array([(0, 0), (20, 0), (40, 0), (40, 15), (40, 30), (20, 30), (0, 30), (0, 15), (0, 0)], float)
    border = straight(np.stack([rim[:-1], rim[1:]], 1))
    middle = (20.5, 15.125)
    inner = [
        np.array([(0, 15), (8, 15 - bulge), (12, 15 + bulge), middle], float),
        np.array([middle, (28, 15 - bulge), (32, 15 + bulge), (40, 15)], float),
        np.array([(20, 0), (20 - bulge, 5), (20 + bulge, 10), middle], float),
        np.array([middle, (20 - bulge, 20), (20 + bulge, 25), (20, 30)], float),
    ]
    strokes = Curves.from_strokes([border[i] for i in range(8)] + inner)
    chains = (
        Chain(Operation.INNER, np.array([16, 18])),
        Chain(Operation.INNER, np.array([23, 21])),
        Chain(Operation.BORDER, np.arange(0, 16, 2), closed=True),
    )
    codes = np.array([0, 20, 17, 14, 2, 4, 19, 21, 16, 22, 10, 12, 18, 6, 8, 23])
    return Drawing(40.0, 30.0, strokes, chains, Pieces(codes, np.arange(5) * 4, ("a", "b", "c", "d")))


def golden(name: str) -> bytes:
    """The bytes that are right, as this version writes them."""
    return (GOLDEN / name).read_bytes().replace(b"PROGRAM", PROGRAM.encode())


def written(name: str, drawing: Drawing) -> bytes:
    curves = "arcs" if "arcs" in name else "polyline"
    return LASER.of(Path(name)).write(drawing, Options(version="R12", curves=curves, tolerance=0.02))


@each_file
def test_the_file_is_what_it_was(name: str, tmp_path: Path) -> None:
    fresh = tmp_path / name
    fresh.write_bytes(written(name, tiny()))
    same = fresh.read_bytes() == golden(name)
    assert same, f"Look at {fresh}; if it is right, it belongs at {GOLDEN / name}."


@each_file
def test_the_comparison_notices_a_hundredth_of_a_millimetre(name: str) -> None:
    assert written(name, tiny(bulge=3.01)) != golden(name)
