"""Arguments and options that commands share: their declaration, reading and refusal, and the files to be replaced."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from glob import escape
from pathlib import Path
from typing import Any, NoReturn

from studio.base.atomic import make_folder
from studio.base.errors import StudioError
from studio.base.json_files import holds_work
from studio.base.parameters import Choice, Declaration, declaration, declarations, parsed, written
from studio.base.progress import named
from studio.base.texts import alternatives, tr, within
from studio.cli.terminal import ExitCode
from studio.files.store import Saved, digest_of
from studio.puzzles import registry

MOST = 999_999_999
"""Largest count on the command line."""
OF_LASERS = ("machine", "material", "kerf", "strategy", "profile", "lines", "offcut", "rest", "table")
"""The options of an export that are for the laser alone."""


WITH_OPTIONS = ("export", "coupon", "card")
"""Commands whose --set takes options of their own, not parameters of a design."""


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one sentence."""

    def __init__(self, **known: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **known)

    def error(self, message: str) -> NoReturn:
        """Raise StudioError instead of ending the program."""
        problem = message[:1].upper() + message[1:].rstrip(".")
        raise StudioError(tr("{problem}; see `{command} --help`.", problem=problem, command=self.prog))


Argument = Callable[[Any], Iterable[argparse.Action]]
"""Adds arguments to a command of argparse, and returns them."""


def argument(*names: str, **known: Any) -> Argument:
    """An argument, declared as for argparse's `add_argument`."""
    return lambda command: [command.add_argument(*names, **known)]


def option(
    parameters: str, name: str, flag: str = "", *, metavar: str = "", help: str = "", value: Any = None,
    is_kept: bool = False,
) -> Argument:  # fmt: skip
    """An option that sets a declared parameter, such as `--kerf MM`, in the words of its declaration.

    `parameters` is the class, `package.module:Class`, imported when the command runs. An option with a `value` sets
    this value; one that `is_kept` has no default but the value in a file.
    """

    def add(command: Any) -> Iterable[argparse.Action]:
        known = declaration(named(parameters), name)
        word = flag or f"--{name.replace('_', '-')}"
        said = help or _helped(replace(known, default="") if is_kept else known)
        if value is not None or known.type == "flag":
            fixed = True if value is None else value
            return [command.add_argument(word, dest=name, action="store_const", const=fixed, help=said)]
        shown = metavar or known.unit.upper() or ("N" if known.type in ("integer", "seed") else word[2:].upper())
        read = partial(parsed, replace(known, name=word, title=word))
        return [command.add_argument(word, dest=name, metavar=shown, type=read, help=said)]

    return add


def _helped(known: Declaration) -> str:
    """Help on a parameter, with its choices and its default."""
    words = "; ".join(map(within, known.help.removesuffix(".").split(". ")))
    if known.type == "choice":
        named = []
        for one in known.choices:
            notes = [one.title] if one.title.lower() != one.value.lower() else []
            notes += [tr("default")] if one.value == known.default else []
            named.append(f"{one.value} ({', '.join(notes)})" if notes else one.value)
        words = f"{words}: {alternatives(named)}"
    elif known.type != "flag" and known.default != "":
        words = tr("{help} (default: {default})", help=words, default=written(known.default))
    return words.replace("%", "%%")


def as_count(flag: str) -> Callable[[str], int]:
    """Read the whole number from 1 after an option; it raises StudioError for anything else."""
    return partial(parsed, Declaration(flag, flag, "integer", None, "", "", 1, MOST))


def as_choice(flag: str, *values: str) -> Callable[[str], str]:
    """Read one of some values after an option; it raises StudioError for anything else."""
    choices = tuple(Choice(value, value) for value in values)
    return partial(parsed, Declaration(flag, flag, "choice", None, "", "", choices=choices))


def as_number(flag: str, most: float, unit: str = "") -> Callable[[str], float]:
    """Read the number from 0 after an option; it raises StudioError for anything else."""
    return partial(parsed, Declaration(flag, flag, "number", None, "", "", 0, most, unit=unit))


def counted(flag: str, help: str) -> Argument:
    """An option for a whole number from 1."""
    return argument(flag, metavar="N", type=as_count(flag), help=help)


def workshop_option(sort: str, help: str) -> Argument:
    """The option for an item of the workshop by its key: a Machine, Material, Printer or Plastic."""

    def read(key: str) -> Any:
        from studio.fabricate import workshop

        return workshop.one_of(getattr(workshop, sort), key)

    return argument(f"--{sort.lower()}", metavar=sort.upper(), type=read, help=help)


OUT_OR_SELF = argument(
    "-o", dest="out", metavar="FILE", help=tr("the file to write; - for standard output (default: FILE itself)")
)
"""The target of a command that changes a design."""


def either(*arguments: Argument) -> Argument:
    """Arguments that exclude each other."""

    def add(command: Any) -> Iterable[argparse.Action]:
        group = command.add_mutually_exclusive_group()
        return [action for each in arguments for action in each(group)]

    return add


def set_option(help: str) -> Argument:
    """`--set name=value`, many times."""
    return argument("--set", dest="settings", metavar="name=value", action="append", default=[], help=help)


FILE = argument("file", metavar="FILE")
JSON = argument("--json", action="store_true", help=tr("print one JSON value and nothing else"))


class Command:
    """A command: its function, its help in a few words, perhaps a description in sentences, and its arguments."""

    def __init__(
        self, answer: Callable[[argparse.Namespace], ExitCode], help: str, *arguments: Argument, description: str = ""
    ) -> None:
        self._answer, self._help, self._arguments, self._description = answer, help, arguments, description or None

    def add(self, commands: Any, name: str, *, is_asked: bool) -> None:
        """Add it under a name to argparse's subcommands, and its arguments if it is the one to run."""
        command = commands.add_parser(name, help=self._help, description=self._description)
        actions = [action for each in self._arguments if is_asked for action in each(command)]
        flags = {action.dest: action.option_strings[0] for action in actions if action.option_strings}
        command.set_defaults(answer=self._answer, flags=flags)


def settings(parameters: type[Any], texts: Sequence[str]) -> dict[str, Any]:
    """The values that `name=value` texts mean; raises StudioError for a name unknown, a misfit, or a name twice."""
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if name not in (names := _names(parameters)):
            for kind in registry.kinds():
                if kind.parameters is parameters:
                    refuse_name(name, names, kind.key)
        known = declaration(parameters, name)
        if not equals:
            raise StudioError(
                tr("--set {name} needs a value: {name}=VALUE, where VALUE is {bounds}.", name=name, bounds=known.bounds)
            )
        if name in values:
            raise StudioError(tr("--set {name} is given twice.", name=name))
        values[name] = parsed(known, value)
    return values


def names_in(texts: Sequence[str]) -> set[str]:
    """The names in `name=value` texts."""
    return {text.partition("=")[0].strip() for text in texts}


def given(arguments: argparse.Namespace, parameters: type[Any], texts: Sequence[str] = ()) -> dict[str, Any]:
    """The values of parameters from options and from `name=value` texts; raises StudioError for a value given twice."""
    values = settings(parameters, texts)
    for known in declarations(parameters):
        value = getattr(arguments, known.name, None)
        if value is not None and known.name in values:
            raise StudioError(
                tr(
                    "{option} cannot be combined with --set {name}.",
                    option=arguments.flags[known.name],
                    name=known.name,
                )
            )
        if value is not None:
            values[known.name] = value
    return values


def option_classes(command: str) -> tuple[type[Any], ...]:
    """The classes of options that a command for the laser takes with --set; raises KeyError for other commands."""
    from studio.exporting.formats import CARDS, Options
    from studio.fabricate.coupon import CardOptions, CouponOptions
    from studio.fabricate.making import Making

    known = {"export": (Making, Options), "coupon": (CouponOptions, Options), "card": (CardOptions, CARDS.options)}
    return known[command]


def refuse_name(name: str, names: Sequence[str], listed: str) -> NoReturn:
    """Raise StudioError for --set with an unknown name, with its proper command or the nearest of `names`.

    `listed` is the argument of `params` that lists them: a kind of puzzle, or one of WITH_OPTIONS.
    """
    name = name[:40]
    owners = [kind.key for kind in registry.kinds() if name in _names(kind.parameters)]
    is_option = listed in WITH_OPTIONS
    if owners and is_option:
        raise StudioError(
            tr(
                "{name} is a parameter of {owners}, not of `{command}`: `edit FILE --set {name}=VALUE` changes it.",
                name=name,
                owners=alternatives(owners),
                command=listed,
            )
        )
    if owners:
        raise StudioError(
            tr("{name} is a parameter of {owners}, not of {kind}.", name=name, owners=alternatives(owners), kind=listed)
        )
    if not is_option and name in {one for options in option_classes(WITH_OPTIONS[0]) for one in _names(options)}:
        raise StudioError(
            tr("{name} is an option of `export`, not a parameter of the design: give it to `export`.", name=name)
        )
    sort = tr("option") if is_option else tr("parameter")
    near = get_close_matches(name, names)
    raise StudioError(
        tr(
            "Unknown {sort} {name!r}; did you mean {near}? `params {listed}` lists them.",
            sort=sort,
            name=name,
            near=alternatives(near),
            listed=listed,
        )
        if near
        else tr("Unknown {sort} {name!r}; `params {listed}` lists them.", sort=sort, name=name, listed=listed)
    )


def _names(parameters: type[Any]) -> list[str]:
    return [known.name for known in declarations(parameters)]


def sorted_texts(texts: Sequence[str], *kinds: type[Any], listed: str) -> tuple[list[str], ...]:
    """Sort `name=value` texts by kind of options; raise StudioError for an unknown name.

    `listed` is the argument of `params` that lists these options.
    """
    names = [_names(kind) for kind in kinds]
    found: tuple[list[str], ...] = tuple([] for _ in kinds)
    for text in texts:
        name = text.partition("=")[0].strip()
        owners = [at for at, known in enumerate(names) if name in known]
        if not owners:
            refuse_name(name, sorted(set().union(*names)), listed)
        found[owners[0]].append(text)
    return found


def refuse_laser_options(arguments: argparse.Namespace, purpose: str) -> None:
    """Raise StudioError for an option of the laser in an export that is for something else."""
    for name in OF_LASERS:
        if getattr(arguments, name) is not None:
            raise StudioError(
                tr(
                    "{option} is for laser files only, not for {purpose}.",
                    option=arguments.flags[name],
                    purpose=purpose,
                )
            )


def is_folder(out: str) -> bool:
    """True if `out` names a folder for the output."""
    return os.path.isdir(out) or out.endswith(("/", os.sep))


def targets_in(folder: str, files: Sequence[str], suffix: str = "") -> list[Path]:
    """Make a folder and return the target in it for each design; raise StudioError if two targets are the same."""
    path = Path(folder)
    targets = [path / f"{Path(file).stem}{suffix}" for file in files]
    for target in targets:
        if targets.count(target) > 1:
            raise StudioError(tr("Two designs would both be written to {target}.", target=target))
    make_folder(path)
    return targets


def targets_of(files: Sequence[str], out: str, suffix: str, asked: str, *, is_any: bool = False) -> list[Path]:
    """Target file of each design; raises StudioError for an impossible one.

    `asked` is the option that chose the suffix, if any. If `is_any`, a name without an extension is a folder, as it is
    for several designs.
    """
    path = Path(out)
    if is_folder(out) or (not path.suffix and (is_any or (len(files) > 1 and not os.path.exists(out)))):
        return targets_in(out, files, suffix)
    if len(files) > 1:
        raise StudioError(
            tr("{count} designs can only be exported to a folder; {out} is not one.", count=len(files), out=out)
        )
    if asked and path.suffix.lower() != suffix:
        raise StudioError(tr("{asked} contradicts the file extension of {file}.", asked=asked, file=path.name))
    return [path]


# Refuses to replace work: designs and saved games are never lost to a command that may not replace them

REPLACE = argument("--force", action="store_true", help=tr("replace an existing file"))
EXPORT_ANYWAY = argument(
    "--force", action="store_true", help=tr("export despite errors, and replace even a design or a saved game")
)
REPLACE_WORK = argument("--force", action="store_true", help=tr("replace even a design or a saved game"))


def refuse_existing(out: str, *, force: bool, own: str | None = None) -> None:
    """Raise StudioError if a new design would replace a file other than `own`, its source."""
    if force or out == "-" or not os.path.isfile(out) or (own is not None and is_same(out, own)):
        return
    raise StudioError(tr("{out} already exists. Add --force to replace it.", out=out))


def refuse_work(targets: Iterable[Path], *, force: bool) -> None:
    """Raise StudioError if an export, or one of its sheets, would replace a design or a saved game."""
    for target in () if force else targets:
        sheets = target.parent.glob(f"{escape(target.stem)}-*{escape(target.suffix)}")
        for path in (target, *sorted(sheets)):
            if holds_work(path):
                raise StudioError(tr("{path} is a design or a saved game. Add --force to replace it.", path=path))


def refuse_changed(file: str, out: str, saved: Saved, *, force: bool = False) -> None:
    """Raise StudioError if a result would replace its own source file, which has changed meanwhile."""
    if force or out == "-" or not is_same(out, file) or digest_of(Path(file)) in (None, saved.digest):
        return
    raise StudioError(
        tr("Nothing was written: another program has just changed {file}. Run the command again.", file=file)
    )


def is_same(out: str, file: str) -> bool:
    """True if both paths are one existing file."""
    return out != "-" and os.path.exists(out) and os.path.samefile(out, file)
