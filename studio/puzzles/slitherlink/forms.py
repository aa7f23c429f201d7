"""The forms of text that a slitherlink is read from and written to; what reads and writes is loaded with the first."""

from __future__ import annotations

from dataclasses import dataclass

from studio.base.lazy import lazy
from studio.base.parameters import Validated, choice
from studio.base.texts import tr
from studio.puzzles.abilities.exchangeable import Exchangeable, Reader, Writer
from studio.puzzles.slitherlink.model import SlitherlinkDesign

GRID_FORM, LOOPY_FORM, LINK_FORM = "grid", "loopy", "link"
FORMS = {GRID_FORM: tr("Rows of digits"), LOOPY_FORM: tr("Loopy game ID"), LINK_FORM: tr("puzz.link address")}


@dataclass(frozen=True)
class TextOptions(Validated):
    """The options of a slitherlink as text."""

    form: str = choice(GRID_FORM, FORMS, title="Format",
        help="Rows of digits and dots, a Loopy game ID or a puzz.link address.")  # fmt: skip


FORMATS: Exchangeable[SlitherlinkDesign] = Exchangeable(
    readers=(
        Reader(
            tr("Slitherlinks as text"),
            (".txt",),
            lazy("studio.puzzles.slitherlink.interchange:read"),
            lazy("studio.puzzles.slitherlink.notation:is_text"),
        ),
    ),
    writers=(Writer(tr("Text"), ".txt", TextOptions, lazy("studio.puzzles.slitherlink.interchange:write")),),
    remark=lazy("studio.puzzles.slitherlink.interchange:remark"),
)
