"""Pictures of a zigzaw's pieces and border, one file each: packed together, and read as a zigzaw. A piece's number is
in its file's name.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np

from studio.base.amounts import listed, many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import MOST_BYTES, Pixels, channels, pixels_in, png_of
from studio.geometry.curves.strokes import Floats
from studio.puzzles.abilities.ability import Source
from studio.puzzles.zigzaw.colours import GAP, GROUND
from studio.puzzles.zigzaw.generate import assembled
from studio.puzzles.zigzaw.kind import PictureOptions
from studio.puzzles.zigzaw.model import LETTERS, MOST, UNPAINTED, ZigzawDesign, layout, matching, numbers
from studio.puzzles.zigzaw.piece_forms import DIVISION, FACES, HALF, STEPS, Body, extent
from studio.puzzles.zigzaw.reading import Readings, read_pictures
from studio.solving.edges import UNKNOWN

MOST_UNPACKED = 512 * 2**20
"""Bytes of all pictures of a ZIP file."""
MOST_PIXELS = 2_000
"""Most pixels along a side of a picture; larger photographs are scaled down, as their stickers have pixels enough."""
MOST_TOLD = 4
"""Most doubts reported one by one."""
_BORDER = re.compile("border|frame", re.IGNORECASE)
Rhombus = tuple[Floats, str]
"""A sticker: its corners (4, 2) in lattice units, and the colour in its middle."""
_FINER = 3
"""Samples along each side of a pixel."""
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""A date that says nothing, so that the same design gives the same bytes."""


def read(sources: Sequence[Source], progress: Progress) -> ZigzawDesign:
    """Read the design in pictures; raise StudioError, worded to follow a file's name, if a colour is doubtful."""
    found = readings(sources, progress.part(0.0, 0.7))
    doubts = list(found.doubts())
    if doubts:
        shown = "; ".join(doubts[:MOST_TOLD])
        if len(doubts) > MOST_TOLD:
            shown = tr("{doubts} and {count} more", doubts=shown, count=len(doubts) - MOST_TOLD)
        words = tr(
            "{colours}: {doubts}. Correct them in the Import view of a zigzaw's window.",
            colours=many(len(doubts), "uncertain colour"),
            doubts=shown,
        )
        raise StudioError(words)
    return assembled(found.loose(), progress.part(0.7, 1.0))


def readings(sources: Sequence[Source], progress: Progress) -> Readings:
    """Read the pieces and the border in pictures; raise StudioError, naming the file, for an unreadable one."""
    pieces: dict[int, tuple[str, Source]] = {}
    borders: list[Source] = []
    for source in _unpacked(sources):
        digits = re.findall(r"\d+", source.name)
        if _BORDER.search(source.name):
            borders.append(source)
        elif not digits:
            raise StudioError(
                tr("{name} has no piece number in its name; the border must be named border.png.", name=source.name)
            )
        elif int(digits[-1][:9]) in pieces:
            other = pieces[int(digits[-1][:9])][1].name
            raise StudioError(tr("{other} and {name} have the same number.", other=other, name=source.name))
        else:
            pieces[int(digits[-1][:9])] = tr("piece {number}", number=int(digits[-1][:9])), source
    if len(borders) != 1:
        if not borders:
            raise StudioError(tr("the picture of the border is missing; name it border.png."))
        names = listed(source.name for source in borders)
        raise StudioError(tr("only one picture of the border is allowed; found {names}.", names=names))
    if not 9 <= len(pieces) <= MOST * MOST:
        words = tr(
            "there are {pictures} of pieces; a board has 9 to {most}.",
            pictures=many(len(pieces), "picture"),
            most=MOST * MOST,
        )
        raise StudioError(words)
    images = ((name, _pixels(source)) for _number, (name, source) in sorted(pieces.items()))
    return read_pictures(images, _pixels(borders[0]), progress)


def _pixels(source: Source) -> Pixels:
    try:
        return pixels_in(source.data, MOST_PIXELS)
    except StudioError as problem:
        raise StudioError(f"{source.name}: {problem}") from problem


def _unpacked(sources: Sequence[Source]) -> Iterator[Source]:
    """The files, with ZIP files unpacked."""
    for source in sources:
        if source.suffix != ".zip":
            yield source
            continue
        try:
            with ZipFile(io.BytesIO(source.data)) as archive:
                members = [one for one in archive.infolist() if not one.filename.endswith("/")]
                members = [one for one in members if not one.filename.rpartition("/")[2].startswith(".")]
                if sum(one.file_size for one in members) > MOST_UNPACKED:
                    raise StudioError(tr("its pictures exceed {most} MB.", most=MOST_UNPACKED // 2**20))
                for one in members:
                    with archive.open(one) as file:
                        yield Source(one.filename.rpartition("/")[2], file.read(MOST_BYTES + 1))
        except (BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError, RuntimeError) as problem:
            raise StudioError(tr("it is not a ZIP file, or it is incomplete.")) from problem


def write(design: ZigzawDesign, options: PictureOptions, progress: Progress) -> bytes:
    """A ZIP file with a PNG of every piece, `piece 1.png` and so on, and of the border."""
    packed = io.BytesIO()
    palette = [paint.colour for paint in design.palette]
    order = sorted(zip(numbers(design).tolist(), matching(design).pieces, strict=True))
    with ZipFile(packed, "w", ZIP_STORED) as archive:
        for done, (number, piece) in enumerate(order):
            progress.step(done / len(order), tr("Painting the pieces"))
            picture = piece_picture(design.body, [palette[paint] for paint in piece], options.edge)
            archive.writestr(ZipInfo(tr("piece {number}.png", number=number), _EARLIEST), png_of(picture))
        archive.writestr(ZipInfo("border.png", _EARLIEST), png_of(border_picture(design, options.edge)))
    return packed.getvalue()


def piece_picture(body: Body, colours: Sequence[str], edge: float) -> Pixels:
    """A piece with a colour on each of its limbs; `edge` is the edge of a sticker in pixels."""
    rhombi = [
        (np.array(sticker.corners, float) + STEPS[limb.step], colour)
        for limb, colour in zip(body.limbs, colours, strict=True)
        for sticker in limb.stickers
    ]
    outline = np.array(body.outline, float)
    return _painted(rhombi, outline.min(axis=0), outline.max(axis=0), edge)


def border_picture(design: ZigzawDesign, edge: float) -> Pixels:
    """The border: the stickers that belong to no piece, around an empty board."""
    palette = [paint.colour for paint in design.palette]
    low, high = extent(design.parameters.columns, design.parameters.rows)
    rhombi = []
    for cube, owners in layout(design.parameters).stickers.items():
        for sticker, owner in owners.items():
            letter = design.triples[cube][FACES.index(sticker.face)]
            if owner == UNKNOWN:
                colour = GROUND if letter == UNPAINTED else palette[LETTERS.index(letter)]
                rhombi.append((np.array(sticker.corners, float) + cube.origin, colour))
    return _painted(rhombi, low, high, edge)


def _painted(rhombi: Iterable[Rhombus], low: Floats, high: Floats, edge: float) -> Pixels:
    """Stickers on their ground, between two lattice points."""
    scale = edge * np.array([DIVISION, HALF])
    width, height = np.ceil((high - low) * scale).astype(int)
    fine = np.zeros((height * _FINER, width * _FINER, 4), np.uint8)
    for corners, colour in rhombi:
        whole = (corners - low) * scale * _FINER
        middle = whole.mean(axis=0)
        for ring, fill in ((whole, GROUND), (middle + (1 - 2 * GAP) * (whole - middle), colour)):
            left, top = np.maximum(np.floor(ring.min(axis=0)), 0).astype(int)
            right, bottom = np.minimum(np.ceil(ring.max(axis=0)), fine.shape[1::-1]).astype(int)
            # The pixels whose middles are in the ring, which is turned either way.
            x, y = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5)
            sides = np.array([
                (bx - ax) * (y - ay) - (by - ay) * (x - ax)
                for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0), strict=True)
            ])  # fmt: skip
            is_inside = np.all(sides >= -1e-9, axis=0) | np.all(sides <= 1e-9, axis=0)
            fine[top:bottom, left:right][is_inside] = (*channels(fill), 255)
    parts = fine.reshape(height, _FINER, width, _FINER, 4).astype(float)
    opacity = parts[..., 3].mean(axis=(1, 3))
    share = np.maximum(opacity, 1e-9)[..., None] / 255
    mixed = (parts[..., :3] * parts[..., 3:] / 255).mean(axis=(1, 3)) / share
    return np.asarray(np.rint(np.dstack([mixed, opacity])), np.uint8)
