"""The elements of an SVG file, each with its own styles as attributes; external files are never read.

An SVG file is XML with entities and style sheets. Both are resolved here, so that all readers, of paths and of
pictures, see one drawing: an attribute of an element is the value that wins in the cascade.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.imported_paths import MOST_ELEMENTS, MOST_TOLD, too_many_elements
from studio.files.svg_styles import PROPERTIES, styled
from studio.files.svg_values import CURRENT, FONT_SIZES, is_invisible, is_zero

DEEPEST = 200
"""Groups within groups."""
MOST_ATTRIBUTES = 200
"""Attributes of one element; resvg compares each with all others."""
MOST_ENTITIES = 256
MOST_EXPANDED = 2**22
"""Characters that all entities of a file may add."""
CHUNK = 2**18
LANGUAGE = "en"
SVG = "http://www.w3.org/2000/svg"
_REFERENCE = re.compile(r"&([^;&#\s]+);")
_LINK = re.compile(r"""url\(\s*["']?\s*#([^"')]*?)\s*["']?\s*\)""")
_MATHS = re.compile(r"(?<![\w-])(attr|calc|clamp|env|max|min)\(")
_FUNCTION = re.compile(r"([\w-]+)\(")
_MOVES = re.compile("matrix|rotatez?|scale[xy]?|skew[xy]?|translate[xy]?", re.IGNORECASE)
_CONDITIONS = ("systemLanguage", "requiredExtensions", "requiredFeatures")
_PLACING = frozenset({"height", "width", "x", "y"})
_SERVERS = frozenset({"linearGradient", "radialGradient", "pattern"})


@dataclass(frozen=True)
class Tree:
    """The elements of a file, their ids, and sentences about unsupported styles."""

    root: Element = field(repr=False)
    named: dict[str, Element] = field(repr=False)
    notes: tuple[str, ...] = ()


def resolved(data: bytes, progress: Progress) -> Tree:
    """Return the elements of an SVG file with their styles; raises StudioError, to follow the file's name."""
    root = _parsed(data, progress.part(0.0, 0.6))
    if name(root) != "svg":
        raise StudioError(tr("it is not an SVG file."))
    notes = styled(root, progress.part(0.6, 1.0))
    _choose(root)
    named: dict[str, Element] = {}
    for element in root.iter():
        if key := element.get("id"):
            named.setdefault(key, element)
    unsupported: set[str] = set()
    for element in root.iter():
        if (size := element.get("font-size")) in FONT_SIZES:
            element.set("font-size", FONT_SIZES[size])
        for key, value in element.items():
            if "(" not in value:
                continue
            if key in ("fill", "stroke") and value.startswith("url("):
                element.set(key, _paint(named, value))
                if linked(value) is None:
                    unsupported.add(tr("{key} of another file", key=key))
            elif key in ("clip-path", "mask") and not value.startswith("url("):
                unsupported.add(f"{key}: {value.partition('(')[0].strip()}()")
            elif key == "transform":
                unsupported |= {f"{one}()" for one in _FUNCTION.findall(value) if not _MOVES.fullmatch(one)}
            elif key in PROPERTIES and (found := _MATHS.search(value)):
                unsupported.add(f"{found[1]}()")
    if unsupported:
        notes.append(tr("Not supported, left out: {named}.", named=", ".join(sorted(unsupported))))
    tree = Tree(root, named, tuple(notes))
    _ensure_bounded(tree)
    return tree


def name(element: Element) -> str:
    """Return the name of an SVG element; "" for elements of other namespaces."""
    return _name(str(element.tag))


@lru_cache(maxsize=1024)
def _name(tag: str) -> str:
    space, _, own = tag.rpartition("}")
    return own if space in ("", f"{{{SVG}") else ""


def link(element: Element) -> str:
    """Return the address that an element refers to, "" without one; `href` goes before `xlink:href`."""
    found = element.get("href")
    if found is None:
        found = next((value for key, value in element.items() if key.endswith("}href")), "")
    return found.strip()


def linked(value: str) -> str | None:
    """Return the `id` in a value such as `url(#id)`."""
    found = _LINK.match(value)
    return found[1] if found else None


def _choose(root: Element) -> None:
    """Keep each `switch`'s visible child, hide content for other programs, and turn symbols into pages."""
    for element in list(root.iter()):
        if name(element) == "switch":
            element[:] = [child for child in element if name(child) and _suits(child)][:1]
        elif not _suits(element):
            element.set("display", "none")
        for key in _CONDITIONS:
            element.attrib.pop(key, None)
        for side in ("width", "height"):
            if element.get(side) == "auto":
                del element.attrib[side]
        for at, child in enumerate(element):
            if name(child) == "symbol":
                child.tag = f"{{{SVG}}}svg"
                for key in _PLACING & child.attrib.keys():
                    del child.attrib[key]
                element[at] = Element(f"{{{SVG}}}defs")
                element[at].append(child)


def _suits(element: Element) -> bool:
    """Return whether an element is for this program and its language."""
    if "systemLanguage" in element.attrib:
        languages = [one.strip().lower() for one in element.get("systemLanguage", "").split(",")]
        if not any(one == LANGUAGE or one.startswith(f"{LANGUAGE}-") for one in languages):
            return False
    return not element.get("requiredExtensions", "").strip()


def _paint(named: Mapping[str, Element], value: str) -> str:
    """Return a paint that refers to a gradient or pattern; without one its fallback, `none` if invisible."""
    target, fallback = named.get(linked(value) or ""), value.partition(")")[2].strip()
    fallback = CURRENT if fallback.lower() == CURRENT.lower() else fallback
    if target is None or name(target) not in _SERVERS:
        return fallback or "none"
    seen_paint = f"{value[: value.index(')') + 1]} {fallback}".rstrip()
    seen = {target}
    while name(target) != "pattern":
        if stops := [child for child in target if name(child) == "stop"]:
            clear = (is_zero(one.get("stop-opacity", "1")) or is_invisible(one.get("stop-color", "")) for one in stops)
            return "none" if all(clear) else seen_paint
        target = named.get(link(target)[1:], target)
        if target in seen or name(target) not in _SERVERS:
            return "none"
        seen.add(target)
    return seen_paint


def _ensure_bounded(tree: Tree) -> None:
    """Raise StudioError if copies of copies make the file draw more than MOST_ELEMENTS."""
    counts: dict[Element, int] = {}
    # Depth first without recursion: an element is counted once all that it draws is.
    waiting = [(tree.root, iter(_drawn_by(tree, tree.root)))]
    open_ones = {tree.root}
    while waiting:
        element, rest = waiting[-1]
        child = next(rest, None)
        if child is None:
            waiting.pop()
            open_ones.discard(element)
            counts[element] = min(1 + sum(counts.get(one, 0) for one in _drawn_by(tree, element)), MOST_TOLD + 1)
        elif child not in counts and child not in open_ones:
            open_ones.add(child)
            waiting.append((child, iter(_drawn_by(tree, child))))
    if counts[tree.root] > MOST_ELEMENTS:
        raise too_many_elements(counts[tree.root])


def _drawn_by(tree: Tree, element: Element) -> list[Element]:
    target = tree.named.get(link(element)[1:]) if name(element) == "use" else None
    return [*element] if target is None else [*element, target]


def _parsed(data: bytes, progress: Progress) -> Element:
    if data.startswith(b"\x1f\x8b"):
        raise StudioError(tr("it is compressed; save it as plain SVG."))
    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    count = depth = 0

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count, depth
        count, depth = count + 1, depth + 1
        if count > MOST_ELEMENTS:
            # The rest is only counted.
            parser.StartElementHandler = more
            parser.EndElementHandler = parser.CharacterDataHandler = None
            return
        if depth > DEEPEST:
            raise StudioError(tr("it is nested too deeply."))
        if len(attributes) > MOST_ATTRIBUTES:
            words = tr(
                "one of its elements has {count:,} attributes (maximum {most:,}). Simplify the drawing.",
                count=len(attributes),
                most=MOST_ATTRIBUTES,
            )
            raise StudioError(words)
        builder.start(_braced(tag), {_braced(key): value for key, value in attributes.items()})

    def more(_tag: str, _attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_braced(tag))

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = _entities(data)
    try:
        for at in range(0, len(data), CHUNK):
            progress.step(at / len(data))
            parser.Parse(data[at : at + CHUNK], False)
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError) as problem:
        raise StudioError(tr("it is not a valid SVG file ({problem}).", problem=problem)) from problem
    if count > MOST_ELEMENTS:
        raise too_many_elements(count, has_copies=False)
    return builder.close()


def _braced(key: str) -> str:
    return f"{{{key}" if "}" in key else key


def _entities(data: bytes) -> Callable[..., None]:
    """Return a handler of declared entities that takes bounded text and refuses whatever could read a file."""
    lengths: dict[str, int] = {}

    def declare(key: str, is_parameter: int, value: str | None, *_outside: object) -> None:
        if is_parameter or value is None:
            raise StudioError(tr("it declares entities of other files; save it as plain SVG."))
        # An entity may use only earlier ones: expat takes the first declaration of each.
        used = _REFERENCE.findall(value)
        long = len(value) + sum(lengths.get(one, MOST_EXPANDED) for one in used if one not in _PREDEFINED)
        lengths.setdefault(key, long)
        if len(lengths) > MOST_ENTITIES or max(lengths.values()) * data.count(b"&") > MOST_EXPANDED:
            raise StudioError(tr("its entities expand too far; save it as plain SVG."))

    return declare


_PREDEFINED = frozenset({"amp", "lt", "gt", "quot", "apos"})
