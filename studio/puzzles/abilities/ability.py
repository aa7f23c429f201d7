"""What all abilities have in common."""

from __future__ import annotations

from typing import ClassVar


class Ability:
    """Something that some kinds of puzzle can do; it brings commands, a place in the window, and promises to keep."""

    lacking: ClassVar[str]
    """The sentence for a kind without it; `{key}` is replaced by the key of the kind."""
