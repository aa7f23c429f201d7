"""Runs inside the environment of the peers, which has fpdf2 and nothing of ours: a page in, milliseconds out, as JSON.

python fpdf_peer.py RUNS < page.json; a page is its words as [text, x, y], curves as lists of [x, y], fonts and picture.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Any

from fpdf import FPDF  # type: ignore[import-untyped]


def written(page: dict[str, Any]) -> bytes:
    """The page as PDF."""
    file = FPDF(format="A4")
    file.add_page()
    file.add_font("letters", fname=page["font"])
    file.set_font("letters", size=page["size"] * 72 / 25.4)
    for text, x, y in page["words"]:
        file.text(x, y, text)
    for points in page["curves"]:
        with file.new_path(*points[0]) as path:
            path.style.fill_color = None
            for at in range(1, len(points), 3):
                (a, b), (c, d), (x, y) = points[at : at + 3]
                path.curve_to(a, b, c, d, x, y)
    file.image(page["picture"], *page["box"])
    return bytes(file.output())


def main() -> None:
    """Print the median of some runs after one that does not count."""
    page = json.load(sys.stdin)
    written(page)
    times = []
    for _ in range(int(sys.argv[1])):
        begin = time.perf_counter()
        written(page)
        times.append(1000 * (time.perf_counter() - begin))
    json.dump(statistics.median(times), sys.stdout)


if __name__ == "__main__":
    main()
