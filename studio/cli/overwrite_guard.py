"""Refuses to replace work: designs and saved games are never lost to a command that may not replace them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from glob import escape
from pathlib import Path

from studio.base.errors import StudioError
from studio.base.json_files import holds_work
from studio.base.texts import tr
from studio.cli.arguments import argument
from studio.files.store import Saved, digest_of

REPLACE = argument("--force", action="store_true", help=tr("replace an existing file"))
REPLACE_WORK = argument("--force", action="store_true", help=tr("replace even a design or a saved game"))


def refuse_existing(out: str, *, force: bool, own: str | None = None) -> None:
    """Raise StudioError where a new design would replace a file other than `own`, the one that it is made from."""
    if force or out == "-" or not os.path.isfile(out) or (own is not None and is_same(out, own)):
        return
    raise StudioError(tr("{out} already exists. Add --force to replace it.", out=out))


def refuse_work(targets: Iterable[Path], *, force: bool) -> None:
    """Raise StudioError where an export, or one of its sheets, would replace a design or a saved game."""
    for target in () if force else targets:
        sheets = target.parent.glob(f"{escape(target.stem)}-*{escape(target.suffix)}")
        for path in (target, *sorted(sheets)):
            if holds_work(path):
                raise StudioError(tr("{path} is a design or a saved game. Add --force to replace it.", path=path))


def refuse_changed(file: str, out: str, saved: Saved, *, force: bool = False) -> None:
    """Raise StudioError where a file is to be replaced by what was made of it, and has changed meanwhile."""
    if force or out == "-" or not is_same(out, file) or digest_of(Path(file)) in (None, saved.digest):
        return
    raise StudioError(
        tr("Nothing was written: another program has just changed {file}. Run the command again.", file=file)
    )


def is_same(out: str, file: str) -> bool:
    """Whether two paths are one file."""
    return out != "-" and os.path.exists(out) and os.path.samefile(out, file)
