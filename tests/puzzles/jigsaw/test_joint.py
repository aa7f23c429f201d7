"""The joint of a jigsaw is the tongue that is the median by length."""

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.printed_solids import joint


def shapes(**values: float) -> JigsawShapes:
    known = {"columns": 6, "rows": 4, "width": 150.0, "height": 100.0, **values}
    return shape(JigsawDesign(JigsawParameters(**known)), None, Progress())  # type: ignore[arg-type]


def test_the_joint_is_the_median_of_the_boards_tongues() -> None:
    drawing = shapes().drawing
    shared = np.bincount(drawing.pieces.codes >> 1, minlength=len(drawing.strokes)) == 2
    lengths = np.sort(drawing.strokes.lengths[shared])
    seam = Curves.from_strokes([joint(shapes()).line])
    assert seam.lengths[0] == pytest.approx(lengths[(len(lengths) - 1) // 2])


@pytest.mark.parametrize("seed", range(4))
def test_a_tongue_hangs_below_the_line_from_the_origin_through_its_ends(seed: int) -> None:
    line = joint(shapes(seed=seed)).line
    points = Curves.from_strokes([line]).flattened(0.01).points
    assert line[0].tolist() == [0, 0] and line[-1][1] == 0 and line[-1][0] > 0
    assert points[:, 1].max() > -points[:, 1].min()


def test_a_board_without_tongues_is_refused() -> None:
    with pytest.raises(StudioError, match="no tongue"):
        joint(shapes(plain_share=1.0))
