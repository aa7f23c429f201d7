"""A zigzaw from files with pictures: one of each piece, with its number in the name, and one of the border."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator, Sequence
from zipfile import BadZipFile, ZipFile

from studio.base.amounts import listed, many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import MOST_BYTES, Pixels, pixels_in
from studio.puzzles.abilities.exchangeable import Source
from studio.puzzles.zigzaw.generate import assembled
from studio.puzzles.zigzaw.model import MOST, ZigzawDesign
from studio.puzzles.zigzaw.reading import Readings, read_pictures

MOST_UNPACKED = 512 * 2**20
"""Bytes of all pictures of a ZIP file."""
MOST_PIXELS = 2_000
"""Most pixels along a side of a picture; larger photographs are scaled down, as their stickers have pixels enough."""
MOST_TOLD = 4
"""Most doubts reported one by one."""
_BORDER = re.compile("border|frame", re.IGNORECASE)


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
