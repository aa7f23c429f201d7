"""Every test of the window runs without a display, looks the same everywhere, and leaves the maker's settings alone."""

import gc
import os
import signal

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from studio.ui.widgets.theme import StudioStyle, apply, current_theme, light_theme, picture_font
from tests.depth import THOROUGH

settings.register_profile("quick", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile("thorough" if THOROUGH else "quick")


def pytest_configure(config: pytest.Config) -> None:
    """Pass over what the platform without a display says of every window that is shown."""
    config.addinivalue_line("qt_log_ignore", "This plugin does not support propagateSizeHints")
    hear_signals()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all but one in n cases of tests that are sampled(n) as thorough: in each n another one."""
    cases: defaultdict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        sampled = item.get_closest_marker("sampled")
        if sampled is not None:
            cases[item.nodeid.partition("[")[0], sampled.args[0]].append(item)
    for (test, each), some in cases.items():
        for number, item in enumerate(some):
            # One that is named alone is tried in any case.
            if len(some) > 1 and number % each != (number // each + crc32(test.encode())) % each:
                item.add_marker(pytest.mark.thorough)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from going through all tests, modules and libraries again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    return QApplication


@pytest.fixture(scope="session")
def qapp(qapp_args: list[str], qapp_cls: type[QApplication], pytestconfig: pytest.Config) -> Iterator[QApplication]:
    app = qapp_cls.instance() or qapp_cls(qapp_args)
    assert isinstance(app, QApplication)
    app.setApplicationName("puzzle-studio-tests")
    app.setOrganizationName("puzzle-studio-tests")
    yield app
    # Without a display Qt lets go of what was copied only after Python has ended, which ends the process with a crash.
    app.clipboard().clear()


@pytest.fixture(autouse=True)
def dressed_alike(request: pytest.FixtureRequest) -> None:
    """Give every test that has a window the same style, typeface and light theme."""
    if "qtbot" in request.fixturenames or "qapp" in request.fixturenames:
        app = request.getfixturevalue("qapp")
        is_dressed = isinstance(app.style(), StudioStyle) and current_theme() is light_theme()
        if not is_dressed or app.font() != picture_font():
            apply(app, light_theme(), picture_font())
        if QGuiApplication.keyboardModifiers() is not Qt.KeyboardModifier.NoModifier:
            # A test before held one of them to its end; tables ask for those when rows are selected.
            QTest.keyRelease(QWidget(), Qt.Key.Key_Shift)


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have windows wait for changes and files however busy the machine is; tests of what takes longer set their own."""
    if "qapp" in request.fixturenames:
        for module in ("session", "opening"):
            monkeypatch.setattr(f"studio.ui.session.{module}.SOON", 600.0)


@pytest.fixture(autouse=True)
def isolated_settings(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep settings that are opened without a file, machines, materials and counted years in the test's own folders."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    for scope in (QSettings.Scope.UserScope, QSettings.Scope.SystemScope):
        QSettings.setPath(QSettings.Format.IniFormat, scope, str(tmp_path))


def hear_signals() -> None:
    """Hear the signals that tests send, also where the tests were begun in the background with them ignored."""
    for name, heard in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, heard)
