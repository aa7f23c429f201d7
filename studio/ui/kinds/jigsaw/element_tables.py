"""The jigsaw's pieces, corners and tongues as tables, and the grip of tongues; every edit of the canvas can be made
here.

Grip is measured off the GUI thread: that of the selected tongue or figure, and that of the whole board while the table
of tongues is in sight, or always once `measure` was called.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.parameters import parse_length, parse_number
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr, within
from studio.base.units import length
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.styles import OWN, TITLES
from studio.puzzles.jigsaw.tongues.tongues import SIDE
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.session.derived import Derived
from studio.ui.session.document import Document
from studio.ui.session.session import Session
from studio.ui.widgets.controls import CalmComboBox, wrapping
from studio.ui.widgets.length_spin import in_shown_unit
from studio.ui.widgets.tables import CellLook, Column, TiedTable

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.fits.interlock import Grip

ONE, ALL = "interlock", "interlocks"
"""Lanes of work."""
PAUSE_MS = 300
"""Pause after the last change before a board is measured."""
BOARD = ""
"""Stands for a tongue's style by parameters and seed."""
SEVERAL = -1


class ClearanceRequest(NamedTuple):
    """A question for a tongue, a figure by its name, or the whole board; with the key of the material used last."""

    shapes: JigsawShapes
    material: str
    tongue: int = -1
    figure: str = ""


class Told(NamedTuple):
    """Grip of a tongue or a figure, in words."""

    tongue: int
    figure: str
    words: str


@dataclass(frozen=True, eq=False)
class Measured:
    """The grips of a board by its tongues, and the weakest in words."""

    grips: dict[int, Grip]
    words: str


class Gripping(QObject):
    """Keeps `one`, words for the selection, and `board` in step with settled shapes."""

    def __init__(self, session: Session, selection: Selection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._selection = session, selection
        self.one = Derived(session.jobs, ONE, _told, parent=self)
        self.board = Derived(session.jobs, ALL, _measured, pause=PAUSE_MS, watched=False, parent=self)
        self._settled = selection.shapes
        self.board.ask(ClearanceRequest(selection.shapes, self._material))
        selection.changed.connect(self._ask)

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow settled shapes."""
        self._settled = shapes
        self.board.ask(ClearanceRequest(shapes, self._material))
        self._ask()

    def measure(self) -> None:
        """Measure the board from now on."""
        self.board.watch(self, watches=True)

    def grip_text(self) -> str:
        """Grip of the selected tongue or figure; after a change its last words, until the new ones are known."""
        asked, told = self.one.question, self.one.answer or self.one.last
        if asked is None or told is None or (told.tongue, told.figure) != (asked.tongue, asked.figure):
            return ""
        return told.words

    def weakest(self) -> str:
        """The weakest tongue, or the progress of the measurement; empty if none is under way."""
        if self.board.answer is not None:
            return self.board.answer.words
        return tr("Measuring tongues… {share:.0%}", share=self.board.share) if self.board.is_busy else ""

    def _ask(self) -> None:
        """Ask for the grip of the only selected tongue or figure."""
        selection, shapes = self._selection, self._settled
        if selection.shapes is not shapes:
            return
        figure = selection.figure
        if figure is not None:
            self.one.ask(ClearanceRequest(shapes, self._material, figure=figure.name))
        elif len(selection.tongues) == 1 and not selection.corners:
            (tongue,) = selection.tongues
            self.one.ask(None if shapes.plain[tongue] else ClearanceRequest(shapes, self._material, tongue))
        else:
            self.one.ask(None)

    @property
    def _material(self) -> str:
        return self._session.preferences.workshop_key("material")


def _kerf(asked: ClearanceRequest) -> float:
    """The kerf in mm; 0 if it is not known."""
    from studio.fabricate.workshop import USUAL, Material, one_of

    with suppress(StudioError):
        return one_of(Material, asked.material or USUAL[Material]).value.kerf
    return 0.0


def _told(asked: ClearanceRequest, progress: Progress) -> Told:
    from studio.puzzles.jigsaw.fits.interlock import (
        figure_grip,
        figure_words,
        is_beside_hole,
        tongue_grip,
        tongue_words,
    )

    if asked.figure:
        words = figure_words(figure_grip(asked.shapes, asked.figure, progress), _kerf(asked))
    elif is_beside_hole(asked.shapes, asked.tongue):
        words = tr("Beside a hole")
    else:
        words = tongue_words(tongue_grip(asked.shapes, asked.tongue), _kerf(asked))
    return Told(asked.tongue, asked.figure, words)


def _measured(asked: ClearanceRequest, progress: Progress) -> Measured:
    from studio.puzzles.jigsaw.fits.interlock import holds, weakest_words

    found = holds(asked.shapes, progress, figures=False)
    return Measured(found.by_tongue, weakest_words(found, _kerf(asked)))


def grip_label(answer: Derived[Any, Any], words: Callable[[], str]) -> QLabel:
    """A text that follows an answer, and is hidden while it is empty."""
    label = wrapping()
    label.hide()

    def follow() -> None:
        label.setText(words())
        label.setVisible(bool(label.text()))

    answer.changed.connect(follow)
    return label


class StyleBox(CalmComboBox):
    """The styles, headed by the board's; empty if the selected tongues have several."""

    chosen = Signal(object)
    """A style was chosen for the selected tongues: brings its key, or None for the board's."""

    def __init__(self) -> None:
        super().__init__(tr("Style"), tr("Style of the selected tongues"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setPlaceholderText(tr("Several"))
        self.addItem(tr("Same as board"), BOARD)
        for key, title in TITLES.items():
            self.addItem(title, key)
        self.activated.connect(lambda _row: self.chosen.emit(self.currentData() or None))

    def show_tongues(self, shapes: JigsawShapes, tongues: list[int]) -> None:
        """Show the style of some tongues."""
        found = {shapes.decided(tongue).style or BOARD for tongue in tongues}
        of_figures = all(shapes.is_of_figure(tongue) for tongue in tongues)
        self.setItemText(0, tr("Same as figure") if of_figures else tr("Same as board"))
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.findData(OWN)).setEnabled(shapes.design.profile is not None)
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(found.pop()) if len(found) == 1 else SEVERAL)


def restyle(document: Document, shapes: JigsawShapes, tongues: list[int], style: str | None) -> None:
    """Give some tongues a style by its key, or the board's, as one undo step."""
    words = tr("Change style of {tongues}", tongues=many(len(tongues), "tongue"))
    document.edit(words, edits.with_tongues_styled(shapes, tongues, style))


MEASURES = (
    ("size", tr("Size"), tr("Height of the tongue, in % of its edge length.")),
    ("place", tr("Offset"), tr("Distance from the middle of the edge, in % of its length.")),
    ("slant", tr("Slant"), tr("Lean of the head, in % of the edge length; positive is clockwise.")),
)
"""Numbers that a tongue has in every style, with their titles and tooltips."""
STRAIGHT = tr("straight")


def pointing_into(shapes: JigsawShapes, tongue: int) -> str:
    """The name of the piece that a tongue points into; STRAIGHT for a straight edge.

    The face of the half-edge along the tongue lies on the positive side of its frame, into which a tongue of side 1
    points.
    """
    if shapes.plain[tongue]:
        return STRAIGHT
    return shapes.piece_beside(tongue, float(shapes.tongues[tongue, SIDE]))


class JigsawTables:
    """Three tables that follow the selection."""

    def __init__(self, document: Document, selection: Selection, gripping: Gripping) -> None:
        self._document = document
        self._gripping = gripping
        self._selection = selection
        self._now = selection.shapes
        chosen, choose, changed = selection, selection.select, selection.changed
        pieces: list[Column[int]] = [
            Column(tr("Piece"), lambda piece: self._now.drawing.pieces.names[piece]),
            Column(tr("Area"), lambda piece: length(float(self._now.drawing.piece_areas[piece]), metric="mm²"),
                   CellLook.NUMBER, metric="mm²"),
            Column(tr("Width"), lambda piece: self._extent(piece, 0), CellLook.NUMBER, metric="mm"),
            Column(tr("Height"), lambda piece: self._extent(piece, 1), CellLook.NUMBER, metric="mm"),
            Column(tr("Tongues"), self._knobs, CellLook.NUMBER,
                   help=tr("Number of tongues that point out of the piece.")),
        ]  # fmt: skip
        self.pieces = TiedTable(tr("Pieces"), pieces, lambda: chosen.pieces, lambda some: choose(pieces=some), changed)
        self.corners = TiedTable(tr("Corners"), self._corner_columns(), lambda: chosen.corners, choose, changed)
        self.tongues = TiedTable(
            tr("Tongues"), self._tongue_columns(), lambda: chosen.tongues, lambda some: choose(tongues=some), changed
        )
        gripping.board.watch_in(self.tongues)
        gripping.board.changed.connect(self._show_grips)

    def _show_grips(self) -> None:
        if self._gripping.board.answer is not None:
            self.tongues.elements.show_elements([*self.tongues.elements.elements])

    def _clearance(self, tongue: int) -> str:
        """Clearance at which a tongue pulls out; empty until it is known, and for straight edges."""
        board = self._gripping.board.answer
        grip = board.grips.get(tongue) if board is not None else None
        if grip is None:
            return ""
        from studio.geometry.planar.polyomino import MOST

        return f"> {length(MOST, 2)}" if grip.clearance is None else length(grip.clearance, 2)

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow shapes that have settled."""
        self._now = shapes
        self.pieces.elements.show_elements(list(range(len(shapes.drawing.pieces))))
        self.corners.elements.show_elements(shapes.tiling.movable.tolist())
        self.tongues.elements.show_elements(
            [*shapes.tiling.inner_edges.tolist(), *range(len(shapes.rooms), len(shapes.tongues))]
        )

    def _extent(self, piece: int, axis: int) -> str:
        return length(float(np.ptp(self._now.picker.piece_rings(piece)[0][:, axis])))

    def _knobs(self, piece: int) -> str:
        pieces = self._now.drawing.pieces
        around = (pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]] >> 1).tolist()
        own = [edge for edge in around if not self._now.tiling.is_rim(edge)]
        name = pieces.names[piece]
        # Tongues of figures are on no edge of the tiling.
        for tongue in range(len(self._now.rooms), len(self._now.tongues)):
            if name in (self._now.piece_beside(tongue, 1.0), self._now.piece_beside(tongue, -1.0)):
                own.append(tongue)
        return str(sum(pointing_into(self._now, tongue) not in (name, STRAIGHT) for tongue in own))

    def _corner_columns(self) -> list[Column[int]]:
        def place(axis: int) -> Column[int]:
            def edit(corner: int, text: str) -> None:
                at = self._now.corners[corner].tolist()
                at[axis] = parse_length(in_shown_unit(text))
                design = edits.with_corners_at(self._now, {corner: (at[0], at[1])})
                self._document.edit(tr("Move 1 corner"), design)

            value = lambda corner: length(self._now.corners[corner, axis], 3)  # noqa: E731
            help = tr("Distance from the board's top left corner.")
            return Column("XY"[axis], value, CellLook.NUMBER, edit, help, metric="mm")

        return [
            Column(tr("Corner"), lambda corner: self._now.tiling.corner_name(corner)),
            place(0),
            place(1),
            Column(
                tr("Moved"), lambda corner: self._now.design.corner(self._now.tiling.corner_name(corner)) is not None,
                CellLook.TICK,
                lambda corner, moved: self._document.edit(
                    tr("Pin 1 corner") if moved else tr("Reset 1 corner"),
                    edits.with_corners_held(self._now, [corner]) if moved
                    else edits.with_reset(self._now, corners=[corner]),
                ),
                tr("Clear the box to reset the corner."),
            ),
        ]  # fmt: skip

    def _style(self, tongue: int) -> str:
        if self._now.plain[tongue]:
            return STRAIGHT
        return tr("drawn") if self._now.drawn[tongue] else self._now.style_of(tongue).title

    def _tongue_columns(self) -> list[Column[int]]:
        return [
            Column(tr("Tongue"), lambda tongue: self._now.tiling.tongue_name(tongue),
                   help=tr("The two pieces it separates, or the figure it belongs to.")),
            Column(tr("Points into"), lambda tongue: pointing_into(self._now, tongue), edit=self._turn,
                   help=tr("The piece the tongue points into; enter the other piece to flip it.")),
            Column(
                tr("Straight"), lambda tongue: bool(self._now.plain[tongue]), CellLook.TICK,
                lambda tongue, plain: self._document.edit(
                    tr("Make 1 edge straight") if plain else tr("Add a tongue to 1 edge"),
                    edits.with_tongues_plain(self._now, [tongue], plain),
                ),
            ),
            *(self._share(*measure) for measure in MEASURES),
            Column(
                tr("Style"), self._style, edit=self._restyle,
                help=tr("Style of the tongue; enter another, or clear it for the board's."),
            ),
            Column(
                tr("Locked"), lambda tongue: self._now.decided(tongue).locked_seed is not None, CellLook.TICK,
                lambda tongue, locked: self._document.edit(
                    tr("Lock 1 tongue") if locked else tr("Unlock 1 tongue"),
                    edits.with_tongues_locked(self._now, [tongue], locked),
                ),
                tr("Locked tongues keep their shape when the seed changes."),
            ),
            Column(
                tr("Edited"), lambda tongue: not self._now.decided(tongue).is_blank, CellLook.TICK,
                lambda tongue, touched: self._document.edit(
                    tr("Keep 1 tongue") if touched else tr("Reset 1 tongue"),
                    edits.with_tongues_held(self._now, [tongue]) if touched
                    else edits.with_reset(self._now, tongues=[tongue]),
                ),
                tr("Clear the box to reset the tongue."),
            ),
            Column(tr("Clearance"), self._clearance, CellLook.NUMBER,
                   help=tr("Clearance at which the tongue pulls out of its socket."), metric="mm"),
        ]  # fmt: skip

    def _share(self, name: str, title: str, help: str) -> Column[int]:
        def edit(tongue: int, text: str) -> None:
            from studio.puzzles.jigsaw.tongues.values import entered

            percent = parse_number(text.strip().rstrip("%"))
            self._document.edit(
                tr("Change {field} of 1 tongue", field=within(title)),
                edits.with_tongues_shaped(self._now, entered(self._now, np.array([tongue]), name, percent)),
            )

        def value(tongue: int) -> str:
            from studio.puzzles.jigsaw.tongues.values import readings

            (percent,) = readings(self._now, np.array([tongue]), name).tolist()
            return f"{round(percent, 1) + 0.0:.1f}"

        return Column(f"{title} %", value, CellLook.NUMBER, edit, help)

    def _restyle(self, tongue: int, text: str) -> None:
        wanted = text.strip().casefold()
        named = {title.casefold(): key for key, title in TITLES.items()} | {key: key for key in TITLES} | {"": None}
        if wanted not in named:
            raise StudioError(tr("Enter {styles}.", styles=alternatives(TITLES.values())))
        restyle(self._document, self._now, [tongue], named[wanted])

    def _turn(self, tongue: int, text: str) -> None:
        names = {side: self._now.piece_beside(tongue, side) for side in (1, -1)}
        side = {name.casefold(): side for side, name in names.items()}.get(text.strip().casefold())
        if side is None:
            piece, other = sorted(names.values())
            raise StudioError(tr("Enter {piece} or {other}.", piece=piece, other=other))
        if names[side] != pointing_into(self._now, tongue):
            self._document.edit(tr("Flip 1 tongue"), edits.with_tongues_turned(self._now, {tongue: side}))
