"""Printed pages that go with a puzzle, as values from which files are written."""
