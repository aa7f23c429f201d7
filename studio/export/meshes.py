"""Compares meshes that were read back with the solids they were written from, and reports what the file has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.errors import StudioError
from studio.export.format import Report
from studio.geometry.solid import Mesh, Solid
from studio.texts import tr


@dataclass(frozen=True, kw_only=True)
class SolidReport(Report):
    """What was found in a file with solids: parts, triangles, volume in mm³, size in mm."""

    parts: int
    triangles: int
    volume: float
    width: float
    depth: float
    height: float


def report(solids: Sequence[Solid], meshes: Sequence[Mesh]) -> SolidReport:
    """What the meshes of a file amount to; raises StudioError where the mesh of a solid cannot be printed."""
    for solid, mesh in zip(solids, meshes, strict=True):
        refuse_flawed(solid.name, mesh)
    low, high = zip(*(mesh.bounds for mesh in meshes), strict=True)
    width, depth, height = (np.max(high, axis=0) - np.min(low, axis=0)).tolist()
    return SolidReport(
        parts=len(meshes),
        triangles=sum(len(mesh.triangles) for mesh in meshes),
        volume=sum(mesh.volume for mesh in meshes),
        width=width,
        depth=depth,
        height=height,
    )


def refuse_flawed(name: str, mesh: Mesh) -> None:
    """Raise StudioError where a mesh cannot be printed."""
    from studio.checks.solid import flaw

    found = flaw(mesh)
    if found:
        raise StudioError(tr("{name} cannot be printed: its mesh {flaw}.", name=name, flaw=found))
