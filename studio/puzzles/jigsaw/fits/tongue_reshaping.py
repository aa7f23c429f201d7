"""Reshape tongues so that every piece fits in a single place, or so that more pieces nearly fit elsewhere.

Both try new values of many tongues at once, in rounds. A tongue keeps them only if they serve the purpose and the
check finds no new problem around it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import many
from studio.base.chance import symmetric
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.fits.false_fits import Fits, false_fits
from studio.puzzles.jigsaw.fits.likeness import DIRECTIONS
from studio.puzzles.jigsaw.model.design import BOUNDS, JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.remedies import Move
from studio.puzzles.jigsaw.repair_search import CheckedBoard, Counts
from studio.puzzles.jigsaw.tongues.tongues import COLUMNS, SIDE, STYLE
from studio.puzzles.jigsaw.tongues.values import signs

ATTEMPTS = 24
"""Number of shapes tried for a tongue."""
REACH = {"size": 0.25, "place": 0.08, "slant": 0.12, "neck": 0.25}
"""Largest change in the last attempt: a share of the value for size and neck, of the edge's length for place, slant."""
FIRST_REACH = 0.25
"""Share of this change allowed in the first attempt."""
WITHDRAWN = 4
"""Number of times shapes with problems are withdrawn before the whole round is."""
GROUP = 4
"""Most tongues that become near-copies of each other."""
SPAN = 1.2
"""Largest difference between the lengths of their edges, in clearances; ends differ by half of it."""

ProblemKey = tuple[str, frozenset[int], tuple[int, ...]]


@dataclass(frozen=True)
class Reshaped:
    """A design with reshaped tongues, their names, and false fits and problems before and after.

    `left` holds sentences about the remaining false fits and their reasons.
    """

    design: JigsawDesign
    before: Fits
    after: Fits
    problems_before: Counts
    problems_after: Counts
    tongues: tuple[str, ...]
    left: tuple[str, ...]

    @property
    def sentences(self) -> list[str]:
        """Result in sentences."""
        return [
            tr(
                "{tongues} reshaped: {before} before, {after} after, at {clearance:.2f} mm clearance.",
                tongues=many(len(self.tongues), "tongue"),
                before=many(self.before.pairs, "false fit"),
                after=many(self.after.pairs, "false fit"),
                clearance=self.after.clearance,
            ),
            *self.left,
        ]


def made_unique(design: JigsawDesign, clearance: float, progress: Progress) -> Reshaped:
    """Reshape the ambiguous, unlocked tongues until no tongue can be mistaken for another, as far as possible.

    Raise StudioError for a clearance out of bounds, or larger than a neck.
    """
    trials = _Trials.from_design(design, clearance, progress.part(0.0, 0.3))
    was = trials.found
    for attempt in range(ATTEMPTS):
        progress.part(0.3, 1.0).step(attempt / ATTEMPTS)
        wrong = _to_reshape(trials.board.shapes, trials.found)
        if not wrong:
            break
        reach = FIRST_REACH + (1 - FIRST_REACH) * attempt / (ATTEMPTS - 1)
        others = dict(zip(trials.found.edges.tolist(), trials.found.others.tolist(), strict=True))
        last = attempt >= ATTEMPTS // 2

        def serves(edge: int, now: int, others: dict[int, int] = others, last: bool = last) -> bool:
            return now == 0 or (last and now < others[edge])

        trials.keep(_varied(trials.board.shapes, wrong, reach, attempt), serves)
    return trials.answer(design, was, _why(trials.board.shapes, trials.found))


def made_devious(design: JigsawDesign, clearance: float, progress: Progress, names: Collection[str] = ()) -> Reshaped:
    """Make the named unlocked tongues, or any if no name is given, near-copies of each other.

    Raise StudioError for a clearance out of bounds, or larger than a neck.
    """
    trials = _Trials.from_design(design, clearance, progress.part(0.0, 0.3))
    was = trials.found
    groups = _groups(trials.board.shapes, names, clearance)
    heights = np.ones(len(trials.board.shapes.tongues))
    for attempt in range(3):
        progress.part(0.3, 1.0).step(attempt / 3)
        shapes, found = trials.board.shapes, trials.found
        before = dict(zip(found.edges.tolist(), found.others.tolist(), strict=True))
        moves = [
            move
            for model, *copies in groups
            for copy in copies
            if not before[copy] and (move := _copied(shapes, model, copy, heights[copy])) is not None
        ]
        trial = trials.keep(moves, lambda edge, now, before=before: now > before[edge])  # type: ignore[misc]
        high = _heights(trial)
        for model, *copies in groups:
            for copy in copies:
                heights[copy] *= high[model] / max(high[copy], 1e-6)
    left = () if trials.found.pairs > was.pairs else (tr("No tongues were found that could be near-copies."),)
    return trials.answer(design, was, left)


@dataclass(eq=False)
class _Trials:
    """A board with its false fits, on which new shapes of tongues are tried."""

    board: CheckedBoard
    found: Fits
    first: Counts

    @classmethod
    def from_design(cls, design: JigsawDesign, clearance: float, progress: Progress) -> _Trials:
        """Check a design and find its false fits."""
        board = CheckedBoard.from_design(design, progress.part(0.0, 0.3))
        return cls(board, false_fits(board.shapes, clearance, progress.part(0.3, 1.0)), Counts.from_board(board))

    def keep(self, moves: Sequence[Move], serves: Callable[[int, int], bool]) -> Fits:
        """Keep the moves, each of a single tongue, that serve and cause no problem; return the fits of all moves."""
        found = trial = None
        left = [*moves]
        known = _problems(self.board)
        for withdrawn in range(WITHDRAWN):
            if not left:
                break
            board = self.board.after(left)
            found = false_fits(board.shapes, self.found.clearance, before=self.found)
            trial = trial or found
            now = dict(zip(found.edges.tolist(), found.others.tolist(), strict=True))
            new = _problems(board) - known
            blamed = {stroke for _kind, strokes, _pieces in new for stroke in strokes}
            good = [
                move for move in left if move.strokes[0] not in blamed and serves(move.strokes[0], now[move.strokes[0]])
            ]
            if len(good) == len(left):
                if not new:
                    self.board, self.found = board, found
                break
            # Without the withdrawn moves, the rest may fit again or be in the way: try once more.
            left = good if withdrawn < WITHDRAWN - 2 else good[: len(good) // 2]
        return trial or self.found

    def answer(self, was: JigsawDesign, before: Fits, left: Iterable[str]) -> Reshaped:
        """Compare the board with the design and fits before."""
        design = self.board.design
        tongues = tuple(edit.name for edit in design.tongues if edit != was.tongue(edit.name))
        return Reshaped(design, before, self.found, self.first, Counts.from_board(self.board), tongues, tuple(left))


def _problems(board: CheckedBoard) -> set[ProblemKey]:
    """Errors and warnings of a board, with the strokes around them."""
    pieces = board.shapes.drawing.pieces
    found: set[ProblemKey] = set()
    for finding in board.checked.findings:
        if finding.severity is not Severity.HINT:
            strokes = {*finding.strokes}
            for piece in finding.pieces:
                strokes |= {int(code) >> 1 for code in pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]]}
            found.add((finding.problem.key, frozenset(strokes), tuple(finding.pieces)))
    return found


def _to_reshape(shapes: JigsawShapes, found: Fits) -> list[int]:
    """Choose ambiguous, unlocked tongues; of two tongues that fit only each other, the first."""
    able = _able(shapes)
    wrong = np.flatnonzero((found.others > 0) & able[found.edges])
    chosen: set[int] = set()
    for at in wrong[np.argsort(-found.others[wrong], kind="stable")].tolist():
        if found.others[at] > 1 or int(found.partners[at]) not in chosen:
            chosen.add(int(found.edges[at]))
    return sorted(chosen)


def _able(shapes: JigsawShapes) -> NDArray[np.bool_]:
    """Mask of the strokes that are unlocked tongues, not drawn."""
    able = ~shapes.plain & ~shapes.drawn
    able[shapes.locked] = False
    return able


def _varied(shapes: JigsawShapes, tongues: Sequence[int], reach: float, attempt: int) -> list[Move]:
    """Randomise the values of tongues within their bounds."""
    which = np.array(tongues, np.int64)
    keys, seed = shapes.tiling.edge_keys[which], shapes.design.parameters.seed
    values: dict[str, Floats] = {}
    for name, most in REACH.items():
        now = shapes.tongues[which, COLUMNS[name]]
        shift = reach * most * symmetric(seed, keys, f"unique {name} {attempt}")
        values[name] = np.clip(now * (1 + shift) if name in ("size", "neck") else now + shift, *BOUNDS[name]).round(4)
    moves = []
    for at, tongue in enumerate(tongues):
        names = [name for name in REACH if name != "neck" or "neck" in shapes.style_of(tongue).shape]
        held = {name: float(values[name][at]) for name in names}
        moves.append(Move((tongue,), tongues=(replace(shapes.decided(tongue), **held),)))  # type: ignore[arg-type]
    return moves


def _why(shapes: JigsawShapes, found: Fits) -> list[str]:
    """Explain the remaining false fits in sentences."""
    if not found.pairs:
        return []
    wrong = found.edges[found.others > 0]
    drawn = int((shapes.drawn & ~shapes.plain)[wrong].sum())
    straight, locked = int(shapes.plain[wrong].sum()), int(np.isin(wrong, shapes.locked).sum())
    sentences = [tr("{pairs} left.", pairs=many(found.pairs, "false fit"))]
    if straight:
        sentences.append(tr("{edges} cannot be reshaped.", edges=many(straight, "straight edge")))
    if drawn:
        sentences.append(tr("{edges} cannot be reshaped.", edges=many(drawn, "drawn edge")))
    if locked:
        sentences.append(tr("{tongues} may not be reshaped.", tongues=many(locked, "locked tongue")))
    rest = len(wrong) - straight - drawn - locked
    if rest:
        sentences.append(
            tr("No shape without new problems was found for {tongues}.", tongues=many(rest, "other tongue"))
            if straight or locked
            else tr("No shape without new problems was found for {tongues}.", tongues=many(rest, "tongue"))
        )
    return sentences


def _groups(shapes: JigsawShapes, names: Collection[str], clearance: float) -> list[list[int]]:
    """Group tongues of the same style on edges of nearly equal length; the first of a group is the model."""
    inner = shapes.joined_edges
    able = _able(shapes)
    wanted = {*names}
    chosen = [edge for edge in inner.tolist() if able[edge] and (not wanted or shapes.tiling.edge_name(edge) in wanted)]
    ends = shapes.corners[shapes.tiling.graph.edges]
    lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    groups: list[list[int]] = []
    for edge in sorted(chosen, key=lambda each: (shapes.tongues[each, STYLE], lengths[each])):
        last = groups[-1] if groups else []
        alike = last and shapes.tongues[last[0], STYLE] == shapes.tongues[edge, STYLE]
        if alike and len(last) < GROUP and lengths[edge] - lengths[last[0]] <= SPAN * clearance:
            last.append(edge)
        else:
            groups.append([edge])
    return [group for group in groups if len(group) > 1]


def _copied(shapes: JigsawShapes, model: int, copy: int, factor: float) -> Move | None:
    """Copy the values of a tongue to another, with its size multiplied by a factor; None if nothing changes."""
    both = np.array([model, copy])
    held = {}
    for name, column in COLUMNS.items():
        # Knobs up, tongues of different sides run in opposite directions.
        sign = shapes.tongues[both, SIDE] if name == "place" else signs(shapes, both, name)
        value = float(shapes.tongues[model, column] * sign[0] * sign[1]) * (factor if name == "size" else 1.0)
        held[name] = round(min(max(value, BOUNDS[name][0]), BOUNDS[name][1]), 4) + 0.0
    edit = replace(shapes.decided(copy), **held)  # type: ignore[arg-type]
    return None if edit == shapes.decided(copy) else Move((copy,), tongues=(edit,))


def _heights(found: Fits) -> Floats:
    """Height in mm of the knob of every inner stroke; 1 for border strokes."""
    kinds = found.known.kinds
    result = np.ones(len(found.known.shapes.tongues))
    result[found.edges] = kinds.likeness.extents[kinds.of, DIRECTIONS // 2]
    return result
