"""Pieces as pictures of their own: their names, pixels and sizes, and that all of them are written or none."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from PIL import Image

from studio.base.errors import StudioError
from studio.exporting.formats import Options
from studio.exporting.laser_files import file_names, write_all
from studio.fabricate.making import IN_PLACE, Making, made
from studio.fabricate.workshop import Machine, Material
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.regions import pieces_as_polygons
from tests.export.test_print import pictured
from tests.fabricate.boards import jigsaw as board

OPTIONS = Options(piece_pngs=True, raster_dpi=254)


def pieces(drawing: Drawing) -> dict[str, shapely.Polygon]:
    """The pieces by name."""
    return dict(zip(drawing.pieces.names, pieces_as_polygons(drawing, drawing.strokes.flattened(0.001)), strict=True))


@pytest.mark.parametrize("making", [Making(), Making(lines="separate", layout=IN_PLACE, kerf=0.0, spacing=3.0)])
def test_each_piece_is_a_picture_of_its_own_size_and_form(tmp_path: Path, making: Making) -> None:
    drawing = pictured(3, 2)
    result = made(drawing, making, Machine(), Material())
    sheets = [plan.drawing for plan in result.plans]
    write_all(sheets, tmp_path / "board.dxf", OPTIONS, fronts=result.fronts)
    shapes = pieces(drawing)
    assert {path.stem for path in (tmp_path / "board-pieces").iterdir()} == set(shapes)
    for name, shape in shapes.items():
        with Image.open(tmp_path / "board-pieces" / f"{name}.png") as image:
            pixels = np.asarray(image).astype(float)
            assert image.mode == "RGBA" and image.info["dpi"] == pytest.approx((254, 254))
        low, high = np.array(shape.bounds).reshape(2, 2)
        assert pixels.shape[1::-1] == pytest.approx(np.ceil((high - low) * 10), abs=1)
        assert pixels[..., 3].sum() / 255 / 100 == pytest.approx(shape.area, rel=2e-3), "as much as the piece covers"
        row, column = np.argwhere(pixels[..., 3] == 255)[len(np.argwhere(pixels[..., 3] == 255)) // 2]
        said = (pixels[row, column, :2] - 80) / 160 * (drawing.width, drawing.height)
        assert np.abs(said - (low + np.array([column, row]) / 10)).max() < 0.6, "what the picture shows there"


def test_names_are_fit_for_every_system_and_all_different() -> None:
    assert file_names(["A1", "a1", "C4 (2)", "x/y:z", "..", "A1-2"]) == (
        "A1.png", "a1-2.png", "C4 (2).png", "x_y_z.png", "_.png", "A1-2-2.png",
    )  # fmt: skip


def test_several_copies_have_pictures_of_all_their_pieces(tmp_path: Path) -> None:
    result = made(pictured(2, 2), Making(page="bed", copies=2), Machine(), Material())
    write_all([plan.drawing for plan in result.plans], tmp_path / "board.svg", OPTIONS)
    assert len(list((tmp_path / "board-pieces").iterdir())) == 8


@pytest.mark.thorough
def test_more_pieces_than_files_may_be_open_are_written(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))
    try:
        drawing = pictured(10, 10)
        write_all([drawing], tmp_path / "board.dxf", Options(piece_pngs=True, raster_dpi=50))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(list((tmp_path / "board-pieces").iterdir())) == 100


def test_where_one_file_cannot_be_none_is(tmp_path: Path) -> None:
    folder = tmp_path / "board-pieces"
    folder.mkdir()
    (folder / "B1.png").mkdir()
    with pytest.raises(StudioError, match=r"B1\.png: it is a folder"):
        write_all([pictured(2, 2)], tmp_path / "board.dxf", OPTIONS)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["B1.png", "board-pieces"]


def test_a_folder_made_in_vain_goes_again(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="no artwork"):
        write_all([board(2, 2)], tmp_path / "board.dxf", OPTIONS)
    with pytest.raises(StudioError, match=r"At 1200 dpi the pieces have \d+ megapixels in all. Lower"):
        large = replace(pictured(2, 2), width=1000.0)
        points = large.strokes.points * (20, 20)
        large = replace(large, height=1000.0, strokes=replace(large.strokes, points=points))
        write_all([large], tmp_path / "board.dxf", replace(OPTIONS, raster_dpi=1200))
    assert list(tmp_path.iterdir()) == []
    if os.geteuid() != 0:
        tmp_path.chmod(stat.S_IREAD | stat.S_IEXEC)
        with pytest.raises(StudioError, match="permission"):
            write_all([pictured(2, 2)], tmp_path / "board.dxf", OPTIONS)
        tmp_path.chmod(stat.S_IRWXU)
