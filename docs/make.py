"""Makes what docs/ holds that would otherwise grow old: the pictures of the window, and the tables of the manual.

`python3 go.py pictures` runs it. The tables stand in the manual between two comments, `<!-- table: keys -->` and
`<!-- end -->`; tests/test_docs.py holds them against the program.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docs import rooms
from studio.base.amounts import duration, share
from studio.base.parameters import Declaration, declarations
from studio.base.progress import SILENT, Progress
from studio.exporting.colour_profiles import shipped_profiles
from studio.exporting.formats import LASER, PAPER, PRINTER, Options
from studio.fabricate.making import Making
from studio.fabricate.plan import plans
from studio.fabricate.workshop import Machine, Material, Named, Plastic, Printer, every
from studio.geometry.board.board_spec import DRAWN, TILINGS
from studio.puzzles.calendar.model import CalendarParameters
from studio.puzzles.cube.model import CubeParameters
from studio.puzzles.jigsaw.figures.silhouettes import THEMES, figure, keys
from studio.puzzles.jigsaw.fits.false_fits import false_fits
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import TONGUE_STYLES, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.tongues.styles import MIXED, STYLES, TITLES
from studio.puzzles.registry import kinds
from studio.puzzles.slitherlink.model import SlitherlinkParameters
from studio.puzzles.zigzaw.model import ZigzawParameters

DOCS = Path(__file__).resolve().parent
MANUAL = DOCS / "manual"
PICTURES = DOCS / "pictures"
EXAMPLES = DOCS.parent / "resources" / "examples"
START = DOCS.parent / "resources" / "start"
SAMPLES = START / "samples"
RECENT = ("meadow-12x6", "stronghold-5x5x5", "honeycomb-9x8", "pond-9x7", "moon-55")
SIZE = (1280, 800)
COLOURS = 256
"""So many fit into one byte a pixel, which halves the files; the eye does not see what that changes."""
GROUNDS = 32
"""How many of the commonest colours stay exactly what they are."""


@dataclass(frozen=True)
class Picture:
    """A picture of the window: of an example, of a new jigsaw, or of either with some settings."""

    name: str
    example: str = ""
    settings: tuple[str, ...] = ()
    theme: str = "light"
    words: tuple[str, ...] = ()
    """What else `picture` is told: another view, or the share of the cutting time after which it shows the sheet."""


DATE = "10-06"
"""The date that calendars show, so that pictures are the same on every day."""
COUPON = "coupon"
"""The picture of a fit coupon, drawn as it is exported."""
PAGE = "start-page"
FILM, FILMED = "first-cut", "orchard-9x6"
"""The animation of the README, and the sample that is seen in it."""
TONGUES, BOARDS, IDEAS = "tongues", "boards", "ideas"
"""The pictures of a board in each style of tongues, of each tiling, and with each idea."""
OUTLINES = dict(
    zip(
        (tiling for tiling in TILINGS if tiling != DRAWN),
        ("rectangle", "arch", "ellipse", "polygon", "heart", "ellipse", "rectangle"),
        strict=True,
    )
)
"""The outline on which each tiling is shown, but drawn cuts, which need a file."""
FIGURES, FIGURE = "figures", 52
"""The picture of all figures, and the size in pixels of one."""
BOARD, TITLE, GAP = (400, 300), 34, 16
"""The size in pixels of a board of that picture, the height of its title, and the gap between two."""
SHOWN = (
    Picture("window-light", "meadow-12x6.puzzle"),
    Picture("wandering-border", "harbour-20x12.puzzle"),
    Picture("heart", "sweetheart-56.puzzle"),
    Picture("tray", settings=("outline=heart", "height=260", "pieces=60", "tray=true")),
    Picture("findings", settings=("perturbation=0.25", "tongue_size=0.36", "seed=3", "layout_version=1")),
    Picture("plan", "meadow-12x6.puzzle", words=("--moment", "0.66")),
    Picture("photograph", "lakeside-96.puzzle"),
    Picture("relief", "lakeside-96.puzzle", settings=("relief=4",), words=("--view", "space")),
    Picture("play", "lakeside-96.puzzle", theme="dark", words=("--view", "play", "--moment", "0.4")),
    Picture("cube", "stronghold-5x5x5.puzzle"),
    Picture("cube-net", "stronghold-5x5x5.puzzle", theme="dark", words=("--view", "net")),
    Picture("calendar", "puzzle-a-day-german-7x7.puzzle", words=("--view", "board", "--date", DATE)),
    Picture("calendar-play", "calendrier-6x8.puzzle", words=("--view", "play", "--date", "07-14", "--moment", "0.5")),
    Picture("calendar-year", "puzzle-a-day-german-7x7.puzzle", theme="dark", words=("--view", "year", "--date", DATE)),
    Picture("calendar-edit", "calendrier-6x8.puzzle", words=("--view", "edit", "--date", "07-14")),
    Picture("calendar-cut", "puzzle-a-day-german-7x7.puzzle", words=("--view", "drawing", "--date", DATE)),
    Picture(
        "calendar-solved",
        "puzzle-a-day-german-7x7.puzzle",
        theme="dark",
        words=("--view", "play", "--date", DATE, "--moment", "1"),
    ),
    Picture(
        "calendar-heart", "calendrier-6x8.puzzle", ("outline=heart",), words=("--view", "space", "--date", "07-14")
    ),
    Picture("zigzaw", "pond-9x7.puzzle"),
    Picture("zigzaw-solver", "pond-9x7.puzzle", theme="dark", words=("--view", "solver", "--moment", "0.3")),
    Picture("zigzaw-play", "pond-9x7.puzzle", words=("--view", "play", "--moment", "0.5")),
    Picture("zigzaw-picture", "lighthouse-22x16.puzzle"),
    Picture("slitherlink-play", "brook-8x8.puzzle", words=("--view", "play", "--moment", "0.6")),
    Picture("slitherlink", "brook-8x8.puzzle"),
    Picture("slitherlink-hexagons", "honeycomb-9x8.puzzle", theme="dark"),
    Picture("slitherlink-voronoi", "cobbles-108.puzzle", words=("--view", "play", "--moment", "0.5")),
    Picture("slitherlink-steps", "honeycomb-9x8.puzzle", words=("--view", "steps", "--moment", "0.4")),
)


# Pictures


def draw(picture: Picture, folder: Path) -> Path:
    """Make one picture in a folder and return its file."""
    design = EXAMPLES / picture.example
    with tempfile.TemporaryDirectory() as aside:
        if not picture.example:
            design = Path(aside) / f"{picture.name}.puzzle"
            studio("new", "jigsaw", *(f"--set={setting}" for setting in picture.settings), "-o", str(design))
        elif picture.settings:
            design = Path(aside) / picture.example
            settings = (f"--set={setting}" for setting in picture.settings)
            studio("edit", str(EXAMPLES / picture.example), *settings, "-o", str(design))
        target = folder / f"{picture.name}.png"
        size = "x".join(map(str, SIZE))
        words = ["--window", "--theme", picture.theme, "--size", size, "-o", str(target)]
        studio("picture", str(design), *words, *picture.words)
    shrink(target)
    return target


def draw_scenes(folder: Path) -> Iterator[Path]:
    """Make the pictures in which something was done, one after the other, and return their files."""
    from docs.scenes import SCENES, draw

    for scene in SCENES:
        target = draw(*scene, folder)
        shrink(target)
        yield target


def draw_coupon(folder: Path) -> Path:
    """Make the picture of a fit coupon in a folder and return its file."""
    target = folder / f"{COUPON}.png"
    with tempfile.TemporaryDirectory() as own:
        os.environ["XDG_CONFIG_HOME"] = own  # the studio's materials, not those of who makes the documents
        design = EXAMPLES / SHOWN[0].example
        studio("coupon", str(design), "--material", "plywood-3", "--set", "dpi=120", "-o", str(target))
    return target


def draw_tongues(folder: Path) -> Path:
    """Make the picture of all styles of tongues, and of all mixed, in a folder and return its file."""
    usual = ("columns=6", "rows=4", "width=180", "height=120", "seed=5")
    styles = [(style.key, style.title) for style in STYLES] + [(MIXED, TONGUE_STYLES[MIXED])]
    boards = [(title, (*usual, f"tongue_style={key}")) for key, title in styles]
    return draw_boards(folder / f"{TONGUES}.png", boards)


def draw_tilings(folder: Path) -> Path:
    """Make the picture of all tilings, each on another outline, in a folder and return its file."""
    usual = ("columns=8", "rows=6", "width=200", "height=150", "seed=4")
    boards = [
        (TILINGS[tiling], (*usual, f"tiling={tiling}", f"outline={outline}")) for tiling, outline in OUTLINES.items()
    ]
    return draw_boards(folder / f"{BOARDS}.png", boards)


def draw_ideas(folder: Path) -> Path:
    """Make the picture of bent rows, noodles, a hidden border and false corners in a folder and return its file."""
    usual = ("columns=12", "rows=9", "width=300", "height=225", "seed=4", "flow_strength=1")
    ideas = [
        ("Swirl", ("flow=swirl",)),
        ("Fan", ("flow=fan", "tiling=bricks")),
        ("Waves", ("flow=wave",)),
        ("Noodles", ("noodles=0.2", "flow=wave", "outline=ellipse")),
        ("Hidden border", ("hidden_border=1",)),
        ("False corners", ("false_corners=0.3",)),
    ]
    return draw_boards(folder / f"{IDEAS}.png", [(title, (*usual, *settings)) for title, settings in ideas])


def draw_boards(target: Path, boards: Sequence[tuple[str, Sequence[str]]]) -> Path:
    """Make one picture of several jigsaws, by their titles and settings, and return its file."""
    from PySide6.QtCore import QRect, Qt
    from PySide6.QtGui import QColor, QFont, QImage, QPainter

    across, (width, height) = 3, BOARD
    down = -(-len(boards) // across)
    sheet = QImage(across * (width + GAP) + GAP, down * (height + TITLE) + GAP, QImage.Format.Format_RGB32)
    sheet.fill(QColor("white"))
    painter = QPainter(sheet)
    painter.setFont(QFont("DejaVu Sans", 12))
    with tempfile.TemporaryDirectory() as aside:
        design, board = Path(aside) / "board.puzzle", Path(aside) / "board.png"
        for number, (title, settings) in enumerate(boards):
            studio("new", "jigsaw", *(f"--set={setting}" for setting in settings), "-o", str(design), "--force")
            studio("picture", str(design), "--size", "x".join(map(str, BOARD)), "-o", str(board), "--force")
            row, column = divmod(number, across)
            alone = max(0, across * (row + 1) - len(boards))  # a last row that is not full is centred
            left, top = GAP + column * (width + GAP) + alone * (width + GAP) // 2, row * (height + TITLE)
            painter.drawText(QRect(left, top, width, TITLE), Qt.AlignmentFlag.AlignCenter, title)
            painter.drawImage(left, top + TITLE, QImage(str(board)))
    painter.end()
    sheet.save(str(target))
    shrink(target)
    return target


def draw_figures(folder: Path) -> Path:
    """Make the picture of all figures in a folder and return its file."""
    from PySide6.QtGui import QColor, QImage, QPainter, QPen

    from studio.geometry.curves.strokes import Curves
    from studio.ui.canvas.paths import curved

    across, pitch = 14, FIGURE + GAP
    down = -(-len(keys()) // across)
    sheet = QImage(across * pitch + GAP, down * pitch + GAP, QImage.Format.Format_RGB32)
    sheet.fill(QColor("white"))
    painter = QPainter(sheet)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for number, key in enumerate(keys()):
        shown = figure(key)
        row, column = divmod(number, across)
        painter.resetTransform()
        painter.translate(GAP / 2 + (column + 0.5) * pitch, GAP / 2 + (row + 0.5) * pitch)
        painter.scale(*(FIGURE / max(1.0, shown.width),) * 2)
        painter.fillPath(curved(Curves.from_strokes(list(shown.rings))), QColor("#b8894f"))
        lines = curved(Curves.from_strokes(list(shown.lines)))
        painter.strokePath(lines, QPen(QColor("white"), shown.width / FIGURE))
    painter.end()
    target = folder / f"{FIGURES}.png"
    sheet.save(str(target))
    shrink(target)
    return target


def draw_kinds(folder: Path) -> Path:
    """The pictures of new puzzles on the start page, in both themes."""
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from studio.ui.session.preferences import Preferences
    from studio.ui.shell.screenshot import picture_of_view
    from studio.ui.shell.start import KIND_PICTURE
    from studio.ui.widgets.theme import apply, dark_theme, light_theme, picture_font

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        preferences = Preferences(QSettings(str(Path(home) / "settings.ini"), QSettings.Format.IniFormat))
        for name, theme in (("light", light_theme()), ("dark", dark_theme())):
            apply(app, theme, picture_font())
            for kind in kinds():
                target = folder / f"{kind.key}-{name}.png"
                picture_of_view(kind, kind.example(), KIND_PICTURE * 2, preferences, DATE).save(str(target))
                shrink(target)
    return folder


def draw_samples(folder: Path) -> Path:
    """The pictures of samples on the start page, in a folder for each kind, in both themes."""
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from studio.files.store import load
    from studio.ui.session.preferences import Preferences
    from studio.ui.shell.screenshot import picture_of_view
    from studio.ui.shell.start import FILE_PICTURE
    from studio.ui.widgets.theme import apply, dark_theme, light_theme, picture_font

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with tempfile.TemporaryDirectory() as home:
        preferences = Preferences(QSettings(str(Path(home) / "settings.ini"), QSettings.Format.IniFormat))
        for name, theme in (("light", light_theme()), ("dark", dark_theme())):
            apply(app, theme, picture_font())
            for path in sorted(EXAMPLES.glob("*.puzzle")):
                saved = load(path)
                target = folder / saved.kind.key / f"{path.stem}-{name}.png"
                target.parent.mkdir(parents=True, exist_ok=True)
                picture_of_view(saved.kind, saved.design, FILE_PICTURE * 2, preferences, DATE).save(str(target))
                shrink(target)
    return folder


def draw_start_page(folder: Path) -> Path:
    """The start page with its samples, some of which were opened lately."""
    from PySide6.QtCore import QSettings, QSize
    from PySide6.QtWidgets import QApplication

    from studio.files.store import load
    from studio.ui.session.preferences import Preferences
    from studio.ui.shell.screenshot import picture_of_view
    from studio.ui.shell.start import FILE_PICTURE, StartPage
    from studio.ui.shell.tabs import Shell
    from studio.ui.widgets.theme import apply, light_theme, picture_font

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply(app, light_theme(), picture_font())
    target = folder / f"{PAGE}.png"
    with tempfile.TemporaryDirectory() as home:
        preferences = Preferences(QSettings(str(Path(home) / "settings.ini"), QSettings.Format.IniFormat))
        for name in RECENT:
            preferences.add_recent_file(EXAMPLES / f"{name}.puzzle")
        page = StartPage(preferences)
        for path in page.cards:
            saved = load(path)
            page.show_picture(path, picture_of_view(saved.kind, saved.design, FILE_PICTURE * 2, preferences, DATE))
        shell = Shell(preferences, lambda _page: page)
        shell.show_start()
        shell.resize(QSize(*SIZE))
        shell.show()
        QApplication.processEvents()
        shell.grab().save(str(target))
        shell.close()
    shrink(target)
    return target


def draw_film(folder: Path) -> Path:
    """The animation of the README."""
    from docs.film import film

    return film(EXAMPLES / f"{FILMED}.puzzle", folder / f"{FILM}.webp")


def studio(*words: str) -> None:
    """Run one command of the studio; what it says is only shown where it fails."""
    done = subprocess.run([sys.executable, "-P", "-m", "studio", *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip() or f"python -m studio {words[0]} ended with exit code {done.returncode}")


def shrink(path: Path) -> None:
    """Write a picture again with COLOURS of its colours; Qt gives every other pixel the nearest of them."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    chosen = commonest_colours(np.frombuffer(image.constBits(), np.uint32))
    plain = Qt.ImageConversionFlag.ThresholdDither
    image.convertToFormat(QImage.Format.Format_Indexed8, chosen.tolist(), plain).save(str(path))


def commonest_colours(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """COLOURS colours, as 0xRRGGBB, that stand for those of some pixels."""
    known, counts = np.unique(pixels, return_counts=True)
    commonest = known[np.argsort(-counts, kind="stable")]
    # Then one of each shade, so that a small blue button keeps its blue among thousands of greys.
    shade = commonest >> 20 & 15, commonest >> 12 & 15, commonest >> 4 & 15
    _, firsts = np.unique(np.stack(shade), axis=1, return_index=True)
    wanted = np.concatenate([np.arange(min(GROUNDS, len(commonest))), np.sort(firsts), np.arange(len(commonest))])
    _, places = np.unique(wanted, return_index=True)
    chosen: NDArray[np.uint32] = commonest[wanted[np.sort(places)][:COLOURS]]
    return chosen


# Tables


def manual() -> dict[Path, str]:
    """The text of every page of the manual."""
    return {page: page.read_text(encoding="utf-8") for page in sorted(MANUAL.glob("*.md"))}


def with_tables(page: str, known: Mapping[str, str]) -> str:
    """A page of the manual with its tables up to date; raises KeyError for one that nobody knows how to make."""
    return re.sub(
        r"(<!-- table: ([\w -]+) -->\n).*?(<!-- end -->)",
        lambda match: f"{match[1]}\n{known[match[2]]}\n\n{match[3]}",
        page,
        flags=re.DOTALL,
    )


PLANNED = ((12, 6), (30, 20), (60, 40))
"""Columns and rows of the boards whose plans are compared."""


def tables(keys: Sequence[tuple[str, str, str]], boards: Iterable[tuple[int, int]] = PLANNED) -> Mapping[str, str]:
    """Every table of the manual by name; `keys` are menu, words and keys of what has one."""
    parameters = declarations(JigsawParameters)
    groups = {known.group: [one for one in parameters if one.group == known.group] for known in parameters}
    made = {f"parameters {group}": declared(members) for group, members in groups.items()}
    made["options"] = table(
        ("for", "in the window", "name", "default", "values", "meaning"),
        (
            (asking(one.name), one.title, f"`{one.name}`", default(one), one.bounds, one.help)
            for one in declarations(Options)
        ),
    )
    made["formats"] = table(
        ("format", "for", "description"),
        ((one.name, group.title, one.help) for group in (LASER, PRINTER, PAPER) for one in group.members),
    )
    made["figures"] = table(
        ("theme", "figures"), ((theme, ", ".join(f"`{key}`" for key in members)) for theme, members in THEMES.items())
    )
    made["false fits"] = false_fits_of_styles()
    made["cube"] = declared(declarations(CubeParameters))
    made["calendar"] = declared(declarations(CalendarParameters))
    made["zigzaw"] = declared(declarations(ZigzawParameters))
    made["slitherlink"] = declared(declarations(SlitherlinkParameters))
    made["making"] = declared(declarations(Making))
    made["machines"] = presets(Machine, (one for one in every(Machine) if not one.own))
    made["materials"] = presets(Material, (one for one in every(Material) if not one.own))
    made["printers"] = presets(Printer, (one for one in every(Printer) if not one.own))
    made["plastics"] = presets(Plastic, (one for one in every(Plastic) if not one.own))
    for kind in kinds():
        made[f"problems {kind.key}"] = table(
            ("kind", "severity", "problem", "fix"),
            ((f"`{one.key}`", one.severity.name.lower(), one.title, one.helps) for one in kind.problems),
        )
    made["plans"] = planned(boards)
    made["profiles"] = table(
        ("profile", "engrave", "score", "inner cuts", "border", "for"),
        (
            (f"`{one.key}`", *(f"`{layer.name}` {layer.colour}" for layer in one.layers), one.summary)
            for one in shipped_profiles()
        ),
    )
    made["keys"] = table(
        ("menu", "command", "keys"),
        ((menu, words, ", ".join(f"`{key}`" for key in pressed.split(", "))) for menu, words, pressed in keys),
    )
    return made


def asking(option: str) -> str:
    """The formats for the laser that have an option, "all" where that is every one."""
    known = [one.name for one in LASER.members if option in {known.name for known in declarations(one.options)}]
    return "all" if len(known) == len(LASER.members) else ", ".join(known)


def presets(kind: type[Any], some: Iterable[Named[Any]]) -> str:
    """A table of the studio's own machines or materials: every figure under its name and unit."""
    # Those that joined later, such as prices, have no value before a maker sets one.
    figures = [known for known in declarations(kind) if known.type == "number" and not known.is_later]
    heads = [f"{known.title.lower()}, {known.unit}" for known in figures]
    return table(
        ("name", "title", *heads),
        (
            (f"`{one.key}`", one.title, *(f"{getattr(one.value, known.name):g}" for known in figures))
            for one in sorted(some, key=lambda one: one.key)
        ),
    )


def planned(boards: Iterable[tuple[int, int]]) -> str:
    """A table of what every strategy costs on boards of some columns and rows."""
    rows = []
    for columns, rows_down in boards:
        parameters = JigsawParameters(columns=columns, rows=rows_down, width=25.0 * columns, height=25.0 * rows_down)
        drawing = shape(JigsawDesign(parameters), None, Progress()).drawing
        for one in plans(drawing, Machine()):
            rows.append((
                f"{columns} × {rows_down}", f"`{one.strategy.value}`", f"{one.travel:.0f} mm", f"{one.ratio:.3f}",
                str(one.pen_ups), str(one.loose_cuts), str(one.largest_freed), str(one.reach), duration(one.seconds),
            ))  # fmt: skip
    heads = ("board", "strategy", "travel", "vs. best", "laser-off", "loose cuts", "drop-out", "overhang", "time")
    return table(heads, rows)


def declared(some: Iterable[Declaration]) -> str:
    """A table of parameters or options: their title in the window, their name on the command line and their values."""
    return table(
        ("in the window", "name", "default", "values", "meaning"),
        ((one.title, f"`{one.name}`", default(one), one.bounds, one.help) for one in some),
    )


def default(known: Declaration) -> str:
    """The value a parameter has unasked, with its unit."""
    value = known.default
    if known.type == "text":
        return f"`{value}`" if value else "empty"
    words = str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
    return f"{words} {known.unit}".strip()


def false_fits_of_styles() -> str:
    """How unique boards of three styles are, at two clearances."""
    rows = []
    for style in ("article", "classic", "ribbon"):
        parameters = JigsawParameters(columns=30, rows=20, width=750.0, height=500.0, tongue_style=style)
        shapes = shape(JigsawDesign(parameters), None, SILENT)
        for clearance in (0.15, 0.3):
            found = false_fits(shapes, clearance)
            rows.append(
                (
                    TITLES[style], f"{clearance:g} mm", str(found.pairs), f"{found.ambiguous} of {len(found.edges)}",
                    share(found.share), f"{2 * found.pairs * 2 / len(shapes.drawing.pieces):.2f}",
                )
            )  # fmt: skip
    return table(("style", "clearance", "false fits", "ambiguous edges", "share", "wrong fits per piece"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def window_keys() -> list[tuple[str, str, str]]:
    """Menu, words and keys of everything in the window that has a key; needs a QApplication."""
    from PySide6.QtCore import QEvent, QSettings
    from PySide6.QtWidgets import QApplication

    from studio.ui.session.document import Document
    from studio.ui.session.preferences import Preferences
    from studio.ui.shell.window import Window

    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        window = Window(Document(JIGSAW, JIGSAW.example()), Preferences(settings))
        keys = window.actions_.with_keys()
        window.close()
        window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return keys


SCREEN = {
    "name": "screen", "x": 0, "y": 0, "width": 1920, "height": 1080, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1,
}  # fmt: skip
"""The screen on which pictures are made."""


def main(only_tables: bool) -> None:
    """Make everything, or the tables of the manual alone, and name what was made."""
    from PySide6.QtWidgets import QApplication

    from docs.wood import draw_mixtures, draw_sheet

    with tempfile.TemporaryDirectory() as folder:
        # The usual one is 800 pixels wide, and dialogs are laid out for their screen.
        screens = Path(folder) / "screens.json"
        screens.write_text(json.dumps({"screens": [SCREEN]}), encoding="utf-8")
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={screens}"
        QApplication([])
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    known = tables(window_keys())
    for page, text in manual().items():
        page.write_text(with_tables(text, known), encoding="utf-8", newline="\n")
    print(MANUAL.relative_to(DOCS.parent))
    if only_tables:
        return
    PICTURES.mkdir(exist_ok=True)
    for picture in SHOWN:
        made = draw(picture, PICTURES)
        print(f"{made.relative_to(DOCS.parent)}  {made.stat().st_size / 1000:.0f} kB", flush=True)
    for made in draw_scenes(PICTURES):
        print(f"{made.relative_to(DOCS.parent)}  {made.stat().st_size / 1000:.0f} kB", flush=True)
    print(rooms.draw().relative_to(DOCS.parent))
    print(draw_coupon(PICTURES).relative_to(DOCS.parent))
    print(draw_tongues(PICTURES).relative_to(DOCS.parent))
    print(draw_tilings(PICTURES).relative_to(DOCS.parent))
    print(draw_ideas(PICTURES).relative_to(DOCS.parent))
    print(draw_mixtures(PICTURES).relative_to(DOCS.parent))
    print(draw_sheet(PICTURES).relative_to(DOCS.parent))
    print(draw_figures(PICTURES).relative_to(DOCS.parent))
    print(draw_kinds(START).relative_to(DOCS.parent))
    print(draw_samples(SAMPLES).relative_to(DOCS.parent))
    print(draw_start_page(PICTURES).relative_to(DOCS.parent))
    print(draw_film(PICTURES).relative_to(DOCS.parent))


if __name__ == "__main__":
    main("--tables" in sys.argv)
