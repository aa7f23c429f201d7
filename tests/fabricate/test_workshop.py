import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.fabricate.workshop import (
    Machine,
    Material,
    Named,
    every,
    forget,
    keep,
    one_of,
    read_named,
    troubles,
    with_kerf,
)

RESOURCES = Path(__file__).resolve().parents[2] / "resources"


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a maker's own machines and materials, empty."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return tmp_path / "settings" / "puzzle-studio"


def written(folder: Path, name: str, data: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def preset(**values: Any) -> dict[str, Any]:
    """The file of a preset machine with other values."""
    data: dict[str, Any] = json.loads((RESOURCES / "machines" / "co2-600x400.json").read_text(encoding="utf-8"))
    data["machine"].update(values)
    return data


def test_the_presets_are_all_there_is_before_a_maker_keeps_anything() -> None:
    assert [one.key for one in every(Machine)] == sorted(path.stem for path in (RESOURCES / "machines").glob("*.json"))
    assert [one.key for one in every(Material)] == sorted(
        path.stem for path in (RESOURCES / "materials").glob("*.json")
    )
    assert len(every(Machine)) == 6
    assert len(every(Material)) == 7
    assert not any(one.own for one in every(Machine))
    assert not any(one.own for one in every(Material))
    assert troubles() == ()


@pytest.mark.parametrize("path", sorted(RESOURCES.glob("machines/*.json")), ids=lambda path: path.stem)
def test_a_preset_machine_has_the_bed_that_its_key_and_title_name_and_travels_faster_than_it_cuts(path: Path) -> None:
    one = one_of(Machine, path.stem)
    width, height = one.value.bed_width, one.value.bed_height
    assert one.key.endswith(f"-{width:g}x{height:g}")
    assert one.title.endswith(f"{width:g} × {height:g} mm")
    assert one.value.cut_speed < one.value.score_speed <= one.value.rapid_speed
    assert "3 mm plywood" in one.note


@pytest.mark.parametrize("path", sorted(RESOURCES.glob("materials/*.json")), ids=lambda path: path.stem)
def test_a_preset_material_has_the_thickness_that_its_title_names_and_the_kerf_of_a_laser(path: Path) -> None:
    one = one_of(Material, path.stem)
    assert one.title.endswith(f" {one.value.thickness:g} mm")
    assert 0.1 <= one.value.kerf <= 0.3
    assert "fit coupon" in one.note


def test_what_is_kept_is_found_again_as_it_was() -> None:
    slow = Named("my-laser", "Münchner Laser, 2. Stock", Machine(cut_speed=3.3, pictures=True), "Lens cleaned in May.")
    keep(slow)
    assert one_of(Machine, "my-laser") == slow
    assert every(Machine)[-1] == slow
    assert len(every(Machine)) == 7
    keep(replace(slow, value=replace(slow.value, cut_speed=4.4)))
    assert one_of(Machine, "my-laser").value.cut_speed == 4.4
    assert len(every(Machine)) == 7


def test_a_makers_own_stands_in_for_a_preset_until_it_is_forgotten() -> None:
    before = every(Material)
    keep(with_kerf(one_of(Material, "plywood-3"), 0.21))
    assert one_of(Material, "plywood-3").value == Material(thickness=3, kerf=0.21, bridge=1)
    assert one_of(Material, "plywood-3").own
    assert [one.key for one in every(Material)] == [one.key for one in before]
    forget("plywood-3", Material)
    assert every(Material) == before


def test_a_machine_and_a_material_may_share_a_key() -> None:
    keep(Named("mine", "Machine", Machine()))
    keep(Named("mine", "Material", Material()))
    forget("mine", Machine)
    assert one_of(Material, "mine").title == "Material"
    with pytest.raises(StudioError, match="Unknown machine 'mine'"):
        one_of(Machine, "mine")


def test_an_unknown_key_is_answered_with_those_there_are() -> None:
    with pytest.raises(StudioError, match=r"^Unknown machine 'k40'; choose from co2-1016x610, .*, diode-400x400\.$"):
        one_of(Machine, "k40")
    with pytest.raises(StudioError, match=r"^Unknown material 'oak'; choose from acrylic-3, .*, poplar-4\.$"):
        one_of(Material, "oak")


@pytest.mark.parametrize("key", ["plywood-3", "oak", "../plywood-3"])
def test_only_ones_own_can_be_forgotten(key: str) -> None:
    with pytest.raises(StudioError, match="no custom version"):
        forget(key, Material)
    assert len(every(Material)) == 7


@pytest.mark.parametrize("key", ["", "Oak", "a b", "../oak", "oak.json", "-oak", "oak-", "a/b", "ø", "x" * 61, "oak\n"])
def test_a_key_that_makes_no_file_name_is_refused(key: str) -> None:
    with pytest.raises(StudioError, match="lower-case words or digits"):
        Named(key, "Oak", Material())


@pytest.mark.parametrize("kerf", [-0.1, 2.1, float("nan")])
def test_an_impossible_kerf_is_refused(kerf: float) -> None:
    with pytest.raises(ParameterError, match=r"^kerf must be 0 to 2 mm"):
        with_kerf(one_of(Material, "plywood-3"), kerf)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "it is empty"),
        ("{", "the file is incomplete (ends at line 1, column 2)"),
        ("[" * 100_000, "larger than 64 kB"),
        ("[" * 60_000, "nested too deeply"),
        ([], "it must be an object, not a list"),
        ({"title": "A", "note": ""}, "machine is missing"),
        ({**preset(), "colour": 1}, "colour is unknown"),
        ({**preset(), "machine": 3}, "machine must be an object, not 3"),
        ({**preset(), "machine": {"bed_width": 3}}, "machine.bed_height is missing"),
        ({**preset(), "title": " "}, "title"),
        ({**preset(), "title": 3}, "title"),
        ({**preset(), "note": None}, "note"),
        (preset(lens=2), "machine.lens is unknown"),
        (preset(cut_speed=0), "cut_speed must be 0.1 to 3000 mm/s, not 0"),
        (preset(cut_speed=-15), "cut_speed must be 0.1 to 3000 mm/s, not -15"),
        (preset(rapid_speed="200"), "rapid_speed must be"),
        (preset(acceleration=True), "acceleration must be"),
        (preset(acceleration=float("nan")), "acceleration must be"),
        (preset(bed_width=float("inf")), "bed_width must be"),
        (preset(pictures=1), "pictures must be true or false"),
        ('{"title": "A", "title": "B", "note": "", "machine": {}}', "title appears twice"),
    ],
)
def test_a_file_that_is_no_machine_is_refused_by_name(tmp_path: Path, data: Any, words: str) -> None:
    with pytest.raises(StudioError, match=r"^machines/odd\.json ") as caught:
        read_named(written(tmp_path, "odd.json", data), Machine)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_material_is_no_machine() -> None:
    with pytest.raises(StudioError, match=r"^machines/cork-3.json cannot be used: material is unknown"):
        read_named(RESOURCES / "materials" / "cork-3.json", Machine)


def test_a_file_that_cannot_be_used_hides_nothing_but_itself(settings: Path) -> None:
    keep(Named("good", "Good", Machine()))
    written(settings / "machines", "bad.json", preset(cut_speed=0))
    written(settings / "machines", "co2-600x400.json", "{")
    written(settings / "machines", "Capital.json", preset())
    written(settings / "machines", "notes.txt", "not for the studio")
    (settings / "materials" / "folder.json").mkdir(parents=True)
    assert [one.key for one in every(Machine) if one.own] == ["good"]
    assert len(every(Machine)) == 7
    assert len(every(Material)) == 7
    sentences = sorted(troubles())
    assert len(sentences) == 4
    for name, sentence in zip(["Capital", "bad", "co2-600x400", "folder"], sentences, strict=True):
        assert f"/{name}.json " in sentence
    with pytest.raises(StudioError, match="cut_speed"):
        one_of(Machine, "bad")
    with pytest.raises(StudioError, match="incomplete"):
        one_of(Machine, "co2-600x400")
    forget("co2-600x400", Machine)
    assert one_of(Machine, "co2-600x400").value == Machine(pictures=True, laser="co2-60")


def test_a_pipe_is_not_opened(settings: Path) -> None:
    (settings / "machines").mkdir(parents=True)
    os.mkfifo(settings / "machines" / "endless.json")
    assert troubles() == ("machines/endless.json cannot be used: it is a device or a pipe, not a file.",)


def test_where_nothing_can_be_written_one_sentence_says_so(settings: Path) -> None:
    settings.parent.mkdir(parents=True)
    settings.write_text("in the way")
    with pytest.raises(StudioError, match="Could not create the folder"):
        keep(Named("mine", "Mine", Machine()))
    assert len(every(Machine)) == 6
