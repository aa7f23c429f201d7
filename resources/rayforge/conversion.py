"""Turns a design of Puzzle Studio into SVG, with the studio's command line in a process of its own, without a window.

It runs inside Rayforge, whose Python has no package of the studio: `studio.json`, written at the installation, names
the command that starts the studio, and the machine and the material whose recipe the layers get.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

NOTE = Path(__file__).with_name("studio.json")
PATIENCE = 180
"""Most seconds that the studio may take for a design."""
KEPT = 60
"""Seconds for which an answer is reused: Rayforge scans, previews and imports a file one after another."""
AGAIN = "install the add-on again from the Workshop menu of Puzzle Studio"
FOREIGN = ("PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Variables with which a packed Rayforge finds its own Python and libraries, in which the studio would not start."""
RECIPE = re.compile(
    r"(?:[\d.]+ to )?(?P<power>[\d.]+) %, (?P<speed>[\d.]+) mm/s, (?P<passes>\d+) pass(?:es)?(?P<air>, air)?"
)
"""The recipe that a layer of our SVG files names in its description."""

SVG, INKSCAPE = "http://www.w3.org/2000/svg", "http://www.inkscape.org/namespaces/inkscape"
ARTWORK = "artwork"
"""The layer of pictures: nothing in it is to be cut, and Rayforge would cut along the rims of its areas."""


class Refusal(Exception):
    """A design cannot be converted; its text is one sentence for the maker."""


@dataclass(frozen=True)
class Converted:
    """A design as SVG in mm, the path data and the recipes of its layers by their ids, and a warning, if any."""

    svg: bytes
    paths: dict[str, list[str]]
    recipes: dict[str, dict[str, float]]
    warning: str = ""


_kept: tuple[float, bytes, Converted] | None = None


def converted(design: bytes, name: str) -> Converted:
    """Convert the bytes of a `.puzzle` file, whose name the sentences tell; raises Refusal."""
    global _kept
    if _kept is not None and _kept[1] == design and time.monotonic() - _kept[0] < KEPT:
        return _kept[2]
    note = _note()
    command, recipe = note["command"], note["recipe"]
    try:
        answer = _exported(design, name, command, recipe)
    except Refusal as problem:
        if not recipe:
            raise
        # A machine that was deleted since, or a material of another thickness, should not keep a design out.
        plain = _exported(design, name, command, [])
        answer = replace(plain, warning=f"The recipe was left out: {problem}")
    _kept = (time.monotonic(), design, answer)
    return answer


def recipe_settings(description: str) -> dict[str, float]:
    """Read the recipe of a layer from its description: power from 0 to 1, speed in mm/min, passes, air; often empty."""
    found = RECIPE.match(description)
    if found is None:
        return {}
    return {
        "power": min(float(found["power"]) / 100, 1.0), "cut_speed": round(60 * float(found["speed"])),
        "passes": int(found["passes"]), "air_assist": bool(found["air"]),
    }  # fmt: skip


def _read(data: bytes, *, is_whole: bool) -> Converted:
    """Take paths and recipes from an SVG file of the studio, and its artwork away."""
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("inkscape", INKSCAPE)
    root = ElementTree.fromstring(data)
    paths, recipes = {}, {}
    for layer in list(root):
        name = layer.get("id", "")
        if name == ARTWORK:
            root.remove(layer)
            continue
        paths[name] = [path.get("d", "") for path in layer.findall(f"{{{SVG}}}path")]
        if settings := recipe_settings(layer.findtext(f"{{{SVG}}}desc", "")):
            recipes[name] = settings
    warning = "" if is_whole else "Only the front was opened: export the back from Puzzle Studio."
    return Converted(ElementTree.tostring(root, encoding="utf-8"), paths, recipes, warning)


def steps(data: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the steps of path data as our SVG files have it: M, L, C or Z, with its coordinates in mm."""
    for letter, numbers in re.findall("([MLCZ])([^MLCZ]*)", data):
        yield letter, [float(number) for number in numbers.split()]


def _note() -> dict[str, list[str]]:
    try:
        note = json.loads(NOTE.read_text(encoding="utf-8"))
        lists = [note["command"], note["recipe"]]
    except (OSError, ValueError, LookupError, TypeError):
        lists = []
    if not lists or not all(
        isinstance(words, list) and all(isinstance(word, str) for word in words) for words in lists
    ):
        raise Refusal(f"The add-on does not know where Puzzle Studio is; {AGAIN}.")
    return note


def _exported(design: bytes, name: str, command: list[str], options: list[str]) -> Converted:
    """Export a design as SVG in a folder of its own, and read it; raises Refusal with the studio's sentence."""
    stem = re.sub(r"^[-.]+", "", Path(name).stem) or "design"
    with tempfile.TemporaryDirectory(prefix="puzzle-studio-", ignore_cleanup_errors=True) as folder:
        Path(folder, f"{stem}.puzzle").write_bytes(design)
        words = [*command, "export", f"{stem}.puzzle", "-o", "out.svg", *options, "--set", "page=board"]
        environment = {key: value for key, value in os.environ.items() if key not in FOREIGN}
        try:
            ended = subprocess.run(
                words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                check=False, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Refusal(f"Puzzle Studio took more than {PATIENCE // 60} minutes for {name}.") from None
        except OSError:
            raise Refusal(f"Puzzle Studio does not start from {command[0]}; {AGAIN}.") from None
        try:
            if ended.returncode == 0:
                is_whole = len(list(Path(folder).glob("*.svg"))) == 1
                return _read(Path(folder, "out.svg").read_bytes(), is_whole=is_whole)
        except (OSError, ElementTree.ParseError):
            pass
    raise Refusal(_sentence(ended, name, command[0]))


def _sentence(ended: subprocess.CompletedProcess[bytes], name: str, program: str) -> str:
    """Why there is no file: what the studio says, or that something else answered."""
    lines = [line for line in ended.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    if ended.returncode == 1 and lines:
        first = lines[-1].partition("First error: ")[2] or "open it in Puzzle Studio, which lists them."
        return f"{name} has errors: {first}"
    if ended.returncode == 2 and len(lines) == 1:
        return lines[0]
    return f"Puzzle Studio does not work from {program}; {AGAIN}."
