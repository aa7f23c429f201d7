"""The forms of file that a zigzaw is read from and written to; what reads and writes them is loaded with the first."""

from __future__ import annotations

from dataclasses import dataclass

from studio.lazy import lazy
from studio.parameters import Validated, flag
from studio.puzzles.abilities.formats import Formats, Reader, Writer
from studio.puzzles.zigzaw.model import ZigzawDesign


@dataclass(frozen=True)
class JsonOptions(Validated):
    """What a maker chooses about a zigzaw as JSON."""

    solution: bool = flag(False, title="Solution", help="Whether the file says where each piece goes.")


FORMATS: Formats[ZigzawDesign] = Formats(
    readers=(Reader("Zigzaws as JSON", (".json",), lazy("studio.puzzles.zigzaw.interchange:read")),),
    writers=(Writer("Zigzaw as JSON", ".json", JsonOptions, lazy("studio.puzzles.zigzaw.interchange:write")),),
)
