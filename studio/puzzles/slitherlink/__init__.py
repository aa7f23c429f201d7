"""The slitherlink: one loop along the edges of cells; clues say how many edges of a cell belong to it."""
