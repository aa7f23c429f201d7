"""The cost of a puzzle is that of its material, its machine time, and its extras, in money that adds up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from studio.base.folders import own_folder
from studio.fabricate import costs
from studio.fabricate.costs import Prices, Pricing, area_of, money
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material, Named, keep, one_of
from tests.fabricate.boards import jigsaw, squares

MACHINE = Machine(hour_price=30.0)
SHEET = Material(price=24.0, sheet_width=1000.0, sheet_height=600.0)


def test_a_puzzle_pays_its_share_of_the_sheet_its_time_and_its_extras() -> None:
    cost = Prices.of(MACHINE, SHEET, Pricing("€", 1.2)).cost(150_000.0, 600.0)
    assert cost is not None
    assert (cost.material, cost.machine, cost.extras) == (6.0, 5.0, 1.2)
    assert (cost.total, cost.in_words) == (12.2, "12.20 €")
    assert cost.parts == "Material 6.00 €, machine 5.00 €, extras 1.20 € per puzzle."
    assert cost.values() == {"material": 6.0, "machine": 5.0, "extras": 1.2, "currency": "€", "total": 12.2}


def test_a_material_without_a_sheet_size_has_its_price_by_the_square_metre() -> None:
    cost = Prices.of(Machine(), replace(SHEET, sheet_width=0.0), Pricing()).cost(250_000.0, 0.0)
    assert cost is not None and cost.total == 6.0


def test_without_a_price_there_is_no_cost_and_any_price_makes_one() -> None:
    assert Prices.of(Machine(), Material(), Pricing()).cost(1e5, 600.0) is None
    for machine, material, pricing in (
        (MACHINE, Material(), Pricing()), (Machine(), SHEET, Pricing()), (Machine(), Material(), Pricing("$", 0.5)),
    ):  # fmt: skip
        assert Prices.of(machine, material, pricing).cost(1e5, 600.0) is not None


def test_parts_are_rounded_to_cents_half_up_and_their_sum_adds_up() -> None:
    cost = Prices(area=1e-5, time=1e-3, extras=0.125, currency="€").cost(1234.5, 5.0)
    assert cost is not None
    assert (cost.material, cost.machine, cost.extras, cost.total) == (0.01, 0.01, 0.13, 0.15)
    assert (money(0.005, "kr"), money(1234.5, "$"), money(2, "")) == ("0.01 kr", "$1,234.50", "2.00")


def test_the_rectangle_around_the_cuts_is_paid_and_copies_share_it() -> None:
    assert area_of([squares([(5, 5), (45, 25)], size=10.0)]) == pytest.approx(50 * 30)
    board = jigsaw(6, 4)
    alone = made(board, Making(), MACHINE, SHEET)
    assert area_of(alone.sheets) == pytest.approx(150 * 100)
    prices = Prices.of(MACHINE, SHEET, Pricing())
    one, four = (
        prices.cost_of(found, copies)
        for found, copies in (
            (alone, 1), (made(board, Making(page="bed", copies=4), MACHINE, SHEET), 4),
        )
    )  # fmt: skip
    assert one is not None and four is not None
    assert one.material == pytest.approx(24 * 15_000 / 600_000)
    assert one.machine == pytest.approx(30 * alone.seconds / 3600, abs=0.005)
    # Four on one bed take little more than four alone.
    assert one.material <= four.material < 1.2 * one.material
    assert np.isclose(one.machine, four.machine, rtol=0.03)


def test_currency_and_extras_are_kept_and_garbage_is_reported() -> None:
    assert costs.pricing() == Pricing() and costs.trouble() == ""
    costs.keep(Pricing("CHF", 2.5))
    assert costs.pricing() == Pricing("CHF", 2.5)
    (own_folder() / costs.FILE).write_text('{"currency": 3, "extras": 1}')
    assert costs.pricing() == Pricing()
    assert costs.trouble() == "costs.json cannot be used: costs.currency must be a text, not 3."


def test_machines_and_materials_of_before_have_no_prices_and_are_read() -> None:
    folder = own_folder() / "machines"
    folder.mkdir(parents=True)
    figures = '"bed_width": 300, "bed_height": 200, "cut_speed": 15, "score_speed": 100, "engrave_speed": 100'
    more = '"rapid_speed": 200, "acceleration": 2000, "pen_up": 0.08, "pictures": false'
    (folder / "old.json").write_text(f'{{"title": "Old", "note": "", "machine": {{{figures}, {more}}}}}')
    assert one_of(Machine, "old").value == Machine(bed_width=300.0, bed_height=200.0)
    keep(Named("ply", "Ply", SHEET))
    assert one_of(Material, "ply").value == SHEET
