"""What each kind of puzzle adds to the window."""
