"""The values that boards of a batch have of their own: ranges, lists and templates, and rows of a table.

Of a number `0.2..0.3` is spread evenly over all boards, `classic;wave` goes round, a seed counts up from board to
board, and a text may name `{serial}` and the columns of the table, as may a text that the design itself has.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.parameters import LARGEST_SEED, Declaration, ParameterError, declaration, declarations, parsed
from studio.base.texts import tr

RANGE, LIST = "..", ";"
SERIAL = "serial"
FIELD = re.compile(r"\{([^{}]*)\}")
"""A field of a template."""
LARGEST = 16 * 2**20
"""Bytes of the largest table of names."""
MOST_BOARDS = 100_000
"""Boards of the largest batch."""
DECIMALS = 6
"""To how many decimals the numbers of a range are rounded."""


@dataclass(frozen=True)
class Row:
    """A line of a table: the name of its file, its number and its cells by column."""

    file: str
    line: int
    cells: Mapping[str, str]

    def refused(self, problem: object) -> StudioError:
        """That the line cannot be used."""
        return _unusable(self.file, _bad_line(self.line, problem))


def values_of(
    usual: Any, settings: Mapping[str, str], row: Row | None, serial: str, at: int, count: int
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of board `at` of `count` by parameter, and all that is worth a column in a table of boards.

    `usual` are the parameters of the design that all are made from. Raises StudioError for what cannot be a value.
    """
    fields = fields_of(serial, row)
    values: dict[str, Any] = {}
    shown = {} if row is None else dict(row.cells)
    for known in declarations(type(usual)):
        try:
            if row is not None and row.cells.get(known.name):
                values[known.name] = parsed(known, row.cells[known.name])
            elif known.name in settings:
                values[known.name] = _spread(known, settings[known.name], fields, at, count)
            elif known.type == "seed":
                values[known.name] = _counted(getattr(usual, known.name), at)
        except ParameterError as problem:
            if row is None or (known.name not in row.cells and known.type != "text"):
                raise
            raise row.refused(problem) from problem
        if known.name in values:
            shown[known.name] = as_text(values[known.name])
    return values, shown


def _spread(known: Declaration, text: str, fields: Mapping[str, str], at: int, count: int) -> Any:
    """The value that a setting gives board `at` of `count`."""
    if known.type == "text":
        return parsed(known, _filled(known.name, text, fields))
    if LIST in text:
        several = [parsed(known, part) for part in text.split(LIST)]
        return several[at % len(several)]
    if RANGE in text and known.type in ("number", "integer", "seed"):
        begin, end = text.split(RANGE, 1)
        low, high = parsed(known, begin), parsed(known, end)
        value = low + (high - low) * (at / (count - 1) if count > 1 else 0)
        return round(value, DECIMALS) if known.type == "number" else round(value)
    value = parsed(known, text)
    return _counted(value, at) if known.type == "seed" else value


def _counted(seed: int, at: int) -> int:
    return (seed + at) % (LARGEST_SEED + 1)


def fields_of(serial: str, row: Row | None) -> dict[str, str]:
    """What a template may name, and what is filled in there."""
    return {SERIAL: serial} | ({} if row is None else dict(row.cells))


def named_by(text: str) -> set[str]:
    """The fields that a template names."""
    return set(FIELD.findall(text))


def filling(fields: Mapping[str, str]) -> Callable[[str], str]:
    """What fills in a text of a design; it raises ParameterError for a field that is not known."""
    return lambda text: _filled(tr("“{text}”", text=text), text, fields)


def _filled(parameter: str, text: str, fields: Mapping[str, str]) -> str:
    """A template with its fields filled in; raises ParameterError for a field that is not known."""

    def field(found: re.Match[str]) -> str:
        name = found[1]
        if name not in fields:
            raise ParameterError(parameter, _unknown(parameter, name, fields))
        return fields[name]

    return FIELD.sub(field, text)


def _unknown(parameter: str, name: str, fields: Mapping[str, str]) -> str:
    """That a template has a placeholder for which there is nothing, and what helps."""
    if [*fields] == [SERIAL]:
        return tr(
            "{parameter} has a placeholder {{{name}}}; load a table with that column, or use {{serial}}.",
            parameter=parameter,
            name=name,
        )
    return tr(
        "{parameter} has an unknown placeholder {{{name}}}; choose from {names}.",
        parameter=parameter,
        name=name,
        names=", ".join(fields),
    )


def as_text(value: Any) -> str:
    """A value as a setting gives it."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def read_rows(
    path: Path, parameters: type[Any], settings: Mapping[str, str], texts: Sequence[str] = ()
) -> tuple[Row, ...]:
    """The lines of a CSV file, whose columns name parameters or are named by templates in settings or `texts`.

    Commas, semicolons or tabs part the cells; empty lines are left out. Raises StudioError, naming the line, for
    what cannot be read.
    """
    try:
        return tuple(_rows(path.name, content(path, LARGEST), parameters, settings, texts))
    except StudioError as problem:
        raise _unusable(path.name, problem) from problem


def _unusable(file: str, problem: object) -> StudioError:
    return StudioError(tr("Cannot use {file}: {problem}", file=file, problem=problem))


def _rows(
    file: str, data: bytes, parameters: type[Any], settings: Mapping[str, str], texts: Sequence[str]
) -> Iterator[Row]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise _bad_line(data.count(b"\n", 0, problem.start) + 1, tr("it is not UTF-8 text.")) from None
    lines = _lines(text)
    _, names = next(lines, (0, []))
    _check_columns(names, parameters, settings, texts)
    count = 0
    for line, cells in lines:
        if len(cells) != len(names):
            raise _bad_line(line, tr("it has {count} cells, not {wanted}.", count=len(cells), wanted=len(names)))
        count += 1
        if count > MOST_BOARDS:
            raise _bad_line(line, tr("a batch has at most {most} boards.", most=MOST_BOARDS))
        yield Row(file, line, dict(zip(names, cells, strict=True)))
    if not count:
        raise StudioError(tr("it has no lines below the column names."))


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The number and the cells of every line that is not empty; a cell in quotes may have lines of its own."""
    head = text.partition("\n")[0]
    table = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), strict=True)
    line = 1
    try:
        for cells in table:
            if any(cell.strip() for cell in cells):
                yield line, [cell.strip() for cell in cells]
            line = table.line_num + 1
    except csv.Error as problem:
        raise _bad_line(line, tr("it is not CSV ({reason}).", reason=problem)) from problem


def _check_columns(
    names: Sequence[str], parameters: type[Any], settings: Mapping[str, str], texts: Sequence[str]
) -> None:
    """Raise StudioError for a column without a use, a second one of the same name, and one that is also set."""
    known = {each.name for each in declarations(parameters)}
    templates = [text for name, text in settings.items() if declaration(parameters, name).type == "text"]
    used = {name for text in (*templates, *texts) for name in named_by(text)}
    for at, name in enumerate(names):
        if name in names[:at]:
            raise _bad_line(1, tr("column {name!r} appears twice.", name=name[:40]))
        if name in settings:
            raise _bad_line(1, tr("column {name!r} is already set for all boards.", name=name))
        if name == SERIAL:
            raise _bad_line(1, tr("column {name!r} cannot be used: the boards are numbered in order.", name=name))
        if name not in known and name not in used:
            raise _bad_line(1, tr("column {name!r} is neither a parameter nor used in a text.", name=name[:40]))


def _bad_line(line: int, problem: object) -> StudioError:
    return StudioError(tr("line {line}: {problem}", line=line, problem=problem))
