"""Fixtures of several tests of the window."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from studio.ui.solid.gl import GlRenderer
from studio.ui.solid.renderer import NoRenderer, PainterRenderer, Renderer


@pytest.fixture(params=["gl", "painter"])
def renderer(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Renderer]:
    try:
        made: Renderer = PainterRenderer() if request.param == "painter" else GlRenderer()
    except NoRenderer as problem:
        pytest.skip(f"no OpenGL here: {problem}")
    yield made
    made.release()
