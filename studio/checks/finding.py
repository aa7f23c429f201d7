"""A finding: where a design will not cut, what is wrong there, how bad it is and how it can be mended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any


class Severity(IntEnum):
    """How bad a finding is: an error will not cut, a warning may break, a hint is worth a look."""

    ERROR = 0
    WARNING = 1
    HINT = 2


@dataclass(frozen=True)
class Repair:
    """A way to mend a finding: the words on its button, and the change of the design."""

    title: str
    apply: Callable[[Any], Any]


@dataclass(frozen=True)
class Finding:
    """One thing that a maker should know before cutting.

    `kind` is a short lasting word for tests and tools (`crossing`, `neck` …), `place` is in mm on the drawing;
    `strokes` and `pieces` are those concerned, so that an edit replaces the findings of what it touched; `cells` are
    those of a board, by their names.
    """

    severity: Severity
    kind: str
    message: str
    place: tuple[float, float]
    strokes: tuple[int, ...] = ()
    pieces: tuple[int, ...] = ()
    cells: tuple[str, ...] = ()
    repair: Repair | None = field(default=None, compare=False)


@dataclass(frozen=True, eq=False)
class Checked:
    """What a check found; kinds add what they need to check a similar design quickly."""

    findings: tuple[Finding, ...]

    @property
    def errors(self) -> int:
        """The number of findings for which the design will not cut."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def verdict(self) -> str:
        """What is said of a design without any finding; kinds that prove more say more."""
        return "No findings. This board will cut."
