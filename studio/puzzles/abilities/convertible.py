"""The ability to be converted: designs are read from and written to files of other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr
from studio.puzzles.abilities.ability import Ability

D = TypeVar("D")


@dataclass(frozen=True)
class Source:
    """A file to read: its name, without folders, and its contents."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """File extension in lower case, `.json`, or ""."""
        _, dot, ending = self.name.rpartition(".")
        return dot + ending.lower()


@dataclass(frozen=True)
class Reader(Generic[D]):
    """Reads designs from one or several files with some suffixes, or from a text alone."""

    title: str
    suffixes: tuple[str, ...]
    read: Callable[[Sequence[Source], Progress], D]
    """Reads the design in files; raises StudioError, to follow the file's name, for files without a design."""
    is_text: Callable[[str], bool] = lambda _text: False
    """True if a text, pasted or from the command line, has this format, valid or not."""


@dataclass(frozen=True)
class Writer(Generic[D]):
    """Writes designs as files of a suffix, with options declared like parameters."""

    title: str
    suffix: str
    options: type[Any]
    write: Callable[[D, Any, Progress], bytes]


@dataclass(frozen=True)
class Convertible(Ability, Generic[D]):
    """Formats that designs of a kind are read from and written to."""

    lacking: ClassVar[str] = tr("There are no other file formats for {key} puzzles, only .puzzle.")

    readers: tuple[Reader[D], ...]
    writers: tuple[Writer[D], ...]
    remark: Callable[[D, Progress], str] = lambda _design, _progress: ""
    """Sentence about a design that was just read, such as that it has two solutions; mostly ""."""

    def reads(self, sources: Sequence[Source]) -> bool:
        """True if a reader takes files of these names."""
        return self._reader(sources) is not None

    def read(self, sources: Sequence[Source], progress: Progress) -> D:
        """Read the design in files. Raise StudioError, to follow the file's name, for files without a design."""
        reader = self._reader(sources)
        if reader is None:
            known = alternatives(dict.fromkeys(suffix for one in self.readers for suffix in one.suffixes))
            raise StudioError(tr("unknown file extension. Use {suffixes}.", suffixes=known))
        return reader.read(sources, progress)

    def source_of(self, text: str) -> Source | None:
        """Wrap a text as a file; None if no reader takes it."""
        reader = next((one for one in self.readers if one.is_text(text)), None)
        return None if reader is None else Source(f"text{reader.suffixes[0]}", text.encode(errors="surrogatepass"))

    def _reader(self, sources: Sequence[Source]) -> Reader[D] | None:
        suffixes = {source.suffix for source in sources}
        return next((one for one in self.readers if suffixes and suffixes <= set(one.suffixes)), None)

    def writer(self, suffix: str) -> Writer[D]:
        """Find the writer for a suffix. Raise StudioError, naming the known suffixes, if it is unknown."""
        for known in self.writers:
            if known.suffix == suffix:
                return known
        names = ", ".join(known.suffix for known in self.writers)
        raise StudioError(tr("Unknown format {suffix}; choose from {names}.", suffix=suffix, names=names))
