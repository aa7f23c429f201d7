"""The commands of the workshop: machines, materials, printers and plastics, the cut plan, the fit coupons."""

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
    FILE,
    JSON,
    REPLACE_WORK,
    Command,
    argument,
    as_choice,
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
    from studio.export.options import LaserOptions
    from studio.fabricate.plan import Plan
    from studio.fabricate.tabs import TabRule
    from studio.fabricate.workshop import Machine, Material, Named
    from studio.geometry.planar.drawing import Joint
    from studio.geometry.planar.trays import Tray
    from studio.geometry.solids.solid import Solid

LASER, PRINTER = "laser", "printer"
"""The machine that a coupon is for."""


MACHINE = workshop_option("Machine", tr("a machine; `workshop` lists them"))
MATERIAL = workshop_option("Material", tr("a material; `workshop` lists them"))
MAKING = "studio.fabricate.making:Making"
PROFILE = option("studio.export.formats:Options", "profile", help=tr("same as --set profile=PROFILE"))
FOR_THE_LASER = (
    option(
        MAKING, "lines", "--separate", value="separate", help=tr("give each piece its own outline, nested on sheets")
    ),
    option(MAKING, "kerf", help=tr("width of the laser line (default: the material's)")),
    workshop_option("Machine", tr("a machine; its bed becomes the sheet; `workshop` lists them")),
    MATERIAL,
    option(MAKING, "strategy", help=tr("cutting order; `plan` compares them")),
    PROFILE,
)
"""Options of commands that write files for the laser."""


def machine_of(arguments: argparse.Namespace) -> Machine:
    """The named machine, or a usual one."""
    from studio.fabricate.workshop import Machine

    return Machine() if arguments.machine is None else arguments.machine.value


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
    from studio.export.formats import Options

    others, of_files = sorted_texts(arguments.settings, *option_classes(command), listed=command)
    return Options(**given(arguments, Options, of_files)), others


# The commands


def _profiles(arguments: argparse.Namespace) -> ExitCode:
    from studio.export.colour_profiles import broken_profiles, own_profiles, profiles

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
    from studio.fabricate.gaps_and_plates import remembered, trouble
    from studio.fabricate.workshop import USUAL, every, plural, troubles

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
            figures = [f"{within(it.title)} {getattr(one.value, it.name):g} {it.unit}".strip() for it in numbers]
            lines.append(f"  {one.key:{width}}  {title}: {', '.join(figures)}")
    if gaps:
        lines += [
            tr("Saved clearances:"),
            *(f"  {gap['printer']}, {gap['plastic']}: {gap['gap']:g} mm" for gap in gaps),
        ]
    lines += filter(None, (*troubles(), trouble()))
    values = {what: [_listed(one) for one in some] for what, some in known.items()}
    return answered(arguments, values | {"gaps": gaps}, *lines)


def _listed(one: Named[Any]) -> dict[str, Any]:
    return {"key": one.key, "title": one.title, "own": one.own} | dataclasses.asdict(one.value)


def _plan(arguments: argparse.Namespace) -> ExitCode:
    from studio.fabricate.making import USUAL, oversize
    from studio.fabricate.plan import Strategy, plan, plans
    from studio.fabricate.workshop import for_thickness

    looked = looked_at(arguments.file)
    drawing = looked.drawing
    sheet = sheet_of(arguments.material, looked.saved.kind.need(Cuttable).thickness(looked.shapes))
    machine = for_thickness(machine_of(arguments), sheet.thickness)
    tabs = _tab_rule(arguments, sheet)
    if looked.checked.errors:
        print_error(
            tr(
                "{file} has errors, and overlapping cuts make these figures unreliable; run `check` for details.",
                file=arguments.file,
            )
        )
    around, tray = looked.saved.kind.need(Cuttable).tray(looked.shapes), None
    with waiting() as progress:
        if around is not None:
            tray = _tray_plan(around, machine, tabs, progress)
        if arguments.json or arguments.strategy is not None:
            strategy = None if arguments.strategy in (None, USUAL) else Strategy(arguments.strategy)
            found = [plan(drawing, machine, strategy, progress, tabs)]
        else:
            found = list(plans(drawing, machine, progress, tabs))
    lines, warning = _table(found), oversize(drawing, machine)
    if arguments.machine is not None and warning:
        lines.append(tr("{warning} `export` splits it along cut lines; each part gets its own plan.", warning=warning))
    values = _planned(found[0])
    if tray is not None:
        values["tray"], of_tray = tray
        lines += of_tray
    return answered(arguments, values, *lines)


def _tray_plan(
    tray: Tray, machine: Machine, tabs: TabRule | None, progress: Progress
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The plan of a tray, all its parts on one sheet, as JSON values and as lines."""
    from studio.fabricate.making import stated
    from studio.fabricate.plan import plan

    found = plan(tray.drawing, machine, None, progress, tabs)
    cost = tr(
        "Its {parts}: cut length {cut:.0f} mm, {loose}, about {duration}.",
        parts=many(len(tray.parts), "part"),
        cut=found.cut,
        loose=many(found.loose_cuts, "loose cut"),
        duration=duration(found.seconds),
    )
    return _planned(found), (stated(tray), cost)


def _tab_rule(arguments: argparse.Namespace, material: Material) -> TabRule | None:
    """The holding tabs that --set asks for; raises StudioError for other options of an export."""
    from studio.fabricate.making import Making

    asked = settings(Making, arguments.settings)
    for name in asked:
        if not name.startswith("tab"):
            raise StudioError(tr("`plan` only has options for tabs, not {name}.", name=name))
    return Making(**{"kerf": material.kerf, **asked}).tab_rule


def _planned(plan: Plan) -> dict[str, Any]:
    return {
        "strategy": plan.strategy.value,
        "travel_mm": round(plan.travel, 3),
        "cut_mm": round(plan.cut, 3),
        "pen_ups": plan.pen_ups,
        "lower_bound_mm": round(plan.lower_bound, 3),
        "ratio": round(plan.ratio, 4) if plan.ratio != float("inf") else None,
        "chains": len(plan.drawing.chains),
        "least_chains": plan.least_chains,
        "loose_cuts": plan.loose_cuts,
        "largest_freed": plan.largest_freed,
        "reach_pieces": plan.reach,
        "seconds": round(plan.seconds, 2),
        "tabs": plan.tab_count,
        "held": plan.held,
    }


def _table(found: list[Plan]) -> list[str]:
    """Plans as lines of a table; travel and cut length in mm."""
    head = (
        tr("strategy"),
        tr("travel"),
        tr("vs. best"),
        tr("laser-off"),
        tr("cuts"),
        tr("loose cuts"),
        tr("drop-out"),
        tr("overhang"),
        tr("time"),
    )
    rows = [head]
    for plan in found:
        ratio = f"{plan.ratio:.3f}" if plan.ratio != float("inf") else "–"
        rows.append((
            plan.strategy.value, f"{plan.travel:.0f} mm", ratio, str(plan.pen_ups), str(len(plan.drawing.chains)),
            str(plan.loose_cuts), str(plan.largest_freed), str(plan.reach), duration(plan.seconds),
        ))  # fmt: skip
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]
    first = found[0]
    return [
        *lines,
        tr(
            "Cut length {cut:.0f} mm. Lower bounds for any order: travel {lower_bound:.0f} mm, {cuts}.",
            cut=first.cut,
            lower_bound=first.lower_bound,
            cuts=many(first.least_chains, "continuous cut"),
        ),
        *([tabs_in_words(first)] if first.tab_count else []),
    ]


def tabs_in_words(plan: Plan) -> str:
    """Number of tabs and of held pieces, in a sentence."""
    pieces = many(len(plan.drawing.pieces), "piece")
    return tr(
        "{tabs}; {held} of {pieces} held.", tabs=many(plan.tab_count, "holding tab"), held=plan.held, pieces=pieces
    )


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
    from studio.export.formats import PRINTER
    from studio.export.writing import write_solids
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
    from studio.export.formats import refuse_pictures
    from studio.export.laser_files import write
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
    "plan": Command(
        _plan,
        tr("compare cutting orders: travel, cuts in loose parts, time"),
        FILE,
        option(MAKING, "strategy"),
        MACHINE,
        MATERIAL,
        set_option(tr("holding tabs, such as tabs=piece and tab_width=0.5, as in `export`")),
        JSON,
        description=tr(
            "Find the best cutting order and its cost. Without --strategy all suitable orders are "
            "compared in a table; with --json the best one is reported."
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
    "workshop": Command(_workshop, tr("list machines, materials, printers and filaments, including your own"), JSON),
}
