"""Opens the window; it loads no more than that needs, so that a start waits for nothing else."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator, Sequence
from pathlib import Path

from studio.base.errors import StudioError
from studio.base.texts import tr


def open_window(files: Sequence[str]) -> int:
    """Open the window on some files."""
    # Objects made at the start stay, so collecting garbage is in vain; the window collects once it is painted.
    gc.disable()
    try:
        with qt():
            from studio.ui.shell.app import run
        return run([Path(file) for file in files])
    finally:
        gc.enable()


@contextlib.contextmanager
def qt() -> Iterator[None]:
    """Turn a failed import of Qt, as without a library of the system, into a StudioError with one sentence."""
    try:
        yield
    except ModuleNotFoundError:
        raise
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] not in ("PySide6", "shiboken6"):
            raise
        raise StudioError(
            tr("Qt cannot be loaded ({problem}). Run `python3 go.py setup` for help.", problem=problem)
        ) from problem
