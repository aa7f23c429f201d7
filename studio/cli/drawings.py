"""The commands that take drawings, pictures and files of other programs, and the part of `export` that writes such
files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from studio.base.amounts import abridged, many
from studio.base.atomic import write_bytes
from studio.base.encode import Library
from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr
from studio.cli.arguments import (
    FILE,
    OUT_OR_SELF,
    REPLACE,
    Command,
    argument,
    as_choice,
    as_number,
    refuse_existing,
    refuse_laser_options,
    refuse_work,
    settings,
    targets_of,
)
from studio.cli.designs import MOST_LISTED, Rewriting, design_of, put
from studio.cli.terminal import ExitCode, answered, print_error, waiting
from studio.files.imported_paths import OFFERED, Reading
from studio.files.store import DRAWINGS, Saved, import_files, import_text, is_text, load
from studio.geometry.art.artwork import MOST_BYTES
from studio.geometry.curves.joining import GAP, WIDEST_GAP
from studio.geometry.curves.rings import Closing
from studio.puzzles import registry
from studio.puzzles.abilities.ability import Convertible, Writer
from studio.puzzles.kind import AnyKind, Generated

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.model.design import JigsawDesign

UNIT = argument(
    "--unit",
    metavar="UNIT",
    type=as_choice("--unit", *OFFERED, "px"),
    help=tr("unit of the drawing's lengths, in place of its own: {units}", units=alternatives(OFFERED)),
)
LAYERS = argument(
    "--layer", dest="layers", metavar="NAME", action="append", default=[], help=tr("read this layer only; repeatable")
)
GAPS = argument(
    "--gap",
    metavar="MM",
    type=as_number("--gap", WIDEST_GAP, "mm"),
    default=GAP,
    help=tr("close gaps up to this width (default: {gap:g}, at most {widest:g})", gap=GAP, widest=WIDEST_GAP),
)
WELD = argument("--weld", action="store_true", help=tr("unite paths that overlap"))
FRAME = argument(
    "--no-frame", dest="keeps_frame", action="store_false", help=tr("leave out the rectangle around everything else")
)
ENGRAVED = argument(
    "--engrave", dest="engraved", metavar="NAME", action="append", default=[],
    help=tr("engrave this layer of a pattern of cuts; repeatable"),
)  # fmt: skip
READING = (UNIT, LAYERS, GAPS, WELD, FRAME)
NO_DRAWING = tr("--unit, --layer, --gap, --weld and --no-frame need a drawing in SVG or DXF.")


def reading_of(arguments: argparse.Namespace) -> Reading:
    """A command's options for its drawing."""
    closing = Closing(arguments.gap, getattr(arguments, "weld", False), getattr(arguments, "keeps_frame", True))
    return Reading(arguments.unit, tuple(arguments.layers), closing, tuple(getattr(arguments, "engraved", ())))


def refuse_reading(arguments: argparse.Namespace) -> None:
    """Raise StudioError if options of a drawing are given without one."""
    if reading_of(arguments) != Reading():
        raise StudioError(NO_DRAWING)


# The command that takes an outline: that of a board from a drawing, or a slitherlink's loop from a picture


def _outline(arguments: argparse.Namespace) -> ExitCode:
    rewriting = Rewriting.from_arguments(arguments)
    with waiting() as progress:
        made = _outlined(rewriting.saved, arguments, progress)
    if made.dropped:
        print_error(tr("Dropped edits that no longer fit: {dropped}.", dropped=abridged(made.dropped, MOST_LISTED)))
    return rewriting.put(made.design)


def _outlined(saved: Saved, arguments: argparse.Namespace, progress: Progress) -> Generated[Any]:
    """The design with its outline from a file; raises StudioError if its kind or the file has no outline."""
    from studio.files.drawing_import import READERS, read_paths
    from studio.puzzles.jigsaw.model.design import JigsawDesign
    from studio.puzzles.slitherlink.model import SlitherlinkDesign

    path = Path(arguments.picture)
    is_loops = isinstance(saved.design, SlitherlinkDesign)
    if isinstance(saved.design, JigsawDesign) or (is_loops and path.suffix.lower() in READERS):
        from studio.geometry.curves.rings import is_framed
        from studio.puzzles.jigsaw.model import edits as jigsaw
        from studio.puzzles.slitherlink import edits as slitherlink

        found = read_paths(path, reading_of(arguments), progress)
        for note in found.notes:
            print_error(note)
        if is_framed(found.rings):
            print_error(tr("If the outer rectangle is only the frame of a page, use --no-frame."))
        change: Any = slitherlink.with_board if is_loops else jigsaw.with_outline
        return cast("Generated[Any]", change(saved.design, found.rings, found.size, progress))
    if is_loops:
        refuse_reading(arguments)
        from studio.puzzles.slitherlink.edits import silhouette_of, with_outline

        try:
            cells = silhouette_of(saved.design, content(path, MOST_BYTES))
        except StudioError as problem:
            raise StudioError(tr("{picture} cannot be used: {problem}", picture=path, problem=problem)) from problem
        return with_outline(saved.design, cells, progress)
    raise StudioError(
        tr("Only a jigsaw or a slitherlink has an outline; this is a {kind} puzzle.", kind=saved.kind.key)
    )


# The command that puts a picture on a zigzaw: the tops of its cubes become pixels

FAR = 0.15
"""Mean colour difference at which a picture is hard to recognise."""


def _mosaic(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.zigzaw.colours import distance
    from studio.puzzles.zigzaw.generate import with_picture
    from studio.puzzles.zigzaw.model import LETTERS, Photo, ZigzawDesign

    rewriting = Rewriting.from_arguments(arguments)
    before: ZigzawDesign = design_of(rewriting.saved, "zigzaw")
    try:
        photo = Photo(content(Path(arguments.picture), MOST_BYTES))
    except StudioError as problem:
        raise StudioError(
            tr("{picture} cannot be used: {problem}", picture=arguments.picture, problem=problem)
        ) from problem
    with waiting() as progress:
        design = with_picture(before, photo, progress)
    code = rewriting.put(design)
    if arguments.out != "-":
        apart, most = distance(design), len(LETTERS)
        words = tr(
            "Mean colour difference from the picture, sides included: {distance:.3f} (black to white = 1).",
            distance=apart,
        )
        if apart > FAR and design.parameters.paint_count < most:
            words += " " + tr("More colours come nearer: scheme=any and colours={most}.", most=most)
        print(words)
    return code


# The command for the libraries of figures and tongues


def _library(arguments: argparse.Namespace) -> ExitCode:
    from studio.files.drawing_import import READERS, TONGUE_SUFFIXES, drawings_in, read_figure, read_tongue
    from studio.puzzles.jigsaw.figures.silhouettes import OWN_FIGURES
    from studio.puzzles.jigsaw.tongues.profiles import OWN_TONGUES

    own: Library[Any] = OWN_TONGUES if arguments.tongues else OWN_FIGURES
    suffixes = TONGUE_SUFFIXES if arguments.tongues else READERS
    if arguments.tongues and reading_of(arguments) != Reading():
        raise StudioError(tr("--unit, --layer, --gap, --weld and --no-frame are for figures."))
    if arguments.remove and (arguments.drawings or arguments.tags):
        raise StudioError(tr("Use --remove alone."))
    for key in arguments.remove:
        own.discard(key)
        print(tr("Removed {key}.", key=key))
    paths: list[Path] = []
    for path in map(Path, arguments.drawings):
        paths += drawings_in(path, suffixes) if os.path.isdir(path) else [path]
    refused = False
    for path in paths:
        notes: Sequence[str] = ()
        try:
            with waiting() as progress:
                if arguments.tongues:
                    item: Any = read_tongue(path, progress)
                else:
                    item, notes = read_figure(path, progress, reading_of(arguments))
            kept = own.keep(item, arguments.tags)
        except StudioError as problem:
            print_error(str(problem))
            refused = True
            continue
        for note in notes:
            print_error(note)
        print(tr("Kept {title} as {key}.", title=kept.item.title, key=kept.key))
    if not arguments.drawings and not arguments.remove:
        found, problems = own.items()
        for one in found:
            print("  ".join([one.key, one.item.title, *([f"({', '.join(one.tags)})"] if one.tags else [])]))
        for said in problems:
            print_error(said)
    return ExitCode.UNUSABLE if refused else ExitCode.DONE


def _mask(arguments: argparse.Namespace) -> ExitCode:
    from studio.files.drawing_import import read_followed, read_mask
    from studio.puzzles.jigsaw.picture.masks import area_on_board, changed, ensure_steerable

    rewriting = Rewriting.from_arguments(arguments)
    design: JigsawDesign = design_of(rewriting.saved, "jigsaw")
    if arguments.faces:
        return _faces(rewriting, design, arguments)
    if (arguments.area is not None) == arguments.clear:
        raise StudioError(tr("Either name a file with the protected area or use --clear."))
    if arguments.uncut and arguments.follow:
        raise StudioError(tr("Use either --uncut or --follow."))
    if arguments.follow and arguments.invert:
        raise StudioError(tr("--invert needs an area; --follow reads lines."))
    if arguments.strength is not None and not arguments.follow:
        raise StudioError(tr("--strength needs --follow."))
    name = "uncut" if arguments.uncut else "lines" if arguments.follow else "mask"
    before: Any = getattr(design, name)
    nothing: dict[str, Any] = {name: () if arguments.follow else None}
    if arguments.clear:
        refuse_reading(arguments)
        if not before:
            raise StudioError(_NOTHING[name])
        return rewriting.put(replace(design, **nothing))
    if name != "mask":
        ensure_steerable(design)
    path, reading = Path(arguments.area), reading_of(arguments)
    found: Any
    with waiting() as progress:
        if arguments.follow:
            strength = 1.0 if arguments.strength is None else arguments.strength / 100
            found, notes = read_followed(path, design.picture, design.size, strength, progress, reading)
        else:
            found, notes = read_mask(path, design.picture, design.size, progress, reading, inverts=arguments.invert)
    for note in notes:
        print_error(note)
    if arguments.add and arguments.follow:
        found = (*before, *found)
    elif arguments.add and before is not None:
        area = area_on_board(found, design.picture, design.size)
        found = changed(before, area, design.picture, design.size) or found
    return rewriting.put(replace(design, **{name: found}))


def _faces(rewriting: Rewriting, design: JigsawDesign, arguments: argparse.Namespace) -> ExitCode:
    """Keep the eyes and mouths of faces whole; without a face nothing is written, and the answer is no."""
    from studio.puzzles.jigsaw.picture.faces import with_faces_whole

    others = (arguments.area, arguments.clear, arguments.follow, arguments.invert, arguments.strength)
    if any(each is not None and each is not False for each in others) or reading_of(arguments) != Reading():
        raise StudioError(tr("--faces takes no area and none of its options; it adds to the uncut area."))
    with waiting() as progress:
        changed, count = with_faces_whole(design, progress)
    if not count:
        print_error(tr("No faces found. Name a file with the eyes and mouths, with --uncut."))
        return ExitCode.NO
    code = rewriting.put(changed)
    if arguments.out != "-":
        print(tr("Found {faces}; no cut should enter the eyes and mouths.", faces=many(count, "face")))
    return code


_NOTHING = {
    "mask": tr("There is no protected area to clear."),
    "uncut": tr("There is no uncut area to clear."),
    "lines": tr("There are no lines to clear."),
}

MASK = Command(
    _mask,
    tr("load or clear what is painted on a jigsaw: its protected area, its uncut area, or lines that cuts follow"),
    FILE,
    argument("area", metavar="AREA", nargs="?", help=tr("picture, SVG or DXF file with the area, or with the lines")),
    argument("--uncut", action="store_true", help=tr("don't cut here: the area is one that no cut should enter")),
    argument("--faces", action="store_true", help=tr("find faces in the picture, and don't cut their eyes and mouths")),
    argument("--follow", action="store_true", help=tr("follow these lines: cuts run along the paths of a drawing")),
    argument(
        "--strength",
        metavar="PERCENT",
        type=as_number("--strength", 100, "%"),
        help=tr("how far corners move onto the lines (default: 100)"),
    ),
    argument("--add", action="store_true", help=tr("add to what is painted instead of replacing it")),
    argument("--invert", action="store_true", help=tr("take everything else instead")),
    argument("--clear", action="store_true", help=tr("remove the area, or the lines")),
    *READING,
    OUT_OR_SELF,
    REPLACE,
    description=tr(
        "Protect a part of the board, such as lettering: tongues and corners in it are reported, and `repair` moves "
        "them out. With --uncut, no cut at all enters the area, such as an eye, where pieces can make room for it; "
        "with --follow, cuts run along lines, and along the picture's own contour beside them. --faces finds faces in "
        "the jigsaw's picture, and adds their eyes and mouths to the uncut area. A picture "
        "gives its dark parts as the area, or its opaque ones if it has transparency; it is laid over the jigsaw's "
        "picture, or over the board. An SVG or DXF file gives its closed paths, in mm on the board. Areas and lines "
        "move with the jigsaw's picture."
    ),
)


# Files of other programs: the command that reads puzzles from them, and the part of `export` that writes them


def is_for_a_program(arguments: argparse.Namespace) -> bool:
    """True if an export asks for a file of another program, by the ending of its file or by --format."""
    return _suffix(arguments) in {writer.suffix for formats in _known() for writer in formats.writers}


def _known() -> list[Convertible[Any]]:
    return [able for kind in registry.kinds() if (able := kind.able(Convertible)) is not None]


def _suffix(arguments: argparse.Namespace) -> str:
    suffix = Path(arguments.out).suffix if arguments.format is None else f".{arguments.format.lstrip('.')}"
    return str(suffix.lower())


def export_texts(arguments: argparse.Namespace) -> ExitCode:
    """Write some designs for other programs."""
    suffix = _suffix(arguments)
    refuse_laser_options(arguments, tr("{suffix} files", suffix=suffix))
    if arguments.printer is not None:
        raise StudioError(tr("--printer is for 3-D printing only, not for {suffix} files.", suffix=suffix))
    designs = [load(Path(file)) for file in arguments.files]
    writers: list[Writer[Any]] = [saved.kind.need(Convertible).writer(suffix) for saved in designs]
    chosen = [writer.options(**settings(writer.options, arguments.settings)) for writer in writers]
    asked = "" if arguments.format is None else f"--format {arguments.format}"
    targets = targets_of(arguments.files, arguments.out, suffix, asked)
    refuse_work(targets, force=arguments.force)
    done: list[dict[str, Any]] = []
    for saved, writer, options, target in zip(designs, writers, chosen, targets, strict=True):
        with waiting() as progress:
            data = writer.write(saved.design, options, progress)
        write_bytes(target, data)
        done.append({"path": str(target), "bytes": len(data)})
    return answered(arguments, done, *(tr("Wrote {path}.", path=one["path"]) for one in done))


def _import(arguments: argparse.Namespace) -> ExitCode:
    kind = None if arguments.kind is None else registry.kind(arguments.kind)
    refuse_existing(arguments.out, force=arguments.force)
    with waiting() as progress:
        saved = _imported(arguments.files, kind, reading_of(arguments), progress.part(0.0, 0.5))
        able = saved.kind.able(Convertible)
        remark = able.remark(saved.design, progress.part(0.5, 1.0)) if able is not None else ""
    code = put(saved, arguments.out)
    for said in filter(None, (*saved.notes, remark)):
        print_error(said)
    return code


def _imported(arguments: Sequence[str], kind: AnyKind | None, reading: Reading, progress: Progress) -> Saved:
    """The puzzle in files, or in one argument that is no file but a text that some kind reads."""
    if reading != Reading() and Path(arguments[0]).suffix.lower() not in DRAWINGS:
        raise StudioError(NO_DRAWING)
    if "" in arguments:
        raise StudioError(tr("The file or text to import is empty."))
    if len(arguments) == 1 and not os.path.exists(arguments[0]) and is_text(arguments[0]):
        return import_text(arguments[0], kind, progress)
    return import_files([Path(argument) for argument in arguments], kind, progress, reading)


COMMANDS: dict[str, Command] = {
    "library": Command(
        _library,
        tr("list your own figures or tongues, and keep those of drawings for every puzzle"),
        argument("drawings", metavar="DRAWING", nargs="*", help=tr("SVG or DXF files, or folders of them, to keep")),
        argument(
            "--tongues", action="store_true", help=tr("tongues instead of figures, each from an SVG or JSON file")
        ),
        argument(
            "--tag",
            dest="tags",
            metavar="WORDS",
            action="append",
            default=[],
            help=tr("words by which a search finds them; repeatable"),
        ),
        argument("--remove", metavar="KEY", action="append", default=[], help=tr("remove one from the library")),
        *READING,
        description=tr(
            "Keep figures of a maker's own across puzzles: each closed path of an SVG or DXF file, or of all such "
            "files in a folder. With --tongues keep tongues, each the open path of an SVG file. Without a drawing, "
            "list them. `figure FILE KEY` adds a figure to a jigsaw, and `tongue FILE KEY` gives it a tongue."
        ),
    ),
    "outline": Command(
        _outline,
        tr("take the outline of a board from a drawing, or a slitherlink's loop from a picture"),
        FILE,
        argument("picture", metavar="PICTURE", help=tr("SVG or DXF file for a board; PNG, JPEG or GIF for a loop")),
        *READING,
        OUT_OR_SELF,
        REPLACE,
        description=tr(
            "Give a jigsaw or the cells of a slitherlink the outline of a closed path in an SVG or DXF file, at its "
            "true size; a jigsaw's may have holes. Or turn the outline of a picture's subject into the loop of a "
            "slitherlink, with clues that have a unique solution; set loop=winding afterwards to fill the shape with "
            "the loop instead."
        ),
    ),
    "mosaic": Command(
        _mosaic,
        tr("show a picture on the tops of a zigzaw's cubes"),
        FILE,
        argument("picture", metavar="PICTURE", help=tr("PNG or JPEG file")),
        OUT_OR_SELF,
        REPLACE,
        description=tr(
            "Show a picture on the tops of a zigzaw's cubes, one cube per pixel; with dither=false each top gets "
            "the nearest colour. Any three colours (scheme=any) make a unique solution easier to find than real "
            "cubes."
        ),
    ),
    "import": Command(
        _import,
        tr("import a puzzle from another file format or from text"),
        argument("files", metavar="FILE", nargs="+", help=tr("a file, a folder, or a text such as a Loopy game ID")),
        argument("-o", dest="out", metavar="OUT", required=True, help=tr("the .puzzle file; - for standard output")),
        argument("--kind", metavar="KIND", help=tr("the kind of puzzle, if the files do not say")),
        *READING[:3],
        ENGRAVED,
        REPLACE,
        description=tr(
            "Import a puzzle from another file format, such as a zigzaw's pieces and border in JSON, a cube from "
            "BurrTools or the cuts of a jigsaw in SVG or DXF, or from text: a slitherlink's Loopy game ID or puzz.link "
            "address (nothing is fetched from the network)."
        ),
    ),
}
