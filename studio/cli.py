"""The studio without a window: make, change, check and export puzzles, and draw pictures of them.

Exit codes: 0 done; 1 the answer is no (the design will not cut); 2 the request or a file is unusable, told in one
sentence on standard error.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import studio
from studio.atomic import write_bytes
from studio.checks.finding import Finding, Severity
from studio.errors import StudioError
from studio.files.store import SUFFIX, Saved, dumps, load
from studio.geometry.shapes import Shapes
from studio.parameters import Declaration, declaration, declarations, parsed
from studio.progress import Progress
from studio.puzzles import registry

if TYPE_CHECKING:
    from studio.export.target import Options, Report

LARGEST_PICTURE = 16384
"""Pixels along a side of the largest picture; image readers refuse larger ones."""
MOST_OF_A_KIND = 20
"""Findings of one kind that are told one by one; small pieces on a large board have a thousand narrow necks."""
STOPPED = 130
"""What shells report of a command that Ctrl-C ended."""
UNREAD = 141
"""What shells report of a command whose reader went away."""


class Answer(IntEnum):
    """How a command ends."""

    DONE = 0
    NO = 1
    UNUSABLE = 2


def main(argv: Sequence[str]) -> int:
    """Run one command, given without the program's name, and return its exit code."""
    with contextlib.suppress(AttributeError, ValueError):
        # A name or a unit that the terminal cannot show must not stop the work.
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = _answered(argv)
        sys.stdout.flush()
        return code
    except StudioError as problem:
        _tell(problem)
        return Answer.UNUSABLE
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        _silence()
        return UNREAD
    except OSError as problem:
        _silence()
        _tell(f"{problem.filename or 'Standard output'} could not be used: {problem.strerror or problem}.")
        return Answer.UNUSABLE


def _answered(argv: Sequence[str]) -> int:
    if not argv or not (argv[0].startswith("-") or argv[0] in _COMMANDS):
        return _window(argv)
    try:
        words = _parser().parse_args(argv)
    except SystemExit as done:
        return int(done.code or 0)
    answer: Answer = words.answer(words)
    return answer


def _tell(problem: object) -> None:
    print(" ".join(str(problem).split()), file=sys.stderr)


def _silence() -> None:
    """Send what is left of standard output nowhere, so that Python does not complain of it when it ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


# The words of a command


class _Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one sentence."""

    def __init__(self, **known: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **known)

    def error(self, message: str) -> NoReturn:
        raise StudioError(f"{message[:1].upper()}{message[1:].rstrip('.')}; see `{self.prog} --help`.")


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m studio",
        description="Puzzle Studio: design jigsaws by hand, check them and take them to the laser cutter.",
        epilog="With no command, or with files only, the window opens.",
    )
    parser.add_argument("--version", action="version", version=f"Puzzle Studio {studio.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, add in _COMMANDS.items():
        add(commands, name)
    return parser


def _kinds_words(commands: Any, name: str) -> None:
    command = commands.add_parser(name, help="list the kinds of puzzle")
    _json_word(command)
    command.set_defaults(answer=_kinds)


def _params_words(commands: Any, name: str) -> None:
    command = commands.add_parser(name, help="list the parameters of a kind of puzzle")
    command.add_argument("kind", metavar="KIND")
    _json_word(command)
    command.set_defaults(answer=_params)


def _new_words(commands: Any, name: str) -> None:
    command = commands.add_parser(name, help="make a new design")
    command.add_argument("kind", metavar="KIND")
    _set_word(command, "a parameter of the design, such as columns=30; `params KIND` lists them")
    command.add_argument("-o", dest="out", metavar="FILE", required=True, help="- for standard output")
    command.set_defaults(answer=_new)


def _edit_words(commands: Any, name: str) -> None:
    command = commands.add_parser(name, help="change parameters of a design and keep what was shaped by hand")
    command.add_argument("file", metavar="FILE")
    _set_word(command, "a parameter of the design, such as columns=30", required=True)
    command.add_argument("-o", dest="out", metavar="FILE", help="- for standard output; without it FILE itself")
    command.set_defaults(answer=_edit)


def _check_words(commands: Any, name: str) -> None:
    command = commands.add_parser(name, help="say where a design will not cut; exit code 1 if there is an error")
    command.add_argument("file", metavar="FILE")
    _json_word(command)
    command.set_defaults(answer=_check)


def _export_words(commands: Any, name: str) -> None:
    command = commands.add_parser(
        name,
        help="write files for the laser cutter",
        description="Write designs as files for the laser cutter and report what was read back from them.",
    )
    command.add_argument("files", metavar="FILE", nargs="+")
    command.add_argument(
        "-o", dest="out", metavar="OUT", required=True, help="a file whose ending says the format, or a folder"
    )
    command.add_argument("--format", metavar="FORMAT", help="the format of the files in a folder (default dxf)")
    command.add_argument("--profile", metavar="PROFILE", help="the same as --set profile=PROFILE")
    _set_word(command, "an option of the file, such as tolerance=0.05 or curves=spline; a wrong name lists them")
    command.add_argument(
        "--force", action="store_true", help="write a design with errors too, and report the faces found"
    )
    _json_word(command)
    command.set_defaults(answer=_export)


def _picture_words(commands: Any, name: str) -> None:
    command = commands.add_parser(name, help="draw a design, or the whole window, into a PNG file")
    command.add_argument("file", metavar="FILE")
    command.add_argument("-o", dest="out", metavar="OUT.png", required=True)
    command.add_argument("--window", action="store_true", help="the whole window, not only the drawing")
    command.add_argument("--theme", choices=("light", "dark"), default="light")
    command.add_argument("--size", metavar="WxH", default="1440x900", help="in pixels (default 1440x900)")
    command.add_argument("--scale", metavar="N", default="1", help="pixels for each of them (default 1)")
    command.set_defaults(answer=_picture)


def _json_word(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON value and nothing else")


def _set_word(command: argparse.ArgumentParser, help: str, required: bool = False) -> None:
    command.add_argument(
        "--set", dest="settings", metavar="name=value", action="append", default=[], required=required, help=help
    )


_COMMANDS = {
    "kinds": _kinds_words,
    "params": _params_words,
    "new": _new_words,
    "edit": _edit_words,
    "check": _check_words,
    "export": _export_words,
    "picture": _picture_words,
}


def _settings(parameters: type[Any], texts: Sequence[str]) -> dict[str, Any]:
    """The values that `name=value` texts mean; raises StudioError for a name unknown, a misfit, or a name twice."""
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        known = declaration(parameters, name)
        if not equals:
            raise StudioError(f"--set {name} lacks a value; write {name}=VALUE with {known.bounds}.")
        if name in values:
            raise StudioError(f"--set {name} is there twice.")
        values[name] = parsed(known, value)
    return values


# What each command does


def _kinds(words: argparse.Namespace) -> Answer:
    if words.json:
        return _printed_json(
            [{"key": kind.key, "title": kind.title, "summary": kind.summary} for kind in registry.KINDS]
        )
    for kind in registry.KINDS:
        print(f"{kind.key}  {kind.summary}")
    return Answer.DONE


def _params(words: argparse.Namespace) -> Answer:
    known = declarations(registry.kind(words.kind).parameters)
    if words.json:
        return _printed_json([_declared(one) for one in known])
    name_width = max(len(one.name) for one in known)
    value_width = max(len(_value(one.default)) for one in known)
    for one in known:
        print(f"{one.name:{name_width}}  {_value(one.default):{value_width}}  {one.bounds}: {one.help}")
    return Answer.DONE


def _declared(one: Declaration) -> dict[str, Any]:
    names = ("name", "title", "type", "default", "minimum", "maximum", "step", "unit", "choices", "help")
    return {name: getattr(one, name) for name in names} | {"choices": [choice.value for choice in one.choices]}


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _new(words: argparse.Namespace) -> Answer:
    kind = registry.kind(words.kind)
    parameters = kind.parameters(**_settings(kind.parameters, words.settings))
    return _put(Saved(kind, kind.generate(parameters, None, Progress())), words.out)


def _edit(words: argparse.Namespace) -> Answer:
    saved = load(Path(words.file))
    changes = _settings(saved.kind.parameters, words.settings)
    parameters = dataclasses.replace(saved.design.parameters, **changes)
    design = saved.kind.generate(parameters, saved.design, Progress())
    return _put(Saved(saved.kind, design), words.file if words.out is None else words.out)


def _put(saved: Saved, out: str) -> Answer:
    """Write a design to a file, or to standard output where `out` is a dash."""
    data = dumps(saved.kind, saved.design)
    if out == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return Answer.DONE
    write_bytes(Path(out), data)
    print(f"{out} is written.")
    return Answer.DONE


@dataclass(frozen=True)
class _Looked:
    """A design from a file with its shapes and findings."""

    saved: Saved
    shapes: Shapes
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]


def _looked_at(file: str) -> _Looked:
    saved = load(Path(file))
    shapes = saved.kind.shape(saved.design, None, Progress())
    return _Looked(saved, shapes, saved.kind.check(saved.design, shapes, None, Progress()).findings)


def _check(words: argparse.Namespace) -> Answer:
    looked = _looked_at(words.file)
    if words.json:
        _printed_json([_found(finding) for finding in looked.findings])
    else:
        print("\n".join(_lines_of(looked.findings)))
    return Answer.NO if looked.errors else Answer.DONE


def _lines_of(findings: Sequence[Finding]) -> list[str]:
    """Findings as lines; of a kind that floods the screen only the first are told one by one."""
    if not findings:
        return ["No findings. This board will cut."]
    lines, counts = [], Counter[str]()
    for finding in findings:
        counts[finding.kind] += 1
        if counts[finding.kind] <= MOST_OF_A_KIND:
            x, y = finding.place
            lines.append(f"{finding.severity.name.lower()} at {x:.1f}, {y:.1f} mm: {finding.message}")
    lines += [
        f"… and {count - MOST_OF_A_KIND} more of the kind {kind}; --json lists them all."
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
    }


def _export(words: argparse.Namespace) -> Answer:
    from studio.export.target import Options

    settings = list(words.settings)
    if words.profile is not None:
        settings.append(f"profile={words.profile}")
    options = Options(**_settings(Options, settings))
    targets = _targets(words.files, words.out, words.format)
    reports, refused = [], False
    for file, target in zip(words.files, targets, strict=True):
        report = _exported(file, target, options, words.force)
        refused = refused or report is None
        if report is not None:
            reports.append(report)
            if not words.json:
                _print_report(report)
    if words.json:
        _printed_json([dataclasses.asdict(report) | {"path": str(report.path)} for report in reports])
    return Answer.NO if refused else Answer.DONE


def _targets(files: Sequence[str], out: str, format: str | None) -> list[Path]:
    """The file that each of some designs goes to; raises StudioError where that cannot be made out."""
    from studio.export.target import SUFFIXES

    suffix = f".{(format or 'dxf').lstrip('.').lower()}"
    if suffix not in SUFFIXES:
        raise StudioError(f"--format must be {' or '.join(known[1:] for known in SUFFIXES)}, not {format!r}.")
    path = Path(out)
    is_folder = path.is_dir() or out.endswith(("/", os.sep))
    if not is_folder and len(files) == 1:
        if format is not None and path.suffix.lower() != suffix:
            raise StudioError(f"--format {format} does not go with {path.name}, whose ending says otherwise.")
        return [path]
    if not is_folder and (path.suffix or path.exists()):
        raise StudioError(f"{len(files)} designs need a folder to go to, and {out} is none.")
    with _told(f"The folder {out} could not be made"):
        path.mkdir(exist_ok=True)
    targets = [path / f"{Path(file).stem}{suffix}" for file in files]
    for target in targets:
        if targets.count(target) > 1:
            raise StudioError(f"Two of the designs would both become {target}.")
    return targets


def _exported(file: str, target: Path, options: Options, force: bool) -> Report | None:
    """What the written file holds, or None for a design that has errors and is not forced; that is then told."""
    from studio.export.target import write

    looked = _looked_at(file)
    count = len(looked.errors)
    if count and not force:
        errors = "an error" if count == 1 else f"{count} errors"
        _tell(f"{file} has {errors} and is not exported without --force; the first: {looked.errors[0].message}")
        return None
    return write(looked.shapes.drawing, target, options, force=force)


def _print_report(report: Report) -> None:
    faces = f"{report.faces} faces"
    if report.faces != report.pieces:
        faces += f" instead of {report.pieces}"
    print(
        f"{report.path} is written: {report.width:g} × {report.height:g} mm, {report.chains} cuts, "
        f"cut length {report.cut_length:.1f} mm, {faces}."
    )


def _picture(words: argparse.Namespace) -> Answer:
    out = Path(words.out)
    if out.suffix.lower() != ".png":
        raise StudioError(f"A picture is a PNG file; {words.out} must end in .png.")
    size, scale = _pixels(words.size, words.scale)
    saved = load(Path(words.file))
    with _qt():
        from studio.ui.picture import save_picture
    save_picture(saved.kind, saved.design, out, window=words.window, theme=words.theme, size=size, scale=scale)
    print(f"{words.out} is written.")
    return Answer.DONE


def _pixels(size: str, scale: str) -> tuple[tuple[int, int], float]:
    """Width and height of a picture and the pixels for each; raises StudioError where they are out of bounds."""
    match = re.fullmatch(r"([0-9]{1,5})[xX×]([0-9]{1,5})", size)
    if match is None:
        raise StudioError(f"--size must be width x height in pixels, such as 1440x900, not {size!r}.")
    width, height = int(match[1]), int(match[2])
    factor = float(scale) if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", scale) else 0.0
    if not 0.25 <= factor <= 8:
        raise StudioError(f"--scale must be a number from 0.25 to 8, not {scale!r}.")
    if not (min(width, height) >= 16 and max(width, height) * factor <= LARGEST_PICTURE):
        raise StudioError(f"--size {size} at --scale {scale} must give from 16 to {LARGEST_PICTURE} pixels a side.")
    return (width, height), factor


def _window(files: Sequence[str]) -> int:
    """Open the window on some files."""
    for file in files:
        if not Path(file).exists():
            hint = "" if Path(file).suffix == SUFFIX else f", and the commands are {', '.join(_COMMANDS)}"
            raise StudioError(f"There is no file {file!r}{hint}.")
    with _qt():
        from studio.ui.app import run
    return run([Path(file) for file in files])


@contextlib.contextmanager
def _qt() -> Iterator[None]:
    """Say in a sentence what Qt lacks on this computer, such as a library of the system."""
    try:
        yield
    except ModuleNotFoundError:
        raise
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] not in ("PySide6", "shiboken6"):
            raise
        raise StudioError(f"Qt cannot be loaded ({problem}); `python3 go.py setup` tells how to mend it.") from problem


@contextlib.contextmanager
def _told(what: str) -> Iterator[None]:
    """Turn an OSError into a sentence that begins with `what`."""
    try:
        yield
    except OSError as problem:
        raise StudioError(f"{what}: {problem.strerror or problem}.") from problem


def _printed_json(value: Any) -> Answer:
    print(json.dumps(value, indent=2, allow_nan=False))
    return Answer.DONE
