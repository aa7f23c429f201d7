"""Lines that may be cut in any order: on to the nearest, detours undone, each begun where it fits best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate.network import Network
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import Chain

ROUNDS = 12
"""The largest number of passes over all chains in search of detours."""
LEAST = 1e-6
"""Gains in mm below this are rounding errors."""


def nearest_next(network: Network, chains: Sequence[Chain], head: Floats | None) -> list[Chain]:
    """The chains, always on to the nearest; open ones begin at either end, closed ones at any node.

    `head` is where the head comes from, in mm; without it, the first chain stays the first.
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


def from_within(network: Network, chains: Sequence[Chain]) -> list[list[Chain]]:
    """The chains in groups of which each is cut before the next: what is inside a closed one comes before it."""
    import shapely

    closed = [at for at, chain in enumerate(chains) if chain.closed]
    if len(closed) < 2:
        return [list(chains)]
    lines = network.polylines
    rings = [
        np.concatenate([lines[code >> 1][:: -1 if code & 1 else 1] for code in chains[at].strokes]) for at in closed
    ]
    areas = shapely.polygons([shapely.linearrings(ring) for ring in rings])
    _inner, outer = shapely.STRtree(areas).query(areas, "within")
    # Each is within itself, too. Those that hold most go last; of two that hold as many none is in the other.
    held = np.zeros(len(chains), np.int64)
    held[closed] = np.bincount(outer, minlength=len(closed)) - 1
    return [[chains[at] for at in np.flatnonzero(held == depth).tolist()] for depth in sorted(set(held.tolist()))]


def _entries(chain: Chain) -> Ints:
    """The codes with which a chain can begin: both ways for an open one, each of its strokes for a closed one."""
    if chain.closed:
        return chain.strokes
    return np.array([chain.strokes[0], chain.strokes[-1] ^ 1])


def begun_at(chain: Chain, entry: int) -> Chain:
    """The chain begun at one of its entries."""
    if chain.closed:
        return Chain(chain.operation, np.roll(chain.strokes, -entry), True)
    return Chain(chain.operation, chain.strokes[::-1] ^ 1) if entry else chain


def shortened(network: Network, chains: Sequence[Chain], head: Floats | None, progress: Progress) -> list[Chain]:
    """The chains in an order as good as going on to the nearest, and mostly better."""
    plain = nearest_next(network, chains, head)
    if len(plain) < 3:
        return plain
    middles = np.array([network.nodes[network.begin(chain.strokes)].mean(axis=0) for chain in plain])
    order = _untwisted(middles, progress)
    better = _well_begun(network, [plain[at] for at in order.tolist()], head)
    return min(plain, better, key=lambda ordered: _travel(network, ordered, head))


def _untwisted(places: Floats, progress: Progress) -> Ints:
    """The places (n, 2) in an order from which no turning round of a stretch makes a shorter way (2-opt, Croes 1958).

    The first one stays the first.
    """
    order = np.arange(len(places))
    at = places.copy()
    for round_number in range(ROUNDS):
        gained = False
        for here in range(len(at) - 2):
            if here % 100 == 0:
                progress.step(round_number / ROUNDS, tr("Removing detours"))
            way = np.hypot(*(at[here + 1] - at[here]))
            ahead = at[here + 2 :]
            onwards = np.append(np.hypot(*np.diff(at[here + 2 :], axis=0).T), 0.0)
            closing = np.append(np.hypot(*(ahead[1:] - at[here + 1]).T), 0.0)
            gain = way + onwards - np.hypot(*(ahead - at[here]).T) - closing
            best = int(gain.argmax())
            if gain[best] > LEAST:
                stretch = slice(here + 1, here + best + 3)
                at[stretch], order[stretch] = at[stretch][::-1].copy(), order[stretch][::-1].copy()
                gained = True
        if not gained:
            break
    return order


def _well_begun(network: Network, chains: list[Chain], head: Floats | None) -> list[Chain]:
    """The chains in this order, each begun where the travel all in all is least, by dynamic programming."""
    entering = [network.nodes[network.begin(_entries(chain))] for chain in chains]
    leaving = [places if chain.closed else places[::-1] for chain, places in zip(chains, entering, strict=True)]
    costs = np.zeros(len(entering[0])) if head is None else np.hypot(*(entering[0] - head).T)
    chosen: list[Ints] = []
    for here, there in zip(leaving[:-1], entering[1:], strict=True):
        steps = costs[:, None] + np.hypot(*np.moveaxis(here[:, None] - there, 2, 0))
        chosen.append(steps.argmin(axis=0))
        costs = steps.min(axis=0)
    entries = [int(costs.argmin())]
    for back in reversed(chosen):
        entries.append(int(back[entries[-1]]))
    return [begun_at(chain, entry) for chain, entry in zip(chains, reversed(entries), strict=True)]


def _travel(network: Network, chains: list[Chain], head: Floats | None) -> float:
    """The sum in mm of the ways between chains, and of that to the first one."""
    begins = network.nodes[[network.begin(chain.strokes[:1])[0] for chain in chains]]
    ends = network.nodes[[network.end(chain.strokes[-1:])[0] for chain in chains]]
    approach = 0.0 if head is None else float(np.hypot(*(begins[0] - head)))
    return approach + float(np.hypot(*(begins[1:] - ends[:-1]).T).sum())
