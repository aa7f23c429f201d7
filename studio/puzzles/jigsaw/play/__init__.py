"""Game of a jigsaw: positions, moves and snapping."""
