"""Functions imported on their first call, for tables and callbacks.

Code that calls a function itself imports it inside its own function instead, where types and contracts see it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def named(name: str) -> Any:
    """Import `package.module:name`.

    >>> named("math:pi") > 3
    True
    """
    module, _, inside = name.partition(":")
    return getattr(import_module(module), inside)


def lazy(name: str) -> Callable[..., Any]:
    """Return a function that imports `package.module:function` when it is called.

    >>> lazy("math:hypot")(3, 4)
    5.0
    """

    def call(*values: Any, **options: Any) -> Any:
        return named(name)(*values, **options)

    call.__qualname__ = name
    return call
