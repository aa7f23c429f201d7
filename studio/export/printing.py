"""Puts solids into files for a 3-D printer, whole or not at all: written aside, read back, compared, then named.

Every mesh is looked at twice: before it is written, and as it was read back from the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from studio.atomic import replacing
from studio.errors import StudioError
from studio.export.reading import Unreadable
from studio.export.stl import prove_stl, stl
from studio.export.threemf import prove_3mf, threemf
from studio.geometry.solid import Mesh, Solid
from studio.parameters import choice, validate
from studio.progress import Progress


@dataclass(frozen=True)
class _Format:
    write: Callable[[Sequence[Solid]], bytes]
    prove: Callable[[bytes, Sequence[Solid]], tuple[Mesh, ...]]


_FORMATS = {".3mf": _Format(threemf, prove_3mf), ".stl": _Format(stl, prove_stl)}
SOLID_SUFFIXES = tuple(_FORMATS)


@dataclass(frozen=True)
class SolidOptions:
    """Choices for files with solids; raises ParameterError for a value that cannot be."""

    format: str = choice(
        "3mf",
        {"3mf": "3MF: one file, with names and colours", "stl": "STL: one file for each piece"},
        title="Format",
        help="What is written into a folder; a file's own ending says its format.",
    )

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class SolidReport:
    """What was found in a file when it was read back: parts, triangles, volume in mm³, size in mm, bytes."""

    path: Path
    parts: int
    triangles: int
    volume: float
    width: float
    depth: float
    height: float
    bytes: int


def write_solids(
    solids: Sequence[Solid],
    target: Path | str,
    options: SolidOptions | None = None,
    *,
    stem: str = "puzzle",
    progress: Progress | None = None,
) -> tuple[SolidReport, ...]:
    """Write solids to a file in the format of its suffix, or into a folder, and report what was read back.

    A folder gets `stem.3mf`, or for STL a file `stem-name.stl` for each solid. Raises StudioError where a solid cannot
    be printed, or a file cannot be written or does not read back; what stood there before is then untouched, all of
    it. Raises Cancelled where nobody waits any more.
    """
    options, progress = options or SolidOptions(), progress or Progress()
    files = _files(solids, Path(target), options, stem)
    for number, solid in enumerate(solids):
        progress.step(0.3 * number / len(solids), f"Looking at {solid.name}")
        _refuse_flawed(solid.name, solid.mesh)
    reports = []
    with ExitStack() as asides:
        for number, (path, some) in enumerate(files):
            progress.step(0.3 + 0.6 * number / len(files), f"Writing {path.name}")
            aside = asides.enter_context(replacing(path))
            reports.append(_written(path, aside, some))
        progress.step(0.9, "Saving")
    progress.step(1.0)
    return tuple(reports)


def solid_paths(solids: Sequence[Solid], target: Path, options: SolidOptions, stem: str) -> list[Path]:
    """Which files `write_solids` would write; raises StudioError where it would write none."""
    return [path for path, _ in _files(solids, target, options, stem)]


def _files(
    solids: Sequence[Solid], target: Path, options: SolidOptions, stem: str
) -> list[tuple[Path, Sequence[Solid]]]:
    """Which files are written, and what into each."""
    if not solids:
        raise StudioError("This puzzle is flat: it has no solids to print.")
    if target.suffix.lower() in _FORMATS and not target.is_dir():
        return [(target, solids)]
    if target.suffix and not target.is_dir():
        names = " and ".join(SOLID_SUFFIXES)
        raise StudioError(f"{target} says no format for a 3-D printer by its ending; there are {names}.")
    if options.format == "3mf":
        return [(target / f"{stem}.3mf", solids)]
    plain = _file_names([solid.name for solid in solids])
    return [(target / f"{stem}-{name}.stl", [_at_origin(solid)]) for name, solid in zip(plain, solids, strict=True)]


def _file_names(names: Sequence[str]) -> list[str]:
    """A name for the file of each solid, of small letters, digits and hyphens, none of them twice."""
    found: list[str] = []
    for name in names:
        plain = "".join(letter if letter.isalnum() else "-" for letter in name.lower()).strip("-") or "part"
        number = 1
        while (again := plain if number == 1 else f"{plain}-{number}") in found:
            number += 1
        found.append(again)
    return found


def _at_origin(solid: Solid) -> Solid:
    """A solid alone in its file begins at the corner of the bed."""
    return Solid(solid.name, solid.colour, solid.mesh.moved(np.eye(3), -solid.mesh.bounds[0]))


def _refuse_flawed(name: str, mesh: Mesh) -> None:
    from studio.checks.solid import flaw

    found = flaw(mesh)
    if found:
        raise StudioError(f"{name} cannot be printed: its surface {found}.")


def _written(path: Path, aside: Path, solids: Sequence[Solid]) -> SolidReport:
    known = _FORMATS[path.suffix.lower()]
    data = known.write(solids)
    aside.write_bytes(data)
    try:
        read = aside.read_bytes()
        meshes = known.prove(read, solids)
        for solid, mesh in zip(solids, meshes, strict=True):
            _refuse_flawed(solid.name, mesh)
    except Unreadable as problem:
        raise StudioError(f"{path} was not written, because it did not read back well: {problem}.") from problem
    low = np.min([mesh.bounds[0] for mesh in meshes], axis=0)
    high = np.max([mesh.bounds[1] for mesh in meshes], axis=0)
    width, depth, height = (high - low).tolist()
    triangles = sum(len(mesh.triangles) for mesh in meshes)
    volume = sum(mesh.volume for mesh in meshes)
    return SolidReport(path, len(meshes), triangles, volume, width, depth, height, os.path.getsize(aside))
