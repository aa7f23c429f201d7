"""The slitherlink: one loop along the edges of cells, some of which tell how many of theirs it has."""
