"""Cubic Bézier strokes: fitted, offset, compared, joined into rings and welded."""
