"""The tags of a DXF file, cleaned before ezdxf loads it: any line ends, no damaged entities, within bounds.

tag: a pair of lines, a number (the group code) and a value. entity: a line, arc or the like, the tags from one code 0
to the next; a polyline's vertices and a block reference's attributes follow it as entities, up to a SEQEND.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints

MOST_TAGS, MOST_ENTITIES = 500_000, 25_000
"""Bounds of a file: ezdxf takes 5 µs for a tag and 30 µs more for an entity."""
NUMBERS_A_STEP = 2**14
SECTIONS = (b"BLOCKS", b"ENTITIES")
"""Sections whose damaged entities are left out."""
NEEDED: dict[bytes, tuple[int, ...]] = {
    b"LINE": (10, 11),
    b"CIRCLE": (10, 40),
    b"ARC": (10, 40, 50, 51),
    b"ELLIPSE": (10, 11),
    b"INSERT": (2, 10),
    b"LWPOLYLINE": (10,),
    b"VERTEX": (10,),
}
"""The codes without which an entity is damaged."""
INVALID = tr("it is not a valid DXF file, or it is truncated.")
MARKED = {b"LWPOLYLINE": b"AcDbPolyline", b"SPLINE": b"AcDbSpline"}
"""Entities that ezdxf loads only with the marker (code 100) of their class, which plain writers leave out."""
_MODERN = b"AC1015"
"""The oldest version (R2000) in which ezdxf looks for markers."""
_COMMON = (5, 6, 8, 48, 60, 62, 67)
"""Codes that any entity may have, ahead of its class's codes."""
_VERSION = b"$ACADVER"
_BOM = b"\xef\xbb\xbf"
_COMMENT = 999
_POINTS = (10, 11, 12, 13)
_NUMBERS = ((10, 99), (140, 179), (210, 239), (270, 289), (370, 389), (400, 409), (420, 429), (440, 469))
"""Ranges of codes whose values are numbers."""


@dataclass
class Cleaned:
    """A DXF text that ezdxf can load, the number of damaged entities of each sort, and whether the file ended early.

    `units` is the number of its unit in $INSUNITS, 0 for none.
    """

    text: bytes
    units: int = 0
    damaged: Counter[str] = field(default_factory=Counter)
    is_cut_off: bool = False


def cleaned(data: bytes) -> Cleaned:
    """Clean an ASCII DXF file of damaged entities; raises StudioError, to follow the file's name, for other files."""
    data = data.removeprefix(_BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    count = data.count(b"\n") // 2
    if count > MOST_TAGS:
        raise StudioError(
            tr("it has {count:,} values (maximum {most:,}). Save only what is to be read.", count=count, most=MOST_TAGS)
        )
    lines = data.lstrip(b"\n").split(b"\n")
    values = [line.strip() for line in lines[1::2]]
    codes = _codes(lines[: 2 * len(values) : 2], values)
    starts = np.flatnonzero(codes == 0)
    if not len(starts):
        raise StudioError(INVALID)
    is_cut_off = not (codes[-1] == 0 and values[-1] == b"EOF")
    if len(starts) > MOST_ENTITIES:
        words = tr(
            "it has {count:,} elements (maximum {most:,}). Save only what is to be read.",
            count=len(starts),
            most=MOST_ENTITIES,
        )
        raise StudioError(words)
    kept = _Entities(codes, values, starts, _is_wrong(codes, values))
    chosen = np.flatnonzero(kept.keeps()).tolist()
    head = _modernised(values) if kept.is_modern else b""
    units = _variable(values, b"$INSUNITS")
    parts = (b"%b%d\n%b\n" % (kept.markers.get(at, b""), codes[at], values[at]) for at in chosen)
    whole = b"".join((head, *parts, b"0\nEOF\n" if is_cut_off else b""))
    return Cleaned(whole, int(units) if units.isdigit() else 0, kept.damaged, is_cut_off)


def _variable(values: list[bytes], name: bytes) -> bytes:
    """Return the value of a variable in the header; empty if it is missing."""
    return values[values.index(name) + 1] if name in values[:-1] else b""


def _modernised(values: list[bytes]) -> bytes:
    """Make a file state a version that knows splines; return a header to put first if it states none."""
    if not _variable(values, _VERSION):
        return b"0\nSECTION\n2\nHEADER\n9\n%b\n1\n%b\n0\nENDSEC\n" % (_VERSION, _MODERN)
    at = values.index(_VERSION) + 1
    values[at] = max(values[at], _MODERN)
    return b""


def _codes(lines: list[bytes], values: list[bytes]) -> Ints:
    """Return the codes up to the end of the file; raises StudioError, with the line, for a code that is no number."""
    codes = np.zeros(len(lines), np.int64)
    for at, line in enumerate(lines):
        try:
            codes[at] = int(line)
        except ValueError as problem:
            if at == 0:
                raise StudioError(INVALID) from problem
            raise StudioError(tr("it is not a valid DXF file: line {line} is damaged.", line=2 * at + 1)) from problem
        if values[at] == b"EOF" and codes[at] == 0:
            del values[at + 1 :]
            return codes[: at + 1]
    return codes


def _is_wrong(codes: Ints, values: list[bytes]) -> NDArray[np.bool_]:
    """True for each tag whose value should be a finite number but is not."""
    wrong = np.zeros(len(codes), bool)
    is_number = np.zeros(len(codes), bool)
    for low, high in _NUMBERS:
        is_number |= (low <= codes) & (codes <= high)
    places = np.flatnonzero(is_number)
    # In parts, since numpy keeps other threads waiting meanwhile.
    for part in np.split(places, range(NUMBERS_A_STEP, len(places), NUMBERS_A_STEP)):
        numbers = [values[at] for at in part.tolist()]
        try:
            wrong[part] = ~np.isfinite(np.array(numbers, dtype=object).astype(np.float64))
        except ValueError:
            wrong[part] = [not _is_finite(number) for number in numbers]
    return wrong


def _is_finite(number: bytes) -> bool:
    try:
        return bool(np.isfinite(float(number)))
    except ValueError:
        return False


@dataclass
class _Entities:
    """Walks through the entities of a file, each from one of `starts` to the next."""

    codes: Ints
    values: list[bytes]
    starts: Ints
    wrong: NDArray[np.bool_]
    damaged: Counter[str] = field(default_factory=Counter)
    markers: dict[int, bytes] = field(default_factory=dict)
    """Tags to insert before others."""
    is_modern: bool = False

    def keeps(self) -> NDArray[np.bool_]:
        """True for each tag to load: damaged entities, comments and data of other programs are left out."""
        kept = (self.codes < _COMMENT) & (self.codes >= 0)
        ends = [*self.starts.tolist()[1:], len(self.codes)]
        section, group = b"", -1
        for begin, end in zip(self.starts.tolist(), ends, strict=True):
            kind = self.values[begin].upper()
            if kind == b"SECTION":
                section = self.values[begin + 1].upper() if end > begin + 1 else b""
            if section not in SECTIONS or kind in (b"SECTION", b"ENDSEC", b"EOF", b"BLOCK", b"ENDBLK"):
                group = -1
                continue
            # A polyline or block reference is damaged with any of the entities that belong to it.
            if kind not in (b"VERTEX", b"ATTRIB", b"SEQEND") or group < 0:
                group = begin
            if self._is_damaged(kind, begin, end):
                if kept[group]:
                    self.damaged[self.values[group].decode("ascii", "replace").upper()] += 1
                kept[group:end] = False
            elif not kept[group]:
                kept[begin:end] = False
            elif kind in MARKED:
                self.is_modern = True
                codes = self.codes[begin:end]
                own = np.flatnonzero(~np.isin(codes[1:], _COMMON))
                if len(own) and not (codes == 100).any():
                    self.markers[begin + 1] = b"100\nAcDbEntity\n"
                    at = begin + 1 + int(own[0])
                    self.markers[at] = self.markers.get(at, b"") + b"100\n%b\n" % MARKED[kind]
        return kept

    def _is_damaged(self, kind: bytes, begin: int, end: int) -> bool:
        if self.wrong[begin:end].any():
            return True
        codes = self.codes[begin:end]
        counts = np.bincount(codes[(codes >= 0) & (codes < 100)], minlength=100)
        if any(counts[code] != counts[code + 10] for code in _POINTS):
            return kind in NEEDED or kind in (b"SPLINE", b"POLYLINE")
        if not all(counts[code] for code in NEEDED.get(kind, ())):
            return True
        if kind == b"LWPOLYLINE" and counts[90]:
            return bool(self._number(codes, begin, 90) != counts[10])
        if kind == b"SPLINE" and counts[10]:
            degree = self._number(codes, begin, 71) if counts[71] else 3
            return bool(counts[40] != counts[10] + degree + 1 or not 0 < degree < counts[10])
        return False

    def _number(self, codes: Ints, begin: int, code: int) -> int:
        return int(float(self.values[begin + int((codes == code).argmax())]))
