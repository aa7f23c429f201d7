"""Other words for commands, parameters and tables, as makers and other programs call them; the palette finds them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from studio.base.folders import shipped
from studio.base.json_files import read

COMMANDS, MENUS, PARAMETERS, TABLES = "commands", "menus", "parameters", "tables"
LARGEST = 2**18
"""Bytes of the table."""


@cache
def table() -> Mapping[str, Mapping[str, list[str]]]:
    """All words, by the names in a group; a name of one kind alone is written `cube/edge`."""
    known: Mapping[str, Mapping[str, list[str]]] = read(shipped("synonyms.json"), LARGEST)
    return known


def also_called(group: str, name: str, kind: str = "") -> str:
    """The other words for a command, a submenu, a parameter or a table, in a row; empty if there are none."""
    words = table()[group]
    return " ".join([*words.get(name, ()), *words.get(f"{kind}/{name}", ())])
