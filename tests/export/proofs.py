"""What the bytes of a file hold, as an export finds out before it gives the file its name."""

from __future__ import annotations

from typing import Any

from studio.export.format import Format, Found, Thing


def proven(known: Format[Thing, Any, Any, Found], data: bytes, thing: Thing, options: Any) -> Found:
    """What the bytes hold; raises Unreadable where that is not the thing."""
    return known.prove(known.read(data, options), thing, options, known.rounding)
