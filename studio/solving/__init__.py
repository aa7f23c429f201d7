"""Search and proof without puzzles: least-weight matching, exact cover, edge matching, single loops."""
