"""Refuses pictures for machines that only follow lines."""

from __future__ import annotations

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.formats import LASER


def refuse_pictures(suffix: str, machine: str, *, takes_pictures: bool) -> None:
    """Raise StudioError, naming the machine, where a file of this suffix would be a picture and it takes none."""
    for known in LASER.members:
        if known.suffix == suffix.lower() and known.is_picture and not takes_pictures:
            raise StudioError(
                tr(
                    "{machine} cannot engrave pictures ({format}). Choose SVG or another format.",
                    format=known.name,
                    machine=machine,
                )
            )
