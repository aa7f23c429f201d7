"""The calendar puzzle in the window."""
