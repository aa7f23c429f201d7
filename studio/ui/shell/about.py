"""The versions shown by the Help menu: studio, Python, system, Qt and libraries."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from studio import __version__
from studio.base.texts import tr

LIBRARIES = ("PySide6-Essentials", "numpy", "shapely", "ezdxf", "numpy-stl")


def show_about(parent: QWidget) -> None:
    """Show the versions, to be selected or copied."""
    found = versions()
    lines = "<br>".join(found.splitlines()[1:])
    box = _box(
        parent,
        tr("About Puzzle Studio"),
        f"<p><b>Puzzle Studio {__version__}</b></p><p>{tr('Design, check, cut.')}</p><p>{lines}</p>",
    )
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    copy = box.addButton(tr("Copy versions"), QMessageBox.ButtonRole.ActionRole)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(found))
    box.open()


def versions() -> str:
    """Return the versions for a bug report, one a line."""
    return "\n".join([
        f"Puzzle Studio {__version__}",
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"Qt {qVersion()}",
        *(f"{name} {found}" for name in LIBRARIES if (found := _installed(name))),
    ])  # fmt: skip


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _box(parent: QWidget, title: str, text: str) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Close, parent)
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box
