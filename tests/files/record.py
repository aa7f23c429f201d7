"""Records 200 puzzle files and the bytes of the drawings of some, which `test_recorded.py` holds the studio to.

`python -m tests.files.record` draws the recorded designs afresh and writes their new hashes: run it only when what an
SVG or DXF file looks like was changed on purpose, and say in the commit why. The designs themselves stay, since a file
that was saved once is read and saved as the same bytes for good; only where `recorded.txt` is missing are others made.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from studio import PROGRAM
from studio.base.amounts import cell_name
from studio.base.errors import StudioError
from studio.base.parameters import Declaration, declarations
from studio.cli import main as studio
from studio.files.store import dumps, loads
from studio.puzzles.calendar.edits import languages, texts
from studio.puzzles.calendar.model import CELL, COLOURS, DAY, LARGEST_VALUE, MONTH, NOTHING, WEEKDAY
from studio.puzzles.calendar.set_search import polyominoes
from studio.puzzles.cube.shell import FACES, NOBODY, shell
from studio.puzzles.registry import kind

RECORDED = Path(__file__).parent / "recorded.txt"
FORMATS: Mapping[str, Sequence[str]] = {
    "svg": (), "dxf": ("--set", "version=R12", "--set", "curves=polyline", "--set", "tolerance=0.02"),
}  # fmt: skip
"""The formats whose every byte is the studio's, and the words of an export that are for them alone.

Arcs are fitted, so that their last digits may differ between processors; lines are sums and products.
"""
EXPORT = ("--force", "--kerf", "0")
"""Boards with errors are drawn too; no beam widens the only piece of a board of one."""
SEED = 2026
SIZES = ((1, 1), (20, 12), (12, 6), (1, 4), (5, 1), (2, 2), (7, 5), (3, 4), (4, 3), (2, 6), (6, 2), (5, 4))
"""Columns and rows of the boards that are drawn, in turn; the large ones but once."""
COUNTS = {"jigsaw": 120, "cube": 40, "calendar": 40}
DRAWN = 40
"""How many of the jigsaws are drawn: boards that a laser would cut, while the others are anything that can be saved."""
MOST_ATTEMPTS = 100
WORDS = ("", "Für Ada", "one|two|three", "1+1=2", "A|B|C|D|E|F")

Content = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """A puzzle file: its name, its text, and the hash of its drawing in every format it was recorded in."""

    name: str
    text: str
    hashes: Mapping[str, str]


def read(path: Path) -> list[Entry]:
    """The entries of a record: each a line with a `#`, the name and the hashes, and after it the file's own lines."""
    entries = []
    for part in path.read_text("utf-8").split("\n# ")[1:]:
        head, _, text = part.partition("\n")
        name, *hashes = head.split()
        entries.append(Entry(name, text + "\n" * (not text.endswith("\n")), dict(each.split("=") for each in hashes)))
    return entries


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Write a record."""
    about = "Puzzle files as the studio saved them, and hashes of their drawings; see record.py.\n"
    parts = [
        f"\n# {' '.join((entry.name, *(f'{name}={known}' for name, known in entry.hashes.items())))}\n{entry.text[:-1]}"
        for entry in entries
    ]
    path.write_text(about + "".join(parts) + "\n", "utf-8", newline="\n")


def drawn(entries: Iterable[Entry], suffix: str, folder: Path) -> dict[str, str]:
    """The hash of every entry's drawing in a format, by the entry's name, as the command line exports it.

    Raises StudioError where the studio refuses to write one.
    """
    files = [folder / f"{entry.name}.puzzle" for entry in entries]
    for file, entry in zip(files, entries, strict=True):
        file.write_bytes(entry.text.encode())
    out = folder / suffix
    out.mkdir(exist_ok=True)
    if studio(["export", *map(str, files), "-o", str(out), "--format", suffix, *EXPORT, *FORMATS[suffix]]):
        raise StudioError(f"The command line writes no {suffix} file of each of these designs.")
    return {file.stem: hash_of(nameless((out / f"{file.stem}.{suffix}").read_bytes())) for file in files}


def nameless(data: bytes) -> bytes:
    """The bytes of a drawing as they were before files said which version wrote them."""
    return data.replace(f"<!-- {PROGRAM} -->\n".encode(), b"").replace(PROGRAM.encode(), b"Puzzle Studio")


def hash_of(data: bytes) -> str:
    """The SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()


def made(key: str, folder: Path) -> Iterator[Entry]:
    """The files of a kind; where chance gives what the studio refuses, it is asked again. `folder` is for drawings."""
    dice = Random(f"{SEED} {key}")
    for number in range(COUNTS[key]):
        for _ in range(MOST_ATTEMPTS):
            with suppress(StudioError):
                yield attempt(key, number, dice, folder)
                break
        else:
            raise StudioError(f"Chance gives no {key} {number} that can be recorded.")


def attempt(key: str, number: int, dice: Random, folder: Path) -> Entry:
    """A file of a kind with the hashes of its drawings, if it has any; raises StudioError where it can be none."""
    content = {"format": "puzzle-studio", "version": 1, "kind": key, "design": DESIGNS[key](dice, number)}
    saved = loads(json.dumps(content).encode())
    entry = Entry(f"{key}-{number:03}", dumps(saved.kind, saved.design).decode(), {})
    if key == "jigsaw" and number < DRAWN:
        return drawn_afresh([entry], folder)[0]
    return entry


def drawn_afresh(entries: Sequence[Entry], folder: Path) -> list[Entry]:
    """The entries with the hashes of their drawings of today; raises StudioError where one cannot be drawn."""
    found = {suffix: drawn(entries, suffix, folder) for suffix in FORMATS}
    return [replace(entry, hashes={suffix: found[suffix][entry.name] for suffix in FORMATS}) for entry in entries]


def jigsaw(dice: Random, number: int) -> Content:
    """A jigsaw; every style of tongue meets every border, joints smooth or not, and corners sharp or round."""
    if number < DRAWN:
        parameters = board(dice, number)
    else:
        parameters = values(dice, "jigsaw")
        if number < COUNTS["jigsaw"] - 2:
            parameters |= {"columns": dice.randint(1, 30), "rows": dice.randint(1, 30)}
        parameters["corner_radius"] = 0.0
    parameters["tongue_style"] = ("classic", "article")[number % 2]
    parameters["border"] = ("straight", "wandering")[number // 2 % 2]
    parameters["smooth_joints"] = number // 4 % 2 == 0
    columns, rows = parameters["columns"], parameters["rows"]
    if number // 8 % 2:
        share = 1.0 if number < DRAWN else 1.5
        cell = min(parameters["width"] / columns, parameters["height"] / rows, parameters["width"] / 3)
        parameters["corner_radius"] = number_in(dice, 0.0, share * min(cell, parameters["height"] / 3), 0.5)
    most = number % 9 if number else 0
    return {
        "parameters": parameters,
        "corners": corner_edits(dice, columns, rows, most, 0.12 if number < DRAWN else 0.4),
        "tongues": tongue_edits(dice, columns, rows, most),
    }


def board(dice: Random, number: int) -> Content:
    """The parameters of a jigsaw that may well be cut."""
    columns, rows = SIZES[number] if number < len(SIZES) else SIZES[3 + number % (len(SIZES) - 3)]
    chosen = values(dice, "jigsaw") | {
        "columns": columns,
        "rows": rows,
        "width": columns * dice.choice((20.0, 25.0, 31.7, 48.5)),
        "height": rows * dice.choice((20.0, 25.0, 33.3, 41.25)),
        "corner_radius": 0.0,
        "perturbation": dice.choice((0.03, 0.12, 0.17)),
        "tongue_size": dice.choice((0.15, 0.2, 0.22, 0.27)),
        "plain_share": dice.choice((0.0, 0.0, 0.15)),
    }
    return chosen | {"vary_slant": dice.choice((0.0, 0.04, 0.1)), "vary_depth": dice.choice((0.0, 0.02, 0.05))}


def corner_edits(dice: Random, columns: int, rows: int, most: int, reach: float) -> list[Content]:
    """Corners moved by hand; those of the rim stay on it, and the board's own four stay."""
    edits = {}
    for _ in range(most if columns + rows > 2 else 0):
        column, row = dice.randint(0, columns), dice.randint(0, rows)
        right = number_in(dice, -reach, reach, 0.01) if 0 < column < columns else 0.0
        down = number_in(dice, -reach, reach, 0.01) if 0 < row < rows else 0.0
        if 0 < column < columns or 0 < row < rows:
            edits[f"{column},{row}"] = {"right": right, "down": down}
    return named(edits)


def tongue_edits(dice: Random, columns: int, rows: int, most: int) -> list[Content]:
    """Tongues shaped, turned, flattened, rolled and locked."""
    offers: dict[str, Any] = {
        "side": lambda: dice.choice((-1, 1)),
        "plain": lambda: dice.random() < 0.5,
        "size": lambda: number_in(dice, 0.12, 0.3, 0.01),
        "place": lambda: number_in(dice, -0.1, 0.1, 0.01),
        "slant": lambda: number_in(dice, -0.1, 0.1, 0.01),
        "rolls": lambda: dice.randint(1, 9),
        "locked_seed": lambda: dice.randrange(2**31),
    }
    edits = {}
    for _ in range(most):
        column, row, across = dice.randrange(columns), dice.randrange(rows), dice.randrange(2)
        if column + across < columns and row + 1 - across < rows:
            name = f"{cell_name(column, row)}-{cell_name(column + across, row + 1 - across)}"
            edits[name] = {field: offers[field]() for field in dice.sample(sorted(offers), dice.randint(1, 3))}
    return named(edits)


def cube(dice: Random, number: int) -> Content:
    """A cube with edges rolled and locked, and voxels given to other faces."""
    parameters = values(dice, "cube")
    if number % 3:
        parameters |= {"text": dice.choice(WORDS), "radius": number_in(dice, 0.0, 2.0, 0.1)}
    box = shell(parameters["x"], parameters["y"], parameters["z"])
    edges, voxels = {}, {}
    for name in dice.sample(box.edge_names, number % 4):
        lock = {"locked_seed": dice.randrange(2**31), "locked_attempt": dice.choice((0, 3, 200))}
        edges[name] = dice.choice(({"rolls": dice.randint(1, 40)}, lock, {"rolls": 2} | lock))
    for voxel in dice.sample(range(len(box.names)), number % 7):
        faces = [face for face in box.faces[voxel].tolist() if face != NOBODY]
        voxels[box.names[voxel]] = {"face": FACES[dice.choice(faces)]}
    return {"parameters": parameters, "edges": named(edges), "voxels": named(voxels)}


def calendar(dice: Random, number: int) -> Content:
    """A calendar: the built-in boards, and boards, labels and pieces of the maker's own."""
    design: Content = {"parameters": values(dice, "calendar")}
    if number % 4:
        design["pieces"] = pieces(dice)
    if number % 4 > 1:
        design["board"] = grid(dice, number)
    return design


def grid(dice: Random, number: int) -> Content:
    """A board with holes, and labels of the calendar's groups or of groups that a maker made up."""
    columns, rows = dice.randint(3, 8), dice.randint(3, 8)
    lines = ["".join(NOTHING if dice.random() < 0.1 else CELL for _ in range(columns)) for _ in range(rows)]
    cells = [cell_name(x, y) for y, line in enumerate(lines) for x, letter in enumerate(line) if letter == CELL]
    dice.shuffle(cells)
    groups = dice.choice(((MONTH,), (MONTH, WEEKDAY), (WEEKDAY, "Größe"), (DAY,), ("first die", "второй")))
    language = dice.choice(sorted(languages()))
    labels = {}
    for group in groups:
        count = LARGEST_VALUE.get(group, 6)
        for value, text in enumerate(texts(group, language, count)[: dice.choice((count, 4))], 1):
            if cells:
                labels[cells.pop()] = {"group": group, "value": value, "text": text}
    return {"rows": lines, "labels": named(labels) if number % 8 > 2 else []}


def pieces(dice: Random) -> list[Content]:
    """Pieces of many forms, turned as they came from the maker's hand, under their own names or others, in colours."""
    known = [piece for size in range(1, 8) for piece in polyominoes(size)]
    chosen = []
    for number, piece in enumerate(dice.sample(known, dice.randint(0, 9))):
        rows = dice.choice((piece.rows, piece.rows[::-1], tuple(row[::-1] for row in piece.rows)))
        name = dice.choice((piece.name, f"№ {number}", f"{piece.name} {number}"))
        chosen.append({"name": name, "rows": rows, "colour": dice.randrange(COLOURS)})
    return chosen


def named(edits: Mapping[str, Content]) -> list[Content]:
    """Elements by their names as a file lists them: sorted, each with its name."""
    return [{"name": name} | edits[name] for name in sorted(edits)]


def values(dice: Random, key: str) -> Content:
    """The parameters of a kind, half of them at their defaults."""
    known = declarations(kind(key).parameters)
    return {one.name: value(dice, one) if dice.random() < 0.5 else one.default for one in known}


def value(dice: Random, known: Declaration) -> Any:
    """A value of a parameter within its bounds."""
    if known.type == "choice":
        return dice.choice(known.choices).value
    if known.type == "flag":
        return dice.random() < 0.5
    if known.type == "text":
        return dice.choice(WORDS)
    assert known.minimum is not None and known.maximum is not None
    if known.type == "number":
        return number_in(dice, known.minimum, known.maximum, known.step or 1.0)
    return dice.choice((int(known.minimum), int(known.maximum), dice.randint(int(known.minimum), int(known.maximum))))


def number_in(dice: Random, low: float, high: float, step: float) -> float:
    """A number as a form gives it, rounded to a step, or as the mouse gives it, with all its digits."""
    exact = dice.uniform(low, high)
    return exact if dice.random() < 0.3 else min(max(round(round(exact / step) * step, 6), low), high)


DESIGNS = {"jigsaw": jigsaw, "cube": cube, "calendar": calendar}


def main() -> None:
    """Record the designs there are, or new ones, with hashes of their drawings."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CONFIG_HOME"] = name
        folder = Path(name)
        if RECORDED.exists():
            entries = read(RECORDED)
            fresh = drawn_afresh([entry for entry in entries if entry.hashes], folder)
            entries = [*fresh, *(entry for entry in entries if not entry.hashes)]
        else:
            entries = [entry for key in COUNTS for entry in made(key, folder)]
    write(RECORDED, entries)


if __name__ == "__main__":
    main()
