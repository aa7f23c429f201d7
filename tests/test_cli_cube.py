"""The cube from the command line: made, checked, proven, printed and cut."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from studio.cli import main
from studio.files.store import loads, save
from studio.puzzles.cube.edits import with_edges_rolled
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.slitherlink.kind import SLITHERLINK

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def cube(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    save(Path("cube.puzzle"), CUBE, CubeDesign(CubeParameters(segments=8)))
    return Path("cube.puzzle")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    return code, *capsys.readouterr()


def test_a_new_cube_is_checked_and_proven(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    code, out, _ = said(capsys, "new", "cube", "--set", "x=5", "--set", "seed=3", "-o", "new.puzzle")
    assert (code, out) == (0, "Wrote new.puzzle.\n")
    code, out, _ = said(capsys, "check", "new.puzzle", "--json")
    assert code == 0 and {found["severity"] for found in json.loads(out)} <= {"hint"}
    code, out, _ = said(capsys, "solve", "new.puzzle", "--json")
    answer = json.loads(out)
    assert code == 0 and set(answer) == {"solutions", "complete", "nodes", "seconds", "solution"}
    assert (answer["solutions"], answer["complete"]) == (1, True)
    assert answer["nodes"] > 0 and 0 < answer["seconds"] < 5


def test_solutions_are_told_in_words_and_up_to_a_limit(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    assert said(capsys, "solve", "cube.puzzle")[1].startswith("1 solution (")
    words = [f"--set={name}=no" for name in ("unique", "distinct", "captured")]
    for seed in range(9):
        main(["new", "cube", "--set=x=3", "--set=y=3", "--set=z=3", f"--set=seed={seed}", *words, "-o", "many.puzzle"])
        capsys.readouterr()
        if json.loads(said(capsys, "solve", "many.puzzle", "--json")[1])["solutions"] > 3:
            break
    assert said(capsys, "solve", "many.puzzle", "--limit", "3")[1].startswith("At least 3 solutions (")
    answer = json.loads(said(capsys, "solve", "many.puzzle", "--limit", "3", "--json")[1])
    assert (answer["solutions"], answer["complete"]) == (3, False)


@pytest.mark.parametrize("limit", ["0", "-1", "many", "1e3", "9999999999"])
def test_a_limit_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], cube: Path, limit: str) -> None:
    code, out, err = said(capsys, "solve", "cube.puzzle", f"--limit={limit}")
    assert (code, out) == (2, "") and err.startswith("--limit must be a whole number from 1 to 999999999")


def test_a_kind_whose_solutions_are_not_counted_says_so(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    save(Path("flat.puzzle"), JIGSAW, JigsawDesign())
    code, out, err = said(capsys, "solve", "flat.puzzle")
    assert (code, out) == (2, "")
    assert err == "There is nothing to solve for jigsaw puzzles: each design is its own solution.\n"
    save(Path("paper.puzzle"), SLITHERLINK, SLITHERLINK.example())
    code, _, err = said(capsys, "export", "paper.puzzle", "-o", "flat.3mf")
    assert (code, err) == (2, "There is nothing to 3-D print for slitherlink puzzles: they are flat.\n")
    assert not Path("flat.3mf").exists()


def test_plates_of_a_jigsaw_fit_the_printer(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    save(Path("large.puzzle"), JIGSAW, JigsawDesign())
    answer = said(capsys, "export", "large.puzzle", "-o", "p.3mf", "--printer", "usual-220", "--json")[1]
    plates = json.loads(answer)
    assert [Path(plate["path"]).name for plate in plates] == ["p-1.3mf", "p-2.3mf", "p-3.3mf"]
    assert sum(plate["parts"] for plate in plates) == 72
    assert all(max(plate["width"], plate["depth"]) <= 220 for plate in plates)
    code, _, err = said(capsys, "export", "large.puzzle", "-o", "p.svg", "--printer", "usual-220")
    assert (code, err) == (2, "--printer is for 3-D printing only, not for laser files.\n")


def test_a_cube_is_exported_for_printer_and_laser(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    code, out, _ = said(capsys, "export", "cube.puzzle", "-o", "cube.3mf")
    assert code == 0 and out.startswith("Wrote cube.3mf: 6 parts, ")
    assert said(capsys, "export", "cube.puzzle", "-o", "parts/", "--set", "format=stl")[0] == 0
    assert sorted(path.name for path in Path("parts").iterdir()) == [
        f"cube-{face}.stl" for face in ("back", "bottom", "front", "left", "right", "top")
    ]
    code, out, _ = said(capsys, "export", "cube.puzzle", "-o", "parts", "--format", "3mf", "--json")
    (report,) = json.loads(out)
    assert code == 0 and (report["path"], report["parts"]) == (str(Path("parts/cube.3mf")), 6)
    for suffix in ("dxf", "svg"):
        code, out, _ = said(capsys, "export", "cube.puzzle", "-o", f"cube.{suffix}")
        assert code == 0 and "6 pieces" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "x.3mf", "--set", "format=stl"], "--set format=stl contradicts the file extension of x.3mf"),
        (["-o", "x.3mf", "--profile", "lightburn"], "--profile is for laser files only"),
        (["-o", "x.stl", "--kerf", "0.2"], "--kerf is for laser files only, not for 3-D printing."),
        (["-o", "x.stl", "--separate"], "--separate is for laser files only, not for 3-D printing."),
        (["-o", "x.xmpuzzle", "--separate"], "--separate is for laser files only, not for .xmpuzzle files."),
        (["-o", "x.xmpuzzle", "--printer", "usual-220"], "--printer is for 3-D printing only, not for .xmpuzzle"),
        (["-o", "x.xmpuzzle", "--set", "tabs=true"], "Unknown parameter 'tabs'; there are none here."),
        (["-o", "x/", "--set", "format=obj"], "format must be 3mf or stl"),
        (["-o", "x.3mf", "--set", "tolerance=1"], "Unknown parameter 'tolerance'; choose from format."),
        (["cube.puzzle", "-o", "x.3mf"], "2 designs can only be exported to a folder"),
        (["cube.puzzle", "-o", "x/", "--format", "stl"], "Two designs would both be written to"),
        (["-o", "no/such/folder.3mf"], "Could not write"),
    ],
)
def test_an_export_that_cannot_be_is_refused(
    capsys: pytest.CaptureFixture[str], cube: Path, words: list[str], sentence: str
) -> None:
    code, out, err = said(capsys, "export", "cube.puzzle", *words)
    assert (code, out) == (2, "") and sentence in err and err.count("\n") == 1


def test_a_cube_with_errors_is_only_exported_by_force(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    main(["edit", "cube.puzzle", "--set", "radius=6", "-o", "thick.puzzle"])
    capsys.readouterr()
    assert said(capsys, "check", "thick.puzzle")[0] == 1
    code, out, err = said(capsys, "export", "thick.puzzle", "-o", "thick.3mf")
    assert (code, out) == (1, "") and "A radius of 6 mm is too large" in err
    assert said(capsys, "export", "thick.puzzle", "-o", "thick.3mf", "--force")[0] == 0


def test_a_gap_as_wide_as_the_unit_is_refused(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    code, _, err = said(capsys, "new", "cube", "--set", "unit=3", "--set", "gap=3", "-o", "x.puzzle")
    assert code == 2 and err == "gap must be less than the voxel size of 3 mm, not 3 mm.\n"


@pytest.mark.parametrize("name", ["sheet.pdf", "sheet.svg"])
def test_an_assembly_sheet_is_written(capsys: pytest.CaptureFixture[str], cube: Path, name: str) -> None:
    code, out, err = said(capsys, "leaflet", "cube.puzzle", "-o", name)
    assert (code, out, err) == (0, f"Wrote {name}: 1 page of 210 × 297 mm.\n", "")
    first = Path(name).read_bytes()
    code, out, _ = said(capsys, "leaflet", "cube.puzzle", "-o", name, "--json")
    assert code == 0 and json.loads(out)[0]["bytes"] == len(first) and Path(name).read_bytes() == first
    code, out, _ = said(capsys, "leaflet", "cube.puzzle", "-o", name, "--set", "paper=Letter")
    assert code == 0 and "215.9 × 279.4 mm" in out


def test_a_leaflet_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    save(Path("flat.puzzle"), JIGSAW, JigsawDesign())
    for words, sentence in (
        (("flat.puzzle", "-o", "a.pdf"), "There is no leaflet for jigsaw puzzles."),
        (("cube.puzzle", "-o", "a.txt"), "a.txt: unknown file extension for paper. Use .pdf or .svg."),
        (("cube.puzzle", "-o", "a.pdf", "--set", "paper=B7"), "paper must be A4, A3, A5 or Letter, not 'B7'."),
        (("cube.puzzle", "-o", "gone/a.pdf"), "Could not write a.pdf: the folder gone does not exist."),
    ):
        assert said(capsys, "leaflet", *words) == (2, "", f"{sentence}\n")
    save(Path("loose.puzzle"), CUBE, CubeDesign(CubeParameters(gap=4.0)))
    code, out, err = said(capsys, "leaflet", "loose.puzzle", "-o", "a.pdf")
    assert (code, out) == (1, "") and err.startswith("loose.puzzle was not exported: it has 1 error. Add --force ")
    assert not Path("a.pdf").exists()
    assert said(capsys, "leaflet", "loose.puzzle", "-o", "a.pdf", "--force")[0] == 0


def test_a_cube_is_graded_and_a_harder_and_an_easier_one_are_found(
    capsys: pytest.CaptureFixture[str], cube: Path
) -> None:
    code, out, err = said(capsys, "grade", "cube.puzzle")
    assert (code, err) == (0, "") and " of 200 cubes of 4 × 4 × 4 need fewer." in out
    before = json.loads(said(capsys, "grade", "cube.puzzle", "--json")[1])
    assert set(before) == {"effort", "share", "samples", "easiest", "hardest", "seed", "lost"}
    assert before["seed"] == 7 and before["easiest"] <= before["effort"] <= before["hardest"]
    assert before["effort"] == json.loads(said(capsys, "solve", "cube.puzzle", "--json")[1])["nodes"]
    code, out, _ = said(capsys, "grade", "cube.puzzle", "--harder", "-o", "hard.puzzle")
    assert code == 0 and out.startswith("Wrote hard.puzzle.\n")
    code, out, _ = said(capsys, "grade", "hard.puzzle", "--easier", "-o", "easy.puzzle", "--json")
    hard, easy = json.loads(said(capsys, "grade", "hard.puzzle", "--json")[1]), json.loads(out)
    assert hard["effort"] > before["effort"] and easy["effort"] < hard["effort"]
    assert easy == json.loads(said(capsys, "grade", "easy.puzzle", "--json")[1])
    assert json.loads(said(capsys, "solve", "hard.puzzle", "--json")[1])["solutions"] == 1


def test_a_cube_is_found_at_a_percentage_of_those_like_it(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    shares = []
    for percent in ("10", "90 %"):
        code, out, _ = said(capsys, "grade", "cube.puzzle", "--at", percent, "-o", "at.puzzle", "--json", "--force")
        assert code == 0
        shares.append(json.loads(out)["share"])
        code, out, _ = said(capsys, "grade", "at.puzzle", "--json")
        assert json.loads(out)["share"] == shares[-1]
    assert shares == pytest.approx([0.1, 0.9], abs=0.1)


def test_what_a_harder_cube_does_not_keep_is_told(capsys: pytest.CaptureFixture[str], cube: Path) -> None:
    save(Path("rolled.puzzle"), CUBE, with_edges_rolled(CubeDesign(), ["left-top"]))
    code, out, err = said(capsys, "grade", "rolled.puzzle", "--harder", "-o", "-")
    assert (code, err) == (0, "Dropped from the new puzzle: 1 randomised edge.\n")
    assert loads(out.encode()).design.edges == ()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["cube.puzzle", "--harder"], "-o FILE is required"),
        (["cube.puzzle", "-o", "x.puzzle"], "-o needs --harder, --easier or --at."),
        (["cube.puzzle", "--at", "90"], "-o FILE is required"),
        (["cube.puzzle", "--at", "110", "-o", "x.puzzle"], "--at must be 0 to 100 %, not 110."),
        (["cube.puzzle", "--at", "most", "-o", "x.puzzle"], "--at must be 0 to 100 %, not 'most'."),
        (["cube.puzzle", "--at", "5", "--easier", "-o", "x.puzzle"], "not allowed with"),
        (["cube.puzzle", "--harder", "--easier", "-o", "x.puzzle"], "not allowed with"),
        (["cube.puzzle", "--harder", "-o", "-", "--json"], "cannot both write to standard output"),
        (["flat.puzzle"], "There is no difficulty rating for jigsaw puzzles."),
        (["many.puzzle"], "Only cubes with “Unique solution” switched on can be rated"),
        (["many.puzzle", "--harder", "-o", "x.puzzle"], "Only cubes with “Unique solution” switched on can be rated"),
    ],
)
def test_a_grade_that_cannot_be_given_is_refused(
    capsys: pytest.CaptureFixture[str], cube: Path, words: list[str], sentence: str
) -> None:
    save(Path("flat.puzzle"), JIGSAW, JigsawDesign())
    save(Path("many.puzzle"), CUBE, CubeDesign(CubeParameters(unique=False)))
    code, out, err = said(capsys, "grade", *words)
    assert (code, out) == (2, "") and sentence in err and err.count("\n") == 1
    assert not Path("x.puzzle").exists()


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX")
def test_ctrl_c_ends_a_search_with_one_line(cube: Path) -> None:
    main(["new", "cube", "--set=x=3", "--set=y=3", "--set=z=3", "-o", "small.puzzle"])
    before = Path("small.puzzle").read_bytes()
    program = (
        "import sys; from studio.cli import main; print('begun', flush=True); "
        "sys.exit(main(['grade', 'small.puzzle', '--harder', '-o', 'small.puzzle']))"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", program]
    process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"begun\n"
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"Stopped.\n")
    assert Path("small.puzzle").read_bytes() == before


def test_a_cube_without_findings_is_said_to_be_proven(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "check", str(ROOT / "resources" / "examples" / "stronghold-5x5x5.puzzle"))
    assert (code, out) == (
        0,
        "No problems found: unique solution, interlocked, walls thick enough to print. "
        "Each piece can still be pulled straight out, in any order: friction holds it.\n",
    )


@pytest.mark.parametrize("size", [(12, 12, 12), (3, 3, 12), (3, 12, 12), (3, 3, 3)])
def test_the_largest_and_the_narrowest_boxes_are_searched_to_the_end(
    capsys: pytest.CaptureFixture[str], cube: Path, size: tuple[int, int, int]
) -> None:
    words = [f"--set={name}={value}" for name, value in zip("xyz", size, strict=True)]
    words += [f"--set={name}=no" for name in ("unique", "distinct", "captured")]
    assert said(capsys, "new", "cube", *words, "-o", "box.puzzle")[0] == 0
    answer = json.loads(said(capsys, "solve", "box.puzzle", "--json")[1])
    assert answer["complete"] and answer["solutions"] >= 1 and answer["nodes"] < 10_000
    ways = [found["message"] for found in json.loads(said(capsys, "check", "box.puzzle", "--json")[1])]
    assert any("The cube has" in each for each in ways) is (answer["solutions"] > 1)
