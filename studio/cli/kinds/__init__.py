"""The commands of a single kind of puzzle, in a module named after the kind."""
