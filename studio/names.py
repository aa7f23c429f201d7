"""Names of columns and cells, as makers read them from a grid: `C4` is the third column and the fourth row."""

from __future__ import annotations

import re


def letters(number: int) -> str:
    """The letters of a column: A … Z, AA … for 0 … 25, 26 …"""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


def cell_name(column: int, row: int) -> str:
    """The name of a cell, both counted from 0."""
    return f"{letters(column)}{row + 1}"


def cell_place(name: str) -> tuple[int, int] | None:
    """The column and the row of a cell, counted from 0; None where the name is none that `cell_name` gives."""
    match = re.fullmatch("([A-Z]{1,4})([1-9][0-9]{0,5})", name)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return column - 1, int(match[2]) - 1
