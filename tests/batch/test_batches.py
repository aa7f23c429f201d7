"""A batch makes what single commands would make, keeps what is there, and never replaces what is not its own."""

import csv
import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Cancelled, Progress
from studio.batch.boards import Outcome, made_board, run
from studio.batch.tasks import Batch, Task, batch_of, known_formats, tasks_of
from studio.batch.workers import one_by_one
from studio.cli import main
from studio.files.store import Saved, load, loads, save
from studio.puzzles.jigsaw.fits.false_fits import false_fits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kind, kinds
from tests.edits import EDITS, REFUSED

SMALL = JigsawDesign(JigsawParameters(columns=4, rows=3, width=100, height=75))
WILD = JigsawDesign(replace(SMALL.parameters, perturbation=0.45, tongue_size=0.5, layout_version=1))


def batch(design: Any = SMALL, **known: Any) -> Batch:
    """A batch of a design of jigsaws, as SVG."""
    return batch_of(Saved(kind("jigsaw"), design), Path("mine.puzzle"), **{"formats": (".svg",), **known})


def tasks(count: int, **settings: str) -> tuple[Task, ...]:
    return tasks_of(Saved(kind("jigsaw"), SMALL), settings, [], count)


def ran(folder: Path, count: int = 3, progress: Progress = SILENT, known: Batch | None = None) -> Outcome:
    return run(known or batch(), tasks(count), folder, one_by_one, progress)


def contents(folder: Path) -> dict[str, bytes]:
    """All that makers see in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def table(folder: Path) -> list[dict[str, str]]:
    with (folder / "mine-boards.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_each_board_is_what_edit_and_export_make(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(tmp_path / "mine.puzzle", kind("jigsaw"), SMALL)
    ran(tmp_path / "out")
    for number, seed in ((1, 7), (2, 8), (3, 9)):
        one, svg = tmp_path / "one.puzzle", tmp_path / "one.svg"
        assert main(["edit", str(tmp_path / "mine.puzzle"), "--set", f"seed={seed}", "-o", str(one), "--force"]) == 0
        assert (tmp_path / "out" / f"mine-{number:03}.puzzle").read_bytes() == one.read_bytes()
        capsys.readouterr()
        assert main(["export", str(one), "-o", str(svg), "--json"]) == 0
        assert (tmp_path / "out" / f"mine-{number:03}.svg").read_bytes() == svg.read_bytes()
        (said,) = json.loads(capsys.readouterr().out)
        row = table(tmp_path / "out")[number - 1]
        assert row["serial"] == f"{number:03}" and row["seed"] == str(seed) and row["pieces"] == "12"
        assert float(row["cut_mm"]) == pytest.approx(said["cut_length"], abs=0.1)
        assert float(row["seconds"]) == pytest.approx(said["seconds"], abs=0.1)
        assert row["sha256"] == sha256(one.read_bytes()).hexdigest()
        assert row["files"] == f"mine-{number:03}.puzzle mine-{number:03}.svg"


@pytest.mark.parametrize("key", EDITS)
def test_edits_of_a_table_are_made_as_by_edit(tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str) -> None:
    mine, other, out = tmp_path / "mine.puzzle", tmp_path / "other.puzzle", tmp_path / "out"
    save(mine, kind(key), kind(key).example())
    refused, sentence = REFUSED[key][-1] if key != "zigzaw" else REFUSED[key][0]
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["edits"], ["; ".join(EDITS[key])], [refused]])
    words = ["batch", str(mine), "--names", str(tmp_path / "a.csv"), "--formats", "puzzle", "--workers", "1"]
    assert main([*words, "-o", str(out)]) == 1
    assert f"Not exported: 002. First problem: {sentence}" in capsys.readouterr().err
    assert sorted(contents(out)) == ["mine-001.puzzle", "mine-boards.csv"]
    assert [row["note"].startswith(sentence) for row in table(out)] == [False, True]
    own = ["--set", "seed=" + table(out)[0]["seed"]] if "seed" in table(out)[0] else []
    assert main(["edit", str(mine), *EDITS[key], *own, "-o", str(other)]) == 0
    assert other.read_bytes() == (out / "mine-001.puzzle").read_bytes()


def test_a_table_with_an_edit_of_no_form_is_refused_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, names = tmp_path / "mine.puzzle", tmp_path / "a.csv"
    save(mine, kind("jigsaw"), SMALL)
    for text, sentence in (("bend A1", "Unknown edit 'bend'; "), ("flip", "'flip' must have the form `flip NAMES`.")):
        names.write_text(f"seed,edits\n1,\n2,pin 1\n3,{text}\n", encoding="utf-8")
        assert main(["batch", str(mine), "--names", str(names), "-o", str(tmp_path / "out")]) == 2
        assert capsys.readouterr().err.startswith(f"Cannot use a.csv: line 4: {sentence}")
        assert not (tmp_path / "out").exists()


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    first = ran(tmp_path, 2)
    assert (first.kept, len(first.rows)) == (0, 2)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("mine-*.svg")}
    again = ran(tmp_path, 4)
    assert (again.kept, len(again.rows), again.faulty) == (2, 4, ())
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert [row["serial"] for row in table(tmp_path)] == ["001", "002", "003", "004"]


def test_missing_boards_are_made_again_to_the_same_bytes(tmp_path: Path) -> None:
    ran(tmp_path, 3)
    before = contents(tmp_path)
    (tmp_path / "mine-002.svg").unlink()
    (tmp_path / "mine-003.puzzle").unlink()
    (tmp_path / "mine-boards.csv").unlink()
    assert ran(tmp_path, 3).kept == 1
    assert contents(tmp_path) == before


def test_other_inputs_make_other_boards(tmp_path: Path) -> None:
    ran(tmp_path, 2)
    before = contents(tmp_path)
    other = replace(SMALL, parameters=replace(SMALL.parameters, columns=5))
    assert ran(tmp_path, 2, known=batch(other)).kept == 0
    after = contents(tmp_path)
    assert after.keys() == before.keys() and all(after[name] != before[name] for name in after)


def test_a_file_that_somebody_has_changed_is_never_replaced_unasked(tmp_path: Path) -> None:
    ran(tmp_path, 2)
    edited = tmp_path / "mine-002.puzzle"
    save(edited, kind("jigsaw"), SMALL)
    before = contents(tmp_path)
    with pytest.raises(StudioError, match=r"mine-002\.puzzle was changed.*--force"):
        ran(tmp_path, 3)
    assert contents(tmp_path) == before
    assert ran(tmp_path, 3, known=batch(force=True)).faulty == ()
    assert load(edited).design.parameters.seed == 8


def test_files_of_others_are_never_replaced_unasked(tmp_path: Path) -> None:
    for name in ("mine-001.svg", "mine-boards.csv"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(StudioError, match=name):
            ran(tmp_path, 1)
        assert contents(tmp_path) == {name: b"mine"}
        (tmp_path / name).unlink()


class Stopping(Progress):
    """Somebody who cancels after some boards are there."""

    def __init__(self, folder: Path, after: int) -> None:
        super().__init__()
        self._folder, self._after = folder, after

    def step(self, fraction: float, note: str = "") -> None:
        if len([*self._folder.glob("mine-*.svg")]) == self._after:
            self.cancel()
        super().step(fraction, note)


def test_a_batch_that_is_cancelled_keeps_its_boards_and_their_table_and_goes_on_with_the_others(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    ran(whole, 5)
    stopped = tmp_path / "stopped"
    with pytest.raises(Cancelled):
        ran(stopped, 5, Stopping(stopped, 2))
    assert [row["serial"] for row in table(stopped)] == ["001", "002"]
    assert ran(stopped, 5).kept == 2
    assert contents(stopped) == contents(whole)


def test_a_record_that_was_written_before_its_files_does_not_count(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    ran(whole, 2)
    for missing in ("mine-002.puzzle", "mine-002.svg"):
        (whole / missing).unlink()
    assert ran(whole, 2).kept == 1
    # As if killed between the record of other boards and their files: those before are still the batch's own.
    records = {path: path.read_bytes() for path in (whole / ".batch").iterdir()}
    files = contents(whole)
    ran(whole, 2, known=batch(replace(SMALL, parameters=replace(SMALL.parameters, columns=5))))
    for name in ("mine-001.puzzle", "mine-001.svg", "mine-boards.csv"):
        (whole / name).write_bytes(files[name])
    assert records and ran(whole, 2).kept == 0
    assert contents(whole) == files


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"key": 1}', b"\xff", b'{"key": "", "files": 3, "figures": {}}'])
def test_a_damaged_record_is_none(tmp_path: Path, damage: bytes) -> None:
    ran(tmp_path, 1)
    (tmp_path / ".batch" / "mine-001.json").write_bytes(damage)
    with pytest.raises(StudioError, match="does not belong to this batch"):
        ran(tmp_path, 1)
    assert ran(tmp_path, 1, known=batch(force=True)).kept == 0


def test_boards_with_errors_are_kept_but_not_exported_and_repair_helps(tmp_path: Path) -> None:
    found = ran(tmp_path, 2, known=batch(WILD))
    assert found.faulty == ("001", "002") and not [*tmp_path.glob("mine-*.svg")]
    for row in table(tmp_path):
        assert int(row["errors"]) > 0 and row["note"].endswith(".") and row["cut_mm"] == ""
        assert main(["check", str(tmp_path / f"mine-{row['serial']}.puzzle")]) == 1
    found = ran(tmp_path, 2, known=batch(WILD, repair=True))
    assert found.faulty == () and len([*tmp_path.glob("mine-*.svg")]) == 2
    for row in table(tmp_path):
        assert row["errors"] == "0"
        assert main(["check", str(tmp_path / f"mine-{row['serial']}.puzzle")]) == 0


def test_pieces_of_each_board_fit_in_one_place_only_where_that_is_asked(tmp_path: Path) -> None:
    plain = replace(SMALL, parameters=replace(SMALL.parameters, perturbation=0.0, vary_size=0.0, vary_place=0.0))
    same = replace(plain, parameters=replace(plain.parameters, vary_depth=0.0, vary_slant=0.0, vary_neck=0.0))
    ran(tmp_path / "plain", 2, known=batch(same))
    assert ran(tmp_path / "unique", 2, known=batch(same, clearance=0.15)).faulty == ()
    for number in (1, 2):
        found = []
        for folder in ("plain", "unique"):
            design = load(tmp_path / folder / f"mine-{number:03}.puzzle").design
            found.append(false_fits(shape(design, None, SILENT), 0.15, SILENT).pairs)
        assert found[0] > 0 and found[1] == 0


def test_files_that_a_board_has_no_longer_are_named(tmp_path: Path) -> None:
    ran(tmp_path, 1, known=batch(formats=(".svg", ".pdf")))
    assert [path.name for path in ran(tmp_path, 1).left] == ["mine-001.pdf"]


def test_what_cannot_be_made_is_noted_and_the_other_boards_are_made(tmp_path: Path) -> None:
    from studio.fabricate.making import Making

    some = tasks_of(Saved(kind("jigsaw"), SMALL), {"least_neck": "0", "tongue_size": "0.1..0.35"}, [], 2)
    found = run(batch(making=Making(kerf=1.57), force=True), some, tmp_path, one_by_one, SILENT)
    assert found.faulty == ("001",)
    assert "burns through" in table(tmp_path)[0]["note"] and table(tmp_path)[1]["files"].endswith(".svg")


def test_boards_of_another_version_are_refused() -> None:
    with pytest.raises(StudioError, match=rf"{studio.__version__}, not 0\.0\."):
        made_board(replace(batch(), version="0.0"), tasks(1)[0])


QUICK = {
    "jigsaw": {"columns": "4", "rows": "3"},
    "slitherlink": {"columns": "6", "rows": "6"},
    "cube": {"x": "3", "y": "3", "z": "3"},
    "zigzaw": {"columns": "3", "rows": "3"},
}


@pytest.mark.parametrize("one", kinds(), ids=lambda one: one.key)
def test_boards_of_every_kind_are_written_in_all_its_formats(one: AnyKind, tmp_path: Path) -> None:
    saved = Saved(one, one.example())
    formats = tuple(suffix for suffix in known_formats(one) if suffix != ".png")
    some = tasks_of(saved, QUICK.get(one.key, {}), [], 1)
    known = batch_of(saved, Path("mine.puzzle"), formats=formats, force=True)
    board = made_board(known, some[0])
    assert board.is_whole, board.figures["note"]
    assert {Path(name).suffix for name in board.files} == {".puzzle", *formats}
    assert all(name.startswith("mine-001") and data for name, data in board.files.items())
    assert loads(board.files["mine-001.puzzle"]).kind is one


def test_what_a_kind_cannot_do_is_refused_before_anything_is_made() -> None:
    cube = Saved(kind("cube"), kind("cube").example())
    with pytest.raises(StudioError, match="repair for cube"):
        batch_of(cube, Path("x.puzzle"), repair=True)
    with pytest.raises(StudioError, match="cube puzzles cannot be made unique"):
        batch_of(cube, Path("x.puzzle"), clearance=0.1)
    with pytest.raises(StudioError, match=r"'foo'; choose from puzzle, svg"):
        batch_of(cube, Path("x.puzzle"), formats=(".foo",))
