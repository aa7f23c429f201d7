"""Fixing all problems of a jigsaw: changes of the cuts are shown first, and made when the maker agrees."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QObject

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.repair.repair import Repaired, repaired
from studio.ui.canvas import paths
from studio.ui.canvas.marks import HIGHLIGHT_Z
from studio.ui.canvas.paths import PathItem
from studio.ui.kinds.jigsaw.marks import thick_pen
from studio.ui.session.notices import Action
from studio.ui.session.session import Session


@dataclass(frozen=True, eq=False)
class Proposal:
    """A repaired design, and its changed cuts."""

    found: Repaired
    cuts: Curves


def proposed(design: JigsawDesign, progress: Progress) -> Proposal:
    """The design repaired, and its changed cuts."""
    found = repaired(design, progress.part(0.0, 0.95))
    before = shape(design, None, progress.part(0.95, 1.0))
    after = shape(found.design, before, progress).drawing.strokes
    # A figure elsewhere makes another board, with the same cuts away from it.
    known = set(_rounded(before.drawing.strokes))
    changed = [at for at, stroke in enumerate(_rounded(after)) if stroke not in known]
    return Proposal(found, after.chosen(np.array(changed, np.int64)))


def _rounded(strokes: Curves) -> list[bytes]:
    """Strokes rounded to a thousandth of a mm and in either direction, for comparison."""
    points = np.round(strokes.points, 3) + 0.0
    runs = (points[begin:end] for begin, end in pairwise(strokes.starts.tolist()))
    return [min(run.tobytes(), run[::-1].tobytes()) for run in runs]


class Repairing(QObject):
    """Proposes a repair over the board, and makes it or not."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.proposal: Proposal | None = None
        self._apply: Action | None = None
        self._discard = Action(tr("Discard"), self.discard)
        self.ghost = PathItem(HIGHLIGHT_Z + 0.6)
        self.ghost.hide()
        session.canvas.scene.addItem(self.ghost)
        session.document.settled.connect(self.discard)
        session.document.replaced.connect(self.discard)
        session.notices.changed.connect(self._follow)

    def start(self) -> None:
        """Look for a repair of all problems."""
        self.discard()
        self._session.changing.look(tr("Fix all"), proposed, self._propose)

    def discard(self, _design: object = None) -> None:
        """Leave the board as it is."""
        self.proposal = None
        self.ghost.hide()
        if self._apply is not None:
            self._session.notices.withdraw(self._apply)
            self._apply = None

    def _propose(self, proposal: Proposal) -> None:
        words = " ".join(proposal.found.sentences)
        if not proposal.found.is_change:
            self._session.notices.post(words)
            return
        self.proposal = proposal
        self._apply = Action(tr("Apply"), partial(self._make, proposal.found.design))
        self.ghost.show_path(paths.curved(proposal.cuts), thick_pen)
        self.ghost.show()
        self._session.notices.post(
            proposal.found.summary, action=self._apply, other=self._discard, asks=True, details=words
        )

    def _make(self, design: JigsawDesign) -> None:
        """Make the proposed changes as one step that can be undone."""
        self._session.document.edit(tr("Fix all problems"), design)

    def _follow(self, _notice: object) -> None:
        notices = self._session.notices
        if self.proposal is not None and not any(
            one is not None and one.action is self._apply for one in (notices.notice(), *notices.waiting())
        ):
            # The notice was closed without an answer.
            self.discard()
