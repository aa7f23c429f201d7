"""The column that asks how a drawing is made, the trial of its result, and options of other formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QSizePolicy, QWidget

from studio.base.errors import StudioError
from studio.base.parameters import remembered
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate.making import BY_LENGTH, BY_PIECE, NO_TABS, REVERSE, Made, Making
from studio.fabricate.recipes import equipped
from studio.fabricate.tabs import NO_MARKS
from studio.fabricate.workshop import Machine, Material, Named
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.regions import FreeArea
from studio.ui.panels.file_dialog import RIM
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.workshop import WorkshopBox
from studio.ui.session.derived import Derived, Memory
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.extension import Linked
from studio.ui.session.jobs import Jobs
from studio.ui.session.preferences import Preferences
from studio.ui.widgets.controls import GROUP_GAP, CalmComboBox, Remark, without_icons
from studio.ui.widgets.layout import REST, column
from studio.ui.widgets.length_spin import shown
from studio.ui.widgets.theme import GAP

if TYPE_CHECKING:
    from studio.ui.session.session import Session


# Trials of a request and of the other way, for comparison: pieces apart instead of shared lines, or the reverse.

Make = Callable[[Drawing, Making, Machine, Material, Progress], Made]

MAKING, COMPARING = "making", "making the other way"
PAUSE_MS = 200
"""Delay after the last change before a trial."""
MOST_KEPT = 4


class MakingRequest(NamedTuple):
    """Everything that determines how a drawing is made."""

    making: Making
    machine: Machine
    material: Material

    @property
    def other(self) -> MakingRequest:
        """The same with separate pieces instead of shared lines, or the reverse."""
        making = self.making
        if making.lines == "shared":
            return self._replace(making=replace(making, lines="separate", squeeze=0, moves=()))
        # Several copies can only lie on the bed, where separate pieces lie anyway.
        page = "bed" if making.copies > 1 else making.page
        return self._replace(making=replace(making, lines="shared", page=page, squeeze=0, moves=()))


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a request, or the sentence on why it is impossible."""

    made: Made | None
    refusal: str = ""


class Trial(QObject):
    """Tries one request; `changed` reports every new state."""

    changed = Signal()

    def __init__(self, drawing: Drawing, make: Make, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawing, self._make = drawing, make
        memory = Memory[Outcome](MOST_KEPT)
        self._requested = Derived(jobs, MAKING, self._try, pause=PAUSE_MS, remembered=memory, parent=self)
        self._other = Derived(jobs, COMPARING, self._try, remembered=memory, parent=self)
        self._requested.changed.connect(self._compare)
        self._other.changed.connect(self.changed)

    @property
    def request(self) -> MakingRequest | None:
        """The last request."""
        return self._requested.question

    @property
    def outcome(self) -> Outcome | None:
        """The result of the request; None while it is unknown."""
        return _outcome(self._requested)

    @property
    def other(self) -> Outcome | None:
        """The result of the request made the other way; None while it is unknown."""
        return _outcome(self._other)

    @property
    def progress(self) -> float:
        """Progress of the request, from 0 to 1."""
        return self._requested.share

    def ask(self, request: MakingRequest | None) -> None:
        """Try a request, cancelling an older one; None tries nothing."""
        self._requested.ask(request)

    def stop(self) -> None:
        """Stop all trials."""
        self._requested.cancel()
        self._other.cancel()

    def _compare(self) -> None:
        """Try the other way as soon as the result of the request is known."""
        self._other.ask(None if self.request is None else self.request.other, settled=self.outcome is not None)
        self.changed.emit()

    def _try(self, request: MakingRequest, progress: Progress) -> Outcome:
        try:
            return Outcome(self._make(self._drawing, request.making, request.machine, request.material, progress))
        except StudioError as problem:
            return Outcome(None, str(problem))


def _outcome(derived: Derived[MakingRequest, Outcome]) -> Outcome | None:
    return Outcome(None, derived.problem) if derived.problem else derived.answer


# The dialog of options for another program's file, which precedes the choice of the file

LEAST_WIDTH = 320
"""Least width in pixels: the desktop writes the title above."""


class OptionsDialog(QDialog):
    """A form of options, which are its request."""

    def __init__(self, title: str, options: Any, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.form = ParameterForm(options, Manner.PLAIN)
        self.buttons = QDialogButtonBox()
        self.buttons.addButton(tr("Continue…"), QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        without_icons(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column(self.form, GAP, self.buttons, of=self, margins=RIM)
        self.setMinimumWidth(LEAST_WIDTH)

    def request(self) -> Any:
        """Return the chosen options."""
        return self.form.parameters()


def ask_for_options(session: Session, title: str, options: Any, name: str) -> Any:
    """Ask for options, starting with those last chosen under a name; None if cancelled."""
    usual = remembered(session.preferences.export_values(name), options)
    dialog = OptionsDialog(title, usual, session.dialogs.parent)
    chosen = session.dialogs.ask(dialog)
    dialog.deleteLater()
    if chosen is not None:
        session.preferences.set_export_values(name, asdict(chosen))
    return chosen


OF_MATERIAL = ("kerf", "play")
"""The material's values, unless changed for this export."""
OF_PRINT = ("marks", "mark_size", "marks_file", "bleed")
"""The values of a print, which needs artwork."""
OF_THIS_TIME = (*OF_MATERIAL, "copies", "squeeze", "area", "moves")
"""Values not remembered: a stale one would waste wood or time."""
UNALIGNED = tr("Cuts can be aligned with a print, but not the engraved artwork. Leave out the raster.")
NO_PLAY = tr("With single lines, the gap between pieces is the kerf.")
ALWAYS_BED = tr("Nested outlines always use the machine bed.")
NO_LAYOUT = tr("Single lines keep all pieces in place.")
STAYING = tr("Not used while pieces stay in place.")
OF_APART = {"shared": tr("In place (kerf-compensated)"), "separate": tr("Rearranged (kerf-compensated)")}
"""The cut styles of a drawing whose pieces share no line: the kerf is compensated in either."""
TAB_OPTIONS = {"tab_width": (BY_PIECE, BY_LENGTH), "tab_count": (BY_PIECE,), "tab_spacing": (BY_LENGTH,)}
"""The kinds of tabs that each option applies to."""
LEADS = ("lead_in", "overcut")
NO_WASTE = tr("Single lines have no waste beside them.")
AT_TABS = tr("With tabs, cuts begin and end at a tab.")
LABEL_OPTIONS = ("label_text", "label_height", "label_side", "label_file")
NO_BED = tr("Not used when the sheet is trimmed to the board.")
NOT_NESTED = tr("Only used for nested outlines.")
ON_OFFCUT = tr("The offcut is the sheet.")
OFFCUTS, MOST_OFFCUTS = "offcuts", 6
"""Name under which the last offcuts are stored, and their greatest number."""
FileChooser = Callable[[QWidget, Path], Path | None]


def choose_offcut(parent: QWidget, folder: Path) -> Path | None:
    """Ask for the drawing of an offcut; None if cancelled."""
    kinds = tr("Drawings (*.svg *.dxf)")
    return Dialogs(parent).open_path(folder, tr("Cut from an offcut"), kinds)


class OffcutBox(CalmComboBox):
    """The sheet to cut from: a new one, a recent offcut or another file; `changed` reports every change."""

    changed = Signal()

    def __init__(self, preferences: Preferences, chooser: FileChooser = choose_offcut) -> None:
        super().__init__(tr("Cut from"), tr("An offcut: a drawing of its outline and its used parts, in millimetres"))
        self._preferences, self._chooser = preferences, chooser
        self.area: FreeArea | None = None
        """The free area of the chosen offcut; None for a new sheet."""
        self.problem = ""
        """Why the chosen file cannot be used, in a sentence; empty if it can."""
        self.setMinimumContentsLength(4)
        self.setSizeAdjustPolicy(CalmComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._offer(None)
        self.activated.connect(self._pick)

    def remember(self, rests: Sequence[Path]) -> None:
        """Add rests of sheets to the offcuts on offer, the newest first."""
        files = list(dict.fromkeys([*map(str, rests), *map(str, self._recent())]))
        self._preferences.set_export_values(OFFCUTS, {"files": files[:MOST_OFFCUTS]})

    def _recent(self) -> list[Path]:
        stored = self._preferences.export_values(OFFCUTS).get("files", [])
        return [Path(each) for each in stored if isinstance(each, str) and os.path.isfile(each)]

    def _offer(self, chosen: Path | None) -> None:
        """Offer a new sheet, recent offcuts and another file, with one of them chosen."""
        with QSignalBlocker(self):
            self.clear()
            self.addItem(tr("New sheet"), None)
            for path in dict.fromkeys([*([] if chosen is None else [chosen]), *self._recent()]):
                self.addItem(path.name, str(path))
                self.setItemData(self.count() - 1, str(path), Qt.ItemDataRole.ToolTipRole)
            self.addItem(tr("Offcut from a file…"), "")
            self.setCurrentIndex(0 if chosen is None else 1)

    def _pick(self) -> None:
        data = self.currentData()
        if data == "":
            recent = self._recent()
            path = self._chooser(self, recent[0].parent if recent else Path.home())
        else:
            path = None if data is None else Path(data)
        self.use(path)

    def use(self, path: Path | None) -> None:
        """Cut from the offcut that a file draws, or from a new sheet."""
        from studio.files.drawing_import import read_free_area

        self.area, self.problem = None, ""
        if path is not None:
            try:
                self.area = read_free_area(path, Progress())
                self.remember([path])
            except StudioError as problem:
                self.problem = str(problem)
        self._offer(None if self.problem else path)
        self.changed.emit()


class MakingChoice(QWidget):
    """Machine, material and all options of a making; `changed` reports every change.

    The choice of an offcut and the sentence on a bad one belong to the maker's column for files.
    """

    changed = Signal()

    def __init__(
        self,
        preferences: Preferences,
        *,
        shares_lines: bool = True,
        has_artwork: bool = True,
        has_engraving: bool = True,
        suits: Callable[[Named[Material]], bool] = lambda _material: True,
        before: MakingRequest | None = None,
    ) -> None:
        super().__init__()
        self._preferences, self._has_artwork = preferences, has_artwork
        self.machine, self.material = WorkshopBox(Machine, preferences), WorkshopBox(Material, preferences)
        self.offcut, self.no_offcut = OffcutBox(preferences), Remark("error")
        self.form = ParameterForm(
            remembered(stored_making(preferences, has_artwork=has_artwork), Making()),
            Manner.HEADINGS,
            describe=lambda making: {tr("Fit"): _fit(making, shares_lines=shares_lines)},
            idle=lambda making: _idle(replace(making, area=self.offcut.area), shares_lines=shares_lines),
            hidden=lambda making: _hidden(making, has_artwork=has_artwork, has_engraving=has_engraving),
            seen=lambda making: replace(making, page="bed") if making.is_nested else making,
            linked=Linked(_completed),
            lead={tr("Machine"): self.machine, tr("Material"): self.material},
        )
        styles = self.form.field("lines")
        if not shares_lines and isinstance(styles, QComboBox):
            for style, words in OF_APART.items():
                styles.setItemText(styles.findData(style), words)
        column(self.form, REST, of=self, gap=GROUP_GAP)
        self._is_suggested = self.material.prefer(suits)
        self._use_material()
        # Restore the values for this time only from the previous export, if it had the same material.
        if before is not None and before.material == self.request().material:
            said = {name: getattr(before.making, name) for name in (*OF_MATERIAL, "copies", "squeeze")}
            self.form.set_parameters(replace(self.form.parameters(), **said))
        self.machine.activated.connect(self._pick_machine)
        self.material.activated.connect(self._pick_material)
        self.form.edited.connect(lambda *_: self.changed.emit())
        self.offcut.changed.connect(self._use_offcut)

    def request(self) -> MakingRequest:
        """Return all choices."""
        making = replace(self.form.parameters(), area=self.offcut.area)
        return MakingRequest(making, *equipped(self.machine.chosen(), self.material.chosen()))

    def offer(self, machine: str, material: str) -> None:
        """Offer the present machines and materials, with two keys chosen."""
        self.machine.offer(machine)
        self.material.offer(material)
        self._pick_material()

    def remember(self) -> None:
        """Store these choices for the next time."""
        self.machine.remember()
        if not self._is_suggested:
            self.material.remember()
        chosen = _lasting(asdict(self.form.parameters()))
        if not self._has_artwork:
            # The last print's choices stay stored, though there is nothing to print now.
            before = self._preferences.making_values()
            chosen |= {name: before[name] for name in OF_PRINT if name in before}
        if not chosen["labels"]:
            # Without labels no side was chosen.
            chosen.pop("label_side")
        self._preferences.set_making_values(chosen)

    def _use_offcut(self) -> None:
        self.no_offcut.say(self.offcut.problem)
        self.form.set_parameters(self.form.parameters())
        self.changed.emit()

    def _pick_material(self) -> None:
        self._is_suggested = False
        self._use_material()

    def _pick_machine(self) -> None:
        """Take the kerf of the machine's recipe, if it differs from that of the last machine's."""
        if self.request().material.kerf == self._kerf:
            self.changed.emit()
        else:
            self._use_material()

    def _use_material(self) -> None:
        material = self.request().material
        self._kerf = material.kerf
        said = {name: getattr(material, name) for name in OF_MATERIAL}
        self.form.set_parameters(replace(self.form.parameters(), **said), replace(Making(), **said))
        self.changed.emit()


def stored_making(preferences: Preferences, *, has_artwork: bool) -> dict[str, Any]:
    """Return the stored values of a making; without artwork, a print's values are the usual ones.

    Until a side is chosen, a picture's labels go to its reverse.
    """
    last = _lasting(preferences.making_values())
    if has_artwork:
        return {"label_side": REVERSE} | last
    return {name: last[name] for name in last if name not in OF_PRINT}


def _lasting(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in OF_THIS_TIME}


def _completed(making: Making, name: str, value: Any) -> Making:
    """Return the making with another value, and with the bed as its page if copies need it."""
    made: Making = replace(making, **{name: value})
    needs_bed = not made.is_nested and made.copies > 1 and name in ("copies", "lines", "layout")
    return replace(made, page="bed") if needs_bed else made


def _idle(making: Making, *, shares_lines: bool) -> dict[str, str]:
    """Return the choices that others make meaningless, each with the reason."""
    page = {} if making.area is None else {"page": ON_OFFCUT}
    if making.lines == "shared" and shares_lines:
        page |= dict.fromkeys(LEADS, NO_WASTE)
    elif making.tabs != NO_TABS:
        page |= dict.fromkeys(LEADS, AT_TABS)
    if making.is_nested:
        return {"page": ALWAYS_BED, **page, **({} if making.area is None else {"squeeze": ON_OFFCUT})}
    page |= dict.fromkeys(("block", "squeeze"), NOT_NESTED)
    if making.lines == "separate":
        return page if making.is_on_bed else page | {"margin": NO_BED}
    page |= {"layout": NO_LAYOUT, "play": NO_PLAY} if shares_lines else {"layout": STAYING}
    return page if making.is_on_bed else page | dict.fromkeys(("margin", "spacing"), NO_BED)


def _hidden(making: Making, *, has_artwork: bool, has_engraving: bool) -> list[str]:
    """Return the options of choices not made, and those of a print or an engraving that does not exist."""
    return [
        *(() if has_artwork else OF_PRINT),
        *(("mark_size", "marks_file") if making.marks == NO_MARKS else ()),
        *(() if making.labels else LABEL_OPTIONS),
        *(("label_file",) if making.labels and making.label_side == REVERSE else ()),
        *(() if has_engraving else ("engraving_file",)),
        *(name for name, choices in TAB_OPTIONS.items() if making.tabs not in choices),
        # On a small screen there is no room for a field without a choice.
        *(("page",) if making.is_nested else ()),
        *(() if making.lead_in or making.overcut else ("overcut",)),
    ]


def _fit(making: Making, *, shares_lines: bool) -> str:
    """Describe how pieces will fit, in a sentence."""
    if not shares_lines and making.play == 0:
        return tr("Pieces come out at nominal size; kerf is compensated.")
    if making.lines == "shared" and shares_lines:
        return tr("Gap between pieces: {gap} (the kerf).", gap=shown(making.kerf, "mm", 2))
    if making.play > 0:
        return tr("Gap between pieces: {gap}.", gap=shown(making.play, "mm", 2))
    if making.play < 0:
        return tr("Press fit, {overlap}.", overlap=shown(-making.play, "mm", 2))
    return tr("No clearance.")
