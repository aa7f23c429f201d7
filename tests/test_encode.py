"""Designs become plain JSON values and come back, or a sentence says where they do not."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

from studio.base.encode import decode, encode
from studio.base.errors import StudioError
from studio.base.parameters import ParameterError, flag, integer, later, number, validate
from studio.geometry.art.artwork import PNG, Picture


@dataclass(frozen=True)
class Size:
    """The parameters of a toy."""

    teeth: int = integer(8, title="Teeth", minimum=3, maximum=99, help="Teeth around the wheel.")
    radius: float = number(5.0, title="Radius", minimum=1.0, maximum=50.0, step=1.0, unit="mm", help="Of the wheel.")
    spoked: bool = flag(False, title="Spoked", help="Spokes save wood.")
    bevel: float = later(number(0.0, title="Bevel", minimum=0.0, maximum=5.0, step=0.1, help="Came with version 2."))

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Mark:
    """An element of a toy."""

    name: str
    angle: float | None = None
    deep: bool = False

    def __post_init__(self) -> None:
        if self.name == "forbidden":
            raise ParameterError("name", "name must be another word.")


@dataclass(frozen=True)
class Wheel:
    """A toy of a design."""

    parameters: Size = Size()
    marks: tuple[Mark, ...] = ()
    hub: Mark | None = None


def written(wheel: Wheel) -> Any:
    return encode(wheel, Size)


def read(data: Any) -> Wheel:
    return decode(Wheel, data, "design", Size)


SIZE = {"teeth": 8, "radius": 5.0, "spoked": False}


def test_parameters_are_written_in_full_and_nothing_else_is() -> None:
    assert written(Wheel()) == {"parameters": SIZE}


def test_a_parameter_that_came_later_is_left_out_at_its_default_so_that_older_files_keep_their_bytes() -> None:
    assert read({"parameters": SIZE}) == Wheel()
    bevelled = Wheel(Size(bevel=0.5))
    assert written(bevelled) == {"parameters": SIZE | {"bevel": 0.5}}
    assert read(written(bevelled)) == bevelled


def test_an_element_is_written_without_what_it_leaves_to_its_defaults() -> None:
    wheel = Wheel(marks=(Mark("a"), Mark("b", 1.5)), hub=Mark("c", deep=True))
    data = written(wheel)
    assert data["marks"] == [{"name": "a"}, {"name": "b", "angle": 1.5}]
    assert data["hub"] == {"name": "c", "deep": True}
    assert read(data) == wheel


def test_defaults_that_are_written_out_are_read_as_well() -> None:
    data = {"parameters": SIZE, "marks": [{"name": "a", "angle": None, "deep": False}], "hub": None}
    assert read(data) == Wheel(marks=(Mark("a"),))


def test_a_whole_number_does_for_a_number() -> None:
    wheel = read({"parameters": SIZE | {"radius": 7}, "marks": [{"name": "a", "angle": 3}]})
    assert (wheel.parameters.radius, wheel.marks[0].angle) == (7.0, 3.0)
    assert type(wheel.parameters.radius) is type(wheel.marks[0].angle) is float


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "design must be an object, not null."),
        ([], "design must be an object, not a list."),
        ({}, "design.parameters is missing."),
        ({"parameters": {"teeth": 8, "radius": 5.0}}, "design.parameters.spoked is missing."),
        ({"parameters": SIZE | {"colour": 1}}, "design.parameters.colour is unknown."),
        ({"parameters": SIZE | {"teeth": 2}}, "design.parameters.teeth must be a whole number from 3 to 99, not 2."),
        ({"parameters": SIZE | {"teeth": 8.0}}, "design.parameters.teeth must be a whole number, not 8.0."),
        ({"parameters": SIZE | {"teeth": True}}, "design.parameters.teeth must be a whole number, not true."),
        ({"parameters": SIZE | {"spoked": 1}}, "design.parameters.spoked must be true or false, not 1."),
        ({"parameters": SIZE | {"radius": None}}, "design.parameters.radius must be a number, not null."),
        ({"parameters": SIZE | {"radius": True}}, "design.parameters.radius must be a number, not true."),
        ({"parameters": SIZE | {"radius": float("nan")}}, "design.parameters.radius must be a number, not NaN."),
        ({"parameters": SIZE | {"radius": 1e300}}, "design.parameters.radius must be 1 to 50 mm, not 1e+300."),
        (
            {"parameters": SIZE | {"radius": 10**400}},
            "design.parameters.radius must be a number, not an infinite number.",
        ),
        ({"parameters": SIZE, "marks": {}}, "design.marks must be a list, not an object."),
        ({"parameters": SIZE, "marks": [{"name": "a"}, 5]}, "design.marks[1] must be an object, not 5."),
        ({"parameters": SIZE, "marks": [{"angle": 1}]}, "design.marks[0].name is missing."),
        ({"parameters": SIZE, "marks": [{"name": 1}]}, "design.marks[0].name must be a text, not 1."),
        ({"parameters": SIZE, "marks": [{"name": "\ud800"}]}, "design.marks[0].name must be a text, not '\\ud800'."),
        (
            {"parameters": SIZE, "marks": [{"name": "a", "angle": "x" * 99}]},
            f"design.marks[0].angle must be a number, not '{'x' * 40}'….",
        ),
        ({"parameters": SIZE, "marks": [{"name": "forbidden"}]}, "design.marks[0].name must be another word."),
    ],
)
def test_a_misfit_is_told_in_a_sentence_with_its_place(data: Any, sentence: str) -> None:
    with pytest.raises(StudioError) as told:
        read(data)
    assert str(told.value) == sentence


class Wood(Enum):
    """What a toy is made of."""

    OAK = "oak"
    BALSA = "balsa"


@dataclass(frozen=True)
class Made:
    """A toy with its wood."""

    wood: Wood


def test_one_of_several_is_read_by_its_value() -> None:
    assert decode(Made, {"wood": "balsa"}, "toy", Made) == Made(Wood.BALSA)
    for other, shown in (("OAK", "'OAK'"), (3, "3"), ([], "a list")):
        with pytest.raises(StudioError, match=f"^toy.wood must be one of oak, balsa, not {shown}.$"):
            decode(Made, {"wood": other}, "toy", Made)


@dataclass(frozen=True)
class Framed:
    """A toy with a picture."""

    picture: Picture


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738"
    "550000000049454e44ae426082"
)
DATA = b64encode(PIXEL).decode("ascii")


def test_a_picture_rides_along_as_base64_with_its_media_type() -> None:
    framed = Framed(Picture(PIXEL, PNG, (1.0, 2.0, 30.0, 20.5)))
    data = encode(framed, Framed)
    assert data == {"picture": {"data": DATA, "media": "image/png", "box": [1.0, 2.0, 30.0, 20.5]}}
    back = decode(Framed, json.loads(json.dumps(data)), "toy", Framed)
    assert back == framed and back.picture.decoded().size == (1, 1)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"data": 5}, "toy.picture.data must be base64 text, not 5."),
        ({"data": "Pixel!"}, "toy.picture.data is not base64 text, or it is truncated."),
        ({"data": DATA[:-3]}, "toy.picture.data is not base64 text, or it is truncated."),
        ({"data": "AB=="}, "toy.picture.data is not valid base64."),
        ({"data": "A" * (4 * 2**20 * 32 // 3 + 8)}, "toy.picture.data is larger than 32 MB."),
        ({"data": b64encode(PIXEL[:20]).decode()}, "toy.picture: The picture at 1, 2 mm is truncated."),
        (
            {"media": "image/svg+xml"},
            "toy.picture: The picture at 1, 2 mm is in an unsupported format (image/svg+xml); use PNG or JPEG.",
        ),
        ({"media": "image/jpeg"}, "toy.picture: The picture at 1, 2 mm is damaged: it is not a JPEG file."),
        ({"box": [1, 2, 30]}, "toy.picture.box must have 4 elements, not 3."),
        ({"box": [1, 2, 30, "x"]}, "toy.picture.box[3] must be a number, not 'x'."),
        (
            {"box": [1, 2, 0, 5]},
            "toy.picture: A picture needs a width and a height in mm, not the box (1.0, 2.0, 0.0, 5.0).",
        ),
    ],
)  # fmt: skip
def test_bytes_that_are_no_picture_are_refused_with_their_place(changed: dict[str, Any], sentence: str) -> None:
    whole = {"data": DATA, "media": "image/png", "box": [1.0, 2.0, 30.0, 20.5]}
    with pytest.raises(StudioError) as told:
        decode(Framed, {"picture": whole | changed}, "toy", Framed)
    assert str(told.value) == sentence
