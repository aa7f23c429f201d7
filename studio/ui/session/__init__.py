"""What every part of one window shares: the document, its shapes and findings, and work off the GUI thread."""
