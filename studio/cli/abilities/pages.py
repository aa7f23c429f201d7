"""The command for the paper that goes with a puzzle, such as the assembly sheet of a cube."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from studio.cli.designs import looked_at
from studio.cli.waiting import waiting
from studio.cli.words import AddCommand, Answer, json_word, printed_json, set_word, settings
from studio.puzzles.abilities.pages import Pages


def _leaflet_words(commands: Any, name: str) -> None:
    command = commands.add_parser(
        name,
        help="write the paper that goes with a puzzle, such as a cube's assembly sheet",
        description="Write the paper that goes with a puzzle, as PDF or SVG by the ending of OUT.",
    )
    command.add_argument("file", metavar="FILE")
    command.add_argument("-o", dest="out", metavar="OUT", required=True, help="a file that ends in .pdf or .svg")
    set_word(command, "an option of the paper, such as paper=Letter")
    command.add_argument("--force", action="store_true", help="write it for a design with errors too")
    json_word(command)
    command.set_defaults(answer=_leaflet)


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


COMMANDS: dict[str, AddCommand] = {"leaflet": _leaflet_words}
