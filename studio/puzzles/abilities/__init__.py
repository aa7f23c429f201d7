"""Abilities of kinds of puzzle beyond being drawn, checked and saved."""
