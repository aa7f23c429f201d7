"""Paints the picture of the sample `lakeside-96` from numbers alone, so that it is ours, and makes the sample.

`python3 -m docs.photograph FOLDER` writes picture, protected area and puzzle into a folder.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from docs.make import studio

WIDTH, HEIGHT = 960, 640
HORIZON = 0.58
SUN = 0.64, 0.50
SKY = (
    (0.0, 36, 50, 102), (0.20, 92, 84, 142), (0.36, 196, 122, 132), (0.47, 246, 164, 116), (HORIZON, 255, 216, 146),
)  # fmt: skip
"""The colours of the sky, and from which height on."""
RIDGES = (
    (0.50, 0.050, 1, (120, 98, 140), (196, 132, 128)),
    (0.545, 0.035, 6, (76, 70, 112), (120, 92, 116)),
    (0.575, 0.020, 9, (40, 48, 80), (62, 60, 84)),
)
"""Height, amplitude and seed of the hills, the farthest first, and their colours below and above."""
PINES = ((0.085, 0.17, 0.93, 0.105), (0.175, 0.36, 0.93, 0.07), (0.93, 0.30, 0.90, 0.085))
"""Where pines are, their tops and feet, and how wide they are."""
FINER = 3
"""How many times as large what has edges is drawn."""


def noise(rows: int, columns: int, seed: int) -> Any:
    """Smooth noise from 0 to 1."""
    grains = np.random.default_rng(seed).random((rows, columns))
    image = Image.fromarray((255 * grains).astype(np.uint8)).resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)
    return np.asarray(image) / 255.0


def mixed(one: tuple[int, int, int], other: tuple[int, int, int], share: Any) -> Any:
    """Colours on the way from one to another."""
    part = np.clip(share, 0, 1)[..., None]
    return np.array(one) * (1 - part) + np.array(other) * part


def scenery() -> Any:
    """Sky, hills, lake and shore."""
    down, across = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    u, v = across / WIDTH, down / HEIGHT
    heights, *channels = zip(*SKY, strict=True)
    land = np.stack([np.interp(v, heights, each) for each in channels], -1)
    away = np.hypot((u - SUN[0]) * 1.5, v - SUN[1])
    glow = 90 * np.exp(-((away / 0.05) ** 2)) + 60 * np.exp(-((away / 0.22) ** 2))
    land += glow[..., None] * np.array([1, 0.85, 0.55])
    land = np.where((away < 0.036)[..., None], np.array([255, 246, 214.0]), land)
    clouds = 0.6 * noise(7, 9, 3) + 0.3 * noise(12, 17, 4) + 0.15 * noise(29, 43, 5)
    cover = (np.clip((clouds - 0.52) * 4, 0, 1) * np.exp(-(((v - 0.22) / 0.13) ** 2)))[..., None]
    land = land * (1 - cover) + mixed((150, 104, 140), (255, 170, 130), v / 0.4) * cover
    for base, swing, seed, low, high in RIDGES:
        chance = np.random.default_rng(seed)
        waves = (
            np.sin(2 * np.pi * (1.3 * 2**k * u + chance.random())) * chance.uniform(0.6, 1) / 2**k for k in range(5)
        )
        ridge = base - swing * sum(waves)
        land = np.where((v > ridge)[..., None], mixed(high, low, (v - ridge) / 0.08), land)
    depth = v - HORIZON
    mirrored = 2 * HORIZON - v + (noise(150, 14, 21) - 0.5) * 0.05 * np.clip(depth * 6, 0.2, 1)
    rows = (np.clip(mirrored, 0, HORIZON - 0.001) * HEIGHT).astype(int)
    columns = np.clip((across + (noise(160, 8, 23) - 0.5) * 54 * depth).astype(int), 0, WIDTH - 1)
    lake = land[rows, columns] * 0.8 + np.array([6, 16, 34])
    glitter = np.exp(-(((u - SUN[0]) / (0.03 + 0.1 * depth)) ** 2)) * np.clip((noise(170, 40, 25) - 0.45) * 5, 0, 1)
    lake += (glitter * np.clip(depth * 5, 0, 1))[..., None] * np.array([110, 88, 56])
    land = np.where((depth > 0)[..., None], lake, land)
    shore = 0.90 + 0.05 * np.sin(u * 5 + 0.4) - 0.05 * u + 0.012 * (noise(50, 73, 31) - 0.5)
    grass = mixed((58, 66, 52), (18, 26, 28), (v - shore) / 0.12) + (noise(136, 203, 33) - 0.5)[..., None] * 26
    return np.where((v > shore)[..., None], grass, land)


def drawn() -> Image.Image:
    """A boat, pines and birds."""
    over = Image.new("RGBA", (WIDTH * FINER, HEIGHT * FINER), (0, 0, 0, 0))
    brush, chance = ImageDraw.Draw(over), np.random.default_rng(5)

    def area(colour: tuple[int, ...], *places: tuple[float, float]) -> None:
        brush.polygon([(x * WIDTH * FINER, y * HEIGHT * FINER) for x, y in places], fill=colour)

    area((34, 26, 34, 255), (0.30, 0.735), (0.47, 0.735), (0.448, 0.775), (0.322, 0.775))
    area((40, 30, 36, 255), (0.378, 0.50), (0.384, 0.50), (0.384, 0.735), (0.378, 0.735))
    area((232, 206, 186, 255), (0.388, 0.515), (0.388, 0.715), (0.462, 0.715))
    area((206, 168, 164, 255), (0.374, 0.545), (0.374, 0.715), (0.318, 0.715))
    area((20, 18, 34, 90), (0.318, 0.785), (0.452, 0.785), (0.41, 0.83), (0.36, 0.83))
    for x, top, foot, width in PINES:
        for layer in range(11):
            high = top + (foot - 0.06 - top) * layer / 11
            low, half = high + (foot - top) * 0.16, width * (0.25 + 0.068 * layer) * chance.uniform(0.9, 1.1)
            green = (14 + int(8 * chance.random()), 30 + int(10 * chance.random()), 34, 255)
            area(green, (x, high), (x + half, low), (x + 0.4 * half, low - 0.015), (x, low + 0.01),
                 (x - 0.4 * half, low - 0.015), (x - half, low))  # fmt: skip
    for x, y, wing in ((0.46, 0.20, 0.016), (0.50, 0.235, 0.012), (0.43, 0.25, 0.011)):
        way = ((-1, -0.6), (-0.4, -0.9), (0, 0), (0.4, -0.9), (1, -0.6))
        places = [((x + wing * right) * WIDTH * FINER, (y + wing * down) * HEIGHT * FINER) for right, down in way]
        brush.line(places, fill=(44, 38, 62, 255), width=5, joint="curve")
    return over.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def painted() -> Image.Image:
    """The whole picture, with a little grain and darker corners."""
    picture, over = Image.fromarray(np.clip(scenery(), 0, 255).astype(np.uint8)), drawn()
    picture.paste(over, (0, 0), over)
    down, across = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    corners = (across / WIDTH - 0.5) ** 2 + (down / HEIGHT - 0.5) ** 2
    grain = np.random.default_rng(11).normal(0, 2.2, (HEIGHT, WIDTH, 1))
    pixels = (np.asarray(picture).astype(float) + grain) * (1 - 0.45 * corners)[..., None]
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.6))


def kept_clear() -> Image.Image:
    """The protected area, dark: the sun, the birds and a sail."""
    area = Image.new("L", (WIDTH, HEIGHT), 255)
    brush = ImageDraw.Draw(area)
    brush.ellipse((590, 290, 640, 325), fill=0)
    brush.ellipse((398, 108, 500, 168), fill=0)
    brush.polygon([(366, 322), (372, 322), (446, 458), (440, 466), (366, 466)], fill=0)
    return area


def main(folder: Path) -> None:
    """Write the picture, the area and the sample."""
    picture, area, sample = folder / "lakeside.jpg", folder / "area.png", folder / "lakeside-96.puzzle"
    painted().save(picture, quality=82)
    kept_clear().save(area)
    board = ("width=360", "height=240", "columns=12", "rows=8", "perturbation=0.08", "follow_colours=0.6", "seed=4")
    studio("new", "jigsaw", *(f"--set={setting}" for setting in board), "-o", str(sample), "--force")
    studio("photo", str(sample), str(picture))
    studio("mask", str(sample), str(area))
    studio("repair", str(sample))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
