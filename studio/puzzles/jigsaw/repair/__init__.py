"""Repairs of a jigsaw's problems, one by one and all at once."""
