"""What can be wrong with a cube, in sentences: how many ways it goes together, and what holds, breaks or falls out.

neck: the side by which a voxel hangs on the next of its piece.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from studio.checks.finding import Checked, Finding, Repair, Severity
from studio.geometry.shapes import Shapes
from studio.parameters import declaration
from studio.progress import Progress
from studio.puzzles.cube.edits import with_voxel
from studio.puzzles.cube.geometry import TITLES, CubeShapes
from studio.puzzles.cube.inside import DEEPEST, LEAST_HEIGHT, Engraving, letters_that_fit, pen, solid
from studio.puzzles.cube.mend import (
    Faults,
    faults,
    made_captured,
    made_distinct,
    made_unique,
    repaired_neck,
)
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.shell import FACES, shell, signature, symmetries
from studio.puzzles.cube.solve import is_unique, solved
from studio.solving.solved import Solved

USUAL_GAP = 0.2
"""The gap in mm that most printers need and most hands like."""
MOST_SHOWN = 24
"""Letters of a text that a sentence repeats."""
LOOSE_SHARE = 0.2
"""From which share of the unit on a gap is so wide that the pieces do not hold one another."""


@dataclass(frozen=True, eq=False)
class CubeChecked(Checked):
    """The findings, and what is known of the solutions."""

    solved: Solved

    @property
    def verdict(self) -> str:
        """What the checks have proven of a box about which they find nothing."""
        return (
            "No findings. The six pieces go together in one way, and each is held in its place and thick enough to "
            "print."
        )


def check(design: CubeDesign, shapes: Shapes, before: Checked | None, progress: Progress) -> CubeChecked:
    """All findings of a design; the solutions of a box that was searched before are known."""
    assert isinstance(shapes, CubeShapes)
    progress.step(0.0, "Counting the solutions")
    known = _solved(_Question(design.parameters.size, shapes.deal.owners.tobytes(), progress))
    progress.step(0.8, "Looking at the pieces")
    found = _of_solutions(shapes, known)
    has = faults(shapes.masks)
    found += _of_twins(shapes, has) + _of_sliding(shapes, has) + _of_symmetries(shapes)
    found += _of_necks(shapes, has, known) + _of_edits(shapes) + _of_lengths(shapes) + _of_texts(shapes)
    progress.step(1.0)
    found.sort(key=lambda one: (one.severity, one.place[1], one.place[0], one.kind))
    return CubeChecked(tuple(found), known)


@dataclass(frozen=True)
class _Question:
    """Whose solutions are asked for; whoever waits for the answer makes no difference."""

    size: tuple[int, int, int]
    owners: bytes
    progress: Progress

    def __hash__(self) -> int:
        return hash((self.size, self.owners))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Question) and (self.size, self.owners) == (other.size, other.owners)


@lru_cache(maxsize=64)
def _solved(question: _Question) -> Solved:
    box = shell(*question.size)
    owners = np.frombuffer(question.owners, np.int8)
    return solved(box, box.masks(owners), question.progress.part(0.0, 0.8))


def _whole(shapes: CubeShapes) -> tuple[float, float]:
    return shapes.drawing.width / 2, shapes.drawing.height / 2


def _of_solutions(shapes: CubeShapes, known: Solved) -> list[Finding]:
    found = []
    if known.solutions != 1 or not known.complete:
        ways = f"{known.solutions} way{'' if known.solutions == 1 else 's'}"
        if not known.complete:
            ways = f"at least {ways}; the search ended before it had seen all"
        found.append(
            Finding(
                Severity.WARNING,
                "solutions",
                f"The pieces go together in {ways}.",
                _whole(shapes),
                repair=Repair("Make unique", made_unique),
            )
        )
    if not shapes.deal.met:
        message = "No deal was found that is all that was wished for; this one has one solution if that can be had."
        found.append(Finding(Severity.HINT, "wish", message, _whole(shapes)))
    return found


def _of_twins(shapes: CubeShapes, has: Faults) -> list[Finding]:
    kinds = [signature(mask) for mask in shapes.masks]
    found = []
    for kind in sorted({kinds[face] for face in has.twins}):
        twins = tuple(face for face in range(6) if kinds[face] == kind)
        names = ", ".join(TITLES[face] for face in twins[:-1]) + f" and {TITLES[twins[-1]]}"
        found.append(
            Finding(
                Severity.WARNING,
                "twins",
                f"{names} are the same piece.",
                shapes.middle_of(twins[-1]),
                pieces=twins,
                repair=Repair("Make different", made_distinct),
            )
        )
    return found


def _of_sliding(shapes: CubeShapes, has: Faults) -> list[Finding]:
    return [
        Finding(
            Severity.WARNING,
            "slide",
            f"{TITLES[face]} can slide out sideways: nothing of its neighbours holds it on one side.",
            shapes.middle_of(face),
            pieces=(face,),
            repair=Repair("Hold it", _holding(face)),
        )
        for face in sorted(has.sliding)
    ]


def _holding(face: int) -> Callable[[CubeDesign], CubeDesign]:
    return lambda design: made_captured(design, face)


def _of_symmetries(shapes: CubeShapes) -> list[Finding]:
    found = []
    for face, mask in enumerate(shapes.masks):
        ways = symmetries(mask)
        if ways > 1:
            message = f"{TITLES[face]} looks the same in {ways} of its 8 ways to lie, which makes it easier to place."
            found.append(Finding(Severity.HINT, "symmetric", message, shapes.middle_of(face), pieces=(face,)))
    return found


def _of_necks(shapes: CubeShapes, has: Faults, known: Solved) -> list[Finding]:
    """Corners that hang on one voxel only; a voxel of an edge also hangs on the core behind it."""
    box, owners = shapes.deal.shell, shapes.deal.owners
    found = []
    for corner in range(8):
        voxel = box.corners.start + corner
        face = int(owners[voxel])
        if (owners[box.neighbours[corner]] == face).sum() != 1:
            continue
        message = f"The corner {box.names[voxel]} hangs on {TITLES[face]} by a single neck."
        found.append(
            Finding(
                Severity.HINT, "neck", message, shapes.place_of(voxel), pieces=(face,),
                repair=_strengthening(shapes, has, known, corner),
            )
        )  # fmt: skip
    return found


def _strengthening(shapes: CubeShapes, has: Faults, known: Solved, corner: int) -> Repair | None:
    """Gives the corner to a face that holds it twice, where that spoils nothing else."""
    box = shapes.deal.shell
    owners = repaired_neck(box, shapes.deal.owners, corner)
    if owners is None or box.loose(owners).any():
        return None
    masks = box.masks(owners)
    after = faults(masks)
    spoilt = not (after.sliding <= has.sliding and after.twins <= has.twins)
    if spoilt or (known.solutions == 1 and not is_unique(box, masks, Progress())):
        return None
    face = FACES[int(owners[box.corners.start + corner])]
    return Repair(f"Give it to {face}", _giving(box.names[box.corners.start + corner], face))


def _giving(voxel: str, face: str) -> Callable[[CubeDesign], CubeDesign]:
    return lambda design: with_voxel(design, voxel, face)


def _of_edits(shapes: CubeShapes) -> list[Finding]:
    """Hand edits that have no effect, because after a change of the seed they would cut a piece in two."""
    box = shapes.deal.shell
    found = []
    for name in shapes.deal.ignored:
        edit = shapes.design.voxel(name)
        assert edit is not None
        message = f"The corner {name} was given to {edit.face} by hand, but now no voxel beside it is of that piece."
        place = shapes.place_of(box.indices[name])
        repair = Repair("Take the edit away", _forgetting(name))
        found.append(Finding(Severity.WARNING, "stray", message, place, repair=repair))
    return found


def _forgetting(name: str) -> Callable[[CubeDesign], CubeDesign]:
    return lambda design: design.without_voxels([name])


def _setting(**values: object) -> Callable[[CubeDesign], CubeDesign]:
    return lambda design: replace(design, parameters=replace(design.parameters, **values))  # type: ignore[arg-type]


def _of_lengths(shapes: CubeShapes) -> list[Finding]:
    """What gap, radius and least wall leave of the material."""
    parameters = shapes.design.parameters
    whole = _whole(shapes)
    usual = min(USUAL_GAP, parameters.unit / 20)
    found = []
    if parameters.gap > LOOSE_SHARE * parameters.unit:
        message = (
            f"A gap of {parameters.gap:g} mm eats {parameters.gap / parameters.unit:.0%} of each voxel; "
            "the pieces will not hold one another."
        )
        repair = Repair(f"Gap of {usual:g} mm", _setting(gap=usual))
        found.append(Finding(Severity.ERROR, "gap", message, whole, repair=repair))
    elif parameters.gap == 0:
        message = "Without a gap the pieces do not go together."
        repair = Repair(f"Gap of {usual:g} mm", _setting(gap=usual))
        found.append(Finding(Severity.WARNING, "gap", message, whole, repair=repair))
    largest = _rounded_down(parameters.largest_radius)
    if parameters.radius > parameters.largest_radius:
        message = f"A radius of {parameters.radius:g} mm does not fit: the pieces have room for {largest:g} mm."
        repair = Repair(f"Radius of {largest:g} mm", _setting(radius=largest))
        return [*found, Finding(Severity.ERROR, "radius", message, whole, repair=repair)]
    found += _of_snaps(shapes)
    neck = parameters.thickness - (2 * parameters.radius if parameters.style == "voxel" else 0.0)
    if neck < parameters.least_wall:
        found.append(_thin(shapes, neck))
    return found


def _of_snaps(shapes: CubeShapes) -> list[Finding]:
    """Bumps that do not fit, and pieces that have neither bump nor socket."""
    parameters = shapes.design.parameters
    if parameters.snap <= 0:
        return []
    largest = _rounded_down(parameters.largest_snap)
    if parameters.snap > parameters.largest_snap:
        message = f"Snaps of {parameters.snap:g} mm do not fit: the walls have room for {largest:g} mm."
        repair = Repair(f"Snaps of {largest:g} mm", _setting(snap=largest))
        return [Finding(Severity.ERROR, "snap", message, _whole(shapes), repair=repair)]
    return [
        Finding(
            Severity.WARNING,
            "snap",
            f"{TITLES[face]} has no snap, because none of its edges has a joint that could hold one.",
            shapes.middle_of(face),
            pieces=(face,),
        )
        for face, snaps in enumerate(shapes.snaps)
        if not snaps
    ]


def _thin(shapes: CubeShapes, neck: float) -> Finding:
    parameters = shapes.design.parameters
    least = parameters.least_wall
    message = (
        f"Where two voxels meet the piece is only {_rounded_down(neck):g} mm thick; the least wall is {least:g} mm."
    )
    radius = _rounded_down((parameters.thickness - least) / 2)
    mends = parameters.style == "voxel" and radius >= 0
    repair = Repair(f"Radius of {radius:g} mm", _setting(radius=radius)) if mends else None
    return Finding(Severity.WARNING, "wall", message, _whole(shapes), repair=repair)


def _of_texts(shapes: CubeShapes) -> list[Finding]:
    """Text that is too long or too tall for its piece, too small to be read or too deep."""
    parameters = shapes.design.parameters
    written = [text for text in shapes.engravings if text is not None]
    unused = [] if parameters.inside == "text" else _unused(shapes)
    if not written:
        if parameters.inside != "text":
            return unused
        message = "A text is to be engraved inside, but none is written."
        return [Finding(Severity.HINT, "text", message, _whole(shapes))]
    least = LEAST_HEIGHT * pen(parameters)
    fitting = min(text.height for text in written)
    found = []
    for text in written:
        if text.height < parameters.text_height or text.height < min(least, parameters.text_height or least):
            found.append(_unfitting(shapes, text, least, fitting))
    if not found and 0 < parameters.text_height < least:
        message = (
            f"Letters {parameters.text_height:g} mm tall run together, as their strokes are {pen(parameters):g} mm "
            f"wide; from {least:g} mm on they are read."
        )
        repair = Repair(f"Letters of {least:g} mm", _setting(text_height=least))
        found.append(Finding(Severity.WARNING, "text", message, _whole(shapes), repair=repair))
    return unused + found + _of_depth(shapes)


def _unused(shapes: CubeShapes) -> list[Finding]:
    """A text that somebody wrote but that nothing of is engraved."""
    parameters = shapes.design.parameters
    words = parameters.text.strip()
    if not words:
        return []
    message = f"“{_shortened(words)}” is written, but it is not what is engraved inside."
    repair = Repair("Engrave the text", _setting(inside="text"))
    return [Finding(Severity.WARNING, "unused", message, _whole(shapes), repair=repair)]


def _shortened(words: str) -> str:
    return words if len(words) <= MOST_SHOWN else f"{words[: MOST_SHOWN - 1]}…"


def _unfitting(shapes: CubeShapes, text: Engraving, least: float, fitting: float) -> Finding:
    parameters = shapes.design.parameters
    head = f"“{_shortened(text.text)}” does not fit inside {TITLES[text.face]}"
    if text.height >= least:
        message = f"{head} {parameters.text_height:g} mm tall: there is room for {_rounded_down(text.height):g} mm."
    else:
        count = letters_that_fit(parameters, text)
        room = f"the first {count} of its {len(text.text)} letters would" if count else "not even its first letter does"
        message = f"{head}, not even {least:g} mm tall; {room}."
    mends = fitting >= least
    tall = _rounded_down(fitting)
    repair = Repair(f"Shrink the letters to {tall:g} mm", _setting(text_height=tall)) if mends else None
    return Finding(
        Severity.ERROR, "text", message, shapes.middle_of(text.face), pieces=(text.face,),
        repair=repair or Repair("Engrave nothing", _setting(inside="nothing")),
    )  # fmt: skip


def _of_depth(shapes: CubeShapes) -> list[Finding]:
    """Grooves of letters that leave less of a piece than the least wall."""
    parameters = shapes.design.parameters
    thick = solid(parameters)
    # Where no wall is asked for, something is left all the same.
    room = min(thick - parameters.least_wall, DEEPEST * thick)
    if parameters.text_depth <= room + 1e-9:
        return []
    left = max(0.0, thick - parameters.text_depth)
    least = (
        f"the least wall is {parameters.least_wall:g} mm"
        if left < parameters.least_wall
        else f"they may take {_rounded_down(room):g} mm"
    )
    message = f"Letters {parameters.text_depth:g} mm deep leave {_rounded_down(left):g} mm of a piece; {least}."
    depth = _rounded_down(room)
    repair = (
        Repair(f"Depth of {depth:g} mm", _setting(text_depth=depth))
        if depth >= (declaration(CubeParameters, "text_depth").minimum or 0)
        else Repair("Engrave nothing", _setting(inside="nothing"))
    )
    return [Finding(Severity.ERROR, "depth", message, _whole(shapes), repair=repair)]


def _rounded_down(length: float) -> float:
    """A length in mm to two digits after the point, never more than it is."""
    return float(np.floor(100 * length + 1e-9) / 100)
