"""What every command shares: how it ends, how its arguments are read, and how it answers."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, NoReturn

from studio.errors import StudioError
from studio.parameters import declaration, declarations, parse_number, parsed
from studio.texts import tr

MOST_DIGITS = 9
"""Of a count on the command line."""
OF_LASERS = ("machine", "material", "kerf", "strategy", "profile", "separate")
"""The options of an export that are for the laser alone."""


class ExitCode(IntEnum):
    """How a command ends."""

    DONE = 0
    NO = 1
    UNUSABLE = 2


def print_error(problem: object) -> None:
    """Say one line on standard error."""
    print(" ".join(str(problem).split()), file=sys.stderr)


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one sentence."""

    def __init__(self, **known: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **known)

    def error(self, message: str) -> NoReturn:
        """Raise StudioError instead of ending the program."""
        problem = message[:1].upper() + message[1:].rstrip(".")
        raise StudioError(tr("{problem}; see `{command} --help`.", problem=problem, command=self.prog))


Argument = Callable[[Any], object]
"""Adds an argument to a command of argparse."""


def argument(*names: str, **known: Any) -> Argument:
    """An argument, declared as for argparse's `add_argument`."""
    return lambda command: command.add_argument(*names, **known)


OUT_OR_SELF = argument(
    "-o", dest="out", metavar="FILE", help=tr("the file to write; - for standard output (default: FILE itself)")
)
"""Where a command that changes a design writes it."""


def either(*arguments: Argument) -> Argument:
    """Arguments that exclude each other."""

    def add(command: Any) -> None:
        group = command.add_mutually_exclusive_group()
        for each in arguments:
            each(group)

    return add


def set_option(help: str, required: bool = False) -> Argument:
    """`--set name=value`, many times."""
    return argument(
        "--set", dest="settings", metavar="name=value", action="append", default=[], required=required, help=help
    )


FILE = argument("file", metavar="FILE")
JSON = argument("--json", action="store_true", help=tr("print one JSON value and nothing else"))


class Command:
    """A command: what answers it, what it is for in a few words and perhaps in sentences, and its arguments."""

    def __init__(
        self, answer: Callable[[argparse.Namespace], ExitCode], help: str, *arguments: Argument, description: str = ""
    ) -> None:
        self._answer, self._help, self._arguments, self._description = answer, help, arguments, description or None

    def add(self, commands: Any, name: str) -> None:
        """Add it under a name to argparse's subcommands."""
        command = commands.add_parser(name, help=self._help, description=self._description)
        for each in self._arguments:
            each(command)
        command.set_defaults(answer=self._answer)


def settings(parameters: type[Any], texts: Sequence[str]) -> dict[str, Any]:
    """The values that `name=value` texts mean; raises StudioError for a name unknown, a misfit, or a name twice."""
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        known = declaration(parameters, name)
        if not equals:
            raise StudioError(
                tr("--set {name} needs a value: {name}=VALUE, where VALUE is {bounds}.", name=name, bounds=known.bounds)
            )
        if name in values:
            raise StudioError(tr("--set {name} is given twice.", name=name))
        values[name] = parsed(known, value)
    return values


def sorted_texts(texts: Sequence[str], *kinds: type[Any]) -> tuple[list[str], ...]:
    """The `name=value` texts that are about each of some kinds of options; raises StudioError for other names."""
    names = [{known.name for known in declarations(kind)} for kind in kinds]
    found: tuple[list[str], ...] = tuple([] for _ in kinds)
    for text in texts:
        name = text.partition("=")[0].strip()
        owners = [at for at, known in enumerate(names) if name in known]
        if not owners:
            raise StudioError(
                tr(
                    "Unknown option {name!r}; choose from {names}.",
                    name=name,
                    names=", ".join(sorted(set().union(*names))),
                )
            )
        found[owners[0]].append(text)
    return found


def count_of(text: str | None, word: str) -> int | None:
    """The whole number from 1 after an option such as --limit, or None; raises StudioError for anything else."""
    if text is None:
        return None
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS and int(digits) >= 1):
        raise StudioError(
            tr(
                "{option} must be a whole number from 1 to {most}, not {text!r}.",
                option=word,
                most=10**MOST_DIGITS - 1,
                text=text[:40],
            )
        )
    return int(digits)


def number_of(text: str | None, word: str, most: float, least: float = 0.0) -> float | None:
    """The number in its bounds after an option such as --moment, or None; raises StudioError for anything else."""
    if text is None:
        return None
    try:
        number = parse_number(text)
    except ValueError:
        number = least - 1.0
    if not least <= number <= most:
        raise StudioError(
            tr(
                "{option} must be a number from {least:g} to {most:g}, not {text!r}.",
                option=word,
                least=least,
                most=most,
                text=text[:40],
            )
        )
    return number


def refuse_laser_options(arguments: argparse.Namespace, purpose: str) -> None:
    """Raise StudioError for an option of the laser in an export that is for something else."""
    for name in OF_LASERS:
        if getattr(arguments, name) not in (None, False):
            raise StudioError(
                tr("--{option} is for laser files only, not for {purpose}.", option=name, purpose=purpose)
            )


def is_folder(out: str) -> bool:
    """Whether what is written goes into a folder of this name."""
    return Path(out).is_dir() or out.endswith(("/", os.sep))


def targets_in(folder: str, files: Sequence[str], suffix: str = "") -> list[Path]:
    """What each of some designs becomes in a folder, which is made; raises StudioError where two become the same."""
    path = Path(folder)
    targets = [path / f"{Path(file).stem}{suffix}" for file in files]
    for target in targets:
        if targets.count(target) > 1:
            raise StudioError(tr("Two designs would both be written to {target}.", target=target))
    try:
        path.mkdir(exist_ok=True)
    except OSError as problem:
        raise StudioError(
            tr("Could not create the folder {folder}: {reason}.", folder=folder, reason=problem.strerror or problem)
        ) from problem
    return targets


def printed_json(value: Any) -> ExitCode:
    """Print one JSON value."""
    print(json.dumps(value, indent=2, allow_nan=False))
    return ExitCode.DONE


def answered(arguments: argparse.Namespace, value: Any, *lines: str) -> ExitCode:
    """Print a value as JSON where that is asked for, else some lines."""
    if arguments.json:
        return printed_json(value)
    for line in lines:
        print(line)
    return ExitCode.DONE
