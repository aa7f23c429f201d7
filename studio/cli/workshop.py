"""The commands of the workshop: machines, materials, printers and plastics, recipes, the fit coupons."""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.base.amounts import duration, many
from studio.base.errors import StudioError
from studio.base.parameters import declarations
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr, within
from studio.cli.arguments import (
    JSON,
    REPLACE_WORK,
    Command,
    argument,
    as_choice,
    either,
    given,
    option,
    option_classes,
    refuse_work,
    set_option,
    settings,
    sorted_texts,
    workshop_option,
)
from studio.cli.designs import looked_at
from studio.cli.terminal import ExitCode, answered, print_error, waiting
from studio.files.store import load
from studio.puzzles import registry
from studio.puzzles.abilities.cuttable import Cuttable, Thickness
from studio.puzzles.abilities.printable import Printable

if TYPE_CHECKING:
    from studio.exporting.options import LaserOptions
    from studio.fabricate.workshop import Machine, Material, Named
    from studio.geometry.planar.drawing import Joint
    from studio.geometry.solids.solid import Solid

LASER, PRINTER = "laser", "printer"
"""The machine that a coupon is for."""


MACHINE = workshop_option("Machine", tr("a machine; `workshop` lists them"))
MATERIAL = workshop_option("Material", tr("a material; `workshop` lists them"))
MAKING = "studio.fabricate.making:Making"
PROFILE = option("studio.exporting.formats:Options", "profile", help=tr("same as --set profile=PROFILE"))
FOR_THE_LASER = (
    option(
        MAKING, "lines", "--separate", value="separate", help=tr("give each piece its own outline, nested on sheets")
    ),
    option(MAKING, "kerf", help=tr("width of the laser line (default: the material's)")),
    workshop_option("Machine", tr("a machine; its bed becomes the sheet; `workshop` lists them")),
    MATERIAL,
    option(MAKING, "strategy", help=tr("cutting order; `plan` compares them")),
    option(MAKING, "lead_in", help=tr("length of the cuts through the waste up to separate outlines")),
    option(MAKING, "overcut", help=tr("length of separate outlines that is cut again at their ends")),
    PROFILE,
)
"""Options of commands that write files for the laser."""
CORRECT = argument("--correct", metavar="FILE", action="append", default=[],
    help=tr("align the cuts with a print, as `align` has measured it; once for each sheet"))  # fmt: skip
SHEET = argument(
    "--sheet",
    dest="offcut",
    metavar="SVG",
    help=tr("cut from an offcut: a drawing of its outline and its used parts, in mm"),
)


def machine_of(arguments: argparse.Namespace) -> Machine:
    """The named machine, set up by its recipe for the named material, or a usual one."""
    from studio.fabricate.recipes import equipped
    from studio.fabricate.workshop import Machine

    if arguments.machine is None:
        return Machine()
    machine: Machine = arguments.machine.value
    return machine if arguments.material is None else equipped(arguments.machine, arguments.material)[0]


def material_of(arguments: argparse.Namespace) -> Named[Material] | None:
    """The named material, if any, with the kerf of its recipe on the named machine."""
    from studio.fabricate.recipes import equipped

    material: Named[Material] | None = arguments.material
    if material is None or arguments.machine is None:
        return material
    return dataclasses.replace(material, value=equipped(arguments.machine, material)[1])


def title_of(named: Named[Any] | None) -> str:
    """Title of a machine or a material, empty if none is named."""
    return "" if named is None else named.title


def sheet_of(material: Named[Material] | None, thickness: Thickness | None) -> Material:
    """The material to cut: the named one, or a usual one as thick as the design needs."""
    from studio.fabricate.workshop import Material, usual_sheet

    if material is not None:
        return material.value
    return Material() if thickness is None else usual_sheet(thickness.needed)


def file_options(arguments: argparse.Namespace, command: str) -> tuple[LaserOptions, list[str]]:
    """Options of a file for the laser, and the texts about other options; raises StudioError for unknown ones."""
    from studio.exporting.formats import Options

    others, of_files = sorted_texts(arguments.settings, *option_classes(command), listed=command)
    return Options(**given(arguments, Options, of_files)), others


# The commands


def _profiles(arguments: argparse.Namespace) -> ExitCode:
    from studio.exporting.colour_profiles import broken_profiles, own_profiles, profiles

    own = {one.key for one in own_profiles()}
    for sentence in broken_profiles().values():
        print_error(sentence)
    listed, lines = [], []
    for one in profiles():
        layers = [{"operation": each.operation.value, "name": each.name, "colour": each.colour} for each in one.layers]
        listed.append({"key": one.key, "title": one.title, "own": one.key in own, "layers": layers})
        title = tr("{title} (custom)", title=one.title) if one.key in own else one.title
        lines.append(f"{one.key}  {title}")
        lines += [f"  {each['operation']:10}  {each['colour']}  {each['name']}" for each in layers]
    return answered(arguments, listed, *lines)


def _workshop(arguments: argparse.Namespace) -> ExitCode:
    if arguments.read is not None or arguments.write is not None:
        return _library(arguments)
    from studio.fabricate import costs, recipes
    from studio.fabricate.gaps_and_plates import remembered, trouble
    from studio.fabricate.workshop import COSTS, USUAL, every, plural, troubles

    known: dict[str, tuple[Named[Any], ...]] = {plural(kind): every(kind) for kind in USUAL}
    heads = dict(zip(known, (tr("Machines:"), tr("Materials:"), tr("Printers:"), tr("Filaments:")), strict=True))
    gaps = [{"printer": printer, "plastic": plastic, "gap": gap} for (printer, plastic), gap in remembered().items()]
    width = max(len(one.key) for some in known.values() for one in some)
    lines = []
    for what, some in known.items():
        lines.append(heads[what])
        for one in some:
            title = tr("{title} (custom)", title=one.title) if one.own else one.title
            numbers = [each for each in declarations(type(one.value)) if each.type == "number"]
            # Prices are listed once there are any.
            said = [it for it in numbers if it.group != COSTS or getattr(one.value, it.name)]
            figures = [f"{within(it.title)} {getattr(one.value, it.name):g} {it.unit}".strip() for it in said]
            lines.append(f"  {one.key:{width}}  {title}: {', '.join(figures)}")
    if gaps:
        lines += [
            tr("Saved clearances:"),
            *(f"  {gap['printer']}, {gap['plastic']}: {gap['gap']:g} mm" for gap in gaps),
        ]
    lines += filter(None, (*troubles(), *recipes.troubles(), trouble(), costs.trouble()))
    values = {what: [_listed(one) for one in some] for what, some in known.items()}
    return answered(arguments, values | {"gaps": gaps}, *lines)


def _library(arguments: argparse.Namespace) -> ExitCode:
    """Read a LightBurn library into recipes of a machine, or write these as one."""
    from studio.base.atomic import write_bytes
    from studio.base.json_files import content
    from studio.exporting.readers.lightburn import MOST_BYTES, read_library
    from studio.exporting.writers.lightburn import library
    from studio.fabricate import recipes, workshop

    machine, path = arguments.machine, Path(arguments.read or arguments.write)
    if machine is None:
        raise StudioError(tr("A library needs --machine; `workshop` lists them."))
    materials = workshop.every(workshop.Material)
    if arguments.read is None:
        refuse_work([path], force=arguments.force)
        entries = recipes.to_library(machine, materials)
        if not entries:
            raise StudioError(tr("{machine} has no recipes to write.", machine=machine.title))
        write_bytes(path, library(machine.title, entries))
        words = tr("Wrote {path}: {settings} of {machine}.", path=path, settings=many(len(entries), "setting"),
                   machine=machine.title)  # fmt: skip
        return answered(arguments, {"path": str(path), "settings": len(entries)}, words)
    try:
        settings_read, problems = read_library(content(path, MOST_BYTES))
    except StudioError as problem:
        raise StudioError(tr("{path} cannot be read: {problem}", path=path, problem=problem)) from problem
    found = recipes.from_library(settings_read, materials, workshop.own_keys(workshop.Material))
    recipes.keep(machine.key, {**recipes.own_recipes(machine.key, strict=True), **found.shelf})
    for material in found.materials:
        workshop.keep(material)
    count = sum(len(values) for values in found.shelf.values())
    words = tr("Read {settings} for {materials}, {fresh} new.", settings=many(count, "setting"),
               materials=many(len(found.shelf), "material"), fresh=len(found.materials))  # fmt: skip
    values = {"settings": count, "materials": [*found.shelf], "new": [one.key for one in found.materials],
              "left_out": [*problems, *found.notes]}  # fmt: skip
    return answered(arguments, values, words, *problems, *found.notes)


def _recipe(arguments: argparse.Namespace) -> ExitCode:
    """Show a recipe with the source of each value, after changing some of its values."""
    from studio.base.parameters import declaration, parsed
    from studio.fabricate import recipes
    from studio.geometry.planar.drawing import WORKS, Setting

    machine, material = arguments.machine, arguments.material
    if machine is None:
        raise StudioError(tr("A recipe needs --machine; `workshop` lists them."))
    key = recipes.EVERY if material is None else material.key
    if arguments.settings:
        shelf = recipes.own_recipes(machine.key, strict=True)
        own = {work: dict(values) for work, values in shelf.get(key, {}).items()}
        for text in arguments.settings:
            name, _, value = text.partition("=")
            work, _, field = name.partition(".")
            if work not in WORKS or "=" not in text:
                raise StudioError(
                    tr("Use --set WORK.NAME=VALUE, such as cut.speed=12; works are {works}.", works=", ".join(WORKS))
                )
            known = declaration(Setting, field)
            values = own.setdefault(work, {})
            values.pop(field, None)
            if value:
                values[field] = parsed(known, value)
        recipes.keep(machine.key, {**shelf, key: own})
    found = recipes.resolve(recipes.levels(machine, key))
    values = {
        work: None if (setting := found.recipe.setting(work)) is None else dataclasses.asdict(setting) for work in WORKS
    }
    title = tr("All materials") if material is None else material.title
    lines = [tr("{material} on {machine}:", material=title, machine=machine.title)]
    for (work, name), source in found.sources.items():
        value = declaration(Setting, name).formatted(found.values[work, name])
        lines.append(f"  {f'{work}.{name}':18}  {value:12}  {source}")
    if len(lines) == 1:
        lines.append(tr("  No recipe; speeds are those of the machine."))
    sources = {f"{work}.{name}": source for (work, name), source in found.sources.items()}
    return answered(arguments, {"recipe": values, "sources": sources}, *lines)


def _listed(one: Named[Any]) -> dict[str, Any]:
    return {"key": one.key, "title": one.title, "own": one.own} | dataclasses.asdict(one.value)


def _coupon(arguments: argparse.Namespace) -> ExitCode:
    if (arguments.out is None) == (arguments.keep is None):
        raise StudioError(tr("Use either -o to write a coupon or --keep to save its result."))
    if arguments.out is not None:
        refuse_work([Path(arguments.out)], force=arguments.force)
    if arguments.way == PRINTER:
        return _coupon_of_gaps(arguments)
    return _coupon_of_kerfs(arguments)


def _refuse_options(arguments: argparse.Namespace, *names: str) -> None:
    for name in names:
        if getattr(arguments, name) is not None:
            raise StudioError(
                tr("--{option} cannot be combined with --for {purpose}.", option=name, purpose=arguments.way)
            )


def _coupon_of_gaps(arguments: argparse.Namespace) -> ExitCode:
    from studio.exporting.formats import PRINTER
    from studio.exporting.writing import write_solids
    from studio.fabricate import workshop
    from studio.fabricate.gaps_and_plates import GapOptions, around, keep_gap, on_bed, seconds_of, usual_gap, weight_of

    _refuse_options(arguments, "material", "machine", "profile")
    if arguments.keep is not None and None in (arguments.printer, arguments.plastic):
        raise StudioError(tr("--keep needs --printer and --plastic; `workshop` lists them."))
    printer = arguments.printer or workshop.one_of(workshop.Printer, workshop.USUAL[workshop.Printer])
    plastic = arguments.plastic or workshop.one_of(workshop.Plastic, workshop.USUAL[workshop.Plastic])
    if arguments.keep is not None:
        gap = _read_off(workshop.Plastic, "gap", arguments.keep)
        keep_gap(printer, plastic, gap)
        kept = {"printer": printer.key, "plastic": plastic.key, "gap": gap}
        return answered(
            arguments,
            kept,
            tr(
                "Saved: {gap:g} mm clearance for {plastic} on {printer}.",
                plastic=plastic.title,
                printer=printer.title,
                gap=gap,
            ),
        )
    out = Path(arguments.out)
    if os.path.isdir(out) or not out.suffix:
        # A folder would get a file that is named like an export without a name.
        raise StudioError(
            tr(
                "The coupon needs a file name with the extension {suffixes}; {out} has none.",
                out=out,
                suffixes=alternatives(PRINTER.suffixes),
            )
        )
    options = dataclasses.replace(around(usual_gap(printer, plastic)), **settings(GapOptions, arguments.settings))
    blocks = on_bed(_jointed(arguments.file, options.gaps), printer.value)
    (report,) = write_solids(blocks, out)
    weight, seconds = weight_of(blocks, plastic.value), seconds_of(blocks, printer.value)
    return answered(
        arguments,
        report.values() | {"gaps": list(options.gaps), "grams": round(weight, 2), "seconds": round(seconds)},
        tr(
            "Wrote {path}: {width:.1f} × {depth:.1f} × {height:.1f} mm, {parts} blocks, clearances "
            "{smallest:g} to {largest:g} mm, {weight:.0f} g of {plastic}, {time} to print.",
            path=report.path,
            width=report.width,
            depth=report.depth,
            height=report.height,
            parts=report.parts,
            smallest=options.gaps[0],
            largest=options.gaps[-1],
            weight=weight,
            plastic=plastic.title,
            time=duration(seconds),
        ),
    )


def _jointed(file: str | None, gaps: Sequence[float]) -> tuple[Solid, ...]:
    """The blocks that try the joints of a file's design, or of a new one of the first kind that is printed."""
    if file is None:
        kind = next(kind for kind in registry.kinds() if (able := kind.able(Printable)) and able.joints)
        design = kind.example()
    else:
        saved = load(Path(file))
        kind, design = saved.kind, saved.design
    joints = kind.need(Printable).joints
    if joints is None:
        raise StudioError(
            tr(
                "No printed fit coupon can be made of {file}: the parts of a {kind} do not interlock.",
                file=file,
                kind=kind.noun,
            )
        )
    with waiting() as progress:
        return joints(design, gaps, progress)


def _coupon_of_kerfs(arguments: argparse.Namespace) -> ExitCode:
    from studio.exporting.formats import refuse_pictures
    from studio.exporting.laser_files import write
    from studio.fabricate import workshop
    from studio.fabricate.coupon import CouponOptions, coupon, kerfs_around

    _refuse_options(arguments, "printer", "plastic")
    if arguments.material is None:
        raise StudioError(tr("A laser coupon needs --material; `workshop` lists them."))
    material = arguments.material
    if arguments.keep is not None:
        kept = workshop.with_kerf(material, _read_off(workshop.Material, "kerf", arguments.keep))
        workshop.keep(kept)
        return answered(
            arguments,
            _listed(kept),
            tr("Kerf of {material} set to {kerf:g} mm.", material=kept.title, kerf=kept.value.kerf),
        )
    options, own = file_options(arguments, "coupon")
    if arguments.machine is not None:
        takes = machine_of(arguments).pictures
        refuse_pictures(Path(arguments.out).suffix, arguments.machine.key, takes_pictures=takes)
    chosen = dataclasses.replace(kerfs_around(material.value), **settings(CouponOptions, own))
    sheet = coupon(_joint(arguments.file), material, chosen, machine_of(arguments))
    run = workshop.run_of(machine_of(arguments), material.value, title_of(arguments.machine), material.title)
    report = write(sheet, Path(arguments.out), dataclasses.replace(options, run=run))
    sentence = tr(
        "Wrote {path}: {width:g} × {height:g} mm, {pieces} blocks.",
        path=report.path,
        width=report.width,
        height=report.height,
        pieces=report.pieces,
    )
    return answered(arguments, report.values(), sentence)


def _card(arguments: argparse.Namespace) -> ExitCode:
    """Write a test card, or save its best square in the recipe."""
    from studio.exporting.formats import CARDS
    from studio.exporting.laser_files import write
    from studio.fabricate import workshop
    from studio.fabricate.coupon import CardOptions, card, card_around, keep_tested
    from studio.fabricate.recipes import levels, resolve
    from studio.geometry.planar.drawing import CUT, RASTER, Setting

    machine, material = arguments.machine, arguments.material
    if machine is None or material is None:
        raise StudioError(tr("A test card needs --machine and --material; `workshop` lists them."))
    if (arguments.out is None) == (arguments.keep is None):
        raise StudioError(tr("Use either -o to write a test card or --keep to save its best square."))
    recipe = resolve(levels(machine, material.key)).recipe
    classes = (CardOptions,) if arguments.out is None else (CardOptions, CARDS.of(Path(arguments.out)).options)
    of_card, *of_file = sorted_texts(arguments.settings, *classes, listed="card")
    chosen = settings(CardOptions, of_card)
    options = dataclasses.replace(card_around(recipe, chosen.get("work", CUT)), **chosen)
    if arguments.keep is not None:
        power, _, speed = arguments.keep.partition(",")
        wanted = _read_off(Setting, "power_max", power), _read_off(Setting, "speed", speed)
        keep_tested(machine, material, options, *wanted)
        words = tr("Recipe of {material} on {machine}, {work}: {power:g} %, {speed:g} mm/s.", material=material.title,
                   machine=machine.title, work=options.work, power=wanted[0], speed=wanted[1])  # fmt: skip
        return answered(arguments, {"work": options.work, "power_max": wanted[0], "speed": wanted[1]}, words)
    out = Path(arguments.out)
    refuse_work([out], force=arguments.force)
    made, format = card(material, machine, recipe, options), CARDS.of(out)
    run = workshop.run_of(machine.value, material.value, machine.title, material.title)
    of_format = format.options(**settings(format.options, of_file[0]))
    report = write(made.drawing, out, dataclasses.replace(
        of_format, cells=made.cells, are_filled=made.work == RASTER, recipe=made.labels, run=run,
    ))  # fmt: skip
    cells = [{"power_max": one.power_max, "speed": one.speed} for one in made.cells]
    words = tr("Wrote {path}: {width:g} × {height:g} mm, {squares}.", path=report.path, width=report.width,
               height=report.height, squares=many(len(cells), "square"))  # fmt: skip
    return answered(arguments, report.values() | {"cells": cells}, words)


def _read_off(figures: type[Any], name: str, text: str) -> float:
    from studio.base.parameters import declaration, parsed

    return float(parsed(declaration(figures, name), text))


def _joint(file: str | None) -> Joint:
    """The joint of a file's design, or of a new one of the first kind that is cut."""
    if file is None:
        kind = registry.kind(registry.USUAL)
        shapes = kind.shape(kind.example(), None, Progress())
    else:
        looked = looked_at(file)
        kind, shapes = looked.saved.kind, looked.shapes
    return kind.need(Cuttable).joint(shapes)


COMMANDS: dict[str, Command] = {
    "card": Command(
        _card,
        tr("write a test card of powers and speeds, and save its best square in the recipe"),
        MACHINE,
        MATERIAL,
        argument("-o", dest="out", metavar="OUT", help=tr("the file to write: .lbrn2 or .gcode")),
        argument("--keep", metavar="POWER,SPEED", help=tr("save the best square's power in %% and speed in mm/s")),
        set_option(tr("an option of the card or the file, such as work=score or columns=3")),
        REPLACE_WORK,
        JSON,
        description=tr(
            "Write a test card: squares with a power and a speed each, around the recipe of a machine for a material."
        ),
    ),
    "coupon": Command(
        _coupon,
        tr("write a fit coupon that measures kerf or clearance"),
        argument("file", metavar="FILE", nargs="?"),
        argument(
            "--for",
            dest="way",
            metavar="WAY",
            type=as_choice("--for", LASER, PRINTER),
            default=LASER,
            help=tr("laser (default) or printer"),
        ),
        MATERIAL,
        MACHINE,
        workshop_option("Printer", tr("a printer; `workshop` lists them")),
        workshop_option("Plastic", tr("a filament; `workshop` lists them")),
        argument("-o", dest="out", metavar="OUT", help=tr("the file to write, in the format of its extension")),
        argument("--keep", metavar="MM", help=tr("save the kerf or clearance read off the coupon, in mm")),
        PROFILE,
        set_option(tr("a coupon or file option, such as count=7")),
        REPLACE_WORK,
        JSON,
        description=tr(
            "Write a fit coupon: a joint of FILE, or of a new jigsaw, at several kerfs, each "
            "labelled. Cut it, find the pair that fits best, and save its kerf with the material: "
            "`coupon --material M --keep 0.17`. With --for printer the joint is tried at several "
            "clearances; save the best one for your printer and filament: "
            "`coupon --for printer --printer P --plastic L --keep 0.2`."
        ),
    ),
    "profiles": Command(_profiles, tr("list the colour profiles of files for the laser, including your own"), JSON),
    "recipe": Command(
        _recipe,
        tr("show or change the settings of a machine for a material"),
        MACHINE,
        MATERIAL,
        set_option(tr("a value to keep, such as cut.speed=12; cut.speed= is inherited again")),
        JSON,
        description=tr(
            "Show power, speed and all other settings of a machine for a material, and where each comes from. Without "
            "--material they hold for all materials of the machine."
        ),
    ),
    "workshop": Command(
        _workshop,
        tr("list machines, materials, printers and filaments, including your own"),
        either(
            argument(
                "--import", dest="read", metavar="CLB", help=tr("read a LightBurn library as recipes of a machine")
            ),
            argument("-o", dest="write", metavar="CLB", help=tr("write a machine's recipes as a LightBurn library")),
        ),
        MACHINE,
        REPLACE_WORK,
        JSON,
    ),
}
