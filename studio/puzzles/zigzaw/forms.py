"""The forms of file that a zigzaw is read from and written to; what reads and writes them is loaded with the first."""

from __future__ import annotations

from dataclasses import dataclass

from studio.base.lazy import lazy
from studio.base.parameters import Validated, flag, integer
from studio.base.texts import tr
from studio.puzzles.abilities.exchangeable import Exchangeable, Reader, Writer
from studio.puzzles.zigzaw.model import ZigzawDesign

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".zip")
"""The suffixes of files with pictures."""


@dataclass(frozen=True)
class JsonOptions(Validated):
    """The options of a zigzaw as JSON."""

    solution: bool = flag(False, title="Solution", help="Include where each piece goes.")


@dataclass(frozen=True)
class PictureOptions(Validated):
    """The options of pictures of a zigzaw's pieces."""

    edge: int = integer(14, title="Sticker edge", minimum=6, maximum=100, unit="px",
        help="Edge length of a sticker in pixels.")  # fmt: skip


FORMATS: Exchangeable[ZigzawDesign] = Exchangeable(
    readers=(
        Reader(tr("Zigzaws as JSON"), (".json",), lazy("studio.puzzles.zigzaw.interchange:read")),
        Reader(tr("Pictures of pieces and border"), PICTURES, lazy("studio.puzzles.zigzaw.photographs:read")),
    ),
    writers=(
        Writer("JSON", ".json", JsonOptions, lazy("studio.puzzles.zigzaw.interchange:write")),
        Writer(tr("Pictures of the pieces"), ".zip", PictureOptions, lazy("studio.puzzles.zigzaw.picturing:write")),
    ),
)
