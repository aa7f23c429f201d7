"""Methods that Qt calls, so that one that fails is told at once and does no harm.

PySide 6.11 keeps what such a method raises until it is back in Python, whatever else Qt calls meanwhile: it may be lost
there, raised in another method, or crash the process, as an exception of numpy's does on Python 3.11, which is only a
class and a message until somebody catches it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from shiboken6 import Shiboken

ASKED = {"event", "eventFilter", "viewportEvent", "sceneEvent"}
"""What answers whether an event is dealt with: not by a method that fails."""
CALLED = ASKED | {"paint", "data"}
"""What Qt calls beside all that ends with `Event`. Not methods that are slots, whose arguments PySide counts."""


def guard() -> None:
    """Let classes that are made from now on give what these methods raise to the hook for uncaught exceptions."""
    setattr(Shiboken.Object, "__init_subclass__", classmethod(_guard))  # noqa: B010 - its type is closed


def _guard(cls: type[Any], /, **words: Any) -> None:
    super(Shiboken.Object, cls).__init_subclass__(**words)
    for name, method in [*vars(cls).items()]:
        if isinstance(method, FunctionType) and (name in CALLED or name.endswith("Event")):
            setattr(cls, name, _guarded(method, False if name in ASKED else None))


def _guarded(method: Callable[..., Any], otherwise: bool | None) -> Callable[..., Any]:
    @functools.wraps(method)
    def called(*values: Any, **words: Any) -> Any:
        try:
            return method(*values, **words)
        except Exception as problem:
            sys.excepthook(type(problem), problem, problem.__traceback__)
            return otherwise

    return called
