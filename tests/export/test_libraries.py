"""LightBurn's material libraries: every value goes there and back; libraries of others become materials and recipes."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from studio.base.errors import StudioError
from studio.exporting.readers.lightburn import MOST_BYTES, read_library
from studio.exporting.writers.lightburn import library
from studio.fabricate.recipes import from_library, keep_values, resolved, to_library
from studio.fabricate.workshop import Machine, Material, Named, every, one_of
from studio.geometry.planar.drawing import WORKS, LibraryEntry, Setting

NAMES = ["Birch <3 mm> & \"so\"", "Ünal 漢 wood"]  # fmt: skip
FULL = [
    LibraryEntry(
        name,
        thickness,
        work,
        Setting(
            power_max=61.5 + at, power_min=12.5, speed=14.25 + at, passes=1 + at, air=at % 2 == 0, focus=-0.75 * at,
            kerf=0.13 if work == "cut" else 0.0, interval=0.085 if work == "raster" else 0.1,
            note="Lens 2″: clean it" * (at % 2),
        ),
    )
    for name, thickness in zip(NAMES, (2.9, None), strict=True)
    for at, work in enumerate(WORKS)
]  # fmt: skip
FOREIGN = """<?xml version="1.0" encoding="UTF-8"?>
<LightBurnLibrary DisplayName="Shop">
  <Material name="Birch plywood">
    <Entry Thickness="3.0000" Desc="Clean cut" NoThickTitle="">
      <CutSetting type="Cut">
        <index Value="0"/><name Value="C00"/><LinkPath Value="Birch plywood/3.00/Clean cut"/>
        <minPower Value="15"/><maxPower Value="65"/><maxPower2 Value="20"/><speed Value="10"/><numPasses Value="2"/>
        <kerf Value="0.08"/><runBlower Value="1"/><zOffset Value="-1"/><priority Value="0"/><tabCount Value="1"/>
      </CutSetting>
    </Entry>
    <Entry Thickness="3.0000" Desc="Deep engrave" NoThickTitle="">
      <CutSetting type="Scan"><maxPower Value="40"/><speed Value="300"/><interval Value="0.08"/><bidir Value="1"/>
        <SubLayer type="Scan"><maxPower Value="99"/></SubLayer></CutSetting>
    </Entry>
    <Entry Thickness="3.0000" Desc="Score line" NoThickTitle="">
      <CutSetting type="Cut"><minPower Value="30"/><maxPower Value="20"/><speed Value="80"/></CutSetting>
    </Entry>
    <Entry Thickness="3.0000" Desc="Faster" NoThickTitle="">
      <CutSetting type="Cut"><maxPower Value="90"/><speed Value="25"/></CutSetting>
    </Entry>
  </Material>
  <Material name="100W">
    <Entry Thickness="-1.0000" Desc="Photo" NoThickTitle="Slate">
      <CutSetting_Img type="Image"><maxPower Value="25"/><speed Value="200"/><dpi Value="254"/></CutSetting_Img>
    </Entry>
    <Entry Thickness="-1.0000" Desc="Broken" NoThickTitle="Slate">
      <CutSetting type="Cut"><maxPower Value="120"/><speed Value="5"/></CutSetting>
    </Entry>
    <Entry Thickness="-1.0000" Desc="No speed" NoThickTitle="Slate">
      <CutSetting type="Cut"><maxPower Value="20"/></CutSetting>
    </Entry>
    <Entry Thickness="90" Desc="Beam" NoThickTitle="">
      <CutSetting type="Cut"><maxPower Value="20"/><speed Value="5"/></CutSetting>
    </Entry>
  </Material>
</LightBurnLibrary>
"""


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "puzzle-studio"


def test_every_value_goes_into_a_library_and_back() -> None:
    entries, problems = read_library(library("Mine & \"yours\"", FULL))  # fmt: skip
    assert problems == () and list(entries) == FULL


def test_a_library_has_what_lightburn_needs_to_show_it() -> None:
    root = ElementTree.fromstring(library("Mine", FULL))
    assert (root.tag, root.get("DisplayName")) == ("LightBurnLibrary", "Mine")
    assert [material.get("name") for material in root] == NAMES
    for material in root:
        for entry in material:
            assert set(entry.attrib) == {"Thickness", "Desc", "NoThickTitle"}
            (setting,) = entry
            values = {child.tag: child.get("Value") for child in setting}
            said = entry.get("Desc")
            assert values["LinkPath"] == f"{material.get('name')}/{said}/{said}"
            assert values["kerf"] == ("0.065" if said == "Cut" else "0")
            assert setting.get("type") == ("Scan" if said == "Raster" else "Cut")
    assert [entry.get("Thickness") for entry in root.iter("Entry")] == ["2.9000"] * 5 + ["-1.0000"] * 5


def test_the_library_of_another_maker_becomes_materials_and_recipes() -> None:
    entries, problems = read_library(FOREIGN.encode())
    cut = Setting(power_max=65, power_min=15, speed=10, passes=2, air=True, kerf=0.16, focus=-1, note="Clean cut")
    assert entries[:3] == (
        LibraryEntry("Birch plywood", 3.0, "cut", cut),
        LibraryEntry("Birch plywood", 3.0, "raster",
                     Setting(power_max=40, speed=300, interval=0.08, note="Deep engrave")),
        LibraryEntry("Birch plywood", 3.0, "score", Setting(power_max=20, power_min=20, speed=80, note="Score line")),
    )  # fmt: skip
    assert entries[4] == LibraryEntry(
        "100W Slate", None, "raster", Setting(power_max=25, speed=200, interval=0.1, note="Photo")
    )
    assert len(problems) == 2
    assert "100W Slate, Broken is left out: power_max must be 0 to 100 %, not 120." in problems
    assert "100W Slate, No speed is left out: it states no power and speed." in problems
    found = from_library(entries, every(Material), ())
    # The material of the workshop has the thickness in its title.
    assert [(one.key, one.title) for one in found.materials] == [("100w-slate", "100W Slate")]
    assert set(found.shelf) == {"plywood-3", "100w-slate"} and set(found.shelf["plywood-3"]) == {
        "cut",
        "raster",
        "score",
    }
    assert len(found.notes) == 2
    assert "several settings to cut; the first is used, not “Faster”" in found.notes[0]
    assert found.notes[1].startswith("100W 90 mm is left out: ") and "50 mm" in found.notes[1]


def test_values_of_attributes_and_other_spellings_are_read() -> None:
    text = (
        '<LightBurnLibrary><Material Name="Birch"><Entry Thickness="3" Desc="Fold"><CutSetting Type="Cut" Speed="8"'
        ' MaxPower="75" MinPower="5" NumPasses="2" AirAssist="1"/></Entry></Material></LightBurnLibrary>'
    )
    wanted = Setting(power_max=75, power_min=5, speed=8, passes=2, air=True, note="Fold")
    assert read_library(text.encode()) == ((LibraryEntry("Birch", 3.0, "score", wanted),), ())


def test_what_is_imported_is_what_is_exported_again_whatever_the_machine_inherits() -> None:
    machine = one_of(Machine, "co2-600x400")
    sheet = Named("mine", "My wood", Material(thickness=2.9))
    entries = [
        LibraryEntry("My wood", 2.9, entry.work, entry.setting) for entry in FULL[:5]
    ] + [LibraryEntry("MDF 3 mm", 3.0, "cut", Setting(power_max=50, speed=9))]  # fmt: skip
    found = from_library(entries, [*every(Material), sheet], ())
    assert found.materials == () and found.notes == ()
    for key, values in found.shelf.items():
        keep_values(machine.key, key, values)
    assert to_library(machine, [sheet]) == entries[:5]
    mdf = resolved(machine, one_of(Material, "mdf-3"))
    # Air and note of the starting recipe are not inherited.
    assert mdf is not None and mdf.recipe.cut == Setting(power_max=50, speed=9)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"PK\x03\x04", b"<LightBurnProject/>", b"<LightBurnLibrary>", b"\xff\xfe<", b"x" * (MOST_BYTES + 1),
        b'<!DOCTYPE a [<!ENTITY b "c">]><LightBurnLibrary/>',
    ],
)  # fmt: skip
def test_what_is_no_library_is_refused(data: bytes) -> None:
    with pytest.raises(StudioError, match="This is not a LightBurn library"):
        read_library(data)


@pytest.mark.parametrize("text", ["nan", "inf", "-3", "abc", "1e999", ""])
@pytest.mark.parametrize("name", ["maxPower", "speed", "numPasses", "kerf", "zOffset", "minPower"])
def test_no_number_breaks_the_reader(name: str, text: str) -> None:
    values: dict[str, Any] = {"maxPower": 50, "speed": 10, name: text}
    inside = "".join(f'<{key} Value="{value}"/>' for key, value in values.items())
    data = f'<LightBurnLibrary><Material name="A"><Entry Desc="x"><CutSetting type="Cut">{inside}</CutSetting></Entry>'
    entries, problems = read_library(f"{data}</Material></LightBurnLibrary>".encode())
    assert len(entries) + len(problems) == 1
