"""Edits on the solved board: cells moved inside or outside the loop, clues added or removed, locks, the shape."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.parameters import declaration
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import pixels_in
from studio.geometry.board.board_spec import FROM_FILE, PATH_DECIMALS, path_of
from studio.geometry.curves.strokes import Floats
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import indices_of
from studio.puzzles.slitherlink.clue_choice import reduced
from studio.puzzles.slitherlink.generate import carry, generated, named, request_of
from studio.puzzles.slitherlink.model import LEAST, MOST, OUTLINE, SlitherlinkDesign, cells_of, rows_of

# The silhouette in a picture, as cells of a grid.
# ground: the colour at the rim of the picture. contrast: the distance of a pixel's colour from the ground.


MOST_PIXELS = 1_000
"""Most pixels along a side; larger pictures are scaled down."""
LEAST_CONTRAST = 0.1
"""The least contrast of a silhouette; black and white have 1."""
BINS = 64
SAMPLES = 3
"""Samples of the picture along a side of the sampled square in a cell."""


def silhouette(data: bytes, places: Floats, size: Floats) -> list[bool]:
    """Return for each cell, its middle at `places` (f, 2) on a page of `size` (2,), whether a picture covers it.

    The whole picture is fitted into the page. Raises StudioError for an invalid picture or one without a silhouette.
    """
    pixels = pixels_in(data, MOST_PIXELS) / 255.0
    # Contrast of every pixel (rows, columns) with the ground; clear pixels are the ground, whatever colour others have.
    contrast = pixels[..., 3]
    if (contrast == 1).all():
        rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])[:, :3]
        contrast = np.linalg.norm(pixels[..., :3] - np.median(rim, axis=0), axis=2) / np.sqrt(3)
    height, width = contrast.shape
    scale = min(size[0] / width, size[1] / height)
    origin = (size - scale * np.array([width, height])) / 2
    step = 0.5 / SAMPLES
    moves = np.array([(x, y) for y in range(SAMPLES) for x in range(SAMPLES)]) * step - step * (SAMPLES - 1) / 2
    spots = np.floor((places[:, None] + moves - origin) / scale).astype(int)
    inside = ((spots >= 0) & (spots < [width, height])).all(axis=2)
    x, y = np.moveaxis(np.clip(spots, 0, [width - 1, height - 1]), 2, 0)
    levels = np.where(inside, contrast[y, x], 0.0).mean(axis=1)
    # The threshold best separates the silhouette from the background (Otsu 1979).
    counts, edges = np.histogram(contrast, BINS, (0.0, 1.0))
    below, above = counts.cumsum()[:-1], counts[::-1].cumsum()[::-1][1:]
    sums = (counts * (edges[1:] + edges[:-1]) / 2).cumsum()
    low = sums[:-1] / np.maximum(below, 1)
    high = (sums[-1] - sums[:-1]) / np.maximum(above, 1)
    best = int(np.argmax(below * above * (high - low) ** 2))
    covered = levels > max(float(low[best] + high[best]) / 2, LEAST_CONTRAST)
    if not covered.any() or covered.all():
        raise StudioError(tr("nothing in it stands out from the background, so it has no outline."))
    return [bool(is_in) for is_in in covered]


FEWEST_CELLS = 36
"""Approximate least number of cells of a board from a file."""


def flipped(design: SlitherlinkDesign, cell: int) -> SlitherlinkDesign:
    """The design with a cell on the other side of its loop; raises StudioError if that would not be one loop."""
    p = design.parameters
    inside = [*cells_of(design.inside), False]
    is_possible = p.net.can_flip(inside, cell)
    inside[cell] = not inside[cell]
    if is_possible:
        return design.with_inside(inside, [cell])
    name, line = p.form.names[cell], p.net.line(inside[:-1])
    if not line:
        raise StudioError(tr("{name} cannot switch sides: it is the only cell inside the loop.", name=name))
    if not p.net.is_even(line):
        met = {dot for edge in line for dot in p.net.ends[edge]}
        touched = next(
            dot for dot in p.net.dots[cell] if dot in met and sum(e in {*line} for e in p.net.stars[dot]) > 2
        )
        dot = p.form.dot_names[touched]
        raise StudioError(
            tr("{name} cannot switch sides: the loop would touch itself at dot {dot}.", name=name, dot=dot)
        )
    count = len(p.net.loops(line))
    raise StudioError(tr("{name} cannot switch sides: there would be {count} loops.", name=name, count=count))


def with_clues(design: SlitherlinkDesign, changes: Mapping[int, bool]) -> SlitherlinkDesign:
    """The design with some clues given and others hidden."""
    given = cells_of(design.given)
    return design.with_given({cell: wanted for cell, wanted in changes.items() if given[cell] != wanted})


def with_new_clues(design: SlitherlinkDesign, progress: Progress) -> SlitherlinkDesign:
    """The design with other clues for its loop, as few as its difficulty allows; edited and locked ones stay."""
    given = reduced(design.parameters, design.line, dict(request_of(design).clues), progress)
    return with_clues(design, dict(enumerate(given)))


def is_locked(design: SlitherlinkDesign, cell: int) -> bool:
    """True if a cell's side and clue are locked."""
    name = design.parameters.form.names[cell]
    return name in design.own_cells and name in design.own_clues


def locked(design: SlitherlinkDesign, cells: Collection[int], is_on: bool) -> SlitherlinkDesign:
    """The design in which cells keep their side and their clues as they are, or no longer."""
    names = {*design.names_of(cells)}
    own_cells, own_clues = (
        tuple(sorted({*own} | names if is_on else {*own} - names)) for own in (design.own_cells, design.own_clues)
    )
    return replace(design, own_cells=own_cells, own_clues=own_clues)


def reset(design: SlitherlinkDesign, cells: Collection[int], progress: Progress) -> Generated[SlitherlinkDesign]:
    """The design without the edits of some cells, which are again as they were generated."""
    return named(*generated(request_of(locked(design, cells, False)), progress))


def with_shape(design: SlitherlinkDesign, cells: Collection[int], progress: Progress) -> Generated[SlitherlinkDesign]:
    """The design whose loop stays in a shape of some cells; without cells or with all of them, it may go anywhere."""
    p = design.parameters
    chosen = {*cells}
    is_whole = len(chosen) in (0, p.net.outside)
    shape = () if is_whole else rows_of(p, [cell in chosen for cell in range(p.net.outside)])
    return named(*generated(request_of(replace(design, shape=shape)), progress))


def silhouette_of(design: SlitherlinkDesign, data: bytes) -> list[int]:
    """The cells that a picture covers; raises StudioError for an invalid picture or one without a shape."""
    form = design.parameters.form
    covered = silhouette(data, form.middles(1.0), np.array(form.size))
    return [cell for cell, is_in in enumerate(covered) if is_in]


def with_outline(design: SlitherlinkDesign, cells: Collection[int], progress: Progress) -> Generated[SlitherlinkDesign]:
    """The design whose loop is the outline of some cells."""
    return with_shape(replace(design, parameters=replace(design.parameters, loop=OUTLINE)), cells, progress)


def with_board(
    design: SlitherlinkDesign, rings: Sequence[Floats], size: tuple[float, float], progress: Progress
) -> Generated[SlitherlinkDesign]:
    """Cells within a closed curve (3k + 1, 2) in mm, `size` mm wide and high; smaller than before only if too few fit.

    Raises StudioError for an outline with holes, or that cells cannot fill.
    """
    from studio.geometry.board.grids import TILINGS, size_of

    if len(rings) > 1:
        holes = many(len(rings) - 1, "hole")
        raise StudioError(tr("The outline has {holes}. A slitherlink needs one without holes.", holes=holes))
    before = design.parameters
    edge = min(before.edge, sqrt(size[0] * size[1] / FEWEST_CELLS))
    columns, rows = (
        min(max(round(length / (edge * share)), LEAST), MOST)
        for length, share in zip(size, TILINGS[before.grid][1], strict=True)
    )
    # A preliminary edge, as the true one follows from the width of the board in edges.
    parameters = replace(before, outline=FROM_FILE, path=path_of(rings), columns=columns, rows=rows)
    edge = round(size[0] / size_of(parameters.layout)[0], PATH_DECIMALS)
    low, high = declaration(type(before), "edge").limits
    if not low <= edge <= high:
        raise StudioError(
            tr(
                "The outline needs cells with edges of {edge:.1f} mm; they can be {low:g} to {high:g} mm.",
                edge=edge, low=low, high=high,
            )
        )  # fmt: skip
    return carry(replace(parameters, edge=edge), design, progress)


def _cells(design: SlitherlinkDesign, names: Iterable[str]) -> list[int]:
    return indices_of({name: cell for cell, name in enumerate(design.parameters.form.names)}, names)


EDITS: dict[str, Callable[..., SlitherlinkDesign | Generated[SlitherlinkDesign]]] = {
    "flip NAME": lambda design, _progress, name: flipped(design, *_cells(design, [name])),
    "show NAMES": lambda design, _progress, names: with_clues(design, dict.fromkeys(_cells(design, names), True)),
    "hide NAMES": lambda design, _progress, names: with_clues(design, dict.fromkeys(_cells(design, names), False)),
    "lock NAMES": lambda design, _progress, names: locked(design, _cells(design, names), True),
    "unlock NAMES": lambda design, _progress, names: locked(design, _cells(design, names), False),
    "reset NAMES": lambda design, progress, names: reset(design, _cells(design, names), progress),
}
"""A function for each form of an edit as text."""
