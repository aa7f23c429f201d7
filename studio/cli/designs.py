"""The commands for designs: list the kinds, make, change, check, compare two, and vary one."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio import api
from studio.base.amounts import abridged, many, thousands
from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.parameters import Declaration, declarations, written
from studio.base.texts import tr, visible
from studio.base.units import filled
from studio.checks.finding import Checked, Finding, Severity
from studio.cli.arguments import (
    FILE,
    JSON,
    OUT_OR_SELF,
    REPLACE,
    REPLACE_WORK,
    WITH_OPTIONS,
    Command,
    argument,
    is_same,
    option_classes,
    refuse_changed,
    refuse_existing,
    refuse_work,
    set_option,
    settings,
    workshop_option,
)
from studio.cli.terminal import ExitCode, answered, print_error, waiting
from studio.files.store import Saved, dumps, load, save
from studio.geometry.planar.drawing import Drawing
from studio.puzzles import comparison, registry, variants
from studio.puzzles.abilities.ability import Editable
from studio.puzzles.abilities.cuttable import Cuttable, Limits, beyond, pieces_in_words
from studio.puzzles.kind import Generated
from studio.puzzles.presets import broken, forget, presets

MOST_OF_A_KIND = 20
"""Most findings of one kind listed one by one; small pieces on a large board have a thousand narrow necks."""
SEVERITIES = {Severity.ERROR: tr("error"), Severity.WARNING: tr("warning"), Severity.HINT: tr("hint")}
MOST_LISTED = 6
"""Most dropped edits named one by one."""


def _kinds(arguments: argparse.Namespace) -> ExitCode:
    kinds = [{"key": kind.key, "title": kind.title, "summary": kind.summary} for kind in registry.kinds()]
    return answered(arguments, kinds, *(f"{kind.key}  {kind.summary}" for kind in registry.kinds()))


def _params(arguments: argparse.Namespace) -> ExitCode:
    has_options = arguments.kind in WITH_OPTIONS
    classes = option_classes(arguments.kind) if has_options else [registry.kind(arguments.kind).parameters]
    known = [one for each in classes for one in declarations(each)]
    name_width = max(len(one.name) for one in known)
    value_width = max(len(written(one.default)) for one in known)
    lines = [
        f"{one.name:{name_width}}  {written(one.default):{value_width}}  {one.bounds}: {one.help}" for one in known
    ]
    offered = [] if has_options else presets(registry.kind(arguments.kind))
    if offered:
        lines = [*lines, "", tr("Presets: {keys}; `presets {kind}` tells more.",
                                keys=", ".join(one.key for one in offered), kind=arguments.kind)]  # fmt: skip
    return answered(arguments, [_declared(one) for one in known], *lines)


def _presets(arguments: argparse.Namespace) -> ExitCode:
    kind = registry.kind(arguments.kind)
    if arguments.delete is not None:
        forget(kind, arguments.delete)
    for sentence in broken(kind).values():
        print_error(sentence)
    known = presets(kind)
    width = max((len(one.key) for one in known), default=0)
    lines = (f"{one.key:{width}}  {one.title}{f': {one.note}' if one.note else ''}" for one in known)
    return answered(
        arguments,
        [
            {"key": one.key, "title": one.title, "note": one.note, "values": dict(one.values), "own": one.own}
            for one in known
        ],
        *(visible(line) for line in lines),
    )


def _declared(one: Declaration) -> dict[str, Any]:
    names = ("name", "title", "type", "default", "minimum", "maximum", "step", "unit", "choices", "help")
    return {name: getattr(one, name) for name in names} | {"choices": [choice.value for choice in one.choices]}


def _new(arguments: argparse.Namespace) -> ExitCode:
    kind = registry.kind(arguments.kind)
    refuse_existing(arguments.out, force=arguments.force)
    values = settings(kind.parameters, arguments.settings)
    with waiting() as progress:
        made = api.new(kind.key, preset=arguments.preset, progress=progress, **values)
    return put(made, arguments.out)


def _edit(arguments: argparse.Namespace) -> ExitCode:
    if arguments.list:
        print(*load(Path(arguments.file)).kind.need(Editable).forms, sep="\n")
        return ExitCode.DONE
    rewriting = Rewriting.from_arguments(arguments)
    kind, design = rewriting.saved.kind, rewriting.saved.design
    changes = settings(kind.parameters, arguments.settings)
    if not changes and not arguments.edits:
        raise StudioError(tr("Nothing to change: give an edit, which --list lists, or --set name=value."))
    edit = kind.edit("; ".join(arguments.edits)) if arguments.edits else None
    with waiting() as progress:
        parameters = dataclasses.replace(design.parameters, **changes)
        made = kind.generate(parameters, design, progress) if changes else Generated(design)
        lost = made.dropped
        if edit is not None:
            made = edit(made.design, progress)
            lost += made.dropped
    if lost:
        dropped = abridged(lost, MOST_LISTED)
        if is_same(rewriting.out, arguments.file) and not arguments.drop:
            raise StudioError(
                tr(
                    "{file} was not changed, because these edits do not fit the new parameters: {dropped}. Add "
                    "--drop to drop them, or -o to write another file.",
                    file=arguments.file,
                    dropped=dropped,
                )
            )
        print_error(tr("Dropped edits that no longer fit: {dropped}.", dropped=dropped))
    return rewriting.put(made.design)


@dataclass(frozen=True)
class Rewriting:
    """A design from a file that another one is made of, for the same file or the one after `-o`."""

    file: str
    out: str
    force: bool
    saved: Saved

    @classmethod
    def from_arguments(cls, arguments: argparse.Namespace) -> Rewriting:
        """Read FILE, `-o` and `--force` of a command; raise StudioError if it would replace a file."""
        out = arguments.file if arguments.out is None else arguments.out
        if out == "-" and getattr(arguments, "json", False):
            raise StudioError(tr("--json and -o - cannot both write to standard output."))
        refuse_existing(out, force=arguments.force, own=arguments.file)
        return cls(arguments.file, out, arguments.force, load(Path(arguments.file)))

    def put(self, design: Any, *, says: bool = True) -> ExitCode:
        """Write another design and say so; raise StudioError if its file has changed meanwhile."""
        refuse_changed(self.file, self.out, self.saved, force=self.force)
        if says:
            return put(Saved(self.saved.kind, design), self.out)
        save(Path(self.out), self.saved.kind, design)
        return ExitCode.DONE


def design_of(saved: Saved, key: str) -> Any:
    """The design in a file; raises StudioError for another kind than the one with a key."""
    if saved.kind.key != key:
        wanted = registry.KINDS[key].noun
        raise StudioError(
            tr("This command needs a {wanted}; this is a {kind} puzzle.", wanted=wanted, kind=saved.kind.key)
        )
    return saved.design


def put(saved: Saved, out: str) -> ExitCode:
    """Write a design to a file, or to standard output if `out` is a dash."""
    data = dumps(saved.kind, saved.design)
    if out == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return ExitCode.DONE
    write_bytes(Path(out), data)
    print(tr("Wrote {out}.", out=out))
    return ExitCode.DONE


@dataclass(frozen=True)
class Looked:
    """A design from a file with its shapes and findings."""

    saved: Saved
    shapes: Any
    checked: Checked

    @property
    def drawing(self) -> Drawing:
        """The drawing to cut; raises StudioError for a kind that is not Cuttable."""
        return self.saved.kind.need(Cuttable).drawing(self.shapes)

    def is_refused(self, file: str, *, force: bool, more: Sequence[Finding] = ()) -> bool:
        """Return whether export is refused because of errors, without force; print the refusal.

        `more` are errors beyond the design's own, such as errors of its material.
        """
        errors = [*more, *self.checked.errors]
        if errors and not force:
            print_error(
                tr(
                    "{file} was not exported: it has {errors}. Add --force to export it anyway. First error: {message}",
                    file=file,
                    errors=many(len(errors), "error"),
                    message=errors[0].message,
                )
            )
        return bool(errors) and not force


def looked_at(file: str) -> Looked:
    """Load a design, shape and check it; raise StudioError if the file is no design."""
    saved = load(Path(file))
    with waiting() as progress:
        shapes = saved.kind.shape(saved.design, None, progress.part(0.0, 0.2))
        return Looked(saved, shapes, saved.kind.check(saved.design, shapes, None, progress.part(0.2, 1.0)))


def _check(arguments: argparse.Namespace) -> ExitCode:
    looked = looked_at(arguments.file)
    checked = _with_limits(looked, arguments)
    lines, cut = _lines_of(checked), looked.saved.kind.able(Cuttable)
    if cut is not None and (asked := cut.asked(looked.shapes)):
        lines = [f"{pieces_in_words(cut.piece_count(looked.shapes), asked)}.", *lines]
    answered(arguments, [_found(finding) for finding in checked.findings], *lines)
    return ExitCode.NO if checked.errors else ExitCode.DONE


def _with_limits(looked: Looked, arguments: argparse.Namespace) -> Checked:
    """The findings of a design, with the limits of the named machine and material."""
    from studio.fabricate.recipes import equipped
    from studio.fabricate.workshop import USUAL, Machine, one_of

    machine, material = arguments.machine or one_of(Machine, USUAL[Machine]), arguments.material
    saved = looked.saved
    kind, cut = saved.kind, saved.kind.able(Cuttable)
    if cut is None:
        return looked.checked
    limits = Limits.with_margin(
        machine.title, machine.value.bed_width, machine.value.bed_height, is_chosen=arguments.machine is not None
    )
    thickness, misfit = cut.thickness(looked.shapes), None
    if material is not None:
        sheet = material.value if arguments.machine is None else equipped(machine, material)[1]
        limits = dataclasses.replace(limits, material=material.title, kerf=sheet.kerf)
        if thickness is not None:
            misfit = thickness.problem(saved.design, kind.noun, material.title, material.value.thickness)
    with waiting() as progress:
        found = beyond(cut, saved.design, looked.shapes, limits, lambda one: kind.shape(one, None, progress))
    findings = (*looked.checked.findings, *found, *([] if misfit is None else [misfit]))
    return dataclasses.replace(looked.checked, findings=tuple(sorted(findings, key=lambda one: one.rank)))


def _lines_of(checked: Checked) -> list[str]:
    """Findings as lines; a kind with too many for the screen lists only its first ones."""
    if not checked.findings:
        return [checked.verdict]
    lines, counts = [], Counter[str]()
    for finding in checked.findings:
        counts[finding.kind] += 1
        if counts[finding.kind] <= MOST_OF_A_KIND:
            x, y = finding.place
            at = (
                tr("{severity} at {x:.1f}, {y:.1f} mm: {message}") if finding.has_place else tr("{severity}: {message}")
            )
            values = {"severity": SEVERITIES[finding.severity], "x": x, "y": y, "message": finding.message}
            lines.append(filled(at, values))
    lines += [
        tr(
            "… and {count} more of type {type}; --json lists them all.",
            count=thousands(count - MOST_OF_A_KIND),
            type=kind,
        )
        for kind, count in counts.items()
        if count > MOST_OF_A_KIND
    ]
    return lines


def _found(finding: Finding) -> dict[str, Any]:
    return {
        "severity": finding.severity.name.lower(),
        "kind": finding.kind,
        "message": finding.message,
        "place": list(finding.place),
        "repair": finding.repair.title if finding.repair else None,
        "repairs": [each.title for each in finding.repairs],
    }


def _compare(arguments: argparse.Namespace) -> ExitCode:
    from studio.files.rasters import ensure_picture, write_picture

    files = Path(arguments.file), Path(arguments.other)
    out = None if arguments.out is None else Path(arguments.out)
    if out is not None:
        ensure_picture(out)
        refuse_work([out], force=arguments.force)
    one, other = (load(file) for file in files)
    comparison.ensure_alike(one.kind, other.kind)
    with waiting() as progress:
        found = comparison.compared(one.kind, one.design, other.design, progress)
    if out is not None:
        write_picture(comparison.picture(found, comparison.names_of(*files)), out)
    lines = [*found.summary, *([] if out is None else [tr("Wrote {out}.", out=arguments.out)])]
    answered(arguments, found.values(), *map(visible, lines))
    return ExitCode.DONE if found.is_same else ExitCode.NO


def _variants(arguments: argparse.Namespace) -> ExitCode:
    from studio.files.rasters import ensure_picture, write_picture

    out = None if arguments.out is None else Path(arguments.out)
    if out is not None:
        ensure_picture(out)
        refuse_work([out], force=arguments.force)
    saved = load(Path(arguments.file))
    parts = [text.partition("=") for text in arguments.vary]
    axes = [variants.axis_from(saved.kind, name.strip(), values) for name, _equals, values in parts]
    with waiting() as progress:
        rows = variants.varied(saved.kind, saved.design, axes, progress)
    if out is not None:
        write_picture(variants.picture(saved.kind, rows, axes, Path(arguments.file).stem), out)
    named = [variants.titles(saved.kind, axis) for axis in axes]
    lines = [
        f"{', '.join([named[0][across], *(named[1][down : down + 1] if len(named) > 1 else ())])}: {one.verdict}"
        for down, row in enumerate(rows)
        for across, one in enumerate(row)
    ]
    values = [
        {
            "set": dict(zip([axis.name for axis in axes], one.values, strict=True)),
            "errors": one.errors,
            "warnings": one.warnings,
            "refused": one.refusal or None,
        }
        for row in rows
        for one in row
    ]
    written = [] if out is None else [tr("Wrote {out}.", out=arguments.out)]
    return answered(arguments, values, *map(visible, [*lines, *written]))


COMMANDS: dict[str, Command] = {
    "kinds": Command(_kinds, tr("list the kinds of puzzle"), JSON),
    "params": Command(
        _params,
        tr("list the parameters of a kind of puzzle, or the options of an export or a coupon"),
        argument("kind", metavar="KIND", help=tr("a kind of puzzle, `export` or `coupon`")),
        JSON,
    ),
    "presets": Command(
        _presets,
        tr("list the presets of a kind of puzzle, your own included"),
        argument("kind", metavar="KIND"),
        argument("--delete", metavar="NAME", help=tr("delete one of your own presets first")),
        JSON,
    ),
    "new": Command(
        _new,
        tr("create a new design"),
        argument("kind", metavar="KIND"),
        argument("--preset", metavar="NAME", help=tr("start from a preset; `presets KIND` lists them")),
        set_option(tr("a parameter of the design, such as columns=30; `params KIND` lists them")),
        argument("-o", dest="out", metavar="FILE", required=True, help=tr("- for standard output")),
        REPLACE,
    ),
    "edit": Command(
        _edit,
        tr("make edits, and change parameters of a design and keep its edits"),
        FILE,
        argument("edits", metavar="EDIT", nargs="*", help=tr("an edit, such as 'flip A1-A2'; --list lists them")),
        set_option(tr("a parameter of the design, such as columns=30")),
        OUT_OR_SELF,
        argument("--drop", action="store_true", help=tr("overwrite FILE even if edits are dropped")),
        argument("--list", action="store_true", help=tr("only list the edits that FILE can have")),
        REPLACE,
    ),
    "check": Command(
        _check,
        tr("check a design; exit code 1 if it has errors"),
        FILE,
        workshop_option("Machine", tr("a machine, whose bed pieces must fit; `workshop` lists them")),
        workshop_option("Material", tr("a material, whose kerf pieces must bear")),
        JSON,
    ),
    "compare": Command(
        _compare,
        tr("show what changed between two designs; exit code 1 if they differ"),
        FILE,
        argument("other", metavar="OTHER"),
        argument("-o", dest="out", metavar="OUT", help=tr("a picture of both: a .png, .svg or .pdf file")),
        REPLACE_WORK,
        JSON,
        description=tr(
            "List the parameters that differ, and how much of the lines was removed and added from FILE to OTHER."
        ),
    ),
    "variants": Command(
        _variants,
        tr("check and draw a design with one or two parameters varied"),
        FILE,
        argument(
            "--vary",
            metavar="name=1,2,3",
            action="append",
            required=True,
            help=tr("a parameter and up to 5 values; a second --vary makes a grid"),
        ),
        argument("-o", dest="out", metavar="OUT", help=tr("a picture of all variants: a .png, .svg or .pdf file")),
        REPLACE_WORK,
        JSON,
        description=tr("Count the problems of each variant, and draw them side by side."),
    ),
}
