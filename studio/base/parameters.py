"""Declarations of a puzzle's inputs: bounds, unit and a sentence, once for form, command line and file.

A parameters class is a frozen dataclass whose fields are made by `integer`, `number`, `choice`, `flag`, `seed` and
`line`, or by `undeclared` if no form shows them; as a subclass of `Validated` it can have no unusable value.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from studio.base.errors import StudioError
from studio.base.texts import alternatives, tr, within
from studio.base.units import figure, shown_as

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

P = TypeVar("P", bound="DataclassInstance")

LARGEST_SEED = 2**31 - 1
MOST_QUOTED = 40
"""Letters of an entry quoted in a sentence."""
MILLIMETRES = {"mm": 1.0, "cm": 10.0, "m": 1000.0, "in": 25.4, '"': 25.4, "inch": 25.4}


class ParameterError(StudioError):
    """A value that a parameter cannot take; `name` is the parameter's name."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name


@dataclass(frozen=True)
class Choice:
    """A value of a choice, and its title."""

    value: str
    title: str


@dataclass(frozen=True)
class Group:
    """The title over related parameters; a form folds rarely used groups."""

    title: str
    is_rare: bool = False


@dataclass(frozen=True)
class Declaration:
    """The declaration of one parameter; `type` is integer, number, choice, flag, seed or text.

    The bounds of a text apply to its number of letters.
    """

    name: str
    title: str
    type: str
    default: Any
    help: str
    group: str
    minimum: float | None = None
    maximum: float | None = None
    least: float = 0.0
    """The smallest number above 0, if 0 has a meaning of its own."""
    zero: str = ""
    """Words that a form shows for 0 if 0 means none or automatic: `None`."""
    step: float | None = None
    unit: str = ""
    choices: tuple[Choice, ...] = ()
    is_later: bool = False
    is_rare: bool = False

    @property
    def is_length(self) -> bool:
        """True if the value is a length in mm, which makers may also write as `1/8 in`."""
        return self.unit == "mm"

    @property
    def limits(self) -> tuple[float, float]:
        """Least and greatest number, or number of letters of a text; infinite if unbounded."""
        low, high = self.minimum, self.maximum
        return -math.inf if low is None else low, math.inf if high is None else high

    @property
    def bounds(self) -> str:
        """Allowed values in words: `1 to 200`, `0 to 0.45`, `classic or article`."""
        if self.type == "flag":
            return tr("true or false")
        if self.type == "choice":
            return alternatives(choice.value for choice in self.choices)
        if self.type == "text":
            return tr("one line of up to {most:g} characters", most=self.maximum)
        factor, name = shown_as(self.unit)
        unit = f" {name}" if name else ""
        low, least, high = (round((limit or 0) / factor, 4) for limit in (self.minimum, self.least, self.maximum))
        if self.least:
            return tr("0, or {least:g} to {maximum:.10g}{unit}", least=least, maximum=high, unit=unit)
        if self.type in ("integer", "seed"):
            return tr("a whole number from {minimum:g} to {maximum:.10g}{unit}", minimum=low, maximum=high, unit=unit)
        return tr("{minimum:g} to {maximum:.10g}{unit}", minimum=low, maximum=high, unit=unit)

    def formatted(self, value: Any) -> str:
        """A value as a form shows it: `25.00 mm`, `Ribbon cut`, `on`."""
        if self.type == "flag":
            return tr("on") if value else tr("off")
        if self.type == "choice":
            return next((each.title for each in self.choices if each.value == value), str(value))
        if self.type == "number":
            factor, unit = shown_as(self.unit)
            text = figure(value / factor, ".2f" if factor != 1.0 or unit == "mm" else ".4g")
            return f"{text} {unit}".strip()
        return str(value) or "–"


Choices = Mapping[str, str]
"""The title of each value."""
_KEY, _UNDECLARED, _BEFORE = "declaration", "undeclared", "before"


def _declared(default: Any, group: Group | str, **known: Any) -> Any:
    group = Group(group) if isinstance(group, str) else group
    said = {name: tr(known[name]) for name in ("title", "help", "zero") if known.get(name)}
    known |= said | {"default": default, "group": tr(group.title), "is_rare": group.is_rare}
    return dataclasses.field(default=default, metadata={_KEY: known})


def later(declared: Any, before: Any = dataclasses.MISSING) -> Any:
    """Mark a parameter that joined its kind after files without it were saved.

    A file without it means `before`, or else its default, which therefore can never change.
    """
    known = declared.metadata[_KEY] | {"is_later": True}
    means = declared.default if before is dataclasses.MISSING else before
    return dataclasses.field(default=declared.default, metadata={_KEY: known, _BEFORE: means})


def undeclared(default: Any, *, repr: bool = True) -> Any:
    """Declare a field that no form can enter, such as curves from a file; files leave it out at its default."""
    return dataclasses.field(default=default, metadata={_UNDECLARED: True}, repr=repr)


def is_later(field: Any) -> bool:
    """True if a dataclass field is a parameter declared by `later`, or undeclared."""
    return _UNDECLARED in field.metadata or bool(field.metadata.get(_KEY, {}).get("is_later", False))


def left_out(field: Any) -> Any:
    """Value of a dataclass field at which files leave it out."""
    return field.metadata.get(_BEFORE, field.default)


def integer(
    default: int, *, title: str, minimum: int, maximum: int, help: str, group: Group | str = "", unit: str = "",
    least: int = 0, zero: str = "",
) -> Any:  # fmt: skip
    """Declare a whole number; with a `least`, values between 0 and `least` are refused."""
    return _declared(
        default, group, type="integer", title=title, minimum=minimum, maximum=maximum, least=least, zero=zero, step=1,
        unit=unit, help=help,
    )  # fmt: skip


def number(
    default: float, *, title: str, minimum: float, maximum: float, step: float, help: str, group: Group | str = "",
    unit: str = "", least: float = 0.0, zero: str = "",
) -> Any:  # fmt: skip
    """Declare a number, a length if its unit is `mm`; with a `least`, values between 0 and `least` are refused."""
    return _declared(
        default, group, type="number", title=title, minimum=minimum, maximum=maximum, least=least, zero=zero,
        step=step, unit=unit, help=help,
    )  # fmt: skip


def choice(
    default: str, choices: Choices | Callable[[], Choices], *, title: str, help: str, group: Group | str = ""
) -> Any:
    """Declare a choice; `choices` maps each value to its title, or is a function that returns the current map."""
    listed = choices if callable(choices) else _listed(choices)
    return _declared(default, group, type="choice", title=title, choices=listed, help=help)


def _listed(choices: Choices) -> tuple[Choice, ...]:
    return tuple(Choice(value, tr(words)) for value, words in choices.items())


def flag(default: bool, *, title: str, help: str, group: Group | str = "") -> Any:
    """Declare a yes or no."""
    return _declared(default, group, type="flag", title=title, help=help)


def seed(default: int, *, title: str = "Seed", help: str, group: Group | str = "") -> Any:
    """Declare the seed of all random numbers in a design."""
    return _declared(default, group, type="seed", title=title, minimum=0, maximum=LARGEST_SEED, step=1, help=help)


def line(default: str, *, title: str, longest: int, help: str, group: Group | str = "") -> Any:
    """Declare a line of text of up to `longest` printable letters; a tab, for one, is refused."""
    return _declared(default, group, type="text", title=title, minimum=0, maximum=longest, help=help)


def declarations(parameters: type[Any]) -> tuple[Declaration, ...]:
    """The declarations of a parameters class, in the order of its fields."""
    return tuple(
        known if choices is None else dataclasses.replace(known, choices=_listed(choices()))
        for known, choices in _fixed(parameters)  # type: ignore[arg-type]  # mypy: a type is not Hashable
    )


@cache
def _fixed(parameters: type[Any]) -> tuple[tuple[Declaration, Callable[[], Choices] | None], ...]:
    """Return each declaration of a class, with its choices if they are given as a function."""
    found = []
    for field in dataclasses.fields(parameters):
        if _UNDECLARED not in field.metadata:
            known = field.metadata[_KEY]
            choices = known["choices"] if callable(known.get("choices")) else None
            fixed = {**known, "choices": ()} if choices else known
            found.append((Declaration(name=field.name, **fixed), choices))
    return tuple(found)


def declaration(parameters: type[Any], name: str) -> Declaration:
    """A declaration by name; an unknown name raises ParameterError with the known ones."""
    for known in declarations(parameters):
        if known.name == name:
            return known
    names = ", ".join(known.name for known in declarations(parameters))
    if not names:
        raise ParameterError(name, tr("Unknown parameter {name!r}; there are none here.", name=name))
    raise ParameterError(name, tr("Unknown parameter {name!r}; choose from {names}.", name=name, names=names))


def remembered(values: Mapping[str, Any], usual: P) -> P:
    """Parameters from stored values; the usual value replaces each that is missing or no longer valid."""
    for known in declarations(type(usual)):
        if known.name in values:
            with suppress(ParameterError):
                usual = dataclasses.replace(usual, **{known.name: values[known.name]})
    return usual


def checked(known: Declaration, value: Any) -> Any:
    """Return `value` in the parameter's own type; raises ParameterError with the bounds if it is not valid."""
    if known.type == "flag":
        good = type(value) is bool
    elif known.type == "choice":
        good = isinstance(value, str) and any(value == one.value for one in known.choices)
    elif known.type == "text":
        good = isinstance(value, str) and len(value) <= known.limits[1] and value.isprintable()
    else:
        low, high = known.limits
        is_whole = known.type in ("integer", "seed")
        good = type(value) is int or (type(value) is float and not is_whole and math.isfinite(value))
        good = good and low <= value <= high and (not known.least or value == 0 or value >= known.least)
    if not good:
        raise ParameterError(
            known.name,
            tr("{name} must be {bounds}, not {value}.", name=known.name, bounds=known.bounds, value=_shown(value)),
        )
    return float(value) if known.type == "number" else value


def written(value: Any) -> str:
    """Write a value for the command line; `parsed` reads it back."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _shown(value: Any) -> str:
    if type(value) is int and value.bit_length() > 200:
        return tr("a number of more than 60 digits")
    text = f"{value:g}" if type(value) is float else repr(value)
    return text if len(text) <= 40 else text[:37] + "…"


def validate(parameters: Any) -> None:
    """Check every field of a parameters object against its declaration; raises ParameterError at the first misfit."""
    for known in declarations(type(parameters)):
        value = getattr(parameters, known.name)
        good = checked(known, value)
        if good is not value:
            object.__setattr__(parameters, known.name, good)


class Validated:
    """Base of parameters classes that validate their values on construction."""

    def __post_init__(self) -> None:
        validate(self)


def parsed(known: Declaration, text: str) -> Any:
    """Parse the value of a parameter; raises ParameterError if the text is not one."""
    word = text.strip()
    value: Any = word
    if known.type == "flag":
        value = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False,
                 "0": False}.get(word.lower(), word)  # fmt: skip
    elif known.type in ("integer", "seed"):
        value = int(word) if re.fullmatch(r"[-+]?[0-9]{1,30}", word) else word
    elif known.type == "choice":
        value = {one.value.lower(): one.value for one in known.choices}.get(word.lower(), word)
    elif known.type == "text":
        value = text
    elif known.type == "number":
        try:
            value = parse_length(word) if known.is_length else parse_number(word)
        except ValueError:
            value = word
    try:
        return checked(known, value)
    except ParameterError as problem:
        if known.type == "text":
            raise
        raise ParameterError(known.name, _misread(known, word, is_number=not isinstance(value, str))) from problem


def _misread(known: Declaration, word: str, *, is_number: bool) -> str:
    """Sentence on a word that is no value of a parameter: quotes the word, or asks for a value if it is empty."""
    if not word:
        return tr("Enter {bounds} for {title}.", bounds=known.bounds, title=within(known.title))
    typed = word if len(word) <= MOST_QUOTED else f"{word[: MOST_QUOTED - 1]}…"
    return tr(
        "{name} must be {bounds}, not {value}.",
        name=known.name,
        bounds=known.bounds,
        value=typed if is_number else repr(typed),
    )


def parse_number(text: str) -> float:
    """Parse a number written `3.5`, `3,5`, `1/8` or `1 1/2`; raises ValueError for anything else.

    One comma is a decimal mark, never a thousands mark: reading 3,5 as 35 costs a sheet of wood.

    >>> parse_number("3,5"), parse_number("1 1/2")
    (3.5, 1.5)
    """
    match = re.fullmatch(
        r"([-+]?)(?:([0-9]+)\s+)?([0-9]+)\s*/\s*([0-9]+)|([-+]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:e[-+]?[0-9]+)?)",
        text.strip(),
        re.IGNORECASE,
    )
    if match is None:
        raise ValueError(text)
    sign, whole, above, below, plain = match.groups()
    if plain is not None:
        value = float(plain.replace(",", "."))
    else:
        try:
            value = float(Fraction(int(above), int(below)) + int(whole or 0)) * (-1 if sign == "-" else 1)
        except (OverflowError, ZeroDivisionError):
            raise ValueError(text) from None
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def parse_length(text: str) -> float:
    """Parse a length, `3.5`, `3,5 mm`, `2 cm`, `1/8 in` or `0.25"`, into mm; raises ValueError for anything else.

    >>> parse_length("1/8 in"), parse_length("2 cm")
    (3.175, 20.0)
    """
    word = text.strip().lower()
    unit = max((unit for unit in MILLIMETRES if word.endswith(unit)), key=len, default="")
    value = parse_number(word.removesuffix(unit)) * MILLIMETRES.get(unit, 1.0)
    if not math.isfinite(value):
        raise ValueError(text)
    return value
