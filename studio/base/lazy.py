"""What is found by name, whose module is imported when it is first wanted, so that a table of such costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def named(name: str) -> Any:
    """What is called `package.module:name`.

    >>> named("math:pi") > 3
    True
    """
    module, _, inside = name.partition(":")
    return getattr(import_module(module), inside)


def lazy(name: str) -> Callable[..., Any]:
    """The function called `package.module:function`.

    >>> lazy("math:hypot")(3, 4)
    5.0
    """

    def call(*values: Any, **options: Any) -> Any:
        return named(name)(*values, **options)

    call.__qualname__ = name
    return call
