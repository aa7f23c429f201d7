"""What the window has of the calendar puzzle."""
