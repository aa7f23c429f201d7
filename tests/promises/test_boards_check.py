"""Checks of boards: a stricter limit never finds less, what is told is true, and sound boards cost little work."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.checks.finding import Finding
from studio.cli import main
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from tests.classic import classic

LIMITS = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 12.0, 50.0)
NARROW = JigsawDesign(
    classic(
        columns=1, rows=3, width=12.8, height=80.571, seed=613606878, tongue_size=0.22, vary_size=0.29, vary_neck=0.18,
        vary_place=0.04, vary_depth=0.02, vary_slant=0.04, smooth_joints=False,
    ),
    tongues=(TongueEdit("A2-A3", place=-0.242, side=1, size=0.548),),
)  # fmt: skip
"""Three pieces in a row, of which a tongue nearly runs into the border."""
CROWDED = JigsawDesign(classic(columns=12, rows=6, width=120, height=60, perturbation=0.3, tongue_size=0.28))
"""Cells of 10 mm."""


def found(design: JigsawDesign, kind: str, **limits: float) -> tuple[JigsawShapes, list[Finding]]:
    """Return the shapes of a design with other limits, and the findings of one kind."""
    limited = JigsawDesign(JigsawParameters(**vars(design.parameters) | limits), design.corners, design.tongues)
    shapes = shape(limited, None, Progress())
    return shapes, [one for one in check(limited, shapes, None, Progress()).findings if one.kind == kind]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("design", [NARROW, CROWDED], ids=["narrow", "crowded"])
@pytest.mark.parametrize(("kind", "limit"), [("bridge", "least_bridge"), ("neck", "least_neck")])
def test_a_larger_limit_finds_every_wall_and_neck_of_a_smaller_one(design: JigsawDesign, kind: str, limit: str) -> None:
    before: set[tuple[Any, ...]] = set()
    for least in LIMITS:
        now = {(one.strokes, one.place) for one in found(design, kind, **{limit: least})[1]}
        assert before <= now
        before = now
    assert before


def told_width(wall: Finding) -> float:
    """The width in mm that the sentence about a wall says."""
    return float(wall.message.split(" mm")[0].split()[-1])


def test_the_wall_that_is_told_is_as_wide_as_the_wood_is_there() -> None:
    for least in LIMITS:
        shapes, findings = found(NARROW, "bridge", least_bridge=least)
        first = min(findings, key=told_width)
        tongue, border = (shapes.drawing.strokes.chosen(np.array([at])).flattened(1e-4).points for at in first.strokes)
        # Near its ends the tongue is near the border because it begins there.
        head = tongue[np.hypot(*(tongue[:, None] - tongue[[0, -1]]).T).min(axis=0) > 4.0]
        width = shapely.LineString(border).distance(shapely.MultiPoint(head))
        assert 0.05 < width < 0.2
        told = told_width(first)
        assert told <= width < told + 0.02
        assert shapely.Point(first.place).distance(shapely.LineString(border)) == pytest.approx(width / 2, abs=0.01)


def counted(monkeypatch: pytest.MonkeyPatch, *names: str) -> Callable[[], int]:
    """Return how many geometries some functions of shapely have been given since."""
    given = [0]
    for name in names:
        original = getattr(shapely, name)

        def counting(first: Any, *more: Any, _original: Any = original, **named: Any) -> Any:
            given[0] += np.size(first)
            return _original(first, *more, **named)

        monkeypatch.setattr(shapely, name, counting)
    return lambda: given[0]


def test_the_pieces_of_a_sound_board_are_known_without_making_polygons(monkeypatch: pytest.MonkeyPatch) -> None:
    design = JigsawDesign(classic(columns=40, rows=40, width=1000, height=1000))
    shapes = shape(design, None, Progress())
    polygons, measured = (
        counted(monkeypatch, "polygonize", "polygons"),
        counted(monkeypatch, "distance", "shortest_line"),
    )
    assert check(design, shapes, None, Progress()).findings == ()
    assert polygons() == 0
    # Few cuts come so near each other that their distance is worth measuring.
    assert measured() < 4 * len(shapes.drawing.pieces)


def test_a_picture_that_would_take_gigabytes_is_refused_with_a_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "large.png"
    assert main(["picture", str(tmp_path / "any.puzzle"), "-o", str(out), "--size", "16384x16384"]) == 2
    said = capsys.readouterr().err
    assert "268 megapixels" in said and "(maximum 100)" in said
    assert not out.exists()


def test_no_outline_of_a_sound_board_is_moved_to_know_that_it_has_no_thin_neck(monkeypatch: pytest.MonkeyPatch) -> None:
    design = JigsawDesign(JigsawParameters(columns=20, rows=20, width=500, height=500))
    drawing = shape(design, None, Progress()).drawing
    moved = counted(monkeypatch, "buffer")
    assert made(drawing, Making(), Machine(), Material()).notes == ()
    assert moved() == 0
