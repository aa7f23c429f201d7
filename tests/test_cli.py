"""The studio without a window: what its commands print, write and refuse, and with which exit code."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import ezdxf.filemanagement
import pytest
import shapely
from ezdxf.entities.lwpolyline import LWPolyline
from ezdxf.path import make_path

from studio.base.folders import shipped
from studio.base.parameters import declarations
from studio.base.texts import alternatives
from studio.cli import main
from studio.files.store import dumps, load, save
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.tongues.styles import STYLES
from studio.puzzles.registry import kinds
from tests.edits import EDITS, REFUSED

ROOT = Path(__file__).resolve().parent.parent
STYLE_KEYS = [*(style.key for style in STYLES), "own", "mixed"]
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX")
GOOD: dict[str, Any] = {
    "perturbation": 0.0,
    "tongue_size": 0.2,
    "vary_size": 0.0,
    "columns": 3,
    "rows": 2,
    "width": 300.0,
    "height": 150.0,
}
GOOD_WORDS = [f"--set={name}={value}" for name, value in GOOD.items()]
FINE = JigsawDesign(JigsawParameters(columns=3, rows=2, width=90.0, height=60.0, perturbation=0.05))
CROSSED = JigsawDesign(JigsawParameters(perturbation=0.4, tongue_size=0.35, layout_version=1))


class Said(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str


class Studio:
    """The command line, in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str | Path) -> Said:
        code = main([str(word) for word in words])
        return Said(code, *self._capsys.readouterr())

    def refuses(self, *words: str | Path) -> str:
        """The one sentence with which a command refuses."""
        said = self(*words)
        assert (said.code, said.out) == (2, "")
        assert said.err.endswith(".\n") and said.err.count("\n") == 1
        return said.err[:-1]


@pytest.fixture
def studio(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.chdir(tmp_path)
    return Studio(capsys)


@pytest.fixture
def fine(tmp_path: Path) -> Path:
    save(tmp_path / "fine.puzzle", JIGSAW, FINE)
    return tmp_path / "fine.puzzle"


@pytest.fixture
def crossed(tmp_path: Path) -> Path:
    save(tmp_path / "crossed.puzzle", JIGSAW, CROSSED)
    return tmp_path / "crossed.puzzle"


def process(*words: str | Path, cwd: Path, **known: Any) -> "subprocess.CompletedProcess[bytes]":
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-m", "studio", *map(str, words)]
    for stream in ("stdout", "stderr"):
        known.setdefault(stream, subprocess.PIPE)
    return subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, timeout=120, **known)


def test_kinds_lists_the_kinds_there_are(studio: Studio) -> None:
    assert studio("kinds").out.startswith("jigsaw ")
    assert [kind["key"] for kind in json.loads(studio("kinds", "--json").out)] == [kind.key for kind in kinds()]


def test_params_tells_of_every_parameter(studio: Studio) -> None:
    listed = json.loads(studio("params", "jigsaw", "--json").out)
    names = ["name", "title", "type", "default", "minimum", "maximum", "step", "unit", "choices", "help"]
    assert all(list(one) == names for one in listed)
    assert [one["name"] for one in listed] == [known.name for known in declarations(JigsawParameters)]
    by_name = {one["name"]: one for one in listed}
    main_ones = {"columns", "rows", "width", "height", "perturbation", "seed", "tongue_style", "tongue_size"}
    assert main_ones <= set(by_name)
    assert (by_name["columns"]["minimum"], by_name["columns"]["maximum"]) == (1, 200)
    assert by_name["width"]["unit"] == "mm"
    assert by_name["tongue_style"]["choices"] == STYLE_KEYS
    text = studio("params", "jigsaw").out
    assert all(re.search(rf"^{one['name']} .*{re.escape(one['help'])}$", text, re.M) for one in listed)


def test_new_check_and_export_go_hand_in_hand(studio: Studio, tmp_path: Path) -> None:
    assert studio("new", "jigsaw", *GOOD_WORDS, "-o", "a.puzzle") == Said(0, "Wrote a.puzzle.\n", "")
    assert load(Path("a.puzzle")).design == JigsawDesign(JigsawParameters(**GOOD))
    assert studio("check", "a.puzzle").code == 0
    for suffix in ("dxf", "svg"):
        said = studio("export", "a.puzzle", "-o", f"a.{suffix}")
        assert (said.code, said.err) == (0, "")
        assert re.fullmatch(
            rf"Wrote a\.{suffix}: 300 × 150 mm, 4 cuts, cut length [0-9]+\.[0-9] mm, 6 pieces, about .+ s\.\n", said.out
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.dxf", "a.puzzle", "a.svg"]


def test_standard_output_is_exactly_the_file(studio: Studio, tmp_path: Path) -> None:
    studio("new", "jigsaw", *GOOD_WORDS, "-o", "a.puzzle")
    assert studio("new", "jigsaw", *GOOD_WORDS, "-o", "-").out.encode() == Path("a.puzzle").read_bytes()
    done = process("new", "jigsaw", *GOOD_WORDS, "-o", "-", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, Path("a.puzzle").read_bytes(), b"")


def test_values_are_read_as_in_the_form(studio: Studio) -> None:
    words = [
        "--set",
        "width=12 in",
        "--set",
        "height=20,5 cm",
        "--set",
        "smooth_joints=no",
        "--set",
        "border=wandering",
    ]
    assert studio("new", "jigsaw", *words, "-o", "a.puzzle").code == 0
    parameters = load(Path("a.puzzle")).design.parameters
    assert (parameters.width, parameters.height) == (pytest.approx(304.8), 205.0)
    assert (parameters.smooth_joints, parameters.border) == (False, "wandering")


def test_edit_keeps_what_was_shaped_by_hand(studio: Studio) -> None:
    shaped = FINE.with_corners({"1,1": (0.05, 0.02)}).with_tongues([TongueEdit("C1-C2", side=-1)])
    save(Path("a.puzzle"), JIGSAW, shaped)
    assert studio("edit", "a.puzzle", "--set", "columns=4", "-o", "b.puzzle").code == 0
    assert load(Path("a.puzzle")).design == shaped
    wider = load(Path("b.puzzle")).design
    assert wider == replace(shaped, parameters=replace(shaped.parameters, columns=4))
    before = Path("a.puzzle").read_bytes()
    refused = studio("edit", "a.puzzle", "--set", "columns=2")
    assert refused.code == 2 and "tongue C1-C2" in refused.err and "--drop" in refused.err
    assert Path("a.puzzle").read_bytes() == before
    other = studio("edit", "a.puzzle", "--set", "columns=2", "-o", "c.puzzle")
    assert other.code == 0 and "tongue C1-C2" in other.err, "another file loses nothing, but what is dropped is said"
    dropped = studio("edit", "a.puzzle", "--set", "columns=2", "--drop")
    assert dropped.code == 0 and "tongue C1-C2" in dropped.err
    assert Path("a.puzzle").read_bytes() == Path("c.puzzle").read_bytes()
    narrower = load(Path("a.puzzle")).design
    assert (narrower.corners, narrower.tongues) == (shaped.corners, ())


@pytest.mark.parametrize("key", EDITS)
def test_every_edit_of_the_manual_is_made(studio: Studio, key: str) -> None:
    studio("new", key, "-o", "e.puzzle")
    forms = studio("edit", "e.puzzle", "--list").out.splitlines()
    manual = (ROOT / "docs" / "manual" / "command-line.md").read_text(encoding="utf-8")
    assert [form for form in forms if f"`{form}`" not in manual] == []
    assert studio("edit", "e.puzzle", *EDITS[key], "-o", "f.puzzle").code == 0
    for text in EDITS[key]:
        assert studio("edit", "e.puzzle", text).code == 0, text
    assert Path("e.puzzle").read_bytes() == Path("f.puzzle").read_bytes()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        *(([text], sentence) for text, sentence in REFUSED["jigsaw"][::4]),
        (["flip C1-C2", "flip A1-Z9"], "'flip A1-Z9' is "),
        ([], "Nothing to change: "),
    ],
)
def test_an_edit_that_cannot_be_is_refused(studio: Studio, fine: Path, words: list[str], sentence: str) -> None:
    before = fine.read_bytes()
    assert studio.refuses("edit", fine, *words).startswith(sentence) and fine.read_bytes() == before


@pytest.mark.parametrize(
    "words", [["fits"], ["figure", "cat"], ["photo", "cat.png"], ["tongue", "x.svg"], ["sets"], ["mosaic", "x.png"]]
)
def test_a_command_for_one_kind_refuses_others(studio: Studio, words: list[str]) -> None:
    studio("new", "cube", "-o", "cube.puzzle")
    assert "; this is a cube puzzle." in studio.refuses(words[0], "cube.puzzle", *words[1:])


def test_edit_there_and_back_gives_the_same_bytes(studio: Studio, fine: Path) -> None:
    before = fine.read_bytes()
    studio("edit", fine, "--set", "seed=8")
    assert fine.read_bytes() != before
    studio("edit", fine, "--set", "seed=7")
    assert fine.read_bytes() == before


def test_check_tells_where_a_design_will_not_cut(studio: Studio, crossed: Path) -> None:
    said = studio("check", crossed)
    assert (said.code, said.err) == (1, "")
    assert re.match(r"error at [0-9.]+, [0-9.]+ mm: Tongues [A-Z]+[0-9]+-", said.out)
    findings = json.loads(studio("check", crossed, "--json").out)
    assert len(findings) == said.out.count("\n")
    width, height = CROSSED.parameters.width, CROSSED.parameters.height
    for finding in findings:
        assert list(finding) == ["severity", "kind", "message", "place", "repair", "repairs"]
        assert finding["severity"] in ("error", "warning", "hint")
        assert -20 < finding["place"][0] < width + 20 and -20 < finding["place"][1] < height + 20
        assert finding["repair"] is None or isinstance(finding["repair"], str)
        assert finding["repairs"][:1] == ([] if finding["repair"] is None else [finding["repair"]])
    assert findings[0]["severity"] == "error"


def test_check_is_content_with_a_design_that_cuts(studio: Studio) -> None:
    save(Path("a.puzzle"), JIGSAW, JigsawDesign(replace(FINE.parameters, plain_share=1.0, perturbation=0.0)))
    assert studio("check", "a.puzzle") == Said(0, "No problems found. Ready to cut.\n", "")
    assert json.loads(studio("check", "a.puzzle", "--json").out) == []


def test_a_design_with_errors_is_exported_only_by_force(studio: Studio, crossed: Path) -> None:
    said = studio("export", crossed, "-o", "a.dxf")
    errors = sum(one["severity"] == "error" for one in json.loads(studio("check", crossed, "--json").out))
    assert (said.code, said.out) == (1, "")
    assert re.search(
        rf"was not exported: it has {errors} errors\. Add --force to export it anyway\. First error: Tongues ", said.err
    )
    assert not Path("a.dxf").exists()
    forced = studio("export", crossed, "-o", "a.dxf", "--force")
    assert (forced.code, forced.err) == (0, "")
    assert re.search(r" [0-9]+ pieces instead of 72, about .+\.\n$", forced.out)
    assert Path("a.dxf").exists()


def test_several_designs_go_to_a_folder(studio: Studio, fine: Path, crossed: Path) -> None:
    said = studio("export", fine, crossed, "-o", "laser", "--json")
    assert said.code == 1 and said.err.count("\n") == 1
    (report,) = json.loads(said.out)
    assert Path(report["path"]) == Path("laser") / "fine.dxf"
    assert (report["width"], report["height"], report["faces"], report["pieces"]) == (90.0, 60.0, 6, 6)
    assert [path.name for path in Path("laser").iterdir()] == ["fine.dxf"]
    assert studio("export", fine, "-o", "laser", "--format", "svg").code == 0
    assert sorted(path.name for path in Path("laser").iterdir()) == ["fine.dxf", "fine.svg"]


def test_exports_of_one_design_are_the_same_bytes(studio: Studio, fine: Path) -> None:
    for suffix in ("svg", "dxf"):
        for name in ("a", "b"):
            assert studio("export", fine, "-o", f"{name}.{suffix}").code == 0
        assert Path(f"a.{suffix}").read_bytes() == Path(f"b.{suffix}").read_bytes()


def test_gcode_names_machine_and_material_and_has_their_speed(studio: Studio, fine: Path) -> None:
    words = ("--machine", "diode-400x400", "--material", "poplar-4", "--set", "max_power=255")
    assert studio("export", fine, "-o", "a.gcode", *words).code == 0
    text = Path("a.gcode").read_text(encoding="ascii")
    assert "; machine: Diode laser 10 W, 400 x 400 mm, laser mode ($32=1), $30=255\n" in text
    # 4 mm/s in a sheet of 3 mm.
    assert "; material: Poplar plywood 4 mm\n" in text and " F180 S255\n" in text
    assert studio("export", fine, "-o", "b.gcode").code == 0
    assert "; machine: not chosen, laser mode" in Path("b.gcode").read_text(encoding="ascii")


def test_a_profile_may_be_named_in_two_ways(studio: Studio, fine: Path) -> None:
    studio("export", fine, "-o", "a.svg", "--profile", "workshop")
    studio("export", fine, "-o", "b.svg", "--set", "profile=workshop")
    studio("export", fine, "-o", "c.svg")
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes() != Path("c.svg").read_bytes()
    assert "combined" in studio.refuses("export", fine, "-o", "a.svg", "--profile", "single", "--set", "profile=single")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--set", "columns=0"], "columns must be a whole number from 1 to 200, not 0."),
        (["--set", "columns=1000000"], "columns must be a whole number from 1 to 200, not 1000000."),
        (["--set", "columns=2.5"], "columns must be a whole number from 1 to 200, not '2.5'."),
        (["--set", "columns="], "Enter a whole number from 1 to 200 for columns."),
        (["--set", "columns=" + "9" * 5000], None),
        (["--set", "width=nan"], "width must be 5 to 10000 mm, not 'nan'."),
        (["--set", "width=1e999"], "width must be 5 to 10000 mm, not '1e999'."),
        (["--set", "tongue_style=round"], f"tongue_style must be {alternatives(STYLE_KEYS)}, not 'round'."),
        (["--set", "smooth_joints=maybe"], "smooth_joints must be true or false, not 'maybe'."),
        (
            ["--set", "columns"],
            "--set columns needs a value: columns=VALUE, where VALUE is a whole number from 1 to 200.",
        ),
        (["--set", "columns=3", "--set", "columns=4"], "--set columns is given twice."),
        (["--set"], "Argument --set: expected one argument; see `python -m studio new --help`."),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(studio: Studio, words: list[str], sentence: str | None) -> None:
    told = studio.refuses("new", "jigsaw", "-o", "a.puzzle", *words)
    assert told == sentence if sentence else told.startswith("columns must be ")
    assert not Path("a.puzzle").exists()


def test_an_unknown_kind_or_profile_is_answered_with_those_there_are(studio: Studio, fine: Path) -> None:
    told = studio.refuses("new", "teapot", "-o", "a.puzzle")
    assert told.startswith("Unknown kind of puzzle 'teapot'; choose from jigsaw")
    assert studio.refuses("params", "teapot") == told
    assert "lightburn" in studio.refuses("export", fine, "-o", "a.dxf", "--profile", "mine")


@pytest.mark.parametrize(
    "words",
    [
        ["new", "jigsaw"],
        ["new"],
        ["check"],
        ["edit", "fine.puzzle"],
        ["edit", "fine.puzzle", "-o", "b.puzzle"],
        ["check", "fine.puzzle", "--jsn"],
        ["check", "fine.puzzle", "another.puzzle"],
        ["--nonsense"],
        ["chekc", "fine.puzzle"],
        ["missing.puzzle"],
        ["export", "fine.puzzle"],
        ["export", "fine.puzzle", "-o", "a.gif"],
        ["export", "fine.puzzle", "-o", "a"],
        ["export", "fine.puzzle", "-o", "a.svg", "--format", "dxf"],
        ["export", "fine.puzzle", "-o", ".", "--format", "gif"],
        ["export", "fine.puzzle", "fine.puzzle", "-o", "."],
        ["export", "fine.puzzle", "other.puzzle", "-o", "a.dxf"],
        ["export", "fine.puzzle", "other.puzzle", "-o", "missing/folder"],
        ["export", "fine.puzzle", "-o", "a.dxf", "--set", "version=R12", "--set", "curves=spline"],
        ["export", "fine.puzzle", "-o", "missing/a.dxf"],
        ["export", "fine.puzzle", "-o", "fine.puzzle/a.dxf"],
        ["picture", "fine.puzzle", "-o", "a.jpg"],
        ["picture", "fine.puzzle", "-o", "a.png", "--size", "big"],
        ["picture", "fine.puzzle", "-o", "a.png", "--size", "0x5"],
        ["picture", "fine.puzzle", "-o", "a.png", "--size", "99999x99999"],
        ["picture", "fine.puzzle", "-o", "a.png", "--scale", "nan"],
        ["picture", "fine.puzzle", "-o", "a.png", "--scale", "100"],
        ["picture", "fine.puzzle", "-o", "a.png", "--theme", "pink"],
        ["picture", "missing.puzzle", "-o", "a.png"],
    ],
)
def test_a_request_that_cannot_be_met_is_refused_in_a_sentence(studio: Studio, fine: Path, words: list[str]) -> None:
    before = fine.read_bytes()
    studio.refuses(*words)
    assert [path.name for path in fine.parent.iterdir()] == ["fine.puzzle"]
    assert fine.read_bytes() == before


BAD_FILES = {
    "empty": b"",
    "cut-off": dumps(JIGSAW, FINE)[:200],
    "other-format": dumps(JIGSAW, FINE).replace(b'"puzzle-studio"', b'"studio"'),
    "other-kind": dumps(JIGSAW, FINE).replace(b'"jigsaw"', b'"tangram"'),
    "version-2": dumps(JIGSAW, FINE).replace(b'"version": 1', b'"version": 2'),
    "nan": dumps(JIGSAW, FINE).replace(b'"width": 90.0', b'"width": NaN'),
    "huge-number": dumps(JIGSAW, FINE).replace(b'"width": 90.0', b'"width": 1e999'),
    "huge-board": dumps(JIGSAW, FINE).replace(b'"columns": 3', b'"columns": 1000000'),
    "unknown-field": dumps(JIGSAW, FINE).replace(b'"columns": 3', b'"columns": 3, "colour": 1'),
    "missing-field": dumps(JIGSAW, FINE).replace(b'"columns": 3,', b""),
    "no-element": dumps(JIGSAW, FINE.with_corners({"7,7": (0.1, 0.1)})),
    "binary": bytes(range(256)),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_every_command_refuses_a_bad_file_and_leaves_it_alone(studio: Studio, tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.puzzle"
    path.write_bytes(BAD_FILES[name])
    requests: list[list[str | Path]] = [
        ["check", path],
        ["check", path, "--json"],
        ["edit", path, "--set", "seed=1"],
        ["edit", path, "--set", "seed=1", "-o", "-"],
        ["export", path, "-o", "a.svg", "--force"],
        ["leaflet", path, "-o", "a.pdf"],
        ["picture", path, "-o", "a.png"],
    ]
    for request in requests:
        assert studio.refuses(*request).startswith(f"Cannot open {path.name}: ")
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == BAD_FILES[name]


def test_a_place_that_cannot_be_written_to_is_named_and_untouched(studio: Studio, fine: Path) -> None:
    before = fine.read_bytes()
    assert "the folder missing does not exist" in studio.refuses("new", "jigsaw", "-o", "missing/a.puzzle")
    assert "Could not write" in studio.refuses("new", "jigsaw", "-o", fine / "a.puzzle")
    assert "it is a folder" in studio.refuses("edit", fine, "--set", "seed=3", "-o", fine.parent)
    if os.name != "nt":
        assert "it is a device" in studio.refuses("edit", fine, "--set", "seed=3", "-o", os.devnull)
    assert fine.read_bytes() == before


@POSIX
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "words",
    [
        ["edit", "fine.puzzle", "--set", "seed=8"],
        ["edit", "fine.puzzle", "--set", "seed=8", "-o", "old.svg", "--force"],
        ["new", "jigsaw", "-o", "new.puzzle"],
        ["export", "fine.puzzle", "-o", "new.dxf"],
        ["export", "fine.puzzle", "-o", "old.svg"],
        ["export", "fine.puzzle", "-o", "new/"],
    ],
)
def test_a_file_that_finds_no_room_leaves_everything_as_it_was(fine: Path, words: list[str]) -> None:
    (fine.parent / "old.svg").write_bytes(b"old")
    before = {path.name: path.read_bytes() for path in fine.parent.iterdir()}
    program = (
        "import resource, sys\nfrom studio.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))\nsys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=fine.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Could not write" in done.stderr and done.stderr.count(b"\n") == 1
    assert {path.name: path.read_bytes() for path in fine.parent.iterdir()} == before


@POSIX
@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", [["check", "fine.puzzle", "--json"], ["new", "jigsaw", "-o", "-"]])
def test_standard_output_that_is_full_or_gone_makes_no_traceback(fine: Path, words: list[str]) -> None:
    if Path("/dev/full").exists():
        with open("/dev/full", "wb") as full:
            done = process(*words, cwd=fine.parent, stdout=full)
            assert process(*words, cwd=fine.parent, stdout=full, stderr=full).returncode == 2
            assert process("check", "none.puzzle", cwd=fine.parent, stderr=full).returncode == 2
        assert done.returncode == 2
        assert done.stderr.startswith(b"Could not use standard output") and done.stderr.count(b"\n") == 1
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = process(*words, cwd=fine.parent, stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@POSIX
def test_a_name_that_the_terminal_cannot_show_does_not_stop_the_work(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "studio", "new", "jigsaw", "-o", "größe.puzzle"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "1"},
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["größe.puzzle"]


def test_help_and_version_are_answers(studio: Studio) -> None:
    said = studio("--help")
    assert said.code == 0
    assert all(name in said.out for name in ("kinds", "params", "new", "edit", "check", "export", "picture"))
    assert studio("export", "--help").code == 0
    assert studio("--version").out.startswith("Puzzle Studio ")


def bare_python(tmp_path: Path, venv: str | None) -> "subprocess.CompletedProcess[str]":
    """Run the studio, copied elsewhere, by a Python without packages; `venv` is the program of its environment."""
    copy = tmp_path / "house" / "studio"
    copy.mkdir(parents=True)
    for name in ("__init__.py", "__main__.py"):
        (copy / name).write_bytes((ROOT / "studio" / name).read_bytes())
    (copy / "cli").mkdir()
    (copy / "cli" / "__init__.py").write_text("import numpy_that_nobody_has\n")
    if venv is not None:
        program = tmp_path / "house" / ".venv" / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.write_text(venv)
        program.chmod(0o755)
    return subprocess.run(
        [sys.executable, "-m", "studio", "check", "a file"],
        cwd=tmp_path / "house",
        capture_output=True,
        text=True,
        timeout=60,
    )


@POSIX
def test_without_its_packages_the_studio_runs_in_the_environment_that_set_up_made(tmp_path: Path) -> None:
    done = bare_python(tmp_path, '#!/bin/sh\nprintf "%s|" "$@"; echo "$PYTHONPATH"; exit 7\n')
    house = tmp_path / "house"
    assert done.returncode == 7
    assert done.stdout.startswith(f"-m|studio|check|a file|{house}")


def test_without_its_packages_and_without_set_up_the_studio_says_what_to_do(tmp_path: Path) -> None:
    done = bare_python(tmp_path, None)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == "The Python package numpy_that_nobody_has is not installed; run `python3 go.py setup` first.\n"
    )


def test_listing_the_kinds_loads_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom studio.cli import main\nmain(['kinds'])\n"
        "print(sorted({'shapely', 'ezdxf', 'PySide6'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("chosen", "size"),
    [
        ([], (300.0, 150.0)),
        (["columns=30", "rows=20"], (750.0, 500.0)),
        (["columns=30"], (750.0, 150.0)),
        (["rows=20", "width=100"], (100.0, 500.0)),
        (["columns=30", "rows=20", "width=600", "height=400"], (600.0, 400.0)),
        (["pieces=288"], (600.0, 300.0)),
        (["pieces=0"], (300.0, 150.0)),
    ],
)
def test_a_new_board_is_as_large_as_pieces_of_the_usual_size_unless_a_size_is_chosen(
    chosen: list[str], size: tuple[float, float], tmp_path: Path
) -> None:
    path = tmp_path / "board.puzzle"
    assert main(["new", "jigsaw", *(f"--set={one}" for one in chosen), "-o", str(path)]) == 0
    parameters = load(path).design.parameters
    assert (parameters.width, parameters.height) == size
    assert main(["check", str(path)]) == 0


def test_a_flood_of_one_kind_does_not_drown_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.puzzle"
    settings = ("columns=30", "rows=20", "width=300", "height=150", "strong_necks=false", "scale_limits=false")
    small = [word for setting in settings for word in ("--set", setting)]
    assert main(["new", "jigsaw", *small, "-o", str(path)]) == 0
    capsys.readouterr()
    assert main(["check", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main(["check", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    necks = [one for one in found if one["kind"] == "neck"]
    assert len(necks) > 100
    assert sum(line.startswith("warning") and "Neck of" in line for line in lines) == 20
    assert lines[-1] == f"… and {len(necks) - 20:,} more of type neck; --json lists them all."


def test_a_forced_file_is_told_by_the_faces_that_the_machine_will_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "wild.puzzle", tmp_path / "wild.dxf"
    wild = ["--set", "perturbation=0.4", "--set", "tongue_size=0.35", "--set", "layout_version=1"]
    assert main(["new", "jigsaw", *wild, "-o", str(source)]) == 0
    capsys.readouterr()
    assert main(["export", str(source), "-o", str(target), "--force", "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    lines = []
    for entity in ezdxf.filemanagement.readfile(target).modelspace():
        assert isinstance(entity, LWPolyline)
        places = make_path(entity).flattening(0.001)
        lines.append(shapely.LineString([(round(place.x, 6), round(place.y, 6)) for place in places]))
    parted = shapely.get_parts(shapely.union_all(lines))
    assert report["faces"] == shapely.get_num_geometries(shapely.polygonize(parted))
    assert report["faces"] > report["pieces"] == 72


def test_own_figures_are_kept_listed_used_and_removed(studio: Studio) -> None:
    drawings = Path("drawings")
    drawings.mkdir()
    box = '<svg xmlns="http://www.w3.org/2000/svg" width="30mm" height="30mm"><path d="M{} 5H90V90H5Z"/></svg>'
    for name, left in (("Our Tom", 5), ("Boat 7", 30)):
        (drawings / f"{name}.svg").write_text(box.format(left))
    (drawings / "broken.svg").write_text("<svg>")
    done = studio("library", drawings, "--tag", "pets")
    assert done.code == 2 and "Kept Our Tom as our-tom." in done.out and "Cannot import broken.svg" in done.err
    assert studio("library").out.splitlines() == ["boat-7  Boat 7  (pets)", "our-tom  Our Tom  (pets)"]
    studio("new", "jigsaw", "-o", "own.puzzle")
    assert "Added ourtom1 at " in studio("figure", "own.puzzle", "our-tom", "--height", "20").out
    assert studio("library", "--remove", "boat-7").out.strip() == "Removed boat-7."
    assert studio("library").out.splitlines() == ["our-tom  Our Tom  (pets)"]
    assert studio.refuses("library", "--remove", "boat-7").startswith("Unknown figure of the library 'boat-7'")
    assert studio.refuses("library", "nowhere.svg").startswith("Cannot import nowhere.svg")


def test_own_tongues_are_kept_listed_used_and_removed(studio: Studio) -> None:
    drawings = Path("drawings")
    drawings.mkdir()
    left, right = "C20 50 42 50 42 35C42 25 30 20 30 10C30 0 40 -5 50 -5", "C60 -5 70 0 70 10C70 20 58 25 58 35"
    knob, hump = f"M0 50{left}{right}C58 50 80 50 100 50", "M0 50C30 50 20 0 50 0C80 0 70 50 100 50"
    for name, path in (("Acorn", knob), ("Two paths", f"{knob}M0 90H90"), ("No neck", hump)):
        text = f'<svg xmlns="http://www.w3.org/2000/svg"><path fill="none" stroke="red" d="{path}"/></svg>'
        (drawings / f"{name}.svg").write_text(text)
    shutil.copy(shipped("tongues") / "earlet.json", drawings)
    (drawings / "notes.txt").write_text("no tongue")
    done = studio("library", "--tongues", drawings, "--tag", "woods")
    assert done.code == 2 and done.out.splitlines() == ["Kept Acorn as acorn.", "Kept Earlet as earlet."]
    assert len(done.err.splitlines()) == 2
    assert "Cannot import Two paths.svg: it has 2 open paths." in done.err and "no neck tongue has no neck" in done.err
    assert studio("library", "--tongues").out.splitlines() == ["acorn  Acorn  (woods)", "earlet  Earlet  (woods)"]
    assert studio("library").out == "", "figures are apart"
    studio("new", "jigsaw", "-o", "one.puzzle")
    studio("tongue", "one.puzzle", "acorn", "-o", "kept.puzzle")
    studio("tongue", "one.puzzle", drawings / "Acorn.svg", "-o", "drawn.puzzle")
    assert Path("kept.puzzle").read_bytes() == Path("drawn.puzzle").read_bytes()
    assert studio("library", "--tongues", "--remove", "acorn").out.strip() == "Removed acorn."
    assert studio("library", "--tongues").out.splitlines() == ["earlet  Earlet  (woods)"]
    assert studio("check", "kept.puzzle").code == studio("check", "drawn.puzzle").code == 0
    refused = studio.refuses("tongue", "one.puzzle", "acorn")
    assert refused == "Unknown tongue of the library 'acorn'; choose from earlet."
    refused = studio.refuses("library", "--tongues", "--weld", drawings)
    assert refused == "--unit, --layer, --gap, --weld and --no-frame are for figures."
