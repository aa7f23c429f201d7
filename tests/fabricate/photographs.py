"""Photographs of printed sheets with burned marks, painted by a camera of our own; knows no module that finds marks.

The print is the studio's PDF as PDFium draws it, the burned marks are the lines of the DXF of its marks file.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pypdfium2
from ezdxf.filemanagement import readfile
from ezdxf.path import make_path
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from studio.exporting.formats import Options
from studio.exporting.laser_files import write_all
from studio.fabricate.making import Made, Making, made
from studio.fabricate.workshop import Machine, Material
from studio.geometry.art.artwork import PNG, Picture
from studio.geometry.curves.strokes import Floats
from tests.fabricate.boards import jigsaw

PER_MM = 12
"""Pixels a mm of the sheet that is photographed."""
Pixels = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Printed:
    """A sheet as it was made, what its print and its burned marks look like, and its size in mm."""

    made: Made
    making: Making
    ink: Pixels
    burn: Pixels

    @property
    def size(self) -> tuple[float, float]:
        sheet = self.made.sheets[0]
        return sheet.width, sheet.height


def printed(folder: Path, columns: int, rows: int, mark_size: float) -> Printed:
    """Print a jigsaw with a busy picture, and burn its marks."""
    rng = np.random.default_rng(columns)
    spots = rng.integers(0, 256, (12 * rows, 12 * columns, 3)).astype(np.uint8)
    photograph = Image.fromarray(spots).resize((100 * columns, 100 * rows), Image.Resampling.BICUBIC)
    packed = io.BytesIO()
    photograph.save(packed, "PNG")
    board = jigsaw(columns, rows)
    box = (0.0, 0.0, board.width, board.height)
    board = replace(board, artwork=(Picture(packed.getvalue(), PNG, box),))
    making = Making(marks="targets", mark_size=mark_size, bleed=2.0, marks_file=True)
    result = made(board, making, Machine(), Material())
    path = folder / "board.dxf"
    write_all(result.sheets, path, Options(print_pdf=True), fronts=result.fronts, beside=result.beside)
    page = pypdfium2.PdfDocument((folder / "board-print.pdf").read_bytes())[0]
    ink = np.asarray(page.render(scale=PER_MM * 25.4 / 72).to_pil().convert("L")) / 255
    fine, size = 3, (result.sheets[0].width, result.sheets[0].height)
    # PDFium rounds the page up to whole pixels; each picture is as large as the sheet, whatever its pixels.
    sheet = Image.new("L", (fine * round(PER_MM * size[0]), fine * round(PER_MM * size[1])), 255)
    pen = ImageDraw.Draw(sheet)
    for line in readfile(folder / "board-marks.dxf").modelspace():
        points = [(point.x, size[1] - point.y) for point in make_path(line).flattening(0.01)]
        pen.line([(fine * PER_MM * x, fine * PER_MM * y) for x, y in points], fill=70, width=9)
    sheet = sheet.reduce(fine)
    return Printed(result, making, np.asarray(ink, np.float32), np.asarray(np.asarray(sheet) / 255, np.float32))


@dataclass(frozen=True)
class Shot:
    """How a photograph is taken. Angles are in degrees, lengths in mm, `blur` in pixels, `bulge` a share."""

    tilt: float = 20.0
    towards: float = 0.0
    roll: float = 0.0
    fill: float = 0.9
    blur: float = 1.0
    bulge: float = 0.0
    noise: float = 0.01
    quality: int = 85
    gamma: float = 2.2
    shadow: float = 0.3
    hard_shadow: bool = True
    covered: tuple[float, float, float] | None = None
    pixels: tuple[int, int] = (2400, 1800)
    seed: int = 0


def random_shot(rng: np.random.Generator, marks: Floats) -> Shot:
    """Take a picture from a hand-held camera, with one mark covered."""
    middle = marks[rng.integers(len(marks))]
    return Shot(
        tilt=rng.uniform(0, 38), towards=rng.uniform(0, 360), roll=90 * rng.integers(4) + rng.normal(0, 8),
        fill=rng.uniform(0.72, 0.95), blur=rng.uniform(0.5, 2.2), bulge=rng.uniform(-0.012, 0.012),
        noise=rng.uniform(0.003, 0.025), quality=int(rng.integers(55, 95)),
        gamma=rng.uniform(1.8, 2.4), shadow=rng.uniform(0, 0.6),
        hard_shadow=bool(rng.integers(2)), covered=(*(middle + rng.normal(0, 3, 2)), rng.uniform(5, 12)),
        seed=int(rng.integers(1 << 30)),
    )  # fmt: skip


def random_print(rng: np.random.Generator, middle: Floats) -> tuple[Floats, Floats]:
    """Matrix and shift of a print that is stretched, skewed, turned and laid down by hand, about `middle` mm."""
    turn = np.radians(rng.normal(0, 0.15))
    stretch = np.array([[1 + rng.normal(0, 0.002), rng.normal(0, 0.0008)], [0, 1 + rng.normal(0, 0.002)]])
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ stretch
    return matrix, middle + rng.normal(0, 0.5, 2) - matrix @ middle


def photographed(sheet: Printed, matrix: Floats, shift: Floats, shot: Shot) -> NDArray[np.uint8]:
    """Photograph the sheet, whose print is moved by a matrix and shift in mm, and pack it as JPEG."""
    rng = np.random.default_rng(shot.seed)
    columns, rows = shot.pixels
    away = _camera(sheet.size, shot)
    x, y = np.meshgrid(np.arange(columns, dtype=np.float32), np.arange(rows, dtype=np.float32))
    u, v = (x - columns / 2) / np.hypot(*shot.pixels) * 2, (y - rows / 2) / np.hypot(*shot.pixels) * 2
    straight = 1 + shot.bulge * (u * u + v * v)
    u, v = u * straight, v * straight
    back = np.linalg.inv(away).astype(np.float32)
    depth = back[2, 0] * u + back[2, 1] * v + back[2, 2]
    across = (back[0, 0] * u + back[0, 1] * v + back[0, 2]) / depth
    down = (back[1, 0] * u + back[1, 1] * v + back[1, 2]) / depth
    inverse = np.linalg.inv(matrix)
    px = inverse[0, 0] * (across - shift[0]) + inverse[0, 1] * (down - shift[1])
    py = inverse[1, 0] * (across - shift[0]) + inverse[1, 1] * (down - shift[1])
    table = np.float32(0.45) + 0.05 * np.sin(across / 7 + np.sin(down / 31))
    on_paper = (px > 0) & (py > 0) & (px < sheet.size[0]) & (py < sheet.size[1])
    light = np.where(on_paper, 0.05 + 0.8 * _looked_up(sheet.ink, px / sheet.size[0], py / sheet.size[1]), table)
    light *= _looked_up(sheet.burn, across / sheet.size[0], down / sheet.size[1])
    if shot.covered is not None:
        cx, cy, radius = shot.covered
        light[np.hypot(across - cx, down - cy) < radius] = 0.55
    slope = np.cos(shot.seed) * u + np.sin(shot.seed) * v
    light *= 1 - shot.shadow * (0.5 + 0.5 * slope)
    if shot.hard_shadow:
        edge = across * np.cos(shot.seed / 7) + down * np.sin(shot.seed / 7)
        light *= np.where(edge > np.median(edge), 0.65, 1.0).astype(np.float32)
    light = _blurred(np.asarray(light, np.float32), shot.blur) + rng.normal(0, shot.noise, light.shape)
    picture = Image.fromarray((255 * np.clip(light, 0, 1) ** (1 / shot.gamma)).astype(np.uint8))
    packed = io.BytesIO()
    picture.save(packed, "JPEG", quality=shot.quality)
    return np.asarray(Image.open(packed).convert("L"))


def _blurred(light: Pixels, sigma: float) -> Pixels:
    """Light out of focus: a lens blurs light, before a camera brightens what is dark."""
    reach = int(np.ceil(3 * sigma))
    taps = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2).astype(np.float32)
    taps /= taps.sum()
    for axis in (0, 1):
        padded = np.pad(light, [(reach, reach) if at == axis else (0, 0) for at in (0, 1)], mode="edge")
        shifted = (np.take(padded, range(at, at + light.shape[axis]), axis=axis) for at in range(len(taps)))
        light = sum((tap * each for tap, each in zip(taps, shifted, strict=True)), np.zeros_like(light))
    return light


def _camera(size: tuple[float, float], shot: Shot) -> Floats:
    """Homography of a pinhole camera from mm on the sheet to half diagonals from the middle of the picture."""
    half = np.hypot(*shot.pixels) / 2
    focus = 0.72 * max(shot.pixels) / half
    tilt, towards, roll = np.radians([shot.tilt, shot.towards, shot.roll])
    axis = np.array([np.cos(towards), np.sin(towards), 0.0])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    lean = np.eye(3) + np.sin(tilt) * cross + (1 - np.cos(tilt)) * cross @ cross
    spin = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    turned = spin @ lean
    corners = np.array([(0, 0), (size[0], 0), size, (0, size[1])]) - np.array(size) / 2
    limits = np.array(shot.pixels) / 2 / half * shot.fill
    near, far = 0.3 * max(size), 20 * max(size)
    for _ in range(40):
        distance = (near + far) / 2
        seen = corners @ turned[:, :2].T + (0, 0, distance)
        at = focus * seen[:, :2] / seen[:, 2:]
        fits = (seen[:, 2] > 0).all() and (np.abs(at) <= limits).all()
        near, far = (near, distance) if fits else (distance, far)
    view = np.column_stack([turned[:, 0], turned[:, 1], turned[:, :2] @ (-np.array(size) / 2) + (0, 0, far)])
    return np.asarray(np.diag([focus, focus, 1.0]) @ view)


def _looked_up(pixels: Pixels, x: Pixels, y: Pixels) -> Pixels:
    """Brightness between pixels at shares of their width and height; white beyond."""
    rows, columns = pixels.shape
    u, v = x * columns - 0.5, y * rows - 0.5
    inside = (u > 0) & (v > 0) & (u < columns - 1) & (v < rows - 1)
    u, v = np.clip(u, 0, columns - 1.01), np.clip(v, 0, rows - 1.01)
    left, top = u.astype(np.int32), v.astype(np.int32)
    right, down = (u - left).astype(np.float32), (v - top).astype(np.float32)
    flat, at = pixels.ravel(), top * columns + left
    upper = flat[at] * (1 - right) + flat[at + 1] * right
    lower = flat[at + columns] * (1 - right) + flat[at + columns + 1] * right
    return np.where(inside, upper * (1 - down) + lower * down, np.float32(1.0))
