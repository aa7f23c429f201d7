"""Puzzle files: designs as text that people, programs and version control can read."""

SUFFIX = ".puzzle"
