"""Names of cells and columns, and texts safe in the cells of a spreadsheet.

`C4` is the third column and the fourth row.
"""

from __future__ import annotations

import re

# Beginnings that spreadsheets read as a formula, and numbers, which they read as numbers.
_FORMULA = re.compile(r"\s*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")


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


def as_cell(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; a number gets none.

    >>> as_cell("=SUM(A1)"), as_cell("-0.5"), as_cell("Ann")
    ("'=SUM(A1)", '-0.5', 'Ann')
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
