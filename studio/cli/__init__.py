"""The studio without a window: make, change, check, plan and export puzzles, and draw pictures of them.

Exit codes: 0 done; 1 the answer is no (the design will not cut); 2 the request or a file is unusable, explained in one
sentence on standard error.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

import studio
from studio.base.atomic import tidy
from studio.base.errors import StudioError
from studio.base.folders import state_folder
from studio.base.progress import named
from studio.base.texts import tr
from studio.cli.arguments import Command, Parser
from studio.cli.terminal import ExitCode, print_error, shown_visibly
from studio.files import SUFFIX
from studio.puzzles import registry
from studio.puzzles.registry import own_module

BY_SIGNAL = 128
"""Added by shells to the number of the signal that ended a command."""
STOPPED = 130
"""Exit code, in shells, of a command ended by Ctrl-C."""
UNREAD = 141
"""Exit code, in shells, of a command whose reader went away."""
ROOMS = (
    "designs", "workshop", "abilities.cuttable", "abilities.sending", "abilities.printable",
    "abilities.solving_and_playing", "batch", "drawings", "desktop",
)  # fmt: skip
"""The modules here with commands for several kinds; imported on demand, since a window needs no command."""

EARLY = {"batch": "studio.batch.workers:begin_early"}
"""Functions that begin a command's work on its bare arguments, before all commands are imported."""


@shown_visibly
def main(argv: Sequence[str]) -> int:
    """Run one command, given without the program's name, and return its exit code."""
    with contextlib.suppress(AttributeError, ValueError):
        # A name or a unit that the terminal cannot show must not stop the work.
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        _finish_what_was_killed()
        code = _answered(argv)
        sys.stdout.flush()
        return code
    except StudioError as problem:
        print_error(problem)
        return ExitCode.UNUSABLE
    except KeyboardInterrupt as stopped:
        with contextlib.suppress(OSError):
            # The terminal itself may have gone.
            print_error(tr("Stopped."))
        return BY_SIGNAL + int(stopped.args[0]) if stopped.args else STOPPED
    except BrokenPipeError:
        _silence()
        return UNREAD
    except OSError as problem:
        _silence()
        print_error(
            tr(
                "Could not use {file}: {reason}.",
                file=problem.filename or tr("standard output"),
                reason=problem.strerror or problem,
            )
        )
        return ExitCode.UNUSABLE


def _finish_what_was_killed() -> None:
    """Put the complete files of a killed writer into place, and delete its unfinished ones."""
    notes = state_folder()
    if notes is not None:
        tidy(notes)


def _answered(argv: Sequence[str]) -> int:
    if argv and argv[0] in EARLY:
        named(EARLY[argv[0]])(argv[1:])
    if [*argv] == ["--self-test"]:
        tried: ExitCode = named("studio.cli.desktop:self_test")()
        return tried
    if not _is_command(argv):
        return _window(argv)
    try:
        arguments = _parser(argv[0]).parse_args(argv)
    except SystemExit as done:
        return int(done.code or 0)
    out = getattr(arguments, "out", None) or os.curdir
    was_there = os.path.exists(out)
    try:
        answer: ExitCode = arguments.answer(arguments)
    finally:
        if not was_there:
            # Remove the folder if no file was written to it.
            with contextlib.suppress(OSError, ValueError):
                os.rmdir(out)
    return answer


def _is_command(argv: Sequence[str]) -> bool:
    """True if the arguments are a command and not files for the window."""
    if not argv or argv[0].startswith("-"):
        return bool(argv)
    return Path(argv[0]).suffix != SUFFIX and argv[0] in _commands()


def _commands() -> dict[str, Command]:
    """All commands by name, shared ones and then the commands of single kinds."""
    shared = [import_module(f"studio.cli.{name}") for name in ROOMS]
    rooms = [*shared, *filter(None, (own_module(key, "studio.cli.kinds") for key in registry.KINDS))]
    return {name: command for room in rooms for name, command in room.COMMANDS.items()}


def _silence() -> None:
    """Discard the rest of standard output, so that Python does not complain about it at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _parser(asked: str) -> Parser:
    """The parser of all commands, with the arguments of one of them."""
    parser = Parser(
        prog="python -m studio",
        description=tr("Puzzle Studio: design and check puzzles, then cut them with a laser or print them in 3-D."),
        epilog=tr("Without a command, or with files only, the window opens."),
    )
    parser.add_argument(
        "--version", action="version", version=tr("Puzzle Studio {version}", version=studio.__version__)
    )
    parser.add_argument(
        "--self-test",
        action="store_true",
        help=tr("try that the installation is complete: each kind, its files and its window"),
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in _commands().items():
        command.add(commands, name, is_asked=name == asked)
    return parser


def _window(files: Sequence[str]) -> int:
    """Open the window on some files."""
    for file in files:
        if not os.path.exists(file):
            if Path(file).suffix == SUFFIX:
                raise StudioError(tr("No such file: {file!r}.", file=file))
            raise StudioError(
                tr(
                    "No such file or command: {file!r}; the commands are {commands}.",
                    file=file,
                    commands=", ".join(_commands()),
                )
            )
    # Objects made at the start stay, so collecting garbage is in vain; the window collects once it is painted.
    gc.disable()
    try:
        with qt():
            from studio.ui.shell.app import run
        return run([Path(file) for file in files])
    finally:
        gc.enable()


@contextlib.contextmanager
def qt() -> Iterator[None]:
    """Turn a failed import of Qt, as without a library of the system, into a StudioError with one sentence."""
    try:
        yield
    except ModuleNotFoundError:
        raise
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] not in ("PySide6", "shiboken6"):
            raise
        raise StudioError(
            tr("Qt cannot be loaded ({problem}). Run `python3 go.py setup` for help.", problem=problem)
        ) from problem
