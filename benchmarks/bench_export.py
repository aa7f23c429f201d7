"""What must be fast at the end: a jigsaw of 5,000 pieces as a file that was read back and found right.

The peers run on the same drawing: for SVG, PDF and LightBurn the least that any writer must do, turning the numbers
into text; for DXF what one would write with ezdxf alone, reading the file back with it and comparing nothing; for PNG
what one would draw with pillow alone, without smoothing, and only write.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from ezdxf.filemanagement import new, readfile
from PIL import Image, ImageDraw

from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import Progress
from studio.exporting.formats import Options
from studio.exporting.laser_files import write
from studio.exporting.options import LaserOptions
from studio.geometry.curves.strokes import Curves, offsets
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from tests.classic import classic

DESIGN = JigsawDesign(classic(columns=100, rows=50, width=2500, height=1250))
TOLERANCE = 0.02
DPI = 150


def export(drawing: Drawing, path: Path, options: LaserOptions) -> Callable[[], None]:
    """An export as after an edit: of a drawing from which nothing has been computed yet."""

    def work() -> None:
        strokes = Curves(drawing.strokes.points, drawing.strokes.starts)
        report = write(replace(drawing, strokes=strokes), path, options)
        assert report.faces == report.pieces == 5000

    return work


def numbers_as_text(drawing: Drawing) -> str:
    """Every coordinate of the drawing with three decimals, and nothing else."""
    return " ".join([f"{number:.3f}" for number in drawing.strokes.points.ravel().tolist()])


def plain_ezdxf(drawing: Drawing, path: Path) -> None:
    """The chains by ezdxf alone: all points of the flattening, written and read back."""
    document = new("R2000", units=4)
    model = document.modelspace()
    starts = offsets(np.array([len(chain.strokes) for chain in drawing.chains], np.int64))
    codes = np.concatenate([chain.strokes for chain in drawing.chains])
    lines = drawing.strokes.flattened(TOLERANCE).joined(codes, starts)
    for number, chain in enumerate(drawing.chains):
        model.add_lwpolyline(lines[number], close=chain.closed)
    document.saveas(path)
    assert len(readfile(path).modelspace()) == len(drawing.chains)


def plain_pillow(drawing: Drawing, path: Path) -> None:
    """The strokes as pillow draws them at once, a pixel wide and jagged."""
    scale = DPI / 25.4
    picture = Image.new("L", (round(drawing.width * scale), round(drawing.height * scale)), 255)
    pen = ImageDraw.Draw(picture)
    lines = drawing.strokes.flattened(0.1 / scale)
    for number in range(len(lines)):
        pen.line((lines[number] * scale).ravel().tolist())
    picture.save(path)


def main() -> None:
    """Measure and print."""
    drawing = shape(DESIGN, None, Progress()).drawing
    cases = [
        ("SVG", ".svg", Options(), 1500.0),
        ("DXF with arcs at 0.01 mm", ".dxf", Options(), 12000.0),
        ("DXF R2000 at 0.02 mm", ".dxf", Options(curves="polyline", tolerance=TOLERANCE), 8000.0),
        ("DXF R12 at 0.02 mm", ".dxf", Options(version="R12", curves="polyline", tolerance=TOLERANCE), 8000.0),
        ("DXF with splines", ".dxf", Options(curves="spline"), 8000.0),
        ("PDF, one page", ".pdf", Options(), 2000.0),
        ("PDF, printer pages", ".pdf", Options(pages="tiled"), 6000.0),
        ("LightBurn project", ".lbrn2", Options(), 2000.0),
        (f"PNG at {DPI} dpi", ".png", Options(dpi=DPI), 8000.0),
    ]
    with tempfile.TemporaryDirectory() as folder:
        aside = Path(folder)
        floor = median(milliseconds(lambda: numbers_as_text(drawing), 3))
        peers = {
            ".dxf": ("peer: R2000 by ezdxf alone", lambda: plain_ezdxf(drawing, aside / "plain.dxf")),
            ".png": ("peer: pillow alone, jagged", lambda: plain_pillow(drawing, aside / "plain.png")),
        }
        measured = {suffix: (words, median(milliseconds(work, 3))) for suffix, (words, work) in peers.items()}
        rows = [
            Row(
                f"5,000 pieces as {name}, read back",
                median(milliseconds(export(drawing, aside / f"x{suffix}", options), 3)),
                "ms",
                goal,
                *measured.get(suffix, ("floor: the numbers as text", floor)),
            )
            for name, suffix, options, goal in cases
        ]
    show(rows)


if __name__ == "__main__":
    main()
