"""Problems, listed by each kind of puzzle, and findings: where a design has one, and how it can be fixed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from studio.base import units
from studio.base.progress import SILENT, Progress
from studio.base.rounding import Against
from studio.base.texts import tr


class Severity(IntEnum):
    """How bad a finding is: an error will not cut, a warning may break, a hint is worth a look."""

    ERROR = 0
    WARNING = 1
    HINT = 2


@dataclass(frozen=True)
class Repair:
    """A fix for a finding: the title of its button, and the change of the design, which may take a while.

    `lost` names the edits that are in one design and no longer in another, where the change may drop some.
    """

    title: str
    change: Callable[[Any, Progress], Any]
    lost: Callable[[Any, Any], tuple[str, ...]] | None = None

    def apply(self, design: Any, progress: Progress = SILENT) -> Any:
        """The fixed design; raises StudioError where it cannot be fixed."""
        return self.change(design, progress)

    def fixed(self, design: Any, progress: Progress = SILENT) -> tuple[Any, tuple[str, ...]]:
        """The fixed design, and the edits that were dropped for it, in words; raises StudioError as `apply` does."""
        after = self.apply(design, progress)
        return after, () if self.lost is None else self.lost(design, after)

    @classmethod
    def at_once(
        cls, title: str, change: Callable[[Any], Any], lost: Callable[[Any, Any], tuple[str, ...]] | None = None
    ) -> Repair:
        """A change that takes no time."""
        return cls(title, lambda design, _progress: change(design), lost)

    @classmethod
    def setting(cls, title: str, **values: Any) -> Repair:
        """Gives parameters other values, which the title may name in braces."""
        return cls.at_once(
            units.filled(title, values), lambda design: replace(design, parameters=replace(design.parameters, **values))
        )


@dataclass(frozen=True)
class Problem:
    """All that belongs to one kind of problem.

    `key` is a short lasting word for tests and tools (`crossing`, `neck` …), which problems of one sort share; `title`
    and `helps` are the problem and its fix in the manual. `says` is the sentence of a finding: a template for
    `str.format`, or a function of the values. Findings that concern no stroke and no piece are marked at their places
    only where the problem `is_local`.
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
        shortfall: float = 0.0,
        **values: object,
    ) -> Finding:
        """This problem at a place (x, y) in mm; the sentence is made of the values.

        One beside the `least` or the `most` that there should be never reads as that limit.
        """
        values = _against_limit(values)
        message = tr(self.says, **values) if isinstance(self.says, str) else self.says(**values)
        x, y = map(float, place)
        return Finding(self, message, (x, y), tuple(strokes), tuple(pieces), tuple(cells), repair, shortfall)


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
    """One thing that a maker should know before cutting.

    `place` is in mm on the drawing; `strokes` and `pieces` are those concerned, so that an edit replaces the findings
    of what it touched; `cells` are those of a board, by their names.
    """

    problem: Problem
    message: str
    place: tuple[float, float]
    strokes: tuple[int, ...] = ()
    pieces: tuple[int, ...] = ()
    cells: tuple[str, ...] = ()
    repair: Repair | None = field(default=None, compare=False)
    shortfall: float = 0.0
    """By what fraction of its limit what was measured falls short of it; 0 where nothing is measured."""

    @property
    def kind(self) -> str:
        """The key of its problem."""
        return self.problem.key

    @property
    def severity(self) -> Severity:
        """How bad its problem is."""
        return self.problem.severity

    @property
    def is_marked(self) -> bool:
        """Whether it has a place that is marked; what concerns the whole board has none."""
        return bool(self.strokes or self.pieces or self.problem.is_local)

    @property
    def has_place(self) -> bool:
        """Whether its place says where to look: a hint about a whole piece, and what concerns the board, have none."""
        of_a_part = bool(self.pieces or self.cells) and self.severity is not Severity.HINT
        return bool(self.strokes) or self.problem.is_local or of_a_part

    @property
    def rank(self) -> tuple[int, float, float, str]:
        """What findings are sorted by: the worst first, then in reading order."""
        return self.severity, self.place[1], self.place[0], self.kind


@dataclass(frozen=True, eq=False)
class Checked:
    """The findings of a check, and the text shown where there are none; kinds add what speeds up the next check."""

    findings: tuple[Finding, ...]
    verdict: str = tr("No problems found. Ready to cut.")

    @property
    def errors(self) -> list[Finding]:
        """The findings for which the design will not cut."""
        return errors_of(self.findings)


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    """Those for which a design will not cut."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def problems_of(names: Mapping[str, object]) -> tuple[Problem, ...]:
    """The problems among the names of a module, in their order."""
    return tuple(value for value in names.values() if isinstance(value, Problem))
