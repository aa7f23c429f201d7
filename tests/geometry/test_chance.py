"""Chance is even, and nothing but seed, element and property has a say in it."""

import numpy as np
import pytest

from studio.base.chance import symmetric, uniform

KEYS = np.arange(40_000)


@pytest.mark.parametrize("seed", [0, 1, 7, 2**31 - 1])
@pytest.mark.parametrize("what", ["side", "right", "down"])
def test_numbers_are_spread_evenly_over_all_of_nought_to_one(seed: int, what: str) -> None:
    numbers = uniform(seed, KEYS, what)
    assert numbers.min() >= 0 and numbers.max() < 1
    counts = np.histogram(numbers, bins=100, range=(0, 1))[0]
    chi_squared = float(((counts - 400.0) ** 2 / 400.0).sum())
    # 99 degrees of freedom: mean 99, deviation 14; the seeds are fixed, so this holds always or never.
    assert 50 < chi_squared < 160


def test_symmetric_numbers_have_mean_nought_and_the_variance_of_a_third() -> None:
    numbers = symmetric(3, KEYS, "size")
    assert numbers.min() >= -1 and numbers.max() < 1
    assert abs(numbers.mean()) < 4 / np.sqrt(3 * len(KEYS))
    assert numbers.var() == pytest.approx(1 / 3, rel=0.03)


@pytest.mark.parametrize("lag", [1, 2, 4096, 8192])
def test_neighbouring_elements_know_nothing_of_each_other(lag: int) -> None:
    here, there = symmetric(7, KEYS, "right"), symmetric(7, KEYS + lag, "right")
    assert abs(np.corrcoef(here, there)[0, 1]) < 4 / np.sqrt(len(KEYS))


def test_neighbouring_seeds_and_other_properties_know_nothing_of_each_other() -> None:
    here = symmetric(7, KEYS, "right")
    for other in (symmetric(8, KEYS, "right"), symmetric(7, KEYS, "down")):
        assert abs(np.corrcoef(here, other)[0, 1]) < 4 / np.sqrt(len(KEYS))


def test_a_number_depends_on_its_own_key_only() -> None:
    whole = uniform(7, KEYS, "side")
    chosen = np.array([39_999, 0, 17, 17, 4096])
    assert np.array_equal(uniform(7, chosen, "side"), whole[chosen])
    assert np.array_equal(uniform(7, KEYS[::-1], "side"), whole[::-1])


def test_each_element_may_have_a_seed_of_its_own() -> None:
    seeds = np.where(KEYS % 2 == 0, 7, 9)
    mixed = uniform(seeds, KEYS, "side")
    assert np.array_equal(mixed[::2], uniform(7, KEYS[::2], "side"))
    assert np.array_equal(mixed[1::2], uniform(9, KEYS[1::2], "side"))


def test_numbers_are_the_same_in_every_version_of_the_studio() -> None:
    known = uniform(7, np.array([0, 1, 4097]), "side")
    assert known.tolist() == [0.4044689601555934, 0.3116249359023854, 0.4965792754056527]


def test_no_elements_have_no_numbers() -> None:
    assert uniform(7, np.empty(0, np.int64), "side").shape == (0,)
