"""The boards that come with the studio, read from resources/boards/.

A file has `cells`, rows of words: a label, `.` for a cell without one, `#` where there is none; `groups`, the labels of
each in the order of their values; and `pieces`, the rows of each by its name.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from studio.geometry.names import cell_name
from studio.puzzles.calendar.model import CELL, NOTHING, Board, BuiltIn, Label, Piece

FOLDER = Path(__file__).parents[3] / "resources" / "boards"


@cache
def read(name: str) -> BuiltIn:
    """A built-in board by its name, and its pieces."""
    known = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    values = {
        text: (group, value) for group, texts in known["groups"].items() for value, text in enumerate(texts, 1)
    }  # fmt: skip
    words = [row.split() for row in known["cells"]]
    rows = tuple("".join(NOTHING if word == NOTHING else CELL for word in row) for row in words)
    labels = [
        Label(cell_name(column, row), *values[word], word)
        for row, line in enumerate(words)
        for column, word in enumerate(line)
        if word not in (CELL, NOTHING)
    ]
    pieces = tuple(
        Piece(piece, tuple(lines), colour) for colour, (piece, lines) in enumerate(known["pieces"].items())
    )  # fmt: skip
    return BuiltIn(Board(rows, tuple(sorted(labels, key=lambda label: label.name))), pieces)
