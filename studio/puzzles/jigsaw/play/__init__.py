"""The game of a jigsaw: positions, moves and snapping."""
