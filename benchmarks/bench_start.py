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
def watched(event, details):
    if event == "import" and details[0] == "studio.ui.shell.app" and "studio.ui" not in sys.modules:
        exec({UNTIL_PAINTED!r}, globals())
        from studio.ui.shell import app
        class Watched(app.Window):
            def show(self):
                self.installEventFilter(watch)  # on the application it would slow every event down
                super().show()
        app.Window = Watched
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


def started(program: str, home: str) -> float:
    """Milliseconds from the start of a process to its first painted window."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home}
    environment |= {"BEGUN": str(time.monotonic_ns()), "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    sample = next((ROOT / "resources" / "examples").glob("*.puzzle"))
    command = [sys.executable, "-c", program, str(sample)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT, timeout=60)
    return float(ended.stdout)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as home:
        times: dict[str, list[float]] = {STUDIO: [], PLAIN: []}
        for run in range(RUNS + 2):
            for program, found in times.items():
                took = started(program, home)
                if run >= 2:
                    found.append(took)
    floor = median(times[PLAIN])
    name = "process start to first painted window, warm"
    show([Row(name, median(times[STUDIO]), "ms", 400, "floor: an empty QMainWindow", floor)])


if __name__ == "__main__":
    main()
