"""Checks a cube: its number of solutions, and pieces that slide out, break or do not fit.

neck: the side by which a voxel hangs on the next of its piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from studio.base.amounts import listed, share, thousands
from studio.base.errors import StudioError
from studio.base.parameters import declaration
from studio.base.progress import SILENT, Progress, kept
from studio.base.texts import tr
from studio.checks.finding import Checked, Finding, Repair
from studio.geometry.curves.strokes import frozen
from studio.puzzles.cube import check_problems
from studio.puzzles.cube.edits import with_voxel
from studio.puzzles.cube.engravings import (
    Engraving,
    deepest,
    has_room,
    least_height,
    letters_that_fit,
    pen,
    solid,
    spread,
    unit_with_room,
)
from studio.puzzles.cube.geometry import MOST_FACETS, TITLES, CubeShapes
from studio.puzzles.cube.model import USUAL_SNAP, CubeDesign, CubeParameters, VoxelEdit
from studio.puzzles.cube.partition import Partition, partitioned, sizes
from studio.puzzles.cube.shell import FACES, CubeShell, Mask, Owners, captured, shell, signature, symmetries
from studio.puzzles.cube.solve import is_unique, solved
from studio.solving.assembly import Count

# Changes the fewest voxels so that a box has one solution, no twins or no piece that slides.
# fault: a sliding piece, a twin or a piece of too few voxels; a change never brings a new one.


FEWEST = 2
"""Fewest voxels of a piece."""
MOST_CHANGES = 3
MOST_TRIES = 20_000
"""Most changes tried."""
MOST_PROOFS = 2_000
"""Most changes whose solutions are counted: some seconds."""

Change = tuple[int, int]
"""An open voxel, and the face that it goes to."""


@dataclass(frozen=True)
class Faults:
    """The pieces that slide, have a twin, or have too few voxels."""

    sliding: frozenset[int]
    twins: frozenset[int]
    small: frozenset[int]

    def new_since(self, before: Faults) -> bool:
        """Return whether a piece has a fault that it had not."""
        return not (self.sliding <= before.sliding and self.twins <= before.twins and self.small <= before.small)


def faults(masks: tuple[Mask, ...], least_voxels: int) -> Faults:
    """The faults that six pieces have without a search; each should have FEWEST voxels, or more if asked for."""
    kinds = [signature(mask) for mask in masks]
    least = max(FEWEST, least_voxels)
    return Faults(
        frozenset(face for face, mask in enumerate(masks) if not captured(mask)),
        frozenset(face for face, kind in enumerate(kinds) if kinds.count(kind) > 1),
        frozenset(face for face, count in enumerate(sizes(masks)) if count < least),
    )


def made_unique(design: CubeDesign, progress: Progress = SILENT) -> CubeDesign:
    """With the fewest voxels changed for a unique solution; raises StudioError if three are not enough."""
    return _fixed(design, tr("a unique solution"), lambda _after: True, progress, unique=True)


def made_distinct(design: CubeDesign, progress: Progress = SILENT) -> CubeDesign:
    """With the fewest voxels changed so that all pieces differ; raises StudioError if three are not enough."""
    return _fixed(design, tr("six different pieces"), lambda after: not after.twins, progress)


def made_captured(design: CubeDesign, progress: Progress = SILENT, *, face: int) -> CubeDesign:
    """With the fewest voxels changed so that a piece no longer slides; raises StudioError if three are not enough."""
    return _fixed(
        design, tr("an interlocked {face}", face=FACES[face]), lambda after: face not in after.sliding, progress
    )


def made_larger(design: CubeDesign, progress: Progress = SILENT, *, face: int) -> CubeDesign:
    """With the fewest voxels changed so that a piece has enough of them, else another box with enough in all pieces.

    Raises StudioError if neither is found.
    """
    try:
        return _fixed(design, tr("a larger {face}", face=FACES[face]), lambda after: face not in after.small, progress)
    except StudioError:
        least = max(FEWEST, design.parameters.least_voxels)
        other = replace(design, parameters=replace(design.parameters, least_voxels=least))
        if other == design or faults(partitioned(other, progress).masks, least).small:
            raise
        return other


def _fixed(
    design: CubeDesign, wanted: str, good: Callable[[Faults], bool], progress: Progress, *, unique: bool = False
) -> CubeDesign:
    """The nearest box that is `good` and has no new fault; with one solution if that is `unique`, or was so before."""
    partition = partitioned(design, progress)
    least = design.parameters.least_voxels
    before = faults(partition.masks, least)
    is_one = is_unique(partition.shell, partition.masks, progress)
    if good(before) and (is_one or not unique):
        return design
    alone = unique or is_one
    tries = proofs = 0
    for changes, owners in _changed(partition):
        tries += 1
        if tries > MOST_TRIES or proofs > MOST_PROOFS:
            break
        if tries % 16 == 0:
            progress.step(tries / MOST_TRIES, tr("Trying {count}-voxel changes", count=len(changes)))
        masks = partition.shell.masks(owners)
        after = faults(masks, least)
        if after.new_since(before) or not good(after):
            continue
        proofs += 1
        if not alone or is_unique(partition.shell, masks, progress):
            return given(design, owners)
    raise StudioError(
        tr(
            "No change of up to {most} voxels gives {wanted} without side effects; randomise an edge or try another "
            "seed.",
            most=MOST_CHANGES,
            wanted=wanted,
        )
    )


def _changed(partition: Partition) -> Iterator[tuple[tuple[Change, ...], Owners]]:
    """All boxes that differ in one voxel, then in two and so on, and in which no piece falls apart."""
    box = partition.shell
    single = [
        (voxel, face)
        for voxel in range(len(box.names))
        for face in box.choices(voxel)
        if face != int(partition.owners[voxel])
    ]
    for number in range(1, MOST_CHANGES + 1):
        for changes in combinations(single, number):
            if len({voxel for voxel, _ in changes}) < number:
                continue
            owners = partition.owners.copy()
            for voxel, face in changes:
                owners[voxel] = face
            if not box.loose(owners).any():
                yield changes, owners


def given(design: CubeDesign, owners: Owners) -> CubeDesign:
    """A design in which the voxels belong to the faces named, with as few edits as possible."""
    partition = partitioned(design)
    box = partition.shell
    after = design
    for _ in range(2):
        # A random corner may change its face once its neighbours change; then it is edited too.
        now = partitioned(after)
        apart = np.flatnonzero(now.owners != owners).tolist()
        plain = [box.names[voxel] for voxel in apart if partition.chance[voxel] == owners[voxel]]
        held = [edit.name for edit in after.voxels if edit.name in plain]
        edits = [
            VoxelEdit(box.names[voxel], FACES[int(owners[voxel])]) for voxel in apart if box.names[voxel] not in held
        ]
        after = after.without_voxels(held).with_voxels(edits)
    return after


def repaired_neck(box: CubeShell, owners: Owners, corner: int) -> Owners | None:
    """The box with a corner given to the face that has two voxels beside it; None without such a face."""
    voxel = box.corners.start + corner
    beside = owners[box.neighbours[corner]].tolist()
    for face in beside:
        if beside.count(face) == 2 and face != owners[voxel]:
            after = owners.copy()
            after[voxel] = face
            return frozen(after)
    return None


USUAL_GAP = 0.2
"""The gap in mm that suits most printers and most people."""
WEAK_NECK = 4.0
"""A neck in mm that is thinner than this breaks in a child's hand."""
LEAST_SNAP = 0.1
"""A bump in mm that reaches less far does not hold."""
MOST_SHOWN = 24
"""Letters of a text that a sentence repeats."""
LOOSE_SHARE = 0.2
"""Widest gap, as a share of a voxel's shortest side, with which the pieces still hold one another."""


def held(shapes: CubeShapes) -> str:
    """Say in a sentence how the six pieces come apart and what holds them; empty if a piece does not come out."""
    if not all(shapes.partition.shell.pulls_out(shapes.partition.owners)):
        return ""
    if shapes.design.parameters.snap > 0:
        return tr("Each piece can still be pulled straight out, in any order: snaps hold it.")
    return tr("Each piece can still be pulled straight out, in any order: friction holds it.")


def verdict(shapes: CubeShapes) -> str:
    """The verdict of checks that find no problem."""
    proven = tr("No problems found: unique solution, interlocked, walls thick enough to print.")
    return f"{proven} {held(shapes)}".strip()


@dataclass(frozen=True, eq=False, kw_only=True)
class CubeChecked(Checked):
    """The findings, and the count of solutions so far."""

    solved: Count


def check(design: CubeDesign, shapes: CubeShapes, before: Checked | None, progress: Progress) -> CubeChecked:
    """All findings of a design; the solutions of a box that was searched before are known."""
    progress.step(0.0, tr("Counting solutions"))
    known = _solved((design.parameters.size, shapes.partition.owners.tobytes(), design.parameters.thick), progress)
    progress.step(0.8, tr("Checking the pieces"))
    has = faults(shapes.masks, shapes.design.parameters.least_voxels)
    found = [
        *_of_solutions(shapes, known),
        *_of_pieces(shapes, has),
        *_of_necks(shapes, has, known),
        *_of_edits(shapes),
        *_of_lengths(shapes),
        *_of_facets(shapes),
        *_of_texts(shapes),
    ]
    progress.step(1.0)
    return CubeChecked(tuple(sorted(found, key=lambda one: one.rank)), verdict=verdict(shapes), solved=known)


@kept(64)
def _solved(question: tuple[tuple[int, int, int], bytes, float], progress: Progress) -> Count:
    """The solutions of a box of some size, by the owners of its voxels as bytes, and how thick its plates are."""
    size, owners, thick = question
    box = shell(*size)
    return solved(box, box.masks(np.frombuffer(owners, np.int8)), progress.part(0.0, 0.8), thick=thick)


def _of_solutions(shapes: CubeShapes, known: Count) -> Iterator[Finding]:
    if known.solutions != 1 or not known.complete:
        # It moves voxels until cubes would have one solution; plates of another thickness may have more.
        is_one = shapes.design.parameters.is_even or not is_unique(shapes.partition.shell, shapes.masks, Progress())
        repair = Repair(tr("Make unique"), made_unique) if is_one else None
        yield check_problems.SOLUTIONS.finding(
            shapes.drawing.middle, repair=repair, solutions=known.solutions, complete=known.complete
        )
    if not shapes.partition.met:
        yield check_problems.WISH.finding(shapes.drawing.middle)


def _of_pieces(shapes: CubeShapes, has: Faults) -> Iterator[Finding]:
    """Pieces that are alike, slide out, or look the same in several ways."""
    kinds = [signature(mask) for mask in shapes.masks]
    for kind in sorted({kinds[face] for face in has.twins}):
        twins = [face for face in range(6) if kinds[face] == kind]
        names = listed(TITLES[face] for face in twins)
        repair = Repair(tr("Make pieces different"), made_distinct)
        yield check_problems.TWINS.finding(shapes.middle_of(twins[-1]), pieces=twins, repair=repair, names=names)
    for face, mask in enumerate(shapes.masks):
        about: dict[str, Any] = {"place": shapes.middle_of(face), "pieces": [face], "piece": TITLES[face]}
        if face in has.sliding:
            yield check_problems.SLIDE.finding(
                **about, repair=Repair(tr("Interlock"), partial(made_captured, face=face))
            )
        if face in has.small:
            least = max(FEWEST, shapes.design.parameters.least_voxels)
            repair = Repair(tr("Make larger"), partial(made_larger, face=face))
            yield check_problems.SMALL.finding(**about, repair=repair, count=int(mask.sum()), least=least)
        ways = symmetries(mask)
        if ways > 1:
            yield check_problems.SYMMETRIC.finding(**about, ways=ways)


def _of_necks(shapes: CubeShapes, has: Faults, known: Count) -> Iterator[Finding]:
    """Corners that hang on one voxel only; a voxel of an edge also hangs on the core behind it."""
    box, owners, neck = shapes.partition.shell, shapes.partition.owners, _neck(shapes.design.parameters)
    for corner in range(8):
        voxel = box.corners.start + corner
        face = int(owners[voxel])
        if (owners[box.neighbours[corner]] == face).sum() == 1 and neck < WEAK_NECK:
            yield check_problems.NECK.finding(
                shapes.place_of(voxel),
                pieces=[face],
                repair=_strengthening(shapes, has, known, corner),
                corner=box.names[voxel],
                piece=TITLES[face],
                thick=_rounded_down(neck),
            )


def _neck(p: CubeParameters) -> float:
    """Thickness in mm of the neck between two voxels of a piece."""
    return p.wall - (2 * p.radius if p.style == "voxel" else 0.0)


def _strengthening(shapes: CubeShapes, has: Faults, known: Count, corner: int) -> Repair | None:
    """Gives the corner to a face that holds it twice; None if that brings another fault."""
    box = shapes.partition.shell
    owners = repaired_neck(box, shapes.partition.owners, corner)
    if owners is None or box.loose(owners).any():
        return None
    masks = box.masks(owners)
    spoilt = faults(masks, shapes.design.parameters.least_voxels).new_since(has)
    if spoilt or (known.solutions == 1 and not is_unique(box, masks, Progress())):
        return None
    name, face = box.names[box.corners.start + corner], FACES[int(owners[box.corners.start + corner])]
    return Repair.at_once(tr("Move it to {face}", face=face), lambda design: with_voxel(design, name, face))


def _of_edits(shapes: CubeShapes) -> Iterator[Finding]:
    """Edits that have no effect, because after a change of the seed they would cut a piece in two."""
    for edit in shapes.design.voxels:
        if edit.name in shapes.partition.ignored:
            repair = Repair.at_once(tr("Remove the edit"), partial(CubeDesign.without_voxels, names=[edit.name]))
            place = shapes.place_of(shapes.partition.shell.indices[edit.name])
            yield check_problems.STRAY.finding(place, repair=repair, corner=edit.name, face=edit.face)


def _of_lengths(shapes: CubeShapes) -> Iterator[Finding]:
    """Check style, gap, radius and least wall against the material."""
    p, whole = shapes.design.parameters, shapes.drawing.middle
    if p.style == "voxel" and not p.is_even:
        yield check_problems.STYLE.finding(
            whole, repair=Repair.setting(tr("Use smooth plates"), style="plate"), thick=p.plate, unit=p.unit
        )
    usual = Repair.setting(tr("Set clearance to {gap:g} mm"), gap=min(USUAL_GAP, p.narrowest / 20))
    if p.gap > LOOSE_SHARE * p.narrowest:
        side = tr("the thickness") if p.plate < p.unit else tr("a voxel")
        yield check_problems.WIDE_GAP.finding(
            whole, repair=usual, gap=p.gap, share=share(p.gap / p.narrowest), side=side
        )
    elif p.gap == 0:
        yield check_problems.NO_GAP.finding(whole, repair=usual)
    if p.radius > p.largest_radius:
        largest = _rounded_down(p.largest_radius)
        repair = Repair.setting(tr("Set radius to {radius:g} mm"), radius=largest)
        yield check_problems.RADIUS.finding(whole, repair=repair, radius=p.radius, largest=largest)
        return
    yield from _of_snaps(shapes)
    neck = _neck(p)
    if neck < p.least_wall:
        radius = _rounded_down((p.wall - p.least_wall) / 2)
        mends = p.style == "voxel" and radius >= 0
        repair_ = Repair.setting(tr("Set radius to {radius:g} mm"), radius=radius) if mends else None
        yield check_problems.WALL.finding(whole, repair=repair_, thick=_rounded_down(neck), least=p.least_wall)


def _of_facets(shapes: CubeShapes) -> Iterator[Finding]:
    """Roundings so fine that nothing could hold the file."""
    segments, finest = shapes.design.parameters.segments, shapes.finest(MOST_FACETS)
    if finest < segments:
        repair = Repair.setting(tr("Set segments to {segments}"), segments=finest)
        yield check_problems.FACETS.finding(
            shapes.drawing.middle,
            repair=repair,
            segments=segments,
            count=thousands(shapes.facets),
            most=thousands(MOST_FACETS),
            finest=finest,
        )


def _of_snaps(shapes: CubeShapes) -> Iterator[Finding]:
    """Bumps that do not fit, and pieces that have neither bump nor socket."""
    p = shapes.design.parameters
    whole, usual = shapes.drawing.middle, _rounded_down(min(p.largest_snap, p.stiffest_snap, USUAL_SNAP))
    words = tr("Set snaps to {snap:g} mm") if usual >= LEAST_SNAP else tr("Remove the snaps")
    repair = Repair.setting(words, snap=usual if usual >= LEAST_SNAP else 0.0)
    if p.snap > p.largest_snap:
        yield check_problems.SNAP.finding(whole, repair=repair, snap=p.snap, largest=_rounded_down(p.largest_snap))
        return
    if p.snap > p.stiffest_snap + 1e-9:
        most = _rounded_down(p.stiffest_snap)
        thin = p.plate < p.unit
        parts = tr("plates {thick:g} mm thick", thick=p.plate) if thin else tr("voxels of {unit:g} mm", unit=p.unit)
        yield check_problems.STIFF_SNAP.finding(whole, repair=repair, snap=p.snap, parts=parts, most=most)
    if p.snap > 0:
        for face, snaps in enumerate(shapes.snaps):
            if not snaps:
                yield check_problems.NO_SNAP.finding(shapes.middle_of(face), pieces=[face], piece=TITLES[face])


def _of_texts(shapes: CubeShapes) -> Iterator[Finding]:
    """Text that is too long or too tall for its piece, too small to be read or too deep."""
    p, whole = shapes.design.parameters, shapes.drawing.middle
    written = [text for text in shapes.engravings if text is not None]
    if p.inside != "text" and p.text.strip():
        # Offer to engrave only a text that fits: any other would have to be removed again.
        repair = (
            Repair.setting(tr("Engrave the text"), inside="text")
            if has_room(replace(p, inside="text"))
            else Repair.setting(tr("Delete the text"), text="")
        )
        yield check_problems.UNUSED.finding(whole, repair=repair, text=_shortened(p.text.strip()))
    if not written:
        if p.inside == "text":
            yield check_problems.NO_TEXT.finding(whole)
        return
    least = least_height(p)
    fitting = min(text.height for text in written)
    small = [text for text in written if text.height < max(p.text_height, min(least, p.text_height or least))]
    for text in small:
        yield _unfitting(shapes, text, least, fitting)
    if not small and 0 < p.text_height < least:
        repair = Repair.setting(tr("Set letter height to {text_height:g} mm"), text_height=least)
        yield check_problems.SMALL_TEXT.finding(whole, repair=repair, height=p.text_height, pen=pen(p), least=least)
    thick, room = solid(p), deepest(p)
    if p.text_depth > room + 1e-9:
        left, depth = max(0.0, thick - p.text_depth), _rounded_down(room)
        repair = Repair.setting(tr("Remove the engraving"), inside="nothing")
        if depth >= declaration(CubeParameters, "text_depth").limits[0]:
            repair = Repair.setting(tr("Set depth to {text_depth:g} mm"), text_depth=depth)
        problem = check_problems.DEEP_TEXT if left < p.least_wall else check_problems.DEEPEST_TEXT
        yield problem.finding(
            whole, repair=repair, depth=p.text_depth, left=_rounded_down(left), wall=p.least_wall, room=depth
        )


def _shortened(words: str) -> str:
    return words if len(words) <= MOST_SHOWN else f"{words[: MOST_SHOWN - 1]}…"


def _unfitting(shapes: CubeShapes, text: Engraving, least: float, fitting: float) -> Finding:
    p = shapes.design.parameters
    count = letters_that_fit(p, text)
    few = check_problems.LONG_TEXT if count else check_problems.NO_ROOM
    if fitting >= least:
        repair = Repair.setting(tr("Set letter height to {text_height:g} mm"), text_height=_rounded_down(fitting))
    elif p.inside == "text" and (parts := spread(p)) is not None:
        repair = Repair.setting(tr("Spread text over the pieces"), text=parts)
    elif (unit := unit_with_room(p)) is not None:
        repair = Repair.setting(tr("Set voxel size to {unit:g} mm"), unit=unit)
    else:
        repair = Repair.setting(tr("Remove the engraving"), inside="nothing")
    return (check_problems.TALL_TEXT if text.height >= least else few).finding(
        shapes.middle_of(text.face),
        pieces=[text.face],
        repair=repair,
        text=_shortened(text.text),
        piece=TITLES[text.face],
        height=p.text_height,
        room=_rounded_down(text.height),
        least=least,
        count=count,
        letters=len(text.text),
    )


def _rounded_down(length: float) -> float:
    """A length in mm to two digits after the point, never more than it is."""
    return float(np.floor(100 * length + 1e-9) / 100)
