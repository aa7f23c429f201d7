"""The manual in a window of its own, and which of its places belongs to what has the focus."""
