"""Squeezing keeps the better of two layouts, whatever the package that squeezes prints, returns or does."""

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import shapely

from benchmarks.boards import voronoi
from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.fabricate import squeezing
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.nesting import SMALL
from studio.fabricate.sheets import SheetLayout, nested_pieces
from studio.fabricate.workshop import Bed
from studio.geometry.planar.drawing import Drawing

Jigsaw = Callable[..., Drawing]
BED = Bed(400, 300, 5.0, 2.0)
needs_spyrrow = pytest.mark.skipif(find_spec("spyrrow") is None, reason="the optional package is not installed")
PRELUDE = """
import sys, time, os
class Item:
    def __init__(self, id, shape, demand, turns):
        self.id, self.shape, self.demand = id, shape, demand
class Placed:
    def __init__(self, id, rotation, translation):
        self.id, self.rotation, self.translation = id, rotation, translation
class StripPackingConfig:
    def __init__(self, **values): pass
class Solution:
    def __init__(self, placed): self.placed_items = placed
class StripPackingInstance:
    def __init__(self, name, height, items): self.height, self.items = height, items
    def solve(self, config):
        print("strip: [[", flush=True)
        items = self.items
"""
SOLVERS = {
    "ends its process": "os._exit(1)",
    "prints garbage": "print('strip:[[\\x00'); os._exit(0)",
    "raises": "raise RuntimeError('no')",
    "leaves pieces out": "return Solution([])",
    "lays all in one place": "return Solution([Placed(one.id, 0.0, (0.0, 0.0)) for one in items])",
    "turns a little": "return Solution([Placed(one.id, 3.0, (0.0, 0.0)) for one in items])",
    "returns no numbers": "return Solution([Placed(one.id, 'x', (None, float('nan'))) for one in items])",
    "invents pieces": "return Solution([Placed('77', 0.0, (0.0, 0.0)) for one in items])",
    "needs too much room": "return Solution([Placed(one.id, 0.0, (900.0 * at, 0.0)) for at, one in enumerate(items)])",
}


def layout(drawing: Drawing, squeeze: int = 0, bed: Bed = BED, **values: object) -> SheetLayout:
    return nested_pieces(cutouts(Contours(drawing), 0.075), bed, squeeze=squeeze, **values)  # type: ignore[arg-type]


def outlines(sheet: Drawing) -> list[shapely.Polygon]:
    lines = sheet.outlines(sheet.strokes.flattened(0.001))
    return list(shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners)))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Writes a package named spyrrow, which this process and its children find first."""

    def written(solver: str) -> None:
        (tmp_path / "spyrrow.py").write_text(PRELUDE + f"        {solver}\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    return written


@pytest.mark.parametrize("name", SOLVERS)
def test_a_package_that_fails_changes_nothing(package: Callable[[str], None], jigsaw: Jigsaw, name: str) -> None:
    package(SOLVERS[name])
    board = jigsaw(3, 2)
    usual, squeezed = layout(board), layout(board, 5)
    assert squeezed.notes == ("Squeezing found nothing better.",)
    for one, two in zip(usual.sheets, squeezed.sheets, strict=True):
        assert np.array_equal(one.strokes.points, two.strokes.points)


def test_a_package_that_hangs_is_ended(
    package: Callable[[str], None], jigsaw: Jigsaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    package("time.sleep(60)")
    monkeypatch.setattr(squeezing, "PATIENCE", -3.5)
    assert layout(jigsaw(3, 2), 5).notes == ("Squeezing found nothing better.",)


def test_squeezing_is_cancelled_at_once(package: Callable[[str], None], jigsaw: Jigsaw) -> None:
    package("time.sleep(60)")
    progress = Progress(lambda _share, note: progress.cancel() if note == "Squeezing pieces" else None)
    with pytest.raises(Cancelled):
        nested_pieces(cutouts(Contours(jigsaw(3, 2)), 0.075), BED, squeeze=60, progress=progress)


def test_without_the_package_one_sentence_says_how_to_install_it(
    jigsaw: Jigsaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spyrrow", None)
    with pytest.raises(StudioError, match=r"run `pip install spyrrow`, or set Squeeze to 0\.$"):
        layout(jigsaw(3, 2), 5)


@needs_spyrrow
@pytest.mark.parametrize("bed", [BED, Bed(200, 300, 5.0, 2.0)])
def test_irregular_pieces_take_less_of_the_sheet_once_squeezed(bed: Bed) -> None:
    board = voronoi(24, 160, 120, 3)
    usual, squeezed = (layout(board, seconds, bed, block=SMALL) for seconds in (0, 5))
    pieces = outlines(squeezed.sheets[0])
    assert sum(piece.area for piece in pieces) == pytest.approx(
        sum(p.area for p in outlines(usual.sheets[0])), rel=1e-6
    )
    assert shapely.union_all(pieces).envelope.area < shapely.union_all(outlines(usual.sheets[0])).envelope.area
    assert min(one.distance(two) for at, one in enumerate(pieces) for two in pieces[:at]) > 1.97
    assert all(shapely.box(4.97, 4.97, bed.width - 4.97, bed.height - 4.97).contains(piece) for piece in pieces)
    assert squeezed.notes[0].startswith("Squeezing left ")
