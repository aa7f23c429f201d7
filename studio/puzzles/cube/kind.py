"""The puzzle cube as a kind of puzzle; generating, drawing and checking are loaded with the first cube."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from studio.base.amounts import many
from studio.base.parameters import Validated
from studio.base.progress import lazy
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Convertible, Editable, Reader, Writer
from studio.puzzles.abilities.cuttable import Cuttable, moved_few_strokes
from studio.puzzles.abilities.gradable_solvable import Gradable, Solvable
from studio.puzzles.abilities.printable import PaperPrintable, Printable
from studio.puzzles.cube.check_problems import PROBLEMS
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.kind import Kind
from studio.puzzles.registry import KINDS

if TYPE_CHECKING:
    from studio.puzzles.cube.geometry import CubeShapes


# The forms of file for reading and writing a cube; their code is loaded with the first file.


XMPUZZLE = ".xmpuzzle"
"""The suffix of BurrTools' files."""


@dataclass(frozen=True)
class BurrToolsOptions(Validated):
    """A BurrTools file has no options."""


FORMATS: Convertible[CubeDesign] = Convertible(
    readers=(Reader(tr("BurrTools puzzles"), (XMPUZZLE,), lazy("studio.puzzles.cube.burrtools:read")),),
    writers=(Writer(tr("BurrTools puzzle"), XMPUZZLE, BurrToolsOptions, lazy("studio.puzzles.cube.burrtools:write")),),
)


def _printed(shapes: CubeShapes, on_sheet: bool) -> str:
    """Pieces and their volume, but for the sheet."""
    if on_sheet:
        return ""
    said = [many(len(shapes.masks), "piece")]
    if shapes.seen.is_ready:
        said.append(
            tr(
                "{volume:.1f} cm³",
                volume=sum(shapes.seen.meshes[face].volume for face in range(len(shapes.masks))) / 1000,
            )
        )
    return " · ".join(said)


CUBE: Kind[CubeParameters, CubeDesign, CubeShapes] = Kind(
    key="cube",
    title=KINDS["cube"].title,
    summary=KINDS["cube"].summary,
    parameters=CubeParameters,
    design=CubeDesign,
    shape=lazy("studio.puzzles.cube.geometry:shape"),
    check=lazy("studio.puzzles.cube.checks:check"),
    carry=lazy("studio.puzzles.cube.edits:carry"),
    verify=lazy("studio.puzzles.cube.edits:verify"),
    is_small_step=moved_few_strokes,
    problems=PROBLEMS,
    abilities=(
        Editable("studio.puzzles.cube.edits:EDITS"),
        Cuttable(
            attrgetter("drawing"),
            lazy("studio.puzzles.cube.geometry:joint"),
            thickness=lazy("studio.puzzles.cube.geometry:thickness"),
            left_out=lazy("studio.puzzles.cube.geometry:left_out"),
            uncut=_printed,
        ),
        Printable(
            lazy("studio.puzzles.cube.geometry:bodies"),
            attrgetter("fit"),
            attrgetter("design.parameters.gap"),
            lazy("studio.puzzles.cube.geometry:joints"),
        ),
        PaperPrintable(tr("Assembly sheet"), lazy("studio.puzzles.cube.assembly_sheet:assembly_sheet")),
        FORMATS,
        Solvable(lazy("studio.puzzles.cube.partition:count"), solution=lazy("studio.puzzles.cube.partition:assembled")),
        Gradable(
            lazy("studio.puzzles.cube.grade:graded"),
            lazy("studio.puzzles.cube.grade:harder"),
            lazy("studio.puzzles.cube.grade:easier"),
            lazy("studio.puzzles.cube.grade:at_share"),
            lazy("studio.puzzles.cube.grade:key"),
            menu="&Cube",
        ),
    ),
)
