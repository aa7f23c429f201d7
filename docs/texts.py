"""Lists every text that makers read, by file and line, so that it can be judged, and translated, in one sitting.

`python3 go.py texts` runs it. Texts are those given to `tr`, `plural` and `many`, those of problems and parameters,
the names of machines, materials, printers and filaments, and titles and notes of presets, in resources/.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
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
PRESETS = ("machines", "materials", "printers", "plastics")


class Text(NamedTuple):
    """A text with its place: the path from the project's folder and the line."""

    path: str
    line: int
    words: str


def texts() -> list[Text]:
    """Every text, in the order of files and lines."""
    found = [text for path in sorted((ROOT / "studio").rglob("*.py")) for text in of_module(path)]
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
    tree = ast.parse(source)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    where = str(path.relative_to(ROOT))
    said = [one for call in calls for one in _said(call, declares=declares)]
    menus = [one for one in ast.walk(tree) if isinstance(one, ast.Constant) and MENU.fullmatch(str(one.value))]
    return sorted({Text(where, one.lineno, str(one.value)) for one in (*said, *menus)})


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


def main() -> int:
    """Print the list; with paths, only of files below them."""
    for text in texts():
        if len(sys.argv) == 1 or any(text.path.startswith(start) for start in sys.argv[1:]):
            print(f"{text.path}:{text.line}: {text.words}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
