"""Functions by name, whose modules are imported when they are first called, so that a table of them costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def lazy(name: str) -> Callable[..., Any]:
    """The function called `package.module:function`.

    >>> lazy("math:hypot")(3, 4)
    5.0
    """

    @cache
    def found() -> Callable[..., Any]:
        module, _, function = name.partition(":")
        return getattr(import_module(module), function)  # type: ignore[no-any-return]

    def call(*values: Any, **named: Any) -> Any:
        return found()(*values, **named)

    call.__qualname__ = name
    return call
