"""Colour and layer of each operation in a file, as the software of a laser cutter expects them.

Profiles are data: one JSON file each in resources/profiles, and makers' own in the folder `profiles` of their
settings, read again on every request. An own file that cannot be used is left out, and `broken_profiles` reports it.
Decisions behind the studio's profiles:

* `workshop` follows the makerspaces where red cuts, blue scores and black engraves. Elsewhere blue means "cut this
  first". Nothing that must be cut is blue, so a blue that only scores never leaves a puzzle uncut; but take a
  drawing with scores to a machine that cuts blue, and they are cut. The border has a layer of its own though it is
  as red as the inner cuts: it comes last in the file.
* `single` is for drivers that cut in the order of the file whatever the colour.
* `glowforge` has a colour for every operation, since a colour is a step there. The order in which its program lists
  the steps is not documented; black, blue, green, red are in order by number too.
* Registration marks are in a layer that is the same in every profile: LightBurn's tool layer T1, which never runs, and
  elsewhere a colour of its own, to be switched off.
* Colours may repeat, layer names may not; nor may the layers of a LightBurn project, so that the border can come last
  there whatever its colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from studio.base.encode import decode
from studio.base.errors import StudioError, one_named
from studio.base.folders import delete_own, own_files, own_path, refuse_key, refuse_title, shipped, write_own
from studio.base.json_files import read
from studio.base.texts import tr
from studio.geometry.planar.drawing import WORK_OF, Operation, Recipe, summary

# From 0.2 mm on, drivers treat a line as an engraving; below 0.01 mm some programs drop it.
THINNEST, THICKEST = 0.01, 0.1
# LightBurn's layers C00 to C29; higher ones are tool layers, which are never cut.
LAST_CUT, LAST_TOOL = 29, 31
WORKED = (Operation.ENGRAVE, Operation.SCORE, Operation.INNER, Operation.BORDER)
"""The operations that a machine carries out, in order."""
LARGEST = 2**16
"""Bytes of the largest file of a profile; they have some 700."""
FOLDER = "profiles"
MOST_OWN = 50
"""Limit for the makers' own profiles in the list."""
LONGEST_TITLE = 60
PALEST = 225
"""Brightness of the palest line allowed, from 0 to 255."""
_BASIC = {
    1: (255, 0, 0), 2: (255, 255, 0), 3: (0, 255, 0), 4: (0, 255, 255), 5: (0, 0, 255), 6: (255, 0, 255),
    7: (0, 0, 0), 8: (128, 128, 128), 30: (255, 127, 0),
}  # fmt: skip
"""DXF colours that every program knows, by number."""


@dataclass(frozen=True)
class Layer:
    """One operation in a file: its layer's name, its colour `#RRGGBB`, its DXF colour number.

    `cut` is the number of its layer in a LightBurn project, where every layer has its own colour.
    """

    operation: Operation
    name: str
    colour: str
    aci: int
    cut: int

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,30}", self.name):
            raise StudioError(
                tr("A layer name must be 1 to 31 capitals, digits and underscores, not {name!r}.", name=self.name)
            )
        if not re.fullmatch(r"#[0-9A-F]{6}", self.colour):
            raise StudioError(
                tr("The colour of {name} must look like #FF0000, not {colour!r}.", name=self.name, colour=self.colour)
            )
        if not 1 <= self.aci <= 255:
            raise StudioError(
                tr("The DXF colour of {name} must be from 1 to 255, not {aci!r}.", name=self.name, aci=self.aci)
            )
        if not 0 <= self.cut <= (LAST_TOOL if self.operation is Operation.MARK else LAST_CUT):
            words = tr(
                "The LightBurn layer of {name} must be from 0 to {last_cut}, not {cut!r}.",
                name=self.name,
                last_cut=LAST_CUT,
                cut=self.cut,
            )
            raise StudioError(words)


MARKS = Layer(Operation.MARK, "MARKS", "#F36926", 30, 30)
"""The layer of registration marks in every file."""


@dataclass(frozen=True)
class Profile:
    """The layers of a file in machining order, and the width in mm at which lines are drawn."""

    key: str
    title: str
    summary: str
    stroke_width: float
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        for words, text in (("key", self.key), ("title", self.title), ("summary", self.summary)):
            if not text.strip():
                raise StudioError(tr("The {field} of a profile must be text, not {text!r}.", field=words, text=text))
        if not THINNEST <= self.stroke_width <= THICKEST:
            sentence = tr(
                "The stroke width of {key} must be from {thinnest} to {thickest} mm, not {stroke_width!r}.",
                key=self.key,
                thinnest=THINNEST,
                thickest=THICKEST,
                stroke_width=self.stroke_width,
            )
            raise StudioError(sentence)
        if tuple(layer.operation for layer in self.layers) != WORKED:
            names = ", ".join(operation.value for operation in WORKED)
            raise StudioError(
                tr("The profile {key} must have one layer each for {names}, in this order.", key=self.key, names=names)
            )
        if len({layer.name for layer in self.every}) != len(self.every):
            raise StudioError(tr("Two layers of the profile {key} have the same name.", key=self.key))
        if len({layer.cut for layer in self.layers}) != len(self.layers):
            raise StudioError(tr("Two layers of the profile {key} have the same LightBurn layer.", key=self.key))

    def layer(self, operation: Operation) -> Layer:
        """Return the layer of an operation."""
        return self.every[tuple(Operation).index(operation)]

    @property
    def every(self) -> tuple[Layer, ...]:
        """The layers of a file in its order, the layer of marks last."""
        return (*self.layers, MARKS)

    def notes(self, recipe: Recipe, operations: Iterable[Operation]) -> dict[str, str]:
        """Return what files say of a recipe about the layers of some operations, by the names of layers."""
        used = set(operations)
        return {
            layer.name: summary(setting, WORK_OF[layer.operation])
            for layer in self.every
            if layer.operation in used and (setting := recipe.of(layer.operation)) is not None
        }


def read_profile(path: Path) -> Profile:
    """Read a profile from a JSON file; raises StudioError, naming the file, if it is invalid."""
    try:
        return decode(Profile, read(path, LARGEST), "profile", Profile)
    except StudioError as problem:
        raise StudioError(
            tr("The profile {name} cannot be used: {problem}", name=path.name, problem=problem)
        ) from problem


@cache
def shipped_profiles() -> tuple[Profile, ...]:
    """Return the studio's profiles, `lightburn` first and the others by key."""
    folder = shipped(FOLDER)
    known = (read_profile(path) for path in sorted(folder.glob("*.json")))
    return tuple(sorted(known, key=lambda profile: (profile.key != "lightburn", profile.key)))


def profiles() -> tuple[Profile, ...]:
    """Return all usable profiles: the studio's, then the maker's own by title."""
    return (*shipped_profiles(), *_own()[0])


def own_profiles() -> tuple[Profile, ...]:
    """Return the maker's own usable profiles, by title."""
    return _own()[0]


def broken_profiles() -> dict[str, str]:
    """Map the key of each unusable own profile to the reason; the key is empty if it concerns all."""
    return _own()[1]


def titles() -> dict[str, str]:
    """Return the titles of all profiles, by key."""
    return {known.key: known.title for known in profiles()}


def profile(key: str) -> Profile:
    """Return the profile with a key; raises StudioError naming the known keys, or the fault of its file."""
    known = {known.key: known for known in shipped_profiles()}
    if key in known:
        return known[key]
    good, bad = _own()
    if key in bad:
        raise StudioError(bad[key])
    return one_named(known | {one.key: one for one in good}, key, tr("Unknown profile"))


def keep_profile(own: Profile) -> None:
    """Write one of the maker's own profiles; raises StudioError if it cannot be used or written."""
    refuse_own(own, own.key)
    content = asdict(own)
    content["layers"] = [asdict(layer) | {"operation": layer.operation.value} for layer in own.layers]
    write_own(own_path(FOLDER, own.key), content)


def forget_profile(key: str) -> None:
    """Delete one of the maker's own profiles, usable or not; raises StudioError if that fails."""
    refuse_key(key)
    delete_own(own_path(FOLDER, key))


def nearest_aci(colour: str) -> int:
    """Return the basic DXF colour nearest to a colour `#RRGGBB`; black is 7, which is drawn on white as black.

    >>> nearest_aci("#FF0000"), nearest_aci("#000000"), nearest_aci("#0010E0")
    (1, 7, 5)
    """
    wanted = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return min(_BASIC, key=lambda aci: sum((a - b) ** 2 for a, b in zip(wanted, _BASIC[aci], strict=True)))


def refuse_pale(layer: Layer) -> None:
    """Raise StudioError for a layer whose colour is invisible on white."""
    red, green, blue = (int(layer.colour[at : at + 2], 16) for at in (1, 3, 5))
    if 0.299 * red + 0.587 * green + 0.114 * blue > PALEST:
        raise StudioError(
            tr("The colour of {name}, {colour}, is too pale to be seen.", name=layer.name, colour=layer.colour)
        )


def _own() -> tuple[tuple[Profile, ...], dict[str, str]]:
    """Return the maker's own usable profiles, and the reason for each unusable one by key."""
    good: list[Profile] = []
    bad: dict[str, str] = {}
    try:
        paths = own_files(FOLDER)[:MOST_OWN]
    except StudioError as problem:
        return (), {"": str(problem)}
    for path in paths:
        try:
            found = read_profile(path)
            refuse_own(found, path.stem)
            good.append(found)
        except StudioError as problem:
            said = str(problem)
            named = tr("The profile {name} cannot be used: {problem}", name=path.name, problem=problem)
            bad[path.stem] = said if path.name in said else named
    return tuple(sorted(good, key=lambda one: one.title.casefold())), bad


def refuse_own(own: Profile, stem: str) -> None:
    """Raise StudioError for an own profile that another one would hide, or that cannot be shown."""
    refuse_key(own.key)
    refuse_title(own.title)
    if own.key != stem:
        raise StudioError(tr("its key is {key!r}, so the file must be {key}.json.", key=own.key))
    if own.key in {one.key for one in shipped_profiles()}:
        raise StudioError(tr("there is a profile of the studio with this key; rename the file and its key."))
    if len(own.title) > LONGEST_TITLE:
        raise StudioError(tr("The title has more than {most} characters.", most=LONGEST_TITLE))
    for layer in own.layers:
        refuse_pale(layer)
        if layer.name == "DEFPOINTS":
            raise StudioError(tr("CAD programs never cut a layer named DEFPOINTS; choose another name."))
