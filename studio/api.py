"""The studio from Python, in the words and values of the command line, which calls these functions itself.

A puzzle is a kind with a design, as a file stores it. All failures that can be expected are a StudioError, a sentence.
Functions that may take long report to `progress`, which can cancel them.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.base.errors import StudioError, one_named
from studio.base.parameters import checked, declaration, declarations
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.checks.finding import Checked
from studio.files import store
from studio.files.store import Saved
from studio.puzzles import registry
from studio.puzzles.abilities.ability import Convertible, Repairable, Sized
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.gradable_solvable import Gradable, Grade, Solvable
from studio.puzzles.abilities.printable import Printable
from studio.puzzles.kind import AnyKind
from studio.puzzles.presets import preset as preset_of
from studio.solving.assembly import Count

if TYPE_CHECKING:
    from studio.fabricate.making import Made
    from studio.fabricate.workshop import Machine, Material

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class Solved(Count):
    """Number of solutions, and one of them in the values of the kind, such as a loop; None without any."""

    solution: Any = None

    @property
    def is_unique(self) -> bool:
        """True if the puzzle is proven to have a single solution."""
        return self.complete and self.solutions == 1


@dataclass(frozen=True)
class Repaired:
    """A repaired puzzle, and the problems that remain and why, in sentences."""

    puzzle: Saved
    left: tuple[str, ...]


@dataclass(frozen=True)
class Exported:
    """A written file: its path, and the figures that were read back from it, by name."""

    path: Path
    figures: Mapping[str, Any]


def kinds() -> tuple[AnyKind, ...]:
    """All kinds of puzzle, each with its `key`, `title` and `summary`.

    >>> [kind.key for kind in kinds()]
    ['jigsaw', 'cube', 'calendar', 'zigzaw', 'slitherlink']
    """
    return tuple(registry.kinds())


def new(kind: str, *, preset: str | None = None, progress: Progress = SILENT, **values: Any) -> Saved:
    """Make a new puzzle; `values` are its parameters, as `params KIND` lists them, over those of a preset.

    Raises StudioError for an unknown kind, preset or parameter, and for a value out of its bounds.

    >>> new("jigsaw", columns=8, rows=6, seed=3).design.parameters.width
    200.0
    """
    known = registry.kind(kind)
    chosen: dict[str, Any] = {} if preset is None else dict(preset_of(known, preset).values)
    sized, names = known.able(Sized), {one.name: one for one in declarations(known.parameters)}
    chosen |= {name: checked(one_named(names, name, tr("Unknown parameter")), each) for name, each in values.items()}
    parameters = known.parameters(**(chosen if sized is None else sized.sized(chosen)))
    return Saved(known, known.generate(parameters, None, progress).design)


def load(path: PathLike) -> Saved:
    """Load a puzzle from a file; raises StudioError, a sentence with the file's name, if it holds none."""
    return store.load(Path(path))


def save(path: PathLike, puzzle: Saved) -> None:
    """Save a puzzle; raises StudioError, the file untouched, if it cannot be written."""
    store.save(Path(path), puzzle.kind, puzzle.design)


def check(puzzle: Saved, *, progress: Progress = SILENT) -> Checked:
    """Check a puzzle: its `findings`, each with a `message`, a `place` in mm and a `severity`, the worst first.

    >>> check(new("jigsaw", pieces=24)).findings
    ()
    """
    kind, design = puzzle.kind, puzzle.design
    return kind.check(design, kind.shape(design, None, progress.part(0.0, 0.2)), None, progress.part(0.2, 1.0))


def repair(puzzle: Saved, *, progress: Progress = SILENT) -> Repaired:
    """Solve all problems of a puzzle by few and small changes; raises StudioError for a kind without repair."""
    found = puzzle.kind.need(Repairable).repair(puzzle.design, progress)
    return Repaired(replace(puzzle, design=found.design), found.left)


def solve(
    puzzle: Saved, *, date: str | None = None, labels: str | None = None, limit: int | None = None,
    progress: Progress = SILENT,
) -> Solved:  # fmt: skip
    """Count the solutions of a puzzle, up to `limit`, and find one; a calendar's for a `date`, or for open `labels`.

    Raises StudioError for a kind with nothing to solve, an unknown date or label, or a date for a puzzle without any.

    >>> solve(new("slitherlink", columns=5, rows=5, seed=3)).is_unique
    True
    """
    solvable, design = puzzle.kind.need(Solvable), puzzle.design
    targets = solvable.targets
    if targets is None:
        if date is not None or labels is not None:
            raise StudioError(tr("A {kind} has no dates: omit --date, --open and --year.", kind=puzzle.kind.key))
        target: tuple[str, ...] = ()
    else:
        target = tuple(targets.date(design, date) if date is not None else targets.labels(design, labels or ""))
    count = solvable.count(design, target, progress.part(0.0, 0.7), most=limit)
    found = solvable.solution(design, target, progress.part(0.7, 1.0)) if count.solutions else None
    return Solved(count.solutions, count.complete, count.nodes, count.seconds, found)


def grade(puzzle: Saved, *, progress: Progress = SILENT) -> Grade[Any]:
    """Grade a puzzle: its `effort`, and the `share` of similar puzzles that are easier.

    Raises StudioError for a kind without a difficulty.
    """
    return puzzle.kind.need(Gradable).grade(puzzle.design, progress)


def plan(
    puzzle: Saved, *, machine: str | None = None, material: str | None = None, progress: Progress = SILENT,
    **values: Any,
) -> Made:  # fmt: skip
    """Make the sheets of a puzzle, each with its cut plan, for a machine and a material by their keys.

    `values` are those of the making, such as `lines="separate"` or `tabs=2`. `plans` has a plan for each sheet: its
    drawing in cutting order, travel and cut in mm, loose cuts and time. Raises StudioError for a kind that is not cut.
    """
    from studio.fabricate.making import Making, made

    kind, work = puzzle.kind, _Work.from_keys(machine, material)
    shapes = kind.shape(puzzle.design, None, progress.part(0.0, 0.2))
    cut, sheet = kind.need(Cuttable), work.sheet_for(puzzle, shapes)
    making = Making(**work.making | _known(Making, values))
    return made(cut.drawing(shapes), making, work.machine, sheet, progress.part(0.2, 1.0), tray=cut.tray(shapes))


def export(
    puzzle: Saved, path: PathLike, *, machine: str | None = None, material: str | None = None, force: bool = False,
    progress: Progress = SILENT, **values: Any,
) -> tuple[Exported, ...]:  # fmt: skip
    """Write a puzzle in the format of a file's suffix: for the laser, a 3-D printer or another program.

    `values` are options of the format and, for the laser, of the making. Every file is read back and proven. Raises
    StudioError, all older files untouched, for a puzzle with errors, unless `force`; for an unknown option or format;
    and if a file cannot be written or does not read back.
    """
    from studio.exporting.formats import LASER, PRINTER

    target, kind, design = Path(path), puzzle.kind, puzzle.design
    suffix = target.suffix.lower()
    if suffix not in (*LASER.suffixes, *PRINTER.suffixes):
        writer = kind.need(Convertible).writer(suffix)
        data = writer.write(design, writer.options(**_known(writer.options, values)), progress)
        from studio.base.atomic import write_bytes

        write_bytes(target, data)
        return (Exported(target, {"bytes": len(data)}),)
    errors = check(puzzle, progress=progress.part(0.0, 0.2)).errors
    if errors and not force:
        raise StudioError(tr("The puzzle has errors. First error: {message}", message=errors[0].message))
    if suffix in PRINTER.suffixes:
        from studio.exporting.writing import SolidOptions, write_solids

        bodies = kind.need(Printable).bodies(kind.shape(design, None, progress), progress.part(0.2, 0.6))
        options = SolidOptions(**{"format": suffix[1:]} | _known(SolidOptions, values))
        return tuple(_written(one) for one in write_solids(bodies, target, options, stem=target.stem))
    from studio.exporting.laser_files import write_all
    from studio.fabricate.making import Making
    from studio.fabricate.workshop import run_of

    format, work = LASER.of(target), _Work.from_keys(machine, material)
    of_format = {one.name for one in declarations(format.options)}
    _known((format.options, Making), values)
    making = {name: value for name, value in values.items() if name not in of_format}
    found = plan(puzzle, machine=machine, material=material, progress=progress.part(0.2, 0.7), **making)
    chosen = {name: value for name, value in values.items() if name in of_format}
    options = with_recipe(format.options(**chosen), work.machine, chosen)
    sheet = work.sheet_for(puzzle, kind.shape(design, None, progress))
    run = replace(run_of(work.machine, sheet, *work.titles), note=found.alignment)
    written = write_all(
        [one.drawing for one in found.plans], target, replace(options, run=run),
        beside=found.beside, tray=found.tray_sheets, fronts=found.fronts, rests=found.rests, force=force,
        progress=progress.part(0.7, 1.0),
    )  # fmt: skip
    return tuple(map(_written, written))


def with_recipe(options: Any, machine: Machine, chosen: Collection[str]) -> Any:
    """Options of a file for the laser with the machine's recipe; its raster counts unless `raster_dpi` was chosen."""
    from studio.exporting.options import LaserOptions
    from studio.fabricate.recipes import recipe_of

    recipe = recipe_of(machine)
    if recipe.raster is not None and "raster_dpi" not in chosen:
        low, high = declaration(LaserOptions, "raster_dpi").limits
        options = replace(options, raster_dpi=int(min(max(round(recipe.raster.dpi), low), high)))
    return replace(options, recipe=recipe)


def _written(report: Any) -> Exported:
    return Exported(Path(report.path), report.values())


def _known(owner: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values; raises StudioError for a name that no owner has."""
    owners = owner if isinstance(owner, tuple) else (owner,)
    names = {one.name: one for each in owners for one in declarations(each)}
    for name in values:
        one_named(names, name, tr("Unknown option"))
    return dict(values)


@dataclass(frozen=True)
class _Work:
    """A machine, set up by its recipe for a material, the material with the recipe's kerf, and both titles."""

    machine: Machine
    material: Material | None
    titles: tuple[str, str]

    @classmethod
    def from_keys(cls, machine: str | None, material: str | None) -> _Work:
        from studio.fabricate import workshop
        from studio.fabricate.recipes import equipped

        sheet = None if material is None else workshop.one_of(workshop.Material, material)
        known = None if machine is None else workshop.one_of(workshop.Machine, machine)
        titles = "" if known is None else known.title, "" if sheet is None else sheet.title
        if known is not None and sheet is not None:
            return cls(*equipped(known, sheet), titles)
        usual = workshop.Machine() if known is None else known.value
        return cls(usual, None if sheet is None else sheet.value, titles)

    @property
    def making(self) -> dict[str, Any]:
        """What the machine and the material say of the making."""
        page = {"page": "bed"} if self.titles[0] else {}
        return page if self.material is None else {"kerf": self.material.kerf, "play": self.material.play, **page}

    def sheet_for(self, puzzle: Saved, shapes: Any) -> Material:
        """The material, or a usual one as thick as the puzzle needs."""
        from studio.fabricate.workshop import Material, usual_sheet

        if self.material is not None:
            return self.material
        thickness = puzzle.kind.need(Cuttable).thickness(shapes)
        return Material() if thickness is None else usual_sheet(thickness.needed)
