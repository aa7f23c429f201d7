"""Values of CSS properties as presentation attributes: invalid ones are dropped, as CSS has it.

Keywords become small letters, colours the older notation with commas, and variables their values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import tinycss2
from tinycss2.color3 import parse_color

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
