"""Values of SVG: CSS properties as presentation attributes, lengths, transforms and viewports.

Invalid properties are dropped, as CSS has it; keywords become small letters, colours the older notation with commas,
and variables their values. user unit: the unit of the coordinates in a file, 1/96 inch for lengths with a unit. A
matrix a b c d e f maps x, y to a x + c y + e, b x + d y + f.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element

import tinycss2
from tinycss2.color3 import parse_color

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.files.imported_paths import UNITS

INITIAL = {
    "clip-rule": "nonzero", "color": "black", "fill": "black", "fill-opacity": "1", "fill-rule": "nonzero",
    "font-size": "medium", "marker-end": "none", "marker-mid": "none", "marker-start": "none", "stroke": "none",
    "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-opacity": "1",
    "stroke-width": "1", "text-anchor": "start", "visibility": "visible",
}  # fmt: skip
"""Inherited properties and their initial values."""
FONT_SIZES = {
    "xx-small": "9px", "x-small": "10px", "small": "13px", "medium": "16px", "large": "18px", "x-large": "24px",
    "xx-large": "32px", "smaller": "83.3%", "larger": "120%",
}  # fmt: skip
CURRENT = "currentColor"
"""The colour of the property `color`, in the one notation that resvg reads."""
GLOBAL = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_DISPLAYS = """
    block contents flex flow flow-root grid inline inline-block inline-flex inline-grid inline-table list-item none
    run-in table table-caption table-cell table-column table-column-group table-footer-group table-header-group
    table-row table-row-group
"""
KEYWORDS = {
    "clip-rule": frozenset({"nonzero", "evenodd"}),
    "display": frozenset(_DISPLAYS.split()),
    "fill-rule": frozenset({"nonzero", "evenodd"}),
    "overflow": frozenset({"auto", "clip", "hidden", "scroll", "visible"}),
    "visibility": frozenset({"collapse", "hidden", "visible"}),
}
"""Properties whose values are one keyword."""
_PAINTS = frozenset({"fill", "stroke"})
_COLOURS = frozenset({"color", "flood-color", "lighting-color", "stop-color"})
_SHARES = frozenset({"fill-opacity", "flood-opacity", "opacity", "stop-opacity", "stroke-opacity"})
_SIDES = frozenset({"cx", "cy", "height", "r", "rx", "ry", "width", "x", "y"})
_AS_WRITTEN = frozenset({"d", "font", "font-family"})
_SYSTEM = """
    accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field fieldtext
    graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext visitedtext
"""
_SYSTEM_COLOURS = frozenset(_SYSTEM.split())
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
_SHARE = re.compile(rf"{_NUMBER}%?|calc\(.*\)")
_SIDE = re.compile(rf"auto|[-+]?0*\.?0+|{_NUMBER}(?:%|[a-z]+)|[a-z-]+\(.*\)")
_NEWER_COLOUR = re.compile(r"(?:color|color-mix|hwb|lab|lch|light-dark|oklab|oklch)\(.*\)", re.DOTALL)
_SPACED_COLOUR = re.compile(r"(rgb|hsl)a?\(\s*([^(),/]+?)\s*(?:/\s*([^(),/]+?)\s*)?\)")
_VARIABLE = re.compile(r"var\(\s*(--[-\w]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
LONGEST = 1024
"""Characters of a variable, and of a value made of them."""
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
NUMBERS = re.compile(NUMBER)
PIXEL = 25.4 / 96
LARGEST = 1e15
"""The largest number of a length or transform."""
FONT_SIZE = 16.0
"""User units of text without a stated size."""
_LENGTH = re.compile(rf"\s*({NUMBER})\s*([a-zA-Z%]*)\s*")
_TRANSFORM = re.compile(r"[\s,]*([A-Za-z]+)\s*\(([^()]*)\)[\s,]*")
_ANGLES = {"": 1.0, "deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}
_KEYWORDS = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""
SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def written(name: str, tokens: list[Any]) -> str | None:
    """Return the value of a property; None if it is invalid. Values with variables stay as they are."""
    tokens = [part for part in tokens if part.type != "comment"]
    value = str(tinycss2.serialize(tokens)).strip()
    if name.startswith("--") or "var(" in value:
        return value
    if name in _AS_WRITTEN:
        return value
    lowered = [part.lower_value if part.type == "ident" else _with_small_name(part) for part in tokens]
    return valid(name, "".join(lowered).strip())


def _with_small_name(token: Any) -> str:
    """Return a token as text, the name of its function in small letters."""
    text = str(token.serialize())
    for kind, name in (("function", "lower_name"), ("url", "")):
        if token.type == kind:
            at = text.index("(")
            return (getattr(token, name) if name else "url") + text[at:]
    return text


def valid(name: str, value: str) -> str | None:
    """Return a value in small letters as an attribute; None if the property knows no such value."""
    if value in GLOBAL:
        return value
    if name in KEYWORDS:
        return value if value in KEYWORDS[name] else None
    if name in _SHARES:
        return value if _SHARE.fullmatch(value) else None
    if name in _SIDES:
        return value if _SIDE.fullmatch(value) else None
    if name in _COLOURS or (name in _PAINTS and not value.startswith("url(")):
        return _colour(name, value)
    return value


def _colour(name: str, value: str) -> str | None:
    if value == "currentcolor":
        return CURRENT
    if name in _PAINTS and value in ("none", "context-fill", "context-stroke"):
        return value
    if found := _SPACED_COLOUR.fullmatch(value):
        first, *others = found[2].split()
        alpha = found[3] or "1"
        share = float(alpha[:-1]) / 100 if re.fullmatch(rf"{_NUMBER}%", alpha) else alpha
        parts = [first.removesuffix("deg"), *others]
        if found[1] == "rgb":
            parts = [f"{float(part):.0f}" if re.fullmatch(_NUMBER, part) else part for part in parts]
        value = f"{found[1]}a({', '.join(parts)}, {share})"
    is_known = value in _SYSTEM_COLOURS or parsed_colour(value) is not None
    return value if is_known or _NEWER_COLOUR.fullmatch(value) else None


@lru_cache(maxsize=4096)
def parsed_colour(value: str) -> tuple[float, ...] | str | None:
    """Red, green, blue and alpha from 0 to 1, `currentColor` as it is, None for an unknown colour."""
    if re.fullmatch("#[0-9a-fA-F]{6}", value):
        red, green, blue = bytes.fromhex(value[1:])
        return red / 255, green / 255, blue / 255, 1.0
    if re.fullmatch("#[0-9a-fA-F]{4}|#[0-9a-fA-F]{8}", value):
        value, alpha = value[: 1 + (len(value) - 1) // 4 * 3], value[1 + (len(value) - 1) // 4 * 3 :]
        return (0.0, 0.0, 0.0, 0.0) if int(alpha, 16) == 0 else parsed_colour(value)
    colour = parse_color(value)
    return tuple(colour) if isinstance(colour, tuple) else colour


def is_invisible(value: str) -> bool:
    """True if a colour has no opacity."""
    colour = parsed_colour(value)
    return isinstance(colour, tuple) and colour[3] <= 0


def is_zero(value: str) -> bool:
    """True for a number or length of 0 or less."""
    found = re.fullmatch(rf"\s*({_NUMBER})\s*(?:%|[a-z]*)\s*", value, re.IGNORECASE)
    return found is not None and float(found[1]) <= 0


def substituted(value: str, variables: Mapping[str, str]) -> str | None:
    """Replace the innermost variables of a value; None if one is unknown or the value too long."""
    unknown = [found[1] for found in _VARIABLE.finditer(value) if found[1] not in variables and found[2] is None]
    if unknown or len(value) > LONGEST:
        return None
    return _VARIABLE.sub(lambda found: variables.get(found[1], found[2]), value)


class Unreadable(StudioError):
    """An attribute that is no length or transform; its element is left out."""


@dataclass(frozen=True)
class Scale:
    """The lengths that relative units stand for, in user units."""

    viewport: tuple[float, float] | None = None
    """Width and height; None for a page without a size."""
    page: tuple[float, float] | None = None
    font: float = FONT_SIZE
    root_font: float = FONT_SIZE

    def length(self, text: str, axis: str) -> float:
        """Return a length along `x`, `y` or the diagonal `xy` of the viewport; raises Unreadable."""
        found = _LENGTH.fullmatch(text)
        if found is None:
            raise Unreadable(tr("not a length: {text!r}", text=text[:20]))
        number, unit = _finite(found[1]), found[2].lower()
        if unit in UNITS:
            return number * UNITS[unit] / PIXEL
        match unit:
            case "":
                return number
            case "em":
                return number * self.font
            case "ex" | "ch":
                return number * self.font / 2
            case "rem":
                return number * self.root_font
            case "%" if self.viewport is not None:
                return number / 100 * _along(self.viewport, axis)
            case "vw" | "vh" | "vmin" | "vmax" if self.page is not None:
                width, height = self.page
                sides = {"vw": width, "vh": height, "vmin": min(self.page), "vmax": max(self.page)}
                return number / 100 * sides[unit]
        raise Unreadable(tr("not a length here: {text!r}", text=text[:20]))

    def with_font(self, text: str) -> Scale:
        """Return the lengths within an element that sets `font-size`; an unknown size changes nothing."""
        inherited = replace(self, viewport=(self.font, self.font))
        try:
            return replace(self, font=inherited.length(text, "x"))
        except Unreadable:
            return self


def _finite(text: str) -> float:
    number = float(text)
    if abs(number) > LARGEST:
        raise Unreadable(tr("too large: {text!r}", text=text[:20]))
    return number


def _along(sides: tuple[float, float], axis: str) -> float:
    width, height = sides
    return {"x": width, "y": height, "xy": math.hypot(width, height) / math.sqrt(2)}[axis]


def product(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the matrix of the inner transform followed by the outer one."""
    a, b, c, d, right, down = outer
    e, f, g, h, x, y = inner
    return (a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h, a * x + c * y + right, b * x + d * y + down)


def shifted(right: float, down: float) -> Matrix:
    """Return the matrix of a shift."""
    return (1.0, 0.0, 0.0, 1.0, right, down)


def transform(element: Element, scale: Scale, box: Callable[[], Box]) -> Matrix:
    """Return the matrix of an element's `transform` round its `transform-origin`; raises Unreadable.

    `box` gives the box of the element in its own coordinates, for `transform-box`.
    """
    text = element.get("transform", "").strip()
    if text in ("", "none"):
        return SAME
    left = top = 0.0
    if element.get("transform-box", "view-box") not in ("view-box", "border-box") and (
        "%" in text or "transform-origin" in element.attrib
    ):
        left, top, width, height = box()
        scale = replace(scale, viewport=(width, height))
    matrix = steps(text, scale)
    if "transform-origin" not in element.attrib:
        return matrix
    words = element.get("transform-origin", "").lower().split()[:2] or ["0"]
    if words[0] in ("top", "bottom") or words[-1] in ("left", "right"):
        words.reverse()
        words = words if len(words) == 2 else ["center", *words] if words[0] in ("top", "bottom") else words
    words = [_KEYWORDS.get(word, word) for word in [*words, "center"][:2]]
    x, y = scale.length(words[0], "x"), scale.length(words[1], "y")
    return product(product(shifted(left + x, top + y), matrix), shifted(-left - x, -top - y))


def steps(text: str, scale: Scale) -> Matrix:
    """Return the matrix of a list of transform functions, in SVG or CSS; raises Unreadable."""
    matrix, at = SAME, 0
    while at < len(text.rstrip()):
        found = _TRANSFORM.match(text, at)
        step = _step(found[1], found[2].replace(",", " ").split(), scale) if found else None
        if found is None or step is None:
            raise Unreadable(tr("unknown transform {text!r}", text=text[at : at + 30]))
        matrix, at = product(matrix, step), found.end()
    if not all(map(math.isfinite, matrix)):
        raise Unreadable(tr("its transform is not finite"))
    return matrix


def _step(function: str, words: list[str], scale: Scale) -> Matrix | None:
    """Return the matrix of one transform function; None if it is unknown."""
    if function in ("rotate", "matrix", "translate"):
        # SVG allows numbers without a space between them.
        words = [part for word in words for part in re.findall(rf"{NUMBER}[a-zA-Z%]*", word)]
    match function.lower(), words:
        case "matrix", [_, _, _, _, _, _]:
            a, b, c, d, right, down = (scale.length(word, "x") for word in words)
            return (a, b, c, d, right, down)
        case (("translate" | "translatex"), [right]):
            return shifted(scale.length(right, "x"), 0.0)
        case "translate", [right, down]:
            return shifted(scale.length(right, "x"), scale.length(down, "y"))
        case "translatey", [down]:
            return shifted(0.0, scale.length(down, "y"))
        case "scale", [_] | [_, _]:
            across, down = _ratio(words[0]), _ratio(words[-1])
            return (across, 0.0, 0.0, down, 0.0, 0.0)
        case "scalex", [across]:
            return (_ratio(across), 0.0, 0.0, 1.0, 0.0, 0.0)
        case "scaley", [down]:
            return (1.0, 0.0, 0.0, _ratio(down), 0.0, 0.0)
        case (("rotate" | "rotatez"), [angle, *middle]) if len(middle) in (0, 2):
            x, y = (scale.length(word, "x") for word in middle or ("0", "0"))
            cos, sin = math.cos(_angle(angle)), math.sin(_angle(angle))
            return (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)
        case "skewx", [angle]:
            return (1.0, 0.0, math.tan(_angle(angle)), 1.0, 0.0, 0.0)
        case "skewy", [angle]:
            return (1.0, math.tan(_angle(angle)), 0.0, 1.0, 0.0, 0.0)
        case "skew", [across, *down] if len(down) < 2:
            return (1.0, math.tan(_angle(down[0])) if down else 0.0, math.tan(_angle(across)), 1.0, 0.0, 0.0)
    return None


def _ratio(text: str) -> float:
    found = _LENGTH.fullmatch(text)
    if found is None or found[2] not in ("", "%"):
        raise Unreadable(tr("not a number: {text!r}", text=text[:20]))
    return _finite(found[1]) / (100 if found[2] else 1)


def _angle(text: str) -> float:
    """Return an angle in radians."""
    found = _LENGTH.fullmatch(text)
    if found is None or found[2].lower() not in _ANGLES:
        raise Unreadable(tr("not an angle: {text!r}", text=text[:20]))
    return math.radians(_finite(found[1]) * _ANGLES[found[2].lower()])


def view_box(element: Element) -> Box | None:
    """Return the box of user units that an element shows, None for all; raises StudioError for an empty one."""
    numbers = [float(number) for number in NUMBERS.findall(element.get("viewBox", ""))]
    if len(numbers) != 4 or not all(map(math.isfinite, numbers)):
        return None
    left, top, width, height = numbers
    if not (width > 0 and height > 0):
        raise StudioError(tr("its page has no size."))
    return left, top, width, height


def fitted(element: Element, box: Box, sides: tuple[float, float]) -> Matrix:
    """Return the matrix that fits a box into a frame of some width and height, as `preserveAspectRatio` says."""
    left, top, width, height = box
    across, down = sides[0] / width, sides[1] / height
    how = element.get("preserveAspectRatio", "").split()
    how = how[1:] if how[:1] == ["defer"] else how
    align = how[0] if how else "xMidYMid"
    if align == "none":
        return (across, 0.0, 0.0, down, -across * left, -down * top)
    across = down = max(across, down) if how[1:] == ["slice"] else min(across, down)
    places = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    x, y = (places.get(align[at : at + 3], 0.5) for at in (1, 5))
    right, below = x * (sides[0] - across * width), y * (sides[1] - down * height)
    return (across, 0.0, 0.0, down, right - across * left, below - down * top)
