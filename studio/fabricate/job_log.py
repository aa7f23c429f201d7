"""The log of how long jobs took on a machine, and the figures of the machine that agree with it best.

A job is logged with its workload, from which its time follows by the model of every estimate, for any figures: so old
jobs can be fitted again. The log of a machine is a JSON file in `times` of the maker's settings folder.

The fit is a Gauss-Newton search over recomputed times, because speeds and acceleration act together: a bend taken at
the limit of the acceleration gains nothing from a higher speed. It seeks the most probable figures. The error of a job
is a share of its time, mostly small; a few noted times may be anything, and are named. What no job depends on stays as
it was before the first fit: that is expected, with a wide spread, and the jobs decide the rest.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations
from typing import Any

import numpy as np

from studio.base.amounts import duration
from studio.base.encode import decode, encode
from studio.base.errors import StudioError
from studio.base.folders import own_path, refuse_title, write_own
from studio.base.json_files import read
from studio.base.parameters import declaration
from studio.base.texts import tr
from studio.fabricate import workshop
from studio.fabricate.cutting_time import BRAKING, MOTIONS, Workload, effective_length, workload
from studio.fabricate.recipes import recipe_of
from studio.fabricate.workshop import Machine, Named, cutting_speed, for_thickness
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing

FOLDER = "times"
LARGEST = 2**23
"""Most bytes of a log; a job has about 1,500."""
MOST_JOBS, MOST_WAITING = 1000, 12
"""Limits for the logged jobs of a machine, and for exported jobs that wait for their time."""
SHORTEST, LONGEST = 1.0, 100 * 3600.0
"""Limits in s of a time that is noted."""
FITTED = ("cut_speed", "score_speed", "engrave_speed", "rapid_speed", "acceleration", "override", "pen_up")
"""Figures of a machine that a fit finds."""
WIDTHS = np.array([0.7, 0.7, 0.7, 0.7, 1.5, 0.5, 1.0])
"""Spread that is expected of the logarithm of each of them."""
LEAST_DELAY = 0.02
"""Added to the delay in s, whose logarithm would be infinite at 0."""
ERROR, ERRORS_KNOWN = 0.03, 3.0
"""Expected spread of a job's error, and the number of jobs that this expectation counts for."""
DOUBTFUL, ANYTHING = 0.05, 1 / (2 * np.log(100.0))
"""Share of noted times that may be anything, and their density for the logarithm of the time."""
CAUTION = 0.1
"""Error of a job that is counted with those of a log, so that a few jobs promise less than many."""
ABSURD = np.log(6.0)
"""Error, as a logarithm, beyond which a noted time says nothing of a machine's figures."""
STEPS, STEP = 40, 1e-3
"""Most steps of a search, and the difference of logarithms for derivatives."""
MOST_SUSPECTS = 8
"""Largest number of jobs left out in turn, one in each search."""


@dataclass(frozen=True)
class Job:
    """A job with the time in s that it took, 0 if that is not known yet. Raises StudioError for impossible values.

    `day` is a date, `thickness` that of the sheet in mm, and `speeds` are the speeds in mm/s that a recipe set for
    cutting, scoring, engraving and pictures; 0 leaves them to the machine. `heard` is the time in s by LightBurn.
    """

    title: str
    day: str
    workload: Workload
    thickness: float
    speeds: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    seconds: float = 0.0
    is_left_out: bool = False
    heard: float = 0.0

    def __post_init__(self) -> None:
        refuse_title(self.title)
        low, high = declaration(workshop.Material, "thickness").limits
        fastest = declaration(Machine, "cut_speed").limits[1]
        if not low <= self.thickness <= high or not all(0 <= speed <= fastest for speed in self.speeds):
            raise StudioError(tr("no sheet or no machine has these figures."))
        if not self.expected(Machine()) > 0:
            raise StudioError(tr("{title} has no lines to run.", title=self.title))
        for seconds in (self.seconds, self.heard):
            if seconds and not SHORTEST <= seconds <= LONGEST:
                raise StudioError(
                    tr("A job takes {shortest} to {longest}.", shortest=duration(SHORTEST), longest=duration(LONGEST))
                )

    def expected(self, machine: Machine) -> float:
        """Seconds that a machine, set up for no material, is estimated to take."""
        timed = for_thickness(machine, self.thickness)
        cut, score, engrave, raster = (speed * machine.override / 100 for speed in self.speeds)
        run = replace(
            timed, cut_speed=cut or timed.cut_speed, score_speed=score or timed.score_speed,
            engrave_speed=engrave or timed.engrave_speed,
        )  # fmt: skip
        return self.workload.seconds(run, raster or timed.engrave_speed)


@dataclass(frozen=True)
class JobLog:
    """Jobs of a machine: those with a time, and those exported that wait for it, the newest first.

    `before` are the figures, as in FITTED, from which the figures `adopted` last were found; both may be empty.
    """

    jobs: tuple[Job, ...] = ()
    waiting: tuple[Job, ...] = ()
    before: tuple[float, ...] = ()
    adopted: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not all(job.seconds for job in self.jobs):
            raise StudioError(tr("every job must have its seconds."))
        for figures in (self.before, self.adopted):
            if len(figures) not in (0, len(FITTED)):
                raise StudioError(tr("before and adopted must have {count} figures.", count=len(FITTED)))
            if figures:
                with_figures(Machine(), figures)

    def with_job(self, job: Job) -> JobLog:
        """Add a job, which no longer waits; beyond MOST_JOBS the oldest goes."""
        waiting = tuple(each for each in self.waiting if _waits_for(each) != _waits_for(job))
        return replace(self, jobs=(job, *self.jobs)[:MOST_JOBS], waiting=waiting)

    def with_waiting(self, job: Job) -> JobLog:
        """Add an exported job; of several with the same title the last waits."""
        others = (each for each in self.waiting if each.title != job.title)
        return replace(self, waiting=(job, *others)[:MOST_WAITING])

    def without(self, at: int) -> JobLog:
        """Remove the job of an index. Raises StudioError if there is none."""
        self._refuse_index(at)
        return replace(self, jobs=self.jobs[:at] + self.jobs[at + 1 :])

    def leaving_out(self, at: int, left_out: bool) -> JobLog:
        """Leave the job of an index out of fits and errors, or count it again. Raises StudioError if there is none."""
        self._refuse_index(at)
        changed = replace(self.jobs[at], is_left_out=left_out)
        return replace(self, jobs=(*self.jobs[:at], changed, *self.jobs[at + 1 :]))

    def expected_figures(self, machine: Machine) -> Machine:
        """The machine from whose figures a fit starts: those before the last fit, unless they were changed since."""
        if not self.before or self.adopted != figures_of(machine):
            return machine
        return with_figures(machine, self.before)

    def _refuse_index(self, at: int) -> None:
        if not 0 <= at < len(self.jobs):
            raise StudioError(tr("There is no job {number}; the log has {count}.", number=at + 1, count=len(self.jobs)))


def _waits_for(job: Job) -> tuple[str, Workload]:
    return job.title, job.workload


def figures_of(machine: Machine) -> tuple[float, ...]:
    """The figures of a machine that a fit finds."""
    return tuple(getattr(machine, name) for name in FITTED)


def with_figures(machine: Machine, figures: Sequence[float]) -> Machine:
    """Set the figures of FITTED. Raise ParameterError for one out of bounds."""
    values: dict[str, Any] = dict(zip(FITTED, figures, strict=True))
    return replace(machine, **values)


def job_of(title: str, day: str, workload: Workload, machine: Machine, thickness: float) -> Job:
    """A job without a time, on a machine that may be set up by a recipe, in a sheet of a thickness in mm."""
    recipe = recipe_of(machine)
    speeds = (
        0.0 if recipe.cut is None else recipe.cut.speed,
        0.0 if recipe.score is None else recipe.score.speed,
        0.0 if recipe.engrave is None else recipe.engrave.speed,
        0.0 if recipe.raster is None else recipe.raster.pace,
    )
    return Job(title, day, workload, thickness, speeds)


def jobs_of(
    title: str, day: str, sheets: Sequence[Drawing], machine: Machine, thickness: float,
    pictures: Sequence[Workload] = (),
) -> tuple[Job, ...]:  # fmt: skip
    """Jobs without a time: all sheets together and, of several, each; `pictures` are engraved on the first sheets."""
    loads = [workload(sheet, machine) for sheet in sheets]
    for at, picture in enumerate(pictures):
        loads[at] += picture
    jobs = [job_of(title, day, sum(loads, Workload()), machine, thickness)]
    for number, load in enumerate(loads if len(loads) > 1 else (), start=1):
        jobs.append(job_of(sheet_title(title, number, len(loads)), day, load, machine, thickness))
    return tuple(jobs)


def sheet_title(title: str, number: int, count: int) -> str:
    """Title of the job of one of several sheets, or of the only one."""
    return tr("{title}, sheet {number} of {count}", title=title, number=number, count=count) if count > 1 else title


# The fit


@dataclass(frozen=True)
class Fit:
    """The figures that agree best with a log, and what they make of it.

    `spread` is the relative error of an estimate with them, `expected` the seconds of every job, and `doubts` has
    sentences about times that do not agree, by index.
    """

    machine: Machine
    spread: float
    expected: tuple[float, ...]
    doubts: Mapping[int, str]


def fit(log: JobLog, machine: Machine) -> Fit | None:
    """Find the figures of a machine that agree with its log; None without a job to go by."""
    counted = [at for at, job in enumerate(log.jobs) if not job.is_left_out]
    if not counted:
        return None
    model = _Model([log.jobs[at] for at in counted])
    found = _best(model, _logarithms(log.expected_figures(machine)))
    fitted = with_figures(machine, _rounded(found.figures))
    expected = tuple(job.expected(fitted) for job in log.jobs)
    errors = {at: np.log(log.jobs[at].seconds / expected[at]) for at in counted}
    good = [errors[at] for at, weight in zip(counted, found.weights.tolist(), strict=True) if weight >= 0.5]
    doubts = {
        at: doubt(log.jobs[at].seconds, expected[at])
        for at, weight in zip(counted, found.weights.tolist(), strict=True)
        if weight < 0.5
    }
    return Fit(fitted, _spread(np.array(good)), expected, doubts)


def spread(log: JobLog, machine: Machine) -> float:
    """Relative error of estimates by the present figures, as the log shows it; 0 without a job to go by."""
    errors = np.array([np.log(job.seconds / job.expected(machine)) for job in log.jobs if not job.is_left_out])
    errors = errors[np.abs(errors) < ABSURD]
    if not len(errors):
        return 0.0
    # The size of the smaller half of the errors, so that of two jobs the better one counts.
    size = max(float(np.sort(np.abs(errors))[(len(errors) - 1) // 2]), ERROR)
    return _spread(errors[_weights(errors, size) >= 0.5])


def doubt(noted: float, expected: float) -> str:
    """A sentence with a guess why a noted time in s is not the expected one."""
    guesses = (
        (60, 0.15, tr("minutes typed as hours?")),
        (1 / 60, 0.15, tr("hours typed as minutes?")),
        (10, 0.1, tr("a digit too many, or a pause?")),
        (0.1, 0.1, tr("a digit missing?")),
        (2, 0.06, tr("cut twice, or a pause?")),
        (0.5, 0.06, tr("only half of it?")),
    )
    ratio = noted / expected
    fitting = (words for factor, within, words in guesses if abs(np.log(ratio / factor)) < within)
    usual = tr("digits swapped?") if _is_swapped(noted, expected) else tr("a pause?") if ratio > 1 else ""
    return tr(
        "{noted} noted, {expected} expected: {guess}",
        noted=duration(noted), expected=duration(expected),
        guess=next(fitting, usual or tr("stopped early, or another job?")),
    )  # fmt: skip


def _is_swapped(noted: float, expected: float) -> bool:
    """True if the expected time comes of swapping two neighbouring digits of the minutes or of the seconds."""
    digits = f"{int(noted) // 60:02}{int(noted) % 60:02}"
    for at in (*range(len(digits) - 3), len(digits) - 2):
        swapped = digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :]
        seconds = 60 * int(swapped[:-2]) + int(swapped[-2:])
        if swapped != digits and seconds and abs(np.log(seconds / expected)) < 2 * ERROR:
            return True
    return False


def _spread(errors: Floats) -> float:
    """Relative error of estimates, of the errors of jobs as logarithms."""
    return float(np.sqrt((np.sum(errors**2) + CAUTION**2) / (len(errors) + 1)))


class _Model:
    """The logarithms of the times of jobs, as a function of the figures' logarithms."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        loads = [job.workload for job in jobs]
        self._has = {name: np.array([bool(getattr(load, name)) for load in loads]) for name in MOTIONS}
        none = (1.0,) * len(BRAKING)
        self._tables = {name: np.array([getattr(load, name) or none for load in loads]) for name in MOTIONS}
        self._starts = np.array([load.starts for load in loads])
        self._raster = np.array([load.raster for load in loads])
        self._speeds = np.array([job.speeds for job in jobs])
        self._thickness = np.array([job.thickness for job in jobs])
        self.noted = np.log([job.seconds for job in jobs])

    def errors(self, figures: Floats) -> Floats:
        """Logarithms of noted over expected times, shape (…, jobs), for figures of shape (…, FITTED)."""
        cutting, scoring, engraving, rapid, acceleration, override, delay = np.moveaxis(np.exp(figures), -1, 0)[
            ..., None
        ]
        own = (cutting_speed(cutting, scoring, self._thickness), scoring, engraving, engraving)
        cut, score, engrave, raster = (
            np.where(given > 0, given * override / 100, usual) for given, usual in zip(self._speeds.T, own, strict=True)
        )
        total = self._starts * (delay - LEAST_DELAY)
        for name, speed in zip(MOTIONS, (cut, score, engrave, rapid), strict=True):
            if self._has[name].any():
                seconds = effective_length(self._tables[name], speed**2 / acceleration) / speed
                total = total + np.where(self._has[name], seconds, 0.0)
        length, lines = self._raster.T
        total = total + length / raster + lines * 2 * raster / acceleration
        return np.asarray(self.noted - np.log(total))


def _logarithms(machine: Machine) -> Floats:
    values = np.array(figures_of(machine))
    values[-1] += LEAST_DELAY
    return np.asarray(np.log(values))


def _rounded(figures: Floats) -> list[float]:
    """Figures with three digits, as long as they are within a machine's limits."""
    *values, delay = np.exp(figures).tolist()
    rounded = [float(f"{value:.3g}") for value in values] + [round(max(delay - LEAST_DELAY, 0.0), 3)]
    limits = [declaration(Machine, name).limits for name in FITTED]
    return [min(max(value, low), high) for value, (low, high) in zip(rounded, limits, strict=True)]


@dataclass(frozen=True)
class _Found:
    """Result of a search: figures, the spread of errors, the weight of each job, and how improbable all of it is."""

    figures: Floats
    size: float
    weights: Floats
    cost: float


def _best(model: _Model, expected: Floats) -> _Found:
    """Return the most probable result of several searches, which begin without some of the jobs."""
    errors = model.errors(expected)
    count = len(errors)
    off = np.abs(errors - np.median(errors))
    suspects = np.argsort(-off)[:MOST_SUSPECTS].tolist()
    left_out = [(), *((at,) for at in suspects), *combinations(suspects[:4], 2)]
    beginnings = [off < 0.25, *(~np.isin(np.arange(count), some) for some in left_out if len(some) < count)]
    return min((_search(model, expected, begin.astype(float)) for begin in beginnings), key=lambda found: found.cost)


def _search(model: _Model, expected: Floats, weights: Floats) -> _Found:
    """Search by Gauss-Newton steps, which never raise the cost; weights and spread of errors follow each."""
    figures, size = expected, 2 * ERROR
    limits = np.array([declaration(Machine, name).limits for name in FITTED])
    limits[-1] += LEAST_DELAY
    low, high = np.log(limits.T)
    errors = model.errors(figures)
    for step in range(STEPS):
        if step > 2:
            weights = _weights(errors, size)
        if step:
            size = _size(errors, weights)
        slopes = (model.errors(figures + STEP * np.eye(len(figures))) - errors).T / STEP
        matrix = slopes.T @ (weights[:, None] * slopes) / size**2 + np.diag(WIDTHS**-2.0)
        pull = slopes.T @ (weights * errors) / size**2 + (figures - expected) / WIDTHS**2
        move = -np.linalg.solve(matrix, pull)
        before = _surrogate(errors, weights, size, figures - expected)
        for _ in range(8):
            there = np.clip(figures + move, low, high)
            reached = model.errors(there)
            if _surrogate(reached, weights, size, there - expected) <= before + 1e-12:
                break
            move = 0.5 * move
        else:
            there, reached = figures, errors
        moved = float(np.abs(there - figures).max())
        figures, errors = there, reached
        if step > 4 and moved < 1e-5:
            break
    weights = _weights(errors, size)
    density = (1 - DOUBTFUL) * _normal(errors, size) + DOUBTFUL * ANYTHING
    known = ERRORS_KNOWN * (np.log(size) + ERROR**2 / (2 * size**2))
    cost = -np.log(density).sum() + 0.5 * (((figures - expected) / WIDTHS) ** 2).sum() + known
    return _Found(figures, size, weights, float(cost))


def _surrogate(errors: Floats, weights: Floats, size: float, away: Floats) -> float:
    return float(0.5 * (weights * errors**2).sum() / size**2 + 0.5 * ((away / WIDTHS) ** 2).sum())


def _normal(errors: Floats, size: float) -> Floats:
    return np.asarray(np.exp(-0.5 * (errors / size) ** 2) / (size * np.sqrt(2 * np.pi)))


def _weights(errors: Floats, size: float) -> Floats:
    """Probability of each error being one of measurement."""
    usual = (1 - DOUBTFUL) * _normal(errors, size)
    return np.asarray(usual / (usual + DOUBTFUL * ANYTHING))


def _size(errors: Floats, weights: Floats) -> float:
    """The most probable spread of errors."""
    return float(np.sqrt((ERRORS_KNOWN * ERROR**2 + (weights * errors**2).sum()) / (ERRORS_KNOWN + weights.sum())))


# The files


def log_of(machine: str) -> JobLog:
    """The log of the key of a machine, empty if there is none. Raise StudioError, naming the file, if it is bad."""
    path = own_path(FOLDER, machine)
    if not os.path.exists(path):
        return JobLog()
    try:
        return decode(JobLog, read(path, LARGEST), "log", Machine)
    except StudioError as problem:
        file = f"{FOLDER}/{path.name}"
        raise StudioError(tr("{file} cannot be used: {problem}", file=file, problem=problem)) from problem


def keep(machine: str, log: JobLog) -> None:
    """Save the log of the key of a machine. Raise StudioError if that fails, or if the file there is unusable."""
    log_of(machine)
    write_own(own_path(FOLDER, machine), encode(log, Machine))


def remember_export(
    machine: str, title: str, sheets: Sequence[Drawing], run: Machine, thickness: float, pictures: Sequence[Workload]
) -> float:
    """Keep exported sheets as jobs that wait for their time; return the relative error of estimates for the machine.

    Without a machine, or with an unusable log, nothing is kept, and the error is 0, unknown: the files are what counts.
    """
    if not machine:
        return 0.0
    with suppress(StudioError):
        log = log_of(machine)
        for job in reversed(jobs_of(title, date.today().isoformat(), sheets, run, thickness, pictures)):
            log = log.with_waiting(job)
        keep(machine, log)
        return spread(log, workshop.one_of(Machine, machine).value)
    return 0.0


def keep_heard(machine: str, title: str, seconds: float) -> bool:
    """Keep the time in s that LightBurn took for a waiting job; return whether that was possible."""
    with suppress(StudioError):
        log = log_of(machine)
        for job in log.waiting:
            if job.title == title:
                keep(machine, log.with_waiting(replace(job, heard=seconds)))
                return True
    return False


def known_spread(machine: Named[Machine] | None) -> float:
    """Relative error of estimates for a machine; 0 if it has no log, or an unusable one."""
    if machine is not None:
        with suppress(StudioError):
            return spread(log_of(machine.key), machine.value)
    return 0.0


def adopt(named: Named[Machine], found: Fit) -> Named[Machine]:
    """Save fitted figures for a machine, which becomes the maker's own. Raise StudioError if that fails."""
    log = log_of(named.key)
    before = figures_of(log.expected_figures(named.value))
    fitted = replace(named, value=found.machine, own=True)
    workshop.keep(fitted)
    keep(named.key, replace(log, before=before, adopted=figures_of(found.machine)))
    return fitted
