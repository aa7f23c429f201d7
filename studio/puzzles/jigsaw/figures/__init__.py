"""Figures and letters, their places, and the tongues on their outlines."""
