"""The commands that make a book of slitherlinks, and a loop of what a picture shows."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.amounts import many
from studio.cli.designs import put
from studio.cli.keeping import REPLACE, REPLACE_WORK, refuse_changed, refuse_existing, refuse_work
from studio.cli.waiting import waiting
from studio.cli.words import FILE, JSON, Command, ExitCode, answered, is_folder, set_word, settings, targets_in, word
from studio.errors import StudioError
from studio.files.store import Saved, load
from studio.geometry.artwork import MOST_BYTES
from studio.parameters import ParameterError
from studio.stored import content
from studio.texts import tr

_OWN = {"seed": "--seed", "difficulty": tr("--from and --to")}
"""Parameters of a puzzle that a book has words of its own for."""

_WORDS = {"easiest": "--from", "hardest": "--to", "per_page": "--per-page"}
"""The words for parameters of a book that are not called like them."""


def _book(words: argparse.Namespace) -> ExitCode:
    from studio.export.leaflet import ensure_target, write_leaflet
    from studio.export.paper import LeafletOptions
    from studio.puzzles.slitherlink.book import PAPERS, BookOptions, book_of
    from studio.puzzles.slitherlink.model import SlitherlinkParameters

    values = settings(SlitherlinkParameters, words.settings)
    for name in values.keys() & _OWN.keys():
        raise StudioError(tr("Use {own} instead of --set {name}.", own=_OWN[name], name=name))
    papers = {name.lower(): name for name in PAPERS}
    own = {
        "count": words.count, "easiest": words.easiest, "hardest": words.hardest, "per_page": words.per_page,
        "title": words.title, "seed": words.seed, "paper": words.paper and papers.get(words.paper.lower(), words.paper),
    }  # fmt: skip
    texts = [f"{name}={value}" for name, value in own.items() if value is not None]
    try:
        options = BookOptions(**settings(BookOptions, texts))
    except ParameterError as problem:
        raise StudioError(
            str(problem).replace(problem.name, _WORDS.get(problem.name, f"--{problem.name}"), 1)
        ) from None
    target = targets_in(words.out, ["book"], ".svg")[0] if is_folder(words.out) else Path(words.out)
    refuse_work([target], force=words.force)
    ensure_target(target)
    with waiting() as progress:
        size = LeafletOptions(paper=options.paper).size
        leaflet = book_of(SlitherlinkParameters(**values), options, size, progress.part(0.0, 0.7))
        reports = write_leaflet(leaflet, target, progress.part(0.7, 1.0))
    count = sum(report.pages for report in reports)
    line = tr(
        "Wrote {path}: {puzzles} on {pages} of {paper}.",
        path=reports[0].path,
        puzzles=many(options.count, "puzzle"),
        pages=many(count, "page"),
        paper=options.paper,
    )
    if len(reports) > 1:
        line = tr(
            "Wrote {path} to {name}, one page each: {puzzles}.",
            path=reports[0].path,
            name=reports[-1].path.name,
            puzzles=many(options.count, "puzzle"),
        )
    return answered(words, [report.values() for report in reports], line)


def _outline(words: argparse.Namespace) -> ExitCode:
    from studio.puzzles.slitherlink.edits import silhouette_of, with_outline
    from studio.puzzles.slitherlink.model import SlitherlinkDesign

    out = words.file if words.out is None else words.out
    refuse_existing(out, force=words.force, own=words.file)
    saved = load(Path(words.file))
    if not isinstance(saved.design, SlitherlinkDesign):
        raise StudioError(tr("Only a slitherlink has a loop; this is a {key} puzzle.", key=saved.kind.key))
    try:
        cells = silhouette_of(saved.design, content(Path(words.picture), MOST_BYTES))
    except StudioError as problem:
        raise StudioError(
            tr("{picture} cannot be used: {problem}", picture=words.picture, problem=problem)
        ) from problem
    with waiting() as progress:
        design = with_outline(saved.design, cells, progress)
    refuse_changed(words.file, out, saved, force=words.force)
    return put(Saved(saved.kind, design), out)


COMMANDS: dict[str, Command] = {
    "outline": Command(
        _outline,
        tr("trace a picture as the loop of a slitherlink"),
        FILE,
        word("picture", metavar="PICTURE", help=tr("PNG, JPEG or GIF file")),
        word(
            "-o", dest="out", metavar="FILE", help=tr("the file to write; - for standard output (default: FILE itself)")
        ),
        REPLACE,
        description=tr(
            "Trace the outline of the subject of a picture as the loop of a slitherlink, with clues that have a "
            "unique solution. Set loop=winding afterwards to fill the shape with the loop instead."
        ),
    ),
    "book": Command(
        _book,
        tr("make a book of slitherlinks, solutions at the back"),
        word("--count", metavar="N", help=tr("number of puzzles (default: 24)")),
        word(
            "--from",
            dest="easiest",
            metavar="DIFFICULTY",
            help=tr("difficulty of the first puzzle: easy, normal, tricky or hard"),
        ),
        word("--to", dest="hardest", metavar="DIFFICULTY", help=tr("difficulty of the last puzzle")),
        word("--per-page", dest="per_page", metavar="N", help=tr("puzzles per page (default: 4)")),
        word("--title", metavar="TITLE", help=tr("title on the title page")),
        set_word(tr("set a parameter of the puzzles, such as columns=10; `params slitherlink` lists them")),
        word("--seed", metavar="N", help=tr("random seed; another one gives other puzzles")),
        word("--paper", metavar="PAPER", help=tr("A4 or Letter")),
        word("-o", dest="out", metavar="OUT", required=True, help=tr("a .pdf or .svg file, or a folder for SVG pages")),
        REPLACE_WORK,
        JSON,
        description=tr(
            "Make a book of slitherlinks: title page, rules, puzzles of rising difficulty, each with a proven "
            "unique solution, and all solutions at the back. PDF is one file, SVG one file per page."
        ),
    ),
}
