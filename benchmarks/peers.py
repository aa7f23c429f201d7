"""The environment of the peers, other programs that do the same: `.venv-peers`, made and filled on demand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PEERS = Path(__file__).resolve().parents[1] / ".venv-peers"
PATIENCE = 300


def peer_python(package: str, module: str) -> Path | None:
    """The Python of the peers' environment, a package put into it if need be; None where that fails."""
    python = PEERS / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    try:
        if python.exists() and run([str(python), "-c", f"import {module}"]).returncode == 0:
            return python
        commands = [] if python.exists() else [[sys.executable, "-m", "venv", str(PEERS)]]
        commands.append([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package])
        return python if all(run(command).returncode == 0 for command in commands) else None
    except (OSError, subprocess.TimeoutExpired):
        return None


def run(command: list[str], sent: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command quietly; raises TimeoutExpired when it takes too long."""
    return subprocess.run(command, input=sent, capture_output=True, text=True, timeout=PATIENCE, check=False)


def answer(python: Path | None, script: str, words: list[str], sent: str) -> str | None:
    """What a script of this folder prints in the peers' environment; None where there is none or it fails."""
    if python is None:
        return None
    try:
        done = run([str(python), str(Path(__file__).with_name(script)), *words], sent)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout
