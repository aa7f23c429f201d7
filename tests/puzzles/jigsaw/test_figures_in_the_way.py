"""Cuts keep clear of figures beside each other."""

import pytest

from studio.checks.finding import Finding, errors_of
from studio.progress import SILENT
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.posing import with_text


def shaped(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def errors(design: JigsawDesign) -> list[Finding]:
    return errors_of(check(design, shaped(design), None, SILENT).findings)


def board(outline: str, tiling: str, width: float, height: float, pieces: int, seed: int) -> JigsawDesign:
    return JigsawDesign(
        JigsawParameters(outline=outline, tiling=tiling, width=width, height=height, pieces=pieces, seed=seed)
    )


@pytest.mark.parametrize(
    ("design", "text", "height", "tongues"),
    [
        (board("rectangle", "hand-cut", 400, 300, 20, 360693), "Wim", 25.74, 2),
        (board("rectangle", "voronoi", 300, 300, 12, 805999), "MAX", 39.77, 2),
        (board("heart", "bricks", 300, 150, 12, 552255), "ANNA", 44.84, 2),
        (board("rectangle", "hand-cut", 200, 300, 20, 410023), "Wim", 15.24, 0),
        (board("rectangle", "hexagons", 200, 200, 40, 112931), "ANNA", 28.27, 2),
        (board("heart", "bricks", 300, 150, 20, 941716), "ANNA", 25.75, 2),
        (board("ellipse", "hand-cut", 300, 200, 20, 465278), "ANNA", 45.99, 0),
        (board("heart", "bricks", 400, 200, 20, 542142), "Bo", 36.82, 0),
        (board("arch", "triangles", 200, 150, 12, 31135), "Wim", 27.13, 0),
    ],
)
def test_text_leaves_a_board_that_can_be_cut(design: JigsawDesign, text: str, height: float, tongues: int) -> None:
    made = with_text(design, text, height, SILENT, tongues).design
    assert errors(made) == []
    assert {one.name for one in shaped(made).tiling.fillings} == {one.name for one in made.whimsies}
    assert len(made.whimsies) == len(text)
