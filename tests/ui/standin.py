"""A making for tests of the dialogs: real drawings and plans, laid out in the plainest way there is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.fabricate.cutting_time import Timeline
from studio.fabricate.making import Made, Making
from studio.fabricate.plan import Plan, Strategy
from studio.fabricate.workshop import Machine, Material
from studio.geometry.planar.drawing import Drawing


def planned(drawing: Drawing, machine: Machine) -> Plan:
    """The drawing's own order, at the machine's speed for cuts and nothing else."""
    seconds = drawing.cut_length / machine.cut_speed
    timeline = Timeline(
        np.zeros((2, 2)), np.array([0.0, seconds]), np.array([0]), np.full(len(drawing.pieces), seconds)
    )
    return Plan(
        Strategy.AS_DRAWN, drawing, 0.0, drawing.cut_length, 0, 0.0, len(drawing.chains), 0, 1, 1,
        np.full(len(drawing.pieces), -1), timeline,
    )  # fmt: skip


def plain(drawing: Drawing, making: Making, machine: Machine, material: Material, progress: Progress) -> Made:
    """Every copy on a sheet of its own, as large as the board or the bed; a board wider than the bed is refused."""
    progress.step(0.5)
    if making.page == "bed" or making.lines == "separate":
        if drawing.width > machine.bed_width:
            raise StudioError(f"The board is {drawing.width:g} mm wide and the bed only {machine.bed_width:g} mm.")
        sheet = replace(drawing, width=machine.bed_width, height=machine.bed_height)
    else:
        sheet = drawing
    plan = planned(sheet, machine)
    if making.lines == "separate":
        plan = replace(planned(sheet, replace(machine, cut_speed=machine.cut_speed / 2)), cut=2 * plan.cut)
    used = float(drawing.piece_areas.sum()) / (sheet.width * sheet.height)
    notes = () if making.kerf < 0.3 else (f"A kerf of {making.kerf:g} mm is wide.",)
    return Made((plan,) * making.copies, (used,) * making.copies, notes)
