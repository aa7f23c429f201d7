"""Assembly of a design from loose pieces and a border, as imported files have them: a search places the pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from studio.base.amounts import thousands
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.zigzaw.board import MOST_NODES, layout
from studio.puzzles.zigzaw.bodies import FACES, Cube, body, grid
from studio.puzzles.zigzaw.generate import scheme_triples
from studio.puzzles.zigzaw.model import (
    ANY,
    CUBE_COLOURS,
    LETTERS,
    PALETTES,
    REAL,
    UNPAINTED,
    Paint,
    ZigzawDesign,
    ZigzawParameters,
    cube_name,
    is_place,
    packed,
    palette,
)
from studio.solving.edges import UNKNOWN, Matching, proven

FACE_NAMES = dict(zip(FACES, ("top", "left", "right"), strict=True))
"""The faces of a cube as files and sentences call them."""


@dataclass(frozen=True)
class Loose:
    """Loose pieces, piece 1 first, each with the paints of its limbs; and the border.

    side: a face of a cube, as in a layout. `border` has the paints of sides; `placed` the number of the piece at each
    place, or is empty if a search is to find them.
    """

    columns: int
    rows: int
    body: str
    paints: tuple[Paint, ...]
    pieces: tuple[tuple[int, ...], ...]
    border: Mapping[int, int] = field(default_factory=dict)
    placed: tuple[int, ...] = ()


def assembled(loose: Loose, progress: Progress) -> ZigzawDesign:
    """The design with fitting pieces in place; raises StudioError if they do not fit or the search stops early."""
    own = _own_paints(loose)
    parameters = own.parameters
    known = layout(parameters)
    count = len(known.places)
    if len(loose.pieces) != count:
        words = tr(
            "{columns} columns and {rows} rows need {count} pieces, not {pieces}.",
            columns=loose.columns,
            rows=loose.rows,
            count=count,
            pieces=len(loose.pieces),
        )
        raise StudioError(words)
    width = 3 * (loose.columns + 2) * (loose.rows + 2)
    shown = [own.paint(loose.border.get(side, UNKNOWN)) for side in range(width)]
    pieces = tuple(tuple(map(own.paint, piece)) for piece in loose.pieces)
    placed = loose.placed or _found(Matching(known.slots, tuple(shown), pieces), progress)
    _ensure_fitting(placed, loose, known.slots, parameters)
    for place, number in enumerate(placed):
        for side, paint in zip(known.slots[place], pieces[number - 1], strict=True):
            shown[side] = paint
    cubes = list(grid(loose.columns + 2, loose.rows + 2))
    letters = "".join(UNPAINTED if paint == UNKNOWN else LETTERS[paint] for paint in shown)
    triples = {cube: letters[3 * at : 3 * at + 3] for at, cube in enumerate(cubes)}
    for cube, triple in triples.items():
        if is_place(parameters, cube) and UNPAINTED in triple:
            face = FACE_NAMES[FACES[triple.index(UNPAINTED)]]
            words = tr(
                "neither a piece nor the border shows the {face} of the cube {cube}.",
                face=face,
                cube=cube_name(parameters, cube),
            )
            raise StudioError(words)
    parameters = own.with_scheme({triple for triple in triples.values() if UNPAINTED not in triple})
    names = tuple(sorted(cube_name(parameters, cube) for cube in cubes))
    return ZigzawDesign(parameters, packed(parameters, triples), names, own.paints, tuple(placed))


def _found(matching: Matching, progress: Progress) -> tuple[int, ...]:
    """The number of the piece at each place, of the first solution."""
    known = proven(matching, progress, most=1, nodes=MOST_NODES)
    if known.found:
        left = [list(pieces) for pieces in matching.members]
        return tuple(left[sort].pop(0) + 1 for sort in known.found[0])
    if not known.count.complete:
        raise StudioError(tr("no solution found after {count} pieces tried.", count=thousands(known.count.nodes)))
    words = tr(
        "its pieces do not fit together inside its border: at most {count} of {pieces} can be placed.",
        count=known.deepest,
        pieces=len(matching.slots),
    )
    raise StudioError(words)


def _ensure_fitting(
    placed: Sequence[int], loose: Loose, slots: tuple[tuple[int, ...], ...], parameters: ZigzawParameters
) -> None:
    """Raise StudioError, naming piece and limb, unless pieces at their places match each other and the border."""
    limbs, places = body(loose.body).limbs, layout(parameters).places
    shown = dict(loose.border)
    for place, number in enumerate(placed):
        for slot, side in enumerate(slots[place]):
            paint = loose.pieces[number - 1][slot]
            before = shown.setdefault(side, paint)
            if before != paint:
                name = cube_name(parameters, places[place])
                wanted, has = loose.paints[before].name, loose.paints[paint].name
                words = tr(
                    "its solution has piece {number} at {place}, where the {limb} must be {wanted}, not {found}.",
                    number=number,
                    place=name,
                    limb=limbs[slot].name,
                    found=has,
                    wanted=wanted,
                )
                raise StudioError(words)


@dataclass(frozen=True)
class _Painted:
    """Parameters and a palette for the paints of some loose pieces, and which paint of it each of theirs is."""

    parameters: ZigzawParameters
    paints: tuple[Paint, ...] | None
    numbers: tuple[int, ...]

    def paint(self, number: int) -> int:
        """The paint of the palette that a loose piece's is."""
        return UNKNOWN if number == UNKNOWN else self.numbers[number]

    def with_scheme(self, triples: set[str]) -> ZigzawParameters:
        """The parameters, with a real cube's scheme if all complete cubes are real."""
        p = self.parameters
        if p.colours != CUBE_COLOURS:
            return p
        real = ZigzawParameters(columns=p.columns, rows=p.rows, body=p.body, palette=p.palette, scheme=REAL)
        return real if triples <= set(scheme_triples(real)) else p


def _own_paints(loose: Loose) -> _Painted:
    """Return the palette of loose pieces: a built-in one if it has all their paints, else their own."""
    for name in PALETTES:
        known = palette(name)
        if all(paint in known for paint in loose.paints):
            numbers = tuple(known.index(paint) for paint in loose.paints)
            count = max(3, *(number + 1 for number in numbers))
            parameters = ZigzawParameters(
                columns=loose.columns, rows=loose.rows, body=loose.body, scheme=ANY, colours=count, palette=name
            )
            return _Painted(parameters, None, numbers)
    parameters = ZigzawParameters(
        columns=loose.columns, rows=loose.rows, body=loose.body, scheme=ANY, colours=len(loose.paints)
    )
    return _Painted(parameters, loose.paints, tuple(range(len(loose.paints))))


def side_words(parameters: ZigzawParameters, side: int) -> str:
    """A side in words: `the left of the cube A1`."""
    cube, face = divmod(side, 3)
    row, column = divmod(cube, parameters.columns + 2)
    return tr(
        "the {face} of the cube {cube}", face=FACE_NAMES[FACES[face]], cube=cube_name(parameters, Cube(row, column))
    )
