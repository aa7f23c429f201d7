"""Boards as other programs write them, restated as data: the same elements, units, roundings and orders of lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from studio.geometry.curves.strokes import Floats, through

Place = tuple[float, float]
HEADER = '<?xml version="1.0" encoding="utf-8"?>\n'
SVG = 'xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True)
class Pattern:
    """A file of another program: its text, and the pieces, the size and the area in mm of the board in it."""

    text: str
    pieces: int
    size: Place
    area: float
    unit: str | None = None
    repeated: int = 0
    """The edges that are drawn twice."""


def line(*places: Place) -> Floats:
    """Control points (3k + 1, 2) of straight lines through places."""
    return through(np.array(places, float))


def page(lines: Sequence[Floats], width: float = 120.0, height: float = 90.0) -> str:
    """An SVG file of some lines, as a drawing program writes it."""
    paths = "".join(f'<path d="{data(stroke)}"/>' for stroke in lines)
    return (
        f'<svg {SVG} width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}"><g fill="none" stroke="#000">{paths}</g></svg>'
    )


def data(stroke: Floats, decimals: int = 3) -> str:
    """Path data of a stroke in absolute cubics."""
    x, y = stroke[0]
    parts = (
        " ".join(f"{x:.{decimals}f} {y:.{decimals}f}" for x, y in stroke[at : at + 3])
        for at in range(1, len(stroke), 3)
    )
    return f"M{x:.{decimals}f} {y:.{decimals}f} C" + " C".join(parts)


def knob(seed: int, begin: Place, end: Place) -> list[Place]:
    """An edge of the common browser generators: three cubics, 0.1 edge of tab, 4 % jitter (facts in jigsaw.md)."""
    random = np.random.default_rng(seed)
    t, sign = 0.1, float(random.choice([-1, 1]))
    a, b, c, d, e = random.uniform(-0.04, 0.04, 5).tolist()
    across = [
        (0, 0), (0.2, a), (0.5 + b + d, -t + c), (0.5 - t + b, t + c), (0.5 - 2 * t + b - d, 3 * t + c),
        (0.5 + 2 * t + b - d, 3 * t + c), (0.5 + t + b, t + c), (0.5 + b + d, -t + c), (0.8, e), (1, 0),
    ]  # fmt: skip
    (x, y), (right, down) = begin, (end[0] - begin[0], end[1] - begin[1])
    return [(x + u * right - sign * v * down, y + u * down + sign * v * right) for u, v in across]


def edge(seed: int, begin: Place, end: Place) -> Floats:
    """An edge (10, 2) with a knob."""
    return np.array(knob(seed, begin, end))


def joined(edges: Sequence[Floats]) -> Floats:
    """Edges end to end as one stroke."""
    return np.concatenate([edges[0], *(each[1:] for each in edges[1:])])


def generated(columns: int, rows: int, *, by_row: bool) -> list[Floats]:
    """A board of a browser generator: whole rows and columns in one path each, or a path an edge, and a border."""
    cell = 20.0
    lines: list[Floats] = []
    for one, other, turned in ((rows, columns, False), (columns, rows, True)):
        for row in range(1, one):
            edges = []
            for at in range(other):
                ends = [(cell * (at + step), cell * row) for step in (0, 1)]
                edges.append(
                    np.round(edge(1000 * row + at + turned, *((y, x) if turned else (x, y) for x, y in ends)), 2)
                )
            lines += [joined(edges)] if by_row else edges
    border = [(0, 0), (cell * columns, 0), (cell * columns, cell * rows), (0, cell * rows), (0, 0)]
    return [*lines, line(*((float(x), float(y)) for x, y in border))]


def _hexagons(rings: int, side: float) -> tuple[dict[tuple[int, int], list[Place]], Place]:
    """Corners of hexagons with vertical sides, by axial coordinates, in rings around one; also the middle."""
    middle = (rings * 2 - 1) * side * 3**0.5 / 2 + 10, (rings * 1.5 - 0.5) * side + 10
    cells = {}
    for q in range(1 - rings, rings):
        for r in range(max(1 - rings, 1 - rings - q), min(rings, rings - q)):
            x, y = middle[0] + side * 3**0.5 * (q + r / 2), middle[1] + side * 1.5 * r
            turns = np.radians(60 * np.arange(6) + 30)
            cells[q, r] = [(float(x + side * np.cos(turn)), float(y + side * np.sin(turn))) for turn in turns]
    return cells, middle


def _edges(cells: Sequence[Sequence[Place]]) -> tuple[list[tuple[Place, Place]], list[tuple[Place, Place]]]:
    """The edges between cells, and those of one cell."""
    owners: dict[frozenset[Place], list[tuple[Place, Place]]] = {}
    for cell in cells:
        rounded = [(round(x, 6), round(y, 6)) for x, y in cell]
        for one, other in pairwise([*rounded, rounded[0]]):
            owners.setdefault(frozenset((one, other)), []).append((one, other))
    inner = [ends[0] for ends in owners.values() if len(ends) == 2]
    return inner, [ends[0] for ends in owners.values() if len(ends) == 1]


def _chained(edges: Sequence[tuple[Place, Place]]) -> list[Place]:
    """Edges of one ring in order."""
    following = dict(edges)
    ring = [edges[0][0]]
    while following[ring[-1]] != ring[0]:
        ring.append(following[ring[-1]])
    return [*ring, ring[0]]


def hexagonal() -> Pattern:
    """A hexagonal board of a browser generator, and of jigsawR after it: hexagons in rings around one, an edge with
    three cubics each in one path, two decimals, uncut border."""
    side, rings = 14.0, 4
    cells, _ = _hexagons(rings, side)
    inner, outer = _edges([*cells.values()])
    lines = [np.round(edge(at, *ends), 2) for at, ends in enumerate(inner)]
    border = "M" + " L ".join(f"{x:.2f} {y:.2f}" for x, y in _chained(outer)[:-1]) + " Z"
    places = np.array([end for ends in outer for end in ends])
    width, height = np.ptp(places, axis=0).tolist()
    chains = " ".join(data(each, 2) for each in lines)
    text = (
        f'<svg {SVG} version="1.0" width="220mm" height="220mm" viewBox="0 0 220 220">'
        f'<path fill="none" stroke="DarkBlue" stroke-width="0.2" d="{chains}"></path>'
        f'<path fill="none" stroke="Black" stroke-width="0.2" d="{border}"></path></svg>'
    )
    return Pattern(text, len(cells), (width, height), len(cells) * 1.5 * 3**0.5 * side**2)


def circular() -> Pattern:
    """A round board of the same generators: rings cut into pieces, a border of arcs."""
    middle, step, counts = 110.0, 25.0, (1, 6, 12)
    paths = []

    def at(radius: float, turn: float) -> Place:
        return middle + radius * float(np.cos(turn)), middle + radius * float(np.sin(turn))

    for ring, count in enumerate(counts[1:], 1):
        turns = np.linspace(0, 2 * np.pi, count, endpoint=False)
        paths += [data(edge(40 * ring + one, at(ring * step, turn), at((ring + 1) * step, turn)), 2)
                  for one, turn in enumerate(turns.tolist())]  # fmt: skip
        paths += [
            data(edge(90 * ring + one, at(ring * step, turn), at(ring * step, turn + 2 * np.pi / count)), 2)
            for one, turn in enumerate(turns.tolist())
        ]
    radius = step * len(counts)
    ends = [at(radius, turn) for turn in (0.0, np.pi)]
    arcs = " ".join(f"A {radius} {radius} 0 1 1 {x:.2f} {y:.2f}" for x, y in (ends[1], ends[0]))
    text = (
        f'<svg {SVG} version="1.0" width="220mm" height="220mm" viewBox="0 0 220 220">'
        f'<path fill="none" stroke="DarkBlue" d="{" ".join(paths)}"/>'
        f'<path fill="none" stroke="Black" d="M {ends[0][0]:.2f} {ends[0][1]:.2f} {arcs} Z"/></svg>'
    )
    return Pattern(text, sum(counts), (2 * radius, 2 * radius), np.pi * radius**2)


def _grid_piece(columns: int, rows: int, cell: float, column: int, row: int, seed: int) -> list[Floats]:
    """The four edges of a piece, clockwise; an edge of two pieces is drawn in the direction of each."""
    x, y = cell * column, cell * row
    corners = [(x, y), (x + cell, y), (x + cell, y + cell), (x, y + cell)]
    found = []
    for one, other in pairwise([*corners, corners[0]]):
        first, last = sorted((one, other))
        is_border = any(one[at] == other[at] and one[at] in (0, end * cell) for at, end in ((0, columns), (1, rows)))
        (right, down), (up, _) = np.round(np.array([first, last]) / cell).astype(int).tolist()
        way = line(first, last) if is_border else edge(1000 * seed + 100 * right + 10 * down + up, first, last)
        found.append(way if first == one else way[::-1])
    return found


def closed_pieces() -> Pattern:
    """The pieces of an online puzzle's factory: each a closed path in pixels, in a file without a namespace; edges of
    two pieces are in the file twice, once backwards and rounded in another way."""
    columns, rows, cell = 5, 4, 100.0
    paths = []
    for row in range(rows):
        for column in range(columns):
            edges = _grid_piece(columns, rows, cell, column, row, 3)
            noise = np.random.default_rng(10 * row + column).uniform(-1e-13, 1e-13, (4, 10, 2))
            words = [f"M {cell * column}, {cell * row}"]
            for each, stray in zip(edges, noise, strict=True):
                exact = (each + stray[: len(each)]).tolist()
                if len(exact) == 4:
                    words.append(f"L {each[-1][0]}, {each[-1][1]}")
                else:
                    words += [
                        "C " + " ".join(f"{x},{y}" for x, y in exact[first : first + 3]) for first in range(1, 10, 3)
                    ]
            paths.append(f'<path stroke="black" fill="white" d="{" ".join(words)} z" />')
    text = f'<svg width="{columns * cell:g}" height="{rows * cell:g}">\n{" ".join(paths)}\n</svg>'
    repeated = columns * (rows - 1) + rows * (columns - 1)
    return Pattern(text, columns * rows, (cell * columns, cell * rows), columns * rows * cell**2, "mm", repeated)


def solid_pieces() -> Pattern:
    """Pieces with a colour each, of a generator that works in units of a piece: `width="100%"`, sixteen decimals."""
    columns, rows = 6, 4
    colours = np.random.default_rng(1).integers(220, 250, (rows, columns, 3)).tolist()
    paths = []
    for column in range(columns):
        for row in range(rows):
            stroke = joined(_grid_piece(columns, rows, 1.0, column, row, 8))
            red, green, blue = colours[row][column]
            style = f"fill:rgb({red},{green},{blue});stroke:rgb(0,15,255);stroke-width:0.01;"
            paths.append(f'<path d="{data(stroke, 16)}" style="{style}"/>')
    text = (
        f'<svg id="theSvg" width="100%" viewBox="0 0 {columns} {rows}" version="1.1" {SVG} xml:space="preserve" '
        f'style="fill-rule:evenodd;stroke-linecap:round;">{" ".join(paths)}</svg>'
    )
    repeated = columns * (rows - 1) + rows * (columns - 1)
    return Pattern(text, columns * rows, (10.0 * columns, 10.0 * rows), 100.0 * columns * rows, "cm", repeated)


def grid_lines_of_an_extension() -> Pattern:
    """A board of an Inkscape extension: relative cubics in nested groups that are moved away and back, rows and columns
    on groups of their own, and a border with rounded corners that the first cuts end beside."""
    columns, rows, cell, radius = 5, 4, 26.458333, 5.0
    width, height = columns * cell, rows * cell

    def relative(stroke: Floats) -> str:
        rounded = np.round(stroke, 6)
        steps = (rounded[1:] - np.repeat(rounded[:-1:3], 3, axis=0)).tolist()
        x, y = rounded[0].tolist()
        return f"m {x:g},{y:g} c " + " ".join(f"{round(right, 6):g},{round(down, 6):g}" for right, down in steps)

    groups = []
    for name, one, other, turned in (("X", columns, rows, True), ("Y", rows, columns, False)):
        paths = []
        for at in range(one - 1, 0, -1):
            places = [[(cell * (step + more), cell * at) for more in (0, 1)] for step in range(other)]
            edges = [edge(100 * at + step + turned, *((y, x) if turned else (x, y) for x, y in ends))
                     for step, ends in enumerate(places)]  # fmt: skip
            style = "fill:none;stroke:#0000ff;stroke-width:0.1;stroke-linecap:butt;stroke-linejoin:miter"
            paths.append(f'<path style="{style}" id="{name}Div{at}" d="{relative(joined(edges))}"/>')
        groups.append(f'<g inkscape:label="{name}_Gridlines">{"".join(paths)}</g>')
    inner, far = radius / 2, (width - radius, height - radius)
    border = (
        f"M 0,{radius} C 0,{inner} {inner},0 {radius},0 L {far[0]},0 "
        f"C {width - inner},0 {width},{inner} {width},{radius} L {width},{far[1]} "
        f"C {width},{height - inner} {width - inner},{height} {far[0]},{height} L {radius},{height} "
        f"C {inner},{height} 0,{height - inner} 0,{far[1]} L 0,{radius}"
    )
    text = HEADER + (
        f'<svg {SVG} xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" version="1.1" '
        f'viewBox="0 0 {width:.6f} {height:.6f}" width="{width:.6f}mm" height="{height:.6f}mm"><defs id="defs2"/>'
        '<g inkscape:label="Layer 1" inkscape:groupmode="layer" transform="translate(-91.720833,-137.86667)">'
        f'<g transform="translate(91.720833,137.86667)" inkscape:label="Jigsaw:X5:Y4">{"".join(groups)}'
        f'<path inkscape:label="innerborder" style="fill:none;stroke:#0000ff" d="{border}"/></g></g></svg>'
    )
    # The integral of y dx along such a corner, a cubic with handles half as long as the radius.
    corner = 19 / 80 * radius**2
    return Pattern(text, columns * rows, (width, height), width * height - 4 * corner)


def triangles_in_one_path() -> Pattern:
    """Pieces of a triangular board in one relative path that runs along every edge, along some of them twice."""
    rows, side = 4, 60.0
    height = side * 3**0.5 / 2
    here = np.array([10.0, 10.0 + side * rows / 2])
    word = f"M {here[0]:g} {here[1]:g}"

    def to(x: float, y: float) -> str:
        nonlocal here
        step = np.round(np.array([x, y]) + 10 - here, 5)
        here = here + step
        return f" l {step[0]:g} {step[1]:g}"

    for row in range(rows):
        left, first = row * height, side * (rows - row) / 2
        for top in (first + side * at for at in range(row + 1)):
            word += (
                to(left, top) + to(left + height, top - side / 2) + to(left + height, top + side / 2) + to(left, top)
            )
        for at in range(row, -1, -1):
            word += to(left, first + side * at)
        word += to(left + height, first - side / 2)
    area = (rows * side) ** 2 * 3**0.5 / 4
    text = (
        f'{HEADER}<svg {SVG} version="1.1" width="500" height="500">\n'
        f'<path d="{word}" stroke="black" fill="transparent"/>\n</svg>\n'
    )
    return Pattern(text, rows**2, (rows * height, rows * side), area, "mm")


def illustrator() -> Pattern:
    """A drawing saved by Illustrator: classes, lengths in 1/72 inch, lines, polylines, polygons and a rectangle, shapes
    on named layers, notes as text."""
    scale = 25.4 / 72
    width, height = 566.9291, 425.1969
    shapes = [f'<rect x="14.2" y="14.2" class="st0" width="{width}" height="{height}"/>']
    for share in (0.25, 0.5, 0.75):
        x = round(14.2 + width * share, 4)
        shapes.append(f'<line class="st0" x1="{x}" y1="14.2" x2="{x}" y2="{round(14.2 + height, 4)}"/>')
    middle = round(14.2 + height / 2, 4)
    steps = " ".join(f"{round(14.2 + width * at / 8, 4)},{middle + 20 * (at % 2)}" for at in range(9))
    shapes.append(f'<polyline class="st0" points="{steps} "/>')
    shapes.append(f'<circle class="st1" cx="{14.2 + width / 8}" cy="{14.2 + height / 4}" r="28.3465"/>')
    text = HEADER + (
        "<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->\n"
        f'<svg version="1.1" {SVG} xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px" width="841.89px" '
        'height="595.28px" viewBox="0 0 841.89 595.28" style="enable-background:new 0 0 841.89 595.28;" '
        'xml:space="preserve">\n<style type="text/css">\n\t.st0{fill:none;stroke:#FF0000;stroke-width:0.0283;'
        "stroke-miterlimit:10;}\n\t.st1{fill:none;stroke:#FF0000;stroke-width:0.0283;}\n\t.st2{font-size:24px;}\n"
        f'</style>\n<g id="CUT_x5F_LINES">\n{"".join(shapes)}\n</g>\n<g id="NOTES"><text transform='
        '"matrix(1 0 0 1 600 560)" class="st2">Front side</text></g>\n</svg>\n'
    )
    size = width * scale, height * scale
    # A circle within the first piece is one more.
    return Pattern(text, 9, size, size[0] * size[1], "px72")


def boxes() -> Pattern:
    """A part of boxes.py: mm, inner cuts in blue and the outer one in black, in pieces of single strokes; a curve that
    fills the part, by one stroke a step, and labels."""
    size, depth = 64.0, 4
    step = size / 2**depth
    places: list[Place] = [(step / 2, 0.0)]
    turn, here = np.array([0.0, 1.0]), np.array([step / 2, step / 2])
    places.append((float(here[0]), float(here[1])))

    def rotated(sign: int) -> None:
        nonlocal turn
        turn = np.array([-sign * turn[1], sign * turn[0]])

    def forward() -> None:
        nonlocal here
        here = here + step * turn
        places.append((float(here[0]), float(here[1])))

    def hilbert(level: int, sign: int) -> None:
        if level == 0:
            return
        rotated(sign)
        hilbert(level - 1, -sign)
        forward()
        rotated(-sign)
        hilbert(level - 1, sign)
        forward()
        hilbert(level - 1, sign)
        rotated(-sign)
        forward()
        hilbert(level - 1, -sign)
        rotated(sign)

    hilbert(depth, -1)
    last = places[-1]
    places.append((size, last[1]) if abs(last[0] - size) < step else (last[0], size if last[1] > size / 2 else 0.0))
    inner = "".join(
        f'<path d="M {one[0] + 10:.3f} {one[1] + 10:.3f} L {other[0] + 10:.3f} {other[1] + 10:.3f} " '
        'stroke="rgb(0,0,255)" stroke-width="0.20"/>\n'
        for one, other in pairwise(places)
    )
    outer = "M 10.000 10.000 L 74.000 10.000 L 74.000 74.000 L 10.000 74.000 L 10.000 10.000 Z "
    text = (
        f'<?xml version="1.0" encoding="utf-8"?>\n<svg height="84.00mm" viewBox="0.0 0.0 84.00 84.00" width="84.00mm" '
        f'{SVG}>\n<title>JigsawPuzzle</title>\n<g id="p-0" style="fill:none;stroke-linecap:round;">'
        f'{inner}<path d="{outer}" stroke="rgb(0,0,0)" stroke-width="0.20"/>\n'
        '<text style="font-size: 4.0px" fill="rgb(255,0,0)" x="12" y="82">part 1</text>\n</g>\n</svg>'
    )
    return Pattern(text, 2, (size, size), size**2)


PATTERNS: dict[str, Callable[[], Pattern]] = {
    each.__name__: each
    for each in (
        hexagonal, circular, closed_pieces, solid_pieces, grid_lines_of_an_extension, triangles_in_one_path,
        illustrator, boxes,
    )
}  # fmt: skip
