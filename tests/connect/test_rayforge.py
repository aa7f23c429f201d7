"""The add-on for Rayforge: where it is installed, its manifest, and designs that it turns into SVG."""

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.cli import main
from studio.connect import rayforge
from studio.files.store import save
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters

CROSSED = JigsawDesign(JigsawParameters(perturbation=0.4, tongue_size=0.35, layout_version=1))
SVG = "{http://www.w3.org/2000/svg}"
FILES = {"conversion.py", "importer.py", "rayforge-addon.yaml", "studio.json"}


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of settings that Rayforge has made."""
    folder = tmp_path / "rayforge settings"
    folder.mkdir()
    monkeypatch.setenv("RAYFORGE_CONFIG_DIR", str(folder))
    return folder


def conversion_in(folder: Path) -> ModuleType:
    """The installed module, loaded as Rayforge loads it: from its file."""
    spec = importlib.util.spec_from_file_location("conversion_of_the_add_on", folder / "conversion.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def manifest() -> dict[str, str]:
    """The plain keys of the manifest, those of a block after its name and a dot."""
    found, block = {}, ""
    for line in (shipped("rayforge") / "rayforge-addon.yaml").read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r"(  )?([a-z_]+):(?: (.+))?", line):
            block = block if match[1] else match[2]
            found[f"{block}.{match[2]}" if match[1] else match[2]] = (match[3] or "").strip('"')
    return found


def made(tmp_path: Path, kind: str, *settings: str) -> Path:
    file = tmp_path / f"{kind} 1.puzzle"
    assert main(["new", kind, *(word for one in settings for word in ("--set", one)), "-o", str(file)]) == 0
    return file


# Installing


def test_the_manifest_has_what_rayforge_demands() -> None:
    found = manifest()
    assert found["name"] == rayforge.NAME and found["name"].isidentifier()
    assert found["description"] and found["author.name"] and int(found["api_version"]) >= 16
    assert (shipped("rayforge") / f"{found['provides.frontend']}.py").is_file()


def test_it_is_installed_updated_and_removed(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = settings / "addons" / "puzzle_studio"
    assert main(["rayforge"]) == 0
    assert f"Installed the add-on in {target}." in capsys.readouterr().out
    assert {path.name for path in target.iterdir()} == FILES
    (target / "of-an-older-version.py").write_text("")
    assert main(["rayforge", "--machine", "co2-600x400", "--material", "plywood-3"]) == 0
    assert f"Updated the add-on in {target}." in capsys.readouterr().out
    assert {path.name for path in target.iterdir()} == FILES
    note = json.loads((target / "studio.json").read_text(encoding="utf-8"))
    assert note["recipe"] == ["--machine", "co2-600x400", "--material", "plywood-3"]
    assert list(settings.iterdir()) == [settings / "addons"]
    assert main(["rayforge", "--remove"]) == 0 and not target.exists()
    assert main(["rayforge", "--remove"]) == 1
    assert "does not have the add-on" in capsys.readouterr().err


def test_half_a_recipe_is_refused(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rayforge", "--machine", "co2-600x400"]) == 2
    assert "both --machine and --material" in capsys.readouterr().err and not list(settings.iterdir())


def test_a_rayforge_that_was_never_started_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAYFORGE_CONFIG_DIR", str(tmp_path / "none"))
    with pytest.raises(StudioError, match="Start Rayforge once"):
        rayforge.install()
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="its folder has another rule")
def test_its_folder_is_found_by_its_own_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAYFORGE_CONFIG_DIR", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".config" / "rayforge").mkdir(parents=True)
    assert rayforge.settings_folder() == tmp_path / ".config" / "rayforge"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
    (tmp_path / "snap" / "rayforge").mkdir(parents=True)
    with pytest.raises(StudioError, match="from Snap"):
        rayforge.settings_folder()
    (tmp_path / "other" / "rayforge").mkdir(parents=True)
    assert rayforge.settings_folder() == tmp_path / "other" / "rayforge"


def test_an_add_on_of_another_maker_stays(settings: Path) -> None:
    theirs = settings / "addons" / "puzzle_studio"
    theirs.mkdir(parents=True)
    (theirs / "rayforge-addon.yaml").write_text("name: something_else\n")
    for work in (rayforge.install, rayforge.remove):
        with pytest.raises(StudioError, match="is not the studio's add-on"):
            work()
    assert (theirs / "rayforge-addon.yaml").read_text() == "name: something_else\n"


def test_a_failure_keeps_the_older_one(settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = rayforge.install().folder
    (target / "older.py").write_text("")
    rename = Path.rename

    def refusing(path: Path, other: Path) -> Path:
        if path.name == "new":
            raise OSError(28, "No space left on device")
        return rename(path, other)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refusing)
        with pytest.raises(StudioError, match=r"Could not write .*: No space left on device"):
            rayforge.install()
    assert {path.name for path in target.iterdir()} == {*FILES, "older.py"}
    assert list(settings.iterdir()) == [settings / "addons"]


# Converting


@pytest.mark.parametrize(
    ("kind", "settings_of_it", "layers"),
    [
        ("jigsaw", ("columns=4", "rows=3"), {"CUT_INNER": 5, "CUT_BORDER": 1}),
        ("slitherlink", ("columns=5", "rows=5"), {"ENGRAVE": None, "CUT_BORDER": 1}),
        ("calendar", (), {"ENGRAVE": None, "SCORE": 16, "CUT_INNER": 1, "CUT_BORDER": 10}),
    ],
)
def test_a_design_becomes_the_layers_of_its_export(
    settings: Path, tmp_path: Path, kind: str, settings_of_it: tuple[str, ...], layers: dict[str, int | None]
) -> None:
    conversion = conversion_in(rayforge.install().folder)
    file = made(tmp_path, kind, *settings_of_it)
    found = conversion.converted(file.read_bytes(), file.name)
    assert main(["export", str(file), "-o", str(tmp_path / "own.svg")]) == 0
    own, ours = ElementTree.parse(tmp_path / "own.svg").getroot(), ElementTree.fromstring(found.svg)
    assert (ours.get("width"), ours.get("height")) == (own.get("width"), own.get("height"))
    assert list(found.paths) == list(layers) == [group.get("id") for group in own if group.get("id") != "artwork"]
    for name, count in layers.items():
        assert count is None or len(found.paths[name]) == count
    drawn = [path.get("d") for group in own if group.get("id") != "artwork" for path in group.iter(f"{SVG}path")]
    assert [data for paths in found.paths.values() for data in paths] == drawn
    assert not found.recipes and not found.warning


def test_steps_of_path_data_have_their_numbers(settings: Path) -> None:
    conversion = conversion_in(rayforge.install().folder)
    assert list(conversion.steps("M300 1.5C295.5 124 293.9 -126 291 127L1e-05 2Z")) == [
        ("M", [300.0, 1.5]), ("C", [295.5, 124.0, 293.9, -126.0, 291.0, 127.0]), ("L", [1e-05, 2.0]), ("Z", []),
    ]  # fmt: skip


def test_layers_have_the_recipe_of_machine_and_material(settings: Path, tmp_path: Path) -> None:
    conversion = conversion_in(rayforge.install("diode-400x400", "plywood-3").folder)
    file = made(tmp_path, "jigsaw", "columns=3", "rows=2")
    recipe = conversion.converted(file.read_bytes(), file.name).recipes["CUT_INNER"]
    assert recipe == {"power": 1.0, "cut_speed": 240, "passes": 1, "air_assist": True}
    assert conversion.recipe_settings("10 to 65 %, 15 mm/s, 2 passes. Test first") == {
        "power": 0.65, "cut_speed": 900, "passes": 2, "air_assist": False,
    }  # fmt: skip
    assert conversion.recipe_settings("anything else") == {}


def test_a_recipe_that_does_not_suit_is_left_out_with_the_reason(settings: Path, tmp_path: Path) -> None:
    conversion = conversion_in(rayforge.install("diode-400x400", "plywood-3").folder)
    file = made(tmp_path, "cube")
    found = conversion.converted(file.read_bytes(), file.name)
    assert found.paths and not found.recipes
    assert found.warning.startswith("The recipe was left out: ") and "10 mm sheet" in found.warning


def test_a_broken_file_is_refused_in_the_words_of_the_studio(settings: Path) -> None:
    conversion = conversion_in(rayforge.install().folder)
    with pytest.raises(conversion.Refusal, match=r"^Cannot open broken\.puzzle: the file is incomplete"):
        conversion.converted(b'{"format": "puzzle-studio"', "broken.puzzle")


def test_a_design_with_errors_is_refused_with_the_first(settings: Path, tmp_path: Path) -> None:
    conversion = conversion_in(rayforge.install().folder)
    file = tmp_path / "crossed.puzzle"
    save(file, JIGSAW, CROSSED)
    with pytest.raises(conversion.Refusal, match=r"^crossed\.puzzle has errors: Tongues "):
        conversion.converted(file.read_bytes(), file.name)


def test_a_missing_studio_is_named(settings: Path) -> None:
    folder = rayforge.install().folder
    conversion = conversion_in(folder)
    for command, sentence in (
        (["/nowhere/puzzle-studio"], r"does not start from /nowhere/puzzle-studio; install the add-on again"),
        ([sys.executable, "-c", "raise SystemExit(3)"], r"does not work from .*; install the add-on again"),
    ):
        (folder / "studio.json").write_text(json.dumps({"command": command, "recipe": []}))
        with pytest.raises(conversion.Refusal, match=sentence):
            conversion.converted(b"{}", "a.puzzle")
    for text in ("", "[]", '{"command": "x"}', '{"command": 3, "recipe": []}'):
        (folder / "studio.json").write_text(text)
        with pytest.raises(conversion.Refusal, match="does not know where Puzzle Studio is"):
            conversion.converted(b"{}", "a.puzzle")


def test_rayforge_opens_a_design(settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rayforge")
    folder = rayforge.install("diode-400x400", "plywood-3").folder
    from rayforge.addon_mgr.addon_manager import Addon  # type: ignore[import-not-found]
    from rayforge.shared.util.versioning import UnknownVersion  # type: ignore[import-not-found]

    assert Addon.load_from_directory(folder, version=UnknownVersion).validate()
    monkeypatch.syspath_prepend(str(folder.parent))
    importer = importlib.import_module("puzzle_studio.importer")
    file = made(tmp_path, "calendar")
    result = importer.PuzzleImporter(file.read_bytes(), file).get_doc_items()
    assert not result.errors
    assert [layer.name for layer in result.payload.items] == ["1 engrave", "2 score", "3 inner cut", "4 border cut"]
