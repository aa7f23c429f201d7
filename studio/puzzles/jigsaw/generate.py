"""From parameters to a design: chance is derived, so all that generating does is to keep the hand's edits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from studio.errors import StudioError
from studio.progress import Progress
from studio.puzzles.jigsaw.geometry import tiling_of
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters


def generate(parameters: JigsawParameters, previous: JigsawDesign | None, progress: Progress) -> JigsawDesign:
    """A design with the given parameters and, of the previous one, every edit whose element is still there."""
    progress.step(0.0)
    if previous is None or not (previous.corners or previous.tongues):
        return JigsawDesign(parameters)
    tiling = tiling_of(parameters)
    corners = tuple(edit for edit in previous.corners if edit.name in tiling.corner_indices)
    tongues = tuple(edit for edit in previous.tongues if edit.name in tiling.edge_indices)
    return replace(previous, parameters=parameters, corners=corners, tongues=tongues)


def verify(design: JigsawDesign) -> None:
    """Raises StudioError where an edit names an element that the board does not have."""
    if not (design.corners or design.tongues):
        return
    tiling = tiling_of(design.parameters)
    for edit in design.corners:
        if edit.name not in tiling.corner_indices:
            raise StudioError(f"The edits name a corner {edit.name[:40]!r} that this board does not have.")
    for tongue in design.tongues:
        if tongue.name not in tiling.edge_indices:
            raise StudioError(f"The edits name a tongue {tongue.name[:40]!r} that this board does not have.")


def resized(parameters: JigsawParameters, name: str, value: Any) -> JigsawParameters:
    """The parameters with another value; the board grows with its columns and rows, so that pieces keep their size.

    Raises ParameterError where that board cannot be.
    """
    sizes: dict[str, Any] = {}
    if name == "columns":
        sizes["width"] = round(parameters.cell[0] * value, 6)
    elif name == "rows":
        sizes["height"] = round(parameters.cell[1] * value, 6)
    return replace(parameters, **{name: value}, **sizes)
