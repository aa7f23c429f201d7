"""The forms of file that a cube is read from and written to; what reads and writes them is loaded with the first."""

from __future__ import annotations

from dataclasses import dataclass

from studio.base.lazy import lazy
from studio.base.parameters import Validated
from studio.base.texts import tr
from studio.puzzles.abilities.exchangeable import Exchangeable, Reader, Writer
from studio.puzzles.cube.model import CubeDesign

XMPUZZLE = ".xmpuzzle"
"""The suffix of BurrTools' files."""


@dataclass(frozen=True)
class BurrToolsOptions(Validated):
    """A BurrTools file has no options."""


FORMATS: Exchangeable[CubeDesign] = Exchangeable(
    readers=(Reader(tr("BurrTools puzzles"), (XMPUZZLE,), lazy("studio.puzzles.cube.burrtools:read")),),
    writers=(Writer(tr("BurrTools puzzle"), XMPUZZLE, BurrToolsOptions, lazy("studio.puzzles.cube.burrtools:write")),),
)
