"""The presets of the form: a menu of them, saving and deleting own ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu

from studio.base.errors import StudioError
from studio.base.folders import refuse_title
from studio.base.texts import tr, visible
from studio.puzzles.presets import Preset, broken, forget, keep, presets, unused_title
from studio.ui.panels.frame import NameDialog, at_once
from studio.ui.session.session import Session


def fill(session: Session, menu: QMenu) -> None:
    """Fill a menu with the presets of the kind, matching ones ticked, and with the actions for own ones."""
    known, bad = presets(session.kind), broken(session.kind)
    now = session.document.design.parameters
    for number, each in enumerate(known):
        if number and each.own and not known[number - 1].own:
            menu.addSeparator()
        action = menu.addAction(_plain(each.title), partial(choose, session, each))
        action.setToolTip(visible(each.note))
        if each.is_in(now):
            action.setCheckable(True)
            action.setChecked(True)
    menu.addSeparator()
    menu.addAction(tr("Save as preset…"), partial(save, session))
    own = [(each.key, each.title) for each in known if each.own] + [(key, key) for key in bad if key]
    if own:
        delete = menu.addMenu(tr("Delete preset"))
        for key, title in own:
            delete.addAction(_plain(title), partial(_attempt, session, partial(remove, session, key, title)))
    for sentence in bad.values():
        session.notices.refuse(sentence)


def choose(session: Session, chosen: Preset) -> None:
    """Apply a preset as one step that can be undone; edits that still fit are kept."""
    kind = session.kind
    if chosen.is_in(session.document.design.parameters):
        session.notices.post(tr("The design has these values already: {title}.", title=visible(chosen.title)))
        return
    session.changing.make(
        tr("Preset {title}", title=visible(chosen.title)),
        lambda design, progress: kind.generate(chosen.applied(design.parameters), design, progress),
    )


def save(session: Session) -> None:
    """Ask for a title and save the parameters as a preset of the maker's own."""
    dialog = NameDialog(
        tr("Save as preset"), tr("Name of the preset, which keeps all parameters but the seed:"),
        unused_title(session.kind), session.dialogs.parent,
    )  # fmt: skip
    session.dialogs.carry_out(dialog, at_once(partial(_keep, session)))
    dialog.deleteLater()


def remove(session: Session, key: str, title: str) -> None:
    """Delete a preset of the maker's own; raises StudioError if that fails."""
    forget(session.kind, key)
    session.notices.post(tr("Deleted the preset {title}.", title=visible(title)))


def _keep(session: Session, title: str) -> None:
    refuse_title(title)
    keep(session.kind, title, session.document.design.parameters)
    session.notices.post(tr("Saved the preset {title}.", title=visible(title)))


def _attempt(session: Session, work: Callable[[], object]) -> None:
    try:
        work()
    except StudioError as problem:
        session.notices.refuse(str(problem))


def _plain(title: str) -> str:
    """Escape a title for a menu, where `&` would mark a mnemonic."""
    return visible(title).replace("&", "&&")
