"""Small files that ask for endless work are read or refused, by the elements and pairs they are made of."""

import resource
import subprocess
import sys
from collections.abc import Callable
from math import cos, pi, sin
from pathlib import Path

import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files.drawing_import import READING, read_figure, read_lines, read_mask, read_paths, read_tongue
from studio.files.pictures import read_picture

MOST_POINTS = 60_000

PAGE = 'xmlns="http://www.w3.org/2000/svg" width="200mm" height="100mm" viewBox="0 0 200 100"'


def copies(levels: int, each: int) -> str:
    """Copies of copies: `each` to the power of `levels` paths."""
    groups = "".join(f'<g id="a{at}">{f"""<use href="#a{at - 1}"/>""" * each}</g>' for at in range(1, levels + 1))
    return f'<defs><path id="a0" d="M10 10H90V90z"/>{groups}</defs><use href="#a{levels}"/>'


def polygon(count: int, radius: float = 45.0, tooth: float = 0.0) -> str:
    places = ((2 * pi * at / count, radius - tooth * (at % 2)) for at in range(count))
    return f'<polygon points="{" ".join(f"{100 + r * cos(a):.4f},{50 + r * sin(a):.4f}" for a, r in places)}"/>'


def star(count: int) -> str:
    """Lines that all end at one place."""
    return "".join(f'<path d="M100 50L{100 + 50 * cos(at):.3f} {50 + 50 * sin(at):.3f}"/>' for at in range(count))


COMB = "".join(f'<path d="M{0.03 * at:.2f} 1V99"/>' for at in range(5_200))
TEETH = f'<path d="M0 0{"".join(f"L{0.03 * at:.2f} {99 if at % 2 else 20}" for at in range(5_200))}L156 0Z"/>'
SCRIBBLE = f'<path d="M{" ".join(f"{at * 7919 % 200} {at * 104729 % 97}" for at in range(3_000))}z"/>'
ARCS = "".join(
    f"A.1 .1 0 0 1 {100 + 45 * sin(pi * at / 1e4):.4f} {50 - 45 * cos(pi * at / 1e4):.4f}" for at in range(1, 20_001)
)
SQUARES = "".join(
    f'<path d="M{0.02 * at:.2f} {0.02 * at:.2f}h{200 - 0.04 * at:.2f}v{100 - 0.04 * at:.2f}h{0.04 * at - 200:.2f}z"/>'
    for at in range(1_500)
)
HOLES = '<rect width="200" height="100"/>' + "".join(
    f'<circle cx="{4.9 * (at % 40) + 2:.1f}" cy="{3.9 * (at // 40) + 2:.1f}" r="1.2"/>' for at in range(900)
)
CLIPS = "".join(
    f'<clipPath id="c{at}" clip-path="url(#c{at + 1})"><rect width="99" height="99"/></clipPath>' for at in range(2_000)
)
SHEET = "".join(f'* * * [x="{at}"]{{fill:red}}' for at in range(2_000)) + "</style>"
VARIABLES = "".join(f"--v{at}:{f'var(--v{at + 1})' * 2};" for at in range(15))
READS: dict[str, Callable[[Path], object]] = {
    "outline": lambda path: read_paths(path, READING, SILENT),
    "figure": lambda path: read_figure(path, SILENT),
    "engrave": lambda path: read_lines(path, SILENT, MOST_POINTS),
    "mask": lambda path: read_mask(path, None, (200.0, 100.0), SILENT),
    "tongue": lambda path: read_tongue(path, SILENT),
    "photo": lambda path: read_picture(path, 1, SILENT),
}
PATHS = tuple(READS)[:5]
BOMBS = {
    "copies": (copies(8, 20), "more than 1,000,000,000 elements, with all copies .maximum 40,000", tuple(READS)),
    "comb": (COMB, "416 paths are not closed", ("outline", "figure")),
    "teeth": (TEETH, "curves .maximum 2,500|points .maximum 5,000", ("outline", "figure")),
    "points": (polygon(200_001), "more than 200,000 points|larger than 2 MB", PATHS),
    "sharp points": (polygon(9_000, tooth=2.0), ".maximum", ("outline", "figure", "mask")),
    "star": (star(9_000), "not closed|points .maximum|9000 open", ("outline", "figure", "mask", "tongue")),
    "scribble": (SCRIBBLE, "cross", ("outline", "figure", "mask")),
    "squares": (SQUARES, "closed paths|in each other", ("outline", "figure", "mask")),
    "holes": (HOLES, "901 closed paths", ("outline", "figure")),
    "clip paths": (f'{CLIPS}<rect clip-path="url(#c0)" width="9" height="9"/>', "nested too deeply", PATHS),
    "style sheet": (
        f"<style>{SHEET}{'<g>' * 50}{'<rect/>' * 900}{'</g>' * 50}",
        "style sheets are too complicated", ("outline", "photo")
    ),
    "paths in one": (f'<path d="{"M0 0h1" * 40_001}"/>', "more than 40,000 elements", PATHS),
    "clipped groups": (
        '<clipPath id="c"><circle r="5"/></clipPath>'
        + '<g clip-path="url(#c)"><rect width="6" height="6"/></g>' * 4_100,
        "clip paths are too complicated", PATHS,
    ),
    "attributes": (
        f"<rect {' '.join(f'a{at}=_1_' for at in range(400_000))}/>".replace("_", '"'),
        "400,000 attributes .maximum 200|larger than 2 MB", tuple(READS),
    ),
    "variables": (
        f"<style>svg{{{VARIABLES}}} rect{{fill:var(--v0);stroke:var(--v1)}}</style>{'<rect/>' * 30_000}",
        "style sheets are too complicated", ("outline", "photo"),
    ),
    "brackets": (f"<style>a{'(' * 9_000}</style>", "style sheets are too complicated", ("outline", "photo")),
    "long styles": (f"<style>{'.a{fill:red}' * 200_000}</style>", "longer than 2 MB", ("outline", "photo")),
    "elements": ("<rect/>" * 60_000, "it has 60,001 elements .maximum 40,000", tuple(READS)),
}  # fmt: skip


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("inside", "sentence", "way"),
    [
        pytest.param(inside, sentence, way, id=f"{name} {way}")
        for name, (inside, sentence, ways) in BOMBS.items()
        for way in ways
    ],
)
def test_a_file_that_asks_for_too_much_is_refused(tmp_path: Path, inside: str, sentence: str, way: str) -> None:
    path = tmp_path / "bomb.svg"
    path.write_text(f"<svg {PAGE}>{inside}</svg>", encoding="utf-8")
    with pytest.raises(StudioError, match=sentence):
        READS[way](path)


def test_a_circle_of_many_arcs_or_points_becomes_few_curves(tmp_path: Path) -> None:
    path = tmp_path / "circle.svg"
    for inside in (f'<path d="M100 5{ARCS}z"/>', polygon(60_000)):
        path.write_text(f"<svg {PAGE}>{inside}</svg>", encoding="utf-8")
        (ring,) = read_paths(path, READING, SILENT).rings
        assert len(ring) // 3 < 40


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "inside",
    [
        '<rect width="200" height="100" fill-opacity=".5"/>' * 20_000,
        '<g opacity=".9">' * 190 + '<rect width="200" height="100"/>' + "</g>" * 190,
        '<pattern id="p" width=".001" height=".001"><rect width="1" height="1"/></pattern>'
        + '<rect fill="url(#p)" width="200" height="100"/>' * 200,
    ],
    ids=["layers", "memory", "pattern"],
)
def test_a_picture_that_takes_too_long_to_paint_is_stopped(tmp_path: Path, inside: str) -> None:
    path = tmp_path / "bomb.svg"
    path.write_text(f"<svg {PAGE}>{inside}</svg>", encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with pytest.raises(StudioError, match="takes too long or too much memory"):
        read_picture(path, 1, SILENT)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 5.0


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded so on Linux")
@pytest.mark.thorough
def test_a_bomb_fits_into_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.svg"
    path.write_text(f"<svg {PAGE}>{star(20_000)}</svg>", encoding="utf-8")
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_DATA, (500 * 2**20,) * 2)\n"
        "import sys; from pathlib import Path; from studio.base.progress import SILENT\n"
        "from studio.files.drawing_import import READING, read_paths; read_paths(Path(sys.argv[1]), READING, SILENT)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert "not closed" in done.stderr and "MemoryError" not in done.stderr
