"""The colours of a calendar puzzle's pieces, wherever they are shown or printed."""

from __future__ import annotations

COLOURS = (
    "#78A4EC", "#E28752", "#FFE2A4", "#FF9FA8", "#7FDBFF", "#33B57C", "#DCEB6B", "#CFA42C", "#BC8FBE", "#D5D6D9",
)  # fmt: skip
"""Light colours for dark letters, distinct from each other for colour-blind people too."""
TITLES = ("blue", "orange", "yellow", "pink", "cyan", "green", "pear", "ochre", "violet", "grey")


def colour_of(number: int) -> str:
    """A colour as #RRGGBB by its number; beyond the last they begin again."""
    return COLOURS[number % len(COLOURS)]


def title_of(number: int) -> str:
    """A colour's name by its number."""
    return TITLES[number % len(TITLES)]
