"""What must be fast on paper: a page of 60 lines of words, 20 curves and a picture of 4 megapixels, as a proven file.

The peer is fpdf2, which writes the same page with the same font and reads nothing back. It is installed on demand into
`.venv-peers`, an environment of its own; where that cannot be had, its figures are missing. Beside SVG stands the least
that must be done: the picture decoded, to know that it is whole, and its bytes in base64. A photograph as PNG has
several times the bytes, which is not the usual way, so it may take longer.
"""

from __future__ import annotations

import base64
import io
import json
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.peers import answer, peer_python
from benchmarks.report import Row, median, milliseconds, show
from studio.exporting.writing import write_leaflet
from studio.geometry.art.artwork import Picture
from studio.paper.fonts import FOLDER
from studio.paper.leaflet import Leaflet, Line, Mark, MarkGroup, Page, Words

FPDF = "fpdf2==2.8.9"
MISSING = "fpdf2 could not be installed, so nothing is beside it"
GOAL = 300.0
RUNS = 5
SIZE = 3.2
BOX = (120.0, 20.0, 80.0, 60.0)
SENTENCE = "Příliš žluťoučký kůň úpěl ďábelské ódy; ξεσκεπάζω την ψυχοφθόρα βδελυγμία, line {:02} of 60"


def photograph(name: str) -> bytes:
    """A picture of 2310 × 1732 pixels that packs as a photograph does: shades with a little noise."""
    x, y = np.meshgrid(np.linspace(0, 9, 2310), np.linspace(0, 7, 1732))
    noise = np.random.default_rng(4).normal(0, 3, (1732, 2310, 3))
    shades = 127 + 110 * np.dstack([np.sin(x + y), np.cos(x - y), np.sin(x * y / 8)])
    file = io.BytesIO()
    Image.fromarray((shades + noise).clip(0, 255).astype(np.uint8)).save(file, name, quality=88)
    return file.getvalue()


def words() -> list[tuple[str, float, float]]:
    """60 lines with the places of their feet."""
    return [(SENTENCE.format(line), 10.0, 12.0 + 4.6 * line) for line in range(60)]


def curves() -> list[list[tuple[float, float]]]:
    """20 waves as control points of cubics."""
    return [
        [(10.0 + 10 * step, 90.0 + 10 * row + 6 * np.sin(step + row)) for step in range(19)] for row in range(20)
    ]  # fmt: skip


def leaflet(picture: bytes) -> Leaflet:
    """The page."""
    marks: list[Mark] = [
        *(Words(text, (x, y), SIZE, "#22242A") for text, x, y in words()),
        *(Line(np.array(points), "#0072B2", 0.3, curved=True) for points in curves()),
        Picture.from_bytes(picture, BOX),
    ]
    return Leaflet("A page", (Page(210.0, 297.0, (MarkGroup("all", tuple(marks)),)),))


def peer(folder: Path, name: str, data: bytes) -> float | None:
    """How many ms fpdf2 takes to write the page with a picture; None where there is no fpdf2."""
    file = folder / f"picture.{name.lower()}"
    file.write_bytes(data)
    page = {
        "font": str(FOLDER / "DejaVuSans.ttf"), "size": SIZE, "words": words(), "curves": curves(),
        "picture": str(file), "box": BOX,
    }  # fmt: skip
    told = answer(peer_python(FPDF, "fpdf"), "fpdf_peer.py", [str(RUNS)], json.dumps(page))
    return None if told is None else float(told)


def least(data: bytes) -> None:
    """Decode a picture, and write its bytes as an SVG holds them."""
    Image.open(io.BytesIO(data)).load()
    base64.b64encode(data)


def main() -> None:
    """Measure and print."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in ("JPEG", "PNG"):
            data = photograph(kind)
            theirs = peer(folder, kind, data)
            floor = median(milliseconds(lambda: least(data), RUNS))  # noqa: B023
            for suffix, words, beside in (
                (".pdf", "peer: fpdf2 alone, written only" if theirs else MISSING, theirs or float("nan")),
                (".svg", "floor: the picture decoded, in base64", floor),
            ):
                file = folder / f"page{suffix}"
                times = milliseconds(lambda: write_leaflet(leaflet(data), file), RUNS)  # noqa: B023
                title = f"60 lines, 20 curves, 4 megapixels of {kind} as {suffix[1:].upper()}, read back"
                rows.append(Row(title, median(times), "ms", GOAL, words, beside))
    show(rows)


if __name__ == "__main__":
    main()
