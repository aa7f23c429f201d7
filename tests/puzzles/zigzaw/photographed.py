"""Pictures of pieces and border as a camera would take them: on paper, with noise, as JPEG."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
from PIL import Image, ImageFilter

from studio.geometry.art.artwork import Pixels, pixels_in
from studio.geometry.curves.strokes import Floats
from studio.puzzles.zigzaw.model import ZigzawDesign, matching, numbers
from studio.puzzles.zigzaw.photographs import border_picture, piece_picture

PAPER = (246.0, 246.0, 244.0)
MARGIN = 6


@cache
def pieces_of(design: ZigzawDesign, edge: float = 14.0) -> tuple[tuple[str, Pixels], ...]:
    """The pictures of a design's pieces in the order of their numbers."""
    palette = [paint.colour for paint in design.palette]
    order = sorted(zip(numbers(design).tolist(), matching(design).pieces, strict=True))
    return tuple((f"piece {number}", piece_picture(design.body, [palette[one] for one in piece], edge))
                 for number, piece in order)  # fmt: skip


def photographed(
    pixels: Pixels, chance: np.random.Generator, *, noise: float = 8.0, quality: int = 75, blur: float = 0.0,
    light: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> Pixels:  # fmt: skip
    """A picture on paper, in some light, as a camera sees it; noise of 255, blur in pixels."""
    opaque = pixels[..., 3:] / 255
    flat: Floats = pixels[..., :3] * opaque + np.array(PAPER) * (1 - opaque)
    whole = np.full((flat.shape[0] + 2 * MARGIN, flat.shape[1] + 2 * MARGIN, 3), PAPER)
    whole[MARGIN:-MARGIN, MARGIN:-MARGIN] = flat
    lit = whole * light + chance.normal(0.0, noise, whole.shape)
    image = Image.fromarray(np.clip(lit, 0, 255).astype(np.uint8))
    if blur:
        image = image.filter(ImageFilter.GaussianBlur(blur))
    packed = io.BytesIO()
    image.save(packed, "JPEG", quality=quality)
    return pixels_in(packed.getvalue())


@cache
def border_of(design: ZigzawDesign, edge: float = 14.0) -> Pixels:
    """The picture of a design's border."""
    return border_picture(design, edge)
