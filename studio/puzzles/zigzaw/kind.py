"""The zigzaw as a kind of puzzle; what colours, draws and proves it is loaded with the first of them."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from studio.base.lazy import lazy
from studio.base.texts import tr
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.gradable import Gradable
from studio.puzzles.abilities.paged import Paged
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.abilities.printable import Printable
from studio.puzzles.abilities.solvable import Solvable
from studio.puzzles.kind import Kind
from studio.puzzles.registry import KINDS
from studio.puzzles.zigzaw.forms import FORMATS
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters
from studio.puzzles.zigzaw.problems import PROBLEMS

if TYPE_CHECKING:
    from studio.puzzles.zigzaw.geometry import ZigzawShapes


def _pieces(shapes: ZigzawShapes) -> int:
    p = shapes.design.parameters
    return p.columns * p.rows


ZIGZAW: Kind[ZigzawParameters, ZigzawDesign, ZigzawShapes] = Kind(
    key="zigzaw",
    title=KINDS["zigzaw"].title,
    summary=KINDS["zigzaw"].summary,
    parameters=ZigzawParameters,
    design=ZigzawDesign,
    shape=lazy("studio.puzzles.zigzaw.geometry:shape"),
    check=lazy("studio.puzzles.zigzaw.checks:check"),
    generator=lazy("studio.puzzles.zigzaw.generate:generate"),
    carry=lazy("studio.puzzles.zigzaw.generate:carry"),
    problems=PROBLEMS,
    abilities=(
        Cuttable(
            attrgetter("drawing"),
            lazy("studio.puzzles.zigzaw.joint:joint"),
            has_edges=False,
            pieces=_pieces,
            divided=lazy("studio.puzzles.zigzaw.edits:divided"),
        ),
        Printable(
            lazy("studio.puzzles.zigzaw.printed:bodies"),
            lazy("studio.puzzles.zigzaw.printed:fit"),
            attrgetter("design.parameters.play"),
            lazy("studio.puzzles.zigzaw.printed:joints"),
        ),
        Paged(tr("Answer sheet"), lazy("studio.puzzles.zigzaw.answers:answer_sheet")),
        Solvable(lazy("studio.puzzles.zigzaw.solve:count")),
        Gradable(
            lazy("studio.puzzles.zigzaw.grade:graded"),
            lazy("studio.puzzles.zigzaw.grade:harder"),
            lazy("studio.puzzles.zigzaw.grade:easier"),
            lazy("studio.puzzles.zigzaw.grade:at_share"),
        ),
        Playable(
            lazy("studio.puzzles.zigzaw.moves:start"),
            lazy("studio.puzzles.zigzaw.moves:moved"),
            lazy("studio.puzzles.zigzaw.moves:done"),
            lazy("studio.puzzles.zigzaw.moves:hint"),
            lazy("studio.puzzles.zigzaw.moves:tally"),
            lazy("studio.puzzles.zigzaw.moves:sketch"),
            lazy("studio.puzzles.zigzaw.moves:essentials"),
            lazy("studio.puzzles.zigzaw.moves:carry"),
        ),
        FORMATS,
    ),
)
