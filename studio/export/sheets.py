"""What the files of several sheets are called."""

from __future__ import annotations

import os
from pathlib import Path

from studio.base.amounts import abridged
from studio.base.texts import tr

TRAY = "tray"
"""What is added to the name of a file for the sheets of a tray."""


def sheet_paths(path: Path, count: int) -> tuple[Path, ...]:
    """The file of every sheet: `path` itself for one, NAME-1, NAME-2 and so on for more."""
    if count == 1:
        return (path,)
    return tuple(path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, count + 1))


def beside_path(sheet: Path, word: str) -> Path:
    """The file of what goes with a sheet: its name with a word behind it."""
    return sheet.with_name(f"{sheet.stem}-{word}{sheet.suffix}")


def tray_paths(path: Path, count: int) -> tuple[Path, ...]:
    """The files of the sheets of a tray, beside those of the puzzle."""
    return sheet_paths(beside_path(path, TRAY), count) if count else ()


def left_over(path: Path, count: int) -> tuple[Path, ...]:
    """Files beside those of `count` sheets that look like sheets of an older export."""
    paths = [] if count == 1 else [path]
    number = 1 if count == 1 else count + 1
    while os.path.exists(sheet := path.with_name(f"{path.stem}-{number}{path.suffix}")):
        paths.append(sheet)
        number += 1
    return tuple(old for old in paths if os.path.exists(old))


def warned_of(old: tuple[Path, ...]) -> str:
    """A sentence about sheets of an older export; empty where there are none."""
    if not old:
        return ""
    files = abridged([one.name for one in old], 3)
    return tr("Left over from an earlier export: {files}. Delete what you no longer need.", files=files)
