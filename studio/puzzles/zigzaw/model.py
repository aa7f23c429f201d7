"""Parameters and edits of a zigzaw, and the zigzaw as an edge-matching puzzle.

cube: a picture of a cube that shows three faces: top, left and right. border: the ring of cubes around the
pieces, which the frame shows. The grid has both: row 0 and column 0 are border. place: the position of a piece, named
like a cell, `C4`; the cubes of the border are named `0,3` for row 0, column 3. triple: the colours of top, left, right.
paint: a colour of a palette; paint 0 is the letter A in the colours of a cube, `ACE`, and UNPAINTED is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

import numpy as np

from studio.base.amounts import cell_name
from studio.base.chance import uniform
from studio.base.encode import decode
from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.json_files import read
from studio.base.parameters import Group, ParameterError, Validated, choice, flag, integer, later, number, seed
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Repair
from studio.geometry.curves.strokes import Ints
from studio.puzzles.zigzaw.piece_forms import BODIES, FACES, STICKERS, Body, Cube, Sticker, body, grid
from studio.solving.assembly import Count
from studio.solving.edges import UNKNOWN, Matching, proven

FOLDER = shipped("palettes")
LARGEST_FILE = 2**16
PALETTES = {"cube": tr("Cube"), "pastel": tr("Pastel"), "safe": tr("Colour-blind safe")}
"""The palettes in resources/palettes/ and their titles."""
LETTERS = "ABCDEFGHIJKL"
"""The paints of a palette, in its order; two after another are opposite faces of a real cube."""
UNPAINTED = "."
CUBE_COLOURS = 6
REAL, ANY = "real", "any"
EASY, NORMAL, HARD = DIFFICULTIES = ("easy", "normal", "hard")
MOST = 40
WHOLE, IN_PARTS = "one", "four"
COLOUR, HATCH, PLAIN = "colour", "hatch", "plain"
FRONT, BACK = "front", "back"
NUMBER, FIGURE, NOTHING = "number", "figure", "none"
CROSSES, DOTS = "crosses", "dots"
FINISHES = {COLOUR: tr("Colours to print"), HATCH: tr("Hatches to engrave"), PLAIN: tr("Plain")}
MAKING, PRINTING = Group("Fabrication", is_rare=True), Group("Printing", is_rare=True)


@dataclass(frozen=True)
class ZigzawParameters(Validated):
    """The inputs of a zigzaw; lengths in mm."""

    columns: int = integer(9, title="Columns", minimum=3, maximum=MOST, group="Board", help="Pieces per row.")
    rows: int = integer(9, title="Rows", minimum=3, maximum=MOST, group="Board", help="Number of rows.")
    body: str = choice("frog", BODIES, title="Piece", group="Board", help="Shape of all pieces.")
    seed: int = seed(1, group="Board", help="Random seed. The same seed always gives the same colours.")
    scheme: str = choice(REAL, {REAL: "Real cube", ANY: "Any three colours"}, title="Cubes", group="Colours",
        help="Colour the cubes like a real one, or with any three different colours each.")  # fmt: skip
    colours: int = integer(6, title="Colour count", minimum=3, maximum=len(LETTERS), group="Colours",
        help="Number of colours to choose any three from; a real cube has six.")  # fmt: skip
    difficulty: str = later(choice(NORMAL, {EASY: "Easy", NORMAL: "Normal", HARD: "Hard"}, title="Difficulty",
        group="Colours", help="Wrong pieces that a solver tries: hardly any, 8 per place as in the puzzle of 1982, or "
        "about 40. A picture is always easy."))  # fmt: skip
    triples: int = integer(0, title="Different cubes", minimum=0, maximum=120, zero="By difficulty", group="Colours",
        help="Number of differently coloured cubes; fewer make a harder puzzle, 0 = by difficulty.")  # fmt: skip
    palette: str = choice("cube", PALETTES, title="Palette", group="Colours", help="Colours of the stickers.")
    dither: bool = flag(True, title="Dithering", group="Colours",
        help="Mix neighbouring colours to approximate the picture; off, each top gets the nearest colour.")  # fmt: skip
    edge: float = number(8.9, title="Sticker edge", minimum=2.0, maximum=60.0, step=0.1, unit="mm", group="Size",
        help="Edge length of a sticker, one third of a cube's edge; limbs are 0.87 times as wide.")  # fmt: skip
    border: float = number(8.0, title="Border", minimum=2.0, maximum=200.0, step=1.0, unit="mm", group="Size",
        help="Minimum width of the blank rim around the cubes in the frame.")  # fmt: skip
    radius: float = later(number(0.0, title="Corner radius", minimum=0.0, maximum=20.0, step=0.1, unit="mm",
        group=MAKING, help="Radius at bends of the cuts; rounded inner corners tear less. 0 = sharp."))  # fmt: skip
    frame: str = later(choice(WHOLE, {WHOLE: "One piece", IN_PARTS: "Four parts"}, title="Frame", group=MAKING,
        help="Four parts fit a smaller bed and interlock like the pieces."))  # fmt: skip
    finish: str = later(choice(COLOUR, FINISHES, title="Finish", group=MAKING,
        help="Stickers printed in colour, engraved with one hatch per colour, or left out."))  # fmt: skip
    side: str = later(choice(FRONT, {FRONT: "Front", BACK: "Back"}, title="Side up", group=MAKING,
        help="The back is mirrored and has no stickers."))  # fmt: skip
    back: str = later(choice(NUMBER, {NUMBER: "Number", FIGURE: "Figure", NOTHING: "None"}, title="Back engraving",
        group=MAKING, help="Engraving on the back of every piece."))  # fmt: skip
    marks: str = later(choice(NOTHING, {NOTHING: "None", CROSSES: "Crosses", DOTS: "Dots"}, title="Registration marks",
        group=MAKING, help="Marks printed and scored in the frame's corners to align a printed sheet."))  # fmt: skip
    thickness: float = later(number(4.0, title="Thickness", minimum=1.0, maximum=30.0, step=0.1, unit="mm",
        group=PRINTING, help="Thickness of printed pieces without stickers."))  # fmt: skip
    sticker: float = later(number(0.6, title="Sticker height", minimum=0.2, maximum=5.0, step=0.1, unit="mm",
        group=PRINTING, help="Height of printed stickers above the pieces."))  # fmt: skip
    play: float = later(number(0.3, title="Clearance", minimum=0.0, maximum=2.0, step=0.05, unit="mm", group=PRINTING,
        help="Clearance between two printed pieces."))  # fmt: skip

    @property
    def paint_count(self) -> int:
        """Number of paints for the cubes."""
        return CUBE_COLOURS if self.scheme == REAL else self.colours


@dataclass(frozen=True)
class Paint:
    """A colour and its name."""

    name: str
    colour: str

    def __post_init__(self) -> None:
        """Raise ParameterError for an invalid colour or name."""
        if not re.fullmatch("#[0-9A-F]{6}", self.colour):
            raise ParameterError(
                "colour", tr("colour must be written like #1A2B3C, not {colour!r}.", colour=self.colour[:20])
            )
        if not (1 <= len(self.name) <= 24 and self.name.isprintable() and self.name.strip() == self.name):
            raise ParameterError("name", tr("name must be 1 to 24 printable characters without spaces at either end."))


@dataclass(frozen=True)
class Photo:
    """A picture for the tops of the cubes: the bytes of a PNG or a JPEG."""

    data: bytes


@dataclass(frozen=True)
class ZigzawDesign:
    """A zigzaw as saved and undone.

    `cubes` has the colours of every cube, a text for each row of the grid and in it a word for each cube, its paints of
    top, left and right. `own` names the cubes that the maker coloured, sorted; regenerating keeps them. `paints` is
    the maker's own palette, or None; `numbers` has the numbers of the pieces, place by place, or is empty if chance
    shuffles them. `picture` is the picture on the tops of the cubes, if any.
    """

    parameters: ZigzawParameters
    cubes: tuple[str, ...]
    own: tuple[str, ...] = ()
    paints: tuple[Paint, ...] | None = None
    numbers: tuple[int, ...] = ()
    picture: Photo | None = None

    def __post_init__(self) -> None:
        """Refuse colours that do not fit the grid or the palette: raises ParameterError."""
        p = self.parameters
        if len(self.cubes) != p.rows + 2:
            raise ParameterError(
                "cubes", tr("cubes must have {rows} rows, not {count}.", rows=p.rows + 2, count=len(self.cubes))
            )
        letters = LETTERS[: p.paint_count]
        inner = re.compile(f"[{letters}]{{3}}")
        border = re.compile(f"[{letters}{re.escape(UNPAINTED)}]{{3}}")
        for row, text in enumerate(self.cubes):
            words = text.split(" ")
            if len(words) != p.columns + 2:
                raise ParameterError(
                    "cubes",
                    tr(
                        "cubes[{row}] must have {columns} cubes, not {count}.",
                        row=row,
                        columns=p.columns + 2,
                        count=len(words),
                    ),
                )
            for column, word in enumerate(words):
                known = inner if is_place(p, Cube(row, column)) else border
                if not known.fullmatch(word):
                    name = cube_name(p, Cube(row, column))
                    problem = tr(
                        "The cube {name} must have three colours from {letters}, not {found!r}.",
                        name=name,
                        letters=letters,
                        found=word[:12],
                    )
                    raise ParameterError("cubes", problem)
        if list(self.own) != sorted(set(self.own)) or not set(self.own) <= set(self.names):
            raise ParameterError("own", tr("own must list cubes of the grid, sorted, without duplicates."))
        if self.paints is not None and not p.paint_count <= len(self.paints) <= len(LETTERS):
            problem = tr(
                "paints must be {least} to {most}, not {count}.",
                least=p.paint_count,
                most=len(LETTERS),
                count=len(self.paints),
            )
            raise ParameterError("paints", problem)
        if self.numbers and sorted(self.numbers) != list(range(1, p.columns * p.rows + 1)):
            raise ParameterError("numbers", tr("numbers must be 1 to {count}, each once.", count=p.columns * p.rows))

    @cached_property
    def triples(self) -> dict[Cube, str]:
        """The colours of every cube of the grid, row by row."""
        cubes = grid(self.parameters.columns + 2, self.parameters.rows + 2)
        return dict(zip(cubes, " ".join(self.cubes).split(" "), strict=True))

    @cached_property
    def names(self) -> dict[str, Cube]:
        """The cubes of the grid by their names."""
        return {cube_name(self.parameters, cube): cube for cube in self.triples}

    @property
    def body(self) -> Body:
        """The form of the pieces."""
        return body(self.parameters.body)

    @property
    def palette(self) -> tuple[Paint, ...]:
        """The paints, the maker's own or the built-in ones."""
        return self.paints if self.paints is not None else palette(self.parameters.palette)

    def with_triples(self, changes: dict[Cube, str], *, edited: bool) -> ZigzawDesign:
        """The design with other colours of some cubes."""
        triples = self.triples | changes
        own = {cube_name(self.parameters, cube) for cube in changes} if edited else set()
        return replace(self, cubes=packed(self.parameters, triples), own=tuple(sorted({*self.own, *own})))


@dataclass(frozen=True)
class _Palette:
    title: str
    paints: tuple[Paint, ...] = ()


@cache
def palette(name: str) -> tuple[Paint, ...]:
    """The paints of a palette from resources/palettes/, whose file has a title and paints with name and colour."""
    return decode(_Palette, read(FOLDER / f"{name}.json", LARGEST_FILE), f"{name}.json", _Palette).paints


def packed(parameters: ZigzawParameters, triples: dict[Cube, str]) -> tuple[str, ...]:
    """The colours of all cubes as a design has them."""
    words = list(triples.values())
    width = parameters.columns + 2
    return tuple(" ".join(words[width * row : width * (row + 1)]) for row in range(parameters.rows + 2))


def is_place(parameters: ZigzawParameters, cube: Cube) -> bool:
    """True if a cube has a piece; otherwise it belongs to the border."""
    return 1 <= cube.row <= parameters.rows and 1 <= cube.column <= parameters.columns


def cube_name(parameters: ZigzawParameters, cube: Cube) -> str:
    """The name of a cube, which is also the place of its piece if it has one."""
    if is_place(parameters, cube):
        return cell_name(cube.column - 1, cube.row - 1)
    return f"{cube.row},{cube.column}"


def places(parameters: ZigzawParameters) -> Iterable[Cube]:
    """The cubes that have pieces, row by row."""
    return (Cube(cube.row + 1, cube.column + 1) for cube in grid(parameters.columns, parameters.rows))


# Edits of the solved board


Face = tuple[Cube, str]


def recoloured(design: ZigzawDesign, faces: Iterable[Face], paint: int) -> ZigzawDesign:
    """The design with some faces in one paint, chosen by the maker.

    Raises StudioError for a paint that the cubes cannot have.
    """
    if paint >= design.parameters.paint_count:
        names = tr("the cubes have only {count} colours", count=design.parameters.paint_count)
        raise StudioError(tr("{name} cannot be used: {reason}.", name=design.palette[paint].name, reason=names))
    changes: dict[Cube, str] = {}
    for cube, face in faces:
        triple, at = changes.get(cube, design.triples[cube]), FACES.index(face)
        changes[cube] = triple[:at] + LETTERS[paint] + triple[at + 1 :]
    return design.with_triples({cube: new for cube, new in changes.items() if new != design.triples[cube]}, edited=True)


def next_paint(design: ZigzawDesign, face: Face) -> int:
    """The paint after that of a face, in turn."""
    letter = design.triples[face[0]][FACES.index(face[1])]
    return (LETTERS.find(letter) + 1) % design.parameters.paint_count


def repainted(design: ZigzawDesign, paint: int, colour: str) -> tuple[Paint, ...]:
    """The palette with one paint in another colour, written `#1A2B3C`, which becomes its name."""
    paints = list(design.palette)
    taken = {other.name for number, other in enumerate(paints) if number != paint}
    paints[paint] = Paint(f"{colour} {paint + 1}" if colour in taken else colour, colour)
    return tuple(paints)


def divided(design: ZigzawDesign) -> Repair | None:
    """The fix that makes the frame in four parts; None if it has them already."""
    if design.parameters.frame != WHOLE:
        return None
    return Repair.setting(tr("Make the frame in four parts"), frame=IN_PARTS)


@dataclass(frozen=True, eq=False)
class Layout:
    """The layout of a board, a function of columns, rows and body alone.

    side: a face of a cube, numbered row by row, in each cube as FACES are. `slots` has the sides that the limbs of each
    place show; `border` the sides with a part on the frame; `stickers` the place that each sticker of each cube belongs
    to, or UNKNOWN if it is on the frame.
    """

    places: tuple[Cube, ...]
    slots: tuple[tuple[int, ...], ...]
    border: tuple[int, ...]
    stickers: dict[Cube, dict[Sticker, int]]


def layout(parameters: ZigzawParameters) -> Layout:
    """The layout of some parameters."""
    return _layout(parameters.columns, parameters.rows, parameters.body)


@lru_cache(16)
def _layout(columns: int, rows: int, name: str) -> Layout:
    limbs, width = body(name).limbs, columns + 2
    cubes = [Cube(row, column) for row in range(rows + 2) for column in range(width)]
    stickers = {cube: dict.fromkeys(STICKERS, UNKNOWN) for cube in cubes}
    inner = [cube for cube in cubes if 1 <= cube.row <= rows and 1 <= cube.column <= columns]
    slots = []
    for place, cube in enumerate(inner):
        sides = []
        for limb in limbs:
            shown = cube.beside(limb.step)
            sides.append(side_of(width, shown, limb.face))
            for sticker in limb.stickers:
                stickers[shown][sticker] = place
        slots.append(tuple(sides))
    border = {
        side_of(width, cube, sticker.face)
        for cube, owners in stickers.items()
        for sticker, owner in owners.items()
        if owner == UNKNOWN
    }
    return Layout(tuple(inner), tuple(slots), tuple(sorted(border)), stickers)


def side_of(width: int, cube: Cube, face: str) -> int:
    """The number of a face on a grid `width` cubes wide."""
    return 3 * (width * cube.row + cube.column) + FACES.index(face)


def colours(design: ZigzawDesign) -> tuple[int, ...]:
    """The paint of every side, or UNKNOWN."""
    known = {letter: number for number, letter in enumerate(LETTERS)} | {UNPAINTED: UNKNOWN}
    return tuple(known[letter] for letter in "".join(design.triples.values()))


def matching(design: ZigzawDesign) -> Matching:
    """The puzzle: its pieces in the order of their places in the design."""
    known, shown = layout(design.parameters), colours(design)
    given = [UNKNOWN] * len(shown)
    for side in known.border:
        given[side] = shown[side]
    pieces = tuple(tuple([shown[side] for side in sides]) for sides in known.slots)
    return Matching(known.slots, tuple(given), pieces)


def numbers(design: ZigzawDesign) -> Ints:
    """The number of the piece of every place, from 1: shuffled, so that it says nothing of the place."""
    if design.numbers:
        return np.array(design.numbers, np.int64)
    p = design.parameters
    keys = np.array([key_of(cube) for cube in places(p)], np.int64)
    order = np.argsort(uniform(p.seed, keys, "number"), kind="stable")
    result = np.empty(len(keys), np.int64)
    result[order] = np.arange(1, len(keys) + 1)
    return result


def key_of(cube: Cube) -> int:
    """The element that chance knows a cube by; it stays the same on a larger board."""
    return 64 * cube.row + cube.column


@dataclass(frozen=True)
class Placement:
    """The number of the piece on every place, by the name of the place."""

    pieces: Mapping[str, int]


def placement(design: ZigzawDesign, _target: object, _progress: object) -> Placement:
    """The solution that a design was made of."""
    names = [cube_name(design.parameters, cube) for cube in layout(design.parameters).places]
    return Placement(dict(zip(names, numbers(design).tolist(), strict=True)))


# Counting the ways to place the pieces of a zigzaw

MOST_NODES = 1_000_000
"""Pieces placed before a count ends with `at least`; that takes half a minute."""


def count(design: ZigzawDesign, _target: Sequence[str], progress: Progress, *, most: int | None = None) -> Count:
    """The number of solutions, the design itself included; swapping identical pieces makes no other solution."""
    return proven(matching(design), progress, most=most, nodes=MOST_NODES).count.of_solved
