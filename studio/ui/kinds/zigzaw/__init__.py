"""The zigzaw in the window."""
