"""What a file format is: one value with all that belongs to it, from its title to the proof of a written file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from studio.base.errors import StudioError
from studio.base.texts import alternatives, tr
from studio.export.options import NoOptions, together

Thing = TypeVar("Thing")
Options = TypeVar("Options", bound=NoOptions)
Read = TypeVar("Read")
Found = TypeVar("Found", bound="Report")


class Unreadable(StudioError):
    """A file that does not hold what we write."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """What was found in a file when it was read back, its path and its size; the proof leaves both empty."""

    path: Path = Path()
    bytes: int = 0

    def values(self) -> dict[str, Any]:
        """All figures by name, as JSON takes them."""
        return asdict(self) | {"path": str(self.path)}

    @property
    def problem(self) -> str:
        """Why the file is useless although it is what was to be written; empty where it is not."""
        return ""


@dataclass(frozen=True)
class Format(Generic[Thing, Options, Read, Found]):
    """How a thing is written as bytes, read back, and what was read held against the thing.

    `title` is what the window offers, `help` what the manual says. `prove` takes what was read, the thing, the options
    and `rounding`, which is how far in mm a number in the file may be from that of the thing; it raises Unreadable.
    `note` is what a maker must know who chose these options. `is_book` says that one file takes several pages, and
    `apart` is the title of writing several solids to a file each, where one file cannot name them. `without` are
    options that it has no use for.
    """

    suffix: str
    title: str
    help: str
    options: type[Options]
    rounding: float
    write: Callable[[Thing, Options], bytes]
    read: Callable[[bytes, Options], Read]
    prove: Callable[[Read, Thing, Options, float], Found]
    note: Callable[[Options], str] = lambda _: ""
    is_picture: bool = False
    is_book: bool = False
    apart: str = ""
    without: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the format is called in a sentence."""
        return self.suffix.lstrip(".").upper()


AnyFormat = Format[Any, Any, Any, Any]


@dataclass(frozen=True)
class Formats(Generic[Thing, Found]):
    """The formats for one purpose.

    `title` says what they are for in a word; `unknown` is the complaint of another file extension; `key` is what the
    last choice is remembered by.
    """

    title: str
    unknown: str
    key: str
    members: tuple[Format[Thing, Any, Any, Found], ...]

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The file extensions, in order."""
        return tuple(one.suffix for one in self.members)

    @cached_property
    def options(self) -> type[Any]:
        """The class of the options of all formats together; a value of it serves every one of them."""
        return together(one.options for one in self.members)

    def of(self, path: Path) -> Format[Thing, Any, Any, Found]:
        """The format of a file's extension; raises StudioError naming the known ones."""
        for one in self.members:
            if one.suffix == path.suffix.lower():
                return one
        suffixes = alternatives(self.suffixes)
        raise StudioError(tr("{path}: {problem}. Use {suffixes}.", path=path, problem=self.unknown, suffixes=suffixes))
