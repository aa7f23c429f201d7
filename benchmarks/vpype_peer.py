"""Runs inside the environment of the peers, which has vpype and nothing of ours: lines in, lines out, as JSON.

python vpype_peer.py COMMANDS < lines.json > ordered.json; lines are lists of [x, y] in mm.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from vpype import Document, LineCollection, convert_length  # type: ignore[import-not-found]
from vpype_cli import execute  # type: ignore[import-not-found]


def main() -> None:
    """Order the lines on standard input by the vpype commands in the first argument."""
    unit = convert_length("1mm")
    lines = [np.array(line) @ (1, 1j) * unit for line in json.load(sys.stdin)]
    document = Document()
    document.add(LineCollection(lines), 1)
    ordered = execute(sys.argv[1], document).layers[1]
    json.dump([(np.stack([line.real, line.imag], 1) / unit).tolist() for line in ordered], sys.stdout)


if __name__ == "__main__":
    main()
