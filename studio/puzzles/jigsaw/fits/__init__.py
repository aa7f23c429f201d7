"""How pieces hold, where else they fit, and tongues that fit in one place only."""
