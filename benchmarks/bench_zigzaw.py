"""What must be fast with zigzaws: the proof, proven puzzles, the film of a search, and a recoloured face.

The peer of a proof is a plain solver that holds every piece against every place; the floor of generating is to colour
its cubes without a proof, and that of a film is the bare search.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, cycle
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from benchmarks.report import Row, high, median, milliseconds, show
from studio.base.progress import SILENT
from studio.puzzles.registry import kind
from studio.puzzles.zigzaw.generate import PROOF_NODES, generate, proof, triples_of
from studio.puzzles.zigzaw.model import LETTERS, ZigzawDesign, ZigzawParameters, matching, packed
from studio.puzzles.zigzaw.piece_forms import FACES, grid
from studio.solving.edges import UNKNOWN, Matching, Strategy, proven, record, steps
from studio.ui.kinds.zigzaw.extension import ZigzawExtension
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.app import make_application
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, light_theme, picture_font

SEEDS = 300
SIZES = (4, 9, 13)
GENERATED = 21
LIKE_1982 = ZigzawParameters(triples=7, seed=27)
"""Nine by nine, which takes about as many pieces as the puzzle of 1982."""
HARD = ZigzawParameters(triples=7)
"""Twice as many."""
FRAMES = 300
RECOLOURED = 40
"""About so many faces are recoloured, all over the board."""
SIZE = 1600, 1000


def plainly_counted(known: Matching) -> int:
    """Solutions by recursion over the places, every piece held against every side."""
    board = list(known.given)
    left = list(range(len(known.pieces)))

    def placed(place: int) -> int:
        if place == len(known.slots):
            return 1
        total = 0
        for at, piece in enumerate(left):
            if piece == UNKNOWN:
                continue
            shown = list(zip(known.slots[place], known.pieces[piece], strict=True))
            if all(board[side] in (UNKNOWN, colour) for side, colour in shown):
                fresh = [side for side, _ in shown if board[side] == UNKNOWN]
                for side, colour in shown:
                    board[side] = colour
                left[at] = UNKNOWN
                total += placed(place + 1)
                left[at] = piece
                for side in fresh:
                    board[side] = UNKNOWN
        return total

    return placed(0)


def drawn(parameters: ZigzawParameters) -> ZigzawDesign:
    """Cubes in colours that nobody proves anything of."""
    triples = cycle(triples_of(parameters))
    cubes = {cube: next(triples) for cube in grid(parameters.columns + 2, parameters.rows + 2)}
    return ZigzawDesign(parameters, packed(parameters, cubes))


def proofs() -> Iterator[Row]:
    """The exhaustive proof of hard puzzles."""
    for parameters, goal in ((LIKE_1982, 5), (HARD, 15)):
        puzzle = matching(generate(parameters, SILENT))
        known = proven(puzzle, SILENT, nodes=PROOF_NODES).count
        assert known.solutions == 1 and known.complete and plainly_counted(puzzle) == 1
        peer = median(milliseconds(partial(plainly_counted, puzzle), 3))
        times = milliseconds(partial(proven, puzzle, SILENT, nodes=PROOF_NODES), 30)
        name = f"proof of a hard 9×9, {known.nodes:,} pieces tried"
        yield Row(name, median(times), "ms", goal, "peer: plain solver", peer)


def generation() -> Iterator[Row]:
    """New puzzles, each proven to have one solution."""
    for size, goal in ((9, 30), (20, 300)):
        seeds = count(1000)

        def work(size: int = size, seeds: Iterator[int] = seeds) -> None:
            generate(ZigzawParameters(columns=size, rows=size, seed=next(seeds)), SILENT)

        floor = median(milliseconds(partial(drawn, ZigzawParameters(columns=size, rows=size)), 9))
        times = milliseconds(work, GENERATED)
        yield Row(
            f"generate a proven {size}×{size}, median of {GENERATED} seeds",
            median(times),
            "ms",
            goal,
            "floor: no proof",
            floor,
        )


def unique() -> Iterator[Row]:
    """Many puzzles, each of which is proven to have one solution."""
    begin = time.perf_counter()
    for size in SIZES:
        for seed in range(SEEDS):
            known = proof(generate(ZigzawParameters(columns=size, rows=size, seed=seed), SILENT), SILENT).count
            assert (known.solutions, known.complete) == (1, True), f"{size}×{size}, seed {seed}"
    mean = round(1000 * (time.perf_counter() - begin) / (SEEDS * len(SIZES)), 3)
    sizes = ", ".join(f"{size}×{size}" for size in SIZES)
    yield Row(
        f"one solution each: {SEEDS} seeds of {sizes}, mean", mean, "ms", 30, "seeds with one", SEEDS * len(SIZES)
    )


def window_on(design: ZigzawDesign, folder: Path) -> Window:
    """The window on a zigzaw, checked, and at rest."""
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = Window(Document(kind("zigzaw"), design), Preferences(settings))
    window.resize(*SIZE)
    window.show()
    QTest.qWait(50)
    window.pipeline.finish()
    QTest.qWait(50)
    return window


def close(window: Window) -> None:
    """Close a window without a question."""
    window.document.history.setClean()
    window.close()


def films(folder: Path) -> Iterator[Row]:
    """Frames of a film at full speed, and how fast it is recorded."""
    window = window_on(generate(HARD, SILENT), folder)
    window.show_view("solver")
    extension = window.extension
    assert isinstance(extension, ZigzawExtension)
    solver, player = extension.solver, extension.solver.player
    solver.films.finish()
    QApplication.processEvents()
    film = player.film
    assert film is not None
    player.is_playing, player.speed = True, 300_000.0
    times = []
    for frame in range(FRAMES):
        begin = time.perf_counter()
        player.go_to(len(film) * frame // FRAMES)
        QApplication.processEvents()
        times.append(1000 * (time.perf_counter() - begin))
    player.is_playing = False
    yield Row(
        "a frame of the film of a 9×9, 95th percentile", high(times), "ms", 16, "floor: the median", median(times)
    )
    close(window)
    puzzle = film.matching
    bare = median(milliseconds(lambda: sum(1 for _step in steps(puzzle, Strategy.INDEXED)), 9)) / len(film)
    taken = median(milliseconds(lambda: record(puzzle, Strategy.INDEXED, SILENT), 9)) / len(film)
    yield Row("10,000 steps of a film recorded", 10_000 * taken, "ms", 1000, "floor: the bare search", 10_000 * bare)
    shown = milliseconds(lambda: film.board(len(film) // 2), 30)
    yield Row(
        "any moment of a film", median(shown), "ms", 1, "floor: a copy", median(milliseconds(film.board(0).copy, 30))
    )


def recoloured(folder: Path) -> Iterator[Row]:
    """A face in another colour: its pieces, the proof and the canvas."""
    design = generate(ZigzawParameters(columns=20, rows=20), SILENT)
    window = window_on(design, folder)
    document = window.document
    names = [name for name in design.names if "," not in name][:: len(design.names) // RECOLOURED]
    times, proofs_ = [], []
    for name, face in zip(names, cycle(FACES), strict=False):
        cube, at = design.names[name], FACES.index(face)
        triple = design.triples[cube]
        paint = LETTERS[(LETTERS.index(triple[at]) + 1) % 6]
        other = design.with_triples({cube: triple[:at] + paint + triple[at + 1 :]}, edited=True)
        begin = time.perf_counter()
        document.edit("Recolour", other)
        window.pipeline.finish()
        QApplication.processEvents()
        times.append(1000 * (time.perf_counter() - begin))
        document.history.undo()
        window.pipeline.finish()
        QApplication.processEvents()
        begin = time.perf_counter()
        proof(other, SILENT)
        proofs_.append(1000 * (time.perf_counter() - begin))
    name = "recolour a face of a 20×20: pieces, proof, canvas, median"
    yield Row(name, median(times), "ms", 50, "floor: the proof", median(proofs_))
    close(window)


def main() -> None:
    """Measure and print."""
    app = make_application()
    apply(app, light_theme(), picture_font())
    with tempfile.TemporaryDirectory() as folder:
        parts: list[Callable[[], Iterator[Row]]] = [
            proofs, generation, unique, lambda: films(Path(folder)), lambda: recoloured(Path(folder)),
        ]  # fmt: skip
        show([row for part in parts for row in part()])


if __name__ == "__main__":
    main()
