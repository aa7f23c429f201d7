"""The manual in a window of its own, and the place in it that explains the focused widget."""
