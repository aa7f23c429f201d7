"""Cubes as BurrTools files: the six pieces as shapes of voxels, and one problem whose result is the shell of the box.

A file is XML, packed with gzip. A shape is a block of x × y × z voxels, x fastest: `#` is filled, `+` may be filled,
`_` is empty; digits behind a voxel are a colour. A problem lists shapes, each with its count, and its result;
identical shapes must be one shape with a count of two there, or every solution is found twice. This is described
at burrtools.sourceforge.net, in the notes on its library, "The xmpuzzle format". Nothing in a file is followed: no
entities, no other file.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from xml.parsers import expat

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.abilities.ability import Source
from studio.puzzles.cube.edits import design_of
from studio.puzzles.cube.kind import BurrToolsOptions
from studio.puzzles.cube.model import LARGEST, SMALLEST, CubeDesign
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import FACES, LETTERS, NOBODY, CubeShell, Mask, Owners, shell, signature
from studio.puzzles.cube.solve import first_on_faces

VERSIONS = ("1", "2")
CUBES = "0"
"""BurrTools' number for shapes that are made of cubes."""
LARGEST_TEXT = 16 * 2**20
"""Bytes of unpacked text that are read at most; six plates take a few kilobytes, stored solutions some megabytes."""
LARGEST_SHAPE = 64**3
MOST_SHAPES = 1000
MOST_NODES = 200_000
"""Steps of the search for a way in which pieces that are drawn apart go together."""
LONGEST_NAME = 40
_GZIP = b"\x1f\x8b"
_CELL = re.compile(r"([_#+])\d*")


# Writing


def write(design: CubeDesign, _options: BurrToolsOptions, progress: Progress) -> bytes:
    """The file of a design; each piece is at its place in a block as large as the box."""
    progress.step(0.0)
    partition = partitioned(design, progress)
    box, masks = partition.shell, partition.masks
    lines = ['<?xml version="1.0"?>', '<puzzle version="2">', f'<gridType type="{CUBES}"/>', "<colors/>", "<shapes>"]
    for face, mask in enumerate(masks):
        filled = np.zeros(box.size, bool)
        filled[tuple(box.spots(face, np.argwhere(mask)).T)] = True
        lines.append(_voxel(filled, f"{LETTERS[face]} {FACES[face]}"))
    lines += [_voxel(_shell_of(box.size), "Box"), "</shapes>", "<problems>", '<problem name="Cube" state="0">']
    alike = [signature(mask) for mask in masks]
    lines.append("<shapes>")
    lines += [
        f'<shape id="{face}" count="{alike.count(one)}"/>' for face, one in enumerate(alike) if alike.index(one) == face
    ]
    lines += ["</shapes>", f'<result id="{len(FACES)}"/>', "<bitmap/>", "</problem>", "</problems>"]
    lines += ["<comment>Six plates of a puzzle cube, from Puzzle Studio.</comment>", "</puzzle>", ""]
    return gzip.compress("\n".join(lines).encode(), mtime=0)


def _voxel(filled: Mask, name: str) -> str:
    x, y, z = filled.shape
    cells = "".join("#" if one else "_" for one in filled.ravel(order="F").tolist())
    return f'<voxel x="{x}" y="{y}" z="{z}" name="{name}" type="0">{cells}</voxel>'


def _shell_of(size: tuple[int, ...]) -> Mask:
    filled = np.ones(size, bool)
    filled[1:-1, 1:-1, 1:-1] = False
    return filled


# Reading


def read(sources: Sequence[Source], progress: Progress) -> CubeDesign:
    """Read the cube in one file; raise StudioError, worded to follow the file's name, unless it has six plates of one.

    Pieces drawn at their places stay there; otherwise they are put together in the first way found.
    """
    progress.step(0.0)
    if len(sources) != 1:
        raise StudioError(tr("import one BurrTools file at a time."))
    found = _parsed(_unpacked(sources[0].data))
    pieces = _pieces(found)
    given = _as_drawn(pieces)
    plates = [one.plate for one in pieces if one.plate is not None]
    for size in _sizes(found, pieces) if given is None else ():
        box = shell(*size)
        owners = first_on_faces(box, plates, progress, most_nodes=MOST_NODES)
        if owners is not None:
            given = box, owners
            break
    if given is None:
        raise StudioError(tr("its six plates do not assemble into a box with one on each face."))
    box, owners = given
    if box.loose(owners).any():
        raise StudioError(tr("one of its pieces is in several parts."))
    return design_of(box, owners, progress)


@dataclass(frozen=True, eq=False)
class _Shape:
    """A shape of the file: which voxels (x, y, z) are filled; `is_open` if some only may be."""

    title: str
    filled: Mask
    is_open: bool

    @cached_property
    def ends(self) -> Ints:
        """The lowest and the highest filled voxel along each axis (3, 2); there must be one."""
        across = [np.flatnonzero(self.filled.any(axis=tuple({0, 1, 2} - {axis}))) for axis in range(3)]
        return np.array([(some[0], some[-1]) for some in across])

    @cached_property
    def plate(self) -> Mask | None:
        """The filled voxels of a shape one voxel thick, without empty rows around them; None for a thicker shape."""
        if self.is_open or not self.filled.any():
            return None
        small = self.filled[tuple(slice(low, high + 1) for low, high in self.ends.tolist())]
        if 1 not in small.shape:
            return None
        return np.asarray(small.squeeze(axis=small.shape.index(1)))


@dataclass
class _Found:
    """Content of a file: its shapes, and the first problem's shapes with their numbers and its result."""

    shapes: list[_Shape] = field(default_factory=list)
    used: list[tuple[int, int]] = field(default_factory=list)
    result: int | None = None
    problems: int = 0


def _unpacked(data: bytes) -> bytes:
    """The text in a file, which may also lie there unpacked; never more than LARGEST_TEXT of it is unpacked."""
    text, is_whole = data, True
    if data.startswith(_GZIP):
        inflating = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        try:
            text = inflating.decompress(data, LARGEST_TEXT + 1)
        except zlib.error as problem:
            raise StudioError(tr("its compressed data is damaged.")) from problem
        is_whole = inflating.eof
    if len(text) > LARGEST_TEXT:
        raise StudioError(tr("it unpacks to more than {size} MB.", size=LARGEST_TEXT // 2**20))
    if not is_whole:
        raise StudioError(tr("its compressed data is truncated."))
    if not text.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        raise StudioError(tr("it is not a BurrTools file."))
    return text


def _parsed(text: bytes) -> _Found:
    """Parse a text; raise StudioError if it is no BurrTools file."""
    reading = _Reading()
    parser = expat.ParserCreate()

    def refuse(*_declared: object) -> None:
        raise StudioError(tr("it declares a document type or entities, which could read other files."))

    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.words
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, LookupError, ValueError) as problem:
        raise StudioError(tr("it is not valid XML ({problem}).", problem=problem)) from problem
    return reading.found


class _Reading:
    """Collects the elements of a file that make a cube, and skips the rest."""

    def __init__(self) -> None:
        self.found = _Found()
        self._path: list[str] = []
        self._attributes: dict[str, str] = {}
        self._words: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        found = self.found
        self._path.append(name)
        path = "/".join(self._path[:5])
        if len(self._path) == 1:
            if name != "puzzle":
                raise StudioError(tr("it is not a BurrTools file."))
            if attributes.get("version") not in VERSIONS:
                raise StudioError(tr("its version of the BurrTools format is not supported."))
        elif path == "puzzle/gridType":
            if attributes.get("type") != CUBES:
                raise StudioError(tr("its shapes are not made of cubes."))
        elif path == "puzzle/shapes/voxel":
            self._attributes, self._words = attributes, []
            if len(found.shapes) == MOST_SHAPES:
                raise StudioError(tr("it has more than {most} shapes.", most=MOST_SHAPES))
        elif path == "puzzle/problems/problem":
            found.problems += 1
        elif path == "puzzle/problems/problem/shapes/shape" and found.problems == 1:
            if "count" not in attributes and attributes.get("min") != attributes.get("max"):
                raise StudioError(tr("its problem gives a range of pieces instead of a number."))
            counted = "count" if "count" in attributes else "min"
            copies = _number(attributes, counted) if counted in attributes else 1
            found.used.append((_number(attributes, "id"), copies))
        elif path == "puzzle/problems/problem/result" and found.problems == 1:
            found.result = _number(attributes, "id")

    def words(self, text: str) -> None:
        """Text within an element."""
        if self._path == ["puzzle", "shapes", "voxel"]:
            self._words.append(text)

    def end(self, _name: str) -> None:
        """An element ends."""
        if self._path == ["puzzle", "shapes", "voxel"]:
            shapes = self.found.shapes
            shapes.append(_shape(self._attributes, "".join(self._words), len(shapes) + 1))
        self._path.pop()


def _number(attributes: dict[str, str], name: str) -> int:
    value = attributes.get(name, "")
    if not (value.isascii() and value.isdecimal() and len(value) < 9):
        raise StudioError(tr("one of its elements lacks the number {name}.", name=name))
    return int(value)


def _shape(attributes: dict[str, str], text: str, place: int) -> _Shape:
    size = tuple(_number(attributes, axis) for axis in "xyz")
    label = attributes.get("name", "")
    title = f"S{place}" if not label else tr("shape {name}", name=label[:LONGEST_NAME])
    if any(side > LARGEST_SHAPE for side in size) or not 0 < size[0] * size[1] * size[2] <= LARGEST_SHAPE:
        raise StudioError(tr("{shape} has no valid size.", shape=title))
    words = "".join(text.split())
    cells = _CELL.findall(words)
    if len(cells) != size[0] * size[1] * size[2] or _CELL.sub("", words):
        raise StudioError(tr("the voxels of {shape} do not match its size.", shape=title))
    letters = np.array(cells).reshape(size, order="F")
    return _Shape(title, letters == "#", bool((letters == "+").any()))


def _pieces(found: _Found) -> list[_Shape]:
    """The six plates: the shapes of the first problem, or all shapes of a file without a problem."""
    shapes = found.shapes
    every = [(number, 1) for number in range(len(shapes))]
    used = [(number, copies) for number, copies in (found.used if found.problems else every) if copies]
    if any(number >= len(shapes) for number, _ in used):
        raise StudioError(tr("its problem uses a shape that is missing."))
    count = sum(copies for _, copies in used)
    if count != len(FACES):
        raise StudioError(tr("it has {pieces}; a cube has six.", pieces=many(count, "piece")))
    for number, _ in used:
        if shapes[number].plate is None:
            raise StudioError(tr("{shape} is not a plate one voxel thick.", shape=shapes[number].title))
    named = {number for number, _ in used}
    spare = [one for number, one in enumerate(shapes) if number not in named and one.plate is not None]
    pieces = []
    for number, copies in used:
        # A piece that is used twice may be drawn twice, each at its place.
        twins = [one for one in spare if _signature(one) == _signature(shapes[number])]
        pieces += [shapes[number], *twins, *[shapes[number]] * copies][:copies]
    return pieces


def _signature(shape: _Shape) -> bytes:
    assert shape.plate is not None
    return signature(shape.plate)


def _as_drawn(pieces: Sequence[_Shape]) -> tuple[CubeShell, Owners] | None:
    """The box that the pieces form as drawn, and the owners of its voxels; None if they form no box."""
    if len({one.filled.shape for one in pieces}) > 1:
        return None
    ends = np.array([one.ends for one in pieces])
    low, high = ends[:, :, 0].min(axis=0), ends[:, :, 1].max(axis=0)
    size = (high - low + 1).tolist()
    if not all(SMALLEST <= side <= LARGEST for side in size):
        return None
    x, y, z = size
    box = shell(x, y, z)
    room = tuple(slice(one, other + 1) for one, other in zip(low.tolist(), high.tolist(), strict=True))
    filled = np.array([one.filled[room] for one in pieces])
    if not (filled.sum(axis=0) == _shell_of(box.size)).all():
        return None
    owners = np.full(len(box.names), NOBODY, np.int8)
    for face, layout in enumerate(box.layouts):
        core = filled[:, *box.spots(face, np.argwhere(layout == NOBODY)).T]
        mine = np.flatnonzero(core.all(axis=1))
        if len(mine) != 1:
            return None
        has = filled[mine[0]]
        beyond = has.copy()
        beyond[tuple(box.spots(face, np.argwhere(np.ones(layout.shape, bool))).T)] = False
        if beyond.any():
            return None
        owners[has[tuple(box.places.T)]] = face
    return box, owners


def _sizes(found: _Found, pieces: Sequence[_Shape]) -> list[tuple[int, int, int]]:
    """Possible sizes of the box: the size of the problem's result, or all sizes with as many voxels."""
    result = found.result if found.problems else None
    if result is not None and result < len(found.shapes):
        goal = found.shapes[result]
        is_shell = not goal.is_open and bool(goal.filled.any())
        if is_shell:
            block = goal.filled[tuple(slice(low, high + 1) for low, high in goal.ends.tolist())]
            is_shell = bool((block == _shell_of(block.shape)).all())
        if not is_shell:
            raise StudioError(tr("its result is not the shell of a box."))
        sizes = [block.shape]
    else:
        sides = range(SMALLEST, LARGEST + 1)
        sizes = list(combinations_with_replacement(sides, 3))
    count = sum(int(one.filled.sum()) for one in pieces)
    fitting = [(x, y, z) for x, y, z in sizes if x * y * z - (x - 2) * (y - 2) * (z - 2) == count]
    if result is not None and any(not SMALLEST <= side <= LARGEST for size in sizes for side in size):
        raise StudioError(
            tr("its box must be {least} to {most} voxels long on each side.", least=SMALLEST, most=LARGEST)
        )
    if not fitting:
        raise StudioError(tr("its pieces have {voxels} in all, which fill no box.", voxels=many(count, "voxel")))
    return fitting
