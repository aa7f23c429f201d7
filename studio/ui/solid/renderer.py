"""Common base of all renderers: draw a scene in a given quality, and find the body at a pixel.

draft: quick, while something moves. final: best quality, at rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from studio.geometry.solids.camera import Camera
from studio.ui.solid.scene import Scene

DRAFT_PIXELS = 800_000
"""Most pixels of a draft; on a sharper or larger screen it is drawn coarser and stretched."""


class Quality(Enum):
    """Quality of a picture; NUMBERS paints each body in a flat colour that encodes its number, for picking."""

    DRAFT = auto()
    FINAL = auto()
    NUMBERS = auto()


class NoRenderer(Exception):
    """A renderer cannot work on this computer."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A scene as a camera sees it in a picture of `size` logical pixels."""

    scene: Scene
    camera: Camera
    size: QSize

    @property
    def pixels(self) -> tuple[float, float]:
        """The size as two numbers."""
        return float(self.size.width()), float(self.size.height())

    def only(self, chosen: Sequence[bool]) -> Shot:
        """The same with some of the bodies alone; ground, plate and light are as with all of them."""
        placed = tuple(each for each, is_chosen in zip(self.scene.placed, chosen, strict=True) if is_chosen)
        return Shot(self.scene.showing(placed), self.camera, self.size)


class Renderer(ABC):
    """Draws scenes; its constructor raises NoRenderer if it cannot work here."""

    is_slow = False
    """True if even a simple final picture takes longer than a frame, so a draft comes first."""

    def __init__(self) -> None:
        self._shot: Shot | None = None
        self._numbers: NDArray[np.int64] | None = None

    def render(self, scene: Scene, camera: Camera, size: QSize, ratio: float, quality: Quality) -> QImage:
        """A picture of `size` logical pixels with `ratio` real ones for each."""
        self._shot, self._numbers = Shot(scene, camera, size), None
        if quality is Quality.DRAFT:
            ratio = min(ratio, (DRAFT_PIXELS / max(1, size.width() * size.height())) ** 0.5)
        image = self._drawn(self._shot, ratio, quality)
        image.setDevicePixelRatio(ratio)
        return image

    def preparing(self, scene: Scene) -> Iterator[None]:
        """Prepare the first picture of a scene step by step; if left off, the picture does the rest."""
        return iter(())

    def in_slices(self, scene: Scene, camera: Camera, size: QSize, ratio: float) -> Iterator[QImage | None]:
        """Draw the final picture in steps: None after each step, the picture at last; it may be left off at any step.

        Meanwhile the same scene may be drawn otherwise, and picked. A fast renderer does it in one step.
        """
        for image in self._sliced(Shot(scene, camera, size), ratio):
            if image is not None:
                image.setDevicePixelRatio(ratio)
            yield image

    def _sliced(self, shot: Shot, ratio: float) -> Iterator[QImage | None]:
        yield self._drawn(shot, ratio, Quality.FINAL)

    def pick(self, x: float, y: float) -> int | None:
        """Number of the body at a place of the last picture, in logical pixels, or None."""
        shot = self._shot
        if shot is None or not (0 <= x < shot.size.width() and 0 <= y < shot.size.height()):
            return None
        if self._numbers is None:
            self._numbers = numbers_in(self._drawn(shot, 1.0, Quality.NUMBERS))
        place = int(self._numbers[int(y), int(x)]) - 1
        return shot.scene.placed[place].number if place >= 0 else None

    def release(self) -> None:  # noqa: B027 - a renderer that holds nothing has nothing to give back
        """Release the memory on the graphics card; nothing can be drawn afterwards."""

    @abstractmethod
    def _drawn(self, shot: Shot, ratio: float, quality: Quality) -> QImage:
        """The picture; in NUMBERS pixels have the `number_colour` of a body's place in the scene, or are black."""


def number_colour(place: int) -> tuple[int, int, int]:
    """Red, green and blue that encode a body: 1 + its place in the scene, the low byte first."""
    return (place + 1) & 255, (place + 1) >> 8 & 255, (place + 1) >> 16


def numbers_in(image: QImage) -> NDArray[np.int64]:
    """Numbers (height, width) encoded by the colours of a picture."""
    return np.asarray(pixels_in(image) @ np.array([1, 256, 65536]), np.int64)


def pixels_in(image: QImage) -> NDArray[np.uint8]:
    """Red, green and blue (height, width, 3) of a picture."""
    plain = image.convertToFormat(QImage.Format.Format_RGBA8888)
    data = np.frombuffer(plain.constBits(), np.uint8)
    return data.reshape(plain.height(), plain.bytesPerLine() // 4, 4)[:, : plain.width(), :3].copy()
