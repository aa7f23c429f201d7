"""Figures in a tiling: the voids that they fill, their tongues, and the bars of their letters."""
