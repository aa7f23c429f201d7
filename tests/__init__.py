"""The tests; a package, because some library brings one of the same name, and a folder alone would lose against it."""
