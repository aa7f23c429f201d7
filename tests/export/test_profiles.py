import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError, declaration, declarations, parsed
from studio.exporting.colour_profiles import Profile, profile, profiles, read_profile, shipped_profiles
from studio.exporting.formats import LASER, Options
from studio.exporting.options import OF_ARTWORK
from studio.geometry.planar.drawing import Operation

RESOURCES = Path(__file__).resolve().parents[2] / "resources" / "profiles"


def changed(**members: Any) -> dict[str, Any]:
    data = json.loads((RESOURCES / "lightburn.json").read_text(encoding="utf-8"))
    return {**data, **members}


def with_layer(**members: Any) -> dict[str, Any]:
    data = changed()
    data["layers"][0].update(members)
    return data


def test_lightburn_comes_first_and_the_others_by_name() -> None:
    assert [known.key for known in profiles()] == ["lightburn", "glowforge", "ponoko", "single", "workshop"]
    assert Options().profile == "lightburn"


@pytest.mark.parametrize("known", shipped_profiles(), ids=lambda known: known.key)
def test_every_profile_has_every_operation_in_machining_order(known: Profile) -> None:
    assert [layer.operation for layer in known.every] == list(Operation)
    assert all(known.layer(operation).operation is operation for operation in Operation)
    assert known.layers[-1].operation is Operation.BORDER


def test_the_options_offer_the_profiles_that_there_are() -> None:
    offered = {choice.value: choice.title for choice in declaration(Options, "profile").choices}
    assert offered == {known.key: known.title for known in profiles()}


def test_lightburn_tells_every_operation_apart_by_colour() -> None:
    known = profile("lightburn")
    assert [layer.colour for layer in known.layers] == ["#000000", "#00E000", "#FF0000", "#0000FF"]
    assert len({layer.aci for layer in known.layers}) == 4


def test_where_blue_only_scores_nothing_that_must_be_cut_is_blue() -> None:
    known = profile("workshop")
    assert known.layer(Operation.SCORE).colour == "#0000FF"
    assert known.layer(Operation.INNER).colour == known.layer(Operation.BORDER).colour == "#FF0000"
    assert known.layer(Operation.INNER).name != known.layer(Operation.BORDER).name


def test_the_single_colour_is_one_in_both_formats() -> None:
    layers = profile("single").layers
    assert len({(layer.colour, layer.aci) for layer in layers}) == 1


def test_glowforge_gets_a_colour_for_every_step_in_order_by_number_too() -> None:
    colours = [layer.colour for layer in profile("glowforge").layers]
    assert len(set(colours)) == 4 and colours == sorted(colours)


def test_ponoko_gets_blue_cuts_and_red_marks_in_its_hairline() -> None:
    known = profile("ponoko")
    assert [layer.colour for layer in known.layers] == ["#FF0000", "#FF0000", "#0000FF", "#0000FF"]
    assert [layer.aci for layer in known.layers] == [1, 1, 5, 5]
    assert known.stroke_width == 0.01


@pytest.mark.parametrize("known", shipped_profiles(), ids=lambda known: known.key)
def test_every_operation_has_a_layer_of_its_own_in_a_lightburn_project(known: Profile) -> None:
    assert len({layer.cut for layer in known.every}) == len(Operation)


def test_the_lightburn_layers_have_the_colours_that_lightburn_gives_them() -> None:
    palette = {0: "#000000", 1: "#0000FF", 2: "#FF0000", 3: "#00E000"}
    assert all(layer.colour == palette[layer.cut] for layer in profile("lightburn").layers)


def test_an_unknown_profile_is_answered_with_those_there_are() -> None:
    with pytest.raises(
        StudioError, match="Unknown profile 'glow'; choose from lightburn, glowforge, ponoko, single, workshop"
    ):
        profile("glow")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "profile must be an object, not a list"),
        ({**changed(), "extra": 1}, "profile.extra is unknown"),
        (changed(title=" "), "title"),
        (changed(key=3), "key"),
        (changed(stroke_width=0.2), "0.01 to 0.1 mm"),
        (changed(stroke_width="0.05"), "stroke_width must be a number, not '0.05'"),
        (changed(stroke_width=True), "stroke_width must be a number, not true"),
        (changed(stroke_width=float("nan")), "stroke_width must be a number, not NaN"),
        (changed(layers={}), "list"),
        (changed(layers=changed()["layers"][:3]), "one layer each"),
        (changed(layers=changed()["layers"][::-1]), "in this order"),
        (with_layer(operation="carve"), "engrave, score, inner cut, border cut"),
        (with_layer(operation=None), "engrave, score, inner cut, border cut"),
        (with_layer(name="0"), "capitals"),
        (with_layer(name="GRAVÉ"), "capitals"),
        (with_layer(name="CUT_INNER"), "same name"),
        (with_layer(colour="red"), "#FF0000"),
        (with_layer(colour=7), "colour must be a text, not 7"),
        (with_layer(aci=0), "1 to 255"),
        (with_layer(aci=True), "aci must be a whole number, not true"),
        (with_layer(aci=2.0), "aci must be a whole number, not 2.0"),
        (with_layer(cut=-1), "0 to 29"),
        (with_layer(cut=30), "0 to 29"),
        (with_layer(cut=True), "cut must be a whole number, not true"),
        (with_layer(cut=2), "same LightBurn layer"),
    ],
)
def test_a_profile_that_cannot_be_used_is_named_with_the_reason(data: Any, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(StudioError) as caught:
        read_profile(path)
    assert "mine.json" in str(caught.value) and words in str(caught.value)


@pytest.mark.parametrize(("data", "why"), [(b"", "empty"), (b"{", "incomplete"), (b"\xff\xfe", "not UTF-8 text")])
def test_a_profile_that_is_no_text_is_named(data: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_bytes(data)
    with pytest.raises(StudioError, match=rf"mine\.json cannot be used: (it is|the file is) {why}"):
        read_profile(path)


def test_a_missing_profile_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match=r"mine\.json cannot be used: there is no such file"):
        read_profile(tmp_path / "mine.json")


def test_options_are_declared_for_form_and_command_line() -> None:
    names = {known.name: [each.name for each in declarations(known.options)] for known in LASER.members}
    known = {
        "SVG": ["profile", "svg_unit"],
        "DXF": ["profile", "version", "curves", "tolerance", "close"],
        "PDF": ["profile", "pages", "paper", "paper_margin", "overlap"],
        "PNG": ["profile", "dpi", "ground", "line_width"],
        "LBRN2": ["profile", "keep_order"],
        "GCODE": ["profile", "cut_power", "line_power", "max_power", "air"],
        "PLT": ["profile", "hpgl"],
    }
    of_artwork = list(OF_ARTWORK)
    of_artwork.insert(of_artwork.index("raster_dpi"), "rest")
    assert {name: names[name] for name in known} == {
        name: ["profile", *of_artwork, *own[1:]] for name, own in known.items()
    }
    assert [each.name for each in declarations(Options)] == list(dict.fromkeys(chain.from_iterable(names.values())))
    assert parsed(declaration(Options, "tolerance"), "1/100 mm") == 0.01


def test_r12_with_splines_is_refused_in_a_sentence() -> None:
    with pytest.raises(ParameterError, match="R12 has no splines; choose arcs or lines, or DXF R2000") as caught:
        Options(version="R12", curves="spline")
    assert caught.value.name == "curves"


@pytest.mark.parametrize(
    "wrong",
    [
        {"tolerance": 0.0009},
        {"tolerance": 1.1},
        {"tolerance": float("nan")},
        {"version": "R14"},
        {"close": 1},
        {"profile": "x"},
        {"pages": "two"},
        {"paper": "A6"},
        {"paper_margin": -1},
        {"overlap": 51},
        {"dpi": 9},
        {"dpi": 2401},
        {"dpi": 300.0},
        {"ground": "black"},
        {"line_width": 0},
        {"keep_order": 1},
    ],
)
def test_options_out_of_bounds_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        Options(**wrong)
