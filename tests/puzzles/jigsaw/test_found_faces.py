"""Faces found in the picture of a jigsaw: drawn ones where they are, none elsewhere, and cuts go round them."""

import io
import json
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely
from PIL import Image, ImageDraw, ImageFilter

from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.progress import SILENT, Cancelled, Progress
from studio.geometry.art.artwork import PNG
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.picture.faces import _hits, eyes_and_mouths, with_faces_whole
from studio.puzzles.jigsaw.picture.masks import Placement, area_on_board, of_area
from tests.puzzles.jigsaw.test_colours import shapes_of
from tests.puzzles.jigsaw.test_contours import EYES_AND_MOUTH, cut_through, portrait

Face = tuple[float, float, float]
"""Middle of a drawn face and half its width, in pixels."""


def with_faces(*faces: Face, size: tuple[int, int] = (1200, 600)) -> Image.Image:
    """A picture with shaded faces on blue."""
    image = Image.new("RGB", size, (120, 170, 220))
    brush = ImageDraw.Draw(image)
    for x, y, half in faces:
        ovals: list[tuple[float, float, float, float, str]]
        ovals = [(0, -0.15, 1.05, 1.35, "#462d1e"), (0, 0.1, 0.85, 1.2, "#e1b496")]
        for side in (-0.36, 0.36):
            ovals += [(side, -0.16, 0.26, 0.16, "#a0735f"), (side, -0.3, 0.26, 0.06, "#462d23")]
            ovals += [(side, -0.12, 0.2, 0.1, "#f5f0eb"), (side, -0.12, 0.1, 0.1, "#28283c")]
            ovals += [(side * 0.4, 0.36, 0.07, 0.05, "#8c5a4b")]
        ovals += [(0, 0.3, 0.13, 0.1, "#f0c8aa"), (0, 0.68, 0.33, 0.12, "#963c41"), (0, 0.66, 0.28, 0.03, "#5a1e23")]
        for right, down, wide, high, colour in ovals:
            left, top = x + half * (right - wide), y + half * (down - high)
            brush.ellipse((left, top, left + 2 * half * wide, top + 2 * half * high), fill=colour)
    return image.filter(ImageFilter.GaussianBlur(faces[0][2] / 25 if faces else 1))


def packed(image: Image.Image, **place: Any) -> BoardPicture:
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return BoardPicture(file.getvalue(), PNG, **place)


def spots(face: Face) -> list[tuple[float, float]]:
    """Where the eyes and the mouth are drawn, in pixels."""
    x, y, half = face
    return [(x - 0.36 * half, y - 0.12 * half), (x + 0.36 * half, y - 0.12 * half), (x, y + 0.67 * half)]


LARGE, SMALL = (320.0, 300.0, 150.0), (900.0, 320.0, 60.0)


def design_with(picture: BoardPicture | None, **parameters: Any) -> JigsawDesign:
    made = JIGSAW.generate(JigsawParameters(width=300.0, height=150.0, **parameters), None, SILENT)
    return made.design.with_picture(picture)


def test_the_eyes_and_mouth_of_every_face_are_found_where_they_are() -> None:
    found = eyes_and_mouths(packed(with_faces(LARGE, SMALL)), SILENT)
    assert len(found) == 2
    for face, drawn in zip(sorted(found, key=lambda each: float(each.bounds[0])), (LARGE, SMALL), strict=True):
        for part, (x, y) in zip(shapely.get_parts(face), spots(drawn), strict=True):
            assert part.contains(shapely.Point(x / 1200, y / 1200))
            assert 1200 * part.centroid.distance(shapely.Point(x / 1200, y / 1200)) < 0.12 * drawn[2]
            assert 1200**2 * part.area < 0.4 * drawn[2] ** 2


def test_a_simple_drawing_of_a_face_is_found_too() -> None:
    (face,) = eyes_and_mouths(BoardPicture(portrait(), PNG), SILENT)
    found = shapely.transform(face, lambda points: 300 * points)
    for part, drawn in zip(shapely.get_parts(found), EYES_AND_MOUTH, strict=True):
        assert part.intersects(drawn.centroid)


@pytest.mark.parametrize("turn", [90.0, 180.0, -90.0, 100.0])
def test_a_face_is_found_if_it_is_upright_on_the_board(turn: float) -> None:
    aside = with_faces(LARGE).rotate(90 * round(turn / 90), expand=True)
    (face,) = eyes_and_mouths(packed(aside, turn=turn), SILENT)
    assert eyes_and_mouths(packed(aside), SILENT) == []
    design = design_with(packed(aside, turn=round(turn / 90) * 90.0))
    seen = shapely.transform(face, Placement.from_picture(design.picture, design.size).on_board)
    for part, (x, y) in zip(shapely.get_parts(seen), spots(LARGE), strict=True):
        assert part.contains(shapely.Point(x / 4, y / 4))


def test_no_face_is_found_where_there_is_none() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (300, 400, 3), np.uint8)
    stripes = np.tile(np.repeat(np.array([0, 255], np.uint8), 7), (300, 30))
    for image in (Image.new("RGB", (400, 300), "orange"), Image.fromarray(noise), Image.fromarray(stripes)):
        assert eyes_and_mouths(packed(image), SILENT) == []
    assert eyes_and_mouths(packed(Image.new("RGB", (20, 300))), SILENT) == []


def test_transparent_pixels_are_white() -> None:
    image = with_faces(LARGE).convert("RGBA")
    image.putalpha(0)
    assert eyes_and_mouths(packed(image), SILENT) == []


def test_a_large_picture_takes_about_a_second_and_can_be_cancelled() -> None:
    picture = packed(with_faces((375.0, 375.0, 175.0), size=(1000, 750)).resize((4000, 3000)))
    begun = time.process_time()
    assert len(eyes_and_mouths(picture, SILENT)) == 1
    assert time.process_time() - begun < 2.5
    progress = Progress(lambda share, _note: progress.cancel() if share > 0.3 else None)
    with pytest.raises(Cancelled):
        eyes_and_mouths(picture, progress)


def test_windows_are_judged_as_by_a_plain_reading_of_the_cascade() -> None:
    stored = json.loads((shipped("faces") / "frontal.json").read_text("utf-8"))
    clockwise = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]

    def is_face(window: Any) -> bool:
        for stage in stored["stages"]:
            total = 0.0
            for x, y, width, height, patterns, first, second in stage["rules"]:
                block = window[y : y + 3 * height, x : x + 3 * width].reshape(3, height, 3, width).sum(axis=(1, 3))
                code = int("".join("01"[int(block[each] >= block[1, 1])] for each in clockwise), 2)
                total += first if bytes.fromhex(patterns)[code // 8] >> code % 8 & 1 else second
            if total < stage["least"] - 1e-5:
                return False
        return True

    grey = np.asarray(with_faces(LARGE).convert("L").resize((86, 43), Image.Resampling.BOX))
    windows = [(x, y) for x in range(86 - 23) for y in range(43 - 23)]
    expected = {(x, y) for x, y in windows if is_face(grey[y : y + 24, x : x + 24].astype(int))}
    found = _hits([grey[:30], grey], 1, SILENT).tolist()
    assert expected and {(x, y) for index, x, y in found if index == 1} == expected


@pytest.mark.parametrize(("tiling", "pieces"), [("grid", 60), ("grid", 120), ("hexagons", 60)])
def test_no_cut_goes_through_the_eyes_and_mouth_of_a_found_face(tiling: str, pieces: int) -> None:
    design = design_with(packed(with_faces(LARGE)), tiling=tiling, pieces=pieces)
    whole, count = with_faces_whole(design, SILENT)
    assert count == 1 and replace(whole, uncut=None) == design
    area = area_on_board(whole.uncut, whole.picture, whole.size)
    assert len(shapely.get_parts(area)) == 3
    shapes = shapes_of(whole)
    assert cut_through(shapes_of(design), area) > 5.0 and cut_through(shapes, area) == 0.0
    assert not [one for one in check(whole, shapes, None, SILENT).findings if one.kind == "uncut"]
    # What is painted stays, and what is found again changes nothing.
    assert with_faces_whole(whole, SILENT) == (whole, 1)
    painted = of_area(shapely.box(250, 100, 260, 110), design.picture, design.size)
    both, _ = with_faces_whole(replace(design, uncut=painted), SILENT)
    assert area_on_board(both.uncut, both.picture, both.size).area == pytest.approx(area.area + 100.0, rel=1e-3)


def test_only_faces_on_the_board_count() -> None:
    assert with_faces_whole(design_with(packed(with_faces(LARGE, SMALL), crop=(0.6, 0.0, 0.0, 0.0))), SILENT)[1] == 1
    beside = design_with(packed(with_faces(LARGE), right=0.95))
    assert with_faces_whole(beside, SILENT) == (beside, 0)


def test_a_board_without_a_picture_or_with_an_older_layout_is_refused() -> None:
    with pytest.raises(StudioError, match="Add a picture first"):
        with_faces_whole(JigsawDesign(), SILENT)
    older = JigsawDesign(JigsawParameters(layout_version=1), picture=packed(with_faces(LARGE)))
    with pytest.raises(StudioError, match="older layout"):
        with_faces_whole(older, SILENT)
    broken = packed(with_faces(LARGE))
    with pytest.raises(StudioError, match="The picture cannot be used: it is not a PNG"):
        eyes_and_mouths(replace(broken, data=broken.data[:20_000]), SILENT)
