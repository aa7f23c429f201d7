"""Paints boards in wood beside each other, as a shop shows them: the four mixtures, and a sheet of nine.

`python3 -m docs.wood FOLDER` writes both pictures into a folder. The grain is painted from numbers alone.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QGuiApplication, QImage, QPainter, QPainterPath, QPen, QTransform

from docs.make import shrink, studio
from studio.base.progress import SILENT
from studio.files.store import load
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.presets import preset
from studio.ui.canvas.paths import curved

MIXTURES, SHEET = "mixtures", "wood"
"""The names of the two pictures."""
PIXELS = 3.0
"""Pixels a millimetre."""
GAP, TITLE = 26, 40
"""Distance between two boards, and height of a title, in pixels."""
KERF = 0.3
"""Width in mm of a cut."""
TONES = 0.035
"""Greatest difference in lightness of a piece from its neighbours, as pieces lie at slightly different heights."""
WOODS = ((222, 187, 140), (198, 152, 104), (232, 204, 164))
"""Colours of basswood, cherry and birch."""


@dataclass(frozen=True)
class Board:
    """A board of the sheet: its title, the key of a preset, values of parameters, and words of `figure` commands."""

    title: str
    preset: str = ""
    settings: tuple[str, ...] = ()
    figures: tuple[tuple[str, ...], ...] = ()

    def shapes(self, folder: Path) -> JigsawShapes:
        """Make the board in a folder, by the commands of the studio, and return its shapes."""
        file = folder / "board.puzzle"
        values = preset(JIGSAW, self.preset).values if self.preset else {}
        words = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}
        words |= dict(setting.split("=", 1) for setting in self.settings)
        settings = (f"--set={name}={value}" for name, value in words.items())
        studio("new", "jigsaw", *settings, "-o", str(file), "--force")
        for figure in self.figures:
            studio("figure", str(file), *figure)
        design: Any = load(file).design
        return shape(design, None, SILENT)


SMALL = ("columns=6", "rows=4", "width=150", "height=100")
LARGE = ("columns=9", "rows=6", "width=198", "height=132")
MIXED = (
    Board("Portrait", "portrait", (*SMALL, "seed=3")),
    Board("Heirloom cut", "heirloom", (*SMALL, "seed=5")),
    Board("Devious", "devious", (*SMALL, "seed=2")),
    Board("Children", "children", (*SMALL, "seed=4", "corner_radius=8", "scale_limits=true", "least_bridge=1",
        "least_neck=1.5", "least_area=40", "least_radius=0.2")),
)  # fmt: skip
"""The four mixtures, all of 6 × 4 pieces."""
NINE = (
    Board("Portrait", "portrait", (*LARGE, "seed=11")),
    Board("Heirloom cut", "heirloom", (*LARGE, "seed=5")),
    Board("Devious", "devious", (*LARGE, "seed=2")),
    Board("Children", "children", ("width=198", "height=132", "corner_radius=16", "seed=4", "least_neck=3",
        "least_bridge=2", "least_area=500", "least_radius=0.4")),
    Board("Ribbon cut", settings=(*LARGE, "seed=7")),
    Board("Heirloom", settings=(*LARGE, "tongue_style=heirloom", "seed=9")),
    Board("With figures", "heirloom", (*LARGE, "seed=6"), (("cat", "--x=25%"), ("butterfly", "--x=72%"))),
    Board("With a name", "portrait", (*LARGE, "seed=8"), (("--text=ANNA", "--height=34"),)),
    Board("Heart", "heirloom", ("outline=heart", "pieces=40", "width=160", "height=140", "seed=3")),
)  # fmt: skip
"""The boards of the sheet."""


def grain(width: int, height: int, seed: int) -> QImage:
    """Paint a sheet of wood of some pixels: long fibres along it, wide rings and fine pores."""
    chance = np.random.default_rng(seed)
    down, across = np.mgrid[0:height, 0:width].astype(float)
    bend = 22 * np.sin(across / width * 2.2 + chance.random() * 6) + 9 * np.sin(across / width * 5 + 1)
    heart = (down + bend) / height
    rings = np.sin(2 * np.pi * (5.5 * heart + 1.6 * heart**2) + 0.5 * np.sin(heart * 19 + across / width * 3))
    rows, along = down.astype(int), (across + chance.integers(0, 48, (height, 1))).astype(int)
    fibres = chance.normal(0, 1, (height, width // 48 + 2))[rows, along // 48]
    pores = (chance.random((height, width // 14 + 5)) > 0.988)[rows, along // 14]
    light = 1 + 0.045 * np.sign(rings) * np.abs(rings) ** 1.5 + 0.014 * fibres - 0.1 * pores
    colour = np.array(WOODS[seed % len(WOODS)], float)
    pixels = np.clip(light[..., None] * colour, 0, 255).astype(np.uint8)
    opaque = np.ascontiguousarray(np.concatenate([pixels[..., ::-1], np.full((height, width, 1), 255, np.uint8)], 2))
    return QImage(opaque.data, width, height, QImage.Format.Format_RGB32).copy()


def paint(painter: QPainter, shapes: JigsawShapes, seed: int) -> None:
    """Paint a board in wood, in mm from its upper left corner: shadow, pieces and the dark lines of the laser."""
    drawing = shapes.made.drawing
    rings = [curved(Curves.from_strokes([ring])) for ring in outlines(shapes)]
    whole = QPainterPath()
    for ring in rings:
        whole = whole.united(ring)
    for step in range(5, 0, -1):
        painter.fillPath(whole.translated(0.25 * step, 0.45 * step), QColor(40, 28, 16, 26))
    size = (int(drawing.width * PIXELS) + 1, int(drawing.height * PIXELS) + 1)
    brush = QBrush(grain(*size, seed))
    brush.setTransform(QTransform.fromScale(1 / PIXELS, 1 / PIXELS))
    tones = np.random.default_rng(seed).uniform(-1, 1, len(rings))
    for ring, tone in zip(rings, tones.tolist(), strict=True):
        painter.fillPath(ring, brush)
        painter.fillPath(ring, QColor(*((255,) * 3 if tone > 0 else (60, 34, 10)), round(255 * TONES * abs(tone))))
    lines = curved(drawing.strokes)
    painter.strokePath(lines.translated(0.14, 0.16), QPen(QColor(255, 244, 222, 120), KERF))
    burnt = QPen(QColor(62, 34, 14), KERF)
    burnt.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.strokePath(lines, burnt)


def outlines(shapes: JigsawShapes) -> list[Floats]:
    """Outline of each piece, a closed stroke, shape (3k + 1, 2)."""
    drawing = shapes.made.drawing
    pieces, strokes = drawing.pieces, drawing.strokes
    first = {int(at) for at in pieces.holes}
    found = []
    for piece in range(len(pieces)):
        begin, end = int(pieces.starts[piece]), int(pieces.starts[piece + 1])
        inner = [at for at in range(begin + 1, end) if at in first]
        parts: list[Floats] = []
        for code in pieces.codes[begin : inner[0] if inner else end].tolist():
            stroke = strokes[code >> 1]
            stroke = stroke[::-1] if code & 1 else stroke
            parts.append(stroke if not parts else stroke[1:])
        found.append(np.concatenate(parts))
    return found


def draw(boards: Sequence[Board], across: int, target: Path) -> Path:
    """Paint boards in rows of some beside each other, each with its title below, and return the file."""
    with tempfile.TemporaryDirectory() as aside:
        made = [board.shapes(Path(aside)) for board in boards]
    width, height = (
        max(round(PIXELS * getattr(one.made.drawing, side)) for one in made) for side in ("width", "height")
    )
    down = -(-len(made) // across)
    sheet = QImage(across * (width + GAP) + GAP, down * (height + TITLE + GAP) + GAP, QImage.Format.Format_RGB32)
    sheet.fill(QColor(247, 244, 239))
    painter = QPainter(sheet)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(QFont("DejaVu Sans", 15))
    for number, (board, shapes) in enumerate(zip(boards, made, strict=True)):
        row, column = divmod(number, across)
        left, top = GAP + column * (width + GAP), GAP + row * (height + TITLE + GAP)
        drawing = shapes.made.drawing
        painter.setPen(QColor(70, 52, 36))
        painter.drawText(QRect(left, top + height, width, TITLE), Qt.AlignmentFlag.AlignCenter, board.title)
        painter.save()
        painter.translate(left + (width - PIXELS * drawing.width) / 2, top + (height - PIXELS * drawing.height) / 2)
        painter.scale(PIXELS, PIXELS)
        paint(painter, shapes, number + 1)
        painter.restore()
    painter.end()
    smaller = sheet.scaledToWidth(min(sheet.width(), 1500), Qt.TransformationMode.SmoothTransformation)
    smaller.save(str(target))
    shrink(target)
    return target


def draw_mixtures(folder: Path) -> Path:
    """Make the picture of the four mixtures in a folder and return its file."""
    return draw(MIXED, 2, folder / f"{MIXTURES}.png")


def draw_sheet(folder: Path) -> Path:
    """Make the sheet of nine boards in a folder and return its file."""
    return draw(NINE, 3, folder / f"{SHEET}.png")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QGuiApplication([])
    into = Path(sys.argv[1])
    into.mkdir(parents=True, exist_ok=True)
    for made in (draw_mixtures(into), draw_sheet(into)):
        print(made)
