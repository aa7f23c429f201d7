"""Imports designs from other file formats and texts, for the kinds that read them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr
from studio.files.store import LARGEST, Saved
from studio.puzzles import registry
from studio.puzzles.abilities.exchangeable import Exchangeable, Source
from studio.puzzles.kind import AnyKind

MOST_FILES = 2_000
"""Limit for the files of one puzzle: the pieces of the largest board, and its border."""
LONGEST_TEXT = 2**20
"""Bytes of the largest file, or letters of the longest text, that is recognised as a puzzle by its text."""
MOST_SHOWN = 24
"""Letters of a text quoted as its name."""


def import_files(paths: Sequence[Path], kind: AnyKind | None, progress: Progress) -> Saved:
    """Import a design from files or folders of files; raises StudioError, with a file's name, if that fails.

    Without `kind`, the file names decide it.
    """
    name = files_named(paths)
    try:
        sources = sources_of(paths)
        if len(sources) == 1 and sources[0].suffix not in imported_suffixes():
            sources = [_by_text(sources[0])]
        chosen = _kind_for(sources) if kind is None else kind
        return Saved(chosen, chosen.need(Exchangeable).read(sources, progress))
    except StudioError as problem:
        raise StudioError(tr("Cannot import {name}: {problem}", name=name, problem=problem)) from problem


def is_text(text: str) -> bool:
    """True if some kind recognises a text as a puzzle; texts longer than LONGEST_TEXT are not examined."""
    return len(text) <= LONGEST_TEXT and any(formats.source_of(text) is not None for formats in _able().values())


def import_text(text: str, kind: AnyKind | None, progress: Progress) -> Saved:
    """Import a design from a text, such as another program's code for a puzzle; raises StudioError if that fails.

    Without `kind`, the first kind that recognises the text reads it.
    """
    line = text.strip()
    name = tr("the text") if "\n" in line else line if len(line) <= MOST_SHOWN else f"{line[:MOST_SHOWN].rstrip()}…"
    known = {one: source for one, formats in _able().items() if (source := formats.source_of(text)) is not None}
    try:
        chosen = next(iter(known), None) if kind is None else kind
        if chosen is None or chosen not in known:
            raise StudioError(tr("it is not a puzzle in text form."))
        return Saved(chosen, chosen.need(Exchangeable).read([known[chosen]], progress))
    except StudioError as problem:
        raise StudioError(tr("Cannot import {name}: {problem}", name=name, problem=problem)) from problem


def files_named(paths: Sequence[Path]) -> str:
    """Name some files or folders in a sentence."""
    return paths[0].name or str(paths[0]) if len(paths) == 1 else many(len(paths), "file")


def sources_of(paths: Sequence[Path]) -> list[Source]:
    """Read files, and the files in folders; in folders, names that begin with a dot are skipped."""
    found: list[Path] = []
    for path in paths:
        found += _files_in(path) if os.path.isdir(path) else [path]
    if not found:
        raise StudioError(tr("the folder is empty."))
    if len(found) > MOST_FILES:
        raise StudioError(tr("there are {count} files (maximum {most} per puzzle).", count=len(found), most=MOST_FILES))
    return [Source(path.name, _content(path, is_alone=len(found) == 1)) for path in found]


def _files_in(folder: Path) -> list[Path]:
    try:
        return sorted((one for one in folder.iterdir() if os.path.isfile(one) and one.name[0] != "."), key=_in_order)
    except OSError as problem:
        raise StudioError(tr("you have no permission to read the folder.")) from problem


def _by_text(source: Source) -> Source:
    """Give a file of unknown suffix the suffix of its text, such as a saved game; itself if no kind knows the text."""
    if len(source.data) > LONGEST_TEXT:
        return source
    text = source.data.decode("utf-8-sig", "replace")
    return next((known for formats in _able().values() if (known := formats.source_of(text)) is not None), source)


def _in_order(path: Path) -> list[tuple[int, str]]:
    """Sort key for names by the numbers in them: `piece 9` before `piece 10`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", path.name)]


def _content(path: Path, *, is_alone: bool) -> bytes:
    try:
        return content(path, LARGEST)
    except StudioError as problem:
        raise problem if is_alone else StudioError(f"{path.name}: {problem}") from problem


def _kind_for(sources: Sequence[Source]) -> AnyKind:
    """Return the kind that reads files with these names; raises StudioError unless it is the only one."""
    kinds = [one for one, formats in _able().items() if formats.reads(sources)]
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        names = ", ".join(one.key for one in kinds)
        words = tr(
            "it could be several kinds of puzzle ({kinds}); on the command line, choose one with --kind.", kinds=names
        )
        raise StudioError(words)
    raise StudioError(tr("unknown file extension. Use {suffixes}.", suffixes=alternatives(imported_suffixes())))


def _able() -> dict[AnyKind, Exchangeable[Any]]:
    return {one: formats for one in registry.kinds() if (formats := one.able(Exchangeable)) is not None}


def imported_suffixes() -> list[str]:
    """List the suffixes of importable files."""
    able = _able().values()
    return list(dict.fromkeys(suffix for formats in able for one in formats.readers for suffix in one.suffixes))
