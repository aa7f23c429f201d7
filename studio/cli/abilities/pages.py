"""The command for the paper that goes with a puzzle, such as the assembly sheet of a cube."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.amounts import many
from studio.cli.designs import looked_at
from studio.cli.waiting import waiting
from studio.cli.words import FILE, JSON, Command, ExitCode, answered, set_word, settings, word
from studio.puzzles.abilities.pages import Pages


def _leaflet(words: argparse.Namespace) -> ExitCode:
    from studio.export.leaflet import write_leaflet
    from studio.export.paper import LeafletOptions

    options = LeafletOptions(**settings(LeafletOptions, words.settings))
    looked = looked_at(words.file)
    pages = looked.saved.kind.need(Pages)
    if looked.is_refused(words.file, force=words.force, made="written"):
        return ExitCode.NO
    with waiting() as progress:
        leaflet = pages.lay_out(looked.shapes, Path(words.file).stem, options.size, progress)
    reports = write_leaflet(leaflet, words.out)
    lines = (
        f"{one.path} is written: {many(one.pages, 'page')} of {one.width:.4g} × {one.height:.4g} mm." for one in reports
    )
    return answered(words, [report.values() for report in reports], *lines)


COMMANDS: dict[str, Command] = {
    "leaflet": Command(
        _leaflet,
        "write the paper that goes with a puzzle, such as a cube's assembly sheet",
        FILE,
        word("-o", dest="out", metavar="OUT", required=True, help="a file that ends in .pdf or .svg"),
        set_word("an option of the paper, such as paper=Letter"),
        word("--force", action="store_true", help="write it for a design with errors too"),
        JSON,
        description="Write the paper that goes with a puzzle, as PDF or SVG by the ending of OUT.",
    )
}
