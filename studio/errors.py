"""Failures that are told to the maker in one sentence."""


class StudioError(Exception):
    """An expected failure; its text is the sentence that the maker reads."""
