"""Slitherlinks as texts of other programs: rows of digits, and the IDs, addresses and files of Loopy and puzz.link.

A text has the clues alone; the loop is sought.

Loopy is a game of Simon Tatham's Portable Puzzle Collection. Its IDs are `10x10t0:`, then a digit for a clue and a
letter for a run of cells without, c for three. Its saved games are lines `NAME:LENGTH:VALUE`, and its addresses end in
`#` and an ID. puzz.link counts up to two cells behind a clue into its letter; its files are `pzprv3`, the puzzle's
name, rows, columns, clues and the lines drawn so far, separated by line ends or slashes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from html import unescape
from string import ascii_lowercase, ascii_uppercase, digits
from urllib.parse import unquote

from studio.base.amounts import abridged, cell_name, many, thousands
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE
from studio.puzzles.abilities.ability import Source
from studio.puzzles.slitherlink.kind import LINK_FORM, LOOPY_FORM, TextOptions
from studio.puzzles.slitherlink.model import (
    FEWEST,
    GRADES,
    LEAST,
    MOST,
    NO_SYMMETRY,
    SlitherlinkDesign,
    SlitherlinkParameters,
    rows_of,
)
from studio.puzzles.slitherlink.steps import work_in_time
from studio.solving.loops import LoopSearch, solutions

MOST_CLUES = {SQUARE: 4, HEXAGON: 6, TRIANGLE: 3}
"""The edges of a cell of each form."""
LOOPY = re.compile(r"\s*(\d{1,9})x(\d{1,9})t(\d{1,9})(?:d[a-z])?([:#])\s*(\S*)\s*")
LINK = re.compile(
    r"\s*(?:\S*[?/&])?slither(?:link)?(?:_\w+)?/(?:v:/)?(\d{1,9})/(\d{1,9})(?:/([^\s/?#&]*))?\S*\s*", re.IGNORECASE
)
ADDRESS = re.compile(r"\s*https?://\S*\s*", re.IGNORECASE)
SAVED = re.compile(r"SAVEFILE:\d+:Simon Tatham's Portable Puzzle Collection\b")
_SAVED_LINE = re.compile(r"^([A-Z]+) *:\d+:(.*)$", re.MULTILINE)
PZPR = re.compile(r"pzprv3(?:\.\d+)?[/\s]\s*(\w+)[/\s]\s*(\d{1,9})[/\s]\s*(\d{1,9})(?:[/\n](.*))?", re.DOTALL)
_AROUND = (("<", ">"), ('"', '"'), ("'", "'"), ("`", "`"), ("(", ")"))
EDITOR = "https://puzz.link/p?slither"
_NO_CLUE = ".-_?*"
CLUES = {*digits, *_NO_CLUE}
_HEADS = {"slitherlink": SQUARE, "slither": SQUARE}
MOST_STEPS = 100_000
"""Steps of the search for the loop of a text."""
MOST_NAMED = 6
"""Most clues without a loop that are named one by one."""
MOST_SHRUNK = 200
"""Clues without a loop among which the needless ones are sought."""


for _form in (SQUARE, HEXAGON, TRIANGLE):
    _HEADS |= dict.fromkeys((_form, f"{_form}s"), _form)
_RUN = 20
"""Cells without a clue that one letter of puzz.link counts at most."""
_TRIMMED = "0_"
"""Prefix of Loopy's IDs of triangles with an odd number of cells in a row; older IDs have an even number."""


@dataclass(frozen=True)
class Given:
    """The clues of a slitherlink by cell, and the form and number of its cells."""

    form: str
    columns: int
    rows: int
    clues: Mapping[int, int]

    def name(self, cell: int) -> str:
        """The name of a cell."""
        row, column = divmod(cell, self.columns)
        return cell_name(column, row)


def is_text(text: str) -> bool:
    """True if a text looks like a slitherlink, right or wrong: an ID, address, saved game, or rows mostly of clues."""
    bare = _bare(text)
    if any(form.fullmatch(bare) for form in (LOOPY, LINK, ADDRESS, PZPR)) or SAVED.match(bare):
        return True
    lines = text.strip().splitlines()
    letters = "".join("".join(lines[1:] if lines and _head(lines[0]) else lines).split())
    return len(lines) > 1 and 2 * sum(letter in CLUES for letter in letters) > len(letters)


def given_in(text: str) -> Given:
    """Read the clues in a text; raise StudioError, worded to follow the text's name, with the place of an error."""
    bare = _bare(text)
    if SAVED.match(bare):
        # The game ID in a saved game: its parameters and its description.
        values = dict(_SAVED_LINE.findall(bare))
        game = values.get("GAME", "")
        if game != "Loopy":
            raise StudioError(tr("it is a saved game of {game!r}, not of Loopy.", game=game[:20]))
        if not {"PARAMS", "DESC"} <= values.keys():
            raise StudioError(tr("its saved game of Loopy is truncated."))
        bare = f"{values['PARAMS']}:{values['DESC']}"
    if match := LOOPY.fullmatch(bare):
        return _of_loopy(*match.groups())
    if match := PZPR.fullmatch(bare):
        name, height, width, clues = match.groups()
        if _HEADS.get(name.lower()) != SQUARE:
            raise StudioError(tr("it is a puzzle of the kind {name!r}, not a slitherlink.", name=name[:20]))
        columns, rows = int(width), int(height)
        _sized(SQUARE, columns, rows)
        return _of_rows("\n".join(re.split(r"[/\n]", clues or "")[:rows]), columns, rows)
    if match := LINK.fullmatch(bare):
        return _of_link(*match.groups())
    if ADDRESS.fullmatch(bare):
        raise StudioError(tr("it is not the address of a slitherlink on puzz.link or similar."))
    return _of_rows(text)


def _bare(text: str) -> str:
    """A text without brackets or quotes around it; of an address of Loopy's page only the game ID behind its `#`."""
    text = text.strip("\ufeff \t\r\n").replace("\r\n", "\n")
    while len(text) > 1 and (text[0], text[-1]) in _AROUND:
        text = text[1:-1].strip()
    if ADDRESS.fullmatch(text):
        text = unquote(unescape(text))
        _, _, behind = text.partition("#")
        if LOOPY.fullmatch(behind):
            return behind
    return text


def _sized(form: str, columns: int, rows: int) -> None:
    if not LEAST <= columns <= MOST:
        words = tr(
            "it has {columns}; {least} to {most} are allowed.", columns=many(columns, "column"), least=LEAST, most=MOST
        )
        raise StudioError(words)
    if not LEAST <= rows <= MOST:
        raise StudioError(
            tr("it has {rows}; {least} to {most} are allowed.", rows=many(rows, "row"), least=LEAST, most=MOST)
        )


def _checked(given: Given) -> Given:
    most = MOST_CLUES[given.form]
    for cell, clue in given.clues.items():
        if clue > most:
            words = tr(
                "{name} cannot have the clue {clue}: the cell has {most} edges.",
                name=given.name(cell),
                clue=clue,
                most=most,
            )
            raise StudioError(words)
    return given


# Rows of digits


def rows_of_digits(given: Given) -> str:
    """The clues as rows of digits, `.` for a cell without a clue; a first line names cells that are not squares."""
    cells = [str(given.clues.get(cell, ".")) for cell in range(given.columns * given.rows)]
    width = given.columns
    lines = ["".join(cells[width * row : width * (row + 1)]) for row in range(given.rows)]
    return "\n".join([*([] if given.form == SQUARE else [given.form]), *lines, ""])


def _head(line: str) -> str | None:
    """The form that a first line without clues names."""
    words = line.lower().replace(":", " ").split()
    if not words or not {*words} <= _HEADS.keys():
        return None
    return next((_HEADS[word] for word in reversed(words) if _HEADS[word] != SQUARE), SQUARE)


def _of_rows(text: str, columns: int = 0, count: int = 0) -> Given:
    """The clues in rows of digits, with the stated numbers of columns and rows; 0 takes them from the rows."""
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        del lines[0]
    form = _head(lines[0]) if lines else None
    begin = 0 if form is None else 1
    rows = _cells_of(lines[begin:])
    if not rows:
        raise StudioError(tr("it has no rows of clues."))
    clues: dict[int, int] = {}
    for row, cells in enumerate(rows):
        for column, letter in enumerate(cells):
            if letter in digits:
                clues[row * len(rows[0]) + column] = int(letter)
            elif letter not in _NO_CLUE + " ":
                words = tr(
                    "row {row}, cell {column}: {letter!r} is not a clue; use digits, and . for none.",
                    row=row + 1,
                    column=column + 1,
                    letter=letter,
                )
                raise StudioError(words)
        if len(cells) != len(rows[0]):
            words = tr(
                "row {row} has {cells}, but row 1 has {first}.",
                row=row + 1,
                cells=many(len(cells), "cell"),
                first=len(rows[0]),
            )
            raise StudioError(words)
    _sized(form or SQUARE, len(rows[0]), len(rows))
    if columns:
        _counted(len(rows) * len(rows[0]), columns, count)
    return _checked(Given(form or SQUARE, len(rows[0]), len(rows), clues))


def _cells_of(lines: list[str]) -> list[str]:
    """The cells of each row as one letter each; spaces mark cells without a clue if nothing else does."""
    lines = [line.replace("\t", " ") for line in lines]
    if {*"".join(lines)} & {*_NO_CLUE}:
        return ["".join(line.split()) for line in lines]
    if all(not line[1::2].strip() for line in lines) and any(len(line) > 1 for line in lines):
        lines = [line[::2] for line in lines]
    elif not any(" " in line.strip() for line in lines):
        return [line.strip() for line in lines]
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


# Loopy


def loopy_id(given: Given) -> str:
    """The game ID that Loopy knows the puzzle by."""
    order = _order(given.form, given.columns, given.rows)
    text, blank = "", 0
    for cell in order:
        if cell in given.clues:
            text += _letters(blank, len(ascii_lowercase), ascii_lowercase) + str(given.clues[cell])
            blank = 0
        else:
            blank += 1
    text += _letters(blank, len(ascii_lowercase), ascii_lowercase)
    if given.form == TRIANGLE:
        begin = _TRIMMED if given.columns % 2 else ""
        return f"{given.columns // 2}x{given.rows}t1:{begin}{text}"
    if given.form == HEXAGON:
        return f"{given.rows}x{given.columns}t2:{text}"
    return f"{given.columns}x{given.rows}t0:{text}"


def _letters(blank: int, most: int, letters: str) -> str:
    """Write a run of cells without a clue; each letter counts its place in `letters`, up to `most`."""
    whole, rest = divmod(blank, most)
    return letters[most - 1] * whole + (letters[rest - 1] if rest else "")


def _order(form: str, columns: int, rows: int) -> list[int]:
    """The cells in Loopy's order.

    Its hexagons are ours mirrored at the diagonal. Rows of an odd number of triangles have every second one from the
    first on, then the rest; rows of an even number are ours from right to left. Raises StudioError for a grid that it
    lacks.
    """
    along = list(range(columns))
    if form == HEXAGON:
        return [row * columns + column for column in along for row in range(rows)]
    if form == TRIANGLE:
        if columns % 2 and rows % 2:
            raise StudioError(
                tr("Loopy trims two corners if the number of rows of triangles is odd; use an even number.")
            )
        along = along[::2] + along[1::2] if columns % 2 else along[::-1]
    return [row * columns + column for row in range(rows) for column in along]


def _of_loopy(width: str, height: str, sort: str, mark: str, text: str) -> Given:
    if mark == "#":
        raise StudioError(tr("it is a random seed; copy Loopy's game ID, which has a colon."))
    columns, rows = int(width), int(height)
    if int(sort) == 0:
        form = SQUARE
    elif int(sort) == 1:
        form = TRIANGLE
        columns = 2 * columns + text.startswith(_TRIMMED)
        text = text.removeprefix(_TRIMMED)
    elif int(sort) == 2:
        form, columns, rows = HEXAGON, rows, columns
    else:
        words = tr(
            "Loopy's grid t{number} is not supported, only squares (t0), triangles (t1) and hexagons (t2).",
            number=int(sort),
        )
        raise StudioError(words)
    _sized(form, columns, rows)
    order = _order(form, columns, rows)
    cells: list[int | None] = []
    for at, letter in enumerate(text):
        if letter in digits:
            cells.append(int(letter))
        elif letter in ascii_uppercase:
            cells.append(10 + ascii_uppercase.index(letter))
        elif letter in ascii_lowercase:
            cells += [None] * (1 + ascii_lowercase.index(letter))
        else:
            words = tr(
                "character {number} of its clues is {letter!r}; use digits and letters.", number=at + 1, letter=letter
            )
            raise StudioError(words)
    _counted(len(cells), columns, rows)
    clues = {order[at]: clue for at, clue in enumerate(cells) if clue is not None}
    return _checked(Given(form, columns, rows, dict(sorted(clues.items()))))


def _counted(count: int, columns: int, rows: int) -> None:
    if count != columns * rows:
        words = tr(
            "its clues fill {cells}, but {columns} × {rows} makes {total}.",
            cells=many(count, "cell"),
            columns=columns,
            rows=rows,
            total=columns * rows,
        )
        raise StudioError(words)


# puzz.link


def link(given: Given) -> str:
    """The address at which puzz.link shows the puzzle; raises StudioError for cells that are not squares."""
    if given.form != SQUARE:
        raise StudioError(tr("puzz.link only knows slitherlinks on squares: use form=grid or form=loopy."))
    count = given.columns * given.rows
    runs = ascii_lowercase[ascii_lowercase.index("g") :]
    text, cell = "", 0
    while cell < count:
        blank = next((n for n in range(count - cell) if cell + n in given.clues), count - cell)
        text += _letters(blank, _RUN, runs)
        cell += blank
        if cell < count:
            behind = next((n for n in range(2) if cell + 1 + n in given.clues), 2)
            text += f"{given.clues[cell] + 5 * behind:x}"
            cell += 1 + behind
    return f"{EDITOR}/{given.columns}/{given.rows}/{text}"


def _of_link(width: str, height: str, text: str | None) -> Given:
    columns, rows = int(width), int(height)
    _sized(SQUARE, columns, rows)
    cells: list[int | None] = []
    for at, letter in enumerate((text or "").lower()):
        value = (digits + ascii_lowercase).find(letter)
        if letter == ".":
            cells.append(None)
        elif 0 <= value < 15:
            cells += [value % 5, *[None] * (value // 5)]
        elif value > 15:
            cells += [None] * (value - 15)
        else:
            words = tr(
                "character {number} of its clues is {letter!r}; use 0-9, a-e, g-z and dots.",
                number=at + 1,
                letter=letter,
            )
            raise StudioError(words)
    # The letter of the last clue may count cells behind the last.
    if cells[columns * rows :] in ([None], [None, None]):
        del cells[columns * rows :]
    _counted(len(cells), columns, rows)
    return Given(SQUARE, columns, rows, {cell: clue for cell, clue in enumerate(cells) if clue is not None})


def read(sources: Sequence[Source], progress: Progress) -> SlitherlinkDesign:
    """Read the slitherlink in one text; raise StudioError, worded to follow the text's name, for an invalid one."""
    progress.step(0.0)
    if len(sources) != 1:
        raise StudioError(tr("import one text at a time."))
    try:
        text = sources[0].data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise StudioError(tr("it is not UTF-8 text.")) from problem
    return with_loop(given_in(text), progress)


def with_loop(given: Given, progress: Progress, steps: int = MOST_STEPS) -> SlitherlinkDesign:
    """The slitherlink with some clues, all of them and its loop its own; its difficulty is its grade, if that is known.

    Raises StudioError if no loop satisfies the clues, or if `steps` search steps find none.
    """
    if not any(given.clues.values()):
        raise StudioError(tr("it has no clue above 0, so there is no loop to find."))
    p = SlitherlinkParameters(
        grid=given.form, columns=given.columns, rows=given.rows, difficulty=FEWEST, symmetry=NO_SYMMETRY
    )
    with closing(LoopSearch(p.net)) as search:
        answer = search.find(given.clues, steps=steps, progress=progress)
        if answer.line is None and answer.is_known:
            cells = _shrunk(search, given, answer.needed, progress)
            named = [tr("{clue} in {cell}", clue=given.clues[cell], cell=given.name(cell)) for cell in cells]
            raise StudioError(
                tr("no loop satisfies its clues {clues}.", clues=abridged(named, MOST_NAMED))
                if len(named) > 1
                else tr("no loop satisfies its clue {clue}.", clue=named[0])
            )
        if answer.line is None:
            raise StudioError(tr("undecided after {steps} search steps: there may be no loop.", steps=thousands(steps)))
        other = search.find(given.clues, barred=[answer.line], steps=steps, progress=progress)
    if other.line is None and other.is_known:
        done = work_in_time(p.net, given.clues, progress)
        p = replace(p, difficulty=[*GRADES][done.level] if done.is_solved else FEWEST)
    names = tuple(sorted(p.form.names))
    clues = [cell in given.clues for cell in range(p.net.outside)]
    return SlitherlinkDesign(p, rows_of(p, p.net.enclosed(answer.line)), rows_of(p, clues), names, names)


def _shrunk(search: LoopSearch, given: Given, needed: Sequence[int], progress: Progress) -> list[int]:
    """Cells whose clues rule every loop out, as few as is soon known."""
    left = list(needed)
    for cell in needed if len(needed) <= MOST_SHRUNK else ():
        if cell not in left:
            continue
        fewer = {other: given.clues[other] for other in left if other != cell}
        answer = search.find(fewer, steps=MOST_STEPS // MOST_SHRUNK, progress=progress)
        if answer.line is None and answer.is_known:
            left = list(answer.needed)
    return left


def remark(design: SlitherlinkDesign, progress: Progress) -> str:
    """Remark on a puzzle that has another solution, or whose proof takes too long; empty for any other."""
    p = design.parameters
    lines, count = solutions(p.net, design.clues, progress, most=2, steps=MOST_STEPS, known=design.line)
    if len(lines) > 1:
        return tr(
            "The puzzle has a second solution, different in {place}.", place=design.place_of(design.apart(lines[1]))
        )
    return (
        ""
        if count.complete
        else tr("Not proven unique in {steps} search steps: there may be other solutions.", steps=thousands(MOST_STEPS))
    )


def write(design: SlitherlinkDesign, options: TextOptions, progress: Progress) -> bytes:
    """The clues as a text."""
    progress.step(0.0)
    p = design.parameters
    if not p.layout.is_regular or p.grid not in MOST_CLUES:
        raise StudioError(tr("Only a rectangle of squares, hexagons or triangles can be written as text."))
    given = Given(p.grid, p.columns, p.rows, design.clues)
    if options.form == LOOPY_FORM:
        text = loopy_id(given) + "\n"
    elif options.form == LINK_FORM:
        text = link(given) + "\n"
    else:
        text = rows_of_digits(given)
    return text.encode()
