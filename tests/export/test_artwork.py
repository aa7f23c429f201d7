"""Artwork under the lines: regions and pictures in SVG and PDF, read back, and left out by formats of lines alone."""

import base64
import io
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import which

import numpy as np
import pytest
from PIL import Image, ImageFilter

from studio.base.errors import StudioError
from studio.exporting.formats import LASER, Options
from studio.exporting.laser_files import write
from studio.exporting.options import Unreadable
from studio.exporting.writers.svg import svg
from studio.geometry.art.artwork import JPEG, PNG, Clip, Picture, Region
from studio.geometry.planar.drawing import Drawing

Grid = Callable[..., Drawing]


TRIANGLE = np.array([(12.0, 14.0), (28, 14), (20, 28)])


def photograph(kind: str = "JPEG", width: int = 160, height: int = 120) -> bytes:
    """A picture in which no two corners are alike."""
    down, across = np.mgrid[0:height, 0:width]
    pixels = np.stack([255 * across / width, 255 * down / height, 128 + 0 * across], 2).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind)
    return file.getvalue()


def painted(drawing: Drawing) -> Drawing:
    """A drawing with a region that has a hole, a photograph and another region above it."""
    square = np.array([(1.0, 1.0), (19, 1), (19, 19), (1, 19)])
    hole = np.array([(7.0, 7.0), (13, 7), (13, 13), (7, 13)])
    dot = np.array([(30.0, 12.0), (34, 12), (34, 16)])
    return replace(drawing, artwork=(
        Region((square, hole), "#FFCC00"),
        Picture(photograph(), JPEG, (22.0, 2.0, 16.0, 12.0)),
        Picture(photograph("PNG"), PNG, (2.0, 22.0, 8.0, 6.0)),
        Region((dot,), "#0044AA"),
        Picture(photograph(), JPEG, (14.0, 16.0, 12.0, 9.0), 30.0, Clip((TRIANGLE, square))),
        Picture(photograph("PNG"), PNG, (26.0, 20.0, 12.0, 9.0), -90.0),
    ))  # fmt: skip


@pytest.mark.parametrize("suffix", LASER.suffixes)
def test_every_format_for_lasers_is_written_and_read_back_with_artwork_or_without(
    grid: Grid, suffix: str, tmp_path: Path
) -> None:
    drawing = painted(grid(4, 3))
    report = write(drawing, tmp_path / f"art{suffix}")
    assert report.pieces == report.faces == 12
    plain = write(replace(drawing, artwork=()), tmp_path / f"plain{suffix}")
    assert (report.bytes > plain.bytes) == (suffix in (".svg", ".pdf", ".png"))


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
@pytest.mark.parametrize("options", [{}, {"pages": "tiled"}])
def test_artwork_that_is_not_in_a_file_as_it_was_drawn_is_noticed(
    grid: Grid, suffix: str, options: dict[str, str]
) -> None:
    known, drawing = LASER.of(Path(f"a.{suffix}")), painted(grid(4, 3))
    chosen = LASER.options(**options)
    sheet = known.read(known.write(drawing, chosen), chosen)
    assert known.prove(sheet, drawing, chosen, known.rounding).pieces == 12
    first, *others = drawing.artwork
    assert isinstance(first, Region) and isinstance(others[0], Picture)
    moved = replace(others[0], box=(22.5, 2.0, 16.0, 12.0))
    *before, turned, quarter = drawing.artwork
    assert isinstance(turned, Picture) and isinstance(quarter, Picture) and turned.clip is not None
    one, two = turned.clip.rings
    changed = [replace(turned, turn=30.2), replace(turned, clip=None), replace(turned, clip=Clip((one,)))]
    changed += [replace(turned, clip=Clip((one + np.array([0, 0.02]), two)))]
    for artwork in (
        (), tuple(others), (first, *others[::-1]), (replace(first, fill="#FFCC20"), *others),
        (replace(first, rings=first.rings[:1]), *others), (first, moved, *others[1:]),
        (first, replace(others[0], data=photograph(width=161)), *others[1:]),
        *((*before, each, quarter) for each in changed), (*before, turned, replace(quarter, turn=90.0)),
        (*before, turned, replace(quarter, clip=turned.clip)),
    ):  # fmt: skip
        with pytest.raises(Unreadable, match="area"):
            known.prove(sheet, replace(drawing, artwork=artwork), chosen, known.rounding)


def test_artwork_is_a_layer_below_the_lines_and_a_file_without_has_none(grid: Grid) -> None:
    text = svg(painted(grid(4, 3)), Options()).decode()
    assert text.index('id="artwork"') < text.index('stroke="#')
    assert base64.b64encode(photograph()).decode() in text
    assert "artwork" not in svg(grid(4, 3), Options()).decode() and "xlink" not in svg(grid(4, 3), Options()).decode()


def test_a_broken_picture_is_refused_with_its_place_and_no_file_is_written(grid: Grid, tmp_path: Path) -> None:
    cut = Picture(photograph("PNG")[:-300], PNG, (3.0, 4.0, 5.0, 5.0))
    for suffix in ("svg", "pdf", "dxf"):
        with pytest.raises(StudioError, match="The picture at 3, 4 mm is damaged or truncated"):
            write(replace(grid(4, 3), artwork=(cut,)), tmp_path / f"art.{suffix}")
    assert not [*tmp_path.iterdir()]


def shown(path: Path, tmp_path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """What poppler draws of a page, at 10 pixels a mm."""
    subprocess.run(["pdftoppm", "-r", "254", "-png", "-singlefile", path, tmp_path / "page"], check=True)
    return np.asarray(Image.open(tmp_path / "page.png").convert("RGB"))


@pytest.mark.skipif(which("pdftoppm") is None, reason="poppler is not installed")
def test_another_program_shows_regions_holes_and_pictures_where_they_are(grid: Grid, tmp_path: Path) -> None:
    drawing = painted(grid(4, 3))
    write(drawing, tmp_path / "art.pdf")
    pixels = shown(tmp_path / "art.pdf", tmp_path)
    assert np.allclose(pixels.shape[:2], (10 * drawing.height, 10 * drawing.width), atol=1)
    assert pixels[40, 40].tolist() == [255, 204, 0] and pixels[100, 90].tolist() == [255, 255, 255]
    assert pixels[134, 328].tolist() == [0, 68, 170]
    # The photograph: red grows to the right and green downwards.
    left, right, low = pixels[30, 230].astype(int), pixels[30, 370].astype(int), pixels[130, 230].astype(int)
    assert right[0] - left[0] > 180 and low[1] - left[1] > 150 and abs(int(left[2]) - 128) < 12


@pytest.mark.skipif(which("pdftoppm") is None, reason="poppler is not installed")
def test_another_program_turns_and_clips_pictures_as_the_png_does(grid: Grid, tmp_path: Path) -> None:
    drawing = painted(grid(4, 3))
    write(drawing, tmp_path / "art.pdf")
    pixels = shown(tmp_path / "art.pdf", tmp_path).astype(int)
    write(drawing, tmp_path / "art.png", LASER.options(dpi=254))
    ours = np.asarray(Image.open(tmp_path / "art.png").convert("RGB")).astype(int)
    height, width = (min(sides) for sides in zip(pixels.shape[:2], ours.shape[:2], strict=True))
    apart = np.abs(pixels[:height, :width] - ours[:height, :width]).max(axis=2)
    write(replace(drawing, artwork=()), tmp_path / "plain.png", LASER.options(dpi=254))
    plain = np.asarray(Image.open(tmp_path / "plain.png").convert("L"))[:height, :width]
    far = np.asarray(Image.fromarray(plain).filter(ImageFilter.MinFilter(7))) == 255
    # Rims differ by how they are smoothed.
    assert far.mean() > 0.6 and np.mean(apart[far] > 24) < 0.01
    # A quarter to the left: red, which grew to the right, now grows upwards.
    top, low = pixels[195, 320], pixels[300, 320]
    assert top[0] - low[0] > 150
    inside, outside = ours[220, 200], ours[260, 130]
    assert abs(inside[2] - 128) < 30 and outside.min() > 240
