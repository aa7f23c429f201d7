"""Colours the cubes of a zigzaw so that there is one solution, repairs colours that allow two, and assembles loose
pieces.

Imported files have loose pieces and a border; a search places the pieces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import permutations

import numpy as np

from studio.base.amounts import thousands
from studio.base.chance import uniform
from studio.base.errors import StudioError, one_named
from studio.base.progress import SILENT, Progress, kept
from studio.base.texts import tr
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import indices_of
from studio.puzzles.zigzaw.model import (
    ANY,
    CUBE_COLOURS,
    EASY,
    HARD,
    LETTERS,
    MOST_NODES,
    NORMAL,
    PALETTES,
    REAL,
    UNPAINTED,
    Paint,
    Photo,
    ZigzawDesign,
    ZigzawParameters,
    cube_name,
    is_place,
    key_of,
    layout,
    matching,
    packed,
    palette,
    recoloured,
    repainted,
)
from studio.puzzles.zigzaw.piece_forms import FACES, Cube, body, grid
from studio.solving.edges import UNKNOWN, Matching, Solutions, proven

PROOF_NODES = 40_000
"""Pieces that a proof places before it gives up; nearly all puzzles need fewer than a tenth."""
GENERATE_NODES = 20_000
"""Pieces that the proofs of generating place before they give up; a form waits for them."""
MOST_REDRAWS = 400
"""Cubes that generating recolours for a unique solution before it leaves the rest to the problems."""
REPAIR_NODES = 200_000
"""Pieces that all proofs of a fix place together; a window waits for it, some seconds at most."""
MOST_ROUNDS = 12
"""Most rounds of recolouring cubes because two pieces are alike; with few triples that cannot be helped."""
MOST_RECOLOURED = 4
"""Cubes that a repair recolours."""
TRIES = {NORMAL: 8.1, HARD: 40.0}
"""Pieces tried for each place that a difficulty aims at; the puzzle of 1982 needs 658 for 81 places."""
NEAR = np.log(1.6)
"""Greatest distance of a puzzle from its aim, as the logarithm of their ratio."""
FAR = 4
"""A puzzle this many times too easy ends the attempts with its number of different cubes."""
FULLY_TRIED = 3
"""The last rungs are tried as often as any, however easy a puzzle there is."""
RUNGS = (30, 20, 15, 12, 10, 9, 8, 7, 6, 5)
"""Numbers of different cubes that are tried for a difficulty."""
ATTEMPTS = 4
"""Attempts for each of them."""
MOST_DRAWN = MOST_ROUNDS + MOST_REDRAWS + 1
"""No cube is drawn as often in one attempt."""
QUIET = 20
"""Number of triples with the quietest sides that colour a cube of a picture at first; each time as many more."""
MANY_COLOURS = 8
"""Number of colours with which boards of 40 by 40 can be proven."""
CHANCES = 4096
"""Distance between the keys of successive draws; beyond the key of every cube."""
FACE_NAMES = dict(zip(FACES, ("top", "left", "right"), strict=True))
"""The faces of a cube as files and sentences call them."""


def scheme_triples(parameters: ZigzawParameters) -> tuple[str, ...]:
    """All triples that the scheme allows, before their number is limited."""
    letters = LETTERS[: parameters.paint_count]
    if parameters.scheme != REAL:
        return tuple(map("".join, permutations(letters, 3)))
    found = []
    for triple in permutations(letters, 3):
        # A real cube shows no two opposite faces, and three in its order around, not its mirror's.
        numbers = [LETTERS.index(letter) for letter in triple]
        axes = [number // 2 for number in numbers]
        is_turned = (axes[1] - axes[0]) % 3 == 1
        if len(set(axes)) == 3 and is_turned == bool(sum(number % 2 for number in numbers) % 2):
            found.append("".join(triple))
    return tuple(found)


@lru_cache(64)
def _chosen_triples(parameters: ZigzawParameters, count: int, attempt: int) -> tuple[str, ...]:
    every = scheme_triples(parameters)
    if not 0 < count < len(every):
        return every
    keys = np.arange(len(every)) + CHANCES * attempt
    order = np.argsort(uniform(parameters.seed, keys, "triple"), kind="stable")
    return tuple(every[number] for number in sorted(order[:count].tolist()))


def triples_of(parameters: ZigzawParameters, count: int | None = None, attempt: int = 0) -> tuple[str, ...]:
    """The triples that the cubes of a design may have: all, or `count` chosen anew in each attempt.

    Without a count it is that of the parameters.
    """
    # Only these fields count: a longer edge is no other choice.
    p = parameters
    plain = ZigzawParameters(seed=p.seed, scheme=p.scheme, colours=p.colours)
    return _chosen_triples(plain, p.triples if count is None else count, attempt)


def generate(parameters: ZigzawParameters, progress: Progress) -> ZigzawDesign:
    """A design in new colours."""
    return _generated(Request(parameters), progress)


def carry(parameters: ZigzawParameters, previous: ZigzawDesign, progress: Progress) -> Generated[ZigzawDesign]:
    """The design for other parameters; if these change the colours, cubes that the maker coloured keep theirs."""
    before, request = previous.parameters, _request_of(previous)
    generated_by = GENERATED_BY if request.picture is None else (*GENERATED_BY, *PICTURED_BY)
    if all(getattr(before, name) == getattr(parameters, name) for name in generated_by):
        return Generated(replace(previous, parameters=parameters))
    fixed = {
        cube: triple
        for cube, triple in request.fixed.items()
        if is_place(before, cube) == is_place(parameters, cube)
        and cube.row < parameters.rows + 2
        and cube.column < parameters.columns + 2
        and set(triple) <= {*LETTERS[: parameters.paint_count], UNPAINTED}
    }
    lost = [cube_name(before, cube) for cube in request.fixed if cube not in fixed]
    request = replace(request, parameters=parameters, fixed=fixed)
    if request.paints is not None and len(request.paints) < parameters.paint_count:
        request = replace(request, paints=None)
        lost.append(tr("custom palette"))
    if (before.columns, before.rows) != (parameters.columns, parameters.rows):
        request = replace(request, numbers=())
    return Generated(_generated(request, progress), tuple(lost))


def with_picture(design: ZigzawDesign, photo: Photo | None, progress: Progress) -> ZigzawDesign:
    """The design with another picture on the tops of its cubes, or without one.

    Raises StudioError for a picture that cannot be read.
    """
    return _generated(replace(_request_of(design), picture=photo), progress)


def with_paints(design: ZigzawDesign, paints: tuple[Paint, ...] | None, progress: Progress) -> ZigzawDesign:
    """The design in a palette of the maker's own, or again in the built-in one; a picture is matched to it."""
    if design.picture is None:
        return replace(design, paints=paints)
    return _generated(replace(_request_of(design), paints=paints), progress)


def without_edits(design: ZigzawDesign, names: Collection[str], progress: Progress) -> ZigzawDesign:
    """The design with some cubes recoloured at random."""
    request = _request_of(design)
    fixed = {cube: triple for cube, triple in request.fixed.items() if cube_name(design.parameters, cube) not in names}
    return _generated(replace(request, fixed=fixed), progress)


def _request_of(design: ZigzawDesign) -> Request:
    """Return the maker's decisions in a design."""
    fixed = {design.names[name]: design.triples[design.names[name]] for name in design.own}
    return Request(design.parameters, fixed, design.paints, design.picture, design.numbers)


GENERATED_BY = ("columns", "rows", "body", "seed", "scheme", "colours", "difficulty", "triples")
"""The parameters on which the colours depend."""
PICTURED_BY = ("palette", "dither")
"""Further such parameters if the tops show a picture."""


@dataclass(frozen=True)
class Request:
    """Input that generating must keep: the `fixed` cubes, a picture in some paints, and the pieces' numbers."""

    parameters: ZigzawParameters
    fixed: Mapping[Cube, str] = field(default_factory=dict)
    paints: tuple[Paint, ...] | None = None
    picture: Photo | None = None
    numbers: tuple[int, ...] = ()

    def tops(self) -> Mapping[Cube, str]:
        """The paints that the tops must have; none without a picture."""
        if self.picture is None:
            return {}
        from studio.puzzles.zigzaw.colours import tops

        letters = "".join(sorted({triple[0] for triple in triples_of(self.parameters)}))
        return tops(self.picture, self.parameters, self.palette, letters)

    @property
    def palette(self) -> tuple[Paint, ...]:
        """The paints of the design."""
        return self.paints or palette(self.parameters.palette)

    def quietly(self) -> list[str]:
        """The triples by contrast of their sides with their tops, the least first, so that a picture stands out."""
        from studio.puzzles.zigzaw.colours import of_paints

        paints = dict(zip(LETTERS, of_paints(self.palette), strict=False))
        return sorted(
            triples_of(self.parameters),
            key=lambda triple: float(sum(np.linalg.norm(paints[triple[0]] - paints[side]) for side in triple[1:])),
        )


def _generated(request: Request, progress: Progress) -> ZigzawDesign:
    p = request.parameters
    if p.difficulty == EASY or p.triples or request.picture is not None:
        return _coloured(request, p.triples, 0, progress)
    # Whatever a maker coloured, so that a design in which something was edited is generated as before.
    plain = ZigzawParameters(**{name: getattr(p, name) for name in GENERATED_BY})
    return _coloured(request, *_aimed(plain, progress), progress)


@kept(64)
def _aimed(parameters: ZigzawParameters, progress: Progress) -> tuple[int, int]:
    """The number of different cubes, 0 for all, and the attempt whose puzzle comes nearest to the difficulty asked for.

    Its pieces differ. Fewer different cubes make harder puzzles, but chance decides more: so fewer and fewer are tried,
    each a few times.
    """
    wanted = min(TRIES[parameters.difficulty] * parameters.columns * parameters.rows, GENERATE_NODES / 2)
    every = len(scheme_triples(parameters))
    rungs = (0, *(count for count in RUNGS if count < every))
    found, nearest = (0, 0), np.inf
    for number, count in enumerate(rungs):
        has_unique = False
        for attempt in range(ATTEMPTS if count else 1):
            part = progress.part((number + attempt / ATTEMPTS) / len(rungs), (number + 1) / len(rungs))
            design = _coloured(Request(parameters), count, attempt, part)
            known = proven(matching(design), part, most=2, nodes=GENERATE_NODES)
            if not known.is_unique:
                continue
            has_unique = True
            if any(twins(design)):
                continue
            apart = abs(np.log(known.count.nodes / wanted))
            if apart < nearest:
                nearest, found = apart, (count, attempt)
            if apart < NEAR:
                return found
            if FAR * known.count.nodes < wanted and number < len(rungs) - FULLY_TRIED:
                break
        if not has_unique:
            break
    return found


def _coloured(request: Request, count: int, attempt: int, progress: Progress) -> ZigzawDesign:
    """A design in some number of triples, 0 for all, with other colours in each attempt."""
    parameters, fixed = request.parameters, request.fixed
    cubes = tuple(grid(parameters.columns + 2, parameters.rows + 2))
    draw = _Draw(request, triples_of(parameters, count, attempt), attempt)
    colours = {cube: fixed.get(cube) or draw.drawn(cube) for cube in cubes}
    names = sorted(cube_name(parameters, cube) for cube in fixed)
    design = ZigzawDesign(
        parameters, packed(parameters, colours), tuple(names), request.paints, request.numbers, request.picture
    )
    for _ in range(MOST_ROUNDS):
        progress.step(0.0, tr("Making pieces different"))
        again = {cube: draw.drawn(cube) for cube in twins(design) if cube not in fixed}
        if not again:
            break
        design = design.with_triples(again, edited=False)
    for redraw in range(MOST_REDRAWS):
        progress.step(redraw / MOST_REDRAWS, tr("Checking that the solution is unique"))
        known = proven(matching(design), progress, most=2, nodes=GENERATE_NODES)
        free = [cube for cube in differing(design, known) if cube not in fixed]
        if not free:
            break
        cube = free[draw.count % len(free)]
        design = design.with_triples({cube: draw.drawn(cube)}, edited=False)
    return design


class _Draw:
    """Draws triples for cubes, as often as one is asked for."""

    def __init__(self, request: Request, triples: Sequence[str], attempt: int) -> None:
        self._seed = request.parameters.seed
        self._tops = request.tops()
        self._first = MOST_DRAWN * attempt
        self._triples: dict[str | None, list[str]] = {None: list(triples)}
        for triple in request.quietly() if self._tops else ():
            self._triples.setdefault(triple[0], []).append(triple)
        self._times: Counter[Cube] = Counter()
        self.count = 0

    def drawn(self, cube: Cube) -> str:
        """The colours of a cube, new ones at each call."""
        key = np.array([key_of(cube) + CHANCES * (self._first + self._times[cube])])
        self._times[cube] += 1
        self.count += 1
        triples = self._triples[self._tops.get(cube)]
        if self._tops:
            triples = triples[: QUIET * self._times[cube]]
        return triples[int(uniform(self._seed, key, "cube")[0] * len(triples))]


def twins(design: ZigzawDesign) -> Iterator[Cube]:
    """The cubes at the places of pieces that look like an earlier one."""
    seen: set[tuple[int, ...]] = set()
    for cube, piece in zip(layout(design.parameters).places, matching(design).pieces, strict=True):
        if piece in seen:
            yield cube
        seen.add(piece)


def proof(design: ZigzawDesign, progress: Progress) -> Solutions:
    """Search for up to two solutions, to decide whether there is only one."""
    return proven(matching(design), progress, most=2, nodes=PROOF_NODES)


def differing(design: ZigzawDesign, known: Solutions) -> tuple[Cube, ...]:
    """The places at which one of the solutions found differs from the design."""
    puzzle = matching(design)
    sorts = {piece: sort for sort, piece in enumerate(puzzle.sorts)}
    own = tuple(sorts[piece] for piece in puzzle.pieces)
    other = next((placed for placed in known.found if placed != own), own)
    return tuple(c for c, a, b in zip(layout(design.parameters).places, own, other, strict=True) if a != b)


def unique(design: ZigzawDesign, progress: Progress = SILENT) -> ZigzawDesign:
    """Recolour few cubes, one at a time, until the design is proven to have one solution.

    Raises StudioError if no cube that may be recoloured helps, or the search takes too long.
    """
    known, left = proof(design, progress), REPAIR_NODES
    for _ in range(MOST_RECOLOURED):
        if known.is_unique:
            return design
        best: tuple[int, ZigzawDesign, Solutions] | None = None
        for other in _recoloured(design, differing(design, known)):
            after = proof(other, progress)
            if after.is_unique:
                return other
            apart = len(differing(other, after))
            if apart and (best is None or apart < best[0]):
                best = apart, other, after
            left -= after.count.nodes
            if left < 0:
                break
        if best is None or left < 0:
            break
        _, design, known = best
    raise StudioError(tr("Recolouring a few cubes does not make the solution unique; try another seed."))


def _recoloured(design: ZigzawDesign, cubes: Collection[Cube]) -> Iterator[ZigzawDesign]:
    """The design with each of some cubes in each other triple; cubes that the maker coloured come last.

    Tops stay if they show a picture.
    """
    own = {design.names[name] for name in design.own}
    for cube in sorted(cubes, key=own.__contains__):
        for triple in triples_of(design.parameters):
            stays = design.picture is None or triple[0] == design.triples[cube][0]
            if stays and triple != design.triples[cube]:
                yield design.with_triples({cube: triple}, edited=False)


def with_any_three(design: ZigzawDesign, progress: Progress = SILENT) -> ZigzawDesign:
    """The design with cubes of any three of many colours, which leave more room for a single solution."""
    p = design.parameters
    return carry(replace(p, scheme=ANY, colours=max(p.paint_count, MANY_COLOURS)), design, progress).design


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
    placed = loose.placed
    if not placed:
        puzzle = Matching(known.slots, tuple(shown), pieces)
        search = proven(puzzle, progress, most=1, nodes=MOST_NODES)
        if not search.found:
            words = tr(
                "its pieces do not fit together inside its border: at most {count} of {pieces} can be placed.",
                count=search.deepest,
                pieces=count,
            )
            if not search.count.complete:
                words = tr("no solution found after {count} pieces tried.", count=thousands(search.count.nodes))
            raise StudioError(words)
        left = [list(pieces) for pieces in puzzle.members]
        placed = tuple(left[sort].pop(0) + 1 for sort in search.found[0])
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


# Edits as texts


def _paint(design: ZigzawDesign, name: str) -> int:
    """Number of a paint of the cubes; raises StudioError for an unknown name."""
    used = [paint.name.lower() for paint in design.palette[: design.parameters.paint_count]]
    return one_named({each: used.index(each) for each in used}, name.lower(), tr("Unknown colour"))


def _faces_coloured(
    design: ZigzawDesign, _progress: Progress, face: str, names: Sequence[str], colour: str
) -> ZigzawDesign:
    side = one_named({title: face for face, title in FACE_NAMES.items()}, face.lower(), tr("Unknown face"))
    return recoloured(design, [(cube, side) for cube in indices_of(design.names, names)], _paint(design, colour))


def _paint_changed(design: ZigzawDesign, progress: Progress, colour: str, rrggbb: str) -> ZigzawDesign:
    paint, new = _paint(design, colour), f"#{rrggbb.upper()}"
    if design.palette[paint].colour == new:
        return design
    return with_paints(design, repainted(design, paint, new), progress)


def _cubes_reset(design: ZigzawDesign, progress: Progress, names: Sequence[str]) -> ZigzawDesign:
    indices_of(design.names, names)  # refuses a cube that is not there
    edited = set(names) & set(design.own)
    return without_edits(design, edited, progress) if edited else design


EDITS: dict[str, Callable[..., ZigzawDesign]] = {
    "colour FACE of NAMES to COLOUR": _faces_coloured,
    "reset NAMES": _cubes_reset,
    "change COLOUR to #RRGGBB": _paint_changed,
    "use built-in palette": lambda design, progress: with_paints(design, None, progress) if design.paints else design,
    "remove picture": lambda design, progress: with_picture(design, None, progress) if design.picture else design,
}
"""A function for each form of an edit as text."""
