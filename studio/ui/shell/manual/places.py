"""Which place of the manual belongs to what has the focus: its parameter, its dialog or panel, its view, its kind."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from studio.base.manual import Manual
from studio.ui.panels.form import ParameterForm

USUAL = "window.md"
PANELS = {
    "BatchDialog": "command-line.md#many-boards",
    "ComparisonDialog": "window.md#files",
    "CouponDialog": "laser.md#kerf-and-fit",
    "Difficulty": "{kind}.md#difficulty",
    "EngraveDialog": "jigsaw.md#engravings",
    "ExportDialog": "laser.md#export",
    "FigureDialog": "jigsaw.md#figures",
    "FindingsPanel": "{kind}.md#problems",
    "FitsPage": "jigsaw.md#false-fits",
    "Palette": "window.md#command-palette",
    "Planning": "laser.md#cut-plan",
    "PrintDialog": "printer.md#export",
    "ProfilesDialog": "laser.md#profiles-and-options",
    "QUndoView": "window.md#panels",
    "ShortcutsDialog": "window.md#keyboard-shortcuts",
    "StartPage": "window.md#the-start-page",
    "TongueDialog": "jigsaw.md#tongues",
    "VariantsDialog": "window.md#parameters",
    "WorkshopDialog": "laser.md#machines-and-materials",
}
"""By the class of a panel or dialog."""
FORM = "{kind}.md#parameters"
"""What of a form is no field."""
VIEWS = {
    "calendar/edit": "calendar.md#board-and-pieces",
    "calendar/board": "calendar.md#views",
    "calendar/pages": "calendar.md#the-booklet",
    "calendar/search": "calendar.md#views",
    "calendar/year": "calendar.md#views",
    "cube/model": "cube.md#the-model",
    "cube/net": "cube.md#the-net",
    "cube/pages": "cube.md#assembly-sheet",
    "cube/plate": "printer.md#export",
    "drawing": "laser.md",
    "jigsaw/board": "jigsaw.md#editing",
    "play": "{kind}.md#playing",
    "slitherlink/board": "slitherlink.md#loop-and-clues",
    "slitherlink/pages": "slitherlink.md#on-paper",
    "slitherlink/steps": "slitherlink.md#steps",
    "space": "printer.md#printing-a-jigsaw",
    "zigzaw/board": "zigzaw.md#colours",
    "zigzaw/import": "zigzaw.md#import-and-export",
    "zigzaw/pages": "zigzaw.md#answer-sheet",
    "zigzaw/solver": "zigzaw.md#solver",
}
"""By the name of a view, of one kind or of all."""
TOPICS = {
    "jigsaw/engraving": "jigsaw.md#engravings",
    "jigsaw/figure": "jigsaw.md#figures",
    "jigsaw/mask": "jigsaw.md#protected-areas",
    "jigsaw/picture": "jigsaw.md#pictures",
    "jigsaw/tongue": "jigsaw.md#shaping-tongues",
}
"""By what an extension says is selected or edited."""


def place_of(
    manual: Manual, widget: QWidget | None, kind: str = "", view: str = "", topic: str = ""
) -> tuple[str, str]:
    """The place for a widget that has the focus, in a view of a kind, and the line to point at; "" for none.

    A parameter comes first, then the nearest panel or dialog, then the topic, then the view.
    """
    in_form = False
    for part in _outwards(widget):
        in_form |= isinstance(part, ParameterForm)
        declared = part.asked_at(widget) if isinstance(part, ParameterForm) and widget is not None else None
        row = None if declared is None else manual.parameter(f"{kind}.md", declared)
        if row is not None:
            return row
        for known in type(part).__mro__:
            if known.__name__ in PANELS:
                return _existing(manual, PANELS[known.__name__], kind), ""
    if in_form:
        return _existing(manual, FORM, kind), ""
    place = TOPICS.get(f"{kind}/{topic}") or VIEWS.get(f"{kind}/{view}") or VIEWS.get(view) or "{kind}.md"
    return _existing(manual, place, kind), ""


def _existing(manual: Manual, place: str, kind: str) -> str:
    """A place with the kind put in; the top of its page where it has no such section, and the usual page last."""
    place = place.format(kind=kind)
    page = place.partition("#")[0]
    return next((one for one in (place, page) if manual.has(one)), USUAL)


def _outwards(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = widget.parentWidget()
