"""The page of printed pieces: in their places, spread apart, or on the printer's plates.

Bodies are made off the GUI thread, and only while the page is in sight; former bodies stay until then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from studio.base.amounts import many, share
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate.gaps_and_plates import plates
from studio.fabricate.workshop import USUAL, Named, Printer, one_of
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import Camera
from studio.geometry.solids.solid import Mesh, Solid
from studio.puzzles.abilities.printable import Seen
from studio.ui.session.derived import Derived
from studio.ui.session.session import Session
from studio.ui.solid.panel import SolidPanel
from studio.ui.solid.renderer import Renderer
from studio.ui.solid.scene import EXPLODED, Bed, SceneBody, smoothed
from studio.ui.widgets.controls import CalmComboBox, Strip, invitation, push_button
from studio.ui.widgets.layout import REST, column, holding, row, stack
from studio.ui.widgets.theme import MARGIN

# The bed of the printer used last under the printed pieces, and whether they fit on it


def chosen_printer(key: str) -> Named[Printer]:
    """The printer with a key; the usual one if the key is empty or unknown."""
    try:
        return one_of(Printer, key or USUAL[Printer])
    except StudioError:
        return one_of(Printer, USUAL[Printer])


def bed_for(solids: Sequence[Solid], printer: Named[Printer]) -> Bed:
    """The bed of a printer under solids as they lie; its problem says so if they do not fit on one plate."""
    try:
        count = len(plates(solids, printer))
    except StudioError as refused:
        return bed_of(printer, str(refused))
    if count < 2:
        return bed_of(printer)
    words = tr("Too large for one plate of {printer}: the export splits it into {plates}.",
               printer=printer.title, plates=many(count, "plate"))  # fmt: skip
    return bed_of(printer, words)


def bed_of(printer: Named[Printer], problem: str = "") -> Bed:
    """The bed of a printer."""
    bed = printer.value
    return Bed(bed.bed_width, bed.bed_depth, bed.bed_height, printer.title, problem)


MAKING = "bodies in space"
PAUSE_MS, PATIENCE_MS = 300, 400
FROM_FRONT = Camera(yaw=-90.0, pitch=52.0)
MOST_CELLS = 3000
"""Approximate number of cells of all bodies together."""
CELLS_ACROSS = 2, 8
"""Least and greatest number of cells across a body."""
CANCELLED = tr("Cancelled.")


@dataclass(frozen=True, eq=False)
class Built:
    """Bodies in their places and on each plate; if a body fits on no plate, all lie on one bed with its problem."""

    board: tuple[SceneBody, ...]
    plates: tuple[tuple[SceneBody, ...], ...]
    pieces: int
    bed: Bed
    note: str


def built(make: Callable[[Any, Progress], Seen], question: tuple[Any, str], progress: Progress) -> Built:
    """Make the bodies on the board and on plates, for a printer by its key; raises StudioError, Cancelled.

    All slow work is done here, the normals of meshes too.
    """
    sight, printer = question
    seen = make(sight, progress.part(0.0, 0.6))
    meshes: dict[str, Mesh] = {}
    for number, solid in enumerate(seen.solids):
        progress.step(0.6 + 0.35 * number / len(seen.solids), tr("Smoothing pieces"))
        meshes[solid.name] = replace(solid.mesh, normals=smoothed(solid.mesh))
    low, high = (np.array([mesh.bounds[end] for mesh in meshes.values()]) for end in (0, 1))
    reach = EXPLODED * float((high.max(axis=0) - low.min(axis=0)).max())
    across = int(np.clip((MOST_CELLS / len(meshes)) ** 0.5, *CELLS_ACROSS))
    pairs = zip(seen.solids, seen.ways, strict=True)
    board = tuple(_body(solid, meshes[solid.name], across, way / reach) for solid, way in pairs)
    progress.step(0.95, tr("Arranging plates"))
    chosen = chosen_printer(printer)
    try:
        split, bed = plates(seen.printed, chosen), bed_of(chosen)
    except StudioError as refused:
        split, bed = (tuple(seen.printed),), bed_of(chosen, str(refused))
    on_plates = tuple(
        tuple(_body(solid, _placed(meshes[solid.name], solid.mesh), across, np.zeros(3)) for solid in plate)
        for plate in split
    )
    return Built(board, on_plates, len(board) if seen.pieces is None else seen.pieces, bed, seen.note)


def _placed(known: Mesh, there: Mesh) -> Mesh:
    """The mesh `there` with the normals of `known`, which has the same triangles, perhaps turned by quarters."""
    one, other = (mesh.vertices - mesh.vertices.mean(axis=0) for mesh in (known, there))
    turn = np.round(np.linalg.lstsq(one, other)[0])
    return Mesh(there.vertices, there.triangles, None if known.normals is None else known.normals @ turn)


def _body(solid: Solid, mesh: Mesh, across: int, way: Floats) -> SceneBody:
    return SceneBody(solid.name, "", QColor(solid.colour), mesh, cells(mesh, across), way)


def cells(mesh: Mesh, across: int) -> Floats:
    """Boxes (k, 2, 3) that fill an upright body roughly, some of them across its longer side."""
    low, high = mesh.bounds
    side = float((high - low)[:2].max()) / across
    counts = np.maximum(np.ceil((high - low)[:2] / side - 1e-6), 1).astype(int)
    spots = np.stack(np.meshgrid(*(np.arange(count) for count in counts), indexing="ij"), -1).reshape(-1, 2)
    middles = low[:2] + (spots + 0.5) * side
    corners = mesh.vertices[mesh.triangles[mesh.facets[:, 2] < 0]][:, :, :2]
    sides = np.roll(corners, -1, axis=1) - corners
    away = middles[:, None, None] - corners[None]
    turns = sides[None, :, :, 0] * away[..., 1] - sides[None, :, :, 1] * away[..., 0]
    inside = np.any(np.all(turns <= 0, axis=2), axis=1)
    chosen = middles[inside] if inside.any() else (low + high)[None, :2] / 2
    ends = [
        np.column_stack([chosen + way * side / 2, np.full(len(chosen), z)]) for way, z in ((-1, low[2]), (1, high[2]))
    ]
    return np.stack(ends, 1)


class SolidsPage(QWidget):
    """A view of the pieces; below it the choice of plate, and the progress of the next bodies."""

    def __init__(
        self,
        session: Session,
        make: Callable[[Any, Progress], Seen],
        makers: Sequence[Callable[[], Renderer]] | None = None,
        *,
        sight: Callable[[], Any] | None = None,
    ) -> None:
        """`sight` is the source of the bodies: the shapes, or a tuple of all their inputs."""
        super().__init__()
        self._session, self._sight = session, sight
        self.panel = SolidPanel((), makers)
        self.panel.view.camera = FROM_FRONT
        self._message = invitation(tr("Building pieces…"))
        self.shown = CalmComboBox(tr("Shown"), tr("Show the whole board, or one plate"))
        self.shown.setSizeAdjustPolicy(CalmComboBox.SizeAdjustPolicy.AdjustToContents)
        self._done, self.cancel = QLabel(), push_button(tr("Cancel"), tr("Stop building the 3-D view"))
        self._bar = Strip()
        row(self.shown, REST, self._done, self.cancel, of=self._bar, margins=(MARGIN, 5, MARGIN, 4))
        self._middle = stack(self.panel, self._message)
        column((holding(self._middle), 1), self._bar, of=self, gap=0)
        self._known: Built | None = None
        self.bodies = Derived(
            session.jobs, MAKING, partial(built, make), key=_of_question, pause=PAUSE_MS, patience=PATIENCE_MS,
            remembered=0, watched=False, parent=self,
        )  # fmt: skip
        self.bodies.watch_in(self)
        self.bodies.changed.connect(self._follow)
        self.shown.currentIndexChanged.connect(self._show)
        self.cancel.clicked.connect(self._turn)
        self.panel.view.pointed.connect(self._point)
        self.panel.view.announced.connect(session.notices.post)
        self.setFocusProxy(self.panel.view)
        self.ask()

    def ask(self, *, settled: bool = True) -> None:
        """Ask for the bodies of the shapes in sight; former bodies stay in sight until then."""
        printer = self._session.preferences.workshop_key("printer")
        sight = self._session.shapes if self._sight is None else self._sight()
        self.bodies.ask((sight, printer), settled=settled)
        self.panel.show_unit()
        self._follow()

    def finish(self) -> None:
        """Wait for the bodies, and show the final picture; for pictures and tests."""
        self.bodies.finish()
        self.panel.view.picture.finish()

    @property
    def is_showing(self) -> bool:
        """True if bodies are in sight."""
        return self._known is not None

    @property
    def message(self) -> str:
        """Text shown instead of bodies; empty while they are in sight."""
        return "" if self._middle.currentWidget() is self.panel else self._message.text()

    def _turn(self) -> None:
        """Cancel the work under way, or begin it again."""
        if self.bodies.is_under_way:
            self.bodies.cancel(CANCELLED)
        else:
            self.bodies.again()

    def _follow(self) -> None:
        bodies = self.bodies
        if bodies.answer is not None and bodies.answer is not self._known:
            self._known = bodies.answer
            self._offer()
        waits = bodies.is_waiting and not bodies.problem
        note = "" if self._known is None else self._known.note
        under_way = tr("{step} {done}", step=bodies.note, done=share(bodies.share))
        self._done.setText(under_way if waits else bodies.problem or note)
        self.shown.setVisible(self._known is not None)
        self._done.setVisible(self._known is not None or waits)
        self.cancel.setText(tr("Cancel") if waits else tr("Build"))
        self.cancel.setVisible(waits or bodies.problem == CANCELLED)
        if self._known is None or (bodies.problem and bodies.problem != CANCELLED):
            self._message.setText(bodies.problem or tr("Building pieces…"))
            self._middle.setCurrentWidget(self._message)
        else:
            self._middle.setCurrentWidget(self.panel)

    def _offer(self) -> None:
        """Offer the board and every plate, and keep the choice if it still exists."""
        known = self._known
        if known is None:
            return
        count, chosen = len(known.plates), self.shown.currentIndex()
        with QSignalBlocker(self.shown):
            self.shown.clear()
            self.shown.addItem(tr("Board, {pieces}", pieces=many(known.pieces, "piece")))
            for number in range(1, count + 1):
                self.shown.addItem(tr("Plate {number} of {count}", number=number, count=count))
            self.shown.setCurrentIndex(chosen if 0 <= chosen <= count else 0)
        self._show()

    def _show(self) -> None:
        known, at = self._known, self.shown.currentIndex()
        if known is None or at < 0:
            return
        bodies = known.plates[at - 1] if at else known.board
        self.panel.set_order(range(len(bodies)))
        self.panel.show_bodies(bodies, bed=known.bed if at else None, settled=True)

    def _point(self, number: int | None, _place: Floats | None) -> None:
        """Name the piece under the mouse."""
        self.panel.view.setToolTip("" if number is None else self.panel.view.body(number).name)


def _of_question(question: tuple[Any, str]) -> tuple[Any, str]:
    """Cache key of the bodies; shapes are compared by identity."""
    sight, printer = question
    return sight if isinstance(sight, tuple) else id(sight), printer
