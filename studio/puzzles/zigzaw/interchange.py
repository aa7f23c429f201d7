"""A zigzaw as JSON: its pieces in the order of their numbers, its border, and on request the places of pieces.

The form is described by resources/schemas/zigzaw.json. Another one is read, too: pieces numbered by `id` from 0, `cols`
for columns, and as `border` the cells around the pieces, each with the colours of a piece's limbs, null if unseen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from studio.base.amounts import listed
from studio.base.encode import members, shown
from studio.base.errors import StudioError
from studio.base.json_files import Repeated, parsed
from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr
from studio.puzzles.abilities.ability import Source
from studio.puzzles.zigzaw.generate import FACE_NAMES, Loose, assembled, side_words
from studio.puzzles.zigzaw.kind import JsonOptions
from studio.puzzles.zigzaw.model import (
    LETTERS,
    MOST,
    PALETTES,
    Paint,
    ZigzawDesign,
    ZigzawParameters,
    cube_name,
    layout,
    matching,
    numbers,
    palette,
    side_of,
)
from studio.puzzles.zigzaw.piece_forms import BODIES, FACES, Cube, Limb, body, grid
from studio.solving.edges import UNKNOWN

FORMAT = "zigzaw"
VERSION = 1
LARGEST = 4 * 2**20
"""Bytes of the largest file that is read; the largest board takes a tenth."""
_FIELDS = {
    "format": True, "version": True, "body": False, "columns": True, "rows": True, "colours": True, "pieces": True,
    "border": True, "solution": False,
}  # fmt: skip


def write(design: ZigzawDesign, options: JsonOptions, progress: Progress) -> bytes:
    """A design as JSON."""
    progress.step(0.0)
    p, limbs, puzzle = design.parameters, design.body.limbs, matching(design)
    paints = design.palette[: p.paint_count]
    order = numbers(design).tolist()
    pieces = [
        {"number": number} | {limb.name: paints[paint].name for limb, paint in zip(limbs, piece, strict=True)}
        for number, piece in sorted(zip(order, puzzle.pieces, strict=True))
    ]
    border: dict[str, dict[str, str]] = {}
    cubes = list(grid(p.columns + 2, p.rows + 2))
    for side in layout(p).border:
        paint = puzzle.given[side]
        if paint != UNKNOWN:
            name = cube_name(p, cubes[side // 3])
            border.setdefault(name, {"cube": name})[FACE_NAMES[FACES[side % 3]]] = paints[paint].name
    value: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "body": p.body,
        "columns": p.columns,
        "rows": p.rows,
        "colours": [{"name": paint.name, "colour": paint.colour} for paint in paints],
        "pieces": pieces,
        "border": list(border.values()),
    }
    if options.solution:
        value["solution"] = [order[row * p.columns : (row + 1) * p.columns] for row in range(p.rows)]
    # A field a line, and in lists an element a line.
    fields = []
    for name, field in value.items():
        text = json.dumps(field, ensure_ascii=False)
        if isinstance(field, list):
            text = "[\n" + ",\n".join(f"    {json.dumps(one, ensure_ascii=False)}" for one in field) + "\n  ]"
        fields.append(f"  {json.dumps(name)}: {text}")
    return ("{\n" + ",\n".join(fields) + "\n}\n").encode()


def read(sources: Sequence[Source], progress: Progress) -> ZigzawDesign:
    """Read the design in a JSON file; raise StudioError, worded to follow the file's name, for an invalid one."""
    if len(sources) != 1:
        raise StudioError(tr("import one JSON file at a time."))
    data = sources[0].data
    if len(data) > LARGEST:
        raise StudioError(tr("it is larger than {most} MB.", most=LARGEST // 2**20))
    return assembled(loose(parsed(data)), progress)


def loose(value: Any) -> Loose:
    """Read the pieces in a JSON value of either form; raise StudioError, naming piece and limb, for an error."""
    if not isinstance(value, dict) or ("format" not in value and not {"pieces", "border"} <= set(value)):
        raise StudioError(tr("it is not a zigzaw: pieces or border are missing."))
    if isinstance(value, Repeated):
        raise StudioError(tr("{key} appears twice.", key=shown(value.name)))
    return _own_form(value) if "format" in value else _ring_form(value)


def _own_form(value: dict[str, Any]) -> Loose:
    if value["format"] != FORMAT:
        raise StudioError(tr("format must be {format!r}, not {found}.", format=FORMAT, found=shown(value["format"])))
    if value.get("version") != VERSION or isinstance(value["version"], bool):
        raise StudioError(
            tr("version must be {version}, not {found}.", version=VERSION, found=shown(value.get("version")))
        )
    members(value, "", _FIELDS)
    name = value.get("body", "frog")
    if not isinstance(name, str) or name not in BODIES:
        raise StudioError(tr("body must be {bodies}, not {found}.", bodies=alternatives(BODIES), found=shown(name)))
    columns, rows = _count(value, "columns"), _count(value, "rows")
    parameters = ZigzawParameters(columns=columns, rows=rows, body=name)
    paints = _paints(_list(value, "colours"))
    pieces = _pieces(_list(value, "pieces"), "number", 1, columns * rows, body(name).limbs, paints)
    border = _border(_list(value, "border"), parameters, paints)
    placed = _solution(value["solution"], parameters) if "solution" in value else ()
    return Loose(columns, rows, name, paints, pieces, border, placed)


def _ring_form(value: dict[str, Any]) -> Loose:
    """Read the form whose border is a list of cells around the pieces; further members of such a file are ignored."""
    for name in ("rows", "cols", "colours"):
        if name not in value:
            raise StudioError(tr("{name} is missing.", name=name))
    columns, rows = _count(value, "cols"), _count(value, "rows")
    parameters = ZigzawParameters(columns=columns, rows=rows)
    paints = _paints(_list(value, "colours"))
    limbs = body(parameters.body).limbs
    pieces = _pieces(_list(value, "pieces"), "id", 0, columns * rows, limbs, paints)
    known, border = set(layout(parameters).border), _Border(parameters, paints)
    for at, cell in enumerate(_list(value, "border")):
        where = f"border[{at}]"
        members(cell, where, {"row": True, "col": True} | {limb.name: True for limb in limbs})
        row, column = cell["row"], cell["col"]
        if type(row) is not int or type(column) is not int or not (0 <= row < rows + 2 and 0 <= column < columns + 2):
            raise StudioError(
                tr("{where} is off the board, at {row}, {column}.", where=where, row=shown(row), column=shown(column))
            )
        for limb in limbs:
            beside = Cube(row, column).beside(limb.step)
            if cell[limb.name] is None or not (0 <= beside.row < rows + 2 and 0 <= beside.column < columns + 2):
                continue
            side = side_of(columns + 2, beside, limb.face)
            paint = _paint(
                cell[limb.name], paints, tr("the border cell {row},{column}", row=row, column=column), limb.name
            )
            if side in known:
                border.add(side, paint, tr("{limb} of the cell {row},{column}", limb=limb.name, row=row, column=column))
    return Loose(columns, rows, parameters.body, paints, pieces, border.sides)


def _count(value: dict[str, Any], name: str) -> int:
    number = value[name]
    if type(number) is not int or not 3 <= number <= MOST:
        words = tr(
            "{name} must be a whole number from 3 to {most}, not {found}.", name=name, most=MOST, found=shown(number)
        )
        raise StudioError(words)
    return number


def _list(value: dict[str, Any], name: str) -> list[Any]:
    found = value[name]
    if not isinstance(found, list):
        raise StudioError(tr("{name} must be a list, not {found}.", name=name, found=shown(found)))
    return found


def _paints(values: list[Any]) -> tuple[Paint, ...]:
    """The colours of a file: names, or objects with a name and a colour."""
    if not 3 <= len(values) <= len(LETTERS):
        raise StudioError(tr("there must be 3 to {most} colours, not {count}.", most=len(LETTERS), count=len(values)))
    found: list[Paint] = []
    for at, value in enumerate(values):
        where = f"colours[{at}]"
        if isinstance(value, str):
            found.append(_named(value, where))
        else:
            members(value, where, {"name": True, "colour": True})
            for name in ("name", "colour"):
                if not isinstance(value[name], str):
                    words = tr(
                        "{where}.{name} must be a text, not {found}.", where=where, name=name, found=shown(value[name])
                    )
                    raise StudioError(words)
            try:
                found.append(Paint(value["name"], value["colour"].upper()))
            except ParameterError as problem:
                raise StudioError(f"{where}.{problem}") from problem
    names = [paint.name.casefold() for paint in found]
    for name in names:
        if names.count(name) > 1:
            raise StudioError(tr("two colours are named {name}.", name=shown(name)))
    return tuple(found)


def _named(name: str, where: str) -> Paint:
    """The paint that a palette has under a name."""
    for key in PALETTES:
        for paint in palette(key):
            if paint.name.casefold() == name.casefold():
                return paint
    known = listed([paint.name.lower() for paint in palette("cube")])
    words = tr(
        "{where}: unknown colour {name}. Give its #RRGGBB or choose from {known}.",
        where=where,
        name=shown(name),
        known=known,
    )
    raise StudioError(words)


def _paint(value: Any, paints: tuple[Paint, ...], whose: str, limb: str) -> int:
    """The number of a colour by its name; raises StudioError that says whose limb it is."""
    if isinstance(value, str):
        for number, paint in enumerate(paints):
            if paint.name.casefold() == value.casefold():
                return number
    names = ", ".join(paint.name for paint in paints)
    words = tr(
        "{piece} has {found} as its {limb}; the colours are {colours}.",
        piece=whose,
        found=shown(value),
        limb=limb,
        colours=names,
    )
    raise StudioError(words)


def _pieces(
    values: list[Any], key: str, first: int, count: int, limbs: Sequence[Limb], paints: tuple[Paint, ...]
) -> tuple[tuple[int, ...], ...]:
    """The paints of the limbs of all pieces, by number; `first` is the least."""
    found: dict[int, tuple[int, ...]] = {}
    for at, value in enumerate(values):
        number = value.get(key) if isinstance(value, dict) else None
        if type(number) is not int:
            raise StudioError(tr("pieces[{index}] needs a whole number as its {key}.", index=at, key=key))
        whose = tr("piece {number}", number=number)
        if number in found:
            raise StudioError(tr("two pieces have the {key} {number}.", key=key, number=number))
        for limb in limbs:
            if limb.name not in value:
                raise StudioError(tr("{piece} has no {limb}.", piece=whose, limb=limb.name))
        members(value, whose, {key: True} | {limb.name: True for limb in limbs})
        found[number] = tuple(_paint(value[limb.name], paints, whose, limb.name) for limb in limbs)
    if len(found) != count:
        raise StudioError(tr("the board needs {count} pieces, not {found}.", count=count, found=len(found)))
    if set(found) != set(range(first, first + count)):
        wrong = min(set(found) - set(range(first, first + count)))
        words = tr(
            "the pieces must be numbered {first} to {last}; one has number {wrong}.",
            first=first,
            last=first + count - 1,
            wrong=wrong,
        )
        raise StudioError(words)
    return tuple(found[number] for number in sorted(found))


class _Border:
    """The sides that a file gives, each in one colour."""

    def __init__(self, parameters: ZigzawParameters, paints: tuple[Paint, ...]) -> None:
        self._parameters, self._paints = parameters, paints
        self.sides: dict[int, int] = {}
        self._said: dict[int, str] = {}

    def add(self, side: int, paint: int, by: str) -> None:
        """Note the paint of a side according to `by`; raise StudioError if it contradicts an earlier one."""
        before = self.sides.setdefault(side, paint)
        first = self._said.setdefault(side, by)
        if before != paint:
            words = tr(
                "the border contradicts itself: {side} is {colour} in {place} but {other_colour} in {other_place}.",
                side=side_words(self._parameters, side),
                colour=self._paints[before].name,
                place=first,
                other_colour=self._paints[paint].name,
                other_place=by,
            )
            raise StudioError(words)


def _border(values: list[Any], parameters: ZigzawParameters, paints: tuple[Paint, ...]) -> dict[int, int]:
    """The paints of the sides that the border shows."""
    cubes = {cube_name(parameters, cube): cube for cube in grid(parameters.columns + 2, parameters.rows + 2)}
    known, border = set(layout(parameters).border), _Border(parameters, paints)
    for at, value in enumerate(values):
        where = f"border[{at}]"
        members(value, where, {"cube": True} | dict.fromkeys(FACE_NAMES.values(), False))
        name = value["cube"]
        if not isinstance(name, str) or name not in cubes:
            raise StudioError(tr("{where}: the board has no cube {cube}.", where=where, cube=shown(name)))
        for face, title in FACE_NAMES.items():
            if title in value:
                side = side_of(parameters.columns + 2, cubes[name], face)
                if side not in known:
                    raise StudioError(tr("the border does not show {side}.", side=side_words(parameters, side)))
                border.add(side, _paint(value[title], paints, tr("the cube {name}", name=name), title), where)
    return border.sides


def _solution(value: Any, parameters: ZigzawParameters) -> tuple[int, ...]:
    """The number of the piece at every place."""
    columns, rows = parameters.columns, parameters.rows
    if not isinstance(value, list) or len(value) != rows:
        raise StudioError(tr("solution must be a list of {rows} rows.", rows=rows))
    for at, row in enumerate(value):
        if not isinstance(row, list) or len(row) != columns or any(type(number) is not int for number in row):
            raise StudioError(
                tr("solution[{index}] must be a list of {columns} whole numbers.", index=at, columns=columns)
            )
    placed = [number for row in value for number in row]
    if sorted(placed) != list(range(1, columns * rows + 1)):
        raise StudioError(tr("solution must list each piece from 1 to {count} exactly once.", count=columns * rows))
    return tuple(placed)
