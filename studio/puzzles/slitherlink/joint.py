"""The joint of a slitherlink's board."""

from __future__ import annotations

from studio.errors import StudioError
from studio.geometry.joint import Joint
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes


def joint(_shapes: SlitherlinkShapes) -> Joint:
    """Raises StudioError: nothing is put into an engraved board."""
    raise StudioError("An engraved board is one piece, so there is no fit to try.")
