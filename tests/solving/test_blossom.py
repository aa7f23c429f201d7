"""The matching of any graph: as light as the lightest that trying all can find, and proven by whole numbers."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.progress import Progress
from studio.solving.blossom import BlossomMatcher
from tests.depth import examples

Edge = tuple[int, int, int]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[Edge]]:
    """Draw an even number of vertices and some edges with even weights, among them negative and equal ones."""
    count = 2 * draw(st.integers(1, 5))
    pairs = draw(st.lists(st.sampled_from(list(combinations(range(count), 2))), unique=True, min_size=count // 2))
    weights = st.integers(-3, 3) | st.integers(-1000, 1000)
    return count, [(u, v, 2 * draw(weights)) for u, v in pairs]


def lightest(count: int, edges: list[Edge]) -> int | None:
    """Return what the lightest perfect matching weighs, by trying all; None if there is none."""
    weight_of = {(u, v): weight for u, v, weight in edges}

    def best(left: tuple[int, ...]) -> int | None:
        if not left:
            return 0
        found = [
            weight_of[left[0], other] + rest
            for other in left[1:]
            if (left[0], other) in weight_of
            if (rest := best(tuple(vertex for vertex in left[1:] if vertex != other))) is not None
        ]
        return min(found, default=None)

    return best(tuple(range(count)))


def assert_proven(matcher: BlossomMatcher, edges: list[Edge], weight: int | None) -> None:
    """Hold the matching and its dual solution against the edges, in whole numbers."""
    partners, duals, blossoms = matcher.partners(), matcher.duals(), list(matcher.blossoms())
    assert all(partners[partner] == vertex for vertex, partner in enumerate(partners))
    assert sum(weight for u, v, weight in edges if partners[u] == v) == weight == matcher.bound()
    order = matcher.nested_order()
    firsts = [order.index(blossom.members[0]) for blossom in blossoms]
    assert [tuple(order[i : i + len(blossom.members)]) for i, blossom in zip(firsts, blossoms, strict=True)] == [
        blossom.members for blossom in blossoms
    ]
    assert all(blossom.dual > 0 and len(blossom.members) % 2 for blossom in blossoms)
    for u, v, weight in edges:
        off = sum(blossom.dual for blossom in blossoms if {u, v} <= set(blossom.members))
        assert duals[u] + duals[v] - off <= weight


@settings(max_examples=examples(100, 3000))
@given(graphs())
def test_the_matching_weighs_what_the_lightest_of_all_weighs_or_there_is_none(graph: tuple[int, list[Edge]]) -> None:
    count, edges = graph
    weight = lightest(count, edges)
    matcher = BlossomMatcher([0] * count)
    matcher.add(edges)
    if weight is None:
        with pytest.raises(ValueError, match="no perfect matching"):
            matcher.match(range(count), Progress())
        # An edge that was missing may still come.
        known = {(u, v) for u, v, _ in edges}
        edges += [(i, i + 1, 10_000) for i in range(0, count, 2) if (i, i + 1) not in known]
        matcher.add(edges[len(known) :])
        weight = lightest(count, edges)
    matcher.match(range(count), Progress())
    assert_proven(matcher, edges, weight)


@settings(max_examples=examples(80, 2000))
@given(graphs(), st.integers(1, 5), st.booleans())
def test_edges_that_come_later_lead_to_the_same_weight(
    graph: tuple[int, list[Edge]], size: int, greedily: bool
) -> None:
    count, edges = graph
    dear = [(i, i + 1, 10_000) for i in range(0, count, 2)]
    matcher = BlossomMatcher([7] * count)
    known: list[Edge] = []
    for batch in [dear, *(edges[i : i + size] for i in range(0, len(edges), size))]:
        known += batch
        matcher.add(batch)
        if greedily:
            matcher.match_greedily()
        matcher.match(range(count), Progress())
        # Of two edges between the same vertices the lighter counts, which is the one that came later.
        lighter = {(u, v): weight for u, v, weight in known}
        only = [(u, v, weight) for (u, v), weight in lighter.items()]
        assert_proven(matcher, only, lightest(count, only))


def test_two_triangles_far_apart_cannot_be_proven_without_a_blossom() -> None:
    near = [(u, v, 2) for u, v in (*combinations(range(3), 2), *combinations(range(3, 6), 2))]
    far = [(u, v, 200) for u in range(3) for v in range(3, 6)]
    matcher = BlossomMatcher([0] * 6)
    matcher.add(near + far)
    matcher.match(range(6), Progress())
    assert_proven(matcher, near + far, 2 + 200 + 2)
    # Half of every edge of both triangles would weigh 6; only the price of a blossom speaks against halves.
    assert any(blossom.dual > 0 for blossom in matcher.blossoms())
