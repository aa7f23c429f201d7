"""Recipes in files for the laser: every value is written, found by readers of others, and proven."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import ezdxf
import pytest

from studio.base.errors import StudioError
from studio.exporting.colour_profiles import profile
from studio.exporting.formats import DXF, GCODE, HPGL, LASER, LIGHTBURN, SVG, Options
from studio.exporting.laser_files import sheets_as_bytes, write, write_all
from studio.exporting.options import AnyFormat, Unreadable
from studio.geometry.planar.drawing import NO_RECIPE, Drawing, Operation, Recipe, Run, Setting, summary
from tests.export.proofs import proven

Grid = Callable[..., Drawing]
RECIPE = Recipe(
    cut=Setting(power_max=65.5, power_min=52, speed=14.5, passes=2, air=True, kerf=0.14, focus=-1.5,
                note="Über <3 mm> \"& 漢\""),
    score=Setting(power_max=18, power_min=12, speed=100),
    engrave=Setting(power_max=14, speed=120, air=True, focus=0.5),
    mark=Setting(power_max=9, speed=150, note="only on request"),
    raster=Setting(power_max=20, power_min=11, speed=250, interval=0.1, passes=3),
)  # fmt: skip


@pytest.fixture
def worked(grid: Grid) -> Drawing:
    """A board with a line of every operation."""
    drawing = grid(4, 3)
    others = (Operation.ENGRAVE, Operation.SCORE, Operation.MARK)
    chains = list(drawing.chains)
    for at, operation in enumerate(others):
        chains[at] = replace(chains[at], operation=operation)
    chains.sort(key=lambda chain: list(Operation).index(chain.operation))
    found = replace(drawing, chains=tuple(chains))
    assert {chain.operation for chain in found.chains} == set(Operation)
    return found


def options(recipe: Recipe = RECIPE, **values: Any) -> Any:
    return Options(**values, recipe=recipe)


def told(name: str = "lightburn") -> dict[str, str]:
    """What files say of each layer, by its name."""
    known = profile(name)
    work = {"ENGRAVE": "engrave", "SCORE": "score", "INNER": "cut", "BORDER": "cut", "MARK": "mark"}
    return {known.layer(each).name: summary(_setting(work[each.name]), work[each.name]) for each in Operation}


def test_files_say_how_their_cuts_were_aligned_with_a_print(worked: Drawing) -> None:
    note = 'Aligned by 4 marks: width +0.30 %, turned +0.05°, "<0.1 mm".'
    asked = options(run=Run(note=note))
    root = ElementTree.fromstring(SVG.write(worked, asked))
    assert [each.text for each in root if each.tag.endswith("}desc")] == [note]
    (project,) = ElementTree.fromstring(LIGHTBURN.write(worked, asked)).iter("Notes")
    assert f"alignment: {note}" in project.attrib["Notes"].split("\n")
    assert b"999\nalignment: Aligned by 4 marks: width +0.30 %, turned +0.05\\U+00B0" in DXF.write(worked, asked)
    assert b'CO"Aligned by 4 marks: width +0.30 %' in HPGL.write(worked, replace(asked, hpgl="arcs"))
    formats: tuple[AnyFormat, ...] = (SVG, DXF, LIGHTBURN)
    for known in formats:
        proven(known, known.write(worked, asked), worked, asked)
        other = replace(asked, run=Run(note="Aligned otherwise."))
        with pytest.raises(Unreadable, match="notes do not state"):
            known.prove(known.read(known.write(worked, other), asked), worked, asked, known.rounding)


def test_a_tray_is_not_said_to_follow_the_print(grid: Grid, tmp_path: Path) -> None:
    asked, sheet = options(run=Run(note="Aligned by 4 marks.")), grid(4, 3)
    write_all([sheet], tmp_path / "a.svg", asked, tray=[grid(2, 1)])
    assert "Aligned" in (tmp_path / "a.svg").read_text() and "Aligned" not in (tmp_path / "a-tray.svg").read_text()
    sent = sheets_as_bytes([sheet], tmp_path / "b.lbrn2", asked, tray=[grid(2, 1)])
    assert [b"Aligned" in data for _, data in sent] == [True, False]


def _setting(work: str) -> Setting:
    found = RECIPE.setting(work)
    assert found is not None
    return found


def test_a_project_has_every_value_in_the_words_of_lightburn(worked: Drawing) -> None:
    root = ElementTree.fromstring(LIGHTBURN.write(worked, options()))
    known = profile("lightburn")
    found = {
        layer[1].get("Value"): {child.tag: float(child.get("Value", "")) for child in layer[3:]}
        for layer in root.findall("CutSetting")
    }
    cut = {"minPower": 52, "maxPower": 65.5, "speed": 14.5, "numPasses": 2, "runBlower": 1, "zOffset": -1.5, "kerf": 0}
    assert found == {
        known.layer(Operation.INNER).name: cut,
        known.layer(Operation.BORDER).name: cut,
        known.layer(Operation.SCORE).name:
            {"minPower": 12, "maxPower": 18, "speed": 100, "numPasses": 1, "runBlower": 0, "zOffset": 0, "kerf": 0},
        known.layer(Operation.ENGRAVE).name:
            {"minPower": 0, "maxPower": 14, "speed": 120, "numPasses": 1, "runBlower": 1, "zOffset": 0.5, "kerf": 0},
        # The tool layer never runs.
        known.layer(Operation.MARK).name: {},
    }  # fmt: skip
    (notes,) = (note.get("Notes", "") for note in root.iter("Notes"))
    head, *lines = notes.split("\n")
    assert "your recipe: test them first" in head and "defaults" not in head
    assert dict(line.split(": ", 1) for line in lines) == told()


@pytest.mark.parametrize("known", LASER.members, ids=lambda known: str(known.suffix))
def test_a_recipe_changes_no_line_of_any_format(worked: Drawing, known: Any) -> None:
    with_recipe = known.write(worked, options())
    without = known.write(worked, options(NO_RECIPE))
    assert proven(known, with_recipe, worked, options()) == proven(known, without, worked, options(NO_RECIPE))
    assert without == known.write(worked, Options())
    assert (with_recipe != without) == (known in (LIGHTBURN, SVG, DXF, GCODE))


def test_an_svg_describes_each_layer(worked: Drawing) -> None:
    root = ElementTree.fromstring(SVG.write(worked, options()))
    space = "{http://www.w3.org/2000/svg}"
    assert {group.get("id"): group.findtext(f"{space}desc") for group in root.iter(f"{space}g")} == told()


@pytest.mark.parametrize("version", ["R12", "R2000"])
def test_a_dxf_tells_each_layer_in_comments_that_readers_skip(worked: Drawing, tmp_path: Path, version: str) -> None:
    path = tmp_path / "board.dxf"
    write(worked, path, options(version=version), force=True)
    text = path.read_text(encoding="ascii")
    comments = dict(line.split(": ", 1) for line in re.findall(r"^999\n([A-Z_0-9]+: .*)$", text, re.MULTILINE))
    unescaped = {name: re.sub(r"\\U\+(\w{4})", lambda m: chr(int(m[1], 16)), line) for name, line in comments.items()}
    assert unescaped == told()
    assert len(ezdxf.readfile(path).modelspace()) == len(worked.chains)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("value", "other"),
    [("power_max", 66.0), ("power_min", 51.0), ("speed", 14.6), ("passes", 3), ("air", False), ("focus", 0.0),
     ("kerf", 0.15), ("note", "")],
)  # fmt: skip
def test_a_project_with_another_value_is_refused(worked: Drawing, value: str, other: Any) -> None:
    assert RECIPE.cut is not None
    data = LIGHTBURN.write(worked, options(replace(RECIPE, cut=replace(RECIPE.cut, **{value: other}))))
    with pytest.raises(Unreadable, match=r"its layer \w+ has|its notes do not state"):
        LIGHTBURN.prove(LIGHTBURN.read(data, options()), worked, options(), LIGHTBURN.rounding)


@pytest.mark.parametrize("known", [LIGHTBURN, SVG, DXF], ids=lambda known: str(known.suffix))
def test_a_file_with_a_recipe_that_was_not_asked_for_is_refused(worked: Drawing, known: Any) -> None:
    data = known.write(worked, options())
    with pytest.raises(Unreadable):
        known.prove(known.read(data, Options()), worked, Options(), known.rounding)
    with pytest.raises(Unreadable):
        bare = known.write(worked, Options())
        known.prove(known.read(bare, options()), worked, options(), known.rounding)


def test_every_setting_alone_is_written_and_proven(worked: Drawing, tmp_path: Path) -> None:
    for work in ("cut", "score", "engrave", "mark", "raster"):
        alone = Recipe(**{work: _setting(work)})
        for known in (LIGHTBURN, SVG, DXF):
            report = write(worked, tmp_path / f"{work}{known.suffix}", options(alone), force=True)
            assert report.chains == len(worked.chains)


def test_a_value_that_no_machine_has_is_refused() -> None:
    with pytest.raises(StudioError, match="power_max must be 0 to 100 %, not 120"):
        Setting(power_max=120)
