"""The zigzaw as a kind of puzzle; the code that colours, draws and proves it is loaded with the first one."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from studio.base.parameters import Validated, flag, integer
from studio.base.progress import lazy
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Convertible, Editable, Reader, Writer
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.gradable_solvable import Gradable, Solvable
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.abilities.printable import PaperPrintable, Printable
from studio.puzzles.kind import Kind
from studio.puzzles.registry import KINDS
from studio.puzzles.zigzaw.check_problems import PROBLEMS
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters

if TYPE_CHECKING:
    from studio.puzzles.zigzaw.geometry import ZigzawShapes


# The forms of file for reading and writing a zigzaw; their code is loaded with the first file.


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


FORMATS: Convertible[ZigzawDesign] = Convertible(
    readers=(
        Reader(tr("Zigzaws as JSON"), (".json",), lazy("studio.puzzles.zigzaw.interchange:read")),
        Reader(tr("Pictures of pieces and border"), PICTURES, lazy("studio.puzzles.zigzaw.photographs:read")),
    ),
    writers=(
        Writer("JSON", ".json", JsonOptions, lazy("studio.puzzles.zigzaw.interchange:write")),
        Writer(tr("Pictures of the pieces"), ".zip", PictureOptions, lazy("studio.puzzles.zigzaw.photographs:write")),
    ),
)


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
            lazy("studio.puzzles.zigzaw.printed_solids:joint"),
            has_edges=False,
            pieces=lambda shapes: shapes.design.parameters.columns * shapes.design.parameters.rows,
            divided=lazy("studio.puzzles.zigzaw.model:divided"),
        ),
        Printable(
            lazy("studio.puzzles.zigzaw.printed_solids:bodies"),
            lazy("studio.puzzles.zigzaw.printed_solids:fit"),
            attrgetter("design.parameters.play"),
            lazy("studio.puzzles.zigzaw.printed_solids:joints"),
        ),
        PaperPrintable(tr("Answer sheet"), lazy("studio.puzzles.zigzaw.answers:answer_sheet")),
        Solvable(lazy("studio.puzzles.zigzaw.model:count"), solution=lazy("studio.puzzles.zigzaw.model:placement")),
        Gradable(
            lazy("studio.puzzles.zigzaw.grade:graded"),
            lazy("studio.puzzles.zigzaw.grade:harder"),
            lazy("studio.puzzles.zigzaw.grade:easier"),
            lazy("studio.puzzles.zigzaw.grade:at_share"),
            lazy("studio.puzzles.zigzaw.grade:key"),
            lazy("studio.puzzles.zigzaw.grade:techniques"),
            menu="&Solver",
        ),
        Playable(
            lazy("studio.puzzles.zigzaw.game:start"),
            lazy("studio.puzzles.zigzaw.game:moved"),
            lazy("studio.puzzles.zigzaw.game:done"),
            lazy("studio.puzzles.zigzaw.game:hint"),
            lazy("studio.puzzles.zigzaw.game:tally"),
            lazy("studio.puzzles.zigzaw.game:sketch"),
            lazy("studio.puzzles.zigzaw.game:essentials"),
            lazy("studio.puzzles.zigzaw.game:carry"),
            interpret=lazy("studio.puzzles.zigzaw.gestures:interpret"),
        ),
        FORMATS,
        Editable("studio.puzzles.zigzaw.generate:EDITS"),
    ),
)
