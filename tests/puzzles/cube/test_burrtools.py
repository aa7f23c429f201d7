"""BurrTools files: others find in them what the studio does, and what is no cube is refused in one sentence."""

import gzip
import re
import zlib
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.geometry.curves.strokes import Ints
from studio.puzzles.abilities.ability import Source
from studio.puzzles.cube import burrtools
from studio.puzzles.cube.checks import check
from studio.puzzles.cube.geometry import shape
from studio.puzzles.cube.kind import CUBE, BurrToolsOptions
from studio.puzzles.cube.model import CubeDesign, CubeParameters, VoxelEdit
from studio.puzzles.cube.partition import count, partitioned
from tests.depth import examples
from tests.puzzles.cube.slow_cover import Piece, Voxel, assemblies

ANY = {"unique": False, "distinct": False, "captured": False}
TEN = [
    ((4, 4, 4), 7, {}), ((4, 4, 4), 1, ANY), ((4, 4, 4), 2, ANY), ((4, 4, 4), 5, ANY), ((3, 4, 5), 1, ANY),
    ((3, 4, 4), 3, ANY), ((3, 3, 4), 5, ANY), ((3, 3, 3), 2, ANY), ((3, 3, 3), 4, ANY), ((5, 5, 5), 3, ANY),
]  # fmt: skip
PLATES = CubeDesign(CubeParameters(seed=5, **ANY))  # type: ignore[arg-type]


def written(design: CubeDesign) -> bytes:
    return burrtools.write(design, BurrToolsOptions(), Progress())


def read(data: bytes) -> CubeDesign:
    return burrtools.read([Source("a.xmpuzzle", data)], Progress())


def refused(data: bytes) -> str:
    with pytest.raises(StudioError) as told:
        read(data)
    words = str(told.value)
    assert words.endswith(".") and len(words.splitlines()) == 1 and len(words) < 160
    return words


def text_of(design: CubeDesign) -> str:
    return gzip.decompress(written(design)).decode()


def voxels_in(element: ElementTree.Element) -> tuple[Voxel, Piece]:
    """The size and the filled voxels of a shape, as BurrTools' description has them: x fastest."""
    x, y, z = (int(element.attrib[axis]) for axis in "xyz")
    cells = element.text or ""
    assert len(cells) == x * y * z and set(cells) <= set("#_") and element.attrib["type"] == "0"
    return (x, y, z), frozenset(
        (at % x, at // x % y, at // (x * y)) for at, cell in enumerate(cells) if cell == "#"
    )  # fmt: skip


def counted_in(data: bytes) -> int:
    """The assemblies of the first problem of a file, by an exact cover that knows the file alone."""
    root = ElementTree.fromstring(gzip.decompress(data))
    shapes = [voxels_in(one) for one in root.iterfind("shapes/voxel")]
    problem = root.find("problems/problem")
    assert problem is not None
    pieces = [
        shapes[int(one.attrib["id"])][1]
        for one in problem.iterfind("shapes/shape") for _ in range(int(one.attrib["count"]))
    ]  # fmt: skip
    result = problem.find("result")
    assert result is not None
    size, goal = shapes[int(result.attrib["id"])]
    assert sum(map(len, pieces)) == len(goal) == size[0] * size[1] * size[2] - np.prod(np.array(size) - 2)
    return assemblies(pieces, size)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("size", "seed", "options"), TEN, ids=str)
def test_an_exact_cover_that_reads_the_file_alone_counts_the_same_assemblies(
    size: Voxel, seed: int, options: dict[str, Any]
) -> None:
    design = CubeDesign(CubeParameters(*size, seed=seed, **options))
    assert counted_in(written(design)) == count(design, (), Progress()).solutions > 0


def owners_of(design: CubeDesign) -> Ints:
    return partitioned(design).owners.astype(np.int64)


@given(
    st.tuples(*[st.integers(3, 6)] * 3), st.integers(0, 10**6), st.sampled_from(["unique", "distinct", "captured", ""])
)  # fmt: skip
@settings(max_examples=examples(10, 250))
def test_what_is_written_is_read_and_written_the_same(size: Voxel, seed: int, wanted: str) -> None:
    design = CubeDesign(CubeParameters(*size, seed=seed, **(ANY | ({wanted: True} if wanted else {}))))  # type: ignore[arg-type]
    again = read(written(design))
    assert again.parameters.size == size
    assert (owners_of(again) == owners_of(design)).all()
    assert written(again) == written(design)


def test_edits_are_in_the_file_and_none_of_a_cube_that_is_read_is_idle() -> None:
    design = CubeDesign().with_voxels([VoxelEdit("left-front/1", "front"), VoxelEdit("left-front/2", "front")])
    again = read(written(design))
    assert (owners_of(again) == owners_of(design)).all()
    chance = partitioned(CubeDesign(again.parameters)).owners
    assert len(again.voxels) == int((chance != partitioned(again).owners).sum())


def test_a_cube_that_is_read_asks_for_no_more_than_it_has() -> None:
    for design in (CubeDesign(), PLATES):
        again = read(written(design))
        one = count(again, (), Progress()).solutions == 1
        assert again.parameters.unique == one
        keys = {found.problem.key for found in check(again, shape(again, None, Progress()), None, Progress()).findings}
        assert "wish" not in keys and ("solutions" in keys) == (not one)


def _shrunk(design: CubeDesign, turn: bool) -> str:
    """The file as one has it who draws each piece flat in the corner of its own block."""
    root = ElementTree.fromstring(gzip.decompress(written(design)))
    for element in list(root.iterfind("shapes/voxel"))[:6]:
        (_x, _y, _z), voxels = voxels_in(element)
        places = np.array(sorted(voxels))
        places -= places.min(axis=0)
        flat = int(places.max(axis=0).argmin())
        first, second = sorted({0, 1, 2} - {flat}, reverse=turn)
        places = places[:, [first, second]]
        wide, deep = (places.max(axis=0) + 1).tolist()
        cells = [["_"] * wide for _ in range(deep)]
        for x, y in places.tolist():
            cells[y][x] = "#7"
        element.attrib |= {"x": str(wide), "y": str(deep), "z": "1"}
        element.text = "".join(cell for row in cells for cell in row)
    return ElementTree.tostring(root, encoding="unicode")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("turn", [False, True])
def test_pieces_that_are_drawn_apart_are_put_together(turn: bool) -> None:
    """Pieces lie flat, flipped and coloured, as people draw them; what comes of them is the same puzzle."""
    for design in (CubeDesign(), CubeDesign(CubeParameters(3, 4, 5))):
        again = read(gzip.compress(_shrunk(design, turn).encode()))
        assert sorted(again.parameters.size) == sorted(design.parameters.size)
        # Its only solution is found again, perhaps mirrored: so the same six pieces, and as many solutions.
        assert counted_in(written(again)) == 1
        known, found = (sorted(int(mask.sum()) for mask in partitioned(one).masks) for one in (design, again))
        assert known == found


def test_a_file_without_a_problem_or_packing_has_its_six_shapes_as_pieces() -> None:
    text = text_of(CubeDesign())
    alone = re.sub(r"<problems>.*</problems>", "", re.sub(r'<voxel[^>]*name="Box".*', "", text), flags=re.DOTALL)
    assert read(alone.encode()) == read(written(CubeDesign()))
    apart = _shrunk(CubeDesign(), False)
    without = re.sub(r"<problems>.*</problems>", "", re.sub(r'<voxel[^>]*name="Box".*?</voxel>', "", apart), flags=re.S)
    assert read(without.encode()).parameters.size == (4, 4, 4)


def test_twins_are_one_shape_that_is_used_twice() -> None:
    found = next(
        design for seed in range(200)
        if '<shape id="0" count="2"/>' in text_of(design := CubeDesign(CubeParameters(3, 3, 3, seed=seed, **ANY)))  # type: ignore[arg-type]
    )  # fmt: skip
    assert (owners_of(read(written(found))) == owners_of(found)).all()


# What is no cube


ENTITIES = '<!DOCTYPE puzzle [<!ENTITY a SYSTEM "file:///etc/hostname">]><puzzle version="2">&a;</puzzle>'
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><puzzle version="2">&b;</puzzle>'
PACKED = gzip.compress(LAUGHS.encode(), mtime=0)  # without the time, which would differ between workers


def changed(old: str, new: str, times: int = 1) -> bytes:
    text = text_of(CubeDesign())
    assert old in text
    return text.replace(old, new, times).encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is not a BurrTools file."),
        (b"PK\x03\x04", "it is not a BurrTools file."),
        (b"<svg/>", "it is not a BurrTools file."),
        (b"<puzzle", "it is not valid XML"),
        (b'<puzzle version="3"/>', "its version of the BurrTools format is not supported."),
        (b'<puzzle version="2"/>', "it has 0 pieces; a cube has six."),
        (ENTITIES.encode(), "it declares a document type or entities, which could read other files."),
        (LAUGHS.encode(), "it declares a document type or entities, which could read other files."),
        (PACKED, "it declares a document type or entities, which could read other files."),
        (changed('gridType type="0"', 'gridType type="2"'), "its shapes are not made of cubes."),
        (changed('<shape id="3" count="1"/>', ""), "it has 5 pieces; a cube has six."),
        (changed('id="3" count="1"', 'id="3" count="2"'), "it has 7 pieces; a cube has six."),
        (changed('id="3" count="1"', 'id="3" min="0" max="2"'), "gives a range of pieces"),
        (changed('id="3" count="1"', 'id="33" count="1"'), "its problem uses a shape that is missing."),
        (changed('id="3" count="1"', 'id="-3" count="1"'), "one of its elements lacks the number id."),
        (changed('id="3" count="1"', 'id="6" count="1"'), "shape Box is not a plate one voxel thick."),
        (changed('x="4"', 'x="5"'), "the voxels of shape A left do not match its size."),
        (changed('x="4"', 'x="99999999"'), "shape A left has no valid size."),
        (changed("____#", "___?#"), "the voxels of shape A left do not match its size."),
        (changed("____#", "____+"), "shape A left is not a plate one voxel thick."),
        (changed('result id="6"', 'result id="5"'), "its result is not the shell of a box."),
    ],
    ids=lambda part: part if isinstance(part, str) else "file",
)  # fmt: skip
def test_what_is_no_cube_is_refused_in_one_sentence(data: bytes, words: str) -> None:
    # A result that is not the shell is asked for only where the pieces are not drawn together already.
    assert words in refused(data) if b'result id="5"' not in data else read(data) == read(written(CubeDesign()))


def test_plates_of_no_box_are_refused() -> None:
    apart = _shrunk(CubeDesign(), False)
    assert refused(apart.replace('result id="6"', 'result id="5"').encode()) == "its result is not the shell of a box."
    mixed = apart.replace("#7", "_", 1)
    assert refused(mixed.encode()) == "its pieces have 55 voxels in all, which fill no box."
    first, second = _shrunk(CubeDesign(), False), _shrunk(PLATES, False)
    kept = re.findall(r"<voxel.*?</voxel>", first)[:3] + re.findall(r"<voxel.*?</voxel>", second)[3:6]
    six = "".join(kept)
    full = six.count("#")
    lone = f'<puzzle version="2"><shapes>{six}</shapes></puzzle>'
    told = refused(lone.encode())
    assert told in (
        "its six plates do not assemble into a box with one on each face.",
        f"its pieces have {full} voxels in all, which fill no box.",
    )
    large = '<puzzle version="1"><shapes>' + '<voxel x="9" y="1" z="1" type="0">#########</voxel>' * 6
    assert refused(f"{large}</shapes></puzzle>".encode()).endswith("do not assemble into a box with one on each face.")


def test_files_that_are_packed_wrong_are_refused() -> None:
    data = written(CubeDesign())
    for cut in (12, len(data) // 2, len(data) - 9, len(data) - 1):
        assert "truncated" in refused(data[:cut])
    assert "damaged" in refused(data[:10] + b"\xff" * 20)
    wrong = bytearray(data)
    wrong[-5] ^= 1
    assert "damaged" in refused(bytes(wrong))
    assert refused(gzip.compress(b"{}")) == refused(b"{}") == "it is not a BurrTools file."


def test_a_bomb_is_not_unpacked() -> None:
    packing = zlib.compressobj(9, wbits=31)
    bomb = packing.compress(b"<puzzle>") + b"".join(packing.compress(b" " * 2**20) for _ in range(64))
    bomb += packing.flush()
    assert len(bomb) < 2**17
    assert refused(bomb) == "it unpacks to more than 16 MB."


@given(st.integers(0, 2000), st.binary(min_size=1, max_size=6), st.booleans())
@settings(max_examples=examples(50, 1500))
def test_a_damaged_text_is_a_cube_or_refused_in_one_sentence(at: int, junk: bytes, is_packed: bool) -> None:
    data = written(CubeDesign()) if is_packed else text_of(CubeDesign()).encode()
    at %= len(data)
    data = data[:at] + junk + data[at + len(junk) :]
    try:
        CUBE.verify(read(data))
    except StudioError as problem:
        assert str(problem).endswith(".") and len(str(problem).splitlines()) == 1
