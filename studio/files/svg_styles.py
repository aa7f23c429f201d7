"""The cascade of an SVG file: style sheets and `style` attributes become attributes of each element.

compound: simple selectors without a combinator, as `rect.cut:first-child`; a selector is compounds with combinators
between them. tinycss2 takes the text apart; matching is bounded here, since a file may hold any selector.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

import tinycss2
from tinycss2.nth import parse_nth

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.svg_values import CURRENT, GLOBAL, INITIAL, KEYWORDS, LONGEST, substituted, written

MOST_TEXT = 2**21
"""Characters of all style sheets and different `style` attributes of a file."""
MOST_RULES = 20_000
MOST_COMPOUNDS = 20
DEEPEST = 16
"""Brackets within brackets, and variables within variables."""
MOST_MATCHES = 1_000_000
"""Limit for comparisons of compounds with elements."""
CHARACTERS_A_MATCH = 16
"""Characters searched for variables in the time that one compound takes."""
ELEMENTS_A_STEP = 4096
_NAMES = """
    alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
    cx cy d direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity
    font-family font-kerning font-size font-size-adjust font-stretch font-style font-variant font-weight height
    image-rendering isolation letter-spacing lighting-color marker-end marker-mid marker-start mask mask-type
    mix-blend-mode opacity overflow paint-order r rx ry shape-rendering stop-color stop-opacity stroke
    stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
    text-anchor text-decoration text-rendering transform transform-box transform-origin unicode-bidi vector-effect
    visibility width word-spacing writing-mode x y
"""
PROPERTIES = frozenset(_NAMES.split())
"""Properties that become attributes."""
SHORTHANDS = ("font", "marker")
"""Properties that stay in `style`, for the reader of pictures."""
_TIDIED = frozenset({*KEYWORDS, "color", "fill", "stroke"})
MOVES = ("translate", "rotate", "scale")
"""Properties that come before `transform`, in their order."""
_READ = PROPERTIES.union(SHORTHANDS, MOVES)
_PATH = re.compile(r"""path\(\s*(?:\w+\s*,\s*)?(["'])(.*)\1\s*\)""", re.DOTALL)
_BRACKETS = re.compile(r"[\[({})\]]")
_SHOWN_MEDIA = frozenset({"", "all", "screen", "only screen", "only all", "not print"})
_NEVER = frozenset({"hover", "active", "focus", "focus-within", "focus-visible", "visited", "target", "checked",
                    "disabled", "link", "any-link", "enabled", "before", "after", "first-line",
                    "first-letter"})  # fmt: skip
_UNFOLLOWED = frozenset({"dir", "has", "lang", "nth-child", "nth-last-child"})
"""Unsupported CSS selectors, including places among chosen siblings."""

Test = Callable[["Node"], bool]
Specificity = tuple[int, int, int]
Declarations = tuple[tuple[str, str, bool], ...]
"""Properties, their values, and True for important ones."""


@dataclass(eq=False)
class Node:
    """An element among its siblings; places count from 1."""

    element: Element
    name: str
    parent: Node | None
    before: Node | None
    place: int
    place_of_type: int
    siblings: int
    siblings_of_type: int
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Compound:
    """Simple selectors that hold for one element, and how the compound left of it is found."""

    tests: list[Test] = field(default_factory=list)
    key: str = "*"
    """The `#id`, `.class` or name that an element needs."""
    combinator: str = ""


@dataclass(frozen=True)
class Rule:
    """A selector, its rightmost compound first, with the declarations it brings."""

    compounds: tuple[Compound, ...]
    specificity: Specificity
    declarations: Declarations


class _Unknown(Exception):
    """An unknown selector, with its name: its whole rule is ignored, as in CSS."""


def styled(root: Element, progress: Progress) -> list[str]:
    """Write the winning values of all style sheets into the elements; returns sentences about rules left out."""
    budget, notes = _Budget(), Counter[str]()
    by_key: dict[str, list[tuple[int, Rule]]] = {}
    for number, rule in enumerate(_rules(_sheets(root, notes), budget, notes)):
        by_key.setdefault(rule.compounds[0].key, []).append((number, rule))
    found: list[tuple[Node, list[Declarations]]] = []
    for number, node in enumerate(_nodes(root)):
        if number % ELEMENTS_A_STEP == 0:
            progress.step(0.0)
        # Write the keywords of an element's own attributes in small letters.
        for key in _TIDIED & node.element.attrib.keys():
            value = node.element.get(key, "")
            if value.isalpha() and not value.islower():
                node.element.set(key, CURRENT if value.lower() == CURRENT.lower() else value.lower())
        style = node.element.get("style", "")
        own = tuple(
            (key, value, False)
            for key, value in node.element.items()
            if (value in GLOBAL or "var(" in value) and key in PROPERTIES
        )
        if not (style or by_key or own):
            continue
        matching = [
            (rule.specificity, at, rule.declarations)
            for key in _keys(node)
            for at, rule in by_key.get(key, ())
            if budget.matches(rule.compounds, 0, node)
        ]
        matching.sort(key=lambda one: one[:2])
        cascade = [own, *(one[2] for one in matching), budget.declarations(style)]
        budget.set_variables(node, cascade)
        found.append((node, cascade))
    # Afterwards, since selectors may ask for attributes.
    for node, cascade in found:
        node.element.attrib.pop("style", None)
        budget.apply(node, cascade)
    return [tr("Left out, not followed in style sheets: {named}.", named=", ".join(sorted(notes)))] if notes else []


def _winning(cascade: Iterable[Declarations]) -> dict[str, str]:
    usual: dict[str, str] = {}
    important: dict[str, str] = {}
    for declarations in cascade:
        for key, value, is_important in declarations:
            (important if is_important else usual)[key] = value
    return usual | important


def _sheets(root: Element, notes: Counter[str]) -> Iterator[str]:
    for element in root.iter():
        if element.tag.rpartition("}")[2] != "style" or element.get("type", "text/css").strip().lower() not in (
            "",
            "text/css",
        ):
            continue
        if _is_shown(element.get("media", ""), notes):
            yield "".join(element.itertext())


def _is_shown(media: str, notes: Counter[str]) -> bool:
    """Return whether a list of media includes the screen; conditions on its size are ignored."""
    each = [" ".join(one.split()).lower() for one in media.split(",")]
    if any("(" in one for one in each):
        notes["@media"] += 1
    return any(one in _SHOWN_MEDIA for one in each)


def _refuse_rules(count: int) -> None:
    """Raise StudioError for too many rules."""
    if count > MOST_RULES:
        words = tr(
            "its style sheets have {count:,} rules (maximum {most:,}). Simplify the drawing.",
            count=count,
            most=MOST_RULES,
        )
        raise StudioError(words)


def _rules(sheets: Iterable[str], budget: _Budget, notes: Counter[str]) -> Iterator[Rule]:
    count = 0
    for sheet in sheets:
        budget.spend(sheet)
        # Counted before they are taken apart, which takes seconds for some hundred thousand.
        _refuse_rules(sheet.count("{"))
        waiting = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)[::-1]
        while waiting:
            one = waiting.pop()
            if one.type == "at-rule":
                if one.lower_at_keyword == "media" and one.content is not None:
                    if _is_shown(tinycss2.serialize(one.prelude), notes):
                        waiting += tinycss2.parse_rule_list(one.content, skip_comments=True, skip_whitespace=True)[::-1]
                elif one.lower_at_keyword in ("import", "supports", "layer", "container"):
                    notes[f"@{one.lower_at_keyword}"] += 1
            elif one.type == "qualified-rule":
                try:
                    selectors = list(_selectors(one.prelude, budget))
                except _Unknown as unknown:
                    if str(unknown) in _UNFOLLOWED:
                        notes[f":{unknown}()"] += 1
                    continue
                declarations = _declared(one.content)
                if any(part.type == "{} block" for part in one.content):
                    notes[tr("rules within rules")] += 1
                count += len(selectors)
                _refuse_rules(count)
                for compounds, specificity in selectors:
                    yield Rule(compounds, specificity, declarations)


def _declared(content: Any) -> Declarations:
    found = []
    for one in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if one.type != "declaration":
            continue
        name = one.name if one.name.startswith("--") else one.lower_name
        if name not in _READ and not name.startswith("--"):
            continue
        value = written(name, one.value)
        if value is None or value == "revert-layer":
            continue
        if name == "d":
            path = _PATH.fullmatch(value)
            value = path[2] if path else "" if value == "none" else value
        if name == "marker":
            found += [(f"marker-{end}", value, one.important) for end in ("start", "mid", "end")]
        found.append((name, value, one.important))
    return tuple(found)


@dataclass
class _Budget:
    """Bounds the work that the styles of one file ask for."""

    text: int = 0
    tried: int = 0
    known: dict[str, Declarations] = field(default_factory=dict)

    def spend(self, text: str) -> None:
        """Count text that is taken apart; raises StudioError beyond MOST_TEXT, or for brackets in too many others."""
        self.text += len(text)
        if self.text > MOST_TEXT:
            raise StudioError(
                tr("its styles are longer than {most} MB. Simplify the drawing.", most=MOST_TEXT // 2**20)
            )
        depth = 0
        for bracket in _BRACKETS.finditer(text):
            depth = depth + 1 if bracket[0] in "([{" else max(depth - 1, 0)
            if depth > DEEPEST:
                raise _too_complicated()

    def declarations(self, style: str) -> Declarations:
        """Return the declarations in an attribute `style`."""
        if style not in self.known:
            self.spend(style)
            self.known[style] = _declared(style)
        return self.known[style]

    def set_variables(self, node: Node, cascade: Iterable[Declarations]) -> None:
        """Add an element's own variables to its inherited ones."""
        won = _winning(cascade).items()
        own = {key: value for key, value in won if key.startswith("--") and len(value) <= LONGEST}
        if own:
            self._try(len(node.variables) + len(own))
            node.variables = {**node.variables, **own}

    def apply(self, node: Node, cascade: Iterable[Declarations]) -> None:
        """Write the winning values of an element as attributes."""
        usual = _winning(cascade)
        for key in usual.keys() & PROPERTIES:
            # Write the winning value of a property as an attribute; None is invalid once its variables are known.
            value = self._without_variables(key, usual[key], node.variables)
            element, parent = node.element, node.parent
            if value == "initial" and key in INITIAL:
                value = INITIAL[key]
            elif value == "inherit" and key not in INITIAL and parent is not None:
                value = parent.element.get(key)
            if value is None or value in GLOBAL:
                element.attrib.pop(key, None)
            else:
                element.set(key, value)
        moves = [f"{key}({usual[key]})" for key in MOVES if usual.get(key, "none") not in ("none", *GLOBAL)]
        if moves:
            own = node.element.get("transform", "none")
            node.element.set("transform", " ".join(moves if own == "none" else [*moves, own]))
        if kept := [f"{key}: {usual[key]}" for key in SHORTHANDS if key in usual]:
            node.element.set("style", "; ".join(kept))

    def _without_variables(self, key: str, value: str, variables: Mapping[str, str]) -> str | None:
        if "var(" not in value:
            return value
        for _ in range(DEEPEST):
            self._try(1 + len(value) // CHARACTERS_A_MATCH)
            replaced = substituted(value, variables)
            if replaced is None or "var(" not in replaced:
                return None if replaced is None else written(key, tinycss2.parse_component_value_list(replaced))
            value = replaced
        return None

    def _try(self, count: int) -> None:
        """Count work; raises StudioError beyond MOST_MATCHES."""
        self.tried += count
        if self.tried > MOST_MATCHES:
            raise _too_complicated()

    def matches(self, compounds: Sequence[Compound], at: int, node: Node | None) -> bool:
        """Return whether the compounds from `at` on, right to left, match an element and those around it."""
        if node is None:
            return False
        self._try(1)
        compound = compounds[at]
        if not all(test(node) for test in compound.tests):
            return False
        match compound.combinator:
            case ">":
                return self.matches(compounds, at + 1, node.parent)
            case "+":
                return self.matches(compounds, at + 1, node.before)
            case " " | "~":
                other = node.parent if compound.combinator == " " else node.before
                while other is not None:
                    if self.matches(compounds, at + 1, other):
                        return True
                    other = other.parent if compound.combinator == " " else other.before
                return False
        return True


def _too_complicated() -> StudioError:
    return StudioError(tr("its style sheets are too complicated. Simplify the drawing."))


def _nodes(root: Element) -> Iterator[Node]:
    """Return all elements, each parent before its children."""
    waiting = [Node(root, _local(root), None, None, 1, 1, 1, 1)]
    while waiting:
        node = waiting.pop()
        yield node
        names = [_local(child) for child in node.element]
        totals, seen, before = Counter(names), Counter[str](), None
        for at, (child, own) in enumerate(zip(node.element, names, strict=True), 1):
            seen[own] += 1
            before = Node(child, own, node, before, at, seen[own], len(names), totals[own], node.variables)
            waiting.append(before)


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _keys(node: Node) -> list[str]:
    keys = ["*", node.name]
    if own := node.element.get("id"):
        keys.append(f"#{own}")
    return keys + [f".{one}" for one in dict.fromkeys(node.element.get("class", "").split())]


def _selectors(prelude: Sequence[Any], budget: _Budget) -> Iterator[tuple[tuple[Compound, ...], Specificity]]:
    """Parse a list of selectors; raises _Unknown for an unknown one."""
    part: list[Any] = []
    for token in [*prelude, None]:
        if token is None or (token.type == "literal" and token.value == ","):
            yield _selector(part, budget)
            part = []
        elif token.type != "comment":
            part.append(token)


def _selector(tokens: Sequence[Any], budget: _Budget) -> tuple[tuple[Compound, ...], Specificity]:
    compounds: list[Compound] = []
    weights = [0, 0, 0]
    current, combinator, at = Compound(), "", 0
    while at < len(tokens):
        token = tokens[at]
        if token.type == "whitespace":
            combinator = combinator or " "
            at += 1
        elif token.type == "literal" and token.value in (">", "+", "~"):
            if combinator.strip() or not current.tests:
                raise _Unknown
            combinator = token.value
            at += 1
        else:
            if combinator and current.tests:
                compounds.append(current)
                current = Compound(combinator=combinator)
            combinator = ""
            at += _simple(tokens, at, current, weights, budget)
    if not current.tests or combinator.strip() or len(compounds) >= MOST_COMPOUNDS:
        raise _Unknown
    compounds.append(current)
    return tuple(compounds[::-1]), (weights[0], weights[1], weights[2])


def _simple(tokens: Sequence[Any], at: int, compound: Compound, weights: list[int], budget: _Budget) -> int:
    """Add the simple selector at a place to a compound; returns the number of its tokens."""
    token = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    is_prefix = following is not None and following.type == "literal" and following.value == "|"
    match token.type, str(getattr(token, "value", "")):
        case "hash", own:
            weights[0] += 1
            compound.key = f"#{own}"
            compound.tests.append(_is_called(own))
        case "[] block", _:
            weights[1] += 1
            compound.tests.append(_attribute(token.content))
        case "ident", own if not is_prefix:
            weights[2] += 1
            compound.key = own
            compound.tests.append(_is_a(own))
        case ("ident", _) | ("literal", "*") if is_prefix:
            return 2
        case "literal", "*":
            compound.tests.append(lambda _node: True)
        case "literal", "|":
            pass
        case "literal", "." if following is not None and following.type == "ident":
            weights[1] += 1
            compound.key = compound.key if compound.key.startswith("#") else f".{following.value}"
            compound.tests.append(_is_of_class(following.value))
            return 2
        case "literal", ":" if following is not None and following.type == "literal" and following.value == ":":
            # Parts of text such as ::before are no elements of SVG.
            if at + 2 >= len(tokens) or tokens[at + 2].type not in ("ident", "function"):
                raise _Unknown
            weights[2] += 1
            compound.tests.append(_never)
            return 3
        case "literal", ":" if following is not None:
            compound.tests.append(_pseudo(following, weights, budget))
            return 2
        case _:
            raise _Unknown
    return 1


def _is_called(own: str) -> Test:
    return lambda node: node.element.get("id") == own


def _is_a(own: str) -> Test:
    return lambda node: node.name == own


def _is_of_class(own: str) -> Test:
    return lambda node: own in node.element.get("class", "").split()


def _attribute(content: Sequence[Any]) -> Test:
    tokens = [one for one in content if one.type not in ("whitespace", "comment")]
    if not tokens or tokens[0].type != "ident":
        raise _Unknown
    if len(tokens) > 2 and tokens[1].type == "literal" and tokens[1].value == "|":
        # The prefix of another namespace, such as xlink.
        own, tokens = f"}}{tokens[2].value}", tokens[2:]
    else:
        own = str(tokens[0].value)
    ignores_case = len(tokens) == 4 and tokens[3].type == "ident" and tokens[3].lower_value == "i"
    if len(tokens) == 1:
        return lambda node: _attribute_of(node, own) is not None
    if len(tokens) < 3 or tokens[1].type != "literal" or tokens[2].type not in ("ident", "string"):
        raise _Unknown
    value = str(tokens[2].value)
    value = value.lower() if ignores_case else value
    compare: dict[str, Callable[[str], bool]] = {
        "=": lambda text: text == value,
        "~=": lambda text: bool(value) and value in text.split(),
        "|=": lambda text: text == value or text.startswith(f"{value}-"),
        "^=": lambda text: bool(value) and text.startswith(value),
        "$=": lambda text: bool(value) and text.endswith(value),
        "*=": lambda text: bool(value) and value in text,
    }
    test = compare.get(tokens[1].value)
    if test is None:
        raise _Unknown

    def holds(node: Node) -> bool:
        text = _attribute_of(node, own)
        return text is not None and test(text.lower() if ignores_case else text)

    return holds


def _attribute_of(node: Node, own: str) -> str | None:
    """Return the value of an attribute; a name that begins with } is in any namespace."""
    if own.startswith("}"):
        return next((value for key, value in node.element.items() if key.endswith(own)), None)
    return node.element.get(own)


def _never(_node: Node) -> bool:
    return False


def _pseudo(token: Any, weights: list[int], budget: _Budget) -> Test:
    if token.type == "ident":
        weights[1] += 1
        if token.lower_value in _NEVER:
            return _never
        test = _PLACES.get(token.lower_value)
        if test is None:
            raise _Unknown
        return test
    if token.type != "function":
        raise _Unknown
    if token.lower_name in ("not", "is", "where"):
        return _listed(token, weights, budget)
    weights[1] += 1
    place = _NTH.get(token.lower_name)
    nth = parse_nth(token.arguments) if place else None
    if place is None or nth is None:
        raise _Unknown(token.lower_name)
    step, first = nth

    def counted(node: Node) -> bool:
        ahead = place(node) - first
        return bool(ahead == 0 if step == 0 else ahead % step == 0 and ahead // step >= 0)

    return counted


def _listed(token: Any, weights: list[int], budget: _Budget) -> Test:
    """Return the test of `:not(…)`, `:is(…)` and `:where(…)`."""
    selectors = list(_selectors(token.arguments, budget))
    if token.lower_name != "where":
        heaviest = max(weight for _compounds, weight in selectors)
        weights[:] = [one + other for one, other in zip(weights, heaviest, strict=True)]
    is_wanted = token.lower_name != "not"
    return lambda node: any(budget.matches(compounds, 0, node) for compounds, _weight in selectors) is is_wanted


_PLACES: dict[str, Test] = {
    "root": lambda node: node.parent is None,
    "first-child": lambda node: node.place == 1,
    "last-child": lambda node: node.place == node.siblings,
    "only-child": lambda node: node.siblings == 1,
    "first-of-type": lambda node: node.place_of_type == 1,
    "last-of-type": lambda node: node.place_of_type == node.siblings_of_type,
    "only-of-type": lambda node: node.siblings_of_type == 1,
    "empty": lambda node: not len(node.element) and not node.element.text,
}
_NTH: dict[str, Callable[[Node], int]] = {
    "nth-child": lambda node: node.place,
    "nth-last-child": lambda node: node.siblings - node.place + 1,
    "nth-of-type": lambda node: node.place_of_type,
    "nth-last-of-type": lambda node: node.siblings_of_type - node.place_of_type + 1,
}
