"""The puzzle cube as a kind of puzzle; generating, drawing and checking are loaded with the first cube."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from studio.lazy import lazy
from studio.puzzles.abilities.cut import Cut, moved_few_strokes
from studio.puzzles.abilities.graded import Graded
from studio.puzzles.abilities.pages import Pages
from studio.puzzles.abilities.printed import Printed
from studio.puzzles.abilities.solved import Solved
from studio.puzzles.cube.forms import FORMATS
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.problems import PROBLEMS
from studio.puzzles.kind import Kind
from studio.puzzles.registry import KINDS
from studio.texts import tr

if TYPE_CHECKING:
    from studio.puzzles.cube.geometry import CubeShapes

CUBE: Kind[CubeParameters, CubeDesign, CubeShapes] = Kind(
    key="cube",
    title=KINDS["cube"].title,
    summary=KINDS["cube"].summary,
    parameters=CubeParameters,
    design=CubeDesign,
    shape=lazy("studio.puzzles.cube.geometry:shape"),
    check=lazy("studio.puzzles.cube.checks:check"),
    carry=lazy("studio.puzzles.cube.generate:carry"),
    verify=lazy("studio.puzzles.cube.generate:verify"),
    is_small_step=moved_few_strokes,
    problems=PROBLEMS,
    abilities=(
        Cut(
            attrgetter("drawing"),
            lazy("studio.puzzles.cube.joint:joint"),
            thickness=lazy("studio.puzzles.cube.flat:thickness"),
            left_out=lazy("studio.puzzles.cube.flat:left_out"),
        ),
        Printed(
            lazy("studio.puzzles.cube.geometry:bodies"),
            attrgetter("fit"),
            attrgetter("gap"),
            lazy("studio.puzzles.cube.joints:joints"),
        ),
        Pages(tr("Assembly sheet"), lazy("studio.puzzles.cube.assembly:assembly_sheet")),
        FORMATS,
        Solved(lazy("studio.puzzles.cube.partition:count")),
        Graded(
            lazy("studio.puzzles.cube.grade:graded"),
            lazy("studio.puzzles.cube.grade:harder"),
            lazy("studio.puzzles.cube.grade:easier"),
            lazy("studio.puzzles.cube.grade:at_share"),
        ),
    ),
)
