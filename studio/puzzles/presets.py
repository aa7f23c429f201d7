"""Presets: named values for some parameters of a kind, the studio's and makers' own.

The studio's are one JSON file for each kind in resources/presets, in the order of menus; makers' own are one file each
in the folder `presets` of their settings, read anew at each request. An unusable file is left out, and `broken` reports
it. A preset changes neither the seed nor any edit that still fits.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from studio.base.encode import members
from studio.base.errors import StudioError, one_named
from studio.base.folders import (
    SUFFIX,
    delete_own,
    fresh,
    key_of,
    own_files,
    own_path,
    refuse_key,
    refuse_title,
    shipped,
    write_own,
)
from studio.base.json_files import read
from studio.base.parameters import ParameterError, checked, declaration, declarations
from studio.base.texts import tr
from studio.puzzles.kind import AnyKind

FOLDER = "presets"
LARGEST = 2**16
"""Bytes of the largest file of presets; a preset of all parameters has some 2,000."""
MOST_OWN = 100
"""Makers' own presets of one kind that are offered."""
LONGEST_TITLE = 60


@dataclass(frozen=True)
class Preset:
    """Values of some parameters under a key, with a title and perhaps a note; `own` if the maker saved it."""

    key: str
    title: str
    note: str
    values: Mapping[str, Any]
    own: bool = False

    def is_in(self, parameters: Any) -> bool:
        """True if the parameters have all these values."""
        return all(getattr(parameters, name) == value for name, value in self.values.items())

    def applied(self, parameters: Any) -> Any:
        """Other parameters with these values; raises ParameterError if they do not go together."""
        return replace(parameters, **self.values)


def presets(kind: AnyKind) -> tuple[Preset, ...]:
    """All presets of a kind that can be used: the studio's, then the maker's own by title."""
    return (*shipped_presets(kind), *_own(kind)[0])


def preset(kind: AnyKind, key: str) -> Preset:
    """The preset with a key; raises StudioError with the known keys, or with the problem of its file."""
    good, bad = _own(kind)
    if key in bad:
        raise StudioError(bad[key])
    return one_named({one.key: one for one in (*shipped_presets(kind), *good)}, key, tr("Unknown preset"))


def broken(kind: AnyKind) -> dict[str, str]:
    """The files of the maker's own presets of a kind that cannot be used: for the key of each a sentence that says why.

    Without a key it is about all of them.
    """
    return _own(kind)[1]


def shipped_presets(kind: AnyKind) -> tuple[Preset, ...]:
    """The presets of a kind that come with the studio; empty for a kind without a file of presets."""
    path = shipped(FOLDER) / f"{kind.key}{SUFFIX}"
    if not os.path.isfile(path):
        return ()
    try:
        data = read(path, LARGEST)
        return tuple(_preset(kind, key, one, own=False) for key, one in data.items())
    except StudioError as problem:
        raise _unusable(path.name, problem) from problem


def keep(kind: AnyKind, title: str, parameters: Any) -> Preset:
    """Save all values of some parameters but the seed as a preset of the maker's own, and return it.

    It replaces a preset of the same title. Raises StudioError if it cannot be saved.
    """
    title = title.strip()
    values = _portable(kind, parameters)
    good, bad = _own(kind)
    same = next((one.key for one in good if one.title == title), None)
    taken = {one.key for one in (*shipped_presets(kind), *good)} | set(bad)
    made = Preset(key_of(title, taken, "preset") if same is None else same, title, "", values, own=True)
    if same is None and len(good) + len(bad) >= MOST_OWN:
        raise StudioError(tr("There are {most} presets already; delete one first.", most=MOST_OWN))
    content = {"title": made.title, "note": made.note, "values": values}
    _preset(kind, made.key, content, own=True)
    write_own(own_path(_folder(kind), made.key), content)
    return made


def forget(kind: AnyKind, key: str) -> None:
    """Delete one of the maker's own presets, usable or not; raise StudioError on failure."""
    refuse_key(key)
    delete_own(own_path(_folder(kind), key))


def unused_title(kind: AnyKind) -> str:
    """A title for another preset of the maker's own."""
    return fresh(tr("My {kind}", kind=kind.noun), {one.title for one in presets(kind)}, " ")


def _own(kind: AnyKind) -> tuple[list[Preset], dict[str, str]]:
    """The maker's usable presets, by title, and the problems of unusable ones, by key."""
    good: list[Preset] = []
    bad: dict[str, str] = {}
    try:
        paths = own_files(_folder(kind))[:MOST_OWN]
    except StudioError as problem:
        return [], {"": str(problem)}
    shipped_keys = {one.key for one in shipped_presets(kind)}
    for path in paths:
        try:
            if path.stem in shipped_keys:
                raise StudioError(tr("there is a preset of the studio with this key; rename the file."))
            good.append(_preset(kind, path.stem, read(path, LARGEST), own=True))
        except StudioError as problem:
            bad[path.stem] = str(_unusable(f"{kind.key}/{path.name}", problem))
    return sorted(good, key=lambda one: one.title.casefold()), bad


def _preset(kind: AnyKind, key: str, data: Any, *, own: bool) -> Preset:
    """Read a preset from JSON values; raise StudioError if they are invalid for this kind."""
    refuse_key(key)
    members(data, "", {"title": True, "note": False, "values": True})
    refuse_title(data["title"])
    note, values = data.get("note", ""), data["values"]
    if not isinstance(note, str) or not note.isprintable():
        raise StudioError(tr("The note must be text, not {note!r}.", note=note))
    members(values, "values", {known.name: False for known in declarations(kind.parameters)})
    good = {name: checked(declaration(kind.parameters, name), value) for name, value in values.items()}
    if len(data["title"]) > LONGEST_TITLE:
        raise StudioError(tr("The title has more than {most} characters.", most=LONGEST_TITLE))
    made = Preset(key, data["title"], note, good, own)
    made.applied(kind.parameters())
    return made


def _portable(kind: AnyKind, parameters: Any) -> dict[str, Any]:
    """The parameters' values without the seed and without any that need more, such as an outline that needs a file."""
    known = (one.name for one in declarations(kind.parameters) if one.type != "seed")
    values = {name: getattr(parameters, name) for name in known}
    while values:
        try:
            kind.parameters(**values)
        except ParameterError as problem:
            if values.pop(problem.name, None) is None:
                raise
        else:
            break
    return values


def _folder(kind: AnyKind) -> str:
    return f"{FOLDER}/{kind.key}"


def _unusable(name: str, problem: StudioError) -> StudioError:
    return StudioError(tr("{file} cannot be used: {problem}", file=f"{FOLDER}/{name}", problem=problem))
