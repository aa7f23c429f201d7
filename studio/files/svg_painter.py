"""A program of its own that paints the SVG file on its standard input as PNG on its standard output.

In a process of its own, a drawing can be stopped that would take minutes or all memory, and no thread of the window
waits for it. It is called with the pixels of the longer side, the most times that one side may be longer than the
other, and the seconds and bytes it may take.
"""

from __future__ import annotations

import struct
import sys
from contextlib import suppress

DRAWN, DAMAGED, LONG = 0, 3, 4
"""Exit codes: drawn, not drawable (the reason on standard error), too long for its width."""
SMALL = 256


def main() -> int:
    """Paint, and return the exit code."""
    across, longest, seconds, memory = map(int, sys.argv[1:])
    with suppress(ImportError, ValueError, OSError):
        # Windows knows no such limits; there, the caller's patience alone ends it.
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    import resvg_py

    text = sys.stdin.buffer.read().decode()

    def drawn(width: int | None, height: int | None) -> bytes:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=text, width=width, height=height, dpi=96.0, font_size=16.0, languages=["en"],
                skip_system_fonts="<text" not in text,
            )
        )  # fmt: skip

    try:
        # Its proportions first, from a small one: the size that it states may be anything.
        width, height = struct.unpack(">II", drawn(SMALL, SMALL)[16:24])
        if not width <= longest * height <= longest * longest * width:
            return LONG
        png = drawn(across, None) if width >= height else drawn(None, across)
    except ValueError as problem:
        sys.stderr.write(str(problem))
        return DAMAGED
    sys.stdout.buffer.write(png)
    return DRAWN


if __name__ == "__main__":
    sys.exit(main())
