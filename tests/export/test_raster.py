"""The artwork in greyscale, for engraving: its shades, its size in every file, and what it is refused for."""

import base64
import io
import subprocess
from dataclasses import replace
from pathlib import Path
from shutil import which
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from studio.base.errors import StudioError
from studio.exporting.formats import Options
from studio.exporting.laser_files import write_all
from studio.fabricate.cutting_time import raster_seconds
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.geometry.art.artwork import PNG, Picture, Region
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing, Recipe, Setting
from tests.fabricate.boards import jigsaw as board

Shades = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def square(left: float, top: float, size: float) -> Floats:
    """The corners of a square."""
    return np.array([(left, top), (left + size, top), (left + size, top + size), (left, top + size)])


def shaded() -> Drawing:
    """A board of 50 by 50 mm with a black square, a grey one and a picture that gets brighter to the right."""
    file = io.BytesIO()
    Image.fromarray(np.tile(np.arange(0, 200, 2, dtype=np.uint8), (20, 1))).save(file, "PNG")
    return replace(
        board(2, 2),
        artwork=(
            Region((square(5, 5, 10),), "#000000"), Region((square(20, 5, 10),), "#808080"),
            Picture(file.getvalue(), PNG, (5, 30, 20, 4)),
        ),
    )  # fmt: skip


def exported(folder: Path, suffix: str, options: Options, making: Making | None = None) -> Path:  # type: ignore[valid-type]
    """The shaded board in a file."""
    result = made(shaded(), making or Making(), Machine(), Material())
    write_all([plan.drawing for plan in result.plans], folder / f"board{suffix}", options, fronts=result.fronts)
    return folder / f"board{suffix}"


def raster(folder: Path, options: Options, making: Making | None = None) -> Shades:  # type: ignore[valid-type]
    """The shades of the PNG beside a file."""
    exported(folder, ".dxf", options, making)
    with Image.open(folder / "board-raster.png") as image:
        return np.asarray(image)


def test_a_png_as_large_as_the_sheet_says_its_size(tmp_path: Path) -> None:
    shades = raster(tmp_path, Options(raster_png=True, raster_dpi=254))
    assert shades.shape == (500, 500)
    with Image.open(tmp_path / "board-raster.png") as image:
        assert image.info["dpi"] == pytest.approx((254, 254))
    assert shades[100, 100] == 0 and shades[100, 250] == 128 and shades[200, 20] == 255
    assert shades[320, 60] < 20 and 80 < shades[320, 150] < 120 and shades[320, 240] > 180


def test_inverting_leaves_bare_what_shows_nothing(tmp_path: Path) -> None:
    shades = raster(tmp_path, Options(raster_png=True, raster_dpi=254, invert=True))
    assert shades[100, 100] == 255 and shades[100, 250] == 127 and shades[200, 20] == 255 and shades[320, 240] < 70


@pytest.mark.parametrize(("gamma", "shade"), [(2.0, 255 * 0.502**2), (0.5, 255 * 0.502**0.5)])
def test_gamma_shifts_the_midtones_and_no_black_or_white(tmp_path: Path, gamma: float, shade: float) -> None:
    shades = raster(tmp_path, Options(raster_png=True, raster_dpi=254, gamma=gamma))
    assert shades[100, 100] == 0 and shades[200, 20] == 255 and shades[100, 250] == pytest.approx(shade, abs=1.5)


def test_a_sheet_cut_from_the_back_is_engraved_mirrored(tmp_path: Path) -> None:
    options = Options(raster_png=True, raster_dpi=254)
    plain, back = raster(tmp_path, options), raster(tmp_path, options, Making(mirror=True))
    assert np.abs(plain[:, ::-1].astype(int) - back).max() <= 2


def test_an_svg_has_one_grey_picture_where_the_artwork_was(tmp_path: Path) -> None:
    path = exported(tmp_path, ".svg", Options(raster=True, raster_dpi=254))
    group = ElementTree.parse(path).getroot().find("{http://www.w3.org/2000/svg}g[@id='artwork']")
    assert group is not None and [child.tag.partition("}")[2] for child in group] == ["image"]
    assert [float(group[0].get(name, "")) for name in ("x", "y", "width", "height")] == pytest.approx([5, 5, 25, 29])
    if which("inkscape"):
        command = ["inkscape", str(path), "-d", "254", "--export-type=png", "-o", str(tmp_path / "seen.png")]
        subprocess.run(command, check=True, capture_output=True)
        with Image.open(tmp_path / "seen.png") as image:
            seen = np.asarray(image.convert("RGB")).astype(int)
        assert (np.ptp(seen[40:160, 40:160], axis=2) == 0).all(), "grey only"
        assert seen[80, 80].max() < 10 and abs(seen[80, 230, 0] - 128) < 4


def test_a_lightburn_project_has_an_image_layer_that_runs_first(tmp_path: Path) -> None:
    root = ElementTree.parse(exported(tmp_path, ".lbrn2", Options(raster=True, raster_dpi=254))).getroot()
    (layer,) = root.findall("CutSetting_Img")
    values = {child.tag: child.get("Value", "") for child in layer}
    assert layer.get("type") == "Image" and float(values["interval"]) == pytest.approx(0.1)
    others = [int(child.get("Value", "")) for each in root.findall("CutSetting") for child in each.findall("priority")]
    assert int(values["priority"]) < min(others)
    (shape,) = [shape for shape in root.findall("Shape") if shape.get("Type") == "Bitmap"]
    assert shape.get("CutIndex") == values["index"] and values["index"] not in {
        each.get("CutIndex") for each in root.findall("Shape") if each is not shape
    }
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(shape.get("Data", "")))))
    assert image.shape == (290, 250) and image[50, 50] == 0
    assert [float(shape.get(name, "")) for name in "WH"] == pytest.approx([25, 29])
    a, b, c, d, x, y = map(float, (shape.findtext("XForm") or "").split())
    assert (a, b, c, d) == (1, 0, 0, 1) and (x, y) == pytest.approx((5 + 12.5, 50 - 5 - 14.5))


def test_engraving_takes_a_pass_for_every_line() -> None:
    machine = Machine(engrave_speed=100.0, acceleration=2000.0)
    assert raster_seconds(50, 10, 254, machine) == pytest.approx(100 * (50 / 100 + 2 * 100 / 2000), rel=1e-6)


def test_without_a_raster_a_lightburn_project_has_lines_alone(tmp_path: Path) -> None:
    root = ElementTree.parse(exported(tmp_path, ".lbrn2", Options())).getroot()
    assert root.find("CutSetting_Img") is None and all(shape.get("Type") == "Path" for shape in root.findall("Shape"))


def test_a_dxf_holds_no_picture_which_is_said(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="DXF files hold lines alone; for engraving, write a PNG"):
        exported(tmp_path, ".dxf", Options(raster=True))
    assert list(tmp_path.iterdir()) == []


def test_too_many_pixels_are_refused_before_any_is_painted(tmp_path: Path) -> None:
    large = replace(shaded(), width=2000.0, height=1000.0)
    with pytest.raises(StudioError, match=r"94488 × 47244 pixels .* Lower it to 127 dpi"):
        write_all([large], tmp_path / "board.dxf", Options(raster_png=True, raster_dpi=1200))
    assert list(tmp_path.iterdir()) == []


def test_the_image_layer_of_a_project_has_the_recipe_for_rasters(tmp_path: Path) -> None:
    raster = Setting(
        power_max=22.5, power_min=11, speed=280, passes=2, air=True, focus=-2, interval=0.1, note="Mask it"
    )
    options = Options(raster=True, raster_dpi=508, recipe=Recipe(raster=raster))
    root = ElementTree.parse(exported(tmp_path, ".lbrn2", options)).getroot()
    (layer,) = root.findall("CutSetting_Img")
    values = {child.tag: child.get("Value") for child in layer}
    assert {name: values[name] for name in ("minPower", "maxPower", "speed", "numPasses", "runBlower", "zOffset")} == {
        "minPower": "11", "maxPower": "22.5", "speed": "280", "numPasses": "2", "runBlower": "1", "zOffset": "-2",
    }  # fmt: skip
    # The lines are as far apart as those of the picture in the file.
    assert values["interval"] == "0.05"
    (notes,) = (note.get("Notes", "") for note in root.iter("Notes"))
    assert "IMAGE: 11 to 22.5 %, 280 mm/s, 2 passes, air, focus -2 mm, interval 0.05 mm (508 dpi). Mask it" in notes
