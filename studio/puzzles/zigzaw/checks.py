"""What a maker should know of a zigzaw before it is made: whether it has one solution, twins, and thin limbs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, sqrt

from studio.amounts import listed, many
from studio.checks.finding import Checked, Finding, Repair
from studio.progress import Progress
from studio.puzzles.zigzaw import problems
from studio.puzzles.zigzaw.board import layout, matching
from studio.puzzles.zigzaw.deal import MANY_COLOURS, differing, proof, unique, with_any_three
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.lattice import Cube
from studio.puzzles.zigzaw.model import REAL, ZigzawDesign, cube_name
from studio.solving.edges import Solutions

LEAST_LIMB = 4.3
"""How wide a limb in mm should be: narrower ones break in plywood along the grain."""
MOST_NAMED = 6


@dataclass(frozen=True, eq=False)
class ZigzawChecked(Checked):
    """The findings and the proof, which holds for every design of the same colours."""

    key: object = None
    proof: Solutions | None = None


def check(design: ZigzawDesign, shapes: ZigzawShapes, before: Checked | None, progress: Progress) -> ZigzawChecked:
    """The findings; the proof is made again only where colours or pieces changed."""
    progress.step(0.0)
    p = design.parameters
    key = p.columns, p.rows, p.body, design.cubes
    if isinstance(before, ZigzawChecked) and before.key == key and before.proof is not None:
        known = before.proof
    else:
        known = proof(design, progress)
    findings = sorted(_found(design, shapes, known), key=lambda finding: finding.rank)
    count = p.columns * p.rows
    verdict = f"{many(count, 'piece')}, one solution. This board will cut."
    return ZigzawChecked(tuple(findings), verdict, key, known)


def _found(design: ZigzawDesign, shapes: ZigzawShapes, known: Solutions) -> Iterator[Finding]:
    p, places = design.parameters, layout(design.parameters).places
    cubes = differing(design, known)
    if cubes:
        pieces = [place for place, cube in enumerate(places) if cube in set(cubes)]
        name = cube_name(p, cubes[0])
        repair = Repair("Make unique", unique)
        place = shapes.middle_of(cubes[0])
        yield problems.AMBIGUOUS.finding(place, pieces=pieces, repair=repair, count=len(cubes), name=name)
    elif not known.count.complete:
        freer = None
        if p.scheme == REAL or p.colours < MANY_COLOURS:
            freer = Repair(f"Use any three of {MANY_COLOURS} colours", with_any_three)
        yield problems.UNPROVEN.finding(shapes.drawing.middle, repair=freer, nodes=known.count.nodes)
    for alike in _twins(design, places):
        names = [cube_name(p, cube) for cube in alike]
        if len(names) > MOST_NAMED:
            names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
        pieces = [places.index(cube) for cube in alike]
        yield problems.TWINS.finding(shapes.middle_of(alike[0]), pieces=pieces, names=listed(names))
    width = p.edge * sqrt(3) / 2
    if width < LEAST_LIMB:
        edge = ceil(10 * LEAST_LIMB / (sqrt(3) / 2)) / 10
        repair = Repair.setting("Make the edge {edge:.1f} mm", edge=edge)
        yield problems.THIN.finding(
            shapes.middle_of(places[0]), pieces=[0], repair=repair, width=width, least=LEAST_LIMB
        )


def _twins(design: ZigzawDesign, places: tuple[Cube, ...]) -> list[list[Cube]]:
    """The places of pieces that are alike."""
    alike: dict[tuple[int, ...], list[Cube]] = {}
    for cube, piece in zip(places, matching(design).pieces, strict=True):
        alike.setdefault(piece, []).append(cube)
    return [cubes for cubes in alike.values() if len(cubes) > 1]
