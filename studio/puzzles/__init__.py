"""The kinds of puzzle; they do not know each other."""
