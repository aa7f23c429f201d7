"""Abilities of kinds of puzzle beyond being drawn, checked and saved: a small module for each."""
