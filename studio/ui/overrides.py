"""Methods that Qt calls, so that one that fails is told and does not end the process.

On Python before 3.12 an exception raised in C, as by numpy, is only its class and its message until somebody catches
it. PySide 6.11 takes the message for the exception where a method that Qt calls fails within another such method, and
the process crashes. Caught and raised again it is an exception.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from shiboken6 import Shiboken

CALLED = {"event", "eventFilter", "paint", "boundingRect", "shape", "sizeHint", "minimumSizeHint", "data"}
"""What Qt calls beside all that ends with `Event`. Not methods that are slots, whose arguments PySide counts."""


def reraise() -> None:
    """Let classes that are made from now on catch and raise again what their methods raise that Qt calls."""
    if sys.version_info < (3, 12):
        setattr(Shiboken.Object, "__init_subclass__", classmethod(_guard))  # noqa: B010 - its type is closed


def _guard(cls: type[Any], /, **words: Any) -> None:
    super(Shiboken.Object, cls).__init_subclass__(**words)
    for name, method in [*vars(cls).items()]:
        if isinstance(method, FunctionType) and (name in CALLED or name.endswith("Event")):
            setattr(cls, name, _reraising(method))


def _reraising(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def called(*values: Any, **words: Any) -> Any:
        try:
            return method(*values, **words)
        except BaseException:
            raise

    return called
