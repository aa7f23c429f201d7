"""What the files of several sheets are called."""

from __future__ import annotations

from pathlib import Path


def sheet_paths(path: Path, count: int) -> tuple[Path, ...]:
    """The file of every sheet: `path` itself for one, NAME-1, NAME-2 and so on for more."""
    if count == 1:
        return (path,)
    return tuple(path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, count + 1))
