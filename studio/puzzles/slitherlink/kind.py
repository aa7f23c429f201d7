"""The slitherlink as a kind of puzzle; what generates, draws and proves it is loaded with the first of them."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from studio.base.amounts import many
from studio.base.lazy import lazy
from studio.base.texts import tr
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.gradable import Gradable
from studio.puzzles.abilities.paged import Paged
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.abilities.solvable import Solvable
from studio.puzzles.kind import Kind
from studio.puzzles.registry import KINDS
from studio.puzzles.slitherlink.forms import FORMATS
from studio.puzzles.slitherlink.model import PLAIN, SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.slitherlink.problems import PROBLEMS

if TYPE_CHECKING:
    from studio.puzzles.slitherlink.geometry import SlitherlinkShapes


def _on_paper(shapes: SlitherlinkShapes, _on_sheet: bool) -> str:
    """Cells and clues of a puzzle for the pen."""
    design = shapes.design
    if design.parameters.board != PLAIN:
        return ""
    return f"{design.parameters.words} · {many(len(design.clues), 'clue')}"


SLITHERLINK: Kind[SlitherlinkParameters, SlitherlinkDesign, SlitherlinkShapes] = Kind(
    key="slitherlink",
    title=KINDS["slitherlink"].title,
    summary=KINDS["slitherlink"].summary,
    parameters=SlitherlinkParameters,
    design=SlitherlinkDesign,
    shape=lazy("studio.puzzles.slitherlink.geometry:shape"),
    check=lazy("studio.puzzles.slitherlink.checks:check"),
    generator=lazy("studio.puzzles.slitherlink.generate:generate"),
    carry=lazy("studio.puzzles.slitherlink.generate:carry"),
    problems=PROBLEMS,
    abilities=(
        Cuttable(
            attrgetter("drawing"),
            lazy("studio.puzzles.slitherlink.joint:joint"),
            has_edges=False,
            uncut=_on_paper,
            thickness=lazy("studio.puzzles.slitherlink.joint:thickness"),
            pieces=lambda _shapes: 0,
        ),
        Solvable(lazy("studio.puzzles.slitherlink.solve:count")),
        Gradable(
            lazy("studio.puzzles.slitherlink.grade:graded"),
            lazy("studio.puzzles.slitherlink.grade:harder"),
            lazy("studio.puzzles.slitherlink.grade:easier"),
            lazy("studio.puzzles.slitherlink.grade:at_share"),
        ),
        Playable(
            lazy("studio.puzzles.slitherlink.moves:start"),
            lazy("studio.puzzles.slitherlink.moves:moved"),
            lazy("studio.puzzles.slitherlink.moves:done"),
            lazy("studio.puzzles.slitherlink.hints:hint"),
            lazy("studio.puzzles.slitherlink.moves:tally"),
            lazy("studio.puzzles.slitherlink.moves:sketch"),
            lazy("studio.puzzles.slitherlink.moves:essentials"),
            lazy("studio.puzzles.slitherlink.moves:carry"),
        ),
        FORMATS,
        Paged(tr("Puzzle page"), lazy("studio.puzzles.slitherlink.paper:pages")),
    ),
)
