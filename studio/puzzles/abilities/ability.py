"""Base of all abilities, and the abilities that need only a function or two."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from studio.base.errors import StudioError, one_named
from studio.base.lazy import named
from studio.base.parameters import parse_length
from studio.base.progress import Progress
from studio.base.texts import tr

D = TypeVar("D")
D_co = TypeVar("D_co", covariant=True)


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
    """Replaces each text of a design's edits by the result of a function."""

    lacking: ClassVar[str] = tr("There are no texts in {key} puzzles.")

    inscribed: Callable[[D, Callable[[str], str]], D]


@dataclass(frozen=True)
class Editable(Ability, Generic[D]):
    """Edits designs by texts such as `corner 4,2 to 101.5,60`.

    The table named `edits` has a function for each form of a text, such as `corner NAME to X,Y`; it takes design,
    progress and the words in capitals: NAMES as a list, one letter as a length in mm or an angle. Words in brackets may
    be missing.
    """

    lacking: ClassVar[str] = tr("Only the parameters of {key} puzzles can be edited by command.")

    edits: str

    def edited(self, design: D, text: str, progress: Progress) -> Any:
        """A new design, or a Generated with the dropped edits; raises StudioError, with the text, if that fails."""
        edits: Mapping[str, Callable[..., Any]] = named(self.edits)
        form = one_named({form.split()[0]: form for form in edits}, text.split(" ")[0], tr("Unknown edit"))
        pattern = re.sub(r" \[(.*?)\]", r"(?: \1)?", form)
        for word in re.findall("[A-Z]+", form):
            some = ".+?" if word[1:] else "[^ ,]+"
            pattern = pattern.replace(word, f"(?P<{word.lower()}>{some})")
        match = re.fullmatch(pattern, text)
        read = {"names": str.split} | dict.fromkeys("xyht", parse_length)
        try:
            words = {} if match is None else {name: word for name, word in match.groupdict().items() if word}
            values = {name: read.get(name, str)(word) for name, word in words.items()}
            if not values:
                raise ValueError
        except ValueError:
            raise StudioError(tr("{text!r} must have the form `{form}`.", text=text, form=form)) from None
        try:
            return edits[form](design, progress, **values)
        except StudioError as problem:
            raise StudioError(tr("{text!r} is not possible: {problem}", text=text, problem=problem)) from problem


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
