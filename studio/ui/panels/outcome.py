"""The preview of an export: the sheets, their cost and notes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from studio.base.amounts import duration, many, metres, share
from studio.base.texts import tr
from studio.export.profiles import Profile
from studio.fabricate.making import Made
from studio.fabricate.trays import oversize_tray
from studio.fabricate.workshop import Machine
from studio.ui.panels.export_preview import Outcome, Trial
from studio.ui.panels.sheets import SheetPages
from studio.ui.widgets.controls import ROW_GAP, heading, hint_label
from studio.ui.widgets.layout import column, grid
from studio.ui.widgets.remark import Remark
from studio.ui.widgets.theme import MARGIN, heading_font

LINES = {"shared": tr("Single line"), "separate": tr("Separate outlines")}
MOST_NOTES = 4
UNKNOWN = "…"
IMPOSSIBLE = tr("not possible")


class Costs(QWidget):
    """The cut length and the time of both ways, one above the other; the chosen one is stronger."""

    def __init__(self) -> None:
        super().__init__()
        self._cells = {lines: (QLabel(title), QLabel(), QLabel()) for lines, title in LINES.items()}
        whole = grid(*self._cells.values(), across=MARGIN, down=ROW_GAP)
        whole.setColumnStretch(0, 1)
        self.setLayout(whole)
        for cells in self._cells.values():
            for cell in cells:
                whole.setAlignment(
                    cell, Qt.AlignmentFlag.AlignLeft if cell is cells[0] else Qt.AlignmentFlag.AlignRight
                )

    def show_costs(self, lines: str, outcome: Outcome | None, other: Outcome | None) -> None:
        """Show what the chosen way costs, and the other."""
        said = []
        for name, cells in self._cells.items():
            known = outcome if name == lines else other
            cut, time = _cost(known)
            font = QApplication.font() if name != lines else heading_font(QApplication.font())
            for cell, text in zip(cells, (LINES[name], cut, time), strict=True):
                cell.setText(text)
                cell.setFont(font)
                quiet = QPalette.ColorRole.WindowText if name == lines else QPalette.ColorRole.PlaceholderText
                cell.setForegroundRole(quiet)
                cell.setToolTip(known.refusal if known is not None else "")
            said.append(f"{LINES[name]}: {', '.join(filter(None, (cut, time)))}")
        self.setAccessibleName("; ".join(said))

    def words(self) -> str:
        """All that is shown, as one text."""
        return self.accessibleName()


class OutcomeView(QWidget):
    """Shows what a trial has found out, and that it is still looking."""

    def __init__(self) -> None:
        super().__init__()
        self.pages = SheetPages()
        self.summary = heading()
        self.summary.setWordWrap(True)
        self.costs = Costs()
        self.too_large = Remark("warning")
        self.notes = [Remark("warning") for _ in range(MOST_NOTES)]
        self.more, self.engraving = hint_label(), hint_label()
        words = (self.summary, self.costs, self.engraving, self.too_large, *self.notes, self.more)
        column((self.pages, 1), *words, of=self)

    def show_profile(self, profile: Profile) -> None:
        """Draw the sheets in the colours of a profile."""
        self.pages.picture.show_profile(profile)

    def show_engraving(self, seconds: float) -> None:
        """Show how long a machine takes for the artwork, if it engraves any."""
        words = tr("Engraving the artwork takes about {duration} more.", duration=duration(seconds))
        self.engraving.setText(words if seconds else "")
        self.engraving.setVisible(bool(seconds))

    def show_trial(self, trial: Trial) -> None:
        """Show what is known now."""
        outcome, request = trial.outcome, trial.request
        made = outcome.made if outcome is not None else None
        if made is not None:
            beside = (drawing for _, _, drawing in made.beside)
            self.pages.show_sheets([*made.sheets, *beside, *made.tray_sheets])
        elif outcome is not None:
            self.pages.show_sheets(())
        # What was laid out before stays, pale, until the new sheets are known: nothing flickers.
        self.pages.picture.is_faded = outcome is None
        self.summary.setText(_summary(outcome, trial.progress))
        self.costs.show_costs(request.making.lines if request is not None else "", outcome, trial.other)
        self.too_large.say(_too_large(made, request.machine) if made is not None and request is not None else "")
        notes = made.notes if made is not None else ()
        for number, remark in enumerate(self.notes):
            remark.say(notes[number] if number < len(notes) else "")
        rest = len(notes) - len(self.notes)
        self.more.setText(tr("And {notes}.", notes=many(rest, "more note")) if rest > 0 else "")
        self.more.setToolTip("\n".join(notes[len(self.notes) :]))
        self.more.setVisible(rest > 0)


def _cost(outcome: Outcome | None) -> tuple[str, str]:
    if outcome is None:
        return UNKNOWN, UNKNOWN
    if outcome.made is None:
        return "", IMPOSSIBLE
    return metres(outcome.made.cut), duration(outcome.made.seconds)


def _too_large(made: Made, machine: Machine) -> str:
    """That a sheet does not go on the bed either way round, in a sentence; empty where all do."""
    bed = sorted((machine.bed_width, machine.bed_height))
    for sheet in (plan.drawing for plan in made.plans):
        if any(side > room for side, room in zip(sorted((sheet.width, sheet.height)), bed, strict=True)):
            return tr(
                "The sheet is larger than the machine bed ({bed_width:g} × {bed_height:g} mm). Choose the machine "
                "bed as the sheet to split the board along cut lines.",
                bed_width=machine.bed_width,
                bed_height=machine.bed_height,
            )
    return oversize_tray(made.tray, machine)


def _summary(outcome: Outcome | None, progress: float) -> str:
    if outcome is None:
        return tr("Laying out sheets… {done}", done=share(progress)) if progress else tr("Laying out sheets…")
    made = outcome.made
    return tr("Cannot create this layout.") if made is None else sheets_in_words(made)


def sheets_in_words(made: Made) -> str:
    """How many sheets there are, and how much of them pieces cover."""
    used = sum(made.use) / len(made.use)
    words = tr("{sheets}, {share} used", sheets=many(len(made.plans), "sheet"), share=share(used))
    if not made.tray:
        return words
    return tr("{sheets}, and {trays} for the tray", sheets=words, trays=many(len(made.tray), "sheet"))
