"""The zigzaw's window, moved by real mouse and key events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from studio.progress import UNTOLD
from studio.puzzles.registry import kind
from studio.puzzles.zigzaw.deal import deal
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters
from studio.ui.kinds.zigzaw.parts import ZigzawParts
from tests.ui.stage import KindStage


class ZigzawStage(KindStage):
    """A window on a small zigzaw."""

    def __init__(self, folder: Path, design: ZigzawDesign | None = None) -> None:
        small = deal(ZigzawParameters(columns=4, rows=4), UNTOLD)
        super().__init__(folder, kind("zigzaw"), small if design is None else design)

    @property
    def parts(self) -> ZigzawParts:
        """What the window has of the kind."""
        assert isinstance(self.window.parts, ZigzawParts)
        return self.window.parts


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[ZigzawStage]:
    made = ZigzawStage(tmp_path)
    yield made
    made.close()


def test_the_board_is_seen_first(stage: ZigzawStage) -> None:
    assert stage.window.middle.currentWidget() is stage.window.canvas
    assert stage.parts.views[0].name == "board"
