"""The menu commands of a jigsaw: for tongues, for the board, and at play."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.jigsaw.model import edits
from studio.ui.session.actions import FINDINGS, VIEW, Command

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.extension import JigsawExtension, PlayPlace


def tongue_commands(extension: JigsawExtension) -> list[Command]:
    """Commands for the selected tongues."""
    tool = extension.tool
    return [
        Command("flip", tr("Flip tongue"), "&Tongue", tool.flip, ("F",), "flip",
              tr("Flip the selected tongues to the other side"), on_canvas=True, strip="tongue",
              needs=tr("Select a tongue")),
        Command("plain", tr("Make straight"), "&Tongue", tool.make_plain, ("P",), "plain",
              tr("Make the selected edges straight, or give them tongues again"), on_canvas=True, strip="tongue",
              needs=tr("Select a tongue")),
        Command("roll", tr("Randomise"), "&Tongue", tool.roll, ("R",), "dice",
              tr("Randomise the selected tongues"), on_canvas=True, strip="tongue", needs=tr("Select a tongue")),
        Command("lock", tr("Lock"), "&Tongue", tool.lock, ("L",), "lock",
              tr("Lock or unlock the selected tongues"), on_canvas=True, strip="tongue",
              needs=tr("Select a tongue")),
        Command("reset", tr("Reset"), "&Tongue", tool.reset, ("Backspace", "Del"), "reset",
              tr("Reset the selected corners and tongues; remove the node under the mouse"), on_canvas=True,
              strip="tongue",
              needs=tr("Select a corner or tongue")),
        Command("copy_shape", tr("Copy tongue shape"), "&Tongue", lambda: extension.copying.copy(), ("Ctrl+C",), "",
              tr("Copy size, offset, slant and outline of the selected tongue"), on_canvas=True,
              needs=tr("Select one tongue")),
        Command("paste_shape", tr("Paste tongue shape"), "&Tongue", lambda: extension.copying.paste(), ("Ctrl+V",), "",
              tr("Give the selected tongues the copied shape"), on_canvas=True,
              needs=tr("Copy a tongue shape first")),
    ]  # fmt: skip


def board_commands(extension: JigsawExtension) -> list[Command]:
    """Commands for pieces, cuts, picture, figures and engravings."""
    tool = extension.tool
    return [
        Command("merge", tr("Merge pieces"), "&Edit", partial(merge, extension), ("M",), "",
              tr("Merge the selected neighbouring pieces into one"), on_canvas=True, in_context=True, begins=True,
              needs=tr("Select two pieces or a tongue")),
        Command("split", tr("Split piece"), "&Edit", partial(split, extension), ("Shift+M",), "",
              tr("Split the selected merged pieces"), on_canvas=True, in_context=True,
              needs=tr("Select a merged piece")),
        Command("drop_out", tr("Drop out"), "&Edit", partial(drop_out, extension), ("O",), "",
              tr("Leave the selected pieces open, as holes in the puzzle, or cut them again"), on_canvas=True,
              in_context=True, needs=tr("Select a piece")),
        Command("fix_all", tr("Fix all…"), FINDINGS, lambda: extension.repairing.start(), ("Ctrl+F8",), "",
              tr("Show the smallest changes found that fix all problems"), needs=tr("No problems found")),
        Command("reroll", tr("Randomise until clean"), FINDINGS, extension.reroll, (), "",
              tr("Take the next seed that has neither errors nor warnings"), needs=tr("No problems found")),
        Command("show_fits", tr("Show false fits"), VIEW, lambda on: extension.fitting.show_heat(on), (), "",
              tr("Colour each edge by how many others it could be mistaken for"), is_switch=True),
        Command("make_unique", tr("Make pieces unique"), "&Edit", lambda: extension.fitting.make_unique(), (), "",
              tr("Reshape tongues until every piece fits in one place only")),
        Command("make_devious", tr("Make pieces devious"), "&Edit", lambda: extension.fitting.make_devious(), (), "",
              tr("Turn the selected tongues, or tongues anywhere, into near-copies of each other")),
        Command("draw_cut", tr("Draw cuts"), "&Edit",
              lambda: extension.drawing.draw(not extension.drawing.is_drawing), ("K",), "",
              tr("Draw cuts with the mouse, from cut to cut; they divide pieces"), on_canvas=True, in_context=True,
              begins=True),
        Command("redraw", tr("Redraw edge"), "&Edit", lambda: extension.drawing.redraw(), ("Shift+K",), "",
              tr("Draw another curve for the selected edge, between the same corners"), on_canvas=True,
              in_context=True, needs=tr("Select one tongue")),
        Command("draw_flow", tr("Draw flow lines"), "&Edit",
              lambda: extension.flowing.draw(not extension.flowing.is_drawing), (), "",
              tr("Draw lines along which the rows of pieces run"), needs=tr("Drawn cuts have no rows")),
        Command("convert", tr("Convert to drawn cuts"), "&Edit",
              lambda: extension.work(tr("Convert to drawn cuts"), edits.EDITS["convert"]), (), "",
              tr("Keep the cuts exactly as they are, free of columns, rows and seed")),
        Command("newest_layout", tr("Use the newest layout"), FINDINGS,
              lambda: extension.work(tr("Use the newest layout"), edits.with_newest_layout), (), "",
              tr("Lay out the cuts by the newest rules; designs of earlier versions keep theirs until then"),
              needs=tr("The board has the newest layout already")),
        Command("outline", tr("Import outline…"), "&Edit", lambda: extension.outlining.choose(), (), "",
              tr("Use a closed path from an SVG or DXF file as the board's outline"), begins=True),
        Command("picture", tr("Picture…"), "&Picture", lambda: extension.picturing.choose(), (), "",
              tr("Put a picture under the cuts, or replace the current one")),
        Command("adjust_picture", tr("Adjust picture"), "&Picture",
              lambda: extension.picturing.adjust(not extension.picturing.is_adjusting), ("I",), "",
              tr("Move, scale and rotate the picture with the mouse"), on_canvas=True, in_context=True,
              needs=tr("Add a picture first")),
        Command("remove_picture", tr("Remove picture"), "&Picture", lambda: extension.picturing.remove(), (), "",
              tr("Remove the picture under the cuts"), needs=tr("Add a picture first")),
        Command("dim_picture", tr("Dim picture"), "&View", extension.dim_picture, ("Shift+I",), "",
              tr("Show the picture faintly, so that cuts stand out; files keep its true colours"), is_switch=True,
              is_on=extension.session.canvas.drawing.is_dimmed, on_canvas=True, needs=tr("Add a picture first")),
        Command("protect", tr("Protect area"), "&Picture",
              lambda: extension.masking.paint(not extension.masking.is_painting), ("B",), "",
              tr("Paint an area that tongues and corners keep clear of, such as a face"), on_canvas=True,
              in_context=True),
        Command("find_faces", tr("Find faces"), "&Picture", lambda: extension.masking.find_faces(), (), "",
              tr("Find faces in the picture, and keep cuts out of their eyes and mouths"),
              needs=tr("Add a picture first")),
        Command("tongue", tr("Custom tongue…"), "&Tongue", extension.draw_tongue, (), "",
              tr("Draw a tongue of your own, or import one from an SVG file"), begins=True),
        Command("add_figure", tr("Add figure…"), "&Edit", lambda: extension.figuring.ask(), (), "",
              tr("Add a figure or a line of letters, each cut as one piece"), begins=True),
        Command("cut_out", tr("Figure from picture"), "&Picture", lambda: extension.cutting_out.begin(), ("X",), "",
              tr("Click an animal or a thing in the picture to cut it out as a figure"), on_canvas=True,
              in_context=True, needs=tr("Add a picture first")),
        Command("engrave", tr("Engrave…"), "&Edit", lambda: extension.engrave(), (), "",
              tr("Engrave texts and drawings on the face or the back")),
        Command("turn_figure_left", tr("Rotate left"), "&Edit", lambda: extension.posing.turn(-1), ("[",), "",
              tr("Rotate the selected figures or engravings by 15° to the left"), on_canvas=True, in_context=True,
              begins=True, needs=tr("Select a figure or engraving")),
        Command("turn_figure_right", tr("Rotate right"), "&Edit", lambda: extension.posing.turn(1), ("]",), "",
              tr("Rotate the selected figures or engravings by 15° to the right"), on_canvas=True, in_context=True,
              needs=tr("Select a figure or engraving")),
        Command("mirror_figure", tr("Mirror"), "&Edit", lambda: extension.posing.mirror(), (), "",
              tr("Mirror the selected figures or engravings left to right"), in_context=True,
              needs=tr("Select a figure or engraving")),
        Command("remove_figure", tr("Remove"), "&Edit", lambda: extension.posing.remove(), ("Del",), "",
              tr("Remove the selected figures or engravings from the board"), on_canvas=True, in_context=True,
              needs=tr("Select a figure or engraving")),
        Command("duplicate_figure", tr("Duplicate"), "&Edit", lambda: extension.posing.duplicate(), ("Ctrl+D",), "",
              tr("Add a copy of each selected figure or engraving"), on_canvas=True, in_context=True,
              needs=tr("Select a figure or engraving")),
        Command("select_all", tr("Select all"), "&Edit", tool.select_all, ("Ctrl+A",), "select",
              tr("Select all tongues, or all figures or engravings if any are selected"), on_canvas=True,
              in_context=True, begins=True),
        Command("select_none", tr("Deselect all"), "&Edit", lambda: extension.selection.select(), ("Ctrl+Shift+A",),
              on_canvas=True),
    ]  # fmt: skip


def play_commands(place: PlayPlace) -> list[Command]:
    """Commands of the game."""
    return [
        Command("rotate_piece", tr("Rotate piece"), "&Game", partial(place.press_key, "rotate"), ("R",), "turn",
              tr("Rotate the piece you hold or point at clockwise"), on_canvas=True),
        Command("rotate_back", tr("Rotate piece back"), "&Game", partial(place.press_key, "rotate back"),
              ("Shift+R",), "", tr("Rotate the piece you hold or point at anticlockwise"), on_canvas=True),
        Command("take_off", tr("Take piece off"), "&Game", partial(place.press_key, "take off"), ("Del",), "",
              tr("Separate the piece you point at from the pieces it is joined to"), on_canvas=True),
        Command("select_loose", tr("Select loose pieces"), "&Game", partial(place.press_key, "select loose"),
              ("Ctrl+A",), "", tr("Select everything but the largest group"), on_canvas=True),
        Command("play_picture", tr("Picture on pieces"), "&Game", lambda: place.page.picture.toggle(), ("P",), "",
              tr("Show the picture on the pieces, or play without it"), on_canvas=True, begins=True),
        Command("new_game", tr("New game"), "&Game", lambda: place.page.start_new(), ("N",), "dice",
              tr("Start over with the pieces scattered differently"), on_canvas=True),
    ]  # fmt: skip


def merge(extension: JigsawExtension) -> None:
    """Merge the selected neighbouring pieces, and the pieces on both sides of the selected tongues."""
    tiling = extension.shapes.tiling
    between = [tongue for tongue in extension.selection.tongues if not extension.shapes.is_of_figure(tongue)]
    between = [tongue for tongue in between if tongue not in tiling.seams.edges]
    cuts = sorted({*edits.cuts_between(extension.shapes, extension.selection.faces), *between})
    if not cuts:
        extension.refused.emit(tr("Select two neighbouring pieces, or the tongue between them, to merge them."))
        return
    pieces = many(len({*tiling.graph.sides[cuts].ravel().tolist()}), "piece")
    names = [tiling.edge_name(cut) for cut in cuts]
    extension.work(tr("Merge {pieces}", pieces=pieces), edits.with_pieces_merged, names)


def split(extension: JigsawExtension) -> None:
    """Split the selected merged pieces again."""
    names = edits.merged_cuts(extension.shapes, extension.selection.faces)
    if not names:
        extension.refused.emit(tr("Select a merged piece to split it."))
        return
    pieces = many(len(extension.selection.faces), "piece")
    extension.work(tr("Split {pieces}", pieces=pieces), edits.with_pieces_parted, names)


def drop_out(extension: JigsawExtension) -> None:
    """Leave the selected pieces open; if all are open, cut them again."""
    names = [extension.shapes.drawing.pieces.names[piece] for piece in sorted(extension.selection.pieces)]
    pieces, restores = many(len(names), "piece"), {*names} <= {*extension.shapes.design.dropped}
    words = tr("Cut {pieces} again") if restores else tr("Drop out {pieces}")
    change = edits.without_drop_outs if restores else edits.with_drop_outs
    extension.session.changing.make(words.format(pieces=pieces), partial(change, names=names))
