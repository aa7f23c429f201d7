"""The commands that one kind of puzzle alone has, a module for each such kind, called like it."""
