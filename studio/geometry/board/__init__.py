"""A board and its cells: outlines, tessellations and tilings."""
