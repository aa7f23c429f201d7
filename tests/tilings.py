"""The tilings that parameters alone make: all but drawn cuts, which come from a file."""

from studio.geometry.board import board_spec

TILINGS = {key: title for key, title in board_spec.TILINGS.items() if key != board_spec.DRAWN}
