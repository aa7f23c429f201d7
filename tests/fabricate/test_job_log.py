"""Logged times lead to a machine's figures: they are found, wrong times are named, and files lose nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.folders import own_path
from studio.fabricate import job_log
from studio.fabricate.cutting_time import Workload, raster_seconds, raster_workload, seconds_of, workload
from studio.fabricate.job_log import FITTED, Job, JobLog, adopt, fit, jobs_of, log_of, spread
from studio.fabricate.making import Making, made
from studio.fabricate.plan import plan
from studio.fabricate.recipes import equipped, keep_values
from studio.fabricate.workshop import Machine, Material, Named, for_thickness, one_of
from studio.geometry.planar.drawing import Chain, Operation
from tests.fabricate.boards import jigsaw, squares

USUAL = Machine()
MACHINES = {
    "diode": Machine(cut_speed=6, score_speed=60, engrave_speed=60, rapid_speed=80, acceleration=400, pen_up=0.25),
    "hobby": Machine(cut_speed=12, score_speed=150, rapid_speed=300, acceleration=3000, pen_up=0.05),
    "industrial": Machine(cut_speed=32, score_speed=200, rapid_speed=500, acceleration=8000, pen_up=0.02),
    "k40": Machine(cut_speed=9, rapid_speed=100, acceleration=900, pen_up=0.5),
    "slow in corners": Machine(cut_speed=24, rapid_speed=150, acceleration=100, pen_up=0.1),
}
NOISE, SEEDS = 0.03, 25


def job(columns: int, rows: int, making: Making | None = None, thickness: float = 3.0) -> Job:
    found = made(jigsaw(columns, rows), making or Making(), USUAL, Material(thickness=thickness))
    return jobs_of(f"{columns} × {rows}", "2026-11-30", found.sheets, USUAL, thickness)[0]


@cache
def three_jobs() -> tuple[Job, ...]:
    return job(6, 4), job(8, 5, Making(lines="separate")), job(12, 8)


@cache
def other_jobs() -> tuple[Job, ...]:
    return job(10, 6, Making(lines="separate")), job(15, 10)


def timed(jobs: tuple[Job, ...], machine: Machine, seed: int) -> tuple[Job, ...]:
    """Jobs with the time that a machine takes, off by a random share."""
    chance = np.random.default_rng(seed)
    return tuple(replace(one, seconds=one.expected(machine) * float(np.exp(chance.normal(0, NOISE)))) for one in jobs)


def found_in(log: JobLog, machine: Machine = USUAL) -> job_log.Fit:
    found = fit(log, machine)
    assert found is not None
    return found


def test_a_workload_is_timed_like_its_drawing_on_any_machine() -> None:
    drawing = plan(jigsaw(8, 5), USUAL).drawing
    load, chance = workload(drawing, USUAL), np.random.default_rng(1)
    for _ in range(100):
        machine = Machine(
            cut_speed=float(10 ** chance.uniform(-0.5, 3)), rapid_speed=float(10 ** chance.uniform(1, 3.5)),
            acceleration=float(10 ** chance.uniform(0.5, 5)), pen_up=float(chance.uniform(0, 1)),
        )  # fmt: skip
        assert load.seconds(machine) == pytest.approx(seconds_of(drawing, machine), rel=4e-3)


def test_a_workload_has_every_kind_of_line_with_its_own_speed_and_the_passes_of_a_recipe() -> None:
    drawing = squares([(0, 0), (30, 0), (60, 0)])
    kinds = (Operation.ENGRAVE, Operation.SCORE, Operation.BORDER)
    chains = tuple(Chain(kind, chain.strokes, chain.closed) for kind, chain in zip(kinds, drawing.chains, strict=True))
    drawing = replace(drawing, chains=chains)
    keep_values("co2-600x400", "plywood-3", {"cut": {"power_max": 50.0, "speed": 7.0, "passes": 3}})
    machine, sheet = equipped(one_of(Machine, "co2-600x400"), one_of(Material, "plywood-3"))
    for timed_on in (Machine(cut_speed=5, score_speed=33, engrave_speed=90), machine):
        load = workload(drawing, timed_on)
        assert load.seconds(timed_on) == pytest.approx(seconds_of(drawing, timed_on), rel=2e-3)
    # The recipe's speed counts, whatever the machine's own is.
    (logged,) = jobs_of("three", "2026-11-30", [drawing], machine, sheet.thickness)
    slow = replace(one_of(Machine, "co2-600x400").value, cut_speed=1.0)
    assert logged.expected(slow) == logged.expected(replace(slow, cut_speed=40.0))
    assert logged.speeds[0] == 7.0 and logged.workload.starts == 5
    # A machine that does not keep to the recipe has its override found; estimates take it, the recipe stays.
    log = JobLog(tuple(replace(logged, seconds=factor * logged.expected(slow)) for factor in (1.68, 1.7, 1.72)))
    fitted = found_in(log, slow).machine
    assert logged.expected(fitted) == pytest.approx(1.7 * logged.expected(slow), rel=0.02)
    assert fitted.override < 80 and fitted.cut_speed == 1.0
    again, _ = equipped(replace(one_of(Machine, "co2-600x400"), value=fitted), one_of(Material, "plywood-3"))
    estimated = seconds_of(drawing, for_thickness(again, sheet.thickness))
    assert estimated == pytest.approx(logged.expected(fitted), rel=2e-3)


def test_engraved_pictures_and_several_sheets_add_up() -> None:
    picture = raster_workload(80.0, 50.0, 254.0)
    assert picture.seconds(USUAL) == pytest.approx(raster_seconds(80.0, 50.0, 254.0, USUAL))
    sheets = [plan(jigsaw(columns, 3), USUAL).drawing for columns in (3, 4)]
    whole, first, second = jobs_of("fox", "2026-11-30", sheets, USUAL, 3.0, [picture])
    assert (first.title, second.title) == ("fox, sheet 1 of 2", "fox, sheet 2 of 2")
    assert whole.expected(USUAL) == pytest.approx(first.expected(USUAL) + second.expected(USUAL), rel=1e-3)
    parts = seconds_of(sheets[0], USUAL) + seconds_of(sheets[1], USUAL) + picture.seconds(USUAL)
    assert whole.expected(USUAL) == pytest.approx(parts, rel=1e-3)


def test_a_thicker_sheet_takes_longer_as_in_every_estimate() -> None:
    thick = job(5, 4, thickness=6.0)
    assert thick.expected(USUAL) == pytest.approx(
        made(jigsaw(5, 4), Making(), USUAL, Material(thickness=6.0)).seconds, rel=1e-3
    )


@pytest.mark.parametrize("name", MACHINES)
def test_after_three_jobs_a_fourth_is_estimated_within_4_percent(name: str) -> None:
    machine, off, worst = MACHINES[name], [], 0.0
    for seed in range(SEEDS):
        found = found_in(JobLog(timed(three_jobs(), machine, seed)))
        assert not found.doubts
        for other in other_jobs():
            off.append(abs(other.expected(found.machine) / other.expected(machine) - 1))
            worst = max(worst, off[-1])
    assert np.mean(off) < 0.04
    # Chance, 3 % in each of three jobs, takes one estimate in fifty further away.
    assert worst < 0.15
    before = np.mean([abs(other.expected(USUAL) / other.expected(machine) - 1) for other in other_jobs()])
    assert np.mean(off) < before / 3


WRONG: dict[str, tuple[Callable[[float], float], str]] = {
    "a pause": (lambda seconds: seconds + 1500.0, "pause"),
    "minutes as hours": (lambda seconds: 60 * seconds, "minutes typed as hours?"),
    "hours as minutes": (lambda seconds: seconds / 60, "hours typed as minutes?"),
    "a digit too many": (lambda seconds: 10 * seconds, "a digit too many"),
    "a digit missing": (lambda seconds: seconds / 10, "a digit missing?"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", MACHINES)
def test_a_wrong_time_is_found_and_named(name: str, wrong: str) -> None:
    change, words = WRONG[wrong]
    machine = MACHINES[name]
    for seed in range(4):
        jobs = list(timed(three_jobs(), machine, seed))
        bad = seed % len(jobs)
        jobs[bad] = replace(jobs[bad], seconds=max(change(jobs[bad].seconds), job_log.SHORTEST))
        found = found_in(JobLog(tuple(jobs)))
        assert set(found.doubts) == {bad}
        assert "noted" in found.doubts[bad] and "expected" in found.doubts[bad]
        good = [one for at, one in enumerate(jobs) if at != bad]
        assert all(one.expected(found.machine) == pytest.approx(one.seconds, rel=0.15) for one in good)
        # The guess is right where what the other two jobs say of this one is.
        if abs(found.expected[bad] / three_jobs()[bad].expected(machine) - 1) < 0.08:
            assert words in found.doubts[bad]


def test_guesses_name_what_happened() -> None:
    assert job_log.doubt(45 * 60, 12 * 60) == "45 min noted, 12 min expected: a pause?"
    assert job_log.doubt(7.5 * 3600, 7.4 * 60) == "7 h 30 min noted, 7 min 24 s expected: minutes typed as hours?"
    assert job_log.doubt(21 * 60, 12 * 60).endswith("digits swapped?")
    assert job_log.doubt(24 * 60, 12 * 60).endswith("cut twice, or a pause?")
    assert job_log.doubt(4 * 60, 12 * 60).endswith("stopped early, or another job?")


def test_what_no_job_depends_on_stays_and_no_figure_is_negative() -> None:
    quick = tuple(replace(one, seconds=one.expected(USUAL) / 3) for one in three_jobs())
    found = found_in(JobLog(quick)).machine
    assert (found.score_speed, found.engrave_speed) == (USUAL.score_speed, USUAL.engrave_speed)
    assert all(getattr(found, name) > 0 for name in FITTED if name != "pen_up") and found.pen_up >= 0
    assert found.cut_speed == pytest.approx(45, rel=0.2)


def test_a_job_left_out_counts_for_nothing() -> None:
    log = JobLog(timed(three_jobs(), MACHINES["hobby"], 1))
    wrong = log.with_job(replace(three_jobs()[0], seconds=333.0, title="wrong"))
    assert found_in(wrong.leaving_out(0, True)).machine == found_in(log).machine
    assert spread(wrong.leaving_out(0, True), USUAL) == spread(log, USUAL)
    assert fit(replace(log, jobs=tuple(replace(one, is_left_out=True) for one in log.jobs)), USUAL) is None
    assert spread(JobLog(), USUAL) == 0.0


def test_the_error_shrinks_with_the_log_and_with_the_fit() -> None:
    machine = MACHINES["k40"]
    one, many = JobLog(timed(three_jobs()[:1], machine, 3)), JobLog(timed(three_jobs() * 4, machine, 3))
    assert spread(one, USUAL) > 0.2
    assert spread(one, machine) > spread(many, machine) > 0.02
    assert found_in(many).spread == pytest.approx(spread(many, found_in(many).machine), rel=0.05)


def test_taking_figures_over_again_does_not_move_them() -> None:
    named = one_of(Machine, "co2-600x400")
    log = JobLog(timed(three_jobs(), MACHINES["diode"], 5))
    job_log.keep(named.key, log)
    first = adopt(named, found_in(log, named.value))
    assert first.own and one_of(Machine, named.key) == first
    again = found_in(log_of(named.key), first.value)
    assert again.machine == first.value
    # Figures changed by hand are the maker's word.
    changed = replace(first.value, acceleration=5000.0)
    assert log_of(named.key).expected_figures(changed) == changed


def test_a_log_is_read_as_it_was_kept_and_an_exported_job_waits_until_it_is_logged() -> None:
    load = workload(plan(jigsaw(3, 2), USUAL).drawing, USUAL)
    log = JobLog(timed(three_jobs(), USUAL, 1), before=job_log.figures_of(USUAL), adopted=job_log.figures_of(USUAL))
    waiting = Job("fox", "2026-11-29", load, 3.0, (12.0, 0.0, 0.0, 250.0))
    log = log.with_waiting(waiting).with_waiting(replace(waiting, title="owl"))
    job_log.keep("mine", log)
    assert log_of("mine") == log and log_of("other") == JobLog()
    assert [one.title for one in log.with_job(replace(waiting, seconds=200.0)).waiting] == ["owl"]
    again = log.with_waiting(replace(waiting, day="2026-11-30"))
    assert [(one.title, one.day) for one in again.waiting] == [("fox", "2026-11-30"), ("owl", "2026-11-29")]


@pytest.mark.parametrize(
    "garbage",
    ["", "{", "[]", '{"jobs": 3}', '{"jobs": [{"title": "x"}]}', '{"before": [1, 2]}', '{"adopted": [1,1,1,1,1,1,-1]}',
     '{"jobs": [{"title": "x", "day": "", "thickness": 3, "seconds": -5, "workload": {}}]}',
     '{"jobs": [{"title": "x", "day": "", "thickness": 3, "workload": {"cut": [1, 2]}}]}',
     '{"jobs": [{"title": "x", "day": "", "thickness": NaN, "workload": {}}]}', '{"strange": 1}'],
)  # fmt: skip
def test_garbage_is_refused_in_one_sentence_and_is_not_replaced(garbage: str) -> None:
    path = own_path(job_log.FOLDER, "mine")
    path.parent.mkdir(parents=True)
    path.write_text(garbage)
    with pytest.raises(StudioError, match=r"times/mine\.json cannot be used: .*\.$"):
        log_of("mine")
    with pytest.raises(StudioError):
        job_log.keep("mine", JobLog())
    assert path.read_text() == garbage
    assert job_log.known_spread(Named("mine", "Mine", USUAL)) == 0.0


def test_impossible_jobs_are_refused() -> None:
    with pytest.raises(StudioError, match="1 s to 100 h"):
        replace(three_jobs()[0], seconds=0.2)
    with pytest.raises(StudioError, match="has no lines"):
        Job("fox", "2026-11-30", Workload(), 3.0)
    with pytest.raises(StudioError, match="every job"):
        JobLog().with_job(three_jobs()[0])
    with pytest.raises(StudioError, match="no job 4"):
        JobLog(timed(three_jobs(), USUAL, 1)).without(3)
