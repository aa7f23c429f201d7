"""The commands of jigsaws: all problems fixed, how well pieces interlock, where they fit, and a custom tongue."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.cli.arguments import FILE, JSON, OUT_OR_SELF, Command, ExitCode, answered, argument, number_of
from studio.cli.designs import Rewriting
from studio.cli.keeping import REPLACE
from studio.cli.waiting import waiting
from studio.errors import StudioError
from studio.files.store import Saved, load
from studio.geometry.sliding import MOST
from studio.puzzles.jigsaw.geometry import shape
from studio.puzzles.jigsaw.hold import Grip, Holds, figure_words, holds, tongue_words, weakest_words
from studio.puzzles.jigsaw.model import JigsawDesign
from studio.texts import tr

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.repair import Repaired


def _interlock(arguments: argparse.Namespace) -> ExitCode:
    kerf = number_of(arguments.kerf, "--kerf", MOST) or 0.0
    design = _jigsaw(load(Path(arguments.file)))
    with waiting() as progress:
        shapes = shape(design, None, progress.part(0.0, 0.1))
        found = holds(shapes, progress.part(0.1, 1.0))
    answered(arguments, _as_json(found), *_lines(found, kerf))
    return ExitCode.NO if any(grip.is_loose(kerf) for grip in found.tongues) else ExitCode.DONE


def _lines(found: Holds, kerf: float) -> list[str]:
    named = [(grip.name, tongue_words(grip, kerf)) for grip in found.tongues]
    named += [(figure.name, figure_words(figure, kerf)) for figure in found.figures]
    named += [
        (f"{figure.name} {grip.name}", tongue_words(grip, kerf)) for figure in found.figures for grip in figure.grips
    ]
    width = max((len(name) for name, _ in named), default=0)
    return [*(f"{name:{width}}  {words}" for name, words in named), weakest_words(found, kerf)]


def _as_json(found: Holds) -> dict[str, Any]:
    """Clearances in mm, null above `most`."""
    return {
        "most": MOST,
        "tongues": _clearances(found.tongues),
        "figures": {figure.name: _clearances(figure.grips) for figure in found.figures},
    }


def _clearances(grips: tuple[Grip, ...]) -> dict[str, float | None]:
    return {grip.name: None if grip.clearance is None else round(grip.clearance, 3) for grip in grips}


def _fits(arguments: argparse.Namespace) -> ExitCode:
    from studio.fabricate.workshop import USUAL, Material, one_of
    from studio.puzzles.jigsaw.fits import LARGEST, false_fits, fits_words

    clearance = number_of(arguments.clearance, "--clearance", LARGEST)
    if clearance is None:
        clearance = one_of(Material, USUAL[Material]).value.kerf
    design = _jigsaw(load(Path(arguments.file)))
    with waiting() as progress:
        shapes = shape(design, None, progress.part(0.0, 0.3))
        found = false_fits(shapes, clearance, progress.part(0.3, 1.0))
    closest = [(f"{fit.one}, {fit.other}", tr("{distance:.3f} mm", distance=fit.distance)) for fit in found.worst]
    width = max((len(names) for names, _ in closest), default=0)
    value = {
        "clearance": found.clearance,
        "edges": len(found.edges),
        "pairs": found.pairs,
        "ambiguous": found.ambiguous,
        "share": round(found.share, 4),
        "worst": [[fit.one, fit.other, round(fit.distance, 3)] for fit in found.worst],
    }
    return answered(arguments, value, fits_words(found), *(f"{names:{width}}  {apart}" for names, apart in closest))


def _tongue(arguments: argparse.Namespace) -> ExitCode:
    from studio.files.tongues import read_tongue

    rewriting = Rewriting.of(arguments)
    design = _jigsaw(rewriting.saved)
    with waiting() as progress:
        profile = read_tongue(Path(arguments.drawing), progress)
    return rewriting.put(design.with_profile(profile))


def _repair(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.jigsaw.repair import repaired

    if arguments.out == "-" and arguments.json:
        raise StudioError(tr("--json and -o - cannot both write to standard output."))
    rewriting = Rewriting.of(arguments)
    design = _jigsaw(rewriting.saved)
    with waiting() as progress:
        found = repaired(design, progress)
    rewriting.put(found.design, says=not arguments.json)
    if rewriting.out != "-":
        answered(arguments, _values(found), *found.words)
    return ExitCode.NO if found.after.errors else ExitCode.DONE


def _values(found: Repaired) -> dict[str, Any]:
    """Lengths in mm."""
    return {
        "before": {"errors": found.before.errors, "warnings": found.before.warnings},
        "after": {"errors": found.after.errors, "warnings": found.after.warnings},
        "tongues": list(found.tongues),
        "corners": list(found.corners),
        "figures": list(found.figures),
        "locked": list(found.locked),
        "moved": {"mean": round(found.mean, 3), "largest": round(found.largest, 3)},
        "left": list(found.left),
    }


def _jigsaw(saved: Saved) -> JigsawDesign:
    """The jigsaw in a file; raises StudioError for another kind."""
    if not isinstance(saved.design, JigsawDesign):
        raise StudioError(tr("Only a jigsaw has tongues; this is a {kind} puzzle.", kind=saved.kind.key))
    return saved.design


COMMANDS: dict[str, Command] = {
    "repair": Command(
        _repair,
        tr("fix all problems of a jigsaw with a few small changes; exit code 1 if errors remain"),
        FILE,
        OUT_OR_SELF,
        REPLACE,
        JSON,
        description=tr(
            "Change as few tongues and corners as needed, as little as needed, until nothing overlaps and no limit is "
            "missed. Locked tongues change last. Where a limit cannot be met, the value that would be is stated. "
            "Lengths in --json are in mm."
        ),
    ),
    "fits": Command(
        _fits,
        tr("count the pairs of edges of a jigsaw that are too alike to tell where a piece fits"),
        FILE,
        argument(
            "--clearance",
            metavar="MM",
            help=tr("edges that differ by no more than this are a false fit (default: the kerf of plywood, 3 mm)"),
        ),
        JSON,
        description=tr(
            "Compare all inner edges of a jigsaw, knob into hole and pieces face up. Two edges are a false fit where "
            "neither differs from the other by more than the clearance. Distances in --json are in mm."
        ),
    ),
    "interlock": Command(
        _interlock,
        tr("list the clearance at which each tongue of a jigsaw pulls out; exit code 1 if any is loose"),
        FILE,
        argument("--kerf", metavar="MM", help=tr("tongues that pull out at less than this are loose")),
        JSON,
        description=tr(
            "List the clearance at which each tongue of a jigsaw can be slid out of its socket, and each figure off "
            "its neighbours. With --json clearances are in mm; null means that the pieces interlock even with the "
            "largest one tried."
        ),
    ),
    "tongue": Command(
        _tongue,
        tr("take a jigsaw's custom tongue from a drawing"),
        FILE,
        argument("drawing", metavar="DRAWING", help=tr("SVG or JSON file with one tongue")),
        OUT_OR_SELF,
        REPLACE,
        description=tr(
            "Give a jigsaw a custom tongue from an SVG file with one open path, from one corner of the edge to the "
            "other, smooth and with a neck. Or from a JSON file like those of the studio's own tongues. All tongues "
            "get the style own, unless some have it already."
        ),
    ),
}
