"""Repair: the problems of a jigsaw solved by a few small changes of its tongues and corners.

element: a tongue with the corners at its ends. move: one change of an element. cost: what the findings of a board
weigh. A move is kept only where it lowers the cost of all that it touches and of the board, so that repair always
ends. What is left of errors after all moves becomes straight cuts between corners at home, which cross nothing.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from studio.amounts import abridged, listed, many
from studio.checks.finding import Finding, Problem, Severity
from studio.errors import StudioError
from studio.geometry.curves import Floats, Ints
from studio.geometry.tiling import FIXED
from studio.parameters import declaration, declarations
from studio.progress import SILENT, Progress
from studio.puzzles.jigsaw import problems
from studio.puzzles.jigsaw.checks import CROSSED, JigsawChecked, check
from studio.puzzles.jigsaw.generate import lost_edits
from studio.puzzles.jigsaw.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model import BOUNDS, CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.tongues import COLUMNS, FOLLOWING, PLAIN, SIDE
from studio.texts import tr, within

COSTS = {Severity.ERROR: 100.0, Severity.WARNING: 1.0, Severity.HINT: 0.0}
"""What a finding weighs; it weighs up to twice as much, the further it is from its limit."""
LEAST_GAIN = 0.15
"""The least by which a move lowers the cost of what it touches."""
MOST_TRIES = 60
"""How many moves of one element are tried at most, those after a neighbour changed included."""
MOST_IN_VAIN = 100
"""After how many moves in a row that did not help against warnings of one problem these are given up."""
GLANCES = 4
"""How many times per round the next moves of elements are looked at for crossings before all found are tried."""
SAME = 1e-3
"""A number of a tongue, or an offset of a corner in cells, that differs by less is the same."""
CLOSE = {"crossing", "bridge", "border", "figure", "self-crossing", "piece", "protected-tongue"}
NECKS = {"neck", "printed-neck"}
SMALL = {*NECKS, "radius"}
"""The problems of tongues that are in the way of others, of narrow necks, and of tongues that may be too small."""
LIMITED = {
    problems.BRIDGE: "least_bridge",
    problems.NECK: "least_neck",
    problems.PRINTED_NECK: "line_width",
    problems.RADIUS: "least_radius",
    problems.SMALL_PIECE: "least_area",
}
"""The limits that warnings are about."""
REACH = {"least_bridge": 0.15, "least_neck": 0.2, "least_radius": 0.04}
"""The limits, in widths of a usual piece, up to which they can be met."""
SMALLEST = 0.6
"""The area, in usual pieces, that most pieces can have at least."""
MOST_NAMED = 12
"""How many locked tongues are named."""
SAMPLES, FLATTENING = 17, 0.01
"""The number of places compared on each cut, and how far in mm the polyline that stands for it may be from it."""
Change = Mapping[str, float]


@dataclass(frozen=True)
class Move:
    """Other edits of tongues and corners, and the strokes that change with them."""

    strokes: tuple[int, ...]
    tongues: tuple[TongueEdit, ...] = ()
    corners: tuple[CornerEdit, ...] = ()
    freed: tuple[str, ...] = ()
    """Corners whose edits are dropped."""


_Tried = tuple[Move, set[Problem]]
"""A move, and what it is against."""
Option = Change | tuple[int, float] | CornerEdit | Move


@dataclass(frozen=True, eq=False)
class Board:
    """A design with its shapes and its findings."""

    design: JigsawDesign
    shapes: JigsawShapes
    checked: JigsawChecked

    @staticmethod
    def of(design: JigsawDesign, progress: Progress) -> Board:
        """The board of a design."""
        shapes = shape(design, None, progress.part(0.0, 0.3))
        return Board(design, shapes, check(design, shapes, None, progress.part(0.3, 1.0)))

    def after(self, moves: Sequence[Move]) -> Board:
        """The board after some moves."""
        if not moves:
            return self
        shapes = self.shapes_after(moves)
        return Board(shapes.design, shapes, check(shapes.design, shapes, self.checked, Progress()))

    def shapes_after(self, moves: Sequence[Move]) -> JigsawShapes:
        """The shapes after some moves."""
        design = self.design.with_tongues(edit for move in moves for edit in move.tongues)
        corners = {edit.name: (edit.right, edit.down) for move in moves for edit in move.corners}
        design = design.with_corners(corners) if corners else design
        freed = [name for move in moves for name in move.freed]
        design = design.without_corners(freed) if freed else design
        return shape(design, self.shapes, Progress())

    @cached_property
    def needs(self) -> tuple[tuple[Finding, float, frozenset[int]], ...]:
        """The findings that weigh anything, their costs, and the inner strokes whose changes could help."""
        graph, pieces = self.shapes.tiling.graph, self.shapes.drawing.pieces
        found = []
        for finding in self.checked.findings:
            strokes = {*finding.strokes}
            for piece in finding.pieces:
                strokes |= {int(code) >> 1 for code in pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]]}
            weight = COSTS[finding.severity] * (1.0 + finding.shortfall)
            if weight and finding.problem is not problems.COUNT:
                found.append((finding, weight, frozenset(each for each in strokes if not graph.is_rim(each))))
        return tuple(found)

    @cached_property
    def cost(self) -> float:
        """What all findings weigh."""
        return sum(weight for _, weight, _ in self.needs)


@dataclass(frozen=True)
class Counts:
    """How many errors and warnings a board has."""

    errors: int
    warnings: int

    @staticmethod
    def of(board: Board) -> Counts:
        """Those of a board."""
        severities = Counter(finding.severity for finding in board.checked.findings)
        return Counts(severities[Severity.ERROR], severities[Severity.WARNING])


@dataclass(frozen=True)
class Repaired:
    """A repaired design and what was done to it.

    `tongues`, `corners` and `figures` are the names of what changed, `locked` those of the tongues that were locked,
    `tray` the parameters of the tray that changed, with their values, and `dropped` the edits that the board has no
    longer, in words.
    `mean` and `largest` are how far in mm the cuts moved. `left` says which errors remain, and which limits are not
    met and what value would be.
    """

    design: JigsawDesign
    before: Counts
    after: Counts
    tongues: tuple[str, ...]
    corners: tuple[str, ...]
    figures: tuple[str, ...]
    locked: tuple[str, ...]
    mean: float
    largest: float
    left: tuple[str, ...]
    tray: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def is_change(self) -> bool:
        """Whether anything was done."""
        return bool(self.tongues or self.corners or self.figures or self.tray or self.dropped)

    @property
    def summary(self) -> str:
        """What was done, in one short line."""
        counts = tr(
            "{errors} and {warnings} after, {before_errors} and {before_warnings} before.",
            errors=many(self.after.errors, "error"), warnings=many(self.after.warnings, "warning"),
            before_errors=self.before.errors, before_warnings=self.before.warnings,
        )  # fmt: skip
        return " ".join([counts, *self._dropped_words, tr("Apply the changes?")])

    @property
    def _dropped_words(self) -> list[str]:
        """What is dropped, as a sentence."""
        if not self.dropped:
            return []
        names = abridged(self.dropped, MOST_NAMED)
        if len(self.dropped) == 1:
            return [tr("1 edit is dropped: {names}.", names=names)]
        return [tr("{edits} are dropped: {names}.", edits=many(len(self.dropped), "edit"), names=names)]

    @property
    def words(self) -> list[str]:
        """What was done, in sentences."""
        if not self.is_change:
            return [*self.left] if self.left else [tr("There was nothing to fix.")]
        changed = [
            many(len(names), one)
            for names, one in ((self.tongues, "tongue"), (self.corners, "corner"), (self.figures, "figure"))
            if names
        ]
        sentences = [
            tr(
                "{before_errors} and {before_warnings} before, {errors} and {warnings} after.",
                before_errors=many(self.before.errors, "error"),
                before_warnings=many(self.before.warnings, "warning"),
                errors=many(self.after.errors, "error"),
                warnings=many(self.after.warnings, "warning"),
            )
        ]
        if self.tray:
            sentences.append(tr("Changed for the tray: {settings}.", settings=listed(self.tray)))
        if changed:
            sentences.append(
                tr(
                    "Changes: {changed}. Cuts move by {mean:.2f} mm on average, {largest:.1f} mm at most.",
                    changed=listed(changed),
                    mean=self.mean,
                    largest=self.largest,
                )
            )
        if self.locked:
            locked = abridged(self.locked, MOST_NAMED)
            sentences.append(tr("Locked tongues among them: {locked}.", locked=locked))
        return [*sentences, *self._dropped_words, *self.left]


def searched(board: Board, progress: Progress) -> Board:
    """A board without errors, and with as few warnings as are found; locked tongues change last."""
    locked = frozenset(board.shapes.locked.tolist())
    search = _Search(board)
    search.run(locked, progress.part(0.0, 0.5))
    if search.board.cost and locked:
        search.run(frozenset(), progress.part(0.5, 0.7))
    graph = board.shapes.tiling.graph
    forced: set[int] = set()
    while (wrong := _errors(search.board)) and len(forced) < len(graph.inner_edges):
        is_new = not wrong <= forced
        if not is_new:
            faces = graph.faces_at(np.array(sorted(forced)))
            wrong = {edge for edge in graph.inner_edges.tolist() if np.isin(graph.sides[edge], faces).any()}
        forced |= wrong
        search.board = _straightened(search.board, forced, to_home=not is_new)
        search.run(forced, progress.part(0.7, 0.8))
    return _undone(search.board, board.design, progress.part(0.8, 1.0))


class _Search:
    """Rounds of moves of which no two touch each other, each kept where it helps."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._next: dict[int, int] = {}
        self._tries: Counter[int] = Counter()
        self._in_vain: Counter[Problem] = Counter()
        self._glances = True
        self._has_dropped = False

    def run(self, frozen: Collection[int], progress: Progress) -> None:
        """Try moves until none is left that could help; some strokes stay as they are.

        Where problems are left, moves that glances dropped are tried in full, too.
        """
        first = max(self.board.cost, 1.0)
        for self._glances in (True, False):
            self._next.clear()
            self._tries.clear()
            self._in_vain.clear()
            self._has_dropped = False
            while moves := self._round(frozen, lambda: progress.step(1.0 - self.board.cost / first)):
                self._try(moves)
            if not self._has_dropped or not self.board.cost:
                break

    def _round(self, frozen: Collection[int], step: Callable[[], None]) -> list[_Tried]:
        """The next move of every element in need of one, as far as no finding concerns two, and what it is against."""
        concerned: dict[int, list[int]] = defaultdict(list)
        costs: dict[int, float] = defaultdict(float)
        needs: dict[int, set[Problem]] = defaultdict(set)
        for at, (finding, weight, strokes) in enumerate(self.board.needs):
            is_sure = finding.severity is Severity.ERROR or finding.problem is problems.PROTECTED_TONGUE
            if not is_sure and self._in_vain[finding.problem] >= MOST_IN_VAIN:
                continue
            for stroke in strokes:
                costs[stroke] += weight
                concerned[stroke].append(at)
                needs[stroke].add(finding.problem)
        order = sorted(costs, key=lambda each: (-costs[each], each))
        chosen: list[_Tried] = []
        glances = 0
        while not chosen or glances < GLANCES:
            step()
            fresh = self._next_moves(order, concerned, needs, frozen, [move for move, _ in chosen])
            if not fresh:
                break
            chosen += self._promising(fresh)
            glances += 1
        return chosen

    def _promising(self, moves: list[_Tried]) -> list[_Tried]:
        """Those of some moves after which fewer cuts cross, or which are not against that alone."""
        needs = [not against.isdisjoint(CROSSED) and problems.LOST_PIECE not in against for _, against in moves]
        if not self._glances or not any(needs):
            return moves
        fewer = _uncrossed(self.board, [move for move, _ in moves]).tolist()
        good = [move for move, need, count in zip(moves, needs, fewer, strict=True) if not need or count > 0]
        self._has_dropped |= len(good) < len(moves)
        return good

    def _next_moves(
        self,
        order: Sequence[int],
        concerned: Mapping[int, Sequence[int]],
        needs: Mapping[int, set[Problem]],
        frozen: Collection[int],
        held: Sequence[Move],
    ) -> list[_Tried]:
        """The next moves of elements in need, beside some that are held."""
        moving = {*frozen, *(stroke for move in held for stroke in move.strokes)}
        busy = {at for move in held for stroke in move.strokes for at in concerned.get(stroke, ())}
        chosen = []
        for stroke in order:
            if stroke in moving or self._tries[stroke] >= MOST_TRIES or not busy.isdisjoint(concerned[stroke]):
                continue
            tried = options(self.board.shapes, stroke, needs[stroke])
            begin = self._next.get(stroke, 0)
            if problems.PROTECTED_TONGUE in needs[stroke] and self._tries[stroke] == MOST_TRIES - 1:
                # A straight edge, which always helps against that.
                begin = len(tried) - 1
            for at in range(begin, len(tried)):
                move = moved(self.board.shapes, stroke, tried[at])
                if move is None or not moving.isdisjoint(move.strokes):
                    continue
                if any(not busy.isdisjoint(concerned.get(each, ())) for each in move.strokes):
                    continue
                chosen.append((move, needs[stroke]))
                moving |= {*move.strokes}
                busy.update(*(concerned.get(each, ()) for each in move.strokes))
                self._next[stroke] = at + 1
                self._tries[stroke] += 1
                break
        return chosen

    def _try(self, moves: list[_Tried]) -> None:
        """Keep those of some moves that lower the cost of what they touch."""
        every = [move for move, _ in moves]
        trial = self.board.after(every)
        gains = _gains(self.board, trial, every)
        for least in (LEAST_GAIN, float(gains.max())):
            helps = gains >= max(least, LEAST_GAIN)
            kept = [move for move, each in zip(every, helps.tolist(), strict=True) if each]
            rest = [move for move, each in zip(every, helps.tolist(), strict=True) if not each]
            back = [_back(self.board.design, move) for move in rest]
            # What is less to be checked again: what is kept, or what is not.
            better = trial.after(back) if len(back) < len(kept) else self.board.after(kept)
            if better.cost <= self.board.cost - LEAST_GAIN:
                break
        else:
            helps[:] = False
            better, kept = self.board, []
        for (_, against), each in zip(moves, helps.tolist(), strict=True):
            for problem in against:
                self._in_vain[problem] = 0 if each else self._in_vain[problem] + 1
        if not kept:
            return
        graph = self.board.shapes.tiling.graph
        faces = set(graph.faces_at(np.array([stroke for move in kept for stroke in move.strokes])).tolist())
        self.board = better
        # What did not help before may help now.
        for stroke in [each for each in self._next if not faces.isdisjoint(graph.sides[each].tolist())]:
            del self._next[stroke]


def _back(design: JigsawDesign, move: Move) -> Move:
    """The move that takes another one back, as in the design before it."""
    tongues = tuple(design.tongue(edit.name) for edit in move.tongues)
    were = [(name, design.corner(name)) for name in (*(edit.name for edit in move.corners), *move.freed)]
    corners = tuple(edit for _, edit in were if edit is not None)
    return Move(move.strokes, tongues, corners, tuple(name for name, edit in were if edit is None))


def _uncrossed(board: Board, moves: Sequence[Move]) -> Ints:
    """How many crossings fewer each of some moves makes, (k,), counted without checking anything else."""
    import shapely

    from studio.checks import flat

    strokes = board.shapes_after(moves).drawing.strokes
    moved = flat.cuts(strokes, np.array(sorted({each for move in moves for each in move.strokes}), np.int64))
    around = board.checked.board.around(moved, 0.0)
    pairs = around.strokes[around.tree.query(moved.cores, predicate="intersects")].T
    met: set[tuple[int, ...]] = {(min(pair), max(pair)) for pair in pairs.tolist() if pair[0] != pair[1]}
    met |= {(stroke,) for stroke in moved.strokes[~shapely.is_simple(moved.lines)].tolist()}
    were = [each.strokes for each in board.checked.findings if each.problem in CROSSED]
    owner = {stroke: at for at, move in enumerate(moves) for stroke in move.strokes}
    fewer = np.zeros(len(moves), np.int64)
    for crossings, sign in ((were, 1), (met, -1)):
        for crossed in crossings:
            for at in {owner[stroke] for stroke in crossed if stroke in owner}:
                fewer[at] += sign
    return fewer


def _gains(before: Board, after: Board, moves: Sequence[Move]) -> Floats:
    """By how much each of some moves lowers the cost of what it touches, (k,)."""
    owner = {stroke: at for at, move in enumerate(moves) for stroke in move.strokes}
    gains = np.zeros(len(moves))
    for board, sign in ((before, 1.0), (after, -1.0)):
        for _, weight, strokes in board.needs:
            for at in {owner[stroke] for stroke in strokes if stroke in owner}:
                gains[at] += sign * weight
    return gains


def options(shapes: JigsawShapes, stroke: int, against: Collection[Problem]) -> list[Option]:
    """What may help an element, the smallest changes first: factors and sums of numbers, a corner and a factor of its
    distance from home, a corner elsewhere, or a move of several.
    """
    found: list[Option] = []
    last: list[Option] = []
    needs = {problem.key for problem in against}
    if problems.PROTECTED_CORNER in against:
        from studio.puzzles.jigsaw.keeping_clear import ways_out

        exits = ways_out(shapes, stroke)
        found += exits
        last += [_with_straight_edges(shapes, edit) for edit in exits]
    if problems.PROTECTED_TONGUE in against:
        from studio.puzzles.jigsaw.keeping_clear import is_surrounded

        found += [{"plain": 1.0}] if is_surrounded(shapes, stroke) else []
    if not shapes.plain[stroke]:
        shaped = shapes.style_of(stroke).shape
        if not SMALL.isdisjoint(needs):
            found += [{"size": 0.88}] if "radius" in needs else []
            found += [{"size": 1.12}, {"size": 1.3}, {"size": 1.6}]
            found += [{"neck": 1.15}, {"neck": 1.35}] if "neck" in shaped and not NECKS.isdisjoint(needs) else []
            found += [{"slant": 0.5}]
            if "radius" in needs:
                found += [{"place": 0.0, "slant": 0.0}, {"place": 0.0, "slant": 0.0, "size": 0.8}, {"size": 0.7}]
        if not CLOSE.isdisjoint(needs):
            found += [{"size": 0.9}, {"size": 0.78}, {"place+": 0.06}, {"place+": -0.06}, {"place": 0.0, "slant": 0.0}]
            found += [{"size": 0.62}, {"side": -1.0}, {"side": -1.0, "size": 0.75}]
            found += [{"place+": 0.1, "size": 0.75}, {"place+": -0.1, "size": 0.75}, {"size": 0.45}]
            found += [{"side": -1.0, "size": 0.5, "place": 0.0, "slant": 0.0}]
    elif shapes.tongues[stroke, PLAIN] == FOLLOWING:
        found += [{"plain": 1.0}]
    corners = shapes.tiling.graph.edges[stroke].tolist()
    found += [(corner, factor) for factor in (0.5, 0.0) for corner in corners]
    is_wrong = any(problem.severity is Severity.ERROR or problem is problems.PROTECTED_TONGUE for problem in against)
    return [*found, *last, {"plain": 1.0}] if is_wrong and not shapes.plain[stroke] else [*found, *last]


def moved(shapes: JigsawShapes, stroke: int, option: Option) -> Move | None:
    """The move that an option is; None where it changes nothing."""
    if isinstance(option, tuple):
        return _homewards(shapes, *option)
    if isinstance(option, CornerEdit):
        return _moving(shapes, option)
    if isinstance(option, Move):
        return option
    numbers, edit = shapes.tongues[stroke], shapes.decided(stroke)
    held: dict[str, float | bool | int] = {}
    for key, value in option.items():
        name = key.removesuffix("+")
        if name == "plain":
            held[name] = True
        elif name == "side":
            held[name] = int(value * numbers[SIDE])
        else:
            now = float(numbers[COLUMNS[name]])
            wanted = now + value if key != name else now * value
            low, high = BOUNDS[name]
            held[name] = round(min(max(wanted, low), high), 4)
            if abs(float(held[name]) - now) < SAME:
                del held[name]
    return Move((stroke,), tongues=(replace(edit, **held),)) if held else None  # type: ignore[arg-type]


def _homewards(shapes: JigsawShapes, corner: int, factor: float) -> Move | None:
    """A corner at a fraction of its distance from home."""
    tiling = shapes.tiling
    if tiling.tracks[corner] == FIXED:
        return None
    shift = tiling.freedom[corner] * (shapes.corners[corner] - tiling.homes[corner]) / tiling.scale
    right, down = ((factor * shift).round(6) + 0.0).tolist()
    edit = CornerEdit(tiling.corner_name(corner), right, down)
    return None if np.hypot(*shift) < SAME else _moving(shapes, edit)


def _moving(shapes: JigsawShapes, edit: CornerEdit) -> Move | None:
    """The move of a corner; None where it is there already."""
    if shapes.design.corner(edit.name) == edit:
        return None
    corner = shapes.tiling.corner_indices[edit.name]
    return Move(tuple(shapes.tiling.graph.edges_at(np.array([corner])).tolist()), corners=(edit,))


def _with_straight_edges(shapes: JigsawShapes, edit: CornerEdit) -> Move:
    """The move of a corner whose edges become straight."""
    graph = shapes.tiling.graph
    edges = graph.edges_at(np.array([shapes.tiling.corner_indices[edit.name]])).tolist()
    curved = [each for each in edges if not graph.is_rim(each) and not shapes.plain[each]]
    return Move(tuple(edges), tuple(replace(shapes.decided(each), plain=True) for each in curved), (edit,))


def _errors(board: Board) -> set[int]:
    """The strokes that errors concern."""
    return {each for found, _, strokes in board.needs if found.severity is Severity.ERROR for each in strokes}


def _straightened(board: Board, strokes: Collection[int], *, to_home: bool) -> Board:
    """The board with some cuts straight, between corners at home if that is wanted."""
    shapes = board.shapes
    ruled = (replace(shapes.decided(stroke), ruled=True) for stroke in sorted(strokes))
    moves = [Move((), tongues=tuple(ruled))]
    if to_home:
        corners = sorted({int(corner) for stroke in strokes for corner in shapes.tiling.graph.edges[stroke]})
        moves += [move for corner in corners if (move := _homewards(shapes, corner, 0.0)) is not None]
    return board.after(moves)


def _undone(board: Board, was: JigsawDesign, progress: Progress) -> Board:
    """The board with every change taken back that nothing needs any more."""
    tiling = board.shapes.tiling
    for returns in (_tongue_returns(board, was), _corner_returns(board, was)):
        left = returns
        while left:
            progress.step(1.0 - len(left) / len(returns))
            moving: set[int] = set()
            trial, waiting = [], []
            for move in left:
                faces = set(tiling.graph.faces_at(np.array(move.strokes)).tolist())
                if moving.isdisjoint(faces):
                    trial.append(move)
                    moving |= faces
                else:
                    waiting.append(move)
            left = waiting
            # What crosses again is known before walls are measured.
            trial = [move for move, fewer in zip(trial, _uncrossed(board, trial).tolist(), strict=True) if fewer >= 0]
            gains = _gains(board, board.after(trial), trial).tolist()
            back = board.after([move for move, gain in zip(trial, gains, strict=True) if gain >= 0])
            board = back if back.cost <= board.cost else board
    return board


def _tongue_returns(board: Board, was: JigsawDesign) -> list[Move]:
    indices = board.shapes.tiling.edge_indices
    changed = [edit.name for edit in board.design.tongues if edit != was.tongue(edit.name)]
    return [Move((indices[name],), tongues=(was.tongue(name),)) for name in changed if name in indices]


def _corner_returns(board: Board, was: JigsawDesign) -> list[Move]:
    tiling, moves = board.shapes.tiling, []
    for edit in board.design.corners:
        before = was.corner(edit.name)
        if before != edit:
            strokes = tuple(tiling.graph.edges_at(np.array([tiling.corner_indices[edit.name]])).tolist())
            moves.append(Move(strokes, corners=(before,)) if before else Move(strokes, freed=(edit.name,)))
    return moves


def repaired(design: JigsawDesign, progress: Progress) -> Repaired:
    """A design without errors, and with as few warnings as are found, and what was done to it."""
    first = Board.of(design, progress.part(0.0, 0.05))
    start = _with_fitting_parts(first, progress.part(0.05, 0.1))
    parameters = start.design.parameters
    wanted = _within_reach(parameters, first)
    if wanted != parameters:
        start = Board.of(replace(start.design, parameters=wanted), SILENT)
    found = searched(start, progress.part(0.1, 0.95)).design
    last = Board.of(replace(found, parameters=parameters), progress.part(0.95, 1.0))
    tongues = tuple(edit.name for edit in last.design.tongues if edit != design.tongue(edit.name))
    mean, largest = _movement(first.shapes, last.shapes)
    return Repaired(
        design=last.design,
        before=Counts.of(first),
        after=Counts.of(last),
        tongues=tongues,
        corners=tuple(edit.name for edit in last.design.corners if edit != design.corner(edit.name)),
        figures=tuple(one.name for one in last.design.whimsies if one not in design.whimsies),
        locked=tuple(name for name in tongues if design.tongue(name).locked_seed is not None),
        mean=mean,
        largest=largest,
        left=_left(last),
        tray=_changed_for_the_tray(design.parameters, parameters),
        dropped=lost_edits(design, last.design),
    )


def _changed_for_the_tray(before: JigsawParameters, after: JigsawParameters) -> tuple[str, ...]:
    """The parameters of a tray that differ, and what they are now."""
    if before == after:
        return ()
    changed = [one for one in declarations(JigsawParameters) if getattr(before, one.name) != getattr(after, one.name)]
    named = [(within(one.title), getattr(after, one.name), one.is_length) for one in changed]
    return tuple(
        tr("{title} {value:g} mm", title=title, value=value) if is_length else f"{title} {value:g}"
        for title, value, is_length in named
    )


def _within_reach(parameters: JigsawParameters, board: Board) -> JigsawParameters:
    """With no limit that is out of reach of pieces of this size, so that nothing is tried to meet it."""
    usual = float(board.shapes.tiling.scale.min())
    most = {"least_area": SMALLEST * float(board.shapes.tiling.scale.prod())}
    most |= {name: share * usual for name, share in REACH.items()}
    most["line_width"] = max(0.0, REACH["least_neck"] * usual - parameters.play)
    return replace(parameters, **{name: min(getattr(parameters, name), high) for name, high in most.items()})


def _with_fitting_parts(board: Board, progress: Progress) -> Board:
    """The board with figures where they fit, their tongues in shape, and a sound tray; what fits nowhere near stays."""
    whimsies, left = board.design.whimsies, set[str]()
    for _ in range(len(whimsies) + sum(one.tongues for one in whimsies) + len(problems.TRAY_PROBLEMS)):
        concerned = (
            each
            for each in board.checked.findings
            if each.cells or each.problem in (*problems.TRAY_PROBLEMS, problems.FIGURE_LOOP)
        )
        finding = next((each for each in concerned if each.repair and each.message not in left), None)
        if finding is None or finding.repair is None:
            break
        try:
            board = Board.of(finding.repair.apply(board.design, progress), progress)
        except StudioError:
            left.add(finding.message)
    return board


def _movement(before: JigsawShapes, after: JigsawShapes) -> tuple[float, float]:
    """How far in mm the inner cuts moved, on average and at most; places at the same fraction of a cut are compared."""
    import shapely

    was, now = before.tiling.edge_indices, after.tiling.edge_indices
    names = [name for name in was if name in now]
    if not names:
        return 0.0, 0.0
    shares = np.linspace(0.0, 1.0, SAMPLES)
    places = []
    for shapes, indices in ((before, was), (after, now)):
        lines = shapes.drawing.strokes.chosen(np.array([indices[name] for name in names])).flattened(FLATTENING)
        cuts = shapely.linestrings(lines.points, indices=lines.owners)
        points = shapely.line_interpolate_point(cuts[:, None], shares, normalized=True)
        places.append(shapely.get_coordinates(points).reshape(len(names), SAMPLES, 2))
    away = np.hypot(*np.moveaxis(places[1] - places[0], 2, 0))
    return float(away.mean()), float(away.max())


def _left(board: Board) -> tuple[str, ...]:
    """What is left: errors one by one, and for every limit that is not met the value that would do."""
    left: dict[str, list[Finding]] = defaultdict(list)
    sentences = []
    corners = 0
    for finding in board.checked.findings:
        corners += finding.problem is problems.PROTECTED_CORNER
        if finding.problem in LIMITED:
            left[LIMITED[finding.problem]].append(finding)
        elif finding.severity is Severity.ERROR:
            sentences.append(finding.message)
    if corners:
        sentences.append(
            tr(
                "{corners} cannot leave the protected area. Merge the pieces there, make pieces larger or the area "
                "smaller.",
                corners=many(corners, "corner"),
            )
        )
    for name, findings in left.items():
        known = declaration(type(board.design.parameters), name)
        least = getattr(board.design.parameters, name)
        would = math.floor(100 * least * (1 - max(finding.shortfall for finding in findings))) / 100
        sentences.append(
            tr(
                "{limit} ({least:g} {unit}) is not met in {places}; {would:g} {unit} can be met.",
                limit=known.title, least=least, unit=known.unit, places=many(len(findings), "place"), would=would,
            )
        )  # fmt: skip
    return tuple(sentences)
