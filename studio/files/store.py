"""Opens, saves and imports puzzle files and games.

A puzzle file is JSON text in which one edit is one line, written whole or not at all; a game has its moves as texts,
one a line, for a design that is saved elsewhere. Files and texts of other programs are imported by the kinds that read
them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.base.amounts import many
from studio.base.atomic import write_bytes
from studio.base.encode import Base64, decode, encode, members, shown
from studio.base.errors import StudioError
from studio.base.json_files import Repeated, content, parsed
from studio.base.progress import SILENT, Progress
from studio.base.texts import alternatives, tr, visible
from studio.puzzles import registry
from studio.puzzles.abilities.ability import Convertible, Source
from studio.puzzles.abilities.playable import MOST_MOVES, Log, Playable
from studio.puzzles.kind import AnyKind

if TYPE_CHECKING:
    from studio.files.imported_paths import Reading

FORMAT = "puzzle-studio"
VERSION = 1
LARGEST = 64 * 2**20
"""Bytes of the largest file that is opened; the largest board with every element edited takes a fifth."""
MOST_FILES = 2_000
"""Limit for the files of one puzzle: the pieces of the largest board, and its border."""
LONGEST_TEXT = 2**20
"""Bytes of the largest file, or letters of the longest text, that is recognised as a puzzle by its text."""
MOST_SHOWN = 24
"""Letters of a text quoted as its name."""
DRAWINGS, CUT_BY_DRAWINGS = (".svg", ".dxf"), "jigsaw"
"""Suffixes of drawings, and the kind of puzzle whose cuts they are imported as."""
GAME_SUFFIX = ".game"
GAME_FORMAT = "puzzle-studio game"
GAME_VERSION = 1
LARGEST_GAME = 4 * 2**20
"""Bytes of the largest file that is opened; the longest game of pieces with long names takes a quarter."""


@dataclass(frozen=True)
class Saved:
    """A design and its kind of puzzle."""

    kind: AnyKind
    design: Any
    digest: str = field(default="", compare=False)
    """Hash of the file it was read from, as `digest_of` gives it; empty for a design from elsewhere."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """Remarks of the import: gaps closed, lines left out."""
    name: str = field(default="", compare=False)
    """Name of the file or folder that it was imported from, without its ending."""


def load(path: Path) -> Saved:
    """Load a design from a file; raises StudioError, a sentence with the file's name, if it holds none.

    >>> from studio.puzzles.registry import kind
    >>> saved = save(Path("mine.puzzle"), kind("cube"), kind("cube").example())
    >>> load(Path("mine.puzzle")).digest == saved
    True
    """
    try:
        data = content(path, LARGEST)
        return replace(loads(data), digest=digest(data))
    except StudioError as problem:
        raise StudioError(tr("Cannot open {file}: {problem}", file=path.name or path, problem=problem)) from problem


def loads(data: bytes) -> Saved:
    """Read a design from the bytes of a file; raises StudioError if they hold none.

    >>> from studio.puzzles.registry import kind
    >>> jigsaw = kind("jigsaw")
    >>> saved = loads(dumps(jigsaw, jigsaw.example()))
    >>> saved.kind.key, saved.design.parameters.columns, saved.design == jigsaw.example()
    ('jigsaw', 12, True)
    """
    try:
        value = parsed(data)
        refuse_head(value, FORMAT, VERSION, tr("it is not a Puzzle Studio file."))
        # Files of earlier versions are converted here, before anything else in them is read.
        members(value, "", {"format": True, "version": True, "kind": True, "design": True})
        if not isinstance(value["kind"], str):
            raise StudioError(tr("kind must be a text, not {kind}.", kind=shown(value["kind"])))
        kind = registry.kind(value["kind"])
        design = decode(kind.design, value["design"], "design", kind.parameters)
        kind.verify(design)
        return Saved(kind, design)
    except MemoryError:
        raise StudioError(tr("there is not enough memory to open it.")) from None


def dumps(kind: AnyKind, design: Any) -> bytes:
    """Return a design as the bytes of a file; the same design gives the same bytes."""
    value = {"format": FORMAT, "version": VERSION, "kind": kind.key, "design": encode(design, kind.parameters)}
    return laid_out(value)


def save(path: Path, kind: AnyKind, design: Any) -> str:
    """Write a design to a file, and return its digest; raises StudioError, the file untouched, if that fails."""
    data = dumps(kind, design)
    write_bytes(path, data)
    return digest(data)


def digest(data: bytes) -> str:
    """Hash the bytes of a file."""
    return sha256(data).hexdigest()


def digest_of(path: Path) -> str | None:
    """Hash a file as it is on disk now; None if it does not exist, empty if it cannot be read."""
    try:
        return digest(content(path, LARGEST))
    except StudioError:
        return "" if os.path.lexists(path) else None


def refuse_head(value: Any, form: str, newest: int, otherwise: str) -> None:
    """Raise StudioError, `otherwise` or a better reason, unless a JSON value is an object of a format and version."""
    if not isinstance(value, dict) or value.get("format") != form:
        raise StudioError(otherwise)
    if isinstance(value, Repeated):
        raise StudioError(tr("{name} appears twice.", name=shown(value.name)))
    version = value.get("version")
    if type(version) is not int or version < 1:
        raise StudioError(tr("version must be {newest}, not {version}.", newest=newest, version=shown(version)))
    if version > newest:
        raise StudioError(
            tr("it was saved by a newer version of Puzzle Studio (file version {version}).", version=shown(version))
        )


def laid_out(value: Any) -> bytes:
    """Return a JSON value as the bytes of a file."""
    return (_lines(value, "") + "\n").encode("utf-8")


def _lines(value: Any, indent: str) -> str:
    """JSON text with sorted names, a field a line, and in lists an element a line."""
    if isinstance(value, Base64):
        return f'"{value}"'
    deeper = f"{indent}  "
    if isinstance(value, dict) and value:
        lines = [f"{deeper}{json.dumps(name)}: {_lines(value[name], deeper)}" for name in sorted(value)]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"{deeper}{_line(element)}" for element in value) + f"\n{indent}]"
    return _line(value)


_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True).encode


def import_files(
    paths: Sequence[Path], kind: AnyKind | None, progress: Progress, reading: Reading | None = None
) -> Saved:
    """Import a design from files or folders of files; raises StudioError, with a file's name, if that fails.

    Without `kind`, the file names decide it; a drawing is read as the cuts of a jigsaw, by `reading`.
    """
    if len(paths) == 1 and paths[0].suffix.lower() in DRAWINGS and (kind is None or kind.key == CUT_BY_DRAWINGS):
        from studio.files.drawing_import import READING, read_cuts

        jigsaw = registry.kind(CUT_BY_DRAWINGS)
        blank = jigsaw.generate(jigsaw.parameters(), None, SILENT).design
        design, notes = read_cuts(paths[0], blank, progress, reading or READING)
        return Saved(jigsaw, design, notes=notes, name=paths[0].stem)
    name = files_named(paths)
    try:
        sources = sources_of(paths)
        if len(sources) == 1 and sources[0].suffix not in imported_suffixes():
            sources = [_by_text(sources[0])]
        chosen = _kind_for(sources) if kind is None else kind
        return Saved(chosen, chosen.need(Convertible).read(sources, progress), name=paths[0].stem)
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
        return Saved(chosen, chosen.need(Convertible).read([known[chosen]], progress))
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


def _able() -> dict[AnyKind, Convertible[Any]]:
    return {one: formats for one in registry.kinds() if (formats := one.able(Convertible)) is not None}


def imported_suffixes() -> list[str]:
    """List the suffixes of importable files."""
    able = _able().values()
    own = [suffix for formats in able for one in formats.readers for suffix in one.suffixes]
    return list(dict.fromkeys([*own, *DRAWINGS]))


@dataclass(frozen=True)
class SavedGame:
    """Content of a game file."""

    format: str
    version: int
    kind: str
    design: str
    """Hash of everything in the design that affects a game."""
    target: tuple[str, ...]
    moves: tuple[str, ...]
    at: int
    """Number of moves in force; later ones were taken back."""
    hints: int
    seconds: float


def load_game(path: Path, kind: AnyKind, design: Any, progress: Progress = SILENT) -> Log[Any]:
    """Load a game of the design from a file; raises StudioError, a sentence with the file's name, if it holds none."""
    try:
        return loads_game(content(path, LARGEST_GAME), kind, design, progress)
    except StudioError as problem:
        raise StudioError(tr("Cannot open {file}: {problem}", file=path.name or path, problem=problem)) from problem


def loads_game(data: bytes, kind: AnyKind, design: Any, progress: Progress = SILENT) -> Log[Any]:
    """Read a game of the design from the bytes of a file; raises StudioError if they hold none."""
    played, value = kind.need(Playable), parsed(data)
    refuse_head(value, GAME_FORMAT, GAME_VERSION, tr("it is not a saved game."))
    saved = decode(SavedGame, value, "game", SavedGame)
    if saved.kind != kind.key:
        raise StudioError(tr("it is a {other} game, not a {kind} game.", other=visible(saved.kind[:40]), kind=kind.key))
    if saved.design != essentials_digest(played, design):
        raise StudioError(tr("it is a game of another design."))
    for name, most in (("at", len(saved.moves)), ("hints", MOST_MOVES), ("seconds", 10.0**9)):
        if not 0 <= getattr(saved, name) <= most:
            words = tr(
                "game.{name} must be 0 to {most:g}, not {value}.",
                name=name,
                most=most,
                value=shown(getattr(saved, name)),
            )
            raise StudioError(words)
    log = played.with_moves(design, played.begun(design, saved.target), saved.moves, progress)
    return Log(log.target, log.states, log.moves, saved.at, saved.hints, saved.seconds)


def dumps_game(kind: AnyKind, design: Any, log: Log[Any]) -> bytes:
    """Return a game of a design as the bytes of a file."""
    hashed, seconds = essentials_digest(kind.need(Playable), design), round(log.seconds, 1)
    saved = SavedGame(GAME_FORMAT, GAME_VERSION, kind.key, hashed, log.target, log.moves, log.at, log.hints, seconds)
    return laid_out(encode(saved, SavedGame))


def save_game(path: Path, kind: AnyKind, design: Any, log: Log[Any]) -> None:
    """Write a game to a file; raises StudioError, leaving the file untouched, if it cannot be written whole."""
    write_bytes(path, dumps_game(kind, design, log))


def essentials_digest(played: Playable[Any, Any], design: Any) -> str:
    """Return a hash of everything in a design that affects a game."""
    return sha256(json.dumps(played.essentials(design), sort_keys=True).encode()).hexdigest()
