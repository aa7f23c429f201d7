"""Drawings of other programs in the window: read off the GUI thread, with options where there is something to choose.

A drawing that is plain, of one layer and with a unit, is taken as it is; its notes offer the options afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.files.foreign import Reading, UnitMissing
from studio.geometry.curves.strokes import Curves, Floats
from studio.ui.session.file_reading import FileReading
from studio.ui.session.notices import Action
from studio.ui.session.session import Session

SKETCH_PIXELS = 1000
"""Pixels of the longer side of a picture in which no line of a drawing is missed."""
MOST_SKETCHED = 10_000
"""Lines that are painted of a drawing; of more, evenly chosen ones."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What a drawing becomes: a result, strokes (3k + 1, 2) to show, notes, its size in mm if that matters."""

    result: Any
    strokes: Sequence[Floats]
    notes: tuple[str, ...] = ()
    size: tuple[float, float] | None = None
    is_framed: bool = False


@dataclass(frozen=True, eq=False)
class Looked:
    """A drawing read in one way: what it becomes, or else the problem; a sketch of it, and the lines on each layer."""

    reading: Reading
    seen: Seen | None
    problem: str
    sketch: Floats
    layers: Mapping[str, int]
    is_unit_missing: bool = False

    @property
    def is_plain(self) -> bool:
        """True if nothing is to be chosen before the drawing is used."""
        return self.seen is not None and len(self.layers) < 2


Look = Callable[[Path, Reading, Progress], Seen]
"""Reads a file in one way; raises StudioError if nothing comes of it."""


def look_at(path: Path, reading: Reading, look: Look, progress: Progress) -> Looked:
    """A drawing read in one way; raises StudioError for a file without lines, which no option helps."""
    from studio.files.paths import each_read_once, read_drawing

    seen, problem, is_unit_missing = None, "", False
    with each_read_once():
        drawn = read_drawing(path, reading.unit, progress.part(0.0, 0.4))
        try:
            seen = look(path, reading, progress.part(0.4, 1.0))
        except UnitMissing:
            is_unit_missing = True
        except StudioError as failure:
            problem = str(failure)
    chosen = {layer.casefold() for layer in reading.layers}
    shown = seen.strokes if seen else [
        stroke
        for stroke, layer in zip(drawn.strokes, drawn.layers, strict=True)
        if not chosen or layer.casefold() in chosen
    ]  # fmt: skip
    return Looked(reading, seen, problem, sketched(shown), Counter(drawn.layers), is_unit_missing)


def sketched(strokes: Sequence[Floats]) -> Floats:
    """Straight lines (n, 2, 2) that look like strokes in a picture of SKETCH_PIXELS, in mm; at most MOST_SKETCHED.

    Strokes that are not finite are left out. It is made beside the GUI thread, which could not paint all lines of a
    large drawing in time.
    """
    finite = [stroke for stroke in strokes if len(stroke) > 1 and np.isfinite(stroke).all()]
    if not finite:
        return np.zeros((0, 2, 2))
    whole = np.concatenate(finite)
    low = whole.min(axis=0)
    pixel = max(float((whole - low).max()), 1e-9) / SKETCH_PIXELS
    flat = Curves.of(finite).flattened(pixel)
    places = np.round((flat.points - low) / pixel).astype(np.int64)
    lines = np.stack([places[:-1], places[1:]], 1)[flat.owners[:-1] == flat.owners[1:]]
    lines = lines[(lines[:, 0] != lines[:, 1]).any(axis=1)].reshape(-1, 4)
    # Each line as one number, which numpy sorts without keeping other threads waiting.
    _, first = np.unique(lines @ (2 * SKETCH_PIXELS) ** np.arange(4), return_index=True)
    lines = lines[first].reshape(-1, 2, 2)
    return np.asarray(lines[:: max(1, -(-len(lines) // MOST_SKETCHED))] * pixel + low)


class DrawingImport(QObject):
    """Brings drawings from files into one design."""

    def __init__(self, session: Session, lane: str, title: str, look: Look, parent: QObject) -> None:
        """`lane` is that of the jobs, `title` that of the options."""
        super().__init__(parent)
        self._session, self._title, self._look = session, title, look
        self.reading = FileReading(session, lane, self)

    def read(
        self,
        path: Path,
        use: Callable[[Seen], object],
        failed: Callable[[StudioError], bool] = lambda _problem: False,
        over: QWidget | None = None,
    ) -> None:
        """Read a file and use what it becomes; `over` is a dialog that asked for it, `failed` deals with problems."""

        def decide(looked: Looked) -> None:
            if looked.is_plain and looked.seen is not None:
                self._finish(looked.seen, path, use, over)
            elif not (self._ask(looked, path, use, over) or failed(StudioError(looked.problem))):
                self._say(looked.problem)

        self.reading.read(
            path, lambda progress: look_at(path, Reading(), self._look, progress), done=decide, failed=failed
        )

    def _ask(self, looked: Looked, path: Path, use: Callable[[Seen], object], over: QWidget | None) -> bool:
        """Show the options of a drawing; returns whether it is used."""
        from studio.ui.panels.drawing_options import DrawingDialog

        preferences = self._session.preferences
        if looked.is_unit_missing:
            looked = replace(looked, reading=replace(looked.reading, unit=preferences.drawing_unit()))
        dialog = DrawingDialog(
            self._session.jobs, self._title, path, looked, self._look, over or self._session.dialogs.parent
        )
        chosen = self._session.dialogs.ask(dialog)
        dialog.finish()
        dialog.deleteLater()
        if chosen is None or chosen.seen is None:
            return False
        if chosen.reading.unit is not None:
            preferences.set_drawing_unit(chosen.reading.unit)
        use(chosen.seen)
        return True

    def _finish(self, seen: Seen, path: Path, use: Callable[[Seen], object], over: QWidget | None) -> None:
        # Before it is used, so that a refusal to use it is what stays.
        if seen.notes and over is None:
            without = replace(Reading().closing, keeps_frame=False)
            again = replace(Reading(), closing=without)
            frame = Action(tr("Leave out the frame"), lambda: self._again(path, again, use))
            options = Action(tr("Options…"), lambda: self._again(path, None, use))
            self._session.notices.post(" ".join(seen.notes), action=frame if seen.is_framed else options)
        use(seen)

    def _say(self, problem: str) -> None:
        if problem:
            self._session.notices.post(problem, Severity.WARNING, passes=True)

    def _again(self, path: Path, reading: Reading | None, use: Callable[[Seen], object]) -> None:
        """Read a file in another way, or ask in which one."""

        def decide(looked: Looked) -> None:
            if reading is not None and looked.seen is not None:
                self._session.notices.post(" ".join(looked.seen.notes), passes=True)
                use(looked.seen)
            else:
                self._ask(looked, path, use, None)

        work = reading or Reading()
        self.reading.read(path, lambda progress: look_at(path, work, self._look, progress), done=decide)
