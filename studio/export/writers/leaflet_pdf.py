"""Writes a leaflet as PDF, all its pages in one file, with the letters used of its fonts.

The same leaflet gives the same bytes; its words can be selected and searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, assert_never

from studio.export.options import LeafletOptions
from studio.export.writers.path_segments import number, pairs
from studio.export.writers.pdf_file import (
    Embedded,
    add_page,
    embedded_font,
    embedded_picture,
    file_bytes,
    in_millimetres,
    new_file,
    shares,
)
from studio.geometry.art.artwork import Picture
from studio.geometry.curves.strokes import Floats
from studio.paper.fonts import EM, Font, Run, Setting, spelled, typeset
from studio.paper.leaflet import SHIFTS, Area, Leaflet, Line, Mark, Page, Words

Pictures = Mapping[bytes, tuple[str, bytes]]


@dataclass(frozen=True)
class _Stock:
    """Resources shared by the pages of a file: its fonts and pictures, each with its name in contents."""

    settings: Mapping[Words, Setting]
    fonts: Mapping[Font, tuple[str, Embedded]]
    pictures: Pictures

    def resources(self) -> Any:
        """Return the names, as pages declare them."""
        import pydyf

        fonts = {name: embedded.reference for name, embedded in self.fonts.values()}
        return pydyf.Dictionary(
            {"Font": pydyf.Dictionary(fonts), "XObject": pydyf.Dictionary(dict(self.pictures.values()))}
        )


def leaflet_pdf(leaflet: Leaflet, _options: LeafletOptions) -> bytes:
    """Write the leaflet as PDF 1.7."""
    import pydyf

    file = new_file(spelled(leaflet.title))
    stock = _stock(file, leaflet)
    resources = stock.resources()
    for page in leaflet.pages:
        content = pydyf.Stream(["q", in_millimetres(page.height), *_contents(page, stock), "Q"])
        file.add_object(content)
        add_page(file, page.width, page.height, content, resources)
    return file_bytes(file)


def _stock(file: Any, leaflet: Leaflet) -> _Stock:
    """Put the fonts and pictures of a leaflet's marks into a file."""
    marks = [mark for page in leaflet.pages for group in page.groups for mark in group.marks]
    settings = {mark: typeset(mark.text, bold=mark.bold) for mark in marks if isinstance(mark, Words)}
    used: dict[Font, set[str]] = {}
    for run in (run for setting in settings.values() for run in setting.runs):
        used.setdefault(run.font, set()).update(run.letters)
    fonts = {
        font: (f"F{place}", embedded_font(file, font, letters)) for place, (font, letters) in enumerate(used.items(), 1)
    }
    return _Stock(settings, fonts, embedded_pictures(file, marks))


def _contents(page: Page, stock: _Stock) -> Iterator[str]:
    yield "1 J 1 j"
    for group in page.groups:
        yield f"/{group.name} BMC"
        for mark in group.marks:
            yield from _drawn(mark, stock)
        yield "EMC"


def _drawn(mark: Mark, stock: _Stock) -> Iterator[str]:
    match mark:
        case Area() | Picture():
            yield from drawn_artwork(mark, stock.pictures)
        case Line():
            yield f"{shares(mark.colour)} RG {number(mark.width)} w [{' '.join(map(number, mark.dashes))}] 0 d"
            yield _path(mark.points, curved=mark.curved) + (" h S" if mark.closed else " S")
            if mark.dashes:
                yield "[] 0 d"
        case Words():
            yield from _set(mark, stock)
        case _:
            assert_never(mark)


def drawn_artwork(mark: Area | Picture, pictures: Pictures) -> Iterator[str]:
    """Return the operators that paint an area or a picture; `pictures` has the names of pictures in the file."""
    if isinstance(mark, Area):
        yield f"{shares(mark.fill)} rg"
        if mark.line:
            yield f"{shares(mark.line)} RG {number(mark.width)} w"
        yield " ".join(f"{_path(ring)} h" for ring in mark.rings) + (" B*" if mark.line else " f*")
    else:
        upper_left, _, lower_right, lower_left = mark.corners
        matrix = " ".join(map(number, [*(lower_right - lower_left), *(upper_left - lower_left), *lower_left]))
        clip = "" if mark.clip is None else f"{' '.join(f'{_path(ring)} h' for ring in mark.clip.rings)} W* n "
        yield f"q {clip}{matrix} cm /{pictures[mark.data][0]} Do Q"


def embedded_pictures(file: Any, marks: Iterable[Mark]) -> Pictures:
    """Put the pictures among some marks into a file, each once; return name and reference of each by its bytes."""
    pictures: dict[bytes, tuple[str, bytes]] = {}
    for mark in marks:
        if isinstance(mark, Picture) and mark.data not in pictures:
            pictures[mark.data] = (f"P{len(pictures) + 1}", embedded_picture(file, mark))
    return pictures


def _set(words: Words, stock: _Stock) -> Iterator[str]:
    """Write the words, run by run, their letters between the shifts of kerning."""
    setting = stock.settings[words]
    shift = SHIFTS[words.anchor] * setting.width * words.size / EM
    a, b, c, d = words.turn
    x, y = words.place[0] - shift * a, words.place[1] - shift * b
    # Letters point upwards, and here y grows downwards.
    yield f"BT {shares(words.colour)} rg {' '.join(map(number, (a, b, -c, -d, x, y)))} Tm"
    for run in setting.runs:
        name, embedded = stock.fonts[run.font]
        yield f"/{name} {number(words.size)} Tf [{_kerned(run, embedded)}] TJ"
    yield "ET"


def _kerned(run: Run, embedded: Embedded) -> str:
    parts = [f"<{embedded.coded(run.letters[:1])}"]
    for letter, before, (here, there) in zip(run.letters[1:], run.glyphs, pairwise(run.places), strict=False):
        moved = number(run.font.advances[before] - (there - here))
        parts.append(embedded.coded(letter) if moved == "0" else f"> {moved} <{embedded.coded(letter)}")
    return f"{''.join(parts)}>"


def _path(points: Floats, *, curved: bool = False) -> str:
    first, *rest = (pair.replace(",", " ") for pair in pairs(points))
    if curved:
        return " ".join([f"{first} m", *(f"{' '.join(rest[at : at + 3])} c" for at in range(0, len(rest), 3))])
    return " ".join([f"{first} m", *(f"{pair} l" for pair in rest)])
