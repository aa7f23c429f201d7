"""The slitherlink: one loop along the edges of cells; clues count the edges of a cell on it."""
