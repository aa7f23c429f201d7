"""Six photographs painted from numbers alone, each with the mask of its subject: textures, shadows, blur and noise.

`python3 -m docs.cutouts FOLDER` writes them into a folder, and makes the sample `tabby-47` of the cat.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from docs.make import studio

WIDTH, HEIGHT = 900, 600
FINER = 2
"""How many times as large shapes are drawn."""
Part = tuple[Any, ...]
"""A form, and its places in hundredths of the width."""


@dataclass(frozen=True, eq=False)
class Photograph:
    """A JPEG and the pixels of its subject."""

    data: bytes
    mask: Any


class _Canvas:
    """A picture that is painted layer by layer; places are in hundredths of its width."""

    def __init__(self, seed: int, ground: Any) -> None:
        self.chance = np.random.default_rng(seed)
        self.pixels = np.broadcast_to(np.asarray(ground, float), (HEIGHT, WIDTH, 3)).copy()
        self.subject = np.zeros((HEIGHT, WIDTH))

    def noise(self, grain: float, stretch: float = 1.0) -> Any:
        """Smooth noise around 0, with a deviation of 1; grains are `grain` pixels high and `stretch` times as wide."""
        rows, columns = max(2, round(HEIGHT / grain)), max(2, round(WIDTH / grain / stretch))
        image = Image.fromarray(self.chance.standard_normal((rows, columns)).astype(np.float32))
        return np.asarray(image.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC), float)

    def clouds(self, grain: float) -> Any:
        """Noise of several grains."""
        return sum(self.noise(grain / 2**each) / 1.6**each for each in range(4))

    def shape(self, *parts: Part, frays: float = 0.0, blur: float = 0.8) -> Any:
        """Coverage of shapes from 0 to 1, with an outline that frays by some pixels and is out of focus."""
        image = Image.new("L", (WIDTH * FINER, HEIGHT * FINER))
        draw = ImageDraw.Draw(image)
        for form, *places in parts:
            at = [each * WIDTH * FINER / 100 for each in places]
            match form:
                case "ellipse":
                    draw.ellipse(at, 255)
                case "rounded":
                    draw.rounded_rectangle(at, min(at[2] - at[0], at[3] - at[1]) * 0.35, 255)
                case "rectangle":
                    draw.rectangle(at, 255)
                case "line":
                    draw.line(at, 255, 3 * WIDTH * FINER // 100, "curve")
                case _:
                    draw.polygon(at, 255)
        found = np.asarray(image.resize((WIDTH, HEIGHT), Image.Resampling.BOX), float) / 255
        if frays:
            y, x = np.mgrid[:HEIGHT, :WIDTH]
            y = np.clip(y + frays * self.noise(4) + frays * self.noise(12), 0, HEIGHT - 1).astype(int)
            x = np.clip(x + frays * self.noise(4) + frays * self.noise(12), 0, WIDTH - 1).astype(int)
            found = found[y, x]
        blurred = Image.fromarray((255 * found).astype(np.uint8)).filter(ImageFilter.GaussianBlur(blur))
        return np.asarray(blurred, float) / 255

    def lay(self, cover: Any, colour: Any, *, is_subject: bool = False) -> None:
        """Paint a colour, or colours of pixels, where a shape covers the picture."""
        self.pixels = self.pixels * (1 - cover[..., None]) + np.asarray(colour, float) * cover[..., None]
        if is_subject:
            self.subject = np.maximum(self.subject, cover)

    def shade(self, cover: Any, share: float) -> None:
        """Darken, or with a negative share lighten."""
        self.pixels *= 1 - share * cover[..., None]

    def blades(self, count: int, low: float, high: float, colours: Sequence[Any], length: float) -> None:
        """Paint blades of grass between two heights."""
        image = Image.fromarray(np.clip(self.pixels, 0, 255).astype(np.uint8))
        draw = ImageDraw.Draw(image)
        for _ in range(count):
            x, y = self.chance.uniform(0, WIDTH), self.chance.uniform(low, high) * WIDTH / 100
            lean, tall = self.chance.normal(0, 0.4) * length, length * self.chance.uniform(0.5, 1.4)
            colour = np.array(colours[int(self.chance.integers(len(colours)))]) * self.chance.uniform(0.6, 1.25)
            draw.line([x, y, x + lean, y - tall], tuple(np.clip(colour, 0, 255).astype(int)), 2)
        self.pixels = np.asarray(image, float)

    def photograph(self, grain: float = 6.0) -> Photograph:
        """Light falls off towards the corners, and the sensor adds noise."""
        y, x = np.mgrid[:HEIGHT, :WIDTH]
        self.pixels *= (1.05 - 0.35 * ((x / WIDTH - 0.5) ** 2 + (y / HEIGHT - 0.5) ** 2))[..., None]
        self.pixels += grain * self.chance.standard_normal((HEIGHT, WIDTH, 1))
        self.pixels += grain / 2 * self.chance.standard_normal(self.pixels.shape)
        packed = io.BytesIO()
        Image.fromarray(np.clip(self.pixels, 0, 255).astype(np.uint8)).save(packed, "JPEG", quality=88)
        return Photograph(packed.getvalue(), self.subject > 0.5)


def _furry(canvas: _Canvas, cover: Any, colour: tuple[float, ...], rough: float, stripes: Any = 0.0) -> None:
    """Paint fur: hairs, patches, light from above."""
    y = np.mgrid[:HEIGHT, :WIDTH][0] / HEIGHT
    light = 1 + rough * (0.5 * canvas.noise(3, 0.5) + 0.7 * canvas.clouds(50)) + 0.25 * (0.6 - y) - stripes
    canvas.lay(cover, np.array(colour) * light[..., None], is_subject=True)


def cat_on_grass() -> Photograph:
    """A tabby on a lawn with dry patches."""
    canvas = _Canvas(1, (84, 104, 52))
    canvas.pixels += canvas.clouds(90)[..., None] * np.array([26, 14, 10])
    canvas.blades(9000, 0, 70, [(96, 128, 52), (120, 140, 66), (150, 138, 84), (60, 84, 38)], 20)
    canvas.shade(canvas.shape(("ellipse", 28, 47, 80, 56), blur=9), 0.45)
    fur, seen = (148, 116, 84), 0.16
    waves = 0.22 * (np.sin(np.mgrid[:HEIGHT, :WIDTH][1] / 11 + 1.5 * canvas.noise(40)) > 0.35)
    body = [("ellipse", 33, 24, 70, 50), *(("rounded", x, 40, x + 4.5, 54) for x in (37, 44, 58, 64))]
    tail = ("line", 67, 38, 76, 32, 80, 22, 78, 14), ("ellipse", 76.4, 12.4, 79.6, 15.6)
    _furry(canvas, canvas.shape(*body, *tail, frays=2.0), fur, seen, waves)
    ears = ("polygon", 27, 20, 27, 10, 34, 16), ("polygon", 37, 16, 44, 10, 44.5, 20)
    _furry(canvas, canvas.shape(("ellipse", 26, 15, 45, 32), *ears, frays=1.5), (160, 128, 96), seen, 0.6 * waves)
    canvas.lay(canvas.shape(("ellipse", 32, 25, 39, 31), blur=4), (224, 212, 196))
    for x in (31, 38):
        canvas.lay(canvas.shape(("ellipse", x, 20, x + 2.6, 23)), (196, 190, 60))
        canvas.lay(canvas.shape(("ellipse", x + 0.9, 20, x + 1.7, 23)), (20, 20, 16))
    canvas.lay(canvas.shape(("polygon", 34.5, 26, 36.5, 26, 35.5, 27.5)), (190, 110, 110))
    return canvas.photograph()


def boat() -> Photograph:
    """A sailing boat under clouds as bright as its sail, with its image in the water."""
    canvas = _Canvas(2, (120, 160, 206))
    y = np.mgrid[:HEIGHT, :WIDTH][0] / HEIGHT
    canvas.pixels += (y * 90)[..., None]
    cloud = np.clip(0.4 * canvas.clouds(120) + 0.1, 0, 1) * (y < 0.6)
    canvas.lay(cloud, (232, 232, 230))
    sea = canvas.shape(("rectangle", 0, 40, 100, 67), blur=1.2)
    waves = canvas.noise(5, 6)
    canvas.lay(sea, np.array([58, 92, 118]) + waves[..., None] * 13 + canvas.clouds(60)[..., None] * 8)
    image = canvas.shape(("polygon", 36, 48, 66, 48, 62, 56, 40, 56), frays=4, blur=3)
    canvas.lay(0.5 * image * (waves > -0.4), (120, 40, 40))
    hull = canvas.shape(("polygon", 32, 41, 69, 41, 64, 48.5, 38, 48.5))
    canvas.lay(hull, np.array([150, 38, 40]) * (1 + 0.1 * canvas.noise(6, 8))[..., None], is_subject=True)
    sails = canvas.shape(("polygon", 51, 8, 51, 39.5, 67, 39.5), ("polygon", 48.6, 11, 48.6, 39.5, 35, 39.5))
    folds = 1 + 0.05 * canvas.noise(60, 0.2) + 0.02 * canvas.noise(5)
    canvas.lay(sails, np.array([226, 216, 196]) * folds[..., None], is_subject=True)
    canvas.lay(canvas.shape(("rectangle", 48.6, 6, 51, 42)), (96, 70, 48), is_subject=True)
    canvas.lay(canvas.shape(("rectangle", 36, 43, 66, 43.8)), (230, 226, 210))
    return canvas.photograph()


def face() -> Photograph:
    """A head with brown hair before a warm wall and a shelf out of focus."""
    canvas = _Canvas(3, (172, 148, 122))
    canvas.pixels += canvas.clouds(200)[..., None] * np.array([16, 14, 12])
    for x, colour in ((4, (90, 60, 46)), (13, (60, 80, 96)), (80, (140, 70, 50)), (90, (70, 90, 70))):
        book = canvas.shape(("rectangle", x, 4, x + 7, 50), blur=12)
        canvas.lay(book, colour)
    canvas.lay(canvas.shape(("polygon", 22, 67, 30, 57, 44, 52, 56, 52, 70, 57, 78, 67), blur=2),
               np.array([52, 66, 96]) * (1 + 0.12 * canvas.noise(4, 1))[..., None])  # fmt: skip
    hair = canvas.shape(("ellipse", 34, 5, 66, 44), ("ellipse", 33, 20, 45, 50), ("ellipse", 55, 20, 67, 50), frays=2)
    canvas.lay(hair, np.array([84, 56, 40]) * (1 + 0.28 * canvas.noise(40, 0.05))[..., None], is_subject=True)
    canvas.lay(canvas.shape(("rectangle", 45, 44, 55, 53), blur=2), (180, 134, 110))
    skin = canvas.shape(("ellipse", 39, 12, 61, 48), blur=1.5)
    across = np.mgrid[:HEIGHT, :WIDTH][1] / WIDTH
    light = 1.08 - 0.9 * np.clip(across - 0.5, 0, 1) + 0.03 * canvas.noise(5) + 0.04 * canvas.clouds(40)
    canvas.lay(skin, np.array([216, 170, 144]) * light[..., None], is_subject=True)
    for x in (43, 53):
        canvas.lay(canvas.shape(("ellipse", x, 26, x + 4.5, 28.6)), (240, 236, 230))
        canvas.lay(canvas.shape(("ellipse", x + 1.2, 26, x + 3.4, 28.6)), (60, 44, 30))
        canvas.lay(canvas.shape(("rectangle", x - 0.4, 23.6, x + 5, 24.6)), (70, 46, 34))
    canvas.shade(canvas.shape(("polygon", 49.6, 28, 52.4, 36, 48.6, 36), blur=4), 0.2)
    canvas.lay(canvas.shape(("ellipse", 45.5, 39, 54.5, 42)), (178, 84, 84))
    return canvas.photograph()


def house() -> Photograph:
    """A plastered house with a tiled roof among trees, in evening light."""
    canvas = _Canvas(4, (150, 170, 200))
    y = np.mgrid[:HEIGHT, :WIDTH][0] / HEIGHT
    canvas.lay(np.clip(0.35 * canvas.clouds(140), 0, 0.8), (214, 208, 204))
    trees = ((-6, 20), (8, 26), (70, 18), (84, 24), (60, 30))
    wood = canvas.shape(*(("ellipse", x, top, x + 20, 62) for x, top in trees), frays=7, blur=2)
    canvas.lay(wood, np.array([58, 74, 44]) * (1 + 0.4 * canvas.noise(6) + 0.3 * canvas.clouds(40))[..., None])
    lawn = canvas.shape(("rectangle", 0, 51, 100, 67), frays=2)
    canvas.lay(lawn, (92, 110, 58))
    canvas.blades(5000, 52, 70, [(96, 120, 56), (120, 130, 70), (70, 92, 44)], 14)
    wall = canvas.shape(("rectangle", 26, 30, 74, 54), ("rectangle", 62, 10, 67, 26))
    sun = 1.1 - 0.35 * (np.mgrid[:HEIGHT, :WIDTH][1] / WIDTH) + 0.03 * canvas.noise(3) + 0.05 * canvas.clouds(60)
    canvas.lay(wall, np.array([212, 196, 164]) * sun[..., None], is_subject=True)
    roof = canvas.shape(("polygon", 22, 31, 33, 14, 67, 14, 78, 31), frays=0.7)
    tiles = 1 + 0.14 * (np.sin(y * HEIGHT / 2.4) > 0.4) + 0.14 * canvas.noise(5) + 0.1 * canvas.clouds(50)
    canvas.lay(roof, np.array([126, 66, 50]) * tiles[..., None], is_subject=True)
    for x in (31, 43, 64):
        canvas.lay(canvas.shape(("rectangle", x, 36, x + 6, 44)), (236, 232, 220))
        glass = canvas.shape(("rectangle", x + 0.7, 36.7, x + 5.3, 43.3))
        canvas.lay(glass, np.array([70, 84, 100]) + canvas.clouds(30)[..., None] * 12)
    canvas.lay(canvas.shape(("rectangle", 54, 38, 60, 54)), (84, 62, 44))
    return canvas.photograph()


def dog_on_sand() -> Photograph:
    """A sandy dog on sand: little tells them apart but its outline and its shadow."""
    canvas = _Canvas(5, (196, 174, 138))
    canvas.pixels *= (1 + 0.05 * canvas.clouds(160) + 0.05 * canvas.noise(14, 5) + 0.05 * canvas.noise(2))[..., None]
    canvas.shade(canvas.shape(("ellipse", 34, 46, 92, 54), blur=8), 0.4)
    body = [("rounded", 36, 24, 68, 40), ("polygon", 34, 20, 44, 24, 44, 36, 36, 33)]
    legs = [("rounded", x, 34, x + 4.4, 52) for x in (37, 43, 58, 63)]
    tail = ("line", 66, 28, 74, 22, 79, 15)
    _furry(canvas, canvas.shape(*body, *legs, tail, frays=1.6), (164, 122, 78), 0.11)
    _furry(
        canvas, canvas.shape(("ellipse", 26, 11, 43, 27), ("rounded", 19, 18, 33, 26), frays=1.2), (176, 134, 88), 0.1
    )
    _furry(canvas, canvas.shape(("ellipse", 36, 12, 43, 28), frays=1.2), (96, 66, 42), 0.15)
    canvas.lay(canvas.shape(("ellipse", 18.5, 18, 22, 21.4)), (30, 26, 24), is_subject=True)
    canvas.lay(canvas.shape(("ellipse", 29, 16, 31, 18.2)), (36, 26, 20))
    return canvas.photograph()


def flower() -> Photograph:
    """A pink flower before leaves and other flowers out of focus."""
    canvas = _Canvas(6, (60, 84, 48))
    canvas.pixels *= (1 + 0.35 * canvas.clouds(170))[..., None]
    for x, y, colour in (
        (8, 12, (190, 90, 120)),
        (86, 48, (200, 110, 140)),
        (80, 8, (120, 140, 70)),
        (14, 54, (160, 160, 90)),
    ):
        far = canvas.shape(("ellipse", x - 9, y - 8, x + 9, y + 8), blur=24)
        canvas.lay(far, colour)
    stem = canvas.shape(("line", 52, 36, 56, 52, 55, 70), blur=2)
    canvas.lay(stem, (94, 120, 60))
    for turn in np.arange(11) * 2 * np.pi / 11 + 0.2:
        ahead, beside = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        length = 20 + 2 * np.sin(5 * turn)
        angles = np.linspace(0, 2 * np.pi, 40)[:, None]
        away, wide = length * (0.5 - 0.5 * np.cos(angles)), 5.6 * np.sin(angles) * (0.7 - 0.3 * np.cos(angles))
        rim = np.array([51, 31]) + away * ahead + wide * beside
        petal = canvas.shape(("polygon", *np.concatenate(rim)), frays=0.6)
        light = 0.92 + 0.16 * np.sin(3 * turn) + 0.05 * canvas.noise(3) + 0.05 * canvas.clouds(40)
        canvas.lay(petal, np.array([214, 112, 150]) * light[..., None], is_subject=True)
        canvas.shade(np.clip(petal - canvas.shape(("polygon", *np.concatenate(rim)), blur=6), 0, 1), -0.3)
    eye = canvas.shape(("ellipse", 45, 25, 57, 37), frays=1.5)
    canvas.lay(eye, np.array([216, 170, 50]) * (1 + 0.25 * canvas.noise(4))[..., None], is_subject=True)
    return canvas.photograph()


SCENES = {"cat": cat_on_grass, "boat": boat, "face": face, "house": house, "dog": dog_on_sand, "flower": flower}


@cache
def photograph(name: str) -> Photograph:
    """One of the scenes, by name."""
    return SCENES[name]()


STROKES = "150,114 / 228,93 237,78 240,60 234,42 without 128,148 128,160 / 189,148 189,160"
"""A click on the cat and a stroke along its tail, and strokes between its legs, in mm on the board."""


def main(folder: Path) -> None:
    """Write the photographs and the sample."""
    for name in SCENES:
        (folder / f"{name}.jpg").write_bytes(photograph(name).data)
    picture, sample = folder / "tabby.jpg", folder / "tabby-47.puzzle"
    # Small, as it is part of the sample.
    Image.open(folder / "cat.jpg").save(picture, quality=60)
    board = ("width=300", "height=200", "columns=9", "rows=6", "tongue_style=ribbon", "seed=6")
    studio("new", "jigsaw", *(f"--set={setting}" for setting in board), "-o", str(sample), "--force")
    studio("photo", str(sample), str(picture))
    studio("edit", str(sample), f"cutout {STROKES} with 5 tongues")
    studio("repair", str(sample))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
