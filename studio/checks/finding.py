"""Problems, listed by each kind of puzzle, and findings: a problem of a design, its place and its repair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from studio.base import units
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.base.units import Against


class Severity(IntEnum):
    """Severity of a finding: an error will not cut, a warning may break, a hint is worth a look."""

    ERROR = 0
    WARNING = 1
    HINT = 2


@dataclass(frozen=True)
class Repair:
    """A fix for a finding: the title of its button, and the change of the design, which may take a while.

    `lost` names the edits missing from the second of two designs, if the change may drop some.
    """

    title: str
    change: Callable[[Any, Progress], Any]
    lost: Callable[[Any, Any], tuple[str, ...]] | None = None

    def apply(self, design: Any, progress: Progress = SILENT) -> Any:
        """Return the fixed design; raises StudioError if it cannot be fixed."""
        return self.change(design, progress)

    def fixed(self, design: Any, progress: Progress = SILENT) -> tuple[Any, tuple[str, ...]]:
        """Return the fixed design and the names of dropped edits; raises StudioError as `apply` does."""
        after = self.apply(design, progress)
        return after, () if self.lost is None else self.lost(design, after)

    @classmethod
    def at_once(
        cls, title: str, change: Callable[[Any], Any], lost: Callable[[Any, Any], tuple[str, ...]] | None = None
    ) -> Repair:
        """Make a repair from an immediate change without progress."""
        return cls(title, lambda design, _progress: change(design), lost)

    @classmethod
    def setting(cls, title: str, **values: Any) -> Repair:
        """Make a repair that sets parameters; the title may name their values in braces."""
        return cls.at_once(
            units.filled(title, values), lambda design: replace(design, parameters=replace(design.parameters, **values))
        )


@dataclass(frozen=True)
class Problem:
    """A kind of problem.

    `key` is a short lasting word for tests and tools (`crossing`, `neck` …), shared by problems of one sort; `title`
    and `helps` are the problem and its fix in the manual. `says` is the sentence of a finding: a template for
    `str.format`, or a function of the values. Findings without a stroke or a piece are marked at their places only if
    the problem `is_local`.
    """

    key: str
    severity: Severity
    title: str
    says: str | Callable[..., str]
    helps: str
    is_local: bool = False

    def finding(
        self,
        place: Iterable[float],
        *,
        strokes: Iterable[int] = (),
        pieces: Iterable[int] = (),
        cells: Iterable[str] = (),
        repair: Repair | None = None,
        others: Iterable[Repair] = (),
        shortfall: float = 0.0,
        **values: object,
    ) -> Finding:
        """Report this problem at a place (x, y) in mm; the sentence is made from the values.

        `repair` is the usual fix, `others` are fixes that a maker may choose instead.

        A float beside a float limit `least` or `most` is never rounded to that limit.
        """
        values = _against_limit(values)
        message = tr(self.says, **values) if isinstance(self.says, str) else self.says(**values)
        x, y = map(float, place)
        return Finding(
            self, message, (x, y), tuple(strokes), tuple(pieces), tuple(cells), repair, shortfall, tuple(others)
        )


def _against_limit(values: dict[str, Any]) -> dict[str, Any]:
    limit = values.get("least", values.get("most"))
    if not isinstance(limit, float):
        return values
    return {
        name: Against(value, limit) if isinstance(value, float) and name not in ("least", "most") else value
        for name, value in values.items()
    }


@dataclass(frozen=True)
class Finding:
    """A problem of a design that a maker should know before cutting.

    `place` is in mm on the drawing; `strokes` and `pieces` are the affected ones, by which an edit replaces findings;
    `cells` are a board's, by name.
    """

    problem: Problem
    message: str
    place: tuple[float, float]
    strokes: tuple[int, ...] = ()
    pieces: tuple[int, ...] = ()
    cells: tuple[str, ...] = ()
    repair: Repair | None = field(default=None, compare=False)
    shortfall: float = 0.0
    """Shortfall of the measured value as a fraction of its limit; 0 without a measurement."""
    others: tuple[Repair, ...] = field(default=(), compare=False)
    """Fixes beside the usual one."""

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """All fixes, the usual one first."""
        return self.others if self.repair is None else (self.repair, *self.others)

    @property
    def kind(self) -> str:
        """The key of its problem."""
        return self.problem.key

    @property
    def severity(self) -> Severity:
        """The severity of its problem."""
        return self.problem.severity

    @property
    def is_marked(self) -> bool:
        """True if its place is marked; a finding about the whole board has no mark."""
        return bool(self.strokes or self.pieces or self.problem.is_local)

    @property
    def has_place(self) -> bool:
        """True if its place says where to look; false for a hint about a whole piece and for the whole board."""
        of_a_part = bool(self.pieces or self.cells) and self.severity is not Severity.HINT
        return bool(self.strokes) or self.problem.is_local or of_a_part

    @property
    def rank(self) -> tuple[int, float, float, str, tuple[int, ...]]:
        """Sorting key: the worst first, then in reading order; at one place by kind and cuts."""
        return self.severity, self.place[1], self.place[0], self.kind, self.strokes


@dataclass(frozen=True, eq=False)
class Checked:
    """Findings of a check, and the text shown without findings; kinds add data that speed up the next check."""

    findings: tuple[Finding, ...]
    verdict: str = tr("No problems found. Ready to cut.")

    @property
    def errors(self) -> list[Finding]:
        """Findings that keep the design from being cut."""
        return errors_of(self.findings)


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    """Select the findings that keep a design from being cut."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def problems_of(names: Mapping[str, object]) -> tuple[Problem, ...]:
    """Collect the problems among a module's names, in their order."""
    return tuple(value for value in names.values() if isinstance(value, Problem))
