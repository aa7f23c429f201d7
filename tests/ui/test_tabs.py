"""Holding tabs in the window: the cut plan has them after an export, shows them, and no piece falls."""

from __future__ import annotations

from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.ui.widgets.theme import current_theme
from tests.classic import classic
from tests.ui.stage import Stage, staged
from tests.ui.test_plan import look, panel, player

stage = staged(lambda folder: Stage(folder, JigsawDesign(classic(columns=4, rows=3, width=100, height=75))))


def test_the_plan_has_the_tabs_of_the_last_export_and_shows_them(stage: Stage) -> None:
    look(stage)
    assert stage.planning.plan is not None and stage.planning.plan.tab_count == 0
    stage.preferences.set_making_values({"tabs": "piece", "tab_width": 1.0, "tab_count": 1})
    stage.cutting.use_machine()
    assert stage.wait_for(lambda: stage.planning.plan is not None)
    found = stage.planning.plan
    assert found is not None and found.tab_count == found.held == 12
    assert stage.cutting.numbers.endswith("12 tabs")
    assert panel(stage).model.index(0, 5).data() == "12"
    shown = player(stage)
    shown.show()
    assert shown.playback is not None
    shown.seek(shown.playback.seconds)
    shown.rest()
    assert shown.snapshot.fallen == 0
    image = shown.scene.tabs.scene().views()[0].grab().toImage()
    accent = current_theme().accent.rgb()
    seen = sum(image.pixel(x, y) == accent for x in range(image.width()) for y in range(image.height()))
    assert seen >= 12 * 10, "a bar on each tab"
