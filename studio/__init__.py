"""Puzzle Studio: design puzzles, check them, and take them to the laser cutter or printer.

From Python: `from studio import new, load, save, check, repair, solve, grade, plan, export, kinds`.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
PROGRAM = f"Puzzle Studio {__version__}"
"""Which program wrote a file, as exported files say."""
DESKTOP_ID = "org.puzzlestudio.PuzzleStudio"
"""Name of the program's files among those of a desktop."""
FOR_PYTHON = ("check", "export", "grade", "kinds", "load", "new", "plan", "repair", "save", "solve")
"""Functions of `studio/api.py`, which is loaded when one of them is first used."""


def __getattr__(name: str) -> Any:
    if name in FOR_PYTHON:
        return getattr(import_module("studio.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
