"""Checks of a jigsaw, and the texts of its problems."""
