"""A file format as one value: title, options, writer, reader and proof of a written file."""

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
    """Findings from a file read back, its path and its size; the proof leaves path and size empty."""

    path: Path = Path()
    bytes: int = 0

    def values(self) -> dict[str, Any]:
        """Return all figures by name, in JSON's types."""
        return asdict(self) | {"path": str(self.path)}

    @property
    def problem(self) -> str:
        """Why the file is useless although written correctly; empty if it is usable."""
        return ""


@dataclass(frozen=True)
class Format(Generic[Thing, Options, Read, Found]):
    """A file format: how it is written as bytes, read back, and compared with the original thing.

    `title` is for the window, `help` for the manual. `prove` takes the read result, the thing, the options and
    `rounding`, the error in mm that a number in the file may have; it raises Unreadable. `note` warns about the chosen
    options. `is_book` says that one file takes several pages. `apart` is the title of writing several solids to a file
    each, for formats whose files cannot name them. `without` lists options that the format does not use.
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
        """The name of the format in a sentence."""
        return self.suffix.lstrip(".").upper()


def unread(data: bytes, _options: NoOptions) -> bytes:
    """Return a file as written, for formats that are read back in the tests alone."""
    return data


AnyFormat = Format[Any, Any, Any, Any]


@dataclass(frozen=True)
class Formats(Generic[Thing, Found]):
    """The formats for one purpose.

    `title` names the purpose in a word, `unknown` is the complaint about another file extension, and the last choice is
    remembered under `key`.
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
        """The class of the options of all formats together; a value of it serves each format."""
        return together(one.options for one in self.members)

    def of(self, path: Path) -> Format[Thing, Any, Any, Found]:
        """Return the format for a file's extension; raises StudioError naming the known ones."""
        for one in self.members:
            if one.suffix == path.suffix.lower():
                return one
        suffixes = alternatives(self.suffixes)
        raise StudioError(tr("{path}: {problem}. Use {suffixes}.", path=path, problem=self.unknown, suffixes=suffixes))
