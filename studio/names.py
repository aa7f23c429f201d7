"""Names of columns and cells, as makers read them from a grid: `C4` is the third column and the fourth row."""

from __future__ import annotations


def letters(number: int) -> str:
    """The letters of a column, counted from 0: A to Z, then AA, AB and so on."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


def cell_name(column: int, row: int) -> str:
    """The name of a cell, both counted from 0.

    >>> cell_name(2, 3), cell_name(26, 0)
    ('C4', 'AA1')
    """
    return f"{letters(column)}{row + 1}"
