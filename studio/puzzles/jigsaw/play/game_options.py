"""What a game of a jigsaw is played for: how its pieces are scattered, whether they are turned, and what fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from studio.base.errors import StudioError
from studio.base.parameters import Validated, choice, declaration, number, parsed, seed
from studio.base.texts import tr

UPRIGHT, QUARTERS, FREE = "none", "quarters", "any"
TURNS = {UPRIGHT: tr("No rotation"), QUARTERS: tr("Quarter turns"), FREE: tr("Any angle")}
LARGEST_CLEARANCE = 2.0
"""In mm."""
LONGEST_SHOWN = 40
"""Letters of a refused target that a sentence repeats."""


@dataclass(frozen=True)
class Terms(Validated):
    """What can be chosen for a game."""

    rotation: str = choice(UPRIGHT, TURNS, title="Rotation", help="How pieces are turned when they are scattered.")
    seed: int = seed(1, help="Random seed of the scatter. The same seed always scatters the pieces the same way.")
    clearance: float = number(0.15, title="Clearance", minimum=0.0, maximum=LARGEST_CLEARANCE, step=0.05, unit="mm",
        help="Edges that differ by no more than this are false fits: they snap, too.")  # fmt: skip

    @property
    def target(self) -> tuple[str, ...]:
        """These terms as the target of a game: those that differ from the default."""
        names = [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        return tuple(f"{name}={getattr(self, name)}" for name in names)


def target_of(texts: Sequence[str]) -> tuple[str, ...]:
    """The target that texts name, as it is kept with a game; raises StudioError for texts that name none."""
    return terms_of(texts).target


def terms_of(target: Sequence[str]) -> Terms:
    """The terms that a target names; raises StudioError for texts that name none."""
    values = {}
    for text in target:
        name, is_named, value = text.partition("=")
        if not is_named or name in values:
            raise StudioError(tr("A setting of a game looks like seed=3, not {text!r}.", text=text[:LONGEST_SHOWN]))
        known = declaration(Terms, name[:LONGEST_SHOWN])
        values[known.name] = parsed(known, value)
    return Terms(**values)
