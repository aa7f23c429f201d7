"""Test cards: a square for each power and speed, with its own layer, and the best one as recipe."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.exporting.formats import GCODE, LIGHTBURN
from studio.exporting.laser_files import write
from studio.exporting.options import GcodeOptions, LightburnOptions, Unreadable
from studio.fabricate.coupon import MOST_CELLS, Card, CardOptions, card, card_around, keep_tested
from studio.fabricate.recipes import levels, resolve, resolved
from studio.fabricate.workshop import Machine, Material, Named, one_of, run_of
from studio.geometry.planar.drawing import NO_RECIPE, RASTER, Operation, Recipe, Setting

OPTIONS = CardOptions(power_first=30, power_last=70, columns=5, speed_first=5, speed_last=25, rows=4, passes=2)


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def machine() -> Named[Machine]:
    return one_of(Machine, "co2-600x400")


def material() -> Named[Material]:
    return one_of(Material, "plywood-3")


def recipe() -> Recipe:
    found = resolved(machine(), material())
    assert found is not None
    return found.recipe


def made(options: CardOptions = OPTIONS) -> Card:
    return card(material(), machine(), recipe(), options)


def file_options(one: Card) -> LightburnOptions:
    return LightburnOptions(cells=one.cells, are_filled=one.work == RASTER, recipe=one.labels)


def test_a_card_has_a_square_for_each_power_and_speed_and_a_label_at_each_row_and_column() -> None:
    one = made()
    assert [(cell.power_max, cell.speed) for cell in one.cells[:6]] == [
        (30, 5), (40, 5), (50, 5), (60, 5), (70, 5), (30, 11.7),
    ]  # fmt: skip
    assert len(one.drawing.pieces) == len(one.cells) == 20
    assert one.drawing.piece_areas == pytest.approx(np.full(20, 64.0))
    # All else is the recipe's.
    assert recipe().cut is not None
    assert one.cells[7] == replace(recipe().cut, power_max=50, power_min=50, speed=11.7, passes=2)  # type: ignore[type-var]
    assert {chain.operation for chain in one.drawing.chains} == {Operation.ENGRAVE, Operation.BORDER}
    inside = one.drawing.strokes.points
    assert inside.min() >= 0 and (inside.max(axis=0) <= (one.drawing.width, one.drawing.height)).all()


@pytest.mark.parametrize("work", ["cut", "score", "engrave", "raster"])
def test_each_square_has_its_own_layer_and_setting_in_a_project_that_is_proven(work: str, tmp_path: Path) -> None:
    one = made(replace(OPTIONS, work=work))
    report = write(one.drawing, tmp_path / "card.lbrn2", file_options(one))
    assert report.chains == len(one.drawing.chains)
    root = ElementTree.parse(tmp_path / "card.lbrn2").getroot()
    layers = {
        layer[0].get("Value", ""): (layer.get("type"), {child.tag: child.get("Value", "") for child in layer})
        for layer in root.findall("CutSetting")
    }
    # The square at each place, by its first vertex, with y upwards.
    found = {}
    for shape in root.findall("Shape"):
        kind, values = layers[shape.get("CutIndex", "")]
        if values["name"] != "ENGRAVE":
            x, y = map(float, shape.findtext("VertList", "")[1:].split("c")[0].split())
            found[round(x + 4, 2), round(one.drawing.height - y + 4, 2)] = (kind, values)
    assert len(found) == 20 and len({values["index"] for _, values in found.values()}) == 20
    for cell, (x, y) in zip(one.cells, one.middles.round(2).tolist(), strict=True):
        kind, values = found[x, y]
        assert kind == ("Scan" if work == "raster" else "Cut")
        assert float(values["maxPower"]) == cell.power_max and float(values["speed"]) == cell.speed
        assert values["numPasses"] == "2"
    assert ("ENGRAVE" in {values["name"] for _, values in layers.values()}) and recipe().engrave is not None


@pytest.mark.parametrize("change", [{"speed": 6.0}, {"power_max": 31.0}, {"passes": 1}, {"air": False}])
def test_a_card_with_another_setting_at_one_square_is_refused(change: dict[str, Any]) -> None:
    one = made()
    cells = (replace(one.cells[0], **change), *one.cells[1:])
    data = LIGHTBURN.write(one.drawing, replace(file_options(one), cells=cells))
    with pytest.raises(Unreadable, match="has other settings"):
        LIGHTBURN.prove(LIGHTBURN.read(data, file_options(one)), one.drawing, file_options(one), LIGHTBURN.rounding)


def test_squares_that_change_places_are_refused() -> None:
    one = made()
    data = LIGHTBURN.write(one.drawing, replace(file_options(one), cells=(one.cells[1], one.cells[0], *one.cells[2:])))
    with pytest.raises(Unreadable, match="has other settings"):
        LIGHTBURN.prove(LIGHTBURN.read(data, file_options(one)), one.drawing, file_options(one), LIGHTBURN.rounding)


def test_the_largest_card_has_a_layer_for_each_square(tmp_path: Path) -> None:
    one = made(CardOptions(columns=MOST_CELLS, rows=MOST_CELLS, power_first=50, power_last=50))
    write(one.drawing, tmp_path / "card.lbrn2", file_options(one))
    assert len(one.cells) == 25


def test_a_point_belongs_to_the_square_under_it() -> None:
    one = made()
    for number, (x, y) in enumerate(one.middles.tolist()):
        assert one.nearest(x + 3, y - 3) == number
    assert one.nearest(1, 1) is None


@pytest.mark.parametrize("work", ["cut", "score", "engrave"])
def test_each_square_has_its_own_power_and_speed_in_g_code(work: str, tmp_path: Path) -> None:
    one = made(replace(OPTIONS, work=work))
    run = run_of(machine().value, material().value)
    options = GcodeOptions(cells=one.cells, recipe=one.labels, run=run, max_power=1000)
    assert write(one.drawing, tmp_path / "card.gcode", options).chains == len(one.drawing.chains)
    # A controller's view: the middle of what is cut between two moves without the beam, its power and its feed.
    beams = dict[tuple[float, float], list[tuple[float, float]]]()
    places = list[tuple[float, float]]()
    now = (0.0, 0.0)
    for text in [*(tmp_path / "card.gcode").read_text(encoding="ascii").splitlines(), "G0 X0 Y0 S0"]:
        words = {word[0]: float(word[1:]) for word in text.split() if re.fullmatch(r"[A-Z]-?[\d.]+", word)}
        if words.get("G") == 0 and places:
            low, high = np.min(places, axis=0), np.max(places, axis=0)
            if np.allclose(high - low, OPTIONS.side, atol=1e-3):
                x, y = ((low + high) / 2).tolist()
                beams.setdefault((round(x, 2), round(one.drawing.height - y, 2)), []).append(now)
            places = []
        if "X" in words and words.get("G") in (0, 1, 2, 3):
            places.append((words["X"], words["Y"]))
            now = (words.get("S") or now[0], words.get("F", now[1]))
    wanted = {
        (round(x, 2), round(y, 2)): [(10 * cell.power_max, 60 * cell.speed)] * cell.passes
        for (x, y), cell in zip(one.middles.tolist(), one.cells, strict=True)
    }
    assert beams == wanted and len(wanted) == 20


def test_g_code_has_no_filled_squares(tmp_path: Path) -> None:
    one = made(replace(OPTIONS, work=RASTER))
    with pytest.raises(StudioError, match="LightBurn projects alone"):
        write(one.drawing, tmp_path / "card.gcode", GcodeOptions(cells=one.cells, are_filled=True, recipe=one.labels))
    assert not (tmp_path / "card.gcode").exists()


def test_a_square_with_another_power_is_refused(tmp_path: Path) -> None:
    one = made(replace(OPTIONS, passes=1))
    options = GcodeOptions(cells=one.cells, recipe=one.labels)
    data = GCODE.write(one.drawing, options)
    wrong = data.replace(b" F300 S300\n", b" F300 S310\n", 1)
    assert wrong != data
    with pytest.raises(Unreadable, match="S310"):
        GCODE.prove(GCODE.read(wrong, options), one.drawing, options, GCODE.rounding)


def test_a_card_is_tried_around_the_recipe() -> None:
    options = card_around(recipe())
    assert (options.power_first, options.power_last) == (46, 84)
    assert (options.speed_first, options.speed_last, options.passes) == (7.5, 22.5, 1)
    assert card_around(NO_RECIPE, "score") == CardOptions(work="score")
    assert card_around(Recipe(cut=Setting(power_max=100, speed=0.1))).power_last == 100


def test_a_card_larger_than_the_bed_is_refused() -> None:
    tiny = Named("tiny", "Tiny", Machine(bed_width=60, bed_height=40))
    with pytest.raises(StudioError, match="is too large for the bed"):
        card(material(), tiny, NO_RECIPE, OPTIONS)


def test_the_best_square_becomes_the_recipe_and_is_no_longer_to_be_tested() -> None:
    keep_tested(machine(), material(), OPTIONS, 60.0, 11.7)
    cut = recipe().cut
    assert cut is not None
    assert (cut.power_max, cut.power_min, cut.speed, cut.passes, cut.air, cut.note) == (60, 50, 11.7, 2, True, "")
    assert recipe().score is not None and recipe().score.note == "Test first"  # type: ignore[union-attr]
    other = one_of(Material, "cork-3")
    keep_tested(machine(), other, replace(OPTIONS, work="engrave"), 20.0, 90.0)
    assert resolve(levels(machine(), "cork-3")).recipe == Recipe(engrave=Setting(power_max=20, speed=90, passes=2))
