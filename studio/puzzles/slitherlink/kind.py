"""The slitherlink as a kind of puzzle; the code that generates, draws and proves it is loaded with the first one."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from studio.base.amounts import many
from studio.base.parameters import Validated, choice
from studio.base.progress import lazy
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Convertible, Editable, Reader, Writer
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.gradable_solvable import Gradable, Solvable
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.abilities.printable import PaperPrintable
from studio.puzzles.kind import Kind
from studio.puzzles.registry import KINDS
from studio.puzzles.slitherlink.check_problems import PROBLEMS
from studio.puzzles.slitherlink.model import PLAIN, SlitherlinkDesign, SlitherlinkParameters

if TYPE_CHECKING:
    from studio.puzzles.slitherlink.geometry import SlitherlinkShapes


# The forms of text for reading and writing a slitherlink; their code is loaded with the first text.


GRID_FORM, LOOPY_FORM, LINK_FORM = "grid", "loopy", "link"
FORMS = {GRID_FORM: tr("Rows of digits"), LOOPY_FORM: tr("Loopy game ID"), LINK_FORM: tr("puzz.link address")}


@dataclass(frozen=True)
class TextOptions(Validated):
    """The options of a slitherlink as text."""

    form: str = choice(GRID_FORM, FORMS, title="Format",
        help="Rows of digits and dots, a Loopy game ID or a puzz.link address.")  # fmt: skip


FORMATS: Convertible[SlitherlinkDesign] = Convertible(
    readers=(
        Reader(
            tr("Slitherlinks as text"),
            (".txt",),
            lazy("studio.puzzles.slitherlink.notation:read"),
            lazy("studio.puzzles.slitherlink.notation:is_text"),
        ),
    ),
    writers=(Writer(tr("Text"), ".txt", TextOptions, lazy("studio.puzzles.slitherlink.notation:write")),),
    remark=lazy("studio.puzzles.slitherlink.notation:remark"),
)


def _on_paper(shapes: SlitherlinkShapes, _on_sheet: bool) -> str:
    """Cells and clues of a puzzle for the pen."""
    design = shapes.design
    if design.parameters.board != PLAIN:
        return ""
    return f"{design.parameters.description} · {many(len(design.clues), 'clue')}"


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
        Editable("studio.puzzles.slitherlink.edits:EDITS"),
        Cuttable(
            attrgetter("drawing"),
            lazy("studio.puzzles.slitherlink.geometry:joint"),
            has_edges=False,
            uncut=_on_paper,
            thickness=lazy("studio.puzzles.slitherlink.geometry:thickness"),
            pieces=lambda _shapes: 0,
        ),
        Solvable(
            lazy("studio.puzzles.slitherlink.generate:count"), solution=lazy("studio.puzzles.slitherlink.model:loop_of")
        ),
        Gradable(
            lazy("studio.puzzles.slitherlink.grade:graded"),
            lazy("studio.puzzles.slitherlink.grade:harder"),
            lazy("studio.puzzles.slitherlink.grade:easier"),
            lazy("studio.puzzles.slitherlink.grade:at_share"),
            lazy("studio.puzzles.slitherlink.grade:key"),
            lazy("studio.puzzles.slitherlink.grade:techniques"),
            menu="&Steps",
        ),
        Playable(
            lazy("studio.puzzles.slitherlink.game:start"),
            lazy("studio.puzzles.slitherlink.game:moved"),
            lazy("studio.puzzles.slitherlink.game:is_solved"),
            lazy("studio.puzzles.slitherlink.game:hint"),
            lazy("studio.puzzles.slitherlink.game:tally"),
            lazy("studio.puzzles.slitherlink.game:sketch"),
            lazy("studio.puzzles.slitherlink.game:essentials"),
            lazy("studio.puzzles.slitherlink.game:carry"),
            interpret=lazy("studio.puzzles.slitherlink.gestures:interpret"),
        ),
        FORMATS,
        PaperPrintable(tr("Puzzle page"), lazy("studio.puzzles.slitherlink.paper:pages")),
    ),
)
