"""Inputs are read as makers write them, and what cannot be meant is refused in a sentence."""

import math
from dataclasses import dataclass, replace
from typing import Any

import pytest

from studio.base.parameters import (
    Group,
    ParameterError,
    checked,
    choice,
    declaration,
    declarations,
    flag,
    integer,
    line,
    number,
    parse_length,
    parse_number,
    parsed,
    remembered,
    seed,
    validate,
)

LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class Wheel:
    """The parameters of a toy."""

    teeth: int = integer(8, title="Teeth", minimum=3, maximum=200, help="Teeth around the wheel.")
    radius: float = number(5.0, title="Radius", minimum=1.0, maximum=50.0, step=1.0, unit="mm", help="Of the wheel.")
    share: float = number(0.1, title="Share", minimum=0.0, maximum=0.45, step=0.01, help="Of the whole.")
    shape: str = choice("round", {"round": "Round", "square": "Square"}, title="Shape", help="Of the teeth.")
    spoked: bool = flag(False, title="Spoked", help="Spokes save wood.")
    seed: int = seed(7, help="All chance follows from it.")

    def __post_init__(self) -> None:
        validate(self)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3.5", 3.5),
        ("3,5", 3.5),
        (" 3.5 ", 3.5),
        ("1/8", 0.125),
        ("1 1/2", 1.5),
        ("1  1 / 2", 1.5),
        ("-1/2", -0.5),
        ("-1 1/2", -1.5),
        ("+2", 2.0),
        (".5", 0.5),
        (",5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("2,5E-1", 0.25),
        ("007", 7.0),
    ],
)
def test_numbers_are_read_as_makers_write_them(text: str, value: float) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3.5", 3.5),
        ("3,5 mm", 3.5),
        ("3.5mm", 3.5),
        ("3.5 MM", 3.5),
        ("2 cm", 20.0),
        ("0.3 m", 300.0),
        ("1/8 in", 3.175),
        ("1/8in", 3.175),
        ("1 1/2 in", 38.1),
        ("1 inch", 25.4),
        ('0.25"', 6.35),
        ('1 1/2"', 38.1),
    ],
)
def test_lengths_are_read_in_any_unit_and_given_in_millimetres(text: str, value: float) -> None:
    assert parse_length(text) == pytest.approx(value, rel=1e-12)


NO_NUMBERS = [
    "", " ", "mm", "-", ".", ",", "1.234,5", "1,234.5", "1,234,567", "nan", "inf", "-inf", "infinity", "1e400",
    "9" * 5000, "1" * 6000 + "/3", "1/0", "1 1/2 1", "1/2/3", "3 5", "- 1", "1_000", "0x10", "٣", "3½", "3.5.1", "e3",
    "3 furlongs", "2 cm mm", "3.5; rm", "None", "1\n2",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_NUMBERS, ids=lambda text: repr(text[:12]))
def test_what_is_no_number_is_refused_and_never_guessed_at(text: str) -> None:
    with pytest.raises(ValueError):
        parse_number(text)
    with pytest.raises(ValueError):
        parse_length(text)


def test_a_fraction_beyond_all_floats_is_refused() -> None:
    with pytest.raises(ValueError):
        parse_number("9" * 400 + "/1")


@pytest.mark.parametrize("text", ["5 mm", '5"', "1 in"])
def test_a_number_without_a_unit_takes_none(text: str) -> None:
    with pytest.raises(ValueError):
        parse_number(text)


@pytest.mark.parametrize("text", NO_NUMBERS, ids=lambda text: repr(text[:12]))
@pytest.mark.parametrize("name", ["teeth", "radius", "share", "seed"])
def test_a_parameter_that_cannot_be_read_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(ParameterError, match=f"^({name} must be |Enter )") as refused:
        parsed(declaration(Wheel, name), text)
    assert refused.value.name == name
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("teeth", "12", 12),
        ("teeth", " +12 ", 12),
        ("radius", "1/2 in", 12.7),
        ("radius", "3,5", 3.5),
        ("share", "1/4", 0.25),
        ("shape", "square", "square"),
        ("spoked", "Yes", True),
        ("spoked", "off", False),
        ("seed", "0", 0),
        ("seed", str(LARGEST_SEED), LARGEST_SEED),
    ],
)
def test_texts_become_values_of_the_parameters_own_type(name: str, text: str, value: object) -> None:
    read = parsed(declaration(Wheel, name), text)
    assert read == value and type(read) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("teeth", "0", "teeth must be a whole number from 3 to 200, not 0."),
        ("teeth", "2.5", "teeth must be a whole number from 3 to 200, not '2.5'."),
        ("teeth", "1000000", "teeth must be a whole number from 3 to 200, not 1000000."),
        ("radius", "51", "radius must be 1 to 50 mm, not 51."),
        ("radius", "3 in", "radius must be 1 to 50 mm, not 3 in."),
        ("share", "0.46", "share must be 0 to 0.45, not 0.46."),
        ("share", "-0.1", "share must be 0 to 0.45, not -0.1."),
        ("shape", "oval", "shape must be round or square, not 'oval'."),
        ("spoked", "perhaps", "spoked must be true or false, not 'perhaps'."),
        ("seed", "-1", "seed must be a whole number from 0 to 2147483647, not -1."),
    ],
)
def test_a_sentence_names_the_field_its_bounds_and_what_was_given(name: str, text: str, sentence: str) -> None:
    with pytest.raises(ParameterError) as refused:
        parsed(declaration(Wheel, name), text)
    assert str(refused.value) == sentence and refused.value.name == name


@pytest.mark.parametrize("name", ["teeth", "radius", "share", "shape", "spoked", "seed"])
@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf, -1, 1e300, 10**400, "12", [], b"1"])
def test_values_of_another_type_or_beyond_all_bounds_are_refused(name: str, value: object) -> None:
    with pytest.raises(ParameterError, match=f"^({name} must be |Enter )"):
        Wheel(**{name: value})  # type: ignore[arg-type]


def test_true_is_no_number_and_one_is_no_flag() -> None:
    for name, value in (("teeth", True), ("radius", True), ("spoked", 1)):
        with pytest.raises(ParameterError, match=f"^({name} must be |Enter )"):
            checked(declaration(Wheel, name), value)


def test_a_whole_number_is_taken_for_a_number_and_becomes_one() -> None:
    wheel = Wheel(radius=7)
    assert wheel.radius == 7.0 and type(wheel.radius) is float
    assert Wheel(radius=7) == Wheel(radius=7.0)


@pytest.mark.parametrize("name", ["teeth", "radius", "share", "seed"])
def test_bounds_themselves_are_allowed(name: str) -> None:
    known = declaration(Wheel, name)
    for bound in (known.minimum, known.maximum):
        assert bound is not None
        value: Any = int(bound) if known.type in ("integer", "seed") else bound
        assert getattr(Wheel(**{name: value}), name) == bound


def test_declarations_stand_in_the_order_of_the_fields_with_all_that_is_known() -> None:
    assert [known.name for known in declarations(Wheel)] == ["teeth", "radius", "share", "shape", "spoked", "seed"]
    radius = declaration(Wheel, "radius")
    assert (radius.title, radius.default, radius.unit, radius.step) == ("Radius", 5.0, "mm", 1.0)
    assert radius.is_length and not declaration(Wheel, "share").is_length
    assert [(one.value, one.title) for one in declaration(Wheel, "shape").choices] == [
        ("round", "Round"),
        ("square", "Square"),
    ]


def test_an_unknown_parameter_is_refused_with_those_there_are() -> None:
    with pytest.raises(ParameterError, match=r"Unknown parameter 'teeths'; choose from teeth, radius, share, shape"):
        declaration(Wheel, "teeths")


@dataclass(frozen=True)
class Plaque:
    """The parameters of another toy."""

    words: str = line("", title="Words", longest=12, help="What stands on it.")

    def __post_init__(self) -> None:
        validate(self)


@pytest.mark.parametrize("text", ["", "Anna", " two  words ", "für 3 °", "a|b", "x" * 12])
def test_a_line_of_text_is_taken_as_it_is_written(text: str) -> None:
    assert parsed(declaration(Plaque, "words"), text) == text == Plaque(text).words


@pytest.mark.parametrize("text", ["x" * 13, "a\nb", "a\tb", "\x00", "\x1b[31m", "\u202e", "\ud800", 7, None], ids=ascii)
def test_a_line_too_long_or_with_what_no_letter_shows_is_refused(text: Any) -> None:
    with pytest.raises(ParameterError, match="words must be one line of up to 12 characters, not ") as refused:
        Plaque(text)
    assert refused.value.name == "words" and str(refused.value).isprintable()


@dataclass(frozen=True)
class Remembered:
    count: int = integer(3, title="Count", minimum=1, maximum=9, help="How many.")
    width: float = number(
        2.0, title="Width", minimum=0, maximum=5, step=1, help="How wide.", group=Group("Sizes", is_rare=True)
    )

    def __post_init__(self) -> None:
        validate(self)


def test_stored_values_that_cannot_be_are_the_usual_ones() -> None:
    usual = Remembered(count=4)
    assert remembered({"count": 99, "width": 1.5, "gone": 1}, usual) == Remembered(count=4, width=1.5)
    assert remembered({}, usual) == usual


def test_a_group_says_whether_it_is_rarely_touched() -> None:
    count, width = declarations(Remembered)
    assert (count.group, count.is_rare) == ("", False) and (width.group, width.is_rare) == ("Sizes", True)


def test_a_number_may_be_nothing_or_large_enough() -> None:
    known = replace(declaration(Wheel, "share"), unit="mm", least=0.1)
    assert known.bounds == "0, or 0.1 to 0.45 mm"
    assert checked(known, 0.0) == 0.0 and checked(known, 0.1) == 0.1
    for tiny in (5e-324, 0.0999):
        with pytest.raises(ParameterError, match=r"^share must be 0, or 0\.1 to 0\.45 mm, not .*\.$"):
            checked(known, tiny)
