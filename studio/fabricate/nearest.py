"""Lines that may be cut in any order: always on to the nearest, begun wherever is nearest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studio.fabricate.network import Network
from studio.geometry.curves import Floats
from studio.geometry.drawing import Chain


def nearest_next(network: Network, chains: Sequence[Chain], head: Floats | None) -> list[Chain]:
    """The chains, always on to the nearest; open ones begin at either end, closed ones at any node.

    `head` is where the head comes from, in mm; where nobody says, the first chain stays the first.
    """
    waiting = list(chains)
    ordered: list[Chain] = []
    entries = [network.begin(_entries(chain)) for chain in waiting]
    owners = np.repeat(np.arange(len(waiting)), [len(entry) for entry in entries])
    nodes = np.concatenate(entries) if entries else np.empty(0, np.int64)
    places = network.nodes[nodes]
    left = np.ones(len(owners), bool)
    first = np.searchsorted(owners, np.arange(len(waiting)))
    for _ in waiting:
        if head is None:
            at = 0
        else:
            away = np.where(left, (places[:, 0] - head[0]) ** 2 + (places[:, 1] - head[1]) ** 2, np.inf)
            at = int(away.argmin())
        number = int(owners[at])
        left[owners == number] = False
        chain = begun_at(waiting[number], at - int(first[number]))
        ordered.append(chain)
        head = network.nodes[network.end(chain.strokes[-1:])[0]]
    return ordered


def _entries(chain: Chain) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The codes with which a chain can begin: both ways for an open one, each of its strokes for a closed one."""
    if chain.closed:
        return chain.strokes
    return np.array([chain.strokes[0], chain.strokes[-1] ^ 1])


def begun_at(chain: Chain, entry: int) -> Chain:
    """The chain begun at one of its entries."""
    if chain.closed:
        return Chain(chain.operation, np.roll(chain.strokes, -entry), True)
    return Chain(chain.operation, chain.strokes[::-1] ^ 1) if entry else chain
