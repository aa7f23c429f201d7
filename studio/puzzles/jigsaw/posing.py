"""The edits of figures: each keeps every figure a piece of its own, and raises StudioError where it cannot.

A figure goes to the nearest place where it fits, unless it is to be exactly where its pose says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from studio.checks.finding import errors_of
from studio.errors import StudioError
from studio.progress import Progress
from studio.puzzles.jigsaw import problems
from studio.puzzles.jigsaw.boards import outline_without_figures, tiling_of
from studio.puzzles.jigsaw.generate import with_whimsies
from studio.puzzles.jigsaw.letters import lettered, letters_as_figures
from studio.puzzles.jigsaw.model import JigsawDesign
from studio.puzzles.jigsaw.placing import fitting, misplaced
from studio.puzzles.jigsaw.whimsies import Pose, Whimsy, free_names
from studio.texts import tr

LETTER = "letter"
"""What letters are called, with a number."""


def with_figure(design: JigsawDesign, key: str, height: float, progress: Progress) -> JigsawDesign:
    """With another of the studio's figures, `height` mm high, as near to the middle of the board as it fits."""
    (name,) = free_names(_names(design), key, 1)
    return _placed(design, [Whimsy(name, key, _middle(design, height))], progress)


def with_text(design: JigsawDesign, text: str, height: float, progress: Progress) -> JigsawDesign:
    """With a line of text, a figure a letter, its capitals `height` mm high."""
    names = free_names(_names(design), LETTER, len(letters_as_figures(text)))
    return _placed(design, lettered(names, text, _middle(design, height)), progress)


def with_figure_posed(
    design: JigsawDesign, name: str, pose: Pose, progress: Progress, *, is_exact: bool = False
) -> JigsawDesign:
    """With a figure elsewhere, or of another size, turned or mirrored."""
    one = whimsy_named(design, name)
    if one.pose == pose:
        return design
    moved = replace(one, pose=pose)
    return _cut(design, [moved], progress) if is_exact else _placed(design, [moved], progress, reach=0.0)


def without_figure(design: JigsawDesign, name: str, progress: Progress) -> JigsawDesign:
    """Without a figure: cuts are where it was."""
    gone = whimsy_named(design, name)
    made = with_whimsies(design, _others(design, [gone])).design
    progress.step(0.5)
    tiling_of(made)
    return made


def whimsy_named(design: JigsawDesign, name: str) -> Whimsy:
    """A figure on the board; raises StudioError where there is none of that name."""
    for one in design.whimsies:
        if one.name == name:
            return one
    raise StudioError(tr("There is no figure {figure} on the board.", figure=name))


def turned(pose: Pose, degrees: float) -> Pose:
    """A pose rotated clockwise, its rotation between -180° and 180°."""
    return replace(pose, turn=180.0 - (180.0 - pose.turn - degrees) % 360.0)


def usual_height(design: JigsawDesign) -> float:
    """The height in whole mm of a figure about as large as two pieces across, on a small board at most half of it."""
    p = design.parameters
    return float(max(2, round(min(2 * max(p.cell), 0.5 * min(p.width, p.height)))))


def _names(design: JigsawDesign) -> list[str]:
    return [one.name for one in design.whimsies]


def _middle(design: JigsawDesign, height: float) -> Pose:
    return Pose(x=design.parameters.width / 2, y=design.parameters.height / 2, height=height)


def _placed(
    design: JigsawDesign, moved: Sequence[Whimsy], progress: Progress, reach: float | None = None
) -> JigsawDesign:
    """With figures at the nearest place where they fit, all moved alike; `reach` is how far they may go in mm."""
    p = design.parameters
    far = math.hypot(p.width, p.height) / 2 if reach is None else reach
    found = fitting(moved, _others(design, moved), outline_without_figures(design), p.least_bridge, far)
    if found is None:
        if reach is None:
            raise StudioError(tr("There is no room for this figure on the board. Make it smaller."))
        raise StudioError(tr("There is no room for figure {figure} nearby. Make it smaller.", figure=moved[0].name))
    return _cut(design, found, progress)


def _others(design: JigsawDesign, moved: Sequence[Whimsy]) -> list[Whimsy]:
    names = {one.name for one in moved}
    return [one for one in design.whimsies if one.name not in names]


def _cut(design: JigsawDesign, moved: Sequence[Whimsy], progress: Progress) -> JigsawDesign:
    """With figures where they are, each of them and of those before a piece."""
    p, whimsies = design.parameters, [*_others(design, moved), *moved]
    names = {one.name for one in moved}
    for finding in errors_of(misplaced(whimsies, outline_without_figures(design), p.least_bridge, 0.0)):
        if names.intersection(finding.cells):
            raise StudioError(finding.message)
    progress.step(0.2)
    before = {one.name for one in tiling_of(design).fillings}
    progress.step(0.5)
    made = with_whimsies(design, whimsies).design
    lost = (before | names) - {one.name for one in tiling_of(made).fillings}
    for name in sorted(lost):
        one = whimsy_named(made, name)
        raise StudioError(problems.FIGURE_UNCUT.finding((one.pose.x, one.pose.y), cells=[name], figure=name).message)
    return made
