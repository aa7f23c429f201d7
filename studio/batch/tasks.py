"""Batches: the shared settings, the values of each board, and a task for each board."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import studio
from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.parameters import LARGEST_SEED, Declaration, ParameterError, declaration, declarations, parsed
from studio.base.texts import tr
from studio.exporting.formats import LASER, PRINTER
from studio.fabricate.costs import Pricing, pricing
from studio.fabricate.making import Making
from studio.fabricate.workshop import Machine, Material
from studio.files.store import Saved, dumps, loads
from studio.puzzles.abilities.ability import Convertible, Distinguishable, Inscribable, Repairable
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.printable import Printable
from studio.puzzles.kind import AnyKind

# Values that differ between boards: ranges, lists and templates, and rows of a table.
#
# A range `0.2..0.3` of numbers is spread evenly over all boards, a list `classic;wave` goes round, a seed counts up
# from board to board, and a text, also of the design itself, may name `{serial}` and the columns of the table.

RANGE, LIST = "..", ";"
SERIAL, EDITS = "serial", "edits"
FIELD = re.compile(r"\{([^{}]*)\}")
"""A field of a template."""
LARGEST = 16 * 2**20
"""Bytes of the largest table of names."""
MOST_BOARDS = 100_000
"""Limit for the boards of a batch."""
DECIMALS = 6
"""Decimals of the numbers of a range."""


@dataclass(frozen=True)
class Row:
    """A line of a table: the name of its file, its number and its cells by column."""

    file: str
    line: int
    cells: Mapping[str, str]

    def refused(self, problem: object) -> StudioError:
        """Return the refusal of the line."""
        return _unusable(self.file, _bad_line(self.line, problem))


def values_of(
    usual: Any, settings: Mapping[str, str], row: Row | None, serial: str, at: int, count: int
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of board `at` of `count` by parameter, and its columns in a table of boards.

    `usual` are the parameters of the shared design. Raises StudioError for invalid values.
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
    """Return the value that a setting gives board `at` of `count`."""
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
    """Return the fields that a template may name, and their texts."""
    return {SERIAL: serial} | ({} if row is None else dict(row.cells))


def named_by(text: str) -> set[str]:
    """Return the fields that a template names."""
    return set(FIELD.findall(text))


def filling(fields: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that fills in a text of a design; it raises ParameterError for an unknown field."""
    return lambda text: _filled(tr("“{text}”", text=text), text, fields)


def _filled(parameter: str, text: str, fields: Mapping[str, str]) -> str:
    """Fill in the fields of a template; raises ParameterError for an unknown field."""

    def field(found: re.Match[str]) -> str:
        name = found[1]
        if name not in fields:
            raise ParameterError(parameter, _unknown(parameter, name, fields))
        return fields[name]

    return FIELD.sub(field, text)


def _unknown(parameter: str, name: str, fields: Mapping[str, str]) -> str:
    """Return a sentence about an unknown placeholder of a template, with the remedy."""
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
    """Format a value as in a setting."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def read_rows(
    path: Path,
    parameters: type[Any],
    settings: Mapping[str, str],
    texts: Sequence[str] = (),
    more: Collection[str] = (),
) -> tuple[Row, ...]:
    """Read the lines of a CSV file, whose columns name parameters or fields of templates in settings or `texts`.

    A column `edits` has edits of the board as texts; columns named in `more` have a use of their own.
    Commas, semicolons or tabs part the cells; empty lines are skipped. Raises StudioError, naming an invalid line.
    """
    try:
        return tuple(_rows(path.name, content(path, LARGEST), parameters, settings, texts, more))
    except StudioError as problem:
        raise _unusable(path.name, problem) from problem


def _unusable(file: str, problem: object) -> StudioError:
    return StudioError(tr("Cannot use {file}: {problem}", file=file, problem=problem))


def _rows(
    file: str,
    data: bytes,
    parameters: type[Any],
    settings: Mapping[str, str],
    texts: Sequence[str],
    more: Collection[str],
) -> Iterator[Row]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise _bad_line(data.count(b"\n", 0, problem.start) + 1, tr("it is not UTF-8 text.")) from None
    lines = _lines(text)
    _, names = next(lines, (0, []))
    _check_columns(names, parameters, settings, texts, more)
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
    """Yield the number and the cells of every line that is not empty; a cell in quotes may span lines."""
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
    names: Sequence[str],
    parameters: type[Any],
    settings: Mapping[str, str],
    texts: Sequence[str],
    more: Collection[str],
) -> None:
    """Raise StudioError for a column without a use, a repeated one, and one that is also set for all boards."""
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
        if name not in known and name not in used and name != EDITS and name not in more:
            raise _bad_line(1, tr("column {name!r} is neither a parameter nor used in a text.", name=name[:40]))


def _bad_line(line: int, problem: object) -> StudioError:
    return StudioError(tr("line {line}: {problem}", line=line, problem=problem))


DESIGN = ".puzzle"
MOST_CLEARANCE = 2.0
"""The largest clearance in mm at which pieces can be told apart."""
LEAST_DIGITS = 3
"""Least digits of a serial number: files of up to 999 boards sort by it."""


@dataclass(frozen=True)
class Batch:
    """Settings shared by all boards of a batch; each of them affects the content of the files.

    `design` are the bytes of the shared design's file, `stem` begins the file names, `formats` are file extensions,
    `options` are values of file options by name. Pieces that could be confused at a `clearance` in mm are reshaped.
    """

    stem: str
    design: bytes
    formats: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    making: Making = field(default_factory=Making)
    machine: Machine = field(default_factory=Machine)
    material: Material | None = None
    repair: bool = False
    clearance: float | None = None
    force: bool = False
    pricing: Pricing = field(default_factory=Pricing)
    version: str = studio.__version__

    def saved(self) -> Saved:
        """Return the design shared by all boards."""
        return loads(self.design)

    @cached_property
    def digest(self) -> str:
        """Hash of all settings."""
        values = {
            "stem": self.stem,
            "design": sha256(self.design).hexdigest(),
            "formats": self.formats,
            "options": self.options,
            "making": asdict(self.making),
            "machine": asdict(self.machine),
            "material": None if self.material is None else asdict(self.material),
            "switches": [self.repair, self.clearance, self.force],
            "pricing": asdict(self.pricing),
            "version": self.version,
        }
        return _hashed(values)


@dataclass(frozen=True)
class Task:
    """Settings of one board: a serial number and values of parameters; `shown` are columns of the table.

    `edits` are made after that as texts; `fields` are filled into the texts of the design that name any.
    """

    serial: str
    values: tuple[tuple[str, Any], ...]
    shown: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    edits: str = ""

    def key(self, batch: Batch) -> str:
        """Hash everything that decides what the board is."""
        return _hashed([batch.digest, asdict(self)])


def _hashed(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def tasks_of(
    saved: Saved, settings: Mapping[str, str], rows: Sequence[Row], count: int, first: int = 1
) -> tuple[Task, ...]:
    """Return the tasks for `count` boards, numbered from `first`, with values from settings and rows of a table.

    Raises StudioError for an invalid value, naming its line in the table.
    """
    return tuple(task_of(saved, settings, rows, at, count, first) for at in range(count))


def task_of(
    saved: Saved, settings: Mapping[str, str], rows: Sequence[Row], at: int, count: int, first: int = 1
) -> Task:
    """Return the task for board `at` of `count`; see `tasks_of`."""
    digits = max(LEAST_DIGITS, len(str(first + count - 1)))
    serial = f"{first + at:0{digits}}"
    row = rows[at] if rows else None
    values, shown = values_of(saved.design.parameters, settings, row, serial, at, count)
    named = {name for text in texts_of(saved) for name in named_by(text)}
    fields = fields_of(serial, row) if named else {}
    edits = "" if row is None else row.cells.get(EDITS, "")
    try:
        replace(saved.design.parameters, **values)
        if fields:
            inscribed(saved, fields)
        if edits:
            saved.kind.edit(edits)
    except StudioError as problem:
        raise (StudioError(tr("Board {serial}: {problem}", serial=serial, problem=problem)) if row is None
               else row.refused(problem)) from problem  # fmt: skip
    return Task(serial, tuple(values.items()), tuple(shown.items()), tuple(fields.items()), edits)


def texts_of(saved: Saved) -> tuple[str, ...]:
    """Return the texts of a design other than its parameters', such as engraved ones."""
    found: list[str] = []

    def keep(text: str) -> str:
        found.append(text)
        return text

    able = saved.kind.able(Inscribable)
    if able is not None:
        able.inscribed(saved.design, keep)
    return tuple(found)


def inscribed(saved: Saved, fields: Mapping[str, str]) -> Saved:
    """Fill fields into the texts of a design; raises StudioError for an invalid text."""
    able = saved.kind.able(Inscribable)
    return saved if able is None else replace(saved, design=able.inscribed(saved.design, filling(fields)))


def refuse_unable(kind: AnyKind, batch: Batch) -> None:
    """Raise StudioError if a kind lacks an ability that a batch needs."""
    if batch.repair:
        kind.need(Repairable)
    if batch.clearance is not None:
        kind.need(Distinguishable)
    if dict(batch.options).get("piece_pngs"):
        raise StudioError(tr("PNGs of pieces are only written by `export`."))
    for suffix in batch.formats:
        if suffix in LASER.suffixes:
            kind.need(Cuttable)
        elif suffix in PRINTER.suffixes:
            kind.need(Printable)
        elif suffix not in known_formats(kind):
            names = ", ".join(each[1:] for each in known_formats(kind))
            raise StudioError(
                tr("Unknown format {format!r}; choose from {formats}.", format=suffix[1:][:40], formats=names)
            )


def known_formats(kind: AnyKind) -> tuple[str, ...]:
    """Return the file extensions that boards of a kind can be written to."""
    formats = kind.able(Convertible)
    return (
        DESIGN,
        *(LASER.suffixes if kind.able(Cuttable) else ()),
        *(PRINTER.suffixes if kind.able(Printable) else ()),
        *((writer.suffix for writer in formats.writers) if formats else ()),
    )


def batch_of(saved: Saved, file: Path, **known: Any) -> Batch:
    """Return a batch of the design in a file; raises StudioError if its kind lacks an ability for it."""
    batch = Batch(file.stem, dumps(saved.kind, saved.design), **{"pricing": pricing(), **known})
    refuse_unable(saved.kind, batch)
    return batch
