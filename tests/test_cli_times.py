"""`times` logs jobs and fits a machine to them, whose estimates then have an error; prices give puzzles a cost."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from studio.base.folders import own_folder
from studio.fabricate import costs
from studio.fabricate.job_log import log_of
from studio.fabricate.workshop import Machine, Material, Named, keep, one_of
from studio.files.store import save
from studio.puzzles.jigsaw.kind import JIGSAW
from tests.test_cli import FINE, Studio

CO2 = ("--machine", "co2-600x400")


@pytest.fixture
def studio(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "fine.puzzle", JIGSAW, FINE)
    return Studio(capsys)


def seconds(studio: Studio, *words: str) -> float:
    return float(json.loads(studio("plan", "fine.puzzle", *CO2, "--json", *words).out)["seconds"])


def test_a_logged_job_leads_to_figures_with_which_the_estimate_is_its_time(studio: Studio) -> None:
    before = seconds(studio)
    took = f"{int(1.5 * before) // 60}:{int(1.5 * before) % 60:02}"
    said = studio("times", "fine.puzzle", *CO2, "--set", "page=board", "--took", took)
    assert said.code == 0 and "1 job, estimates ±" in said.out and "cutting" in said.out
    studio("times", *CO2, "--adopt")
    assert one_of(Machine, "co2-600x400").own
    assert seconds(studio) == pytest.approx(1.5 * before, rel=0.03)
    assert "Fitted" not in studio("times", *CO2, "--adopt").out


def test_estimates_have_their_error_once_there_is_a_log(studio: Studio) -> None:
    assert "±" not in studio("plan", "fine.puzzle", *CO2).out
    assert "seconds_error" not in json.loads(studio("plan", "fine.puzzle", *CO2, "--json").out)
    studio("times", "fine.puzzle", *CO2, "--took", "1:30")
    assert "±" in studio("plan", "fine.puzzle", *CO2).out
    found = json.loads(studio("plan", "fine.puzzle", *CO2, "--json").out)
    error = json.loads(studio("times", *CO2, "--json").out)["error"]
    assert found["seconds_error"] == pytest.approx(error * found["seconds"], rel=1e-2)
    assert " ± " in studio("export", "fine.puzzle", *CO2, "-o", "out.svg").out
    assert "±" not in studio("plan", "fine.puzzle", "--machine", "diode-400x400").out


def test_a_wrong_time_is_named_left_out_counted_again_and_removed(studio: Studio) -> None:
    for took in ("1:00", "1:02", "1:01:00"):
        studio("times", "fine.puzzle", *CO2, "--took", took)
    listed = json.loads(studio("times", *CO2, "--json").out)
    assert [each["seconds"] for each in listed["jobs"]] == [3660.0, 62.0, 60.0]
    assert [bool(each["doubt"]) for each in listed["jobs"]] == [True, False, False]
    assert "minutes typed as hours?" in listed["jobs"][0]["doubt"]
    assert "left out" in studio("times", *CO2, "--leave-out", "1").out
    assert log_of("co2-600x400").jobs[0].is_left_out
    studio("times", *CO2, "--count-again", "1")
    assert not log_of("co2-600x400").jobs[0].is_left_out
    studio("times", *CO2, "--remove", "1")
    assert [one.seconds for one in log_of("co2-600x400").jobs] == [62.0, 60.0]


def test_one_of_several_sheets_is_logged(studio: Studio) -> None:
    keep(Named("small", "Small", Machine(bed_width=120.0, bed_height=90.0)))
    words = ("times", "fine.puzzle", "--machine", "small", "--separate", "--set", "copies=2", "--took", "3:00")
    assert studio(*words, "--sheet", "2").code == 0
    (logged,) = log_of("small").jobs
    assert ", sheet 2 of " in logged.title
    studio(*words)
    whole, one = log_of("small").jobs
    assert whole.expected(Machine()) > one.expected(Machine())
    assert studio.refuses(*words, "--sheet", "9").startswith("There is no sheet 9, only ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Times need --machine"),
        ((*CO2, "fine.puzzle"), "Name a FILE and say how long it took"),
        ((*CO2, "fine.puzzle", "--took", "soon"), "--took must be a time such as 12:30"),
        ((*CO2, "fine.puzzle", "--took", "0:00"), "--took must be a time such as 12:30"),
        ((*CO2, "fine.puzzle", "--took", "999 h"), "A job takes 1 s to 100 h."),
        ((*CO2, "--remove", "1"), "There is no job 1; the log has 0."),
        ((*CO2, "--adopt"), "has no job to go by."),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(studio: Studio, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in studio.refuses("times", *words)
    assert not (own_folder() / "times").exists()


def test_nothing_costs_anything_until_there_is_a_price(studio: Studio) -> None:
    assert "Cost" not in studio("plan", "fine.puzzle", *CO2).out
    assert "cost" not in json.loads(studio("plan", "fine.puzzle", *CO2, "--json").out)
    studio("batch", "fine.puzzle", "--count", "1", "--workers", "1", "-o", "out")
    with next(Path("out").glob("*.csv")).open() as file:
        assert "cost" not in next(csv.reader(file))


def test_plan_export_and_batch_agree_on_the_cost(studio: Studio) -> None:
    machine = one_of(Machine, "co2-600x400")
    keep(replace(machine, value=replace(machine.value, hour_price=60.0)))
    keep(Named("ply", "Ply", Material(price=20.0)))
    costs.keep(costs.Pricing("kr", 0.75))
    words = (*CO2, "--material", "ply")
    planned = json.loads(studio("plan", "fine.puzzle", *words, "--json").out)
    area = FINE.parameters.width * FINE.parameters.height
    assert planned["cost"]["material"] == pytest.approx(20 * area / 1e6, abs=0.006)
    assert planned["cost"]["machine"] == pytest.approx(planned["seconds"] / 60, abs=0.006)
    total = sum(planned["cost"][name] for name in ("material", "machine", "extras"))
    assert planned["cost"]["total"] == pytest.approx(total) and planned["cost"]["extras"] == 0.75
    assert f"Cost {planned['cost']['total']:.2f} kr: material" in studio("plan", "fine.puzzle", *words).out
    (sheet,) = json.loads(studio("export", "fine.puzzle", *words, "-o", "out.svg", "--json").out)
    assert sheet["cost"] == planned["cost"]
    made = json.loads(
        studio("batch", "fine.puzzle", "--count", "2", "--workers", "1", *words, "-o", "out", "--json").out
    )
    assert all(row["cost"] == pytest.approx(planned["cost"]["total"], rel=0.05) for row in made["boards"])
    with Path(made["table"]).open() as file:
        assert [float(row["cost"]) for row in csv.DictReader(file)] == [row["cost"] for row in made["boards"]]
