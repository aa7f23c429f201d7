"""Recipes for machines and materials: starting recipes by type of laser, and the maker's own.

A recipe is put together of levels, each with some of its values, the later over the earlier: the type of laser with the
material, the machine with every material, and the machine with this material. Starting recipes are JSON files in
resources/recipes, one for each type of laser; the maker's own are files of the same format in their settings folder,
one for each machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from studio.base.encode import members
from studio.base.errors import StudioError
from studio.base.folders import SUFFIX, delete_own, key_of, own_files, own_path, refuse_key, shipped, write_own
from studio.base.json_files import read
from studio.base.parameters import checked, declaration
from studio.base.texts import tr, within
from studio.fabricate.workshop import LASERS, OTHER, Equipped, Machine, Material, Named
from studio.geometry.planar.drawing import CUT, FIELDS, NO_RECIPE, RASTER, TITLES, WORKS, LibraryEntry, Recipe, Setting

FOLDER = "recipes"
EVERY = "*"
"""The key of what holds for every material of a machine."""
LARGEST = 2**20
"""Most bytes of a file of recipes; a recipe has about 600."""

Values = Mapping[str, Mapping[str, Any]]
"""Some values of a recipe: work, then the name of a value."""
Shelf = Mapping[str, Values]
"""Values of all materials of a machine or of a type of laser, by the material's key or EVERY."""


@dataclass(frozen=True)
class Level:
    """Values on one level, and where they come from, in words."""

    title: str
    values: Values


@dataclass(frozen=True)
class Resolved:
    """A recipe, and by work and name its values, and the titles of the levels that they come from.

    Values of work without both a power and a speed are not in the recipe.
    """

    recipe: Recipe
    values: Mapping[tuple[str, str], Any]
    sources: Mapping[tuple[str, str], str]


def levels(machine: Named[Machine], material: str, own: Shelf | None = None) -> tuple[Level, ...]:
    """Levels of values for a machine and the key of a material, the strongest last.

    `own` replaces the maker's own values for the machine, such as by those not saved yet.
    """
    shelf = own_recipes(machine.key) if own is None else own
    laser = machine.value.laser
    found = [
        Level(LASERS[laser], starting_recipes(laser).get(material, {})),
        Level(tr("All materials"), shelf.get(EVERY, {})),
        Level(tr("This material"), shelf.get(material, {}) if material != EVERY else {}),
    ]
    return tuple(level for level in found if level.values)


def resolve(chosen: Iterable[Level]) -> Resolved:
    """Put a recipe together of levels; work without both a power and a speed has no setting."""
    settings: dict[str, Setting] = {}
    sources: dict[tuple[str, str], str] = {}
    together: dict[str, dict[str, Any]] = {work: {} for work in WORKS}
    for level in chosen:
        for work, values in level.values.items():
            together[work] |= values
            sources |= {(work, name): level.title for name in values}
    found = {(work, name): together[work][name] for work in WORKS for name in FIELDS if name in together[work]}
    for work, values in together.items():
        if {"power_max", "speed"} <= set(values):
            settings[work] = Setting(**values)
    return Resolved(Recipe(**settings), found, {key: sources[key] for key in found})


def resolved(machine: Named[Machine], material: Named[Material]) -> Resolved | None:
    """The recipe of a machine for a material, and where its values come from; None if it has no setting."""
    found = resolve(levels(machine, material.key))
    return None if found.recipe.is_empty else found


def equipped(machine: Named[Machine], material: Named[Material]) -> tuple[Machine, Material]:
    """Set up a machine for a material by its recipe, and the material with the recipe's kerf.

    Without a recipe both are as they are.
    """
    found = resolved(machine, material)
    if found is None:
        return machine.value, material.value
    cut, sheet = found.recipe.cut, material.value
    if cut is not None and cut.kerf:
        sheet = replace(sheet, kerf=cut.kerf)
    return Equipped(**asdict(machine.value), recipe=found.recipe), sheet


def recipe_of(machine: Machine) -> Recipe:
    """The recipe that a machine is set up with; one without settings if it is not."""
    return machine.recipe if isinstance(machine, Equipped) else NO_RECIPE


def values_of(recipe: Recipe, names: Iterable[str] = FIELDS) -> dict[str, dict[str, Any]]:
    """All values of a recipe, as a level has them."""
    chosen = {work: found for work in WORKS if (found := recipe.setting(work)) is not None}
    return {work: {name: getattr(found, name) for name in names} for work, found in chosen.items()}


# Libraries of other programs


@dataclass(frozen=True)
class Imported:
    """Materials and recipes of a library: new materials to keep, values by the keys of materials, and notes."""

    materials: tuple[Named[Material], ...]
    shelf: Shelf
    notes: tuple[str, ...]


def from_library(entries: Iterable[LibraryEntry], known: Iterable[Named[Material]], taken: Iterable[str]) -> Imported:
    """Find or make the material of each entry of a library, and take its settings.

    A material is known by its title, with or without its thickness. Of several entries for the same work the first
    counts, and a note names the others. `taken` are keys that new materials cannot have.
    """
    materials = {one.title.casefold(): one for one in known}
    keys, fresh_ones = {*taken, *(one.key for one in materials.values())}, list[Named[Material]]()
    shelf: dict[str, dict[str, dict[str, Any]]] = {}
    notes = []
    for entry in entries:
        thick = "" if entry.thickness is None else f" {entry.thickness:g} mm"
        name = _title(entry.material)
        titles = (f"{name}{thick}", name) if not name.endswith(thick) or not thick else (name,)
        found = next((one for title in titles if (one := materials.get(title.casefold())) is not None
                      and entry.thickness in (None, one.value.thickness)), None)  # fmt: skip
        if found is None:
            try:
                sheet = Material() if entry.thickness is None else Material(thickness=entry.thickness)
            except StudioError as problem:
                notes.append(tr("{material} is left out: {problem}", material=titles[0], problem=problem))
                continue
            found = Named(key_of(titles[0], keys, "material"), titles[0], sheet)
            keys.add(found.key)
            materials[titles[0].casefold()] = found
            fresh_ones.append(found)
        values = shelf.setdefault(found.key, {})
        if entry.work in values:
            notes.append(
                tr("{material} has several settings to {work}; the first is used, not “{other}”.", material=found.title,
                   work=within(TITLES[entry.work]), other=entry.setting.note)
            )  # fmt: skip
            continue
        # All that it can state, so that nothing is inherited.
        left_out = {name for name, work in (("kerf", CUT), ("interval", RASTER)) if entry.work != work}
        values[entry.work] = {name: getattr(entry.setting, name) for name in FIELDS if name not in left_out}
    return Imported(tuple(fresh_ones), shelf, tuple(notes))


def _title(text: str) -> str:
    """A title of one line."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return plain or tr("Material")


def to_library(
    machine: Named[Machine], materials: Iterable[Named[Material]], own: Shelf | None = None
) -> list[LibraryEntry]:
    """All settings of a machine, material by material; `own` as for `levels`."""
    found = []
    for material in materials:
        recipe = resolve(levels(machine, material.key, own)).recipe
        found += [
            LibraryEntry(material.title, material.value.thickness, work, setting)
            for work in WORKS
            if (setting := recipe.setting(work)) is not None
        ]
    return found


# Files


@cache
def starting_recipes(laser: str) -> Shelf:
    """Starting recipes of a type of laser, by the keys of materials."""
    return {} if laser == OTHER else _read(shipped(FOLDER) / f"{laser}{SUFFIX}")


def broken() -> frozenset[str]:
    """Keys of machines whose file of recipes cannot be used."""
    try:
        keys = {path.stem for path in own_files(FOLDER)}
    except StudioError:
        return frozenset()
    return frozenset(keys - set(_own()[0]))


def own_machines() -> frozenset[str]:
    """Keys of machines for which the maker has values of their own."""
    return frozenset(_own()[0])


def own_recipes(machine: str, *, strict: bool = False) -> Shelf:
    """The maker's own values for the key of a machine.

    A file that cannot be used has none, or raises StudioError if this is `strict`, since a change would lose it.
    """
    if strict:
        path = own_path(FOLDER, machine)
        return _read(path) if os.path.exists(path) else {}
    return _own()[0].get(machine, {})


def troubles() -> tuple[str, ...]:
    """Sentences about the maker's files of recipes that cannot be used."""
    return _own()[1]


def keep(machine: str, shelf: Shelf) -> None:
    """Save all of the maker's own values for a machine; without any, its file is deleted.

    Raise StudioError for a value out of bounds, or if they cannot be saved.
    """
    refuse_key(machine)
    found = {
        material: {work: dict(values) for work, values in each.items() if values} for material, each in shelf.items()
    }
    found = {material: each for material, each in found.items() if each}
    _check(found)
    path = own_path(FOLDER, machine)
    if found:
        write_own(path, {"title": "", "recipes": found})
    elif os.path.exists(path):
        delete_own(path)


def keep_values(machine: str, material: str, values: Values) -> None:
    """Save the maker's own values for a machine and a material, or EVERY, in place of those there.

    Raise StudioError as `keep` does, and if the machine's file cannot be used.
    """
    keep(machine, {**own_recipes(machine, strict=True), material: values})


def _own() -> tuple[dict[str, Shelf], tuple[str, ...]]:
    """The maker's own values by the keys of machines, and sentences about files that cannot be used."""
    found: dict[str, Shelf] = {}
    problems: list[str] = []
    try:
        paths = own_files(FOLDER)
    except StudioError:
        # The workshop says so.
        return {}, ()
    for path in paths:
        try:
            found[path.stem] = _read(path)
        except StudioError as problem:
            problems.append(str(problem))
    return found, tuple(problems)


def _read(path: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Read a file of recipes. Raise StudioError, naming the file, if it is invalid."""
    try:
        data = read(path, LARGEST)
        members(data, "", {"title": True, "recipes": True})
        if not isinstance(data["recipes"], dict):
            raise StudioError(tr("recipes must be an object."))
        _check(data["recipes"])
    except StudioError as problem:
        file = f"{FOLDER}/{path.name}"
        raise StudioError(tr("{file} cannot be used: {problem}", file=file, problem=problem)) from problem
    recipes: dict[str, dict[str, dict[str, Any]]] = data["recipes"]
    return recipes


def _check(shelf: Mapping[str, Any]) -> None:
    """Raise StudioError for a value that no recipe can have."""
    for material, recipe in shelf.items():
        if material != EVERY:
            refuse_key(material)
        members(recipe, material, dict.fromkeys(WORKS, False))
        for work, values in recipe.items():
            where = f"{material}.{work}"
            members(values, where, dict.fromkeys(FIELDS, False))
            for name, value in values.items():
                try:
                    checked(declaration(Setting, name), value)
                except StudioError as problem:
                    raise StudioError(f"{where}: {problem}") from problem
