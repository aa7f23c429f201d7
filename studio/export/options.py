"""What a maker chooses about a file: each format has a class of its own, and one class can serve several formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from studio.export.profiles import profiles
from studio.parameters import Validated, choice


@dataclass(frozen=True)
class NoOptions(Validated):
    """A format with nothing to choose, and the base of all others; raises ParameterError for what cannot be."""

    def idle(self) -> Mapping[str, str]:
        """The options that the others leave without a meaning, each with the reason."""
        return {}


@dataclass(frozen=True)
class LaserOptions(NoOptions):
    """What every format with lines for a laser cutter asks."""

    profile: str = choice("lightburn", {known.key: known.title for known in profiles()}, title="Profile",
        help="Colours and layers for your laser software.")  # fmt: skip


NOTHING = NoOptions()


def together(classes: Iterable[type[Any]]) -> type[Any]:
    """A class with the options of all of these, each once and in their order; it is a subclass of every one."""
    known = dict.fromkeys(classes)
    needed = [one for one in known if not any(issubclass(other, one) for other in known if other is not one)]
    if len(needed) == 1:
        return needed[0]
    # A dataclass takes the fields of its last base first.
    return dataclass(frozen=True)(type("Options", tuple(reversed(needed)), {}))
