"""Depth of the tests: the quick suite, or the thorough one of `python3 go.py test --all`."""

import os

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
MORE = 10
"""Factor of examples in the thorough suite."""


def examples(quick: int, thorough: int = 0) -> int:
    """The number of examples for hypothesis, in the quick and in the thorough suite."""
    return (thorough or MORE * quick) if THOROUGH else quick
