"""The command that makes many boards of one design, with a table of their figures."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.base.amounts import abridged, estimate, many, metres
from studio.base.errors import StudioError
from studio.base.parameters import declarations
from studio.base.texts import tr
from studio.cli.abilities.cuttable import known_error, making_of
from studio.cli.arguments import FILE, JSON, Command, argument, counted, option, refuse_name, set_option
from studio.cli.terminal import ExitCode, answered, print_error, waiting
from studio.cli.workshop import FOR_THE_LASER, SHEET, file_options, machine_of, material_of
from studio.files.store import Saved, load
from studio.puzzles.abilities.cuttable import Cuttable

if TYPE_CHECKING:
    from studio.batch.boards import Making as Boards
    from studio.batch.boards import Outcome
    from studio.batch.tasks import Batch, Task
    from studio.fabricate.workshop import Material, Named

MOST_NAMED = 6
"""Most boards without files that are named one by one."""


def _batch(arguments: argparse.Namespace) -> ExitCode:
    if not arguments.out:
        raise StudioError(tr("-o must name a folder."))
    from studio.base.progress import cores
    from studio.batch.workers import begin_server

    if arguments.cluster is None and (arguments.workers or cores()) > 1:
        # Processes start while everything else is read.
        begin_server()
    from studio.batch.boards import run

    saved = load(Path(arguments.file))
    own, others = _sorted(saved, arguments.settings)
    arguments.settings = others
    batch = _batch_of(arguments, saved)
    tasks = _tasks(arguments, saved, own)
    with waiting() as progress:
        outcome = run(batch, tasks, Path(arguments.out), _boards(arguments), progress)
    answered(arguments, _values(outcome), *_lines(outcome, known_error(arguments.machine)))
    if outcome.faulty:
        print_error(_complaint(outcome))
    return ExitCode.NO if outcome.faulty else ExitCode.DONE


def _sorted(saved: Saved, texts: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Parameters of the design by name, as they are written, and the texts about everything else."""
    from studio.exporting.formats import Options
    from studio.fabricate.making import Making

    names = {known.name for known in declarations(saved.kind.parameters)}
    options = {known.name for kind in (Options, Making) for known in declarations(kind)}
    own: dict[str, str] = {}
    others = []
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if name not in names:
            if name not in options:
                refuse_name(name, sorted(names | options), saved.kind.key)
            others.append(text)
            continue
        if name in own:
            raise StudioError(tr("--set {name} is given twice.", name=name))
        if not equals:
            raise StudioError(tr("--set {name} needs a value: {name}=VALUE.", name=name))
        own[name] = value
    return own, others


def _batch_of(arguments: argparse.Namespace, saved: Saved) -> Batch:
    """Return the settings that all boards share."""
    from studio.base.parameters import declarations
    from studio.batch.tasks import batch_of
    from studio.exporting.formats import refuse_pictures

    options, of_making = file_options(arguments, "export")
    machine, material = machine_of(arguments), material_of(arguments)
    formats = _formats(arguments.formats, saved)
    for suffix in formats if arguments.machine is not None else ():
        refuse_pictures(suffix, arguments.machine.key, takes_pictures=machine.pictures)
    return batch_of(
        saved,
        Path(arguments.file),
        formats=formats,
        options=tuple((known.name, getattr(options, known.name)) for known in declarations(type(options))),
        making=making_of(arguments, of_making),
        machine=machine,
        material=None if material is None else material.value,
        repair=arguments.repair,
        clearance=_clearance(arguments, material),
        force=arguments.force,
    )


def _clearance(arguments: argparse.Namespace, material: Named[Material] | None) -> float | None:
    """The clearance in mm at which pieces must fit in one place only; None without --unique."""
    from studio.fabricate.workshop import USUAL, Material, one_of

    if not arguments.unique:
        if arguments.clearance is not None:
            raise StudioError(tr("--clearance needs --unique."))
        return None
    asked = arguments.clearance
    return (material or one_of(Material, USUAL[Material])).value.kerf if asked is None else asked


def _formats(text: str | None, saved: Saved) -> tuple[str, ...]:
    """File extensions from names such as `svg,dxf`; without any that of `export`, for a kind that is cut."""
    if text is None:
        return () if saved.kind.able(Cuttable) is None else (".dxf",)
    names = [part.strip().lstrip(".").lower() for part in text.split(",")]
    return tuple(dict.fromkeys(f".{name}" for name in names if name))


def _tasks(arguments: argparse.Namespace, saved: Saved, own: Mapping[str, str]) -> tuple[Task, ...]:
    """A task for each board."""
    from studio.batch.tasks import MOST_BOARDS, read_rows, tasks_of, texts_of

    rows = (
        () if arguments.names is None else read_rows(Path(arguments.names), saved.kind.parameters, own, texts_of(saved))
    )
    count = arguments.count or len(rows)
    if not count:
        raise StudioError(tr("--count N or --names FILE is required."))
    if count > MOST_BOARDS:
        raise StudioError(tr("--count must be at most {most}.", most=MOST_BOARDS))
    if rows and count > len(rows):
        raise StudioError(
            tr("--count {count} is more than the {lines} of --names.", count=count, lines=many(len(rows), "line"))
        )
    return tasks_of(saved, own, rows, count, arguments.first or 1)


def _boards(arguments: argparse.Namespace) -> Boards:
    """Who makes the boards."""
    from studio.base.progress import cores
    from studio.batch.workers import Scheduler, on_cluster, one_by_one, side_by_side

    files = [None if file is None else Path(file) for file in (arguments.tls_ca, arguments.tls_cert, arguments.tls_key)]
    if arguments.cluster is not None:
        if arguments.workers is not None:
            raise StudioError(tr("--workers and --cluster cannot be combined."))
        return partial(on_cluster, scheduler=Scheduler(arguments.cluster, *files))
    if any(files):
        raise StudioError(tr("--tls-ca, --tls-cert and --tls-key need --cluster."))
    workers = arguments.workers or cores()
    return one_by_one if workers == 1 else partial(side_by_side, workers=workers)


def _values(outcome: Outcome) -> dict[str, Any]:
    return {
        "table": str(outcome.table),
        "kept": outcome.kept,
        "boards": list(outcome.rows),
        "left": [str(path) for path in outcome.left],
    }


def _lines(outcome: Outcome, error: float) -> list[str]:
    """Report for the maker; `error` is the relative error of times."""
    from studio.exporting.writing import warned_of
    from studio.fabricate.costs import money, pricing

    good = [row for row in outcome.rows if row["serial"] not in outcome.faulty]
    facts = [
        many(len(good), "board"),
        tr("{count} of them finished before", count=outcome.kept) if outcome.kept else "",
        many(sum(row["pieces"] or 0 for row in good), "piece"),
    ]
    if any(row["cut_mm"] for row in good):
        facts += [
            tr("cut length {length}", length=metres(sum(row["cut_mm"] or 0.0 for row in good))),
            tr("about {duration}", duration=estimate(sum(row["seconds"] or 0.0 for row in good), error)),
        ]
    if any(row.get("cost") for row in good):
        cost = money(sum(row["cost"] or 0.0 for row in good), pricing().currency)
        facts.append(tr("cost {cost} in all, a puzzle of each", cost=cost))
    line = tr("Wrote {table}: {facts}.", table=outcome.table, facts=", ".join(filter(None, facts)))
    return [line, *filter(None, [warned_of(outcome.left)])]


def _complaint(outcome: Outcome) -> str:
    """Name the boards without files, and the problem of the first."""
    first = next(row for row in outcome.rows if row["serial"] == outcome.faulty[0])
    return tr(
        "Not exported: {boards}. First problem: {note}", boards=abridged(outcome.faulty, MOST_NAMED), note=first["note"]
    )


COMMANDS: dict[str, Command] = {
    "batch": Command(
        _batch,
        tr("make many boards of one design, each with a different seed, and a table of them"),
        FILE,
        counted("--count", tr("number of boards (default: one for each line of --names)")),
        argument(
            "--names",
            metavar="CSV",
            help=tr("a table with a line for each board; its columns name parameters or have edits"),
        ),
        set_option(
            tr(
                "a parameter or an export option; perturbation=0.1..0.3 is spread over the boards, "
                "tongue_style=classic;wave alternates, seed=100 counts up, and a text may contain {serial} and columns "
                "of --names"
            )
        ),
        counted("--first", tr("first serial number (default: 1)")),
        argument("--repair", action="store_true", help=tr("fix all problems of each board")),
        argument("--unique", action="store_true", help=tr("reshape tongues until each piece fits in one place only")),
        option(
            "studio.puzzles.jigsaw.game_positions:GameOptions",
            "clearance",
            help=tr("difference that keeps two edges from fitting, for --unique (default: the material's kerf)"),
        ),
        argument("--formats", metavar="FORMATS", help=tr("file formats, such as svg,dxf (default: dxf)")),
        *FOR_THE_LASER,
        SHEET,
        counted("--workers", tr("number of processes (default: one per core)")),
        argument(
            "--cluster",
            metavar="ADDRESS",
            help=tr(
                "a dask.distributed scheduler whose workers do the work; whoever reaches one without TLS can run "
                "programs on its computers, and on this one"
            ),
        ),
        argument("--tls-ca", metavar="PEM", help=tr("for a tls:// address: the certificate of your authority")),
        argument("--tls-cert", metavar="PEM", help=tr("for a tls:// address: the certificate of this computer")),
        argument("--tls-key", metavar="PEM", help=tr("for a tls:// address: the key of that certificate")),
        argument("-o", dest="out", metavar="FOLDER", required=True, help=tr("the folder for all files")),
        argument("--force", action="store_true", help=tr("export despite errors, and replace changed files")),
        JSON,
        description=tr(
            "Make boards that differ in their seed, or in the parameters that --set and --names vary, and write the "
            "design, the files for the laser or the printer, and a table of all boards. The same command continues a "
            "batch that was stopped; boards that are complete are skipped. Exit code 1: some boards have errors and "
            "were not exported."
        ),
    )
}
