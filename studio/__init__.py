"""Puzzle Studio: design puzzles, check them, and take them to the laser cutter or printer."""

__version__ = "0.1.0"
PROGRAM = f"Puzzle Studio {__version__}"
"""Which program wrote a file, as exported files say."""
