"""The command that reads puzzles from files of other forms, and the part of `export` that writes such files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.atomic import write_bytes
from studio.cli.designs import put
from studio.cli.keeping import REPLACE, refuse_existing, refuse_work
from studio.cli.waiting import waiting
from studio.cli.words import Command, ExitCode, answered, is_folder, settings, targets_in, tell, word
from studio.errors import StudioError
from studio.files.importing import import_files, import_text, is_text
from studio.files.store import Saved, load
from studio.progress import Progress
from studio.puzzles import registry
from studio.puzzles.abilities.formats import Formats
from studio.puzzles.kind import AnyKind
from studio.texts import tr

_OF_LASERS = ("machine", "material", "kerf", "strategy", "profile")


def is_for_a_program(words: argparse.Namespace) -> bool:
    """Whether an export asks for a file of another program: by the ending of its file, or by --format."""
    return _suffix(words) in {writer.suffix for formats in _known() for writer in formats.writers}


def _known() -> list[Formats[Any]]:
    return [able for kind in registry.kinds() if (able := kind.able(Formats)) is not None]


def _suffix(words: argparse.Namespace) -> str:
    suffix = Path(words.out).suffix if words.format is None else f".{words.format.lstrip('.')}"
    return str(suffix.lower())


def export_texts(words: argparse.Namespace) -> ExitCode:
    """Write some designs for other programs."""
    for name in _OF_LASERS:
        if getattr(words, name) is not None:
            raise StudioError(
                tr("--{name} is for laser cutters; a {suffix} file has none.", name=name, suffix=_suffix(words))
            )
    suffix = _suffix(words)
    targets = _targets(words, suffix)
    refuse_work(targets, force=words.force)
    done: list[dict[str, Any]] = []
    for file, target in zip(words.files, targets, strict=True):
        saved = load(Path(file))
        writer = saved.kind.need(Formats).writer(suffix)
        options = writer.options(**settings(writer.options, words.settings))
        with waiting() as progress:
            data = writer.write(saved.design, options, progress)
        write_bytes(target, data)
        done.append({"path": str(target), "bytes": len(data)})
    return answered(words, done, *(tr("Wrote {one}.", one=one["path"]) for one in done))


def _targets(words: argparse.Namespace, suffix: str) -> list[Path]:
    path = Path(words.out)
    if is_folder(words.out):
        return targets_in(words.out, words.files, suffix)
    if path.suffix.lower() != suffix:
        raise StudioError(
            tr("--format {format} contradicts the file extension of {name}.", format=words.format, name=path.name)
        )
    if len(words.files) > 1:
        raise StudioError(tr("{files} designs need a folder; {out} is not one.", files=len(words.files), out=words.out))
    return [path]


def _import(words: argparse.Namespace) -> ExitCode:
    kind = None if words.kind is None else registry.kind(words.kind)
    refuse_existing(words.out, force=words.force)
    with waiting() as progress:
        saved = _imported(words.files, kind, progress.part(0.0, 0.5))
        remark = saved.kind.need(Formats).remark(saved.design, progress.part(0.5, 1.0))
    code = put(saved, words.out)
    if remark:
        tell(remark)
    return code


def _imported(words: Sequence[str], kind: AnyKind | None, progress: Progress) -> Saved:
    """The puzzle in files, or in one word that is no file but a text that some kind reads."""
    if "" in words:
        raise StudioError(tr("Name a file or a text to import."))
    if len(words) == 1 and not os.path.exists(words[0]) and is_text(words[0]):
        return import_text(words[0], kind, progress)
    return import_files([Path(word) for word in words], kind, progress)


COMMANDS: dict[str, Command] = {
    "import": Command(
        _import,
        tr("import a puzzle from another file format or from text"),
        word("files", metavar="FILE", nargs="+", help=tr("a file, a folder, or a text such as a Loopy game ID")),
        word("-o", dest="out", metavar="OUT", required=True, help=tr("the .puzzle file; - for standard output")),
        word("--kind", metavar="KIND", help=tr("the kind of puzzle, if the files do not say")),
        REPLACE,
        description=tr(
            "Import a puzzle from another file format, such as a zigzaw's pieces and border in JSON, "
            "or from text: a slitherlink's Loopy game ID or puzz.link address (nothing is fetched "
            "from the network)."
        ),
    )
}
