"""Keeps shapes and findings in step with the design: at once during an edit, in full soon after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from studio.base.progress import Progress
from studio.checks.finding import Checked, Finding
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.kind import AnyKind
from studio.ui.session.derived import Derived
from studio.ui.session.document import Document
from studio.ui.session.jobs import Jobs

PAUSE_MS = 150
"""Delay after the last change before the whole board is checked."""
CHECKING = "checking"


@dataclass(frozen=True, eq=False)
class InSight:
    """A design and its shapes; compared by identity, since shapes may be large."""

    design: Any
    shapes: Any


def sight_of(kind: AnyKind, design: Any, before: Any, progress: Progress) -> InSight:
    """Shape a design, keeping shapes of `before` that did not change; in any thread; raises Cancelled."""
    shapes = kind.shape(design, before, progress)
    cut = kind.able(Cuttable)
    if cut is not None:
        # Cached here, since the window shows it first.
        float(cut.drawing(shapes).cut_length)
    return InSight(design, shapes)


class Pipeline(QObject):
    """Design → shapes → findings; unchanged parts are kept from the last design."""

    shapes_changed = Signal(object, bool)
    """The shapes have changed: brings them, and whether they have settled."""
    findings_changed = Signal(object)
    """The findings of the shapes in sight, a tuple; None while they are unknown."""
    progressed = Signal(float, str)
    """Progress of the check of the whole board."""

    def __init__(
        self, document: Document, jobs: Jobs, sight: InSight | None = None, parent: QObject | None = None
    ) -> None:
        """`sight` is the known result for the document's design."""
        super().__init__(parent)
        self._document = document
        self.design: Any = document.design
        known = sight or sight_of(document.kind, document.design, None, Progress())
        self.shapes: Any = known.shapes
        self._own: tuple[Finding, ...] | None = None
        self._beside: tuple[Finding, ...] = ()
        self.verdict = ""
        """The sentence for a design without findings."""
        self._base: tuple[Any, Checked] | None = None
        self._sight = known
        self._known: InSight | None = None
        self._whole = Derived(jobs, CHECKING, self._check_all, pause=PAUSE_MS, parent=self)
        self._whole.changed.connect(self._follow)
        # Methods, not partials: Qt lets go of a method when the pipeline is gone, and the document outlives it.
        document.previewed.connect(self._preview)
        document.settled.connect(self._settle)
        document.replaced.connect(self.renew)

    @property
    def findings(self) -> tuple[Finding, ...] | None:
        """All findings of the shapes in sight, not only from the kind's check; None while they are unknown."""
        if self._own is None or not self._beside:
            return self._own
        return tuple(sorted((*self._own, *self._beside), key=lambda one: one.rank))

    def show_beside(self, findings: tuple[Finding, ...]) -> None:
        """Show findings that depend on more than the design, such as the chosen machine."""
        if findings != self._beside:
            self._beside = findings
            if self._own is not None:
                self.findings_changed.emit(self.findings)

    @property
    def answer(self) -> Checked | None:
        """The full answer of the check of the shapes in sight; None while it is unknown."""
        return self._base[1] if self._base is not None and self._base[0] is self.shapes else None

    def start(self) -> None:
        """Announce the shapes, and have them checked."""
        self._settle(self._document.design)

    def finish(self) -> None:
        """Check the whole board at once, without a thread; for pictures and tests."""
        self._whole.finish()

    def sight_of(self, design: Any, progress: Progress) -> InSight:
        """Shape a changed design without showing it; the rest is as for the function."""
        return sight_of(self._document.kind, design, self.shapes, progress)

    def expect(self, sight: InSight) -> None:
        """Keep shapes computed elsewhere until their design becomes the document's."""
        self._known = sight

    def preview(self, sight: InSight) -> None:
        """Show a design during a gesture, with shapes computed elsewhere."""
        self._known = sight
        self._document.preview(sight.design)

    def renew(self) -> None:
        """Shape and check the design as if it had just been opened."""
        self._base = None
        self._show(self._document.design, settled=True, anew=True)

    def _preview(self, design: Any) -> None:
        self._show(design, settled=False)

    def _settle(self, design: Any) -> None:
        self._show(design, settled=True)

    def _show(self, design: Any, *, settled: bool, anew: bool = False) -> None:
        known, self._known = self._known, None
        if known is not None and known.design is design:
            self.shapes = known.shapes
        else:
            self.shapes = self._document.kind.shape(design, None if anew else self.shapes, Progress())
        self.design = design
        self.shapes_changed.emit(self.shapes, settled)
        base, kind = self._base, self._document.kind
        findings: tuple[Finding, ...] | None = None
        if base is not None and kind.is_small_step(self.shapes, base[0]):
            answer = kind.check(self.design, self.shapes, base[1], Progress())
            findings, self.verdict = answer.findings, answer.verdict
        self._own = findings
        self.findings_changed.emit(self.findings)
        if self._sight.shapes is not self.shapes:
            self._sight = InSight(self.design, self.shapes)
        # Checking the whole board takes a core, so it restarts when editing pauses.
        self._whole.ask(self._sight, settled=settled)

    def _check_all(self, sight: InSight, progress: Progress) -> Checked:
        return self._document.kind.check(sight.design, sight.shapes, None, progress)

    def _follow(self) -> None:
        answer = self._whole.answer
        if answer is not None:
            self._base = (self.shapes, answer)
            self._own, self.verdict = answer.findings, answer.verdict
            self.findings_changed.emit(self.findings)
        elif self._whole.share:
            self.progressed.emit(self._whole.share, self._whole.note)
