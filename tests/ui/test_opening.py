"""Nothing that takes long is done in the GUI thread while a file is opened."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from studio.base.progress import Brief, Cancelled, Progress
from studio.files import store
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.registry import kind
from studio.ui.session import opening
from tests.ui.stage import Stage, staged

SMALL = {"columns": 4, "rows": 3, "width": 80.0, "height": 60.0}
BOARD = JigsawDesign(JigsawParameters(**SMALL, seed=5))  # type: ignore[arg-type]


def large_picture(shade: int) -> bytes:
    """A picture of many pixels in few bytes."""
    packed = io.BytesIO()
    Image.new("L", (4000, 3000), shade).save(packed, "PNG")
    return packed.getvalue()


def with_large_picture(shade: int) -> JigsawDesign:
    picture = BoardPicture(large_picture(shade), "image/png")
    return JigsawDesign(JigsawParameters(**SMALL, follow_colours=0.5)).with_picture(picture)  # type: ignore[arg-type]


stage = staged(Stage)


def test_a_large_picture_that_cuts_follow_is_not_decoded_for_what_is_wanted_soon() -> None:
    design = with_large_picture(1)
    with pytest.raises(Cancelled):
        shape(design, None, Brief(0.1))
    whole = shape(design, None, Progress())
    # It is decoded once.
    assert (shape(design, None, Brief(60.0)).corners == whole.corners).all()


def test_the_lines_of_a_large_zigzaw_are_not_worked_out_for_what_is_wanted_soon() -> None:
    zigzaw = kind("zigzaw")
    design = zigzaw.generate(replace(zigzaw.parameters(), columns=24, rows=19), None, Progress()).design
    with pytest.raises(Cancelled):
        zigzaw.shape(design, None, Brief(0.1))
    whole = zigzaw.shape(design, None, Progress())
    # They are worked out once.
    assert len(zigzaw.shape(design, None, Brief(60.0)).drawing.strokes) == len(whole.drawing.strokes)


def test_a_small_file_with_a_large_picture_is_opened_in_the_background(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "SOON", 0.0)
    path, design = tmp_path / "photograph.puzzle", with_large_picture(2)
    store.save(path, JIGSAW, design)
    assert path.stat().st_size < opening.LARGE
    assert not stage.window.filing.open(path) and stage.window.jobs.is_busy(opening.OPENING)
    assert stage.wait_for(lambda: stage.design == design)
    assert stage.document.path == path and stage.window.pipeline.shapes.design is stage.design


@pytest.mark.parametrize("way", ["open", "reload"])
def test_a_large_file_is_read_in_the_background(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    path, before = tmp_path / "board.puzzle", stage.design
    store.save(path, JIGSAW, BOARD)
    monkeypatch.setattr(opening, "LARGE", 10)
    if way == "open":
        assert not stage.window.filing.open(path)
    else:
        stage.document.saved_as(path)
        stage.window.filing.reload()
    assert stage.design is before and stage.posted().startswith("Opening board.puzzle…")
    assert stage.wait_for(lambda: stage.design == BOARD)
    assert stage.window.pipeline.shapes.design is stage.design and "Opening" not in stage.posted()
    assert not stage.document.is_modified
    assert stage.document.history.canUndo() == (way == "reload")


def test_a_large_file_that_is_none_gives_its_sentence(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "board.puzzle"
    path.write_text("{" * 20)
    monkeypatch.setattr(opening, "LARGE", 10)
    before = stage.design
    stage.window.filing.open(path)
    assert stage.wait_for(lambda: stage.posted().startswith("Cannot open board.puzzle"))
    assert stage.design is before and stage.preferences.recent_files() == ()
