"""What is asked for: a batch, and a task for each of its boards. Both are plain values that any process can be sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import studio
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.batch.values import Row, fields_of, filling, named_by, values_of
from studio.export.formats import LASER, PRINTER
from studio.fabricate.making import Making
from studio.fabricate.workshop import Machine, Material
from studio.files.store import Saved, dumps, loads
from studio.puzzles.abilities.ability import Distinguishable, Inscribable, Repairable
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.exchangeable import Exchangeable
from studio.puzzles.abilities.printable import Printable
from studio.puzzles.kind import AnyKind

DESIGN = ".puzzle"
MOST_CLEARANCE = 2.0
"""The largest clearance in mm at which pieces can be told apart."""
LEAST_DIGITS = 3
"""Digits of a serial number at least, so that files of up to 999 boards sort by it."""


@dataclass(frozen=True)
class Batch:
    """What all boards of a batch have in common; all of it decides what their files hold.

    `design` are the bytes of the file that all boards are made from, `stem` is how the names of their files begin,
    `formats` are file extensions. `options` are values of file options by name. Pieces
    that could be taken for each other at a `clearance` in mm are reshaped.
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
    version: str = studio.__version__

    def saved(self) -> Saved:
        """The design that all boards are made from."""
        return loads(self.design)

    @cached_property
    def digest(self) -> str:
        """A hash of everything."""
        values = {
            "stem": self.stem,
            "design": sha256(self.design).hexdigest(),
            "formats": self.formats,
            "options": self.options,
            "making": asdict(self.making),
            "machine": asdict(self.machine),
            "material": None if self.material is None else asdict(self.material),
            "switches": [self.repair, self.clearance, self.force],
            "version": self.version,
        }
        return _hashed(values)


@dataclass(frozen=True)
class Task:
    """What one board has for itself: a serial number and values of parameters; `shown` are those for the table.

    `fields` are filled into the texts of the design, where these name any.
    """

    serial: str
    values: tuple[tuple[str, Any], ...]
    shown: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()

    def key(self, batch: Batch) -> str:
        """A hash of all that decides what the board is."""
        return _hashed([batch.digest, asdict(self)])


def _hashed(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def tasks_of(
    saved: Saved, settings: Mapping[str, str], rows: Sequence[Row], count: int, first: int = 1
) -> tuple[Task, ...]:
    """The tasks for `count` boards, numbered from `first`, with values from settings and from rows of a table.

    Raises StudioError where a value cannot be, naming the line of the table that it is from.
    """
    return tuple(task_of(saved, settings, rows, at, count, first) for at in range(count))


def task_of(
    saved: Saved, settings: Mapping[str, str], rows: Sequence[Row], at: int, count: int, first: int = 1
) -> Task:
    """The task for board `at` of `count`; see `tasks_of`."""
    digits = max(LEAST_DIGITS, len(str(first + count - 1)))
    serial = f"{first + at:0{digits}}"
    row = rows[at] if rows else None
    values, shown = values_of(saved.design.parameters, settings, row, serial, at, count)
    named = {name for text in texts_of(saved) for name in named_by(text)}
    fields = fields_of(serial, row) if named else {}
    try:
        replace(saved.design.parameters, **values)
        if fields:
            inscribed(saved, fields)
    except StudioError as problem:
        raise (StudioError(tr("Board {serial}: {problem}", serial=serial, problem=problem)) if row is None
               else row.refused(problem)) from problem  # fmt: skip
    return Task(serial, tuple(values.items()), tuple(shown.items()), tuple(fields.items()))


def texts_of(saved: Saved) -> tuple[str, ...]:
    """The texts that a design has beside those of its parameters, such as those that are engraved on it."""
    found: list[str] = []

    def keep(text: str) -> str:
        found.append(text)
        return text

    able = saved.kind.able(Inscribable)
    if able is not None:
        able.inscribed(saved.design, keep)
    return tuple(found)


def inscribed(saved: Saved, fields: Mapping[str, str]) -> Saved:
    """A design with fields filled into its texts; raises StudioError where a text cannot be."""
    able = saved.kind.able(Inscribable)
    return saved if able is None else replace(saved, design=able.inscribed(saved.design, filling(fields)))


def refuse_unable(kind: AnyKind, batch: Batch) -> None:
    """Raise StudioError where a kind cannot do what a batch asks for."""
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
    """The extensions of the files that boards of a kind can be written to."""
    formats = kind.able(Exchangeable)
    return (
        DESIGN,
        *(LASER.suffixes if kind.able(Cuttable) else ()),
        *(PRINTER.suffixes if kind.able(Printable) else ()),
        *((writer.suffix for writer in formats.writers) if formats else ()),
    )


def batch_of(saved: Saved, file: Path, **known: Any) -> Batch:
    """A batch of the design in a file; raises StudioError where its kind cannot do what is asked."""
    batch = Batch(file.stem, dumps(saved.kind, saved.design), **known)
    refuse_unable(saved.kind, batch)
    return batch
