"""Recipes: starting ones, the maker's own over them, and what times and files make of them."""

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.parameters import declarations
from studio.fabricate.cutting_time import raster_seconds, seconds_of
from studio.fabricate.recipes import (
    EVERY,
    equipped,
    keep,
    keep_values,
    levels,
    own_recipes,
    recipe_of,
    resolved,
    starting_recipes,
    troubles,
    values_of,
)
from studio.fabricate.workshop import LASERS, OTHER, Machine, Material, Named, every, for_thickness, one_of
from studio.geometry.planar.drawing import FIELDS, WORK_OF, WORKS, Operation, Recipe, Setting, summary
from tests.fabricate.boards import jigsaw


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "puzzle-studio"


def machine(key: str = "co2-600x400") -> Named[Machine]:
    return one_of(Machine, key)


def material(key: str = "plywood-3") -> Named[Material]:
    return one_of(Material, key)


def test_every_type_of_laser_has_starting_recipes_for_materials_of_the_workshop_all_marked_to_be_tested() -> None:
    known = {one.key for one in every(Material)}
    assert {path.stem for path in shipped("recipes").glob("*.json")} == set(LASERS) - {OTHER}
    shelves = {laser: starting_recipes(laser) for laser in LASERS if laser != OTHER}
    assert sum(map(len, shelves.values())) >= 12
    for laser, shelf in shelves.items():
        assert {"plywood-3", "mdf-3"} <= set(shelf) <= known
        # The light of diodes goes through clear acrylic.
        assert ("acrylic-3" in shelf) == laser.startswith("co2")
        for values in shelf.values():
            assert set(values) == set(WORKS)
            assert all(each["note"] == "Test first" for each in values.values())


@pytest.mark.parametrize(("weak", "strong"), [("diode-5", "diode-10"), ("diode-10", "diode-20"), ("co2-40", "co2-60"),
                                              ("co2-60", "co2-100")])  # fmt: skip
def test_a_stronger_laser_cuts_faster_and_thicker_wood_takes_longer(weak: str, strong: str) -> None:
    for key in ("plywood-3", "mdf-3", "cardboard-1-5"):
        slow, fast = (Setting(**starting_recipes(laser)[key]["cut"]) for laser in (weak, strong))
        assert slow.pace < fast.pace
        assert slow.power_max > 2 * Setting(**starting_recipes(weak)[key]["mark"]).power_max


@pytest.mark.parametrize("key", [one.key for one in every(Machine)])
def test_a_preset_machine_cuts_plywood_by_its_recipe_about_as_fast_as_without_one(key: str) -> None:
    """Its own speeds are for 3 mm plywood, too; one of 45 W has the recipes of 40 W."""
    equal = equipped(machine(key), material())[0]
    assert for_thickness(equal, 3.0).cut_speed == pytest.approx(machine(key).value.cut_speed, rel=0.2)
    assert equal.bed_width == machine(key).value.bed_width


def test_values_are_inherited_from_type_machine_and_material_and_say_from_which(settings: Path) -> None:
    before = resolved(machine(), material())
    assert before is not None and before.recipe.cut == Setting(
        power_max=65, power_min=50, speed=15, air=True, note="Test first"
    )
    keep("co2-600x400", {EVERY: {"cut": {"focus": -1.0, "speed": 14.0}}, "plywood-3": {"cut": {"speed": 12.5}}})
    found = resolved(machine(), material())
    assert found is not None
    assert found.recipe == replace(before.recipe, cut=replace(before.recipe.cut, focus=-1.0, speed=12.5))
    of_cut = {name: found.sources.get(("cut", name)) for name in FIELDS}
    assert of_cut == {
        "power_max": "CO2, 60 W", "power_min": "CO2, 60 W", "speed": "This material", "passes": None,
        "air": "CO2, 60 W",        "kerf": None, "focus": "All materials", "interval": None, "note": "CO2, 60 W",
    }  # fmt: skip
    mdf = resolved(machine(), material("mdf-3"))
    assert mdf is not None and mdf.recipe.cut is not None
    assert (mdf.recipe.cut.speed, mdf.recipe.cut.power_max) == (14.0, 70)
    other = resolved(machine("co2-900x600"), material())
    assert other is not None and other.recipe.cut is not None and other.recipe.cut.speed == 25


def test_every_value_of_every_work_is_kept_and_read_again(settings: Path) -> None:
    own = {
        work: {"power_max": 81.5 - at, "power_min": 7.25, "speed": 33.0 + at, "passes": 2 + at, "air": at % 2 == 0,
               "kerf": 0.12, "focus": -0.5, "interval": 0.08, "note": f"Lens 2″, {work}"}
        for at, work in enumerate(WORKS)
    }  # fmt: skip
    assert all(set(values) == set(FIELDS) for values in own.values())
    keep_values("co2-600x400", "cork-3", own)
    found = resolved(machine(), material("cork-3"))
    assert found is not None and values_of(found.recipe) == own
    assert own_recipes("co2-600x400") == {"cork-3": own}
    keep_values("co2-600x400", "cork-3", {})
    assert own_recipes("co2-600x400") == {} and not (settings / "recipes" / "co2-600x400.json").exists()


def test_without_a_recipe_machine_and_material_are_as_they_were(settings: Path) -> None:
    plain = Named("mine", "Mine", Machine(cut_speed=3.0))
    assert resolved(plain, material()) is None
    assert equipped(plain, material()) == (plain.value, material().value)
    assert recipe_of(plain.value).is_empty
    assert resolved(machine(), material("cork-3")) is None
    # An air pump alone is no setting.
    keep_values("mine", "plywood-3", {"cut": {"air": True}})
    assert len(levels(plain, "plywood-3")) == 1 and resolved(plain, material()) is None


def test_a_files_machine_of_before_has_no_type_and_keeps_its_speeds(settings: Path) -> None:
    folder = settings / "machines"
    folder.mkdir(parents=True)
    content = json.loads((shipped("machines") / "co2-600x400.json").read_text())
    del content["machine"]["laser"]
    content["machine"]["cut_speed"] = 7.5
    (folder / "co2-600x400.json").write_text(json.dumps(content))
    assert machine().value.laser == OTHER
    assert for_thickness(equipped(machine(), material())[0], 3.0).cut_speed == 7.5


def test_a_recipe_decides_speeds_passes_and_kerf(settings: Path) -> None:
    drawing = jigsaw(4, 3)
    one = Machine(cut_speed=12.0, acceleration=1500)
    mine = Named("mine", "Mine", replace(one, cut_speed=99.0))
    keep_values("mine", "plywood-3", {"cut": {"power_max": 80.0, "speed": 12.0, "kerf": 0.22}})
    equal, sheet = equipped(mine, material())
    assert sheet == replace(material().value, kerf=0.22)
    single = seconds_of(drawing, for_thickness(equal, 3.0))
    assert single == pytest.approx(seconds_of(drawing, one), rel=1e-12)
    # The recipe is for its sheet: it is not scaled by the thickness again.
    assert for_thickness(equal, 6.0).cut_speed == 12.0
    keep_values("mine", "plywood-3", {"cut": {"power_max": 80.0, "speed": 12.0, "passes": 3}})
    assert seconds_of(drawing, for_thickness(equipped(mine, material())[0], 3.0)) == pytest.approx(3 * single, rel=1e-9)


def test_pictures_are_engraved_at_the_speed_of_the_raster(settings: Path) -> None:
    fast, _ = equipped(machine(), material())
    recipe = recipe_of(fast)
    assert recipe.raster is not None and recipe.raster.speed == 250
    # 100 lines of 50 mm, and the way to stop and turn beside each.
    assert raster_seconds(50, 10, 254, fast) == pytest.approx(100 * (50 / 250 + 2 * 250 / 2000))
    assert raster_seconds(50, 10, 254, machine().value) == pytest.approx(100 * (50 / 100 + 2 * 100 / 2000))


def test_each_operation_of_a_drawing_has_its_work() -> None:
    one = Recipe(**{work: Setting(speed=at + 1.0) for at, work in enumerate(WORKS)})
    assert [one.of(operation) for operation in Operation] == [
        one.engrave, one.score, one.cut, one.cut, one.mark,
    ]  # fmt: skip
    assert set(WORK_OF) == set(Operation) and [each.name for each in fields(Recipe)] == list(WORKS)


def test_a_summary_names_every_value() -> None:
    full = Setting(power_max=65.5, power_min=12, speed=14.5, passes=2, air=True, kerf=0.14, focus=-1.5, interval=0.08,
                   note="Über Nacht lüften")  # fmt: skip
    said = summary(full, "raster")
    for word in ("12 to 65.5 %", "14.5 mm/s", "2 passes", "air", "kerf 0.14 mm", "focus -1.5 mm", "0.08 mm (318 dpi)"):
        assert word in said
    assert said.endswith(". Über Nacht lüften")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[]", "it must be an object"),
        ('{"title": ""}', "recipes is missing"),
        ('{"title": "", "recipes": []}', "recipes must be an object"),
        ('{"title": "", "recipes": {"Ply Wood": {}}}', "A key must be"),
        ('{"title": "", "recipes": {"mdf-3": {"drill": {}}}}', "mdf-3.drill is unknown"),
        ('{"title": "", "recipes": {"mdf-3": {"cut": 3}}}', "mdf-3.cut must be an object"),
        ('{"title": "", "recipes": {"mdf-3": {"cut": {"watts": 3}}}}', "mdf-3.cut.watts is unknown"),
        ('{"title": "", "recipes": {"mdf-3": {"cut": {"power_max": 101}}}}', "power_max must be 0 to 100 %, not 101"),
        ('{"title": "", "recipes": {"mdf-3": {"cut": {"passes": 1.5}}}}', "passes must be a whole number"),
        ('{"title": "", "recipes": {"mdf-3": {"cut": {"speed": NaN}}}}', "co2-600x400.json cannot be used"),
        ("{", "incomplete"),
    ],
)
def test_a_file_that_is_no_recipe_is_named_and_hides_nothing(settings: Path, content: str, words: str) -> None:
    (settings / "recipes").mkdir(parents=True)
    (settings / "recipes" / "co2-600x400.json").write_text(content)
    (sentence,) = troubles()
    assert "recipes/co2-600x400.json cannot be used: " in sentence and words in sentence
    assert resolved(machine(), material()) is not None
    with pytest.raises(StudioError, match="cannot be used"):
        keep_values("co2-600x400", "plywood-3", {"cut": {"speed": 3.0}})
    assert (settings / "recipes" / "co2-600x400.json").read_text() == content


@pytest.mark.parametrize("name", FIELDS)
def test_a_value_out_of_bounds_is_never_kept(settings: Path, name: str) -> None:
    known = next(each for each in declarations(Setting) if each.name == name)
    wrong = {"flag": 3, "text": "x" * 201}.get(known.type, known.limits[1] + 1)
    with pytest.raises(StudioError, match=rf"plywood-3\.cut: {name} must be"):
        keep_values("co2-600x400", "plywood-3", {"cut": {name: wrong}})
    assert own_recipes("co2-600x400") == {}
