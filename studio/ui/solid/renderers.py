"""The renderers there are, and the first of them that works on this computer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from studio.ui.solid.renderer import NoRenderer, Renderer


def first_that_works(makers: Sequence[Callable[[], Renderer]]) -> tuple[Renderer, list[str]]:
    """A renderer of the first maker that works here, and why those before it did not; raises NoRenderer for none."""
    reasons: list[str] = []
    for make in makers:
        try:
            return make(), reasons
        except NoRenderer as problem:
            reasons.append(str(problem))
    raise NoRenderer("; ".join(reasons))


def usual_renderers() -> tuple[Callable[[], Renderer], ...]:
    """By the graphics card or its stand-in first, then by Qt's painter, which works everywhere."""

    def by_card() -> Renderer:
        try:
            from studio.ui.solid.gl import GlRenderer
        except ImportError as problem:
            raise NoRenderer(str(problem)) from problem
        return GlRenderer()

    def by_painter() -> Renderer:
        from studio.ui.solid.painter import PainterRenderer

        return PainterRenderer()

    return by_card, by_painter
