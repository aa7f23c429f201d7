"""Search for a few small changes that solve a problem of a board, or all problems.

cost: total weight of a board's findings. A move is kept only if it lowers the cost of all that it touches and of the
board, so that the search always ends. Cuts with errors after all moves become straight lines between corners at home,
which cross nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.parameters import LARGEST_SEED
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.checks.finding import Finding, Problem, Severity
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import JigsawChecked, check, recombined
from studio.puzzles.jigsaw.model.design import BOUNDS, JigsawDesign
from studio.puzzles.jigsaw.model.edits import with_pieces_merged
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import carry
from studio.puzzles.jigsaw.remedies import CROSSED, Move, moved, options, shapes_after, straight
from studio.puzzles.jigsaw.tongues.tongues import SIDE, SIZE
from studio.puzzles.kind import Generated

COSTS = {Severity.ERROR: 100.0, Severity.WARNING: 1.0, Severity.HINT: 0.0}
"""Weight of a finding at its limit; it grows with the shortfall, up to twice as much."""
LEAST_GAIN = 0.15
"""Least reduction of the cost of all elements that a move touches."""
MOST_TRIES = 60
"""Most moves tried for an element, including moves after a neighbour changed."""
MOST_IN_VAIN = 100
"""Number of moves in a row without effect after which a problem's warnings are given up."""
GLANCES = 4
"""Number of times per round that next moves are filtered by crossings before all chosen moves are tried."""
_Tried = tuple[Move, set[Problem]]
"""A move, and the problems that it is to solve."""


@dataclass(frozen=True, eq=False)
class CheckedBoard:
    """A design with its shapes and findings."""

    design: JigsawDesign
    shapes: JigsawShapes
    checked: JigsawChecked

    @staticmethod
    def from_design(design: JigsawDesign, progress: Progress) -> CheckedBoard:
        """Compute the shapes of a design and check them."""
        shapes = shape(design, None, progress.part(0.0, 0.3))
        return CheckedBoard(design, shapes, check(design, shapes, None, progress.part(0.3, 1.0)))

    def after(self, moves: Sequence[Move]) -> CheckedBoard:
        """Apply moves."""
        if not moves:
            return self
        shapes = shapes_after(self.shapes, moves)
        return CheckedBoard(shapes.design, shapes, check(shapes.design, shapes, self.checked, Progress()))

    def partly(self, trial: CheckedBoard, moves: Sequence[Move], others: Sequence[Move]) -> CheckedBoard:
        """Apply some of a trial's moves, reusing the findings of both boards; `others` are the trial's other moves."""
        if not moves or not others:
            return trial if moves else self
        back = [_back(self.design, move) for move in others]
        # Choose the way that changes fewer cuts.
        shapes = shapes_after(trial.shapes, back) if len(back) < len(moves) else shapes_after(self.shapes, moves)
        return CheckedBoard(shapes.design, shapes, recombined(shapes, self.checked, trial.checked))

    @cached_property
    def needs(self) -> tuple[tuple[Finding, float, frozenset[int]], ...]:
        """Findings with a weight, their costs, and the inner strokes whose changes could help."""
        graph, pieces = self.shapes.tiling.graph, self.shapes.drawing.pieces
        found = []
        for finding in self.checked.findings:
            strokes = {*finding.strokes}
            if finding.problem is check_problems.BORDER_LOOP:
                # The border follows its corners, and these move with the cuts that end there.
                corners = np.unique(graph.edges[np.array(finding.strokes)])
                strokes |= {*graph.edges_at(corners).tolist()}
            for piece in finding.pieces:
                strokes |= {int(code) >> 1 for code in pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]]}
            weight = COSTS[finding.severity] * (1.0 + finding.shortfall)
            if weight and finding.problem is not check_problems.COUNT:
                found.append((finding, weight, frozenset(each for each in strokes if not graph.is_rim(each))))
        return tuple(found)

    @cached_property
    def cost(self) -> float:
        """Total weight of all findings."""
        return sum(weight for _, weight, _ in self.needs)


@dataclass(frozen=True, order=True)
class Counts:
    """Numbers of errors and warnings; more errors, or else more warnings, are worse."""

    errors: int
    warnings: int

    @staticmethod
    def from_board(board: CheckedBoard) -> Counts:
        """Count the errors and warnings of a board."""
        severities = Counter(finding.severity for finding in board.checked.findings)
        return Counts(severities[Severity.ERROR], severities[Severity.WARNING])


def searched(board: CheckedBoard, progress: Progress) -> CheckedBoard:
    """Search for a board without errors and with few warnings; locked tongues change last."""
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
        search.board = search.board.after(straight(search.board.shapes, forced, to_home=not is_new))
        search.run(forced, progress.part(0.7, 0.8))
    if _errors(search.board):
        search.board = search.board.after(straight(search.board.shapes, forced, to_home=True))
    return _undone(search.board, board.design, progress.part(0.8, 1.0))


class _Search:
    """Rounds of moves that do not touch each other, each kept if it helps."""

    def __init__(self, board: CheckedBoard) -> None:
        self.board = board
        self._next: dict[int, int] = {}
        self._tries: Counter[int] = Counter()
        self._in_vain: Counter[Problem] = Counter()
        self._glances = True
        self._has_dropped = False

    def run(self, frozen: Collection[int], progress: Progress) -> None:
        """Try moves until no move is left that could help; `frozen` strokes stay.

        If problems remain, moves that the filter dropped are tried in full, too.
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
        """Choose the next moves of elements with problems, at most one per finding, with the problems to solve."""
        concerned: dict[int, list[int]] = defaultdict(list)
        costs: dict[int, float] = defaultdict(float)
        needs: dict[int, set[Problem]] = defaultdict(set)
        for at, (finding, weight, strokes) in enumerate(self.board.needs):
            is_sure = finding.severity is Severity.ERROR or finding.problem is check_problems.PROTECTED_TONGUE
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
        """Filter moves against crossings: keep a move if fewer cuts cross after it."""
        needs = [not against.isdisjoint(CROSSED) and check_problems.LOST_PIECE not in against for _, against in moves]
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
        """Choose the next moves of elements with problems, independent of the moves already held."""
        moving = {*frozen, *(stroke for move in held for stroke in move.strokes)}
        busy = {at for move in held for stroke in move.strokes for at in concerned.get(stroke, ())}
        chosen = []
        for stroke in order:
            if stroke in moving or self._tries[stroke] >= MOST_TRIES or not busy.isdisjoint(concerned[stroke]):
                continue
            tried = options(self.board.shapes, stroke, needs[stroke])
            begin = self._next.get(stroke, 0)
            if check_problems.PROTECTED_TONGUE in needs[stroke] and self._tries[stroke] == MOST_TRIES - 1:
                # A straight edge always solves this problem.
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
        """Keep the moves that lower the cost of the elements that they touch."""
        every = [move for move, _ in moves]
        trial = self.board.after(every)
        gains = _gains(self.board, trial, every)
        for least in (LEAST_GAIN, float(gains.max())):
            helps = gains >= max(least, LEAST_GAIN)
            kept = [move for move, each in zip(every, helps.tolist(), strict=True) if each]
            rest = [move for move, each in zip(every, helps.tolist(), strict=True) if not each]
            better = self.board.partly(trial, kept, rest)
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
        # Moves that did not help before may help now.
        for stroke in [each for each in self._next if not faces.isdisjoint(graph.sides[each].tolist())]:
            del self._next[stroke]


def _back(design: JigsawDesign, move: Move) -> Move:
    """Move that reverses another, given the design before it."""
    tongues = tuple(design.tongue(edit.name) for edit in move.tongues)
    were = [(name, design.corner(name)) for name in (*(edit.name for edit in move.corners), *move.freed)]
    corners = tuple(edit for _, edit in were if edit is not None)
    return Move(move.strokes, tongues, corners, tuple(name for name, edit in were if edit is None))


def _uncrossed(board: CheckedBoard, moves: Sequence[Move]) -> Ints:
    """Number of crossings that each move removes, counted without a full check, shape (k,)."""
    import shapely

    from studio.checks import cut_crossings

    strokes = shapes_after(board.shapes, moves).drawing.strokes
    moved = cut_crossings.cuts(strokes, np.array(sorted({each for move in moves for each in move.strokes}), np.int64))
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


def _gains(before: CheckedBoard, after: CheckedBoard, moves: Sequence[Move]) -> Floats:
    """Reduction of the cost of all elements that each move touches, shape (k,)."""
    owner = {stroke: at for at, move in enumerate(moves) for stroke in move.strokes}
    gains = np.zeros(len(moves))
    for board, sign in ((before, 1.0), (after, -1.0)):
        for _, weight, strokes in board.needs:
            for at in {owner[stroke] for stroke in strokes if stroke in owner}:
                gains[at] += sign * weight
    return gains


def _errors(board: CheckedBoard) -> set[int]:
    """Strokes with errors."""
    return {each for found, _, strokes in board.needs if found.severity is Severity.ERROR for each in strokes}


def _undone(board: CheckedBoard, was: JigsawDesign, progress: Progress) -> CheckedBoard:
    """Undo every change that is no longer needed."""
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
            # Drop returns that cross again before walls are measured.
            trial = [move for move, fewer in zip(trial, _uncrossed(board, trial).tolist(), strict=True) if fewer >= 0]
            tried = board.after(trial)
            helps = (_gains(board, tried, trial) >= 0).tolist()
            kept = [move for move, each in zip(trial, helps, strict=True) if each]
            back = board.partly(tried, kept, [move for move, each in zip(trial, helps, strict=True) if not each])
            board = back if back.cost <= board.cost else board
    return board


def _tongue_returns(board: CheckedBoard, was: JigsawDesign) -> list[Move]:
    indices = board.shapes.tiling.edge_indices
    changed = [edit.name for edit in board.design.tongues if edit != was.tongue(edit.name)]
    return [Move((indices[name],), tongues=(was.tongue(name),)) for name in changed if name in indices]


def _corner_returns(board: CheckedBoard, was: JigsawDesign) -> list[Move]:
    tiling, moves = board.shapes.tiling, []
    for edit in board.design.corners:
        before = was.corner(edit.name)
        if before != edit:
            strokes = tuple(tiling.graph.edges_at(np.array([tiling.corner_indices[edit.name]])).tolist())
            moves.append(Move(strokes, corners=(before,)) if before else Move(strokes, freed=(edit.name,)))
    return moves


# Repairs of a single problem that make no other worse

MOST_SEEDS = 200
"""Most seeds tried until one needs no repair."""
RESHAPED = ((1.0, -1), (0.85, 1), (0.7, 1), (0.85, -1), (0.7, -1), (1.2, 1), (1.5, 1), (1.2, -1), (0.55, 1), None)
"""Shapes tried for a figure's tongue: factor of its size, and -1 if flipped; last a straight outline."""
SLIGHTLY = 1e-9
"""Growth of a shortfall below which it is the same."""


def carefully(design: JigsawDesign, changed: JigsawDesign, names: Iterable[str], progress: Progress) -> JigsawDesign:
    """Return the changed design or, if it makes another problem worse, the design after the smallest change of the
    named tongues or their corners that helps without doing so. Raise StudioError if no change does.
    """
    before = CheckedBoard.from_design(design, progress.part(0.0, 0.4))
    shapes = shape(changed, before.shapes, SILENT)
    if not is_worse(
        before, CheckedBoard(changed, shapes, check(changed, shapes, before.checked, progress.part(0.4, 0.5)))
    ):
        return changed
    indices = before.shapes.tiling.edge_indices
    for stroke in [indices[name] for name in names]:
        needs = {finding.problem for finding, _weight, strokes in before.needs if stroke in strokes}
        tried = options(before.shapes, stroke, needs)
        for at, option in enumerate(tried):
            progress.part(0.5, 1.0).step(at / len(tried))
            move = moved(before.shapes, stroke, option)
            trial = before if move is None else before.after([move])
            if trial.cost <= before.cost - LEAST_GAIN and not is_worse(before, trial):
                return trial.design
    raise StudioError(tr("Every small change here makes another problem worse. Use Fix all… instead."))


def cleared(design: JigsawDesign, progress: Progress, *, problem: Problem, names: Collection[str]) -> JigsawDesign:
    """Solve a problem of the named tongues together by the smallest change of a tongue or its corners that makes no
    other problem worse. Raise StudioError if no change does.
    """
    before = CheckedBoard.from_design(design, progress.part(0.0, 0.4))
    strokes = frozenset(before.shapes.tiling.edge_indices[name] for name in names)
    for stroke in sorted(strokes):
        tried = options(before.shapes, stroke, {problem})
        for at, option in enumerate(tried):
            progress.part(0.4, 1.0).step(at / len(tried))
            move = moved(before.shapes, stroke, option)
            trial = before if move is None else before.after([move])
            is_left = any(finding.problem is problem and each == strokes for finding, _weight, each in trial.needs)
            if not is_left and not is_worse(before, trial):
                return trial.design
    raise StudioError(tr("No small change clears the protected area here. Merge pieces, or make the area smaller."))


def merged(design: JigsawDesign, cuts: Sequence[Sequence[str]], progress: Progress) -> JigsawDesign:
    """Omit the first group of cuts that lowers the cost without new errors or warnings, or raise StudioError."""
    before = CheckedBoard.from_design(design, progress.part(0.0, 0.4))
    was = Counts.from_board(before)
    for at, names in enumerate(cuts):
        progress.part(0.4, 1.0).step(at / len(cuts))
        after = CheckedBoard.from_design(with_pieces_merged(design, names, SILENT).design, SILENT)
        now = Counts.from_board(after)
        if now.errors <= was.errors and now.warnings <= was.warnings and after.cost <= before.cost - LEAST_GAIN:
            return after.design
    raise StudioError(tr("Every small change here makes another problem worse. Use Fix all… instead."))


def refigured(design: JigsawDesign, progress: Progress, *, name: str) -> JigsawDesign:
    """Make the smallest change of a figure's tongue that helps and makes no problem worse, or raise StudioError."""
    before = CheckedBoard.from_design(design, progress.part(0.0, 0.4))
    numbers, edit = before.shapes.tongues[before.shapes.tiling.tongue_indices[name]], design.tongue(name)
    size, side = float(numbers[SIZE]), int(numbers[SIDE])
    for at, change in enumerate(RESHAPED):
        progress.part(0.4, 1.0).step(at / len(RESHAPED))
        if change is None:
            other = replace(edit, plain=True)
        else:
            share, way = change
            low, high = BOUNDS["size"]
            wanted = round(min(max(share * size, low), high), 4)
            place, slant = (edit.place, edit.slant) if share == 1.0 else (0.0, 0.0)
            other = replace(edit, size=wanted, side=way * side, place=place, slant=slant)
        trial = before.after([Move((), tongues=(other,))])
        if trial.cost <= before.cost - LEAST_GAIN and not is_worse(before, trial):
            return trial.design
    raise StudioError(tr("No other shape of tongue {tongue} helps here. Move the figure.", tongue=name))


def is_worse(before: CheckedBoard, after: CheckedBoard) -> bool:
    """True if `after` has a problem that is new or worse; a less severe problem may replace another."""
    known: dict[tuple[str, frozenset[int]], float] = {}
    worst: dict[frozenset[int], Severity] = {}
    for finding, _weight, strokes in before.needs:
        known[finding.kind, strokes] = max(finding.shortfall, known.get((finding.kind, strokes), 0.0))
        worst[strokes] = min(finding.severity, worst.get(strokes, finding.severity))
    for finding, _weight, strokes in after.needs:
        shortfall = known.get((finding.kind, strokes))
        if shortfall is None:
            if worst.get(strokes, finding.severity) >= finding.severity:
                return True
        elif finding.shortfall > shortfall + SLIGHTLY:
            return True
    return False


def rerolled(design: JigsawDesign, progress: Progress, most: int = MOST_SEEDS) -> Generated[JigsawDesign]:
    """Use the next seed without errors and warnings, or raise StudioError that names the best seed tried."""
    best: tuple[int, int, int] | None = None
    for tried in range(1, most + 1):
        progress.step(tried / most)
        seed = (design.parameters.seed + tried) % (LARGEST_SEED + 1)
        made = carry(replace(design.parameters, seed=seed), design, SILENT)
        counts = Counts.from_board(
            CheckedBoard.from_design(made.design, progress.part((tried - 1) / most, tried / most))
        )
        if counts == Counts(0, 0):
            return made
        best = min(best or (counts.errors, counts.warnings, seed), (counts.errors, counts.warnings, seed))
    if best is None:
        return Generated(design)
    errors, warnings, seed = best
    raise StudioError(
        tr(
            "None of the next {most} seeds is free of problems; the best is {seed}, with {errors} and {warnings}.",
            most=most, seed=seed, errors=many(errors, "error"), warnings=many(warnings, "warning"),
        )
    )  # fmt: skip
