"""Align cuts with a print: from measured registration marks to a correction of the sheets that are cut.

mark: its place on the sheet, and the place at which the print has it, both in mm as the machine sees them. typed: the
printed mark's distance from the machine's own mark. photo: both marks seen in one photograph. scan: the print alone,
which tells its scale and skew but not its place on the bed. residue: distance of a mark from its corrected place.

A printer stretches both directions and skews them a little, and the sheet is turned and moved on the bed: an affine
map. Three marks cannot tell skew from a bad measurement, so their map has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from studio.base.amounts import listed, many
from studio.base.errors import StudioError
from studio.base.json_files import read
from studio.base.texts import tr
from studio.base.units import Against
from studio.fabricate.making import ENGRAVING, LABELS, TO_BURN, Made, Making
from studio.fabricate.tabs import NO_MARKS, TARGET_MARKS, places
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Drawing, Operation, beyond

TYPED, PHOTO, SCAN = "typed", "photo", "scan"
NOISE = {TYPED: 0.1, PHOTO: 0.03, SCAN: 0.03}
"""Usual error in mm of a coordinate: read off a ruler, or found in a picture."""
TRUST = 4
"""Measurements that the usual error counts for, beside those of the sheet: a few marks may agree by luck."""
FAR = 4.5
"""Standard deviations beyond which a mark contradicts the others: 1 in 20,000 for honest marks."""
SURE = 3.0
"""Standard deviations of a coordinate within which 95 % of sheets have all four corners of their cuts."""
LARGEST_ERROR = 0.15
"""Largest expected error of cuts in mm that is accepted of a picture."""
LEAST_MARKS = 3
MOST_SCALE, MOST_SKEW, MOST_TURN = 0.02, 0.01, 5.0
"""Largest scale and skew of a print, as shares, and largest turn of a sheet laid by hand, in degrees."""
SAME = 0.01
"""Distance in mm up to which a mark is still in the same place of a sheet."""
LARGEST_FILE = 2**20
FORMAT, VERSION = "puzzle-studio alignment", 1
TITLES = {
    "top-left": tr("top left"), "top": tr("top"), "top-right": tr("top right"), "right": tr("right"),
    "bottom-right": tr("bottom right"), "bottom": tr("bottom"), "bottom-left": tr("bottom left"), "left": tr("left"),
}  # fmt: skip
Marks = Mapping[str, Floats]
"""Places (2,) in mm by the name of the mark."""


def marks_of(sheet: Drawing, making: Making) -> dict[str, Floats]:
    """Places of a sheet's marks; raises StudioError if it has none."""
    if making.marks == NO_MARKS:
        raise StudioError(tr("The sheet has no registration marks. Export and print it with targets first."))
    return places(sheet, making.marks, making.mark_size, making.bleed)


@dataclass(frozen=True, eq=False)
class Alignment:
    """Measured marks of the sheet of a number, counted from 1; `found` has some of the marks of `nominal`."""

    nominal: Marks
    found: Marks
    source: str = TYPED
    sheet: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measured marks, clockwise."""
        return tuple(name for name in TARGET_MARKS if name in self.found)

    def text(self) -> str:
        """The alignment as the text of a file."""
        marks = {
            name: {"sheet": np.round(self.nominal[name], 4).tolist(), "print": np.round(self.found[name], 4).tolist()}
            for name in self.names
        }
        value = {"format": FORMAT, "version": VERSION, "sheet": self.sheet, "source": self.source, "marks": marks}
        return json.dumps(value, indent=2) + "\n"


def read_alignment(path: Path) -> Alignment:
    """Read an alignment from a file; raises StudioError, with the file's name, if it holds none."""
    try:
        value = read(path, LARGEST_FILE)
        if not (isinstance(value, dict) and value.get("format") == FORMAT and value.get("version") == VERSION):
            raise StudioError(tr("it is not an alignment, as `align` writes it."))
        sheet, source, marks = value.get("sheet"), value.get("source"), value.get("marks")
        if source not in NOISE or type(sheet) is not int or sheet < 1 or not isinstance(marks, dict):
            raise StudioError(tr("its sheet, source or marks are missing."))
        pairs = {name: (_place(each, "sheet"), _place(each, "print")) for name, each in marks.items()}
        if not pairs.keys() <= TITLES.keys():
            raise StudioError(tr("marks are {names}.", names=listed(TARGET_MARKS)))
    except StudioError as problem:
        raise StudioError(tr("{path} cannot be used: {problem}", path=path, problem=problem)) from problem
    nominal, found = ({name: pair[at] for name, pair in pairs.items()} for at in (0, 1))
    return Alignment(nominal, found, source, sheet)


def _place(value: Any, key: str) -> Floats:
    pair = value.get(key) if isinstance(value, dict) else None
    numbers = pair if isinstance(pair, list) and len(pair) == 2 else ()
    if len(numbers) != 2 or not all(type(each) in (int, float) and abs(each) < 1e5 for each in numbers):
        raise StudioError(tr("a mark needs two numbers in mm under {key!r}.", key=key))
    return np.array(numbers, np.float64)


def typed(nominal: Marks, offsets: Mapping[str, tuple[float, float]], sheet: int = 1) -> Alignment:
    """Make an alignment of typed offsets: mm to the right and down from the machine's mark to the printed one."""
    for name in offsets:
        if name not in nominal:
            raise StudioError(tr("The sheet has no mark {name!r}; its marks are {names}.", name=name,
                                 names=listed(nominal)))  # fmt: skip
    return Alignment(nominal, {name: nominal[name] + np.array(each) for name, each in offsets.items()}, TYPED, sheet)


@dataclass(frozen=True, eq=False)
class Correction:
    """An affine map of the sheet, p ↦ matrix p + shift in mm, with the residue of each mark and the error of cuts.

    `scale` are the factors to the right and down, `skew` a share, `turn` in degrees clockwise on the screen. `error` is
    the distance in mm within which all cuts of 95 % of sheets are expected.
    """

    matrix: Floats
    shift: Floats
    residues: Mapping[str, float]
    error: float
    scale: tuple[float, float]
    skew: float
    turn: float

    @property
    def residue(self) -> float:
        """Largest residue of a mark in mm."""
        return max(self.residues.values())

    def of(self, points: Floats) -> Floats:
        """Correct points (n, 2) in mm."""
        return np.asarray(points @ self.matrix.T + self.shift)

    def facts(self) -> str:
        """The correction in a sentence."""
        return tr(
            "Aligned with the print by {marks}: width {width:+z.2f} %, height {height:+z.2f} %, turned {turn:+z.2f}°, "
            "residue {residue:.2f} mm; cuts are expected within {error:.2f} mm.",
            marks=many(len(self.residues), "mark"), width=100 * (self.scale[0] - 1), height=100 * (self.scale[1] - 1),
            turn=self.turn, residue=self.residue, error=self.error,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Fit:
    """Least squares of a map: matrix, shift, deviations (n, 2) of the marks, and degrees of freedom left.

    `covariance` is that of the map's parameters for errors of 1 mm; `has_skew` tells which map it is.
    """

    matrix: Floats
    shift: Floats
    deviations: Floats
    freedom: int
    covariance: Floats
    middle: Floats
    has_skew: bool

    @classmethod
    def of(cls, places: Floats, found: Floats) -> _Fit:
        """Fit the map of as many parameters as the marks can prove."""
        has_skew, middle = len(places) > LEAST_MARKS, places.mean(axis=0)
        design = np.concatenate([_design(each - middle, has_skew=has_skew) for each in places])
        turned, turn = found, 0.0
        # Without skew, the linear map only holds for small turns: the sheet is turned back before.
        for _ in range(1 if has_skew else 5):
            solved = np.linalg.lstsq(design, (turned - places).ravel(), rcond=None)[0]
            turn += 0.0 if has_skew else float(solved[4])
            turned = found @ _rotation(turn)
        lines = _design(np.zeros(2), has_skew=has_skew), *(_design(axis, has_skew=has_skew) for axis in np.eye(2))
        at, *ends = (line @ solved for line in lines)
        matrix = _rotation(turn) @ (np.eye(2) + np.stack([end - at for end in ends], 1))
        shift = _rotation(turn) @ (middle + at) - matrix @ middle
        deviations = found - (places @ matrix.T + shift)
        covariance = np.linalg.pinv(design.T @ design)
        return cls(matrix, shift, deviations, design.shape[0] - design.shape[1], covariance, middle, has_skew)

    def spread(self, noise: float) -> float:
        """Standard deviation of a coordinate in mm, with the usual one as a few more measurements."""
        squares = float((self.deviations**2).sum())
        return float(np.sqrt((TRUST * noise**2 + squares) / (TRUST + self.freedom)))

    def leverage(self, place: Floats) -> float:
        """Variance of the larger coordinate of the map at a place, for marks with variance 1."""
        line = _design(place - self.middle, has_skew=self.has_skew)
        return float(np.linalg.eigvalsh(line @ self.covariance @ line.T)[-1])


def _design(place: Floats, *, has_skew: bool) -> Floats:
    """Rows of both coordinates: shift, stretch of x and y, then turn, or both shears of an affine map."""
    x, y = place.tolist()
    shear = [[y, 0.0], [0.0, x]] if has_skew else [[-y], [x]]
    return np.array([[1.0, 0.0, x, 0.0, *shear[0]], [0.0, 1.0, 0.0, y, *shear[1]]])


def _rotation(turn: float) -> Floats:
    cosine, sine = np.cos(turn), np.sin(turn)
    return np.array([[cosine, -sine], [sine, cosine]])


def correction(alignment: Alignment, cuts: Floats) -> Correction:
    """Compute the correction of a sheet; `cuts` (n, 2) are places in mm where its error is judged.

    Raise StudioError for too few marks, for one that contradicts the others, and for a map that no print explains.
    """
    names, noise = alignment.names, NOISE[alignment.source]
    places, found = (np.array([marks[name] for name in names]).reshape(-1, 2)
                     for marks in (alignment.nominal, alignment.found))  # fmt: skip
    _refuse_few(places)
    if alignment.source == SCAN:
        found = _straightened(places, found)
    fit = _Fit.of(places, found)
    _refuse_contradiction(names, places, found, fit, noise)
    turn = float(np.arctan2(fit.matrix[1, 0], fit.matrix[0, 0]))
    upright = _rotation(-turn) @ fit.matrix
    scale, skew = (float(upright[0, 0]), float(upright[1, 1])), float(upright[0, 1] / upright[1, 1])
    _refuse_unlikely(scale, skew, np.degrees(turn))
    residues = dict(zip(names, np.hypot(*fit.deviations.T).tolist(), strict=True))
    error = SURE * fit.spread(noise) * max(fit.leverage(place) for place in cuts) ** 0.5
    if alignment.source != TYPED and error > LARGEST_ERROR:
        words = tr("The marks in the picture agree only well enough for cuts within {error:.2f} mm (maximum {most:g} "
                   "mm). Take it from nearer, sharp, with all marks in sight.",
                   error=Against(error, LARGEST_ERROR), most=LARGEST_ERROR)  # fmt: skip
        raise StudioError(words)
    return Correction(fit.matrix, fit.shift, residues, error, scale, skew, float(np.degrees(turn)))


def _refuse_few(places: Floats) -> None:
    if len(places) < LEAST_MARKS:
        words = tr("An alignment needs at least {least} marks, not {count}.", least=LEAST_MARKS, count=len(places))
        raise StudioError(words)
    # Marks along one side say nothing about the other direction.
    if np.linalg.svd(places - places.mean(axis=0), compute_uv=False)[-1] < SAME * np.ptp(places):
        raise StudioError(tr("All measured marks are on one line. Measure one on another side of the sheet, too."))


def _straightened(places: Floats, found: Floats) -> Floats:
    """Turn and move the marks of a scan so that the print keeps its middle and its upper edge: the rest is printing."""
    fit = _Fit.of(places, found)
    turn = float(np.arctan2(fit.matrix[1, 0] - fit.matrix[0, 1], fit.matrix[0, 0] + fit.matrix[1, 1]))
    about = places.mean(axis=0)
    return np.asarray((found - found.mean(axis=0)) @ _rotation(turn) + about)


def _refuse_contradiction(names: Sequence[str], places: Floats, found: Floats, fit: _Fit, noise: float) -> None:
    """Raise StudioError for a mark that is farther off than the others explain; it is named if they prove it."""
    count = len(names)
    limit = FAR * noise * (fit.freedom / 2) ** 0.5
    is_bad, worst = bool((fit.deviations**2).sum() ** 0.5 > limit), None
    if count > LEAST_MARKS:
        rest = [np.arange(count) != at for at in range(count)]
        fits = [_Fit.of(places[kept], found[kept]) for kept in rest]
        away = [float(np.hypot(*(found[at] - (one.matrix @ places[at] + one.shift)))) for at, one in enumerate(fits)]
        limits = [FAR * one.spread(noise) * (1 + one.leverage(places[at])) ** 0.5 for at, one in enumerate(fits)]
        squares = np.array([float((one.deviations**2).sum()) for one in fits])
        at = int(squares.argmin())
        others = np.delete(squares, at).min()
        # Four marks on a rectangle contradict each other all alike; the one whose absence heals the rest is named.
        is_far = away[at] > limits[at] and (count > LEAST_MARKS + 1 or is_bad)
        if is_far and others > 4 * (squares[at] + noise**2):
            worst = at
        is_bad = is_bad or is_far
    if worst is not None:
        words = tr(
            "The mark {name} is {away:.2f} mm off the place that the others agree on; they explain {limit:.2f} mm. "
            "Measure it again, or leave it out.",
            name=TITLES[names[worst]], away=away[worst], limit=limits[worst],
        )  # fmt: skip
        raise StudioError(words)
    if is_bad:
        words = tr(
            "The marks contradict each other by {away:.2f} mm, more than a print explains. Measure them again.",
            away=float(np.hypot(*fit.deviations.T).max()),
        )
        raise StudioError(words)


def _refuse_unlikely(scale: tuple[float, float], skew: float, turn: float) -> None:
    """Raise StudioError for a map that is no print of this sheet."""
    worst = max(scale, key=lambda each: abs(each - 1))
    if abs(worst - 1) > MOST_SCALE:
        words = tr("The print is {share:+.1f} % off in size (maximum {most:g} %). Print it again at 100 %.",
                   share=100 * (worst - 1), most=100 * MOST_SCALE)  # fmt: skip
        raise StudioError(words)
    if abs(skew) > MOST_SKEW:
        words = tr("The marks are skewed by {share:.1f} % (maximum {most:g} %). Measure them again.",
                   share=100 * abs(skew), most=100 * MOST_SKEW)  # fmt: skip
        raise StudioError(words)
    if abs(turn) > MOST_TURN:
        words = tr("The sheet is turned by {turn:.1f}° (maximum {most:g}°). Lay it down straighter.",
                   turn=abs(turn), most=MOST_TURN)  # fmt: skip
        raise StudioError(words)


def corners_of(sheet: Drawing) -> Floats:
    """Corners (4, 2) in mm of the box around all cuts of a sheet."""
    points = sheet.rings(sheet.polylines).points
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def corrected(sheet: Drawing, found: Correction) -> Drawing:
    """Correct all lines of a sheet; marks that leave it are left out, artwork stays as printed.

    Kerf and clearance are in the lines already: a scale of 0.5 % changes half a kerf by less than 0.001 mm. Raise
    StudioError if cuts leave the sheet.
    """
    moved = replace(sheet, strokes=Curves(found.of(sheet.strokes.points), sheet.strokes.starts))
    box = sheet.width, sheet.height
    kept = [
        chain for chain in moved.chains
        if chain.operation is not Operation.MARK or beyond(moved.strokes.chosen(chain.strokes >> 1).points, *box) <= 0
    ]  # fmt: skip
    moved = replace(moved, chains=tuple(kept))
    excess = beyond(corners_of(moved), *box)
    if excess > 0:
        words = tr("Aligned with the print, cuts would leave the sheet by {excess:.1f} mm. Lay the sheet closer to its "
                   "place, or widen the margin.", excess=excess)  # fmt: skip
        raise StudioError(words)
    return moved


def aligned(made: Made, making: Making, alignments: Sequence[Alignment]) -> Made:
    """Correct the sheets that were measured, and the labels and engravings that go with them, and say how.

    Raise StudioError if an alignment is of another sheet, and as `correction` and `corrected`.
    """
    plans, notes, told = list(made.plans), list(made.notes), list[str]()
    # The marks are burned by now.
    beside = [one for one in made.beside if one[1] != TO_BURN]
    for each in alignments:
        number = each.sheet - 1
        if number >= len(plans):
            words = tr("The alignment is of sheet {number}, but there are only {sheets}.", number=each.sheet,
                       sheets=many(len(plans), "sheet"))  # fmt: skip
            raise StudioError(words)
        sheet = plans[number].drawing
        known = marks_of(sheet, making)
        if any(name not in known or np.abs(known[name] - each.nominal[name]).max() > SAME for name in each.names):
            raise StudioError(tr("The alignment was measured on another sheet: its marks are in other places. Use the "
                                 "same puzzle, machine and options as for the print."))  # fmt: skip
        found = correction(each, corners_of(sheet))
        plans[number] = replace(plans[number], drawing=corrected(sheet, found))
        beside = [
            (at, word, corrected_overlay(one, found) if at == number and word in (LABELS, ENGRAVING) else one)
            for at, word, one in beside
        ]
        numbered = tr("Sheet {number}: {facts}", number=each.sheet, facts=found.facts())
        told.append(found.facts() if len(plans) == 1 else numbered)
        if each.source == SCAN:
            notes.append(tr("A scan tells nothing about the place on the bed: align the file's marks with the printed "
                            "ones on the machine."))  # fmt: skip
    return replace(
        made, plans=tuple(plans), beside=tuple(beside), notes=tuple(notes), printed=made.fronts,
        alignment=" ".join(told),
    )  # fmt: skip


def corrected_overlay(sheet: Drawing, found: Correction) -> Drawing:
    """Correct the lines of a drawing that goes with a sheet."""
    return replace(sheet, strokes=Curves(found.of(sheet.strokes.points), sheet.strokes.starts))
