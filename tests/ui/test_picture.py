"""Pictures without a display: of the size asked for, the same pixels each time, different where they should be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from studio.files import store
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters
from studio.puzzles.registry import KINDS

DESIGN = JigsawDesign(JigsawParameters(columns=4, rows=3, width=100, height=75))


def picture(folder: Path, name: str, *options: str) -> QImage:
    source = folder / "board.puzzle"
    store.save(source, KINDS[0], DESIGN)
    command = [sys.executable, "-m", "studio", "picture", str(source), "-o", str(folder / name), *options]
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    root = Path(__file__).parents[2]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, cwd=root, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    image = QImage(str(folder / name))
    assert not image.isNull()
    return image


@pytest.mark.parametrize(("scale", "pixels"), [("1", 900), ("2", 1800)])
def test_the_window_is_pictured_at_any_scale(tmp_path: Path, scale: str, pixels: int) -> None:
    image = picture(tmp_path, "a.png", "--window", "--size", "900x700", "--scale", scale)
    assert image.width() == pixels
    assert image.height() == pixels * 7 // 9


def test_the_same_design_gives_the_same_picture(tmp_path: Path) -> None:
    picture(tmp_path, "a.png", "--window", "--size", "900x700")
    picture(tmp_path, "b.png", "--window", "--size", "900x700")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_the_drawing_alone_shows_cuts_on_a_board_in_both_themes(tmp_path: Path) -> None:
    light = picture(tmp_path, "a.png", "--size", "600x500")
    dark = picture(tmp_path, "b.png", "--size", "600x500", "--theme", "dark")
    assert light.size() == dark.size() and light.width() == 600

    def seen(image: QImage) -> set[str]:
        return {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}

    assert QColor("#ffffff").name() in seen(light)
    assert QColor("#ffffff").name() not in seen(dark)
    assert len(seen(light)) > 10, "lines are smooth, so there are greys between board and cut"
