"""Make sheets for the machine from a drawing: single lines or separate outlines, laid out, in cutting order.

shared lines: one cut separates two neighbours, and the gap between them is the kerf. separate pieces: each has its own
outline, so that the kerf is compensated, and every line is cut twice. Pieces that share no line in the drawing are
always separate, and may keep their places on the sheet. Separate pieces are nested, or stay in place, spread apart.

A board shrinks all round when it is cut: by half a kerf with shared lines, by half the clearance between its pieces
with separate outlines. The opening of its tray's frame is made smaller by the same amount, besides its own kerf.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import shapely

from studio.base.amounts import extent, listed, many
from studio.base.errors import StudioError
from studio.base.parameters import Validated, choice, flag, integer, number, undeclared
from studio.base.progress import SILENT, Progress, kept, threads
from studio.base.texts import tr
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts, narrow_notes, some_pieces, spread_pieces
from studio.fabricate.lead_ins import LeadRule
from studio.fabricate.nesting import REST, SMALL, WIDEST
from studio.fabricate.plan import Plan, Strategy, plan
from studio.fabricate.sheets import SheetLayout, gathered, grown, in_place, mirrored, nested_boards, nested_pieces
from studio.fabricate.tabs import (
    LARGEST_LETTERS,
    MARKS,
    NO_MARKS,
    SMALLEST_LETTERS,
    TabRule,
    bled,
    burned,
    framed,
    labelled,
    marked,
    numbers_of,
    overlay,
    room,
    without_engraving,
)
from studio.fabricate.workshop import Bed, Machine, Material, fits, for_thickness
from studio.geometry.planar.drawing import CUTS, Drawing, Operation
from studio.geometry.planar.regions import FreeArea, Move, misplaced, moved_parts
from studio.geometry.planar.trays import Tray


def tray_plans(
    tray: Tray, offset: float, bed: Bed | None, copies: int, machine: Machine, tabs: TabRule | None,
    progress: Progress, leads: LeadRule | None = None,
) -> tuple[Plan, ...]:  # fmt: skip
    """Plan every sheet of a tray whose outlines are offset outwards by `offset` mm.

    Without a bed all parts go on a single sheet that just holds them. Raise StudioError for a part too large for a bed.
    """
    drawing = tray.drawing
    if bed is not None:
        _refuse_larger(tray, offset, bed)
    apart = cutouts(Contours(drawing), offset, progress.part(0.0, 0.4))
    if bed is None:
        sheets: tuple[Drawing, ...] = (in_place(apart, drawing),)
    else:
        sheets = nested_pieces(apart, bed, copies, progress.part(0.4, 0.6)).sheets
    return tuple(plan(sheet, machine, None, progress.part(0.6, 1.0), tabs, leads) for sheet in sheets)


def stated(tray: Tray) -> str:
    """Sentence about the clearance of a tray."""
    return tr(
        "Tray: {clearance:g} mm clearance between puzzle and frame all round, as cut.", clearance=tray.form.clearance
    )


def oversize_tray(plans: tuple[Plan, ...], machine: Machine) -> str:
    """Sentence about a tray's sheet that does not fit the bed in any orientation; "" if all fit."""
    bed = Bed(machine.bed_width, machine.bed_height, 0.0)
    for sheet in (one.drawing for one in plans):
        if not fits((sheet.width, sheet.height), bed):
            return tr(
                "The sheet for the tray ({size}) is larger than the bed ({bed}). Choose the machine bed as the sheet "
                "to put its parts on several.",
                size=extent(sheet.width, sheet.height),
                bed=extent(bed.width, bed.height),
            )
    return ""


def _refuse_larger(tray: Tray, offset: float, bed: Bed) -> None:
    """Raise StudioError for a part that is too large in any orientation."""
    for name, part in tray.parts:
        left, top, right, bottom = part.bounds
        size = right - left + 2 * offset, bottom - top + 2 * offset
        if not fits(size, bed):
            raise StudioError(
                tr(
                    "{part} of the tray ({size}) is larger than the usable bed ({bed}). Make the rim narrower, or turn "
                    "off the tray in Design.",
                    part=name,
                    size=extent(*size),
                    bed=extent(*bed.inside),
                )
            )


USUAL = "usual"
NESTED, IN_WASTE, IN_PLACE = "nested", "in-waste", "in-place"
NAMES, NUMBERS = "names", "numbers"
CUT_SIDE, REVERSE = "cut", "reverse"
LAYER, APART = "layer", "file"
ENGRAVED, UNENGRAVED = {*Operation} - {Operation.SCORE}, {*Operation} - {Operation.ENGRAVE}
LABELS, BACK, FRONT, ENGRAVING, TO_BURN = "labels", "back", "front", "engraving", "marks"
"""Suffixes of the names of files that go with a sheet."""
NO_TABS, BY_PIECE, BY_LENGTH = "none", "piece", "length"
"""Ways to choose the number of holding tabs."""


@dataclass(frozen=True)
class Making(Validated):
    """Settings for cutting a drawing. Raises ParameterError for a value out of bounds."""

    lines: str = choice(
        "shared", {"shared": "Single line (kerf stays as gap)", "separate": "Separate outlines (kerf-compensated)"},
        title="Cut style", group="Fit",
        help="Single lines leave the kerf as a gap; separate outlines fit as you set them, at twice the cut length. "
             "Pieces that share no line are always kerf-compensated.",
    )  # fmt: skip
    kerf: float = number(0.15, title="Kerf", minimum=0, maximum=2, step=0.01, unit="mm", group="Fit",
        help="Width of the line the beam burns away; a fit coupon measures it.")  # fmt: skip
    play: float = number(0.0, title="Clearance", minimum=-0.5, maximum=1, step=0.01, unit="mm", group="Fit",
        help="Gap between two separate pieces, 0 to 0.05 mm in plywood; negative for a press fit.")  # fmt: skip
    page: str = choice(
        "board", {"board": "Trim to board", "bed": "Machine bed"}, title="Sheet", group="Sheets",
        help="Boards larger than the bed are split along cut lines; nested outlines always use the bed.",
    )  # fmt: skip
    layout: str = choice(
        NESTED, {NESTED: "Nested", IN_WASTE: "Nested, also in waste", IN_PLACE: "In place, spread apart"},
        title="Layout", group="Sheets",
        help="Nested separate pieces save material, most where they also fill holes such as the opening of a frame; in "
             "place, each carries its part of the picture.",
    )  # fmt: skip
    block: str = choice(
        REST, {REST: "Largest rest", SMALL: "Smallest block", WIDEST: "Whole width"}, title="Last sheet",
        group="Sheets",
        help="What nested pieces leave of the last sheet: the largest rectangle, or the most around a small block.",
    )  # fmt: skip
    squeeze: int = integer(0, title="Squeeze", minimum=0, maximum=60, least=5, zero=tr("off"), unit="s", group="Sheets",
        help="Time to search for a denser layout of the last sheet with spyrrow; the better layout is kept.",
    )  # fmt: skip
    copies: int = integer(1, title="Copies", minimum=1, maximum=500, group="Sheets",
        help="Number of puzzles to cut.")  # fmt: skip
    margin: float = number(5.0, title="Margin", minimum=0, maximum=200, step=1, unit="mm", group="Sheets",
        help="Empty border around every sheet.")  # fmt: skip
    spacing: float = number(2.0, title="Spacing", minimum=0, maximum=100, step=0.5, unit="mm", group="Sheets",
        help="Distance between two parts on a sheet.")  # fmt: skip
    mirror: bool = flag(False, title="Mirror (cut from the back)", group="Sheets",
        help="Puts the narrower side of the kerf on the front.")  # fmt: skip
    labels: bool = flag(False, title="Engrave piece labels", group="Sheets",
        help="Engraves piece names in single strokes.")  # fmt: skip
    label_text: str = choice(NAMES, {NAMES: "Piece names", NUMBERS: "Running numbers"}, title="Label text",
        group="Sheets", help="Names say column and row; numbers run row by row.")  # fmt: skip
    label_height: float = number(LARGEST_LETTERS, title="Label height", minimum=SMALLEST_LETTERS, maximum=50, step=0.5,
        unit="mm", group="Sheets", help="Maximum cap height; smaller where a piece has less room.")  # fmt: skip
    label_side: str = choice(
        CUT_SIDE, {CUT_SIDE: "Side that is cut", REVERSE: "Reverse side"}, title="Label side", group="Sheets",
        help="Labels for the reverse side go to a separate file, with the board mirrored.",
    )  # fmt: skip
    label_file: str = choice(LAYER, {LAYER: "With the cuts", APART: "Separate file"}, title="Label file",
        group="Sheets", help="In a layer of the cut file, or in a separate file.")  # fmt: skip
    engraving_file: str = choice(LAYER, {LAYER: "With the cuts", APART: "Separate file"}, title="Engraving",
        group="Sheets",
        help="Texts and drawings on the side that is cut: in a layer of the cut file, or in a separate file.",
    )  # fmt: skip
    marks: str = choice(
        NO_MARKS, MARKS, title="Marks", group="Print",
        help="Registration marks at the corners of the print, repeated in the file on a layer that is never cut.",
    )  # fmt: skip
    mark_size: float = number(5.0, title="Mark size", minimum=1, maximum=50, step=1, unit="mm", group="Print",
        help="Width of a registration mark.")  # fmt: skip
    marks_file: bool = flag(False, title="Marks file", group="Print",
        help="Writes NAME-marks beside it: a dot or cross to burn at each mark, to align the cuts with.")  # fmt: skip
    bleed: float = number(0.0, title="Bleed", minimum=0, maximum=20, step=0.5, unit="mm", group="Print",
        help="Width of artwork printed past the outlines; at most half the spacing of separate pieces.")  # fmt: skip
    strategy: str = choice(
        USUAL, {USUAL: "Automatic", **{one.value: one.title for one in Strategy}},
        title="Cut order", group="Cutting", help="Order of the cuts; the cut plan compares all of them.",
    )  # fmt: skip
    tabs: str = choice(
        NO_TABS, {NO_TABS: "None", BY_PIECE: "Number per piece", BY_LENGTH: "Along each cut"},
        title="Tabs", group="Cutting",
        help="Leaves short bridges uncut, so that pieces stay in the sheet until you press them out.",
    )  # fmt: skip
    tab_width: float = number(0.5, title="Tab width", minimum=0.05, maximum=20, step=0.1, unit="mm",
        group="Cutting", help="Gap in the cut; the kerf makes the tab itself narrower.")  # fmt: skip
    tab_count: int = integer(2, title="Per piece", minimum=1, maximum=50, group="Cutting",
        help="Minimum number of tabs per piece; a tab between two pieces counts for both.")  # fmt: skip
    tab_spacing: float = number(50.0, title="Tab spacing", minimum=1, maximum=2000, step=5, unit="mm",
        group="Cutting", help="Distance between tabs along a cut; every piece still gets one.")  # fmt: skip
    lead_in: float = number(
        0.0, title="Lead-in", minimum=0, maximum=20, least=0.2, step=0.5, zero=tr("off"), unit="mm", group="Cutting",
        help="Length of a cut through the waste up to each separate outline, so that its start leaves no mark.",
    )  # fmt: skip
    overcut: float = number(
        0.0, title="Overcut", minimum=0, maximum=20, least=0.2, step=0.5, zero=tr("off"), unit="mm", group="Cutting",
        help="Length of each separate outline that is cut again at its end, so that the piece drops out.",
    )  # fmt: skip
    area: FreeArea | None = undeclared(None, repr=False)
    """Free area of the sheet to cut from, in place of the machine's bed."""
    moves: tuple[Move, ...] = undeclared((), repr=False)
    """Parts that the maker moved on their sheets, after these were laid out."""

    @property
    def is_nested(self) -> bool:
        """True if separate pieces are nested on the bed."""
        return self.lines == "separate" and self.layout != IN_PLACE

    @property
    def is_on_bed(self) -> bool:
        """True if sheets are as large as the machine's bed, or a sheet with a free area."""
        return self.page == "bed" or self.is_nested or self.area is not None

    @property
    def tab_rule(self) -> TabRule | None:
        """Rule for the tabs, or None. Raises StudioError if the kerf would burn the tabs away."""
        if self.tabs == NO_TABS:
            return None
        if self.tab_width <= self.kerf:
            words = tr(
                "A kerf of {kerf:g} mm burns {width:g} mm tabs away. Make the tabs wider.",
                kerf=self.kerf,
                width=self.tab_width,
            )
            raise StudioError(words)
        spacing = self.tab_spacing if self.tabs == BY_LENGTH else 0.0
        return TabRule(self.tab_width, self.tab_count if self.tabs == BY_PIECE else 1, spacing)

    def lead_rule(self, drawing: Drawing, *, is_tray: bool = False) -> LeadRule | None:
        """Rule for lead-ins and overcuts on a drawing's sheets, or on those of its tray; None without any.

        Shared lines and cuts with tabs have none.
        """
        is_shared = self.lines == "shared" and drawing.shares_lines
        if is_shared or self.tabs != NO_TABS or not (self.lead_in or self.overcut):
            return None
        area = None if self.area is None or is_tray else self.area.mirrored if self.mirror else self.area
        return LeadRule(self.lead_in, self.overcut, None if area is None else area.shape)


@dataclass(frozen=True, eq=False)
class Made:
    """A plan for every sheet, the fraction of each sheet that pieces cover, and notes for the maker.

    `beside` holds additional drawings: number of the sheet, suffix of the file name, and drawing. `from_behind` is True
    if the sheets are mirrored, to be cut from the back. `tray` holds the plans of a tray's sheets, which are never
    mirrored. `misplaced` are pieces that the maker moved onto others or off their sheet.
    """

    plans: tuple[Plan, ...]
    use: tuple[float, ...]
    notes: tuple[str, ...]
    beside: tuple[tuple[int, str, Drawing], ...] = ()
    from_behind: bool = False
    tray: tuple[Plan, ...] = ()
    printed: tuple[Drawing, ...] = ()
    """Fronts of the sheets as they were printed, if their cuts were aligned with a print since."""
    alignment: str = ""
    """How the cuts were aligned with it, in a sentence for the files."""
    making: Making = field(default_factory=Making)
    misplaced: tuple[str, ...] = ()

    def rests(self) -> tuple[FreeArea, ...]:
        """Compute what is left of every sheet. Raise StudioError if sheets are trimmed to the board."""
        if not self.making.is_on_bed:
            raise StudioError(tr("A sheet trimmed to the board leaves no rest; choose the machine bed as the sheet."))
        found = []
        for sheet in self.sheets:
            size = sheet.width, sheet.height
            whole = self.making.area or FreeArea.from_shape(shapely.box(0, 0, *size), size)
            found.append(whole.without(sheet, self.making.kerf))
        return tuple(found)

    @property
    def tray_sheets(self) -> tuple[Drawing, ...]:
        """Drawings of the tray's sheets."""
        return tuple(plan.drawing for plan in self.tray)

    @property
    def sheets(self) -> tuple[Drawing, ...]:
        """Drawings of the sheets."""
        return tuple(plan.drawing for plan in self.plans)

    @property
    def fronts(self) -> tuple[Drawing, ...]:
        """Sheets seen from the front."""
        return self.printed or (tuple(map(mirrored, self.sheets)) if self.from_behind else self.sheets)

    @cached_property
    def cut(self) -> float:
        """Total length of the cuts in mm."""
        return sum(plan.cut for plan in (*self.plans, *self.tray))

    @cached_property
    def seconds(self) -> float:
        """Seconds that the machine takes for all sheets, without changing sheets."""
        return sum(plan.seconds for plan in (*self.plans, *self.tray))

    @property
    def tab_count(self) -> int:
        """Number of holding tabs on all sheets."""
        return sum(plan.tab_count for plan in (*self.plans, *self.tray))


def made(
    drawing: Drawing,
    making: Making,
    machine: Machine,
    material: Material,
    progress: Progress = SILENT,
    *,
    tray: Tray | None = None,
    more: Sequence[Drawing] = (),
) -> Made:
    """Make the sheets of a drawing and of its tray, each with its cut plan.

    Sheets are shared with `more` boards, such as the same one with other pictures. Raise StudioError if the kerf burns
    a neck away, a piece is larger than the bed, or the strategy does not suit the drawing.
    """
    boards = {id(one): grown(one) for one in (drawing, *more)}
    drawings = [boards[id(one)] for one in (drawing, *more)]
    if tray is None:
        return _made(drawings, making, machine, material, progress)
    found = _made(drawings, making, machine, material, progress.part(0.0, 0.8))
    drawing = drawings[0]
    machine = for_thickness(machine, material.thickness)
    # The tray's opening shrinks as much as the board does.
    lost = making.kerf if making.lines == "shared" and drawing.shares_lines else making.play
    bed = Bed(machine.bed_width, machine.bed_height, making.margin, making.spacing) if making.is_on_bed else None
    offset, progress = (making.kerf + lost) / 2, progress.part(0.8, 1.0)
    leads = making.lead_rule(drawing, is_tray=True)
    plans = tray_plans(tray, offset, bed, making.copies * len(drawings), machine, making.tab_rule, progress, leads)
    return replace(found, tray=plans, notes=found.notes + _lead_notes(plans, replace(making, tabs=NO_TABS), drawing))


def _made(
    drawings: Sequence[Drawing], making: Making, machine: Machine, material: Material, progress: Progress
) -> Made:
    size = machine.bed_width, machine.bed_height
    asked = tuple(drawings), replace(making, moves=()), size
    # Kept, since a move by hand asks for the same layout again.
    contours, layout = _laid_out(asked, progress.part(0.0, 0.5))
    with threads(1) as pool:
        # shapely and numpy release the interpreter, so necks are measured while cuts are ordered.
        necks = pool.submit(_all_narrow_notes, contours, making, material, progress.unreported())
        try:
            layout, wrong = _by_hand(layout, making)
            found = _planned(layout, making, for_thickness(machine, material.thickness), drawings[0], progress)
        except StudioError:
            # Report pieces that the kerf burns away first.
            necks.result()
            raise
        return replace(found, notes=layout.notes + necks.result() + found.notes, misplaced=wrong)


@kept(1)
def _laid_out(
    asked: tuple[tuple[Drawing, ...], Making, tuple[float, float]], progress: Progress
) -> tuple[list[Contours], SheetLayout]:
    """Lay out boards as a making asks, on sheets of a bed's width and height or smaller."""
    drawings, making, size = asked
    contours = [Contours(one) for one in {id(one): one for one in drawings}.values()]
    return contours, _nested(drawings, contours, making, size, progress)


def _by_hand(layout: SheetLayout, making: Making) -> tuple[SheetLayout, tuple[str, ...]]:
    """Move parts as the maker did; return also the pieces that then overlap others or leave the sheet."""
    if not making.moves:
        return layout, ()
    # The maker sees sheets that are cut from the back mirrored.
    moves = [replace(one, quarters=-one.quarters, right=-one.right) if making.mirror else one for one in making.moves]
    sheets = tuple(moved_parts(sheet, moves, making.bleed) for sheet in layout.sheets)
    wrong: list[str] = []
    for before, sheet in zip(layout.sheets, sheets, strict=True):
        if sheet is not before:
            area = making.area
            room = shapely.box(0, 0, sheet.width, sheet.height)
            wrong += misplaced(sheet, room if area is None else (area.mirrored if making.mirror else area).shape)
    return replace(layout, sheets=sheets), tuple(wrong)


def _all_narrow_notes(
    contours: Sequence[Contours], making: Making, material: Material, progress: Progress
) -> tuple[str, ...]:
    """Notes on the necks of all boards, boards with the same pieces once."""
    found: list[str] = []
    seen: list[Drawing] = []
    for each in contours:
        drawing = each.drawing
        if not any(np.array_equal(drawing.strokes.points, one.strokes.points) for one in seen):
            seen.append(drawing)
            is_shared = making.lines == "shared" and drawing.shares_lines
            lost = making.kerf if is_shared else max(making.play, 0.0)
            found += narrow_notes(each, making.kerf if is_shared else 0.0, lost, material.bridge, progress)
    return tuple(dict.fromkeys(found))


def _planned(layout: SheetLayout, making: Making, machine: Machine, drawing: Drawing, progress: Progress) -> Made:
    """Plan the sheets of a drawing; the notes are the plans' alone."""
    strategy = None if making.strategy == USUAL else Strategy(making.strategy)
    plans: list[Plan] = []
    notes: tuple[str, ...] = ()
    nameless: list[str] = []
    engraves = False
    beside: list[tuple[int, str, Drawing]] = []
    titles = numbers_of(drawing) if making.label_text == NUMBERS else {}
    leads = making.lead_rule(drawing)
    shares = np.linspace(0.5, 1.0, len(layout.sheets) + 1).tolist()
    for sheet, begin, end in zip(layout.sheets, shares[:-1], shares[1:], strict=True):
        has_engraved_face = any(chain.operation not in CUTS and not chain.is_on_back for chain in sheet.chains)
        engraves |= making.mirror and has_engraved_face and not _has_back(sheet)
        sheet, reverse = _sides(sheet, mirror=making.mirror)
        bare = sheet
        if making.labels:
            is_back = making.label_side == REVERSE
            bearing, left_out = labelled(reverse if is_back else sheet, titles, making.label_height)
            nameless += left_out
            if is_back:
                reverse = bearing
            elif making.label_file == LAYER:
                sheet = bearing
            elif (over := overlay(_lines_and_labels(bearing, CUTS, len(sheet.strokes)))) is not None:
                beside.append((len(plans), LABELS, over))
        if making.engraving_file == APART and (over := overlay(_lines_and_labels(bare, ENGRAVED))) is not None:
            beside.append((len(plans), ENGRAVING, over))
            sheet = _lines_and_labels(sheet, UNENGRAVED, len(bare.strokes))
        if (over := overlay(reverse)) is not None:
            beside.append((len(plans), FRONT if making.mirror else BACK, over))
        found = plan(sheet, machine, strategy, progress.part(begin, end), making.tab_rule, leads)
        notes += found.notes
        # The machine ignores marks, so the plan is made without them.
        sheet = marked(found.drawing, making.marks, making.mark_size, making.bleed)
        if making.marks_file and making.marks != NO_MARKS:
            beside.append((len(plans), TO_BURN, burned(sheet, making.marks, making.mark_size, making.bleed)))
        plans.append(replace(found, drawing=sheet))
    notes += _lead_notes(plans, making, drawing)
    if nameless:
        notes += (
            tr("No room for a {height:g} mm label on {pieces}.", height=SMALLEST_LETTERS, pieces=some_pieces(nameless)),
        )
    if engraves:
        notes += (tr("Engraving is mirrored too and ends up on the back."),)
    return Made(tuple(plans), layout.use, notes, tuple(beside), making.mirror, making=making)


def _lead_notes(plans: Sequence[Plan], making: Making, drawing: Drawing) -> tuple[str, ...]:
    """Sentence on closed cuts whose lead-in is missing or shorter, or on lead-ins that tabs rule out."""
    if making.tabs != NO_TABS and replace(making, tabs=NO_TABS).lead_rule(drawing) is not None:
        return (tr("Lead-ins and overcuts are left out: with tabs, cuts begin and end at a tab."),)
    without, shorter = sum(one.without_lead_in for one in plans), sum(one.shorter_lead_ins for one in plans)
    if not (without or shorter):
        return ()
    found = listed(
        words
        for count, words in (
            (without, tr("{outlines} without one", outlines=many(without, "outline"))),
            (shorter, tr("{outlines} with a shorter one", outlines=many(shorter, "outline"))),
        )
        if count
    )
    return (tr("Too little room for some lead-ins: {outlines}. Wider spacing makes room.", outlines=found),)


def _has_back(sheet: Drawing) -> bool:
    return any(chain.is_on_back for chain in sheet.chains)


def _sides(sheet: Drawing, *, mirror: bool) -> tuple[Drawing, Drawing]:
    """Split a sheet into its cut side, with the engraving there, and its reverse side, each as the machine sees it.

    A sheet that is cut from the back takes the engraving of its face along if its back has none.
    """
    face = replace(sheet, chains=tuple(one for one in sheet.chains if not one.is_on_back))
    chains = (replace(one, is_on_back=False) for one in sheet.chains if one.operation in CUTS or one.is_on_back)
    back = replace(sheet, chains=tuple(chains))
    if not mirror:
        return face, mirrored(replace(back, artwork=()))
    return (mirrored(back), face) if _has_back(sheet) else (mirrored(face), without_engraving(sheet))


def _lines_and_labels(sheet: Drawing, operations: Collection[Operation], old: float = np.inf) -> Drawing:
    """Keep lines with these operations, and labels: strokes from number `old` on."""
    chains = (one for one in sheet.chains if one.operation in operations or one.strokes[0] >> 1 >= old)
    return replace(sheet, chains=tuple(chains))


def _nested(
    drawings: Sequence[Drawing],
    contours: Sequence[Contours],
    making: Making,
    size: tuple[float, float],
    progress: Progress,
) -> SheetLayout:
    around = room(making.marks, making.mark_size, making.bleed)
    margin = max(making.margin, around)
    bed = Bed(*size, margin, making.spacing, making.bleed)
    if making.area is not None:
        # Sheets that are cut from the back are mirrored later, but the sheet lies as its file draws it.
        area = making.area.mirrored if making.mirror else making.area
        bed = replace(bed, width=area.width, height=area.height, area=area)
    share, shares = progress.part(0.0, 0.6), np.linspace(0.0, 1.0, len(contours) + 1).tolist()
    parts = {
        id(each.drawing): share.part(begin, end)
        for each, begin, end in zip(contours, shares[:-1], shares[1:], strict=True)
    }
    if making.is_nested:
        offset = (making.kerf - making.play) / 2
        apart = {id(each.drawing): cutouts(each, offset, parts[id(each.drawing)]) for each in contours}
        several, copies = [apart[id(one)] for one in drawings], making.copies
        if len(several) > 1:
            several, copies = several * copies, 1
        nested = nested_pieces(
            several[0] if len(several) == 1 else gathered(several), bed, copies, progress.part(0.6, 1.0),
            in_waste=making.layout == IN_WASTE, block=making.block, squeeze=making.squeeze,
        )  # fmt: skip
        if not any(one.artwork for one in drawings):
            return nested
        return replace(
            nested,
            notes=(*nested.notes, tr("Nested pieces lose their artwork; choose the layout in place to keep it.")),
        )
    laid = {id(each.drawing): _in_place(each, making, bed, parts[id(each.drawing)]) for each in contours}
    boards = [laid[id(one)] for one in drawings]
    if making.is_on_bed:
        return nested_boards(boards[0], bed, making.copies, progress, more=boards[1:])
    if making.copies > 1 or len(boards) > 1:
        raise StudioError(tr("To cut several copies, choose the machine bed as the sheet."))
    drawing = framed(boards[0], around) if around > 0 else boards[0]
    covered = float(drawing.piece_areas.sum()) / (drawing.width * drawing.height)
    return SheetLayout((drawing,), (covered,), ())


def _in_place(contours: Contours, making: Making, bed: Bed, progress: Progress) -> Drawing:
    """Make a board whose pieces stay in place, spread apart if they are separate."""
    drawing, offset = contours.drawing, (making.kerf - making.play) / 2
    if making.lines == "separate":
        apart = cutouts(contours, offset, progress.part(0.0, 0.6))
        drawing = spread_pieces(apart, drawing.artwork, making.spacing, making.bleed, progress.part(0.6, 1.0))
        _refuse_spread(drawing, making, bed)
        return drawing
    if making.kerf != making.play and not drawing.shares_lines:
        # Each piece already has its own outline, so kerf and clearance are compensated in place.
        drawing = in_place(cutouts(contours, offset, progress), drawing)
    return bled(drawing, making.bleed)


def _refuse_spread(drawing: Drawing, making: Making, bed: Bed) -> None:
    """Raise StudioError if pieces spread apart do not fit on the bed."""
    if making.is_on_bed and not fits((drawing.width, drawing.height), bed):
        raise StudioError(
            tr(
                "Spread apart, the pieces need {width:g} × {height:g} mm, more than the usable bed "
                "({usable_width:g} × {usable_height:g} mm). Lower the spacing, nest them or trim the sheet.",
                width=round(drawing.width, 1),
                height=round(drawing.height, 1),
                usable_width=bed.inside[0],
                usable_height=bed.inside[1],
            )
        )


def oversize(drawing: Drawing, machine: Machine) -> str:
    """Sentence for a board that does not fit the bed in any orientation, or ""."""
    beds = sorted((machine.bed_width, machine.bed_height))
    if all(side <= bed for side, bed in zip(sorted((drawing.width, drawing.height)), beds, strict=True)):
        return ""
    return tr(
        "The board ({width:g} × {height:g} mm) is larger than the bed ({bed_width:g} × {bed_height:g} mm).",
        width=drawing.width,
        height=drawing.height,
        bed_width=machine.bed_width,
        bed_height=machine.bed_height,
    )
