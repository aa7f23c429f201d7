"""Figures and letters: where they are, and the tongues on their outlines."""
