"""The examples in docstrings are true, and the main functions have one."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import studio

STUDIO = Path(studio.__file__).parent
WITH_EXAMPLES = sorted(
    ".".join(("studio", *path.relative_to(STUDIO).with_suffix("").parts))
    for path in STUDIO.rglob("*.py")
    if ">>>" in path.read_text(encoding="utf-8")
)
MAIN = {
    "studio.fabricate.kerf:cutouts",
    "studio.api:check",
    "studio.api:kinds",
    "studio.api:new",
    "studio.api:solve",
    "studio.files.store:load",
    "studio.files.store:loads",
    "studio.base.chance:uniform",
    "studio.geometry.curves.fitting:fitted",
    "studio.geometry.board.tiling_construction:rectangular",
    "studio.geometry.board.tiling_construction:tiled",
    "studio.base.parameters:parse_length",
    "studio.solving.cover:counted",
    "studio.solving.cover:listed",
    "studio.solving.loops:solutions",
    "studio.solving.point_matching:least_matching",
}
"""Functions that whoever reads the code meets first."""


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_are_true(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(import_module(name))
    assert found.attempted and not found.failed


@pytest.mark.parametrize("name", sorted(MAIN))
def test_main_functions_have_an_example(name: str) -> None:
    module, function = name.split(":")
    assert ">>>" in (getattr(import_module(module), function).__doc__ or "")
