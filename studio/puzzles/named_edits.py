"""Edits, sorted by the names of their elements: how every kind of puzzle keeps them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Protocol, TypeVar

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.texts import tr, visible


class Edit(Protocol):
    """The maker's decision for one element."""

    @property
    def name(self) -> str:
        """The element's name."""


@dataclass(frozen=True)
class Decision:
    """The maker's decision on an element's random values; each field has a default that leaves it random."""

    name: str

    @property
    def is_blank(self) -> bool:
        """True if every field has its default."""
        return self == type(self)(self.name)


E = TypeVar("E", bound=Edit)
D = TypeVar("D", bound=Decision)
T = TypeVar("T")


def refuse_beyond(edit: Edit, **most: int) -> None:
    """Raise ParameterError for a field that is no whole number from 0 to its most, nor None as its default."""
    for name, largest in most.items():
        value = getattr(edit, name)
        if value is None and getattr(type(edit), name) is None:
            continue
        if type(value) is not int or not 0 <= value <= largest:
            raise ParameterError(
                name,
                tr("{name} must be 0 to {largest}, not {value}.", name=name, largest=largest, value=str(value)[:40]),
            )


def refuse_disorder(edits: Sequence[Edit]) -> None:
    """Raise ParameterError for two edits of one element, and for edits that are not sorted by name."""
    for before, after in pairwise(edit.name for edit in edits):
        if before >= after:
            problem = (
                tr("{name} is edited twice.", name=after) if before == after else tr("Edits must be sorted by name.")
            )
            raise ParameterError(after, problem)


def found(edits: Sequence[E], name: str) -> E | None:
    """The edit of an element; None if it has none."""
    at = bisect_left(edits, name, key=attrgetter("name"))
    return edits[at] if at < len(edits) and edits[at].name == name else None


def indices_of(known: Mapping[str, T], names: Iterable[str]) -> list[T]:
    """The indices of elements by name; raises StudioError for an unknown name."""
    for name in names:
        if name not in known:
            raise StudioError(tr("There is no {name} on the board.", name=visible(name[:40])))
    return [known[name] for name in names]


def parted(edits: Iterable[E], names: Container[str]) -> tuple[tuple[E, ...], tuple[str, ...]]:
    """Split edits: the ones with elements in `names`, and the names of the rest."""
    edits = tuple(edits)
    kept = tuple(edit for edit in edits if edit.name in names)
    return kept, tuple(edit.name for edit in edits if edit.name not in names)


def merged(edits: tuple[E, ...], changes: Iterable[E], gone: Iterable[str] = ()) -> tuple[E, ...]:
    """The edits, sorted by name, with some put in or replaced and some taken out; the rest are the same objects."""
    changes, gone = list(changes), list(gone)
    if len(changes) + len(gone) <= 8:
        result = list(edits)
        for edit in changes:
            at = bisect_left(result, edit.name, key=attrgetter("name"))
            result[at : at + (at < len(result) and result[at].name == edit.name)] = [edit]
        for name in gone:
            at = bisect_left(result, name, key=attrgetter("name"))
            del result[at : at + (at < len(result) and result[at].name == name)]
        return tuple(result)
    by_name = {edit.name: edit for edit in edits} | {edit.name: edit for edit in changes}
    for name in gone:
        by_name.pop(name, None)
    return tuple(sorted(by_name.values(), key=attrgetter("name")))


def changed(edits: tuple[D, ...], changes: Iterable[D]) -> tuple[D, ...]:
    """The edits, sorted by name, with some put in or replaced; a blank one takes the edit away."""
    changes = list(changes)
    return merged(edits, (edit for edit in changes if not edit.is_blank), (e.name for e in changes if e.is_blank))
