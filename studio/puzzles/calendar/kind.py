"""The calendar puzzle as a kind of puzzle; solving and drawing are loaded with the first one."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from studio.base.progress import Progress, lazy
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Editable
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.gradable_solvable import Solvable, Targets
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.abilities.printable import PaperPrintable, Printable
from studio.puzzles.calendar.check_problems import PROBLEMS
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters
from studio.puzzles.kind import Generated, Kind
from studio.puzzles.registry import KINDS

if TYPE_CHECKING:
    from studio.puzzles.calendar.geometry import CalendarShapes


def _carry(parameters: CalendarParameters, previous: CalendarDesign, _progress: Progress) -> Generated[CalendarDesign]:
    """Keep everything on the same board; another board has cells, labels and pieces of its own."""
    if previous.parameters.board == parameters.board:
        return Generated(replace(previous, parameters=parameters))
    own = ((tr("your board"), previous.board), (tr("your pieces"), previous.pieces))
    return Generated(CalendarDesign(parameters), tuple(words for words, made in own if made))


TARGETS: Targets[CalendarDesign] = Targets(
    lazy("studio.puzzles.calendar.questions:date_cells"),
    lazy("studio.puzzles.calendar.questions:label_cells"),
    lazy("studio.puzzles.calendar.questions:tally"),
)
CALENDAR: Kind[CalendarParameters, CalendarDesign, CalendarShapes] = Kind(
    key="calendar",
    title=KINDS["calendar"].title,
    summary=KINDS["calendar"].summary,
    parameters=CalendarParameters,
    design=CalendarDesign,
    shape=lazy("studio.puzzles.calendar.geometry:shape"),
    check=lazy("studio.puzzles.calendar.checks:check"),
    carry=_carry,
    problems=PROBLEMS,
    abilities=(
        Editable("studio.puzzles.calendar.edits:EDITS"),
        Cuttable(
            attrgetter("drawing"),
            lazy("studio.puzzles.calendar.tray:joint"),
            pieces=lambda shapes: len(shapes.tray.pieces),
        ),
        Printable(
            lazy("studio.puzzles.calendar.geometry:bodies"),
            attrgetter("fit"),
            attrgetter("design.parameters.play"),
            lazy("studio.puzzles.calendar.tray:joints"),
        ),
        PaperPrintable(tr("Booklet"), lazy("studio.puzzles.calendar.booklet:pages")),
        Solvable(
            lazy("studio.puzzles.calendar.solve:count"),
            TARGETS,
            solution=lazy("studio.puzzles.calendar.solve:one_solution"),
        ),
        Playable(
            lazy("studio.puzzles.calendar.game:start"),
            lazy("studio.puzzles.calendar.game:moved"),
            lambda _design, game: game.is_solved,
            lazy("studio.puzzles.calendar.game:hint"),
            lazy("studio.puzzles.calendar.game:tally"),
            lazy("studio.puzzles.calendar.game:sketch"),
            lazy("studio.puzzles.calendar.game:essentials"),
            lazy("studio.puzzles.calendar.game:carry"),
            TARGETS,
            interpret=lazy("studio.puzzles.calendar.gestures:interpret"),
        ),
    ),
)
