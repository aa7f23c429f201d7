"""The house in figures: its files, functions, circles of imports and docstrings, beside the bounds that walls hold.

`python3 go.py house` prints them; nothing but Python is needed. A bound is lowered when the figure is; only the new
modules of a kind, an ability or a format raise that of files, in the commit that brings them.
"""

from __future__ import annotations

import ast
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CIRCLING = re.compile(
    r"^(What|Whether|Of|How far|How|Which|As)\b|where there (is|are) (none|one|no)\b|\bthose that\b|\bof which\b"
)
"""Docstrings that circle a thing in place of naming it."""
Graph = Mapping[str, set[str]]
"""The modules that each module imports."""


class Figure(NamedTuple):
    """A figure of the house and the most that it may be."""

    title: str
    now: float
    most: float = math.inf

    @property
    def is_held(self) -> bool:
        """True if the figure is within its bound."""
        return self.now <= self.most


def _imported(node: ast.AST, known: Mapping[str, Path], in_functions: bool) -> Iterator[str]:
    """Yield the modules that a tree imports, without what only type checkers see."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and not in_functions:
            continue
        if isinstance(child, ast.ImportFrom) and child.module:
            parts = [f"{child.module}.{alias.name}" for alias in child.names]
            yield from (part if part in known else child.module for part in parts if child.module in known)
        yield from _imported(child, known, in_functions)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a tree and all below it but expressions, which are most of it and hold no statement."""
    found = [tree]
    for node in found:
        yield node
        found += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]


def circles(graph: Graph) -> list[list[str]]:
    """Return the strongly connected parts with more than one module (Tarjan 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            part = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(part) > 1:
                found.append(sorted(part))

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return found


def measured(root: Path = ROOT) -> list[Figure]:
    """Return the figures of a checkout."""
    modules = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted((root / "studio").rglob("*.py"))
    }
    at_top: dict[str, set[str]] = {}
    anywhere: dict[str, set[str]] = {}
    functions = longest_class = 0
    docstrings: list[str] = []
    for name, path in modules.items():
        # One tree at a time: a million nodes that are kept cost more than parsing them.
        tree = ast.parse(path.read_text(encoding="utf-8"))
        at_top[name] = {*_imported(tree, modules, in_functions=False)} - {name}
        anywhere[name] = {*_imported(tree, modules, in_functions=True)} - {name}
        for node in statements(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
                functions += isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                longest_class = max(longest_class, _span(node) if isinstance(node, ast.ClassDef) else 0)
                docstrings += [text] if (text := ast.get_docstring(node)) else []
    lengths = [*map(_lines, modules.values())]
    return [
        Figure("files", len(lengths), 430),
        Figure("lines of studio/", sum(lengths)),
        Figure("lines of tests/", sum(_lines(path) for path in (root / "tests").rglob("*.py"))),
        Figure("lines of docs/architecture.md", _lines(root / "docs" / "architecture.md"), 200),
        Figure("lines of the longest file", max(lengths), 600),
        Figure("lines of the longest class", longest_class, 350),
        Figure("functions", functions),
        Figure("files in circles of imports", _in_circles(at_top), 0),
        Figure("the same, with imports in functions", _in_circles(anywhere), 4),
        Figure("docstrings that circle a thing, %", 100 * sum(map(_circles, docstrings)) / len(docstrings), 1.0),
    ]


def _in_circles(graph: Graph) -> int:
    return sum(map(len, circles(graph)))


def _circles(docstring: str) -> bool:
    return CIRCLING.search(docstring.partition("\n")[0]) is not None


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _span(node: ast.ClassDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def main(words: Sequence[str]) -> int:
    """Print each figure with its bound; return 1 if one is exceeded."""
    figures = measured(Path(words[0]) if words else ROOT)
    for figure in figures:
        most = "" if figure.most == math.inf else f"{figure.most:>10,.1f}"
        print(f"{figure.title:<36}{figure.now:>10,.1f}{most}{'' if figure.is_held else '  exceeded'}")
    return int(not all(figure.is_held for figure in figures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
