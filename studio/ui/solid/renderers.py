"""The available renderers, and the choice of the first that works on this computer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from studio.base.lazy import lazy
from studio.ui.solid.renderer import NoRenderer, Renderer

USUAL_RENDERERS: tuple[Callable[[], Renderer], ...] = (
    lazy("studio.ui.solid.gl:GlRenderer"),
    lazy("studio.ui.solid.painter:PainterRenderer"),
)
"""By OpenGL first, in hardware or software, then by Qt's painter, which works everywhere."""


def first_that_works(makers: Sequence[Callable[[], Renderer]]) -> tuple[Renderer, list[str]]:
    """A renderer of the first working maker, and why earlier makers failed; raises NoRenderer if all fail."""
    reasons: list[str] = []
    for make in makers:
        try:
            return make(), reasons
        except (NoRenderer, ImportError) as problem:
            reasons.append(str(problem))
    raise NoRenderer("; ".join(reasons))
