"""Functions by name: they are there, in the room that names them, and nothing is imported before the first call."""

import ast
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from studio.base.progress import lazy

STUDIO = Path(__file__).resolve().parent.parent / "studio"


def names() -> list[tuple[str, str]]:
    """Every name that a module of the studio is lazy about, with the room of that module or its kind's folder."""
    found = []
    for path in sorted(STUDIO.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if "lazy(" in source else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "lazy":
                assert isinstance(node.args[0], ast.Constant), path
                room = path.parent.relative_to(STUDIO.parent).parts
                room = room[:3] if room[:2] == ("studio", "puzzles") else room
                found.append((str(node.args[0].value), ".".join(room)))
    return found


def ranks() -> dict[str, int]:
    """The rooms of the window, each with its place in the contract, from above."""
    contracts = tomllib.loads((STUDIO.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = [each["layers"] for each in contracts["contracts"] if each.get("containers") == ["studio.ui"]]
    return {f"studio.ui.{room.strip()}": rank for rank, rooms in enumerate(layers) for room in rooms.split("|")}


def test_what_is_named_is_there_and_no_wall_is_passed_by() -> None:
    found, rank = names(), ranks()
    assert len(found) > 10 and len(rank) > 5
    for name, folder in found:
        module, _, function = name.partition(":")
        assert callable(getattr(import_module(module), function)), name
        room = ".".join(module.split(".")[:3])
        is_below = folder in rank and room in rank and rank[folder] < rank[room]
        # A name is no import, so no contract sees it.
        assert is_below or module.startswith(f"{folder}."), name


def test_the_module_is_imported_at_the_first_call() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        lazy("no_such_module:nothing")()
    hypot = lazy("math:hypot")
    assert hypot(3, 4) == 5.0 and hypot.__qualname__ == "math:hypot"
    assert lazy("colorsys:rgb_to_hsv")(1.0, 0.0, 0.0) == (0.0, 1.0, 1.0)
