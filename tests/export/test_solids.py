"""Files for a 3-D printer hold just what they were written from, in the same bytes each time, or are not written."""

import io
import re
import struct
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Cancelled, Progress
from studio.exporting import writing
from studio.exporting.formats import PRINTER, STL, THREEMF
from studio.exporting.options import NOTHING, NoOptions, Unreadable
from studio.exporting.readers.stl_3mf import read_3mf, read_stl
from studio.exporting.writers.stl_3mf import CORE, HEADER, stl, threemf
from studio.exporting.writing import SolidOptions, write_solids
from studio.geometry.solids.solid import Mesh, Solid
from studio.puzzles.cube.geometry import shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from tests.export.proofs import proven

GRID = 1e-5


def bed(style: str = "plate") -> tuple[Solid, ...]:
    return shape(CubeDesign(CubeParameters(style=style, segments=8)), None, Progress()).bed


BED = bed()
FLAWED = Solid("Holed", "#E69F00", Mesh(BED[0].mesh.vertices.copy(), BED[0].mesh.triangles[1:].copy()))


def test_an_stl_is_read_by_numpy_stl_as_the_same_triangles_with_the_same_volume(tmp_path: Path) -> None:
    from stl.mesh import Mesh as Triangles

    path = tmp_path / "one.stl"
    path.write_bytes(stl(BED[:1]))
    read = Triangles.from_file(str(path))
    assert np.array_equal(read.vectors, BED[0].mesh.vertices[BED[0].mesh.triangles].astype(np.float32))
    assert float(read.get_mass_properties()[0]) == pytest.approx(BED[0].mesh.volume, rel=1e-5)


def test_an_stl_has_always_the_same_header_unit_normals_and_a_triangle_in_fifty_bytes() -> None:
    data = stl(BED)
    count = sum(len(solid.mesh.triangles) for solid in BED)
    assert data[:80].decode() == HEADER.ljust(80) and not data.startswith(b"solid")
    assert struct.unpack("<I", data[80:84]) == (count,) and len(data) == 84 + 50 * count
    normals, corners = read_stl(data)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0, abs=1e-6)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert ((across * normals).sum(axis=1) > 0).all()


@pytest.mark.parametrize("write", [stl, threemf])
@pytest.mark.parametrize("style", ["plate", "voxel"])
def test_the_same_design_gives_the_same_bytes(write: Callable[[tuple[Solid, ...]], bytes], style: str) -> None:
    from studio.puzzles.cube.geometry import KEPT

    first = write(bed(style))
    KEPT.forget()
    assert write(bed(style)) == first


def test_a_3mf_names_colours_and_places_its_parts() -> None:
    with zipfile.ZipFile(io.BytesIO(threemf(BED))) as package:
        assert package.namelist() == ["[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model"]
        assert {about.date_time for about in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        model = ElementTree.fromstring(package.read("3D/3dmodel.model"))
    assert model.attrib["unit"] == "millimeter"
    names = [each.attrib["name"] for each in model.iter(f"{{{CORE}}}object")]
    assert names == ["Left", "Front", "Bottom", "Right", "Back", "Top"]
    assert len({each.attrib["displaycolor"] for each in model.iter(f"{{{CORE}}}base")}) == 6
    found = read_3mf(threemf(BED))
    for one, solid in zip(found, BED, strict=True):
        assert (one.name, one.colour) == (solid.name, f"{solid.colour}FF")
        assert np.abs(one.mesh.vertices - solid.mesh.vertices).max() < 1e-9
        assert one.mesh.volume == pytest.approx(solid.mesh.volume, rel=1e-9)


def stacked_up() -> tuple[Solid, ...]:
    """The pieces, each with a copy of itself in the wrong colour on top."""
    raised = np.array([0.0, 0.0, 50.0])
    return tuple(
        solid
        for one in BED
        for solid in (one, Solid(f"On {one.name}", "#123456", one.mesh.moved(np.eye(3), raised), one.name))
    )


def test_what_is_printed_onto_another_is_one_object_with_it_and_comes_back_with_its_colour() -> None:
    both = stacked_up()
    data = threemf(both)
    found = read_3mf(data)
    assert [(one.name, one.colour) for one in found] == [(solid.name, f"{solid.colour}FF") for solid in both]
    assert THREEMF.prove(found, both, NOTHING, GRID).parts == 2 * len(BED)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.read("3D/3dmodel.model").count(b"<object ") == len(BED)
        table = package.read("Metadata/Slic3r_PE_model.config").decode()
    assert table.count("<volume ") == 2 * len(BED)
    assert {f'"{number}"' for number in range(1, 8)} <= set(re.findall(r'"extruder" value=("\d+")', table))
    with zipfile.ZipFile(io.BytesIO(threemf(BED))) as package:
        assert "Metadata/Slic3r_PE_model.config" not in package.namelist()


def test_a_solid_on_another_lies_as_high_in_a_file_of_its_own(tmp_path: Path) -> None:
    reports = write_solids(stacked_up()[:2], tmp_path, SolidOptions(format="stl"))
    assert len(reports) == 2
    _, corners = read_stl(reports[1].path.read_bytes())
    assert corners[:, :, 2].min() == pytest.approx(50.0)


def test_a_name_that_xml_would_trip_over_comes_back() -> None:
    named = Solid('<A & "B">', "#E69F00", BED[0].mesh)
    assert [part.name for part in read_3mf(threemf([named]))] == ['<A & "B">']


def repacked(data: bytes, change: Callable[[str], str]) -> bytes:
    """A 3MF whose model is changed."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(written, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            new.writestr(name, change(text) if name.endswith(".model") else text)
    return written.getvalue()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('unit="millimeter"', 'unit="inch"', "its unit is not millimetres"),
        ('name="Front" type', 'name="Prow" type', "Front is missing or not in its place"),
        ("#56B4E9FF", "#56B4E8FF", "the wrong colour"),
        ("#E69F00FF", "#000000FF", "the wrong colour"),
        ('<vertex x="0"', '<vertex x="0.01"', r"Left is moved by 0\.01 mm near x 0\.0"),
        ("</model>", "", "it is not a 3MF file"),
        ('objectid="2"', 'objectid="99"', "it is not a 3MF file"),
    ],
)
def test_a_3mf_that_is_not_what_was_written_is_noticed(old: str, new: str, sentence: str) -> None:
    data = threemf(BED)
    proven(THREEMF, data, BED, NOTHING)
    with pytest.raises(Unreadable, match=sentence):
        proven(THREEMF, repacked(data, lambda text: text.replace(old, new, 1)), BED, NOTHING)


def test_a_3mf_with_a_triangle_turned_is_noticed() -> None:
    def turn(text: str) -> str:
        a, b, c = BED[0].mesh.triangles[0].tolist()
        return text.replace(f'v1="{a}" v2="{b}" v3="{c}"', f'v1="{b}" v2="{a}" v3="{c}"', 1)

    with pytest.raises(Unreadable, match="Left has the wrong triangles"):
        proven(THREEMF, repacked(threemf(BED), turn), BED, NOTHING)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: data[:-1], "its length does not match"),
        (lambda data: b"solid" + data[5:], "is not a binary STL"),
        (lambda data: data[:60], "is not a binary STL"),
        (lambda data: data[:100] + b"\x01" + data[101:], "Left is moved by .* mm near x"),
        (lambda data: data[:84] + bytes(12) + data[96:], r"normal of a triangle near .* is not square to it"),
    ],
)
def test_an_stl_that_is_not_what_was_written_is_noticed(change: Callable[[bytes], bytes], sentence: str) -> None:
    data = stl(BED[:2])
    found = proven(STL, data, BED[:2], NOTHING)
    assert (found.parts, found.triangles) == (2, sum(len(solid.mesh.triangles) for solid in BED[:2]))
    with pytest.raises(Unreadable, match=sentence):
        proven(STL, change(data), BED[:2], NOTHING)


@pytest.mark.parametrize("style", ["plate", "voxel"])
def test_solids_go_into_one_file_or_a_folder_of_files_and_the_report_says_what_was_read_back(
    style: str, tmp_path: Path
) -> None:
    solids = bed(style)
    whole = sum(solid.mesh.volume for solid in solids)
    (one,) = write_solids(solids, tmp_path / "cube.3mf")
    assert (one.parts, one.bytes) == (6, (tmp_path / "cube.3mf").stat().st_size)
    assert one.volume == pytest.approx(whole) and one.height == pytest.approx(9.8)
    (plate,) = write_solids(solids, tmp_path / "cube.stl")
    assert plate.parts == 6 and plate.volume == pytest.approx(whole, rel=1e-5)
    assert (plate.width, plate.depth) == pytest.approx((one.width, one.depth), abs=1e-4)
    each = write_solids(solids, tmp_path, SolidOptions(format="stl"), stem="mine")
    assert [report.path.name for report in each] == [
        "mine-left.stl", "mine-front.stl", "mine-bottom.stl", "mine-right.stl", "mine-back.stl", "mine-top.stl"
    ]  # fmt: skip
    assert sum(report.volume for report in each) == pytest.approx(whole, rel=1e-5)
    _, corners = read_stl((tmp_path / "mine-top.stl").read_bytes())
    assert corners.min() == 0.0
    (named,) = write_solids(solids, tmp_path, stem="mine")
    assert named.path == tmp_path / "mine.3mf" and named.path.read_bytes() == (tmp_path / "cube.3mf").read_bytes()


def test_nothing_is_written_if_one_solid_cannot_be_printed(tmp_path: Path) -> None:
    (tmp_path / "mine-left.stl").write_bytes(b"before")
    with pytest.raises(StudioError, match="Holed cannot be printed: its mesh is not watertight"):
        write_solids([*BED, FLAWED], tmp_path, SolidOptions(format="stl"), stem="mine")
    assert [path.name for path in tmp_path.iterdir()] == ["mine-left.stl"]
    assert (tmp_path / "mine-left.stl").read_bytes() == b"before"


def test_a_file_that_does_not_read_back_leaves_all_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(solids: Sequence[Solid], options: NoOptions) -> bytes:
        data = stl(solids, options)
        return data[:-1] if solids[0].name == "Top" else data

    monkeypatch.setattr(writing, "PRINTER", replace(PRINTER, members=(replace(STL, write=damaged),)))
    with pytest.raises(StudioError, match=r"x-top\.stl was not written\. Verification failed"):
        write_solids(BED, tmp_path, SolidOptions(format="stl"), stem="x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "sentence"),
    [("cube.obj", "unknown file extension for 3-D printing"), ("missing/cube.3mf", "Could not write")],
)
def test_a_target_that_cannot_be_is_refused(target: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(StudioError, match=sentence):
        write_solids(BED, tmp_path / target)
    with pytest.raises(StudioError, match="this puzzle is flat"):
        write_solids([], tmp_path / "cube.3mf")
    with pytest.raises(ParameterError, match="format must be 3mf or stl"):
        SolidOptions(format="obj")


def test_an_export_that_nobody_waits_for_leaves_nothing(tmp_path: Path) -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        write_solids(BED, tmp_path / "cube.3mf", progress=stopped)
    assert list(tmp_path.iterdir()) == []
