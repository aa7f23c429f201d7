"""The colours of a calendar puzzle's pieces, wherever they are shown or printed."""

from __future__ import annotations

COLOURS = (
    "#77AADD", "#EE8866", "#EEDD88", "#FFAABB", "#99DDFF", "#44BB99", "#BBCC33", "#AAAA00", "#B9A2D8", "#CFCFCF",
)  # fmt: skip
"""Light colours for dark letters, distinct for colour-blind people too: nine of Tol's (2021), and violet."""
TITLES = ("blue", "orange", "yellow", "pink", "cyan", "mint", "pear", "olive", "violet", "grey")


def colour_of(number: int) -> str:
    """A colour as #RRGGBB by its number; beyond the last they begin again."""
    return COLOURS[number % len(COLOURS)]


def title_of(number: int) -> str:
    """A colour's name by its number."""
    return TITLES[number % len(TITLES)]
