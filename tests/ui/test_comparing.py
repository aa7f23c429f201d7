"""`Compare with…`: what changed since a file, as a picture in a dialog."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from PySide6.QtWidgets import QApplication

from studio.files.store import save
from studio.paper.leaflet import Words
from studio.puzzles import registry
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.ui.panels.variants import ComparisonDialog
from tests.ui.stage import Stage


def test_the_changes_since_a_file_are_shown_and_saved(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path, JigsawDesign())
    save(tmp_path / "before.puzzle", JIGSAW, stage.design)
    stage.extension.selection.select(tongues=[int(stage.shapes.tiling.graph.inner_edges[20])])
    stage.window.actions_["flip"].trigger()
    stage.answers.open, stage.answers.save = tmp_path / "before.puzzle", tmp_path / "changes.png"
    seen: list[list[str]] = []

    def look(dialog: ComparisonDialog) -> None:
        leaflet = dialog.panel._leaflet
        assert leaflet is not None and dialog.panel.view.isVisibleTo(dialog)
        seen.append([mark.text for group in leaflet.pages[0].groups for mark in group.marks if isinstance(mark, Words)])
        dialog.save.click()

    stage.answers.on_comparison = look
    stage.window.actions_["compare"].trigger()
    assert stage.wait_for(lambda: bool(seen))
    assert seen[0][:3] == ["In both", "Only in before.puzzle", "Only in the open design"]
    assert seen[0][3].startswith("Removed: ")
    with Image.open(tmp_path / "changes.png") as image:
        assert image.size[0] == 4000
    assert "changes.png" in stage.posted()
    stage.close()


def test_a_design_of_another_kind_is_refused_in_a_sentence(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path, JigsawDesign())
    save(tmp_path / "cube.puzzle", registry.kind("cube"), registry.kind("cube").example())
    stage.answers.open = tmp_path / "cube.puzzle"
    stage.window.actions_["compare"].trigger()
    refusal = "A cube cannot be compared with a jigsaw: choose two of a kind."
    assert stage.wait_for(lambda: stage.posted() == refusal)
    stage.close()
