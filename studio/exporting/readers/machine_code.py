"""Reads G-code and HPGL back as a controller runs them: where the head goes, how fast, and with how strong a beam.

Nothing is run before a file has set its units and its mode, and whatever leaves the beam on between two cuts, or at the
end, is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from studio.base.texts import tr
from studio.exporting.colour_profiles import profile
from studio.exporting.options import GcodeOptions, HpglOptions, Unreadable
from studio.exporting.proof import SheetReport, prove
from studio.exporting.readers.found_lines import FoundLayer, FoundLine, Naming, Sheet
from studio.geometry.planar.drawing import Drawing, Operation

_TOLERANCE = 0.01
"""Largest deviation in mm of the lines of a file from a drawing."""
_WORD = re.compile(r"([A-Z])(-?[0-9]+(?:\.[0-9]+)?)")
_SHEET = re.compile(r"; sheet: ([0-9.]+) x ([0-9.]+) mm")
_TIME = re.compile(r"; time: ([0-9.]+) s ")
_LAYER = re.compile(r"; layer ([A-Z0-9_]+): ")
_AT_ONCE = set(b"?!~")
"""Bytes that GRBL obeys wherever they are."""
_ROUND = 0.005
"""Difference in mm of both radii of an arc beyond which GRBL may refuse it."""
_WORST_TIME = 0.1
"""Rounding in seconds of the time that a file states."""
_BEGIN = {"G21", "G90", "G17", "G94", "M4"}


@dataclass(frozen=True, eq=False)
class Code:
    """A G-code file: its sheet, feed in mm/s, power and passes of each line, millimetres of travel, stated seconds,
    and air."""

    sheet: Sheet
    feeds: tuple[float, ...]
    powers: tuple[float, ...]
    passes: tuple[int, ...]
    travel: float
    seconds: float
    has_air: bool


@dataclass
class _Controller:
    """The state of a GRBL controller, and the lines it has burnt."""

    modes: set[str] = field(default_factory=set)
    motion: int = 0
    power: float = 0.0
    feed: float = 0.0
    place: complex | None = None
    travel: float = 0.0
    layer: str = ""
    is_over: bool = False
    points: list[complex] = field(default_factory=list)
    bulges: list[float] = field(default_factory=list)
    worked: set[tuple[float, float]] = field(default_factory=set)
    lines: list[tuple[str, list[complex], list[float], float, float]] = field(default_factory=list)

    def run(self, line: str) -> None:
        """Run a line of a file; raises Unreadable for one that is not ours or that burns what it must not."""
        words = _WORD.findall(line)
        if " ".join(letter + number for letter, number in words) != line or self.is_over:
            raise Unreadable(tr("it has an unexpected line ({line})", line=line[:40]))
        values: dict[str, float] = {}
        for letter, number in words:
            if letter == "G" and number in ("0", "1", "2", "3"):
                self.motion = int(number)
            elif letter in "GM":
                self._switch(letter + number)
            elif letter in "XYIJFS" and letter not in values:
                values[letter] = float(number)
            else:
                raise Unreadable(tr("it has an unexpected line ({line})", line=line[:40]))
        self.power, self.feed = values.get("S", self.power), values.get("F", self.feed)
        if "X" in values and "Y" in values:
            self._move(complex(values["X"], values["Y"]), values)
        elif {"X", "Y", "I", "J"} & set(values) or (words and words[0][0] == "G" and words[0][1] in "0123"):
            raise Unreadable(tr("it has an unexpected line ({line})", line=line[:40]))

    def _switch(self, word: str) -> None:
        if word in ("M5", "M2"):
            self.finish()
            self.modes.discard("M4")
            self.is_over = word == "M2"
        elif word == "M9":
            self.modes.add("M9")
        elif word in (*_BEGIN, "M8") and not self.lines and not self.points:
            self.modes.add(word)
        else:
            raise Unreadable(tr("it has an unexpected command ({word})", word=word))

    def _move(self, end: complex, values: dict[str, float]) -> None:
        if not self.modes >= _BEGIN:
            raise Unreadable(tr("the head moves before units and beam are set, or after the beam is off"))
        if self.motion == 0:
            if self.power:
                raise Unreadable(
                    tr("the beam is on while the head travels to x {x:.1f}, y {y:.1f} mm", x=end.real, y=end.imag)
                )
            self.finish()
            self.travel += 0.0 if self.place is None else abs(end - self.place)
        elif self.place is None or not (self.power > 0 and self.feed > 0):
            raise Unreadable(
                tr("the beam is off while the head cuts to x {x:.1f}, y {y:.1f} mm", x=end.real, y=end.imag)
            )
        else:
            self.points = self.points or [self.place]
            self.points.append(end)
            self.bulges.append(0.0 if self.motion == 1 else self._bulge(self.place, end, values))
            self.worked.add((self.feed / 60, self.power))
        self.place = end

    def _bulge(self, begin: complex, end: complex, values: dict[str, float]) -> float:
        """Return the bulge of an arc, positive if it turns to the left."""
        if not {"I", "J"} <= set(values):
            raise Unreadable(tr("an arc has no centre"))
        arm = complex(values["I"], values["J"])
        reach = end - begin - arm
        if abs(abs(arm) - abs(reach)) > _ROUND or not arm:
            raise Unreadable(tr("an arc does not end on its circle"))
        angle = float(np.angle(reach / -arm)) % (2 * np.pi)
        return float(np.tan((angle if self.motion == 3 else angle - 2 * np.pi) / 4))

    def finish(self) -> None:
        """End the present line, before the head travels or the beam goes off."""
        if not self.points:
            return
        if len(self.worked) > 1:
            raise Unreadable(tr("a line changes its power or its speed"))
        ((feed, power),) = self.worked
        self.lines.append((self.layer, self.points, self.bulges, feed, power))
        self.points, self.bulges, self.worked = [], [], set()


def read_gcode(data: bytes, _options: GcodeOptions) -> Code:
    """Run a file for GRBL, y turned downwards; raises Unreadable for a foreign file or a beam that is on wrongly."""
    if _AT_ONCE & set(data) or any(byte > 126 or (byte < 32 and byte != 10) for byte in set(data)):
        raise Unreadable(tr("it contains a character that controllers obey at once"))
    texts = data.decode("ascii").split("\n")
    size = [found for text in texts if (found := _SHEET.match(text))]
    time = [found for text in texts if (found := _TIME.match(text))]
    if len(size) != 1 or len(time) != 1 or texts[-2:] != ["M2", ""]:
        raise Unreadable(tr("it is truncated or not a G-code file of ours"))
    head = _Controller()
    for text in texts[:-1]:
        if text.startswith(";"):
            layer = _LAYER.match(text)
            if layer is not None:
                head.finish()
                head.layer = layer[1]
        else:
            if text == "M2" and "M4" in head.modes:
                raise Unreadable(tr("the beam is not switched off at the end"))
            head.run(text)
    if ("M8" in head.modes) != ("M9" in head.modes):
        raise Unreadable(tr("the air is not switched on or not off"))
    width, height = float(size[0][1]), float(size[0][2])
    # Passes follow each other.
    runs = [(line, len([*same])) for line, same in groupby(head.lines)]
    lines = tuple(_line(FoundLayer(layer), points, bulges, height) for (layer, points, bulges, _, _), _ in runs)
    feeds, powers, passes = (tuple(each) for each in zip(*((*line[3:], count) for line, count in runs), strict=True))
    has_air = "M8" in head.modes
    return Code(Sheet(width, height, lines), feeds, powers, passes, head.travel, float(time[0][1]), has_air)


def _line(layer: FoundLayer, points: list[complex], bulges: list[float], height: float) -> FoundLine:
    """Return a line with y turned downwards, which turns the bulges, too."""
    places = np.array([(point.real, height - point.imag) for point in points])
    bends = -np.array(bulges)
    return FoundLine(layer, places, points[0] == points[-1], False, bends if bends.any() else None)


def prove_gcode(found: Code, drawing: Drawing, options: GcodeOptions, rounding: float) -> SheetReport:
    """Report on G-code; raises Unreadable if lines, order, speeds, powers, air or the stated time are wrong."""
    worked = _without_marks(drawing)
    report = prove(found.sheet, worked, options, rounding, _TOLERANCE)
    names = Naming(worked)
    settings = options.worked(worked.chains)
    for at, ((speed, power, passes), line) in enumerate(zip(settings, found.sheet.lines, strict=True)):
        if found.powers[at] != power or abs(found.feeds[at] - speed) > 1e-5 * speed + 1e-5:
            told = tr("is run with S{power:g} at {speed:g} mm/s", power=found.powers[at], speed=found.feeds[at])
            raise Unreadable(names.told(at, line.points[0], told))
        if found.passes[at] != passes:
            raise Unreadable(names.told(at, line.points[0], tr("has {passes} passes", passes=found.passes[at])))
    each = zip(found.sheet.lines, found.feeds, found.passes, strict=True)
    cutting = sum(passes * line.length / feed for line, feed, passes in each)
    seconds = cutting + found.travel / options.run.rapid_speed
    if abs(seconds - found.seconds) > _WORST_TIME + 1e-3 * seconds:
        raise Unreadable(
            tr("it states {stated:.0f} s and takes {seconds:.0f} s", stated=found.seconds, seconds=seconds)
        )
    if found.has_air != options.has_air:
        raise Unreadable(tr("the air is not switched on or not off"))
    return report


def _without_marks(drawing: Drawing) -> Drawing:
    """Return a drawing without registration marks, which these formats leave out."""
    return replace(drawing, chains=tuple(one for one in drawing.chains if one.operation is not Operation.MARK))


# HPGL

_UNITS = 40.0
_GRID = 0.001
"""Grid in mm on which arcs of our files end."""
_OFF_GRID = 0.0002
"""Distance in mm from it that is the rounding of an arc."""
_COMMAND = re.compile(r'(IN|IP|SP|PU|PD|PA|AA)([-0-9.,]*);|CO"[^"]*";')


def read_hpgl(data: bytes, options: HpglOptions) -> Sheet:
    """Read the sheet in an HPGL file, y turned downwards; raises Unreadable for a foreign file."""
    try:
        texts = data.decode("ascii").split("\n")
        if texts[0] != "IN;" or texts[-3:] != ["PU;", "SP0;", ""]:
            raise Unreadable(tr("it is truncated or not an HPGL file of ours"))
        left, bottom, width, height = _numbers(texts[1].removeprefix("IP").removesuffix(";"))
        if (left, bottom) != (0, 0) or not texts[1].startswith("IP"):
            raise Unreadable(tr("its page does not start at zero"))
        layers = [layer.name for layer in profile(options.profile).layers]
        lines = _plotted(texts[2:-1], layers, height / _UNITS, has_arcs=options.hpgl == "arcs")
    except ValueError as problem:
        raise Unreadable(tr("it is not an HPGL file")) from problem
    return Sheet(width / _UNITS, height / _UNITS, tuple(lines))


def _plotted(texts: list[str], layers: list[str], height: float, *, has_arcs: bool) -> list[FoundLine]:
    """Return the lines that a plotter draws; raises Unreadable or ValueError for commands that are not ours."""
    lines: list[FoundLine] = []
    points: list[complex] = []
    bulges: list[float] = []
    place: complex | None = None
    layer, is_down = "", False
    for text in texts:
        found = _COMMAND.fullmatch(text)
        if found is None:
            raise Unreadable(tr("it has an unexpected line ({line})", line=text[:40]))
        name, numbers = found[1], _numbers(found[2] or "")
        if name in ("SP", "PU") and points:
            lines.append(_line(FoundLayer(layer), points, bulges, height))
            points, bulges = [], []
        if name == "SP":
            if is_down or numbers[0] not in range(len(layers) + 1):
                raise Unreadable(tr("it changes to an unexpected pen"))
            layer = layers[int(numbers[0]) - 1] if numbers[0] else ""
        elif name in ("PU", "PD", "PA"):
            is_down = name == "PD" or (name == "PA" and is_down)
            for x, y in zip(numbers[::2], numbers[1::2], strict=True):
                end = _snapped(complex(x, y) / _UNITS) if has_arcs else complex(x, y) / _UNITS
                if is_down:
                    if place is None or not layer:
                        raise Unreadable(tr("it draws without a pen or a start"))
                    points = points or [place]
                    points.append(end)
                    bulges.append(0.0)
                place = end
        elif name == "AA":
            if not is_down or place is None or not layer or not has_arcs:
                raise Unreadable(tr("it has an unexpected line ({line})", line=text[:40]))
            x, y, degrees = numbers
            centre = complex(x, y) / _UNITS
            points = points or [place]
            place = _snapped(centre + (place - centre) * np.exp(1j * np.radians(degrees)))
            points.append(place)
            bulges.append(float(np.tan(np.radians(degrees) / 4)))
        elif name is not None:
            raise Unreadable(tr("it has an unexpected line ({line})", line=text[:40]))
    if is_down:
        raise Unreadable(tr("the pen is not lifted at the end"))
    return lines


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")] if text else []


def _snapped(end: complex) -> complex:
    """Return the place that is meant, the same for lines and arcs; raises Unreadable if an arc ends elsewhere."""
    meant = complex(round(round(end.real / _GRID) * _GRID, 9), round(round(end.imag / _GRID) * _GRID, 9))
    if abs(end - meant) > _OFF_GRID:
        raise Unreadable(tr("an arc ends beside the next line, near x {x:.1f}, y {y:.1f} mm", x=end.real, y=end.imag))
    return meant


def prove_hpgl(sheet: Sheet, drawing: Drawing, options: HpglOptions, rounding: float) -> SheetReport:
    """Report on HPGL; raises Unreadable if its lines, their order or their pens are not the drawing's."""
    exact = rounding if options.hpgl == "whole" else _GRID / 2
    # A page is stated in whole units, rounded up.
    if not all(
        -1e-6 <= found - wanted <= 1 / _UNITS + 1e-6
        for found, wanted in ((sheet.width, drawing.width), (sheet.height, drawing.height))
    ):
        return prove(sheet, drawing, options, exact, _TOLERANCE)
    sheet = replace(sheet, width=drawing.width, height=drawing.height)
    return prove(sheet, _without_marks(drawing), options, exact, _TOLERANCE)
