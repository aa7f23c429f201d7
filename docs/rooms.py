"""Draws `pictures/house.svg`: the pipeline, the rooms, and the way of a drag, an export and a figure through them."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "pictures" / "house.svg"
PIPELINE = (
    ("Parameters", "generate"), ("Design", "shape"), ("Shapes", "check"), ("Findings", ""),
    ("Sheets", "plan"), ("Plans", "write"), ("Files", ""),
)  # fmt: skip
WAYS = {
    "A drag": ("#1c5fa8", (
        ("ui", "canvas/view: mouse event"), ("ui", "kinds/jigsaw/tool: gesture"), ("puzzles", "model/edits: design"),
        ("ui", "session/pipeline: preview"), ("puzzles", "model/geometry: shape"),
        ("checks", "cut_crossings: moved pairs"), ("ui", "canvas/drawing_tiles: live layer"),
    )),
    "An export": ("#a84a1c", (
        ("ui", "panels/export_dialog, or cli"), ("fabricate", "making: sheets, kerf"),
        ("fabricate", "plan: order of cuts"),
        ("solving", "point_matching: least travel"), ("exporting", "writers: file aside"),
        ("exporting", "readers: read back"), ("exporting", "proof: compare"), ("base", "atomic: all or none"),
    )),
    "A figure": ("#2d7a3a", (
        ("puzzles", "figures/placing: pose"), ("puzzles", "model/divided_boards"),
        ("geometry", "board/clipping: window"), ("geometry", "board/figure_insertion: hole"),
        ("geometry", "board/splicing: core"), ("geometry", "board/figure_knobs"),
        ("puzzles", "figure_checks: findings"), ("ui", "canvas: drawing"),
    )),
}  # fmt: skip
WIDTH, ROOMS, LANE, LINE, GAP = 1080, 230, 280, 22, 10
"""Pixels: width of the picture, of the rooms' names and of a way; height of a line and of a gap."""


def layers() -> list[list[str]]:
    """Return the rooms of each layer, the uppermost first, as the contract states them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    stated = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [layer.split(" | ") for layer in stated if layer != "__main__"]


def text(x: float, y: float, words: str, *, colour: str = "#222", weight: str = "normal", anchor: str = "start") -> str:
    """Words with their left end or middle at a place."""
    return f'<text x="{x}" y="{y}" fill="{colour}" font-weight="{weight}" text-anchor="{anchor}">{escape(words)}</text>'


def pipeline(top: int) -> list[str]:
    """Boxes for the values, with the functions on the arrows between them; sheets are made of shapes."""
    step, wide = (WIDTH + 30) / len(PIPELINE), 92
    shapes, sheets = (10 + at * step + wide / 2 for at in (2, 4))
    drawn = [
        f'<path d="M{shapes} {top + 31}v14H{sheets}v-11" fill="none" stroke="#555" marker-end="url(#tip)"/>',
        text((shapes + sheets) / 2, top + 59, "make", anchor="middle"),
    ]
    for at, (value, function) in enumerate(PIPELINE):
        x = 10 + at * step
        drawn += [
            f'<rect x="{x}" y="{top}" width="{wide}" height="30" rx="6" fill="#eef2f6" stroke="#8aa"/>',
            text(x + wide / 2, top + 20, value, weight="bold", anchor="middle"),
        ]
        if function:
            start, end = x + wide + 4, x + step - 6
            drawn += [
                f'<path d="M{start} {top + 15}H{end}" stroke="#555" marker-end="url(#tip)"/>',
                text((start + end) / 2, top + 9, function, anchor="middle"),
            ]
    return drawn


def house(top: int) -> tuple[list[str], int]:
    """The layers with the steps of each way in their rooms, and the bottom in pixels."""
    rows = {room: at for at, layer in enumerate(layers()) for room in layer}
    counts = [[0] * len(WAYS) for _ in layers()]
    places: list[list[tuple[int, int, str]]] = []
    for lane, (_, steps) in enumerate(WAYS.values()):
        places.append([])
        for room, words in steps:
            places[lane].append((rows[room], counts[rows[room]][lane], words))
            counts[rows[room]][lane] += 1
    tops, drawn = [], []
    for names, count in zip(layers(), counts, strict=True):
        height = LINE * max(1, *count) + GAP
        tops.append(top)
        drawn.append(f'<rect x="10" y="{top}" width="{WIDTH - 20}" height="{height}" fill="#f6f6f2" stroke="#ccc"/>')
        drawn.append(text(20, top + height / 2 + 5, "   |   ".join(names), weight="bold"))
        top += height + 4
    for lane, (title, (colour, _)) in enumerate(WAYS.items()):
        x = ROOMS + lane * LANE + 40
        drawn.append(text(x + 14, tops[0] - 8, title, colour=colour, weight="bold"))
        heights = [tops[row] + GAP / 2 + LINE * (line + 0.5) for row, line, _ in places[lane]]
        for before, after in pairwise(heights):
            bend = min(34.0, abs(after - before) / 3)
            drawn.append(
                f'<path d="M{x} {before}C{x - bend} {before} {x - bend} {after} {x} {after}" fill="none"'
                f' stroke="{colour}" stroke-opacity=".5"/>'
            )
        for number, (y, (_, _, words)) in enumerate(zip(heights, places[lane], strict=True), 1):
            drawn.append(f'<circle cx="{x}" cy="{y}" r="8" fill="{colour}"/>')
            drawn.append(text(x, y + 4, str(number), colour="#fff", anchor="middle"))
            drawn.append(text(x + 14, y + 4, words))
    return drawn, top


def drawing() -> str:
    """Return the picture as SVG."""
    rooms, bottom = house(112)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + 6}" font-family="sans-serif" '
        'font-size="12.5"><defs><marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="3" orient="auto">'
        '<path d="M0 0L6 3L0 6z" fill="#555"/></marker></defs><rect width="100%" height="100%" fill="#fff"/>'
    )
    return "\n".join([head, *pipeline(16), *rooms, "</svg>"]) + "\n"


def draw() -> Path:
    """Write the picture and return its path."""
    TARGET.write_text(drawing(), encoding="utf-8", newline="\n")
    return TARGET
