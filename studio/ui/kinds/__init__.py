"""Extensions of the window, a package for each kind of puzzle."""
