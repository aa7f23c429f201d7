"""Keeps shapes and findings in step with the design: at once while a hand is at work, wholly soon after."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from studio.checks.finding import Checked, Finding
from studio.errors import StudioError
from studio.progress import Progress
from studio.ui.session.document import Document
from studio.ui.session.jobs import Jobs

PAUSE_MS = 150
"""How long nothing must change before the whole board is checked."""
CHECKING = "checking"


class Pipeline(QObject):
    """Design → shapes → findings, each kept from the last design as far as it did not change."""

    reshaped = Signal(object, bool)
    """The shapes now shown, and whether they have settled."""
    checked = Signal(object)
    """The findings of what is shown, a tuple; None while nothing is known of it yet."""
    told = Signal(float, str)
    """How far the check of the whole board is."""

    def __init__(self, document: Document, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._jobs = jobs
        self.design: Any = document.design
        self.shapes: Any = document.kind.shape(document.design, None, Progress())
        self.findings: tuple[Finding, ...] | None = None
        self.verdict = ""
        """What is to be said where there are no findings."""
        self._base: tuple[Any, Checked] | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._check_all)
        # Methods, not partials: Qt lets go of a method when the pipeline is gone, and the document outlives it.
        document.previewed.connect(self._preview)
        document.settled.connect(self._settle)
        document.replaced.connect(self._begin)

    def start(self) -> None:
        """Tell everybody what is shown, and have it checked."""
        self._settle(self._document.design)

    def finish(self) -> None:
        """Check the whole board here and now; for pictures and tests."""
        self._pause.stop()
        self._jobs.cancel(CHECKING)
        answer = self._document.kind.check(self.design, self.shapes, None, Progress())
        self._learned(self.shapes, answer)

    def _begin(self) -> None:
        self._base = None
        self._show(self._document.design, settled=True, anew=True)

    def _preview(self, design: Any) -> None:
        self._show(design, settled=False)

    def _settle(self, design: Any) -> None:
        self._show(design, settled=True)

    def _show(self, design: Any, *, settled: bool, anew: bool = False) -> None:
        self.shapes = self._document.kind.shape(design, None if anew else self.shapes, Progress())
        self.design = design
        self.reshaped.emit(self.shapes, settled)
        self._check_live()
        if settled:
            if self._base is None or self._base[0] is not self.shapes:
                self._pause.start()
        else:
            # A check of the whole takes a core; it begins again when the hand is at rest.
            self._pause.stop()
            self._jobs.cancel(CHECKING)

    def _check_live(self) -> None:
        base, kind = self._base, self._document.kind
        findings: tuple[Finding, ...] | None = None
        if base is not None and kind.is_small_step(self.shapes, base[0]):
            answer = kind.check(self.design, self.shapes, base[1], Progress())
            findings, self.verdict = answer.findings, answer.verdict
        self.findings = findings
        self.checked.emit(findings)

    def _check_all(self) -> None:
        kind, design, shapes = self._document.kind, self.design, self.shapes
        self._jobs.start(
            CHECKING,
            lambda progress: kind.check(design, shapes, None, progress),
            done=partial(self._learned, shapes),
            failed=self._refused,
            told=self.told.emit,
        )

    def _refused(self, _problem: StudioError) -> None:
        """Leave the findings unknown; a check raises nothing, so this is a bug, which the crash hook reports."""

    def _learned(self, shapes: Any, answer: Checked) -> None:
        self._base = (shapes, answer)
        if shapes is self.shapes:
            self.findings, self.verdict = answer.findings, answer.verdict
            self.checked.emit(answer.findings)
        else:
            self._check_live()
