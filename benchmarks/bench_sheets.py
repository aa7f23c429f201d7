"""Density and speed of sheets: nesting beside spyrrow, and 5,000 nested pieces as files beside ezdxf.

spyrrow packs the same pieces, in quarter turns and as far apart, into a strip as wide as the bed; the strip's length is
the depth that ours takes of the bed. Rows of boxes, the highest first, are the floor for 5,000 pieces.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

import shapely

from benchmarks.bench_export import TOLERANCE, plain_ezdxf
from benchmarks.boards import voronoi
from benchmarks.peers import answer, peer_python
from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import Progress
from studio.exporting.formats import Options
from studio.exporting.laser_files import write_all
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import Cutouts, cutouts
from studio.fabricate.nesting import WIDEST
from studio.fabricate.sheets import nested_pieces
from studio.fabricate.workshop import Bed
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from tests.classic import classic

BED = Bed(600.0, 400.0, 5.0, 2.0)
OFFSET, FINE, SECONDS = 0.075, 0.05, 20
PIECES = 5000


def jigsaw(columns: int, rows: int) -> Drawing:
    """A jigsaw with pieces of 25 mm."""
    design = JigsawDesign(classic(columns=columns, rows=rows, width=25 * columns, height=25 * rows))
    return shape(design, None, Progress()).drawing


def outlines(pieces: Cutouts) -> list[shapely.Polygon]:
    """The outlines of separate pieces without their holes."""
    lines = pieces.rings.flattened(FINE)
    rings = shapely.linearrings(lines.points, indices=lines.owners)
    first = [at for at, owner in enumerate(pieces.owners.tolist()) if at == 0 or owner != pieces.owners[at - 1]]
    return [shapely.Polygon(ring) for ring in rings[first]]


def depth(pieces: Cutouts) -> float:
    """How deep the bed is used in mm, filled over its whole width."""
    (sheet,) = nested_pieces(pieces, BED, block=WIDEST).sheets
    return round(float(sheet.strokes.flattened(FINE).points[:, 1].max()) - BED.margin, 2)


def strip(pieces: Cutouts) -> tuple[float, float]:
    """The length of spyrrow's strip in mm, and its time in ms; 0 without spyrrow."""
    shapes = [shapely.get_coordinates(one.simplify(FINE))[:-1].round(4).tolist() for one in outlines(pieces)]
    asked = {"shapes": shapes, "width": BED.inside[0], "spacing": BED.spacing, "seconds": SECONDS}
    said = answer(peer_python("spyrrow", "spyrrow"), "spyrrow_peer.py", [], json.dumps(asked))
    for line in (said or "").splitlines():
        if line.startswith("found "):
            length, seconds = map(float, line.split()[1:])
            return round(length, 2), round(1000 * seconds, 1)
    return 0.0, 0.0


def rows_of_boxes(pieces: Cutouts) -> int:
    """The number of beds that the boxes of pieces take in rows."""
    width, height = BED.inside
    sheets, right, down, row = 1, 0.0, 0.0, 0.0
    boxes = sorted((sorted((b[2] - b[0], b[3] - b[1])) for b in (one.bounds for one in outlines(pieces))), reverse=True)
    for tall, wide in boxes:
        if right + wide > width:
            right, down, row = 0.0, down + row, 0.0
        if down + tall > height:
            sheets, right, down, row = sheets + 1, 0.0, 0.0, 0.0
        right, row = right + wide + BED.spacing, max(row, tall + BED.spacing)
    return sheets


def main() -> None:
    """Measure and print."""
    rows = []
    for title, board, goal in (
        ("72 grid pieces", jigsaw(12, 6), 1.15),
        ("60 irregular pieces", voronoi(60, 250, 200, 3), 1.3),
    ):
        pieces = cutouts(Contours(board), OFFSET)
        length, took = strip(pieces)
        peer = f"peer: spyrrow, {SECONDS} s"
        rows.append(Row(f"{title}: depth of the bed", depth(pieces), "mm", goal * (length or 1e6), peer, length))
        ours = median(milliseconds(lambda pieces=pieces: nested_pieces(pieces, BED), 3))  # type: ignore[misc]
        rows.append(Row(f"{title}: nested, several blocks tried", ours, "ms", 2000.0, peer, took))
    board = jigsaw(100, 50)
    pieces = cutouts(Contours(board), OFFSET)
    begin = time.perf_counter()
    layout = nested_pieces(pieces, BED)
    nested = round(1000 * (time.perf_counter() - begin), 1)
    assert sum(len(sheet.pieces) for sheet in layout.sheets) == PIECES
    boxes = rows_of_boxes(pieces)
    rows.append(Row("5,000 pieces: sheets", len(layout.sheets), "", boxes, "floor: rows of boxes", boxes))
    rows.append(Row("5,000 pieces: nested", nested, "ms", 60000.0, "", 0.0))
    options = Options(curves="polyline", tolerance=TOLERANCE)
    with tempfile.TemporaryDirectory() as folder:
        ours = median(milliseconds(lambda: write_all(layout.sheets, Path(folder) / "x.dxf", options), 1))
        plain = Path(folder) / "plain.dxf"

        def all_by_ezdxf() -> None:
            for sheet in layout.sheets:
                plain_ezdxf(sheet, plain)

        peer_time = median(milliseconds(all_by_ezdxf, 1))
    rows.append(Row("5,000 pieces: DXF at 0.02 mm, read back", ours, "ms", peer_time, "peer: ezdxf alone", peer_time))
    show(rows)


if __name__ == "__main__":
    main()
