"""The column that asks how a drawing is made: on which machine, of what, how it shall fit, on which sheets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from studio.base.parameters import remembered
from studio.base.texts import tr
from studio.fabricate.making import BY_LENGTH, BY_PIECE, REVERSE, Making
from studio.fabricate.registration_marks import NO_MARKS
from studio.fabricate.workshop import Machine, Material, Named
from studio.ui.panels.export_preview import MakingRequest
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.workshop_box import WorkshopBox
from studio.ui.session.extension import Linked
from studio.ui.session.preferences import Preferences
from studio.ui.widgets.controls import GROUP_GAP
from studio.ui.widgets.layout import REST, column
from studio.ui.widgets.length_spin import shown

OF_MATERIAL = ("kerf", "play")
"""The material's values, unless changed for this export."""
OF_PRINT = ("marks", "mark_size", "bleed")
"""The values of a print, which needs artwork."""
OF_THIS_TIME = (*OF_MATERIAL, "copies")
"""Values that are not remembered: a stale one would waste wood."""
NO_PLAY = tr("With single lines, the gap between pieces is the kerf.")
ALWAYS_BED = tr("Nested outlines always use the machine bed.")
NO_LAYOUT = tr("Single lines keep all pieces in place.")
STAYING = tr("Not used while pieces stay in place.")
OF_APART = {"shared": tr("In place (kerf-compensated)"), "separate": tr("Rearranged (kerf-compensated)")}
"""The cut styles of a drawing whose pieces share no line: the kerf is compensated in either."""
TAB_OPTIONS = {"tab_width": (BY_PIECE, BY_LENGTH), "tab_count": (BY_PIECE,), "tab_spacing": (BY_LENGTH,)}
"""The choices of tabs that each of their options belongs to."""
LABEL_OPTIONS = ("label_text", "label_height", "label_side", "label_file")
NO_BED = tr("Not used when the sheet is trimmed to the board.")


class MakingChoice(QWidget):
    """Machine, material and all options of a making; `changed` reports every change."""

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
        self.form = ParameterForm(
            remembered(self._beginning(), Making()),
            Manner.HEADINGS,
            describe=lambda making: {tr("Fit"): _fit(making, shares_lines=shares_lines)},
            idle=lambda making: _idle(making, shares_lines=shares_lines),
            hidden=lambda making: _hidden(making, has_artwork=has_artwork, has_engraving=has_engraving),
            seen=lambda making: replace(making, page="bed") if _is_nested(making) else making,
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
        self._restore(before)
        self.machine.activated.connect(lambda _row: self.changed.emit())
        self.material.activated.connect(self._pick_material)
        self.form.edited.connect(lambda *_: self.changed.emit())

    def request(self) -> MakingRequest:
        """All that was chosen."""
        return MakingRequest(self.form.parameters(), self.machine.chosen().value, self.material.chosen().value)

    def offer(self, machine: str, material: str) -> None:
        """Offer the machines and materials there are now, with those of two keys chosen."""
        self.machine.offer(machine)
        self.material.offer(material)
        self._pick_material()

    def remember(self) -> None:
        """Begin with these choices the next time."""
        self.machine.remember()
        if not self._is_suggested:
            self.material.remember()
        chosen = _lasting(asdict(self.form.parameters()))
        if not self._has_artwork:
            # What was chosen for the last print stays, though there is nothing to print now.
            before = self._preferences.making_values()
            chosen |= {name: before[name] for name in OF_PRINT if name in before}
        if not chosen["labels"]:
            # Nobody has chosen a side.
            chosen.pop("label_side")
        self._preferences.set_making_values(chosen)

    def _beginning(self) -> dict[str, Any]:
        """The values that are remembered; where there is nothing to print, those of a print are the usual ones.

        Until a side is chosen, labels are not burnt into a picture.
        """
        last = _lasting(self._preferences.making_values())
        if self._has_artwork:
            return {"label_side": REVERSE} | last
        return {name: last[name] for name in last if name not in OF_PRINT}

    def _restore(self, before: MakingRequest | None) -> None:
        """Take what was set for this time only from the export before, where it was of the same material."""
        if before is not None and before.material == self.material.chosen().value:
            said = {name: getattr(before.making, name) for name in OF_THIS_TIME}
            self.form.set_parameters(replace(self.form.parameters(), **said))

    def _pick_material(self) -> None:
        self._is_suggested = False
        self._use_material()

    def _use_material(self) -> None:
        """Take kerf and play from the material."""
        said = {name: getattr(self.material.chosen().value, name) for name in OF_MATERIAL}
        self.form.set_parameters(replace(self.form.parameters(), **said), replace(Making(), **said))
        self.changed.emit()


def _lasting(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in OF_THIS_TIME}


def _completed(making: Making, name: str, value: Any) -> Making:
    """The making with another value, and with the sheet that several copies need."""
    made: Making = replace(making, **{name: value})
    needs_bed = not _is_nested(made) and made.copies > 1 and name in ("copies", "lines", "layout")
    return replace(made, page="bed") if needs_bed else made


def _idle(making: Making, *, shares_lines: bool) -> dict[str, str]:
    """The choices that others leave without a meaning, each with the reason."""
    if _is_nested(making):
        return {"page": ALWAYS_BED}
    if making.lines == "separate":
        return {} if making.page == "bed" else {"margin": NO_BED}
    play = {"layout": NO_LAYOUT, "play": NO_PLAY} if shares_lines else {"layout": STAYING}
    return play if making.page == "bed" else play | dict.fromkeys(("margin", "spacing"), NO_BED)


def _is_nested(making: Making) -> bool:
    return making.is_nested


def _hidden(making: Making, *, has_artwork: bool, has_engraving: bool) -> list[str]:
    """The options of choices that are not made, and those of a print or an engraving where there is none."""
    print_options = () if has_artwork else tuple(OF_PRINT)
    marks = ("mark_size",) if making.marks == NO_MARKS else ()
    labels = () if making.labels else LABEL_OPTIONS
    files = ("label_file",) if making.labels and making.label_side == REVERSE else ()
    return [
        *print_options,
        *marks,
        *labels,
        *files,
        *(() if has_engraving else ("engraving_file",)),
        *(name for name, choices in TAB_OPTIONS.items() if making.tabs not in choices),
    ]


def _fit(making: Making, *, shares_lines: bool) -> str:
    """How pieces will fit, in a sentence."""
    if not shares_lines and making.play == 0:
        return tr("Pieces come out at nominal size; kerf is compensated.")
    if making.lines == "shared" and shares_lines:
        return tr("Gap between pieces: {gap} (the kerf).", gap=shown(making.kerf, "mm", 2))
    if making.play > 0:
        return tr("Gap between pieces: {gap}.", gap=shown(making.play, "mm", 2))
    if making.play < 0:
        return tr("Press fit, {overlap}.", overlap=shown(-making.play, "mm", 2))
    return tr("No clearance.")
