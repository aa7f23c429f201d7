"""Shared parts of one window: the document, its shapes and findings, and work off the GUI thread."""
