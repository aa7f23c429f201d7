"""Chance that stays put: every random number is a function of a seed, an element and a property.

There is no stream to consume, so another row, another property or another version of the studio leaves every
number that was there before as it was.
"""

from __future__ import annotations

from functools import cache, lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

FEW = 16
"""Numbers of at most this many elements are cached."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every input bit moves every output bit."""
    state = (state ^ (state >> np.uint64(30))) * _FIRST
    state = (state ^ (state >> np.uint64(27))) * _SECOND
    return state ^ (state >> np.uint64(31))


@cache
def _salt(what: str) -> np.uint64:
    """A property as a 64-bit hash; a dozen properties exist."""
    return np.uint64(int.from_bytes(blake2b(what.encode(), digest_size=8).digest(), "little"))


def uniform(seed: int | NDArray[np.int64], elements: NDArray[np.int64], what: str) -> NDArray[np.float64]:
    """Numbers in [0, 1), one for each element key; `seed` is one number or one for each element.

    >>> some, more = uniform(1, np.arange(3), "neck"), uniform(1, np.arange(5), "neck")
    >>> some.tolist() == more[:3].tolist(), 0 <= more.min().item() <= more.max().item() < 1
    (True, True)
    """
    elements = np.asarray(elements, np.int64)
    if isinstance(seed, int) and elements.ndim == 1 and len(elements) <= FEW:
        return _known(seed, elements.tobytes(), what).copy()
    return _drawn(seed, elements, what)


@lru_cache(maxsize=1024)
def _known(seed: int, elements: bytes, what: str) -> NDArray[np.float64]:
    """Numbers of a few elements, which every move of a drag asks for again."""
    return _drawn(seed, np.frombuffer(elements, np.int64), what)


def _drawn(seed: int | NDArray[np.int64], elements: NDArray[np.int64], what: str) -> NDArray[np.float64]:
    seeds = np.asarray(seed, np.int64).astype(np.uint64)
    keys = elements.astype(np.uint64)
    state = _mixed(np.atleast_1d(seeds) * _GOLDEN + _salt(what))
    state = _mixed(state + (keys + np.uint64(1)) * _GOLDEN)
    bits = np.broadcast_to(state, keys.shape) >> np.uint64(11)
    return bits.astype(np.float64) * 2.0**-53


def symmetric(seed: int | NDArray[np.int64], elements: NDArray[np.int64], what: str) -> NDArray[np.float64]:
    """Numbers in [-1, 1), one for each element key."""
    return 2.0 * uniform(seed, elements, what) - 1.0
