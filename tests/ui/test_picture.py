"""Pictures without a display: of the size asked for, the same pixels each time, different where they should be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from studio.files import store
from studio.geometry.art.artwork import COLOURS
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters

DESIGN = JigsawDesign(JigsawParameters(columns=4, rows=3, width=100, height=75))


def pictured(
    folder: Path, name: str, *options: str, design: JigsawDesign | CubeDesign = DESIGN, source: str = "board.puzzle"
) -> subprocess.CompletedProcess[str]:
    path = folder / source
    store.save(path, JIGSAW if isinstance(design, JigsawDesign) else CUBE, design)
    command = [sys.executable, "-m", "studio", "picture", str(path), "-o", str(folder / name), *options]
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    root = Path(__file__).parents[2]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, cwd=root, check=False)


def picture(
    folder: Path, name: str, *options: str, design: JigsawDesign | CubeDesign = DESIGN, source: str = "board.puzzle"
) -> QImage:
    ended = pictured(folder, name, *options, design=design, source=source)
    assert (ended.returncode, ended.stderr) == (0, "")
    image = QImage(str(folder / name))
    assert not image.isNull()
    return image


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("scale", "pixels"), [("1", 900), ("2", 1800)])
def test_the_window_is_pictured_at_any_scale(tmp_path: Path, scale: str, pixels: int) -> None:
    image = picture(tmp_path, "a.png", "--window", "--size", "900x700", "--scale", scale)
    assert image.width() == pixels
    assert image.height() == pixels * 7 // 9


@pytest.mark.thorough
def test_the_same_design_gives_the_same_picture(tmp_path: Path) -> None:
    picture(tmp_path, "a.png", "--window", "--size", "900x700")
    picture(tmp_path, "b.png", "--window", "--size", "900x700")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.thorough
def test_the_window_is_pictured_with_the_tab_of_its_file(tmp_path: Path) -> None:
    """Only the name in the tab differs between pictures of one design in two files."""
    shown = []
    for name in ("boat", "ship"):
        folder = tmp_path / name
        folder.mkdir()
        shown.append(picture(folder, "a.png", "--window", "--size", "900x700", source=f"{name}.puzzle"))
    rows = [y for y in range(700) if any(shown[0].pixel(x, y) != shown[1].pixel(x, y) for x in range(900))]
    assert rows and rows[-1] < 40


@pytest.mark.thorough
def test_the_drawing_alone_shows_cuts_on_a_board_in_both_themes(tmp_path: Path) -> None:
    light = picture(tmp_path, "a.png", "--size", "600x500")
    dark = picture(tmp_path, "b.png", "--size", "600x500", "--theme", "dark")
    assert light.size() == dark.size() and light.width() == 600

    def seen(image: QImage) -> set[str]:
        return {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}

    assert QColor("#ffffff").name() in seen(light)
    assert QColor("#ffffff").name() not in seen(dark)
    assert len(seen(light)) > 10, "lines are smooth, so there are greys between board and cut"


@pytest.mark.thorough
def test_all_pieces_of_a_game_are_seen(tmp_path: Path) -> None:
    many = JigsawDesign(JigsawParameters(columns=20, rows=15, width=500, height=375))
    words = ["--window", "--view", "play", "--size", "1000x700"]
    table = picture(tmp_path, "a.png", *words, design=many)
    assert table == picture(tmp_path, "b.png", *words, "--moment", "0", design=many), "as at the beginning of a game"


@pytest.mark.thorough
def test_a_view_of_the_window_can_be_chosen(tmp_path: Path) -> None:
    net = picture(tmp_path, "a.png", "--window", "--view", "net", "--size", "1000x700", design=CubeDesign())
    seen = [net.pixelColor(x, y).name().upper() for x in range(300, 800, 4) for y in range(60, 460, 4)]
    assert all(seen.count(colour.upper()) > 50 for colour in COLOURS), "all six faces are seen at once"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("options", "design", "sentence"),
    [
        (("--view", "net"), CubeDesign(), "--view needs --window."),
        (
            ("--window", "--view", "nut"),
            CubeDesign(),
            "Unknown view 'nut'; choose from model, plate, net, drawing, pages.",
        ),
        (("--window", "--view", "net"), DESIGN, "Unknown view 'net'; choose from board, play, space."),
    ],
)
def test_a_view_that_there_is_not_is_refused(
    tmp_path: Path, options: tuple[str, ...], design: JigsawDesign | CubeDesign, sentence: str
) -> None:
    ended = pictured(tmp_path, "a.png", *options, design=design)
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", f"{sentence}\n")
    assert not (tmp_path / "a.png").exists()
