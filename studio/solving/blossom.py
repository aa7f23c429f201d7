"""Least-weight perfect matching of any graph: every vertex gets a partner, and the used edges' total weight is least.

Edmonds' primal-dual method ("Maximum matching and a polyhedron with 0,1-vertices", 1965), one tree at a time. All
numbers are whole, so nothing is ever nearly tight.

dual: the price of a vertex. The prices at both ends of an edge never exceed its weight, less the prices of the
    blossoms that hold both ends, so the prices together are a lower bound on the weight of any matching.
tight: an edge whose ends pay exactly its weight; only tight edges are used.
exposed: still without a partner.
blossom: an odd ring of vertices and smaller blossoms, joined by tight edges, which acts as one vertex. Its price is
    never negative and is taken off every edge within it.
top: the outermost blossom that a vertex lies in, or the vertex itself.
tree: tight ways out of one exposed root, alternately not used and used. Tops at an even number of steps are outer:
    they pay more as the tree grows. The others are inner and pay less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from studio.base.progress import Progress
from studio.base.texts import tr

End = tuple[int, int]  # an edge as seen from one of its ends: the vertex here, the vertex there

_FREE, _OUTER, _INNER = 0, 1, -1
_NEVER = 1 << 62
_NOBODY: End = (-1, -1)  # the partner of an exposed vertex


@dataclass(frozen=True)
class Blossom:
    """Vertices that a dual solution prices together: `dual` is taken off every edge between two of them."""

    members: tuple[int, ...]
    dual: int


class BlossomMatcher:
    """A graph that grows by edges, with the matching and the dual solution of the last `match`.

    Weights are even, so that every dual stays whole. Between two calls no edge's ends pay more than its weight, and
    the ends of an edge that is used, or joins the ring of a blossom, pay exactly its weight.
    """

    def __init__(self, duals: Iterable[int]) -> None:
        """Begin without an edge; the duals of the vertices may be any guess."""
        # While a tree has grown by `_growth`, a vertex pays dual + sign * growth and a top blossom's price is
        # dual + 2 * sign * growth: so only tops that change sides are touched.
        self._dual = list(duals)
        self.count = len(self._dual)
        self._near: list[list[tuple[int, int]]] = [[] for _ in self._dual]  # neighbours and weights
        self._best = [_NEVER] * self.count  # the growth at which the tree reaches a vertex
        self._top = list(range(self.count))
        # Vertices and, numbered after them, blossoms, of which there are fewer than half as many:
        most = self.count + self.count // 2
        self._dual += [0] * (most - self.count)
        self._sign = [_FREE] * most  # of tops, and of vertices, which have their top's
        self._mate = [_NOBODY] * most  # of tops
        self._entry = [_NOBODY] * most  # of inner tops: the edge by which the tree came in
        self._parent = [-1] * most
        self._leaves = [[vertex] for vertex in range(most)]
        self._kids: list[list[int]] = [[]] * most
        self._links: list[list[End]] = [[]] * most  # from every kid to the next one of the ring
        self._spare = list(range(most - 1, self.count - 1, -1))
        # The tree that grows:
        self._growth = 0
        self._limit = _NEVER  # the growth at which it is known to reach an exposed vertex
        self._queue: list[tuple[int, int, int, int]] = []  # growth, outer vertex, other vertex, weight
        self._seen: list[int] = []
        self._reached: list[int] = []
        # The work done: trees grown, edges examined meanwhile.
        self.trees = 0
        self.looks = 0

    # Results

    def duals(self) -> list[int]:
        """Return the dual of each vertex."""
        return self._dual[: self.count]

    def blossoms(self) -> Iterator[Blossom]:
        """Yield all blossoms with a price."""
        pile = sorted(set(self._top))
        while pile:
            blossom = pile.pop()
            pile += self._kids[blossom]
            if blossom >= self.count and self._dual[blossom]:
                yield Blossom(tuple(self._leaves[blossom]), self._dual[blossom])

    def nested_order(self) -> list[int]:
        """Return the vertices in an order in which the members of each blossom are consecutive, in its own order."""
        return [vertex for top in sorted(set(self._top)) for vertex in self._leaves[top]]

    def bound(self) -> int:
        """Return the lower bound of the dual solution: no perfect matching weighs less."""
        return sum(self.duals()) - sum(blossom.dual * (len(blossom.members) // 2) for blossom in self.blossoms())

    def partners(self) -> list[int]:
        """Return the partner of each vertex, -1 if it is exposed."""
        mate = list(self._mate)
        pile = sorted(set(self._top))
        while pile:
            top = pile.pop()
            if top >= self.count:
                for kid, end in self._settled(top, mate[top]):
                    mate[kid] = end
                    pile.append(kid)
        return [end[1] for end in mate[: self.count]]

    # Edges

    def add(self, edges: Iterable[tuple[int, int, int]]) -> None:
        """Add edges (vertex, vertex, even weight); an end that would overpay pays less and may lose its partner."""
        for u, v, weight in edges:
            self._near[u].append((v, weight))
            self._near[v].append((u, weight))
            if weight < self._dual[u] + self._dual[v]:
                self._cheapen(u, v, weight)

    def _cheapen(self, u: int, v: int, weight: int) -> None:
        """Lower the duals of an edge's ends, which may lie in blossoms, until they pay no more than its weight."""
        alone = [end for end in (u, v) if self._top[end] == end and self._mate[end] is _NOBODY]
        if not alone:
            self._dissolve(self._top[u])
            self._dissolve(self._top[v])
            alone = [end for end in (u, v) if self._mate[end] is _NOBODY] or [u]
        excess = self._dual[u] + self._dual[v] - weight
        if excess > 0:
            self._dual[alone[0]] -= excess
            end = self._mate[alone[0]]
            if end is not _NOBODY:
                self._mate[alone[0]] = self._mate[self._top[end[1]]] = _NOBODY

    def _dissolve(self, top: int) -> None:
        """Open a blossom and all within; its vertices pay half its price less each, so its partner may be lost."""
        pile = [top]
        while pile:
            blossom = pile.pop()
            if blossom < self.count:
                continue
            end = self._mate[blossom]
            if self._dual[blossom] and end is not _NOBODY:
                self._mate[blossom] = self._mate[self._top[end[1]]] = _NOBODY
            for vertex in self._leaves[blossom]:
                self._dual[vertex] -= self._dual[blossom] // 2
            pile += self._opened(blossom)[0]

    # Matching

    def match_greedily(self) -> None:
        """Raise the duals of exposed vertices as far as possible, and match them along edges that become tight."""
        dual, mate, top = self._dual, self._mate, self._top
        for u in range(self.count):
            if mate[top[u]] is _NOBODY and top[u] == u and self._near[u]:
                dual[u] = min(weight - dual[v] for v, weight in self._near[u])
                for v, weight in self._near[u]:
                    if weight == dual[u] + dual[v] and mate[top[v]] is _NOBODY and v != u:
                        mate[u], mate[top[v]] = (u, v), (v, u)
                        break

    def match(self, vertices: Iterable[int], progress: Progress) -> None:
        """Match the given vertices at the least weight of all matched; raises ValueError if one finds no partner."""
        exposed = [vertex for vertex in vertices if self._mate[self._top[vertex]] is _NOBODY]
        for done, vertex in enumerate(exposed):
            progress.step(done / len(exposed))
            if self._mate[self._top[vertex]] is _NOBODY:
                self._grow(self._top[vertex])

    def _grow(self, root: int) -> None:
        """Grow a tree from an exposed top until it reaches another, and match both along the way between them."""
        self.trees += 1
        self._growth, self._limit = 0, _NEVER
        self._mark(root, _OUTER)
        self._look(self._leaves[root])
        while self._queue:
            growth, u, v, weight = heappop(self._queue)
            if u < 0:
                if self._sign[v] == _INNER and self._parent[v] < 0 and self._dual[v] == 2 * growth:
                    self._growth = growth
                    self._expand(v)
                continue
            slack = weight - self._dual[u] - self._dual[v]
            if self._sign[v] == _FREE and slack == growth:
                self._growth = growth
                if self._mate[self._top[v]] is _NOBODY:
                    self._augment(u, v)
                    break
                inner = self._top[v]
                self._enter(inner, (v, u))
                outer = self._top[self._mate[inner][1]]
                self._mark(outer, _OUTER)
                self._look(self._leaves[outer])
            elif self._sign[v] == _OUTER and slack == 2 * growth and self._top[u] != self._top[v]:
                self._growth = growth
                self._shrink(u, v)
        else:
            self._fell()
            raise ValueError(tr("the graph has no perfect matching"))
        self._fell()

    def _fell(self) -> None:
        """Settle all duals after the tree has grown, and forget the tree."""
        for top in self._reached:
            if self._sign[top] and self._parent[top] < 0:
                self._mark(top, _FREE)
        for vertex in self._seen:
            self._best[vertex] = _NEVER
        self._reached.clear()
        self._seen.clear()
        self._queue.clear()

    def _mark(self, top: int, sign: int) -> None:
        """Change the sign of a top; its vertices pay the same as before."""
        dual, signs = self._dual, self._sign
        shift = (signs[top] - sign) * self._growth
        for vertex in self._leaves[top]:
            dual[vertex] += shift
            signs[vertex] = sign
        if top >= self.count:
            dual[top] += 2 * shift
            signs[top] = sign
        if sign:
            self._reached.append(top)

    def _look(self, vertices: Iterable[int]) -> None:
        """Queue the edges of vertices that have just become outer."""
        dual, signs, tops, best, queue = self._dual, self._sign, self._top, self._best, self._queue
        limit = self._limit
        for u in vertices:
            pays, top, near = dual[u], tops[u], self._near[u]
            self.looks += len(near)
            for v, weight in near:
                sign = signs[v]
                if sign == _FREE:
                    growth = weight - pays - dual[v]
                    if growth < best[v] and growth < limit:
                        best[v] = growth
                        self._seen.append(v)
                        heappush(queue, (growth, u, v, weight))
                        if self._mate[tops[v]] is _NOBODY:
                            limit = growth
                elif sign == _OUTER and tops[v] != top:
                    growth = (weight - pays - dual[v]) >> 1
                    if growth < limit:
                        heappush(queue, (growth, u, v, weight))
        self._limit = limit

    def _look_back(self, vertices: Iterable[int]) -> None:
        """Queue the edges by which the tree may reach vertices that have just become free again."""
        for v in vertices:
            self._best[v] = _NEVER
            self.looks += len(self._near[v])
            for u, weight in self._near[v]:
                if self._sign[u] == _OUTER:
                    growth = weight - self._dual[u] - self._dual[v]
                    if growth < self._best[v]:
                        self._best[v] = growth
                        self._seen.append(v)
                        heappush(self._queue, (growth, u, v, weight))

    def _enter(self, inner: int, entry: End) -> None:
        """Make a top inner; a blossom is queued to be opened when its price reaches 0."""
        self._mark(inner, _INNER)
        self._entry[inner] = entry
        if inner >= self.count and self._dual[inner] < 2 * self._limit:
            heappush(self._queue, (self._dual[inner] // 2, -1, inner, 0))

    def _augment(self, u: int, v: int) -> None:
        """Match an exposed top along the way from an outer vertex to the root, whose edges change use."""
        self._mate[self._top[v]] = (v, u)
        end: End = (u, v)
        while True:
            outer = self._top[end[0]]
            before, self._mate[outer] = self._mate[outer], end
            if before is _NOBODY:
                return
            inner = self._top[before[1]]
            entry = self._entry[inner]
            self._mate[inner] = entry
            end = entry[1], entry[0]

    # Blossoms

    def _shrink(self, u: int, v: int) -> None:
        """Make a blossom of the ring that a tight edge between two outer tops closes."""
        # The ways from both to the root meet in an outer top.
        meeting, other = self._top[u], self._top[v]
        passed: set[int] = set()
        while meeting not in passed:
            passed.add(meeting)
            used = self._mate[meeting]
            meeting = -1 if used is _NOBODY else self._top[self._entry[self._top[used[1]]][1]]
            if other >= 0:
                meeting, other = other, meeting
        (kids_u, links_u), (kids_v, links_v) = self._way(u, meeting), self._way(v, meeting)
        kids = [meeting, *reversed(kids_u), *kids_v]
        links = [(q, p) for p, q in reversed(links_u)] + [(u, v)] + links_v
        blossom, fresh = self._spare.pop(), list[int]()
        self._kids[blossom], self._links[blossom] = kids, links
        self._leaves[blossom] = [vertex for kid in kids for vertex in self._leaves[kid]]
        for kid in kids:
            if self._sign[kid] == _INNER:
                self._mark(kid, _OUTER)
                fresh += self._leaves[kid]
            if kid >= self.count:
                self._dual[kid] += 2 * self._growth
                self._sign[kid] = _FREE
            self._parent[kid] = blossom
        for vertex in self._leaves[blossom]:
            self._top[vertex] = blossom
        self._mate[blossom] = self._mate[meeting]
        self._dual[blossom] = -2 * self._growth
        self._sign[blossom] = _OUTER
        self._reached.append(blossom)
        self._look(fresh)

    def _way(self, vertex: int, end: int) -> tuple[list[int], list[End]]:
        """Return the tops from an outer vertex's to just before another outer top, and the edges after each."""
        kids: list[int] = []
        links: list[End] = []
        at = self._top[vertex]
        while at != end:
            used = self._mate[at]
            inner = self._top[used[1]]
            kids += [at, inner]
            links += [used, self._entry[inner]]
            at = self._top[self._entry[inner][1]]
        return kids, links

    def _kid(self, blossom: int, vertex: int) -> int:
        """Return a blossom's kid that holds a vertex."""
        kid = vertex
        while self._parent[kid] != blossom:
            kid = self._parent[kid]
        return kid

    def _settled(self, blossom: int, end: End) -> list[tuple[int, End]]:
        """Return the edges that match the kids if `end` matches the blossom; the ring then begins at that kid."""
        kids, links = self._kids[blossom], self._links[blossom]
        first = 0 if end is _NOBODY else kids.index(self._kid(blossom, end[0]))
        kids, links = kids[first:] + kids[:first], links[first:] + links[:first]
        self._kids[blossom], self._links[blossom] = kids, links
        ends = [end]
        for p, q in links[1::2]:
            ends += [(p, q), (q, p)]
        return list(zip(kids, ends, strict=True))

    def _opened(self, blossom: int) -> tuple[list[int], list[End]]:
        """Dissolve a top blossom into its kids, each with its partner; return its ring."""
        for kid, end in self._settled(blossom, self._mate[blossom]):
            self._mate[kid] = end
            self._parent[kid] = -1
            for vertex in self._leaves[kid]:
                self._top[vertex] = kid
        ring = self._kids[blossom], self._links[blossom]
        self._kids[blossom], self._links[blossom], self._leaves[blossom] = [], [], []
        self._dual[blossom], self._sign[blossom], self._mate[blossom] = 0, _FREE, _NOBODY
        self._spare.append(blossom)
        return ring

    def _expand(self, blossom: int) -> None:
        """Open an inner blossom without a price; the even way through it stays in the tree, its other kids leave."""
        entry = self._entry[blossom]
        into = self._kid(blossom, entry[0])
        kids, links = self._opened(blossom)
        for kid in kids:
            if kid >= self.count:
                self._dual[kid] += 2 * self._growth
                self._sign[kid] = _INNER
        at = kids.index(into)
        inner = {into: entry}
        if at % 2:
            inner |= {kids[(i + 1) % len(kids)]: (links[i][1], links[i][0]) for i in range(at + 1, len(kids), 2)}
            outer = kids[at + 1 :: 2]
        else:
            inner |= {kids[i]: links[i] for i in range(0, at, 2)}
            outer = kids[1:at:2]
        for kid in kids:
            if kid in inner:
                self._enter(kid, inner[kid])
            else:
                self._mark(kid, _OUTER if kid in outer else _FREE)
        for kid in kids:
            if kid not in inner and kid not in outer:
                self._look_back(self._leaves[kid])
        for kid in outer:
            self._look(self._leaves[kid])
