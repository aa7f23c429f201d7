"""PDF files put together by pydyf, with the letters of their fonts and their pictures; leaflets as such files.

The same leaflet gives the same bytes; its words can be selected and searched.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, assert_never

from studio import PROGRAM
from studio.exporting.options import LeafletOptions
from studio.exporting.writers.path_segments import number, pairs
from studio.geometry.art.artwork import JPEG, Picture, channels
from studio.geometry.curves.strokes import Floats
from studio.paper.fonts import EM, MISSING, Font, Run, Setting, spelled, typeset
from studio.paper.leaflet import SHIFTS, Area, Leaflet, Line, Mark, Page, Words

POINTS = 72 / 25.4
"""Points in a millimetre."""
Pictures = Mapping[bytes, tuple[str, bytes]]


def new_file(title: str = "") -> Any:
    """Return a PDF file without pages."""
    import pydyf

    file = pydyf.PDF()
    file.info["Producer"] = pydyf.String(PROGRAM)
    if title:
        file.info["Title"] = pydyf.String(title)
    return file


def file_bytes(file: Any) -> bytes:
    """Return the file as PDF 1.7."""
    stream = io.BytesIO()
    file.write(stream, version=b"1.7", identifier=False, compress=False)
    return stream.getvalue()


def add_page(file: Any, width: float, height: float, content: Any, resources: Any) -> None:
    """Add a page of a size in mm that shows a content."""
    import pydyf

    page = {
        "Type": "/Page",
        "Parent": file.pages.reference,
        "MediaBox": pydyf.Array([0, 0, decimal(width * POINTS), decimal(height * POINTS)]),
        "Contents": content.reference,
        "Resources": resources,
    }
    file.add_page(pydyf.Dictionary(page))


def in_millimetres(height: float) -> str:
    """Return the matrix from millimetres, y downwards, to points on a page of a height."""
    return f"{POINTS:.10f} 0 0 {-POINTS:.10f} 0 {decimal(height * POINTS)} cm"


def decimal(value: float) -> str:
    """Format a number with up to eight decimals."""
    return f"{value:.8f}".rstrip("0").rstrip(".")


def shares(colour: str) -> str:
    """Format a colour: red, green and blue from 0 to 1."""
    return " ".join(f"{channel / 255:.4g}" for channel in channels(colour))


# Embedded in a PDF file: the letters used of its fonts, and pictures

# Upright letters, in a font with a character set of its own.
_SYMBOLIC = 4
_UPRIGHT_STEM = 80


@dataclass(frozen=True)
class Embedded:
    """A font in a file: its reference, and the code of each letter."""

    reference: bytes
    codes: Mapping[str, int]

    def coded(self, letters: str) -> str:
        """Return letters as a string of hexadecimal digits."""
        return "".join(f"{self.codes[letter]:04X}" for letter in letters)


def embedded_font(file: Any, font: Font, letters: Iterable[str]) -> Embedded:
    """Put the glyphs of some letters into a file; each letter has a code of its own, so that text can be searched."""
    import pydyf

    codes = {letter: code for code, letter in enumerate(sorted(letters), 1)}
    glyphs = [MISSING, *(font.glyphs.get(ord(letter), MISSING) for letter in codes)]
    program, order = font.subset(glyphs)
    numbers = [order.index(glyph) for glyph in glyphs]
    digest = sha256(f"{font.name}{''.join(codes)}".encode()).digest()
    tag = "".join(chr(ord("A") + byte % 26) for byte in digest[:6])
    name = f"/{tag}+{font.name}"
    stored = _stored(file, {"Length1": len(program)}, program)
    descriptor = _added(file, {
        "Type": "/FontDescriptor", "FontName": name, "Flags": _SYMBOLIC, "ItalicAngle": 0, "StemV": _UPRIGHT_STEM,
        "FontBBox": pydyf.Array(map(decimal, font.box)), "Ascent": decimal(font.ascent),
        "Descent": decimal(font.descent), "CapHeight": decimal(font.ascent), "FontFile2": stored,
    })  # fmt: skip
    widths = pydyf.Array(decimal(round(font.advances[glyph], 4)) for glyph in glyphs)
    descendant = _added(file, {
        "Type": "/Font", "Subtype": "/CIDFontType2", "BaseFont": name, "FontDescriptor": descriptor,
        "CIDSystemInfo": pydyf.Dictionary({
            "Registry": pydyf.String("Adobe"), "Ordering": pydyf.String("Identity"), "Supplement": 0,
        }),
        "DW": 0, "W": pydyf.Array([0, widths]),
        "CIDToGIDMap": _stored(file, {}, struct.pack(f">{len(numbers)}H", *numbers)),
    })  # fmt: skip
    whole = _added(file, {
        "Type": "/Font", "Subtype": "/Type0", "BaseFont": name, "Encoding": "/Identity-H",
        "DescendantFonts": pydyf.Array([descendant]), "ToUnicode": _stored(file, {}, _to_unicode(codes)),
    })  # fmt: skip
    return Embedded(whole, codes)


def embedded_picture(file: Any, picture: Picture) -> bytes:
    """Put a picture into a file, in its own packing if PDF knows that; return its reference."""
    columns, rows = picture.size
    base = {"Type": "/XObject", "Subtype": "/Image", "Width": columns, "Height": rows}
    colours = "/DeviceGray" if picture.is_grey else "/DeviceRGB"
    if picture.media == JPEG:
        return _raw(file, base | {"ColorSpace": colours, "BitsPerComponent": 8, "Filter": "/DCTDecode"}, picture.data)
    lines = picture.packed_lines
    if lines is not None:
        return _raw(file, base | _as_packed(picture, colours), lines)
    # Its colours and, if it is partly transparent, a mask.
    base |= {"BitsPerComponent": 8}
    shades, mask = picture.pixels()
    parts: dict[str, object] = {"ColorSpace": "/DeviceRGB"}
    if mask:
        parts["SMask"] = _stored(file, base | {"ColorSpace": "/DeviceGray"}, mask)
    return _stored(file, base | parts, shades)


def _as_packed(picture: Picture, colours: str) -> dict[str, object]:
    """Describe the packed lines of a plain PNG in PDF's terms."""
    import pydyf

    columns, depth = picture.size[0], picture.data[24]
    parameters = {
        "Predictor": 15, "Colors": 1 if picture.is_grey else 3, "BitsPerComponent": depth, "Columns": columns
    }  # fmt: skip
    return {
        "ColorSpace": colours, "BitsPerComponent": depth, "Filter": "/FlateDecode",
        "DecodeParms": pydyf.Dictionary(parameters),
    }  # fmt: skip


def _to_unicode(codes: Mapping[str, int]) -> bytes:
    """Return the table that maps codes to letters for readers."""
    pairs = [f"<{code:04X}> <{letter.encode('utf-16-be').hex().upper()}>" for letter, code in codes.items()]
    blocks = [pairs[at : at + 100] for at in range(0, len(pairs), 100)]
    return "\n".join([
        "/CIDInit /ProcSet findresource begin", "12 dict begin", "begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        "/CMapName /Adobe-Identity-UCS def", "/CMapType 2 def",
        "1 begincodespacerange", "<0000> <FFFF>", "endcodespacerange",
        *("\n".join([f"{len(block)} beginbfchar", *block, "endbfchar"]) for block in blocks),
        "endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end",
    ]).encode()  # fmt: skip


def _added(file: Any, values: Mapping[str, object]) -> bytes:
    import pydyf

    made = pydyf.Dictionary(values)
    file.add_object(made)
    reference: bytes = made.reference
    return reference


def _stored(file: Any, values: Mapping[str, object], data: bytes) -> bytes:
    """Return a stream, packed."""
    return _raw(file, {**values, "Filter": "/FlateDecode"}, zlib.compress(data))


def _raw(file: Any, values: Mapping[str, object], data: bytes) -> bytes:
    """Return a stream of unchanged bytes."""
    import pydyf

    made = pydyf.Stream([data], dict(values))
    file.add_object(made)
    reference: bytes = made.reference
    return reference


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
    marks = [mark for page in leaflet.pages for group in page.groups for mark in group.marks]
    settings = {mark: typeset(mark.text, bold=mark.bold) for mark in marks if isinstance(mark, Words)}
    used: dict[Font, set[str]] = {}
    for run in (run for setting in settings.values() for run in setting.runs):
        used.setdefault(run.font, set()).update(run.letters)
    fonts = {
        font: (f"F{place}", embedded_font(file, font, letters)) for place, (font, letters) in enumerate(used.items(), 1)
    }
    stock = _Stock(settings, fonts, embedded_pictures(file, marks))
    resources = stock.resources()
    for page in leaflet.pages:
        content = pydyf.Stream(["q", in_millimetres(page.height), *_contents(page, stock), "Q"])
        file.add_object(content)
        add_page(file, page.width, page.height, content, resources)
    return file_bytes(file)


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
            # Write the words, run by run, their letters between the shifts of kerning.
            setting = stock.settings[mark]
            shift = SHIFTS[mark.anchor] * setting.width * mark.size / EM
            a, b, c, d = mark.turn
            x, y = mark.place[0] - shift * a, mark.place[1] - shift * b
            # Letters point upwards, and here y grows downwards.
            yield f"BT {shares(mark.colour)} rg {' '.join(map(number, (a, b, -c, -d, x, y)))} Tm"
            for run in setting.runs:
                name, embedded = stock.fonts[run.font]
                yield f"/{name} {number(mark.size)} Tf [{_kerned(run, embedded)}] TJ"
            yield "ET"
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
