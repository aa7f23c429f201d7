"""One problem of a jigsaw fixed without making another worse, and boards randomised until none needs a repair."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.parameters import LARGEST_SEED
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.checks.finding import Problem, Severity
from studio.puzzles.jigsaw.checks.check import check
from studio.puzzles.jigsaw.checks.remedies import Move, moved, options
from studio.puzzles.jigsaw.model.design import BOUNDS, JigsawDesign
from studio.puzzles.jigsaw.model.edits import with_pieces_merged
from studio.puzzles.jigsaw.model.generate import carry
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.repair.search import LEAST_GAIN, Board, Counts
from studio.puzzles.jigsaw.tongues.tongues import SIDE, SIZE
from studio.puzzles.kind import Generated

MOST_SEEDS = 200
"""How many seeds are tried for one that needs no repair."""
RESHAPED = ((1.0, -1), (0.85, 1), (0.7, 1), (0.85, -1), (0.7, -1), (1.2, 1), (1.5, 1), (1.2, -1), (0.55, 1), None)
"""What of a figure's tongue is tried: its size as a share and whether it is flipped, and last a straight outline."""
SLIGHTLY = 1e-9
"""A shortfall that grows by less is the same."""


def carefully(design: JigsawDesign, changed: JigsawDesign, names: Iterable[str], progress: Progress) -> JigsawDesign:
    """The changed design; where it makes another problem worse, the smallest other change of the named tongues or of
    their corners that helps and does not. Raises StudioError where there is none.
    """
    before = Board.of(design, progress.part(0.0, 0.4))
    shapes = shape(changed, before.shapes, SILENT)
    if not _is_worse(before, Board(changed, shapes, check(changed, shapes, before.checked, progress.part(0.4, 0.5)))):
        return changed
    indices = before.shapes.tiling.edge_indices
    for stroke in [indices[name] for name in names]:
        needs = {finding.problem for finding, _weight, strokes in before.needs if stroke in strokes}
        tried = options(before.shapes, stroke, needs)
        for at, option in enumerate(tried):
            progress.part(0.5, 1.0).step(at / len(tried))
            move = moved(before.shapes, stroke, option)
            trial = before if move is None else before.after([move])
            if trial.cost <= before.cost - LEAST_GAIN and not _is_worse(before, trial):
                return trial.design
    raise StudioError(tr("Every small change here makes another problem worse. Use Fix all… instead."))


def cleared(design: JigsawDesign, progress: Progress, *, problem: Problem, names: Collection[str]) -> JigsawDesign:
    """The design without a problem of the named tongues together, after the smallest change of one of them or of its
    corners that makes no other problem worse. Raises StudioError where there is none.
    """
    before = Board.of(design, progress.part(0.0, 0.4))
    strokes = frozenset(before.shapes.tiling.edge_indices[name] for name in names)
    for stroke in sorted(strokes):
        tried = options(before.shapes, stroke, {problem})
        for at, option in enumerate(tried):
            progress.part(0.4, 1.0).step(at / len(tried))
            move = moved(before.shapes, stroke, option)
            trial = before if move is None else before.after([move])
            if not _has(trial, problem, strokes) and not _is_worse(before, trial):
                return trial.design
    raise StudioError(tr("No small change clears the protected area here. Merge pieces, or make the area smaller."))


def merged(design: JigsawDesign, cuts: Sequence[Sequence[str]], progress: Progress) -> JigsawDesign:
    """The design without the first of some groups of cuts that leaves fewer problems, and none that weighs more.

    Raises StudioError where there is none.
    """
    before = Board.of(design, progress.part(0.0, 0.4))
    was = Counts.of(before)
    for at, names in enumerate(cuts):
        progress.part(0.4, 1.0).step(at / len(cuts))
        after = Board.of(with_pieces_merged(design, names, SILENT).design, SILENT)
        now = Counts.of(after)
        if now.errors <= was.errors and now.warnings <= was.warnings and after.cost <= before.cost - LEAST_GAIN:
            return after.design
    raise StudioError(tr("Every small change here makes another problem worse. Use Fix all… instead."))


def refigured(design: JigsawDesign, progress: Progress, *, name: str) -> JigsawDesign:
    """The design with the smallest change of a figure's tongue that helps and makes no problem worse.

    Raises StudioError where there is none.
    """
    before = Board.of(design, progress.part(0.0, 0.4))
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
        if trial.cost <= before.cost - LEAST_GAIN and not _is_worse(before, trial):
            return trial.design
    raise StudioError(tr("No other shape of tongue {tongue} helps here. Move the figure.", tongue=name))


def _has(board: Board, problem: Problem, strokes: frozenset[int]) -> bool:
    return any(finding.problem is problem and each == strokes for finding, _weight, each in board.needs)


def _is_worse(before: Board, after: Board) -> bool:
    """Whether there is a problem that was not there, or was less; a lesser one in the place of a worse one is none."""
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
    """The design with the next seed that gives neither errors nor warnings.

    Raises StudioError where none of the next seeds does, and names the best of them.
    """
    best: tuple[int, int, int] | None = None
    for tried in range(1, most + 1):
        progress.step(tried / most)
        seed = (design.parameters.seed + tried) % (LARGEST_SEED + 1)
        made = carry(replace(design.parameters, seed=seed), design, SILENT)
        counts = Counts.of(Board.of(made.design, progress.part((tried - 1) / most, tried / most)))
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
