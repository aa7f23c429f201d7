"""The paper that goes with a zigzaw: a label for its box, the answer with pieces' numbers, and sheets of stickers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from studio.base.amounts import many, thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import Region, is_bright
from studio.geometry.curves.strokes import Floats
from studio.paper.leaflet import (
    Anchor,
    Area,
    Leaflet,
    Line,
    Mark,
    MarkGroup,
    Page,
    Words,
    box,
    capitals,
    centred,
    shortened,
    wrapped,
)
from studio.puzzles.zigzaw.colours import GAP, GROUND, artwork
from studio.puzzles.zigzaw.generate import proof
from studio.puzzles.zigzaw.geometry import ZigzawShapes, face_runs, on_frame, on_limbs, plain, rhombus
from studio.puzzles.zigzaw.model import FRONT, LETTERS, UNPAINTED, ZigzawDesign, layout, numbers
from studio.puzzles.zigzaw.piece_forms import FACES, HEXAGON, OUTLINES, STEPS, STICKERS, Sticker, in_mm
from studio.solving.edges import Solutions

INK, QUIET = "#1D1F24", "#5C6068"
MARGIN = 14.0
TITLE, HEADING, TEXT = 9.0, 6.0, 3.6
"""The sizes of letters in mm."""
TALLEST = 6.0
"""The tallest number on the answer, in mm."""
LABEL = 104.0
"""The height of the label in mm."""
PICTURE = 62.0
"""Greatest width and height in mm of each of its two pictures."""
RIM, CUT, OUTLINE = 0.4, 0.1, 0.3
"""The widths of lines in mm: round the label, round stickers, round pieces on the answer sheet."""
CHIP, PAINTS_IN_A_ROW = 2.6, 4
"""Edge in mm of the stickers that show the paints, and number of paints side by side."""
APART = 2.0
"""Gap between stickers, in mm."""
HEAD = 9.0
"""Height of a line of words over stickers, in mm."""
PALE = "#FFFFFF"


def answer_sheet(shapes: ZigzawShapes, name: str, size: tuple[float, float], progress: Progress) -> Leaflet:
    """Label, answer and stickers of a zigzaw called `name`, on paper of a width and a height in mm."""
    progress.step(0.0, tr("Counting solutions"))
    design = replace(shapes.design, parameters=replace(shapes.design.parameters, side=FRONT))
    known = proof(design, progress.part(0.0, 0.4))
    progress.step(0.4, tr("Drawing the answer"))
    pages = [_label(design, known, name, size), _answer(design, name, size)]
    progress.step(0.6, tr("Laying out the stickers"))
    return Leaflet(
        tr("{name}: answer sheet", name=name), (*pages, *_sticker_pages(design, size, progress.part(0.6, 1.0)))
    )


# The label


def _label(design: ZigzawDesign, known: Solutions, name: str, size: tuple[float, float]) -> Page:
    p, width = design.parameters, size[0] - 2 * MARGIN
    drawing, _ = plain(p)
    count = p.columns * p.rows
    marks: list[Mark] = [
        Line(box(MARGIN, MARGIN, width, LABEL), INK, RIM, closed=True),
        centred(
            shortened(name, TITLE, width - 12, bold=True), np.array([size[0] / 2, MARGIN + 12]), TITLE, INK, bold=True
        ),
    ]
    for text, down in (
        (tr("Zigzaw, {pieces}", pieces=many(count, "piece")), 24),
        (tr("Arrange the pieces so that their colours form cubes."), LABEL - 5),
    ):
        marks.append(Words(text, (size[0] / 2, MARGIN + down), TEXT, QUIET, Anchor.MIDDLE))
    # The piece and the cube in the middle of the board.
    middle, letters = MARGIN + 25 + (LABEL - 33) / 2, "".join(design.triples.values())
    place = count // 2
    shown = [
        (sticker, STEPS[limb.step], letters[layout(p).slots[place][number]])
        for number, limb in enumerate(design.body.limbs)
        for sticker in limb.stickers
    ]
    marks += _drawn(design, np.array(design.body.outline), shown, np.array([MARGIN + 0.3 * width, middle]))
    triple = design.triples[layout(p).places[place]]
    shown = [(one, (0, 0), triple[FACES.index(one.face)]) for one in STICKERS]
    marks += _drawn(design, np.array(HEXAGON), shown, np.array([MARGIN + 0.77 * width, middle]))
    lines = (
        tr(
            "{columns}, {rows}; frame {width:.0f} × {height:.0f} mm, sticker edge {edge:g} mm; seed {seed}.",
            columns=many(p.columns, "column"),
            rows=many(p.rows, "row"),
            width=drawing.width,
            height=drawing.height,
            edge=p.edge,
            seed=p.seed,
        ),
        proof_of(known),
    )
    top = MARGIN + LABEL + 12
    texts = [line for text in lines for line in wrapped(text, TEXT, width)]
    marks += [Words(line, (MARGIN, top + 5.5 * place), TEXT, QUIET) for place, line in enumerate(texts)]
    marks += _legend(design, top + 5.5 * len(texts) + 6, width)
    return Page(*size, (MarkGroup("label", tuple(marks)),))


def _legend(design: ZigzawDesign, top: float, width: float) -> list[Mark]:
    """The paints by name, each in its colour and as it is hatched."""
    ground = in_mm(np.array(OUTLINES["T"], float), CHIP)
    middle, marks = (ground.min(axis=0) + ground.max(axis=0)) / 2, list[Mark]()
    for at, paint in enumerate(design.palette[: design.parameters.paint_count]):
        row, column = divmod(at, PAINTS_IN_A_ROW)
        left = MARGIN + column * width / PAINTS_IN_A_ROW
        place = np.array([left + 0.2 * width / PAINTS_IN_A_ROW, top + 30.0 * row + 8])
        marks.append(Area((ground - middle + place,), paint.colour, INK, CUT))
        below = place + np.array([0.0, 10.0])
        marks += [
            Line(CHIP * run - middle + below, INK, CUT, curved=True) for run in face_runs("T", at)
        ]  # fmt: skip
        marks.append(Words(shortened(paint.name, TEXT, 0.5 * width / PAINTS_IN_A_ROW),
                           (left + 0.45 * width / PAINTS_IN_A_ROW, float(place[1]) + 1.2), TEXT, INK))  # fmt: skip
    return marks


def proof_of(known: Solutions) -> str:
    """The proof of the solutions, in a sentence."""
    count = known.count
    if known.is_unique:
        return tr("Unique solution (exhaustive search, {pieces} tried).", pieces=many(count.nodes, "piece"))
    if count.solutions > 1:
        solutions = many(count.solutions, "solution")
        if count.complete:
            return tr("{solutions}; this is one of them.", solutions=solutions)
        return tr("At least {solutions}; this is one of them.", solutions=solutions)
    return tr(
        "Search stopped after {count} pieces tried: there may be more than one solution.", count=thousands(count.nodes)
    )


def _drawn(
    design: ZigzawDesign, ground: Floats, shown: Sequence[tuple[Sticker, tuple[int, int], str]], middle: Floats
) -> list[Mark]:
    """Stickers on their ground, an outline in lattice units, as large as there is room for them."""
    ground = in_mm(ground.astype(float), 1.0)
    low, high = ground.min(axis=0), ground.max(axis=0)
    scale = PICTURE / float((high - low).max())

    def on_page(points: Floats) -> Floats:
        return np.asarray(middle + scale * (points - (low + high) / 2))

    marks: list[Mark] = [Area((on_page(ground),), GROUND, INK, OUTLINE)]
    for sticker, step, letter in shown:
        corners = in_mm(np.array(sticker.corners, float) + step, 1.0)
        inner = corners.mean(axis=0) + (1 - 2 * GAP) * (corners - corners.mean(axis=0))
        marks.append(Area((on_page(inner),), _colour(design, letter)))
    return marks


def _colour(design: ZigzawDesign, letter: str) -> str:
    return GROUND if letter == UNPAINTED else design.palette[LETTERS.index(letter)].colour


# The answer


def _answer(design: ZigzawDesign, name: str, size: tuple[float, float]) -> Page:
    p, width = design.parameters, size[0] - 2 * MARGIN
    drawing, origin = plain(p)
    top = MARGIN + HEADING + 12
    scale = min(1.0, width / drawing.width, (size[1] - MARGIN - top) / drawing.height)
    shift = np.array([(size[0] - scale * drawing.width) / 2, top])

    def on_page(points: Floats) -> Floats:
        return np.asarray(shift + scale * points)

    regions = [each for each in artwork(design, origin, None) if isinstance(each, Region)]
    marks: list[Mark] = [Area(tuple(on_page(ring) for ring in region.rings), region.fill) for region in regions]
    for at in range(len(drawing.chains)):
        codes = drawing.chains[at].strokes
        line = drawing.strokes.joined(codes, np.array([0, len(codes)])).points
        marks.append(Line(on_page(line), INK, OUTLINE, curved=True))
    # The number goes to the middle of the largest limb of a piece.
    limb = max(design.body.limbs, key=lambda limb: len(limb.stickers))
    middles = np.array([np.mean(sticker.corners, axis=0) for sticker in limb.stickers]) + STEPS[limb.step]
    away = np.hypot(*in_mm(middles - middles.mean(axis=0), 1.0).T)
    middle, tall = in_mm(middles[int(away.argmin())], p.edge), min(0.8 * scale * p.edge, TALLEST)
    places = layout(p).places
    shown = np.array([cube.origin for cube in places], float)
    for cube, number, corner in zip(places, numbers(design).tolist(), in_mm(shown, p.edge) + origin, strict=True):
        colour = _colour(design, design.triples[cube.beside(limb.step)][FACES.index(limb.face)])
        marks.append(
            centred(str(number), on_page(corner + middle), tall, INK if is_bright(colour) else PALE, bold=True)
        )
    words = tr("actual size") if scale == 1.0 else tr("scale 1 : {number:.2f}", number=1 / scale)
    return Page(*size, (
        MarkGroup("title", (Words(shortened(tr("{name}: answer", name=name), HEADING, width, bold=True),
                                  (MARGIN, MARGIN + capitals(HEADING)), HEADING, INK, bold=True),
                            Words(tr("The pieces by number, {scale}.", scale=words),
                                  (MARGIN, MARGIN + capitals(HEADING) + 6), TEXT, QUIET))),
        MarkGroup("answer", tuple(marks)),
    ))  # fmt: skip


# Stickers


@dataclass(frozen=True, eq=False)
class _Sort:
    """Stickers of one form: the corners (n, 2) in mm from its upper left, and the number of each paint."""

    corners: Floats
    counts: Counter[str]


def _sorts(design: ZigzawDesign, most: tuple[float, float]) -> list[_Sort]:
    """The stickers by their forms; single rhombi if a whole limb would be larger than a page."""
    p = design.parameters
    letters = "".join(design.triples.values())
    areas: list[tuple[shapely.Polygon, Counter[str]]] = []
    for one in on_limbs(p):
        areas.append((one.area, Counter(letters[sides[one.limb]] for sides in layout(p).slots)))
    for _, letter, whole in on_frame(design):
        parts = shapely.get_parts(shapely.buffer(whole, -GAP * p.edge, join_style="mitre")).tolist()
        areas += [(part, Counter(letter)) for part in parts]
    low, high = np.array([area.bounds for area, _ in areas]).reshape(-1, 2, 2).transpose(1, 0, 2)
    if ((high - low).max(axis=0) > most).any():
        areas = []
        for face in FACES:
            shape = shapely.buffer(rhombus(Sticker(face, 0, 0), (0, 0), p), -GAP * p.edge, join_style="mitre")
            shown = Counter(triple[FACES.index(face)] for triple in design.triples.values())
            areas.append((shape, Counter({letter: 9 * count for letter, count in shown.items()})))
    found: dict[bytes, _Sort] = {}
    for area, counts in areas:
        corners = shapely.get_coordinates(shapely.normalize(shapely.set_precision(area, 1e-3)).exterior)[:-1]
        corners = np.round(corners - corners.min(axis=0), 2) + 0.0
        sort = found.setdefault(corners.tobytes(), _Sort(corners, Counter()))
        sort.counts.update({letter: count for letter, count in counts.items() if letter != UNPAINTED})
    return sorted(found.values(), key=lambda sort: -float(np.ptp(sort.corners[:, 1])))


def _sticker_pages(design: ZigzawDesign, size: tuple[float, float], progress: Progress) -> Iterator[Page]:
    """The stickers in true size, grouped by paint."""
    room_of = (size[0] - 2 * MARGIN, size[1] - 2 * MARGIN - HEAD)
    sorts = _sorts(design, room_of)
    marks: list[Mark] = []
    down, number = MARGIN, 1
    for at, paint in enumerate(design.palette):
        progress.step(at / len(design.palette), tr("Laying out the stickers in {name}", name=paint.name))
        wanted = [(sort, sort.counts[LETTERS[at]]) for sort in sorts if sort.counts[LETTERS[at]]]
        if not wanted:
            continue
        title = f"{paint.name}: {many(sum(count for _, count in wanted), 'sticker')}"
        tallest = float(np.ptp(wanted[0][0].corners[:, 1]))
        if down + HEAD + tallest > size[1] - MARGIN:
            yield _sheet(size, marks, number)
            marks, down, number = [], MARGIN, number + 1
        marks.append(Words(title, (MARGIN, down + 5), TEXT, INK, bold=True))
        down += HEAD
        right, row = MARGIN, 0.0
        for sort, count in wanted:
            wide, tall = np.ptp(sort.corners, axis=0).tolist()
            for _ in range(count):
                if right + wide > size[0] - MARGIN:
                    right, down, row = MARGIN, down + row + APART, 0.0
                if down + tall > size[1] - MARGIN:
                    yield _sheet(size, marks, number)
                    number += 1
                    marks = [
                        Words(tr("{name}, continued", name=paint.name), (MARGIN, MARGIN + 5), TEXT, INK, bold=True)
                    ]
                    right, down, row = MARGIN, MARGIN + HEAD, 0.0
                marks.append(Area((sort.corners + np.array([right, down]),), paint.colour, INK, CUT))
                right, row = right + wide + APART, max(row, tall)
        down += row + 2 * APART
    if marks:
        yield _sheet(size, marks, number)


def _sheet(size: tuple[float, float], marks: list[Mark], number: int) -> Page:
    foot = Words(
        tr("Stickers, actual size, sheet {number}", number=number),
        (size[0] - MARGIN, size[1] - 7.0),
        TEXT,
        QUIET,
        Anchor.END,
    )
    return Page(*size, (MarkGroup("stickers", (*marks, foot)),))
