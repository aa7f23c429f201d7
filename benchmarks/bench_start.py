"""What must be fast at the beginning of a day: from the start of the process to the first painted window."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import Row, median, show

ROOT = Path(__file__).resolve().parents[1]
RUNS = 9
UNTIL_PAINTED = """
import os, sys, time
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
def tell():
    print((time.monotonic_ns() - int(os.environ["BEGUN"])) / 1e6, flush=True)
    os._exit(0)
class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, tell)  # all of the window is painted in one go, its widgets after itself
        return False
watch = Watch()
"""
STUDIO = f"""
import sys
from studio.__main__ import main
seen = set()
def watched(event, details):
    if event == "import" and details[0] == "studio.ui.shell.app" and "studio.ui" not in sys.modules:
        exec({UNTIL_PAINTED!r}, globals())
    if event == "import" and details[0] == "studio.ui.shell.tabs" and details[0] not in seen:
        seen.add(details[0])
        from studio.ui.shell import tabs
        class Watched(tabs.Shell):
            def show(self):
                self.installEventFilter(watch)  # on the application it would slow every event down
                super().show()
        tabs.Shell = Watched
sys.addaudithook(watched)  # what imports the window must come before Qt, as in a start that nobody measures
main()
"""
PLAIN = (
    UNTIL_PAINTED
    + """
application = QApplication([])
window = QMainWindow()
window.installEventFilter(watch)
window.show()
application.exec()
"""
)


RECENT = """
import sys
from pathlib import Path
from PySide6.QtCore import QSize
from studio.ui.shell.app import make_application
from studio.ui.session.preferences import Preferences
from studio.ui.shell.start import StartPage
from studio.ui.shell.thumbnails import place
app, preferences = make_application(), Preferences()
page = StartPage(preferences)
page.resize(1280, 800)
picture = page.grab().scaled(QSize(432, 288))
for number in range(30):
    path = Path(f"/puzzles/{number}.puzzle")
    place(path, "light").parent.mkdir(parents=True, exist_ok=True)
    picture.save(str(place(path, "light")))
    preferences.add_recent_file(path)
preferences.save()
"""


def started(program: str, home: str, *files: str) -> float:
    """Milliseconds from the start of a process to its first painted window."""
    return float(ran(program, home, *files))


def ran(program: str, home: str, *files: str) -> str:
    """What a program prints in a home of its own."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home}
    environment |= {"BEGUN": str(time.monotonic_ns()), "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", program, *files]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT, timeout=60)
    return ended.stdout


def main() -> None:
    """Measure and print."""
    sample = str(next((ROOT / "resources" / "examples").glob("*.puzzle")))
    with tempfile.TemporaryDirectory() as home:
        ran(RECENT, home)
        times: dict[tuple[str, ...], list[float]] = {(STUDIO,): [], (STUDIO, sample): [], (PLAIN,): []}
        for run in range(RUNS + 2):
            for (program, *files), found in times.items():
                took = started(program, home, *files)
                if run >= 2:
                    found.append(took)
    page, opened, floor = map(median, times.values())
    words = "process start to first painted"
    show([
        Row(f"{words} start page, 30 recent files, warm", page, "ms", 400, "floor: an empty QMainWindow", floor),
        Row("the same, over that floor", page / floor, "×", 2.5, "floor: an empty QMainWindow, in ms", floor),
        Row(f"{words} window of a file, warm", opened, "ms", 400, "floor: an empty QMainWindow", floor),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
