"""The command for the paper that goes with a puzzle, such as the assembly sheet of a cube."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.cli.designs import looked_at
from studio.cli.waiting import waiting
from studio.cli.words import FILE, JSON, Answer, Command, printed_json, set_word, settings, word
from studio.puzzles.abilities.pages import Pages


def _leaflet(words: argparse.Namespace) -> Answer:
    from studio.export.leaflet import write_leaflet
    from studio.export.paper import LeafletOptions

    options = LeafletOptions(**settings(LeafletOptions, words.settings))
    looked = looked_at(words.file)
    pages = looked.saved.kind.need(Pages)
    if looked.is_refused(words.file, force=words.force, made="written"):
        return Answer.NO
    with waiting() as progress:
        leaflet = pages.lay_out(looked.shapes, Path(words.file).stem, options.size, progress)
    reports = write_leaflet(leaflet, words.out)
    if words.json:
        return printed_json([report.values() for report in reports])
    for report in reports:
        count = f"{report.pages} page{'' if report.pages == 1 else 's'}"
        print(f"{report.path} is written: {count} of {report.width:.4g} × {report.height:.4g} mm.")
    return Answer.DONE


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
