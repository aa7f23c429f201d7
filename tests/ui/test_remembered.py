"""What was chosen last in a dialog is there the next time, on another design and in another session too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from studio.puzzles.registry import kind
from studio.puzzles.slitherlink.kind import LOOPY_FORM
from studio.ui.abilities.batching import BatchDialog
from studio.ui.panels.making_choice import OptionsDialog
from tests.ui.stage import KindStage

CHOICES: list[tuple[str, str, dict[str, Any]]] = [
    ("calendar", "booklet", {"solutions": "none", "paper": "Letter"}),
    ("slitherlink", "book", {"count": 12, "title": "Rainy days"}),
    ("zigzaw", "export_json", {}),
    ("zigzaw", "export_zip", {}),
    ("slitherlink", "export_txt", {"form": LOOPY_FORM}),
    ("jigsaw", "batch", {"count": 7, "repair": False, "format": "svg"}),
]


def other(options: Any, wanted: dict[str, Any]) -> Any:
    """Options that are not the usual ones."""
    if wanted:
        return replace(options, **wanted)
    flags = {name: not value for name, value in vars(options).items() if isinstance(value, bool)}
    numbers = {name: value + 1 for name, value in vars(options).items() if type(value) is int}
    return replace(options, **(flags or numbers))


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("key", "command", "wanted"), CHOICES, ids=[f"{key}-{name}" for key, name, _ in CHOICES])
def test_options_begin_as_they_were_chosen_the_last_time(
    qapp: QApplication, tmp_path: Path, key: str, command: str, wanted: dict[str, Any]
) -> None:
    seen: list[Any] = []

    def choose(dialog: OptionsDialog | BatchDialog) -> Any:
        seen.append(dialog.form.parameters())
        dialog.form.set_parameters(other(seen[0], wanted))
        # A form that is filled in by a program says nothing of it.
        dialog.form.edited.emit("", dialog.form.parameters(), None)
        return dialog.request()

    for _session in range(2):
        stage = KindStage(tmp_path, kind(key))
        stage.answers.on_options = stage.answers.on_batch = choose
        stage.window.finish()
        stage.window.actions_[command].trigger()
        assert stage.wait_for(lambda: len(seen) > _session)  # noqa: B023
        stage.preferences.save()
        stage.close()
    assert seen[0] != seen[1] == other(seen[0], wanted)
