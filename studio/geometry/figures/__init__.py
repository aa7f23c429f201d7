"""Figures in a tiling: their voids, their tongues, and the bars of their letters."""
