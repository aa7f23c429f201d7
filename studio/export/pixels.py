"""Pictures in bands of rows, so that painting and reading a large one takes little memory."""

from __future__ import annotations

INCH = 25.4
TILE = 1024
"""Pixels a side that are drawn at once: 16 MB at four times the resolution."""
_CANVAS = 2**19


def rows_at_once(width: int) -> int:
    """How many rows of artwork are painted at once: few enough to take little memory."""
    return max(1, min(TILE, _CANVAS // width))


def bands(height: int, rows: int) -> list[range]:
    """All rows of a picture, band by band."""
    return [range(top, min(height, top + rows)) for top in range(0, height, rows)]
