"""The window, the only place that knows Qt; methods that Qt calls are guarded: a failing one is reported at once.

PySide 6.11 keeps an exception of such a method until it is back in Python, whatever else Qt calls meanwhile: it may be
lost there, raised in another method, or crash the process, as an exception of numpy's does on Python 3.11, which is
only a class and a message until somebody catches it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from shiboken6 import Shiboken

ASKED = {"event", "eventFilter", "viewportEvent", "sceneEvent"}
"""Methods that return whether an event is dealt with; a failing one returns False."""
CALLED = ASKED | {"paint", "data"}
"""Methods that Qt calls besides those named `…Event`; no slots, whose arguments PySide counts."""


def _guard(cls: type[Any], /, **words: Any) -> None:
    """Have a class pass exceptions of these methods to the hook for uncaught ones."""
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


setattr(Shiboken.Object, "__init_subclass__", classmethod(_guard))  # noqa: B010 - its type is closed
