"""The puzzle cube in the window."""
