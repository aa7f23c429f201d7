"""The checks of a jigsaw, and its problems in words."""
