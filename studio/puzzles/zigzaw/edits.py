"""What a maker changes on the solved board."""

from __future__ import annotations

from collections.abc import Iterable

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.checks.finding import Repair
from studio.puzzles.zigzaw.lattice import FACES, Cube
from studio.puzzles.zigzaw.model import IN_PARTS, LETTERS, WHOLE, Paint, ZigzawDesign

Face = tuple[Cube, str]


def recoloured(design: ZigzawDesign, faces: Iterable[Face], paint: int) -> ZigzawDesign:
    """The design with some faces in one paint, chosen by the maker.

    Raises StudioError for a paint that the cubes cannot have.
    """
    if paint >= design.parameters.paint_count:
        names = tr("the cubes have only {count} colours", count=design.parameters.paint_count)
        raise StudioError(tr("{name} cannot be used: {reason}.", name=design.palette[paint].name, reason=names))
    changes: dict[Cube, str] = {}
    for cube, face in faces:
        triple, at = changes.get(cube, design.triples[cube]), FACES.index(face)
        changes[cube] = triple[:at] + LETTERS[paint] + triple[at + 1 :]
    return design.with_triples({cube: new for cube, new in changes.items() if new != design.triples[cube]}, edited=True)


def next_paint(design: ZigzawDesign, face: Face) -> int:
    """The paint after that of a face, in turn."""
    letter = design.triples[face[0]][FACES.index(face[1])]
    return (LETTERS.find(letter) + 1) % design.parameters.paint_count


def repainted(design: ZigzawDesign, paint: int, colour: str) -> tuple[Paint, ...]:
    """The palette with one paint in another colour, written `#1A2B3C`, which becomes its name."""
    paints = list(design.palette)
    taken = {other.name for number, other in enumerate(paints) if number != paint}
    paints[paint] = Paint(f"{colour} {paint + 1}" if colour in taken else colour, colour)
    return tuple(paints)


def divided(design: ZigzawDesign) -> Repair | None:
    """The fix that makes the frame in four parts; None if it is already."""
    if design.parameters.frame != WHOLE:
        return None
    return Repair.setting(tr("Make the frame in four parts"), frame=IN_PARTS)
