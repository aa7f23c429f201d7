"""Hatches: one for each paint that no other has, lines within their face and as long as it allows."""

import numpy as np
import shapely

from studio.base.progress import Progress
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.drawing import Operation
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.geometry import PATTERNS, face_lines, face_runs, hatched, shape
from studio.puzzles.zigzaw.model import LETTERS, ZigzawParameters
from studio.puzzles.zigzaw.piece_forms import FACES, STICKERS, in_mm

HATCH_GAP = 0.12
SHORTEST = 0.3


def face_of(face: str) -> shapely.Polygon:
    stickers = [np.array(sticker.corners, float) for sticker in STICKERS if sticker.face == face]
    return shapely.union_all([shapely.Polygon(in_mm(corners, 1.0)) for corners in stickers])


def test_every_paint_has_a_pattern_of_its_own() -> None:
    assert len(set(PATTERNS)) == len(PATTERNS) == len(LETTERS)


def test_lines_stay_within_their_face_and_run_across_it() -> None:
    for face in FACES:
        room = shapely.buffer(face_of(face), 1e-6 - HATCH_GAP, join_style="mitre")
        for paint in range(len(LETTERS)):
            lines = face_lines(face, paint)
            assert shapely.contains(room, shapely.linestrings(lines)).all()
            lengths = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
            assert lengths.min() >= SHORTEST and lengths.max() > 2.0


def test_a_limb_as_wide_as_a_sticker_tells_its_paint() -> None:
    for sticker in STICKERS:
        inside = shapely.Polygon(in_mm(np.array(sticker.corners, float), 1.0))
        for paint, (angles, _apart) in enumerate(PATTERNS):
            lines = face_lines(sticker.face, paint)
            met = shapely.length(shapely.intersection(shapely.linestrings(lines), inside)) > 0.2
            ways = np.round(np.degrees(np.arctan2(*(lines[met, 1] - lines[met, 0]).T[::-1])) % 180)
            assert set(ways.tolist()) == set(map(float, angles))


def test_every_face_is_hatched_once() -> None:
    design = generate(ZigzawParameters(columns=4, rows=3), Progress())
    runs = hatched(design, np.zeros(2))
    wanted = sum(
        len(face_runs(face, LETTERS.index(letter)))
        for triple in design.triples.values()
        for face, letter in zip(FACES, triple, strict=True)
    )
    assert len(runs) == wanted
    assert (runs.lengths > 0).all()


def test_a_run_has_all_lines_of_a_direction_and_stays_in_its_face() -> None:
    for face in FACES:
        room = shapely.buffer(face_of(face), 1e-6 - HATCH_GAP, join_style="mitre")
        for paint, (angles, _apart) in enumerate(PATTERNS):
            runs = face_runs(face, paint)
            assert len(runs) == len(angles)
            drawn = shapely.union_all([shapely.LineString(run[::3]) for run in runs])
            assert shapely.contains(room, drawn)
            assert shapely.covers(shapely.buffer(drawn, 1e-6), shapely.multilinestrings(face_lines(face, paint)))


def test_pieces_laid_apart_keep_their_hatches_on_them() -> None:
    design = generate(ZigzawParameters(columns=3, rows=3, finish="hatch"), Progress())
    drawing = shape(design, None, Progress()).drawing
    cut = cutouts(Contours(drawing), 0.0)
    rings = cut.rings.flattened(0.01)
    lines = [path for lines in cut.engraved for path in lines]
    drawn = sum(float(Curves.from_strokes([path.points]).lengths.sum()) for path in lines)
    whole = sum(
        float(drawing.strokes.lengths[chain.strokes >> 1].sum())
        for chain in drawing.chains
        if chain.operation is Operation.ENGRAVE
    )
    assert 0.98 * whole < drawn <= whole + 1e-6
    for piece in range(9):
        room = shapely.buffer(shapely.Polygon(rings[int(np.flatnonzero(cut.owners == piece)[0])]), 0.02)
        ends = np.concatenate([path.points for path in cut.engraved[piece]])
        assert shapely.contains(room, shapely.points(ends)).all() and len(ends)
