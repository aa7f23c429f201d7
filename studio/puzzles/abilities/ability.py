"""Base of all abilities, and the abilities that need only a function or two."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from studio.base.errors import StudioError, one_named
from studio.base.parameters import parse_length, parse_number
from studio.base.progress import Progress, named
from studio.base.texts import alternatives, separated, tr

D = TypeVar("D")
D_co = TypeVar("D_co", covariant=True)


def _places(words: str) -> list[tuple[float, ...]]:
    return [tuple(map(parse_length, word.split(","))) for word in words.split()]


def _paths(words: str) -> list[list[tuple[float, ...]]]:
    return [_places(path) for path in re.split(r"\s/\s", words)]


READ: dict[str, Callable[[str], Any]] = {
    "names": str.split,
    **dict.fromkeys(("places", "box"), _places),
    **dict.fromkeys(("strokes", "others"), _paths),
    **dict.fromkeys(("count", "most"), int),
    **dict.fromkeys("xyh", parse_length),
    **dict.fromkeys(("t", "angle"), lambda word: parse_number(word.removesuffix("°"))),
}
"""Readers of the words in the form of an edit that are not texts."""
_PLACE = r"[^\s,]+,[^\s,]+"
_PATH = rf"{_PLACE}(?:\s+{_PLACE})*"
FORMED = {
    **dict.fromkeys("XY", "[^,]+?"), **dict.fromkeys(("FACE", "FIGURE", "MODE", "ANGLE"), r"\S+"), "PLACES": _PATH,
    **dict.fromkeys(("COUNT", "MOST"), r"[0-9]{1,3}"),
    **dict.fromkeys(("STROKES", "OTHERS"), rf"{_PATH}(?:\s+/\s+{_PATH})*"),
    "BOX": rf"{_PLACE}\s+{_PLACE}",
}  # fmt: skip
"""Patterns of words that must not hold a comma or a space."""
MOST_SHOWN = 80
"""Letters of an edit that its refusal repeats."""


class Ability:
    """A capability of some kinds of puzzle; it brings commands, a place in the window, and promises to keep."""

    lacking: ClassVar[str]
    """Sentence for a kind without the ability; `{key}` is replaced by the key of the kind."""


@dataclass(frozen=True)
class Sized(Ability):
    """Adds a size to the chosen parameters of a new design, by name; chosen sizes are kept."""

    lacking: ClassVar[str] = tr("The size of {key} puzzles follows from their parts.")

    sized: Callable[[Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Inscribable(Ability, Generic[D]):
    """Replaces each text of a design's edits by the result of a function, and its picture by another."""

    lacking: ClassVar[str] = tr("There are no texts in {key} puzzles.")

    inscribed: Callable[[D, Callable[[str], str]], D]
    pictured: Callable[[D, bytes, str], D]
    """Puts the bytes of a PNG or JPEG with their media type in the place of the picture."""


@dataclass(frozen=True)
class Editable(Ability, Generic[D]):
    """Edits designs by texts such as `corner 4,2 to 101.5,60`.

    The table named `edits` has a function for each form of a text, such as `corner NAME to X,Y`; it takes design,
    progress and the words in capitals: NAMES as a list, PLACES and BOX as lists of pairs in mm, STROKES and OTHERS as
    lists of such lists (parted by `/`), X, Y and H in mm, T and ANGLE in degrees. Words in brackets may be missing.
    """

    lacking: ClassVar[str] = tr("Only the parameters of {key} puzzles can be edited by command.")

    edits: str

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of edits, such as `flip NAMES`."""
        return tuple(named(self.edits))

    def read(self, texts: str) -> list[Callable[[D, Progress], Any]]:
        """Read edits, separated by semicolons; raises StudioError for a text without a form.

        Each makes a new design, or a Generated with the dropped edits; raises StudioError, with its text, if it cannot.
        """
        return [self._read(text) for text in separated(texts) or [""]]

    def _read(self, text: str) -> Callable[[D, Progress], Any]:
        verb = (text.split() or [""])[0]
        shown = repr(text[:MOST_SHOWN]) + ("…" if len(text) > MOST_SHOWN else "")
        form = one_named({form.split()[0]: form for form in self.forms}, verb.lower(), tr("Unknown edit"))
        pattern = re.sub(r" \[(.*?)\]", r"(?: \1)?", form).replace(" ", r"\s++").replace(",", r",\s*+")
        for word in re.findall("[A-Z]+", form):
            pattern = pattern.replace(word, f"(?P<{word.lower()}>{FORMED.get(word, '.+?')})")
        match = re.fullmatch(pattern, text, re.IGNORECASE)
        try:
            if match is None:
                raise ValueError
            values = {name: READ.get(name, str)(word) for name, word in match.groupdict().items() if word}
        except ValueError:
            raise StudioError(tr("{text} must have the form `{form}`.", text=shown, form=form)) from None

        def edited(design: D, progress: Progress) -> Any:
            try:
                return named(self.edits)[form](design, progress, **values)
            except StudioError as problem:
                raise StudioError(tr("{text} is not possible: {problem}", text=shown, problem=problem)) from problem

        return edited


class Mended(Protocol[D_co]):
    """A repaired design."""

    @property
    def design(self) -> D_co:
        """Repaired design."""

    @property
    def left(self) -> tuple[str, ...]:
        """Problems that remain and why, in sentences."""


@dataclass(frozen=True)
class Repairable(Ability, Generic[D]):
    """Solves all problems of a design at once, by few and small changes."""

    lacking: ClassVar[str] = tr("There is no automatic repair for {key} puzzles.")

    repair: Callable[[D, Progress], Mended[D]]


@dataclass(frozen=True)
class Distinguishable(Ability, Generic[D]):
    """Reshapes pieces until each fits in a single place at a clearance in mm, as far as possible."""

    lacking: ClassVar[str] = tr("Pieces of {key} puzzles cannot be made unique.")

    unique: Callable[[D, float, Progress], Mended[D]]


# Conversion: designs are read from and written to files of other programs


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
