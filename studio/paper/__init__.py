"""Paper that goes with a puzzle: pages as values, before any file is written of them."""
