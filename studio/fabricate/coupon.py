"""Fit coupons and test cards for the laser, to be cut once and tested.

A fit coupon has a joint of the puzzle at several kerfs, a test card squares at several powers and speeds.

A coupon is pairs of blocks that fit, such as a tongue (a) and its socket (b), with outlines offset for the kerf
engraved on them. The pair with the best fit shows the kerf to keep with the material.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from studio.base.amounts import extent
from studio.base.errors import StudioError
from studio.base.parameters import Validated, choice, integer, number
from studio.base.texts import tr, within
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.recipes import keep_values, levels, own_recipes, resolve
from studio.fabricate.workshop import Machine, Material, Named
from studio.geometry.art.lettering import lettered, width_of
from studio.geometry.curves.strokes import Curves, Floats, closed_through, through
from studio.geometry.planar.drawing import (
    CUT,
    ENGRAVE,
    NO_RECIPE,
    RASTER,
    SCORE,
    TITLES,
    Drawing,
    Inlay,
    Joint,
    Operation,
    Path,
    Pieces,
    Recipe,
    Seam,
    Setting,
    closed_parts,
)

FLATTENING = 0.02
"""Largest deviation in mm of a polyline from a measured curve."""
LABEL_HEIGHT = 3.0
LEAST_LABEL = 1.0
"""Least height in mm of readable letters."""
HEADING_HEIGHT = 4.0
CLEARANCE = 2.5
"""Least wood in mm around a label."""
FLANK = 3.0
"""Least distance in mm by which a block reaches beyond its joint."""
BLOCK_SPACING = 3.0
"""Distance in mm between two blocks, and between a block and the edge of the sheet."""
_TAIL = 1 / 3
"""Depth of letters below their baseline, as a fraction of the height of capitals."""


@dataclass(frozen=True)
class CouponOptions(Validated):
    """Kerfs to test. Raises ParameterError for values out of bounds."""

    first: float = number(0.0, title="First kerf", minimum=0, maximum=2, step=0.01, unit="mm",
        help="Kerf of the first pair.")  # fmt: skip
    step: float = number(0.05, title="Step", minimum=0.005, maximum=0.5, step=0.01, unit="mm",
        help="Kerf increase from pair to pair.")  # fmt: skip
    count: int = integer(7, title="Pairs", minimum=1, maximum=40, help="Number of pairs to cut.")

    @property
    def kerfs(self) -> tuple[float, ...]:
        """Kerf of every pair in mm, to the three decimals that its label can show."""
        return tuple(round(self.first + at * self.step, 3) for at in range(self.count))


def kerfs_around(material: Material) -> CouponOptions:
    """Make options with the material's present kerf in the middle, as far as kerfs stay at least 0."""
    usual = CouponOptions()
    return CouponOptions(first=max(0.0, round(material.kerf - usual.step * (usual.count // 2), 3)))


def coupon(joint: Joint, material: Named[Material], options: CouponOptions, machine: Machine) -> Drawing:
    """Lay out the smallest sheet of pairs of blocks with a joint at every kerf of the options.

    Labels are engraved first, then each block is cut separately. Raise StudioError if the joint does not survive an
    offset or has no room for a label, if the sheet is too large for the bed, or if the material's title has a character
    that the single-line font lacks.
    """
    width = max(width_of(_label(kerf, "a"), 1.0) for kerf in options.kerfs)
    pair = _seamed(joint, width) if isinstance(joint, Seam) else _inlaid(joint, width)
    blocks = [block for kerf in options.kerfs for block in _blocks(pair, kerf, material.value.play)]
    heading = tr("{material}: kerf in mm", material=material.title)
    return _laid_out(blocks, heading, machine)


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two blocks that fit together, and for each the middle of its label's baseline and the label's height, in mm."""

    drawing: Drawing
    labels: tuple[tuple[float, float, float], tuple[float, float, float]]


def _seamed(seam: Seam, label: float) -> _Pair:
    """Make two blocks, one above the other, that meet along a seam; `label` is the width of a label over its height."""
    line = Curves.from_strokes([seam.line]).flattened(FLATTENING).points
    (left, top), (right, bottom) = np.minimum(line.min(axis=0), 0), line.max(axis=0)
    wider = max(0.0, label * LABEL_HEIGHT + 2 * CLEARANCE - (right - left + 2 * FLANK)) / 2
    left, right = left - FLANK - wider, right + FLANK + wider
    band = LABEL_HEIGHT + 2 * CLEARANCE
    upper, lower = top - band, bottom + band
    begin, end = seam.line[0], seam.line[-1]
    strokes = [
        _along((left, 0.0), begin),
        seam.line,
        _along(end, (right, 0.0)),
        _along((left, 0.0), (left, upper), (right, upper), (right, 0.0)),
        _along((right, 0.0), (right, lower), (left, lower), (left, 0.0)),
    ]
    pieces = Pieces(np.array([6, 5, 3, 1, 0, 2, 4, 8]), np.array([0, 4, 8]), ("a", "b"))
    middle = (left + right) / 2
    labels = (middle, upper + CLEARANCE + LABEL_HEIGHT, LABEL_HEIGHT), (middle, lower - CLEARANCE, LABEL_HEIGHT)
    return _Pair(Drawing(right - left, lower - upper, Curves.from_strokes(strokes), (), pieces), labels)


def _along(*points: tuple[float, float] | Floats) -> Floats:
    return through(np.array(points, np.float64))


def _inlaid(inlay: Inlay, label: float) -> _Pair:
    """Make a part, and a block with a hole for it and its label below; `label` as for seams."""
    (left, top), (right, bottom) = inlay.hole.min(axis=0), inlay.hole.max(axis=0)
    wider = max(0.0, label * LABEL_HEIGHT + 2 * CLEARANCE - (right - left + 2 * FLANK)) / 2
    left, right = left - FLANK - wider, right + FLANK + wider
    top, bottom = top - FLANK, bottom + LABEL_HEIGHT + 2 * CLEARANCE
    rim = closed_through(np.array([(left, top), (right, top), (right, bottom), (left, bottom)]))
    parts = closed_parts((right - left, bottom - top), ("a", "b"), [[inlay.outline], [rim, inlay.hole]])
    begin, upper, end, lower = inlay.room
    tall = min(LABEL_HEIGHT, (end - begin) / label, lower - upper)
    if tall < LEAST_LABEL:
        raise StudioError(tr("The smallest piece is too small for a {height:g} mm label.", height=LEAST_LABEL))
    own = (begin + end) / 2, (upper + lower + tall) / 2, tall
    return _Pair(parts, (own, ((left + right) / 2, bottom - CLEARANCE, LABEL_HEIGHT)))


@dataclass(frozen=True, eq=False)
class _Block:
    """A block, its rings and letters moved so that it begins at the origin; `size` is its width and height."""

    name: str
    rings: list[Floats]
    letters: Curves
    size: Floats


def _each(strokes: Curves, shift: Floats) -> list[Floats]:
    return [strokes[at] + shift for at in range(len(strokes))]


def _label(kerf: float, side: str) -> str:
    shown = f"{kerf:.3f}"
    return f"{shown.removesuffix('0')} {side}"


def _blocks(pair: _Pair, kerf: float, play: float) -> list[_Block]:
    """Make the two blocks of a pair as separate pieces, offset for a kerf and the play."""
    own = pair.drawing
    named = replace(own, pieces=replace(own.pieces, names=(_label(kerf, "a"), _label(kerf, "b"))))
    cut = cutouts(Contours(named), (kerf - play) / 2)
    lines = cut.rings.flattened(FLATTENING)
    blocks = []
    for side, name in enumerate(cut.names):
        x, y, tall = pair.labels[side]
        rings = np.flatnonzero(cut.owners == side).tolist()
        corner, end = lines[rings[0]].min(axis=0), lines[rings[0]].max(axis=0)
        letters = lettered(name, tall)
        shift = np.array([x - width_of(name, tall) / 2, y]) - corner
        outlines = [cut.rings[ring] - corner for ring in rings]
        blocks.append(_Block(name, outlines, Curves(letters.points + shift, letters.starts), end - corner))
    return blocks


def _laid_out(blocks: list[_Block], heading: str, machine: Machine) -> Drawing:
    """Lay out the sheet: the heading, and under it the pairs in rows, b below a."""
    sizes = np.stack([block.size for block in blocks]).reshape(-1, 2, 2)
    cell = np.array([sizes[:, :, 0].max(), sizes[:, 0, 1].max() + BLOCK_SPACING + sizes[:, 1, 1].max()])
    # Shrink a long title on a narrow bed.
    tall = min(HEADING_HEIGHT, (machine.bed_width - 2 * BLOCK_SPACING) / width_of(heading, 1.0))
    head = tall * (1 + _TAIL) + BLOCK_SPACING
    columns, size = _smallest(len(sizes), cell, np.array([width_of(heading, tall), head]), machine)
    letters = _each(lettered(heading, tall), np.array([BLOCK_SPACING, BLOCK_SPACING + tall]))
    rings = []
    for at, block in enumerate(blocks):
        row, column = divmod(at // 2, columns)
        place = np.array([BLOCK_SPACING, BLOCK_SPACING + head]) + (cell + BLOCK_SPACING) * np.array([column, row])
        if at % 2:
            place[1] += sizes[:, 0, 1].max() + BLOCK_SPACING
        rings.append([ring + place for ring in block.rings])
        letters += _each(block.letters, place)
    marks = [Path(Operation.ENGRAVE, letter, closed=False) for letter in letters]
    return closed_parts((float(size[0]), float(size[1])), [block.name for block in blocks], rings, marks)


def _smallest(pairs: int, cell: Floats, head: Floats, machine: Machine) -> tuple[int, Floats]:
    """Choose the number of columns for the least area of the sheet; also return its size."""
    sheets = []
    for columns in range(1, pairs + 1):
        width, height = np.array([columns, ceil(pairs / columns)]) * (cell + BLOCK_SPACING) + BLOCK_SPACING
        sheets.append((max(width, min(head[0] + 2 * BLOCK_SPACING, machine.bed_width)), height + head[1], columns))
    fitting = [sheet for sheet in sheets if sheet[0] <= machine.bed_width and sheet[1] <= machine.bed_height]
    least = min(fitting or sheets, key=lambda sheet: (round(sheet[0] * sheet[1], 6), sheet[2]))
    if not fitting:
        pair = cell + 2 * BLOCK_SPACING + np.array([0.0, head[1]])
        alone = pair[0] <= machine.bed_width and pair[1] <= machine.bed_height
        bed = {"bed_width": machine.bed_width, "bed_height": machine.bed_height}
        if not alone:
            raise StudioError(
                tr(
                    "Even one pair ({width:.0f} × {height:.0f} mm) is too large for the bed ({bed_width:g} × "
                    "{bed_height:g} mm).",
                    width=pair[0],
                    height=pair[1],
                    **bed,
                )
            )
        raise StudioError(
            tr(
                "The coupon ({width:.0f} × {height:.0f} mm) is too large for the bed ({bed_width:g} × "
                "{bed_height:g} mm). Use fewer pairs.",
                width=least[0],
                height=least[1],
                **bed,
            )
        )
    return least[2], np.array(least[:2])


# Test cards: a grid of squares, each worked with its own power and speed, so that the best one becomes the recipe.
# Squares to be cut are pieces; squares to be scored or engraved are closed lines of the operation SCORE, which nothing
# else on a card has, since labels are engraved.

CARD_WORKS = {work: TITLES[work] for work in (CUT, SCORE, ENGRAVE, RASTER)}
MOST_CELLS = 5
"""Most rows and columns: LightBurn has 30 layers, and each square needs one."""


@dataclass(frozen=True)
class CardOptions(Validated):
    """Powers and speeds to test. Raises ParameterError for values out of bounds."""

    work: str = choice(CUT, CARD_WORKS, title="Work", help="What each square tests; rasters fill it.")
    power_first: float = number(40.0, title="First power", minimum=1, maximum=100, step=5, unit="%",
        help="Power of the left column.")  # fmt: skip
    power_last: float = number(80.0, title="Last power", minimum=1, maximum=100, step=5, unit="%",
        help="Power of the right column.")  # fmt: skip
    columns: int = integer(5, title="Powers", minimum=1, maximum=MOST_CELLS, help="Number of columns.")
    speed_first: float = number(8.0, title="First speed", minimum=0.1, maximum=5000, step=1, unit="mm/s",
        help="Speed of the top row.")  # fmt: skip
    speed_last: float = number(24.0, title="Last speed", minimum=0.1, maximum=5000, step=1, unit="mm/s",
        help="Speed of the bottom row.")  # fmt: skip
    rows: int = integer(5, title="Speeds", minimum=1, maximum=MOST_CELLS, help="Number of rows.")
    passes: int = integer(1, title="Passes", minimum=1, maximum=50, help="How often each square is run.")
    side: float = number(8.0, title="Square", minimum=3, maximum=50, step=1, unit="mm", help="Side of a square.")

    @property
    def powers(self) -> tuple[float, ...]:
        """Power of each column in %, to a tenth."""
        return tuple(round(float(each), 1) for each in np.linspace(self.power_first, self.power_last, self.columns))

    @property
    def speeds(self) -> tuple[float, ...]:
        """Speed of each row in mm/s, to three digits."""
        return tuple(float(f"{each:.3g}") for each in np.linspace(self.speed_first, self.speed_last, self.rows))

    @property
    def cells(self) -> tuple[tuple[float, float], ...]:
        """Power and speed of every square, row by row."""
        return tuple((power, speed) for speed in self.speeds for power in self.powers)


def card_around(recipe: Recipe, work: str = CUT) -> CardOptions:
    """Make options around the recipe's setting: powers up to 30 % off, and speeds from half to one and a half of it."""
    setting = recipe.setting(work)
    if setting is None:
        return CardOptions(work=work)
    low, high = (min(max(round(setting.power_max * share), 1), 100) for share in (0.7, 1.3))
    return CardOptions(
        work=work, power_first=low, power_last=high, speed_first=max(round(setting.speed * 0.5, 1), 0.1),
        speed_last=min(round(setting.speed * 1.5, 1), 5000), passes=setting.passes,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Card:
    """A test card: its drawing, and the setting and the middle of every square, in the order of its chains.

    Middles (n, 2) are in mm; a point nearer than `reach` to one, across and down, belongs to its square.
    """

    drawing: Drawing
    work: str
    cells: tuple[Setting, ...]
    middles: Floats
    reach: float
    labels: Recipe = NO_RECIPE
    """The recipe of the labels alone."""

    def nearest(self, x: float, y: float) -> int | None:
        """The number of the square at a point in mm; None beside all squares."""
        apart = np.abs(self.middles - (x, y)).max(axis=1)
        at = int(apart.argmin())
        return at if apart[at] <= self.reach else None


def card(material: Named[Material], machine: Named[Machine], recipe: Recipe, options: CardOptions) -> Card:
    """Lay out a test card: a heading, powers above the columns, speeds beside the rows, and the squares.

    Squares take all but power, speed and passes from the recipe. Raise StudioError if the card is too large for the
    bed, or if the material's title has a character that the single-line font lacks.
    """
    base = recipe.setting(options.work) or Setting()
    heading = tr("{material}: {work}, % by mm/s", material=material.title, work=within(TITLES[options.work]))
    across, down = [f"{power:g}" for power in options.powers], [f"{speed:g}" for speed in options.speeds]
    left = BLOCK_SPACING + max(width_of(text, LABEL_HEIGHT) for text in down) + CLEARANCE
    top = BLOCK_SPACING + HEADING_HEIGHT * (1 + _TAIL) + BLOCK_SPACING + LABEL_HEIGHT + CLEARANCE
    pitch = max(options.side, *(width_of(text, LABEL_HEIGHT) for text in across)) + BLOCK_SPACING
    rise = options.side + BLOCK_SPACING
    size = left + options.columns * pitch, top + options.rows * rise
    tall = min(HEADING_HEIGHT, (size[0] - 2 * BLOCK_SPACING) / width_of(heading, 1.0))
    if size[0] > machine.value.bed_width or size[1] > machine.value.bed_height:
        raise StudioError(
            tr("The test card ({size}) is too large for the bed ({bed}). Use fewer or smaller squares.",
               size=extent(*size), bed=extent(machine.value.bed_width, machine.value.bed_height))
        )  # fmt: skip
    middles = np.array([
        (left + column * pitch + (pitch - BLOCK_SPACING) / 2, top + row * rise + options.side / 2)
        for row in range(options.rows) for column in range(options.columns)
    ])  # fmt: skip
    letters = _each(lettered(heading, tall), np.array([BLOCK_SPACING, BLOCK_SPACING + HEADING_HEIGHT]))
    for text, (x, _) in zip(across, middles, strict=False):
        letters += _each(
            lettered(text, LABEL_HEIGHT), np.array([x - width_of(text, LABEL_HEIGHT) / 2, top - CLEARANCE])
        )
    for text, (_, y) in zip(down, middles[:: options.columns], strict=True):
        shift = np.array([left - CLEARANCE - width_of(text, LABEL_HEIGHT), y + LABEL_HEIGHT / 2])
        letters += _each(lettered(text, LABEL_HEIGHT), shift)
    half = options.side / 2
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    squares = [closed_through(middle + corners) for middle in middles]
    marks = [Path(Operation.ENGRAVE, letter, closed=False) for letter in letters]
    names = [f"{power:g} %, {speed:g} mm/s" for power, speed in options.cells]
    if options.work == CUT:
        drawing = closed_parts(size, names, [[square] for square in squares], marks)
    else:
        drawing = closed_parts(
            size, (), (), [*marks, *(Path(Operation.SCORE, square, closed=True) for square in squares)]
        )
    cells = tuple(
        replace(base, power_max=power, power_min=min(base.power_min, power), speed=speed, passes=options.passes)
        for power, speed in options.cells
    )
    return Card(
        drawing, options.work, cells, middles, (options.side + BLOCK_SPACING) / 2, Recipe(engrave=recipe.engrave)
    )


def keep_tested(
    machine: Named[Machine], material: Named[Material], options: CardOptions, power: float, speed: float
) -> None:
    """Save the power in % and the speed in mm/s of the best square in the recipe of a machine for a material.

    Raise StudioError if they cannot be saved.
    """
    shelf = own_recipes(machine.key, strict=True)
    own = {work: dict(values) for work, values in shelf.get(material.key, {}).items()}
    before = resolve(levels(machine, material.key)).recipe.setting(options.work) or Setting()
    # It is tested now, so the note of a starting recipe no longer holds.
    own[options.work] = {"note": ""} | own.get(options.work, {}) | {
        "power_max": power, "power_min": min(before.power_min, power), "speed": speed, "passes": options.passes,
    }  # fmt: skip
    keep_values(machine.key, material.key, own)
