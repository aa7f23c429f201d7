"""Starts the studio: `python -m studio`, or `puzzle-studio` where it is installed."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def main() -> int:
    """Run the command line; without the packages it needs, in the environment that go.py made, if there is one."""
    _open_streams()
    _heed_signals()
    # No matrix here is large enough for several threads, and each takes longer to start than it could ever save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from studio.cli import main as command

        return command(sys.argv[1:])
    except ModuleNotFoundError as problem:
        missing = (problem.name or "").partition(".")[0]
        if missing in ("", "studio"):
            raise
        return _elsewhere(missing, sys.argv[1:])
    except KeyboardInterrupt as stopped:
        # While the packages are still being loaded.
        with contextlib.suppress(OSError):
            print("Stopped.", file=sys.stderr)
        return 128 + int(stopped.args[0]) if stopped.args else 130


def _heed_signals() -> None:
    """End on the system's request, or with the terminal, as Ctrl-C would: nothing unfinished stays behind."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Who is started by nohup goes on.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _stop(number: int, _frame: object) -> None:
    raise KeyboardInterrupt(number)


def _open_streams() -> None:
    """Send to nowhere what a caller has closed, before a file that is written gets the number of such a stream."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  # it stays open to the end
    if not sys.stderr.isatty():
        raw = _Log(sys.stderr.fileno(), "wb", closefd=False)
        sys.stderr = io.TextIOWrapper(raw, sys.stderr.encoding, sys.stderr.errors, write_through=True)


class _Log(io.FileIO):
    """A log that loses what a full disk does not take, in place of the work."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError:
            return len(data)


def _elsewhere(missing: str, arguments: Sequence[str]) -> int:
    """The same command in go.py's environment; where that is not to be had, a sentence and exit code 2."""
    root = Path(__file__).resolve().parent.parent
    folder = root / ".venv"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if Path(sys.prefix).resolve() == folder.resolve() or not os.path.isfile(python):
        print(f"The Python package {missing} is not installed; run `python3 go.py setup` first.", file=sys.stderr)
        return 2
    places = [str(root), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(place for place in places if place)}
    command = [str(python), "-m", "studio", *arguments]
    sys.stdout.flush()
    if os.name == "nt":
        import subprocess

        return subprocess.run(command, env=environment, check=False).returncode
    os.execve(command[0], command, environment)


if __name__ == "__main__":
    sys.exit(main())
