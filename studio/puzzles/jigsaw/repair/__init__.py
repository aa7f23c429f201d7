"""Repairs of a jigsaw's problems, singly and all at once."""
