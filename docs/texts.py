"""Lists every text that makers read, by file and line, so that it can be judged, and translated, in one sitting.

`python3 go.py texts` runs it; with --pot it prints a template for gettext. Texts are those given to `tr`, `plural` and
`many`, those of problems and parameters, the names of figures, machines, materials, printers and filaments, and
titles and notes of presets, in resources/.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SAID = "title", "help", "group", "zero"
"""What a declaration of a parameter says to makers."""
DECLARED = {"integer", "number", "choice", "flag", "seed", "line", "Group", "Choice"}
"""The calls of studio/base/parameters.py whose texts pass through `tr` there."""
NOUNS = {"many", "plural"}
MENU = re.compile(r"[A-Z][a-z]*&[A-Za-z]+|&[A-Z][a-z]+")
"""The title of a menu, which passes through `tr` where the menu is made."""
PRESETS = ("figures", "machines", "materials", "printers", "plastics")


PLACEHOLDER = re.compile(r"\{\w+(![rs])?(:[^{}]*)?\}")
HEADER = """msgid ""
msgstr ""
"Project-Id-Version: puzzle-studio\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"
"""


class Text(NamedTuple):
    """A text with its place, path and line; its plural, which is a plural's own; and the function that says it."""

    path: str
    line: int
    words: str
    plural: str = ""
    said_in: str = ""


def texts(starts: tuple[str, ...] = ("",)) -> list[Text]:
    """Every text of the files whose paths begin with one of `starts`, in the order of files and lines."""
    modules = (
        path for path in sorted((ROOT / "studio").rglob("*.py")) if str(path.relative_to(ROOT)).startswith(starts)
    )
    found = [text for path in modules for text in of_module(path)]
    for folder in PRESETS:
        for path in sorted((ROOT / "resources" / folder).glob("*.json")):
            known = json.loads(path.read_text(encoding="utf-8"))
            found.append(Text(str(path.relative_to(ROOT)), 1, str(known["title"])))
    for path in sorted((ROOT / "resources" / "presets").glob("*.json")):
        known = json.loads(path.read_text(encoding="utf-8"))
        said = (words for one in known.values() for words in (one["title"], one["note"]))
        found += [Text(str(path.relative_to(ROOT)), 1, words) for words in said]
    return found


@cache
def of_module(path: Path) -> list[Text]:
    """The texts of one module, each once a line."""
    source = path.read_text(encoding="utf-8")
    declares = "from studio.base.parameters import" in source
    where = str(path.relative_to(ROOT))
    found: dict[tuple[int, str], Text] = {}
    for node, scope in _scoped(parsed(source)):
        if isinstance(node, ast.Call):
            plurals = _plurals(node)
            for one in _said(node, declares=declares):
                words = str(one.value)
                several = plurals.get(words, words if words in plurals.values() else "")
                if several or (one.lineno, words) not in found:
                    found[one.lineno, words] = Text(where, one.lineno, words, several, scope)
        elif isinstance(node, ast.Constant) and MENU.fullmatch(str(node.value)):
            found[node.lineno, str(node.value)] = Text(where, node.lineno, str(node.value), "", scope)
    return sorted(found.values())


@lru_cache(1)
def parsed(source: str) -> ast.Module:
    """The tree of a module; only the last one is kept, as all of them would fill memory."""
    return ast.parse(source)


def _scoped(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield a node and all below it, each with the dotted name of the class and function that it is in."""
    waiting = [(tree, "")]
    while waiting:
        node, scope = waiting.pop()
        yield node, scope
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            scope = f"{scope}.{node.name}" if scope else node.name
        waiting += [(child, scope) for child in ast.iter_child_nodes(node)][::-1]


def _plurals(call: ast.Call) -> dict[str, str]:
    """Return the plural for each noun of a call of `many` or `plural`."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    nouns = [str(one.value) for one in _words(call.args[1:])] if name in NOUNS else []
    return dict(zip(nouns[::2], nouns[1::2], strict=False)) if name == "plural" else {one: f"{one}s" for one in nouns}


def _said(call: ast.Call, *, declares: bool) -> Iterator[ast.Constant]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name == "tr":
        yield from _words(call.args)
    elif name in NOUNS:
        yield from _words(call.args[1:])
    elif name == "Problem":
        yield from _words(call.args[2:])
    elif declares and name in DECLARED:
        yield from _words(keyword.value for keyword in call.keywords if keyword.arg in SAID)
        for choices in (each for each in call.args if isinstance(each, ast.Dict)):
            yield from _words(choices.values)
        if name in ("Group", "Choice"):
            yield from _words(call.args[-1:])


def _words(nodes: Iterable[ast.expr]) -> Iterator[ast.Constant]:
    for node in nodes:
        for one in ast.walk(node):
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and any(map(str.isalpha, one.value)):
                yield one


def template(some: Iterable[Text]) -> str:
    """Return a gettext template (.pot): a text once, with all its places; parts of sentences name their function."""
    places: dict[str, list[Text]] = {}
    for text in some:
        if text.words != text.plural:
            places.setdefault(text.words, []).append(text)
    entries = [HEADER]
    for words, uses in places.items():
        several = next((use.plural for use in uses if use.plural), "")
        is_part = not words[:1].isupper() and not words.endswith(".")
        scopes = dict.fromkeys(f"{use.path}, {use.said_in}" for use in uses if use.said_in and is_part)
        lines = [f"#. Part of a text in {scope}" for scope in scopes]
        lines += [f"#: {place}" for place in dict.fromkeys(f"{use.path}:{use.line}" for use in uses)]
        lines += ["#, python-brace-format"] if PLACEHOLDER.search(words) else []
        lines.append(f"msgid {_quoted(words)}")
        lines += [f"msgid_plural {_quoted(several)}", 'msgstr[0] ""', 'msgstr[1] ""'] if several else ['msgstr ""']
        entries.append("\n".join(lines) + "\n")
    return "\n".join(entries)


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def main() -> int:
    """Print the list, or with --pot the template; with paths, only of files below them."""
    starts = tuple(word for word in sys.argv[1:] if word != "--pot") or ("",)
    some = [text for text in texts(starts) if text.path.startswith(starts)]
    if "--pot" in sys.argv:
        print(template(some), end="")
    else:
        print(*(f"{text.path}:{text.line}: {text.words}" for text in some), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
