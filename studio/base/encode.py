"""Designs, and tables, as plain JSON values and back, by the declared types of their fields; libraries of such values.

element: one entry of a list in a design, such as a moved corner.

Files are sparse: a field at its default is left out, so that an edit is one short line. Only parameters are written
in full, since a later studio may have other defaults; a parameter that joined its kind later is left out at the value
that older files mean, so that these keep their meaning. Every value read is checked against the design's own rules; a
misfit becomes one sentence with its place, `design.corners[3].right`. Bytes, such as a picture's, are base64 text.
"""

from __future__ import annotations

import dataclasses
import math
import types
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache, lru_cache
from operator import attrgetter, eq
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, get_args, get_origin, get_type_hints

from studio.base.amounts import many
from studio.base.errors import StudioError, one_named
from studio.base.folders import delete_own, key_of, own_files, own_path, write_own
from studio.base.json_files import Repeated, read
from studio.base.parameters import ParameterError, is_later, left_out
from studio.base.texts import tr

T = TypeVar("T")
_WORDS: dict[Any, str] = {
    int: tr("a whole number"),
    float: tr("a number"),
    str: tr("a text"),
    bool: tr("true or false"),
}
LARGEST_BYTES = 32 * 2**20
"""Largest picture, or other bytes, in a file."""
_LONGEST_BASE64 = 4 * -(-LARGEST_BYTES // 3)
_LONGEST_SHOWN = 40
"""Letters of a refused value quoted in a sentence."""


def encode(value: Any, parameters: type[Any]) -> Any:
    """Encode a design, or a part of it, as JSON values; an object of the class `parameters` keeps every field."""
    if isinstance(value, tuple):
        return [encode(part, parameters) for part in value]
    if isinstance(value, bytes):
        return _base64(value)
    if not dataclasses.is_dataclass(value):
        return value
    return {
        field.name: encode(part, parameters)
        for field in _fields(_Owner(type(value), parameters))
        if (part := getattr(value, field.name)) != field.left_out or field.required
    }


class Base64(str):
    """Bytes as base64 text, which JSON writes without escapes."""


@lru_cache(maxsize=4)
def _base64(data: bytes) -> Base64:
    """Encode bytes as base64, cached, since a picture is the same in every edit of its design."""
    return Base64(b64encode(data).decode("ascii"))


def decode(wanted: type[T], data: Any, where: str, parameters: type[Any]) -> T:
    """Decode an object of a dataclass from the JSON values of `encode`; `where` is its place in the file.

    Raises StudioError for anything that is missing, unknown, of a wrong type, not finite or out of bounds.
    """
    found: T = _decoded(wanted, data, where, parameters)
    return found


class _Field(NamedTuple):
    name: str
    hint: Any
    left_out: Any
    required: bool


class _Owner(NamedTuple):
    """A dataclass, and the parameters class of its design."""

    kind: Any
    parameters: Any


@cache
def _fields(owner: _Owner) -> tuple[_Field, ...]:
    """Fields of a dataclass; required are parameters, except later ones, and fields without a default."""
    hints = get_type_hints(owner.kind)
    return tuple(
        _Field(
            field.name,
            hints[field.name],
            left_out(field),
            field.default is dataclasses.MISSING
            or (owner.parameters in (owner.kind, hints[field.name]) and not is_later(field)),
        )
        for field in dataclasses.fields(owner.kind)
    )


def _decoded(hint: Any, data: Any, where: str, parameters: type[Any]) -> Any:
    if hint in _WORDS:
        return _scalar(hint, data, where)
    if dataclasses.is_dataclass(hint):
        return _object(hint, data, where, parameters)
    if isinstance(hint, type) and issubclass(hint, Enum):
        known = {one.value: one for one in hint}
        if not isinstance(data, str) or data not in known:
            raise _misfit(where, tr("one of {known}", known=", ".join(known)), data)
        return known[data]
    if hint is bytes:
        return _bytes(data, where)
    if get_origin(hint) is tuple:
        return tuple(
            _decoded(element, part, f"{where}[{i}]", parameters)
            for i, (element, part) in enumerate(_elements(hint, data, where))
        )
    (some,) = (one for one in get_args(hint) if one is not types.NoneType)
    return None if data is None else _decoded(some, data, where, parameters)


def _object(owner: Any, data: Any, where: str, parameters: type[Any]) -> Any:
    fields = _fields(_Owner(owner, parameters))
    members(data, where, {field.name: field.required for field in fields})
    values = {
        field.name: _decoded(field.hint, data[field.name], f"{where}.{field.name}", parameters)
        if field.name in data
        else field.left_out
        for field in fields
    }
    # Who edits a file by hand need not know that edits are kept in the order of their names.
    for name in getattr(owner, "BY_NAME", ()):
        values[name] = tuple(sorted(values.get(name, ()), key=lambda edit: getattr(edit, "name", edit)))
    try:
        return owner(**values)
    except StudioError as problem:
        sentence = str(problem)
        named = isinstance(problem, ParameterError) and problem.name in data and sentence.startswith(problem.name)
        raise StudioError(f"{where}{'.' if named else ': '}{sentence}") from problem


def members(data: Any, where: str, names: dict[str, bool]) -> None:
    """Raise StudioError unless `data` is an object with all required names and no unknown one."""
    if not isinstance(data, dict):
        raise _misfit(where or "it", tr("an object"), data)
    if isinstance(data, Repeated):
        raise StudioError(tr("{inside} appears twice.", inside=_inside(where, data.name)))
    for name in data:
        if name not in names:
            raise StudioError(tr("{inside} is unknown.", inside=_inside(where, name)))
    for name, required in names.items():
        if required and name not in data:
            raise StudioError(tr("{inside} is missing.", inside=_inside(where, name)))


def _scalar(wanted: type[Any], data: Any, where: str) -> Any:
    if wanted is float and type(data) is int:
        try:
            return float(data)
        except OverflowError:
            raise _misfit(where, "a number", math.inf) from None
    good = type(data) is wanted
    if wanted is float:
        good = good and math.isfinite(data)
    elif wanted is str:
        good = good and not any("\ud800" <= letter <= "\udfff" for letter in data)
    if not good:
        raise _misfit(where, _WORDS[wanted], data)
    return data


def _elements(hint: Any, data: Any, where: str) -> list[tuple[Any, Any]]:
    """Pair the elements of a list with the types declared for their places."""
    wanted = get_args(hint)
    if not isinstance(data, list):
        raise _misfit(where, tr("a list"), data)
    if wanted[-1] is ...:
        return [(wanted[0], part) for part in data]
    if len(data) != len(wanted):
        raise StudioError(
            tr("{where} must have {wanted} elements, not {count}.", where=where, wanted=len(wanted), count=len(data))
        )
    return list(zip(wanted, data, strict=True))


def _bytes(data: Any, where: str) -> bytes:
    """Decode base64 text; raises StudioError if it is invalid or too long."""
    if not isinstance(data, str):
        raise _misfit(where, tr("base64 text"), data)
    if len(data) > _LONGEST_BASE64:
        raise StudioError(tr("{where} is larger than {most} MB.", where=where, most=LARGEST_BYTES // 2**20))
    try:
        found = b64decode(data, validate=True)
    except ValueError:
        raise StudioError(tr("{where} is not base64 text, or it is truncated.", where=where)) from None
    if _base64(found) != data:
        raise StudioError(tr("{where} is not valid base64.", where=where))
    return found


def _misfit(where: str, wanted: str, data: Any) -> StudioError:
    return StudioError(tr("{where} must be {wanted}, not {shown}.", where=where, wanted=wanted, shown=shown(data)))


def shown(data: Any) -> str:
    """Describe a value from a file in words, short enough for a sentence."""
    if isinstance(data, dict):
        return tr("an object")
    if isinstance(data, list):
        return tr("a list")
    if data is None or isinstance(data, bool):
        return {None: "null", True: "true", False: "false"}[data]
    if isinstance(data, float) and not math.isfinite(data):
        return "NaN" if math.isnan(data) else tr("an infinite number")
    if isinstance(data, str):
        return repr(data[:_LONGEST_SHOWN]) + ("…" if len(data) > _LONGEST_SHOWN else "")
    return _cut(str(data))


def _inside(where: str, name: str) -> str:
    """Place of a field, `design.corners[3].right`; at the top of a file only its name."""
    return f"{where}.{_cut(name)}" if where else _cut(name)


def _cut(text: str) -> str:
    """Shorten a text for a sentence, with unprintable characters escaped."""
    printable = repr(text[: _LONGEST_SHOWN + 1])[1:-1]
    return printable if len(text) <= _LONGEST_SHOWN else f"{printable[:_LONGEST_SHOWN]}…"


# Libraries: items of a maker's own, kept across puzzles

MOST_OWN = 2000
"""Limit for the items of a library."""
MOST_TAG = 40
"""Most characters of a tag."""


class Titled(Protocol):
    """A dataclass with a title."""

    @property
    def title(self) -> str:
        """One line of text."""


Item = TypeVar("Item", bound=Titled)


@dataclasses.dataclass(frozen=True, eq=False)
class Kept(Generic[Item]):
    """An item of a library: its key, which names its file, and its tags."""

    key: str
    item: Item
    tags: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Library(Generic[Item]):
    """Items of one sort, such as `figure`, in user files of at most `largest` bytes, each with a title and tags.

    `load` makes an item of the JSON value in a file of a name, and raises StudioError; `content` is the reverse.
    """

    sort: str
    largest: int
    load: Callable[[Any, str], Item]
    content: Callable[[Item], dict[str, Any]]
    is_same: Callable[[Item, Item], bool] = eq

    @property
    def folder(self) -> str:
        """Folder of the files among those of the user."""
        return f"{self.sort}s"

    def items(self) -> tuple[tuple[Kept[Item], ...], tuple[str, ...]]:
        """The items by key, and sentences about files that cannot be read."""
        found, problems = list[Kept[Item]](), list[str]()
        for path in own_files(self.folder)[:MOST_OWN]:
            try:
                content = read(path, self.largest)
                tags = content.pop("tags", []) if isinstance(content, dict) else []
                named = decode(_Tags, {"tags": tags}, path.name, object).tags
                found.append(Kept(path.stem, self.load(content, path.name), named))
            except StudioError as problem:
                problems.append(tr("{path} is left out: {problem}", path=path, problem=problem))
        return tuple(sorted(found, key=attrgetter("key"))), tuple(problems)

    def named(self, key: str) -> Kept[Item]:
        """The item with a key. Raise StudioError if there is none."""
        return one_named({one.key: one for one in self.items()[0]}, key, _UNKNOWN[self.sort])

    def keep(self, item: Item, tags: Sequence[str] = ()) -> Kept[Item]:
        """Add an item; the same one again only gets the tags. Raise StudioError if the library is full."""
        paths = own_files(self.folder)
        found = self.items()[0]
        same = (one.key for one in found if one.item.title == item.title and self.is_same(one.item, item))
        key = next(same, "")
        if not key and len(paths) >= MOST_OWN:
            raise StudioError(tr("The library is full: {items}.", items=many(MOST_OWN, self.sort)))
        named = tuple(dict.fromkeys(word for tag in tags if (word := " ".join(tag.split())[:MOST_TAG])))
        return self._put(Kept(key or key_of(item.title, [path.stem for path in paths], self.sort), item, named))

    def renamed(self, kept: Kept[Item], title: str) -> Kept[Item]:
        """Give an item another title; its key stays. One without a key is not in the library, and not written."""
        named = dataclasses.replace(kept, item=dataclasses.replace(kept.item, title=title))  # type: ignore[type-var]
        return self._put(named) if named.key else named

    def _put(self, kept: Kept[Item]) -> Kept[Item]:
        write_own(own_path(self.folder, kept.key), self.content(kept.item) | {"tags": [*kept.tags]})
        return kept

    def discard(self, key: str) -> None:
        """Remove an item. Raise StudioError if it is not there."""
        delete_own(own_path(self.folder, self.named(key).key))


@dataclasses.dataclass(frozen=True)
class _Tags:
    tags: tuple[str, ...] = ()


_UNKNOWN = {"figure": tr("Unknown figure of the library"), "tongue": tr("Unknown tongue of the library")}
